/*
 * The family recurrence: every variant against the plain loop bit by bit where all is integer,
 * against closed forms, and against the long double solution; what the judge must refuse; shapes,
 * inputs and parameters that do not fit; and that nothing changes from run to run.
 */
#include "recurrence/recurrence.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "machine/device.h"
#include "recurrence.h"
#include "recurrence/input.h"
#include "recurrence/limit.h"
#include "solving.h"
#include "tap.h"

static const struct variant *variant_of(const char *id, enum precision precision)
{
    return variant_in(recurrence_variants, id, precision);
}

/* On one card or on several; in doubles, whatever is stored. */
static bool is_limit(const struct variant *v)
{
    return strncmp(v->id, "limit", 5) == 0;
}

static enum status create(struct instance *in, int problem, const struct setting *settings,
                          const char *input)
{
    return create_problem(in, &recurrence_problems[problem], settings, input);
}

static enum status prepare(struct solve *s, const struct variant *v, int problem,
                           const struct setting *settings, const char *input)
{
    return prepare_problem(s, v, &recurrence_problems[problem], settings, input);
}

static bool applies(const struct variant *v, int problem, const struct setting *settings,
                    const char *input)
{
    return takes(v, &recurrence_problems[problem], settings, input);
}

static enum status solved(struct solve *s, const struct variant *v, int problem,
                          const struct setting *settings, const char *input)
{
    const enum status status = prepare(s, v, problem, settings, input);
    return status == OK ? go(s, 0) : status;
}

static double error_of(const struct solve *s)
{
    struct judgement judgement;
    (void)judged(s, &judgement);
    return judgement.error;
}

/* As the harness gives it. */
static enum status verdict_on(const struct solve *s)
{
    struct judgement judgement;
    return concluded(s, &judgement);
}

/* --- alternating: bit for bit the plain loop --- */

/* Every variant of the precision that runs here, `plain` being what SEQ gave. */
static bool all_agree(const struct solve *plain, int problem, const struct setting *settings)
{
    bool all = true;
    for (const struct variant *v = tested(recurrence_variants); v->id != NULL; v = tested(v + 1)) {
        struct solve s;
        if (v->precision != plain->variant->precision || !applies(v, problem, settings, NULL))
            continue;
        const enum status status = solved(&s, v, problem, settings, NULL);
        const bool good = status == OK && s.bytes == plain->bytes &&
                          memcmp(s.out.values, plain->out.values, s.bytes) == 0 &&
                          error_of(&s) == 0;
        if (!good) {
            fprintf(stderr, "# %s %s", v->id, precision_of(v));
            for (int i = 0; settings[i].name != NULL; i++)
                fprintf(stderr, " %s=%s", settings[i].name, settings[i].value);
            fprintf(stderr, ": %s\n", status == OK ? "other bits than SEQ" : reason());
        }
        all = all && good;
        release(&s);
    }
    return all;
}

/* All variants in all shapes that fit. */
static bool agrees_in_shapes(int m, long n, enum precision precision)
{
    static const struct {
        long from_n; /* and n >= m where s is m */
        const char *r, *s, *ratio, *block;
    } shapes[] = {
        {1, "0", "0", "0", "256"},    {1, "0", "0", "16", "1"},     {1, "0", "0", "0.01", "33"},
        {1, "1", "0", "0", "256"},    {1, "0", "m", "0", "32"},     {2, "1", "1", "0", "256"},
        {50, "2", "20", "0", "2"},    {1000, "7", "100", "0", "3"}, {4096, "257", "15", "0", "256"},
        {4096, "3", "17", "0", "64"},
    };
    char order[16], size[24];
    snprintf(order, sizeof order, "%d", m);
    snprintf(size, sizeof size, "%ld", n);
    const struct setting one[] = {{"n", size}, {"m", order}, {NULL, NULL}};
    struct solve plain;
    bool all = solved(&plain, variant_of("SEQ", precision), ALTERNATING, one, NULL) == OK;
    for (size_t c = 0; c < sizeof shapes / sizeof *shapes && all; c++) {
        const bool square = strcmp(shapes[c].s, "m") == 0;
        const bool fits = n >= shapes[c].from_n && (!square || n >= m) &&
                          (square || atol(shapes[c].r) <= 1 || atol(shapes[c].s) >= m);
        const struct setting settings[] = {{"n", size},
                                           {"m", order},
                                           {"r", shapes[c].r},
                                           {"s", square ? order : shapes[c].s},
                                           {"ratio", shapes[c].ratio},
                                           {"block", shapes[c].block},
                                           {NULL, NULL}};
        if (fits)
            all = all_agree(&plain, ALTERNATING, settings);
    }
    release(&plain);
    return all;
}

static void test_bits(void)
{
    for (int m = 1; m <= MAX_ORDER; m++) {
        const long sizes[] = {1,  2,  m - 1, m,    m + 1, 2 * m, 2 * m + 1,
                              63, 64, 257,   1000, 4096,  9973};
        for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
            const long n = sizes[c];
            const bool is_left_out = is_sanitized() && n > 100 && m % 4 != 0;
            if (n > 0 && !is_left_out)
                check(
                    agrees_in_shapes(m, n, SINGLE) && agrees_in_shapes(m, n, DOUBLE),
                    "alternating m=%d n=%ld: all variants, shapes and precisions agree bit for bit",
                    m, n);
        }
    }
}

static void test_bits_of_many(void)
{
    for (int m = 1; m <= MAX_ORDER; m += is_sanitized() ? 11 : 1) {
        char order[16];
        snprintf(order, sizeof order, "%d", m);
        const struct setting settings[] = {{"n", "1000003"}, {"m", order}, {NULL, NULL}};
        bool all = true;
        for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
            struct solve plain;
            const struct variant *v = variant_of("SEQ", precision);
            const bool ran = solved(&plain, v, ALTERNATING, settings, NULL) == OK;
            all = ran && all_agree(&plain, ALTERNATING, settings) && all;
            release(&plain);
        }
        check(all, "alternating m=%d n=1000003: all variants agree bit for bit", m);
    }
}

/* --- closed forms --- */

static double constant(double k)
{
    (void)k;
    return 1;
}

static double identity(double k)
{
    return k;
}

static double triangle(double k)
{
    return k * (k + 1) / 2;
}

static double tetrahedron(double k)
{
    return k * (k + 1) * (k + 2) / 6;
}

static double turn(double k, double period)
{
    const double place = fmod(k - 1, period);
    return place == 0 ? 1 : place == 1 ? -1 : 0;
}

static double turn_of_2(double k)
{
    return turn(k, 2);
}

static double turn_of_5(double k)
{
    return turn(k, 5);
}

static double turn_of_17(double k)
{
    return turn(k, 17);
}

static double fibonacci(double k)
{
    double x = 1, before = 0;
    for (double i = 1; i < k; i++) {
        const double next = x + before;
        before = x;
        x = next;
    }
    return x;
}

static void test_closed_forms(void)
{
    static const struct {
        const char *a, *f;
        double (*x)(double k);
        const char *single_n, *double_n; /* exact up to there, on every way */
    } forms[] = {
        {"1", "impulse", constant, "3000", "3000"},
        {"1", "one", identity, "3000", "3000"},
        {"1", "index", triangle, "3000", "3000"},
        {"2,-1", "impulse", identity, "200", "3000"},
        {"2,-1", "one", triangle, "100", "3000"},
        {"3,-3,1", "impulse", triangle, "100", "3000"},
        {"3,-3,1", "one", tetrahedron, "50", "3000"},
        {"1,1", "impulse", fibonacci, "32", "78"},
        {"-1", "impulse", turn_of_2, "3000", "3000"},
        {"-1,-1,-1,-1", "impulse", turn_of_5, "3000", "3000"},
        {"-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1", "impulse", turn_of_17, "3000", "3000"},
    };
    for (size_t c = 0; c < sizeof forms / sizeof *forms; c++)
        for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
             v = tested(v + 1)) {
            const char *n = v->precision == DOUBLE ? forms[c].double_n : forms[c].single_n;
            const struct setting settings[] = {
                {"n", n}, {"a", forms[c].a}, {"f", forms[c].f}, {NULL, NULL}};
            struct solve s;
            if (!applies(v, USER, settings, NULL))
                continue;
            const enum status status = solved(&s, v, USER, settings, NULL);
            size_t k = 1;
            while (status == OK && k <= s.in.count && value(&s.out, k - 1) == forms[c].x((double)k))
                k++;
            const bool good = status == OK && k == s.in.count + 1 && error_of(&s) == 0;
            check(good, "%s %s a=%s f=%s n=%s has its closed form", v->id, precision_of(v),
                  forms[c].a, forms[c].f, n);
            if (!good)
                fprintf(stderr, "# differs at k = %zu, error %.3g; %s\n", k, error_of(&s),
                        status == OK ? "" : reason());
            release(&s);
        }
}

/* --- rounding --- */

