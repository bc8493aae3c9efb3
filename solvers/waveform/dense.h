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
 * An iteration on an H200, us, d = 1024, 2048, 4096, 8192, 16384: 13.9, 23.4, 49.5, 149 and 545;
 * cuBLAS with a recurrence kernel behind it 30.0, 38.3, 77.6, 196 and 631; gpu-fused 28.2, 37.1,
 * 73.4, 206 and 715. A prototype without the decisions came to 12.4, -, 44.6, 150 and 580.
 *
 * Lost, d = 1024, 4096, 8192: all blocks waiting for all, and a ring that ran empty in each
 * iteration 17.2, 63.1, 191; a ring of six stages 13.5, 48.2, 152; matrices of 8 columns twice for
 * one of 16 13.5, 50.0, 159; without hints for the L2 cache 13.4, 49.2, 153; at most 8 shares, and
 * 32 MiB of a larger matrix kept in that cache 16.5, 48.2, 154.
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
    PITCH = ROWS + 1, /* of F in shared memory, [POINTS]; one more would cost two stages */
    BYTES = (RING * STAGE + POINTS * PITCH) * (int)sizeof(double),
    MOST_SHARES = 16, /* of a row of the matrix */
    SLOTS = 3,        /* of corrections */
    APART = 32,       /* tallies, which blocks wait for, in words: each has a line of the cache */
    KEEPS = 64,       /* stages, of which so many as `kept` says are to stay in the L2 cache */
    TAIL = 2          /* values behind a rank's part of a waveform: corrections, by turns */
};

static_assert(RING % TEAMS == 0, "or who waits for a slot may not have seen its phase before");

