/*
 * The family bvp: every variant against the exact solution of the discrete system, the published
 * digits, shapes that do not fit, inputs from files, and that nothing changes from run to run.
 */
#include "bvp/bvp.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bvp/rhs.h"
#include "machine/device.h"
#include "solving.h"
#include "tap.h"

enum { P1, P2, STORED, PROBLEMS };

static const struct variant *variant_of(const char *id)
{
    const struct variant *v = bvp_variants;
    while (v->id != NULL && strcmp(v->id, id) != 0)
        v++;
    return v;
}

static enum status create(struct instance *in, int problem, const struct setting *settings,
                          const char *input)
{
    return create_problem(in, &bvp_problems[problem], settings, input);
}

static enum status prepare(struct solve *s, const struct variant *v, int problem,
                           const struct setting *settings, const char *input)
{
    return prepare_problem(s, v, &bvp_problems[problem], settings, input);
}

static bool applies(const struct variant *v, int problem, const struct setting *settings,
                    const char *input)
{
    return takes(v, &bvp_problems[problem], settings, input);
}

static struct judgement judgement_of(const struct solve *s)
{
    struct judgement judgement;
    (void)judged(s, &judgement);
    return judgement;
}

/* Largest difference from the exact discrete solution, relative to its largest value. */
static double distance(const struct solve *s)
{
    long double most = 0, size = 0;
    long double *u = malloc(s->in.count * sizeof *u);
    if (u == NULL)
        return NAN;
    bvp_discrete_solution(&s->in, u);
    for (size_t i = 0; i < s->in.count; i++) {
        const long double off = fabsl((long double)value(&s->out, i) - u[i]);
        most = off <= most || isnan(most) ? most : off;
        size = fmaxl(size, fabsl(u[i]));
    }
    free(u);
    return (double)(most / size);
}

/* Rounding in the largest norm; it is near what the l2 norm of judge() allows. */
static void test_against_discrete(void)
{
    static const struct {
        const char *n, *r, *s, *block;
    } sizes[] = {
        {"2", "0", "0", "0"},         {"3", "0", "0", "0"},           {"4", "2", "2", "1"},
        {"5", "2", "0", "0"},         {"7", "0", "0", "0"},           {"7", "1", "7", "0"},
        {"63", "0", "0", "0"},        {"64", "0", "0", "0"},          {"64", "0", "2", "3"},
        {"65", "0", "0", "0"},        {"127", "0", "0", "0"},         {"128", "64", "2", "0"},
        {"129", "64", "2", "0"},      {"1000", "0", "0", "0"},        {"1000", "65", "0", "64"},
        {"4095", "0", "0", "0"},      {"4096", "0", "0", "0"},        {"4097", "0", "0", "1024"},
        {"8191", "0", "0", "0"},      {"8192", "63", "100", "0"},     {"12345", "100", "123", "0"},
        {"65537", "255", "257", "0"}, {"999983", "999", "1000", "0"},
    };
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++)
        for (int problem = 0; problem < PROBLEMS; problem++)
            for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1)) {
                const struct setting settings[] = {{"n", sizes[c].n},
                                                   {"r", sizes[c].r},
                                                   {"s", sizes[c].s},
                                                   {"block", sizes[c].block},
                                                   {NULL, NULL}};
                struct solve s;
                if (!applies(v, problem, settings, NULL))
                    continue;
                enum status status = prepare(&s, v, problem, settings, NULL);
                if (status == OK)
                    status = go(&s, c % 3);
                const double off = status == OK ? distance(&s) : (double)NAN;
                const double allowed = tolerance_of(&s);
                const struct judgement judgement =
                    status == OK ? judgement_of(&s) : (struct judgement){0};
                const bool good = status == OK && off <= allowed && is_good(&s);
                check(good, "%s %s n=%s r=%s s=%s block=%s seed=%d", v->id, s.in.at.problem->id,
                      sizes[c].n, sizes[c].r, sizes[c].s, sizes[c].block, (int)(c % 3));
                if (!good)
                    fprintf(stderr, "# off by %.3g, allowed %.3g, error %.6e; %s\n", off, allowed,
                            judgement.error, status == OK ? "" : reason());
                release(&s);
            }
}

/* Digits of the paper and of the analysis. The device's cos and exp are its own: only the emulated
 * one shares the host's, and gives seven digits. */
