/*
 * The judge: every answer is held against the same iterate by the plainest code of the family, its
 * corrections and when it stopped as well, and may be as far from that as rounding can take it.
 * What theory says of it is reported beside it.
 */
#include "problem.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "../common/shelf.h"
#include "../common/solution.h"
#include "machine/facts.h"

enum { MOST_RECORDED = 1000 }; /* corrections; a judgement has room for some more metrics */

struct claimed { /* what the trailer says */
    enum relaxation relaxation;
    long iterations;
    int outcome;
};

static double err_of(const struct waveform *p, const struct solution *got, long v)
{
    return value_at(got, p->d * p->points + TRAILER + (size_t)v - 1);
}

/* One iteration without a correction. */
static enum status read_direct(const struct waveform *p, const struct solution *got,
                               struct claimed *out)
{
    const size_t first = p->d * p->points;
    const bool good = value_at(got, first + 1) == 1 && value_at(got, first + 2) == CONVERGED &&
                      isnan(err_of(p, got, 1)) && waveform_methods[p->method].steps == 1 &&
                      p->full == NULL && p->all == 0;
    *out = (struct claimed){DIRECT, 1, CONVERGED};
    return good ? OK : because(WRONG, "the answer is not what direct stepping says of itself");
}

/* Whether a run with these corrections stops there, and so. */
static enum status read_trailer(const struct waveform *p, const struct solution *got,
                                struct claimed *out)
{
    const size_t first = p->d * p->points;
    const double relaxation = value_at(got, first), count = value_at(got, first + 1);
    const double outcome = value_at(got, first + 2);
    struct progress at;
    if (relaxation == DIRECT)
        return read_direct(p, got, out);
    const bool good = (relaxation == PICARD || relaxation == JACOBI) && count >= 1 &&
                      count <= (double)p->nmax && count == floor(count);
    if (!good)
        return because(WRONG, "the answer does not say how many iterations of what it took");
    *out = (struct claimed){(enum relaxation)relaxation, (long)count, 0};
    struct memory local = {OK, NULL};
    progress_make(p, out->relaxation, got->precision != DOUBLE, &local, &at);
    if (local.status != OK)
        return local.status;
    progress_begin(&at);
    bool on = true;
    for (long v = 1; v <= out->iterations && on; v++)
        on = progress_goes_on(p, &at, err_of(p, got, v));
    let_go(&local);
    if (on || at.iterations != out->iterations || at.outcome != outcome)
        return because(WRONG,
                       "with these corrections a run stops otherwise than after %ld iterations "
                       "with outcome %g",
                       out->iterations, outcome);
    out->outcome = at.outcome;
    return OK;
}

/* --- the same iterate --- */

/* A reference after as many sweeps as an answer claims, and its corrections on the way. */
struct iterates {
    struct reference r;
    struct moved corrections[]; /* [sweeps] */
};

static void iterates_free(void *what)
{
    struct iterates *const iterates = what;
    reference_free(&iterates->r);
    free(iterates);
}

/* In the memory of an older one, or of null, which is freed. */
static enum status iterates_make(const struct waveform *p, const struct claimed *claimed,
                                 bool single, struct iterates *older, struct iterates **out)
{
    const size_t count = (size_t)claimed->iterations;
    struct iterates *const made = malloc(sizeof *made + count * sizeof *made->corrections);
    enum status status =
        made != NULL ? OK : because(ERR_MEMORY, "there is no memory for %zu corrections", count);
    if (status == OK) {
        made->r = (struct reference){.now = NULL};
        if (older != NULL)
            reference_inherit(&made->r, &older->r);
        status = reference_run(p, claimed->relaxation, single, made->corrections, count, &made->r);
    }
    if (older != NULL)
        iterates_free(older);
    if (status == OK)
        *out = made;
    else if (made != NULL)
        iterates_free(made);
    return status;
}

/* Of much, a share of what is free and of what is kept already. False: so many bytes more are not
 * free. */
static bool make_room(struct shelf *shelf, size_t bytes, struct iterates **older)
{
    enum { MUCH = 1 << 24, SHARE = 4 };
    const double free_bytes = bytes < MUCH ? 0 : available_memory(); /* 0: unknown */
    const double all = free_bytes + (double)shelf_bytes(shelf);
    if (free_bytes > 0)
        shelf->limit = (size_t)(all / SHARE);
    *older = shelf_recycle(shelf, bytes, iterates_free);
    return *older != NULL || !(free_bytes > 0) || (double)bytes <= all - (double)shelf_bytes(shelf);
}

