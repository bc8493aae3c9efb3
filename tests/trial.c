/*
 * Families and a paper for the tests of the harness, instead of registry.c: one problem whose
 * answer is exact, variants that cheat, crash, hang or fail, and printed values for every verdict.
 */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/core.h"
#include "base/embedded.h"
#include "machine/ranks.h"
#include "machine/timing.h"

/* --- the problem: running sums of random whole numbers, exact in double in any order --- */

static const struct parameter parameters[] = {
    {"n", INTEGER, 1000, 1, 0x1p24, NULL, "numbers"},
    {"passes", INTEGER, 4, 1, 100, NULL, "how often `slow` does all of it"},
    {"kind", CHOICE, 0, 0, 1, "plain|other", "has no effect"},
    RANKS_PARAMETER,
    {.name = NULL},
};

struct sums {
    uint64_t seed;
    size_t n;
};

static enum status sums_create(struct instance *in)
{
    struct sums *s = calloc(1, sizeof *s);
    if (s == NULL)
        return because(ERR_MEMORY, "no memory for the sums");
    s->n = in->count = (size_t)get_long(&in->at, "n");
    in->data = s;
    return OK;
}

static void sums_vary(struct instance *in, uint64_t seed)
{
    struct sums *s = in->data;
    s->seed = seed;
}

static double term(const struct sums *s, size_t i)
{
    return (double)(random_bits(s->seed, i) >> 40);
}

static enum status sums_judge(const struct instance *in, const struct solution *got,
                              struct judgement *out)
{
    const struct sums *s = in->data;
    const double *x = got->values;
    double sum = 0, wrong = 0;
    for (size_t i = 0; i < s->n; i++) {
        sum += term(s, i);
        const bool good = x[i] == sum;
        wrong += !good;
    }
    out->error = wrong;
    add_metric(out, "wrong_values", wrong);
    out->h = 1 / (double)s->n; /* for printed values whose digits are known */
    return OK;
}

/* As if the data decided how long it takes: in twice the steps that work counts. */
static enum status paced_judge(const struct instance *in, const struct solution *got,
                               struct judgement *out)
{
    out->steps = 4;
    out->useful = 1e6;
    return sums_judge(in, got, out);
}

static void sums_dump(const struct instance *in, const struct solution *got, FILE *file)
{
    const struct sums *s = in->data;
    for (size_t i = 0; i < s->n; i++)
        fprintf(file, "%zu,%.17g\n", i, ((const double *)got->values)[i]);
}

static double sums_at(const struct instance *in, const struct solution *got, int panel, size_t row,
                      size_t column)
{
    (void)in, (void)panel, (void)row;
    return ((const double *)got->values)[column];
}

static void sums_picture(const struct instance *in, struct picture *out)
{
    const struct sums *s = in->data;
    *out = (struct picture){.as = CURVES,
                            .x = {"i", 0, (double)s->n - 1, s->n},
                            .y = {.count = 1},
                            .value = "x",
                            .panels = 1,
                            .when = {NAN},
                            .at = sums_at};
}

static void sums_destroy(struct instance *in)
{
    free(in->data);
    in->data = NULL;
}

static const struct problem problems[] = {
    {.id = "sums",
     .title = "x_i = a_1 + ... + a_i",
     .source = "the tests",
     .parameters = parameters,
     .dump_header = "i,x",
     .create = sums_create,
     .vary = sums_vary,
     .judge = sums_judge,
     .dump = sums_dump,
     .picture = sums_picture,
     .destroy = sums_destroy},
    {.id = "paced",
     .title = "the same in steps",
     .source = "the tests",
     .parameters = parameters,
     .dump_header = "i,x",
     .create = sums_create,
     .vary = sums_vary,
     .judge = paced_judge,
     .dump = sums_dump,
     .picture = sums_picture,
     .destroy = sums_destroy},
    {.id = NULL},
};

/* --- the variants --- */

