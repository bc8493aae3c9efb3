/*
 * What a job's round is expected to cost, which jobs come next, and when one has rounds enough.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"
#include "machine/timing.h"
#include "run/schedule.h"
#include "run/worker.h"
#include "tap.h"

static struct plan plan_of(const char *glob, const char *size)
{
    struct plan plan = {.count = 0};
    const struct selection selection = {.globs = {glob}, .glob_count = 1, .size = size};
    (void)plan_make(&selection, &plan);
    return plan;
}

/* The first of the plan that is so; a plan without one has no test. */
static const struct job *job_of(const struct plan *plan, const char *variant, long n)
{
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->jobs[i].variant->id, variant) == 0 && plan->jobs[i].n == n)
            return &plan->jobs[i];
    abort();
}

static bool near(double a, double b)
{
    return fabs(a / b - 1) < 1e-12;
}

static void test_costs(void)
{
    const struct plan plan = plan_of("rec2011-fig5", "paper");
    const struct job *const small = job_of(&plan, "SEQ", 1L << 20);
    const struct job *const large = job_of(&plan, "SEQ", 1L << 28);
    const struct job *const other = job_of(&plan, "BLAS", 1L << 28);
    const struct job *const omp = job_of(&plan, "SEQ-omp", 1L << 28);
    struct costs costs = {.count = 0};
    const double reckoned = cost_of(&costs, large, 7), reckoned_other = cost_of(&costs, other, 7);
    const double reckoned_omp = cost_of(&costs, omp, 7), of_small = cost_of(&costs, small, 7);
    check(of_small > 0 && reckoned > 10 * of_small && reckoned < 1000, "reckoned: more for more");

    costs_learn(&costs, small, 10 * of_small);
    check(near(cost_of(&costs, small, 7), 10 * of_small), "as it was measured");
    const double carried = cost_of(&costs, large, 7) / reckoned;
    check(carried > 1.1 && carried < 10, "other sizes are dearer too, and less surely so");
    costs_learn(&costs, large, 10 * reckoned);
    const struct job *const between = job_of(&plan, "SEQ", 1L << 26);
    struct costs none = {.count = 0};
    const double by_large = cost_of(&costs, between, 7) / cost_of(&none, between, 7);
    check(by_large > 8 && by_large < 10, "what is near in size says most: %g", by_large);
    const double by_place = cost_of(&costs, other, 7) / reckoned_other;
    check(by_place > 1.2 && by_place < 10, "other variants of the place are dearer: %g", by_place);
    check(near(cost_of(&costs, omp, 7), reckoned_omp), "and those of another place are not");

    costs_learn(&costs, large, reckoned);
    check(near(cost_of(&costs, large, 7), reckoned), "the last round counts");
    check(near(cost_of(&costs, other, 7) / reckoned_other, by_place),
          "and only the first one for the others");
    costs_free(&costs);
    check(near(cost_of(&costs, large, 7), reckoned), "what is freed knows nothing");
    struct plan done = plan;
    plan_free(&done);
}

static void test_rounds(void)
{
    const struct plan plan = plan_of("rec2011-fig5", "quick");
    const struct job *const host = job_of(&plan, "SEQ", 1L << 20);
    struct costs costs = {.count = 0};
    check(rounds_worth(7, 0.02, 0.09, 0.01) == 5, "a quarter of a second beyond the third");
    check(rounds_worth(7, 0.02, 1.1, 0.1) == 3, "a slow round of a quick solve: three");
    check(rounds_worth(7, 0.02, 1.1, 0.7) == 1, "what is slow itself has one");
    check(rounds_worth(7, 0.02, 1e-3, 1e-6) == 7, "what is quick has all");
    check(rounds_worth(2, 0.02, 0.3, 0.1) == 2, "and none more than asked for");
    check(rounds_worth(7, 0, 9, 9) == 7, "all, if no precision will do");
    check(rounds_expected(&costs, host, 7, 0.02, 0.3) == 3, "most have three");
    check(rounds_expected(&costs, host, 2, 0.02, 0.3) == 2, "or as many as there are");
    check(rounds_expected(&costs, host, 7, 0, 0.3) == 7, "or all");
    check(near(cost_of_rounds(2, true, 3), 5.2) && near(cost_of_rounds(2, false, 3), 6) &&
              cost_of_rounds(2, true, 0) <= 0,
          "the first round of a job takes longest");
    struct plan done = plan;
    plan_free(&done);
}

/* --- turns --- */

static struct run run_of(struct plan *plan, struct run_options *options)
{
    struct run run = {.options = options, .begin = now(), .count = plan->count};
    run.jobs = calloc(plan->count, sizeof *run.jobs);
    for (size_t i = 0; i < plan->count; i++)
        run.jobs[i] = (struct progress){.job = plan->jobs[i], .rounds_wanted = 3, .expected = 0.1};
    return run;
}

