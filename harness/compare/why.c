/*
 * Ratios of times as products of what ceilings and programs have in them.
 */
#include "compare/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"
#include "base/record.h"
#include "run/catalogue.h"

/* --- the rule --- */

struct line { /* the logarithm of a part's time, on the way from one machine to the other, 0 .. 1 */
    double begin, slope;
    bool there;
};

/* Which one lies above all others at the beginning, and goes on to; -1: there is none. */
static int highest(const struct line lines[CEILINGS])
{
    int best = -1;
    for (int c = 0; c < CEILINGS; c++)
        if (lines[c].there &&
            (best < 0 || lines[c].begin > lines[best].begin ||
             (lines[c].begin == lines[best].begin && lines[c].slope > lines[best].slope)))
            best = c;
    return best;
}

/* Which one takes over from the line `now` next, and where; `now` itself: none before the end. */
static int next_highest(const struct line lines[CEILINGS], int now_, double *where)
{
    int next = now_;
    *where = 1;
    for (int c = 0; c < CEILINGS; c++) {
        const double gains = lines[c].slope - lines[now_].slope;
        const double at = (lines[now_].begin - lines[c].begin) / gains;
        if (lines[c].there && gains > 0 && at < *where) {
            *where = at;
            next = c;
        }
    }
    return next;
}

void split_limits(const double from[CEILINGS], const double to[CEILINGS], double logs[CEILINGS])
{
    struct line lines[CEILINGS];
    for (int c = 0; c < CEILINGS; c++) {
        lines[c].there = from[c] > 0 && to[c] > 0;
        lines[c].begin = log(from[c]);
        lines[c].slope = log(to[c]) - lines[c].begin;
        logs[c] = 0;
    }
    double at = 0, where;
    for (int c = highest(lines), next; c >= 0; c = next != c ? next : -1) {
        next = next_highest(lines, c, &where);
        where = fmax(where, at); /* but for rounding it is */
        logs[c] -= lines[c].slope * (where - at);
        at = where;
    }
}

/* --- a job --- */

/* Of the first of two runs that has it. */
static void take_count(const struct folder *const runs[2], const struct key *key,
                       const char *metric, double *count)
{
    for (int i = 1; i >= 0; i--) {
        const double counted = folder_value(runs[i], key, metric, "model");
        *count = isnan(counted) ? *count : counted;
    }
}

/* The record's job, and the work that its run counted; of a printed time that which the other side
 * did, or which is expected. */
static bool find_work(const struct side *const sides[2], const struct record *r, int k,
                      struct job *job, struct work *work)
{
    if (job_from_path(key_path(&r->key), job) != OK)
        return false;
    *work = job->work;
    const struct folder *const runs[] = {&sides[k]->folder, &sides[1 - k]->folder};
    take_count(runs, &r->key, "flops", &work->flops);
    take_count(runs, &r->key, "bytes", &work->bytes);
    take_count(runs, &r->key, "launches", &work->launches);
    if (job->work.tensor > 0)
        work->tensor = work->flops * (job->work.tensor / job->work.flops);
    return true;
}

struct why why_faster(const struct side *const sides[2], const struct couple *couple)
{
    const struct record *const *const r = couple->records;
    struct why why = {.faster = r[0]->time.value / r[1]->time.value, .by = {NAN, NAN, NAN}};
    double sums[CEILINGS] = {0};
    bool known[CEILINGS] = {false};
    int works = 0;
    for (int k = 0; k < 2; k++) {
        struct job job;
        struct work work;
        double from[CEILINGS], to[CEILINGS], logs[CEILINGS];
        if (!find_work(sides, r[k], k, &job, &work))
            continue;
        limit_parts(&sides[0]->limits, job.variant, &work, from);
        limit_parts(&sides[1]->limits, job.variant, &work, to);
        split_limits(from, to, logs);
        works++;
        for (int c = 0; c < CEILINGS; c++) {
            sums[c] += logs[c];
            known[c] = known[c] || (from[c] >= 0 && to[c] >= 0);
        }
    }
    why.rest = why.faster;
    for (int c = 0; c < CEILINGS; c++)
        if (known[c]) {
            why.by[c] = exp(sums[c] / works);
            why.rest /= why.by[c];
        }
    return why;
}

