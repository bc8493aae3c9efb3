/*
 * Runs of one machine in the order of their time: the time of each job with its interval, how many
 * times as fast as at first, and the verdict beside the run before; as a table, or as CSV with a
 * line for each run, for change points and curves.
 */
#include "compare/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/document.h"
#include "base/intern.h"
#include "compare/compare.h"
#include "compare/side.h"

static int by_start(const void *a, const void *b)
{
    const struct folder *x = &((const struct side *)a)->folder;
    const struct folder *y = &((const struct side *)b)->folder;
    const int order = strcmp(facts_get(&x->facts, "start"), facts_get(&y->facts, "start"));
    return order != 0 ? order : strcmp(x->name, y->name); /* of one second */
}

static int by_path(const void *a, const void *b) /* sizes as numbers */
{
    return strverscmp(key_path(a), key_path(b));
}

struct pairing {
    struct sides *sides; /* null: not made yet */
};

struct history {
    struct side *runs;
    struct key *jobs; /* those that some run has a time of */
    size_t run_count, job_count;
    double noise;
    struct pairing *between; /* [run_count][run_count]: which, beside which */
};

/* Why it stands in no row beside the newest one; null: it does. */
static const char *not_beside(const struct folder *run, const struct folder *newest)
{
    return !same_fact(&run->facts, &newest->facts, "fingerprint")
               ? internf("another machine than that of %s", newest->name)
               : no_reference(run, newest);
}

void globs_mark(const struct history_options *options, const struct folder *run, bool *matched)
{
    for (size_t i = 0; i < run->record_count; i++)
        path_mark(&options->selection, key_path(&run->records[i].key), matched);
}

enum status globs_check(const struct history_options *options, const bool *matched)
{
    for (int i = 0; i < options->selection.glob_count; i++)
        if (options->told[i] && !matched[i])
            return because(ERR_ARGS, "'%s' is no folder, and no job of these runs matches it",
                           options->selection.globs[i]);
    return OK;
}

/* References alone, of the machine and the sizes of the newest one: others are named and left out.
 */
static enum status load_runs(const struct history_options *options, struct history *all)
{
    enum status status = OK;
    bool matched[MOST_GLOBS] = {false};
    all->runs = calloc((size_t)options->folder_count + 1, sizeof *all->runs);
    if (all->runs == NULL)
        return because(ERR_MEMORY, "there is no memory for %d runs", options->folder_count);
    for (int i = 0; i < options->folder_count && status == OK; i++) {
        struct side *run = &all->runs[all->run_count];
        status = side_load(options->folders[i], run);
        if (status == OK)
            globs_mark(options, &run->folder, matched);
        const char *why = status == OK ? no_reference(&run->folder, &run->folder) : NULL;
        if (why != NULL) {
            fprintf(stderr, "left out: %s: %s\n", options->folders[i], why);
            side_free(run);
        } else if (status == OK) {
            all->run_count++;
        }
    }
    if (status == OK)
        status = globs_check(options, matched);
    if (status != OK)
        return status;
    if (all->run_count == 0)
        return because(SKIPPED, "none of these runs is a reference; run 3 rounds or more of an "
                                "optimised program from committed sources");
    qsort(all->runs, all->run_count, sizeof *all->runs, by_start);
    size_t kept = 0;
    for (size_t i = 0; i < all->run_count; i++) {
        struct side *run = &all->runs[i];
        const struct folder *newest = &all->runs[all->run_count - 1].folder;
        const char *const why = not_beside(&run->folder, newest);
        if (why == NULL) {
            all->runs[kept++] = *run;
            continue;
        }
        fprintf(stderr, "left out: %s: %s\n", run->folder.name, why);
        side_free(run);
    }
    all->run_count = kept;
    all->between = calloc(kept * kept + 1, sizeof *all->between);
    return status == OK && all->between == NULL
               ? because(ERR_MEMORY, "there is no memory for %zu runs", kept)
               : status;
}

