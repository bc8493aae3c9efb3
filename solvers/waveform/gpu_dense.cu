/*
 * GPU-DENSE: what a GPU can do with a full matrix in double: all iterations in one launch of blocks
 * that are there together (dense.h). The matrix is put into the order of lanes once, when a run is
 * planned.
 *
 * GPU-DENSE-RANKS has the rows of a part on each of several cards, whose kernels write to each
 * other's memory; of one card it is gpu-dense. There a sum may be shared by other blocks than on
 * one card, and be another in its last bits.
 */
#ifndef RECIPE_D
#define RECIPE_D /* tensor cores have no other precision that would do */
#endif
#include "dense.h"

#include <stdlib.h>
#include <string.h>

#include "../common/hear.h"
#include "../common/kernels.h"
#include "machine/ranks.h"
#include "rounded.h"

using namespace dense_waveform;

/* The kernels that share a row so, of one card and of one rank of several. */
struct way {
    int shares;
    unsigned (*together)(void);
    enum status (*launch)(const struct part &job, unsigned blocks);
};

struct dense {
    struct memory memory;
    const struct waveform *in;
    bool several;       /* gpu-dense-ranks */
    size_t first, rows; /* before those that are here; of these */
    struct progress progress;
    const struct way *way;
    struct part job; /* of one card no more than its struct job */
    unsigned blocks;
    double *errors;    /* host, [nmax] */
    double *out;       /* device [rows][N] */
    double *g, *start; /* device [N][rows], or null; [2][rows] */
    double *packed[2]; /* host, of a waveform's points; the second of those never iterated */
    double *row;       /* host [rows] */
    double *laid_out;  /* device, one of these, of several ranks */
    unsigned *none;    /* host, tallies of nothing */
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

/* To where all ranks write, which is not the host's to fill. */
static __global__ void lay_out(const double *from, double *to, size_t count)
{
    const size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count)
        to[k] = from[k];
}

/* --- the plan --- */

static size_t blocks_of(size_t rows)
{
    return (rows - 1) / ROWS + 1;
}

static size_t stages_of(const struct dense *g) /* of a whole row */
{
    return (size_t)max(g->job.shares, 1) * (size_t)g->job.stages;
}

static size_t stages_with_columns(const struct dense *g)
{
    return (g->in->d - 1) / COLUMNS + 1;
}

/* Of a waveform in device memory; the host has as many. On all ranks it is the same. */
static size_t values_of(const struct dense *g)
{
    return (stages_with_columns(g) + MOST_SHARES) * OF_POINTS;
}

static enum status set_rows(struct dense *g)
{
    const size_t stages = stages_with_columns(g), ranks = (size_t)g->job.ranks;
    const size_t first = stages * (size_t)g->job.own / ranks;
    const size_t end = stages * ((size_t)g->job.own + 1) / ranks;
    if (stages < ranks)
        return because(SKIPPED,
                       "%zu ranks share %zu rows, and each but the last one needs %d; choose a "
                       "larger d, or fewer ranks",
                       ranks, g->in->d, (int)COLUMNS);
    if (ranks > MOST_RANKS)
        return because(SKIPPED, "%zu ranks; this kernel knows %d", ranks, (int)MOST_RANKS);
    g->job.first = (int)first;
    g->job.count_own = (int)(end - first);
    g->first = first * COLUMNS;
    g->rows = min(g->in->d, end * COLUMNS) - g->first;
    return OK;
}

template <int shares, class JOB> static unsigned together(void)
{
    ALLOW_SHARED((relax_all<shares, JOB>), BYTES);
    return BLOCKS_TOGETHER((relax_all<shares, JOB>), THREADS, BYTES);
}

template <int shares, class JOB> static enum status launch(const struct part &job, unsigned blocks)
{
    LAUNCH_TOGETHER((relax_all<shares, JOB>), blocks, THREADS, BYTES)(job);
    return device_launched("relax_all");
}