static void test_digits(void)
{
    static const struct {
        const char *variant;
        int problem;
        const char *n, *r, *s, *arithmetic;
        double error, near, near_elsewhere;
    } cells[] = {
        {"A1S", 0, "2^20", "0", "0", "ieee", 1.732620e-04, 4e-7, 4e-7},
        {"A1S", 1, "2^20", "0", "0", "ieee", 2.618970e-03, 4e-7, 4e-7},
        {"A1D", 0, "2^20", "0", "0", "ieee", 1.930917e-13, 4e-7, 4e-7},
        {"A1D", 1, "2^20", "0", "0", "ieee", 1.314334e-11, 4e-7, 4e-7},
        {"A2S", 0, "2^20", "0", "0", "ieee", 6.381482e-07, 4e-7, 0.5},
        {"A2SD", 0, "2^20", "0", "0", "ieee", 2.535201e-07, 4e-7, 0.5},
        {"A2S", 1, "2^20", "0", "0", "ieee", 4.717560e-06, 4e-7, 0.5},
        {"A2SD", 1, "2^20", "0", "0", "ieee", 1.178749e-06, 4e-7, 0.5},
        {"A2S", 0, "2^20", "0", "0", "historical", 6.381482e-07, 4e-7, 1e-3},
        {"A2SD", 0, "2^20", "0", "0", "historical", 2.569113e-07, 4e-7, 1e-3},
        {"A2S", 1, "2^20", "0", "0", "historical", 4.455772e-06, 4e-7, 1e-2},
        {"A2SD", 1, "2^20", "0", "0", "historical", 2.232068e-07, 4e-7, 1e-2},
        {"A2D", 0, "2^20", "0", "0", "ieee", 1.877603e-13, 0.01, 0.01},
        {"A2D", 1, "2^20", "0", "0", "ieee", 1.312754e-11, 1e-4, 1e-4},
        {"A2D", 1, "999983", "999", "1000", "ieee", 1.4434e-11, 0.01, 0.01},
        {"A1D-omp", 0, "2^20", "0", "0", "ieee", 1.87007e-13, 0.01, 0.01},
        {"A1D-omp", 1, "2^20", "0", "0", "ieee", 1.312744e-11, 1e-4, 1e-4},
    };
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
        const struct variant *v = variant_of(cells[c].variant);
        const struct setting settings[] = {
            {"n", cells[c].n},      {"r", cells[c].r},
            {"s", cells[c].s},      {"arithmetic", cells[c].arithmetic},
            {"reference", "paper"}, {NULL, NULL},
        };
        struct solve s;
        if (!runs_here(v)) {
            skip(v->id, "no device");
            continue;
        }
        enum status status = prepare(&s, v, cells[c].problem, settings, NULL);
        if (status == OK)
            status = go(&s, 0);
        const double error = status == OK ? judgement_of(&s).error : (double)NAN;
        const bool same_functions = !uses_device(v) || strcmp(device_kind(), "emulated") == 0;
        const double allowed = same_functions ? cells[c].near : cells[c].near_elsewhere;
        const double off = fabs(error / cells[c].error - 1);
        check(off <= allowed, "%s %s n=%s arithmetic=%s error %.6e is %.6e", v->id,
              s.in.at.problem->id, cells[c].n, cells[c].arithmetic, cells[c].error, error);
        release(&s);
    }
}

/* The formulas of judge() for the error that no variant can avoid. */
static void test_inherent(void)
{
    static const char *const sizes[] = {"2", "50", "78", "80", "4096", "4097", "20011", "2^16"};
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++)
        for (int problem = 0; problem < 2; problem++) {
            const struct setting settings[] = {{"n", sizes[c]}, {NULL, NULL}};
            struct instance in;
            if (!check(create(&in, problem, settings, NULL) == OK, "create n=%s", sizes[c]))
                continue;
            long double *u = malloc(in.count * sizeof *u);
            double *rounded = malloc(in.count * sizeof *rounded);
            struct solution out = {DOUBLE, in.count, rounded};
            struct judgement judgement = {.error = NAN};
            bvp_discrete_solution(&in, u);
            for (size_t i = 0; i < in.count; i++)
                rounded[i] = (double)u[i];
            const bool ok = in.at.problem->judge(&in, &out, &judgement) == OK;
            const double off = fabs(judgement.error - judgement.inherent);
            check(ok && off <= 4e-16 + 1e-9 * judgement.inherent,
                  "inherent error %s n=%s: %.10e, of the discrete solution %.10e",
                  in.at.problem->id, sizes[c], judgement.inherent, judgement.error);
            rounded[in.count / 2] = NAN;
            judgement = (struct judgement){.error = 0};
            (void)in.at.problem->judge(&in, &out, &judgement);
            check(isnan(judgement.error) && isnan(judgement.metrics[1].value),
                  "a NaN stays in the judgement of %s n=%s", in.at.problem->id, sizes[c]);
            free(rounded);
            free(u);
            in.at.problem->destroy(&in);
        }
}

/* Of the same answer, once before the judge keeps the exact solution, and once after that. */
static bool same_numbers(const struct judgement *a, const struct judgement *b)
{
    bool same = a->count == b->count && a->error == b->error;
    for (int k = 0; k < a->count && same; k++)
        same = a->metrics[k].value == b->metrics[k].value;
    return same;
}

/* The judge's sums for a stored f are taken chunk by chunk; the plain ones are not. They are the
 * same whether f is held or drawn as they go. */
