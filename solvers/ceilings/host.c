/*
 * The host's ceilings, with all cores: x += c a in place, which moves no line for nothing as a
 * store to new places does, and multiply-add.
 */
#include "ceilings.h"

enum { CHUNK = 1 << 14, LANES = 64 };

enum status host_update_run(void *state, struct laps *laps)
{
    struct ceilings_state *s = state;
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

enum status host_fma_run(void *state, struct laps *laps)
{
    const struct ceilings_state *s = state;
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
