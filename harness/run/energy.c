/*
 * Joules of a run, by a counter that makes steps.
 *
 * A span begins and ends at a reading that differs from the one before it: then the counter is
 * behind by no more than the time between these two readings, nor by more than its longest step.
 * What it counts is then the span's but for as much as the card draws in that time.
 * Work before the span is the same as in it, lest the counter, which may be late, counts other
 * work.
 */
#include "run/energy.h"

#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "machine/device.h"
#include "machine/timing.h"
#include "run/answer.h"

/* Seconds: the counter's step, which users of NVML find to be 20 to 100 ms; of a span; of the same
 * work before it; without a step, so that it is no counter. */
static const double longest_step = 0.1, least = 1, settled = 0.25, frozen = 2;
static const double steps = 30; /* a span is so much longer than the counter can be behind */
/* Two spans of the same work differ by that, whatever the counter's steps are. */
static const double repeats = 0.01;
static const double worth = 0.1; /* an error of more is not told */

static const char asked[] = "REPRISE_ENERGY"; /* a worker's environment */

void energy_ask(bool wanted)
{
    (void)(wanted ? setenv(asked, "1", 1) : unsetenv(asked));
}

bool energy_asked(void)
{
    return getenv(asked) != NULL;
}

struct work_again {
    struct instance *in;
    const struct variant *variant;
    void *state;
    uint64_t seed;
    int runs;      /* at once */
    double settle; /* s */
};

static enum status do_again(const struct work_again *work, bool with_runs, long times)
{
    const uint64_t seed = random_bits(work->seed, (uint64_t)times) | 1;
    struct laps laps;
    double seconds;
    if (with_runs)
        return run_here(work->in, work->variant, work->state, seed, work->runs, &laps, &seconds);
    const enum status status =
        prepare_here(work->in, work->variant, work->state, seed, work->runs, &seconds);
    return status == OK ? device_sync() : status;
}

struct reading {
    double joules, at; /* at the clock */
    double behind;     /* s, at most */
    long times;        /* that the work was done before */
};

/* Of one time, and by how many seconds of it the counter can be behind; NaN: there is none. */
struct mean {
    double joules, seconds, behind;
    long times;
};

static enum status measure(const struct work_again *work, bool with_runs, struct mean *out)
{
    struct reading last = {.joules = device_energy(), .at = now(), .behind = longest_step};
    struct reading first = last;
    const double begin = last.at;
    double looked = begin; /* before it was last read */
    bool begun = work->settle <= 0;
    *out = (struct mean){NAN, NAN, NAN, 0};
    for (long times = 1; last.joules >= 0; times++) {
        const enum status status = do_again(work, with_runs, times);
        if (status != OK)
            return status;
        const double asked_at = now(), joules = device_energy(), at = now();
        const bool stepped = joules > last.joules;
        if (!(joules >= last.joules) || (!stepped && at - last.at > frozen))
            return OK;
        if (stepped)
            last = (struct reading){joules, at, fmin(at - looked, longest_step), times};
        looked = asked_at;
        if (stepped && !begun && at - begin > work->settle) {
            first = last;
            begun = true;
        }
        const double seconds = last.at - first.at, behind = fmax(first.behind, last.behind);
        if (!begun || !(seconds >= fmax(least, steps * behind)))
            continue;
        const long done = last.times - first.times;
        *out = (struct mean){(last.joules - first.joules) / (double)done, seconds / (double)done,
                             behind / (double)done, done};
        return OK;
    }
    return OK;
}

/* In joules; `watts` are the most that the card draws in it. */
static double error_of(const struct mean *mean, double watts)
{
    return fmax(mean->behind * watts, mean->joules * repeats);
}

/* Of short runs, where nothing is loaded in between; a graph is made anew each time. */
static int runs_at_once(const struct variant *variant, double seconds)
{
    const double whole = variant->graph ? 2e-3 : 20e-3;
    return variant->calls->load != NULL && !variant->graph
               ? 1
               : (int)fmax(ceil(whole / fmax(seconds, 1e-7)), 1);
}

enum status energy_of_run(struct instance *in, const struct variant *variant, void *state,
                          uint64_t seed, double seconds, struct energy *out)
{
    const struct work_again work = {
        in, variant, state, seed, runs_at_once(variant, seconds), seconds < least ? settled : 0};
    struct mean whole, around = {.joules = NAN};
    enum status status = measure(&work, true, &whole);
    if (status == OK && whole.joules > 0)
        status = measure(&work, false, &around);
    const double joules = whole.joules - around.joules;
    const double watts = fmax(whole.joules / whole.seconds, joules / (work.runs * seconds));
    const double calm = work.settle > 0 ? around.joules / around.seconds : watts;
    const double within = (error_of(&whole, watts) + error_of(&around, calm)) / joules;
    const bool good = joules > 0 && within <= worth;
    *out = (struct energy){.joules = good ? joules / work.runs : (double)NAN,
                           .within = within,
                           .runs = whole.times * work.runs};
    return status;
}

const char *energy_note(const struct energy *energy)
{
    return internf("mean of %ld run%s; right within %.0f %%", energy->runs,
                   energy->runs == 1 ? "" : "s", ceil(100 * energy->within));
}
