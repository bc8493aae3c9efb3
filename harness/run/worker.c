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
#include "machine/ranks.h"
#include "run/calm.h"
#include "run/clocks.h"
#include "run/energy.h"
#include "run/metrics.h"
#include "run/rows.h"
#include "run/status.h"
#include "run/together.h"

/* Multiples of the limit; beyond them, work was left out. The limit is the memory's: data that stay
 * in a cache move faster, but by no more than the first number on any machine we know. A host's
 * memory has other users, who may leave after its ceiling was measured. */
static const double impossible_in_cache = 30, impossible = 1.02, impossible_on_host = 1.5;

/* A ceiling is what a machine gives at best. Each of its samples is the best of a slot of time, so
 * that all together see 100 ms, in which whoever disturbs it pauses once; unless the run has seen
 * no better one. */
enum { FEWEST_OF_A_CEILING = 7 };
static const double slot = 0.1 / FEWEST_OF_A_CEILING;

/* Seconds from which a job repeats less: its noise is small beside its time. On a device the first
 * run of a process also loads the program, which must be nothing beside it. */
static const double slow = 0.2, slow_on_device = 1;
/* Up to here a run may be one of milliseconds that was stopped for a while, as a host stops what
 * has more threads at work than it is given time for: it is called slow if it is so twice. */
static const double slow_at_once = 0.5;

/* Where nothing is timed, a solve that takes so many seconds is judged on one set of data. */
static const double patience = 2;

/* To judge so large an answer takes longer than to measure. */
enum { LARGE_ANSWER = 1 << 27, ROUNDS_FOR_A_JUDGEMENT = 3 }; /* bytes */