/* The tolerance holds; that it is not idle, the error says, which is not 0 and is printed. */
static void test_rounding(void)
{
    static const struct {
        int problem;
        const char *n, *m, *f;
    } cases[] = {
        {DAMPED, "20011", "1", "random"},      {DAMPED, "20011", "2", "random"},
        {DAMPED, "20011", "3", "random"},      {DAMPED, "20011", "4", "random(7)"},
        {DAMPED, "20011", "5", "random"},      {DAMPED, "20011", "6", "random"},
        {DAMPED, "20011", "7", "random"},      {DAMPED, "20011", "8", "random"},
        {DAMPED, "20011", "9", "random"},      {DAMPED, "20011", "10", "random"},
        {DAMPED, "20011", "11", "random"},     {DAMPED, "20011", "12", "random"},
        {DAMPED, "20011", "13", "random"},     {DAMPED, "20011", "14", "random"},
        {DAMPED, "20011", "15", "random"},     {DAMPED, "20011", "16", "random"},
        {DAMPED, "1", "16", "random"},         {DAMPED, "17", "16", "random"},
        {DAMPED, "20011", "3", "reciprocal"},  {DAMPED, "20011", "3", "ternary"},
        {DAMPED, "20011", "3", "one"},         {PREFIX, "100003", NULL, "random"},
        {PREFIX, "100003", NULL, "random(5)"}, {PREFIX, "100003", NULL, "reciprocal"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
             v = tested(v + 1)) {
            const struct setting settings[] = {{"n", cases[c].n},
                                               {"f", cases[c].f},
                                               {cases[c].m == NULL ? NULL : "m", cases[c].m},
                                               {NULL, NULL}};
            struct solve s;
            if (!applies(v, cases[c].problem, settings, NULL))
                continue;
            const enum status status = solved(&s, v, cases[c].problem, settings, NULL);
            const double error = status == OK ? error_of(&s) : (double)NAN;
            const double allowed = tolerance_of(&s);
            const bool idle = s.in.count > 17 && v->precision == SINGLE && !(error > 1e-9);
            check(error <= allowed && !idle, "%s %s %s n=%s m=%s f=%s: error %.2g of %.2g", v->id,
                  precision_of(v), s.in.at.problem->id, cases[c].n,
                  cases[c].m == NULL ? "1" : cases[c].m, cases[c].f, error, allowed);
            release(&s);
        }
}

/* A triple root on the unit circle: x_n = n (n+1) (n+2) / 6. Sums of floats cannot, whichever way,
 * and that is said; in doubles, of which limit has its sums, all is whole numbers. */
static void test_triple_root(void)
{
    static const struct setting settings[] = {
        {"n", "4000"}, {"a", "3,-3,1"}, {"f", "one"}, {NULL, NULL}};
    for (const struct variant *v = tested(recurrence_variants); v->id != NULL; v = tested(v + 1)) {
        struct solve s;
        if (!applies(v, USER, settings, NULL))
            continue;
        const bool ran = solved(&s, v, USER, settings, NULL) == OK;
        const enum status status = ran ? verdict_on(&s) : ERR_ARGS;
        const double error = error_of(&s);
        const bool exact = error == 0 && value(&s.out, 3999) == tetrahedron(4000);
        const bool lost = status == ERR_DIVERGED && strstr(reason(), "not fit to print") != NULL;
        const bool may_lose = v->role == PEER; /* products of large powers */
        const bool rounded = is_limit(v) && status == OK && error <= 0x1p-24;
        check(ran && ((v->precision == DOUBLE && status == OK && exact) ||
                      ((v->precision == SINGLE || may_lose) && lost) ||
                      (v->precision == SINGLE && rounded)),
              "%s %s a=3,-3,1 f=one n=4000: error %.3g", v->id, precision_of(v), error);
        release(&s);
    }
}

static void test_range(void)
{
    static const struct {
        const char *n, *a, *f, *single_says, *double_says; /* null: good */
    } cases[] = {
        {"2000", "1,1", "one", "overflow: the solution reaches", "overflow: the solution reaches"},
        {"200", "1,1", "one", "overflow: the solution reaches", NULL},
        {"184", "1,1", "one", NULL, NULL},
        {"20000", "1.5,-0.3", "random", "overflow: the solution reaches",
         "overflow: the solution reaches"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
             v = tested(v + 1)) {
            const struct setting settings[] = {
                {"n", cases[c].n}, {"a", cases[c].a}, {"f", cases[c].f}, {NULL, NULL}};
            const char *const says =
                v->precision == DOUBLE ? cases[c].double_says : cases[c].single_says;
            struct solve s;
            if (!applies(v, USER, settings, NULL))
                continue;
            const bool ran = solved(&s, v, USER, settings, NULL) == OK;
            enum status status = ran ? verdict_on(&s) : ERR_ARGS;
            check(says == NULL ? status == OK
                               : status == ERR_DIVERGED && strstr(reason(), says) != NULL,
                  "%s %s a=%s n=%s %s", v->id, precision_of(v), cases[c].a, cases[c].n,
                  says == NULL ? "stays in the range" : "leaves the range");
            if (ran && says != NULL) {
                memset(s.out.values, 0, s.bytes);
                check(verdict_on(&s) == ERR_DIVERGED && strstr(reason(), "inf,") == NULL,
                      "%s %s a=%s n=%s, also if all is finite", v->id, precision_of(v), cases[c].a,
                      cases[c].n);
            }
            if (ran && says == NULL) {
                set_value(&s.out, 100, INFINITY);
                status = verdict_on(&s);
                check(status == WRONG && strstr(reason(), "x_101 ") != NULL,
                      "%s %s a=%s n=%s: an infinity there is wrong", v->id, precision_of(v),
                      cases[c].a, cases[c].n);
            }
            release(&s);
        }
}

/* Numbers too small for the precision, and numbers that become so. */
static void test_small(const char *path)
{
    static const struct {
        double f;
        const char *a;
        bool single_good, double_good;
    } cases[] = {
        {1e-310, "0.5", false, false}, {1e-40, "0.5", false, true}, {1e-30, "0.5", true, true},
        {1e-30, "1,-0.5", true, true}, {0, "0.5", true, true},      {1e-3, "0.001", true, true},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        FILE *file = fopen(path, "w");
        if (!check(file != NULL, "a file to write"))
            return;
        for (int i = 0; i < 20000; i++)
            fprintf(file, "%.17g\n", i < 3000 ? cases[c].f : 0); /* and then x fades away */
        fclose(file);
        for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
             v = tested(v + 1)) {
            const struct setting settings[] = {{"n", "20000"}, {"a", cases[c].a}, {NULL, NULL}};
            const bool good = v->precision == DOUBLE ? cases[c].double_good : cases[c].single_good;
            struct solve s;
            if (!applies(v, USER, settings, path))
                continue;
            const enum status status =
                solved(&s, v, USER, settings, path) == OK ? verdict_on(&s) : ERR_ARGS;
            check(good ? status == OK
                       : status == ERR_DIVERGED && strstr(reason(), "underflow: ") != NULL,
                  "%s %s f=%g a=%s %s", v->id, precision_of(v), cases[c].f, cases[c].a,
                  good ? "is good" : "underflows");
            release(&s);
        }
    }
    unlink(path);
}

/* Data at either end of the range: what the harness makes of them stays within it. */
static void test_varied_range(const char *path)
{
    static const struct {
        const char *n, *a, *f;
        double least, most; /* of |f| in a file; 0: f is none */
        enum precision precision;
    } cases[] = {
        {"1000", "0.5", NULL, 0, 1e38, SINGLE},      {"1000", "0.5", NULL, 0, 2e307, DOUBLE},
        {"1000", "0.5", NULL, 2e-38, 3e-38, SINGLE}, {"1000", "0.5", NULL, 3e-308, 4e-308, DOUBLE},
        {"184", "1,1", "one", 0, 0, SINGLE},         {"127", "2", "impulse", 0, 0, SINGLE},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        FILE *const file = fopen(path, "w");
        if (!check(file != NULL, "a file to write"))
            return;
        for (uint64_t i = 0; i < 1000; i++)
            fprintf(file, "%.17g\n",
                    cases[c].least + (cases[c].most - cases[c].least) * uniform(7, i));
        fclose(file);
        for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
             v = tested(v + 1)) {
            const struct setting settings[] = {{"n", cases[c].n},
                                               {"a", cases[c].a},
                                               {cases[c].f == NULL ? NULL : "f", cases[c].f},
                                               {NULL, NULL}};
            const char *const input = cases[c].f == NULL ? path : NULL;
            struct solve s;
            if (v->precision != cases[c].precision || v->role == PEER ||
                !applies(v, USER, settings, input))
                continue;
            bool good = solved(&s, v, USER, settings, input) == OK && is_good(&s);
            for (uint64_t seed = 1; seed < 8 && good; seed++) {
                good = go(&s, seed) == OK && is_good(&s);
                s.in.at.problem->vary(&s.in, seed - 1);
                good = good && !is_good(&s);
            }
            check(good, "%s %s n=%s a=%s, values of %g: good data are so when they change", v->id,
                  precision_of(v), cases[c].n, cases[c].a, cases[c].most);
            release(&s);
        }
    }
    unlink(path);
}

/* Coefficients that float has without all digits, or not at all. Too small ones are rounded, too
 * large ones are said to be; limit has doubles. */
