/*
 * What a run's folder has to read, written twice from the same calls: report.md, and index.html,
 * which is one file with its figures inside, without scripts and without anything to fetch. The
 * latter is well-formed as XML too, so that a fault in it is found by any parser.
 */
#include "report/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"

enum { LONG_TABLE = 40 }; /* rows; a longer one is folded */

/* Colours have a contrast of at least 4.5 to what is behind them. A figure keeps its light card in
 * the dark, since its curves are drawn for white. What is wider than a phone scrolls by itself,
 * and its rows keep their names. */
static const char style[] =
    ":root{color-scheme:light dark;--page:#fff;--text:#1c1c1c;--quiet:#595959;--line:#d5d5d5;"
    "--head:#f3f3f1;--link:#0b57a4;--good:#17692d;--mild:#855000;--bad:#b3201a;--here:#fff3bf}\n"
    "@media (prefers-color-scheme:dark){:root{--page:#16181b;--text:#e4e4e1;--quiet:#a3a7ab;"
    "--line:#3a3e43;--head:#202428;--link:#8ab8f0;--good:#7fce92;--mild:#e6b35c;--bad:#ff938a;"
    "--here:#4a4215}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1rem;max-width:76rem;background:var(--page);color:var(--text);"
    "font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.7rem;line-height:1.2}\n"
    "h2{font-size:1.25rem;margin-top:2.5rem;padding-top:.6rem;border-top:1px solid var(--line)}\n"
    "p{max-width:46rem}\n"
    "a{color:var(--link)}\n"
    ".verdict{padding:.6rem .9rem;border-left:.3rem solid var(--link);background:var(--head)}\n"
    "nav p{margin:.8rem 0 .2rem;color:var(--quiet)}nav "
    "ul{margin:0;columns:20rem;padding-left:1.2rem}\n"
    ".table{overflow-x:auto;margin:1rem 0}\n"
    "table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;font-weight:600;padding-bottom:.4rem;position:sticky;left:0;"
    "max-width:calc(100vw - 2rem)}\n"
    ".unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\n"
    "th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:right;"
    "vertical-align:top;white-space:nowrap}\n"
    "th{font-weight:600;background:var(--head)}\n"
    "tbody th,.text{text-align:left}\n"
    ".table:not(.prose) tbody th:last-of-type{position:sticky;left:0}\n"
    ".prose th,.prose td{white-space:normal;max-width:30rem}\n"
    "@media screen{.prose td{min-width:8rem}}\n"
    "td a{color:inherit;text-decoration:underline dotted var(--quiet);"
    "text-underline-offset:.2em}\n"
    ".good{color:var(--good)}.mild{color:var(--mild)}.bad{color:var(--bad);font-weight:700}"
    ".none{color:var(--quiet)}\n"
    "tr:target,tr:target th{background:var(--here)}\n"
    "summary{cursor:pointer;font-weight:600;padding:.3rem 0}\n"
    "figure{margin:1.5rem 0}\n"
    ".card{overflow-x:auto;width:fit-content;max-width:100%;padding:.5rem;border:1px solid "
    "var(--line);border-radius:.4rem;"
    "background:#fff}\n"
    ".card svg{display:block;width:54rem;max-width:100%;min-width:38rem;height:auto;"
    "font-family:Helvetica,Arial,sans-serif}\n"
    "figcaption{font-size:.875rem;color:var(--quiet)}\n"
    "@media (max-width:40rem){td span{display:block}th,td{padding:.2rem .35rem}"
    "table{font-size:.8rem}}\n"
    "@media print{:root{--page:#fff;--text:#000;--quiet:#444;--line:#aaa;--head:#eee;"
    "--link:#000;--good:#000;--mild:#000;--bad:#000}"
    "body{max-width:none;padding:0;font-size:10pt}table{font-size:7pt}"
    ".table,.card{overflow:visible;border:0}.card svg{min-width:0}figure,tr{break-inside:avoid}"
    "thead{display:table-header-group}h2,caption,thead{break-after:avoid}"
    "td span{display:block}a,td a{text-decoration:none}"
    "details::details-content{content-visibility:visible;block-size:auto}"
    "nav,.rows,summary{display:none}.unseen{position:static;width:auto;height:auto;"
    "clip-path:none}}\n";

void page_section(struct page *page, const char *id, const char *title)
{
    page->section = intern(title);
    text_add(&page->markdown, "## %s\n\n", title);
    text_add(&page->html, "<h2 id=\"%s\">", id);
    text_html(&page->html, title);
    text_add(&page->html, "</h2>\n");
    text_add(&page->contents, "<li><a href=\"#%s\">", id);
    text_html(&page->contents, title);
    text_add(&page->contents, "</a></li>\n");
}

void page_part(struct page *page, const char *title)
{
    text_add(&page->contents, "</ul>\n<p>");
    text_html(&page->contents, title);
    text_add(&page->contents, "</p>\n<ul>\n");
}

void page_paragraph(struct page *page, const char *format, ...)
{
    char *paragraph;
    va_list list;
    va_start(list, format);
    const int length = vasprintf(&paragraph, format, list);
    va_end(list);
    if (length < 0)
        abort(); /* a few bytes */
    text_add(&page->markdown, "%s\n\n", paragraph);
    text_add(&page->html, "<p>");
    text_html(&page->html, paragraph);
    text_add(&page->html, "</p>\n");
    free(paragraph);
}

