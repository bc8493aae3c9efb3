/*
 * The metrics of a judgement, and the names of the harness's own, which a judge may not use.
 */
#pragma once
#include "reprise.h"

/* Whether a job's first sample of this name goes among the rows of what its judge said: not if it
 * belongs to the times, nor if it has rows of its own. */
bool is_judged(const char *metric);
/* Adds h, steps and useful, where the judge gave them, to its metrics. */
void add_own_metrics(struct judgement *out);
