/*
 * The variants of the family: the paper's program on one core and its kernels on a GPU, and the
 * limits of both machines. All do the same operations on every node in an order that changes no
 * bit, and take the same steps, so none may differ from the reference. Each row says what its
 * algorithm has to move and compute.
 */
#include <math.h>

#include "curvature.h"
#include "machine/device.h"

static double exactly(const struct params *at)
{
    (void)at;
    return 0;
}

/* --- what it takes --- */

/* Largest tau times a linear mode's rate that Merson's method bears: nearly all steps of a long run
 * are that long. The judge says how many they were. */
static const double stable = 3.548;

static double expected_steps(const struct curvature *p)
{
    if (p->attempts > 0)
        return (double)p->attempts;
    const double end = p->times[p->count - 1];
    if (p->fixed)
        return end / p->tau0;
    const double second = 4 / (p->h1 * p->h1) + 4 / (p->h2 * p->h2);
    const double rate = p->flow == WILLMORE ? second * second : second;
    return fmax(p->count, end * rate / stable);
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

/* `words` are what a step has to move for a node, beyond any cache. */
static struct work work_of(const struct params *at, double words, double arrays, double size,
                           double launches)
{
    struct curvature p = {.n1 = 2, .n2 = 2, .h1 = 1, .h2 = 1, .count = 1, .times = {1}};
    (void)curvature_setup(at, &p); /* create() refuses what does not fit */
    const double nodes = (double)curvature_nodes(&p), fields = (double)curvature_fields(&p);
    const double interior = (double)(p.n1 - 1) * (double)(p.n2 - 1), steps = expected_steps(&p);
    const double held = size * (arrays + fields) * nodes;
    return (struct work){.flops = STAGES * steps * interior * node_flops(&p),
                         .bytes = words * size * steps * nodes,
                         .launches = launches < 0 ? 0 : launches * steps,
                         .steps = steps,
                         .host_bytes = (launches < 0 ? held : 0) + size * fields * nodes,
                         .device_bytes = launches < 0 ? 0 : held};
}

/* Arguments, right-hand sides with w and forcing, error and update each read and write grid
 * functions: see cpu1_tmpl.c. */
static double plain_words(const struct params *at)
{
    struct curvature p = {.flow = MEAN_CURVATURE};
    (void)curvature_setup(at, &p);
    const double arguments = 3 + 4 + 4 + 5, sides = p.flow == WILLMORE ? 5 : 2;
    return arguments + STAGES * (sides + (p.forced ? 2 : 0)) + 4 + 5;
}

/* A fused stage reads u and the k that it needs, and writes its own. */
static const double fused_words = 2 + 3 + 4 + 4 + 5;

static double launches_of(const struct params *at)
{
    struct curvature p = {.flow = MEAN_CURVATURE};
    (void)curvature_setup(at, &p);
    return STAGES - 1 + STAGES * (1 + (p.flow == WILLMORE) + p.forced) + 1;
}

static struct work cpu1_work(const struct params *at, double size)
{
    return work_of(at, plain_words(at), STAGES + 3, size, -1);
}

static struct work cpun_work(const struct params *at, double size)
{
    return work_of(at, fused_words, STAGES + 2, size, -1);
}

static struct work gpu_work(const struct params *at, double size)
{
    return work_of(at, plain_words(at), STAGES + 3, size, launches_of(at));
}

static struct work gpu_coop_work(const struct params *at, double size)
{
    return work_of(at, fused_words, STAGES + 1, size, 0);
}

#define BOTH_PRECISIONS(name)                                                                      \
    static struct work name##_single_work(const struct params *at)                                 \
    {                                                                                              \
        return name##_work(at, sizeof(float));                                                     \
    }                                                                                              \
    static struct work name##_double_work(const struct params *at)                                 \
    {                                                                                              \
        return name##_work(at, sizeof(double));                                                    \
    }

BOTH_PRECISIONS(cpu1)
BOTH_PRECISIONS(cpun)
BOTH_PRECISIONS(gpu)
BOTH_PRECISIONS(gpu_coop)

#define CALLS(name, suffix)                                                                        \
    .tolerance = exactly, .plan = curvature_##name##_plan##suffix,                                 \
    .load = curvature_##name##_load##suffix, .run = curvature_##name##_run##suffix,                \
    .fetch = curvature_##name##_fetch##suffix, .destroy = curvature_##name##_destroy##suffix

#define KERNEL_CALLS(name, suffix)                                                                 \
    .tolerance = exactly, .plan = DEVICE_CALL(curvature_##name##_plan##suffix),                    \
    .load = DEVICE_CALL(curvature_##name##_load##suffix),                                          \
    .run = DEVICE_CALL(curvature_##name##_run##suffix),                                            \
    .fetch = DEVICE_CALL(curvature_##name##_fetch##suffix),                                        \
    .destroy = DEVICE_CALL(curvature_##name##_destroy##suffix)

const struct variant curvature_variants[] = {
    {.id = "cpu1",
     .title = "the paper's loops on one core, single",
     .source = "Oberhuber, Suzuki, Zabka 2011, Section 4.2",
     .role = PUBLISHED,
     .precision = SINGLE,
     .place = HOST,
     .work = cpu1_single_work,
     CALLS(cpu1, _s)},
    {.id = "cpu1",
     .title = "the paper's loops on one core, double",
     .source = "Oberhuber, Suzuki, Zabka 2011, Section 4.2",
     .role = PUBLISHED,
     .precision = DOUBLE,
     .place = HOST,
     .work = cpu1_double_work,
     CALLS(cpu1, _d)},
    {.id = "cpuN",
     .title = "fused stages of vector loops on all cores, single",
     .source = "ours",
     .role = LIMIT,
     .precision = SINGLE,
     .place = HOST_PARALLEL,
     .work = cpun_single_work,
     CALLS(cpun, _s)},
    {.id = "cpuN",
     .title = "fused stages of vector loops on all cores, double",
     .source = "ours",
     .role = LIMIT,
     .precision = DOUBLE,
     .place = HOST_PARALLEL,
     .work = cpun_double_work,
     CALLS(cpun, _d)},
    {.id = "gpu",
     .title = "a kernel for each argument, w, side and forcing, single",
     .source = "Oberhuber, Suzuki, Zabka 2011, Section 4.3",
     .role = PUBLISHED,
     .precision = SINGLE,
     .place = DEVICE,
     .work = gpu_single_work,
     KERNEL_CALLS(gpu, _s)},
    {.id = "gpu",
     .title = "a kernel for each argument, w, side and forcing, double",
     .source = "Oberhuber, Suzuki, Zabka 2011, Section 4.3",
     .role = PUBLISHED,
     .precision = DOUBLE,
     .place = DEVICE,
     .work = gpu_double_work,
     KERNEL_CALLS(gpu, _d)},
    {.id = "gpu-coop",
     .title = "one kernel that marches, a barrier after each stage, single",
     .source = "ours",
     .role = LIMIT,
     .precision = SINGLE,
     .place = DEVICE,
     .work = gpu_coop_single_work,
     KERNEL_CALLS(gpu_coop, _s)},
    {.id = "gpu-coop",
     .title = "one kernel that marches, a barrier after each stage, double",
     .source = "ours",
     .role = LIMIT,
     .precision = DOUBLE,
     .place = DEVICE,
     .work = gpu_coop_double_work,
     KERNEL_CALLS(gpu_coop, _d)},
    {.id = NULL},
};

const struct family curvature_family = {
    .id = "curvature",
    .title = "curvature flows of graphs by Merson's method",
    .problems = curvature_problems,
    .variants = curvature_variants,
    .rate = "performance",
    .rate_unit = "flop/s",
    .rate_shown = "Gflop/s",
    .rate_scale = 1e9,
};
