/*
 * A2: divide and conquer on an s x r array, unknown m*s+k at u[k*r+m], one thread per column. The
 * kernels are those of Figs. 4-7 (steps 1A, 1C and 2A, 2C), the short sums along the bottom and the
 * top row (1B, 2B) stay on the host. Added: 64-bit indices, a guard for r that the blocks do not
 * divide, and the remainder n > r s, whose second stage the paper leaves out.
 */
#include "bvp.h"

#include "../common/kernels.h"
#include "../common/order.h"
#include "machine/launch.h"
#include "machine/precision.h"
#include "rhs.h"

#if REAL_IS_DOUBLE
#define rhs_real           rhs_double
#define rhs_real_on_device rhs_double
#else
#define rhs_real           rhs_single
#define rhs_real_on_device rhs_single_on_device
#endif

struct a2 {
    struct memory memory;
    const struct bvp *in;
    real *u;         /* device [s][r] */
    real *f;         /* device [n] the user's right-hand side; or null */
    real *row;       /* host [r] bottom or top row */
    real *rest;      /* host [n - r s] remainder, natural order; never null */
    real *from;      /* page-locked [s][r], for fetch */
    real h, h2;      /* h2: times the amplitude */
    dim3 grid;       /* a thread for every column */
    unsigned block;  /* threads */
    int device_code; /* enum rhs_code, with the arithmetic chosen */
};

static __global__ void set_array(real *u, size_t s, size_t r, real h, real h2, int code,
                                 const real *f)
{
    const size_t m = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= r)
        return;
    for (size_t k = 0; k < s; k++) {
        const size_t i = m * s + k;
        u[m + k * r] = h2 * (code == RHS_INPUT ? f[i] : rhs_real_on_device(code, h * (real)i));
    }
    if (m == 0)
        u[0] *= R(0.5);
}

static enum status run_set(const struct a2 *a)
{
    LAUNCH_NB(set_array, a->grid, a->block)
    (a->u, a->in->s, a->in->r, a->h, a->h2, a->device_code, a->f);
    return device_launched("set_array");
}

static __global__ void step_1a(real *u, size_t s, size_t r)
{
    const size_t m = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= r)
        return;
    for (size_t k = 1; k < s; k++)
        u[m + k * r] += u[m + (k - 1) * r];
}

static enum status run_1a(const struct a2 *a)
{
    LAUNCH_NB(step_1a, a->grid, a->block)(a->u, a->in->s, a->in->r);
    return device_launched("step_1a");
}

/* Free of races: 1C of a column reads row s-1 of the one before, which this kernel leaves alone. */
static __global__ void step_1c2a(real *u, size_t s, size_t r)
{
    const size_t m = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= r)
        return;
    if (m > 0) {
        const real a = u[(s - 1) * r + m - 1];
        for (size_t k = 0; k < s - 1; k++)
            u[m + k * r] += a;
    }
    for (size_t k = s - 1; k-- > 0;)
        u[m + k * r] += u[m + (k + 1) * r];
}

static enum status run_1c2a(const struct a2 *a)
{
    LAUNCH_NB(step_1c2a, a->grid, a->block)(a->u, a->in->s, a->in->r);
    return device_launched("step_1c2a");
}

/* `carry` is the first unknown of the remainder, 0 without one: only then is the last column, as in
 * the paper, left out. */
static __global__ void step_2c(real *u, size_t s, size_t r, real carry)
{
    const size_t m = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= r)
        return;
    const real a = m != r - 1 ? u[m + 1] : carry;
    if (m != r - 1 || a != 0)
        for (size_t k = 1; k < s; k++)
            u[m + k * r] += a;
}

static enum status run_2c(const struct a2 *a, real carry)
{
    LAUNCH_NB(step_2c, a->grid, a->block)(a->u, a->in->s, a->in->r, carry);
    return device_launched("step_2c");
}

/* The remainder of d, on the host and so in the host's arithmetic. */
static void set_rest(const struct a2 *a)
{
    const struct bvp *b = a->in;
    const size_t first = b->r * b->s;
    for (size_t i = first; i < b->n; i++) {
        const real f = b->code == RHS_INPUT ? (real)b->f[i] : rhs_real(b->code, a->h * (real)i);
        a->rest[i - first] = a->h2 * f;
    }
}

/* Step 1B on the bottom row, then (7) through the remainder. The running sum is of type `wide` and
 * is never rounded; what is stored is. */
