/*
 * GPU-BLOCKED: what a GPU can do where a component has few neighbours: several sweeps in one pass
 * over the points in time, so that memory is met once for all of them (blocked.h). Each sweep has
 * its correction, and the device decides when they end, as the host does: it tells the host, which
 * asks for the next pass then; one that carried too many sweeps is made again with fewer.
 *
 * A line in double, 50 points in time, us: ten sweeps of Jacobi's over 2^15 components, 2^17 and
 * 2^20 on an H100 22.0, 47.5 and 199, twelve over 2^17 109, where carry_line alone took 38.3, 64.7
 * and 327 for ten; 18 of Picard's 54.3, 115 and 599, where that took 61.0, 119 and 637 (swift.h).
 * A host that asks for two passes at a time, and looks for a number behind all that the device
 * wrote, took 32.0, 55 to 65 and 250, where this one came to 26.0, 60 and 246 before carry_swift
 * was quicker; one that asks for as many passes as the run before needed took 109 for twelve
 * sweeps, too. carry_line on an H200: 32.6, 57.3, 304 (gpu-fused 147, 395, 2546) and 59, 113, 588
 * (234, 684, 4538); carry_swift there 26.7, 51.8, 239 and 49.0, 102, 504. A plane of 2^16, to
 * convergence, took 477 and 1107 (gpu-fused 248 and 585) when lanes looked whether their components
 * were there. A host that looks for the end, and does not wait for the device, makes 35.2, 61.3,
 * 315 and 59.7, 116, 636 of carry_line's on the H100.
 *
 * Lost, of carry_line and on the H200: who decides within a pass, at its end, 35, 63, 303 and 60,
 * 114, 591; no pass beginning before the one before it ends 34, 60, 307; windows of 5 values a lane
 * for few components 35; 12 warps together 34, 63, 351; ten of Picard's sweeps in a pass -, 127,
 * 701. Of carry_swift on an H200, 2^15, 2^17: 22.4, 41.2 and, of Picard's, 51, 108; with windows of
 * SOME, too, where a scheduler has two of them, 52.0 and 109. In such a plane, of Jacobi's: 12
 * warps 627, 16 warps with 3 sweeps 823, 8 warps with 6 rows 675.
 *
 * GPU-BLOCKED-RANKS has a slab of the line on each of several cards; behind a pass a kernel sends
 * to the others and waits for theirs, and nothing else is different: not a bit of an answer is. Ten
 * sweeps of Jacobi's over 2^22 on an H200 609 us, on two 326; 2^23 1171 and 595.
 */
#include "plane.h"
#include "swift.h"

#include <math.h>
#include <string.h>
#include <type_traits>

#include "../common/hear.h"
#include "../common/kernels.h"
#include "machine/ranks.h"
#include "rounded.h"
#include "turn.h"

using namespace BLOCKED;

/* The most sweeps of a pass, and the shapes. In a line: values of a lane, and warps of a block;
 * FEW and SOME for few components, whose windows have a scheduler each, where a window's own time
 * is all; and where components do not fill a window. In a plane: columns and rows of a lane, and
 * warps. LAGGED: of a method with more to remember. */
enum {
    LINE_SWEEPS_JACOBI = 10,
    LINE_SWEEPS_PICARD = 9,
    LINE_TOGETHER = 8,       /* warps of a multiprocessor, in double */
    LINE_TOGETHER_MOST = 12, /* where components are many */
    LINE_VALUES = 6,
    LINE_WARPS = 2,
    LINE_VALUES_SOME = 5,
    LINE_WARPS_SOME = 4,
    LINE_VALUES_FEW = 3,
    LINE_WARPS_FEW = 1,
    LINE_GROUPS_JACOBI = 2, /* of levels, in carry_swift */
    LINE_GROUPS_PICARD = 3,
    LINE_VALUES_LAGGED = 4,
    LINE_WARPS_LAGGED = 2,
    LINE_SWEEPS_LAGGED = 4,
    PLANE_SWEEPS = 4,
    PLANE_COLUMNS = 2,
    PLANE_ROWS = 4,
    PLANE_WARPS = 8,
    PLANE_WARPS_MANY = 12,
    PLANE_COLUMNS_FEW = 1,
    PLANE_ROWS_FEW = 2,
    PLANE_SWEEPS_LAGGED = 2, /* also where shared memory is scarce */
    SCHEDULERS = 4,          /* of a multiprocessor */
    SETTLING = 640,          /* threads between passes of several ranks: a halo of 12 by 50 */
    GRAIN = LINE_VALUES_LAGGED
};

