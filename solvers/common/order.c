/*
 * An array kept row by row, in tiles, into the order of the unknowns.
 */
#include "order.h"

#include <stdbool.h>
#include <string.h>

#include "machine/threads.h"

enum { TILE = 32 };
enum { FEW = 1 << 15 }; /* values, which one core has moved before all have begun */

/* Tile by tile through one of odd pitch: rows of `from` that lie a power of two apart share a few
 * places of the first cache, and so are read one after the other. */
#define NATURAL_ORDER(real)                                                                        \
    _Pragma("omp parallel for schedule(static) if (cores)") for (size_t m0 = 0; m0 < r;            \
                                                                 m0 += TILE)                       \
    {                                                                                              \
        real tile[TILE][TILE + 1];                                                                 \
        const size_t high = m0 + TILE < r ? TILE : r - m0;                                         \
        for (size_t k0 = 0; k0 < s; k0 += TILE) {                                                  \
            const size_t wide = k0 + TILE < s ? TILE : s - k0;                                     \
            for (size_t k = 0; k < wide; k++)                                                      \
                for (size_t m = 0; m < high; m++)                                                  \
                    tile[m][k] = ((const real *)from)[(k0 + k) * r + m0 + m];                      \
            for (size_t m = 0; m < high; m++)                                                      \
                memcpy((real *)to + (m0 + m) * s + k0, tile[m], wide * sizeof(real));              \
        }                                                                                          \
    }

static void reorder(void *to, const void *from, size_t size, size_t r, size_t s, bool cores)
{
    if (size == sizeof(double)) {
        NATURAL_ORDER(double)
    } else {
        NATURAL_ORDER(float)
    }
}

void natural_order(void *to, const void *from, size_t size, size_t r, size_t s)
{
    reorder(to, from, size, r, s, r * s > FEW);
}

void natural_order_by_one(void *to, const void *from, size_t size, size_t r, size_t s)
{
    reorder(to, from, size, r, s, r * s * size > FEW_BYTES);
}
