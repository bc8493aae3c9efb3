/*
 * The machines that the papers measured on beside runs of today: for each variant of an exhibit how
 * fast it was there, the run being 1, and which share of the copy bandwidth it used, then and now.
 * Geometric means over the jobs that both have.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/document.h"
#include "base/intern.h"
#include "compare/history.h"
#include "compare/side.h"
#include "run/catalogue.h"

struct generations {
    struct generation *list;
    size_t count;
};

/* The run's record of that job, if both have a time of it; else null. */
static const struct record *counterpart(const struct selection *selection, const struct side *run,
                                        const struct record *printed)
{
    const bool asked = selection == NULL || path_selected(selection, key_path(&printed->key));
    return printed->time.value > 0 && asked ? timed_record(&run->folder, &printed->key) : NULL;
}

static enum status add_machine(struct generations *all, const struct selection *selection,
                               struct side *machine, const struct side *run)
{
    const struct record *const records = machine->folder.records;
    const size_t count = machine->folder.record_count;
    bool *const done = calloc(count + 1, sizeof *done);
    struct generation *const list =
        realloc(all->list, (all->count + count + 1) * sizeof *all->list);
    all->list = list != NULL ? list : all->list;
    if (done == NULL || list == NULL) {
        free(done);
        return because(ERR_MEMORY, "there is no memory for %zu jobs", count);
    }
    complete_printed(machine, run);
    for (size_t i = 0; i < count; i++) {
        struct generation g = {records[i].key, machine->machine.name, machine->machine.year, 0, 0,
                               {0, 0}};
        for (size_t k = i; k < count; k++) {
            const struct record *printed = &records[k];
            const struct record *ours = counterpart(selection, run, printed);
            if (ours == NULL || done[k] || !key_same_method(&records[i].key, &printed->key))
                continue;
            done[k] = true;
            g.jobs++;
            g.speed += log(ours->time.value / printed->time.value);
            g.share[0] += log(copy_share(machine, printed));
            g.share[1] += log(copy_share(run, ours));
        }
        for (int k = 0; k < 2; k++)
            g.share[k] = exp(g.share[k] / g.jobs);
        g.speed = exp(g.speed / g.jobs);
        if (g.jobs > 0)
            all->list[all->count++] = g;
    }
    free(done);
    return OK;
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

/* A line of the machine, and then one of the run. */
static void put_lines(struct table *table, const struct side *run, const struct generation *g)
{
    const struct facts *const facts = &run->folder.facts;
    const struct key *const of = &g->key;
    const struct exhibit *exhibit = find_exhibit(of->exhibit, NULL);
    const struct variant *variant =
        exhibit != NULL ? find_variant(find_family(exhibit->family), of->variant, of->precision)
                        : NULL;
    const bool device = variant != NULL && uses_device(variant);
    const char *const names[] = {g->machine, facts_get(facts, device ? "gpu_name" : "cpu_model")};
    const char *const years[] = {g->year, internf("%.4s", facts_get(facts, "start"))};
    const double speeds[] = {g->speed, 1};
    for (int k = 0; k < 2; k++) {
        table_word(table, internf("%s/*/%s/%s", of->exhibit, of->variant, of->precision));
        table_word(table, names[k]);
        table_word(table, years[k]);
        table_number(table, g->jobs, 9);
        table_number(table, speeds[k], 4);
        table_number(table, g->share[k], 3);
    }
}

int generations_of(const struct history_options *options)
{
    static const struct field columns[] = {
        {"of", "variant"},           {"machine", "machine"}, {"year", "year"}, {"jobs", "jobs"},
        {"speed", "speed, run = 1"}, {"of_copy", "of copy"}, {NULL, NULL}};
    struct table table;
    size_t lines = 0;
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
        status = generations_beside(&run, &options->selection, &list, &count);
        for (size_t k = 0; k < count; k++)
            put_lines(&table, &run, &list[k]);
        lines += count;
        free(list);
        side_free(&run);
    }
    if (status == OK && lines == 0)
        status = because(ERR_ARGS,
                         "these runs have no job whose time a paper prints; run with --size paper");
    table_end(&table);
    if (status == OK)
        return document_end(&d, 0);
    document_drop(&d);
    return failed(status);
}
