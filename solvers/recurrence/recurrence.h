/*
 * The family recurrence: x_k = f_k + a_1 x_{k-1} + ... + a_m x_{k-m}, k = 1..n, x_k = 0 for k <= 0.
 * What the problems, the variants and their kernels tell each other.
 */
#pragma once
#include "reprise.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MAX_ORDER = 16 };

struct recurrence {
    size_t n;
    int m;               /* order, 1 .. MAX_ORDER */
    double a[MAX_ORDER]; /* a[j-1] is the coefficient of x_{k-j} */
    int code;            /* enum f_code */
    uint64_t seed;       /* of f, if it is random */
    double amplitude;    /* of f; 1 unless varied */
    double *f;           /* [n] the user's; null: not given */
};

/* m and a[0..m-1] as the parameters give them; a[MAX_ORDER]. */
enum status recurrence_coefficients(const struct params *at, int *m, double *a);

/* The problem in which every number on the way is a small integer: rounding explains nothing. */
bool recurrence_is_alternating(const struct params *at);

/* r columns of s unknowns each, r s <= n, with s = ratio r unless the parameters say otherwise; the
 * rest is the remainder. s >= m, or r = 1. ERR_ARGS with a sentence if they do not fit. */
enum status recurrence_shape(const struct params *at, double ratio, size_t *r, size_t *s);

/* x[0..n-1] = f, as the stored type, in natural order, all cores. */
void recurrence_fill_s(const struct recurrence *p, float *x);
void recurrence_fill_d(const struct recurrence *p, double *x);

extern const struct problem recurrence_problems[];
extern const struct variant recurrence_variants[];
extern const struct family recurrence_family;

/* The calls of a variant; the suffix is that of the recipe. */
#define RECURRENCE_CALLS(name, suffix)                                                             \
    enum status recurrence_##name##_plan##suffix(const struct instance *in, void **state);         \
    enum status recurrence_##name##_load##suffix(void *state);                                     \
    enum status recurrence_##name##_run##suffix(void *state, struct laps *laps);                   \
    enum status recurrence_##name##_fetch##suffix(void *state, struct solution *out,               \
                                                  struct laps *laps);                              \
    void recurrence_##name##_destroy##suffix(void *state)

RECURRENCE_CALLS(seq, _s);
RECURRENCE_CALLS(seq, _d);
RECURRENCE_CALLS(seq_omp, _s);
RECURRENCE_CALLS(seq_omp, _d);
RECURRENCE_CALLS(blas, _s);
RECURRENCE_CALLS(blas, _d);
RECURRENCE_CALLS(hybrid, _s);
RECURRENCE_CALLS(hybrid, _d);

/* BLAS-omp is BLAS by another plan. */
enum status recurrence_blas_omp_plan_s(const struct instance *in, void **state);
enum status recurrence_blas_omp_plan_d(const struct instance *in, void **state);

#ifdef __cplusplus
}
#endif
