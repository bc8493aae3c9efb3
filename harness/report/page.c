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

/* Colours have a contrast of at least 4.5 to what is behind them. Figures are drawn for white: in
 * the dark their light and dark are swapped, and their hues turned back. A table that is wider than
 * the screen scrolls by itself, under a shadow at the side where there is more, and its rows keep
 * their names. */
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
    ".table{overflow-x:auto;margin:1rem 0;background:linear-gradient(to right,var(--page) "
    "30%,transparent) 0 0/3rem 100% no-repeat local,linear-gradient(to left,var(--page) "
    "30%,transparent) 100% 0/3rem 100% no-repeat local,linear-gradient(to "
    "right,var(--line),transparent) 0 0/1rem 100% no-repeat scroll,linear-gradient(to "
    "left,var(--line),transparent) 100% 0/1rem 100% no-repeat scroll}\n"
    "table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;font-weight:600;padding-bottom:.4rem;position:sticky;left:0;"
    "max-width:calc(100vw - 2rem)}\n"
    ".unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\n"
    "th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:right;"
    "vertical-align:top;white-space:nowrap}\n"
    "th{font-weight:600;background:var(--head)}\n"
    "tbody th,th:first-child,.prose th,.prose td,.text{text-align:left}\n"
    ".table:not(.prose) tbody th:last-of-type{position:sticky;left:0;z-index:1}\n"
    ".prose th,.prose td{white-space:normal;max-width:30rem}\n"
    "@media screen{.prose td{min-width:8rem}}\n"
    "td a,th a{color:inherit;text-decoration:underline dotted var(--quiet);"
    "text-underline-offset:.2em}\n"
    ".good{color:var(--good)}.mild{color:var(--mild)}.bad{color:var(--bad);font-weight:700}"
    ".none{color:var(--quiet)}\n"
    "tr:target,tr:target th{background:var(--here)}\n"
    "summary{cursor:pointer;font-weight:600;padding:.3rem 0}\n"
    "figure{margin:1.5rem 0}\n"
    ".card{width:fit-content;max-width:100%;padding:.5rem;border:1px solid "
    "var(--line);border-radius:.4rem;"
    "background:#fff}\n"
    ".card svg,.card img{display:block;width:54rem;max-width:100%;height:auto;"
    "font-family:Helvetica,Arial,sans-serif}\n"
    "@media screen and (prefers-color-scheme:dark){.card{filter:invert(.91) hue-rotate(180deg)}}\n"
    "th button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;"
    "text-align:inherit}th button::after{content:' \\2195';color:var(--quiet)}"
    "th[aria-sort=ascending] button::after{content:' \\2191'}"
    "th[aria-sort=descending] button::after{content:' \\2193'}"
    "input{font:inherit;color:inherit;background:var(--page);border:1px solid var(--quiet);"
    "border-radius:.2rem;padding:.1rem .4rem}.filter{margin:1rem 0 -.5rem}\n"
    "figcaption{font-size:.875rem;color:var(--quiet)}\n"
    "@media (max-width:40rem){td span{display:block}th,td{padding:.2rem .35rem}"
    "table{font-size:.8rem}}\n"
    "@media print{:root{--page:#fff;--text:#000;--quiet:#444;--line:#aaa;--head:#eee;"
    "--link:#000;--good:#000;--mild:#000;--bad:#000}"
    "body{max-width:none;padding:0;font-size:10pt}table{font-size:7pt}"
    ".table,.card{overflow:visible;border:0}figure,tr{break-inside:avoid}"
    "thead{display:table-header-group}h2,caption,thead{break-after:avoid}"
    "td span{display:block}a,td a,th a{text-decoration:none}"
    "details::details-content{content-visibility:visible;block-size:auto}"
    "nav,.rows,summary,.filter,th "
    "button::after{display:none}.unseen{position:static;width:auto;height:auto;"
    "clip-path:none}}\n";

/* Sorts a table by a click on a heading, where each row stands for itself, and filters long ones. A
 * page says all it has without this. */
