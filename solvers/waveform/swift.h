/*
 * carry_swift, the kernel of gpu-blocked where components lie in a line and there is much to do: a
 * whole pass of K levels as in blocked.h, in fewer operations and with fewer waits.
 *
 * Levels are in groups, each a point in time behind the one before it, so that what a warp does in
 * a turn is several chains that do not wait for each other. A value begins with its own part, which
 * is there; then the left neighbour's is added and the right one's, in this order wherever the
 * window is, so that windows that overlap have the same bits, and slabs of several ranks too.
 *
 * Corrections grow with time, since y^0 is the same at all points, and the last is the largest; the
 * host asks this kernel only if it is so by more than a high word's rounding. Where Jacobi's are
 * known to be that large (known_to_grow()), no other is looked at, but for the last few points;
 * else all are, by the high words, which is one operation of the double units fewer for each value
 * than the numbers themselves, that are compared at the last point. What is looked at is not
 * believed: where a high word before is not less than the largest correction's, or that comes near
 * to rounding, all begins again with carry_line.
 *
 * Lost on an H100, us as in gpu_blocked_tmpl.cu, where Jacobi's came to 22.0, 47.5, 199: all points
 * looked at 26.0, 60.2, 246, and with a pass's end of as few operations as here 25.2, 58.5, -;
 * levels in five groups 24.5, 68.4, -; windows of 5 values in blocks of one warp, 12 together where
 * there are many, 21.9, 54.9, 300, of four warps -, -, 300; of 9 values -, 95.6, -.
 *
 * Lost before that, where Jacobi's came to 29.6, 52.8, 240 and Picard's to 48.6, 108, 591: the
 * numbers themselves compared at all points 43.7, 60.6, 297 and 52.0, 123, 655; those, and levels
 * in one group 30.7, 62.4, 307 and 51.6, 120, 653; 9, 1 and 3 groups of Picard's, the last with 12
 * warps together, 53.0, 104, 620; loads and stores of Picard's in bulk through shared memory 59.8,
 * 101, 574. Jacobi's levels in units of powers of the neighbours' factor, which saves a product,
 * but has it that neighbours are alike, 32.0, 52.0, 214; and stores in bulk 38.3, 50.9, 229. In all
 * of those figures the neighbour that comes from another lane is added last, so that the bits of
 * one that two windows have are not the same in both; left before right everywhere took 31.6, 54.5,
 * 268 and 54.3, 115, 599.
 */
#pragma once
#include "blocked.h"

namespace BLOCKED
{

/* So many levels K, P components of a lane, warps of a block, warps of a multiprocessor and groups
 * of levels. `inner` and `first` as in struct line. */
template <class method_, int K_, int P_, int WARPS_, int TOGETHER_, int GROUPS_, bool first_,
          bool inner_>
struct swift : line<method_, K_, P_, WARPS_, TOGETHER_, first_, inner_> {
    using base = line<method_, K_, P_, WARPS_, TOGETHER_, first_, inner_>;
    static constexpr int GROUPS = GROUPS_, each = K_ / GROUPS_;
    static_assert(K_ % GROUPS_ == 0, "groups are alike");
    static_assert(method_::folded && P_ > 1, "own neighbours are the lane's or one lane's beside");
};

/* The larger one of two high words without sign; a NaN's is larger than all. */
static __device__ __forceinline__ unsigned higher_of(unsigned most, unsigned now)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    /* As floats, of which a double's high word has the order: one operation without the sign. */
    asm("{ .reg .f32 m, n; mov.b32 m, %1; mov.b32 n, %2; abs.f32 n, n; max.NaN.f32 m, m, n; "
        "mov.b32 %0, m; }"
        : "=r"(most)
        : "r"(most), "r"(now));
    return most;
#else
    now &= 0x7fffffffu;
    return now > most ? now : most;
#endif
}

/* What a lane's neighbours have as factors: 0 beyond the window. */
struct rims {
    real before, after;
};

