/*
 * gpu-coop: what a GPU can do. All blocks stay on the device and march through the steps together,
 * with a grid-wide barrier after each stage; a block forms the argument of a tile, and w, in shared
 * memory. Every block adds up the error and decides about the step by itself, all alike, so nothing
 * goes to the host but the end. The largest error and the new u come with the fifth stage.
 */
#include "kernels.h"

#include <math.h>

enum {
    ROWS = 8,
    COLUMNS = 32, /* of a tile, a thread each */
    THREADS = ROWS * COLUMNS,
    MOST_PER_LAUNCH = 100000 /* attempts, so that a launch ends within seconds */
};

/* What the host and a launch tell each other. */
struct progress {
    struct control control;
    int now; /* which of the two is u */
    int verdict;
    bool ended;
};

struct march {
    struct nodes g;
    struct tableau method;
    double amplitude, eps;
    bool fixed;
    int count;
    long attempts;
    const double *times; /* device, [count] */
    real *u[2], *k[STAGES - 1];
    real *maxima;  /* of the blocks */
    double *taken; /* device, [MOST_LISTED]: the first attempts */
    real *kept;
    struct progress *progress;
    unsigned across, tiles; /* tiles in a row of them, and in all */
};

/* What is the same for all nodes in an attempt; in shared memory. */
struct attempt {
    struct control control;
    struct kept kept;
    int now, verdict;
    struct combination argument[STAGES], error, result;
    struct moment moment[STAGES];
};

static __device__ __forceinline__ void begin_attempt(const struct march &m, struct attempt *a)
{
    const unsigned s = threadIdx.x;
    if (s == 0)
        (void)control_step(&a->control, m.times);
    __syncthreads();
    const double tau = a->control.step;
    if (s < STAGES) {
        a->argument[s] = combination_of(m.method.weight[s], tau);
        a->moment[s] = moment_at(m.amplitude, a->control.t + m.method.node[s] * tau);
    } else if (s == STAGES) {
        a->error = combination_of(m.method.error, tau);
    } else if (s == STAGES + 1) {
        a->result = combination_of(m.method.result, tau);
    }
    __syncthreads();
}

/* The argument of stage s at node (i,j), boundary included; `old` is at the step's beginning. */
template <int s>
static __device__ __forceinline__ real argument_at(const struct march &m, const struct attempt *a,
                                                   unsigned i, unsigned j)
{
    const real *const u = m.u[a->now];
    size_t at = i * (size_t)m.g.pitch + j;
    if (!is_inside(m.g, i, j)) {
        if (!m.g.copies)
            return m.g.forced ? exact_at(a->moment[s].c, m.g.x[i * DERIVATIVES], m.g.y[j]) : u[at];
        at = copied_from(m.g, i, j);
    }
    const real *const by = a->argument[s].by;
    if (s == 0)
        return u[at];
    real sum = by[0] * m.k[0][at]; /* which k have a weight is known here, as in the last stage */
    if (s > 1)
        sum = sum + by[1] * m.k[s == 2 ? 1 : 2][at];
    if (s > 3)
        sum = sum + by[2] * m.k[3][at];
    return u[at] + sum;
}

