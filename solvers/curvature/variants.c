/*
 * The variants of the family: the paper's program on one core and its kernels on a GPU, whose bits
 * and steps are the reference's, and the limits of both machines, which may round in their own way.
 * Each row says what its algorithm has to move and compute.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "curvature.h"
#include "machine/device.h"
#include "rkc.h"

#include "../common/solution.h" /* exactly */
#include "../common/sundials.h"

/* --- what it takes --- */

static double expected_steps(const struct curvature *p)
{
    if (p->attempts > 0)
        return (double)p->attempts;
    const double end = p->times[p->count - 1];
    if (p->fixed)
        return end / p->tau0;
    return fmax(p->count,
                end * curvature_rate(p) / STABLE); /* nearly all are as long as they may */
}

/* Operations of a right-hand side at a node, square roots and divisions among them: two half points
 * for each node, the forcing, and its share of Merson's sums. */
static double node_flops(const struct curvature *p)
{
    const double sums = 6;
    if (p->flow == MEAN_CURVATURE)
        return 39 + (p->forced ? 33 : 0) + sums;
    return 39 + 60 + (p->forced ? 265 : 0) + sums;
}

static struct curvature given(const struct params *at)
{
    struct curvature p = {.n1 = 2, .n2 = 2, .h1 = 1, .h2 = 1, .count = 1, .times = {1}};
    (void)curvature_setup(at, &p); /* create() refuses what does not fit */
    return p;
}

/* `words` are what a step has to move for a node, beyond any cache; `arrays` are held. */
static struct work work_of(const struct variant *variant, const struct curvature *p, double words,
                           double arrays, double launches)
{
    const double nodes = (double)curvature_nodes(p), fields = (double)curvature_fields(p);
    const double interior = (double)(p->n1 - 1) * (double)(p->n2 - 1), steps = expected_steps(p);
    const double size = (double)value_size(variant->precision);
    const double held = size * (arrays + fields) * nodes;
    const bool on_device = variant->place == DEVICE;
    return (struct work){.flops = STAGES * steps * interior * node_flops(p),
                         .bytes = words * size * steps * nodes,
                         .launches = launches * steps,
                         .steps = steps,
                         .host_bytes = (on_device ? 0 : held) + size * fields * nodes,
                         .device_bytes = on_device ? held : 0};
}

/* A grid function for each k, for the argument and for w. Arguments, right-hand sides with w and
 * forcing, error and update each read and write grid functions: see cpu1_tmpl.c. */
static struct work plain_work(const struct variant *variant, const struct params *at)
{
    const struct curvature p = given(at);
    const double arguments = 3 + 4 + 4 + 5, sides = p.flow == WILLMORE ? 5 : 2;
    const double words = arguments + STAGES * (sides + (p.forced ? 2 : 0)) + 4 + 5;
    const double launches = STAGES - 1 + STAGES * (1 + (p.flow == WILLMORE) + p.forced) + 1;
    return work_of(variant, &p, words, STAGES + 3, variant->place == DEVICE ? launches : 0);
}

/* A fused stage reads u and the k that it needs, and writes its own. Both u and four k are held, on
 * the host beside the threads' buffers. */
static struct work fused_work(const struct variant *variant, const struct params *at)
{
    const struct curvature p = given(at);
    const double arrays = variant->place == DEVICE ? STAGES + 1 : STAGES + 2;
    return work_of(variant, &p, 2 + 3 + 4 + 4 + 5, arrays, 0);
}

/* On chip nothing is moved but the fields of the answer; the forcing is made of fewer terms. */
static struct work on_chip(const struct variant *variant, const struct curvature *p, double arrays)
{
    const double forcing = p->flow == WILLMORE ? 16 : 10, before = p->flow == WILLMORE ? 265 : 33;
    struct work work = work_of(variant, p, 0, arrays, 0);
    work.flops *= p->forced ? 1 - (before - forcing) / node_flops(p) : 1;
    work.bytes = (double)value_size(variant->precision) * (double)curvature_fields(p) *
                 (double)curvature_nodes(p);
    return work;
}

