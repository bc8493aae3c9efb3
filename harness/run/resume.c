/*
 * The folder of a run: made, locked, and gone on with. A run that was stopped has whole groups of
 * rows, and perhaps the beginning of one behind them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "run/checksums.h"
#include "run/folder.h"
#include "run/progress.h"

static struct progress *find_job(struct run *run, const struct key *key)
{
    for (size_t i = 0; i < run->count; i++)
        if (key_same(&run->jobs[i].job.key, key))
            return &run->jobs[i];
    for (size_t i = 0; i < run->ceiling_count; i++)
        if (key_same(&run->ceilings[i].job.key, key))
            return &run->ceilings[i];
    return NULL;
}

/* Both are interned. */
static bool ends_group(const char *metric)
{
    return metric == intern("status");
}

/* A ceiling's rounds are of workers, and each counts by itself. */
static bool is_retried(const struct run *run, const struct progress *p, const char *note)
{
    const char *const words = run->options->retry;
    if (p == NULL || words == NULL)
        return false;
    const enum state state = is_ceiling(run, p) ? state_of(note) : p->state;
    return state != JOB_NONE && word_in(words, state_note(state, ""), ',');
}

static void keep_rows(const struct csv *csv, size_t begin, size_t end, struct text *out)
{
    for (size_t i = begin; i < end; i++) {
        const struct csv_row *row = csv_row(csv, i);
        for (int c = 0; c < row->count; c++)
            text_field(out, row->field[c], c + 1 < row->count ? ',' : '\n');
    }
}

enum status note_state(struct run *run, enum folder_state state)
{
    standing_note(&run->facts, state, rounds_achieved(run), run->options->rounds);
    return facts_save(run->folder, &run->facts);
}

/* The state that each job had last decides whether it is retried; then its rounds are taken. */
static enum status resume_samples(struct run *run, const struct csv *csv, struct text *kept)
{
    struct sample *const samples = samples_of(csv);
    enum status status = samples == NULL ? ERR_MEMORY : OK;
    for (size_t i = 0; i < csv_rows(csv) && status == OK; i++) {
        struct progress *const p = find_job(run, &samples[i].key);
        if (p != NULL && ends_group(samples[i].metric))
            p->state = state_of(samples[i].note);
    }
    for (size_t i = 0, begin = 0; i < csv_rows(csv) && status == OK; i++) {
        if (!ends_group(samples[i].metric))
            continue;
        struct progress *const p = find_job(run, &samples[i].key);
        if (!is_retried(run, p, samples[i].note) && !is_out_of_time(samples[i].note)) {
            keep_rows(csv, begin, i + 1, kept);
            if (p != NULL)
                status = take_round(run, p, samples + begin, i + 1 - begin);
        }
        begin = i + 1;
    }
    free(samples);
    return status;
}

static enum status copy_file(const char *from, const char *to)
{
    struct text text = {0};
    enum status status = text_load(from, &text);
    if (status == OK)
        status = write_file(to, text.data, text.length);
    text_free(&text);
    return status;
}

static size_t lines_of(const struct text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < text->length; i++)
        count += text->data[i] == '\n';
    return count;
}

/* A file of which rows are left out is kept beside the new one. */
static enum status replace_file(const char *path, const struct csv *csv, const struct text *kept)
{
    const size_t left_out = csv_rows(csv) + 1 - lines_of(kept);
    const char *const before = internf("%s.before", path);
    if (left_out == 0 && !csv_cut(csv))
        return OK;
    enum status status = copy_file(path, before);
    if (status == OK)
        status = write_file(path, kept->data, kept->length);
    if (status == OK)
        fprintf(stderr, "left out of %s: %zu rows%s; %s has them all\n", path, left_out,
                csv_cut(csv) ? " and a line that was cut off" : "", before);
    return status;
}

/* The words of the command line that chose its jobs. */
#define GLOBS    "globs"
#define EXCLUDED "excluded"
#define AXIS     "axis"