/* Returns the largest error that the thread saw, in the last stage. */
template <int flow, int s>
static __device__ __forceinline__ real run_stage(const struct march &m, const struct attempt *a,
                                                 real *argument, real *of_w)
{
    constexpr unsigned halo = flow == WILLMORE ? 2 : 1, width = COLUMNS + 2 * halo;
    constexpr unsigned height = ROWS + 2 * halo, w_width = COLUMNS + 2, w_height = ROWS + 2;
    const unsigned ti = threadIdx.x / COLUMNS, tj = threadIdx.x % COLUMNS;
    real most = 0;
    for (unsigned tile = blockIdx.x; tile < m.tiles; tile += gridDim.x) {
        const unsigned i0 = 1 + tile / m.across * ROWS, j0 = 1 + tile % m.across * COLUMNS;
        for (unsigned n = threadIdx.x; n < height * width; n += THREADS) {
            const unsigned i = i0 + n / width - halo, j = j0 + n % width - halo;
            if (i <= m.g.n1 && j <= m.g.n2) /* a negative one is large */
                argument[n] = argument_at<s>(m, a, i, j);
        }
        __syncthreads();
        for (unsigned n = threadIdx.x; flow == WILLMORE && n < w_height * w_width; n += THREADS) {
            const unsigned i = i0 + n / w_width - 1, j = j0 + n % w_width - 1;
            if (i > m.g.n1 || j > m.g.n2)
                continue;
            const bool inner = is_inside(m.g, i, j);
            real w = 0;
            if (inner || m.g.copies) {
                const unsigned from_i = (unsigned)inside(i, m.g.n1) + halo - i0;
                const unsigned from_j = (unsigned)inside(j, m.g.n2) + halo - j0;
                const struct around phi = around_node(argument + from_i * width + from_j, width);
                w = mean_curvature(&m.g.mesh, &phi);
            }
            of_w[n] = w;
        }
        if (flow == WILLMORE)
            __syncthreads();
        const unsigned i = i0 + ti, j = j0 + tj;
        if (i < m.g.n1 && j < m.g.n2) {
            const struct around phi =
                around_node(argument + (ti + halo) * width + tj + halo, width);
            real f;
            if (flow == WILLMORE) {
                const struct around w = around_node(of_w + (ti + 1) * w_width + tj + 1, w_width);
                f = willmore(&m.g.mesh, &phi, &w);
            } else {
                f = mean_curvature(&m.g.mesh, &phi);
            }
            if (m.g.forced)
                f = f + forcing_at(m.g, (enum flow)flow, a->moment[s], i, j);
            const size_t at = i * (size_t)m.g.pitch + j;
            if (s < STAGES - 1) {
                m.k[s < STAGES - 1 ? s : 0][at] = f;
            } else {
                const real k1 = m.k[0][at], k3 = m.k[2][at], k4 = m.k[3][at];
                const real *const e = a->error.by, *const r = a->result.by;
                const real size = error_size(((e[0] * k1 + e[1] * k3) + e[2] * k4) + e[3] * f);
                most = size > most ? size : most;
                m.u[1 - a->now][at] = m.u[a->now][at] + ((r[0] * k1 + r[1] * k4) + r[2] * f);
            }
        }
        __syncthreads(); /* the tile's memory is free */
    }
    return most;
}

/* u, boundary included, as a field of the answer. The block's own nodes are not enough: a boundary
 * node may copy another's. */
static __device__ void keep_field(const struct march &m, const struct attempt *a, size_t field,
                                  const struct moment &end)
{
    const real *const u = m.u[a->now];
    for (unsigned at = blockIdx.x * THREADS + threadIdx.x; at < m.g.count;
         at += gridDim.x * THREADS) {
        const unsigned i = at / m.g.pitch, j = at % m.g.pitch;
        real value = u[at];
        if (!is_inside(m.g, i, j) && m.g.copies)
            value = u[copied_from(m.g, i, j)];
        else if (!is_inside(m.g, i, j) && m.g.forced)
            value = exact_at(end.c, m.g.x[i * DERIVATIVES], m.g.y[j]);
        m.kept[field * m.g.count + at] = value;
    }
}

/* Every block comes to the same decision. */
static __device__ __forceinline__ void end_attempt(const struct march &m, struct attempt *a)
{
    real most = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += THREADS)
        most = m.maxima[b] > most ? m.maxima[b] : most;
    most = largest_of_block<THREADS>(most);
    if (threadIdx.x == 0) {
        a->verdict = control_decide(&a->control, m.times, m.fixed, m.eps, (double)most);
        const bool accepted = a->verdict == STEP_ACCEPTED;
        const long n = a->control.accepted + a->control.rejected - 1;
        if (blockIdx.x == 0 && n < MOST_LISTED)
            m.taken[n] = accepted ? a->control.step : -a->control.step;
        a->kept = control_kept(&a->control, accepted, m.count, m.attempts, false);
        a->now = accepted ? 1 - a->now : a->now;
    }
    __syncthreads();
    if (!a->kept.first && a->kept.field == 0)
        return;
    const struct moment end = moment_at(m.amplitude, a->control.t);
    if (a->kept.first)
        keep_field(m, a, 0, end);
    if (a->kept.field > 0)
        keep_field(m, a, (size_t)a->kept.field, end);
}

template <int flow> static __global__ void __launch_bounds__(THREADS) march_on(const struct march m)
{
    SHARED(struct attempt, attempt, [1]);
    SHARED(real, argument, [(ROWS + 4) * (COLUMNS + 4)]);
    SHARED(real, w, [(ROWS + 2) * (COLUMNS + 2)]);
    struct attempt *const a = attempt;
    if (threadIdx.x == 0) {
        a->control = m.progress->control;
        a->now = m.progress->now;
        a->verdict = STEP_REJECTED;
        a->kept.ended = false;
    }
    __syncthreads();
    for (int n = 0; n < MOST_PER_LAUNCH && !a->kept.ended && a->verdict != STEPS_DIVERGED; n++) {
        begin_attempt(m, a);
        (void)run_stage<flow, 0>(m, a, argument, w);
        grid_sync();
        (void)run_stage<flow, 1>(m, a, argument, w);
        grid_sync();
        (void)run_stage<flow, 2>(m, a, argument, w);
        grid_sync();
        (void)run_stage<flow, 3>(m, a, argument, w);
        grid_sync();
        const real most = largest_of_block<THREADS>(run_stage<flow, 4>(m, a, argument, w));
        if (threadIdx.x == 0)
            m.maxima[blockIdx.x] = most;
        grid_sync();
        end_attempt(m, a);
        __syncthreads();
    }
    grid_sync(); /* all have read how it began */
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        m.progress->control = a->control;
        m.progress->now = a->now;
        m.progress->verdict = a->verdict;
        m.progress->ended = a->kept.ended;
    }
}

