/*
 * Reads a run into records, one a job: its time, the medians of its rounds, what it moves. What the
 * papers print of a machine reads as a run of that machine.
 */
#include "compare/side.h"

#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/core.h"
#include "base/embedded.h"
#include "run/plan.h"
#include "verdict/verdict.h"

bool good_status(const char *status)
{
    return strcmp(status, "ok") == 0 || strcmp(status, "quick") == 0;
}

static void row_path(const struct csv_row *row, char *out, size_t size)
{
    char *const *f = row->field;
    snprintf(out, size, "%s/%s/%s/%s/%s", f[C_EXHIBIT], f[C_CASE], f[C_VARIANT], f[C_PRECISION],
             f[C_N]);
}

struct record *find_record(const struct side *side, const char *path)
{
    for (size_t i = 0; i < side->count; i++)
        if (strcmp(side->records[i].path, path) == 0)
            return &side->records[i];
    return NULL;
}

static double number_of(const char *text)
{
    double value;
    return parse_number(text, &value) ? value : (double)NAN;
}

static const struct record no_record = {
    .time = {NAN, NAN, NAN}, .batch = NAN, .bytes = NAN, .useful = NAN, .rate = NAN};

static void name_record(struct record *record, const struct csv_row *row)
{
    char *const *f = row->field;
    record->exhibit = f[C_EXHIBIT];
    record->of = f[C_CASE];
    record->variant = f[C_VARIANT];
    record->precision = f[C_PRECISION];
    record->n = f[C_N];
    row_path(row, record->path, sizeof record->path);
}

/* Rows of a job stand together and end by its status. */
static enum status read_measured(struct side *side)
{
    struct record record = no_record;
    const struct {
        const char *metric, *statistic;
        double *value;
    } wanted[] = {
        {"time", "value", &record.time.value}, {"time", "ci_lo", &record.time.ci_lo},
        {"time", "ci_hi", &record.time.ci_hi}, {"time", "batch", &record.batch},
        {"bytes", "model", &record.bytes},     {"useful", "model", &record.useful},
    };
    side->records = calloc(csv_rows(side->measured) + 1, sizeof *side->records);
    if (side->records == NULL)
        return because(ERR_MEMORY, "there is no memory for the jobs of %s", side->folder);
    for (size_t i = 0; i < csv_rows(side->measured); i++) {
        const struct csv_row *row = csv_row(side->measured, i);
        char *const *f = row->field;
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            if (strcmp(f[6], wanted[k].metric) == 0 && strcmp(f[7], wanted[k].statistic) == 0)
                *wanted[k].value = number_of(f[8]);
        if (strcmp(f[6], "status") != 0)
            continue;
        name_record(&record, row);
        record.status = f[10];
        side->records[side->count++] = record;
        record = no_record;
    }
    return OK;
}

/* Medians of the rounds; the rows of a round end by its status. */
static enum status read_samples(struct side *side)
{
    const size_t rows = csv_rows(side->samples);
    double *times = calloc(rows + 1, sizeof *times), clock = NAN, batch = NAN;
    size_t count = 0;
    if (times == NULL)
        return because(ERR_MEMORY, "there is no memory for the samples of %s", side->folder);
    for (size_t i = 0; i < rows; i++) {
        const struct csv_row *row = csv_row(side->samples, i);
        const char *metric = row->field[C_METRIC];
        if (strcmp(metric, "time") == 0)
            times[count++] = number_of(row->field[C_VALUE]);
        if (strcmp(metric, "clock") == 0)
            clock = number_of(row->field[C_VALUE]);
        if (strcmp(metric, "batch") == 0)
            batch = number_of(row->field[C_VALUE]);
        if (strcmp(metric, "status") != 0)
            continue;
        char path[256];
        row_path(row, path, sizeof path);
        struct record *record = find_record(side, path);
        if (record != NULL && count > 0 && good_status(row->field[C_NOTE]) &&
            record->rounds < MOST_ROUNDS) {
            const double median = quantile(times, count, 0.5);
            record->medians[record->rounds] = median;
            record->cycles[record->rounds] = median * clock;
            record->batches[record->rounds++] = batch;
        }
        count = 0;
        clock = batch = NAN;
    }
    for (size_t i = 0; i < side->count; i++) {
        struct record *r = &side->records[i];
        if (r->rounds > 0) /* each round chose its own */
            r->batch = quantile(r->batches, r->rounds, 0.5);
    }
    free(times);
    return OK;
}

void side_free(struct side *side)
{
    csv_free(side->measured);
    csv_free(side->samples);
    free(side->records);
    *side = (struct side){0};
}

