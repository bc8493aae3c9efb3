/*
 * A table for the terminal or in Markdown, written row by row.
 */
#include "table.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void table_word(struct table *t, const char *format, ...)
{
    va_list list;
    assert(t->count < (int)(sizeof t->word / sizeof *t->word));
    va_start(list, format);
    vsnprintf(t->word[t->count++], sizeof *t->word, format, list);
    va_end(list);
}

void table_number(struct table *t, double value, int digits)
{
    if (isnan(value))
        table_word(t, "-");
    else
        table_word(t, "%.*g", digits, value);
}

void table_interval(struct table *t, double lo, double hi)
{
    if (isnan(lo) || isnan(hi))
        table_word(t, "-");
    else
        table_word(t, "%.4g to %.4g", lo, hi);
}

void table_row(struct table *t)
{
    assert(t->count == t->columns);
    for (int c = 0; c < t->columns; c++) {
        const bool last = c + 1 == t->columns;
        if (t->markdown)
            printf("| %s%s", t->word[c], last ? " |\n" : " ");
        else
            printf("%*s%s", last ? 0 : t->widths[c], t->word[c], last ? "\n" : "  ");
    }
    t->count = 0;
}

void table_header(struct table *t, const char *const *heads)
{
    t->columns = t->count = 0;
    for (int c = 0; heads[c] != NULL; c++, t->columns++)
        table_word(t, "%s", heads[c]);
    table_row(t);
    for (int c = 0; c < t->columns && t->markdown; c++)
        printf("%s%s", c == 0 || c + 1 == t->columns ? "| --- " : "| ---: ",
               c + 1 == t->columns ? "|\n" : "");
}