struct state {
    const struct sums *in;
    struct sums copy; /* of the data */
    long passes, calls;
    bool solved; /* the kept answer is there */
    double *x, *kept;
};

static void destroy(void *state)
{
    struct state *s = state;
    if (s == NULL)
        return;
    free(s->x);
    free(s->kept);
    free(s);
}

static enum status plan(const struct instance *in, void **state)
{
    struct state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return because(ERR_MEMORY, "no memory");
    s->in = in->data;
    s->passes = get_long(&in->at, "passes");
    s->x = calloc(in->count, sizeof *s->x);
    s->kept = calloc(in->count, sizeof *s->kept);
    if (s->x == NULL || s->kept == NULL) {
        destroy(s);
        return because(ERR_MEMORY, "no memory for %zu values", in->count);
    }
    *state = s;
    return OK;
}

static void add_up(const struct sums *in, double *x)
{
    double sum = 0;
    for (size_t i = 0; i < in->n; i++)
        x[i] = sum += term(in, i);
}

static enum status good(void *state, struct laps *laps)
{
    const struct state *s = state;
    add_up(s->in, s->x);
    (void)laps; /* parts are there or not as the time asks for batches, and rows are counted */
    return OK;
}

static enum status slow(void *state, struct laps *laps)
{
    const struct state *s = state;
    enum status status = OK;
    for (long k = 0; k < s->passes && status == OK; k++)
        status = good(state, laps);
    return status;
}

static enum status nothing(void *state, struct laps *laps)
{
    (void)state, (void)laps;
    return OK;
}

static enum status stale(void *state, struct laps *laps)
{
    struct state *s = state;
    const bool solved = s->solved;
    s->solved = true;
    return solved ? OK : good(state, laps);
}

static enum status cached(void *state, struct laps *laps)
{
    struct state *s = state;
    enum status status = OK;
    if (!s->solved) {
        status = good(state, laps);
        memcpy(s->kept, s->x, s->in->n * sizeof *s->x);
        s->solved = true;
    }
    memcpy(s->x, s->kept, s->in->n * sizeof *s->x);
    return status;
}

/* As long as a run may take that is ten times as fast as `good`. */
static void look_busy(const struct sums *in)
{
    const double until = now() + 0.3e-9 * (double)in->n;
    while (now() < until)
        ;
}

/* Has the answer computed after the clock stopped, from the data that are there then. */
static enum status patient(void *state, struct laps *laps)
{
    const struct state *s = state;
    (void)laps;
    look_busy(s->in);
    return OK;
}

/* A sum alone is hardly longer than the two copies that a fetch is allowed: on a busy machine it
 * would be seen one time and not the next. */
static void add_up_late(const struct sums *in, double *x)
{
    for (int k = 0; k < 3; k++)
        add_up(in, x);
}

static enum status fetch_patient(void *state, struct solution *out, struct laps *laps)
{
    const struct state *s = state;
    add_up_late(s->in, out->values);
    lap(laps, "back");
    return OK;
}

/* The same from a copy of the data. Runs of a batch take TRIAL_STOPPED microseconds longer, as if
 * they had been stopped. */
static enum status patient_copy(void *state, struct laps *laps)
{
    const char *const stopped = getenv("TRIAL_STOPPED");
    struct state *s = state;
    s->copy = *s->in;
    if (stopped != NULL && laps == NULL)
        usleep((unsigned)atoi(stopped));
    return patient(state, laps);
}

static enum status fetch_patient_copy(void *state, struct solution *out, struct laps *laps)
{
    const struct state *s = state;
    add_up_late(&s->copy, out->values);
    lap(laps, "back");
    return OK;
}

/* Works the first time, when somebody looks, and then one time in seven. */
static enum status counting(void *state, struct laps *laps)
{
    struct state *s = state;
    s->calls++;
    return s->calls % 7 == 1 ? good(state, laps) : patient(state, laps);
}

/* So slow that it is not timed in batches: then one run or two come before seven samples. Works the
 * first time and in the last of these. */
