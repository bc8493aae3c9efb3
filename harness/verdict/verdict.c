/*
 * Measured beside published: one cell for every printed number and for every number of ours in the
 * same exhibits, its verdict, and the outcome of the paper's claims. Numbers that must agree get a
 * verdict; times get a ratio and never pass or fail.
 */
#include "verdict/verdict.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"

const char *const verdict_names[] = {"SAME",     "CLOSE",       "EXPLAINED",   "DIFFERS",
                                     "compared", "not printed", "NOT MEASURED"};

double printed_resolution(const char *printed)
{
    const char *exponent = strpbrk(printed, "eE");
    const size_t mantissa = exponent != NULL ? (size_t)(exponent - printed) : strlen(printed);
    const char *point = memchr(printed, '.', mantissa);
    const int decimals = point != NULL ? (int)(printed + mantissa - point - 1) : 0;
    const int power = exponent != NULL ? atoi(exponent + 1) : 0;
    return 0.5 * pow(10, power - decimals);
}

enum verdict judge_cell(const struct paper *paper, const char *path, const char *printed,
                        double reproduced, const char **id, char *note, size_t size)
{
    double published;
    *id = "";
    note[0] = '\0';
    if (!parse_number(printed, &published))
        return VERDICT_NOT_PRINTED;
    /* A hair more than half a unit: the printed string itself is rounded to double. */
    if (fabs(reproduced - published) <= printed_resolution(printed) * (1 + 1e-9))
        return VERDICT_SAME;
    const double difference = fabs(reproduced / published - 1);
    for (const struct closeness *c = closeness_of(paper); c->applies_to != NULL; c++)
        if (fnmatch(c->applies_to, path, 0) == 0) {
            if (difference <= c->tolerance) {
                snprintf(note, size, "off by %.2g, allowed %.2g: %s", difference, c->tolerance,
                         c->why);
                return VERDICT_CLOSE;
            }
            break;
        }
    for (const struct correction *c = corrections_of(paper); c->applies_to != NULL; c++)
        if (fnmatch(c->applies_to, path, 0) == 0 && reproduced >= c->least &&
            reproduced <= c->most) {
            *id = c->erratum;
            snprintf(note, size, "%.3g of the printed value; a correct program gives %.2e to %.2e",
                     reproduced / published, c->least, c->most);
            return VERDICT_EXPLAINED;
        }
    snprintf(note, size, "%.3g of the printed value", reproduced / published);
    return VERDICT_DIFFERS;
}

static const struct csv_row *find_row(const struct csv *csv, const char *const *key)
{
    static const int columns[] = {0, 1, 2, 3, 5, 6, 7}; /* all of the key but the hardware */
    for (size_t i = 0; i < csv_rows(csv); i++) {
        const struct csv_row *row = csv_row(csv, i);
        bool same = true;
        for (size_t k = 0; k < sizeof columns / sizeof *columns && same; k++)
            same = strcmp(row->field[columns[k]], key[k]) == 0;
        if (same)
            return row;
    }
    return NULL;
}

double measured_value(const struct comparison *all, const char *exhibit, const char *of,
                      const char *variant, const char *precision, const char *n, const char *metric,
                      const char *statistic)
{
    const char *const key[] = {exhibit, of, variant, precision, n, metric, statistic};
    const struct csv_row *row = find_row(all->measured, key);
    double value = NAN;
    if (row != NULL)
        (void)parse_number(row->field[8], &value);
    return value;
}

const char *measured_status(const struct comparison *all, const char *exhibit, const char *of,
                            const char *variant, const char *precision, const char *n)
{
    const char *const key[] = {exhibit, of, variant, precision, n, "status", "value"};
    const struct csv_row *row = find_row(all->measured, key);
    return row != NULL ? row->field[10] : NULL;
}

bool exhibit_in_run(const struct comparison *all, const struct exhibit *exhibit)
{
    const char *id = exhibit->view_of != NULL ? exhibit->view_of : exhibit->id;
    return word_in(facts_get(&all->facts, "exhibits"), id, ' ');
}

static struct cell *new_cell(struct comparison *all)
{
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 128;
        all->cells = realloc(all->cells, all->capacity * sizeof *all->cells);
        if (all->cells == NULL)
            abort(); /* a few kilobytes */
    }
    struct cell *cell = &all->cells[all->count++];
    *cell = (struct cell){.published = NAN,
                          .second = {.published = NAN},
                          .reproduced = NAN,
                          .ci_lo = NAN,
                          .ci_hi = NAN,
                          .fraction = NAN,
                          .id = ""};
    return cell;
}

