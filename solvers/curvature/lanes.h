/*
 * Mean-curvature flow of what stays on chip, by fewer threads than nodes: a thread has some rows of
 * a column of its block's tile, or of the halo of five nodes around it, and finds each half point
 * once. That of the row above it has kept, and that of the column to the left is its neighbour's in
 * the warp, for which columns overlap by a lane. The operations are those of resident.h's tiles,
 * and so are the bits, where the compiler makes the same of them.
 *
 * Another warp, the clock, has no nodes. It has the boundary's values ready before they are looked
 * at, and from the end of the last stage on it is on its own: it tells the block's largest error,
 * counts those of all blocks and decides about the step, while the others await the halo's letters
 * and find the next step's first right-hand side.
 *
 * Lost, on an H200 in double, us a step: a look at a letter begun while two others are under way
 * 128^2 6.8 (against 5.2), 64^2 5.5 (4.3), 256^2 8.4 (6.7), though 3.4 (3.6) at 16^2; a vote told
 * to each block 128^2 5.25 (5.06 with 8 copies); a row a thread in 544 threads 128^2 5.1; 64^2 by
 * 32 lanes 4.7, by 16 lanes of two rows 4.5; the boundary's values looked up when all places are
 * known, and u asked for before that, 64^2 3.2 in longer runs (2.8), and no shorter start.
 */
#pragma once
#include "stream.h"

