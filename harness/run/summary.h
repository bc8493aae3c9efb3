/*
 * The rows of measured.csv that a job's rows of samples.csv give.
 */
#pragma once
#include "run/plan.h"
#include "run/rows.h"

/* Adds a job's group of measured.csv, its status row last, made of its `count` >= 1 samples, of
 * which the last is the status of a round. */
enum status measured_group(const struct job *job, const struct sample *samples, size_t count,
                           struct text *out);
