/*
 * carry_plane, the kernel of gpu-blocked where components lie in a plane: a block has a window, a
 * warp some of its rows, a lane some columns of them.
 *
 * Level k is k points behind level 0, so that of all levels together the rows that warps share are
 * exchanged once in each turn. The largest window is for planes that have many, so that all are on
 * the device at once; where components are fewer, smaller ones are on more multiprocessors.
 *
 * `inner`: the plane is as large as a window, and the outermost windows are moved inwards, so that
 * no lane looks whether its components are there: what is beyond the plane is beyond the window.
 * Points of the waveform that is read are asked for some turns before, into shared memory. Else
 * what is beyond the plane is kept 0.
 *
 * In double on an H100, us to convergence over 50 points, of 128^2, 256^2 and 512^2 components: of
 * Jacobi's 138, 203 and 435 (gpu-fused 151, 313, 1067), of Picard's 286, 422 and 1011 (333, 743,
 * 2687). Shapes (K C R warps), of Jacobi's from random values there and at 1024^2, the three that
 * are taken first: 4 1 2 8 109, 287, 862, 3103; 4 1 4 8 158, 199, 682, 2399; 4 2 4 12 325, 418,
 * 436, 1578. Lost: 4 1 2 16 167, 210, 718, 2577; 4 1 4 16 240, 313, 588, 1894; 4 2 4 8 252, 302,
 * 577, 1892; 6 1 3 8 117, 432, 1089, 4365; 6 2 3 12 399, 493, 986, 3326; 2 2 2 16 333, 344, 720,
 * 2176; 3 1 3 8 147, 213, 483, 1564; 3 2 3 12, the quickest at 1024^2, 295, 277, 519, 1340, but of
 * Picard's 679, 707, 1445, 3757 where 4 2 4 12 takes 875, 892, 1018, 3286.
 */
#pragma once
#include "blocked.h"

#include <cuda_pipeline.h>

