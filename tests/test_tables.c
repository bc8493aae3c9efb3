/*
 * The tables of the real program against each other: ids, exhibits, variants, printed values,
 * errata, plot scripts. What one table names, another must have.
 * Usage: test_tables FOLDER-OF-PLOTS
 */
#include <dirent.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/embedded.h"
#include "base/intern.h"
#include "base/record.h"
#include "machine/device.h"
#include "run/metrics.h"
#include "run/plan.h"
#include "tap.h"
#include "verdict/verdict.h"

enum { SIZES = 64 };

/* Stands in paths, CSV fields and names of files. */
static bool is_id(const char *id)
{
    return id != NULL && id[0] != '\0' && strpbrk(id, ", /\"\t\n\\*?[]%") == NULL;
}

static bool filled(const char *text)
{
    return text != NULL && text[0] != '\0' && strpbrk(text, "\n\r\t|") == NULL;
}

static bool in_names(const char *const *names, const char *name)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static const struct erratum *find_erratum(const struct paper *paper, const char *id)
{
    for (const struct erratum *e = errata_of(paper); e->id != NULL; e++)
        if (strcmp(e->id, id) == 0)
            return e;
    return NULL;
}

/* --- families --- */

static void test_parameters(const struct family *family, const struct problem *p)
{
    struct params at;
    const struct parameter *first = p->parameters;
    params_init(&at, p);
    check(first->name != NULL && first->kind == INTEGER && first->least >= 1,
          "%s/%s: the first parameter is the size", family->id, p->id);
    for (const struct parameter *q = p->parameters; q->name != NULL; q++) {
        const bool word = q->kind == CHOICE || q->kind == TEXT;
        check(is_id(q->name) && strchr(q->name, '=') == NULL && q->meaning != NULL &&
                  word == (q->words != NULL) && q->least <= q->initial && q->initial <= q->most,
              "%s/%s: parameter %s is complete and starts within its range", family->id, p->id,
              q->name);
        for (const struct parameter *r = p->parameters; r != q; r++)
            if (strcmp(r->name, q->name) == 0)
                check(false, "%s/%s: parameter %s stands twice", family->id, p->id, q->name);
    }
}

static void test_families(void)
{
    for (int i = 0; families[i] != NULL; i++) {
        const struct family *f = families[i];
        check(is_id(f->id) && filled(f->title) && find_family(f->id) == f, "family %s is one",
              f->id);
        for (const struct problem *p = f->problems; p->id != NULL; p++) {
            check(is_id(p->id) && filled(p->title) && filled(p->source) && p->parameters != NULL &&
                      p->create != NULL && p->judge != NULL && p->destroy != NULL,
                  "%s/%s is complete", f->id, p->id);
            check((p->dump == NULL) == (p->dump_header == NULL) &&
                      (p->dump == NULL) == (p->picture == NULL),
                  "%s/%s: a dump, its header and a picture", f->id, p->id);
            check(find_problem(f, p->id) == p, "%s/%s is one", f->id, p->id);
            test_parameters(f, p);
        }
        for (const struct variant *v = f->variants; v->id != NULL; v++) {
            const char *precision = precision_name(v->precision);
            const bool device = v->place == DEVICE || v->place == HYBRID;
            const struct calls *c = v->calls;
            const bool calls = c != NULL && c->plan != NULL && c->run != NULL && c->fetch != NULL &&
                               c->destroy != NULL;
            const bool may_lack =
                v->unavailable != NULL || (device && strcmp(device_kind(), "none") == 0);
            check(is_id(v->id) && filled(v->title) && filled(v->source) && v->tolerance != NULL &&
                      v->work != NULL && (calls || may_lack),
                  "%s/%s %s is complete", f->id, v->id, precision);
            check(find_variant(f, v->id, precision) == v, "%s/%s %s is one", f->id, v->id,
                  precision);
        }
    }
}

/* --- exhibits --- */

