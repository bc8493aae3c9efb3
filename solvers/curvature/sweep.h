/*
 * What is larger than the chip: blocks that go from tile to tile of the grid, whose values are in
 * memory, and wait for each other after each right-hand side. A block forms the argument of a tile,
 * and w, in shared memory.
 */
#pragma once
#include "resident.h"

namespace OURS
{

enum { ROWS = 8, COLUMNS = 32, SWEEP = ROWS * COLUMNS }; /* of a tile, a thread each */

/* How far a right-hand side looks. */
template <int flow> constexpr unsigned reach = flow == WILLMORE ? 2 : 1;

struct sweep {
    struct plane g;
    struct nodes nodes;
    unsigned across, tiles; /* tiles in a row of them, and in all */
    real *u;                /* [nodes], boundary included where nothing is forced */
    real *maxima;           /* of the blocks */
};

/* Interior rows of the grid that are gone over, in so many tiles. Values are told from row `low`
 * on, where their arrays begin, to row `high`. Here all of them: what a kernel was told is looked
 * up again, since copies of it would take registers from a single card. */
struct all_rows {
    const struct sweep &m;
    static constexpr unsigned first = 1, low = 0;
    __device__ __forceinline__ unsigned end() const
    {
        return m.g.n1;
    }
    __device__ __forceinline__ unsigned high() const
    {
        return m.g.n1;
    }
    __device__ __forceinline__ unsigned tiles() const
    {
        return m.tiles;
    }
};

/* A block's room for a tile. */
struct tile {
    real argument[(ROWS + 4) * (COLUMNS + 4)], w[(ROWS + 2) * (COLUMNS + 2)];
};

/* Boundary included; `inner` of an interior node is its value. Arrays begin with row `low`. */
template <class Inner>
static __device__ __forceinline__ real closed(const struct sweep &m, unsigned low, real c,
                                              unsigned i, unsigned j, Inner inner)
{
    const struct nodes &g = m.nodes;
    size_t at = (i - low) * (size_t)g.pitch + j;
    if (!is_inside(g, i, j)) {
        if (!g.copies)
            return g.forced ? exact_at(c, g.x[i * DERIVATIVES], g.y[j]) : m.u[at];
        at = copied_from(g, i, j) - low * (size_t)g.pitch;
    }
    return inner(at);
}

template <int flow, class Rows, class Inner>
static __device__ __forceinline__ void fill_tile(const struct sweep &m, const Rows &r, real c,
                                                 unsigned i0, unsigned j0, Inner inner,
                                                 struct tile *t)
{
    constexpr unsigned halo = reach<flow>, width = COLUMNS + 2 * halo;
    constexpr unsigned height = ROWS + 2 * halo, w_width = COLUMNS + 2, w_height = ROWS + 2;
    for (unsigned n = threadIdx.x; n < height * width; n += SWEEP) {
        const unsigned i = i0 + n / width - halo, j = j0 + n % width - halo;
        if (i <= r.high() && j <= m.g.n2) /* a negative one is large */
            t->argument[n] = closed(m, r.low, c, i, j, inner);
    }
    __syncthreads();
    for (unsigned n = threadIdx.x; flow == WILLMORE && n < w_height * w_width; n += SWEEP) {
        const unsigned i = i0 + n / w_width - 1, j = j0 + n % w_width - 1;
        if (i > r.end() || j > m.g.n2)
            continue;
        real w = 0;
        if (is_inside(m.nodes, i, j) || m.nodes.copies) {
            const unsigned from_i = (unsigned)inside(i, m.g.n1) + halo - i0;
            const unsigned from_j = (unsigned)inside(j, m.g.n2) + halo - j0;
            real mean;
            struct half_points h =
                half_points_of<(int)width>(m.g, t->argument + from_i * width + from_j);
            const real slope = mean_and_slope(m.g, &h, &mean);
            w = mean * slope;
        }
        t->w[n] = w;
    }
    if (flow == WILLMORE)
        __syncthreads();
}

/* The right-hand side, at the moment, of what `inner` gives at interior nodes; use(at, f) takes it
 * at each, and returns a size, of which the thread's largest comes back. */
template <int flow, class Rows, class Inner, class Use>
static __device__ __forceinline__ real sweep_over(const struct sweep &m, const Rows &r,
                                                  const struct moment &now, Inner inner, Use use,
                                                  struct tile *t)
{
    constexpr unsigned halo = reach<flow>, width = COLUMNS + 2 * halo;
    const unsigned ti = threadIdx.x / COLUMNS, tj = threadIdx.x % COLUMNS;
    real most = 0;
    for (unsigned tile = blockIdx.x; tile < r.tiles(); tile += gridDim.x) {
        const unsigned i0 = r.first + tile / m.across * ROWS, j0 = 1 + tile % m.across * COLUMNS;
        const unsigned i = i0 + ti, j = j0 + tj;
        fill_tile<flow>(m, r, now.c, i0, j0, inner, t);
        if (i < r.end() && j < m.g.n2) {
            real mean;
            struct half_points h =
                half_points_of<(int)width>(m.g, t->argument + (ti + halo) * width + tj + halo);
            real f = mean_and_slope(m.g, &h, &mean);
            if (flow == WILLMORE)
                f = -divergence<COLUMNS + 2>(m.g, h, t->w + (ti + 1) * (COLUMNS + 2) + tj + 1);
            f *= mean;
            if (m.nodes.forced)
                f += forcing_at(m.nodes, (enum flow)flow, now, i, j);
            const real size = use((i - r.low) * (size_t)m.nodes.pitch + j, f);
            most = size > most ? size : most;
        }
        __syncthreads(); /* the tile's memory is free */
    }
    return most;
}

/* The largest of all blocks' threads, in thread 0: all blocks meet in between. */
static __device__ __forceinline__ real largest_of_grid(const struct sweep &m, real most)
{
    most = largest_of_block<SWEEP>(most);
    if (threadIdx.x == 0)
        m.maxima[blockIdx.x] = most;
    grid_sync();
    most = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += SWEEP)
        most = m.maxima[b] > most ? m.maxima[b] : most;
    return largest_of_block<SWEEP>(most);
}

