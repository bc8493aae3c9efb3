/*
 * OMP and BLAS: what a CPU can do. Waveforms lie time after time, y at [n*d+i], so that loops over
 * components are vector loops and a waveform is the matrix that BLAS wants. With a sparse matrix
 * and implicit Euler an iteration is one pass: products, recurrence and largest difference
 * together. Otherwise the product M y is made first, and the recurrence then goes over y in place.
 * BLAS is OMP but for the products: gemm, or gbmv on the tridiagonal part for each point in time.
 */
#include "rounded.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/order.h"
#include "../common/widest.h"

#ifdef HAVE_OPENBLAS
#include <cblas.h>
#if REAL_IS_DOUBLE
#define gemm cblas_dgemm
#define gbmv cblas_dgbmv
#define axpy cblas_daxpy
#else
#define gemm cblas_sgemm
#define gbmv cblas_sgbmv
#define axpy cblas_saxpy
#endif
#endif

enum {
    TILE = 1024,    /* components that one thread takes through all of time */
    ROWS = 4,       /* of a dense matrix that a thread takes together */
    PART = 1024,    /* columns, whose waveforms stay in the second cache */
    MOST_TIMES = 6, /* and points in time */
    DIAGONALS = 3,  /* of what gbmv takes */
    LINE = 64 / sizeof(real)
};

struct omp {
    struct memory memory;
    const struct waveform *in;
    struct P(rounded) scheme;
    struct progress progress;
    bool blas, fused;
    real *m;     /* [d][d] dense; of BLAS and sparse [d][DIAGONALS]; or null */
    real *now;   /* [N][d] */
    real *other; /* [N][d] fused: the iterate before; else the product M y */
    real *sums;  /* [N] of all components; of sparse control */
};

/* The tridiagonal part as gbmv takes it: a column for each component, from its upper neighbour's
 * entry to its lower one's. */
static void set_diagonals(struct omp *o)
{
    const size_t d = o->in->d;
    memset(o->m, 0, DIAGONALS * d * sizeof *o->m);
    for (size_t i = 0; i < d; i++) {
        o->m[DIAGONALS * i + 1] = o->scheme.centre[i];
        for (int b = 0; b < o->scheme.bands; b++) {
            const ptrdiff_t offset = o->in->offset[b], j = (ptrdiff_t)i + offset;
            if (labs(offset) == 1 && j >= 0 && j < (ptrdiff_t)d)
                o->m[DIAGONALS * j + 1 - offset] += o->scheme.band[b][i];
        }
    }
}

static enum status plan(const struct instance *in, enum relaxation relaxation, bool blas,
                        void **state)
{
    const struct waveform *p = in->data;
    const size_t values = p->d * p->points;
    const size_t entries = p->dense ? p->d * p->d : blas ? DIAGONALS * p->d : 0;
    if (blas && p->d > INT_MAX)
        return because(ERR_ARGS, "BLAS counts in int, and d = %zu is more than %d", p->d, INT_MAX);
    struct omp *o = owner_new(sizeof *o);
    if (o == NULL)
        return ERR_MEMORY;
    o->in = p;
    o->blas = blas;
    o->m = entries > 0 ? take(&o->memory, entries * sizeof *o->m) : NULL;
    o->now = take(&o->memory, values * sizeof *o->now);
    o->other = take(&o->memory, values * sizeof *o->other);
    o->sums = take(&o->memory, p->points * sizeof *o->sums);
    P(rounded_make)(p, relaxation, &o->memory, &o->scheme);
    progress_make(p, relaxation, !REAL_IS_DOUBLE, &o->memory, &o->progress);
    o->fused = !p->dense && !blas && o->scheme.steps == 1 && o->scheme.b[1] == 0;
    if (o->memory.status == OK && p->dense)
        P(waveform_matrix)(p, relaxation, o->m);
    else if (o->memory.status == OK && blas)
        set_diagonals(o);
    return planned(o, o->memory.status, state);
}

static enum status plan_picard(const struct instance *in, void **state)
{
    return plan(in, PICARD, false, state);
}

static enum status plan_jacobi(const struct instance *in, void **state)
{
    return plan(in, JACOBI, false, state);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* In the parts in which threads work on it, so that its pages lie near them. */
static enum status load(void *state)
{
    struct omp *o = state;
    const size_t d = o->in->d;
#pragma omp parallel for schedule(static)
    for (size_t first = 0; first < d; first += TILE)
        for (size_t n = 0; n < o->in->points; n++)
            for (size_t i = first; i < smaller(first + TILE, d); i++) {
                o->now[n * d + i] = (real)waveform_first(o->in, i, n);
                o->other[n * d + i] = o->now[n * d + i];
            }
    progress_begin(&o->progress);
    return OK;
}

/* --- products --- */

static void add_up(struct omp *o, const real *y)
{
    const size_t d = o->in->d;
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < o->in->points; n++) {
        real sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t i = 0; i < d; i++)
            sum += y[n * d + i];
        o->sums[n] = sum;
    }
}

