/*
 * The rows of measured.csv that a job's rows of samples.csv give.
 */
#pragma once
#include "base/record.h"
#include "run/plan.h"

/* Adds a job's group of measured.csv, its status row last, made of its rows of samples.csv. */
enum status measured_group(const struct job *job, const char *rows_text, struct text *out);
