/*
 * One answer, from run() to the judge; what the worker and solve share. A variant cannot know which
 * of its runs are judged, and what it computes after its clock has stopped does not count.
 */
#pragma once
#include "machine/timing.h"

/* A number below `below` from the operating system, which nobody can know before. */
size_t drawn(size_t below);

/* Other data, which in->seed remembers. */
void set_data(struct instance *in, uint64_t seed);

/* load() and run(), every run on data of its own from the seed (0: the published ones): an answer
 * kept from a run before is a wrong one. A `batch` of 1 is one run; else there are from `batch` to
 * twice as many, and which one is the last, whose answer can be fetched, nobody knows before it is
 * over. Seconds of one run, or NaN where times mean nothing. */
enum status run_timed(struct instance *in, const struct variant *variant, void *state,
                      uint64_t seed, int batch, struct laps *laps, double *seconds);

/* What of it is done on this rank, in so many runs, and by all ranks of a variant that has several:
 * none begins before all are ready, and the seconds are those of the last one to end. */
enum status run_here(struct instance *in, const struct variant *variant, void *state, uint64_t seed,
                     int runs, struct laps *laps, double *seconds);

/* What of that comes before the runs: the data in place, which took so many seconds, NaN where
 * there is nothing to load. */
enum status prepare_here(struct instance *in, const struct variant *variant, void *state,
                         uint64_t seed, int runs, double *load);

/* The answer of the last run, while the instance has other data: what is computed from them only
 * now is wrong. */
enum status fetch_answer(struct instance *in, const struct variant *variant, void *state,
                         struct solution *out, struct laps *laps);
/* What of it is done on this rank; the other data are given, and only rank 0 has room for values.
 */
enum status fetch_here(struct instance *in, const struct variant *variant, void *state,
                       uint64_t other, struct solution *out, struct laps *laps);
/* The words of such an accusation, which is made twice before it counts. */
#define COMPUTED_LATE "computed after the clock stopped"
/* WRONG if fetch() takes so much longer than a copy of the answer that a part of the work must be
 * in it. `run` and `fetched` are the least seconds of some of both; where they are suspicious, both
 * are repeated, and the least of the fetches counts. */
enum status hold_fetch(struct instance *in, const struct variant *variant, void *state,
                       struct solution *out, double run, double fetched);

/* A refused metric is a failure; else as accept_answer(). */
enum status judge_answer(const struct instance *in, const struct variant *variant,
                         const struct solution *got, struct judgement *judgement);
/* The same of what judge() returned and wrote. */
enum status accept_judged(const struct instance *in, const struct variant *variant,
                          const struct solution *got, enum status judged,
                          struct judgement *judgement);
enum status fetch_and_judge(struct instance *in, const struct variant *variant, void *state,
                            struct solution *out, struct judgement *judgement, struct laps *laps);
/* WRONG, with the two numbers, if the error is beyond the inherent one and the tolerance. */
enum status accept_answer(const struct instance *in, const struct variant *variant,
                          const struct solution *got, struct judgement *judgement);

/* As CSV: the whole file, or none. "-" is standard output. */
enum status dump_to(const char *path, const struct instance *in, const struct solution *out);
/* The same into a file, which takes the place of whatever has the name. */
enum status dump_file(const char *path, const struct instance *in, const struct solution *out);
/* Removes a file that is there from before, so that nobody takes it for the answer to come. */
enum status dump_forget(const char *path);