static void test_sizes(const struct exhibit *e)
{
    static const char *const names[] = {"smoke", "quick", "paper"};
    const char *const lists[] = {e->axis.smoke, e->axis.quick, e->axis.paper};
    for (int k = 0; k < 3; k++) {
        long sizes[SIZES];
        int count = 0;
        bool good = lists[k] != NULL && expand_axis(lists[k], sizes, SIZES, &count) == OK;
        for (int i = 1; i < count && good; i++)
            good = sizes[i - 1] < sizes[i];
        check(good, "%s: the sizes %s ascend", e->id, names[k]);
    }
}

static void test_settings(const struct exhibit *e, struct params *at, const struct setting *fixed)
{
    for (const struct setting *s = fixed; s->name != NULL; s++)
        check(params_set(at, s->name, s->value) == OK, "%s takes %s=%s", e->id, s->name, s->value);
}

/* "A/B", both of them the exhibit's. */
static bool is_ratio(const struct exhibit *e, const char *ratio)
{
    char left[64];
    snprintf(left, sizeof left, "%s", ratio);
    char *slash = strchr(left, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return in_names(exhibit_variants(e), left) && in_names(exhibit_variants(e), slash + 1);
}

static bool are_ratios(const struct exhibit *e, const char *const *ratios)
{
    bool all = true;
    for (int i = 0; ratios[i] != NULL; i++)
        all = all && is_ratio(e, ratios[i]);
    return all;
}

/* A view's speed-ups, or its variants, and its cases are the other's. */
static bool are_shown(const struct exhibit *e, const struct exhibit *source)
{
    const char *const *ids = exhibit_variants(e);
    bool good = strcmp(e->metric, "speedup") == 0
                    ? exhibit_is_timed(source) && are_ratios(source, ids)
                    : e->over == NULL && (exhibit_is_timed(source) || !exhibit_is_timed(e));
    for (int i = 0; ids[i] != NULL && strcmp(e->metric, "speedup") != 0; i++)
        good = good && in_names(exhibit_variants(source), ids[i]);
    for (const struct exhibit_case *c = exhibit_cases(e); c->id != NULL; c++)
        good = good && find_case(source, c->id) != NULL;
    return good;
}

/* Roles are those of a comparison, and lists have room for their ends. */
static void test_list(const struct exhibit *e)
{
    static const char *const roles[] = {"@limit", "@peer", "@ranks", NULL};
    bool good = true;
    for (int i = 0; i < MAX_NAMES && e->variants[i] != NULL; i++)
        good = good && (e->variants[i][0] != '@' || in_names(roles, e->variants[i]));
    check(good && e->cases[MAX_CASES - 1].id == NULL && e->fixed[MAX_NAMES - 1].name == NULL &&
              e->up_to[MAX_NAMES - 1].jobs == NULL && (e->figure == NULL || filled(e->figure)),
          "%s: its roles are known and its lists end", e->id);
}

static void test_exhibit(const struct paper *paper, const struct exhibit *e)
{
    const struct family *family = find_family(e->family);
    const struct paper *other = NULL;
    check(is_id(e->id) && find_exhibit(e->id, &other) == e && other == paper, "exhibit %s is one",
          e->id);
    check(filled(e->where) && filled(e->title) && filled(e->metric), "%s is complete", e->id);
    const struct exhibit *source = source_exhibit(e);
    check(family != NULL && source != NULL && source->cases[0].id != NULL && e->variants[0] != NULL,
          "%s has a family, cases and variants", e->id);
    if (family == NULL || source == NULL)
        return;
    for (const struct exhibit_case *c = source->cases; c->id != NULL; c++) {
        const struct problem *p = case_problem(family, c);
        check(p != NULL && is_id(c->id) && find_case(source, c->id) == c,
              "%s: case %s is one and has its problem", e->id, c->id);
        if (p == NULL)
            continue;
        struct params at;
        params_init(&at, p);
        test_settings(e, &at, e->fixed);
        test_settings(e, &at, c->fixed);
    }
    test_list(e);
    if (e->view_of == NULL)
        for (const char *const *id = exhibit_variants(e); *id != NULL; id++)
            check(find_variant(family, *id, NULL) != NULL, "%s: variant %s is there", e->id, *id);
    else
        check(source->view_of == NULL && are_shown(e, source), "%s shows what %s has", e->id,
              e->view_of);
    if (e->published != NULL)
        check(find_exhibit(e->published, &other) != NULL && other == paper &&
                  find_exhibit(e->published, NULL)->published == NULL,
              "%s: %s is printed in the same paper", e->id, e->published);
    if (e->view_of == NULL)
        test_sizes(e);
}

/* Every job of a preset: a path that leads back to it, no path twice. */
static void test_jobs(const char *size)
{
    const struct selection selection = {.size = size};
    struct plan plan;
    if (!check(plan_make(&selection, &plan) == OK, "all jobs of size %s", size))
        return;
    size_t good = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const struct job *job = &plan.jobs[i];
        struct job back;
        bool right = job_from_path(job->path, &back) == OK && back.exhibit == job->exhibit &&
                     back.variant == job->variant && back.problem == job->problem &&
                     back.n == job->n && job->work.host_bytes + job->work.device_bytes > 0;
        for (size_t k = 0; k < i && right; k++)
            right = strcmp(plan.jobs[k].path, job->path) != 0;
        good += right;
        if (!right)
            fprintf(stderr, "%s\n", job->path);
    }
    check(good == plan.count, "size %s: each of %zu jobs has a path of its own that leads to it",
          size, plan.count);
    plan_free(&plan);
}

