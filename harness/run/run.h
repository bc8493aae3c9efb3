/*
 * The verb run; it returns the exit status.
 */
#pragma once
#include "run/plan.h"

struct run_options {
    struct selection selection;
    const char *out, *thread_order, *order, *retry, *launcher;
    int rounds, samples;
    const int *rounds_each; /* of the jobs of each glob of the selection, at most; or null */
    double budget, timeout;
    double precise; /* half of an interval, as a share of the time, that is narrow enough */
    uint64_t seed;
    bool resume, quick, lock_clocks, energy;
    const char *against; /* another program, whose rounds take turns with ours; or null */
    /* What the papers say to an exhibit of the run in this folder, in words that follow on others;
     * or null. */
    const char *(*verdict)(const char *folder, const char *exhibit);
    bool self; /* everything once more, into FOLDER/self, to measure the noise */
};
/* *folder: where the rows are, null if there are none. */
int run_plan(struct run_options *options, const char **folder);
