/*
 * What a kernel at the limit of a card needs beside launch.h: copies in bulk between device and
 * shared memory that run by themselves, the arrivals by which their end is known, and messages
 * between blocks that are there together (LAUNCH_TOGETHER). Each is one wrapper, and the emulated
 * device has them too: it makes a copy as late as the rules allow, so that what forgets to wait
 * finds NaN, and a wait in vain ends with a sentence.
 *
 *   arrival_make(b, count)    by one thread: each phase of b ends when so many have arrived and all
 *                             bytes are there that were expected. Then arrivals_made(), by the same
 *                             thread, and a barrier of those who are to use it.
 *   arrival_arrive(b)         one more has arrived: what it wrote before is seen by who waits. What
 *                             it has read, and used nothing of yet, may be overtaken: who lets a
 *                             place be written again has b hang on what comes of it
 *   arrival_expect(b, bytes)  arrives, and so many bytes more are to come in this phase
 *   arrival_wait(b, parity)   until the phase is over, whose number is even (0) or odd (1): from
 *                             phase to phase it is 0, 1, 0, 1 ...
 *
 *   bulk_load(shared, global, bytes, b)
 *                             begins a copy, which ends in b. Nobody touches the place until b was
 *                             waited for.
 *   bulk_store(global, shared, bytes)
 *                             begins a copy, a group of its own of this thread. Nobody changes the
 *                             place until bulk_stored().
 *   bulk_fence()              what this thread wrote to shared memory is seen by a bulk_store():
 *                             each thread that wrote calls it, then a barrier with who stores
 *   bulk_fence_device()       the same of device memory and a bulk_load(): by each thread that
 *                             wrote, then a barrier of the grid, then by who loads
 *   bulk_stored<left>()       all but `left` of this thread's groups have been read
 *   bulk_done()               all of them are in device memory
 *   bulk_ahead(global, bytes) asks for them into the L2 cache
 *   bulk_load_once(), bulk_load_kept()
 *                             bulk_load() of what the L2 cache need not keep, or is to keep
 *
 * Addresses and bytes of these copies are multiples of 16, and all of them need capability 9.0: a
 * plan asks KNOWS_BULK(kernel) first and is SKIPPED with NO_BULK where it is not known.
 *
 *   message_look(p)           a double2 or float4, whose words are there one by one
 *   message_look_again(&v, p, wanted)
 *                             a double2, which stays as it is where it is not wanted; without a
 *                             branch, so that many looks are under way at once
 *   message_there(v)          whether all words are. One of all ones is not there yet.
 *   message_put(p, v)         a NaN of all ones is made another one
 *   message_clear(p)          not there, for the launch after the next: nobody may look at p now
 *   message_none()            what a double2 is that is not there
 *
 * Where a place is written again and again, letters say which time it is: 4 or 8 bytes and a
 * number, with which each 4 of them travel (letter.h).
 *
 *   letter_put(p, word, number)
 *   letter_look(p, number)    a letter, which may be another one or half of it
 *   letter_there(v, number)   whether it is all of that one; then letter_word(v)
 *   letter_tell(p, word, number)
 *                             letter_put() to page-locked memory of the host, which looks at it by
 *                             itself while the kernel runs
 *
 * A parcel is 12 bytes and a number, which come together, where the toolkit knows how to ask for
 * that (KNOWS_PARCELS, CUDA 12.4):
 *
 *   parcel_put(p, v)          with its number in it
 *   parcel_look(p, number)    a parcel: that one, if it has that number, or another one
 *
 * They are relaxed: nothing else that was written before is seen with them. Who looks in a loop
 * calls lose_patience(&looks), which ends a kernel that would wait for ever.
 *
 * A tally is an unsigned in device memory that blocks of one launch add to, and wait for:
 *
 *   tally_add(p)              one more; who waits sees all that this thread did or knew before,
 *                             which behind a barrier is all that its block did
 *   tally_wait(p, least)      until there are so many
 *   tally_look(p, least)      whether there are, for a loop that a whole warp leaves together: of
 *                             one that lanes leave by themselves, the compiler believes that warps
 *                             stay apart behind it, and makes what follows slow
 *
 *   matrix_16x8x8(c, a0, a1, a2, a3, b0, b1)
 *                             by a whole warp: C (16 x 8) += A (16 x 8) B (8 x 8) in doubles, each
 *                             product rounded with the sum, from capability 9.0 on, too. With g =
 *                             lane / 4 and t = lane % 4 a lane has C[g][2t], C[g][2t+1],
 *                             C[g+8][2t], C[g+8][2t+1] in c[4]; a0..a3 are A[g][t],
 *                             A[g+8][t], A[g][t+4], A[g+8][t+4]; b0 and b1 are B[t][g] and
 *                             B[t+4][g]. A GPU adds in an order of its own, the emulated device
 *                             from C on, k = 0 .. 7.
 *   matrix_16x8x16(c, a, b)   the same of twice as many columns: a[4], b[2] and then a[4], b[2] of
 *                             the other eight, in one instruction
 *   table_look(p)             a double2 that no launch changes, read where it is used: the compiler
 *                             keeps it in no register
 *   some_sync<barrier, threads>()
 *                             a barrier of so many threads of the block, whole warps, which all
 *                             come by this place of the program; 1 to 15 are different ones
 *   scattered_sync<barrier, threads>()
 *                             the same, wherever in the program they are
 *   registers_between<had, has>()
 *                             by four warps whose first is a multiple of four, once: of `had`
 *                             registers a thread goes on with `has`, multiples of 8. Who wants more
 *                             waits until others of the block have given some away. Only in code
 *                             made for 9.0 alone (meson.build); all others stay as they were
 *   anew(x)                   the int x, of which the compiler does not know that it is the same as
 *                             before: what follows from it takes no registers in between
 */
