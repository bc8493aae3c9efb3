/*
 * The regression rule on simulated times of identical and of slowed programs, with counts that a
 * binomial law allows; then whole comparisons, on folders of runs written here: verdicts, what has
 * no ratio and why, what gives which exit status.
 */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "base/record.h"
#include "base/statistics.h"
#include "compare/compare.h"
#include "compare/history.h"
#include "machine/facts.h"
#include "run/plan.h"
#include "run/rows.h"
#include "tap.h"

/* --- simulated times --- */

static uint64_t draws; /* so far */

static double normal(void)
{
    const double u = uniform(2026, draws++), v = uniform(2026, draws++);
    return sqrt(-2 * log(1 - u)) * cos(2 * acos(-1) * v);
}

struct deviations { /* standard deviations of the logarithm of a time */
    double process, within, session;
};

enum { ROUNDS = 7, SAMPLES = 7 };

/* ln t = session + process + within, and one sample in a hundred slower by an exponential of mean
 * 5 %: medians[rounds] of SAMPLES samples each. */
static void simulate(struct deviations noise, double seconds, double *medians, int rounds)
{
    const double session = noise.session * normal();
    for (int r = 0; r < rounds; r++) {
        const double process = noise.process * normal();
        double samples[SAMPLES];
        for (int s = 0; s < SAMPLES; s++) {
            const double late =
                uniform(7, draws++) < 0.01 ? -0.05 * log(1 - uniform(7, draws++)) : 0;
            samples[s] = seconds * exp(session + process + noise.within * normal() + late);
        }
        medians[r] = quantile(samples, SAMPLES, 0.5);
    }
}

static enum change simulated_change(struct deviations noise, double slower)
{
    double before[ROUNDS], after[ROUNDS];
    simulate(noise, 1e-3, before, ROUNDS);
    simulate(noise, 1e-3 * slower, after, ROUNDS);
    const struct noise known = noise_known(noise.session);
    return ratio_of_rounds(before, ROUNDS, after, ROUNDS, &known).change;
}

/* Four standard deviations of a count with this probability: one test point in 16 thousand errs. */
static double slack(double probability, int trials)
{
    return 4 * sqrt(probability * (1 - probability) * trials) + 1;
}

static void test_rule(void)
{
    enum { TRIALS = 4000 };
    static const double slowdowns[] = {1.03, 1.05, 1.10};
    /* found: at least this share of slowdowns, as the rule was designed to. */
    static const struct {
        struct deviations noise;
        double found[3];
    } models[] = {
        {{0.003, 0.003, 0}, {1, 1, 1}},           {{0.01, 0.01, 0}, {0.46, 0.98, 1}},
        {{0.003, 0.003, 0.007}, {0.45, 0.96, 1}}, {{0.003, 0.01, 0.007}, {0.38, 0.94, 1}},
        {{0.01, 0.01, 0.01}, {0.15, 0.57, 1}},
    };
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        const struct deviations noise = models[m].noise;
        char name[96];
        int wrong = 0, confirmed = 0;
        snprintf(name, sizeof name, "noise %g %% process, %g %% within, %g %% session",
                 100 * noise.process, 100 * noise.within, 100 * noise.session);
        for (int t = 0; t < TRIALS; t++) {
            const enum change change = simulated_change(noise, 1);
            const bool verdict = change == CHANGE_SLOWER || change == CHANGE_FASTER;
            wrong += verdict;
            confirmed += verdict && simulated_change(noise, 1) == change;
        }
        check(wrong <= 0.01 * TRIALS + slack(0.01, TRIALS),
              "%s: %d verdicts in %d on the same program, 1 %% is allowed", name, wrong, TRIALS);
        check(confirmed <= 1, "%s: %d of them confirmed", name, confirmed);
        for (int s = 0; s < 3; s++) {
            const double least = models[m].found[s] - 0.005; /* a percentage was rounded */
            int found = 0;
            for (int t = 0; t < TRIALS; t++)
                found += simulated_change(noise, slowdowns[s]) == CHANGE_SLOWER;
            check(found >= least * TRIALS - slack(least, TRIALS),
                  "%s: %g %% slower is found in %d of %d, designed for %g %%", name,
                  100 * (slowdowns[s] - 1), found, TRIALS, 100 * least);
        }
    }
    int same = 0;
    for (int t = 0; t < TRIALS; t++)
        same += simulated_change((struct deviations){0.003, 0.003, 0.007}, 1) == CHANGE_SAME;
    /* A deviation of 1 % of the ratio, an interval of 2.7 % to either side: 5 % leave 2.2 of them.
     */
    check(same >= 0.96 * TRIALS, "small noise: %d of %d times the same program is SAME", same,
          TRIALS);
}

/* Rounds of which one in six is slower by 6 %, as a whole process may be. */
static void simulate_modes(double deviation, double slower, double *medians, int rounds)
{
    for (int r = 0; r < rounds; r++)
        medians[r] = slower * exp(deviation * normal() + (uniform(7, draws++) < 1. / 6 ? 0.06 : 0));
}