const struct cell *find_cell(const struct comparison *all, const struct exhibit *exhibit,
                             const char *of, const char *variant, const char *precision,
                             const char *n, const char *metric)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        if (c->exhibit == exhibit && strcmp(c->of, of) == 0 && strcmp(c->variant, variant) == 0 &&
            strcmp(c->n, n) == 0 && strcmp(c->metric, metric) == 0 &&
            (precision == NULL || strcmp(c->precision, precision) == 0))
            return c;
    }
    return NULL;
}

static void cell_path(const struct cell *cell, char *out, size_t size)
{
    snprintf(out, size, "%s/%s/%s/%s/%s", cell->exhibit->id, cell->of, cell->variant,
             cell->precision, cell->n);
}

/* A printed number that contradicts the paper itself is marked wherever it stands. */
static void mark_void(struct cell *cell)
{
    char path[256];
    cell_path(cell, path, sizeof path);
    for (const struct erratum *e = errata_of(cell->paper); e->id != NULL && cell->id[0] == '\0';
         e++)
        if (e->effect == VOIDS && e->applies_to != NULL &&
            fnmatch(e->applies_to, path, FNM_EXTMATCH) == 0)
            cell->id = e->id;
}

static bool status_is_good(const char *status)
{
    return strcmp(status, "ok") == 0 || strcmp(status, "quick") == 0 ||
           strcmp(status, "emulated") == 0;
}

static const char order_of[] = "order_";

static bool is_order(const char *metric)
{
    return strncmp(metric, order_of, strlen(order_of)) == 0;
}

/* Of the metric in the mesh width, from the next smaller size that was measured; NaN: none was. */
static double measured_order(const struct comparison *all, const struct cell *cell)
{
    const char *id = source_exhibit(cell->exhibit)->id, *metric = cell->metric + strlen(order_of);
    const double n = strtod(cell->n, NULL);
    const char *before = NULL;
    for (size_t i = 0; i < csv_rows(all->measured); i++) {
        char *const *f = csv_row(all->measured, i)->field;
        const double size = strtod(f[5], NULL);
        const bool fits = strcmp(f[0], id) == 0 && strcmp(f[1], cell->of) == 0 &&
                          strcmp(f[2], cell->variant) == 0 && strcmp(f[3], cell->precision) == 0 &&
                          strcmp(f[6], metric) == 0;
        if (fits && size < n && (before == NULL || size > strtod(before, NULL)))
            before = f[5];
    }
    if (before == NULL)
        return NAN;
    double ratio[2]; /* of the errors and of the mesh widths */
    const char *const metrics[] = {metric, "h"};
    for (int k = 0; k < 2; k++)
        ratio[k] = measured_value(all, id, cell->of, cell->variant, cell->precision, before,
                                  metrics[k], "value") /
                   measured_value(all, id, cell->of, cell->variant, cell->precision, cell->n,
                                  metrics[k], "value");
    return log(ratio[0]) / log(ratio[1]);
}

static void judge_one(const struct comparison *all, struct cell *cell)
{
    char path[256];
    const char *id = source_exhibit(cell->exhibit)->id;
    cell_path(cell, path, sizeof path);
    cell->reproduced = is_order(cell->metric)
                           ? measured_order(all, cell)
                           : measured_value(all, id, cell->of, cell->variant, cell->precision,
                                            cell->n, cell->metric, "value");
    const char *status =
        measured_status(all, id, cell->of, cell->variant, cell->precision, cell->n);
    const struct reach *reach = left_out(source_exhibit(cell->exhibit), cell->of, cell->variant,
                                         cell->precision, strtol(cell->n, NULL, 10));
    const bool good = status != NULL && status_is_good(status);
    const bool timed =
        strcmp(cell->metric, cell->exhibit->metric) == 0 && exhibit_is_timed(cell->exhibit);
    if (!good || isnan(cell->reproduced)) {
        cell->verdict = VERDICT_NOT_MEASURED;
        cell->left_out = status == NULL && reach != NULL;
        cell->reproduced = NAN; /* a number of a failed job is not shown */
        snprintf(cell->note, sizeof cell->note, "%s",
                 cell->left_out                   ? reach->why
                 : status == NULL                 ? "not in this run, or not finished"
                 : good && is_order(cell->metric) ? "no smaller size to take the order from"
                 : good                           ? "no time: the device is emulated"
                                                  : status);
    } else {
        if (timed) {
            cell->ci_lo = measured_value(all, id, cell->of, cell->variant, cell->precision, cell->n,
                                         cell->metric, "ci_lo");
            cell->ci_hi = measured_value(all, id, cell->of, cell->variant, cell->precision, cell->n,
                                         cell->metric, "ci_hi");
            cell->fraction = measured_value(all, id, cell->of, cell->variant, cell->precision,
                                            cell->n, "fraction", "value");
        }
        if (isnan(cell->published))
            cell->verdict = VERDICT_NOT_PRINTED;
        else if (timed || cell->exhibit->of_machine)
            cell->verdict = VERDICT_COMPARED;
        else
            cell->verdict = judge_cell(cell->paper, path, cell->printed, cell->reproduced,
                                       &cell->id, cell->note, sizeof cell->note);
        if (timed && strcmp(status, "quick") == 0)
            snprintf(cell->note, sizeof cell->note, "quick");
    }
    mark_void(cell);
}