static void test_stored_reference(void)
{
    static const char *const sizes[] = {"2", "65536", "65537", "200003"};
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
        const struct setting settings[] = {{"n", sizes[c]}, {NULL, NULL}};
        struct instance in;
        if (!check(create(&in, STORED, settings, NULL) == OK, "create n=%s", sizes[c]))
            continue;
        const struct bvp *b = in.data;
        long double *u = malloc(in.count * sizeof *u);
        double *rounded = malloc(in.count * sizeof *rounded);
        assert(u != NULL && rounded != NULL);
        in.at.problem->vary(&in, 3);
        bvp_discrete_solution(&in, u);
        bool drawn = true;
        for (size_t i = 0; i < in.count; i++) {
            rounded[i] = (double)u[i];
        }
        drawn = drawn && b->f == NULL;
        const struct solution out = {DOUBLE, in.count, rounded};
        struct judgement judgement = {.error = NAN};
        const bool ok = in.at.problem->judge(&in, &out, &judgement) == OK;
        check(ok && judgement.error < 1e-16, "stored n=%s: of the discrete solution %.3g", sizes[c],
              judgement.error);
        static struct judgement again;
        again = (struct judgement){.error = NAN};
        check(bvp_hold_f(&in) == OK && b->f != NULL &&
                  in.at.problem->judge(&in, &out, &again) == OK && same_numbers(&judgement, &again),
              "stored n=%s: judged alike where f is held", sizes[c]);
        assert(b->f != NULL);
        for (size_t i = 0; i < in.count; i++)
            drawn = drawn && b->f[i] == uniform(19, i) - 0.25;
        check(drawn, "stored n=%s: and it is the one that is drawn", sizes[c]);
        double all = 0, above = 0;
        for (size_t i = 0; i < in.count; i++) {
            const double size = fabs(b->f[i]) * (i == 0 ? 0.5 : 1);
            all += size;
            above += size * (double)(in.count - i);
        }
        const double late = all / above * (double)in.count;
        check(late <= b->late && b->late <= 2.5 * late, "stored n=%s: late %.3g, at most %.3g",
              sizes[c], late, b->late);
        free(rounded);
        free(u);
        in.at.problem->destroy(&in);
    }
}

/* The largest |h^2 f - A u|, by a plain loop. */
static double plain_residual(const struct solve *s)
{
    const struct bvp *b = s->in.data;
    const double h = 1 / (double)b->n;
    double most = 0;
    for (size_t i = 0; i < b->n; i++) {
        const double u = value(&s->out, i), left = i > 0 ? value(&s->out, i - 1) : u,
                     right = i + 1 < b->n ? value(&s->out, i + 1) : 0,
                     f = b->code == RHS_INPUT ? uniform(19, i) - 0.25
                                              : rhs_double(b->code, (double)i / (double)b->n),
                     d = b->amplitude * h * h * f;
        most = fmax(most, fabs((i == 0 ? d / 2 : d) - ((u - left) + (u - right))));
    }
    return most;
}

/* Several chunks, the last one short: for any number of threads, and each value is seen. */
static void test_chunks(void)
{
    static const struct setting settings[] = {
        {"n", "200003"}, {"reference", "paper"}, {NULL, NULL}};
    static const size_t places[] = {0, 511, 512, 65535, 65536, 131072, 200001, 200002};
    for (int problem = 0; problem < PROBLEMS; problem++)
        for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1)) {
            struct solve s;
            if (!applies(v, problem, settings, NULL))
                continue;
            const bool ran = prepare(&s, v, problem, settings, NULL) == OK && go(&s, 0) == OK;
            const char *const of = s.in.at.problem->id;
            static struct judgement first, later; /* too large for a stack */
            if (!ran)
                fprintf(stderr, "# %s\n", reason());
            (void)judged(&s, &first);
            if (check(ran && is_good(&s), "%s %s n=200003 is good", v->id, of)) {
                check(judged(&s, &later) == OK && same_numbers(&first, &later),
                      "%s %s n=200003 is judged alike each time", v->id, of);
                double norm = 0;
                for (size_t i = 0; i < s.in.count; i++)
                    norm += value(&s.out, i) * value(&s.out, i);
                const struct judgement judgement = judgement_of(&s);
                const double of_sizes =
                    problem == STORED ? 2 : 1; /* what its error is relative to */
                const double allowed = of_sizes * (1.05 * judgement.inherent + tolerance_of(&s));
                bool seen = true, exact = true;
                for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
                    const double here = value(&s.out, places[k]);
                    const double off = (1.01 * allowed + judgement.error) * sqrt(norm);
                    set_value(&s.out, places[k], NAN);
                    seen = seen && !is_good(&s);
                    set_value(&s.out, places[k], here + off);
                    seen = seen && !is_good(&s);
                    /* A jump shows as it is in the residual, there or beside it. */
                    const double jump = value(&s.out, places[k]) - here;
                    const double residual = judgement_of(&s).metrics[judgement.count - 1].value;
                    exact = exact && residual > 0.9 * jump;
                    set_value(&s.out, places[k], here);
                }
                check(seen, "%s %s: one value that is off is seen in every chunk", v->id, of);
                check(exact, "%s %s: and in the residual", v->id, of);
                const double residual = judgement.metrics[judgement.count - 1].value;
                check(fabs(residual / plain_residual(&s) - 1) < 1e-3,
                      "%s %s: the residual %.3g is what a plain loop finds", v->id, of, residual);
                check(is_judged_alike(&s), "%s %s: judged alike by 1, 2 and 3 threads", v->id, of);
            }
            release(&s);
        }
}