namespace OURS
{

/* LANES of a warp go along a row, so that it has 32/LANES of the tile's BANDS of R rows each. */
template <int LANES_, int BANDS_, int R_> struct lanes {
    enum { LANES = LANES_, BANDS = BANDS_, R = R_, HALO = STAGES };
    enum { ROWS = BANDS * R + 2, COLS = LANES + 1, FIELD = ROWS * COLS + 2 };
    enum { STEP1 = ROWS - 2 * HALO, STEP2 = COLS - 2 * HALO, RIM = 2 * (ROWS + COLS) - 4 };
    enum { WARPS = BANDS * LANES / 32, WORKERS = 32 * WARPS, THREADS = WORKERS + 32 };
    static_assert(R <= 4, "nodes of 8 bits");
    static_assert((int)STEP1 >= (int)HALO && (int)STEP2 >= (int)HALO && (int)RIM <= (int)WORKERS,
                  "a halo's size");
    static constexpr size_t ARRAYS = 2 * FIELD * sizeof(real); /* arguments by turns */
};

/* With the boundary's values given; or copied from its neighbours, the code for which is left out
 * where it is not wanted. */
template <class S> struct bounded : S {
    static constexpr bool COPYING = false;
};
template <class S> struct copying : S {
    static constexpr bool COPYING = true;
};

enum { INNER = 1, OWN = 128 }; /* of the domain; of the tile: beside TOLD and the like, in 8 bits */

/* The domain's boundary, as far as it is in the tile's array or around it; in shared memory. */
template <class S> struct rim {
    int count, x[S::RIM]; /* in an array */
    unsigned at[S::RIM];
    real value[S::RIM]; /* over c, where something is forced */
};

/* Where a tile is, and what it is to it. */
struct site {
    int i0, j0; /* of the first node of its array, halo or boundary included */
    int own1, end1, own2, end2;
};

static __device__ __forceinline__ struct site site_of(const struct plane &g,
                                                      const struct streaming &t)
{
    const int t1 = (int)(blockIdx.x / t.tiles2), t2 = (int)(blockIdx.x % t.tiles2);
    const int step1 = (int)t.step1, step2 = (int)t.step2;
    struct site s;
    s.i0 = t1 * step1;
    s.j0 = t2 * step2;
    s.own1 = t1 == 0 ? 1 : STAGES;
    s.own2 = t2 == 0 ? 1 : STAGES;
    s.end1 = t1 == (int)t.tiles1 - 1 ? (int)g.n1 - s.i0 : step1 + STAGES;
    s.end2 = t2 == (int)t.tiles2 - 1 ? (int)g.n2 - s.j0 : step2 + STAGES;
    return s;
}

template <class S>
static __device__ __forceinline__ unsigned what_is(const struct plane &g, const struct site &s,
                                                   int row, int col)
{
    const int r = s.i0 + row, c = s.j0 + col, n1 = (int)g.n1, n2 = (int)g.n2;
    if (r < 1 || c < 1 || r >= n1 || c >= n2)
        return 0;
    const bool own = row >= s.own1 && row < s.end1 && col >= s.own2 && col < s.end2;
    const bool near = row < s.end1 + S::HALO && col < s.end2 + S::HALO;
    unsigned is = INNER | (own ? (unsigned)OWN : near ? (unsigned)ASKS : 0u);
    if (own && gridDim.x > 1 &&
        (row < 2 * S::HALO || row >= s.end1 - S::HALO || col < 2 * S::HALO ||
         col >= s.end2 - S::HALO))
        is |= TOLD;
    if (S::COPYING)
        is |= (r == 1 && row > 0 ? LOW1 : 0) | (r == n1 - 1 && row < S::ROWS - 1 ? UP1 : 0) |
              (c == 1 && col > 0 ? LOW2 : 0) | (c == n2 - 1 && col < S::COLS - 1 ? UP2 : 0);
    return is;
}

/* To a node, `pitch` from row to row, and to the boundary that copies it. */
template <class S>
static __device__ __forceinline__ void put_inner(unsigned is, real *to, int pitch, real v)
{
    if ((is & INNER) != 0)
        *to = v;
    if constexpr (S::COPYING)
        if ((is & COPIED) != 0)
            for (int a = is & LOW1 ? -1 : 0; a <= (is & UP1 ? 1 : 0); a++)
                for (int b = is & LOW2 ? -1 : 0; b <= (is & UP2 ? 1 : 0); b++)
                    to[a * pitch + b] = v;
}

/* Letters, of which those that are wanted are awaited. */
template <int COUNT>
static __device__ __forceinline__ void await_letters(const letter<real> *const *box,
                                                     const bool *wanted, unsigned number,
                                                     real *values)
{
    bool more = false;
    UNROLLED (int k = 0; k < COUNT; k++)
        more = more || wanted[k];
    for (unsigned looks = 0; more;) {
        letter<real> v[COUNT] = {};
        UNROLLED (int k = 0; k < COUNT; k++)
            if (wanted[k])
                v[k] = letter_look(box[k], number);
        more = false;
        UNROLLED (int k = 0; k < COUNT; k++) {
            more = more || (wanted[k] && !letter_there(v[k], number));
            if (wanted[k])
                values[k] = letter_word(v[k]);
        }
        if (more)
            lose_patience(&looks);
    }
}

/* The same for all of a warp. */
static __device__ __forceinline__ bool all_see(bool what)
{
    return __any_sync((unsigned)ALL_LANES, what) != 0;
}

/* Of the votes there are some copies: neither do all blocks ask for the same one, nor has each to
 * tell all. */
enum { COPIES = 8 };

static __device__ __forceinline__ letter<real> *votes_of(letter<real> *votes, unsigned number,
                                                         unsigned copy)
{
    const unsigned copies = COPIES < gridDim.x ? (unsigned)COPIES : gridDim.x;
    return votes + (number % 2 * copies + copy % copies) * gridDim.x;
}

/* The block's largest of its warps', which all blocks are told; by a warp. */
template <class S>
static __device__ __forceinline__ real tell_vote(const real *largest, letter<real> *votes,
                                                 unsigned number)
{
    const unsigned lane = threadIdx.x % 32, blocks = gridDim.x;
    const real most = largest_of_warp(lane < S::WARPS ? largest[lane] : 0);
    for (unsigned to = lane; blocks > 1 && to < COPIES && to < blocks; to += 32)
        letter_put(votes_of(votes, number, to) + blockIdx.x, most, number);
    return most;
}

/* The largest of all blocks', of which `most` is this one's; by a warp. */
static __device__ __forceinline__ real largest_of_votes(letter<real> *votes, unsigned number,
                                                        real most)
{
    enum { AT_ONCE = 5 };
    const unsigned blocks = gridDim.x;
    const letter<real> *const mine = votes_of(votes, number, blockIdx.x);
    if (blocks == 1)
        return most;
    for (unsigned first = threadIdx.x % 32; first < blocks; first += 32 * AT_ONCE) {
        const letter<real> *box[AT_ONCE];
        bool wanted[AT_ONCE];
        real v[AT_ONCE];
        UNROLLED (int k = 0; k < AT_ONCE; k++) {
            wanted[k] = first + 32 * k < blocks;
            box[k] = mine + first + 32 * k;
            v[k] = 0;
        }
        await_letters<AT_ONCE>(box, wanted, number, v);
        UNROLLED (int k = 0; k < AT_ONCE; k++)
            most = v[k] > most ? v[k] : most;
    }
    __syncwarp();
    return largest_of_warp(most);
}

/* --- a thread's nodes --- */

template <class S> struct bunch {
    const struct plane &g;
    real *const arrays;
    int x, now;     /* its first node's place in an array; where the argument's begins */
    int lasts;      /* right-hand sides after an exchange that its warp takes part in, less 1 */
    unsigned at;    /* its first node's place in a field */
    unsigned kinds; /* of 8 bits each */
    real p[S::R][RATIONAL(MEAN_CURVATURE)];
    /* of the outermost nodes, which are only looked at, it has one as well */
    unsigned rim_at, rim; /* its place in a field; in an array, and what it is */

    __device__ __forceinline__ bunch(const struct plane &g_, const struct site &s, real *arrays_,
                                     int warp)
        : g(g_), arrays(arrays_), now(0), kinds(0)
    {
        enum { BANDS = 32 / S::LANES }; /* of a warp */
        const int lane = (int)threadIdx.x % 32, first = 1 + warp * BANDS * S::R;
        const int row = first + lane / S::LANES * S::R, col = lane % S::LANES;
        const int last = first + BANDS * S::R - 1;
        const bool below = s.i0 > 0, above = s.end1 < (int)g.n1 - s.i0; /* others' halos */
        const int by1 = below ? last - 1 : STAGES,
                  by2 = above ? s.end1 + S::HALO - 2 - first : STAGES;
        x = row * S::COLS + col;
        lasts = s.i0 + first >= (int)g.n1 ? -1 : by1 < by2 ? by1 : by2;
        at = (unsigned)(s.i0 + row) * g.pitch + (unsigned)(s.j0 + col);
        UNROLLED (int r = 0; r < S::R; r++) {
            kinds |= (col > 0 ? what_is<S>(g, s, row + r, col) : 0) << 8 * r;
            UNROLLED (int k = 0; k < RATIONAL(MEAN_CURVATURE); k++)
                p[r][k] = is(r) != 0 ? g.rational[(size_t)k * g.nodes + at + r * g.pitch] : 0;
        }
        const int k = (int)threadIdx.x, side = k - 2 * S::COLS;
        const int rim_row = side < 0 ? k / S::COLS * (S::ROWS - 1) : 1 + side / 2;
        const int rim_col = side < 0 ? k % S::COLS : side % 2 * (S::COLS - 1);
        const unsigned rim_is = k < S::RIM ? what_is<S>(g, s, rim_row, rim_col) : 0;
        rim_at = (unsigned)(s.i0 + rim_row) * g.pitch + (unsigned)(s.j0 + rim_col);
        rim = (unsigned)(rim_row * S::COLS + rim_col) << 8 | rim_is;
    }

    __device__ __forceinline__ unsigned is(int r) const
    {
        return kinds >> 8 * r & 255;
    }
    __device__ __forceinline__ bool is_a(int r, unsigned what) const
    {
        return (kinds & what << 8 * r) != 0;
    }

    /* To be the next argument's. */
    __device__ __forceinline__ void put(int r, real v) const
    {
        put_inner<S>(is(r), arrays + (S::FIELD - now) + x + r * S::COLS, S::COLS, v);
    }
    __device__ __forceinline__ void put_rim(real v) const
    {
        put_inner<S>(rim & 255, arrays + (S::FIELD - now) + (rim >> 8), S::COLS, v);
    }
    __device__ __forceinline__ void turn(void)
    {
        now = S::FIELD - now;
    }

    /* use(r, f) of the right-hand sides of the argument, `since` of them after an exchange; when
     * all are found, for behind a store of one no load of the next is moved up. */
    template <class Use>
    __device__ __forceinline__ void find_sides(int since, const struct moment &moment,
                                               Use use) const
    {
        const real *v = arrays + now + x;
        if (since > lasts)
            return;
        real c = v[0], n = v[1], s = v[-1];
        const real w = v[-S::COLS], nw = v[1 - S::COLS], sw = v[-1 - S::COLS];
        real found[S::R];
        real root_w, slope_w, sum_w = w + nw, sum_c = c + n;
        half(g.square1, c - w, g.skew1 * ((n + nw) - (s + sw)), &root_w, &slope_w);
        UNROLLED (int r = 0; r < S::R; r++) {
            v += S::COLS;
            const real e = v[0], ne = v[1], se = v[-1], sum_e = e + ne;
            real root_e, slope_e, root_n, slope_n;
            half(g.square1, e - c, g.skew1 * ((n + ne) - (s + se)), &root_e, &slope_e);
            half(g.square2, n - c, g.skew2 * (sum_e - sum_w), &root_n, &slope_n);
            const real root_s = __shfl_up_sync((unsigned)ALL_LANES, root_n, 1);
            const real slope_s = __shfl_up_sync((unsigned)ALL_LANES, slope_n, 1);
            const real mean = g.quarter1 * (root_e + root_w) + g.quarter2 * (root_n + root_s);
            const real slope = g.over1 * (slope_e - slope_w) + g.over2 * (slope_n - slope_s);
            found[r] = mean * slope + forcing_now<false>(p[r], moment); /* 0 of zeros */
            sum_w = sum_c;
            sum_c = sum_e;
            c = e, n = ne, s = se;
            root_w = root_e, slope_w = slope_e;
        }
        UNROLLED (int r = 0; r < S::R; r++)
            use(r, found[r]);
    }

  private:
    static __device__ __forceinline__ void half(real square, real across, real along, real *root,
                                                real *slope)
    {
        const real q2 = across * across + (along * along + square), o = over_root(q2);
        *root = q2 * o;
        *slope = across * o;
    }
};

/* All of a block meet, the clock from elsewhere in the program. Whole warps leave the loops: of
 * others the compiler believes that their lanes come here one by one. */
template <class S> static __device__ __forceinline__ void meet(void)
{
    scattered_sync<1, S::THREADS>();
}

/* All but the clock meet, so many threads. Meanwhile the clock, a warp, passes one of its own:
 * racecheck counts barriers by thread, and would take the next ones for others. */
template <int threads> static __device__ __forceinline__ void meet_without_clock(void)
{
    some_sync<2, threads>();
}
static __device__ __forceinline__ void pass_meanwhile(void)
{
    some_sync<3, 32>();
}

/* --- the clock --- */

/* By all of the block, after its count was set to 0: whose values over c go to an array at once. */
template <class S, class March>
static __device__ __forceinline__ void find_rim(const March &m, const struct site &s, real c,
                                                struct rim<S> *to, real *array)
{
    c = m.g.forced ? c : 1;
    for (int k = (int)threadIdx.x; !S::COPYING && k < S::ROWS * S::COLS; k += S::THREADS) {
        const int r = s.i0 + k / S::COLS, j = s.j0 + k % S::COLS;
        const int n1 = (int)m.g.n1, n2 = (int)m.g.n2;
        if (r > n1 || j > n2 || (r > 0 && j > 0 && r < n1 && j < n2))
            continue;
        const int e = atomicAdd(&to->count, 1);
        to->x[e] = k;
        to->at[e] = (unsigned)r * m.g.pitch + (unsigned)j;
        to->value[e] = m.g.forced ? m.g.rational[to->at[e]] : m.u[to->at[e]];
        array[k] = c * to->value[e];
    }
}

template <class S>
static __device__ __forceinline__ void put_rim(const struct plane &g, const struct rim<S> &of,
                                               real c, real *array)
{
    c = g.forced ? c : 1;
    for (int k = (int)threadIdx.x % 32; k < of.count; k += 32)
        array[of.x[k]] = c * of.value[k];
}

/* As fields of the answer. */
template <class S, class March>
static __device__ __forceinline__ void keep_rim(const March &m, const struct kept &as,
                                                const struct rim<S> &of, real c)
{
    c = m.g.forced ? c : 1;
    for (int k = (int)threadIdx.x % 32; (as.first || as.field > 0) && k < of.count; k += 32) {
        const real v = c * of.value[k];
        if (as.first)
            m.kept[of.at[k]] = v;
        if (as.field > 0)
            m.kept[(size_t)as.field * m.g.nodes + of.at[k]] = v;
    }
}

/* As end_step(), with the control in registers; kept is found. */
static __device__ __forceinline__ int judge_step(const struct march &m, const double *times,
                                                 struct control *c, double error, struct kept *kept)
{
    const double root = error > 0 ? over_nth_root<5>(error * m.over_eps) : 1;
    const int verdict = control_decide_by(c, times, m.fixed, m.eps, error, root);
    const bool accepted = verdict == STEP_ACCEPTED;
    const long n = c->accepted + c->rejected - 1;
    if (blockIdx.x == 0 && threadIdx.x % 32 == 0 && n < MOST_LISTED)
        m.taken[n] = accepted ? c->step : -c->step;
    *kept = control_kept(c, accepted, m.count, m.attempts, false);
    if (!kept->ended)
        (void)control_step(c, times);
    return verdict;
}

/* What the others need before they can show an argument. */
static __device__ __forceinline__ void tell_step(struct step *s, double tau, int verdict,
                                                 const struct kept &kept)
{
    if (threadIdx.x % 32 != 0)
        return;
    s->length = (real)tau;
    s->third = (real)(tau * (1.0 / 3));
    s->sixth = (real)(tau * (1.0 / 6));
    s->eighth = (real)(tau * 0.125);
    s->part = (real)(tau * (1.0 / 30));
    s->verdict = verdict;
    s->kept = kept;
}

/* As decide(), by all lanes of a warp, each of which comes to the same verdict. */
static __device__ __forceinline__ void decide_by_all(const struct march &m, const double *times,
                                                     struct step *s, double error)
{
    const unsigned lane = threadIdx.x % 32;
    struct control c = s->control;
    struct kept kept;
    const int verdict = judge_step(m, times, &c, error, &kept);
    const double by = lane == 0 ? 1.0 / 3 : lane == 1 ? 0.5 : lane == 2 ? 1 : 0;
    const struct moment now = moment_now(m.g.amplitude, c.t + by * c.step);
    __syncwarp(); /* all have read s */
    tell_step(s, c.step, verdict, kept);
    if (lane < MOMENTS)
        s->moments[lane] = now;
    if (lane == MOMENTS)
        s->begin = now;
    if (lane == 0)
        s->control = c;
}

static __device__ __forceinline__ bool is_last(const struct step &s, int k)
{
    return k == MOST_PER_LAUNCH || s.kept.ended || s.verdict == STEPS_DIVERGED;
}

template <class S>
static __device__ __forceinline__ void be_clock(const struct march &m, struct step *s,
                                                const struct rim<S> &edge, const double *times,
                                                real *arrays)
{
    const unsigned lane = threadIdx.x % 32;
    struct control c = m.last.control;
    struct kept kept = {false, false, 0};
    unsigned number = m.last.number;
    int verdict = STEP_REJECTED;
    real *const a = arrays, *const b = arrays + S::FIELD; /* where arguments 2, 4 and u are shown */
    (void)control_step(&c, times);
    tell_step(s, c.step, verdict, kept);
    for (int k = 0;; k++) {
        real *const one = k % 2 == 0 ? a : b, *const other = k % 2 == 0 ? b : a;
        meet<S>();
        const double by = lane == 0 ? 1.0 / 3 : lane == 1 ? 0.5 : lane == 2 ? 1 : 0;
        const struct moment mine = moment_now(m.g.amplitude, c.t + by * c.step);
        if (lane < MOMENTS)
            s->moments[lane] = mine;
        const real third = __shfl_sync((unsigned)ALL_LANES, mine.c, 0);
        const real half = __shfl_sync((unsigned)ALL_LANES, mine.c, 1);
        const real end = __shfl_sync((unsigned)ALL_LANES, mine.c, 2);
        const real begin = __shfl_sync((unsigned)ALL_LANES, mine.c, MOMENTS);
        keep_rim<S>(m, kept, edge, begin);
        if (all_see(is_last(*s, k)))
            break;
        put_rim<S>(m.g, edge, third, one);
        meet<S>();
        put_rim<S>(m.g, edge, third, other);
        meet<S>();
        put_rim<S>(m.g, edge, half, one);
        meet<S>();
        put_rim<S>(m.g, edge, end, other);
        meet<S>();
        put_rim<S>(m.g, edge, end, one);
        meet<S>();
        number++;
        const real most = tell_vote<S>(s->largest, m.votes, number);
        if (gridDim.x > 1)
            pass_meanwhile();
        const real error = largest_of_votes(m.votes, number, most);
        verdict = judge_step(m, times, &c, (double)error, &kept);
        tell_step(s, c.step, verdict, kept);
    }
    if (blockIdx.x == 0 && lane == 0)
        leave(m, {c, number, verdict, kept.ended});
}

/* --- the others --- */

/* As fields of the answer. */
template <class S, class March>
static __device__ __forceinline__ void keep_nodes(const March &m, const struct kept &as,
                                                  const bunch<S> &n, const real *u)
{
    if (!as.first && as.field == 0)
        return;
    UNROLLED (int r = 0; r < S::R; r++) {
        real *const to = m.kept + n.at + r * m.g.pitch;
        const unsigned is = n.is_a(r, OWN) ? n.is(r) : 0;
        if (as.first)
            put_inner<S>(is, to, (int)m.g.pitch, u[r]);
        if (as.field > 0)
            put_inner<S>(is, to + (size_t)as.field * m.g.nodes, (int)m.g.pitch, u[r]);
    }
}

template <class S>
static __device__ __forceinline__ void work(const struct march &m, struct step *s, bunch<S> &n,
                                            const real *initial)
{
    real u[S::R], k1[S::R], k3[S::R], k4[S::R], next[S::R], next_k1[S::R];
    unsigned number = m.last.number;
    UNROLLED (int r = 0; r < S::R; r++) {
        u[r] = initial[r];
        k1[r] = k3[r] = k4[r] = next[r] = next_k1[r] = 0;
    }
    n.find_sides(0, moment_now(m.g.amplitude, m.last.control.t), [&](int r, real f) { k1[r] = f; });
    for (int k = 0;; k++) {
        meet<S>();
        const bool good = s->verdict == STEP_ACCEPTED;
        const real third = s->third;
        UNROLLED (int r = 0; r < S::R; r++) {
            u[r] = good ? next[r] : u[r];
            k1[r] = good ? next_k1[r] : k1[r];
            n.put(r, u[r] + third * k1[r]);
        }
        keep_nodes<S>(m, s->kept, n, u);
        if (all_see(is_last(*s, k)))
            break;
        n.turn();
        meet<S>();
        const real sixth = s->sixth, eighth = s->eighth, length = s->length, part = s->part;
        n.find_sides(1, s->moments[0],
                     [&](int r, real f) { n.put(r, u[r] + sixth * (k1[r] + f)); });
        n.turn();
        meet<S>();
        n.find_sides(2, s->moments[0], [&](int r, real f) {
            k3[r] = f;
            n.put(r, u[r] + eighth * (k1[r] + R(3) * f));
        });
        n.turn();
        meet<S>();
        n.find_sides(3, s->moments[1], [&](int r, real f) {
            k4[r] = f;
            n.put(r, u[r] + length * (R(0.5) * k1[r] + (R(2) * f - R(1.5) * k3[r])));
        });
        n.turn();
        meet<S>();
        real most = 0;
        number++;
        letter<real> *const box = m.mail + number % 2 * m.g.nodes;
        n.find_sides(4, s->moments[2], [&](int r, real f) {
            next[r] = u[r] + sixth * ((k1[r] + f) + R(4) * k4[r]);
            if (n.is_a(r, TOLD))
                letter_put(box + n.at + r * m.g.pitch, next[r], number);
            if (n.is_a(r, OWN)) {
                const real off = part * ((R(2) * k1[r] - R(9) * k3[r]) + (R(8) * k4[r] - f));
                const real size = error_size(off);
                most = size > most ? size : most;
                n.put(r, next[r]);
            }
        });
        warp_votes(s->largest, most);
        meet<S>();
        if (gridDim.x > 1) {
            const letter<real> *places[S::R + 1];
            bool wanted[S::R + 1];
            real values[S::R + 1] = {};
            UNROLLED (int r = 0; r < S::R; r++) {
                places[r] = box + n.at + r * m.g.pitch;
                wanted[r] = n.is_a(r, ASKS);
            }
            places[S::R] = box + ((n.rim & ASKS) != 0 ? n.rim_at : 0);
            wanted[S::R] = (n.rim & ASKS) != 0;
            await_letters<S::R + 1>(places, wanted, number, values);
            UNROLLED (int r = 0; r < S::R; r++)
                if (wanted[r]) {
                    next[r] = values[r];
                    n.put(r, next[r]);
                }
            if (wanted[S::R])
                n.put_rim(values[S::R]);
            meet_without_clock<S::WORKERS>();
        }
        n.turn();
        n.find_sides(0, s->moments[MOMENTS - 1], [&](int r, real f) { next_k1[r] = f; });
    }
    UNROLLED (int r = 0; r < S::R; r++)
        if (n.is_a(r, OWN))
            m.u[n.at + r * m.g.pitch] = u[r];
}

template <class S>
static __global__ void __launch_bounds__(S::THREADS, 1) by_lanes(struct march m, struct streaming g)
{
    DYNAMIC_SHARED(unsigned char, shared);
    SHARED(struct step, step, [1]);
    SHARED(struct rim<S>, edge, [1]);
    double *const times = (double *)shared; /* [count] */
    real *const arrays = (real *)(times + m.count) + 2;
    /* the same in a warp, and known to be */
    const int warp = __shfl_sync((unsigned)ALL_LANES, (int)threadIdx.x / 32, 0);
    const struct site site = site_of(m.g, g);
    bunch<S> n(m.g, site, arrays, warp);
    real u[S::R];
    if (threadIdx.x == 0)
        edge->count = 0;
    for (int k = (int)threadIdx.x; k < m.count; k += S::THREADS)
        times[k] = m.times[k];
    for (int k = (int)threadIdx.x; k < 2 * S::FIELD; k += S::THREADS)
        arrays[k - 2] = 0;
    __syncthreads();
    const real c = moment_now(m.g.amplitude, m.last.control.t).c;
    find_rim<S>(m, site, c, edge, arrays + S::FIELD);
    if (warp < S::WARPS) {
        UNROLLED (int r = 0; r < S::R; r++) {
            u[r] = n.is_a(r, INNER) ? m.u[n.at + r * m.g.pitch] : 0;
            n.put(r, u[r]);
        }
        if ((n.rim & INNER) != 0)
            n.put_rim(m.u[n.rim_at]);
    }
    n.turn();
    __syncthreads();
    if (warp < S::WARPS)
        work<S>(m, step, n, u);
    else
        be_clock<S>(m, step, *edge, times, arrays);
}

template <class S> static unsigned lanes_tiles(const struct curvature *p)
{
    const struct streaming g = streaming_of<S>(p, p->n1);
    return g.tiles1 * g.tiles2;
}

template <class S> static size_t lanes_room(const struct curvature *p)
{
    return (size_t)p->count * sizeof(double) + S::ARRAYS;
}

} // namespace OURS
