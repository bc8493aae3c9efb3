/*
 * The machines that the papers measured on beside runs of today: for each variant of an exhibit how
 * fast it was there, the run being 1, and which share of the copy bandwidth it used, then and now.
 * Geometric means over the jobs that both have.
 */
#include "compare/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/table.h"
#include "compare/side.h"

struct generations {
    const struct history_options *options;
    struct table table;
    size_t lines; /* with a machine and a variant each */
};

static bool same_method(const struct record *a, const struct record *b)
{
    return strcmp(a->exhibit, b->exhibit) == 0 && strcmp(a->variant, b->variant) == 0 &&
           strcmp(a->precision, b->precision) == 0;
}

/* The run's record of that job, if both have a time of it; else null. */
static const struct record *counterpart(const struct generations *all, const struct side *run,
                                        const struct record *printed)
{
    const struct record *ours = find_record(run, printed->path);
    const bool timed = ours != NULL && good_status(ours->status) && ours->time.value > 0 &&
                       printed->time.value > 0;
    return timed && path_selected(&all->options->selection, printed->path) ? ours : NULL;
}

/* Of the machine, and then of the run. */
static void put_line(struct generations *all, const struct side *machine, const struct side *run,
                     const struct record *of, double jobs, double speed, const double share[2])
{
    const struct exhibit *exhibit = find_exhibit(of->exhibit, NULL);
    const struct variant *variant =
        exhibit != NULL ? find_variant(find_family(exhibit->family), of->variant, of->precision)
                        : NULL;
    const bool device = variant != NULL && uses_device(variant);
    const char *const names[] = {machine->machine.name,
                                 facts_get(&run->facts, device ? "gpu_name" : "cpu_model")};
    char year[8];
    snprintf(year, sizeof year, "%.4s", facts_get(&run->facts, "start"));
    const char *const years[] = {machine->machine.year, year};
    const double speeds[] = {speed, 1};
    all->lines++;
    for (int k = 0; k < 2; k++) {
        table_word(&all->table, "%s/*/%s/%s", of->exhibit, of->variant, of->precision);
        table_word(&all->table, "%s", names[k]);
        table_word(&all->table, "%s", years[k]);
        table_word(&all->table, "%.0f", jobs);
        table_number(&all->table, speeds[k], 4);
        table_number(&all->table, share[k], 3);
    }
}

static enum status put_machine(struct generations *all, struct side *machine,
                               const struct side *run)
{
    bool *const done = calloc(machine->count + 1, sizeof *done);
    if (done == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu jobs", machine->count);
    complete_printed(machine, run);
    for (size_t i = 0; i < machine->count; i++) {
        double jobs = 0, speed = 0, share[2] = {0, 0};
        for (size_t k = i; k < machine->count; k++) {
            const struct record *printed = &machine->records[k];
            const struct record *ours = counterpart(all, run, printed);
            if (ours == NULL || done[k] || !same_method(&machine->records[i], printed))
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
            put_line(all, machine, run, &machine->records[i], jobs, exp(speed / jobs), share);
    }
    free(done);
    return OK;
}

static enum status put_run(struct generations *all, const struct csv *machines,
                           const struct side *run)
{
    enum status status = OK;
    for (size_t i = 0; status == OK && i < csv_rows(machines); i++) {
        struct side machine;
        char name[64];
        snprintf(name, sizeof name, "published:%s", csv_row(machines, i)->field[0]);
        const enum status here = base_load(name, &machine);
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
    static const char *const heads[] = {"variant",        "machine", "year", "jobs",
                                        "speed, run = 1", "of copy", NULL};
    const char *const text = embedded_text("machines.csv");
    struct generations all = {.options = options};
    struct csv *machines;
    enum status status =
        csv_parse(text != NULL ? text : machines_header, "machines.csv", &machines);
    if (status != OK) {
        fprintf(stderr, "reprise: %s\n", reason());
        return 1;
    }
    table_begin(&all.table, false, heads);
    for (int i = 0; i < options->folder_count && status == OK; i++) {
        struct side run;
        status = side_load(options->folders[i], &run);
        if (status == OK) {
            status = put_run(&all, machines, &run);
            side_free(&run);
        }
    }
    if (status == OK && all.lines == 0)
        status = because(ERR_ARGS, "these runs have no job whose time a paper prints; run with "
                                   "--size paper");
    if (status != OK)
        fprintf(stderr, "reprise: %s\n", reason());
    table_print(&all.table, status == OK ? options->format : NULL);
    csv_free(machines);
    return status == OK ? 0 : status == ERR_ARGS ? 2 : 1;
}
