/*
 * report and verdict: from the folder of a run alone, the papers' tables with what was published
 * and what was reproduced, figures by gnuplot, and one page that holds them together. Every table
 * is made once, as words, and then written in all its formats.
 */
#include "report/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/core.h"
#include "base/grid.h"
#include "report/figures.h"

enum { CELL = 48, PROSE = 2048, MAX_ROWS = 256 };

/* --- the tables of one exhibit --- */

struct layout { /* the rows and columns that an exhibit's cells span */
    const struct comparison *all;
    const struct exhibit *exhibit;
    const char *of; /* the case */
    char n[MAX_ROWS][24];
    int n_count;
    const char *variants[3 * MOST_VARIANTS], *precisions[3 * MOST_VARIANTS];
    int variant_count;
};

/* Sizes in their order; what is no number stays where it stood. */
static void sort_sizes(char n[][24], int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && strtod(n[k], NULL) < strtod(n[k - 1], NULL); k--) {
            char swap[24];
            memcpy(swap, n[k], sizeof swap);
            memcpy(n[k], n[k - 1], sizeof swap);
            memcpy(n[k - 1], swap, sizeof swap);
        }
}

static void layout_make(struct layout *l, const struct comparison *all, const struct exhibit *e,
                        const char *of)
{
    *l = (struct layout){.all = all, .exhibit = e, .of = of};
    const char *const *ids = exhibit_variants(e);
    for (int v = 0; ids[v] != NULL; v++) /* the descriptor's order is the paper's */
        for (int p = SINGLE; p <= MIXED; p++) {
            bool any = false;
            for (size_t i = 0; i < all->count && !any; i++) {
                const struct cell *c = &all->cells[i];
                any = c->exhibit == e && strcmp(c->of, of) == 0 &&
                      strcmp(c->variant, ids[v]) == 0 &&
                      strcmp(c->precision, precision_name((enum precision)p)) == 0;
            }
            if (!any)
                continue;
            l->variants[l->variant_count] = ids[v];
            l->precisions[l->variant_count++] = precision_name((enum precision)p);
        }
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        bool known = c->exhibit != e || strcmp(c->of, of) != 0;
        for (int k = 0; k < l->n_count && !known; k++)
            known = strcmp(l->n[k], c->n) == 0;
        if (!known && l->n_count < MAX_ROWS)
            memcpy(l->n[l->n_count++], c->n, sizeof c->n);
    }
    sort_sizes(l->n, l->n_count);
}

static const struct cell *cell_at(const struct layout *l, int n, int variant)
{
    return find_cell(l->all, l->exhibit, l->of, l->variants[variant], l->precisions[variant],
                     l->n[n], l->exhibit->metric);
}

/* On the page a number leads to its row of compared.csv, by the line where that stands. */
static void link_cell(const struct layout *l, const struct grid *grid, int row, int column,
                      const struct cell *c)
{
    if (c != NULL)
        snprintf(grid_link(grid, row, column), sizeof *grid->links, "r%zu",
                 (size_t)(c - l->all->cells) + 2);
}

static bool several_precisions(const struct layout *l, int variant)
{
    int same = 0;
    for (int k = 0; k < l->variant_count; k++)
        same += strcmp(l->variants[k], l->variants[variant]) == 0;
    return same > 1;
}

static void variant_title(const struct layout *l, int v, char *out)
{
    if (several_precisions(l, v))
        snprintf(out, CELL, "%.20s %.10s", l->variants[v], l->precisions[v]);
    else
        snprintf(out, CELL, "%.30s", l->variants[v]);
}

/* Four digits, and no exponent where a table can do without. */
static const char *four_digits(double x, char out[32])
{
    const double size = fabs(x);
    if (size >= 1e4 && size < 1e7) {
        const double unit = pow(10, floor(log10(size)) - 3);
        snprintf(out, 32, "%.0f", round(x / unit) * unit);
    } else {
        snprintf(out, 32, "%.4g", x);
    }
    return out;
}

static void print_interval(char *out, const struct cell *c, double scale)
{
    char value[32], lo[32], hi[32];
    if (isnan(c->reproduced))
        snprintf(out, CELL, "-");
    else if (isnan(c->ci_lo))
        snprintf(out, CELL, "%s", four_digits(scale * c->reproduced, value));
    else
        snprintf(out, CELL, "%s [%s, %s]", four_digits(scale * c->reproduced, value),
                 four_digits(scale * c->ci_lo, lo), four_digits(scale * c->ci_hi, hi));
}

static void verdict_word(char *out, const struct cell *c)
{
    if (c->verdict == VERDICT_NOT_MEASURED)
        snprintf(out, CELL, "%s",
                 strstr(c->note, "emulated") != NULL ? "not measured here" : "not measured");
    else if (c->id[0] != '\0')
        snprintf(out, CELL, "%s(%.10s)", verdict_names[c->verdict], c->id);
    else
        snprintf(out, CELL, "%s", verdict_names[c->verdict]);
}

/* --- the lines that a table has for each n: what was printed, what was reproduced, and more --- */

/* As it was printed, unless in another unit than the table's. */
static void printed_word(const struct exhibit *e, const char *printed, double published, char *out)
{
    const struct family *f = find_family(e->family);
    const bool rate = f->rate != NULL && strcmp(f->rate, e->metric) == 0;
    const double here = rate ? published / f->rate_scale : published;
    double digits;
    if (parse_number(printed, &digits) && fabs(here - digits) > 1e-9 * fabs(digits))
        snprintf(out, CELL, "%.10g", here);
    else
        snprintf(out, CELL, "%s", printed[0] != '\0' ? printed : "-");
}

static void published_word(const struct layout *l, const struct cell *c, char *out)
{
    printed_word(l->exhibit, c->printed, c->published, out);
}

