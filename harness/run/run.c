/*
 * The parent of a run: plans, spawns one worker per exhibit and round, limits, records. It never
 * touches the device, so nothing that happens there can take the run down. Every job's round is on
 * the disk before the next begins; a run that was stopped goes on with --resume.
 */
#include "run/run.h"
#include "run/energy.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "machine/timing.h"
#include "run/answer.h"
#include "run/calm.h"
#include "run/checksums.h"
#include "run/clocks.h"
#include "run/folder.h"
#include "run/process.h"
#include "run/progress.h"
#include "run/schedule.h"
#include "run/tell.h"
#include "run/worker.h"

/* --- one round of one job --- */

/* The one row of a round in which no worker could say anything. */
static void own_status_row(const struct run *run, const struct progress *p, int round,
                           const char *note, struct text *rows)
{
    const struct sample row = {
        p->job.key, hardware_name(&run->facts, p->job.variant->place), round, 0, "status", NAN, "",
        note};
    rows->length = 0;
    sample_print(&row, rows);
}

/* A job's round as its rows say, the status last. */
struct answered {
    struct sample *samples;
    size_t count;
    const char *note; /* of the status */
};

static enum status read_answer(const struct run *run, const struct progress *p, int round,
                               struct text *rows, struct answered *out)
{
    struct csv *csv = NULL;
    struct text whole = {0};
    *out = (struct answered){.count = 0};
    text_add(&whole, "%s%s", samples_header, rows->data);
    enum status status = csv_parse(whole.data, "a worker's answer", &csv);
    text_free(&whole);
    if (status != OK)
        return status;
    struct sample *const samples = samples_of(csv);
    const size_t count = csv_rows(csv);
    csv_free(csv);
    if (samples == NULL)
        return ERR_MEMORY;
    if (count == 0 || samples[count - 1].metric != intern("status")) {
        free(samples);
        own_status_row(run, p, round, state_note(JOB_FAILED, "the worker's answer has no status"),
                       rows);
        return read_answer(run, p, round, rows, out);
    }
    *out = (struct answered){samples, count, samples[count - 1].note};
    return OK;
}

/* By how much a job that was begun in time may overrun the budget, as a share of it. */
static const double overrun = 0.03;

static enum status start_worker(const struct run *run, struct worker *worker,
                                const struct progress *p, const char *log)
{
    const int ranks = ranks_of(p->job.variant, &p->job.at);
    const struct start how = {run->program,
                              run->options->thread_order,
                              limits_print(&run->limits),
                              ranks > 1 ? ranks : 0,
                              run->options->launcher,
                              facts_get(&run->facts, "commit"),
                              ranks > 1 ? 0 : run->card};
    calm_allow(LONGEST_WAIT - run->waited);
    return worker_start(worker, &how, log);
}

/* What a job of several ranks has not here; or null. */
static const char *lacking(const struct run *run, const struct progress *p)
{
    const struct run_options *const options = run->options;
    return ranks_lacking(&p->job, options->selection.glob_count > 0, options->launcher,
                         &run->facts);
}

/* Asks a worker, which is started if there is none. What it answered is in the rows, or what became
 * of it; `stopped`: the run ends here, and the rows mean nothing. */
static enum status ask_job(struct run *run, struct worker *worker, struct progress *p, int round,
                           const char *log, struct text *rows, bool *stopped)
{
    const struct run_options *options = run->options;
    const int samples = is_timed(&p->job) ? options->samples : 0;
    const double left = options->budget > 0 ? fmax(budget_left(run), 0) + overrun * options->budget
                                            : (double)INFINITY;
    double most = fmax(options->timeout, 20 * estimate_seconds(&p->job) * (samples + 2));
    enum status status = OK;
    const char *const without = lacking(run, p);
    if (without != NULL) {
        own_status_row(run, p, round, state_note(JOB_SKIPPED, without), rows);
        return OK;
    }
    if (worker->pid != 0 && worker->ranks != ranks_of(p->job.variant, &p->job.at))
        worker_stop(worker, false);
    if (worker->pid == 0)
        status = start_worker(run, worker, p, log);
    if (status != OK)
        return status;
    if (uses_device(p->job.variant) && !worker->on_device) {
        most += ran_on_gpu(&run->facts) ? LONGEST_WAIT : 0;
        worker->on_device = true;
    }
    const double begin = now();
    /* A launcher may wait for its nodes, which is not the job's time. */
    double wanted = LONGEST_JOIN, deadline = fmin(wanted, left);
    enum answer answer = worker_join(worker, deadline);
    if (answer == ANSWERED) {
        wanted = most;
        deadline = fmin(wanted, left - (now() - begin));
        answer = worker_ask(worker,
                            internf("%s %d %d %llu %s\n", p->job.path, round, samples,
                                    (unsigned long long)options->seed, run->folder),
                            rows, deadline);
    }
    *stopped = answer == INTERRUPTED;
    if (answer == DIED) {
        own_status_row(run, p, round, worker_death(worker), rows);
        *stopped = interrupts > 0; /* a signal to the whole group: not the job's fault */
    } else if (answer == TIMED_OUT && deadline < wanted) {
        worker_stop(worker, true);
        *stopped = true; /* the budget is spent: it has no round */
    } else if (answer != ANSWERED) {
        worker_stop(worker, true);
        own_status_row(run, p, round,
                       state_note(JOB_TIMEOUT, internf("no answer within %.0f s", deadline)), rows);
    }
    run->busy += now() - begin;
    return OK;
}

