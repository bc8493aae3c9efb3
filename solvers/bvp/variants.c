/*
 * The variants of the family: the paper's five, the host's limit, LAPACK. Each row says how exact
 * its answer must be and what its algorithm has to move.
 */
#include "bvp.h"

#include <math.h>

#include "../common/openblas.h"
#include "machine/device.h"

static const double unit_single = 0x1p-24, unit_double = 0x1p-53;

/* --- how exact: of the rounding alone, relative to u in l2 ---
 * Measured: both problems, n from 64 to 200000, five shapes, four amplitudes, and the published
 * sizes. In float the worst was 0.12 units per term of a chain of additions where the carry stands
 * still and 0.8 elsewhere, plus 3 units of f; in double 2.1 units times the square root of the
 * chain, and 2.7 in the analysis of n = 2^26 with r = 2^18. */

/* In float the worst case, in which every addition rounds the same way: a carry that stands still
 * does that. An answer no better than zero is wrong, whatever rounding can do. In double no carry
 * stands still, and the errors add up like a random walk. */
static double rounding(const struct variant *v, double units, double chain)
{
    return v->precision == DOUBLE ? 16 * unit_double * sqrt(chain)
                                  : fmin(0.999, units * unit_single * (chain + 8));
}

static void shape(const struct params *at, double *r, double *s)
{
    size_t columns = 1, rows = (size_t)get_long(at, "n");
    (void)bvp_shape(at, &columns, &rows); /* create() refuses what does not fit */
    *r = (double)columns;
    *s = (double)rows;
}

static double a1_tolerance(const struct variant *v, const struct instance *in,
                           const struct solution *got, struct judgement *out)
{
    (void)got, (void)out;
    return rounding(v, 2, get(&in->at, "n"));
}

/* The mixed variant has the sums over the r columns in double. */
static double a2_tolerance(const struct variant *v, const struct instance *in,
                           const struct solution *got, struct judgement *out)
{
    (void)got, (void)out;
    double r, s;
    shape(&in->at, &r, &s);
    return rounding(v, 4, v->precision == MIXED ? s : s + r);
}

/* Its chains: through a block of 4096 unknowns and over the blocks. */
static double a1_omp_tolerance(const struct variant *v, const struct instance *in,
                               const struct solution *got, struct judgement *out)
{
    (void)got, (void)out;
    const double n = get(&in->at, "n");
    return rounding(v, 2, fmin(n, 4096) + n / 4096);
}

/* --- what it takes; the operations of f are not counted --- */

static double input_bytes(const struct params *at)
{
    return at->input_path == NULL ? 0 : get(at, "n") * sizeof(double);
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
    const double input = at->input_path == NULL ? 0 : size * n;
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

/* Written: d, e, b. dpttrf reads and writes d, e; dptts2 reads e, b and writes b, then reads d, e,
 * b and writes b: 14 words. Operations: 3 for the factors, 2 forward, 3 backward. */
static struct work dptsv_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), size = (double)value_size(v->precision);
    return (struct work){.flops = 8 * n,
                         .bytes = 14 * size * n + input_bytes(at),
                         .host_bytes = 3 * size * n + input_bytes(at)};
}

#define A1                                                                                         \
    .source = "Stpiczynski, Potiopa 2010, (7), (8)", .role = PUBLISHED, .place = HOST,             \
    .tolerance = a1_tolerance, .work = a1_work

#define A2                                                                                         \
    .source = "Stpiczynski, Potiopa 2010, (9), (10), Figs. 3-7", .role = PUBLISHED,                \
    .place = HYBRID, .tolerance = a2_tolerance, .work = a2_work

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
    {"A1D-omp", "two sums on all cores, f twice, u written once", "ours", LIMIT, DOUBLE,
     HOST_PARALLEL, .tolerance = a1_omp_tolerance, .work = a1_omp_work, .calls = &bvp_a1_omp},
    {"lapack-dptsv", "LAPACK for symmetric positive definite tridiagonal systems", "LAPACK", PEER,
     DOUBLE, HOST, .tolerance = a1_tolerance, .work = dptsv_work, OPENBLAS_CALLS(bvp_dptsv)},
    {.id = NULL},
};

const struct family bvp_family = {"bvp", "a boundary value problem as two prefix sums",
                                  bvp_problems, bvp_variants};
