/*
 * cpuN: what a CPU can do by Merson's method. A stage is one pass through the bands (bands.h),
 * whose rows of the argument are formed as they are needed.
 */
#include <string.h>

#include "bands.h"

struct omp {
    struct memory memory;
    const struct curvature *in;
    struct bands bands;
    size_t nodes, pitch;
    real *u, *next, *k[STAGES - 1], *kept; /* [nodes]; next: the new u, if the step is good */
    real *x, *y;                           /* the tables */
    struct tally tally;
};

static enum status plan(const struct instance *in, void **state)
{
    const struct curvature *p = in->data;
    const size_t nodes = curvature_nodes(p), tables = DERIVATIVES * (p->n1 + p->n2 + 2);
    const size_t fields = curvature_fields(p) * nodes, arrays = (STAGES + 1) * nodes + tables;
    struct omp *o = owner_new(sizeof *o);
    if (o == NULL)
        return ERR_MEMORY;
    o->in = p;
    o->nodes = nodes;
    o->pitch = p->n2 + 1;
    o->u = take(&o->memory, arrays * sizeof *o->u);
    o->kept = take(&o->memory, fields * sizeof *o->kept);
    P(bands_make)(&o->memory, p, &o->bands);
    if (o->memory.status != OK)
        return planned(o, o->memory.status, state);
    o->next = o->u + nodes;
    for (size_t s = 0; s < STAGES - 1; s++)
        o->k[s] = o->u + (2 + s) * nodes;
    o->x = o->u + (STAGES + 1) * nodes;
    o->y = o->x + DERIVATIVES * (p->n1 + 1);
    P(curvature_tables)(p, o->x, o->y);
#pragma omp parallel for schedule(static) num_threads(o->bands.count)
    for (size_t i = 0; i <= p->n1; i++) {
        for (size_t a = 0; a < STAGES + 1; a++)
            memset(o->u + a * nodes + i * o->pitch, 0xff, o->pitch * sizeof *o->u);
        for (size_t f = 0; f < curvature_fields(p); f++)
            memset(o->kept + f * nodes + i * o->pitch, 0xff, o->pitch * sizeof *o->kept);
    }
    return planned(o, OK, state);
}

static enum status load(void *state)
{
    const struct omp *o = state;
    P(curvature_initial)(o->in, o->u);
    return OK;
}

/* --- loops along a row, over j from `begin` to `end`-1 --- */

INLINE void sum_count(int count, const struct combination *c, real *const *k, const real *u,
                      real *to, size_t begin, size_t end)
{
    const real *restrict k0 = k[c->of[0]], *restrict k1 = k[c->of[count > 1 ? 1 : 0]],
                         *restrict k2 = k[c->of[count > 2 ? 2 : 0]];
    const real a0 = c->by[0], a1 = c->by[1], a2 = c->by[2];
    real *restrict out = to;
#pragma omp simd
    for (size_t j = begin; j < end; j++) {
        real sum = a0 * k0[j];
        if (count > 1)
            sum = sum + a1 * k1[j];
        if (count > 2)
            sum = sum + a2 * k2[j];
        out[j] = u[j] + sum;
    }
}

static WIDEST void sum_row(const struct combination *c, real *const *k, const real *u, real *to,
                           size_t begin, size_t end)
{
    if (c->count == 1)
        sum_count(1, c, k, u, to, begin, end);
    else if (c->count == 2)
        sum_count(2, c, k, u, to, begin, end);
    else
        sum_count(3, c, k, u, to, begin, end);
}

INLINE void force_flow(enum flow flow, const struct moment *moment, const real *x_, const real *y_,
                       size_t pitch, real *to, size_t end)
{
    const struct moment t = *moment;
    const struct factor x = factor_at(x_, 1);
    real *restrict out = to;
#pragma omp simd
    for (size_t j = 1; j < end; j++) {
        const struct factor y = factor_at(y_ + j, pitch);
        out[j] = out[j] +
                 (flow == WILLMORE ? forcing_willmore(&t, x, y) : forcing_mean_curvature(&t, x, y));
    }
}

static WIDEST void force_row(enum flow flow, const struct moment *t, const real *x, const real *y,
                             size_t pitch, real *to, size_t end)
{
    if (flow == WILLMORE)
        force_flow(WILLMORE, t, x, y, pitch, to, end);
    else
        force_flow(MEAN_CURVATURE, t, x, y, pitch, to, end);
}

/* The largest error of a row of k_5, which lies in the new u, and that new u. */
static WIDEST real finish_row(const struct combination *error, const struct combination *result,
                              real *const *k, const real *u, real *next, size_t end)
{
    const real *restrict k1 = k[0], *restrict k3 = k[2], *restrict k4 = k[3];
    real *restrict k5 = next;
    const real e0 = error->by[0], e1 = error->by[1], e2 = error->by[2], e3 = error->by[3];
    const real r0 = result->by[0], r1 = result->by[1], r2 = result->by[2];
    real most = 0;
#pragma omp simd reduction(max : most)
    for (size_t j = 1; j < end; j++) {
        const real size = error_size(((e0 * k1[j] + e1 * k3[j]) + e2 * k4[j]) + e3 * k5[j]);
        most = size > most ? size : most;
        k5[j] = u[j] + ((r0 * k1[j] + r1 * k4[j]) + r2 * k5[j]);
    }
    return most;
}

