/*
 * From exhibits to jobs: every problem, variant and size of an exhibit that the selection keeps.
 * One mechanism selects: globs on the path exhibit/case/variant/precision/n.
 */
#include "run/plan.h"

#include <assert.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"
#include "base/record.h"
#include "machine/device.h"
#include "machine/facts.h"
#include "run/rows.h"

enum { MAX_SIZES = 64 };

/* n may be written as 1048576 or as 2^20 in a glob. */
static bool glob_takes(const char *glob, const char *path)
{
    const char *const slash = strrchr(path, '/');
    const double power = slash != NULL ? log2(number_of(slash + 1)) : (double)NAN;
    return glob_matches(glob, path) ||
           (power == floor(power) &&
            glob_matches(glob, internf("%.*s/2^%.0f", (int)(slash - path), path, power)));
}

bool path_selected(const struct selection *selection, const char *path)
{
    bool any = selection->glob_count == 0;
    for (int i = 0; i < selection->glob_count; i++)
        any = any || glob_takes(selection->globs[i], path);
    for (int i = 0; i < selection->excluded_count; i++)
        any = any && !glob_takes(selection->excluded[i], path);
    return any;
}

bool selection_is_empty(const struct selection *selection)
{
    return selection->glob_count + selection->excluded_count == 0;
}

void path_mark(const struct selection *selection, const char *path, bool *matched)
{
    for (int i = 0; i < selection->glob_count; i++)
        matched[i] = matched[i] || glob_takes(selection->globs[i], path);
}

static enum status add_glob(struct selection *selection, const char *glob)
{
    if (selection->glob_count == MOST_GLOBS)
        return because(ERR_ARGS, "more than %d globs; write some as one, as 'a/@(b|c)/*'",
                       MOST_GLOBS);
    selection->globs[selection->glob_count++] = glob;
    return OK;
}

/* Each line of it that says something. */
static enum status add_globs_of(struct selection *selection, const char *file)
{
    struct text text = {0};
    enum status status = text_load(file, &text);
    const int before = selection->glob_count;
    char *rest = text.data;
    for (char *line; status == OK && (line = strsep(&rest, "\n")) != NULL;) {
        line += strspn(line, " \t\r");
        const size_t length = strcspn(line, " \t\r#"); /* no glob has a blank */
        if (length > 0)
            status = add_glob(selection, internf("%.*s", (int)length, line));
    }
    text_free(&text);
    if (status == OK && selection->glob_count == before)
        status = because(ERR_ARGS, "%s has no glob in it; write one a line", file);
    return status == ERR_IO ? ERR_ARGS : status;
}

enum status selection_add(struct selection *selection, const char *word)
{
    const bool file = word[0] == '@' && word[1] != '('; /* @(a|b) is a glob */
    return file ? add_globs_of(selection, word + 1) : add_glob(selection, word);
}

static bool path_matches(const char *glob, const char *exhibit, const struct job *job)
{
    struct key key = job->key;
    key.exhibit = exhibit;
    return glob_takes(glob, key_path(&key));
}

/* A view has no jobs of its own: to choose it is to choose those that it shows. */
static bool job_matches(const char *glob, const struct job *job)
{
    bool any = path_matches(glob, job->exhibit->id, job);
    for (int i = 0; papers[i] != NULL && !any; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL && !any; e++)
            any = e->view_of != NULL && strcmp(e->view_of, job->exhibit->id) == 0 &&
                  path_matches(glob, e->id, job);
    return any;
}

const char *not_in_this_build(const struct variant *variant)
{
    const bool timeless = variant->role == CEILING && uses_device(variant) && !device_has_time();
    return timeless ? "the device is emulated, and its times mean nothing" : variant->unavailable;
}

int ranks_of(const struct variant *variant, const struct params *at)
{
    return variant->ranks ? (int)get_long(at, "ranks") : 1;
}