/* The measured row of a variant that a speed-up compares: in the same precision, or in the only one
 * that the variant has. Null, and the cell says why, if it has no time. */
static const struct csv_row *speedup_side(const struct comparison *all, struct cell *cell,
                                          const char *variant)
{
    const struct exhibit *e = cell->exhibit;
    const struct family *family = find_family(e->family);
    const struct variant *v = find_variant(family, variant, cell->precision);
    if (v == NULL)
        v = find_variant(family, variant, NULL);
    const char *precision = v != NULL ? precision_name(v->precision) : "";
    const char *id = source_exhibit(e)->id;
    const char *const key[] = {id, cell->of, variant, precision, cell->n, "time", "value"};
    const struct csv_row *row = find_row(all->measured, key);
    const char *status = measured_status(all, id, cell->of, variant, precision, cell->n);
    const struct reach *reach =
        left_out(source_exhibit(e), cell->of, variant, precision, strtol(cell->n, NULL, 10));
    cell->left_out = cell->left_out || (status == NULL && reach != NULL);
    if (row == NULL)
        snprintf(cell->note, sizeof cell->note, "%s",
                 status == NULL && reach != NULL ? reach->why
                 : status == NULL                ? "not in this run, or not finished"
                 : status_is_good(status)        ? "no time: the device is emulated"
                                                 : status);
    return row;
}

static double half_interval(const struct comparison *all, const struct csv_row *row)
{
    char *const *f = row->field;
    return log(measured_value(all, f[0], f[1], f[2], f[3], f[5], "time", "ci_hi") /
               measured_value(all, f[0], f[1], f[2], f[3], f[5], "time", "ci_lo")) /
           2;
}

/* The cell's variant is "A/B": ours is the time of B over that of A, with the interval of both. */
static void judge_speedup(const struct comparison *all, struct cell *cell)
{
    char left[sizeof cell->variant];
    snprintf(left, sizeof left, "%s", cell->variant);
    char *slash = strchr(left, '/');
    const struct csv_row *ours = NULL, *theirs = NULL;
    cell->verdict = VERDICT_NOT_MEASURED;
    if (slash != NULL) {
        *slash = '\0';
        theirs = speedup_side(all, cell, slash + 1);
        ours = speedup_side(all, cell, left);
    }
    if (ours != NULL && theirs != NULL) {
        const double half = hypot(half_interval(all, ours), half_interval(all, theirs));
        cell->note[0] = '\0';
        cell->reproduced = strtod(theirs->field[8], NULL) / strtod(ours->field[8], NULL);
        cell->ci_lo = cell->reproduced * exp(-half);
        cell->ci_hi = cell->reproduced * exp(half);
        cell->verdict = isnan(cell->published) ? VERDICT_NOT_PRINTED : VERDICT_COMPARED;
    }
    mark_void(cell);
}

static bool in_names(const char *const *names, const char *name)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Both sides of "A/B" are variants of the exhibit. */
static bool is_speedup_of(const struct exhibit *e, const char *ratio)
{
    char left[48];
    snprintf(left, sizeof left, "%s", ratio);
    char *slash = strchr(left, '/');
    if (slash != NULL)
        *slash = '\0';
    const char *const *ids = exhibit_variants(e);
    return slash != NULL && in_names(ids, left) && in_names(ids, slash + 1);
}

