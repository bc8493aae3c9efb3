/*
 * The variants of the family: the paper's five, the limits of device and host, the libraries. Each
 * row says how exact its answer must be and what its algorithm has to move.
 */
#include "bvp.h"

#include <float.h>
#include <math.h>

#include "../common/openblas.h"
#include "../common/toolkit.h"
#include "machine/device.h"
#include "rhs.h"

/* --- how exact: of the rounding alone, relative to u in l2 ---
 * Two sums one after the other: y_k is rounded by at most a unit of |y_k|, which all y and so all u
 * see that come later, and u_l by at most a unit of |u_l|, which is no larger than the sum of |y_k|
 * from l on. So u_i is off by at most (n - i) V units, V being the sum of all |y_k|.
 * In other orders: every value of d is in u_i after so and so many additions, each of them a unit
 * of what the solution for |f|, U, takes from it. And what d itself loses, by rounding x, in cos
 * and exp, in constants and products, is no more than 32 units of U. The `sums` are V |1 - x| over
 * |u|, the `terms` |U| over |u|. p1: V is u(0) and U is u. p2: V is u(0) and small beside U, since
 * f changes its sign (n from 10 on; below, the inherent error is of the size of u). The error of an
 * input is relative to U, which is concave and falls from no less than V. */

struct growth {
    double sums, terms;
};

static const struct growth growths[] = {
    [RHS_P1] = {1, 1}, [RHS_P2] = {2.4, 42}, [RHS_INPUT] = {1, 1}};

/* --- how exact: of each equation ---
 * What the sums lose on their long way is the same for neighbours, so that the residual of an
 * equation, in which each value counts 4 times at most, stays small however large n is. `units` of
 * the largest |u|; or where the ways of neighbours may have nothing in common, of U(0), 4 for each
 * addition. Beside it d has lost 32 units of its largest, and the judge's own d and differences
 * take as many of a double's units and 8. */
static void judge_equations(const struct instance *in, double unit, double least, double units,
                            double terms, struct judgement *out)
{
    const struct bvp *const b = in->data;
    const double n = (double)b->n, residual = out->beside[RESIDUAL];
    const double u = out->beside[LARGEST_U] + least, d = out->beside[LARGEST_D] + least;
    const double size = out->beside[SIZE] + n * n * least;
    const double allowed =
        unit * (units * u + 4 * terms * size) + 32 * (unit + 0x1p-53) * d + 8 * 0x1p-53 * u;
    if (!(residual <= allowed))
        out->status = because(WRONG, "residual %.3g, allowed %.3g", residual, allowed);
}

/* The sums of an input can cancel so far that what rounding explains is all of the solution: an
 * answer that is off by as much is good for nothing, and cannot be told from a wrong one. */
static void judge_digits(const struct instance *in, double allowed, struct judgement *out)
{
    const struct bvp *const b = in->data;
    const double too_much = 0.01, off = out->error * out->beside[CANCELLED];
    if (b->code == RHS_INPUT && out->status == OK && out->error <= allowed && !(off < too_much))
        out->status = because(ERR_DIVERGED,
                              "not fit to print: f cancels so far that rounding alone explains an "
                              "error of %.2g of the solution",
                              off);
}

/* An answer no better than zero is wrong, whatever rounding can do: in float a carry stands still
 * when it is 2^24 increments large. */
static double rounding(const struct variant *v, const struct instance *in, double in_sums,
                       double in_terms, double units, struct judgement *out)
{
    const struct bvp *b = in->data;
    const double unit = v->precision == DOUBLE ? 0x1p-53 : 0x1p-24;
    const double sums = in_sums * unit, terms = (in_terms + 32) * unit;
    judge_equations(in, unit, v->precision == DOUBLE ? DBL_MIN : (double)FLT_MIN, units,
                    units > 0 ? 0 : in_terms, out);
    const double allowed =
        growths[b->code].sums * sums / (1 - sums) + growths[b->code].terms * terms / (1 - terms);
    const double tolerance = sums < 1 && terms < 1 ? fmin(0.999, allowed) : 0.999;
    judge_digits(in, tolerance, out);
    return tolerance;
}

