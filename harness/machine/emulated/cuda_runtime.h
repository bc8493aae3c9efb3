/*
 * CUDA's kernel-side names for an ordinary C++17 compiler, found before the real header by
 * -I harness/machine/emulated; runtime.cpp and scheduler.cpp run the kernels. A kernel sees the
 * same order of operations as on a GPU, so results agree bit for bit where no contraction, no libm
 * and no floating-point atomics are in play.
 * Left out: __shared__ and <<<>>> (see launch.h), spinning on plain or volatile memory, streams,
 * inline PTX, launches from several host threads at once.
 */
#pragma once
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tuple>
#include <type_traits>

#ifndef REPRISE_EMULATED
#define REPRISE_EMULATED 1
#endif

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
/* A sanitizer's checks in one long function take a compiler three times as long. */
#ifdef __SANITIZE_ADDRESS__
#define __forceinline__ inline
#else
#define __forceinline__ inline __attribute__((always_inline))
#endif
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

/* Vector types, aligned as CUDA aligns them. */
#define VECTOR(name, bytes, type, ...)                                                             \
    struct alignas(bytes) name {                                                                   \
        type __VA_ARGS__;                                                                          \
    };                                                                                             \
    template <class... Values> constexpr name make_##name(Values... values)                        \
    {                                                                                              \
        return {static_cast<type>(values)...};                                                     \
    }
VECTOR(int2, 8, int, x, y)
VECTOR(int3, 4, int, x, y, z)
VECTOR(int4, 16, int, x, y, z, w)
VECTOR(uint2, 8, unsigned, x, y)
VECTOR(uint3, 4, unsigned, x, y, z)
VECTOR(uint4, 16, unsigned, x, y, z, w)
VECTOR(float2, 8, float, x, y)
VECTOR(float3, 4, float, x, y, z)
VECTOR(float4, 16, float, x, y, z, w)
VECTOR(double2, 16, double, x, y)
VECTOR(double3, 8, double, x, y, z)
#undef VECTOR

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
};

