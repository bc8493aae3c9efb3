/*
 * One clock for the host, and laps: a run marks the end of each of its parts, the harness adds up.
 * On a device the marks are events in the stream of launches, so they cost it no synchronisation.
 */
#include "machine/timing.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "machine/device.h"

double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void mark(struct laps *laps)
{
    if (laps->device)
        (void)device_mark(laps->count); /* a failure shows in laps_end */
    else
        laps->at[laps->count] = now();
}

void laps_begin(struct laps *laps, bool device)
{
    laps->device = device;
    laps->count = 0;
    laps->load = NAN;
    mark(laps);
}

static void end_part(struct laps *laps, const char *part)
{
    laps->part[++laps->count] = part;
    mark(laps);
}

void lap(struct laps *laps, const char *part)
{
    const bool room = laps != NULL && laps->count + 2 < MAX_LAPS; /* the last mark is laps_end's */
    if (room)
        end_part(laps, part);
}

static double between(const struct laps *laps, int from, int to)
{
    return laps->device ? device_between(from, to) : laps->at[to] - laps->at[from];
}

enum status laps_end(struct laps *laps, double *seconds)
{
    end_part(laps, "");
    const enum status status = laps->device ? device_sync() : OK;
    if (status == OK)
        *seconds = laps_seconds(laps);
    return status;
}

double laps_seconds(const struct laps *laps)
{
    return between(laps, 0, laps->count);
}

double laps_part(const struct laps *laps, const char *part)
{
    double sum = 0;
    for (int i = 1; i <= laps->count; i++)
        if (strcmp(laps->part[i], part) == 0)
            sum += between(laps, i - 1, i);
    return sum;
}
