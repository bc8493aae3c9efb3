/*
 * A scheme in the stored precision: what every variant of that precision reads.
 */
#include "rounded.h"

void P(rounded_make)(const struct waveform *p, enum relaxation relaxation, struct memory *owner,
                     struct P(rounded) * out)
{
    struct memory local = {OK, NULL};
    struct scheme scheme;
    *out = (struct P(rounded)){.all = (real)p->all, .bands = p->bands};
    const size_t count = 4 + (size_t)p->bands;
    out->q1 = take(owner, count * p->d * sizeof *out->q1);
    if (owner->status == OK)
        owner->status = waveform_scheme(p, relaxation, &local, &scheme);
    if (owner->status != OK)
        goto cleanup;
    const double *const from[] = {scheme.q1,      scheme.q2,      scheme.w,       scheme.centre,
                                  scheme.band[0], scheme.band[1], scheme.band[2], scheme.band[3]};
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < p->d; i++)
            out->q1[k * p->d + i] = (real)from[k][i];
    out->q2 = out->q1 + p->d;
    out->w = out->q1 + 2 * p->d;
    out->centre = out->q1 + 3 * p->d;
    for (int b = 0; b < p->bands; b++)
        out->band[b] = out->q1 + (4 + (size_t)b) * p->d;
    out->steps = scheme.steps;
    for (int lag = 0; lag < 3; lag++)
        out->b[lag] = (real)scheme.b[lag];
cleanup:
    let_go(&local);
}
