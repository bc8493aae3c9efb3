/*
 * GPU-FUSED: what a GPU can do, an iteration in one kernel. Waveforms lie time after time, y at
 * [n*pitch+i]. Sparse: a thread for each component takes it through all of time. Dense: a block
 * multiplies its rows of the matrix by all waveforms, and goes on to the recurrence of these rows
 * before anything is stored. The kernel finds its largest difference; the host reads those of BATCH
 * iterations at once, and an iteration behind the last one notices and does nothing.
 * CUBLAS is the same with cuBLAS for the product of a dense matrix, and a kernel for what follows.
 */
#include "kernels.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../common/kernels.h"
#include "rounded.h"
#include "stopping.h"
#include "turn.h"
#ifndef REPRISE_EMULATED
#include "../common/cublas.h"
#endif

enum {
    FEW = 16384,       /* components that smaller blocks spread over the device */
    SUM_THREADS = 128, /* of a block that adds up */
    SUM_STRIP = 4096,  /* components that it takes, or more, if there were too many blocks */
    MOST_STRIPS = 8,   /* of one point in time */
    MOST_SPLITS = 8    /* of a row of the matrix among blocks */
};

/* --- what goes before an iteration, before all and after --- */

/* The sum over a strip of components at a point in time. */
static __global__ void add_up(const struct sweep s, const real *__restrict__ y, real *sums)
{
    SHARED(real, of_warp, [SUM_THREADS / 32]);
    const unsigned n = blockIdx.x, strip = blockIdx.y, thread = threadIdx.x;
    const size_t most = (s.d - 1) / gridDim.y + 1, end = min((strip + 1) * most, s.d);
    real sum = 0;
    for (size_t i = strip * most + thread; i < end; i += SUM_THREADS)
        sum += y[n * s.pitch + i];
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, by);
    if (thread % 32 == 0)
        of_warp[thread / 32] = sum;
    __syncthreads();
    if (thread != 0)
        return;
    sum = 0;
    for (int k = 0; k < SUM_THREADS / 32; k++)
        sum += of_warp[k];
    sums[strip * s.points + n] = sum;
}

/* Both waveforms are what they begin with in all points, `second` in the one after the first;
 * beyond the last component 0. */
static __global__ void begin(const struct sweep s, const real *first, const real *second, real *y,
                             real *other)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.pitch)
        return;
    for (size_t n = 0; n < s.points; n++) {
        const real value = i >= s.d ? R(0) : n == 1 ? second[i] : first[i];
        y[n * s.pitch + i] = value;
        other[n * s.pitch + i] = value;
    }
}

/* --- on the host --- */

struct fused {
    struct memory memory;
    const struct waveform *in;
    struct sweep sweep;
    struct progress progress;
    const struct way *way; /* of a dense matrix */
    unsigned splits;       /* of its rows */
    void *cublas;          /* makes the product instead; or null */
    real *product;         /* device [N][pitch], if it does */
    /* On the device, one behind the other up to the coefficients: */
    real *y[2];         /* [N, and more if dense][pitch]; iteration v goes to y[v % 2] */
    real *g, *sums;     /* as in sweep */
    real *start;        /* [2][d] */
    real *coefficients; /* [4+bands][d] */
    real *m;            /* device, as in sweep */
    bits *errors;       /* device, [2][BATCH], and what is ready */
    int half;           /* of the errors, that is next */
    real *row;          /* host, [2][pitch] */
};

static unsigned blocks_of(size_t all, size_t each)
{
    return (unsigned)((all - 1) / each + 1);
}

/* Shapes of the dense kernel. */
struct way {
    int rows, times;
    unsigned (*at_once)(void);
    enum status (*launch)(const struct fused *g, const struct window &w, const real *old,
                          real *next, const struct watch &at);
};

template <int rows, int tiles> static unsigned dense_at_once(void)
{
    using shape = shape<rows, tiles>;
    ALLOW_SHARED((relax_dense<rows, tiles>), shape::bytes);
    return BLOCKS_AT_ONCE((relax_dense<rows, tiles>), shape::threads, shape::bytes);
}

template <int rows, int tiles>
static enum status launch_dense(const struct fused *g, const struct window &w, const real *old,
                                real *next, const struct watch &at)
{
    using shape = shape<rows, tiles>;
    LAUNCH((relax_dense<rows, tiles>), dim3(blocks_of(g->in->d, rows), g->splits), shape::threads,
           shape::bytes)
    (g->sweep, w, old, next, at);
    return device_launched("relax_dense");
}

