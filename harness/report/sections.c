/*
 * The sections that a report and the pages of a run share: compared.csv and its rows, exhibits,
 * what stands before and after them.
 */
#include "report/sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"
#include "report/headline.h"
#include "report/tables.h"

/* What a table of an exhibit is written as, in tables/EXHIBIT.suffix. */
static const struct format {
    const char *suffix;
    void (*write)(const struct grid *grid, const char *title, struct text *out);
    const char *option; /* of report, that asks for it; null: always */
} formats[] = {{"txt", grid_text, NULL}, {"md", grid_markdown, NULL}, {"tex", grid_latex, "latex"}};
enum { FORMATS = sizeof formats / sizeof *formats };

/* --- compared.csv, and its rows on the page --- */

static const char *number_word(double value)
{
    return isnan(value) ? "" : internf("%.17g", value);
}

static const char *short_word(double value, int digits)
{
    return isnan(value) ? "" : internf("%.*g", digits, value);
}

static const char *const compared_head[] = {
    "exhibit",    "case",  "variant", "precision", "n",  "metric", "published",
    "reproduced", "ci_lo", "ci_hi",   "verdict",   "id", "note"};
enum { COMPARED = sizeof compared_head / sizeof *compared_head, REPRODUCED = 7, ID = 11 };

/* The printed digits; of another unit with the power of ten that makes it SI's: 250 ms is 250e-3.
 */
static const char *published_word(const struct printed *printed)
{
    double digits;
    if (!parse_number(printed->digits, &digits))
        return "";
    if (digits == printed->value)
        return printed->digits;
    return internf("%se%.0f", printed->digits, round(log10(printed->value / digits)));
}

static void compared_row(const struct cell *c, const char *words[COMPARED])
{
    const struct key *const k = &c->key;
    const char *const row[COMPARED] = {k->exhibit,
                                       k->of,
                                       k->variant,
                                       k->precision,
                                       k->n,
                                       c->metric,
                                       published_word(&c->printed),
                                       number_word(c->reproduced),
                                       number_word(c->ci_lo),
                                       number_word(c->ci_hi),
                                       verdict_names[c->verdict],
                                       c->id,
                                       c->note};
    memcpy(words, row, sizeof row);
}

enum status write_compared(const struct report *report)
{
    const struct verdicts *const all = report->all;
    const char *words[COMPARED];
    struct grid grid;
    struct text out = {0};
    grid_make(&grid, 1 + (int)all->count, COMPARED);
    grid_row(&grid, 0, compared_head);
    for (size_t i = 0; i < all->count; i++) {
        compared_row(&all->cells[i], words);
        grid_row(&grid, 1 + (int)i, words);
    }
    grid_csv(&grid, &out);
    const enum status status =
        write_file(internf("%s/compared.csv", report->folder), out.data, out.length);
    text_free(&out);
    grid_free(&grid);
    return status;
}

const char *said_of_reworked(const struct folder *folder)
{
    return internf(
        "The run's own measured.csv is missing, and what this program makes of the samples is not "
        "all that commit %s made of them.",
        facts_get(&folder->facts, "commit"));
}

/* "15-44": the lines of measured.csv where a job stands that gave a cell its number. They stand
 * together, and the last is its status. */
static void add_lines(const struct folder *folder, const struct key *job, struct text *out)
{
    const struct measurement *const last = folder_row(folder, job, "status", "value");
    const struct measurement *first = last;
    while (first != NULL && first > folder->rows && key_same(&first[-1].key, job))
        first--;
    if (first != NULL)
        text_add(out, "%s%zu-%zu", out->length > 0 ? ", " : "", (size_t)(first - folder->rows) + 2,
                 (size_t)(last - folder->rows) + 2);
}

