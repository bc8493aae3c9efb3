/*
 * The parent of a run: plans, spawns one worker per exhibit and round, limits, records. It never
 * touches the device, so nothing that happens there can take the run down. Every job's round is on
 * the disk before the next begins; a run that was stopped goes on with --resume.
 */
#include "run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/core.h"
#include "machine/timing.h"
#include "run/process.h"
#include "run/summary.h"
#include "run/worker.h"

struct progress { /* of one job over its rounds */
    struct job job;
    struct text rows; /* its rows of samples.csv */
    int rounds_wanted, rounds_done;
    unsigned char seen[64]; /* round r is in samples.csv */
    double seconds;         /* the last round took this long in the worker */
    bool ended, recorded;   /* no further round; its group is in measured.csv */
    char word[16];          /* of its last status */
};

struct run {
    const struct run_options *options;
    const char *program; /* of the workers; null: this one */
    const char *turns;   /* what both runs that take turns call it; or null */
    struct run *other;   /* whose rounds follow ours, and go before them the next time; or null */
    struct progress *jobs, *ceilings;
    size_t count, ceiling_count;
    struct facts facts;
    struct journal samples, measured;
    char folder[768];
    int lock;
    int worker_number; /* the ceilings' round: they are measured once in every worker */
    double begin, busy;
    size_t steps_done, steps_all;
};

static const double slow_job = 40; /* seconds a round, judging included */

static void on_interrupt(int number)
{
    (void)number;
    interrupts++;
}

static enum status record_job(struct run *run, struct progress *p)
{
    struct text group = {0};
    if (p->recorded || p->rows.length == 0)
        return OK;
    enum status status = measured_group(&p->job, p->rows.data, &group);
    if (status == OK)
        status = journal_append(&run->measured, &group);
    p->recorded = status == OK;
    text_free(&group);
    return status;
}

/* --- one round of one job --- */

static bool word_is_good(const char *word)
{
    return strcmp(word, "ok") == 0 || strcmp(word, "quick") == 0 || strcmp(word, "emulated") == 0;
}

/* Takes the last row's note as the job's state: "skipped: why" -> "skipped". */
static void take_status(struct progress *p, const char *rows, size_t length)
{
    size_t last = length - 1;
    while (last > 0 && rows[last - 1] != '\n')
        last--;
    const char *note = strstr(rows + last, ",status,,,");
    note = note == NULL ? "failed" : note + strlen(",status,,,");
    note += *note == '"';
    const size_t word = strcspn(note, ":\",\n");
    snprintf(p->word, sizeof p->word, "%.*s", (int)word, note);
    const char *busy = strstr(rows, ",busy,");
    p->seconds = busy == NULL ? 0 : strtod(busy + strlen(",busy,"), NULL);
}

static bool is_ceiling(const struct run *run, const struct progress *p)
{
    return p >= run->ceilings && p < run->ceilings + run->ceiling_count;
}

static void own_status_row(const struct run *run, const struct progress *p, int round,
                           const char *note, struct text *rows)
{
    char hardware[256];
    const struct job *job = &p->job;
    hardware_name(&run->facts, job->variant->place, hardware, sizeof hardware);
    rows->length = 0;
    text_add(rows, "%s,%s,%s,%s,", job->exhibit->id, job->of->id, job->variant->id,
             precision_name(job->variant->precision));
    text_field(rows, hardware, ',');
    text_add(rows, "%ld,%d,0,status,,,", job->n, round);
    text_field(rows, note, '\n');
}

static void show_progress(struct run *run, const struct progress *p, int round)
{
    double left = 0, known = 0, guessed = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct progress *q = &run->jobs[i];
        if (q->rounds_done > 0) {
            known += q->seconds;
            guessed += estimate_seconds(&q->job);
        }
    }
    const double scale = guessed > 0 ? known / guessed : 1;
    for (size_t i = 0; i < run->count; i++) {
        const struct progress *q = &run->jobs[i];
        const double one = q->rounds_done > 0 ? q->seconds : scale * estimate_seconds(&q->job);
        if (!q->ended)
            left += one * (q->rounds_wanted - q->rounds_done);
    }
    fprintf(stderr, "%zu/%zu  round %d/%d  %s  %.0f s gone, ~%.0f s left\n", run->steps_done + 1,
            run->steps_all, round, p->rounds_wanted, p->job.path, now() - run->begin, left);
}