static void test_coefficients(const char *path)
{
    static const struct {
        const char *n, *a, *f;
        bool single_good;
    } cases[] = {
        {"10", "1e-50", "1e30\n0\n0\n0\n0\n0\n0\n0\n0\n0\n", true},
        {"10", "1e-40", "1e30\n0\n0\n0\n0\n0\n0\n0\n0\n0\n", true},
        {"10", "1e-44,0.5", "1e30\n0\n0\n0\n0\n0\n0\n0\n0\n0\n", true},
        {"2", "1e39", "1e-30\n0\n", false},
        {"2", "1e50", "1e-30\n0\n", false},
        {"2", "1e39", "0\n0\n", false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        if (!check(write_file(path, cases[c].f, strlen(cases[c].f)) == OK, "a file to write"))
            return;
        for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
             v = tested(v + 1)) {
            const struct setting settings[] = {{"n", cases[c].n}, {"a", cases[c].a}, {NULL, NULL}};
            const bool good = cases[c].single_good || v->precision == DOUBLE || is_limit(v);
            struct solve s;
            if (v->role == PEER || !applies(v, USER, settings, path))
                continue;
            const enum status status =
                solved(&s, v, USER, settings, path) == OK ? verdict_on(&s) : ERR_ARGS;
            check(good ? status == OK
                       : status == ERR_DIVERGED &&
                             strstr(reason(), "overflow: a_1 reaches 1e+") != NULL,
                  "%s %s a=%s %s", v->id, precision_of(v), cases[c].a,
                  good ? "is good" : "is too large a coefficient");
            set_value(&s.out, 1, cases[c].single_good ? 1e24 : 0.5e30);
            check(verdict_on(&s) == WRONG || !good, "%s %s a=%s: one value off", v->id,
                  precision_of(v), cases[c].a);
            release(&s);
        }
    }
    unlink(path);
}

/* x is 0, and 2^s is infinite: of columns so long as that there is no number left, and no rounding
 * is to blame. */
static void test_long_columns(const char *path)
{
    static const struct setting settings[] = {
        {"n", "8000"}, {"a", "2"}, {"s", "2000"}, {NULL, NULL}};
    FILE *const file = fopen(path, "w");
    if (!check(file != NULL, "a file to write"))
        return;
    for (int i = 0; i < 8000; i++)
        fprintf(file, "0\n");
    fclose(file);
    for (const struct variant *v = tested(recurrence_variants); v->id != NULL; v = tested(v + 1)) {
        const bool columns = strncmp(v->id, "BLAS", 4) == 0 || strcmp(v->id, "GPU+CPU") == 0;
        struct solve s;
        if (v->role == PEER || !applies(v, USER, settings, path))
            continue;
        const enum status status =
            solved(&s, v, USER, settings, path) == OK ? verdict_on(&s) : ERR_ARGS;
        check(columns ? status == ERR_DIVERGED &&
                            strstr(reason(), "overflow: the response of a column") != NULL
                      : status == OK,
              "%s %s a=2 s=2000 of zeros %s", v->id, precision_of(v),
              columns ? "overflows in a column" : "is good");
        release(&s);
    }
    unlink(path);
}

/* An undamped oscillation of 2 pi / w unknowns, set off by an impulse: the error of SEQ-omp is at
 * most a few times that of SEQ, however long it is. From the longest on, for the error of SEQ grows
 * with n, and that of a short one is chance. */
static void test_oscillator(void)
{
    static const double w[] = {1, 0.1, 0.0064};
    static const char *const n[] = {"1048576", "131072", "8192"};
    for (size_t c = 0; c < sizeof w / sizeof *w; c++) {
        double most = 0; /* of SEQ, so far */
        for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
            char a[64];
            double error[2] = {(double)NAN, (double)NAN};
            snprintf(a, sizeof a, "%.17g,-1", 2 * cos(w[c]));
            const struct setting settings[] = {
                {"n", n[i]}, {"a", a}, {"f", "impulse"}, {NULL, NULL}};
            for (int k = 0; k < 2; k++) {
                struct solve s;
                if (solved(&s, variant_of(k == 0 ? "SEQ" : "SEQ-omp", DOUBLE), USER, settings,
                           NULL) == OK)
                    error[k] = error_of(&s);
                check(is_good(&s), "%s a=%s n=%s is good", s.variant->id, a, n[i]);
                release(&s);
            }
            most = fmax(most, error[0]);
            check(error[1] <= 4 * most, "SEQ-omp a=%s n=%s: error %.3g, of SEQ %.3g", a, n[i],
                  error[1], error[0]);
        }
    }
}

/* A quadruple root on the unit circle: y grows with the third power, and to hand on what is rounded
 * would leave nothing. SEQ-omp solves plainly. */
static void test_wild(void)
{
    static const struct setting settings[] = {
        {"n", "20000"}, {"a", "4,-6,4,-1"}, {"f", "random"}, {NULL, NULL}};
    struct solve plain, omp;
    const enum status first = solved(&plain, variant_of("SEQ", DOUBLE), USER, settings, NULL);
    const enum status second = solved(&omp, variant_of("SEQ-omp", DOUBLE), USER, settings, NULL);
    const bool ran = first == OK && second == OK;
    check(ran && error_of(&omp) <= 4 * error_of(&plain) && is_good(&omp),
          "SEQ-omp a=4,-6,4,-1 n=20000: error %.3g, of SEQ %.3g", error_of(&omp), error_of(&plain));
    release(&plain);
    release(&omp);
}

/* By how much the columns lose more than the plain loop: 1 + 2 |alpha| |y| over |x|, where of an
 * oscillation x of amplitude 1 / sin w, alpha is 2 cos w x_1 - x_2 and x_1, and y is as large as x.
 * A single of limit is a double that is rounded. */
static void test_amplification(void)
{
    const double w = 0.1;
    char a[64];
    snprintf(a, sizeof a, "%.17g,-1", 2 * cos(w));
    const struct setting settings[] = {{"n", "131072"}, {"a", a}, {"f", "impulse"}, {NULL, NULL}};
    for (const struct variant *v = tested(recurrence_variants); v->id != NULL; v = tested(v + 1)) {
        struct judgement judgement;
        struct solve s;
        if (!applies(v, USER, settings, NULL))
            continue;
        const bool ran = solved(&s, v, USER, settings, NULL) == OK && judged(&s, &judgement) == OK;
        (void)accept_answer(&s.in, v, &s.out, &judgement);
        const double got = metric_of(&judgement, "amplification");
        const bool single_limit = is_limit(v) && v->precision == SINGLE;
        const bool plain = strcmp(v->id, "SEQ") == 0 || single_limit, ours = v->role == LIMIT;
        const bool scan = v->role == PEER; /* what that may lose is bounded by far more */
        const double least = plain ? 1 : ours ? 10 : 3 / sin(w);
        const double most = plain ? 1 : scan ? (double)INFINITY : 5 / sin(w);
        check(ran && got >= least && got <= most, "%s %s a=%s is amplified by %.4g", v->id,
              precision_of(v), a, got);
        release(&s);
    }
}

/* A carry of SEQ-omp is rounded as a sum of thousands of f. That counts where the poles make more
 * of it than of as many roundings one by one, which is what the plain loop has. */
static void test_amplification_of_carries(void)
{
    static const struct {
        const char *a, *f;
        double least, most;
    } cases[] = {{"-1.0005", "index", 20, 1e3},
                 {"-2.001,-1.001", "index", 1e3, 1e6},
                 {"0.5", "random", 1, 2},
                 {"0.999", "one", 1, 2},
                 {"0.5", "impulse", 1, 2}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int k = 0; k < 2; k++) {
            const struct setting settings[] = {
                {"n", "60000"}, {"a", cases[c].a}, {"f", cases[c].f}, {NULL, NULL}};
            const struct variant *const v = variant_of(k == 0 ? "SEQ" : "SEQ-omp", DOUBLE);
            struct judgement judgement = {.error = NAN};
            struct solve s;
            bool good = solved(&s, v, USER, settings, NULL) == OK && judged(&s, &judgement) == OK &&
                        accept_answer(&s.in, v, &s.out, &judgement) == OK && judgement.status == OK;
            const double got = judgement.error == 0 ? 1 : metric_of(&judgement, "amplification");
            good = good && (k == 0 ? got == 1 : got >= cases[c].least && got <= cases[c].most);
            check(good, "%s a=%s f=%s: good, and amplified by %.4g", v->id, cases[c].a, cases[c].f,
                  got);
            release(&s);
        }
}

/* --- what the judge must not let pass --- */

/* Ways to spoil an answer. */

static void forget_carry(struct solve *s, size_t from, double off)
{
    (void)off;
    const struct recurrence *p = s->in.data;
    double *const f = malloc(p->n * sizeof *f);
    assert(f != NULL);
    recurrence_fill_d(p, f);
    for (size_t k = from; k < p->n; k++) {
        double x = f[k];
        for (size_t j = 1; j <= (size_t)p->m && j <= k - from; j++)
            x += p->a[j - 1] * value(&s->out, k - j);
        set_value(&s->out, k, x);
    }
    free(f);
}

static void go_on_wrongly(struct solve *s, size_t from, double off)
{
    const struct recurrence *p = s->in.data;
    double *const y = calloc(p->n, sizeof *y); /* what is added, itself a solution behind `from` */
    assert(y != NULL);
    for (size_t k = from; k < p->n; k++) {
        y[k] = k == from ? off : 0;
        for (size_t j = 1; j <= (size_t)p->m && j <= k - from; j++)
            y[k] += p->a[j - 1] * y[k - j];
        set_value(&s->out, k, value(&s->out, k) + y[k]);
    }
    free(y);
}

static void leave_every_other(struct solve *s, size_t from, double off)
{
    (void)off;
    for (size_t k = from; k < s->in.count; k += 2)
        set_value(&s->out, k, 0);
}

