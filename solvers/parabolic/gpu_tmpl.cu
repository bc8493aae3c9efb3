/*
 * GPU, GPU-RB and GPU-RBS: per step a kernel for the boundary and one for each colour, with 128
 * threads per block, each of which walks through a set of rows. GPU keeps one array, the others an
 * array per colour; GPU-RBS updates 127 points per row and block, from three rows in shared memory.
 * Added: 64-bit indices, guards for every N and number of rows, black sets in reverse order,
 * launches that overlap, and for GPU alone a second array.
 *
 * GPU-TB, not in the paper: temporal blocking. A kernel takes several steps on all points, and each
 * point is read and written once for all of them.
 */
#include "parabolic.h"

#include <stdlib.h>

#include "machine/device.h"
#include "machine/launch.h"

#include "layout.h"
#include "machine/precision.h"
#include "stencil.h"

enum { THREADS = 128 }; /* of a block */

/* Rows that a thread of GPU and GPU-RB takes at once, an even number: their loads are under way
 * together, which a current memory needs. */
enum { UNIFIED_AT_ONCE = 64 / sizeof(real), SEPARATED_AT_ONCE = 16 };

/* What is the same for all points of a phase. */
struct phase {
    stencil c;
    size_t n, pitch, rows;
    int colour;
};

struct gpu;
struct pass;

struct kernels {
    unsigned pairs; /* of columns that a block updates */
    bool separated;
    enum status (*update[4])(const struct gpu *g, const struct phase *f, const real *from,
                             real *to); /* of models 1 .. 4; from == to: in place */
    enum status (*pass[4])(struct gpu *g, const struct pass *of); /* instead, from array to array */
    unsigned (*passes_at_once[4])(void);                          /* blocks of one */
};

struct gpu {
    const struct parabolic *in;
    const struct kernels *kernels;
    struct layout layout;
    dim3 grid;           /* pairs of columns x sets of rows */
    size_t rows;         /* of a set */
    real *u[2];          /* device, the field; the second one is jacobi's and GPU-TB's, else null */
    int now;             /* which of the two */
    real *kept;          /* device, the field at the snapshot; or null */
    real *frame;         /* device [4][n] G in the south, north, west and east */
    real *sine, *cosine; /* device [n+2] of model 3; or null */
    real *host;          /* page-locked, the field on its way there and back */
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
    u[layout_index(&l, i, j)] = ((i + j) % 2 == RED ? red : black) * frame[side * l.n + m];
}

static enum status run_boundary(const struct gpu *g, real *u, real red, real black)
{
    const dim3 grid((unsigned)((g->layout.n + THREADS - 1) / THREADS), 4);
    LAUNCH_NB_EARLY(boundary, grid, THREADS)(u, g->layout, g->frame, red, black);
    return device_launched("boundary");
}

/* Of the block's set of rows. Red phases begin with the lowest set, black ones with the highest: a
 * phase finds in the cache what the last one left there. */
static __device__ __forceinline__ size_t first_row(const struct phase &f)
{
    return 1 + (f.colour == RED ? blockIdx.y : gridDim.y - 1 - blockIdx.y) * f.rows;
}

/* The m-th thread of a row has the columns 2m+1 and 2m+2: of these the colour has the first one in
 * rows where j + colour is odd, the second one in the others. All loads come before the first
 * store. A point beyond the last column, which is in the array, is computed and not stored. */
template <int model, bool separated, int count, int odd>
static __device__ __forceinline__ void update_rows(const struct phase &f, const real *sine,
                                                   const real *cosine, const real *beside,
                                                   const real *old, real *to, size_t m, size_t j)
{
    real fresh[count];
    for (int b = 0; b < count; b++) {
        const int first = odd ^ (b & 1);
        const size_t i = 2 * m + 2 - first, line = (j + b) * f.pitch;
        const size_t at = line + (separated ? m + 1 - first : i);
        const size_t west = separated ? line + m : at - 1, east = west + (separated ? 1 : 2);
        const struct row row = row_of(model, &f.c, j + b, sine, cosine);
        fresh[b] = updated(model, &f.c, &row, i, model == 3 ? sine[i] : 0,
                           model == 3 ? cosine[i] : 0, old[at], beside[east], beside[west],
                           beside[at + f.pitch], beside[at - f.pitch]);
    }
    for (int b = 0; b < count; b++) {
        const int first = odd ^ (b & 1);
        const size_t i = 2 * m + 2 - first, line = (j + b) * f.pitch;
        if (i <= f.n)
            to[line + (separated ? m + 1 - first : i)] = fresh[b];
    }
}