double summarise(const char *statistic, const double *values, int count)
{
    double least = INFINITY, most = -INFINITY, sum = 0;
    for (int i = 0; i < count; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
        sum += values[i];
    }
    return strcmp(statistic, "min") == 0   ? least
           : strcmp(statistic, "max") == 0 ? most
                                           : sum / count;
}

/* A cell whose n is "mean 1500-4000": over the speed-ups of all those sizes, if all are there. */
static void judge_summary(const struct comparison *all, struct cell *cell)
{
    long sizes[64];
    double values[64];
    int count = 0;
    char statistic[8];
    struct cell one = *cell;
    (void)expand_axis(cell->exhibit->over, sizes, 64, &count);
    snprintf(statistic, sizeof statistic, "%.*s", (int)strcspn(cell->n, " "), cell->n);
    for (int k = 0; k < count; k++) {
        snprintf(one.n, sizeof one.n, "%ld", sizes[k]);
        one.reproduced = NAN;
        judge_speedup(all, &one);
        if (one.verdict == VERDICT_NOT_MEASURED) {
            cell->verdict = VERDICT_NOT_MEASURED;
            cell->left_out = one.left_out;
            snprintf(cell->note, sizeof cell->note, "%s", one.note);
            return;
        }
        values[k] = one.reproduced;
    }
    cell->reproduced = summarise(statistic, values, count);
    cell->verdict = isnan(cell->published) ? VERDICT_NOT_PRINTED : VERDICT_COMPARED;
    mark_void(cell);
}

static void judge_cell_of(const struct comparison *all, struct cell *cell)
{
    if (strcmp(cell->metric, "speedup") != 0)
        judge_one(all, cell);
    else if (cell->exhibit->over != NULL)
        judge_summary(all, cell);
    else
        judge_speedup(all, cell);
}

/* The cell of that key, a new one if it is not there. */
static struct cell *cell_of(struct comparison *all, const struct paper *paper,
                            const struct exhibit *e, const char *of, const char *variant,
                            const char *precision, const char *n, const char *metric)
{
    struct cell *cell =
        (struct cell *)find_cell(all, e, of, variant, precision, n, metric); /* ours to change */
    if (cell != NULL)
        return cell;
    cell = new_cell(all);
    cell->paper = paper;
    cell->exhibit = e;
    snprintf(cell->of, sizeof cell->of, "%s", of);
    snprintf(cell->variant, sizeof cell->variant, "%s", variant);
    snprintf(cell->precision, sizeof cell->precision, "%s", precision);
    snprintf(cell->n, sizeof cell->n, "%s", n);
    snprintf(cell->metric, sizeof cell->metric, "%s", metric);
    return cell;
}

double unit_scale(const char *unit)
{
    static const struct {
        const char *unit;
        double scale;
    } units[] = {{"Mpts/s", 1e6}, {"Gflops", 1e9}, {"Mflops", 1e6}, {"GB/s", 1e9}, {"ms", 1e-3}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].unit, unit) == 0)
            return units[i].scale;
    return 1;
}

static bool shows(const struct exhibit *e, const char *of, const char *variant,
                  const char *precision, const char *metric)
{
    bool known = false;
    for (const struct exhibit_case *c = exhibit_cases(e); c->id != NULL; c++)
        known = known || strcmp(c->id, of) == 0;
    const bool inner = strcmp(e->metric, "speedup") != 0 && strcmp(metric, "speedup") == 0;
    return known && (inner ? is_speedup_of(e, variant) : in_names(exhibit_variants(e), variant)) &&
           (e->precision == NULL || strcmp(e->precision, precision) == 0);
}

/* Cells with what is printed; one of several machines on which the same was printed comes second.
 */
static void printed_cells(struct comparison *all, const struct paper *paper,
                          const struct exhibit *e, const struct csv *published)
{
    const char *id = e->published != NULL ? e->published : e->id;
    for (size_t i = 0; i < csv_rows(published); i++) {
        const struct csv_row *row = csv_row(published, i);
        char *const *f = row->field;
        const bool summary = e->over != NULL; /* the statistic stands before n */
        char n[sizeof all->cells->n];
        if (strcmp(f[0], id) != 0 || !shows(e, f[1], f[2], f[3], f[6]))
            continue;
        snprintf(n, sizeof n, "%s%s%s", summary ? f[7] : "", summary ? " " : "", f[5]);
        struct cell *cell = cell_of(all, paper, e, f[1], f[2], f[3], n, f[6]);
        double value = NAN;
        if (parse_number(f[8], &value))
            value *= unit_scale(f[9]);
        const bool first = cell->printed[0] == '\0';
        snprintf(first ? cell->printed : cell->second.printed, sizeof cell->printed, "%s", f[8]);
        snprintf(first ? cell->hardware : cell->second.hardware, sizeof cell->hardware, "%s", f[4]);
        if (first)
            cell->published = value;
        else
            cell->second.published = value;
    }
}