static enum status run_job(struct run *run, struct worker *worker, struct progress *p, int round,
                           const char *log)
{
    const struct run_options *options = run->options;
    const bool ceiling = is_ceiling(run, p);
    const int samples = is_timed(&p->job) ? options->samples : 0;
    const double deadline = fmax(options->timeout, 20 * estimate_seconds(&p->job) * (samples + 2));
    struct text rows = {0};
    char line[1536], note[256];
    enum status status = OK;
    if (worker->pid == 0)
        status = worker_start(worker, run->program, options->thread_order, log);
    if (status != OK)
        return status;
    snprintf(line, sizeof line, "%s %d %d %llu %s\n", p->job.path, round, samples,
             (unsigned long long)options->seed, run->folder);
    const double begin = now();
    switch (worker_ask(worker, line, &rows, deadline)) {
    case ANSWERED:
        break;
    case DIED:
        worker_death(worker, note, sizeof note);
        if (interrupts > 0) { /* a signal to the whole group: not the job's fault */
            text_free(&rows);
            return OK;
        }
        own_status_row(run, p, round, note, &rows);
        break;
    case TIMED_OUT:
        worker_stop(worker, true);
        snprintf(note, sizeof note, "timeout: no answer within %.0f s", deadline);
        own_status_row(run, p, round, note, &rows);
        break;
    case INTERRUPTED:
        worker_stop(worker, true);
        text_free(&rows);
        return OK;
    }
    run->busy += now() - begin;
    status = journal_append(&run->samples, &rows);
    if (status == OK) {
        text_add(&p->rows, "%s", rows.data);
        take_status(p, rows.data, rows.length);
        p->rounds_done++;
        if (round < (int)sizeof p->seen)
            p->seen[round] = 1;
        const bool good = word_is_good(p->word);
        /* Another round of an emulated job would only repeat the same bits. */
        const bool emulated = strcmp(p->word, "emulated") == 0;
        if (!ceiling && (!good || emulated || p->rounds_done >= p->rounds_wanted))
            p->ended = true;
        if (good && p->seconds > slow_job && p->rounds_wanted > 3)
            p->rounds_wanted = 3; /* its noise is small beside its time */
        if (strcmp(p->word, "failed") == 0)
            worker_stop(worker, false); /* the device is not to be trusted after an error */
        if (p->ended)
            status = record_job(run, p);
    }
    text_free(&rows);
    return status;
}

static enum status run_ceilings(struct run *run, struct worker *worker, const char *log)
{
    enum status status = OK;
    run->worker_number++;
    for (size_t i = 0; i < run->ceiling_count && status == OK && interrupts == 0; i++)
        status = run_job(run, worker, &run->ceilings[i], run->worker_number, log);
    return status;
}

/* One worker: the ceilings first if anything is timed, then the exhibit's jobs in shuffled order.
 */
static enum status run_round(struct run *run, size_t first, size_t count, int round)
{
    const struct run_options *options = run->options;
    const char *id = run->jobs[first].job.exhibit->id;
    struct worker worker = {0};
    enum status status = OK;
    size_t *order = calloc(count, sizeof *order), todo = 0;
    char log[1024];
    bool ceilings = false;
    if (order == NULL)
        return because(ERR_MEMORY, "there is no memory for the order of %zu jobs", count);
    snprintf(log, sizeof log, "%s/log/%s.%d.txt", run->folder, id, round);
    for (size_t i = 0; i < count; i++) {
        const struct progress *p = &run->jobs[first + i];
        if (p->ended || round > p->rounds_wanted || p->seen[round])
            continue;
        order[todo++] = first + i;
        ceilings = ceilings || (is_timed(&p->job) && p->job.variant->role != CEILING);
    }
    for (size_t i = todo; i > 1 && strcmp(options->order, "random") == 0; i--) {
        const size_t k = random_bits(options->seed + (uint64_t)round, i) % i;
        const size_t swap = order[i - 1];
        order[i - 1] = order[k];
        order[k] = swap;
    }
    for (size_t i = 0; i < todo && status == OK && interrupts == 0; i++) {
        if (ceilings && worker.pid == 0) /* every process measures the limits of its own */
            status = run_ceilings(run, &worker, log);
        if (status != OK || interrupts > 0)
            break;
        show_progress(run, &run->jobs[order[i]], round);
        status = run_job(run, &worker, &run->jobs[order[i]], round, log);
        run->steps_done++;
    }
    worker_stop(&worker, false);
    free(order);
    struct stat info;
    if (stat(log, &info) == 0 && info.st_size == 0)
        unlink(log);
    return status;
}