static int found_in_turns(int rounds, double slower, const struct noise *noise, bool faster)
{
    enum { TRIALS = 4000, MOST = 40 };
    double before[MOST], after[MOST];
    int found = 0;
    for (int t = 0; t < TRIALS; t++) {
        simulate_modes(0.003, 1, before, rounds);
        simulate_modes(0.003, slower, after, rounds);
        const enum change change = ratio_of_rounds(before, rounds, after, rounds, noise).change;
        found += change == CHANGE_SLOWER || (faster && change == CHANGE_FASTER);
    }
    return found;
}

/* What took turns has an interval by ranks, too. */
static void test_turns(void)
{
    enum { TRIALS = 4000 };
    for (int rounds = 5; rounds <= 40; rounds += 7) {
        const int wrong = found_in_turns(rounds, 1, NULL, true);
        check(wrong <= 0.01 * TRIALS + slack(0.01, TRIALS),
              "modes, %d rounds in turns: %d verdicts in %d on the same program", rounds, wrong,
              TRIALS);
    }
    const int found = found_in_turns(20, 1.02, NULL, false);
    const int by_means = found_in_turns(20, 1.02, &no_noise, false);
    check(found >= 0.9 * TRIALS - slack(0.9, TRIALS) && by_means < 0.6 * TRIALS,
          "2 %% by ranks, of 20 rounds with modes: %d of %d, by means %d", found, TRIALS, by_means);
    /* Of 36 differences two at either end are outside: U <= 1 comes in 2 of 924 orders. */
    const double before[] = {1, 1.001, 1.002, 1.003, 1.004, 1.005};
    double after[] = {1.02, 1.021, 1.022, 1.023, 1.024, 1.001};
    struct ratio r = ratio_of_rounds(before, 6, after, 6, NULL);
    check(
        fabs(r.ci_lo - 1.001 / 1.004) < 1e-12 && fabs(r.ci_hi - 1.023 / 1) < 1e-12,
        "the interval of six and six is from the third difference to the last but two: %.17g %.17g",
        r.ci_lo, r.ci_hi);
    after[5] = 1.5;
    r = ratio_of_rounds(before, 6, after, 6, NULL);
    check(r.change == CHANGE_SLOWER && r.value < 1.025, "of one that is far off it is not wide");
    after[5] = NAN;
    r = ratio_of_rounds(before, 6, after, 6, NULL);
    check(r.change == CHANGE_UNCLEAR && isnan(r.ci_lo), "nor is it there if one is no number");
}

/* --- looks --- */

/* Standard deviation of the logarithm of a round, and by how much one in six is slower. */
struct rounds_noise {
    double deviation, mode;
};

static void simulate_rounds(struct rounds_noise noise, double slower, double *medians)
{
    for (int r = 0; r < MOST_FURTHER; r++)
        medians[r] = slower * exp(noise.deviation * normal() +
                                  (uniform(7, draws++) < 1. / 6 ? noise.mode : 0));
}

enum { IS_SAME, IS_FASTER, IS_SLOWER, IS_CONFIRMED, IS_UNCLEAR, VERDICTS };

/* What `compare --confirm --budget --against` does with a job, if it has all the time: two runs of
 * six rounds, looks at rounds in turns while that is in doubt, and if it is slower looks at others
 * that confirm it. */
static int looked_for(struct rounds_noise noise, double slower, int looks)
{
    enum { FIRST = 6 };
    static const int plain[] = {[CHANGE_SAME] = IS_SAME,
                                [CHANGE_FASTER] = IS_FASTER,
                                [CHANGE_SLOWER] = IS_SLOWER,
                                [CHANGE_UNCLEAR] = IS_UNCLEAR};
    const double between = 0.0025; /* the noise from run to run, which is known */
    const struct noise known = noise_known(between);
    double before[MOST_FURTHER], after[MOST_FURTHER];
    simulate_rounds(noise, exp(between * normal()), before);
    simulate_rounds(noise, slower * exp(between * normal()), after);
    struct ratio first = ratio_of_rounds(before, FIRST, after, FIRST, &known), now_ = first;
    int rounds = FIRST, wanted = rounds_of_look(before, FIRST, after, FIRST, &first, false, 0);
    simulate_rounds(noise, 1, before);
    simulate_rounds(noise, slower, after);
    for (int look = 0; wanted > 0 && look < looks; look++) {
        const size_t n = (size_t)wanted;
        const struct ratio ratio = ratio_of_looks(before, n, after, n);
        if (ratio.change != CHANGE_UNCLEAR || first.change == CHANGE_UNCLEAR) {
            now_ = ratio;
            rounds = wanted;
        } else {
            now_ = first;
        }
        wanted = look + 1 < LOOKS ? rounds_of_look(before, n, after, n, &ratio, true, look + 1) : 0;
    }
    int verdict = plain[now_.change];
    simulate_rounds(noise, 1, before);
    simulate_rounds(noise, slower, after);
    for (int look = 0; verdict == IS_SLOWER && rounds > 0 && look < LOOKS; look++) {
        const size_t n = (size_t)rounds;
        const struct ratio again = ratio_of_rounds(before, n, after, n, NULL);
        const int more = rounds_to_confirm(before, n, after, n, &again, now_.value);
        verdict = confirms(&again, now_.value) ? IS_CONFIRMED : IS_SLOWER;
        rounds = more > rounds ? more : 0;
    }
    return verdict;
}