/* From the second of the paper's machines. */
static void second_word(const struct layout *l, const struct cell *c, char *out)
{
    printed_word(l->exhibit, c->second.printed, c->second.published, out);
}

static bool is_count(double x)
{
    return x >= 1 && x < 1e6 && x == floor(x);
}

static void error_word(const struct layout *l, const struct cell *c, char *out)
{
    (void)l;
    if (c->verdict == VERDICT_NOT_MEASURED)
        verdict_word(out, c);
    else
        snprintf(out, CELL, is_count(c->reproduced) ? "%.0f" : "%.6e", c->reproduced);
}

static void judged_word(const struct layout *l, const struct cell *c, char *out)
{
    (void)l;
    verdict_word(out, c);
}

static bool is_per_step(const char *exhibit)
{
    const struct exhibit *e = find_exhibit(exhibit, NULL);
    return e != NULL && strcmp(e->metric, "time_per_step") == 0;
}

/* A value of the same case, precision and size, by `variant` or by any (null): of steps that were
 * timed by themselves, or of a whole run. NaN: not there. */
static double elsewhere(const struct comparison *all, const struct cell *c, const char *variant,
                        const char *metric, bool per_step)
{
    for (size_t i = 0; i < csv_rows(all->measured); i++) {
        char *const *f = csv_row(all->measured, i)->field;
        if (strcmp(f[1], c->of) == 0 && (variant == NULL || strcmp(f[2], variant) == 0) &&
            strcmp(f[3], c->precision) == 0 && strcmp(f[5], c->n) == 0 &&
            strcmp(f[6], metric) == 0 && strcmp(f[7], "value") == 0 &&
            is_per_step(f[0]) == per_step)
            return strtod(f[8], NULL);
    }
    return NAN;
}

/* Of a job that no plan has: the time of one of its steps, times the steps that another variant
 * takes. Nothing else uses it, for it is no measurement. */
static double projected(const struct layout *l, const struct cell *c)
{
    return c->left_out && strcmp(c->metric, "time") == 0
               ? elsewhere(l->all, c, c->variant, "time_per_step", true) *
                     elsewhere(l->all, c, NULL, "steps", false)
               : (double)NAN;
}

static void interval_word(const struct layout *l, const struct cell *c, char *out)
{
    const double seconds = projected(l, c);
    char value[32];
    if (isnan(seconds))
        print_interval(out, c, 1);
    else
        snprintf(out, CELL, "projected %s", four_digits(seconds, value));
}

static void rate_word(const struct layout *l, const struct cell *c, char *out)
{
    if (c->verdict == VERDICT_NOT_MEASURED)
        verdict_word(out, c);
    else
        print_interval(out, c, 1 / find_family(l->exhibit->family)->rate_scale);
}

static void ratio_word(const struct layout *l, const struct cell *c, char *out)
{
    (void)l;
    if (c->verdict == VERDICT_NOT_MEASURED)
        verdict_word(out, c);
    else
        snprintf(out, CELL, c->verdict == VERDICT_COMPARED ? "%.4g" : "-",
                 c->published / c->reproduced);
}

static void fraction_word(const struct layout *l, const struct cell *c, char *out)
{
    (void)l;
    snprintf(out, CELL, isnan(c->fraction) ? "-" : "%.3f", c->fraction);
}

static double of_cell(const struct layout *l, const struct cell *c, const char *metric,
                      const char *statistic)
{
    return measured_value(l->all, source_exhibit(c->exhibit)->id, c->of, c->variant, c->precision,
                          c->n, metric, statistic);
}

/* What the algorithm computes beyond the task counts here too. */
static void executed_word(const struct layout *l, const struct cell *c, char *out)
{
    const double rate = 1e-9 * of_cell(l, c, "flops", "model") / of_cell(l, c, "time", "value");
    char value[32];
    snprintf(out, CELL, "%s", isnan(rate) || isnan(c->reproduced) ? "-" : four_digits(rate, value));
}

static void time_word(const struct layout *l, const struct cell *c, char *out)
{
    const double seconds = of_cell(l, c, "time", "value");
    snprintf(out, CELL, isnan(c->reproduced) ? "-" : "%.4g", seconds);
}

/* Of the error in the mesh width h, which the judge gives, from the size before this one. */
static void order_word(const struct layout *l, const struct cell *c, char *out)
{
    int k = 0;
    while (k < l->n_count && strcmp(l->n[k], c->n) != 0)
        k++;
    const struct cell *before = k > 0 ? find_cell(l->all, l->exhibit, l->of, c->variant,
                                                  c->precision, l->n[k - 1], l->exhibit->metric)
                                      : NULL;
    const double order =
        before == NULL ? (double)NAN
                       : log(before->reproduced / c->reproduced) /
                             log(of_cell(l, before, "h", "value") / of_cell(l, c, "h", "value"));
    snprintf(out, CELL, isnan(order) ? "-" : "%.2f", order);
}

struct line {
    const char *label;
    void (*word)(const struct layout *l, const struct cell *c, char *out);
};

enum { MOST_LINES = 8 };

/* How the tables of a metric look; those of a rate come first, those of all errors last. */
static const struct style {
    const char *metric, *title;
    struct line lines[MOST_LINES];
} styles[] = {
    {"rate",
     NULL,
     {{"published", published_word},
      {"published", second_word},
      {"reproduced", rate_word},
      {"published/reproduced", ratio_word},
      {"Gflop/s, all operations", executed_word},
      {"time in s", time_word},
      {"fraction of limit", fraction_word}}},
    {"time",
     "time in s [95 % interval]",
     {{"published", published_word},
      {"published", second_word},
      {"reproduced", interval_word},
      {"published/reproduced", ratio_word},
      {"fraction of limit", fraction_word}}},
    {"time_per_step",
     "time of a step in s [95 % interval]",
     {{"published", published_word},
      {"reproduced", interval_word},
      {"published/reproduced", ratio_word},
      {"fraction of limit", fraction_word}}},
    {"order_",
     NULL,
     {{"published", published_word}, {"reproduced", interval_word}, {"verdict", judged_word}}},
    {"speedup",
     "speed-up [95 % interval]",
     {{"published", published_word},
      {"published", second_word},
      {"reproduced", interval_word},
      {"published/reproduced", ratio_word}}},
    {NULL,
     NULL,
     {{"published", published_word},
      {"reproduced", error_word},
      {"verdict", judged_word},
      {"order in h", order_word}}},
};

