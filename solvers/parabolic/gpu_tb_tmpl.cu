/*
 * GPU-TB, not in the paper: temporal blocking. A kernel takes several steps on all points, and each
 * point is read and written once for all of them.
 */
#include "kernels.h"

/* A pass is up to LEVELS phases, of which the even ones are red, the odd ones black.
 * A warp walks up a strip of columns. As row r comes in, the first phase updates row r-1, which
 * completes what the second one needs for row r-2, and so on; the row that leaves below has all
 * phases behind it. What a phase has written into the last two rows stays in registers, since the
 * next two phases need it, and nothing else does. Each lane has PAIRS pairs of columns 2k, 2k+1, so
 * that one neighbour of one point per row and phase is another lane's, who hands it over. Beyond
 * the strip nothing is known, so its outermost column on either side is wrong after the first
 * phase, the next one after the second: LEVELS columns are computed in vain there, and as many
 * rows below and above the chunk of rows that the warp is to update.
 *
 * Tried on an H200 and left out (4000^2, double and single; this has 519 and 786 Gpoint/s): rows by
 * way of a ring in shared memory, 492 and 775; passes that overlap, 502 and 735; fused
 * multiply-adds, with that ring 531 and 838, but no longer the reference's bits; phases two rows
 * apart, none of which waits for another, 310 and 588; 4 levels 374, 12 levels 415 in double. */

enum {
    LEVELS = 8, /* an even number */
    PAIRS = 2,  /* of a lane: what a load of 16 bytes takes in double */
    HALO = LEVELS / 2,
    STRIP = 32 * PAIRS - 2 * HALO, /* pairs that a warp completes */
    PAIRS_OF_BLOCK = THREADS / 32 * STRIP,
    AHEAD = 2 /* rows that are loaded before they come in, an even number */
};

constexpr unsigned EVERY_LANE = 0xffffffffu;

struct level {
    stencil c;
    real s[2]; /* the boundary's factor, red and black */
    bool active;
};

struct pass {
    struct level level[LEVELS];
};

/* What all points share. */
struct field {
    const real *from; /* red, then black; G at the boundary, in both arrays */
    real *to;
    const real *sine, *cosine;
    size_t colour; /* values of one colour's array */
    int n, pitch, rows;
};

/* A lane's points of one colour in a row: of the columns 2k or of the columns 2k+1. */
struct alignas(PAIRS * sizeof(real)) in_row {
    real of[PAIRS];
};

template <bool inside>
static __device__ __forceinline__ void load_row(const struct field &f, in_row &red, in_row &black,
                                                int k, int j)
{
    if (inside || (k >= 0 && k < f.pitch && j >= 0 && j <= f.n + 1)) {
        const size_t at = (size_t)j * f.pitch + k;
        red = *(const in_row *)(f.from + at);
        black = *(const in_row *)(f.from + f.colour + at);
    }
}

template <bool inside>
static __device__ __forceinline__ void store_row(const struct field &f, const in_row &red,
                                                 const in_row &black, int k, int j)
{
    const int lane = threadIdx.x % 32;
    const bool own = lane >= HALO / PAIRS && lane < 32 - HALO / PAIRS;
    if (own && (inside || k < f.pitch)) {
        const size_t at = (size_t)j * f.pitch + k;
        *(in_row *)(f.to + at) = red;
        *(in_row *)(f.to + f.colour + at) = black;
    }
}

/* What phase `at` makes of `old`, its colour's points in row j, which are those of columns 2k + e,
 * among those of the other colour, whose factor at the boundary is `factor`. A product with 1
 * changes no bit, and where a warp is at the boundary it costs less than a branch. */
