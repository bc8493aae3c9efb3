/*
 * GPU-FUSED: what a GPU can do, an iteration in one kernel. Waveforms lie time after time, y at
 * [n*pitch+i]. Sparse: a thread for each component takes it through all of time. Dense: a block
 * multiplies its rows of the matrix by all waveforms, and goes on to the recurrence of these rows
 * before anything is stored. The kernel finds its largest difference; the host reads those of BATCH
 * iterations at once, and an iteration behind the last one notices and does nothing.
 */
#include "rounded.h"

#include <cuda_pipeline.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "launch.h"

/* Tensor cores multiply double at twice the rate of the other ones, and in these shapes from sm_90
 * on; elsewhere, and in single precision, the others do the same work. */
#if REAL_IS_DOUBLE && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TENSOR_CORES 1
#else
#define TENSOR_CORES 0
#endif

enum {
    BATCH = 8,         /* iterations between two looks of the host */
    MOST_WARPS = 8,    /* of a block */
    AHEAD = 7,         /* points in time whose values are asked for at once; 49 = 7 * 7 */
    FEW = 16384,       /* components that smaller blocks spread over the device */
    SUM_THREADS = 128, /* of a block that adds up */
    SUM_STRIP = 4096,  /* components that it takes, or more, if there were too many blocks */
    MOST_STRIPS = 8,   /* of one point in time */
    TILE = 32,         /* transposed at once */
    TILE_ROWS = 8,     /* of these a thread has one in each */
    PIECE = 16,        /* bytes that are copied at once */
    DEPTH = 32,        /* columns of the matrix in a stage; a waveform's row is a multiple of it */
    PIECES = DEPTH * sizeof(real) / PIECE,
    STRIDE = DEPTH + 4, /* of rows in a stage: lanes that read at once meet in no bank */
    STAGES = REAL_IS_DOUBLE ? 3 : 4, /* one is multiplied while others come */
    WARP_ROWS = 32,                  /* of the matrix; times all points of a window */
    GROUPS = 2,                      /* of warps, that share the columns of a stage */
    SUMS = WARP_ROWS * 8 / 32,       /* of a lane, for eight points in time */
    MOST_SPLITS = 8                  /* of a row of the matrix among blocks */
};

#if REAL_IS_DOUBLE
typedef unsigned long long bits;
#else
typedef unsigned bits;
#endif

struct coefficient {
    const real *of; /* device, [d]; null: it is `all` for each component, and need not be read */
    real all;
};

/* What a kernel is told of the scheme and the problem; the arrays are on the device. */
struct sweep {
    size_t d, pitch, points;
    size_t width;    /* components in a row of the grid of threads */
    int steps, lags; /* earlier y and F that the method has */
    int strips;
    ptrdiff_t offset[MAX_BANDS];
    real b[3], all;
    struct coefficient q1, q2, w, centre, band[MAX_BANDS];
    const real *m;    /* [d, filled up to whole blocks][pitch]; or null */
    const real *g;    /* [N][pitch]; or null */
    const real *sums; /* [strips][N] of y over components; or null */
    real *parts;      /* [splits][points of a window][rows], if there are several splits */
    unsigned *ready;  /* parts, of each row of blocks; 0 between launches */
};

/* Corrections, the bits of |x|: as whole numbers they ascend as |x| does, then comes infinity and
 * then NaN, which therefore cannot hide. */
struct watch {
    const bits *before; /* of the iteration before; null: the host has seen it */
    bits *now;          /* of this one, at first 0 */
    bits *later;        /* [BATCH] of the next batch, which its first iteration clears */
    double tol;
};

static __device__ __forceinline__ bits size_bits(real x)
{
    bits b;
    memcpy(&b, &x, sizeof b);
    return b << 1 >> 1; /* no sign */
}

static __device__ __forceinline__ bool is_first_thread(void)
{
    return threadIdx.x + threadIdx.y + blockIdx.x + blockIdx.y == 0;
}

