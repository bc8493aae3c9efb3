/*
 * The family bvp: -u'' = f on [0,1], u'(0) = 0, u(1) = 0, as two prefix sums of length n.
 * What the problems, the variants and their kernels tell each other.
 */
#pragma once
#include "reprise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of an answer, beside its error: the largest residual of (4), |u_i| and |d_i|, and of the solution
 * for |f| the largest value, its first. */
enum { RESIDUAL, LARGEST_U, LARGEST_D, SIZE, CANCELLED };

struct bvp {
    size_t n, r, s;   /* r columns of s unknowns each, r s <= n; the rest is the remainder */
    int block;        /* threads per block */
    int code;         /* enum rhs_code: RHS_P1, RHS_P2 or RHS_INPUT */
    bool historical;  /* arithmetic of the GPU of 2010, in single and mixed kernels */
    bool paper;       /* reference with the paper's float pi where it had one */
    double amplitude; /* of the right-hand side; 1 unless varied */
    double inherent;  /* relative l2 error of the exact solution of the discrete system; 0 for f */
    double *f;        /* [n] right-hand side at x_1 .. x_n, the user's or held; else null */
    bool drawn;       /* f is rhs_stored(), which nobody need hold */
    bool large;       /* some of the user's f is beyond 1 */
    double late;      /* n times the sum of |d_i|, over that of (n - i) |d_i|: at most */
    int judgements;   /* so far */
    double *waves[2]; /* [n] of the exact solution, for the judge; null: not kept */
};

/* r and s as the parameters give or imply them; untouched when the status is not OK. */
enum status bvp_shape(const struct params *at, size_t *r, size_t *s);

/* From then on b->f is there where the code is RHS_INPUT. For plan(), of what reads it. */
enum status bvp_hold_f(const struct instance *in);

/* The exact solution of the discrete system by plain long double sums; u[n]. The yardstick. */
void bvp_discrete_solution(const struct instance *in, long double *u);

extern const struct problem bvp_problems[];
extern const struct variant bvp_variants[];
extern const struct family bvp_family;

extern const struct calls bvp_a1_s, bvp_a1_d, bvp_a2_s, bvp_a2_d, bvp_a2_sd, bvp_a1_omp, bvp_dptsv,
    bvp_cumsum, bvp_cub_sums_s, bvp_cub_sums_d, bvp_gtsv2_s, bvp_gtsv2_d, bvp_limit_s, bvp_limit_d,
    bvp_limit_sd, bvp_limit_ranks_s, bvp_limit_ranks_d, bvp_limit_ranks_sd;

/* Unknowns of a warp of A2-limit on this device, and of A2-limit-ranks. */
size_t bvp_limit_run_s(const struct bvp *b);
size_t bvp_limit_run_d(const struct bvp *b);
size_t bvp_limit_run_sd(const struct bvp *b);
size_t bvp_limit_ranks_run_s(const struct bvp *b);
size_t bvp_limit_ranks_run_d(const struct bvp *b);
size_t bvp_limit_ranks_run_sd(const struct bvp *b);

#ifdef __cplusplus
}
#endif
