/*
 * Between the natural order and the order in which kernels keep the field. In C, because kernel
 * files are compiled without OpenMP.
 */
#include "layout.h"

void P(parabolic_split)(const struct parabolic *p, const struct layout *l, const struct rows *rows,
                        real *field)
{
    const size_t n = l->n, skipped = rows->low * l->pitch;
#pragma omp parallel for schedule(static)
    for (size_t j = rows->low; j < rows->high; j++)
        for (size_t i = 1; i <= n && j >= 1 && j <= n; i++)
            field[layout_index(l, i, j) - skipped] = (real)parabolic_initial(p, i, j);
}

enum { FEW = 180 }; /* points per side, which one core has moved before all have begun */

void P(parabolic_merge)(const struct layout *l, const struct rows *rows, const real *field,
                        real *to)
{
    const size_t n = l->n, step = l->separated ? 1 : 2, skipped = rows->low * l->pitch;
    const size_t begin = rows_begin(rows), end = rows_end(rows, n);
#pragma omp parallel for schedule(static) if (n > FEW)
    for (size_t j = begin; j < end; j++)
        for (size_t first = 1; first <= 2 && first <= n; first++) {
            const real *from = field + layout_index(l, first, j) - skipped;
            real *row = to + (j - begin) * n;
            for (size_t i = first; i <= n; i += 2, from += step)
                row[i - 1] = *from;
        }
}
