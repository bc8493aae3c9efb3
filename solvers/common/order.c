/*
 * An array kept row by row, in tiles, into the order of the unknowns.
 */
#include "order.h"

enum { TILE = 32 };     /* tiles stay in the first cache with all their lines */
enum { FEW = 1 << 15 }; /* values, which one core has moved before all have begun */

#define NATURAL_ORDER(real, to, from)                                                              \
    _Pragma("omp parallel for schedule(static) if (r * s > FEW)") for (size_t m0 = 0; m0 < r;      \
                                                                       m0 += TILE)                 \
    {                                                                                              \
        const size_t m1 = m0 + TILE < r ? m0 + TILE : r;                                           \
        for (size_t k0 = 0; k0 < s; k0 += TILE) {                                                  \
            const size_t k1 = k0 + TILE < s ? k0 + TILE : s;                                       \
            for (size_t m = m0; m < m1; m++)                                                       \
                for (size_t k = k0; k < k1; k++)                                                   \
                    ((real *)(to))[m * s + k] = ((const real *)(from))[k * r + m];                 \
        }                                                                                          \
    }

void natural_order(void *to, const void *from, size_t size, size_t r, size_t s)
{
    if (size == sizeof(double)) {
        NATURAL_ORDER(double, to, from)
    } else {
        NATURAL_ORDER(float, to, from)
    }
}
