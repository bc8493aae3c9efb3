/*
 * The verb report: from the folder of a run alone, the papers' tables with what was published and
 * what was reproduced, figures, and one page that holds them together.
 */
#include "report/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "report/headline.h"
#include "report/sections.h"

static enum status sub_folder(const char *folder, const char *name)
{
    const char *const path = internf("%s/%s", folder, name);
    struct stat info;
    if (mkdir(path, 0755) != 0 && errno != EEXIST)
        return because(ERR_IO, "cannot make the folder %s: %s", path, strerror(errno));
    if (lstat(path, &info) != 0 || !S_ISDIR(info.st_mode)) /* a link would lead out of the run */
        return because(ERR_IO, "%s is no folder; remove it and report again", path);
    return OK;
}

/* --- the whole --- */

static enum status add_paper(struct report *report, const struct paper *paper)
{
    enum status status = OK;
    bool cited = false;
    for (const struct exhibit *e = paper->exhibits; e->id != NULL && status == OK; e++) {
        if (!exhibit_in_run(&report->all->folder, e))
            continue;
        if (!cited) {
            page_part(&report->page, paper->citation);
            page_paragraph(&report->page, "%s", paper->citation);
            if (run_has(report->all, paper))
                page_paragraph(&report->page, "%s", headline(report->all, paper));
        }
        cited = true;
        status = add_exhibit(report, e);
        add_rows(report, e);
    }
    return status;
}

/* A run that was killed could not write its measured.csv, of which the page names lines, and of one
 * that is sent around it may have been left out. A run that goes on will write it. Where there are
 * checksums it is to be what it was. */
static enum status write_measured(const struct folder *folder)
{
    if (folder->reworked)
        fprintf(stderr, "reprise: %s: %s\n", folder->name, said_of_reworked(folder));
    return folder->derived && !folder->reworked && folder->standing.state != FOLDER_RUNNING
               ? measured_write(folder->name, &folder->facts)
               : OK;
}

/* --- what is printed: a screen --- */

/* Counts of a paper's printed cells, as count_cells() has them of all. */
static void sum_up(const struct verdicts *all, const struct paper *paper)
{
    struct text said = {0};
    int of[VERDICT_NOT_MEASURED + 1] = {0}, printed = 0, claims = 0, hold = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *const c = &all->cells[i];
        const bool counts = c->paper == paper && !isnan(c->printed.value) &&
                            (c->exhibit->published == NULL || c->verdict == VERDICT_DIFFERS);
        of[c->verdict] += counts;
        printed += counts;
    }
    for (size_t i = 0; i < all->claim_count; i++) {
        claims += all->claims[i].paper == paper;
        hold += all->claims[i].paper == paper && all->claims[i].hold[HERE] == HOLDS;
    }
    for (int v = 0; v <= VERDICT_NOT_MEASURED; v++)
        if (of[v] > 0)
            text_add(&said, "%s %d %s", said.length > 0 ? "," : "", of[v], verdict_names[v]);
    const char *const cells = printed > 0 ? internf("of %d printed cells%s", printed, said.data)
                                          : "no numbers are printed of these exhibits";
    if (printed > 0 || claims > 0)
        printf("%s: %s; of %d claims %d hold\n", paper->id, cells, claims, hold);
    text_free(&said);
}

/* Cells that differ and jobs that went wrong, the first few of each. */
static void print_faults(const struct verdicts *all)
{
    enum { MOST = 10 };
    int differ = 0, wrong = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *const c = &all->cells[i];
        if (c->verdict == VERDICT_DIFFERS && differ++ < MOST)
            printf("differs: %s %s: printed %s, here %.7g\n", key_path(&c->key), c->metric,
                   c->printed.digits, c->reproduced);
    }
    for (size_t i = 0; i < all->folder.record_count; i++) {
        const struct record *const r = &all->folder.records[i];
        if (went_wrong(r->state) && wrong++ < MOST)
            printf("%s: %s\n", key_path(&r->key), r->note);
    }
    if (differ > MOST || wrong > MOST)
        printf("and %d more, in the report\n",
               (differ > MOST ? differ - MOST : 0) + (wrong > MOST ? wrong - MOST : 0));
}

static void print_summary(const struct report *report)
{
    const struct verdicts *const all = report->all;
    for (int i = 0; papers[i] != NULL; i++)
        sum_up(all, papers[i]);
    print_faults(all);
    printf("%s/report.md\n%s/index.html\n%s\n", report->folder, report->folder, all->last_line);
}

int report_folder(const char *folder, const char *format)
{
    struct verdicts all;
    enum status status = verdicts_load(folder, NULL, &all);
    if (status != OK)
        return failed(status);
    struct figures figures = {{0}, {0}};
    struct report report = {.folder = folder, .format = format, .all = &all, .figures = &figures};
    const struct facts *const facts = &all.folder.facts;
    standing_print(folder, &all.folder.standing, stdout);
    if (all.folder.standing.said != NULL)
        page_paragraph(&report.page, "The run is %s.", all.folder.standing.said);
    page_paragraph(&report.page, "%s, commit %s%s, %s", facts_get(facts, "program"),
                   facts_get(facts, "commit"),
                   fact_is(facts, "dirty", "1") ? " (changed tree)" : "",
                   facts_get(facts, "start"));
    if (all.folder.reworked)
        page_paragraph(&report.page,
                       "%s Lines of measured.csv are those of the one that `reprise "
                       "site` writes.",
                       said_of_reworked(&all.folder));
    status = sub_folder(folder, "tables");
    if (status == OK)
        status = sub_folder(folder, "figures");
    if (status == OK)
        status = write_measured(&all.folder);
    if (status == OK)
        status = write_compared(&report);
    if (status == OK)
        status = draw_figures(&all, folder, false, &figures);
    add_overview(&report);
    for (int i = 0; papers[i] != NULL && status == OK; i++)
        status = add_paper(&report, papers[i]);
    page_part(&report.page, "Of the whole run");
    add_ceilings(&report);
    add_joules(&report);
    if (status == OK)
        status = add_roofline(&all, folder, &report.page, &figures);
    add_claims(&report);
    add_errata(&report);
    add_missing(&report);
    add_run_facts(&report);
    figures_say(&figures, folder);
    if (status == OK)
        status = page_write(&report.page, folder, run_title(&all), all.last_line);
    if (status == OK)
        print_summary(&report);
    page_free(&report.page);
    figures_free(&figures);
    const int exit_status = status != OK ? failed(ERR_IO) : verdicts_exit(&all);
    verdicts_free(&all);
    return exit_status;
}