static enum status last_of_seven(void *state, struct laps *laps)
{
    struct state *s = state;
    s->calls++;
    usleep(25000);
    return s->calls == 1 || s->calls == 8 || s->calls == 9 ? good(state, laps) : OK;
}

/* Keeps an answer while the data stay the same, unless they are the published ones, by which it
 * would be known. So slow that one sample is taken, and not so slow that it is the run before. */
static enum status keeping(void *state, struct laps *laps)
{
    struct state *s = state;
    if (s->solved && s->in->seed != 0 && s->copy.seed == s->in->seed)
        return OK;
    usleep(151000);
    s->copy = *s->in;
    s->solved = true;
    return good(state, laps);
}

static enum status half(void *state, struct laps *laps)
{
    const struct state *s = state;
    double sum = 0;
    (void)laps;
    for (size_t i = 0; i < s->in->n; i++) {
        sum += term(s->in, i);
        if (i % 2 == 0)
            s->x[i] = sum;
    }
    return OK;
}

/* Knows the published answer. */
static enum status first_data_only(void *state, struct laps *laps)
{
    struct state *s = state;
    (void)laps;
    if (!s->solved)
        add_up(&(const struct sums){.n = s->in->n}, s->x);
    s->solved = true;
    return OK;
}

static enum status crash(void *state, struct laps *laps)
{
    (void)state, (void)laps;
    raise(SIGSEGV);
    return OK;
}

static enum status hang(void *state, struct laps *laps)
{
    (void)state, (void)laps;
    while (true)
        pause();
    return OK;
}

static enum status answer_nan(void *state, struct laps *laps)
{
    struct state *s = state;
    const enum status status = good(state, laps);
    s->x[s->in->n / 2] = NAN;
    return status;
}

static enum status failing(void *state, struct laps *laps)
{
    (void)state, (void)laps;
    return because(ERR_IO, "this variant, \"failing\", always fails");
}

/* Good, and a second on the clock as often as the test asks through the environment: the stopwatch
 * is set back, so that a busy machine changes the time by little. Or so in the first run alone; or
 * that one sleeps. */
static enum status planted(void *state, struct laps *laps)
{
    const char *const times = getenv("TRIAL_TIMES"), *const first = getenv("TRIAL_FIRST");
    const char *const asleep = getenv("TRIAL_ASLEEP");
    static bool again;
    if (asleep != NULL && !again)
        usleep((useconds_t)(1e6 * strtod(asleep, NULL)));
    if (laps != NULL && !(first != NULL && again))
        laps->at[0] -= first != NULL   ? strtod(first, NULL)
                       : times != NULL ? strtod(times, NULL)
                                       : 1;
    again = true;
    return good(state, laps);
}

/* Good, unless the test asks otherwise through the environment. */
static enum status fragile(void *state, struct laps *laps)
{
    if (getenv("TRIAL_CRASH") != NULL)
        return crash(state, laps);
    if (getenv("TRIAL_FAIL") != NULL)
        return failing(state, laps);
    return good(state, laps);
}

/* Good, and long enough to be interrupted: while there is a file named hold, all jobs but the
 * smallest wait, so that a run is in the middle for as long as a test wants. */
static enum status sleepy(void *state, struct laps *laps)
{
    const struct state *s = state;
    while (s->in->n > 1 && access("hold", F_OK) == 0)
        usleep(10000);
    usleep(50000);
    return good(state, laps);
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct state *s = state;
    memcpy(out->values, s->x, out->count * sizeof *s->x);
    lap(laps, "back");
    return OK;
}

/* --- of several ranks: the last one does what the name says --- */

static bool is_last(void)
{
    return ranks_own() > 0 && ranks_own() == ranks_count() - 1;
}

static enum status plan_unless_last(const struct instance *in, void **state)
{
    return is_last() ? because(ERR_MEMORY, "no memory for this one") : plan(in, state);
}

static enum status die_if_last(void *state, struct laps *laps)
{
    if (is_last())
        raise(SIGKILL);
    return good(state, laps);
}

