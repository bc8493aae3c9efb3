/*
 * The metrics of a judgement, and the names among them that are the harness's own.
 */
#include "run/metrics.h"

#include <string.h>

/* Beside every name that begins with "time". Runs that were before `task_least` have `task_limit`,
 * of the bytes alone. */
static const struct {
    const char *name;
    bool judged;
} own[] = {{"h", true},           {"steps", true},        {"repeatable", true}, {"useful", false},
           {"status", false},     {"batch", false},       {"limit", false},     {"fraction", false},
           {"task_least", false}, {"of_task", false},     {"clock", false},     {"busy", false},
           {"throttled", false},  {"bytes", false},       {"flops", false},     {"memory", false},
           {"launches", false},   {"temperature", false}, {"power", false},     {"waited", false},
           {"task_limit", false}, {"sent", false},        {"words", false},     {"energy", false}};

/* 1 if it is judged, 0 if not; -1: not a name of the harness's. */
static int find_own(const char *name)
{
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].name, name) == 0)
            return own[i].judged;
    return strncmp(name, "time", 4) == 0 ? 0 : -1;
}

bool is_judged(const char *metric)
{
    return find_own(metric) != 0;
}

static void put(struct judgement *out, const char *name, double value)
{
    struct metric_value *metric = &out->metrics[out->count++];
    snprintf(metric->name, sizeof metric->name, "%s", name);
    metric->value = value;
}

void add_metric(struct judgement *out, const char *name, double value)
{
    const int room = sizeof out->metrics / sizeof *out->metrics - 3; /* add_own_metrics() */
    const size_t letters = sizeof out->metrics->name - 1;
    const char *const why = find_own(name) >= 0      ? "the name is the harness's own; use another"
                            : strlen(name) > letters ? "the name is too long; shorten it"
                            : out->count >= room     ? "there are too many; leave some out"
                                                     : NULL;
    if (why == NULL)
        put(out, name, value);
    else
        out->status =
            because(ERR_ARGS, "the judge's metric '%s': %s (at most %d metrics, of %zu letters)",
                    name, why, room, letters);
}

void add_own_metrics(struct judgement *out)
{
    if (out->h > 0)
        put(out, "h", out->h);
    if (out->steps > 0)
        put(out, "steps", out->steps);
    if (out->useful > 0)
        put(out, "useful", out->useful);
}