template <int model, bool inside>
static __device__ __forceinline__ in_row relaxed(const struct field &f, const struct level &at,
                                                 real factor, const in_row &old, in_row beside,
                                                 in_row north, in_row south,
                                                 const in_row (&sine)[2], const in_row (&cosine)[2],
                                                 int k, int j, int e)
{
    const bool live = at.active && (inside || (j >= 1 && j <= f.n));
    if (!inside) {
        const real below = j == 1 ? factor : 1, above = j == f.n ? factor : 1;
        UNROLLED (int q = 0; q < PAIRS; q++) {
            const int i = 2 * (k + q) + 1 - e;
            beside.of[q] *= i == 0 || i == f.n + 1 ? factor : 1;
            south.of[q] *= below;
            north.of[q] *= above;
        }
        j = j < 0 ? 0 : j <= f.n ? j : f.n + 1; /* of the tables */
    }
    const real beyond = e == 0 ? __shfl_up_sync(EVERY_LANE, beside.of[PAIRS - 1], 1)
                               : __shfl_down_sync(EVERY_LANE, beside.of[0], 1);
    const struct row of = row_of(model, &at.c, (size_t)j, f.sine, f.cosine);
    in_row fresh;
    UNROLLED (int q = 0; q < PAIRS; q++) {
        const int i = 2 * (k + q) + e;
        const real west = e == 1 ? beside.of[q] : q > 0 ? beside.of[q - 1] : beyond;
        const real east = e == 0 ? beside.of[q] : q + 1 < PAIRS ? beside.of[q + 1] : beyond;
        const real value = updated(model, &at.c, &of, (size_t)i, sine[e].of[q], cosine[e].of[q],
                                   old.of[q], east, west, north.of[q], south.of[q]);
        fresh.of[q] = live && (inside || (i >= 1 && i <= f.n)) ? value : old.of[q];
    }
    return fresh;
}

/* The rows first .. end-1, with all that lies around them. `first` is odd. */
template <int model, bool inside>
static __device__ __forceinline__ void walk(const struct field &f, const struct pass &pass, int k,
                                            int first, int end)
{
    in_row sine[2] = {}, cosine[2] = {};
    if (model == 3)
        UNROLLED (int q = 0; q < PAIRS; q++)
            UNROLLED (int e = 0; e < 2; e++) {
                const int i = 2 * (k + q) + e;
                const bool known = inside || (i >= 0 && i <= f.n);
                sine[e].of[q] = known ? f.sine[i] : 0;
                cosine[e].of[q] = known ? f.cosine[i] : 0;
            }
    in_row red[AHEAD] = {}, black[AHEAD] = {}; /* on their way in */
    /* What came in one and two rows ago, red and black, and what each phase but the last has
     * written since then: kept[l+1] is phase l's, 1 .. LEVELS, of rows r-l-2 and r-l-1. */
    in_row kept[LEVELS + 1][2] = {};
    const int from = first - LEVELS, to = end + LEVELS; /* rows to come in */
    UNROLLED (int u = 0; u < AHEAD; u++)
        load_row<inside>(f, red[u], black[u], k, from + u);
    for (int base = from; base < to; base += AHEAD)
        UNROLLED (int u = 0; u < AHEAD; u++) {
            const int r = base + u, e = u % 2; /* odd if u is even */
            in_row now[LEVELS + 2];
            now[0] = red[u];
            now[1] = black[u];
            red[u] = black[u] = {};
            load_row<inside>(f, red[u], black[u], k, r + AHEAD);
            UNROLLED (int l = 1; l <= LEVELS; l++) {
                const struct level &at = pass.level[l - 1];
                const in_row &old = kept[l - 1][l == 1 ? 1 - e : e];
                /* The phase's colour and the row's number say: columns 2k + e. */
                now[l + 1] = relaxed<model, inside>(f, at, at.s[l % 2], old, kept[l][1 - e], now[l],
                                                    kept[l][e], sine, cosine, k, r - l, e);
            }
            if (r - LEVELS >= first && r - LEVELS < end)
                store_row<inside>(f, kept[LEVELS][1 - e], now[LEVELS + 1], k, r - LEVELS);
            UNROLLED (int l = 0; l <= LEVELS; l++)
                kept[l][e] = now[l];
        }
}

template <int model>
static __global__ void __launch_bounds__(THREADS, sizeof(real) == sizeof(double) ? 3 : 4)
    take_pass(const struct field f, const __grid_constant__ struct pass pass)
{
    const int strip = blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
    const int west = strip * STRIP - HALO, k = west + threadIdx.x % 32 * PAIRS;
    const int first = 1 + blockIdx.y * f.rows;
    const int end = first + f.rows <= f.n ? first + f.rows : f.n + 1;
    if (2 * strip * STRIP > f.n)
        return;
    if (west >= 1 && 2 * (west + 32 * PAIRS) - 1 <= f.n && first >= 2 * LEVELS &&
        end + LEVELS + AHEAD <= f.n + 2)
        walk<model, true>(f, pass, k, first, end);
    else
        walk<model, false>(f, pass, k, first, end);
}

