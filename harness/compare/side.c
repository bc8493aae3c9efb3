/*
 * The sides of a comparison: a run's folder, the newest reference among many, or a published
 * machine.
 */
#include "compare/side.h"

#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/embedded.h"
#include "base/intern.h"
#include "run/catalogue.h"
#include "run/progress.h"
#include "verdict/verdict.h"

void side_free(struct side *side)
{
    folder_free(&side->folder);
    *side = (struct side){0};
}

/* The best of the run, as its jobs were held against; their work as it was counted then. */
static struct limits limits_of(const struct folder *run)
{
    struct limits limits = no_limits;
    for (size_t i = 0; i < run->record_count; i++) {
        const struct key *const key = &run->records[i].key;
        const double least = folder_value(run, key, "time", "min");
        struct job job;
        if (!is_ceiling_key(key) || job_from_path(key_path(key), &job) != OK)
            continue;
        job.work = (struct work){.bytes = folder_value(run, key, "bytes", "model"),
                                 .flops = folder_value(run, key, "flops", "model"),
                                 .launches = folder_value(run, key, "launches", "model"),
                                 .sent = folder_value(run, key, "sent", "model"),
                                 .words = folder_value(run, key, "words", "model")};
        limits_learn(&limits, &job, fmin(least, folder_value(run, key, "time", "value")));
    }
    return limits;
}

struct side side_of(const struct folder *folder)
{
    return (struct side){.folder = *folder, .machine.bandwidth = NAN, .limits = limits_of(folder)};
}

enum status side_load(const char *folder, struct side *out)
{
    *out = (struct side){.machine.bandwidth = NAN};
    enum status status = folder_load(folder, &out->folder);
    if (status == OK)
        status = folder_load_rounds(&out->folder);
    if (status == OK)
        out->limits = limits_of(&out->folder);
    else
        side_free(out);
    return status;
}

const struct record *timed_record(const struct folder *run, const struct key *key)
{
    const struct record *r = folder_record(run, key);
    return r != NULL && has_times(r->state) && r->time.value > 0 ? r : NULL;
}

/* --- a published machine as a run --- */

static const char published_word[] = "published:";

bool is_published(const struct side *side)
{
    return side->machine.name != NULL;
}

enum status machines_load(struct printed_machine **out, size_t *count)
{
    static const char header[] = "name,hardware,year,bandwidth,unit,single,double,source\n";
    enum { NAME, HARDWARE, YEAR, BANDWIDTH, UNIT, SINGLE_RATE, DOUBLE_RATE, SOURCE };
    const char *const text = embedded_text("machines.csv");
    struct csv *csv;
    enum status status = csv_parse(text != NULL ? text : header, "machines.csv", &csv);
    if (status != OK)
        return status;
    *count = csv_rows(csv);
    *out = calloc(*count + 1, sizeof **out);
    if (*out == NULL)
        status = because(ERR_MEMORY, "there is no memory for %zu machines", *count);
    for (size_t i = 0; i < *count && status == OK; i++) {
        char *const *f = csv_row(csv, i)->field;
        (*out)[i] = (struct printed_machine){
            .name = intern(f[NAME]),
            .hardware = intern(f[HARDWARE]),
            .year = intern(f[YEAR]),
            .source = intern(f[SOURCE]),
            .bandwidth = number_of(f[BANDWIDTH]),
            .flops = {number_of(f[SINGLE_RATE]), number_of(f[DOUBLE_RATE])}};
    }
    csv_free(csv);
    return status;
}

static enum status find_machine(const char *name, struct printed_machine *out)
{
    struct printed_machine *machines;
    size_t count;
    enum status status = machines_load(&machines, &count);
    if (status != OK)
        return status;
    struct names names = {0};
    for (size_t i = 0; i < count; i++) {
        names_add(&names, machines[i].name);
        if (strcasecmp(machines[i].name, name) == 0)
            *out = machines[i];
    }
    const char *const meant = names_nearest(&names, name);
    if (out->name == NULL)
        status = because(
            ERR_ARGS,
            "no paper measured on '%s'; did you mean %s%s? `reprise list machines` has them all",
            name, published_word, meant);
    free(machines);
    return status;
}

/* By the data sheet, which says nothing of launches. It is a GPU or a CPU, and has jobs of its kind
 * alone. */
static struct limits limits_printed(const struct printed_machine *machine)
{
    struct limits limits = no_limits;
    for (int device = 0; device < 2; device++) {
        limits.bytes_per_s[device] = machine->bandwidth;
        for (int p = 0; p < 2; p++)
            limits.flops_per_s[device][p] = machine->flops[p];
    }
    return limits;
}

bool makes_unlike(const struct erratum *e, const struct key *printed)
{
    return e->severity == SEVERITY_A && e->effect != EXPLAINS && e->applies_to != NULL &&
           fnmatch(e->applies_to, key_path(printed), FNM_EXTMATCH) == 0;
}

