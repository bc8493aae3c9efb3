/*
 * The kernel of gpu-dense, one launch for all iterations: a block has so many rows of the matrix
 * and a share of its columns, which come in bulk through a ring of stages, each with the same
 * columns of the waveforms; tensor cores multiply. Shares meet in device memory, each block goes on
 * with the recurrence of its part of the rows, and all blocks decide alike whether there is another
 * iteration.
 *
 * Matrix and waveforms lie in the order in which lanes want them: of a stage of 16 columns lane 4 g
 * + t has columns 2t and 2t+1 of each 8, of row g of each 8 rows, and of point g of each 8 points;
 * behind the last whole 8 of them one point more has its columns side by side, which is no work for
 * tensor cores. Columns within 8 are in another order than a matrix of 8 columns has; both factors
 * are in the same.
 *
 * An iteration on an H200, us, d = 1024, 2048, 4096, 8192, 16384: 17.3, 27.4, 63.4, 191 and 671;
 * cuBLAS with a recurrence kernel behind it 30.2, 38.4, 76.3, 195 and 625; gpu-fused 28.3, 37.0,
 * 72.3, 206 and 716. A prototype without the decisions came to 12.4, -, 44.6, 150 and 580.
 *
 * `part`: the rows of one rank of several, of which an iteration is a launch; behind it all ranks
 * tell all what they made, with their largest corrections, and decide alike.
 */
#pragma once
#include "machine/async.h"

#include "kernels.h"
#include "stopping.h"

#define EVERY 0xffffffffu

namespace dense_waveform
{

enum {
    ROWS = 128,   /* of a block */
    COLUMNS = 16, /* of a stage */
    EIGHTS = 6,   /* points in time that tensor cores have, in eights */
    POINTS = 8 * EIGHTS + 1,
    RING = 8,         /* stages, so many of each team that a slot is always the same one's */
    TEAMS = 2,        /* of warps, that take stages by turns */
    TEAM = ROWS / 32, /* warps of it, of 32 rows each */
    WARPS = TEAMS * TEAM,
    THREADS = 32 * WARPS,
    OF_MATRIX = ROWS * COLUMNS, /* values of a stage */
    OF_POINTS = POINTS * COLUMNS,
    STAGE = OF_MATRIX + OF_POINTS,
    PITCH = ROWS + 1, /* of F in shared memory, [POINTS] */
    BYTES = (RING * STAGE + POINTS * PITCH) * (int)sizeof(double),
    MOST_SHARES = 16, /* of a row of the matrix */
    SLOTS = 3,        /* of corrections */
    TAIL = 2          /* values behind a rank's part of a waveform: corrections, by turns */
};

static_assert(RING % TEAMS == 0, "or who waits for a slot may not have seen its phase before");

struct job {
    struct sweep sweep;
    const double *matrix; /* device, [blocks of rows][stages][OF_MATRIX] */
    double *y[2];         /* device, [stages][OF_POINTS] */
    double *parts;        /* device, [shares][POINTS][rows], if there are several */
    const double *start;  /* device, [2][d]: y at the first points */
    bits *most;           /* device, [SLOTS]; 0 */
    int shares, stages;   /* of a row of the matrix; stages: of a share */
    int from, count;      /* points of F: the first, and how many */
    struct wanted wanted;
    struct progress progress;
    double *errors;   /* page-locked, [nmax] */
    long *iterations; /* page-locked */
};

/* Of one rank of several; rows and what belongs to them are its own. In y[] the parts of all lie
 * one behind the other, each of so many stages and a tail. */
struct part : job {
    int stages_each, ranks;
    double *made;         /* device: such a part */
    struct progress *now; /* device; err: page-locked */
};

HOST_DEVICE size_t values_of_part(const struct part &w)
{
    return (size_t)w.stages_each * OF_POINTS + TAIL;
}

/* Where the values of a stage are in a waveform. */
HOST_DEVICE size_t place_of_stage(const struct job & /* w */, size_t number)
{
    return number * OF_POINTS;
}

HOST_DEVICE size_t place_of_stage(const struct part &w, size_t number)
{
    return number * OF_POINTS + number / (size_t)w.stages_each * TAIL;
}

/* Where the value of a point, counted from the first of F, is in those of a stage. */
HOST_DEVICE int place_of_point(int point, int column)
{
    const int pair = column % 8 / 2, side = column % 2;
    if (point >= 8 * EIGHTS)
        return 8 * EIGHTS * COLUMNS + column;
    return ((point / 8 * 2 + column / 8) * 32 + point % 8 * 4 + pair) * 2 + side;
}

/* And that of a row. */
HOST_DEVICE int place_of_row(int row, int column)
{
    const int pair = column % 8 / 2, side = column % 2;
    return (((row / 32 * 2 + column / 8) * 4 + row % 32 / 8) * 32 + row % 8 * 4 + pair) * 2 + side;
}

/* --- the ring --- */

struct ring {
    arrival *matrix, *points, *left; /* [RING] each */
    double *stages;
    long first; /* stages of earlier iterations, by which slots and parities go */

