/*
 * The worker: one process for one exhibit and one round. It prepares, solves, judges, times, and
 * judges what was timed. Nothing is timed that was not judged; a wrong answer has no speed.
 * The parent sends one line a job on standard input; rows go back on standard output, a group ends
 * by an empty line. A worker that saw a device error exits: the device is not to be trusted then.
 */
#include "run/worker.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "base/statistics.h"
#include "machine/device.h"
#include "run/metrics.h"
#include "run/rows.h"
#include "run/status.h"

/* Multiples of the limit; beyond them, work was left out. The limit is the memory's: data that stay
 * in a cache move faster, but by no more than the first number on any machine we know. A host's
 * memory has other users, who may leave after its ceiling was measured. */
static const double impossible_in_cache = 30, impossible = 1.02, impossible_on_host = 1.5;

/* A ceiling is what a machine gives at best. Each of its samples is the best of a slot of time, so
 * that all together see 100 ms, in which whoever disturbs it pauses once; unless the run has seen
 * no better one. */
enum { FEWEST_OF_A_CEILING = 7 };
static const double slot = 0.1 / FEWEST_OF_A_CEILING;

/* Seconds from which a job repeats less: its noise is small beside its time. */
static const double slow = 0.2;

struct bench {
    const struct task *task;
    const struct facts *facts;
    struct instance in;
    struct solution out;
    void *state;
    double seconds; /* of the last run */
    double steps;   /* that the judge counted; 0: it says nothing of them */
    bool judged;    /* its numbers are among the rows */
    struct text *rows;
};

static void row(const struct bench *bench, int number, const char *metric, double value,
                const char *unit, const char *note)
{
    const struct job *const job = &bench->task->job;
    const struct sample row = {job->key,
                               hardware_name(bench->facts, job->variant->place),
                               bench->task->round,
                               number,
                               metric,
                               value,
                               unit,
                               note};
    sample_print(&row, bench->rows);
}

/* Position matters to it, and every bit of every value. Four sums take turns: each alone would wait
 * for its own last product. */
static uint64_t fingerprint(const struct solution *out)
{
    const size_t bytes = out->count * value_size(out->precision);
    const unsigned char *from = out->values;
    uint64_t hash[4] = {1, 2, 3, 4}, all = 0;
    for (size_t i = 0; i < bytes; i += sizeof all) {
        const size_t left = bytes - i;
        uint64_t word = 0, *const h = &hash[i / sizeof word % 4];
        memcpy(&word, from + i, left < sizeof word ? left : sizeof word);
        *h = (*h ^ word) * UINT64_C(0x100000001b3);
        *h ^= *h >> 29;
    }
    for (int k = 0; k < 4; k++)
        all = (all ^ hash[k]) * UINT64_C(0x100000001b3);
    return all;
}

static enum status fetch(const struct variant *variant, void *state, struct solution *out,
                         struct laps *laps)
{
    double seconds;
    /* NaN: what is not written cannot look right. */
    memset(out->values, 0xff, out->count * value_size(out->precision));
    laps_begin(laps, false);
    const enum status status = variant->calls->fetch(state, out, laps);
    return status == OK ? laps_end(laps, &seconds) : status;
}

enum status accept_answer(const struct instance *in, const struct variant *variant,
                          const struct solution *got, struct judgement *judgement)
{
    const double allowed =
        1.05 * judgement->inherent + variant->tolerance(variant, in, got, judgement);
    const bool good = judgement->error <= allowed;
    if (!good)
        return because(WRONG, "error %.3g, allowed %.3g", judgement->error, allowed);
    return OK;
}

static enum status judge(const struct instance *in, const struct variant *variant,
                         const struct solution *out, struct judgement *judgement)
{
    *judgement = (struct judgement){.error = NAN};
    enum status status = in->at.problem->judge(in, out, judgement);
    const enum status judged = status;
    if (judged == OK)
        status = accept_answer(in, variant, out, judgement);
    add_own_metrics(judgement);
    return judged == OK && judgement->status != OK ? judgement->status : status;
}

