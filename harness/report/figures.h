/*
 * The figure of an exhibit, drawn by gnuplot in the folder of a run.
 */
#pragma once
#include "report/page.h"
#include "verdict/verdict.h"

/* Draws it and puts it on the page; nothing if the exhibit has none, or no number to draw. Sets
 * *failed where gnuplot is missing or fails, which the page says too. */
enum status add_figure(const struct verdicts *all, const struct exhibit *e, struct page *page,
                       bool *failed);