static const struct style *style_of(const struct exhibit *e)
{
    const struct style *style = styles + 1;
    const char *rate = find_family(e->family)->rate;
    if (rate != NULL && strcmp(rate, e->metric) == 0)
        return styles;
    const char *metric = strncmp(e->metric, "order_", 6) == 0 ? "order_" : e->metric;
    while (style->metric != NULL && strcmp(style->metric, metric) != 0)
        style++;
    return style;
}

static void table_title(const struct exhibit *e, const char *of, char *out, size_t size)
{
    const struct family *f = find_family(e->family);
    const struct style *style = style_of(e);
    char what[96];
    if (style == styles)
        snprintf(what, sizeof what, "%s in %s [95 %% interval]", f->rate, f->rate_shown);
    else
        snprintf(what, sizeof what, "%s", style->title != NULL ? style->title : e->metric);
    snprintf(out, size, "%s, %s, %s, %s", e->where, e->id, of, what);
}

/* The lines that have something to say here: what was printed, of the machines that it names. */
static int table_lines(const struct layout *l, struct line *out, char labels[][CELL])
{
    const struct line *const lines = style_of(l->exhibit)->lines;
    const char *first = "", *second = "", *metric = l->exhibit->metric;
    int count = 0;
    bool widths = false;
    for (int k = 0; k < l->n_count; k++)
        for (int v = 0; v < l->variant_count; v++) {
            const struct cell *c = cell_at(l, k, v);
            if (c != NULL && c->hardware[0] != '\0')
                first = c->hardware;
            if (c != NULL && c->second.hardware[0] != '\0')
                second = c->second.hardware;
            widths = widths || (c != NULL && of_cell(l, c, "h", "value") > 0);
        }
    for (int i = 0; i < MOST_LINES && lines[i].label != NULL; i++) {
        const bool printed = lines[i].word == published_word || lines[i].word == ratio_word ||
                             lines[i].word == judged_word;
        const bool missing = (printed && first[0] == '\0') ||
                             (lines[i].word == second_word && second[0] == '\0') ||
                             (lines[i].word == order_word &&
                              !(widths && l->n_count > 1 && strstr(metric, "err") != NULL));
        if (missing)
            continue;
        out[count] = lines[i];
        snprintf(labels[count], CELL, "%s", lines[i].label);
        if (second[0] != '\0' && lines[i].word == published_word)
            snprintf(labels[count], CELL, "published, %.*s", (int)strcspn(first, "("), first);
        if (lines[i].word == second_word)
            snprintf(labels[count], CELL, "published, %.*s", (int)strcspn(second, "("), second);
        count++;
    }
    return count;
}

static void main_table(const struct layout *l, struct grid *grid)
{
    struct line lines[MOST_LINES];
    char labels[MOST_LINES][CELL];
    const int count = table_lines(l, lines, labels);
    grid_make(grid, 1 + count * l->n_count, 2 + l->variant_count, CELL);
    grid->heads = 2;
    snprintf(grid_word(grid, 0, 0), CELL, "n");
    for (int v = 0; v < l->variant_count; v++)
        variant_title(l, v, grid_word(grid, 0, 2 + v));
    for (int k = 0; k < l->n_count; k++)
        for (int line = 0; line < count; line++) {
            const int row = 1 + count * k + line;
            snprintf(grid_word(grid, row, 0), CELL, "%s", line == 0 ? l->n[k] : "");
            snprintf(grid_word(grid, row, 1), CELL, "%s", labels[line]);
            for (int v = 0; v < l->variant_count; v++) {
                const struct cell *c = cell_at(l, k, v);
                if (c == NULL)
                    snprintf(grid_word(grid, row, 2 + v), CELL, "-");
                else
                    lines[line].word(l, c, grid_word(grid, row, 2 + v));
                link_cell(l, grid, row, 2 + v, c);
            }
        }
}

/* --- speed-ups: printed, and ours over every variant of the CPU and every peer --- */

static bool is_baseline(const struct variant *v)
{
    return v->place == HOST || v->place == HOST_PARALLEL || v->role == PEER;
}

/* In the precision of `ours`, or in the only one that the variant has. */
static const struct cell *baseline_cell(const struct layout *l, int k, const struct cell *ours,
                                        const char *variant)
{
    const struct cell *c =
        find_cell(l->all, l->exhibit, l->of, variant, ours->precision, l->n[k], l->exhibit->metric);
    return c != NULL
               ? c
               : find_cell(l->all, l->exhibit, l->of, variant, NULL, l->n[k], l->exhibit->metric);
}

/* "8.62 over A1D"; the cell that it is from, or null */
static const struct cell *printed_speedup(const struct layout *l, int k, const char *variant,
                                          char *out)
{
    const struct cell *from = NULL;
    snprintf(out, CELL, "-");
    for (size_t i = 0; i < l->all->count; i++) {
        const struct cell *c = &l->all->cells[i];
        const size_t left = strlen(variant);
        if (c->exhibit == l->exhibit && strcmp(c->of, l->of) == 0 && strcmp(c->n, l->n[k]) == 0 &&
            strcmp(c->metric, "speedup") == 0 && strncmp(c->variant, variant, left) == 0 &&
            c->variant[left] == '/' && c->printed[0] != '\0') {
            from = c;
            snprintf(out, CELL, "%.10s over %.20s%s%s%s", c->printed, c->variant + left + 1,
                     c->id[0] != '\0' ? " (" : "", c->id, c->id[0] != '\0' ? ")" : "");
        }
    }
    return from;
}

