/*
 * The cells of an exhibit: one for every printed number and for every number of ours, with what was
 * measured and a verdict. Numbers that must agree get one of their own; times are compared, and
 * never pass or fail.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"
#include "run/catalogue.h"
#include "run/limits.h"
#include "verdict/verdict.h"

const char *const verdict_names[] = {"SAME",     "CLOSE",       "EXPLAINED",   "DIFFERS",
                                     "compared", "not printed", "NOT MEASURED"};

enum { MOST_SIZES = 64 }; /* as expand_axis() takes them from a paper's own lists */

/* --- numbers that must agree --- */

double printed_resolution(const char *printed)
{
    const char *exponent = strpbrk(printed, "eE");
    const size_t mantissa = exponent != NULL ? (size_t)(exponent - printed) : strlen(printed);
    const char *point = memchr(printed, '.', mantissa);
    const int decimals = point != NULL ? (int)(printed + mantissa - point - 1) : 0;
    const int power = exponent != NULL ? atoi(exponent + 1) : 0;
    return 0.5 * pow(10, power - decimals);
}

enum verdict verdict_on(const struct paper *paper, const struct key *key, const char *printed,
                        double reproduced, const char **id, const char **note)
{
    const char *const path = key_path(key);
    double published;
    *id = *note = "";
    if (!parse_number(printed, &published))
        return VERDICT_NOT_PRINTED;
    /* A hair more than half a unit: the printed string itself is rounded to double. */
    if (fabs(reproduced - published) <= printed_resolution(printed) * (1 + 1e-9))
        return VERDICT_SAME;
    const double difference = fabs(reproduced / published - 1);
    for (const struct closeness *c = closeness_of(paper); c->applies_to != NULL; c++)
        if (fnmatch(c->applies_to, path, 0) == 0) {
            if (difference <= c->tolerance) {
                *note = internf("off by %.2g, allowed %.2g: %s", difference, c->tolerance, c->why);
                return VERDICT_CLOSE;
            }
            break;
        }
    for (const struct correction *c = corrections_of(paper); c->applies_to != NULL; c++)
        if (fnmatch(c->applies_to, path, 0) == 0 && reproduced >= c->least &&
            reproduced <= c->most) {
            *id = c->erratum;
            *note = internf("%.3g of the printed value; a correct program gives %.2e to %.2e",
                            reproduced / published, c->least, c->most);
            return VERDICT_EXPLAINED;
        }
    *note = internf("%.3g of the printed value", reproduced / published);
    return VERDICT_DIFFERS;
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

/* --- cells by their keys --- */

bool exhibit_in_run(const struct folder *folder, const struct exhibit *exhibit)
{
    return fact_has(&folder->facts, "exhibits", source_exhibit(exhibit)->id);
}

const struct cell *find_cell(const struct verdicts *all, const struct exhibit *e,
                             const struct key *key, const char *metric)
{
    const char *const name = intern(metric);
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        if (c->exhibit == e && c->metric == name && c->key.of == key->of &&
            c->key.variant == key->variant && c->key.n == key->n &&
            (key->precision == NULL || c->key.precision == key->precision))
            return c;
    }
    return NULL;
}

struct key cell_job(const struct cell *cell)
{
    struct key job = cell->key;
    job.exhibit = intern(source_exhibit(cell->exhibit)->id);
    return job;
}

/* The cell of that key, a new one if it is not there. */
static struct cell *cell_of(struct verdicts *all, const struct paper *paper,
                            const struct exhibit *e, struct key key, const char *metric)
{
    static const struct printed nothing = {"", "", NAN};
    const struct cell *known = find_cell(all, e, &key, metric);
    if (known != NULL)
        return (struct cell *)known; /* ours to change */
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 128;
        all->cells = realloc(all->cells, all->capacity * sizeof *all->cells);
        if (all->cells == NULL)
            abort(); /* a few kilobytes */
    }
    struct cell *const cell = &all->cells[all->count++];
    key.exhibit = intern(e->id);
    *cell = (struct cell){paper, e,   key, intern(metric), nothing,   nothing, NAN,
                          NAN,   NAN, NAN, .id = "",       .note = ""};
    return cell;
}

/* --- what was measured of a cell --- */

/* A printed number that contradicts the paper itself is marked wherever it stands. */
static void mark_void(struct cell *cell)
{
    for (const struct erratum *e = errata_of(cell->paper); e->id != NULL && cell->id[0] == '\0';
         e++)
        if (e->effect == VOIDS && e->applies_to != NULL &&
            fnmatch(e->applies_to, key_path(&cell->key), FNM_EXTMATCH) == 0) {
            cell->id = e->id;
            cell->voided = true;
        }
}