#define WAY(rows, tiles)                                                                           \
    {                                                                                              \
        rows, 8 * (tiles), dense_at_once<rows, tiles>, launch_dense<rows, tiles>                   \
    }
enum { WIDTHS = 3, HEIGHTS = 3 };
static const struct way ways[HEIGHTS][WIDTHS] = {
    {WAY(128, 1), WAY(128, 7), WAY(128, 8)},
    {WAY(64, 1), WAY(64, 7), WAY(64, 8)},
    {WAY(32, 1), WAY(32, 7), WAY(32, 8)},
};

/* As few points in time as will do, else the most; as many rows as leave a fifth of the device or
 * more a block each, for these read the waveforms less often. Less of both where the device has not
 * the shared memory. What is free then shares rows. */
static enum status choose_way(struct fused *g)
{
    const struct sweep *const s = &g->sweep;
    const size_t times = s->points - (size_t)(s->steps - s->lags);
    int width = 0, height = 0;
    while (width + 1 < WIDTHS && (size_t)ways[0][width].times < times)
        width++;
    while (width > 0 && ways[HEIGHTS - 1][width].at_once() == 0)
        width--;
    while (height + 1 < HEIGHTS && ways[height][width].at_once() == 0)
        height++;
    const size_t device = ways[height][width].at_once();
    if (device == 0)
        return because(SKIPPED, "no block of the dense kernel fits on this device");
    while (height + 1 < HEIGHTS && (size_t)ways[height][0].rows * device > 5 * s->d)
        height++;
    g->way = &ways[height][width];
    const unsigned blocks = blocks_of(s->d, (size_t)g->way->rows);
    const unsigned stages = (unsigned)(s->pitch / DEPTH), shares = g->way->at_once() / blocks;
    g->splits = max(min(min(shares, stages), (unsigned)MOST_SPLITS), 1u);
    return OK;
}

/* Rows of the matrix, with those that fill the last block. */
static size_t rows_of(const struct fused *g)
{
    if (g->way == NULL)
        return g->in->d;
    return blocks_of(g->in->d, (size_t)g->way->rows) * (size_t)g->way->rows;
}

static enum status relax_in_windows(const struct fused *g, const real *old, real *next,
                                    const struct watch &at)
{
    const struct sweep *const s = &g->sweep;
    struct window w = {0, (size_t)s->steps, 0};
    enum status status = OK;
    for (; w.end < s->points && status == OK; w.first = w.end) {
        w.from = w.first - (size_t)s->lags;
        w.end = min(w.from + (size_t)g->way->times, s->points);
        status = g->way->launch(g, w, old, next, at);
    }
    return status;
}

static enum status add_up_sparse(const struct fused *g, const real *y)
{
    if (g->sweep.sums == NULL)
        return OK;
    LAUNCH(add_up, dim3((unsigned)g->in->points, (unsigned)g->sweep.strips), SUM_THREADS, 0)
    (g->sweep, y, g->sums);
    return device_launched("add_up");
}

/* Where components lie in a plane, so do the threads: neighbours share what they read. */
static enum status relax_in_one(const struct fused *g, const real *old, real *next,
                                const struct watch &at)
{
    const struct sweep *const s = &g->sweep;
    const bool plane = s->width < s->d;
    const unsigned threads = s->d <= FEW ? 64 : 32 * MOST_WARPS;
    const dim3 block(plane ? 32 : threads, plane ? threads / 32 : 1);
    const dim3 grid(blocks_of(s->width, block.x), blocks_of(s->d, s->width * block.y));
#define SWEEP(bands, steps, lags)                                                                  \
    LAUNCH((relax_sparse<bands, steps, lags>), grid, block, 0)(*s, old, next, at)
#define SWEEPS(bands)                                                                              \
    if (s->steps == 1 && s->lags == 0)                                                             \
        SWEEP(bands, 1, 0);                                                                        \
    else if (s->steps == 1)                                                                        \
        SWEEP(bands, 1, 1);                                                                        \
    else if (s->lags == 0)                                                                         \
        SWEEP(bands, 2, 0);                                                                        \
    else                                                                                           \
        SWEEP(bands, 2, 2)
    if (plane) {
        SWEEPS(4);
    } else {
        SWEEPS(2);
    }
    return device_launched("relax_sparse");
}

