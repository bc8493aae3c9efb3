/*
 * GPU-DENSE: what a GPU can do with a full matrix in double: all iterations in one launch of blocks
 * that are there together (dense.h). The matrix is put into the order of lanes once, when a run is
 * planned.
 *
 * GPU-DENSE-RANKS has the rows of a part on each of several cards. There a sum may be shared by
 * more blocks than on one card, and be another in its last bits.
 */
#ifndef RECIPE_D
#define RECIPE_D /* tensor cores have no other precision that would do */
#endif
#include "dense.h"

#include <stdlib.h>
#include <string.h>

#include "../common/kernels.h"
#include "machine/ranks.h"
#include "rounded.h"

using namespace dense_waveform;

enum { AHEAD_OF_HOST = 4 /* of several ranks: iterations before it looks, at most */ };

/* The kernels that share a row so. */
struct way {
    int shares;
    unsigned (*all_together)(void), (*parts_together)(void);
    enum status (*launch_all)(const struct job &job, unsigned blocks);
    enum status (*launch_part)(const struct part &job, unsigned blocks, int rank);
};

struct dense {
    struct memory memory;
    const struct waveform *in;
    bool several;       /* gpu-dense-ranks */
    int own;            /* rank */
    size_t first, rows; /* before those that are here; of these */
    struct progress progress;
    const struct way *way;
    struct part job; /* of one card no more than its struct job */
    unsigned blocks;
    double *out;       /* device [rows][N] */
    double *g, *start; /* device [N][rows], or null; [2][rows] */
    double *packed[2]; /* host, of a waveform's points; the second of those never iterated */
    double *row;       /* host [rows] */
    unsigned *none;    /* host, tallies of nothing */
    double *answer;    /* host [rows][N], of several ranks */
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

static size_t blocks_of(size_t rows)
{
    return (rows - 1) / ROWS + 1;
}

static size_t stages_of(const struct dense *g) /* of a whole row */
{
    return (size_t)g->job.shares * (size_t)g->job.stages;
}

static size_t stages_with_columns(const struct dense *g)
{
    return (g->in->d - 1) / COLUMNS + 1;
}

/* Of several ranks, whose parts have room for a stage more than some of them fill. */
static size_t stages_with_room(const struct dense *g)
{
    return (size_t)g->job.ranks * (size_t)g->job.stages_each;
}

/* Stages with columns before those of a rank. */
static size_t stages_before(const struct dense *g, size_t rank)
{
    return stages_with_columns(g) * rank / (size_t)g->job.ranks;
}

/* Which stage of a row a stage with columns is. */
static size_t stage_of(const struct dense *g, size_t number)
{
    const size_t rank = ((number + 1) * (size_t)g->job.ranks - 1) / stages_with_columns(g);
    return rank * (size_t)g->job.stages_each + number - stages_before(g, rank);
}

/* Of a waveform in device memory; the host has as many. */
static size_t values_of(const struct dense *g)
{
    return place_of_stage(g->job, max(stages_of(g), stages_with_room(g)));
}

static enum status set_rows(struct dense *g)
{
    const size_t d = g->in->d, stages = stages_with_columns(g), ranks = (size_t)g->job.ranks;
    const size_t own = (size_t)g->own;
    if (stages < ranks)
        return because(SKIPPED,
                       "%zu ranks share %zu rows, and each but the last one needs %d; choose a "
                       "larger d, or fewer ranks",
                       ranks, d, (int)COLUMNS);
    g->job.stages_each = (int)((stages - 1) / ranks + 1);
    g->first = stages_before(g, own) * COLUMNS;
    g->rows = min(d, stages_before(g, own + 1) * COLUMNS) - g->first;
    return OK;
}

template <int shares> static unsigned all_together(void)
{
    ALLOW_SHARED(relax_all<shares>, BYTES);
    return BLOCKS_TOGETHER(relax_all<shares>, THREADS, BYTES);
}

template <int shares> static unsigned parts_together(void)
{
    ALLOW_SHARED(relax_part<shares>, BYTES);
    return BLOCKS_TOGETHER(relax_part<shares>, THREADS, BYTES);
}

template <int shares> static enum status launch_all(const struct job &job, unsigned blocks)
{
    LAUNCH_TOGETHER(relax_all<shares>, blocks, THREADS, BYTES)(job);
    return device_launched("relax_all");
}

template <int shares>
static enum status launch_part(const struct part &job, unsigned blocks, int rank)
{
    if (shares > 1)
        LAUNCH_TOGETHER(relax_part<shares>, blocks, THREADS, BYTES)(job, rank);
    else
        LAUNCH(relax_part<shares>, blocks, THREADS, BYTES)(job, rank);
    return device_launched("relax_part");
}

#define WAY(shares)                                                                                \
    {                                                                                              \
        shares, all_together<shares>, parts_together<shares>, launch_all<shares>,                  \
            launch_part<shares>                                                                    \
    }
static const struct way ways[] = {WAY(1), WAY(2), WAY(4), WAY(8), WAY(MOST_SHARES)};
enum { WAYS = sizeof ways / sizeof *ways };

static unsigned blocks_together(const struct dense *g, const struct way *way)
{
    return g->several ? way->parts_together() : way->all_together();
}

/* A matrix stays in the L2 cache where half of a large one has room for it. To keep a part of a
 * larger one takes longer on an H100. */
static int kept_of(const struct dense *g)
{
    const double room = (double)(32 << 20);
    const double bytes = (double)g->rows * (double)g->in->d * (double)sizeof(double);
    return bytes > room ? 0 : (int)KEEPS;
}

/* As many shares of a row as leave all blocks on the device at once, and each a stage; on all ranks
 * as many. Blocks of several ranks that share no row need not be there at once. */
static enum status choose_shares(struct dense *g)
{
    const size_t d = g->in->d, device = blocks_together(g, ways);
    const size_t stages = stages_with_room(g);
    const size_t rows = blocks_of(g->several ? (size_t)g->job.stages_each * COLUMNS : d);
    if (device < (g->several ? 1 : rows))
        return because(SKIPPED,
                       "%zu blocks of this kernel fit on this device, and d = %zu takes %zu of "
                       "them; choose gpu-fused",
                       device, d, rows);
    g->way = ways;
    for (const struct way *next = ways + 1; next < ways + WAYS; next++) {
        const size_t shares = (size_t)next->shares;
        if (shares * rows <= blocks_together(g, next) && shares <= stages)
            g->way = next;
    }
    const size_t shares = (size_t)g->way->shares;
    g->job.shares = g->way->shares;
    g->job.stages = (int)((stages - 1) / shares + 1);
    g->job.kept = kept_of(g);
    g->blocks = (unsigned)(blocks_of(g->rows) * shares);
    return OK;
}

/* Rows of a block. */
static void pack_rows(const struct dense *g, const double *m, size_t rows, double *to)
{
    const size_t d = g->in->d;
    memset(to, 0, stages_of(g) * OF_MATRIX * sizeof *to);
    for (size_t first = 0; first < d; first += COLUMNS) {
        double *const stage = to + stage_of(g, first / COLUMNS) * OF_MATRIX;
        for (size_t i = 0; i < rows; i++)
            for (size_t j = first; j < d && j < first + COLUMNS; j++)
                stage[place_of_row((int)i, (int)(j - first))] = m[i * d + j];
    }
}

static enum status upload_matrix(struct dense *g, enum relaxation relaxation)
{
    const size_t d = g->in->d, values = stages_of(g) * OF_MATRIX;
    struct memory local = {OK, NULL};
    double *const m = (double *)take(&local, ROWS * d * sizeof *m);
    double *const packed = (double *)take(&local, values * sizeof *packed), *device = NULL;
    take_device(&g->memory, &device, blocks_of(g->rows) * values);
    enum status status = local.status == OK ? g->memory.status : local.status;
    for (size_t i0 = 0; i0 < g->rows && status == OK; i0 += ROWS) {
        const size_t rows = min(g->rows - i0, (size_t)ROWS);
        waveform_rows_d(g->in, relaxation, g->first + i0, rows, m);
        pack_rows(g, m, rows, packed);
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
    s->d = s->pitch = g->rows;
    s->points = g->in->points;
    s->steps = scheme.steps;
    s->lags = scheme.b[1] != 0 || scheme.b[2] != 0 ? scheme.steps : 0;
    for (int lag = 0; lag < 3; lag++)
        s->b[lag] = scheme.b[lag];
    s->q1.of = device + g->first;
    s->q2.of = device + d + g->first;
    s->w.of = device + 2 * d + g->first;
    g->job.from = s->steps - s->lags;
    g->job.count = (int)(g->in->points - (size_t)g->job.from);
}

/* One of all blocks, then one of each block of rows. */
static size_t tallies_of(const struct dense *g)
{
    return (1 + blocks_of(g->rows)) * APART;
}

static void allocate(struct dense *g)
{
    const struct waveform *const p = g->in;
    const size_t waveform = values_of(g);
    struct memory *const memory = &g->memory;
    const size_t tallies = tallies_of(g);
    static const bits none[SLOTS] = {0};
    for (int k = 0; k < 2; k++) {
        take_device(memory, &g->job.y[k], waveform);
        g->packed[k] = (double *)take(memory, waveform * sizeof *g->packed[k]);
    }
    if (g->job.shares > 1)
        take_device(memory, &g->job.parts,
                    (size_t)g->job.shares * POINTS * blocks_of(g->rows) * ROWS);
    if (p->g != NULL)
        take_device(memory, &g->g, p->points * g->rows);
    take_device(memory, &g->start, 2 * g->rows);
    take_device(memory, &g->out, p->points * g->rows);
    take_copy(memory, &g->job.most, none, SLOTS);
    take_device(memory, &g->job.ended, tallies);
    g->none = (unsigned *)take(memory, tallies * sizeof *g->none);
    take_locked(memory, &g->job.errors, (size_t)p->nmax);
    take_locked(memory, &g->job.iterations, 1);
    g->row = (double *)take(memory, g->rows * sizeof *g->row);
    g->job.sweep.g = g->g;
    g->job.start = g->start;
    g->job.joined = g->job.ended + APART;
    g->job.wanted = {p->tol, p->nmax};
    if (!g->several)
        return;
    take_device(memory, &g->job.made, values_of_part(g->job));
    take_device(memory, &g->job.now, 1);
    g->answer = (double *)take_touched(memory, p->points * g->rows * sizeof *g->answer);
}

static enum status fill(struct dense *g, enum relaxation relaxation)
{
    const struct waveform *const p = g->in;
    enum status status = set_rows(g);
    if (status != OK)
        return status;
    progress_make(p, relaxation, false, &g->memory, &g->progress);
    set_scheme(g, relaxation);
    status = g->memory.status;
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
    return status == OK ? g->memory.status : status;
}

static enum status make(const struct instance *in, enum relaxation relaxation, bool several,
                        void **state)
{
    const struct waveform *const p = (const struct waveform *)in->data;
    if (!p->dense)
        return because(SKIPPED, "this kernel is for a full matrix; choose storage=dense");
    if (!KNOWS_BULK(relax_all<1>))
        return because(SKIPPED, NO_BULK);
    struct dense *const g = (struct dense *)owner_new(sizeof *g);
    if (g == NULL)
        return ERR_MEMORY;
    g->in = p;
    g->several = several;
    g->own = several ? ranks_own() : 0;
    g->job.ranks = several ? ranks_count() : 1;
    return planned(g, fill(g, relaxation), state);
}

template <enum relaxation relaxation, bool several>
static enum status plan(const struct instance *in, void **state)
{
    return make(in, relaxation, several && ranks_count() > 1, state);
}

/* --- the other calls --- */

static enum status load_g(const struct dense *g)
{
    const size_t rows = g->rows;
    enum status status = OK;
    for (size_t n = 0; n < g->in->points && g->g != NULL && status == OK; n++) {
        for (size_t i = 0; i < rows; i++)
            g->row[i] = waveform_g(g->in, g->first + i, n);
        status = device_put(g->g + n * rows, g->row, rows * sizeof *g->row);
    }
    return status;
}

/* Both waveforms are y^0 in the points that are never iterated; NaN stands for what the first
 * iteration has to write. */
static void pack_points(struct dense *g)
{
    const int from = g->job.from, steps = g->job.sweep.steps;
    for (int k = 0; k < 2; k++)
        memset(g->packed[k], 0, values_of(g) * sizeof *g->packed[k]);
    for (size_t i = 0; i < g->in->d; i++)
        for (int p = 0; p < g->job.count; p++) {
            const size_t at = place_of_stage(g->job, stage_of(g, i / COLUMNS)) +
                              (size_t)place_of_point(p, (int)(i % COLUMNS));
            const double y = waveform_first(g->in, i, (size_t)p + (size_t)from);
            g->packed[0][at] = y;
            g->packed[1][at] = p + from < steps ? y : (double)NAN;
        }
}

/* What is made of a part is what the second one has there. */
static enum status load_part(struct dense *g)
{
    const size_t values = values_of_part(g->job);
    struct progress now = g->progress;
    now.err = g->job.errors;
    const enum status status = device_put(g->job.made, g->packed[1] + (size_t)g->own * values,
                                          values * sizeof *g->job.made);
    return status == OK ? device_put(g->job.now, &now, sizeof now) : status;
}

static enum status load(void *state)
{
    struct dense *const g = (struct dense *)state;
    const size_t rows = g->rows;
    enum status status = load_g(g);
    pack_points(g);
    for (int k = 0; k < 2 && status == OK; k++)
        status = device_put(g->job.y[k], g->packed[k], values_of(g) * sizeof *g->packed[k]);
    for (size_t n = 0; n < 2 && status == OK; n++) {
        for (size_t i = 0; i < rows; i++)
            g->row[i] = waveform_first(g->in, g->first + i, n);
        status = device_put(g->start + n * rows, g->row, rows * sizeof *g->row);
    }
    const bits none[SLOTS] = {0};
    if (status == OK)
        status = device_put(g->job.most, none, sizeof none);
    memset(g->none, 0, tallies_of(g) * sizeof *g->none);
    if (status == OK)
        status = device_put(g->job.ended, g->none, tallies_of(g) * sizeof *g->none);
    progress_begin(&g->progress);
    g->job.progress = g->progress;
    *g->job.iterations = 0;
    if (status == OK && g->several)
        status = load_part(g);
    return status == OK ? device_sync() : status;
}

static enum status run(void *state, struct laps *laps)
{
    struct dense *const g = (struct dense *)state;
    const struct job &job = g->job;
    enum status status = g->way->launch_all(job, g->blocks);
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

/* The v-th of several ranks; where others wait, also if there is nothing to do. */
static enum status iterate(const struct dense *g, long v)
{
    const struct part &job = g->job;
    enum status status = g->way->launch_part(job, g->blocks, g->own);
    if (status == OK)
        status = ranks_gather(job.made, job.y[(v + 1) % 2], values_of_part(job) * sizeof *job.made);
    if (status != OK)
        return status;
    LAUNCH_NB(judge, 1, 1)(job);
    return device_launched("judge");
}

/* All ranks see the same corrections, and so ask for as many iterations. */
static enum status run_ranks(void *state, struct laps *laps)
{
    struct dense *const g = (struct dense *)state;
    if (!g->several) /* one is gpu-dense */
        return run(state, laps);
    struct progress *const progress = &g->progress;
    const double *const errors = g->job.errors;
    enum status status = OK;
    int count = (int)min(g->in->nmax, (long)AHEAD_OF_HOST);
    for (bool on = true; on && status == OK;) {
        const long begin = progress->iterations, end = begin + count;
        for (long v = begin; v < end && status == OK; v++)
            status = iterate(g, v);
        if (status == OK)
            status = device_sync();
        for (long v = begin; v < end && on && status == OK; v++)
            on = progress_goes_on(g->in, progress, errors[v]);
        if (on && status == OK)
            count = sweeps_ahead(progress, g->job.wanted, end > 1 ? errors[end - 2] : (double)NAN,
                                 errors[end - 1], AHEAD_OF_HOST);
    }
    lap(laps, "loop");
    return status;
}

/* What is this rank's. */
static enum status fetch_own(const struct dense *g, double *to)
{
    enum { AT_ONCE = 256 };
    const size_t values = g->rows * g->in->points;
    const struct job &job = g->job;
    const double *const y = job.y[g->progress.iterations % 2];
    LAUNCH_NB(unpack, (unsigned)((values - 1) / AT_ONCE + 1), AT_ONCE)
    (job, y + (size_t)g->own * values_of_part(g->job), g->out);
    const enum status status = device_launched("unpack");
    return status == OK ? device_get(to, g->out, values * sizeof *g->out) : status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct dense *const g = (const struct dense *)state;
    const enum status status = fetch_own(g, (double *)out->values);
    if (status == OK)
        progress_put(g->in, &g->progress, out);
    lap(laps, "back");
    return status;
}

/* All ranks bring what they have, also one whose copy failed, for which the others would wait. */
static enum status fetch_ranks(void *state, struct solution *out, struct laps *laps)
{
    const struct dense *const g = (const struct dense *)state;
    if (!g->several)
        return fetch(state, out, laps);
    const enum status status = fetch_own(g, g->answer);
    ranks_collect(g->answer, g->rows * g->in->points * sizeof *g->answer, out->values);
    if (g->own == 0)
        progress_put(g->in, &g->progress, out);
    lap(laps, "back");
    return status;
}

const struct calls waveform_gpu_dense[] = {{plan<PICARD, false>, load, run, fetch, give_back},
                                           {plan<JACOBI, false>, load, run, fetch, give_back}};
const struct calls waveform_gpu_dense_ranks[] = {
    {plan<PICARD, true>, load, run_ranks, fetch_ranks, give_back},
    {plan<JACOBI, true>, load, run_ranks, fetch_ranks, give_back}};
