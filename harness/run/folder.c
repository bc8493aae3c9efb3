/*
 * A run's folder as rows and records that are found by their keys.
 */
#include "run/folder.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/core.h"
#include "base/intern.h"
#include "run/checksums.h"
#include "run/progress.h"
#include "run/summary.h"

void folder_free(struct folder *folder)
{
    free(folder->rows);
    free(folder->records);
    free(folder->round_values);
    free(folder->by_row);
    free(folder->by_record);
    *folder = (struct folder){0};
}

/* A power of two that `count` fill to a half at most. */
static size_t room_for(size_t count)
{
    size_t room = 16;
    while (room < 2 * count)
        room *= 2;
    return room;
}

enum status folder_reserve(struct folder *folder, size_t rows, size_t records)
{
    folder->row_room = room_for(rows);
    folder->record_room = room_for(records);
    folder->rows = calloc(rows + 1, sizeof *folder->rows);
    folder->records = calloc(records + 1, sizeof *folder->records);
    folder->by_row = calloc(folder->row_room, sizeof *folder->by_row);
    folder->by_record = calloc(folder->record_room, sizeof *folder->by_record);
    const bool good = folder->rows != NULL && folder->records != NULL && folder->by_row != NULL &&
                      folder->by_record != NULL;
    return good ? OK : because(ERR_MEMORY, "there is no memory for %zu rows", rows);
}

static size_t hash_of(const struct key *key, const char *metric, const char *statistic)
{
    return key_hash(key) ^ (((uintptr_t)metric * 31 + (uintptr_t)statistic) >> 3);
}

/* Where the row is, or where it would be. */
static size_t *row_place(const struct folder *folder, const struct key *key, const char *metric,
                         const char *statistic)
{
    const size_t mask = folder->row_room - 1;
    size_t i = hash_of(key, metric, statistic) & mask;
    for (;; i = (i + 1) & mask) {
        if (folder->by_row[i] == 0)
            break;
        const struct measurement *row = &folder->rows[folder->by_row[i] - 1];
        if (row->metric == metric && row->statistic == statistic && key_same(&row->key, key))
            break;
    }
    return &folder->by_row[i];
}

static size_t *record_place(const struct folder *folder, const struct key *key)
{
    const size_t mask = folder->record_room - 1;
    size_t i = key_hash(key) & mask;
    while (folder->by_record[i] != 0 &&
           !key_same(&folder->records[folder->by_record[i] - 1].key, key))
        i = (i + 1) & mask;
    return &folder->by_record[i];
}

void folder_add_row(struct folder *folder, const struct measurement *row)
{
    size_t *const place = row_place(folder, &row->key, row->metric, row->statistic);
    folder->rows[folder->row_count++] = *row;
    if (*place == 0)
        *place = folder->row_count;
}

struct record *folder_add_record(struct folder *folder, const struct key *key)
{
    size_t *const place = record_place(folder, key);
    struct record *const record = &folder->records[folder->record_count++];
    *record = (struct record){.key = *key,
                              .note = "",
                              .time = {NAN, NAN, NAN},
                              .batch = NAN,
                              .bytes = NAN,
                              .useful = NAN,
                              .rate = NAN,
                              .errata = ""};
    if (*place == 0)
        *place = folder->record_count;
    return record;
}

struct record *folder_record(const struct folder *folder, const struct key *key)
{
    const size_t place = folder->record_count > 0 ? *record_place(folder, key) : 0;
    return place > 0 ? &folder->records[place - 1] : NULL;
}

const struct measurement *folder_row(const struct folder *folder, const struct key *key,
                                     const char *metric, const char *statistic)
{
    const size_t place = *row_place(folder, key, intern(metric), intern(statistic));
    return place > 0 ? &folder->rows[place - 1] : NULL;
}

double folder_value(const struct folder *folder, const struct key *key, const char *metric,
                    const char *statistic)
{
    const struct measurement *row = folder_row(folder, key, metric, statistic);
    return row != NULL ? row->value : (double)NAN;
}

bool is_ceiling_key(const struct key *key)
{
    return key->exhibit == intern("ceilings") || key->exhibit == intern("ceilings-links");
}

