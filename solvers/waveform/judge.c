/*
 * The judge: every answer is held against the same iterate by the plainest code of the family, its
 * corrections and when it stopped as well, and may be as far from that as rounding can take it.
 * What theory says of it is reported beside it.
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

/* In units of what rounding can explain; NaN is as far off as can be. */
static double units(double off, double bound)
{
    const double count = off == 0 ? 0 : off / bound;
    return count >= 0 ? count : (double)INFINITY;
}

/* All of an iterate: the largest distance, and the largest that rounding can explain. */
static double hold_values(const struct waveform *p, const struct solution *got,
                          const struct reference *r, double *most_bound)
{
    double off = 0, bound = 0;
#pragma omp parallel for schedule(static) if (p->d > MANY) reduction(max : off, bound)
    for (size_t i = 0; i < p->d; i++)
        for (size_t n = 0; n < p->points; n++) {
            const size_t at = n * p->d + i;
            const double y = value_at(got, i * p->points + n);
            const double here = units(fabs(y - r->now[at]), r->bound[at]);
            off = here > off ? here : off;
            bound = r->bound[at] > bound ? r->bound[at] : bound;
        }
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
    struct reference r;
    double off = 0, bound;
    enum status status = reference_make(p, claimed->relaxation, single, &r);
    if (status != OK)
        goto cleanup;
    for (long v = 1; v <= claimed->iterations; v++) {
        const double err = err_of(p, got, v);
        reference_sweep(&r);
        if (isfinite(err))
            off = larger(off, units(fabs(err - r.err), r.err_bound));
    }
    *reach = r.reach;
    *error = off;
    if (claimed->outcome == NONFINITE) {
        if (r.reach <= range)
            status = because(WRONG, "it became infinite or NaN, and nothing should exceed %.3g",
                             r.reach);
        goto cleanup;
    }
    *error = larger(off, hold_values(p, got, &r, &bound));
    const double size = claimed->outcome == CONVERGED ? r.size : r.largest;
    status = r.largest <= range ? within_range(r.largest, got->precision) : OK;
    if (status == OK && size > 0 && !(bound < size))
        status = because(ERR_DIVERGED,
                         "rounding can be as large as %.3g, and y is %.3g: no digit is certain; "
                         "choose a smaller T%s or %s",
                         bound, size, single ? ", more points N" : "",
                         single ? "double precision" : "more points N");
cleanup:
    let_go(&r.memory);
    return status;
}

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

enum status waveform_judge(const struct instance *in, const struct solution *got,
                           struct judgement *out)
{
    const struct waveform *p = in->data;
    struct claimed claimed = {.iterations = 0};
    double error = NAN, reach = NAN;
    assert(got->count == p->d * p->points + TRAILER + (size_t)p->nmax);
    enum status status = read_trailer(p, got, &claimed);
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
