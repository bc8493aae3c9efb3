/*
 * Runge-Kutta pairs as tables, and the loop over steps of both methods for variants whose steps the
 * host drives.
 */
#include "rkc.h"

const struct tableau merson = {
    .stages = STAGES,
    .node = {0, 1.0 / 3, 1.0 / 3, 1.0 / 2, 1},
    .weight =
        {{0}, {1.0 / 3}, {1.0 / 6, 1.0 / 6}, {1.0 / 8, 0, 3.0 / 8}, {1.0 / 2, 0, -3.0 / 2, 2}},
    .result = {1.0 / 6, 0, 0, 4.0 / 6, 1.0 / 6},
    .error = {2.0 / 30, 0, -9.0 / 30, 8.0 / 30, -1.0 / 30},
};

/* Of order 3, with an error of order 2 (Bogacki, Shampine, A 3(2) pair of Runge-Kutta formulas,
 * 1989). The last stage is the next step's first. */
const struct tableau bogacki_shampine = {
    .stages = 4,
    .node = {0, 1.0 / 2, 3.0 / 4, 1},
    .weight = {{0}, {1.0 / 2}, {0, 3.0 / 4}, {2.0 / 9, 3.0 / 9, 4.0 / 9}},
    .result = {2.0 / 9, 3.0 / 9, 4.0 / 9},
    .error = {-5.0 / 72, 6.0 / 72, 8.0 / 72, -9.0 / 72},
};

struct course {
    const struct curvature *p;
    enum method method;
    double eps;
    struct control c;
    double evaluations;
};

static struct course begin(const struct curvature *p, enum method method, double eps)
{
    return (struct course){.p = p,
                           .method = method,
                           .eps = eps,
                           .c = method == MERSON ? control_begin(p->tau0)
                                                 : rkc_begin(p->tau0, rkc_rate(p)),
                           .evaluations = method == MERSON ? 0 : 1};
}

static enum status attempt(struct course *r, const struct solver_calls *calls, void *state,
                           enum verdict_of_step *verdict)
{
    const struct curvature *const p = r->p;
    struct control *const c = &r->c;
    const double tau = control_step(c, p->times);
    const int parts = r->method == MERSON ? STAGES : 1;
    double e = 0;
    enum status status = OK;
    for (int s = 0; s < parts && status == OK; s++)
        status = calls->stage(state, s, c->t, tau);
    if (status == OK)
        status = calls->error(state, tau, &e);
    if (status == OK)
        *verdict = r->method == MERSON ? control_decide(c, p->times, p->fixed, r->eps, e)
                                       : rkc_decide(c, p->times, rkc_rate(p), r->eps, e);
    if (status == OK && *verdict == STEP_ACCEPTED)
        status = calls->accept(state, tau, c->t);
    r->evaluations += r->method == MERSON ? STAGES : rkc_stages(rkc_rate(p), tau);
    return status;
}

enum status curvature_run(const struct curvature *p, enum method method, double eps,
                          const struct solver_calls *calls, void *state, struct tally *out)
{
    struct course r = begin(p, method, eps);
    const struct control *const c = &r.c;
    enum verdict_of_step verdict = STEP_REJECTED;
    struct kept kept = {false, false, 0};
    enum status status = OK;
    for (long n = 0; status == OK && !kept.ended; n++) {
        status = attempt(&r, calls, state, &verdict);
        if (n < MOST_LISTED)
            out->taken[n] = verdict == STEP_ACCEPTED ? c->step : -c->step;
        if (status == OK && verdict == STEPS_DIVERGED)
            return curvature_diverged(p, c->t);
        kept = control_kept(c, verdict == STEP_ACCEPTED, p->count, p->attempts, p->probes);
        if (status == OK && kept.first)
            status = calls->keep(state, 0);
        if (status == OK && kept.field > 0)
            status = calls->keep(state, (size_t)kept.field);
    }
    tally_end(out, c, method, r.evaluations);
    return status;
}

enum status curvature_diverged(const struct curvature *p, double t)
{
    return p->fixed
               ? because(ERR_DIVERGED,
                         "the solution leaves the range of the numbers at t = %.6g; choose a "
                         "smaller tau0, or control=adaptive",
                         t)
               : because(ERR_DIVERGED,
                         "no step is short enough at t = %.6g; choose a larger eps, or another N",
                         t);
}
