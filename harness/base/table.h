/*
 * A table that is written word by word, row after row, to standard output.
 */
#pragma once
#include "base/grid.h"

struct table {
    struct grid grid;
    int count; /* words so far */
};

/* heads end by null; with `notes` the last column is text. */
void table_begin(struct table *t, bool notes, const char *const *heads);
void table_word(struct table *t, const char *word);
void table_number(struct table *t, double value, int digits); /* NaN: - */
void table_interval(struct table *t, double lo, double hi);
/* Prints the table as text, markdown or csv, or, with null, not at all; and frees it. */
void table_print(struct table *t, const char *format);