enum status fetch_and_judge(struct instance *in, const struct variant *variant, void *state,
                            struct solution *out, struct judgement *judgement, struct laps *laps)
{
    *judgement = (struct judgement){.error = NAN};
    const enum status status = fetch(variant, state, out, laps);
    return status == OK ? judge(in, variant, out, judgement) : status;
}

enum status dump_to(const char *path, const struct instance *in, const struct solution *out)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
    fprintf(file, "%s\n", in->at.problem->dump_header);
    in->at.problem->dump(in, out, file);
    const bool good = ferror(file) == 0;
    const bool closed = fclose(file) == 0;
    if (!(good && closed))
        return because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
    return OK;
}

enum status run_timed(struct instance *in, const struct variant *variant, void *state,
                      uint64_t seed, int batch, struct laps *laps, double *seconds)
{
    if (in->at.problem->vary != NULL)
        in->at.problem->vary(in, seed);
    const double begin = now();
    enum status status = variant->calls->load == NULL ? OK : variant->calls->load(state);
    if (status != OK)
        return status;
    const double load = variant->calls->load == NULL ? (double)NAN : now() - begin;
    laps_begin(laps, uses_device(variant) && device_has_time());
    laps->load = load;
    for (int i = 0; i < batch && status == OK; i++) {
        if (i > 0 && in->at.problem->vary != NULL) /* cheap, and so within the time of a batch */
            in->at.problem->vary(in, random_bits(seed, (uint64_t)i) | 1);
        status = variant->calls->run(state, batch == 1 ? laps : NULL);
    }
    if (status == OK)
        status = laps_end(laps, seconds);
    *seconds /= batch;
    return status;
}

/* One sample on data of its own: an answer kept from a run before would be a wrong one. */
static enum status sample(struct bench *bench, uint64_t seed, int batch, struct laps *laps)
{
    return run_timed(&bench->in, bench->task->job.variant, bench->state, seed, batch, laps,
                     &bench->seconds);
}

/* Data of its own for every sample of every round; never 0, the published data. */
static uint64_t sample_seed(const struct task *task, int number)
{
    return random_bits(task->seed, (uint64_t)task->round * 1000003 + (uint64_t)number + 1) | 1;
}

static void part_rows(struct bench *bench, int number, const struct laps *laps)
{
    if (laps->load >= 0)
        row(bench, number, "time_load", laps->load, "s", "");
    for (int i = 1; i <= laps->count; i++) {
        bool first = laps->part[i][0] != '\0'; /* "": what no lap claimed */
        for (int k = 1; k < i; k++)
            first = first && strcmp(laps->part[k], laps->part[i]) != 0;
        if (first)
            row(bench, number, internf("time_%s", laps->part[i]), laps_part(laps, laps->part[i]),
                "s", "");
    }
}

/* The answer to the published data, if the exhibit's figure is drawn from it. */
static enum status keep_field(const struct bench *bench)
{
    const struct job *job = &bench->task->job;
    const struct key *key = &job->key;
    const char *const name = internf("%s/%s/%s", key->of, key->variant, key->precision);
    const char *const fields = internf("%s/fields", bench->task->folder);
    if (job->exhibit->fields == NULL || fnmatch(job->exhibit->fields, name, FNM_EXTMATCH) != 0)
        return OK;
    if (mkdir(fields, 0755) != 0 && errno != EEXIST)
        return because(ERR_IO, "cannot make the folder %s: %s", fields, strerror(errno));
    return dump_to(internf("%s/%s.%s.%s.%s.%s.csv", fields, key->exhibit, key->of, key->variant,
                           key->precision, key->n),
                   &bench->in, &bench->out);
}

static void clock_rows(struct bench *bench)
{
    double mhz;
    bool throttled;
    if (uses_device(bench->task->job.variant) && device_clock(&mhz, &throttled)) {
        row(bench, 0, "clock", mhz, "MHz", "");
        row(bench, 0, "throttled", throttled, "1", "");
    }
}

