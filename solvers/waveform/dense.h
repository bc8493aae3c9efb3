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
 * An iteration on an H200, us, d = 1024, 2048, 4096, 8192, 16384: 9.8, 17.3, 43.3, 141 and 528;
 * cuBLAS with a recurrence kernel behind it 30.6, 39.4, 77.3, 200 and 625; gpu-fused 29.0, 37.5,
 * 73.0, 207 and 718. A prototype without the decisions came to 12.4, -, 44.6, 150 and 580.
 *
 * Lost, d = 1024, 4096, 8192, beside 13.9, 49.5 and 149: all blocks waiting for all, and a ring
 * that ran empty in each iteration 17.2, 63.1, 191; a ring of six stages 13.5, 48.2, 152; matrices
 * of 8 columns twice for one of 16 13.5, 50.0, 159; without hints for the L2 cache 13.4, 49.2, 153;
 * at most 8 shares, and 32 MiB of a larger matrix kept in that cache 16.5, 48.2, 154. Lost beside
 * -, 43.3, 141: 6, 8, 12 and 16 stages beyond the ring asked into that cache -, 44.0, 143; 44.7,
 * 143; 46.4, 144; 46.9, 147. Beside 8 of them a quarter of the matrix kept -, 42.6, - is of use,
 * though not on an H100.
 *
 * On an H100, d = 1024, 4096, 8192: 10.05, 54.3 and -. Without what follows, one behind the other:
 * 8 stages beyond the ring asked into the L2 cache while blocks meet 10.2, 55.0; teams that trade
 * halves of their rows, and sums put down in the order of lanes, by 16-byte accesses 11.7, 56.3; a
 * recurrence without conditions, all points of a row at hand 14.7, -; another thread deciding than
 * the one that asks for points 14.0, 58.5; a host that is told while the kernel ends 15.1, 61.0,
 * 197. Lost there: sums as messages, for which nobody waits by a tally, 11.0, 55.4; and 8 stages
 * ahead 11.0, 54.4, 191, or 16 11.0, 54.8; those, and one thread for both 11.4, -.
 *
 * Where rows do not come out even with the blocks there are, shares are STRETCHES: all stages of
 * all rows, one behind the other, in equal pieces, so that a block may end one row and begin the
 * next. The block where a row begins goes on with it, when the others have put down their sums.
 *
 * `part`: the rows of one rank of several. What a block made goes to all ranks' iterates while the
 * next product is under way, which begins with the columns that are its own rank's: one warp brings
 * a kilobyte at each of its stages, so that links are never full of it and no load waits behind it.
 * The largest corrections travel ahead as letters, and all decide alike. A solve on H200s, ms, of
 * 11 iterations, d = 16384: one card 5.79, two 3.24, and 3.48 while all stages had the branches of
 * who brings; of 12, 32768: 24.7, 12.6. A clock in the first warp, of 288 us an iteration, 16384:
 * 79 for the 128 stages in which it brings and 65 for as many more, 130 for the others' columns, 13
 * until all have decided. Lost: stretches there 4.19; 32768 in whole rows, of which there are 128
 * for 132 blocks, 13.4, and with their begins not a power of two apart 13.4.
 */
#pragma once
#include "machine/far.h"

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
    OF_PARTS = POINTS * ROWS, /* of a block */
    STAGE = OF_MATRIX + OF_POINTS,
    PITCH = ROWS + 1, /* of F in shared memory, [POINTS]; one more would cost two stages */
    BYTES = (RING * STAGE + POINTS * PITCH) * (int)sizeof(double),
    MOST_SHARES = 16, /* of a row of the matrix */
    SLOTS = 3,        /* of corrections */
    APART = 32,       /* tallies, which blocks wait for, in words: each has a line of the cache */
    AHEAD = 4,        /* stages behind the ring that the L2 cache is asked for */
    KEEPS = 64,       /* stages, of which so many as `kept` says are to stay in the L2 cache */
    STRETCHES = 0,    /* in place of shares */
    MOST_RANKS = 64,
    EACH_STAGE = 32, /* pairs of values that a block brings to other ranks: of each lane one */
    DUE = 128        /* stages, before which signals are due of whoever has no more to bring */
};

static_assert(RING % TEAMS == 0, "or who waits for a slot may not have seen its phase before");

struct job {
    struct sweep sweep;
    const double *matrix; /* device, [blocks of rows][stages][OF_MATRIX] */
    double *y[2];         /* device, [stages][OF_POINTS] */
    double *parts;        /* device, [blocks][OF_PARTS], where a row is not all one block's: of
                             stretches [POINTS][ROWS], of shares as put_down_halves() says */
    unsigned *ended;      /* device: blocks that have, of all iterations together; 0 */
    unsigned *joined;     /* device, [blocks of rows][APART]: shares of them that are there; 0. Of
                             stretches [blocks][APART] */
    const double *start;  /* device, [2][d]: y at the first points */
    bits *most;           /* device, [SLOTS]; 0 */
    int shares, stages;   /* of a row of the matrix; stages: of a share */
    int kept;             /* of KEEPS stages of the matrix */
    int from, count;      /* points of F: the first, and how many */
    struct wanted wanted;
    struct progress progress;
    letter<unsigned> *told; /* page-locked, [1 + 2 nmax]: how many iterations, and corrections */
    unsigned run;           /* the number of what is told */
    int each, more;         /* stages of a stretch; of the first ones, which have one more */
};

