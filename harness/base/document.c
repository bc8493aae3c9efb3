/*
 * Lines, tables and checks of a verb, and the ways to write them.
 */
#include "base/document.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"

static bool is(const struct document *d, const char *format)
{
    return strcmp(d->format, format) == 0;
}

/* GitHub shows Markdown on the page of a job. */
static bool has_markdown(const struct document *d)
{
    return is(d, "markdown") || is(d, "github");
}

/* --- JSON --- */

static void json_add_word(struct text *out, const char *word)
{
    static const struct escape escapes[] = {
        {'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\t', "\\t"}, {0, NULL}};
    if (word[0] == '\0') {
        text_add(out, "null");
        return;
    }
    text_add(out, "\"");
    text_escaped(out, word, escapes, "\\u%04x");
    text_add(out, "\"");
}

static void json_add_number(struct text *out, double value)
{
    if (isfinite(value))
        text_add(out, "%.17g", value);
    else
        text_add(out, "null");
}

static struct text *fact(struct document *d, const char *name)
{
    text_add(&d->json, ",\n \"%s\": ", name);
    return &d->json;
}

/* --- the document --- */

void document_begin(struct document *d, const char *verb, const char *format)
{
    *d = (struct document){.verb = verb, .format = format};
    text_add(&d->shown, "%s", "");
    text_add(&d->json, "{\"schema\": \"reprise/1\",\n \"verb\": \"%s\"", verb);
}

static void say(struct document *d, const char *line)
{
    if (has_markdown(d)) {
        text_add(&d->shown, line[0] != '\0' ? "- " : "");
        text_markdown(&d->shown, line);
        text_add(&d->shown, "\n");
    } else if (is(d, "text")) {
        text_add(&d->shown, "%s\n", line);
    }
}

void document_say(struct document *d, const char *format, ...)
{
    char *line = NULL;
    va_list list;
    va_start(list, format);
    const int length = vasprintf(&line, format, list);
    va_end(list);
    if (length >= 0) {
        say(d, line);
        free(line);
    }
}

void document_sum(struct document *d, const char *line)
{
    say(d, line);
    d->sum = intern(line);
    document_word(d, "sum", line);
}

void document_word(struct document *d, const char *name, const char *word)
{
    json_add_word(fact(d, name), word);
}

void document_number(struct document *d, const char *name, double value)
{
    json_add_number(fact(d, name), value);
}

void document_flag(struct document *d, const char *name, bool flag)
{
    text_add(fact(d, name), flag ? "true" : "false");
}

void document_check(struct document *d, struct check check)
{
    /* Room for twice as many whenever their number is a power of two. */
    if ((d->check_count & (d->check_count - 1)) == 0)
        d->checks = realloc(d->checks, (2 * d->check_count + 1) * sizeof *d->checks);
    if (d->checks == NULL)
        abort(); /* a few kilobytes */
    d->checks[d->check_count++] = check;
}

/* --- checks --- */

static int checks_that(const struct document *d, enum grade least, enum grade most)
{
    int count = 0;
    for (size_t i = 0; i < d->check_count; i++)
        count += d->checks[i].grade >= least && d->checks[i].grade <= most;
    return count;
}

static const char *check_message(const struct check *c)
{
    return internf("%s%s%s", c->verdict, c->note[0] != '\0' ? ": " : "", c->note);
}

/* The exhibit is the class, the rest of the path the name: readers of JUnit group by the first. */
static void junit_add(struct text *out, const struct check *c)
{
    static const char *const elements[] = {NULL, "skipped", "skipped", "failure"};
    const size_t exhibit = strcspn(c->name, "/");
    text_add(out, "  <testcase classname=\"");
    text_html(out, internf("%.*s", (int)exhibit, c->name));
    text_add(out, "\" name=\"");
    text_html(out, c->name + exhibit + (c->name[exhibit] == '/'));
    if (isfinite(c->seconds))
        text_add(out, "\" time=\"%.9g", c->seconds);
    if (elements[c->grade] == NULL) {
        text_add(out, "\"/>\n");
        return;
    }
    text_add(out, "\">\n    <%s message=\"", elements[c->grade]);
    text_html(out, check_message(c));
    text_add(out, "\"/>\n  </testcase>\n");
}

