/*
 * Tables of an exhibit, a case at a time: sizes down, variants across, and for each size the lines
 * that its metric has. Every table is made once, as words.
 */
#include "report/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"

struct column {
    const struct variant *variant; /* null: a ratio of two */
    const char *id, *precision;
};

struct layout { /* the rows and columns that an exhibit's cells span */
    const struct verdicts *all;
    const struct exhibit *exhibit;
    const char *of; /* the case */
    const char **n;
    struct column *columns;
    int n_count, column_count;
};

/* Sizes in their order; what is no number stays where it stood. */
static void sort_sizes(const char **n, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && strtod(n[k], NULL) < strtod(n[k - 1], NULL); k--) {
            const char *const swap = n[k];
            n[k] = n[k - 1];
            n[k - 1] = swap;
        }
}

static bool is_of_case(const struct layout *l, const struct cell *c)
{
    return c->exhibit == l->exhibit && c->key.of == l->of;
}

bool has_row(const struct cell *c)
{
    return !isnan(c->reproduced);
}

static bool has_number(const struct cell *c)
{
    return has_row(c) || !isnan(c->printed.value);
}

/* A column of which the exhibit has a number, here or in another case. */
static bool has_column(const struct layout *l, const struct column *column)
{
    bool here = false, number = false;
    for (size_t i = 0; i < l->all->count && !(here && number); i++) {
        const struct cell *c = &l->all->cells[i];
        if (c->exhibit != l->exhibit || c->key.variant != column->id ||
            c->key.precision != column->precision)
            continue;
        here = here || c->key.of == l->of;
        number = number || has_number(c);
    }
    return here && number;
}

const char *without_numbers(const struct verdicts *all, const struct exhibit *e)
{
    struct text said = {0};
    text_add(&said, "%s", "");
    for (const char *const *id = exhibit_variants(e); *id != NULL; id++)
        for (int p = SINGLE; p <= MIXED; p++) {
            const char *const variant = intern(*id);
            const char *const precision = intern(precision_name((enum precision)p));
            bool any = false, number = false;
            for (size_t i = 0; i < all->count && !number; i++) {
                const struct cell *const c = &all->cells[i];
                const bool same =
                    c->exhibit == e && c->key.variant == variant && c->key.precision == precision;
                any = any || same;
                number = same && has_number(c);
            }
            if (any && !number)
                text_add(&said, "%s%s %s", said.length > 0 ? ", " : "", variant, precision);
        }
    const char *const words = intern(said.data);
    text_free(&said);
    return words;
}

static void layout_make(struct layout *l, const struct verdicts *all, const struct exhibit *e,
                        const char *of)
{
    const struct family *const family = find_family(e->family);
    const char *const *const ids = exhibit_variants(e);
    int most = 0;
    *l = (struct layout){.all = all, .exhibit = e, .of = intern(of)};
    while (ids[most] != NULL)
        most++;
    l->columns = calloc(3 * (size_t)most + 1, sizeof *l->columns);
    l->n = calloc(all->count + 1, sizeof *l->n);
    if (l->columns == NULL || l->n == NULL)
        abort();                   /* a few kilobytes */
    for (int v = 0; v < most; v++) /* the descriptor's order is the paper's */
        for (int p = SINGLE; p <= MIXED; p++) {
            const char *const precision = precision_name((enum precision)p);
            const struct column column = {find_variant(family, ids[v], precision), intern(ids[v]),
                                          intern(precision)};
            if (has_column(l, &column))
                l->columns[l->column_count++] = column;
        }
    for (size_t i = 0; i < all->count; i++) {
        const char *const n = all->cells[i].key.n;
        bool known = !is_of_case(l, &all->cells[i]);
        for (int k = 0; k < l->n_count && !known; k++)
            known = l->n[k] == n;
        if (!known)
            l->n[l->n_count++] = n;
    }
    sort_sizes(l->n, l->n_count);
}

static void layout_free(struct layout *l)
{
    free(l->columns);
    free(l->n);
}

/* Null: not there. precision null: any. */
static const struct cell *cell_of(const struct layout *l, int k, const char *variant,
                                  const char *precision, const char *metric)
{
    const struct key key = {NULL, l->of, intern(variant), precision, l->n[k]};
    return find_cell(l->all, l->exhibit, &key, metric);
}

static const struct cell *cell_at(const struct layout *l, int k, int column)
{
    return cell_of(l, k, l->columns[column].id, l->columns[column].precision, l->exhibit->metric);
}

