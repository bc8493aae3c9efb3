/*
 * What machine, build and settings a run had.
 */
#pragma once
#include "reprise.h"

struct facts { /* key,value in order */
    int count;
    struct {
        char key[40];
        char value[2048];
    } of[96];
};
void facts_add(struct facts *facts, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *facts_get(const struct facts *facts, const char *key); /* "" if not there */
extern const char program_version[], built_commit[]; /* "reprise 0.1.0", "c12cc9373-dirty" */
void facts_collect(struct facts *facts); /* without the device, which only a worker may touch */
void facts_collect_device(struct facts *facts);
void facts_finish(struct facts *facts); /* adds the fingerprint */
enum status facts_load(const char *folder, struct facts *facts);
enum status facts_save(const char *folder, const struct facts *facts);
double available_memory(void); /* bytes; 0: unknown */
/* The value of "key : value" in a file of /proc; "" if it is not there. */
void proc_value(const char *path, const char *key, char *out, size_t size);
/* Names what does the work of a variant in this place, for the records. */
void hardware_name(const struct facts *facts, enum place place, char *out, size_t size);
void machine_slug(const struct facts *facts, char *out, size_t size);
