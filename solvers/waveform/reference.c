/*
 * The plainest code of the family, in double: whole waveforms, one iterate after the other,
 * component by component; and what they tend to, the method without relaxation, one point in time
 * after the other.
 */
#include "problem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/solution.h"

double reference_product(const struct waveform *p, enum relaxation relaxation,
                         const struct scheme *of, const double *y, size_t stride, double sum,
                         size_t i, size_t n)
{
    const ptrdiff_t d = (ptrdiff_t)p->d;
    double f = of->centre[i] * y[i * stride] + p->all * sum;
    for (int b = 0; b < p->bands; b++) {
        const ptrdiff_t j = (ptrdiff_t)i + p->offset[b];
        if (j >= 0 && j < d)
            f += of->band[b][i] * y[(size_t)j * stride];
    }
    if (p->full != NULL) {
        f = 0;
        for (size_t j = 0; j < p->d; j++)
            if (j != i || relaxation == PICARD)
                f += p->full[i * p->d + j] * y[j * stride];
    }
    return p->g != NULL ? f + waveform_g(p, i, n) : f;
}

double reference_sum(const struct waveform *p, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < p->d && p->all != 0; i++)
        sum += y[i];
    return sum;
}

/* --- the iterates --- */

/* All numbers as a variant of single precision has them. */
static void round_all(struct reference *r)
{
    const size_t d = r->p->d;
    for (size_t k = 0; k < 4 * d; k++)
        r->scheme.q1[k] = (double)(float)r->scheme.q1[k];
    for (int b = 0; b < r->p->bands; b++) {
        for (size_t i = 0; i < d; i++)
            r->own[(size_t)b * d + i] = (double)(float)r->scheme.band[b][i];
        r->scheme.band[b] = r->own + (size_t)b * d;
    }
}

enum status reference_make(const struct waveform *p, enum relaxation relaxation, bool single,
                           struct reference *out)
{
    const size_t d = p->d, values = d * p->points;
    *out = (struct reference){.p = p, .relaxation = relaxation};
    (void)waveform_scheme(p, relaxation, &out->memory, &out->scheme);
    out->own = take(&out->memory, (MAX_BANDS * d + 1) * sizeof *out->own);
    out->old = own(&out->memory, calloc(values, sizeof *out->old), free);
    out->now = own(&out->memory, calloc(values, sizeof *out->now), free);
    out->sums = own(&out->memory, calloc(p->points, sizeof *out->sums), free);
    if (out->memory.status != OK)
        return out->memory.status;
    if (single)
        round_all(out);
    double largest = 0;
#pragma omp parallel for schedule(static) if (d > MANY) reduction(max : largest)
    for (size_t i = 0; i < d; i++)
        for (size_t n = 0; n < p->points; n++) {
            const double y = waveform_first(p, i, n);
            out->now[i * p->points + n] = single ? (double)(float)y : y;
            largest = fabs(y) > largest ? fabs(y) : largest;
        }
    out->largest = largest;
    return OK;
}

/* What a loop over components has seen. */
struct seen {
    double err, largest; /* |now - old|, |now| */
    bool finite;
};

/* The next iterate of a component, along time. */
static struct seen reference_component(const struct reference *r, size_t i)
{
    const struct waveform *p = r->p;
    const struct scheme *s = &r->scheme;
    const double *const old = r->old + i * p->points;
    double *const y = r->now + i * p->points;
    double f[3] = {0}; /* by lag */
    struct seen seen = {0, 0, true};
    for (size_t n = 0; n < p->points; n++) {
        f[2] = f[1];
        f[1] = f[0];
        f[0] = reference_product(p, r->relaxation, s, r->old + n, p->points, r->sums[n], i, n);
        if (n < (size_t)s->steps) {
            y[n] = old[n];
            continue;
        }
        double sum = s->b[0] * f[0];
        for (int lag = 1; lag <= s->steps; lag++)
            sum += s->b[lag] != 0 ? s->b[lag] * f[lag] : 0; /* which may be infinite */
        y[n] = s->q1[i] * y[n - 1] + s->w[i] * sum;
        if (s->steps == 2)
            y[n] += s->q2[i] * y[n - 2];
        const double off = fabs(y[n] - old[n]), size = fabs(y[n]);
        seen.err = off > seen.err ? off : seen.err;
        seen.largest = size > seen.largest ? size : seen.largest;
        seen.finite = seen.finite && isfinite(off);
    }
    return seen;
}

