/*
 * What keeps a variant honest: draws that nobody can know, batches without a known end, data that
 * change before fetch(), a fetch that is held against its bytes; dumps;
 * and what a worker keeps from job to job.
 */
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/intern.h"
#include "run/answer.h"
#include "run/stock.h"
#include "tap.h"

static void test_drawn(void)
{
    int seen[7] = {0};
    bool within = true, same = true;
    for (int k = 0; k < 7000; k++) {
        const size_t d = drawn(7);
        within = within && d < 7;
        seen[d % 7]++;
    }
    for (int d = 0; d < 7; d++) /* one in a thousand million */
        check(seen[d] > 800 && seen[d] < 1200, "about a seventh of what is drawn is %d", d);
    for (int k = 0; k < 4; k++) {
        const size_t one = drawn(SIZE_MAX), other = drawn(SIZE_MAX);
        same = same && one == other;
    }
    check(within && !same, "and all below 7, another one every time");
}

/* --- a problem whose data are their seed, and variants of it --- */

enum { N = 1 << 14 };

struct subject {
    const uint64_t *data;
    int runs, fetches;
    double x[N];
};

static void vary(struct instance *in, uint64_t seed)
{
    *(uint64_t *)in->data = seed;
}

static enum status run(void *state, struct laps *laps)
{
    struct subject *s = state;
    (void)laps;
    s->runs++;
    for (size_t i = 0; i < N; i++)
        s->x[i] = (double)*s->data;
    return OK;
}

static void wait_for(double seconds)
{
    const double begin = now();
    while (now() - begin < seconds)
        ;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    struct subject *s = state;
    memcpy(out->values, s->x, sizeof s->x);
    s->fetches++;
    lap(laps, "back");
    return OK;
}

static enum status fetch_data(void *state, struct solution *out, struct laps *laps)
{
    struct subject *s = state;
    run(state, laps);
    return fetch(s, out, laps);
}

static enum status fetch_less(void *state, struct solution *out, struct laps *laps)
{
    (void)state, (void)laps;
    memset(out->values, 0, sizeof(double));
    return OK;
}

static enum status fetch_long(void *state, struct solution *out, struct laps *laps)
{
    wait_for(5e-2);
    return fetch(state, out, laps);
}

/* As on a busy machine: sometimes it goes undisturbed. */
static enum status fetch_disturbed(void *state, struct solution *out, struct laps *laps)
{
    const struct subject *s = state;
    wait_for(s->fetches % 4 < 3 ? 1e-2 : 0);
    return fetch(state, out, laps);
}

/* Many threads on few cores take long to begin, and that is no work. */
static enum status fetch_threads(void *state, struct solution *out, struct laps *laps)
{
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    return threads > 0 ? fetch(state, out, laps) : WRONG;
}

static const struct problem problem = {.id = "seeds", .vary = vary, .dump_header = "i,x"};

struct solving {
    uint64_t data;
    struct subject subject;
    struct instance in;
    struct solution out;
    double values[N];
};

static void prepare(struct solving *s)
{
    *s = (struct solving){.in = {.at = {.problem = &problem}, .count = N},
                          .out = {.precision = DOUBLE, .count = N}};
    s->in.data = &s->data;
    s->out.values = s->values;
    s->subject.data = &s->data;
}

static void test_batch(void)
{
    static struct solving s;
    const struct calls calls = {.run = run};
    const struct variant variant = {.calls = &calls};
    int least = 1000, most = 0;
    bool known = true;
    struct laps laps;
    double seconds;
    for (int k = 0; k < 100; k++) {
        prepare(&s);
        (void)run_timed(&s.in, &variant, &s.subject, 5, 10, &laps, &seconds);
        least = s.subject.runs < least ? s.subject.runs : least;
        most = s.subject.runs > most ? s.subject.runs : most;
        known = known && s.in.seed == s.data && s.data != 0;
    }
    check(least >= 10 && most < 20 && most > least + 3, "batches of 10 are of %d to %d runs", least,
          most);
    check(known, "and the last one's data are known");
    prepare(&s);
    check(run_timed(&s.in, &variant, &s.subject, 5, 1, &laps, &seconds) == OK &&
              s.subject.runs == 1 && s.data == 5 && seconds > 0 && seconds == laps_seconds(&laps),
          "one run is one");
}

static void test_fetch(void)
{
    static struct solving s;
    static const struct calls good = {.run = run, .fetch = fetch},
                              late = {.run = run, .fetch = fetch_data},
                              little = {.run = run, .fetch = fetch_less};
    struct laps laps;
    double seconds;
    for (uint64_t seed = 0; seed < 3; seed++) {
        const struct variant honest = {.calls = &good}, cheat = {.calls = &late},
                             lazy = {.calls = &little};
        prepare(&s);
        check(run_timed(&s.in, &honest, &s.subject, seed, 1, &laps, &seconds) == OK &&
                  fetch_answer(&s.in, &honest, &s.subject, &s.out, &laps) == OK &&
                  s.values[0] == (double)seed && s.values[N - 1] == (double)seed,
              "an answer to data %d", (int)seed);
        check(s.in.seed == seed && s.data == seed, "whose data come back");
        check(fetch_answer(&s.in, &cheat, &s.subject, &s.out, &laps) == OK &&
                  s.values[0] != (double)seed,
              "it cannot be computed after the run");
        check(s.in.seed == seed && s.data == seed, "whose data come back, too");
        check(fetch_answer(&s.in, &lazy, &s.subject, &s.out, &laps) == OK && s.values[0] == 0 &&
                  isnan(s.values[1]) && isnan(s.values[N - 1]),
              "what is not fetched is NaN");
    }
}