static bool speedup_table(const struct layout *l, struct grid *grid)
{
    int device[3 * MOST_VARIANTS], count = 0;
    const char *baselines[MOST_VARIANTS];
    int baseline_count = 0;
    const struct family *family = find_family(l->exhibit->family);
    for (int v = 0; v < l->variant_count; v++) {
        const struct variant *variant = find_variant(family, l->variants[v], l->precisions[v]);
        if (variant == NULL)
            continue;
        bool known = !is_baseline(variant);
        if (known)
            device[count++] = v;
        for (int b = 0; b < baseline_count && !known; b++)
            known = strcmp(baselines[b], variant->id) == 0;
        if (!known)
            baselines[baseline_count++] = variant->id;
    }
    if (!exhibit_is_timed(l->exhibit) || count == 0 || baseline_count == 0)
        return false;
    grid_make(grid, 1 + count * l->n_count, 3 + baseline_count, CELL);
    grid->heads = 2;
    snprintf(grid_word(grid, 0, 0), CELL, "n");
    snprintf(grid_word(grid, 0, 1), CELL, "variant");
    snprintf(grid_word(grid, 0, 2), CELL, "printed");
    for (int b = 0; b < baseline_count; b++)
        snprintf(grid_word(grid, 0, 3 + b), CELL, "over %.30s", baselines[b]);
    for (int k = 0; k < l->n_count; k++)
        for (int d = 0; d < count; d++) {
            const int row = 1 + count * k + d;
            const struct cell *ours = cell_at(l, k, device[d]);
            snprintf(grid_word(grid, row, 0), CELL, "%s", d == 0 ? l->n[k] : "");
            variant_title(l, device[d], grid_word(grid, row, 1));
            link_cell(l, grid, row, 2,
                      printed_speedup(l, k, l->variants[device[d]], grid_word(grid, row, 2)));
            for (int b = 0; b < baseline_count; b++) {
                const struct cell *base =
                    ours != NULL ? baseline_cell(l, k, ours, baselines[b]) : NULL;
                char *word = grid_word(grid, row, 3 + b);
                link_cell(l, grid, row, 3 + b, ours);
                if (base == NULL || isnan(ours->reproduced) || isnan(base->reproduced))
                    snprintf(word, CELL, "-");
                else
                    snprintf(word, CELL, "%.4g",
                             of_cell(l, base, "time", "value") / of_cell(l, ours, "time", "value"));
            }
        }
    return true;
}

/* --- what is printed beside the times, as iterations are: not the metric, and no speed-up --- */

static const char *other_metric(const struct layout *l)
{
    for (size_t i = 0; i < l->all->count; i++) {
        const struct cell *c = &l->all->cells[i];
        if (c->exhibit == l->exhibit && strcmp(c->of, l->of) == 0 &&
            strcmp(c->metric, l->exhibit->metric) != 0 && strcmp(c->metric, "speedup") != 0)
            return c->metric;
    }
    return NULL;
}

static bool other_table(const struct layout *l, const char *metric, struct grid *grid)
{
    if (metric == NULL)
        return false;
    grid_make(grid, 1 + l->n_count, 1 + l->variant_count, CELL);
    snprintf(grid_word(grid, 0, 0), CELL, "n");
    for (int v = 0; v < l->variant_count; v++)
        variant_title(l, v, grid_word(grid, 0, 1 + v));
    for (int k = 0; k < l->n_count; k++) {
        snprintf(grid_word(grid, 1 + k, 0), CELL, "%s", l->n[k]);
        for (int v = 0; v < l->variant_count; v++) {
            const struct cell *c = find_cell(l->all, l->exhibit, l->of, l->variants[v],
                                             l->precisions[v], l->n[k], metric);
            char *const word = grid_word(grid, 1 + k, 1 + v);
            link_cell(l, grid, 1 + k, 1 + v, c);
            if (c == NULL)
                snprintf(word, CELL, "-");
            else if (isnan(c->reproduced))
                snprintf(word, CELL, "%.10s, %s", c->printed, verdict_names[c->verdict]);
            else
                snprintf(word, CELL, "%.10s, %.6g: %s", c->printed, c->reproduced,
                         verdict_names[c->verdict]);
        }
    }
    return true;
}

/* --- parts of the times: the paper's region and end to end --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The parts of a run; before and after it: load() and the copy of the answer to the host. */
static int run_parts(const struct layout *l, char parts[][24], int most)
{
    int count = 0;
    const struct csv *csv = l->all->measured;
    for (size_t i = 0; i < csv_rows(csv); i++) {
        const struct csv_row *row = csv_row(csv, i);
        bool fresh =
            strcmp(row->field[0], l->exhibit->id) == 0 && strncmp(row->field[6], "time_", 5) == 0 &&
            strcmp(row->field[6], "time_load") != 0 && strcmp(row->field[6], "time_back") != 0 &&
            strcmp(row->field[6], "time_per_step") != 0;
        for (int p = 0; p < count && fresh; p++)
            fresh = strcmp(parts[p], row->field[6] + 5) != 0;
        if (fresh && count < most)
            snprintf(parts[count++], sizeof parts[0], "%s", row->field[6] + 5);
    }
    qsort(parts, (size_t)count, sizeof *parts, by_name);
    return count;
}

static void seconds_word(char *out, double seconds)
{
    snprintf(out, CELL, isnan(seconds) ? "-" : "%.4g", seconds);
}