void reference_sweep(struct reference *r)
{
    const size_t d = r->p->d, points = r->p->points;
    double *const old = r->now;
    double err = 0, largest = 0;
    bool finite = true;
    r->now = r->old;
    r->old = old;
    memset(r->sums, 0, points * sizeof *r->sums);
    for (size_t i = 0; i < d && r->p->all != 0; i++)
        for (size_t n = 0; n < points; n++)
            r->sums[n] += old[i * points + n];
#pragma omp parallel for schedule(static) if (d > MANY) reduction(max : err, largest)              \
    reduction(&& : finite)
    for (size_t i = 0; i < d; i++) {
        const struct seen seen = reference_component(r, i);
        err = seen.err > err ? seen.err : err;
        largest = seen.largest > largest ? seen.largest : largest;
        finite = finite && seen.finite;
    }
    r->err = finite ? err : (double)INFINITY;
    r->largest = larger(r->largest, finite ? largest : (double)INFINITY);
}

/* --- their limit --- */

enum { MOST_INNER = 1000 };

enum status stepper_make(const struct waveform *p, struct stepper *out)
{
    const size_t d = p->d;
    *out = (struct stepper){.p = p};
    (void)waveform_scheme(p, JACOBI, &out->memory, &out->scheme);
    double *const rows = own(&out->memory, calloc(7 * d, sizeof *rows), free);
    if (out->memory.status != OK)
        return out->memory.status;
    double **const each[] = {&out->y,  &out->y1, &out->next, &out->f,
                             &out->f1, &out->f2, &out->fixed};
    for (size_t k = 0; k < 7; k++)
        *each[k] = rows + k * d;
    out->n = (size_t)out->scheme.steps - 1;
    for (size_t i = 0; i < d; i++) {
        out->y[i] = waveform_first(p, i, out->n);
        out->y1[i] = waveform_first(p, i, 0);
    }
    return OK;
}

static void right_side(const struct stepper *s, const double *y, size_t n, double *f)
{
    const double sum = reference_sum(s->p, y);
#pragma omp parallel for schedule(static) if (s->p->d > MANY)
    for (size_t i = 0; i < s->p->d; i++)
        f[i] = reference_product(s->p, JACOBI, &s->scheme, y, 1, sum, i, n);
}

/* Jacobi's iteration on the components of one point, until nothing moves. */
enum status stepper_next(struct stepper *s)
{
    const struct scheme *m = &s->scheme;
    const size_t d = s->p->d;
    double *const y = s->next;
    right_side(s, s->y, s->n, s->f1);
    if (m->b[2] != 0)
        right_side(s, s->y1, s->n - 1, s->f2);
    for (size_t i = 0; i < d; i++) {
        s->fixed[i] = m->q1[i] * s->y[i] + m->q2[i] * s->y1[i] +
                      m->w[i] * (m->b[1] * s->f1[i] + m->b[2] * s->f2[i]);
        y[i] = s->y[i];
    }
    double moved = INFINITY, largest = 0, before = INFINITY;
    for (int inner = 0; inner < MOST_INNER && moved > 0; inner++) {
        right_side(s, y, s->n + 1, s->f);
        moved = largest = 0;
        for (size_t i = 0; i < d; i++) {
            const double x = s->fixed[i] + m->w[i] * (m->b[0] * s->f[i]);
            moved = larger(moved, fabs(x - y[i]));
            largest = larger(largest, fabs(x));
            y[i] = x;
        }
        if (moved <= 4 * DBL_EPSILON * largest && moved >= before)
            moved = 0; /* rounding alone */
        before = moved;
    }
    const bool found = moved <= 64 * DBL_EPSILON * largest;
    if (!found)
        return because(
            ERR_DIVERGED,
            "Jacobi's iteration does not find y at point %zu; choose a smaller T or more points N",
            s->n + 1);
    s->next = s->y1;
    s->y1 = s->y;
    s->y = y;
    s->n++;
    return OK;
}
