/*
 * The variants of the family: both relaxations as the paper runs them, on a CPU and on a GPU, and
 * as well as either can. Each row says how exact its answer must be and what its algorithm has to
 * move.
 */
#include "waveform.h"

#include <math.h>
#include <string.h>

#include "machine/device.h"

/* --- how exact: largest error of an iterate, relative to the largest number on the way ---
 * A value is a sum over the points before it, each with a rounding of its own, and each of these
 * has a product of up to d terms, whose roundings add up like a random walk. */

static double tolerance(const struct params *at, double unit)
{
    return 8 * unit * (get(at, "N") + sqrt(get(at, "d")));
}

static double single_tolerance(const struct params *at)
{
    return tolerance(at, 0x1p-24);
}

static double double_tolerance(const struct params *at)
{
    return tolerance(at, 0x1p-53);
}

/* --- what it takes --- */

struct shape {
    double d, points, stored, updated; /* values that a waveform has, and that are computed */
    double iterations, matrix, row;    /* numbers in the matrix; operations of a row */
    bool dense, sums;
    double problem; /* bytes of its own */
};

static bool has_storage(const struct params *at)
{
    const struct parameter *q = at->table;
    while (q->name != NULL && strcmp(q->name, "storage") != 0)
        q++;
    return q->name != NULL;
}

static struct shape shape_of(const struct params *at, enum relaxation relaxation)
{
    const double d = get(at, "d"), points = get(at, "N"), own = relaxation == PICARD ? 1 : 0;
    const bool sparse = has_storage(at) && get_long(at, "storage") == 1;
    const int bands = waveform_bands(at);
    const bool sums = sparse && waveform_is_full(at);
    struct shape s = {.d = d,
                      .points = points,
                      .stored = d * points,
                      .updated = d * (points - 1),
                      .iterations = waveform_iterations(at, relaxation),
                      .dense = !sparse,
                      .sums = sums};
    s.matrix = sparse ? (bands + own + sums) * d : d * d;
    s.row = sparse ? 2 * (bands + own) - 1 + 3 * sums : 2 * (d - 1 + own) - 1;
    s.problem = 8 * d * (bands + 3) + (has_storage(at) ? 0 : 8 * d * d);
    return s;
}

/* `waveforms` are read or written whole in an iteration. The step and the difference are three
 * operations by Picard, four by Jacobi. */
static struct work work_of(const struct shape *s, enum relaxation relaxation, double waveforms,
                           double size)
{
    const double step = relaxation == PICARD ? 3 : 4;
    return (struct work){.flops = s->iterations * (s->row + step) * s->updated,
                         .bytes = s->iterations * size * (s->matrix + waveforms * s->stored),
                         .host_bytes = s->problem + size * s->stored};
}

/* A copy, a sweep and a comparison, each of which reads or writes two; a sum that reads one more.
 */
static struct work cpu_work(const struct params *at, enum relaxation relaxation, double size)
{
    const struct shape s = shape_of(at, relaxation);
    struct work work = work_of(&s, relaxation, 6 + s.sums, size);
    work.host_bytes += size * (s.matrix + (s.dense ? 3 : 2) * s.stored);
    return work;
}

/* Fused: one read, the next one written; or a product that is written, and read by the sweep. */
static struct work omp_work(const struct params *at, enum relaxation relaxation, double size)
{
    const struct shape s = shape_of(at, relaxation);
    struct work work = work_of(&s, relaxation, s.dense ? 5 : 2 + s.sums, size);
    work.host_bytes += size * (s.matrix + 2 * s.stored);
    return work;
}

static struct work blas_work(const struct params *at, enum relaxation relaxation, double size)
{
    const struct shape s = shape_of(at, relaxation);
    struct work work = work_of(&s, relaxation, 5 + s.sums, size);
    work.host_bytes += size * (s.matrix + 2 * s.stored);
    return work;
}

/* copyVec and lmm move two each, errComp three, the copy to the host reads one. */
static struct work gpu_work(const struct params *at, enum relaxation relaxation, double size)
{
    const struct shape s = shape_of(at, relaxation);
    struct work work = work_of(&s, relaxation, 8 + s.sums, size);
    work.launches = s.iterations * (3 + s.sums);
    work.host_bytes += size * (2 * s.stored + (s.dense ? s.matrix : 0));
    work.device_bytes = size * (s.matrix + 4 * s.d + 3 * s.stored);
    return work;
}

/* One waveform is read, and by the sum once more; of the next one is written what changes. A sparse
 * matrix may be a few numbers. Tensor cores multiply in double. */
