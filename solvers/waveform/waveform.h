/*
 * The family waveform: y' = A y + g, y(0) = y0, on a grid of N points in time, by relaxation of the
 * whole waveform: from an iterate y^v in all points the next one, by a linear multistep method.
 * What the problems, the variants and their kernels tell each other.
 *
 * A = D + R with D its diagonal. Picard has all of A y^v on the right; Jacobi has R y^v there and
 * solves for D. Components do not see each other within a sweep:
 *   F[m]       = (M y^v)[m] + g[m],  M = A (Picard) or R (Jacobi)
 *   y^{v+1}[m] = q1 y^{v+1}[m-1] + q2 y^{v+1}[m-2] + w (b0 F[m] + b1 F[m-1] + b2 F[m-2])
 * for m = k .. N-1, with q1, q2 and w of each component; the first k values are never iterated.
 */
#pragma once
#include "reprise.h"

#include "../common/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HEAT1D, HEAT2D, CONTROL, USER }; /* codes of the problems */

/* Codes of the variants; DIRECT has no iteration: it steps from point to point. */
enum relaxation { PICARD, JACOBI, DIRECT };

enum outcome { CONVERGED = 1, AT_NMAX, STAGNATED, NONFINITE };

enum { MAX_BANDS = 4 }; /* beside the diagonal */

/* A is `all` in every place, beside it the bands are added, and on the diagonal it is `diagonal`.
 */
struct waveform {
    struct memory memory;
    size_t d, points; /* components; N of the paper, times n h with h = T/(N-1) */
    double h, tol;
    long nmax; /* of iterations, at most */
    int method;
    bool dense; /* A is stored as d x d numbers; else its bands, and `all` */
    int block;  /* threads */
    int bands;
    ptrdiff_t offset[MAX_BANDS]; /* band[b][i] belongs to A_{i, i+offset[b]} */
    double *band[MAX_BANDS];     /* [d] beyond `all`, 0 where there is no such column */
    double *diagonal; /* [d], before the bands; -inf where its value is beyond the range */
    double all;
    double *full;        /* [d][d] of `user`; or null */
    double *g;           /* [d][N]; or null: 0 */
    double *y0;          /* [d] */
    double *y1;          /* [d] the second value that two-step methods start from; or null */
    double amplitude;    /* of y0, y1 and g: everything is linear; 1 unless varied */
    struct shelf *shelf; /* of the judge; of an instance alone */
};

/* A solution has d N values, y at i*N + n, and then, so that a judge sees how it came about, the
 * relaxation, the number of iterations, the outcome, and err_1 .. err_nmax (NaN beyond the last):
 * err_v is the largest |y^v - y^{v-1}| over all i and n. */
enum { TRAILER = 3 };

/* What a relaxation of this problem by its method needs, in double, for the variants to round. */
struct scheme {
    int steps;               /* k, 1 or 2 */
    double b[3];             /* h beta, by lag; 0: F of that lag is not needed */
    double *q1, *q2, *w;     /* [d]; q1 is where all begin */
    double *centre;          /* [d] of M, less `all`: what stands for A_ii beside all * sum of y */
    double *band[MAX_BANDS]; /* [d], the problem's */
};
/* The owner's, whose status is returned. */
enum status waveform_scheme(const struct waveform *p, enum relaxation relaxation,
                            struct memory *owner, struct scheme *out);

/* M, row after row, [d][d], in memory of the caller's; some of its rows, [count][d]. */
void waveform_matrix_s(const struct waveform *p, enum relaxation relaxation, float *m);
void waveform_matrix_d(const struct waveform *p, enum relaxation relaxation, double *m);
void waveform_rows_s(const struct waveform *p, enum relaxation relaxation, size_t first,
                     size_t count, float *m);
void waveform_rows_d(const struct waveform *p, enum relaxation relaxation, size_t first,
                     size_t count, double *m);

/* y^0, and the values that are never iterated; g alike, if there is one. */
double waveform_first(const struct waveform *p, size_t i, size_t n);
double waveform_g(const struct waveform *p, size_t i, size_t n);

/* How far a run is. */
struct progress {
    enum relaxation relaxation;
    long iterations, idle; /* idle: since the correction was last its largest or least */
    int outcome;           /* enum outcome, 0 while it goes on */
    double unit;           /* of rounding */
    double most, least;    /* largest correction, and the least since then */
    double *err;           /* [nmax] */
};
/* The owner's, whose status says whether it is there. */
void progress_make(const struct waveform *p, enum relaxation relaxation, bool single,
                   struct memory *owner, struct progress *out);
void progress_begin(struct progress *at);
/* Takes the correction of one more iteration; NaN and infinity end the run. True: another one. */
bool progress_goes_on(const struct waveform *p, struct progress *at, double err);
/* So many more iterations are the next ones, unless a correction is below tol or not finite: who
 * looks at a correction late may run that far ahead. At least 1 while it goes on. */
long progress_sure(const struct waveform *p, const struct progress *at);
/* What direct stepping says of itself: one iteration, without correction, and it converged. */
void progress_direct(struct progress *at);
/* Whether it can be done, by one factorisation and a solve for each point; SKIPPED with the reason.
 */
enum status waveform_plan_direct(const struct instance *in, bool symmetric);
/* The trailer of a solution. */
void progress_put(const struct waveform *p, const struct progress *at, struct solution *out);

extern const struct problem waveform_problems[];
extern const struct variant waveform_variants[];
extern const struct family waveform_family;

/* What the variants do, in either precision, by relaxation; blas where there is OpenBLAS. */
extern const struct calls waveform_cpu_s[2], waveform_omp_s[2], waveform_blas_s[2],
    waveform_omp_blocked_s[2], waveform_gpu_s[2], waveform_gpu_fused_s[2],
    waveform_gpu_blocked_s[2], waveform_gpu_blocked_ranks_s[2], waveform_cublas_s[2],
    waveform_lapack_s[1], waveform_cusparse_s[1];
extern const struct calls waveform_cpu_d[2], waveform_omp_d[2], waveform_blas_d[2],
    waveform_omp_blocked_d[2], waveform_gpu_d[2], waveform_gpu_fused_d[2],
    waveform_gpu_blocked_d[2], waveform_gpu_blocked_ranks_d[2], waveform_cublas_d[2],
    waveform_lapack_d[1], waveform_cusparse_d[1];
extern const struct calls waveform_gpu_dense[2], waveform_gpu_dense_ranks[2]; /* in double alone */

#ifdef __cplusplus
}
#endif