struct coop {
    struct device_fields f; /* first, for its memory */
    struct march march;
    unsigned blocks;
    struct tally tally;
};

static enum status set_blocks(struct coop *c)
{
    const unsigned most = c->f.in->flow == WILLMORE
                              ? BLOCKS_TOGETHER(march_on<WILLMORE>, THREADS, 0)
                              : BLOCKS_TOGETHER(march_on<MEAN_CURVATURE>, THREADS, 0);
    if (most == 0)
        return because(SKIPPED,
                       "this device has no launch in which all blocks wait for each other");
    c->blocks = c->march.tiles < most ? c->march.tiles : most;
    return OK;
}

static enum status prepare(struct coop *c)
{
    const struct curvature *const p = c->f.in;
    struct march *const m = &c->march;
    m->g = nodes_of(p, c->f.tables);
    m->method = merson;
    m->eps = p->eps;
    m->fixed = p->fixed;
    m->count = p->count;
    m->attempts = p->attempts;
    m->u[0] = c->f.arrays[0];
    m->u[1] = c->f.arrays[STAGES];
    for (int s = 0; s < STAGES - 1; s++)
        m->k[s] = c->f.arrays[1 + s];
    m->kept = c->f.kept;
    m->across = (m->g.n2 - 2) / COLUMNS + 1;
    m->tiles = ((m->g.n1 - 2) / ROWS + 1) * m->across;
    const enum status status = set_blocks(c);
    double *times = NULL;
    take_device(&c->f.memory, &m->maxima, c->blocks);
    take_copy(&c->f.memory, &times, p->times, (size_t)p->count);
    m->times = times;
    take_device(&c->f.memory, &m->taken, MOST_LISTED);
    take_device(&c->f.memory, &m->progress, 1);
    return status == OK ? c->f.memory.status : status;
}

static enum status plan(const struct instance *in, void **state)
{
    struct coop *const c = (struct coop *)owner_new(sizeof *c);
    if (c == NULL)
        return ERR_MEMORY;
    fields_plan((const struct curvature *)in->data, &c->f);
    return planned(c, c->f.memory.status == OK ? prepare(c) : c->f.memory.status, state);
}

/* Both buffers have the boundary, which without forcing is never written. */
static enum status load(void *state)
{
    const struct coop *const c = (const struct coop *)state;
    const enum status status = fields_load(&c->f);
    return status == OK
               ? device_copy(c->march.u[1], c->march.u[0], c->f.nodes * sizeof *c->march.u[0])
               : status;
}

static enum status run(void *state, struct laps *laps)
{
    struct coop *const c = (struct coop *)state;
    const struct curvature *const p = c->f.in;
    struct progress progress = {control_begin(p->tau0), 0, STEP_REJECTED, false};
    c->march.amplitude = p->amplitude;
    enum status status = device_put(c->march.progress, &progress, sizeof progress);
    while (status == OK && !progress.ended) {
        if (p->flow == WILLMORE)
            LAUNCH_COOP(march_on<WILLMORE>, c->blocks, THREADS, 0)(c->march);
        else
            LAUNCH_COOP(march_on<MEAN_CURVATURE>, c->blocks, THREADS, 0)(c->march);
        status = device_launched("march_on");
        if (status == OK)
            status = device_get(&progress, c->march.progress, sizeof progress);
        if (status == OK && progress.verdict == STEPS_DIVERGED)
            status = curvature_diverged(p, progress.control.t);
    }
    tally_end(&c->tally, &progress.control, MERSON, 0);
    lap(laps, "loop");
    return status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    struct coop *const c = (struct coop *)state;
    const enum status status =
        device_get(c->tally.taken, c->march.taken, curvature_listed(c->f.in) * sizeof(double));
    return status == OK ? fields_fetch(&c->f, &c->tally, out, laps) : status;
}

const struct calls P(curvature_gpu_coop) = {plan, load, run, fetch, give_back};