struct way {
    int sweeps;
    long columns, rows;           /* components of a window's own; rows: 1 in a line */
    int windows;                  /* of a block */
    long halo;                    /* of several ranks: what a pass needs of the neighbours */
    long more_columns, more_rows; /* that the outermost windows of a plane have together */
    unsigned (*at_once)(void);
    enum status (*launch)(const struct slab &c, dim3 grid, bool first);
};

struct runner {
    const struct way *way;
    dim3 grid;
    struct slab carry; /* of one card no more than its struct carry */
};

/* Of the newest pass. */
struct report {
    long iterations;
    int outcome, last; /* 0: there is another pass; where the last iterate is */
};

struct blocked {
    struct memory memory;
    const struct waveform *in;
    struct post post; /* of one card no more than that this is 0 of 1 */
    long before;      /* components before those that are here */
    struct progress progress;
    /* swift: by carry_swift, where it has a way; careful: all operations of the plain algorithm */
    struct runner swift, quick, careful;
    bool wild;     /* the start is, anywhere */
    double growth; /* of corrections, at most, before they fall */
    double known;  /* known_to_grow(), or infinity */
    struct course begin;
    real *row; /* host, [d] */
    struct report report;
    double *errors;          /* host, [nmax] */
    letter<unsigned> *words; /* page-locked, [TOLD], what a pass tells */
    unsigned number;         /* of passes so far, of all runs */
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

template <class L, class JOB> static unsigned swift_at_once(void)
{
    return BLOCKS_AT_ONCE((carry_swift<L, JOB>), L::threads, 0);
}

/* Later passes of Jacobi's, which seldom have all levels, are carry_line's. */
template <class First, class Later, class JOB>
static enum status launch_swift(const struct slab &c, dim3 grid, bool first)
{
    const JOB &job = c;
    if (first)
        LAUNCH_EARLY((carry_swift<First, JOB>), grid, First::threads, 0)(job);
    else if constexpr (First::method::picard)
        LAUNCH_EARLY((carry_swift<Later, JOB>), grid, Later::threads, 0)(job);
    else
        LAUNCH_EARLY((carry_line<Later, JOB>), grid, Later::threads, 0)(job);
    return device_launched("carry_swift");
}

template <class S> static unsigned plane_at_once(void)
{
    ALLOW_SHARED(carry_plane<S>, sizeof(typename S::shared));
    return BLOCKS_AT_ONCE(carry_plane<S>, S::threads, sizeof(typename S::shared));
}

template <class S> static enum status launch_plane(const struct slab &c, dim3 grid, bool first)
{
    const struct carry &job = c;
    (void)first;
    LAUNCH_EARLY(carry_plane<S>, grid, S::threads, sizeof(typename S::shared))(job);
    return device_launched("carry_plane");
}

template <class First, class Later, class JOB> static const struct way *way_of_line(void)
{
    static const struct way way = {Later::K,
                                   Later::own,
                                   1,
                                   Later::WARPS,
                                   Later::halo,
                                   0,
                                   0,
                                   line_at_once<Later, JOB>,
                                   launch_line<First, Later, JOB>};
    return &way;
}

template <class S> static const struct way *way_of_plane(void)
{
    static const struct way way = {S::K,
                                   S::own_columns,
                                   S::own_rows,
                                   1,
                                   0,
                                   S::inner ? 2 * S::aside : 0,
                                   S::inner ? 2 * S::K : 0,
                                   plane_at_once<S>,
                                   launch_plane<S>};
    return &way;
}

template <class M, class JOB, int values, int warps> static const struct way *inner_line(void)
{
    enum {
        sweeps = M::picard ? LINE_SWEEPS_PICARD : LINE_SWEEPS_JACOBI,
        most = (int)values == LINE_VALUES && M::picard,
        together = most ? LINE_TOGETHER_MOST : LINE_TOGETHER
    };
    return way_of_line<line<M, sweeps, values, warps, together, true, true>,
                       line<M, sweeps, values, warps, together, false, true>, JOB>();
}

template <class M, class JOB, int sweeps> static const struct way *any_line(void)
{
    using any = line<M, sweeps, LINE_VALUES_LAGGED, LINE_WARPS_LAGGED, LINE_TOGETHER, false, false>;
    return way_of_line<any, any, JOB>();
}

/* By the number of components; `any` do not fill a window. */
struct ways {
    const struct way *any, *few, *some, *many;
};

/* d: of several ranks the components of one that has least. */
static const struct way *way_for(long d, const struct ways &of)
{
    if (d < 32 * LINE_VALUES)
        return of.any;
    const struct way *const by_scheduler[] = {of.few, of.some};
    for (const struct way *way : by_scheduler)
        if ((d - 1) / way->columns < SCHEDULERS * (long)MULTIPROCESSORS)
            return way;
    return of.many;
}

template <class M, class JOB> static const struct way *simple_line(long d)
{
    return way_for(d, {any_line<M, JOB, LINE_SWEEPS_JACOBI>(),
                       inner_line<M, JOB, LINE_VALUES_FEW, LINE_WARPS_FEW>(),
                       inner_line<M, JOB, LINE_VALUES_SOME, LINE_WARPS_SOME>(),
                       inner_line<M, JOB, LINE_VALUES, LINE_WARPS>()});
}

template <class M, class JOB, int values, int warps, bool inner>
static const struct way *swift_way(void)
{
    enum {
        sweeps = M::picard ? LINE_SWEEPS_PICARD : LINE_SWEEPS_JACOBI,
        groups = M::picard ? LINE_GROUPS_PICARD : LINE_GROUPS_JACOBI,
        together = LINE_TOGETHER
    };
    using First = swift<M, sweeps, values, warps, together, groups, true, inner>;
    using Later =
        std::conditional_t<M::picard,
                           swift<M, sweeps, values, warps, together, groups, false, inner>,
                           line<M, sweeps, values, warps, together, false, inner>>;
    static const struct way way = {First::K,
                                   First::own,
                                   1,
                                   First::WARPS,
                                   First::halo,
                                   0,
                                   0,
                                   swift_at_once<First, JOB>,
                                   launch_swift<First, Later, JOB>};
    return &way;
}

/* In double; a correction's high word says little in single. All shapes of a relaxation have as
 * many sweeps, so that an answer's bits do not depend on the shape, nor on the number of ranks. */
template <bool picard, class JOB> static const struct way *swift_line(long d)
{
    using M = method<1, 0, true, picard>;
    if constexpr (REAL_IS_DOUBLE)
        return way_for(d, {swift_way<M, JOB, LINE_VALUES_LAGGED, LINE_WARPS_LAGGED, false>(),
                           swift_way<M, JOB, LINE_VALUES_FEW, LINE_WARPS_FEW, true>(),
                           swift_way<M, JOB, LINE_VALUES_SOME, LINE_WARPS_SOME, true>(),
                           swift_way<M, JOB, LINE_VALUES, LINE_WARPS, true>()});
    else
        return (void)d, nullptr;
}

static long windows_of(long components, long own, long more)
{
    return components > more ? (components - more - 1) / own + 1 : 1;
}

/* The first inner window of which each has a multiprocessor, or the last one: none where a row of
 * components is shorter than one. All have as many sweeps, and an answer the same bits. */
template <class M> static const struct way *inner_plane(long side)
{
    enum { K = PLANE_SWEEPS, FEW = PLANE_COLUMNS_FEW, C = PLANE_COLUMNS, R = PLANE_ROWS };
    const struct way *const ways[] = {
        way_of_plane<plane<M, K, FEW, PLANE_ROWS_FEW, PLANE_WARPS, true>>(),
        way_of_plane<plane<M, K, FEW, R, PLANE_WARPS, true>>(),
        way_of_plane<plane<M, K, C, R, PLANE_WARPS_MANY, true>>()};
    const struct way *found = NULL;
    for (const struct way *way : ways) {
        const long across = windows_of(side, way->columns, way->more_columns);
        const long down = windows_of(side, way->rows, way->more_rows);
        if (side < max(way->columns + way->more_columns, way->rows + way->more_rows) ||
            way->at_once() == 0)
            continue;
        found = way;
        if (across * down <= (long)MULTIPROCESSORS)
            break;
    }
    return found;
}

/* The smaller one where the other does not fit on the device; null: neither does. */
template <class M, int sweeps> static const struct way *any_plane(void)
{
    const struct way *const way =
        way_of_plane<plane<M, sweeps, PLANE_COLUMNS, PLANE_ROWS, PLANE_WARPS, false>>();
    const struct way *const less = way_of_plane<
        plane<M, PLANE_SWEEPS_LAGGED, PLANE_COLUMNS, PLANE_ROWS, PLANE_WARPS, false>>();
    return way->at_once() > 0 ? way : less->at_once() > 0 ? less : NULL;
}

template <class M> static const struct way *simple_plane(long d)
{
    const struct way *const inner = inner_plane<M>(lround(sqrt((double)d)));
    return inner != NULL ? inner : any_plane<M, PLANE_SWEEPS>();
}

/* All operations of the plain algorithm. */
template <int steps, int lags, class JOB> static const struct way *plain_way(bool in_plane)
{
    using M = method<steps, lags, false, false>;
    return in_plane ? any_plane<M, PLANE_SWEEPS_LAGGED>() : any_line<M, JOB, LINE_SWEEPS_LAGGED>();
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
    return in_plane ? simple_plane<M>(d) : simple_line<M, JOB>(d);
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
    struct rule by = {scheme->q1[0], scheme->q2[0], scheme->w[0], {}, scheme->centre[0], {}, 0, {}};
    const double step = (double)scheme->w[0] * (double)scheme->b[0];
    const double unit = relaxation == PICARD ? 1 / (double)by.centre : step;
    for (int lag = 0; lag < 3; lag++)
        by.b[lag] = scheme->b[lag];
    for (int b = 0; b < scheme->bands; b++) {
        const real entry = entry_of(scheme->band[b], d);
        by.band[b] = folded ? (real)((double)entry * unit) : entry;
        if (b < 2)
            by.beside[b] = (real)((double)entry * step);
    }
    by.own = (real)(step * (double)by.centre);
    if (folded && relaxation == PICARD)
        by.w = by.own;
    return by;
}

/* --- the calls --- */

/* A correction up to which nothing in the plain algorithm leaves the range: a value is at most the
 * sum of the start and all corrections, 1e6 of them, F 12 of that, and h at most 1e12. */
static const double TAME = REAL_IS_DOUBLE ? 1e280 : 1e19;

/* Units of rounding of what a correction is a difference of, and more for each point that it has
 * come through: where so much of it is chance, iterations are not counted by carry_swift. */
static double near_to_rounding(const struct blocked *g)
{
    return (64 + 8 * (double)g->in->points) * g->progress.unit;
}

/* Whether corrections before the last point have smaller high words, whose last bit is 2^-20 or
 * less of them, than the largest one there. Those of the first sweep, which grow least, are at
 * point n the sum of the first n powers of q, but for a factor; q is 1 of Picard's. */
static bool grows(double q, size_t points)
{
    double before = 0, power = 1;
    for (size_t n = 2; n < points; n++, power *= q)
        before += power;
    return q > 0 && power > 0x1p-18 * before;
}

/* Jacobi's corrections above this many of the start are known to be largest at the last point, so
 * that carry_swift need not look at others: with B the neighbours' factors (sizes: q + |B| = 1) and
 * L = N-1,
 *
 *   y_k(n) = q y_k(n-1) + B y_{k-1}(n) + d_k(n),  y_k(0) = y_0(n) = y0,
 *
 * where d is what three roundings do, |d| <= 3u Y, and Y = |y0|, since no iterate is larger.
 * Without d the correction e_k(n) = y_k(n) - y_{k-1}(n) is tau_k(n) B^{k-1} r, with r = B y0 -
 * (1-q) y0 and numbers that grow,
 *
 *   tau_1(n) = q tau_1(n-1) + 1,  tau_{k+1}(n) = q tau_{k+1}(n-1) + tau_k(n),  tau_k(0) = 0:
 *   tau_k(n) - tau_k(n-1) = C(n+k-2, k-1) q^(n-1) > 0.
 *
 * That of point j is C(j+k-2, k-1) / C(L+k-2, k-1) q^(j-L) of the one of point L, which gets less
 * with k where j < L. So m = (tau_k(L) - tau_k(L-1)) / tau_k(L), one over the sum of these over j,
 * is least of the first sweep: q^(L-1) over 1 + q + .. + q^(L-1).
 *
 * What d makes of e: |e_k(n) - tau_k(n) B^{k-1} r| <= E = 6u Y (L + K), since y_k(n) is off by 3u Y
 * (n + k) at most, by induction: q (n-1 + k) + |B| (n + k-1) + 1 = n + k. The largest correction at
 * a point before L is at most (1 - m) T + E then, with T = tau_k(L) |B^{k-1} r|, and at L at least
 * T - E; the first is not more where m T >= 2E. What is seen at L is M <= (1+u) (T + E), so that M
 * >= 3E / m (1+u) is enough, and as differences are rounded in their order, all of it is true of
 * rounded ones. 20 for 18 is more than that |q| + |B| is 1 but for 6u, (L+K) times, N < 2^18 by
 * grows(), and numbers below the range, if Y is well above them. What is not finite stays so to the
 * last point. */
static double known_to_grow(double q, size_t points, int sweeps, double unit)
{
    double all = 0, power = 1, last = 1;
    for (size_t n = 1; n < points; n++, power *= q)
        all += last = power;
    return 20 * (double)(points + (size_t)sweeps) * unit * all / last;
}

/* How far Picard's corrections may grow beyond the start before they fall: the k-th is at most
 * a^k C(N-2+k, k) of it. Jacobi's fall from the first one on. */
static double growth_of(const struct rule &by, const struct waveform *p)
{
    const double a = fabs((double)by.own) + fabs((double)by.beside[0]) + fabs((double)by.beside[1]);
    double most = 1, more = 1;
    for (long k = 1; k <= p->nmax && most < 1e300 && more >= 1; k++) {
        more = a * (double)((long)p->points - 2 + k) / (double)k;
        most *= fmax(more, 1.0);
    }
    return most;
}

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
    const long windows = windows_of(side, way->columns, way->more_columns);
    out->way = way;
    out->grid = dim3((unsigned)((windows - 1) / way->windows + 1),
                     plane ? (unsigned)windows_of(side, way->rows, way->more_rows) : 1);
    c->points = (long)p->points;
    c->side = side;
    c->most = way->sweeps;
    c->begin = (int)(p->nmax < c->most ? p->nmax : c->most);
    c->rule = rule_of(scheme, relaxation, p->d, folded);
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
    const struct way *const swift = !simple || plane       ? NULL
                                    : relaxation == PICARD ? swift_line<true, JOB>(least)
                                                           : swift_line<false, JOB>(least);
    const long halo = max(careful->halo, max(quick->halo, swift != NULL ? swift->halo : 0));
    if (g->post.ranks > 1 && least < halo)
        return because(SKIPPED,
                       "%d ranks share %zu components, and each needs %ld, the halo of a pass; "
                       "choose a larger d, or fewer ranks",
                       g->post.ranks, g->in->d, halo);
    set_slab(g, halo, &g->careful.carry);
    set_slab(g, halo, &g->quick.carry);
    set_runner(g, scheme, relaxation, careful, false, &g->careful);
    set_runner(g, scheme, relaxation, quick, simple, &g->quick);
    if (swift != NULL && g->in->nmax >= swift->sweeps && g->in->points > LINE_GROUPS_PICARD &&
        grows((double)scheme->q1[0], g->in->points)) {
        set_slab(g, halo, &g->swift.carry);
        set_runner(g, scheme, relaxation, swift, true, &g->swift);
        g->known = relaxation == JACOBI ? known_to_grow((double)scheme->q1[0], g->in->points,
                                                        swift->sweeps, g->progress.unit)
                                        : (double)INFINITY;
        g->growth = relaxation == PICARD ? growth_of(g->swift.carry.rule, g->in) : 1;
    }
    return OK;
}

