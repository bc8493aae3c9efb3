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
    double inner;                /* times that an iteration was gone through, at all points */
    double *y, *y1, *next;       /* [d] now, before, room */
    double *f, *f1, *f2, *fixed; /* [d] R y + g at n+1, n, n-1; room */
};
enum status stepper_make(const struct waveform *p, struct stepper *out);
enum status stepper_next(struct stepper *s); /* ERR_DIVERGED: it does not find the next point */

/* Component i of M y + g at point n; `sum` is that of y, where `all` is not 0. */
double reference_product(const struct waveform *p, enum relaxation relaxation,
                         const struct scheme *of, const double *y, double sum, size_t i, size_t n);
double reference_sum(const struct waveform *p, const double *y); /* 0 where `all` is */

enum { MANY = 4096 }; /* components from which on a loop over them is worth several threads */

/* What an impulse in F does to y of each component, by size: at once, after one point, after two,
 * and then at each point `slow` times as much as before; and of all that there is an echo at each
 * further point, `fast` times as large. They are the sizes of the roots of z^2 = q1 z + q2. */
struct response {
    double *by[3], *slow, *fast; /* [d] each, one behind the other */
};

/* The iterates as whole waveforms, one after the other, and how far a variant of this precision may
 * be from them. */
struct reference {
    struct memory memory;
    const struct waveform *p;
    enum relaxation relaxation;
    bool single;
    struct scheme scheme; /* in numbers that the variant has, as is `all` */
    double all;           /* of A */
    double *own;          /* [bands][d] of the scheme, where they are rounded */
    struct response response;
    double unit, tiny; /* of rounding: relative, and where numbers are too small for that */
    double product;    /* of a product with M: relative to what the sizes of its terms add up to */
    /* [N][d], none of them in `memory`: the iterates, and how far the variant may be from them */
    double *old, *now, *old_bound, *bound;
    double *sums, *sum_bounds; /* [N] of `old` over components, where `all` is not 0 */
    size_t sweeps;
    double err, err_bound;       /* largest |now - old|; how far the variant may be from that */
    double start, size, largest; /* |y|: of y^0, of `now`, and of all iterates so far */
    double reach;                /* what no number that the variant met in this sweep exceeds */
};
/* `now` is y^0. */
enum status reference_make(const struct waveform *p, enum relaxation relaxation, bool single,
                           struct reference *out);
void reference_sweep(struct reference *r); /* `now` is the next iterate */
void reference_free(struct reference *r);  /* of a half-built one too */

/* What a sweep says of its correction. */
struct moved {
    double err, bound;
};
/* The same after `count` sweeps, the last; it keeps `now` and `bound` alone. `out` is zeros, or has
 * memory for these two. */
enum status reference_run(const struct waveform *p, enum relaxation relaxation, bool single,
                          struct moved *corrections, size_t count, struct reference *out);
/* Memory for them from one of the same data, which is of no more use. */
void reference_inherit(struct reference *to, struct reference *from);

/* What the judge keeps of an instance, by the first number of its key; next to it the amplitude, if
 * that matters. */
enum { ITERATES, LIMIT_OF_ITERATES, EXACT_SOLUTION, RADIUS_OF_ITERATION };

/* Largest distances from the method without relaxation and from exp(tA) y0; NaN: not computed. */
double theory_off_limit(const struct waveform *p, const struct solution *got);
double theory_off_exact(const struct waveform *p, const struct solution *got);
/* Returns that of the iteration: if it is below 1, corrections fall in the end, but for their
 * rounding. NaN: not known. */
double theory_add_radii(const struct instance *in, enum relaxation relaxation,
                        struct judgement *out);

/* Of direct stepping, in units of what rounding can explain; and the largest size of a value. NaN
 * after NaN. */
enum status direct_error(const struct waveform *p, const struct solution *got, double *error,
                         double *most);

enum status waveform_judge(const struct instance *in, const struct solution *got,
                           struct judgement *out);