static bool parts_table(const struct layout *l, struct grid *grid)
{
    static const char *const sums[] = {"paper's region", "load", "copy back", "end to end"};
    char parts[8][24];
    const int count = run_parts(l, parts, 8);
    if (count == 0)
        return false;
    grid_make(grid, 1 + l->n_count * l->variant_count, 6 + count, CELL);
    grid->heads = 2;
    snprintf(grid_word(grid, 0, 0), CELL, "n");
    snprintf(grid_word(grid, 0, 1), CELL, "variant");
    for (int p = 0; p < count; p++)
        snprintf(grid_word(grid, 0, 2 + p), CELL, "%s", parts[p]);
    for (int k = 0; k < 4; k++)
        snprintf(grid_word(grid, 0, 2 + count + k), CELL, "%s", sums[k]);
    int row = 0;
    for (int k = 0; k < l->n_count; k++)
        for (int v = 0; v < l->variant_count; v++) {
            const struct cell *c = cell_at(l, k, v);
            if (c == NULL || isnan(c->reproduced))
                continue;
            row++;
            snprintf(grid_word(grid, row, 0), CELL, "%s", l->n[k]);
            variant_title(l, v, grid_word(grid, row, 1));
            for (int p = 0; p < count + 4; p++)
                link_cell(l, grid, row, 2 + p, c);
            char metric[48];
            for (int p = 0; p < count; p++) {
                snprintf(metric, sizeof metric, "time_%s", parts[p]);
                seconds_word(grid_word(grid, row, 2 + p), of_cell(l, c, metric, "value"));
            }
            const double region = of_cell(l, c, "time", "value"),
                         load = of_cell(l, c, "time_load", "value"),
                         back = of_cell(l, c, "time_back", "value");
            seconds_word(grid_word(grid, row, 2 + count), region);
            seconds_word(grid_word(grid, row, 3 + count), load);
            seconds_word(grid_word(grid, row, 4 + count), back);
            seconds_word(grid_word(grid, row, 5 + count),
                         region + (isnan(load) ? 0 : load) + (isnan(back) ? 0 : back));
        }
    grid->rows = row + 1;
    if (row == 0)
        grid_free(grid);
    return row > 0;
}

/* --- the folder --- */

static enum status folder_file(const char *folder, const char *name, const struct text *text)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return write_file(path, text->data, text->length);
}

static enum status sub_folder(const char *folder, const char *name)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (mkdir(path, 0755) != 0 && errno != EEXIST)
        return because(ERR_IO, "cannot make the folder %s: %s", path, strerror(errno));
    return OK;
}

/* compared.csv, and the same to read from. */
static enum status write_compared(const char *folder, const struct comparison *all,
                                  struct csv **out)
{
    struct text t = {0};
    text_add(&t, "exhibit,case,variant,precision,n,metric,published,reproduced,ci_lo,ci_hi,"
                 "verdict,id,note\n");
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        double digits;
        text_add(&t, "%s,%s,%s,%s,%s,%s,", c->exhibit->id, c->of, c->variant, c->precision, c->n,
                 c->metric);
        if (parse_number(c->printed, &digits) && digits == c->published)
            text_add(&t, "%s,", c->printed); /* as it was printed, unless in another unit */
        else
            text_number(&t, c->published, ',');
        text_number(&t, c->reproduced, ',');
        text_number(&t, c->ci_lo, ',');
        text_number(&t, c->ci_hi, ',');
        text_add(&t, "%s,%s,", verdict_names[c->verdict], c->id);
        text_field(&t, c->note, '\n');
    }
    enum status status = folder_file(folder, "compared.csv", &t);
    if (status == OK)
        status = csv_parse(t.data, "compared.csv", out);
    text_free(&t);
    return status;
}

/* --- the page --- */

/* What a table of an exhibit is written as, in tables/EXHIBIT.suffix. */
static const struct format {
    const char *suffix;
    void (*write)(const struct grid *grid, const char *title, struct text *out);
    const char *option; /* of report, that asks for it; null: always */
} formats[] = {{"txt", grid_text, NULL}, {"md", grid_markdown, NULL}, {"tex", grid_latex, "latex"}};
enum { FORMATS = sizeof formats / sizeof *formats };

struct report {
    const char *folder, *format;
    const struct comparison *all;
    struct csv *compared;
    struct page page;
    bool gnuplot_failed;
};

static bool is_wanted(const struct report *report, const struct format *format)
{
    return format->option == NULL ||
           (report->format != NULL && strcmp(format->option, report->format) == 0);
}

/* Into the page, and into a text for each format; frees the grid. */
static void add_table(struct report *report, const char *title, struct grid *grid,
                      struct text out[FORMATS])
{
    for (int f = 0; f < FORMATS; f++)
        formats[f].write(grid, title, &out[f]);
    page_table(&report->page, title, grid);
    grid_free(grid);
}

static enum status write_tables(struct report *report, const struct exhibit *e,
                                const struct text out[FORMATS])
{
    enum status status = OK;
    for (int f = 0; f < FORMATS && status == OK; f++) {
        char path[160];
        snprintf(path, sizeof path, "tables/%s.%s", e->id, formats[f].suffix);
        if (out[f].length > 0 && is_wanted(report, &formats[f]))
            status = folder_file(report->folder, path, &out[f]);
    }
    return status;
}