template <int model, bool separated, int odd>
static __device__ __forceinline__ void update_set(const struct phase &f, const real *sine,
                                                  const real *cosine, const real *beside,
                                                  const real *old, real *to, size_t m, size_t j,
                                                  size_t end)
{
    constexpr int count = separated ? SEPARATED_AT_ONCE : UNIFIED_AT_ONCE;
    for (; j + count <= end; j += count)
        update_rows<model, separated, count, odd>(f, sine, cosine, beside, old, to, m, j);
    for (; j + 2 <= end; j += 2)
        update_rows<model, separated, 2, odd>(f, sine, cosine, beside, old, to, m, j);
    if (j < end)
        update_rows<model, separated, 1, odd>(f, sine, cosine, beside, old, to, m, j);
}

/* Nobody writes what `beside` is read for, the other colour or the array before, though it may be
 * the array of `to`. */
template <int model, bool separated>
static __global__ void update(const struct phase f, const real *__restrict__ sine,
                              const real *__restrict__ cosine, const real *__restrict__ beside,
                              const real *old, real *to)
{
    const size_t m = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t j = first_row(f);
    const size_t end = j + f.rows <= f.n ? j + f.rows : f.n + 1;
    await_previous();
    if (2 * m + 1 > f.n)
        return;
    if ((j + f.colour) % 2 == 1)
        update_set<model, separated, 1>(f, sine, cosine, beside, old, to, m, j, end);
    else
        update_set<model, separated, 0>(f, sine, cosine, beside, old, to, m, j, end);
}

template <int model>
static enum status run_unified(const struct gpu *g, const struct phase *f, const real *from,
                               real *to)
{
    LAUNCH_NB_EARLY((update<model, false>), g->grid, THREADS)
    (*f, g->sine, g->cosine, from, from, to);
    return device_launched("update");
}

template <int model>
static enum status run_separated(const struct gpu *g, const struct phase *f, const real *from,
                                 real *to)
{
    const size_t own = layout_array(&g->layout) * f->colour;
    const size_t other = layout_array(&g->layout) * (1 - f->colour);
    LAUNCH_NB_EARLY((update<model, true>), g->grid, THREADS)
    (*f, g->sine, g->cosine, from + other, from + own, to + own);
    return device_launched("update");
}

/* Thread t loads the same column of the other colour in every row; it is the west neighbour of the
 * t-th point, and the next one is the east neighbour. `next` and `old` are loaded one row ahead.
 * What hides the time of these loads is the number of blocks at work: as many as a multiprocessor
 * can hold (16 of 128 threads), and for model 3, whose values then would not fit its registers, 12.
 */