enum status job_fits(const struct job *job, double device_free, double held)
{
    const bool device = uses_device(job->variant);
    if (device && device_has_time() && !(job->work.device_bytes <= device_free))
        return because(SKIPPED, "needs %.1f GiB of device memory and %.1f GiB are free",
                       job->work.device_bytes / 0x1p30, device_free / 0x1p30);
    /* With the solution that is judged; emulated devices live in the same memory. */
    const double solution = (double)job->n * (double)value_size(job->variant->precision);
    const double needed =
        job->work.host_bytes + solution - fmin(held, solution) +
        (device && !device_has_time() ? job->work.device_bytes * ranks_of(job->variant, &job->at)
                                      : 0);
    if (!(needed <= available_memory()))
        return because(SKIPPED, "needs %.1f GiB of memory and %.1f GiB are free", needed / 0x1p30,
                       available_memory() / 0x1p30);
    return OK;
}

bool is_timed(const struct job *job)
{
    return exhibit_is_timed(job->exhibit);
}

/* Whether a run of one is a run of the other, which keeps no fields of its own. */
static bool job_tells(const struct job *job, const struct job *other)
{
    return job->variant == other->variant && other->exhibit->fields == NULL &&
           params_same(&job->at, &other->at);
}

double estimate_seconds(const struct job *job)
{
    /* Rates that any machine of the last ten years exceeds; the emulated device runs a kernel at
     * some 30 million updates a second and core. With n values brought. Good for deadlines. */
    const bool on_device = job->variant->place == DEVICE || job->variant->place == HYBRID;
    const bool emulated = on_device && !device_has_time();
    const double bytes = emulated ? 1e9 : on_device ? 1e11 : 5e9;
    const double flops = emulated ? 3e8 : on_device ? 1e11 : 1e9;
    const double answer = (double)job->n * (double)value_size(job->variant->precision);
    return 1e-3 + job->work.bytes / bytes + job->work.flops / flops + answer / 5e9;
}

const struct job *plan_same(const struct plan *plan, size_t i)
{
    const struct job *const job = &plan->jobs[i], *first = NULL;
    for (size_t k = 0; k < plan->count; k++) {
        const struct job *const other = &plan->jobs[k];
        if (k == i || is_timed(job) != is_timed(other) || !job_tells(other, job))
            continue;
        if (k < i && first == NULL)
            first = other;
    }
    return first;
}

/* Of an exhibit; a view's are of the jobs that it shows. */
static void mark_printed(const struct plan *plan, const struct exhibit *e,
                         const struct measurement *published, size_t count, bool *printed)
{
    const char *const id = intern(e->published != NULL ? e->published : e->id);
    const struct exhibit *const source = source_exhibit(e);
    for (size_t k = 0; k < count; k++) {
        const enum metric_kind kind = metric_kind(e, published[k].metric);
        struct key key = published[k].key;
        if (key.exhibit != id || isnan(published[k].value) ||
            (kind != METRIC_JUDGED && kind != METRIC_ORDER))
            continue;
        key.exhibit = intern(source->id);
        for (size_t i = 0; i < plan->count; i++)
            printed[i] = printed[i] || key_same(&plan->jobs[i].key, &key);
    }
}

enum status plan_errors(const struct plan *plan, bool *printed)
{
    enum status status = OK;
    memset(printed, 0, plan->count * sizeof *printed);
    for (int i = 0; papers[i] != NULL && status == OK; i++) {
        struct csv *csv = NULL;
        struct measurement *rows = NULL;
        status = csv_parse(published_of(papers[i]), papers[i]->id, &csv);
        if (status == OK) {
            rows = measurements_of(csv);
            status = rows != NULL ? OK : ERR_MEMORY;
        }
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL && status == OK; e++)
            if (!e->of_machine)
                mark_printed(plan, e, rows, csv_rows(csv), printed);
        free(rows);
        csv_free(csv);
    }
    return status;
}

