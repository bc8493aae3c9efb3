/*
 * The judge of both flows. An answer is followed: the plainest solver takes the steps that the
 * answer took, and finds each of them one that the control may take, and the same fields but for
 * rounding. Its errors are measured against the exact solution as well, which decides nothing.
 */
#define RECIPE_D /* the judge computes in double, whatever the answer's precision */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "reference.h"
#include "rkc.h"

#include "../common/shelf.h"
#include "../common/solution.h"

/* --- the fields of an answer --- */

/* One field of an answer; in double. */
struct view {
    const struct curvature *p;
    const struct solution *got;
    size_t first;        /* of its values */
    const double *x, *y; /* tables of the known solution */
};

static double unit_of(const struct solution *got)
{
    return got->precision == DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
}

static double at(const struct view *v, size_t i, size_t j)
{
    return value_at(v->got, v->first + i * (v->p->n2 + 1) + j);
}

/* Sums over a row of nodes. */
struct row {
    double l1, l2, linf; /* of the errors */
    double least, most;  /* of the values */
    double area, energy; /* over the interior */
    bool finite;
};

static const struct row no_row = {.least = INFINITY, .most = -INFINITY, .finite = true};

static void row_of_value(double u, struct row *out)
{
    out->finite = out->finite && isfinite(u);
    out->least = u < out->least ? u : out->least;
    out->most = u > out->most ? u : out->most;
}

static void row_of_errors(const struct view *v, double c, size_t i, struct row *out)
{
    *out = no_row;
    for (size_t j = 0; j <= v->p->n2; j++) {
        const double u = at(v, i, j);
        const double off = fabs(u - exact_at(c, v->x[i * DERIVATIVES], v->y[j]));
        row_of_value(u, out);
        out->l1 += off;
        out->l2 += off * off;
        out->linf = larger(out->linf, off);
    }
}

static void row_of_shape(const struct view *v, const struct mesh *m, size_t i, struct row *out)
{
    const struct curvature *p = v->p;
    *out = no_row;
    for (size_t j = 0; j <= p->n2; j++) {
        const double u = at(v, i, j);
        row_of_value(u, out);
        if (i < 1 || i >= p->n1 || j < 1 || j >= p->n2)
            continue;
        const struct around phi = {.c = u,
                                   .e = at(v, i + 1, j),
                                   .w = at(v, i - 1, j),
                                   .n = at(v, i, j + 1),
                                   .s = at(v, i, j - 1),
                                   .ne = at(v, i + 1, j + 1),
                                   .nw = at(v, i - 1, j + 1),
                                   .se = at(v, i + 1, j - 1),
                                   .sw = at(v, i - 1, j - 1)};
        const struct four f = four_of(m, &phi);
        const double q = 0.25 * (sqrt(f.e.q2) + sqrt(f.w.q2) + sqrt(f.n.q2) + sqrt(f.s.q2));
        const double w = mean_curvature(m, &phi);
        out->area += q * p->h1 * p->h2;
        out->energy += w * w / q * p->h1 * p->h2;
    }
}

/* Rows are added in their order, so the number of threads changes no digit. */
static struct row sum_rows(const struct row *rows, size_t count)
{
    struct row all = rows[0];
    for (size_t i = 1; i < count; i++) {
        all.l1 += rows[i].l1;
        all.l2 += rows[i].l2;
        all.linf = larger(all.linf, rows[i].linf);
        all.least = rows[i].least < all.least ? rows[i].least : all.least;
        all.most = rows[i].most > all.most ? rows[i].most : all.most;
        all.area += rows[i].area;
        all.energy += rows[i].energy;
        all.finite = all.finite && rows[i].finite;
    }
    return all;
}

/* The field's errors at time t or, where there is no exact solution, its shape. */
static struct row scan(const struct view *v, double t, struct row *rows)
{
    const struct curvature *p = v->p;
    const struct mesh m = mesh_of(p);
    const double c = moment_at(p->amplitude, t).c;
#pragma omp parallel for schedule(static) if (p->n1 > 100)
    for (size_t i = 0; i <= p->n1; i++) {
        if (p->forced)
            row_of_errors(v, c, i, &rows[i]);
        else
            row_of_shape(v, &m, i, &rows[i]);
    }
    return sum_rows(rows, p->n1 + 1);
}

