/*
 * What a profiler is told of a run: when to look, and ranges of it and its parts. The device is the
 * test's own, and writes down what it is told.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine/device.h"
#include "machine/timing.h"
#include "tap.h"

static char told[512];

static void tell(const char *word)
{
    const size_t length = strlen(told);
    snprintf(told + length, sizeof told - length, "%s ", word);
}

void device_profile(bool on)
{
    tell(on ? "on" : "off");
}

void device_range(const char *name)
{
    tell(name != NULL ? name : ".");
}

enum status device_mark(int slot)
{
    (void)slot;
    tell("|");
    return OK;
}

double device_between(int from, int to)
{
    return to - from;
}

enum status device_sync(void)
{
    tell("sync");
    return OK;
}

/* A run of two parts, of which the second one comes twice, and what no lap claims; it may fail in
 * the middle. */
static void run(struct laps *laps, bool device, bool fails)
{
    double seconds;
    laps_begin(laps, device);
    lap(laps, "first");
    lap(laps, "again");
    if (fails)
        return;
    lap(laps, "again");
    (void)laps_end(laps, &seconds);
}

static void says(const char *right, const char *of)
{
    check(strcmp(told, right) == 0, "%s: %s", of, told);
    told[0] = '\0';
}

int main(void)
{
    struct laps before, laps;
    run(&before, true, false);
    says("| | | | | sync ", "a run that nobody looks at");
    laps_profile("A2D", &before);
    run(&laps, true, false);
    laps_profile(NULL, NULL);
    says("on A2D | first | . again | . again | . | sync . off ", "one that is profiled");
    run(&laps, true, false);
    says("| | | | | sync ", "the next one");
    laps_profile("A2D", &before);
    run(&laps, true, true);
    laps_profile(NULL, NULL);
    says("on A2D | first | . again | . again . . off ", "one that fails");
    laps_profile("A1D", &before);
    run(&laps, false, false);
    laps_profile(NULL, NULL);
    says("on A1D first . again . again . . off ", "one on the host");
    before.count = 1;
    laps_profile("A1D", &before);
    run(&laps, false, false);
    laps_profile(NULL, NULL);
    says("on A1D first . . off ", "one of more parts than the run before");
    laps_profile("A1D", &before);
    laps_profile(NULL, NULL);
    says("", "none was made");
    return done();
}
