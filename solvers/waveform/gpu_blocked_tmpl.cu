/*
 * GPU-BLOCKED: what a GPU can do where a component has few neighbours: several sweeps in one pass
 * over the points in time, so that memory is met once for all of them (blocked.h). Each sweep has
 * its correction, and the device decides when they end, as the host does: the passes that the host
 * asked for beyond that do nothing, and one that carried too many sweeps is made again with fewer.
 *
 * On an H200, a line in double, 50 points in time, us: ten sweeps of Jacobi's over 2^15 components
 * 32.6, 2^17 57.3, 2^20 304 (gpu-fused 147, 395, 2546); 18 of Picard's 59, 113 and 588 (234, 684,
 * 4538); a plane of 2^16, to convergence, 489 and 1111.
 *
 * Lost: who decides within a pass, at its end, 35, 63, 303 and 60, 114, 591; no pass beginning
 * before the one before it ends 34, 60, 307; windows of 5 values a lane for few components 35; 12
 * warps together 34, 63, 351; ten of Picard's sweeps in a pass -, 127, 701. In a plane, of
 * Jacobi's: 12 warps 627, 16 warps with 3 sweeps 823, 8 warps with 6 rows 675.
 *
 * GPU-BLOCKED-RANKS has a slab of the line on each of several cards; behind a pass a kernel sends
 * to the others and waits for theirs, and nothing else is different: not a bit of an answer is.
 */
#include "blocked.h"

#include <math.h>
#include <string.h>

#include "../common/kernels.h"
#include "machine/ranks.h"
#include "rounded.h"
#include "turn.h"

using namespace BLOCKED;

/* The most sweeps of a pass, and the shapes. In a line: values of a lane, and warps of a block;
 * FEW for few components, whose windows have a scheduler each, where a window's own time is all;
 * SOME while all windows are on the device at once; and where components do not fill a window. In a
 * plane: columns and rows of a lane, and warps. LAGGED: of a method with more to remember. */
enum {
    LINE_SWEEPS_JACOBI = 10,
    LINE_SWEEPS_PICARD = 9,
    LINE_TOGETHER = 8,         /* warps of a multiprocessor, in double */
    LINE_TOGETHER_PICARD = 12, /* where values are most */
    LINE_VALUES = 6,
    LINE_WARPS = 2,
    LINE_VALUES_SOME = 5,
    LINE_WARPS_SOME = 4,
    LINE_VALUES_FEW = 3,
    LINE_WARPS_FEW = 1,
    LINE_VALUES_LAGGED = 4,
    LINE_WARPS_LAGGED = 2,
    LINE_SWEEPS_LAGGED = 4,
    PLANE_SWEEPS = 4,
    PLANE_COLUMNS = 2,
    PLANE_ROWS = 4,
    PLANE_WARPS = 8,
    PLANE_SWEEPS_LAGGED = 2,
    PLANE_WARPS_LAGGED = 8, /* also where shared memory is scarce */
    SCHEDULERS = 4,         /* of a multiprocessor */
    PASSES = 2,             /* between two looks of the host */
    SETTLING = 640,         /* threads between passes of several ranks: a halo of 12 by 50 */
    GRAIN = LINE_VALUES_LAGGED
};

struct way {
    int sweeps;
    long columns, rows; /* components of a window's own; rows: 1 in a line */
    int windows;        /* of a block */
    long halo;          /* of several ranks: what a pass needs of the neighbours */
    unsigned (*at_once)(void);
    enum status (*launch)(const struct slab &c, dim3 grid, bool first);
};

struct runner {
    const struct way *way;
    dim3 grid;
    struct slab carry; /* of one card no more than its struct carry */
};

struct blocked {
    struct memory memory;
    const struct waveform *in;
    struct post post; /* of one card no more than that this is 0 of 1 */
    long before;      /* components before those that are here */
    struct progress progress;
    struct runner quick, careful; /* careful: all operations of the plain algorithm */
    bool wild;                    /* the start is, anywhere */
    struct course begin;
    real *row;             /* host, [d] */
    struct report *report; /* page-locked */
    double *errors;        /* page-locked, [nmax] */
};

/* --- ways --- */

template <class L, class JOB> static unsigned line_at_once(void)
{
    return BLOCKS_AT_ONCE((carry_line<L, JOB>), L::threads, 0);
}

