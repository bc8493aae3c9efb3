/*
 * The noise from one run of a program to the next, which no round within a run can see: what
 * repeated runs say of it, job by job, and how far apart two runs may be by noise alone.
 *
 * A job's noise is one of some levels. How the jobs of a kind share among the levels is fitted to
 * their repetitions; what a job showed itself then says which of them are likely its own. So many
 * quiet jobs are not blinded by a few noisy ones, and a job of which little is known has what its
 * kind has. A level comes in two ways: as normal noise, or as modes, where a job stays as it was
 * in one run of two.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { NOISE_LEVELS = 22 };
struct noise { /* standard deviations of the logarithm of a time, and how likely each is */
    int count;
    double deviation[NOISE_LEVELS], share[NOISE_LEVELS];
};

struct difference { /* of two runs of a job */
    size_t job;
    double change, error; /* logarithm of the ratio of its times, and the rounds' standard error */
    bool unlike;          /* the programs were not the same, so it may have changed */
};

extern const struct noise no_noise;
struct noise noise_known(double deviation);
struct differences {
    const struct difference *list;
    size_t count;
};
/* What the repeated runs say of the jobs 0 to jobs - 1, all of a kind of which so much is assumed:
 * of_job[jobs], and the kind. The differences of the two runs at hand, one a job, say something of
 * the kind alone, of jobs without any other, as far as their closer half goes: others may be what
 * is looked for, and a common change is no noise. False: no memory. */
bool noise_fit(struct differences repeated, struct differences at_hand, size_t jobs, double assumed,
               struct noise *of_job, struct noise *of_kind);
/* The level below which that share of it lies. */
double noise_quantile(const struct noise *noise, double share);
/* How far apart, in logarithms, two runs are in one of a hundred cases by noise and by a normal
 * error of this standard deviation. */
double noise_half(const struct noise *noise, double error);
/* The normal noise that keeps two runs as far apart in such cases. */
double noise_deviation(const struct noise *noise);