namespace BLOCKED
{

/* K levels, of a lane R rows of C components side by side. */
template <class method_, int K_, int C_, int R_, int WARPS_, bool inner_> struct plane {
    using method = method_;
    static constexpr int K = K_, C = C_, R = R_, WARPS = WARPS_, threads = 32 * WARPS;
    static constexpr bool inner = inner_;
    static constexpr int columns = 32 * C, rows = R * WARPS, aside = (K + C - 1) / C * C;
    static constexpr int own_columns = columns - 2 * aside, own_rows = rows - 2 * K;
    static constexpr int AHEAD = 4;          /* points that are asked for or taken */
    struct alignas(C * sizeof(real)) piece { /* of a row */
        real v[C];
    };
    /* The last row of the warp above and the first row of each warp, of the levels that have one
     * above: 0 above the first warp and below the last one. A column has its own lanes' banks. */
    struct edges {
        real last[K][WARPS + 1][C][32], first[K][WARPS + 1][C][32];
    };
    struct shared {
        struct edges turns[2]; /* of odd and even turns */
        struct piece ahead[inner ? AHEAD : 1][inner ? R : 1][threads];
    };
    static_assert(own_columns > 0 && own_rows > 0 && K <= MOST_SWEEPS, "there is a middle");
    static_assert(!inner || (method::folded && K % R == 0), "a warp's rows are all own or none");
};

/* A lane's part of a window: rows from `row` on, of each the components from `column` on. */
template <class S> struct lane_of_plane {
    long row, column, side;
    bool even, own;        /* `inner`: pieces are where they can be moved at once; to be stored */
    unsigned inside, mine; /* else bits, C of a row */

    __device__ __forceinline__ lane_of_plane(long side_, int warp, int lane)
        : side(side_), even(false), own(false), inside(0), mine(0)
    {
        const int x0 = lane * S::C, r0 = warp * S::R;
        const bool between = x0 >= S::aside && x0 < S::columns - S::aside;
        if (S::inner) {
            const long left = min((long)blockIdx.x * S::own_columns, side - S::columns);
            const long top = min((long)blockIdx.y * S::own_rows, side - S::rows);
            column = left + x0;
            row = top + r0;
            even = side % S::C == 0;
            own = (between || (left == 0 && x0 < S::aside) ||
                   (left == side - S::columns && x0 >= S::columns - S::aside)) &&
                  (r0 >= S::K || top == 0) &&
                  (r0 + S::R <= S::rows - S::K || top == side - S::rows);
            return;
        }
        row = (long)blockIdx.y * S::own_rows - S::K + r0;
        column = (long)blockIdx.x * S::own_columns - S::aside + x0;
        UNROLLED (int r = 0; r < S::R; r++)
            UNROLLED (int x = 0; x < S::C; x++) {
                const bool in =
                    row + r >= 0 && row + r < side && column + x >= 0 && column + x < side;
                const bool is_own = between && r0 + r >= S::K && r0 + r < S::rows - S::K;
                inside |= (unsigned)in << (r * S::C + x);
                mine |= (unsigned)(in && is_own) << (r * S::C + x);
            }
    }
    __device__ __forceinline__ bool is_inside(int r, int x) const
    {
        return S::inner || (inside >> (r * S::C + x) & 1) != 0;
    }
    __device__ __forceinline__ bool is_mine(int r, int x) const
    {
        return S::inner ? own : (mine >> (r * S::C + x) & 1) != 0;
    }
    __device__ __forceinline__ long at(int r, int x) const
    {
        return (row + r) * side + column + x;
    }
    __device__ __forceinline__ void load(const real *y, real (&v)[S::R][S::C]) const
    {
        UNROLLED (int r = 0; r < S::R; r++)
            UNROLLED (int x = 0; x < S::C; x++)
                v[r][x] = is_inside(r, x) ? y[at(r, x)] : R(0);
    }
    __device__ __forceinline__ void store(real *y, const struct past (&v)[S::R][S::C]) const
    {
        if (S::inner && own && even) {
            UNROLLED (int r = 0; r < S::R; r++) {
                typename S::piece p;
                UNROLLED (int x = 0; x < S::C; x++)
                    p.v[x] = v[r][x].y;
                *(typename S::piece *)(y + at(r, 0)) = p;
            }
            return;
        }
        UNROLLED (int r = 0; r < S::R; r++)
            UNROLLED (int x = 0; x < S::C; x++)
                if (is_mine(r, x))
                    y[at(r, x)] = v[r][x].y;
    }
    /* F of a waveform's point in device memory. */
    __device__ __forceinline__ real right_side(const struct rule &by, const real *y, int r,
                                               int x) const
    {
        const long i = at(r, x);
        if (!is_inside(r, x))
            return 0;
        const real beside[4] = {row + r > 0 ? y[i - side] : R(0), column + x > 0 ? y[i - 1] : R(0),
                                column + x + 1 < side ? y[i + 1] : R(0),
                                row + r + 1 < side ? y[i + side] : R(0)};
        return S::method::product(by, by.band, y[i], beside);
    }
};

/* Level 0, one point after the other. */
template <class S> struct inflow {
    const real *in;
    long stride;
    int count;
    real next[S::R][S::C]; /* where not `inner` */

    /* Into the thread's own place, from which the turn before has taken what was there. */
    __device__ __forceinline__ void ask(const lane_of_plane<S> &own, typename S::shared *s,
                                        int turn) const
    {
        if (turn < count) {
            const real *const y = in + turn * stride;
            UNROLLED (int r = 0; r < S::R; r++) {
                typename S::piece *const to = &s->ahead[turn % S::AHEAD][r][threadIdx.x];
                if (own.even) {
                    __pipeline_memcpy_async(to, y + own.at(r, 0), sizeof *to);
                } else {
                    UNROLLED (int x = 0; x < S::C; x++)
                        __pipeline_memcpy_async(&to->v[x], y + own.at(r, x), sizeof(real));
                }
            }
        }
        __pipeline_commit();
    }
    __device__ __forceinline__ void begin(const lane_of_plane<S> &own, typename S::shared *s)
    {
        if constexpr (S::inner) {
            for (int turn = 0; turn < S::AHEAD - 1; turn++)
                ask(own, s, turn);
        } else {
            own.load(in, next);
        }
    }
    __device__ __forceinline__ void take(const lane_of_plane<S> &own, typename S::shared *s,
                                         int turn, struct past (&v)[S::R][S::C])
    {
        if constexpr (S::inner) {
            ask(own, s, turn + S::AHEAD - 1);
            __pipeline_wait_prior(S::AHEAD - 1);
            UNROLLED (int r = 0; r < S::R; r++) {
                const typename S::piece p = s->ahead[turn % S::AHEAD][r][threadIdx.x];
                UNROLLED (int x = 0; x < S::C; x++)
                    v[r][x].y = p.v[x];
            }
        } else {
            UNROLLED (int r = 0; r < S::R; r++)
                UNROLLED (int x = 0; x < S::C; x++)
                    v[r][x].y = next[r][x];
            if (turn + 1 < count)
                own.load(in + (turn + 1) * stride, next);
        }
    }
};

template <class S> struct levels_of_plane {
    struct past v[S::K + 1][S::R][S::C];
    real most[S::K + 1];
    real left, right; /* the bands, or 0 at a window's sides */

    __device__ __forceinline__ void begin(const struct carry &c, const lane_of_plane<S> &own,
                                          int lane)
    {
        using method = typename S::method;
        const real *const before = c.y[0] + (method::steps - 1) * c.pitch;
        real y[S::R][S::C], y2[S::R][S::C];
        own.load(before, y);
        own.load(c.y[0], y2);
        UNROLLED (int r = 0; r < S::R; r++)
            UNROLLED (int x = 0; x < S::C; x++) {
                const real f1 = method::lags > 0 ? own.right_side(c.rule, before, r, x) : R(0);
                const real f2 = method::lags > 1 ? own.right_side(c.rule, c.y[0], r, x) : R(0);
                UNROLLED (int k = 0; k <= S::K; k++)
                    v[k][r][x] = {y[r][x], y2[r][x], f1, f2};
            }
        UNROLLED (int k = 0; k <= S::K; k++)
            most[k] = 0;
        left = S::inner && lane == 0 ? R(0) : c.rule.band[1];
        right = S::inner && lane == 31 ? R(0) : c.rule.band[2];
    }

    /* What the warps above and below will need. */
    __device__ __forceinline__ void publish(typename S::edges *edges, int warp, int lane) const
    {
        UNROLLED (int k = 0; k < S::K; k++)
            UNROLLED (int x = 0; x < S::C; x++) {
                edges->first[k][warp][x][lane] = v[k][0][x].y;
                edges->last[k][warp + 1][x][lane] = v[k][S::R - 1][x].y;
            }
    }

    /* Level k at its next point, where level k-1 is now. */
    __device__ __forceinline__ void advance(const struct carry &c, const lane_of_plane<S> &own,
                                            const typename S::edges *edges, int warp, int lane,
                                            int k)
    {
        using method = typename S::method;
        const real *const band = c.rule.band;
        const auto &old = v[k - 1];
        real above[S::C], below[S::C];
        UNROLLED (int x = 0; x < S::C; x++) {
            above[x] = edges->last[k - 1][warp][x][lane];
            below[x] = edges->first[k - 1][warp + 1][x][lane];
        }
        UNROLLED (int r = 0; r < S::R; r++) {
            real before = __shfl_up_sync(EVERY, old[r][S::C - 1].y, 1);
            real after = __shfl_down_sync(EVERY, old[r][0].y, 1);
            if (!S::inner) { /* where nothing is folded an infinite value may be there */
                before = lane == 0 ? R(0) : before;
                after = lane == 31 ? R(0) : after;
            }
            UNROLLED (int x = 0; x < S::C; x++) {
                const real bands[4] = {band[0], x == 0 ? left : band[1],
                                       x + 1 == S::C ? right : band[2], band[3]};
                const real beside[4] = {r > 0 ? old[r > 0 ? r - 1 : 0][x].y : above[x],
                                        x > 0 ? old[r][x > 0 ? x - 1 : 0].y : before,
                                        x + 1 < S::C ? old[r][x + 1 < S::C ? x + 1 : 0].y : after,
                                        r + 1 < S::R ? old[r + 1 < S::R ? r + 1 : 0][x].y
                                                     : below[x]};
                const real f = method::product(c.rule, bands, old[r][x].y, beside);
                const real next = method::next(c.rule, f, v[k][r][x]);
                const real now = own.is_inside(r, x) ? next : R(0);
                if (S::inner || own.is_mine(r, x)) /* those of other windows are not looked at */
                    most[k] = largest_of(most[k], now, old[r][x].y);
                method::go_on(v[k][r][x], f, now);
            }
        }
    }
};

/* All levels at their next points. `all`: each has one, and none is passed over. */
template <class S, bool all>
static __device__ __forceinline__ void make_turn(const struct carry &c, const lane_of_plane<S> &own,
                                                 typename S::shared *s, levels_of_plane<S> &levels,
                                                 inflow<S> &in, real *out, int turn, int skip,
                                                 int warp, int lane)
{
    UNROLLED (int k = S::K; k > 0; k--) {
        if (!all && (turn < k || turn - k >= in.count))
            continue;
        if (all || k > skip) {
            levels.advance(c, own, &s->turns[(turn + 1) % 2], warp, lane, k);
        } else {
            UNROLLED (int r = 0; r < S::R; r++)
                UNROLLED (int x = 0; x < S::C; x++)
                    levels.v[k][r][x].y = levels.v[k - 1][r][x].y;
        }
    }
    if (all || turn < in.count)
        in.take(own, s, turn, levels.v[0]);
    levels.publish(&s->turns[turn % 2], warp, lane);
    if (all || turn >= S::K)
        own.store(out + (turn - S::K) * c.pitch, levels.v[S::K]);
    __syncthreads(); /* what is published is read in the next turn, and not changed in it */
}

/* A window through all of time. */
template <class S>
static __device__ __forceinline__ void carry_window(const struct carry &c, struct order todo,
                                                    typename S::shared *s, bits *most)
{
    using method = typename S::method;
    const int lane = (int)threadIdx.x % 32, warp = __shfl_sync(EVERY, (int)threadIdx.x / 32, 0);
    const int skip = S::K - todo.sweeps, count = (int)c.points - method::steps;
    const lane_of_plane<S> own(c.side, warp, lane);
    const struct rows rows = rows_of(c, todo.from);
    real *const out = rows.out + method::steps * c.pitch;
    levels_of_plane<S> levels;
    inflow<S> in;
    in.in = rows.in + method::steps * rows.stride;
    in.stride = rows.stride;
    in.count = count;
    in.begin(own, s);
    levels.begin(c, own, lane);
    if (warp == 0)
        UNROLLED (int k = 0; k < 2 * S::K * S::C; k++) {
            struct S::edges *const e = &s->turns[k % 2];
            e->last[k / 2 / S::C][0][k / 2 % S::C][lane] = 0;
            e->first[k / 2 / S::C][S::WARPS][k / 2 % S::C][lane] = 0;
        }
    for (int turn = 0; turn < count + S::K; turn++) {
        if (S::inner && skip == 0 && turn >= S::K && turn < count)
            make_turn<S, true>(c, own, s, levels, in, out, turn, skip, warp, lane);
        else
            make_turn<S, false>(c, own, s, levels, in, out, turn, skip, warp, lane);
    }
    UNROLLED (int k = 1; k <= S::K; k++) {
        bits here = 0;
        UNROLLED (int r = 0; r < S::R; r++)
            UNROLLED (int x = 0; x < S::C; x++)
                if (own.is_mine(r, x))
                    here = larger_of(here, with_last(levels.most[k], levels.v[k][r][x].y));
        here = largest_of_warp(k > skip ? here : 0);
        if (lane == 0)
            most[k - 1] = here;
    }
}

template <class S>
static __global__ void __launch_bounds__(S::threads, 1) carry_plane(const struct carry c)
{
    DYNAMIC_SHARED(typename S::shared, s);
    SHARED(bits, of_warp, [S::WARPS][S::K]);
    await_previous();
    const struct order todo = order_of(c);
    if (todo.sweeps == 0)
        return;
    carry_window<S>(c, todo, s, of_warp[threadIdx.x / 32]);
    note<S::WARPS, S::K>(c.course, of_warp);
}

} // namespace BLOCKED
