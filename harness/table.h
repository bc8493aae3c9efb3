/*
 * A table for the terminal or in Markdown, written row by row.
 */
#pragma once
#include <stdbool.h>

struct table {
    bool markdown;
    const int *widths;  /* of the columns in text, negative: flush left; the last one is as it is */
    int columns, count; /* in all; words so far in this row */
    char word[8][320];
};

void table_header(struct table *t, const char *const *heads); /* ends by null */
void table_word(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_number(struct table *t, double value, int digits); /* NaN: - */
void table_interval(struct table *t, double lo, double hi);
void table_row(struct table *t); /* to standard output */
