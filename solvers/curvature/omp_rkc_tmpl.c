/*
 * omp-rkc: what a CPU can do by Runge-Kutta-Chebyshev, which is another integrator than Merson's: a
 * step of some hundred stages in one parallel region, a pass through the bands and a barrier for
 * each stage. What a stage adds up, and the forcing from its coefficients, it does with the
 * right-hand side's row in the first cache.
 */
#include <omp.h>
#include <string.h>

#include "bands.h"
#include "rkc.h"

struct omp {
    struct memory memory;
    const struct curvature *in;
    struct bands bands;
    size_t nodes, pitch;
    /* [nodes]; increment[0] is the stage's D, [1] the one before it and then the next one */
    real *u, *first, *last, *increment[2], *kept;
    real *x, *y, *rational;
    bool begun; /* `first` is the right-hand side of u */
    struct tally tally;
};

static enum status plan(const struct instance *in, void **state)
{
    const struct curvature *p = in->data;
    const size_t nodes = curvature_nodes(p), tables = DERIVATIVES * (p->n1 + p->n2 + 2);
    const size_t fields = curvature_fields(p) * nodes, terms = RATIONAL(p->flow);
    struct omp *o = owner_new(sizeof *o);
    if (o == NULL)
        return ERR_MEMORY;
    o->in = p;
    o->nodes = nodes;
    o->pitch = p->n2 + 1;
    o->u = take_touched(&o->memory, (5 * nodes + tables) * sizeof *o->u);
    o->rational = take_touched(&o->memory, terms * nodes * sizeof *o->rational);
    o->kept = take_touched(&o->memory, fields * sizeof *o->kept);
    P(bands_make)(&o->memory, p, &o->bands);
    if (o->memory.status == OK && p->fixed)
        o->memory.status = because(SKIPPED, NO_FIXED_STEPS);
    if (o->memory.status != OK)
        return planned(o, o->memory.status, state);
    o->first = o->u + nodes;
    o->last = o->u + 2 * nodes;
    o->increment[0] = o->u + 3 * nodes;
    o->increment[1] = o->u + 4 * nodes;
    o->x = o->u + 5 * nodes;
    o->y = o->x + DERIVATIVES * (p->n1 + 1);
    P(curvature_tables)(p, o->x, o->y);
    P(curvature_rationals)(p, o->rational);
    return planned(o, OK, state);
}

static enum status load(void *state)
{
    struct omp *o = state;
    P(curvature_initial)(o->in, o->u);
    return OK;
}

/* --- loops along a row, over j from 1 to `end`-1 --- */

WIDEST static void add_row(const real *u, const real *increment, real *to, size_t end)
{
#pragma omp simd
    for (size_t j = 1; j < end; j++)
        to[j] = u[j] + increment[j];
}

/* What a stage's row is combined of: `before` becomes the next increment. */
struct sums {
    real now, before, side, first;
};

WIDEST static void next_row(const struct sums *c, const real *now, const real *side,
                            const real *first, real *before, size_t end)
{
    const struct sums by = *c;
#pragma omp simd
    for (size_t j = 1; j < end; j++)
        before[j] =
            (by.now * now[j] + by.before * before[j]) + (by.side * side[j] + by.first * first[j]);
}

WIDEST static real error_row(real part, const real *increment, const real *first, const real *last,
                             size_t end)
{
    real most = 0;
#pragma omp simd reduction(max : most)
    for (size_t j = 1; j < end; j++) {
        const real size = error_size(part * (first[j] + last[j]) - R(0.8) * increment[j]);
        most = size > most ? size : most;
    }
    return most;
}

/* --- a step --- */

struct stage {
    struct pass pass; /* first: its rows are asked for by it */
    const struct omp *o;
    const real *now; /* the increment; null: of nothing */
    real *before;
    struct sums sums;
    real *side; /* where the whole right-hand side goes, or null */
};

static void argument(const struct pass *pass, size_t i, real *row)
{
    const struct stage *const stage = (const struct stage *)pass;
    const struct omp *const o = stage->o;
    const size_t at = i * o->pitch;
    if (stage->now == NULL)
        memcpy(row, o->u + at, o->pitch * sizeof *row);
    else
        add_row(o->u + at, stage->now + at, row, o->in->n2);
}

static void run_band(const struct stage *stage, struct band *band)
{
    const struct omp *const o = stage->o;
    const struct curvature *const p = o->in;
    for (size_t i = band->first; i < band->last; i++) {
        const size_t at = i * o->pitch;
        real *const side = stage->side != NULL ? stage->side + at : band->b.spare;
        P(band_side)(&stage->pass, band, i, side);
        if (p->forced)
            P(band_force)(&stage->pass, o->rational + at, side);
        if (stage->before != NULL)
            next_row(&stage->sums, stage->now + at, side, o->first + at, stage->before + at, p->n2);
    }
}