static void junit_print(const struct document *d)
{
    struct text out = {0};
    const char *const counts =
        internf("tests=\"%zu\" failures=\"%d\" errors=\"0\" skipped=\"%d\"", d->check_count,
                checks_that(d, FAILED, FAILED), checks_that(d, UNDECIDED, DOUBTFUL));
    text_add(&out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"reprise\" %s>\n"
             " <testsuite name=\"reprise %s\" %s>\n",
             counts, d->verb, counts);
    for (size_t i = 0; i < d->check_count; i++)
        junit_add(&out, &d->checks[i]);
    if (d->sum != NULL) {
        text_add(&out, "  <system-out>");
        text_html(&out, d->sum);
        text_add(&out, "</system-out>\n");
    }
    text_add(&out, " </testsuite>\n</testsuites>\n");
    fputs(out.data, stdout);
    text_free(&out);
}

/* ::error title=JOB::MESSAGE. A title ends at a colon or a comma. */
static void command_print(const char *command, const char *title, const char *message)
{
    static const struct escape of_title[] = {{'%', "%25"}, {':', "%3A"}, {',', "%2C"}, {0, NULL}};
    static const struct escape of_message[] = {{'%', "%25"}, {0, NULL}};
    struct text out = {0};
    text_add(&out, "::%s title=", command);
    text_escaped(&out, title, of_title, " ");
    text_add(&out, "::");
    text_escaped(&out, message, of_message, " ");
    printf("%s\n", out.data);
    text_free(&out);
}

/* GitHub shows the first ten of each command, so what nobody can decide is counted by the sum. */
static void commands_print(const struct document *d)
{
    static const char *const commands[] = {NULL, NULL, "warning", "error"};
    for (enum grade grade = FAILED; grade >= DOUBTFUL; grade--)
        for (size_t i = 0; i < d->check_count; i++)
            if (d->checks[i].grade == grade)
                command_print(commands[grade], d->checks[i].name, check_message(&d->checks[i]));
    if (d->sum != NULL)
        command_print("notice", internf("reprise %s", d->verb), d->sum);
}

static enum status write_step_summary(const struct document *d)
{
    const char *const path = getenv("GITHUB_STEP_SUMMARY");
    if (path == NULL || path[0] == '\0')
        return OK;
    FILE *const file = fopen(path, "a");
    const bool written = file != NULL && fputs(d->shown.data, file) >= 0;
    const bool closed = file != NULL && fclose(file) == 0;
    return written && closed
               ? OK
               : because(ERR_IO, "cannot write to %s, which GITHUB_STEP_SUMMARY names", path);
}

void document_drop(struct document *d)
{
    text_free(&d->shown);
    text_free(&d->json);
    free(d->checks);
    *d = (struct document){0};
}

int document_end(struct document *d, int exit_status)
{
    enum status status = OK;
    if (is(d, "json")) {
        document_number(d, "exit_status", exit_status);
        printf("%s}\n", d->json.data);
    } else if (is(d, "junit")) {
        junit_print(d);
    } else if (is(d, "github")) {
        commands_print(d);
        status = write_step_summary(d);
    } else {
        fputs(d->shown.data, stdout);
    }
    document_drop(d);
    if (status != OK && exit_status == 0)
        return failed(status);
    return exit_status;
}

/* --- tables --- */

void table_begin(struct table *t, struct document *d, const char *name, enum table_kind kind,
                 const struct field *columns)
{
    const char *heads[CSV_FIELDS];
    int shown = 0;
    *t = (struct table){.document = d, .name = name, .kind = kind, .columns = columns};
    for (const struct field *c = columns; c->name != NULL; c++)
        if (c->shown != NULL)
            heads[shown++] = c->shown;
    assert(shown <= CSV_FIELDS);
    grid_make(&t->grid, 1, shown);
    t->grid.notes = kind == ALIGNED_WITH_NOTES;
    grid_row(&t->grid, 0, heads);
    text_add(&t->line, "%s", "");
    text_add(&t->json, "%s", "");
}

