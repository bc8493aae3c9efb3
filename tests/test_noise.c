/*
 * The noise from run to run. First what is made of repeated runs; then the regression rule on
 * simulated runs of two kinds of job at once, quiet ones and ones that the host's launches make
 * noisy, of which some have modes: how many verdicts are false, and which slowdowns are found.
 * Seeded: every run of this test draws the same.
 */
#include <math.h>

#include "base/statistics.h"
#include "reprise.h"
#include "tap.h"

static uint64_t draws; /* so far */

static double normal(void)
{
    const double u = uniform(2026, draws++), v = uniform(2026, draws++);
    return sqrt(-2 * log(1 - u)) * cos(2 * acos(-1) * v);
}

/* --- what is made of repeated runs --- */

static const double z995 = 2.575829303548901;

static void test_half(void)
{
    const struct noise known = noise_known(0.01);
    struct noise two = {2, {0.01, 0.1}, {0.995, 0.005}};
    check(fabs(noise_half(&no_noise, 0.01) - z995 * 0.01) < 1e-9 && noise_half(&no_noise, 0) == 0,
          "without noise it is what the rounds leave open, or nothing");
    check(fabs(noise_half(&known, 0) - z995 * sqrt(2) * 0.01) < 1e-9 &&
              fabs(noise_half(&known, 0.02) - z995 * sqrt(6) * 0.01) < 1e-9,
          "each of the two runs has its draw of the noise");
    check(noise_half(&two, 0) > noise_half(&known, 0) && noise_half(&two, 0) < 0.1,
          "one job in two hundred that is much noisier counts as that");
    two.share[1] = 1;
    two.share[0] = 0;
    check(fabs(noise_half(&two, 0) - z995 * sqrt(2) * 0.1) < 1e-9, "and its own noise as its own");
    check(isnan(noise_half(&known, NAN)), "of no number comes none");
}

enum { JOBS = 30 };
static const double little = 0.004; /* assumed */

/* Jobs that repeat to 0.3 %, `times` times each; one of them as it is told. */
static struct noise fitted(const double *odd, size_t times, bool unlike, struct noise *of_odd)
{
    static struct difference list[JOBS * 8];
    struct noise of_job[JOBS], of_kind;
    size_t count = 0;
    for (size_t j = 0; j < JOBS; j++)
        for (size_t i = 0; i < times; i++)
            list[count++] = (struct difference){
                j, j == 0 && odd != NULL ? odd[i] : 0.003 * sqrt(2) * normal(), 0.0005, unlike};
    if (!noise_fit((struct differences){list, count}, (struct differences){NULL, 0}, JOBS, little,
                   of_job, &of_kind))
        return no_noise;
    if (of_odd != NULL)
        *of_odd = of_job[0];
    return of_kind;
}

static void test_fit(void)
{
    static const double alternating[8] = {0.08, -0.08, 0.08, -0.08, 0.08, -0.08, 0.08, -0.08},
                        step[8] = {0.002, -0.001, 0.1, 0.003, -0.002, 0.001, 0.002, -0.003};
    struct noise odd;
    struct noise kind = fitted(NULL, 8, false, &odd);
    check(noise_quantile(&kind, 0.5) > 0.002 && noise_quantile(&kind, 0.5) < 0.0045,
          "30 jobs repeat to 0.3 %%: %.2g %% is found", 100 * noise_quantile(&kind, 0.5));
    check(noise_half(&odd, 0) < 0.02, "a change of %.2g %% is none of such a job's noise",
          100 * noise_half(&odd, 0));
    kind = fitted(alternating, 8, false, &odd);
    check(noise_half(&odd, 0) > 0.08, "one that changes by 8 %% all the time may do it again");
    check(noise_quantile(&kind, 0.5) < 0.0045, "and does not blind the others");
    (void)fitted(step, 8, false, &odd);
    check(noise_half(&odd, 0) > 0.08, "a program that once took 10 %% longer may do so again");
    (void)fitted(step, 8, true, &odd);
    check(noise_half(&odd, 0) < 0.03, "one that was changed then is believed to stay: %.2g %%",
          100 * noise_half(&odd, 0));
    kind = fitted(NULL, 0, false, &odd);
    check(noise_quantile(&kind, 0.5) > little / 2 && noise_quantile(&kind, 0.5) < 2 * little &&
              noise_half(&odd, 0) > 4 * little,
          "of no repetition comes what is assumed");
}

