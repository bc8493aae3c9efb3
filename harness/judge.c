/*
 * Measured beside published: one cell for every printed number and for every number of ours in the
 * same exhibits, its verdict, and the outcome of the paper's claims. Numbers that must agree get a
 * verdict; times get a ratio and never pass or fail.
 */
#include "harness.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "embedded.h"

const char *const verdict_names[] = {"SAME",     "CLOSE",       "EXPLAINED",   "DIFFERS",
                                     "compared", "not printed", "NOT MEASURED"};

const char *embedded_text(const char *name)
{
    for (const struct embedded_file *file = embedded_files; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0)
            return file->text;
    return NULL;
}

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
    for (const struct closeness *c = paper->closeness; c->applies_to != NULL; c++)
        if (fnmatch(c->applies_to, path, 0) == 0) {
            if (difference <= c->tolerance) {
                snprintf(note, size, "off by %.2g, allowed %.2g: %s", difference, c->tolerance,
                         c->why);
                return VERDICT_CLOSE;
            }
            break;
        }
    for (const struct correction *c = paper->corrections; c->applies_to != NULL; c++)
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

double measured_value(const struct comparison *all, const char *exhibit, const char *problem,
                      const char *variant, const char *precision, const char *n, const char *metric,
                      const char *statistic)
{
    const char *const key[] = {exhibit, problem, variant, precision, n, metric, statistic};
    const struct csv_row *row = find_row(all->measured, key);
    double value = NAN;
    if (row != NULL)
        (void)parse_number(row->field[8], &value);
    return value;
}

const char *measured_status(const struct comparison *all, const char *exhibit, const char *problem,
                            const char *variant, const char *precision, const char *n)
{
    const char *const key[] = {exhibit, problem, variant, precision, n, "status", "value"};
    const struct csv_row *row = find_row(all->measured, key);
    return row != NULL ? row->field[10] : NULL;
}

bool exhibit_in_run(const struct comparison *all, const struct exhibit *exhibit)
{
    const char *list = facts_get(&all->facts, "exhibits");
    const size_t length = strlen(exhibit->id);
    for (const char *c = list; (c = strstr(c, exhibit->id)) != NULL; c += length)
        if ((c == list || c[-1] == ' ') && (c[length] == ' ' || c[length] == '\0'))
            return true;
    return false;
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
    *cell = (struct cell){
        .published = NAN, .reproduced = NAN, .ci_lo = NAN, .ci_hi = NAN, .fraction = NAN, .id = ""};
    return cell;
}

const struct cell *find_cell(const struct comparison *all, const struct exhibit *exhibit,
                             const char *problem, const char *variant, const char *precision,
                             const char *n, const char *metric)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        if (c->exhibit == exhibit && strcmp(c->problem, problem) == 0 &&
            strcmp(c->variant, variant) == 0 && strcmp(c->n, n) == 0 &&
            strcmp(c->metric, metric) == 0 &&
            (precision == NULL || strcmp(c->precision, precision) == 0))
            return c;
    }
    return NULL;
}

static void cell_path(const struct cell *cell, char *out, size_t size)
{
    snprintf(out, size, "%s/%s/%s/%s/%s", cell->exhibit->id, cell->problem, cell->variant,
             cell->precision, cell->n);
}