/* What a run set out to do grows when another selection goes on in the same folder. */
static void add_words(struct facts *facts, const char *key, const char *before)
{
    struct text all = {0};
    char *const mine = strdup(facts_get(facts, key)), *rest = NULL;
    text_add(&all, "%s", before);
    for (char *word = strtok_r(mine, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (!word_in(all.data, word, ' '))
            text_add(&all, "%s%s", all.length > 0 ? " " : "", word);
    facts_add(facts, key, "%s", all.data);
    text_free(&all);
    free(mine);
}

/* results/MACHINE/DATE-COMMIT, and what keeps it from being a reference. */
static const char *default_folder(const struct run *run)
{
    const struct run_options *const options = run->options;
    const bool quick = options->rounds < 3 || strcmp(options->selection.size, "paper") != 0;
    const time_t now_ = time(NULL);
    struct tm utc;
    char date[16];
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now_, &utc));
    return internf("results/%s/%s-%.9s%s%s", machine_slug(&run->facts), date,
                   facts_get(&run->facts, "commit"),
                   fact_is(&run->facts, "dirty", "1") ? "-dirty" : "", quick ? "-quick" : "");
}

static void note_words(struct facts *facts, const char *key, const char *const *words, int count)
{
    struct text all = {0};
    text_add(&all, "%s", "");
    for (int i = 0; i < count; i++)
        text_add(&all, "%s%s", i > 0 ? " " : "", words[i]);
    facts_add(facts, key, "%s", all.data);
    text_free(&all);
}