/* What an exhibit shows must be among the metrics of the judge. */
static bool judge_gives(const struct exhibit *e, const struct exhibit_case *of, const char *metric)
{
    const struct family *family = find_family(e->family);
    bool found = false, tried = false;
    for (const struct variant *v = family->variants; v->id != NULL && !found; v++) {
        const bool host = v->place == HOST || v->place == HOST_PARALLEL;
        if (!host || v->unavailable != NULL)
            continue;
        struct instance in = {0};
        struct judgement judgement = {0};
        void *state = NULL;
        char smallest[16];
        snprintf(smallest, sizeof smallest, "%.*s", (int)strcspn(e->axis.smoke, ",:"),
                 e->axis.smoke);
        params_init(&in.at, case_problem(family, of));
        enum status status = params_set(&in.at, in.at.problem->parameters[0].name, smallest);
        for (const struct setting *s = e->fixed; s->name != NULL && status == OK; s++)
            status = params_set(&in.at, s->name, s->value);
        for (const struct setting *s = of->fixed; s->name != NULL && status == OK; s++)
            status = params_set(&in.at, s->name, s->value);
        if (status == OK)
            status = in.at.problem->create(&in);
        struct solution out = {v->precision, in.count, calloc(in.count + 1, sizeof(double))};
        if (status == OK)
            status = v->calls->plan(&in, &state);
        if (status == OK && v->calls->load != NULL)
            status = v->calls->load(state);
        if (status == OK)
            status = v->calls->run(state, NULL);
        if (status == OK)
            status = v->calls->fetch(state, &out, NULL);
        if (status == OK)
            status = in.at.problem->judge(&in, &out, &judgement);
        add_own_metrics(&judgement);
        if (status == OK)
            status = judgement.status;
        tried = tried || status == OK;
        for (int i = 0; i < judgement.count; i++)
            found = found || strcmp(judgement.metrics[i].name, metric) == 0;
        v->calls->destroy(state);
        in.at.problem->destroy(&in);
        free(out.values);
    }
    return found || !tried;
}

/* --- claims, errata, closeness, corrections --- */