/* --- against the exact solution --- */

static bool has_exact(const struct curvature *p)
{
    return p->forced && p->attempts == 0 && p->boundary == DIRICHLET;
}

struct norms {
    double l1, l2, linf;
};

/* Over the kept fields, formulas (31) to (33); the field at t = 0 has no error. sums[fields]: of
 * each field. */
static enum status measure(const struct curvature *p, const struct solution *got,
                           struct norms *norms, struct row *sums)
{
    const size_t nodes = curvature_nodes(p), tables = DERIVATIVES * (p->n1 + p->n2 + 2);
    double *const x = calloc(tables, sizeof *x), *const y = x + DERIVATIVES * (p->n1 + 1);
    struct row *const rows = calloc(p->n1 + 1, sizeof *rows);
    enum status status = OK;
    if (x == NULL || rows == NULL) {
        status = because(ERR_MEMORY, "there is no memory to judge the solution");
        goto cleanup;
    }
    curvature_tables_d(p, x, y);
    double l1 = 0, l2 = 0, linf = 0;
    const size_t fields = curvature_fields(p);
    for (size_t f = 0; f < fields; f++) {
        const struct view v = {p, got, f * nodes, x, y};
        const struct row sum = scan(&v, f > 0 ? p->times[f - 1] : 0, rows);
        sums[f] = sum;
        if (f == 0)
            continue;
        l1 += sum.l1;
        l2 += sum.l2;
        linf = larger(linf, sum.linf);
    }
    const double cell = p->times[0] * p->h1 * p->h2; /* all times are equally far apart */
    *norms = (struct norms){cell * l1, sqrt(cell * l2), linf};
cleanup:
    free(x);
    free(rows);
    return status;
}

/* --- against the plain solution --- */

/* The attempts as the answer has them; WRONG where they cannot be those of a run. */
static enum status read_attempts(const struct curvature *p, const struct solution *got,
                                 struct tally *out)
{
    const size_t first = curvature_fields(p) * curvature_nodes(p), listed = curvature_listed(p);
    for (size_t n = 0; n < listed; n++)
        out->taken[n] = value_at(got, first + 2 * n) + value_at(got, first + 2 * n + 1);
    out->evaluations = value_at(got, first + 2 * listed) + value_at(got, first + 2 * listed + 1);
    const double method = value_at(got, got->count - 4);
    out->method = method == CHEBYSHEV          ? CHEBYSHEV
                  : method == BOGACKI_SHAMPINE ? BOGACKI_SHAMPINE
                                               : MERSON;
    out->stride = value_at(got, got->count - 3);
    out->accepted = value_at(got, got->count - 2);
    out->rejected = value_at(got, got->count - 1);
    const double all = out->accepted + out->rejected;
    bool good = all >= 1 && out->accepted >= 0 && floor(out->accepted) == out->accepted &&
                out->rejected >= 0 && floor(out->rejected) == out->rejected;
    for (size_t n = 0; n < listed && good; n++)
        good = (double)n < all ? fabs(out->taken[n]) > 0 : out->taken[n] == 0;
    good = good && method == out->method && (out->method == MERSON || !p->fixed);
    good = good && (out->method == MERSON ? out->evaluations == 0 : out->evaluations > all);
    if (out->method == MERSON)
        out->evaluations = STAGES * all;
    return good
               ? OK
               : because(WRONG,
                         "the answer counts %g accepted and %g rejected steps, and its list others",
                         out->accepted, out->rejected);
}

static enum status follow(const struct curvature *p, const struct solution *got,
                          const struct tally *claimed, bool first_only, size_t others,
                          struct followed *out)
{
    return got->precision == DOUBLE ? curvature_follow_d(p, got, claimed, first_only, others, out)
                                    : curvature_follow_s(p, got, claimed, first_only, others, out);
}

