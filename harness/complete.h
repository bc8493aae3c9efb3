/*
 * What a shell can offer to complete a command line, by the same tables that the program reads one
 * by.
 */
#pragma once
#include <argp.h>

struct arguments;
struct verb {
    const char *name;
    int (*run)(struct arguments *);
    int keys[32];        /* options that it takes, ends by 0 */
    const char *formats; /* that it can print, comma between, the first one if not told; or null */
    const char *words;   /* that follow it, as its help has them; "" */
};

struct grammar {
    const struct verb *verbs; /* ends by a row without name */
    const struct argp_option *options;
    const char *const *(*words_of)(int key); /* that an option takes, ends by null; null: others */
};

/* `reprise complete WORD...`, the last of which may be begun or empty: prints what could stand in
 * its place, `WORD<TAB>meaning` a line, whatever it begins with, for that is the shell's to see. A
 * line without a word says that it may name one of the "folders" or "files". Returns the exit
 * status. */
int complete(const struct grammar *grammar, int count, char *const *words);