static void judge_one(const struct comparison *all, struct cell *cell)
{
    char path[256];
    const char *id = cell->exhibit->id;
    cell_path(cell, path, sizeof path);
    cell->reproduced = measured_value(all, id, cell->problem, cell->variant, cell->precision,
                                      cell->n, cell->metric, "value");
    const char *status =
        measured_status(all, id, cell->problem, cell->variant, cell->precision, cell->n);
    const bool time = strcmp(cell->metric, "time") == 0;
    const bool good =
        status != NULL && (strcmp(status, "ok") == 0 || strcmp(status, "quick") == 0 ||
                           strcmp(status, "emulated") == 0);
    if (!good || isnan(cell->reproduced)) {
        cell->verdict = VERDICT_NOT_MEASURED;
        cell->reproduced = NAN; /* a number of a failed job is not shown */
        snprintf(cell->note, sizeof cell->note, "%s",
                 status == NULL ? "not in this run, or not finished"
                 : good         ? "no time: the device is emulated"
                                : status);
    } else if (time) {
        cell->ci_lo = measured_value(all, id, cell->problem, cell->variant, cell->precision,
                                     cell->n, "time", "ci_lo");
        cell->ci_hi = measured_value(all, id, cell->problem, cell->variant, cell->precision,
                                     cell->n, "time", "ci_hi");
        cell->fraction = measured_value(all, id, cell->problem, cell->variant, cell->precision,
                                        cell->n, "fraction", "value");
        cell->verdict = isnan(cell->published) ? VERDICT_NOT_PRINTED : VERDICT_COMPARED;
        if (strcmp(status, "quick") == 0)
            snprintf(cell->note, sizeof cell->note, "quick");
    } else if (isnan(cell->published)) {
        cell->verdict = VERDICT_NOT_PRINTED;
    } else {
        cell->verdict = judge_cell(cell->paper, path, cell->printed, cell->reproduced, &cell->id,
                                   cell->note, sizeof cell->note);
    }
    /* A printed number that contradicts the paper itself is marked wherever it stands. */
    for (const struct erratum *e = cell->paper->errata; e->id != NULL && cell->id[0] == '\0'; e++)
        if (e->effect == VOIDS && e->applies_to != NULL &&
            fnmatch(e->applies_to, path, FNM_EXTMATCH) == 0)
            cell->id = e->id;
}

/* ours = right / left of two measured times, with the interval that both bring. */
static void judge_speedup(const struct comparison *all, struct cell *cell)
{
    const char *const *names = cell->exhibit->speedup;
    const struct cell *left =
        find_cell(all, cell->exhibit, cell->problem, names[0], NULL, cell->n, "time");
    const struct cell *right =
        find_cell(all, cell->exhibit, cell->problem, names[1], NULL, cell->n, "time");
    char path[256];
    cell_path(cell, path, sizeof path);
    cell->verdict = VERDICT_NOT_MEASURED;
    if (left != NULL && right != NULL && left->reproduced > 0 && right->reproduced > 0) {
        const double a = log(left->ci_hi / left->ci_lo) / 2,
                     b = log(right->ci_hi / right->ci_lo) / 2;
        const double half = hypot(a, b);
        cell->reproduced = right->reproduced / left->reproduced;
        cell->ci_lo = cell->reproduced * exp(-half);
        cell->ci_hi = cell->reproduced * exp(half);
        cell->verdict = isnan(cell->published) ? VERDICT_NOT_PRINTED : VERDICT_COMPARED;
    } else {
        const struct cell *missing = left != NULL && left->reproduced > 0 ? right : left;
        snprintf(cell->note, sizeof cell->note, "%s",
                 missing != NULL ? missing->note : "not in this run");
    }
    for (const struct erratum *e = cell->paper->errata; e->id != NULL; e++)
        if (e->effect == VOIDS && e->applies_to != NULL &&
            fnmatch(e->applies_to, path, FNM_EXTMATCH) == 0)
            cell->id = e->id;
}

static bool in_names(const char *const *names, const char *name)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* field: exhibit,case,variant,precision,hardware,n,... */
static struct cell *cell_of_row(struct comparison *all, const struct paper *paper,
                                const struct exhibit *e, const struct csv_row *row,
                                const char *metric)
{
    struct cell *cell = new_cell(all);
    cell->paper = paper;
    cell->exhibit = e;
    snprintf(cell->problem, sizeof cell->problem, "%s", row->field[1]);
    snprintf(cell->variant, sizeof cell->variant, "%s", row->field[2]);
    snprintf(cell->precision, sizeof cell->precision, "%s", row->field[3]);
    snprintf(cell->n, sizeof cell->n, "%s", row->field[5]);
    snprintf(cell->metric, sizeof cell->metric, "%s", metric);
    return cell;
}

