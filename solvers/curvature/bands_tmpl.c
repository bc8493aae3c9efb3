/*
 * A right-hand side, row by row of a band.
 */
#include "bands.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of a thread: with fewer a stage takes no longer than the barrier after it. */
static const size_t least_nodes[] = {[MEAN_CURVATURE] = 2048, [WILLMORE] = 1024};

enum { LINE = 64 };

/* In its thread, near which the pages then lie. */
static void set_band(const struct bands *o, struct band *b)
{
    const size_t rows = 2 * RING + 2 * RING * 5 + 4, size = rows * o->row * sizeof(real);
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
    b->b.spare = at + 3 * o->row;
}

void P(bands_make)(struct memory *owner, const struct curvature *p, struct bands *out)
{
    struct bands *const o = out;
    const size_t unit = LINE / sizeof(real);
    o->in = p;
    o->mesh = mesh_of(p);
    o->nodes = curvature_nodes(p);
    o->pitch = p->n2 + 1;
    o->row = (o->pitch + unit - 1) / unit * unit;
    const size_t rows = p->n1 - 1, most = (size_t)omp_get_max_threads();
    const size_t fit = o->nodes / least_nodes[p->flow];
    size_t count = fit < most ? fit : most;
    count = count < rows ? count : rows;
    count = count > 1 ? count : 1;
    o->each = own(owner, calloc(count, sizeof *o->each), free);
    if (o->each == NULL)
        return;
    o->count = (int)count;
#pragma omp parallel for schedule(static, 1) num_threads(o->count)
    for (int k = 0; k < o->count; k++) {
        struct band *const b = &o->each[k];
        b->first = 1 + rows * (size_t)k / count;
        b->last = 1 + rows * ((size_t)k + 1) / count;
        set_band(o, b);
    }
    for (int k = 0; k < o->count; k++)
        own(owner, o->each[k].memory, free);
}

/* --- loops along a row, over j from `begin` to `end`-1 --- */

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

/* --- a row of a band --- */

void P(band_close)(const struct pass *pass, size_t i, real *row)
{
    const struct curvature *const p = pass->bands->in;
    const bool whole = i == 0 || i == p->n1;
    for (size_t j = 0; j <= p->n2; j += whole ? 1 : p->n2) {
        if (p->boundary == NEUMANN)
            row[j] = row[inside(j, p->n2)];
        else if (p->forced)
            row[j] = exact_at(pass->m.c, pass->x[i * DERIVATIVES], pass->y[j]);
        else
            row[j] = pass->still[i * pass->bands->pitch + j];
    }
}

static void argument_row(const struct pass *pass, size_t i, real *row)
{
    const struct curvature *const p = pass->bands->in;
    const size_t from = p->boundary == NEUMANN ? inside(i, p->n1) : i;
    if (from >= 1 && from < p->n1)
        pass->argument(pass, from, row);
    P(band_close)(pass, i, row);
}

/* w at row i, inside, of the argument, of which the faces are there. */
static void w_row(const struct pass *pass, struct buffers *b, size_t i)
{
    const struct bands *const o = pass->bands;
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
    const struct bands *const o = pass->bands;
    if (o->in->boundary == NEUMANN)
        memcpy(b->w[i % RING], b->w[from % RING], o->pitch * sizeof(real));
    else
        memset(b->w[i % RING], 0, o->pitch * sizeof(real));
}

/* What the band computes of row `i` of the argument: that row itself, the faces below it and those
 * in the row before, and, of Willmore flow, w of the row before. */
static void advance(const struct pass *pass, struct band *band, size_t i, size_t from)
{
    const struct bands *const o = pass->bands;
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
    const struct bands *const o = pass->bands;
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

void P(band_side)(const struct pass *pass, struct band *band, size_t i, real *to)
{
    const struct curvature *const p = pass->bands->in;
    const bool fourth = p->flow == WILLMORE;
    const size_t halo = fourth ? 2 : 1, wanted = i + halo < p->n1 ? i + halo : p->n1;
    const size_t from = band->first > halo ? band->first - halo : 0;
    if (i == band->first)
        band->ready = from;
    for (; band->ready <= wanted; band->ready++)
        advance(pass, band, band->ready, from);
    if (fourth && i == 1)
        w_boundary(pass, &band->b, 0, 1);
    if (fourth && i + 1 == p->n1)
        w_boundary(pass, &band->b, p->n1, i);
    side_row(pass, band, i, to);
}

INLINE void force_flow(enum flow flow, const struct moment *moment, const real *rational,
                       size_t nodes, real *to, size_t end)
{
    const struct moment m = *moment;
#pragma omp simd
    for (size_t j = 1; j < end; j++)
        to[j] += forcing_rational(flow, &m, rational + j, nodes);
}

WIDEST static void force_row(enum flow flow, const struct moment *m, const real *rational,
                             size_t nodes, real *to, size_t end)
{
    if (flow == WILLMORE)
        force_flow(WILLMORE, m, rational, nodes, to, end);
    else
        force_flow(MEAN_CURVATURE, m, rational, nodes, to, end);
}

void P(band_force)(const struct pass *pass, const real *rational, real *to)
{
    const struct bands *const o = pass->bands;
    force_row(o->in->flow, &pass->m, rational, o->nodes, to, o->in->n2);
}