/* With the rounds that they have: after a budget's end or an interrupt too, so that a report shows
 * them. --resume records them anew once they have more. */
static enum status record_rest(struct run *run)
{
    enum status status = OK;
    for (size_t i = 0; i < run->count && status == OK; i++)
        status = record_job(run, &run->jobs[i]);
    for (size_t i = 0; i < run->ceiling_count && status == OK; i++)
        status = record_job(run, &run->ceilings[i]);
    return status;
}

static enum status run_rounds(struct run *run)
{
    enum status status = OK;
    double slowest_round = 0;
    for (int round = 1; round <= run->options->rounds && status == OK; round++) {
        const double begin = now();
        const double budget = run->options->budget;
        if (budget > 0 && round > 1 && now() - run->begin + slowest_round > budget) {
            fprintf(stderr, "the budget of %.0f s ends the run after %d rounds\n", budget,
                    round - 1);
            break;
        }
        for (size_t first = 0, next; first < run->count && status == OK; first = next) {
            for (next = first;
                 next < run->count && run->jobs[next].job.exhibit == run->jobs[first].job.exhibit;)
                next++;
            struct run *turns[] = {run, run->other};
            if (run->other != NULL && round % 2 == 0) {
                turns[0] = run->other;
                turns[1] = run;
            }
            for (int k = 0; k < 2 && status == OK && interrupts == 0; k++)
                if (turns[k] != NULL)
                    status = run_round(turns[k], first, next - first, round);
        }
        slowest_round = fmax(slowest_round, now() - begin);
    }
    if (status == OK)
        status = record_rest(run);
    return status == OK && run->other != NULL ? record_rest(run->other) : status;
}

/* --- the folder --- */

static struct progress *find_job(struct run *run, const struct csv_row *row, int n_column)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s/%s/%s/%s", row->field[C_EXHIBIT], row->field[C_CASE],
             row->field[C_VARIANT], row->field[C_PRECISION], row->field[n_column]);
    for (size_t i = 0; i < run->count; i++)
        if (strcmp(run->jobs[i].job.path, path) == 0)
            return &run->jobs[i];
    for (size_t i = 0; i < run->ceiling_count; i++)
        if (strcmp(run->ceilings[i].job.path, path) == 0)
            return &run->ceilings[i];
    return NULL;
}

/* Rows 0..i-1 end with a whole group; what follows the last status row was being written. */
static size_t whole_rows(const struct csv *csv)
{
    const int metric = csv_column(csv, "metric");
    size_t rows = csv_rows(csv);
    while (rows > 0 && strcmp(csv_row(csv, rows - 1)->field[metric], "status") != 0)
        rows--;
    return rows;
}

