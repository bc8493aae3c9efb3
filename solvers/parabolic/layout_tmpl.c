/*
 * Between the natural order and the order in which kernels keep the field. In C, because kernel
 * files are compiled without OpenMP.
 */
#include "layout.h"

void P(parabolic_split)(const struct parabolic *p, const struct layout *l, real *field)
{
    const size_t n = l->n;
#pragma omp parallel for schedule(static)
    for (size_t j = 1; j <= n; j++)
        for (size_t i = 1; i <= n; i++)
            field[layout_index(l, i, j)] = (real)parabolic_initial(p, i, j);
}

enum { FEW = 180 }; /* points per side, which one core has moved before all have begun */

void P(parabolic_merge)(const struct layout *l, const real *field, real *to)
{
    const size_t n = l->n, step = l->separated ? 1 : 2;
#pragma omp parallel for schedule(static) if (n > FEW)
    for (size_t j = 1; j <= n; j++)
        for (size_t first = 1; first <= 2 && first <= n; first++) {
            const real *from = field + layout_index(l, first, j);
            real *row = to + (j - 1) * n;
            for (size_t i = first; i <= n; i += 2, from += step)
                row[i - 1] = *from;
        }
}
