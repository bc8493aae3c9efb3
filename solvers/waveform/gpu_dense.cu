/*
 * GPU-DENSE: what a GPU can do with a full matrix in double: all iterations in one launch of blocks
 * that are there together (dense.h). The matrix is put into the order of lanes once, when a run is
 * planned.
 */
#ifndef RECIPE_D
#define RECIPE_D /* tensor cores have no other precision that would do */
#endif
#include "dense.h"

#include <stdlib.h>
#include <string.h>

#include "../common/kernels.h"
#include "rounded.h"

using namespace dense_waveform;

struct dense {
    struct memory memory;
    const struct waveform *in;
    struct progress progress;
    struct job job;
    unsigned blocks;
    double *out;       /* device [d][N] */
    double *g, *start; /* device [N][d], or null; [2][d] */
    double *packed[2]; /* host, of a waveform's points; the second of those never iterated */
    double *row;       /* host [d] */
};

/* Points in the order of an answer. */
static __global__ void unpack(const struct job w, const double *y, double *out)
{
    const size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x, points = w.sweep.points;
    if (k >= w.sweep.d * points)
        return;
    const size_t i = k / points;
    const int n = (int)(k % points);
    out[k] = n < w.sweep.steps
                 ? w.start[(size_t)n * w.sweep.d + i]
                 : y[i / COLUMNS * OF_POINTS + place_of_point(n - w.from, (int)(i % COLUMNS))];
}

/* --- the plan --- */

static size_t rows_of(const struct dense *g)
{
    return (g->in->d - 1) / ROWS * ROWS + ROWS;
}

static size_t stages_of(const struct dense *g) /* of a whole row */
{
    return (size_t)g->job.shares * (size_t)g->job.stages;
}

/* As many shares of a row as leave all blocks on the device at once, and each a stage. */
static enum status choose_shares(struct dense *g)
{
    ALLOW_SHARED(relax_all, BYTES);
    const size_t device = BLOCKS_TOGETHER(relax_all, THREADS, BYTES);
    const size_t rows = rows_of(g) / ROWS, stages = (g->in->d - 1) / COLUMNS + 1;
    if (device < rows)
        return because(SKIPPED,
                       "%zu blocks of this kernel fit on this device, and d = %zu takes %zu of "
                       "them; choose gpu-fused",
                       device, g->in->d, rows);
    size_t shares = 1;
    while (2 * shares <= MOST_SHARES && 2 * shares * rows <= device && 2 * shares <= stages)
        shares *= 2;
    g->job.shares = (int)shares;
    g->job.stages = (int)((stages - 1) / shares + 1);
    g->blocks = (unsigned)(rows * shares);
    return OK;
}

static void pack_rows(const double *m, size_t d, size_t i0, size_t stages, double *to)
{
    memset(to, 0, stages * OF_MATRIX * sizeof *to);
    for (size_t i = i0; i < d && i < i0 + ROWS; i++)
        for (size_t j = 0; j < d; j++)
            to[j / COLUMNS * OF_MATRIX + (size_t)place_of_row((int)(i - i0), (int)(j % COLUMNS))] =
                m[i * d + j];
}

static enum status upload_matrix(struct dense *g, enum relaxation relaxation)
{
    const size_t d = g->in->d, stages = stages_of(g), values = stages * OF_MATRIX;
    struct memory local = {OK, NULL};
    double *const m = (double *)take(&local, d * d * sizeof *m);
    double *const packed = (double *)take(&local, values * sizeof *packed), *device = NULL;
    take_device(&g->memory, &device, rows_of(g) / ROWS * values);
    enum status status = local.status == OK ? g->memory.status : local.status;
    if (status == OK)
        waveform_matrix_d(g->in, relaxation, m);
    for (size_t i0 = 0; i0 < d && status == OK; i0 += ROWS) {
        pack_rows(m, d, i0, stages, packed);
        status = device_put(device + i0 / ROWS * values, packed, values * sizeof *packed);
    }
    let_go(&local);
    g->job.matrix = device;
    return status;
}

static void set_scheme(struct dense *g, enum relaxation relaxation)
{
    const size_t d = g->in->d;
    struct P(rounded) scheme;
    double *device = NULL;
    P(rounded_make)(g->in, relaxation, &g->memory, &scheme);
    if (g->memory.status != OK)
        return;
    take_copy(&g->memory, &device, scheme.q1, 3 * d);
    struct sweep *const s = &g->job.sweep;
    s->d = s->pitch = d;
    s->points = g->in->points;
    s->steps = scheme.steps;
    s->lags = scheme.b[1] != 0 || scheme.b[2] != 0 ? scheme.steps : 0;
    for (int lag = 0; lag < 3; lag++)
        s->b[lag] = scheme.b[lag];
    s->q1.of = device;
    s->q2.of = device + d;
    s->w.of = device + 2 * d;
    g->job.from = s->steps - s->lags;
    g->job.count = (int)(g->in->points - (size_t)g->job.from);
}