static const char script[] =
    "'use strict';\n"
    "const word = (row, k) => row.cells[k] ? row.cells[k].textContent.trim() : '';\n"
    "const number = text => parseFloat(text.replace(/^[^-.\\d]+/, ''));\n"
    "function compare(a, b) {\n"
    "  const x = number(a), y = number(b);\n"
    "  if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1; /* what has no number comes last */\n"
    "  return isNaN(x) || x === y ? a.localeCompare(b) : x - y;\n"
    "}\n"
    "for (const table of document.querySelectorAll('.table table')) {\n"
    "  const rows = [...table.querySelectorAll('tbody tr')];\n"
    "  if (rows.length < 3 || table.querySelector('[rowspan]') || table.tBodies.length > 1)\n"
    "    continue;\n"
    "  [...table.tHead.rows[0].cells].forEach((th, k) => {\n"
    "    const button = document.createElement('button');\n"
    "    button.append(...th.childNodes);\n"
    "    th.append(button);\n"
    "    if (button.textContent === '') button.setAttribute('aria-label', 'column ' + (k + 1));\n"
    "    button.onclick = () => {\n"
    "      const down = th.getAttribute('aria-sort') === 'ascending';\n"
    "      for (const other of th.parentNode.cells) other.removeAttribute('aria-sort');\n"
    "      th.setAttribute('aria-sort', down ? 'descending' : 'ascending');\n"
    "      rows.sort((a, b) => (down ? -1 : 1) * compare(word(a, k), word(b, k)));\n"
    "      table.tBodies[0].append(...rows);\n"
    "    };\n"
    "  });\n"
    "  if (rows.length < 12) continue;\n"
    "  const label = document.createElement('label'), input = document.createElement('input');\n"
    "  input.type = 'search';\n"
    "  label.append('Only rows with ', input);\n"
    "  label.className = 'filter';\n"
    "  label.style.display = 'block';\n"
    "  input.oninput = () => {\n"
    "    const wanted = input.value.toLowerCase();\n"
    "    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);\n"
    "  };\n"
    "  table.parentNode.before(label);\n"
    "}\n";

void page_section(struct page *page, const char *id, const char *title)
{
    page->section = intern(title);
    text_add(&page->markdown, "## ");
    text_markdown(&page->markdown, title);
    text_add(&page->markdown, "\n\n");
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
    text_markdown(&page->markdown, paragraph);
    text_add(&page->markdown, "\n\n");
    text_add(&page->html, "<p>");
    text_html(&page->html, paragraph);
    text_add(&page->html, "</p>\n");
    free(paragraph);
}

void page_link(struct page *page, const char *path, const char *title, const char *words)
{
    text_add(&page->markdown, "[");
    text_markdown(&page->markdown, title);
    text_add(&page->markdown, "](%s)", path);
    text_markdown(&page->markdown, words);
    text_add(&page->markdown, "\n\n");
    text_add(&page->html, "<p><a href=\"%s\">", path);
    text_html(&page->html, title);
    text_add(&page->html, "</a>");
    text_html(&page->html, words);
    text_add(&page->html, "</p>\n");
}

void page_list(struct page *page, const struct grid *items)
{
    if (items->rows == 0)
        return;
    text_add(&page->html, "<ul>\n");
    for (int r = 0; r < items->rows; r++) {
        text_add(&page->markdown, "- ");
        text_add(&page->html, "<li>");
        for (int c = 0; c < items->columns; c++) {
            text_markdown(&page->markdown, grid_word(items, r, c));
            grid_html_word(items, r, c, &page->html);
        }
        text_add(&page->markdown, "\n");
        text_add(&page->html, "</li>\n");
    }
    text_add(&page->markdown, "\n");
    text_add(&page->html, "</ul>\n");
}

static void add_grid(struct page *page, const char *title, const struct grid *grid, bool shown,
                     struct text *out)
{
    grid_html(grid, title, internf("t%d", ++page->tables), shown, out);
}

static void add_table(struct page *page, const char *title, const struct grid *grid, bool folded)
{
    const char *name = title[0] != '\0' ? title : page->section;
    grid_markdown(grid, title, &page->markdown);
    if (folded) {
        text_add(&page->html, "<details><summary>");
        text_html(&page->html, name);
        text_add(&page->html, ": %d rows</summary>\n", grid->rows - 1);
    }
    add_grid(page, name, grid, title[0] != '\0' && !folded, &page->html);
    text_add(&page->html, folded ? "</details>\n" : "");
}

void page_table(struct page *page, const char *title, const struct grid *grid)
{
    add_table(page, title, grid, !page->of_site && grid->rows - 1 > LONG_TABLE);
}

void page_detail(struct page *page, const char *title, const struct grid *grid)
{
    add_table(page, title, grid, true);
}

