/*
 * What a run's folder has to read, as report.md and as index.html; and the pages of a site, which
 * are made by the same calls.
 */
#pragma once
#include "base/grid.h"

struct page {
    bool of_site; /* figures are files beside it, and tables are never folded for their length */
    const char *section;                        /* title of the last one */
    int tables;                                 /* so many have an id */
    struct text markdown, html, contents, rows; /* the latter three are parts of index.html */
};
void page_part(struct page *page, const char *title); /* of several sections, in the contents */
void page_section(struct page *page, const char *id, const char *title);
void page_paragraph(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, with a link behind it. */
void page_link(struct page *page, const char *path, const char *title, const char *words);
/* A row is an item, its words one behind the other; there is no header. */
void page_list(struct page *page, const struct grid *items);
/* `title` empty: that of the section, and the Markdown has none. A long one is folded in HTML. */
void page_table(struct page *page, const char *title, const struct grid *grid);
/* One that is folded in HTML however short it is. */
void page_detail(struct page *page, const char *title, const struct grid *grid);
/* In index.html alone, at its end: what the numbers link to; `words`, if not empty, before them. */
void page_rows(struct page *page, const char *title, const char *words, const struct grid *grid);
/* The folder's figures/ID.svg: linked from the Markdown, inside the HTML. */
enum status page_figure(struct page *page, const char *folder, const char *id, const char *title);
/* A figure that is another file, on the page of a site. */
void page_image(struct page *page, const char *path, const char *title);
/* report.md, which ends by `verdict`, and index.html, which begins by it. */
enum status page_write(struct page *page, const char *folder, const char *title,
                       const char *verdict);
/* A page of a site: `up` leads to the site's folder, "../../"; `trail` are links, "PATH|WORDS",
 * ends by null, to the pages above it. `lead` may be empty. */
enum status page_write_of_site(struct page *page, const char *path, const char *up,
                               const char *const *trail, const char *title, const char *lead);
/* What all pages of a site share: style.css, and tables.js, which sorts and filters. */
enum status page_write_shared(const char *site);
void page_free(struct page *page);