template <class First, class Later, class JOB>
static enum status launch_line(const struct slab &c, dim3 grid, bool first)
{
    const JOB &job = c;
    if (first)
        LAUNCH_EARLY((carry_line<First, JOB>), grid, First::threads, 0)(job);
    else
        LAUNCH_EARLY((carry_line<Later, JOB>), grid, Later::threads, 0)(job);
    return device_launched("carry_line");
}

template <class S> static unsigned plane_at_once(void)
{
    ALLOW_SHARED(carry_plane<S>, S::bytes);
    return BLOCKS_AT_ONCE(carry_plane<S>, S::threads, S::bytes);
}

template <class S> static enum status launch_plane(const struct slab &c, dim3 grid, bool first)
{
    const struct carry &job = c;
    (void)first;
    LAUNCH_EARLY(carry_plane<S>, grid, S::threads, S::bytes)(job);
    return device_launched("carry_plane");
}

template <class First, class Later, class JOB> static const struct way *way_of_line(void)
{
    static const struct way way = {Later::K,
                                   Later::own,
                                   1,
                                   Later::WARPS,
                                   Later::halo,
                                   line_at_once<Later, JOB>,
                                   launch_line<First, Later, JOB>};
    return &way;
}

template <class S> static const struct way *way_of_plane(void)
{
    static const struct way way = {S::K, S::own_columns,   S::own_rows,    1,
                                   0,    plane_at_once<S>, launch_plane<S>};
    return &way;
}

template <class M, class JOB, int values, int warps> static const struct way *inner_line(void)
{
    enum {
        sweeps = M::picard ? LINE_SWEEPS_PICARD : LINE_SWEEPS_JACOBI,
        most = (int)values == LINE_VALUES && M::picard,
        together = most ? LINE_TOGETHER_PICARD : LINE_TOGETHER
    };
    return way_of_line<line<M, sweeps, values, warps, together, true, true>,
                       line<M, sweeps, values, warps, together, false, true>, JOB>();
}

template <class M, class JOB, int sweeps> static const struct way *any_line(void)
{
    using any = line<M, sweeps, LINE_VALUES_LAGGED, LINE_WARPS_LAGGED, LINE_TOGETHER, false, false>;
    return way_of_line<any, any, JOB>();
}

/* d: of several ranks the components of one that has least. */
template <class M, class JOB> static const struct way *simple_line(long d)
{
    const struct way *const few = inner_line<M, JOB, LINE_VALUES_FEW, LINE_WARPS_FEW>();
    const struct way *const some = inner_line<M, JOB, LINE_VALUES_SOME, LINE_WARPS_SOME>();
    if (d < 32 * LINE_VALUES)
        return any_line<M, JOB, LINE_SWEEPS_JACOBI>();
    if ((d - 1) / few->columns < SCHEDULERS * (long)MULTIPROCESSORS)
        return few;
    if ((d - 1) / some->columns < some->windows * (long)some->at_once())
        return some;
    return inner_line<M, JOB, LINE_VALUES, LINE_WARPS>();
}

/* The smaller one where the other does not fit on the device; null: neither does. */
template <class M, int sweeps, int warps> static const struct way *plane_that_fits(void)
{
    const struct way *const way =
        way_of_plane<plane<M, sweeps, PLANE_COLUMNS, PLANE_ROWS, warps>>();
    const struct way *const less = way_of_plane<
        plane<M, PLANE_SWEEPS_LAGGED, PLANE_COLUMNS, PLANE_ROWS, PLANE_WARPS_LAGGED>>();
    return way->at_once() > 0 ? way : less->at_once() > 0 ? less : NULL;
}

/* All operations of the plain algorithm. */
template <int steps, int lags, class JOB> static const struct way *plain_way(bool in_plane)
{
    using M = method<steps, lags, false, false>;
    return in_plane ? plane_that_fits<M, PLANE_SWEEPS_LAGGED, PLANE_WARPS_LAGGED>()
                    : any_line<M, JOB, LINE_SWEEPS_LAGGED>();
}

template <class JOB> static const struct way *careful_way(bool in_plane, int steps, bool lags)
{
    if (steps == 1)
        return lags ? plain_way<1, 1, JOB>(in_plane) : plain_way<1, 0, JOB>(in_plane);
    return lags ? plain_way<2, 2, JOB>(in_plane) : plain_way<2, 0, JOB>(in_plane);
}

