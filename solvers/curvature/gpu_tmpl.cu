/*
 * gpu: the paper's program. A thread for each node in blocks of 128, a kernel for each argument,
 * for w, for the right-hand side and for the forcing, a reduction of the error in steps of 2048
 * values a block; the host reads one number and decides. Boundary nodes, which the paper does not
 * explain, are the business of the thread that has them.
 */
#include "kernels.h"

#include <math.h>

#include "lone_kernel.h"

enum { THREADS = 128, EACH = 16 }; /* EACH: values that a thread reduces alone */

struct gpu {
    struct device_fields f; /* first, for its memory */
    struct nodes nodes;
    unsigned blocks;
    real *u, *k[STAGES], *argument, *w;
    real *partial[2]; /* device, the error's maxima of the blocks */
    struct tally tally;
    const real *out; /* device, of a kernel by itself */
};

struct arrays {
    real *k[STAGES];
};

static __device__ __forceinline__ unsigned node_of_thread(void)
{
    return blockIdx.x * THREADS + threadIdx.x;
}

/* to = u + sum, and its boundary; c: of the known solution at the time of `to`, which may be u. */
template <int count>
static __global__ void combine(const struct nodes g, const struct combination a,
                               const struct arrays k, const real *u, const real c, real *to)
{
    const unsigned at = node_of_thread();
    if (at >= g.count)
        return;
    const unsigned i = at / g.pitch, j = at % g.pitch;
    if (is_inside(g, i, j))
        to[at] = u[at] + combined(count, &a, k.k, at);
    else if (g.forced && !g.copies)
        to[at] = exact_at(c, g.x[i * DERIVATIVES], g.y[j]);
    else if (!g.copies)
        to[at] = u[at];
}

/* Afterwards, because what is copied may be another block's. */
static __global__ void copy_boundary(const struct nodes g, real *v)
{
    const unsigned at = node_of_thread(), i = at / g.pitch, j = at % g.pitch;
    if (at < g.count && !is_inside(g, i, j))
        v[at] = v[copied_from(g, i, j)];
}

static enum status close_boundary(const struct gpu *g, real *v)
{
    if (!g->nodes.copies)
        return OK;
    LAUNCH_NB(copy_boundary, g->blocks, THREADS)(g->nodes, v);
    return device_launched("copy_boundary");
}

static enum status run_combine(const struct gpu *g, const double *weights, double tau, double t,
                               real *to)
{
    const struct combination a = combination_of(weights, tau);
    const real c = moment_at(g->f.in->amplitude, t).c;
    struct arrays k;
    for (int s = 0; s < STAGES; s++)
        k.k[s] = g->k[s];
    if (a.count == 1)
        LAUNCH_NB(combine<1>, g->blocks, THREADS)(g->nodes, a, k, g->u, c, to);
    else if (a.count == 2)
        LAUNCH_NB(combine<2>, g->blocks, THREADS)(g->nodes, a, k, g->u, c, to);
    else
        LAUNCH_NB(combine<3>, g->blocks, THREADS)(g->nodes, a, k, g->u, c, to);
    const enum status status = device_launched("combine");
    return status == OK ? close_boundary(g, to) : status;
}

/* w = Q H; on the boundary 0. */
static __global__ void evaluate_w(const struct nodes g, const real *v, real *w)
{
    const unsigned at = node_of_thread();
    if (at >= g.count)
        return;
    const unsigned i = at / g.pitch, j = at % g.pitch;
    real value = 0;
    if (is_inside(g, i, j)) {
        const struct around phi = around_node(v + at, g.pitch);
        value = mean_curvature(&g.mesh, &phi);
    }
    w[at] = value;
}

static __global__ void evaluate_willmore(const struct nodes g, const real *v, const real *w,
                                         real *k)
{
    const unsigned at = node_of_thread();
    if (at >= g.count)
        return;
    const unsigned i = at / g.pitch, j = at % g.pitch;
    if (!is_inside(g, i, j))
        return;
    const struct around phi = around_node(v + at, g.pitch), of_w = around_node(w + at, g.pitch);
    k[at] = willmore(&g.mesh, &phi, &of_w);
}

template <int flow>
static __global__ void add_forcing(const struct nodes g, const struct moment m, real *k)
{
    const unsigned at = node_of_thread();
    if (at >= g.count)
        return;
    const unsigned i = at / g.pitch, j = at % g.pitch;
    if (is_inside(g, i, j))
        k[at] = k[at] + forcing_at(g, (enum flow)flow, m, i, j);
}

static enum status run_w(const struct gpu *g, const real *v, real *w)
{
    LAUNCH_NB(evaluate_w, g->blocks, THREADS)(g->nodes, v, w);
    return device_launched("evaluate_w");
}

