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