void page_table(struct page *page, const char *title, const struct grid *grid)
{
    const bool folded = grid->rows - 1 > LONG_TABLE;
    const char *name = title[0] != '\0' ? title : page->section;
    grid_markdown(grid, title, &page->markdown);
    if (folded) {
        text_add(&page->html, "<details><summary>");
        text_html(&page->html, name);
        text_add(&page->html, ": %d rows</summary>\n", grid->rows - 1);
    }
    grid_html(grid, name, title[0] != '\0' && !folded, &page->html);
    text_add(&page->html, folded ? "</details>\n" : "");
}

void page_rows(struct page *page, const char *title, const struct grid *grid)
{
    text_add(&page->rows, "<details><summary>");
    text_html(&page->rows, title);
    text_add(&page->rows, ": %d rows</summary>\n", grid->rows - 1);
    grid_html(grid, title, false, &page->rows);
    text_add(&page->rows, "</details>\n");
}

/* How long the begin of `text` is that an id follows, in a figure: id="..., href="#..., url(#...
 * 0: none does. */
static size_t before_id(const char *text)
{
    static const char *const begins[] = {" id=\"", " id='",   "href=\"#", "href='#", "url(#",
                                         "url('#", "url(\"#", "\tid=\"",  "\nid=\""};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(text, begins[i], strlen(begins[i])) == 0)
            return strlen(begins[i]);
    return 0;
}

/* How long the text is here that says nothing, a fifth of gnuplot's figures: what is the default
 * or the page's style, or a group that holds nothing. 0: it says something. */
static size_t idle(const char *text)
{
    static const char *const said[] = {" stroke-linecap=\"butt\" stroke-linejoin=\"miter\"",
                                       " font-family=\"Helvetica,Arial,sans-serif\""};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (strncmp(text, said[i], strlen(said[i])) == 0)
            return strlen(said[i]);
    const char *end = strncmp(text, "<g ", 3) == 0 ? strchr(text, '>') : NULL;
    if (end == NULL)
        return 0;
    end += 1 + strspn(end + 1, " \t\n");
    return strncmp(end, "</g>", 4) == 0 ? (size_t)(end + 4 - text) : 0;
}

/* gnuplot gives all its figures the same ids; on one page each needs its own. */
static void add_svg(struct text *out, const char *svg, const char *id, const char *title)
{
    text_add(out, "<svg role=\"img\" aria-label=\"");
    text_html(out, title);
    text_add(out, "\"");
    const char *done = svg + strlen("<svg");
    for (const char *c = done; *c != '\0'; c++) {
        const size_t begin = before_id(c), skip = idle(c);
        if (begin + skip == 0)
            continue;
        text_add(out, "%.*s", (int)(c + begin - done), done);
        if (begin > 0)
            text_add(out, "%s-", id);
        done = c + begin + skip;
        c = done - 1;
    }
    text_add(out, "%s", done);
}

enum status page_figure(struct page *page, const char *folder, const char *id, const char *title)
{
    const char *const path = internf("%s/figures/%s.svg", folder, id);
    struct text svg = {0};
    enum status status = text_load(path, &svg);
    const char *begin = status == OK ? strstr(svg.data, "<svg") : NULL;
    if (status == OK && begin == NULL)
        status = because(ERR_IO, "%s is no SVG; remove it and report again", path);
    if (status == OK) {
        text_add(&page->markdown, "![%s](figures/%s.svg)\n\n", title, id);
        text_add(&page->html, "<figure><div class=\"card\">");
        add_svg(&page->html, begin, id, title);
        text_add(&page->html, "</div><figcaption>");
        text_html(&page->html, title);
        text_add(&page->html, "</figcaption></figure>\n");
    }
    text_free(&svg);
    return status;
}

enum status page_write(struct page *page, const char *folder, const char *title,
                       const char *verdict)
{
    struct text markdown = {0}, html = {0};
    text_add(&markdown, "# %s\n\n%s%s\n", title, page->markdown.data, verdict);
    text_add(&html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                    "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>");
    text_html(&html, title);
    text_add(&html, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
    text_html(&html, title);
    text_add(&html, "</h1>\n<p class=\"verdict\">");
    text_html(&html, verdict);
    text_add(
        &html,
        "</p>\n<nav aria-label=\"Contents\">\n<ul>\n%s<li><a href=\"#rows\">Rows</a></li>\n"
        "</ul>\n</nav>\n<main>\n%s<section class=\"rows\">\n<h2 id=\"rows\">Rows</h2>\n<p>"
        "Every number above links to its row here: those of compared.csv, in SI units with all "
        "their digits, and the lines of measured.csv that they are "
        "from.</p>\n%s</section>\n</main>\n</body>\n</html>\n",
        page->contents.data, page->html.data, page->rows.data);
    enum status status =
        write_file(internf("%s/report.md", folder), markdown.data, markdown.length);
    if (status == OK)
        status = write_file(internf("%s/index.html", folder), html.data, html.length);
    text_free(&markdown);
    text_free(&html);
    return status;
}

void page_free(struct page *page)
{
    text_free(&page->markdown);
    text_free(&page->html);
    text_free(&page->contents);
    text_free(&page->rows);
}
