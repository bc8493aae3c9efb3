/*
 * The variants of the family: the paper's loop on the CPU and its three ways on a GPU, and the
 * limits of both. All do the same operations on every point in an order that changes no bit, so
 * none may differ from the reference. Each row says what its algorithm has to move.
 */
#include <math.h>

#include "machine/device.h"
#include "parabolic.h"

static double exactly(const struct params *at)
{
    (void)at;
    return 0;
}

/* --- what it takes --- */

static struct parabolic given(const struct params *at)
{
    struct parabolic p = {.n = 1, .model = 1, .steps = 1, .rows = 1};
    (void)parabolic_setup(at, &p); /* create() refuses what does not fit */
    return p;
}

/* `words` are what has to be moved to update a point once, beyond any cache. Operations: products
 * with tables once a row, the source linear along a row. */
static struct work work_of(const struct parabolic *p, double words, double size)
{
    static const double flops[5] = {0, 6, 9, 14, 12};
    const double n = (double)p->n, updates = n * n * (double)p->steps;
    return (struct work){
        .flops = flops[p->model] * updates, .bytes = words * size * updates, .useful = updates};
}

/* Fields held besides the one that is computed, and fields of the answer. */
static double more_fields(const struct parabolic *p)
{
    return (p->scheme == JACOBI ? 1 : 0) + (p->snapshot > 0 ? 1 : 0);
}

static double answer(const struct parabolic *p)
{
    return (p->snapshot > 0 ? 2 : 1) * (double)p->n * (double)p->n;
}

/* Values of a field whose rows begin at multiples of 32. */
static double field(const struct parabolic *p, bool separated)
{
    const double columns = (double)p->n + 2, arrays = separated ? 2 : 1;
    return arrays * columns * 32 * ceil(ceil(columns / arrays) / 32);
}

/* Both sweeps read and write all lines of the array; jacobi reads one and writes the other. */
static struct work cpu_work(const struct params *at, double size)
{
    const struct parabolic p = given(at);
    const double line = (double)p.n + 2;
    struct work work = work_of(&p, p.scheme == JACOBI ? 2 : 4, size);
    work.host_bytes = size * ((1 + more_fields(&p)) * line * line + 6 * line + answer(&p));
    return work;
}

/* Eight steps at most in a pass that reads and writes everything once. Half as much, at most, is
 * copied from band to band. */
static struct work cpu_omp_work(const struct params *at, double size)
{
    const struct parabolic p = given(at);
    struct work work = work_of(&p, 2.0 / 8, size);
    work.host_bytes = size * ((1.5 + more_fields(&p)) * field(&p, true) + answer(&p));
    return work;
}

static struct work device_work(const struct params *at, double words, bool separated, double size)
{
    const struct parabolic p = given(at);
    struct work work = work_of(&p, words, size);
    work.launches = 3 * (double)p.steps;
    work.host_bytes = size * (field(&p, separated) + answer(&p));
    work.device_bytes =
        size * ((1 + more_fields(&p)) * field(&p, separated) + 6 * ((double)p.n + 2));
    return work;
}

/* As on the CPU: of every line that a phase touches, half is the other colour. */
static struct work gpu_work(const struct params *at, double size)
{
    return device_work(at, 4, false, size);
}

/* The own colour read and written, the other one read. */
static struct work gpu_rb_work(const struct params *at, double size)
{
    return device_work(at, 3, true, size);
}

/* The same at least: the rows and columns that sets and blocks share may come from a cache. */
static struct work gpu_rbs_work(const struct params *at, double size)
{
    return device_work(at, 3, true, size);
}