/* They hang on the data and on what the answer claims, and are kept. */
static enum status find_iterates(const struct waveform *p, const struct claimed *claimed,
                                 bool single, struct iterates **out)
{
    const size_t bytes = 2 * p->d * p->points * sizeof(double);
    const double key[KEYS] = {ITERATES, p->amplitude, 2 * claimed->relaxation + single,
                              (double)claimed->iterations};
    struct iterates *older;
    *out = shelf_find(p->shelf, key);
    if (*out != NULL)
        return OK;
    if (!make_room(p->shelf, bytes, &older))
        return because(ERR_MEMORY,
                       "to judge takes %.1f GiB of memory beside what runs; choose a "
                       "smaller d or N",
                       (double)bytes / 0x1p30);
    const enum status status = iterates_make(p, claimed, single, older, out);
    if (status == OK)
        shelf_put(p->shelf, key, *out, bytes, iterates_free);
    return status;
}

/* In units of what rounding can explain; NaN is as far off as can be. */
static double units(double off, double bound)
{
    const double count = off == 0 ? 0 : off / bound;
    return count >= 0 ? count : (double)INFINITY;
}

enum { SIDE = 64 }; /* of a square of values, whose rows and columns stay in the cache */

/* Components i .. of points n .. : the largest distance, and the largest that rounding can explain.
 */
static void hold_square(const struct solution *got, const struct reference *r, size_t i, size_t n,
                        double *off, double *bound)
{
    const size_t d = r->p->d, points = r->p->points;
    const size_t columns = d - i < SIDE ? d - i : SIDE,
                 rows = points - n < SIDE ? points - n : SIDE;
    double y[SIDE][SIDE];
    for (size_t k = 0; k < columns; k++)
        for (size_t m = 0; m < rows; m++)
            y[m][k] = value_at(got, (i + k) * points + n + m);
    for (size_t m = 0; m < rows; m++) {
        const double *const now = r->now + (n + m) * d + i, *const most =
                                                                r->bound + (n + m) * d + i;
        for (size_t k = 0; k < columns; k++) {
            const double b = isfinite(most[k]) ? most[k] : (double)INFINITY;
            const double here = units(fabs(y[m][k] - now[k]), b);
            *off = here > *off ? here : *off;
            *bound = b > *bound ? b : *bound;
        }
    }
}

/* All of an iterate. */
static double hold_values(const struct solution *got, const struct reference *r, double *most_bound)
{
    double off = 0, bound = 0;
#pragma omp parallel for schedule(static) if (r->p->d > MANY) reduction(max : off, bound)
    for (size_t i = 0; i < r->p->d; i += SIDE)
        for (size_t n = 0; n < r->p->points; n += SIDE)
            hold_square(got, r, i, n, &off, &bound);
    *most_bound = bound;
    return off;
}

/* The error of all corrections and of the iterate, in units of what rounding can explain. `reach`
 * is the largest number that it may have met. */
static enum status compare(const struct waveform *p, const struct solution *got,
                           const struct claimed *claimed, double *error, double *reach)
{
    const bool single = got->precision != DOUBLE;
    const double range = single ? (double)FLT_MAX : DBL_MAX;
    struct iterates *iterates;
    double off = 0, bound;
    enum status status = find_iterates(p, claimed, single, &iterates);
    if (status != OK)
        return status;
    const struct reference *const r = &iterates->r;
    for (long v = 1; v <= claimed->iterations; v++) {
        const double err = err_of(p, got, v);
        if (isfinite(err))
            off = larger(off, units(fabs(err - iterates->corrections[v - 1].err),
                                    iterates->corrections[v - 1].bound));
    }
    *reach = r->reach;
    *error = off;
    if (claimed->outcome == NONFINITE)
        return r->reach <= range
                   ? because(WRONG, "it became infinite or NaN, and nothing should exceed %.3g",
                             r->reach)
                   : OK;
    *error = larger(off, hold_values(got, r, &bound));
    const double size = claimed->outcome == CONVERGED ? r->size : r->largest;
    status = r->largest <= range ? within_range(r->largest, got->precision) : OK;
    if (status == OK && size > 0 && !(bound < size))
        status = because(ERR_DIVERGED,
                         "rounding can be as large as %.3g, and y is %.3g: no digit is certain; "
                         "choose a smaller T%s or %s",
                         bound, size, single ? ", more points N" : "",
                         single ? "double precision" : "more points N");
    return status;
}

/* --- in words --- */

static const char *const outcomes[] = {[CONVERGED] = "converged",
                                       [AT_NMAX] = "nmax",
                                       [STAGNATED] = "stagnated",
                                       [NONFINITE] = "nonfinite"};

/* In words, what did not converge. Corrections that grow say nothing: Picard's do, as (LT)^v / v!,
 * until v is LT. What becomes of them the spectral radius says, if it is known. */
