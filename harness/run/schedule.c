/*
 * Which jobs of a run come next.
 */
#include "run/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/timing.h"

static const double cheap = 0.1, dear = 2; /* seconds of a round */

void expect_costs(struct run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        struct progress *const p = &run->jobs[i];
        if (!p->ended)
            p->expected = cost_of(&run->costs, &p->job, run->options->samples);
    }
}

/* The first of its turns. */
static enum turn turn_of(const struct progress *p, int round)
{
    const bool baseline = is_timed(&p->job) && !uses_device(p->job.variant);
    const bool error = p->error_printed && round == 1;
    return error && p->expected < dear ? QUICK_ERRORS
           : error                     ? ERRORS
           : p->expected < cheap       ? CHEAP_ONES
           : p->expected < dear        ? QUICK_ONES
           : baseline                  ? SLOW_BASELINES
                                       : DEAR_ONES;
}

/* Its round comes with another exhibit's. */
static bool comes_along(const struct progress *p, int round)
{
    return p->same != NULL && !p->same->ended && !has_round(p->same, round);
}

/* A turn also has what an earlier one passed over, because it was taken for dearer than it is. */
static bool is_due(const struct run *run, const struct progress *p, int round, enum turn turn)
{
    const bool wanted =
        !p->ended && round <= p->rounds_wanted && !has_round(p, round) && !comes_along(p, round);
    return wanted && turn_of(p, round) <= turn && p->expected <= budget_left(run);
}

static bool same_data(const struct progress *a, const struct progress *b)
{
    return a->job.of == b->job.of && a->job.n == b->job.n;
}

static int by_place(const void *a, const void *b)
{
    const struct place_in_leg *const p = a, *const q = b;
    if (p->ranks != q->ranks)
        return p->ranks - q->ranks;
    const uint64_t first = p->stretch != q->stretch ? p->stretch : p->own;
    const uint64_t second = p->stretch != q->stretch ? q->stretch : q->own;
    return (first > second) - (first < second);
}

void leg_make(const struct run *run, size_t first, size_t end, int round, enum turn turn,
              struct leg *leg)
{
    const bool drawn_order = strcmp(run->options->order, "random") == 0;
    const uint64_t seed = run->options->seed + (uint64_t)round;
    size_t stretch = first;
    leg->count = 0;
    leg->timed = false;
    for (size_t i = first; i < end; i++) {
        const struct progress *const p = &run->jobs[i];
        if (!same_data(p, &run->jobs[stretch]))
            stretch = i;
        if (!is_due(run, p, round, turn))
            continue;
        const int ranks = ranks_of(p->job.variant, &p->job.at);
        leg->jobs[leg->count++] =
            drawn_order
                ? (struct place_in_leg){i, ranks, random_bits(seed, stretch), random_bits(seed, i)}
                : (struct place_in_leg){i, ranks, i, i};
        leg->timed = leg->timed || (is_timed(&p->job) && p->job.variant->role != CEILING);
    }
    qsort(leg->jobs, leg->count, sizeof *leg->jobs, by_place);
}

size_t exhibit_end(const struct run *run, size_t first)
{
    size_t end = first;
    while (end < run->count && run->jobs[end].job.exhibit == run->jobs[first].job.exhibit)
        end++;
    return end;
}

static double due_seconds(const struct run *run, size_t first, size_t end, int round,
                          enum turn turn)
{
    double seconds = 0;
    for (size_t i = first; i < end; i++)
        seconds += is_due(run, &run->jobs[i], round, turn) ? run->jobs[i].expected : 0;
    return seconds;
}

size_t leg_end(const struct run *run, size_t first, int round, enum turn turn)
{
    const double most = 60;
    size_t end = exhibit_end(run, first);
    double seconds = due_seconds(run, first, end, round, turn);
    while (end < run->count) {
        const size_t next = exhibit_end(run, end);
        seconds += due_seconds(run, end, next, round, turn);
        if (seconds > most)
            break;
        end = next;
    }
    return end;
}

double budget_left(const struct run *run)
{
    const double budget = run->options->budget;
    return budget > 0 ? budget - (now() - run->begin) : (double)INFINITY;
}

/* Rounds that the job will still have, as most such jobs do. */
static int rounds_left(const struct run *run, const struct progress *p)
{
    if (p->same != NULL && !p->same->ended)
        return 0;
    const int all =
        rounds_expected(&run->costs, &p->job, p->rounds_wanted, run->options->precise, p->expected);
    return p->ended ? 0 : all > p->rounds_done ? all - p->rounds_done : 1;
}

/* After its first round a job's last one is all that is known of the next. */
static double seconds_of_job(const struct run *run, const struct progress *p)
{
    const int rounds = rounds_left(run, p);
    return p->rounds_done == 1 ? cost_of_rounds(p->expected, true, rounds + 1) - p->expected
                               : cost_of_rounds(p->expected, p->rounds_done == 0, rounds);
}

double seconds_left(const struct run *run)
{
    double left = 0;
    for (size_t i = 0; i < run->count; i++)
        left += seconds_of_job(run, &run->jobs[i]);
    const double share = run->busy > run->around ? run->around / (run->busy - run->around) : 0;
    return fmax(fmin(left * (1 + share), budget_left(run)), 0);
}
