/*
 * A table of words, and the ways to write it.
 */
#pragma once
#include "base/record.h"

struct grid {
    int rows, columns; /* row 0 is the header */
    int texts;         /* columns from the left that are text, the others are numbers; 1 */
    int heads;         /* columns from the left that say what a row is; 1 */
    bool notes;        /* the last column is text too */
    bool targets;      /* the link of a row's first word is where other links lead to */
    struct grid_cell { /* both are interned */
        const char *word;
        /* Id that the word links to on a page; with a slash, "./NAME.html#ID", a page beside it;
         * several with blanks between: of the words between ", " each; "": none */
        const char *link;
    } * cells;
};
void grid_make(struct grid *grid, int rows, int columns);
void grid_grow(struct grid *grid, int rows); /* to so many */
void grid_free(struct grid *grid);
const char *grid_word(const struct grid *grid, int row, int column);
void grid_put(struct grid *grid, int row, int column, const char *word);
void grid_link(struct grid *grid, int row, int column, const char *link);
void grid_row(struct grid *grid, int row, const char *const *words); /* words[columns] */
/* These write the table; `title` may be empty but for LaTeX and HTML. */
void grid_text(const struct grid *grid, const char *title, struct text *out);
void grid_csv(const struct grid *grid, struct text *out);
void grid_markdown(const struct grid *grid, const char *title, struct text *out);
void grid_latex(const struct grid *grid, const char *title, struct text *out);
/* The title stands above the table where `shown`; else only those who hear the page get it. It gets
 * the id, of which a page has one. */
void grid_html(const struct grid *grid, const char *title, const char *id, bool shown,
               struct text *out);
/* One of its words, with its links. */
void grid_html_word(const struct grid *grid, int row, int column, struct text *out);
void text_markdown(struct text *out, const char *words); /* outside of a table */
void text_html(struct text *out, const char *word);      /* replaces what means something in HTML */