template <class JOB> static enum status allocate(struct blocked *g, enum relaxation relaxation)
{
    const struct waveform *const p = g->in;
    struct P(rounded) scheme;
    progress_make(p, relaxation, !REAL_IS_DOUBLE, &g->memory, &g->progress);
    P(rounded_make)(p, relaxation, &g->memory, &scheme);
    g->errors = (double *)take(&g->memory, (size_t)p->nmax * sizeof *g->errors);
    take_locked(&g->memory, &g->words, TOLD);
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
        g->careful.carry.y[k] = g->swift.carry.y[k] = c->y[k];
    g->careful.carry.course = g->swift.carry.course = c->course;
    return g->memory.status;
}

/* What several ranks have beside; all of them come here. */
static enum status open_boxes(struct blocked *g, enum status status)
{
    const struct slab *const c = &g->quick.carry;
    void *boxes[MOST_RANKS];
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

static double largest_start(const struct waveform *p)
{
    double most = 0;
    for (size_t i = 0; i < p->d; i++)
        most = fmax(most, fabs(waveform_first(p, i, 0)));
    return most;
}

/* What carry_swift takes for granted of this start, whose rounding is to be above the least
 * numbers.
 */
static void set_sureness(struct blocked *g)
{
    struct carry &swift = g->swift.carry;
    const double tiny = 0x1p-900;
    swift.start = largest_start(g->in);
    swift.grows = swift.start >= tiny && g->in->tol >= g->known * swift.start;
    swift.near = swift.grows ? g->known : near_to_rounding(g);
}

/* Not the swift one where it would not be sure of the end. */
static const struct runner *first_runner(const struct blocked *g)
{
    const struct carry &swift = g->swift.carry;
    const bool sure = g->swift.way != NULL && g->in->tol >= swift.near * swift.start * g->growth;
    return g->wild ? &g->careful : sure ? &g->swift : &g->quick;
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
    if (g->swift.way != NULL)
        set_sureness(g);
    for (size_t n = 0; n < firsts; n++) {
        for (size_t i = 0; i < d; i++)
            g->row[i] = (real)waveform_first(p, (size_t)g->before + i, n);
        for (int k = 0; k < 2 && status == OK; k++)
            status = device_put(c->y[k] + n * (size_t)c->pitch, g->row, d * sizeof *g->row);
    }
    progress_begin(&g->progress);
    g->begin = {};
    g->begin.state = {g->progress, 0, first_runner(g)->carry.begin, -1, 0};
    g->report = {};
    if (status == OK)
        status = device_put(c->course, &g->begin, sizeof g->begin);
    return status == OK ? device_sync() : status;
}

/* One pass after the other. The marks of laps are there before the host has heard of a pass. */
static enum status run_all(struct blocked *g, const struct runner *by, struct laps *laps)
{
    enum { LAPS = MAX_LAPS / 4 };
    const struct carry &job = by->carry;
    unsigned words[TOLD];
    int asked = 0;
    while (g->report.outcome == 0) {
        const bool first = asked++ == 0;
        enum status status = by->way->launch(by->carry, by->grid, first);
        if (status != OK)
            return status;
        if (g->post.ranks > 1)
            LAUNCH_EARLY(settle, 1, SETTLING, 0)(by->carry, g->post, g->words, ++g->number);
        else
            LAUNCH_EARLY(conclude, 1, 32, 0)(job, g->begin.state, first, g->words, ++g->number);
        status = device_launched("what follows a pass");
        if (asked <= LAPS)
            lap(laps, "loop");
        if (status == OK)
            status = hear(g->words, TOLD, g->number, words);
        if (status != OK)
            return status;
        const long known = g->report.iterations, count = (long)words[TELLS_ITERATIONS];
        memcpy(g->errors + known, words, (size_t)(count - known) * sizeof *g->errors);
        g->report = {count, (int)words[TELLS_OUTCOME], (int)words[TELLS_LAST]};
    }
    if (asked > LAPS)
        lap(laps, "loop");
    return OK;
}

/* Once more, where it went wild, or was not sure. */
static enum status run_again(struct blocked *g, const struct runner *by, struct laps *laps)
{
    g->report = {};
    g->begin.state.sweeps = by->carry.begin;
    const enum status status = device_put(by->carry.course, &g->begin, sizeof g->begin);
    return status == OK ? run_all(g, by, laps) : status;
}

static enum status run(void *state, struct laps *laps)
{
    struct blocked *const g = (struct blocked *)state;
    enum status status = run_all(g, first_runner(g), laps);
    if (status == OK && g->report.outcome == UNSURE)
        status = run_again(g, &g->quick, laps);
    if (status == OK && g->report.outcome == WILD)
        status = run_again(g, &g->careful, laps);
    const long count = status == OK ? g->report.iterations : 0;
    bool on = count > 0;
    for (long v = 0; v < count && on; v++)
        on = progress_goes_on(g->in, &g->progress, g->errors[v]);
    if (status == OK && (on || g->progress.iterations != count))
        status = because(ERR_DEVICE,
                         "the device stopped after %ld iterations, and its corrections "
                         "say otherwise",
                         count);
    return status;
}

/* The components of all ranks. The iterate before the last one makes room. */
static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct blocked *const g = (const struct blocked *)state;
    const struct slab *const c = &g->quick.carry;
    const size_t d = (size_t)(c->end - c->first), of_one = g->in->points * sizeof(real);
    real *const room = c->y[1 - g->report.last];
    const struct rank_part part = {room, d * of_one, (size_t)(g->before + c->first) * of_one,
                                   0,    0,          0};
    const enum status turned =
        launch_turn(d, (size_t)c->pitch, g->in->points, c->y[g->report.last] + c->first, room);
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