struct builder {
    const struct selection *selection;
    struct plan *plan;
    size_t capacity;
    bool matched[MOST_GLOBS], excluded[MOST_GLOBS];
    bool left_out[MOST_GLOBS]; /* the glob matches what is excluded */
};

static bool wanted(struct builder *builder, const struct job *job)
{
    const struct selection *s = builder->selection;
    bool left_out = false;
    for (int i = 0; i < s->excluded_count; i++)
        if (job_matches(s->excluded[i], job))
            left_out = builder->excluded[i] = true;
    bool any = s->glob_count == 0;
    for (int i = 0; i < s->glob_count; i++)
        if (job_matches(s->globs[i], job))
            any = (left_out ? builder->left_out : builder->matched)[i] = true;
    return any && !left_out;
}

static void job_name(struct job *job)
{
    assert(job->problem != NULL && job->of != NULL);
    job->key = key_make(job->exhibit->id, job->of->id, job->variant->id,
                        precision_name(job->variant->precision), internf("%ld", job->n));
    job->path = key_path(&job->key);
}

/* exhibit, family, problem, variant and n are set; fills parameters and work. */
static enum status job_complete(struct job *job)
{
    const struct exhibit *e = job->exhibit;
    params_init(&job->at, job->problem);
    enum status status = OK;
    for (const struct setting *s = e->fixed; s->name != NULL && status == OK; s++)
        status = params_set(&job->at, s->name, s->value);
    for (const struct setting *s = job->of->fixed; s->name != NULL && status == OK; s++)
        status = params_set(&job->at, s->name, s->value);
    if (status == OK)
        status = params_set(&job->at, job->problem->parameters[0].name, job->key.n);
    if (status != OK)
        return status;
    job->work = job->variant->work(job->variant, &job->at);
    return OK;
}

enum status job_from_path(const char *path, struct job *out)
{
    struct key key;
    struct job job = {.exhibit = NULL};
    if (key_parse(path, &key))
        job.exhibit = find_exhibit(key.exhibit, NULL);
    if (job.exhibit != NULL) {
        job.family = find_family(job.exhibit->family);
        job.of = find_case(job.exhibit, key.of);
        job.problem = job.of != NULL ? case_problem(job.family, job.of) : NULL;
        job.variant = find_variant(job.family, key.variant, key.precision);
        job.n = strtol(key.n, NULL, 10);
    }
    const bool known = job.problem != NULL && job.variant != NULL && job.n >= 1;
    if (known)
        job_name(&job);
    if (!known || strcmp(job.path, path) != 0) /* as of the size "01000" */
        return because(ERR_ARGS, "there is no job '%s'", path);
    const enum status status = job_complete(&job);
    if (status == OK)
        *out = job;
    return status;
}

static enum status add_job(struct builder *builder, struct job *job)
{
    job_name(job);
    if (!wanted(builder, job)) /* what is not wanted need not allow this size */
        return OK;
    const enum status status = job_complete(job);
    if (status != OK)
        return status;
    struct plan *plan = builder->plan;
    if (plan->count == builder->capacity) {
        builder->capacity = 2 * builder->capacity + 64;
        plan->jobs = realloc(plan->jobs, builder->capacity * sizeof *plan->jobs);
        if (plan->jobs == NULL)
            return because(ERR_MEMORY, "there is no memory for %zu jobs", builder->capacity);
    }
    plan->jobs[plan->count++] = *job;
    return OK;
}