/* By the line of compared.csv where it stands. */
const char *row_link(const struct verdicts *all, const struct cell *c, const char *folder)
{
    if (c == NULL || !has_row(c))
        return "";
    const char *const row = internf("r%zu", (size_t)(c - all->cells) + 2);
    return folder[0] == '\0' ? row : internf("%s%s.html#%s", folder, c->exhibit->id, row);
}

static void link_cell(const struct layout *l, struct grid *grid, int row, int column,
                      const struct cell *c)
{
    grid_link(grid, row, column, row_link(l->all, c, ""));
}

/* The precision is named where a variant has several. */
static const char *column_title(const struct layout *l, int column)
{
    const struct column *c = &l->columns[column];
    int same = 0;
    for (int k = 0; k < l->column_count; k++)
        same += l->columns[k].id == c->id;
    return same > 1 ? internf("%s %s", c->id, c->precision) : c->id;
}

static double job_value(const struct layout *l, const struct cell *c, const char *metric,
                        const char *statistic)
{
    const struct key job = cell_job(c);
    return folder_value(&l->all->folder, &job, metric, statistic);
}

/* --- the lines that a table has for each n: what was printed, what was reproduced, and more --- */

/* Four digits, and no exponent where a table can do without. */
static const char *four_digits(double x)
{
    const double size = fabs(x);
    if (!(size >= 1e4 && size < 1e7))
        return internf("%.4g", x);
    const double unit = pow(10, floor(log10(size)) - 3);
    return internf("%.0f", round(x / unit) * unit);
}

static const char *value_and_interval(const struct cell *c, double scale)
{
    if (isnan(c->reproduced))
        return "-";
    if (isnan(c->ci_lo))
        return four_digits(scale * c->reproduced);
    return internf("%s [%s, %s]", four_digits(scale * c->reproduced), four_digits(scale * c->ci_lo),
                   four_digits(scale * c->ci_hi));
}

static const char *missing_word(const struct cell *c)
{
    return c->state == JOB_EMULATED ? "not measured here" : "not measured";
}

/* As it was printed, unless in another unit than the table's. */
static const char *printed_word(const struct exhibit *e, const struct printed *printed)
{
    const bool rate = metric_kind(e, e->metric) == METRIC_RATE;
    const double here = rate ? printed->value / find_family(e->family)->rate_scale : printed->value;
    double digits;
    if (parse_number(printed->digits, &digits) && fabs(here - digits) > 1e-9 * fabs(digits))
        return internf("%.10g", here);
    return printed->digits[0] != '\0' ? printed->digits : "-";
}

static bool is_count(double x)
{
    return x >= 1 && x < 1e6 && x == floor(x);
}

static const char *error_word(const struct layout *l, const struct cell *c)
{
    (void)l;
    if (c->verdict == VERDICT_NOT_MEASURED)
        return missing_word(c);
    return internf(is_count(c->reproduced) ? "%.0f" : "%.6e", c->reproduced);
}

static bool is_per_step(const char *exhibit)
{
    const struct exhibit *e = find_exhibit(exhibit, NULL);
    return e != NULL && metric_kind(e, e->metric) == METRIC_TIME_PER_STEP;
}

/* A variant of the paper's takes the paper's steps; a limit may take others. */
static bool is_published(const struct exhibit *e, const char *variant)
{
    const struct variant *v = find_variant(find_family(e->family), variant, NULL);
    return v != NULL && v->role == PUBLISHED;
}

/* A value of the same case, precision and size, by `variant` or by any of the paper (null): of
 * steps that were timed by themselves, or of a whole run. NaN: not there. */
static double elsewhere(const struct folder *folder, const struct cell *c, const char *variant,
                        const char *metric, bool per_step)
{
    const char *const name = intern(metric), *const value = intern("value");
    for (size_t i = 0; i < folder->row_count; i++) {
        const struct measurement *row = &folder->rows[i];
        if (row->key.of == c->key.of &&
            (variant == NULL ? is_published(c->exhibit, row->key.variant)
                             : row->key.variant == variant) &&
            row->key.precision == c->key.precision && row->key.n == c->key.n &&
            row->metric == name && row->statistic == value &&
            is_per_step(row->key.exhibit) == per_step)
            return row->value;
    }
    return NAN;
}

double projected_time(const struct verdicts *all, const struct cell *c)
{
    const struct folder *const folder = &all->folder;
    return c->left_out && metric_kind(c->exhibit, c->metric) == METRIC_TIME
               ? elsewhere(folder, c, c->key.variant, "time_per_step", true) *
                     elsewhere(folder, c, NULL, "steps", false)
               : (double)NAN;
}

static const char *interval_word(const struct layout *l, const struct cell *c)
{
    const double seconds = projected_time(l->all, c);
    return isnan(seconds) ? value_and_interval(c, 1)
                          : internf("projected %s", four_digits(seconds));
}

