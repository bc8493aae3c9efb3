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

enum { TILE = 256 }; /* components that go through time together */

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

/* The largest size of y^0, which has no other values than its first two points have. */
static double size_of_start(const struct reference *r)
{
    const size_t d = r->p->d;
    double largest = 0;
#pragma omp parallel for schedule(static) if (d > MANY) reduction(max : largest)
    for (size_t i = 0; i < d; i++)
        for (size_t n = 0; n < 2; n++) {
            const double y = fabs(rounded(r, waveform_first(r->p, i, n)));
            largest = y > largest ? y : largest;
        }
    return largest;
}

/* All but the waveforms. */
static enum status begin(const struct waveform *p, enum relaxation relaxation, bool single,
                         struct reference *out)
{
    const size_t d = p->d;
    *out = (struct reference){.p = p, .relaxation = relaxation, .single = single, .all = p->all};
    struct memory *const memory = &out->memory;
    (void)waveform_scheme(p, relaxation, memory, &out->scheme);
    out->own = take(memory, (MAX_BANDS * d + 1) * sizeof *out->own);
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
    out->start = out->size = out->largest = size_of_start(out);
    /* Larger than it need be: to add bounds that are subnormal is slow. */
    out->tiny = single ? (double)FLT_TRUE_MIN : fmax(DBL_TRUE_MIN, 0x1p-900 * out->start);
    return OK;
}

/* Memory for a waveform, unless it is there. */
static enum status take_waveform(const struct waveform *p, double **values)
{
    const size_t count = p->d * p->points;
    if (*values == NULL)
        *values = malloc(count * sizeof **values);
    return *values != NULL ? OK : because(ERR_MEMORY, "there is no memory for %zu values", count);
}

static enum status take_waveforms(struct reference *r, bool both)
{
    enum status status = take_waveform(r->p, &r->now);
    if (status == OK)
        status = take_waveform(r->p, &r->bound);
    if (status == OK && both)
        status = take_waveform(r->p, &r->old);
    return status == OK && both ? take_waveform(r->p, &r->old_bound) : status;
}

/* Components of an iterate and of the next one, in all points: all that there are, or a few that
 * stay in the cache for several sweeps. */
struct span {
    size_t first, count;       /* components */
    double *old, *now;         /* [N][count] */
    double *old_bound, *bound; /* [N][count] */
};

static struct span whole(const struct reference *r)
{
    return (struct span){0, r->p->d, r->old, r->now, r->old_bound, r->bound};
}

/* y^0 as both iterates of components `from` .. `to`. */
static void set_start(const struct reference *r, const struct span *s, size_t from, size_t to)
{
    for (size_t n = 0; n < r->p->points; n++)
        for (size_t i = from; i < to; i++) {
            const size_t at = n * s->count + i - s->first;
            s->now[at] = s->old[at] = rounded(r, waveform_first(r->p, i, n));
            s->bound[at] = s->old_bound[at] = 0;
        }
}

/* In the tiles in which threads work on it, so that its pages lie near them. */
static void start_whole(struct reference *r)
{
    const size_t d = r->p->d;
    const struct span all = whole(r);
#pragma omp parallel for schedule(static) if (d > MANY)
    for (size_t first = 0; first < d; first += TILE)
        set_start(r, &all, first, d - first < TILE ? d : first + TILE);
}

enum status reference_make(const struct waveform *p, enum relaxation relaxation, bool single,
                           struct reference *out)
{
    enum status status = begin(p, relaxation, single, out);
    if (status == OK)
        status = take_waveforms(out, true);
    if (status != OK)
        return status;
    start_whole(out);
    return OK;
}

static void swap(double **one, double **other)
{
    double *const kept = *one;
    *one = *other;
    *other = kept;
}

static void let_go_of_old(struct reference *r)
{
    free(r->old);
    free(r->old_bound);
    r->old = r->old_bound = NULL;
}

void reference_free(struct reference *r)
{
    let_go_of_old(r);
    free(r->now);
    free(r->bound);
    let_go(&r->memory);
}