/* The n of an exhibit's cells at the paper's sizes, a view's too: "1500", "mean 1500-4000". */
static int cell_sizes(const struct exhibit *e, char n[][32])
{
    static const char *const statistics[] = {"mean", "min", "max"};
    long sizes[SIZES];
    int count = 0;
    (void)expand_axis(e->over != NULL ? e->over : source_exhibit(e)->axis.paper, sizes, SIZES,
                      &count);
    for (int k = 0; k < count; k++)
        snprintf(n[k], sizeof n[k], "%ld", sizes[k]);
    for (int k = 0; k < 3 && e->over != NULL; k++)
        snprintf(n[k], sizeof n[k], "%s %ld-%ld", statistics[k], sizes[0], sizes[count - 1]);
    return e->over != NULL ? 3 : count;
}

/* A cell that the exhibit can have, of one variant (null: of any), matches. */
static bool has_cell(const struct exhibit *e, const char *variant,
                     bool (*match)(const char *glob, const char *path), const char *glob)
{
    static const char *const precisions[] = {"single", "double", "mixed"};
    char n[SIZES][32];
    const int count = cell_sizes(e, n);
    bool any = false;
    for (const struct exhibit_case *of = exhibit_cases(e); of->id != NULL; of++)
        for (const char *const *id = exhibit_variants(e); *id != NULL; id++)
            for (int p = 0; p < 3; p++)
                for (int k = 0; k < count; k++) {
                    const char *const path =
                        internf("%s/%s/%s/%s/%s", e->id, of->id, *id, precisions[p], n[k]);
                    any = any ||
                          ((variant == NULL || strcmp(variant, *id) == 0) && match(glob, path));
                }
    return any;
}

static bool extended_match(const char *glob, const char *path)
{
    return fnmatch(glob, path, FNM_EXTMATCH) == 0;
}

static void test_claims(const struct paper *paper)
{
    for (const struct claim *c = claims_of(paper); c->id != NULL; c++) {
        int spoken_of = 0;
        bool there = true;
        for (const struct exhibit *e = paper->exhibits; e->id != NULL; e++)
            if (has_cell(e, c->left, glob_matches, c->cells)) {
                spoken_of++;
                there = there && (c->right == NULL || in_names(exhibit_variants(e), c->right)) &&
                        strcmp(e->metric, c->metric) == 0 &&
                        (c->best == NULL || find_case(source_exhibit(e), c->best) != NULL);
            }
        check(is_id(c->id) && filled(c->where) && filled(c->text), "claim %s is complete", c->id);
        check(spoken_of > 0 && there, "claim %s: its exhibits have its variants and metric", c->id);
        const bool bounded = c->predicate == WITHIN || c->predicate == REACHES;
        check(!bounded || (c->least > 0 && (c->predicate == REACHES || c->least <= c->most)),
              "claim %s has its bounds", c->id);
        check((c->predicate == LARGEST_IN_CASE) == (c->best != NULL) &&
                  (c->predicate != BELOW || c->right != NULL),
              "claim %s has what its predicate needs", c->id);
        check(c->erratum == NULL || find_erratum(paper, c->erratum) != NULL,
              "claim %s: its erratum is there", c->id);
        for (const struct claim *d = claims_of(paper); d != c; d++)
            if (strcmp(d->id, c->id) == 0)
                check(false, "claim %s stands twice", c->id);
    }
}

/* The path of the row's cell, and so of its job: the statistic stands before n. */
static void row_path(const struct csv_row *row, char *out, size_t size)
{
    const struct exhibit *e = find_exhibit(row->field[0], NULL);
    const bool summary = e != NULL && e->over != NULL;
    snprintf(out, size, "%s/%s/%s/%s/%s%s%s", row->field[0], row->field[1], row->field[2],
             row->field[3], summary ? row->field[7] : "", summary ? " " : "", row->field[5]);
}

/* A figure that is curves alone does not. */
static bool prints_numbers(const struct csv *published, const struct exhibit *e)
{
    for (size_t i = 0; i < csv_rows(published); i++)
        if (strcmp(csv_row(published, i)->field[0], e->id) == 0)
            return true;
    return false;
}

