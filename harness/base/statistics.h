/*
 * Quantiles, intervals over rounds, and the ratio of two times with what it says.
 */
#pragma once
#include "base/noise.h"

/* Quantile q of n values, linear between order statistics (R's type 7). Sorts x. NaN if n = 0. */
double quantile(double *x, size_t n, double q);
double student_t975(size_t degrees); /* t(0.975, degrees); NaN for 0 degrees */
double student_t995(size_t degrees);

struct estimate {
    double value, ci_lo, ci_hi; /* ci: NaN when there are fewer than 3 rounds */
};
/* Log-mean of positive round medians and its 95 % interval, t over rounds. */
struct estimate estimate_rounds(const double *medians, size_t rounds);

/* Standard deviation of their logarithms; NaN when there are fewer than 3. */
double rounds_deviation(const double *medians, size_t rounds);

enum change { CHANGE_SAME, CHANGE_SLOWER, CHANGE_FASTER, CHANGE_UNCLEAR };
struct ratio { /* after / before, two times of the same job, and what it says */
    enum change change;
    double value, ci_lo, ci_hi; /* 99 % interval; NaN when a side has fewer than 3 rounds */
    double of_rounds, of_noise; /* halves of the interval of log(value), by their cause */
    double error;               /* standard error of log(value), of the rounds alone */
};
/* Compares two runs on one machine by their positive round medians; the noise from one run of a
 * program to another widens the interval. Null: the rounds of the two took turns; then the interval
 * is the narrower one of Welch's and of Hodges' and Lehmann's by ranks, each of 99.5 %, where there
 * are rounds enough for both, and the value is that one's. SLOWER and FASTER: by more than 1 %, and
 * the interval leaves out 1; SAME: within 5 %, interval included. */
struct ratio ratio_of_rounds(const double *before, size_t before_rounds, const double *after,
                             size_t after_rounds, const struct noise *noise);
enum { MOST_ROUNDS_TO_TELL = 500 };
/* How many rounds `after`, or both, must have for a verdict that is not CHANGE_UNCLEAR, if the
 * ratio and the deviations stay as they are; apart: until the interval leaves out 1; 0: no number
 * would do, for the noise from run to run; one more than the most: that does not. */
int rounds_to_tell(const double *before, size_t before_rounds, const double *after,
                   size_t after_rounds, const struct noise *noise, bool both, bool apart);
