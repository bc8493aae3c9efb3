/*
 * An answer held against a reference.
 */
#include "solution.h"

#include <stdlib.h>

enum status reference_for(const struct solution *got, size_t count, struct solution *out)
{
    *out = (struct solution){got->precision, count, malloc(count * value_size(got->precision))};
    return out->values != NULL
               ? OK
               : because(ERR_MEMORY, "there is no memory for %zu values of the reference", count);
}

struct agreement hold_against(const struct solution *got, size_t first,
                              const struct solution *reference, size_t from, size_t count)
{
    struct agreement a = {0, 0};
    for (size_t i = 0; i < count; i++) {
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

double relative_error(struct agreement a)
{
    return a.most > 0 ? a.off / a.most : a.off;
}

double exactly(const struct variant *variant, const struct params *at)
{
    (void)variant;
    (void)at;
    return 0;
}
