/*
 * cpu1: the paper's program on one core. A grid function for every k, one for the argument of the
 * right-hand side and one for w; plain loops over all of them, all of a node at once.
 */
#include <string.h>

#include "../common/memory.h"
#include "scheme.h"

struct plain {
    struct memory memory;
    const struct curvature *in;
    struct mesh mesh;
    size_t nodes, pitch;
    real *u, *k[STAGES], *argument, *w; /* [nodes], one behind the other */
    real *x, *y;                        /* the tables, behind them */
    real *kept;                         /* [fields][nodes] of the answer, behind that */
    struct tally tally;
};

static enum status plan(const struct instance *in, void **state)
{
    const struct curvature *p = in->data;
    const size_t nodes = curvature_nodes(p), tables = DERIVATIVES * (p->n1 + p->n2 + 2);
    const size_t size = (STAGES + 3 + curvature_fields(p)) * nodes + tables;
    struct plain *c = owner_new(sizeof *c);
    if (c == NULL)
        return ERR_MEMORY;
    c->in = p;
    c->mesh = mesh_of(p);
    c->nodes = nodes;
    c->pitch = p->n2 + 1;
    c->u = take_filled(&c->memory, size * sizeof *c->u);
    if (c->u != NULL) {
        for (size_t s = 0; s < STAGES; s++)
            c->k[s] = c->u + (1 + s) * nodes;
        c->argument = c->u + (STAGES + 1) * nodes;
        c->w = c->u + (STAGES + 2) * nodes;
        c->x = c->u + (STAGES + 3) * nodes;
        c->y = c->x + DERIVATIVES * (p->n1 + 1);
        c->kept = c->x + tables;
        P(curvature_tables)(p, c->x, c->y);
    }
    return planned(c, c->memory.status, state);
}

static enum status load(void *state)
{
    const struct plain *c = state;
    P(curvature_initial)(c->in, c->u);
    return OK;
}

/* Boundary nodes of a grid function whose interior is there. */
static void close_phi(const struct plain *c, real *v, real moment)
{
    const struct curvature *p = c->in;
    for (size_t i = 0; i <= p->n1; i++)
        for (size_t j = 0; j <= p->n2; j += i == 0 || i == p->n1 ? 1 : p->n2) {
            real *const at = &v[i * c->pitch + j];
            if (p->boundary == NEUMANN)
                *at = v[inside(i, p->n1) * c->pitch + inside(j, p->n2)];
            else if (p->forced)
                *at = exact_at(moment, c->x[i * DERIVATIVES], c->y[j]);
            else
                *at = c->u[i * c->pitch + j];
        }
}

static void close_w(const struct plain *c)
{
    const struct curvature *p = c->in;
    for (size_t i = 0; i <= p->n1; i++)
        for (size_t j = 0; j <= p->n2; j += i == 0 || i == p->n1 ? 1 : p->n2)
            c->w[i * c->pitch + j] =
                p->boundary == NEUMANN ? c->w[inside(i, p->n1) * c->pitch + inside(j, p->n2)] : 0;
}

static void evaluate(const struct plain *c, const real *v, const struct moment *m, real *k)
{
    const struct curvature *p = c->in;
    const size_t pitch = c->pitch;
    real *const w = p->flow == WILLMORE ? c->w : k;
    for (size_t i = 1; i < p->n1; i++)
        for (size_t j = 1; j < p->n2; j++) {
            const struct around phi = around_node(v + i * pitch + j, pitch);
            w[i * pitch + j] = mean_curvature(&c->mesh, &phi);
        }
    if (p->flow == WILLMORE) {
        close_w(c);
        for (size_t i = 1; i < p->n1; i++)
            for (size_t j = 1; j < p->n2; j++) {
                const struct around phi = around_node(v + i * pitch + j, pitch);
                const struct around of_w = around_node(w + i * pitch + j, pitch);
                k[i * pitch + j] = willmore(&c->mesh, &phi, &of_w);
            }
    }
    if (!p->forced)
        return;
    for (size_t i = 1; i < p->n1; i++)
        for (size_t j = 1; j < p->n2; j++)
            k[i * pitch + j] += forcing_of(p->flow, m, c->x + i * DERIVATIVES, c->y + j, pitch);
}

static enum status stage(void *state, int s, double t, double tau)
{
    const struct plain *c = state;
    const struct combination a = combination_of(merson.weight[s], tau);
    const struct moment m = moment_at(c->in->amplitude, t + merson.node[s] * tau);
    for (size_t i = 1; i < c->in->n1 && s > 0; i++)
        for (size_t j = 1; j < c->in->n2; j++) {
            const size_t at = i * c->pitch + j;
            c->argument[at] = c->u[at] + combined(a.count, &a, c->k, at);
        }
    if (s > 0)
        close_phi(c, c->argument, m.c);
    evaluate(c, s > 0 ? c->argument : c->u, &m, c->k[s]);
    return OK;
}

static enum status error(void *state, double tau, double *e)
{
    const struct plain *c = state;
    const struct combination a = combination_of(merson.error, tau);
    real most = 0;
    for (size_t i = 1; i < c->in->n1; i++)
        for (size_t j = 1; j < c->in->n2; j++) {
            const real size = error_size(combined(a.count, &a, c->k, i * c->pitch + j));
            most = size > most ? size : most;
        }
    *e = (double)most;
    return OK;
}

static enum status accept(void *state, double tau, double t)
{
    const struct plain *c = state;
    const struct combination a = combination_of(merson.result, tau);
    for (size_t i = 1; i < c->in->n1; i++)
        for (size_t j = 1; j < c->in->n2; j++) {
            const size_t at = i * c->pitch + j;
            c->u[at] += combined(a.count, &a, c->k, at);
        }
    close_phi(c, c->u, moment_at(c->in->amplitude, t).c);
    return OK;
}

static enum status keep(void *state, size_t field)
{
    const struct plain *c = state;
    memcpy(c->kept + field * c->nodes, c->u, c->nodes * sizeof *c->u);
    return OK;
}

static enum status run(void *state, struct laps *laps)
{
    static const struct solver_calls calls = {stage, error, accept, keep};
    struct plain *c = state;
    const enum status status = curvature_run(c->in, MERSON, c->in->eps, &calls, c, &c->tally);
    lap(laps, "loop");
    return status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct plain *c = state;
    real *const to = out->values;
    const size_t count = curvature_fields(c->in) * c->nodes;
    memcpy(to, c->kept, count * sizeof *to);
    steps_out(c->in, &c->tally, to + count);
    lap(laps, "back");
    return OK;
}

const struct calls P(curvature_cpu1) = {
    .plan = plan, .load = load, .run = run, .fetch = fetch, .destroy = give_back};
