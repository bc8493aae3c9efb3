/*
 * What a person sees while a run goes on: on a terminal one line that moves, and a line for every
 * exhibit when all its jobs are done; elsewhere also a line for what each worker did.
 */
#pragma once
#include "run/schedule.h"

/* The job is about to be asked for. */
void tell_job(const struct run *run, const struct progress *p, int round);
/* A worker has done so many jobs of a leg, in so many seconds. */
void tell_leg(const struct run *run, const struct leg *leg, int round, size_t jobs, double seconds);
/* The exhibits of which all jobs are done, each once. */
void tell_exhibits(struct run *run);
