/*
 * What a user of the CUDA Toolkit would call: cub-sums, the two sums by CUB, and cusparse-gtsv2,
 * the system (4) by cuSPARSE's solver for any tridiagonal matrix, without pivoting. As in A2 the
 * time begins with f, made by the same functions; the matrix is made before, since it does not
 * depend on the data and is not overwritten. Thrust's inclusive_scan is CUB's and allocates at each
 * call: it would be the same row, later.
 */
#include "bvp.h"

#include "machine/launch.h"

#ifndef REPRISE_EMULATED

#include <cub/device/device_scan.cuh>
#include <limits.h>
#include <thrust/iterator/reverse_iterator.h>

#include "../common/cub.h"
#include "../common/cusparse.h"
#include "machine/precision.h"
#include "rhs.h"

#if REAL_IS_DOUBLE
#define rhs_real_on_device rhs_double
#else
#define rhs_real_on_device rhs_single_on_device
#endif

enum { BLOCK = 256 }; /* threads */

struct peer {
    struct memory memory;
    const struct bvp *in;
    real *u; /* device [n] d, then y, then u */
    real *f; /* device [n] the user's right-hand side; or null */
    real h;
    struct scratch scratch;
    real *lower, *diagonal, *upper; /* device [n] of cuSPARSE */
    void *handle;                   /* likewise */
};

static __global__ void set_d(real *d, size_t n, real h, real h2, int code, const real *f)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        d[i] = (i == 0 ? R(0.5) : R(1)) *
               (h2 * (code == RHS_INPUT ? f[i] : rhs_real_on_device(code, h * (real)i)));
}

static dim3 grid(const struct peer *p)
{
    return dim3((unsigned)((p->in->n - 1) / BLOCK + 1));
}

static enum status run_set(const struct peer *p, struct laps *laps)
{
    const struct bvp *b = p->in;
    const real h2 = (real)(b->amplitude * (double)(p->h * p->h));
    LAUNCH_NB(set_d, grid(p), BLOCK)(p->u, b->n, p->h, h2, b->code, p->f);
    const enum status status = device_launched("set_d");
    lap(laps, "f");
    return status;
}

/* The user's f as `real`. */
static void upload(struct peer *p)
{
    const size_t n = p->in->n;
    real *const f = (real *)take(&p->memory, n * sizeof *f);
    for (size_t i = 0; i < n && f != NULL; i++)
        f[i] = (real)p->in->f[i];
    take_copy(&p->memory, &p->f, f, n);
}

static enum status make(const struct instance *in, struct peer **made)
{
    const struct bvp *b = (const struct bvp *)in->data;
    if (b->historical)
        return because(ERR_ARGS, "arithmetic=historical applies to the published kernels; "
                                 "leave it out");
    const enum status held = bvp_hold_f(in);
    if (held != OK)
        return held;
    struct peer *p = (struct peer *)owner_new(sizeof *p);
    if (p == NULL)
        return ERR_MEMORY;
    p->in = b;
    p->h = (real)(1.0 / (double)b->n);
    take_device(&p->memory, &p->u, b->n);
    if (b->code == RHS_INPUT)
        upload(p);
    *made = p;
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct peer *const p = (const struct peer *)state;
    const enum status status = device_get(out->values, p->u, p->in->n * sizeof *p->u);
    lap(laps, "back");
    return status;
}

/* --- cub-sums: both in place --- */

static auto forwards(const struct peer *p)
{
    return [u = p->u, n = (int64_t)p->in->n](void *memory, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(memory, bytes, u, u, n);
    };
}

static auto backwards(const struct peer *p)
{
    const auto last = thrust::make_reverse_iterator(p->u + p->in->n);
    return [last, n = (int64_t)p->in->n](void *memory, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(memory, bytes, last, last, n);
    };
}

static enum status plan_sums(const struct instance *in, void **state)
{
    struct peer *p = NULL;
    const enum status status = make(in, &p);
    if (status != OK)
        return status;
    ask_scratch(&p->memory, &p->scratch, forwards(p));
    ask_scratch(&p->memory, &p->scratch, backwards(p));
    take_scratch(&p->memory, &p->scratch);
    return planned(p, p->memory.status, state);
}

static enum status run_sums(void *state, struct laps *laps)
{
    const struct peer *const p = (const struct peer *)state;
    enum status status = run_set(p, laps);
    if (status == OK)
        status = scan_with(p->scratch, forwards(p));
    lap(laps, "solve");
    if (status == OK)
        status = scan_with(p->scratch, backwards(p));
    lap(laps, "solve");
    return status;
}

const struct calls P(bvp_cub_sums) = {plan_sums, NULL, run_sums, fetch, give_back};

/* --- cusparse-gtsv2 --- */

static __global__ void set_matrix(real *lower, real *diagonal, real *upper, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    lower[i] = i == 0 ? R(0) : R(-1);
    diagonal[i] = i == 0 ? R(1) : R(2);
    upper[i] = i == n - 1 ? R(0) : R(-1);
}

static enum status make_matrix(struct peer *p)
{
    take_device(&p->memory, &p->lower, p->in->n);
    take_device(&p->memory, &p->diagonal, p->in->n);
    take_device(&p->memory, &p->upper, p->in->n);
    if (p->memory.status != OK)
        return p->memory.status;
    LAUNCH_NB(set_matrix, grid(p), BLOCK)(p->lower, p->diagonal, p->upper, p->in->n);
    return device_launched("set_matrix");
}

/* A handle, and the buffer that it asks for. */
static enum status prepare(struct peer *p)
{
    const int n = (int)p->in->n;
    take_cusparse(&p->memory, &p->handle);
    enum status status = p->memory.status;
    if (status == OK)
        status = of_cusparse(cusparse.size(p->handle, n, 1, p->lower, p->diagonal, p->upper, p->u,
                                           n, &p->scratch.bytes));
    if (status == OK)
        take_scratch(&p->memory, &p->scratch);
    return status == OK ? p->memory.status : status;
}

static enum status plan_gtsv2(const struct instance *in, void **state)
{
    const size_t n = ((const struct bvp *)in->data)->n;
    struct peer *p = NULL;
    if (n < 3 || n > INT_MAX)
        return because(SKIPPED, "gtsv2_nopivot takes from 3 to %d unknowns, and n = %zu", INT_MAX,
                       n);
    enum status status = open_cusparse();
    if (status == OK)
        status = make(in, &p);
    if (status != OK)
        return status;
    status = make_matrix(p);
    if (status == OK)
        status = prepare(p);
    return planned(p, status, state);
}

static enum status run_gtsv2(void *state, struct laps *laps)
{
    const struct peer *const p = (const struct peer *)state;
    const int n = (int)p->in->n;
    enum status status = run_set(p, laps);
    if (status == OK)
        status = of_cusparse(cusparse.solve(p->handle, n, 1, p->lower, p->diagonal, p->upper, p->u,
                                            n, p->scratch.memory));
    lap(laps, "solve");
    return status;
}

const struct calls P(bvp_gtsv2) = {plan_gtsv2, NULL, run_gtsv2, fetch, give_back};

#endif
