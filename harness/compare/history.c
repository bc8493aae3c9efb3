/*
 * Runs of one machine in the order of their time: the time of each job with its interval and how
 * many times as fast as at first, or the times alone as CSV, for change points and curves.
 */
#include "compare/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"
#include "base/table.h"
#include "compare/side.h"

static int by_start(const void *a, const void *b)
{
    const struct folder *x = a, *y = b;
    const int order = strcmp(facts_get(&x->facts, "start"), facts_get(&y->facts, "start"));
    return order != 0 ? order : strcmp(x->name, y->name); /* of one second */
}

static int by_path(const void *a, const void *b) /* sizes as numbers */
{
    return strverscmp(key_path(a), key_path(b));
}

struct history {
    struct folder *runs;
    struct key *jobs; /* those that some run has a time of */
    size_t run_count, job_count;
};

/* References alone, of the machine of the newest one: others are named and left out. */
static enum status load_runs(const struct history_options *options, struct history *all)
{
    enum status status = OK;
    all->runs = calloc((size_t)options->folder_count + 1, sizeof *all->runs);
    if (all->runs == NULL)
        return because(ERR_MEMORY, "there is no memory for %d runs", options->folder_count);
    for (int i = 0; i < options->folder_count && status == OK; i++) {
        struct folder *run = &all->runs[all->run_count];
        status = folder_load(options->folders[i], run);
        const char *why = status == OK ? no_reference(run) : NULL;
        if (why != NULL) {
            fprintf(stderr, "left out: %s: %s\n", options->folders[i], why);
            folder_free(run);
        } else if (status == OK) {
            all->run_count++;
        }
    }
    if (status == OK && all->run_count == 0)
        return because(ERR_ARGS, "none of these runs is a reference; run with --size paper, 3 "
                                 "rounds or more, from committed sources");
    qsort(all->runs, all->run_count, sizeof *all->runs, by_start);
    size_t kept = 0;
    for (size_t i = 0; i < all->run_count; i++) {
        struct folder *run = &all->runs[i];
        const struct folder *newest = &all->runs[all->run_count - 1];
        if (same_fact(&run->facts, &newest->facts, "fingerprint")) {
            all->runs[kept++] = *run;
            continue;
        }
        fprintf(stderr, "left out: %s: another machine than that of %s\n", run->name, newest->name);
        folder_free(run);
    }
    all->run_count = kept;
    return status;
}

static enum status collect_jobs(const struct history_options *options, struct history *all)
{
    size_t most = 1;
    for (size_t i = 0; i < all->run_count; i++)
        most += all->runs[i].record_count;
    all->jobs = calloc(most, sizeof *all->jobs);
    if (all->jobs == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu jobs", most);
    for (size_t i = 0; i < all->run_count; i++)
        for (size_t k = 0; k < all->runs[i].record_count; k++) {
            const struct key *const key = &all->runs[i].records[k].key;
            if (timed_record(&all->runs[i], key) != NULL && !is_ceiling_key(key) &&
                path_selected(&options->selection, key_path(key)))
                all->jobs[all->job_count++] = *key;
        }
    qsort(all->jobs, all->job_count, sizeof *all->jobs, by_path);
    size_t kept = 0;
    for (size_t i = 0; i < all->job_count; i++)
        if (kept == 0 || !key_same(&all->jobs[kept - 1], &all->jobs[i]))
            all->jobs[kept++] = all->jobs[i];
    all->job_count = kept;
    return kept > 0 ? OK : because(ERR_ARGS, "these runs have no times of what was asked for");
}

static void put_table(const struct history *all, const char *format)
{
    static const char *const heads[] = {
        "job", "start", "commit", "time, s", "95 % interval", "first time / time", NULL};
    struct table t;
    table_begin(&t, false, heads);
    for (size_t p = 0; p < all->job_count; p++) {
        double first = NAN;
        for (size_t i = 0; i < all->run_count; i++) {
            const struct record *r = timed_record(&all->runs[i], &all->jobs[p]);
            if (r == NULL)
                continue;
            first = isnan(first) ? r->time.value : first;
            table_word(&t, key_path(&all->jobs[p]));
            table_word(&t, facts_get(&all->runs[i].facts, "start"));
            table_word(&t, facts_get(&all->runs[i].facts, "commit"));
            table_number(&t, r->time.value, 4);
            table_interval(&t, r->time.ci_lo, r->time.ci_hi);
            table_number(&t, first / r->time.value, 4);
        }
    }
    table_print(&t, format);
}

/* time,commit and a column for each job that all runs have: Otava takes no gaps. */
static void put_csv(const struct history *all)
{
    struct text out = {0};
    size_t kept = 0;
    for (size_t p = 0; p < all->job_count; p++) {
        bool whole = true;
        for (size_t i = 0; i < all->run_count; i++)
            whole = whole && timed_record(&all->runs[i], &all->jobs[p]) != NULL;
        if (whole)
            all->jobs[kept++] = all->jobs[p];
    }
    if (kept < all->job_count)
        fprintf(stderr, "left out: %zu jobs of which some run has no time\n",
                all->job_count - kept);
    text_add(&out, "time,commit%s", kept > 0 ? "," : "\n");
    for (size_t p = 0; p < kept; p++)
        text_field(&out, key_path(&all->jobs[p]), p + 1 < kept ? ',' : '\n');
    for (size_t i = 0; i < all->run_count; i++) {
        const struct folder *run = &all->runs[i];
        text_add(&out, "%s,%s%s", facts_get(&run->facts, "start"), facts_get(&run->facts, "commit"),
                 kept > 0 ? "," : "\n");
        for (size_t p = 0; p < kept; p++)
            text_number(&out, timed_record(run, &all->jobs[p])->time.value,
                        p + 1 < kept ? ',' : '\n');
    }
    printf("%s", out.data);
    text_free(&out);
}

int history_of(const struct history_options *options)
{
    struct history all = {0};
    enum status status = load_runs(options, &all);
    if (status == OK)
        status = collect_jobs(options, &all);
    int exit_status = 0;
    if (status != OK)
        exit_status = failed(status);
    else if (strcmp(options->format, "csv") == 0)
        put_csv(&all);
    else
        put_table(&all, options->format);
    for (size_t i = 0; i < all.run_count; i++)
        folder_free(&all.runs[i]);
    free(all.runs);
    free(all.jobs);
    return exit_status;
}