/* Whether there is anything to do; as the host decides, but for its patience and nmax. */
static __device__ __forceinline__ bool goes_on(const struct watch &at)
{
    if (at.before == NULL) {
        for (int k = 0; k < BATCH && is_first_thread(); k++)
            at.later[k] = 0;
        return true;
    }
    const bits before = *at.before;
    real err;
    memcpy(&err, &before, sizeof err);
    const bool good = err - err == 0 && (double)err >= at.tol;
    if (!good && is_first_thread())
        *at.now = before;
    return good;
}

/* To be called by all threads of the block. */
static __device__ __forceinline__ void note_largest(const struct watch &at, bits most)
{
    SHARED(bits, of_warp, [MOST_WARPS]);
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned warps = blockDim.y * blockDim.x / 32;
    for (int by = 16; by > 0; by /= 2) {
        const bits other = __shfl_xor_sync(0xffffffffu, most, by);
        most = other > most ? other : most;
    }
    if (thread % 32 == 0)
        of_warp[thread / 32] = most;
    __syncthreads();
    for (unsigned k = 1; k < warps && thread == 0; k++)
        most = of_warp[k] > most ? of_warp[k] : most;
    if (thread == 0)
        atomicMax(at.now, most);
}

/* --- the recurrence of a component --- */

struct past {
    real y1, y2, f1, f2; /* one and two points ago */
    bits most;           /* difference so far */
};

struct weights {
    real q1, q2, w;
};

static __device__ __forceinline__ real at_component(const struct coefficient &c, size_t i)
{
    return c.of != NULL ? c.of[i] : c.all;
}

static __device__ __forceinline__ struct weights weights_of(const struct sweep &s, size_t i)
{
    return {at_component(s.q1, i), s.steps == 2 ? at_component(s.q2, i) : R(0),
            at_component(s.w, i)};
}

/* The next y, from F there; `old` is what y was in the iteration before. */
static __device__ __forceinline__ real step_on(const struct sweep &s, int steps, int lags,
                                               const struct weights &by, real f, real old,
                                               struct past *past)
{
    real sum = s.b[0] * f;
    if (lags > 0)
        sum = fma(s.b[1], past->f1, sum);
    if (lags > 1)
        sum = fma(s.b[2], past->f2, sum);
    real y = by.w * sum;
    if (steps == 2)
        y = fma(by.q2, past->y2, y);
    y = fma(by.q1, past->y1, y);
    past->f2 = past->f1;
    past->f1 = f;
    past->y2 = past->y1;
    past->y1 = y;
    const bits off = size_bits(y - old);
    past->most = off > past->most ? off : past->most;
    return y;
}

/* --- sparse --- */

/* Of the matrix, at a component; what is not there is the component's own, times 0. */
template <int bands> struct line {
    real centre, band[bands];
    ptrdiff_t to[bands];
};

template <int bands>
static __device__ __forceinline__ void find_line(const struct sweep &s, size_t i,
                                                 struct line<bands> *line)
{
    line->centre = at_component(s.centre, i);
    for (int b = 0; b < bands; b++) {
        const ptrdiff_t j = (ptrdiff_t)i + s.offset[b];
        const bool there = j >= 0 && j < (ptrdiff_t)s.d;
        line->band[b] = there ? at_component(s.band[b], i) : R(0);
        line->to[b] = there ? s.offset[b] : 0;
    }
}

/* F of `count` points from n on, and y there; everything is asked for before any of it is used. */
template <int bands, int count>
static __device__ __forceinline__ void right_sides(const struct sweep &s,
                                                   const struct line<bands> &line,
                                                   const real *__restrict__ old, size_t i, size_t n,
                                                   real *f, real *own)
{
    real y[count][bands];
    for (int k = 0; k < count; k++) {
        const real *const at = old + (n + (size_t)k) * s.pitch + i;
        own[k] = at[0];
        for (int b = 0; b < bands; b++)
            y[k][b] = at[line.to[b]];
    }
    for (int k = 0; k < count; k++) {
        f[k] = line.centre * own[k];
        for (int b = 0; b < bands; b++)
            f[k] = fma(line.band[b], y[k][b], f[k]);
        if (s.sums != NULL) {
            real sum = 0;
            for (int strip = 0; strip < s.strips; strip++)
                sum += s.sums[(size_t)strip * s.points + n + (size_t)k];
            f[k] = fma(s.all, sum, f[k]);
        }
        if (s.g != NULL)
            f[k] += s.g[(n + (size_t)k) * s.pitch + i];
    }
}

