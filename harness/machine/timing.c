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

static struct {
    const char *name;   /* null: nobody looks */
    struct laps before; /* of a run like this one: a part's name is known only at its end */
    int ranges;         /* that are open */
} profile;

static void end_ranges(int left)
{
    for (; profile.ranges > left; profile.ranges--)
        device_range(NULL);
}

static void begin_range(const char *name)
{
    device_range(name);
    profile.ranges++;
}

/* Of the part that begins now, behind so many. */
static void begin_part(int parts)
{
    if (profile.ranges == 0)
        return;
    end_ranges(1);
    if (parts < profile.before.count && profile.before.part[parts + 1][0] != '\0')
        begin_range(profile.before.part[parts + 1]);
}

void laps_profile(const char *name, const struct laps *before)
{
    if (profile.ranges > 0) {
        end_ranges(0);
        device_profile(false);
    }
    profile.name = name;
    if (name != NULL)
        profile.before = *before;
}

void laps_begin(struct laps *laps, bool device)
{
    laps->device = device;
    laps->count = 0;
    laps->load = NAN;
    if (profile.name != NULL) {
        device_profile(true);
        begin_range(profile.name);
    }
    mark(laps);
    begin_part(0);
}

static void end_part(struct laps *laps, const char *part)
{
    laps->part[++laps->count] = part;
    mark(laps);
    begin_part(laps->count);
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
