/*
 * The inputs f_k of the problems, k = 1..n. C and kernels share this file, so that a GPU draws what
 * the host draws.
 */
#pragma once
#include <stddef.h>

#include "base/random.h"

enum f_code { F_IMPULSE, F_ONE, F_INDEX, F_TERNARY, F_RECIPROCAL, F_RANDOM, F_INPUT };

/* f_k for k = i + 1; `input` is the user's array, of which only F_INPUT reads. ternary: -1, 0 or 1;
 * random: [-1, 1). */
HOST_DEVICE double input_at(int code, uint64_t seed, double amplitude, const double *input,
                            size_t i)
{
    switch (code) {
    case F_IMPULSE:
        return i == 0 ? amplitude : 0;
    case F_ONE:
        return amplitude;
    case F_INDEX:
        return amplitude * (double)(i + 1);
    case F_TERNARY:
        return amplitude * (double)((int)(bits_at(seed, i) % 3) - 1);
    case F_RECIPROCAL:
        return amplitude / (double)(i + 1);
    case F_RANDOM:
        return amplitude * (2 * uniform_at(seed, i) - 1);
    default:
        return amplitude * input[i];
    }
}