enum status side_load(const char *folder, struct side *out)
{
    char path[1024];
    struct stat info;
    *out = (struct side){.folder = folder, .machine.bandwidth = NAN};
    enum status status = facts_load(folder, &out->facts);
    snprintf(path, sizeof path, "%s/measured.csv", folder);
    if (status == OK)
        status = csv_load(path, measured_header, &out->measured);
    if (status == OK)
        status = read_measured(out);
    snprintf(path, sizeof path, "%s/samples.csv", folder);
    if (stat(path, &info) != 0)
        snprintf(path, sizeof path, "%s/samples.csv.gz", folder);
    if (status == OK && stat(path, &info) == 0) {
        status = csv_load(path, samples_header, &out->samples);
        if (status == OK)
            status = read_samples(out);
    }
    if (status != OK)
        side_free(out);
    return status;
}

/* --- a published machine as a run --- */

static const char published_word[] = "published:";

bool is_published(const struct side *side)
{
    return side->machine.name[0] != '\0';
}

static enum status find_machine(const char *name, struct printed_machine *out)
{
    struct csv *csv;
    const char *names[32] = {NULL};
    const char *text = embedded_text("machines.csv");
    enum status status = csv_parse(text != NULL ? text : machines_header, "machines.csv", &csv);
    if (status != OK)
        return status;
    status = ERR_ARGS;
    for (size_t i = 0; i < csv_rows(csv) && i < 31; i++) {
        char *const *f = csv_row(csv, i)->field;
        names[i] = f[0];
        if (strcasecmp(f[0], name) != 0)
            continue;
        snprintf(out->name, sizeof out->name, "%s", f[0]);
        snprintf(out->hardware, sizeof out->hardware, "%s", f[1]);
        snprintf(out->year, sizeof out->year, "%s", f[2]);
        out->bandwidth = number_of(f[3]);
        snprintf(out->source, sizeof out->source, "%s", f[5]);
        status = OK;
    }
    if (status != OK)
        status = because(ERR_ARGS,
                         "no paper measured on '%s'; did you mean %s%s? `reprise list "
                         "machines` has them all",
                         name, published_word, nearest(name, names));
    csv_free(csv);
    return status;
}

/* What the papers print of the machine: the side's `measured` are their rows. */
static enum status collect_printed(struct side *side)
{
    struct text rows = {0};
    enum status status = OK;
    text_add(&rows, "%s", measured_header);
    for (int i = 0; papers[i] != NULL && status == OK; i++) {
        struct csv *csv;
        status = csv_parse(published_of(papers[i]), papers[i]->id, &csv);
        for (size_t k = 0; status == OK && k < csv_rows(csv); k++) {
            const struct csv_row *row = csv_row(csv, k);
            if (fnmatch(side->machine.hardware, row->field[C_HARDWARE], 0) != 0)
                continue;
            for (int c = 0; c < row->count; c++)
                text_field(&rows, row->field[c], c + 1 < row->count ? ',' : '\n');
        }
        if (status == OK)
            csv_free(csv);
    }
    if (status == OK)
        status = csv_parse(rows.data, side->folder, &side->measured);
    text_free(&rows);
    return status;
}

/* A job for each time, or rate in its place, that is printed; of a view, the job whose time it
 * shows. */
static enum status read_printed(struct side *side)
{
    side->records = calloc(csv_rows(side->measured) + 1, sizeof *side->records);
    if (side->records == NULL)
        return because(ERR_MEMORY, "there is no memory for the numbers of %s", side->folder);
    for (size_t i = 0; i < csv_rows(side->measured); i++) {
        const struct csv_row *row = csv_row(side->measured, i);
        const char *metric = row->field[6], *statistic = row->field[7];
        const struct exhibit *exhibit = find_exhibit(row->field[C_EXHIBIT], NULL);
        const struct family *family = exhibit != NULL ? find_family(exhibit->family) : NULL;
        const double value = number_of(row->field[8]) * unit_scale(row->field[9]);
        const bool time = strcmp(metric, "time") == 0;
        const bool rate =
            family != NULL && family->rate != NULL && strcmp(metric, family->rate) == 0;
        if (!(value > 0) || strcmp(statistic, "value") != 0 || !(time || rate))
            continue;
        struct record record = no_record;
        name_record(&record, row);
        record.exhibit = exhibit != NULL ? source_exhibit(exhibit)->id : record.exhibit;
        snprintf(record.path, sizeof record.path, "%s/%s/%s/%s/%s", record.exhibit, record.of,
                 record.variant, record.precision, record.n);
        struct record *known = find_record(side, record.path);
        if (known == NULL) {
            record.status = "ok";
            known = &side->records[side->count++];
            *known = record;
        }
        *(time ? &known->time.value : &known->rate) = value;
    }
    if (side->count == 0)
        return because(ERR_ARGS, "the papers print no times of %s, only speed-ups or claims",
                       side->machine.name);
    return OK;
}