template <bool picard, class JOB> static const struct way *quick_way(bool in_plane, long d)
{
    using M = method<1, 0, true, picard>;
    return in_plane ? plane_that_fits<M, PLANE_SWEEPS, PLANE_WARPS>() : simple_line<M, JOB>(d);
}

/* --- the rule --- */

/* The one value of a band, or 0 where no component has such a neighbour. */
static real entry_of(const real *band, size_t d)
{
    for (size_t i = 0; i < d; i++)
        if (band[i] != 0)
            return band[i];
    return 0;
}

static struct rule rule_of(const struct P(rounded) * scheme, enum relaxation relaxation, size_t d,
                           bool folded)
{
    struct rule by = {scheme->q1[0], scheme->q2[0], scheme->w[0], {}, scheme->centre[0], {}};
    const double step = (double)scheme->w[0] * (double)scheme->b[0];
    const double unit = relaxation == PICARD ? 1 / (double)by.centre : step;
    for (int lag = 0; lag < 3; lag++)
        by.b[lag] = scheme->b[lag];
    for (int b = 0; b < scheme->bands; b++) {
        const real entry = entry_of(scheme->band[b], d);
        by.band[b] = folded ? (real)((double)entry * unit) : entry;
    }
    if (folded && relaxation == PICARD)
        by.w = (real)(step * (double)by.centre);
    return by;
}

/* --- the calls --- */

/* A correction up to which nothing in the plain algorithm leaves the range: a value is at most the
 * sum of the start and all corrections, 1e6 of them, F 12 of that, and h at most 1e12. */
static const double TAME = REAL_IS_DOUBLE ? 1e280 : 1e19;

/* Components before those of a rank. But for the last one each has a multiple of GRAIN. */
static long first_of(const struct blocked *g, int own)
{
    const long d = (long)g->in->d;
    return own < g->post.ranks ? d / GRAIN * own / g->post.ranks * GRAIN : d;
}

/* Of the rank that has least. */
static long least_of(const struct blocked *g)
{
    const long d = (long)g->in->d;
    return g->post.ranks > 1 ? d / GRAIN / g->post.ranks * GRAIN : d;
}

static void set_slab(struct blocked *g, long halo, struct slab *out)
{
    const long first = first_of(g, g->post.own), end = first_of(g, g->post.own + 1);
    g->before = first > 0 ? first - halo : 0;
    out->halo = halo;
    out->first = first - g->before;
    out->end = end - g->before;
    out->d = out->end + (g->post.own + 1 < g->post.ranks ? halo : 0);
    out->pitch = (out->d - 1) / TURN * TURN + TURN;
}

static void set_runner(const struct blocked *g, const struct P(rounded) * scheme,
                       enum relaxation relaxation, const struct way *way, bool folded,
                       struct runner *out)
{
    const struct waveform *const p = g->in;
    struct slab *const c = &out->carry;
    const bool plane = p->bands > 2;
    const long side = plane ? (long)p->offset[3] : c->end - c->first;
    const long windows = (side - 1) / way->columns + 1;
    out->way = way;
    out->grid = dim3((unsigned)((windows - 1) / way->windows + 1),
                     plane ? (unsigned)((side - 1) / way->rows + 1) : 1);
    c->points = (long)p->points;
    c->side = side;
    c->most = way->sweeps;
    c->begin = (int)(p->nmax < c->most ? p->nmax : c->most);
    c->rule = rule_of(scheme, relaxation, p->d, folded);
    c->report = g->report;
    c->wanted = {p->tol, p->nmax};
    c->tame = folded ? TAME : 0;
}

template <class JOB>
static enum status choose(struct blocked *g, enum relaxation relaxation,
                          const struct P(rounded) * scheme)
{
    const bool plane = g->in->bands > 2, lags = scheme->b[1] != 0 || scheme->b[2] != 0;
    const bool simple = scheme->steps == 1 && !lags;
    const long least = least_of(g);
    const struct way *const careful = careful_way<JOB>(plane, scheme->steps, lags);
    const struct way *const quick = !simple                ? careful
                                    : relaxation == PICARD ? quick_way<true, JOB>(plane, least)
                                                           : quick_way<false, JOB>(plane, least);
    if (careful == NULL || quick == NULL)
        return because(SKIPPED, "no block of the kernel for a plane fits on this device");
    const long halo = max(careful->halo, quick->halo);
    if (g->post.ranks > 1 && least < halo)
        return because(SKIPPED,
                       "%d ranks share %zu components, and each needs %ld, the halo of a pass; "
                       "choose a larger d, or fewer ranks",
                       g->post.ranks, g->in->d, halo);
    set_slab(g, halo, &g->careful.carry);
    set_slab(g, halo, &g->quick.carry);
    set_runner(g, scheme, relaxation, careful, false, &g->careful);
    set_runner(g, scheme, relaxation, quick, simple, &g->quick);
    return OK;
}