template <int bands, int steps, int lags, int count>
static __device__ __forceinline__ void take(const struct sweep &s, const struct line<bands> &line,
                                            const struct weights &by, const real *__restrict__ old,
                                            real *__restrict__ next, size_t i, size_t n,
                                            struct past *past)
{
    real f[count], own[count];
    right_sides<bands, count>(s, line, old, i, n, f, own);
    for (int k = 0; k < count; k++)
        next[(n + (size_t)k) * s.pitch + i] = step_on(s, steps, lags, by, f[k], own[k], past);
}

template <int bands, int steps, int lags>
static __device__ __forceinline__ bits relax_component(const struct sweep &s,
                                                       const real *__restrict__ old,
                                                       real *__restrict__ next, size_t i)
{
    struct line<bands> line;
    find_line(s, i, &line);
    const struct weights by = weights_of(s, i);
    struct past past = {old[(steps - 1) * s.pitch + i], steps == 2 ? old[i] : R(0), 0, 0, 0};
    real own;
    if (lags > 0)
        right_sides<bands, 1>(s, line, old, i, (size_t)(steps - 1), &past.f1, &own);
    if (lags > 1) /* and steps is 2 */
        right_sides<bands, 1>(s, line, old, i, 0, &past.f2, &own);
    size_t n = steps;
    for (; n + AHEAD <= s.points; n += AHEAD)
        take<bands, steps, lags, AHEAD>(s, line, by, old, next, i, n, &past);
    for (; n < s.points; n++)
        take<bands, steps, lags, 1>(s, line, by, old, next, i, n, &past);
    return past.most;
}

template <int bands, int steps, int lags>
static __global__ void relax_sparse(const struct sweep s, const real *__restrict__ old,
                                    real *__restrict__ next, const struct watch at)
{
    if (!goes_on(at))
        return;
    const size_t column = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t i = ((size_t)blockIdx.y * blockDim.y + threadIdx.y) * s.width + column;
    bits most = 0;
    if (column < s.width && i < s.d)
        most = relax_component<bands, steps, lags>(s, old, next, i);
    note_largest(at, most);
}

/* Of a strip of components at a point in time. */
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

/* --- dense: `rows` of the matrix by 8*tiles points in time, all columns or a part of them --- */

/* Points that a launch makes, first .. end-1; F is needed from `from` on. */
struct window {
    size_t from, first, end;
};

template <int rows, int tiles> struct shape {
    enum {
        threads = rows / WARP_ROWS * GROUPS * 32,
        times = 8 * tiles,
        stage = (rows + times) * STRIDE, /* values */
        pitch = rows + 2,                /* of F in shared memory, which takes the stages' place */
        bytes = STAGES * stage * sizeof(real)
    };
    static_assert(times * pitch <= STAGES * stage, "F fits in");
};

/* Where a lane's sum x of a tile belongs: in double as the tensor cores have it. */
static __device__ __forceinline__ unsigned row_of(unsigned lane, int x)
{
    return REAL_IS_DOUBLE ? lane / 4 + (unsigned)x / 2 * 8 : lane / 8 + (unsigned)x * 4;
}

static __device__ __forceinline__ unsigned time_of(unsigned lane, int x, int tile)
{
    return (unsigned)tile * 8 + (REAL_IS_DOUBLE ? lane % 4 * 2 + (unsigned)x % 2 : lane % 8);
}

#if TENSOR_CORES
/* Of a 16 x 8 tile of the matrix a lane brings rows lane/4 and lane/4+8, of the 8 x 8 of a waveform
 * point lane/4; both at components lane%4 and lane%4+4. */