/* Printed cells that a glob speaks of, or cells of an exhibit without numbers; an exhibit that
 * repeats another's stands under its own id.
 */
static int matches(const struct paper *paper, const struct csv *published, const char *glob,
                   int flags)
{
    int count = 0;
    for (const struct exhibit *e = paper->exhibits; e->id != NULL; e++) {
        if (!prints_numbers(published, e) && e->published == NULL)
            count += has_cell(e, NULL, extended_match, glob);
        for (size_t i = 0; i < csv_rows(published); i++) {
            const struct csv_row *row = csv_row(published, i);
            char path[256], own[256];
            row_path(row, own, sizeof own);
            snprintf(path, sizeof path, "%s%s", e->id, own + strlen(row->field[0]));
            const bool shown =
                in_names(exhibit_variants(e), row->field[2]) || is_ratio(e, row->field[2]);
            count += shown && fnmatch(glob, path, flags) == 0 &&
                     strcmp(row->field[0], e->published != NULL ? e->published : e->id) == 0;
        }
    }
    return count;
}

static void test_errata(const struct paper *paper, const struct csv *published)
{
    for (const struct erratum *e = errata_of(paper); e->id != NULL; e++) {
        static const char *const kinds[] = {"value", "formula", "text", "method", "unstated", NULL};
        check(is_id(e->id) && filled(e->place) && filled(e->printed) && filled(e->corrected) &&
                  filled(e->evidence) && e->kind != NULL && in_names(kinds, e->kind),
              "erratum %s/%s is complete", paper->id, e->id);
        bool others = false; /* a report lists those of all papers together */
        for (int i = 0; papers[i] != NULL; i++)
            others = others || (papers[i] != paper && find_erratum(papers[i], e->id) != NULL);
        check(find_erratum(paper, e->id) == e && !others, "erratum %s/%s is one", paper->id, e->id);
        if (e->applies_to != NULL)
            check(matches(paper, published, e->applies_to, FNM_EXTMATCH) > 0,
                  "erratum %s/%s speaks of a printed value", paper->id, e->id);
        check(e->effect != VOIDS || e->applies_to != NULL, "erratum %s/%s says what it voids",
              paper->id, e->id);
    }
    for (const struct closeness *c = closeness_of(paper); c->applies_to != NULL; c++)
        check(c->tolerance > 0 && c->tolerance < 1 && filled(c->why) &&
                  matches(paper, published, c->applies_to, 0) > 0,
              "closeness %s has a reason and speaks of a printed value", c->applies_to);
    for (const struct correction *c = corrections_of(paper); c->applies_to != NULL; c++) {
        const struct erratum *e = find_erratum(paper, c->erratum);
        bool again = false;
        for (const struct correction *d = corrections_of(paper); d != c; d++)
            again = again || strcmp(d->applies_to, c->applies_to) == 0;
        check(c->least > 0 && c->least <= c->most &&
                  matches(paper, published, c->applies_to, 0) > 0 && !again,
              "correction %s has a range and speaks of a printed value", c->applies_to);
        check(e != NULL && e->effect == EXPLAINS && e->applies_to != NULL &&
                  fnmatch(e->applies_to, c->applies_to, FNM_EXTMATCH) == 0,
              "correction %s: its erratum %s explains that cell", c->applies_to, c->erratum);
    }
}

/* --- printed values --- */

static bool is_text_row(const struct paper *paper, const struct csv_row *row)
{
    char id[64];
    snprintf(id, sizeof id, "%s-text", paper->id);
    return strcmp(row->field[0], id) == 0;
}

