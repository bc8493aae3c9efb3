/*
 * A scheme in the stored precision: what every variant of that precision reads.
 */
#include "rounded.h"

#include <stdlib.h>

void P(rounded_free)(struct P(rounded) * r)
{
    free(r->q1);
    r->q1 = NULL;
}

enum status P(rounded_make)(const struct waveform *p, enum relaxation relaxation,
                            struct P(rounded) * out)
{
    struct scheme scheme;
    *out = (struct P(rounded)){.all = (real)p->all, .bands = p->bands};
    enum status status = waveform_scheme(p, relaxation, &scheme);
    if (status != OK)
        return status;
    const double *const from[] = {scheme.q1,      scheme.q2,      scheme.w,       scheme.centre,
                                  scheme.band[0], scheme.band[1], scheme.band[2], scheme.band[3]};
    const size_t count = 4 + (size_t)p->bands;
    out->q1 = malloc(count * p->d * sizeof *out->q1);
    if (out->q1 == NULL)
        status = because(ERR_MEMORY, "there is no memory for %zu coefficients", count * p->d);
    for (size_t k = 0; k < count && status == OK; k++)
        for (size_t i = 0; i < p->d; i++)
            out->q1[k * p->d + i] = (real)from[k][i];
    waveform_scheme_free(&scheme);
    if (status != OK)
        return status;
    out->q2 = out->q1 + p->d;
    out->w = out->q1 + 2 * p->d;
    out->centre = out->q1 + 3 * p->d;
    for (int b = 0; b < p->bands; b++)
        out->band[b] = out->q1 + (4 + (size_t)b) * p->d;
    out->steps = scheme.steps;
    for (int lag = 0; lag < 3; lag++)
        out->b[lag] = (real)scheme.b[lag];
    return OK;
}