static enum status hang_if_last(void *state, struct laps *laps)
{
    while (is_last())
        pause();
    return good(state, laps);
}

/* Each has a part of the numbers. */
static enum status fetch_parts(void *state, struct solution *out, struct laps *laps)
{
    const struct state *s = state;
    const size_t ranks = (size_t)ranks_count(), own = (size_t)ranks_own();
    const size_t begin = s->in->n * own / ranks, end = s->in->n * (own + 1) / ranks;
    ranks_collect(s->x + begin, (end - begin) * sizeof *s->x, out->values);
    lap(laps, "back");
    return OK;
}

static double exact(const struct variant *variant, const struct instance *in,
                    const struct solution *got, struct judgement *out)
{
    (void)variant, (void)in, (void)got, (void)out;
    return 0;
}

static struct work sums_work(const struct variant *variant, const struct params *at)
{
    (void)variant;
    const double n = get(at, "n");
    return (struct work){
        .flops = n, .bytes = 8 * n, .useful = n / 2, .steps = 2, .host_bytes = 16 * n};
}

/* Claims far more than can be moved in its time, and to hold more than caches do. */
static struct work hasty_work(const struct variant *variant, const struct params *at)
{
    (void)variant, (void)at;
    return (struct work){.bytes = 1e13, .host_bytes = 0x1p31};
}

/* So does this one, in processes that begin before TRIAL_SEEN is there: as if something had
 * disturbed their ceilings. */
static struct work doubted_work(const struct variant *variant, const struct params *at)
{
    const char *const seen = getenv("TRIAL_SEEN");
    return seen != NULL && access(seen, F_OK) != 0 ? hasty_work(variant, at)
                                                   : sums_work(variant, at);
}

static enum status doubted(void *state, struct laps *laps)
{
    FILE *const file = fopen(getenv("TRIAL_SEEN"), "w");
    if (file != NULL)
        fclose(file);
    return good(state, laps);
}

#define VARIANT(id_, run_, work_) FETCHED(id_, run_, fetch, work_)
#define FETCHED(id_, run_, fetch_, work_)                                                          \
    {                                                                                              \
        .id = id_, .title = id_, .source = "the tests", .role = PUBLISHED, .precision = DOUBLE,    \
        .place = HOST, .tolerance = exact, .work = work_, .calls = &(const struct calls)           \
        {                                                                                          \
            .plan = plan, .run = run_, .fetch = fetch_, .destroy = destroy                         \
        }                                                                                          \
    }

static const struct variant variants[] = {
    VARIANT("good", good, sums_work),
    VARIANT("slow", slow, sums_work),
    VARIANT("nothing", nothing, sums_work),
    VARIANT("stale", stale, sums_work),
    VARIANT("cached", cached, sums_work),
    VARIANT("hasty", good, hasty_work),
    VARIANT("doubted", doubted, doubted_work),
    FETCHED("patient", patient, fetch_patient, sums_work),
    FETCHED("patient-copy", patient_copy, fetch_patient_copy, sums_work),
    VARIANT("counting", counting, sums_work),
    VARIANT("last-of-seven", last_of_seven, sums_work),
    VARIANT("keeping", keeping, sums_work),
    VARIANT("half", half, sums_work),
    VARIANT("first-data-only", first_data_only, sums_work),
    VARIANT("crash", crash, sums_work),
    VARIANT("hang", hang, sums_work),
    VARIANT("nan", answer_nan, sums_work),
    VARIANT("failing", failing, sums_work),
    VARIANT("fragile", fragile, sums_work),
    VARIANT("sleepy", sleepy, sums_work),
    VARIANT("planted", planted, sums_work),
#define RANKS(id_, plan_, run_)                                                                    \
    {                                                                                              \
        .id = id_, .title = id_, .source = "the tests", .role = PUBLISHED, .precision = DOUBLE,    \
        .place = HOST, .ranks = true, .tolerance = exact, .work = sums_work,                       \
        .calls = &(const struct calls)                                                             \
        {                                                                                          \
            .plan = plan_, .run = run_, .fetch = fetch_parts, .destroy = destroy                   \
        }                                                                                          \
    }
    RANKS("rank-good", plan, good),
    RANKS("rank-fails", plan_unless_last, good),
    RANKS("rank-dies", plan, die_if_last),
    RANKS("rank-hangs", plan, hang_if_last),
    {.id = "skipped",
     .title = "not there",
     .source = "the tests",
     .role = PUBLISHED,
     .precision = DOUBLE,
     .place = HOST,
     .unavailable = "no build has it",
     .tolerance = exact,
     .work = sums_work},
    {.id = NULL},
};

