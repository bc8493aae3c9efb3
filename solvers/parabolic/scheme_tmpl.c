/*
 * What every variant does in a step: the coefficients of its phases and the boundary that they see;
 * and what lies along the sides and axes. Everything is computed in double and then rounded, once
 * for all variants.
 */
#include <math.h>

#include "stencil.h"

/* With neighbour sum S and source f at time t, a phase of length k and centre weight theta gives
 *   w = alpha u + g (S + f),  alpha = (1 - (1-theta) k d) / (1 + theta k d),  g = k / (1 + theta k
 * d): theta 0 is explicit, 1 implicit at the centre, 1/2 between the two. */
static void set_phase(const struct parabolic *p, step *out, int colour, double theta, double k,
                      double t)
{
    const struct equation equation = parabolic_equations[p->model];
    const double m = (double)(p->n + 1); /* 1/h */
    const double flow = equation.convection * m / 2, d = 4 * m * m - equation.reaction;
    const double g = k / (1 + theta * k * d);
    const double cosine = p->amplitude * cos(t), sine = p->amplitude * sin(t);
    stencil *const c = &out->stencil[out->phases];
    *c = (stencil){.alpha = (real)((1 - (1 - theta) * k * d) / (1 + theta * k * d)),
                   .ke = (real)(g * (m * m)),
                   .kE = (real)(g * (m * m + flow)),
                   .kW = (real)(g * (m * m - flow)),
                   .kN = (real)(g * (m * m + flow)),
                   .kS = (real)(g * (m * m - flow)),
                   .k3 = (real)(g * m / 2),
                   .h = (real)(1 / m)};
    if (p->model == 4) { /* f = (1+xy) cos t - (1+x)(1+y) sin t */
        c->f0 = c->fxy = (real)(g * (cosine - sine));
        c->fx = c->fy = (real)(-g * sine);
    }
    out->colour[out->phases++] = colour;
}

static void set_boundary(const struct parabolic *p, step *out, int colour, double t)
{
    out->s[colour] = (real)parabolic_frame_factor(p, t);
}

/* Red points stand half a step behind black ones: their first step is the first half, explicit, and
 * their last the second half, implicit. So each colour sees the other in the middle of its step. */
static void set_leapfrog(const struct parabolic *p, size_t record, step *out)
{
    const bool first = record == 0, last = record == p->steps;
    const double now = (double)record * p->dt, middle = ((double)record + 0.5) * p->dt;
    set_boundary(p, out, BLACK, now);
    set_boundary(p, out, RED, last ? now : middle);
    set_phase(p, out, RED, first ? 0 : last ? 1 : 0.5, first || last ? p->dt / 2 : p->dt, now);
    if (!last)
        set_phase(p, out, BLACK, 0.5, p->dt, middle);
}

/* What is updated first reads the other colour at the old time, what is updated second at the new
 * one, and the boundary is no exception. */
void P(parabolic_step)(const struct parabolic *p, size_t record, step *out)
{
    const double old = (double)record * p->dt, new = (double)(record + 1) * p->dt;
    const int first = p->scheme == HOPSCOTCH && record % 2 == 1 ? BLACK : RED, second = 1 - first;
    *out = (step){.both = p->scheme == JACOBI};
    switch (p->scheme) {
    case JACOBI:
        set_boundary(p, out, RED, old);
        set_boundary(p, out, BLACK, old);
        set_phase(p, out, RED, 0, p->dt, old);
        break;
    case LEAPFROG_HOPSCOTCH:
        set_leapfrog(p, record, out);
        break;
    default:
        set_boundary(p, out, first, new);
        set_boundary(p, out, second, old);
        set_phase(p, out, first, 0, p->dt, old);
        if (p->scheme == LITERAL)
            set_phase(p, out, second, 0, p->dt, old);
        else
            set_phase(p, out, second, 1, p->dt, new);
    }
}

void P(parabolic_lines)(const struct parabolic *p, struct memory *owner, struct lines *out)
{
    const size_t line = p->n + 2, last = p->n + 1;
    real *const all = take(owner, LINES * line * sizeof *all);
    if (all == NULL)
        return;
    *out = (struct lines){all,           all + line, all + 2 * line, all + 3 * line, all + 4 * line,
                          all + 5 * line};
    for (size_t k = 0; k < line; k++) {
        const double x = (double)k / (double)last;
        out->south[k] = (real)parabolic_frame(p, k, 0);
        out->north[k] = (real)parabolic_frame(p, k, last);
        out->west[k] = (real)parabolic_frame(p, 0, k);
        out->east[k] = (real)parabolic_frame(p, last, k);
        out->sine[k] = (real)sin(p->a * x);
        out->cosine[k] = (real)cos(p->a * x);
    }
}
