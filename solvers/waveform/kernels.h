/*
 * The kernels of gpu-fused that make an iteration, relax_sparse and relax_dense, and what they
 * share: the scheme as a kernel is told of it, the recurrence in time, and the correction of an
 * iteration, by which the next one knows whether it is wanted.
 */
#pragma once
#include <cuda_pipeline.h>
#include <string.h>

#include "machine/launch.h"
#include "machine/precision.h"
#include "waveform.h"

/* Tensor cores multiply double at twice the rate of the other ones, and in these shapes from sm_90
 * on; elsewhere, and in single precision, the others do the same work. */
#if REAL_IS_DOUBLE && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TENSOR_CORES 1
#else
#define TENSOR_CORES 0
#endif

enum {
    BATCH = 8,      /* iterations between two looks of the host */
    MOST_WARPS = 8, /* of a block */
    AHEAD = 7,      /* points in time whose values are asked for at once; 49 = 7 * 7 */
    PIECE = 16,     /* bytes that are copied at once */
    DEPTH = 32,     /* columns of the matrix in a stage; a waveform's row is a multiple of it */
    PIECES = DEPTH * sizeof(real) / PIECE,
    STRIDE = DEPTH + 4, /* of rows in a stage: lanes that read at once meet in no bank */
    STAGES = REAL_IS_DOUBLE ? 3 : 4, /* one is multiplied while others come */
    WARP_ROWS = 32,                  /* of the matrix; times all points of a window */
    GROUPS = 2,                      /* of warps, that share the columns of a stage */
    SUMS = WARP_ROWS * 8 / 32        /* of a lane, for eight points in time */
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
    const bool good = err - err == 0 && (double)err >= at.tol && err > 0;
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

/* The matrix's entries at a component; what is not there is the component's own, times 0. */
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
/* A lane brings rows lane/4 and lane/4+8 of a 16 x 8 tile of the matrix, and point lane/4 of an 8 x
 * 8 one of a waveform; both at components lane%4 and lane%4+4. */
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

/* A row of a block; its F, without g, is at f[(n-from)*pitch]. */
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
