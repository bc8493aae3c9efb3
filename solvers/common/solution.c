/*
 * An answer held against a reference.
 */
#include "solution.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "widest.h"

enum status reference_for(const struct solution *got, size_t count, struct solution *out)
{
    *out = (struct solution){got->precision, count, malloc(count * value_size(got->precision))};
    return out->values != NULL
               ? OK
               : because(ERR_MEMORY, "there is no memory for %zu values of the reference", count);
}

/* Of values of one type; poison is NaN after infinity or NaN, which the largest ones then hide. */
#define HOLD(name, real)                                                                           \
    WIDEST static struct agreement name(const real *got, const real *reference, size_t count,      \
                                        double *poison)                                            \
    {                                                                                              \
        double off = 0, most = 0, odd = 0;                                                         \
        _Pragma("omp simd reduction(max : off, most) reduction(+ : odd)") for (size_t i = 0;       \
                                                                               i < count; i++)     \
        {                                                                                          \
            const double size = fabs((double)reference[i]);                                        \
            const double here = fabs((double)got[i] - (double)reference[i]);                       \
            off = here > off ? here : off;                                                         \
            most = size > most ? size : most;                                                      \
            odd += 0 * here;                                                                       \
        }                                                                                          \
        *poison = odd;                                                                             \
        return (struct agreement){off, most};                                                      \
    }
HOLD(hold_singles, float)
HOLD(hold_doubles, double)

void widen(const struct solution *from, size_t first, size_t count, double *to)
{
    if (from->precision == DOUBLE)
        memcpy(to, (const double *)from->values + first, count * sizeof *to);
    else
        for (size_t i = 0; i < count; i++)
            to[i] = (double)((const float *)from->values)[first + i];
}

struct agreement hold_against(const struct solution *got, size_t first,
                              const struct solution *reference, size_t from, size_t count)
{
    struct agreement a = {0, 0};
    double poison = NAN; /* of both precisions: value by value */
    if (got->precision == DOUBLE && reference->precision == DOUBLE)
        a = hold_doubles((const double *)got->values + first,
                         (const double *)reference->values + from, count, &poison);
    else if (got->precision != DOUBLE && reference->precision != DOUBLE)
        a = hold_singles((const float *)got->values + first,
                         (const float *)reference->values + from, count, &poison);
    for (size_t i = 0; i < count && poison != 0; i++) {
        const double r = value_at(reference, from + i);
        a.off = larger(a.off, fabs(value_at(got, first + i) - r));
        a.most = larger(a.most, fabs(r));
    }
    return a;
}

struct agreement agree_both(struct agreement a, struct agreement b)
{
    return (struct agreement){larger(a.off, b.off), larger(a.most, b.most)};
}

enum status within_range(long double most, enum precision precision)
{
    return values_within_range("the solution", most, precision);
}

enum status values_within_range(const char *values, long double most, enum precision precision)
{
    const bool single = precision != DOUBLE;
    const char *const word = single ? "single" : "double";
    const double largest = single ? (double)FLT_MAX : DBL_MAX;
    const double least = single ? (double)FLT_MIN : DBL_MIN;
    const bool below = most <= (long double)largest; /* NaN is not */
    if (!below)
        return because(ERR_DIVERGED, "overflow: %s reaches %.3Lg, and %s precision %.3g", values,
                       most, word, largest);
    if (most > 0 && most < (long double)least)
        return because(
            ERR_DIVERGED,
            "underflow: %s stays below %.3Lg, and %s precision has full digits from %.3g on",
            values, most, word, least);
    return OK;
}

double relative_error(struct agreement a)
{
    return a.most > 0 ? a.off / a.most : a.off;
}

double value_of_row(const struct instance *in, const struct solution *got, int panel, size_t row,
                    size_t column)
{
    (void)in, (void)panel, (void)row;
    return value_at(got, column);
}

double exactly(const struct variant *variant, const struct instance *in, const struct solution *got,
               struct judgement *out)
{
    (void)variant, (void)in, (void)got, (void)out;
    return 0;
}
