/*
 * From rows of samples.csv to those of measured.csv: of each job value and interval over rounds,
 * quantiles over samples, the limit and the fraction of it that was reached, the status last.
 */
#include "run/summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "base/statistics.h"
#include "run/metrics.h"
#include "run/status.h"
#include "run/worker.h"

struct group {
    struct text *out;
    const struct sample *samples;
    size_t count;
    double *scratch, *medians; /* [count] each, at least */
};

static void put(const struct group *g, const char *metric, const char *statistic, double value,
                const char *unit, const char *note)
{
    const struct measurement row = {
        g->samples[0].key, g->samples[0].hardware, metric, statistic, "", value, unit, note};
    measurement_print(&row, g->out);
}

/* A value over rounds, and its interval where there are rounds enough. */
static void put_estimate(const struct group *g, const char *metric, const char *unit,
                         struct estimate estimate, const char *note)
{
    put(g, metric, "value", estimate.value, unit, note);
    if (!isnan(estimate.ci_lo)) {
        put(g, metric, "ci_lo", estimate.ci_lo, unit, "");
        put(g, metric, "ci_hi", estimate.ci_hi, unit, "");
    }
}

/* Values of a metric in some of the rows, into the scratch; their number. */
static size_t values_within(const struct group *g, const char *metric, size_t begin, size_t end)
{
    const char *const name = intern(metric);
    size_t count = 0;
    for (size_t i = begin; i < end; i++)
        if (g->samples[i].metric == name)
            g->scratch[count++] = g->samples[i].value;
    return count;
}

static size_t values_of(const struct group *g, const char *metric)
{
    return values_within(g, metric, 0, g->count);
}

static struct estimate estimate_metric(const struct group *g, const char *metric, size_t *rounds)
{
    *rounds = 0;
    for (size_t begin = 0, end = 0; begin < g->count; begin = end) {
        while (end < g->count && g->samples[end].round == g->samples[begin].round)
            end++;
        const size_t count = values_within(g, metric, begin, end);
        if (count > 0)
            g->medians[(*rounds)++] = quantile(g->scratch, count, 0.5);
    }
    return estimate_rounds(g->medians, *rounds);
}

/* The first sample of that metric among the first `count`; null: none. */
static const struct sample *first_of(const struct group *g, const char *metric, size_t count)
{
    const char *const name = intern(metric);
    for (size_t i = 0; i < count; i++)
        if (g->samples[i].metric == name)
            return &g->samples[i];
    return NULL;
}

/* What the judge said first; or `instead`. */
static double judged_value(const struct group *g, const char *metric, double instead)
{
    const struct sample *const first = first_of(g, metric, g->count);
    return first != NULL ? first->value : instead;
}

static void put_quantiles(const struct group *g, size_t samples)
{
    static const struct {
        const char *name;
        double q;
    } quantiles[] = {{"min", 0}, {"q1", 0.25}, {"median", 0.5}, {"q3", 0.75}, {"max", 1}};
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        put(g, "time", quantiles[i].name, quantile(g->scratch, samples, quantiles[i].q), "s", "");
}

/* Parts of the time, at their first appearance. */
static void put_parts(const struct group *g)
{
    size_t rounds;
    for (size_t i = 0; i < g->count; i++) {
        const char *const metric = g->samples[i].metric;
        if (time_part(metric) != NULL && first_of(g, metric, i) == NULL)
            put_estimate(g, metric, "s", estimate_metric(g, metric, &rounds), "");
    }
}

/* One reading a round, after the samples. */
static void put_clock(const struct group *g)
{
    const size_t clocks = values_of(g, "clock");
    if (clocks == 0)
        return;
    put(g, "clock", "median", quantile(g->scratch, clocks, 0.5), "MHz", "");
    put(g, "clock", "min", g->scratch[0], "MHz", "");
    double held = 0;
    const size_t readings = values_of(g, "throttled");
    for (size_t i = 0; i < readings; i++)
        held += g->scratch[i] / (double)readings;
    put(g, "throttled", "value", held, "1",
        "share of rounds in which power or heat held the clock down");
}

/* The same of what else NVML says of the card. */
static void put_card(const struct group *g, const char *metric, const char *unit)
{
    const size_t readings = values_of(g, metric);
    if (readings == 0)
        return;
    put(g, metric, "median", quantile(g->scratch, readings, 0.5), unit, "");
    put(g, metric, "max", g->scratch[readings - 1], unit, "");
}

/* Of the round that measured it. */
static void put_energy(const struct group *g)
{
    const struct sample *const energy = first_of(g, "energy", g->count);
    if (energy != NULL)
        put(g, "energy", "value", energy->value, "J", energy->note);
}

static void put_fraction(const struct group *g, double seconds, const char *limit,
                         const char *fraction, const char *note)
{
    size_t rounds;
    const struct estimate least = estimate_metric(g, limit, &rounds);
    if (rounds == 0 || !(least.value > 0))
        return;
    put(g, limit, "model", least.value, "s", "");
    put(g, fraction, "value", least.value / seconds, "1", note);
}