/* Rewrites a file without its half-written tail and without the jobs that are to be retried. */
static enum status mend_file(struct run *run, const char *name, const char *header, bool samples)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", run->folder, name);
    struct csv *csv;
    enum status status = csv_load(path, header, &csv);
    if (status != OK)
        return status;
    const size_t rows = whole_rows(csv);
    const int n = csv_column(csv, "n"), note = csv_column(csv, "note");
    const int metric = csv_column(csv, "metric");
    for (size_t i = 0; i < rows && samples && run->options->retry != NULL; i++) {
        struct progress *p = find_job(run, csv_row(csv, i), n);
        if (p != NULL && strcmp(csv_row(csv, i)->field[metric], "status") == 0) {
            const char *word = csv_row(csv, i)->field[note];
            snprintf(p->word, sizeof p->word, "%.*s", (int)strcspn(word, ":"), word);
        }
    }
    struct text kept = {0};
    text_add(&kept, "%s", header);
    for (size_t i = 0; i < rows; i++) {
        const struct csv_row *row = csv_row(csv, i);
        struct progress *p = find_job(run, row, n);
        if (p != NULL && run->options->retry != NULL && word_in(run->options->retry, p->word, ','))
            continue;
        /* Ceilings go on with every worker and are recorded at the end. */
        if (p != NULL && !samples && is_ceiling(run, p))
            continue;
        /* Rounds are missing: it is recorded anew when it has more. */
        if (p != NULL && !samples && !p->ended)
            continue;
        const size_t begin = kept.length;
        for (int c = 0; c < row->count; c++)
            text_field(&kept, row->field[c], c + 1 < row->count ? ',' : '\n');
        if (p == NULL)
            continue;
        const bool ends = strcmp(row->field[metric], "status") == 0;
        if (!samples) {
            p->recorded = p->recorded || ends;
            continue;
        }
        if (strcmp(row->field[C_METRIC], "busy") == 0)
            p->seconds = strtod(row->field[C_VALUE], NULL);
        text_add(&p->rows, "%s", kept.data + begin);
        const int round = atoi(row->field[C_ROUND]);
        if (ends) {
            p->rounds_done++;
            if (round < (int)sizeof p->seen)
                p->seen[round] = 1;
            snprintf(p->word, sizeof p->word, "%.*s", (int)strcspn(row->field[note], ":"),
                     row->field[note]);
            if (p->seconds > slow_job && p->rounds_wanted > 3)
                p->rounds_wanted = 3;
            p->ended = !is_ceiling(run, p) &&
                       (!word_is_good(p->word) || strcmp(p->word, "emulated") == 0 ||
                        p->rounds_done >= p->rounds_wanted);
            if (is_ceiling(run, p) && round > run->worker_number)
                run->worker_number = round;
        }
    }
    status = write_file(path, kept.data, kept.length);
    text_free(&kept);
    csv_free(csv);
    return status;
}

static enum status same_run(struct run *run)
{
    static const char *const keys[] = {"fingerprint", "commit", "dirty",   "build_type",
                                       "seed",        "rounds", "samples", "thread_order"};
    struct facts before;
    const enum status status = facts_load(run->folder, &before);
    if (status != OK)
        return status;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(facts_get(&before, keys[i]), facts_get(&run->facts, keys[i])) != 0)
            return because(ERR_ARGS,
                           "%s was measured with %s = '%s' and this would be '%s'; resume it as it "
                           "was begun, or choose another --out",
                           run->folder, keys[i], facts_get(&before, keys[i]),
                           facts_get(&run->facts, keys[i]));
    facts_add(&run->facts, "start", "%s", facts_get(&before, "start"));
    /* What it set out to do grows when another selection goes on in the same folder. */
    struct text exhibits = {0};
    text_add(&exhibits, "%s", facts_get(&before, "exhibits"));
    char mine[sizeof before.of->value], *rest = NULL;
    snprintf(mine, sizeof mine, "%s", facts_get(&run->facts, "exhibits"));
    for (char *id = strtok_r(mine, " ", &rest); id != NULL; id = strtok_r(NULL, " ", &rest))
        if (!word_in(exhibits.data, id, ' '))
            text_add(&exhibits, " %s", id);
    facts_add(&run->facts, "exhibits", "%s", exhibits.data);
    text_free(&exhibits);
    return facts_save(run->folder, &run->facts);
}

static enum status make_folders(const char *folder)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/log/", folder);
    for (char *c = strchr(path + 1, '/'); c != NULL; c = strchr(c + 1, '/')) {
        *c = '\0';
        if (mkdir(path, 0755) != 0 && errno != EEXIST)
            return because(ERR_IO, "cannot make the folder %s: %s", path, strerror(errno));
        *c = '/';
    }
    return OK;
}

static void stamp(struct facts *facts, const char *key)
{
    char text[32];
    const time_t time_ = time(NULL);
    struct tm utc;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&time_, &utc));
    facts_add(facts, key, "%s", text);
}

