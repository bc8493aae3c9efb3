/*
 * Repetitions: which runs of a job there are beside the two that are compared, what they say of its
 * noise from run to run, and what is assumed where they say nothing.
 */
#include "compare/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "run/catalogue.h"

/* What is assumed, and weighs as much as three jobs whose noise is known. Device, launches: the
 * deviation of the ceilings' medians between five runs on one H200, rounded up: copy 0.4 and 0.5 %,
 * write 0.4 and 0.5, multiply-add 0.02 and 0.004; launches 1.8 % and 4 %, most of which their own
 * rounds explain: of 160 jobs that an H200 ran twice, those bound by launches have 0.6 % in the
 * middle, and one in ten 5 %. Host: x += c a between four of these runs 5 %, between two on a host
 * of two cores 11 %; multiply-add 18 %, and 3 % in the middle of 98 jobs on those two cores.
 */
static const struct {
    const char *name;
    double deviation;
} assumed[BOUNDS] = {[BY_DEVICE] = {"the device", 0.004},
                     [BY_LAUNCHES] = {"launches from the host", 0.02},
                     [BY_MEMORY] = {"the host's memory", 0.07},
                     [BY_CORES] = {"the host's cores", 0.07}};

struct repeats {
    const struct folder *jobs; /* whose records the jobs are: NEW */
    const struct folder *base;
    enum bound *bound;
    size_t *place; /* of a job among those of its kind */
    size_t *times; /* how often it was repeated */
    struct difference *list[BOUNDS];
    size_t count[BOUNDS], room;
};

/* --- what a job is bound by --- */

struct speeds { /* at best, as the ceilings of a run say; NaN: they do not */
    double launch_s, host_bytes_per_s;
};

static const struct variant *variant_of(const struct record *r)
{
    const struct exhibit *const e = find_exhibit(r->key.exhibit, NULL);
    return e == NULL ? NULL
                     : find_variant(find_family(e->family), r->key.variant, r->key.precision);
}

static double launches_of(const struct folder *run, const struct record *r)
{
    return folder_value(run, &r->key, "launches", "model");
}

static struct speeds speeds_of(const struct folder *run)
{
    struct speeds out = {NAN, NAN};
    for (size_t i = 0; i < run->record_count; i++) {
        const struct record *const r = &run->records[i];
        const struct variant *const v = is_ceiling_key(&r->key) ? variant_of(r) : NULL;
        if (v == NULL || !(r->time.value > 0))
            continue;
        if (uses_device(v) && launches_of(run, r) > 0)
            out.launch_s = fmin(out.launch_s, r->time.value / launches_of(run, r));
        if (!uses_device(v) && r->bytes > 0)
            out.host_bytes_per_s = fmax(out.host_bytes_per_s, r->bytes / r->time.value);
    }
    return out;
}

/* In both runs. Each round is a process of its own: what makes runs unlike is in them, too. A2D at
 * 2^22, run twice on an H200, had rounds that deviate by 1.1 %, and was 0.1 % apart. */
static bool is_steady(const struct repeats *all, const struct record *r)
{
    const double steady = 0.015;
    const struct record *const base = folder_record(all->base, &r->key);
    return rounds_deviation(r->medians, r->rounds) < steady &&
           (base == NULL || rounds_deviation(base->medians, base->rounds) < steady);
}

/* Launches hide behind kernels until they take a third of the time: of 604 jobs on an H200 the
 * rounds of those below it deviate by 0.3 % in the middle, of those above by 1.4 %, up to 16, as do
 * those of which the host has a part. But nearly half of these are as steady as what the device
 * bounds, and would be blinded by the others. A solve so short that it is timed in batches stays
 * in the caches. */
static enum bound bound_of(const struct repeats *all, const struct record *r,
                           const struct speeds *speeds)
{
    const struct variant *const v = variant_of(r);
    const double seconds = r->time.value;
    if (v != NULL && uses_device(v)) {
        const bool waits =
            v->place == HYBRID || launches_of(all->jobs, r) * speeds->launch_s > seconds / 3;
        return !v->graph && waits && !is_steady(all, r) ? BY_LAUNCHES : BY_DEVICE;
    }
    return r->batch <= 1 && r->bytes / speeds->host_bytes_per_s > seconds / 2 ? BY_MEMORY
                                                                              : BY_CORES;
}