namespace emulated
{

/* What a thread can wait at; the scheduler has the names. */
enum operation { NOTHING, BARRIER, GRID_SYNC, SYNCWARP, SHUFFLE, UP, DOWN, XOR, BALLOT, ANY, ALL };

struct how {
    bool together;    /* each block on an OS thread of its own */
    bool cooperative; /* may call grid_sync() */
    bool early;       /* has to call await_previous() */
};

struct launch {
    const char *kernel; /* as written in the source */
    dim3 grid, block;
    size_t shared; /* bytes */
    how as;
    /* One of the two: a whole block as a plain loop, or one thread, to be run on a fiber. */
    void (*run_block)(const launch &of, uint3 block, bool descending);
    void (*run_thread)(const launch &of, uint3 block, uint3 thread);
    const void *arguments; /* a tuple, known to the two functions */
};

void run(const launch &asked); /* back when all blocks are done; failures: device_launched() */

/* What a kernel calls; none of them comes back if the block cannot go on. */
int barrier(operation kind, bool predicate, int line); /* count of true predicates */
uint64_t warp(operation kind, unsigned mask, uint64_t value, int source, int line);
[[noreturn]] void not_awaited(void);
void give_way(void); /* a compare-and-swap lost: let the block's other threads run */
void *shared_array(const void *key, size_t bytes); /* the block's own; made at the first call */
void *dynamic_shared(void);
unsigned blocks_at_once(size_t shared);

/* Each file that is compiled has its own, so what uses them is no function that files share.
 * Separate scalars whose address nobody takes: a vectoriser then knows that stores cannot change
 * them. They belong to the OS thread, so a fiber puts its own back after it has waited. */
static thread_local unsigned thread_x, thread_y, thread_z;
static thread_local unsigned block_x, block_y, block_z;
static thread_local unsigned threads_x, threads_y, threads_z;
static thread_local unsigned blocks_x, blocks_y, blocks_z;
static thread_local bool awaited; /* a thread of the block has waited for the kernel before */

struct keep_thread { /* inlined always: the coordinates are this file's */
    const unsigned x, y, z;
    __forceinline__ keep_thread() : x(thread_x), y(thread_y), z(thread_z)
    {
    }
    __forceinline__ ~keep_thread()
    {
        thread_x = x;
        thread_y = y;
        thread_z = z;
    }
};

static inline unsigned lane(void)
{
    return (thread_x + threads_x * (thread_y + threads_y * thread_z)) & 31;
}

static inline void enter(const launch &of, uint3 block)
{
    block_x = block.x;
    block_y = block.y;
    block_z = block.z;
    threads_x = of.block.x;
    threads_y = of.block.y;
    threads_z = of.block.z;
    blocks_x = of.grid.x;
    blocks_y = of.grid.y;
    blocks_z = of.grid.z;
    awaited = !of.as.early;
}

/* The kernel is a template argument, so that it is inlined into the loop over the threads. */
template <auto Kernel, class... Parameters> struct caller {
    launch of;

    void operator()(Parameters... arguments)
    {
        const std::tuple<Parameters...> list(arguments...);
        of.arguments = &list;
        run(of);
    }

    __attribute__((flatten)) static void run_block(const launch &of, uint3 block, bool descending)
    {
        enter(of, block);
        std::apply(
            [&](Parameters... arguments) {
                const unsigned nx = of.block.x, ny = of.block.y, nz = of.block.z;
                if (descending) {
                    for (unsigned i = nx * ny * nz; i-- > 0;) {
                        thread_x = i % nx;
                        thread_y = i / nx % ny;
                        thread_z = i / nx / ny;
                        Kernel(arguments...);
                    }
                    return;
                }
                for (unsigned z = 0; z < nz; z++)
                    for (unsigned y = 0; y < ny; y++)
                        for (unsigned x = 0; x < nx; x++) {
                            thread_x = x;
                            thread_y = y;
                            thread_z = z;
                            Kernel(arguments...);
                        }
            },
            *static_cast<const std::tuple<Parameters...> *>(of.arguments));
        if (!awaited)
            not_awaited();
    }

    static void run_thread(const launch &of, uint3 block, uint3 thread)
    {
        enter(of, block);
        thread_x = thread.x;
        thread_y = thread.y;
        thread_z = thread.z;
        std::apply(Kernel, *static_cast<const std::tuple<Parameters...> *>(of.arguments));
        if (!awaited)
            not_awaited();
    }
};

template <auto Kernel, class... Parameters>
caller<Kernel, Parameters...> with_loop(void (*)(Parameters...), const char *name, dim3 grid,
                                        dim3 block, bool early)
{
    using self = caller<Kernel, Parameters...>;
    return {{name, grid, block, 0, {false, false, early}, self::run_block, nullptr, nullptr}};
}

template <auto Kernel, class... Parameters>
caller<Kernel, Parameters...> with_fibers(void (*)(Parameters...), const char *name, dim3 grid,
                                          dim3 block, size_t shared, const how &as)
{
    using self = caller<Kernel, Parameters...>;
    return {{name, grid, block, shared, as, nullptr, self::run_thread, nullptr}};
}

template <class T>
static inline T shuffle(operation kind, unsigned mask, T value, unsigned source, int line)
{
    static_assert(sizeof value <= 8 && std::is_trivially_copyable<T>::value, "8 bytes at most");
    const keep_thread kept;
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = warp(kind, mask, bits, (int)source, line);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline unsigned vote(operation kind, unsigned mask, bool predicate, int line)
{
    const keep_thread kept;
    return (unsigned)warp(kind, mask, predicate, -1, line);
}

template <class T> using same = std::common_type_t<T>;

/* An atomic read, change and write; relaxed, as CUDA's atomics are. */
template <class T, class Change> T update(T *at, Change change)
{
    T old, wanted;
    __atomic_load(at, &old, __ATOMIC_RELAXED);
    do
        wanted = change(old);
    while (
        !__atomic_compare_exchange(at, &old, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}

template <class T, class... Others> constexpr bool one_of = (std::is_same<T, Others>::value || ...);
template <class T> constexpr bool atomic_word = one_of<T, int, unsigned, unsigned long long>;

/* Keeps a product or sum out of contraction with its neighbours; clang has a pragma for it. */
template <class T> inline T apart(T x)
{
#if defined(__clang__)
    return x;
#elif defined(__has_builtin) && __has_builtin(__builtin_assoc_barrier)
    return __builtin_assoc_barrier(x);
#else
    volatile T kept = x;
    return kept;
#endif
}

/* x after a step towards zero, if there is one to make; infinity becomes the largest number. */
static inline float inwards(float x, bool step)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits -= step;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

} // namespace emulated

#define threadIdx                                                                                  \
    (uint3{emulated::thread_x, emulated::thread_y, emulated::thread_z}) /* not assignable */
#define blockIdx (uint3{emulated::block_x, emulated::block_y, emulated::block_z})
#define blockDim (dim3(emulated::threads_x, emulated::threads_y, emulated::threads_z))
#define gridDim  (dim3(emulated::blocks_x, emulated::blocks_y, emulated::blocks_z))
static constexpr int warpSize = 32;

/* The kernel stands twice: once as a constant and once to deduce the parameters from. */
#define CODE_OF(kernel) ((void)(kernel), 0) /* the program itself is its code */
#define LAUNCH_NB(kernel, grid, block)                                                             \
    emulated::with_loop<kernel>(kernel, #kernel, (grid), (block), false)
#define LAUNCH_NB_EARLY(kernel, grid, block)                                                       \
    emulated::with_loop<kernel>(kernel, #kernel, (grid), (block), true)
#define LAUNCH(kernel, grid, block, shared)                                                        \
    emulated::with_fibers<kernel>(kernel, #kernel, (grid), (block), (shared), {})
#define LAUNCH_EARLY(kernel, grid, block, shared)                                                  \
    emulated::with_fibers<kernel>(kernel, #kernel, (grid), (block), (shared), {false, false, true})
#define LAUNCH_COOP(kernel, grid, block, shared)                                                   \
    emulated::with_fibers<kernel>(kernel, #kernel, (grid), (block), (shared), {true, true, false})
#define LAUNCH_TOGETHER(kernel, grid, block, shared)                                               \
    emulated::with_fibers<kernel>(kernel, #kernel, (grid), (block), (shared), {true, false, false})

/* Kernels run one after another here; but one that forgets to wait is found out. */
static inline void await_previous(void)
{
    emulated::awaited = true;
}

#define ALLOW_SHARED(kernel, shared) ((void)(kernel), (void)(shared))
#define UNROLLED(...)                for (__VA_ARGS__)
#define ROLLED(...)                  for (__VA_ARGS__)
#define CALLED                       __attribute__((noinline))
#define MULTIPROCESSORS              emulated::blocks_at_once(0)
#define BLOCKS_AT_ONCE(kernel, threads, shared)                                                    \
    ((void)(kernel), (void)(threads), emulated::blocks_at_once(shared))
#define BLOCKS_TOGETHER(kernel, threads, shared) BLOCKS_AT_ONCE(kernel, threads, shared)
#define OCCUPANCY(kernel, threads, shared)                                                         \
    ((void)(kernel), (void)(threads), (void)(shared), (double)NAN)

/* The address of a static variable is the array's key: one for each instance of a template. */
#define SHARED(type, name, shape)                                                                  \
    typedef type name##_array shape;                                                               \
    static char name##_key;                                                                        \
    name##_array &name =                                                                           \
        *static_cast<name##_array *>(emulated::shared_array(&name##_key, sizeof(name##_array)))
#define DYNAMIC_SHARED(type, name) type *const name = (type *)emulated::dynamic_shared()

/* Barriers. The line is where the call stands, for the reports. */
static inline void __syncthreads(int line = __builtin_LINE())
{
    const emulated::keep_thread kept;
    emulated::barrier(emulated::BARRIER, false, line);
}
static inline int __syncthreads_count(int predicate, int line = __builtin_LINE())
{
    const emulated::keep_thread kept;
    return emulated::barrier(emulated::BARRIER, predicate != 0, line);
}
static inline int __syncthreads_or(int predicate, int line = __builtin_LINE())
{
    return __syncthreads_count(predicate, line) != 0;
}
static inline int __syncthreads_and(int predicate, int line = __builtin_LINE())
{
    return __syncthreads_count(predicate == 0, line) == 0;
}
static inline void grid_sync(int line = __builtin_LINE())
{
    const emulated::keep_thread kept;
    emulated::barrier(emulated::GRID_SYNC, false, line);
}
static inline void __threadfence(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
static inline void __threadfence_block(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Warp operations, with PTX's rules for groups of `width` lanes. */
static inline void __syncwarp(unsigned mask = 0xffffffffu, int line = __builtin_LINE())
{
    emulated::vote(emulated::SYNCWARP, mask, false, line);
}
template <class T>
static inline T __shfl_sync(unsigned mask, T value, int from, int width = 32,
                            int line = __builtin_LINE())
{
    const unsigned in_group = (unsigned)width - 1;
    const unsigned source = (emulated::lane() & ~in_group) | ((unsigned)from & in_group);
    return emulated::shuffle(emulated::SHUFFLE, mask, value, source, line);
}
template <class T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32,
                               int line = __builtin_LINE())
{
    const unsigned own = emulated::lane(), in_group = own & ((unsigned)width - 1);
    const unsigned source = in_group >= (by & 31) ? own - (by & 31) : own;
    return emulated::shuffle(emulated::UP, mask, value, source, line);
}
template <class T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32,
                                 int line = __builtin_LINE())
{
    const unsigned own = emulated::lane(), last = own | ((unsigned)width - 1);
    const unsigned source = own + (by & 31) <= last ? own + (by & 31) : own;
    return emulated::shuffle(emulated::DOWN, mask, value, source, line);
}
template <class T>
static inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32,
                                int line = __builtin_LINE())
{
    const unsigned own = emulated::lane(), last = own | ((unsigned)width - 1);
    const unsigned other = own ^ ((unsigned)bits & 31);
    return emulated::shuffle(emulated::XOR, mask, value, other <= last ? other : own, line);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate, int line = __builtin_LINE())
{
    return emulated::vote(emulated::BALLOT, mask, predicate != 0, line);
}
static inline int __any_sync(unsigned mask, int predicate, int line = __builtin_LINE())
{
    return emulated::vote(emulated::ANY, mask, predicate != 0, line) != 0;
}
static inline int __all_sync(unsigned mask, int predicate, int line = __builtin_LINE())
{
    return emulated::vote(emulated::ALL, mask, predicate == 0, line) == 0;
}

/* Atomics, for the types that CUDA has. Only the first argument decides on the type. */
template <class T> T atomicAdd(T *at, emulated::same<T> value)
{
    static_assert(emulated::atomic_word<T> || std::is_floating_point<T>::value, "not in CUDA");
    if constexpr (std::is_integral<T>::value)
        return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
    else
        return emulated::update(at, [=](T old) { return old + value; });
}
template <class T> T atomicMax(T *at, emulated::same<T> value)
{
    static_assert(emulated::atomic_word<T> || emulated::one_of<T, long long>, "not in CUDA");
    return emulated::update(at, [=](T old) { return old > value ? old : value; });
}
template <class T> T atomicMin(T *at, emulated::same<T> value)
{
    static_assert(emulated::atomic_word<T> || emulated::one_of<T, long long>, "not in CUDA");
    return emulated::update(at, [=](T old) { return old < value ? old : value; });
}
template <class T> T atomicExch(T *at, emulated::same<T> value)
{
    static_assert(emulated::atomic_word<T> || emulated::one_of<T, float>, "not in CUDA");
    return emulated::update(at, [=](T) { return value; });
}
template <class T>
static inline T atomicCAS(T *at, emulated::same<T> expected, emulated::same<T> value)
{
    static_assert(emulated::atomic_word<T>, "not in CUDA");
    T old = expected;
    if (!__atomic_compare_exchange(at, &old, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        const emulated::keep_thread kept;
        emulated::give_way();
    }
    return old;
}

/* sin and cos of pi x. */
static inline void sincospi(double x, double *sine, double *cosine)
{
    sincos(3.14159265358979323846 * x, sine, cosine);
}

/* Arithmetic. The _rn forms are never fused with a neighbour, here as on a GPU. */
#ifdef __clang__
#define APART _Pragma("clang fp contract(off)")
#else
#define APART
#endif
#define ROUNDED(name, type, formula)                                                               \
    static inline type name(type a, type b)                                                        \
    {                                                                                              \
        APART return formula;                                                                      \
    }
ROUNDED(__fmul_rn, float, emulated::apart((a) * (b)))
ROUNDED(__dmul_rn, double, emulated::apart((a) * (b)))
ROUNDED(__fadd_rn, float, emulated::apart(a) + emulated::apart(b))
ROUNDED(__dadd_rn, double, emulated::apart(a) + emulated::apart(b))
ROUNDED(__fsub_rn, float, emulated::apart(a) - emulated::apart(b))
ROUNDED(__dsub_rn, double, emulated::apart(a) - emulated::apart(b))
#undef ROUNDED
static inline float __fmaf_rn(float a, float b, float c)
{
    return fmaf(a, b, c);
}
static inline double __fma_rn(double a, double b, double c)
{
    return fma(a, b, c);
}
static inline float __fmul_rz(float a, float b)
{
    const double exact = (double)a * (double)b; /* 48 digits, and no exponent is out of range */
    const float near = (float)exact;
    return emulated::inwards(near, fabs((double)near) > fabs(exact));
}
static inline float __fadd_rz(float a, float b)
{
    APART
    /* sum + rest is exact (Knuth), but where the sum is infinite and the rest is NaN. */
    const double x = (double)emulated::apart(a), y = (double)emulated::apart(b);
    const double sum = x + y, of_y = sum - x;
    const double rest = (x - (sum - of_y)) + (y - of_y);
    const float near = (float)sum;
    const double excess = fabs((double)near) - fabs(sum);
    const bool beyond = excess > 0 || (excess == 0 && (sum > 0 ? rest < 0 : rest > 0));
    return emulated::inwards(near, beyond);
}
#undef APART

/* min and max as in CUDA: the wider type decides, and a NaN gives way to a number. */
template <class A, class B> inline std::common_type_t<A, B> min(A a, B b)
{
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point<T>::value)
        return std::fmin((T)a, (T)b);
    else
        return (T)b < (T)a ? (T)b : (T)a;
}
template <class A, class B> inline std::common_type_t<A, B> max(A a, B b)
{
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point<T>::value)
        return std::fmax((T)a, (T)b);
    else
        return (T)a < (T)b ? (T)b : (T)a;
}
/* sinpi and the like are behind macros, because newer C libraries have such functions. */
namespace emulated
{
static inline double sinpi(double x) /* exact at multiples of a half, as in CUDA */
{
    const double whole = nearbyint(x), part = x - whole;
    const double value = sin(part * 3.14159265358979323846);
    if (part == 0)
        return copysign(0.0, x);
    return fmod(whole, 2) == 0 ? value : -value;
}
static inline double cospi(double x)
{
    return sinpi(0.5 - fmod(fabs(x), 2)) + 0.0; /* never -0 */
}
static inline void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}
} // namespace emulated
#define sinpi(x)                  emulated::sinpi(x)
#define cospi(x)                  emulated::cospi(x)
#define sincospi(x, sine, cosine) emulated::sincospi(x, sine, cosine)
#define rsqrt(x)                  (1.0 / sqrt((double)(x)))
#define rsqrtf(x)                 (1.0f / sqrtf(x))

static inline long long __double_as_longlong(double x)
{
    long long bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
template <class T> inline T __ldg(const T *at)
{
    return *at;
}
