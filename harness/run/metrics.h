/*
 * The names of the harness's own metrics, which a judge may not use, and which of a job's rows are
 * what its judge said.
 */
#pragma once
#include "reprise.h"

/* Whether samples of this name are summarised by the first one, as what a judge says is: a judge's
 * own metrics, and those that the harness writes beside them. */
bool is_judged(const char *metric);
/* Adds h, steps and useful, where the judge gave them, to its metrics. */
void add_own_metrics(struct judgement *out);
