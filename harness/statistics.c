/*
 * Statistics of one number: quantiles of samples, and the 95 % interval over rounds.
 * Times are positive and their noise multiplies, so means and intervals are taken of logarithms.
 */
#include "harness.h"

#include <math.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(double *x, size_t n, double q)
{
    if (n == 0)
        return NAN;
    qsort(x, n, sizeof *x, ascending);
    const double place = q * (double)(n - 1);
    const size_t below = (size_t)place;
    const double share = place - (double)below;
    return below + 1 < n ? x[below] + share * (x[below + 1] - x[below]) : x[below];
}

double student_t975(size_t degrees)
{
    static const double table[] = {NAN,     12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691,
                                   2.36462, 2.30600, 2.26216, 2.22814, 2.20099, 2.17881, 2.16037,
                                   2.14479, 2.13145, 2.11991, 2.10982, 2.10092, 2.09302, 2.08596};
    if (degrees < sizeof table / sizeof *table)
        return table[degrees];
    /* Cornish-Fisher expansion about the normal quantile; error below 1e-5 from 21 degrees on. */
    const double z = 1.959963984540054, v = (double)degrees;
    const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

struct estimate estimate_rounds(const double *medians, size_t rounds)
{
    struct estimate out = {NAN, NAN, NAN};
    if (rounds == 0)
        return out;
    double mean = 0;
    for (size_t r = 0; r < rounds; r++)
        mean += log(medians[r]) / (double)rounds;
    out.value = exp(mean);
    if (rounds < 3)
        return out;
    double squares = 0;
    for (size_t r = 0; r < rounds; r++)
        squares += (log(medians[r]) - mean) * (log(medians[r]) - mean);
    const double deviation = sqrt(squares / (double)(rounds - 1));
    const double half = student_t975(rounds - 1) * deviation / sqrt((double)rounds);
    out.ci_lo = exp(mean - half);
    out.ci_hi = exp(mean + half);
    return out;
}