template <class JOB> static enum status allocate(struct blocked *g, enum relaxation relaxation)
{
    const struct waveform *const p = g->in;
    struct P(rounded) scheme;
    progress_make(p, relaxation, !REAL_IS_DOUBLE, &g->memory, &g->progress);
    P(rounded_make)(p, relaxation, &g->memory, &scheme);
    take_locked(&g->memory, &g->report, 1);
    take_locked(&g->memory, &g->errors, (size_t)p->nmax);
    if (g->memory.status != OK)
        return g->memory.status;
    const enum status status = choose<JOB>(g, relaxation, &scheme);
    if (status != OK)
        return status;
    struct carry *const c = &g->quick.carry;
    const size_t waveform = p->points * (size_t)c->pitch;
    g->row = (real *)take(&g->memory, (size_t)c->d * sizeof *g->row);
    take_device(&g->memory, &c->y[0], waveform);
    take_device(&g->memory, &c->y[1], waveform);
    take_device(&g->memory, &c->course, 1);
    for (int k = 0; k < 2; k++)
        g->careful.carry.y[k] = c->y[k];
    g->careful.carry.course = c->course;
    return g->memory.status;
}

/* What several ranks have beside; all of them come here. */
static enum status open_boxes(struct blocked *g, enum status status)
{
    const struct slab *const c = &g->quick.carry;
    void *boxes[MOST_RANKS];
    if (status == OK) {
        take_device(&g->memory, &g->post.number, 1);
        status = g->memory.status;
    }
    status = ranks_agree(status);
    if (status == OK)
        status = ranks_share(letters_of(*c, g->post.ranks) * sizeof(letter<real>), boxes);
    for (int k = 0; k < g->post.ranks && status == OK; k++)
        g->post.box[k] = (letter<real> *)boxes[k];
    return status;
}

template <class JOB>
static enum status make(const struct waveform *p, enum relaxation relaxation, int own, int ranks,
                        void **state)
{
    struct blocked *const g = (struct blocked *)owner_new(sizeof *g);
    if (g == NULL)
        return ERR_MEMORY;
    g->in = p;
    g->post.own = own;
    g->post.ranks = ranks;
    enum status status = allocate<JOB>(g, relaxation);
    if (ranks > 1)
        status = open_boxes(g, status);
    return planned(g, status, state);
}

template <enum relaxation relaxation>
static enum status plan(const struct instance *in, void **state)
{
    const struct waveform *const p = (const struct waveform *)in->data;
    const int code = in->at.problem->code;
    if (p->dense || (code != HEAT1D && code != HEAT2D))
        return because(SKIPPED, "sweeps are carried together where a component has a few "
                                "neighbours, as on heat1d and heat2d with storage=sparse");
    return make<carry>(p, relaxation, 0, 1, state);
}

template <enum relaxation relaxation>
static enum status plan_ranks(const struct instance *in, void **state)
{
    const struct waveform *const p = (const struct waveform *)in->data;
    if (p->dense || in->at.problem->code != HEAT1D)
        return because(SKIPPED, "ranks share a line of components, as on heat1d with "
                                "storage=sparse");
    return ranks_count() > 1 ? make<slab>(p, relaxation, ranks_own(), ranks_count(), state)
                             : make<carry>(p, relaxation, 0, 1, state);
}

static bool starts_wild(const struct waveform *p, size_t firsts)
{
    bool wild = false;
    for (size_t n = 0; n < firsts; n++)
        for (size_t i = 0; i < p->d; i++)
            wild = wild || !(fabs((double)(real)waveform_first(p, i, n)) <= TAME);
    return wild;
}

