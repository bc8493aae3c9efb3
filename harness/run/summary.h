/*
 * measured.csv, made of samples.csv: when a run ends, and for whoever reads one that did not.
 */
#pragma once
#include "run/plan.h"
#include "run/rows.h"

/* Adds the whole of measured.csv to the text: a group for each job, its status row last, in the
 * order in which they first appear. Samples that no status ends are left out: a round was cut off.
 */
enum status summary_of(const struct sample *samples, size_t count, struct text *out);