static enum status add_exhibit(struct builder *builder, const struct exhibit *e)
{
    const struct selection *selection = builder->selection;
    const char *size = selection->size;
    const char *list = strcmp(size, "smoke") == 0   ? e->axis.smoke
                       : strcmp(size, "quick") == 0 ? e->axis.quick
                                                    : e->axis.paper;
    long sizes[MAX_SIZES];
    int count = 0;
    if (e->view_of != NULL)
        return OK; /* its jobs are another's */
    if (selection->axis_override != NULL)
        list = selection->axis_override;
    enum status status = expand_axis(list, sizes, MAX_SIZES, &count);
    const struct family *family = find_family(e->family);
    assert(family != NULL);
    const char *const *ids = exhibit_variants(e);
    for (const struct exhibit_case *of = e->cases; of->id != NULL; of++)
        for (int k = 0; k < count; k++)
            for (int v = 0; ids[v] != NULL; v++) {
                /* All precisions of a variant: its label stands for each of them. */
                for (const struct variant *variant = family->variants; variant->id; variant++) {
                    if (strcmp(variant->id, ids[v]) != 0 || status != OK ||
                        (e->precision != NULL &&
                         strcmp(e->precision, precision_name(variant->precision)) != 0) ||
                        left_out(e, of->id, variant->id, precision_name(variant->precision),
                                 sizes[k]) != NULL)
                        continue;
                    struct job job = {.exhibit = e,
                                      .family = family,
                                      .variant = variant,
                                      .of = of,
                                      .problem = case_problem(family, of),
                                      .n = sizes[k]};
                    status = add_job(builder, &job);
                }
            }
    return status;
}

/* Every id that a glob could have meant. */
static struct names all_ids(void)
{
    struct names names = {0};
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL; e++) {
            names_add(&names, e->id);
            for (const struct exhibit_case *c = e->cases; c->id != NULL; c++)
                names_add(&names, c->id);
        }
    for (int i = 0; families[i] != NULL; i++) {
        for (const struct problem *p = families[i]->problems; p->id != NULL; p++)
            names_add(&names, p->id);
        for (const struct variant *v = families[i]->variants; v->id != NULL; v++)
            names_add(&names, v->id);
    }
    return names;
}

/* The name nearest to the first part of the glob that is a plain word and no name at all. */
static const char *nearest_id(const char *glob)
{
    struct names names = all_ids();
    const char *meant = NULL;
    char *const copy = strdup(glob), *rest = NULL;
    char *const part = strtok_r(copy, "/", &rest);
    for (char *p = part; p != NULL && meant == NULL; p = strtok_r(NULL, "/", &rest)) {
        bool known = strpbrk(p, "*?[^0123456789") == p || strpbrk(p, "*?[") != NULL;
        for (size_t i = 0; i < names.count && !known; i++)
            known = strcmp(names.list[i], p) == 0;
        meant = known ? NULL : p;
    }
    const char *const best = names_nearest(&names, meant != NULL  ? meant
                                                   : part != NULL ? part
                                                                  : "");
    free(copy);
    return best;
}

enum status plan_make(const struct selection *selection, struct plan *out)
{
    struct builder builder = {.selection = selection, .plan = out};
    *out = (struct plan){0};
    enum status status = OK;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL && status == OK; e++)
            status = add_exhibit(&builder, e);
    for (int i = 0; i < selection->glob_count && status == OK; i++)
        if (!builder.matched[i] && builder.left_out[i])
            status = because(ERR_ARGS, "-x leaves no job that '%s' matches", selection->globs[i]);
        else if (!builder.matched[i])
            status = because(ERR_ARGS,
                             "'%s' matches no job at these sizes; the nearest name is '%s', and "
                             "`reprise list jobs` shows all",
                             selection->globs[i], nearest_id(selection->globs[i]));
    for (int i = 0; i < selection->excluded_count && status == OK; i++)
        if (!builder.excluded[i])
            status = because(ERR_ARGS, "-x '%s' leaves out no job; the nearest name is '%s'",
                             selection->excluded[i], nearest_id(selection->excluded[i]));
    if (status == OK && out->count == 0)
        status = because(ERR_ARGS, "the selection leaves no job; see `reprise list jobs`");
    if (status != OK)
        plan_free(out);
    return status;
}

void plan_free(struct plan *plan)
{
    free(plan->jobs);
    *plan = (struct plan){0};
}