/* Printed cells per verdict; how many there are. */
static int count_verdicts(const struct comparison *all, const struct exhibit *e,
                          int of[VERDICT_NOT_MEASURED + 1])
{
    int printed = 0;
    memset(of, 0, (VERDICT_NOT_MEASURED + 1) * sizeof *of);
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        if (c->exhibit != e || isnan(c->published))
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

static enum status add_exhibit(struct report *report, const struct exhibit *e)
{
    struct text out[FORMATS] = {0};
    char title[256];
    snprintf(title, sizeof title, "%s: %s", e->id, e->where);
    page_section(&report->page, e->id, title);
    page_paragraph(&report->page, "%s", e->title);
    exhibit_line(report, e);
    for (const struct exhibit_case *of = exhibit_cases(e); of->id != NULL; of++) {
        struct layout l;
        struct grid grid;
        layout_make(&l, report->all, e, of->id);
        if (l.n_count == 0)
            continue;
        table_title(e, of->id, title, sizeof title);
        main_table(&l, &grid);
        add_table(report, title, &grid, out);
        if (speedup_table(&l, &grid))
            add_table(report, "Speed-up of the device's variants", &grid, out);
        const char *const other = other_metric(&l);
        snprintf(title, sizeof title, "Printed beside them, and reproduced: %s",
                 other != NULL ? other : "");
        if (other_table(&l, other, &grid))
            add_table(report, title, &grid, out);
        if (parts_table(&l, &grid))
            add_table(report, "Parts of the time, in s", &grid, out);
    }
    enum status status = write_tables(report, e, out);
    if (out[0].length > 0)
        printf("%s", out[0].data);
    for (int f = 0; f < FORMATS; f++)
        text_free(&out[f]);
    if (status == OK)
        status = add_figure(report->folder, report->all, e, &report->page, &report->gnuplot_failed);
    return status;
}

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

/* What became of the printed cells of each exhibit that has some. */
static void add_overview(struct report *report)
{
    static const enum verdict shown[] = {VERDICT_SAME,    VERDICT_CLOSE,    VERDICT_EXPLAINED,
                                         VERDICT_DIFFERS, VERDICT_COMPARED, VERDICT_NOT_MEASURED};
    enum { SHOWN = sizeof shown / sizeof *shown, FIRST = 3 };
    const char *head[FIRST + SHOWN] = {"exhibit", "where", "printed cells"};
    struct grid grid;
    int rows = 0;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL; e++)
            rows += exhibit_in_run(report->all, e);
    grid_make(&grid, 1 + rows, FIRST + SHOWN, CELL);
    for (int v = 0; v < SHOWN; v++)
        head[FIRST + v] = verdict_names[shown[v]];
    grid_row(&grid, 0, head);
    grid.texts = 2;
    rows = 0;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL; e++) {
            int of[VERDICT_NOT_MEASURED + 1];
            const int printed = count_verdicts(report->all, e, of);
            if (printed == 0)
                continue;
            rows++;
            snprintf(grid_word(&grid, rows, 0), CELL, "%s", e->id);
            snprintf(grid_link(&grid, rows, 0), sizeof *grid.links, "%s", e->id);
            snprintf(grid_word(&grid, rows, 1), CELL, "%s", e->where);
            snprintf(grid_word(&grid, rows, 2), CELL, "%d", printed);
            for (int v = 0; v < SHOWN; v++)
                snprintf(grid_word(&grid, rows, FIRST + v), CELL, "%d", of[shown[v]]);
        }
    add_section(report, "overview", "Printed cells", NULL, &grid, rows);
}

/* The times of the ceilings, which are the first value of their jobs. */
static bool is_ceiling(const struct csv_row *row)
{
    return strcmp(row->field[0], "ceilings") == 0 && strcmp(row->field[6], "time") == 0 &&
           strcmp(row->field[7], "value") == 0;
}

static void add_ceilings(struct report *report)
{
    static const char *const head[] = {"ceiling", "precision", "n",
                                       "time",    "rate",      "line of measured.csv"};
    static const char *const models[] = {"flops", "bytes", "launches"};
    const struct csv *csv = report->all->measured;
    struct grid grid;
    int count = 0;
    for (size_t i = 0; i < csv_rows(csv); i++)
        count += is_ceiling(csv_row(csv, i));
    grid_make(&grid, 1 + count, 6, CELL);
    grid_row(&grid, 0, head);
    grid.texts = grid.heads = 2;
    count = 0;
    for (size_t i = 0; i < csv_rows(csv); i++) {
        const struct csv_row *row = csv_row(csv, i);
        if (!is_ceiling(row))
            continue;
        double seconds = NAN, model[3];
        char time[CELL], rate[CELL], line[CELL];
        (void)parse_number(row->field[8], &seconds);
        for (int m = 0; m < 3; m++)
            model[m] = measured_value(report->all, row->field[0], row->field[1], row->field[2],
                                      row->field[3], row->field[5], models[m], "model");
        snprintf(time, sizeof time, "%.4g s", seconds);
        snprintf(line, sizeof line, "%zu", i + 2);
        if (model[0] > 0)
            snprintf(rate, sizeof rate, "%.4g Tflop/s", 1e-12 * model[0] / seconds);
        else if (model[1] > 0)
            snprintf(rate, sizeof rate, "%.4g TB/s", 1e-12 * model[1] / seconds);
        else
            snprintf(rate, sizeof rate, "%.3g us a launch", 1e6 * seconds / model[2]);
        grid_row(
            &grid, ++count,
            (const char *const[]){row->field[2], row->field[3], row->field[5], time, rate, line});
    }
    add_section(report, "measured-ceilings", "Ceilings",
                "Measured in every worker that timed anything; the fractions of the limit above "
                "refer to them. The bandwidth is the memory's: a fraction above 1 is of data that "
                "a cache holds.",
                &grid, count);
}

static void erratum_link(const struct paper *paper, const char *id, char *out, size_t size)
{
    snprintf(out, size, "%s-%s", paper->id, id);
}

