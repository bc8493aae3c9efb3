/*
 * The verbs history and generations; they return the exit status.
 */
#pragma once
#include "compare/why.h"

struct history_options {
    const char *folders[64];
    int folder_count;
    struct selection selection;
    const char *format; /* text, markdown, csv, json */
    double noise;       /* as compare_options.noise */
};
int history_of(const struct history_options *options);
int generations_of(const struct history_options *options); /* the machines of the papers beside */

/* A variant of an exhibit on a machine of the papers, the first side, beside a run; or the fastest
 * of either. */
struct generation {
    const char *machine, *year;
    struct mean mean;
};
/* All of them, to be freed; `selection` may be null. */
enum status generations_beside(const struct side *run, const struct selection *selection,
                               struct generation **out, size_t *count);