/* A job of another exhibit that is the same, and has not had this round. */
static bool goes_along(const struct progress *q, const struct progress *p, int round)
{
    return q->same == p && !q->ended && !has_round(q, round);
}

static double seconds_running(const struct sample *rows, size_t count)
{
    double seconds = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].metric, "busy") == 0)
            (void)sscanf(rows[i].note, "running %lf", &seconds);
    return seconds;
}

/* Several workers may wait; that is said once. */
static void tell_wait(struct run *run, const struct answered *answer)
{
    for (size_t i = 0; i < answer->count; i++) {
        if (answer->samples[i].metric != intern(WAITED))
            continue;
        if (!(run->waited > 0))
            fprintf(stderr, "waited %.0f s for the GPU: %s; samples.csv says when else\n",
                    answer->samples[i].value, answer->samples[i].note);
        run->waited += answer->samples[i].value;
    }
}

/* Onto the disk, and into the job and those that are the same. */
static enum status take_answer(struct run *run, struct worker *worker, struct progress *p,
                               const struct answered *answer, struct text *rows)
{
    const int round = answer->samples[0].round;
    tell_wait(run, answer);
    for (size_t i = 0; i < run->count; i++)
        for (size_t k = 0; k < answer->count && goes_along(&run->jobs[i], p, round); k++) {
            answer->samples[k].key = run->jobs[i].job.key;
            sample_print(&answer->samples[k], rows);
        }
    enum status status = journal_append(&run->samples, rows);
    if (status == OK)
        status = take_round(run, p, answer->samples, answer->count);
    run->running += seconds_running(answer->samples, answer->count);
    for (size_t i = 0; i < run->count && status == OK; i++)
        if (goes_along(&run->jobs[i], p, round))
            status = take_round(run, &run->jobs[i], answer->samples, answer->count);
    if (p->state == JOB_FAILED)
        worker_stop(worker, false); /* the device is not to be trusted after an error */
    return status;
}

static enum status run_ceilings(struct run *run, struct worker *worker, const struct progress *next,
                                const char *log, bool accused);

static bool accused_by_times(const char *note)
{
    return state_of(note) == JOB_IMPOSSIBLE || strstr(note, COMPUTED_LATE) != NULL;
}

/* A time below the limit accuses: the job, or the ceilings; so does a fetch that takes long. They
 * are measured again in a fresh worker, and only what is accused there too is written down, with
 * both times. */
static enum status ask_again(struct run *run, struct worker *worker, struct progress *p, int round,
                             const char *log, struct text *rows, struct answered *answer,
                             bool *stopped)
{
    const char *const first = answer->note;
    free(answer->samples);
    *answer = (struct answered){.count = 0};
    worker_stop(worker, false);
    enum status status = run_ceilings(run, worker, p, log, true);
    if (status == OK)
        status = ask_job(run, worker, p, round, log, rows, stopped);
    if (status == OK && !*stopped)
        status = read_answer(run, p, round, rows, answer);
    if (status != OK || *stopped || !accused_by_times(answer->note))
        return status;
    answer->samples[answer->count - 1].note =
        internf("%s; in another worker %s", first, answer->note + strcspn(answer->note, " ") + 1);
    rows->length = 0;
    for (size_t i = 0; i < answer->count; i++)
        sample_print(&answer->samples[i], rows);
    return OK;
}

