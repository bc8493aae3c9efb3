/*
 * An answer is followed: the reference takes the attempts that the answer lists, beside it others
 * that round otherwise, and the fields on the way are held against the answer's.
 */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/solution.h"
#include "rkc.h"

struct following {
    const struct curvature *p;
    struct reference *runs; /* the reference, and those that round otherwise */
    size_t count;           /* of them; behind them there may be the one that keeps its own: */
    size_t all;
    struct control c;
    /* Between which the control asks for the next attempt's length, the last one's error being
     * known but for rounding. */
    double least, most;
    double eps; /* that the control holds the error against */
    /* Since the answer's field before: what rounding could make of the values, and of an accepted
     * attempt's error, when it could most; and whether that has hidden an error. From then on the
     * runs may be close to each other again, and the answer elsewhere. */
    double values_off, error_off;
    bool hidden;
    double evaluations;
};

/* A NaN, once met, stays. */
#pragma omp declare reduction(largest:double                                                       \
                              : omp_out = larger(omp_out, omp_in)) initializer(omp_priv = 0)

/* --- one attempt --- */

/* Its length is what the control asks for, to the last bit that the list has. */
static bool takes_own(struct following *f, double length)
{
    struct control own = f->c;
    real parts[2];
    split(control_step(&own, f->p->times), parts);
    if (joined(parts) != length)
        return false;
    f->c = own;
    return true;
}

/* Its length is one that the control can ask for, or a thousandth more or less, for its error alone
 * decides whether it may be accepted; what a library's control asks for, that one knows. It may
 * have been cut short at the time ahead, which is known as exactly as the lengths so far add up. */
static bool takes_other(struct following *f, double length)
{
    const double slack = 1e-3;
    struct control *const c = &f->c;
    const double left = f->p->times[c->next] - c->t;
    c->lands = fabs(length - left) <= MOST_LISTED * DBL_EPSILON * (c->t + length);
    c->step = c->lands ? left : length;
    c->tau = c->lands ? c->tau : length;
    return c->step <= left &&
           (f->runs->method == BOGACKI_SHAMPINE ||
            (c->step <= f->most * (1 + slack) && (c->lands || c->step >= f->least * (1 - slack))));
}

/* Small runs side by side, large ones by all cores. */
static void run_stages(const struct following *f)
{
#pragma omp parallel for schedule(static, 1) if (f->all > 1 && f->runs->nodes <= LARGE)
    for (size_t n = 0; n < f->all; n++)
        P(reference_stages)(&f->runs[n], f->c.t, f->c.step);
}

/* What rounding can make of the estimated error, at a node. */
static double rounding_of_error(const struct following *f)
{
    const struct reference *const r = f->runs;
    const struct combination a = P(reference_error_of)(r, f->c.step);
    double most = 0;
    for (size_t n = 1; n < f->count; n++) {
#pragma omp parallel for schedule(static) if (r->nodes > LARGE) reduction(largest : most)
        for (size_t i = 1; i < r->p->n1; i++)
            for (size_t j = 1; j < r->p->n2; j++) {
                const size_t at = i * r->pitch + j;
                const real own = combined(a.count, &a, r->k, at);
                const real other = combined(a.count, &a, f->runs[n].k, at);
                most = larger(most, fabs((double)other - (double)own));
            }
    }
    return isfinite(most) ? rounding_chain[r->p->flow] * most : (double)INFINITY;
}

/* The largest |a - b|; where b is null, |a|. */
static double distance(const real *a, const real *b, size_t count)
{
    double most = 0;
#pragma omp parallel for schedule(static) if (count > LARGE) reduction(largest : most)
    for (size_t at = 0; at < count; at++)
        most = larger(most, fabs((double)a[at] - (b != NULL ? (double)b[at] : 0)));
    return most;
}

static double largest(const struct reference *r)
{
    return distance(r->u, NULL, r->nodes);
}

/* What the rounding of those runs can make of the values. */
static double rounding_from(const struct following *f, size_t first, size_t end)
{
    double apart = 0;
    for (size_t n = first; n < end; n++)
        apart = larger(apart, distance(f->runs[n].u, f->runs->u, f->runs->nodes));
    return rounding_chain[f->p->flow] * apart;
}

/* The same since the field before. */
static double rounding_of_values(const struct following *f)
{
    return rounding_from(f, 1, f->count);
}

/* Whether the reference tells anything of the answer, off by how much its error may be. Steps that
 * suit the answer may let the rounding of other runs grow until it is all that they have. */
