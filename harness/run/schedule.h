/*
 * Which jobs of a run come next. Every job has its first round before any has its second; then what
 * is cheap has all of its rounds before what is dear has another. In the first round, too, what is
 * cheap comes before what is dear, errors that a paper prints before all else, of which the quick
 * ones are first, and the device and what is not timed before slow baselines of the host: so a
 * small budget, too, says whether the papers' errors agree. A leg is what one worker does in such a
 * turn: the jobs of some exhibits.
 */
#pragma once
#include "run/progress.h"

enum turn { QUICK_ERRORS, ERRORS, CHEAP_ONES, QUICK_ONES, DEAR_ONES, SLOW_BASELINES, TURNS };

struct leg {
    struct place_in_leg {
        size_t job; /* of the run */
        int ranks;  /* those of as many have the same worker */
        uint64_t stretch, own;
    } * jobs; /* [count], in the order in which they come */
    size_t count;
    bool timed; /* some of them: the ceilings come first */
};

/* What each job is expected to take, by all that was measured so far. */
void expect_costs(struct run *run);
/* Of the jobs [first, end), which are those of whole exhibits; leg->jobs has room for all. Jobs of
 * as many ranks stand together, for a worker of several takes long to start, and of these jobs on
 * the same data, in an order that is drawn from the seed or that of the plan. */
void leg_make(const struct run *run, size_t first, size_t end, int round, enum turn turn,
              struct leg *leg);
/* The end of the exhibit's jobs that begin at `first`. */
size_t exhibit_end(const struct run *run, size_t first);
/* The end of a leg that begins there: of as many exhibits as are done within some seconds, of one
 * at least. */
size_t leg_end(const struct run *run, size_t first, int round, enum turn turn);
/* Seconds that are left to be spent; INFINITY without a budget. */
double budget_left(const struct run *run);
/* Seconds that the rest takes, as far as one can know. */
double seconds_left(const struct run *run);