static struct stage stage_at(const struct omp *o, double t)
{
    return (struct stage){.pass = {.bands = &o->bands,
                                   .m = moment_at(o->in->amplitude, t),
                                   .x = o->x,
                                   .y = o->y,
                                   .still = o->u,
                                   .argument = argument},
                          .o = o};
}

/* The first right-hand side, if it is missing, and the first increment. */
static void begin_band(const struct omp *o, struct band *band, double t, double by)
{
    struct stage stage = stage_at(o, t);
    stage.side = o->first;
    if (!o->begun)
        run_band(&stage, band);
    for (size_t at = band->first * o->pitch; at < band->last * o->pitch; at++) {
        o->increment[0][at] = (real)by * o->first[at];
        o->increment[1][at] = 0;
    }
}

/* Stage j of s; the increments change places from stage to stage. */
static struct stage stage_of(const struct omp *o, int j, int s, double t, double tau)
{
    const struct rkc_stage c = rkc_stage_of(j, s, tau);
    struct stage stage = stage_at(o, t + c.node * tau);
    stage.now = o->increment[(j + 1) % 2];
    stage.before = j < s ? o->increment[j % 2] : NULL;
    stage.side = j < s ? NULL : o->last;
    stage.sums = (struct sums){(real)c.now, (real)c.before, (real)c.side, (real)c.first};
    return stage;
}

static void end_band(const struct omp *o, struct band *band, int s, double tau)
{
    real most = 0;
    for (size_t i = band->first; i < band->last; i++) {
        const size_t at = i * o->pitch;
        const real row = error_row((real)(0.4 * tau), o->increment[(s + 1) % 2] + at, o->first + at,
                                   o->last + at, o->in->n2);
        most = row > most ? row : most;
    }
    band->error = most;
}

static enum status stages(void *state, int unused, double t, double tau)
{
    struct omp *const o = state;
    const int s = rkc_stages(rkc_rate(o->in), tau), count = o->bands.count;
    const double by = rkc_stage_of(0, s, tau).side;
    (void)unused;
#pragma omp parallel num_threads(count)
    {
        const int own = omp_get_thread_num(), threads = omp_get_num_threads();
        for (int b = own; b < count; b += threads)
            begin_band(o, &o->bands.each[b], t, by);
        for (int j = 1; j <= s; j++) {
            const struct stage stage = stage_of(o, j, s, t, tau);
#pragma omp barrier
            for (int b = own; b < count; b += threads)
                run_band(&stage, &o->bands.each[b]);
        }
        for (int b = own; b < count; b += threads)
            end_band(o, &o->bands.each[b], s, tau);
    }
    o->begun = true;
    return OK;
}

static enum status error(void *state, double tau, double *e)
{
    const struct omp *o = state;
    real most = 0;
    (void)tau;
    for (int b = 0; b < o->bands.count; b++)
        most = o->bands.each[b].error > most ? o->bands.each[b].error : most;
    *e = (double)most;
    return OK;
}

/* The last increment is where it was for the last stage's argument. */
static enum status accept(void *state, double tau, double t)
{
    struct omp *const o = state;
    const struct curvature *const p = o->in;
    const size_t pitch = o->pitch;
    const real *const increment = o->increment[(rkc_stages(rkc_rate(p), tau) + 1) % 2];
    const struct stage end = stage_at(o, t);
    real *const last = o->last;
#pragma omp parallel for schedule(static) num_threads(o->bands.count)
    for (size_t i = 1; i < p->n1; i++) {
        add_row(o->u + i * pitch, increment + i * pitch, o->u + i * pitch, p->n2);
        P(band_close)(&end.pass, i, o->u + i * pitch);
    }
    if (p->boundary == NEUMANN) {
        memcpy(o->u, o->u + pitch, pitch * sizeof *o->u);
        memcpy(o->u + p->n1 * pitch, o->u + (p->n1 - 1) * pitch, pitch * sizeof *o->u);
    }
    P(band_close)(&end.pass, 0, o->u);
    P(band_close)(&end.pass, p->n1, o->u + p->n1 * pitch);
    o->last = o->first;
    o->first = last;
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
    static const struct solver_calls calls = {stages, error, accept, keep};
    struct omp *const o = state;
    o->begun = false;
    const enum status status =
        curvature_run(o->in, CHEBYSHEV, rkc_eps(o->in, REAL_IS_DOUBLE), &calls, o, &o->tally);
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

const struct calls P(curvature_omp_rkc) = {
    .plan = plan, .load = load, .run = run, .fetch = fetch, .destroy = give_back};
