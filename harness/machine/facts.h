/*
 * What machine, build and settings a run had.
 */
#pragma once
#include "reprise.h"

enum { MOST_FACTS = 128 };
#define LOCKED_CLOCK "gpu_clock_locked_mhz" /* a fact of runs with locked clocks alone */
struct facts {                              /* in order; keys and values are interned */
    int count;
    struct fact {
        const char *key, *value;
    } list[MOST_FACTS];
};
void facts_add(struct facts *facts, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *facts_get(const struct facts *facts, const char *key); /* "" if not there */
extern const char facts_header[];                                  /* of run.csv */
extern const char program_version[], built_commit[]; /* "reprise 0.1.0", "c12cc9373-dirty" */
void facts_collect(struct facts *facts); /* without the device, which only a worker may touch */
void facts_collect_device(struct facts *facts);
void facts_finish(struct facts *facts); /* adds the fingerprint */
struct csv;
/* Adds the rows of a run.csv, or of what a worker tells; `name` is for the sentence. */
enum status facts_read(const struct csv *csv, const char *name, struct facts *facts);
enum status facts_load(const char *folder, struct facts *facts);
struct text;
void facts_print(const struct facts *facts, struct text *out); /* the rows of run.csv */
enum status facts_save(const char *folder, const struct facts *facts);
double available_memory(void); /* bytes; 0: unknown */
/* Who else runs here, which takes a moment; and warnings if there are any. */
void facts_collect_others(struct facts *facts);
struct names;
void warn_of_others(const struct facts *facts, struct names *warnings);
/* Interned: the value of "key : value" in a file of /proc, or, with a null key, its first line; ""
 * if it is not there. */
const char *proc_value(const char *path, const char *key);
/* Interned: who does the work of a variant in this place, for the records. */
const char *hardware_name(const struct facts *facts, enum place place);
/* Interned: the machine as the name of a folder, "nvidia-h200". */
const char *machine_slug(const struct facts *facts);
/* Both have the same value of a fact. */
bool same_fact(const struct facts *a, const struct facts *b, const char *key);
/* It has that word of a value whose words stand between blanks; or that whole value. */
bool fact_has(const struct facts *facts, const char *key, const char *word);
bool fact_is(const struct facts *facts, const char *key, const char *value);
double fact_number(const struct facts *facts, const char *key); /* NaN: there is none */
/* What was measured has times of a real GPU. */
bool ran_on_gpu(const struct facts *facts);
