/*
 * Ceilings: their answers are samples, which show whatever was left out.
 */
#include "solving.h"
#include "tap.h"

#include "ceilings/ceilings.h"
#include "machine/device.h"

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

int main(void)
{
    static const char *const sizes[] = {"1", "2", "4095", "4096", "4097", "5001"};
    struct device_facts facts;
    have_device = device_open(&facts) == OK;
    if (!have_device)
        skip("ceilings of the device", reason());
    test_places();
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