template <int model> static unsigned passes_at_once(void)
{
    return BLOCKS_AT_ONCE(take_pass<model>, THREADS, 0);
}

template <int model> static enum status run_pass(struct gpu *g, const struct pass *of)
{
    const struct layout *l = &g->layout;
    const struct field f = {g->u[g->now],    g->u[1 - g->now], g->sine,       g->cosine,
                            layout_array(l), (int)l->n,        (int)l->pitch, (int)g->rows};
    LAUNCH(take_pass<model>, g->grid, THREADS, 0)(f, *of);
    g->now = 1 - g->now;
    return device_launched("take_pass");
}

static const struct {
    enum status (*run)(struct gpu *g, const struct pass *of); /* from array to array */
    unsigned (*at_once)(void);                                /* blocks of one */
} passes[4] = {{run_pass<1>, passes_at_once<1>},
               {run_pass<2>, passes_at_once<2>},
               {run_pass<3>, passes_at_once<3>},
               {run_pass<4>, passes_at_once<4>}};

/* As many chunks of rows as keep the device busy, but no shorter than what is computed around them
 * in vain. An even number. */
static size_t rows_of_pass(const struct parabolic *p, unsigned across)
{
    const unsigned chunks = passes[p->model - 1].at_once() / across;
    const size_t rows = chunks > 0 ? (p->n - 1) / chunks + 1 : p->n;
    return rows < 2 * LEVELS ? 2 * LEVELS : (rows + 1) / 2 * 2;
}

static enum status plan(const struct instance *in, void **state)
{
    const struct parabolic *p = (const struct parabolic *)in->data;
    const unsigned across = (unsigned)(p->n / 2 / PAIRS_OF_BLOCK + 1);
    return gpu_make(p, true, 2, across, rows_of_pass(p, across), state);
}

static enum status load(void *state)
{
    const struct gpu *const g = (const struct gpu *)state;
    enum status status = gpu_load(state);
    for (int k = 0; k < 2 && status == OK; k++)
        status = run_boundary(g, g->u[k], 1, 1);
    return status == OK ? device_sync() : status;
}

/* What there is in `pass`, if anything; it is empty then. */
static enum status end_pass(struct gpu *g, struct pass *pass, int *levels)
{
    const int used = *levels;
    for (int l = used; l < LEVELS; l++)
        pass->level[l].active = false;
    *levels = 0;
    return used == 0 ? OK : passes[g->in->model - 1].run(g, pass);
}

/* The phases of a step, each on the next level of its colour. */
static enum status add_step(struct gpu *g, struct pass *pass, int *levels, const step *s)
{
    enum status status = OK;
    for (int phase = 0; phase < s->phases && status == OK; phase++) {
        if (*levels == LEVELS)
            status = end_pass(g, pass, levels);
        if (*levels % 2 != s->colour[phase])
            pass->level[(*levels)++].active = false;
        if (*levels == LEVELS)
            status = end_pass(g, pass, levels);
        struct level *const at = &pass->level[(*levels)++];
        *at = {s->stencil[phase], {s->s[RED], s->s[BLACK]}, true};
    }
    return status;
}

static enum status run(void *state, struct laps *laps)
{
    struct gpu *const g = (struct gpu *)state;
    const size_t records = parabolic_records(g->in);
    struct pass pass = {};
    int levels = 0;
    enum status status = OK;
    for (size_t record = 0; record < records && status == OK; record++) {
        step s;
        P(parabolic_step)(g->in, record, &s);
        status = add_step(g, &pass, &levels, &s);
        if (status == OK && record + 1 == g->in->snapshot)
            status = end_pass(g, &pass, &levels);
        if (status == OK)
            status = keep_snapshot(g, record);
    }
    if (status == OK)
        status = end_pass(g, &pass, &levels);
    lap(laps, "loop");
    return status;
}

const struct calls P(parabolic_gpu_tb) = {plan, load, run, gpu_fetch, give_back};