    __device__ __forceinline__ int slot(int stage) const
    {
        return (int)((first + stage) % RING);
    }
    __device__ __forceinline__ int parity(int stage) const
    {
        return (int)((first + stage) / RING % 2);
    }
    __device__ __forceinline__ double *at(int stage) const
    {
        return stages + slot(stage) * STAGE;
    }
    __device__ __forceinline__ void ask_matrix(const struct job &w, int stage) const
    {
        const size_t block = blockIdx.x / (unsigned)w.shares, share = blockIdx.x % w.shares;
        const size_t all = (size_t)w.shares * w.stages, number = share * w.stages + stage;
        arrival *const b = matrix + slot(stage);
        arrival_expect(b, OF_MATRIX * sizeof(double));
        bulk_load(at(stage), w.matrix + (block * all + number) * OF_MATRIX,
                  OF_MATRIX * sizeof(double), b);
    }
    template <class JOB>
    __device__ __forceinline__ void ask_points(const JOB &w, const double *y, int stage) const
    {
        const size_t number = (size_t)(blockIdx.x % w.shares) * w.stages + stage;
        arrival *const b = points + slot(stage);
        arrival_expect(b, OF_POINTS * sizeof(double));
        bulk_load(at(stage) + OF_MATRIX, y + place_of_stage(w, number), OF_POINTS * sizeof(double),
                  b);
    }
};

/* By all threads. */
static __device__ __forceinline__ void make_ring(const struct ring &r)
{
    if (threadIdx.x == 0) {
        for (int s = 0; s < RING; s++) {
            arrival_make(r.matrix + s, 1);
            arrival_make(r.points + s, 1);
            arrival_make(r.left + s, TEAM);
        }
        arrivals_made();
    }
    __syncthreads();
}

/* --- the product --- */

struct sums {
    double tile[2][EIGHTS][4], last[4]; /* halves of 32 rows; of the last point rows of each 8 */
};

static __device__ __forceinline__ double2 pair_at(const double *p)
{
    return *(const double2 *)p;
}

static __device__ __forceinline__ void multiply(const double *stage, int warp_row, int lane,
                                                struct sums &s)
{
    const double *const y = stage + OF_MATRIX + 2 * lane;
    const double *const last = stage + OF_MATRIX + 8 * EIGHTS * COLUMNS + lane % 4 * 2;
    UNROLLED (int half = 0; half < 2; half++) {
        const double *const m = stage + (warp_row * 2 + half) * 256 + 2 * lane;
        double2 a[4];
        const double2 e = pair_at(last + 8 * half);
        UNROLLED (int h = 0; h < 4; h++)
            a[h] = pair_at(m + h * 64);
        UNROLLED (int x = 0; x < EIGHTS; x++) {
            const double2 b = pair_at(y + (x * 2 + half) * 64);
            UNROLLED (int h = 0; h < 2; h++)
                matrix_16x8x8(s.tile[h][x], a[2 * h].x, a[2 * h + 1].x, a[2 * h].y, a[2 * h + 1].y,
                              b.x, b.y);
        }
        UNROLLED (int h = 0; h < 4; h++)
            s.last[h] = fma(a[h].x, e.x, fma(a[h].y, e.y, s.last[h]));
    }
}

/* This team's stages. What it has left is asked for again by one of its warps, by turns. */
template <class JOB>
static __device__ __forceinline__ void multiply_share(const JOB &w, const struct ring &r,
                                                      const double *y, struct sums &s)
{
    const int lane = (int)threadIdx.x % 32, warp = __shfl_sync(EVERY, (int)threadIdx.x / 32, 0);
    const int team = warp / TEAM, member = warp % TEAM;
    for (int stage = team; stage < w.stages; stage += TEAMS) {
        arrival_wait(r.matrix + r.slot(stage), r.parity(stage));
        arrival_wait(r.points + r.slot(stage), r.parity(stage));
        multiply(r.at(stage), member, lane, s);
        __syncwarp();
        const int left = stage - TEAMS, next = left + RING;
        if (lane == 0) {
            arrival_arrive(r.left + r.slot(stage));
            if (stage / TEAMS % TEAM == member && left >= 0) {
                arrival_wait(r.left + r.slot(left), r.parity(left));
                if (next < w.stages) {
                    r.ask_matrix(w, next);
                    r.ask_points(w, y, next);
                }
            }
        }
        __syncwarp();
    }
    const int last = team + (w.stages - 1 - team) / TEAMS * TEAMS;
    if (member == 0 && team < w.stages) /* no phase is left that nobody waited for */
        arrival_wait(r.left + r.slot(last), r.parity(last));
}

/* The teams' sums, one after the other, to f[point][row]. */
static __device__ __forceinline__ void gather(struct sums &s, double *f)
{
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    const int g = lane / 4, t = lane % 4;
    for (int turn = 0; turn < TEAMS; turn++) {
        if (warp / TEAM == turn)
            UNROLLED (int h = 0; h < 4; h++) {
                double *const to = f + warp % TEAM * 32 + h * 8 + g;
                double last = s.last[h];
                last += __shfl_xor_sync(EVERY, last, 1);
                last += __shfl_xor_sync(EVERY, last, 2);
                UNROLLED (int x = 0; x < EIGHTS; x++)
                    UNROLLED (int c = 0; c < 2; c++) {
                        double *const at = to + (x * 8 + 2 * t + c) * PITCH;
                        const double sum = s.tile[h / 2][x][h % 2 * 2 + c];
                        *at = turn == 0 ? sum : *at + sum;
                    }
                double *const at = to + 8 * EIGHTS * PITCH;
                if (t == 0)
                    *at = turn == 0 ? last : *at + last;
            }
        __syncthreads();
    }
}

/* The shares of all columns, in their order, of this block's part of the rows. */
static __device__ __forceinline__ void join(const struct job &w, double *f)
{
    const int part = ROWS / w.shares, share = (int)(blockIdx.x % (unsigned)w.shares);
    const size_t all = (size_t)(gridDim.x / w.shares) * ROWS;
    const size_t i0 = (size_t)(blockIdx.x / w.shares) * ROWS;
    for (int k = (int)threadIdx.x; k < w.count * ROWS; k += THREADS)
        w.parts[((size_t)share * POINTS + k / ROWS) * all + i0 + k % ROWS] =
            f[k / ROWS * PITCH + k % ROWS];
    grid_sync();
    for (int k = (int)threadIdx.x; k < w.count * part; k += THREADS) {
        const int row = share * part + k % part;
        const double *const of = w.parts + (size_t)(k / part) * all + i0 + row;
        double sum = 0;
        for (int other = 0; other < w.shares; other++)
            sum += *(const volatile double *)(of + (size_t)other * POINTS * all);
        f[k / part * PITCH + row] = sum;
    }
    __syncthreads();
}

/* F of the block's share, to f[point][row]; the first stages of the matrix have been asked for. */
template <class JOB>
static __device__ __forceinline__ void find_product(const JOB &w, const struct ring &r, int ahead,
                                                    const double *y, double *f)
{
    struct sums s = {};
    for (int stage = 0; stage < ahead && threadIdx.x == 0; stage++)
        r.ask_points(w, y, stage);
    __syncwarp();
    multiply_share(w, r, y, s);
    gather(s, f);
}

/* --- what follows --- */

/* y of a row in place of its F, points from the first that is iterated on. */
static __device__ __forceinline__ void relax(const struct job &w, double *f, size_t i)
{
    enum { AT_ONCE = 7 };
    const struct sweep &s = w.sweep;
    const struct weights by = weights_of(s, i);
    const double *const g = s.g != NULL ? s.g + (size_t)w.from * s.pitch + i : NULL;
    const auto right_side = [&](int p) {
        return g != NULL ? f[p * PITCH] + g[p * s.pitch] : f[p * PITCH];
    };
    struct past past = {w.start[(s.steps - 1) * s.d + i], w.start[i], 0, 0, 0};
    int p = s.steps - w.from;
    if (s.lags > 0)
        past.f1 = right_side(p - 1);
    if (s.lags > 1)
        past.f2 = right_side(p - 2);
    for (; p < w.count; p += AT_ONCE) {
        double here[AT_ONCE];
        UNROLLED (int k = 0; k < AT_ONCE; k++)
            here[k] = p + k < w.count ? right_side(p + k) : 0;
        UNROLLED (int k = 0; k < AT_ONCE; k++)
            if (p + k < w.count)
                f[(p + k) * PITCH] = step_on(s, s.steps, s.lags, by, here[k], 0, &past);
    }
}

/* y of the block's part of the rows, which begins at `own` of its rows, in place of F; i: a
 * thread's row. */
static __device__ __forceinline__ void go_on(const struct job &w, double *f, int part, int own,
                                             size_t i)
{
    if (w.shares > 1)
        join(w, f);
    if (threadIdx.x < (unsigned)part && i < w.sweep.d)
        relax(w, f + own + threadIdx.x, i);
    __syncthreads();
}

/* Returns the largest correction of the block's part of the rows. */
static __device__ __forceinline__ bits store(const struct job &w, const double *f,
                                             const double *old, double *next)
{
    const int part = ROWS / w.shares, first = (int)(blockIdx.x % (unsigned)w.shares) * part;
    const size_t i0 = (size_t)(blockIdx.x / w.shares) * ROWS;
    const int begin = (w.sweep.steps - w.from) * part;
    bits most = 0;
    for (int k = begin + (int)threadIdx.x; k < w.count * part; k += THREADS) {
        const int row = first + k % part, point = k / part;
        const size_t i = i0 + row,
                     at = i / COLUMNS * OF_POINTS + place_of_point(point, (int)(i % COLUMNS));
        if (i >= w.sweep.d)
            continue;
        const double y = f[point * PITCH + row];
        const bits off = size_bits(y - *(const volatile double *)(old + at));
        most = off > most ? off : most;
        next[at] = y;
    }
    return most;
}

static __device__ __forceinline__ void note(bits *of_warp, bits *to, bits most)
{
    for (int by = 16; by > 0; by /= 2) {
        const bits other = __shfl_xor_sync(EVERY, most, by);
        most = other > most ? other : most;
    }
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = most;
    __syncthreads();
    for (int k = 1; k < WARPS && threadIdx.x == 0; k++)
        most = of_warp[k] > most ? of_warp[k] : most;
    if (threadIdx.x == 0)
        atomicMax(to, most);
}

/* By each block's first thread, from the same corrections: all decide alike. */
static __device__ __forceinline__ bool goes_on(const struct job &w, struct progress &progress)
{
    const long v = progress.iterations;
    const bits most = *(const volatile bits *)(w.most + v % SLOTS);
    double err;
    memcpy(&err, &most, sizeof err);
    const bool on = progress_judge(&progress, w.wanted, err);
    if (blockIdx.x == 0) {
        w.errors[v] = err;
        w.most[(v + 2) % SLOTS] = 0; /* nobody looks there now, nor adds to it in this turn */
        if (!on)
            *w.iterations = progress.iterations;
    }
    return on;
}

static __global__ void __launch_bounds__(THREADS, 1) relax_all(const struct job w)
{
    DYNAMIC_SHARED(double, shared);
    SHARED(arrival, of_matrix, [RING]);
    SHARED(arrival, of_points, [RING]);
    SHARED(arrival, of_left, [RING]);
    SHARED(bits, of_warp, [WARPS]);
    SHARED(int, another, [1]);
    struct ring r = {of_matrix, of_points, of_left, shared, 0};
    double *const f = shared + RING * STAGE;
    const int part = ROWS / w.shares, own = (int)(blockIdx.x % (unsigned)w.shares) * part;
    const size_t i = (size_t)(blockIdx.x / w.shares) * ROWS + own + threadIdx.x;
    const int ahead = min((int)RING, w.stages);
    struct progress progress = w.progress;
    make_ring(r);
    for (int stage = 0; stage < ahead && threadIdx.x == 0; stage++)
        r.ask_matrix(w, stage);
    for (int v = 0;; v ^= 1) {
        const double *const old = w.y[v];
        find_product(w, r, ahead, old, f);
        r.first += w.stages;
        for (int stage = 0; stage < ahead && threadIdx.x == 0; stage++)
            r.ask_matrix(w, stage); /* of the next iteration */
        go_on(w, f, part, own, i);
        const bits most = store(w, f, old, w.y[v ^ 1]);
        bulk_fence_device();
        note(of_warp, w.most + progress.iterations % SLOTS, most);
        grid_sync();
        if (threadIdx.x == 0)
            another[0] = goes_on(w, progress);
        else
            progress.iterations++;
        __syncthreads();
        bulk_fence_device();
        if (!another[0])
            break;
    }
    for (int stage = 0; stage < ahead; stage++) /* what was asked for ahead comes in vain */
        arrival_wait(r.matrix + r.slot(stage), r.parity(stage));
}

/* --- of several ranks --- */

/* An iteration, of the rows of this rank; nothing once they have ended. */
static __global__ void __launch_bounds__(THREADS, 1) relax_part(const struct part w, int rank)
{
    DYNAMIC_SHARED(double, shared);
    SHARED(arrival, of_matrix, [RING]);
    SHARED(arrival, of_points, [RING]);
    SHARED(arrival, of_left, [RING]);
    SHARED(bits, of_warp, [WARPS]);
    const struct ring r = {of_matrix, of_points, of_left, shared, 0};
    double *const f = shared + RING * STAGE;
    const long v = w.now->iterations;
    const double *const old = w.y[v % 2];
    bits *const most = (bits *)(w.made + values_of_part(w) - TAIL);
    const int part = ROWS / w.shares, own = (int)(blockIdx.x % (unsigned)w.shares) * part;
    const size_t i = (size_t)(blockIdx.x / w.shares) * ROWS + own + threadIdx.x;
    const int ahead = min((int)RING, w.stages);
    if (w.now->outcome != 0)
        return;
    make_ring(r);
    for (int stage = 0; stage < ahead && threadIdx.x == 0; stage++)
        r.ask_matrix(w, stage);
    find_product(w, r, ahead, old, f);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        most[(v + 1) % 2] = 0; /* of the next iteration */
    go_on(w, f, part, own, i);
    note(of_warp, most + v % 2, store(w, f, old + rank * values_of_part(w), w.made));
}

/* By one thread, when all parts of the iterate have come. */
static __global__ void judge(const struct part w)
{
    struct progress progress = *w.now;
    if (progress.outcome != 0)
        return;
    const long v = progress.iterations;
    bits most = 0;
    for (int rank = 1; rank <= w.ranks; rank++) {
        bits other;
        memcpy(&other, w.y[(v + 1) % 2] + rank * values_of_part(w) - TAIL + v % 2, sizeof other);
        most = other > most ? other : most;
    }
    double err;
    memcpy(&err, &most, sizeof err);
    (void)progress_step(&progress, w.wanted, err);
    *w.now = progress;
}

} // namespace dense_waveform