/* A speed-up "A/B" is from two jobs; B may have one precision only. */
static void add_sides(const struct report *report, const struct cell *c, const char *n,
                      struct text *out)
{
    const struct family *const family = find_family(c->exhibit->family);
    const char *sides[2] = {c->key.variant, NULL};
    (void)ratio_sides(c->key.variant, &sides[0], &sides[1]);
    for (int k = 0; k < 2 && sides[k] != NULL; k++) {
        const struct variant *v = variant_like(family, sides[k], c->key.precision);
        if (v == NULL)
            continue;
        struct key job = cell_job(c);
        job.variant = sides[k];
        job.precision = intern(precision_name(v->precision));
        job.n = n;
        add_lines(&report->all->folder, &job, out);
    }
}

/* All jobs that gave a cell its number: of a mean over sizes, those of every size. */
static const char *measured_lines(const struct report *report, const struct cell *c)
{
    long sizes[64];
    int count = 0;
    struct text out = {0};
    text_add(&out, "%s", "");
    if (c->exhibit->over == NULL)
        add_sides(report, c, c->key.n, &out);
    else
        (void)expand_axis(c->exhibit->over, sizes, 64, &count);
    for (int k = 0; k < count; k++)
        add_sides(report, c, internf("%ld", sizes[k]), &out);
    const char *const lines = intern(out.data);
    text_free(&out);
    return lines;
}

/* On a run's own page; from those of its exhibits it leads there. */
static const char *erratum_link(const struct report *report, const struct paper *paper,
                                const char *id)
{
    return internf("%s%s-%s", report->exhibit_page ? "./index.html#" : "", paper->id, id);
}

static const char *exhibit_link(const struct report *report, const struct exhibit *e)
{
    return report->page.of_site ? internf("./%s.html", e->id) : e->id;
}

/* Case, variant, precision and size, as a job is named; but for what is the same in all rows. */
enum { KEYS = 5 };
static const char *row_name(const char *const words[COMPARED], const char *const common[COMPARED])
{
    const char *name = "";
    for (int k = 1; k < KEYS; k++)
        if (common[k] == NULL)
            name = internf("%s%s%s", name, name[0] != '\0' ? "/" : "", words[k]);
    return name;
}

/* What rows of an exhibit have in common, or null where they differ. */
static void find_common(const struct verdicts *all, const struct exhibit *e,
                        const char *common[COMPARED])
{
    const char *words[COMPARED];
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        if (all->cells[i].exhibit != e || !has_row(&all->cells[i]))
            continue;
        compared_row(&all->cells[i], words);
        for (int k = 0; k < COMPARED; k++)
            common[k] = !any ? intern(words[k]) : common[k] == intern(words[k]) ? common[k] : NULL;
        any = true;
    }
    if (common[KEYS - 1] != NULL) /* a row has a name */
        common[KEYS - 1] = NULL;
}

/* The rows of compared.csv of an exhibit that were measured, and where in measured.csv they are
 * from. What all have in common is said once. */
void add_rows(struct report *report, const struct exhibit *e)
{
    const struct verdicts *const all = report->all;
    const char *words[COMPARED], *common[COMPARED] = {NULL};
    struct text said = {0};
    struct grid grid;
    int count = 0, columns = 1, at[COMPARED] = {0};
    find_common(all, e, common);
    text_add(&said, "%s", "");
    for (int k = 1; k < COMPARED; k++) { /* the exhibit is the title */
        if (common[k] != NULL && common[k][0] != '\0')
            text_add(&said, "%s%s: %s", said.length > 0 ? "; " : "", compared_head[k], common[k]);
        if (common[k] == NULL && k >= KEYS)
            at[k] = columns++;
    }
    for (size_t i = 0; i < all->count; i++)
        count += all->cells[i].exhibit == e && has_row(&all->cells[i]);
    grid_make(&grid, 1 + count, columns + 1);
    grid_put(&grid, 0, 0, row_name(compared_head, common));
    grid_put(&grid, 0, columns, "lines of measured.csv");
    for (int k = KEYS; k < COMPARED; k++)
        if (at[k] > 0)
            grid_put(&grid, 0, at[k], compared_head[k]);
    grid.targets = true;
    count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        if (c->exhibit != e || !has_row(c))
            continue;
        count++;
        compared_row(c, words);
        words[REPRODUCED] = short_word(c->reproduced, 10);
        words[REPRODUCED + 1] = short_word(c->ci_lo, 6);
        words[REPRODUCED + 2] = short_word(c->ci_hi, 6);
        grid_put(&grid, count, 0, row_name(words, common));
        for (int k = KEYS; k < COMPARED; k++)
            if (at[k] > 0)
                grid_put(&grid, count, at[k], words[k]);
        grid_put(&grid, count, columns, measured_lines(report, c));
        grid_link(&grid, count, 0, row_link(all, c, ""));
        if (c->id[0] != '\0' && at[ID] > 0)
            grid_link(&grid, count, at[ID], erratum_link(report, c->paper, c->id));
    }
    if (count > 0)
        page_rows(&report->page, e->id, said.data, &grid);
    text_free(&said);
    grid_free(&grid);
}