static void put_times(const struct group *g, const struct job *job)
{
    size_t rounds;
    const struct estimate time = estimate_metric(g, "time", &rounds);
    if (rounds == 0)
        return;
    put_estimate(g, "time", "s", time, rounds < 3 ? "no interval: fewer than 3 rounds" : "");
    const double useful = judged_value(g, "useful", job->work.useful);
    const double steps = judged_value(g, "steps", 0);
    if (useful > 0 && job->family != NULL)
        put_estimate(
            g, job->family->rate, job->family->rate_unit,
            (struct estimate){useful / time.value, useful / time.ci_hi, useful / time.ci_lo},
            "what the task takes, whatever the algorithm, over the time");
    if (steps > 0)
        put_estimate(g, "time_per_step", "s",
                     (struct estimate){time.value / steps, time.ci_lo / steps, time.ci_hi / steps},
                     "");
    const size_t samples = values_of(g, "time");
    put_quantiles(g, samples);
    put(g, "time", "rounds", (double)rounds, "1", "");
    put(g, "time", "samples", (double)samples, "1", "");
    put(g, "time", "batch", judged_value(g, "batch", NAN), "1", "");
    put_parts(g);
    put_clock(g);
    put_card(g, "temperature", "C");
    put_card(g, "power", "W");
    put_energy(g);
    put_fraction(g, time.value, "limit", "fraction",
                 "of the limit that the ceilings of the run give");
    put_fraction(g, time.value, "task_least", "of_task",
                 "of what the least that the task takes would take at the run's ceilings");
}

static void put_work(const struct group *g, const struct job *job)
{
    const struct work work = work_of_steps(&job->work, judged_value(g, "steps", 0));
    put(g, "bytes", "model", work.bytes, "B", "");
    put(g, "flops", "model", work.flops, "1", "");
    const double useful = judged_value(g, "useful", work.useful);
    if (useful > 0)
        put(g, "useful", "model", useful, "1", "");
    put(g, "launches", "model", work.launches, "1", "");
    if (work.sent > 0)
        put(g, "sent", "model", work.sent, "B", "to other cards");
    if (work.words > 0)
        put(g, "words", "model", work.words, "1", "of other cards");
    put(g, "memory", "model", work.host_bytes + work.device_bytes, "B", "");
}

static void put_group(const struct group *g, const struct job *job)
{
    const char *const note = g->samples[g->count - 1].note;
    for (size_t i = 0; i < g->count; i++) { /* what judge() said, at its first appearance */
        const struct sample *s = &g->samples[i];
        if (is_judged(s->metric) && first_of(g, s->metric, i) == NULL)
            put(g, s->metric, "value", s->value, s->unit, "");
    }
    if (has_times(state_of(note)))
        put_times(g, job);
    if (job->family != NULL)
        put_work(g, job);
    put(g, "status", "value", NAN, "", note);
}

/* A job that this program does not know has its numbers, and no work that they amount to. */
static void put_job(struct group *g)
{
    struct job job;
    if (job_from_path(key_path(&g->samples[0].key), &job) != OK)
        job = (struct job){.family = NULL};
    put_group(g, &job);
}

/* --- from all jobs to each --- */

struct jobs { /* of a run's samples, as they first appear */
    struct first {
        struct key key;
        size_t count, begin; /* of its rows, where these stand together */
    } * list;
    size_t count;
    size_t *of_row; /* the job of each row */
};

/* Rows come in groups of one job, so that the last one is mostly the right one. */
static size_t job_of_row(struct jobs *jobs, const struct key *key, size_t guess)
{
    if (guess < jobs->count && key_same(&jobs->list[guess].key, key))
        return guess;
    size_t j = 0;
    while (j < jobs->count && !key_same(&jobs->list[j].key, key))
        j++;
    if (j == jobs->count)
        jobs->list[jobs->count++] = (struct first){.key = *key};
    return j;
}

/* Copies the rows so that those of a job stand together, in their order. */
static void sort_rows(struct jobs *jobs, const struct sample *samples, size_t count,
                      struct sample *sorted)
{
    for (size_t i = 0; i < count; i++) {
        jobs->of_row[i] = job_of_row(jobs, &samples[i].key, i > 0 ? jobs->of_row[i - 1] : 0);
        jobs->list[jobs->of_row[i]].count++;
    }
    for (size_t j = 1; j < jobs->count; j++)
        jobs->list[j].begin = jobs->list[j - 1].begin + jobs->list[j - 1].count;
    for (size_t j = 0; j < jobs->count; j++)
        jobs->list[j].count = 0;
    for (size_t i = 0; i < count; i++) {
        struct first *const job = &jobs->list[jobs->of_row[i]];
        sorted[job->begin + job->count++] = samples[i];
    }
}

/* The rows of a round that was cut off have no status behind them. */
static size_t whole_rounds(const struct sample *samples, size_t count)
{
    const char *const status = intern("status");
    while (count > 0 && samples[count - 1].metric != status)
        count--;
    return count;
}

enum status summary_of(const struct sample *samples, size_t count, struct text *out)
{
    const size_t whole = whole_rounds(samples, count), room = whole + 1;
    struct sample *const sorted = calloc(room, sizeof *sorted);
    struct jobs jobs = {.list = calloc(room, sizeof *jobs.list),
                        .of_row = calloc(room, sizeof *jobs.of_row)};
    double *const scratch = calloc(room, sizeof *scratch);
    double *const medians = calloc(room, sizeof *medians);
    const bool good = sorted != NULL && jobs.list != NULL && jobs.of_row != NULL &&
                      scratch != NULL && medians != NULL;
    text_add(out, "%s", measured_header);
    if (good)
        sort_rows(&jobs, samples, whole, sorted);
    for (size_t j = 0; j < jobs.count; j++)
        put_job(&(struct group){out, sorted + jobs.list[j].begin, jobs.list[j].count, scratch,
                                medians});
    free(sorted);
    free(jobs.list);
    free(jobs.of_row);
    free(scratch);
    free(medians);
    return good ? OK : because(ERR_MEMORY, "there is no memory for %zu samples", count);
}