static const char *rate_word(const struct layout *l, const struct cell *c)
{
    if (c->verdict == VERDICT_NOT_MEASURED)
        return missing_word(c);
    return value_and_interval(c, 1 / find_family(l->exhibit->family)->rate_scale);
}

static const char *ratio_word(const struct layout *l, const struct cell *c)
{
    (void)l;
    if (c->verdict == VERDICT_NOT_MEASURED)
        return missing_word(c);
    return c->verdict == VERDICT_COMPARED ? internf("%.4g", c->printed.value / c->reproduced) : "-";
}

static const char *fraction_word(const struct layout *l, const struct cell *c)
{
    (void)l;
    return isnan(c->fraction) ? "-" : internf("%.3f", c->fraction);
}

static const char *of_task_word(const struct layout *l, const struct cell *c)
{
    const double fraction = job_value(l, c, "of_task", "value");
    return isnan(fraction) || isnan(c->reproduced) ? "-" : internf("%.3f", fraction);
}

/* What the algorithm computes beyond the task counts here too. */
static const char *executed_word(const struct layout *l, const struct cell *c)
{
    const double rate = 1e-9 * job_value(l, c, "flops", "model") / job_value(l, c, "time", "value");
    return isnan(rate) || isnan(c->reproduced) ? "-" : four_digits(rate);
}

static const char *seconds_word(double seconds)
{
    return isnan(seconds) ? "-" : internf("%.4g", seconds);
}

static const char *time_word(const struct layout *l, const struct cell *c)
{
    return seconds_word(isnan(c->reproduced) ? (double)NAN : job_value(l, c, "time", "value"));
}

/* The order of the error in the mesh width h, which the judge gives, from the size before. */
static const char *order_word(const struct layout *l, const struct cell *c)
{
    int k = 0;
    while (k < l->n_count && l->n[k] != c->key.n)
        k++;
    const struct cell *before =
        k > 0 ? cell_of(l, k - 1, c->key.variant, c->key.precision, l->exhibit->metric) : NULL;
    if (before == NULL)
        return "-";
    const double order = log(before->reproduced / c->reproduced) /
                         log(job_value(l, before, "h", "value") / job_value(l, c, "h", "value"));
    return isnan(order) ? "-" : internf("%.2f", order);
}

static const char *also_word(const struct layout *l, const struct cell *c, int which)
{
    const double value = job_value(l, c, l->exhibit->also[which], "value");
    return isnan(value) ? "-" : internf("%.10g", value);
}

static const char *first_also_word(const struct layout *l, const struct cell *c)
{
    return also_word(l, c, 0);
}

static const char *second_also_word(const struct layout *l, const struct cell *c)
{
    return also_word(l, c, 1);
}

struct line {
    const char *label;
    const char *(*word)(const struct layout *l, const struct cell *c);
};

enum { MOST_LINES = 6 };

/* How the tables of a metric look; without a title: the metric's name. */
static const struct style {
    const char *title;
    struct line lines[MOST_LINES];
} styles[] = {
    [METRIC_RATE] = {NULL,
                     {{"reproduced", rate_word},
                      {"published/reproduced", ratio_word},
                      {"Gflop/s, all operations", executed_word},
                      {"time in s", time_word},
                      {"fraction of limit", fraction_word},
                      {"of the task's limit", of_task_word}}},
    [METRIC_TIME] = {"time in s [95 % interval]",
                     {{"reproduced", interval_word},
                      {"published/reproduced", ratio_word},
                      {"fraction of limit", fraction_word},
                      {"of the task's limit", of_task_word}}},
    [METRIC_TIME_PER_STEP] = {"time of a step in s [95 % interval]",
                              {{"reproduced", interval_word},
                               {"published/reproduced", ratio_word},
                               {"fraction of limit", fraction_word},
                               {"of the task's limit", of_task_word}}},
    [METRIC_ORDER] = {NULL, {{"reproduced", interval_word}}},
    [METRIC_SPEEDUP] = {"speed-up [95 % interval]",
                        {{"reproduced", interval_word}, {"published/reproduced", ratio_word}}},
    [METRIC_JUDGED] = {NULL, {{"reproduced", error_word}, {"order in h", order_word}}},
};

static const char *table_title(const struct exhibit *e, const char *of)
{
    const struct family *const f = find_family(e->family);
    const enum metric_kind kind = metric_kind(e, e->metric);
    const char *const what = kind == METRIC_RATE
                                 ? internf("%s in %s [95 %% interval]", f->rate, f->rate_shown)
                             : styles[kind].title != NULL ? styles[kind].title
                                                          : e->metric;
    return internf("%s, %s, %s, %s", e->where, e->id, of, what);
}

