/*
 * A table of words, and the ways to write it: aligned text, Markdown, LaTeX and HTML. All show the
 * same words, so what one of them says the others say too.
 */
#include "base/grid.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"

static struct grid_cell *cell_at(const struct grid *grid, int row, int column)
{
    return &grid->cells[(size_t)row * (size_t)grid->columns + (size_t)column];
}

void grid_make(struct grid *grid, int rows, int columns)
{
    *grid = (struct grid){.columns = columns, .texts = 1, .heads = 1};
    grid_grow(grid, rows);
}

void grid_grow(struct grid *grid, int rows)
{
    const size_t before = (size_t)grid->rows * (size_t)grid->columns;
    const size_t count = (size_t)rows * (size_t)grid->columns;
    grid->rows = rows;
    grid->cells = realloc(grid->cells, (count + 1) * sizeof *grid->cells);
    if (grid->cells == NULL)
        abort(); /* a few kilobytes */
    for (size_t i = before; i < count; i++)
        grid->cells[i] = (struct grid_cell){"", ""};
}

void grid_free(struct grid *grid)
{
    free(grid->cells);
    *grid = (struct grid){0};
}

const char *grid_word(const struct grid *grid, int row, int column)
{
    return cell_at(grid, row, column)->word;
}

void grid_put(struct grid *grid, int row, int column, const char *word)
{
    cell_at(grid, row, column)->word = intern(word);
}

void grid_link(struct grid *grid, int row, int column, const char *link)
{
    cell_at(grid, row, column)->link = intern(link);
}

void grid_row(struct grid *grid, int row, const char *const *words)
{
    for (int c = 0; c < grid->columns; c++)
        grid_put(grid, row, c, words[c]);
}

/* --- aligned text --- */

static int width_of(const struct grid *grid, int column)
{
    int width = 0;
    for (int r = 0; r < grid->rows; r++) {
        const int here = (int)strlen(grid_word(grid, r, column));
        width = here > width ? here : width;
    }
    return width;
}

void grid_text(const struct grid *grid, const char *title, struct text *out)
{
    if (title[0] != '\0')
        text_add(out, "%s\n\n", title);
    for (int r = 0; r < grid->rows; r++) {
        for (int c = 0; c < grid->columns; c++)
            if (grid->notes && c + 1 == grid->columns)
                text_add(out, "  %s", grid_word(grid, r, c));
            else
                text_add(out, c == 0 ? "%-*s" : "  %*s", width_of(grid, c), grid_word(grid, r, c));
        text_add(out, "\n");
    }
    text_add(out, "\n");
}

void grid_csv(const struct grid *grid, struct text *out)
{
    for (int r = 0; r < grid->rows; r++)
        for (int c = 0; c < grid->columns; c++)
            text_field(out, grid_word(grid, r, c), c + 1 < grid->columns ? ',' : '\n');
}

/* --- formats in which some characters mean something else, and are replaced --- */

/* Control characters become blanks: XML forbids most of them. */
static void add_escaped(struct text *out, const char *word, const struct escape *escapes)
{
    text_escaped(out, word, escapes, " ");
}

/* Of HTML in a text, which Markdown would let through. */
void text_markdown(struct text *out, const char *words)
{
    static const struct escape escapes[] = {{'<', "\\<"}, {0, NULL}};
    add_escaped(out, words, escapes);
}

void grid_markdown(const struct grid *grid, const char *title, struct text *out)
{
    static const struct escape escapes[] = {{'|', "\\|"}, {'<', "\\<"}, {0, NULL}};
    if (title[0] != '\0') {
        text_add(out, "**");
        text_markdown(out, title);
        text_add(out, "**\n\n");
    }
    for (int r = 0; r < grid->rows; r++) {
        for (int c = 0; c < grid->columns; c++) {
            text_add(out, "| ");
            add_escaped(out, grid_word(grid, r, c), escapes);
            text_add(out, " ");
        }
        text_add(out, "|\n");
        for (int c = 0; r == 0 && c < grid->columns; c++)
            text_add(out, c < grid->texts || (grid->notes && c + 1 == grid->columns) ? "| --- "
                                                                                     : "| ---: ");
        if (r == 0)
            text_add(out, "|\n");
    }
    text_add(out, "\n");
}