static enum status run_reference(const struct curvature *p, enum method method, uint64_t seed,
                                 struct solution *out)
{
    return out->precision == DOUBLE ? curvature_reference_d(p, method, seed, out->values)
                                    : curvature_reference_s(p, method, seed, out->values);
}

/* The fields at the kept times, or at the end of limited attempts, against those of a reference
 * that takes its own steps, as do others that round otherwise. */
static enum status hold_times(const struct curvature *in, const struct solution *got,
                              const struct tally *claimed, struct followed *out)
{
    const size_t nodes = curvature_nodes(in), fields = curvature_fields(in);
    const size_t values = fields * nodes;
    struct curvature p = *in;
    struct solution own = {.values = NULL}, other = {.values = NULL};
    double *const rounding = calloc(fields, sizeof *rounding);
    enum status status = rounding != NULL
                             ? reference_for(got, values, &own)
                             : because(ERR_MEMORY, "there is no memory to judge the solution");
    if (p.attempts > 0) {
        p.count = 1;
        p.times[0] = 0;
        for (long n = 0; n < p.attempts; n++)
            p.times[0] += fmax(claimed->taken[n], 0);
        p.attempts = 0;
    }
    if (status == OK)
        status = reference_for(got, values, &other);
    if (status == OK)
        status = run_reference(&p, claimed->method, 0, &own);
    for (uint64_t seed = 1; seed <= OTHERWISE && status == OK; seed++) {
        status = run_reference(&p, claimed->method, seed, &other);
        for (size_t f = 1; f < fields && status == OK; f++) {
            const double off = hold_against(&other, f * nodes, &own, f * nodes, nodes).off;
            rounding[f] = larger(rounding[f], rounding_chain[p.flow] * off);
        }
    }
    *out = (struct followed){.fields = fields};
    for (size_t f = 1; f < fields && status == OK; f++) {
        const struct agreement a = hold_against(got, f * nodes, &own, f * nodes, nodes);
        followed_field(out, a.off, a.most, rounding[f], unit_of(got));
    }
    free(rounding);
    free(own.values);
    free(other.values);
    return status;
}

/* By the reference alone, if the answer has its steps and bits; else again, beside others that
 * round otherwise, of which one is enough on a large grid. With fixed steps nothing holds back what
 * grows from rounding, so there it is always measured. With adaptive ones each run's control holds
 * back its own, but steps that suit the answer may let that of others grow until nothing can be
 * told; then each takes its own steps. */
static enum status hold_against_reference(const struct instance *in, const struct solution *got,
                                          const struct tally *claimed, struct followed *out)
{
    const struct curvature *p = in->data;
    const long choice = get_long(&in->at, "reference");
    const bool all = p->attempts > 0 || claimed->evaluations <= STAGES * curvature_affordable(p);
    const bool first_only = choice == 0 ? !all : choice == 2;
    const size_t others = curvature_nodes(p) > 10000 ? 1 : OTHERWISE;
    enum status status = follow(p, got, claimed, first_only, 0, out);
    if (status == OK && (p->fixed || !out->same))
        status = follow(p, got, claimed, first_only, others, out);
    const bool told = out->lost < out->most || out->same || !out->follows ||
                      claimed->method == BOGACKI_SHAMPINE; /* whose own steps nobody knows */
    if (status == OK && !told && !first_only && !p->fixed && p->attempts <= MOST_LISTED)
        status = hold_times(p, got, claimed, out);
    if (status == OK && out->fields == 0)
        return because(WRONG, "no field follows the attempts that the answer lists");
    /* A library takes some stages of an attempt from the one before. */
    const bool counted =
        claimed->method == BOGACKI_SHAMPINE
            ? claimed->evaluations >= (bogacki_shampine.stages - 1) *
                                          (out->evaluations / bogacki_shampine.stages) &&
                  claimed->evaluations <= out->evaluations + 1
            : out->evaluations == claimed->evaluations;
    if (status == OK && out->ended &&
        !(out->accepted == claimed->accepted && out->rejected == claimed->rejected && counted))
        return because(WRONG,
                       "the answer counts %g accepted and %g rejected steps and %g evaluations, "
                       "and took %g, %g and %g",
                       claimed->accepted, claimed->rejected, claimed->evaluations, out->accepted,
                       out->rejected, out->evaluations);
    return status;
}

