/*
 * What kernels of several ranks tell each other without a launch in between, in memory that all of
 * them reach (ranks_share). As those of async.h, but seen from card to card; the kernels are on
 * their cards at once, since each rank launches its own without waiting for a host.
 *
 *   letter_send(p, word, number)   to a place on any card; letters are looked at on one's own
 *   letter_arrived(p, number)      as letter_look()
 *   signal_send(p, number)         who waits for it sees all that this thread did or knew before,
 *                                  which behind a barrier is all that its block did, on any card
 *   signal_wait(p, least)          until an int that grows is so much; it begins as -1, since
 *                                  ranks_share() fills what it gives
 */
#pragma once
#include "machine/async.h"

#ifdef REPRISE_EMULATED

template <class T> static inline void letter_send(letter<T> *p, T word, unsigned number)
{
    letter_put(p, word, number);
}
template <class T>
static inline letter<T> letter_arrived(const letter<T> *p, unsigned number,
                                       int line = __builtin_LINE())
{
    return letter_look(p, number, line);
}
static inline void signal_send(int *p, int number)
{
    __atomic_store_n(p, number, __ATOMIC_RELEASE);
    emulated::message_sent();
}
static inline void signal_wait(const int *p, int least, int line = __builtin_LINE())
{
    while (__atomic_load_n(p, __ATOMIC_ACQUIRE) < least) {
        const emulated::keep_thread kept;
        emulated::look_in_vain(line);
    }
}

#else

template <class T>
static __device__ __forceinline__ void letter_send(letter<T> *p, T word, unsigned number)
{
    const letter<T> v = letter_of(word, number);
    if constexpr (sizeof(T) == 8)
        asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};" ::"l"(p), "l"(v.half[0]),
                     "l"(v.half[1])
                     : "memory");
    else
        asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(p), "l"(v.half[0]) : "memory");
}

template <class T>
static __device__ __forceinline__ letter<T> letter_arrived(const letter<T> *p, unsigned number)
{
    letter<T> v;
    (void)number;
    if constexpr (sizeof(T) == 8)
        asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(v.half[0]), "=l"(v.half[1])
                     : "l"(p)
                     : "memory");
    else
        asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(v.half[0]) : "l"(p) : "memory");
    return v;
}

static __device__ __forceinline__ void signal_send(int *p, int number)
{
    asm volatile("fence.acq_rel.sys; st.relaxed.sys.global.s32 [%0], %1;" ::"l"(p), "r"(number)
                 : "memory");
}

static __device__ __forceinline__ void signal_wait(const int *p, int least)
{
    for (unsigned looks = 0;; lose_patience(&looks)) {
        int now;
        asm volatile("ld.acquire.sys.global.s32 %0, [%1];" : "=r"(now) : "l"(p) : "memory");
        if (now >= least)
            return;
    }
}

#endif
