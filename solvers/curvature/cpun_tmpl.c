/*
 * cpuN: what a CPU can do. A stage is one pass: each thread has a band of rows and, row by row,
 * forms the argument, the half points, w and the right-hand side in buffers of a few rows, which
 * stay in its first caches; every half point is computed once, and every loop along a row is one of
 * vectors. Rows of the neighbours that a band needs are computed twice, so bands need not wait.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "../common/memory.h"
#include "scheme.h"

/* Nodes of a thread: with fewer a stage takes no longer than the barrier after it. */
static const size_t least_nodes[] = {[MEAN_CURVATURE] = 2048, [WILLMORE] = 1024};

enum { LINE = 64, RING = 4 };

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif
#define INLINE static inline __attribute__((always_inline))

/* Half points of a row of faces: between rows i and i+1 at j, or in row i between j and j+1. */
struct faces {
    real *across, *along, *q2, *q, *flux; /* [pitch] */
};

/* A thread's own: rows of which it needs the last few, row i at i % RING. */
struct buffers {
    real *argument[RING], *w[RING];
    struct faces east[RING], north[RING];
    struct faces east_flux[2], north_flux; /* of Willmore flow; only their `flux` */
};

struct band {
    size_t first, last; /* rows first .. last-1, interior ones */
    real *memory;       /* of the buffers */
    struct buffers b;
    real error;
};

struct omp {
    struct memory memory;
    const struct curvature *in;
    struct mesh mesh;
    size_t nodes, pitch, row;              /* row: pitch, rounded up to whole cache lines */
    real *u, *next, *k[STAGES - 1], *kept; /* [nodes]; next: the new u, if the step is good */
    real *x, *y;                           /* the tables */
    int count;
    struct band *bands;
    struct tally tally;
};

/* In its thread, near which the pages then lie. */
static void set_band(const struct omp *o, struct band *b)
{
    const size_t rows = 2 * RING + 2 * RING * 5 + 3, size = rows * o->row * sizeof(real);
    b->memory = aligned_alloc(LINE, (size + LINE - 1) / LINE * LINE);
    if (b->memory == NULL)
        return;
    memset(b->memory, 0xff, size);
    real *at = b->memory;
    for (int r = 0; r < RING; r++) {
        real **const all[] = {
            &b->b.argument[r],    &b->b.w[r],        &b->b.east[r].across, &b->b.east[r].along,
            &b->b.east[r].q2,     &b->b.east[r].q,   &b->b.east[r].flux,   &b->b.north[r].across,
            &b->b.north[r].along, &b->b.north[r].q2, &b->b.north[r].q,     &b->b.north[r].flux};
        for (size_t n = 0; n < sizeof all / sizeof *all; n++, at += o->row)
            *all[n] = at;
    }
    b->b.east_flux[0].flux = at;
    b->b.east_flux[1].flux = at + o->row;
    b->b.north_flux.flux = at + 2 * o->row;
}

static void set_bands(struct omp *o)
{
    const size_t rows = o->in->n1 - 1, most = (size_t)omp_get_max_threads();
    const size_t fit = o->nodes / least_nodes[o->in->flow];
    size_t count = fit < most ? fit : most;
    count = count < rows ? count : rows;
    count = count > 1 ? count : 1;
    o->bands = own(&o->memory, calloc(count, sizeof *o->bands), free);
    if (o->bands == NULL)
        return;
    o->count = (int)count;
#pragma omp parallel for schedule(static, 1) num_threads(o->count)
    for (int k = 0; k < o->count; k++) {
        struct band *const b = &o->bands[k];
        b->first = 1 + rows * (size_t)k / count;
        b->last = 1 + rows * ((size_t)k + 1) / count;
        set_band(o, b);
    }
    for (int k = 0; k < o->count; k++)
        own(&o->memory, o->bands[k].memory, free);
}