/* The reference's own run in double precision, [count]; kept, by its amplitude. */
static enum status find_in_double(const struct curvature *p, size_t count, double **out)
{
    const double key[KEYS] = {p->amplitude};
    const size_t bytes = count * sizeof(double);
    *out = shelf_find(p->shelf, key);
    if (*out != NULL)
        return OK;
    shelf_room(p->shelf, bytes);
    double *const values = malloc(bytes);
    if (values == NULL)
        return because(ERR_MEMORY, "there is no memory for a reference in double precision");
    const enum status status = curvature_reference_d(p, MERSON, 0, values);
    if (status == OK)
        shelf_put(p->shelf, key, *out = values, bytes, free);
    else
        free(values);
    return status;
}

/* --- what no run can give --- */

static bool beyond_stability(const struct curvature *p)
{
    return p->fixed && p->tau0 * curvature_rate(p) > STABLE;
}

/* The estimated error of one more step from the answer's last field. */
static enum status estimate_end(const struct curvature *p, const struct solution *got,
                                enum method method, double tau, double *e)
{
    const size_t nodes = curvature_nodes(p), first = (curvature_fields(p) - 1) * nodes;
    double *const u = malloc(nodes * sizeof *u);
    if (u == NULL)
        return because(ERR_MEMORY, "there is no memory to judge the solution");
    for (size_t at = 0; at < nodes; at++)
        u[at] = value_at(got, first + at);
    const enum status status = curvature_estimate_d(p, method, u, p->times[p->count - 1], tau, e);
    free(u);
    return status;
}

/* Fixed steps may be beyond the method's stability. A mode that grows has an estimated error of at
 * least STABLE^5/720 of its size, so where that of one more step is as large, beside the largest
 * value, the values are such modes, and not what the data give; none grows without an error, as
 * from a surface of zeros. The step is made from the reference's end, or, if it did not come so
 * far, from the answer's. */
static enum status check_stability(const struct curvature *p, const struct solution *got,
                                   const struct followed *followed, const struct row *sums)
{
    const size_t fields = curvature_fields(p);
    double e = followed->estimate, most = followed->most;
    enum status status = OK;
    if (!followed->ended && p->attempts > 0) /* where it ends, nobody knows */
        return OK;
    if (!followed->ended) {
        for (size_t f = 0; f < fields; f++)
            most = larger(most, fmax(fabs(sums[f].least), fabs(sums[f].most)));
        status = estimate_end(p, got, MERSON, p->tau0, &e);
    }
    const bool stable = e == 0 || e < pow(STABLE, STAGES) / 720 * most;
    if (status == OK && !stable)
        status = because(ERR_DIVERGED,
                         "steps of %.3g are too long for the method: the values reach %.3g, and "
                         "the error of one more step %.3g; choose a smaller tau0, or "
                         "control=adaptive",
                         p->tau0, most, e);
    return status;
}

/* The same of a library's steps, as check_end(). Their pair's estimate is z^3 (1 - z)/48 of a mode,
 * z = tau r, and so a step of half that length may see one that the accepted step has not seen, z =
 * 1; but another one as long sees again what that one saw, multiplied by R(z) for each step since,
 * of which there are two at most. |R| <= 1 up to 2.51, and further if a step went there. That is in
 * the mean over the nodes; twice as much is granted, as modes may meet otherwise. Where smooth
 * parts are what limits the steps, and grow, that of half that length is an eighth. */
