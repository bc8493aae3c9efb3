/*
 * BLAS and BLAS-omp: Algorithm 2 of the paper with one processor (which is Algorithm 1) and with p.
 * X is s x (r+1), column after column; its last column is e_1 and becomes y_1. Corrected: the
 * shifts of y_1 that make Y, the columns of A in the last line, and that column 1 stays as it is
 * also when there are more processors than columns. Added: the remainder n > r s, and a pitch:
 * where the columns of X are a power of two apart, a row of X falls into a few sets of the caches,
 * and step 1 takes many times as long.
 */
#include "recurrence.h"

#ifdef HAVE_OPENBLAS

#include <cblas.h>
#include <limits.h>
#include <omp.h>
#include <string.h>

#include "../common/memory.h"
#include "machine/precision.h"

#if REAL_IS_DOUBLE
#define gemv cblas_dgemv
#define trmv cblas_dtrmv
#define gemm cblas_dgemm
#else
#define gemv cblas_sgemv
#define trmv cblas_strmv
#define gemm cblas_sgemm
#endif

struct blas {
    struct memory memory;
    const struct recurrence *in;
    bool parallel;
    int m, r, s, pitch;            /* pitch: from one column of X to the next */
    size_t rest;                   /* n - r s */
    real c[MAX_ORDER * MAX_ORDER]; /* [m][m] C, column after column */
    real top[MAX_ORDER];           /* [m] its first row, a_m .. a_1 */
    real *x;                       /* [r+1][pitch] X, column after column; then the remainder */
    real *y;                       /* [m][s] Y, likewise */
    real *alpha;                   /* [r-1][m] A, likewise */
};

static real *column(const struct blas *b, int j)
{
    return b->x + (size_t)j * (size_t)b->pitch;
}

/* The last m rows of a column. */
static real *last_rows(const struct blas *b, int j)
{
    return column(b, j) + b->s - b->m;
}

/* Step 1 on the columns from `first` up to `last`: row after row, each from the m rows above it. */
static void step1(const struct blas *b, int first, int last)
{
    for (int k = 1; k < b->s && first < last; k++) {
        const int above = k < b->m ? k : b->m;
        real *const row = column(b, first) + k;
        gemv(CblasColMajor, CblasTrans, above, last - first, 1, row - above, b->pitch,
             b->top + b->m - above, 1, 1, row, b->pitch);
    }
}

/* Step 2: Y, then the last m rows of the columns, one column after the other. */
static void step2(const struct blas *b)
{
    const int m = b->m, s = b->s;
    const real *const y1 = column(b, b->r);
    for (int k = 0; k < m; k++) {
        real *const y = b->y + (size_t)k * (size_t)s;
        memset(y, 0, (size_t)k * sizeof *y);
        memcpy(y + k, y1, (size_t)(s - k) * sizeof *y);
    }
    for (int j = 1; j < b->r; j++) {
        real *const alpha = b->alpha + (size_t)(j - 1) * (size_t)m;
        memcpy(alpha, last_rows(b, j - 1), (size_t)m * sizeof *alpha);
        trmv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, m, b->c, m, alpha, 1);
        gemv(CblasColMajor, CblasNoTrans, m, m, 1, b->y + s - m, s, alpha, 1, 1, last_rows(b, j),
             1);
    }
}

/* Step 3 on the columns from `first`, which is not 0, up to `last`. */
static void step3(const struct blas *b, int first, int last)
{
    const int m = b->m, s = b->s;
    if (first < last)
        gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, s - m, last - first, m, 1, b->y, s,
             b->alpha + (size_t)(first - 1) * (size_t)m, m, 1, column(b, first), b->pitch);
}

/* (1), from the last column on. */
static void solve_rest(const struct blas *b)
{
    const struct recurrence *p = b->in;
    const size_t solved = p->n - b->rest;
    real *const rest = column(b, b->r + 1);
    const real *const end = column(b, b->r - 1) + b->s;
    for (size_t i = 0; i < b->rest; i++)
        for (size_t j = (size_t)b->m; j >= 1; j--) {
            if (j <= i)
                rest[i] += (real)p->a[j - 1] * rest[i - j];
            else if (j <= solved + i)
                rest[i] += (real)p->a[j - 1] * *(end + i - j);
        }
}

/* What the calling thread has of `count` columns: as printed, all the same, the last one the rest.
 */
