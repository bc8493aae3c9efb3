/*
 * A run's folder read as cells and claims, counted, and said in one line; the verb verdict.
 */
#include "verdict/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"

static int claims_that(const struct verdicts *all, enum hold hold)
{
    int count = 0;
    for (size_t i = 0; i < all->claim_count; i++)
        count += all->claims[i].hold[HERE] == hold;
    return count;
}

static const char *last_line(const struct verdicts *all)
{
    const struct facts *const facts = &all->folder.facts;
    const int missing = all->of[VERDICT_NOT_MEASURED] - all->left_out;
    const int differs = all->of[VERDICT_DIFFERS], compared = all->of[VERDICT_COMPARED];
    const int checked =
        all->of[VERDICT_SAME] + all->of[VERDICT_CLOSE] + all->of[VERDICT_EXPLAINED] + differs;
    const int unheard = claims_that(all, CLAIM_NOT_MEASURED);
    const bool gpu = ran_on_gpu(facts), paper_sizes = fact_is(facts, "size", "paper");
    const char *const failed = all->failed > 0 ? "; jobs failed" : "";
    const char *const counts =
        internf("%d same, %d close, %d explained, %d differ", all->of[VERDICT_SAME],
                all->of[VERDICT_CLOSE], all->of[VERDICT_EXPLAINED], differs);
    const char *const too_long =
        all->left_out > 0 ? internf("; %d would take too long", all->left_out) : "";
    const char *const claims =
        all->claim_count == 0
            ? ""
            : internf("; of %zu claims %d hold, %d partly, %d tied, %d reversed", all->claim_count,
                      claims_that(all, HOLDS), claims_that(all, PARTLY), claims_that(all, TIED),
                      claims_that(all, REVERSED));
    const char *const unfinished = all->folder.standing.said;
    const char *const why = unfinished != NULL ? unfinished
                            : gpu              ? paper_sizes ? "parts are missing" : "not all sizes"
                            : paper_sizes      ? "no GPU"
                                               : "no GPU, not all sizes";
    const char *const what = all->printed == 0
                                 ? "the paper prints no numbers of these exhibits"
                                 : internf("%d of %d printed cells are accuracy and were checked: "
                                           "%s; %d times were compared; %d cells were not measured",
                                           checked, all->printed, counts, compared, missing);
    const bool ours_alone = all->printed == 0 && all->claim_count == 0;
    if (checked + compared == 0 && unheard == (int)all->claim_count && !ours_alone)
        return internf("INCOMPLETE (%snothing that the papers print was measured%s)",
                       gpu ? "" : "no GPU: ", failed);
    if (unfinished != NULL || missing > 0 || unheard > 0 || all->failed > 0 ||
        (all->printed == 0 && !paper_sizes) || (ours_alone && !gpu))
        return internf("INCOMPLETE (%s: %s%s%s%s)", why, what, too_long, claims, failed);
    if (differs > 0)
        return internf("REPRODUCED WITH %d DIFFERENCE%s (%s; %d times compared%s%s)", differs,
                       differs == 1 ? "" : "S", counts, compared, too_long, claims);
    if (checked > 0)
        return internf("REPRODUCED (%s; %d times compared%s%s)", counts, compared, too_long,
                       claims);
    if (ours_alone)
        return internf("MEASURED (%s%s)", what, too_long);
    /* Nothing could have differed. */
    return internf(
        "COMPARED (%s%s%s)",
        all->printed == 0
            ? what
            : internf("the paper prints nothing here that must agree; %d times compared", compared),
        too_long, claims);
}

/* The cells of one paper: of its exhibits that the run has. */
static enum status paper_cells(struct verdicts *all, const struct paper *paper)
{
    struct csv *csv = NULL;
    struct measurement *published = NULL;
    enum status status = csv_parse(published_of(paper), paper->id, &csv);
    if (status == OK) {
        published = measurements_of(csv);
        status = published != NULL ? OK : ERR_MEMORY;
    }
    for (const struct exhibit *e = paper->exhibits; e->id != NULL && status == OK; e++)
        if (exhibit_in_run(&all->folder, e))
            exhibit_cells(all, paper, e, published, csv_rows(csv));
    free(published);
    csv_free(csv);
    return status;
}

/* After all were decided, because a speed-up needs the times of cells that may not be asked for. */
static void keep_selected(struct verdicts *all, const struct selection *selection)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++)
        if (selection == NULL || path_selected(selection, key_path(&all->cells[i].key)))
            all->cells[kept++] = all->cells[i];
    all->count = kept;
}