template <int model>
static __global__ void __launch_bounds__(THREADS, model == 3 ? 12 : 16)
    update_shared(const struct phase f, const real *__restrict__ sine,
                  const real *__restrict__ cosine, const real *__restrict__ other, real *own)
{
    SHARED(real, shared, [3][THREADS]);
    real *south = shared[0], *middle = shared[1], *north = shared[2];
    const unsigned t = threadIdx.x;
    const size_t m = (size_t)blockIdx.x * (THREADS - 1) + t, first = first_row(f);
    const size_t end = first + f.rows <= f.n ? first + f.rows : f.n + 1;
    const bool loads = m < f.pitch, updates = t < THREADS - 1 && 2 * m + 1 <= f.n;
    size_t odd = (first + f.colour) % 2;
    real next = 0, old = 0;
    await_previous();
    if (loads) {
        south[t] = other[(first - 1) * f.pitch + m];
        middle[t] = other[first * f.pitch + m];
        next = other[(first + 1) * f.pitch + m];
    }
    if (updates)
        old = own[first * f.pitch + m + 1 - odd];
    for (size_t j = first; j < end; j++, odd ^= 1) {
        const size_t at = j * f.pitch + m + 1 - odd, i = 2 * m + 2 - odd;
        const unsigned k = t + 1 - (unsigned)odd; /* the column, in shared memory */
        const real u = old;
        north[t] = next;
        __syncthreads();
        if (loads && j + 1 < end)
            next = other[(j + 2) * f.pitch + m];
        if (updates && j + 1 < end)
            old = own[(j + 1) * f.pitch + m + odd];
        if (updates && i <= f.n) {
            const struct row row = row_of(model, &f.c, j, sine, cosine);
            own[at] =
                updated(model, &f.c, &row, i, model == 3 ? sine[i] : 0, model == 3 ? cosine[i] : 0,
                        u, middle[t + 1], middle[t], north[k], south[k]);
        }
        __syncthreads(); /* the southern row is free */
        real *const free_row = south;
        south = middle;
        middle = north;
        north = free_row;
    }
}

template <int model>
static enum status run_shared(const struct gpu *g, const struct phase *f, const real *from,
                              real *to)
{
    const size_t own = layout_array(&g->layout) * f->colour;
    const size_t other = layout_array(&g->layout) * (1 - f->colour);
    LAUNCH_EARLY(update_shared<model>, g->grid, THREADS, 0)
    (*f, g->sine, g->cosine, from + other, to + own);
    return device_launched("update_shared");
}

/* --- GPU-TB: a pass of up to LEVELS phases, of which the even ones are red, the odd ones black ---
 *
 * A warp walks up a strip of columns. As row r comes in, the first phase updates row r-1, which
 * completes what the second one needs for row r-2, and so on; the row that leaves below has all
 * phases behind it. What a phase has written into the last two rows stays in registers, since the
 * next two phases need it, and nothing else does. Each lane has PAIRS pairs of columns 2k, 2k+1, so
 * that one neighbour of one point per row and phase is another lane's, who hands it over. Beyond
 * the strip nothing is known, so its outermost column on either side is wrong after the first
 * phase, the next one after the second: LEVELS columns are computed in vain there, and as many
 * rows below and above the chunk of rows that the warp is to update.
 *
 * Tried on an H200 and left out (4000^2, double and single; this has 519 and 786 Gpoint/s): rows by
 * way of a ring in shared memory, 492 and 775; passes that overlap, 502 and 735; fused
 * multiply-adds, with that ring 531 and 838, but no longer the reference's bits; phases two rows
 * apart, none of which waits for another, 310 and 588; 4 levels 374, 12 levels 415 in double. */

enum {
    LEVELS = 8, /* an even number */
    PAIRS = 2,  /* of a lane: what a load of 16 bytes takes in double */
    HALO = LEVELS / 2,
    STRIP = 32 * PAIRS - 2 * HALO, /* pairs that a warp completes */
    AHEAD = 2                      /* rows that are loaded before they come in, an even number */
};

constexpr unsigned EVERY_LANE = 0xffffffffu;

struct level {
    stencil c;
    real s[2]; /* the boundary's factor, red and black */
    bool active;
};

struct pass {
    struct level level[LEVELS];
};

/* What all points share. */
struct field {
    const real *from; /* red, then black; G at the boundary, in both arrays */
    real *to;
    const real *sine, *cosine;
    size_t colour; /* values of one colour's array */
    int n, pitch, rows;
};

/* A lane's points of one colour in a row: of the columns 2k or of the columns 2k+1. */
struct alignas(PAIRS * sizeof(real)) in_row {
    real of[PAIRS];
};

template <bool inside>
static __device__ __forceinline__ void load_row(const struct field &f, in_row &red, in_row &black,
                                                int k, int j)
{
    if (inside || (k >= 0 && k < f.pitch && j >= 0 && j <= f.n + 1)) {
        const size_t at = (size_t)j * f.pitch + k;
        red = *(const in_row *)(f.from + at);
        black = *(const in_row *)(f.from + f.colour + at);
    }
}