static const struct family trial_family = {
    .id = "trial",
    .title = "sums for the tests",
    .problems = problems,
    .variants = variants,
    .rate = "performance",
    .rate_unit = "flop/s",
    .rate_shown = "Mflop/s",
    .rate_scale = 1e6,
};

/* --- the paper --- */

#define EVERY_SIZE(list)                                                                           \
    {                                                                                              \
        .smoke = list, .quick = list, .paper = list                                                \
    }

#define CLEVER "patient", "patient-copy", "counting", "last-of-seven", "half", "first-data-only"

static const struct exhibit exhibits[] = {
    {.id = "trial-good",
     .where = "Table 1",
     .title = "Times",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"good", "slow"},
     .metric = "time",
     .axis = EVERY_SIZE("1000,2000")},
    {.id = "trial-digits",
     .where = "Table 2",
     .title = "Digits",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"good"},
     .metric = "h",
     .axis = EVERY_SIZE("10:40:10"),
     .fixed = {{"kind", "other"}}},
    {.id = "trial-cheats",
     .where = "Table 3",
     .title = "Answers that must not pass",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"good", "nothing", "stale", "cached", "hasty"},
     .metric = "time",
     .axis = EVERY_SIZE("1000")},
    {.id = "trial-clever",
     .where = "Table 3",
     .title = "Answers that must not pass, whatever the size",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"good", CLEVER},
     .metric = "time",
     .axis = EVERY_SIZE("1000,100000,4000000")},
    {.id = "trial-untimed",
     .where = "Table 3",
     .title = "Answers that must not pass where nothing is timed",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"good", "nothing", "stale", "cached", CLEVER},
     .metric = "wrong_values",
     .axis = EVERY_SIZE("1000,100000,4000000")},
    {.id = "trial-keeping",
     .where = "Table 3",
     .title = "Answers that are kept",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"keeping"},
     .metric = "time",
     .axis = EVERY_SIZE("1000")},
    {.id = "trial-faults",
     .where = "Table 4",
     .title = "Workers that die",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"good", "crash", "hang", "nan", "skipped", "failing", "slow", "hasty"},
     .metric = "time",
     .axis = EVERY_SIZE("1000")},
    {.id = "trial-fragile",
     .where = "Table 5",
     .title = "Faults that pass",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"good", "fragile"},
     .metric = "wrong_values",
     .axis = EVERY_SIZE("10,20")},
    {.id = "trial-ranks",
     .where = "Table 5",
     .title = "Several ranks",
     .family = "trial",
     .cases = {{.id = "one", .problem = "sums"},
               {.id = "three", .problem = "sums", .fixed = {{"ranks", "3"}}}},
     .variants = {"good", "@ranks"},
     .metric = "time",
     .axis = EVERY_SIZE("2,1000")},
    {.id = "trial-hundred",
     .where = "Table 6",
     .title = "A hundred jobs",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"good", "slow"},
     .metric = "time",
     .axis = EVERY_SIZE("10:500:10")},
    {.id = "trial-sleepy",
     .where = "Table 7",
     .title = "Slow jobs",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"sleepy"},
     .metric = "wrong_values",
     .axis = EVERY_SIZE("1:20:1")},
    {.id = "trial-doubted",
     .where = "Table 10",
     .title = "Impossible once",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"doubted"},
     .metric = "time",
     .axis = EVERY_SIZE("1000")},
    {.id = "trial-planted",
     .where = "Table 10",
     .title = "Slower on demand",
     .family = "trial",
     .cases = {{.id = "sums"}},
     .variants = {"planted"},
     .metric = "time",
     .axis = EVERY_SIZE("1000")},
    {.id = "trial-cases",
     .where = "Figure 1",
     .title = "Performance in three cases",
     .family = "trial",
     .cases = {{.id = "one", .problem = "sums", .fixed = {{"kind", "plain"}}},
               {.id = "two", .problem = "sums", .fixed = {{"kind", "other"}}},
               {.id = "three", .problem = "sums"}},
     .variants = {"good", "slow"},
     .metric = "performance",
     .axis = EVERY_SIZE("1000,2000")},
    {.id = "trial-view",
     .where = "Figure 2",
     .title = "Speed-up in the same cases",
     .family = "trial",
     .variants = {"good/slow"},
     .metric = "speedup",
     .view_of = "trial-cases"},
    {.id = "trial-steps",
     .where = "Table 8",
     .title = "Steps",
     .family = "trial",
     .cases = {{.id = "sums", .problem = "paced"}},
     .variants = {"good", "slow"},
     .metric = "time_per_step",
     .axis = EVERY_SIZE("100,200,400"),
     .up_to = {{"sums/good/*", 400, "not met"}, {"sums/*", 200, "left out: too slow"}},
     .fields = "sums/good/*"},
    {.id = "trial-time",
     .where = "Table 10",
     .title = "Times of the steps",
     .family = "trial",
     .variants = {"good"},
     .metric = "time",
     .view_of = "trial-steps"},
    {.id = "trial-order",
     .where = "Table 9",
     .title = "Orders",
     .family = "trial",
     .variants = {"good", "slow"},
     .metric = "order_wrong_values",
     .view_of = "trial-steps"},
    {.id = NULL},
};