static void exhibit_cells(struct comparison *all, const struct paper *paper,
                          const struct exhibit *e, const struct csv *published)
{
    const char *id = e->published != NULL ? e->published : e->id;
    for (int pass = 0; pass < 2; pass++) /* speed-ups need the times of the first pass */
        for (size_t i = 0; i < csv_rows(published); i++) {
            const struct csv_row *row = csv_row(published, i);
            const bool speedup = strcmp(row->field[6], "speedup") == 0;
            if (strcmp(row->field[0], id) != 0 || speedup != (pass == 1) ||
                !in_names(e->problems, row->field[1]) ||
                !(speedup ? e->speedup[0] != NULL : in_names(e->variants, row->field[2])))
                continue;
            struct cell *cell = cell_of_row(all, paper, e, row, row->field[6]);
            snprintf(cell->printed, sizeof cell->printed, "%s", row->field[8]);
            (void)parse_number(row->field[8], &cell->published);
            if (speedup)
                judge_speedup(all, cell);
            else
                judge_one(all, cell);
        }
    for (size_t i = 0; i < csv_rows(all->measured); i++) { /* ours alone */
        const struct csv_row *row = csv_row(all->measured, i);
        if (strcmp(row->field[0], e->id) != 0 || strcmp(row->field[6], "status") != 0 ||
            find_cell(all, e, row->field[1], row->field[2], row->field[3], row->field[5],
                      e->metric) != NULL)
            continue;
        judge_one(all, cell_of_row(all, paper, e, row, e->metric));
    }
}

/* --- claims --- */

enum { IN_PRINT, HERE };

struct pair { /* what a claim compares, in one cell */
    double left, right, left_lo, left_hi, right_lo, right_hi;
};

static bool claim_pair(const struct comparison *all, const struct claim *claim,
                       const struct cell *left, int where, struct pair *out)
{
    const struct cell *right =
        find_cell(all, left->exhibit, left->problem, claim->right, NULL, left->n, claim->metric);
    if (right == NULL || strcmp(left->variant, claim->left) != 0 ||
        strcmp(left->metric, claim->metric) != 0 || left->exhibit->published != NULL ||
        (isnan(left->published) && isnan(right->published)) || /* a size the paper has not */
        fnmatch(claim->exhibits, left->exhibit->id, 0) != 0)
        return false;
    if (where == IN_PRINT)
        *out = (struct pair){left->published, right->published, left->published,
                             left->published, right->published, right->published};
    else
        *out = (struct pair){left->reproduced, right->reproduced, left->ci_lo,
                             left->ci_hi,      right->ci_lo,      right->ci_hi};
    return out->left > 0 && out->right > 0;
}

/* +1 holds, -1 reversed, 0 tied: the intervals overlap. */
static int claim_holds(const struct claim *claim, const struct pair *p, double previous_ratio)
{
    const double ratio = p->right / p->left;
    switch (claim->predicate) {
    case BELOW:
        if (p->left_lo <= p->right_hi && p->right_lo <= p->left_hi)
            return 0;
        return p->left < p->right ? 1 : -1;
    case RATIO_WITHIN:
        return ratio >= claim->least && ratio <= claim->most ? 1 : -1;
    case RATIO_REACHES:
        return ratio >= claim->least ? 1 : -1;
    case RATIO_GROWS:
        return !(ratio <= previous_ratio) ? 1 : -1;
    }
    return -1;
}

static void judge_claim(const struct comparison *all, struct outcome *outcome, int where)
{
    const struct claim *claim = outcome->claim;
    int ties = 0;
    double previous = NAN;
    const char *problem = "";
    const struct exhibit *exhibit = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *cell = &all->cells[i];
        struct pair pair;
        if (cell->paper != outcome->paper || !claim_pair(all, claim, cell, where, &pair))
            continue;
        if (exhibit != cell->exhibit || strcmp(problem, cell->problem) != 0)
            previous = NAN; /* growth is asked within a case; the cells come in the order of n */
        exhibit = cell->exhibit;
        problem = cell->problem;
        const bool first = isnan(previous);
        const int holds = claim_holds(claim, &pair, previous);
        previous = pair.right / pair.left;
        if (first && claim->predicate == RATIO_GROWS)
            continue; /* nothing yet to have grown from */
        outcome->cells[where]++;
        outcome->holds[where] += holds > 0;
        ties += holds == 0;
    }
    const int cells = outcome->cells[where], holds = outcome->holds[where];
    const bool reached = claim->predicate == RATIO_REACHES && holds > 0;
    snprintf(outcome->verdict[where], sizeof outcome->verdict[where], "%s",
             cells == 0                  ? "NOT MEASURED"
             : reached || holds == cells ? "HOLDS"
             : holds + ties == cells     ? "TIED"
             : holds == 0                ? "REVERSED"
                                         : "PARTLY");
}

