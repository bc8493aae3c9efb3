/*
 * The variants of the family: the paper's plain loop, its algorithm through BLAS and on a GPU, the
 * limits of both, and what libraries for arrays have. Each row says what its algorithm has to move;
 * what rounding can explain in it is in rounding.c.
 */
#include "recurrence.h"

#include <math.h>
#include <string.h>

#include "../common/openblas.h"
#include "../common/toolkit.h"
#include "limit.h"
#include "machine/device.h"
#include "rounding.h"

/* --- what it takes --- */

static double order(const struct params *at)
{
    double a[MAX_ORDER];
    int m = 1;
    (void)recurrence_coefficients(at, &m, a); /* create() refuses a bad list */
    return m;
}

static double input_bytes(const struct params *at)
{
    return get_input(at, "f") == NULL ? 0 : get(at, "n") * sizeof(double);
}

/* Operations of (1): a multiplication and an addition for each unknown and each one before it, of m
 * at most. */
static double plain_flops(double m, double n)
{
    return n < m ? n * (n - 1) : 2 * m * n - m * (m + 1);
}

/* In place: f read, x written. */
static struct work seq_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), m = order(at), size = (double)value_size(v->precision);
    return (struct work){.flops = plain_flops(m, n),
                         .useful = 2 * m * n,
                         .bytes = 2 * size * n,
                         .host_bytes = size * n + input_bytes(at)};
}

/* Pass 1 has m inner products, counted by fours, pass 2 the columns of a vector and the m before
 * it; f is read and x written once, between them a tile stays in a cache. What is shorter than a
 * block is solved plainly. */
static struct work seq_omp_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), m = order(at), size = (double)value_size(v->precision);
    const double passes = 2 * (4 * ceil(m / 4)) + 2 * (64 / size + m);
    return (struct work){.flops = n * size < 32768 ? plain_flops(m, n) : passes * n,
                         .useful = 2 * m * n,
                         .bytes = 2 * size * n,
                         .host_bytes = size * n + input_bytes(at)};
}

struct shape {
    double r, s, rest, m;
};

static struct shape shape(const struct params *at, double ratio)
{
    size_t r = 1, s = (size_t)get_long(at, "n");
    (void)recurrence_shape(at, ratio, &r, &s); /* create() refuses what does not fit */
    return (struct shape){(double)r, (double)s, get(at, "n") - (double)(r * s), order(at)};
}

/* Algorithm 2 with y_1 beside the r columns, if there are several; then the remainder. Step 1 reads
 * and writes all, step 3 all but the first column and the last m rows. */
static struct work columns_work(const struct shape *of, double size)
{
    const double r = of->r, s = of->s, m = of->m, n = r * s + of->rest;
    const double columns = r > 1 ? r + 1 : 1, above = r > 1 ? (r - 1) * (s - m) : 0;
    return (struct work){.flops = columns * plain_flops(m, s) + 3 * m * m * (r - 1) +
                                  2 * m * (above + of->rest),
                         .useful = 2 * m * n,
                         .bytes = 2 * size * (n + above)};
}

/* Held besides X with e_1 and the remainder: Y and A. */
static struct work blas_work(const struct variant *v, const struct params *at)
{
    const double size = (double)value_size(v->precision);
    const struct shape of = shape(at, 4);
    struct work work = columns_work(&of, size);
    const double pitch = (double)recurrence_pitch(at, value_size(v->precision), (size_t)of.s);
    const double x = get(at, "n") + of.s + (of.r + 1) * (pitch - of.s);
    work.host_bytes = size * (x + of.m * of.s + of.m * of.r) + input_bytes(at);
    return work;
}

/* On the host: the buffer that fetch transposes from, with the remainder, the last m rows, y_1. */
static struct work hybrid_work(const struct variant *v, const struct params *at)
{
    const double size = (double)value_size(v->precision);
    const struct shape of = shape(at, 1);
    const double y = of.s + of.m - 1, input = get_input(at, "f") == NULL ? 0 : sizeof(double);
    struct work work = columns_work(&of, size);
    work.launches = of.r > 1 ? 2 : 1;
    work.host_bytes = size * (get(at, "n") + of.m * of.r + y) + input_bytes(at);
    work.device_bytes = size * (of.r * of.s + y) + input * of.r * of.s;
    return work;
}

/* f read once and x written once, both in whole tiles; a rank may have a part more than another. At
 * the least what an f adds to the state behind its chain and to its block of 8, and what a state
 * adds to an unknown. */
