/*
 * What a kernel tells the host while it runs, by words of page-locked memory with the number of the
 * launch: a copy would begin when the kernel has ended, and the host would know later still.
 */
#pragma once
#include "machine/async.h"

#include "../common/kernels.h"

template <class T> struct told {
    enum { WORDS = sizeof(T) / sizeof(unsigned) };
    static_assert(sizeof(T) % sizeof(unsigned) == 0, "told by words");
    letter<unsigned> *words; /* host, page-locked, [WORDS] */
    unsigned launch;         /* from 1 on */
};

/* By one thread. */
template <class T> static __device__ __forceinline__ void tell(const told<T> &to, const T &p)
{
    unsigned words[told<T>::WORDS];
    memcpy(words, &p, sizeof p);
    UNROLLED (int k = 0; k < told<T>::WORDS; k++)
        letter_tell(to.words + k, words[k], to.launch);
}

template <class T> static inline void take_told(struct memory *owner, told<T> *to)
{
    take_locked(owner, &to->words, told<T>::WORDS);
}

/* Waits for it, and where that takes some milliseconds, for the device. */
template <class T> static inline enum status hear(const told<T> &from, T *to)
{
    enum { LOOKS = 100000 };
    unsigned words[told<T>::WORDS];
    bool waited = false;
    for (int looks = 0;; looks++) {
        bool all = true;
        for (int k = 0; k < told<T>::WORDS; k++) {
            const unsigned long long word =
                __atomic_load_n(&from.words[k].half[0], __ATOMIC_RELAXED);
            words[k] = (unsigned)word;
            all = all && (unsigned)(word >> 32) == from.launch;
        }
        if (all) {
            memcpy(to, words, sizeof words);
            return OK;
        }
        if (waited)
            return because(ERR_DEVICE, "a kernel ended and has not told how far it is");
        if (looks == LOOKS) {
            const enum status status = device_sync();
            if (status != OK)
                return status;
            waited = true;
        }
    }
}