#ifndef REPRISE_EMULATED
/* Behind the library's product, which is made in vain behind the last iteration. */
static __global__ void relax_behind(const struct sweep s, const struct window w,
                                    const real *product, const real *__restrict__ old,
                                    real *__restrict__ next, const struct watch at)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (!goes_on(at))
        return;
    bits most = 0;
    if (i < s.d)
        most = relax_row(s, w, {product + i, s.pitch, 0, i}, old, next);
    note_largest(at, most);
}

/* Rows of the matrix and points in time are columns to it. */
static enum status relax_by_library(const struct fused *g, const real *old, real *next,
                                    const struct watch &at)
{
    enum { THREADS = 64 };
    const struct sweep *const s = &g->sweep;
    const size_t from = (size_t)(s->steps - s->lags);
    const real one = 1, none = 0;
    const int d = (int)s->d, pitch = (int)s->pitch, points = (int)(s->points - from);
    const enum status status = of_cublas(cublas.gemm(
        g->cublas, CUBLAS_TRANSPOSED, CUBLAS_AS_IT_LIES, d, points, d, &one, g->m, pitch,
        old + from * s->pitch, pitch, &none, g->product + from * s->pitch, pitch));
    if (status != OK)
        return status;
    LAUNCH(relax_behind, blocks_of(s->d, THREADS), THREADS, 0)
    (*s, {0, (size_t)s->steps, s->points}, g->product, old, next, at);
    return device_launched("relax_behind");
}
#endif

static enum status relax(const struct fused *g, long iteration, const struct watch &at)
{
    const real *const old = g->y[(iteration - 1) % 2];
    real *const next = g->y[iteration % 2];
#ifndef REPRISE_EMULATED
    if (g->cublas != NULL)
        return relax_by_library(g, old, next, at);
#endif
    if (g->in->dense)
        return relax_in_windows(g, old, next, at);
    const enum status status = add_up_sparse(g, old);
    return status == OK ? relax_in_one(g, old, next, at) : status;
}

/* --- the calls --- */

/* first .. last-1 of the component's values count; where they are all alike, none has to be read.
 */