/* The machine's name without what stands in brackets behind it. */
static const char *machine_of(const char *hardware)
{
    size_t length = strcspn(hardware, "(");
    while (length > 0 && hardware[length - 1] == ' ')
        length--;
    return internf("%.*s", (int)length, hardware);
}

/* The lines that have something to say here. What was printed, and the verdicts, stand above. */
static int table_lines(const struct layout *l, struct line out[MOST_LINES])
{
    const struct exhibit *const e = l->exhibit;
    const struct line *const lines = styles[metric_kind(e, e->metric)].lines;
    int count = 0;
    bool printed = false, widths = false, traffic = false;
    for (int k = 0; k < l->n_count; k++)
        for (int v = 0; v < l->column_count; v++) {
            const struct cell *c = cell_at(l, k, v);
            printed = printed || (c != NULL && c->printed.hardware[0] != '\0');
            widths = widths || (c != NULL && job_value(l, c, "h", "value") > 0);
            traffic = traffic || (c != NULL && job_value(l, c, "of_task", "value") > 0);
        }
    for (int i = 0; i < MOST_LINES && lines[i].label != NULL; i++) {
        const bool missing =
            (lines[i].word == ratio_word && !printed) ||
            (lines[i].word == of_task_word && !traffic) ||
            (lines[i].word == order_word && !(widths && l->n_count > 1 && e->falls_with_h));
        if (!missing)
            out[count++] = lines[i];
    }
    static const struct line also[] = {{NULL, first_also_word}, {NULL, second_also_word}};
    for (int i = 0; i < 2 && e->also[i] != NULL && count < MOST_LINES; i++)
        out[count++] = (struct line){e->also[i], also[i].word};
    return count;
}

/* A size of which the table would have a number. */
static bool size_has_numbers(const struct layout *l, int k)
{
    bool any = false;
    for (int v = 0; v < l->column_count && !any; v++) {
        const struct cell *const c = cell_at(l, k, v);
        any = c != NULL && (!isnan(c->reproduced) || !isnan(projected_time(l->all, c)));
    }
    return any;
}

/* The words of a line for a size; false: it has none. */
static bool put_line(const struct layout *l, const struct line *line, int k, struct grid *grid,
                     int row)
{
    const bool leads = strcmp(line->label, "reproduced") == 0; /* the others are made of it */
    bool any = false;
    grid_put(grid, row, 1, line->label);
    for (int v = 0; v < l->column_count; v++) {
        const struct cell *const c = cell_at(l, k, v);
        const char *const word = c == NULL ? "-" : line->word(l, c);
        any = any || strcmp(word, "-") != 0;
        grid_put(grid, row, 2 + v, word);
        link_cell(l, grid, row, 2 + v, leads ? c : NULL);
    }
    return any;
}

static bool main_table(const struct layout *l, struct grid *grid)
{
    struct line lines[MOST_LINES];
    const int count = table_lines(l, lines);
    int row = 0;
    grid_make(grid, 2 + count * l->n_count, 2 + l->column_count);
    grid->heads = 2;
    grid_put(grid, 0, 0, "n");
    for (int v = 0; v < l->column_count; v++)
        grid_put(grid, 0, 2 + v, column_title(l, v));
    for (int k = 0; k < l->n_count; k++) {
        const int before = row;
        for (int i = 0; i < count && size_has_numbers(l, k); i++)
            if (put_line(l, &lines[i], k, grid, row + 1)) {
                row++;
                grid_put(grid, row, 0, row == before + 1 ? l->n[k] : "");
            }
    }
    grid->rows = 1 + row;
    if (row == 0)
        grid_free(grid);
    return row > 0;
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
    const struct cell *c = cell_of(l, k, variant, ours->key.precision, l->exhibit->metric);
    return c != NULL ? c : cell_of(l, k, variant, NULL, l->exhibit->metric);
}

/* "8.62 over A1D", and the cell that it is from, or null. */
static const struct cell *printed_speedup(const struct layout *l, int k, const char *variant,
                                          const char **word)
{
    const struct cell *from = NULL;
    const char *left, *right;
    *word = "-";
    for (size_t i = 0; i < l->all->count; i++) {
        const struct cell *c = &l->all->cells[i];
        if (!is_of_case(l, c) || c->key.n != l->n[k] || c->printed.digits[0] == '\0' ||
            metric_kind(l->exhibit, c->metric) != METRIC_SPEEDUP ||
            !ratio_sides(c->key.variant, &left, &right) || left != variant)
            continue;
        from = c;
        *word = internf(c->id[0] != '\0' ? "%s over %s (%s)" : "%s over %s", c->printed.digits,
                        right, c->id);
    }
    return from;
}

