/*
 * A family and a paper instead of registry.c, for numbers that are known beforehand. The problem's
 * right answer is 0, 1, 2, ..; the error is how far the values are off in all, and counts as if the
 * exact discrete solution were off by 1. What the paper prints is in pinned/, and so are the runs
 * that test_pinned.sh reports; variants that break a rule of the worker by a little are run by it.
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "reprise.h"

/* --- the problem --- */

static const struct parameter parameters[] = {
    {"n", INTEGER, 5, 2, 0x1p20, NULL, "numbers"},
    {.name = NULL},
};

static enum status line_create(struct instance *in)
{
    in->count = (size_t)get_long(&in->at, "n");
    return OK;
}

static enum status line_judge(const struct instance *in, const struct solution *got,
                              struct judgement *out)
{
    const double *x = got->values;
    out->error = 0;
    out->inherent = 1;
    for (size_t i = 0; i < in->count; i++)
        out->error += fabs(x[i] - (double)i); /* a NaN stays one */
    add_metric(out, "err", out->error);
    return OK;
}

static void line_destroy(struct instance *in)
{
    (void)in;
}

static const struct problem problems[] = {
    {.id = "line",
     .title = "x_i = i",
     .source = "the tests",
     .parameters = parameters,
     .create = line_create,
     .judge = line_judge,
     .destroy = line_destroy},
    {.id = NULL},
};

/* --- the variants --- */

struct state {
    int runs, fetches;
    double off; /* of the last value, in the run before */
};

static enum status plan(const struct instance *in, void **state)
{
    (void)in;
    *state = calloc(1, sizeof(struct state));
    return *state != NULL ? OK : because(ERR_MEMORY, "no memory");
}

/* A run whose answer is off by `first` when it is the first one, and else by `later`. It lasts
 * longer than its work takes on any machine, so that its time is never impossible. */
#define RUN(name, first, later)                                                                    \
    static enum status name(void *state, struct laps *laps)                                        \
    {                                                                                              \
        struct state *s = state;                                                                   \
        (void)laps;                                                                                \
        usleep(200);                                                                               \
        s->off = s->runs++ == 0 ? first : later;                                                   \
        return OK;                                                                                 \
    }

RUN(exact, 0, 0)
RUN(within, 1.04, 1.04)
RUN(beyond, 1.06, 1.06)
RUN(far, 2.04, 2.04)
RUN(too_far, 2.06, 2.06)
RUN(other, 0, 0.5)
RUN(other_wrong, 0, 2)

static enum status fetch_from(size_t first, void *state, const struct solution *out)
{
    struct state *s = state;
    double *x = out->values;
    s->fetches++;
    for (size_t i = first; i < out->count; i++)
        x[i] = (double)i;
    if (first < out->count)
        x[out->count - 1] += s->off;
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    lap(laps, "back");
    return fetch_from(0, state, out);
}

/* All but the first value, which should be 0. */
static enum status fetch_some(void *state, struct solution *out, struct laps *laps)
{
    lap(laps, "back");
    return fetch_from(1, state, out);
}

/* Relies on what it wrote the first time. */
static enum status fetch_once(void *state, struct solution *out, struct laps *laps)
{
    const struct state *s = state;
    lap(laps, "back");
    return fetch_from(s->fetches == 0 ? 0 : out->count, state, out);
}

static double none(const struct variant *variant, const struct instance *in,
                   const struct solution *got, struct judgement *out)
{
    (void)variant, (void)in, (void)got, (void)out;
    return 0;
}

static double one(const struct variant *variant, const struct instance *in,
                  const struct solution *got, struct judgement *out)
{
    (void)variant, (void)in, (void)got, (void)out;
    return 1;
}

static struct work work(const struct variant *variant, const struct params *at)
{
    (void)variant;
    const double n = get(at, "n");
    return (struct work){.flops = 8 * n,
                         .bytes = 16 * n,
                         .launches = 4,
                         .useful = n,
                         .steps = 2,
                         .host_bytes = 24 * n};
}

