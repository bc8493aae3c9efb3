/*
 * CPU: the paper's iteration on one core: copy the waveform, make the next one of it, component by
 * component, and look for the largest difference. Everything lies at [i*N+n], as on the paper's
 * device. The product with a dense matrix goes through the columns in parts that stay in a cache.
 */
#include "rounded.h"

#include <math.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/widest.h"
#include "machine/threads.h"

/* Columns whose waveforms stay in the cache; rows and columns that are taken at once. */
enum { PART = 512, ROWS = 4, COLUMNS = 4 };

struct cpu {
    struct memory memory;
    const struct waveform *in;
    struct P(rounded) scheme;
    struct progress progress;
    real *m;         /* [d][d] dense; or null */
    real *old, *new; /* [d][N] */
    real *f;         /* [d][N] the product, if dense; else [N], of one component */
    real *sums;      /* [N] of all components; of sparse control */
};

static enum status plan(const struct instance *in, enum relaxation relaxation, void **state)
{
    const struct waveform *p = in->data;
    const size_t values = p->d * p->points;
    struct cpu *c = owner_new(sizeof *c);
    if (c == NULL)
        return ERR_MEMORY;
    c->in = p;
    c->m = p->dense ? take(&c->memory, p->d * p->d * sizeof *c->m) : NULL;
    c->old = take(&c->memory, values * sizeof *c->old);
    c->new = take(&c->memory, values * sizeof *c->new);
    c->f = take(&c->memory, (p->dense ? values : p->points) * sizeof *c->f);
    c->sums = take(&c->memory, p->points * sizeof *c->sums);
    P(rounded_make)(p, relaxation, &c->memory, &c->scheme);
    progress_make(p, relaxation, !REAL_IS_DOUBLE, &c->memory, &c->progress);
    if (c->memory.status == OK && p->dense)
        P(waveform_matrix)(p, relaxation, c->m);
    return planned(c, c->memory.status, state);
}

static enum status plan_picard(const struct instance *in, void **state)
{
    return plan(in, PICARD, state);
}

static enum status plan_jacobi(const struct instance *in, void **state)
{
    return plan(in, JACOBI, state);
}

static enum status load(void *state)
{
    struct cpu *c = state;
    const size_t points = c->in->points;
    for (size_t i = 0; i < c->in->d; i++)
        for (size_t n = 0; n < points; n++)
            c->new[i * points + n] = (real)waveform_first(c->in, i, n);
    memset(c->old, 0xff, c->in->d * points * sizeof *c->old); /* its pages are in place */
    progress_begin(&c->progress);
    return OK;
}

/* f of some rows of the matrix += these times the waveforms of so many columns. */
INLINE void dense_block(const real *m, const real *y, size_t d, size_t points, real *f, int rows,
                        int columns)
{
    real block[ROWS][COLUMNS];
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < columns; j++)
            block[r][j] = m[(size_t)r * d + (size_t)j];
#pragma omp simd
    for (size_t n = 0; n < points; n++)
        for (int r = 0; r < rows; r++) {
            real sum = f[(size_t)r * points + n];
            for (int j = 0; j < columns; j++)
                sum += block[r][j] * y[(size_t)j * points + n];
            f[(size_t)r * points + n] = sum;
        }
}

/* f = M y for a dense M. */
WIDEST static void dense_product(const struct cpu *c)
{
    const size_t d = c->in->d, points = c->in->points;
    memset(c->f, 0, d * points * sizeof *c->f);
    for (size_t first = 0; first < d; first += PART) {
        const size_t last = first + PART < d ? first + PART : d;
        size_t i = 0, j = 0;
        for (; i + ROWS <= d; i += ROWS) {
            const real *const m = c->m + i * d;
            for (j = first; j + COLUMNS <= last; j += COLUMNS)
                dense_block(m + j, c->old + j * points, d, points, c->f + i * points, ROWS,
                            COLUMNS);
            for (; j < last; j++)
                dense_block(m + j, c->old + j * points, d, points, c->f + i * points, ROWS, 1);
        }
        for (; i < d; i++)
            for (j = first; j < last; j++)
                dense_block(c->m + i * d + j, c->old + j * points, d, points, c->f + i * points, 1,
                            1);
    }
}