template <int tiles>
static __device__ __forceinline__ void multiply_stage(const real *m, const real *y, unsigned lane,
                                                      real (*sums)[tiles])
{
    enum { HALVES = WARP_ROWS / 16 };
    const unsigned at = lane / 4 * STRIDE + lane % 4;
    for (int k = 0; k < DEPTH / GROUPS; k += 8) {
        real a[HALVES][4];
        for (int h = 0; h < HALVES; h++)
            for (int x = 0; x < 4; x++)
                a[h][x] = m[at + (unsigned)(k + (h * 16 + x % 2 * 8) * STRIDE + x / 2 * 4)];
        for (int t = 0; t < tiles; t++) {
            const real *const b = y + at + k + t * 8 * STRIDE;
            const real b0 = b[0], b1 = b[4];
            for (int h = 0; h < HALVES; h++)
                asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
                    "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                    : "+d"(sums[4 * h][t]), "+d"(sums[4 * h + 1][t]), "+d"(sums[4 * h + 2][t]),
                      "+d"(sums[4 * h + 3][t])
                    : "d"(a[h][0]), "d"(a[h][1]), "d"(a[h][2]), "d"(a[h][3]), "d"(b0), "d"(b1));
        }
    }
}
#else
struct alignas(PIECE) piece {
    real of[PIECE / sizeof(real)];
};

/* A CPU calls a function for fma; and tensor cores have an order of their own. */
static __device__ __forceinline__ real multiply_add(real a, real b, real sum)
{
#ifdef REPRISE_EMULATED
    return sum + a * b;
#else
    return fma(a, b, sum);
#endif
}

template <int tiles>
static __device__ __forceinline__ void multiply_stage(const real *m, const real *y, unsigned lane,
                                                      real (*sums)[tiles])
{
    for (int k = 0; k < DEPTH / GROUPS; k += PIECE / sizeof(real)) {
        struct piece a[SUMS];
        for (int x = 0; x < SUMS; x++)
            a[x] = *(const struct piece *)(m + row_of(lane, x) * STRIDE + k);
        for (int t = 0; t < tiles; t++)
            for (int x = 0; x < SUMS; x++) {
                const struct piece b =
                    *(const struct piece *)(y + time_of(lane, x, t) * STRIDE + k);
                for (size_t p = 0; p < PIECE / sizeof(real); p++)
                    sums[x][t] = multiply_add(a[x].of[p], b.of[p], sums[x][t]);
            }
    }
}
#endif

/* Rows of the matrix from i0 on, then points in time, at DEPTH components. Both reach into what
 * fills up the last block: such sums are not used. */
template <int rows, int tiles>
static __device__ __forceinline__ void fetch_stage(const struct sweep &s, const struct window &w,
                                                   const real *old, size_t i0, size_t depth,
                                                   real *stage)
{
    using shape = shape<rows, tiles>;
    enum { at_once = shape::threads / PIECES };
    const unsigned row = threadIdx.x / PIECES, part = threadIdx.x % PIECES * (PIECE / sizeof(real));
    const real *const m = s.m + (i0 + row) * s.pitch + depth * DEPTH + part;
    const real *const y = old + (w.from + row) * s.pitch + depth * DEPTH + part;
    real *const of_m = stage + row * STRIDE + part, *const of_y = of_m + rows * STRIDE;
    for (int k = 0; k < rows; k += at_once)
        __pipeline_memcpy_async(of_m + k * STRIDE, m + (size_t)k * s.pitch, PIECE);
    for (int k = 0; k < shape::times; k += at_once)
        if (row + (unsigned)k < shape::times)
            __pipeline_memcpy_async(of_y + k * STRIDE, y + (size_t)k * s.pitch, PIECE);
}