static enum status not_converged(const struct waveform *p, const struct solution *got,
                                 const struct claimed *claimed, double reach, double radius)
{
    const bool single = got->precision != DOUBLE, picard = claimed->relaxation == PICARD;
    const char *const word = outcomes[claimed->outcome];
    const char *const other =
        picard ? "a smaller T, more points N, or Jacobi" : "a smaller T or more points N";
    const double err = err_of(p, got, claimed->iterations);
    double most = 0;
    for (long v = 1; v <= claimed->iterations; v++)
        most = larger(most, err_of(p, got, v));
    switch (claimed->outcome) {
    case NONFINITE:
        (void)within_range(reach, got->precision);
        return because(ERR_DIVERGED, "%s, in iteration %ld; choose %s", reason(),
                       claimed->iterations, other);
    case STAGNATED:
        return because(ERR_DIVERGED,
                       "%s: the corrections were %.3g once, and the last one, %.3g, may be their "
                       "rounding alone; choose a tol above %.3g%s%s",
                       word, most, err, fmax(err, (single ? 0x1p-24 : 0x1p-53) * most),
                       single ? ", double precision" : "",
                       picard ? ", a smaller T, more points N, or Jacobi" : "");
    default:
        if (radius >= 1)
            return because(ERR_DIVERGED,
                           "%s: after %ld iterations the correction is %.3g, and with a spectral "
                           "radius of %.3g it diverges; choose %s",
                           word, claimed->iterations, err, radius, other);
        if (radius < 1)
            return because(ERR_DIVERGED,
                           "%s: after %ld iterations the correction is %.3g, but with a spectral "
                           "radius of %.3g it falls in the end; choose a larger nmax",
                           word, claimed->iterations, err, radius);
        return because(ERR_DIVERGED,
                       "%s: after %ld iterations the correction is %.3g; choose a larger nmax, or, "
                       "if it does not fall in the end, %s",
                       word, claimed->iterations, err, other);
    }
}

/* `iterations` says what the harness keeps as `steps`: it is what exhibits and the published values
 * name. Returns the spectral radius; NaN: not known. */
static double add_metrics(const struct instance *in, const struct solution *got,
                          const struct claimed *claimed, struct judgement *out)
{
    const struct waveform *p = in->data;
    add_metric(out, "iterations", (double)claimed->iterations);
    add_metric(out, "outcome", claimed->outcome);
    add_metric(out, "err", err_of(p, got, claimed->iterations));
    if (claimed->outcome != NONFINITE) {
        const double limit = theory_off_limit(p, got), exact = theory_off_exact(p, got);
        if (!isnan(limit))
            add_metric(out, "error_limit", limit);
        if (!isnan(exact))
            add_metric(out, "error_exact", exact);
    }
    const double radius = theory_add_radii(in, claimed->relaxation, out);
    const bool each = get_long(&in->at, "record") == 0;
    for (long v = 1; each && v <= claimed->iterations && v <= MOST_RECORDED; v++) {
        char name[32];
        snprintf(name, sizeof name, "err_%ld", v);
        add_metric(out, name, err_of(p, got, v));
    }
    return radius;
}

/* Beside what it is held against, how far it is from exp(tA) y0. */
static enum status judge_direct(const struct waveform *p, const struct solution *got,
                                struct judgement *out)
{
    const double exact = theory_off_exact(p, got);
    double most;
    enum status status = direct_error(p, got, &out->error, &most);
    out->inherent = 0;
    if (status == OK && out->error <= 1)
        status = within_range(most, got->precision);
    if (!isnan(exact))
        add_metric(out, "error_exact", exact);
    snprintf(out->said, sizeof out->said, "direct");
    return status;
}

enum status waveform_judge(const struct instance *in, const struct solution *got,
                           struct judgement *out)
{
    const struct waveform *p = in->data;
    struct claimed claimed = {.iterations = 0};
    double error = NAN, reach = NAN;
    assert(got->count == p->d * p->points + TRAILER + (size_t)p->nmax);
    enum status status = read_trailer(p, got, &claimed);
    if (status == OK && claimed.relaxation == DIRECT)
        return judge_direct(p, got, out);
    if (status == OK)
        status = compare(p, got, &claimed, &error, &reach);
    if (status != OK)
        return status;
    const double radius = add_metrics(in, got, &claimed, out);
    out->steps = (double)claimed.iterations;
    out->error = error;
    out->inherent = 0;
    snprintf(out->said, sizeof out->said, "%s", outcomes[claimed.outcome]);
    const bool ends = claimed.outcome == CONVERGED || get(&in->at, "expect") != 0;
    return ends || !(error <= 1) ? OK : not_converged(p, got, &claimed, reach, radius);
}