/* --- a stage --- */

struct stage {
    struct pass pass; /* first: its rows are asked for by it */
    const struct omp *o;
    int s;
    struct combination argument, error, result;
};

static void argument(const struct pass *pass, size_t i, real *row)
{
    const struct stage *const stage = (const struct stage *)pass;
    const struct omp *o = stage->o;
    const size_t at = i * o->pitch;
    real *k[STAGES];
    for (int s = 0; s < stage->s; s++)
        k[s] = o->k[s] + at;
    if (stage->s == 0)
        memcpy(row, o->u + at, o->pitch * sizeof *row);
    else
        sum_row(&stage->argument, k, o->u + at, row, 1, o->in->n2);
}

static void run_band(const struct stage *stage, struct band *band)
{
    const struct omp *o = stage->o;
    const struct curvature *p = o->in;
    const bool last = stage->s == STAGES - 1;
    const size_t pitch = o->pitch;
    real most = 0;
    for (size_t i = band->first; i < band->last; i++) {
        real *const to = (last ? o->next : o->k[stage->s]) + i * pitch;
        P(band_side)(&stage->pass, band, i, to);
        if (p->forced)
            force_row(p->flow, &stage->pass.m, o->x + i * DERIVATIVES, o->y, pitch, to, p->n2);
        if (last) {
            real *k[STAGES - 1];
            for (int s = 0; s < STAGES - 1; s++)
                k[s] = o->k[s] + i * pitch;
            const real row =
                finish_row(&stage->error, &stage->result, k, o->u + i * pitch, to, p->n2);
            most = row > most ? row : most;
        }
    }
    band->error = most;
}

static struct pass pass_at(const struct omp *o, double t)
{
    return (struct pass){.bands = &o->bands,
                         .m = moment_at(o->in->amplitude, t),
                         .x = o->x,
                         .y = o->y,
                         .still = o->u,
                         .argument = argument};
}

static enum status stage(void *state, int s, double t, double tau)
{
    struct omp *o = state;
    const struct stage stage = {.pass = pass_at(o, t + merson.node[s] * tau),
                                .o = o,
                                .s = s,
                                .argument = combination_of(merson.weight[s], tau),
                                .error = combination_of(merson.error, tau),
                                .result = combination_of(merson.result, tau)};
#pragma omp parallel for schedule(static, 1) num_threads(o->bands.count)
    for (int b = 0; b < o->bands.count; b++)
        run_band(&stage, &o->bands.each[b]);
    return OK;
}

static enum status error(void *state, double tau, double *e)
{
    const struct omp *o = state;
    real most = 0;
    (void)tau; /* the last stage has it */
    for (int b = 0; b < o->bands.count; b++)
        most = o->bands.each[b].error > most ? o->bands.each[b].error : most;
    *e = (double)most;
    return OK;
}

/* The last stage left the new u in `next`; its boundary is what is missing. */
static enum status accept(void *state, double tau, double t)
{
    struct omp *o = state;
    const struct curvature *p = o->in;
    const size_t pitch = o->pitch;
    const struct pass end = pass_at(o, t);
    (void)tau;
    if (p->boundary == NEUMANN) {
        memcpy(o->next, o->next + pitch, pitch * sizeof *o->next);
        memcpy(o->next + p->n1 * pitch, o->next + (p->n1 - 1) * pitch, pitch * sizeof *o->next);
    }
    for (size_t i = 0; i <= p->n1; i++)
        P(band_close)(&end, i, o->next + i * pitch);
    real *const old = o->u;
    o->u = o->next;
    o->next = old;
    return OK;
}

static enum status keep(void *state, size_t field)
{
    const struct omp *o = state;
    memcpy(o->kept + field * o->nodes, o->u, o->nodes * sizeof *o->u);
    return OK;
}

static enum status run(void *state, struct laps *laps)
{
    static const struct solver_calls calls = {stage, error, accept, keep};
    struct omp *o = state;
    const enum status status = curvature_run(o->in, MERSON, o->in->eps, &calls, o, &o->tally);
    lap(laps, "loop");
    return status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct omp *o = state;
    real *const to = out->values;
    const size_t count = curvature_fields(o->in) * o->nodes;
    memcpy(to, o->kept, count * sizeof *to);
    steps_out(o->in, &o->tally, to + count);
    lap(laps, "back");
    return OK;
}

const struct calls P(curvature_cpun) = {
    .plan = plan, .load = load, .run = run, .fetch = fetch, .destroy = give_back};