#define VARIANT(id_, precision_, place_, tolerance_, run_, fetch_, ...)                            \
    {                                                                                              \
        .id = id_, .title = id_, .source = "the tests", .role = PUBLISHED,                         \
        .precision = precision_, .place = place_, .tolerance = tolerance_, .work = work,           \
        .calls =                                                                                   \
            &(const struct calls){.plan = plan, .run = run_, .fetch = fetch_, .destroy = free},    \
        __VA_ARGS__                                                                                \
    }
#define RECORDS_ALONE .unavailable = "only its records are there"

static const struct variant variants[] = {
    VARIANT("cpu", DOUBLE, HOST, none, exact, fetch, ),
    VARIANT("cores", DOUBLE, HOST_PARALLEL, none, exact, fetch, RECORDS_ALONE),
    VARIANT("gpu", SINGLE, DEVICE, none, exact, fetch, RECORDS_ALONE),
    VARIANT("gpu", DOUBLE, DEVICE, none, exact, fetch, RECORDS_ALONE),
    VARIANT("within", DOUBLE, HOST, none, within, fetch, ),
    VARIANT("beyond", DOUBLE, HOST, none, beyond, fetch, ),
    VARIANT("tolerated", DOUBLE, HOST, one, far, fetch, ),
    VARIANT("not-tolerated", DOUBLE, HOST, one, too_far, fetch, ),
    VARIANT("unwritten", DOUBLE, HOST, none, exact, fetch_some, ),
    VARIANT("written-once", DOUBLE, HOST, none, exact, fetch_once, ),
    VARIANT("other", DOUBLE, HOST, none, other, fetch, ),
    VARIANT("other-wrong", DOUBLE, HOST, none, other_wrong, fetch, ),
    {.id = NULL},
};

static const struct family pinned_family = {.id = "pinned",
                                            .title = "numbers known beforehand",
                                            .problems = problems,
                                            .variants = variants,
                                            .rate = "throughput",
                                            .rate_unit = "points/s",
                                            .rate_shown = "Mpoint/s",
                                            .rate_scale = 1e6};

/* --- the paper --- */

#define EXHIBIT(id_, where_, metric_)                                                              \
    .id = id_, .where = where_, .title = "Known beforehand", .family = "pinned", .metric = metric_
#define SIZES(list) .axis = {.smoke = list, .quick = list, .paper = list}
#define ONE_CASE    .cases = {{.id = "one", .problem = "line"}}

static const struct exhibit exhibits[] = {
    {EXHIBIT("pinned-times", "Table 1", "time"), ONE_CASE, .variants = {"cpu", "cores", "gpu"},
     SIZES("100,200,400"), .up_to = {{"one/cpu/*", 200, "left out: hours"}}},
    {EXHIBIT("pinned-steps", "Table 2", "time_per_step"), ONE_CASE, .variants = {"cpu", "gpu"},
     SIZES("400")},
    {EXHIBIT("pinned-rate", "Figure 1", "throughput"),
     .cases = {{.id = "two", .problem = "line"}, {.id = "three", .problem = "line"}},
     .variants = {"cpu", "gpu"}, SIZES("1000"), .precision = "double"},
    {EXHIBIT("pinned-view", "Figure 2", "speedup"), .variants = {"gpu/cpu", "gpu/cores"},
     .view_of = "pinned-times"},
    {EXHIBIT("pinned-mean", "Table 3", "speedup"), .variants = {"gpu/cpu"},
     .view_of = "pinned-times", .precision = "double", .over = "100,200"},
    {EXHIBIT("pinned-errors", "Table 4", "err"), ONE_CASE, .falls_with_h = true,
     .variants = {"cpu"}, SIZES("10,20,40,80,160")},
    {EXHIBIT("pinned-orders", "Table 5", "order_err"), .variants = {"cpu"},
     .view_of = "pinned-errors"},
    {EXHIBIT("pinned-counts", "Table 6", "blocks"), ONE_CASE, .variants = {"gpu"}, SIZES("100"),
     .precision = "double", .of_machine = true},
    {EXHIBIT("pinned-rules", "Section 1", "err"), ONE_CASE,
     .variants = {"cpu", "within", "beyond", "tolerated", "not-tolerated", "unwritten",
                  "written-once", "other", "other-wrong", "gpu"},
     SIZES("5"), .precision = "double"},
    {.id = NULL},
};

