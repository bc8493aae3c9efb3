/*
 * GPU-limit, not in the paper: a tile of the grid for each block, kept in registers over as many
 * half steps as its halo lasts. `hold`: the tiles are the whole grid, and stay on the chip for all
 * of a run; blocks exchange halos by parcels. The boundary is in the tiles, or, of a RIM, around
 * them, which needs an even N. `pass`: blocks go over all tiles of a larger grid, and each point is
 * read and written once for several steps; the next tile comes in while one is updated. `flow`: all
 * passes in one launch, so that rounds of blocks need not end with a pass.
 *
 * Figures are 10^9 points a second, Model 2, 100 steps, FUSED. On an H200 (in brackets GPU-TB):
 * double N = 2000 660 (322), 4000 747 (496), 8000 757, 16000 798 by passes (612); single 4000 1853,
 * 6000 1909, 8000 1890, 16000 2093. Model 4 has 0.7 to 0.85 of it; the reference's bits have 0.75
 * to 0.97 in double and 0.67 to 0.97 in single. On an H100 double 500 295, 1000 755, 1500 864, 2000
 * 653, 4000 683; single 366, 1041, 1345, 2000 1608, 4000 1817. Model 3 there, and in brackets
 * before its flow went by diagonals (tile.h): double 1500 658 (502), 2000 425 (390), 4000 525
 * (480); single 1002 (828), 1178 (935), 1214 (1050). By four weights of neighbours: 537, 396, 481;
 * 832, 1006, 1078.
 *
 * Shapes of `hold` that lost were measured when levels came with an exchange, and not ahead of it
 * (hold.h), and so were those that won: on the H200 double 500 259, 1000 612, 1500 812, single 330,
 * 773, 1175, 2000 1694, on the H100 double 500 236, 1000 585, 1500 790, single 320, 769, 1141.
 *
 * Lost, on the H200: (C, LX, R, groups, K) at double 500 FOR_ONE 246, RIMS 226, FOR_ONE 218, of 2
 * 32 4 17 5 200; at 1000 RIMS 4 32 8 12 5 581, FOR_ONE 593, RIMS 4 32 8 11 4 547; at 1500 FOR_ALL
 * 720; Model 3 at 1500 463 (478). Single: FOR_ONE at 500 308, at 1000 719; at 2000 FOR_ALL 1635; at
 * 1000 4 32 6 15 4 788 and Model 1 755 (778), Models 3 and 4 585 and 652, where 4 32 4 22 4 has 467
 * and 622; 4 32 8 11 4 737.
 *
 * Lost, on the H100: at double 1000 RIMS 4 32 8 12 5 563, 4 32 8 11 4 541, Models 1, 3 and 4 549,
 * 402, 467, and with FOR_ONE 543, 522, 353, 465; the same, FOR_ONE, the boundary in the tile 555;
 * RIMS 4 32 6 15 4 477; at 1500 RIMS 4 32 14 12 3 745, with FOR_ALL 742; flow at 4000 2 32 16 16 6
 * 636, 2 32 16 8 6 670. Single, Model 2: FOR_ONE at 500 303, at 1000 714; 4 32 6 15 4 725.
 *
 * Lost, on the H200, by letters: at double 500 2 32 4 17 5 215, 2 32 2 30 4 183, 4 16 2 30 4 202, 4
 * 16 4 16 4 194, 2 32 6 11 4 175, 2 32 8 8 4 164, 2 32 4 14 2 167; at 1000 4 32 8 11 3 462, 4 32 4
 * 22 4 503, 4 32 10 10 5 430; at 1500 4 32 14 12 2 596, 4 32 12 14 3 588, 4 32 8 21 3 521, 4 32 16
 * 11 3 506. Single: at 500 4 16 4 16 4 234, 4 16 4 18 5 243, 2 32 2 30 4 245; at 1000 4 32 8 11 4
 * 637; at 1500 4 32 14 12 3 971, 4 32 8 21 3 963; at 2000 8 32 14 12 with K = 4 1180, 6 1168, 3
 * 1087, 8 32 12 14 4 975. The boundary in the tile: single 2000 1189. Around it where it is in now:
 * double 500 207, single 500 293, 1000 651, 1500 777 in patches of 8 columns.
 *
 * Passes at double 4000 with K = 4 648, 5 650, 8 636, with patches 4 columns wide, 12 rows 578, 8
 * rows and K = 8 631; at single 4000 with K = 10 1503, 6 1265, with 8 columns 1223 at most. Passes
 * where they flow now: double 2000 509, 3000 602, 4000 669, launched early 673; single 3000 1122,
 * 4000 1559, 6000 1826. Flow where passes are: 16000 772, single 2037. Flow of other shapes: double
 * at 2000 2 32 16 16 6 624, with K = 4 384, 2 32 16 8 4 522, 4 32 8 16 6 522, with K = 4 202, 4 32
 * 8 8 4 421; at 4000 4 32 8 16 6 653; single at 4000 4 32 16 8 8 1668, 4 32 16 16 6 1614, 8 32 8 16
 * 8 1349. With 2.7 tiles a block or fewer flow waits: double 1750 218, 1500 7 to 12; single 2500
 * 457.
 */