/* What this block has of the columns, and of them this warp: rows from warp_row on. */
template <int rows, int tiles>
static __device__ __forceinline__ void multiply(const struct sweep &s, const struct window &w,
                                                const real *old, size_t i0, unsigned warp_row,
                                                unsigned group, real *stages, real (*sums)[tiles])
{
    using shape = shape<rows, tiles>;
    const unsigned all = (unsigned)(s.pitch / DEPTH), share = (all - 1) / gridDim.y + 1;
    const unsigned first = min(all, blockIdx.y * share), count = min(all, first + share) - first;
    const unsigned lane = threadIdx.x % 32;
    for (unsigned k = 0; k < STAGES - 1; k++) {
        if (k < count)
            fetch_stage<rows, tiles>(s, w, old, i0, first + k, stages + k * shape::stage);
        __pipeline_commit();
    }
    for (unsigned k = 0; k < count; k++) {
        const unsigned ahead = k + STAGES - 1;
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); /* stage k is there, and nobody needs k-1 any more */
        if (ahead < count)
            fetch_stage<rows, tiles>(s, w, old, i0, first + ahead,
                                     stages + ahead % STAGES * shape::stage);
        __pipeline_commit();
        const real *const stage = stages + k % STAGES * shape::stage + group * (DEPTH / GROUPS);
        multiply_stage<tiles>(stage + warp_row * STRIDE, stage + rows * STRIDE, lane, sums);
    }
    __syncthreads(); /* the stages are free */
}

/* Adds up the parts of a product, in their order, in the block that is ready last: it goes on. */
template <int rows, int tiles>
static __device__ __forceinline__ bool join(const struct sweep &s, size_t i0, real *f)
{
    using shape = shape<rows, tiles>;
    SHARED(unsigned, ready_before, [1]);
    const size_t all_rows = (size_t)gridDim.x * rows;
    for (unsigned k = threadIdx.x; k < shape::times * rows; k += shape::threads)
        s.parts[(blockIdx.y * (size_t)shape::times + k / rows) * all_rows + i0 + k % rows] =
            f[k / rows * shape::pitch + k % rows];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        ready_before[0] = atomicAdd(&s.ready[blockIdx.x], 1u);
    __syncthreads();
    if (ready_before[0] + 1 < gridDim.y)
        return false;
    __threadfence();
    if (threadIdx.x == 0)
        s.ready[blockIdx.x] = 0;
    for (unsigned k = threadIdx.x; k < shape::times * rows; k += shape::threads) {
        const real *const part = s.parts + k / rows * all_rows + i0 + k % rows;
        real sum = 0;
        for (unsigned split = 0; split < gridDim.y; split++)
            sum += part[split * (shape::times * all_rows)];
        f[k / rows * shape::pitch + k % rows] = sum;
    }
    __syncthreads();
    return true;
}

/* Of a row; its F, without g, is at f[(n-from)*pitch]. */
struct row {
    const real *f;
    size_t pitch, from, i;
};

static __device__ __forceinline__ real f_at(const struct sweep &s, const struct row &r, size_t n)
{
    const real f = r.f[(n - r.from) * r.pitch];
    return s.g != NULL ? f + s.g[n * s.pitch + r.i] : f;
}

template <int count>
static __device__ __forceinline__ void take_row(const struct sweep &s, const struct row &r,
                                                const struct weights &by,
                                                const real *__restrict__ old,
                                                real *__restrict__ next, size_t n,
                                                struct past *past)
{
    real own[count];
    for (int k = 0; k < count; k++)
        own[k] = old[(n + (size_t)k) * s.pitch + r.i];
    for (int k = 0; k < count; k++)
        next[(n + (size_t)k) * s.pitch + r.i] =
            step_on(s, s.steps, s.lags, by, f_at(s, r, n + (size_t)k), own[k], past);
}

/* What is before the window is in `next`: made in the one before, or never iterated. */
static __device__ __forceinline__ bits relax_row(const struct sweep &s, const struct window &w,
                                                 const struct row &r, const real *__restrict__ old,
                                                 real *__restrict__ next)
{
    const struct weights by = weights_of(s, r.i);
    struct past past = {next[(w.first - 1) * s.pitch + r.i], 0, 0, 0, 0};
    if (s.steps == 2)
        past.y2 = next[(w.first - 2) * s.pitch + r.i];
    if (s.lags > 0)
        past.f1 = f_at(s, r, w.first - 1);
    if (s.lags > 1)
        past.f2 = f_at(s, r, w.first - 2);
    size_t n = w.first;
    for (; n + AHEAD <= w.end; n += AHEAD)
        take_row<AHEAD>(s, r, by, old, next, n, &past);
    for (; n < w.end; n++)
        take_row<1>(s, r, by, old, next, n, &past);
    return past.most;
}

