/*
 * A1D-omp: the two sums on all cores with f evaluated twice and u written once, the least traffic
 * that a host can do with. Pass 1 reduces every block to the sum of d and the sum of its prefix
 * sums; a short scan over the blocks gives the carries; pass 2 makes the block's u from them.
 * Needs -fno-math-errno (and no other licence) for the vector versions of cos and exp.
 */
#include "bvp.h"

#include <math.h>
#include <string.h>

#include "../common/memory.h"
#include "machine/threads.h"

/* The C library has vector versions of these; its header shows them only under -ffast-math. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#pragma omp declare simd notinbranch
double cos(double);
#pragma omp declare simd notinbranch
double exp(double);
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif

#include "rhs.h"

/* A block in natural order is lane after lane; side by side the lanes make one vector. */
enum { LANES = 8, STEPS = 512, BLOCK = LANES * STEPS };

struct block {
    double sum, weight;   /* of d; of the prefix sums of d within the block */
    double before, after; /* y of the unknown before the block; u of the one behind it */
};

struct omp {
    struct memory memory;
    const struct bvp *in;
    size_t count; /* blocks, the last one perhaps short */
    double *u;    /* [n] */
    struct block *blocks;
};

static double value_of_d(const struct bvp *b, double h, double h2, size_t i)
{
    const double f = b->code == RHS_INPUT ? b->f[i] : rhs_double(b->code, h * (double)i);
    return (i == 0 ? 0.5 : 1) * h2 * f;
}

/* d of a whole block from unknown `first`, lanes side by side. Inlined into the clones. */
static inline __attribute__((always_inline)) void fill(const struct bvp *b, double h, double h2,
                                                       size_t first, double d[STEPS][LANES])
{
    const double base = (double)first;
    for (int k = 0; k < STEPS; k++) {
        if (b->code == RHS_P1) {
#pragma omp simd
            for (int l = 0; l < LANES; l++)
                d[k][l] = h2 * rhs_p1_double(h * (base + (double)(l * STEPS + k)));
        } else if (b->code == RHS_P2) {
#pragma omp simd
            for (int l = 0; l < LANES; l++)
                d[k][l] = h2 * rhs_p2_double(h * (base + (double)(l * STEPS + k)));
        } else {
            for (int l = 0; l < LANES; l++)
                d[k][l] = h2 * b->f[first + (size_t)(l * STEPS + k)];
        }
    }
    if (first == 0)
        d[0][0] *= 0.5;
}

static WIDEST void reduce_block(const struct bvp *b, double h, double h2, size_t first,
                                struct block *out)
{
    double d[STEPS][LANES] __attribute__((aligned(64)));
    double y[LANES] = {0}, t[LANES] = {0};
    fill(b, h, h2, first, d);
    for (int k = 0; k < STEPS; k++) {
#pragma omp simd
        for (int l = 0; l < LANES; l++) {
            y[l] += d[k][l];
            t[l] += y[l];
        }
    }
    double sum = 0, weight = 0;
    for (int l = 0; l < LANES; l++) {
        weight += STEPS * sum + t[l];
        sum += y[l];
    }
    out->sum = sum;
    out->weight = weight;
}

static WIDEST void solve_block(const struct bvp *b, double h, double h2, size_t first,
                               const struct block *carry, double *restrict u)
{
    double d[STEPS][LANES] __attribute__((aligned(64)));
    double y[LANES], v[LANES];
    fill(b, h, h2, first, d);
    for (int k = 1; k < STEPS; k++) {
#pragma omp simd
        for (int l = 0; l < LANES; l++)
            d[k][l] += d[k - 1][l];
    }
    double before = carry->before;
    for (int l = 0; l < LANES; l++) {
        y[l] = before;
        before += d[STEPS - 1][l];
    }
    for (int l = 0; l < LANES; l++)
        v[l] = 0;
    for (int k = STEPS - 1; k >= 0; k--) {
#pragma omp simd
        for (int l = 0; l < LANES; l++) {
            v[l] += d[k][l] + y[l];
            d[k][l] = v[l];
        }
    }
    double after = carry->after;
    for (int l = LANES - 1; l >= 0; l--) {
        for (int k = 0; k < STEPS; k++)
            u[first + (size_t)(l * STEPS + k)] = d[k][l] + after;
        after += v[l];
    }
}