static void count_cells(struct verdicts *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *cell = &all->cells[i];
        const bool printed = !isnan(cell->printed.value);
        /* An exhibit that repeats printed cells under other assumptions does not count them twice,
         * but a difference there is never passed over. */
        if (cell->exhibit->published != NULL && cell->verdict != VERDICT_DIFFERS)
            continue;
        all->printed += printed;
        all->left_out += printed && cell->left_out;
        all->of[cell->verdict] += printed || cell->verdict == VERDICT_NOT_PRINTED;
    }
    for (size_t i = 0; i < all->folder.record_count; i++)
        all->failed += went_wrong(all->folder.records[i].state);
}

enum status verdicts_load(const char *folder, const struct selection *selection,
                          struct verdicts *out)
{
    *out = (struct verdicts){0};
    enum status status = folder_load(folder, &out->folder);
    for (int i = 0; papers[i] != NULL && status == OK; i++)
        status = paper_cells(out, papers[i]);
    if (status == OK) {
        keep_selected(out, selection);
        if (out->count == 0)
            status = because(ERR_ARGS, "%s has no cell of what was asked for", folder);
    }
    if (status == OK)
        status = claims_decide(out);
    if (status != OK) {
        verdicts_free(out);
        return status;
    }
    count_cells(out);
    out->last_line = last_line(out);
    return OK;
}

void verdicts_free(struct verdicts *all)
{
    folder_free(&all->folder);
    free(all->cells);
    free(all->claims);
    *all = (struct verdicts){0};
}

int verdicts_exit(const struct verdicts *all)
{
    return all->of[VERDICT_DIFFERS] > 0 ? 4 : all->failed > 0 ? 1 : 0;
}

struct check cell_check(const struct cell *cell)
{
    static const enum grade grades[] = {
        [VERDICT_DIFFERS] = FAILED, [VERDICT_NOT_MEASURED] = UNDECIDED};
    const bool lost = went_wrong(cell->state); /* its job: it is not for want of a device */
    const bool is_time = strcmp(cell->metric, "time") == 0;
    return (struct check){.grade = lost ? FAILED : grades[cell->verdict],
                          .name = internf("%s %s", key_path(&cell->key), cell->metric),
                          .verdict = verdict_names[cell->verdict],
                          .note = cell->note,
                          .seconds = is_time ? cell->reproduced : (double)NAN};
}

static void put_cells(const struct verdicts *all, struct document *d)
{
    static const struct field columns[] = {
        {"job", "%s"},         {"metric", " %s"},  {"printed", ": printed %s"},
        {"here", ", here %s"}, {"interval", NULL}, {"verdict", ": %s"},
        {"erratum", "(%s)"},   {"note", "; %s"},   {NULL, NULL}};
    struct table t;
    table_begin(&t, d, "rows", LINES, columns);
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        table_key(&t, &c->key);
        table_word(&t, c->metric);
        table_number_shown(&t, c->printed.digits[0] != '\0' ? c->printed.digits : "-",
                           c->printed.value);
        table_number(&t, c->reproduced, 7);
        table_interval(&t, c->ci_lo, c->ci_hi);
        table_word(&t, verdict_names[c->verdict]);
        table_word(&t, c->id);
        table_word(&t, c->note);
        document_check(d, cell_check(c));
    }
    table_end(&t);
}

static void put_claims(const struct verdicts *all, struct document *d)
{
    static const struct field columns[] = {
        {"claim", "claim %s"}, {"in_print", ": in print %s"}, {"here", ", here %s"}, {NULL, NULL}};
    struct table t;
    table_begin(&t, d, "claims", LINES, columns);
    for (size_t i = 0; i < all->claim_count; i++) {
        const struct outcome *o = &all->claims[i];
        table_word(&t, o->claim->id);
        table_word(&t, hold_names[o->hold[IN_PRINT]]);
        table_word(&t, hold_names[o->hold[HERE]]);
    }
    table_end(&t);
}

int verdict_folder(const char *folder, const struct selection *selection, const char *format)
{
    struct verdicts all;
    const enum status status = verdicts_load(folder, selection, &all);
    if (status != OK)
        return failed(status);
    struct document d;
    const char *const unfinished = standing_line(folder, &all.folder.standing);
    document_begin(&d, "verdict", format);
    document_word(&d, "folder", folder);
    document_word(&d, "unfinished", unfinished);
    if (unfinished[0] != '\0')
        document_say(&d, "%s", unfinished);
    put_cells(&all, &d);
    put_claims(&all, &d);
    document_sum(&d, all.last_line);
    const int exit_status = verdicts_exit(&all);
    verdicts_free(&all);
    return document_end(&d, exit_status);
}