/* "A2D/A1D" -> both are variants of some family of the paper. */
static bool names_variants(const struct paper *paper, const char *names)
{
    char copy[128], *rest = NULL;
    bool all = true;
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok_r(copy, "/", &rest); name; name = strtok_r(NULL, "/", &rest)) {
        bool found = false;
        for (const struct exhibit *e = paper->exhibits; e->id != NULL; e++)
            found = found || in_names(exhibit_variants(e), name);
        all = all && found;
    }
    return all;
}

/* A sentence with a number, as "up to 95 times", is a claim with that number. */
static bool has_claim(const struct paper *paper, const struct csv_row *row)
{
    const char *unit = row->field[9];
    const double scale = strcmp(unit, "Mflops") == 0 ? 1e6 : strcmp(unit, "Gflops") == 0 ? 1e9 : 1;
    const double value = scale * strtod(row->field[8], NULL);
    const bool high = strstr(row->field[7], "_high") != NULL;
    for (const struct claim *c = claims_of(paper); c->id != NULL; c++) {
        char ratio[128];
        snprintf(ratio, sizeof ratio, "%s%s%s", c->left, c->right != NULL ? "/" : "",
                 c->right != NULL ? c->right : "");
        if (strcmp(ratio, row->field[2]) == 0 &&
            ((high ? c->most : c->least) == value || c->from_n == value))
            return true;
    }
    return false;
}

static bool has_job(const struct plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->jobs[i].path, path) == 0)
            return true;
    return false;
}

static bool has_row(const struct csv *published, const struct job *job)
{
    char path[256];
    for (size_t i = 0; i < csv_rows(published); i++) {
        row_path(csv_row(published, i), path, sizeof path);
        if (strcmp(path, job->path) == 0 &&
            strcmp(csv_row(published, i)->field[6], job->exhibit->metric) == 0)
            return true;
    }
    return false;
}

static void test_text_row(const struct paper *paper, const struct csv_row *row, const char *path)
{
    check(names_variants(paper, row->field[2]), "printed %s: its variants are there", path);
    if (strncmp(row->field[7], "claimed_", 8) == 0)
        check(has_claim(paper, row), "printed %s %s %s is a claim", path, row->field[7],
              row->field[8]);
}

/* Beside times: the judge gives it for the row's case. */
static bool is_judged_beside(const struct exhibit *e, const struct csv_row *row)
{
    const struct exhibit_case *of = find_case(source_exhibit(e), row->field[1]);
    return exhibit_is_timed(e) && of != NULL && judge_gives(source_exhibit(e), of, row->field[6]);
}

/* A job at the paper's size, or, in a view, a cell of what it shows. */
static void test_printed_row(const struct csv_row *row, const char *path, const struct plan *plan)
{
    const struct exhibit *e = find_exhibit(row->field[0], NULL);
    const bool inner =
        e != NULL && strcmp(e->metric, "speedup") != 0 && strcmp(row->field[6], "speedup") == 0;
    bool good = e != NULL;
    if (inner) {
        /* The sizes of a speed-up are those of its times. */
        char times[256];
        snprintf(times, sizeof times, "%s/%s/%.*s/%s/%s", source_exhibit(e)->id, row->field[1],
                 (int)strcspn(row->field[2], "/"), row->field[2], row->field[3], row->field[5]);
        good = is_ratio(e, row->field[2]) && has_job(plan, times);
    } else if (good && e->view_of != NULL)
        good = has_cell(e, row->field[2], extended_match, path);
    else
        good = good && has_job(plan, path);
    check(good && (inner || strcmp(e->metric, row->field[6]) == 0 || is_judged_beside(e, row)),
          "printed %s %s is a cell of its exhibit", path, row->field[6]);
}