static enum status check_library_end(const struct curvature *p, const struct solution *got,
                                     double tau)
{
    const double z = tau * curvature_rate(p), r = 1 - z + z * z / 2 - z * z * z / 6;
    const double most = 2 * p->eps * fmax(1, r * r);
    double whole = 0, half = 0;
    enum status status = estimate_end(p, got, BOGACKI_SHAMPINE, tau, &whole);
    if (status == OK)
        status = estimate_end(p, got, BOGACKI_SHAMPINE, tau / 2, &half);
    const bool good = whole < most || half < p->eps;
    if (status == OK && !good)
        status = because(WRONG,
                         "the end is none that accepted steps leave: the error of a step of %.3g "
                         "from there is %.3g, and of half of it %.3g",
                         tau, whole, half);
    return status;
}

/* Where the reference did not come to the end of a run with adaptive steps, the end must be one
 * that such steps leave. An accepted step of length tau leaves of a mode of rate r at most eps
 * R(tau r) / E(tau r), where R is what it multiplies the mode by, E(z) = z^5/720 what its estimated
 * error is of it; R <= 1 up to STABLE and R < 5 E beyond. So a step of half that length, and of at
 * most 1.8/r for the largest r, has an estimated error below eps/7. The last step may have been cut
 * very short, and then leaves what the one before it did. What a step of Runge-Kutta-Chebyshev
 * leaves is less: there R < 1, and E(z) = 0.8 (1 - R) - 0.4 z (1 + R) grows with z. */
static enum status check_end(const struct curvature *p, const struct solution *got,
                             const struct tally *claimed)
{
    const double tau = fmin(claimed->stride / 2, 1.8 / curvature_rate(p));
    double e = 0;
    enum status status = OK;
    if (p->attempts > 0 || !(tau > 0))
        return OK;
    if (claimed->method == BOGACKI_SHAMPINE)
        return check_library_end(p, got, claimed->stride);
    status = estimate_end(p, got, MERSON, tau, &e);
    const double eps = claimed->method == CHEBYSHEV ? rkc_eps(p, got->precision == DOUBLE) : p->eps;
    const bool good = e < eps;
    if (status == OK && !good)
        status = because(WRONG,
                         "the end is none that accepted steps leave: the error of a step of %.3g "
                         "from there is %.3g, and of longer ones below %.3g",
                         tau, e, eps);
    return status;
}

/* --- the judgement --- */

/* What the paper counts: operations of a right-hand side, without forcing. */
static double printed_flops(const struct curvature *p)
{
    const double interior = (double)(p->n1 - 1) * (double)(p->n2 - 1);
    return interior * (p->flow == WILLMORE ? 85 + 218 : 85);
}

/* The shapes at the printed times; `area_fall`, above 1 if the area falls from each to the next;
 * for the published data in single precision also how far the end lies from that of double
 * precision, where that does not take long. */
static enum status add_shapes(const struct curvature *p, const struct solution *got,
                              const struct row *shapes, const struct tally *claimed,
                              struct judgement *out)
{
    const size_t nodes = curvature_nodes(p), end = (curvature_fields(p) - 1) * nodes;
    const struct row *const last = &shapes[p->count];
    const struct view v = {p, got, end, NULL, NULL};
    double fall = INFINITY;
    for (int k = 1; k <= p->count; k++) {
        char name[32];
        fall = fmin(fall, shapes[k - 1].area / shapes[k].area);
        snprintf(name, sizeof name, "area_%d", k);
        add_metric(out, name, shapes[k].area);
        snprintf(name, sizeof name, "energy_%d", k);
        add_metric(out, name, shapes[k].energy);
    }
    add_metric(out, "least", last->least);
    add_metric(out, "most", last->most);
    add_metric(out, "centre", at(&v, p->n1 / 2, p->n2 / 2));
    add_metric(out, "area_fall", fall);
    if (got->precision == DOUBLE || p->amplitude != 1 || claimed->method != MERSON ||
        !(claimed->evaluations <= 16 * STAGES * curvature_affordable(p)))
        return OK;
    double *values;
    const enum status status = find_in_double(p, got->count, &values);
    const struct solution exact = {DOUBLE, got->count, values};
    if (status == OK)
        add_metric(out, "off_double", hold_against(got, nodes, &exact, nodes, end).off);
    return status;
}

