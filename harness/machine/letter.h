/*
 * A letter between blocks, where a place is written again and again: 4 or 8 bytes and the number of
 * the time. Each 4 of the bytes travel with the number in a word of their own, so that it does not
 * matter whether all words come at once. async.h puts letters and looks at them. What
 * device_alloc() gives has no number below 2^32 - 1.
 *
 * A parcel is 12 bytes and a number. It comes as a whole: 16 bytes that are one word are read and
 * written at once by every card from capability 7.0 on.
 */
#pragma once
#include <cuda_runtime.h>

#include <string.h>

template <class T> struct alignas(2 * sizeof(T)) letter {
    unsigned long long half[sizeof(T) / 4];
};

struct alignas(16) parcel {
    unsigned part[3], number;
};

template <class T> static __device__ __forceinline__ letter<T> letter_of(T word, unsigned number)
{
    enum { HALVES = sizeof(T) / 4 };
    unsigned part[HALVES];
    letter<T> v;
    memcpy(part, &word, sizeof part);
    for (int k = 0; k < HALVES; k++)
        v.half[k] = (unsigned long long)number << 32 | part[k];
    return v;
}

template <class T> static __device__ __forceinline__ bool letter_there(letter<T> v, unsigned number)
{
    bool there = true;
    for (unsigned long long half : v.half)
        there = there && (unsigned)(half >> 32) == number;
    return there;
}

template <class T> static __device__ __forceinline__ T letter_word(letter<T> v)
{
    enum { HALVES = sizeof(T) / 4 };
    unsigned part[HALVES];
    T word;
    for (int k = 0; k < HALVES; k++)
        part[k] = (unsigned)v.half[k];
    memcpy(&word, part, sizeof word);
    return word;
}