static enum status run_job(struct run *run, struct worker *worker, struct progress *p, int round,
                           const char *log)
{
    struct text rows = {0};
    struct answered answer = {.count = 0};
    bool stopped = false;
    enum status status = ask_job(run, worker, p, round, log, &rows, &stopped);
    if (status == OK && !stopped)
        status = read_answer(run, p, round, &rows, &answer);
    if (status == OK && !stopped && accused_by_times(answer.note))
        status = ask_again(run, worker, p, round, log, &rows, &answer, &stopped);
    if (status == OK && !stopped)
        status = take_answer(run, worker, p, &answer, &rows);
    free(answer.samples);
    text_free(&rows);
    return status;
}

/* Those between cards are the same in every worker: after three rounds only a time that accuses has
 * them measured again. So are the host's, but for others that it serves, who come and go: they are
 * known for a minute. */
static bool is_known(const struct progress *ceiling)
{
    enum { FRESH = 60 }; /* seconds */
    const struct variant *const variant = ceiling->job.variant;
    const bool fresh = !uses_device(variant) && now() - ceiling->asked < FRESH;
    return (variant->ranks || fresh) && ceiling->rounds_done >= 3;
}

/* Those of one worker, and of as many cards as the job has that comes next; they are the last, so
 * that it has their worker. One that falls behind the run's best by more than a fifth was
 * disturbed, and is measured again. */
static enum status run_ceilings(struct run *run, struct worker *worker, const struct progress *next,
                                const char *log, bool accused)
{
    enum { TRIES = 3 };
    enum status status = OK;
    const int round = ++run->worker_number;
    for (size_t i = 0; i < run->ceiling_count; i++) {
        struct progress *const p = &run->ceilings[i];
        if (p->job.variant->ranks &&
            ranks_of(p->job.variant, &p->job.at) != ranks_of(next->job.variant, &next->job.at))
            continue;
        if (!accused && is_known(p))
            continue;
        p->asked = now();
        for (int k = 0; k < TRIES && status == OK && interrupts == 0; k++) {
            status = run_job(run, worker, p, round + k, log);
            if (!(p->last > 1.2 * p->least))
                break;
        }
    }
    return status;
}

static void remove_if_empty(const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && info.st_size == 0)
        unlink(path);
}

/* Of one rank, beside several: each round another of the cards that these share, for they may be
 * unlike, and what a speed-up is over is a time of all. From 1 on; 0: any. */
static int card_of(const struct run *run, const struct progress *p, int round)
{
    const double cards = fact_number(&run->facts, "gpu_cards");
    const bool turns = p->job.variant->ranks && run->options->launcher == NULL;
    return turns && cards > 1 ? (round - 1) % (int)cards + 1 : 0;
}

/* One worker: the ceilings first if anything is timed, then the jobs. */
static enum status run_leg(struct run *run, const struct leg *leg, int round)
{
    struct worker worker = {0};
    enum status status = OK;
    const char *const id = run->jobs[leg->jobs[0].job].job.exhibit->id;
    const char *const log = internf("%s/log/%s.%d.txt", run->folder, id, round);
    const double begin = now();
    double seconds = 0;
    size_t asked = 0;
    run->card = card_of(run, &run->jobs[leg->jobs[0].job], round);
    for (size_t i = 0; i < leg->count && status == OK && interrupts == 0; i++) {
        struct progress *const p = &run->jobs[leg->jobs[i].job];
        if (!(p->expected <= budget_left(run)))
            continue;
        /* Every process measures the limits that the device has in it. */
        if (leg->timed && worker.pid == 0 && lacking(run, p) == NULL)
            status = run_ceilings(run, &worker, p, log, false);
        if (status != OK || interrupts > 0)
            break;
        tell_job(run, p, round);
        status = run_job(run, &worker, p, round, log);
        seconds += p->seconds;
        asked++;
    }
    worker_stop(&worker, false);
    remove_if_empty(log);
    run->around += fmax(now() - begin - seconds, 0);
    if (asked > 0)
        tell_leg(run, leg, round, asked, now() - begin);
    return status;
}

static enum status make_leg(struct run *run, size_t first, size_t end, int round, enum turn turn)
{
    struct leg leg = {.jobs = calloc(end - first, sizeof *leg.jobs)};
    enum status status = OK;
    if (leg.jobs == NULL)
        return because(ERR_MEMORY, "there is no memory for the order of %zu jobs", end - first);
    leg_make(run, first, end, round, turn, &leg);
    if (leg.count > 0) {
        status = run_leg(run, &leg, round);
        tell_exhibits(run);
    }
    free(leg.jobs);
    return status;
}