/* The columns that are measured against baselines, and the baselines' ids; a count each. */
struct sides {
    int *device, device_count;
    const char **baselines;
    int baseline_count;
};

static struct sides sides_of(const struct layout *l)
{
    struct sides s = {.device = calloc((size_t)l->column_count + 1, sizeof *s.device),
                      .baselines = calloc((size_t)l->column_count + 1, sizeof *s.baselines)};
    if (s.device == NULL || s.baselines == NULL)
        abort(); /* a few bytes */
    for (int v = 0; v < l->column_count; v++) {
        const struct column *c = &l->columns[v];
        bool known = c->variant == NULL;
        for (int b = 0; b < s.baseline_count && !known; b++)
            known = s.baselines[b] == c->id;
        if (c->variant != NULL && !is_baseline(c->variant))
            s.device[s.device_count++] = v;
        else if (!known)
            s.baselines[s.baseline_count++] = c->id;
    }
    return s;
}

/* False: there is nothing to say. */
static bool speedup_row(const struct layout *l, const struct sides *s, int k, int d,
                        struct grid *grid, int row)
{
    const int column = s->device[d];
    const struct cell *ours = cell_at(l, k, column);
    const char *printed;
    const struct cell *const from = printed_speedup(l, k, l->columns[column].id, &printed);
    bool any = from != NULL;
    grid_put(grid, row, 1, column_title(l, column));
    link_cell(l, grid, row, 1, ours);
    grid_put(grid, row, 2, printed);
    link_cell(l, grid, row, 2, from);
    for (int b = 0; b < s->baseline_count; b++) {
        const struct cell *base = ours != NULL ? baseline_cell(l, k, ours, s->baselines[b]) : NULL;
        const bool both = base != NULL && !isnan(ours->reproduced) && !isnan(base->reproduced);
        any = any || both;
        grid_put(grid, row, 3 + b,
                 both ? internf("%.4g", job_value(l, base, "time", "value") /
                                            job_value(l, ours, "time", "value"))
                      : "-");
    }
    return any;
}

static bool speedup_table(const struct layout *l, struct grid *grid)
{
    const struct sides s = sides_of(l);
    int row = 0;
    if (exhibit_is_timed(l->exhibit) && s.device_count > 0 && s.baseline_count > 0) {
        grid_make(grid, 2 + s.device_count * l->n_count, 3 + s.baseline_count);
        grid->heads = 2;
        grid_put(grid, 0, 0, "n");
        grid_put(grid, 0, 1, "variant");
        grid_put(grid, 0, 2, "printed");
        for (int b = 0; b < s.baseline_count; b++)
            grid_put(grid, 0, 3 + b, internf("over %s", s.baselines[b]));
        for (int k = 0; k < l->n_count; k++) {
            const int before = row;
            for (int d = 0; d < s.device_count; d++)
                if (speedup_row(l, &s, k, d, grid, row + 1)) {
                    row++;
                    grid_put(grid, row, 0, row == before + 1 ? l->n[k] : "");
                }
        }
        grid->rows = 1 + row;
        if (row == 0)
            grid_free(grid);
    }
    free(s.device);
    free(s.baselines);
    return row > 0;
}

/* --- what is printed beside the times, as iterations are: not the metric, and no speed-up --- */

static const char *other_metric(const struct layout *l)
{
    const char *const metric = intern(l->exhibit->metric);
    for (size_t i = 0; i < l->all->count; i++) {
        const struct cell *c = &l->all->cells[i];
        if (is_of_case(l, c) && c->metric != metric &&
            metric_kind(l->exhibit, c->metric) != METRIC_SPEEDUP)
            return c->metric;
    }
    return NULL;
}

static const char *other_word(const struct cell *c)
{
    if (c == NULL)
        return "-";
    if (isnan(c->reproduced))
        return internf("%s, %s", c->printed.digits, verdict_names[c->verdict]);
    return internf("%s, %.6g: %s", c->printed.digits, c->reproduced, verdict_names[c->verdict]);
}

static void other_table(const struct layout *l, const char *metric, struct grid *grid)
{
    grid_make(grid, 1 + l->n_count, 1 + l->column_count);
    grid_put(grid, 0, 0, "n");
    for (int v = 0; v < l->column_count; v++)
        grid_put(grid, 0, 1 + v, column_title(l, v));
    for (int k = 0; k < l->n_count; k++) {
        grid_put(grid, 1 + k, 0, l->n[k]);
        for (int v = 0; v < l->column_count; v++) {
            const struct column *column = &l->columns[v];
            const struct cell *c = cell_of(l, k, column->id, column->precision, metric);
            grid_put(grid, 1 + k, 1 + v, other_word(c));
            link_cell(l, grid, 1 + k, 1 + v, c);
        }
    }
}

