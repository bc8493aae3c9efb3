/*
 * A table that is written word by word, row after row, to standard output.
 */
#include "base/table.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/intern.h"

void table_begin(struct table *t, bool notes, const char *const *heads)
{
    int columns = 0;
    while (heads[columns] != NULL)
        columns++;
    grid_make(&t->grid, 1, columns);
    t->grid.notes = notes;
    grid_row(&t->grid, 0, heads);
    t->count = columns;
}

void table_word(struct table *t, const char *word)
{
    const int row = t->count / t->grid.columns, column = t->count % t->grid.columns;
    if (row == t->grid.rows)
        grid_grow(&t->grid, 2 * row);
    grid_put(&t->grid, row, column, word);
    t->count++;
}

void table_number(struct table *t, double value, int digits)
{
    if (isnan(value))
        table_word(t, "-");
    else
        table_word(t, internf("%.*g", digits, value));
}

void table_interval(struct table *t, double lo, double hi)
{
    if (isnan(lo) || isnan(hi))
        table_word(t, "-");
    else
        table_word(t, internf("%.4g to %.4g", lo, hi));
}

void table_print(struct table *t, const char *format)
{
    struct text out = {0};
    assert(t->count % t->grid.columns == 0);
    t->grid.rows = t->count / t->grid.columns;
    if (format != NULL && strcmp(format, "csv") == 0)
        grid_csv(&t->grid, &out);
    else if (format != NULL && strcmp(format, "markdown") == 0)
        grid_markdown(&t->grid, "", &out);
    else if (format != NULL)
        grid_text(&t->grid, "", &out);
    if (out.length > 0)
        fputs(out.data, stdout);
    text_free(&out);
    grid_free(&t->grid);
}
