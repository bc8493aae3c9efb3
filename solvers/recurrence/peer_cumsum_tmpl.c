/*
 * cumsum: the running sum as a library for arrays has it, from one array into another, on one core.
 */
#include "recurrence.h"

#include "../common/memory.h"
#include "machine/precision.h"
#include "machine/threads.h"

struct cumsum {
    struct memory memory;
    const struct recurrence *in;
    real *f, *x; /* [n] each */
};

static enum status plan(const struct instance *in, void **state)
{
    const struct recurrence *p = in->data;
    if (p->m != 1 || p->a[0] != 1)
        return because(SKIPPED, "a running sum solves m = 1 with a = 1 alone");
    struct cumsum *c = owner_new(sizeof *c);
    if (c == NULL)
        return ERR_MEMORY;
    c->in = p;
    c->f = take_filled(&c->memory, p->n * sizeof *c->f);
    c->x = take_filled(&c->memory, p->n * sizeof *c->x);
    return planned(c, c->memory.status, state);
}

static enum status load(void *state)
{
    const struct cumsum *c = state;
    P(recurrence_fill)(c->in, c->f);
    return OK;
}

static enum status run(void *state, struct laps *laps)
{
    const struct cumsum *c = state;
    real sum = 0;
    for (size_t k = 0; k < c->in->n; k++)
        c->x[k] = sum += c->f[k];
    lap(laps, "solve");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct cumsum *c = state;
    copy_bytes(out->values, c->x, c->in->n * sizeof *c->x);
    lap(laps, "back");
    return OK;
}

const struct calls P(recurrence_cumsum) = {
    .plan = plan, .load = load, .run = run, .fetch = fetch, .destroy = give_back};