/* Ceilings are no jobs of anybody's. */
static bool has_noise(const struct record *r)
{
    return !is_ceiling_key(&r->key) && has_times(r->state) && r->time.value > 0;
}

/* --- differences --- */

static bool comparable(const struct record *a, const struct record *b)
{
    return a != NULL && b != NULL && has_noise(a) && has_noise(b) && a->rounds >= 3 &&
           b->rounds >= 3 && (a->batch > 1) == (b->batch > 1);
}

static bool is_same_program(const struct folder *a, const struct folder *b)
{
    return same_fact(&a->facts, &b->facts, "code") && !fact_is(&a->facts, "code", "");
}

static void add_difference(struct repeats *all, size_t job, const struct folder *before,
                           const struct folder *after)
{
    const struct key *const key = &all->jobs->records[job].key;
    const struct record *const a = folder_record(before, key), *const b = folder_record(after, key);
    if (!comparable(a, b))
        return;
    const enum bound bound = all->bound[job];
    const struct ratio r = ratio_of_rounds(a->medians, a->rounds, b->medians, b->rounds, &no_noise);
    if (!(r.error >= 0)) /* a round that is no number */
        return;
    all->times[job]++;
    all->list[bound][all->count[bound]++] = (struct difference){
        all->place[job], log(r.value), r.error, !is_same_program(before, after)};
}

/* Of every job that both have; successive runs, or a run and its repetition. */
static enum status add_differences(struct repeats *all, const struct folder *before,
                                   const struct folder *after)
{
    all->room += all->jobs->record_count;
    for (int b = 0; b < BOUNDS; b++) {
        struct difference *const more = realloc(all->list[b], all->room * sizeof *more);
        if (more == NULL)
            return because(ERR_MEMORY, "there is no memory for the repetitions of %zu jobs",
                           all->jobs->record_count);
        all->list[b] = more;
    }
    for (size_t j = 0; j < all->jobs->record_count; j++)
        if (has_noise(&all->jobs->records[j]))
            add_difference(all, j, before, after);
    return OK;
}

/* The run's own repetition, unless that is what it is compared with. */
static enum status add_self(struct repeats *all, const struct side *run)
{
    const char *const name = internf("%s/self", run->folder.name);
    struct side self;
    if (access(internf("%s/run.csv", name), F_OK) != 0 || is_same_folder(name, all->jobs->name))
        return OK;
    enum status status = side_load(name, &self);
    if (status != OK) {
        fprintf(stderr, "left out: %s: %s\n", name, reason());
        return OK;
    }
    if (same_fact(&self.folder.facts, &all->jobs->facts, "fingerprint"))
        status = add_differences(all, &run->folder, &self.folder);
    side_free(&self);
    return status;
}

static enum status add_earlier(struct repeats *all, const struct side *base,
                               const char *const *earlier, int count)
{
    struct side before = {.folder.name = NULL}, next;
    enum status status = OK;
    for (int i = count - 1; i >= 0 && status == OK; i--) { /* the oldest first */
        if (is_same_folder(earlier[i], base->folder.name))
            continue;
        if (side_load(earlier[i], &next) != OK) {
            fprintf(stderr, "left out: %s: %s\n", earlier[i], reason());
            continue;
        }
        status = add_self(all, &next);
        if (before.folder.name != NULL && status == OK)
            status = add_differences(all, &before.folder, &next.folder);
        side_free(&before);
        before = next;
    }
    if (before.folder.name != NULL && status == OK)
        status = add_differences(all, &before.folder, &base->folder);
    side_free(&before);
    return status;
}

/* --- what they say --- */

/* So far; the differences that follow are those of the two runs at hand. */
static void count_repetitions(const struct repeats *all, struct noises *out)
{
    for (int b = 0; b < BOUNDS; b++)
        out->of[b].differences = all->count[b];
    for (size_t j = 0; j < all->jobs->record_count; j++)
        out->of[all->bound[j]].repeated += all->times[j] > 0;
}

