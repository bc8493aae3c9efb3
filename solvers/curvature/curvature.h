/*
 * The family curvature: graphs that move by mean curvature or by Willmore flow, by complementary
 * finite volumes in space and Merson's adaptive method in time. What the problems, the variants and
 * their kernels tell each other.
 *
 * Grid: N1 x N2 cells, nodes (i,j), i in 0 .. N1 along x, j in 0 .. N2 along y, value (i,j) at
 * i*(N2+1) + j. What is computed are interior nodes; a closure gives the others.
 */
#pragma once
#include "reprise.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    STAGES = 5,
    MOST_TIMES = 1000,
    DERIVATIVES = 5,
    PROBE = 3,
    LEAST_LISTED = 256,
    MOST_LISTED = 4096
};

enum flow { MEAN_CURVATURE, WILLMORE };
/* The integrator in time. That of Bogacki and Shampine is a library's, whose control of the steps'
 * lengths is its own. */
enum method { MERSON, CHEBYSHEV, BOGACKI_SHAMPINE };
enum boundary { DIRICHLET, NEUMANN }; /* NEUMANN: a boundary node has its neighbour's value */

struct curvature {
    size_t n1, n2;    /* cells along x and y */
    double a, h1, h2; /* both axes begin at a */
    enum flow flow;
    enum boundary boundary;
    bool forced; /* the known solution and its forcing; else no forcing */
    int power;   /* n, r and sigma of the known solution */
    double r, sigma;
    double eps, tau0;
    bool fixed;    /* every step is tau0, and none is rejected */
    long attempts; /* ends there, wherever it is; 0: at the last time */
    bool probes;   /* ends after the first field of the answer */
    int count;     /* times at which the field is kept, the last one is the end */
    double times[MOST_TIMES];
    double amplitude;    /* of the known solution or the initial data; 1 unless varied */
    struct shelf *shelf; /* of the judge; of an instance alone */
    const double *phi0;  /* [nodes] the user's field at t = 0; null: the problem's */
    double phi0_most;    /* the largest of them; 0: there are none */
};

/* A solution has fields of (N1+1)(N2+1) values: first the one after PROBE accepted steps, or after
 * all if they are fewer, which is cheap to verify at any size; then one for each time, or, if the
 * attempts are limited, one for the end. Behind them stands which steps were taken: a list of the
 * first attempts, the longer one of the last two accepted steps, and the numbers of accepted and
 * rejected ones. An attempt takes two places, its length in the solution's precision and the rest
 * of it, negative if it was rejected; both are 0 after the last one. Before the last three numbers
 * there are two parts of another, of the evaluations of the right-hand side, or 0 if the steps are
 * MERSON's, and the number of the method. The judge follows the list:
 * which steps the control takes hangs on the last bit, so a variant that rounds in its own way
 * takes others, and they are as right. */
size_t curvature_nodes(const struct curvature *p);
size_t curvature_fields(const struct curvature *p); /* the first one included */
size_t curvature_listed(const struct curvature *p); /* attempts that the list has room for */
size_t curvature_count(const struct curvature *p);  /* values of a solution */
/* Attempts up to which all of an answer is computed again; beyond, its first field. */
double curvature_affordable(const struct curvature *p);
/* The largest rate of a mode of the flow's linear part. */
double curvature_rate(const struct curvature *p);

/* As the parameters give them, amplitude 1; ERR_ARGS with a sentence if they do not fit. */
enum status curvature_setup(const struct params *at, struct curvature *out);

/* --- the problem's data, computed in double, or finer, and rounded once for all variants --- */

/* The field at t = 0, boundary included, [nodes]. */
void curvature_initial_s(const struct curvature *p, float *u);
void curvature_initial_d(const struct curvature *p, double *u);
/* Its rows first .. end-1. */
void curvature_initial_rows_s(const struct curvature *p, size_t first, size_t end, float *u);
void curvature_initial_rows_d(const struct curvature *p, size_t first, size_t end, double *u);
/* Derivatives 0 .. 4 of the known solution's factors along x and y:
 * x[i*DERIVATIVES + k], i in 0 .. N1, and y[k*(N2+1) + j], j in 0 .. N2; zeros if not forced. */
void curvature_tables_s(const struct curvature *p, float *x, float *y);
void curvature_tables_d(const struct curvature *p, double *x, double *y);
void curvature_factor(const struct curvature *p, double x, double *out); /* [DERIVATIVES] */
double curvature_start(const struct curvature *p, size_t i, size_t j);   /* where not forced */
/* Of a node's factors x and y [DERIVATIVES] what the forcing is made of: XY, sigma and the
 * coefficients of P, as rational.c has them, [RATIONAL]. */
#define RATIONAL(flow) ((flow) == WILLMORE ? 7 : 4)
void curvature_rational(const struct curvature *p, const double *x, const double *y, double *out);
/* The same of all nodes, out[k * nodes + at]; zeros if not forced. */
void curvature_rationals_s(const struct curvature *p, float *out);
void curvature_rationals_d(const struct curvature *p, double *out);

/* --- the method --- */

/* k_s = f(t + node_s tau, u + tau sum_j weight_sj k_j); the new u is u + tau sum_j result_j k_j;
 * the error of the step is the largest |tau sum_j error_j k_j| over the interior. */
struct tableau {
    int stages;
    double node[STAGES], weight[STAGES][STAGES], result[STAGES], error[STAGES];
};
extern const struct tableau merson, bogacki_shampine;
/* Largest tau times a linear mode's rate that the method bears. There it multiplies the mode by -1,
 * and its estimate of the error is (tau rate)^5/720 of it. */
#define STABLE 3.548

/* What a variant does when the host drives its steps. */
struct solver_calls {
    /* k_s of a step from t of length tau; of CHEBYSHEV all stages, and s = 0 */
    enum status (*stage)(void *state, int s, double t, double tau);
    enum status (*error)(void *state, double tau, double *e); /* the largest; not finite: too big */
    enum status (*accept)(void *state, double tau, double t); /* u at the new t, boundary too */
    enum status (*keep)(void *state, size_t field);           /* u is this field of the answer */
};
struct tally {
    double accepted, rejected;
    double stride;             /* the longer one of the last two accepted steps, or 0 */
    double taken[MOST_LISTED]; /* lengths of the first attempts; negative: rejected */
    enum method method;
    double evaluations; /* of the right-hand side */
};
enum status curvature_diverged(const struct curvature *p, double t); /* the sentence for it */
/* All steps of a run, each with an estimate below eps; ERR_DIVERGED where no step is short enough.
 */
enum status curvature_run(const struct curvature *p, enum method method, double eps,
                          const struct solver_calls *calls, void *state, struct tally *out);

enum status curvature_judge(const struct instance *in, const struct solution *got,
                            struct judgement *out);
extern const struct problem curvature_problems[];
extern const struct variant curvature_variants[];
extern const struct family curvature_family;

/* What the variants do, in either precision. */
extern const struct calls curvature_omp_rkc_s, curvature_gpu_rkc_s;
extern const struct calls curvature_omp_rkc_d, curvature_gpu_rkc_d;
extern const struct calls curvature_gpu_resident_s, curvature_gpu_resident_d;
extern const struct calls curvature_gpu_ranks_s, curvature_gpu_ranks_d;
extern const struct calls curvature_cpu1_s, curvature_cpun_s, curvature_gpu_s, curvature_gpu_coop_s;
extern const struct calls curvature_arkode;
extern const struct calls curvature_cpu1_d, curvature_cpun_d, curvature_gpu_d, curvature_gpu_coop_d;

#ifdef __cplusplus
}
#endif