template <bool inside>
static __device__ __forceinline__ void store_row(const struct field &f, const in_row &red,
                                                 const in_row &black, int k, int j)
{
    const int lane = threadIdx.x % 32;
    const bool own = lane >= HALO / PAIRS && lane < 32 - HALO / PAIRS;
    if (own && (inside || k < f.pitch)) {
        const size_t at = (size_t)j * f.pitch + k;
        *(in_row *)(f.to + at) = red;
        *(in_row *)(f.to + f.colour + at) = black;
    }
}

/* What phase `at` makes of `old`, its colour's points in row j, which are those of columns 2k + e,
 * among those of the other colour, whose factor at the boundary is `factor`. A product with 1
 * changes no bit, and where a warp is at the boundary it costs less than a branch. */
template <int model, bool inside>
static __device__ __forceinline__ in_row relaxed(const struct field &f, const struct level &at,
                                                 real factor, const in_row &old, in_row beside,
                                                 in_row north, in_row south,
                                                 const in_row (&sine)[2], const in_row (&cosine)[2],
                                                 int k, int j, int e)
{
    const bool live = at.active && (inside || (j >= 1 && j <= f.n));
    if (!inside) {
        const real below = j == 1 ? factor : 1, above = j == f.n ? factor : 1;
        UNROLLED (int q = 0; q < PAIRS; q++) {
            const int i = 2 * (k + q) + 1 - e;
            beside.of[q] *= i == 0 || i == f.n + 1 ? factor : 1;
            south.of[q] *= below;
            north.of[q] *= above;
        }
        j = j < 0 ? 0 : j <= f.n ? j : f.n + 1; /* of the tables */
    }
    const real beyond = e == 0 ? __shfl_up_sync(EVERY_LANE, beside.of[PAIRS - 1], 1)
                               : __shfl_down_sync(EVERY_LANE, beside.of[0], 1);
    const struct row of = row_of(model, &at.c, (size_t)j, f.sine, f.cosine);
    in_row fresh;
    UNROLLED (int q = 0; q < PAIRS; q++) {
        const int i = 2 * (k + q) + e;
        const real west = e == 1 ? beside.of[q] : q > 0 ? beside.of[q - 1] : beyond;
        const real east = e == 0 ? beside.of[q] : q + 1 < PAIRS ? beside.of[q + 1] : beyond;
        const real value = updated(model, &at.c, &of, (size_t)i, sine[e].of[q], cosine[e].of[q],
                                   old.of[q], east, west, north.of[q], south.of[q]);
        fresh.of[q] = live && (inside || (i >= 1 && i <= f.n)) ? value : old.of[q];
    }
    return fresh;
}

/* The rows first .. end-1, with all that lies around them. `first` is odd. */
template <int model, bool inside>
static __device__ __forceinline__ void walk(const struct field &f, const struct pass &pass, int k,
                                            int first, int end)
{
    in_row sine[2] = {}, cosine[2] = {};
    if (model == 3)
        UNROLLED (int q = 0; q < PAIRS; q++)
            UNROLLED (int e = 0; e < 2; e++) {
                const int i = 2 * (k + q) + e;
                const bool known = inside || (i >= 0 && i <= f.n);
                sine[e].of[q] = known ? f.sine[i] : 0;
                cosine[e].of[q] = known ? f.cosine[i] : 0;
            }
    in_row red[AHEAD] = {}, black[AHEAD] = {}; /* on their way in */
    /* What came in one and two rows ago, red and black, and what each phase but the last has
     * written since then: kept[l+1] is phase l's, 1 .. LEVELS, of rows r-l-2 and r-l-1. */
    in_row kept[LEVELS + 1][2] = {};
    const int from = first - LEVELS, to = end + LEVELS; /* rows to come in */
    UNROLLED (int u = 0; u < AHEAD; u++)
        load_row<inside>(f, red[u], black[u], k, from + u);
    for (int base = from; base < to; base += AHEAD)
        UNROLLED (int u = 0; u < AHEAD; u++) {
            const int r = base + u, e = u % 2; /* odd if u is even */
            in_row now[LEVELS + 2];
            now[0] = red[u];
            now[1] = black[u];
            red[u] = black[u] = {};
            load_row<inside>(f, red[u], black[u], k, r + AHEAD);
            UNROLLED (int l = 1; l <= LEVELS; l++) {
                const struct level &at = pass.level[l - 1];
                const in_row &old = kept[l - 1][l == 1 ? 1 - e : e];
                /* The phase's colour and the row's number say: columns 2k + e. */
                now[l + 1] = relaxed<model, inside>(f, at, at.s[l % 2], old, kept[l][1 - e], now[l],
                                                    kept[l][e], sine, cosine, k, r - l, e);
            }
            if (r - LEVELS >= first && r - LEVELS < end)
                store_row<inside>(f, kept[LEVELS][1 - e], now[LEVELS + 1], k, r - LEVELS);
            UNROLLED (int l = 0; l <= LEVELS; l++)
                kept[l][e] = now[l];
        }
}