static struct work limit_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), m = order(at), size = (double)value_size(v->precision);
    const struct recurrence p = {.n = (size_t)get_long(at, "n"), .m = (int)m};
    const struct tiling of =
        recurrence_tiling(&p, v->precision, v->ranks ? (int)get_long(at, "ranks") : 1);
    const double ranks = of.ranks,
                 part = of.ranks > 1 ? fmin((double)of.tiles / ranks, LIMIT_MOST) : 0;
    const double tiles = ceil((double)of.tiles / ranks + part), input = input_bytes(at);
    return (struct work){.flops = n * (4 * m + 9),
                         .useful = 2 * m * n,
                         .bytes = 2 * size * n,
                         .launches = 1,
                         .host_bytes = input,
                         .device_bytes = 2 * size * tiles * (double)of.tile + input +
                                         tiles * 4 * 8 * of.wide * sizeof(double)};
}

/* Each card has its share. */
static struct work limit_ranks_work(const struct variant *v, const struct params *at)
{
    const double ranks = get(at, "ranks");
    struct work work = limit_work(v, at);
    work.flops /= ranks;
    work.bytes /= ranks;
    return work;
}

/* From one array into another, of cases with m = 1 and a = 1 alone. */
static struct work cumsum_work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "n"), size = (double)value_size(v->precision);
    return (struct work){.flops = n,
                         .useful = 2 * order(at) * n,
                         .bytes = 2 * size * n,
                         .host_bytes = 2 * size * n + input_bytes(at)};
}

/* A composition at least for each unknown, `flops` each; f is read and x written, in one kernel
 * beside the one that prepares the messages of the tiles, which are of at least 128 unknowns and
 * pass on `words` values twice. */
static struct work scan_work(const struct variant *v, const struct params *at, double flops,
                             double words)
{
    const double n = get(at, "n"), size = (double)value_size(v->precision);
    const double messages = 2 * words * (n / 128 + 32);
    return (struct work){.flops = flops * n,
                         .useful = 2 * order(at) * n,
                         .bytes = 2 * size * n,
                         .launches = 2,
                         .host_bytes = input_bytes(at),
                         .device_bytes = size * (2 * n + messages) + input_bytes(at)};
}

static struct work cub_sum_work(const struct variant *v, const struct params *at)
{
    return scan_work(v, at, 1, 2);
}

/* A product of matrices, one of a matrix and a vector, and a sum. */
static struct work cub_composed_work(const struct variant *v, const struct params *at)
{
    const double m = order(at);
    return scan_work(v, at, m * m * (2 * m - 1) + 2 * m * m, m * (m + 1) + 2);
}

#define ROW(label, what, word, ...)                                                                \
    {                                                                                              \
        .id = label, .title = what ", " word, __VA_ARGS__                                          \
    }

