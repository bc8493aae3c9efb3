/*
 * SEQ: formula (1) as it stands on one core, x in the place of f. The oldest term is added first:
 * the newest x comes into the sum last, and the next sum waits for one product and one addition
 * only.
 */
#include "recurrence.h"

#include "../common/memory.h"
#include "machine/precision.h"
#include "machine/threads.h"

struct seq {
    struct memory memory;
    const struct recurrence *in;
    real *x; /* [n] f, then x */
};

static enum status plan(const struct instance *in, void **state)
{
    struct seq *q = owner_new(sizeof *q);
    if (q == NULL)
        return ERR_MEMORY;
    q->in = in->data;
    q->x = take_filled(&q->memory, q->in->n * sizeof *q->x);
    return planned(q, q->memory.status, state);
}

static enum status load(void *state)
{
    const struct seq *q = state;
    P(recurrence_fill)(q->in, q->x);
    return OK;
}

/* Inlined for every m, since a loop that knows its m takes less than half the time. */
static inline __attribute__((always_inline)) void solve(size_t m, size_t n, const real *a, real *x)
{
    size_t k = 1; /* x_1 is f_1 */
    for (; k < m && k < n; k++)
        for (size_t j = k; j >= 1; j--)
            x[k] += a[j - 1] * x[k - j];
    for (; k < n; k++) {
        real t = x[k];
        for (size_t j = m; j >= 1; j--)
            t += a[j - 1] * x[k - j];
        x[k] = t;
    }
}

static enum status run(void *state, struct laps *laps)
{
    const struct seq *q = state;
    const struct recurrence *p = q->in;
    real a[MAX_ORDER];
    for (int j = 0; j < p->m; j++)
        a[j] = (real)p->a[j];
#define CASE(m)                                                                                    \
    case m:                                                                                        \
        solve(m, p->n, a, q->x);                                                                   \
        break
    switch (p->m) {
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(5);
        CASE(6);
        CASE(7);
        CASE(8);
        CASE(9);
        CASE(10);
        CASE(11);
        CASE(12);
        CASE(13);
        CASE(14);
        CASE(15);
        CASE(16);
    default:
        return because(ERR_ARGS, "m = %d is more than %d", p->m, MAX_ORDER);
    }
    lap(laps, "solve");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct seq *q = state;
    copy_bytes(out->values, q->x, q->in->n * sizeof *q->x);
    lap(laps, "back");
    return OK;
}

const struct calls P(recurrence_seq) = {
    .plan = plan, .load = load, .run = run, .fetch = fetch, .destroy = give_back};