/* --- an exhibit --- */

static bool is_wanted(const struct report *report, const struct format *format)
{
    return format->option == NULL ||
           (report->format != NULL && strcmp(format->option, report->format) == 0);
}

/* Into the page, and into a text for each format; frees the grid. */
static void add_table(struct report *report, struct titled_grid *table, struct text out[FORMATS])
{
    for (int f = 0; f < FORMATS; f++)
        formats[f].write(&table->grid, table->title, &out[f]);
    if (table->detail)
        page_detail(&report->page, table->title, &table->grid);
    else
        page_table(&report->page, table->title, &table->grid);
    grid_free(&table->grid);
}

static enum status write_tables(const struct report *report, const struct exhibit *e,
                                const struct text out[FORMATS])
{
    enum status status = OK;
    for (int f = 0; f < FORMATS && status == OK; f++)
        if (out[f].length > 0 && is_wanted(report, &formats[f]))
            status =
                write_file(internf("%s/tables/%s.%s", report->folder, e->id, formats[f].suffix),
                           out[f].data, out[f].length);
    return status;
}

/* Printed cells per verdict; how many there are. */
static int count_verdicts(const struct verdicts *all, const struct exhibit *e,
                          int of[VERDICT_NOT_MEASURED + 1])
{
    int printed = 0;
    memset(of, 0, (VERDICT_NOT_MEASURED + 1) * sizeof *of);
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        if (c->exhibit != e || isnan(c->printed.value))
            continue;
        printed++;
        of[c->verdict]++;
    }
    return printed;
}

static void exhibit_line(struct report *report, const struct exhibit *e)
{
    int of[VERDICT_NOT_MEASURED + 1];
    const int printed = count_verdicts(report->all, e, of);
    if (printed == 0) {
        page_paragraph(&report->page, "%s: the paper prints no numbers.", e->id);
        return;
    }
    struct text line = {0};
    text_add(&line, "%s: %d printed cells", e->id, printed);
    for (int v = 0; v <= VERDICT_NOT_MEASURED; v++)
        if (of[v] > 0)
            text_add(&line, ", %d %s", of[v], verdict_names[v]);
    page_paragraph(&report->page, "%s.", line.data);
    text_free(&line);
}

enum status add_exhibit(struct report *report, const struct exhibit *e)
{
    struct text out[FORMATS] = {0};
    if (!report->exhibit_page) { /* whose title says it */
        page_section(&report->page, e->id, internf("%s: %s", e->id, e->where));
        page_paragraph(&report->page, "%s", e->title);
    }
    exhibit_line(report, e);
    for (const struct exhibit_case *of = exhibit_cases(e); of->id != NULL; of++) {
        struct titled_grid tables[MOST_TABLES];
        const int count = case_tables(report->all, e, of->id, tables);
        for (int k = 0; k < count; k++)
            add_table(report, &tables[k], out);
    }
    const char *const missing = without_numbers(report->all, e);
    if (missing[0] != '\0')
        page_paragraph(&report->page, "Not measured, nor printed: %s.", missing);
    enum status status = report->page.of_site ? OK : write_tables(report, e, out);
    if (out[0].length > 0 && report->format != NULL && strcmp(report->format, "text") == 0)
        printf("%s", out[0].data);
    for (int f = 0; f < FORMATS; f++)
        text_free(&out[f]);
    if (status == OK)
        status = add_figure(report->all, e, report->folder, &report->page, report->figures);
    return status;
}

