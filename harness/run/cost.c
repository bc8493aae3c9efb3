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

/* Bytes and operations a second and seconds a launch that most variants come near on machines of
 * these years, by place, for a core where there are several; of the emulated device for a core. */
static const struct rate {
    double bytes, flops, launch;
} rates[] = {[HOST] = {6e9, 2e9, 0},
             [HOST_PARALLEL] = {4e9, 2e9, 0},
             [DEVICE] = {1e12, 5e12, 4e-6},
             [HYBRID] = {1e12, 5e12, 4e-6}},
  emulated = {5e8, 2e8, 5e-5};

static const double fixed = 0.005; /* seconds a round, whatever the job */

static double model_of_solve(const struct job *job)
{
    const enum place place = job->variant->place;
    const bool emulates = uses_device(job->variant) && !device_has_time();
    const struct rate *const rate = emulates ? &emulated : &rates[place];
    const double cores =
        emulates || place == HOST_PARALLEL ? (double)sysconf(_SC_NPROCESSORS_ONLN) : 1;
    const struct work *const w = &job->work;
    return w->launches * rate->launch + (w->bytes / rate->bytes + w->flops / rate->flops) / cores;
}

/* A run that is judged, the samples, and about as much for what is around them. */
static double model_of(const struct job *job, int samples)
{
    const double slow = 0.2, one = model_of_solve(job);
    const bool timed = is_timed(job) && (!uses_device(job->variant) || device_has_time());
    const double runs = !timed ? 2 : one > slow ? 1 : 2 + fmin(samples, 0.5 / one);
    return fixed + runs * one;
}

void costs_learn(struct costs *costs, const struct job *job, double seconds, int rounds)
{
    enum { SAMPLES = 7 };
    struct cost *known = NULL;
    const double model = model_of(job, SAMPLES);
    for (size_t i = 0; i < costs->count && known == NULL; i++)
        known = costs->known[i].path == job->path ? &costs->known[i] : NULL;
    if (known == NULL && costs->count == costs->room) {
        const size_t room = 2 * costs->room + 256;
        struct cost *const more = realloc(costs->known, room * sizeof *more);
        if (more == NULL)
            return; /* then it is reckoned */
        costs->known = more;
        costs->room = room;
    }
    if (known == NULL)
        known = &costs->known[costs->count++];
    *known = (struct cost){job->variant, job->path, model, seconds, rounds};
    if (rounds > 0)
        return;
    costs->model[job->variant->place] += model;
    costs->seconds[job->variant->place] += seconds;
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
        const double away = fabs(log(c->model / model)) + (c->rounds > 0);
        if (c->variant == job->variant && away < least) {
            least = away;
            best = c;
        }
    }
    return best;
}

double cost_of(const struct costs *costs, const struct job *job, int samples)
{
    const double model = model_of(job, samples);
    const struct cost *const near = nearest_cost(costs, job, model);
    const enum place place = job->variant->place;
    if (near != NULL && near->path == job->path)
        return near->seconds;
    if (near != NULL)
        return fixed + fmax(near->seconds - fixed, 0) * model / near->model;
    return costs->model[place] > 0 ? model * costs->seconds[place] / costs->model[place] : model;
}

int rounds_expected(const struct costs *costs, const struct job *job, int asked)
{
    const int most = 5;
    for (size_t i = 0; i < costs->count; i++)
        if (costs->known[i].path == job->path && costs->known[i].rounds > 0)
            return costs->known[i].rounds < asked ? costs->known[i].rounds : asked;
    return asked < most ? asked : most;
}

static void learn_folder(struct costs *costs, const char *name)
{
    struct folder folder;
    if (folder_load(name, &folder) == OK && folder_load_rounds(&folder) == OK)
        for (size_t i = 0; i < folder.record_count; i++) {
            const struct record *const r = &folder.records[i];
            struct job job;
            if (good(r->state) && r->busy > 0 && job_from_path(key_path(&r->key), &job) == OK)
                costs_learn(costs, &job, r->busy, r->rounds > 0 ? (int)r->rounds : 1);
        }
    folder_free(&folder);
}

void costs_of_earlier_runs(struct costs *costs, const struct facts *facts)
{
    glob_t found;
    if (glob(internf("results/%s/*", machine_slug(facts)), 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        learn_folder(costs, found.gl_pathv[i]);
    globfree(&found);
}

void costs_free(struct costs *costs)
{
    free(costs->known);
    *costs = (struct costs){.count = 0};
}
