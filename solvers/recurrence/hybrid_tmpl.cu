/*
 * GPU+CPU: the kernels of Figs. 2 and 3 and the host program of Fig. 4 on an s x r array, row after
 * row, unknown j*s+i at x[i*r+j], one thread per column. Corrected: step3 takes the tail of the
 * column before and multiplies it by C, step 2 multiplies by the last m rows of Y, the loops close
 * where they must, both copies have m rows. Added: 64-bit indices, a guard for r that the blocks do
 * not divide, r = 1, and the remainder n > r s.
 */
#include "recurrence.h"

#include <assert.h>

#include "../common/kernels.h"
#include "../common/order.h"
#include "machine/launch.h"

#include "input.h"
#include "machine/precision.h"

enum { MAX_BLOCK = 256 }; /* threads */

/* Arguments of kernels lie in constant memory, where the paper keeps a_j; the word says to read
 * them there, though the index is not known before. */

struct coefficients {
    real of[MAX_ORDER]; /* of[j-1] is a_j */
};

struct hybrid {
    struct memory memory;
    const struct recurrence *in;
    size_t r, s, rest;     /* rest: n - r s */
    size_t rows;           /* of the tail: m, or s if r = 1 and s < m */
    struct coefficients a; /* rounded to `real` */
    real *x;               /* device [s][r] */
    real *y;               /* device [m-1+s] */
    double *f;             /* device [r s] the user's input; or null */
    real *tail;            /* host [rows][r] the last rows of x */
    real *y_host;          /* host [m-1+s] m-1 zeros, then y_1 */
    real *x_rest;          /* host [rest] natural order; never null */
    real *from;            /* page-locked [s][r], for fetch */
    dim3 grid;             /* a thread for every column */
    unsigned block;        /* threads */
};

static __global__ void fill(real *x, size_t s, size_t r, int code, uint64_t seed, double amplitude,
                            const double *f)
{
    const size_t idx = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= r)
        return;
    for (size_t i = 0; i < s; i++)
        x[i * r + idx] = (real)input_at(code, seed, amplitude, f, idx * s + i);
}

static enum status run_fill(const struct hybrid *h)
{
    const struct recurrence *p = h->in;
    LAUNCH_NB(fill, h->grid, h->block)
    (h->x, h->s, h->r, p->code, p->seed, p->amplitude, h->f);
    return device_launched("fill");
}

/* Fig. 2. xc holds the thread's last m values of x, the oldest first. */
static __global__ void step1(int m, size_t s, size_t r, real *x,
                             const __grid_constant__ struct coefficients a)
{
    SHARED(real, xc, [MAX_ORDER][MAX_BLOCK]);
    const size_t idx = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned me = threadIdx.x;
    if (idx >= r)
        return;
    xc[0][me] = x[idx];
    for (int i = 1; i < m && (size_t)i < s; i++) {
        real t = x[(size_t)i * r + idx];
        for (int j = 1; j <= i; j++)
            t += xc[i - j][me] * a.of[j - 1];
        xc[i][me] = t;
        x[(size_t)i * r + idx] = t;
    }
    for (size_t i = (size_t)m; i < s; i++) {
        real t = x[i * r + idx];
        for (int k = 1; k <= m; k++)
            t += xc[m - k][me] * a.of[k - 1];
        for (int k = 0; k < m - 1; k++)
            xc[k][me] = xc[k + 1][me];
        xc[m - 1][me] = t;
        x[i * r + idx] = t;
    }
}

static enum status run_step1(const struct hybrid *h)
{
    LAUNCH_NB(step1, h->grid, h->block)(h->in->m, h->s, h->r, h->x, h->a);
    return device_launched("step1");
}

/* Fig. 3. xc holds the weights alpha = C tail of the column before. Free of races: the tails lie in
 * the last m rows, which this kernel leaves alone. */
static __global__ void step3(int m, size_t s, size_t r, real *x, const real *y,
                             const __grid_constant__ struct coefficients a)
{
    SHARED(real, xc, [MAX_ORDER][MAX_BLOCK]);
    const size_t idx = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned me = threadIdx.x;
    if (idx == 0 || idx >= r)
        return;
    for (int k = 0; k < m; k++)
        xc[k][me] = x[(s - (size_t)m + (size_t)k) * r + idx - 1];
    for (int i = 0; i < m; i++) { /* in place: row i of C begins at the diagonal */
        real t = 0;
        for (int k = 0; k < m - i; k++)
            t += a.of[m - 1 - k] * xc[i + k][me];
        xc[i][me] = t;
    }
    y += m - 1;
    for (size_t i = 0; i < s - (size_t)m; i++) {
        real t = 0;
        for (int k = m - 1; k >= 0; k--)
            t += xc[k][me] * y[(ptrdiff_t)i - k];
        x[i * r + idx] += t;
    }
}

static enum status run_step3(const struct hybrid *h)
{
    LAUNCH_NB(step3, h->grid, h->block)(h->in->m, h->s, h->r, h->x, h->y, h->a);
    return device_launched("step3");
}

/* L y_1 = e_1, behind m-1 zeros. */
static void solve_y(const struct hybrid *h)
{
    const ptrdiff_t m = h->in->m, s = (ptrdiff_t)h->s;
    real *const y = h->y_host + m - 1;
    for (ptrdiff_t i = 1 - m; i < 0; i++)
        y[i] = 0;
    y[0] = 1;
    for (ptrdiff_t i = 1; i < s; i++) {
        real t = 0;
        for (ptrdiff_t j = m < i ? m : i; j >= 1; j--)
            t += h->a.of[j - 1] * y[i - j];
        y[i] = t;
    }
}

