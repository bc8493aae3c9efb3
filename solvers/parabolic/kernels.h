/*
 * What the kernel files share: the field on the device, its way there and back, and its boundary,
 * which a kernel sets.
 */
#pragma once
#include "parabolic.h"

#include "machine/launch.h"
#include "machine/precision.h"

#include "../common/kernels.h"
#include "layout.h"
#include "stencil.h"

enum { THREADS = 128 }; /* of a block */

struct gpu {
    struct memory memory;
    const struct parabolic *in;
    struct layout layout;
    struct rows here;    /* all, but for GPU-limit-ranks */
    dim3 grid;           /* blocks across x sets of rows */
    size_t rows;         /* of a set */
    real *u[2];          /* device, the field; the second one is jacobi's and GPU-TB's, else null */
    int now;             /* which of the two */
    real *kept;          /* device, the field at the snapshot; or null */
    real *frame;         /* device [4][n+2] G in the south, north, west and east */
    real *sine, *cosine; /* device [n+2] */
    real *host;          /* page-locked, the field on its way there and back */
    const struct kernels *kernels; /* of the variants that are one but for these; else null */
};

static __global__ void boundary(real *u, const struct layout l, const real *frame, real red,
                                real black)
{
    const size_t m = (size_t)blockIdx.x * THREADS + threadIdx.x, last = l.n + 1;
    const unsigned side = blockIdx.y;
    await_previous();
    if (m >= l.n)
        return;
    const size_t i = side == 2 ? 0 : side == 3 ? last : m + 1;
    const size_t j = side == 0 ? 0 : side == 1 ? last : m + 1;
    u[layout_index(&l, i, j)] =
        ((i + j) % 2 == RED ? red : black) * frame[side * (l.n + 2) + m + 1];
}

static inline enum status run_boundary(const struct gpu *g, real *u, real red, real black)
{
    const dim3 grid((unsigned)((g->layout.n + THREADS - 1) / THREADS), 4);
    LAUNCH_NB_EARLY(boundary, grid, THREADS)(u, g->layout, g->frame, red, black);
    return device_launched("boundary");
}

static inline size_t field_values(const struct gpu *g)
{
    return (g->here.high - g->here.low) * g->layout.pitch * (g->layout.separated ? 2 : 1);
}

static inline size_t field_bytes(const struct gpu *g)
{
    return field_values(g) * sizeof(real);
}

static inline void upload_lines(struct gpu *g)
{
    const size_t line = g->layout.n + 2;
    struct lines lines = {};
    P(parabolic_lines)(g->in, &g->memory, &lines);
    take_copy(&g->memory, &g->frame, lines.south, LINES * line);
    g->sine = g->frame + 4 * line;
    g->cosine = g->frame + 5 * line;
}

/* `fields` on the device for a run, besides a snapshot; sets of `rows` rows, `across` blocks each.
 */
static inline enum status gpu_make(const struct parabolic *p, bool separated, int fields,
                                   unsigned across, size_t rows, void **state)
{
    const size_t sets = (p->n - 1) / rows + 1;
    if (p->scheme == JACOBI && separated)
        return because(SKIPPED, "jacobi needs a second array; CPU and GPU have one");
    if (sets > 65535)
        return because(ERR_ARGS,
                       "sets of %zu rows are %zu, more than one launch can have; choose more rows",
                       rows, sets);
    struct gpu *g = (struct gpu *)owner_new(sizeof *g);
    if (g == NULL)
        return ERR_MEMORY;
    g->in = p;
    g->layout = layout_of(p->n, separated);
    g->here = all_rows(&g->layout);
    g->grid = dim3(across, (unsigned)sets);
    g->rows = rows;
    const size_t values = field_values(g);
    take_locked(&g->memory, &g->host, values);
    for (int k = 0; k < fields; k++)
        take_device(&g->memory, &g->u[k], values);
    if (p->snapshot > 0)
        take_device(&g->memory, &g->kept, values);
    upload_lines(g);
    return planned(g, g->memory.status, state);
}

static inline enum status gpu_load(void *state)
{
    struct gpu *const g = (struct gpu *)state;
    P(parabolic_split)(g->in, &g->layout, &g->here, g->host);
    g->now = 0;
    const enum status status = device_put(g->u[0], g->host, field_bytes(g));
    return status == OK ? device_sync() : status;
}

/* u after `record`, if that is the snapshot. */
static inline enum status keep_snapshot(const struct gpu *g, size_t record)
{
    return record + 1 == g->in->snapshot ? device_copy(g->kept, g->u[g->now], field_bytes(g)) : OK;
}

static inline enum status fetch_one(const struct gpu *g, const real *device, real *to,
                                    struct laps *laps)
{
    const enum status status = device_get(g->host, device, field_bytes(g));
    lap(laps, "back");
    if (status == OK)
        P(parabolic_merge)(&g->layout, &g->here, g->host, to);
    lap(laps, "back");
    return status;
}

static inline enum status gpu_fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct gpu *const g = (const struct gpu *)state;
    real *u = (real *)out->values;
    enum status status = OK;
    if (g->kept != NULL) {
        status = fetch_one(g, g->kept, u, laps);
        u += g->layout.n * g->layout.n;
    }
    if (status == OK)
        status = fetch_one(g, g->u[g->now], u, laps);
    return status;
}