/* --- the sections before and after the exhibits --- */

/* A table that has a section for itself; `count` rows were filled. Without any there is none. */
static void add_section(struct report *report, const char *id, const char *title,
                        const char *paragraph, struct grid *grid, int count)
{
    grid->rows = 1 + count;
    if (count > 0) {
        page_section(&report->page, id, title);
        if (paragraph != NULL)
            page_paragraph(&report->page, "%s", paragraph);
        page_table(&report->page, "", grid);
    }
    grid_free(grid);
}

/* Where half of a ceiling's times are. */
struct half {
    double low, high, middle;
};

static struct half half_of(const struct folder *folder, const struct key *key)
{
    return (struct half){folder_value(folder, key, "time", "q1"),
                         folder_value(folder, key, "time", "q3"),
                         folder_value(folder, key, "time", "median")};
}

/* How far apart; 0 where there are none. */
static double spread_of(const struct half *h)
{
    return h->high > h->low ? (h->high - h->low) / h->middle : 0;
}

/* Of the host's ceiling that was least steady; null where all repeat to a tenth, as those of a GPU
 * do to 3 %. */
static const char *said_of_host(const struct folder *folder)
{
    const struct key *worst = NULL;
    struct half most = {0};
    for (size_t i = 0; i < folder->record_count; i++) {
        const struct key *const key = &folder->records[i].key;
        if (!is_ceiling_key(key) || strncmp(key->variant, "host-", 5) != 0)
            continue;
        const struct half half = half_of(folder, key);
        if (spread_of(&half) > fmax(spread_of(&most), 0.1)) {
            worst = key;
            most = half;
        }
    }
    return worst == NULL ? NULL
                         : internf("The host was disturbed: half of the times of %s are from %.3g "
                                   "to %.3g s, the others outside. What is timed on the host, and "
                                   "a speed-up over it, can be off as far.",
                                   worst->variant, most.low, most.high);
}

/* What became of the printed cells of each exhibit that has some. */
void add_overview(struct report *report)
{
    static const enum verdict shown[] = {VERDICT_SAME,    VERDICT_CLOSE,    VERDICT_EXPLAINED,
                                         VERDICT_DIFFERS, VERDICT_COMPARED, VERDICT_NOT_MEASURED};
    enum { SHOWN = sizeof shown / sizeof *shown, FIRST = 3 };
    const char *words[FIRST + SHOWN] = {"exhibit", "where", "printed cells"};
    struct grid grid;
    int rows = 0;
    grid_make(&grid, 1, FIRST + SHOWN);
    for (int v = 0; v < SHOWN; v++)
        words[FIRST + v] = verdict_names[shown[v]];
    grid_row(&grid, 0, words);
    grid.texts = 2;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL; e++) {
            int of[VERDICT_NOT_MEASURED + 1];
            const int printed = count_verdicts(report->all, e, of);
            if (printed == 0)
                continue;
            grid_grow(&grid, 2 + rows);
            words[0] = e->id;
            words[1] = e->where;
            words[2] = internf("%d", printed);
            for (int v = 0; v < SHOWN; v++)
                words[FIRST + v] = internf("%d", of[shown[v]]);
            grid_row(&grid, ++rows, words);
            grid_link(&grid, rows, 0, exhibit_link(report, e));
        }
    add_section(report, "overview", "Printed cells", said_of_host(&report->all->folder), &grid,
                rows);
}

/* Else the section of the printed cells is not there, which says it first. */
static bool prints_nothing(const struct report *report)
{
    bool any = false;
    for (size_t i = 0; i < report->all->count && !any; i++)
        any = !isnan(report->all->cells[i].printed.value);
    return !any;
}