template <int model>
static __global__ void __launch_bounds__(THREADS, sizeof(real) == sizeof(double) ? 3 : 4)
    take_pass(const struct field f, const __grid_constant__ struct pass pass)
{
    const int strip = blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
    const int west = strip * STRIP - HALO, k = west + threadIdx.x % 32 * PAIRS;
    const int first = 1 + blockIdx.y * f.rows;
    const int end = first + f.rows <= f.n ? first + f.rows : f.n + 1;
    if (2 * strip * STRIP > f.n)
        return;
    if (west >= 1 && 2 * (west + 32 * PAIRS) - 1 <= f.n && first >= 2 * LEVELS &&
        end + LEVELS + AHEAD <= f.n + 2)
        walk<model, true>(f, pass, k, first, end);
    else
        walk<model, false>(f, pass, k, first, end);
}

template <int model> static unsigned passes_at_once(void)
{
    return BLOCKS_AT_ONCE(take_pass<model>, THREADS, 0);
}

template <int model> static enum status run_pass(struct gpu *g, const struct pass *of)
{
    const struct layout *l = &g->layout;
    const struct field f = {g->u[g->now],    g->u[1 - g->now], g->sine,       g->cosine,
                            layout_array(l), (int)l->n,        (int)l->pitch, (int)g->rows};
    LAUNCH(take_pass<model>, g->grid, THREADS, 0)(f, *of);
    g->now = 1 - g->now;
    return device_launched("take_pass");
}

#define OF_MODELS(function)                                                                        \
    {                                                                                              \
        function<1>, function<2>, function<3>, function<4>                                         \
    }

static const struct kernels unified = {THREADS, false, OF_MODELS(run_unified), {}, {}};
static const struct kernels separated = {THREADS, true, OF_MODELS(run_separated), {}, {}};
static const struct kernels shared = {THREADS - 1, true, OF_MODELS(run_shared), {}, {}};
static const struct kernels blocked = {
    THREADS / 32 * STRIP, true, {}, OF_MODELS(run_pass), OF_MODELS(passes_at_once)};

static size_t field_bytes(const struct gpu *g)
{
    return layout_field(&g->layout) * sizeof(real);
}

/* `host` on the device, in new memory. */
static enum status upload(real **device, const real *host, size_t count)
{
    const enum status status = device_alloc((void **)device, count * sizeof *host);
    return status == OK ? device_put(*device, host, count * sizeof *host) : status;
}

static enum status upload_frame(struct gpu *g)
{
    const size_t n = g->layout.n, last = n + 1;
    real *const frame = (real *)malloc(4 * n * sizeof *frame);
    if (frame == NULL)
        return because(ERR_MEMORY, "there is no memory for the %zu values of the boundary", 4 * n);
    for (size_t m = 0; m < n; m++) {
        frame[m] = (real)parabolic_frame(g->in, m + 1, 0);
        frame[n + m] = (real)parabolic_frame(g->in, m + 1, last);
        frame[2 * n + m] = (real)parabolic_frame(g->in, 0, m + 1);
        frame[3 * n + m] = (real)parabolic_frame(g->in, last, m + 1);
    }
    const enum status status = upload(&g->frame, frame, 4 * n);
    free(frame);
    return status;
}