static void test_hold(void)
{
    static struct solving s;
    static const struct {
        const char *what;
        struct calls calls;
        enum place place;
        double run, fetched;
        bool good, again; /* whether it is fetched again, to be sure */
    } cases[] = {
        {"a copy", {.run = run, .fetch = fetch}, HOST, 1e-6, 0, true, false},
        {"a copy that was disturbed", {.run = run, .fetch = fetch}, HOST, 1e-6, 1, true, true},
        {"on all cores", {.run = run, .fetch = fetch}, HOST_PARALLEL, 1e-6, 1, true, true},
        {"disturbed three times of four",
         {.run = run, .fetch = fetch_disturbed},
         HOST,
         1e-6,
         1,
         true,
         true},
        {"work", {.run = run, .fetch = fetch_long}, HOST, 1e-3, 5e-2, false, true},
        {"work on all cores",
         {.run = run, .fetch = fetch_long},
         HOST_PARALLEL,
         1e-3,
         5e-2,
         false,
         true},
        {"little beside its run", {.run = run, .fetch = fetch_long}, HOST, 1, 5e-2, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct variant variant = {.calls = &cases[i].calls, .place = cases[i].place};
        prepare(&s);
        const enum status status =
            hold_fetch(&s.in, &variant, &s.subject, &s.out, cases[i].run, cases[i].fetched);
        check(status == (cases[i].good ? OK : WRONG), "a fetch that is %s: %s", cases[i].what,
              cases[i].good ? "good" : "not");
        check((s.subject.fetches > 0) == cases[i].again, "it is called %s",
              cases[i].again ? "again" : "no more");
    }
}

/* The least of some tries, and of what is known. */
static double least_fetch(struct solving *s, const struct variant *variant, double least)
{
    for (int k = 0; k < 10; k++) {
        struct laps laps;
        prepare(s);
        (void)fetch_answer(&s->in, variant, &s->subject, &s->out, &laps);
        least = fmin(least, laps_seconds(&laps));
    }
    return least;
}

static void test_threads(void)
{
    static struct solving s;
    const struct calls calls = {.run = run, .fetch = fetch_threads};
    struct variant variant = {.calls = &calls, .place = HOST_PARALLEL};
    const int before = omp_get_max_threads();
    omp_set_num_threads(64 + 4 * omp_get_num_procs());
    double least = least_fetch(&s, &variant, INFINITY);
    check(hold_fetch(&s.in, &variant, &s.subject, &s.out, least, least) == OK,
          "a fetch by too many threads is good");
    variant.place = HOST;
    /* On a busy machine a copy may once take as long, or the least not be found at once. */
    enum status status = OK;
    for (int k = 0; k < 200 && status == OK; k++) {
        status = hold_fetch(&s.in, &variant, &s.subject, &s.out, least, least);
        least = least_fetch(&s, &variant, least);
    }
    check(status == WRONG, "but not where one was meant to run");
    omp_set_num_threads(before);
}

static void dump(const struct instance *in, const struct solution *got, FILE *file)
{
    (void)in;
    for (size_t i = 0; i < 3; i++)
        fprintf(file, "%zu,%.17g\n", i, ((const double *)got->values)[i]);
}

static void test_dump(void)
{
    static struct solving s;
    static const struct problem dumped = {.dump = dump, .dump_header = "i,x"};
    const char *const path = internf("answer-%ld.csv", (long)getpid());
    const char *const new = internf("%s.%ld.new", path, (long)getpid());
    const char *const mine = internf("%s.new", path); /* a user's */
    struct rlimit limit;
    prepare(&s);
    s.in.at.problem = &dumped;
    check(symlink("nowhere", mine) == 0 && dump_to(path, &s.in, &s.out) == OK &&
              access(path, R_OK) == 0 && access(new, F_OK) != 0 && unlink(mine) == 0,
          "a dump, and a file beside it that may be in the way stays");
    check(dump_forget(path) == OK && access(path, F_OK) != 0, "is forgotten");
    check(dump_forget(path) == OK, "what is not there is, too");
    check(dump_forget("/dev/null") == OK && access("/dev/null", F_OK) == 0, "a device stays");
    getrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){8, limit.rlim_max});
    const enum status full = dump_to(path, &s.in, &s.out);
    setrlimit(RLIMIT_FSIZE, &limit);
    check(full == ERR_IO && access(path, F_OK) != 0 && access(new, F_OK) != 0,
          "of one that finds no room nothing is left");
}

/* --- what a worker keeps --- */

static int creations, judgements;

