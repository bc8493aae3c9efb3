/*
 * The variants of the family: the paper's five, the host's limit, LAPACK. Each row says how exact
 * its answer must be and what its algorithm has to move.
 */
#include "bvp.h"

#include <math.h>

#include "machine/device.h"

static const double unit_single = 0x1p-24, unit_double = 0x1p-53;

/* --- how exact: of the rounding alone, relative to u in l2 ---
 * Measured: both problems, n from 64 to 200000, five shapes, four amplitudes, and the published
 * sizes. In float the worst was 0.12 units per term of a chain of additions where the carry stands
 * still and 0.8 elsewhere, plus 3 units of f; in double 2.1 units times the square root of the
 * chain, and 2.7 in the analysis of n = 2^26 with r = 2^18. */

/* Worst case of float: every addition rounds the same way. A carry that stands still does that. An
 * answer no better than zero is wrong, whatever rounding can do. */
static double single_tolerance(double units, double chain)
{
    return fmin(0.999, units * unit_single * (chain + 8));
}

/* In double no carry stands still, and the errors add up like a random walk. */
static double double_tolerance(double chain)
{
    return 16 * unit_double * sqrt(chain);
}

static void shape(const struct params *at, double *r, double *s)
{
    size_t columns = 1, rows = (size_t)get_long(at, "n");
    (void)bvp_shape(at, &columns, &rows); /* create() refuses what does not fit */
    *r = (double)columns;
    *s = (double)rows;
}

static double a1s_tolerance(const struct params *at)
{
    return single_tolerance(2, get(at, "n"));
}

static double a1d_tolerance(const struct params *at)
{
    return double_tolerance(get(at, "n"));
}

static double a2s_tolerance(const struct params *at)
{
    double r, s;
    shape(at, &r, &s);
    return single_tolerance(4, s + r);
}

static double a2d_tolerance(const struct params *at)
{
    double r, s;
    shape(at, &r, &s);
    return double_tolerance(s + r);
}

/* The sums over the r columns are double. */
static double a2sd_tolerance(const struct params *at)
{
    double r, s;
    shape(at, &r, &s);
    return single_tolerance(4, s);
}

/* Its chains: through a block of 4096 unknowns and over the blocks. */
static double a1_omp_tolerance(const struct params *at)
{
    const double n = get(at, "n");
    return double_tolerance(fmin(n, 4096) + n / 4096);
}

/* --- what it takes; the operations of f are not counted --- */

static double input_bytes(const struct params *at)
{
    return at->input_path == NULL ? 0 : get(at, "n") * sizeof(double);
}

/* f writes the array, (7) and (8) read and write it; an input is read once. */
static struct work a1_work(const struct params *at, double size)
{
    const double n = get(at, "n");
    return (struct work){.flops = 2 * n,
                         .bytes = 5 * size * n + input_bytes(at),
                         .host_bytes = size * n + input_bytes(at)};
}

static struct work a1s_work(const struct params *at)
{
    return a1_work(at, sizeof(float));
}

static struct work a1d_work(const struct params *at)
{
    return a1_work(at, sizeof(double));
}

/* `set` writes the array; 1A, 1C, 2A and 2C each read and write it. On the host: the buffer that
 * fetch transposes from, with the remainder, and a row. */
static struct work a2_work(const struct params *at, double size)
{
    const double n = get(at, "n");
    double r, s;
    shape(at, &r, &s);
    const double input = at->input_path == NULL ? 0 : size * n;
    return (struct work){.flops = 4 * n,
                         .bytes = 9 * size * n + input,
                         .launches = 4,
                         .host_bytes = size * (n + r) + input + input_bytes(at),
                         .device_bytes = size * r * s + input};
}

static struct work a2s_work(const struct params *at)
{
    return a2_work(at, sizeof(float));
}

static struct work a2d_work(const struct params *at)
{
    return a2_work(at, sizeof(double));
}

/* Only u is written; an input is read twice. The sums: 2 additions for each element in pass 1, 4 in
 * pass 2. */
static struct work a1_omp_work(const struct params *at)
{
    const double n = get(at, "n"), size = sizeof(double);
    return (struct work){.flops = 6 * n,
                         .bytes = size * n + 2 * input_bytes(at),
                         .host_bytes = size * n + input_bytes(at)};
}