static void count_looks(struct rounds_noise noise, double slower, int looks, int trials,
                        int count[VERDICTS])
{
    memset(count, 0, VERDICTS * sizeof *count);
    for (int t = 0; t < trials; t++)
        count[looked_for(noise, slower, looks)]++;
}

static void test_looks(void)
{
    enum { TRIALS = 2000, SLOWER_TRIALS = 250 };
    static const double slower[] = {1.02, 1.03, 1.05, 1.10};
    /* confirmed: at least so many of 100 are, what was found, less a tenth. */
    static const struct {
        struct rounds_noise noise;
        double confirmed[4];
    } models[] = {
        {{0.003, 0}, {0.90, 0.90, 0.90, 0.90}},   {{0.01, 0}, {0.83, 0.90, 0.90, 0.90}},
        {{0.02, 0}, {0.50, 0.85, 0.90, 0.90}},    {{0.003, 0.05}, {0.73, 0.85, 0.90, 0.90}},
        {{0.01, 0.05}, {0.63, 0.83, 0.90, 0.90}}, {{0.003, 0.10}, {0.83, 0.85, 0.85, 0.90}}};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        const struct rounds_noise noise = models[m].noise;
        const char *const name = internf("rounds deviate by %g %%, one in six %g %% slower",
                                         100 * noise.deviation, 100 * noise.mode);
        int count[VERDICTS];
        count_looks(noise, 1, LOOKS, TRIALS, count);
        check(count[IS_FASTER] <= 0.01 * TRIALS + slack(0.01, TRIALS) &&
                  count[IS_SLOWER] <= 0.01 * TRIALS + slack(0.01, TRIALS) &&
                  count[IS_CONFIRMED] <= 0.001 * TRIALS,
              "%s: of %d equal ones %d FASTER, %d SLOWER, %d CONFIRMED, %d UNCLEAR after all looks",
              name, TRIALS, count[IS_FASTER], count[IS_SLOWER], count[IS_CONFIRMED],
              count[IS_UNCLEAR]);
        count_looks(noise, 1.055, LOOKS, TRIALS, count);
        check(count[IS_SAME] <= 0.01 * TRIALS + slack(0.01, TRIALS) && count[IS_FASTER] <= 1,
              "%s: of %d that are 5.5 %% slower %d SAME, %d FASTER", name, TRIALS, count[IS_SAME],
              count[IS_FASTER]);
        for (int s = 0; s < 4; s++) {
            const double least = models[m].confirmed[s];
            int one[VERDICTS];
            count_looks(noise, slower[s], LOOKS, SLOWER_TRIALS, count);
            count_looks(noise, slower[s], 1, SLOWER_TRIALS, one);
            check(count[IS_CONFIRMED] >= least * SLOWER_TRIALS && count[IS_FASTER] <= 1 &&
                      count[IS_UNCLEAR] <= one[IS_UNCLEAR],
                  "%s: %g %% slower: %d of %d CONFIRMED, %d SLOWER, %d SAME, %d UNCLEAR; by one "
                  "look %d, %d, %d, %d",
                  name, 100 * (slower[s] - 1), count[IS_CONFIRMED], SLOWER_TRIALS, count[IS_SLOWER],
                  count[IS_SAME], count[IS_UNCLEAR], one[IS_CONFIRMED], one[IS_SLOWER],
                  one[IS_SAME], one[IS_UNCLEAR]);
        }
    }
}

static void test_edges_of_looks(void)
{
    double before[MOST_FURTHER], after[MOST_FURTHER];
    for (int r = 0; r < MOST_FURTHER; r++) {
        before[r] = r % 2 == 0 ? 1.02 : 1 / 1.02;
        after[r] = 0.975 * before[r];
    }
    /* Of equally many rounds that deviate equally, Student's quantiles, of 8 degrees of freedom. */
    const struct ratio one = ratio_of_rounds(before, 5, after, 5, NULL),
                       looks = ratio_of_looks(before, 5, after, 5);
    check(fabs(looks.of_rounds / one.of_rounds - 4.12236 / 3.35539) < 1e-4,
          "a third of what is outside 99 %% is outside the interval of a look");
    struct ratio r = ratio_of_looks(before, 6, after, 6);
    check(r.change == CHANGE_UNCLEAR, "6 rounds of 2.5 %% less that deviate by 2 %%: unclear");
    const int tell = rounds_to_tell_by_looks(before, 6, after, 6, false);
    check(tell > 15 && tell < MOST_FURTHER &&
              tell > rounds_to_tell(before, 6, after, 6, NULL, true, false),
          "what is faster takes more rounds by looks: %d", tell);
    check(rounds_of_look(before, 6, after, 6, &r, false, 0) == MOST_FURTHER / 4,
          "the first look has a quarter of the most");
    check(rounds_of_look(before, 6, after, 6, &r, true, LOOKS - 1) == tell,
          "the last one as many as would tell");
    check(rounds_of_look(before, tell - 2, after, tell - 2, &r, true, LOOKS - 1) ==
              (2 * (tell - 2) < MOST_FURTHER ? 2 * (tell - 2) : MOST_FURTHER),
          "twice as many as there were at least");
    r = ratio_of_looks(before, MOST_FURTHER, after, MOST_FURTHER);
    check(r.change == CHANGE_FASTER &&
              rounds_of_look(before, MOST_FURTHER, after, MOST_FURTHER, &r, true, 1) == 0,
          "what is told needs none");
    r = ratio_of_looks(after, 9, before, 9);
    const struct ratio slower = ratio_of_rounds(after, 9, before, 9, NULL);
    check(slower.change != CHANGE_SLOWER || (r.change == CHANGE_SLOWER && r.ci_lo == slower.ci_lo),
          "what is slower is so by the interval of one look");
    check(rounds_to_confirm(after, 6, before, 6, &(struct ratio){.value = 1.03, .ci_hi = 1.01},
                            1.03) == 0,
          "what cannot be half as much slower is not looked at again");
    check(rounds_to_confirm(after, 12, before, 12, &(struct ratio){.value = 1.01, .ci_hi = 1.03},
                            1.05) >= 24,
          "what can is, by twice the rounds");
}