static enum status bottom_row(const struct a2 *a)
{
    const size_t r = a->in->r, rest = a->in->n - r * a->in->s;
    real *const bottom = a->u + (a->in->s - 1) * r;
    enum status status = device_get(a->row, bottom, r * sizeof *a->row);
    if (status != OK)
        return status;
    wide sum = 0;
    for (size_t j = 0; j < r; j++) {
        sum += (wide)a->row[j];
        a->row[j] = (real)sum;
    }
    for (size_t i = 0; i < rest; i++) {
        sum += (wide)a->rest[i];
        a->rest[i] = (real)sum;
    }
    return device_put(bottom, a->row, r * sizeof *a->row);
}

/* (8) through the remainder, then step 2B on the top row from the carry u_{rs+1}. */
static enum status top_row(const struct a2 *a, real *carry)
{
    const size_t r = a->in->r, rest = a->in->n - r * a->in->s;
    enum status status = device_get(a->row, a->u, r * sizeof *a->row);
    if (status != OK)
        return status;
    wide sum = 0;
    for (size_t i = rest; i-- > 0;) {
        sum += (wide)a->rest[i];
        a->rest[i] = (real)sum;
    }
    *carry = (real)sum;
    for (size_t j = r; j-- > 0;) {
        sum += (wide)a->row[j];
        a->row[j] = (real)sum;
    }
    return device_put(a->u, a->row, r * sizeof *a->row);
}

/* The user's f as `real`. */
static void upload(struct a2 *a)
{
    const size_t n = a->in->n;
    real *const f = (real *)take(&a->memory, n * sizeof *f);
    for (size_t i = 0; i < n && f != NULL; i++)
        f[i] = (real)a->in->f[i];
    take_copy(&a->memory, &a->f, f, n);
}

static int device_code(const struct bvp *b)
{
    if (!b->historical || b->code == RHS_INPUT)
        return b->code;
    return b->code == RHS_P1 ? RHS_P1_HISTORICAL : RHS_P2_HISTORICAL;
}

static enum status plan(const struct instance *in, void **state)
{
    const struct bvp *b = (const struct bvp *)in->data;
    const size_t cells = b->r * b->s, blocks = (b->r + (size_t)b->block - 1) / (size_t)b->block;
    if (REAL_IS_DOUBLE && b->historical)
        return because(ERR_ARGS, "arithmetic=historical applies to single and mixed variants; "
                                 "leave it out for a double one");
    if (blocks > 0x7fffffff)
        return because(ERR_ARGS,
                       "r = %zu columns make more blocks than one launch can have; "
                       "choose a smaller r or a larger block",
                       b->r);
    const enum status held = bvp_hold_f(in);
    if (held != OK)
        return held;
    struct a2 *a = (struct a2 *)owner_new(sizeof *a);
    if (a == NULL)
        return ERR_MEMORY;
    a->in = b;
    a->h = (real)(1.0 / (double)b->n);
    a->block = (unsigned)b->block;
    a->grid = dim3((unsigned)blocks);
    a->device_code = device_code(b);
    a->row = (real *)take(&a->memory, b->r * sizeof *a->row);
    a->rest = (real *)take(&a->memory, (b->n - cells + 1) * sizeof *a->rest);
    take_locked(&a->memory, &a->from, cells);
    take_device(&a->memory, &a->u, cells);
    if (b->code == RHS_INPUT)
        upload(a);
    return planned(a, a->memory.status, state);
}

static enum status run(void *state, struct laps *laps)
{
    struct a2 *const a = (struct a2 *)state;
    real carry = 0;
    a->h2 = (real)(a->in->amplitude * (double)(a->h * a->h));

    enum status status = run_set(a);
    set_rest(a);
    lap(laps, "f");
    if (status == OK)
        status = run_1a(a);
    lap(laps, "solve");
    if (status == OK)
        status = bottom_row(a);
    lap(laps, "rows");
    if (status == OK)
        status = run_1c2a(a);
    lap(laps, "solve");
    if (status == OK)
        status = top_row(a, &carry);
    lap(laps, "rows");
    if (status == OK)
        status = run_2c(a, carry);
    lap(laps, "solve");
    return status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct a2 *const a = (const struct a2 *)state;
    const size_t n = a->in->n, cells = a->in->r * a->in->s;
    const enum status status = device_get(a->from, a->u, cells * sizeof *a->from);
    lap(laps, "back");
    if (status != OK)
        return status;
    real *const u = (real *)out->values;
    natural_order(u, a->from, sizeof *u, a->in->r, a->in->s);
    for (size_t i = cells; i < n; i++)
        u[i] = a->rest[i - cells];
    return OK;
}

const struct calls P(bvp_a2) = {plan, NULL, run, fetch, give_back};
