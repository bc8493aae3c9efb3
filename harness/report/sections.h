/*
 * What a report and the pages of a run are made of; each adds itself to the page.
 */
#pragma once
#include "report/figures.h"

struct report {
    const char *folder, *format; /* where it is written; of the verb report, or null */
    const struct verdicts *all;
    struct page page;
    bool exhibit_page; /* of a site, that has one exhibit */
    const struct figures *figures;
};

/* Of a folder whose measured.csv is missing and would be another one now. */
const char *said_of_reworked(const struct folder *folder);
enum status write_compared(const struct report *report);
/* Tables and figure; what the exhibit is stands before them, but on a page of its own. */
enum status add_exhibit(struct report *report, const struct exhibit *e);
/* The rows of compared.csv that its numbers lead to. */
void add_rows(struct report *report, const struct exhibit *e);
void add_overview(struct report *report); /* what became of each exhibit's printed cells */
void add_ceilings(struct report *report);
void add_joules(struct report *report);
void add_claims(struct report *report);
/* Into a cell of a grid, the rows that a claim was judged on here: "5 of TABLE, 5 of FIGURE", each
 * with a link to the first of them, as row_link() has it. Nothing where none was measured. */
void claim_rows(const struct verdicts *all, const struct outcome *o, const char *folder,
                struct grid *grid, int row, int column);
void add_errata(struct report *report);
void add_missing(struct report *report);
void add_run_facts(struct report *report);