static enum status create_counted(struct instance *in)
{
    in->count = (size_t)get_long(&in->at, "n");
    in->data = calloc(1, sizeof(uint64_t));
    creations++;
    return in->data != NULL ? OK : ERR_MEMORY;
}

/* Refuses what is negative. */
static enum status judge_counted(const struct instance *in, const struct solution *got,
                                 struct judgement *out)
{
    (void)in;
    const double first =
        got->precision == DOUBLE ? *(double *)got->values : (double)*(float *)got->values;
    out->error = ++judgements;
    return first >= 0 ? OK : because(WRONG, "it is negative");
}

static void destroy_counted(struct instance *in)
{
    free(in->data);
}

static const struct parameter counted_parameters[] = {
    {"n", INTEGER, 1 << 14, 1, 1 << 20, NULL, "values"},
    {.name = NULL},
};
static const struct problem counted = {.parameters = counted_parameters,
                                       .create = create_counted,
                                       .vary = vary,
                                       .judge = judge_counted,
                                       .destroy = destroy_counted};

/* Whether judge() was asked; `seed` is of the data. */
static bool is_judged(struct stock *stock, const struct solution *got, uint64_t seed)
{
    const int before = judgements;
    struct judgement said = {.error = NAN};
    set_data(&stock->in, seed);
    const enum status status = stock_judge(stock, got, &said);
    return judgements > before || status != OK || isnan(said.error);
}

static void test_kept_verdicts(struct stock *stock)
{
    double x[4] = {1, 2, 3, 4};
    const struct solution four = {DOUBLE, 4, x}, single = {SINGLE, 4, x}, two = {DOUBLE, 2, x};
    check(is_judged(stock, &four, 0) && !is_judged(stock, &four, 0), "the same bits: once");
    check(is_judged(stock, &four, 7) && !is_judged(stock, &four, 7), "and for each data");
    check(is_judged(stock, &single, 0) && is_judged(stock, &two, 0), "precision and count differ");
    x[3] = 5;
    check(is_judged(stock, &four, 0), "a last value differs");
    x[0] = -1;
    (void)is_judged(stock, &four, 0);
    check(is_judged(stock, &four, 0), "what is wrong is judged again");
    for (int k = 0; k < MOST_KNOWN; k++) {
        x[0] = 100 + k;
        (void)is_judged(stock, &four, 0);
    }
    check(!is_judged(stock, &four, 0), "of many the last one is remembered");
    x[0] = 1;
    check(is_judged(stock, &four, 0), "and the first one is not");
}

static void test_order(const struct stock *stock, const struct stock *other)
{
    enum { COUNT = 30 };
    int a[COUNT], b[COUNT], c[COUNT], d[COUNT], seen[COUNT] = {0};
    bool all = true;
    stock_order(stock, 2, COUNT, a);
    stock_order(stock, 2, COUNT, b);
    stock_order(stock, 3, COUNT, c);
    stock_order(other, 2, COUNT, d);
    for (int i = 0; i < COUNT; i++)
        seen[a[i]]++;
    for (int i = 0; i < COUNT; i++)
        all = all && seen[i] == 1;
    check(all && memcmp(a, b, sizeof a) == 0, "each number once, for all variants alike");
    check(memcmp(a, c, sizeof a) != 0, "otherwise in another round");
    check(memcmp(a, d, sizeof a) != 0, "and for other data");
}

/* Every value counts, also where pieces of a large answer meet. */
static void test_fingerprint(void)
{
    static double x[N + 3];
    const struct solution large = {DOUBLE, N + 3, x};
    const uint64_t zeros = fingerprint(&large);
    bool other = true;
    for (size_t i = 0; i < N + 3; i++) {
        x[i] = 0x1p-1074;
        other = other && fingerprint(&large) != zeros;
        x[i] = 0;
    }
    check(other && fingerprint(&large) == zeros, "a bit of any value shows");
    omp_set_num_threads(3);
    check(fingerprint(&large) == zeros, "and threads do not");
    omp_set_num_threads(1);
}

static void test_stock(void)
{
    struct stock stock = {.room = 0}, other = {.room = 0};
    struct params at;
    params_init(&at, &counted);
    bool good = stock_instance(&stock, &at) == OK && stock_instance(&other, &at) == OK;
    test_kept_verdicts(&stock);
    test_order(&stock, &other);
    set_data(&stock.in, 9);
    good = good && stock_instance(&stock, &at) == OK;
    check(good && creations == 2 && stock.in.seed == 0, "data of the same parameters stay");
    good = params_set(&at, "n", "5") == OK && stock_instance(&stock, &at) == OK;
    check(good && creations == 3 && stock.in.count == 5, "others are made");
    double x[4] = {131, 2, 3, 5};
    check(is_judged(&stock, &(struct solution){DOUBLE, 4, x}, 0), "and judged on their own");
    stock_free(&stock);
    stock_free(&other);
    test_fingerprint();
}

int main(void)
{
    test_drawn();
    test_batch();
    test_fetch();
    test_hold();
    test_threads();
    test_dump();
    test_stock();
    return done();
}