static void add_claims(struct report *report)
{
    static const char *const head[] = {"claim", "where", "in print", "here"};
    struct grid grid;
    const int count = (int)report->all->claim_count;
    grid_make(&grid, 1 + count, 4, PROSE);
    grid_row(&grid, 0, head);
    grid.texts = 4;
    for (int i = 0; i < count; i++) {
        const struct outcome *o = &report->all->claims[i];
        const char *erratum = o->claim->erratum;
        char here[2][96], claim[PROSE], place[96];
        for (int k = 0; k < 2; k++)
            if (o->cells[k] > 0)
                snprintf(here[k], sizeof here[k], "%s, %d of %d", o->verdict[k], o->holds[k],
                         o->cells[k]);
            else
                snprintf(here[k], sizeof here[k], "%s", o->verdict[k]);
        const size_t end = strlen(here[1]);
        if (o->cells[1] > 0 && o->claim->predicate == REACHES)
            snprintf(here[1] + end, sizeof here[1] - end, ", at most %.4g", o->largest[1]);
        snprintf(claim, sizeof claim, "%s%s%s%s", o->claim->text, erratum != NULL ? " (" : "",
                 erratum != NULL ? erratum : "", erratum != NULL ? ")" : "");
        snprintf(place, sizeof place, "%s, %s", o->paper->id, o->claim->where);
        grid_row(&grid, 1 + i, (const char *const[]){claim, place, here[0], here[1]});
        if (erratum != NULL)
            erratum_link(o->paper, erratum, grid_link(&grid, 1 + i, 0), sizeof *grid.links);
    }
    add_section(report, "claims", "Claims", NULL, &grid, count);
}

static void add_errata(struct report *report)
{
    static const char *const head[] = {"id", "place", "printed", "correct", "evidence"};
    struct grid grid;
    int count = 0;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct erratum *e = errata_of(papers[i]); e->id != NULL; e++)
            count++;
    grid_make(&grid, 1 + count, 5, PROSE);
    grid_row(&grid, 0, head);
    grid.texts = 5;
    grid.targets = true;
    count = 0;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct erratum *e = errata_of(papers[i]); e->id != NULL; e++) {
            if (!erratum_applied(report->all, papers[i], e))
                continue;
            char place[96];
            snprintf(place, sizeof place, "%s, %s", papers[i]->id, e->place);
            grid_row(&grid, ++count,
                     (const char *const[]){e->id, place, e->printed, e->corrected, e->evidence});
            erratum_link(papers[i], e->id, grid_link(&grid, count, 0), sizeof *grid.links);
        }
    add_section(report, "errata", "Errata that were applied", NULL, &grid, count);
}

static void add_missing(struct report *report)
{
    static const char *const head[] = {"exhibit", "cells", "why"};
    const struct comparison *all = report->all;
    struct grid grid;
    int rows = 0;
    grid_make(&grid, 1 + (int)all->count, 3, sizeof all->cells->note);
    grid_row(&grid, 0, head);
    grid.texts = 3;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        if (c->verdict != VERDICT_NOT_MEASURED)
            continue;
        /* One line for every reason and exhibit, not for every cell. */
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
        char cells[16];
        snprintf(cells, sizeof cells, "%d", count);
        grid_row(&grid, ++rows, (const char *const[]){c->exhibit->id, cells, c->note});
        snprintf(grid_link(&grid, rows, 0), sizeof *grid.links, "%s", c->exhibit->id);
    }
    add_section(report, "not-measured", "Not measured", NULL, &grid, rows);
}

static void add_run_facts(struct report *report)
{
    static const char *const head[] = {"key", "value"};
    const struct facts *facts = &report->all->facts;
    struct grid grid;
    int count = 0;
    grid_make(&grid, 1 + facts->count, 2, sizeof facts->of->value);
    grid_row(&grid, 0, head);
    grid.texts = 2;
    for (int i = 0; i < facts->count; i++)
        if (facts->of[i].value[0] != '\0')
            grid_row(&grid, ++count, (const char *const[]){facts->of[i].key, facts->of[i].value});
    add_section(report, "run", "The run", NULL, &grid, count);
}

/* --- the rows behind the page's numbers --- */

/* "15-44": the lines of measured.csv where a job stands that gave a cell its number. */
static void add_lines(const struct report *report, const struct cell *c, const char *variant,
                      const char *precision, const char *n, struct text *out)
{
    const char *id = source_exhibit(c->exhibit)->id;
    size_t first = 0, last = 0;
    for (size_t i = 0; i < csv_rows(report->all->measured); i++) {
        char *const *f = csv_row(report->all->measured, i)->field;
        if (strcmp(f[5], n) != 0 || strcmp(f[1], c->of) != 0 || strcmp(f[2], variant) != 0 ||
            strcmp(f[3], precision) != 0 || strcmp(f[0], id) != 0)
            continue;
        first = first == 0 ? i + 2 : first;
        last = i + 2;
    }
    if (first > 0)
        text_add(out, "%s%zu-%zu", out->length > 0 ? ", " : "", first, last);
}

/* Of a speed-up "A/B" both jobs; B may have one precision only. */
static void add_sides(const struct report *report, const struct cell *c, const char *n,
                      struct text *out)
{
    const struct family *family = find_family(c->exhibit->family);
    char left[sizeof c->variant];
    snprintf(left, sizeof left, "%s", c->variant);
    char *slash = strchr(left, '/');
    if (slash != NULL)
        *slash = '\0';
    const char *const sides[] = {left, slash != NULL ? slash + 1 : NULL};
    for (int k = 0; k < 2 && sides[k] != NULL; k++) {
        const struct variant *v = find_variant(family, sides[k], c->precision);
        if (v == NULL)
            v = find_variant(family, sides[k], NULL);
        if (v != NULL)
            add_lines(report, c, sides[k], precision_name(v->precision), n, out);
    }
}

/* All jobs that gave a cell its number: of a mean over sizes, those of every size. */
static void measured_lines(const struct report *report, const struct cell *c, struct text *out)
{
    long sizes[64];
    char n[sizeof c->n];
    int count = 0;
    text_add(out, "%s", "");
    if (c->exhibit->over == NULL)
        add_sides(report, c, c->n, out);
    else
        (void)expand_axis(c->exhibit->over, sizes, 64, &count);
    for (int k = 0; k < count; k++) {
        snprintf(n, sizeof n, "%ld", sizes[k]);
        add_sides(report, c, n, out);
    }
}