static bool tells(struct following *f, double off)
{
    if (f->count == 1 || !isfinite(off) || f->p->fixed)
        return f->count == 1 || isfinite(off);
    f->values_off = larger(f->values_off, rounding_of_values(f));
    return f->values_off <= largest(f->runs);
}

static void move(const struct following *f, struct control *c, double e)
{
    const struct curvature *const p = f->p;
    if (f->runs->method == CHEBYSHEV)
        (void)rkc_decide(c, p->times, rkc_rate(p), f->eps, e);
    else
        (void)control_decide(c, p->times, p->fixed, f->eps, e);
}

/* What the control, that decides so, asks for next if the error is e; it had asked for `wish`. */
static double asked(const struct following *f, bool accepted, double e, double wish)
{
    struct control c = f->c;
    c.wish = wish;
    const double below = f->eps * (1 - DBL_EPSILON);
    move(f, &c, accepted ? fmin(e, below) : fmax(e, f->eps));
    return c.wish;
}

/* The answer's decision, where the error is e and may be off by so much. False if no error within
 * that leads to it. */
static bool decides(struct following *f, bool accepted, double e, double off)
{
    const struct curvature *const p = f->p;
    const double slack = 5e-3; /* its fifth power */
    const bool good = accepted ? p->fixed || e - off < f->eps * (1 + slack)
                               : !p->fixed && !(e + off < f->eps * (1 - slack));
    const double below = f->eps * (1 - DBL_EPSILON);
    f->least = asked(f, accepted, fmin(e + off, 1.7e308), f->least);
    f->most = asked(f, accepted, fmax(e - off, DBL_MIN), f->most);
    if (e <= off && !f->c.lands) /* none at all: the step stays */
        f->least = fmin(f->least, f->c.step);
    if (accepted != (p->fixed || e < f->eps))
        e = accepted ? below : f->eps;
    move(f, &f->c, e);
    return good;
}

/* --- the fields --- */

static void hold_field(const struct following *f, size_t field, const real *got,
                       struct followed *out)
{
    const struct reference *const r = f->runs;
    const double off = distance(got, r->u, r->nodes);
    const double now = rounding_of_values(f);
    const double rounding = f->hidden ? larger(f->values_off, now) : now;
    followed_field(out, off, largest(r), rounding, (double)UNIT);
    out->lost = larger(out->lost, rounding_from(f, f->count, f->all));
    out->fields = field + 1;
    out->same = out->same && off <= 0;
}

/* From here on all runs go on from the answer's field, but the one that keeps what rounding has
 * made of its values so far. */
static void go_on_from(struct following *f, const real *field)
{
    const size_t nodes = f->runs->nodes;
    f->hidden = false;
    f->values_off = f->error_off = 0;
    for (size_t n = f->count; n < f->all; n++)
        for (size_t at = 0; at < nodes; at++)
            f->runs[n].u[at] =
                (real)((double)field[at] + ((double)f->runs[n].u[at] - (double)f->runs->u[at]));
    for (size_t n = 0; n < f->count; n++)
        memcpy(f->runs[n].u, field, nodes * sizeof *field);
}

/* Those that the answer has of this time. Each has to follow from the one before it. */
static void hold_kept(struct following *f, const struct kept *kept, const real *answer,
                      struct followed *out)
{
    const size_t nodes = f->runs->nodes, field = (size_t)kept->field;
    if (kept->first)
        hold_field(f, 0, answer, out);
    if (field > 0 && out->follows)
        hold_field(f, field, answer + field * nodes, out);
    if (kept->first || field > 0)
        go_on_from(f, answer + field * nodes);
}

/* --- from beginning to end --- */

/* One attempt, as the answer lists it, negative if it was rejected, or, where there is none, the
 * reference's own. */
