/*
 * Statistics of one number: quantiles of samples, and the 95 % interval over rounds.
 * Times are positive and their noise multiplies, so means and intervals are taken of logarithms.
 */
#include "base/statistics.h"

#include <assert.h>
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

struct level {          /* of an interval */
    double beyond;      /* either end */
    double normal;      /* quantile */
    double student[21]; /* by degrees of freedom */
};

static const struct level
    level_95 = {0.025, 1.959963984540054, {NAN,     12.7062, 4.30265, 3.18245, 2.77645, 2.57058,
                                           2.44691, 2.36462, 2.30600, 2.26216, 2.22814, 2.20099,
                                           2.17881, 2.16037, 2.14479, 2.13145, 2.11991, 2.10982,
                                           2.10092, 2.09302, 2.08596}},
    level_99 = {0.005, 2.575829303548901, {NAN,     63.6567, 9.92484, 5.84091, 4.60409, 4.03214,
                                           3.70743, 3.49948, 3.35539, 3.24984, 3.16927, 3.10581,
                                           3.05454, 3.01228, 2.97684, 2.94671, 2.92078, 2.89823,
                                           2.87844, 2.86093, 2.84534}},
    half_of_99 = {0.0025, 2.807033768343811, {NAN,     127.321, 14.0890, 7.45332, 5.59757, 4.77334,
                                              4.31683, 4.02934, 3.83252, 3.68966, 3.58141, 3.49661,
                                              3.42844, 3.37247, 3.32570, 3.28604, 3.25199, 3.22245,
                                              3.19657, 3.17372, 3.15340}},
    third_of_99 = {0.005 / 3,
                   2.935199468866706,
                   {NAN,     190.984, 17.2772, 8.57517, 6.25407, 5.24742, 4.69792,
                    4.35528, 4.12236, 3.95422, 3.82734, 3.72829, 3.64889, 3.58384,
                    3.52959, 3.48368, 3.44432, 3.41020, 3.38036, 3.35404, 3.33064}},
    sixth_of_99 = {0.0025 / 3,
                   3.143980287069080,
                   {NAN,     381.971, 24.4643, 10.8688, 7.52867, 6.13837, 5.39823,
                    4.94447, 4.63979, 4.42187, 4.25862, 4.13193, 4.03084, 3.94837,
                    3.87982, 3.82197, 3.77251, 3.72974, 3.69239, 3.65950, 3.63032}};

static double student(const struct level *level, size_t degrees)
{
    return degrees < sizeof level->student / sizeof *level->student
               ? level->student[degrees]
               : student_expansion(level->normal, (double)degrees); /* off by less than 2e-4 */
}

double student_t975(size_t degrees)
{
    return student(&level_95, degrees);
}

double student_t995(size_t degrees)
{
    return student(&level_99, degrees);
}

/* Of an interval that is the only one, and of either of two, of which the narrower one is taken.
 * What is looked at LOOKS times while it grows leaves out each time that share of what else it
 * would: then no more verdicts are false in all looks together, whatever each of them is followed
 * by. */
struct levels {
    const struct level *alone, *of_two;
};
static const struct levels once = {&level_99, &half_of_99},
                           at_each_look = {&third_of_99, &sixth_of_99};
static_assert(LOOKS == 3, "the levels are those of three looks");

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
 * the difference's interval, by Student's quantile and the degrees of freedom rounded down. */
static void welch(struct moments a, size_t n, struct moments b, size_t m, const struct level *level,
                  double *error, double *half)
{
    const double va = a.deviation * a.deviation / (double)n;
    const double vb = b.deviation * b.deviation / (double)m;
    const double degrees =
        (va + vb) * (va + vb) / (va * va / (double)(n - 1) + vb * vb / (double)(m - 1));
    *error = sqrt(va + vb);
    *half = *error == 0 ? 0 : student(level, (size_t)(degrees * (1 + 1e-12))) * *error;
}

static const double counts = 0.01,
                    small = 0.05; /* more than the one is a change; SAME within the other */

/* What the interval of a logarithm says. */
static enum change change_of(double c, double lo, double hi)
{
    return lo > 0 && c > log1p(counts)                 ? CHANGE_SLOWER
           : hi < 0 && c < -log1p(counts)              ? CHANGE_FASTER
           : lo >= -log1p(small) && hi <= log1p(small) ? CHANGE_SAME
                                                       : CHANGE_UNCLEAR;
}

/* --- by ranks --- */