static bool repeats(struct solve *s, unsigned char *first, uint64_t seed)
{
    const bool ran = go(s, seed) == OK;
    return ran && is_again(s, first);
}

static void test_repetition(void)
{
    static const struct setting settings[] = {{"n", "12345"}, {NULL, NULL}};
    for (int problem = 0; problem < PROBLEMS; problem++)
        for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1)) {
            struct solve s;
            if (!runs_here(v)) {
                skip(v->id, v->unavailable != NULL ? v->unavailable : "no device");
                continue;
            }
            const bool ran = prepare(&s, v, problem, settings, NULL) == OK && go(&s, 0) == OK;
            unsigned char *first = malloc(s.bytes + 1);
            assert(first != NULL);
            if (check(ran, "%s %s n=12345 runs", v->id, s.in.at.problem->id)) {
                memcpy(first, s.out.values, s.bytes);
                const char *of = s.in.at.problem->id;
                check(repeats(&s, first, 0), "%s %s two runs agree bit for bit", v->id, of);
                check(!repeats(&s, first, 1), "%s %s seed 1 changes the answer", v->id, of);
                check(is_good(&s), "%s %s seed 1 is judged good", v->id, of);
                (void)go(&s, 0);
                s.in.at.problem->vary(&s.in, 1);
                check(!is_good(&s), "%s %s an answer of seed 0 is not one of seed 1", v->id, of);
                check(repeats(&s, first, 0), "%s %s seed 0 brings the answer back", v->id, of);
                if (uses_device(v)) {
                    const bool turned = device_thread_order("descending") == OK;
                    check(turned && repeats(&s, first, 0), "%s %s threads in descending order",
                          v->id, of);
                    (void)device_thread_order("ascending");
                }
            }
            free(first);
            release(&s);
        }
}

static void test_shapes(void)
{
    static const struct {
        const char *n, *r, *s;
        size_t columns, rows; /* 0: refused */
    } shapes[] = {
        {"2", "0", "0", 1, 2},          {"3", "0", "0", 1, 2},
        {"4", "0", "0", 2, 2},          {"10", "0", "0", 3, 3},
        {"2^20", "0", "0", 1024, 1024}, {"999983", "0", "0", 1000, 999},
        {"100", "7", "0", 7, 14},       {"100", "0", "7", 14, 7},
        {"100", "1", "100", 1, 100},    {"100", "51", "0", 0, 0},
        {"100", "0", "101", 0, 0},      {"100", "101", "0", 0, 0},
        {"100", "100", "1", 0, 0},      {"100", "0", "1", 0, 0},
        {"100", "10", "11", 0, 0},      {"2^20", "2^33", "2^33", 0, 0},
    };
    for (size_t c = 0; c < sizeof shapes / sizeof *shapes; c++) {
        const struct setting settings[] = {
            {"n", shapes[c].n}, {"r", shapes[c].r}, {"s", shapes[c].s}, {NULL, NULL}};
        struct instance in;
        const enum status status = create(&in, 0, settings, NULL);
        const struct bvp *b = in.data;
        const bool good = shapes[c].rows == 0
                              ? status == ERR_ARGS && strstr(reason(), "r s <= n") != NULL
                              : status == OK && b->r == shapes[c].columns && b->s == shapes[c].rows;
        check(good, "shape n=%s r=%s s=%s", shapes[c].n, shapes[c].r, shapes[c].s);
        in.at.problem->destroy(&in);
    }
    static const struct setting historical[] = {{"arithmetic", "historical"}, {NULL, NULL}};
    struct solve s;
    if (have_device) {
        const bool refused = prepare(&s, variant_of("A2D"), 0, historical, NULL) == ERR_ARGS;
        check(refused, "A2D refuses arithmetic=historical");
        release(&s);
    } else {
        skip("A2D refuses arithmetic=historical", "no device");
    }
    if (runs_here(variant_of("cub-sums"))) {
        const bool refused = prepare(&s, variant_of("cub-sums"), 0, historical, NULL) == ERR_ARGS;
        check(refused, "cub-sums refuses arithmetic=historical");
        release(&s);
    }
}