/* --- parts of the times: the paper's region and end to end --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The parts of a run, to be freed; not what comes before and after it: load() and the copy of the
 * answer to the host. */
static const char **run_parts(const struct layout *l, int *count)
{
    const struct folder *const folder = &l->all->folder;
    const char *const id = intern(l->exhibit->id);
    const char **parts = NULL;
    *count = 0;
    for (size_t i = 0; i < folder->row_count; i++) {
        const struct measurement *row = &folder->rows[i];
        const char *const part = time_part(row->metric);
        bool fresh = part != NULL && row->key.exhibit == id && strcmp(part, "load") != 0 &&
                     strcmp(part, "back") != 0;
        for (int p = 0; p < *count && fresh; p++)
            fresh = strcmp(parts[p], part) != 0;
        if (!fresh)
            continue;
        parts = realloc(parts, ((size_t)*count + 1) * sizeof *parts);
        if (parts == NULL)
            abort(); /* a few bytes */
        parts[(*count)++] = part;
    }
    if (*count > 0)
        qsort(parts, (size_t)*count, sizeof *parts, by_name);
    return parts;
}

static void parts_row(const struct layout *l, const char *const *parts, int count,
                      const struct cell *c, struct grid *grid, int row)
{
    link_cell(l, grid, row, 1, c);
    for (int p = 0; p < count; p++)
        grid_put(grid, row, 2 + p,
                 seconds_word(job_value(l, c, internf("time_%s", parts[p]), "value")));
    const double region = job_value(l, c, "time", "value");
    const double load = job_value(l, c, "time_load", "value");
    const double back = job_value(l, c, "time_back", "value");
    const double sums[] = {region, load, back,
                           region + (isnan(load) ? 0 : load) + (isnan(back) ? 0 : back)};
    for (int k = 0; k < 4; k++)
        grid_put(grid, row, 2 + count + k, seconds_word(sums[k]));
}

static bool parts_table(const struct layout *l, struct grid *grid)
{
    static const char *const sums[] = {"paper's region", "load", "copy back", "end to end"};
    int count = 0, row = 0;
    const char **const parts = run_parts(l, &count);
    if (count == 0)
        return false;
    grid_make(grid, 1 + l->n_count * l->column_count, 6 + count);
    grid->heads = 2;
    grid_put(grid, 0, 0, "n");
    grid_put(grid, 0, 1, "variant");
    for (int p = 0; p < count; p++)
        grid_put(grid, 0, 2 + p, parts[p]);
    for (int k = 0; k < 4; k++)
        grid_put(grid, 0, 2 + count + k, sums[k]);
    for (int k = 0; k < l->n_count; k++)
        for (int v = 0; v < l->column_count; v++) {
            const struct cell *c = cell_at(l, k, v);
            if (c == NULL || isnan(c->reproduced))
                continue;
            row++;
            grid_put(grid, row, 0, l->n[k]);
            grid_put(grid, row, 1, column_title(l, v));
            parts_row(l, parts, count, c, grid, row);
        }
    free(parts);
    grid->rows = row + 1;
    if (row == 0)
        grid_free(grid);
    return row > 0;
}

/* --- a table as the paper prints it --- */

struct printed_column {
    const struct exhibit *exhibit;
    const char *metric, *variant, *precision;
    const char *first, *second; /* the machines that it is printed of; "": none */
};

struct printed_layout {
    const struct shown_run *runs;
    int run_count;
    struct printed_column *columns;
    struct printed_row {
        const struct exhibit *exhibit; /* that has the case */
        const char *of, *n;
    } * rows;
    int column_count, row_count;
};

static void *one_more(void *list, int count, size_t size)
{
    list = realloc(list, ((size_t)count + 1) * size);
    if (list == NULL)
        abort(); /* a few bytes */
    return list;
}

static void take_column(struct printed_layout *l, const struct cell *c)
{
    struct printed_column *column = NULL;
    for (int i = 0; i < l->column_count && column == NULL; i++) {
        struct printed_column *const p = &l->columns[i];
        if (p->exhibit == c->exhibit && p->metric == c->metric && p->variant == c->key.variant &&
            p->precision == c->key.precision)
            column = p;
    }
    if (column == NULL) {
        l->columns = one_more(l->columns, l->column_count, sizeof *l->columns);
        column = &l->columns[l->column_count++];
        *column = (struct printed_column){c->exhibit,       c->metric,           c->key.variant,
                                          c->key.precision, c->printed.hardware, ""};
    }
    if (c->second.digits[0] != '\0')
        column->second = c->second.hardware;
}

