/*
 * Quantiles, intervals over rounds, and the ratio of two times with what it says.
 */
#pragma once
#include <stddef.h>

/* Quantile q of n values, linear between order statistics (R's type 7). Sorts x. NaN if n = 0. */
double quantile(double *x, size_t n, double q);
double student_t975(size_t degrees); /* t(0.975, degrees); NaN for 0 degrees */
double student_t995(size_t degrees);

struct estimate {
    double value, ci_lo, ci_hi; /* ci: NaN when there are fewer than 3 rounds */
};
/* Log-mean of positive round medians and its 95 % interval, t over rounds. */
struct estimate estimate_rounds(const double *medians, size_t rounds);

enum change { CHANGE_SAME, CHANGE_SLOWER, CHANGE_FASTER, CHANGE_UNCLEAR };
struct ratio { /* after / before, two times of the same job, and what it says */
    enum change change;
    double value, ci_lo, ci_hi;    /* 99 % interval; NaN when a side has fewer than 3 rounds */
    double of_rounds, of_sessions; /* halves of the interval of log(value), by their cause */
    double error;                  /* standard error of log(value), of the rounds alone */
};
/* Compares two runs on one machine by their positive round medians. `session`: standard deviation
 * of the logarithm of a time from one run to another of the same program, which rounds within a run
 * cannot see; 0 where the two ran interleaved. SLOWER and FASTER: by more than 1 %, beyond the
 * interval; SAME: within 5 %, interval included. */
struct ratio ratio_of_rounds(const double *before, size_t before_rounds, const double *after,
                             size_t after_rounds, double session);
/* What ratio_of_rounds takes as `session`, from jobs that one program ran twice: what is left of
 * their ratios' deviation from 1 when that of the rounds is taken off. NaN if there are none. */
double noise_of(const struct ratio *ratios, size_t count);