static void change_one(struct solve *s, size_t from, double off)
{
    set_value(&s->out, from, value(&s->out, from) + off);
}

/* At 4096 and 8192 blocks of SEQ-omp begin, at 284 and 142 the columns of BLAS and GPU+CPU, at 4608
 * a tile and at 4896 a group of limit. Where a carry comes in, only a jump is seen that is larger
 * than its rounding. */
static void test_bad_answers(void)
{
    static const struct {
        const char *how;
        void (*spoil)(struct solve *s, size_t from, double off);
    } ways[] = {
        {"a carry forgotten", forget_carry},
        {"every other left out", leave_every_other},
        {"one value off", change_one},
        {"a jump", go_on_wrongly},
    };
    static const struct {
        const char *a, *f;
    } data[] = {{"1", "random"},
                {"1.9900083305560516,-1", "impulse"},
                {"0.5,-0.25,0.6", "random"},
                {"0.4,0.3,0.2,0.05", "ternary"},
                {"1.001", "random"}};
    static const size_t places[] = {7, 142, 284, 1000, 4096, 4608, 4896, 8192, 8195, 16384, 20000};
    for (size_t c = 0; c < sizeof data / sizeof *data; c++)
        for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
             v = tested(v + 1)) {
            const struct setting settings[] = {
                {"n", "20164"}, {"a", data[c].a}, {"f", data[c].f}, {NULL, NULL}};
            struct solve s;
            if (!applies(v, USER, settings, NULL))
                continue;
            const bool ran = solved(&s, v, USER, settings, NULL) == OK;
            if (ran && v->role == PEER && verdict_on(&s) == ERR_DIVERGED) {
                release(&s); /* rounding may have left no digit, says the judge */
                continue;
            }
            if (!check(ran && is_good(&s), "%s %s a=%s f=%s to be spoilt", v->id, precision_of(v),
                       data[c].a, data[c].f)) {
                release(&s);
                continue;
            }
            unsigned char *const good = malloc(s.bytes);
            assert(good != NULL);
            memcpy(good, s.out.values, s.bytes);
            const double off = a_few_roundings(&s);
            for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
                bool seen = true;
                size_t missed = 0;
                for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
                    const bool carry =
                        strcmp(v->id, "SEQ-omp") == 0 && places[i] % 4096 < MAX_ORDER;
                    const bool state = is_limit(v) && places[i] % 288 == 0;
                    ways[w].spoil(&s, places[i], off * (carry ? 1000 : state ? 3e4 : 1));
                    if (is_good(&s)) {
                        seen = false;
                        missed = places[i];
                    }
                    memcpy(s.out.values, good, s.bytes);
                }
                check(seen, "%s %s a=%s f=%s: %s (missed at %zu)", v->id, precision_of(v),
                      data[c].a, data[c].f, ways[w].how, missed);
            }
            s.in.at.problem->vary(&s.in, 3);
            check(!is_good(&s), "%s %s a=%s f=%s: the answer to other data", v->id, precision_of(v),
                  data[c].a, data[c].f);
            free(good);
            release(&s);
        }
}

static void test_corrupted(void)
{
    static const struct {
        int problem;
        const char *name, *value;
    } cases[] = {
        {ALTERNATING, "m", "3"}, {USER, "a", "-1,-1"},     {DAMPED, "m", "3"},
        {PREFIX, "f", "random"}, {PREFIX, "f", "ternary"}, {USER, "a", "0.5,-0.25"},
    };
    static const size_t places[] = {0,    1,    2,    3,    100,  2046, 2047,
                                    2048, 2049, 4095, 4096, 8999, 9000};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
            const struct setting settings[] = {
                {"n", "9001"}, {cases[c].name, cases[c].value}, {NULL, NULL}};
            struct solve s;
            if (!check(solved(&s, variant_of("SEQ", precision), cases[c].problem, settings, NULL) ==
                               OK &&
                           is_good(&s),
                       "%s %s=%s %s to be corrupted", recurrence_problems[cases[c].problem].id,
                       cases[c].name, cases[c].value, precision == DOUBLE ? "double" : "single")) {
                release(&s);
                continue;
            }
            bool units = true, nans = true, infinities = true, swaps = true;
            for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
                const size_t at = places[i], other = at == 0 ? 1 : at - 1;
                const double here = value(&s.out, at), there = value(&s.out, other);
                enum status status;
                char name[32];
                snprintf(name, sizeof name, "x_%zu ", at + 1);
                set_value(&s.out, at, here + 1);
                units = units && !is_good(&s);
                set_value(&s.out, at, NAN);
                status = verdict_on(&s);
                nans = nans && status == WRONG && strstr(reason(), name) != NULL && !is_good(&s);
                set_value(&s.out, at, -INFINITY);
                status = verdict_on(&s);
                infinities = infinities && status == WRONG && !is_good(&s);
                set_value(&s.out, at, there);
                set_value(&s.out, other, here);
                swaps = swaps && (here == there || !is_good(&s) ||
                                  fabs(here - there) < 1e-5 * fmax(1, fabs(here)));
                set_value(&s.out, other, there);
                set_value(&s.out, at, here);
            }
            const char *id = s.in.at.problem->id, *in = precision_of(s.variant);
            check(units, "%s %s=%s %s: one value off by one is wrong", id, cases[c].name,
                  cases[c].value, in);
            check(nans, "%s %s=%s %s: a NaN is wrong", id, cases[c].name, cases[c].value, in);
            check(infinities, "%s %s=%s %s: an infinity is wrong", id, cases[c].name,
                  cases[c].value, in);
            check(swaps, "%s %s=%s %s: two values swapped are wrong", id, cases[c].name,
                  cases[c].value, in);
            memset(s.out.values, 0, s.bytes);
            check(!is_good(&s), "%s %s=%s %s: zeros are wrong", id, cases[c].name, cases[c].value,
                  in);
            release(&s);
        }
}

/* Whole numbers too large for double to add exactly are not taken for exact: 2^53 + 1 is rounded,
 * and the plain loop's 2^53 satisfies the recurrence as double sees it. */
static void test_large_integers(void)
{
    static const struct setting settings[] = {
        {"n", "60"}, {"a", "2"}, {"f", "one"}, {NULL, NULL}}; /* x_k = 2^k - 1 */
    struct solve s;
    bool good = solved(&s, variant_of("SEQ", DOUBLE), USER, settings, NULL) == OK;
    double error = error_of(&s);
    check(good && error > 0 && is_good(&s), "SEQ double a=2 n=60 is rounded: error %.3g", error);
    release(&s);
    static const struct setting fewer[] = {{"n", "52"}, {"a", "2"}, {"f", "one"}, {NULL, NULL}};
    good = solved(&s, variant_of("SEQ", DOUBLE), USER, fewer, NULL) == OK;
    error = error_of(&s);
    check(good && error == 0, "SEQ double a=2 n=52 is exact: error %.3g", error);
    release(&s);
    /* Zero everywhere: the error is absolute. */
    static const struct setting nothing[] = {{"n", "1"}, {"f", "ternary(7)"}, {NULL, NULL}};
    if (check(solved(&s, variant_of("SEQ", DOUBLE), PREFIX, nothing, NULL) == OK, "one unknown")) {
        set_value(&s.out, 0, value(&s.out, 0) + 1);
        check(!is_good(&s), "one unknown that is wrong");
    }
    release(&s);
}

/* --- what is judged in parallel --- */

/* The largest error over the largest value, going by the recurrence in long double. */
static double plain_error(const struct solve *s)
{
    const struct recurrence *p = s->in.data;
    long double before[MAX_ORDER] = {0}, off = 0, most = 0;
    for (size_t k = 0; k < p->n; k++) {
        long double x = (long double)input_at(p->code, p->seed, p->amplitude, p->f, k);
        for (int j = p->m; j >= 1; j--)
            x += (long double)p->a[j - 1] * before[j - 1];
        memmove(before + 1, before, (MAX_ORDER - 1) * sizeof *before);
        before[0] = x;
        off = fmaxl(off, fabsl((long double)value(&s->out, k) - x));
        most = fmaxl(most, fabsl(x));
    }
    return (double)(off / most);
}

/* Where the judge's chunks, and the chunks that it takes at once, begin and end. Of an impulse the
 * error of an oscillation grows until its end. */
static void test_distance(void)
{
    static const char *const sizes[] = {"1", "4095", "4096", "4097", "8193", "1200000"};
    static const struct {
        const char *a, *f;
    } data[] = {
        {"1", "random"},
        {"0.999", "random"},
        {"1.9900083305560516,-1", "impulse"},
        {"0.5,-0.25,0.6", "random"},
        {"3,-3,1", "random"},
        {"0.125,-0.125,0.125,-0.125,0.125", "one"},
        {"0.03,-0.03,0.03,-0.03,0.03,-0.03,0.03,-0.03,0.03,-0.03,0.03,-0.03,0.03,-0.03,0.03,-0.9",
         "random"},
    };
    for (size_t c = 0; c < sizeof data / sizeof *data; c++)
        for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
            bool all = true;
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                const struct setting settings[] = {
                    {"n", sizes[i]}, {"a", data[c].a}, {"f", data[c].f}, {NULL, NULL}};
                struct solve s;
                const bool ran =
                    solved(&s, variant_of("SEQ", precision), USER, settings, NULL) == OK;
                const double error = error_of(&s), plain = ran ? plain_error(&s) : (double)NAN;
                const bool good = fabs(error - plain) <= 0x1p-8 * plain + 0x1p-60;
                if (!good)
                    fprintf(stderr, "# n=%s: error %.9g, by the plain loop %.9g\n", sizes[i], error,
                            plain);
                all = all && good;
                release(&s);
            }
            check(all, "%s a=%s: the error is what the plain loop finds",
                  precision == DOUBLE ? "double" : "single", data[c].a);
        }
}