static struct work resident_work(const struct variant *variant, const struct params *at)
{
    const struct curvature p = given(at);
    return on_chip(variant, &p, 3 + RATIONAL(p.flow));
}

/* The same, of each card a part, by streams or by sweeps: its rows, and a halo on either side; what
 * is found on both sides of a cut, and what brings it, is not counted. On the host each rank has
 * its part of a field, to begin with. */
static struct work ranks_work(const struct variant *variant, const struct params *at)
{
    const struct curvature p = given(at);
    const double ranks = get(at, "ranks"), lines = (double)p.n1 + 1;
    const double halo = ranks > 1 ? 2 * STAGES * (p.flow == WILLMORE ? 2 : 1) + 2 : 0;
    const double size = (double)value_size(variant->precision);
    const double nodes = (double)curvature_nodes(&p), share = fmin(1, 1 / ranks + halo / lines);
    struct work work = p.flow == WILLMORE ? work_of(variant, &p, 2 + 3 + 4 + 4 + 5, STAGES + 1, 1)
                                          : on_chip(variant, &p, 2);
    work.flops /= ranks;
    work.bytes /= ranks;
    work.device_bytes *= share;
    work.host_bytes += size * nodes;
    return work;
}

/* Steps are right-hand sides here (judge.c): of steps from one kept field to the next, the longest
 * that there may be. */
static double expected_evaluations(const struct curvature *p)
{
    double t = 0, all = 1;
    if (p->attempts > 0)
        return 2 * (double)p->attempts + 1;
    for (int k = 0; k < p->count; k++) {
        const double left = p->times[k] - t, longest = fmin(left, rkc_longest(rkc_rate(p)));
        all += ceil(left / longest) * rkc_stages(rkc_rate(p), longest);
        t = p->times[k];
    }
    return all;
}

/* Of a right-hand side everywhere, with the forcing as a rational function; `sums` a node are the
 * method's share. */
static double side_flops(const struct curvature *p, double sums)
{
    const double rational = p->flow == WILLMORE ? 16 : 10;
    const double side = (p->flow == WILLMORE ? 39 + 60 : 39) + (p->forced ? rational : 0) + sums;
    return side * (double)(p->n1 - 1) * (double)(p->n2 - 1);
}

/* A stage reads u, the first right-hand side and two increments, and writes one; and what the
 * forcing is made of. */
static struct work chebyshev_work(const struct variant *variant, const struct params *at)
{
    const struct curvature p = given(at);
    const double nodes = (double)curvature_nodes(&p), fields = (double)curvature_fields(&p);
    const double size = (double)value_size(variant->precision), terms = RATIONAL(p.flow);
    const double evaluations = expected_evaluations(&p);
    const double held = size * (5 + terms + fields) * nodes;
    const bool on_device = variant->place == DEVICE;
    return (struct work){.flops = evaluations * side_flops(&p, 7),
                         .bytes = size * nodes * (on_device ? fields : 5 * evaluations),
                         .steps = evaluations,
                         .host_bytes = (on_device ? 0 : held) + size * fields * nodes,
                         .device_bytes = on_device ? held : 0};
}

/* By a library of vectors: as plain_work() has arguments, error and update, and, of each step, the
 * norms of u and of the error and two copies of u. */
static struct work library_work(const struct variant *variant, const struct params *at)
{
    const struct curvature p = given(at);
    const double arguments = 3 + 4 + 4 + 5, words = arguments + 2 * STAGES + 5 + 5 + 2 + 2 + 4;
    return work_of(variant, &p, words, STAGES + 8 + RATIONAL(p.flow), 0);
}

/* --- what rounding may cost --- */

/* Of a variant that may round in its own way, and so take other steps. */
static double by_rounding(const struct variant *variant, const struct instance *in,
                          const struct solution *got, struct judgement *out)
{
    const double unit = got->precision == DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    (void)variant, (void)in;
    for (int i = 0; i < out->count; i++)
        if (strcmp(out->metrics[i].name, "amplification") == 0)
            return out->metrics[i].value * unit;
    return 0; /* the bits are the reference's */
}