#define WAY(shares, JOB)                                                                           \
    {                                                                                              \
        shares, together<shares, JOB>, launch<shares, JOB>                                         \
    }
static const struct way ways[] = {WAY(STRETCHES, job), WAY(1, job), WAY(2, job),
                                  WAY(4, job),         WAY(8, job), WAY(MOST_SHARES, job)};
/* What is sent are whole stages. */
static const struct way ways_of_ranks[] = {WAY(STRETCHES, part), WAY(1, part), WAY(2, part),
                                           WAY(4, part), WAY(ROWS / COLUMNS, part)};
enum {
    WAYS = sizeof ways / sizeof *ways,
    WAYS_OF_RANKS = sizeof ways_of_ranks / sizeof *ways_of_ranks
};

/* A matrix stays in the L2 cache where half of a large one has room for it. To keep a part of a
 * larger one takes longer on an H100. */
static int kept_of(const struct dense *g)
{
    const double room = (double)(32 << 20);
    const double bytes = (double)g->rows * (double)g->in->d * (double)sizeof(double);
    return bytes > room ? 0 : (int)KEEPS;
}

/* As many shares of a row as leave all blocks on the device at once, and each a stage. Rows of
 * which there are more than blocks are taken in stretches, and on several ranks also those that
 * leave blocks without any: of 128 rows for 132 blocks an iteration took 1.10 ms, and 1.05 so. */
static enum status choose_shares(struct dense *g)
{
    const struct way *const all = g->several ? ways_of_ranks : ways;
    const int count = g->several ? (int)WAYS_OF_RANKS : (int)WAYS;
    const size_t device = all->together(), rows = blocks_of(g->rows);
    const size_t stages = stages_with_columns(g);
    if (device == 0)
        return because(SKIPPED, "no block of this kernel fits on this device; choose gpu-fused");
    g->way = all;
    for (int k = 1; k < count; k++) {
        const size_t shares = (size_t)all[k].shares;
        if (shares * rows <= all[k].together() && shares <= stages &&
            (shares > 1 || !g->several || stages == 1))
            g->way = &all[k];
    }
    const size_t shares = (size_t)max(g->way->shares, 1);
    g->job.shares = g->way->shares;
    g->job.stages = (int)((stages - 1) / shares + 1);
    g->job.kept = kept_of(g);
    g->blocks = (unsigned)(rows * shares);
    if (g->job.shares == STRETCHES) {
        g->blocks = (unsigned)min(device, rows * stages);
        g->job.each = (int)(rows * stages / g->blocks);
        g->job.more = (int)(rows * stages % g->blocks);
    }
    return OK;
}

/* A block of rows after the other, and of each its stages, as blocks of the device have them. */
struct walk {
    int block, stage; /* of the block */
};

static size_t walk_on(const struct dense *g, struct walk *at)
{
    const struct part &job = g->job;
    const int here = job.shares == STRETCHES ? count_of_stretch(job, at->block) : job.stages;
    const int number = g->several
                           ? number_of(job, job.shares, at->block, at->stage)
                           : number_of((const struct job &)job, job.shares, at->block, at->stage);
    if (++at->stage == here) {
        at->stage = 0;
        at->block++;
    }
    return (size_t)number;
}

/* Rows of a block. */
static void pack_rows(const struct dense *g, const double *m, size_t rows, struct walk *at,
                      double *to)
{
    const size_t d = g->in->d;
    memset(to, 0, stages_of(g) * OF_MATRIX * sizeof *to);
    for (double *stage = to; stage < to + stages_of(g) * OF_MATRIX; stage += OF_MATRIX) {
        const size_t first = walk_on(g, at) * COLUMNS;
        for (size_t i = 0; i < rows; i++)
            for (size_t j = first; j < d && j < first + COLUMNS; j++)
                stage[place_of_row((int)i, (int)(j - first))] = m[i * d + j];
    }
}

