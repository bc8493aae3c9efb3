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
                           `run --self` measured, or what is assumed */
    const char *format; /* text, markdown, json, junit, github */
    bool confirm; /* runs what is slower again, if this is the program and the machine of `now` */
};
/* 0, 1 wrong or missing, 3 confirmed slower, 4 a cell that must agree differs. */
int compare_runs(const struct compare_options *options);
/* The verdict on a job of two runs that have it, before it is confirmed. */
const char *finding_between(const struct side *base, const struct side *now_,
                            const struct key *job);
/* Compares a run with its repetition in FOLDER/self, and notes in the run how far the two are apart
 * beyond what their rounds explain. */
enum status measure_noise(const char *folder);
