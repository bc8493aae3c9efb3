/*
 * GPU: Figure 3.1 of the paper. A thread for each component in blocks of BLOCK_SIZE = 32, waveforms
 * at [i*N+n], so that neighbouring threads are N values apart; copyVec, lmm and errComp one after
 * the other, each waited for; all d*N differences copied to the host, which looks for the largest.
 * Corrected: the stopping line, which is printed inverted. Added: 64-bit indices, NaN as a reason
 * to stop, other methods than implicit Euler, and for control in sparse storage a kernel for sums.
 */
#include "rounded.h"

#include <math.h>
#include <string.h>

#include "../common/kernels.h"
#include "machine/launch.h"

enum { SUM_THREADS = 128 };

/* What a kernel is told of the scheme and the problem; the arrays are on the device. */
struct sweep {
    size_t d, points;
    int bands;
    ptrdiff_t offset[MAX_BANDS];
    real b[3], all;
    const real *m;                    /* [d][d]; or null */
    const real *q1, *q2, *w, *centre; /* [d] */
    const real *band[MAX_BANDS];      /* [d] */
    const real *g;                    /* [d][N]; or null */
    const real *sums;                 /* [N]; or null */
};

struct gpu {
    struct memory memory;
    const struct waveform *in;
    struct sweep sweep;
    struct progress progress;
    int steps;
    real *coefficients;    /* device, [4+bands][d] */
    real *m, *sums;        /* device */
    real *g;               /* device, [d][N]; or null */
    real *old, *now, *err; /* device, [d][N] */
    real *host;            /* [d][N]: what comes from the device, and goes there */
    dim3 grid;
};

static __global__ void copyVec(size_t d, size_t points, const real *ynew, real *yold)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= d)
        return;
    for (size_t n = 0; n < points; n++)
        yold[i * points + n] = ynew[i * points + n];
}

static __global__ void errComp(size_t d, size_t points, const real *ynew, const real *yold,
                               real *errVec)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= d)
        return;
    for (size_t n = 0; n < points; n++)
        errVec[i * points + n] = ynew[i * points + n] - yold[i * points + n];
}

static __device__ __forceinline__ real dense_product(const struct sweep &s, const real *yold,
                                                     size_t i, size_t n)
{
    real sum = 0;
    for (size_t j = 0; j < s.d; j++)
        sum += s.m[i * s.d + j] * yold[j * s.points + n];
    return sum;
}

static __device__ __forceinline__ real sparse_product(const struct sweep &s, const real *yold,
                                                      size_t i, size_t n)
{
    real sum = s.centre[i] * yold[i * s.points + n];
    for (int b = 0; b < s.bands; b++) {
        const ptrdiff_t j = (ptrdiff_t)i + s.offset[b];
        if (j >= 0 && j < (ptrdiff_t)s.d)
            sum += s.band[b][i] * yold[j * (ptrdiff_t)s.points + (ptrdiff_t)n];
    }
    return s.sums != NULL ? sum + s.all * s.sums[n] : sum;
}

/* The linear multistep method along n; `steps` values are there, and f of later lags is asked for
 * only where the method has it. */
template <bool dense, int steps, bool lags>
static __global__ void lmm(const struct sweep s, const real *yold, real *ynew)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.d)
        return;
    const real q1 = s.q1[i], q2 = s.q2[i], w = s.w[i];
    real *const y = ynew + i * s.points;
    real f1 = 0, f2 = 0;
    for (size_t n = lags ? 0 : steps; n < s.points; n++) {
        real f = dense ? dense_product(s, yold, i, n) : sparse_product(s, yold, i, n);
        if (s.g != NULL)
            f += s.g[i * s.points + n];
        if (n >= steps) {
            real sum = s.b[0] * f;
            if (lags)
                sum += s.b[1] * f1 + s.b[2] * f2;
            y[n] = q1 * y[n - 1] + w * sum;
            if (steps == 2)
                y[n] += q2 * y[n - 2];
        }
        f2 = f1;
        f1 = f;
    }
}

