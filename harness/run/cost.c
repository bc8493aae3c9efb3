/*
 * What a round of a job takes in its worker.
 */
#include "run/cost.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/intern.h"
#include "machine/device.h"
#include "run/folder.h"

/* Bytes and operations a second and seconds a launch, by place, of a core where there are several,
 * and of the emulated device, of a core too. What a cache holds moves faster. With the seconds
 * below those of the host and the emulated device come nearest to 1507 jobs at quick sizes on 2
 * threads: the sum is met to 5 %, a family's in one place to a factor of 3 where it is more than a
 * second. A GPU's came nearest to 1058 and 925 jobs at the papers' sizes on an H100; a small job
 * takes 0.03 to 0.07 s beside an H200, whatever it solves. */
static const struct rate {
    double bytes, flops, launch;
} rates[] = {[HOST] = {5e9, 1.6e10, 0},
             [HOST_PARALLEL] = {6e9, 1.6e10, 0},
             [DEVICE] = {1e12, 1.2e12, 8e-6},
             [HYBRID] = {1e12, 1.2e12, 8e-6}},
  emulated = {1.8e9, 8e8, 2.5e-5};
static const double cached = 0x1p24, faster = 8;

/* Seconds of any job, of one with times, of one on a device, and for a byte that it holds, which is
 * made, moved and judged by all cores. */
static const double of_any = 0.001, of_timed = 0.003, of_device = 0.05, of_byte = 6e-9;

enum { SAMPLES = 7 }; /* a round, of what is learned */

static bool gets_times(const struct job *job)
{
    return is_timed(job) && (!uses_device(job->variant) || device_has_time());
}

static double cores(void)
{
    return (double)sysconf(_SC_NPROCESSORS_ONLN);
}

static double model_of_solve(const struct job *job)
{
    const enum place place = job->variant->place;
    const bool emulates = uses_device(job->variant) && !device_has_time();
    const struct rate *const rate = emulates ? &emulated : &rates[place];
    const struct work *const w = &job->work;
    const bool in_cache = !uses_device(job->variant) && w->host_bytes <= cached;
    const double bytes = rate->bytes * (in_cache ? faster : 1);
    return w->launches * rate->launch + (w->bytes / bytes + w->flops / rate->flops) /
                                            (emulates || place == HOST_PARALLEL ? cores() : 1);
}

static double model_of(const struct job *job, int samples)
{
    const bool timed = gets_times(job), device = uses_device(job->variant) && device_has_time();
    const double slow = device ? 1 : 0.2, most = 0.15, one = model_of_solve(job);
    const double held = job->work.host_bytes + job->work.device_bytes;
    double solves = is_timed(job) ? one : 2 * one; /* other data too, where there are no times */
    if (timed && one <= slow)
        solves = 3 * one + fmin(samples * one, most);
    else if (timed && one < 0.5)
        solves = 2 * one;
    return of_any + (timed ? of_timed : 0) + (device ? of_device : 0) + of_byte * held / cores() +
           solves;
}

static struct cost *find(const struct costs *costs, const char *path)
{
    for (size_t i = 0; i < costs->count; i++)
        if (costs->known[i].path == path)
            return &costs->known[i];
    return NULL;
}

/* A new one takes the place of what was known of the job. */
static void learn(struct costs *costs, const struct cost *new)
{
    struct cost *const known = find(costs, new->path);
    if (known == NULL && costs->count == costs->room) {
        const size_t room = 2 * costs->room + 256;
        struct cost *const more = realloc(costs->known, room * sizeof *more);
        if (more == NULL)
            return; /* then it is reckoned */
        costs->known = more;
        costs->room = room;
    }
    *(known != NULL ? known : &costs->known[costs->count++]) = *new;
}

/* Of the same variant what is nearest in size, and what was measured in this run before the rest.
 */