#define ABOUT_TIMES                                                                                \
    .where = "Section 1", .text = "as its name says", .cells = "trial-good", .metric = "time"

#define ABOUT_RATES                                                                                \
    .where = "Section 2", .text = "as its name says", .cells = "trial-cases",                      \
    .metric = "performance"

#define ABOUT_SPEEDUPS                                                                             \
    .where = "Section 2", .text = "as its name says", .cells = "trial-view", .metric = "speedup"

static const struct claim claims[] = {
    {.id = "below", ABOUT_TIMES, .left = "good", .right = "slow", .predicate = BELOW},
    {.id = "above", ABOUT_TIMES, .left = "slow", .right = "good", .predicate = BELOW},
    {.id = "within",
     ABOUT_TIMES,
     .left = "good",
     .right = "slow",
     .predicate = WITHIN,
     .least = 2,
     .most = 4},
    {.id = "reaches",
     ABOUT_TIMES,
     .left = "good",
     .right = "slow",
     .predicate = REACHES,
     .least = 4,
     .erratum = "T3"},
    {.id = "grows", ABOUT_TIMES, .left = "good", .right = "slow", .predicate = GROWS_WITH_N},
    {.id = "rate", ABOUT_RATES, .left = "good", .predicate = REACHES, .least = 1e9},
    {.id = "rate-grows", ABOUT_RATES, .left = "good", .predicate = GROWS_WITH_N},
    {.id = "rate-falls", ABOUT_RATES, .left = "good", .predicate = FALLS_WITH_N},
    {.id = "rate-grows-by-case", ABOUT_RATES, .left = "good", .predicate = GROWS_WITH_CASE},
    {.id = "largest-in-two",
     ABOUT_RATES,
     .left = "good",
     .predicate = LARGEST_IN_CASE,
     .best = "two"},
    {.id = "speedup-falls-by-case",
     ABOUT_SPEEDUPS,
     .left = "good/slow",
     .predicate = FALLS_WITH_CASE},
    {.id = "speedup-from-2000",
     ABOUT_SPEEDUPS,
     .left = "good/slow",
     .predicate = WITHIN,
     .least = 1,
     .most = 1e9,
     .from_n = 2000},
    {.id = NULL},
};