/* So many rows of the matrix times so many points in time, whose sums stay in registers, columns
 * first .. last-1; by vectors of so many bytes. */
#define DENSE_BLOCK(name, bytes)                                                                   \
    typedef real name##_vector __attribute__((vector_size(bytes)));                                \
    typedef real name##_anywhere                                                                   \
        __attribute__((vector_size(bytes), aligned(sizeof(real)), may_alias));                     \
    INLINE void name(const real *m, const real *y, size_t d, size_t first, size_t last, real *f,   \
                     int rows, int times)                                                          \
    {                                                                                              \
        enum { WIDTH = (bytes) / sizeof(real) };                                                   \
        name##_vector sums[ROWS][MOST_TIMES] = {{{0}}};                                            \
        size_t j = first;                                                                          \
        for (; j + WIDTH <= last; j += WIDTH)                                                      \
            for (int r = 0; r < rows; r++) {                                                       \
                const name##_vector row = *(const name##_anywhere *)(m + (size_t)r * d + j);       \
                for (int t = 0; t < times; t++)                                                    \
                    sums[r][t] += row * *(const name##_anywhere *)(y + (size_t)t * d + j);         \
            }                                                                                      \
        for (int r = 0; r < rows; r++)                                                             \
            for (int t = 0; t < times; t++) {                                                      \
                real sum = 0;                                                                      \
                for (int k = 0; k < (int)WIDTH; k++)                                               \
                    sum += sums[r][t][k];                                                          \
                for (size_t rest = j; rest < last; rest++)                                         \
                    sum += m[(size_t)r * d + rest] * y[(size_t)t * d + rest];                      \
                f[(size_t)t * d + (size_t)r] += sum;                                               \
            }                                                                                      \
    }

/* ROWS rows from i on, or what is left of them, at all points in time. */
#define DENSE_ROWS(cpu, name, block, times)                                                        \
    cpu static void name(const struct omp *o, size_t i, size_t first, size_t last)                 \
    {                                                                                              \
        const size_t d = o->in->d, points = o->in->points, end = smaller(i + ROWS, d);             \
        const real *const y = o->now;                                                              \
        const bool whole = end - i == ROWS;                                                        \
        size_t n = 0;                                                                              \
        for (; whole && n + (times) <= points; n += (times))                                       \
            block(o->m + i * d, y + n * d, d, first, last, o->other + n * d + i, ROWS, times);     \
        for (; whole && n < points; n++)                                                           \
            block(o->m + i * d, y + n * d, d, first, last, o->other + n * d + i, ROWS, 1);         \
        for (; n < points; n++)                                                                    \
            for (size_t r = i; r < end; r++)                                                       \
                block(o->m + r * d, y + n * d, d, first, last, o->other + n * d + r, 1, 1);        \
    }

/* Sums for 24 of 32 registers, and for 12 of 16. */
DENSE_BLOCK(block_512, 64)
DENSE_BLOCK(block_256, 32)
DENSE_ROWS(WITH_AVX512, dense_rows_512, block_512, MOST_TIMES)
DENSE_ROWS(WIDEST, dense_rows_256, block_256, 3)

static void dense_product(struct omp *o)
{
    const size_t d = o->in->d;
    const bool avx512 = HAS_AVX512;
    memset(o->other, 0, d * o->in->points * sizeof *o->other);
#pragma omp parallel
    for (size_t first = 0; first < d; first += PART) {
#pragma omp for schedule(static) nowait /* whoever has rows has them in every part */
        for (size_t i = 0; i < d; i += ROWS)
            (avx512 ? dense_rows_512 : dense_rows_256)(o, i, first, smaller(first + PART, d));
    }
}

/* Components first .. last-1 at one point; a neighbour that is not there has a zero for it. */
INLINE void sparse_row(const struct omp *o, const real *y, size_t first, size_t last, real sum,
                       real *restrict f)
{
    const struct P(rounded) *const s = &o->scheme;
    for (size_t i = first; i < last; i++)
        f[i - first] = s->centre[i] * y[i] + s->all * sum;
    for (int b = 0; b < s->bands; b++) {
        const ptrdiff_t offset = o->in->offset[b], d = (ptrdiff_t)o->in->d;
        const size_t from = offset < 0 && first < (size_t)-offset ? (size_t)-offset : first;
        const size_t to = offset > 0 && (ptrdiff_t)last > d - offset
                              ? (size_t)(d > offset ? d - offset : 0)
                              : last;
        /* All of first .. last-1 was written above, and `to` is no more: clang does not see it. */
        for (size_t i = from; i < to; i++) /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.*) */
            f[i - first] += s->band[b][i] * y[(ptrdiff_t)i + offset];
    }
}