/* The rows of compared.csv of an exhibit, after their line there, and where in measured.csv they
 * are from. */
static void add_rows(struct report *report, const struct exhibit *e)
{
    static const char *const head[] = {
        "line",       "case",  "variant", "precision", "n",  "metric", "published",
        "reproduced", "ci_lo", "ci_hi",   "verdict",   "id", "note",   "lines of measured.csv"};
    enum { COLUMNS = sizeof head / sizeof *head, ID = 11, LINES = 13 };
    const struct comparison *all = report->all;
    struct grid grid;
    int count = 0;
    for (size_t i = 0; i < all->count; i++)
        count += all->cells[i].exhibit == e;
    grid_make(&grid, 1 + count, COLUMNS, sizeof all->cells->note);
    grid_row(&grid, 0, head);
    grid.targets = true;
    count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        if (c->exhibit != e)
            continue;
        const struct csv_row *row = csv_row(report->compared, i);
        const char *words[COLUMNS];
        char line[16];
        struct text lines = {0};
        snprintf(line, sizeof line, "%zu", i + 2);
        measured_lines(report, c, &lines);
        for (int k = 1; k < LINES; k++)
            words[k] = row->field[k];
        words[0] = line;
        words[LINES] = lines.data;
        grid_row(&grid, ++count, words);
        text_free(&lines);
        snprintf(grid_link(&grid, count, 0), sizeof *grid.links, "r%s", line);
        if (c->id[0] != '\0')
            erratum_link(c->paper, c->id, grid_link(&grid, count, ID), sizeof *grid.links);
    }
    page_rows(&report->page, e->id, &grid);
    grid_free(&grid);
}

/* 4: a cell that must agree DIFFERS; 1: a job failed or is wrong. */
static int compare_exit(const struct comparison *all)
{
    return all->of[VERDICT_DIFFERS] > 0 ? 4 : all->failed > 0 ? 1 : 0;
}

int report_folder(const char *folder, const char *format)
{
    struct comparison all;
    enum status status = compare_load(folder, NULL, &all);
    if (status != OK) {
        fprintf(stderr, "reprise: %s\n", reason());
        return status == ERR_ARGS ? 2 : 1;
    }
    struct report report = {.folder = folder, .format = format, .all = &all};
    const char *gpu = facts_get(&all.facts, "gpu_name");
    char title[128];
    snprintf(title, sizeof title, "Reproduced on %.100s",
             gpu[0] != '\0' ? gpu : facts_get(&all.facts, "cpu_model"));
    page_paragraph(&report.page, "%s, commit %s%s, %s", facts_get(&all.facts, "program"),
                   facts_get(&all.facts, "commit"),
                   strcmp(facts_get(&all.facts, "dirty"), "1") == 0 ? " (changed tree)" : "",
                   facts_get(&all.facts, "start"));
    status = sub_folder(folder, "tables");
    if (status == OK)
        status = sub_folder(folder, "figures");
    if (status == OK)
        status = write_compared(folder, &all, &report.compared);
    add_overview(&report);
    for (int i = 0; papers[i] != NULL; i++) {
        bool cited = false;
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL && status == OK; e++) {
            if (!exhibit_in_run(&all, e))
                continue;
            if (!cited) {
                page_part(&report.page, papers[i]->citation);
                page_paragraph(&report.page, "%s", papers[i]->citation);
            }
            cited = true;
            status = add_exhibit(&report, e);
            add_rows(&report, e);
        }
    }
    page_part(&report.page, "Of the whole run");
    add_ceilings(&report);
    add_claims(&report);
    add_errata(&report);
    add_missing(&report);
    add_run_facts(&report);
    if (report.gnuplot_failed)
        fprintf(stderr, "reprise: figures were not drawn: gnuplot is missing or failed; `make "
                        "setup` installs it\n");
    if (status == OK)
        status = page_write(&report.page, folder, title, all.last_line);
    if (status == OK)
        printf("%s/report.md\n%s/index.html\n%s\n", folder, folder, all.last_line);
    else
        fprintf(stderr, "reprise: %s\n", reason());
    page_free(&report.page);
    csv_free(report.compared);
    const int exit_status = status != OK ? 1 : compare_exit(&all);
    compare_free(&all);
    return exit_status;
}

int verdict_folder(const char *folder, const struct selection *selection)
{
    struct comparison all;
    const enum status status = compare_load(folder, selection, &all);
    if (status != OK) {
        fprintf(stderr, "reprise: %s\n", reason());
        return status == ERR_ARGS ? 2 : 1;
    }
    for (size_t i = 0; i < all.count; i++) {
        const struct cell *c = &all.cells[i];
        char ours[32] = "-";
        if (!isnan(c->reproduced))
            snprintf(ours, sizeof ours, "%.7g", c->reproduced);
        printf("%s/%s/%s/%s/%s %s: printed %s, here %s: %s%s%s%s%s%s\n", c->exhibit->id, c->of,
               c->variant, c->precision, c->n, c->metric, c->printed[0] != '\0' ? c->printed : "-",
               ours, verdict_names[c->verdict], c->id[0] != '\0' ? "(" : "", c->id,
               c->id[0] != '\0' ? ")" : "", c->note[0] != '\0' ? "; " : "", c->note);
    }
    for (size_t i = 0; i < all.claim_count; i++)
        printf("claim %s: in print %s, here %s\n", all.claims[i].claim->id,
               all.claims[i].verdict[0], all.claims[i].verdict[1]);
    printf("%s\n", all.last_line);
    const int exit_status = compare_exit(&all);
    compare_free(&all);
    return exit_status;
}