/* The order of the metric in the mesh width, from the next smaller size that was measured; NaN:
 * none was. */
static double measured_order(const struct folder *folder, const struct cell *cell)
{
    const struct key job = cell_job(cell);
    const char *const metric = intern(metric_of_order(cell->metric));
    const double n = strtod(cell->key.n, NULL);
    struct key before = job;
    double size_before = -INFINITY;
    for (size_t i = 0; i < folder->row_count; i++) {
        const struct measurement *row = &folder->rows[i];
        const double size = strtod(row->key.n, NULL);
        if (key_same_method(&row->key, &job) && row->key.of == job.of && row->metric == metric &&
            size < n && size > size_before) {
            before = row->key;
            size_before = size;
        }
    }
    if (isinf(size_before))
        return NAN;
    const double errors = folder_value(folder, &before, metric, "value") /
                          folder_value(folder, &job, metric, "value");
    const double widths =
        folder_value(folder, &before, "h", "value") / folder_value(folder, &job, "h", "value");
    return log(errors) / log(widths);
}

/* Why a job that a cell speaks of gave it no number. */
static const char *why_not(const struct record *record, const struct reach *reach)
{
    return record == NULL && reach != NULL ? reach->why
           : record == NULL                ? "not in this run, or not finished"
           : good(record->state)           ? "no time: the device is emulated"
                                           : record->note;
}

static const struct reach *reach_of(const struct cell *cell, const struct key *job)
{
    return left_out(source_exhibit(cell->exhibit), job->of, job->variant, job->precision,
                    strtol(job->n, NULL, 10));
}

static bool is_order(const struct cell *cell)
{
    return metric_kind(cell->exhibit, cell->metric) == METRIC_ORDER;
}

static void decide_number(const struct folder *folder, struct cell *cell)
{
    const struct key job = cell_job(cell);
    const struct record *record = folder_record(folder, &job);
    const struct reach *reach = reach_of(cell, &job);
    const bool right = record != NULL && good(record->state);
    const bool timed =
        strcmp(cell->metric, cell->exhibit->metric) == 0 && exhibit_is_timed(cell->exhibit);
    const double value = is_order(cell) ? measured_order(folder, cell)
                                        : folder_value(folder, &job, cell->metric, "value");
    cell->state = record != NULL ? record->state : JOB_NONE;
    if (!right || isnan(value)) { /* a number of a failed job is not shown */
        cell->verdict = VERDICT_NOT_MEASURED;
        cell->left_out = record == NULL && reach != NULL;
        cell->note = right && is_order(cell) ? "no smaller size to take the order from"
                                             : why_not(record, reach);
        return;
    }
    cell->reproduced = value;
    if (timed) {
        cell->ci_lo = folder_value(folder, &job, cell->metric, "ci_lo");
        cell->ci_hi = folder_value(folder, &job, cell->metric, "ci_hi");
        cell->fraction = folder_value(folder, &job, "fraction", "value");
    }
    if (isnan(cell->printed.value))
        cell->verdict = VERDICT_NOT_PRINTED;
    else if (timed || cell->exhibit->of_machine)
        cell->verdict = VERDICT_COMPARED;
    else
        cell->verdict = verdict_on(cell->paper, &cell->key, cell->printed.digits, value, &cell->id,
                                   &cell->note);
    if (timed && record->state == JOB_QUICK)
        cell->note = "quick";
}

static struct key side_job(const struct cell *cell, const char *id)
{
    const struct variant *v =
        variant_like(find_family(cell->exhibit->family), id, cell->key.precision);
    struct key job = cell_job(cell);
    job.variant = intern(id);
    job.precision = intern(v != NULL ? precision_name(v->precision) : "");
    return job;
}

/* "model2-ranks=4", of which "ranks=1" makes "model2-ranks=1". */
static const char *case_against(const char *id, const char *setting)
{
    const char *const name = internf("%.*s", (int)strcspn(setting, "=") + 1, setting);
    const char *const at = strstr(id, name);
    return at == NULL ? id
                      : internf("%.*s%s%s", (int)(at - id), id, setting, at + strcspn(at, "-"));
}