static struct work gpu_fused_work(const struct params *at, enum relaxation relaxation, double size)
{
    const struct shape s = shape_of(at, relaxation);
    const double entries = s.dense ? s.matrix : 0;
    struct work work = work_of(&s, relaxation, 0, size);
    work.bytes = s.iterations * size * (entries + (1 + s.sums) * s.stored + s.updated);
    if (s.dense && size == sizeof(double))
        work.tensor = s.iterations * s.row * s.updated;
    work.launches = s.iterations * (1 + s.sums);
    work.host_bytes += size * entries;
    work.device_bytes = size * (s.matrix + 4 * s.d + 2 * s.stored);
    return work;
}

#define WORK(name, word, relaxation, precision, size)                                              \
    static struct work name##_##word##_##precision##_work(const struct params *at)                 \
    {                                                                                              \
        return name##_work(at, relaxation, size);                                                  \
    }
#define ALL_WORK(name)                                                                             \
    WORK(name, picard, PICARD, single, sizeof(float))                                              \
    WORK(name, jacobi, JACOBI, single, sizeof(float))                                              \
    WORK(name, picard, PICARD, double, sizeof(double))                                             \
    WORK(name, jacobi, JACOBI, double, sizeof(double))

ALL_WORK(cpu)
ALL_WORK(omp)
ALL_WORK(blas)
ALL_WORK(gpu)
ALL_WORK(gpu_fused)

/* --- the table: of each way both relaxations in both precisions --- */

#define ANY(function) function
#ifdef HAVE_OPENBLAS
#define WITH_BLAS(function) function
#define NO_BLAS             NULL
#else
#define WITH_BLAS(function) NULL
#define NO_BLAS             "this build lacks OpenBLAS; install it and configure again"
#endif

/* `calls` are those of `way`, or of the way that it shares them with; `have` leaves out what this
 * build lacks. */
#define ROW(ending, way, calls, have, word, precision_, name, suffix, what, ...)                   \
    {                                                                                              \
        .id = "wr-" #word "-" ending, .title = what ", " #name, .precision = precision_,           \
        .tolerance = name##_tolerance, .work = way##_##word##_##name##_work,                       \
        .plan = have(waveform_##way##_##word##suffix),                                             \
        .load = have(waveform_##calls##_load##suffix),                                             \
        .run = have(waveform_##calls##_run##suffix),                                               \
        .fetch = have(waveform_##calls##_fetch##suffix),                                           \
        .destroy = have(waveform_##calls##_destroy##suffix), __VA_ARGS__                           \
    }

/* Double comes first: it is what solve takes unless told otherwise. */
#define ROWS(ending, way, calls, have, what, ...)                                                  \
    ROW(ending, way, calls, have, picard, DOUBLE, double, _d, "Picard, " what, __VA_ARGS__),       \
        ROW(ending, way, calls, have, jacobi, DOUBLE, double, _d, "Jacobi, " what, __VA_ARGS__),   \
        ROW(ending, way, calls, have, picard, SINGLE, single, _s, "Picard, " what, __VA_ARGS__),   \
        ROW(ending, way, calls, have, jacobi, SINGLE, single, _s, "Jacobi, " what, __VA_ARGS__)

const struct variant waveform_variants[] = {
    ROWS("cpu", cpu, cpu, ANY, "three passes on one core", .role = PUBLISHED, .place = HOST,
         .source = "Conte, D'Ambrosio, Paternoster 2014, Section 4"),
    ROWS("gpu", gpu, gpu, DEVICE_CALL, "a thread for each component, errors compared on the host",
         .role = PUBLISHED, .place = DEVICE,
         .source = "Conte, D'Ambrosio, Paternoster 2014, Section 3, Figure 3.1"),
    ROWS("gpu-fused", gpu_fused, gpu_fused, DEVICE_CALL, "a kernel for each iteration",
         .role = LIMIT, .place = DEVICE, .source = "ours"),
    ROWS("omp", omp, omp, ANY, "time after time, on all cores", .role = LIMIT,
         .place = HOST_PARALLEL, .source = "ours"),
    ROWS("blas", blas, omp, WITH_BLAS, "the products by BLAS, on all cores", .role = PEER,
         .place = HOST_PARALLEL, .unavailable = NO_BLAS, .source = "ours; OpenBLAS"),
    {.id = NULL},
};

const struct family waveform_family = {
    .id = "waveform",
    .title = "waveform relaxation of linear systems of differential equations",
    .problems = waveform_problems,
    .variants = waveform_variants,
};
