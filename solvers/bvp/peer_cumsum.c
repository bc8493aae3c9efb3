/*
 * cumsum: the two sums as a library for arrays has them, each from one array into another, on one
 * core.
 */
#include "bvp.h"

#include "../common/memory.h"
#include "machine/threads.h"
#include "rhs.h"

struct cumsum {
    struct memory memory;
    const struct bvp *in;
    double *u, *y; /* [n] d, then u; [n] the first sums */
};

static enum status plan(const struct instance *in, void **state)
{
    const enum status held = bvp_hold_f(in);
    if (held != OK)
        return held;
    struct cumsum *c = owner_new(sizeof *c);
    if (c == NULL)
        return ERR_MEMORY;
    c->in = in->data;
    c->u = take_filled(&c->memory, c->in->n * sizeof *c->u);
    c->y = take_filled(&c->memory, c->in->n * sizeof *c->y);
    return planned(c, c->memory.status, state);
}

static enum status run(void *state, struct laps *laps)
{
    const struct cumsum *c = state;
    const struct bvp *b = c->in;
    const size_t n = b->n;
    const double h = 1.0 / (double)n, h2 = b->amplitude * (h * h);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        c->u[i] = h2 * (b->code == RHS_INPUT ? b->f[i] : rhs_double(b->code, h * (double)i));
    c->u[0] *= 0.5;
    lap(laps, "f");
    for (size_t i = 0; i < n; i++)
        c->y[i] = sum += c->u[i];
    lap(laps, "solve");
    sum = 0;
    for (size_t i = n; i-- > 0;)
        c->u[i] = sum += c->y[i];
    lap(laps, "solve");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct cumsum *c = state;
    copy_bytes(out->values, c->u, c->in->n * sizeof *c->u);
    lap(laps, "back");
    return OK;
}

const struct calls bvp_cumsum = {.plan = plan, .run = run, .fetch = fetch, .destroy = give_back};