static enum status open_folder(struct run *run)
{
    const struct run_options *options = run->options;
    char path[1024], machine[128], date[16];
    const time_t time_ = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&time_, &utc));
    if (options->out != NULL &&
        (options->out[0] == '\0' || strlen(options->out) >= sizeof run->folder))
        return because(ERR_ARGS, "--out needs the name of a folder of 1 to %zu letters",
                       sizeof run->folder - 1);
    machine_slug(&run->facts, machine, sizeof machine);
    if (options->out != NULL)
        snprintf(run->folder, sizeof run->folder, "%s", options->out);
    else
        snprintf(run->folder, sizeof run->folder, "results/%s/%s-%.9s%s%s", machine, date,
                 facts_get(&run->facts, "commit"),
                 strcmp(facts_get(&run->facts, "dirty"), "1") == 0 ? "-dirty" : "",
                 options->rounds < 3 || strcmp(options->selection.size, "paper") != 0 ? "-quick"
                                                                                      : "");
    enum status status = make_folders(run->folder);
    if (status != OK)
        return status;
    run->lock = open(run->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (run->lock < 0 || flock(run->lock, LOCK_EX | LOCK_NB) != 0)
        return because(ERR_IO, "another run is writing to %s; wait for it, or choose --out",
                       run->folder);
    snprintf(path, sizeof path, "%s/samples.csv", run->folder);
    struct stat info; /* an empty file is one whose header did not fit on the disk */
    const bool there = stat(path, &info) == 0 && info.st_size > 0;
    if (there && !options->resume)
        return because(ERR_ARGS, "%s holds a run already; add --resume, or choose another --out",
                       run->folder);
    if (there) {
        status = same_run(run);
        if (status == OK)
            status = mend_file(run, "samples.csv", samples_header, true);
        snprintf(path, sizeof path, "%s/measured.csv", run->folder);
        if (status == OK && stat(path, &info) == 0 && info.st_size > 0)
            status = mend_file(run, "measured.csv", measured_header, false);
    } else {
        status = facts_save(run->folder, &run->facts);
    }
    snprintf(path, sizeof path, "%s/samples.csv", run->folder);
    if (status == OK)
        status = journal_open(&run->samples, path, samples_header);
    snprintf(path, sizeof path, "%s/measured.csv", run->folder);
    if (status == OK)
        status = journal_open(&run->measured, path, measured_header);
    return status;
}

/* --- putting it together --- */

static enum status make_jobs(struct run *run)
{
    struct plan plan, ceilings = {0};
    struct selection all = run->options->selection;
    enum status status = plan_make(&run->options->selection, &plan);
    if (status != OK)
        return status;
    all = (struct selection){.globs = {"ceilings"}, .glob_count = 1, .size = all.size};
    status = plan_make(&all, &ceilings);
    run->jobs = calloc(plan.count, sizeof *run->jobs);
    run->ceilings = calloc(ceilings.count + 1, sizeof *run->ceilings);
    if (status == OK && (run->jobs == NULL || run->ceilings == NULL))
        status = because(ERR_MEMORY, "there is no memory for %zu jobs", plan.count);
    /* What the run set out to do, so that a report of a part of it knows what is missing. */
    struct text exhibits = {0};
    const struct exhibit *last = NULL;
    bool others = false;
    for (size_t i = 0; i < plan.count; i++)
        others = others || plan.jobs[i].variant->role != CEILING;
    for (size_t i = 0; i < plan.count && status == OK; i++) {
        if (others && plan.jobs[i].variant->role == CEILING)
            continue; /* measured in every worker anyway */
        struct progress *p = &run->jobs[run->count++];
        p->job = plan.jobs[i];
        p->rounds_wanted = is_timed(&p->job) ? run->options->rounds : 1;
        run->steps_all += (size_t)p->rounds_wanted;
        if (p->job.exhibit != last)
            text_add(&exhibits, "%s%s", last == NULL ? "" : " ", p->job.exhibit->id);
        last = p->job.exhibit;
    }
    facts_add(&run->facts, "exhibits", "%s", exhibits.length > 0 ? exhibits.data : "");
    text_free(&exhibits);
    const bool real = strcmp(facts_get(&run->facts, "device"), "cuda") == 0 &&
                      facts_get(&run->facts, "gpu_name")[0] != '\0';
    for (size_t i = 0; i < ceilings.count && status == OK && others; i++) {
        const enum place place = ceilings.jobs[i].variant->place;
        if (!real && (place == DEVICE || place == HYBRID))
            continue; /* nothing there has a time */
        struct progress *p = &run->ceilings[run->ceiling_count++];
        p->job = ceilings.jobs[i];
        p->rounds_wanted = 1;
    }
    plan_free(&plan);
    plan_free(&ceilings);
    return status;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static int exit_status(const struct run *run)
{
    size_t good = 0, failed = 0, skipped = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct progress *p = &run->jobs[i];
        if (p->word[0] == '\0')
            continue;
        good += word_is_good(p->word);
        skipped += strcmp(p->word, "skipped") == 0;
        failed += !word_is_good(p->word) && strcmp(p->word, "skipped") != 0;
    }
    const double gone = now() - run->begin;
    fprintf(stderr,
            "%zu jobs good, %zu failed, %zu skipped in %.1f s, of which %.2f s outside "
            "the jobs\n",
            good, failed, skipped, gone, gone - run->busy);
    if (interrupts > 0)
        fprintf(stderr, "interrupted; go on with --resume --out %s\n", run->folder);
    return interrupts > 0 ? 130 : failed > 0 || good == 0 ? 1 : 0;
}

