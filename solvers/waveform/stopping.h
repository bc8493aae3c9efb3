/*
 * When a relaxation stops, and how far it is from that: for the host, and for a device that goes on
 * by itself, so that both end with the same iterate.
 */
#pragma once
#include <math.h>

#include "base/random.h" /* HOST_DEVICE */
#include "waveform.h"

/* Iterations without a new largest or, since that, a new least correction, after which no better
 * one is to be expected: what is left is rounding. */
enum { PATIENCE_OF_PROGRESS = 50 };

/* What is asked of a run. */
struct wanted {
    double tol;
    long nmax;
};

/* Takes the correction of one more iteration, and does not keep it; NaN and infinity end the run.
 * True: another one. */
HOST_DEVICE bool progress_judge(struct progress *at, struct wanted wanted, double err)
{
    at->iterations++;
    at->idle++;
    if (err > at->most) {
        at->most = at->least = err;
        at->idle = 0;
    } else if (err < at->least) {
        at->least = err;
        at->idle = 0;
    }
    /* Where the rounding of the largest is not below tol, a small correction is chance; one of 0 is
     * the end, whatever tol is. */
    const bool finite = err - err == 0, rounded = !(at->unit * at->most < wanted.tol);
    at->outcome = !finite                            ? NONFINITE
                  : err == 0                         ? CONVERGED
                  : err < wanted.tol                 ? (rounded ? STAGNATED : CONVERGED)
                  : at->idle >= PATIENCE_OF_PROGRESS ? STAGNATED
                  : at->iterations >= wanted.nmax    ? AT_NMAX
                                                     : 0;
    return at->outcome == 0;
}

/* And keeps it. */
HOST_DEVICE bool progress_step(struct progress *at, struct wanted wanted, double err)
{
    at->err[at->iterations] = err;
    return progress_judge(at, wanted, err);
}

/* How many sweeps the next pass is to carry, at most `most`, after corrections `before` and `last`,
 * the newest. They fall as a power over a factorial does, or as a power: a factor that gets smaller
 * from one to the next is a guess of where they end, which costs time alone if it is wrong. Several
 * passes that are left are equally long. */
HOST_DEVICE int sweeps_ahead(const struct progress *at, struct wanted wanted, double before,
                             double last, int most)
{
    enum { FAR = 1000 };
    const long left = wanted.nmax - at->iterations;
    double factor = last / before;
    int count = 0;
    if (!(factor > 0 && factor < 1e3 && wanted.tol > 0))
        count = most;
    for (double err = last; count < FAR && count < left && !(err < wanted.tol);) {
        const double k = (double)(at->iterations + count);
        factor *= k / (k + 1);
        err *= factor;
        count++;
    }
    count = count < 1 ? 1 : count;
    const int passes = (count - 1) / most + 1;
    const int here = (count - 1) / passes + 1;
    return left < here ? (int)left : here;
}
