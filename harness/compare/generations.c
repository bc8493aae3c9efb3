/*
 * The machines that the papers measured on beside runs of today: for each variant of an exhibit,
 * and for the fastest of either, how many times as fast the run is, how much of that its memory,
 * its arithmetic and its launches are, and which share of the copy bandwidth, of the limit and of
 * the task's limit each came to. Geometric means over the jobs that both have.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/document.h"
#include "base/intern.h"
#include "compare/history.h"
#include "compare/side.h"
#include "compare/why.h"
#include "run/catalogue.h"

struct generations {
    struct generation *list;
    size_t count;
};

/* The fastest ones say it in their name. */
static bool method_uses_device(const struct key *of)
{
    const struct exhibit *const exhibit = find_exhibit(of->exhibit, NULL);
    const struct variant *const variant =
        exhibit != NULL ? find_variant(find_family(exhibit->family), of->variant, of->precision)
                        : NULL;
    return variant != NULL ? uses_device(variant) : strcmp(of->variant, "fastest-gpu") == 0;
}

/* The run's record of that job, if both have a time of it; else null. */
static const struct record *counterpart(const struct selection *selection, const struct side *run,
                                        const struct record *printed)
{
    const bool asked = selection == NULL || path_selected(selection, key_path(&printed->key));
    return printed->time.value > 0 && asked ? timed_record(&run->folder, &printed->key) : NULL;
}

static enum status add_means(struct generations *all, const struct side *const sides[2],
                             const struct couple *couples, size_t count)
{
    struct mean *means = NULL;
    size_t found = 0;
    enum status status = means_of(sides, couples, count, &means, &found);
    struct generation *const list =
        status == OK ? realloc(all->list, (all->count + found + 1) * sizeof *list) : NULL;
    if (status == OK && list == NULL)
        status = because(ERR_MEMORY, "there is no memory for %zu means", found);
    all->list = list != NULL ? list : all->list;
    for (size_t i = 0; i < found && status == OK; i++)
        all->list[all->count++] =
            (struct generation){sides[0]->machine.name, sides[0]->machine.year, means[i]};
    free(means);
    return status;
}

static enum status add_machine(struct generations *all, const struct selection *selection,
                               struct side *machine, const struct side *run)
{
    const struct side *const sides[] = {machine, run};
    const struct folder *const printed = &machine->folder;
    struct couple *const couples = calloc(printed->record_count + 1, sizeof *couples);
    struct couple *fastest = NULL;
    size_t count = 0, fastest_count = 0;
    if (couples == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu jobs", printed->record_count);
    complete_printed(machine, run);
    for (size_t i = 0; i < printed->record_count; i++) {
        const struct record *const there = &printed->records[i];
        const struct record *const here = counterpart(selection, run, there);
        if (here != NULL)
            couples[count++] = (struct couple){there->key, {there, here}};
    }
    enum status status = add_means(all, sides, couples, count);
    if (status == OK)
        status = fastest_of(sides, selection, &fastest, &fastest_count);
    if (status == OK)
        status = add_means(all, sides, fastest, fastest_count);
    free(couples);
    free(fastest);
    return status;
}

enum status generations_beside(const struct side *run, const struct selection *selection,
                               struct generation **out, size_t *count)
{
    struct generations all = {NULL, 0};
    struct printed_machine *machines = NULL;
    size_t machine_count = 0;
    enum status status = machines_load(&machines, &machine_count);
    for (size_t i = 0; status == OK && i < machine_count; i++) {
        struct side machine;
        const enum status here = base_load(internf("published:%s", machines[i].name), &machine);
        if (here == OK) {
            status = add_machine(&all, selection, &machine, run);
            side_free(&machine);
        } else if (here != ERR_ARGS) { /* which says that no times of it are printed */
            status = here;
        }
    }
    free(machines);
    if (status != OK)
        free(all.list);
    *out = status == OK ? all.list : NULL;
    *count = status == OK ? all.count : 0;
    return status;
}

static void put_part(struct table *table, int k, double part)
{
    if (k == 0)
        table_number_shown(table, "", NAN);
    else
        table_number(table, part, 4);
}

/* A line of the machine, and then one of the run, which has what they differ by. */
static void put_lines(struct table *table, const struct side *run, const struct generation *g)
{
    const struct facts *const facts = &run->folder.facts;
    const struct mean *const m = &g->mean;
    const struct key *const of = &m->key;
    const bool device = method_uses_device(of);
    const char *const names[] = {g->machine, facts_get(facts, device ? "gpu_name" : "cpu_model")};
    const char *const years[] = {g->year, internf("%.4s", facts_get(facts, "start"))};
    for (int k = 0; k < 2; k++) {
        table_word(table, internf("%s/*/%s/%s", of->exhibit, of->variant, of->precision));
        table_word(table, names[k]);
        table_word(table, years[k]);
        table_number(table, m->jobs, 9);
        table_number(table, k == 0 ? 1 / m->why.faster : 1, 4);
        table_number(table, k == 0 ? 1 : m->why.faster, 4);
        for (int c = 0; c < CEILINGS; c++)
            put_part(table, k, m->why.by[c]);
        put_part(table, k, m->why.rest);
        table_number(table, m->against[k].copy, 3);
        table_number(table, m->against[k].limit, 3);
        table_number(table, m->against[k].task, 3);
        table_word(table, m->variants[k]);
        table_word(table, k == 0 ? "" : m->errata);
    }
}

int generations_of(const struct history_options *options)
{
    static const struct field columns[] = {{"of", "variant"},
                                           {"machine", "machine"},
                                           {"year", "year"},
                                           {"jobs", "jobs"},
                                           {"speed", NULL},
                                           {"times_as_fast", "times as fast"},
                                           {"by_memory", "by memory"},
                                           {"by_arithmetic", "by arithmetic"},
                                           {"by_launches", "by launches"},
                                           {"rest", "rest"},
                                           {"of_copy", NULL},
                                           {"of_limit", "of limit"},
                                           {"of_task", "of task"},
                                           {"variants", "by"},
                                           {"errata", "errata"},
                                           {NULL, NULL}};
    struct table table;
    size_t lines = 0;
    bool matched[MOST_GLOBS] = {false};
    enum status status = OK;
    struct document d;
    document_begin(&d, "generations", options->format);
    table_begin(&table, &d, "rows", ALIGNED, columns);
    for (int i = 0; i < options->folder_count && status == OK; i++) {
        struct side run;
        struct generation *list = NULL;
        size_t count = 0;
        status = side_load(options->folders[i], &run);
        if (status != OK)
            continue;
        standing_print(options->folders[i], &run.folder.standing, stderr);
        globs_mark(options, &run.folder, matched);
        status = generations_beside(&run, &options->selection, &list, &count);
        for (size_t k = 0; k < count; k++)
            put_lines(&table, &run, &list[k]);
        lines += count;
        free(list);
        side_free(&run);
    }
    if (status == OK)
        status = globs_check(options, matched);
    if (status == OK && lines == 0)
        status = selection_is_empty(&options->selection)
                     ? because(ERR_ARGS, "these runs have no job whose time a paper prints; run "
                                         "with --size paper")
                     : because(ERR_ARGS, "these runs have no job of what was asked for whose time "
                                         "a paper prints; leave out the globs and -x to see all");
    table_end(&table);
    if (status == OK)
        return document_end(&d, 0);
    document_drop(&d);
    return failed(status);
}