/* Cells "mean 1500-4000" of all variants in all cases, printed or not. */
static void summary_cells(struct comparison *all, const struct paper *paper,
                          const struct exhibit *e)
{
    static const char *const statistics[] = {"mean", "min", "max"};
    long sizes[64];
    int count = 0;
    char n[sizeof all->cells->n];
    const char *const *ids = exhibit_variants(e);
    (void)expand_axis(e->over, sizes, 64, &count);
    for (const struct exhibit_case *of = exhibit_cases(e); of->id != NULL; of++)
        for (int v = 0; ids[v] != NULL; v++)
            for (int p = SINGLE; p <= MIXED; p++)
                for (int k = 0; k < 3; k++) {
                    const char *precision = precision_name((enum precision)p);
                    char left[48];
                    snprintf(left, sizeof left, "%.*s", (int)strcspn(ids[v], "/"), ids[v]);
                    if (!shows(e, of->id, ids[v], precision, e->metric) ||
                        find_variant(find_family(e->family), left, precision) == NULL)
                        continue;
                    snprintf(n, sizeof n, "%s %ld-%ld", statistics[k], sizes[0], sizes[count - 1]);
                    (void)cell_of(all, paper, e, of->id, ids[v], precision, n, e->metric);
                }
}

/* Cells of what was measured, printed or not. */
static void measured_cells(struct comparison *all, const struct paper *paper,
                           const struct exhibit *e)
{
    const char *id = source_exhibit(e)->id, *const *ids = exhibit_variants(e);
    for (int v = 0; ids[v] != NULL; v++) {
        const size_t left = strcspn(ids[v], "/"); /* of a ratio: where A was tried */
        for (size_t i = 0; i < csv_rows(all->measured); i++) {
            char *const *f = csv_row(all->measured, i)->field;
            if (strcmp(f[0], id) != 0 || strcmp(f[6], "status") != 0 || strlen(f[2]) != left ||
                strncmp(f[2], ids[v], left) != 0 || !shows(e, f[1], ids[v], f[3], e->metric))
                continue;
            (void)cell_of(all, paper, e, f[1], ids[v], f[3], f[5], e->metric);
        }
    }
}

static void exhibit_cells(struct comparison *all, const struct paper *paper,
                          const struct exhibit *e, const struct csv *published)
{
    const size_t first = all->count;
    printed_cells(all, paper, e, published);
    if (e->over != NULL)
        summary_cells(all, paper, e);
    else
        measured_cells(all, paper, e);
    for (size_t i = first; i < all->count; i++)
        judge_cell_of(all, &all->cells[i]);
    size_t kept = first; /* the order of the smallest size is no gap */
    for (size_t i = first; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        if (!(is_order(c->metric) && isnan(c->reproduced) && isnan(c->published)))
            all->cells[kept++] = *c;
    }
    all->count = kept;
}

/* --- claims --- */

enum { IN_PRINT, HERE };

struct quantity { /* what a claim speaks of, in one cell, with its interval */
    double value, least, most;
};

static struct quantity cell_quantity(const struct cell *cell, const char *hardware, int where)
{
    const double value = where == HERE ? cell->reproduced
                         : hardware != NULL && strcmp(cell->second.hardware, hardware) == 0
                             ? cell->second.published
                             : cell->published;
    const bool interval = where == HERE && !isnan(cell->ci_lo);
    return (struct quantity){value, interval ? cell->ci_lo : value, interval ? cell->ci_hi : value};
}

/* Sizes that the paper has not say nothing about its claims. */
static bool size_of_paper(const struct exhibit *e, const char *n)
{
    long sizes[64];
    int count = 0;
    bool any = false;
    if (e->over != NULL)
        return true;
    if (expand_axis(source_exhibit(e)->axis.paper, sizes, 64, &count) != OK)
        return false;
    for (int i = 0; i < count; i++)
        any = any || sizes[i] == strtol(n, NULL, 10);
    return any;
}

