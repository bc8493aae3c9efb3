/*
 * A table that is written word by word, row after row, to standard output.
 */
#pragma once
#include "harness.h"

struct table {
    struct grid grid;
    int count; /* words so far */
};

/* For at most so many rows beside the header; heads end by null. The last column may be a note. */
void table_begin(struct table *t, size_t rows, bool notes, const char *const *heads);
void table_word(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_number(struct table *t, double value, int digits); /* NaN: - */
void table_interval(struct table *t, double lo, double hi);
void table_print(struct table *t, bool markdown); /* and frees it */