static void free_run(struct run *run, struct plan *plan)
{
    for (size_t i = 0; i < run->count; i++)
        progress_free(&run->jobs[i]);
    free(run->jobs);
    costs_free(&run->costs);
    plan_free(plan);
}

/* How often each job of the run comes in the turn, added to `times`; the first leg's count. */
static size_t count_turn(const struct run *run, int round, enum turn turn, int *times)
{
    struct leg leg = {.jobs = calloc(run->count, sizeof *leg.jobs)};
    size_t first_leg = 0;
    for (size_t first = 0, end; first < run->count; first = end) {
        end = leg_end(run, first, round, turn);
        leg_make(run, first, end, round, turn, &leg);
        for (size_t i = 0; i < leg.count; i++)
            times[leg.jobs[i].job]++;
        first_leg = first == 0 ? leg.count : first_leg;
    }
    free(leg.jobs);
    return first_leg;
}

static void test_turns(void)
{
    struct plan plan = plan_of("rec2011-*", "quick");
    struct run_options options = {.order = "random", .samples = 7, .precise = 0.02};
    struct run run = run_of(&plan, &options);
    int *const times = calloc(run.count, sizeof *times);
    size_t dear = 0, right = 0, last = 0;
    for (size_t i = 0; i < run.count; i += 3) {
        run.jobs[i].expected = 5;
        dear++;
    }
    count_turn(&run, 1, QUICK_ONES, times);
    for (size_t i = 0; i < run.count; i++)
        right += times[i] == (run.jobs[i].expected < 2);
    check(right == run.count, "first what is quick, once each");
    memset(times, 0, run.count * sizeof *times);
    /* What ran has its round; what ran late stays late. */
    for (size_t i = 0; i < run.count; i++)
        run.jobs[i].ended = run.jobs[i].expected < 2;
    count_turn(&run, 1, DEAR_ONES, times);
    for (size_t i = right = 0; i < run.count; i++) {
        const struct job *const job = &run.jobs[i].job;
        const bool baseline = is_timed(job) && !uses_device(job->variant);
        right += times[i] == (run.jobs[i].expected >= 2 && !baseline);
        last += run.jobs[i].expected >= 2 && baseline;
    }
    check(right == run.count && last > 0 && last < dear,
          "then the device's, and what has no times");
    count_turn(&run, 1, SLOW_BASELINES, times);
    for (size_t i = right = 0; i < run.count; i++)
        right += (times[i] > 0) == (run.jobs[i].expected >= 2);
    check(right == run.count, "at the end the slow baselines");

    for (size_t i = 0; i < run.count; i++) {
        run.jobs[i].ended = false;
        run.jobs[i].expected = i % 2 == 0 ? 0.05 : i % 3 == 0 ? 0.5 : 5;
    }
    memset(times, 0, run.count * sizeof *times);
    count_turn(&run, 2, CHEAP_ONES, times);
    for (size_t i = right = 0; i < run.count; i++)
        right += times[i] == (i % 2 == 0);
    check(right == run.count, "what is cheap has its other rounds before all else");
    for (size_t i = 0; i < run.count; i++) {
        run.jobs[i].expected = i % 3 == 0 ? 5 : 0.1;
        run.jobs[i].ended = i % 3 != 0;
    }

    run.jobs[0].expected = 0.1;
    memset(times, 0, run.count * sizeof *times);
    count_turn(&run, 1, DEAR_ONES, times);
    check(times[0] == 1, "and with the dear ones what was taken for dear too long");

    run.jobs[1] = (struct progress){.job = run.jobs[1].job, .rounds_wanted = 3, .expected = 5};
    options.budget = 4;
    memset(times, 0, run.count * sizeof *times);
    for (size_t i = 0; i < run.count; i++) {
        run.jobs[i].ended = false;
        run.jobs[i].expected = i == 2 ? 1 : 5;
    }
    for (enum turn turn = QUICK_ONES; turn < TURNS; turn++)
        count_turn(&run, 1, turn, times);
    for (size_t i = right = 0; i < run.count; i++)
        right += (times[i] > 0) == (i == 2);
    check(right == run.count, "nothing that the budget has no room for");
    check(budget_left(&run) <= 4 && budget_left(&run) > 3, "which gets less");
    run.begin -= 3.5;
    memset(times, 0, run.count * sizeof *times);
    check(count_turn(&run, 1, QUICK_ONES, times) == 0, "until nothing fits");
    free(times);
    free_run(&run, &plan);
}

