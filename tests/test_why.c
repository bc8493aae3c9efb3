/*
 * The parts of a ratio of times: random ceilings and works, of which what has to come out is known
 * by sums, by the way back and by bounds; some by hand; and every limit variant of the registry on
 * two machines that were drawn.
 */
#include "compare/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "run/catalogue.h"
#include "tap.h"

enum { SEED = 2026 };
static uint64_t draws; /* so far */

/* Evenly in logarithms, over six decades. */
static double drawn(void)
{
    return pow(10, 6 * uniform(SEED, draws++) - 3);
}

static double longest(const double seconds[CEILINGS])
{
    return fmax(fmax(seconds[0], seconds[1]), seconds[2]);
}

static int which(const double seconds[CEILINGS])
{
    int best = 0;
    for (int c = 1; c < CEILINGS; c++)
        best = seconds[c] > seconds[best] ? c : best;
    return best;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(1, fabs(a));
}

static void test_random_ceilings(void)
{
    enum { TRIALS = 100000 };
    int adds = 0, back = 0, whole = 0, same = 0, within = 0, split = 0;
    for (int t = 0; t < TRIALS; t++) {
        double from[CEILINGS], to[CEILINGS], logs[CEILINGS], reverse[CEILINGS], sum = 0;
        bool right = true, opposite = true;
        for (int c = 0; c < CEILINGS; c++) {
            from[c] = drawn();
            to[c] = drawn();
        }
        split_limits(from, to, logs);
        split_limits(to, from, reverse);
        int parts = 0;
        for (int c = 0; c < CEILINGS; c++) {
            const double own = log(from[c] / to[c]);
            sum += logs[c];
            parts += logs[c] != 0;
            right = right && logs[c] * own >= 0 && fabs(logs[c]) <= fabs(own) + 1e-12;
            opposite = opposite && is_near(logs[c], -reverse[c]);
        }
        adds += is_near(sum, log(longest(from) / longest(to)));
        back += opposite;
        within += right;
        split += parts > 1;
        if (which(from) == which(to)) {
            same++;
            whole += is_near(logs[which(from)], log(longest(from) / longest(to))) && parts == 1;
        }
    }
    check(adds == TRIALS, "seed %d: in %d of %d the parts add up to the whole", SEED, adds, TRIALS);
    check(back == TRIALS, "in %d of %d the way back has the same parts", back, TRIALS);
    check(within == TRIALS, "in %d of %d no part is more than its ceiling's own change", within,
          TRIALS);
    check(whole == same && same > TRIALS / 5,
          "in %d of %d with one limit on both sides that has all of it", whole, same);
    check(split > TRIALS / 4, "%d of %d have more than one part", split, TRIALS);
}

/* Close ceilings have close parts: none jumps where another one takes over, but where both are the
 * limit all the way. */
static void test_no_jumps(void)
{
    enum { TRIALS = 10000 };
    double most = 0;
    for (int t = 0; t < TRIALS; t++) {
        double from[CEILINGS], to[CEILINGS], near[CEILINGS], a[CEILINGS], b[CEILINGS];
        for (int c = 0; c < CEILINGS; c++) {
            from[c] = drawn();
            to[c] = drawn();
        }
        if (fabs(log(from[0] / from[1])) < 0.01)
            continue;
        to[1] = to[0]; /* a draw, and one of both a little ahead */
        memcpy(near, to, sizeof near);
        near[1] *= 1 + 1e-9;
        split_limits(from, to, a);
        split_limits(from, near, b);
        for (int c = 0; c < CEILINGS; c++)
            most = fmax(most, fabs(a[c] - b[c]));
    }
    check(most < 1e-5, "a billionth more of one ceiling changes no part by more than %.1g", most);
}