/* Five pairs of poles side by side: of the last values of a chunk, which lost what, the next one
 * makes thousands of times as much. A single of limit is right to its last digit. */
static void test_distance_of_cluster(void)
{
    static const struct setting settings[] = {
        {"n", "20000"},
        {"a", "-7.70117603366291,-28.556112953492349,-66.33839820204966,-106.39669126343851,"
              "-122.7729761789779,-103.14985949292439,-62.347305708527813,-26.013872724518837,"
              "-6.798634488202314,-0.85521434158133203"},
        {"f", "random(372062)"},
        {NULL, NULL}};
    const struct variant *const v = variant_of("limit", SINGLE);
    struct solve s;
    if (!applies(v, USER, settings, NULL))
        return;
    const bool ran = solved(&s, v, USER, settings, NULL) == OK;
    const double error = error_of(&s), plain = ran ? plain_error(&s) : (double)NAN;
    check(fabs(error / plain - 1) <= 0x1p-8,
          "ten poles in a cluster: the error %.6g is what the plain loop finds, %.6g", error,
          plain);
    release(&s);
}

/* 2 x_1 is beyond the range, x_2 = f_2 + 2 x_1 is not: a variant may have it. And an error of some
 * units in the last place is not a normal number where x is almost none. */
static void test_end_of_range(const char *path)
{
    static const struct setting settings[] = {{"n", "2"}, {"a", "2"}, {NULL, NULL}};
    static const struct setting small[] = {{"n", "3"}, {"a", "0.3"}, {NULL, NULL}};
    struct solve s;
    if (!check(write_file(path, "1e308\n-1.5e308\n", 15) == OK, "a file to write"))
        return;
    if (check(solved(&s, variant_of("SEQ", DOUBLE), USER, settings, path) == OK,
              "an input near the end of the range")) {
        set_value(&s.out, 1, nextafter(0.5e308, 0));
        check(is_good(&s), "a value that double arithmetic cannot check is good");
        set_value(&s.out, 1, 0.4e308);
        check(!is_good(&s), "or bad");
    }
    release(&s);
    if (!check(write_file(path, "1.1e-306\n1.3e-306\n1.7e-306\n", 27) == OK, "a file to write"))
        return;
    if (check(solved(&s, variant_of("SEQ", DOUBLE), USER, small, path) == OK,
              "an input at the other end of the range")) {
        const double error = error_of(&s), plain = plain_error(&s);
        check(plain > 0 && fabs(error / plain - 1) < 0x1p-8,
              "a small solution: the error %.6g is what the plain loop finds, %.6g", error, plain);
    }
    release(&s);
    unlink(path);
}

static void test_threads(void)
{
    static const struct {
        int problem;
        const char *m;
    } cases[] = {{DAMPED, "3"}, {ALTERNATING, "4"}};
    static const size_t places[] = {4095, 1048576, 1100002};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
             v = tested(v + 1)) {
            const struct setting settings[] = {{"n", "1100003"}, {"m", cases[c].m}, {NULL, NULL}};
            struct solve s;
            if (!applies(v, cases[c].problem, settings, NULL) || (is_sanitized() && uses_device(v)))
                continue;
            const bool ran = solved(&s, v, cases[c].problem, settings, NULL) == OK;
            check(ran && is_judged_alike(&s), "%s %s %s m=%s: judged alike by 1, 2 and 3 threads",
                  v->id, precision_of(v), s.in.at.problem->id, cases[c].m);
            const double off = a_few_roundings(&s);
            bool seen = ran;
            for (size_t k = 0; k < sizeof places / sizeof *places && seen; k++) {
                const double here = value(&s.out, places[k]);
                const bool carry = strcmp(v->id, "SEQ-omp") == 0 && places[k] % 4096 == 0;
                set_value(&s.out, places[k], here + off * (carry ? 1000 : 1));
                seen = !is_good(&s);
                set_value(&s.out, places[k], here);
            }
            set_value(&s.out, s.in.count - 1, NAN);
            check(seen && !is_good(&s), "%s %s %s m=%s: one value that is off is seen", v->id,
                  precision_of(v), s.in.at.problem->id, cases[c].m);
            release(&s);
        }
}

/* What is drawn in vectors is what kernels draw one by one. */
static void test_fill(void)
{
    static const char *const inputs[] = {"impulse", "index", "ternary(3)",
                                         "random(18446744073709551615)"};
    enum { N = 5003 };
    static double x[N];
    static float y[N];
    for (size_t c = 0; c < sizeof inputs / sizeof *inputs; c++) {
        const struct setting settings[] = {{"n", "5003"}, {"f", inputs[c]}, {NULL, NULL}};
        struct instance in;
        bool same = create(&in, PREFIX, settings, NULL) == OK;
        for (uint64_t seed = 0; seed < 20 && same; seed++) {
            in.at.problem->vary(&in, seed);
            const struct recurrence *p = in.data;
            recurrence_fill_d(p, x);
            recurrence_fill_s(p, y);
            for (size_t k = 0; k < N; k++) {
                const double f = input_at(p->code, p->seed, p->amplitude, p->f, k);
                same = same && x[k] == f && y[k] == (float)f;
            }
        }
        check(same, "f=%s is the same one by one and in vectors", inputs[c]);
        in.at.problem->destroy(&in);
    }
}

/* --- data that change, and runs that do not --- */

static bool repeats(struct solve *s, const unsigned char *first, uint64_t seed)
{
    const bool ran = go(s, seed) == OK;
    return ran && is_again(s, first);
}