static enum status conclude(const struct repeats *all, enum bound bound, struct noises *out)
{
    struct noise_of_bound *const of = &out->of[bound];
    const size_t own = of->differences;
    const struct differences repeated = {all->list[bound], own};
    const size_t count = all->count[bound] - own;
    const struct differences at_hand = {count > 0 ? all->list[bound] + own : NULL, count};
    struct noise *const of_job = calloc(of->jobs + 1, sizeof *of_job);
    const bool fits = of_job != NULL && noise_fit(repeated, at_hand, of->jobs,
                                                  assumed[bound].deviation, of_job, &of->noise);
    of->at_hand = at_hand.count;
    for (size_t j = 0; j < all->jobs->record_count && fits; j++)
        if (has_noise(&all->jobs->records[j]) && all->bound[j] == bound)
            out->of_job[j] = of_job[all->place[j]];
    free(of_job);
    return fits ? OK
                : because(ERR_MEMORY, "there is no memory for the noise of %zu jobs", of->jobs);
}

static void sort_jobs(struct repeats *all, struct noises *out)
{
    const struct speeds speeds = speeds_of(all->jobs);
    for (size_t j = 0; j < all->jobs->record_count; j++) {
        const struct record *const r = &all->jobs->records[j];
        if (!has_noise(r))
            continue;
        all->bound[j] = bound_of(all, r, &speeds);
        all->place[j] = out->of[all->bound[j]].jobs++;
    }
}

enum status noises_load(const struct side *base, const struct side *now_,
                        const char *const *earlier, int earlier_count, struct noises *out)
{
    const size_t records = now_->folder.record_count;
    const bool two = !is_same_folder(base->folder.name, now_->folder.name);
    struct repeats all = {.jobs = &now_->folder,
                          .base = &base->folder,
                          .bound = calloc(records + 1, sizeof *all.bound),
                          .place = calloc(records + 1, sizeof *all.place),
                          .times = calloc(records + 1, sizeof *all.times)};
    *out = (struct noises){.of_job = calloc(records + 1, sizeof *out->of_job)};
    enum status status = OK;
    if (all.bound == NULL || all.place == NULL || all.times == NULL || out->of_job == NULL)
        status = because(ERR_MEMORY, "there is no memory for the noise of %zu jobs", records);
    if (status == OK) {
        sort_jobs(&all, out);
        status = add_earlier(&all, base, earlier, earlier_count);
    }
    if (status == OK)
        status = add_self(&all, base);
    if (status == OK && two)
        status = add_self(&all, now_);
    if (status == OK)
        count_repetitions(&all, out);
    if (status == OK && two)
        status = add_differences(&all, &base->folder, &now_->folder);
    for (enum bound b = 0; b < BOUNDS && status == OK; b++)
        status = conclude(&all, b, out);
    for (int b = 0; b < BOUNDS; b++)
        free(all.list[b]);
    free(all.bound);
    free(all.place);
    free(all.times);
    if (status != OK)
        noises_free(out);
    return status;
}

void noises_free(struct noises *noises)
{
    free(noises->of_job);
    *noises = (struct noises){.of_job = NULL};
}

void noises_put(const struct noises *noises, struct document *d)
{
    static const struct field columns[] = {{"jobs", "noise from run to run of %s jobs"},
                                           {"bound_by", " bound by %s"},
                                           {"middle", ": %s in the middle"},
                                           {"one_in_ten", ", %s for one in ten"},
                                           {"differences", "; %s"},
                                           {"repeated", ", of %s jobs"},
                                           {NULL, NULL}};
    struct table t;
    table_begin(&t, d, "noises", LINES, columns);
    for (int b = 0; b < BOUNDS && noises != NULL && noises->of_job != NULL; b++) {
        const struct noise_of_bound *const of = &noises->of[b];
        const double middle = noise_quantile(&of->noise, 0.5),
                     tenth = noise_quantile(&of->noise, 0.9);
        if (of->jobs == 0)
            continue;
        table_number(&t, (double)of->jobs, 9);
        table_word(&t, assumed[b].name);
        table_number_shown(&t, internf("%.2g %%", 100 * middle), middle);
        table_number_shown(&t, internf("%.2g %%", 100 * tenth), tenth);
        table_number_shown(
            &t,
            of->differences > 0 ? internf("from %zu differences of runs", of->differences)
            : of->at_hand > 0   ? "assumed and what these two show, as no job was run twice"
                                : "assumed, as no job was run twice",
            (double)of->differences);
        table_number_shown(&t, of->repeated > 0 ? internf("%zu", of->repeated) : "",
                           (double)of->repeated);
    }
    table_end(&t);
}
