/*
 * DIRECT-LAPACK: what a user of LAPACK would do instead of iterating: one factorisation of I - h A
 * for a symmetric positive definite tridiagonal matrix, and a solve for each point in time.
 */
#include "rounded.h"

#ifdef HAVE_OPENBLAS

#include <limits.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/order.h"

#if REAL_IS_DOUBLE
#define pttrf dpttrf_
#define pttrs dpttrs_
#else
#define pttrf spttrf_
#define pttrs spttrs_
#endif

void pttrf(const int *n, real *d, real *e, int *info);
void pttrs(const int *n, const int *nrhs, const real *d, const real *e, real *b, const int *ldb,
           int *info);

struct direct {
    struct memory memory;
    const struct waveform *in;
    struct progress progress;
    real *diagonal, *beside; /* [d] */
    real *y;                 /* [N][d] */
};

static enum status plan(const struct instance *in, void **state)
{
    const struct waveform *p = in->data;
    const enum status status = waveform_plan_direct(in, true);
    if (status != OK)
        return status;
    if (p->d > INT_MAX)
        return because(SKIPPED, "LAPACK counts in int, and d = %zu is more than %d", p->d, INT_MAX);
    struct direct *o = owner_new(sizeof *o);
    if (o == NULL)
        return ERR_MEMORY;
    o->in = p;
    o->diagonal = take(&o->memory, p->d * sizeof *o->diagonal);
    o->beside = take(&o->memory, p->d * sizeof *o->beside);
    o->y = take_filled(&o->memory, p->d * p->points * sizeof *o->y);
    progress_make(p, DIRECT, !REAL_IS_DOUBLE, &o->memory, &o->progress);
    return planned(o, o->memory.status, state);
}

static enum status load(void *state)
{
    struct direct *o = state;
    for (size_t i = 0; i < o->in->d; i++)
        o->y[i] = (real)waveform_first(o->in, i, 0);
    progress_begin(&o->progress);
    return OK;
}

static enum status run(void *state, struct laps *laps)
{
    struct direct *o = state;
    const struct waveform *const p = o->in;
    const int d = (int)p->d, one = 1;
    int info = 0;
    for (size_t i = 0; i < p->d; i++) {
        o->diagonal[i] = (real)(1 - p->h * p->diagonal[i]);
        o->beside[i] = (real)(-p->h * (i + 1 < p->d ? p->band[1][i] : 0));
    }
    pttrf(&d, o->diagonal, o->beside, &info);
    lap(laps, "factor");
    for (size_t n = 1; n < p->points && info == 0; n++) {
        real *const y = o->y + n * p->d;
        memcpy(y, y - p->d, p->d * sizeof *y);
        pttrs(&d, &one, o->diagonal, o->beside, y, &d, &info);
    }
    progress_direct(&o->progress);
    lap(laps, "solve");
    return info == 0 ? OK : because(ERR_DIVERGED, "LAPACK gave up with info = %d", info);
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct direct *o = state;
    natural_order_by_one(out->values, o->y, sizeof *o->y, o->in->d, o->in->points);
    progress_put(o->in, &o->progress, out);
    lap(laps, "back");
    return OK;
}

const struct calls P(waveform_lapack)[] = {
    {.plan = plan, .load = load, .run = run, .fetch = fetch, .destroy = give_back}};

#endif
