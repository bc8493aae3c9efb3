/*
 * The judge: every answer is held against the same iterate by the plainest code of the family, in
 * double, its corrections and when it stopped as well; where there are closed forms also against
 * them. What the iterates tend to, and how far that is from exp(tA) y0, is reported beside it.
 */
#include "problem.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* From how many components on a loop over them is worth several threads; values of an answer up to
 * which its limit is computed, and products up to which exp(tA) is. */
enum { MANY = 4096, LIMIT_VALUES = 1 << 19, EXACT_PRODUCTS = 30000000, MOST_CLOSED_FORMS = 64 };

double waveform_value(const struct solution *got, size_t i)
{
    return got->precision == DOUBLE ? ((const double *)got->values)[i]
                                    : (double)((const float *)got->values)[i];
}

/* The larger one; a NaN, once met, stays. */
static double larger(double most, double x)
{
    return x <= most || isnan(most) ? most : x;
}

/* Component i of M y + g at point n, y_j at y[j*stride]; `sum` is that of y, where `all` is not 0.
 */
static double product(const struct waveform *p, enum relaxation relaxation, const struct scheme *of,
                      const double *y, size_t stride, double sum, size_t i, size_t n)
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

static double sum_of(const struct waveform *p, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < p->d && p->all != 0; i++)
        sum += y[i];
    return sum;
}

/* --- the reference: whole waveforms, one after the other, component by component --- */

struct reference {
    const struct waveform *p;
    enum relaxation relaxation;
    struct scheme scheme;
    double *sums;        /* [N] of the components of `old`, where `all` is not 0 */
    double *own;         /* [bands][d] of the scheme, where they are rounded */
    double *old, *new;   /* [d][N] */
    double err, largest; /* |new - old|; of all iterates */
};

static void reference_free(struct reference *r)
{
    waveform_scheme_free(&r->scheme);
    free(r->own);
    free(r->old);
    free(r->new);
    free(r->sums);
}

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

static enum status reference_make(const struct waveform *p, enum relaxation relaxation, bool single,
                                  struct reference *out)
{
    const size_t d = p->d, values = d * p->points;
    *out = (struct reference){.p = p, .relaxation = relaxation};
    const enum status status = waveform_scheme(p, relaxation, &out->scheme);
    if (status != OK)
        return status;
    out->own = malloc((MAX_BANDS * d + 1) * sizeof *out->own);
    out->old = calloc(values, sizeof *out->old);
    out->new = calloc(values, sizeof *out->new);
    out->sums = calloc(p->points, sizeof *out->sums);
    if (out->own == NULL || out->old == NULL || out->new == NULL || out->sums == NULL)
        return because(ERR_MEMORY, "there is no memory for two waveforms of %zu values to judge by",
                       values);
    if (single)
        round_all(out);
    double largest = 0;
#pragma omp parallel for schedule(static) if (d > MANY) reduction(max : largest)
    for (size_t i = 0; i < d; i++)
        for (size_t n = 0; n < p->points; n++) {
            const double y = waveform_first(p, i, n);
            out->new[i * p->points + n] = single ? (double)(float)y : y;
            largest = fabs(y) > largest ? fabs(y) : largest;
        }
    out->largest = largest;
    return OK;
}

/* What a loop over components has seen. */
struct seen {
    double err, largest; /* |new - old|, |new| */
    bool finite;
};