void reference_inherit(struct reference *to, struct reference *from)
{
    swap(&to->now, &from->now);
    swap(&to->bound, &from->bound);
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

/* Components first .. first+count-1, one point in time after the other: what they have of the
 * scheme, and what goes with them from point to point. */
struct tile {
    size_t first, count;
    const struct span *in;
    size_t sweeps; /* this one too */
    double q1[TILE], q2[TILE], w[TILE], centre[TILE], band[MAX_BANDS][TILE];
    double by[3][TILE], slow[TILE], fast[TILE]; /* as in the response */
    double f[3][TILE], f_bound[3][TILE];        /* F by lag, and how far apart it is */
    double falling[TILE]; /* the part of y's bound that falls as `slow` does */
};

static void begin_tile(const struct reference *r, struct tile *t)
{
    const struct scheme *const s = &r->scheme;
    const struct response *const response = &r->response;
    const double *const from[] = {s->q1,           s->q2,           s->w,
                                  s->centre,       response->by[0], response->by[1],
                                  response->by[2], response->slow,  response->fast};
    double *const to[] = {t->q1,    t->q2,    t->w,    t->centre, t->by[0],
                          t->by[1], t->by[2], t->slow, t->fast};
    for (size_t a = 0; a < sizeof to / sizeof *to; a++)
        memcpy(to[a], from[a] + t->first, t->count * sizeof *t->q1);
    for (int b = 0; b < r->p->bands; b++)
        memcpy(t->band[b], s->band[b] + t->first, t->count * sizeof *t->q1);
    memset(t->f, 0, sizeof t->f);
    memset(t->f_bound, 0, sizeof t->f_bound);
    memset(t->falling, 0, sizeof t->falling);
}

INLINE void add_band(const struct reference *r, int b, size_t n, struct tile *t)
{
    const ptrdiff_t offset = r->p->offset[b], d = (ptrdiff_t)r->p->d;
    const ptrdiff_t first = (ptrdiff_t)t->first, count = (ptrdiff_t)t->count;
    const ptrdiff_t from = first + offset < 0 ? -offset - first : 0;
    const ptrdiff_t to = first + count + offset > d ? d - offset - first : count;
    const ptrdiff_t at = (ptrdiff_t)(n * t->in->count + t->first - t->in->first) + offset;
    const double *const m = t->band[b], product = r->product;
    const double *const old = t->in->old, *const old_bound = t->in->old_bound;
#pragma omp simd
    for (ptrdiff_t k = from; k < to; k++) {
        t->f[0][k] += m[k] * old[at + k];
        t->f_bound[0][k] += fabs(m[k]) * blurred(product, old[at + k], old_bound[at + k]);
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
    const size_t at = n * t->in->count + t->first - t->in->first;
    const double *const y = t->in->old + at, *const bound = t->in->old_bound + at;
    const double product = r->product, all = r->all * r->sums[n];
    const double all_bound = r->all * r->sum_bounds[n] + product / r->unit * r->tiny;
#pragma omp simd
    for (size_t k = 0; k < t->count; k++) {
        t->f[0][k] = t->centre[k] * y[k] + all;
        t->f_bound[0][k] = fabs(t->centre[k]) * blurred(product, y[k], bound[k]) + all_bound;
    }
    for (int b = 0; b < p->bands; b++)
        add_band(r, b, n, t);
    for (size_t k = 0; k < t->count && p->full != NULL; k++) {
        t->f[0][k] = 0;
        t->f_bound[0][k] = all_bound;
        add_row(r, t->first + k, n, &t->f[0][k], &t->f_bound[0][k]);
    }
    for (size_t k = 0; k < t->count && p->g != NULL; k++) {
        const double g = rounded(r, waveform_g(p, t->first + k, n));
        t->f[0][k] += g;
        t->f_bound[0][k] += product * fabs(g);
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

/* The next iterate at a point, and how far apart it is; all in one loop, which has the same bits
 * whatever the tiles are.
 *   - F: if `bands` is not 0, no more than so many bands are in it, all of them within the matrix;
 *     else it is there.
 *   - Roundings of a step: a product with w and b is rounded twice and in its sums with others, one
 *     with q1 or q2 once and in sums.
 *   - A difference in F where y is iterated comes back as the response says; elsewhere F is in as
 *     many points as it has lags.
 *   - `settled`, of an explicit method where as many sweeps have come by: no further one changes
 *     anything there, and the steps are those without relaxation, of q1 and A_ii together.
 *   - What all that does to the correction. */
INLINE void find_values(const struct reference *r, size_t n, int bands, bool settled,
                        struct tile *t, struct seen *seen)
{
    const struct scheme *const s = &r->scheme;
    const size_t steps = (size_t)s->steps, row = t->in->count;
    const size_t at = n * row + t->first - t->in->first, two = at - steps * row;
    const double b0 = s->b[0], b1 = s->b[1], b2 = s->b[2];
    const double size0 = fabs(b0), size1 = fabs(b1), size2 = fabs(b2);
    const double of_f = (1 + s->steps + (b0 != 0) + (b1 != 0) + (b2 != 0)) * r->unit;
    const double of_y = (1 + s->steps) * r->unit, tiny = 6 * r->tiny, sizes = 1 / r->product;
    const double start1 = n < steps + 1 ? size1 : 0, later1 = n < steps + 1 ? 0 : 1;
    const double start2 = n < steps + 2 ? size2 : 0, later2 = n < steps + 2 ? 0 : 1;
    const double unit = r->unit, product = r->product, all = r->all * r->sums[n];
    const double all_bound = r->all * r->sum_bounds[n] + product / r->unit * r->tiny;
    const double *const old = t->in->old + at, *const old_bound = t->in->old_bound + at;
    const double *const y1 = t->in->now + at - row, *const bound1 = t->in->bound + at - row;
    const double *const y2 = t->in->now + two, *const bound2 = t->in->bound + two;
    double *const now = t->in->now + at, *const now_bound = t->in->bound + at;
    const double *beside[MAX_BANDS], *beside_bound[MAX_BANDS];
    for (int b = 0; b < bands; b++) {
        beside[b] = old + r->p->offset[b];
        beside_bound[b] = old_bound + r->p->offset[b];
    }
    double err = 0, err_bound = 0, size = 0, reach = 0, poison = 0, beyond = 0;
#pragma omp simd reduction(max : err, err_bound, size, reach) reduction(+ : poison, beyond)
    for (size_t k = 0; k < t->count; k++) {
        double f0, f0_bound;
        if (bands != 0) {
            f0 = t->centre[k] * old[k] + all;
            f0_bound = fabs(t->centre[k]) * blurred(product, old[k], old_bound[k]) + all_bound;
            for (int b = 0; b < bands; b++) {
                const double m = t->band[b][k];
                f0 += m * beside[b][k];
                f0_bound += fabs(m) * blurred(product, beside[b][k], beside_bound[b][k]);
            }
        } else {
            f0 = t->f[0][k];
            f0_bound = t->f_bound[0][k];
        }
        const double f1 = t->f[1][k], f1_bound = t->f_bound[1][k];
        const double f2 = t->f[2][k], f2_bound = t->f_bound[2][k];
        const double q1 = t->q1[k], q2 = t->q2[k], w = t->w[k];
        double f = b0 * f0;
        f = b1 != 0 ? f + b1 * f1 : f; /* F may be infinite */
        f = b2 != 0 ? f + b2 * f2 : f;
        const double y = q1 * y1[k] + q2 * y2[k] + w * f; /* q2 is 0 where y2 is y1 */
        const double moved = fabs(y - old[k]);

        const double past =
            fabs(q1) * (fabs(y1[k]) + bound1[k]) + fabs(q2) * (fabs(y2[k]) + bound2[k]);
        const double sum = size0 * (fabs(f0) + f0_bound) + size1 * (fabs(f1) + f1_bound) +
                           size2 * (fabs(f2) + f2_bound);
        const double most = sizes * f0_bound + sum * (1 + fabs(w)) + past;
        const double step = (of_f * sum + tiny) * fabs(w) + of_y * past + tiny;

        const double falling = t->slow[k] * t->falling[k] + later2 * t->by[2][k] * f2_bound +
                               fabs(w) * (start1 * f1_bound + start2 * f2_bound) + step;
        double bound = t->fast[k] * bound1[k] + falling + t->by[0][k] * f0_bound +
                       later1 * t->by[1][k] * f1_bound;
        if (settled) {
            const double w1 = w * b1, w2 = w * b2;
            const double own1 = w1 * t->centre[k], own2 = w2 * t->centre[k]; /* in f1, f2 as well */
            bound = fabs(w1) * f1_bound + (fabs(q1 + own1) - fabs(own1)) * bound1[k] +
                    fabs(w2) * f2_bound + (fabs(q2 + own2) - fabs(own2)) * bound2[k] + step;
        }
        const double both = bound + old_bound[k], corrected = both + unit * (moved + both);

        now[k] = y;
        now_bound[k] = bound;
        t->falling[k] = falling;
        t->f[2][k] = f1;
        t->f_bound[2][k] = f1_bound;
        t->f[1][k] = f0;
        t->f_bound[1][k] = f0_bound;
        err = moved > err ? moved : err;
        err_bound = corrected > err_bound ? corrected : err_bound;
        size = fabs(y) > size ? fabs(y) : size;
        reach = most > reach ? most : reach;
        poison += 0 * moved;
        beyond += 0 * most;
    }
    const struct seen here = {.err = err,
                              .err_bound = err_bound,
                              .size = size,
                              .reach = beyond == 0 ? reach : (double)INFINITY,
                              .poison = poison};
    see(seen, &here);
}

/* The same where F is made of more, or of less. */
INLINE void find_any_values(const struct reference *r, size_t n, struct tile *t, struct seen *seen)
{
    const size_t steps = (size_t)r->scheme.steps;
    find_right_sides(r, n, t);
    if (n < steps) { /* values that are never iterated */
        memcpy(t->f[2], t->f[1], sizeof t->f[1]);
        memcpy(t->f_bound[2], t->f_bound[1], sizeof t->f_bound[1]);
        memcpy(t->f[1], t->f[0], sizeof t->f[0]);
        memcpy(t->f_bound[1], t->f_bound[0], sizeof t->f_bound[0]);
    } else if (r->scheme.b[0] == 0 && n < t->sweeps + steps) {
        find_values(r, n, 0, true, t, seen);
    } else {
        find_values(r, n, 0, false, t, seen);
    }
}

/* The farthest component that is in a row's product, of what is not full. */
static size_t reach_of(const struct waveform *p)
{
    size_t reach = 0;
    for (int b = 0; b < p->bands; b++) {
        const size_t here = (size_t)(p->offset[b] < 0 ? -p->offset[b] : p->offset[b]);
        reach = here > reach ? here : reach;
    }
    return reach;
}

/* All points in time of a tile. */
WIDEST static void sweep_tile(const struct reference *r, struct tile *t, struct seen *seen)
{
    const struct waveform *const p = r->p;
    const size_t steps = (size_t)r->scheme.steps, reach = reach_of(p);
    const bool inner = t->first >= reach && t->first + t->count + reach <= p->d;
    const int bands =
        inner && p->full == NULL && p->g == NULL && r->scheme.b[0] != 0 ? p->bands : 0;
    begin_tile(r, t);
    for (size_t n = 0; n < p->points; n++)
        if (bands == 2 && n >= steps)
            find_values(r, n, 2, false, t, seen);
        else if (bands == 4 && n >= steps)
            find_values(r, n, 4, false, t, seen);
        else
            find_any_values(r, n, t, seen);
}

/* Components `from` .. `to`. */
static void sweep_part(const struct reference *r, const struct span *in, size_t sweeps, size_t from,
                       size_t to, struct seen *seen)
{
    struct tile t = {.in = in, .sweeps = sweeps};
    for (t.first = from; t.first < to; t.first += TILE) {
        t.count = to - t.first < TILE ? to - t.first : TILE;
        sweep_tile(r, &t, seen);
    }
}

/* A sweep of all components has come to an end. */
static void conclude(struct reference *r, struct seen *seen)
{
    for (size_t n = 0; n < r->p->points; n++)
        seen->reach = larger(seen->reach, r->sum_bounds[n] / r->product);
    const bool finite = seen->poison == 0;
    r->sweeps++;
    r->reach = finite ? seen->reach + r->size + seen->size + seen->err_bound : (double)INFINITY;
    r->err = finite ? seen->err : (double)INFINITY;
    /* A bound that overflows is NaN in the end, and a largest one hides that. */
    r->err_bound = isfinite(r->reach) ? seen->err_bound : (double)INFINITY;
    r->size = finite ? larger(r->start, seen->size) : (double)INFINITY;
    r->largest = larger(r->largest, r->size);
}

void reference_sweep(struct reference *r)
{
    const size_t d = r->p->d;
    struct seen seen = {.reach = 0};
    swap(&r->now, &r->old);
    swap(&r->bound, &r->old_bound);
    const struct span all = whole(r);
    if (r->all != 0)
        add_up(r);
#pragma omp parallel if (d > MANY)
    {
        struct seen mine = {.reach = 0};
#pragma omp for schedule(static)
        for (size_t first = 0; first < d; first += TILE)
            sweep_part(r, &all, r->sweeps + 1, first, d - first < TILE ? d : first + TILE, &mine);
#pragma omp critical
        see(&seen, &mine);
    }
    conclude(r, &seen);
}

/* --- several sweeps at a time ---
 * Where a component feels near ones alone, all sweeps of a few components are made in the cache.
 * Beside them are those that they feel; of these each sweep has fewer that are right, and none of
 * them is looked at. */

enum { CACHE = 3 << 18 }; /* bytes, of a core */

struct windows {
    size_t count, margin; /* components of a window; of those beside it, at most */
};

/* count 0: one sweep after the other. */
static struct windows windows_of(const struct waveform *p, size_t sweeps)
{
    const size_t margin = sweeps * reach_of(p), most = CACHE / (4 * p->points * sizeof(double));
    const bool good =
        p->d > MANY && p->all == 0 && p->full == NULL && sweeps < most && 6 * margin <= most;
    return good ? (struct windows){most - 2 * margin, margin} : (struct windows){0, 0};
}

/* What its sweeps have seen is in seen[sweeps]. */
static void sweep_window(const struct reference *r, const struct windows *windows, size_t first,
                         size_t sweeps, double *room, struct seen *seen)
{
    const size_t d = r->p->d, points = r->p->points, reach = reach_of(r->p);
    const size_t last = d - first < windows->count ? d : first + windows->count;
    size_t from = first < windows->margin ? 0 : first - windows->margin;
    size_t to = d - last < windows->margin ? d : last + windows->margin;
    const size_t values = points * (to - from);
    struct span in = {from, to - from, room, room + values, room + 2 * values, room + 3 * values};
    set_start(r, &in, from, to);
    for (size_t v = 0; v < sweeps; v++) {
        struct seen beside = {.reach = 0};
        from = from > 0 ? from + reach : 0;
        to = to < d ? to - reach : d;
        swap(&in.now, &in.old);
        swap(&in.bound, &in.old_bound);
        sweep_part(r, &in, v + 1, from, first, &beside);
        sweep_part(r, &in, v + 1, first, last, &seen[v]);
        sweep_part(r, &in, v + 1, last, to, &beside);
    }
    for (size_t n = 0; n < points; n++) {
        const size_t at = n * in.count + first - in.first, bytes = (last - first) * sizeof(double);
        memcpy(r->now + n * d + first, in.now + at, bytes);
        memcpy(r->bound + n * d + first, in.bound + at, bytes);
    }
}

/* False: there is no memory. */
static bool sweep_windows(const struct reference *r, const struct windows *windows, size_t sweeps,
                          struct seen *seen)
{
    const size_t room_values = 4 * r->p->points * (windows->count + 2 * windows->margin);
    bool good = true;
#pragma omp parallel reduction(&& : good)
    {
        double *const room = malloc(room_values * sizeof *room);
        struct seen *const mine = calloc(sweeps, sizeof *mine);
        good = room != NULL && mine != NULL;
#pragma omp for schedule(static)
        for (size_t first = 0; first < r->p->d; first += windows->count)
            if (good)
                sweep_window(r, windows, first, sweeps, room, mine);
#pragma omp critical
        for (size_t v = 0; v < sweeps && good; v++)
            see(&seen[v], &mine[v]);
        free(room);
        free(mine);
    }
    return good;
}

static void keep_correction(const struct reference *r, struct moved *to)
{
    *to = (struct moved){r->err, r->err_bound};
}

static enum status run_windows(struct reference *r, const struct windows *windows,
                               struct moved *corrections, size_t count)
{
    struct seen *const seen = calloc(count, sizeof *seen);
    const bool good = seen != NULL && sweep_windows(r, windows, count, seen);
    for (size_t v = 0; v < count && good; v++) {
        conclude(r, &seen[v]);
        keep_correction(r, &corrections[v]);
    }
    free(seen);
    return good ? OK : because(ERR_MEMORY, "there is no memory for %zu sweeps at a time", count);
}

static enum status run_sweeps(struct reference *r, struct moved *corrections, size_t count)
{
    enum status status = take_waveforms(r, true);
    if (status != OK)
        return status;
    start_whole(r);
    for (size_t v = 0; v < count; v++) {
        reference_sweep(r);
        keep_correction(r, &corrections[v]);
    }
    let_go_of_old(r);
    return OK;
}

enum status reference_run(const struct waveform *p, enum relaxation relaxation, bool single,
                          struct moved *corrections, size_t count, struct reference *out)
{
    const struct windows windows = windows_of(p, count);
    double *const now = out->now, *const bound = out->bound;
    enum status status = begin(p, relaxation, single, out);
    out->now = now;
    out->bound = bound;
    if (status == OK)
        status = take_waveforms(out, false);
    if (status != OK)
        return status;
    return windows.count > 0 ? run_windows(out, &windows, corrections, count)
                             : run_sweeps(out, corrections, count);
}

/* --- their limit --- */

/* How often a point's iteration may be gone through. Steps of a useful size take tens, those near
 * its limit of convergence thousands: all points together have some seconds for these. */
static double most_inner(const struct stepper *s)
{
    const double d = (double)s->p->d, products = s->p->full != NULL ? d * d : d;
    return larger(1000, 1e8 / products - s->inner);
}

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
    for (double most = most_inner(s); most > 0 && moved > 0; most--, s->inner++) {
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
    const bool found = isfinite(largest) && moved <= 64 * DBL_EPSILON * largest;
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