void add_ceilings(struct report *report)
{
    static const char *const head[] = {"ceiling", "precision",           "n", "time", "quartiles",
                                       "rate",    "line of measured.csv"};
    const struct folder *const folder = &report->all->folder;
    struct grid grid;
    int count = 0;
    grid_make(&grid, 1, 7);
    grid_row(&grid, 0, head);
    grid.texts = grid.heads = 2;
    for (size_t i = 0; i < folder->record_count; i++) {
        const struct key *const key = &folder->records[i].key;
        const struct measurement *const time = folder_row(folder, key, "time", "value");
        if (!is_ceiling_key(key) || time == NULL)
            continue;
        const double flops = folder_value(folder, key, "flops", "model");
        const double bytes = folder_value(folder, key, "bytes", "model");
        const double launches = folder_value(folder, key, "launches", "model");
        const char *const rate = flops > 0 ? internf("%.4g Tflop/s", 1e-12 * flops / time->value)
                                 : bytes > 0
                                     ? internf("%.4g TB/s", 1e-12 * bytes / time->value)
                                     : internf("%.3g us a launch", 1e6 * time->value / launches);
        const struct half half = half_of(folder, key);
        grid_grow(&grid, 2 + count);
        grid_row(&grid, ++count,
                 (const char *const[]){
                     key->variant, key->precision, key->n, internf("%.4g s", time->value),
                     half.high > 0 ? internf("%.3g to %.3g s", half.low, half.high) : "", rate,
                     internf("%zu", (size_t)(time - folder->rows) + 2)});
    }
    const char *const host = prints_nothing(report) ? said_of_host(folder) : NULL;
    add_section(report, "measured-ceilings", "Ceilings",
                internf("%s%sMeasured in the workers that timed anything; the fractions of the "
                        "limit above refer to them. The bandwidth is the memory's: a fraction "
                        "above 1 is of data that a cache holds.",
                        host != NULL ? host : "", host != NULL ? " " : ""),
                &grid, count);
}

/* Of a run that was asked for them. */
void add_joules(struct report *report)
{
    static const char *const head[] = {"exhibit",   "case",        "variant",
                                       "precision", "n",           "time",
                                       "energy",    "power in it", "line of measured.csv"};
    enum { COLUMNS = sizeof head / sizeof *head };
    const struct folder *const folder = &report->all->folder;
    struct grid grid;
    int count = 0;
    grid_make(&grid, 1, COLUMNS);
    grid_row(&grid, 0, head);
    grid.texts = grid.heads = 4;
    for (size_t i = 0; i < folder->record_count; i++) {
        const struct key *const key = &folder->records[i].key;
        const struct measurement *const energy = folder_row(folder, key, "energy", "value");
        const double seconds = folder_value(folder, key, "time", "value");
        if (energy == NULL || !has_times(folder->records[i].state))
            continue;
        grid_grow(&grid, 2 + count);
        grid_row(&grid, ++count,
                 (const char *const[]){key->exhibit, key->of, key->variant, key->precision, key->n,
                                       internf("%.4g s", seconds), internf("%.3g J", energy->value),
                                       internf("%.3g W", energy->value / seconds),
                                       internf("%zu", (size_t)(energy - folder->rows) + 2)});
    }
    add_section(report, "joules", "Joules",
                "What the whole card draws in the span of one run, also what it would draw idle; "
                "without loading and without the host.",
                &grid, count);
}

/* "PARTLY, 3 of 4", and what was reached of a number that a claim names. */
static const char *outcome_word(const struct outcome *o, enum where where)
{
    const char *const hold = hold_names[o->hold[where]];
    if (o->cells[where] == 0)
        return hold;
    return internf("%s, %d of %d%s", hold, o->holds[where], o->cells[where],
                   where == HERE && o->claim->predicate == REACHES
                       ? internf(", at most %.4g", o->largest[where])
                       : "");
}

void claim_rows(const struct verdicts *all, const struct outcome *o, const char *folder,
                struct grid *grid, int row, int column)
{
    const char *words = "", *links = "";
    for (const struct exhibit *e = o->paper->exhibits; e->id != NULL; e++) {
        const struct cell *first = NULL;
        int count = 0;
        for (size_t i = 0; i < all->count; i++) {
            const struct cell *const c = &all->cells[i];
            if (c->exhibit != e || !judged_here(all, o, c))
                continue;
            first = count++ == 0 ? c : first;
        }
        if (count == 0)
            continue;
        words = internf("%s%s%d of %s", words, words[0] != '\0' ? ", " : "", count, e->id);
        links = internf("%s%s%s", links, links[0] != '\0' ? " " : "", row_link(all, first, folder));
    }
    grid_put(grid, row, column, words);
    grid_link(grid, row, column, links);
}

