/*
 * The one source of random data: a value depends on seed and index alone, so that the host, a GPU
 * and any number of threads draw the same ones in any order.
 */
#pragma once
#include <stdint.h>

#ifdef __cplusplus
#define HOST_DEVICE static inline __host__ __device__ /* kernels include cuda_runtime.h first */
#else
#define HOST_DEVICE static inline
#endif

/* 64 random bits, by SplitMix64's mixing. */
HOST_DEVICE uint64_t bits_at(uint64_t seed, uint64_t index)
{
    uint64_t z = seed * UINT64_C(0xd1342543de82ef95) + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A random number in [0, 1). */
HOST_DEVICE double uniform_at(uint64_t seed, uint64_t index)
{
    return (double)(bits_at(seed, index) >> 11) * 0x1p-53;
}