static void shape(const struct params *at, double *r, double *s)
{
    size_t columns = 1, rows = (size_t)get_long(at, "n");
    (void)bvp_shape(at, &columns, &rows); /* create() refuses what does not fit */
    *r = (double)columns;
    *s = (double)rows;
}

/* LAPACK's factors are 1 and -1 here, and what it does with them are the two sums. In an equation
 * are the rounding of one y, which is a difference of two u, and those of two u. */
static double a1_tolerance(const struct variant *v, const struct instance *in,
                           const struct solution *got, struct judgement *out)
{
    (void)got;
    return rounding(v, in, get(&in->at, "n"), 0, 4, out);
}

/* Both ways through a column, and over the columns and the remainder, with a carry added to each
 * value. The mixed variant has the sums over the columns in double, and rounds what it stores. In
 * an equation: of y, within its column and with its carry, two values of 4 and 2 times the largest
 * |u|; of u, within its column and with its carry, four of 2 and 1 times it; and where columns meet
 * two carries more, of y and of u. */
static double a2_tolerance(const struct variant *v, const struct instance *in,
                           const struct solution *got, struct judgement *out)
{
    (void)got;
    double r, s;
    shape(&in->at, &r, &s);
    const double over = r + get(&in->at, "n") - r * s;
    return rounding(v, in, 0, 2 * (s + 1 + (v->precision == MIXED ? 1 + over * 0x1p-29 : over)),
                    2 * (4 + 2) + 4 * (2 + 1) + 2 * (2 + 1), out);
}

/* Its chains: through a block of 4096 unknowns and over the blocks. */
static double a1_omp_tolerance(const struct variant *v, const struct instance *in,
                               const struct solution *got, struct judgement *out)
{
    (void)got;
    const double n = get(&in->at, "n");
    return rounding(v, in, 0, 2 * (fmin(n, 4096) + n / 4096 + 2), 0, out);
}

static double run_of(const struct variant *v, const struct bvp *b)
{
#ifdef REPRISE_DEVICE_NONE
    (void)v;
    return (double)b->n;
#else
    size_t (*const of[][2])(const struct bvp *) = {
        [SINGLE] = {bvp_limit_run_s, bvp_limit_ranks_run_s},
        [DOUBLE] = {bvp_limit_run_d, bvp_limit_ranks_run_d},
        [MIXED] = {bvp_limit_run_sd, bvp_limit_ranks_run_sd}};
    return (double)of[v->precision][v->ranks](b);
#endif
}

/* A warp's run has C unknowns, so a lane's has C/32 and comes to as many rows or fewer: all sums of
 * a value of d, over its lane, the rows, the lanes, warps and blocks, add up no more often than
 * 3 C/32 + 128 times; in the mixed variant a lane's own, up to 48 twice and some, are single and
 * the others double. So far as with U. But y goes back from row to row by subtraction: what it is
 * off at the run's end, (C/32 + 16) units of B, the sum of |d|, it stays off to the run's begin,
 * where y may be small, so that all u before are off by C as much. U is concave, its l2 norm no
 * less than sqrt(n/3) times U(0), the sum of (n - i) |d_i|: the quotient is sqrt(3) late C / n. */
static double limit_tolerance(const struct variant *v, const struct instance *in,
                              const struct solution *got, struct judgement *out)
{
    const struct bvp *b = in->data;
    (void)got;
    const double run = run_of(v, b), lane = run / 32, rows = v->precision == MIXED ? 0x1p-29 : 1;
    const double back = sqrt(3) * b->late * fmin(1, run / (double)b->n);
    const double terms = (3 * lane + 128) * rows + (v->precision == MIXED ? 100 : 0);
    const double lost = terms + (lane + 16) * rows * back;
    if (b->code == RHS_INPUT)
        add_metric(out, "amplification", lost / terms);
    return rounding(v, in, 0, lost, 0, out);
}

