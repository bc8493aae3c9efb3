/*
 * The variants of the family: the paper's loop on the CPU and its three ways on a GPU, and the
 * limits of both. All do the same operations on every point in an order that changes no bit, so
 * none may differ from the reference. Each row says what its algorithm has to move.
 */
#include <math.h>

#include "machine/device.h"
#include "parabolic.h"

#include "../common/solution.h" /* exactly */

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
static struct work cpu_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double line = (double)p.n + 2, size = (double)value_size(variant->precision);
    struct work work = work_of(&p, p.scheme == JACOBI ? 2 : 4, size);
    work.host_bytes = size * ((1 + more_fields(&p)) * line * line + 6 * line + answer(&p));
    return work;
}

/* Twelve steps at most in a pass that reads and writes everything once. Half as much, at most, is
 * copied from band to band. */
static struct work cpu_omp_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double size = (double)value_size(variant->precision);
    struct work work = work_of(&p, 2.0 / 12, size);
    work.host_bytes = size * ((1.5 + more_fields(&p)) * field(&p, true) + answer(&p));
    return work;
}

static struct work device_work(const struct parabolic *p, double words, bool separated, double size)
{
    struct work work = work_of(p, words, size);
    work.launches = 3 * (double)p->steps;
    work.host_bytes = size * (field(p, separated) + answer(p));
    work.device_bytes =
        size * ((1 + more_fields(p)) * field(p, separated) + 6 * ((double)p->n + 2));
    return work;
}

/* As on the CPU: of every line that a phase touches, half is the other colour. */
static struct work gpu_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    return device_work(&p, 4, false, (double)value_size(variant->precision));
}

/* The own colour read and written, the other one read; at least, since the rows and columns that
 * sets and blocks of GPU-RBS share may come from a cache. */
static struct work separated_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    return device_work(&p, 3, true, (double)value_size(variant->precision));
}

/* Four steps at most in a pass that reads one field and writes another. */
static struct work gpu_tb_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double size = (double)value_size(variant->precision);
    struct work work = device_work(&p, 2.0 / 4, true, size);
    work.launches = ceil((double)p.steps / 4);
    work.device_bytes += size * (p.scheme == JACOBI ? 0 : field(&p, true));
    return work;
}

/* A step reads one field and writes another. */
static struct work gpu_sweep_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double size = (double)value_size(variant->precision);
    struct work work = device_work(&p, 2, false, size);
    work.launches = (double)parabolic_records(&p);
    work.device_bytes += size * (p.scheme == JACOBI ? 0 : field(&p, false));
    return work;
}

/* What GPU-limit keeps on a card of 256 multiprocessors with 64 Ki registers each, and the steps of
 * a pass over what is larger. With 132 of them 2092 and 1506 points a side stay; to take the
 * smaller number would call right times impossible on a larger card. */
static const struct {
    size_t stays;
    double steps;
} limits[] = {[SINGLE] = {2852, 8}, [DOUBLE] = {2100, 6}};

/* A grid that stays is read and written once, another once a pass. A run may take more launches
 * than this: where coefficients change, or passes do not flow. */
static struct work gpu_limit_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double size = (double)value_size(variant->precision), steps = (double)p.steps;
    const bool stays = p.n <= limits[variant->precision].stays;
    const double passes = stays ? 1 : ceil(steps / limits[variant->precision].steps);
    struct work work = device_work(&p, 2 * passes / steps, false, size);
    work.launches = 1;
    work.device_bytes += size * field(&p, false);
    return work;
}

/* One rank is GPU-limit. Of several each has a part by passes: its rows and, at most, a halo of 16
 * on either side, and two places for what comes from either side. The halo of the next pass is sent
 * in each. */
static struct work gpu_limit_ranks_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double size = (double)value_size(variant->precision), steps = (double)p.steps;
    const double launches = ceil(steps / limits[variant->precision].steps);
    const double ranks = get(at, "ranks"), line = (double)p.n + 2;
    const double share = fmin(1, 1 / ranks + 34 / line), halos = 4 * 16 / line;
    struct work work = ranks > 1 ? device_work(&p, 2 * launches / steps, false, size)
                                 : gpu_limit_work(variant, at);
    if (ranks == 1)
        return work;
    work.flops /= ranks;
    work.bytes /= ranks;
    work.launches = launches;
    work.sent = fmin(ranks - 1, 2) * launches * 2 * limits[variant->precision].steps * line * size;
    work.words = launches - 1;
    work.device_bytes =
        size * (((2 + more_fields(&p)) * share + halos) * field(&p, false) + 6 * line);
    return work;
}

