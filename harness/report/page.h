/*
 * What a run's folder has to read, as report.md and as index.html.
 */
#pragma once
#include "base/grid.h"

struct page {
    const char *section;                        /* title of the last one */
    struct text markdown, html, contents, rows; /* the latter three are parts of index.html */
};
void page_part(struct page *page, const char *title); /* of several sections, in the contents */
void page_section(struct page *page, const char *id, const char *title);
void page_paragraph(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `title` empty: that of the section, and the Markdown has none. A long one is folded in HTML. */
void page_table(struct page *page, const char *title, const struct grid *grid);
/* In index.html alone, at its end: what the numbers link to. */
void page_rows(struct page *page, const char *title, const struct grid *grid);
/* The folder's figures/ID.svg: linked from the Markdown, inside the HTML. */
enum status page_figure(struct page *page, const char *folder, const char *id, const char *title);
/* report.md, which ends by `verdict`, and index.html, which begins by it. */
enum status page_write(struct page *page, const char *folder, const char *title,
                       const char *verdict);
void page_free(struct page *page);
