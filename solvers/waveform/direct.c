/*
 * How direct stepping is judged: each point must follow from the one before as implicit Euler has
 * it, (I - h A) y[n] = y[n-1] + h g[n], but for what rounding can do.
 */
#include "problem.h"

#include <math.h>
#include <stdlib.h>

#include "../common/solution.h"
#include "../common/widest.h"

/* Solvers of a tridiagonal system whose matrix is diagonally dominant, as I - h A is with A's
 * diagonal below 0 and no less than what is beside it, solve one whose entries are off by 12
 * roundings at most (Higham, Accuracy and Stability of Numerical Algorithms, 9.6: |L||U| <= 3|A|,
 * four roundings each); one that reduces the system to half of it, by so many in each reduction.
 * One more is that of the entries. */
static double roundings_of(const struct waveform *p)
{
    return 13 * (1 + log2((double)p->d));
}

/* Of the stored precision: relative, and where numbers are too small for that. */
struct units {
    double unit, tiny;
};

static struct units units_of(const struct solution *got)
{
    return got->precision == DOUBLE ? (struct units){0x1p-53, 0x1p-1074}
                                    : (struct units){0x1p-24, 0x1p-149};
}

/* The largest sizes of all components, by point, as ranks. */
WIDEST static void find_most(const struct solution *got, size_t i, size_t points, double *y,
                             int64_t *most)
{
    widen(got, i * points, points, y);
    for (size_t n = 0; n < points; n++)
        most[n] = higher(most[n], rank_of(y[n]));
}

static bool find_all_most(const struct waveform *p, const struct solution *got, int64_t *most)
{
    const size_t points = p->points;
    bool good = true;
#pragma omp parallel reduction(&& : good) if (p->d > MANY)
    {
        double *const y = malloc(points * sizeof *y);
        int64_t *const mine = calloc(points, sizeof *mine);
        good = y != NULL && mine != NULL;
#pragma omp for schedule(static)
        for (size_t i = 0; i < p->d; i++)
            if (good)
                find_most(got, i, points, y, mine);
#pragma omp critical
        for (size_t n = 0; n < points && good; n++)
            most[n] = higher(most[n], mine[n]);
        free(mine);
        free(y);
    }
    return good;
}

/* Component i at all points: its values, another's, what A makes of them, and the sizes of that. */
struct row {
    double *y, *other, *f, *sizes; /* [N] each, one behind the other */
};

/* What is left of component i, in units of what is allowed, the largest of all points, as a rank.
 */
WIDEST static int64_t residual(const struct waveform *p, const struct solution *got, size_t i,
                               const double *allowed, const struct row *row)
{
    const double own = 8 * 0x1p-53; /* roundings of a residual */
    const double diagonal = p->diagonal[i], weight = 1 + 2 * p->h * fabs(diagonal), h = p->h;
    const size_t points = p->points;
    const double *const y = row->y, *const other = row->other;
    double *const f = row->f, *const sizes = row->sizes;
    int64_t off = 0;
    widen(got, i * points, points, row->y);
    for (size_t n = 0; n < points; n++) {
        f[n] = diagonal * y[n];
        sizes[n] = fabs(f[n]);
    }
    for (int b = 0; b < p->bands; b++) {
        const ptrdiff_t j = (ptrdiff_t)i + p->offset[b];
        const double m = p->band[b][i];
        if (j < 0 || j >= (ptrdiff_t)p->d)
            continue;
        widen(got, (size_t)j * points, points, row->other);
        for (size_t n = 0; n < points; n++) {
            f[n] += m * other[n];
            sizes[n] += fabs(m * other[n]);
        }
    }
#pragma omp simd reduction(max : off)
    for (size_t n = 1; n < points; n++) {
        const double left = fabs(y[n] - y[n - 1] - h * f[n]);
        const double size = fabs(y[n]) + fabs(y[n - 1]) + h * sizes[n];
        const double here = left == 0 ? 0 : left / (allowed[n] * weight + own * size);
        off = rank_of(here) > off ? rank_of(here) : off;
    }
    return off;
}

/* It begins where it must, but for the stored precision. */
static int64_t off_start(const struct waveform *p, const struct solution *got, size_t i)
{
    const struct units u = units_of(got);
    const double first = waveform_first(p, i, 0), off = fabs(value_at(got, i * p->points) - first);
    return rank_of(off / (u.unit * fabs(first) + u.tiny));
}

static bool find_off(const struct waveform *p, const struct solution *got, const double *allowed,
                     double *error)
{
    const size_t points = p->points;
    int64_t off = 0;
    bool good = true;
#pragma omp parallel reduction(&& : good) reduction(max : off) if (p->d > MANY)
    {
        double *const room = malloc(4 * points * sizeof *room);
        const struct row row = {room, room + points, room + 2 * points, room + 3 * points};
        good = room != NULL;
#pragma omp for schedule(static)
        for (size_t i = 0; i < p->d; i++)
            if (good)
                off = higher(off, higher(off_start(p, got, i), residual(p, got, i, allowed, &row)));
        free(room);
    }
    *error = of_rank(off);
    return good;
}

enum status direct_error(const struct waveform *p, const struct solution *got, double *error,
                         double *most)
{
    const struct units u = units_of(got);
    const double roundings = roundings_of(p);
    double *const allowed = malloc(p->points * sizeof *allowed);
    int64_t *const ranks = calloc(p->points, sizeof *ranks);
    bool good = allowed != NULL && ranks != NULL && find_all_most(p, got, ranks);
    *most = 0;
    for (size_t n = 0; n < p->points && good; n++) {
        allowed[n] = roundings * (u.unit * of_rank(ranks[n]) + u.tiny);
        *most = larger(*most, of_rank(ranks[n]));
    }
    good = good && find_off(p, got, allowed, error);
    free(ranks);
    free(allowed);
    return good ? OK : because(ERR_MEMORY, "there is no memory to judge %zu points", p->points);
}