static enum precision precision_of(const struct key *key)
{
    enum precision p = SINGLE;
    while (p < MIXED && strcmp(precision_name(p), key->precision) != 0)
        p++;
    return p;
}

struct against held_against(const struct side *const sides[2], const struct couple *couple, int k)
{
    const struct record *const record = couple->records[k];
    struct against share = {copy_share(sides[k], record), NAN, NAN};
    struct job job;
    struct work work;
    if (!find_work(sides, record, k, &job, &work))
        return share;
    const double limit = limit_seconds(&sides[k]->limits, job.variant, &work);
    struct variant asked = *job.variant; /* what stands in for a less precise one does its task */
    asked.precision = precision_of(&couple->key);
    job.variant = &asked;
    const struct work least = work_of_task(&job);
    const double task = limit_seconds(&sides[k]->limits, &asked, &least);
    share.limit = limit > 0 ? limit / record->time.value : (double)NAN;
    share.task = task > 0 ? task / record->time.value : (double)NAN;
    return share;
}

/* --- means --- */

const char *errata_shown(const char *errata)
{
    return errata[0] == '\0'
               ? ""
               : internf("%s %s", strchr(errata, ' ') != NULL ? "errata" : "erratum", errata);
}

/* Sums of logarithms, in the places of what they become. */
struct sums {
    double faster, by[CEILINGS], rest;
    struct against against[2];
    int known[CEILINGS];
};

/* "A|B" and B make "A|B". */
static const char *with_word(const char *words, const char *word, char between)
{
    if (word[0] == '\0' || word_in(words, word, between))
        return words;
    return words[0] == '\0' ? word : internf("%s%c%s", words, between, word);
}

/* "C23 R19", each of them. */
static const char *with_words(const char *words, const char *more)
{
    while (*more != '\0') {
        const size_t length = strcspn(more, " ");
        words = with_word(words, internf("%.*s", (int)length, more), ' ');
        more += length + (more[length] != '\0');
    }
    return words;
}

static void add_couple(const struct side *const sides[2], const struct couple *couple,
                       struct mean *mean, struct sums *sums)
{
    const struct why why = why_faster(sides, couple);
    mean->jobs++;
    sums->faster += log(why.faster);
    sums->rest += log(why.rest);
    for (int c = 0; c < CEILINGS; c++)
        if (!isnan(why.by[c])) { /* else the rest has it */
            sums->by[c] += log(why.by[c]);
            sums->known[c]++;
        }
    for (int k = 0; k < 2; k++) {
        const struct record *const r = couple->records[k];
        const struct against share = held_against(sides, couple, k);
        sums->against[k].copy += log(share.copy);
        sums->against[k].limit += log(share.limit);
        sums->against[k].task += log(share.task);
        mean->variants[k] = with_word(mean->variants[k], r->key.variant, '|');
        mean->errata = with_words(mean->errata, r->errata);
    }
}

static void conclude(struct mean *mean, const struct sums *sums)
{
    const double jobs = mean->jobs;
    mean->why.faster = exp(sums->faster / jobs);
    mean->why.rest = exp(sums->rest / jobs);
    for (int c = 0; c < CEILINGS; c++)
        mean->why.by[c] = sums->known[c] > 0 ? exp(sums->by[c] / jobs) : (double)NAN;
    for (int k = 0; k < 2; k++)
        mean->against[k] =
            (struct against){exp(sums->against[k].copy / jobs), exp(sums->against[k].limit / jobs),
                             exp(sums->against[k].task / jobs)};
}

