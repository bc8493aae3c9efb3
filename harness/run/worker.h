/*
 * A process that solves, judges and times what it is asked to; and what solve shares with it.
 */
#pragma once
#include "base/record.h"
#include "machine/facts.h"
#include "machine/timing.h"
#include "run/limits.h"

struct task { /* one job, one round */
    struct job job;
    const char *folder; /* of the run, for the fields of figures */
    uint64_t seed;
    int round, samples; /* samples 0: judged, not timed; 1: quick */
};

/* Solves, judges, times and judges again; adds the sample rows, the status row last. */
enum status task_run(const struct task *task, struct limits *limits, const struct facts *facts,
                     struct text *rows);
/* load() and `batch` times run(), every run on data of its own from the seed (0: the published
 * ones): an answer kept from a run before is a wrong one. Seconds of one run, or NaN where times
 * mean nothing. */
enum status run_timed(struct instance *in, const struct variant *variant, void *state,
                      uint64_t seed, int batch, struct laps *laps, double *seconds);
/* A refused metric is a failure; else as accept_answer(). */
enum status fetch_and_judge(struct instance *in, const struct variant *variant, void *state,
                            struct solution *out, struct judgement *judgement, struct laps *laps);
/* WRONG, with the two numbers, if the error is beyond the inherent one and the tolerance. */
enum status accept_answer(const struct instance *in, const struct variant *variant,
                          const struct solution *got, struct judgement *judgement);
int worker_main(int argc, char **argv);

enum status dump_to(const char *path, const struct instance *in, const struct solution *out);
