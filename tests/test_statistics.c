/*
 * Statistics against values computed elsewhere: quantiles of type 7 by hand, Student's t by
 * Simpson's rule on its density in Python (20000 intervals, bisected), intervals from both.
 */
#include <math.h>
#include <stdlib.h>

#include "base/statistics.h"
#include "reprise.h"
#include "tap.h"

static bool near(double got, double expected, double relative)
{
    return fabs(got - expected) <= relative * fabs(expected);
}

static void test_quantiles(void)
{
    /* Type 7: place = q (n - 1) between the sorted values 1 2 4 7 11. */
    static const struct {
        double q, value;
    } cases[] = {{0, 1}, {0.25, 2}, {0.5, 4}, {0.75, 7}, {1, 11}, {0.1, 1.4}, {0.9, 9.4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x[] = {11, 2, 7, 1, 4};
        check(near(quantile(x, 5, cases[i].q), cases[i].value, 1e-15), "quantile %g of 5",
              cases[i].q);
    }
    double even[] = {4, 1, 3, 2}, one[] = {3}, none[] = {0};
    check(quantile(even, 4, 0.5) == 2.5 && quantile(even, 4, 0.25) == 1.75, "quantiles of 4");
    check(even[0] == 1 && even[3] == 4, "the values are sorted afterwards");
    check(quantile(one, 1, 0) == 3 && quantile(one, 1, 0.3) == 3 && quantile(one, 1, 1) == 3,
          "quantiles of 1");
    check(isnan(quantile(none, 0, 0.5)), "a quantile of nothing is NaN");
}

static void test_student(void)
{
    static const struct {
        size_t degrees;
        double t;
    } cases[] = {{1, 12.70620474}, {2, 4.30265273},  {3, 3.18244631},   {4, 2.77644511},
                 {5, 2.57058184},  {6, 2.44691185},  {7, 2.36462425},   {8, 2.30600414},
                 {9, 2.26215716},  {10, 2.22813885}, {11, 2.20098516},  {12, 2.17881283},
                 {13, 2.16036866}, {14, 2.14478669}, {15, 2.13144955},  {16, 2.11990530},
                 {17, 2.10981558}, {18, 2.10092204}, {19, 2.09302405},  {20, 2.08596345},
                 {21, 2.07961384}, {22, 2.07387307}, {25, 2.05953855},  {30, 2.04227246},
                 {40, 2.02107539}, {60, 2.00029782}, {100, 1.98397152}, {999, 1.96234146}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(near(student_t975(cases[i].degrees), cases[i].t, 1e-5), "t(0.975, %zu)",
              cases[i].degrees);
    check(isnan(student_t975(0)), "t with no degrees is NaN");
    static const struct {
        size_t degrees;
        double t;
    } wider[] = {{1, 63.65674},  {2, 9.924843},  {3, 5.840909},  {4, 4.604095},   {5, 4.032143},
                 {6, 3.707428},  {7, 3.499483},  {8, 3.355387},  {9, 3.249836},   {10, 3.169273},
                 {11, 3.105807}, {12, 3.054540}, {15, 2.946713}, {20, 2.845340},  {21, 2.831360},
                 {25, 2.787436}, {30, 2.749996}, {60, 2.660283}, {100, 2.625891}, {999, 2.580760}};
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++)
        check(near(student_t995(wider[i].degrees), wider[i].t, 1e-4), "t(0.995, %zu)",
              wider[i].degrees);
    check(isnan(student_t995(0)), "t(0.995) with no degrees is NaN");
}

static void test_estimates(void)
{
    const double powers[] = {1, 4, 16}, equal[] = {0.125, 0.125, 0.125, 0.125};
    struct estimate e = estimate_rounds(powers, 3);
    /* Logarithms 0, log 4, 2 log 4: mean log 4, deviation log 4, half width
     * 4.30265273 log(4) / sqrt(3) = 3.44374610. */
    check(near(e.value, 4, 1e-14) && near(e.ci_lo, 4 * exp(-3.44374610), 1e-5) &&
              near(e.ci_hi, 4 * exp(3.44374610), 1e-5),
          "interval of 1, 4, 16");
    /* Seven medians; in Python: statistics.mean and stdev of the logarithms, t = 2.44691185. */
    const double times[] = {1.02e-3, 0.99e-3, 1.00e-3, 1.05e-3, 0.98e-3, 1.01e-3, 1.00e-3};
    e = estimate_rounds(times, 7);
    check(near(e.value, 0.00100692243277, 1e-7) && near(e.ci_lo, 0.00098615156913, 1e-7) &&
              near(e.ci_hi, 0.0010281307837, 1e-7),
          "interval of 7 rounds");
    e = estimate_rounds(equal, 4);
    check(near(e.value, 0.125, 1e-15) && near(e.ci_lo, 0.125, 1e-15) && near(e.ci_hi, 0.125, 1e-15),
          "equal rounds have an interval of no width");
    e = estimate_rounds(powers, 2);
    check(near(e.value, 2, 1e-14) && isnan(e.ci_lo) && isnan(e.ci_hi),
          "two rounds have no interval");
    e = estimate_rounds(powers + 2, 1);
    check(near(e.value, 16, 1e-14) && isnan(e.ci_lo) && isnan(e.ci_hi),
          "one round has no interval");
    e = estimate_rounds(powers, 0);
    check(isnan(e.value) && isnan(e.ci_lo) && isnan(e.ci_hi), "no round: nothing is a number");
}

/* The interval covers the truth in 95 % of the trials, within four standard deviations of 2000. */
static void test_coverage(void)
{
    enum { TRIALS = 2000, ROUNDS = 7 };
    int covered = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        double medians[ROUNDS];
        for (uint64_t r = 0; r < ROUNDS; r++) {
            double normal = -6; /* sum of twelve */
            for (uint64_t k = 0; k < 12; k++)
                normal += uniform(11, (trial * ROUNDS + r) * 12 + k);
            medians[r] = exp(0.01 * normal);
        }
        const struct estimate e = estimate_rounds(medians, ROUNDS);
        covered += e.ci_lo <= 1 && 1 <= e.ci_hi;
    }
    check(abs(covered - TRIALS * 95 / 100) <= 40, "%d of %d intervals cover the truth, seed 11",
          covered, TRIALS);
}

int main(void)
{
    test_quantiles();
    test_student();
    test_estimates();
    test_coverage();
    return done();
}