/* Of all differences between n and m values, in order, so many at either end lie outside of Hodges'
 * and Lehmann's interval; 0: even all of them are less. Wilcoxon's distribution, whose counts are
 * the coefficients of the product of (1 - x^(m+i)) / (1 - x^i), i = 1 to n. */
static size_t outside(size_t n, size_t m, double rare)
{
    const size_t half = n * m / 2 + 1;
    double all = 1, below = 0, *const count = calloc(half, sizeof *count);
    size_t out = 0;
    if (count == NULL)
        return 0;
    count[0] = 1;
    for (size_t i = 1; i <= n; i++) {
        all *= (double)(m + i) / (double)i;
        for (size_t u = half; u-- > m + i;)
            count[u] -= count[u - m - i];
        for (size_t u = i; u < half; u++)
            count[u] += count[u - i];
    }
    while (out < half && (below += count[out]) <= rare * all)
        out++;
    free(count);
    return out;
}

/* Ascending, of the logarithms; null: no memory. */
static double *differences_of(const double *before, size_t n, const double *after, size_t m)
{
    double *const out = calloc(n * m + 1, sizeof *out);
    for (size_t i = 0; i < n && out != NULL; i++)
        for (size_t j = 0; j < m; j++)
            out[i * m + j] = log(after[j] / before[i]);
    if (out != NULL)
        qsort(out, n * m, sizeof *out, ascending);
    return out;
}

/* Where that interval is narrower: where one round in six is 6 % slower, as it happens to whole
 * processes, 20 rounds tell 2 % in 92 cases of 100 by ranks, by means in 54 (test_compare). */
static void look_at_ranks(const double *before, size_t n, const double *after, size_t m,
                          const struct level *level, struct ratio *out)
{
    enum { MOST = 200 }; /* rounds: the distribution of more takes long to find */
    const size_t count = n * m, ends = n <= MOST && m <= MOST ? outside(n, m, level->beyond) : 0;
    double *const d = ends > 0 ? differences_of(before, n, after, m) : NULL;
    if (d != NULL && !(d[count - ends] - d[ends - 1] >= 2 * out->of_rounds)) {
        const double c = (d[(count - 1) / 2] + d[count / 2]) / 2;
        *out = (struct ratio){change_of(c, d[ends - 1], d[count - ends]),
                              exp(c),
                              exp(d[ends - 1]),
                              exp(d[count - ends]),
                              (d[count - ends] - d[ends - 1]) / 2,
                              0,
                              out->error};
    }
    free(d);
}

/* --- two runs --- */

/* Of six rounds each and more that took turns there are two intervals. */
static bool has_ranks(size_t n, size_t m, const struct noise *noise)
{
    return noise == NULL && n >= 6 && m >= 6;
}

static struct ratio ratio_at(const double *before, size_t before_rounds, const double *after,
                             size_t after_rounds, const struct noise *noise,
                             const struct levels *levels)
{
    const bool ranks = has_ranks(before_rounds, after_rounds, noise);
    const struct level *const level = ranks ? levels->of_two : levels->alone;
    struct ratio out = {CHANGE_UNCLEAR, NAN, NAN, NAN, NAN, NAN, NAN};
    if (before_rounds == 0 || after_rounds == 0)
        return out;
    const struct moments a = log_moments(before, before_rounds),
                         b = log_moments(after, after_rounds);
    const double c = b.mean - a.mean;
    out.value = exp(c);
    if (before_rounds < 3 || after_rounds < 3)
        return out;
    welch(a, before_rounds, b, after_rounds, level, &out.error, &out.of_rounds);
    /* Of few rounds the error is not well known: a normal one as wide as Student's interval. */
    const double half =
        noise != NULL ? noise_half(noise, out.of_rounds / level->normal) : out.of_rounds;
    out.of_noise = sqrt(fmax(half * half - out.of_rounds * out.of_rounds, 0));
    out.ci_lo = exp(c - half);
    out.ci_hi = exp(c + half);
    out.change = change_of(c, c - half, c + half);
    if (ranks && isfinite(half))
        look_at_ranks(before, before_rounds, after, after_rounds, level, &out);
    return out;
}

struct ratio ratio_of_rounds(const double *before, size_t before_rounds, const double *after,
                             size_t after_rounds, const struct noise *noise)
{
    return ratio_at(before, before_rounds, after, after_rounds, noise, &once);
}

struct ratio ratio_of_looks(const double *before, size_t before_rounds, const double *after,
                            size_t after_rounds)
{
    const struct ratio r = ratio_at(before, before_rounds, after, after_rounds, NULL, &once);
    return r.change == CHANGE_SLOWER
               ? r
               : ratio_at(before, before_rounds, after, after_rounds, NULL, &at_each_look);
}