static int recall_words(const struct facts *before, const char *key, const char **words)
{
    char *const all = strdup(facts_get(before, key)), *rest = NULL;
    int count = 0;
    for (char *word = strtok_r(all, " ", &rest); word != NULL && count < MOST_GLOBS;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = intern(word);
    free(all);
    return count;
}

/* Where nothing is named, a run goes on with what it was begun with. */
void recall_selection(struct run *run, struct selection *s)
{
    const char *const out = run->options->out;
    struct facts before;
    if (run->options->resume && selection_is_empty(s) && s->axis_override == NULL &&
        facts_load(out != NULL ? out : default_folder(run), &before) == OK) {
        const char *const axis = facts_get(&before, AXIS);
        s->glob_count = recall_words(&before, GLOBS, s->globs);
        s->excluded_count = recall_words(&before, EXCLUDED, s->excluded);
        s->axis_override = axis[0] != '\0' ? axis : NULL;
    }
    note_words(&run->facts, GLOBS, s->globs, s->glob_count);
    note_words(&run->facts, EXCLUDED, s->excluded, s->excluded_count);
    facts_add(&run->facts, AXIS, "%s", s->axis_override != NULL ? s->axis_override : "");
}

/* Rounds that took turns did so from the first one on, or not at all. */
static enum status same_turns(struct run *run, const struct facts *before)
{
    const char *const turns = facts_get(before, "turns");
    const bool took = turns[0] != '\0';
    if (took != (run->turns != NULL))
        return because(ERR_ARGS,
                       "%s was measured %s --against; resume it so, or choose another --out",
                       run->folder, took ? "with" : "without");
    if (took) {
        run->turns = intern(turns);
        facts_add(&run->facts, "turns", "%s", turns);
    }
    return OK;
}

static enum status same_run(struct run *run, const struct facts *before)
{
    static const char *const keys[] = {LOCKED_CLOCK, "fingerprint", "commit", "dirty",
                                       "build_type", "size",        "seed",   "rounds",
                                       "samples",    "thread_order"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!(run->options->rounds_each != NULL && strcmp(keys[i], "rounds") == 0) &&
            !same_fact(before, &run->facts, keys[i]))
            return because(ERR_ARGS,
                           "%s was measured with %s = '%s' and this would be '%s'; resume it as it "
                           "was begun, or choose another --out",
                           run->folder, keys[i], facts_get(before, keys[i]),
                           facts_get(&run->facts, keys[i]));
    facts_add(&run->facts, "start", "%s", facts_get(before, "start"));
    add_words(&run->facts, "exhibits", facts_get(before, "exhibits"));
    if (facts_get(before, GLOBS)[0] == '\0') /* of all there is */
        facts_add(&run->facts, GLOBS, "%s", "");
    else
        add_words(&run->facts, GLOBS, facts_get(before, GLOBS));
    return same_turns(run, before);
}

/* What the next end of the run makes anew. */
static enum status remove_derived(const char *folder)
{
    const char *const measured = internf("%s/measured.csv", folder);
    if (unlink(measured) != 0 && errno != ENOENT)
        return because(ERR_IO, "cannot remove %s: %s", measured, strerror(errno));
    return checksums_remove(folder);
}

/* What is there is read as a whole before anything of it is written. */
static enum status resume_folder(struct run *run, const char *path)
{
    struct facts before;
    struct csv *csv = NULL;
    struct text kept = {0};
    text_add(&kept, "%s", samples_header);
    enum status status = checksums_check(run->folder);
    if (status == OK)
        status = facts_load(run->folder, &before);
    if (status == OK)
        status = same_run(run, &before);
    if (status == OK)
        status = samples_load(run->folder, &before, &csv);
    if (status == OK)
        status = resume_samples(run, csv, &kept);
    if (status == OK)
        status = remove_derived(run->folder);
    if (status == OK)
        status = replace_file(path, csv, &kept);
    text_free(&kept);
    csv_free(csv);
    return status;
}

static enum status make_folders(const char *folder)
{
    for (const char *c = folder; c != NULL; c = strchr(c + 1, '/')) {
        const char *const path = c == folder ? NULL : internf("%.*s", (int)(c - folder), folder);
        if (path != NULL && path[0] != '\0' && mkdir(path, 0755) != 0 && errno != EEXIST)
            return because(ERR_IO, "cannot make the folder %s: %s; choose another --out", path,
                           strerror(errno));
    }
    return OK;
}

/* A name that is one word of a worker's task, and of no option. */
static enum status check_name(const char *folder)
{
    bool control = false;
    for (const char *c = folder; *c != '\0'; c++)
        control = control || (unsigned char)*c < ' ' || *c == 127;
    if (folder[0] == '\0')
        return because(ERR_ARGS, "--out needs the name of a folder");
    if (control || folder[0] == ' ' || folder[0] == '-')
        return because(ERR_ARGS,
                       "--out='%s': a folder's name must not begin with a blank or '-', nor have a "
                       "line break or another control character in it",
                       folder);
    return OK;
}

/* One of ours in the folder: a link would lead out of it. */
static enum status check_own_folder(const char *folder, const char *name)
{
    struct stat info;
    const char *const path = internf("%s/%s", folder, name);
    return lstat(path, &info) != 0 || S_ISDIR(info.st_mode)
               ? OK
               : because(ERR_IO, "%s is no folder; remove it, or choose another --out", path);
}

/* As it must be for this run to write to it. */
static enum status prepare_folder(struct run *run, const char *samples)
{
    switch (state_of_files(run->folder)) {
    case FOLDER_EMPTY:
        return remove_derived(run->folder);
    case FOLDER_KEPT:
        return because(ERR_ARGS, "%s is kept, and nothing is written to it; choose another --out",
                       run->folder);
    default:
        return run->options->resume
                   ? resume_folder(run, samples)
                   : because(ERR_ARGS,
                             "%s holds a run already; add --resume, or choose another --out",
                             run->folder);
    }
}

enum status open_folder(struct run *run)
{
    const char *const out = run->options->out;
    enum status status = out != NULL ? check_name(out) : OK;
    if (status != OK)
        return status;
    run->folder = out != NULL ? intern(out) : default_folder(run);
    const char *const samples = internf("%s/samples.csv", run->folder);
    status = check_own_folder(run->folder, "log");
    if (status == OK)
        status = check_own_folder(run->folder, "fields");
    if (status == OK)
        status = make_folders(internf("%s/", run->folder));
    if (status == OK)
        status = folder_lock(run->folder, &run->lock);
    if (status == OK)
        status = prepare_folder(run, samples);
    if (status == OK)
        status = make_folders(internf("%s/log/", run->folder));
    if (status == OK)
        status = note_state(run, FOLDER_RUNNING);
    if (status == OK)
        status = journal_open(&run->samples, samples, samples_header);
    return status;
}
