/*
 * The host's ceilings, with all cores: x += c a in place, which moves no line for nothing as a
 * store to new places does, and multiply-add.
 */
#include "ceilings.h"

#include <omp.h>
#include <string.h>

#include "../common/memory.h"

enum { CHUNK = 1 << 11, LANES = 64 };

struct ceiling {
    struct memory memory;
    const struct instance *in;
    long n;
    double *a, *x; /* [n]; a only of what reads it */
    double q;      /* of what x holds */
    double begin;  /* of the turn */
    int turns;     /* before it */
};

/* All cores every other turn, and between one, two, four and so on: where others keep some busy,
 * all threads wait for the one that shares its core, and fewer give more; where they keep all busy,
 * one gives most. For some time each, since threads that were left out have to be started again. */
static int threads_of(struct ceiling *s)
{
    static const double turn = 0.01; /* seconds */
    const double time = omp_get_wtime();
    const int all = omp_get_max_threads();
    if (time - s->begin > turn) {
        s->begin = time;
        s->turns++;
    }
    const int fewer = 1 << s->turns / 2 % 5;
    return s->turns % 2 == 0 || fewer > all ? all : fewer;
}

static enum status make(const struct instance *in, size_t most, bool reads, void **state)
{
    struct ceiling *s = owner_new(sizeof *s);
    if (s == NULL)
        return ERR_MEMORY;
    s->in = in;
    s->n = (long)ceilings_n(&in->at, most);
    s->x = take(&s->memory, (size_t)s->n * sizeof *s->x);
    if (reads)
        s->a = take(&s->memory, (size_t)s->n * sizeof *s->a);
    s->begin = omp_get_wtime();
    const long touched = s->memory.status == OK ? s->n : 0;
    /* By the threads that will use it. */
#pragma omp parallel for schedule(static)
    for (long i = 0; i < touched; i++) {
        s->x[i] = 0;
        if (reads)
            s->a[i] = CEILING_A(i);
    }
    return planned(s, s->memory.status, state);
}

static enum status plan_update(const struct instance *in, void **state)
{
    return make(in, 0, true, state);
}

static enum status plan_fma(const struct instance *in, void **state)
{
    return make(in, MOST_OF_HOST_FMA, false, state);
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct ceiling *s = state;
    const size_t n = ceilings_n(&s->in->at, 0), count = out->count - 1;
    const unsigned draw = ceilings_draw();
    double *const values = out->values;
    values[0] = draw;
    for (size_t k = 0; k < count; k++)
        values[1 + k] = s->x[ceiling_place(n, count, draw, k) % (size_t)s->n];
    (void)laps;
    return OK;
}

static enum status run_update(void *state, struct laps *laps)
{
    struct ceiling *s = state;
    const double c = ceilings_q(s->in) - s->q, *a = s->a; /* exact, and so is every sum */
    double *x = s->x;
#pragma omp parallel for schedule(static) num_threads(threads_of(s))
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
    struct ceiling *s = state;
    const double q = ceilings_q(s->in);
    /* Known only at run time, or the loop would be folded away. */
    const volatile double alpha = 1, beta = 0;
    const double alpha_ = alpha, beta_ = beta;
#pragma omp parallel for schedule(static) num_threads(threads_of(s))
    for (long i = 0; i < s->n; i += CHUNK)
        multiply_add(s->x, i, i + CHUNK < s->n ? i + CHUNK : s->n, q, alpha_, beta_);
    (void)laps;
    return OK;
}

const struct calls ceilings_host_update = {
    .plan = plan_update, .run = run_update, .fetch = fetch, .destroy = give_back};
const struct calls ceilings_host_fma = {
    .plan = plan_fma, .run = run_fma, .fetch = fetch, .destroy = give_back};
