/*
 * From a job's sample rows to its rows of measured.csv: value and interval over rounds, quantiles
 * over samples, the limit and the fraction of it that was reached, the status last.
 */
#include "run/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/statistics.h"
#include "run/metrics.h"
#include "run/worker.h"

/* Of a job; the ceilings, measured in every worker, have one for each worker. */
enum { MOST_ROUNDS = 1000 };

struct group {
    struct text *out;
    const struct csv *csv;
};

static void measured_row(struct group *g, const char *metric, const char *statistic, double value,
                         const char *unit, const char *note)
{
    const struct csv_row *first = csv_row(g->csv, 0);
    for (int c = C_EXHIBIT; c <= C_N; c++)
        text_field(g->out, first->field[c], ',');
    text_add(g->out, "%s,%s,", metric, statistic);
    text_number(g->out, value, ',');
    text_add(g->out, "%s,", unit);
    text_field(g->out, note, '\n');
}

static double field_number(const struct csv_row *row)
{
    double value;
    return parse_number(row->field[C_VALUE], &value) ? value : (double)NAN;
}

/* Values of a metric in one round (0: in all); their number. */
static size_t values_of(const struct csv *csv, const char *metric, int round, double *out)
{
    size_t count = 0;
    for (size_t i = 0; i < csv_rows(csv); i++) {
        const struct csv_row *row = csv_row(csv, i);
        if (strcmp(row->field[C_METRIC], metric) == 0 &&
            (round == 0 || atoi(row->field[C_ROUND]) == round))
            out[count++] = field_number(row);
    }
    return count;
}

static struct estimate estimate_metric(const struct csv *csv, const char *metric, double *scratch,
                                       size_t *rounds)
{
    double medians[MOST_ROUNDS];
    *rounds = 0;
    for (int round = 1; round <= MOST_ROUNDS; round++) {
        const size_t count = values_of(csv, metric, round, scratch);
        if (count > 0)
            medians[(*rounds)++] = quantile(scratch, count, 0.5);
    }
    return estimate_rounds(medians, *rounds);
}

/* What the judge said first; or `instead`. */
static double judged_value(const struct csv *csv, const char *metric, double instead)
{
    for (size_t i = 0; i < csv_rows(csv); i++)
        if (strcmp(csv_row(csv, i)->field[C_METRIC], metric) == 0)
            return field_number(csv_row(csv, i));
    return instead;
}

/* A time in another measure. */
static void measured_quotient(struct group *g, const char *metric, const char *unit, double value,
                              double ci_lo, double ci_hi, const char *note)
{
    measured_row(g, metric, "value", value, unit, note);
    if (!isnan(ci_lo)) {
        measured_row(g, metric, "ci_lo", ci_lo, unit, "");
        measured_row(g, metric, "ci_hi", ci_hi, unit, "");
    }
}

