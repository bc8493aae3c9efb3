/*
 * What the kernel files share: the field on the device, its way there and back, and its boundary,
 * which a kernel sets.
 */
#pragma once
#include "parabolic.h"

#include <stdlib.h>

#include "machine/device.h"
#include "machine/launch.h"
#include "machine/precision.h"

#include "layout.h"
#include "stencil.h"

enum { THREADS = 128 }; /* of a block */

struct gpu {
    const struct parabolic *in;
    struct layout layout;
    dim3 grid;           /* blocks across x sets of rows */
    size_t rows;         /* of a set */
    real *u[2];          /* device, the field; the second one is jacobi's and GPU-TB's, else null */
    int now;             /* which of the two */
    real *kept;          /* device, the field at the snapshot; or null */
    real *frame;         /* device [4][n+2] G in the south, north, west and east; owns the next */
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

static inline size_t field_bytes(const struct gpu *g)
{
    return layout_field(&g->layout) * sizeof(real);
}

static inline enum status upload_lines(struct gpu *g)
{
    const size_t line = g->layout.n + 2, bytes = LINES * line * sizeof(real);
    struct lines lines = {};
    enum status status = P(parabolic_lines)(g->in, &lines);
    if (status == OK)
        status = device_alloc((void **)&g->frame, bytes);
    if (status == OK) {
        g->sine = g->frame + 4 * line;
        g->cosine = g->frame + 5 * line;
        status = device_put(g->frame, lines.south, bytes);
    }
    free(lines.south);
    return status;
}

static inline void gpu_destroy(void *state)
{
    struct gpu *g = (struct gpu *)state;
    if (g != NULL) {
        device_free(g->u[0]);
        device_free(g->u[1]);
        device_free(g->kept);
        device_free(g->frame);
        device_host_free(g->host);
    }
    free(g);
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
    struct gpu *g = (struct gpu *)calloc(1, sizeof *g);
    if (g == NULL)
        return because(ERR_MEMORY, "there is no memory for a plan");
    g->in = p;
    g->layout = layout_of(p->n, separated);
    g->grid = dim3(across, (unsigned)sets);
    g->rows = rows;
    enum status status = device_host_alloc((void **)&g->host, field_bytes(g));
    for (int k = 0; k < fields && status == OK; k++)
        status = device_alloc((void **)&g->u[k], field_bytes(g));
    if (status == OK && p->snapshot > 0)
        status = device_alloc((void **)&g->kept, field_bytes(g));
    if (status == OK)
        status = upload_lines(g);
    if (status == OK)
        *state = g;
    else
        gpu_destroy(g);
    return status;
}

static inline enum status gpu_load(void *state)
{
    struct gpu *const g = (struct gpu *)state;
    P(parabolic_split)(g->in, &g->layout, g->host);
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
        P(parabolic_merge)(&g->layout, g->host, to);
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
