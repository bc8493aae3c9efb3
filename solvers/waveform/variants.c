/*
 * The variants of the family: both relaxations as the paper runs them, on a CPU and on a GPU, and
 * as well as either can. Each row says how exact its answer must be and what its algorithm has to
 * move.
 */
#include "waveform.h"

#include <math.h>

#include "machine/device.h"

#include "../common/openblas.h"
#include "../common/toolkit.h"

/* --- how exact: the judge measures in units of what rounding can do to this iteration on these
 * data, whatever the order of a sum --- */

static double tolerance(const struct variant *variant, const struct instance *in,
                        const struct solution *got, struct judgement *out)
{
    (void)variant, (void)in, (void)got, (void)out;
    return 1;
}

/* --- what it takes --- */

/* By the problem's code. */
static const struct {
    int bands;       /* of A beside its diagonal */
    bool full;       /* it has entries everywhere else too */
    double coupling; /* largest sum of a row's entries in the bands; 0: not known */
} kinds[] = {[HEAT1D] = {2, false, 2},
             [HEAT2D] = {4, false, 4},
             [CONTROL] = {2, true, 0.2},
             [USER] = {0, true, 0}};

/* Iterations that the work counts, an assumption: the first k for which (L T)^k / k! is tol, where
 * corrections fall no faster, or nmax, or MOST. L is what a component feels of its neighbours, by
 * Picard of itself too. The judge says how many were made. */
static double assumed_iterations(const struct params *at, enum relaxation relaxation)
{
    enum { MOST = 100 };
    const int code = at->problem->code;
    const double coupling = kinds[code].coupling;
    const double diagonal = code == CONTROL ? pow(1.5, get(at, "d") - 1) : coupling;
    const double lt = get(at, "T") * (coupling + (relaxation == PICARD ? diagonal : 0));
    const double most = fmin(get(at, "nmax"), MOST);
    double k = 1;
    for (double bound = lt; bound > get(at, "tol") && k < most; bound *= lt / k)
        k++;
    return k;
}

struct shape {
    double d, points, stored, updated; /* values that a waveform has, and that are computed */
    double size;                       /* bytes of a value */
    double iterations, matrix;         /* matrix: numbers in it */
    double row, step;                  /* operations of a row; of the step and the difference */
    bool dense, sums;
    double problem; /* bytes of its own */
};

static struct shape shape_of(const struct variant *variant, const struct params *at)
{
    const enum relaxation relaxation = (enum relaxation)variant->code;
    const int code = at->problem->code, bands = kinds[code].bands;
    const double d = get(at, "d"), points = get(at, "N"), own = relaxation == PICARD ? 1 : 0;
    const bool sparse = code != USER && get_long(at, "storage") == 1;
    const bool sums = sparse && kinds[code].full;
    return (struct shape){.d = d,
                          .points = points,
                          .stored = d * points,
                          .updated = d * (points - 1),
                          .size = (double)value_size(variant->precision),
                          .iterations = assumed_iterations(at, relaxation),
                          .matrix = sparse ? (bands + own + sums) * d : d * d,
                          .row = sparse ? 2 * (bands + own) - 1 + 3 * sums : 2 * (d - 1 + own) - 1,
                          .step = relaxation == PICARD ? 3 : 4,
                          .dense = !sparse,
                          .sums = sums,
                          .problem = 8 * d * (bands + 3) + (code == USER ? 8 * d * d : 0)};
}

/* `waveforms` are read or written whole in an iteration. */
static struct work work_of(const struct shape *s, double waveforms)
{
    return (struct work){.flops = s->iterations * (s->row + s->step) * s->updated,
                         .bytes = s->iterations * s->size * (s->matrix + waveforms * s->stored),
                         .steps = s->iterations,
                         .host_bytes = s->problem + s->size * s->stored};
}

/* A copy, a sweep and a comparison, each of which reads or writes two; a sum that reads one more.
 */
static struct work cpu_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    struct work work = work_of(&s, 6 + s.sums);
    work.host_bytes += s.size * (s.matrix + (s.dense ? 3 : 2) * s.stored);
    return work;
}

/* Fused: one read, the next one written; or a product that is written, and read by the sweep. */
static struct work omp_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    struct work work = work_of(&s, s.dense ? 5 : 2 + s.sums);
    work.host_bytes += s.size * (s.matrix + 2 * s.stored);
    return work;
}

