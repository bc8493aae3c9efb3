/*
 * Ceilings: their answers are samples, which show whatever was left out.
 */
#include "solving.h"
#include "tap.h"

#include "ceilings/ceilings.h"
#include "machine/device.h"
#include "run/limits.h"

extern const struct family ceilings_family;

static enum status prepare_ceiling(struct solve *s, const struct variant *v, const char *n)
{
    const struct setting settings[] = {{"n", n}, {NULL, NULL}};
    return prepare_problem(s, v, ceilings_family.problems, settings, NULL);
}

static enum status accepted(const struct solve *s, struct judgement *j)
{
    const enum status status = judged(s, j);
    return status == OK ? accept_answer(&s->in, s->variant, &s->out, j) : status;
}

static bool refused(const struct solve *s)
{
    struct judgement j;
    return accepted(s, &j) == WRONG;
}

static void put_value(struct solution *out, size_t i, double value)
{
    if (out->precision == DOUBLE)
        ((double *)out->values)[i] = value;
    else
        ((float *)out->values)[i] = (float)value;
}

static double get_value(const struct solution *out, size_t i)
{
    return out->precision == DOUBLE ? ((const double *)out->values)[i]
                                    : (double)((const float *)out->values)[i];
}

static void test_good(const struct variant *v, const char *n)
{
    struct solve s;
    struct judgement j;
    enum status status = prepare_ceiling(&s, v, n);
    for (uint64_t seed = 0; seed < 4 && status == OK; seed++) {
        status = go(&s, seed);
        if (status == OK)
            status = accepted(&s, &j);
    }
    check(status == OK, "%s %s n=%s: %s", v->id, precision_of(v), n,
          status == OK ? "good" : reason());
    release(&s);
}

/* Of the last value, and of others, nothing may be missing. */
static void test_bad(const struct variant *v)
{
    struct solve s;
    const bool one = strcmp(v->id, "launch") == 0 || strcmp(v->id, "link-exchange") == 0;
    enum status status = prepare_ceiling(&s, v, "10007");
    if (status == OK)
        status = s.variant->calls->fetch(s.state, &s.out, NULL);
    check(status == OK && refused(&s), "%s %s: refused before it has run", v->id, precision_of(v));
    status = go(&s, 5);
    const double draw = get_value(&s.out, 0), last = get_value(&s.out, s.out.count - 1);
    s.in.at.problem->vary(&s.in, 6);
    check(status == OK && refused(&s), "%s %s: refused on other data", v->id, precision_of(v));
    s.in.at.problem->vary(&s.in, 5);
    put_value(&s.out, s.out.count - 1, last + 1);
    check(refused(&s), "%s %s: a wrong value is refused", v->id, precision_of(v));
    put_value(&s.out, s.out.count - 1, last);
    put_value(&s.out, 0, NAN);
    check(refused(&s), "%s %s: a sample without its draw is refused", v->id, precision_of(v));
    put_value(&s.out, 0, draw == 1 ? 2 : 1);
    check(one || refused(&s), "%s %s: another draw than that of the sample is refused", v->id,
          precision_of(v));
    status = s.variant->calls->fetch(s.state, &s.out, NULL);
    check(status == OK && !refused(&s) && (one || get_value(&s.out, 0) != draw),
          "%s %s: the next sample is good, and another one", v->id, precision_of(v));
    release(&s);
}

/* Every value can be drawn, and each of a sample is from a part of its own. */
static void test_places(void)
{
    static const size_t sizes[] = {1, 2, SAMPLE - 1, SAMPLE, SAMPLE + 1, 10007};
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
        const size_t n = sizes[c], count = n < SAMPLE ? n : SAMPLE;
        bool *const seen = calloc(n, sizeof *seen), ascend = true;
        size_t all = 0;
        for (uint64_t draw = 0; draw < 200; draw++)
            for (size_t k = 0, before = 0; k < count; k++) {
                const size_t at = ceiling_place(n, count, draw, k);
                ascend = ascend && at < n && (k == 0 || at > before);
                before = at;
                all += at < n && !seen[at];
                seen[at < n ? at : 0] = true;
            }
        check(ascend && all == n, "a sample of %zu values: each is drawn sometimes", n);
        free(seen);
    }
}

/* Of what cards tell each other: 4 cards send 8 times 1000 doubles each in 16 us at best, so 4
 * GB/s, and 200 words take 100 us at best, so 0.5 us each. By hand, what a job of several cards
 * takes. */
static void test_links(void)
{
    static const struct {
        double sent, words, steps, taken, seconds;
    } rows[] = {{4e9, 0, 0, 0, 1},      {4e9, 1e6, 0, 0, 1},   {4e9, 3e6, 0, 0, 1.5},
                {0, 2e6, 0, 0, 1},      {1e9, 1e6, 0, 0, 0.5}, {4e9, 1e6, 10, 20, 2},
                {1e9, 1e6, 10, 5, 0.25}};
    struct job copy, exchange;
    struct limits limits = no_limits, read = no_limits;
    const bool there =
        job_from_path("ceilings-links/ranks=4/link-copy/double/1000", &copy) == OK &&
        job_from_path("ceilings-links/ranks=4/link-exchange/double/1000", &exchange) == OK;
    check(there && copy.work.sent == 64e3 && exchange.work.words == 200 && copy.work.words == 0 &&
              exchange.work.sent == 0 && copy.work.bytes == 0 && exchange.work.bytes == 0,
          "ceilings of links: what is sent, and the words");
    if (!there)
        return;
    const struct variant *const v = copy.variant;
    check(!(limit_seconds(&limits, v, &(struct work){.sent = 1e9, .words = 1e9}) > 0),
          "without them no limit");
    static const double times[] = {2, 1, 3}; /* the best counts */
    for (int k = 0; k < 3; k++) {
        limits_learn(&limits, &copy, times[k] * 16e-6);
        limits_learn(&limits, &exchange, times[k] * 100e-6);
    }
    limits_parse(limits_print(&limits), &read);
    check(read.sent_per_s == limits.sent_per_s && read.word_s == limits.word_s &&
              isnan(read.bytes_per_s[1]) && isnan(read.launch_s),
          "a worker is told of them, and of nothing else");
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        const struct work given = {
            .sent = rows[c].sent, .words = rows[c].words, .steps = rows[c].steps};
        const struct work work = work_of_steps(&given, rows[c].taken);
        const double got = limit_seconds(&read, v, &work);
        check(fabs(got / rows[c].seconds - 1) < 1e-12,
              "%g bytes and %g words in %g of %g steps: %g s at least", rows[c].sent, rows[c].words,
              rows[c].taken, rows[c].steps, got);
    }
    read.bytes_per_s[1] = 1e9;
    check(limit_seconds(&read, v, &(struct work){.bytes = 3e9, .sent = 4e9}) == 3 &&
              limit_seconds(&read, v, &(struct work){.bytes = 3e8, .sent = 4e9}) == 1,
          "beside what a card does by itself the longer one");
}

int main(void)
{
    static const char *const sizes[] = {"1", "2", "4095", "4096", "4097", "5001"};
    struct device_facts facts;
    have_device = device_open(&facts) == OK;
    if (!have_device)
        skip("ceilings of the device", reason());
    test_places();
    test_links();
    for (const struct variant *v = ceilings_family.variants; v->id != NULL; v++) {
        if (!runs_here(v))
            continue;
        for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
            test_good(v, sizes[n]);
        if (!uses_device(v) || strcmp(v->id, "fma") != 0) /* minutes on an emulated one */
            test_good(v, "4194309");
        test_bad(v);
    }
    return done();
}
