/*
 * Mean-curvature flow of what is larger than the chip, a step at a time: a block takes a tile with
 * a halo of a node for each of Merson's right-hand sides, does all five of them in shared memory,
 * the halo recomputed and shrinking. A thread goes down some rows of a column and finds each half
 * point once: that of the row above it has kept, and that of the column to the left is its
 * neighbour's in the warp, for which warps overlap by a column. Another warp, the clock, has no
 * nodes: it reads the next tile meanwhile, and has the boundary's values and the tables ready.
 *
 * The forcing is made of what depends on the row and the time, which is tabled once a tile, and of
 * what depends on the column.
 */
#pragma once
#include <cuda_pipeline.h>

#include "march.h"

namespace OURS
{

enum { BEGIN, THIRD, HALF, END, TABLES }; /* the moments of a step */

/* Warps across and down, and rows of a thread; beside them another one, the clock. A value is
 * stored DELAY rows later: behind a store no load is moved up. */
template <int ACROSS_, int DOWN, int R_, int DELAY_ = 1> struct shape {
    enum { DELAY = DELAY_ };
    enum { ACROSS = ACROSS_, R = R_, HALO = STAGES, WARPS = ACROSS * DOWN, THREADS = 32 * WARPS };
    enum { ALL = THREADS + 32 };
    enum { ROWS = DOWN * R + 2, COLS = 31 * ACROSS + 2, FIELD = ROWS * COLS + 2, MOST = WARPS };
    /* How far it is from tile to tile at most. */
    enum { STEP1 = ROWS - 2 * HALO, STEP2 = COLS - 2 * HALO };
};

/* What a thread knows of its column. */
struct column {
    int i0, j0;   /* of the tile's first node, halo or boundary included */
    int row, col; /* of the first node of its own, in the tile */
    /* A bit for each of its rows: of the domain, and another lane has not got it; of the tile. */
    unsigned inner, own;
    real y0, y2, b0, b1, b2, yy0, yy1; /* products of the known solution's factor along y */
};

/* What the forcing of a row is made of at a moment. */
struct alignas(16) row_forcing {
    real n0, n1, n2, s0, s1, still, second;
};

template <class S> struct streamed {
    real fields[4][S::FIELD]; /* u of this tile and of the next one; arguments in turn */
    struct row_forcing rows[2][TABLES][S::ROWS];
};

/* The rows of a step, from field u to field next: `first` to end() - 1 are found, of which tiles
 * look at those from `base` on, up to high(). Here all of them; gpu-ranks has some. */
struct all_lines {
    const struct march &m;
    const real *u;
    real *next;
    static constexpr int base = 0, first = 1;
    /* A step's first tile is there as soon as all blocks have met, whatever becomes of the step. */
    static constexpr bool AHEAD = true;
    __device__ __forceinline__ int end() const
    {
        return (int)m.g.n1;
    }
    __device__ __forceinline__ int high() const
    {
        return (int)m.g.n1;
    }
    /* Which row of tiles is this one's turn. */
    __device__ __forceinline__ unsigned turn(unsigned t1, unsigned) const
    {
        return t1;
    }
    /* A node's place in a field; where its new value goes, and where the values of a row, or of the
     * one that the boundary copies, are read. */
    __device__ __forceinline__ size_t place(int i, int j) const
    {
        return (size_t)i * m.sweep.nodes.pitch + (size_t)j;
    }
    __device__ __forceinline__ real *found_at(int i, int j) const
    {
        return next + (size_t)i * m.g.pitch + (size_t)j;
    }
    __device__ __forceinline__ const real *line(int i) const
    {
        return u + inside((size_t)i, m.g.n1) * m.g.pitch;
    }
    /* The tile's nodes are found, and seen by all of the block. */
    template <class S, class G> __device__ __forceinline__ void found(const G &, unsigned) const
    {
    }
};

/* Tiles of the same size along each axis, as many as there have to be. */
struct streaming {
    unsigned step1, step2, tiles1, tiles2;
    real share1, share2; /* (h1/(4 h2))^2, (h2/(4 h1))^2 */
    real ratio, weight;  /* h1/h2, 1/(4 h1^2) */
};

static __host__ __device__ __forceinline__ unsigned tiles_along(size_t n, unsigned step)
{
    return n + 1 <= 2 * STAGES + step ? 1 : ((unsigned)n - 2 * STAGES) / step + 1;
}

/* Of a thread's rows, which begin with `row`, those from `first` to end - 1. */
template <class S>
static __device__ __forceinline__ unsigned rows_between(int row, int first, int end)
{
    first = first > row ? first - row : 0;
    end = end < row + S::R ? end - row : (int)S::R;
    return first < end ? (1u << end) - (1u << first) : 0;
}

template <class S, class Lines>
static __device__ __forceinline__ struct column column_of(const struct march &m, const Lines &lines,
                                                          const struct streaming &g, unsigned tile)
{
    const int n2 = (int)m.g.n2;
    const int step1 = (int)g.step1, step2 = (int)g.step2;
    const unsigned t1 = lines.turn(tile / g.tiles2, g.tiles1), t2 = tile % g.tiles2;
    const unsigned lane = threadIdx.x % 32;
    const int warp = __shfl_sync((unsigned)ALL_LANES, (int)threadIdx.x / 32, 0);
    struct column p;
    p.i0 = lines.base + (int)t1 * step1;
    p.j0 = (int)t2 * step2;
    p.row = 1 + warp / S::ACROSS * S::R;
    p.col = warp % S::ACROSS * 31 + (int)lane;
    const int j = p.j0 + p.col, first = t1 == 0 ? lines.first - lines.base : S::HALO;
    const int end = t1 == g.tiles1 - 1 ? lines.end() - p.i0 : step1 + S::HALO;
    const bool inner = lane > 0 && j > 0 && j < n2;
    const bool own =
        inner && (p.col >= S::HALO || t2 == 0) && (p.col < step2 + S::HALO || t2 == g.tiles2 - 1);
    p.inner = inner ? rows_between<S>(p.row, 1 - p.i0, (int)m.g.n1 - p.i0) : 0;
    p.own = own ? rows_between<S>(p.row, first, end) : 0;
    const real *const y = m.sweep.nodes.y + (j < n2 ? j : n2);
    const real y0 = y[0], y1 = y[m.g.pitch], y2 = y[2 * m.g.pitch];
    p.y0 = y0;
    p.y2 = y2;
    p.yy0 = y0 * y0;
    p.yy1 = y1 * y1;
    p.b0 = p.yy0 * y0;
    p.b1 = y0 * p.yy1;
    p.b2 = p.yy1 * y2;
    return p;
}

/* What forcing_mean_curvature() has, as sums of products of a row's and a column's. */
static __device__ __forceinline__ struct row_forcing row_at(const real *x, const struct moment &t)
{
    const real a = t.c * x[0], b = t.c * x[1], c = t.c * x[2];
    return {b * b * c, 2 * a * (b * b), a * a * a, b * b, a * a, t.ct * x[0] - c, -a};
}

static __device__ __forceinline__ real forcing_in(const struct column &p,
                                                  const struct row_forcing &r)
{
    const real n = r.n2 * p.b2 + (r.n1 * p.b1 + r.n0 * p.b0);
    const real s = r.s1 * p.yy1 + (r.s0 * p.yy0 + R(1));
    return n * over(s) + (r.second * p.y2 + r.still * p.y0);
}

/* On the boundary, where it is given. */
template <class Lines>
static __device__ __forceinline__ real given_at(const struct march &m, const Lines &lines, real c,
                                                int i, int j)
{
    const struct nodes &g = m.sweep.nodes;
    return g.forced ? exact_at(c, g.x[i * DERIVATIVES], g.y[j]) : m.sweep.u[lines.place(i, j)];
}

/* use(its place in the tile's array, i, j) of each node of the domain's boundary that is there; by
 * so many threads, of which this one is the `first`. */
template <class S, class Lines, class Use>
static __device__ __forceinline__ void each_edge(const struct march &m, const Lines &lines,
                                                 const struct column &p, int first, int threads,
                                                 Use use)
{
    const int n1 = (int)m.g.n1, n2 = (int)m.g.n2, low = n1 - p.i0, right = n2 - p.j0;
    const int high = lines.high() - p.i0;
    for (int k = first; k < S::COLS && k <= right; k += threads) {
        if (p.i0 == 0)
            use(k, 0, p.j0 + k);
        if (low < S::ROWS && low == high)
            use(low * S::COLS + k, n1, p.j0 + k);
    }
    for (int k = first; k < S::ROWS && k <= high; k += threads) {
        if (p.j0 == 0)
            use(k * S::COLS, p.i0 + k, 0);
        if (right < S::COLS)
            use(k * S::COLS + right, p.i0 + k, n2);
    }
}

/* By a warp. */
template <class S, class Lines>
static __device__ __forceinline__ void fill_edges(const struct march &m, const Lines &lines,
                                                  const struct column &p, real c, real *to)
{
    if (!m.g.copies)
        each_edge<S>(m, lines, p, (int)threadIdx.x % 32, 32,
                     [&](int at, int i, int j) { to[at] = given_at(m, lines, c, i, j); });
}

/* Begins to read what a tile has of the domain, without a boundary that is given; by so many warps,
 * of which this one has a number. A warp alone takes one of these parts a stage. */
template <class S, class Lines>
static __device__ __forceinline__ void ask_tile(const struct march &m, const Lines &lines, int i0,
                                                int j0, int warp, int warps, real *to)
{
    enum { PARTS = (S::COLS + 31) / 32 };
    const int lane = (int)threadIdx.x % 32, n2 = (int)m.g.n2, edge = m.g.copies ? 0 : 1;
    const int last = lines.high() < (int)m.g.n1 - edge ? lines.high() : (int)m.g.n1 - edge;
    const int end = S::ROWS < last + 1 - i0 ? (int)S::ROWS : last + 1 - i0;
    unsigned from[PARTS];
    bool wanted[PARTS];
    UNROLLED (int k = 0; k < PARTS; k++) {
        const int col = lane + 32 * k, j = j0 + col;
        wanted[k] = col < S::COLS && j >= edge && j <= n2 - edge;
        from[k] = wanted[k] ? (unsigned)inside((size_t)j, m.g.n2) : 0;
    }
    for (int row = warp + (i0 + warp < edge ? warps : 0); row < end; row += warps) {
        const real *const line = lines.line(i0 + row);
        UNROLLED (int k = 0; k < PARTS; k++)
            if (wanted[k])
                __pipeline_memcpy_async(to + row * S::COLS + lane + 32 * k, line + from[k],
                                        sizeof(real));
    }
    __pipeline_commit();
}

/* The tables of a tile's rows; by so many threads, of which this one has a number. */
template <class S>
static __device__ __forceinline__ void make_tables(const struct march &m, const struct step &s,
                                                   int i0, int thread, int threads,
                                                   struct row_forcing (*rows)[S::ROWS])
{
    const int n1 = (int)m.g.n1;
    for (int row = thread; row < S::ROWS; row += threads) {
        const int i = i0 + row < n1 ? i0 + row : n1;
        const real *const x = m.sweep.nodes.x + i * DERIVATIVES;
        const real of_row[] = {x[0], x[1], x[2]};
        UNROLLED (int k = 0; k < TABLES; k++)
            rows[k][row] = row_at(of_row, k == BEGIN ? s.begin : s.moments[k - 1]);
    }
}

/* At a face the difference across it over Q, and Q, both times the mesh width. */
static __device__ __forceinline__ void face_at(real across, real along, real share, real square,
                                               real *flux, real *q)
{
    const real q2 = (along * share) * along + (across * across + square), o = over_root(q2);
    *flux = across * o;
    *q = q2 * o;
}

/* k1 and k3 of a thread's nodes, before k3 the forcing at stages 2 and 3; after stage 4 the new u
 * and the error, each without k5. */
template <int COUNT> struct rest {
    real a[COUNT], b[COUNT];
};

/* use() of each number, known to the compiler before it unrolls anything. */
template <int N> struct this_number {
    static constexpr int is = N;
};
template <int FIRST, int END, class Use> static __device__ __forceinline__ void each_number(Use use)
{
    if constexpr (FIRST < END) {
        use(this_number<FIRST>());
        each_number<FIRST + 1, END>(use);
    }
}

/* Stores of what a bit says, without a branch: at one the compiler ends what it computes side by
 * side, and there is one in each row. In shared memory so many places on. */
#ifdef REPRISE_EMULATED
template <int bit, int on> static inline void put_shared(unsigned bits, real *to, real v)
{
    if ((bits & 1u << bit) != 0)
        to[on] = v;
}
template <int bit> static inline void put_global(unsigned bits, real *to, real v)
{
    put_shared<bit, 0>(bits, to, v);
}
#else
#if REAL_IS_DOUBLE
#define OF_SIZE "f64"
#define OF_REAL "d"
#else
#define OF_SIZE "f32"
#define OF_REAL "f"
#endif
template <int bit, int on>
static __device__ __forceinline__ void put_shared(unsigned bits, real *to, real v)
{
    asm volatile("{ .reg .pred q; .reg .b32 b; and.b32 b, %2, %3; setp.ne.u32 q, b, 0; "
                 "@q st.shared." OF_SIZE " [%0+%4], %1; }" ::"r"(shared_address(to)),
                 OF_REAL(v), "r"(bits), "n"((int)(1u << bit)), "n"(on * (int)sizeof(real))
                 : "memory");
}
template <int bit>
static __device__ __forceinline__ void put_global(unsigned bits, real *to, real v)
{
    asm volatile("{ .reg .pred q; .reg .b32 b; and.b32 b, %2, %3; setp.ne.u32 q, b, 0; "
                 "@q st.global." OF_SIZE " [%0], %1; }" ::"l"(to),
                 OF_REAL(v), "r"(bits), "n"((int)(1u << bit))
                 : "memory");
}
#endif

/* From a thread's own nodes to the boundary that copies them. */
template <class S>
static __device__ __forceinline__ void copy_edges(const struct march &m, const struct column &p,
                                                  real *to)
{
    const int n1 = (int)m.g.n1, n2 = (int)m.g.n2, j = p.j0 + p.col;
    for (int r = 0; r < S::R; r++) {
        const int i = p.i0 + p.row + r;
        if ((p.inner & 1u << r) == 0 || (i > 1 && i < n1 - 1 && j > 1 && j < n2 - 1))
            continue;
        real *const at = to + (p.row + r) * S::COLS + p.col;
        const real v = *at;
        for (int a = i == 1 ? -1 : 0; a <= (i == n1 - 1 ? 1 : 0); a++)
            for (int b = j == 1 ? -1 : 0; b <= (j == n2 - 1 ? 1 : 0); b++)
                at[a * S::COLS + b] = v;
    }
}

/* Where the new value of a thread's row goes. */
template <int row, class S, class Lines>
static __device__ __forceinline__ void give_row(const Lines &lines, const struct column &p,
                                                unsigned own, real v)
{
    put_global<row>(own, lines.found_at(p.i0 + p.row + row, p.j0 + p.col), v);
}

/* Of a table in shared memory, by two loads in single precision. */
static __device__ __forceinline__ struct row_forcing row_of(const struct row_forcing *rows, int row)
{
#if defined(REPRISE_EMULATED) || REAL_IS_DOUBLE
    return rows[row];
#else
    const float4 a = ((const float4 *)(rows + row))[0], b = ((const float4 *)(rows + row))[1];
    return {a.x, a.y, a.z, a.w, b.x, b.y, b.z};
#endif
}

/* A right-hand side of the argument `from`, and the next argument, but where `to` is null; the last
 * one gives the new u. Returns the largest error over tau/30. */
template <int stage, class S, class Lines>
static __device__ __forceinline__ real stream_stage(const struct march &m, const Lines &lines,
                                                    const struct streaming &g,
                                                    const struct column &p, const struct step &s,
                                                    const real *from, real *to, const real *u,
                                                    const struct row_forcing *rows,
                                                    struct rest<S::R> *k)
{
    constexpr int COLS = S::COLS;
    const int first = p.row * COLS + p.col;
    const real *const v = from + first;
    const real west = v[-COLS];
    real most = 0, c = v[0], sum_w = west + v[1 - COLS], sum = c + v[1];
    real up = v[1] - c, mid = v[1] - v[-1], fw, qw, out[S::R];
    const real part = stage == 1   ? s.third
                      : stage == 3 ? s.eighth
                      : stage == 4 ? s.length
                                   : s.sixth;
    const real sixth = stage == 4 ? s.sixth : 0;
    /* Or the compiler keeps a register for each bit. */
    const unsigned inner = (unsigned)anew((int)p.inner), own = (unsigned)anew((int)p.own);
    face_at(c - west, (v[1 - COLS] - v[-1 - COLS]) + mid, g.share1, m.g.square1, &fw, &qw);
    each_number<0, S::R + S::DELAY>([&](auto n) {
        constexpr int r = decltype(n)::is, ready = r - S::DELAY;
        if constexpr (r < S::R) {
            const real *const e = v + (r + 1) * COLS;
            const real east = e[0], right = e[1], mid_e = right - e[-1], sum_e = east + right;
            real fe, qe, fn, qn;
            face_at(east - c, mid_e + mid, g.share1, m.g.square1, &fe, &qe);
            face_at(up, sum_e - sum_w, g.share2, m.g.square2, &fn, &qn);
            const real fs = __shfl_up_sync((unsigned)ALL_LANES, fn, 1);
            const real qs = __shfl_up_sync((unsigned)ALL_LANES, qn, 1);
            const real q = (qn + qs) * g.ratio + (qe + qw), h = (fn - fs) * g.ratio + (fe - fw);
            /* Stages 2 and 3 are of one moment. */
            const real force = stage == 3 ? k->b[r] : forcing_in(p, row_of(rows, p.row + r));
            const real f = (q * g.weight) * h + force;
            const real old = stage == 1 ? c : stage < 5 ? u[first + r * COLS] : 0;
            if (stage == 1) {
                k->a[r] = f;
                out[r] = old + part * f;
            } else if (stage == 2) {
                k->b[r] = force;
                out[r] = old + part * (k->a[r] + f);
            } else if (stage == 3) {
                k->b[r] = f;
                out[r] = old + part * (k->a[r] + R(3) * f);
            } else if (stage == 4) {
                const real k1 = k->a[r], k3 = k->b[r];
                out[r] = old + part * (R(0.5) * k1 + (R(2) * f - R(1.5) * k3));
                k->a[r] = old + sixth * (k1 + R(4) * f);
                k->b[r] = (R(2) * k1 - R(9) * k3) + R(8) * f;
            } else {
                const real size = (own & 1u << r) != 0 ? error_size(k->b[r] - f) : 0;
                most = size > most ? size : most;
                out[r] = k->a[r] + part * f;
            }
            c = east;
            sum_w = sum;
            sum = sum_e;
            up = right - east;
            mid = mid_e;
            fw = fe;
            qw = qe;
        }
        if constexpr (ready >= 0) {
            if (stage == 5)
                give_row<ready, S>(lines, p, own, out[ready]);
            else if (to != NULL)
                put_shared<ready, ready * COLS>(inner, to + first, out[ready]);
        }
    });
    if (stage < 5 && to != NULL && m.g.copies)
        copy_edges<S>(m, p, to);
    return most;
}

/* All tiles of this block, of which the first one is there if `asked`; the largest error of the
 * thread, over tau/30. The clock has ready what the others look at behind the next barrier: edges
 * of the argument that they make, and the next tile with its edges and tables. */
template <class S, class Lines>
static __device__ __forceinline__ real stream_step(const struct march &m, const Lines &lines,
                                                   const struct streaming &g, const struct step &s,
                                                   int warp, bool asked, struct streamed<S> *room)
{
    const unsigned tiles = g.tiles1 * g.tiles2;
    const bool clock = warp == S::WARPS;
    real *const a = room->fields[2] + 1, *const b = room->fields[3] + 1;
    struct column p = column_of<S>(m, lines, g, blockIdx.x);
    real most = 0;
    if (!clock && !asked)
        ask_tile<S>(m, lines, p.i0, p.j0, warp, S::WARPS, room->fields[0] + 1);
    if (!clock)
        make_tables<S>(m, s, p.i0, (int)threadIdx.x, S::THREADS, room->rows[0]);
    else
        fill_edges<S>(m, lines, p, s.begin.c, room->fields[0] + 1);
    __pipeline_wait_prior(0);
    __syncthreads();
    unsigned set = 0;
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x, set = 1 - set) {
        const real *const mine = room->fields[set] + 1;
        real *const later = room->fields[1 - set] + 1;
        const struct row_forcing(*const rows)[S::ROWS] = room->rows[set];
        const unsigned after = tile + gridDim.x;
        struct rest<S::R> k;
        struct column q = p;
        if (clock) {
            fill_edges<S>(m, lines, p, s.moments[0].c, a);
            if (after < tiles) {
                q = column_of<S>(m, lines, g, after);
                ask_tile<S>(m, lines, q.i0, q.j0, 0, 4, later);
            }
        } else {
            (void)stream_stage<1, S>(m, lines, g, p, s, mine, a, mine, rows[BEGIN], &k);
        }
        __syncthreads();
        if (clock) {
            fill_edges<S>(m, lines, p, s.moments[0].c, b);
            if (after < tiles) {
                ask_tile<S>(m, lines, q.i0, q.j0, 1, 4, later);
                make_tables<S>(m, s, q.i0, (int)threadIdx.x % 32, 32, room->rows[1 - set]);
            }
        } else {
            (void)stream_stage<2, S>(m, lines, g, p, s, a, b, mine, rows[THIRD], &k);
        }
        __syncthreads();
        if (clock) {
            fill_edges<S>(m, lines, p, s.moments[1].c, a);
            if (after < tiles)
                ask_tile<S>(m, lines, q.i0, q.j0, 2, 4, later);
        } else {
            (void)stream_stage<3, S>(m, lines, g, p, s, b, a, mine, rows[THIRD], &k);
        }
        __syncthreads();
        if (clock) {
            fill_edges<S>(m, lines, p, s.moments[2].c, b);
            if (after < tiles)
                ask_tile<S>(m, lines, q.i0, q.j0, 3, 4, later);
        } else {
            (void)stream_stage<4, S>(m, lines, g, p, s, a, b, mine, rows[HALF], &k);
        }
        __syncthreads();
        if (clock) {
            if (after < tiles)
                fill_edges<S>(m, lines, q, s.begin.c, later);
            __pipeline_wait_prior(0);
            p = q;
        } else {
            const real size = stream_stage<5, S>(m, lines, g, p, s, b, a, mine, rows[END], &k);
            most = size > most ? size : most;
            if (after < tiles)
                p = column_of<S>(m, lines, g, after);
        }
        __syncthreads();
        lines.template found<S>(g, tile);
    }
    return most;
}