/* What the samples of this round say beside themselves; WRONG if they are impossibly short. */
static enum status conclude_times(struct bench *bench, struct limits *limits, double *seconds,
                                  int samples, int batch)
{
    const struct job *job = &bench->task->job;
    const struct variant *variant = job->variant;
    const double median = quantile(seconds, (size_t)samples, 0.5);
    row(bench, 0, "batch", batch, "1", "");
    if (variant->role == CEILING) {
        limits_learn(limits, job, seconds[0]); /* the least: they are sorted */
        return OK;
    }
    const struct work work = work_of_steps(&job->work, bench->steps);
    const double limit = limit_seconds(limits, variant, &work);
    if (limit > 0)
        row(bench, 0, "limit", limit, "s", "");
    const double cache =
        fact_number(bench->facts, uses_device(variant) ? "gpu_l2_bytes" : "cpu_l3_bytes");
    const double held = fmax(job->work.host_bytes, job->work.device_bytes);
    const double most = held <= 2 * cache      ? impossible_in_cache
                        : uses_device(variant) ? impossible
                                               : impossible_on_host;
    const bool possible = isnan(limit) || limit / median <= most;
    return possible ? OK : because(IMPOSSIBLE, "%.3g s where the limit is %.3g s", median, limit);
}

/* The numbers of a judgement, among them what conclude_times() scales the work by. */
static void judged_rows(struct bench *bench, const struct judgement *judgement)
{
    bench->judged = true;
    bench->steps = judgement->steps;
    for (int i = 0; i < judgement->count; i++) {
        const struct metric_value *metric = &judgement->metrics[i];
        row(bench, 0, metric->name, metric->value, "1", "");
    }
}

/* All but the first run, which said how long it takes. */
static enum status take_samples(struct bench *bench, const struct limits *limits, double *seconds,
                                int samples, int batch)
{
    const struct task *task = bench->task;
    const bool ceiling = task->job.variant->role == CEILING;
    const double known = limit_seconds(limits, task->job.variant, &task->job.work);
    struct laps laps;
    enum status status = OK;
    /* Warm up by time, on the device only: clocks rise within milliseconds of work. */
    const double begin = now();
    while (status == OK && uses_device(task->job.variant) && samples > 1 && now() - begin < 0.02)
        status = sample(bench, random_bits(task->seed, 0), batch, &laps);
    for (int s = 0; s < samples && status == OK; s++) {
        const double slot_begin = now();
        status = sample(bench, sample_seed(task, s), batch, &laps);
        seconds[s] = bench->seconds;
        while (status == OK && ceiling && !(seconds[s] <= 1.2 * known) &&
               now() - slot_begin < slot) {
            status = sample(bench, sample_seed(task, s), batch, &laps);
            seconds[s] = fmin(seconds[s], bench->seconds);
        }
        if (status != OK)
            break;
        row(bench, s, "time", seconds[s], "s", "");
        if (batch == 1)
            part_rows(bench, s, &laps);
    }
    return status;
}

/* How many runs make a sample: one, or what lasts 100 us where one is shorter than 50 us, by the
 * shortest of a few, since what disturbs a run only makes it longer. */
static enum status find_batch(struct bench *bench, int *batch)
{
    const struct task *task = bench->task;
    const bool loads = task->job.variant->calls->load != NULL;
    double least = bench->seconds;
    struct laps laps;
    enum status status = OK;
    for (int k = 0; k < 4 && !loads && least >= 50e-6 && least < 20e-3 && status == OK; k++) {
        status = sample(bench, random_bits(task->seed, 0), 1, &laps);
        least = fmin(least, bench->seconds);
    }
    *batch = loads || least >= 50e-6 ? 1 : (int)ceil(100e-6 / least);
    return status;
}

/* Samples, and a judgement of the last one: a stale or cached answer stops here, since the data
 * changed from sample to sample. Without it there is no speed, and the times are dropped. */
