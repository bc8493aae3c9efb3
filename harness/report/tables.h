/*
 * The tables of an exhibit's case: what was printed and what was reproduced, speed-ups, what is
 * printed beside the times, and the parts of the times. And a paper's table as it is printed.
 */
#pragma once
#include "base/grid.h"
#include "verdict/verdict.h"

/* The cell was measured, and so has a row on the page. */
bool has_row(const struct cell *cell);
/* To that row on the page itself, as "rLINE"; or, from where `folder`, "./RUN/", leads to the pages
 * of a run, on that of its exhibit. "": null, or not measured. */
const char *row_link(const struct verdicts *all, const struct cell *cell, const char *folder);
/* "A single, B double": what the exhibit has cells of, but no number, and its tables no column; ""
 * if nothing, interned. */
const char *without_numbers(const struct verdicts *all, const struct exhibit *e);

enum { MOST_TABLES = 5 };
struct titled_grid {
    const char *title; /* interned */
    struct grid grid;  /* to be freed */
    bool detail;       /* says more of what the one before has */
};
/* How many there are: those that have something to say. On the page what was measured leads to its
 * row of compared.csv, as "rLINE"; what was printed stands before it, what is made of it below it
 * or behind a name that leads there. */
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