/* Two runs that take turns begin by turns as well. */
static enum status run_turn(struct run *run, int round, enum turn turn)
{
    enum status status = OK;
    struct run *turns[] = {run, run->other};
    if (run->other != NULL && round % 2 == 0) {
        turns[0] = run->other;
        turns[1] = run;
    }
    for (size_t first = 0, end; first < run->count && status == OK; first = end) {
        for (int k = 0; k < 2; k++)
            if (turns[k] != NULL)
                expect_costs(turns[k]);
        end = leg_end(run, first, round, turn);
        for (int k = 0; k < 2 && status == OK && interrupts == 0; k++)
            if (turns[k] != NULL)
                status = make_leg(turns[k], first, end, round, turn);
    }
    return status;
}

/* Jobs for which there was no time at all have a row that says so. */
static enum status note_out_of_time(struct run *run)
{
    const double budget = run->options->budget;
    const char *const note = out_of_time(budget);
    enum status status = OK;
    struct text rows = {0};
    size_t none = 0, fewer = 0;
    for (size_t i = 0; i < run->count && status == OK; i++) {
        struct progress *const p = &run->jobs[i];
        fewer += !p->ended && p->rounds_done > 0;
        if (p->rounds_done > 0)
            continue;
        own_status_row(run, p, 1, note, &rows);
        p->note = note;
        p->state = JOB_SKIPPED;
        status = journal_append(&run->samples, &rows);
        none++;
    }
    text_free(&rows);
    if (none + fewer > 0)
        fprintf(
            stderr,
            "the budget of %g s ended the run: %zu jobs are not measured, %zu have fewer rounds\n",
            budget, none, fewer);
    return status;
}

static enum status run_and_note(struct run *run, int round, enum turn turn)
{
    enum status status = run_turn(run, round, turn);
    if (status == OK)
        status = note_state(run, FOLDER_RUNNING);
    if (status == OK && run->other != NULL)
        status = note_state(run->other, FOLDER_RUNNING);
    return status;
}

static enum status run_rounds(struct run *run)
{
    enum status status = OK;
    for (enum turn turn = QUICK_ERRORS; turn < TURNS && status == OK; turn++)
        status = run_and_note(run, 1, turn);
    for (enum turn turn = CHEAP_ONES; turn < TURNS && status == OK; turn++)
        for (int round = 2; round <= run->options->rounds && status == OK; round++)
            status = run_and_note(run, round, turn);
    const bool limited = run->options->budget > 0 && interrupts == 0;
    if (status == OK && limited)
        status = note_out_of_time(run);
    if (status == OK && limited && run->other != NULL)
        status = note_out_of_time(run->other);
    return status;
}

/* --- putting it together --- */

/* What exhibits have in common is measured once. The run's jobs are the plan's. */
static void find_same(struct run *run, const struct plan *plan)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct job *const same = plan_same(plan, i);
        if (same != NULL)
            run->jobs[i].same = &run->jobs[same - plan->jobs];
    }
}

/* Also of a job of another exhibit, whose error is printed and which is measured with it. */
static enum status find_errors(struct run *run, const struct plan *plan)
{
    bool *const printed = calloc(plan->count, sizeof *printed);
    const enum status status = printed != NULL ? plan_errors(plan, printed) : ERR_MEMORY;
    for (size_t i = 0; i < run->count && status == OK; i++)
        if (printed[i]) {
            struct progress *const p = &run->jobs[i];
            (p->same != NULL ? p->same : p)->error_printed = true;
            p->error_printed = true;
        }
    free(printed);
    return status;
}

/* Unless the plan has nothing else: they are measured in every worker anyway. */
static void leave_ceilings_out(struct plan *plan)
{
    size_t others = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (plan->jobs[i].variant->role != CEILING)
            plan->jobs[others++] = plan->jobs[i];
    plan->count = others > 0 ? others : plan->count;
}

/* Of the first glob that the job matches. */
static int rounds_of(const struct run_options *options, const struct job *job)
{
    const struct selection *const s = &options->selection;
    int i = 0;
    while (i < s->glob_count && !glob_matches(s->globs[i], job->path))
        i++;
    return options->rounds_each != NULL && i < s->glob_count ? options->rounds_each[i]
                                                             : options->rounds;
}

