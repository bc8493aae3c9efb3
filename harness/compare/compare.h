/*
 * The verb compare; it returns the exit status.
 */
#pragma once
#include "compare/side.h"
#include "run/plan.h"

struct compare_options {
    const char *base, *now; /* folders; `base` may be published:MACHINE */
    const char *gate;       /* words of what gives a bad exit status */
    struct selection selection;
    double noise;       /* from run to run: standard deviation of the logarithm of a time; NaN: what
                           repeated runs say of each job */
    const char *format; /* text, markdown, json, junit, github */
    bool confirm;  /* runs what is slower again, if this is the program and the machine of `now` */
    double budget; /* seconds for more rounds of what is unclear, before that; 0: none */
    /* The program of `base`, whose rounds then take turns with ours; or null. */
    const char *against;
};
/* 0, 1 wrong or missing, 3 confirmed slower, 4 a cell that must agree differs. */
int compare_runs(const struct compare_options *options);

/* Two runs, which stay the caller's, and what is known of the noise between them, as it is given
 * or, if that is NaN, also from folders of earlier runs. Null: no memory. */
struct sides *sides_between(const struct side *base, const struct side *now_, double noise,
                            const char *const *earlier, int count);
/* The verdict on a job that both have, before it is confirmed. */
const char *finding_between(const struct sides *all, const struct key *job);
void sides_free(struct sides *all);

/* Says what a run and its repetition in FOLDER/self show of the noise from run to run. */
enum status measure_noise(const char *folder);