template <class L> struct levels_of_swift {
    real y[L::K + 1][L::P];
    unsigned before[L::K + 1]; /* high word of the largest correction before the newest point */
    unsigned newest[L::K + 1]; /* and there */
    real first[L::P];          /* of the first pass: what is added at level 1 */

    static __device__ __forceinline__ void add_neighbours(const struct carry &c,
                                                          const struct rims &rims,
                                                          const real (&old)[L::P],
                                                          real (&next)[L::P])
    {
        const struct rule &by = c.rule;
        const real before = __shfl_up_sync(EVERY, old[L::P - 1], 1);
        const real after = __shfl_down_sync(EVERY, old[0], 1);
        UNROLLED (int j = 1; j < L::P; j++) {
            next[j] = fma(by.beside[0], old[j - 1], next[j]);
            if (j + 1 < L::P)
                next[j] = fma(by.beside[1], old[j + 1 < L::P ? j + 1 : 0], next[j]);
        }
        next[0] = fma(rims.before, before, next[0]);
        next[0] = fma(by.beside[1], old[1], next[0]);
        next[L::P - 1] = fma(rims.after, after, next[L::P - 1]);
    }

    __device__ __forceinline__ void begin(const struct carry &c, const lane_of_line<L> &own,
                                          const struct rims &rims)
    {
        own.load(c.y[0], y[0]);
        UNROLLED (int k = 1; k <= L::K; k++)
            UNROLLED (int j = 0; j < L::P; j++)
                y[k][j] = y[0][j];
        UNROLLED (int k = 0; k <= L::K; k++)
            before[k] = newest[k] = 0;
        UNROLLED (int j = 0; j < L::P; j++)
            first[j] = L::method::picard ? c.rule.own * y[0][j] : R(0);
        if (L::first)
            add_neighbours(c, rims, y[0], first);
    }

    /* Level k at the next point. */
    template <bool looked>
    __device__ __forceinline__ void advance(const struct carry &c, const lane_of_line<L> &own,
                                            const struct rims &rims, int k)
    {
        const struct rule &by = c.rule;
        const real(&old)[L::P] = y[k - 1];
        real next[L::P];
        if (L::first && k == 1) {
            UNROLLED (int j = 0; j < L::P; j++)
                next[j] = L::method::picard ? y[k][j] + first[j] : fma(by.q1, y[k][j], first[j]);
        } else {
            UNROLLED (int j = 0; j < L::P; j++)
                next[j] = L::method::picard ? fma(by.own, old[j], y[k][j]) : by.q1 * y[k][j];
            add_neighbours(c, rims, old, next);
        }
        if (looked) {
            before[k] = higher_of(before[k], newest[k]);
            newest[k] = 0;
        }
        UNROLLED (int j = 0; j < L::P; j++) {
            y[k][j] = own.is_inside(j) ? next[j] : R(0);
            if (looked)
                newest[k] = higher_of(newest[k], high_word(y[k][j] - old[j]));
        }
    }

    /* A turn of groups [from, to), the ones behind first. */
    template <int from, int to, bool looked>
    __device__ __forceinline__ void turn(const struct carry &c, const lane_of_line<L> &own,
                                         const struct rims &rims)
    {
        UNROLLED (int s = 1; s <= L::each; s++)
            UNROLLED (int g = to - 1; g >= from; g--)
                advance<looked>(c, own, rims, g * L::each + s);
    }

    /* The largest correction of level k, when all levels are at the last point. */
    __device__ __forceinline__ bits largest(int k) const
    {
        real here = 0;
        bits b = 0;
        UNROLLED (int j = 0; j < L::P; j++)
            here = largest_of(here, y[k][j], y[k - 1][j]);
        UNROLLED (int j = 0; j < L::P; j++)
            b = larger_of(b, with_last(here, y[k][j]));
        return b;
    }

    __device__ __forceinline__ void store(const lane_of_line<L> &own, real *row) const
    {
        struct past out[L::P];
        UNROLLED (int j = 0; j < L::P; j++)
            out[j].y = y[L::K][j];
        own.store(row, out);
    }
};

/* The points of level 0, one after the other; of the first pass it stays where it is. */
template <class L> struct way_in {
    struct rows rows;
    real ahead[L::P];

    __device__ __forceinline__ void begin(const lane_of_line<L> &own)
    {
        if (!L::first)
            own.load(rows.in + rows.stride, ahead);
    }
    __device__ __forceinline__ void take(const struct carry &c, const lane_of_line<L> &own, int n,
                                         real (&v)[L::P])
    {
        if constexpr (!L::first) {
            UNROLLED (int j = 0; j < L::P; j++)
                v[j] = ahead[j];
            if (n + 1 < c.points)
                own.load(rows.in + (n + 1) * rows.stride, ahead);
        }
    }
};

/* Turns in which not all groups are there: at the beginning the first `s` of them, at the end all
 * but those. */
template <class L, int s, bool looked>
static __device__ __forceinline__ void begin_groups(const struct carry &c,
                                                    const lane_of_line<L> &own,
                                                    const struct rims &rims, struct way_in<L> &in,
                                                    levels_of_swift<L> &levels)
{
    if constexpr (s < L::GROUPS) {
        in.take(c, own, s, levels.y[0]);
        levels.template turn<0, s, looked>(c, own, rims);
        begin_groups<L, s + 1, looked>(c, own, rims, in, levels);
    }
}

