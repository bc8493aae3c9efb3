/*
 * The tables of an exhibit's case: what was printed and what was reproduced, speed-ups, what is
 * printed beside the times, and the parts of the times. And a paper's table as it is printed.
 */
#pragma once
#include "base/grid.h"
#include "verdict/verdict.h"

enum { MOST_TABLES = 5 };
struct titled_grid {
    const char *title; /* interned */
    struct grid grid;  /* to be freed */
    bool detail;       /* says more of what the one before has */
};
/* How many there are: those that have something to say. On the page a number leads to its row of
 * compared.csv, as "rLINE". */
int case_tables(const struct verdicts *all, const struct exhibit *e, const char *of,
                struct titled_grid out[MOST_TABLES]);

/* What a job would take that no plan has: the time of one of its steps, times the steps that
 * another variant takes; NaN for others. It is shown and decides nothing, for it is no measurement.
 */
double projected_time(const struct verdicts *all, const struct cell *c);

/* A run in a table of several. */
struct shown_run {
    const char *name;   /* what its columns are called */
    const char *folder; /* of its pages, from where the table stands, ends by a slash; "": none */
    const struct verdicts *all;
};
/* A table as the paper prints it: a row for each size, its columns, and beside each what the runs
 * have. Of several exhibits, which a paper shows in one table, and of one case or, if that is null,
 * of all. False: these print nothing. */
bool printed_table(const struct exhibit *const *exhibits, int count, const char *of,
                   const struct shown_run *runs, int run_count, struct grid *grid);
