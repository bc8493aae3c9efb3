/*
 * GPU, GPU-RB and GPU-RBS: per step a kernel for the boundary and one for each colour, with 128
 * threads per block, each of which walks through a set of rows. GPU keeps one array, the others an
 * array per colour; GPU-RBS updates 127 points per row and block, from three rows in shared memory.
 * Added: 64-bit indices, guards for every N and number of rows, black sets in reverse order,
 * launches that overlap, and for GPU alone a second array.
 */
#include "kernels.h"

/* Rows that a thread of GPU and GPU-RB takes at once, an even number: their loads are under way
 * together, which a current memory needs. */
enum { UNIFIED_AT_ONCE = 64 / sizeof(real), SEPARATED_AT_ONCE = 16 };

/* What is the same for all points of a phase. */
struct phase {
    stencil c;
    size_t n, pitch, rows;
    int colour;
};

/* The first row of the block's set. Red phases begin with the lowest set, black ones with the
 * highest: a phase finds in the cache what the last one left there. */
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

/* Threads that every multiprocessor of a generation has room for; some of 8 have room for more. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define ROOM 1024
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1100)
#define ROOM 1536
#else
#define ROOM 2048
#endif

/* Thread t loads the same column of the other colour in every row; it is the west neighbour of the
 * t-th point, and the next one is the east neighbour. `next` and `old` are loaded one row ahead.
 * What hides the time of these loads is the number of blocks at work: as many as a multiprocessor
 * can hold (16 of 128 threads on a GPU of today), and for model 3, whose values then would not fit
 * its registers, three of four.
 */
template <int model>
static __global__ void __launch_bounds__(THREADS, ROOM / THREADS * (model == 3 ? 3 : 4) / 4)
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

struct kernels {
    unsigned pairs; /* of columns 2m+1, 2m+2 that a block updates */
    bool separated;
    enum status (*update[4])(const struct gpu *g, const struct phase *f, const real *from,
                             real *to); /* of models 1 .. 4; from == to: in place */
};

static const struct kernels
    unified = {THREADS, false, {run_unified<1>, run_unified<2>, run_unified<3>, run_unified<4>}},
    separated = {THREADS,
                 true,
                 {run_separated<1>, run_separated<2>, run_separated<3>, run_separated<4>}},
    shared = {THREADS - 1, true, {run_shared<1>, run_shared<2>, run_shared<3>, run_shared<4>}};

template <const struct kernels *kernels>
static enum status plan(const struct instance *in, void **state)
{
    const struct parabolic *p = (const struct parabolic *)in->data;
    const unsigned across = (unsigned)((p->n - 1) / 2 / kernels->pairs + 1);
    const int fields = p->scheme == JACOBI ? 2 : 1;
    const enum status status = gpu_make(p, kernels->separated, fields, across, p->rows, state);
    if (status == OK)
        ((struct gpu *)*state)->kernels = kernels;
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

static enum status run(void *state, struct laps *laps)
{
    struct gpu *const g = (struct gpu *)state;
    const size_t records = parabolic_records(g->in);
    enum status status = OK;
    for (size_t record = 0; record < records && status == OK; record++) {
        step s;
        P(parabolic_step)(g->in, record, &s);
        status = run_step(g, &s);
        if (status == OK)
            status = keep_snapshot(g, record);
    }
    lap(laps, "loop");
    return status;
}

const struct calls P(parabolic_gpu) = {plan<&unified>, gpu_load, run, gpu_fetch, give_back};
const struct calls P(parabolic_gpu_rb) = {plan<&separated>, gpu_load, run, gpu_fetch, give_back};
const struct calls P(parabolic_gpu_rbs) = {plan<&shared>, gpu_load, run, gpu_fetch, give_back};
