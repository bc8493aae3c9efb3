/*
 * What a kernel by itself has to give, node by node.
 */
#include "lone_kernel.h"

#include <stdlib.h>

#include "scheme.h"

void P(curvature_kernel_data)(const struct lone_kernel *l, int s, real *out)
{
    const size_t nodes = curvature_nodes(&l->flow);
    P(curvature_initial)(&l->flow, out);
#pragma omp parallel for schedule(static) if (nodes > 10000)
    for (size_t at = 0; at < (s > 0 ? nodes : 0); at++)
        out[at] = (real)s * out[at];
}

struct data {
    const struct curvature *p;
    struct mesh mesh;
    struct moment moment;
    struct combination sum;
    size_t pitch;
    real *u, *k[STAGES], *x, *y; /* u owns them all */
};

/* --- what each kernel leaves at an interior node and on the boundary --- */

static real combine(const struct data *d, size_t i, size_t j, bool inner)
{
    const size_t at = i * d->pitch + j;
    return inner ? d->u[at] + combined(d->sum.count, &d->sum, d->k, at)
                 : exact_at(d->moment.c, d->x[i * DERIVATIVES], d->y[j]);
}

static real error(const struct data *d, size_t i, size_t j, bool inner)
{
    return inner ? error_size(combined(d->sum.count, &d->sum, d->k, i * d->pitch + j)) : 0;
}

static real side_mcf(const struct data *d, size_t i, size_t j, bool inner)
{
    if (!inner)
        return 0;
    const struct around phi = around_node(d->u + i * d->pitch + j, d->pitch);
    return mean_curvature(&d->mesh, &phi);
}

static real side_willmore(const struct data *d, size_t i, size_t j, bool inner)
{
    const size_t at = i * d->pitch + j;
    if (!inner)
        return d->k[1][at];
    const struct around phi = around_node(d->u + at, d->pitch),
                        w = around_node(d->k[0] + at, d->pitch);
    return willmore(&d->mesh, &phi, &w);
}

static real add_forcing(const struct data *d, size_t i, size_t j, bool inner)
{
    real k = d->k[0][i * d->pitch + j];
    const real f = forcing_of(d->p->flow, &d->moment, d->x + i * DERIVATIVES, d->y + j, d->pitch);
    for (int n = 0; n < REPEATS && inner; n++)
        k = k + f;
    return k;
}

static real (*const outputs[KERNELS])(const struct data *d, size_t i, size_t j, bool inner) = {
    combine, error, side_mcf, side_willmore, add_forcing, add_forcing};

enum status P(curvature_kernel_output)(const struct lone_kernel *l, real *out)
{
    const struct curvature *const p = &l->flow;
    const size_t nodes = curvature_nodes(p), tables = DERIVATIVES * (p->n1 + p->n2 + 2);
    struct data d = {
        .p = p,
        .mesh = mesh_of(p),
        .moment = moment_at(p->amplitude, KERNEL_TIME),
        .sum = combination_of(l->kernel == REDUCTION ? merson.error : merson.result, KERNEL_STEP),
        .pitch = p->n2 + 1,
        .u = malloc(((1 + STAGES) * nodes + tables) * sizeof *d.u)};
    if (d.u == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu arrays of %zu values",
                       (size_t)(1 + STAGES), nodes);
    d.x = d.u + (1 + STAGES) * nodes;
    d.y = d.x + DERIVATIVES * (p->n1 + 1);
    for (int s = 0; s <= STAGES; s++)
        P(curvature_kernel_data)(l, s, d.u + (size_t)s * nodes);
    for (size_t s = 0; s < STAGES; s++)
        d.k[s] = d.u + (1 + s) * nodes;
    P(curvature_tables)(p, d.x, d.y);
    real most = 0;
#pragma omp parallel for schedule(static) if (nodes > 10000) reduction(max : most)
    for (size_t i = 0; i <= p->n1; i++)
        for (size_t j = 0; j <= p->n2; j++) {
            const bool inner = i > 0 && i < p->n1 && j > 0 && j < p->n2;
            const real value = outputs[l->kernel](&d, i, j, inner);
            most = value > most ? value : most;
            if (l->kernel != REDUCTION)
                out[i * d.pitch + j] = value;
        }
    if (l->kernel == REDUCTION)
        out[0] = most;
    free(d.u);
    return OK;
}