/* CUB's scan, twice. On its way to the last value a value of d is added up in its thread, once for
 * the tile's sum and once for the values that are stored, of at most 24 items; in the warp, 5
 * times; over the at most 16 warps; and from tile to tile, where in the longest chain each waits
 * for the one before: the thirty-odd that look back together take fewer additions than there are
 * tiles. Tiles are of different sizes from card to card
 * (cub/device/dispatch/tuning/tuning_scan.cuh), the smallest of 128 threads with 15 words of 4
 * bytes each. */
static double cub_tolerance(const struct variant *v, const struct instance *in,
                            const struct solution *got, struct judgement *out)
{
    (void)got;
    const double smallest = 128 * floor(60 / (double)value_size(v->precision));
    return rounding(v, in, 0, 2 * (24 + 24 + 5 + 16 + ceil(get(&in->at, "n") / smallest)), 0, out);
}

/* cuSPARSE names cyclic reduction, plain and parallel: log2(n) times each unknown loses its two
 * neighbours at equal distance p. The matrix stays one of chain links, 1/p to either side and the
 * sum of both on the diagonal, all powers of two and exact, but for unknowns nearer than p to the
 * end, whose last link is of another length. There a diagonal takes 4 roundings more at each step,
 * and what it has is passed on by less than it was, for it is never less than half of what it is
 * made of; the links that it divides enter the right-hand side, which takes 6, at each later step.
 * All of them are units of U: the right-hand side is a weighted sum of |d|, and the unknowns that
 * come back are means of two others and a part of it, which a concave U bounds. */
static double gtsv2_tolerance(const struct variant *v, const struct instance *in,
                              const struct solution *got, struct judgement *out)
{
    (void)got;
    const double steps = ceil(log2(get(&in->at, "n")));
    return rounding(v, in, 0, 12 * steps * (steps + 1), 0, out);
}

/* --- what it takes; the operations of f are not counted --- */

static bool is_stored(const struct params *at)
{
    return get_input(at, "f") != NULL || at->problem->code == RHS_INPUT;
}

static double input_bytes(const struct params *at)
{
    return is_stored(at) ? get(at, "n") * sizeof(double) : 0;
}

/* f writes the array, (7) and (8) read and write it; an input is read once. */
static struct work a1_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), size = (double)value_size(v->precision);
    return (struct work){.flops = 2 * n,
                         .bytes = 5 * size * n + input_bytes(at),
                         .host_bytes = size * n + input_bytes(at)};
}

/* `set` writes the array; 1A, 1C, 2A and 2C each read and write it. On the host: the buffer that
 * fetch transposes from, with the remainder, and a row. */
static struct work a2_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), size = (double)value_size(v->precision);
    double r, s;
    shape(at, &r, &s);
    const double input = is_stored(at) ? size * n : 0;
    return (struct work){.flops = 4 * n,
                         .bytes = 9 * size * n + input,
                         .launches = 4,
                         .host_bytes = size * (n + r) + input + input_bytes(at),
                         .device_bytes = size * r * s + input};
}

/* Only u is written; an input is read twice. The sums: 2 additions for each element in pass 1, 4 in
 * pass 2. */
static struct work a1_omp_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), size = (double)value_size(v->precision);
    return (struct work){.flops = 6 * n,
                         .bytes = size * n + 2 * input_bytes(at),
                         .host_bytes = size * n + input_bytes(at)};
}

/* u is written, a stored f read twice. Each value: twice a product and two sums, then two more. The
 * problem's own f is drawn on the device. */
static struct work limit_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), size = (double)value_size(v->precision);
    const double input = is_stored(at) ? size * n : 0;
    return (struct work){.flops = (is_stored(at) ? 8 : 4) * n,
                         .bytes = size * n + 2 * input,
                         .launches = 1,
                         .host_bytes = get_input(at, "f") != NULL ? size * n + input_bytes(at) : 0,
                         .device_bytes = size * n + input};
}

/* The same, of each card a part. What all tell all is not counted. */
static struct work ranks_work(const struct variant *v, const struct params *at)
{
    struct work work = limit_work(v, at);
    const double ranks = get(at, "ranks");
    work.flops /= ranks;
    work.bytes /= ranks;
    work.device_bytes /= ranks;
    return work;
}