static enum status upload_tables(struct gpu *g)
{
    const size_t count = g->layout.n + 2;
    real *const sine = (real *)malloc(2 * count * sizeof *sine), *const cosine = sine + count;
    if (sine == NULL)
        return because(ERR_MEMORY, "there is no memory for two tables of %zu values", count);
    P(parabolic_table)(g->in, sine, cosine);
    enum status status = upload(&g->sine, sine, count);
    if (status == OK)
        status = upload(&g->cosine, cosine, count);
    free(sine);
    return status;
}

static void destroy(void *state)
{
    struct gpu *g = (struct gpu *)state;
    if (g != NULL) {
        device_free(g->u[0]);
        device_free(g->u[1]);
        device_free(g->kept);
        device_free(g->frame);
        device_free(g->sine);
        device_free(g->cosine);
        device_host_free(g->host);
    }
    free(g);
}

/* As many chunks of rows as keep the device busy, but no shorter than what is computed around them
 * in vain. An even number. */
static size_t rows_of_pass(const struct parabolic *p, const struct kernels *kernels,
                           unsigned across)
{
    const unsigned chunks = kernels->passes_at_once[p->model - 1]() / across;
    const size_t rows = chunks > 0 ? (p->n - 1) / chunks + 1 : p->n;
    return rows < 2 * LEVELS ? 2 * LEVELS : (rows + 1) / 2 * 2;
}

static enum status plan(const struct instance *in, const struct kernels *kernels, void **state)
{
    const struct parabolic *p = (const struct parabolic *)in->data;
    const bool in_passes = kernels->pass[0] != NULL;
    /* Pairs of columns 2k, 2k+1 there, 2k+1, 2k+2 else: the last one. */
    const size_t last = in_passes ? p->n / 2 : (p->n - 1) / 2;
    const unsigned across = (unsigned)(last / kernels->pairs + 1);
    const size_t rows = in_passes ? rows_of_pass(p, kernels, across) : p->rows;
    const size_t sets = (p->n - 1) / rows + 1;
    if (p->scheme == JACOBI && kernels->separated)
        return because(SKIPPED, "jacobi needs a second array; CPU and GPU have one");
    if (sets > 65535)
        return because(ERR_ARGS,
                       "sets of %zu rows are %zu, more than one launch can have; choose more rows",
                       rows, sets);
    struct gpu *g = (struct gpu *)calloc(1, sizeof *g);
    if (g == NULL)
        return because(ERR_MEMORY, "there is no memory for a plan");
    g->in = p;
    g->kernels = kernels;
    g->layout = layout_of(p->n, kernels->separated);
    g->grid = dim3(across, (unsigned)sets);
    g->rows = rows;
    enum status status = device_host_alloc((void **)&g->host, field_bytes(g));
    if (status == OK)
        status = device_alloc((void **)&g->u[0], field_bytes(g));
    if (status == OK && (p->scheme == JACOBI || in_passes))
        status = device_alloc((void **)&g->u[1], field_bytes(g));
    if (status == OK && p->snapshot > 0)
        status = device_alloc((void **)&g->kept, field_bytes(g));
    if (status == OK)
        status = upload_frame(g);
    if (status == OK && p->model == 3)
        status = upload_tables(g);
    if (status == OK)
        *state = g;
    else
        destroy(g);
    return status;
}

static enum status load(void *state)
{
    struct gpu *const g = (struct gpu *)state;
    P(parabolic_split)(g->in, &g->layout, g->host);
    g->now = 0;
    enum status status = device_put(g->u[0], g->host, field_bytes(g));
    for (int k = 0; k < 2 && status == OK && g->kernels->pass[0] != NULL; k++)
        status = run_boundary(g, g->u[k], 1, 1);
    if (status == OK)
        status = device_sync();
    return status;
}

static enum status run_update(const struct gpu *g, const step *s, int phase, int colour)
{
    const struct phase f = {s->stencil[phase], g->layout.n, g->layout.pitch, g->in->rows, colour};
    return g->kernels->update[g->in->model - 1](g, &f, g->u[g->now],
                                                g->u[s->both ? 1 - g->now : g->now]);
}