void page_rows(struct page *page, const char *title, const char *words, const struct grid *grid)
{
    text_add(&page->rows, "<details><summary>");
    text_html(&page->rows, title);
    text_add(&page->rows, ": %d rows</summary>\n", grid->rows - 1);
    if (words[0] != '\0') {
        text_add(&page->rows, "<p>");
        text_html(&page->rows, words);
        text_add(&page->rows, "</p>\n");
    }
    add_grid(page, title, grid, false, &page->rows);
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
 * or the page's style, a group that holds nothing, or a title, which a browser shows where the
 * mouse rests: gnuplot_plot_1a, or a legend's word without its raised digits. 0: it says something.
 */
static size_t idle(const char *text)
{
    const char *const past = strncmp(text, "<title>", 7) == 0 ? strstr(text, "</title>") : NULL;
    if (past != NULL)
        return (size_t)(past - text) + strlen("</title>");
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

void page_image(struct page *page, const char *path, const char *title)
{
    text_add(&page->html,
             "<figure><div class=\"card\"><a href=\"%s\"><img loading=\"lazy\" "
             "src=\"%s\" alt=\"",
             path, path);
    text_html(&page->html, title);
    text_add(&page->html, "\"/></a></div><figcaption>");
    text_html(&page->html, title);
    text_add(&page->html, "</figcaption></figure>\n");
}

enum status page_figure(struct page *page, const char *folder, const char *id, const char *title)
{
    if (page->of_site) {
        page_image(page, internf("figures/%s.svg", id), title);
        return OK;
    }
    const char *const path = internf("%s/figures/%s.svg", folder, id);
    struct text svg = {0};
    enum status status = text_load(path, &svg);
    const char *begin = status == OK ? strstr(svg.data, "<svg") : NULL;
    if (status == OK && begin == NULL)
        status = because(ERR_IO, "%s is no SVG; remove it and report again", path);
    if (status == OK) {
        text_add(&page->markdown, "![");
        text_markdown(&page->markdown, title);
        text_add(&page->markdown, "](figures/%s.svg)\n\n", id);
        text_add(&page->html, "<figure><div class=\"card\">");
        add_svg(&page->html, begin, id, title);
        text_add(&page->html, "</div><figcaption>");
        text_html(&page->html, title);
        text_add(&page->html, "</figcaption></figure>\n");
    }
    text_free(&svg);
    return status;
}

/* All that stands before the page's own words. */
static void add_begin(struct text *html, const char *title, const char *lead)
{
    text_add(html, "<header>\n<h1>");
    text_html(html, title);
    text_add(html, "</h1>\n");
    if (lead[0] != '\0') {
        text_add(html, "<p class=\"verdict\">");
        text_html(html, lead);
        text_add(html, "</p>\n");
    }
    text_add(html, "</header>\n");
}

static void add_head(struct text *html, const char *title)
{
    text_add(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                   "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>");
    text_html(html, title);
    text_add(html, "</title>\n");
}

static void add_body(struct text *html, const struct page *page)
{
    const bool rows = page->rows.length > 0;
    if (rows || page->contents.length > 0)
        text_add(html, "<nav aria-label=\"Contents\">\n<ul>\n%s%s</ul>\n</nav>\n",
                 page->contents.length > 0 ? page->contents.data : "",
                 rows ? "<li><a href=\"#rows\">Rows</a></li>\n" : "");
    text_add(html, "<main>\n%s", page->html.length > 0 ? page->html.data : "");
    if (rows)
        text_add(html,
                 "<section class=\"rows\">\n<h2 id=\"rows\">Rows</h2>\n<p>"
                 "What was measured leads from above to its row here: those of compared.csv, in SI "
                 "units, and the lines of measured.csv that they are from. What all rows of an "
                 "exhibit have in common stands before them; numbers have ten digits and bounds "
                 "six, and compared.csv has all."
                 "</p>\n%s</section>\n",
                 page->rows.data);
    text_add(html, "</main>\n</body>\n</html>\n");
}

enum status page_write(struct page *page, const char *folder, const char *title,
                       const char *verdict)
{
    struct text markdown = {0}, html = {0};
    text_add(&markdown, "# ");
    text_markdown(&markdown, title);
    text_add(&markdown, "\n\n%s", page->markdown.data);
    text_markdown(&markdown, verdict);
    text_add(&markdown, "\n");
    add_head(&html, title);
    text_add(&html, "<style>\n%s</style>\n</head>\n<body>\n", style);
    add_begin(&html, title, verdict);
    add_body(&html, page);
    enum status status =
        write_file(internf("%s/report.md", folder), markdown.data, markdown.length);
    if (status == OK)
        status = write_file(internf("%s/index.html", folder), html.data, html.length);
    text_free(&markdown);
    text_free(&html);
    return status;
}

enum status page_write_of_site(struct page *page, const char *path, const char *up,
                               const char *const *trail, const char *title, const char *lead)
{
    struct text html = {0};
    add_head(&html, title);
    text_add(&html,
             "<link rel=\"stylesheet\" href=\"%sstyle.css\"/>\n"
             "<script defer=\"defer\" src=\"%stables.js\"></script>\n</head>\n<body>\n",
             up, up);
    if (trail[0] != NULL)
        text_add(&html, "<nav aria-label=\"Above\"><p>");
    for (int i = 0; trail[i] != NULL; i++) {
        const char *const bar = strchr(trail[i], '|');
        text_add(&html, "%s<a href=\"%.*s\">", i > 0 ? " / " : "", (int)(bar - trail[i]), trail[i]);
        text_html(&html, bar + 1);
        text_add(&html, "</a>");
    }
    if (trail[0] != NULL)
        text_add(&html, "</p></nav>\n");
    add_begin(&html, title, lead);
    add_body(&html, page);
    const enum status status = write_file(path, html.data, html.length);
    text_free(&html);
    return status;
}

enum status page_write_shared(const char *site)
{
    const enum status status = write_file(internf("%s/style.css", site), style, sizeof style - 1);
    return status == OK ? write_file(internf("%s/tables.js", site), script, sizeof script - 1)
                        : status;
}

void page_free(struct page *page)
{
    text_free(&page->markdown);
    text_free(&page->html);
    text_free(&page->contents);
    text_free(&page->rows);
}