/* All variants in one precision. */
#define ROWS(word, precision_, recipe)                                                             \
    ROW("SEQ", "the plain loop on one core", word, .source = "Stpiczynski 2011, (1)",              \
        .role = PUBLISHED, .precision = precision_, .place = HOST,                                 \
        .tolerance = recurrence_plain_tolerance, .work = seq_work,                                 \
        .calls = &recurrence_seq##recipe),                                                         \
        ROW("BLAS", "divide and conquer by BLAS on one core", word,                                \
            .source = "Stpiczynski 2011, Algorithm 1", .role = PUBLISHED, .precision = precision_, \
            .place = HOST, .tolerance = recurrence_blas_tolerance, .work = blas_work,              \
            OPENBLAS_CALLS(recurrence_blas##recipe)),                                              \
        ROW("BLAS-omp", "divide and conquer by BLAS on all cores", word,                           \
            .source = "Stpiczynski 2011, Algorithm 2", .role = PUBLISHED, .precision = precision_, \
            .place = HOST_PARALLEL, .tolerance = recurrence_blas_tolerance, .work = blas_work,     \
            OPENBLAS_CALLS(recurrence_blas_omp##recipe)),                                          \
        ROW("SEQ-omp", "blocks of the plain loop on all cores", word, .source = "ours",            \
            .role = LIMIT, .precision = precision_, .place = HOST_PARALLEL,                        \
            .tolerance = recurrence_seq_omp_tolerance, .work = seq_omp_work,                       \
            .calls = &recurrence_seq_omp##recipe),                                                 \
        ROW("GPU+CPU", "divide and conquer by kernels, step 2 on the host", word,                  \
            .source = "Stpiczynski 2011, Figs. 2-4", .role = PUBLISHED, .precision = precision_,   \
            .place = HYBRID, .tolerance = recurrence_hybrid_tolerance, .work = hybrid_work,        \
            .calls = DEVICE_CALLS(recurrence_hybrid##recipe)),                                     \
        ROW("limit", "one pass at the speed of a copy, states passed on as messages", word,        \
            .source = "ours", .role = LIMIT, .precision = precision_, .place = DEVICE,             \
            .tolerance = recurrence_limit_tolerance, .work = limit_work,                           \
            .calls = DEVICE_CALLS(recurrence_limit##recipe)),                                      \
        ROW("cumsum", "the running sum into another array on one core", word,                      \
            .source = "as in NumPy", .role = PEER, .precision = precision_, .place = HOST,         \
            .tolerance = recurrence_plain_tolerance, .work = cumsum_work,                          \
            .calls = &recurrence_cumsum##recipe),                                                  \
        ROW("cub-sum", "CUB's sum, of m = 1 and a = 1", word,                                      \
            .source = "CUB, DeviceScan::InclusiveSum", .role = PEER, .precision = precision_,      \
            .place = DEVICE, .tolerance = recurrence_sum_tolerance, .work = cub_sum_work,          \
            TOOLKIT_CALLS(recurrence_cub_sum##recipe)),                                            \
        ROW("cub-affine", "CUB's scan of affine maps, of m = 1", word,                             \
            .source = "CUB, DeviceScan::InclusiveScan", .role = PEER, .precision = precision_,     \
            .place = DEVICE, .tolerance = recurrence_scan_tolerance, .work = cub_composed_work,    \
            TOOLKIT_CALLS(recurrence_cub_affine##recipe)),                                         \
        ROW("cub-matrix", "CUB's scan of matrices, of m = 2 to 4", word,                           \
            .source = "CUB, DeviceScan::InclusiveScan", .role = PEER, .precision = precision_,     \
            .place = DEVICE, .tolerance = recurrence_scan_tolerance, .work = cub_composed_work,    \
            TOOLKIT_CALLS(recurrence_cub_matrix##recipe))

#define RANKS(word, precision_, recipe)                                                            \
    ROW("limit-ranks", "limit on several cards, which tell each other what they add", word,        \
        .source = "ours", .role = LIMIT, .precision = precision_, .place = DEVICE, .ranks = true,  \
        .tolerance = recurrence_limit_tolerance, .work = limit_ranks_work,                         \
        .calls = DEVICE_CALLS(recurrence_limit_ranks##recipe))

#define GRAPH(word, precision_, recipe)                                                            \
    ROW("limit-graph", "limit, again and again in a graph: launches cost the host nothing", word,  \
        .source = "ours", .role = LIMIT, .precision = precision_, .place = DEVICE, .graph = true,  \
        .tolerance = recurrence_limit_tolerance, .work = limit_work,                               \
        .calls = DEVICE_CALLS(recurrence_limit##recipe))

const struct variant recurrence_variants[] = {
    ROWS("single", SINGLE, _s),
    ROWS("double", DOUBLE, _d),
    GRAPH("single", SINGLE, _s),
    GRAPH("double", DOUBLE, _d),
    RANKS("single", SINGLE, _s),
    RANKS("double", DOUBLE, _d),
    {.id = NULL},
};

/* f read and x written. */
static double traffic(enum precision precision, const struct params *at)
{
    return 2 * (double)value_size(precision) * get(at, "n");
}

/* Those of (1), where a coefficient of 1 or -1 needs no product; the first m unknowns take fewer.
 */
static double operations(const struct params *at)
{
    double a[MAX_ORDER], flops = 0;
    const double n = get(at, "n");
    int m = 0;
    (void)recurrence_coefficients(at, &m, a); /* create() refuses a bad list */
    for (int k = 0; k < m && k < n; k++)
        flops += (fabs(a[k]) == 1 ? 1 : 2) * (n - 1 - k);
    return flops;
}

const struct family recurrence_family = {
    "recurrence",
    "linear recurrences with constant coefficients",
    recurrence_problems,
    recurrence_variants,
    "performance",
    "flop/s",
    "Gflop/s",
    1e9,
    traffic,
    operations,
};
