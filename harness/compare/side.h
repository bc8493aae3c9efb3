/*
 * What a run has of each job, in one record: for whatever sets runs side by side.
 */
#pragma once
#include "base/record.h"
#include "base/statistics.h"
#include "machine/facts.h"

enum { MOST_ROUNDS = 64 };

struct record { /* what a run has of a job */
    const char *exhibit, *of, *variant, *precision, *n;
    char path[256];
    const char *status; /* note of its status row */
    struct estimate time;
    double batch, bytes, useful;
    double rate; /* printed instead of a time: `useful` over it */
    size_t rounds;
    double medians[MOST_ROUNDS]; /* s, of the rounds */
    double cycles[MOST_ROUNDS];  /* the same times the clock; NaN: not read */
    double batches[MOST_ROUNDS]; /* solves in a sample */
};

struct printed_machine { /* on which a paper measured; a row of machines.csv */
    char name[32], hardware[128], year[8], source[320];
    double bandwidth; /* bytes per second, of the data sheet; NaN: not known */
};

struct side {
    const char *folder; /* or published:MACHINE */
    struct printed_machine machine;
    struct facts facts;
    struct csv *measured, *samples; /* samples null: not kept */
    struct record *records;
    size_t count;
};

bool is_published(const struct side *side);
/* A run's folder. Of a kept one the samples are compressed. */
enum status side_load(const char *folder, struct side *out);
/* The same, or published:MACHINE, what the papers print of one. */
enum status base_load(const char *name, struct side *out);
/* The folder, DIR/RUN or DIR/MACHINE/RUN, of the newest reference of the run's machine that has
 * some of its exhibits and is not the run itself; SKIPPED: there is none. */
enum status newest_reference(const char *dir, const struct side *run, char *out, size_t size);
void side_free(struct side *side);
struct record *find_record(const struct side *side, const char *path); /* null: not there */
/* Of the copy bandwidth that the job's least bytes over its time are: of a published machine that
 * of its data sheet, else what the run's own ceilings give where the job works. NaN: not known. */
double copy_share(const struct side *side, const struct record *job);
bool good_status(const char *status); /* its times mean something */
/* The task and the algorithm are the same, so what our work() counts holds for the printed number:
 * the bytes of a job, and the time that a printed rate stands for. */
void complete_printed(struct side *printed, const struct side *run);
/* Why nothing should be compared with a run in earnest, as the end of a sentence; null: it may. */
const char *no_reference(const struct facts *facts);
