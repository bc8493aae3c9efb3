/*
 * The family parabolic: u_t = u_xx + u_yy + A u_x + B u_y + C u + f on the unit square, four models
 * with known solutions, on a grid coloured as a checkerboard. What the problems, the variants and
 * their kernels tell each other.
 *
 * Grid: N interior points per side, h = 1/(N+1), x_i = i h, y_j = j h, i and j in 0 .. N+1, of
 * which 0 and N+1 are the boundary. Red: i+j even; black: i+j odd. Corners are never read.
 */
#pragma once
#include "reprise.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RED, BLACK };

enum scheme_code { EI_RB, HOPSCOTCH, LITERAL, JACOBI, LEAPFROG_HOPSCOTCH };

struct parabolic {
    size_t n;         /* N */
    int model;        /* 1 .. 4 */
    int scheme;       /* enum scheme_code */
    double a;         /* of model 3 */
    bool printed_ic;  /* model 4 starts as printed, not as its exact solution */
    double dt;        /* of a step */
    size_t steps;     /* of a run */
    size_t snapshot;  /* steps after which a copy of u is kept; 0: none is */
    size_t rows;      /* of a set: one block of threads walks through them */
    double amplitude; /* of initial data, boundary and f, all of them linear; 1 unless varied */
    /* Of an instance alone: [N+2] the factor of the exact solution that both axes have; and what
     * its judge keeps. */
    const double *axis;
    const double *u0; /* [N*N] the user's initial values, as a solution's; null: the model's */
    double u0_most;   /* the largest of them; 0: there are none */
    struct shelf *shelf;
};

/* A solution has N*N values, u at (i,j) at (j-1)*N + i-1; with a snapshot that of the snapshot
 * first and then that of the end, 2*N*N. */

/* n, model, scheme and the rest as the parameters give them, amplitude 1; ERR_ARGS with a sentence
 * if they do not fit. */
enum status parabolic_setup(const struct params *at, struct parabolic *out);

/* Coefficients of models 1 .. 4. */
struct equation {
    double convection; /* A and B; of model 3, where they vary, the largest */
    double reaction;   /* C */
};
extern const struct equation parabolic_equations[5];

/* --- what the problem gives, in double --- */

double parabolic_initial(const struct parabolic *p, size_t i, size_t j); /* i, j in 0 .. N+1 */
/* The boundary is s(t) G(i,j); G without the amplitude, which s has. 0 where it is exactly 0. */
double parabolic_frame(const struct parabolic *p, size_t i, size_t j);
double parabolic_frame_factor(const struct parabolic *p, double t);

/* --- how a step goes --- */

/* Coefficients of one phase: all points of one colour, from neighbours of the other. Rounded from
 * double to the stored type, and the same for all variants. */
struct stencil_s {
    float alpha, ke, kE, kW, kN, kS, k3, f0, fx, fy, fxy, h;
};
struct stencil_d {
    double alpha, ke, kE, kW, kN, kS, k3, f0, fx, fy, fxy, h;
};

/* First the boundary: red points of it become s[RED] G, black ones s[BLACK] G. Then the phases, in
 * their order. Jacobi has one phase that reads old values of both colours: `both`. */
struct step_s {
    float s[2];
    int phases; /* 1 or 2 */
    bool both;
    int colour[2];
    struct stencil_s stencil[2];
};
struct step_d {
    double s[2];
    int phases;
    bool both;
    int colour[2];
    struct stencil_d stencil[2];
};

/* Records of a run: `steps`, or one more where the last half step stands alone. The snapshot is
 * taken after record `snapshot`, which only schemes without half steps allow. */
size_t parabolic_records(const struct parabolic *p);
void parabolic_step_s(const struct parabolic *p, size_t record, struct step_s *out);
void parabolic_step_d(const struct parabolic *p, size_t record, struct step_d *out);

/* --- what an answer is held against --- */

/* Columns i0 .. i0+width-1 of rows j0 .. j0+height-1, all of them interior. */
struct patch {
    size_t i0, j0, width, height;
};

/* The discrete solution there, by the plainest code; out[height*width], after that of the snapshot,
 * if there is one. It is computed from the patch's light cone alone. */
enum status parabolic_reference_s(const struct parabolic *p, const struct patch *patch, float *out);
enum status parabolic_reference_d(const struct parabolic *p, const struct patch *patch,
                                  double *out);

/* As struct variant has `tolerance`: how far rounding can put an answer off whose operations are
 * those of the scheme in any order, relative to its largest value. The judgement is ERR_DIVERGED
 * where that leaves no digit. */
double parabolic_rounding(const struct variant *variant, const struct instance *in,
                          const struct solution *got, struct judgement *out);

extern const struct problem parabolic_problems[];
extern const struct variant parabolic_variants[];
extern const struct family parabolic_family;

/* What the variants do, in either precision. */
extern const struct calls parabolic_cpu_s, parabolic_cpu_omp_s, parabolic_gpu_s, parabolic_gpu_rb_s,
    parabolic_gpu_rbs_s, parabolic_gpu_tb_s, parabolic_gpu_limit_s, parabolic_gpu_limit_ranks_s,
    parabolic_gpu_limit_fma_s, parabolic_gpu_sweep_s;
extern const struct calls parabolic_cpu_d, parabolic_cpu_omp_d, parabolic_gpu_d, parabolic_gpu_rb_d,
    parabolic_gpu_rbs_d, parabolic_gpu_tb_d, parabolic_gpu_limit_d, parabolic_gpu_limit_ranks_d,
    parabolic_gpu_limit_fma_d, parabolic_gpu_sweep_d;

#ifdef __cplusplus
}
#endif
