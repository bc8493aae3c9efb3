/*
 * What a round of a job takes in its worker: measured in this run, in an earlier one on the same
 * kind of machine, of the same variant at another size, or reckoned from its work.
 */
#pragma once
#include "machine/facts.h"
#include "run/plan.h"

struct costs { /* zero: nothing is known */
    struct cost {
        const struct variant *variant;
        const char *path;
        double model, seconds; /* reckoned, and measured */
        int rounds;            /* that it took in an earlier run; 0: of this one */
    } * known;
    size_t count, room;
    /* Of this run, by place: what was reckoned and measured in all. */
    double model[4], seconds[4];
};

/* The runs of this kind of machine under results/; what cannot be read is passed over. */
void costs_of_earlier_runs(struct costs *costs, const struct facts *facts);
/* A round of the job took so many seconds; `rounds`: as in struct cost. */
void costs_learn(struct costs *costs, const struct job *job, double seconds, int rounds);
/* Seconds of one round with so many samples. */
double cost_of(const struct costs *costs, const struct job *job, int samples);
/* How many rounds of so many it takes, as an earlier run had it, or most jobs. */
int rounds_expected(const struct costs *costs, const struct job *job, int asked);
void costs_free(struct costs *costs);
