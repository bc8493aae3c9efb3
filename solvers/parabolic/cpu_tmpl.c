/*
 * CPU: the paper's loop on one core. One array of all points, in it the boundary, then the red
 * points row by row, then the black ones, each in place. Jacobi alone has a second array.
 */
#include <string.h>

#include "../common/memory.h"
#include "stencil.h"

struct cpu {
    struct memory memory;
    const struct parabolic *in;
    size_t pitch; /* n+2 */
    real *u[2];   /* [n+2][n+2]; the second one is jacobi's, else null */
    int now;      /* which of the two */
    real *kept;   /* [n+2][n+2] at the snapshot; or null */
    struct lines lines;
};

static enum status plan(const struct instance *in, void **state)
{
    const struct parabolic *p = in->data;
    const size_t line = p->n + 2, bytes = line * line * sizeof(real);
    struct cpu *c = owner_new(sizeof *c);
    if (c == NULL)
        return ERR_MEMORY;
    c->in = p;
    c->pitch = line;
    c->u[0] = take_filled(&c->memory, bytes);
    c->u[1] = p->scheme == JACOBI ? take_filled(&c->memory, bytes) : NULL;
    c->kept = p->snapshot > 0 ? take_filled(&c->memory, bytes) : NULL;
    P(parabolic_lines)(p, &c->memory, &c->lines);
    return planned(c, c->memory.status, state);
}

static enum status load(void *state)
{
    struct cpu *c = state;
    real *const u = c->u[0];
    c->now = 0;
#pragma omp parallel for schedule(static) if (c->pitch > 100)
    for (size_t j = 0; j < c->pitch; j++)
        for (size_t i = 0; i < c->pitch; i++)
            u[j * c->pitch + i] = (real)parabolic_initial(c->in, i, j);
    return OK;
}

static void set_boundary(const struct cpu *c, const step *s, real *u)
{
    const size_t last = c->in->n + 1, pitch = c->pitch;
    for (size_t k = 1; k < last; k++) {
        u[k] = s->s[k % 2] * c->lines.south[k];
        u[last * pitch + k] = s->s[(last + k) % 2] * c->lines.north[k];
        u[k * pitch] = s->s[k % 2] * c->lines.west[k];
        u[k * pitch + last] = s->s[(last + k) % 2] * c->lines.east[k];
    }
}

/* Inlined for every model. Every `stride`-th point from the first one of the row that has the
 * colour; without a colour, all. */
static inline __attribute__((always_inline)) void sweep(int model, const struct cpu *c,
                                                        const stencil *of, bool both, int colour,
                                                        const real *from, real *to)
{
    const stencil k = *of; /* ours alone: what is stored below cannot change it */
    const size_t n = c->in->n, pitch = c->pitch, stride = both ? 1 : 2;
    const real *const sine = c->lines.sine, *const cosine = c->lines.cosine;
    for (size_t j = 1; j <= n; j++) {
        const struct row row = row_of(model, &k, j, sine, cosine);
        const real *const u = from + j * pitch;
        real *const new = to + j *pitch;
        for (size_t i = both ? 1 : 1 + (1 + j + (size_t)colour) % 2; i <= n; i += stride)
            new[i] = updated(model, &k, &row, i, sine[i], cosine[i], u[i], u[i + 1], u[i - 1],
                             u[i + pitch], u[i - pitch]);
    }
}

static void run_phase(const struct cpu *c, const step *s, int phase, const real *from, real *to)
{
    const stencil *const of = &s->stencil[phase];
    const int colour = s->colour[phase];
#define CASE(model)                                                                                \
    case model:                                                                                    \
        if (s->both)                                                                               \
            sweep(model, c, of, true, colour, from, to);                                           \
        else                                                                                       \
            sweep(model, c, of, false, colour, from, to);                                          \
        break
    switch (c->in->model) {
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
    default:
        break;
    }
}

static enum status run(void *state, struct laps *laps)
{
    struct cpu *c = state;
    const struct parabolic *p = c->in;
    const size_t records = parabolic_records(p);
    for (size_t record = 0; record < records; record++) {
        step s;
        P(parabolic_step)(p, record, &s);
        real *const u = c->u[c->now];
        set_boundary(c, &s, u);
        if (s.both)
            c->now = 1 - c->now;
        for (int phase = 0; phase < s.phases; phase++)
            run_phase(c, &s, phase, u, c->u[c->now]);
        if (record + 1 == p->snapshot)
            memcpy(c->kept, c->u[c->now], c->pitch * c->pitch * sizeof *u);
    }
    lap(laps, "loop");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct cpu *c = state;
    const size_t n = c->in->n;
    const real *const fields[] = {c->kept, c->u[c->now]};
    real *to = out->values;
    for (int f = c->kept != NULL ? 0 : 1; f < 2; f++)
        for (size_t j = 1; j <= n; j++, to += n)
            memcpy(to, fields[f] + j * c->pitch + 1, n * sizeof *to);
    lap(laps, "back");
    return OK;
}

const struct calls P(parabolic_cpu) = {
    .plan = plan, .load = load, .run = run, .fetch = fetch, .destroy = give_back};
