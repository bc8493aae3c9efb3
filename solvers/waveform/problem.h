/*
 * What the problems and their judge share: methods, a stepper through time, the reference.
 */
#pragma once
#include "waveform.h"

/* sum alpha_j y[m-k+j] = h sum beta_j f[m-k+j], j = 0 .. k */
struct lmm {
    int steps; /* k */
    double alpha[3], beta[3];
};
extern const struct lmm waveform_methods[]; /* in the order of the parameter's words */

/* The method without relaxation, one point in time after the other; what every iteration tends to.
 */
struct stepper {
    const struct waveform *p;
    struct scheme scheme;        /* of Jacobi, which solves for the next point */
    size_t n;                    /* where y is */
    double *y, *y1, *next;       /* [d] now, before, room */
    double *f, *f1, *f2, *fixed; /* [d] R y + g at n+1, n, n-1; room */
    double *rows;                /* owns all arrays */
};
enum status stepper_make(const struct waveform *p, struct stepper *out);
enum status stepper_next(struct stepper *s); /* ERR_DIVERGED: it does not find the next point */
void stepper_free(struct stepper *s);        /* accepts half-built */

/* Iterations of the reference until it stops. */
enum status reference_count(const struct waveform *p, enum relaxation relaxation,
                            double *iterations);

double waveform_value(const struct solution *got, size_t i);
enum status waveform_judge(const struct instance *in, const struct solution *got,
                           struct judgement *out);
