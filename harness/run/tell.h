/*
 * What a person sees while a run goes on: on a terminal one line that moves, and a line for every
 * exhibit when all its jobs are done; elsewhere also a line for what each worker did.
 */
#pragma once
#include "run/progress.h"

/* The job is about to be asked for. */
void tell_job(const struct run *run, const struct progress *p, int round);
/* A worker has done so many of an exhibit's jobs, in so many seconds. */
void tell_leg(const struct run *run, const struct exhibit *exhibit, int round, size_t jobs,
              double seconds);
/* The jobs [first, end) are an exhibit's; says something if all are done. */
void tell_exhibit(const struct run *run, size_t first, size_t end);