static void test_bad_inputs(const char *path)
{
    static const struct {
        const char *text;
        enum status status;
        const char *says; /* part of the sentence */
    } files[] = {
        {"1\n2\n3\n", OK, ""},
        {"1\n2\n3", OK, ""},
        {" 1 \r\n-2e0\r\n+3.5\r\n\r\n", OK, ""},
        {"1\n2\n3\n\n\n", OK, ""},
        {"", ERR_ARGS, "0 values"},
        {"1\n2\n", ERR_ARGS, "2 values"},
        {"1\n2\n3\n4\n", ERR_ARGS, "more than"},
        {"1\n\n2\n3\n", ERR_ARGS, "line 2"},
        {"1\n2 3\n4\n", ERR_ARGS, "line 2"},
        {"1\n2\nthree\n", ERR_ARGS, "line 3"},
        {"1\nnan\n3\n", ERR_ARGS, "line 2"},
        {"inf\n2\n3\n", ERR_ARGS, "line 1"},
        {"1\n2\n1e999\n", ERR_ARGS, "line 3"},
    };
    static const struct setting settings[] = {{"n", "3"}, {NULL, NULL}};
    struct instance in;
    for (size_t c = 0; c < sizeof files / sizeof *files; c++) {
        const bool written = write_file(path, files[c].text, strlen(files[c].text)) == OK;
        const enum status status = create(&in, 0, settings, path);
        const bool good = written && status == files[c].status &&
                          (status == OK || (strstr(reason(), files[c].says) != NULL &&
                                            strstr(reason(), path) != NULL));
        check(good, "input file %d", (int)c);
        in.at.problem->destroy(&in);
    }
    unlink(path);
    check(create(&in, 0, settings, path) == ERR_IO, "input file that is not there");
    in.at.problem->destroy(&in);
    check(create(&in, 0, settings, ".") == ERR_IO, "input file that is a folder");
    in.at.problem->destroy(&in);
}

/* An answer that is wrong by a factor has a small residual beside its size; it must not pass. */
static void test_wrong_answers(const char *path)
{
    static const struct setting settings[] = {{"n", "9001"}, {NULL, NULL}};
    static const double factors[] = {1, 2, 0, 0.999};
    struct instance in;
    if (!check(create(&in, 0, settings, path) == OK, "an input to judge wrong answers by"))
        return;
    long double *u = calloc(in.count, sizeof *u);
    double *values = calloc(in.count, sizeof *values);
    assert(u != NULL && values != NULL);
    bvp_discrete_solution(&in, u);
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
        struct judgement judgement = {.error = NAN};
        for (size_t i = 0; i < in.count; i++)
            values[i] = (double)(u[i] * factors[k]);
        const struct solution got = {DOUBLE, in.count, values};
        const enum status status = in.at.problem->judge(&in, &got, &judgement);
        const bool right = judgement.error<1e-15, wrong = judgement.error> 1e-5;
        check(status == OK && (factors[k] == 1 ? right : wrong), "input, u times %g: error %.3g",
              factors[k], judgement.error);
    }
    free(values);
    free(u);
    in.at.problem->destroy(&in);
}

/* The f of a u that was drawn, whose sums are n^2 times as large. What rounding explains is not fit
 * to print from a hundredth on; what it does not is wrong, as are zeros, of which each equation
 * says so. */
static void test_cancelling(void)
{
    enum { N = 3001 };
    static const struct setting settings[] = {{"n", "3001"}, {NULL, NULL}};
    static const struct {
        const char *what;
        double factor, wave; /* u times that, and so much of cos(pi x/2) */
        enum status status;
    } answers[] = {{"u", 1, 0, OK},
                   {"a little beside it", 1, 1e-3, OK},
                   {"a tenth beside it", 1, 0.1, ERR_DIVERGED},
                   {"zeros", 0, 0, WRONG},
                   {"-u", -1, 0, WRONG}};
    double u[N + 1] = {0};
    char path[64];
    struct solve s;
    snprintf(path, sizeof path, "test_bvp_%ld.txt", (long)getpid());
    FILE *const file = fopen(path, "w");
    if (!check(file != NULL, "a file to write"))
        return;
    for (int i = 0; i < N; i++)
        u[i] = 2 * uniform(11, (uint64_t)i) - 1;
    for (int i = 0; i < N; i++) {
        const double behind = u[i] - u[i + 1], before = i > 0 ? u[i] - u[i - 1] : behind;
        fprintf(file, "%.17g\n", N * (double)N * (before + behind));
    }
    fclose(file);
    const bool ready = prepare(&s, variant_of("A1S"), P1, settings, path) == OK && go(&s, 0) == OK;
    check(ready, "A1S with sums that cancel");
    for (size_t k = 0; ready && k < sizeof answers / sizeof *answers; k++) {
        struct judgement judgement;
        for (size_t i = 0; i < N; i++)
            set_value(&s.out, i,
                      answers[k].factor * u[i] + answers[k].wave * cos(M_PI / 2 * (double)i / N));
        const enum status judging = judged(&s, &judgement);
        const enum status status = accept_judged(&s.in, s.variant, &s.out, judging, &judgement);
        check(status == answers[k].status, "sums that cancel: %s, error %.3g", answers[k].what,
              judgement.error);
    }
    release(&s);
    unlink(path);
}

