/*
 * What a round of a job takes in its worker: measured in this run, in an earlier one on the same
 * kind of machine or, for a GPU of which there is none, on others, of the same variant at another
 * size, or reckoned from its work.
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
    /* First rounds of this run, by place: what was expected and what was measured in all. */
    double expected[4], seconds[4];
};

/* The runs of this kind of machine under results/; what cannot be read is passed over. */
void costs_of_earlier_runs(struct costs *costs, const struct facts *facts);
/* A round of the job in this run took so many seconds. */
void costs_learn(struct costs *costs, const struct job *job, double seconds);
/* Seconds of one round with so many samples. */
double cost_of(const struct costs *costs, const struct job *job, int samples);
/* The rounds of so many asked for that are worth their time, when one takes so many seconds, and a
 * solve of it so many: one of what is slow, whose noise is small beside its time; three at least of
 * the rest, and more of what is quick. All if no precision will do (0). */
int rounds_worth(int asked, double precise, double round, double solve);
/* Seconds of so many rounds, the next of which takes so many and is the job's first, or not: the
 * first one is judged on published data, and whether its bits repeat. */
double cost_of_rounds(double next, bool first, int rounds);
/* How many of those asked for the job takes, when a round takes so many seconds: as an earlier run
 * had it, or as most jobs do. */
int rounds_expected(const struct costs *costs, const struct job *job, int asked, double precise,
                    double round);
void costs_free(struct costs *costs);