struct bench {
    const struct task *task;
    const struct facts *facts;
    struct stock *stock;
    struct instance *in; /* of the stock */
    struct solution out;
    void *state;
    double begin;                               /* of the job */
    double running, fetching, judging, holding; /* seconds of it */
    double seconds;                             /* of the last run */
    double lasted;    /* the same with what came before it, which is not timed */
    double least;     /* of all runs */
    double steps;     /* that the judge counted; 0: it says nothing of them */
    bool looked_at;   /* this round is judged */
    double fetched;   /* the least seconds of a fetch so far; INFINITY: none was made */
    struct laps laps; /* of the last fetch */
    bool judged;      /* its numbers are among the rows */
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

/* One sample on data of its own: an answer kept from a run before would be a wrong one. */
static enum status sample(struct bench *bench, uint64_t seed, int batch, struct laps *laps)
{
    const double begin = now();
    const enum status status = run_timed(bench->in, bench->task->job.variant, bench->state, seed,
                                         batch, laps, &bench->seconds);
    bench->lasted = now() - begin;
    bench->running += bench->lasted;
    if (status == OK)
        bench->least = fmin(bench->least, bench->seconds);
    return status;
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
    return dump_file(internf("%s/%s.%s.%s.%s.%s.csv", fields, key->exhibit, key->of, key->variant,
                             key->precision, key->n),
                     bench->in, &bench->out);
}

static void card_rows(struct bench *bench)
{
    struct device_state card;
    if (!uses_device(bench->task->job.variant) || !device_look(&card))
        return;
    row(bench, 0, "clock", card.clock_mhz, "MHz", "");
    row(bench, 0, "throttled", card.throttled, "1", "");
    if (card.temperature_c >= 0)
        row(bench, 0, "temperature", card.temperature_c, "C", "");
    if (card.power_w >= 0)
        row(bench, 0, "power", card.power_w, "W", "");
}

/* Once a worker: what comes later is its own doing. */
static void wait_row(struct bench *bench)
{
    static bool looked;
    const char *why;
    if (looked || !uses_device(bench->task->job.variant))
        return;
    looked = true;
    const double seconds = calm_wait(&why);
    if (seconds > 0)
        row(bench, 0, WAITED, seconds, "s", why);
    bench->begin += seconds;
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
    /* Where the steps are the judge's to count, only a round that is judged has a limit. */
    const bool counted = bench->judged || !(job->work.steps > 0);
    const struct work work = counted ? work_of_steps(&job->work, bench->steps) : (struct work){0};
    const double limit = limit_seconds(limits, variant, &work);
    if (limit > 0)
        row(bench, 0, "limit", limit, "s", "");
    const struct work least = work_of_task(job);
    const double task_least = limit_seconds(limits, variant, &least);
    if (task_least > 0)
        row(bench, 0, "task_least", task_least, "s", "");
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

static enum status judge(struct bench *bench, const struct solution *out,
                         struct judgement *judgement)
{
    const double begin = now();
    *judgement = (struct judgement){.error = NAN};
    enum status status = stock_judge(bench->stock, out, judgement);
    status = accept_judged(bench->in, bench->task->job.variant, out, status, judgement);
    bench->judging += now() - begin;
    return status;
}

static enum status fetch(struct bench *bench, struct solution *out)
{
    const double begin = now();
    const enum status status =
        fetch_answer(bench->in, bench->task->job.variant, bench->state, out, &bench->laps);
    bench->fetching += now() - begin;
    if (status == OK)
        bench->fetched = fmin(bench->fetched, laps_seconds(&bench->laps));
    return status;
}

/* Where something was fetched. The least of all runs: a single one that was disturbed would clear
 * anybody. */
static enum status hold(struct bench *bench)
{
    const double begin = now();
    const enum status status = isfinite(bench->fetched)
                                   ? hold_fetch(bench->in, bench->task->job.variant, bench->state,
                                                &bench->out, bench->least, bench->fetched)
                                   : OK;
    bench->holding += now() - begin;
    return status;
}

/* Answers of samples, which are judged when all are taken: a judge between them would leave caches
 * cold and let clocks fall. They are of more than half of the samples, where these fit into some
 * memory: whoever leaves work out in so many that their median moves does so in one of them. Which
 * ones they are no variant can know; but all variants have them in common, so that what the judge
 * makes of the data alone is made once. */
struct kept {
    int room;
    struct answer {
        struct solution out;
        uint64_t seed; /* of its data */
    } * answers;       /* [room], first the one that is judged first, where the bench's own is */
    void *values;      /* of the others */
};

static size_t bytes_of(const struct bench *bench)
{
    return bench->out.count * value_size(bench->out.precision);
}

bool judges_round(int round, size_t bytes)
{
    return round == 1 || bytes < LARGE_ANSWER || drawn(ROUNDS_FOR_A_JUDGEMENT) == 0;
}

/* In the first round the answer to the published data is judged before, so that those of samples
 * are drawn there, too. */
static bool keeps_answers(const struct bench *bench)
{
    const struct task *const task = bench->task;
    const bool drawn_too = task->round == 1 && task->samples > 1;
    return bench->looked_at && (!drawn_too || judges_round(2, bytes_of(bench)));
}

static enum status make_room(const struct bench *bench, int samples, struct kept *kept)
{
    const size_t bytes = bytes_of(bench);
    const size_t fit = LARGE_ANSWER / bytes, wanted = (size_t)samples / 2 + 1;
    const size_t room = fit < 1 ? 1 : fit < wanted ? fit : wanted;
    *kept = (struct kept){.room = keeps_answers(bench) ? (int)room : 0,
                          .answers = calloc(room, sizeof *kept->answers),
                          .values = malloc((room - 1) * bytes + 1)};
    if (kept->answers == NULL || kept->values == NULL)
        return because(ERR_MEMORY, "no memory for %zu answers", room);
    for (size_t k = 0; k < room; k++) {
        kept->answers[k].out = bench->out;
        if (k > 0)
            kept->answers[k].out.values = (char *)kept->values + (k - 1) * bytes;
    }
    return OK;
}

static void free_kept(struct kept *kept)
{
    free(kept->answers);
    free(kept->values);
}

static enum status keep_answer(struct bench *bench, struct kept *kept, int rank)
{
    struct answer *const to = &kept->answers[rank];
    to->seed = bench->in->seed;
    return fetch(bench, &to->out);
}

/* One of them at least, and others while the job has spent less time on judging than on all the
 * rest. */
static enum status judge_kept(struct bench *bench, struct kept *kept)
{
    enum status status = OK;
    for (int k = 0; k < kept->room && status == OK; k++) {
        struct judgement judgement;
        const struct answer *const next = &kept->answers[k];
        set_data(bench->in, next->seed);
        status = judge(bench, &next->out, &judgement);
        if (status == OK && !bench->judged)
            judged_rows(bench, &judgement);
        if (2 * bench->judging > now() - bench->begin)
            break;
    }
    return status;
}

/* The samples of a round in time, each by the number that its data come from, and by when it is
 * judged. Where fewer are taken than were asked for, they are those that are judged first. */
struct series {
    int count;
    struct {
        int number, rank;
    } of[]; /* [count] */
};

/* To be freed; null: there is no memory. */
static struct series *make_series(const struct bench *bench, int count)
{
    const int all = count > bench->task->samples ? count : bench->task->samples;
    struct series *const series = calloc(1, sizeof *series + (size_t)count * sizeof series->of[0]);
    int *const order = calloc((size_t)all, sizeof *order);
    if (series != NULL && order != NULL) {
        stock_order(bench->stock, bench->task->round, all, order);
        for (int number = 0; number < all; number++)
            for (int rank = 0; rank < count; rank++)
                if (order[rank] == number) {
                    series->of[series->count].number = number;
                    series->of[series->count++].rank = rank;
                }
    }
    free(order);
    if (series != NULL && series->count == count)
        return series;
    free(series);
    return NULL;
}

/* So that the next sample finds what it would find after another one. */
static enum status warm_up(struct bench *bench, int batch, double seconds)
{
    const double begin = now();
    struct laps laps;
    enum status status;
    do
        status = sample(bench, random_bits(bench->task->seed, 0), batch, &laps);
    while (status == OK && now() - begin < seconds);
    return status;
}

static const double warm = 0.02; /* clocks rise within milliseconds of work */

/* All but the first run, which said how long it takes. */
static enum status take_samples(struct bench *bench, const struct limits *limits, double *seconds,
                                const struct series *series, int batch, struct kept *kept)
{
    const struct task *task = bench->task;
    const bool ceiling = task->job.variant->role == CEILING;
    const double known = limit_seconds(limits, task->job.variant, &task->job.work);
    struct laps laps;
    enum status status = OK;
    if (uses_device(task->job.variant) && series->count > 1)
        status = warm_up(bench, batch, warm);
    for (int s = 0; s < series->count && status == OK; s++) {
        const bool last = s + 1 == series->count;
        const uint64_t seed = sample_seed(task, series->of[s].number);
        const double slot_begin = now();
        status = sample(bench, seed, batch, &laps);
        seconds[s] = bench->seconds;
        while (status == OK && ceiling && !(seconds[s] <= 1.2 * known) &&
               now() - slot_begin < slot) {
            status = sample(bench, seed, batch, &laps);
            seconds[s] = fmin(seconds[s], bench->seconds);
        }
        if (status != OK)
            break;
        row(bench, s, "time", seconds[s], "s", "");
        if (batch == 1)
            part_rows(bench, s, &laps);
        if (last) /* the clock, before it falls */
            card_rows(bench);
        if (series->of[s].rank >= kept->room)
            continue;
        status = keep_answer(bench, kept, series->of[s].rank);
        if (status == OK && !last && bench->seconds < warm)
            status = warm_up(bench, batch, fmin(warm, laps_seconds(&bench->laps)));
    }
    return status;
}

/* How many runs make a sample: one, or what lasts 100 us where one is shorter than 50 us, by the
 * shortest of a few, since what disturbs a run only makes it longer. A graph takes some
 * microseconds to begin, and is made to last 2 ms. */
static enum status find_batch(struct bench *bench, int *batch)
{
    const struct task *task = bench->task;
    const bool graph = task->job.variant->graph;
    const bool alone = task->job.variant->calls->load != NULL && !graph;
    const double whole = graph ? 2e-3 : 100e-6;
    double least = bench->seconds;
    struct laps laps;
    enum status status = OK;
    for (int k = 0; k < 4 && !alone && least >= whole / 2 && least < 20e-3 && status == OK; k++) {
        status = sample(bench, random_bits(task->seed, 0), 1, &laps);
        least = fmin(least, bench->seconds);
    }
    *batch = alone || least >= whole / 2 ? 1 : (int)ceil(whole / least);
    return status;
}

/* One of a slow job, whose noise is small beside its time; else so many that they take no longer
 * than a few slow ones. */
static int samples_due(const struct task *task, double seconds, double lasted)
{
    const double most = 0.15;
    const int fit = (int)fmin(task->samples, ceil(most / lasted));
    if (task->job.variant->role == CEILING)
        return task->samples < FEWEST_OF_A_CEILING ? FEWEST_OF_A_CEILING : task->samples;
    return seconds > slow || fit < 1 ? 1 : fit;
}

/* Samples, and a judgement of some of them: a stale or cached answer stops here, since the data
 * changed from sample to sample. Without it there is no speed, and the times are dropped. */
static enum status time_and_judge(struct bench *bench, struct limits *limits)
{
    const struct task *task = bench->task;
    const bool ceiling = task->job.variant->role == CEILING;
    const size_t untimed = bench->rows->length;
    int samples = samples_due(task, bench->seconds, bench->lasted), batch = 1;
    enum status status = OK;
    if (samples == 1 && task->round > 1) { /* the first run of this process, and on these data */
        status = warm_up(bench, 1, 0);
        samples = samples_due(task, bench->seconds, bench->lasted);
    }
    double *const seconds = calloc((size_t)samples, sizeof *seconds);
    struct series *const series = make_series(bench, samples);
    struct kept kept = {0};
    if (status == OK)
        status = make_room(bench, ceiling ? 1 : samples, &kept);
    if (status == OK)
        status = seconds != NULL && series != NULL
                     ? find_batch(bench, &batch)
                     : because(ERR_MEMORY, "no memory for the samples");
    if (status == OK)
        status = take_samples(bench, limits, seconds, series, batch, &kept);
    if (status == OK)
        status = judge_kept(bench, &kept);
    if (status == OK && !ceiling)
        status = hold(bench);
    if (status == OK)
        status = conclude_times(bench, limits, seconds, samples, batch);
    if (status == OK && kept.room > 0)
        part_rows(bench, 1, &bench->laps);
    if (status != OK)
        bench->rows->data[bench->rows->length = untimed] = '\0';
    free_kept(&kept);
    free(series);
    free(seconds);
    return status;
}

/* At the least when what judges kept is given back. */
static enum status fits_here(const struct bench *bench, double device_free)
{
    const struct job *const job = &bench->task->job;
    const double room = (double)bench->stock->room;
    const enum status status = job_fits(job, device_free, room);
    return status == SKIPPED && stock_drop(bench->stock) ? job_fits(job, device_free, room)
                                                         : status;
}

static enum status bench_create(struct bench *bench)
{
    const struct job *job = &bench->task->job;
    const struct variant *variant = job->variant;
    const char *const why = not_in_this_build(variant);
    if (why != NULL)
        return because(SKIPPED, "%s", why);
    struct device_facts device = {.free_bytes = 0};
    enum status status = uses_device(variant) ? device_open(&device) : OK;
    if (status == OK)
        stock_clear(bench->stock, &job->at);
    if (status == OK)
        status = fits_here(bench, device.free_bytes);
    if (status == OK)
        status = stock_instance(bench->stock, &job->at);
    if (status != OK)
        return status;
    bench->out = (struct solution){.precision = variant->precision, .count = bench->in->count};
    bench->out.values = stock_values(
        bench->stock, bench->in->count * value_size(variant->precision), uses_device(variant));
    if (bench->out.values == NULL)
        return because(ERR_MEMORY, "no memory for %zu values", bench->in->count);
    return together_plan(job->path, bench->in, variant, &bench->state);
}

/* The run that was just judged, as the one sample of a slow job. */
static enum status time_judged(struct bench *bench, struct limits *limits, double seconds,
                               const struct laps *laps)
{
    const size_t untimed = bench->rows->length;
    row(bench, 0, "time", seconds, "s", "");
    part_rows(bench, 0, laps);
    const enum status status = conclude_times(bench, limits, &seconds, 1, 1);
    if (status != OK)
        bench->rows->data[bench->rows->length = untimed] = '\0';
    return status;
}

/* Judges the run that was just made; its numbers are kept if it is wrong or has diverged, too. */
static enum status judge_first(struct bench *bench)
{
    struct judgement judgement;
    enum status status = fetch(bench, &bench->out);
    if (status != OK)
        return status;
    status = judge(bench, &bench->out, &judgement);
    if (status == OK || status == WRONG || status == ERR_DIVERGED)
        judged_rows(bench, &judgement);
    if (status == OK && bench->task->round == 1)
        status = keep_field(bench);
    return status;
}

/* Once more on the same data: whether the bits repeat. An answer of other bits is judged. */
static enum status repeat(struct bench *bench)
{
    const uint64_t print = fingerprint(&bench->out);
    struct judgement judgement;
    struct laps laps;
    enum status status = sample(bench, 0, 1, &laps);
    if (status == OK)
        status = fetch(bench, &bench->out);
    if (status != OK)
        return status;
    const bool same = fingerprint(&bench->out) == print;
    row(bench, 0, "repeatable", same, "1", "");
    return same ? OK : judge(bench, &bench->out, &judgement);
}

/* The data of a round that all variants have in common, and that nobody published. */
static uint64_t common_seed(const struct bench *bench)
{
    const int all = bench->task->samples > 1 ? bench->task->samples : 1;
    struct series *const series = make_series(bench, 1);
    const int number = series != NULL ? series->of[0].number : all;
    free(series);
    return sample_seed(bench->task, number);
}

/* On data that nobody published: their answer cannot have been known before. */
static enum status judge_other(struct bench *bench)
{
    struct judgement judgement;
    struct laps laps;
    enum status status = sample(bench, common_seed(bench), 1, &laps);
    if (status == OK)
        status = fetch(bench, &bench->out);
    if (status == OK)
        status = judge(bench, &bench->out, &judgement);
    return status == OK ? hold(bench) : status;
}

/* Once a job, and of one card; its seconds are no part of what a round takes. */
static enum status energy_row(struct bench *bench)
{
    const struct job *const job = &bench->task->job;
    const bool due = energy_asked() && bench->task->round == 1 && job->variant->role != CEILING &&
                     uses_device(job->variant) && ranks_of(job->variant, &job->at) == 1;
    const double begin = now();
    struct energy energy;
    if (!due)
        return OK;
    const enum status status =
        energy_of_run(bench->in, job->variant, bench->state, random_bits(bench->task->seed, 0),
                      bench->least, &energy);
    if (status == OK && energy.joules > 0)
        row(bench, 0, "energy", energy.joules, "J", energy_note(&energy));
    bench->begin += now() - begin;
    return status;
}

/* The first round judges the published data; later ones are there for the times, and have data of
 * their own. A slow job is run once a round. An exhibit without times is judged on other data too,
 * unless that takes long. */
static enum status bench_run(struct bench *bench, struct limits *limits)
{
    const struct task *task = bench->task;
    const struct variant *variant = task->job.variant;
    const bool emulated = uses_device(variant) && !device_has_time();
    const bool timed = is_timed(&task->job) && task->samples > 0 && !emulated;
    const bool first_round = task->round == 1, ceiling = variant->role == CEILING;
    bench->looked_at = ceiling || judges_round(task->round, bytes_of(bench));
    const double lasts = uses_device(variant) ? slow_on_device : slow;
    const uint64_t seed = timed && !first_round ? common_seed(bench) : 0;
    struct laps solved, again;
    enum status status = sample(bench, seed, 1, &solved);
    double seconds = bench->seconds;
    if (status == OK && timed && !ceiling && seconds > lasts && seconds < slow_at_once) {
        status = sample(bench, seed, 1, &again);
        if (bench->seconds <= lasts) /* a slow one's time is of data that it had not seen */
            seconds = bench->seconds;
    }
    const bool lasting = seconds > lasts;
    const bool once = timed && !ceiling && lasting;
    const bool judged = first_round || !timed || (once && bench->looked_at);
    const bool quick = task->samples == 1; /* there is no other round */
    const bool other =
        once ? quick : !timed && !(emulated && is_timed(&task->job)) && seconds < patience;
    if (status == OK && judged)
        status = judge_first(bench);
    if (status == OK && timed && judged)
        part_rows(bench, 0, &bench->laps);
    if (status == OK && once)
        status = hold(bench);
    /* The emulated device does the same every time, and a slow job is not worth another run. */
    if (status == OK && first_round && !ceiling && !emulated && seconds <= slow)
        status = repeat(bench);
    if (status == OK && first_round && other)
        status = judge_other(bench);
    if (status != OK || !timed)
        return status;
    status = once ? time_judged(bench, limits, seconds, &solved) : time_and_judge(bench, limits);
    return status == OK ? energy_row(bench) : status;
}

/* The rest of it is planned, made and given back. */
static void busy_row(struct bench *bench)
{
    row(bench, 0, "busy", now() - bench->begin, "s",
        internf("running %.3f; fetching %.3f; judging %.3f; looking at the fetch %.3f",
                bench->running, bench->fetching, bench->judging, bench->holding));
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
                     struct stock *stock, struct text *rows)
{
    struct bench bench = {.task = task,
                          .facts = facts,
                          .stock = stock,
                          .in = &stock->in,
                          .rows = rows,
                          .fetched = INFINITY,
                          .begin = now(),
                          .least = INFINITY};
    enum status status = bench_create(&bench);
    if (status == OK)
        wait_row(&bench);
    if (status == OK)
        status = bench_run(&bench, limits);
    if (task->job.variant->calls != NULL)
        together_destroy(task->job.variant, bench.state);
    busy_row(&bench);
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

/* Of several ranks all are the same program, also if it was built again since the run began. */
static enum status join(const char *ranks, const char *commit)
{
    const enum status status = ranks_join(atoi(ranks));
    if (status != OK)
        return status;
    return strncmp(built_commit, commit, strlen(commit)) == 0
               ? OK
               : because(ERR_ARGS, "the run began with a program of commit %s, and this is of %s",
                         commit, built_commit);
}

int worker_main(int argc, char **argv)
{
    /* Signals to the whole group are the parent's business; no worker outlives it. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "reprise-worker"); /* and not the number of an open file */
    /* Whatever a library prints goes to the log, not between the rows. */
    const int rows_fd = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    struct facts facts = {0};
    struct text rows = {0};
    struct stock stock = {.room = 0};
    char *line = NULL;
    size_t room = 0;
    if (argc > 5 && ranks_agree(join(argv[4], argv[5])) != OK) {
        fprintf(stderr, "worker: %s\n", reason());
        return 2;
    }
    if (argc > 2 && strcmp(argv[2], LOCK_CLOCKS) == 0)
        return clocks_hold(rows_fd);
    if (ranks_own() > 0) {
        if (device_thread_order(argv[2]) == OK)
            together_follow(NULL);
        return 0;
    }
    if (argc > 5)
        text_add(&rows, "all ranks are there\n");
    if (argc > 5 && !send_group(rows_fd, &rows))
        return 1;
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
        status = task_run(&task, &limits, &facts, &stock, &rows);
        if (!send_group(rows_fd, &rows) || status == ERR_DEVICE)
            return 1;
    }
    together_leave();
    stock_free(&stock);
    free(line);
    text_free(&rows);
    return 0;
}
