/*
 * The emulated side of machine/async.h; async.cpp keeps the copies that are under way.
 */
#pragma once
#include <cuda_runtime.h>

#include "machine/letter.h"

struct arrival {
    uint64_t word;
};

namespace emulated
{

void make_arrival(uint64_t *word, int count, int line);
void arrive(const uint64_t *word, unsigned bytes, int line); /* that are expected */
void await_arrival(const uint64_t *word, int parity, int line);
void begin_load(void *shared, const void *global, unsigned bytes, const uint64_t *word, int line);
void begin_store(void *global, const void *shared, unsigned bytes, int line);
void fence(void);
void end_stores(unsigned left, bool written, int line); /* or only read */
void message_sent(void);
void look_in_vain(int line); /* at a message: others take their turns, and patience ends */

} // namespace emulated

#define KNOWS_BULK(kernel) ((void)(kernel), true)

/* message_look() has seen to it. */
static inline void lose_patience(unsigned *looks)
{
    ++*looks;
}

static inline void arrival_make(arrival *b, int count, int line = __builtin_LINE())
{
    emulated::make_arrival(&b->word, count, line);
}
static inline void arrivals_made(void)
{
}
static inline void arrival_arrive(arrival *b, int line = __builtin_LINE())
{
    emulated::arrive(&b->word, 0, line);
}
static inline void arrival_expect(arrival *b, unsigned bytes, int line = __builtin_LINE())
{
    emulated::arrive(&b->word, bytes, line);
}
static inline void arrival_wait(arrival *b, int parity, int line = __builtin_LINE())
{
    const emulated::keep_thread kept;
    emulated::await_arrival(&b->word, parity, line);
}
static inline void bulk_load(void *shared, const void *global, unsigned bytes, arrival *b,
                             int line = __builtin_LINE())
{
    emulated::begin_load(shared, global, bytes, &b->word, line);
}
static inline void bulk_load_once(void *shared, const void *global, unsigned bytes, arrival *b,
                                  int line = __builtin_LINE())
{
    bulk_load(shared, global, bytes, b, line);
}
static inline void bulk_load_kept(void *shared, const void *global, unsigned bytes, arrival *b,
                                  int line = __builtin_LINE())
{
    bulk_load(shared, global, bytes, b, line);
}
static inline void bulk_store(void *global, const void *shared, unsigned bytes,
                              int line = __builtin_LINE())
{
    emulated::begin_store(global, shared, bytes, line);
}
static inline void bulk_fence(void)
{
    emulated::fence();
}
static inline void bulk_fence_device(void)
{
}
template <int left> static inline void bulk_stored(int line = __builtin_LINE())
{
    emulated::end_stores(left, false, line);
}
static inline void bulk_done(int line = __builtin_LINE())
{
    emulated::end_stores(0, true, line);
}

/* Word by word: that a message is whole is not promised. */
template <class Word, class T> void relaxed_words(T *to, const T *from)
{
    Word word;
    for (size_t i = 0; i < sizeof(T) / sizeof word; i++) {
        __atomic_load((const Word *)from + i, &word, __ATOMIC_RELAXED);
        __atomic_store((Word *)to + i, &word, __ATOMIC_RELAXED);
    }
}
static inline void relaxed_write(double2 *p, double2 v)
{
    relaxed_words<double>(p, &v);
    emulated::message_sent();
}
static inline void relaxed_write(float4 *p, float4 v)
{
    relaxed_words<float>(p, &v);
    emulated::message_sent();
}

template <class T> static inline T message_look(const T *p, int line = __builtin_LINE())
{
    T v;
    relaxed_words<decltype(v.x)>(&v, p);
    if (!message_there(v)) {
        const emulated::keep_thread kept;
        emulated::look_in_vain(line);
    }
    return v;
}
template <class T>
static void message_look_again(T *v, const T *p, bool wanted, int line = __builtin_LINE())
{
    if (wanted)
        *v = message_look(p, line);
}

template <class T> static inline void letter_put(letter<T> *p, T word, unsigned number)
{
    const letter<T> v = letter_of(word, number);
    relaxed_words<unsigned long long>(p, &v);
    emulated::message_sent();
}
template <class T>
static inline letter<T> letter_look(const letter<T> *p, unsigned number,
                                    int line = __builtin_LINE())
{
    letter<T> v;
    relaxed_words<unsigned long long>(&v, p);
    if (!letter_there(v, number)) {
        const emulated::keep_thread kept;
        emulated::look_in_vain(line);
    }
    return v;
}

