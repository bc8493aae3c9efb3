/*
 * What everything shares: numbers as people type them, parameters, the nearest word, random bits,
 * lists of sizes, globs, the resolution of a printed number.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"
#include "base/key.h"
#include "run/metrics.h"
#include "run/status.h"
#include "run/worker.h"
#include "tap.h"
#include "verdict/verdict.h"

static void test_parse_number(void)
{
    static const struct {
        const char *text;
        double value; /* NaN: is refused */
    } cases[] = {{"1000", 1000},   {"2^20", 1048576}, {"1e-5", 1e-5}, {"-3", -3},
                 {"10^-2", 0.01},  {" 7", 7},         {"0x10", 16},   {"2^0.5", 0},
                 {"", NAN},        {"abc", NAN},      {"12x", NAN},   {"2^", NAN},
                 {"^3", NAN},      {"1e999", NAN},    {"inf", NAN},   {"nan", NAN},
                 {"2^1e9", NAN},   {"2^3^2", NAN},    {"1000 ", NAN}, {"1,000", NAN},
                 {"2^20abc", NAN}, {"1e", NAN},       {"0", 0},       {"2^33", 0x1p33}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = -77;
        const bool taken = parse_number(cases[i].text, &value);
        double expected = cases[i].value;
        if (strcmp(cases[i].text, "2^0.5") == 0)
            expected = sqrt(2);
        if (isnan(expected))
            check(!taken && value == -77, "number '%s' is refused, the output untouched",
                  cases[i].text);
        else
            check(taken && value == expected, "number '%s' is %g", cases[i].text, expected);
    }
}

static const struct parameter table[] = {
    {"n", INTEGER, 100, 2, 1e6, NULL, ""},
    {"radius", REAL, 0.5, 0, 1, NULL, ""},
    {"boundary", CHOICE, 0, 0, 2, "open|closed|half-open", ""},
    {"a", TEXT, 0, 0, 0, "1", ""},
    {.name = NULL},
};

static const struct problem problem = {.parameters = table};

static void test_texts(void)
{
    struct params at;
    params_init(&at, &problem);
    check(strcmp(get_text(&at, "a"), "1") == 0, "a text starts as its table says");
    check(params_set(&at, "a", "any words, at all") == OK &&
              strcmp(get_text(&at, "a"), "any words, at all") == 0 && get(&at, "n") == 100,
          "a text is kept as it is");
    static const struct {
        const char *text, *says; /* says null: is taken */
        int count;
        double last;
    } lists[] = {
        {"1", NULL, 1, 1},
        {"3,-3,1", NULL, 3, 1},
        {"1e-5,2^4", NULL, 2, 16},
        {"1,2,3,4", NULL, 4, 4},
        {"1,2,3,4,5", "more than 4", 0, 0},
        {"", "'' is not", 0, 0},
        {",1", "'' is not", 0, 0},
        {"1,,2", "'' is not", 0, 0},
        {"1,2,", "'' is not", 0, 0},
        {"1;2", "'1;2' is not", 0, 0},
        {"1,nan", "'nan' is not", 0, 0},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        double values[5] = {0, 0, 0, 0, -77};
        int count = 0;
        const enum status status = parse_list("a", lists[i].text, 4, values, &count);
        if (lists[i].says == NULL)
            check(status == OK && count == lists[i].count && values[count - 1] == lists[i].last,
                  "the list '%s' has %d numbers", lists[i].text, lists[i].count);
        else
            check(status == ERR_ARGS && strstr(reason(), lists[i].says) != NULL,
                  "the list '%s' is refused with '%s'", lists[i].text, lists[i].says);
        check(values[4] == -77, "the list '%s' stays within its room", lists[i].text);
    }
}