static enum status make_jobs(struct run *run)
{
    struct plan plan, ceilings = {0};
    struct selection all = run->options->selection;
    enum status status = plan_make(&run->options->selection, &plan);
    if (status != OK)
        return status;
    leave_ceilings_out(&plan);
    all = (struct selection){.globs = {"ceilings*"}, .glob_count = 1, .size = all.size};
    status = plan_make(&all, &ceilings);
    run->jobs = calloc(plan.count, sizeof *run->jobs);
    run->ceilings = calloc(ceilings.count + 1, sizeof *run->ceilings);
    if (status == OK && (run->jobs == NULL || run->ceilings == NULL))
        status = because(ERR_MEMORY, "there is no memory for %zu jobs", plan.count);
    /* What the run set out to do, so that a report of a part of it knows what is missing. */
    struct text exhibits = {0};
    const struct exhibit *last = NULL;
    for (size_t i = 0; i < plan.count && status == OK; i++) {
        struct progress *p = &run->jobs[run->count++];
        p->job = plan.jobs[i];
        p->rounds_wanted = is_timed(&p->job) ? rounds_of(run->options, &p->job) : 1;
        if (p->job.exhibit != last)
            text_add(&exhibits, "%s%s", last == NULL ? "" : " ", p->job.exhibit->id);
        last = p->job.exhibit;
    }
    facts_add(&run->facts, "exhibits", "%s", exhibits.length > 0 ? exhibits.data : "");
    text_free(&exhibits);
    const bool others = plan.jobs[0].variant->role != CEILING;
    for (size_t i = 0; i < ceilings.count && status == OK && others; i++) {
        if (!ran_on_gpu(&run->facts) && uses_device(ceilings.jobs[i].variant))
            continue; /* nothing there has a time */
        struct progress *p = &run->ceilings[run->ceiling_count++];
        p->job = ceilings.jobs[i];
        p->rounds_wanted = 1;
    }
    find_same(run, &plan);
    if (status == OK)
        status = find_errors(run, &plan);
    plan_free(&plan);
    plan_free(&ceilings);
    return status;
}

static int exit_status(const struct run *run)
{
    size_t right = 0, bad = 0, skipped = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct progress *p = &run->jobs[i];
        right += good(p->state);
        skipped += p->state == JOB_SKIPPED;
        bad += went_wrong(p->state);
        if (went_wrong(p->state))
            fprintf(stderr, "%s: %s\n", p->job.path, p->note);
    }
    const double gone = now() - run->begin;
    fprintf(stderr,
            "%zu jobs good, %zu failed, %zu skipped in %.1f s: %.0f %% running, %.2f s outside the "
            "jobs\n",
            right, bad, skipped, gone, 100 * run->running / gone, gone - run->busy);
    if (interrupts > 0)
        fprintf(stderr, "interrupted; go on with --resume --out %s\n", run->folder);
    return interrupts > 0 ? 130 : bad > 0 || right == 0 ? 1 : 0;
}

static void stamp(struct facts *facts, const char *key)
{
    char text[32];
    const time_t time_ = time(NULL);
    struct tm utc;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&time_, &utc));
    facts_add(facts, key, "%s", text);
}

static struct worker clocks; /* that holds them, for all runs of this process */

/* Of as many cards as some job has ranks. */
static enum status lock_clocks(struct run *run)
{
    static struct facts locked;
    int cards = 1;
    for (size_t i = 0; i < run->count; i++) {
        const struct progress *const p = &run->jobs[i];
        const int ranks = ranks_of(p->job.variant, &p->job.at);
        if (ranks > cards && lacking(run, p) == NULL)
            cards = ranks;
    }
    const enum status status = clocks.pid == 0 ? clocks_lock(&clocks, cards, &locked) : OK;
    facts_add(&run->facts, LOCKED_CLOCK, "%s", facts_get(&locked, LOCKED_CLOCK));
    return status;
}