static enum status follow(struct following *f, const double *listed, struct kept *kept,
                          struct followed *out)
{
    const struct curvature *const p = f->p;
    const long n = f->c.accepted + f->c.rejected + 1;
    double e = NAN;
    *kept = (struct kept){false, false, 0};
    if (listed == NULL)
        (void)control_step(&f->c, p->times);
    const bool own = listed == NULL || takes_own(f, fabs(*listed));
    out->same = out->same && own;
    if (!out->same && f->count == 1)
        return OK;
    if (!own && !takes_other(f, fabs(*listed)))
        return because(WRONG, "attempt %ld is %.12g long, and the control asks for %.12g to %.12g",
                       n, fabs(*listed), f->least, f->most);
    const double tau = f->c.step;
    if (!f->c.lands)
        f->c.wish = f->least = f->most = tau;
    f->evaluations += f->runs->method == CHEBYSHEV ? (double)rkc_stages(rkc_rate(p), tau)
                                                   : (double)f->runs->pair->stages;
    run_stages(f);
    (void)P(reference_error)(f->runs, tau, &e);
    const bool finite = e <= 1.7e308, good = finite && (p->fixed || e < f->eps);
    const bool accepted = listed == NULL ? good : *listed > 0;
    const double now = rounding_of_error(f);
    if (p->fixed && !finite)
        return curvature_diverged(p, f->c.t);
    out->same = out->same && accepted == good;
    if (!out->same && f->count == 1)
        return OK;
    const bool hides = f->count > 1 && !p->fixed && !(now < f->eps);
    /* Here no run by our control can stand for the answer (hold_times), so what was held stays. */
    if (accepted && hides && f->runs->method == BOGACKI_SHAMPINE) {
        kept->ended = true;
        return OK;
    }
    if (accepted && !tells(f, now)) {
        out->lost = INFINITY;
        kept->ended = true;
        return OK;
    }
    if (accepted) {
        f->hidden = f->hidden || hides;
        f->error_off = larger(f->error_off, now);
    }
    const double off = f->hidden ? larger(f->error_off, now) : now;
    if (!decides(f, accepted, e, off))
        return because(WRONG, "attempt %ld is %s, and its error is %.9g, known to %.2g, of %.9g", n,
                       accepted ? "accepted" : "rejected", e, off, f->eps);
    for (size_t k = 0; k < f->all && accepted; k++)
        (void)P(reference_accept)(&f->runs[k], tau, f->c.t);
    *kept = control_kept(&f->c, accepted, p->count, p->attempts, p->probes);
    out->ended = control_kept(&f->c, accepted, p->count, p->attempts, false).ended;
    return OK;
}

/* From the end, which has fixed steps, one step more. */
static double step_more(struct following *f)
{
    double e = NAN;
    f->all = 1;
    f->c.step = f->p->tau0;
    run_stages(f);
    (void)P(reference_error)(f->runs, f->c.step, &e);
    return e;
}

enum status P(curvature_follow)(const struct curvature *in, const struct solution *got,
                                const struct tally *claimed, bool first_only, size_t others,
                                struct followed *out)
{
    struct curvature p = *in;
    const long listed = (long)curvature_listed(in);
    /* Fixed steps hold back nothing, so there it is known of the whole way, too, what rounding
     * makes of it. */
    const size_t count = 1 + others, all = count + (in->fixed && others > 0 ? 1 : 0);
    const bool chebyshev = claimed->method == CHEBYSHEV;
    struct following f = {.p = &p,
                          .runs = calloc(all, sizeof *f.runs),
                          .count = count,
                          .all = all,
                          .c = chebyshev ? rkc_begin(p.tau0, rkc_rate(&p)) : control_begin(p.tau0),
                          .eps = chebyshev ? rkc_eps(&p, REAL_IS_DOUBLE) : p.eps,
                          .evaluations = chebyshev ? 1 : 0};
    f.least = f.most = f.c.wish;
    struct kept kept = {false, false, 0};
    enum status status =
        f.runs != NULL ? OK : because(ERR_MEMORY, "there is no memory for references");
    p.probes = first_only;
    *out = (struct followed){.same = true, .follows = true};
    for (size_t n = 0; n < all && status == OK; n++)
        status = P(reference_make)(&p, claimed->method, n, &f.runs[n]);
    for (long n = 0; status == OK && !kept.ended && out->follows && (out->same || count > 1); n++) {
        const double *const at = n < listed ? &claimed->taken[n] : NULL;
        if (at == NULL && !out->same)
            break;
        status = follow(&f, at, &kept, out);
        if (status == OK)
            hold_kept(&f, &kept, got->values, out);
    }
    out->accepted = (double)f.c.accepted;
    out->rejected = (double)f.c.rejected;
    out->evaluations = f.evaluations;
    if (status == OK && out->ended && p.fixed)
        out->estimate = step_more(&f);
    for (size_t n = 0; n < all && f.runs != NULL; n++)
        P(reference_free)(&f.runs[n]);
    free(f.runs);
    return status;
}