/* --- LaTeX, for longtable and booktabs --- */

static void add_latex(struct text *out, const char *word)
{
    static const struct escape escapes[] = {{'\\', "\\textbackslash{}"},
                                            {'{', "\\{"},
                                            {'}', "\\}"},
                                            {'$', "\\$"},
                                            {'&', "\\&"},
                                            {'#', "\\#"},
                                            {'%', "\\%"},
                                            {'_', "\\_"},
                                            {'^', "\\textasciicircum{}"},
                                            {'~', "\\textasciitilde{}"},
                                            {'[', "{[}"}, /* after \\ a [ would begin an option */
                                            {0, NULL}};
    add_escaped(out, word, escapes);
}

void grid_latex(const struct grid *grid, const char *title, struct text *out)
{
    text_add(out, "%% \\usepackage{booktabs,longtable}\n\\begin{longtable}{");
    for (int c = 0; c < grid->columns; c++)
        text_add(out, "%c", c < grid->heads ? 'l' : 'r');
    text_add(out, "}\n\\caption{");
    add_latex(out, title);
    text_add(out, "}\\\\\n\\toprule\n");
    for (int r = 0; r < grid->rows; r++) {
        for (int c = 0; c < grid->columns; c++) {
            text_add(out, c > 0 ? " & " : "");
            add_latex(out, grid_word(grid, r, c));
        }
        text_add(out, r == 0 ? "\\\\\n\\midrule\n\\endhead\n" : "\\\\\n");
    }
    text_add(out, "\\bottomrule\n\\end{longtable}\n\n");
}

/* --- HTML, well-formed as XML too --- */