static enum status time_and_judge(struct bench *bench, struct limits *limits)
{
    const struct task *task = bench->task;
    const struct variant *variant = task->job.variant;
    const size_t untimed = bench->rows->length;
    const double first = bench->seconds;
    const bool few = variant->role == CEILING && task->samples < FEWEST_OF_A_CEILING;
    const int samples = few ? FEWEST_OF_A_CEILING : first > slow ? 1 : task->samples;
    int batch = 1;
    double *const seconds = calloc((size_t)samples, sizeof *seconds);
    struct judgement judgement;
    struct laps laps;
    enum status status = seconds != NULL ? find_batch(bench, &batch)
                                         : because(ERR_MEMORY, "no memory for the samples");
    if (status == OK)
        status = take_samples(bench, limits, seconds, samples, batch);
    if (status == OK) /* the clock, before it falls */
        clock_rows(bench);
    if (status == OK)
        status = fetch_and_judge(&bench->in, variant, bench->state, &bench->out, &judgement, &laps);
    if (status == OK && !bench->judged)
        judged_rows(bench, &judgement);
    if (status == OK)
        status = conclude_times(bench, limits, seconds, samples, batch);
    if (status == OK)
        part_rows(bench, 1, &laps);
    else
        bench->rows->data[bench->rows->length = untimed] = '\0';
    free(seconds);
    return status;
}

static enum status bench_create(struct bench *bench)
{
    const struct job *job = &bench->task->job;
    const struct variant *variant = job->variant;
    if (variant->unavailable != NULL)
        return because(SKIPPED, "%s", variant->unavailable);
    struct device_facts device = {.free_bytes = 0};
    enum status status = uses_device(variant) ? device_open(&device) : OK;
    if (status == OK)
        status = job_fits(job, device.free_bytes);
    if (status != OK)
        return status;
    bench->in = (struct instance){.at = job->at};
    status = job->problem->create(&bench->in);
    if (status != OK)
        return status;
    bench->out = (struct solution){.precision = variant->precision, .count = bench->in.count};
    bench->out.values = malloc(bench->in.count * value_size(variant->precision));
    if (bench->out.values == NULL)
        return because(ERR_MEMORY, "no memory for %zu values", bench->in.count);
    return variant->calls->plan(&bench->in, &bench->state);
}

/* The run that was just judged, as the one sample of a slow job. */
static enum status time_judged(struct bench *bench, struct limits *limits, const struct laps *laps)
{
    const size_t untimed = bench->rows->length;
    double seconds = bench->seconds;
    row(bench, 0, "time", seconds, "s", "");
    part_rows(bench, 0, laps);
    const enum status status = conclude_times(bench, limits, &seconds, 1, 1);
    if (status != OK)
        bench->rows->data[bench->rows->length = untimed] = '\0';
    return status;
}

/* Judges the run that was just made; its numbers are kept if it is wrong or has diverged, too. */
static enum status judge_first(struct bench *bench, struct laps *fetched)
{
    struct judgement judgement;
    enum status status = fetch_and_judge(&bench->in, bench->task->job.variant, bench->state,
                                         &bench->out, &judgement, fetched);
    if (status == OK || status == WRONG || status == ERR_DIVERGED)
        judged_rows(bench, &judgement);
    if (status == OK && bench->task->round == 1)
        status = keep_field(bench);
    return status;
}

/* Once more on the same data: whether the bits repeat. An answer of other bits is judged. */
static enum status repeat(struct bench *bench)
{
    const struct variant *variant = bench->task->job.variant;
    const uint64_t print = fingerprint(&bench->out);
    struct judgement judgement;
    struct laps laps;
    enum status status = sample(bench, 0, 1, &laps);
    if (status == OK)
        status = fetch(variant, bench->state, &bench->out, &laps);
    if (status != OK)
        return status;
    const bool same = fingerprint(&bench->out) == print;
    row(bench, 0, "repeatable", same, "1", "");
    return same ? OK : judge(&bench->in, variant, &bench->out, &judgement);
}

/* The first round judges the published data; later ones are there for the times, and have data of
 * their own. A slow job is run once a round, and judged. On a device the first run of a process is
 * no time, since it also loads the program. */