/* The last block, if it is short: the same sums, one after the other. */
static void reduce_rest(const struct bvp *b, double h, double h2, size_t first, struct block *out)
{
    double sum = 0, weight = 0;
    for (size_t i = first; i < b->n; i++) {
        sum += value_of_d(b, h, h2, i);
        weight += sum;
    }
    out->sum = sum;
    out->weight = weight;
}

static void solve_rest(const struct bvp *b, double h, double h2, size_t first,
                       const struct block *carry, double *u)
{
    double sum = carry->before;
    for (size_t i = first; i < b->n; i++)
        u[i] = sum += value_of_d(b, h, h2, i);
    sum = carry->after;
    for (size_t i = b->n; i-- > first;)
        u[i] = sum += u[i];
}

/* From the blocks' sums to their carries, forward for y and backward for u. */
static void scan_blocks(const struct omp *o)
{
    double y = 0, u = 0;
    for (size_t j = 0; j < o->count; j++) {
        struct block *const block = &o->blocks[j];
        const size_t left = o->in->n - j * BLOCK, length = left < BLOCK ? left : BLOCK;
        block->before = y;
        block->weight += (double)length * y;
        y += block->sum;
    }
    for (size_t j = o->count; j-- > 0;) {
        o->blocks[j].after = u;
        u += o->blocks[j].weight;
    }
}

static enum status plan(const struct instance *in, void **state)
{
    const struct bvp *b = in->data;
    const enum status held = bvp_hold_f(in);
    if (held != OK)
        return held;
    struct omp *o = owner_new(sizeof *o);
    if (o == NULL)
        return ERR_MEMORY;
    o->in = b;
    o->count = (b->n - 1) / BLOCK + 1;
    o->u = take(&o->memory, b->n * sizeof *o->u);
    o->blocks = take(&o->memory, o->count * sizeof *o->blocks);
    /* Touched by the threads that will write there. */
    const size_t blocks = o->memory.status == OK ? o->count : 0;
#pragma omp parallel for schedule(static)
    for (size_t j = 0; j < blocks; j++) {
        const size_t left = b->n - j * BLOCK, length = left < BLOCK ? left : BLOCK;
        memset(o->u + j * BLOCK, 0xff, length * sizeof *o->u);
    }
    return planned(o, o->memory.status, state);
}

static enum status run(void *state, struct laps *laps)
{
    const struct omp *o = state;
    const struct bvp *b = o->in;
    const double h = 1.0 / (double)b->n, h2 = b->amplitude * (h * h);
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (size_t j = 0; j < o->count; j++) {
            if (b->n - j * BLOCK >= BLOCK)
                reduce_block(b, h, h2, j * BLOCK, &o->blocks[j]);
            else
                reduce_rest(b, h, h2, j * BLOCK, &o->blocks[j]);
        }
#pragma omp single
        scan_blocks(o);
#pragma omp for schedule(static)
        for (size_t j = 0; j < o->count; j++) {
            if (b->n - j * BLOCK >= BLOCK)
                solve_block(b, h, h2, j * BLOCK, &o->blocks[j], o->u);
            else
                solve_rest(b, h, h2, j * BLOCK, &o->blocks[j], o->u);
        }
    }
    lap(laps, "solve"); /* f is evaluated inside: there is no part "f" */
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct omp *o = state;
    copy_bytes(out->values, o->u, o->in->n * sizeof *o->u);
    lap(laps, "back");
    return OK;
}

const struct calls bvp_a1_omp = {.plan = plan, .run = run, .fetch = fetch, .destroy = give_back};
