/*
 * The host's ceilings, with all cores: x += c a in place, which moves no line for nothing as a
 * store to new places does, and multiply-add.
 */
#include "ceilings.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 14, LANES = 64 };

struct ceiling {
    const struct instance *in;
    long n;
    double *a, *x; /* [n] */
    double q;      /* of what x holds */
};

static void destroy(void *state)
{
    struct ceiling *s = state;
    if (s != NULL) {
        free(s->a);
        free(s->x);
    }
    free(s);
}

static enum status plan(const struct instance *in, void **state)
{
    struct ceiling *s = calloc(1, sizeof *s);
    double *a = malloc(in->count * sizeof *a), *x = malloc(in->count * sizeof *x);
    if (s == NULL || a == NULL || x == NULL) {
        free(a);
        free(x);
        free(s);
        return because(ERR_MEMORY, "no memory for %zu values", in->count);
    }
    /* Touched by the threads that will use it. */
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < in->count; i++) {
        a[i] = CEILING_A(i);
        x[i] = 0;
    }
    *s = (struct ceiling){.in = in, .n = (long)in->count, .a = a, .x = x};
    *state = s;
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct ceiling *s = state;
    memcpy(out->values, s->x, out->count * sizeof *s->x);
    (void)laps;
    return OK;
}

static enum status run_update(void *state, struct laps *laps)
{
    struct ceiling *s = state;
    const double c = ceilings_q(s->in) - s->q, *a = s->a; /* exact, and so is every sum */
    double *x = s->x;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < s->n; i++)
        x[i] += c * a[i];
    s->q += c;
    (void)laps;
    return OK;
}

/* Contraction is on in this file alone: each step below is one fused instruction where there is
 * one. */
__attribute__((target_clones("avx512f", "arch=haswell", "default"))) static void multiply_add(
    double *x, long first, long last, double q, double alpha, double beta)
{
    for (long i = first; i < last; i += LANES) {
        double lane[LANES];
        for (int k = 0; k < LANES; k++)
            lane[k] = q * CEILING_A(i + k);
        for (int step = 0; step < HOST_FMA_STEPS; step++)
            for (int k = 0; k < LANES; k++)
                lane[k] = lane[k] * alpha + beta;
        for (int k = 0; k < LANES && i + k < last; k++)
            x[i + k] = lane[k];
    }
}

static enum status run_fma(void *state, struct laps *laps)
{
    const struct ceiling *s = state;
    const double q = ceilings_q(s->in);
    /* Known only at run time, or the loop would be folded away. */
    const volatile double alpha = 1, beta = 0;
    const double alpha_ = alpha, beta_ = beta;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < s->n; i += CHUNK)
        multiply_add(s->x, i, i + CHUNK < s->n ? i + CHUNK : s->n, q, alpha_, beta_);
    (void)laps;
    return OK;
}

const struct calls ceilings_host_update = {
    .plan = plan, .run = run_update, .fetch = fetch, .destroy = destroy};
const struct calls ceilings_host_fma = {
    .plan = plan, .run = run_fma, .fetch = fetch, .destroy = destroy};