/* The groups' sums, one group after the other, to f[time][row]. */
template <int rows, int tiles>
static __device__ __forceinline__ void gather(unsigned warp_row, unsigned group,
                                              const real (*sums)[tiles], real *f)
{
    using shape = shape<rows, tiles>;
    const unsigned lane = threadIdx.x % 32;
    for (unsigned turn = 0; turn < GROUPS; turn++) {
        for (int x = 0; x < SUMS && turn == group; x++)
            for (int t = 0; t < tiles; t++) {
                real *const at =
                    f + time_of(lane, x, t) * shape::pitch + warp_row + row_of(lane, x);
                *at = turn == 0 ? sums[x][t] : *at + sums[x][t];
            }
        __syncthreads();
    }
}

template <int rows, int tiles>
static __global__ void __launch_bounds__(shape<rows, tiles>::threads, 1)
    relax_dense(const struct sweep s, const struct window w, const real *__restrict__ old,
                real *__restrict__ next, const struct watch at)
{
    using shape = shape<rows, tiles>;
    DYNAMIC_SHARED(real, shared);
    const unsigned warp = threadIdx.x / 32, group = warp / (rows / WARP_ROWS);
    const unsigned warp_row = warp % (rows / WARP_ROWS) * WARP_ROWS;
    const size_t i0 = (size_t)blockIdx.x * rows, i = i0 + threadIdx.x;
    real sums[SUMS][tiles] = {};
    if (!goes_on(at))
        return;
    multiply<rows, tiles>(s, w, old, i0, warp_row, group, shared, sums);
    gather<rows, tiles>(warp_row, group, sums, shared);
    if (gridDim.y > 1 && !join<rows, tiles>(s, i0, shared))
        return;
    bits most = 0;
    if (threadIdx.x < rows && i < s.d)
        most = relax_row(s, w, {shared + threadIdx.x, shape::pitch, w.from, i}, old, next);
    note_largest(at, most);
}

/* --- into place, and back --- */

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

/* To [i*N+n]. */
static __global__ void turn(const struct sweep s, const real *y, real *out)
{
    SHARED(real, tile, [TILE][TILE + 1]);
    const size_t i0 = (size_t)blockIdx.x * TILE, n0 = (size_t)blockIdx.y * TILE;
    for (unsigned k = threadIdx.y; k < TILE; k += TILE_ROWS)
        if (n0 + k < s.points && i0 + threadIdx.x < s.d)
            tile[k][threadIdx.x] = y[(n0 + k) * s.pitch + i0 + threadIdx.x];
    __syncthreads();
    for (unsigned k = threadIdx.y; k < TILE; k += TILE_ROWS)
        if (i0 + k < s.d && n0 + threadIdx.x < s.points)
            out[(i0 + k) * s.points + n0 + threadIdx.x] = tile[threadIdx.x][k];
}

/* --- on the host --- */