static int case_place(const struct printed_row *row)
{
    const struct exhibit_case *const cases = exhibit_cases(row->exhibit);
    int i = 0;
    while (cases[i].id != NULL && strcmp(cases[i].id, row->of) != 0)
        i++;
    return i;
}

/* Cases in the descriptor's order, sizes by theirs; what is no number stays where it stood. */
static bool stands_before(const struct printed_row *a, const struct printed_row *b)
{
    const int by_case = case_place(a) - case_place(b);
    return by_case < 0 || (by_case == 0 && strtod(a->n, NULL) < strtod(b->n, NULL));
}

static void take_row(struct printed_layout *l, const struct cell *c)
{
    const struct printed_row row = {c->exhibit, c->key.of, c->key.n};
    for (int i = 0; i < l->row_count; i++)
        if (l->rows[i].of == row.of && l->rows[i].n == row.n)
            return;
    l->rows = one_more(l->rows, l->row_count, sizeof *l->rows);
    int place = l->row_count++;
    for (; place > 0 && stands_before(&row, &l->rows[place - 1]); place--)
        l->rows[place] = l->rows[place - 1];
    l->rows[place] = row;
}

/* Parts of a column's name that all columns share are left out of it. */
static const char *printed_column_name(const struct printed_layout *l,
                                       const struct printed_column *p)
{
    bool metrics = false, variants = false, precisions = false;
    for (int i = 0; i < l->column_count; i++) {
        const struct printed_column *const q = &l->columns[i];
        metrics = metrics || q->metric != p->metric;
        variants = variants || q->variant != p->variant;
        precisions = precisions || (q->precision != p->precision && q->variant == p->variant);
    }
    const char *const metric = metrics ? p->metric : "";
    const char *const variant = variants ? p->variant : "";
    const char *const both =
        internf("%s%s%s", variant, variant[0] != '\0' && metric[0] != '\0' ? " " : "", metric);
    return precisions ? internf("%s %s", both, p->precision) : both;
}

/* In which the numbers of a column are, printed or not: "s"; "": pure numbers. */
static const char *unit_of(const struct printed_column *p)
{
    const enum metric_kind kind = metric_kind(p->exhibit, p->metric);
    return kind == METRIC_RATE ? find_family(p->exhibit->family)->rate_shown
           : kind == METRIC_TIME || kind == METRIC_TIME_PER_STEP ? "s"
                                                                 : "";
}

/* As many digits as are printed, so that what is the same looks so. */
static const char *like_printed(const char *digits, double value)
{
    const char *const exponent = strpbrk(digits, "eE"), *const point = strchr(digits, '.');
    const char *const end = exponent != NULL ? exponent : digits + strlen(digits);
    const int decimals = point != NULL ? (int)(end - point - 1) : 0;
    if (exponent != NULL)
        return internf("%.*e", decimals, value);
    return fabs(value) >= pow(10, -decimals) ? internf("%.*f", decimals, value)
                                             : four_digits(value);
}

static const char *here_word(const struct cell *c)
{
    if (c == NULL)
        return "-";
    if (c->verdict == VERDICT_NOT_MEASURED)
        return "not measured";
    const bool rate = metric_kind(c->exhibit, c->metric) == METRIC_RATE;
    const double scale = rate ? find_family(c->exhibit->family)->rate_scale : 1;
    if (c->verdict == VERDICT_COMPARED || c->verdict == VERDICT_NOT_PRINTED)
        return four_digits(c->reproduced / scale);
    const char *const verdict = c->id[0] != '\0' && !c->voided
                                    ? internf("%s(%s)", verdict_names[c->verdict], c->id)
                                    : verdict_names[c->verdict];
    return internf("%s %s", like_printed(c->printed.digits, c->reproduced), verdict);
}

static const struct cell *printed_cell(const struct printed_layout *l,
                                       const struct printed_column *p,
                                       const struct printed_row *row, int run)
{
    const struct key key = {NULL, row->of, p->variant, p->precision, row->n};
    return find_cell(l->runs[run].all, p->exhibit, &key, p->metric);
}