/* Whether the interval by ranks of n rounds each, whose differences lie as these do, would tell. */
static bool ranks_tell(const double *differences, size_t count, size_t n, bool apart,
                       const struct level *level)
{
    const double middle = (double)(count - 1) / 2;
    const double reach =
        level->normal * sqrt((double)(2 * n + 1) / 12) / (double)n * (double)(count - 1);
    if (reach > middle)
        return false;
    const double c = differences[(size_t)middle], lo = differences[(size_t)(middle - reach)],
                 hi = differences[(size_t)ceil(middle + reach)];
    const enum change change = change_of(c, lo, hi);
    return change != CHANGE_UNCLEAR && !(apart && change == CHANGE_SAME);
}

static int rounds_at(const double *before, size_t before_rounds, const double *after,
                     size_t after_rounds, const struct noise *noise, bool both, bool apart,
                     const struct levels *levels)
{
    if (before_rounds < 3 || after_rounds < 3)
        return 3;
    const struct moments a = log_moments(before, before_rounds),
                         b = log_moments(after, after_rounds);
    const double c = fabs(b.mean - a.mean);
    const double goal = apart ? c : fmax(c > log(1.01) ? c : 0, log(1.05) - c);
    if (noise != NULL && noise_half(noise, 0) > goal)
        return 0;
    const size_t count = before_rounds * after_rounds;
    double *const differences =
        noise == NULL ? differences_of(before, before_rounds, after, after_rounds) : NULL;
    size_t n = after_rounds;
    for (bool tells = false; n <= MOST_ROUNDS_TO_TELL && !tells; n += !tells) {
        const size_t of_base = both && n > before_rounds ? n : before_rounds;
        const struct level *const level =
            has_ranks(of_base, n, noise) ? levels->of_two : levels->alone;
        double error, half;
        welch(a, of_base, b, n, level, &error, &half);
        tells = (noise != NULL ? noise_half(noise, half / level->normal) : half) <= goal ||
                (differences != NULL && both && n >= 6 &&
                 ranks_tell(differences, count, n, apart, level));
    }
    free(differences);
    return (int)n;
}

int rounds_to_tell(const double *before, size_t before_rounds, const double *after,
                   size_t after_rounds, const struct noise *noise, bool both, bool apart)
{
    return rounds_at(before, before_rounds, after, after_rounds, noise, both, apart, &once);
}

/* --- looks --- */

bool is_apart(const struct ratio *ratio)
{
    return ratio->change == CHANGE_SAME && fabs(log(ratio->value)) > log1p(counts);
}

int rounds_to_tell_by_looks(const double *before, size_t before_rounds, const double *after,
                            size_t after_rounds, bool apart)
{
    const double a = log_moments(before, before_rounds).mean,
                 b = log_moments(after, after_rounds).mean;
    const int all =
        rounds_at(before, before_rounds, after, after_rounds, NULL, true, apart, &at_each_look);
    const int slower =
        b > a ? rounds_at(before, before_rounds, after, after_rounds, NULL, true, true, &once)
              : all;
    return slower < all ? slower : all;
}

int rounds_of_look(const double *before, size_t before_rounds, const double *after,
                   size_t after_rounds, const struct ratio *ratio, bool turns, int look)
{
    enum { LEAST = 3 };
    const bool apart = is_apart(ratio);
    const int most = MOST_FURTHER >> (LOOKS - 1 - look), twice = 2 * (int)after_rounds,
              tell =
                  ratio->change != CHANGE_UNCLEAR && !apart
                      ? 0
                      : rounds_to_tell_by_looks(before, before_rounds, after, after_rounds, apart),
              least = tell > LEAST ? tell : LEAST, rounds = turns && twice > least ? twice : least;
    return tell == 0 || tell > MOST_FURTHER ? 0 : rounds > most ? most : rounds;
}

/* --- run again --- */

bool confirms(const struct ratio *again, double found)
{
    return again->change == CHANGE_SLOWER && again->value >= sqrt(found);
}

int rounds_to_confirm(const double *before, size_t before_rounds, const double *after,
                      size_t after_rounds, const struct ratio *again, double found)
{
    if (!(again->ci_hi >= sqrt(found)))
        return 0;
    const int tell = rounds_to_tell(before, before_rounds, after, after_rounds, NULL, true, true);
    const int twice = 2 * (int)after_rounds, rounds = tell > twice ? tell : twice;
    return tell > MOST_FURTHER ? 0 : rounds > MOST_FURTHER ? MOST_FURTHER : rounds;
}