static void test_by_hand(void)
{
    static const struct {
        double from[CEILINGS], to[CEILINGS], parts[CEILINGS];
        const char *what;
    } cases[] = {
        /* In half of the way of log 4 memory falls from 0.6 to 0.3, where arithmetic stays. */
        {{0.6, 0.3, 0}, {0.15, 0.3, 0}, {2, 1, 1}, "memory, then what does not change"},
        /* Memory 16 times, arithmetic 4 times: log 2 apart, and the way is 1 of log 4 longer. */
        {{8, 4, 0}, {0.5, 1, 0}, {4, 2, 1}, "memory, then arithmetic"},
        {{8, 4, 1}, {0.5, 1, 1}, {4, 2, 1}, "and launches that come in at the very end"},
        {{8, 1, 1}, {4, 0.01, 0.01}, {2, 1, 1}, "memory alone"},
        {{0, 0, 3}, {0, 0, 6}, {1, 1, 0.5}, "launches, which are slower there"},
        {{4, NAN, 1}, {2, 8, 1}, {2, 1, 1}, "a ceiling that one side does not know"},
        {{NAN, NAN, NAN}, {1, 1, 1}, {1, 1, 1}, "nothing known"},
        {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, "nothing to do"},
        {{2, 2, 2}, {1, 1, 1}, {2, 1, 1}, "all alike: the first one has it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double logs[CEILINGS];
        bool good = true;
        split_limits(cases[i].from, cases[i].to, logs);
        for (int c = 0; c < CEILINGS; c++)
            good = good && is_near(exp(logs[c]), cases[i].parts[c]);
        check(good, "%s: %g, %g, %g", cases[i].what, exp(logs[0]), exp(logs[1]), exp(logs[2]));
    }
}

/* --- every limit variant, on two machines --- */

static void draw_machine(struct limits *limits)
{
    for (int device = 0; device < 2; device++) {
        limits->bytes_per_s[device] = 1e11 * drawn();
        for (int p = 0; p < 2; p++)
            limits->flops_per_s[device][p] = 1e12 * drawn();
    }
    limits->launch_s = 1e-6 * drawn();
}

static void add_count(struct folder *run, const struct key *key, const char *metric, double value)
{
    folder_add_row(run, &(struct measurement){.key = *key,
                                              .metric = intern(metric),
                                              .statistic = intern("model"),
                                              .value = value});
}

/* A run that has the job, in a time that was drawn; and its work, unless the job's is taken. */
static void add_job(struct side *side, const struct job *job, bool counted)
{
    struct record *const r = folder_add_record(&side->folder, &job->key);
    r->state = JOB_OK;
    r->time.value = drawn();
    if (!counted)
        return;
    add_count(&side->folder, &job->key, "flops", job->work.flops * drawn());
    add_count(&side->folder, &job->key, "bytes", job->work.bytes * drawn());
    add_count(&side->folder, &job->key, "launches", job->work.launches * drawn());
}

static double product(const struct why *why)
{
    double all = why->rest;
    for (int c = 0; c < CEILINGS; c++)
        all *= isnan(why->by[c]) ? 1 : why->by[c];
    return all;
}

/* Rows of the fastest, beside the jobs of their own precision, place and size. */
static void test_stand_ins(const struct side *const sides[2], const struct couple *couples,
                           size_t count, const struct couple *fastest, size_t fastest_count)
{
    int stand_ins = 0;
    bool one = true, sole = true;
    for (size_t f = 0; f < fastest_count; f++)
        for (size_t i = 0; i < 2 * count; i++) {
            const struct couple *const row = &fastest[f], *const own = &couples[i / 2];
            const int k = i % 2;
            const struct record *const r = own->records[k], *const best = row->records[k];
            struct job job;
            if (own->key.exhibit != row->key.exhibit || own->key.of != row->key.of ||
                own->key.n != row->key.n || own->key.precision != row->key.precision ||
                job_from_path(key_path(&r->key), &job) != OK || job.variant->ranks ||
                uses_device(job.variant) != (strcmp(row->key.variant, "fastest-gpu") == 0))
                continue;
            stand_ins += best->key.precision != row->key.precision;
            one = one && is_near(log(held_against(sides, row, k).task * best->time.value),
                                 log(held_against(sides, own, k).task * r->time.value));
            sole = sole && fastest_of_task(&sides[k]->folder, &own->key, uses_device(job.variant))
                                   ->time.value == best->time.value;
        }
    check(one && stand_ins > 10,
          "what they are held against is the row's task, in %d cases where a more precise one "
          "stands in",
          stand_ins);
    check(sole, "a task's fastest is the one that runs are compared by");
}

static void test_limit_variants(const struct plan *plan)
{
    struct side there = {.machine.bandwidth = NAN}, here = there;
    const struct side *const sides[] = {&there, &here};
    struct couple *const couples = calloc(plan->count + 1, sizeof *couples);
    struct mean *means = NULL;
    size_t count = 0, mean_count = 0, fastest_count = 0;
    bool adds = true, known = true, shares = true, alone = true;
    struct couple *fastest = NULL;
    if (couples == NULL || folder_reserve(&there.folder, 3 * plan->count, plan->count) != OK ||
        folder_reserve(&here.folder, 3 * plan->count, plan->count) != OK) {
        check(false, "memory");
        goto cleanup;
    }
    draw_machine(&there.limits);
    draw_machine(&here.limits);
    for (size_t i = 0; i < plan->count; i++) {
        const struct job *const job = &plan->jobs[i];
        if (job->variant->role != LIMIT || folder_record(&there.folder, &job->key) != NULL)
            continue;
        add_job(&there, job, count % 3 != 0);
        add_job(&here, job, count % 2 != 0);
        couples[count++] = (struct couple){
            job->key,
            {folder_record(&there.folder, &job->key), folder_record(&here.folder, &job->key)}};
    }
    for (size_t i = 0; i < count; i++) {
        const struct why why = why_faster(sides, &couples[i]);
        const struct against a = held_against(sides, &couples[i], 1);
        const struct record *const *const r = couples[i].records;
        adds = adds && is_near(why.faster, r[0]->time.value / r[1]->time.value) &&
               is_near(log(product(&why)), log(why.faster));
        known =
            known && why.by[OF_MEMORY] > 0 && why.by[OF_ARITHMETIC] > 0 && why.by[OF_LAUNCHES] > 0;
        shares = shares && a.limit > 0 && a.task > 0;
    }
    check(count > 100 && adds, "%zu limit jobs: the parts' product is the ratio of times", count);
    check(known, "all parts are known");
    check(shares, "all have a share of their own limit and of the task's");
    check(means_of(sides, couples, count, &means, &mean_count) == OK, "means");
    size_t jobs = 0;
    for (size_t i = 0; i < mean_count; i++) {
        jobs += (size_t)means[i].jobs;
        adds = adds && is_near(log(product(&means[i].why)), log(means[i].why.faster));
    }
    check(mean_count > 10 && mean_count < count && jobs == count && adds,
          "%zu means of them: their parts' product is the ratio, too", mean_count);

    const enum status status = fastest_of(sides, NULL, &fastest, &fastest_count);
    check(status == OK && fastest_count > 0, "the fastest of %zu tasks", fastest_count);
    for (size_t f = 0; f < fastest_count; f++)
        for (size_t i = 0; i < count; i++) {
            const struct record *const r = couples[i].records[0], *const best =
                                                                      fastest[f].records[0];
            struct job job;
            if (r->key.exhibit == best->key.exhibit && r->key.of == best->key.of &&
                r->key.n == best->key.n && r->key.precision == best->key.precision &&
                job_from_path(key_path(&r->key), &job) == OK && !job.variant->ranks &&
                uses_device(job.variant) == (strcmp(fastest[f].key.variant, "fastest-gpu") == 0))
                alone = alone && best->time.value <= r->time.value;
        }
    check(alone, "none in the same precision is faster");
    test_stand_ins(sides, couples, count, fastest, fastest_count);
cleanup:
    free(fastest);
    free(means);
    free(couples);
    folder_free(&there.folder);
    folder_free(&here.folder);
}

/* GPU-RB and GPU-TB move other bytes, and are held against the same. */
static void test_of_task(const struct plan *plan)
{
    bool same = true, less = true;
    int compared = 0;
    for (size_t i = 0; i < plan->count; i++)
        for (size_t k = 0; k < plan->count && plan->jobs[i].variant->role == LIMIT; k++) {
            const struct job *const a = &plan->jobs[i], *const b = &plan->jobs[k];
            if (a->problem != b->problem || a->variant->precision != b->variant->precision ||
                a->variant->ranks || b->variant->ranks || !params_same(&a->at, &b->at))
                continue;
            const struct work x = work_of_task(a), y = work_of_task(b);
            same = same && x.bytes == y.bytes && x.flops == y.flops && x.launches == 0;
            less = less && x.flops <= a->work.flops * (1 + 1e-12);
            compared++;
        }
    check(compared > 1000 && same,
          "%d pairs of variants of one task: the same least bytes and "
          "operations",
          compared);
    check(less, "and no variant says that it takes fewer operations");
}

int main(void)
{
    struct plan plan;
    struct selection all = {.size = "smoke"};
    test_random_ceilings();
    test_no_jumps();
    test_by_hand();
    if (check(plan_make(&all, &plan) == OK, "a plan of all")) {
        test_limit_variants(&plan);
        test_of_task(&plan);
        plan_free(&plan);
    }
    return done();
}
