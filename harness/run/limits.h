/*
 * What a machine gives at best, as its ceilings say, and how long a job's work takes at that.
 */
#pragma once
#include "run/plan.h"

struct limits {                                         /* NaN: not measured */
    double bytes_per_s[2], flops_per_s[2][2], launch_s; /* [host, device][single, double] */
    double sent_per_s, word_s;                          /* from card to card */
};

extern const struct limits no_limits;

/* A ceiling was measured once more: the best counts. */
void limits_learn(struct limits *limits, const struct job *ceiling, double seconds);
/* As one word, which a worker begins with; `limits` stay as they are where it is none. */
const char *limits_print(const struct limits *limits);
void limits_parse(const char *word, struct limits *limits);
enum ceiling { OF_MEMORY, OF_ARITHMETIC, OF_LAUNCHES, CEILINGS };
/* Seconds that each part of so much work takes at least; NaN where no ceiling says it. */
void limit_parts(const struct limits *limits, const struct variant *variant,
                 const struct work *work, double seconds[CEILINGS]);
/* The longest of them, and of what cards tell each other: at best all go on at once. */
double limit_seconds(const struct limits *limits, const struct variant *variant,
                     const struct work *work);
/* The least that the job's task takes, whatever the algorithm; of several cards, each one's part.
 * All 0: the family does not say. */
struct work work_of_task(const struct job *job);
/* What a run of so many steps took, if the work counts steps. */
struct work work_of_steps(const struct work *work, double steps);
