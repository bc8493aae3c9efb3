/*
 * The verbs history and generations; they return the exit status.
 */
#pragma once
#include "compare/side.h"
#include "run/plan.h"

struct history_options {
    const char *folders[64];
    int folder_count;
    struct selection selection;
    const char *format; /* text, markdown, csv, json */
    double noise;       /* as compare_options.noise */
};
int history_of(const struct history_options *options);
int generations_of(const struct history_options *options); /* the machines of the papers beside */

/* A variant of an exhibit on a machine of the papers beside a run: geometric means over the jobs
 * that both have. */
struct generation {
    struct key key; /* of one of them */
    const char *machine, *year;
    double jobs, speed; /* there, the run being 1 */
    double share[2];    /* of the copy bandwidth, there and in the run */
};
/* All of them, to be freed; `selection` may be null. */
enum status generations_beside(const struct side *run, const struct selection *selection,
                               struct generation **out, size_t *count);