static void judge_claims(struct comparison *all)
{
    size_t count = 0;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct claim *c = papers[i]->claims; c->id != NULL; c++)
            count++;
    all->claims = calloc(count + 1, sizeof *all->claims);
    for (int i = 0; papers[i] != NULL && all->claims != NULL; i++)
        for (const struct claim *c = papers[i]->claims; c->id != NULL; c++) {
            bool spoken_of = false;
            for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL; e++)
                spoken_of =
                    spoken_of || (exhibit_in_run(all, e) && fnmatch(c->exhibits, e->id, 0) == 0);
            if (!spoken_of)
                continue;
            struct outcome *outcome = &all->claims[all->claim_count++];
            outcome->claim = c;
            outcome->paper = papers[i];
            judge_claim(all, outcome, IN_PRINT);
            judge_claim(all, outcome, HERE);
            if (outcome->cells[IN_PRINT] + outcome->cells[HERE] == 0)
                all->claim_count--; /* none of its cells was asked for */
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

static void conclude(struct comparison *all)
{
    const int missing = all->of[VERDICT_NOT_MEASURED], differs = all->of[VERDICT_DIFFERS];
    const int checked =
        all->of[VERDICT_SAME] + all->of[VERDICT_CLOSE] + all->of[VERDICT_EXPLAINED] + differs;
    const bool gpu = strcmp(facts_get(&all->facts, "device"), "cuda") == 0 &&
                     facts_get(&all->facts, "gpu_name")[0] != '\0';
    const bool paper_sizes = strcmp(facts_get(&all->facts, "size"), "paper") == 0;
    char counts[160];
    snprintf(counts, sizeof counts, "%d same, %d close, %d explained, %d differ",
             all->of[VERDICT_SAME], all->of[VERDICT_CLOSE], all->of[VERDICT_EXPLAINED], differs);
    if (checked + all->of[VERDICT_COMPARED] == 0)
        snprintf(all->last_line, sizeof all->last_line,
                 "INCOMPLETE (%snothing that the papers print was measured%s)",
                 gpu ? "" : "no GPU: ", all->failed > 0 ? "; jobs failed" : "");
    else if (missing > 0 || all->failed > 0)
        snprintf(all->last_line, sizeof all->last_line,
                 "INCOMPLETE (%s%s: %d of %d printed cells are accuracy and were checked: %s; %d "
                 "times were compared; %d cells were not measured%s)",
                 gpu ? "" : "no GPU",
                 paper_sizes ? gpu ? "parts are missing" : ""
                 : gpu       ? "not all sizes"
                             : ", not all sizes",
                 checked, all->printed, counts, all->of[VERDICT_COMPARED], missing,
                 all->failed > 0 ? "; jobs failed" : "");
    else if (differs > 0)
        snprintf(all->last_line, sizeof all->last_line,
                 "REPRODUCED WITH %d DIFFERENCE%s (%s; %d times compared)", differs,
                 differs == 1 ? "" : "S", counts, all->of[VERDICT_COMPARED]);
    else
        snprintf(all->last_line, sizeof all->last_line, "REPRODUCED (%s; %d times compared)",
                 counts, all->of[VERDICT_COMPARED]);
}

static bool selected(const struct selection *selection, const struct cell *cell)
{
    char path[256];
    cell_path(cell, path, sizeof path);
    bool any = selection == NULL || selection->glob_count == 0;
    for (int i = 0; selection != NULL && i < selection->glob_count; i++)
        any = any || glob_matches(selection->globs[i], path);
    for (int i = 0; selection != NULL && i < selection->excluded_count; i++)
        any = any && !glob_matches(selection->excluded[i], path);
    return any;
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
        const char *text = embedded_text(papers[i]->published);
        status = csv_parse(text != NULL ? text : measured_header, papers[i]->published, &published);
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
    for (size_t i = 0; i < out->count; i++)
        if (selected(selection, &out->cells[i]))
            out->cells[kept++] = out->cells[i];
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
