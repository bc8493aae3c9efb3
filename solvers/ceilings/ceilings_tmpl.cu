/*
 * The device's ceilings: scaled copy, write, multiply-add, launch. 16-byte accesses, several of
 * them in flight per thread, because 4-byte ones do not saturate a current memory.
 */
#include "machine/launch.h"

#include "ceilings.h"
#include "machine/precision.h"

#include "../common/kernels.h"

enum { BLOCK = 256, WIDTH = 16 / sizeof(real), UNROLL = 4, TILE = BLOCK * UNROLL };

struct alignas(16) vector {
    real lane[WIDTH];
};

struct ceiling {
    struct memory memory;
    const struct instance *in;
    size_t n, vectors; /* values, and the whole vectors that they fill */
    real *a, *x;       /* device [vectors][WIDTH]; a only of what reads it */
    real *sample;      /* device [1 + SAMPLE] */
};

static unsigned tiles(const struct ceiling *s)
{
    return (unsigned)((s->vectors + TILE - 1) / TILE);
}

static __global__ void write(vector *x, real q, size_t vectors)
{
    const size_t first = (size_t)blockIdx.x * TILE + threadIdx.x;
    for (int k = 0; k < UNROLL; k++) {
        const size_t i = first + k * BLOCK;
        vector v;
        for (int lane = 0; lane < WIDTH; lane++)
            v.lane[lane] = q * R(CEILING_A(i * WIDTH + lane));
        if (i < vectors)
            x[i] = v;
    }
}

template <size_t most, bool reads> static enum status plan(const struct instance *in, void **state)
{
    struct ceiling *s = (struct ceiling *)owner_new(sizeof *s);
    if (s == NULL)
        return ERR_MEMORY;
    s->in = in;
    s->n = ceilings_n(&in->at, most);
    s->vectors = (s->n + WIDTH - 1) / WIDTH;
    take_device(&s->memory, &s->x, s->vectors * WIDTH);
    take_device(&s->memory, &s->sample, 1 + SAMPLE);
    if (reads)
        take_device(&s->memory, &s->a, s->vectors * WIDTH);
    if (reads && s->memory.status == OK) {
        LAUNCH_NB(write, tiles(s), BLOCK)((vector *)s->a, R(1), s->vectors);
        s->memory.status = device_launched("write");
    }
    return planned(s, s->memory.status, state);
}

/* x stands for one of `whole` values, of which it has the first n. */
static __global__ void gather(real *sample, const real *x, size_t n, size_t whole, size_t count,
                              unsigned draw)
{
    const size_t k = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (k == 0)
        sample[0] = R(draw);
    if (k < count)
        sample[1 + k] = x[ceiling_place(whole, count, draw, k) % n];
}

static enum status bring(const struct ceiling *s, unsigned draw, struct solution *out)
{
    const size_t whole = ceilings_n(&s->in->at, 0), count = out->count - 1;
    LAUNCH_NB(gather, (unsigned)((count - 1) / BLOCK + 1), BLOCK)
    (s->sample, s->x, s->n, whole, count, draw);
    const enum status status = device_launched("gather");
    return status == OK ? device_get(out->values, s->sample, out->count * sizeof *s->sample)
                        : status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    (void)laps;
    return bring((const struct ceiling *)state, ceilings_draw(), out);
}

static __global__ void copy(vector *x, const vector *a, real q, size_t vectors)
{
    const size_t first = (size_t)blockIdx.x * TILE + threadIdx.x;
    vector v[UNROLL];
    for (int k = 0; k < UNROLL; k++)
        if (first + k * BLOCK < vectors)
            v[k] = a[first + k * BLOCK];
    for (int k = 0; k < UNROLL; k++)
        for (int lane = 0; lane < WIDTH; lane++)
            v[k].lane[lane] *= q;
    for (int k = 0; k < UNROLL; k++)
        if (first + k * BLOCK < vectors)
            x[first + k * BLOCK] = v[k];
}

static enum status run_copy(void *state, struct laps *laps)
{
    const struct ceiling *s = (const struct ceiling *)state;
    LAUNCH_NB(copy, tiles(s), BLOCK)
    ((vector *)s->x, (const vector *)s->a, R(ceilings_q(s->in)), s->vectors);
    (void)laps;
    return device_launched("copy");
}

static enum status run_write(void *state, struct laps *laps)
{
    const struct ceiling *s = (const struct ceiling *)state;
    LAUNCH_NB(write, tiles(s), BLOCK)
    ((vector *)s->x, R(ceilings_q(s->in)), s->vectors);
    (void)laps;
    return device_launched("write");
}

/* Independent chains hide the latency; alpha = 1, beta = 0 and gamma = 0 come at run time, so the
 * result is known and the compiler cannot know it. */
static __global__ void multiply_add(real *x, real q, real alpha, real beta, real gamma, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    real chain[FMA_CHAINS], rest = R(0);
    for (int k = 0; k < FMA_CHAINS; k++)
        chain[k] = q * R(CEILING_A(i) + (unsigned)k);
    for (int step = 0; step < FMA_STEPS; step++)
        for (int k = 0; k < FMA_CHAINS; k++)
            chain[k] = fma(chain[k], alpha, beta);
    for (int k = 1; k < FMA_CHAINS; k++)
        rest += chain[k];
    if (i < n)
        x[i] = chain[0] + gamma * rest;
}

static enum status run_fma(void *state, struct laps *laps)
{
    const struct ceiling *s = (const struct ceiling *)state;
    LAUNCH_NB(multiply_add, (unsigned)((s->n + BLOCK - 1) / BLOCK), BLOCK)
    (s->x, R(ceilings_q(s->in)), R(1), R(0), R(0), s->n);
    (void)laps;
    return device_launched("multiply_add");
}

const struct calls P(ceilings_copy) = {plan<0, true>, NULL, run_copy, fetch, give_back};
const struct calls P(ceilings_write) = {plan<0, false>, NULL, run_write, fetch, give_back};
const struct calls P(ceilings_fma) = {plan<MOST_OF_FMA, false>, NULL, run_fma, fetch, give_back};

#if REAL_IS_DOUBLE
/* As good as empty: one store shows that it ran. Many behind one another, since their cost is what
 * a loop of launches pays; one alone takes longer, by the way to the device and back. */
static __global__ void almost_empty(double *x, double q)
{
    if (threadIdx.x == 0)
        x[0] = q * CEILING_A(0);
}

static enum status run_launch(void *state, struct laps *laps)
{
    const struct ceiling *s = (const struct ceiling *)state;
    enum status status = OK;
    for (int k = 0; k < LAUNCHES && status == OK; k++) {
        LAUNCH_NB(almost_empty, 1, 32)(s->x, ceilings_q(s->in));
        status = device_launched("almost_empty");
    }
    (void)laps;
    return status;
}

/* The kernel writes the first value of x alone. */
static enum status fetch_launch(void *state, struct solution *out, struct laps *laps)
{
    (void)laps;
    out->count = 2;
    return bring((const struct ceiling *)state, 0, out);
}

const struct calls ceilings_launch_d = {plan<1, false>, NULL, run_launch, fetch_launch, give_back};
#endif