/* False: the claim does not speak of this cell, or it has no value. */
static bool claim_quantity(const struct comparison *all, const struct claim *claim,
                           const struct cell *left, int where, struct quantity *out)
{
    char path[256];
    cell_path(left, path, sizeof path);
    if (strcmp(left->variant, claim->left) != 0 || strcmp(left->metric, claim->metric) != 0 ||
        left->exhibit->published != NULL || strtod(left->n, NULL) < claim->from_n ||
        !glob_matches(claim->cells, path) || !size_of_paper(left->exhibit, left->n))
        return false;
    const struct quantity l = cell_quantity(left, claim->hardware, where);
    *out = l;
    if (claim->right != NULL) {
        const struct cell *right = find_cell(all, left->exhibit, left->of, claim->right,
                                             left->precision, left->n, claim->metric);
        if (right == NULL)
            right =
                find_cell(all, left->exhibit, left->of, claim->right, NULL, left->n, claim->metric);
        if (right == NULL)
            return false;
        const struct quantity r = cell_quantity(right, claim->hardware, where);
        *out = (struct quantity){r.value / l.value, r.least / l.most, r.most / l.least};
    }
    return l.value > 0 && out->value > 0;
}

static int case_number(const struct cell *cell)
{
    const struct exhibit_case *cases = exhibit_cases(cell->exhibit);
    int i = 0;
    while (cases[i].id != NULL && strcmp(cases[i].id, cell->of) != 0)
        i++;
    return i;
}

/* The quantity one step before along n or along the cases. */
static bool previous_quantity(const struct comparison *all, const struct claim *claim,
                              const struct cell *cell, int where, bool along_n,
                              struct quantity *out)
{
    double nearest_step = -INFINITY;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        const bool same_case = strcmp(c->of, cell->of) == 0, same_n = strcmp(c->n, cell->n) == 0;
        struct quantity q;
        if (c->exhibit != cell->exhibit || strcmp(c->precision, cell->precision) != 0 ||
            !(along_n ? same_case : same_n) || !claim_quantity(all, claim, c, where, &q))
            continue;
        const double step = along_n ? strtod(c->n, NULL) - strtod(cell->n, NULL)
                                    : case_number(c) - case_number(cell);
        if (step < 0 && step > nearest_step) {
            nearest_step = step;
            *out = q;
        }
    }
    return nearest_step < 0 && !isinf(nearest_step);
}

/* Asked of the cell in the case that should be the largest: +1, 0 within the intervals, -1. */
static int largest_in_case(const struct comparison *all, const struct claim *claim,
                           const struct cell *cell, int where, const struct quantity *mine)
{
    int holds = 1;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        struct quantity q;
        if (c == cell || c->exhibit != cell->exhibit || strcmp(c->n, cell->n) != 0 ||
            strcmp(c->precision, cell->precision) != 0 ||
            !claim_quantity(all, claim, c, where, &q) || mine->value >= q.value)
            continue;
        const int here = mine->most >= q.least ? 0 : -1;
        holds = here < holds ? here : holds;
    }
    return holds;
}

/* +1 holds, -1 reversed, 0 tied: the intervals overlap. False: the cell has nothing to compare. */
static bool claim_holds(const struct comparison *all, const struct claim *claim,
                        const struct cell *cell, int where, const struct quantity *q, int *holds)
{
    const enum predicate p = claim->predicate;
    struct quantity before = {NAN, NAN, NAN};
    switch (p) {
    case BELOW:
        *holds = q->least > 1 ? 1 : q->most < 1 ? -1 : 0;
        return true;
    case WITHIN:
        *holds = q->value >= claim->least && q->value <= claim->most ? 1 : -1;
        return true;
    case REACHES:
        *holds = q->value >= claim->least ? 1 : -1;
        return true;
    case GROWS_WITH_N:
    case FALLS_WITH_N:
    case GROWS_WITH_CASE:
    case FALLS_WITH_CASE:
        if (!previous_quantity(all, claim, cell, where, p == GROWS_WITH_N || p == FALLS_WITH_N,
                               &before))
            return false;
        if (p == GROWS_WITH_N || p == GROWS_WITH_CASE)
            *holds = q->value > before.value ? 1 : -1;
        else
            *holds = q->value < before.value ? 1 : -1;
        return true;
    case LARGEST_IN_CASE:
        *holds = largest_in_case(all, claim, cell, where, q);
        return strcmp(cell->of, claim->best) == 0;
    }
    return false;
}