/* The sum over all components; a block has a point in time. */
static __global__ void addUp(size_t d, size_t points, const real *yold, real *sums)
{
    SHARED(real, part, [SUM_THREADS]);
    const unsigned t = threadIdx.x;
    const size_t n = blockIdx.x;
    real sum = 0;
    for (size_t i = t; i < d; i += SUM_THREADS)
        sum += yold[i * points + n];
    part[t] = sum;
    for (unsigned half = SUM_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] += part[t + half];
    }
    if (t == 0)
        sums[n] = part[0];
}

static enum status run_copy(const struct gpu *g)
{
    LAUNCH_NB(copyVec, g->grid, g->in->block)(g->in->d, g->in->points, g->now, g->old);
    return device_launched("copyVec");
}

static enum status run_sums(const struct gpu *g)
{
    if (g->sums == NULL)
        return OK;
    LAUNCH(addUp, (unsigned)g->in->points, SUM_THREADS, 0)
    (g->in->d, g->in->points, g->old, g->sums);
    return device_launched("addUp");
}

static enum status run_lmm(const struct gpu *g)
{
    const bool lags = g->sweep.b[1] != 0 || g->sweep.b[2] != 0;
#define SWEEP(dense, steps, lags)                                                                  \
    LAUNCH_NB((lmm<dense, steps, lags>), g->grid, g->in->block)(g->sweep, g->old, g->now)
#define SWEEPS(dense)                                                                              \
    if (g->steps == 1 && !lags)                                                                    \
        SWEEP(dense, 1, false);                                                                    \
    else if (g->steps == 1)                                                                        \
        SWEEP(dense, 1, true);                                                                     \
    else                                                                                           \
        SWEEP(dense, 2, true)
    if (g->in->dense) {
        SWEEPS(true);
    } else {
        SWEEPS(false);
    }
    return device_launched("lmm");
}

static enum status run_errors(const struct gpu *g)
{
    LAUNCH_NB(errComp, g->grid, g->in->block)
    (g->in->d, g->in->points, g->now, g->old, g->err);
    return device_launched("errComp");
}

/* Serial, as in the paper. As whole numbers the bits of |x| ascend as |x| does, then comes infinity
 * and then NaN, which therefore cannot hide. */
static double largest(const real *err, size_t count)
{
#if REAL_IS_DOUBLE
    typedef uint64_t bits;
#else
    typedef uint32_t bits;
#endif
    bits most = 0;
    for (size_t k = 0; k < count; k++) {
        bits here;
        memcpy(&here, &err[k], sizeof here);
        here = here << 1 >> 1; /* no sign */
        most = here > most ? here : most;
    }
    real value;
    memcpy(&value, &most, sizeof value);
    return value;
}

static void upload_scheme(struct gpu *g, enum relaxation relaxation)
{
    const struct waveform *p = g->in;
    struct memory *const memory = &g->memory;
    struct P(rounded) scheme;
    P(rounded_make)(p, relaxation, memory, &scheme);
    take_copy(memory, &g->coefficients, scheme.q1, (4 + (size_t)p->bands) * p->d);
    if (memory->status != OK)
        return;
    struct sweep *const s = &g->sweep;
    s->d = p->d;
    s->points = p->points;
    s->bands = p->bands;
    s->all = scheme.all;
    s->q1 = g->coefficients;
    s->q2 = s->q1 + p->d;
    s->w = s->q2 + p->d;
    s->centre = s->w + p->d;
    for (int lag = 0; lag < 3; lag++)
        s->b[lag] = scheme.b[lag];
    for (int b = 0; b < p->bands; b++) {
        s->offset[b] = p->offset[b];
        s->band[b] = s->centre + (1 + (size_t)b) * p->d;
    }
    g->steps = scheme.steps;
}