static enum status collect_jobs(const struct history_options *options, struct history *all)
{
    size_t most = 1;
    for (size_t i = 0; i < all->run_count; i++)
        most += all->runs[i].folder.record_count;
    all->jobs = calloc(most, sizeof *all->jobs);
    if (all->jobs == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu jobs", most);
    for (size_t i = 0; i < all->run_count; i++)
        for (size_t k = 0; k < all->runs[i].folder.record_count; k++) {
            const struct key *const key = &all->runs[i].folder.records[k].key;
            if (timed_record(&all->runs[i].folder, key) != NULL && !is_ceiling_key(key) &&
                path_selected(&options->selection, key_path(key)))
                all->jobs[all->job_count++] = *key;
        }
    qsort(all->jobs, all->job_count, sizeof *all->jobs, by_path);
    size_t kept = 0;
    for (size_t i = 0; i < all->job_count; i++)
        if (kept == 0 || !key_same(&all->jobs[kept - 1], &all->jobs[i]))
            all->jobs[kept++] = all->jobs[i];
    all->job_count = kept;
    if (kept > 0)
        return OK;
    return selection_is_empty(&options->selection)
               ? because(SKIPPED, "these runs have no times")
               : because(ERR_ARGS, "these runs have no times of what was asked for");
}

static const struct record *record_at(const struct history *all, size_t run, size_t job)
{
    return timed_record(&all->runs[run].folder, &all->jobs[job]);
}

/* With what the runs before say of the noise. */
static const struct sides *between(const struct history *all, size_t before, size_t run)
{
    struct sides **const kept = &all->between[before * all->run_count + run].sides;
    const char *earlier[MOST_REFERENCES];
    int count = 0;
    for (size_t i = before; i-- > 0 && count < MOST_REFERENCES;)
        earlier[count++] = all->runs[i].folder.name;
    if (*kept == NULL)
        *kept = sides_between(&all->runs[before], &all->runs[run], all->noise, earlier, count);
    return *kept;
}

/* Beside the last run before that has the job; "": it is the first. */
static const char *verdict_at(const struct history *all, size_t run, size_t job)
{
    for (size_t before = run; before-- > 0;)
        if (record_at(all, before, job) != NULL) {
            const struct sides *const sides = between(all, before, run);
            return sides != NULL ? finding_between(sides, &all->jobs[job]) : "";
        }
    return "";
}

static void put_table(const struct history *all, struct document *d)
{
    static const struct field columns[] = {{"job", "job"},
                                           {"start", "start"},
                                           {"commit", "commit"},
                                           {"time", "time, s"},
                                           {"interval", "95 % interval"},
                                           {"speed", "first time / time"},
                                           {"verdict", "verdict"},
                                           {NULL, NULL}};
    struct table t;
    table_begin(&t, d, "rows", ALIGNED, columns);
    for (size_t p = 0; p < all->job_count; p++) {
        double first = NAN;
        for (size_t i = 0; i < all->run_count; i++) {
            const struct record *r = record_at(all, i, p);
            const struct facts *const facts = &all->runs[i].folder.facts;
            if (r == NULL)
                continue;
            const char *const verdict = verdict_at(all, i, p);
            first = isnan(first) ? r->time.value : first;
            table_key(&t, &all->jobs[p]);
            table_word(&t, facts_get(facts, "start"));
            table_word(&t, facts_get(facts, "commit"));
            table_number(&t, r->time.value, 4);
            table_interval(&t, r->time.ci_lo, r->time.ci_hi);
            table_number(&t, first / r->time.value, 4);
            table_word_shown(&t, verdict[0] != '\0' ? verdict : "-", verdict);
        }
    }
    table_end(&t);
}

static bool has_any(const struct history *all, size_t run)
{
    bool any = false;
    for (size_t p = 0; p < all->job_count && !any; p++)
        any = record_at(all, run, p) != NULL;
    return any;
}

/* time,commit and for each job its time, the verdict and the interval: empty where the run has no
 * time of the job. A run that has none at all is no line. A line ends by numbers, because gnuplot
 * takes an empty word at its end for that of another line. */
static void put_csv(const struct history *all, struct text *out)
{
    static const char *const columns[] = {"", " verdict", " ci_lo", " ci_hi"};
    text_add(out, "time,commit,");
    for (size_t p = 0; p < all->job_count; p++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            const bool last = p + 1 == all->job_count && c + 1 == sizeof columns / sizeof *columns;
            text_field(out, internf("%s%s", key_path(&all->jobs[p]), columns[c]),
                       last ? '\n' : ',');
        }
    for (size_t i = 0; i < all->run_count; i++) {
        const struct facts *const facts = &all->runs[i].folder.facts;
        if (!has_any(all, i))
            continue;
        text_add(out, "%s,%s,", facts_get(facts, "start"), facts_get(facts, "commit"));
        for (size_t p = 0; p < all->job_count; p++) {
            const struct record *const r = record_at(all, i, p);
            text_number(out, r != NULL ? r->time.value : (double)NAN, ',');
            text_field(out, r != NULL ? verdict_at(all, i, p) : "", ',');
            text_number(out, r != NULL ? r->time.ci_lo : (double)NAN, ',');
            text_number(out, r != NULL ? r->time.ci_hi : (double)NAN,
                        p + 1 < all->job_count ? ',' : '\n');
        }
    }
}

int history_of(const struct history_options *options)
{
    struct history all = {.noise = options->noise};
    struct document d;
    enum status status = load_runs(options, &all);
    if (status == OK)
        status = collect_jobs(options, &all);
    document_begin(&d, "history", options->format);
    if (status == OK && strcmp(options->format, "csv") == 0)
        put_csv(&all, &d.shown);
    else if (status == OK)
        put_table(&all, &d);
    for (size_t i = 0; i < all.run_count * all.run_count && all.between != NULL; i++)
        sides_free(all.between[i].sides);
    for (size_t i = 0; i < all.run_count; i++)
        side_free(&all.runs[i]);
    free(all.between);
    free(all.runs);
    free(all.jobs);
    if (status == OK)
        return document_end(&d, 0);
    document_drop(&d);
    return failed(status);
}