static void test_repetition(void)
{
    static const struct {
        int problem;
        const char *f;
    } cases[] = {
        {ALTERNATING, NULL},   {DAMPED, "random"}, {DAMPED, "reciprocal"},
        {PREFIX, "random(3)"}, {USER, "one"},      {USER, "ternary(5)"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
             v = tested(v + 1)) {
            const struct setting settings[] = {
                {"n", "12345"}, {cases[c].f == NULL ? NULL : "f", cases[c].f}, {NULL, NULL}};
            const char *of = recurrence_problems[cases[c].problem].id;
            const char *f = cases[c].f == NULL ? "" : cases[c].f;
            struct solve s;
            if (!applies(v, cases[c].problem, settings, NULL))
                continue;
            const bool ran = solved(&s, v, cases[c].problem, settings, NULL) == OK;
            unsigned char *first = malloc(s.bytes + 1);
            assert(first != NULL);
            if (check(ran, "%s %s %s %s n=12345 runs", v->id, precision_of(v), of, f)) {
                memcpy(first, s.out.values, s.bytes);
                bool good = repeats(&s, first, 0);
                check(good, "%s %s %s %s two runs agree bit for bit", v->id, precision_of(v), of,
                      f);
                good = !repeats(&s, first, 1) && is_good(&s);
                check(good, "%s %s %s %s seed 1 changes the answer, which is good", v->id,
                      precision_of(v), of, f);
                good = !repeats(&s, first, 12) && is_good(&s);
                s.in.at.problem->vary(&s.in, 1);
                good = good && !is_good(&s);
                check(good, "%s %s %s %s an answer of seed 12 is not one of seed 1", v->id,
                      precision_of(v), of, f);
                check(repeats(&s, first, 0), "%s %s %s %s seed 0 brings the answer back", v->id,
                      precision_of(v), of, f);
                if (uses_device(v)) {
                    const bool turned = device_thread_order("descending") == OK;
                    check(turned && repeats(&s, first, 0),
                          "%s %s %s %s threads in descending order", v->id, precision_of(v), of, f);
                    (void)device_thread_order("ascending");
                }
            }
            free(first);
            release(&s);
        }
}

/* --- limit --- */

/* One rank of limit-ranks goes on from zeros, as limit does, unless powers grow. */
static bool one_rank_agrees(const struct solve *limit, const struct setting *settings)
{
    const struct variant *const v = variant_of("limit-ranks", limit->variant->precision);
    struct solve s;
    if (!applies(v, USER, settings, NULL))
        return true;
    const bool good = solved(&s, v, USER, settings, NULL) == OK &&
                      memcmp(s.out.values, limit->out.values, limit->bytes) == 0 && is_good(&s);
    if (!good)
        fprintf(stderr, "# limit-ranks is not as limit\n");
    release(&s);
    return good;
}

/* Of so many blocks as the environment says, in both orders of threads, twice. */
static bool goes_well(const struct setting *settings, enum precision precision)
{
    static const char *const orders[] = {"ascending", "descending"};
    struct solve s;
    bool good = solved(&s, variant_of("limit", precision), USER, settings, NULL) == OK;
    unsigned char *const first = malloc(s.bytes + 1);
    assert(first != NULL);
    if (good)
        memcpy(first, s.out.values, s.bytes);
    for (int i = 1; i >= 0 && good; i--)
        good = device_thread_order(orders[i]) == OK && repeats(&s, first, 0);
    good = good && is_good(&s) && one_rank_agrees(&s, settings);
    if (!good) {
        (void)verdict_on(&s);
        fprintf(stderr, "# limit %s a=%s n=%s: %s\n", precision_of(s.variant), settings[1].value,
                settings[0].value, reason());
    }
    free(first);
    release(&s);
    return good;
}

/* Coefficients of order m that nobody chose. With `total` below 1 all poles are in the disc. */
static void draw_coefficients(uint64_t seed, int m, double total, char *text, size_t room)
{
    double a[MAX_ORDER], sum = 0;
    size_t used = 0;
    for (int j = 0; j < m; j++) {
        a[j] = 2 * uniform(seed, (uint64_t)j) - 1;
        sum += fabs(a[j]);
    }
    for (int j = 0; j < m; j++)
        used += (size_t)snprintf(text + used, room - used, "%s%.17g", j == 0 ? "" : ",",
                                 a[j] * total / sum);
}

/* One pole nine times: x rises, and fades through numbers that have not all digits. There the
 * coefficients, of which the sum is 500, amplify by how much a stored x is off. */
static void test_fading(void)
{
    enum { POLES = 9 };
    char a[POLES * 32];
    size_t used = 0;
    double coefficient = 1;
    for (int j = 1; j <= POLES; j++) {
        coefficient *= -0.9 * (POLES + 1 - j) / j;
        used +=
            (size_t)snprintf(a + used, sizeof a - used, "%s%.17g", j == 1 ? "" : ",", -coefficient);
    }
    const struct setting settings[] = {{"n", "9000"}, {"a", a}, {"f", "impulse"}, {NULL, NULL}};
    for (const struct variant *v = tested(recurrence_variants); v->id != NULL; v = tested(v + 1)) {
        struct solve s;
        if (!applies(v, USER, settings, NULL))
            continue;
        const bool ran = solved(&s, v, USER, settings, NULL) == OK;
        const enum status status = ran ? verdict_on(&s) : ERR_ARGS;
        check(status == OK || status == ERR_DIVERGED, "%s %s: a solution that fades: %s", v->id,
              precision_of(v), status == OK ? "good" : reason());
        release(&s);
    }
}

/* All small sizes, and those around the ends of blocks of 8, chains, groups and tiles. */
static void test_limit_sizes(void)
{
    static const long around[] = {256,  288,  416,  544,   1024,  4096,  4608,
                                  6656, 8704, 9216, 17408, 18432, 34816, 65536};
    static const double totals[] = {0.5, 0.999, 1.5};
    char n[24], a[512];
    if (!runs_here(variant_of("limit", DOUBLE)))
        return;
    for (int m = 1; m <= MAX_ORDER; m += is_sanitized() ? 3 : 1) {
        const struct setting settings[] = {{"n", n}, {"a", a}, {"f", "random"}, {NULL, NULL}};
        bool small = true, ends = true;
        for (long k = 1 + m % 7; k <= 200 && small; k += 7) {
            draw_coefficients((uint64_t)(1000 * m + k), m, totals[k % 2], a, sizeof a);
            snprintf(n, sizeof n, "%ld", k);
            small = goes_well(settings, k % 2 == 0 ? SINGLE : DOUBLE);
        }
        for (size_t i = 0; i < sizeof around / sizeof *around && ends; i++) {
            const long off = (m + (long)i) % 3 - 1;
            draw_coefficients((uint64_t)(1000 * m) + i, m, totals[i % 3], a, sizeof a);
            snprintf(n, sizeof n, "%ld", totals[i % 3] > 1 ? 100 + off : around[i] + off);
            ends = goes_well(settings, SINGLE) && goes_well(settings, DOUBLE);
        }
        check(small && ends, "limit m=%d: small sizes, and those at the ends of its pieces", m);
    }
}

/* Powers over a million unknowns are rounded once, (1 + e)^k being known; and how many blocks these
 * can be trusted with. */
static void test_limit_powers(void)
{
    static const struct {
        double a[2];
        int m, least, most;
    } reaches[] = {{{1}, 1, LIMIT_MOST, LIMIT_MOST},
                   {{-1, -1}, 2, LIMIT_MOST, LIMIT_MOST},
                   {{1 + 1e-5}, 1, 82, 84}, /* 256 over 6656 unknowns each */
                   {{2, -1}, 2, 0, 0}};
    const struct recurrence p = {.n = (size_t)1 << 28, .m = 1, .a = {1 + 0x1p-30}};
    const struct tiling of = recurrence_tiling(&p, DOUBLE, 1);
    const struct trust trust = recurrence_trust(&p, &of);
    double *const table =
        malloc((size_t)LIMIT_MATRICES(of.wide, of.steps, trust.blocks) * 64 * sizeof *table);
    assert(table != NULL);
    recurrence_tables(&p, &of, &trust, table);
    bool good = trust.blocks == LIMIT_MOST;
    for (int k = 0; k < 4; k++) {
        const double got = table[(LIMIT_AT_TILE(of.wide, of.steps) + 1 + k) * 64 + 63];
        const long double unknowns = (long double)(of.tile * LIMIT_WINDOW << k);
        good = good && got == (double)expl(unknowns * log1pl(0x1p-30L));
    }
    check(good, "limit: powers of 1 + 2^-30 over windows are rounded once");
    free(table);
    for (size_t i = 0; i < sizeof reaches / sizeof *reaches; i++) {
        struct recurrence some = {.n = (size_t)1 << 28, .m = reaches[i].m};
        memcpy(some.a, reaches[i].a, sizeof reaches[i].a);
        const struct tiling tiling = recurrence_tiling(&some, DOUBLE, 1);
        const int blocks = recurrence_trust(&some, &tiling).blocks;
        check(blocks >= reaches[i].least && blocks <= reaches[i].most,
              "limit a=%g,%g: powers are trusted over %d tiles", some.a[0], some.a[1], blocks);
    }
}

/* Of several ranks each has as many blocks, for which a part's powers are there. */
static void test_limit_ranks(void)
{
    enum { TILE = 9 * 8 * LIMIT_CHAINS };
    static const struct {
        double a[2];
        size_t n;
        int m, ranks, least, most;
    } data[] = {{{1}, (size_t)1 << 28, 1, 8, LIMIT_MOST, LIMIT_MOST},
                {{1 + 1e-5}, (size_t)1 << 28, 1, 8, 82, 84},
                {{2, -1}, (size_t)1 << 28, 2, 2, 0, 0},
                {{-1}, 8 * TILE, 1, 8, 1, 1},
                {{-1}, 8 * TILE + 1, 1, 8, 2, 2},
                {{1 + 1e-3}, 5 * TILE, 1, 2, 1, 1}};
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        struct recurrence some = {.n = data[i].n, .m = data[i].m};
        memcpy(some.a, data[i].a, sizeof data[i].a);
        const struct tiling of = recurrence_tiling(&some, DOUBLE, data[i].ranks);
        const struct trust trust = recurrence_trust(&some, &of);
        const size_t values = (size_t)LIMIT_MATRICES(of.wide, of.steps, trust.blocks) * 64;
        double *const table = malloc(values * sizeof *table);
        assert(table != NULL);
        recurrence_tables(&some, &of, &trust, table);
        const double power = table[(LIMIT_AT_WAVE(of.wide, of.steps) + trust.blocks) * 64 + 63];
        const double right = pow(some.a[0], (double)of.tile * trust.blocks);
        free(table);
        check(trust.blocks >= data[i].least && trust.blocks <= data[i].most &&
                  (trust.blocks == 0 || of.tiles == 1 || fabs(power / right - 1) < 1e-12),
              "limit-ranks a=%g,%g over %zu tiles of %d ranks: %d blocks, power %g", some.a[0],
              some.a[1], of.tiles, of.ranks, trust.blocks, power);
    }
}

/* States go from block to block and from wave to wave, however many blocks there are. */
static void test_limit_blocks(void)
{
    static const char *const blocks[] = {"2", "3", "5", "11"}; /* one has no tiles */
    static const char *const data[] = {"1", "1.9900083305560516,-1",
                                       "-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1",
                                       "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.999999"};
    if (!runs_here(variant_of("limit", DOUBLE)) || strcmp(device_kind(), "emulated") != 0)
        return;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        bool good = true;
        setenv("REPRISE_EMULATED_BLOCKS", blocks[i], 1);
        for (size_t c = 0; c < sizeof data / sizeof *data; c++) {
            const struct setting settings[] = {
                {"n", "90001"}, {"a", data[c]}, {"f", "random"}, {NULL, NULL}};
            good = good && goes_well(settings, SINGLE) && goes_well(settings, DOUBLE);
        }
        unsetenv("REPRISE_EMULATED_BLOCKS");
        check(good, "limit by %s blocks", blocks[i]);
    }
}

/* x of the input with f_k = bad in the place k; the input in a file, but for this. */
static bool solve_spoilt(struct solve *s, const struct variant *v, const struct setting *settings,
                         const char *path, size_t k, double bad)
{
    memset(s, 0, sizeof *s);
    s->variant = v;
    if (create(&s->in, USER, settings, path) != OK)
        return false;
    if (bad != 0)
        ((struct recurrence *)s->in.data)->f[k] = bad;
    s->bytes = s->in.count * value_size(v->precision);
    s->memory = malloc(s->bytes + 2 * GUARD);
    assert(s->memory != NULL);
    s->out = (struct solution){.precision = v->precision, .count = s->in.count};
    s->out.values = s->memory + GUARD;
    return v->calls->plan(&s->in, &s->state) == OK && go(s, 0) == OK;
}