static enum status plan(const struct instance *in, void **state)
{
    const struct curvature *p = in->data;
    const size_t nodes = curvature_nodes(p), tables = DERIVATIVES * (p->n1 + p->n2 + 2);
    const size_t fields = curvature_fields(p) * nodes, arrays = (STAGES + 1) * nodes + tables;
    struct omp *o = owner_new(sizeof *o);
    if (o == NULL)
        return ERR_MEMORY;
    o->in = p;
    o->mesh = mesh_of(p);
    o->nodes = nodes;
    o->pitch = p->n2 + 1;
    o->row = (o->pitch + LINE / sizeof(real) - 1) / (LINE / sizeof(real)) * (LINE / sizeof(real));
    o->u = take(&o->memory, arrays * sizeof *o->u);
    o->kept = take(&o->memory, fields * sizeof *o->kept);
    set_bands(o);
    if (o->memory.status != OK)
        return planned(o, o->memory.status, state);
    o->next = o->u + nodes;
    for (size_t s = 0; s < STAGES - 1; s++)
        o->k[s] = o->u + (2 + s) * nodes;
    o->x = o->u + (STAGES + 1) * nodes;
    o->y = o->x + DERIVATIVES * (p->n1 + 1);
    P(curvature_tables)(p, o->x, o->y);
#pragma omp parallel for schedule(static) num_threads(o->count)
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

/* Faces between the rows `low` and `up`. */
static WIDEST void east_faces(const struct mesh *mesh, const real *low, const real *up,
                              const struct faces *f, size_t end)
{
    const struct mesh m = *mesh;
    real *restrict across = f->across, *restrict along = f->along, *restrict q2 = f->q2,
                   *restrict q = f->q, *restrict flux = f->flux;
#pragma omp simd
    for (size_t j = 1; j < end; j++) {
        const struct face h =
            face_east(&m, low[j], up[j], low[j + 1], low[j - 1], up[j + 1], up[j - 1]);
        const real root = root_of(h.q2);
        across[j] = h.across;
        along[j] = h.along;
        q2[j] = h.q2;
        q[j] = root;
        flux[j] = h.across / root;
    }
}

/* Faces in the row `here`, between `down` and `up`, from that of j = 0 on. */
static WIDEST void north_faces(const struct mesh *mesh, const real *down, const real *here,
                               const real *up, const struct faces *f, size_t end)
{
    const struct mesh m = *mesh;
    real *restrict across = f->across, *restrict along = f->along, *restrict q2 = f->q2,
                   *restrict q = f->q, *restrict flux = f->flux;
#pragma omp simd
    for (size_t j = 0; j < end; j++) {
        const struct face h =
            face_north(&m, here[j], here[j + 1], up[j], down[j], up[j + 1], down[j + 1]);
        const real root = root_of(h.q2);
        across[j] = h.across;
        along[j] = h.along;
        q2[j] = h.q2;
        q[j] = root;
        flux[j] = h.across / root;
    }
}

static WIDEST void curvature_row(const struct mesh *mesh, const struct faces *west,
                                 const struct faces *east, const struct faces *north, real *to,
                                 size_t end)
{
    const struct mesh m = *mesh;
    const real *restrict qw = west->q, *restrict qe = east->q, *restrict qn = north->q;
    const real *restrict fw = west->flux, *restrict fe = east->flux, *restrict fn = north->flux;
    real *restrict out = to;
#pragma omp simd
    for (size_t j = 1; j < end; j++)
        out[j] = curvature_of(&m, qe[j], qw[j], qn[j], qn[j - 1], fe[j], fw[j], fn[j], fn[j - 1]);
}

static WIDEST void east_fluxes(const struct mesh *mesh, const struct faces *f, const real *low,
                               const real *up, real *flux, size_t end)
{
    const struct mesh m = *mesh;
    const real *restrict across = f->across, *restrict along = f->along, *restrict q2 = f->q2,
                         *restrict q = f->q;
    real *restrict out = flux;
#pragma omp simd
    for (size_t j = 1; j < end; j++) {
        const struct face h = {across[j], along[j], q2[j]};
        const struct face g =
            face_east(&m, low[j], up[j], low[j + 1], low[j - 1], up[j + 1], up[j - 1]);
        out[j] = willmore_flux(&h, q[j], g.across, g.along, R(0.5) * (low[j] + up[j]));
    }
}

static WIDEST void north_fluxes(const struct mesh *mesh, const struct faces *f, const real *down,
                                const real *here, const real *up, real *flux, size_t end)
{
    const struct mesh m = *mesh;
    const real *restrict across = f->across, *restrict along = f->along, *restrict q2 = f->q2,
                         *restrict q = f->q;
    real *restrict out = flux;
#pragma omp simd
    for (size_t j = 0; j < end; j++) {
        const struct face h = {across[j], along[j], q2[j]};
        const struct face g =
            face_north(&m, here[j], here[j + 1], up[j], down[j], up[j + 1], down[j + 1]);
        out[j] = willmore_flux(&h, q[j], g.across, g.along, R(0.5) * (here[j] + here[j + 1]));
    }
}

static WIDEST void willmore_row(const struct mesh *mesh, const struct faces *west,
                                const struct faces *east, const struct faces *north,
                                const real *jw_, const real *je_, const real *jn_, real *to,
                                size_t end)
{
    const struct mesh m = *mesh;
    const real *restrict qw = west->q, *restrict qe = east->q, *restrict qn = north->q;
    const real *restrict jw = jw_, *restrict je = je_, *restrict jn = jn_;
    real *restrict out = to;
#pragma omp simd
    for (size_t j = 1; j < end; j++)
        out[j] = willmore_of(&m, qe[j], qw[j], qn[j], qn[j - 1], je[j], jw[j], jn[j], jn[j - 1]);
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

struct pass {
    const struct omp *o;
    int s;
    struct moment m;
    struct combination argument, error, result;
};

/* Values on the boundary of a row, from those inside. */
static void close_row(const struct omp *o, const struct moment *m, size_t i, real *row)
{
    const struct curvature *p = o->in;
    const bool whole = i == 0 || i == p->n1;
    for (size_t j = 0; j <= p->n2; j += whole ? 1 : p->n2) {
        if (p->boundary == NEUMANN)
            row[j] = row[inside(j, p->n2)];
        else if (p->forced)
            row[j] = exact_at(m->c, o->x[i * DERIVATIVES], o->y[j]);
        else
            row[j] = o->u[i * o->pitch + j];
    }
}

static void argument_row(const struct pass *pass, size_t i, real *row)
{
    const struct omp *o = pass->o;
    const size_t from = o->in->boundary == NEUMANN ? inside(i, o->in->n1) : i;
    const size_t at = from * o->pitch, end = o->in->n2;
    real *k[STAGES];
    if (pass->s == 0) {
        memcpy(row, o->u + i * o->pitch, o->pitch * sizeof *row);
        return;
    }
    for (int s = 0; s < pass->s; s++)
        k[s] = o->k[s] + at;
    if (from >= 1 && from < o->in->n1)
        sum_row(&pass->argument, k, o->u + at, row, 1, end);
    close_row(o, &pass->m, i, row);
}

/* w at row i, inside, of the argument, of which the faces are there. */
static void w_row(const struct pass *pass, struct buffers *b, size_t i)
{
    const struct omp *o = pass->o;
    const bool copies = o->in->boundary == NEUMANN;
    const size_t end = o->in->n2;
    real *const row = b->w[i % RING];
    curvature_row(&o->mesh, &b->east[(i - 1) % RING], &b->east[i % RING], &b->north[i % RING], row,
                  end);
    row[0] = copies ? row[1] : 0;
    row[end] = copies ? row[end - 1] : 0;
}

/* w on the boundary, beside row `from`. */
static void w_boundary(const struct pass *pass, struct buffers *b, size_t i, size_t from)
{
    const struct omp *o = pass->o;
    if (o->in->boundary == NEUMANN)
        memcpy(b->w[i % RING], b->w[from % RING], o->pitch * sizeof(real));
    else
        memset(b->w[i % RING], 0, o->pitch * sizeof(real));
}

/* What the band computes of row `i` of the argument: that row itself, the faces below it and those
 * in the row before, and, of Willmore flow, w of the row before. */
static void advance(const struct pass *pass, struct band *band, size_t i, size_t from)
{
    const struct omp *o = pass->o;
    const size_t end = o->in->n2;
    struct buffers *const b = &band->b;
    real *const *const v = b->argument;
    argument_row(pass, i, b->argument[i % RING]);
    if (i == from)
        return;
    east_faces(&o->mesh, v[(i - 1) % RING], v[i % RING], &b->east[(i - 1) % RING], end);
    if (i - 1 == from)
        return;
    north_faces(&o->mesh, v[(i - 2) % RING], v[(i - 1) % RING], v[i % RING],
                &b->north[(i - 1) % RING], end);
    if (o->in->flow == WILLMORE)
        w_row(pass, b, i - 1);
}

/* Row i of the right-hand side, without forcing, whose rows of the argument, and of w, are there.
 */
static void side_row(const struct pass *pass, struct band *band, size_t i, real *to)
{
    const struct omp *o = pass->o;
    const size_t end = o->in->n2;
    struct buffers *const b = &band->b;
    const struct faces *const west = &b->east[(i - 1) % RING], *const east = &b->east[i % RING],
                              *const north = &b->north[i % RING];
    if (o->in->flow == MEAN_CURVATURE) {
        curvature_row(&o->mesh, west, east, north, to, end);
        return;
    }
    const real *const low = b->w[(i - 1) % RING], *const here = b->w[i % RING],
                      *const up = b->w[(i + 1) % RING];
    real *const jw = b->east_flux[(i - 1) % 2].flux, *const je = b->east_flux[i % 2].flux;
    if (i == band->first)
        east_fluxes(&o->mesh, west, low, here, jw, end);
    east_fluxes(&o->mesh, east, here, up, je, end);
    north_fluxes(&o->mesh, north, low, here, up, b->north_flux.flux, end);
    willmore_row(&o->mesh, west, east, north, jw, je, b->north_flux.flux, to, end);
}

static void run_band(const struct pass *pass, struct band *band)
{
    const struct omp *o = pass->o;
    const struct curvature *p = o->in;
    const bool fourth = p->flow == WILLMORE, last = pass->s == STAGES - 1;
    const size_t halo = fourth ? 2 : 1, pitch = o->pitch;
    const size_t from = band->first > halo ? band->first - halo : 0;
    size_t ready = from; /* rows of the argument before this one are there */
    real most = 0;
    for (size_t i = band->first; i < band->last; i++) {
        const size_t wanted = i + halo < p->n1 ? i + halo : p->n1;
        for (; ready <= wanted; ready++)
            advance(pass, band, ready, from);
        if (fourth && i == 1)
            w_boundary(pass, &band->b, 0, 1);
        if (fourth && i + 1 == p->n1)
            w_boundary(pass, &band->b, p->n1, i);
        real *const to = (last ? o->next : o->k[pass->s]) + i * pitch;
        side_row(pass, band, i, to);
        if (p->forced)
            force_row(p->flow, &pass->m, o->x + i * DERIVATIVES, o->y, pitch, to, p->n2);
        if (last) {
            real *k[STAGES - 1];
            for (int s = 0; s < STAGES - 1; s++)
                k[s] = o->k[s] + i * pitch;
            const real row =
                finish_row(&pass->error, &pass->result, k, o->u + i * pitch, to, p->n2);
            most = row > most ? row : most;
        }
    }
    band->error = most;
}

static enum status stage(void *state, int s, double t, double tau)
{
    struct omp *o = state;
    const double amplitude = o->in->amplitude;
    const struct pass pass = {.o = o,
                              .s = s,
                              .m = moment_at(amplitude, t + merson.node[s] * tau),
                              .argument = combination_of(merson.weight[s], tau),
                              .error = combination_of(merson.error, tau),
                              .result = combination_of(merson.result, tau)};
#pragma omp parallel for schedule(static, 1) num_threads(o->count)
    for (int b = 0; b < o->count; b++)
        run_band(&pass, &o->bands[b]);
    return OK;
}

static enum status error(void *state, double tau, double *e)
{
    const struct omp *o = state;
    real most = 0;
    (void)tau; /* the last stage has it */
    for (int b = 0; b < o->count; b++)
        most = o->bands[b].error > most ? o->bands[b].error : most;
    *e = (double)most;
    return OK;
}

/* The last stage left the new u in `next`; its boundary is what is missing. */
static enum status accept(void *state, double tau, double t)
{
    struct omp *o = state;
    const struct curvature *p = o->in;
    const size_t pitch = o->pitch;
    const struct moment m = moment_at(p->amplitude, t);
    (void)tau;
    if (p->boundary == NEUMANN) {
        memcpy(o->next, o->next + pitch, pitch * sizeof *o->next);
        memcpy(o->next + p->n1 * pitch, o->next + (p->n1 - 1) * pitch, pitch * sizeof *o->next);
    }
    for (size_t i = 0; i <= p->n1; i++)
        close_row(o, &m, i, o->next + i * pitch);
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
    const enum status status = curvature_run(o->in, &calls, o, &o->tally);
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