#include "bills.h"
#include "pass.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace OURS
{

struct limit;

/* A kernel's shape, and how it runs. */
struct way {
    void (*set_tiles)(const struct way *w, struct limit *l);
    enum status (*run)(struct limit *l);
    int steps, width, height; /* of an exchange or a pass; of a tile with its halo */
    unsigned fewest, most;    /* tiles for a block, if there are no fewer blocks for it; 0: any */
    unsigned (*at_once)(void);
    void (*launch)(const struct limit *l, const struct slab *of);
    void (*make_bills)(struct job *job, struct memory *memory); /* of `hold`, else null */
};

struct place { /* of a level in the run */
    size_t record;
    int phase;
};

enum { MOST_LEVELS = 2048 /* of a launch of `hold` */ };

/* What a rank has for each of its cuts, in memory that its neighbour writes. Two halos follow, by
 * turns. */
struct mail {
    alignas(128) int ready;
    alignas(128) unsigned tally; /* its own */
};

struct limit {
    struct gpu gpu; /* the first, for gpu_load() and gpu_fetch() */
    const struct way *way;
    int own, ranks; /* 0 of 1, but for GPU-limit-ranks */
    unsigned blocks;
    unsigned *done; /* device [tiles], of `flow`, and how many passes each has done */
    unsigned passes_done;
    struct slab job;
    struct level *levels;       /* page-locked [MOST_LEVELS] */
    struct level *levels_there; /* device, the same */
    struct place from, to;      /* of the levels that are there, and of the first one after them */
    bool stepped;               /* since load: halos are no more those of the field */
    /* What is across the cuts below and above: what comes from there, and goes there; or null. */
    struct {
        struct mail *in, *out;
    } beside[2];
};

template <class F, int MODEL> static unsigned holds_at_once(void)
{
    ALLOW_SHARED((hold<F, MODEL>), sizeof(holding<F>));
    return KNOWS_PARCELS ? min(BLOCKS_TOGETHER((hold<F, MODEL>), F::THREADS, sizeof(holding<F>)),
                               MULTIPROCESSORS)
                         : 0;
}

template <class F, int MODEL> static void launch_hold(const struct limit *l, const struct slab *of)
{
    const job &all = *of;
    LAUNCH_TOGETHER((hold<F, MODEL>), l->blocks, F::THREADS, sizeof(holding<F>))(all);
}

template <class F, int MODEL> static unsigned flows_at_once(void)
{
    ALLOW_SHARED((flow<F, MODEL>), sizeof(passing<F>));
    return BLOCKS_TOGETHER((flow<F, MODEL>), F::THREADS, sizeof(passing<F>));
}

static int passes_of(const struct limit *l)
{
    return ((l->job.end + 1) / 2 - 1) / l->way->steps + 1;
}

template <class F, int MODEL> static void launch_flow(const struct limit *l, const struct slab *of)
{
    struct current all;
    (job &)all = *of;
    all.passes = passes_of(l);
    all.steps = (of->end + 1) / 2;
    all.base = l->passes_done;
    all.done = l->done;
    all.u[0] = (real *)of->from;
    all.u[1] = of->to;
    LAUNCH_TOGETHER((flow<F, MODEL>), l->blocks, F::THREADS, sizeof(passing<F>))(all);
}

template <class F, int MODEL, class JOB> static unsigned passes_at_once(void)
{
    ALLOW_SHARED((pass<F, MODEL, JOB>), sizeof(passing<F>));
    return BLOCKS_AT_ONCE((pass<F, MODEL, JOB>), F::THREADS, sizeof(passing<F>));
}

template <class F, int MODEL, class JOB>
static void launch_pass(const struct limit *l, const struct slab *of)
{
    const JOB &job = *of;
    if (JOB::SLAB)
        LAUNCH_EARLY((pass<F, MODEL, JOB>), l->blocks, F::THREADS, sizeof(passing<F>))(job);
    else
        LAUNCH((pass<F, MODEL, JOB>), l->blocks, F::THREADS, sizeof(passing<F>))(job);
}

static void set_even_tiles(const struct way *w, struct limit *l);
[[maybe_unused]] static void set_rim_tiles(const struct way *w, struct limit *l);
static void set_flow_tiles(const struct way *w, struct limit *l);
static void set_slab_tiles(const struct way *w, struct limit *l);
static enum status run_hold(struct limit *l);
static enum status run_flow(struct limit *l);
static enum status run_passes(struct limit *l);

#define SIZES(...)         __VA_ARGS__::K, __VA_ARGS__::WIDTH, __VA_ARGS__::HEIGHT
#define SUITED(model, ...) suited<shape<__VA_ARGS__>, model>
#define HOLDING(set, model, ...)                                                                   \
    {                                                                                              \
        set, run_hold, SIZES(shape<__VA_ARGS__>), 0, 1,                                            \
            holds_at_once<SUITED(model, __VA_ARGS__), model>,                                      \
            launch_hold<SUITED(model, __VA_ARGS__), model>, make_bills<SUITED(model, __VA_ARGS__)> \
    }
#define HOLD(model, wait, ...) HOLDING(set_even_tiles, model, __VA_ARGS__, wait)
#define RIMS(model, wait, ...) HOLDING(set_rim_tiles, model, __VA_ARGS__, wait, true)
#define FLOW(model, fewest, most, ...)                                                             \
    {                                                                                              \
        set_flow_tiles, run_flow, SIZES(shape<__VA_ARGS__>), fewest, most,                         \
            flows_at_once<SUITED(model, __VA_ARGS__), model>,                                      \
            launch_flow<SUITED(model, __VA_ARGS__), model>, NULL                                   \
    }
#define PASS(model, job, most, ...)                                                                \
    {                                                                                              \
        job::SLAB ? set_slab_tiles : set_even_tiles, run_passes, SIZES(shape<__VA_ARGS__>), 0,     \
            most, passes_at_once<SUITED(model, __VA_ARGS__), model, job>,                          \
            launch_pass<SUITED(model, __VA_ARGS__), model, job>, NULL                              \
    }

/* C, LX, R, groups, K; before them the fewest and the most tiles a block, where what counts is how
 * evenly few are shared out, and that flow has older ones to wait for. The first one that has room
 * for the grid, an even one where it is RIMS, or that fits on the device and goes over it. */
#if REAL_IS_DOUBLE
#define PASSES(model, job)                                                                         \
    PASS(model, job, 0, 2, 32, 16, 16, 6), PASS(model, job, 0, 2, 32, 16, 4, 6)
#define WAYS(model)                                                                                \
    HOLD(model, FOR_ALL, 2, 32, 4, 15, 4), HOLD(model, FOR_ALL, 4, 32, 8, 11, 4),                  \
        HOLD(model, FOR_ONE, 4, 32, 14, 12, 3), FLOW(model, 4, 40, 2, 32, 16, 16, 5),              \
        FLOW(model, 3, 15, 2, 32, 16, 8, 6), PASS(model, job, 3, 2, 32, 16, 16, 4),                \
        PASSES(model, job)
#else
#define PASSES(model, job)                                                                         \
    PASS(model, job, 0, 4, 32, 16, 16, 8), PASS(model, job, 0, 4, 32, 16, 4, 8)
/* The last two models have more to keep than 704 threads have registers for. */
#define ROWS_OF(model)   ((model) < 3 ? 4 : 6)
#define GROUPS_OF(model) ((model) < 3 ? 22 : 15)
#define WAYS(model)                                                                                \
    HOLD(model, FOR_ALL, 2, 32, 4, 16, 4),                                                         \
        HOLD(model, FOR_ALL, 4, 32, ROWS_OF(model), GROUPS_OF(model), 4),                          \
        HOLD(model, FOR_ONE, 4, 32, 6, 28, 3), RIMS(model, FOR_ONE, 8, 32, 14, 12, 5),             \
        HOLD(model, FOR_ONE, 8, 32, 14, 12, 5), FLOW(model, 3, 20, 4, 32, 16, 16, 8),              \
        PASSES(model, job)
#endif
static const struct way ways[][8] = {{WAYS(1)}, {WAYS(2)}, {WAYS(3)}, {WAYS(4)}};
enum { WAYS = sizeof ways[0] / sizeof *ways[0] };

/* Of n + 2 points along an axis, in tiles of `most` at most: an even number of points. */
static int tile_size(size_t n, int most)
{
    const int points = (int)n + 2, tiles = (points - 1) / most + 1;
    return ((points - 1) / tiles + 2) / 2 * 2;
}

static int tiles_of(size_t n, int size)
{
    return ((int)n + 1) / size + 1;
}

/* The halo of a pass of so many steps. */
static int halo_of(int steps)
{
    return (2 * steps + EACH - 1) / EACH * EACH;
}

/* Of each rank an even number of rows, but perhaps of the last one; none has a pair more than
 * another and one more. */
static size_t first_row(size_t n, int own, int ranks)
{
    return min((n + 3) / 2 * (size_t)own / (size_t)ranks * 2, n + 2);
}

/* Whether every rank of several has what its neighbours' halos need. */
static bool rows_suffice(size_t n, int ranks, int halo)
{
    bool all = true;
    for (int k = 0; k < ranks && ranks > 1; k++)
        all = all && first_row(n, k + 1, ranks) - first_row(n, k, ranks) >= (size_t)halo;
    return all;
}

static void set_rows(struct limit *l)
{
    const size_t n = l->gpu.in->n, halo = (size_t)l->job.halo;
    struct rows *const here = &l->gpu.here;
    here->first = first_row(n, l->own, l->ranks);
    here->end = first_row(n, l->own + 1, l->ranks);
    here->low = here->first < halo ? 0 : here->first - halo;
    here->high = min(here->end + halo, n + 2);
    l->job.rows = {(int)here->first, (int)(here->end - here->first) - 2};
}

/* Of a slab's rows of tiles the last one gets what the others, which are as high as can be, leave
 * it; of two both may be at cuts, where a halo's rows are wanted. */
static void set_rows_of_tiles(struct limit *l, int most)
{
    struct slab *const out = &l->job;
    const int rows = tiles_of(out->rows.n, most), cuts = (l->own > 0) + (l->own + 1 < l->ranks);
    out->height = rows > 2 ? most : out->height;
    out->upper = l->own + 1 < l->ranks ? rows - 1 : -1;
    out->hurried = out->tiles_x * min(rows, cuts);
}

/* Of tiles along one axis that end at the boundary: the even size of all but two; 0: it cannot be.
 * No patch has points of both strips of a tile. */
static int rim_size(int n, int most, int halo, int *tiles)
{
    const int left = n - 2 * (most - halo), size = most - 2 * halo;
    const int middle = (left + size - 1) / size;
    const int least = (2 * halo + WIDEST_RIM - 1) / WIDEST_RIM * WIDEST_RIM;
    *tiles = 2 + middle;
    if (n % 2 != 0 || left <= 0)
        return 0;
    const int even = ((left + middle - 1) / middle + 1) / 2 * 2;
    return left - (middle - 1) * even < least ? 0 : even;
}

/* Tiles that end at the boundary, in single precision. More than any device has blocks: it cannot
 * be. */
static void set_rim_tiles(const struct way *w, struct limit *l)
{
    struct slab *const out = &l->job;
    const int n = (int)l->gpu.in->n;
    int rows = 0;
    out->n = n;
    out->halo = 2 * w->steps;
    set_rows(l);
    out->width = rim_size(n, w->width, out->halo, &out->tiles_x);
    out->height = rim_size(n, w->height, out->halo, &rows);
    out->tiles = out->width == 0 || out->height == 0 ? INT_MAX : out->tiles_x * rows;
}

/* Tiles are alike, so that no block has more to do than the others; those of a pass begin at
 * multiples of 16 bytes. */
static void set_even_tiles(const struct way *w, struct limit *l)
{
    const size_t n = l->gpu.in->n;
    struct slab *const out = &l->job;
    const bool stays = w->make_bills != NULL;
    const int halo = stays ? 2 * w->steps : halo_of(w->steps), unit = stays ? 2 : EACH;
    const int width = (w->width - 2 * halo) / unit * unit;
    out->n = (int)n;
    out->halo = halo;
    out->more = 0; /* which one that was looked at before may have set */
    set_rows(l);
    out->width = (tile_size(n, width) + unit - 1) / unit * unit;
    out->height = tile_size(out->rows.n, w->height - 2 * halo);
    out->tiles_x = tiles_of(n, out->width);
    out->tiles = out->tiles_x * tiles_of(out->rows.n, out->height);
}

/* The westernmost tiles have no halo beyond the boundary, but so many more columns. */
static void set_flow_tiles(const struct way *w, struct limit *l)
{
    struct slab *const out = &l->job;
    set_even_tiles(w, l);
    if (out->n <= 2 * w->width)
        return;
    const size_t n = (size_t)(out->n - out->halo);
    const int width = (w->width - 2 * out->halo) / EACH * EACH;
    const int rows = out->tiles / out->tiles_x;
    out->more = out->halo;
    out->width = (tile_size(n, width) + EACH - 1) / EACH * EACH;
    out->tiles_x = tiles_of(n, out->width);
    out->tiles = out->tiles_x * rows;
}

static void set_slab_tiles(const struct way *w, struct limit *l)
{
    set_even_tiles(w, l);
    set_rows_of_tiles(l, w->height - 2 * l->job.halo);
}

/* Blocks of `flow`: what a tile waits for has to be older than what its block has not yet said. */
static unsigned blocks_of_flow(const struct job *a)
{
    return (unsigned)max(0, (a->tiles - a->tiles_x - 2) / 2);
}

static void choose(const struct way *from, int count, struct limit *l)
{
    for (int k = 0; k < count && l->way == NULL; k++) {
        const struct way *const w = &from[k];
        const unsigned at_once = w->at_once != NULL ? w->at_once() : 0;
        if (at_once == 0)
            continue;
        w->set_tiles(w, l);
        const unsigned tiles = (unsigned)l->job.tiles;
        l->blocks = min(tiles, at_once);
        if (w->run == run_flow)
            l->blocks = min(l->blocks, blocks_of_flow(&l->job));
        if (l->blocks > 0 && tiles >= w->fewest * at_once &&
            (w->most == 0 || tiles <= w->most * at_once))
            l->way = w;
    }
}

static bool same_coefficients(const stencil *a, const stencil *b)
{
    return a->alpha == b->alpha && a->ke == b->ke && a->kE == b->kE && a->kW == b->kW &&
           a->kN == b->kN && a->kS == b->kS && a->k3 == b->k3;
}

/* Levels from `from` on, as long as colours take turns and coefficients stay; up to a snapshot.
 */
static void set_levels(struct limit *l, struct place from)
{
    const struct parabolic *const p = l->gpu.in;
    const size_t records = parabolic_records(p);
    bool known[2] = {false, false};
    step s;
    P(parabolic_step)(p, from.record, &s);
    l->from = l->to = from;
    l->job.begin = l->job.end = s.colour[from.phase];
    l->job.s[RED] = s.s[RED];
    l->job.s[BLACK] = s.s[BLACK];
    while (l->job.end < MOST_LEVELS) {
        const stencil *const c = &s.stencil[l->to.phase];
        const int colour = s.colour[l->to.phase];
        stencil *const have = &l->job.c[colour];
        if (colour != l->job.end % 2 || (known[colour] && !same_coefficients(have, c)))
            break;
        if (!known[colour])
            *have = *c;
        known[colour] = true;
        struct level *const at = &l->levels[l->job.end++];
        *at = {s.s[colour], c->f0, c->fx, c->fy, c->fxy};
        if (++l->to.phase == s.phases) {
            l->to = {l->to.record + 1, 0};
            if (l->to.record == records || l->to.record == p->snapshot)
                break;
            P(parabolic_step)(p, l->to.record, &s);
            at->after = s.s[colour];
        }
    }
    for (int colour = 0; colour < 2; colour++)
        l->job.c[colour].h = (real)(1 / (double)(p->n + 1));
}

static enum status put_levels(struct limit *l, struct place from)
{
    set_levels(l, from);
    return device_put(l->levels_there, l->levels, (size_t)l->job.end * sizeof *l->levels);
}

static void take_half_sine(struct limit *l, const struct parabolic *p)
{
    const size_t last = p->n + 1, count = 2 * last + 1;
    struct memory *const memory = &l->gpu.memory;
    real *const all = (real *)calloc(count, sizeof *all), *there = NULL;
    if (all == NULL) {
        memory->status = ERR_MEMORY;
        return;
    }
    for (size_t k = 0; k < count; k++)
        all[k] = (real)(sin(p->a * ((double)k / (double)last)) / 2);
    take_copy(memory, &there, all, count);
    l->job.half_sine = there;
    free(all);
}

static void take_all(struct limit *l, const struct parabolic *p)
{
    struct gpu *const g = &l->gpu;
    const size_t values = field_values(g);
    take_locked(&g->memory, &g->host, values);
    for (int k = 0; k < 2; k++)
        take_device(&g->memory, &g->u[k], values);
    if (p->snapshot > 0)
        take_device(&g->memory, &g->kept, values);
    upload_lines(g);
    take_locked(&g->memory, &l->levels, MOST_LEVELS);
    take_device(&g->memory, &l->levels_there, MOST_LEVELS);
    const size_t tiles = (size_t)l->job.tiles;
    if (FUSED && p->model == 3)
        take_half_sine(l, p);
    if (l->way->make_bills != NULL)
        l->way->make_bills(&l->job, &g->memory);
    if (l->way->run == run_flow) {
        unsigned *const none = (unsigned *)calloc(tiles, sizeof *none);
        if (none != NULL)
            take_copy(&g->memory, &l->done, none, tiles);
        else
            g->memory.status = ERR_MEMORY;
        free(none);
    }
}

static enum status make(const struct parabolic *p, const struct way *from, int count, int own,
                        int ranks, void **state)
{
    if (p->scheme == JACOBI)
        return because(SKIPPED, "jacobi needs a second array; CPU and GPU have one");
    const int halo = halo_of(from->steps); /* of several ranks, that of all ways */
    if (!rows_suffice(p->n, ranks, halo))
        return because(SKIPPED,
                       "%d ranks share %zu rows, and each needs %d, the halo of a pass; choose a "
                       "larger N, or fewer ranks",
                       ranks, p->n + 2, halo);
    struct limit *const l = (struct limit *)owner_new(sizeof *l);
    if (l == NULL)
        return ERR_MEMORY;
    struct gpu *const g = &l->gpu;
    g->in = p;
    g->layout = layout_of(p->n, false);
    l->own = own;
    l->ranks = ranks;
    choose(from, count, l);
    if (l->way == NULL)
        return planned(l,
                       because(SKIPPED, "no block of GPU-limit fits on this device: it has too "
                                        "little shared memory"),
                       state);
    take_all(l, p);
    l->job.pitch = (int)g->layout.pitch;
    l->job.levels = l->levels_there;
    l->job.frame = g->frame;
    l->job.sine = g->sine;
    l->job.cosine = g->cosine;
    return planned(l, g->memory.status, state);
}

static enum status plan(const struct instance *in, void **state)
{
    const struct parabolic *const p = (const struct parabolic *)in->data;
    return make(p, ways[p->model - 1], WAYS, 0, 1, state);
}

/* Where the boundary is and what the source, is data: for all steps, or so many as have room.
 */
static enum status load(void *state)
{
    struct limit *const l = (struct limit *)state;
    const enum status status = put_levels(l, {0, 0});
    l->stepped = false;
    return status == OK ? gpu_load(state) : status;
}

static size_t halo_values(const struct limit *l)
{
    return (size_t)l->job.halo * l->gpu.layout.pitch;
}

/* Where a halo's row 0 would be, whose first row is this one. */
static real *halo_in(const struct limit *l, struct mail *m, int pass, size_t row)
{
    return (real *)(m + 1) + (size_t)(pass % 2) * halo_values(l) -
           (ptrdiff_t)(row * l->gpu.layout.pitch);
}

/* Nothing is across a cut that is not there. The first halos since load are those of the field. */
static void set_places(const struct limit *l, struct slab *job)
{
    const struct rows *const here = &l->gpu.here;
    const size_t halo = (size_t)job->halo, pitch = l->gpu.layout.pitch;
    const int n = job->n, first = (int)here->first, end = (int)here->end;
    const real *const from = job->from - (ptrdiff_t)(here->low * pitch);
    job->come[slab::BELOW] = {from, (int)here->low, first - 1};
    job->come[slab::OWN] = {from, first, end - 1};
    job->come[slab::ABOVE] = {from, end, (int)here->high - 1};
    job->go[slab::OWN] = {job->to - (ptrdiff_t)(here->low * pitch), max(first, 1), min(end - 1, n),
                          1, n};
    for (int side = SOUTH; side <= NORTH; side++) {
        struct mail *const in = l->beside[side].in, *const out = l->beside[side].out;
        const int place = side == SOUTH ? slab::BELOW : slab::ABOVE;
        const size_t theirs = side == SOUTH ? here->first - halo : here->end;
        const size_t own = side == SOUTH ? here->first : here->end - halo;
        job->go[place] = {job->go[slab::OWN].to, 0, -1, 0, -1};
        if (in == NULL)
            continue;
        if (l->stepped)
            job->come[place].from = halo_in(l, in, job->pass, theirs);
        job->go[place] = {halo_in(l, out, job->pass + 1, own), (int)own, (int)(own + halo) - 1, 0,
                          n + 1};
        job->beside[side] = {&in->ready, &out->ready};
    }
}

static enum status launch(struct limit *l, const struct slab *of)
{
    struct gpu *const g = &l->gpu;
    struct slab job = *of;
    job.from = g->u[g->now];
    job.to = g->u[1 - g->now];
    job.pass = l->job.pass++;
    set_places(l, &job);
    g->now = 1 - g->now;
    l->stepped = true;
    l->way->launch(l, &job);
    return device_launched("GPU-limit");
}

static enum status run_hold(struct limit *l)
{
    const int levels = 2 * l->way->steps, exchanges = (l->job.end - 1) / levels;
    const enum status status = launch(l, &l->job);
    l->job.number += (unsigned)exchanges;
    return status;
}

static enum status run_flow(struct limit *l)
{
    const int passes = passes_of(l), now = l->gpu.now;
    const enum status status = launch(l, &l->job);
    l->passes_done += (unsigned)passes;
    l->gpu.now = (now + passes) % 2;
    return status;
}

/* As few passes as will do, of as many steps each: the last one is not the slowest. */
static enum status run_passes(struct limit *l)
{
    const int steps = (l->job.end + 1) / 2, passes = (steps - 1) / l->way->steps + 1;
    struct slab job = l->job;
    enum status status = OK;
    for (int k = 0; k < passes && status == OK; k++) {
        const int first = 2 * (steps * k / passes), next = 2 * (steps * (k + 1) / passes);
        job.levels = l->levels_there + first;
        job.begin = k == 0 ? l->job.begin : 0;
        job.end = (next < l->job.end ? next : l->job.end) - first;
        for (int colour = 0; colour < 2 && k > 0; colour++)
            job.s[colour] = l->levels[first - 2 + colour].after;
        status = launch(l, &job);
    }
    return status;
}

static enum status run(void *state, struct laps *laps)
{
    struct limit *const l = (struct limit *)state;
    const struct parabolic *const p = l->gpu.in;
    enum status status = OK;
    for (struct place at = {0, 0}; status == OK && at.record < parabolic_records(p); at = l->to) {
        if (l->from.record != at.record || l->from.phase != at.phase)
            status = put_levels(l, at);
        if (status == OK)
            status = l->way->run(l);
        if (status == OK && l->to.phase == 0)
            status = keep_snapshot(&l->gpu, l->to.record - 1);
    }
    lap(laps, "loop");
    return status;
}

} // namespace OURS