static void test_edges_of_rule(void)
{
    const double before[] = {1, 1, 1, 1, 1, 1, 1}, after[] = {1.02, 1.02, 1.02, 1.02},
                 bad[] = {1, NAN, 1, 1, 1};
    const struct noise known = noise_known(0.007);
    struct ratio r = ratio_of_rounds(before, 7, after, 4, &no_noise);
    check(r.change == CHANGE_SLOWER && fabs(r.value - 1.02) < 1e-12 && r.of_rounds == 0,
          "rounds without noise, 7 and 4 of them: 2 %% is slower");
    r = ratio_of_rounds(after, 4, before, 7, &no_noise);
    check(r.change == CHANGE_FASTER, "the other way round it is faster");
    r = ratio_of_rounds(before, 7, after, 4, &known);
    check(r.change == CHANGE_SAME && fabs(r.of_noise - 0.0255) < 1e-4,
          "2 %% lies within a noise of 0.7 %% from run to run, and within 5 %%: the same");
    r = ratio_of_rounds(before, 7, after, 2, &no_noise);
    check(r.change == CHANGE_UNCLEAR && isnan(r.ci_lo), "two rounds never have a verdict");
    r = ratio_of_rounds(before, 7, after, 0, &no_noise);
    check(r.change == CHANGE_UNCLEAR && isnan(r.value), "no round: no ratio");
    r = ratio_of_rounds(before, 7, bad, 5, &no_noise);
    check(r.change == CHANGE_UNCLEAR, "a round that is no number: no verdict");
}

/* Welch's interval covers the true ratio in 99 % of trials, with unlike noise and rounds too. */
static void test_interval(void)
{
    enum { TRIALS = 4000 };
    int covered = 0;
    for (int t = 0; t < TRIALS; t++) {
        double before[5], after[9];
        for (int r = 0; r < 5; r++)
            before[r] = exp(0.01 * normal());
        for (int r = 0; r < 9; r++)
            after[r] = 1.1 * exp(0.03 * normal());
        const struct ratio ratio = ratio_of_rounds(before, 5, after, 9, &no_noise);
        covered += ratio.ci_lo <= 1.1 && 1.1 <= ratio.ci_hi;
    }
    check(fabs(covered - 0.99 * TRIALS) <= slack(0.99, TRIALS),
          "the interval covers the ratio in %d of %d, 99 %% are meant", covered, TRIALS);
}

/* --- folders of runs --- */

static char scratch[] = "/tmp/reprise-compare-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s/%s", scratch, folder, name);
    if (write_file(path, text, strlen(text)) != OK)
        fprintf(stderr, "%s\n", reason());
}

struct fake { /* a run as it might have been */
    const char *name;
    double slower; /* its times */
    const char *facts, *status;
    double clock; /* of the device, relative; 0: not read */
    int rounds, batch;
};

static const char reference_facts[] =
    "schema,1\ncommit,0123456\ndirty,0\nbuild_type,release\ndevice,cuda\ngpu_name,Card\n"
    "size,paper\nrounds,7\nsamples,7\nfingerprint,f1\nexhibits,trial-good\nend,now\n";

static double noise_of_fakes = 0.002;

