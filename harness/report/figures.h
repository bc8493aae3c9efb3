/*
 * The figures of a report.
 */
#pragma once
#include "base/core.h"
#include "report/page.h"
#include "verdict/verdict.h"

struct figures { /* those that were not drawn, and why */
    struct names ids, whys;
};
/* Draws the figures of all exhibits that have one and something to draw, and the roofline, several
 * at once: figures/EXHIBIT.gp with what it loads and what it draws of measured.csv, the .svg and,
 * but for a site, the .png that gnuplot makes of it. `folder` has the run's compared.csv and
 * fields. A figure that is there stays until there is another one. `out` is to be freed also on
 * failure. */
enum status draw_figures(const struct verdicts *all, const char *folder, bool of_site,
                         struct figures *out);
/* On standard error, a line for each reason. */
void figures_say(const struct figures *figures, const char *folder);
void figures_free(struct figures *figures);
/* The exhibit's figure, if it has one, onto the page, which says so where it was not drawn. */
enum status add_figure(const struct verdicts *all, const struct exhibit *e, const char *folder,
                       struct page *page, const struct figures *figures);
/* A section of its own: operations a byte against the rate, below the ceilings of the run, a point
 * for each variant of each family; nothing where nothing has a time. */
enum status add_roofline(const struct verdicts *all, const char *folder, struct page *page,
                         const struct figures *figures);