static enum status run_step(struct gpu *g, const step *s)
{
    enum status status = run_boundary(g, g->u[g->now], s->s[RED], s->s[BLACK]);
    if (s->both) {
        if (status == OK)
            status = run_update(g, s, 0, RED);
        if (status == OK)
            status = run_update(g, s, 0, BLACK);
        g->now = 1 - g->now;
        return status;
    }
    for (int phase = 0; phase < s->phases && status == OK; phase++)
        status = run_update(g, s, phase, s->colour[phase]);
    return status;
}

/* What there is in `pass`, if anything; it is empty then. */
static enum status end_pass(struct gpu *g, struct pass *pass, int *levels)
{
    const int used = *levels;
    for (int l = used; l < LEVELS; l++)
        pass->level[l].active = false;
    *levels = 0;
    return used == 0 ? OK : g->kernels->pass[g->in->model - 1](g, pass);
}

/* The phases of a step, each on the next level of its colour. */
static enum status add_step(struct gpu *g, struct pass *pass, int *levels, const step *s)
{
    enum status status = OK;
    for (int phase = 0; phase < s->phases && status == OK; phase++) {
        if (*levels == LEVELS)
            status = end_pass(g, pass, levels);
        if (*levels % 2 != s->colour[phase])
            pass->level[(*levels)++].active = false;
        if (*levels == LEVELS)
            status = end_pass(g, pass, levels);
        struct level *const at = &pass->level[(*levels)++];
        *at = {s->stencil[phase], {s->s[RED], s->s[BLACK]}, true};
    }
    return status;
}

static enum status run(void *state, struct laps *laps)
{
    struct gpu *const g = (struct gpu *)state;
    const struct parabolic *p = g->in;
    const size_t records = parabolic_records(p);
    const bool in_passes = g->kernels->pass[0] != NULL;
    struct pass pass = {};
    int levels = 0;
    enum status status = OK;
    for (size_t record = 0; record < records && status == OK; record++) {
        step s;
        P(parabolic_step)(p, record, &s);
        status = in_passes ? add_step(g, &pass, &levels, &s) : run_step(g, &s);
        if (status == OK && record + 1 == p->snapshot)
            status = end_pass(g, &pass, &levels);
        if (status == OK && record + 1 == p->snapshot)
            status = device_copy(g->kept, g->u[g->now], field_bytes(g));
    }
    if (status == OK)
        status = end_pass(g, &pass, &levels);
    lap(laps, "loop");
    return status;
}

static enum status fetch_one(const struct gpu *g, const real *device, real *to, struct laps *laps)
{
    const enum status status = device_get(g->host, device, field_bytes(g));
    lap(laps, "back");
    if (status == OK)
        P(parabolic_merge)(&g->layout, g->host, to);
    lap(laps, "back");
    return status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
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

/* The variants differ in their plan alone. */
#define CALLS(name, kernels)                                                                       \
    extern "C" enum status P(parabolic_##name##_plan)(const struct instance *in, void **state)     \
    {                                                                                              \
        return plan(in, &(kernels), state);                                                        \
    }                                                                                              \
    extern "C" enum status P(parabolic_##name##_load)(void *state)                                 \
    {                                                                                              \
        return load(state);                                                                        \
    }                                                                                              \
    extern "C" enum status P(parabolic_##name##_run)(void *state, struct laps *laps)               \
    {                                                                                              \
        return run(state, laps);                                                                   \
    }                                                                                              \
    extern "C" enum status P(parabolic_##name##_fetch)(void *state, struct solution *out,          \
                                                       struct laps *laps)                          \
    {                                                                                              \
        return fetch(state, out, laps);                                                            \
    }                                                                                              \
    extern "C" void P(parabolic_##name##_destroy)(void *state)                                     \
    {                                                                                              \
        destroy(state);                                                                            \
    }

CALLS(gpu, unified)
CALLS(gpu_rb, separated)
CALLS(gpu_rbs, shared)
CALLS(gpu_tb, blocked)
