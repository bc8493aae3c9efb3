/*
 * A process that solves, judges and times what it is asked to; and what solve shares with it.
 */
#pragma once
#include "base/record.h"
#include "machine/facts.h"
#include "run/answer.h"
#include "run/limits.h"
#include "run/stock.h"

struct task { /* one job, one round */
    struct job job;
    const char *folder; /* of the run, for the fields of figures */
    uint64_t seed;
    int round, samples; /* samples 0: judged, not timed; 1: quick */
};

/* Solves, judges, times and judges again; adds the sample rows, the status row last. */
enum status task_run(const struct task *task, struct limits *limits, const struct facts *facts,
                     struct stock *stock, struct text *rows);
/* Whether a job's round with answers of so many bytes is judged: its first one is, and small ones
 * are. To judge large ones takes longer than to measure, so of later rounds one in three is, drawn:
 * who computes less in some of them cannot know in which. */
bool judges_round(int round, size_t bytes);
int worker_main(int argc, char **argv);
