/*
 * An array kept row by row, in tiles, into the order of the unknowns.
 */
#include "order.h"

#include <stdbool.h>

#include "machine/threads.h"

enum { TILE = 32 };     /* tiles stay in the first cache with all their lines */
enum { FEW = 1 << 15 }; /* values, which one core has moved before all have begun */

#define NATURAL_ORDER(real)                                                                        \
    _Pragma("omp parallel for schedule(static) if (cores)") for (size_t m0 = 0; m0 < r;            \
                                                                 m0 += TILE)                       \
    {                                                                                              \
        const size_t m1 = m0 + TILE < r ? m0 + TILE : r;                                           \
        for (size_t k0 = 0; k0 < s; k0 += TILE) {                                                  \
            const size_t k1 = k0 + TILE < s ? k0 + TILE : s;                                       \
            for (size_t m = m0; m < m1; m++)                                                       \
                for (size_t k = k0; k < k1; k++)                                                   \
                    ((real *)to)[m * s + k] = ((const real *)from)[k * r + m];                     \
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
