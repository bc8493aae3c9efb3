/*
 * Statistics of one number: quantiles of samples, and the 95 % interval over rounds.
 * Times are positive and their noise multiplies, so means and intervals are taken of logarithms.
 */
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>

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

/* Cornish-Fisher expansion about the normal quantile z, for many degrees of freedom. */
static double student_expansion(double z, double v)
{
    const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

double student_t975(size_t degrees)
{
    static const double table[] = {NAN,     12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691,
                                   2.36462, 2.30600, 2.26216, 2.22814, 2.20099, 2.17881, 2.16037,
                                   2.14479, 2.13145, 2.11991, 2.10982, 2.10092, 2.09302, 2.08596};
    if (degrees < sizeof table / sizeof *table)
        return table[degrees];
    return student_expansion(1.959963984540054, (double)degrees); /* off by less than 1e-5 */
}

double student_t995(size_t degrees)
{
    static const double table[] = {NAN,     63.6567, 9.92484, 5.84091, 4.60409, 4.03214, 3.70743,
                                   3.49948, 3.35539, 3.24984, 3.16927, 3.10581, 3.05454, 3.01228,
                                   2.97684, 2.94671, 2.92078, 2.89823, 2.87844, 2.86093, 2.84534};
    if (degrees < sizeof table / sizeof *table)
        return table[degrees];
    return student_expansion(2.575829303548901, (double)degrees); /* off by less than 1e-4 */
}

struct moments { /* of the logarithms of numbers */
    double mean, deviation;
};

static struct moments log_moments(const double *x, size_t n)
{
    struct moments out = {0, NAN};
    for (size_t i = 0; i < n; i++)
        out.mean += log(x[i]) / (double)n;
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (log(x[i]) - out.mean) * (log(x[i]) - out.mean);
    if (n > 1)
        out.deviation = sqrt(squares / (double)(n - 1));
    return out;
}

double rounds_deviation(const double *medians, size_t rounds)
{
    return rounds < 3 ? (double)NAN : log_moments(medians, rounds).deviation;
}

struct estimate estimate_rounds(const double *medians, size_t rounds)
{
    struct estimate out = {NAN, NAN, NAN};
    if (rounds == 0)
        return out;
    const struct moments x = log_moments(medians, rounds);
    out.value = exp(x.mean);
    if (rounds < 3)
        return out;
    const double half = student_t975(rounds - 1) * x.deviation / sqrt((double)rounds);
    out.ci_lo = exp(x.mean - half);
    out.ci_hi = exp(x.mean + half);
    return out;
}

/* Welch's standard error of the difference of two means whose deviations may be unlike, and half of
 * the difference's 99 % interval, with the degrees of freedom rounded down. */
static void welch(struct moments a, size_t n, struct moments b, size_t m, double *error,
                  double *half)
{
    const double va = a.deviation * a.deviation / (double)n;
    const double vb = b.deviation * b.deviation / (double)m;
    const double degrees =
        (va + vb) * (va + vb) / (va * va / (double)(n - 1) + vb * vb / (double)(m - 1));
    *error = sqrt(va + vb);
    *half = *error == 0 ? 0 : student_t995((size_t)(degrees * (1 + 1e-12))) * *error;
}

struct ratio ratio_of_rounds(const double *before, size_t before_rounds, const double *after,
                             size_t after_rounds, const struct noise *noise)
{
    const double normal_995 = 2.575829303548901;
    struct ratio out = {CHANGE_UNCLEAR, NAN, NAN, NAN, NAN, NAN, NAN};
    if (before_rounds == 0 || after_rounds == 0)
        return out;
    const struct moments a = log_moments(before, before_rounds),
                         b = log_moments(after, after_rounds);
    const double c = b.mean - a.mean;
    out.value = exp(c);
    if (before_rounds < 3 || after_rounds < 3)
        return out;
    welch(a, before_rounds, b, after_rounds, &out.error, &out.of_rounds);
    /* Of few rounds the error is not well known: a normal one as wide as Student's interval. */
    const double half = noise_half(noise, out.of_rounds / normal_995);
    out.of_noise = sqrt(fmax(half * half - out.of_rounds * out.of_rounds, 0));
    out.ci_lo = exp(c - half);
    out.ci_hi = exp(c + half);
    if (c - half > 0 && c > log(1.01))
        out.change = CHANGE_SLOWER;
    else if (c + half < 0 && c < -log(1.01))
        out.change = CHANGE_FASTER;
    else if (fabs(c) + half <= log(1.05))
        out.change = CHANGE_SAME;
    return out;
}

int rounds_to_tell(const double *before, size_t before_rounds, const double *after,
                   size_t after_rounds, const struct noise *noise, bool both, bool apart)
{
    const double normal_995 = 2.575829303548901;
    if (before_rounds < 3 || after_rounds < 3)
        return 3;
    const struct moments a = log_moments(before, before_rounds),
                         b = log_moments(after, after_rounds);
    const double c = fabs(b.mean - a.mean);
    const double goal = apart ? c : fmax(c > log(1.01) ? c : 0, log(1.05) - c);
    if (noise_half(noise, 0) > goal)
        return 0;
    for (size_t n = after_rounds; n <= MOST_ROUNDS_TO_TELL; n++) {
        double error, half;
        welch(a, both && n > before_rounds ? n : before_rounds, b, n, &error, &half);
        if (noise_half(noise, half / normal_995) <= goal)
            return (int)n;
    }
    return MOST_ROUNDS_TO_TELL + 1;
}