#define ROW(id_, what, precision_, word, calls_, ...)                                              \
    {                                                                                              \
        .id = id_, .title = what ", " word, .precision = precision_, .calls = calls_, __VA_ARGS__  \
    }
#define HOST_CALLS(object) (&(object))
#define BOTH(id, what, where, name, ...)                                                           \
    ROW(id, what, SINGLE, "single", where(curvature_##name##_s), __VA_ARGS__),                     \
        ROW(id, what, DOUBLE, "double", where(curvature_##name##_d), __VA_ARGS__)

const struct variant curvature_variants[] = {
    BOTH("cpu1", "the paper's loops on one core", HOST_CALLS, cpu1, .role = PUBLISHED,
         .tolerance = exactly, .place = HOST,
         .source = "Oberhuber, Suzuki, Zabka 2011, Section 4.2", .work = plain_work),
    BOTH("cpuN", "fused stages of vector loops on all cores", HOST_CALLS, cpun, .role = LIMIT,
         .tolerance = by_rounding, .place = HOST_PARALLEL, .source = "ours", .work = fused_work),
    BOTH("omp-rkc", "Runge-Kutta-Chebyshev on all cores", HOST_CALLS, omp_rkc, .role = LIMIT,
         .tolerance = by_rounding, .place = HOST_PARALLEL,
         .source = "Sommeijer, Shampine, Verwer 1997", .work = chebyshev_work),
    BOTH("gpu", "a kernel for each argument, w, side and forcing", DEVICE_CALLS, gpu,
         .role = PUBLISHED, .tolerance = exactly, .place = DEVICE,
         .source = "Oberhuber, Suzuki, Zabka 2011, Section 4.3", .work = plain_work),
    BOTH("gpu-coop", "one kernel that marches, a barrier after each stage", DEVICE_CALLS, gpu_coop,
         .role = LIMIT, .tolerance = by_rounding, .place = DEVICE, .source = "ours",
         .work = fused_work),
    BOTH("gpu-resident", "Merson's method on chip, halos by letters", DEVICE_CALLS, gpu_resident,
         .role = LIMIT, .tolerance = by_rounding, .place = DEVICE, .source = "ours",
         .work = resident_work),
    BOTH("gpu-ranks", "slabs of rows on several cards, halos once a step", DEVICE_CALLS, gpu_ranks,
         .role = LIMIT, .tolerance = by_rounding, .place = DEVICE, .ranks = true, .source = "ours",
         .work = ranks_work),
    BOTH("gpu-rkc", "Runge-Kutta-Chebyshev on chip, halos by letters", DEVICE_CALLS, gpu_rkc,
         .role = LIMIT, .tolerance = by_rounding, .place = DEVICE,
         .source = "Sommeijer, Shampine, Verwer 1997", .work = chebyshev_work),
    {"arkode", "Bogacki and Shampine's pair by ARKODE on all cores, double", "SUNDIALS, ERKStep",
     .role = PEER, .precision = DOUBLE, .place = HOST_PARALLEL, .tolerance = by_rounding,
     .work = library_work, ARKODE_CALLS(curvature_arkode)},
    {.id = NULL},
};

/* The fields of the answer are written. */
static double traffic(enum precision precision, const struct params *at)
{
    const struct curvature p = given(at);
    return (double)value_size(precision) * (double)curvature_fields(&p) *
           (double)curvature_nodes(&p);
}

/* Of the method that needs fewest right-hand sides, by its longest steps; with steps of a given
 * length, which are Merson's, of that one. */
static double operations(const struct params *at)
{
    const struct curvature p = given(at);
    return p.fixed ? STAGES * expected_steps(&p) * side_flops(&p, 6)
                   : expected_evaluations(&p) * side_flops(&p, 7);
}

const struct family curvature_family = {
    "curvature",
    "curvature flows of graphs",
    curvature_problems,
    curvature_variants,
    "performance",
    "flop/s",
    "Gflop/s",
    1e9,
    traffic,
    operations,
};