WIDEST static void sparse_tile(const struct omp *o, size_t first, size_t last)
{
    const size_t d = o->in->d;
    for (size_t n = 0; n < o->in->points; n++)
        sparse_row(o, o->now + n * d, first, last, o->sums[n], o->other + n * d + first);
}

static void sparse_product(struct omp *o)
{
    const size_t d = o->in->d;
#pragma omp parallel for schedule(static)
    for (size_t first = 0; first < d; first += TILE)
        sparse_tile(o, first, smaller(first + TILE, d));
}

#ifdef HAVE_OPENBLAS
static enum status plan_blas_picard(const struct instance *in, void **state)
{
    return plan(in, PICARD, true, state);
}

static enum status plan_blas_jacobi(const struct instance *in, void **state)
{
    return plan(in, JACOBI, true, state);
}

/* A part of the rows to each of our threads, which are bound to cores: the library's own would all
 * be where the one is that made them. */
static void blas_dense_product(struct omp *o)
{
    const int d = (int)o->in->d, points = (int)o->in->points, threads = openblas_get_num_threads();
    openblas_set_num_threads(1);
#pragma omp parallel
    {
        const int part = ((d - 1) / omp_get_num_threads() / LINE + 1) * LINE;
        const int first = omp_get_thread_num() * part, rows = d - first < part ? d - first : part;
        if (rows > 0)
            gemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, points, d, 1,
                 o->m + (size_t)first * (size_t)d, d, o->now, d, 0, o->other + first, d);
    }
    openblas_set_num_threads(threads);
}

/* The far bands have one and the same entry wherever they have one. */
static void blas_sparse_product(struct omp *o)
{
    const int d = (int)o->in->d, threads = openblas_get_num_threads();
    openblas_set_num_threads(1);
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < o->in->points; n++) {
        const real *const y = o->now + n * (size_t)d;
        real *const f = o->other + n * (size_t)d;
        for (int i = 0; i < d; i++)
            f[i] = o->scheme.all * o->sums[n];
        gbmv(CblasColMajor, CblasNoTrans, d, d, 1, 1, 1, o->m, DIAGONALS, y, 1, 1, f, 1);
        for (int b = 0; b < o->scheme.bands; b++) {
            const int offset = (int)o->in->offset[b], count = d - abs(offset);
            if (abs(offset) > 1 && offset < 0)
                axpy(count, o->scheme.band[b][d - 1], y, 1, f - offset, 1);
            else if (abs(offset) > 1)
                axpy(count, o->scheme.band[b][0], y + offset, 1, f, 1);
        }
    }
    openblas_set_num_threads(threads);
}
#endif

/* --- recurrences --- */

/* What has been seen of the differences; poison is NaN after NaN or infinity. */
struct seen {
    real most, poison;
};

INLINE void look(struct seen *seen, real off)
{
    const real size = off < 0 ? -off : off;
    seen->most = size > seen->most ? size : seen->most;
    seen->poison += 0 * off;
}

/* y at n from the points before it, in place, the product in f[lag]. */
WIDEST static struct seen step_row(const struct P(rounded) * s, const real *const *f, real *y,
                                   size_t d, size_t first, size_t last)
{
    const real *const q1 = s->q1, *const q2 = s->q2, *const w = s->w;
    const real b0 = s->b[0], b1 = s->b[1], b2 = s->b[2];
    const real *const f0 = f[0], *const f1 = f[1], *const f2 = f[2];
    real most = 0, poison = 0;
    if (s->steps == 1 && b1 == 0) {
#pragma omp simd reduction(max : most) reduction(+ : poison)
        for (size_t i = first; i < last; i++) {
            const real next = q1[i] * (y - d)[i] + w[i] * (b0 * f0[i]);
            const real off = next < y[i] ? y[i] - next : next - y[i];
            most = off > most ? off : most;
            poison += 0 * off;
            y[i] = next;
        }
        return (struct seen){most, poison};
    }
    struct seen seen = {0, 0};
    for (size_t i = first; i < last; i++) {
        real next = q1[i] * (y - d)[i];
        if (s->steps == 2)
            next += q2[i] * (y - 2 * d)[i] + w[i] * (b0 * f0[i] + b1 * f1[i] + b2 * f2[i]);
        else
            next += w[i] * (b0 * f0[i] + b1 * f1[i]);
        look(&seen, next - y[i]);
        y[i] = next;
    }
    return seen;
}