/* Of one rank of several; rows and what belongs to them are its own, y[] is where all write. */
struct part : job {
    int ranks, own;
    int first, count_own;      /* stages of a waveform that are made here */
    int base;                  /* number of what the ranks begin with; it grows from run to run */
    unsigned *sent;            /* device: blocks that have brought theirs, of all iterations; 0 */
    size_t values;             /* of a waveform */
    double *there[MOST_RANKS]; /* what all ranks share, each: y[2], letters, signals */
};

/* Largest corrections of each rank, of even iterations and odd ones: who writes the next one but
 * one has seen that all have this one. */
static __device__ __forceinline__ letter<bits> *letters_at(const struct part &w, int rank,
                                                           unsigned number)
{
    return (letter<bits> *)(w.there[rank] + 2 * w.values) + number % 2 * MOST_RANKS;
}

/* Of which iterate each rank has brought all it makes. */
static __device__ __forceinline__ int *signals_at(const struct part &w, int rank)
{
    return (int *)((letter<bits> *)(w.there[rank] + 2 * w.values) + 2 * MOST_RANKS);
}

enum { SHARED_BYTES = MOST_RANKS * (2 * sizeof(letter<bits>) + sizeof(int)) /* beside y[] */ };

/* Stages of a stretch, and before it. */
HOST_DEVICE int count_of_stretch(const struct job &w, int block)
{
    return w.each + (block < w.more ? 1 : 0);
}

HOST_DEVICE int begin_of_stretch(const struct job &w, int block)
{
    return block * w.each + (block < w.more ? block : w.more);
}

/* A block's piece of a row, [from, to) of its stages. */
struct piece {
    int row, from, to;
};

HOST_DEVICE struct piece piece_at(const struct job &w, int shares, int block, int stage)
{
    if (shares != STRETCHES) {
        const int from = block % shares * w.stages;
        return {block / shares, from, from + w.stages};
    }
    const int begin = begin_of_stretch(w, block), end = begin + count_of_stretch(w, block);
    const int row = (begin + stage) / w.stages, first = row * w.stages;
    return {row, begin > first ? begin - first : 0,
            (end < first + w.stages ? end - first : w.stages)};
}

/* Which columns a block's stage has. */
HOST_DEVICE size_t number_of(const struct job &w, int shares, unsigned block, int stage)
{
    if (shares == STRETCHES)
        return (size_t)((begin_of_stretch(w, (int)block) + stage) % w.stages);
    return (size_t)(block % shares) * w.stages + stage;
}

/* Which of this rank's own stages a piece has: of each share as many as it has in proportion; of
 * stretches the last ones of a row are own, so that a block whose stretch begins with the end of a
 * row has them there. */
HOST_DEVICE struct piece own_of(const struct part &w, int shares, int block, struct piece p)
{
    if (shares != STRETCHES) {
        const int share = block % shares, own = w.count_own; /* no division but by shares */
        return {p.row, (int)((unsigned)(own * share) / (unsigned)shares),
                (int)((unsigned)(own * (share + 1)) / (unsigned)shares)};
    }
    const int others = w.stages - w.count_own;
    return {p.row, p.from > others ? p.from - others : 0, p.to > others ? p.to - others : 0};
}

/* In what order a block takes the stages of a piece: this rank's own come first. */
struct order {
    int own, end;          /* stages of the block, up to which they are this rank's own, and all */
    int of_own, of_others; /* from a stage to the number of its columns */
};

HOST_DEVICE struct order order_of(const struct part &w, int shares, int block, int stage)
{
    const struct piece p = piece_at(w, shares, block, stage);
    const struct piece own = own_of(w, shares, block, p);
    const int begin =
        shares == STRETCHES ? p.row * w.stages + p.from - begin_of_stretch(w, block) : 0;
    return {begin + own.to - own.from, begin + p.to - p.from, w.first + own.from - begin,
            w.first + w.count_own + p.from - own.to - begin};
}

/* Columns go round. */
HOST_DEVICE size_t number_in(const struct part &w, int shares, const struct order &at, int stage)
{
    const int all = w.stages * (shares == STRETCHES ? 1 : shares);
    const int number = stage + (stage < at.own ? at.of_own : at.of_others);
    return (size_t)(number < all ? number : number - all);
}