/* What a card has to do, whichever is the bound; NaN: the job is not known. */
static double work_of_card(const struct key *key)
{
    struct job job;
    if (job_from_path(key_path(key), &job) != OK)
        return NAN;
    const struct work task = work_of_task(&job);
    return task.bytes > 0 ? task.bytes : task.flops > 0 ? task.flops : job.work.bytes;
}

/* The other case's job of this size or, if the exhibit is weak, of the size at which a card has as
 * much to do, to 3 %; without times if there is none. */
static struct key job_against(const struct folder *folder, const struct exhibit *exhibit,
                              const struct key *job)
{
    struct key wanted = *job;
    double least = log(1.03);
    wanted.of = intern(case_against(job->of, exhibit->against));
    if (!exhibit->weak)
        return wanted;
    const double work = work_of_card(job);
    struct key found = wanted;
    found.n = intern("");
    for (size_t i = 0; i < folder->record_count; i++) {
        const struct key *const key = &folder->records[i].key;
        wanted.n = key->n;
        if (!key_same(key, &wanted))
            continue;
        const double off = fabs(log(work_of_card(key) / work));
        if (off < least) {
            least = off;
            found = *key;
        }
    }
    return found;
}

/* The time of a variant that a speed-up compares, and half its interval in logarithms; it is on the
 * left side of the ratio, or on the right one. False, and the cell says why: it has none. */
static bool side_time(const struct folder *folder, struct cell *cell, const char *id, bool right,
                      double *time, double *half)
{
    struct key job = side_job(cell, id);
    if (right && cell->exhibit->against != NULL)
        job = job_against(folder, cell->exhibit, &job);
    const struct record *record = folder_record(folder, &job);
    const struct reach *reach = reach_of(cell, &job);
    *time = folder_value(folder, &job, "time", "value");
    *half = log(folder_value(folder, &job, "time", "ci_hi") /
                folder_value(folder, &job, "time", "ci_lo")) /
            2;
    cell->left_out = cell->left_out || (record == NULL && reach != NULL);
    if (isnan(*time)) {
        cell->state = record != NULL ? record->state : JOB_NONE;
        cell->note = why_not(record, reach);
    }
    return !isnan(*time);
}

/* The cell's variant is "A/B": ours is the time of B over that of A, with the interval of both. */
static void decide_speedup(const struct folder *folder, struct cell *cell)
{
    const char *left, *right;
    double ours, theirs, half_ours, half_theirs;
    bool both = ratio_sides(cell->key.variant, &left, &right);
    if (both) {
        both = side_time(folder, cell, right, true, &theirs, &half_theirs);
        both = side_time(folder, cell, left, false, &ours, &half_ours) && both;
    }
    cell->verdict = !both                        ? VERDICT_NOT_MEASURED
                    : isnan(cell->printed.value) ? VERDICT_NOT_PRINTED
                                                 : VERDICT_COMPARED;
    if (both) {
        const double half = hypot(half_ours, half_theirs);
        cell->note = "";
        cell->reproduced = theirs / ours;
        cell->ci_lo = cell->reproduced * exp(-half);
        cell->ci_hi = cell->reproduced * exp(half);
    }
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
static void decide_summary(const struct folder *folder, struct cell *cell)
{
    long sizes[MOST_SIZES];
    double values[MOST_SIZES];
    int count = 0;
    struct cell one = *cell;
    (void)expand_axis(cell->exhibit->over, sizes, MOST_SIZES, &count);
    for (int k = 0; k < count; k++) {
        one.key.n = internf("%ld", sizes[k]);
        one.reproduced = NAN;
        decide_speedup(folder, &one);
        if (one.verdict == VERDICT_NOT_MEASURED) {
            cell->verdict = VERDICT_NOT_MEASURED;
            cell->left_out = one.left_out;
            cell->state = one.state;
            cell->note = one.note;
            return;
        }
        values[k] = one.reproduced;
    }
    cell->reproduced =
        summarise(internf("%.*s", (int)strcspn(cell->key.n, " "), cell->key.n), values, count);
    cell->verdict = isnan(cell->printed.value) ? VERDICT_NOT_PRINTED : VERDICT_COMPARED;
}

static void decide_cell(const struct folder *folder, struct cell *cell)
{
    if (metric_kind(cell->exhibit, cell->metric) != METRIC_SPEEDUP)
        decide_number(folder, cell);
    else if (cell->exhibit->over != NULL)
        decide_summary(folder, cell);
    else
        decide_speedup(folder, cell);
    mark_void(cell);
}

/* --- the cells of an exhibit --- */

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
    const char *left, *right;
    const char *const *const ids = exhibit_variants(e);
    return ratio_sides(ratio, &left, &right) && in_names(ids, left) && in_names(ids, right);
}