static struct coefficient coefficient_of(const real *device, const real *host, size_t first,
                                         size_t last)
{
    for (size_t i = first; i + 1 < last; i++)
        if (!(host[i] == host[i + 1]))
            return {device, 0};
    return {NULL, first < last ? host[first] : R(0)};
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void set_method(struct sweep *s, const struct P(rounded) * scheme)
{
    for (int lag = 0; lag < 3; lag++)
        s->b[lag] = scheme->b[lag];
    s->all = scheme->all;
    s->steps = scheme->steps;
    s->lags = s->b[1] != 0 || s->b[2] != 0 ? scheme->steps : 0;
}

static void upload_scheme(struct fused *g, const struct P(rounded) * scheme)
{
    const size_t d = g->in->d, bands = (size_t)g->in->bands;
    struct sweep *const s = &g->sweep;
    const real *const c = g->coefficients;
    s->q1 = coefficient_of(c, scheme->q1, 0, d);
    s->q2 = coefficient_of(c + d, scheme->q2, 0, d);
    s->w = coefficient_of(c + 2 * d, scheme->w, 0, d);
    s->centre = coefficient_of(c + 3 * d, scheme->centre, 0, d);
    for (size_t b = 0; b < bands; b++) {
        const ptrdiff_t offset = g->in->offset[b];
        const size_t far = smaller((size_t)(offset < 0 ? -offset : offset), d);
        s->offset[b] = offset;
        s->band[b] = coefficient_of(c + (4 + b) * d, scheme->band[b], offset < 0 ? far : 0,
                                    offset < 0 ? d : d - far);
    }
    if (g->memory.status == OK)
        g->memory.status =
            device_put(g->coefficients, scheme->q1, (4 + bands) * d * sizeof *scheme->q1);
}

/* With zeros behind each row. */
static enum status upload_matrix(struct fused *g, enum relaxation relaxation)
{
    const size_t d = g->in->d, pitch = g->sweep.pitch;
    struct memory local = {OK, NULL};
    real *const m = (real *)take(&local, d * d * sizeof *m);
    enum status status = local.status;
    if (status != OK)
        return status;
    P(waveform_matrix)(g->in, relaxation, m);
    take_device(&g->memory, &g->m, rows_of(g) * pitch);
    status = g->memory.status;
    if (status == OK && d == pitch)
        status = device_put(g->m, m, d * d * sizeof *m);
    memset(g->row, 0, pitch * sizeof *g->row);
    for (size_t i = 0; i < d && d < pitch && status == OK; i++) {
        memcpy(g->row, m + i * d, d * sizeof *m);
        status = device_put(g->m + i * pitch, g->row, pitch * sizeof *m);
    }
    let_go(&local);
    g->sweep.m = g->m;
    return status;
}

/* All that is on the device but the matrix and the whole numbers. */
static void allocate_values(struct fused *g)
{
    const struct waveform *p = g->in;
    struct sweep *const s = &g->sweep;
    const bool with_sums = !p->dense && p->all != 0;
    s->strips = with_sums ? (int)smaller(blocks_of(s->d, SUM_STRIP), MOST_STRIPS) : 0;
    const size_t times = g->way != NULL ? (size_t)g->way->times : 0; /* stages reach that far on */
    const size_t waveform = (s->points + times) * s->pitch;
    const size_t sums = (size_t)s->strips * s->points;
    const size_t given = p->g != NULL ? waveform : 0, coefficients = (4 + (size_t)p->bands) * s->d;
    const size_t parts = g->splits > 1 ? g->splits * times * rows_of(g) : 0;
    const size_t product = g->cublas != NULL ? waveform : 0;
    const size_t all = 2 * waveform + given + parts + product + 2 * s->d + coefficients + sums;
    take_device(&g->memory, &g->y[0], all);
    g->y[1] = g->y[0] + waveform;
    g->g = g->y[1] + waveform;
    s->parts = g->g + given;
    g->product = s->parts + parts;
    g->start = g->product + product;
    g->coefficients = g->start + 2 * s->d;
    g->sums = g->coefficients + coefficients;
    s->g = given > 0 ? g->g : NULL;
    s->sums = sums > 0 ? g->sums : NULL;
}

static void allocate_words(struct fused *g)
{
    const size_t blocks = g->way != NULL ? rows_of(g) / (size_t)g->way->rows : 0;
    const size_t bytes = 2 * BATCH * sizeof *g->errors + blocks * sizeof *g->sweep.ready;
    unsigned char *const none = (unsigned char *)own(&g->memory, calloc(1, bytes), free),
                         *words = NULL;
    take_copy(&g->memory, &words, none, bytes);
    g->errors = (bits *)words;
    g->sweep.ready = (unsigned *)(g->errors + 2 * BATCH);
}

static enum status allocate(struct fused *g, enum relaxation relaxation)
{
    const struct waveform *p = g->in;
    struct sweep *const s = &g->sweep;
    s->d = p->d;
    s->points = p->points;
    s->pitch = (p->d - 1) / DEPTH * DEPTH + DEPTH;
    s->width = p->bands > 2 ? (size_t)p->offset[3] : p->d;
    g->row = (real *)take(&g->memory, 2 * s->pitch * sizeof *g->row);
    struct P(rounded) scheme;
    progress_make(p, relaxation, !REAL_IS_DOUBLE, &g->memory, &g->progress);
    P(rounded_make)(p, relaxation, &g->memory, &scheme);
    if (g->memory.status != OK)
        return g->memory.status;
    set_method(s, &scheme);
    const enum status status = p->dense && g->cublas == NULL ? choose_way(g) : OK;
    if (status != OK)
        return status;
    allocate_values(g);
    upload_scheme(g, &scheme);
    allocate_words(g);
    return g->memory.status == OK && p->dense ? upload_matrix(g, relaxation) : g->memory.status;
}

template <enum relaxation relaxation>
static enum status plan(const struct instance *in, void **state)
{
    struct fused *g = (struct fused *)owner_new(sizeof *g);
    if (g == NULL)
        return ERR_MEMORY;
    g->in = (const struct waveform *)in->data;
    return planned(g, allocate(g, relaxation), state);
}

static enum status load_g(const struct fused *g)
{
    enum status status = OK;
    for (size_t n = 0; n < g->in->points && g->in->g != NULL && status == OK; n++) {
        for (size_t i = 0; i < g->in->d; i++)
            g->row[i] = (real)waveform_g(g->in, i, n);
        status = device_put(g->g + n * g->sweep.pitch, g->row, g->in->d * sizeof *g->row);
    }
    return status;
}

/* The first iterate is the same in all points but the second, so two of them are enough. */
static enum status load(void *state)
{
    struct fused *const g = (struct fused *)state;
    const size_t d = g->in->d;
    const bits none[2 * BATCH] = {0};
    enum status status = load_g(g);
    for (size_t n = 0; n < 2; n++)
        for (size_t i = 0; i < d; i++)
            g->row[n * d + i] = (real)waveform_first(g->in, i, n);
    if (status == OK)
        status = device_put(g->start, g->row, 2 * d * sizeof *g->row);
    if (status == OK)
        status = device_put(g->errors, none, sizeof none);
    if (status == OK) {
        LAUNCH_NB(begin, blocks_of(g->sweep.pitch, 64), 64)
        (g->sweep, g->start, g->start + d, g->y[0], g->y[1]);
        status = device_launched("begin");
    }
    g->half = 0;
    progress_begin(&g->progress);
    return status == OK ? device_sync() : status;
}

static double size_of(bits b)
{
    real size;
    memcpy(&size, &b, sizeof size);
    return (double)size;
}

/* At most so many iterations, whose corrections the host then looks at, one after the other. */
static enum status run_batch(struct fused *g, int most, bool *on)
{
    const int count = (int)smaller((size_t)progress_sure(g->in, &g->progress), (size_t)most);
    const long done = g->progress.iterations;
    bits *const now = g->errors + g->half * BATCH, *const later = g->errors + (1 - g->half) * BATCH;
    bits errors[BATCH];
    enum status status = OK;
    for (int k = 0; k < count && status == OK; k++)
        status = relax(g, done + k + 1, {k > 0 ? now + k - 1 : NULL, now + k, later, g->in->tol});
    if (status == OK)
        status = device_get(errors, now, (size_t)count * sizeof *errors);
    for (int k = 0; k < count && status == OK && *on; k++)
        *on = progress_goes_on(g->in, &g->progress, size_of(errors[k]));
    g->half = 1 - g->half;
    return status;
}

static enum status run(void *state, struct laps *laps)
{
    struct fused *const g = (struct fused *)state;
    bool on = true;
    enum status status = OK;
    while (status == OK && on)
        status = run_batch(g, BATCH, &on);
    lap(laps, "loop");
    return status;
}

/* The iterate before the last one makes room. */
static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct fused *const g = (const struct fused *)state;
    const size_t d = g->in->d, points = g->in->points;
    const real *const y = g->y[g->progress.iterations % 2];
    real *const room = g->y[1 - g->progress.iterations % 2];
    enum status status = launch_turn(d, g->sweep.pitch, points, y, room);
    if (status == OK)
        status = device_get(out->values, room, d * points * sizeof *room);
    if (status == OK)
        progress_put(g->in, &g->progress, out);
    lap(laps, "back");
    return status;
}

