/*
 * Runs of one machine in the order of their time: the time of each job with its interval and how
 * many times as fast as at first, or the times alone as CSV, for change points and curves.
 */
#include "compare/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "compare/side.h"

static int by_start(const void *a, const void *b)
{
    const struct side *x = a, *y = b;
    const int order = strcmp(facts_get(&x->facts, "start"), facts_get(&y->facts, "start"));
    return order != 0 ? order : strcmp(x->folder, y->folder); /* of one second */
}

static int by_name(const void *a, const void *b) /* sizes as numbers */
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

struct history {
    struct side *runs;
    const char **paths; /* of all jobs that some run has a time of */
    size_t run_count, path_count;
};

/* Null: the run has no time of the job. */
static const struct record *timed(const struct side *run, const char *path)
{
    const struct record *r = find_record(run, path);
    return r != NULL && good_status(r->status) && r->time.value > 0 ? r : NULL;
}

/* References alone, of the machine of the newest one: others are named and left out. */
static enum status load_runs(const struct history_options *options, struct history *all)
{
    enum status status = OK;
    all->runs = calloc((size_t)options->folder_count + 1, sizeof *all->runs);
    if (all->runs == NULL)
        return because(ERR_MEMORY, "there is no memory for %d runs", options->folder_count);
    for (int i = 0; i < options->folder_count && status == OK; i++) {
        struct side *run = &all->runs[all->run_count];
        status = side_load(options->folders[i], run);
        const char *why = status == OK ? no_reference(&run->facts) : NULL;
        if (why != NULL) {
            fprintf(stderr, "left out: %s: %s\n", options->folders[i], why);
            side_free(run);
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
        struct side *run = &all->runs[i];
        const struct side *newest = &all->runs[all->run_count - 1];
        if (strcmp(facts_get(&run->facts, "fingerprint"),
                   facts_get(&newest->facts, "fingerprint")) == 0) {
            all->runs[kept++] = *run;
            continue;
        }
        fprintf(stderr, "left out: %s: another machine than that of %s\n", run->folder,
                newest->folder);
        side_free(run);
    }
    all->run_count = kept;
    return status;
}

static enum status collect_paths(const struct history_options *options, struct history *all)
{
    size_t most = 1;
    for (size_t i = 0; i < all->run_count; i++)
        most += all->runs[i].count;
    all->paths = calloc(most, sizeof *all->paths);
    if (all->paths == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu jobs", most);
    for (size_t i = 0; i < all->run_count; i++)
        for (size_t k = 0; k < all->runs[i].count; k++) {
            const char *path = all->runs[i].records[k].path;
            if (timed(&all->runs[i], path) != NULL && path_selected(&options->selection, path) &&
                strcmp(all->runs[i].records[k].exhibit, "ceilings") != 0)
                all->paths[all->path_count++] = path;
        }
    qsort(all->paths, all->path_count, sizeof *all->paths, by_name);
    size_t kept = 0;
    for (size_t i = 0; i < all->path_count; i++)
        if (kept == 0 || strcmp(all->paths[kept - 1], all->paths[i]) != 0)
            all->paths[kept++] = all->paths[i];
    all->path_count = kept;
    return kept > 0 ? OK : because(ERR_ARGS, "these runs have no times of what was asked for");
}

static void put_table(const struct history *all, const char *format)
{
    static const char *const heads[] = {
        "job", "start", "commit", "time, s", "95 % interval", "first time / time", NULL};
    struct table t;
    table_begin(&t, false, heads);
    for (size_t p = 0; p < all->path_count; p++) {
        double first = NAN;
        for (size_t i = 0; i < all->run_count; i++) {
            const struct record *r = timed(&all->runs[i], all->paths[p]);
            if (r == NULL)
                continue;
            first = isnan(first) ? r->time.value : first;
            table_word(&t, "%s", all->paths[p]);
            table_word(&t, "%s", facts_get(&all->runs[i].facts, "start"));
            table_word(&t, "%s", facts_get(&all->runs[i].facts, "commit"));
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
    for (size_t p = 0; p < all->path_count; p++) {
        bool whole = true;
        for (size_t i = 0; i < all->run_count; i++)
            whole = whole && timed(&all->runs[i], all->paths[p]) != NULL;
        if (whole)
            all->paths[kept++] = all->paths[p];
    }
    if (kept < all->path_count)
        fprintf(stderr, "left out: %zu jobs of which some run has no time\n",
                all->path_count - kept);
    text_add(&out, "time,commit%s", kept > 0 ? "," : "\n");
    for (size_t p = 0; p < kept; p++)
        text_field(&out, all->paths[p], p + 1 < kept ? ',' : '\n');
    for (size_t i = 0; i < all->run_count; i++) {
        const struct side *run = &all->runs[i];
        text_add(&out, "%s,%s%s", facts_get(&run->facts, "start"), facts_get(&run->facts, "commit"),
                 kept > 0 ? "," : "\n");
        for (size_t p = 0; p < kept; p++)
            text_number(&out, timed(run, all->paths[p])->time.value, p + 1 < kept ? ',' : '\n');
    }
    printf("%s", out.data);
    text_free(&out);
}

int history_of(const struct history_options *options)
{
    struct history all = {0};
    enum status status = load_runs(options, &all);
    if (status == OK)
        status = collect_paths(options, &all);
    if (status != OK)
        fprintf(stderr, "reprise: %s\n", reason());
    else if (strcmp(options->format, "csv") == 0)
        put_csv(&all);
    else
        put_table(&all, options->format);
    for (size_t i = 0; i < all.run_count; i++)
        side_free(&all.runs[i]);
    free(all.runs);
    free(all.paths);
    return status == OK ? 0 : status == ERR_ARGS ? 2 : 1;
}