static void test_published(const struct paper *paper)
{
    const struct selection selection = {.size = "paper"};
    const char *text = published_of(paper);
    struct csv *published = NULL;
    struct plan plan = {0};
    check(paper->published == NULL || embedded_text(paper->published) == text,
          "%s: the printed values are in the program", paper->id);
    if (!check(csv_parse(text, paper->id, &published) == OK && plan_make(&selection, &plan) == OK &&
                   strncmp(text, measured_header, strlen(measured_header)) == 0,
               "%s: the printed values have the eleven columns", paper->id))
        goto cleanup;
    for (size_t i = 0; i < csv_rows(published); i++) {
        const struct csv_row *row = csv_row(published, i);
        char path[256];
        double value;
        row_path(row, path, sizeof path);
        bool again = false;
        for (size_t k = 0; k < i; k++) {
            bool same = true;
            for (int c = 0; c < 8 && same; c++)
                same = strcmp(csv_row(published, k)->field[c], row->field[c]) == 0;
            again = again || same;
        }
        /* N/A is printed where the paper has no number, and its reason is the note. */
        const bool number = parse_number(row->field[8], &value) ||
                            (strcmp(row->field[8], "N/A") == 0 && row->field[10][0] != '\0');
        check(number && row->field[9][0] != '\0' && !again,
              "printed %s %s %s is a number with a unit, or N/A with a reason, once", path,
              row->field[6], row->field[7]);
        if (is_text_row(paper, row))
            test_text_row(paper, row, path);
        else
            test_printed_row(row, path, &plan);
    }
    for (size_t i = 0; i < plan.count; i++) {
        const struct job *job = &plan.jobs[i];
        const struct paper *of = NULL;
        (void)find_exhibit(job->exhibit->id, &of);
        if (of == paper && job->exhibit->published == NULL && job->variant->role == PUBLISHED &&
            prints_numbers(published, job->exhibit))
            check(has_row(published, job), "job %s is printed", job->path);
    }
    test_errata(paper, published);
cleanup:
    plan_free(&plan);
    csv_free(published);
}

/* --- what one printed table says of another --- */

static double printed_value(const struct csv *csv, const char *exhibit, const char *variant,
                            const char *hardware, const char *n, const char *statistic)
{
    for (size_t i = 0; i < csv_rows(csv); i++) {
        char *const *f = csv_row(csv, i)->field;
        if (strcmp(f[0], exhibit) == 0 && strcmp(f[1], "model2") == 0 &&
            strcmp(f[2], variant) == 0 && strstr(f[4], hardware) != NULL && strcmp(f[5], n) == 0 &&
            strcmp(f[7], statistic) == 0)
            return strtod(f[8], NULL);
    }
    return NAN;
}

/* Table 2 of par2011, Model 2 on the C1060, follows from its Table 1 to the last digit. */
static void test_table2_follows(void)
{
    static const char *const variants[] = {"GPU", "GPU-RB", "GPU-RBS"};
    static const char *const statistics[] = {"mean", "min", "max"};
    struct csv *csv = NULL;
    if (!check(csv_parse(embedded_text("par2011.csv"), "par2011.csv", &csv) == OK,
               "par2011: the printed values are read"))
        return;
    for (int v = 0; v < 3; v++) {
        double ratios[6];
        char ratio[32];
        for (int k = 0; k < 6; k++) {
            char n[16];
            snprintf(n, sizeof n, "%d", 1500 + 500 * k);
            ratios[k] = printed_value(csv, "par2011-table1", variants[v], "C1060", n, "value") /
                        printed_value(csv, "par2011-table1", "CPU", "i7", n, "value");
        }
        snprintf(ratio, sizeof ratio, "%s/CPU", variants[v]);
        for (int s = 0; s < 3; s++) {
            const double ours = summarise(statistics[s], ratios, 6);
            const double printed =
                printed_value(csv, "par2011-table2", ratio, "C1060", "1500-4000", statistics[s]);
            check(fabs(ours - printed) <= 0.005 + 1e-9,
                  "par2011: %s %s of table 2, %.2f, follows "
                  "from table 1: %.4f",
                  statistics[s], ratio, printed, ours);
        }
    }
    csv_free(csv);
}

/* --- variants by id, role and glob --- */

