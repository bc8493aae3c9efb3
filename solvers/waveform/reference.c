/*
 * The plainest code of the family, in double: whole waveforms, one iterate after the other, and how
 * far rounding may take a variant's from them; and what they tend to, the method without
 * relaxation, one point in time after the other.
 */
#include "problem.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/solution.h"
#include "../common/widest.h"

double reference_product(const struct waveform *p, enum relaxation relaxation,
                         const struct scheme *of, const double *y, double sum, size_t i, size_t n)
{
    const ptrdiff_t d = (ptrdiff_t)p->d;
    double f = of->centre[i] * y[i] + p->all * sum;
    for (int b = 0; b < p->bands; b++) {
        const ptrdiff_t j = (ptrdiff_t)i + p->offset[b];
        if (j >= 0 && j < d)
            f += of->band[b][i] * y[j];
    }
    if (p->full != NULL) {
        f = 0;
        for (size_t j = 0; j < p->d; j++)
            if (j != i || relaxation == PICARD)
                f += p->full[i * p->d + j] * y[j];
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

/* --- the iterates ---
 * A variant makes the same sums, in an order of its own. How far is it from what this code has, if
 * that is at most `bound` in the iterate before?
 *   - Two sums F of t products are at most |M| (bound + t u (|y| + bound)) apart, where u stands
 * for the roundings of both. `product` is t u.
 *   - In time that goes on as F itself does: by the response of y to an impulse, of which every
 *     number is taken by its size.
 *   - The roundings of a step go on as y does.
 * The sizes are those of these data, in each component at each point: where y is 0 nothing is lost.
 * Where numbers are too small for full digits an operation is off by `tiny` at most.
 */

enum { TILE = 128 }; /* components that go through time together */

static void find_response(struct reference *r)
{
    const struct scheme *s = &r->scheme;
    struct response *const out = &r->response;
    const size_t d = r->p->d;
    double *const begin = take(&r->memory, 5 * d * sizeof *begin);
    if (begin == NULL)
        return;
    *out = (struct response){{begin, begin + d, begin + 2 * d}, begin + 3 * d, begin + 4 * d};
#pragma omp parallel for schedule(static) if (d > MANY)
    for (size_t i = 0; i < d; i++) {
        const double half = s->q1[i] / 2;
        const double complex root = s->steps == 1 ? fabs(half) : csqrt(half * half + s->q2[i]);
        const double complex slow = half < 0 ? half - root : half + root;
        const double complex after = s->b[1] + slow * s->b[0];
        out->by[0][i] = fabs(s->w[i] * s->b[0]);
        out->by[1][i] = fabs(s->w[i]) * cabs(after);
        out->by[2][i] = fabs(s->w[i]) * cabs(s->b[2] + slow * after);
        out->slow[i] = cabs(slow);
        out->fast[i] = cabs(s->q1[i] - slow);
    }
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
    for (int lag = 0; lag < 3; lag++)
        r->scheme.b[lag] = (double)(float)r->scheme.b[lag];
    r->all = (double)(float)r->all;
}

/* The same of one that is not kept. */
static double rounded(const struct reference *r, double x)
{
    return r->single ? (double)(float)x : x;
}

/* Roundings that a product meets until it is in F, at most: its own, and one in the sum with each
 * other product, unless that is always 0, and with g. Of a full matrix that is one number but for
 * its bands, one more for the entry of a band, or for three sums that are not with a product. */
static double roundings_of(const struct waveform *p)
{
    size_t most = p->all != 0 ? p->d + 3 : 1 + (size_t)p->bands;
    for (size_t i = 0; i < p->d && p->full != NULL; i++) {
        size_t here = 1;
        for (size_t j = 0; j < p->d; j++)
            here += p->full[i * p->d + j] != 0;
        most = here > most ? here : most;
    }
    return (double)most;
}

/* y^0 as both iterates, in the tiles in which threads work on it, so that its pages lie near them.
 * Returns its largest size. */
static double set_start(const struct reference *r)
{
    const size_t d = r->p->d, points = r->p->points;
    double largest = 0;
#pragma omp parallel for schedule(static) if (d > MANY) reduction(max : largest)
    for (size_t first = 0; first < d; first += TILE)
        for (size_t n = 0; n < points; n++)
            for (size_t i = first; i < d && i < first + TILE; i++) {
                const double y = rounded(r, waveform_first(r->p, i, n));
                r->now[n * d + i] = r->old[n * d + i] = y;
                r->bound[n * d + i] = r->old_bound[n * d + i] = 0;
                largest = fabs(y) > largest ? fabs(y) : largest;
            }
    return largest;
}

enum status reference_make(const struct waveform *p, enum relaxation relaxation, bool single,
                           struct reference *out)
{
    const size_t d = p->d, values = d * p->points;
    *out = (struct reference){.p = p, .relaxation = relaxation, .single = single, .all = p->all};
    struct memory *const memory = &out->memory;
    (void)waveform_scheme(p, relaxation, memory, &out->scheme);
    out->own = take(memory, (MAX_BANDS * d + 1) * sizeof *out->own);
    double **const each[] = {&out->old, &out->now, &out->old_bound, &out->bound};
    for (size_t k = 0; k < 4; k++)
        if ((*each[k] = malloc(values * sizeof **each[k])) == NULL)
            memory->status = because(ERR_MEMORY, "there is no memory for %zu values", values);
    out->sums = own(memory, calloc(p->points, sizeof *out->sums), free);
    out->sum_bounds = own(memory, calloc(p->points, sizeof *out->sum_bounds), free);
    if (memory->status == OK && single)
        round_all(out);
    if (memory->status == OK)
        find_response(out);
    if (memory->status != OK)
        return memory->status;
    out->unit = 0x1p-53 + (single ? 0x1p-24 : 0x1p-53); /* this code's, and the variant's */
    out->product = roundings_of(p) * out->unit;
    if (!(out->product < 0.5))
        return because(ERR_ARGS,
                       "sums of d = %zu products have no digits left; choose a smaller d%s", d,
                       single ? " or double precision" : "");
    out->product /= 1 - out->product;
    out->start = out->size = out->largest = set_start(out);
    /* Larger than it need be: to add bounds that are subnormal is slow. */
    out->tiny = single ? (double)FLT_TRUE_MIN : fmax(DBL_TRUE_MIN, 0x1p-900 * out->start);
    return OK;
}

void reference_settle(struct reference *r)
{
    free(r->old);
    free(r->old_bound);
    r->old = r->old_bound = NULL;
}

void reference_free(struct reference *r)
{
    reference_settle(r);
    free(r->now);
    free(r->bound);
    let_go(&r->memory);
}

/* What |M| is multiplied by: how far apart values are, and what a product adds to that. */
static inline double blurred(double product, double y, double bound)
{
    return bound + product * (fabs(y) + bound);
}

static void add_up(struct reference *r)
{
    const size_t d = r->p->d;
#pragma omp parallel for schedule(static) if (d > MANY)
    for (size_t n = 0; n < r->p->points; n++) {
        double sum = 0, bound = 0;
        for (size_t at = n * d; at < (n + 1) * d; at++) {
            sum += r->old[at];
            bound += blurred(r->product, r->old[at], r->old_bound[at]);
        }
        r->sums[n] = sum;
        r->sum_bounds[n] = bound;
    }
}

/* Components first .. first+count-1, one point in time after the other. */
struct tile {
    size_t first, count;
    double f[3][TILE], f_bound[3][TILE]; /* F of points n, at n % 3, and how far apart it is */
    double sum[TILE], moved[TILE];       /* of F over lags; of y since the iterate before */
    double step[TILE];                   /* roundings of a step */
    double slow[TILE];                   /* the part of y's bound that falls as `slow` does */
};

INLINE void add_band(const struct reference *r, int b, size_t n, struct tile *t)
{
    const ptrdiff_t offset = r->p->offset[b], d = (ptrdiff_t)r->p->d;
    const ptrdiff_t first = (ptrdiff_t)t->first, count = (ptrdiff_t)t->count;
    const ptrdiff_t from = first + offset < 0 ? -offset - first : 0;
    const ptrdiff_t to = first + count + offset > d ? d - offset - first : count;
    const ptrdiff_t at = (ptrdiff_t)n * d + first + offset;
    const double *const m = r->scheme.band[b] + first, product = r->product;
    const double *const old = r->old, *const old_bound = r->old_bound;
    double *const f = t->f[n % 3], *const f_bound = t->f_bound[n % 3];
#pragma omp simd
    for (ptrdiff_t k = from; k < to; k++) {
        f[k] += m[k] * old[at + k];
        f_bound[k] += fabs(m[k]) * blurred(product, old[at + k], old_bound[at + k]);
    }
}

INLINE void add_row(const struct reference *r, size_t i, size_t n, double *f, double *f_bound)
{
    const size_t d = r->p->d;
    const double *const y = r->old + n * d, *const bound = r->old_bound + n * d;
    for (size_t j = 0; j < d; j++) {
        const bool none = j == i && r->relaxation == JACOBI;
        const double m = none ? 0 : rounded(r, r->p->full[i * d + j]);
        *f += m * y[j];
        *f_bound += fabs(m) * blurred(r->product, y[j], bound[j]);
    }
}

/* F at a point. */
INLINE void find_right_sides(const struct reference *r, size_t n, struct tile *t)
{
    const struct waveform *p = r->p;
    const size_t at = n * p->d + t->first;
    const double *const centre = r->scheme.centre + t->first;
    const double *const y = r->old + at, *const bound = r->old_bound + at, product = r->product;
    const double all = r->all * r->sums[n];
    const double all_bound = r->all * r->sum_bounds[n] + product / r->unit * r->tiny;
    double *const f = t->f[n % 3], *const f_bound = t->f_bound[n % 3];
#pragma omp simd
    for (size_t k = 0; k < t->count; k++) {
        f[k] = centre[k] * y[k] + all;
        f_bound[k] = fabs(centre[k]) * blurred(product, y[k], bound[k]) + all_bound;
    }
    for (int b = 0; b < p->bands; b++)
        add_band(r, b, n, t);
    for (size_t k = 0; k < t->count && p->full != NULL; k++) {
        f[k] = 0;
        f_bound[k] = all_bound;
        add_row(r, t->first + k, n, &f[k], &f_bound[k]);
    }
    for (size_t k = 0; k < t->count && p->g != NULL; k++) {
        const double g = rounded(r, waveform_g(p, t->first + k, n));
        f[k] += g;
        f_bound[k] += product * fabs(g);
    }
}

/* What a loop over components has seen. */
struct seen {
    double err, err_bound, size, reach; /* as in the reference */
    double poison;                      /* NaN after NaN or infinity */
};

INLINE void see(struct seen *all, const struct seen *one)
{
    all->err = larger(all->err, one->err);
    all->err_bound = larger(all->err_bound, one->err_bound);
    all->size = larger(all->size, one->size);
    all->reach = larger(all->reach, one->reach);
    all->poison += one->poison;
}

/* The next iterate at a point. */
INLINE void find_values(const struct reference *r, size_t n, struct tile *t, struct seen *seen)
{
    const struct scheme *s = &r->scheme;
    const size_t d = r->p->d, at = n * d + t->first, steps = (size_t)s->steps;
    const double *const q1 = s->q1 + t->first, *const q2 = q1 + d, *const w = q2 + d;
    const double *const old = r->old + at, *const y1 = r->now + at - d;
    const double *const y2 = r->now + at - steps * d; /* q2 is 0 where that is y1 */
    double *const y = r->now + at;
    for (size_t k = 0; k < t->count; k++)
        t->sum[k] = s->b[0] * t->f[n % 3][k];
    for (size_t lag = 1; lag <= steps; lag++)
        for (size_t k = 0; k < t->count && s->b[lag] != 0; k++) /* F may be infinite */
            t->sum[k] += s->b[lag] * t->f[(n - lag) % 3][k];
    double err = 0, size = 0, poison = 0;
#pragma omp simd reduction(max : err, size) reduction(+ : poison)
    for (size_t k = 0; k < t->count; k++) {
        y[k] = q1[k] * y1[k] + q2[k] * y2[k] + w[k] * t->sum[k];
        t->moved[k] = fabs(y[k] - old[k]);
        err = t->moved[k] > err ? t->moved[k] : err;
        size = fabs(y[k]) > size ? fabs(y[k]) : size;
        poison += 0 * t->moved[k];
    }
    const struct seen here = {.err = err, .size = size, .poison = poison};
    see(seen, &here);
}

/* Roundings of a step: a product with w and b is rounded twice and in its sums with others, one
 * with q1 or q2 once and in sums. */
INLINE void find_steps(const struct reference *r, size_t n, struct tile *t, struct seen *seen)
{
    const struct scheme *s = &r->scheme;
    const size_t d = r->p->d, at = n * d + t->first, two = at - (size_t)s->steps * d;
    const double b0 = fabs(s->b[0]), b1 = fabs(s->b[1]), b2 = fabs(s->b[2]);
    const double of_f = (1 + s->steps + (b0 != 0) + (b1 != 0) + (b2 != 0)) * r->unit;
    const double of_y = (1 + s->steps) * r->unit, tiny = 6 * r->tiny, sizes = 1 / r->product;
    const double *const q1 = s->q1 + t->first, *const q2 = q1 + d, *const w = q2 + d;
    const double *const f0 = t->f[n % 3], *const f0_bound = t->f_bound[n % 3];
    const double *const f1 = t->f[(n + 2) % 3], *const f1_bound = t->f_bound[(n + 2) % 3];
    const double *const f2 = t->f[(n + 1) % 3], *const f2_bound = t->f_bound[(n + 1) % 3];
    const double *const y1 = r->now + at - d, *const y2 = r->now + two;
    const double *const bound1 = r->bound + at - d, *const bound2 = r->bound + two;
    double reach = 0, poison = 0;
#pragma omp simd reduction(max : reach) reduction(+ : poison)
    for (size_t k = 0; k < t->count; k++) {
        const double past =
            fabs(q1[k]) * (fabs(y1[k]) + bound1[k]) + fabs(q2[k]) * (fabs(y2[k]) + bound2[k]);
        const double sum = b0 * (fabs(f0[k]) + f0_bound[k]) + b1 * (fabs(f1[k]) + f1_bound[k]) +
                           b2 * (fabs(f2[k]) + f2_bound[k]);
        const double most = sizes * f0_bound[k] + sum * (1 + fabs(w[k])) + past;
        t->step[k] = (of_f * sum + tiny) * fabs(w[k]) + of_y * past + tiny;
        reach = most > reach ? most : reach;
        poison += 0 * most;
    }
    const struct seen here = {.reach = poison == 0 ? reach : (double)INFINITY};
    see(seen, &here);
}

/* How far apart they are. A difference in F where y is iterated comes back as the response says;
 * elsewhere F is in as many points as it has lags. */
INLINE void find_bounds(const struct reference *r, size_t n, struct tile *t)
{
    const size_t d = r->p->d, steps = (size_t)r->scheme.steps, at = n * d + t->first;
    const double start1 = n < steps + 1 ? fabs(r->scheme.b[1]) : 0, later1 = n < steps + 1 ? 0 : 1;
    const double start2 = n < steps + 2 ? fabs(r->scheme.b[2]) : 0, later2 = n < steps + 2 ? 0 : 1;
    const double *const w = r->scheme.w + t->first;
    const double *const by0 = r->response.by[0] + t->first, *const by1 = by0 + d;
    const double *const by2 = by1 + d, *const slow = by2 + d, *const fast = slow + d;
    const double *const f0 = t->f_bound[n % 3], *const f1 = t->f_bound[(n + 2) % 3];
    const double *const f2 = t->f_bound[(n + 1) % 3], *const before = r->bound + at - d;
    double *const bound = r->bound + at;
#pragma omp simd
    for (size_t k = 0; k < t->count; k++) {
        t->slow[k] = slow[k] * t->slow[k] + later2 * by2[k] * f2[k] +
                     fabs(w[k]) * (start1 * f1[k] + start2 * f2[k]) + t->step[k];
        bound[k] = fast[k] * before[k] + t->slow[k] + by0[k] * f0[k] + later1 * by1[k] * f1[k];
    }
}

/* The same of an explicit method where as many sweeps have come by: no further one changes anything
 * there, and the steps are those without relaxation, of q1 and A_ii together. */
INLINE void find_settled_bounds(const struct reference *r, size_t n, const struct tile *t)
{
    const struct scheme *s = &r->scheme;
    const size_t d = r->p->d, at = n * d + t->first;
    const double *const q1 = s->q1 + t->first, *const q2 = q1 + d, *const w = q2 + d;
    const double *const centre = w + d, *const f1 = t->f_bound[(n + 2) % 3];
    const double *const f2 = t->f_bound[(n + 1) % 3], *const bound1 = r->bound + at - d;
    const double *const bound2 = r->bound + at - (size_t)s->steps * d;
    double *const bound = r->bound + at;
#pragma omp simd
    for (size_t k = 0; k < t->count; k++) {
        const double w1 = w[k] * s->b[1], w2 = w[k] * s->b[2];
        const double own1 = w1 * centre[k], own2 = w2 * centre[k]; /* in f1 and f2 as well */
        bound[k] = fabs(w1) * f1[k] + (fabs(q1[k] + own1) - fabs(own1)) * bound1[k] +
                   fabs(w2) * f2[k] + (fabs(q2[k] + own2) - fabs(own2)) * bound2[k] + t->step[k];
    }
}

/* What that does to the correction. */
INLINE void find_correction(const struct reference *r, size_t n, const struct tile *t,
                            struct seen *seen)
{
    const double *const bound = r->bound + n * r->p->d + t->first;
    const double *const old_bound = r->old_bound + n * r->p->d + t->first;
    const double unit = r->unit;
    double most = 0;
#pragma omp simd reduction(max : most)
    for (size_t k = 0; k < t->count; k++) {
        const double both = bound[k] + old_bound[k], here = both + unit * (t->moved[k] + both);
        most = here > most ? here : most;
    }
    const struct seen here = {.err_bound = most};
    see(seen, &here);
}

/* All points in time of the components from `first` on. */
WIDEST static void sweep_tile(const struct reference *r, size_t first, struct seen *seen)
{
    const size_t d = r->p->d, steps = (size_t)r->scheme.steps;
    struct tile t = {first, d - first < TILE ? d - first : TILE};
    for (size_t n = 0; n < r->p->points; n++) {
        find_right_sides(r, n, &t);
        if (n < steps)
            continue;
        find_values(r, n, &t, seen);
        find_steps(r, n, &t, seen);
        find_bounds(r, n, &t);
        if (r->scheme.b[0] == 0 && n < r->sweeps + steps)
            find_settled_bounds(r, n, &t);
        find_correction(r, n, &t, seen);
    }
}

void reference_sweep(struct reference *r)
{
    const size_t d = r->p->d;
    double *const old = r->now, *const old_bound = r->bound;
    struct seen seen = {.reach = 0};
    r->now = r->old;
    r->old = old;
    r->bound = r->old_bound;
    r->old_bound = old_bound;
    r->sweeps++;
    if (r->all != 0)
        add_up(r);
#pragma omp parallel if (d > MANY)
    {
        struct seen mine = {.reach = 0};
#pragma omp for schedule(static)
        for (size_t first = 0; first < d; first += TILE)
            sweep_tile(r, first, &mine);
#pragma omp critical
        see(&seen, &mine);
    }
    for (size_t n = 0; n < r->p->points; n++)
        seen.reach = larger(seen.reach, r->sum_bounds[n] / r->product);
    const bool finite = seen.poison == 0;
    r->reach = finite ? seen.reach + r->size + seen.size + seen.err_bound : (double)INFINITY;
    r->err = finite ? seen.err : (double)INFINITY;
    r->err_bound = seen.err_bound;
    r->size = finite ? larger(r->start, seen.size) : (double)INFINITY;
    r->largest = larger(r->largest, r->size);
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
        f[i] = reference_product(s->p, JACOBI, &s->scheme, y, sum, i, n);
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