/* By a warp: what becomes of the step, and the next one. */
static __device__ __forceinline__ void decide(const struct march &m, const double *times,
                                              struct step *s, real most)
{
    if (threadIdx.x % 32 == 0)
        end_step(m, times, s, (double)most);
    find_moments(m, s);
}

/* Attempts, so that a launch ends within seconds; and that tests have runs of some launches. */
#ifdef REPRISE_EMULATED
enum { MOST_PER_LAUNCH = 20 };
#else
enum { MOST_PER_LAUNCH = 100000 };
#endif

/* A launch. lines_of(s, now) are the rows of a step from field `now` to the other one; of_all(k,
 * most), by a warp, is the largest error of attempt k on all cards, `most` on this one; keep(s,
 * now) takes what is to be kept of a step. */
template <class S, class March, class Of, class Largest, class Keep>
static __device__ __forceinline__ void stream_steps(const March &m, const struct streaming &g,
                                                    Of lines_of, Largest of_all, Keep keep)
{
    DYNAMIC_SHARED(struct streamed<S>, room);
    SHARED(struct step, step, [1]);
    struct step *const s = step;
    const int warp = __shfl_sync((unsigned)ALL_LANES, (int)threadIdx.x / 32, 0);
    const bool clock = warp == S::WARPS;
    unsigned now = m.last.number;
    bool asked = false;
    if (threadIdx.x == 0) {
        s->control = m.last.control;
        s->verdict = STEP_REJECTED;
        s->kept.ended = false;
        (void)control_step(&s->control, m.times);
    }
    if (threadIdx.x < 32)
        find_moments(m, s);
    __syncthreads();
    for (int k = 0; k < MOST_PER_LAUNCH && !s->kept.ended && s->verdict != STEPS_DIVERGED; k++) {
        const auto lines = lines_of(*s, now);
        real *const maxima = m.sweep.maxima + k % 2 * gridDim.x;
        warp_votes(s->largest, stream_step<S>(m, lines, g, *s, warp, asked, room));
        __syncthreads();
        const unsigned lane = threadIdx.x % 32;
        real most = largest_of_warp(lane < S::WARPS ? s->largest[lane] : 0);
        if (threadIdx.x == 0)
            maxima[blockIdx.x] = most;
        grid_sync();
        if (clock) {
            for (unsigned b = lane; b < gridDim.x; b += 32)
                most = maxima[b] > most ? maxima[b] : most;
            decide(m, m.times, s, of_all(k, s->part * largest_of_warp(most)));
        } else if (lines.AHEAD) {
            /* as if the step were good */
            const struct column p = column_of<S>(m, lines, g, blockIdx.x);
            ask_tile<S>(m, lines_of(*s, 1 - now), p.i0, p.j0, warp, S::WARPS, room->fields[0] + 1);
        }
        __syncthreads();
        const bool good = s->verdict == STEP_ACCEPTED;
        now = good ? 1 - now : now;
        asked = good && lines.AHEAD;
        if (lines.AHEAD && !good) { /* it is asked for again */
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        keep(*s, now);
    }
    __pipeline_wait_prior(0);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        leave(m, {s->control, now, s->verdict, s->kept.ended});
}

/* --- on the host --- */

/* Of rows up to number n1, where tiles look at all from 0 on. */
template <class S> struct streaming streaming_of(const struct curvature *p, size_t n1)
{
    struct streaming g = {};
    g.tiles1 = tiles_along(n1, S::STEP1);
    g.tiles2 = tiles_along(p->n2, S::STEP2);
    const unsigned most1 = (unsigned)n1 + g.tiles1, most2 = (unsigned)p->n2 + g.tiles2;
    g.step1 = most1 > 2 * S::HALO ? (most1 - 2 * S::HALO) / g.tiles1 : 1;
    g.step2 = most2 > 2 * S::HALO ? (most2 - 2 * S::HALO) / g.tiles2 : 1;
    g.step1 = g.step1 > 0 ? g.step1 : 1;
    g.step2 = g.step2 > 0 ? g.step2 : 1;
    g.share1 = (real)(p->h1 * p->h1 / (16 * p->h2 * p->h2));
    g.share2 = (real)(p->h2 * p->h2 / (16 * p->h1 * p->h1));
    g.ratio = (real)(p->h1 / p->h2);
    g.weight = (real)(0.25 / (p->h1 * p->h1));
    return g;
}

} // namespace OURS
