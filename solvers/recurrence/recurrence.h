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

/* The problems' codes. ALTERNATING: every number on the way is a small integer, and rounding
 * explains nothing. */
enum { ALTERNATING, DAMPED, PREFIX, USER };

struct recurrence {
    size_t n;
    int m;               /* order, 1 .. MAX_ORDER */
    double a[MAX_ORDER]; /* a[j-1] is the coefficient of x_{k-j} */
    int code;            /* enum f_code */
    uint64_t seed;       /* of f, if it is random */
    double amplitude;    /* of f; 1 unless varied */
    double *f;           /* [n] the user's; null: not given */
    bool tiny;           /* all of the user's f */
};

/* m and a[0..m-1] as the parameters give them; a[MAX_ORDER]. */
enum status recurrence_coefficients(const struct params *at, int *m, double *a);

/* r columns of s unknowns each, r s <= n, with s = ratio r unless the parameters say otherwise; the
 * rest is the remainder. s >= m, or r = 1. ERR_ARGS with a sentence if they do not fit. */
enum status recurrence_shape(const struct params *at, double ratio, size_t *r, size_t *s);
/* From one column of BLAS to the next, in values of so many bytes. */
size_t recurrence_pitch(const struct params *at, size_t size, size_t s);

/* x[0..n-1] = f, as the stored type, in natural order, all cores. */
void recurrence_fill_s(const struct recurrence *p, float *x);
void recurrence_fill_d(const struct recurrence *p, double *x);
/* The same of f[first] .. f[first + count - 1], by the thread that calls. */
void recurrence_fill_part_s(const struct recurrence *p, size_t first, size_t count, float *x);
void recurrence_fill_part_d(const struct recurrence *p, size_t first, size_t count, double *x);

extern const struct problem recurrence_problems[];
extern const struct variant recurrence_variants[];
extern const struct family recurrence_family;

extern const struct calls recurrence_seq_s, recurrence_seq_d, recurrence_seq_omp_s,
    recurrence_seq_omp_d, recurrence_blas_s, recurrence_blas_d, recurrence_blas_omp_s,
    recurrence_blas_omp_d, recurrence_hybrid_s, recurrence_hybrid_d, recurrence_limit_s,
    recurrence_limit_d, recurrence_limit_ranks_s, recurrence_limit_ranks_d, recurrence_cumsum_s,
    recurrence_cumsum_d, recurrence_cub_sum_s, recurrence_cub_sum_d, recurrence_cub_affine_s,
    recurrence_cub_affine_d, recurrence_cub_matrix_s, recurrence_cub_matrix_d;

#ifdef __cplusplus
}
#endif