static struct work blas_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    struct work work = work_of(&s, 5 + s.sums);
    work.host_bytes += s.size * (s.matrix + 2 * s.stored);
    return work;
}

/* copyVec and lmm move two each, errComp three, the copy to the host reads one. */
static struct work gpu_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    struct work work = work_of(&s, 8 + s.sums);
    work.launches = s.iterations * (3 + s.sums);
    work.host_bytes += s.size * (2 * s.stored + (s.dense ? s.matrix : 0));
    work.device_bytes = s.size * (s.matrix + 4 * s.d + 3 * s.stored);
    return work;
}

/* One waveform is read, and by the sum once more; of the next one is written what changes. A sparse
 * matrix may be a few numbers. Tensor cores multiply in double. */
static struct work gpu_fused_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    const double entries = s.dense ? s.matrix : 0;
    struct work work = work_of(&s, 0);
    work.bytes = s.iterations * s.size * (entries + (1 + s.sums) * s.stored + s.updated);
    if (s.dense && variant->precision == DOUBLE)
        work.tensor = s.iterations * s.row * s.updated;
    work.launches = s.iterations * (1 + s.sums);
    work.host_bytes += s.size * entries;
    work.device_bytes = s.size * (s.matrix + 4 * s.d + 2 * s.stored);
    return work;
}

/* A sweep's share of a pass with as many sweeps as any has, which writes a waveform. A value and
 * its correction take two operations for each neighbour, two of Jacobi and three of Picard. */
static struct work blocked_work(const struct shape *s, const struct variant *variant,
                                const struct params *at)
{
    enum { MOST = 10 }; /* sweeps of a pass */
    const double own = variant->code == PICARD ? 3 : 2;
    struct work work = work_of(s, 0);
    work.flops = s->iterations * (2 * kinds[at->problem->code].bands + own) * s->updated;
    work.bytes = s->iterations * (s->size * s->updated / MOST);
    work.launches = s->iterations * (1.0 / MOST);
    return work;
}

static struct work gpu_blocked_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    struct work work = blocked_work(&s, variant, at);
    work.device_bytes = s.size * 2 * s.stored;
    return work;
}

/* The same, of each card a part, with a halo of 12 components at most on either side, also in
 * letters of two passes. Each sweep needs a component of the neighbours, each pass the corrections
 * of all. */
static struct work gpu_blocked_ranks_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    const double ranks = get(at, "ranks"), halo = 12 * s.points;
    struct work work = blocked_work(&s, variant, at);
    work.flops /= ranks;
    work.bytes /= ranks;
    work.sent = s.iterations * s.size * s.points * fmin(ranks - 1, 2);
    work.words = ranks > 1 ? work.launches : 0;
    work.device_bytes = s.size * (2 * (s.stored / ranks + 2 * halo) + 8 * halo);
    return work;
}

static struct work omp_blocked_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    struct work work = blocked_work(&s, variant, at);
    work.launches = 0;
    work.host_bytes += s.size * 2 * s.stored;
    return work;
}

/* Of the matrix the host has no more than a few rows at a time. */
static struct work dense_work(const struct shape *s, const struct variant *variant,
                              const struct params *at)
{
    enum { ROWS = 256 }; /* and as many in the order of the device */
    struct work work = gpu_fused_work(variant, at);
    work.host_bytes += s->size * (fmin(ROWS, s->d) * s->d + 2 * s->stored - s->matrix);
    return work;
}

/* A launch for all of them, which are a million at most. */
static struct work gpu_dense_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    struct work work = dense_work(&s, variant, at);
    work.launches = work.steps * 1e-6;
    return work;
}

/* Of each card a part of the rows; all of a waveform is read, and what a card makes all others get.
 * In every iteration each hears once from all. */
static struct work gpu_dense_ranks_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    const double ranks = get(at, "ranks"), others = ranks - 1;
    struct work work = gpu_dense_work(variant, at);
    work.flops /= ranks;
    work.tensor /= ranks;
    work.bytes = s.iterations * s.size * ((s.matrix + s.updated) / ranks + s.stored);
    work.sent = s.iterations * s.size * s.updated / ranks * others;
    work.words = others > 0 ? s.iterations : 0;
    work.device_bytes =
        s.size * (s.matrix / ranks + 3 * s.d + (others > 0 ? 3 : 2) * s.stored + s.stored / ranks);
    return work;
}