static void upload_matrix(struct gpu *g, enum relaxation relaxation)
{
    const size_t count = g->in->d * g->in->d;
    struct memory local = {OK, NULL};
    real *const m = (real *)take(&local, count * sizeof *m);
    if (m != NULL)
        P(waveform_matrix)(g->in, relaxation, m);
    else
        g->memory.status = local.status;
    take_copy(&g->memory, &g->m, m, count);
    let_go(&local);
    g->sweep.m = g->m;
}

static size_t waveform_bytes(const struct gpu *g)
{
    return g->in->d * g->in->points * sizeof(real);
}

static void allocate(struct gpu *g, enum relaxation relaxation)
{
    const struct waveform *p = g->in;
    struct memory *const memory = &g->memory;
    const size_t values = p->d * p->points;
    g->host = (real *)take_filled(memory, waveform_bytes(g));
    progress_make(p, relaxation, !REAL_IS_DOUBLE, memory, &g->progress);
    upload_scheme(g, relaxation);
    if (p->dense)
        upload_matrix(g, relaxation);
    if (!p->dense && p->all != 0)
        take_device(memory, &g->sums, p->points);
    if (p->g != NULL)
        take_device(memory, &g->g, values);
    take_device(memory, &g->old, values);
    take_device(memory, &g->now, values);
    take_device(memory, &g->err, values);
    g->sweep.sums = g->sums;
    g->sweep.g = g->g;
}

template <enum relaxation relaxation>
static enum status plan(const struct instance *in, void **state)
{
    const struct waveform *p = (const struct waveform *)in->data;
    struct gpu *g = (struct gpu *)owner_new(sizeof *g);
    if (g == NULL)
        return ERR_MEMORY;
    g->in = p;
    g->grid = dim3((unsigned)((p->d - 1) / (size_t)p->block + 1));
    allocate(g, relaxation);
    return planned(g, g->memory.status, state);
}

static enum status load(void *state)
{
    struct gpu *const g = (struct gpu *)state;
    const size_t d = g->in->d, points = g->in->points;
    enum status status = OK;
    if (g->g != NULL) {
        for (size_t i = 0; i < d; i++)
            for (size_t n = 0; n < points; n++)
                g->host[i * points + n] = (real)waveform_g(g->in, i, n);
        status = device_put(g->g, g->host, waveform_bytes(g));
    }
    for (size_t i = 0; i < d; i++)
        for (size_t n = 0; n < points; n++)
            g->host[i * points + n] = (real)waveform_first(g->in, i, n);
    if (status == OK)
        status = device_put(g->now, g->host, waveform_bytes(g));
    progress_begin(&g->progress);
    return status == OK ? device_sync() : status;
}

/* One iteration, and its correction; the paper waits after each kernel. */
static enum status iterate(const struct gpu *g, double *err)
{
    static enum status (*const kernels[])(const struct gpu *g) = {run_copy, run_sums, run_lmm,
                                                                  run_errors};
    enum status status = OK;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels && status == OK; k++) {
        status = kernels[k](g);
        if (status == OK)
            status = device_sync();
    }
    if (status == OK)
        status = device_get(g->host, g->err, waveform_bytes(g));
    if (status == OK)
        *err = largest(g->host, g->in->d * g->in->points);
    return status;
}

static enum status run(void *state, struct laps *laps)
{
    struct gpu *const g = (struct gpu *)state;
    double err = 0;
    enum status status;
    do
        status = iterate(g, &err);
    while (status == OK && progress_goes_on(g->in, &g->progress, err));
    lap(laps, "loop");
    return status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct gpu *const g = (const struct gpu *)state;
    const enum status status = device_get(out->values, g->now, waveform_bytes(g));
    if (status == OK)
        progress_put(g->in, &g->progress, out);
    lap(laps, "back");
    return status;
}

const struct calls P(waveform_gpu)[] = {{plan<PICARD>, load, run, fetch, give_back},
                                        {plan<JACOBI>, load, run, fetch, give_back}};
