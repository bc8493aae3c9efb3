/*
 * The stopwatch of a run, by the host's clock or the device's events.
 */
#pragma once
#include "reprise.h"

double now(void); /* seconds, monotonic */

struct laps {
    bool device; /* marks are device events; else host clock */
    int count;   /* marks after the first */
    const char *part[MAX_LAPS];
    double at[MAX_LAPS]; /* host clock only */
    double load;         /* seconds that load() took before, on the host's clock; NaN: none */
};
void laps_begin(struct laps *laps, bool device);
/* For a profiler, which looks at the next stopwatch alone, until this is called with null: all of
 * it is in a range of that name, and its parts are in ranges of theirs, by what a run `before`
 * told. */
void laps_profile(const char *name, const struct laps *before);
/* Ends the run and waits for the device; *seconds in all, or NaN where times mean nothing. */
enum status laps_end(struct laps *laps, double *seconds);
double laps_seconds(const struct laps *laps); /* from the first mark to the last */
/* Seconds that the marks of one part add up to. */
double laps_part(const struct laps *laps, const char *part);
