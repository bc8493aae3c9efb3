/*
 * Words and numbers as people type them; names of precisions.
 */
#pragma once
#include "reprise.h"

const char *precision_name(enum precision precision); /* "single", "double", "mixed" */
bool parse_number(const char *text, double *out);     /* 1000, 2^20, 1e-5; finite */
double number_of(const char *text);                   /* the same; NaN: it is no number */
bool word_in(const char *list, const char *word, char separator);
const char *nearest(const char *word, const char *const *names); /* names ends by null */

struct names { /* that a word may be meant for; grows */
    const char **list;
    size_t count;
};
void names_add(struct names *names, const char *name);
const char *names_nearest(struct names *names, const char *word); /* "" of none; and frees them */
/* Prints the reason of a verb that failed, and returns what the program exits with: 2 for what was
 * asked wrongly, else 1. */
int failed(enum status status);