static void test_variants(void)
{
    static const struct {
        const char *exhibit, *variants;
    } lists[] = {
        {"bvp2010-table1", "A1S A1D A2S A2D A2SD"},
        {"bvp2010-table3",
         "A1D A2D A2SD A1D-omp A2-limit lapack-dptsv cumsum cub-sums cusparse-gtsv2"},
        /* cpuN is named, and so is not among the limits. */
        {"cf2011-table5", "cpu1 cpuN gpu gpu-coop"},
        {"par2011-table1", "CPU GPU GPU-RB GPU-RBS CPU-omp GPU-TB GPU-limit-fma"},
        {"par2011-table2", "GPU/CPU GPU-RB/CPU GPU-RBS/CPU GPU-RB/CPU-omp GPU-TB/CPU-omp "
                           "GPU-limit-fma/CPU-omp"},
        {"wr2014-fig4.8", "wr-jacobi-cpu wr-jacobi-gpu wr-jacobi-gpu-fused wr-jacobi-gpu-dense "
                          "wr-jacobi-omp wr-jacobi-blas "
                          "wr-jacobi-cublas"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char ids[512] = "";
        for (const char *const *id = exhibit_variants(find_exhibit(lists[i].exhibit, NULL)); *id;
             id++)
            snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s%s", ids[0] ? " " : "", *id);
        check(strcmp(ids, lists[i].variants) == 0, "%s has %s", lists[i].exhibit,
              lists[i].variants);
    }
}

/* --- plots --- */

static void test_plots(const char *folder)
{
    DIR *plots = opendir(folder);
    check(plots != NULL, "the folder %s is there", folder);
    if (plots == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(plots)) != NULL;) {
        char path[1024], id[256];
        snprintf(id, sizeof id, "%s", entry->d_name);
        char *end = strstr(id, ".gp");
        if (end == NULL || end[3] != '\0')
            continue;
        *end = '\0';
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "rb");
        const char *text = embedded_text(entry->d_name);
        bool same = file != NULL && text != NULL;
        for (int c; same && (c = getc(file)) != EOF; text++)
            same = *text == (char)c;
        check(same && *text == '\0', "plots/%s is in the program, every byte", entry->d_name);
        /* What is shared has a name of its own. */
        bool of_a_paper = false;
        for (int i = 0; papers[i] != NULL; i++)
            of_a_paper = of_a_paper || strncmp(id, papers[i]->id, strlen(papers[i]->id)) == 0;
        check(find_exhibit(id, NULL) != NULL || !of_a_paper, "plots/%s is named after an exhibit",
              entry->d_name);
        if (file != NULL)
            fclose(file);
    }
    closedir(plots);
}

int main(int argc, char **argv)
{
    test_families();
    for (int i = 0; papers[i] != NULL; i++) {
        const struct paper *paper = papers[i];
        check(is_id(paper->id) && filled(paper->citation), "paper %s is complete", paper->id);
        for (const struct exhibit *e = paper->exhibits; e->id != NULL; e++) {
            test_exhibit(paper, e);
            if (exhibit_is_timed(e) || strcmp(e->metric, "speedup") == 0)
                continue;
            const bool order = strncmp(e->metric, "order_", 6) == 0;
            const char *metric = e->metric + (order ? 6 : 0);
            for (const struct exhibit_case *c = exhibit_cases(e); c->id != NULL; c++)
                check(judge_gives(source_exhibit(e), c, metric) &&
                          (!order || judge_gives(source_exhibit(e), c, "h")),
                      "%s: the judge of %s gives %s", e->id, c->id, metric);
        }
        test_claims(paper);
        test_published(paper);
    }
    test_table2_follows();
    test_jobs("smoke");
    test_jobs("quick");
    test_jobs("paper");
    test_variants();
    if (argc > 1) {
        char library[1024];
        snprintf(library, sizeof library, "%s/lib", argv[1]);
        test_plots(argv[1]);
        test_plots(library);
    }
    return done();
}