/* What the two runs at hand say, which are `apart` in all jobs and deviate by so much. */
static double at_hand(double apart, double deviation)
{
    struct difference list[JOBS];
    struct noise of_job[JOBS], of_kind = no_noise;
    for (size_t j = 0; j < JOBS; j++)
        list[j] = (struct difference){j, apart + sqrt(2) * deviation * normal(), 0.0005, true};
    (void)noise_fit((struct differences){NULL, 0}, (struct differences){list, JOBS}, JOBS, little,
                    of_job, &of_kind);
    return noise_quantile(&of_kind, 0.5);
}

static void test_at_hand(void)
{
    check(at_hand(0, 0.05) > 0.02, "two runs that are far apart say that more is to be assumed");
    check(at_hand(0, 0.0005) < little / 2, "close ones, that it is less");
    check(at_hand(0.1, 0.0005) < little / 2, "a change of all jobs is no noise");
}

/* A change of nearly half of the jobs looks like modes to who knows no other runs of them. */
static void test_common_part(void)
{
    struct difference before[JOBS * 6], now_[JOBS];
    struct noise of_job[JOBS], of_kind;
    for (size_t j = 0; j < JOBS; j++) {
        for (size_t i = 0; i < 6; i++)
            before[j * 6 + i] = (struct difference){j, 0.001 * sqrt(2) * normal(), 0.0005, false};
        now_[j] = (struct difference){j, 0.001 * sqrt(2) * normal() + (j % 9 < 4 ? 0.02 : 0),
                                      0.0005, true};
    }
    const bool fits = noise_fit((struct differences){before, JOBS * 6},
                                (struct differences){now_, JOBS}, JOBS, little, of_job, &of_kind);
    const double half = fits ? noise_half(&of_job[0], 0.0005) : (double)NAN;
    check(half < 0.01, "of jobs that were repeated many may change: %.2g %% could be noise",
          100 * half);
}

/* --- simulated runs --- */

enum { ROUNDS = 5, SAMPLES = 5, MOST_RUNS = 10 };

/* Standard deviations of the logarithm of a time; and the modes of some jobs: how far the second
 * one is, in which a run is with the probability of a half. */
static const struct sort_of_job {
    const char *name;
    size_t jobs, moded;
    double assumed, process, within, session, modes;
} sorts[] = {{"quiet", JOBS, 1, 0.004, 0.003, 0.003, 0.003, 0.04},
             {"noisy", 12, 2, 0.02, 0.02, 0.02, 0.02, 0.1}};

struct run {
    double medians[JOBS][ROUNDS];
};

/* A run of a kind's jobs, of which the first ones have modes. One sample in a hundred is slower by
 * an exponential of mean 5 %. */
static void simulate(const struct sort_of_job *sort, size_t moded, double slower, struct run *out)
{
    for (size_t j = 0; j < sort->jobs; j++) {
        const bool second = j < moded && uniform(5, draws++) < 0.5;
        const double session = sort->session * normal() + (second ? sort->modes : 0);
        for (int r = 0; r < ROUNDS; r++) {
            const double process = session + sort->process * normal();
            double samples[SAMPLES];
            for (int s = 0; s < SAMPLES; s++) {
                const double late =
                    uniform(7, draws++) < 0.01 ? -0.05 * log(1 - uniform(7, draws++)) : 0;
                samples[s] = slower * exp(process + sort->within * normal() + late);
            }
            out->medians[j][r] = quantile(samples, SAMPLES, 0.5);
        }
    }
}

static struct ratio ratio_of(const struct run *base, const struct run *now_, size_t job,
                             const struct noise *noise)
{
    return ratio_of_rounds(base->medians[job], ROUNDS, now_->medians[job], ROUNDS, noise);
}