/* The product is written, and read by the sweep. */
static struct work cublas_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    struct work work = gpu_fused_work(variant, at);
    work.bytes += s.iterations * (s.size * 2 * s.updated);
    work.launches = s.iterations * 2;
    work.device_bytes += s.size * s.stored;
    return work;
}

/* A solve for each point: what was before it and the matrix are read, five operations a component.
 */
static struct work direct_work(const struct variant *variant, const struct params *at)
{
    const struct shape s = shape_of(variant, at);
    const bool device = variant->place == DEVICE;
    return (struct work){.flops = 5 * s.updated,
                         .bytes = s.size * 4 * s.updated,
                         .launches = device ? s.points - 1 : 0,
                         .host_bytes = s.problem + s.size * (2 * s.d + s.stored),
                         .device_bytes = device ? s.size * (2 * s.stored + 8 * s.d) : 0};
}

/* --- the table: of each way both relaxations in both precisions --- */

#define ROW(word, name, relaxation, precision_, precise, ending, what, ...)                        \
    {                                                                                              \
        .id = "wr-" word "-" ending, .title = name ", " what ", " precise,                         \
        .precision = precision_, .code = relaxation, .tolerance = tolerance, __VA_ARGS__           \
    }

/* Double comes first: it is what solve takes unless told otherwise. */
#define ROWS(ending, what, have, way, ...)                                                         \
    ROW("picard", "Picard", PICARD, DOUBLE, "double", ending, what,                                \
        have(waveform_##way##_d[PICARD]), __VA_ARGS__),                                            \
        ROW("jacobi", "Jacobi", JACOBI, DOUBLE, "double", ending, what,                            \
            have(waveform_##way##_d[JACOBI]), __VA_ARGS__),                                        \
        ROW("picard", "Picard", PICARD, SINGLE, "single", ending, what,                            \
            have(waveform_##way##_s[PICARD]), __VA_ARGS__),                                        \
        ROW("jacobi", "Jacobi", JACOBI, SINGLE, "single", ending, what,                            \
            have(waveform_##way##_s[JACOBI]), __VA_ARGS__)

#define GPU_DENSE .role = LIMIT, .place = DEVICE, .work = gpu_dense_work, .source = "ours"
#define GPU_DENSE_RANKS                                                                            \
    .role = LIMIT, .place = DEVICE, .ranks = true, .work = gpu_dense_ranks_work, .source = "ours"
#define DIRECT_LAPACK                                                                              \
    .source = "ours; OpenBLAS", .role = PEER, .place = HOST, .code = DIRECT,                       \
    .tolerance = tolerance, .work = direct_work
#define DIRECT_CUSPARSE                                                                            \
    .source = "ours; cuSPARSE", .role = PEER, .place = DEVICE, .code = DIRECT,                     \
    .tolerance = tolerance, .work = direct_work

#define HOST_CALLS(object)   .calls = &(object)
#define KERNEL_CALLS(object) .calls = DEVICE_CALLS(object)

const struct variant waveform_variants[] = {
    ROWS("cpu", "three passes on one core", HOST_CALLS, cpu, .role = PUBLISHED, .place = HOST,
         .work = cpu_work, .source = "Conte, D'Ambrosio, Paternoster 2014, Section 4"),
    ROWS("gpu", "a thread for each component, errors compared on the host", KERNEL_CALLS, gpu,
         .role = PUBLISHED, .place = DEVICE, .work = gpu_work,
         .source = "Conte, D'Ambrosio, Paternoster 2014, Section 3, Figure 3.1"),
    ROWS("gpu-fused", "a kernel for each iteration", KERNEL_CALLS, gpu_fused, .role = LIMIT,
         .place = DEVICE, .work = gpu_fused_work, .source = "ours"),
    ROWS("gpu-blocked", "several sweeps in a pass over time", KERNEL_CALLS, gpu_blocked,
         .role = LIMIT, .place = DEVICE, .work = gpu_blocked_work, .source = "ours"),
    ROWS("gpu-blocked-ranks", "slabs on several cards, several sweeps in a pass", KERNEL_CALLS,
         gpu_blocked_ranks, .role = LIMIT, .place = DEVICE, .ranks = true,
         .work = gpu_blocked_ranks_work, .source = "ours"),
    ROW("picard", "Picard", PICARD, DOUBLE, "double", "gpu-dense", "all iterations in one launch",
        KERNEL_CALLS(waveform_gpu_dense[PICARD]), GPU_DENSE),
    ROW("jacobi", "Jacobi", JACOBI, DOUBLE, "double", "gpu-dense", "all iterations in one launch",
        KERNEL_CALLS(waveform_gpu_dense[JACOBI]), GPU_DENSE),
    ROW("picard", "Picard", PICARD, DOUBLE, "double", "gpu-dense-ranks",
        "rows on several cards, all tell all what they made",
        KERNEL_CALLS(waveform_gpu_dense_ranks[PICARD]), GPU_DENSE_RANKS),
    ROW("jacobi", "Jacobi", JACOBI, DOUBLE, "double", "gpu-dense-ranks",
        "rows on several cards, all tell all what they made",
        KERNEL_CALLS(waveform_gpu_dense_ranks[JACOBI]), GPU_DENSE_RANKS),
    ROWS("omp", "time after time, on all cores", HOST_CALLS, omp, .role = LIMIT,
         .place = HOST_PARALLEL, .work = omp_work, .source = "ours"),
    ROWS("omp-blocked", "several sweeps in a pass over time, on all cores", HOST_CALLS, omp_blocked,
         .role = LIMIT, .place = HOST_PARALLEL, .work = omp_blocked_work, .source = "ours"),
    ROWS("blas", "the products by BLAS, on all cores", OPENBLAS_CALLS, blas, .role = PEER,
         .place = HOST_PARALLEL, .work = blas_work, .source = "ours; OpenBLAS"),
    ROWS("cublas", "the products by cuBLAS, a kernel behind each", TOOLKIT_CALLS, cublas,
         .role = PEER, .place = DEVICE, .work = cublas_work, .source = "ours; cuBLAS"),
    {.id = "wr-direct-lapack",
     .title = "no iteration: LAPACK solves for each point, double",
     DIRECT_LAPACK,
     .precision = DOUBLE,
     OPENBLAS_CALLS(waveform_lapack_d[0])},
    {.id = "wr-direct-lapack",
     .title = "no iteration: LAPACK solves for each point, single",
     DIRECT_LAPACK,
     .precision = SINGLE,
     OPENBLAS_CALLS(waveform_lapack_s[0])},
    {.id = "wr-direct-cusparse",
     .title = "no iteration: cuSPARSE solves for each point, double",
     DIRECT_CUSPARSE,
     .precision = DOUBLE,
     TOOLKIT_CALLS(waveform_cusparse_d[0])},
    {.id = "wr-direct-cusparse",
     .title = "no iteration: cuSPARSE solves for each point, single",
     DIRECT_CUSPARSE,
     .precision = SINGLE,
     TOOLKIT_CALLS(waveform_cusparse_s[0])},
    {.id = NULL},
};

/* The waveform written once; its matrix read, if that is numbers: a few, and one of each row or
 * column, of a sparse one are no more than what it begins with, which is read. */
static double traffic(enum precision precision, const struct params *at)
{
    const double d = get(at, "d"), size = (double)value_size(precision);
    const bool sparse = at->problem->code != USER && get_long(at, "storage") == 1;
    const bool given = at->problem->code == USER && get_input(at, "g") != NULL;
    return size * (d + (given ? 2 : 1) * d * get(at, "N") + (sparse ? 0 : d * d));
}

/* A value takes a product and an addition for each number of its row, and one for what was before
 * it, as where nothing is iterated. */
static double operations(const struct params *at)
{
    const int code = at->problem->code;
    const double d = get(at, "d"), updated = d * (get(at, "N") - 1);
    const bool sparse = code != USER && get_long(at, "storage") == 1;
    return (sparse ? 2 * kinds[code].bands + 1 : 2 * d) * updated;
}

const struct family waveform_family = {.id = "waveform",
                                       .title = "waveform relaxation of linear systems of "
                                                "differential equations",
                                       .problems = waveform_problems,
                                       .variants = waveform_variants,
                                       .traffic = traffic,
                                       .operations = operations};