static void judge_claim(const struct comparison *all, struct outcome *outcome, int where)
{
    const struct claim *claim = outcome->claim;
    int ties = 0;
    outcome->largest[where] = NAN;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *cell = &all->cells[i];
        struct quantity q;
        int holds;
        if (cell->paper != outcome->paper || !claim_quantity(all, claim, cell, where, &q))
            continue;
        outcome->largest[where] = fmax(outcome->largest[where], q.value);
        if (!claim_holds(all, claim, cell, where, &q, &holds))
            continue;
        outcome->cells[where]++;
        outcome->holds[where] += holds > 0;
        ties += holds == 0;
    }
    const int cells = outcome->cells[where], holds = outcome->holds[where];
    const bool reached = claim->predicate == REACHES && holds > 0;
    snprintf(outcome->verdict[where], sizeof outcome->verdict[where], "%s",
             cells == 0                  ? where == IN_PRINT ? "NOT PRINTED" : "NOT MEASURED"
             : reached || holds == cells ? "HOLDS"
             : holds + ties == cells     ? "TIED"
             : holds == 0                ? "REVERSED"
                                         : "PARTLY");
}

/* Some cell of the run could bear it out or not. */
static bool speaks_of_run(const struct comparison *all, const struct paper *paper,
                          const struct claim *claim)
{
    for (size_t i = 0; i < all->count; i++) {
        char path[256];
        cell_path(&all->cells[i], path, sizeof path);
        if (all->cells[i].paper == paper && strcmp(all->cells[i].variant, claim->left) == 0 &&
            glob_matches(claim->cells, path))
            return true;
    }
    return false;
}

static void judge_claims(struct comparison *all)
{
    size_t count = 0;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct claim *c = claims_of(papers[i]); c->id != NULL; c++)
            count++;
    all->claims = calloc(count + 1, sizeof *all->claims);
    for (int i = 0; papers[i] != NULL && all->claims != NULL; i++)
        for (const struct claim *c = claims_of(papers[i]); c->id != NULL; c++) {
            if (!speaks_of_run(all, papers[i], c))
                continue;
            struct outcome *outcome = &all->claims[all->claim_count++];
            outcome->claim = c;
            outcome->paper = papers[i];
            judge_claim(all, outcome, IN_PRINT);
            judge_claim(all, outcome, HERE);
        }
}

bool erratum_applied(const struct comparison *all, const struct paper *paper,
                     const struct erratum *erratum)
{
    char path[256];
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *cell = &all->cells[i];
        if (cell->paper != paper)
            continue;
        if (strcmp(cell->id, erratum->id) == 0)
            return true;
        cell_path(cell, path, sizeof path);
        if (erratum->effect == ASSUMPTION && erratum->applies_to != NULL &&
            cell->verdict != VERDICT_NOT_MEASURED &&
            fnmatch(erratum->applies_to, path, FNM_EXTMATCH) == 0)
            return true;
    }
    for (size_t i = 0; i < all->claim_count; i++)
        if (all->claims[i].paper == paper && all->claims[i].claim->erratum != NULL &&
            strcmp(all->claims[i].claim->erratum, erratum->id) == 0)
            return true;
    return false;
}

static int claims_that(const struct comparison *all, const char *verdict)
{
    int count = 0;
    for (size_t i = 0; all->claims != NULL && i < all->claim_count; i++)
        count += strcmp(all->claims[i].verdict[HERE], verdict) == 0;
    return count;
}