#define CLAIM(id_, cells_, metric_, left_, predicate_)                                             \
    .id = id_, .where = "Section 2", .text = id_, .cells = cells_, .metric = metric_,              \
    .left = left_, .predicate = predicate_

static const struct claim claims[] = {
    {CLAIM("below", "pinned-times", "time", "gpu", BELOW), .right = "cpu"},
    {CLAIM("below-steps", "pinned-steps", "time_per_step", "gpu", BELOW), .right = "cpu"},
    {CLAIM("above-steps", "pinned-steps", "time_per_step", "cpu", BELOW), .right = "gpu"},
    {CLAIM("within", "pinned-times", "time", "gpu", WITHIN), .right = "cpu", .least = 4, .most = 8},
    {CLAIM("reaches", "pinned-times", "time", "gpu", REACHES), .right = "cpu", .least = 64,
     .erratum = "E4"},
    {CLAIM("reaches-new", "pinned-rate", "throughput", "cpu", REACHES), .least = 2e7,
     .hardware = "New machine (2012)"},
    {CLAIM("reaches-printed", "pinned-mean/*/max *", "speedup", "gpu/cpu", REACHES), .least = 33,
     .hardware = "New machine (2012)"},
    {CLAIM("grows", "pinned-times", "time", "cpu", GROWS_WITH_N)},
    {CLAIM("falls", "pinned-errors", "err", "cpu", FALLS_WITH_N)},
    {CLAIM("grows-by-case", "pinned-rate", "throughput", "gpu", GROWS_WITH_CASE)},
    {CLAIM("falls-by-case", "pinned-rate", "throughput", "cpu", FALLS_WITH_CASE)},
    {CLAIM("largest", "pinned-rate", "throughput", "gpu", LARGEST_IN_CASE), .best = "three"},
    {CLAIM("unheard", "pinned-times/*/200", "time", "cores", BELOW), .right = "cpu"},
    {.id = NULL},
};

static const struct erratum errata[] = {
    {"E1", "Table 4", "value", SEVERITY_A, EXPLAINS, "2.0e-03", "1.6e-03", "arithmetic", NULL},
    {"E2", "Table 1", "value", SEVERITY_B, VOIDS, "9.9", "2.7", "64/24",
     "pinned-times/one/gpu?cpu/*/200"},
    {"E3", "Table 4", "value", SEVERITY_C, VOIDS, "0.03", "0.025", "Table 5",
     "pinned-errors/one/cpu/double/20"},
    {"E4", "Section 2", "text", SEVERITY_C, NOTED, "at least 64", "at most 64", "Table 1", NULL},
    {"E5", "Figure 1", "unstated", SEVERITY_B, ASSUMPTION, "which?", "this", "none",
     "pinned-rate/*"},
    {"E6", "Section 1", "unstated", SEVERITY_B, ASSUMPTION, "which?", "that", "none",
     "pinned-rules/*"},
    {.id = NULL},
};

static const struct closeness closeness[] = {
    {"pinned-errors/one/cpu/double/40", 0.05, "an allowance"},
    {.applies_to = NULL},
};

static const struct correction corrections[] = {
    {"pinned-errors/one/cpu/double/80", "E1", 0.0015, 0.0016},
    {.applies_to = NULL},
};

static const struct paper pinned_paper = {.id = "pinned",
                                          .citation = "A. Nobody, On Digits.",
                                          .exhibits = exhibits,
                                          .claims = claims,
                                          .errata = errata,
                                          .closeness = closeness,
                                          .corrections = corrections,
                                          .published = "pinned.csv"};

extern const struct family ceilings_family;
extern const struct paper ceilings_paper;

const struct family *const families[] = {&ceilings_family, &pinned_family, NULL};
const struct paper *const papers[] = {&ceilings_paper, &pinned_paper, NULL};