static void show(struct table *t, const char *word)
{
    const struct field *const column = &t->columns[t->column];
    if (t->kind == LINES && word[0] != '\0') {
        text_add(&t->line, column->shown, word);
    } else if (t->kind != LINES) {
        if (t->rows + 1 == t->grid.rows)
            grid_grow(&t->grid, 2 * t->grid.rows);
        grid_put(&t->grid, t->rows + 1, t->words++, word);
    }
}

/* The field's name, and after it the caller adds what it is; after that end_field(). */
static struct text *begin_field(struct table *t)
{
    text_add(&t->json, "%s\"%s\": ",
             t->column > 0 ? ", "
             : t->rows > 0 ? ",\n  {"
                           : "\n  {",
             t->columns[t->column].name);
    return &t->json;
}

static void end_field(struct table *t, const char *shown)
{
    if (t->columns[t->column].shown != NULL)
        show(t, shown);
    if (t->columns[++t->column].name != NULL)
        return;
    text_add(&t->json, "}");
    if (t->kind == LINES)
        say(t->document, t->line.data);
    t->line.data[t->line.length = 0] = '\0';
    t->rows++;
    t->column = t->words = 0;
}

void table_word_shown(struct table *t, const char *shown, const char *word)
{
    json_add_word(begin_field(t), word);
    end_field(t, shown);
}

void table_number_shown(struct table *t, const char *shown, double value)
{
    json_add_number(begin_field(t), value);
    end_field(t, shown);
}

void table_interval_shown(struct table *t, const char *shown, double lo, double hi)
{
    struct text *const json = begin_field(t);
    if (isfinite(lo) && isfinite(hi))
        text_add(json, "[%.17g, %.17g]", lo, hi);
    else
        text_add(json, "null");
    end_field(t, shown);
}

void table_word(struct table *t, const char *word)
{
    table_word_shown(t, word, word);
}

void table_number(struct table *t, double value, int digits)
{
    table_number_shown(t, shown_number(value, digits), value);
}

void table_interval(struct table *t, double lo, double hi)
{
    table_interval_shown(t, shown_interval(lo, hi), lo, hi);
}

void table_key(struct table *t, const struct key *key)
{
    const char *const parts[][2] = {{"exhibit", key->exhibit},
                                    {"case", key->of},
                                    {"variant", key->variant},
                                    {"precision", key->precision}};
    struct text *const json = begin_field(t);
    json_add_word(json, key_path(key));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        text_add(json, ", \"%s\": ", parts[i][0]);
        json_add_word(json, parts[i][1]);
    }
    text_add(json, ", \"n\": ");
    if (isfinite(number_of(key->n)))
        json_add_number(json, number_of(key->n));
    else
        json_add_word(json, key->n);
    end_field(t, key_path(key));
}

void table_end(struct table *t)
{
    struct document *const d = t->document;
    assert(t->column == 0);
    t->grid.rows = t->rows + 1;
    if (t->kind != LINES && has_markdown(d))
        grid_markdown(&t->grid, "", &d->shown);
    else if (t->kind != LINES && is(d, "csv"))
        grid_csv(&t->grid, &d->shown);
    else if (t->kind != LINES && is(d, "text"))
        grid_text(&t->grid, "", &d->shown);
    text_add(fact(d, t->name), "[%s]", t->json.data);
    grid_free(&t->grid);
    text_free(&t->line);
    text_free(&t->json);
}

const char *shown_number(double value, int digits)
{
    return isnan(value) ? "-" : internf("%.*g", digits, value);
}

const char *shown_interval(double lo, double hi)
{
    return isnan(lo) || isnan(hi) ? "-" : internf("%.4g to %.4g", lo, hi);
}
