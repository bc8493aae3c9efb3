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

/* Two that take turns, and are looked at while their rounds grow, LOOKS times at most. For all but
 * SLOWER, the interval of each look is as much wider that, by Bonferroni, all looks together err no
 * oftener than one of ratio_of_rounds() without noise does; with how many rounds they are made, and
 * whether there is another one, may then depend on what was seen. What is SLOWER is run again, and
 * it is these rounds, which had no part in its choice, that keep false ones out: so it has no wider
 * interval, which would take more rounds to find it. */
enum { LOOKS = 3, MOST_FURTHER = 60 /* rounds of each at the last one */ };
struct ratio ratio_of_looks(const double *before, size_t before_rounds, const double *after,
                            size_t after_rounds);
/* SAME within 5 %, but apart by more than counts. */
bool is_apart(const struct ratio *ratio);
/* As rounds_to_tell(), of both. */
int rounds_to_tell_by_looks(const double *before, size_t before_rounds, const double *after,
                            size_t after_rounds, bool apart);
/* How many rounds of each the look, 0 to LOOKS - 1, should have, after these, which took turns or
 * not, had this ratio: as many as would tell, if it is unclear or apart. That many tell in about
 * half of the cases, so it is twice as many as took turns at least; and at most half of the next
 * look's, for a doubt that takes many must not keep shorter ones waiting. 0: none is of use. */
int rounds_of_look(const double *before, size_t before_rounds, const double *after,
                   size_t after_rounds, const struct ratio *ratio, bool turns, int look);

/* What was slower by `found` is so again: by half as much at least, in logarithms, for what was
 * three times as slow and now is by 5 % was a moment. */
bool confirms(const struct ratio *again, double found);
/* How many rounds of each may do it that take turns, where these have not, but may be as slow: as
 * many as would tell, and twice as many at least. 0: they are not, or none is of use. */
int rounds_to_confirm(const double *before, size_t before_rounds, const double *after,
                      size_t after_rounds, const struct ratio *again, double found);