static enum status run_willmore(const struct gpu *g, const real *v, const real *w, real *k)
{
    LAUNCH_NB(evaluate_willmore, g->blocks, THREADS)(g->nodes, v, w, k);
    return device_launched("evaluate_willmore");
}

static enum status run_forcing(const struct gpu *g, const struct moment &m, real *k)
{
    if (g->f.in->flow == WILLMORE)
        LAUNCH_NB(add_forcing<WILLMORE>, g->blocks, THREADS)(g->nodes, m, k);
    else
        LAUNCH_NB(add_forcing<MEAN_CURVATURE>, g->blocks, THREADS)(g->nodes, m, k);
    return device_launched("add_forcing");
}

static enum status run_side(const struct gpu *g, const real *v, const struct moment &m, real *k)
{
    const bool fourth = g->f.in->flow == WILLMORE;
    real *const w = fourth ? g->w : k;
    enum status status = run_w(g, v, w);
    if (status == OK && fourth)
        status = close_boundary(g, w);
    if (status == OK && fourth)
        status = run_willmore(g, v, w, k);
    return status == OK && g->nodes.forced ? run_forcing(g, m, k) : status;
}

static enum status stage(void *state, int s, double t, double tau)
{
    const struct gpu *const g = (const struct gpu *)state;
    const double then = t + merson.node[s] * tau;
    const struct moment m = moment_at(g->f.in->amplitude, then);
    enum status status = OK;
    if (s > 0)
        status = run_combine(g, merson.weight[s], tau, then, g->argument);
    return status == OK ? run_side(g, s > 0 ? g->argument : g->u, m, g->k[s]) : status;
}

/* Each thread takes EACH values that lie THREADS apart. */
static __device__ __forceinline__ void reduce_block(real most, real *out)
{
    most = largest_of_block<THREADS>(most);
    if (threadIdx.x == 0)
        out[blockIdx.x] = most;
}

static __global__ void reduce_error(const struct nodes g, const struct combination a,
                                    const struct arrays k, real *out)
{
    real most = 0;
    for (unsigned n = 0; n < EACH; n++) {
        const unsigned at = (blockIdx.x * EACH + n) * THREADS + threadIdx.x;
        if (at >= g.count || !is_inside(g, at / g.pitch, at % g.pitch))
            continue;
        const real size = error_size(combined(4, &a, k.k, at));
        most = size > most ? size : most;
    }
    reduce_block(most, out);
}

static __global__ void reduce(const real *in, unsigned count, real *out)
{
    real most = 0;
    for (unsigned n = 0; n < EACH; n++) {
        const unsigned at = (blockIdx.x * EACH + n) * THREADS + threadIdx.x;
        if (at < count && in[at] > most)
            most = in[at];
    }
    reduce_block(most, out);
}

static unsigned reduced(unsigned count)
{
    return (count - 1) / (THREADS * EACH) + 1;
}

/* The largest error is *largest, on the device. */
static enum status run_error(const struct gpu *g, double tau, const real **largest)
{
    const struct combination a = combination_of(merson.error, tau);
    struct arrays k;
    for (int s = 0; s < STAGES; s++)
        k.k[s] = g->k[s];
    unsigned count = reduced(g->nodes.count), now = 0;
    LAUNCH(reduce_error, count, THREADS, 0)(g->nodes, a, k, g->partial[0]);
    enum status status = device_launched("reduce_error");
    for (; count > 1 && status == OK; now = 1 - now) {
        LAUNCH(reduce, reduced(count), THREADS, 0)(g->partial[now], count, g->partial[1 - now]);
        count = reduced(count);
        status = device_launched("reduce");
    }
    *largest = g->partial[now];
    return status;
}

static enum status error(void *state, double tau, double *e)
{
    const real *largest;
    real most = (real)NAN;
    enum status status = run_error((const struct gpu *)state, tau, &largest);
    if (status == OK)
        status = device_get(&most, largest, sizeof most);
    *e = (double)most;
    return status;
}

static enum status accept(void *state, double tau, double t)
{
    const struct gpu *const g = (const struct gpu *)state;
    return run_combine(g, merson.result, tau, t, g->u);
}

static enum status keep(void *state, size_t field)
{
    const struct gpu *const g = (const struct gpu *)state;
    return device_copy(g->f.kept + field * g->f.nodes, g->u, g->f.nodes * sizeof *g->u);
}

