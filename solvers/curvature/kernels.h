/*
 * What the kernel files share: what a kernel is told of its grid, and the memory of a variant.
 */
#pragma once
#include "curvature.h"

#include "machine/launch.h"

#include "../common/kernels.h"
#include "scheme.h"

/* By value to every kernel. */
struct nodes {
    struct mesh mesh;
    unsigned n1, n2, pitch, count; /* pitch: n2 + 1; count: of all nodes */
    bool forced, copies;           /* copies: a boundary node has its neighbour's value */
    const real *x, *y;             /* tables of the known solution, device */
};

static inline struct nodes nodes_of(const struct curvature *p, const real *tables)
{
    const struct nodes g = {mesh_of(p),
                            (unsigned)p->n1,
                            (unsigned)p->n2,
                            (unsigned)p->n2 + 1,
                            (unsigned)curvature_nodes(p),
                            p->forced,
                            p->boundary == NEUMANN,
                            tables,
                            tables + DERIVATIVES * (p->n1 + 1)};
    return g;
}

static __device__ __forceinline__ bool is_inside(const struct nodes &g, unsigned i, unsigned j)
{
    return i >= 1 && i < g.n1 && j >= 1 && j < g.n2;
}

/* The node whose value node (i,j) has under Neumann's condition. */
static __device__ __forceinline__ size_t copied_from(const struct nodes &g, unsigned i, unsigned j)
{
    return inside(i, g.n1) * g.pitch + inside(j, g.n2);
}

/* As forcing_of(), by indices of 32 bits. */
static __device__ __forceinline__ real forcing_at(const struct nodes &g, enum flow flow,
                                                  const struct moment &m, unsigned i, unsigned j)
{
    const real *const at = g.y + j;
    const struct factor x = factor_at(g.x + i * DERIVATIVES, 1);
    const struct factor y = {at[0], at[g.pitch], at[2 * g.pitch], at[3 * g.pitch], at[4 * g.pitch]};
    return flow == WILLMORE ? forcing_willmore(&m, x, y) : forcing_mean_curvature(&m, x, y);
}

/* The largest of what the threads of a block have, halved again and again; in thread 0. */
template <unsigned threads> static __device__ __forceinline__ real largest_of_block(real most)
{
    SHARED(real, shared, [threads]);
    shared[threadIdx.x] = most;
    __syncthreads();
    for (unsigned half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const real other = shared[threadIdx.x + half];
            most = other > most ? other : most;
            shared[threadIdx.x] = most;
        }
        __syncthreads();
    }
    return most;
}

/* --- the memory of both variants --- */

enum { ARRAYS = STAGES + 3 };

struct device_fields {
    struct memory memory;
    const struct curvature *in;
    size_t nodes;
    real *arrays[ARRAYS], *tables, *kept; /* device, one behind the other */
    real *initial;                        /* host, [nodes] */
};

static inline void fields_plan(const struct curvature *p, struct device_fields *f)
{
    const size_t nodes = curvature_nodes(p), tables = DERIVATIVES * (p->n1 + p->n2 + 2);
    const size_t size = (ARRAYS + curvature_fields(p)) * nodes + tables;
    real *const host = (real *)take(&f->memory, tables * sizeof *host);
    f->in = p;
    f->nodes = nodes;
    f->initial = (real *)take(&f->memory, nodes * sizeof *f->initial);
    take_device(&f->memory, &f->arrays[0], size);
    if (f->memory.status != OK)
        return;
    for (size_t a = 1; a < ARRAYS; a++)
        f->arrays[a] = f->arrays[0] + a * nodes;
    f->tables = f->arrays[0] + ARRAYS * nodes;
    f->kept = f->tables + tables;
    P(curvature_tables)(p, host, host + DERIVATIVES * (p->n1 + 1));
    f->memory.status = device_put(f->tables, host, tables * sizeof *host);
}

static inline enum status fields_load(const struct device_fields *f)
{
    P(curvature_initial)(f->in, f->initial);
    const enum status status = device_put(f->arrays[0], f->initial, f->nodes * sizeof *f->initial);
    return status == OK ? device_sync() : status;
}

static inline enum status fields_fetch(const struct device_fields *f, const struct tally *tally,
                                       struct solution *out, struct laps *laps)
{
    real *const to = (real *)out->values;
    const size_t count = curvature_fields(f->in) * f->nodes;
    const enum status status = device_get(to, f->kept, count * sizeof *to);
    steps_out(f->in, tally, to + count);
    lap(laps, "back");
    return status;
}
