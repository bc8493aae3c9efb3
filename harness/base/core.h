/*
 * Words and numbers as people type them; names of precisions.
 */
#pragma once
#include "reprise.h"

const char *precision_name(enum precision precision); /* "single", "double", "mixed" */
bool parse_number(const char *text, double *out);     /* takes 1000, 2^20, 1e-5; finite */
bool word_in(const char *list, const char *word, char separator);
const char *nearest(const char *word, const char *const *names); /* names ends by null */
