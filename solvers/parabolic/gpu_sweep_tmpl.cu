/*
 * GPU-sweep: a step as a library for stencils would write it. A block brings a tile with a halo of
 * two points into shared memory, does both phases of a step there, and writes it into another
 * array: each step reads and writes the field once, which is a copy.
 */
#include "kernels.h"

enum { BLOCK = 256, TILE_X = 128, TILE_Y = 16, RIM = 2 };

struct alignas(16) pack {
    real v[16 / sizeof(real)];
};
enum {
    EACH = sizeof(pack) / sizeof(real),
    ACROSS = TILE_X + 2 * EACH, /* columns that are there; EACH is RIM at least */
    ROWS = TILE_Y + 2 * RIM,
    PAIRS = ACROSS / 2 /* of points of both colours in a row */
};

struct grid {
    int n, pitch;
    const real *from, *frame, *sine, *cosine; /* frame: as in struct gpu */
    real *to;
};

/* Places of a block in the grid. */
struct corner {
    int x, y; /* of the first point that is there, halo included; x is even, as EACH is */
};

/* G s at a boundary, else nothing new; corners are never read. */
static __device__ __forceinline__ real with_boundary(const struct grid &g, const step &s, int i,
                                                     int j, real u)
{
    const int last = g.n + 1, line = g.n + 2;
    const bool row = j == 0 || j == last, column = i == 0 || i == last;
    if (!row && !column)
        return u;
    const int side = row ? (j == 0 ? 0 : 1) : (i == 0 ? 2 : 3);
    return s.s[(i + j) % 2] * g.frame[side * line + (row ? i : j)];
}

static __device__ __forceinline__ void bring_tile(const struct grid &g, const step &s,
                                                  real (*u)[ACROSS], corner at)
{
    const bool inside =
        at.x >= 1 && at.x + ACROSS <= g.n + 1 && at.y >= 1 && at.y + ROWS <= g.n + 1;
    for (int k = (int)threadIdx.x; k < ROWS * (ACROSS / EACH); k += BLOCK) {
        const int r = k / (ACROSS / EACH), q = k % (ACROSS / EACH) * EACH;
        const int i = at.x + q, j = at.y + r;
        if (i < 0 || i + EACH > g.pitch || j < 0 || j > g.n + 1)
            continue;
        pack p = *(const pack *)(g.from + (size_t)j * g.pitch + i);
        UNROLLED (int e = 0; e < EACH && !inside; e++)
            if (i + e <= g.n + 1)
                p.v[e] = with_boundary(g, s, i + e, j, p.v[e]);
        *(pack *)&u[r][q] = p;
    }
}

/* The new value of the point in row r and column q of the tile, which is (i,j). */
template <int model>
static __device__ __forceinline__ real fresh(const struct grid &g, const stencil &c,
                                             const real (*u)[ACROSS], int r, int q, int i, int j)
{
    const struct row row = row_of(model, &c, (size_t)j, g.sine, g.cosine);
    return updated(model, &c, &row, (size_t)i, model == 3 ? g.sine[i] : 0,
                   model == 3 ? g.cosine[i] : 0, u[r][q], u[r][q + 1], u[r][q - 1], u[r + 1][q],
                   u[r - 1][q]);
}

/* A colour's points, with `rim` more of them around the tile. */
template <int model>
static __device__ __forceinline__ void relax(const struct grid &g, const stencil &c,
                                             real (*u)[ACROSS], corner at, int colour, int rim)
{
    const int least = RIM - rim, count = TILE_Y + 2 * rim;
    for (int k = (int)threadIdx.x; k < count * PAIRS; k += BLOCK) {
        const int r = least + k / PAIRS, j = at.y + r, q = k % PAIRS * 2 + ((j + colour) & 1);
        const int i = at.x + q;
        if (i >= 1 && i <= g.n && j >= 1 && j <= g.n && q >= EACH - rim && q < EACH + TILE_X + rim)
            u[r][q] = fresh<model>(g, c, u, r, q, i, j);
    }
}

template <int model>
static __global__ void __launch_bounds__(BLOCK)
    sweep(const struct grid g, const __grid_constant__ step s)
{
    SHARED(pack, packs, [ROWS][ACROSS / EACH]);
    real(*const u)[ACROSS] = (real(*)[ACROSS])packs;
    const corner at = {(int)blockIdx.x * TILE_X - EACH, (int)blockIdx.y * TILE_Y + 1 - RIM};
    bring_tile(g, s, u, at);
    __syncthreads();
    for (int phase = 0; phase < s.phases && !s.both; phase++) {
        relax<model>(g, s.stencil[phase], u, at, s.colour[phase], s.phases - 1 - phase);
        __syncthreads();
    }
    for (int k = (int)threadIdx.x; k < TILE_Y * (TILE_X / EACH); k += BLOCK) {
        const int r = RIM + k / (TILE_X / EACH), q = EACH + k % (TILE_X / EACH) * EACH;
        const int i = at.x + q, j = at.y + r;
        if (i + EACH > g.pitch || j > g.n)
            continue;
        pack p = *(const pack *)&u[r][q];
        UNROLLED (int e = 0; e < EACH && s.both; e++)
            if (i + e >= 1 && i + e <= g.n)
                p.v[e] = fresh<model>(g, s.stencil[0], u, r, q + e, i + e, j);
        *(pack *)(g.to + (size_t)j * g.pitch + i) = p;
    }
}

template <int model> static enum status run_sweep(struct gpu *g, const step *s)
{
    const struct grid grid = {
        (int)g->layout.n, (int)g->layout.pitch, g->u[g->now], g->frame, g->sine,
        g->cosine,        g->u[1 - g->now]};
    LAUNCH(sweep<model>, g->grid, BLOCK, 0)(grid, *s);
    g->now = 1 - g->now;
    return device_launched("sweep");
}

static enum status (*const sweeps[])(struct gpu *g, const step *s) = {
    NULL, run_sweep<1>, run_sweep<2>, run_sweep<3>, run_sweep<4>};

static enum status plan(const struct instance *in, void **state)
{
    const struct parabolic *p = (const struct parabolic *)in->data;
    return gpu_make(p, false, 2, (unsigned)(p->n / TILE_X + 1), TILE_Y, state);
}

static enum status run(void *state, struct laps *laps)
{
    struct gpu *const g = (struct gpu *)state;
    const size_t records = parabolic_records(g->in);
    enum status status = OK;
    for (size_t record = 0; record < records && status == OK; record++) {
        step s;
        P(parabolic_step)(g->in, record, &s);
        status = sweeps[g->in->model](g, &s);
        if (status == OK)
            status = keep_snapshot(g, record);
    }
    lap(laps, "loop");
    return status;
}

extern const struct calls P(parabolic_gpu_sweep);
const struct calls P(parabolic_gpu_sweep) = {plan, gpu_load, run, gpu_fetch, give_back};