/* The points that are never iterated, and nothing else. */
static enum status load(void *state)
{
    struct blocked *const g = (struct blocked *)state;
    const struct waveform *const p = g->in;
    const struct carry *const c = &g->quick.carry;
    const size_t firsts = p->y1 != NULL ? 2 : 1, d = (size_t)c->d;
    enum status status = OK;
    g->wild = starts_wild(p, firsts);
    for (size_t n = 0; n < firsts; n++) {
        for (size_t i = 0; i < d; i++)
            g->row[i] = (real)waveform_first(p, (size_t)g->before + i, n);
        for (int k = 0; k < 2 && status == OK; k++)
            status = device_put(c->y[k] + n * (size_t)c->pitch, g->row, d * sizeof *g->row);
    }
    progress_begin(&g->progress);
    g->begin = {};
    g->begin.progress = g->progress;
    g->begin.progress.err = g->errors;
    g->begin.from = -1;
    g->begin.sweeps = (g->wild ? g->careful : g->quick).carry.begin;
    *g->report = {};
    if (status == OK)
        status = device_put(c->course, &g->begin, sizeof g->begin);
    return status == OK ? device_sync() : status;
}

static enum status end_pass(const struct blocked *g, const struct runner *by)
{
    if (g->post.ranks > 1) {
        LAUNCH_EARLY(settle, 1, SETTLING, 0)(by->carry, g->post);
        return device_launched("settle");
    }
    const struct carry &job = by->carry;
    LAUNCH_NB_EARLY(conclude, 1, 1)(job);
    return device_launched("conclude");
}

/* The first pass is the only one where it has all iterations that there may be. */
static enum status run_passes(const struct blocked *g, const struct runner *by)
{
    const int passes = by->carry.begin < g->in->nmax ? (int)PASSES : 1;
    enum status status = OK;
    for (bool first = true; status == OK && g->report->outcome == 0;) {
        for (int k = 0; k < passes && status == OK; k++, first = false) {
            status = by->way->launch(by->carry, by->grid, first);
            if (status == OK)
                status = end_pass(g, by);
        }
        if (status == OK)
            status = device_sync();
    }
    return status;
}

/* Once more, where it went wild. */
static enum status run_carefully(struct blocked *g)
{
    *g->report = {};
    g->begin.sweeps = g->careful.carry.begin;
    const enum status status = device_put(g->careful.carry.course, &g->begin, sizeof g->begin);
    return status == OK ? run_passes(g, &g->careful) : status;
}

static enum status run(void *state, struct laps *laps)
{
    struct blocked *const g = (struct blocked *)state;
    enum status status = run_passes(g, g->wild ? &g->careful : &g->quick);
    if (status == OK && g->report->outcome == WILD)
        status = run_carefully(g);
    const long count = status == OK ? g->report->iterations : 0;
    bool on = count > 0;
    for (long v = 0; v < count && on; v++)
        on = progress_goes_on(g->in, &g->progress, g->errors[v]);
    if (status == OK && (on || g->progress.iterations != count))
        status = because(ERR_DEVICE,
                         "the device stopped after %ld iterations, and its corrections "
                         "say otherwise",
                         count);
    lap(laps, "loop");
    return status;
}

/* The components of all ranks. The iterate before the last one makes room. */
static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct blocked *const g = (const struct blocked *)state;
    const struct slab *const c = &g->quick.carry;
    const size_t d = (size_t)(c->end - c->first), of_one = g->in->points * sizeof(real);
    real *const room = c->y[1 - g->report->last];
    const struct rank_part part = {room, d * of_one, (size_t)(g->before + c->first) * of_one,
                                   0,    0,          0};
    const enum status turned =
        launch_turn(d, (size_t)c->pitch, g->in->points, c->y[g->report->last] + c->first, room);
    const enum status brought = ranks_unload(&part, out->values);
    if (g->post.own == 0)
        progress_put(g->in, &g->progress, out);
    lap(laps, "back");
    return turned == OK ? brought : turned;
}

const struct calls P(waveform_gpu_blocked)[] = {{plan<PICARD>, load, run, fetch, give_back},
                                                {plan<JACOBI>, load, run, fetch, give_back}};
const struct calls P(waveform_gpu_blocked_ranks)[] = {
    {plan_ranks<PICARD>, load, run, fetch, give_back},
    {plan_ranks<JACOBI>, load, run, fetch, give_back}};