enum status base_load(const char *name, struct side *out)
{
    if (strncmp(name, published_word, strlen(published_word)) != 0)
        return side_load(name, out);
    *out = (struct side){.folder = name};
    enum status status = find_machine(name + strlen(published_word), &out->machine);
    if (status == OK)
        status = collect_printed(out);
    if (status == OK)
        status = read_printed(out);
    if (status != OK)
        side_free(out);
    return status;
}

void complete_printed(struct side *printed, const struct side *run)
{
    for (size_t i = 0; i < printed->count; i++) {
        struct record *r = &printed->records[i];
        const struct record *ours = find_record(run, r->path);
        if (ours == NULL)
            continue;
        r->bytes = ours->bytes;
        if (isnan(r->time.value) && r->rate > 0)
            r->time.value = ours->useful / r->rate;
    }
}

double copy_share(const struct side *side, const struct record *job)
{
    static const struct {
        const char *ceiling;
        bool device;
    } copies[] = {{"copy", true}, {"host-copy", false}, {"host-update", false}};
    const struct exhibit *exhibit = find_exhibit(job->exhibit, NULL);
    const struct variant *variant =
        exhibit != NULL ? find_variant(find_family(exhibit->family), job->variant, job->precision)
                        : NULL;
    double best = side->machine.bandwidth; /* of a run: NaN */
    for (size_t i = 0; i < side->count && variant != NULL; i++) {
        const struct record *r = &side->records[i];
        for (size_t k = 0; k < sizeof copies / sizeof *copies; k++)
            if (strcmp(r->exhibit, "ceilings") == 0 && strcmp(r->variant, copies[k].ceiling) == 0 &&
                copies[k].device == uses_device(variant))
                best = fmax(best, r->bytes / r->time.value);
    }
    return job->bytes / job->time.value / best;
}

const char *no_reference(const struct facts *facts)
{
    const char *rounds = facts_get(facts, "rounds");
    return strcmp(facts_get(facts, "dirty"), "0") != 0      ? "its sources differ from its commit"
           : strcmp(facts_get(facts, "size"), "paper") != 0 ? "its sizes are not the papers'"
           : strtol(rounds, NULL, 10) < 3                   ? "it has fewer than 3 rounds"
           : strcmp(facts_get(facts, "build_type"), "debug") == 0
               ? "its program was built without optimisation"
           : facts_get(facts, "end")[0] == '\0' ? "it was not finished"
                                                : NULL;
}

static bool shares_exhibit(const struct facts *a, const struct facts *b)
{
    char words[sizeof a->of->value], *rest = NULL;
    bool any = false;
    snprintf(words, sizeof words, "%s", facts_get(a, "exhibits"));
    for (char *w = strtok_r(words, " ", &rest); w != NULL; w = strtok_r(NULL, " ", &rest))
        any = any || word_in(facts_get(b, "exhibits"), w, ' ');
    return any;
}

enum status newest_reference(const char *dir, const struct side *run, char *out, size_t size)
{
    static const char *const places[] = {"/*", "/*/*"};
    glob_t found = {0};
    char pattern[1024], newest[32] = "", mine[PATH_MAX], other[PATH_MAX];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(pattern, sizeof pattern, "%s%s/run.csv", dir, places[i]);
        (void)glob(pattern, i > 0 ? GLOB_APPEND : 0, NULL, &found);
    }
    const bool known = realpath(run->folder, mine) != NULL;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct facts facts;
        char folder[1024];
        snprintf(folder, sizeof folder, "%.*s",
                 (int)(strlen(found.gl_pathv[i]) - strlen("/run.csv")), found.gl_pathv[i]);
        const char *name = strrchr(folder, '/') + 1;
        if (word_in("base confirmation self", name, ' ') || facts_load(folder, &facts) != OK ||
            no_reference(&facts) != NULL || !shares_exhibit(&run->facts, &facts) ||
            strcmp(facts_get(&facts, "fingerprint"), facts_get(&run->facts, "fingerprint")) != 0 ||
            (known && realpath(folder, other) != NULL && strcmp(mine, other) == 0) ||
            strcmp(facts_get(&facts, "start"), newest) <= 0)
            continue;
        snprintf(newest, sizeof newest, "%s", facts_get(&facts, "start"));
        snprintf(out, size, "%s", folder);
    }
    globfree(&found);
    return newest[0] != '\0' ? OK
                             : because(SKIPPED,
                                       "%s holds no other run of this machine that can be a "
                                       "reference for %s",
                                       dir, run->folder);
}