HOST_DEVICE size_t number_of(const struct part &w, int shares, unsigned block, int stage)
{
    return number_in(w, shares, order_of(w, shares, (int)block, stage), stage);
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

/* Stages of a waveform that a block makes: of shares a portion of a row, of stretches all rows that
 * begin in them, and of this rank's last row what there is of it. */
struct range {
    int begin, count;
};

HOST_DEVICE struct range made_by(const struct part &w, int shares, int block)
{
    enum { OF_ROW = ROWS / COLUMNS };
    int begin = block * OF_ROW / (shares > 0 ? shares : 1);
    int end = (block + 1) * OF_ROW / (shares > 0 ? shares : 1);
    if (shares == STRETCHES) {
        const int first = begin_of_stretch(w, block);
        begin = ((first + w.stages - 1) / w.stages) * OF_ROW;
        end = ((first + count_of_stretch(w, block) + w.stages - 1) / w.stages) * OF_ROW;
    }
    begin = begin < w.count_own ? begin : w.count_own;
    end = end < w.count_own ? end : w.count_own;
    return {w.first + begin, end - begin};
}

template <class JOB> constexpr bool several = false;
template <> inline constexpr bool several<struct part> = true;

/* --- the ring --- */

/* Stages are counted on from iteration to iteration, so that the matrix of the next one comes while
 * this one ends. Where all of a block are in the ring at once the matrix stays there, and only
 * points come. */
template <int shares> struct ring {
    arrival *come, *left; /* [RING] each */
    double *stages;
    unsigned first; /* places that earlier iterations had, by which slots and parities go */
    /* Of several ranks: what the block makes, in pairs of values, one behind the other; before
     * which stage all of it has to have been brought, and whether stages bring it. A thread's: the
     * number of the iterate that it knows to have come from all; the iteration of which others have
     * not been told that the block has brought it, or 0. */
    int begin_made, made, due;
    bool by_stages;
    int heard;
    unsigned owed;
    struct order order; /* of the piece that is multiplied, or of the next iteration's first; what
                         * is asked for may also be of a later one */

    static __device__ __forceinline__ int count(const struct job &w)
    {
        return shares == STRETCHES ? count_of_stretch(w, (int)blockIdx.x) : w.stages;
    }
    static __device__ __forceinline__ size_t begin(const struct job &w)
    {
        if constexpr (shares == STRETCHES)
            return (size_t)begin_of_stretch(w, (int)blockIdx.x);
        else
            return (blockIdx.x % shares + blockIdx.x / shares * (size_t)shares) * w.stages;
    }
    static __device__ __forceinline__ bool stays(const struct job &w)
    {
        return count(w) <= RING;
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
    /* One beyond the block's is of the next iteration. `there`: it is already. */
    __device__ __forceinline__ void ask_matrix(const struct job &w, int stage, bool there) const
    {
        const int number = stage < count(w) ? stage : stage - count(w);
        const double *const from = w.matrix + (begin(w) + number) * OF_MATRIX;
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
    __device__ __forceinline__ void ask_points(const JOB &w, const double *y, int wanted, int stage)
    {
        const size_t number = number_awaited(w, wanted, stage);
        bulk_load_kept(at(stage) + OF_MATRIX, y + number * OF_POINTS, OF_POINTS * sizeof(double),
                       come + slot(stage));
    }
    /* By one thread, before an iteration; the matrix of these stages has been asked for. */
    template <class JOB>
    __device__ __forceinline__ void ask_first_points(const JOB &w, const double *y, int wanted)
    {
        for (int stage = 0; stage < RING && stage < count(w); stage++)
            ask_points(w, y, wanted, stage);
    }
    /* By one thread of those that have left a stage, when the others have, too. */
    template <class JOB>
    __device__ __forceinline__ void ask_in_place_of(const JOB &w, const double *y, int wanted,
                                                    int stage)
    {
        const int next = stage + RING;
        arrival_wait(left + slot(stage), parity(stage));
        ask_matrix(w, next, false);
        if (next < count(w))
            ask_points(w, y, wanted, next);
    }
    /* By all threads, which have left all stages. */
    __device__ __forceinline__ void go_round(const struct job &w)
    {
        const bool there = stays(w);
        const int end = there ? count(w) : (int)RING;
        first += there ? (unsigned)RING : (unsigned)count(w);
        for (int stage = there ? 0 : RING - TEAMS; stage < end && threadIdx.x == 0; stage++) {
            if (!there) /* none but this one looks at the last of a place */
                arrival_wait(left + slot(stage), parity(stage) ^ 1);
            ask_matrix(w, stage, there);
        }
    }
    /* By all threads, at the end: what was asked for ahead comes in vain. */
    __device__ __forceinline__ void empty(const struct job &w) const
    {
        for (int stage = 0; stage < RING && stage < count(w); stage++)
            arrival_wait(come + slot(stage), parity(stage));
    }

    /* --- of several ranks --- */

    /* By all threads, before a piece that begins here, and for what is asked for before any. */
    __device__ __forceinline__ void take_order(const struct job & /* w */, int /* stage */)
    {
    }
    __device__ __forceinline__ void take_order(const struct part &w, int stage)
    {
        order = order_of(w, shares, (int)blockIdx.x, stage);
    }
    /* Which columns a stage has, when they may be asked for: those of other ranks may still be on
     * their way. */
    __device__ __forceinline__ size_t number_awaited(const struct job &w, int /* wanted */,
                                                     int stage)
    {
        return number_of(w, shares, blockIdx.x, stage);
    }
    __device__ __forceinline__ size_t number_awaited(const struct part &w, int wanted, int stage)
    {
        struct order at = order;
        if (shares == STRETCHES && stage >= at.end)
            at = order_of(w, shares, (int)blockIdx.x, stage);
        if (stage >= at.own)
            hear(w, wanted);
        return number_in(w, shares, at, stage);
    }
    /* By any thread, until all ranks have brought the iterate of this number. */
    __device__ __forceinline__ void hear(const struct part &w, int wanted)
    {
        if (heard == wanted)
            return;
        pay(w); /* or all would wait for all; what is not due yet was brought at once */
        for (int rank = 0; rank < w.ranks; rank++)
            if (rank != w.own)
                signal_wait(signals_at(w, w.own) + rank, wanted);
        bulk_fence_device();
        heard = wanted;
    }
    /* By all threads. Signals are due when stages have brought all, and before any thread waits for
     * other ranks; and no block is so late that another rank's, which has fewer columns of its own
     * to begin with, waits for it. Where there are too few stages for that, all is brought at once.
     */
    __device__ __forceinline__ void set_due(const struct part &w)
    {
        const struct range range = made_by(w, shares, (int)blockIdx.x);
        begin_made = range.begin * (OF_POINTS / 2);
        made = range.count * (OF_POINTS / 2);
        const int needed = (made - 1) / (int)EACH_STAGE + 1, own = own_ones(w);
        due = max(0, min(min(own / 2, own - (int)RING), max((int)DUE, needed)));
        by_stages = needed <= due;
    }
    /* Whether the first warp brings anything at this stage and the next ones. */
    __device__ __forceinline__ bool brings(int stage) const
    {
        return by_stages && stage * (int)EACH_STAGE < made;
    }
    /* Stages that the block begins with, of columns that are this rank's own. */
    static __device__ __forceinline__ int own_ones(const struct part &w)
    {
        int own = 0;
        for (int stage = 0, all = 1; all && stage < count(w);) {
            const struct piece p = piece_at(w, shares, (int)blockIdx.x, stage);
            const struct piece of = own_of(w, shares, (int)blockIdx.x, p);
            own += of.to - of.from;
            stage += p.to - p.from;
            all = of.to - of.from == p.to - p.from;
        }
        return own;
    }
    /* By the first thread, sooner or later in the next iteration, when the block has brought all:
     * the last block to say so tells all ranks. */
    __device__ __forceinline__ void pay(const struct part &w)
    {
        if (owed == 0)
            return;
        __threadfence();
        const bool last = atomicAdd(w.sent, 1u) + 1 == owed * gridDim.x;
        __threadfence();
        for (int rank = 0; rank < w.ranks && last; rank++)
            if (rank != w.own)
                signal_send(signals_at(w, rank) + w.own, w.base + (int)owed);
        owed = 0;
    }
};

/* By all threads; the first stages are asked for. */
template <int shares, class JOB>
static __device__ __forceinline__ void make_ring(struct ring<shares> &r, const JOB &w,
                                                 const double *y, int wanted)
{
    if (threadIdx.x == 0) {
        for (int s = 0; s < RING; s++) {
            arrival_make(r.come + s, 1);
            arrival_make(r.left + s, 32 * TEAM); /* by lanes: racecheck sees who waits for whom */
        }
        arrivals_made();
        for (int stage = 0; stage < RING && stage < r.count(w); stage++)
            r.ask_matrix(w, stage, false);
        r.ask_first_points(w, y, wanted);
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

/* What the block made in the last iteration, of its EACH_STAGE pairs number k, to other ranks: by a
 * warp, which asks for it before a product and puts it down behind that. */
template <int shares>
static __device__ __forceinline__ double2 take_made(const struct ring<shares> &r, const double *y,
                                                    int k)
{
    const int pair = k * EACH_STAGE + (int)threadIdx.x % 32;
    return message_look((const double2 *)y + r.begin_made + min(pair, r.made - 1));
}

/* Numbers k and the next ones, so many. */
template <int shares, int count>
static __device__ __forceinline__ void bring(const struct part &w, const struct ring<shares> &r,
                                             unsigned iteration, int k,
                                             const double2 (&made)[count])
{
    const int pair = k * EACH_STAGE + (int)threadIdx.x % 32;
    ROLLED (int other = 1; other < w.ranks; other++) {
        const int rank = w.own + other < w.ranks ? w.own + other : w.own + other - w.ranks;
        double2 *const to =
            (double2 *)(w.there[rank] + iteration % 2 * w.values) + r.begin_made + pair;
        UNROLLED (int j = 0; j < count; j++)
            if (pair + j * (int)EACH_STAGE < r.made)
                to[j * EACH_STAGE] = made[j];
    }
}

/* What a warp of a team has left is asked for again by one of its warps, by turns. */
template <int shares, class JOB>
static __device__ __forceinline__ void leave(const JOB &w, struct ring<shares> &r, const double *y,
                                             int wanted, int stage, int member, int lane)
{
    if (!r.stays(w)) {
        arrival_arrive(r.left + r.slot(stage));
        if (lane == 0 && stage / TEAMS % TEAM == member && stage >= TEAMS)
            r.ask_in_place_of(w, y, wanted, stage - TEAMS);
    }
    __syncwarp();
}

/* The first warp's stages before signals are due, at which it brings to other ranks what the block
 * made: a loop of its own, so that no other stage is longer for it. What a stage puts down was
 * asked for at the one before. Returns the stage to go on with. */
template <int shares>
static __device__ __forceinline__ int multiply_and_bring(const struct job &, struct ring<shares> &,
                                                         const double *, int, int from, int,
                                                         struct sums &)
{
    return from;
}
template <int shares>
static __device__ __forceinline__ int multiply_and_bring(const struct part &w,
                                                         struct ring<shares> &r, const double *y,
                                                         int wanted, int from, int to,
                                                         struct sums &s)
{
    const int lane = (int)threadIdx.x % 32, end = min(to, r.due + (int)TEAMS);
    double2 made[TEAMS] = {};
    int stage = from;
    if (wanted == w.base)
        return from;
    if (stage < end && r.brings(stage))
        UNROLLED (int k = 0; k < TEAMS; k++)
            made[k] = take_made(r, y, stage + k);
    ROLLED (; stage < end; stage += TEAMS) {
        if (stage >= r.due) {
            bulk_fence_device(); /* others load what this warp has brought */
            __syncwarp();
            r.pay(w);
            __syncwarp();
        }
        arrival_wait(r.come + r.slot(stage), r.parity(stage));
        multiply(r.at(stage), 0, lane, s);
        if (r.brings(stage))
            bring(w, r, (unsigned)(wanted - w.base), stage, made);
        if (r.brings(stage + TEAMS))
            UNROLLED (int k = 0; k < TEAMS; k++)
                made[k] = take_made(r, y, stage + TEAMS + k);
        leave(w, r, y, wanted, stage, 0, lane);
    }
    return stage;
}

/* This team's stages, [from, to) of the block's. */
template <int shares, class JOB>
static __device__ __forceinline__ void multiply_share(const JOB &w, struct ring<shares> &r,
                                                      const double *y, int wanted, int from, int to,
                                                      struct sums &s)
{
    const int lane = (int)threadIdx.x % 32, warp = __shfl_sync(EVERY, (int)threadIdx.x / 32, 0);
    const int team = warp / TEAM, member = warp % TEAM;
    int first = shares == STRETCHES ? from + (from + team) % TEAMS : team;
    if (warp == 0)
        first = multiply_and_bring(w, r, y, wanted, first, to, s);
    for (int stage = first; stage < to; stage += TEAMS) {
        arrival_wait(r.come + r.slot(stage), r.parity(stage));
        multiply(r.at(stage), member, lane, s);
        leave(w, r, y, wanted, stage, member, lane);
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

enum {
    HALF_ROWS = 16,               /* of a warp's */
    HALF = 2 * EIGHTS,            /* pairs that a lane has of them */
    PAIRS = 2 * TEAM * HALF * 32, /* of a block: all points but the last one */
    PAIRS_OF_ROW = PAIRS / ROWS
};
static_assert(2 * PAIRS + ROWS == (int)OF_PARTS, "all of a block's sums");
static_assert((int)OF_PARTS <= (int)POINTS * (int)PITCH, "halves fit in the place of F");

/* The teams' sums where others wait for them: each team gives one half of its rows to the other
 * team and puts down the other half, for both, as lanes have them: pairs [member][8 rows][8
 * points][lane], then the last point of each row. */
static __device__ __forceinline__ void put_down_halves(const struct job &w, const struct sums &s,
                                                       double *f)
{
    const int lane = (int)threadIdx.x % 32, warp = __shfl_sync(EVERY, (int)threadIdx.x / 32, 0);
    const int team = warp / TEAM, member = warp % TEAM, g = lane / 4, t = lane % 4;
    double2 *const room = (double2 *)f;
    double *const of_last = f + 2 * PAIRS; /* [team][member][HALF_ROWS] */
    double2 *const own = (double2 *)(w.parts + blockIdx.x * (size_t)OF_PARTS);
    double last[4];
    UNROLLED (int h = 0; h < 4; h++) {
        last[h] = s.last[h];
        last[h] += __shfl_xor_sync(EVERY, last[h], 1);
        last[h] += __shfl_xor_sync(EVERY, last[h], 2);
    }
    UNROLLED (int i = 0; i < 2; i++)
        UNROLLED (int x = 0; x < EIGHTS; x++)
            room[((team * TEAM + member) * HALF + i * EIGHTS + x) * 32 + lane] =
                team == 0 ? double2{s.tile[1][x][2 * i], s.tile[1][x][2 * i + 1]}
                          : double2{s.tile[0][x][2 * i], s.tile[0][x][2 * i + 1]};
    UNROLLED (int i = 0; i < 2; i++)
        if (t == 0)
            of_last[(team * TEAM + member) * HALF_ROWS + i * 8 + g] =
                team == 0 ? last[2 + i] : last[i];
    __syncthreads();
    const int other = (1 - team) * TEAM + member;
    UNROLLED (int i = 0; i < 2; i++)
        UNROLLED (int x = 0; x < EIGHTS; x++) {
            double2 sum = room[(other * HALF + i * EIGHTS + x) * 32 + lane];
            sum.x += team == 0 ? s.tile[0][x][2 * i] : s.tile[1][x][2 * i];
            sum.y += team == 0 ? s.tile[0][x][2 * i + 1] : s.tile[1][x][2 * i + 1];
            own[((member * 4 + 2 * team + i) * EIGHTS + x) * 32 + lane] = sum;
        }
    UNROLLED (int i = 0; i < 2; i++) {
        const double sum =
            of_last[other * HALF_ROWS + i * 8 + g] + (team == 0 ? last[i] : last[2 + i]);
        if (t == 0)
            ((double *)(own + PAIRS))[member * 32 + (2 * team + i) * 8 + g] = sum;
    }
}

/* F of so many of the block's stages: to f[point][row], or of shares put down. */
template <int shares, class JOB>
static __device__ __forceinline__ void find_product(const JOB &w, struct ring<shares> &r,
                                                    const double *y, int wanted, int from, int to,
                                                    double *f)
{
    struct sums s = {};
    multiply_share(w, r, y, wanted, from, to, s);
    if constexpr (shares > 1)
        put_down_halves(w, s, f);
    else
        gather(s, f);
}

/* --- what follows --- */

/* The rows that a block goes on with, of a block of rows. A thread has one of them, at some points
 * in time; where there is none it has a place that is there all the same, since loads that hang on
 * a condition are waited for one by one. */
template <int shares> struct portion {
    static constexpr int rows = ROWS / (shares > 1 ? shares : 1), apart = THREADS / rows;
    static constexpr int each = (POINTS - 1) / apart + 1; /* points of a thread, `apart` */
    static constexpr int pitch = shares > 1 ? rows : PITCH;
    static_assert(shares <= 1 || each * apart * rows <= POINTS * PITCH, "F fits in");
    int row, first; /* of the portion; point */
    size_t i, there;

    __device__ __forceinline__ portion(const struct job &w, size_t block, unsigned share)
    {
        const int thread = anew((int)threadIdx.x); /* or all places are kept through the product */
        row = thread % rows;
        first = thread / rows;
        i = block * (size_t)ROWS + share * rows + row;
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
 * has put down its share of all rows takes its portion when all have; iterations are counted from
 * 1. */
template <int shares>
static __device__ __forceinline__ void join(const struct job &w, const struct portion<shares> &at,
                                            unsigned iteration, double *f)
{
    enum {
        HERE = PAIRS_OF_ROW * (int)portion<shares>::rows, /* pairs of this portion */
        EACH = (HERE - 1) / THREADS + 1,
        LAST_ONES = (int)portion<shares>::rows < 32 ? 32 : (int)portion<shares>::rows
    };
    const int thread = at.first * at.rows + at.row;
    const size_t block = blockIdx.x / shares, share = blockIdx.x % shares;
    const double *const of = w.parts + block * shares * OF_PARTS;
    double2 part[EACH][shares];
    double last[shares];
    __syncthreads();
    if (threadIdx.x == 0) {
        tally_add(w.joined + block * APART);
        tally_wait(w.joined + block * APART, shares * iteration);
    }
    __syncthreads();
    UNROLLED (int e = 0; e < EACH; e++)
        UNROLLED (int k = 0; k < shares; k++)
            part[e][k] = message_look((const double2 *)(of + (size_t)k * OF_PARTS) + share * HERE +
                                      min(e * THREADS + thread, HERE - 1));
    if (thread >= THREADS - LAST_ONES) {
        const int row = thread % at.rows;
        double sum = 0;
        UNROLLED (int k = 0; k < shares; k++)
            last[k] = *(const volatile double *)(of + (size_t)k * OF_PARTS + 2 * PAIRS +
                                                 share * at.rows + row);
        UNROLLED (int k = 0; k < shares; k++)
            sum += last[k];
        if (thread >= THREADS - at.rows)
            f[8 * EIGHTS * at.pitch + row] = sum;
    }
    UNROLLED (int e = 0; e < EACH; e++) {
        const int k0 = e * THREADS + thread, lane = k0 % 32, x = k0 / 32 % EIGHTS;
        double *const to =
            f + (x * 8 + 2 * (lane % 4)) * at.pitch + k0 / (32 * EIGHTS) * 8 + lane / 4;
        double2 sum = {0, 0};
        UNROLLED (int k = 0; k < shares; k++) {
            sum.x += part[e][k].x;
            sum.y += part[e][k].y;
        }
        if (k0 < HERE) {
            to[0] = sum.x;
            to[at.pitch] = sum.y;
        }
    }
    __syncthreads();
}

/* A stretch's end of a row, which began in a block before. */
static __device__ __forceinline__ void put_down(const struct job &w, const double *f)
{
    double *const own = w.parts + blockIdx.x * (size_t)OF_PARTS;
    for (int k = (int)threadIdx.x; k < w.count * ROWS; k += THREADS)
        own[k] = f[k / ROWS * PITCH + k % ROWS];
    __syncthreads();
    if (threadIdx.x == 0)
        tally_add(w.joined + blockIdx.x * APART);
}

/* What the blocks behind this one have of a row that begins here, of which `missing` stages. */
static __device__ __forceinline__ void add_ends(const struct job &w,
                                                const struct portion<STRETCHES> &at,
                                                unsigned iteration, int missing, double *f)
{
    for (int block = (int)blockIdx.x + 1; missing > 0; block++) {
        const double *const end = w.parts + block * (size_t)OF_PARTS;
        double part[at.each];
        missing -= count_of_stretch(w, block);
        if (threadIdx.x == 0)
            tally_wait(w.joined + block * APART, iteration);
        __syncthreads();
        UNROLLED (int k = 0; k < at.each; k++)
            part[k] =
                *(const volatile double *)(end + min(at.point(k), w.count - 1) * ROWS + at.row);
        UNROLLED (int k = 0; k < at.each; k++)
            if (at.point(k) < w.count)
                f[at.point(k) * PITCH + at.row] += part[k];
    }
    __syncthreads();
}

/* relax() of one-step methods without lags and g: a row's points are all at hand. */
template <int pitch>
static __device__ __forceinline__ void relax_at_once(const struct job &w, const struct row &row,
                                                     double *f)
{
    double x[POINTS], y = row.y1;
    UNROLLED (int p = 0; p < POINTS; p++)
        x[p] = f[p * pitch];
    UNROLLED (int p = 0; p < POINTS; p++) {
        const double sum = w.sweep.b[0] * x[p];
        x[p] = row.by.w * sum;
    }
    UNROLLED (int p = 0; p < POINTS; p++) {
        y = fma(row.by.q1, y, x[p]);
        f[p * pitch] = y;
    }
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
template <int shares, class JOB>
static __device__ __forceinline__ bits go_on(const JOB &w, size_t block, unsigned share,
                                             int missing, unsigned iteration, double *f,
                                             const double *old, double *next)
{
    const struct portion<shares> at(w, block, share);
    const bool one = at.first == 0 && at.i < w.sweep.d;
    struct row row = {};
    double was[at.each];
    bits most = 0;
    if (one)
        row = begin_row(w, at.i);
    UNROLLED (int k = 0; k < at.each; k++)
        was[k] = *(const volatile double *)(old + at.place(k));
    if constexpr (shares == STRETCHES)
        add_ends(w, at, iteration, missing, f);
    else if constexpr (shares > 1)
        join(w, at, iteration, f);
    if (one && w.sweep.steps == 1 && w.sweep.lags == 0 && w.sweep.g == NULL)
        relax_at_once<at.pitch>(w, row, f + at.row);
    else if (one && w.sweep.steps == 1 && w.sweep.lags == 0)
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

/* By all threads, when all of `next` is there, and where stages do not bring it: by the warps that
 * have nothing to do while it is decided. */
template <int shares>
static __device__ __forceinline__ void bring_at_once(const struct part &w,
                                                     const struct ring<shares> &r,
                                                     unsigned iteration, const double *next)
{
    const int warp = (int)threadIdx.x / 32;
    if (r.by_stages || warp == 0)
        return;
    for (int k = warp - 1; k * (int)EACH_STAGE < r.made; k += WARPS - 1) {
        const double2 made[] = {take_made(r, next, k)};
        bring(w, r, iteration, k, made);
    }
    bulk_fence_device(); /* others load it */
}

/* While blocks wait for each other, the L2 cache is asked for what comes behind the ring. */
template <int shares>
static __device__ __forceinline__ void ask_ahead(const struct job &w, const struct ring<shares> &r)
{
    for (int stage = RING; stage < RING + AHEAD && stage < r.count(w) && threadIdx.x == THREADS / 2;
         stage++)
        bulk_ahead(w.matrix + (r.begin(w) + stage) * OF_MATRIX, OF_MATRIX * sizeof(double));
}

/* An iteration of a block's rows. Returns the largest correction. */
template <int shares, class JOB>
static __device__ __forceinline__ bits iterate(const JOB &w, struct ring<shares> &r, int wanted,
                                               unsigned iteration, double *f, const double *old,
                                               double *next)
{
    const double *own = old;
    if constexpr (several<JOB>) {
        own += (size_t)w.first * OF_POINTS;
        next += (size_t)w.first * OF_POINTS;
    }
    bits most = 0;
    if constexpr (shares != STRETCHES) {
        const size_t block = blockIdx.x / shares;
        const unsigned share = blockIdx.x % shares;
        find_product<shares>(w, r, old, wanted, 0, w.stages, f);
        r.go_round(w);
        ask_ahead(w, r);
        most = go_on<shares>(w, block, share, 0, iteration, f, own, next);
    } else {
        const int count = r.count(w);
        for (int stage = 0; stage < count;) {
            const struct piece p = piece_at(w, shares, (int)blockIdx.x, stage);
            if (stage > 0)
                r.take_order(w, stage);
            find_product<shares>(w, r, old, wanted, stage, stage + p.to - p.from, f);
            stage += p.to - p.from;
            if (stage == count)
                r.go_round(w);
            if (p.from > 0) {
                put_down(w, f);
                continue;
            }
            const bits off = go_on<shares>(w, p.row, 0, w.stages - p.to, iteration, f, own, next);
            most = off > most ? off : most;
            __syncthreads(); /* before f is another row's */
        }
        r.take_order(w, 0);
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

/* By each block's decider, when all blocks have noted theirs. */
static __device__ __forceinline__ bits largest(const struct job &w, long v)
{
    return *(const volatile bits *)(w.most + v % SLOTS);
}

/* The same of several ranks: the first block tells all others. */
static __device__ __forceinline__ void tell_largest(const struct part &w, unsigned iteration)
{
    const unsigned number = (unsigned)w.base + iteration;
    const bits own = *(const volatile bits *)(w.most + (iteration - 1) % SLOTS);
    for (int rank = 0; rank < w.ranks && blockIdx.x == 0; rank++)
        letter_send(letters_at(w, rank, number) + w.own, own, number);
}

static __device__ __forceinline__ bits largest(const struct part &w, long v)
{
    const unsigned number = (unsigned)w.base + (unsigned)v + 1;
    bits most = 0;
    for (int rank = 0; rank < w.ranks; rank++) {
        const letter<bits> *const from = letters_at(w, w.own, number) + rank;
        letter<bits> heard = letter_arrived(from, number);
        for (unsigned looks = 0; !letter_there(heard, number); heard = letter_arrived(from, number))
            lose_patience(&looks);
        const bits other = letter_word(heard);
        most = other > most ? other : most;
    }
    return most;
}

/* Who decides, in each block: on one card not the thread that asks for points. */
template <class JOB> constexpr int decider = several<JOB> ? 0 : THREADS / 2;

/* By each block's decider, from the same corrections: all decide alike. */
template <class JOB>
static __device__ __forceinline__ bool goes_on(const JOB &w, struct progress &progress)
{
    struct progress here = progress;
    const long v = here.iterations;
    const bits most = largest(w, v);
    double err;
    memcpy(&err, &most, sizeof err);
    const bool on = progress_judge(&here, w.wanted, err);
    progress = here;
    if (blockIdx.x == 0) {
        unsigned part[2];
        memcpy(part, &err, sizeof part);
        for (int k = 0; k < 2; k++)
            letter_tell(w.told + 1 + 2 * v + k, part[k], w.run);
        w.most[(v + 2) % SLOTS] = 0; /* nobody looks there now, nor adds to it in this turn */
        if (!on)
            letter_tell(w.told, (unsigned)here.iterations, w.run);
    }
    return on;
}

/* What several ranks have beside: who may be written to, and that nobody writes any more. */
template <int shares>
static __device__ __forceinline__ void begin_ranks(const struct job &, struct ring<shares> &)
{
}
template <int shares>
static __device__ __forceinline__ void begin_ranks(const struct part &w, struct ring<shares> &r)
{
    r.heard = w.base - 1;
    r.set_due(w);
    r.take_order(w, 0);
    for (int rank = 0; rank < w.ranks && blockIdx.x + threadIdx.x == 0; rank++)
        if (rank != w.own)
            signal_send(signals_at(w, rank) + w.own, w.base);
}

template <int shares>
static __device__ __forceinline__ void end_ranks(const struct part &w, struct ring<shares> &r,
                                                 int wanted)
{
    if (threadIdx.x == 0)
        r.pay(w);
    if (blockIdx.x + threadIdx.x == 0)
        r.hear(w, wanted);
}

/* JOB: struct job, or of several ranks struct part. */
template <int shares, class JOB>
static __global__ void __launch_bounds__(THREADS, 1) relax_all(const JOB w)
{
    DYNAMIC_SHARED(double, shared);
    SHARED(arrival, of_come, [RING]);
    SHARED(arrival, of_left, [RING]);
    SHARED(bits, of_warp, [WARPS]);
    SHARED(struct progress, progress, [1]);
    SHARED(int, another, [1]);
    ring<shares> r = {};
    r.come = of_come;
    r.left = of_left;
    r.stages = shared;
    double *const f = shared + RING * STAGE;
    int number = 0; /* of the iterate that is read, for ranks */
    if (threadIdx.x == 0)
        progress[0] = w.progress;
    if constexpr (several<JOB>)
        number = w.base;
    begin_ranks(w, r);
    make_ring(r, w, w.y[0], number);
    for (unsigned iteration = 1, v = 0;; iteration++, v ^= 1) {
        const bits most = iterate<shares>(w, r, number, iteration, f, w.y[v], w.y[v ^ 1]);
        if constexpr (several<JOB>)
            if (threadIdx.x == 0) /* others have read what the next iterate takes the place of */
                r.hear(w, number);
        bulk_fence_device();
        note(of_warp, w.most + (iteration - 1) % SLOTS, most);
        number++;
        if constexpr (several<JOB>)
            bring_at_once(w, r, iteration, w.y[v ^ 1]);
        if (threadIdx.x == 0) {
            tally_add(w.ended);
            tally_wait(w.ended, iteration * gridDim.x);
            bulk_fence_device();
            if constexpr (several<JOB>) {
                r.owed = iteration;
                tell_largest(w, iteration);
            }
            if (!several<JOB> || r.due > 0)
                r.ask_first_points(w, w.y[v ^ 1], number); /* they come while it is decided */
        }
        if (threadIdx.x == decider<JOB>) {
            if (!several<JOB>)
                tally_wait(w.ended, iteration * gridDim.x);
            another[0] = goes_on(w, progress[0]);
        }
        __syncthreads();
        if constexpr (several<JOB>)
            if (threadIdx.x == 0 && r.due == 0) /* what it waits for may come of what was brought */
                r.ask_first_points(w, w.y[v ^ 1], number);
        if (!another[0])
            break;
    }
    if constexpr (several<JOB>)
        end_ranks(w, r, number);
    r.empty(w);
}

} // namespace dense_waveform
