/*
 * What is asked of a variant, on all its ranks at once: rank 0 does what is done for any variant,
 * and says beforehand what the others are to do; these follow. A variant of one rank notices
 * nothing.
 */
#pragma once
#include "run/plan.h"

/* plan(), for the job of this path. What it made is there to be destroyed also if it failed. */
enum status together_plan(const char *path, const struct instance *in,
                          const struct variant *variant, void **state);
void together_destroy(const struct variant *variant, void *state);
/* Before this rank does its part of a run or a fetch (run/answer.h). */
void together_run(const struct variant *variant, uint64_t seed, int runs);
void together_fetch(const struct variant *variant, uint64_t seed);
/* Seconds to bring an answer of so many values to rank 0, from where its ranks have it; of a large
 * one by a piece of each. */
double together_bring(const struct variant *variant, struct solution *out);
/* The worst of all ranks' status; none goes on before all have come. */
enum status together(const struct variant *variant, enum status status);
/* The same, before a run: what is between their cards is awake then. */
enum status together_awake(const struct variant *variant, enum status status);
double together_most(const struct variant *variant, double seconds);
/* Of the ranks that are not the first: until that one leaves. A job without a path, as solve has,
 * is the given one; else null. */
void together_follow(const struct job *given);
void together_leave(void);