static enum status open_run(struct run *run, struct run_options *options)
{
    *run = (struct run){.options = options,
                        .program = run->program,
                        .turns = run->turns,
                        .begin = now(),
                        .lock = -1,
                        .samples.fd = -1,
                        .measured.fd = -1};
    enum status status = run_facts(run->program, &run->facts);
    if (options->selection.size == NULL)
        options->selection.size = strcmp(facts_get(&run->facts, "device"), "cuda") == 0 &&
                                          facts_get(&run->facts, "gpu_name")[0] != '\0'
                                      ? "paper"
                                      : "quick";
    facts_add(&run->facts, "size", "%s", options->selection.size);
    facts_add(&run->facts, "seed", "%llu", (unsigned long long)options->seed);
    facts_add(&run->facts, "order", "%s", options->order);
    facts_add(&run->facts, "thread_order", "%s", options->thread_order);
    facts_add(&run->facts, "rounds", "%d", options->rounds);
    facts_add(&run->facts, "samples", "%d", options->samples);
    if (run->turns != NULL)
        facts_add(&run->facts, "turns", "%s", run->turns);
    facts_finish(&run->facts);
    stamp(&run->facts, "start");
    if (status == OK)
        status = make_jobs(run);
    return status == OK ? open_folder(run) : status;
}

static enum status end_run(struct run *run)
{
    stamp(&run->facts, "end");
    return facts_save(run->folder, &run->facts);
}

static void free_run(struct run *run)
{
    journal_close(&run->samples);
    journal_close(&run->measured);
    if (run->lock >= 0)
        close(run->lock);
    for (size_t i = 0; i < run->count; i++)
        text_free(&run->jobs[i].rows);
    for (size_t i = 0; i < run->ceiling_count; i++)
        text_free(&run->ceilings[i].rows);
    free(run->jobs);
    free(run->ceilings);
}

/* One run, or two that take turns: the other program's goes into FOLDER/base. */
static int run_once(struct run_options *options, char *folder, size_t size)
{
    struct run run = {0}, base = {.program = options->against};
    struct run_options base_options = *options;
    char base_folder[800], turns[64];
    const bool both = options->against != NULL;
    snprintf(turns, sizeof turns, "%lld.%ld", (long long)time(NULL), (long)getpid());
    run.turns = base.turns = both ? turns : NULL;
    catch_signals();
    enum status status = OK;
    if (both && run_facts(options->against, &base.facts) != OK)
        status = because(ERR_ARGS, "--against=%s: this is no reprise that tells what it is",
                         options->against);
    if (status == OK)
        status = open_run(&run, options);
    const bool opened = status == OK;
    if (status == OK && both) {
        snprintf(base_folder, sizeof base_folder, "%s/base", run.folder);
        base_options.out = base_folder;
        base_options.selection.size = options->selection.size;
        status = open_run(&base, &base_options);
        run.other = &base;
    }
    if (status == OK)
        status = run_rounds(&run);
    if (status == OK)
        status = end_run(&run);
    if (status == OK && both)
        status = end_run(&base);
    int exit = opened ? exit_status(&run) : 1;
    if (opened && both) {
        const int of_base = exit_status(&base);
        exit = exit != 0 ? exit : of_base;
    }
    if (status != OK) {
        fprintf(stderr, "reprise: %s\n", reason());
        exit = status == ERR_ARGS ? 2 : 1;
    }
    snprintf(folder, size, "%s", opened ? run.folder : "");
    free_run(&run);
    if (both)
        free_run(&base);
    return exit;
}

int run_plan(struct run_options *options, char *folder, size_t size)
{
    char self[800];
    int exit = run_once(options, folder, size);
    if (options->self && exit == 0) {
        struct run_options again = *options;
        snprintf(self, sizeof self, "%s/self", folder);
        again.out = self;
        exit = run_once(&again, self, sizeof self);
    }
    return exit;
}