void add_claims(struct report *report)
{
    static const char *const head[] = {"claim", "where", "in print", "here", "rows"};
    enum { COLUMNS = sizeof head / sizeof *head };
    struct grid grid;
    const int count = (int)report->all->claim_count;
    grid_make(&grid, 1 + count, COLUMNS);
    grid_row(&grid, 0, head);
    grid.texts = COLUMNS;
    for (int i = 0; i < count; i++) {
        const struct outcome *o = &report->all->claims[i];
        const struct claim *const c = o->claim;
        grid_row(&grid, 1 + i,
                 (const char *const[]){c->erratum != NULL ? internf("%s (%s)", c->text, c->erratum)
                                                          : c->text,
                                       internf("%s, %s", o->paper->id, c->where),
                                       outcome_word(o, IN_PRINT), outcome_word(o, HERE), ""});
        claim_rows(report->all, o, report->page.of_site ? "./" : "", &grid, 1 + i, COLUMNS - 1);
        if (c->erratum != NULL)
            grid_link(&grid, 1 + i, 0, erratum_link(report, o->paper, c->erratum));
    }
    add_section(report, "claims", "Claims", NULL, &grid, count);
}

void add_errata(struct report *report)
{
    static const char *const head[] = {"id", "place", "printed", "correct", "evidence"};
    struct grid grid;
    int count = 0;
    grid_make(&grid, 1, 5);
    grid_row(&grid, 0, head);
    grid.texts = 5;
    grid.targets = true;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct erratum *e = errata_of(papers[i]); e->id != NULL; e++) {
            if (!erratum_applied(report->all, papers[i], e))
                continue;
            grid_grow(&grid, 2 + count);
            grid_row(&grid, ++count,
                     (const char *const[]){e->id, internf("%s, %s", papers[i]->id, e->place),
                                           e->printed, e->corrected, e->evidence});
            grid_link(&grid, count, 0, erratum_link(report, papers[i], e->id));
        }
    add_section(report, "errata", "Errata that were applied", NULL, &grid, count);
}

/* One line for every reason and exhibit, not for every cell. */
void add_missing(struct report *report)
{
    static const char *const head[] = {"exhibit", "cells", "why"};
    const struct verdicts *const all = report->all;
    struct grid grid;
    int rows = 0;
    grid_make(&grid, 1, 3);
    grid_row(&grid, 0, head);
    grid.texts = 3;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        if (c->verdict != VERDICT_NOT_MEASURED)
            continue;
        int count = 0;
        bool first = true;
        for (size_t k = 0; k < all->count; k++) {
            const struct cell *d = &all->cells[k];
            const bool same = d->verdict == VERDICT_NOT_MEASURED && d->exhibit == c->exhibit &&
                              strcmp(d->note, c->note) == 0;
            count += same;
            first = first && !(same && k < i);
        }
        if (!first)
            continue;
        grid_grow(&grid, 2 + rows);
        grid_row(&grid, ++rows,
                 (const char *const[]){c->exhibit->id, internf("%d", count), c->note});
        grid_link(&grid, rows, 0, exhibit_link(report, c->exhibit));
    }
    add_section(report, "not-measured", "Not measured", NULL, &grid, rows);
}

void add_run_facts(struct report *report)
{
    static const char *const head[] = {"key", "value"};
    const struct facts *facts = &report->all->folder.facts;
    struct grid grid;
    int count = 0;
    grid_make(&grid, 1 + facts->count, 2);
    grid_row(&grid, 0, head);
    grid.texts = 2;
    for (int i = 0; i < facts->count; i++)
        if (facts->list[i].value[0] != '\0')
            grid_row(&grid, ++count,
                     (const char *const[]){facts->list[i].key, facts->list[i].value});
    add_section(report, "run", "The run", NULL, &grid, count);
}