/* What is printed of it is of another task than ours, by an erratum that no number takes into
 * account: "C23 R19", or "". */
static const char *unlike_by(const struct paper *paper, const struct key *printed)
{
    const char *ids = "";
    for (const struct erratum *e = errata_of(paper); e->id != NULL; e++)
        if (makes_unlike(e, printed))
            ids = internf("%s%s%s", ids, ids[0] != '\0' ? " " : "", e->id);
    return ids;
}

/* The job whose time a printed number is; of a view, the one that it shows. */
static struct record *printed_record(struct folder *folder, struct key key,
                                     const struct exhibit *exhibit)
{
    if (exhibit != NULL)
        key.exhibit = intern(source_exhibit(exhibit)->id);
    struct record *const known = folder_record(folder, &key);
    if (known != NULL)
        return known;
    struct record *const record = folder_add_record(folder, &key);
    record->state = JOB_OK;
    return record;
}

/* A job for each time, or rate in its place, that is printed of the machine. */
static void add_printed(struct side *side, const struct measurement *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct measurement *row = &rows[i];
        const struct paper *paper = NULL;
        const struct exhibit *exhibit = find_exhibit(row->key.exhibit, &paper);
        const double value = row->value * unit_scale(row->unit);
        const enum metric_kind kind = exhibit != NULL ? metric_kind(exhibit, row->metric)
                                      : strcmp(row->metric, "time") == 0 ? METRIC_TIME
                                                                         : METRIC_JUDGED;
        if (fnmatch(side->machine.hardware, row->hardware, 0) != 0 || !(value > 0) ||
            strcmp(row->statistic, "value") != 0 || !(kind == METRIC_TIME || kind == METRIC_RATE))
            continue;
        struct record *const record = printed_record(&side->folder, row->key, exhibit);
        *(kind == METRIC_TIME ? &record->time.value : &record->rate) = value;
        record->errata = paper != NULL ? unlike_by(paper, &row->key) : "";
    }
}

static enum status collect_printed(struct side *side)
{
    enum status status = OK;
    size_t lines = 0;
    for (int i = 0; papers[i] != NULL; i++)
        for (const char *c = published_of(papers[i]); *c != '\0'; c++)
            lines += *c == '\n';
    status = folder_reserve(&side->folder, 0, lines);
    for (int i = 0; papers[i] != NULL && status == OK; i++) {
        struct csv *csv = NULL;
        struct measurement *rows = NULL;
        status = csv_parse(published_of(papers[i]), papers[i]->id, &csv);
        if (csv != NULL && (rows = measurements_of(csv)) == NULL)
            status = ERR_MEMORY;
        if (rows != NULL)
            add_printed(side, rows, csv_rows(csv));
        free(rows);
        csv_free(csv);
    }
    if (status == OK && side->folder.record_count == 0)
        status = because(ERR_ARGS, "the papers print no times of %s, only speed-ups or claims",
                         side->machine.name);
    return status;
}

bool names_published(const char *name)
{
    return strncmp(name, published_word, strlen(published_word)) == 0;
}

enum status base_load(const char *name, struct side *out)
{
    const size_t length = strlen(published_word);
    if (!names_published(name))
        return side_load(name, out);
    *out = (struct side){.folder.name = intern(name)};
    enum status status = find_machine(name + length, &out->machine);
    if (status == OK)
        status = collect_printed(out);
    out->limits = limits_printed(&out->machine);
    if (status != OK)
        side_free(out);
    return status;
}

void complete_printed(struct side *printed, const struct side *run)
{
    for (size_t i = 0; i < printed->folder.record_count; i++) {
        struct record *r = &printed->folder.records[i];
        const struct record *ours = folder_record(&run->folder, &r->key);
        if (ours == NULL)
            continue;
        r->bytes = ours->bytes;
        if (isnan(r->time.value) && r->rate > 0)
            r->time.value = ours->useful / r->rate;
    }
}

double copy_bandwidth(const struct folder *run, bool device)
{
    static const struct {
        const char *ceiling;
        bool device;
    } copies[] = {{"copy", true}, {"host-copy", false}, {"host-update", false}};
    double best = NAN;
    for (size_t i = 0; i < run->record_count; i++) {
        const struct record *r = &run->records[i];
        for (size_t k = 0; k < sizeof copies / sizeof *copies; k++)
            if (is_ceiling_key(&r->key) && strcmp(r->key.variant, copies[k].ceiling) == 0 &&
                copies[k].device == device)
                best = fmax(best, r->bytes / r->time.value);
    }
    return best;
}

double memory_bandwidth(const struct folder *run, bool device)
{
    return limits_of(run).bytes_per_s[device];
}