/* (12): the last m rows of one column after the other. */
static void step2(const struct hybrid *h)
{
    const size_t m = (size_t)h->in->m, r = h->r;
    const real *const y = h->y_host + m - 1 + h->s - m; /* row s-m of y_1 */
    for (size_t j = 1; j < r; j++) {
        real alpha[MAX_ORDER];
        for (size_t i = 0; i < m; i++) {
            real t = 0;
            for (size_t k = 0; k < m - i; k++)
                t += h->a.of[m - 1 - k] * h->tail[(i + k) * r + j - 1];
            alpha[i] = t;
        }
        for (size_t i = 0; i < m; i++) {
            real t = 0;
            for (size_t k = 0; k < m; k++)
                t += alpha[k] * y[(ptrdiff_t)i - (ptrdiff_t)k];
            h->tail[i * r + j] += t;
        }
    }
}

/* x_{rs+1+i-j}, which lies in the remainder or in the last column; 0 before the first unknown. */
static real before(const struct hybrid *h, size_t i, size_t j)
{
    if (j <= i)
        return h->x_rest[i - j];
    return j - i <= h->rows ? h->tail[(h->rows - (j - i)) * h->r + h->r - 1] : 0;
}

static void solve_rest(const struct hybrid *h)
{
    for (size_t i = 0; i < h->rest; i++)
        for (size_t j = (size_t)h->in->m; j >= 1; j--)
            h->x_rest[i] += h->a.of[j - 1] * before(h, i, j);
}

static size_t values_of_y(const struct hybrid *h)
{
    return (size_t)h->in->m - 1 + h->s;
}

static enum status plan(const struct instance *in, void **state)
{
    const struct recurrence *p = (const struct recurrence *)in->data;
    const size_t block = (size_t)get_long(&in->at, "block");
    size_t r, s;
    enum status status = recurrence_shape(&in->at, 1, &r, &s);
    if (status != OK)
        return status;
    assert(p->m >= 1 && r >= 1 && s >= 1);
    const size_t cells = r * s, blocks = (r - 1) / block + 1;
    if (blocks > 0x7fffffff)
        return because(ERR_ARGS,
                       "r = %zu columns make more blocks than one launch can have; "
                       "choose a smaller r or a larger block",
                       r);
    struct hybrid *h = (struct hybrid *)owner_new(sizeof *h);
    if (h == NULL)
        return ERR_MEMORY;
    h->in = p;
    h->r = r;
    h->s = s;
    h->rest = p->n - cells;
    h->rows = s < (size_t)p->m ? s : (size_t)p->m;
    for (int j = 0; j < p->m; j++)
        h->a.of[j] = (real)p->a[j];
    h->block = (unsigned)block;
    h->grid = dim3((unsigned)blocks);
    h->tail = (real *)take(&h->memory, h->rows * r * sizeof *h->tail);
    h->y_host = (real *)take(&h->memory, values_of_y(h) * sizeof *h->y_host);
    h->x_rest = (real *)take(&h->memory, (h->rest + 1) * sizeof *h->x_rest);
    take_locked(&h->memory, &h->from, cells);
    take_device(&h->memory, &h->x, cells);
    take_device(&h->memory, &h->y, values_of_y(h));
    if (p->f != NULL)
        take_copy(&h->memory, &h->f, p->f, cells);
    return planned(h, h->memory.status, state);
}

static enum status load(void *state)
{
    const struct hybrid *const h = (const struct hybrid *)state;
    const struct recurrence *p = h->in;
    const size_t first = p->n - h->rest;
    enum status status = run_fill(h);
    for (size_t i = first; i < p->n; i++)
        h->x_rest[i - first] = (real)input_at(p->code, p->seed, p->amplitude, p->f, i);
    if (status == OK)
        status = device_sync();
    return status;
}

/* One column needs step 1 alone, and a remainder the last rows. */
static enum status run(void *state, struct laps *laps)
{
    const struct hybrid *const h = (const struct hybrid *)state;
    const size_t in_tail = h->rows * h->r;
    real *const tail = h->x + h->s * h->r - in_tail;
    const bool several = h->r > 1;

    enum status status = run_step1(h);
    lap(laps, "step1");
    if (several)
        solve_y(h);  /* while the kernel runs */
    lap(laps, "y1"); /* what it took longer than the kernel */
    if (status == OK && (several || h->rest > 0))
        status = device_get(h->tail, tail, in_tail * sizeof *tail);
    lap(laps, "copies");
    if (status == OK && several)
        step2(h);
    if (status == OK)
        solve_rest(h);
    lap(laps, "step2");
    if (status == OK && several)
        status = device_put(tail, h->tail, in_tail * sizeof *tail);
    if (status == OK && several)
        status = device_put(h->y, h->y_host, values_of_y(h) * sizeof *h->y);
    lap(laps, "copies");
    if (status == OK && several)
        status = run_step3(h);
    lap(laps, "step3");
    return status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct hybrid *const h = (const struct hybrid *)state;
    const size_t cells = h->r * h->s;
    const enum status status = device_get(h->from, h->x, cells * sizeof *h->from);
    lap(laps, "back");
    if (status != OK)
        return status;
    real *const x = (real *)out->values;
    natural_order(x, h->from, sizeof *x, h->r, h->s);
    for (size_t i = 0; i < h->rest; i++)
        x[cells + i] = h->x_rest[i];
    return OK;
}

const struct calls P(recurrence_hybrid) = {plan, load, run, fetch, give_back};
