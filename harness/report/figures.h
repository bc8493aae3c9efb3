/*
 * The figures of a report.
 */
#pragma once
#include "report/page.h"
#include "verdict/verdict.h"

/* The exhibit's figure, if it has one and there is something to draw: figures/EXHIBIT.gp with what
 * it loads, the .svg and, but for a site, the .png that gnuplot makes of it, and a place on the
 * page. `folder` has the run's compared.csv, measured.csv and fields. Without gnuplot the page says
 * so, and `failed` becomes true. */
enum status add_figure(const struct verdicts *all, const struct exhibit *e, const char *folder,
                       struct page *page, bool *failed);
/* A section of its own: operations a byte against the rate, below the ceilings of the run, a point
 * for each variant of each family; nothing where nothing has a time. Drawn as the others are. */
enum status add_roofline(const struct verdicts *all, const char *folder, struct page *page,
                         bool *failed);