static void printed_columns_of_row(const struct printed_layout *l, struct grid *grid, int row,
                                   int heads)
{
    int at = heads;
    for (int i = 0; i < l->column_count; i++) {
        const struct printed_column *const p = &l->columns[i];
        const struct printed_row *const r = &l->rows[row - 1];
        const int printed = at;
        at += 1 + (p->second[0] != '\0');
        grid_put(grid, row, printed, "-");
        for (int k = 0; k < l->run_count; k++) {
            const struct cell *const c = printed_cell(l, p, r, k);
            if (c != NULL && c->printed.digits[0] != '\0') {
                const char *const word = printed_word(p->exhibit, &c->printed);
                grid_put(grid, row, printed, c->voided ? internf("%s (%s)", word, c->id) : word);
            }
            if (c != NULL && p->second[0] != '\0')
                grid_put(grid, row, printed + 1, printed_word(p->exhibit, &c->second));
            grid_put(grid, row, at, here_word(c));
            grid_link(grid, row, at++, row_link(l->runs[k].all, c, l->runs[k].folder));
        }
    }
}

static void printed_heads(const struct printed_layout *l, struct grid *grid, int heads)
{
    int at = heads;
    if (heads > 1)
        grid_put(grid, 0, 0, "case");
    grid_put(grid, 0, heads - 1, "n");
    for (int i = 0; i < l->column_count; i++) {
        const struct printed_column *const p = &l->columns[i];
        const char *const name = printed_column_name(l, p), *const unit = unit_of(p);
        const char *const before =
            unit[0] != '\0'   ? internf("%s (%s), ", name[0] != '\0' ? name : p->metric, unit)
            : name[0] != '\0' ? internf("%s, ", name)
                              : "";
        const bool two = p->second[0] != '\0';
        grid_put(grid, 0, at++,
                 internf("%s%s", before,
                         two ? internf("printed, %s", machine_of(p->first)) : "printed"));
        if (two)
            grid_put(grid, 0, at++, internf("%sprinted, %s", before, machine_of(p->second)));
        for (int k = 0; k < l->run_count; k++)
            grid_put(grid, 0, at++, internf("%s%s", before, l->runs[k].name));
    }
}

bool printed_table(const struct exhibit *const *exhibits, int count, const char *of,
                   const struct shown_run *runs, int run_count, struct grid *grid)
{
    struct printed_layout l = {.runs = runs, .run_count = run_count};
    bool cases = false;
    int columns = 0;
    for (int e = 0; e < count; e++)
        for (int k = 0; k < run_count; k++)
            for (size_t i = 0; i < runs[k].all->count; i++) {
                const struct cell *const c = &runs[k].all->cells[i];
                if (c->exhibit != exhibits[e] || c->printed.digits[0] == '\0' ||
                    (of != NULL && strcmp(of, c->key.of) != 0))
                    continue;
                take_column(&l, c);
                take_row(&l, c);
            }
    for (int i = 0; i < l.column_count; i++)
        columns += 1 + (l.columns[i].second[0] != '\0') + run_count;
    for (int i = 1; i < l.row_count; i++)
        cases = cases || l.rows[i].of != l.rows[0].of;
    if (l.row_count > 0) {
        const int heads = 1 + cases;
        grid_make(grid, 1 + l.row_count, heads + columns);
        grid->texts = grid->heads = heads;
        printed_heads(&l, grid, heads);
        for (int i = 0; i < l.row_count; i++) {
            if (cases) /* rows of a case belong together */
                grid_put(grid, 1 + i, 0,
                         i > 0 && l.rows[i - 1].of == l.rows[i].of ? "" : l.rows[i].of);
            grid_put(grid, 1 + i, heads - 1, l.rows[i].n);
            printed_columns_of_row(&l, grid, 1 + i, heads);
        }
    }
    free(l.columns);
    free(l.rows);
    return l.row_count > 0;
}

static bool as_printed(const struct layout *l, struct grid *grid)
{
    const struct shown_run run = {"here", "", l->all};
    return printed_table(&l->exhibit, 1, l->of, &run, 1, grid);
}

int case_tables(const struct verdicts *all, const struct exhibit *e, const char *of,
                struct titled_grid out[MOST_TABLES])
{
    struct layout l;
    int count = 0;
    layout_make(&l, all, e, of);
    for (int i = 0; i < MOST_TABLES; i++)
        out[i].detail = false;
    if (l.n_count > 0) {
        const bool printed = as_printed(&l, &out[count].grid);
        if (printed)
            out[count++].title = internf("%s, %s, %s, as printed", e->where, e->id, of);
        if (main_table(&l, &out[count].grid)) {
            out[count].detail = printed;
            out[count++].title = table_title(e, of);
        }
        if (speedup_table(&l, &out[count].grid))
            out[count++].title = "Speed-up of the device's variants";
        const char *const other = other_metric(&l);
        if (other != NULL) {
            other_table(&l, other, &out[count].grid);
            out[count++].title = internf("Printed beside them, and reproduced: %s", other);
        }
        if (parts_table(&l, &out[count].grid))
            out[count++].title = "Parts of the time, in s";
    }
    layout_free(&l);
    return count;
}
