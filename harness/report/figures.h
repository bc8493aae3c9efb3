/*
 * The figures of a report.
 */
#pragma once
#include "report/page.h"
#include "verdict/verdict.h"

/* Draws the figures of all exhibits that have one and something to draw, and the roofline, several
 * at once: figures/EXHIBIT.gp with what it loads, the .svg and, but for a site, the .png that
 * gnuplot makes of it. `folder` has the run's compared.csv, measured.csv and fields. */
enum status draw_figures(const struct verdicts *all, const char *folder, bool of_site);
/* The exhibit's figure, if it has one, onto the page. Where it was not drawn the page says so, and
 * `failed` becomes true. */
enum status add_figure(const struct verdicts *all, const struct exhibit *e, const char *folder,
                       struct page *page, bool *failed);
/* A section of its own: operations a byte against the rate, below the ceilings of the run, a point
 * for each variant of each family; nothing where nothing has a time. */
enum status add_roofline(const struct verdicts *all, const char *folder, struct page *page,
                         bool *failed);