/* What is no number in f at k changes nothing before, and leaves nothing behind. */
static void test_limit_not_finite(const char *path)
{
    enum { N = 20011 };
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    static const char *const data[] = {"0.5", "1", "0.3,-0.2,0.1", "0,0,0,0,0,0,0,0,0,0.4",
                                       "-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1"};
    FILE *const file = fopen(path, "w");
    if (!check(file != NULL, "a file to write"))
        return;
    for (int i = 0; i < N; i++)
        fprintf(file, "%.17g\n", 2 * uniform(5, (uint64_t)i) - 1);
    fclose(file);
    for (enum precision precision = SINGLE; precision <= DOUBLE; precision++)
        for (size_t c = 0; c < sizeof data / sizeof *data; c++) {
            const struct variant *const v = variant_of("limit", precision);
            const struct setting settings[] = {{"n", "20011"}, {"a", data[c]}, {NULL, NULL}};
            struct solve whole, s;
            if (!runs_here(v))
                continue;
            bool good = solve_spoilt(&whole, v, settings, path, 0, 0);
            for (int trial = 0; trial < 24 && good; trial++) {
                const double u = uniform(6 + c, (uint64_t)trial);
                const size_t k = trial < 2 ? (size_t)trial * (N - 1) : (size_t)(u * N);
                good = solve_spoilt(&s, v, settings, path, k, bad[trial % 3]) &&
                       memcmp(s.out.values, whole.out.values, k * value_size(precision)) == 0 &&
                       (isnan(value(&s.out, k)) != 0) == (trial % 3 == 0);
                for (size_t i = k; i < N; i++)
                    good = good && !isfinite(value(&s.out, i));
                if (!good)
                    fprintf(stderr, "# %g in the place %zu\n", bad[trial % 3], k);
                release(&s);
            }
            check(good, "limit %s a=%s: what is not finite spoils nothing before it",
                  precision_of(v), data[c]);
            release(&whole);
        }
    unlink(path);
}

/* --- shapes, parameters, inputs --- */

static void test_shapes(void)
{
    static const struct {
        const char *n, *m, *r, *s, *ratio;
        double own; /* the variant's ratio */
        size_t columns, rows;
    } shapes[] = {
        {"1", "1", "0", "0", "0", 1, 1, 1},
        {"1", "16", "0", "0", "0", 4, 1, 1},
        {"15", "16", "0", "0", "0", 1, 1, 15},
        {"16", "16", "0", "0", "0", 1, 1, 16},
        {"32", "16", "0", "0", "0", 1, 2, 16},
        {"47", "16", "0", "0", "0", 1, 2, 23},
        {"2^20", "4", "0", "0", "0", 1, 1024, 1024},
        {"2^20", "4", "0", "0", "0", 4, 512, 2048},
        {"2^20", "4", "0", "0", "16", 4, 256, 4096},
        {"2^20", "4", "0", "0", "0.25", 1, 2048, 512},
        {"2^33", "4", "0", "0", "0", 1, 92681, 92682},
        {"1000003", "4", "0", "0", "0", 1, 1000, 1000},
        {"100", "4", "0", "0", "1e-9", 1, 25, 4},
        {"100", "4", "0", "0", "1e9", 1, 1, 100},
        {"100", "4", "7", "0", "0", 1, 7, 14},
        {"100", "4", "0", "7", "0", 1, 14, 7},
        {"100", "4", "1", "3", "0", 1, 1, 3},
        {"100", "4", "25", "4", "0", 1, 25, 4},
        {"100", "4", "7", "3", "0", 1, 0, 0},
        {"100", "4", "26", "0", "0", 1, 0, 0},
        {"100", "4", "0", "3", "0", 1, 0, 0},
        {"100", "4", "0", "101", "0", 1, 0, 0},
        {"100", "4", "101", "0", "0", 1, 0, 0},
        {"100", "4", "11", "10", "0", 1, 0, 0},
        {"2^20", "4", "2^33", "2^33", "0", 1, 0, 0},
    };
    for (size_t c = 0; c < sizeof shapes / sizeof *shapes; c++) {
        const struct setting settings[] = {{"n", shapes[c].n},         {"m", shapes[c].m},
                                           {"r", shapes[c].r},         {"s", shapes[c].s},
                                           {"ratio", shapes[c].ratio}, {NULL, NULL}};
        struct instance in;
        size_t r = 0, s = 0;
        enum status status = create(&in, ALTERNATING, settings, NULL);
        if (status == OK)
            status = recurrence_shape(&in.at, shapes[c].own, &r, &s);
        const bool good = shapes[c].rows == 0
                              ? status == ERR_ARGS && strstr(reason(), "s >= m") != NULL
                              : status == OK && r == shapes[c].columns && s == shapes[c].rows;
        check(good, "shape n=%s m=%s r=%s s=%s ratio=%s own ratio %g: %zu x %zu", shapes[c].n,
              shapes[c].m, shapes[c].r, shapes[c].s, shapes[c].ratio, shapes[c].own, s, r);
        in.at.problem->destroy(&in);
    }
}

/* However far apart the columns of BLAS are, with and without a remainder. */
static void test_gap(void)
{
    static const char *const n[] = {"4096", "4200", "63"}, *const gaps[] = {"0", "1", "17"};
    for (const struct variant *v = tested(recurrence_variants); v->id != NULL; v = tested(v + 1))
        for (size_t c = 0; c < 9 && strncmp(v->id, "BLAS", 4) == 0; c++) {
            const struct setting settings[] = {{"n", n[c / 3]}, {"gap", gaps[c % 3]}, {NULL, NULL}};
            struct solve s;
            if (!runs_here(v))
                continue;
            check(solved(&s, v, DAMPED, settings, NULL) == OK && is_good(&s), "%s %s n=%s gap=%s",
                  v->id, precision_of(v), n[c / 3], gaps[c % 3]);
            release(&s);
        }
}

/* The operations of every step, counted one by one. */
static void test_work(void)
{
    static const struct setting settings[] = {{"n", "60"}, {"m", "3"},     {"r", "6"},
                                              {"s", "10"}, {"ranks", "2"}, {NULL, NULL}};
    const double m = 3, n = 60, r = 6, dc = 4 * m * n - m * (r + 1) - 2 * m * m;
    double plain = 0;
    for (int k = 0; k < 60; k++)
        plain += 2 * fmin(k, m);
    struct instance in;
    check(create(&in, ALTERNATING, settings, NULL) == OK, "n=60 m=3 r=6 s=10");
    for (const struct variant *v = tested(recurrence_variants); v->id != NULL; v = tested(v + 1)) {
        struct work work = v->work(v, &in.at);
        const double size = v->precision == DOUBLE ? sizeof(double) : sizeof(float);
        if (v->ranks) { /* of each */
            work.flops *= 2;
            work.bytes *= 2;
        }
        const bool in_place = strncmp(v->id, "SEQ", 3) == 0; /* SEQ-omp: shorter than a block */
        const bool one_pass = is_limit(v);
        const bool scan = v->role == PEER; /* from one array into another */
        const double flops = scan ? work.flops : in_place ? plain : one_pass ? (4 * m + 9) * n : dc;
        const double words = in_place || one_pass || scan ? 2 * n : 2 * n + 2 * 5 * 7;
        check(work.useful == 2 * m * n && work.flops == flops && work.bytes == size * words &&
                  work.launches == (one_pass         ? 1
                                    : uses_device(v) ? 2
                                                     : 0) &&
                  work.host_bytes + work.device_bytes >= (scan ? 2 : 1) * size * n &&
                  work.host_bytes >= (one_pass || scan ? 0 : size * n) &&
                  (work.device_bytes >= size * n) == uses_device(v),
              "work of %s %s: %g operations, %g bytes", v->id, precision_of(v), work.flops,
              work.bytes);
    }
    check(recurrence_family.traffic(DOUBLE, &in.at) == 16 * n &&
              recurrence_family.traffic(SINGLE, &in.at) == 8 * n,
          "the task reads f and writes x");
    check(recurrence_family.operations(&in.at) == plain / 2,
          "and takes an addition for each coefficient, of which all are 1 or -1");
    in.at.problem->destroy(&in);
}

