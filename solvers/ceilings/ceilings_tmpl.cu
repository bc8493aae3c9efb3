/*
 * The device's ceilings: scaled copy, write, multiply-add, launch. 16-byte accesses, several of
 * them in flight per thread, because 4-byte ones do not saturate a current memory.
 */
#include "machine/launch.h"

#include "ceilings.h"
#include "machine/device.h"
#include "machine/precision.h"

enum { BLOCK = 256, WIDTH = 16 / sizeof(real), UNROLL = 4, TILE = BLOCK * UNROLL };

struct alignas(16) vector {
    real lane[WIDTH];
};

static unsigned tiles(long n)
{
    const long vectors = (n + WIDTH - 1) / WIDTH;
    return (unsigned)((vectors + TILE - 1) / TILE);
}

/* n is padded to whole vectors by the allocation. */
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

extern "C" enum status P(copy_run)(void *state, struct laps *laps)
{
    const struct ceilings_state *s = (const struct ceilings_state *)state;
    LAUNCH_NB(copy, tiles(s->n), BLOCK)
    ((vector *)s->x, (const vector *)s->a, R(ceilings_q(s->in)),
     (size_t)(s->n + WIDTH - 1) / WIDTH);
    (void)laps;
    return device_launched("copy");
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

extern "C" enum status P(write_run)(void *state, struct laps *laps)
{
    const struct ceilings_state *s = (const struct ceilings_state *)state;
    LAUNCH_NB(write, tiles(s->n), BLOCK)
    ((vector *)s->x, R(ceilings_q(s->in)), (size_t)(s->n + WIDTH - 1) / WIDTH);
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

extern "C" enum status P(fma_run)(void *state, struct laps *laps)
{
    const struct ceilings_state *s = (const struct ceilings_state *)state;
    LAUNCH_NB(multiply_add, (unsigned)((s->n + BLOCK - 1) / BLOCK), BLOCK)
    ((real *)s->x, R(ceilings_q(s->in)), R(1), R(0), R(0), (size_t)s->n);
    (void)laps;
    return device_launched("multiply_add");
}

#if REAL_IS_DOUBLE
/* As good as empty: one store shows that it ran. Many behind one another, since their cost is what
 * a loop of launches pays; one alone takes longer, by the way to the device and back. */
static __global__ void almost_empty(double *x, double q)
{
    if (threadIdx.x == 0)
        x[0] = q * CEILING_A(0);
}

extern "C" enum status launch_run_d(void *state, struct laps *laps)
{
    const struct ceilings_state *s = (const struct ceilings_state *)state;
    enum status status = OK;
    for (int k = 0; k < LAUNCHES && status == OK; k++) {
        LAUNCH_NB(almost_empty, 1, 32)((double *)s->x, ceilings_q(s->in));
        status = device_launched("almost_empty");
    }
    (void)laps;
    return status;
}
#endif