/* The rows of a job stand together and end by its status. */
static void add_measured(struct folder *folder, const struct measurement *rows, size_t count)
{
    const char *const status = intern("status");
    for (size_t i = 0; i < count; i++) {
        folder_add_row(folder, &rows[i]);
        if (rows[i].metric != status)
            continue;
        const struct key *key = &rows[i].key;
        struct record *r = folder_add_record(folder, key);
        r->state = state_of(rows[i].note);
        r->note = rows[i].note;
        r->time = (struct estimate){folder_value(folder, key, "time", "value"),
                                    folder_value(folder, key, "time", "ci_lo"),
                                    folder_value(folder, key, "time", "ci_hi")};
        r->batch = folder_value(folder, key, "time", "batch");
        r->bytes = folder_value(folder, key, "bytes", "model");
        r->useful = folder_value(folder, key, "useful", "model");
    }
}

static enum status load_rows(const char *path, const char *header, bool begun,
                             enum status (*check)(const struct csv *csv, bool begun),
                             struct csv **out)
{
    enum status status = begun ? csv_load_begun(path, header, out) : csv_load(path, header, out);
    if (status == OK)
        status = check(*out, begun);
    return status;
}

enum status samples_load(const char *folder, const struct facts *facts, struct csv **out)
{
    return load_rows(samples_path(folder), samples_header, !run_ended(facts), samples_check, out);
}

/* As the text of measured.csv. */
static enum status summarise_samples(const char *name, const struct facts *facts, struct text *out)
{
    struct csv *csv = NULL;
    struct sample *samples = NULL;
    enum status status = samples_load(name, facts, &csv);
    if (status == OK && (samples = samples_of(csv)) == NULL)
        status = ERR_MEMORY;
    if (status == OK)
        status = summary_of(samples, csv_rows(csv), out);
    free(samples);
    csv_free(csv);
    return status;
}

enum status measured_write(const char *folder, const struct facts *facts)
{
    struct text text = {0};
    enum status status = summarise_samples(folder, facts, &text);
    if (status == OK)
        status = write_file(internf("%s/measured.csv", folder), text.data, text.length);
    text_free(&text);
    return status;
}

