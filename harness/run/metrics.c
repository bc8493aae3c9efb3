/*
 * The metrics of a judgement, and the names among them that are the harness's own.
 */
#include "run/metrics.h"

#include <string.h>

/* Beside every name that begins with "time". */
static const struct {
    const char *name;
    bool judged; /* its row stands beside those of the judge */
} own[] = {{"h", true},       {"steps", true},   {"repeatable", true}, {"useful", false},
           {"status", false}, {"batch", false},  {"limit", false},     {"fraction", false},
           {"clock", false},  {"busy", false},   {"throttled", false}, {"bytes", false},
           {"flops", false},  {"memory", false}, {"launches", false}};

enum { OWN = sizeof own / sizeof *own, LATER = 3 /* metrics of add_own_metrics() */ };

static bool is_time(const char *name)
{
    return strncmp(name, "time", 4) == 0;
}

bool is_judged(const char *metric)
{
    bool judged = !is_time(metric);
    for (int i = 0; i < OWN; i++)
        judged = judged && (own[i].judged || strcmp(own[i].name, metric) != 0);
    return judged;
}

static void put(struct judgement *out, const char *name, double value)
{
    struct metric_value *metric = &out->metrics[out->count++];
    snprintf(metric->name, sizeof metric->name, "%s", name);
    metric->value = value;
}

void add_metric(struct judgement *out, const char *name, double value)
{
    const int room = sizeof out->metrics / sizeof *out->metrics - LATER;
    bool reserved = is_time(name);
    for (int i = 0; i < OWN; i++)
        reserved = reserved || strcmp(own[i].name, name) == 0;
    if (reserved)
        out->status = because(ERR_ARGS,
                              "the judge's metric '%s' has a name of the harness's own; give it "
                              "another (h, steps and useful are fields of the judgement)",
                              name);
    else if (strlen(name) >= sizeof out->metrics->name)
        out->status =
            because(ERR_ARGS, "the judge's metric '%s' needs a name of at most %zu letters", name,
                    sizeof out->metrics->name - 1);
    else if (out->count >= room)
        out->status = because(
            ERR_ARGS, "the judge's metric '%s' is one too many; a judgement has room for %d", name,
            room);
    else
        put(out, name, value);
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
