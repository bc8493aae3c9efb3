/*
 * Joules of a run, by a counter that makes steps. The card, its counter and the clock are the
 * test's own, so that no time is taken.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/device.h"
#include "machine/timing.h"
#include "run/answer.h"
#include "run/energy.h"
#include "tap.h"

enum { IDLE = 80, LOADING = 120, RUNNING = 500 }; /* W */

static struct card {
    double step, late;   /* s: of the counter, and by which it is behind beyond its step */
    double load, run;    /* s that they take */
    double gone, frozen; /* s from which on it is not there, or stands still; 0: never */
    double back;         /* s from which on it has begun anew */
    int failing;         /* run that fails; 0: none */
    double other_watts;  /* of other work before the span, for so many seconds */
    double other_seconds;
} card;

/* What was drawn in the past, s and J, for a counter that tells it late. */
enum { PAST = 1 << 20 };
static struct {
    double at, joules;
} past[PAST];
static int known;
static double clock_now;
static int made, batch, repeated;
static uint64_t seed_before;

static void spend(double seconds, double watts)
{
    const double joules = past[known - 1].joules;
    clock_now += seconds;
    if (known < PAST) {
        past[known].at = clock_now;
        past[known++].joules = joules + seconds * watts;
    }
}

static double drawn_until(double at)
{
    int low = 0, high = known - 1;
    if (at <= 0)
        return 0;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(past[middle].at < at ? &low : &high) = middle;
    }
    const double share = (at - past[high - 1].at) / (past[high].at - past[high - 1].at);
    return past[high - 1].joules + share * (past[high].joules - past[high - 1].joules);
}

double now(void)
{
    return clock_now;
}

double device_energy(void)
{
    spend(20e-6, IDLE);
    const double told = card.frozen > 0 ? fmin(clock_now, card.frozen) : clock_now;
    const double at = card.step * floor(told / card.step) - card.late;
    const double joules = floor(1e3 * drawn_until(at)) / 1e3; /* mJ */
    const bool gone = card.gone > 0 && clock_now > card.gone;
    return gone ? (double)NAN : card.back > 0 && clock_now > card.back ? joules / 1e3 : joules;
}

enum status device_sync(void)
{
    return OK;
}

uint64_t random_bits(uint64_t seed, uint64_t index)
{
    return 2 * (seed + index);
}

enum status prepare_here(struct instance *in, const struct variant *variant, void *state,
                         uint64_t seed, int runs, double *load)
{
    (void)in, (void)state, (void)seed, (void)runs;
    *load = card.load;
    spend(variant->calls->load != NULL ? card.load : 1e-6, LOADING);
    return OK;
}

enum status run_here(struct instance *in, const struct variant *variant, void *state, uint64_t seed,
                     int runs, struct laps *laps, double *seconds)
{
    double load;
    (void)laps;
    repeated += seed == seed_before;
    seed_before = seed;
    (void)prepare_here(in, variant, state, seed, runs, &load);
    batch = runs;
    made += runs;
    if (card.failing > 0 && made >= card.failing)
        return ERR_DEVICE;
    spend(runs * card.run, RUNNING);
    *seconds = card.run;
    return OK;
}

static enum status load(void *state)
{
    (void)state;
    return OK;
}

static const struct calls loads = {.load = load}, starts = {.load = NULL};

static struct energy measure(const struct card *how, bool has_load, enum status wanted)
{
    const struct variant variant = {.calls = has_load ? &loads : &starts};
    struct energy energy;
    card = *how;
    past[0].at = past[0].joules = clock_now = 0;
    known = 1;
    made = repeated = 0;
    seed_before = 0;
    spend(1, IDLE);
    if (card.other_seconds > 0)
        spend(card.other_seconds, card.other_watts);
    const enum status status = energy_of_run(NULL, &variant, NULL, 1, how->run, &energy);
    check(status == wanted, "status %d, load %g s, run %g s, step %g s", status, how->load,
          how->run, how->step);
    return energy;
}

/* What a run of so many seconds draws, and that the error is within what is said. */
static void is_right(const struct card *how, bool has_load)
{
    const struct energy energy = measure(how, has_load, OK);
    const double right = RUNNING * how->run, error = fabs(energy.joules / right - 1);
    check(error <= energy.within && energy.within <= 0.1,
          "%g J, right is %g: %.2f %%, said %.2f %%; %s", energy.joules, right, 100 * error,
          100 * energy.within, energy_note(&energy));
    check(clock_now < 8 + 3 * how->run, "it took %.2f s", clock_now - 1);
}

static void is_not_told(const struct card *how, bool has_load, const char *why)
{
    const struct energy energy = measure(how, has_load, OK);
    check(isnan(energy.joules), "%s: %g J, within %g", why, energy.joules, energy.within);
}

int main(void)
{
    static const double steps[] = {0.0201, 0.05, 0.1},
                        seconds[] = {3e-6, 1e-4, 0.0123, 0.17, 1.7, 6};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (size_t k = 0; k < sizeof seconds / sizeof *seconds; k++) {
            is_right(&(struct card){.step = steps[i], .run = seconds[k]}, false);
            is_right(&(struct card){.step = steps[i], .run = seconds[k], .load = seconds[k]}, true);
            is_right(&(struct card){.step = steps[i], .late = 0.05, .run = seconds[k]}, false);
        }
    is_right(&(struct card){.step = 0.1, .run = 1e-3, .other_seconds = 1, .other_watts = 700},
             false);
    (void)measure(&(struct card){.step = 0.1, .run = 1e-3}, false, OK);
    check(repeated == 0, "on data that change");
    check(batch == 20, "short runs are made back to back: %d", batch);
    (void)measure(&(struct card){.step = 0.1, .run = 1e-3, .load = 1e-3}, true, OK);
    check(batch == 1, "those with a load are not: %d", batch);
    is_not_told(&(struct card){.step = 0.1, .run = 1e-4, .load = 10e-3}, true,
                "a run that is lost in its load");
    is_not_told(&(struct card){.step = 0.1, .run = 1e-3, .gone = 0.5}, false, "no counter");
    is_not_told(&(struct card){.step = 0.1, .run = 1e-3, .gone = 1.5}, false, "one that goes away");
    is_not_told(&(struct card){.step = 0.1, .run = 1e-3, .frozen = 0.5}, false,
                "one that stands still");
    check(clock_now < 4, "which is seen after %.1f s", clock_now - 1);
    is_not_told(&(struct card){.step = 0.1, .run = 1e-3, .back = 1.5}, false, "one that goes back");
    check(clock_now < 1.6, "which is seen at once, after %.1f s", clock_now - 1);
    is_right(&(struct card){.step = 1.5, .run = 1e-3}, false); /* seen as it is */
    (void)measure(&(struct card){.step = 0.1, .run = 1e-3, .failing = 100}, false, ERR_DEVICE);
    energy_ask(true);
    check(energy_asked(), "a worker that is asked for it");
    energy_ask(false);
    check(!energy_asked(), "and one that is not");
    return done();
}