static enum status open_run(struct run *run, struct run_options *options)
{
    *run = (struct run){.options = options,
                        .program = run->program,
                        .turns = run->turns,
                        .begin = now(),
                        .limits = no_limits,
                        .lock = -1,
                        .samples.fd = -1};
    enum status status = run_facts(run->program, &run->facts);
    if (options->selection.size == NULL)
        options->selection.size = ran_on_gpu(&run->facts) ? "paper" : "quick";
    facts_add(&run->facts, "size", "%s", options->selection.size);
    facts_add(&run->facts, "seed", "%llu", (unsigned long long)options->seed);
    facts_add(&run->facts, "order", "%s", options->order);
    facts_add(&run->facts, "thread_order", "%s", options->thread_order);
    facts_add(&run->facts, "rounds", "%d", options->rounds);
    facts_add(&run->facts, "samples", "%d", options->samples);
    if (run->turns != NULL)
        facts_add(&run->facts, "turns", "%s", run->turns);
    recall_selection(run, &options->selection);
    if (status == OK)
        status = make_jobs(run);
    if (status == OK && options->lock_clocks)
        status = lock_clocks(run);
    facts_finish(&run->facts);
    stamp(&run->facts, "start");
    if (status == OK)
        costs_of_earlier_runs(&run->costs, &run->facts);
    if (status == OK)
        status = open_folder(run);
    struct names warnings = {0};
    if (status == OK)
        warn_of_others(&run->facts, &warnings);
    for (size_t i = 0; i < warnings.count; i++)
        fprintf(stderr, "warning: %s\n", warnings.list[i]);
    free(warnings.list);
    return status;
}

/* A budget buys a first round of each job that fits it, and as many more as it can: then the run is
 * whole, and its rows say what did not fit. What the samples amount to; then run.csv, which says
 * that it is there; then their checksums. */
static enum status end_run(struct run *run)
{
    const int done = rounds_achieved(run);
    const bool limited = run->options->budget > 0 && interrupts == 0;
    const bool whole = done == run->options->rounds || (limited && done >= 1);
    enum status status = measured_write(run->folder, &run->facts);
    stamp(&run->facts, "end");
    if (status == OK)
        status = note_state(run, whole ? FOLDER_FINISHED : FOLDER_INTERRUPTED);
    return status == OK ? checksums_write(run->folder) : status;
}

static void free_run(struct run *run)
{
    journal_close(&run->samples);
    if (run->lock >= 0)
        close(run->lock);
    for (size_t i = 0; i < run->count; i++)
        progress_free(&run->jobs[i]);
    for (size_t i = 0; i < run->ceiling_count; i++)
        progress_free(&run->ceilings[i]);
    costs_free(&run->costs);
    free(run->jobs);
    free(run->ceilings);
}

/* A run that goes on took its turns with the one that is in the folder. */
static enum status join_turns(const struct run *run, struct run *base, const char *folder)
{
    struct facts facts;
    const bool goes_on = strcmp(run->turns, base->turns) != 0;
    base->turns = run->turns;
    return !goes_on || (facts_load(folder, &facts) == OK && fact_is(&facts, "turns", run->turns))
               ? OK
               : because(ERR_ARGS, "%s is no run that took turns with %s; choose another --out",
                         folder, run->folder);
}

/* One run, or two that take turns: the other program's goes into FOLDER/base. */
static int run_once(struct run_options *options, const char **folder)
{
    struct run run = {0}, base = {.program = options->against};
    struct run_options base_options = *options;
    const bool both = options->against != NULL;
    run.turns = base.turns =
        both ? internf("%lld.%ld", (long long)time(NULL), (long)getpid()) : NULL;
    enum status status = OK;
    if (both && run_facts(options->against, &base.facts) != OK)
        status = because(ERR_ARGS, "--against=%s: this is no reprise that tells what it is",
                         options->against);
    if (status == OK)
        status = open_run(&run, options);
    if (status == OK && both) {
        base_options.out = internf("%s/base", run.folder);
        base_options.selection = options->selection;
        status = join_turns(&run, &base, base_options.out);
    }
    if (status == OK && both) {
        status = open_run(&base, &base_options);
        run.other = &base;
    }
    const bool opened = status == OK;
    catch_signals(); /* from here on there is something to lose */
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
    if (status != OK)
        exit = failed(status);
    *folder = opened ? run.folder : NULL;
    free_run(&run);
    if (both)
        free_run(&base);
    return exit;
}

int run_plan(struct run_options *options, const char **folder)
{
    energy_ask(options->energy);
    int exit = run_once(options, folder);
    if (options->self && exit == 0) {
        struct run_options again = *options;
        const char *self;
        again.out = internf("%s/self", *folder);
        exit = run_once(&again, &self);
    }
    clocks_unlock(&clocks);
    return exit;
}