struct fused {
    const struct waveform *in;
    struct sweep sweep;
    struct progress progress;
    const struct way *way; /* of a dense matrix */
    unsigned splits;       /* of its rows */
    real *memory;          /* device, all arrays but m and errors */
    real *y[2];            /* [N, and more if dense][pitch]; iteration v goes to y[v % 2] */
    real *g, *sums;        /* as in sweep */
    real *start;           /* [2][d] */
    real *coefficients;    /* [4+bands][d] */
    real *m;               /* device, as in sweep */
    bits *errors;          /* device, [2][BATCH], and what is ready */
    int half;              /* of the errors, that is next */
    real *row;             /* host, [2][pitch] */
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
 * more a block each, for these read the waveforms less often. What is free then shares rows. */
static void choose_way(struct fused *g)
{
    const struct sweep *const s = &g->sweep;
    const size_t times = s->points - (size_t)(s->steps - s->lags);
    int width = 0, height = 0;
    while (width + 1 < WIDTHS && (size_t)ways[0][width].times < times)
        width++;
    const size_t device = ways[0][width].at_once();
    while (height + 1 < HEIGHTS && (size_t)ways[height][0].rows * device > 5 * s->d)
        height++;
    g->way = &ways[height][width];
    const unsigned blocks = blocks_of(s->d, (size_t)g->way->rows);
    const unsigned stages = (unsigned)(s->pitch / DEPTH), shares = g->way->at_once() / blocks;
    g->splits = max(min(min(shares, stages), (unsigned)MOST_SPLITS), 1u);
}

/* Of the matrix, with those that fill the last block. */
static size_t rows_of(const struct fused *g)
{
    return g->way != NULL ? blocks_of(g->in->d, (size_t)g->way->rows) * (size_t)g->way->rows : 0;
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

static enum status relax(const struct fused *g, long iteration, const struct watch &at)
{
    const real *const old = g->y[(iteration - 1) % 2];
    real *const next = g->y[iteration % 2];
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

static enum status upload_scheme(struct fused *g, const struct P(rounded) * scheme)
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
    return device_put(g->coefficients, scheme->q1, (4 + bands) * d * sizeof *scheme->q1);
}

/* With zeros behind each row. */
static enum status upload_matrix(struct fused *g, enum relaxation relaxation)
{
    const size_t d = g->in->d, pitch = g->sweep.pitch;
    real *const m = (real *)malloc(d * d * sizeof *m);
    if (m == NULL)
        return because(ERR_MEMORY, "there is no memory for a matrix of %zu rows", d);
    P(waveform_matrix)(g->in, relaxation, m);
    enum status status = device_alloc((void **)&g->m, rows_of(g) * pitch * sizeof *m);
    if (status == OK && d == pitch)
        status = device_put(g->m, m, d * d * sizeof *m);
    memset(g->row, 0, pitch * sizeof *g->row);
    for (size_t i = 0; i < d && d < pitch && status == OK; i++) {
        memcpy(g->row, m + i * d, d * sizeof *m);
        status = device_put(g->m + i * pitch, g->row, pitch * sizeof *m);
    }
    free(m);
    g->sweep.m = g->m;
    return status;
}

/* All that is on the device but the matrix and the whole numbers. */
static enum status allocate_values(struct fused *g)
{
    const struct waveform *p = g->in;
    struct sweep *const s = &g->sweep;
    const bool with_sums = !p->dense && p->all != 0;
    s->strips = with_sums ? (int)smaller(blocks_of(s->d, SUM_STRIP), MOST_STRIPS) : 0;
    const size_t beyond = p->dense ? (size_t)g->way->times : 0; /* that stages reach into */
    const size_t waveform = (s->points + beyond) * s->pitch;
    const size_t sums = (size_t)s->strips * s->points;
    const size_t given = p->g != NULL ? waveform : 0, coefficients = (4 + (size_t)p->bands) * s->d;
    const size_t parts = g->splits > 1 ? g->splits * (size_t)g->way->times * rows_of(g) : 0;
    const size_t all = 2 * waveform + given + parts + 2 * s->d + coefficients + sums;
    const enum status status = device_alloc((void **)&g->memory, all * sizeof *g->memory);
    if (status != OK)
        return status;
    g->y[0] = g->memory;
    g->y[1] = g->y[0] + waveform;
    g->g = g->y[1] + waveform;
    s->parts = g->g + given;
    g->start = s->parts + parts;
    g->coefficients = g->start + 2 * s->d;
    g->sums = g->coefficients + coefficients;
    s->g = given > 0 ? g->g : NULL;
    s->sums = sums > 0 ? g->sums : NULL;
    return OK;
}

static enum status allocate_words(struct fused *g)
{
    const size_t blocks = g->in->dense ? rows_of(g) / (size_t)g->way->rows : 0;
    const size_t bytes = 2 * BATCH * sizeof *g->errors + blocks * sizeof *g->sweep.ready;
    void *const none = calloc(1, bytes);
    if (none == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu bytes", bytes);
    enum status status = device_alloc((void **)&g->errors, bytes);
    if (status == OK)
        status = device_put(g->errors, none, bytes);
    free(none);
    g->sweep.ready = (unsigned *)(g->errors + 2 * BATCH);
    return status;
}

static enum status allocate(struct fused *g, enum relaxation relaxation)
{
    const struct waveform *p = g->in;
    struct sweep *const s = &g->sweep;
    s->d = p->d;
    s->points = p->points;
    s->pitch = (p->d - 1) / DEPTH * DEPTH + DEPTH;
    s->width = p->bands > 2 ? (size_t)p->offset[3] : p->d;
    g->row = (real *)malloc(2 * s->pitch * sizeof *g->row);
    if (g->row == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu components", p->d);
    struct P(rounded) scheme;
    enum status status = progress_make(p, relaxation, !REAL_IS_DOUBLE, &g->progress);
    if (status == OK)
        status = P(rounded_make)(p, relaxation, &scheme);
    if (status != OK)
        return status;
    set_method(s, &scheme);
    if (p->dense)
        choose_way(g);
    status = allocate_values(g);
    if (status == OK)
        status = upload_scheme(g, &scheme);
    P(rounded_free)(&scheme);
    if (status == OK)
        status = allocate_words(g);
    return status == OK && p->dense ? upload_matrix(g, relaxation) : status;
}

extern "C" void P(waveform_gpu_fused_destroy)(void *state)
{
    struct fused *g = (struct fused *)state;
    if (g != NULL) {
        device_free(g->memory);
        device_free(g->m);
        device_free(g->errors);
        free(g->row);
        free(g->progress.err);
    }
    free(g);
}

static enum status plan(const struct instance *in, enum relaxation relaxation, void **state)
{
    struct fused *g = (struct fused *)calloc(1, sizeof *g);
    if (g == NULL)
        return because(ERR_MEMORY, "there is no memory for a plan");
    g->in = (const struct waveform *)in->data;
    const enum status status = allocate(g, relaxation);
    if (status == OK)
        *state = g;
    else
        P(waveform_gpu_fused_destroy)(g);
    return status;
}

extern "C" enum status P(waveform_gpu_fused_picard)(const struct instance *in, void **state)
{
    return plan(in, PICARD, state);
}

extern "C" enum status P(waveform_gpu_fused_jacobi)(const struct instance *in, void **state)
{
    return plan(in, JACOBI, state);
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
extern "C" enum status P(waveform_gpu_fused_load)(void *state)
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

/* Iterations whose corrections the host then looks at, one after the other. */
static enum status run_batch(struct fused *g, bool *on)
{
    const int count = (int)smaller((size_t)progress_sure(g->in, &g->progress), BATCH);
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

extern "C" enum status P(waveform_gpu_fused_run)(void *state, struct laps *laps)
{
    struct fused *const g = (struct fused *)state;
    bool on = true;
    enum status status = OK;
    while (status == OK && on)
        status = run_batch(g, &on);
    lap(laps, "loop");
    return status;
}

/* The iterate before the last one makes room. */
extern "C" enum status P(waveform_gpu_fused_fetch)(void *state, struct solution *out,
                                                   struct laps *laps)
{
    const struct fused *const g = (const struct fused *)state;
    const size_t d = g->in->d, points = g->in->points;
    const real *const y = g->y[g->progress.iterations % 2];
    real *const room = g->y[1 - g->progress.iterations % 2];
    LAUNCH(turn, dim3(blocks_of(d, TILE), blocks_of(points, TILE)), dim3(TILE, TILE_ROWS), 0)
    (g->sweep, y, room);
    enum status status = device_launched("turn");
    if (status == OK)
        status = device_get(out->values, room, d * points * sizeof *room);
    if (status == OK)
        progress_put(g->in, &g->progress, out);
    lap(laps, "back");
    return status;
}
