/*
 * The problem's data as the variants need them: the field at t = 0 and the tables of the known
 * solution. Computed in double, or finer, and then rounded, once for all variants.
 */
#include "scheme.h"

void P(curvature_initial)(const struct curvature *p, real *u)
{
    const size_t pitch = p->n2 + 1;
    const bool copies = p->boundary == NEUMANN;
    const struct moment start = moment_at(p->amplitude, 0);
#pragma omp parallel for schedule(static) if (p->n1 > 100)
    for (size_t i = 0; i <= p->n1; i++)
        for (size_t j = 0; j <= p->n2; j++) {
            const size_t from_i = copies ? inside(i, p->n1) : i;
            const size_t from_j = copies ? inside(j, p->n2) : j;
            double x[DERIVATIVES], y[DERIVATIVES];
            if (p->forced) {
                curvature_factor(p, p->a + (double)from_i * p->h1, x);
                curvature_factor(p, p->a + (double)from_j * p->h2, y);
                u[i * pitch + j] = exact_at(start.c, (real)x[0], (real)y[0]);
            } else {
                u[i * pitch + j] = (real)curvature_start(p, from_i, from_j);
            }
        }
}

void P(curvature_tables)(const struct curvature *p, real *x, real *y)
{
    double factor[DERIVATIVES] = {0};
    for (size_t i = 0; i <= p->n1; i++) {
        if (p->forced)
            curvature_factor(p, p->a + (double)i * p->h1, factor);
        for (size_t k = 0; k < DERIVATIVES; k++)
            x[i * DERIVATIVES + k] = (real)factor[k];
    }
    for (size_t j = 0; j <= p->n2; j++) {
        if (p->forced)
            curvature_factor(p, p->a + (double)j * p->h2, factor);
        for (size_t k = 0; k < DERIVATIVES; k++)
            y[k * (p->n2 + 1) + j] = (real)factor[k];
    }
}