/* Two jobs of the trial, 1 and 4 ms, with such noise; the second one as the fake says. */
static void put_run(const struct fake *fake)
{
    struct text samples = {0}, measured = {0}, facts = {0};
    text_add(&samples, "%s", samples_header);
    text_add(&measured, "%s", measured_header);
    text_add(&facts, "%s%s%s", facts_header, reference_facts, fake->facts);
    for (int job = 0; job < 2; job++) {
        char key[64];
        double medians[ROUNDS];
        const char *status = job == 1 ? fake->status : "ok";
        const double seconds = job == 1 ? 4e-3 * fake->slower : 1e-3;
        const double clock = job == 1 && fake->clock > 0 ? fake->clock : 1;
        snprintf(key, sizeof key, "trial-good,sums,%s,double,Card,1000",
                 job == 1 ? "slow" : "good");
        for (int r = 0; r < fake->rounds; r++) {
            simulate((struct deviations){noise_of_fakes, noise_of_fakes, 0}, seconds, medians + r,
                     1);
            text_add(&samples, "%s,%d,0,time,%.17g,s,\n", key, r + 1, medians[r]);
            text_add(&samples, "%s,%d,0,batch,%d,1,\n", key, r + 1, job == 1 ? fake->batch : 1);
            if (fake->clock > 0)
                text_add(&samples, "%s,%d,0,clock,%g,MHz,\n", key, r + 1, 1500 * clock);
            text_add(&samples, "%s,%d,0,status,,,%s\n", key, r + 1, status);
        }
        const struct estimate e = estimate_rounds(medians, (size_t)fake->rounds);
        if (strcmp(status, "ok") == 0) {
            text_add(&measured, "%s,time,value,%.17g,s,\n", key, e.value);
            if (fake->rounds >= 3)
                text_add(&measured, "%s,time,ci_lo,%.17g,s,\n%s,time,ci_hi,%.17g,s,\n", key,
                         e.ci_lo, key, e.ci_hi);
        }
        text_add(&measured, "%s,bytes,model,4e6,B,\n%s,status,value,,,%s\n", key, key, status);
    }
    mkdir(path_of(fake->name), 0755);
    put(fake->name, "samples.csv", samples.data);
    put(fake->name, "measured.csv", measured.data);
    put(fake->name, "run.csv", facts.data);
    text_free(&samples);
    text_free(&measured);
    text_free(&facts);
}

