/*
 * The tables of an exhibit's case: what was printed and what was reproduced, speed-ups, what is
 * printed beside the times, and the parts of the times.
 */
#pragma once
#include "base/grid.h"
#include "verdict/verdict.h"

enum { MOST_TABLES = 4 };
struct titled_grid {
    const char *title; /* interned */
    struct grid grid;  /* to be freed */
};
/* How many there are: those that have something to say. On the page a number leads to its row of
 * compared.csv, as "rLINE". */
int case_tables(const struct verdicts *all, const struct exhibit *e, const char *of,
                struct titled_grid out[MOST_TABLES]);