static void test_errors(void)
{
    static const struct {
        const char *path;
        bool printed;
    } known[] = {
        {"bvp2010-table1/p1/A1S/single/1048576", true},
        {"bvp2010-table1-historical/p1/A2SD/mixed/1048576", true}, /* set beside another's */
        {"bvp2010-table3/p1/A1D/double/1048576", false},           /* a time */
        {"par2011-throughput/model1/CPU/double/500", false},
    };
    struct plan plan = plan_of("*", "paper");
    bool *const printed = calloc(plan.count, sizeof *printed);
    check(plan_errors(&plan, printed) == OK, "errors that are printed");
    size_t right = 0, seen = 0, count = 0, waveform = 0, curvature = 0;
    for (size_t i = 0; i < plan.count; i++) {
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strcmp(plan.jobs[i].path, known[k].path) == 0) {
                seen++;
                right += printed[i] == known[k].printed;
            }
        count += printed[i];
        waveform += printed[i] && strncmp(plan.jobs[i].path, "wr2014-", 7) == 0;
        curvature += printed[i] && strncmp(plan.jobs[i].path, "cf2011-", 7) == 0;
    }
    check(seen == 4 && right == 4,
          "of tables, of what is set beside them, and no times: %zu of %zu", right, seen);
    check(waveform > 0 && curvature > 0 && count < plan.count / 10,
          "by views, too: %zu, %zu of %zu", waveform, curvature, count);

    struct run_options options = {.order = "random", .samples = 7};
    struct run run = run_of(&plan, &options);
    int *const times = calloc(run.count, sizeof *times);
    size_t first = 0, second = 0, third = 0;
    for (size_t i = 0; i < run.count; i++) {
        run.jobs[i].error_printed = printed[i];
        run.jobs[i].expected = i % 3 == 0 ? 0.05 : i % 3 == 1 ? 1 : 9;
    }
    count_turn(&run, 1, QUICK_ERRORS, times);
    for (size_t i = 0; i < run.count; i++)
        first += times[i] == (printed[i] && i % 3 < 2);
    count_turn(&run, 1, ERRORS, memset(times, 0, run.count * sizeof *times));
    for (size_t i = 0; i < run.count; i++)
        second += times[i] == printed[i];
    count_turn(&run, 1, CHEAP_ONES, memset(times, 0, run.count * sizeof *times));
    for (size_t i = 0; i < run.count; i++)
        third += times[i] == (i % 3 == 0 || printed[i]);
    check(first == run.count, "the quick ones of them come first");
    check(second == run.count && third == run.count, "then the others, and then what is cheap");
    count_turn(&run, 2, CHEAP_ONES, memset(times, 0, run.count * sizeof *times));
    for (size_t i = right = 0; i < run.count; i++)
        right += times[i] == (i % 3 == 0);
    check(right == run.count, "in the first round alone");
    free(times);
    free(printed);
    free_run(&run, &plan);
}

static void test_ranks(void)
{
    struct plan plan = plan_of("scale-*", "smoke");
    struct run_options options = {.order = "random", .samples = 7};
    struct run run = run_of(&plan, &options);
    struct leg leg = {.jobs = calloc(run.count, sizeof *leg.jobs)};
    size_t starts = 0;
    int last = 0;
    leg_make(&run, 0, run.count, 1, QUICK_ONES, &leg);
    for (size_t i = 0; i < leg.count; i++) {
        const struct job *const job = &run.jobs[leg.jobs[i].job].job;
        starts += ranks_of(job->variant, &job->at) != last;
        last = ranks_of(job->variant, &job->at);
    }
    check(leg.count == run.count && starts == 4, "a worker for all jobs of as many ranks: %zu",
          starts);
    free(leg.jobs);
    free_run(&run, &plan);
}

static void test_judged(void)
{
    int large = 0, others = 0;
    for (int k = 0; k < 3000; k++) {
        large += judges_round(2 + k % 6, 1 << 27);
        others += judges_round(1, 1 << 30) + judges_round(7, (1 << 27) - 1);
    }
    check(others == 6000, "first rounds are judged, and small answers");
    check(large > 870 && large < 1130, "of large ones a third, to five deviations: %d", large);
}

/* Two exhibits have a job in common: it comes once, and has to
 * come by itself where the other one has ended without it. */
static void test_same(void)
{
    struct plan plan = plan_of("*", "paper");
    size_t same = 0, apart = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const struct job *const job = &plan.jobs[i], *const earlier = plan_same(&plan, i);
        const bool fits = earlier != NULL && earlier->exhibit != job->exhibit &&
                          earlier->variant == job->variant && earlier->n == job->n &&
                          is_timed(earlier) == is_timed(job) &&
                          plan_same(&plan, (size_t)(earlier - plan.jobs)) == NULL;
        same += fits;
        apart += earlier != NULL && !fits;
    }
    check(same > 500 && apart == 0, "%zu of %zu jobs are another exhibit's too", same, plan.count);

    struct run_options options = {.order = "plan", .samples = 7};
    struct run run = run_of(&plan, &options);
    int *const times = calloc(run.count, sizeof *times);
    size_t late = 0;
    for (size_t i = 1; i < run.count && late == 0; i++)
        late = plan_same(&plan, i) != NULL ? i : 0;
    for (size_t i = 0; i < run.count; i++)
        if (&plan.jobs[i] == plan_same(&plan, late))
            run.jobs[late].same = &run.jobs[i];
    const size_t early = (size_t)(run.jobs[late].same - run.jobs);
    count_turn(&run, 1, QUICK_ONES, times);
    check(times[early] == 1 && times[late] == 0, "what is the same comes once");
    run.jobs[early].ended = true;
    count_turn(&run, 1, QUICK_ONES, times);
    check(times[early] == 1 && times[late] == 1, "by itself where the other has ended");
    free(times);
    free_run(&run, &plan);
}

