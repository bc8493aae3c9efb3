/*
 * The verbs history and generations; they return the exit status.
 */
#pragma once
#include "compare/why.h"

struct history_options {
    const char *folders[64];
    int folder_count;
    struct selection selection;
    bool told[MOST_GLOBS]; /* the glob is a word of the command line, and of no file */
    const char *format;    /* text, markdown, csv, json */
    double noise;          /* as compare_options.noise */
};
/* Sets the globs that match a job of the run. */
void globs_mark(const struct history_options *options, const struct folder *run, bool *matched);
/* OK: each word that is no folder matches a job. One of a file may be of other runs than these. */
enum status globs_check(const struct history_options *options, const bool *matched);
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
