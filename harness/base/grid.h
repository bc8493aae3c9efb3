/*
 * A table of words, and the ways to write it.
 */
#pragma once
#include "base/record.h"

struct grid {
    int rows, columns; /* row 0 is the header */
    int texts;         /* so many columns from the left are text, the others numbers; 1 */
    int heads;         /* so many columns from the left say what a row is; 1 */
    bool notes;        /* the last column is text too */
    bool targets;      /* the link of a row's first word is where other links lead to */
    struct grid_cell { /* both are interned */
        const char *word;
        const char *link; /* id that the word links to on a page; "": none */
    } * cells;
};
void grid_make(struct grid *grid, int rows, int columns);
void grid_grow(struct grid *grid, int rows); /* to so many */
void grid_free(struct grid *grid);
const char *grid_word(const struct grid *grid, int row, int column);
void grid_put(struct grid *grid, int row, int column, const char *word);
void grid_link(struct grid *grid, int row, int column, const char *link);
void grid_row(struct grid *grid, int row, const char *const *words); /* words[columns] */
/* Every way to write it; `title` may be empty but for LaTeX and HTML. */
void grid_text(const struct grid *grid, const char *title, struct text *out);
void grid_csv(const struct grid *grid, struct text *out);
void grid_markdown(const struct grid *grid, const char *title, struct text *out);
void grid_latex(const struct grid *grid, const char *title, struct text *out);
/* With the title above it where `shown`; else for those alone who hear the page. */
void grid_html(const struct grid *grid, const char *title, bool shown, struct text *out);
void text_html(struct text *out, const char *word); /* what means something in HTML replaced */
