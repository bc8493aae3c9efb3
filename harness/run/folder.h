/*
 * What a run's folder holds, read: its facts, the rows of measured.csv, and a record for each job.
 * The one reader for whatever looks at a run afterwards.
 */
#pragma once
#include "base/statistics.h"
#include "machine/facts.h"
#include "run/rows.h"
#include "run/standing.h"
#include "run/status.h"

struct record { /* what a run has of a job */
    struct key key;
    enum state state;
    const char *note; /* of its status row */
    struct estimate time;
    double batch, bytes, useful;
    double rate;        /* printed instead of a time: `useful` over it */
    const char *errata; /* of a printed time: those that make it another task's than ours; or "" */
    size_t rounds;
    double busy; /* seconds that its last round took in all; where samples were read */
    /* For each round that is good: its median in s, the same times the clock (NaN: not read), and
     * how many solves made a sample. Where samples were read. */
    double *medians, *cycles, *batches;
};

struct folder {
    const char *name; /* as it was given */
    struct facts facts;
    struct standing standing;
    bool derived;  /* the rows are made of the samples: there is no measured.csv that has them */
    bool reworked; /* .. and this program makes others of them than the run's own did */
    struct measurement *rows;
    struct record *records;
    size_t row_count, record_count;
    double *round_values;       /* what medians, cycles and batches point into */
    size_t *by_row, *by_record; /* hash tables of places, plus 1; 0 is free */
    size_t row_room, record_room;
};

/* The rows of samples.csv, or samples.csv.gz, which are whole or refused; a run that goes on, or
 * was killed, may be writing its last one. Freed by csv_free() also where it failed. */
enum status samples_load(const char *folder, const struct facts *facts, struct csv **out);
/* Writes measured.csv: what the folder's samples amount to. */
enum status measured_write(const char *folder, const struct facts *facts);
/* The rows are those of measured.csv, which the end of a run writes; where it did not come to that,
 * or where the file is missing, they are made of the samples. */
enum status folder_load(const char *name, struct folder *out);
/* The rounds of every record, from samples.csv or samples.csv.gz; OK if the folder has neither. */
enum status folder_load_rounds(struct folder *folder);
void folder_free(struct folder *folder);
/* Makes room for so many rows or records, none of them there yet. */
enum status folder_reserve(struct folder *folder, size_t rows, size_t records);
void folder_add_row(struct folder *folder, const struct measurement *row);
struct record *folder_add_record(struct folder *folder, const struct key *key);
/* Null: not there. Of several alike, the first. */
struct record *folder_record(const struct folder *folder, const struct key *key);
const struct measurement *folder_row(const struct folder *folder, const struct key *key,
                                     const char *metric, const char *statistic);
/* A number of measured.csv; NaN: not there. */
double folder_value(const struct folder *folder, const struct key *key, const char *metric,
                    const char *statistic);
/* The ceilings, which every worker measures: no jobs of anybody's. */
bool is_ceiling_key(const struct key *key);