static void test_inputs(void)
{
    enum { N = 9001 };
    static const struct setting settings[] = {{"n", "9001"}, {NULL, NULL}};
    char path[64];
    snprintf(path, sizeof path, "test_bvp_%ld.txt", (long)getpid());
    test_bad_inputs(path);
    FILE *file = fopen(path, "w");
    if (!check(file != NULL, "a file to write"))
        return;
    for (int i = 0; i < N; i++)
        fprintf(file, "%.17g\n", sin(0.001 * i) + (i % 7) - 3);
    fclose(file);
    test_wrong_answers(path);
    for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1)) {
        struct solve s;
        if (!applies(v, 0, settings, path))
            continue;
        for (uint64_t seed = 0; seed < 2; seed++) {
            enum status status = prepare(&s, v, 0, settings, path);
            if (status == OK)
                status = go(&s, seed);
            const double off = status == OK ? distance(&s) : (double)NAN;
            const struct judgement judgement =
                status == OK ? judgement_of(&s) : (struct judgement){0};
            const bool good =
                status == OK && is_good(&s) && judgement.count == 2 && off <= 2 * tolerance_of(&s);
            check(good, "%s with f from a file, seed %d, off by %.3g, residual %.3g", v->id,
                  (int)seed, off, judgement.error);
            release(&s);
        }
    }
    unlink(path);
}

/* Inputs on which rounding does its worst, always the same way; and inputs out of the range. */
static void test_hard_inputs(void)
{
    static const struct {
        double first, others, last;
        const char *single_says, *double_says; /* null: good */
    } inputs[] = {
        {0.1, 0.1, 0.1, NULL, NULL},
        {1, 0, 0, NULL, NULL},
        {0, 0, 1, NULL, NULL},
        {1e-300, 1e-300, 1e-300, "underflow: f stays below 1e-300, and single",
         "underflow: h^2 f stays below"},
        {1e-33, 1e-33, 1e-33, "underflow: h^2 f stays below", NULL},
        {1e39, 1e39, 1e39, "overflow: f reaches 1e+39, and single", NULL},
        {0, 0, 0, NULL, NULL},
    };
    enum { N = 200003 };
    static const struct setting settings[] = {{"n", "200003"}, {NULL, NULL}};
    char path[64];
    snprintf(path, sizeof path, "test_bvp_%ld.txt", (long)getpid());
    for (size_t c = 0; c < sizeof inputs / sizeof *inputs; c++) {
        FILE *file = fopen(path, "w");
        if (!check(file != NULL, "a file to write"))
            return;
        for (int i = 0; i < N; i++)
            fprintf(file, "%.17g\n",
                    i == 0       ? inputs[c].first
                    : i == N - 1 ? inputs[c].last
                                 : inputs[c].others);
        fclose(file);
        for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1)) {
            const char *const says =
                v->precision == DOUBLE ? inputs[c].double_says : inputs[c].single_says;
            struct judgement judgement;
            struct solve s;
            if (!applies(v, 0, settings, path))
                continue;
            const bool ran = prepare(&s, v, 0, settings, path) == OK && go(&s, 0) == OK;
            const enum status status = ran ? judged(&s, &judgement) : ERR_ARGS;
            const bool good = says == NULL
                                  ? status == OK && is_good(&s)
                                  : status == ERR_DIVERGED && strstr(reason(), says) != NULL;
            check(good, "%s f=%g,%g,...,%g n=%d: %s", v->id, inputs[c].first, inputs[c].others,
                  inputs[c].last, N, says == NULL ? "good" : says);
            if (ran && says == NULL) {
                set_value(&s.out, 1000, NAN);
                check(!is_good(&s), "%s f=%g,%g,...: a NaN is wrong", v->id, inputs[c].first,
                      inputs[c].others);
            }
            release(&s);
        }
    }
    unlink(path);
}

/* Data near the end of the range stay within it when they change, and so do sums over them. */
static void test_varied_range(void)
{
    static const struct setting settings[] = {{"n", "20011"}, {NULL, NULL}};
    char path[64];
    snprintf(path, sizeof path, "test_bvp_%ld.txt", (long)getpid());
    for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1)) {
        const double most = v->precision == DOUBLE ? 1.7e308 : 3e38;
        FILE *const file = fopen(path, "w");
        struct solve s;
        if (!check(file != NULL, "a file to write"))
            return;
        for (uint64_t i = 0; i < 20011; i++)
            fprintf(file, "%.17g\n", most * (2 * uniform(7, i) - 1));
        fclose(file);
        if (!applies(v, 0, settings, path))
            continue;
        bool good = prepare(&s, v, 0, settings, path) == OK && go(&s, 0) == OK && is_good(&s);
        for (uint64_t seed = 1; seed < 8 && good; seed++)
            good = go(&s, seed) == OK && is_good(&s);
        s.in.at.problem->vary(&s.in, 0);
        check(good && !is_good(&s), "%s f up to %g: good data are so when they change", v->id,
              most);
        release(&s);
    }
    unlink(path);
}