static void test_params(void)
{
    static const struct {
        const char *name, *value, *says; /* says null: is taken */
        double expected;
    } cases[] = {
        {"n", "2^10", NULL, 1024},
        {"n", "2", NULL, 2},
        {"n", "1e6", NULL, 1e6},
        {"radius", "0.25", NULL, 0.25},
        {"radius", "0", NULL, 0},
        {"boundary", "closed", NULL, 1},
        {"boundary", "half-open", NULL, 2},
        {"boundary", "open", NULL, 0},
        {"n", "1", "out of range", 0},
        {"n", "1000001", "out of range", 0},
        {"n", "2.5", "whole", 0},
        {"n", "abc", "not a number", 0},
        {"n", "", "not a number", 0},
        {"n", "nan", "not a number", 0},
        {"radius", "1.0001", "out of range", 0},
        {"radius", "-1e-9", "out of range", 0},
        {"boundary", "clos", "open|closed|half-open", 0},
        {"boundary", "1", "open|closed|half-open", 0},
        {"boundary", "", "open|closed|half-open", 0},
        {"raduis", "1", "'radius'", 0},
        {"N", "10", "'n'", 0},
        {"", "10", "no parameter", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct params at;
        params_init(&at, &problem);
        const enum status status = params_set(&at, cases[i].name, cases[i].value);
        if (cases[i].says == NULL)
            check(status == OK && get(&at, cases[i].name) == cases[i].expected, "%s=%s is %g",
                  cases[i].name, cases[i].value, cases[i].expected);
        else
            check(status == ERR_ARGS && strstr(reason(), cases[i].says) != NULL &&
                      get(&at, "n") == 100 && get(&at, "radius") == 0.5 &&
                      get(&at, "boundary") == 0,
                  "%s=%s is refused with '%s', nothing changed", cases[i].name, cases[i].value,
                  cases[i].says);
    }
}

static void test_nearest(void)
{
    static const char *const names[] = {"bvp2010-table1", "A2D", "A2SD", "run", NULL};
    static const char *const none[] = {NULL};
    char long_word[200];
    memset(long_word, 'x', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    check(strcmp(nearest("rnu", names), "run") == 0, "nearest to rnu");
    check(strcmp(nearest("A2S", names), "A2D") == 0, "nearest to A2S: the first of equals");
    check(strcmp(nearest("bvp2010-tabel1", names), "bvp2010-table1") == 0, "nearest, long");
    check(strcmp(nearest("A2SD", names), "A2SD") == 0, "nearest to a word itself");
    check(strcmp(nearest("run", none), "") == 0, "nearest of nothing is empty");
    check(nearest(long_word, names)[0] != '\0', "nearest to a word of 199 letters");
}

static void test_random(void)
{
    /* Seed 0 is SplitMix64 from state 0, whose first outputs are published; the others are the
     * same formula in Python's integers. */
    static const struct {
        uint64_t seed, index, bits;
    } cases[] = {
        {0, 0, UINT64_C(0xe220a8397b1dcdaf)},
        {0, 1, UINT64_C(0x6e789e6aa1b965f4)},
        {0, 2, UINT64_C(0x06c45d188009454f)},
        {1, 0, UINT64_C(0xf4a90164c4749e1a)},
        {1, 12345, UINT64_C(0x225e5692394bec33)},
        {UINT64_MAX, UINT64_MAX, UINT64_C(0x316c0d67bde611a0)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(random_bits(cases[i].seed, cases[i].index) == cases[i].bits,
              "random bits, seed %llu, index %llu", (unsigned long long)cases[i].seed,
              (unsigned long long)cases[i].index);
    check(uniform(0, 0) == 0.8833108082136426, "uniform, seed 0, index 0");
    enum { COUNT = 100000 };
    double sum = 0, least = 1, most = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        const double x = uniform(7, i);
        sum += x;
        least = fmin(least, x);
        most = fmax(most, x);
    }
    check(least >= 0 && least < 1e-3 && most < 1 && most > 0.999, "uniform stays in [0,1), seed 7");
    /* Six standard deviations of the mean. */
    check(fabs(sum / COUNT - 0.5) <= 6 / sqrt(12.0 * COUNT), "mean of uniform, seed 7");
}

static void test_axis(void)
{
    static const struct {
        const char *list;
        int count; /* 0: is refused */
        long first, last;
    } cases[] = {
        {"1000", 1, 1000, 1000},
        {"2^10,2^12", 2, 1024, 4096},
        {"500:4000:500", 8, 500, 4000},
        {"1:10:4", 3, 1, 9},
        {"2^3:2^3:1", 1, 8, 8},
        {"7,10:30:10,2^5", 5, 7, 32},
        {"1:8:1", 8, 1, 8},
        {"", 0, 0, 0},
        {",", 0, 0, 0},
        {"0", 0, 0, 0},
        {"-5", 0, 0, 0},
        {"abc", 0, 0, 0},
        {"1:10", 0, 0, 0},
        {"1:10:0", 0, 0, 0},
        {"1:10:0.5", 0, 0, 0},
        {"10:1:1", 0, 0, 0},
        {"1:9:1", 0, 0, 0}, /* one more than there is room for */
        {"1:10:1:1", 0, 0, 0},
        {"1000.4", 0, 0, 0}, /* not 1000 */
        {"2^0.5", 0, 0, 0},
        {"1:10.5:1", 0, 0, 0},
        {"1:10:1.5", 0, 0, 0},
        {"2^53:2^53:1", 1, 1L << 53, 1L << 53}, /* 2^53 + 1 is 2^53 as a double */
        {"9007199254740990:2^53:1", 3, (1L << 53) - 2, 1L << 53},
        {"1e300", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        long values[8];
        int count = -1;
        const enum status status = expand_axis(cases[i].list, values, 8, &count);
        if (cases[i].count == 0)
            check(status == ERR_ARGS, "sizes '%s' are refused", cases[i].list);
        else
            check(status == OK && count == cases[i].count && values[0] == cases[i].first &&
                      values[count - 1] == cases[i].last,
                  "sizes '%s'", cases[i].list);
    }
    char list[2000];
    long values[8];
    int count;
    memset(list, '1', sizeof list - 1);
    list[sizeof list - 1] = '\0';
    check(expand_axis(list, values, 8, &count) == ERR_ARGS, "a list of 1999 letters is refused");
}

static void test_globs(void)
{
    static const struct {
        const char *glob;
        bool matches;
    } cases[] = {
        {"e1/p/V/double/8", true},
        {"e1", true},
        {"e1/p", true},
        {"e*", true},
        {"*/V/*", true},
        {"e[12]/", false},
        {"e2", false},
        {"*/double/8", true},
        {"e1/p/V/double/9", false},
        {"1", false},
        {"e1/p/V*", true},
        {"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(glob_matches(cases[i].glob, "e1/p/V/double/8") == cases[i].matches,
              "glob '%s' %s e1/p/V/double/8", cases[i].glob,
              cases[i].matches ? "matches" : "does not match");
}

static void test_resolution(void)
{
    static const struct {
        const char *printed;
        double resolution;
    } cases[] = {{"1.732620e-04", 0.5e-10},
                 {"18.22", 0.005},
                 {"95", 0.5},
                 {"1e3", 500},
                 {"2.0", 0.05},
                 {"-3.5", 0.05},
                 {"1.5E+2", 5.0},
                 {"1.", 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double got = printed_resolution(cases[i].printed);
        check(fabs(got / cases[i].resolution - 1) <= 1e-12, "resolution of '%s' is %g",
              cases[i].printed, cases[i].resolution);
    }
}

static void test_reason(void)
{
    char word[3000];
    memset(word, 'y', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    check(because(WRONG, "one\ntwo\r\tthree") == WRONG && strcmp(reason(), "one two  three") == 0,
          "a reason is one line");
    check(because(ERR_IO, "%s", word) == ERR_IO && strlen(reason()) < sizeof word &&
              strcmp(reason() + strlen(reason()) - 6, "yyy...") == 0,
          "a reason of 2999 letters is cut, and says so");
}

static void test_judgement(void)
{
    static const char *const own[] = {
        "time",     "time_x",     "timely",  "status",      "batch", "limit",
        "fraction", "task_limit", "of_task", "task_least",  "clock", "throttled",
        "busy",     "repeatable", "steps",   "useful",      "h",     "bytes",
        "flops",    "launches",   "memory",  "temperature", "power", "waited"};
    static struct judgement judgement; /* too large for a stack */
    add_metric(&judgement, "a", 1);
    add_metric(&judgement, "a_name_that_has_32_letters_in_it", 2);
    check(judgement.count == 1 && judgement.status == ERR_ARGS &&
              strstr(reason(), "a_name_that_has_32_letters_in_it") != NULL,
          "a metric's name of 32 letters is refused");
    judgement.status = OK;
    add_metric(&judgement, "a_name_that_has_31_letters_here", 2);
    check(judgement.count == 2 && judgement.status == OK && judgement.metrics[1].value == 2 &&
              strlen(judgement.metrics[1].name) == 31,
          "metrics are kept in order, names of 31 letters whole");
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        judgement.status = OK;
        add_metric(&judgement, own[i], 3);
        check(judgement.count == 2 && judgement.status == ERR_ARGS &&
                  strstr(reason(), own[i]) != NULL,
              "the name %s is the harness's own", own[i]);
    }
    judgement = (struct judgement){.h = 0.5, .steps = 7, .useful = 9};
    const int room = sizeof judgement.metrics / sizeof *judgement.metrics - 3;
    for (int i = 0; i < room; i++)
        add_metric(&judgement, "a", i);
    check(judgement.count == room && judgement.status == OK, "there is room for %d metrics", room);
    add_metric(&judgement, "b", 1);
    check(judgement.count == room && judgement.status == ERR_ARGS && strstr(reason(), "'b'"),
          "there is no room for one more");
    add_own_metrics(&judgement);
    check(judgement.count == room + 3 && strcmp(judgement.metrics[room].name, "h") == 0 &&
              judgement.metrics[room + 1].value == 7 && judgement.metrics[room + 2].value == 9,
          "h, steps and useful are added where the judge gave them");
    judgement = (struct judgement){.steps = 7};
    add_own_metrics(&judgement);
    check(judgement.count == 1 && strcmp(judgement.metrics[0].name, "steps") == 0,
          "and are left out where it did not");
}

static enum status misnaming_judge(const struct instance *in, const struct solution *got,
                                   struct judgement *out)
{
    (void)in, (void)got;
    out->error = 0;
    add_metric(out, "time", 1);
    return OK;
}

static enum status fetch_nothing(void *state, struct solution *out, struct laps *laps)
{
    (void)state, (void)out, (void)laps;
    return OK;
}

static double any_error(const struct variant *variant, const struct instance *in,
                        const struct solution *got, struct judgement *out)
{
    (void)variant, (void)in, (void)got, (void)out;
    return INFINITY;
}

static void test_refused_metric(void)
{
    static struct judgement judgement;
    const struct problem misnamed = {.parameters = table, .judge = misnaming_judge};
    const struct calls calls = {.fetch = fetch_nothing};
    const struct variant variant = {.calls = &calls, .tolerance = any_error};
    struct instance in = {.at = {.problem = &misnamed}};
    struct solution out = {.precision = DOUBLE};
    struct laps laps;
    double none = 0;
    out.values = &none;
    check(fetch_and_judge(&in, &variant, NULL, &out, &judgement, &laps) == ERR_ARGS &&
              strstr(reason(), "'time'") != NULL,
          "an answer whose judge misnames a metric has failed");
}

/* A path and its key, both ways; what is no path; and keys that differ in one part. */
static void test_keys(void)
{
    static const struct {
        const char *path, *variant; /* null: it is no path */
    } cases[] = {{"table1/p1/A2D/double/1048576", "A2D"},
                 {"t/c/A/B/single/mean 1-2", "A/B"},
                 {"t/m=4/GPU+CPU/mixed/2^20", "GPU+CPU"},
                 {"t/c/v/double", NULL},
                 {"t/c/v/double/", NULL},
                 {"/c/v/double/1", NULL},
                 {"t//v/double/1", NULL},
                 {"t/c//double/1", NULL},
                 {"t/c/v//1", NULL},
                 {"", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct key key;
        const bool parsed = key_parse(cases[i].path, &key);
        check(parsed == (cases[i].variant != NULL), "'%s' is %s path", cases[i].path,
              cases[i].variant != NULL ? "a" : "no");
        if (parsed && cases[i].variant != NULL)
            check(strcmp(key.variant, cases[i].variant) == 0 &&
                      strcmp(key_path(&key), cases[i].path) == 0,
                  "'%s' of %s is printed as it was", cases[i].path, cases[i].variant);
    }
    const struct key one = key_make("e", "c", "v", "double", "1");
    const struct key others[] = {
        key_make("E", "c", "v", "double", "1"), key_make("e", "C", "v", "double", "1"),
        key_make("e", "c", "V", "double", "1"), key_make("e", "c", "v", "single", "1"),
        key_make("e", "c", "v", "double", "2")};
    const struct key again = key_make("e", "c", "v", "double", "1");
    check(key_same(&one, &again) && key_hash(&one) == key_hash(&again), "the same key");
    for (int i = 0; i < 5; i++)
        check(!key_same(&one, &others[i]) &&
                  key_same_method(&one, &others[i]) == (i == 1 || i == 4),
              "another key, %s", key_path(&others[i]));
}

/* Equal texts are one; and many of them stay what they are while the table grows. */
static void test_interned(void)
{
    enum { MANY = 20000 };
    static const char *texts[MANY];
    bool good = true;
    for (int i = 0; i < MANY; i++)
        texts[i] = internf("text %d", i);
    for (int i = 0; i < MANY; i++) {
        const char *const again = internf("%s %d", "text", i);
        good = good && again == texts[i] && atoi(again + 5) == i;
    }
    check(good, "%d texts are interned once", MANY);
    check(intern("") == internf("%s", "") && intern("")[0] == '\0', "so is the empty one");
}

/* The words of a status row's note, there and back. */
static void test_states(void)
{
    for (enum state s = JOB_OK; s <= JOB_CRASHED; s++) {
        const char *const note = state_note(s, "why: so");
        check(state_of(note) == s && state_of(state_note(s, "")) == s, "'%s' is a state", note);
        check(good(s) + went_wrong(s) + (s == JOB_SKIPPED) == 1, "'%s' is one of three", note);
        check(good(s) || !has_times(s), "'%s': no times without a right answer", note);
    }
    check(state_of("okay") == JOB_FAILED && state_of("") == JOB_FAILED, "other words are failures");
    for (const char *const *word = retry_words(); *word != NULL; word++)
        check(!good(state_of(*word)), "%s can be retried", *word);
}

int main(void)
{
    test_parse_number();
    test_keys();
    test_interned();
    test_states();
    test_params();
    test_texts();
    test_nearest();
    test_random();
    test_axis();
    test_globs();
    test_resolution();
    test_reason();
    test_judgement();
    test_refused_metric();
    return done();
}