static bool is_there(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* A measured.csv without samples is all that there is. */
static enum status load_measured(struct folder *folder, struct csv **out)
{
    const char *const path = internf("%s/measured.csv", folder->name);
    const bool sampled = is_there(samples_path(folder->name));
    struct text text = {0};
    folder->derived = sampled && !(run_ended(&folder->facts) && is_there(path));
    if (!folder->derived)
        return load_rows(path, measured_header, false, measurements_check, out);
    enum status status = summarise_samples(folder->name, &folder->facts, &text);
    folder->reworked = status == OK && !checksums_of_measured(folder->name, &text);
    if (status == OK)
        status = csv_parse(text.data, path, out);
    text_free(&text);
    return status;
}

static enum status add_rows(struct folder *folder)
{
    struct csv *csv = NULL;
    struct measurement *rows = NULL;
    enum status status = load_measured(folder, &csv);
    if (status == OK && csv_rows(csv) == 0)
        status = because(ERR_IO, "%s has a header and nothing else: nothing was measured",
                         folder->derived ? samples_path(folder->name) : csv_name(csv));
    if (status == OK)
        status = folder_reserve(folder, csv_rows(csv), csv_rows(csv));
    if (status == OK && (rows = measurements_of(csv)) == NULL)
        status = ERR_MEMORY;
    if (status == OK)
        add_measured(folder, rows, csv_rows(csv));
    free(rows);
    csv_free(csv);
    return status;
}

/* The rounds that each job with times has: in runs from before there was the fact a slow one has
 * three, and that is all it should. */
static void count_rounds(struct folder *folder)
{
    const double slow_job = 40; /* seconds a round */
    struct standing *const s = &folder->standing;
    for (size_t i = 0; i < folder->record_count; i++) {
        const struct record *r = &folder->records[i];
        const int due = r->busy > slow_job && s->asked > 3 ? 3 : s->asked;
        const bool short_of = (int)r->rounds < due;
        if (!is_ceiling_key(&r->key) && has_times(r->state) && r->rounds > 0 && short_of &&
            (int)r->rounds < s->done)
            s->done = (int)r->rounds;
    }
}

enum status folder_load(const char *name, struct folder *out)
{
    *out = (struct folder){.name = intern(name)};
    enum status status = checksums_check(name);
    if (status == OK)
        status = facts_load(name, &out->facts);
    if (status == OK)
        status = add_rows(out);
    if (status == OK && !standing_read(&out->facts, &out->standing)) {
        status = folder_load_rounds(out);
        count_rounds(out);
    }
    if (status == OK)
        standing_conclude(name, &out->facts, &out->standing);
    else
        folder_free(out);
    return status;
}

/* --- rounds, from the samples --- */

/* Each record gets as much room as it has status rows, one a round. */
static enum status reserve_rounds(struct folder *folder, const struct sample *samples, size_t count)
{
    const char *const status = intern("status");
    size_t rounds = 0;
    for (size_t i = 0; i < count; i++) {
        struct record *r = folder_record(folder, &samples[i].key);
        if (samples[i].metric == status && r != NULL) {
            r->rounds++;
            rounds++;
        }
    }
    folder->round_values = calloc(3 * rounds + 1, sizeof *folder->round_values);
    if (folder->round_values == NULL)
        return because(ERR_MEMORY, "there is no memory for the rounds of %s", folder->name);
    double *next = folder->round_values;
    for (struct record *r = folder->records; r < folder->records + folder->record_count; r++) {
        r->medians = next;
        r->cycles = r->medians + r->rounds;
        r->batches = r->cycles + r->rounds;
        next = r->batches + r->rounds;
        r->rounds = 0;
    }
    return OK;
}

/* The rows of a round end by its status. */
static enum status add_rounds(struct folder *folder, const struct sample *samples, size_t count)
{
    const char *const time = intern("time"), *const clock = intern("clock");
    const char *const batch = intern("batch"), *const status = intern("status");
    const char *const busy = intern("busy");
    double *const times = calloc(count + 1, sizeof *times), mhz = NAN, solves = NAN, seconds = NAN;
    size_t taken = 0;
    if (times == NULL)
        return because(ERR_MEMORY, "there is no memory for the samples of %s", folder->name);
    for (size_t i = 0; i < count; i++) {
        const struct sample *s = &samples[i];
        if (s->metric == time)
            times[taken++] = s->value;
        if (s->metric == clock)
            mhz = s->value;
        if (s->metric == batch)
            solves = s->value;
        if (s->metric == busy)
            seconds = s->value;
        if (s->metric != status)
            continue;
        struct record *r = folder_record(folder, &s->key);
        if (r != NULL)
            r->busy = seconds;
        if (r != NULL && taken > 0 && has_times(state_of(s->note))) {
            const double median = quantile(times, taken, 0.5);
            r->medians[r->rounds] = median;
            r->cycles[r->rounds] = median * mhz;
            r->batches[r->rounds++] = solves;
        }
        taken = 0;
        mhz = solves = seconds = NAN;
    }
    free(times);
    return OK;
}

/* Each round chose its own batch. */
static void conclude_batches(struct folder *folder)
{
    for (size_t i = 0; i < folder->record_count; i++) {
        struct record *r = &folder->records[i];
        if (r->rounds > 0)
            r->batch = quantile(r->batches, r->rounds, 0.5);
    }
}

enum status folder_load_rounds(struct folder *folder)
{
    struct csv *csv = NULL;
    if (folder->round_values != NULL || !is_there(samples_path(folder->name)))
        return OK;
    enum status status = samples_load(folder->name, &folder->facts, &csv);
    if (status != OK) {
        csv_free(csv);
        return status;
    }
    struct sample *const samples = samples_of(csv);
    status = samples == NULL ? ERR_MEMORY : reserve_rounds(folder, samples, csv_rows(csv));
    if (status == OK)
        status = add_rounds(folder, samples, csv_rows(csv));
    if (status == OK)
        conclude_batches(folder);
    free(samples);
    csv_free(csv);
    return status;
}