/* One value off by a few times what is allowed in l2, every other one zero, and other data. */
static void test_bad_answers(void)
{
    static const struct setting settings[] = {{"n", "20011"}, {NULL, NULL}};
    for (int problem = 0; problem < PROBLEMS; problem++)
        for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1)) {
            struct solve s;
            if (!applies(v, problem, settings, NULL))
                continue;
            const bool ran =
                prepare(&s, v, problem, settings, NULL) == OK && go(&s, 0) == OK && is_good(&s);
            if (check(ran, "%s %s n=20011 to be spoilt", v->id, s.in.at.problem->id)) {
                const struct judgement judgement = judgement_of(&s);
                const double here = value(&s.out, 777);
                double norm = 0;
                for (size_t i = 0; i < s.in.count; i++)
                    norm += value(&s.out, i) * value(&s.out, i);
                set_value(&s.out, 777,
                          here + 3 * (tolerance_of(&s) + judgement.inherent) * sqrt(norm));
                check(!is_good(&s), "%s %s: one value off", v->id, s.in.at.problem->id);
                set_value(&s.out, 777, here);
                s.in.at.problem->vary(&s.in, 1);
                check(!is_good(&s), "%s %s: the answer to other data", v->id, s.in.at.problem->id);
                s.in.at.problem->vary(&s.in, 0);
                for (size_t i = 1; i < s.in.count; i += 2)
                    set_value(&s.out, i, 0);
                check(!is_good(&s), "%s %s: every other left out", v->id, s.in.at.problem->id);
            }
            release(&s);
        }
}

/* What l2 does not see where rounding may take much of it: a tail left out, one value off by a
 * hundredth of the largest; and what nobody solved, u(x). */
static void test_equations(void)
{
    static const struct setting large[] = {{"n", "2^20"}, {NULL, NULL}};
    static const struct setting small[] = {{"n", "100"}, {NULL, NULL}};
    for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1)) {
        struct solve s;
        if (v->precision == DOUBLE || !applies(v, P2, large, NULL))
            continue;
        if (check(prepare(&s, v, P2, large, NULL) == OK && go(&s, 0) == OK && is_good(&s),
                  "%s %s n=2^20 to be spoilt", v->id, precision_of(v))) {
            const double here = value(&s.out, 123456);
            set_value(&s.out, 123456, here + value(&s.out, 0) / 100);
            check(!is_good(&s), "%s %s n=2^20: one value off", v->id, precision_of(v));
            set_value(&s.out, 123456, here);
            for (size_t i = s.in.count / 5; i < s.in.count; i++)
                set_value(&s.out, i, 0);
            check(!is_good(&s), "%s %s n=2^20: zeros behind a fifth", v->id, precision_of(v));
        }
        release(&s);
    }
    for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1)) {
        struct solve s;
        if (v->precision != DOUBLE || !applies(v, P1, small, NULL))
            continue;
        if (check(prepare(&s, v, P1, small, NULL) == OK && go(&s, 0) == OK && is_good(&s),
                  "%s n=100", v->id)) {
            for (size_t i = 0; i < s.in.count; i++)
                set_value(&s.out, i, cos(acos(0) * (double)i / (double)s.in.count));
            check(!is_good(&s), "%s: u(x) is not the discrete solution", v->id);
        }
        release(&s);
    }
}

/* --- A2-limit --- */

static bool limit_is_right(const struct variant *v, int problem, size_t n, double most)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", n);
    const struct setting settings[] = {{"n", text}, {NULL, NULL}};
    struct solve s;
    const bool ran = prepare(&s, v, problem, settings, NULL) == OK && go(&s, n % 5) == OK;
    const double off = ran ? distance(&s) : (double)NAN;
    const bool good = ran && is_good(&s) && off <= fmin(most, 2 * tolerance_of(&s));
    if (!good)
        fprintf(stderr, "# %s %s %s n=%zu: off by %.3g, most %.3g; %s\n", v->id, precision_of(v),
                s.in.at.problem->id, n, off, most, ran ? "" : reason());
    release(&s);
    return good;
}

/* All of 2 .. 100, what lies around powers of two and of each shape, and what nobody chose. */
static size_t limit_sizes(size_t *sizes, uint64_t seed)
{
    static const size_t steps[] = {448,  480,  512,   672,   992,   1024,
                                   3584, 4096, 11904, 16384, 47616, 65536};
    size_t count = 0;
    for (size_t n = 2; n <= 100; n++)
        sizes[count++] = n;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        for (size_t n = steps[k] - 1; n <= steps[k] + 1; n++)
            sizes[count++] = n;
    for (uint64_t k = 0; k < 12; k++)
        sizes[count++] = 100 + (size_t)(exp2(17 * uniform(seed, k)));
    return count;
}