/* `count` values of `u`, boundary included, from row `first` on, as a field of the answer. */
static __device__ __forceinline__ void keep_rows(const struct sweep &m, unsigned low,
                                                 unsigned first, unsigned count, const real *u,
                                                 double t, real *field)
{
    const real c = moment_now(m.g.amplitude, t).c;
    for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count;
         at += gridDim.x * blockDim.x)
        field[at] = closed(m, low, c, first + at / m.nodes.pitch, at % m.nodes.pitch,
                           [=](size_t from) { return u[from]; });
}

/* All of them; not of gpu-ranks. */
[[maybe_unused]] static __device__ CALLED void keep_field(const struct sweep m, const real *u,
                                                          double t, real *field)
{
    keep_rows(m, 0, 0, m.nodes.count, u, t, field);
}

/* --- on the host --- */

static inline unsigned sweep_tiles(const struct curvature *p)
{
    return (((unsigned)p->n1 - 2) / ROWS + 1) * (((unsigned)p->n2 - 2) / COLUMNS + 1);
}

/* Its tables and maxima; u is the caller's. */
static inline void sweep_make(struct memory *owner, const struct curvature *p, unsigned blocks,
                              struct sweep *out)
{
    const size_t tables = DERIVATIVES * (p->n1 + p->n2 + 2);
    real *const host = (real *)take(owner, tables * sizeof *host), *on_device = NULL;
    if (host != NULL)
        P(curvature_tables)(p, host, host + DERIVATIVES * (p->n1 + 1));
    take_copy(owner, &on_device, host, tables);
    take_device(owner, &out->maxima, blocks);
    out->g = plane_of(p, NULL);
    out->nodes = nodes_of(p, on_device);
    out->across = ((unsigned)p->n2 - 2) / COLUMNS + 1;
    out->tiles = sweep_tiles(p);
}

/* A kernel of `solver`: how many blocks of a tile each it is good for, or MANY, whose blocks go
 * from tile to tile; the nodes along the sides of a tile that stays on chip, 0 of others; and what
 * says how many tiles there are, where those do not. */
enum { MANY = 0 };
template <class solver> struct way_of {
    enum flow flow;
    unsigned most, rows, columns;
    unsigned (*together)(const struct curvature *p);
    void (*launch)(const solver *s);
    unsigned (*tiles)(const struct curvature *p);
};

template <class solver> unsigned tiles_of(const struct curvature *p, const way_of<solver> &w)
{
    return w.tiles != NULL
               ? w.tiles(p)
               : (((unsigned)p->n1 - 2) / w.rows + 1) * (((unsigned)p->n2 - 2) / w.columns + 1);
}

/* The first that fits is taken. */
template <class solver, size_t COUNT>
enum status choose(const way_of<solver> (&ways)[COUNT], solver *s)
{
    for (const way_of<solver> &w : ways) {
        if (w.flow != s->in->flow)
            continue;
        const unsigned together = w.together(s->in), tiles = tiles_of(s->in, w);
        if (together == 0 || (w.most != MANY && (tiles > together || tiles > w.most)))
            continue;
        s->way = &w;
        s->blocks = tiles < together ? tiles : together;
        return OK;
    }
    return because(SKIPPED, "this device has no launch in which all blocks wait for each other");
}

} // namespace OURS
