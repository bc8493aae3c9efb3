/*
 * Runge-Kutta-Chebyshev methods of order two (Sommeijer, Shampine, Verwer, RKC: an explicit solver
 * for parabolic PDEs, 1997): as many stages as the step's length asks for, whose squares grow with
 * it, so that a right-hand side is needed 10 to 100 times less often than by Merson's method. What
 * host and device share: coefficients and step control, of basic operations.
 *
 * A step has s stages, Y_0 = u .. Y_s. They are kept as increments, D_j = Y_j - u, of which
 * rounding takes less than of Y_j:
 *   D_0 = 0, D_1 = side_0 F_0, D_(j+1) = now_j D_j + before_j D_(j-1) + side_j F_j + first_j F_0,
 * where F_j is the right-hand side of Y_j at time t + node_j tau. The error of a step is estimated
 * as 0.4 tau (F_0 + F_s) - 0.8 D_s, and F_s is the next step's F_0.
 */
#pragma once
#include "control.h"

enum { RKC_MOST = 768 }; /* stages */

#define NO_FIXED_STEPS "control=fixed is for Merson's method; choose adaptive steps"

/* A Chebyshev polynomial T_j at 1 + d, 0 <= j^2 d <= 2/13, and its first two derivatives. */
struct chebyshev {
    double t, t1, t2;
};

/* Taylor's series about 1, of positive terms: the k-th derivative there is the product of
 * (j^2 - i^2)/(2 i + 1), i < k, so each term is less than a sixth of the one before it, and of late
 * ones a hundredth: ten are enough. */
HOST_DEVICE struct chebyshev chebyshev_at(int j, double d)
{
    const double square = (double)j * (double)j;
    struct chebyshev c = {1, 0, 0};
    double term = 1, before = 0, power = 1; /* derivative over k!; d^(k-2), d^(k-1) */
    for (int k = 1; k <= 10; k++) {
        const double n = (double)k, over = 1 / ((2 * n - 1) * n); /* not divided again */
        term *= (square - (n - 1) * (n - 1)) * over;
        c.t2 += n * (n - 1) * term * before;
        c.t1 += n * term * power;
        before = power;
        power *= d;
        c.t += term * power;
    }
    return c;
}

/* What a stage takes of what came before; node: its time, of the step's 0 .. 1. */
struct rkc_stage {
    double now, before, side, first, node;
};

/* Of stage j of s, from Y_j to Y_(j+1). Stage s has its time alone. */
HOST_DEVICE struct rkc_stage rkc_stage_of(int j, int s, double tau)
{
    const double d = 2.0 / 13 / ((double)s * (double)s);
    const struct chebyshev last = chebyshev_at(s, d), two = chebyshev_at(2, d);
    const double w1 = last.t1 / last.t2, b2 = two.t2 / (two.t1 * two.t1);
    double b[3] = {b2, b2, b2}, t = 1 + d; /* b of j-1, j, j+1; T_j */
    struct rkc_stage stage = {0, 0, b2 * w1 * tau, 0, 0};
    if (j == 0)
        return stage;
    for (int k = j > 3 ? 0 : 3 - j; k < 3; k++) {
        const struct chebyshev c = chebyshev_at(j - 1 + k, d);
        b[k] = c.t2 / (c.t1 * c.t1);
        if (k == 1) {
            t = c.t;
            stage.node = j < s ? w1 * c.t2 / c.t1 : 1;
        }
    }
    if (j == 1)
        stage.node = w1 * b2;
    stage.now = 2 * b[2] * (1 + d) / b[1];
    stage.before = -b[2] / b[0];
    stage.side = 2 * b[2] * w1 / b[1] * tau;
    stage.first = (b[1] * t - 1) * stage.side;
    return stage;
}

/* --- the step control --- */

/* A bound of the flow's rates where it is smooth, as curvature_rate() has it, and some more for
 * what is not linear. */
static inline double rkc_rate(const struct curvature *p)
{
    return 1.02 * curvature_rate(p);
}

/* What the estimate may be. On the same mesh the error in space of Willmore flow is 30 times that
 * of mean-curvature flow and more, and to be finer in time by all that would cost right-hand sides
 * for nothing: a choice, which the norms in the tables bear. The error of a step goes with its
 * third power: on fine meshes this one falls with h^3, so that the error in time falls with that in
 * space, or it would be 7 % of it at 1024^2. Single precision has rounding there instead. */
static inline double rkc_eps(const struct curvature *p, bool doubles)
{
    const double fine = doubles ? fmin(1, 32 * fmin(p->h1, p->h2)) : 1;
    return (p->flow == WILLMORE ? 100 * p->eps : p->eps) * (fine * fine * fine);
}

HOST_DEVICE int rkc_stages(double rate, double tau)
{
    const int s = 1 + (int)sqrt(fma(1.54 * tau, rate, 1.0));
    return s < 2 ? 2 : s;
}

/* The longest step that RKC_MOST stages allow. */
HOST_DEVICE double rkc_longest(double rate)
{
    return (double)(RKC_MOST - 2) * (RKC_MOST - 2) / (1.54 * rate);
}

/* Nobody knows how long a first step may be, so it is one of two stages, which costs little. */
HOST_DEVICE struct control rkc_begin(double tau0, double rate)
{
    const double first = 1.9 / rate;
    return control_begin(tau0 < first ? tau0 : first);
}

/* x^(1/3), within some units of the last place, for x in 1e-30 .. 1e30, as fifth_root(). */
HOST_DEVICE double cube_root(double x)
{
    double scale = 1, y = 1;
    x = x < 1e30 ? x : 1e30;
    x = x > 1e-30 ? x : 1e-30;
    for (; x > 1; x /= 8)
        scale *= 2;
    for (; x < 1.0 / 8; x *= 8)
        scale /= 2;
    for (int i = 0; i < 7; i++)
        y = (2.0 / 3) * y + (1.0 / 3) * (x / (y * y));
    return scale * y;
}

/* As control_decide_by(): the attempt's error is e, and (eps/e)^(1/3) the root. */
HOST_DEVICE enum verdict_of_step rkc_decide_by(struct control *c, const double *times, double rate,
                                               double eps, double e, double root)
{
    const bool finite = e <= 1.7e308, good = finite && e < eps;
    const double longest = rkc_longest(rate);
    double by = finite ? 1 : 0.1;
    if (finite && e > 0) {
        by = 0.8 * root;
        by = by < 0.1 ? 0.1 : by < 10 ? by : 10;
    }
    control_move(c, times, good);
    /* A step that was cut short does not make the next one shorter. */
    c->wish = good && c->lands && c->step * by < c->wish ? c->wish : c->step * by;
    c->wish = c->wish < longest ? c->wish : longest;
    return control_verdict(c, good);
}

HOST_DEVICE enum verdict_of_step rkc_decide(struct control *c, const double *times, double rate,
                                            double eps, double e)
{
    return rkc_decide_by(c, times, rate, eps, e, e > 0 ? cube_root(eps / e) : 1);
}