void text_html(struct text *out, const char *word)
{
    static const struct escape escapes[] = {{'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"},
                                            {'"', "&quot;"}, {'\'', "&#39;"}, {0, NULL}};
    add_escaped(out, word, escapes);
}

/* A verdict has a colour beside its word. */
static const char *look_of(const char *word)
{
    static const struct {
        const char *begin, *look;
    } looks[] = {{"SAME", "good"},      {"CLOSE", "good"},      {"HOLDS", "good"},
                 {"EXPLAINED", "mild"}, {"TIED", "mild"},       {"PARTLY", "mild"},
                 {"DIFFERS", "bad"},    {"REVERSED", "bad"},    {"not measured", "none"},
                 {"NOT ", "none"},      {"not printed", "none"}};
    /* It may stand behind a number. */
    const char *const behind = isdigit((unsigned char)word[0]) ? strchr(word, ' ') : NULL;
    const char *const verdict = behind != NULL ? behind + 1 : word;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (strncmp(verdict, looks[i].begin, strlen(looks[i].begin)) == 0)
            return looks[i].look;
    return NULL;
}

static void html_word(const char *word, const char *link, bool text, struct text *out)
{
    const bool links = link[0] != '\0' && strcmp(word, "-") != 0 && word[0] != '\0';
    struct text escaped = {0};
    text_add(&escaped, "%s", "");
    text_html(&escaped, word);
    /* An interval goes below its value where there is little room. */
    const char *interval = text ? NULL : strstr(escaped.data, " [");
    if (links)
        text_add(out, strchr(link, '/') != NULL ? "<a href=\"%s\">" : "<a href=\"#%s\">", link);
    if (interval != NULL)
        text_add(out, "%.*s <span>%s</span>", (int)(interval - escaped.data), escaped.data,
                 interval + 1);
    else
        text_add(out, "%s", escaped.data);
    text_add(out, links ? "</a>" : "");
    text_free(&escaped);
}

/* Each of several links has its own words, up to a comma. */
void grid_html_word(const struct grid *grid, int row, int column, struct text *out)
{
    const bool text = column < grid->texts;
    const char *word = grid_word(grid, row, column), *end;
    const char *link = grid->targets && column == 0 ? "" : cell_at(grid, row, column)->link;
    for (; (end = strchr(link, ' ')) != NULL; link = end + 1) {
        const size_t length = strcspn(word, ",");
        html_word(internf("%.*s", (int)length, word), internf("%.*s", (int)(end - link), link),
                  text, out);
        text_add(out, ", ");
        word += length + strspn(word + length, ", ");
    }
    html_word(word, link, text, out);
}

/* How many rows belong together: those whose first word is empty belong to the one above them. */
static int rows_below(const struct grid *grid, int row)
{
    int count = 1;
    while (row + count < grid->rows && grid_word(grid, row + count, 0)[0] == '\0')
        count++;
    return count;
}

/* What a page has thousands of says no more than it must: a head of a column or of a row is one by
 * where it stands, as HTML has it, and needs no scope; and the style aligns the first column.
 *
 * Rows that belong together are a body of their own, which the first word heads. */
static bool begins_body(const struct grid *grid, int row)
{
    return row > 1 && grid_word(grid, row, 0)[0] != '\0' &&
           (rows_below(grid, row) > 1 || grid_word(grid, row - 1, 0)[0] == '\0');
}

static void html_cell(const struct grid *grid, int row, int column, struct text *out)
{
    const int span = column == 0 ? rows_below(grid, row) : 1;
    const bool head = column < grid->heads;
    const char *look = head ? NULL : look_of(grid_word(grid, row, column));
    const char *name = head ? "th" : "td";
    if (column == 0 && grid_word(grid, row, 0)[0] == '\0')
        return;
    text_add(out, "<%s", name);
    if (span > 1)
        text_add(out, " scope=\"rowgroup\" rowspan=\"%d\"", span);
    const bool text = !head && column < grid->texts && grid->texts < grid->columns;
    if (text || look != NULL)
        text_add(out, " class=\"%s%s%s\"", text ? "text" : "", text && look != NULL ? " " : "",
                 look != NULL ? look : "");
    text_add(out, ">");
    grid_html_word(grid, row, column, out);
    text_add(out, "</%s>", name);
}

void grid_html(const struct grid *grid, const char *title, const char *id, bool shown,
               struct text *out)
{
    const bool prose = grid->texts == grid->columns;
    text_add(out,
             "<div class=\"table%s\" role=\"region\" tabindex=\"0\" aria-labelledby=\"%s\">"
             "<table>\n<caption id=\"%s\"%s>",
             prose ? " prose" : "", id, id, shown ? "" : " class=\"unseen\"");
    text_html(out, title);
    text_add(out, "</caption>\n<thead><tr>");
    for (int c = 0; c < grid->columns; c++) {
        const bool text = c < grid->texts || c < grid->heads;
        text_add(out, text && c > 0 && !prose ? "<th class=\"text\">" : "<th>");
        text_html(out, grid_word(grid, 0, c));
        text_add(out, "</th>");
    }
    text_add(out, "</tr></thead>\n<tbody>\n");
    for (int r = 1; r < grid->rows; r++) {
        text_add(out, begins_body(grid, r) ? "</tbody>\n<tbody>\n<tr" : "<tr");
        if (grid->targets && cell_at(grid, r, 0)->link[0] != '\0')
            text_add(out, " id=\"%s\"", cell_at(grid, r, 0)->link);
        text_add(out, ">");
        for (int c = 0; c < grid->columns; c++)
            html_cell(grid, r, c, out);
        text_add(out, "</tr>\n");
    }
    text_add(out, "</tbody>\n</table></div>\n");
}