/* f = M y of one component, from its own waveform and those of a few others. */
WIDEST static void sparse_product(const struct cpu *c, size_t i, real *restrict f)
{
    const size_t points = c->in->points;
    const real *const y = c->old + i * points;
    for (size_t n = 0; n < points; n++)
        f[n] = c->scheme.centre[i] * y[n];
    for (int b = 0; b < c->scheme.bands; b++) {
        const ptrdiff_t offset = c->in->offset[b], j = (ptrdiff_t)i + offset;
        const real m = c->scheme.band[b][i];
        if (j < 0 || j >= (ptrdiff_t)c->in->d)
            continue;
        for (size_t n = 0; n < points; n++)
            f[n] += m * y[offset * (ptrdiff_t)points + (ptrdiff_t)n];
    }
    for (size_t n = 0; n < points && c->scheme.all != 0; n++)
        f[n] += c->scheme.all * c->sums[n];
}

static void add_up(struct cpu *c)
{
    const size_t points = c->in->points;
    memset(c->sums, 0, points * sizeof *c->sums);
    for (size_t i = 0; i < c->in->d; i++)
        for (size_t n = 0; n < points; n++)
            c->sums[n] += c->old[i * points + n];
}

/* The recurrence in time of one component. */
static void advance(const struct cpu *c, size_t i, real *restrict f, real *restrict y)
{
    const struct P(rounded) *const s = &c->scheme;
    const size_t points = c->in->points;
    const real q1 = s->q1[i], q2 = s->q2[i], w = s->w[i];
    if (c->in->g != NULL)
        for (size_t n = 0; n < points; n++)
            f[n] += (real)waveform_g(c->in, i, n);
    if (s->steps == 1 && s->b[1] == 0) {
        for (size_t n = 1; n < points; n++)
            y[n] = q1 * y[n - 1] + w * (s->b[0] * f[n]);
    } else if (s->steps == 1) {
        for (size_t n = 1; n < points; n++)
            y[n] = q1 * y[n - 1] + w * (s->b[0] * f[n] + s->b[1] * f[n - 1]);
    } else {
        for (size_t n = 2; n < points; n++)
            y[n] = q1 * y[n - 1] + q2 * y[n - 2] +
                   w * (s->b[0] * f[n] + s->b[1] * f[n - 1] + s->b[2] * f[n - 2]);
    }
}

/* NaN and infinity come through: both make the sum of zero times everything NaN. */
WIDEST static double largest_difference(const real *a, const real *b, size_t count)
{
    real most = 0, poison = 0;
#pragma omp simd reduction(max : most) reduction(+ : poison)
    for (size_t k = 0; k < count; k++) {
        const real off = a[k] < b[k] ? b[k] - a[k] : a[k] - b[k];
        most = off > most ? off : most;
        poison += 0 * off;
    }
    return poison == 0 ? (double)most : (double)NAN;
}

static enum status run(void *state, struct laps *laps)
{
    struct cpu *c = state;
    const size_t points = c->in->points, values = c->in->d * points;
    double err;
    do {
        memcpy(c->old, c->new, values * sizeof *c->old);
        if (c->in->dense)
            dense_product(c);
        else if (c->scheme.all != 0)
            add_up(c);
        for (size_t i = 0; i < c->in->d; i++) {
            real *const f = c->in->dense ? c->f + i * points : c->f;
            if (!c->in->dense)
                sparse_product(c, i, f);
            advance(c, i, f, c->new + i *points);
        }
        err = largest_difference(c->new, c->old, values);
    } while (progress_goes_on(c->in, &c->progress, err));
    lap(laps, "loop");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct cpu *c = state;
    copy_bytes(out->values, c->new, c->in->d * c->in->points * sizeof *c->new);
    progress_put(c->in, &c->progress, out);
    lap(laps, "back");
    return OK;
}

const struct calls P(waveform_cpu)[] = {
    [PICARD] =
        {.plan = plan_picard, .load = load, .run = run, .fetch = fetch, .destroy = give_back},
    [JACOBI] =
        {.plan = plan_jacobi, .load = load, .run = run, .fetch = fetch, .destroy = give_back},
};