static enum status upload_matrix(struct dense *g, enum relaxation relaxation)
{
    const size_t d = g->in->d, values = stages_of(g) * OF_MATRIX;
    struct memory local = {OK, NULL};
    struct walk at = {0, 0};
    double *const m = (double *)take(&local, ROWS * d * sizeof *m);
    double *const packed = (double *)take(&local, values * sizeof *packed), *device = NULL;
    take_device(&g->memory, &device, blocks_of(g->rows) * values);
    enum status status = local.status == OK ? g->memory.status : local.status;
    for (size_t i0 = 0; i0 < g->rows && status == OK; i0 += ROWS) {
        const size_t rows = min(g->rows - i0, (size_t)ROWS);
        waveform_rows_d(g->in, relaxation, g->first + i0, rows, m);
        pack_rows(g, m, rows, &at, packed);
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

/* Two of all blocks, then one of each block of rows, or of a stretch. */
static size_t tallies_of(const struct dense *g)
{
    return (2 + max(blocks_of(g->rows), (size_t)g->blocks)) * APART;
}

static void allocate(struct dense *g)
{
    const struct waveform *const p = g->in;
    const size_t waveform = values_of(g);
    struct memory *const memory = &g->memory;
    const size_t tallies = tallies_of(g);
    static const bits none[SLOTS] = {0};
    for (int k = 0; k < 2; k++) {
        if (!g->several)
            take_device(memory, &g->job.y[k], waveform);
        g->packed[k] = (double *)take(memory, waveform * sizeof *g->packed[k]);
    }
    if (g->job.shares != 1)
        take_device(memory, &g->job.parts, (size_t)g->blocks * OF_PARTS);
    if (p->g != NULL)
        take_device(memory, &g->g, p->points * g->rows);
    take_device(memory, &g->start, 2 * g->rows);
    take_device(memory, &g->out, p->points * g->rows);
    take_copy(memory, &g->job.most, none, SLOTS);
    take_device(memory, &g->job.ended, tallies);
    g->none = (unsigned *)take(memory, tallies * sizeof *g->none);
    g->errors = (double *)take(memory, (size_t)p->nmax * sizeof *g->errors);
    take_locked(memory, &g->job.told, 1 + 2 * (size_t)p->nmax);
    g->row = (double *)take(memory, g->rows * sizeof *g->row);
    if (g->several)
        take_device(memory, &g->laid_out, waveform);
    g->job.sweep.g = g->g;
    g->job.start = g->start;
    g->job.sent = g->job.ended + APART;
    g->job.joined = g->job.ended + 2 * APART;
    g->job.wanted = {p->tol, p->nmax};
}

/* All ranks come here, also one that has no memory. */
static enum status share(struct dense *g, enum status status)
{
    void *there[MOST_RANKS];
    g->job.values = values_of(g);
    status = ranks_agree(status);
    if (status == OK)
        status = ranks_share(2 * g->job.values * sizeof(double) + SHARED_BYTES, there);
    for (int rank = 0; rank < g->job.ranks && status == OK; rank++)
        g->job.there[rank] = (double *)there[rank];
    for (int k = 0; k < 2 && status == OK; k++)
        g->job.y[k] = g->job.there[g->job.own] + (size_t)k * g->job.values;
    return status;
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
    if (status == OK) {
        allocate(g);
        status = g->memory.status;
    }
    if (g->several)
        status = share(g, status);
    if (status == OK)
        status = upload_matrix(g, relaxation);
    return status == OK ? g->memory.status : status;
}

static enum status make(const struct instance *in, enum relaxation relaxation, bool several,
                        void **state)
{
    const struct waveform *const p = (const struct waveform *)in->data;
    if (!p->dense)
        return because(SKIPPED, "this kernel is for a full matrix; choose storage=dense");
    if (!KNOWS_BULK((relax_all<1, job>)))
        return because(SKIPPED, NO_BULK);
    struct dense *const g = (struct dense *)owner_new(sizeof *g);
    if (g == NULL)
        return ERR_MEMORY;
    g->in = p;
    g->several = several;
    g->job.own = several ? ranks_own() : 0;
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
            const size_t at =
                i / COLUMNS * OF_POINTS + (size_t)place_of_point(p, (int)(i % COLUMNS));
            const double y = waveform_first(g->in, i, (size_t)p + (size_t)from);
            g->packed[0][at] = y;
            g->packed[1][at] = p + from < steps ? y : (double)NAN;
        }
}

static enum status load_points(struct dense *g, int k)
{
    enum { AT_ONCE = 256 };
    const size_t values = values_of(g);
    double *const to = g->several ? g->laid_out : g->job.y[k];
    const enum status status = device_put(to, g->packed[k], values * sizeof *to);
    if (status != OK || !g->several)
        return status;
    LAUNCH_NB(lay_out, (unsigned)((values - 1) / AT_ONCE + 1), AT_ONCE)(to, g->job.y[k], values);
    return device_launched("lay_out");
}

static enum status load(void *state)
{
    struct dense *const g = (struct dense *)state;
    const size_t rows = g->rows;
    enum status status = load_g(g);
    pack_points(g);
    for (int k = 0; k < 2 && status == OK; k++)
        status = load_points(g, k);
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
    return status == OK ? device_sync() : status;
}

/* How many iterations there were, and their corrections, which a rank hears when its kernel has
 * ended. */
static enum status hear_all(const struct dense *g, long *count)
{
    const struct part &job = g->job;
    unsigned iterations = 0;
    enum status status = g->several ? device_sync() : OK;
    if (status == OK)
        status = hear(job.told, 1, job.run, &iterations);
    if (status == OK)
        status = hear(job.told + 1, 2 * (size_t)iterations, job.run, g->errors);
    *count = (long)iterations;
    return status;
}

/* The mark of the lap is there before the host has heard. All ranks see the same corrections, and
 * end alike. */
static enum status run(void *state, struct laps *laps)
{
    struct dense *const g = (struct dense *)state;
    long count = 0;
    g->job.run++;
    enum status status = g->way->launch(g->job, g->blocks);
    lap(laps, "loop");
    if (status == OK)
        status = hear_all(g, &count);
    bool on = count > 0;
    g->job.base += (int)count + 1;
    for (long v = 0; v < count && on; v++)
        on = progress_goes_on(g->in, &g->progress, g->errors[v]);
    if (status == OK && (on || g->progress.iterations != count))
        status = because(ERR_DEVICE,
                         "the device stopped after %ld iterations, and its corrections "
                         "say otherwise",
                         count);
    return status;
}

/* The rows of all ranks. */
static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    enum { AT_ONCE = 256 };
    const struct dense *const g = (const struct dense *)state;
    const size_t points = g->in->points, values = g->rows * points, size = sizeof *g->out;
    const struct rank_part part = {g->out, values * size, g->first * points * size, 0, 0, 0};
    const struct part &job = g->job;
    const double *const y = job.y[g->progress.iterations % 2];
    LAUNCH_NB(unpack, (unsigned)((values - 1) / AT_ONCE + 1), AT_ONCE)
    (job, y + (size_t)job.first * OF_POINTS, g->out);
    const enum status launched = device_launched("unpack");
    const enum status brought = ranks_unload(&part, out->values);
    if (job.own == 0)
        progress_put(g->in, &g->progress, out);
    lap(laps, "back");
    return launched == OK ? brought : launched;
}

const struct calls waveform_gpu_dense[] = {{plan<PICARD, false>, load, run, fetch, give_back},
                                           {plan<JACOBI, false>, load, run, fetch, give_back}};
const struct calls waveform_gpu_dense_ranks[] = {{plan<PICARD, true>, load, run, fetch, give_back},
                                                 {plan<JACOBI, true>, load, run, fetch, give_back}};