/* Of the task, with sums of neighbours that serve two points, and products of a row that serve all
 * of it: no way is known here that takes fewer. */
static double operations(const struct params *at)
{
    static const double flops[5] = {0, 5, 6, 13, 9};
    const struct parabolic p = given(at);
    return flops[p.model] * (double)p.n * (double)p.n * (double)p.steps;
}

static struct work gpu_limit_fma_work(const struct variant *variant, const struct params *at)
{
    struct work work = gpu_limit_work(variant, at);
    work.flops = operations(at);
    return work;
}

#define ROW(id_, what, precision_, word, calls_, ...)                                              \
    {                                                                                              \
        .id = id_, .title = what ", " word, .precision = precision_, .calls = calls_, __VA_ARGS__  \
    }
#define PAPER(section) .source = "Foster 2011, " section, .role = PUBLISHED, .tolerance = exactly
#define OURS           .source = "ours", .role = LIMIT
#define ROWS(precision, word, suffix)                                                              \
    ROW("CPU", "the plain loop on one core", precision, word, &parabolic_cpu##suffix,              \
        PAPER("Section 2"), .place = HOST, .work = cpu_work),                                      \
        ROW("CPU-omp", "separated arrays, several steps in a pass, on all cores", precision, word, \
            &parabolic_cpu_omp##suffix, OURS, .place = HOST_PARALLEL, .tolerance = exactly,        \
            .work = cpu_omp_work),                                                                 \
        ROW("GPU", "one array, a kernel for each colour", precision, word,                         \
            DEVICE_CALLS(parabolic_gpu##suffix), PAPER("Section 2"), .place = DEVICE,              \
            .work = gpu_work),                                                                     \
        ROW("GPU-RB", "separated red and black arrays", precision, word,                           \
            DEVICE_CALLS(parabolic_gpu_rb##suffix), PAPER("Section 3.1"), .place = DEVICE,         \
            .work = separated_work),                                                               \
        ROW("GPU-RBS", "separated arrays, 127 points a block, rows in shared memory", precision,   \
            word, DEVICE_CALLS(parabolic_gpu_rbs##suffix), PAPER("Sections 3.2, 3.3"),             \
            .place = DEVICE, .work = separated_work),                                              \
        ROW("GPU-TB", "separated arrays, four steps in a pass", precision, word,                   \
            DEVICE_CALLS(parabolic_gpu_tb##suffix), OURS, .place = DEVICE, .tolerance = exactly,   \
            .work = gpu_tb_work),                                                                  \
        ROW("GPU-limit", "tiles in registers, all steps on the chip or several in a pass",         \
            precision, word, DEVICE_CALLS(parabolic_gpu_limit##suffix), OURS, .place = DEVICE,     \
            .tolerance = exactly, .work = gpu_limit_work),                                         \
        ROW("GPU-limit-ranks", "slabs of rows on several cards, several steps in a pass",          \
            precision, word, DEVICE_CALLS(parabolic_gpu_limit_ranks##suffix), OURS,                \
            .place = DEVICE, .ranks = true, .tolerance = exactly, .work = gpu_limit_ranks_work),   \
        ROW("GPU-limit-fma", "GPU-limit with multiply-adds, in other orders", precision, word,     \
            DEVICE_CALLS(parabolic_gpu_limit_fma##suffix), OURS, .place = DEVICE,                  \
            .tolerance = parabolic_rounding, .work = gpu_limit_fma_work),                          \
        ROW("GPU-sweep", "both phases of a step in one sweep, tiles in shared memory", precision,  \
            word, DEVICE_CALLS(parabolic_gpu_sweep##suffix),                                       \
            .source = "as a library for stencils would write it", .role = PEER, .place = DEVICE,   \
            .tolerance = exactly, .work = gpu_sweep_work)

const struct variant parabolic_variants[] = {
    ROWS(SINGLE, "single", _s),
    ROWS(DOUBLE, "double", _d),
    {.id = NULL},
};

/* The grid is read once and written once, whatever the steps; a snapshot is written too. */
static double traffic(enum precision precision, const struct params *at)
{
    const struct parabolic p = given(at);
    return (double)value_size(precision) * ((double)p.n * (double)p.n + answer(&p));
}

const struct family parabolic_family = {
    "parabolic",
    "parabolic equations in two dimensions on a checkerboard",
    parabolic_problems,
    parabolic_variants,
    "throughput",
    "point/s",
    "Mpts/s",
    1e6,
    traffic,
    operations,
};
