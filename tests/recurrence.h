/*
 * What the tests of recurrence share: how far off a value must be for rounding not to explain it.
 */
#pragma once
#include "recurrence/recurrence.h"
#include "solving.h"

/* A few roundings of all that is added up to one x_k, at most. */
static inline double a_few_roundings(const struct solve *s)
{
    const struct recurrence *p = (const struct recurrence *)s->in.data;
    struct judgement judgement;
    double most = 0, sum = 1;
    (void)judged(s, &judgement);
    (void)accept_answer(&s->in, s->variant, &s->out, &judgement);
    for (size_t k = 0; k < s->in.count; k++)
        most = fmax(most, fabs(value(&s->out, k)));
    for (int j = 0; j < p->m; j++)
        sum += fabs(p->a[j]);
    const double terms = sum * most * (2 + 2 * metric_of(&judgement, "amplification"));
    return 4 * (p->m + 20) * terms * (s->variant->precision == DOUBLE ? 0x1p-53 : 0x1p-24);
}
