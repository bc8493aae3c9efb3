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
    const struct history_options *options;
    struct table table;
    size_t lines; /* with a machine and a variant each */
};

/* The run's record of that job, if both have a time of it; else null. */
static const struct record *counterpart(const struct generations *all, const struct side *run,
                                        const struct record *printed)
{
    return printed->time.value > 0 &&
                   path_selected(&all->options->selection, key_path(&printed->key))
               ? timed_record(&run->folder, &printed->key)
               : NULL;
}

/* A line of the machine, and then one of the run. */
static void put_lines(struct generations *all, const struct side *machine, const struct side *run,
                      const struct key *of, double jobs, double speed, const double share[2])
{
    const struct facts *const facts = &run->folder.facts;
    const struct exhibit *exhibit = find_exhibit(of->exhibit, NULL);
    const struct variant *variant =
        exhibit != NULL ? find_variant(find_family(exhibit->family), of->variant, of->precision)
                        : NULL;
    const bool device = variant != NULL && uses_device(variant);
    const char *const names[] = {machine->machine.name,
                                 facts_get(facts, device ? "gpu_name" : "cpu_model")};
    const char *const years[] = {machine->machine.year, internf("%.4s", facts_get(facts, "start"))};
    const double speeds[] = {speed, 1};
    all->lines++;
    for (int k = 0; k < 2; k++) {
        table_word(&all->table, internf("%s/*/%s/%s", of->exhibit, of->variant, of->precision));
        table_word(&all->table, names[k]);
        table_word(&all->table, years[k]);
        table_number(&all->table, jobs, 9);
        table_number(&all->table, speeds[k], 4);
        table_number(&all->table, share[k], 3);
    }
}

static enum status put_machine(struct generations *all, struct side *machine,
                               const struct side *run)
{
    const struct record *const records = machine->folder.records;
    const size_t count = machine->folder.record_count;
    bool *const done = calloc(count + 1, sizeof *done);
    if (done == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu jobs", count);
    complete_printed(machine, run);
    for (size_t i = 0; i < count; i++) {
        double jobs = 0, speed = 0, share[2] = {0, 0};
        for (size_t k = i; k < count; k++) {
            const struct record *printed = &records[k];
            const struct record *ours = counterpart(all, run, printed);
            if (ours == NULL || done[k] || !key_same_method(&records[i].key, &printed->key))
                continue;
            done[k] = true;
            jobs++;
            speed += log(ours->time.value / printed->time.value);
            share[0] += log(copy_share(machine, printed));
            share[1] += log(copy_share(run, ours));
        }
        for (int k = 0; k < 2 && jobs > 0; k++)
            share[k] = exp(share[k] / jobs);
        if (jobs > 0)
            put_lines(all, machine, run, &records[i].key, jobs, exp(speed / jobs), share);
    }
    free(done);
    return OK;
}

static enum status put_run(struct generations *all, const struct printed_machine *machines,
                           size_t count, const struct side *run)
{
    enum status status = OK;
    for (size_t i = 0; status == OK && i < count; i++) {
        struct side machine;
        const enum status here = base_load(internf("published:%s", machines[i].name), &machine);
        if (here == OK) {
            status = put_machine(all, &machine, run);
            side_free(&machine);
        } else if (here != ERR_ARGS) { /* which says that no times of it are printed */
            status = here;
        }
    }
    return status;
}

int generations_of(const struct history_options *options)
{
    static const struct field columns[] = {
        {"of", "variant"},           {"machine", "machine"}, {"year", "year"}, {"jobs", "jobs"},
        {"speed", "speed, run = 1"}, {"of_copy", "of copy"}, {NULL, NULL}};
    struct generations all = {.options = options};
    struct printed_machine *machines;
    size_t count;
    enum status status = machines_load(&machines, &count);
    if (status != OK)
        return failed(status);
    struct document d;
    document_begin(&d, "generations", options->format);
    table_begin(&all.table, &d, "rows", ALIGNED, columns);
    for (int i = 0; i < options->folder_count && status == OK; i++) {
        struct side run;
        status = side_load(options->folders[i], &run);
        if (status == OK) {
            standing_print(options->folders[i], &run.folder.standing, stderr);
            status = put_run(&all, machines, count, &run);
            side_free(&run);
        }
    }
    if (status == OK && all.lines == 0)
        status = because(ERR_ARGS,
                         "these runs have no job whose time a paper prints; run with --size paper");
    table_end(&all.table);
    free(machines);
    if (status == OK)
        return document_end(&d, 0);
    document_drop(&d);
    return failed(status);
}