static enum status bench_run(struct bench *bench, struct limits *limits)
{
    const struct task *task = bench->task;
    const struct variant *variant = task->job.variant;
    const bool timed =
        is_timed(&task->job) && task->samples > 0 && (!uses_device(variant) || device_has_time());
    const bool first_round = task->round == 1, ceiling = variant->role == CEILING;
    struct laps solved, fetched;
    enum status status =
        sample(bench, timed && !first_round ? sample_seed(task, task->samples) : 0, 1, &solved);
    const bool once = timed && !ceiling && !uses_device(variant) && bench->seconds > slow;
    const bool judged = first_round || once || !timed;
    if (status == OK && judged)
        status = judge_first(bench, &fetched);
    if (status != OK)
        return status;
    if (timed && judged)
        part_rows(bench, 0, &fetched);
    if (once)
        return time_judged(bench, limits, &solved);
    if (first_round && !ceiling)
        status = repeat(bench);
    return status == OK && timed ? time_and_judge(bench, limits) : status;
}

/* The last word on a task, as the note of its status row. */
static void status_row(const struct bench *bench, enum status status, bool quick)
{
    const bool emulated = uses_device(bench->task->job.variant) && !device_has_time();
    const char *const note = status != OK ? state_note(state_after(status), reason())
                                          : state_note(emulated ? JOB_EMULATED
                                                       : quick  ? JOB_QUICK
                                                                : JOB_OK,
                                                       "");
    row(bench, 0, "status", NAN, "", note);
}

enum status task_run(const struct task *task, struct limits *limits, const struct facts *facts,
                     struct text *rows)
{
    struct bench bench = {.task = task, .facts = facts, .rows = rows};
    const double begin = now();
    enum status status = bench_create(&bench);
    if (status == OK)
        status = bench_run(&bench, limits);
    if (task->job.variant->calls != NULL)
        task->job.variant->calls->destroy(bench.state);
    if (bench.in.at.problem != NULL)
        bench.in.at.problem->destroy(&bench.in);
    free(bench.out.values);
    row(&bench, 0, "busy", now() - begin, "s", "");
    status_row(&bench, status, task->samples < 2 && is_timed(&task->job));
    return status;
}

static bool send_group(int fd, struct text *rows)
{
    text_add(rows, "\n");
    for (size_t sent = 0; sent < rows->length;) {
        const ssize_t written = write(fd, rows->data + sent, rows->length - sent);
        if (written <= 0)
            return false;
        sent += (size_t)written;
    }
    rows->length = 0;
    return true;
}

/* Task lines: path, round, samples, seed and the run's folder, separated by blanks. */
static enum status parse_task(const char *line, struct task *task)
{
    unsigned long long seed;
    int path = 0, folder = 0;
    if (sscanf(line, "%*s%n %d %d %llu %n", &path, &task->round, &task->samples, &seed, &folder) !=
            3 ||
        folder == 0)
        return because(ERR_ARGS, "not a task: '%s'", line);
    task->seed = seed;
    task->folder = intern(line + folder);
    return job_from_path(internf("%.*s", path, line), &task->job);
}

int worker_main(int argc, char **argv)
{
    /* No worker outlives its parent; Ctrl-C is the parent's business. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    /* Whatever a library prints goes to the log, not between the rows. */
    const int rows_fd = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    struct facts facts = {0};
    struct text rows = {0};
    char *line = NULL;
    size_t room = 0;
    facts_collect(&facts);
    facts_collect_device(&facts);
    if (argc > 2 && strcmp(argv[2], "--facts") == 0) {
        facts_collect_others(&facts);
        facts_print(&facts, &rows);
        return send_group(rows_fd, &rows) ? 0 : 1;
    }
    if (argc > 2 && device_thread_order(argv[2]) != OK)
        return 2;
    struct limits limits = no_limits;
    if (argc > 3)
        limits_parse(argv[3], &limits); /* of the run so far */
    while (getline(&line, &room, stdin) >= 0) {
        struct task task;
        line[strcspn(line, "\n")] = '\0';
        enum status status = parse_task(line, &task);
        if (status != OK) {
            fprintf(stderr, "worker: %s\n", reason());
            return 2;
        }
        status = task_run(&task, &limits, &facts, &rows);
        if (!send_group(rows_fd, &rows) || status == ERR_DEVICE)
            return 1;
    }
    free(line);
    text_free(&rows);
    return 0;
}
