/*
 * What the problems and their judge share: methods, the plainest code for the iterates and for what
 * they tend to, and what theory says of both.
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
    struct memory memory; /* let_go() of it is the end, of a half-built one too */
    const struct waveform *p;
    struct scheme scheme;        /* of Jacobi, which solves for the next point */
    size_t n;                    /* where y is */
    double *y, *y1, *next;       /* [d] now, before, room */
    double *f, *f1, *f2, *fixed; /* [d] R y + g at n+1, n, n-1; room */
};
enum status stepper_make(const struct waveform *p, struct stepper *out);
enum status stepper_next(struct stepper *s); /* ERR_DIVERGED: it does not find the next point */

/* Component i of M y + g at point n, y_j at y[j*stride]; `sum` is that of y, where `all` is not 0.
 */
double reference_product(const struct waveform *p, enum relaxation relaxation,
                         const struct scheme *of, const double *y, size_t stride, double sum,
                         size_t i, size_t n);
double reference_sum(const struct waveform *p, const double *y); /* 0 where `all` is */

enum { MANY = 4096 }; /* components from which on a loop over them is worth several threads */

/* The iterates as whole waveforms, one after the other. */
struct reference {
    struct memory memory; /* likewise */
    const struct waveform *p;
    enum relaxation relaxation;
    struct scheme scheme;
    double *sums;        /* [N] of the components of `old`, where `all` is not 0 */
    double *own;         /* [bands][d] of the scheme, where they are rounded */
    double *old, *now;   /* [d][N] */
    double err, largest; /* |now - old|; of all iterates */
};
/* `now` is y^0; `single`: in numbers that a variant of single precision has. */
enum status reference_make(const struct waveform *p, enum relaxation relaxation, bool single,
                           struct reference *out);
void reference_sweep(struct reference *r); /* `now` is the next iterate */

/* Largest distances from the method without relaxation and from exp(tA) y0; NaN: not computed. */
double theory_off_limit(const struct waveform *p, const struct solution *got);
double theory_off_exact(const struct waveform *p, const struct solution *got);
/* err_v of heat1d from e_d by implicit Euler, for d > v+1. */
enum { MOST_CLOSED_FORMS = 64 };
double theory_closed_form(double h, size_t points, enum relaxation relaxation, long v);
void theory_add_radii(const struct instance *in, enum relaxation relaxation, struct judgement *out);

enum status waveform_judge(const struct instance *in, const struct solution *got,
                           struct judgement *out);