/* Four steps at most in a pass that reads one field and writes another. */
static struct work gpu_tb_work(const struct params *at, double size)
{
    const struct parabolic p = given(at);
    struct work work = device_work(at, 2.0 / 4, true, size);
    work.launches = ceil((double)p.steps / 4);
    work.device_bytes += size * (p.scheme == JACOBI ? 0 : field(&p, true));
    return work;
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

BOTH_PRECISIONS(cpu)
BOTH_PRECISIONS(cpu_omp)
BOTH_PRECISIONS(gpu)
BOTH_PRECISIONS(gpu_rb)
BOTH_PRECISIONS(gpu_rbs)
BOTH_PRECISIONS(gpu_tb)

#define CALLS(name, suffix)                                                                        \
    .tolerance = exactly, .plan = parabolic_##name##_plan##suffix,                                 \
    .load = parabolic_##name##_load##suffix, .run = parabolic_##name##_run##suffix,                \
    .fetch = parabolic_##name##_fetch##suffix, .destroy = parabolic_##name##_destroy##suffix

#define KERNEL_CALLS(name, suffix)                                                                 \
    .tolerance = exactly, .plan = DEVICE_CALL(parabolic_##name##_plan##suffix),                    \
    .load = DEVICE_CALL(parabolic_##name##_load##suffix),                                          \
    .run = DEVICE_CALL(parabolic_##name##_run##suffix),                                            \
    .fetch = DEVICE_CALL(parabolic_##name##_fetch##suffix),                                        \
    .destroy = DEVICE_CALL(parabolic_##name##_destroy##suffix)

const struct variant parabolic_variants[] = {
    {.id = "CPU",
     .title = "the plain loop on one core, single",
     .source = "Foster 2011, Section 2",
     .role = PUBLISHED,
     .precision = SINGLE,
     .place = HOST,
     .work = cpu_single_work,
     CALLS(cpu, _s)},
    {.id = "CPU-omp",
     .title = "separated arrays, several steps in a pass, on all cores, single",
     .source = "ours",
     .role = LIMIT,
     .precision = SINGLE,
     .place = HOST_PARALLEL,
     .work = cpu_omp_single_work,
     CALLS(cpu_omp, _s)},
    {.id = "GPU",
     .title = "one array, a kernel for each colour, single",
     .source = "Foster 2011, Section 2",
     .role = PUBLISHED,
     .precision = SINGLE,
     .place = DEVICE,
     .work = gpu_single_work,
     KERNEL_CALLS(gpu, _s)},
    {.id = "GPU-RB",
     .title = "separated red and black arrays, single",
     .source = "Foster 2011, Section 3.1",
     .role = PUBLISHED,
     .precision = SINGLE,
     .place = DEVICE,
     .work = gpu_rb_single_work,
     KERNEL_CALLS(gpu_rb, _s)},
    {.id = "GPU-RBS",
     .title = "separated arrays, 127 points a block, rows in shared memory, single",
     .source = "Foster 2011, Sections 3.2, 3.3",
     .role = PUBLISHED,
     .precision = SINGLE,
     .place = DEVICE,
     .work = gpu_rbs_single_work,
     KERNEL_CALLS(gpu_rbs, _s)},
    {.id = "GPU-TB",
     .title = "separated arrays, four steps in a pass, single",
     .source = "ours",
     .role = LIMIT,
     .precision = SINGLE,
     .place = DEVICE,
     .work = gpu_tb_single_work,
     KERNEL_CALLS(gpu_tb, _s)},
    {.id = "CPU",
     .title = "the plain loop on one core, double",
     .source = "Foster 2011, Section 2",
     .role = PUBLISHED,
     .precision = DOUBLE,
     .place = HOST,
     .work = cpu_double_work,
     CALLS(cpu, _d)},
    {.id = "CPU-omp",
     .title = "separated arrays, several steps in a pass, on all cores, double",
     .source = "ours",
     .role = LIMIT,
     .precision = DOUBLE,
     .place = HOST_PARALLEL,
     .work = cpu_omp_double_work,
     CALLS(cpu_omp, _d)},
    {.id = "GPU",
     .title = "one array, a kernel for each colour, double",
     .source = "Foster 2011, Section 2",
     .role = PUBLISHED,
     .precision = DOUBLE,
     .place = DEVICE,
     .work = gpu_double_work,
     KERNEL_CALLS(gpu, _d)},
    {.id = "GPU-RB",
     .title = "separated red and black arrays, double",
     .source = "Foster 2011, Section 3.1",
     .role = PUBLISHED,
     .precision = DOUBLE,
     .place = DEVICE,
     .work = gpu_rb_double_work,
     KERNEL_CALLS(gpu_rb, _d)},
    {.id = "GPU-RBS",
     .title = "separated arrays, 127 points a block, rows in shared memory, double",
     .source = "Foster 2011, Sections 3.2, 3.3",
     .role = PUBLISHED,
     .precision = DOUBLE,
     .place = DEVICE,
     .work = gpu_rbs_double_work,
     KERNEL_CALLS(gpu_rbs, _d)},
    {.id = "GPU-TB",
     .title = "separated arrays, four steps in a pass, double",
     .source = "ours",
     .role = LIMIT,
     .precision = DOUBLE,
     .place = DEVICE,
     .work = gpu_tb_double_work,
     KERNEL_CALLS(gpu_tb, _d)},
    {.id = NULL},
};

const struct family parabolic_family = {
    .id = "parabolic",
    .title = "parabolic equations in two dimensions on a checkerboard",
    .problems = parabolic_problems,
    .variants = parabolic_variants,
    .rate = "throughput",
    .rate_unit = "point/s",
    .rate_shown = "Mpts/s",
    .rate_scale = 1e6,
};