static void share(int count, int *first, int *last)
{
    const int p = omp_get_num_threads(), i = omp_get_thread_num(), each = count / p;
    *first = i * each;
    *last = i == p - 1 ? count : *first + each;
}

static enum status make(const struct instance *in, bool parallel, void **state)
{
    const struct recurrence *p = in->data;
    const size_t m = (size_t)p->m;
    size_t r, s;
    enum status status = recurrence_shape(&in->at, 4, &r, &s);
    if (status != OK)
        return status;
    const size_t pitch = recurrence_pitch(&in->at, sizeof(real), s);
    if (r >= INT_MAX || pitch > INT_MAX)
        return because(ERR_ARGS,
                       "BLAS counts in int, and r = %zu columns %zu values apart are more than %d; "
                       "choose a smaller r and s",
                       r, pitch, INT_MAX);
    struct blas *b = owner_new(sizeof *b);
    if (b == NULL)
        return ERR_MEMORY;
    b->in = p;
    b->parallel = parallel;
    b->m = p->m;
    b->r = (int)r;
    b->s = (int)s;
    b->pitch = (int)pitch;
    b->rest = p->n - r * s;
    const size_t bytes = ((r + 1) * pitch + b->rest) * sizeof *b->x;
    /* Alone, its pages are near the core that runs. */
    b->x = parallel ? take(&b->memory, bytes) : take_filled(&b->memory, bytes);
    b->y = take(&b->memory, m * s * sizeof *b->y);
    b->alpha = take(&b->memory, m * r * sizeof *b->alpha);
    for (size_t i = 0; i < m; i++)
        for (size_t k = i; k < m; k++)
            b->c[k * m + i] = (real)p->a[m - 1 + i - k];
    for (size_t k = 0; k < m; k++)
        b->top[k] = b->c[k * m];
    return planned(b, b->memory.status, state);
}

static enum status plan(const struct instance *in, void **state)
{
    return make(in, false, state);
}

static enum status plan_omp(const struct instance *in, void **state)
{
    return make(in, true, state);
}

static enum status load(void *state)
{
    const struct blas *b = state;
    real *const e1 = column(b, b->r);
    const size_t s = (size_t)b->s;
#pragma omp parallel for schedule(static)
    for (int j = 0; j < b->r; j++)
        P(recurrence_fill_part)(b->in, (size_t)j * s, s, column(b, j));
    P(recurrence_fill_part)(b->in, b->in->n - b->rest, b->rest, column(b, b->r + 1));
    memset(e1, 0, (size_t)b->s * sizeof *e1);
    e1[0] = 1;
    return OK;
}

static enum status run(void *state, struct laps *laps)
{
    const struct blas *b = state;
    /* Some builds of the library set OpenMP's number of threads with their own. */
    const int outside = omp_get_max_threads(), inside = openblas_get_num_threads();
    int first, last;
    openblas_set_num_threads(1);
#pragma omp parallel num_threads(b->parallel ? outside : 1) private(first, last)
    {
        share(b->r > 1 ? b->r + 1 : 1, &first, &last); /* one column needs no y_1 */
        step1(b, first, last);
    }
    lap(laps, "step1");
    if (b->r > 1)
        step2(b);
    lap(laps, "step2");
#pragma omp parallel num_threads(b->parallel ? outside : 1) private(first, last)
    {
        share(b->r, &first, &last);
        step3(b, first > 0 ? first : 1, last);
    }
    solve_rest(b);
    lap(laps, "step3");
    openblas_set_num_threads(inside);
    omp_set_num_threads(outside);
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct blas *b = state;
    const size_t s = (size_t)b->s;
    real *const x = out->values;
    for (int j = 0; j < b->r; j++)
        memcpy(x + (size_t)j * s, column(b, j), s * sizeof *x);
    memcpy(x + b->in->n - b->rest, column(b, b->r + 1), b->rest * sizeof *x);
    lap(laps, "back");
    return OK;
}

const struct calls P(recurrence_blas) = {
    .plan = plan, .load = load, .run = run, .fetch = fetch, .destroy = give_back};

/* BLAS-omp is BLAS by another plan. */
const struct calls P(recurrence_blas_omp) = {
    .plan = plan_omp, .load = load, .run = run, .fetch = fetch, .destroy = give_back};

#endif