struct job {
    struct sweep sweep;
    const double *matrix; /* device, [blocks of rows][stages][OF_MATRIX] */
    double *y[2];         /* device, [stages][OF_POINTS] */
    double *parts;        /* device, [shares][POINTS][rows], if there are several */
    unsigned *ended;      /* device: blocks that have, of all iterations together; 0 */
    unsigned *joined;     /* device, [blocks of rows][APART]: shares of them that are there; 0 */
    const double *start;  /* device, [2][d]: y at the first points */
    bits *most;           /* device, [SLOTS]; 0 */
    int shares, stages;   /* of a row of the matrix; stages: of a share */
    int kept;             /* of KEEPS stages of the matrix */
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

/* Stages are counted on from iteration to iteration, so that the matrix of the next one comes while
 * this one ends. Where all of a share are in the ring at once the matrix stays there, and only
 * points come. */
template <int shares> struct ring {
    arrival *come, *left; /* [RING] each */
    double *stages;
    unsigned first; /* places that earlier iterations had, by which slots and parities go */

    static __device__ __forceinline__ bool stays(const struct job &w)
    {
        return w.stages <= RING;
    }
    __device__ __forceinline__ int slot(int stage) const
    {
        return (int)((first + (unsigned)stage) % RING);
    }
    __device__ __forceinline__ int parity(int stage) const
    {
        return (int)((first + (unsigned)stage) / RING % 2);
    }
    __device__ __forceinline__ double *at(int stage) const
    {
        return stages + slot(stage) * STAGE;
    }
    /* One beyond the share's is of the next iteration. `there`: it is already. */
    __device__ __forceinline__ void ask_matrix(const struct job &w, int stage, bool there) const
    {
        const size_t share = blockIdx.x % shares + blockIdx.x / shares * (size_t)shares;
        const int number = stage < w.stages ? stage : stage - w.stages;
        const double *const from = w.matrix + (share * w.stages + number) * OF_MATRIX;
        arrival *const b = come + slot(stage);
        arrival_expect(b, (there ? OF_POINTS : STAGE) * sizeof(double));
        if (there)
            return;
        if (number % KEEPS < w.kept)
            bulk_load_kept(at(stage), from, OF_MATRIX * sizeof(double), b);
        else
            bulk_load_once(at(stage), from, OF_MATRIX * sizeof(double), b);
    }
    template <class JOB>
    __device__ __forceinline__ void ask_points(const JOB &w, const double *y, int stage) const
    {
        const size_t number = (size_t)(blockIdx.x % shares) * w.stages + stage;
        bulk_load_kept(at(stage) + OF_MATRIX, y + place_of_stage(w, number),
                       OF_POINTS * sizeof(double), come + slot(stage));
    }
    /* By one thread, before an iteration; the matrix of these stages has been asked for. */
    template <class JOB>
    __device__ __forceinline__ void ask_first_points(const JOB &w, const double *y) const
    {
        for (int stage = 0; stage < RING && stage < w.stages; stage++)
            ask_points(w, y, stage);
    }
    /* By one thread of those that have left a stage, when the others have, too. */
    template <class JOB>
    __device__ __forceinline__ void ask_in_place_of(const JOB &w, const double *y, int stage,
                                                    bool again) const
    {
        const int next = stage + RING;
        arrival_wait(left + slot(stage), parity(stage));
        if (next < w.stages || again)
            ask_matrix(w, next, false);
        if (next < w.stages)
            ask_points(w, y, next);
    }
    /* By all threads, which have left all stages. */
    __device__ __forceinline__ void go_round(const struct job &w)
    {
        const bool there = stays(w);
        const int end = there ? w.stages : (int)RING;
        first += there ? (unsigned)RING : (unsigned)w.stages;
        for (int stage = there ? 0 : RING - TEAMS; stage < end && threadIdx.x == 0; stage++) {
            if (!there) /* none but this one looks at the last of a place */
                arrival_wait(left + slot(stage), parity(stage) ^ 1);
            ask_matrix(w, stage, there);
        }
    }
    /* By all threads, at the end: what was asked for ahead comes in vain. */
    __device__ __forceinline__ void empty(const struct job &w) const
    {
        for (int stage = 0; stage < RING && stage < w.stages; stage++)
            arrival_wait(come + slot(stage), parity(stage));
    }
};

/* By all threads; the first stages are asked for. */
template <int shares, class JOB>
static __device__ __forceinline__ void make_ring(const struct ring<shares> &r, const JOB &w,
                                                 const double *y)
{
    if (threadIdx.x == 0) {
        for (int s = 0; s < RING; s++) {
            arrival_make(r.come + s, 1);
            arrival_make(r.left + s, TEAM);
        }
        arrivals_made();
        for (int stage = 0; stage < RING && stage < w.stages; stage++)
            r.ask_matrix(w, stage, false);
        r.ask_first_points(w, y);
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

/* All of a lane's values are read before the first is used. */
static __device__ __forceinline__ void multiply(const double *stage, int warp_row, int lane,
                                                struct sums &s)
{
    const double *const m = stage + warp_row * (32 * COLUMNS) + 2 * lane;
    const double *const y = stage + OF_MATRIX + 2 * lane;
    const double *const last = stage + OF_MATRIX + 8 * EIGHTS * COLUMNS + lane % 4 * 2;
    double2 a[2][4], b[EIGHTS][2], e[2];
    UNROLLED (int half = 0; half < 2; half++) {
        UNROLLED (int h = 0; h < 4; h++)
            a[half][h] = pair_at(m + half * 256 + h * 64);
        e[half] = pair_at(last + 8 * half);
    }
    UNROLLED (int x = 0; x < EIGHTS; x++)
        UNROLLED (int half = 0; half < 2; half++)
            b[x][half] = pair_at(y + (x * 2 + half) * 64);
    UNROLLED (int x = 0; x < EIGHTS; x++) {
        const double at[4] = {b[x][0].x, b[x][0].y, b[x][1].x, b[x][1].y};
        UNROLLED (int h = 0; h < 2; h++) {
            const double of[8] = {a[0][2 * h].x,     a[0][2 * h + 1].x, a[0][2 * h].y,
                                  a[0][2 * h + 1].y, a[1][2 * h].x,     a[1][2 * h + 1].x,
                                  a[1][2 * h].y,     a[1][2 * h + 1].y};
            matrix_16x8x16(s.tile[h][x], of, at);
        }
    }
    UNROLLED (int half = 0; half < 2; half++)
        UNROLLED (int h = 0; h < 4; h++)
            s.last[h] = fma(a[half][h].x, e[half].x, fma(a[half][h].y, e[half].y, s.last[h]));
}

/* This team's stages. What it has left is asked for again by one of its warps, by turns. `again`:
 * there may be another iteration. */
template <int shares, class JOB>
static __device__ __forceinline__ void multiply_share(const JOB &w, const struct ring<shares> &r,
                                                      const double *y, bool again, struct sums &s)
{
    const int lane = (int)threadIdx.x % 32, warp = __shfl_sync(EVERY, (int)threadIdx.x / 32, 0);
    const int team = warp / TEAM, member = warp % TEAM;
    for (int stage = team; stage < w.stages; stage += TEAMS) {
        arrival_wait(r.come + r.slot(stage), r.parity(stage));
        multiply(r.at(stage), member, lane, s);
        __syncwarp();
        if (lane == 0 && !r.stays(w)) {
            arrival_arrive(r.left + r.slot(stage));
            if (stage / TEAMS % TEAM == member && stage >= TEAMS)
                r.ask_in_place_of(w, y, stage - TEAMS, again);
        }
        __syncwarp();
    }
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

/* F of the block's share, to f[point][row]. */
template <int shares, class JOB>
static __device__ __forceinline__ void find_product(const JOB &w, const struct ring<shares> &r,
                                                    const double *y, bool again, double *f)
{
    struct sums s = {};
    multiply_share(w, r, y, again, s);
    gather(s, f);
}

/* --- what follows --- */

/* The rows that a block goes on with. A thread has one of them, at some points in time; where there
 * is none it has a place that is there all the same, since loads that hang on a condition are
 * waited for one by one. */
template <int shares> struct portion {
    static constexpr int rows = ROWS / shares, apart = THREADS / rows;
    static constexpr int each = (POINTS - 1) / apart + 1; /* points of a thread, `apart` */
    static constexpr int pitch = shares > 1 ? rows : PITCH;
    static_assert(shares == 1 || each * apart * rows <= POINTS * PITCH, "F fits in");
    int row, first; /* of the portion; point */
    size_t i, there;

    __device__ __forceinline__ portion(const struct job &w)
    {
        const int thread = anew((int)threadIdx.x); /* or all places are kept through the product */
        row = thread % rows;
        first = thread / rows;
        i = blockIdx.x / shares * (size_t)ROWS + blockIdx.x % shares * rows + row;
        there = min(i, w.sweep.d - 1);
    }
    __device__ __forceinline__ int point(int k) const
    {
        return first + k * apart;
    }
    __device__ __forceinline__ bool is_iterated(const struct job &w, int k) const
    {
        return i < w.sweep.d && point(k) < w.count && point(k) >= w.sweep.steps - w.from;
    }
    __device__ __forceinline__ size_t place(int k) const
    {
        return there / COLUMNS * OF_POINTS + place_of_point(point(k), (int)(there % COLUMNS));
    }
};

/* What is known of a row before its F is. */
struct row {
    struct weights by;
    double y1, y2;
};

static __device__ __forceinline__ struct row begin_row(const struct job &w, size_t i)
{
    return {weights_of(w.sweep, i), w.start[(w.sweep.steps - 1) * w.sweep.d + i], w.start[i]};
}

/* The shares of all columns, in their order, of this block's portion: to f[point][row of it]. Who
 * has them puts down those of all rows, and takes its portion when all have; iterations are counted
 * from 1. */
template <int shares>
static __device__ __forceinline__ void join(const struct job &w, const struct portion<shares> &at,
                                            unsigned iteration, double *f)
{
    enum { EACH = (POINTS * ROWS - 1) / THREADS + 1 };
    const int thread = at.first * at.rows + at.row;
    const size_t all = (size_t)(gridDim.x / shares) * ROWS, block = blockIdx.x / shares;
    double *const own = w.parts + (size_t)(blockIdx.x % shares) * POINTS * all + block * ROWS;
    UNROLLED (int e = 0; e < EACH; e++) {
        const int point = (e * THREADS + thread) / ROWS, row = thread % ROWS;
        const double sum = f[min(point, (int)POINTS - 1) * PITCH + row];
        if (point < w.count)
            own[point * all + row] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        tally_add(w.joined + block * APART);
        tally_wait(w.joined + block * APART, shares * iteration);
    }
    __syncthreads();
    UNROLLED (int k = 0; k < at.each; k++) {
        const double *const of = w.parts + min(at.point(k), w.count - 1) * all + at.i;
        double part[shares], sum = 0;
        UNROLLED (int share = 0; share < shares; share++)
            part[share] = *(const volatile double *)(of + (size_t)share * POINTS * all);
        UNROLLED (int share = 0; share < shares; share++)
            sum += part[share];
        f[at.point(k) * at.pitch + at.row] = sum;
    }
    __syncthreads();
}

/* y of a row in place of its F, points from the first that is iterated on. */
template <int pitch>
static __device__ __forceinline__ void relax(const struct job &w, const struct row &row, int steps,
                                             int lags, double *f, size_t i)
{
    enum { AT_ONCE = 7 };
    const struct sweep &s = w.sweep;
    const double *const g = s.g != NULL ? s.g + (size_t)w.from * s.pitch + i : NULL;
    const auto right_side = [&](int p) {
        return g != NULL ? f[p * pitch] + g[p * s.pitch] : f[p * pitch];
    };
    struct past past = {row.y1, row.y2, 0, 0, 0};
    double here[AT_ONCE], soon[AT_ONCE];
    int p = steps - w.from;
    if (lags > 0)
        past.f1 = right_side(p - 1);
    if (lags > 1)
        past.f2 = right_side(p - 2);
    UNROLLED (int k = 0; k < AT_ONCE; k++)
        here[k] = p + k < w.count ? right_side(p + k) : 0;
    for (; p < w.count; p += AT_ONCE) {
        UNROLLED (int k = 0; k < AT_ONCE; k++)
            soon[k] = p + AT_ONCE + k < w.count ? right_side(p + AT_ONCE + k) : 0;
        UNROLLED (int k = 0; k < AT_ONCE; k++) {
            if (p + k < w.count)
                f[(p + k) * pitch] = step_on(s, steps, lags, row.by, here[k], 0, &past);
            here[k] = soon[k];
        }
    }
}

/* The portion's y, from the block's F, to `next`. Returns the largest correction. */
template <int shares>
static __device__ __forceinline__ bits go_on(const struct job &w, unsigned iteration, double *f,
                                             const double *old, double *next)
{
    const struct portion<shares> at(w);
    const bool one = at.first == 0 && at.i < w.sweep.d;
    struct row row = {};
    double was[at.each];
    bits most = 0;
    if (one)
        row = begin_row(w, at.i);
    UNROLLED (int k = 0; k < at.each; k++)
        was[k] = *(const volatile double *)(old + at.place(k));
    if constexpr (shares > 1)
        join(w, at, iteration, f);
    if (one && w.sweep.steps == 1 && w.sweep.lags == 0)
        relax<at.pitch>(w, row, 1, 0, f + at.row, at.i);
    else if (one)
        relax<at.pitch>(w, row, w.sweep.steps, w.sweep.lags, f + at.row, at.i);
    __syncthreads();
    UNROLLED (int k = 0; k < at.each; k++)
        if (at.is_iterated(w, k)) {
            const double y = f[at.point(k) * at.pitch + at.row];
            const bits off = size_bits(y - was[k]);
            most = off > most ? off : most;
            next[at.place(k)] = y;
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

template <int shares>
static __global__ void __launch_bounds__(THREADS, 1) relax_all(const struct job w)
{
    DYNAMIC_SHARED(double, shared);
    SHARED(arrival, of_come, [RING]);
    SHARED(arrival, of_left, [RING]);
    SHARED(bits, of_warp, [WARPS]);
    SHARED(struct progress, progress, [1]);
    SHARED(int, another, [1]);
    struct ring<shares> r = {
        of_come, of_left, shared, 0
    };
    double *const f = shared + RING * STAGE;
    if (threadIdx.x == 0)
        progress[0] = w.progress;
    make_ring(r, w, w.y[0]);
    for (unsigned iteration = 1, v = 0;; iteration++, v ^= 1) {
        const double *const old = w.y[v];
        find_product(w, r, old, true, f);
        r.go_round(w);
        const bits most = go_on<shares>(w, iteration, f, old, w.y[v ^ 1]);
        bulk_fence_device();
        note(of_warp, w.most + (iteration - 1) % SLOTS, most);
        if (threadIdx.x == 0) {
            tally_add(w.ended);
            tally_wait(w.ended, iteration * gridDim.x);
            bulk_fence_device();
            r.ask_first_points(w, w.y[v ^ 1]); /* they come while it is decided */
            another[0] = goes_on(w, progress[0]);
        }
        __syncthreads();
        if (!another[0])
            break;
    }
    r.empty(w);
}

/* --- of several ranks --- */

/* An iteration, of the rows of this rank; nothing once they have ended. */
template <int shares>
static __global__ void __launch_bounds__(THREADS, 1) relax_part(const struct part w, int rank)
{
    DYNAMIC_SHARED(double, shared);
    SHARED(arrival, of_come, [RING]);
    SHARED(arrival, of_left, [RING]);
    SHARED(bits, of_warp, [WARPS]);
    const struct ring<shares> r = {
        of_come, of_left, shared, 0
    };
    double *const f = shared + RING * STAGE;
    const long v = w.now->iterations;
    const double *const old = w.y[v % 2];
    bits *const most = (bits *)(w.made + values_of_part(w) - TAIL);
    if (w.now->outcome != 0)
        return;
    make_ring(r, w, old);
    find_product(w, r, old, false, f);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        most[(v + 1) % 2] = 0; /* of the next iteration */
    note(of_warp, most + v % 2,
         go_on<shares>(w, (unsigned)v + 1, f, old + rank * values_of_part(w), w.made));
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