static const struct cost *nearest_cost(const struct costs *costs, const struct job *job,
                                       double model)
{
    const struct cost *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < costs->count; i++) {
        const struct cost *const c = &costs->known[i];
        if (c->path == job->path)
            return c;
        if (c->variant != job->variant)
            continue;
        const double away = fabs(log(c->model / model)) + (c->rounds > 0);
        if (away < least) {
            least = away;
            best = c;
        }
    }
    return best;
}

/* How much larger than the model a job of about this size is, if the other one was: what is far
 * away says little. */
static double carried_over(const struct cost *from, double model)
{
    const double away = log(from->model / model) / 6;
    return pow(from->seconds / from->model, exp(-away * away));
}

/* Without what this run has shown of other variants. */
static double known_cost(const struct cost *near, const struct job *job, double model)
{
    if (near == NULL)
        return model;
    return near->path == job->path ? near->seconds : model * carried_over(near, model);
}

double cost_of(const struct costs *costs, const struct job *job, int samples)
{
    if (not_in_this_build(job->variant) != NULL)
        return of_any;
    const double model = model_of(job, samples), little = 2; /* seconds that show nothing yet */
    const struct cost *const near = nearest_cost(costs, job, model);
    const enum place place = job->variant->place;
    const double known = known_cost(near, job, model);
    if (near != NULL && near->rounds == 0)
        return known;
    return known * (costs->seconds[place] + little) / (costs->expected[place] + little);
}

void costs_learn(struct costs *costs, const struct job *job, double seconds)
{
    const double model = model_of(job, SAMPLES);
    const struct cost *const known = find(costs, job->path);
    if (known == NULL || known->rounds > 0) {
        const struct cost *const near = nearest_cost(costs, job, model);
        costs->expected[job->variant->place] += known_cost(near, job, model);
        costs->seconds[job->variant->place] += seconds;
    }
    learn(costs, &(struct cost){job->variant, job->path, model, seconds, 0});
}

int rounds_worth(int asked, double precise, double round, double solve)
{
    const double dear = 0.5, beyond_third = 0.25; /* seconds; of all further rounds together */
    const double worth = solve > dear ? 1 : 3 + floor(beyond_third / round);
    return precise > 0 && worth < asked ? (int)worth : asked;
}

double cost_of_rounds(double next, bool first, int rounds)
{
    const double later = 0.8; /* of the first: 0.9 on 2 cores, less of large answers */
    return rounds < 1 ? 0 : next * (1 + (first ? later : 1) * (rounds - 1));
}

int rounds_expected(const struct costs *costs, const struct job *job, int asked, double precise,
                    double round)
{
    const int most = 3; /* few come near enough to need more */
    const struct cost *const known = find(costs, job->path);
    const int worth = rounds_worth(asked, precise, round, model_of_solve(job));
    if (!gets_times(job))
        return 1;
    if (!(precise > 0))
        return worth;
    return (int)fmin(worth, known != NULL && known->rounds > 0 ? known->rounds : most);
}

static void learn_folder(struct costs *costs, const char *name)
{
    struct folder folder;
    if (folder_load(name, &folder) == OK && folder_load_rounds(&folder) == OK)
        for (size_t i = 0; i < folder.record_count; i++) {
            const struct record *const r = &folder.records[i];
            const int rounds = r->rounds > 0 ? (int)r->rounds : 1;
            struct job job;
            if (good(r->state) && r->busy > 0 && job_from_path(key_path(&r->key), &job) == OK)
                learn(costs, &(struct cost){job.variant, job.path, model_of(&job, SAMPLES), r->busy,
                                            rounds});
        }
    folder_free(&folder);
}

static void learn_folders(struct costs *costs, const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        learn_folder(costs, found.gl_pathv[i]);
    globfree(&found);
}

/* Another GPU's runs are nearer to the truth than what is reckoned. */
void costs_of_earlier_runs(struct costs *costs, const struct facts *facts)
{
    learn_folders(costs, internf("results/%s/*", machine_slug(facts)));
    if (costs->count == 0 && ran_on_gpu(facts))
        learn_folders(costs, "results/*/*");
}

void costs_free(struct costs *costs)
{
    free(costs->known);
    *costs = (struct costs){.count = 0};
}