/* Written: d, e, b. dpttrf reads and writes d, e; dptts2 reads e, b and writes b, then reads d, e,
 * b and writes b: 14 words. Operations: 3 for the factors, 2 forward, 3 backward. */
static struct work dptsv_work(const struct params *at)
{
    const double n = get(at, "n"), size = sizeof(double);
    return (struct work){.flops = 8 * n,
                         .bytes = 14 * size * n + input_bytes(at),
                         .host_bytes = 3 * size * n + input_bytes(at)};
}

#define CALLS(name, suffix)                                                                        \
    .plan = bvp_##name##_plan##suffix, .run = bvp_##name##_run##suffix,                            \
    .fetch = bvp_##name##_fetch##suffix, .destroy = bvp_##name##_destroy##suffix

#define KERNEL_CALLS(name, suffix)                                                                 \
    .plan = DEVICE_CALL(bvp_##name##_plan##suffix), .run = DEVICE_CALL(bvp_##name##_run##suffix),  \
    .fetch = DEVICE_CALL(bvp_##name##_fetch##suffix),                                              \
    .destroy = DEVICE_CALL(bvp_##name##_destroy##suffix)

const struct variant bvp_variants[] = {
    {.id = "A1S",
     .title = "two sums on one core, single",
     .source = "Stpiczynski, Potiopa 2010, (7), (8)",
     .role = PUBLISHED,
     .precision = SINGLE,
     .place = HOST,
     .tolerance = a1s_tolerance,
     .work = a1s_work,
     CALLS(a1, _s)},
    {.id = "A1D",
     .title = "two sums on one core, double",
     .source = "Stpiczynski, Potiopa 2010, (7), (8)",
     .role = PUBLISHED,
     .precision = DOUBLE,
     .place = HOST,
     .tolerance = a1d_tolerance,
     .work = a1d_work,
     CALLS(a1, _d)},
    {.id = "A2S",
     .title = "divide and conquer, single",
     .source = "Stpiczynski, Potiopa 2010, (9), (10), Figs. 3-7",
     .role = PUBLISHED,
     .precision = SINGLE,
     .place = HYBRID,
     .tolerance = a2s_tolerance,
     .work = a2s_work,
     KERNEL_CALLS(a2, _s)},
    {.id = "A2D",
     .title = "divide and conquer, double",
     .source = "Stpiczynski, Potiopa 2010, (9), (10), Figs. 3-7",
     .role = PUBLISHED,
     .precision = DOUBLE,
     .place = HYBRID,
     .tolerance = a2d_tolerance,
     .work = a2d_work,
     KERNEL_CALLS(a2, _d)},
    {.id = "A2SD",
     .title = "divide and conquer, single, steps 1B and 2B in double",
     .source = "Stpiczynski, Potiopa 2010, (9), (10), Figs. 3-7",
     .role = PUBLISHED,
     .precision = MIXED,
     .place = HYBRID,
     .tolerance = a2sd_tolerance,
     .work = a2s_work,
     KERNEL_CALLS(a2, _sd)},
    {.id = "A1D-omp",
     .title = "two sums on all cores, f twice, u written once",
     .source = "ours",
     .role = LIMIT,
     .precision = DOUBLE,
     .place = HOST_PARALLEL,
     .tolerance = a1_omp_tolerance,
     .work = a1_omp_work,
     CALLS(a1_omp, )},
    {.id = "lapack-dptsv",
     .title = "LAPACK for symmetric positive definite tridiagonal systems",
     .source = "LAPACK",
     .role = PEER,
     .precision = DOUBLE,
     .place = HOST,
     .tolerance = a1d_tolerance,
     .work = dptsv_work,
#ifdef HAVE_OPENBLAS
     CALLS(dptsv, )},
#else
     .unavailable = "this build has no OpenBLAS (option peers)"},
#endif
    {.id = NULL},
};

const struct family bvp_family = {.id = "bvp",
                                  .title = "a boundary value problem as two prefix sums",
                                  .problems = bvp_problems,
                                  .variants = bvp_variants};