static void allocate(struct dense *g)
{
    const struct waveform *const p = g->in;
    const size_t waveform = stages_of(g) * OF_POINTS, rows = rows_of(g);
    struct memory *const memory = &g->memory;
    static const bits none[SLOTS] = {0};
    for (int k = 0; k < 2; k++) {
        take_device(memory, &g->job.y[k], waveform);
        g->packed[k] = (double *)take(memory, waveform * sizeof *g->packed[k]);
    }
    if (g->job.shares > 1)
        take_device(memory, &g->job.parts, (size_t)g->job.shares * POINTS * rows);
    if (p->g != NULL)
        take_device(memory, &g->g, p->points * p->d);
    take_device(memory, &g->start, 2 * p->d);
    take_device(memory, &g->out, p->points * p->d);
    take_copy(memory, &g->job.most, none, SLOTS);
    take_locked(memory, &g->job.errors, (size_t)p->nmax);
    take_locked(memory, &g->job.iterations, 1);
    g->row = (double *)take(memory, p->d * sizeof *g->row);
    g->job.sweep.g = g->g;
    g->job.start = g->start;
    g->job.wanted = {p->tol, p->nmax};
}

template <enum relaxation relaxation>
static enum status plan(const struct instance *in, void **state)
{
    const struct waveform *const p = (const struct waveform *)in->data;
    if (!p->dense)
        return because(SKIPPED, "this kernel is for a full matrix; choose storage=dense");
    if (!KNOWS_BULK(relax_all))
        return because(SKIPPED, NO_BULK);
    struct dense *const g = (struct dense *)owner_new(sizeof *g);
    if (g == NULL)
        return ERR_MEMORY;
    g->in = p;
    progress_make(p, relaxation, false, &g->memory, &g->progress);
    set_scheme(g, relaxation);
    enum status status = g->memory.status;
    if (status == OK && g->job.count > POINTS)
        status = because(SKIPPED,
                         "this kernel has F at %d points in time, and N = %zu takes %d; "
                         "choose gpu-fused",
                         (int)POINTS, p->points, g->job.count);
    if (status == OK)
        status = choose_shares(g);
    if (status == OK)
        allocate(g);
    if (status == OK && g->memory.status == OK)
        status = upload_matrix(g, relaxation);
    return planned(g, status == OK ? g->memory.status : status, state);
}

/* --- the other calls --- */

static enum status load_g(const struct dense *g)
{
    const size_t d = g->in->d;
    enum status status = OK;
    for (size_t n = 0; n < g->in->points && g->g != NULL && status == OK; n++) {
        for (size_t i = 0; i < d; i++)
            g->row[i] = waveform_g(g->in, i, n);
        status = device_put(g->g + n * d, g->row, d * sizeof *g->row);
    }
    return status;
}

/* Both waveforms are y^0 in the points that are never iterated; NaN stands for what the first
 * iteration has to write. */
static enum status load(void *state)
{
    struct dense *const g = (struct dense *)state;
    const size_t d = g->in->d, values = stages_of(g) * OF_POINTS;
    const int from = g->job.from, steps = g->job.sweep.steps;
    enum status status = load_g(g);
    for (int k = 0; k < 2; k++)
        memset(g->packed[k], 0, values * sizeof *g->packed[k]);
    for (size_t i = 0; i < d; i++)
        for (int p = 0; p < g->job.count; p++) {
            const size_t at =
                i / COLUMNS * OF_POINTS + (size_t)place_of_point(p, (int)(i % COLUMNS));
            const double y = waveform_first(g->in, i, (size_t)p + (size_t)from);
            g->packed[0][at] = y;
            g->packed[1][at] = p + from < steps ? y : (double)NAN;
        }
    for (int k = 0; k < 2 && status == OK; k++)
        status = device_put(g->job.y[k], g->packed[k], values * sizeof *g->packed[k]);
    for (size_t n = 0; n < 2 && status == OK; n++) {
        for (size_t i = 0; i < d; i++)
            g->row[i] = waveform_first(g->in, i, n);
        status = device_put(g->start + n * d, g->row, d * sizeof *g->row);
    }
    const bits none[SLOTS] = {0};
    if (status == OK)
        status = device_put(g->job.most, none, sizeof none);
    progress_begin(&g->progress);
    g->job.progress = g->progress;
    *g->job.iterations = 0;
    return status == OK ? device_sync() : status;
}

static enum status run(void *state, struct laps *laps)
{
    struct dense *const g = (struct dense *)state;
    LAUNCH_COOP(relax_all, g->blocks, THREADS, BYTES)(g->job);
    enum status status = device_launched("relax_all");
    if (status == OK)
        status = device_sync();
    const long count = status == OK ? *g->job.iterations : 0;
    bool on = count > 0;
    for (long v = 0; v < count && on; v++)
        on = progress_goes_on(g->in, &g->progress, g->job.errors[v]);
    if (status == OK && (on || g->progress.iterations != count))
        status = because(ERR_DEVICE,
                         "the device stopped after %ld iterations, and its corrections "
                         "say otherwise",
                         count);
    lap(laps, "loop");
    return status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    enum { AT_ONCE = 256 };
    const struct dense *const g = (const struct dense *)state;
    const size_t values = g->in->d * g->in->points;
    LAUNCH_NB(unpack, (unsigned)((values - 1) / AT_ONCE + 1), AT_ONCE)
    (g->job, g->job.y[g->progress.iterations % 2], g->out);
    enum status status = device_launched("unpack");
    if (status == OK)
        status = device_get(out->values, g->out, values * sizeof *g->out);
    if (status == OK)
        progress_put(g->in, &g->progress, out);
    lap(laps, "back");
    return status;
}

const struct calls waveform_gpu_dense[] = {{plan<PICARD>, load, run, fetch, give_back},
                                           {plan<JACOBI>, load, run, fetch, give_back}};
