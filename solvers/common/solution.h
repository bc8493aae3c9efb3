/*
 * What the judges of the families share: the values of an answer whatever its precision, and an
 * answer held against a reference of the same precision, bit for bit.
 */
#pragma once
#include <math.h>
#include <string.h>

#include "reprise.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline double value_at(const struct solution *of, size_t i)
{
    return of->precision == DOUBLE ? ((const double *)of->values)[i]
                                   : (double)((const float *)of->values)[i];
}

/* to[i] = the value `first` + i. */
void widen(const struct solution *from, size_t first, size_t count, double *to);

/* The larger one; a NaN, once met, stays. */
static inline double larger(double most, double x)
{
    return x <= most || isnan(most) ? most : x;
}

static inline long double larger_long(long double most, long double x)
{
    return x <= most || isnan(most) ? most : x;
}

/* The largest |x| in loops that become vectors is the one of the largest rank. That of a NaN is
 * larger than all others. */
static inline int64_t rank_of(double x)
{
    int64_t bits;
    x = fabs(x);
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double of_rank(int64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline int64_t higher(int64_t rank, int64_t other)
{
    return other > rank ? other : rank;
}

struct agreement {
    double off, most; /* largest |u - reference|, largest |reference|; NaN, once met, stays */
};

/* Room for a reference to an answer: `count` values of its precision, freed by free(out->values).
 */
enum status reference_for(const struct solution *got, size_t count, struct solution *out);
/* Compares `count` values, got's from `first` on with the reference's from `from` on. */
struct agreement hold_against(const struct solution *got, size_t first,
                              const struct solution *reference, size_t from, size_t count);
/* What two parts of an answer have together. */
struct agreement agree_both(struct agreement a, struct agreement b);
/* OK if a solution whose largest value is `most` has digits in this precision, or is 0; else
 * ERR_DIVERGED, in the words of all families: overflow, underflow. */
enum status within_range(long double most, enum precision precision);
/* The same of other values, as "the right-hand side". */
enum status values_within_range(const char *values, long double most, enum precision precision);
/* The error: `off` relative to `most`, if that is not 0. */
double relative_error(struct agreement a);

/* What a picture of one row shows, where an answer has nothing else. */
double value_of_row(const struct instance *in, const struct solution *got, int panel, size_t row,
                    size_t column);

/* The tolerance of a variant whose every bit is known. */
double exactly(const struct variant *variant, const struct instance *in, const struct solution *got,
               struct judgement *out);

#ifdef __cplusplus
}
#endif