/* Written: d, e, b. dpttrf reads and writes d, e; dptts2 reads e, b and writes b, then reads d, e,
 * b and writes b: 14 words. Operations: 3 for the factors, 2 forward, 3 backward. */
static struct work dptsv_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), size = (double)value_size(v->precision);
    return (struct work){.flops = 8 * n,
                         .bytes = 14 * size * n + input_bytes(at),
                         .host_bytes = 3 * size * n + input_bytes(at)};
}

/* As A1, from one array into another. */
static struct work cumsum_work(const struct variant *v, const struct params *at)
{
    struct work work = a1_work(v, at);
    work.host_bytes += get(at, "n") * (double)value_size(v->precision);
    return work;
}

/* f writes the array, each sum reads and writes it, in one kernel beside the one that prepares its
 * messages, which are two words for each tile. */
static struct work cub_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), size = (double)value_size(v->precision);
    const double input = is_stored(at) ? size * n : 0;
    return (struct work){.flops = 2 * n,
                         .bytes = 5 * size * n + input,
                         .launches = 5,
                         .host_bytes = input + input_bytes(at),
                         .device_bytes = size * n * (1 + 1 / 64.0) + input};
}

/* f writes b; three diagonals and b are read and b is written, at least once. The buffer is said to
 * take four arrays more. No order of elimination needs fewer operations than the plain one, 8. */
static struct work gtsv2_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), size = (double)value_size(v->precision);
    const double input = is_stored(at) ? size * n : 0;
    return (struct work){.flops = 8 * n,
                         .bytes = 6 * size * n + input,
                         .launches = 2,
                         .host_bytes = input + input_bytes(at),
                         .device_bytes = 8 * size * n + input};
}

#define A2_LIMIT                                                                                   \
    .source = "ours", .role = LIMIT, .place = DEVICE, .tolerance = limit_tolerance,                \
    .work = limit_work

#define A2_LIMIT_RANKS                                                                             \
    .source = "ours", .role = LIMIT, .place = DEVICE, .ranks = true, .tolerance = limit_tolerance, \
    .work = ranks_work

#define A1                                                                                         \
    .source = "Stpiczynski, Potiopa 2010, (7), (8)", .role = PUBLISHED, .place = HOST,             \
    .tolerance = a1_tolerance, .work = a1_work

#define A2                                                                                         \
    .source = "Stpiczynski, Potiopa 2010, (9), (10), Figs. 3-7", .role = PUBLISHED,                \
    .place = HYBRID, .tolerance = a2_tolerance, .work = a2_work

#define CUB                                                                                        \
    .source = "CUB, DeviceScan::InclusiveSum", .role = PEER, .place = DEVICE,                      \
    .tolerance = cub_tolerance, .work = cub_work

#define GTSV2                                                                                      \
    .source = "cuSPARSE, gtsv2_nopivot", .role = PEER, .place = DEVICE,                            \
    .tolerance = gtsv2_tolerance, .work = gtsv2_work

