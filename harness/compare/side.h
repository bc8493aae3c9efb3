/*
 * What stands on a side of a comparison: a run, or what the papers print of a machine, which reads
 * as a run of that machine.
 */
#pragma once
#include "run/folder.h"
#include "run/limits.h"

struct printed_machine { /* on which a paper measured; a row of machines.csv */
    const char *name, *hardware, *year, *source;
    double bandwidth; /* bytes per second, of the data sheet; NaN: not known */
    double flops[2];  /* single, double; the same */
};

struct side {
    struct folder folder;           /* its name may be published:MACHINE */
    struct printed_machine machine; /* name null: a run */
    struct limits limits; /* its ceilings; of a published machine those of its data sheet */
};

/* All machines that the papers measured on, to be freed. */
enum status machines_load(struct printed_machine **out, size_t *count);
bool is_published(const struct side *side);
/* What is printed under that key is of another task than ours, and no number takes that into
 * account. */
bool makes_unlike(const struct erratum *erratum, const struct key *printed);
/* A run that was read, which stays the caller's. */
struct side side_of(const struct folder *folder);
/* A run's folder. Of a kept one the samples are compressed. */
enum status side_load(const char *folder, struct side *out);
/* The same, or published:MACHINE, what the papers print of one. */
enum status base_load(const char *name, struct side *out);
bool names_published(const char *name); /* by that word */
void side_free(struct side *side);
enum { MOST_REFERENCES = 8 };
/* The folders, DIR/RUN or DIR/MACHINE/RUN, of the references of the run's machine that have some of
 * its exhibits and are not the run itself: the newest ones, the newest first; how many. Others of
 * that machine and its exhibits are named with what bars them, if `told`. */
int references_in(const char *dir, const struct folder *run, bool told,
                  const char *out[MOST_REFERENCES]);
bool is_same_folder(const char *a, const char *b);
/* What the run's own ceilings give for copies where such a variant works, in bytes per second; NaN:
 * not measured. */
double copy_bandwidth(const struct folder *run, bool device);
/* The most that any ceiling of the memory gives, which times of other machines are compared by. */
double memory_bandwidth(const struct folder *run, bool device);
/* The share of the copy bandwidth that the job's least bytes over its time are: of a published
 * machine that of its data sheet, else what the run's own ceilings give where the job works. NaN:
 * not known. */
double copy_share(const struct side *side, const struct record *job);
/* The task and the algorithm are the same, so what our work() counts holds for the printed number:
 * the bytes of a job, and the time that a printed rate stands for. */
void complete_printed(struct side *printed, const struct side *run);
/* Its record of a job, if it has a time that means something; else null. */
const struct record *timed_record(const struct folder *run, const struct key *key);
/* Why a run should not be compared with this one in earnest, as the end of a sentence; null: it
 * may. */
const char *no_reference(const struct folder *run, const struct folder *compared);
