/*
 * A1: the two sums (7) and (8) one after the other on one core, the right-hand side first.
 * In single precision the carry stands still once it is 2^24 increments large; that is the paper's
 * point, so nothing here may keep it in a wider register.
 */
#include "bvp.h"

#include "../common/memory.h"
#include "machine/precision.h"
#include "machine/threads.h"
#include "rhs.h"

#if REAL_IS_DOUBLE
#define rhs_real rhs_double
#else
#define rhs_real rhs_single
#endif

struct a1 {
    struct memory memory;
    const struct bvp *in;
    real *u; /* [n] d, then y, then u */
};

static enum status plan(const struct instance *in, void **state)
{
    const enum status held = bvp_hold_f(in);
    if (held != OK)
        return held;
    struct a1 *a = owner_new(sizeof *a);
    if (a == NULL)
        return ERR_MEMORY;
    a->in = in->data;
    a->u = take_filled(&a->memory, a->in->n * sizeof *a->u);
    return planned(a, a->memory.status, state);
}

static enum status run(void *state, struct laps *laps)
{
    const struct a1 *a = state;
    const struct bvp *b = a->in;
    real *const u = a->u;
    const size_t n = b->n;
    const real h = (real)(1.0 / (double)n);
    const real h2 = (real)(b->amplitude * (double)(h * h));

    if (b->code == RHS_INPUT)
        for (size_t i = 0; i < n; i++)
            u[i] = h2 * (real)b->f[i];
    else
        for (size_t i = 0; i < n; i++)
            u[i] = h2 * rhs_real(b->code, h * (real)i);
    u[0] *= R(0.5);
    lap(laps, "f");

    for (size_t i = 1; i < n; i++)
        u[i] += u[i - 1];
    lap(laps, "solve");

    for (size_t i = n - 1; i-- > 0;)
        u[i] += u[i + 1];
    lap(laps, "solve");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct a1 *a = state;
    copy_bytes(out->values, a->u, a->in->n * sizeof *a->u);
    lap(laps, "back");
    return OK;
}

const struct calls P(bvp_a1) = {.plan = plan, .run = run, .fetch = fetch, .destroy = give_back};