static void conclude(struct comparison *all)
{
    const int missing = all->of[VERDICT_NOT_MEASURED] - all->left_out;
    const int differs = all->of[VERDICT_DIFFERS];
    const int checked =
        all->of[VERDICT_SAME] + all->of[VERDICT_CLOSE] + all->of[VERDICT_EXPLAINED] + differs;
    const int unheard = claims_that(all, "NOT MEASURED");
    const bool gpu = strcmp(facts_get(&all->facts, "device"), "cuda") == 0 &&
                     facts_get(&all->facts, "gpu_name")[0] != '\0';
    const bool paper_sizes = strcmp(facts_get(&all->facts, "size"), "paper") == 0;
    const bool nothing =
        checked + all->of[VERDICT_COMPARED] == 0 && unheard == (int)all->claim_count;
    char counts[160], beside[240] = "", what[440];
    int used = 0;
    snprintf(counts, sizeof counts, "%d same, %d close, %d explained, %d differ",
             all->of[VERDICT_SAME], all->of[VERDICT_CLOSE], all->of[VERDICT_EXPLAINED], differs);
    if (all->left_out > 0)
        used = snprintf(beside, sizeof beside, "; %d would take too long", all->left_out);
    if (all->claim_count > 0)
        snprintf(beside + used, sizeof beside - used,
                 "; of %zu claims %d hold, %d partly, %d tied, %d reversed", all->claim_count,
                 claims_that(all, "HOLDS"), claims_that(all, "PARTLY"), claims_that(all, "TIED"),
                 claims_that(all, "REVERSED"));
    const char *why = gpu           ? paper_sizes ? "parts are missing" : "not all sizes"
                      : paper_sizes ? "no GPU"
                                    : "no GPU, not all sizes";
    if (all->printed > 0)
        snprintf(
            what, sizeof what,
            "%d of %d printed cells are accuracy and were checked: %s; %d times were compared; "
            "%d cells were not measured",
            checked, all->printed, counts, all->of[VERDICT_COMPARED], missing);
    else
        snprintf(what, sizeof what, "the paper prints no numbers of these exhibits");
    if (nothing)
        snprintf(all->last_line, sizeof all->last_line,
                 "INCOMPLETE (%snothing that the papers print was measured%s)",
                 gpu ? "" : "no GPU: ", all->failed > 0 ? "; jobs failed" : "");
    else if (missing > 0 || unheard > 0 || all->failed > 0 || (all->printed == 0 && !paper_sizes))
        snprintf(all->last_line, sizeof all->last_line, "INCOMPLETE (%s: %s%s%s)", why, what,
                 beside, all->failed > 0 ? "; jobs failed" : "");
    else if (differs > 0)
        snprintf(all->last_line, sizeof all->last_line,
                 "REPRODUCED WITH %d DIFFERENCE%s (%s; %d times compared%s)", differs,
                 differs == 1 ? "" : "S", counts, all->of[VERDICT_COMPARED], beside);
    else if (all->printed > 0)
        snprintf(all->last_line, sizeof all->last_line, "REPRODUCED (%s; %d times compared%s)",
                 counts, all->of[VERDICT_COMPARED], beside);
    else
        snprintf(all->last_line, sizeof all->last_line, "REPRODUCED (%s%s)", what, beside);
}

enum status compare_load(const char *folder, const struct selection *selection,
                         struct comparison *out)
{
    char path[1024];
    *out = (struct comparison){0};
    enum status status = facts_load(folder, &out->facts);
    snprintf(path, sizeof path, "%s/measured.csv", folder);
    if (status == OK)
        status = csv_load(path, measured_header, &out->measured);
    for (int i = 0; papers[i] != NULL && status == OK; i++) {
        struct csv *published = NULL;
        status = csv_parse(published_of(papers[i]), papers[i]->id, &published);
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL && status == OK; e++)
            if (exhibit_in_run(out, e))
                exhibit_cells(out, papers[i], e, published);
        csv_free(published);
    }
    if (status != OK) {
        compare_free(out);
        return status;
    }
    /* Afterwards, because a speed-up needs the times of cells that may not be asked for. */
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++) {
        cell_path(&out->cells[i], path, sizeof path);
        if (selection == NULL || path_selected(selection, path))
            out->cells[kept++] = out->cells[i];
    }
    out->count = kept;
    if (out->count == 0) {
        compare_free(out);
        return because(ERR_ARGS, "%s has no cell of what was asked for", folder);
    }
    judge_claims(out);
    for (size_t i = 0; i < out->count; i++) {
        const struct cell *cell = &out->cells[i];
        /* An exhibit that repeats printed cells under other assumptions does not count them twice,
         * but a difference there is never passed over. */
        if (cell->exhibit->published != NULL && cell->verdict != VERDICT_DIFFERS)
            continue;
        const bool printed = !isnan(cell->published);
        out->printed += printed;
        out->left_out += printed && cell->left_out;
        out->of[cell->verdict] += printed || cell->verdict == VERDICT_NOT_PRINTED;
    }
    for (size_t i = 0; i < csv_rows(out->measured); i++) {
        const struct csv_row *row = csv_row(out->measured, i);
        const char *note = row->field[10];
        out->failed += strcmp(row->field[6], "status") == 0 && strcmp(note, "ok") != 0 &&
                       strcmp(note, "quick") != 0 && strcmp(note, "emulated") != 0 &&
                       strncmp(note, "skipped", 7) != 0;
    }
    conclude(out);
    return OK;
}

void compare_free(struct comparison *comparison)
{
    csv_free(comparison->measured);
    free(comparison->cells);
    free(comparison->claims);
    comparison->measured = NULL;
    comparison->cells = NULL;
    comparison->claims = NULL;
}
