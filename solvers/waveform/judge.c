/*
 * The judge: every answer is held against the same iterate by the plainest code of the family, in
 * double, its corrections and when it stopped as well; where there are closed forms also against
 * them. What theory says of it is reported beside it.
 */
#include "problem.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "../common/solution.h"

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

/* Whether a run with these corrections stops there, and so. */
static enum status read_trailer(const struct waveform *p, const struct solution *got,
                                struct claimed *out)
{
    const size_t first = p->d * p->points;
    const double relaxation = value_at(got, first), count = value_at(got, first + 1);
    const double outcome = value_at(got, first + 2);
    struct progress at;
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
            off = larger(off, fabs(err - p->amplitude *
                                             theory_closed_form(p->h, p->points, r.relaxation, v)) /
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
            const double y = value_at(got, i * p->points + n);
            finite = finite && isfinite(y);
            const double here = fabs(y - r.now[i * p->points + n]);
            most_off = here > most_off ? here : most_off;
        }
    off = larger(off, most_off / (r.largest > 0 ? r.largest : 1));
    if (!finite)
        status = because(WRONG, "some y is not a finite number, and all corrections are");
cleanup:
    *error = off;
    let_go(&r.memory);
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

/* `iterations` says what the harness keeps as `steps`: it is what exhibits and the published values
 * name. */
static void add_metrics(const struct instance *in, const struct solution *got,
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
    theory_add_radii(in, claimed->relaxation, out);
    const bool each = get_long(&in->at, "record") == 0;
    for (long v = 1; each && v <= claimed->iterations && v <= MOST_RECORDED; v++) {
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
    out->steps = (double)claimed.iterations;
    out->error = error;
    out->inherent = 0;
    snprintf(out->said, sizeof out->said, "%s", outcomes[claimed.outcome]);
    if (claimed.outcome != CONVERGED && get(&in->at, "expect") == 0)
        return not_converged(p, got, &claimed);
    return OK;
}