static enum status plan(const struct instance *in, void **state)
{
    const struct curvature *const p = (const struct curvature *)in->data;
    const size_t partial = reduced((unsigned)curvature_nodes(p));
    struct gpu *const g = (struct gpu *)owner_new(sizeof *g);
    if (g == NULL)
        return ERR_MEMORY;
    fields_plan(p, &g->f);
    take_device(&g->f.memory, &g->partial[0], partial);
    take_device(&g->f.memory, &g->partial[1], partial);
    g->nodes = nodes_of(p, g->f.tables);
    g->blocks = (g->nodes.count - 1) / THREADS + 1;
    g->u = g->f.arrays[0];
    for (int s = 0; s < STAGES; s++)
        g->k[s] = g->f.arrays[1 + s];
    g->argument = g->f.arrays[STAGES + 1];
    g->w = g->f.arrays[STAGES + 2];
    return planned(g, g->f.memory.status, state);
}

static enum status load(void *state)
{
    return fields_load(&((const struct gpu *)state)->f);
}

static enum status run(void *state, struct laps *laps)
{
    static const struct solver_calls calls = {stage, error, accept, keep};
    struct gpu *const g = (struct gpu *)state;
    const enum status status = curvature_run(g->f.in, MERSON, g->f.in->eps, &calls, g, &g->tally);
    lap(laps, "loop");
    return status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct gpu *const g = (const struct gpu *)state;
    return fields_fetch(&g->f, &g->tally, out, laps);
}

const struct calls P(curvature_gpu) = {plan, load, run, fetch, give_back};

/* --- a kernel by itself --- */

static enum status lone_combine(const struct gpu *g, const real **out)
{
    *out = g->argument;
    return run_combine(g, merson.result, KERNEL_STEP, KERNEL_TIME, g->argument);
}

static enum status lone_reduction(const struct gpu *g, const real **out)
{
    return run_error(g, KERNEL_STEP, out);
}

static enum status lone_mcf(const struct gpu *g, const real **out)
{
    *out = g->w;
    return run_w(g, g->u, g->w);
}

static enum status lone_willmore(const struct gpu *g, const real **out)
{
    *out = g->k[1];
    return run_willmore(g, g->u, g->k[0], g->k[1]);
}

static enum status lone_forcing(const struct gpu *g, const real **out)
{
    *out = g->k[0];
    return run_forcing(g, moment_at(g->f.in->amplitude, KERNEL_TIME), g->k[0]);
}

static double occupancy_of(enum kernel kernel)
{
    switch (kernel) {
    case COMBINE:
        return OCCUPANCY(combine<3>, THREADS, 0);
    case REDUCTION:
        return OCCUPANCY(reduce_error, THREADS, 0);
    case SIDE_MCF:
        return OCCUPANCY(evaluate_w, THREADS, 0);
    case SIDE_WILLMORE:
        return OCCUPANCY(evaluate_willmore, THREADS, 0);
    case FORCING_MCF:
        return OCCUPANCY(add_forcing<MEAN_CURVATURE>, THREADS, 0);
    default:
        return OCCUPANCY(add_forcing<WILLMORE>, THREADS, 0);
    }
}

/* An instance begins with that of the flow, so the plan is gpu's. */
static const struct lone_kernel *lone_of(const struct gpu *g)
{
    return (const struct lone_kernel *)g->f.in;
}

static enum status lone_load(void *state)
{
    const struct gpu *const g = (const struct gpu *)state;
    const struct device_fields *const f = &g->f;
    enum status status = OK;
    for (int s = 0; s <= STAGES && status == OK; s++) {
        P(curvature_kernel_data)(lone_of(g), s, f->initial);
        status = device_put(f->arrays[s], f->initial, f->nodes * sizeof *f->initial);
    }
    return status == OK ? device_sync() : status;
}

static enum status lone_run(void *state, struct laps *laps)
{
    static enum status (*const kernels[KERNELS])(const struct gpu *g, const real **out) = {
        lone_combine, lone_reduction, lone_mcf, lone_willmore, lone_forcing, lone_forcing};
    struct gpu *const g = (struct gpu *)state;
    enum status status = OK;
    for (int n = 0; n < REPEATS && status == OK; n++)
        status = kernels[lone_of(g)->kernel](g, &g->out);
    lap(laps, "loop");
    return status;
}

static enum status lone_fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct gpu *const g = (const struct gpu *)state;
    const size_t count = lone_kernel_count(lone_of(g));
    real *const to = (real *)out->values;
    const enum status status = device_get(to, g->out, count * sizeof *to);
    to[count] = (real)occupancy_of(lone_of(g)->kernel);
    lap(laps, "back");
    return status;
}

const struct calls P(curvature_gpu_kernel) = {plan, lone_load, lone_run, lone_fetch, give_back};