/* The number is written last and read first: who sees it sees the rest, as long as no later one is
 * put there, for which its readers are waited. */
#define KNOWS_PARCELS true
static inline void parcel_put(parcel *p, parcel v)
{
    for (int k = 0; k < 3; k++)
        __atomic_store_n(&p->part[k], v.part[k], __ATOMIC_RELAXED);
    __atomic_store_n(&p->number, v.number, __ATOMIC_RELEASE);
    emulated::message_sent();
}
static inline parcel parcel_look(const parcel *p, unsigned number, int line = __builtin_LINE())
{
    parcel v;
    v.number = __atomic_load_n(&p->number, __ATOMIC_ACQUIRE);
    for (int k = 0; k < 3; k++)
        v.part[k] = __atomic_load_n(&p->part[k], __ATOMIC_RELAXED);
    if (v.number != number) {
        const emulated::keep_thread kept;
        emulated::look_in_vain(line);
    }
    return v;
}

static inline void letter_tell(letter<unsigned> *p, unsigned word, unsigned number)
{
    letter_put(p, word, number);
}
static inline void tally_add(unsigned *p)
{
    __atomic_fetch_add(p, 1, __ATOMIC_RELEASE);
    emulated::message_sent();
}
static inline void tally_wait(const unsigned *p, unsigned least, int line = __builtin_LINE())
{
    const emulated::keep_thread kept;
    while (__atomic_load_n(p, __ATOMIC_ACQUIRE) < least)
        emulated::look_in_vain(line);
}
template <int, int> static inline void registers_between(void)
{
}
template <int barrier, int threads> static inline void some_sync(int line = __builtin_LINE())
{
    struct door {
        unsigned in, opened; /* both begin with all ones */
    };
    static char key;
    door *const d = (door *)emulated::shared_array(&key, sizeof(door));
    const unsigned opened = d->opened;
    if (++d->in == threads - 1u) {
        d->in = ~0u;
        d->opened++;
        emulated::message_sent();
        return;
    }
    const emulated::keep_thread kept;
    while (d->opened == opened)
        emulated::look_in_vain(line);
}
template <int barrier, int threads> static inline void scattered_sync(int line = __builtin_LINE())
{
    some_sync<barrier, threads>(line);
}

static inline bool tally_look(const unsigned *p, unsigned least, int line = __builtin_LINE())
{
    const bool there = __atomic_load_n(p, __ATOMIC_ACQUIRE) >= least;
    if (!there) {
        const emulated::keep_thread kept;
        emulated::look_in_vain(line);
    }
    return there;
}
static inline int anew(int x)
{
    return x;
}

/* By turns in two places, so that the lanes meet once: who writes for the next call has seen all of
 * this one, and nobody gets to the one after before all have written for the next. */
static inline void matrix_16x8x8(double *c, double a0, double a1, double a2, double a3, double b0,
                                 double b1, int line = __builtin_LINE())
{
    struct exchange {                   /* of a warp, by turns */
        double a[2][16][8], b[2][8][8]; /* b: its columns */
        unsigned char turns[32];
    };
    static char key;
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z, own = emulated::lane();
    const unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    exchange *const w =
        (exchange *)emulated::shared_array(&key, (threads + 31) / 32 * sizeof(exchange)) +
        in_block / 32;
    const unsigned g = own / 4, t = own % 4, turn = (w->turns[own] ^= 1) & 1;
    double(*const a)[8] = w->a[turn], (*const b)[8] = w->b[turn];
    a[g][t] = a0;
    a[g + 8][t] = a1;
    a[g][t + 4] = a2;
    a[g + 8][t + 4] = a3;
    b[g][t] = b0;
    b[g][t + 4] = b1;
    __syncwarp(0xffffffffu, line);
    for (unsigned i = 0; i < 4; i++)
        for (int k = 0; k < 8; k++)
            c[i] = fma(a[g + 8 * (i / 2)][k], b[2 * t + i % 2][k], c[i]);
}
static inline void matrix_16x8x16(double *c, const double *a, const double *b,
                                  int line = __builtin_LINE())
{
    matrix_16x8x8(c, a[0], a[1], a[2], a[3], b[0], b[1], line);
    matrix_16x8x8(c, a[4], a[5], a[6], a[7], b[2], b[3], line);
}
static inline void bulk_ahead(const void *global, unsigned bytes)
{
    (void)global;
    (void)bytes;
}
static inline double2 table_look(const double2 *p)
{
    return *p;
}