static struct seen advance_tile(const struct omp *o, size_t first, size_t last)
{
    const size_t d = o->in->d, steps = (size_t)o->scheme.steps;
    struct seen seen = {0, 0};
    for (size_t n = 0; n < o->in->points && o->in->g != NULL; n++)
        for (size_t i = first; i < last; i++)
            o->other[n * d + i] += (real)waveform_g(o->in, i, n);
    for (size_t n = steps; n < o->in->points; n++) {
        const real *const f = o->other + n * d;
        const real *const lags[] = {f, f - d, steps == 2 ? f - 2 * d : f - d};
        const struct seen here = step_row(&o->scheme, lags, o->now + n * d, d, first, last);
        seen.most = here.most > seen.most ? here.most : seen.most;
        seen.poison += here.poison;
    }
    return seen;
}

/* From o->other to o->now, whose first point is there. */
WIDEST static struct seen fused_tile(const struct omp *o, size_t first, size_t last)
{
    const struct P(rounded) *const s = &o->scheme;
    const size_t d = o->in->d;
    const real b0 = s->b[0];
    real f[TILE], most = 0, poison = 0;
    for (size_t n = 1; n < o->in->points; n++) {
        const real *const old = o->other + n * d + first, *const q1 = s->q1 + first;
        const real *const before = o->now + (n - 1) * d + first, *const w = s->w + first;
        real *const restrict y = o->now + n * d + first;
        sparse_row(o, o->other + n * d, first, last, s->all != 0 ? o->sums[n] : 0, f);
#pragma omp simd reduction(max : most) reduction(+ : poison)
        for (size_t i = 0; i < last - first; i++) {
            const real next = q1[i] * before[i] + w[i] * (b0 * f[i]);
            const real off = next < old[i] ? old[i] - next : next - old[i];
            most = off > most ? off : most;
            poison += 0 * off;
            y[i] = next;
        }
    }
    return (struct seen){most, poison};
}

static void make_product(struct omp *o)
{
#ifdef HAVE_OPENBLAS
    if (o->blas) {
        if (o->in->dense)
            blas_dense_product(o);
        else
            blas_sparse_product(o);
        return;
    }
#endif
    if (o->in->dense)
        dense_product(o);
    else
        sparse_product(o);
}

/* The next iterate, and its correction. */
static double iterate(struct omp *o)
{
    const size_t d = o->in->d, points = o->in->points;
    real most = 0, poison = 0;
    if (!o->in->dense && o->scheme.all != 0)
        add_up(o, o->now);
    else
        memset(o->sums, 0, points * sizeof *o->sums);
    if (o->fused) {
        real *const old = o->now;
        o->now = o->other;
        o->other = old;
    } else {
        make_product(o);
    }
#pragma omp parallel for schedule(static) reduction(max : most) reduction(+ : poison)
    for (size_t first = 0; first < d; first += TILE) {
        const size_t last = smaller(first + TILE, d);
        const struct seen seen =
            o->fused ? fused_tile(o, first, last) : advance_tile(o, first, last);
        most = seen.most > most ? seen.most : most;
        poison += seen.poison;
    }
    return poison == 0 ? (double)most : (double)NAN;
}

static enum status run(void *state, struct laps *laps)
{
    struct omp *o = state;
    while (progress_goes_on(o->in, &o->progress, iterate(o)))
        ;
    lap(laps, "loop");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct omp *o = state;
    natural_order(out->values, o->now, sizeof *o->now, o->in->d, o->in->points);
    progress_put(o->in, &o->progress, out);
    lap(laps, "back");
    return OK;
}

const struct calls P(waveform_omp)[] = {
    [PICARD] =
        {.plan = plan_picard, .load = load, .run = run, .fetch = fetch, .destroy = give_back},
    [JACOBI] =
        {.plan = plan_jacobi, .load = load, .run = run, .fetch = fetch, .destroy = give_back},
};
#ifdef HAVE_OPENBLAS
const struct calls P(waveform_blas)[] = {
    [PICARD] =
        {.plan = plan_blas_picard, .load = load, .run = run, .fetch = fetch, .destroy = give_back},
    [JACOBI] =
        {.plan = plan_blas_jacobi, .load = load, .run = run, .fetch = fetch, .destroy = give_back},
};
#endif