#pragma once
#include "machine/launch.h"
#include "machine/letter.h"

#define NO_BULK                                                                                    \
    "this GPU, or the CUDA Toolkit that the program was built with, does not know copies in bulk " \
    "into shared memory; from capability 9.0 and CUDA 12 on it does"

#ifdef REPRISE_EMULATED
#include "machine/emulated/async.h"
#else

struct arrival {
    uint64_t word;
};

#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12)
#define REPRISE_BULK(...) asm volatile(__VA_ARGS__)
#define REPRISE_PURE(...) asm(__VA_ARGS__) /* arithmetic: the compiler may move it */
#else
#define REPRISE_BULK(...) __trap() /* no plan gets here: KNOWS_BULK is false */
#define REPRISE_PURE(...) __trap()
#endif
#define KNOWS_BULK(kernel) (__CUDACC_VER_MAJOR__ >= 12 && knows_await((const void *)(kernel)))

/* Looks, some minutes: racecheck makes what is waited for thousands of times slower, not looks. */
enum { PATIENCE = 1 << 28 };

static __device__ __forceinline__ void lose_patience(unsigned *looks)
{
    if (++*looks > PATIENCE)
        __trap();
}

static __device__ __forceinline__ unsigned shared_address(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

static __device__ __forceinline__ void arrival_make(arrival *b, int count)
{
    REPRISE_BULK("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(count)
                 : "memory");
}

static __device__ __forceinline__ void arrivals_made(void)
{
    REPRISE_BULK("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ __forceinline__ void arrival_arrive(arrival *b)
{
    REPRISE_BULK("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}

static __device__ __forceinline__ void arrival_expect(arrival *b, unsigned bytes)
{
    REPRISE_BULK("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)),
                 "r"(bytes)
                 : "memory");
}

static __device__ __forceinline__ void arrival_wait(arrival *b, int parity)
{
    for (unsigned looks = 0, over = 0; !over; lose_patience(&looks))
        REPRISE_BULK("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "r"(shared_address(b)), "r"(parity)
                     : "memory");
}

static __device__ __forceinline__ void bulk_load(void *shared, const void *global, unsigned bytes,
                                                 arrival *b)
{
    REPRISE_BULK("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(shared)),
                 "l"(global), "r"(bytes), "r"(shared_address(b))
                 : "memory");
}

#define REPRISE_BULK_LOAD(name, policy)                                                            \
    static __device__ __forceinline__ void name(void *shared, const void *global, unsigned bytes,  \
                                                arrival *b)                                        \
    {                                                                                              \
        REPRISE_BULK(                                                                              \
            "{ .reg .b64 keep; createpolicy.fractional.L2::" policy ".b64 keep, 1.0; "             \
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"                    \
            ".L2::cache_hint [%0], [%1], %2, [%3], keep; }" ::"r"(shared_address(shared)),         \
            "l"(global), "r"(bytes), "r"(shared_address(b))                                        \
            : "memory");                                                                           \
    }
REPRISE_BULK_LOAD(bulk_load_once, "evict_first")
REPRISE_BULK_LOAD(bulk_load_kept, "evict_last")

static __device__ __forceinline__ void bulk_store(void *global, const void *shared, unsigned bytes)
{
    REPRISE_BULK("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\t"
                 "cp.async.bulk.commit_group;" ::"l"(global),
                 "r"(shared_address(shared)), "r"(bytes)
                 : "memory");
}

static __device__ __forceinline__ void bulk_fence(void)
{
    REPRISE_BULK("fence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ __forceinline__ void bulk_fence_device(void)
{
    REPRISE_BULK("fence.proxy.async.global;" ::: "memory");
}

template <int left> static __device__ __forceinline__ void bulk_stored(void)
{
    REPRISE_BULK("cp.async.bulk.wait_group.read %0;" ::"n"(left) : "memory");
}

static __device__ __forceinline__ void bulk_done(void)
{
    REPRISE_BULK("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* The words of a message, 16 bytes at once. */
static __device__ __forceinline__ double2 relaxed_read(const double2 *p)
{
    double2 v;
    asm volatile("ld.relaxed.gpu.global.v2.f64 {%0, %1}, [%2];"
                 : "=d"(v.x), "=d"(v.y)
                 : "l"(p)
                 : "memory");
    return v;
}

static __device__ __forceinline__ float4 relaxed_read(const float4 *p)
{
    float4 v;
    asm volatile("ld.relaxed.gpu.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p)
                 : "memory");
    return v;
}

static __device__ __forceinline__ void relaxed_write(double2 *p, double2 v)
{
    asm volatile("st.relaxed.gpu.global.v2.f64 [%0], {%1, %2};" ::"l"(p), "d"(v.x), "d"(v.y)
                 : "memory");
}

static __device__ __forceinline__ void relaxed_write(float4 *p, float4 v)
{
    asm volatile("st.relaxed.gpu.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(p), "f"(v.x),
                 "f"(v.y), "f"(v.z), "f"(v.w)
                 : "memory");
}

template <class T> static __device__ __forceinline__ T message_look(const T *p)
{
    return relaxed_read(p);
}

static __device__ __forceinline__ void message_look_again(double2 *v, const double2 *p, bool wanted)
{
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %3, 0; "
                 "@p ld.relaxed.gpu.global.v2.f64 {%0, %1}, [%2]; }"
                 : "+d"(v->x), "+d"(v->y)
                 : "l"(p), "r"((int)wanted)
                 : "memory");
}

template <class T>
static __device__ __forceinline__ void letter_put(letter<T> *p, T word, unsigned number)
{
    const letter<T> v = letter_of(word, number);
    if constexpr (sizeof(T) == 8)
        asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(p), "l"(v.half[0]),
                     "l"(v.half[1])
                     : "memory");
    else
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(v.half[0]) : "memory");
}

template <class T>
static __device__ __forceinline__ letter<T> letter_look(const letter<T> *p, unsigned number)
{
    letter<T> v;
    (void)number;
    if constexpr (sizeof(T) == 8)
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(v.half[0]), "=l"(v.half[1])
                     : "l"(p)
                     : "memory");
    else
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v.half[0]) : "l"(p) : "memory");
    return v;
}

#if __CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 4)
#define KNOWS_PARCELS true
static __device__ __forceinline__ void parcel_put(parcel *p, parcel v)
{
    asm volatile("{ .reg .b64 low, high; .reg .b128 all; mov.b64 low, {%1, %2}; "
                 "mov.b64 high, {%3, %4}; mov.b128 all, {low, high}; "
                 "st.relaxed.gpu.global.b128 [%0], all; }" ::"l"(p),
                 "r"(v.part[0]), "r"(v.part[1]), "r"(v.part[2]), "r"(v.number)
                 : "memory");
}

static __device__ __forceinline__ parcel parcel_look(const parcel *p, unsigned number)
{
    parcel v;
    (void)number;
    asm volatile("{ .reg .b64 low, high; .reg .b128 all; ld.relaxed.gpu.global.b128 all, [%4]; "
                 "mov.b128 {low, high}, all; mov.b64 {%0, %1}, low; mov.b64 {%2, %3}, high; }"
                 : "=r"(v.part[0]), "=r"(v.part[1]), "=r"(v.part[2]), "=r"(v.number)
                 : "l"(p)
                 : "memory");
    return v;
}
#else
#define KNOWS_PARCELS false
static __device__ __forceinline__ void parcel_put(parcel *, parcel)
{
    __trap();
}
static __device__ __forceinline__ parcel parcel_look(const parcel *, unsigned)
{
    __trap();
    return parcel{};
}
#endif

static __device__ __forceinline__ void letter_tell(letter<unsigned> *p, unsigned word,
                                                   unsigned number)
{
    asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(p),
                 "l"(letter_of(word, number).half[0])
                 : "memory");
}

static __device__ __forceinline__ void tally_add(unsigned *p)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(p) : "memory");
}

static __device__ __forceinline__ bool tally_look(const unsigned *p, unsigned least)
{
    unsigned now;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(p) : "memory");
    return now >= least;
}