/* The exhibit shows such a number; key->variant is `variant`, or one side of it. */
static bool shows(const struct exhibit *e, const struct key *key, const char *variant,
                  const char *metric)
{
    bool known = false;
    for (const struct exhibit_case *c = exhibit_cases(e); c->id != NULL; c++)
        known = known || strcmp(c->id, key->of) == 0;
    const bool inner =
        metric_kind(e, e->metric) != METRIC_SPEEDUP && metric_kind(e, metric) == METRIC_SPEEDUP;
    return known && (inner ? is_speedup_of(e, variant) : in_names(exhibit_variants(e), variant)) &&
           (e->precision == NULL || strcmp(e->precision, key->precision) == 0);
}

/* Cells with what is printed; one of several machines on which the same was printed comes second.
 */
static void printed_cells(struct verdicts *all, const struct paper *paper, const struct exhibit *e,
                          const struct measurement *published, size_t count)
{
    const char *const id = intern(e->published != NULL ? e->published : e->id);
    for (size_t i = 0; i < count; i++) {
        const struct measurement *row = &published[i];
        struct key key = row->key;
        if (key.exhibit != id || !shows(e, &key, key.variant, row->metric))
            continue;
        if (e->over != NULL) /* the statistic stands before n */
            key.n = internf("%s %s", row->statistic, key.n);
        struct cell *const cell = cell_of(all, paper, e, key, row->metric);
        struct printed *const into =
            cell->printed.digits[0] == '\0' ? &cell->printed : &cell->second;
        *into = (struct printed){row->digits, row->hardware, row->value * unit_scale(row->unit)};
    }
}

/* Cells "mean 1500-4000" of all variants in all cases, printed or not. */
static void summary_cells(struct verdicts *all, const struct paper *paper, const struct exhibit *e)
{
    static const char *const statistics[] = {"mean", "min", "max"};
    const struct family *const family = find_family(e->family);
    const char *const *const ids = exhibit_variants(e);
    const char *left, *right;
    long sizes[MOST_SIZES];
    int count = 0;
    (void)expand_axis(e->over, sizes, MOST_SIZES, &count);
    for (const struct exhibit_case *of = exhibit_cases(e); of->id != NULL; of++)
        for (int v = 0; ids[v] != NULL; v++)
            for (int p = SINGLE; p <= MIXED; p++)
                for (int k = 0; k < 3; k++) {
                    const struct key key =
                        key_make(e->id, of->id, ids[v], precision_name((enum precision)p),
                                 internf("%s %ld-%ld", statistics[k], sizes[0], sizes[count - 1]));
                    if (ratio_sides(key.variant, &left, &right) &&
                        shows(e, &key, key.variant, e->metric) &&
                        find_variant(family, left, key.precision) != NULL)
                        (void)cell_of(all, paper, e, key, e->metric);
                }
}

/* Cells of what was measured, printed or not; of a ratio A/B, where A was tried. */
static void measured_cells(struct verdicts *all, const struct paper *paper, const struct exhibit *e)
{
    const char *const id = intern(source_exhibit(e)->id);
    const char *const *const ids = exhibit_variants(e);
    for (int v = 0; ids[v] != NULL; v++) {
        const char *left = intern(ids[v]), *right;
        (void)ratio_sides(left, &left, &right);
        for (size_t i = 0; i < all->folder.record_count; i++) {
            struct key key = all->folder.records[i].key;
            if (key.exhibit != id || key.variant != left || !shows(e, &key, ids[v], e->metric))
                continue;
            key.variant = intern(ids[v]);
            (void)cell_of(all, paper, e, key, e->metric);
        }
    }
}

void exhibit_cells(struct verdicts *all, const struct paper *paper, const struct exhibit *e,
                   const struct measurement *published, size_t count)
{
    const size_t first = all->count;
    printed_cells(all, paper, e, published, count);
    if (e->over != NULL)
        summary_cells(all, paper, e);
    else
        measured_cells(all, paper, e);
    for (size_t i = first; i < all->count; i++)
        decide_cell(&all->folder, &all->cells[i]);
    size_t kept = first; /* the order of the smallest size is no gap */
    for (size_t i = first; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        if (!(is_order(c) && isnan(c->reproduced) && isnan(c->printed.value)))
            all->cells[kept++] = *c;
    }
    all->count = kept;
}