static void measured_times(struct group *g, const struct job *job, double *scratch)
{
    static const struct {
        const char *name;
        double q;
    } quantiles[] = {{"min", 0}, {"q1", 0.25}, {"median", 0.5}, {"q3", 0.75}, {"max", 1}};
    size_t rounds;
    const struct estimate time = estimate_metric(g->csv, "time", scratch, &rounds);
    if (rounds == 0)
        return;
    const char *why = rounds < 3 ? "no interval: fewer than 3 rounds" : "";
    measured_row(g, "time", "value", time.value, "s", why);
    if (rounds >= 3) {
        measured_row(g, "time", "ci_lo", time.ci_lo, "s", "");
        measured_row(g, "time", "ci_hi", time.ci_hi, "s", "");
    }
    const double useful = judged_value(g->csv, "useful", job->work.useful);
    const double steps = judged_value(g->csv, "steps", 0);
    if (useful > 0)
        measured_quotient(g, job->family->rate, job->family->rate_unit, useful / time.value,
                          useful / time.ci_hi, useful / time.ci_lo,
                          "what the task takes, whatever the algorithm, over the time");
    if (steps > 0)
        measured_quotient(g, "time_per_step", "s", time.value / steps, time.ci_lo / steps,
                          time.ci_hi / steps, "");
    const size_t samples = values_of(g->csv, "time", 0, scratch);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        measured_row(g, "time", quantiles[i].name, quantile(scratch, samples, quantiles[i].q), "s",
                     "");
    measured_row(g, "time", "rounds", (double)rounds, "1", "");
    measured_row(g, "time", "samples", (double)samples, "1", "");
    values_of(g->csv, "batch", 0, scratch);
    measured_row(g, "time", "batch", scratch[0], "1", "");
    for (size_t i = 0; i < csv_rows(g->csv); i++) { /* parts, at their first appearance */
        const char *metric = csv_row(g->csv, i)->field[C_METRIC];
        bool part = strncmp(metric, "time_", 5) == 0;
        for (size_t k = 0; k < i && part; k++)
            part = strcmp(csv_row(g->csv, k)->field[C_METRIC], metric) != 0;
        if (!part)
            continue;
        const struct estimate e = estimate_metric(g->csv, metric, scratch, &rounds);
        measured_row(g, metric, "value", e.value, "s", "");
        if (rounds >= 3) {
            measured_row(g, metric, "ci_lo", e.ci_lo, "s", "");
            measured_row(g, metric, "ci_hi", e.ci_hi, "s", "");
        }
    }
    const size_t clocks = values_of(g->csv, "clock", 0, scratch);
    if (clocks > 0) { /* one reading a round, after the samples */
        measured_row(g, "clock", "median", quantile(scratch, clocks, 0.5), "MHz", "");
        measured_row(g, "clock", "min", scratch[0], "MHz", "");
        double held = 0;
        const size_t readings = values_of(g->csv, "throttled", 0, scratch);
        for (size_t i = 0; i < readings; i++)
            held += scratch[i] / (double)readings;
        measured_row(g, "throttled", "value", held, "1",
                     "share of rounds in which power or heat held the clock down");
    }
    const struct estimate limit = estimate_metric(g->csv, "limit", scratch, &rounds);
    if (rounds > 0 && limit.value > 0) {
        measured_row(g, "limit", "model", limit.value, "s", "");
        measured_row(g, "fraction", "value", limit.value / time.value, "1",
                     "of the limit that the ceilings of the same workers give");
    }
}

enum status measured_group(const struct job *job, const char *rows_text, struct text *out)
{
    struct csv *csv;
    struct text all = {0};
    text_add(&all, "%s%s", samples_header, rows_text);
    enum status status = csv_parse(all.data, job->path, &csv);
    text_free(&all);
    if (status != OK)
        return status;
    const size_t rows = csv_rows(csv);
    double *scratch = calloc(rows + 1, sizeof *scratch);
    if (scratch == NULL) {
        csv_free(csv);
        return because(ERR_MEMORY, "there is no memory for the samples of %s", job->path);
    }
    struct group g = {out, csv};
    const char *note = csv_row(csv, rows - 1)->field[C_NOTE];
    for (size_t i = 0; i < rows; i++) { /* what judge() said, at its first appearance */
        const struct csv_row *row = csv_row(csv, i);
        const char *metric = row->field[C_METRIC];
        bool judged = is_judged(metric);
        for (size_t k = 0; k < i && judged; k++)
            judged = strcmp(csv_row(csv, k)->field[C_METRIC], metric) != 0;
        if (judged)
            measured_row(&g, metric, "value", field_number(row), row->field[C_UNIT], "");
    }
    if (strcmp(note, "ok") == 0 || strcmp(note, "quick") == 0)
        measured_times(&g, job, scratch);
    const struct work work = work_of_steps(&job->work, judged_value(csv, "steps", 0));
    measured_row(&g, "bytes", "model", work.bytes, "B", "");
    measured_row(&g, "flops", "model", work.flops, "1", "");
    const double useful = judged_value(csv, "useful", work.useful);
    if (useful > 0)
        measured_row(&g, "useful", "model", useful, "1", "");
    measured_row(&g, "launches", "model", work.launches, "1", "");
    measured_row(&g, "memory", "model", work.host_bytes + work.device_bytes, "B", "");
    measured_row(&g, "status", "value", NAN, "", note);
    free(scratch);
    csv_free(csv);
    return OK;
}
