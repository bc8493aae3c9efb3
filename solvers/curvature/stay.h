/*
 * Mean-curvature flow of what is too large for lanes.h and still stays on chip: a block has one of
 * stream.h's tiles, does all of a step's right-hand sides in shared memory by the same code, and
 * keeps u there from beginning to end. Between two steps the halo comes by letters. A clock, a warp
 * more, which has no nodes, has the boundary's values and the rows' tables ready, counts the votes
 * and decides, while the others await the halo and find the next step's first right-hand side.
 *
 * On an H100, us a step of 512^2: in double 11.9, by streams 16.2; in single 6.9. In single 1024^2
 * takes 16.6, by streams 19.0. Threads of 3 8 13 have 72 registers each, and some 240 bytes of
 * theirs are in memory; shapes that need less of it are slower (gpu_resident_tmpl.cu).
 */
#pragma once
#include "lanes.h"

namespace OURS
{

/* What the known solution is made of, of a tile's rows and columns. */
template <class S> struct factors {
    real x[S::ROWS][3], y[S::COLS];
};

template <class S>
static __device__ __forceinline__ void take_factors(const struct march &m, const struct column &p,
                                                    struct factors<S> *of)
{
    const int n1 = (int)m.g.n1, n2 = (int)m.g.n2;
    for (int k = (int)threadIdx.x; k < S::ROWS; k += S::ALL)
        for (int d = 0; d < 3; d++)
            of->x[k][d] = m.sweep.nodes.x[(p.i0 + k < n1 ? p.i0 + k : n1) * DERIVATIVES + d];
    for (int k = (int)threadIdx.x; k < S::COLS; k += S::ALL)
        of->y[k] = m.sweep.nodes.y[p.j0 + k < n2 ? p.j0 + k : n2];
}

/* The table of a tile's rows at a moment; by a warp. */
template <class S>
static __device__ __forceinline__ void make_rows(const struct factors<S> &of,
                                                 const struct moment &t, struct row_forcing *rows)
{
    for (int row = (int)threadIdx.x % 32; row < S::ROWS; row += 32)
        rows[row] = row_at(of.x[row], t);
}

/* As fill_edges(). */
template <class S>
static __device__ __forceinline__ void stay_edges(const struct march &m, const all_lines &lines,
                                                  const struct column &p,
                                                  const struct factors<S> &of, real c, real *to)
{
    if (!m.g.forced)
        fill_edges<S>(m, lines, p, c, to);
    else
        each_edge<S>(m, lines, p, (int)threadIdx.x % 32, 32, [&](int at, int i, int j) {
            to[at] = exact_at(c, of.x[i - p.i0][0], of.y[j - p.j0]);
        });
}

/* How a launch begins, by the clock. */
static __device__ __forceinline__ void begin_steps(const struct march &m, struct step *s)
{
    if (threadIdx.x % 32 == 0) {
        s->control = m.last.control;
        s->verdict = STEP_REJECTED;
        s->kept = {false, false, 0};
        (void)control_step(&s->control, m.times);
    }
    find_moments(m, s);
}

/* How many nodes of a halo each thread but the clock's takes. */
template <class S> struct halo_size {
    enum { AROUND = S::ROWS * S::COLS - S::STEP1 * S::STEP2 };
    enum { EACH = (AROUND + S::THREADS - 1) / S::THREADS };
};

template <class S> struct stayed {
    real fields[4][S::FIELD];            /* u and the next one by turns; arguments by turns */
    struct row_forcing rows[4][S::ROWS]; /* at begin and end by turns, a third, a half */
    struct factors<S> of;
    int2 halo[halo_size<S>::EACH][S::THREADS]; /* places in an array, negative: none; in a field */
};

/* Where the last stage's values go. */
struct staying {
    const struct march &m;
    real *next;        /* an array */
    letter<real> *box; /* [nodes] */
    unsigned number;
    unsigned told; /* a bit for each of the thread's rows: other tiles have it in their halos */
};

#ifdef REPRISE_EMULATED
static inline void put_letter(bool wanted, letter<real> *to, real v, unsigned number)
{
    if (wanted)
        letter_put(to, v, number);
}
#else
static __device__ __forceinline__ void put_letter(bool wanted, letter<real> *to, real v,
                                                  unsigned number)
{
    const letter<real> l = letter_of(v, number);
#if REAL_IS_DOUBLE
    asm volatile("{ .reg .pred q; setp.ne.s32 q, %3, 0; "
                 "@q st.relaxed.gpu.global.v2.u64 [%0], {%1, %2}; }" ::"l"(to),
                 "l"(l.half[0]), "l"(l.half[1]), "r"((int)wanted)
                 : "memory");
#else
    asm volatile("{ .reg .pred q; setp.ne.s32 q, %2, 0; "
                 "@q st.relaxed.gpu.global.u64 [%0], %1; }" ::"l"(to),
                 "l"(l.half[0]), "r"((int)wanted)
                 : "memory");
#endif
}
#endif

template <int row, class S>
static __device__ __forceinline__ void give_row(const struct staying &to, const struct column &p,
                                                unsigned own, real v)
{
    const size_t at = (size_t)(p.i0 + p.row + row) * to.m.g.pitch + (unsigned)(p.j0 + p.col);
    put_shared<row, row * S::COLS>(own, to.next + p.row * S::COLS + p.col, v);
    put_letter((to.told & 1u << row) != 0, to.box + at, v, to.number);
}

/* Which of a thread's rows other tiles have in their halos, a bit each. */
template <class S>
static __device__ __forceinline__ unsigned told_rows(const struct streaming &g,
                                                     const struct column &p)
{
    const int step1 = (int)g.step1, step2 = (int)g.step2;
    const bool column = p.col < 2 * S::HALO || p.col >= step2;
    const unsigned inside = rows_between<S>(p.row, 2 * S::HALO, step1);
    return p.own & (column ? ~0u : ~inside);
}

/* Lists a tile's halo: what a thread but the clock's takes. */
template <class S>
static __device__ __forceinline__ void list_halo(const struct march &m, const struct streaming &g,
                                                 const struct column &p, int2 (*list)[S::THREADS])
{
    enum { HALO = S::HALO };
    const int n1 = (int)m.g.n1, n2 = (int)m.g.n2;
    const int step1 = (int)g.step1, step2 = (int)g.step2, width = step2 + 2 * HALO;
    const unsigned t1 = blockIdx.x / g.tiles2, t2 = blockIdx.x % g.tiles2;
    for (int l = 0; l < halo_size<S>::EACH; l++) {
        /* rows below and above the tile, then what is beside it */
        const int n = (int)threadIdx.x + l * S::THREADS, left = n - 2 * HALO * width;
        int row = n / width, col = n % width;
        row = row < HALO ? row : row + step1;
        if (left >= 0) {
            row = HALO + left / (2 * HALO);
            col = left % (2 * HALO);
            col = col < HALO ? col : col + step2;
        }
        const int i = p.i0 + row, j = p.j0 + col;
        const bool own_row = (row >= HALO || t1 == 0) && (row < step1 + HALO || t1 == g.tiles1 - 1);
        const bool own_col = (col >= HALO || t2 == 0) && (col < step2 + HALO || t2 == g.tiles2 - 1);
        const bool wanted = left < 2 * HALO * step1 && i > 0 && i < n1 && j > 0 && j < n2 &&
                            !(own_row && own_col) && row < S::ROWS && col < S::COLS;
        list[l][threadIdx.x] =
            wanted ? int2{row * S::COLS + col, i * (int)m.g.pitch + j} : int2{-1, 0};
    }
}

/* What is listed, into the array that has the tile's own values; by all but the clock. */
template <class S>
static __device__ __forceinline__ void take_halo(const int2 (*list)[S::THREADS],
                                                 const letter<real> *box, unsigned number, real *to)
{
    enum { EACH = halo_size<S>::EACH };
    const letter<real> *places[EACH];
    bool wanted[EACH];
    real values[EACH] = {};
    int at[EACH];
    UNROLLED (int l = 0; l < EACH; l++) {
        const int2 one = list[l][threadIdx.x];
        at[l] = one.x;
        places[l] = box + (unsigned)one.y;
        wanted[l] = at[l] >= 0;
    }
    await_letters<EACH>(places, wanted, number, values);
    UNROLLED (int l = 0; l < EACH; l++)
        if (at[l] >= 0)
            to[at[l]] = values[l];
    meet_without_clock<S::THREADS>();
}

/* use(at, v) of the tile's own values, by all but the clock. */
template <class S, class Use>
static __device__ __forceinline__ void each_own(const struct march &m, const struct column &p,
                                                const real *u, Use use)
{
    for (int r = 0; r < S::R; r++)
        if ((p.own & 1u << r) != 0)
            use((size_t)(p.i0 + p.row + r) * m.g.pitch + p.j0 + p.col,
                u[(p.row + r) * S::COLS + p.col]);
}

/* Of a step that is over; the last one's end is this one's begin. */
template <class S>
static __device__ __forceinline__ void keep_tile(const struct march &m, const struct column &p,
                                                 const struct step &s, bool clock, const real *u)
{
    const all_lines lines{m, NULL, NULL};
    const auto keep = [&](size_t at, real v) {
        if (s.kept.first)
            m.kept[at] = v;
        if (s.kept.field > 0)
            m.kept[(size_t)s.kept.field * m.g.nodes + at] = v;
    };
    if (clock)
        each_edge<S>(m, lines, p, (int)threadIdx.x % 32, 32, [&](int, int i, int j) {
            keep((size_t)i * m.g.pitch + j, given_at(m, lines, s.begin.c, i, j));
        });
    else
        each_own<S>(m, p, u, keep);
}

/* All warps pass the same barriers, but that of the halo. What the clock does between two of them
 * is behind the first and looked at behind the second: edges of the argument that is being made,
 * which was read last before the first; tables, each a stage or more before it is read; and the
 * step, while the others have no look at it. */
template <class S>
static __global__ void __launch_bounds__(S::ALL, 1) stay(struct march m, struct streaming g)
{
    DYNAMIC_SHARED(struct stayed<S>, room);
    SHARED(struct step, step, [1]);
    struct step *const s = step;
    const int warp = __shfl_sync((unsigned)ALL_LANES, (int)threadIdx.x / 32, 0);
    const bool clock = warp == S::WARPS;
    const all_lines lines{m, m.u, NULL};
    const struct column p = column_of<S>(m, lines, g, blockIdx.x);
    const int i0 = p.i0, j0 = p.j0;
    real *const a = room->fields[2] + 1, *const b = room->fields[3] + 1;
    struct rest<S::R> k;
    const unsigned told = told_rows<S>(g, p);
    unsigned now = 0, number = m.last.number;
    for (int n = (int)threadIdx.x; n < 4 * S::FIELD; n += S::ALL)
        ((real *)room->fields)[n] = 0;
    if (clock)
        begin_steps(m, s);
    else
        list_halo<S>(m, g, p, room->halo);
    take_factors<S>(m, p, &room->of);
    __syncthreads();
    if (!clock) {
        ask_tile<S>(m, lines, i0, j0, warp, S::WARPS, room->fields[0] + 1);
        make_tables<S>(m, *s, i0, (int)threadIdx.x, S::THREADS, room->rows);
    } else {
        stay_edges<S>(m, lines, p, room->of, s->begin.c, room->fields[0] + 1);
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int turn = 0;; turn++) {
        real *const u = room->fields[now] + 1, *const next = room->fields[1 - now] + 1;
        struct row_forcing *const begin = room->rows[now], *const end = room->rows[1 - now];
        struct row_forcing *const third = room->rows[2], *const half = room->rows[3];
        const bool last = all_see(is_last(*s, turn));
        if (s->kept.first || s->kept.field > 0)
            keep_tile<S>(m, p, *s, clock, u);
        if (last)
            break;
        number++;
        const struct staying to = {m, next, m.mail + number % 2 * m.g.nodes, number,
                                   (unsigned)anew((int)told)};
        if (clock) {
            stay_edges<S>(m, lines, p, room->of, s->moments[0].c, a);
            make_rows<S>(room->of, s->moments[0], third);
        } else if (all_see(s->verdict != STEP_ACCEPTED)) {
            (void)stream_stage<1, S>(m, to, g, p, *s, u, a, u, begin, &k);
        } else {
            const int first = p.row * S::COLS + p.col;
            const unsigned inner = (unsigned)anew((int)p.inner);
            const real third_of_step = s->third;
            real old[S::R];
            UNROLLED (int r = 0; r < S::R; r++)
                old[r] = u[first + r * S::COLS];
            each_number<0, S::R>([&](auto n) {
                constexpr int r = decltype(n)::is;
                put_shared<r, r * S::COLS>(inner, a + first, old[r] + third_of_step * k.a[r]);
            });
        }
        __syncthreads();
        if (clock) {
            stay_edges<S>(m, lines, p, room->of, s->moments[0].c, b);
            make_rows<S>(room->of, s->moments[1], half);
        } else {
            (void)stream_stage<2, S>(m, to, g, p, *s, a, b, u, third, &k);
        }
        __syncthreads();
        if (clock) {
            stay_edges<S>(m, lines, p, room->of, s->moments[1].c, a);
            make_rows<S>(room->of, s->moments[2], end);
        } else {
            (void)stream_stage<3, S>(m, to, g, p, *s, b, a, u, third, &k);
        }
        __syncthreads();
        if (clock)
            stay_edges<S>(m, lines, p, room->of, s->moments[2].c, b);
        else
            (void)stream_stage<4, S>(m, to, g, p, *s, a, b, u, half, &k);
        __syncthreads();
        if (clock) {
            stay_edges<S>(m, lines, p, room->of, s->moments[2].c, next);
        } else {
            warp_votes(s->largest, stream_stage<5, S>(m, to, g, p, *s, b, next, u, end, &k));
        }
        __syncthreads();
        if (clock) {
            const real own = tell_vote<S>(s->largest, m.votes, number);
            if (gridDim.x > 1)
                pass_meanwhile();
            decide_by_all(m, m.times, s,
                          (double)(s->part * largest_of_votes(m.votes, number, own)));
        } else {
            if (gridDim.x > 1)
                take_halo<S>(room->halo, to.box, number, next);
            (void)stream_stage<1, S>(m, to, g, p, *s, next, NULL, next, end, &k);
        }
        __syncthreads();
        now = all_see(s->verdict == STEP_ACCEPTED) ? 1 - now : now;
    }
    if (!clock)
        each_own<S>(m, p, room->fields[now] + 1, [&](size_t at, real v) { m.u[at] = v; });
    if (blockIdx.x == 0 && clock && threadIdx.x % 32 == 0)
        leave(m, {s->control, number, s->verdict, s->kept.ended});
}

} // namespace OURS
