/*
 * The step control and the functions of time, for the host and for a device that drives its steps
 * itself: basic operations only, in a fixed order, so that both take the same steps bit for bit.
 */
#pragma once
#include <math.h>

#include "base/random.h" /* HOST_DEVICE */
#include "curvature.h"

#include "../common/pi.h"

/* x^(1/5) for x > 0, within some units of the last place; x is taken to lie in 1e-30 .. 1e30, which
 * limits a change of tau to a factor of a million. */
HOST_DEVICE double fifth_root(double x)
{
    double scale = 1, y = 1;
    x = x < 1e30 ? x : 1e30;
    x = x > 1e-30 ? x : 1e-30;
    for (; x > 1; x /= 32)
        scale *= 2;
    for (; x < 1.0 / 32; x *= 32)
        scale /= 2;
    for (int i = 0; i < 8; i++) { /* Newton from above; 1/2 <= root <= 1 */
        const double y2 = y * y;
        y = 0.8 * y + 0.2 * (x / (y2 * y2));
    }
    return scale * y;
}

struct wave {
    double cosine, sine; /* of pi t */
};

/* Within some units of the last place of 1. */
HOST_DEVICE struct wave wave_at(double t)
{
    const double half = floor(2 * t + 0.5); /* t = half/2 + f, |f| <= 1/4 */
    const double x = PI * (t - half / 2), x2 = x * x;
    double c = 0, s = 0;
    for (int k = 20; k >= 2; k -= 2) {
        c = (1 - c) * (x2 * (1.0 / (k * (k - 1))));
        s = (1 - s) * (x2 * (1.0 / (k * (k + 1))));
    }
    c = 1 - c;
    s = x * (1 - s);
    const int quarter = (int)(half - 4 * floor(half / 4));
    struct wave w = {c, s};
    if (quarter == 1) {
        w.cosine = -s;
        w.sine = c;
    } else if (quarter == 2) {
        w.cosine = -c;
        w.sine = -s;
    } else if (quarter == 3) {
        w.cosine = s;
        w.sine = -c;
    }
    return w;
}

enum verdict_of_step { STEP_REJECTED, STEP_ACCEPTED, STEPS_DIVERGED };

struct control {
    double t, tau; /* tau: where the next interval between two times of the list begins */
    double wish;   /* what the last attempt asks for */
    double step;   /* of the attempt under way */
    bool lands;    /* it ends at times[next] */
    int next;      /* index of the time ahead */
    long accepted, rejected;
    double last, before; /* lengths of the last two accepted steps, or 0 */
};

HOST_DEVICE struct control control_begin(double tau0)
{
    const struct control c = {0, tau0, tau0, 0, false, 0, 0, 0, 0, 0};
    return c;
}

/* The length of the next attempt. A time that is nearer than the wish, or than its rounding, is hit
 * exactly; a wish that was cut short is not kept. */
HOST_DEVICE double control_step(struct control *c, const double *times)
{
    const double left = times[c->next] - c->t;
    c->lands = c->wish >= left * (1 - 1e-12);
    c->step = c->lands ? left : c->wish;
    c->tau = c->lands ? c->tau : c->wish;
    return c->step;
}

/* Counts the attempt that control_step() began, and moves on if it was good. */
HOST_DEVICE void control_move(struct control *c, const double *times, bool good)
{
    if (good) {
        c->accepted++;
        c->t = c->lands ? times[c->next] : c->t + c->step;
        c->before = c->last;
        c->last = c->step;
        c->next += c->lands;
    } else {
        c->rejected++;
    }
}

HOST_DEVICE enum verdict_of_step control_verdict(const struct control *c, bool good)
{
    return good ? STEP_ACCEPTED : c->t + 16 * c->wish > c->t ? STEP_REJECTED : STEPS_DIVERGED;
}

/* The attempt's error is e; by its root, (eps/e)^(1/5), the next one is longer. */
HOST_DEVICE enum verdict_of_step control_decide_by(struct control *c, const double *times,
                                                   bool fixed, double eps, double e, double root)
{
    const bool finite = e <= 1.7e308, good = finite && (fixed || e < eps);
    control_move(c, times, good);
    if (fixed)
        return good ? STEP_ACCEPTED : STEPS_DIVERGED;
    if (good && c->lands)
        c->wish = c->tau;
    else if (!finite)
        c->wish = c->step / 10;
    else if (e > 0)
        c->wish = 0.8 * c->step * root;
    return control_verdict(c, good);
}

HOST_DEVICE enum verdict_of_step control_decide(struct control *c, const double *times, bool fixed,
                                                double eps, double e)
{
    return control_decide_by(c, times, fixed, eps, e, e > 0 ? fifth_root(eps / e) : 1);
}

/* What becomes of u after an attempt. */
struct kept {
    bool ended;
    bool first; /* it is the first field of the answer */
    int field;  /* it is this one; 0: none */
};

HOST_DEVICE struct kept control_kept(const struct control *c, bool accepted, int count,
                                     long attempts, bool probes)
{
    const bool probe = accepted && c->accepted == PROBE, landed = accepted && c->lands;
    struct kept k = {false, false, 0};
    k.ended = c->next == count || (probes && probe) ||
              (attempts > 0 && c->accepted + c->rejected == attempts);
    k.first = probe || (k.ended && c->accepted < PROBE);
    if (!probes && attempts > 0)
        k.field = k.ended ? 1 : 0;
    else if (!probes && landed)
        k.field = c->next;
    return k;
}

/* What a run's control knows at its end; the attempts are listed by then. */
static inline void tally_end(struct tally *out, const struct control *c, enum method method,
                             double evaluations)
{
    out->accepted = (double)c->accepted;
    out->rejected = (double)c->rejected;
    out->stride = fmax(c->last, c->before);
    out->method = method;
    out->evaluations = evaluations;
}