static void test_legs(void)
{
    struct plan plan = plan_of("rec2011-*", "quick");
    struct run_options options = {.order = "random", .samples = 7};
    struct run run = run_of(&plan, &options);
    struct leg leg = {.jobs = calloc(run.count, sizeof *leg.jobs)};
    const size_t one = exhibit_end(&run, 0);
    check(one < run.count && leg_end(&run, 0, 1, QUICK_ONES) == run.count,
          "quick exhibits share a worker");
    for (size_t i = 0; i < run.count; i++)
        run.jobs[i].expected = 1.9;
    const size_t end = leg_end(&run, 0, 1, QUICK_ONES);
    check(end == one, "one that takes long has its own");

    leg_make(&run, 0, one, 1, QUICK_ONES, &leg);
    size_t changes = 0, moved = 0;
    for (size_t i = 1; i < leg.count; i++) {
        const struct job *const a = &run.jobs[leg.jobs[i - 1].job].job;
        const struct job *const b = &run.jobs[leg.jobs[i].job].job;
        changes += a->of != b->of || a->n != b->n;
        moved += leg.jobs[i].job < leg.jobs[i - 1].job;
    }
    size_t stretches = 0;
    for (size_t i = 1; i < one; i++)
        stretches += plan.jobs[i].of != plan.jobs[i - 1].of || plan.jobs[i].n != plan.jobs[i - 1].n;
    check(leg.count == one && changes == stretches, "jobs on the same data stand together");
    check(moved > 0, "in an order that is drawn");
    options.order = "plan";
    leg_make(&run, 0, one, 1, QUICK_ONES, &leg);
    bool in_order = true;
    for (size_t i = 0; i < leg.count; i++)
        in_order = in_order && leg.jobs[i].job == i;
    check(in_order, "or in that of the plan");
    free(leg.jobs);
    free_run(&run, &plan);
}

/* --- rounds --- */

/* The rounds that a job takes whose times are 1, 1 + spread, 1 - spread, 1, ... */
static int rounds_taken(double spread, double precise, double busy, double solve)
{
    struct plan plan = plan_of("rec2011-fig5", "quick");
    struct run_options options = {.rounds = 7, .samples = 7, .precise = precise};
    struct run run = run_of(&plan, &options);
    struct progress *const p = &run.jobs[0];
    p->rounds_wanted = options.rounds;
    for (int round = 1; !p->ended && round <= options.rounds; round++) {
        const double time = solve + solve * spread * (round % 3 == 2 ? 1 : round % 3 == 0 ? -1 : 0);
        const struct sample rows[] = {
            {p->job.key, "host", round, 1, intern("time"), time, "s", ""},
            {p->job.key, "host", round, 0, intern("busy"), busy, "s", ""},
            {p->job.key, "host", round, 0, intern("status"), NAN, "", state_note(JOB_OK, "")}};
        (void)take_round(&run, p, rows, sizeof rows / sizeof *rows);
    }
    const int taken = p->ended ? p->rounds_done : -1;
    free_run(&run, &plan);
    return taken;
}

static void test_precision(void)
{
    const double quick = 1e-3;
    check(rounds_taken(1e-3, 0.02, 0.01, quick) == 3, "three rounds that agree are enough");
    const int some = rounds_taken(0.015, 0.02, 0.01, quick);
    check(some > 3 && some < 7, "others go on until they are: %d", some);
    check(rounds_taken(0.1, 0.02, 0.01, quick) == 3, "unless the last one would not do either");
    check(rounds_taken(0.1, 0, 0.01, quick) == 7 && rounds_taken(1e-3, 0, 2, 1) == 7,
          "all that are asked for");
    check(rounds_taken(0.015, 0.02, 2, quick) == 3 && rounds_taken(0.015, 0.02, 2, 1) == 1,
          "slow ones stop first");
}

int main(void)
{
    test_costs();
    test_rounds();
    test_turns();
    test_errors();
    test_judged();
    test_ranks();
    test_same();
    test_legs();
    test_precision();
    return done();
}
