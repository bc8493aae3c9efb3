/*
 * DIRECT-CUSPARSE: what a user of the CUDA Toolkit would do instead of iterating: for each point in
 * time a solve with I - h A by cuSPARSE's solver for any tridiagonal matrix, without pivoting,
 * which has no factorisation that could be kept.
 */
#include "rounded.h"

#include "machine/launch.h"

#ifndef REPRISE_EMULATED

#include <limits.h>

#include "../common/cusparse.h"
#include "../common/kernels.h"
#include "turn.h"

struct direct {
    struct memory memory;
    const struct waveform *in;
    struct progress progress;
    void *handle;
    char *buffer;                   /* device */
    real *lower, *diagonal, *upper; /* device [d] */
    real *y, *room;                 /* device [N][d] */
    real *row;                      /* host [3][d] */
};

static void set_matrix(struct direct *g)
{
    const struct waveform *const p = g->in;
    real *const lower = g->row, *const diagonal = lower + p->d, *const upper = diagonal + p->d;
    for (size_t i = 0; i < p->d; i++) {
        lower[i] = (real)(-p->h * p->band[0][i]);
        diagonal[i] = (real)(1 - p->h * p->diagonal[i]);
        upper[i] = (real)(-p->h * p->band[1][i]);
    }
    take_copy(&g->memory, &g->lower, lower, p->d);
    take_copy(&g->memory, &g->diagonal, diagonal, p->d);
    take_copy(&g->memory, &g->upper, upper, p->d);
}

static enum status allocate(struct direct *g)
{
    const struct waveform *const p = g->in;
    const int d = (int)p->d;
    size_t bytes = 0;
    progress_make(p, DIRECT, !REAL_IS_DOUBLE, &g->memory, &g->progress);
    take_cusparse(&g->memory, &g->handle);
    take_device(&g->memory, &g->y, p->d * p->points);
    take_device(&g->memory, &g->room, p->d * p->points);
    g->row = (real *)take(&g->memory, 3 * p->d * sizeof *g->row);
    if (g->memory.status != OK)
        return g->memory.status;
    set_matrix(g);
    if (g->memory.status == OK)
        g->memory.status = of_cusparse(
            cusparse.size(g->handle, d, 1, g->lower, g->diagonal, g->upper, g->y, d, &bytes));
    take_device(&g->memory, &g->buffer, bytes);
    return g->memory.status;
}

static enum status plan(const struct instance *in, void **state)
{
    const struct waveform *const p = (const struct waveform *)in->data;
    enum status status = waveform_plan_direct(in, false);
    if (status == OK && (p->d < 3 || p->d > INT_MAX))
        status = because(SKIPPED, "gtsv2_nopivot takes from 3 to %d unknowns, and d = %zu", INT_MAX,
                         p->d);
    if (status == OK)
        status = open_cusparse();
    if (status != OK)
        return status;
    struct direct *const g = (struct direct *)owner_new(sizeof *g);
    if (g == NULL)
        return ERR_MEMORY;
    g->in = p;
    return planned(g, allocate(g), state);
}

static enum status load(void *state)
{
    struct direct *const g = (struct direct *)state;
    for (size_t i = 0; i < g->in->d; i++)
        g->row[i] = (real)waveform_first(g->in, i, 0);
    progress_begin(&g->progress);
    const enum status status = device_put(g->y, g->row, g->in->d * sizeof *g->row);
    return status == OK ? device_sync() : status;
}

static enum status run(void *state, struct laps *laps)
{
    struct direct *const g = (struct direct *)state;
    const size_t d = g->in->d;
    enum status status = OK;
    for (size_t n = 1; n < g->in->points && status == OK; n++) {
        real *const y = g->y + n * d;
        status = device_copy(y, y - d, d * sizeof *y);
        if (status == OK)
            status = of_cusparse(cusparse.solve(g->handle, (int)d, 1, g->lower, g->diagonal,
                                                g->upper, y, (int)d, g->buffer));
    }
    progress_direct(&g->progress);
    lap(laps, "solve");
    return status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct direct *const g = (const struct direct *)state;
    const size_t d = g->in->d, points = g->in->points;
    enum status status = launch_turn(d, d, points, g->y, g->room);
    if (status == OK)
        status = device_get(out->values, g->room, d * points * sizeof *g->room);
    if (status == OK)
        progress_put(g->in, &g->progress, out);
    lap(laps, "back");
    return status;
}

const struct calls P(waveform_cusparse)[1] = {{plan, load, run, fetch, give_back}};

#endif