/* u is written; an f in memory is read twice as well. */
static void test_traffic(void)
{
    static const struct setting settings[] = {{"n", "1000"}, {NULL, NULL}};
    static const double words[PROBLEMS] = {1, 1, 3};
    for (int problem = 0; problem < PROBLEMS; problem++) {
        struct instance in;
        const bool made = create(&in, problem, settings, NULL) == OK;
        check(made && bvp_family.traffic(DOUBLE, &in.at) == 8000 * words[problem] &&
                  bvp_family.traffic(MIXED, &in.at) == 4000 * words[problem] &&
                  bvp_family.operations(&in.at) == 2000,
              "least traffic and operations of %s", in.at.problem->id);
        in.at.problem->destroy(&in);
    }
}

static bool is_limit(const struct variant *v) /* whose unknowns go to warps */
{
    return strcmp(v->id, "A2-limit") == 0 || strcmp(v->id, "A2-limit-ranks") == 0;
}

/* As many blocks as there may be, and less shared memory: the emulated device alone listens. */
static void test_limit_shapes(void)
{
    static const struct {
        const char *blocks, *shared, *order;
    } devices[] = {{"1", "227", "ascending"},
                   {"3", "64", "descending"},
                   {"4", "227", "descending"},
                   {"33", "99", "ascending"}};
    const char *const wish = getenv("REPRISE_SEED");
    const uint64_t seed = wish != NULL ? strtoull(wish, NULL, 10) : 1;
    size_t sizes[256];
    const size_t count = limit_sizes(sizes, seed);
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        setenv("REPRISE_EMULATED_BLOCKS", devices[d].blocks, 1);
        setenv("REPRISE_EMULATED_SHARED", devices[d].shared, 1);
        (void)device_thread_order(devices[d].order);
        for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1))
            for (int problem = 0; problem < PROBLEMS && is_limit(v); problem++) {
                size_t bad = 0;
                if (is_sanitized() && problem != ((int)d + (int)v->precision) % PROBLEMS)
                    continue;
                for (size_t k = 0; k < count && runs_here(v); k++)
                    bad += !limit_is_right(v, problem, sizes[k], HUGE_VAL);
                check(bad == 0, "%s %d %s, %s blocks, %s KiB, %s, seed %d: %zu of %zu wrong", v->id,
                      (int)v->precision, bvp_problems[problem].id, devices[d].blocks,
                      devices[d].shared, devices[d].order, (int)seed, bad, count);
            }
    }
    unsetenv("REPRISE_EMULATED_BLOCKS");
    unsetenv("REPRISE_EMULATED_SHARED");
    (void)device_thread_order("ascending");
}

/* Just above the sizes from which on a lane's values are a polynomial of degree 5, 3 and 2: if that
 * were not exact enough, it would be seen here, and no rounding hides it. Where blocks are many for
 * the unknowns a lane has few, and they are of degree 5. On several ranks the kernel of 64 KiB has
 * none. */
static void test_limit_polynomials(void)
{
    static const struct {
        int problem;
        const char *blocks, *shared;
        size_t n[3];
    } rows[] = {{0, "4", "227", {13800, 382000, 9600000}},
                {1, "4", "227", {321000, 8650000}},
                {0, "1", "64", {13800, 382000}},
                {0, "3", "227", {890, 1800, 40000}},
                {1, "33", "227", {21300, 70000, 300000}}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        setenv("REPRISE_EMULATED_BLOCKS", rows[r].blocks, 1);
        setenv("REPRISE_EMULATED_SHARED", rows[r].shared, 1);
        for (size_t k = 0; k < (is_sanitized() ? 2 : 3) && rows[r].n[k] > 0; k++)
            for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1)) {
                if (!is_limit(v) || !runs_here(v) || v->precision == SINGLE ||
                    (v->ranks && strcmp(rows[r].shared, "64") == 0))
                    continue;
                const double most = 32 * (v->precision == DOUBLE ? 0x1p-53 : 0x1p-26);
                check(limit_is_right(v, rows[r].problem, rows[r].n[k], most),
                      "%s %d %s n=%zu by polynomials, %s blocks", v->id, (int)v->precision,
                      bvp_problems[rows[r].problem].id, rows[r].n[k], rows[r].blocks);
            }
    }
    unsetenv("REPRISE_EMULATED_BLOCKS");
    unsetenv("REPRISE_EMULATED_SHARED");
}

int main(void)
{
    struct device_facts facts;
    have_device = device_open(&facts) == OK;
    if (!have_device)
        skip("variants with kernels", reason());
    test_shapes();
    test_inherent();
    test_chunks();
    test_cancelling();
    test_inputs();
    test_hard_inputs();
    test_varied_range();
    test_bad_answers();
    test_equations();
    test_repetition();
    test_digits();
    test_against_discrete();
    test_stored_reference();
    test_traffic();
    test_limit_shapes();
    test_limit_polynomials();
    return done();
}
