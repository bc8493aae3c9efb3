/*
 * The problem's data as the variants need them: the field at t = 0 and the tables of the known
 * solution. Computed in double, or finer, and then rounded, once for all variants.
 */
#include "scheme.h"

/* Row i from the factors along y, which stand in the first row until its turn comes. */
static void known_row(const struct curvature *p, real c, size_t i, const real *y, real *u)
{
    double x[DERIVATIVES];
    curvature_factor(p, p->a + (double)(p->boundary == NEUMANN ? inside(i, p->n1) : i) * p->h1, x);
    for (size_t j = 0; j <= p->n2; j++)
        u[j] = exact_at(c, (real)x[0], y[j]);
}

static void known_solution(const struct curvature *p, size_t first, size_t end, real *u)
{
    const real c = moment_at(p->amplitude, 0).c;
    for (size_t j = 0; j <= p->n2; j++) {
        double y[DERIVATIVES];
        const size_t from = p->boundary == NEUMANN ? inside(j, p->n2) : j;
        curvature_factor(p, p->a + (double)from * p->h2, y);
        u[j] = (real)y[0];
    }
#pragma omp parallel for schedule(static) if (p->n1 > 100)
    for (size_t i = first + 1; i < end; i++)
        known_row(p, c, i, u, u + (i - first) * (p->n2 + 1));
    known_row(p, c, first, u, u);
}

void P(curvature_initial_rows)(const struct curvature *p, size_t first, size_t end, real *u)
{
    const size_t pitch = p->n2 + 1;
    const bool copies = p->boundary == NEUMANN;
    if (p->forced) {
        known_solution(p, first, end, u);
        return;
    }
#pragma omp parallel for schedule(static) if (p->n1 > 100)
    for (size_t i = first; i < end; i++)
        for (size_t j = 0; j <= p->n2; j++)
            u[(i - first) * pitch + j] = (real)curvature_start(p, copies ? inside(i, p->n1) : i,
                                                               copies ? inside(j, p->n2) : j);
}

void P(curvature_initial)(const struct curvature *p, real *u)
{
    P(curvature_initial_rows)(p, 0, p->n1 + 1, u);
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

void P(curvature_rationals)(const struct curvature *p, real *out)
{
    const size_t pitch = p->n2 + 1, nodes = curvature_nodes(p);
#pragma omp parallel for schedule(static) if (p->n1 > 20)
    for (size_t i = 0; i <= p->n1; i++) {
        double x[DERIVATIVES], y[DERIVATIVES], at[RATIONAL(WILLMORE)] = {0};
        curvature_factor(p, p->a + (double)i * p->h1, x);
        for (size_t j = 0; j <= p->n2; j++) {
            curvature_factor(p, p->a + (double)j * p->h2, y);
            if (p->forced)
                curvature_rational(p, x, y, at);
            for (size_t k = 0; k < RATIONAL(p->flow); k++)
                out[k * nodes + i * pitch + j] = (real)at[k];
        }
    }
}