enum status means_of(const struct side *const sides[2], const struct couple *couples, size_t count,
                     struct mean **out, size_t *mean_count)
{
    struct mean *const list = calloc(count + 1, sizeof *list);
    struct sums *const sums = calloc(count + 1, sizeof *sums);
    size_t found = 0;
    for (size_t i = 0; i < count && list != NULL && sums != NULL; i++) {
        size_t m = 0;
        while (m < found && !key_same_method(&list[m].key, &couples[i].key))
            m++;
        if (m == found)
            list[found++] =
                (struct mean){.key = couples[i].key, .variants = {"", ""}, .errata = ""};
        add_couple(sides, &couples[i], &list[m], &sums[m]);
    }
    for (size_t m = 0; m < found; m++)
        conclude(&list[m], &sums[m]);
    const bool good = list != NULL && sums != NULL;
    free(sums);
    if (!good)
        free(list);
    *out = good ? list : NULL;
    *mean_count = found;
    return good ? OK : because(ERR_MEMORY, "there is no memory for %zu jobs", count);
}

/* --- the fastest --- */

struct entry { /* a job that a side has a time of */
    struct job job;
    const struct record *record;
};

static struct entry *entries_of(const struct folder *run, size_t *count)
{
    struct entry *const list = calloc(run->record_count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < run->record_count && list != NULL; i++) {
        const struct record *const r = timed_record(run, &run->records[i].key);
        struct entry *const e = &list[*count];
        if (r == &run->records[i] && !is_ceiling_key(&r->key) &&
            job_from_path(key_path(&r->key), &e->job) == OK &&
            ranks_of(e->job.variant, &e->job.at) == 1) {
            e->record = r;
            (*count)++;
        }
    }
    return list;
}

/* The same task, and no less precise. */
static bool can_stand_for(const struct job *job, const struct job *of)
{
    static const int digits[] = {[SINGLE] = 0, [MIXED] = 1, [DOUBLE] = 2};
    return job->problem == of->problem && params_same(&job->at, &of->at) &&
           digits[job->variant->precision] >= digits[of->variant->precision];
}

static const struct record *fastest_for(const struct entry *list, size_t count,
                                        const struct job *of, bool device)
{
    const struct record *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (uses_device(list[i].job.variant) == device && can_stand_for(&list[i].job, of) &&
            (best == NULL || list[i].record->time.value < best->time.value))
            best = list[i].record;
    return best;
}

const struct record *fastest_of_task(const struct folder *run, const struct key *key, bool device)
{
    struct job of;
    size_t count;
    if (job_from_path(key_path(key), &of) != OK)
        return NULL;
    struct entry *const list = entries_of(run, &count);
    if (list == NULL)
        abort(); /* as a page does */
    const struct record *const best = fastest_for(list, count, &of, device);
    free(list);
    return best;
}

static bool has_couple(const struct couple *list, size_t count, const struct key *key)
{
    bool has = false;
    for (size_t i = 0; i < count && !has; i++)
        has = key_same(&list[i].key, key);
    return has;
}

enum status fastest_of(const struct side *const sides[2], const struct selection *selection,
                       struct couple **out, size_t *count)
{
    size_t counts[2];
    struct entry *const lists[] = {entries_of(&sides[0]->folder, &counts[0]),
                                   entries_of(&sides[1]->folder, &counts[1])};
    struct couple *const couples = calloc(counts[0] + 1, sizeof *couples);
    const bool good = lists[0] != NULL && lists[1] != NULL && couples != NULL;
    *count = 0;
    for (size_t i = 0; i < counts[0] && good; i++) {
        const struct entry *const e = &lists[0][i];
        const bool device = uses_device(e->job.variant);
        struct key key = e->record->key;
        key.variant = intern(device ? "fastest-gpu" : "fastest-cpu");
        if ((selection != NULL && !path_selected(selection, key_path(&e->record->key))) ||
            has_couple(couples, *count, &key))
            continue;
        const struct record *const now_ = fastest_for(lists[1], counts[1], &e->job, device);
        if (now_ != NULL)
            couples[(*count)++] =
                (struct couple){key, {fastest_for(lists[0], counts[0], &e->job, device), now_}};
    }
    free(lists[0]);
    free(lists[1]);
    *out = couples;
    if (good)
        return OK;
    free(couples);
    *out = NULL;
    return because(ERR_MEMORY, "there is no memory for %zu jobs", counts[0] + counts[1]);
}