/* The next iterate of a component, along time. */
static struct seen reference_component(const struct reference *r, size_t i)
{
    const struct waveform *p = r->p;
    const struct scheme *s = &r->scheme;
    const double *const old = r->old + i * p->points;
    double *const y = r->new + i * p->points;
    double f[3] = {0}; /* by lag */
    struct seen seen = {0, 0, true};
    for (size_t n = 0; n < p->points; n++) {
        f[2] = f[1];
        f[1] = f[0];
        f[0] = product(p, r->relaxation, s, r->old + n, p->points, r->sums[n], i, n);
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

static void reference_sweep(struct reference *r)
{
    const size_t d = r->p->d, points = r->p->points;
    double *const old = r->new;
    double err = 0, largest = 0;
    bool finite = true;
    r->new = r->old;
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

enum status reference_count(const struct waveform *p, enum relaxation relaxation,
                            double *iterations)
{
    struct reference r;
    struct progress at = {.err = NULL};
    enum status status = reference_make(p, relaxation, false, &r);
    if (status == OK)
        status = progress_make(p, relaxation, false, &at);
    if (status == OK) {
        progress_begin(&at);
        do
            reference_sweep(&r);
        while (progress_goes_on(p, &at, r.err));
        *iterations = (double)at.iterations;
    }
    free(at.err);
    reference_free(&r);
    return status;
}

/* --- the limit of the iteration: the method without relaxation --- */

enum { MOST_INNER = 1000 };

void stepper_free(struct stepper *s)
{
    waveform_scheme_free(&s->scheme);
    free(s->rows);
    s->rows = NULL;
}

enum status stepper_make(const struct waveform *p, struct stepper *out)
{
    const size_t d = p->d;
    *out = (struct stepper){.p = p};
    const enum status status = waveform_scheme(p, JACOBI, &out->scheme);
    if (status != OK)
        return status;
    out->rows = calloc(7 * d, sizeof *out->rows);
    if (out->rows == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu components", 7 * d);
    double **const each[] = {&out->y,  &out->y1, &out->next, &out->f,
                             &out->f1, &out->f2, &out->fixed};
    for (size_t k = 0; k < 7; k++)
        *each[k] = out->rows + k * d;
    out->n = (size_t)out->scheme.steps - 1;
    for (size_t i = 0; i < d; i++) {
        out->y[i] = waveform_first(p, i, out->n);
        out->y1[i] = waveform_first(p, i, 0);
    }
    return OK;
}

static void right_side(const struct stepper *s, const double *y, size_t n, double *f)
{
    const double sum = sum_of(s->p, y);
#pragma omp parallel for schedule(static) if (s->p->d > MANY)
    for (size_t i = 0; i < s->p->d; i++)
        f[i] = product(s->p, JACOBI, &s->scheme, y, 1, sum, i, n);
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
        return because(ERR_DIVERGED,
                       "Jacobi's iteration does not find y at point %zu; choose a smaller T or "
                       "more points N",
                       s->n + 1);
    s->next = s->y1;
    s->y1 = s->y;
    s->y = y;
    s->n++;
    return OK;
}

/* --- exp(tA) y0, by its power series on parts of a step --- */

static double norm_of(const struct waveform *p)
{
    double norm = 0;
    for (size_t i = 0; i < p->d; i++) {
        double row = fabs(p->diagonal[i]) + p->all * (double)p->d;
        for (int b = 0; b < p->bands; b++)
            row += fabs(p->band[b][i]);
        for (size_t j = 0; j < p->d && p->full != NULL; j++)
            row += j != i ? fabs(p->full[i * p->d + j]) : 0;
        norm = larger(norm, row);
    }
    return norm;
}

/* Over a time t with |tA| at most 1. */
static void exponential(const struct waveform *p, const struct scheme *of, double t, double *y,
                        double *term, double *f)
{
    double largest = 1, size = 1;
    memcpy(term, y, p->d * sizeof *y);
    for (int k = 1; k < 40 && size > 1e-18 * largest; k++) {
        const double sum = sum_of(p, term);
        for (size_t i = 0; i < p->d; i++)
            f[i] = t / k * product(p, PICARD, of, term, 1, sum, i, 0);
        size = largest = 0;
        for (size_t i = 0; i < p->d; i++) {
            term[i] = f[i];
            y[i] += f[i];
            size = larger(size, fabs(f[i]));
            largest = larger(largest, fabs(y[i]));
        }
    }
}

/* Largest |y - exp(tA) y0| in all points; NaN where it is not computed. */
static double off_exact(const struct waveform *p, const struct solution *got)
{
    struct scheme of;
    const double parts = ceil(p->h * norm_of(p));
    const double products = parts * 20 * (double)p->points * (double)p->d;
    double off = NAN;
    if (p->g != NULL || p->full != NULL || !(products <= EXACT_PRODUCTS) ||
        waveform_scheme(p, PICARD, &of) != OK)
        return off;
    double *const y = malloc(3 * p->d * sizeof *y);
    for (size_t i = 0; i < p->d && y != NULL; i++)
        y[i] = waveform_first(p, i, 0);
    for (size_t n = 0; n < p->points && y != NULL; n++) {
        for (double part = 0; part < parts && n > 0; part++)
            exponential(p, &of, p->h / parts, y, y + p->d, y + 2 * p->d);
        for (size_t i = 0; i < p->d; i++) {
            const double here = fabs(waveform_value(got, i * p->points + n) - y[i]);
            off = n + i == 0 ? here : larger(off, here);
        }
    }
    free(y);
    waveform_scheme_free(&of);
    return off;
}

static double off_limit(const struct waveform *p, const struct solution *got)
{
    struct stepper stepper;
    double off = NAN;
    if (p->d * p->points <= LIMIT_VALUES && stepper_make(p, &stepper) == OK) {
        off = 0;
        while (stepper.n + 1 < p->points && !isnan(off)) {
            if (stepper_next(&stepper) != OK)
                off = NAN;
            for (size_t i = 0; i < p->d && !isnan(off); i++)
                off = larger(off,
                             fabs(waveform_value(got, i * p->points + stepper.n) - stepper.y[i]));
        }
        stepper_free(&stepper);
    }
    return off;
}

/* --- closed forms --- */

static double picard_closed_form(double h, size_t points, long v)
{
    long double size = 1, binomial = 1, most = 0; /* binomial: C(2v, v+j) */
    for (long k = 1; k <= v; k++) {
        size *= (long double)h * (long double)(points - 2 + (size_t)k) / (long double)k;
        binomial *= (long double)(v + k) / (long double)k;
    }
    for (long j = 0; j <= v; j++) {
        const long double next = binomial * (long double)(v - j) / (long double)(v + j + 1);
        const long double after = next * (long double)(v - j - 1) / (long double)(v + j + 2);
        most = fmaxl(most, fabsl(binomial - after));
        binomial = next;
    }
    return (double)(size * most);
}

static double jacobi_closed_form(double h, size_t points, long v)
{
    double w[MOST_CLOSED_FORMS + 1] = {1}; /* of iterates 0 .. v at one point */
    double q[MOST_CLOSED_FORMS + 3] = {-2, 1}, before[MOST_CLOSED_FORMS + 3], most = 2;
    for (size_t n = 1; n < points; n++)
        for (long k = 1; k <= v; k++)
            w[k] = (w[k] + h * w[k - 1]) / (1 + 2 * h);
    for (long k = 1; k < v; k++) { /* R q, from the last component on */
        memcpy(before, q, sizeof q);
        most = 0;
        for (long i = 0; i <= v; i++) {
            q[i] = (i > 0 ? before[i - 1] : 0) + before[i + 1];
            most = fmax(most, fabs(q[i]));
        }
    }
    return w[v] * most;
}

double waveform_closed_form(double h, size_t points, enum relaxation relaxation, long v)
{
    assert(v >= 1 && v <= MOST_CLOSED_FORMS);
    return relaxation == PICARD ? picard_closed_form(h, points, v)
                                : jacobi_closed_form(h, points, v);
}

/* --- spectral radii: what decides in the long run --- */

/* Of the matrix whose component i is weight_i (M y)_i, M without negative numbers or symmetric with
 * one eigenvalue that is larger than all others; NaN: not found. */
static double power_iteration(const struct waveform *p, const struct scheme *of,
                              enum relaxation relaxation, const double *weight, double shift)
{
    enum { MOST = 100000, QUIET = 20 };
    double *const y = malloc(2 * p->d * sizeof *y), *const next = y + p->d;
    double radius = NAN;
    int quiet = 0;
    for (size_t i = 0; i < p->d && y != NULL; i++)
        y[i] = 1;
    for (int k = 0; k < MOST && quiet < QUIET && y != NULL; k++) {
        const double sum = sum_of(p, y), before = radius;
        double largest = 0;
        for (size_t i = 0; i < p->d; i++) {
            next[i] = weight[i] * product(p, relaxation, of, y, 1, sum, i, 0) + shift * y[i];
            largest = larger(largest, fabs(next[i]));
        }
        for (size_t i = 0; i < p->d; i++)
            y[i] = next[i] / largest;
        radius = largest - shift;
        quiet = fabs(radius - before) <= 1e-14 * radius ? quiet + 1 : 0;
    }
    free(y);
    return quiet == QUIET ? radius : (double)NAN;
}

/* Of hA, of (I/h - D)^-1 R, or, as printed for the latter, of (1/h + 2)^-1 R. */
static double radius_of(const struct waveform *p, enum relaxation relaxation, bool printed)
{
    struct scheme of;
    double radius = NAN, shift = 0;
    double *const weight = malloc(p->d * sizeof *weight);
    if (weight != NULL && waveform_scheme(p, relaxation, &of) == OK) {
        for (size_t i = 0; i < p->d; i++) {
            weight[i] = relaxation == PICARD ? p->h
                        : printed            ? p->h / (1 + 2 * p->h)
                                             : 1 / (1 / p->h - p->diagonal[i]);
            shift = fmax(shift, relaxation == PICARD ? 0 : 0.1 * weight[i]);
        }
        radius = power_iteration(p, &of, relaxation, weight, shift);
        waveform_scheme_free(&of);
    }
    free(weight);
    return radius;
}

/* Of tridiag(1, -2, 1), and of its like on m x m points. */
static double heat_radius(const struct waveform *p, enum relaxation relaxation)
{
    const double axes = p->bands / 2.0, side = axes > 1 ? sqrt((double)p->d) : (double)p->d;
    const double most = 2 * axes * cos(PI / (side + 1));
    return relaxation == PICARD ? p->h * (2 * axes + most) : most / (1 / p->h + 2 * axes);
}

static bool has_parameter(const struct params *at, const char *name)
{
    const struct parameter *q = at->table;
    while (q->name != NULL && strcmp(q->name, name) != 0)
        q++;
    return q->name != NULL;
}

static void add_radii(const struct instance *in, enum relaxation relaxation, struct judgement *out)
{
    const struct waveform *p = in->data;
    if (p->method != 0 || p->full != NULL || get(&in->at, "skew") != 0)
        return;
    if (!has_parameter(&in->at, "radius")) {
        add_metric(out, "spectral_radius", heat_radius(p, relaxation));
    } else if (get(&in->at, "radius") == 1) {
        add_metric(out, "spectral_radius", radius_of(p, relaxation, false));
        if (relaxation == JACOBI)
            add_metric(out, "radius_printed", radius_of(p, relaxation, true));
    }
}

/* --- the judgement --- */

struct claimed { /* what the trailer says */
    enum relaxation relaxation;
    long iterations;
    int outcome;
};

static double err_of(const struct waveform *p, const struct solution *got, long v)
{
    return waveform_value(got, p->d * p->points + TRAILER + (size_t)v - 1);
}

/* Whether a run with these corrections stops there, and so. */
static enum status read_trailer(const struct waveform *p, const struct solution *got,
                                struct claimed *out)
{
    const size_t first = p->d * p->points;
    const double relaxation = waveform_value(got, first), count = waveform_value(got, first + 1);
    const double outcome = waveform_value(got, first + 2);
    struct progress at;
    const bool good = (relaxation == PICARD || relaxation == JACOBI) && count >= 1 &&
                      count <= (double)p->nmax && count == floor(count);
    if (!good)
        return because(WRONG, "the answer does not say how many iterations of what it took");
    *out = (struct claimed){(enum relaxation)relaxation, (long)count, 0};
    const enum status status = progress_make(p, out->relaxation, got->precision != DOUBLE, &at);
    if (status != OK)
        return status;
    progress_begin(&at);
    bool on = true;
    for (long v = 1; v <= out->iterations && on; v++)
        on = progress_goes_on(p, &at, err_of(p, got, v));
    free(at.err);
    if (on || at.iterations != out->iterations || at.outcome != outcome)
        return because(WRONG,
                       "with these corrections a run stops otherwise than after %ld "
                       "iterations with outcome %g",
                       out->iterations, outcome);
    out->outcome = at.outcome;
    return OK;
}

/* The error of the iterate and of all corrections, relative to the largest number on the way to
 * each, in which the rounding is. */
static enum status compare(const struct waveform *p, const struct solution *got,
                           const struct claimed *claimed, double *error)
{
    const bool single = got->precision != DOUBLE;
    const double range = single ? (double)FLT_MAX : DBL_MAX;
    struct reference r;
    double off = 0;
    enum status status = reference_make(p, claimed->relaxation, single, &r);
    if (status != OK)
        goto cleanup;
    for (long v = 1; v <= claimed->iterations; v++) {
        const double err = err_of(p, got, v);
        reference_sweep(&r);
        const bool closed = p->closed_forms && v <= MOST_CLOSED_FORMS && p->d > (size_t)v + 1;
        const double scale = 2 * (r.largest > 0 ? r.largest : 1);
        if (isfinite(err))
            off = larger(off, fabs(err - r.err) / scale);
        if (isfinite(err) && closed)
            off = larger(off, fabs(err - p->amplitude * waveform_closed_form(p->h, p->points,
                                                                             r.relaxation, v)) /
                                  scale);
    }
    if (claimed->outcome == NONFINITE) {
        if (r.largest <= 1e-3 * range)
            status = because(WRONG, "it became infinite or NaN, and nothing should exceed %.3g",
                             r.largest);
        goto cleanup;
    }
    bool finite = true;
    double most_off = 0;
#pragma omp parallel for schedule(static) if (p->d > MANY) reduction(max : most_off)               \
    reduction(&& : finite)
    for (size_t i = 0; i < p->d; i++)
        for (size_t n = 0; n < p->points; n++) {
            const double y = waveform_value(got, i * p->points + n);
            finite = finite && isfinite(y);
            const double here = fabs(y - r.new[i * p->points + n]);
            most_off = here > most_off ? here : most_off;
        }
    off = larger(off, most_off / (r.largest > 0 ? r.largest : 1));
    if (!finite)
        status = because(WRONG, "some y is not a finite number, and all corrections are");
cleanup:
    *error = off;
    reference_free(&r);
    return status;
}

static const char *const outcomes[] = {[CONVERGED] = "converged",
                                       [AT_NMAX] = "nmax",
                                       [STAGNATED] = "stagnated",
                                       [NONFINITE] = "nonfinite"};

/* In words, what did not converge. */
static enum status not_converged(const struct waveform *p, const struct solution *got,
                                 const struct claimed *claimed)
{
    const char *const word = outcomes[claimed->outcome];
    const double err = err_of(p, got, claimed->iterations);
    double most = 0;
    for (long v = 1; v <= claimed->iterations; v++)
        most = larger(most, err_of(p, got, v));
    switch (claimed->outcome) {
    case NONFINITE:
        return because(ERR_DIVERGED,
                       "%s: y leaves the range of the precision in iteration %ld; choose a smaller "
                       "T, more points N, or Jacobi",
                       word, claimed->iterations);
    case STAGNATED:
        return because(ERR_DIVERGED,
                       "%s: the corrections were %.3g once, and their rounding stays; the last one "
                       "is %.3g; choose a smaller T, more points N, or %s",
                       word, most, err, got->precision == DOUBLE ? "Jacobi" : "double precision");
    default:
        return because(ERR_DIVERGED, "%s: after %ld iterations the correction is %.3g%s; choose %s",
                       word, claimed->iterations, err,
                       err == most ? " and still grows, so it diverges" : "",
                       err == most ? "a smaller T, more points N, or Jacobi" : "a larger nmax");
    }
}

static void add_metrics(const struct instance *in, const struct solution *got,
                        const struct claimed *claimed, struct judgement *out)
{
    const struct waveform *p = in->data;
    const int most = (int)(sizeof out->metrics / sizeof *out->metrics);
    add_metric(out, "iterations", (double)claimed->iterations);
    add_metric(out, "outcome", claimed->outcome);
    add_metric(out, "err", err_of(p, got, claimed->iterations));
    if (claimed->outcome != NONFINITE) {
        const double limit = off_limit(p, got), exact = off_exact(p, got);
        if (!isnan(limit))
            add_metric(out, "error_limit", limit);
        if (!isnan(exact))
            add_metric(out, "error_exact", exact);
    }
    add_radii(in, claimed->relaxation, out);
    const bool each = get_long(&in->at, "record") == 0;
    for (long v = 1; each && v <= claimed->iterations && out->count < most; v++) {
        char name[32];
        snprintf(name, sizeof name, "err_%ld", v);
        add_metric(out, name, err_of(p, got, v));
    }
}

enum status waveform_judge(const struct instance *in, const struct solution *got,
                           struct judgement *out)
{
    const struct waveform *p = in->data;
    struct claimed claimed = {.iterations = 0};
    double error = NAN;
    assert(got->count == p->d * p->points + TRAILER + (size_t)p->nmax);
    enum status status = read_trailer(p, got, &claimed);
    if (status == OK)
        status = compare(p, got, &claimed, &error);
    if (status != OK)
        return status;
    add_metrics(in, got, &claimed, out);
    out->error = error;
    out->inherent = 0;
    snprintf(out->said, sizeof out->said, "%s", outcomes[claimed.outcome]);
    if (claimed.outcome != CONVERGED && get(&in->at, "expect") == 0)
        return not_converged(p, got, &claimed);
    return OK;
}
