/*
 * What keeps a variant honest: draws that nobody can know, batches without a known end, data that
 * change before fetch(), a fetch that is held against its bytes; and dumps.
 */
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/intern.h"
#include "run/answer.h"
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

static void test_threads(void)
{
    static struct solving s;
    const struct calls calls = {.run = run, .fetch = fetch_threads};
    struct variant variant = {.calls = &calls, .place = HOST_PARALLEL};
    const int before = omp_get_max_threads();
    struct laps laps;
    omp_set_num_threads(64 + 4 * omp_get_num_procs());
    double least = INFINITY;
    for (int k = 0; k < 10; k++) {
        prepare(&s);
        (void)fetch_answer(&s.in, &variant, &s.subject, &s.out, &laps);
        least = fmin(least, laps_seconds(&laps));
    }
    check(hold_fetch(&s.in, &variant, &s.subject, &s.out, least, least) == OK,
          "a fetch by too many threads is good");
    variant.place = HOST;
    check(hold_fetch(&s.in, &variant, &s.subject, &s.out, least, least) == WRONG,
          "but not where one was meant to run");
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
    const char *const new = internf("%s.new", path);
    struct rlimit limit;
    prepare(&s);
    s.in.at.problem = &dumped;
    check(dump_to(path, &s.in, &s.out) == OK && access(path, R_OK) == 0 && access(new, F_OK) != 0,
          "a dump");
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

int main(void)
{
    test_drawn();
    test_batch();
    test_fetch();
    test_hold();
    test_threads();
    test_dump();
    return done();
}
