/*
 * How direct stepping is judged: each point must follow from the one before as implicit Euler has
 * it, (I - h A) y[n] = y[n-1] + h g[n], but for what rounding can do.
 */
#include "problem.h"

#include <math.h>

#include "../common/solution.h"

/* Solvers of a tridiagonal system whose matrix is diagonally dominant, as I - h A is with A's
 * diagonal below 0 and no less than what is beside it, solve one whose entries are off by 12
 * roundings at most (Higham, Accuracy and Stability of Numerical Algorithms, 9.6: |L||U| <= 3|A|,
 * four roundings each); one that reduces the system to half of it, by so many in each reduction.
 * One more is that of the entries. */
static double roundings_of(const struct waveform *p)
{
    return 13 * (1 + log2((double)p->d));
}

static double most_of(const struct waveform *p, const struct solution *got, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < p->d; i++)
        most = larger(most, fabs(value_at(got, i * p->points + n)));
    return most;
}

/* What is left of component i at n, and the sizes of what it is the difference of. */
static double residual(const struct waveform *p, const struct solution *got, size_t i, size_t n,
                       double *size)
{
    const double y = value_at(got, i * p->points + n);
    const double before = value_at(got, i * p->points + n - 1);
    double f = p->diagonal[i] * y, sizes = fabs(f);
    for (int b = 0; b < p->bands; b++) {
        const ptrdiff_t j = (ptrdiff_t)i + p->offset[b];
        if (j < 0 || j >= (ptrdiff_t)p->d)
            continue;
        const double other = p->band[b][i] * value_at(got, (size_t)j * p->points + n);
        f += other;
        sizes += fabs(other);
    }
    *size = fabs(y) + fabs(before) + p->h * sizes;
    return y - before - p->h * f;
}

double direct_error(const struct waveform *p, const struct solution *got)
{
    const double unit = got->precision == DOUBLE ? 0x1p-53 : 0x1p-24;
    const double tiny = got->precision == DOUBLE ? 0x1p-1074 : 0x1p-149;
    const double own = 8 * 0x1p-53; /* roundings of a residual */
    double off = 0;
    for (size_t i = 0; i < p->d; i++) /* it begins where it must, but for the stored precision */
        off = larger(off, fabs(value_at(got, i * p->points) - waveform_first(p, i, 0)) /
                              (unit * fabs(waveform_first(p, i, 0)) + tiny));
    for (size_t n = 1; n < p->points; n++) {
        const double most = most_of(p, got, n), allowed = roundings_of(p) * (unit * most + tiny);
        for (size_t i = 0; i < p->d; i++) {
            const double row = 1 + 2 * p->h * fabs(p->diagonal[i]);
            double size;
            const double left = fabs(residual(p, got, i, n, &size));
            off = larger(off, left == 0 ? 0 : left / (allowed * row + own * size));
        }
    }
    return off;
}