const struct calls P(waveform_gpu_fused)[] = {{plan<PICARD>, load, run, fetch, give_back},
                                              {plan<JACOBI>, load, run, fetch, give_back}};

/* --- cublas --- */

#ifndef REPRISE_EMULATED

template <enum relaxation relaxation>
static enum status plan_cublas(const struct instance *in, void **state)
{
    const struct waveform *const p = (const struct waveform *)in->data;
    if (!p->dense)
        return because(SKIPPED, "cuBLAS has no product for a sparse matrix; choose storage=dense");
    if (p->d > INT_MAX - DEPTH || p->points > INT_MAX)
        return because(SKIPPED, "cuBLAS counts in int, and d = %zu or N = %zu is more than %d",
                       p->d, p->points, INT_MAX - DEPTH);
    const enum status status = open_cublas();
    if (status != OK)
        return status;
    struct fused *const g = (struct fused *)owner_new(sizeof *g);
    if (g == NULL)
        return ERR_MEMORY;
    g->in = p;
    take_cublas(&g->memory, &g->cublas);
    return planned(g, g->memory.status == OK ? allocate(g, relaxation) : g->memory.status, state);
}

/* So many iterations that few products are made in vain. */
static enum status run_cublas(void *state, struct laps *laps)
{
    struct fused *const g = (struct fused *)state;
    const struct wanted wanted = {g->in->tol, g->in->nmax};
    struct progress *const at = &g->progress;
    bool on = true;
    enum status status = OK;
    for (int most = BATCH; status == OK && on;) {
        status = run_batch(g, most, &on);
        const long done = at->iterations;
        const double before = done > 1 ? at->err[done - 2] : 0;
        most = on ? sweeps_ahead(at, wanted, before, at->err[done - 1], BATCH) : 0;
    }
    lap(laps, "loop");
    return status;
}

const struct calls P(waveform_cublas)[] = {
    {plan_cublas<PICARD>, load, run_cublas, fetch, give_back},
    {plan_cublas<JACOBI>, load, run_cublas, fetch, give_back}};

#endif