const struct variant bvp_variants[] = {
    {.id = "A1S",
     .title = "two sums on one core, single",
     A1,
     .precision = SINGLE,
     .calls = &bvp_a1_s},
    {.id = "A1D",
     .title = "two sums on one core, double",
     A1,
     .precision = DOUBLE,
     .calls = &bvp_a1_d},
    {.id = "A2S",
     .title = "divide and conquer, single",
     A2,
     .precision = SINGLE,
     .calls = DEVICE_CALLS(bvp_a2_s)},
    {.id = "A2D",
     .title = "divide and conquer, double",
     A2,
     .precision = DOUBLE,
     .calls = DEVICE_CALLS(bvp_a2_d)},
    {.id = "A2SD",
     .title = "divide and conquer, single, steps 1B and 2B in double",
     A2,
     .precision = MIXED,
     .calls = DEVICE_CALLS(bvp_a2_sd)},
    {.id = "A2-limit",
     .title = "both sums in one launch, single",
     A2_LIMIT,
     .precision = SINGLE,
     .calls = DEVICE_CALLS(bvp_limit_s)},
    {.id = "A2-limit",
     .title = "both sums in one launch, double",
     A2_LIMIT,
     .precision = DOUBLE,
     .calls = DEVICE_CALLS(bvp_limit_d)},
    {.id = "A2-limit",
     .title = "both sums in one launch, stored and summed by a lane in single, else in double",
     A2_LIMIT,
     .precision = MIXED,
     .calls = DEVICE_CALLS(bvp_limit_sd)},
    {.id = "A2-limit-graph",
     .title = "A2-limit, again and again in a graph: launches cost the host nothing, single",
     A2_LIMIT,
     .graph = true,
     .precision = SINGLE,
     .calls = DEVICE_CALLS(bvp_limit_s)},
    {.id = "A2-limit-graph",
     .title = "A2-limit, again and again in a graph: launches cost the host nothing, double",
     A2_LIMIT,
     .graph = true,
     .precision = DOUBLE,
     .calls = DEVICE_CALLS(bvp_limit_d)},
    {.id = "A2-limit-ranks",
     .title = "both sums on several cards, single",
     A2_LIMIT_RANKS,
     .precision = SINGLE,
     .calls = DEVICE_CALLS(bvp_limit_ranks_s)},
    {.id = "A2-limit-ranks",
     .title = "both sums on several cards, double",
     A2_LIMIT_RANKS,
     .precision = DOUBLE,
     .calls = DEVICE_CALLS(bvp_limit_ranks_d)},
    {.id = "A2-limit-ranks",
     .title = "both sums on several cards, stored and summed by a lane in single, else in double",
     A2_LIMIT_RANKS,
     .precision = MIXED,
     .calls = DEVICE_CALLS(bvp_limit_ranks_sd)},
    {"A1D-omp", "two sums on all cores, f twice, u written once", "ours", LIMIT, DOUBLE,
     HOST_PARALLEL, .tolerance = a1_omp_tolerance, .work = a1_omp_work, .calls = &bvp_a1_omp},
    {"lapack-dptsv", "LAPACK for symmetric positive definite tridiagonal systems", "LAPACK", PEER,
     DOUBLE, HOST, .tolerance = a1_tolerance, .work = dptsv_work, OPENBLAS_CALLS(bvp_dptsv)},
    {"cumsum", "two running sums, each into another array, on one core", "as in NumPy", PEER,
     DOUBLE, HOST, .tolerance = a1_tolerance, .work = cumsum_work, .calls = &bvp_cumsum},
    {"cub-sums", "two sums by CUB, f before them, single", CUB, .precision = SINGLE,
     TOOLKIT_CALLS(bvp_cub_sums_s)},
    {"cub-sums", "two sums by CUB, f before them, double", CUB, .precision = DOUBLE,
     TOOLKIT_CALLS(bvp_cub_sums_d)},
    {"cusparse-gtsv2", "cuSPARSE for tridiagonal systems, without pivoting, f before it, single",
     GTSV2, .precision = SINGLE, TOOLKIT_CALLS(bvp_gtsv2_s)},
    {"cusparse-gtsv2", "cuSPARSE for tridiagonal systems, without pivoting, f before it, double",
     GTSV2, .precision = DOUBLE, TOOLKIT_CALLS(bvp_gtsv2_d)},
    {.id = NULL},
};

/* u written once; a stored f read twice, for the first unknown has all of f, and no chip holds it.
 */
static double traffic(enum precision precision, const struct params *at)
{
    return (is_stored(at) ? 3 : 1) * (double)value_size(precision) * get(at, "n");
}

/* An addition for each element of either sum; those of f are not counted. */
static double operations(const struct params *at)
{
    return 2 * get(at, "n");
}

const struct family bvp_family = {.id = "bvp",
                                  .title = "a boundary value problem as two prefix sums",
                                  .problems = bvp_problems,
                                  .variants = bvp_variants,
                                  .traffic = traffic,
                                  .operations = operations};