double copy_share(const struct side *side, const struct record *job)
{
    const struct exhibit *exhibit = find_exhibit(job->key.exhibit, NULL);
    const struct variant *variant =
        exhibit != NULL
            ? find_variant(find_family(exhibit->family), job->key.variant, job->key.precision)
            : NULL;
    const double measured =
        variant != NULL ? copy_bandwidth(&side->folder, uses_device(variant)) : (double)NAN;
    return job->bytes / job->time.value / fmax(side->machine.bandwidth, measured);
}

/* --- references --- */

/* By its facts alone. */
static const char *no_reference_by(const struct facts *facts, const struct facts *compared)
{
    return !fact_is(facts, "dirty", "0") ? "its sources differ from its commit"
           : !same_fact(facts, compared, "size")
               ? internf("its sizes are %s, and not %s", facts_get(facts, "size"),
                         facts_get(compared, "size"))
           : !(fact_number(facts, "rounds") >= 3)  ? "it has fewer than 3 rounds"
           : fact_is(facts, "build_type", "debug") ? "its program was built without optimisation"
                                                   : NULL;
}

static bool shares_exhibit(const struct facts *a, const struct facts *b)
{
    char *const words = strdup(facts_get(a, "exhibits")), *rest = NULL;
    bool any = false;
    for (char *w = strtok_r(words, " ", &rest); w != NULL; w = strtok_r(NULL, " ", &rest))
        any = any || fact_has(b, "exhibits", w);
    free(words);
    return any;
}

bool is_same_folder(const char *a, const char *b)
{
    char *const x = realpath(a, NULL), *const y = realpath(b, NULL);
    const bool same = x != NULL && y != NULL && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

/* A run that a budget ended may have fewer rounds of some jobs, and is a reference as far as it
 * goes; but it would hide an older one that has what it lacks, or hide it all where it has no
 * interval. */
static const char *no_reference_by_jobs(const struct folder *run)
{
    size_t left_out = 0, most = 0;
    for (size_t i = 0; i < run->record_count; i++) {
        const struct record *const r = &run->records[i];
        left_out += is_out_of_time(r->note);
        most = good(r->state) && r->rounds > most ? r->rounds : most;
    }
    return left_out > 0
               ? internf("a budget left out %zu of its %zu jobs", left_out, run->record_count)
           : most > 0 && most < 3 ? "it has fewer than 3 rounds"
                                  : NULL;
}

const char *no_reference(const struct folder *run, const struct folder *compared)
{
    const char *const said = run->standing.said;
    const char *const why =
        said != NULL ? internf("it is %s", said) : no_reference_by(&run->facts, &compared->facts);
    return why != NULL ? why : no_reference_by_jobs(run);
}

/* What --against, --confirm and --self leave in a run's folder: parts of that run. */
static bool is_part_of_run(const char *folder)
{
    const char *const slash = strrchr(folder, '/');
    return word_in("base confirmation more self", slash != NULL ? slash + 1 : folder, ' ');
}

/* The run of that folder has something of the other one, and can be its reference; when it began.
 */
static bool is_reference(const char *name, const struct folder *run, bool told, const char **start)
{
    struct facts facts;
    struct folder folder = {.name = NULL};
    enum status status = facts_load(name, &facts);
    if (status == OK &&
        (!shares_exhibit(&run->facts, &facts) || !same_fact(&facts, &run->facts, "fingerprint") ||
         is_same_folder(run->name, name)))
        return false;
    const char *why = status != OK ? reason() : no_reference_by(&facts, &run->facts);
    if (why == NULL)
        why = folder_load(name, &folder) != OK ? reason() : no_reference(&folder, run);
    folder_free(&folder);
    if (why != NULL && told)
        fprintf(stderr, "left out: %s: %s\n", name, why);
    *start = facts_get(&facts, "start");
    return why == NULL;
}

int references_in(const char *dir, const struct folder *run, bool told,
                  const char *out[MOST_REFERENCES])
{
    glob_t found = {0};
    const char *starts[MOST_REFERENCES + 1], *start;
    int count = 0;
    (void)glob(internf("%s/*/run.csv", dir), 0, NULL, &found);
    (void)glob(internf("%s/*/*/run.csv", dir), GLOB_APPEND, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *const path = found.gl_pathv[i];
        const char *const folder = internf("%.*s", (int)(strlen(path) - strlen("/run.csv")), path);
        if (is_part_of_run(folder) || !is_reference(folder, run, told, &start))
            continue;
        int place = count < MOST_REFERENCES ? count++ : MOST_REFERENCES;
        for (; place > 0 && strcmp(start, starts[place - 1]) > 0; place--) {
            starts[place] = starts[place - 1];
            if (place < MOST_REFERENCES)
                out[place] = out[place - 1];
        }
        starts[place] = start;
        if (place < MOST_REFERENCES)
            out[place] = folder;
    }
    globfree(&found);
    return count;
}