static __device__ __forceinline__ void tally_wait(const unsigned *p, unsigned least)
{
    for (unsigned looks = 0; !tally_look(p, least);)
        lose_patience(&looks);
}

template <int barrier, int threads> static __device__ __forceinline__ void some_sync(void)
{
    __syncwarp(); /* its lanes may come one by one */
    asm volatile("bar.sync %0, %1;" ::"n"(barrier), "n"(threads) : "memory");
}

/* The instruction is that of some_sync(); that no one place was promised is noted beside it, where
 * compute-sanitizer looks. */
template <int barrier, int threads> static __device__ __forceinline__ void scattered_sync(void)
{
    __syncwarp();
    asm volatile("barrier.sync %0, %1;" ::"n"(barrier), "n"(threads) : "memory");
}

template <int had, int has> static __device__ __forceinline__ void registers_between(void)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    if constexpr (has > had)
        asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(has));
    else if constexpr (has < had)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(has));
#endif
}

static __device__ __forceinline__ int anew(int x)
{
    asm volatile("" : "+r"(x));
    return x;
}

static __device__ __forceinline__ void matrix_16x8x8(double *c, double a0, double a1, double a2,
                                                     double a3, double b0, double b1)
{
    REPRISE_PURE("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a0), "d"(a1), "d"(a2), "d"(a3), "d"(b0), "d"(b1));
}

static __device__ __forceinline__ void matrix_16x8x16(double *c, const double *a, const double *b)
{
    REPRISE_PURE("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),
                   "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
}

static __device__ __forceinline__ void bulk_ahead(const void *global, unsigned bytes)
{
    REPRISE_BULK("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(global), "r"(bytes) : "memory");
}

static __device__ __forceinline__ double2 table_look(const double2 *p)
{
    double2 v;
    asm volatile("ld.global.nc.v2.f64 {%0, %1}, [%2];" : "=d"(v.x), "=d"(v.y) : "l"(p));
    return v;
}
#endif

static __device__ __forceinline__ bool word_there(double x)
{
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    return bits != ~0ull;
}

static __device__ __forceinline__ bool word_there(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    return bits != ~0u;
}

static __device__ __forceinline__ bool message_there(double2 v)
{
    return word_there(v.x) && word_there(v.y);
}

static __device__ __forceinline__ bool message_there(float4 v)
{
    return word_there(v.x) && word_there(v.y) && word_there(v.z) && word_there(v.w);
}

static __device__ __forceinline__ double2 message_none(void)
{
    double2 v;
    memset(&v, 0xff, sizeof v);
    return v;
}

template <class T> static __device__ __forceinline__ T as_word(T x)
{
    return isnan(x) ? (T)NAN : x;
}

static __device__ __forceinline__ void message_put(double2 *p, double2 v)
{
    relaxed_write(p, double2{as_word(v.x), as_word(v.y)});
}

static __device__ __forceinline__ void message_put(float4 *p, float4 v)
{
    relaxed_write(p, float4{as_word(v.x), as_word(v.y), as_word(v.z), as_word(v.w)});
}

template <class T> static __device__ __forceinline__ void message_clear(T *p)
{
    T none;
    memset(&none, 0xff, sizeof none);
    relaxed_write(p, none);
}