static const struct erratum errata[] = {
    {"T1", "Table 2", "value", SEVERITY_A, EXPLAINS, "9.00e-02", "3.33e-02", "1/30",
     "trial-digits/sums/good/double/30"},
    {"T2", "Table 1", "value", SEVERITY_B, VOIDS, "speed-up 9.9", "4.5", "the printed times",
     "trial-good/sums/good?slow/*/2000"},
    {"T3", "Section 1", "text", SEVERITY_C, NOTED, "at least 4", "from 4 to 4.5", "Table 1", NULL},
    {"T4", "Table 2", "unstated", SEVERITY_B, ASSUMPTION, "which kind?", "other", "none",
     "trial-digits/*"},
    {.id = NULL},
};

static const struct closeness closeness[] = {
    {"trial-digits/sums/good/double/20", 0.02, "an allowance"},
    {"*/30", 0.02, "an allowance"},
    {.applies_to = NULL},
};

static const struct correction corrections[] = {
    {"trial-digits/sums/good/double/30", "T1", 0.03, 0.04},
    {.applies_to = NULL},
};

const struct embedded_file embedded_files[] = {
    {"trial.csv", "exhibit,case,variant,precision,hardware,n,metric,statistic,value,unit,note\n"
                  "trial-good,sums,good,double,\"a machine, of old\",1000,time,value,1.0e-03,s,\n"
                  "trial-good,sums,slow,double,a machine,1000,time,value,4.0e-03,s,\n"
                  "trial-good,sums,good,double,a machine,2000,time,value,2.0e-03,s,\n"
                  "trial-good,sums,slow,double,a machine,2000,time,value,9.0e-03,s,\n"
                  "trial-good,sums,good/slow,double,a machine,1000,speedup,value,4.0,1,\n"
                  "trial-good,sums,good/slow,double,a machine,2000,speedup,value,9.9,1,\n"
                  "trial-digits,sums,good,double,a machine,10,h,value,1.00e-01,1,\n"
                  "trial-digits,sums,good,double,a machine,20,h,value,5.05e-02,1,\n"
                  "trial-digits,sums,good,double,a machine,30,h,value,9.00e-02,1,\n"
                  "trial-digits,sums,good,double,a machine,40,h,value,7.0e-02,1,\n"
                  "trial-order,sums,good,double,a machine,200,order_wrong_values,value,2,1,\n"
                  "trial-order,sums,slow,double,a machine,200,order_wrong_values,value,2,1,\n"
                  "trial-order,sums,slow,double,a machine,400,order_wrong_values,value,2,1,\n"
                  "trial-time,sums,good,double,a machine,200,time,value,3,s,\n"
                  "trial-hundred,sums,good,double,a machine,10,time,value,250,ms,\n"
                  "trial-hundred,sums,good,double,a machine,10,h,value,18,1,\n"
                  "trial-hundred,sums,good,double,a machine,20,h,value,18,1,\n"},
    {"machines.csv", "name,hardware,year,bandwidth,unit,single,double,source\n"
                     "Machine,a machine*,1999,1e9,B/s,2e9,1e9,\"its data sheet, page 1\"\n"
                     "Other,another machine,,,B/s,,,nobody knows\n"},
    {NULL, NULL},
};

static const struct paper trial_paper = {.id = "trial",
                                         .citation = "A. Nobody, On Sums.",
                                         .exhibits = exhibits,
                                         .claims = claims,
                                         .errata = errata,
                                         .closeness = closeness,
                                         .corrections = corrections,
                                         .published = "trial.csv"};

extern const struct family ceilings_family;
extern const struct paper ceilings_paper;

const struct family *const families[] = {&ceilings_family, &trial_family, NULL};
const struct paper *const papers[] = {&ceilings_paper, &trial_paper, NULL};