/* What the comparison prints goes to the file `out`. */
static int compare_named(const char *base, const char *now_, struct compare_options options)
{
    options.base = base;
    options.now = now_;
    if (options.format == NULL)
        options.format = "text";
    if (options.gate == NULL)
        options.gate = "wrong,differs,slower";
    fflush(stdout);
    const int saved = dup(STDOUT_FILENO);
    const int file = open(path_of("out"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(file, STDOUT_FILENO);
    close(file);
    const int status = compare_runs(&options);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    return status;
}

static int compare(const char *base, const char *now_, struct compare_options options)
{
    char bases[256], nows[256];
    snprintf(bases, sizeof bases, "%s", path_of(base));
    snprintf(nows, sizeof nows, "%s", path_of(now_));
    return compare_named(bases, nows, options);
}

/* A line of what was printed begins like this and has that in it. */
static bool printed(const char *begin, const char *words)
{
    char line[2048];
    bool found = false;
    FILE *file = fopen(path_of("out"), "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        found = found || (strncmp(line, begin, strlen(begin)) == 0 && strstr(line, words) != NULL);
    if (file != NULL)
        fclose(file);
    return found;
}

static const char slow_job[] = "trial-good/sums/slow", good_job[] = "trial-good/sums/good";

static void test_verdicts(void)
{
    static const struct {
        struct fake now;
        const char *verdict, *words;
        int exit_status;
    } cases[] = {
        {{"same", 1, "", "ok", 0, 7, 1}, "SAME", "", 0},
        {{"slower", 1.05, "", "ok", 0, 7, 1}, "SLOWER", "not confirmed yet", 0},
        {{"faster", 0.95, "", "ok", 0, 7, 1}, "FASTER", "", 0},
        {{"one-round", 1.5, "", "ok", 0, 1, 1}, "UNCLEAR", "fewer than 3 rounds", 0},
        {{"batched", 1.05, "", "ok", 0, 7, 9}, "not compared", "in batches on one side", 0},
        {{"clock", 1.05, "", "ok", 1 / 1.05, 7, 1}, "CLOCK", "not in clock cycles", 0},
        {{"slower-clock-same", 1.05, "", "ok", 1, 7, 1}, "SLOWER", "", 0},
        {{"same-code", 1.05, "code,c0de\n", "ok", 0, 7, 1}, "ENVIRONMENT", "machine code", 0},
        {{"other-code", 1.05, "code,c0d3\n", "ok", 0, 7, 1}, "SLOWER", "", 0},
        {{"wrong", 0.5, "", "wrong: error 1", 0, 7, 1}, "WRONG", "NEW: wrong: error 1", 1},
        {{"crashed", 1, "", "crashed: signal 11", 0, 7, 1}, "WRONG", "crashed", 1},
        {{"timeout", 1, "", "timeout: no answer", 0, 7, 1}, "WRONG", "timeout", 1},
        {{"skipped", 1, "", "skipped: 9 GiB needed", 0, 7, 1}, "MISSING", "NEW: skipped: 9", 0},
        {{"emulated", 1, "", "emulated", 0, 7, 1}, "not compared", "NEW: emulated", 0},
        {{"impossible", 0.1, "", "impossible: 1 s", 0, 7, 1}, "WRONG", "impossible", 1},
    };
    put_run(&(struct fake){"base", 1, "code,c0de\n", "ok", 1, 7, 1});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_run(&cases[i].now);
        const char *name = cases[i].now.name;
        const int status = compare("base", name, (struct compare_options){.noise = 0.007});
        check(status == cases[i].exit_status, "%s: exit status %d", name, cases[i].exit_status);
        check(printed(slow_job, cases[i].verdict) && printed(slow_job, cases[i].words),
              "%s: %s, %s", name, cases[i].verdict, cases[i].words);
        check(printed(good_job, cases[i].now.rounds < 3 ? "UNCLEAR" : "SAME"),
              "%s: the other job is the same", name);
        const bool interval = !printed(slow_job, "  -  ");
        check(interval == (strcmp(cases[i].now.status, "ok") == 0 && cases[i].now.batch == 1 &&
                           cases[i].now.rounds > 2),
              "%s: an interval where both sides have times, and nowhere else", name);
    }
}

static void test_confirmation(void)
{
    const struct compare_options plain = {.noise = 0.007};
    put_run(&(struct fake){"slower/confirmation", 1.05, "", "ok", 0, 7, 1});
    check(compare("base", "slower", plain) == 3 && printed(slow_job, "CONFIRMED"),
          "slower again in the run of its own: CONFIRMED, exit status 3");
    check(compare("base", "slower",
                  (struct compare_options){.noise = 0.007, .gate = "wrong,differs"}) == 0,
          "the gate decides what gives a bad status");
    put_run(&(struct fake){"slower/confirmation", 1, "", "ok", 0, 7, 1});
    check(compare("base", "slower", plain) == 0 && printed(slow_job, "not confirmed"),
          "not slower when run again: no bad status");
    put_run(&(struct fake){"slower/confirmation", 1.05, "", "wrong: again", 0, 7, 1});
    check(compare("base", "slower", plain) == 0, "wrong when run again confirms nothing");
}

static void test_other_runs(void)
{
    const struct compare_options plain = {.noise = 0.007};
    static const struct {
        const char *name, *facts, *words;
    } weak[] = {
        {"dirty", "dirty,1\n", "BASE is no reference: its sources differ"},
        {"small", "size,quick\n", "BASE is no reference: its sizes"},
        {"quick", "rounds,1\n", "BASE is no reference: it has fewer than 3 rounds"},
        {"debug", "build_type,debug\n", "BASE is no reference: its program"},
        {"cut", "end,\n", "BASE is no reference: it is interrupted after 7 of 7 rounds"},
    };
    for (size_t i = 0; i < sizeof weak / sizeof *weak; i++) {
        put_run(&(struct fake){weak[i].name, 0.5, weak[i].facts, "ok", 0, 7, 1});
        check(compare(weak[i].name, "same", plain) == 0 && printed("one machine", weak[i].words) &&
                  printed(slow_job, "compared") && !printed(slow_job, "SLOWER"),
              "%s: said, and twice its time is no verdict", weak[i].name);
    }
    put_run(&(struct fake){"elsewhere", 0.1, "fingerprint,f2\n", "ok", 0, 7, 1});
    check(compare("base", "elsewhere", plain) == 0 && printed("unlike machines", "no verdict") &&
              (printed(slow_job, " 10") || printed(slow_job, " 9.9")) &&
              !printed(slow_job, "FASTER"),
          "another machine: ten times as fast, and no verdict");
    check(compare("elsewhere", "wrong", plain) == 1 && printed(slow_job, "WRONG"),
          "wrong is wrong on another machine too");
    check(compare("base", "slower",
                  (struct compare_options){.noise = 0.007, .format = "markdown"}) == 0 &&
              printed("| trial-good/sums/slow", "| SLOWER |"),
          "a Markdown table");
    check(compare("base", "same", (struct compare_options){.noise = 0.05}) == 0 &&
              printed("one machine", "5 %") && printed(slow_job, "UNCLEAR") &&
              printed(slow_job, "noise from run to run"),
          "more noise from run to run makes it unclear");
    const struct compare_options unknown = {.noise = NAN};
    put_run(&(struct fake){"turn-base", 1, "turns,1\n", "ok", 0, 7, 1});
    put_run(&(struct fake){"turn", 1.02, "turns,1\n", "ok", 0, 7, 1});
    check(compare("turn-base", "turn", unknown) == 0 && printed("one machine", "took turns") &&
              printed(slow_job, "SLOWER"),
          "2 %% are found where rounds took turns");
    put_run(&(struct fake){"turn/confirmation", 1.02, "", "ok", 0, 7, 1});
    check(compare("turn-base", "turn", unknown) == 0 && printed(slow_job, "not confirmed"),
          "and not confirmed by a run that comes later, alone");
    put_run(&(struct fake){"turn/confirmation/base", 1, "", "ok", 0, 7, 1});
    check(compare("turn-base", "turn", unknown) == 3 && printed(slow_job, "CONFIRMED"),
          "but by one that takes turns, too");
    put_run(&(struct fake){"turn/confirmation/base", 1.02, "", "ok", 0, 7, 1});
    check(compare("turn-base", "turn", unknown) == 0 && printed(slow_job, "not confirmed"),
          "unless BASE is as slow there");
    put_run(&(struct fake){"newer", 1, "schema,2\n", "ok", 0, 7, 1});
    check(compare("base", "newer", plain) == 2, "a newer schema is refused");
    check(compare("base", "nowhere", plain) == 1, "a folder that is not there");
    check(compare("base", "same",
                  (struct compare_options){.selection = {.globs = {"bvp*"}, .glob_count = 1}}) == 2,
          "a selection of nothing");
    check(compare("base", "same",
                  (struct compare_options){
                      .noise = 0.007, .selection = {.globs = {"*/good/*"}, .glob_count = 1}}) ==
                  0 &&
              printed(good_job, "SAME") && !printed(slow_job, ""),
          "a selection of one job");
}

/* References in a folder of their own, a day apart, that take by turns so much longer. */
static void put_references(const char *folder, int count, double longer)
{
    mkdir(path_of(folder), 0755);
    for (int i = 0; i < count; i++) {
        char name[64], facts[64];
        snprintf(name, sizeof name, "%s/%d", folder, i);
        snprintf(facts, sizeof facts, "start,2026-01-0%d\n", i + 1);
        put_run(&(struct fake){name, i % 2 == 0 ? 1 : longer, facts, "ok", 0, 7, 1});
    }
}

static void test_noise(void)
{
    const struct compare_options unknown = {.noise = NAN};
    static const char line[] = "noise from run to run of 2 jobs bound by the host's cores";
    put_run(&(struct fake){"now", 1.05, "", "ok", 0, 7, 1});
    put_references("one", 1, 1);
    check(compare("one/0", "now", unknown) == 0 && printed(line, "assumed") &&
              printed(slow_job, "UNCLEAR") && printed(slow_job, "noise from run to run"),
          "of one reference the noise is not known");
    put_references("many", 7, 1);
    check(compare("many/6", "now", unknown) == 0 &&
              printed(line, "from 12 differences of runs, of 2 jobs") &&
              printed(slow_job, "SLOWER"),
          "seven that agree make 5 %% a change");
    put_references("two", 7, 1.08);
    check(compare("two/6", "now", unknown) == 0 && printed(line, "from 12 differences") &&
              printed(slow_job, "UNCLEAR") && printed(good_job, "SAME"),
          "where they are 8 %% apart it is none, and the other job is not blinded");
    char dir[300];
    snprintf(dir, sizeof dir, "newest:%s", path_of("many"));
    put_run(&(struct fake){"many/8", 1, "start,2026-01-09\ndirty,1\n", "ok", 0, 7, 1});
    char now_[256];
    snprintf(now_, sizeof now_, "%s", path_of("now"));
    check(compare_named(dir, now_, unknown) == 0 && printed("BASE", "many/6: ") &&
              printed(slow_job, "SLOWER"),
          "the newest of them is BASE, the others say what the noise is");
    put_run(&(struct fake){"one/0/self", 1, "", "ok", 0, 7, 1});
    check(compare("one/0", "now", unknown) == 0 && printed(line, "from 2 differences"),
          "a run's own repetition says something, too");
    check(compare("one/0", "one/0/self", unknown) == 0 && printed(line, "assumed"),
          "nothing of itself");
}

/* More rounds of an unclear job, alone and with BASE's by turns. */
static void test_more_rounds(void)
{
    const struct compare_options wide = {.noise = 0.1}, none_ = {.noise = 0};
    put_run(&(struct fake){"few", 1, "", "ok", 0, 3, 1});
    check(
        compare("base", "few", wide) == 0 && printed(slow_job, "UNCLEAR") &&
            printed(slow_job, "no number of rounds would tell: the noise from run to run is 10 %"),
        "where the noise is what keeps it unclear, that is said");
    put_run(&(struct fake){"few/more", 1.1, "", "ok", 0, 7, 1});
    check(compare("base", "few", none_) == 0 &&
              (printed(slow_job, " 1.07 ") || printed(slow_job, " 1.069 ") ||
               printed(slow_job, " 1.068 ")),
          "seven rounds that take 10 %% longer, behind three: 6.9 %%");
    put_run(&(struct fake){"few/more/base", 1, "", "ok", 0, 7, 1});
    check(compare("base", "few", wide) == 0 && printed(slow_job, "SLOWER") &&
              (printed(slow_job, " 1.1 ") || printed(slow_job, " 1.10") ||
               printed(slow_job, " 1.09")),
          "by turns there is no noise from run to run");
    put_run(&(struct fake){"alike", 1.02, "", "ok", 0, 7, 1});
    const struct compare_options usual = {.noise = 0.007};
    check(compare("base", "alike", usual) == 0 && printed(slow_job, "SAME"), "2 %%: the same");
    noise_of_fakes = 0.1;
    put_run(&(struct fake){"alike/more", 1.02, "", "ok", 0, 3, 1});
    put_run(&(struct fake){"alike/more/base", 1, "", "ok", 0, 3, 1});
    noise_of_fakes = 0.002;
    check(compare("base", "alike", usual) == 0 && printed(slow_job, "SAME"),
          "three rounds in turns that deviate by 10 %% do not make it unclear");
    put_run(&(struct fake){"alike/more", 1.02, "", "ok", 0, 5, 1});
    put_run(&(struct fake){"alike/more/base", 1, "", "ok", 0, 5, 1});
    check(compare("base", "alike", usual) == 0 && printed(slow_job, "SLOWER"),
          "five that deviate by little make it slower");
}

static void test_rounds_to_tell(void)
{
    double before[200], after[200];
    for (int i = 0; i < 200; i++) {
        before[i] = i % 2 == 0 ? 1.02 : 1 / 1.02;
        after[i] = 1.03 * before[i];
    }
    const struct noise little = noise_known(0.002), much = noise_known(0.05);
    const int each = rounds_to_tell(before, 4, after, 4, &little, true, false);
    const int alone = rounds_to_tell(before, 40, after, 4, &little, false, false);
    check(each > 8 && each < 100 &&
              ratio_of_rounds(before, (size_t)each / 2 * 2 - 4, after, (size_t)each / 2 * 2 - 4,
                              &little)
                      .change == CHANGE_UNCLEAR &&
              ratio_of_rounds(before, (size_t)each / 2 * 2 + 4, after, (size_t)each / 2 * 2 + 4,
                              &little)
                      .change == CHANGE_SLOWER,
          "3 %% with rounds that deviate by 2 %% need %d rounds of each", each);
    check(alone > 4 && alone < each, "fewer, %d, where the other side has 40", alone);
    check(rounds_to_tell(before, 4, after, 4, &much, true, false) == 0,
          "no number, where the noise from run to run is 5 %%");
    check(rounds_to_tell(before, 4, after, 200, &no_noise, false, false) > MOST_ROUNDS_TO_TELL,
          "nor of one side, where the other has too few");
    check(rounds_to_tell(before, 2, after, 9, &little, false, false) == 3, "three at least");
    for (int i = 0; i < 200; i++)
        after[i] = 1.02 * before[i];
    const int same = rounds_to_tell(before, 10, after, 10, &no_noise, true, false);
    const int apart = rounds_to_tell(before, 10, after, 10, &no_noise, true, true);
    check(apart > same && apart < 60, "2 %% apart: that is told by %d rounds, within 5 %% by %d",
          apart, same);
}

/* On the trial's Machine, of 1 GB/s, its paper prints 1 and 4 ms for jobs that move 4 MB. */
static void test_published(void)
{
    const struct compare_options plain = {.noise = 0.007};
    struct text samples = {0};
    put_run(&(struct fake){"now", 0.5, "fingerprint,f9\n", "ok", 0, 7, 1});
    text_add(&samples, "%s/now", scratch);
    check(compare_named("published:Machine", samples.data, plain) == 0 &&
              printed("BASE published:Machine, of 1999", "1 GB/s by its data sheet") &&
              printed("unlike machines", ""),
          "a published machine and its data sheet");
    check(printed(good_job, "  0.001 ") && printed(good_job, " 4 "),
          "4 MB in 1 ms are 4 times what the data sheet's 1 GB/s allows");
    check(
        (printed(slow_job, "   2  ") || printed(slow_job, " 2.00") || printed(slow_job, " 1.99")) &&
            printed(slow_job, " 1  ") && !printed(slow_job, "FASTER"),
        "half of the printed time is twice as fast, without a verdict");
    check(compare_named("published:machine", samples.data, plain) == 0, "capitals do not matter");
    check(compare_named("published:Other", samples.data, plain) == 2,
          "a machine of which no time is printed");
    check(compare_named("published:Nothing", samples.data, plain) == 2, "an unknown machine");
    check(compare_named(samples.data, "published:Machine", plain) == 2, "only BASE is published");
    text_free(&samples);
}

/* A job that NEW did not come to: no ratio, and a bad status where that is asked for. */
static void test_missing(void)
{
    struct csv *csv = NULL;
    struct text text = {0};
    put_run(&(struct fake){"killed", 1, "", "ok", 0, 7, 1});
    if (!check(csv_load(path_of("killed/measured.csv"), measured_header, &csv) == OK, "a run"))
        return;
    text_add(&text, "%s", measured_header);
    for (size_t i = 0; i < csv_rows(csv); i++)
        for (int c = 0; c < 11 && strcmp(csv_row(csv, i)->field[2], "slow") != 0; c++)
            text_field(&text, csv_row(csv, i)->field[c], c < 10 ? ',' : '\n');
    put("killed", "measured.csv", text.data);
    text_free(&text);
    csv_free(csv);
    check(compare("base", "killed", (struct compare_options){.noise = 0.007}) == 0 &&
              printed(slow_job, "MISSING") && printed(slow_job, "  -  "),
          "a job that was cut off is missing, without a ratio");
    check(compare("base", "killed", (struct compare_options){.noise = 0.007, .gate = "missing"}) ==
              1,
          "missing gives status 1 if it is asked for");
    check(compare("killed", "base", (struct compare_options){.noise = 0.007}) == 0 &&
              printed(slow_job, "added"),
          "a new job is not compared");
    unlink(path_of("same/samples.csv"));
    check(compare("base", "same", (struct compare_options){.noise = 0.007}) == 0 &&
              printed(slow_job, "kept no samples") && printed(slow_job, "compared"),
          "without samples there is a ratio and no verdict");
}

int main(void)
{
    test_rule();
    test_edges_of_rule();
    test_interval();
    test_rounds_to_tell();
    if (check(mkdtemp(scratch) != NULL, "a scratch folder")) {
        test_verdicts();
        test_confirmation();
        test_other_runs();
        test_noise();
        test_more_rounds();
        test_published();
        test_missing();
    }
    test_turns(); /* the last ones: what the others draw is the same without them */
    test_edges_of_looks();
    test_looks();
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    if (system(command) != 0) /* NOLINT(cert-env33-c): a name of our own */
        fprintf(stderr, "%s stays\n", scratch);
    return done();
}