static void add_differences(const struct sort_of_job *sort, const struct run *base,
                            const struct run *now_, bool unlike, struct difference *list)
{
    for (size_t j = 0; j < sort->jobs; j++) {
        const struct ratio r = ratio_of(base, now_, j, &no_noise);
        list[j] = (struct difference){j, log(r.value), r.error, unlike};
    }
}

/* A reference with so many runs before it, one of its own program or several of others, and then a
 * run that is slower, or not: how many jobs get a verdict. */
static int verdicts(const struct sort_of_job *sort, size_t moded, size_t earlier, double slower)
{
    static struct run runs[MOST_RUNS], now_;
    static struct difference list[MOST_RUNS * JOBS];
    const size_t before = earlier * sort->jobs;
    struct noise of_job[JOBS], of_kind;
    int found = 0;
    for (size_t i = 0; i <= earlier; i++)
        simulate(sort, moded, 1, &runs[i]);
    simulate(sort, moded, slower, &now_);
    for (size_t i = 0; i < earlier; i++)
        add_differences(sort, &runs[i], &runs[i + 1], earlier > 1, list + i * sort->jobs);
    add_differences(sort, &runs[earlier], &now_, true, list + before);
    if (!noise_fit((struct differences){list, before},
                   (struct differences){list + before, sort->jobs}, sort->jobs, sort->assumed,
                   of_job, &of_kind))
        return -1;
    for (size_t j = 0; j < sort->jobs; j++) {
        const enum change change = ratio_of(&runs[earlier], &now_, j, &of_job[j]).change;
        found += change == CHANGE_SLOWER || (slower == 1 && change == CHANGE_FASTER);
    }
    return found;
}

static double share_of_verdicts(const struct sort_of_job *sort, size_t moded, size_t earlier,
                                double slower, int runs)
{
    int found = 0;
    for (int i = 0; i < runs; i++)
        found += verdicts(sort, moded, earlier, slower);
    return (double)found / (runs * (double)sort->jobs);
}

static void test_rule(void)
{
    enum { RUNS = 200, SLOWER_RUNS = 25 };
    static const double slower[] = {1.02, 1.03, 1.05, 1.10};
    /* At least so much of them is found where none has modes: what was found, less a tenth. */
    static const struct {
        size_t earlier;
        double found[2][4];
    } cases[] = {{0, {{0, 0, 0.8, 0.99}, {0, 0, 0, 0}}},
                 {1, {{0.45, 0.84, 0.98, 0.99}, {0, 0, 0, 0}}},
                 {3, {{0.35, 0.82, 0.98, 0.99}, {0, 0, 0, 0}}},
                 {8, {{0.72, 0.95, 0.98, 0.99}, {0, 0, 0, 0.25}}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int k = 0; k < 2; k++)
            for (int with = 0; with < 2; with++) {
                const struct sort_of_job *const sort = &sorts[k];
                const size_t moded = with ? sort->moded : 0, earlier = cases[c].earlier;
                const double jobs = RUNS * (double)sort->jobs;
                const double wrong = share_of_verdicts(sort, moded, earlier, 1, RUNS);
                double found[4];
                bool enough = true;
                for (int s = 0; s < 4; s++) {
                    found[s] = share_of_verdicts(sort, moded, earlier, slower[s], SLOWER_RUNS);
                    enough = enough && (with || found[s] >= cases[c].found[k][s]);
                }
                /* four standard deviations of the count: one test point in 30 thousand errs */
                check(wrong >= 0 && wrong <= 0.01 + 4 * sqrt(0.01 * 0.99 / jobs),
                      "%zu runs before, %zu %s jobs, %zu with modes: %.2f %% of verdicts are false",
                      earlier, sort->jobs, sort->name, moded, 100 * wrong);
                check(enough, "of jobs 2, 3, 5, 10 %% slower %.0f, %.0f, %.0f, %.0f %% are found",
                      100 * found[0], 100 * found[1], 100 * found[2], 100 * found[3]);
            }
}

int main(void)
{
    test_half();
    test_fit();
    test_at_hand();
    test_common_part();
    test_rule();
    return done();
}