static enum status conclude(const struct solution *got, const struct tally *claimed,
                            const struct followed *followed, struct judgement *out)
{
    const double scale = followed->most > 0 ? followed->most : 1;
    const double unit = unit_of(got);
    const bool digits = followed->lost < scale;
    const double steps = followed->accepted + followed->rejected;
    add_metric(out, "steps_followed", steps);
    if (steps == 0)
        snprintf(out->said, sizeof out->said, "held against runs of steps of their own");
    else if (!followed->ended)
        snprintf(out->said, sizeof out->said, "%g of %g steps followed", steps,
                 claimed->accepted + claimed->rejected);
    out->inherent = 0;
    out->error = 0;
    if (!digits)
        return because(ERR_DIVERGED,
                       "rounding alone may change the values by %.3g, which reach %.3g; choose a "
                       "smaller eps or tau0",
                       followed->lost, followed->most);
    if (followed->same)
        return OK;
    /* Other steps, or bits, are no less than a rounding. */
    out->error = larger(followed->off, fmin(unit * scale, followed->rounding)) / scale;
    add_metric(out, "amplification", followed->rounding / scale / unit);
    return OK;
}

/* What is held against what is right, and found in order, decides; in this order. */
static enum status decide(const struct instance *in, const struct solution *got,
                          const struct row *sums, const struct tally *claimed,
                          struct judgement *out)
{
    const struct curvature *p = in->data;
    const size_t fields = curvature_fields(p);
    struct followed followed;
    enum status status =
        values_within_range("phi0", (long double)(p->amplitude * p->phi0_most), got->precision);
    if (status == OK)
        status = hold_against_reference(in, got, claimed, &followed);
    if (status == OK)
        status = within_range((long double)followed.most, got->precision);
    for (size_t f = 0; f < fields && status == OK; f++)
        if (!sums[f].finite)
            status =
                because(f >= followed.fields && beyond_stability(p) ? ERR_DIVERGED : WRONG,
                        "field %zu of %zu has values that are not finite numbers", f, fields - 1);
    if (status == OK && p->fixed)
        status = check_stability(p, got, &followed, sums);
    else if (status == OK && !followed.ended)
        status = check_end(p, got, claimed);
    return status == OK ? conclude(got, claimed, &followed, out) : status;
}

enum status curvature_judge(const struct instance *in, const struct solution *got,
                            struct judgement *out)
{
    const struct curvature *p = in->data;
    struct row *const sums = calloc(curvature_fields(p), sizeof *sums);
    struct norms norms = {NAN, NAN, NAN};
    struct tally claimed;
    assert(got->count == curvature_count(p));
    enum status status =
        sums != NULL ? OK : because(ERR_MEMORY, "there is no memory to judge the solution");
    if (status == OK)
        status = measure(p, got, &norms, sums);
    if (status != OK)
        goto cleanup;
    if (has_exact(p)) {
        add_metric(out, "error_l1", norms.l1);
        add_metric(out, "error_l2", norms.l2);
        add_metric(out, "error_linf", norms.linf);
    }
    status = read_attempts(p, got, &claimed);
    if (status != OK)
        goto cleanup;
    out->h = p->h1;
    /* Steps of which no two have as many stages are counted by their stages. */
    out->steps =
        claimed.method == CHEBYSHEV ? claimed.evaluations : claimed.accepted + claimed.rejected;
    out->useful = printed_flops(p) * claimed.evaluations;
    add_metric(out, "steps_accepted", claimed.accepted);
    add_metric(out, "steps_rejected", claimed.rejected);
    add_metric(out, "evaluations", claimed.evaluations);
    if (!p->forced && p->attempts == 0)
        status = add_shapes(p, got, sums, &claimed, out);
    if (status == OK)
        status = decide(in, got, sums, &claimed, out);
cleanup:
    free(sums);
    return status;
}