template <class L, int s>
static __device__ __forceinline__ void end_groups(const struct carry &c, const lane_of_line<L> &own,
                                                  const struct rims &rims, real *row,
                                                  levels_of_swift<L> &levels)
{
    if constexpr (s < L::GROUPS) {
        levels.template turn<s, L::GROUPS, true>(c, own, rims);
        levels.store(own, row);
        end_groups<L, s + 1>(c, own, rims, row + c.pitch, levels);
    }
}

/* All groups. */
template <class L, bool looked>
static __device__ __forceinline__ void turn_all(const struct carry &c, const lane_of_line<L> &own,
                                                const struct rims &rims, int turn,
                                                struct way_in<L> &in, levels_of_swift<L> &levels,
                                                real *row)
{
    in.take(c, own, turn + L::GROUPS, levels.y[0]);
    levels.template turn<0, L::GROUPS, looked>(c, own, rims);
    levels.store(own, row);
}

/* A window through all of time. */
template <class L, class JOB>
static __device__ __forceinline__ void carry_swiftly(const JOB &c, struct order todo, long window,
                                                     bits *most, unsigned *high)
{
    const int lane = (int)threadIdx.x % 32;
    const lane_of_line<L> own(c, window, lane);
    const struct rims rims = {lane == 0 ? R(0) : c.rule.beside[0],
                              lane == 31 ? R(0) : c.rule.beside[1]};
    struct way_in<L> in;
    levels_of_swift<L> levels;
    in.rows = rows_of(c, L::first ? -1 : todo.from);
    levels.begin(c, own, rims);
    in.begin(own);
    const int count = (int)c.points - 1;
    real *row = in.rows.out + c.pitch;
    int turn = 0;
    if (!L::method::picard && c.grows) {
        begin_groups<L, 1, false>(c, own, rims, in, levels);
        for (; turn + 2 * L::GROUPS <= count; turn++, row += c.pitch)
            turn_all<L, false>(c, own, rims, turn, in, levels, row);
    } else {
        begin_groups<L, 1, true>(c, own, rims, in, levels);
    }
    for (; turn + L::GROUPS <= count; turn++, row += c.pitch)
        turn_all<L, true>(c, own, rims, turn, in, levels, row);
    end_groups<L, 1>(c, own, rims, row, levels);
    UNROLLED (int k = 1; k <= L::K; k++) {
        const bits here = largest_of_warp(own.mine ? levels.largest(k) : 0);
        const unsigned before = highest_of_warp(own.mine ? levels.before[k] : 0u);
        if (lane == 0) {
            most[k - 1] = here;
            high[k - 1] = before;
        }
    }
}

/* A pass of fewer levels, which takes registers of its own. */
template <class L, class JOB>
static __device__ CALLED void carry_fewer(const JOB &c, struct order todo, long window, bits *most)
{
    carry_some<typename L::base>(c, todo, window, most);
}

/* As note(), of both; what others have noted is asked for ahead, and may be more by now. */
template <class L>
static __device__ __forceinline__ void note_both(struct course *at, const bits (*of_warp)[L::K],
                                                 const unsigned (*high)[L::K])
{
    const int thread = (int)threadIdx.x;
    bits seen = 0;
    unsigned seen_high = 0;
    if (thread < L::K) {
        seen = *(const volatile bits *)&at->most[thread];
        seen_high = *(const volatile unsigned *)&at->high[thread];
    }
    __syncthreads();
    if (thread < L::K) {
        bits most = 0;
        unsigned highest = 0;
        for (int k = 0; k < L::WARPS; k++) {
            most = larger_of(most, of_warp[k][thread]);
            highest = high[k][thread] > highest ? high[k][thread] : highest;
        }
        if (most > seen)
            atomicMax(&at->most[thread], most);
        if (highest > seen_high)
            atomicMax(&at->high[thread], highest);
    }
}

/* The first pass is whole. */
template <class L, class JOB>
static __global__ void __launch_bounds__(L::threads, L::blocks)
    carry_swift(const __grid_constant__ JOB c)
{
    SHARED(bits, of_warp, [L::WARPS][L::K]);
    SHARED(unsigned, high, [L::WARPS][L::K]);
    const int thread = (int)threadIdx.x, warp = __shfl_sync(EVERY, thread / 32, 0);
    const long window = (long)blockIdx.x * L::WARPS + warp;
    await_previous();
    const struct order todo = L::first ? order{c.begin, -1} : order_of(c);
    if (todo.sweeps == 0)
        return;
    if (L::first || todo.sweeps == L::K) {
        carry_swiftly<L>(c, todo, window, of_warp[warp], high[warp]);
    } else {
        carry_fewer<L>(c, todo, window, of_warp[warp]);
        if (thread % 32 < L::K)
            high[warp][thread % 32] = 0;
    }
    note_both<L>(c.course, of_warp, high);
}

} // namespace BLOCKED