static void test_bad_parameters(void)
{
    static const struct {
        int problem;
        struct setting settings[4];
        const char *says; /* part of the sentence */
    } cases[] = {
        {USER, {{"a", "1,x"}}, "'x' is not a number"},
        {USER, {{"a", ""}}, "write a list as"},
        {USER, {{"a", "1,inf"}}, "'inf' is not a number"},
        {USER, {{"a", "nan"}}, "'nan' is not a number"},
        {USER, {{"a", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"}}, "more than 16"},
        {USER, {{"a", "1,1"}, {"m", "3"}}, "has 2 numbers and m = 3"},
        {USER, {{"m", "17"}}, "out of range"},
        {USER, {{"m", "4"}}, "has 1 numbers and m = 4"},
        {ALTERNATING, {{"m", "0"}}, "out of range"},
        {ALTERNATING, {{"m", "17"}}, "out of range"},
        {ALTERNATING, {{"f", "one"}}, "no parameter 'f'"},
        {PREFIX, {{"m", "2"}}, "no parameter 'm'"},
        {DAMPED, {{"block", "257"}}, "out of range"},
        {DAMPED, {{"block", "0"}}, "out of range"},
        {DAMPED, {{"ratio", "-1"}}, "out of range"},
        {DAMPED, {{"n", "0"}}, "out of range"},
        {DAMPED, {{"f", "radom"}}, "impulse, one, index, ternary, reciprocal, random"},
        {DAMPED, {{"f", ""}}, "f= is not one of"},
        {DAMPED, {{"f", "one(3)"}}, "f=one(3) is not one of"},
        {DAMPED, {{"f", "random("}}, "f=random( is not one of"},
        {DAMPED, {{"f", "random()"}}, "f=random() is not one of"},
        {DAMPED, {{"f", "random(1"}}, "f=random(1 is not one of"},
        {DAMPED, {{"f", "random(-1)"}}, "f=random(-1) is not one of"},
        {DAMPED, {{"f", "random(1)x"}}, "f=random(1)x is not one of"},
        {DAMPED, {{"f", "random(99999999999999999999)"}}, "is not one of"},
        {PREFIX, {{"f", "randomly"}}, "f=randomly is not one of"},
        {USER, {{"f", "impuls"}}, "f=impuls is not one of"},
        {DAMPED, {{"n", "100"}, {"s", "3"}}, "choose r >= 1 and s >= m"},
        {DAMPED, {{"n", "100"}, {"r", "10"}, {"s", "11"}}, "choose r >= 1 and s >= m"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct instance in;
        const enum status status = create(&in, cases[c].problem, cases[c].settings, NULL);
        const char *name = cases[c].settings[0].name, *text = cases[c].settings[0].value;
        check(status == ERR_ARGS && strstr(reason(), cases[c].says) != NULL,
              "%s refuses %s=%s with a sentence", in.at.problem->id, name, text);
        if (status != ERR_ARGS || strstr(reason(), cases[c].says) == NULL)
            fprintf(stderr, "# %s\n", status == OK ? "accepted" : reason());
        in.at.problem->destroy(&in);
    }
}

/* What the words of f mean, and how a seed changes it. */
static void test_words(void)
{
    static const struct {
        const char *f;
        double f1, f2, f3; /* of seed 0; seed 5 divides them by 64 */
    } words[] = {
        {"impulse", 1, 0, 0},
        {"one", 1, 1, 1},
        {"index", 1, 2, 3},
        {"reciprocal", 1, 0.5, 1.0 / 3},
    };
    for (size_t c = 0; c < sizeof words / sizeof *words; c++) {
        const struct setting settings[] = {{"n", "3"}, {"f", words[c].f}, {NULL, NULL}};
        struct instance in;
        double x[3], y[3];
        float z[3];
        const bool good = create(&in, USER, settings, NULL) == OK;
        if (good) {
            recurrence_fill_d(in.data, x);
            recurrence_fill_s(in.data, z);
            in.at.problem->vary(&in, 5);
            recurrence_fill_d(in.data, y);
        }
        check(good && x[0] == words[c].f1 && x[1] == words[c].f2 && x[2] == words[c].f3 &&
                  z[1] == (float)words[c].f2 && z[2] == (float)words[c].f3 && y[0] == x[0] / 64 &&
                  y[1] == x[1] / 64 && y[2] == x[2] / 64,
              "f=%s", words[c].f);
        in.at.problem->destroy(&in);
    }
    static const char *const drawn[] = {"ternary", "random"};
    for (int c = 0; c < 2; c++) {
        enum { N = 3000 };
        static double x[4][N];
        char other[32];
        snprintf(other, sizeof other, "%s(2)", drawn[c]);
        const char *const texts[] = {drawn[c], other};
        bool good = true;
        for (int i = 0; i < 2; i++) {
            const struct setting settings[] = {{"n", "3000"}, {"f", texts[i]}, {NULL, NULL}};
            struct instance in;
            good = good && create(&in, PREFIX, settings, NULL) == OK;
            if (good) {
                recurrence_fill_d(in.data, x[2 * i]);
                in.at.problem->vary(&in, 4);
                recurrence_fill_d(in.data, x[2 * i + 1]);
            }
            in.at.problem->destroy(&in);
        }
        for (int i = 0; i < 4 && good; i++) {
            double sum = 0, squares = 0;
            for (int k = 0; k < N; k++) {
                good = good && fabs(x[i][k]) <= 1 && (c == 1 || x[i][k] == rint(x[i][k]));
                sum += x[i][k];
                squares += x[i][k] * x[i][k];
            }
            good =
                good && fabs(sum / N) < 0.06 && fabs(squares / N - (c == 0 ? 2 : 1) / 3.0) < 0.04;
            for (int j = 0; j < i; j++)
                good = good && memcmp(x[i], x[j], sizeof x[i]) != 0;
        }
        check(good, "f=%s: range, mean and square; the seeds change it", drawn[c]);
    }
}

static void test_bad_files(const char *path)
{
    static const struct {
        const char *text;
        enum status status;
        const char *says;
    } files[] = {
        {"1\n2\n3\n", OK, ""},
        {"1\n2\n", ERR_ARGS, "2 values"},
        {"1\n2\n3\n4\n", ERR_ARGS, "more than"},
        {"1\nnan\n3\n", ERR_ARGS, "line 2"},
        {"1\n2\ninf\n", ERR_ARGS, "line 3"},
        {"1\n2\nthree\n", ERR_ARGS, "line 3"},
    };
    static const struct setting settings[] = {{"n", "3"}, {NULL, NULL}};
    struct instance in;
    for (size_t c = 0; c < sizeof files / sizeof *files; c++) {
        const bool written = write_file(path, files[c].text, strlen(files[c].text)) == OK;
        const enum status status = create(&in, USER, settings, path);
        check(written && status == files[c].status &&
                  (status == OK || strstr(reason(), files[c].says) != NULL),
              "input file %d", (int)c);
        in.at.problem->destroy(&in);
    }
    unlink(path);
    check(create(&in, USER, settings, path) == ERR_IO, "input file that is not there");
    in.at.problem->destroy(&in);
}

static void test_files(void)
{
    enum { N = 9001 };
    static const struct setting settings[][4] = {
        {{"n", "9001"}, {"a", "0.5,-0.25,0.125"}, {NULL, NULL}},
        {{"n", "9001"}, {"a", "1"}, {"r", "90"}, {"s", "99"}},
    };
    char path[64];
    snprintf(path, sizeof path, "test_recurrence_%ld.txt", (long)getpid());
    test_bad_files(path);
    FILE *file = fopen(path, "w");
    if (!check(file != NULL, "a file to write"))
        return;
    for (int i = 0; i < N; i++)
        fprintf(file, "%.17g\n", sin(0.001 * i) + (i % 7) - 3);
    fclose(file);
    for (size_t c = 0; c < sizeof settings / sizeof *settings; c++)
        for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
             v = tested(v + 1)) {
            struct setting list[5] = {{NULL, NULL}};
            memcpy(list, settings[c], sizeof settings[c]);
            struct solve s;
            if (!applies(v, USER, list, path))
                continue;
            bool good = solved(&s, v, USER, list, path) == OK && is_good(&s);
            const double error = error_of(&s);
            good = good && go(&s, 3) == OK && is_good(&s);
            check(good && error > 0, "%s %s a=%s with f from a file: error %.3g", v->id,
                  precision_of(v), list[1].value, error);
            release(&s);
        }
    unlink(path);
}

static void test_dump(void)
{
    static const struct setting settings[] = {{"n", "3"}, {"f", "index"}, {NULL, NULL}};
    struct solve s;
    char *text = NULL;
    size_t size = 0;
    const bool ran = solved(&s, variant_of("SEQ", DOUBLE), USER, settings, NULL) == OK;
    FILE *file = open_memstream(&text, &size);
    assert(file != NULL);
    if (ran)
        s.in.at.problem->dump(&s.in, &s.out, file);
    fclose(file);
    check(ran && strcmp(text, "1,1\n2,3\n3,6\n") == 0 &&
              strcmp(s.in.at.problem->dump_header, "k,x") == 0,
          "the dump counts from k = 1");
    free(text);
    release(&s);
}

int main(void)
{
    struct device_facts facts;
    char path[64];
    snprintf(path, sizeof path, "test_recurrence_%ld.txt", (long)getpid());
    have_device = device_open(&facts) == OK;
    if (!have_device)
        skip("variants with kernels", reason());
    for (const struct variant *v = tested(recurrence_variants); v->id != NULL; v = tested(v + 1))
        if (v->unavailable != NULL && v->precision == DOUBLE)
            skip(v->id, v->unavailable);
    test_shapes();
    test_gap();
    test_work();
    test_bad_parameters();
    test_words();
    test_files();
    test_dump();
    test_closed_forms();
    test_triple_root();
    test_range();
    test_small(path);
    test_varied_range(path);
    test_coefficients(path);
    test_long_columns(path);
    test_oscillator();
    test_wild();
    test_bad_answers();
    test_amplification();
    test_amplification_of_carries();
    test_corrupted();
    test_large_integers();
    test_distance();
    test_distance_of_cluster();
    test_end_of_range(path);
    test_threads();
    test_fill();
    test_rounding();
    test_repetition();
    test_limit_powers();
    test_fading();
    test_limit_sizes();
    test_limit_ranks();
    test_limit_blocks();
    test_limit_not_finite(path);
    test_bits();
    test_bits_of_many();
    return done();
}
