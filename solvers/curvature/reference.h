/*
 * What an answer is held against: the plainest solver of the family, and what comes of taking the
 * steps that the answer took.
 */
#pragma once
#include <stdint.h>

#include "../common/solution.h"
#include "scheme.h"

struct reference {
    const struct curvature *p;
    size_t nodes, pitch;
    struct mesh mesh;
    real *u, *v, *w, *k[STAGES]; /* [nodes]; u owns them all, and the tables */
    real *x, *y;
    uint64_t seed; /* of how it rounds; 0: to the nearest */
    enum method method;
    const struct tableau *pair; /* of a method that is one */
};

/* At t = 0. ERR_MEMORY. */
enum status P(reference_make)(const struct curvature *p, enum method method, uint64_t seed,
                              struct reference *out);
void P(reference_free)(struct reference *r); /* accepts one full of zeros */
/* All stages of a step, however many its method makes of them. */
void P(reference_stages)(struct reference *r, double t, double tau);
/* What the step's error is made of. */
struct combination P(reference_error_of)(const struct reference *r, double tau);
/* As struct solver_calls has them; a stage of a pair, or all of Chebyshev's method. */
enum status P(reference_stage)(void *state, int s, double t, double tau);
enum status P(reference_error)(void *state, double tau, double *e);
enum status P(reference_accept)(void *state, double tau, double t);

/* The fields of an answer by the control's own steps, [fields][nodes]. */
enum status curvature_reference_s(const struct curvature *p, enum method method, uint64_t seed,
                                  float *out);
enum status curvature_reference_d(const struct curvature *p, enum method method, uint64_t seed,
                                  double *out);
/* A pair's estimate of the error of a step from the field u[nodes] at time t. */
enum status P(curvature_estimate)(const struct curvature *p, enum method method, const real *u,
                                  double t, double tau, double *e);

/* What rounding can make of an answer is measured on its data, by how far runs of the reference
 * that round otherwise come from it: some rows up and others down, and with another last place of
 * what they combine; by chance, but always alike, for the rounding of a field that hardly moves is
 * always the same. There it is chance which roundings help each other; at worst all those do that
 * follow one another from u, by way of a right-hand side, to the new u. They are so many.
 *
 * An argument of those runs is off by a unit in the last place (add_row() in reference_tmpl.c)
 * where to the nearest is half of one, so that the bound is of 42 and 70 roundings to the nearest.
 * A limit variant's chain is no longer, but may have operations that round less well: in single on
 * a GPU over_root() is rsqrt.approx and over() rcp.approx (resident.h), by CUDA's manuals good to 2
 * units in the last place and 1, which are 4 and 2 such roundings. On the way of a field there is
 * one root in mean-curvature flow, and four are in Willmore flow (in w, in 1/Q^2, where it counts
 * twice, and in 1/Q): 3 and 12 roundings more. Its forcing has one quotient, and a fourth power of
 * it: 1 and 4 more. So it is 25 and 51 at most. */
static const double rounding_chain[] = {[MEAN_CURVATURE] = 21, [WILLMORE] = 35};
enum { LARGE = 40000 }; /* nodes beyond which a loop over them is worth several threads */
enum { OTHERWISE = 3 }; /* runs that round otherwise, with seeds from 1 on */

/* What came of following an answer. */
struct followed {
    bool same;    /* all attempts are the reference's own, and all bits of the fields */
    bool follows; /* each field from the one before it, but for rounding */
    bool ended;   /* it is at the answer's end */
    double accepted, rejected, evaluations;
    size_t fields;        /* that were reached */
    double most;          /* of them, the largest |reference|; a NaN, once met, stays */
    double off, rounding; /* of the worst: largest |u - reference|, and what rounding explains */
    double lost;          /* the largest that it explains; with fixed steps, since t = 0 */
    double estimate;      /* with fixed steps, at the end: of the error of one step more */
};

/* One field more: what it is off by, the reference's largest value, and what rounding can make of
 * it; a unit in the last place it may always be off by. */
static inline void followed_field(struct followed *f, double off, double most, double rounding,
                                  double unit)
{
    f->most = larger(f->most, most);
    rounding = larger(unit * f->most, rounding);
    const bool worst = !(off * f->rounding < f->off * rounding);
    f->off = worst ? off : f->off;
    f->rounding = worst ? rounding : f->rounding;
    f->lost = larger(f->lost, rounding);
    f->follows = off <= rounding;
}

/* The reference takes the attempts that the answer lists, as `claimed` has them, and behind the
 * list those of its own control if all before were so; with `first_only` up to the first field.
 * Beside it so many others that round otherwise do the same, and all go on from each field of the
 * answer; without any it stops at the first attempt that is not its own. WRONG where the control
 * cannot ask for an attempt or decide so about it, even if errors are known but for rounding;
 * ERR_DIVERGED where the reference leaves the range. */
enum status curvature_follow_s(const struct curvature *in, const struct solution *got,
                               const struct tally *claimed, bool first_only, size_t others,
                               struct followed *out);
enum status curvature_follow_d(const struct curvature *in, const struct solution *got,
                               const struct tally *claimed, bool first_only, size_t others,
                               struct followed *out);
