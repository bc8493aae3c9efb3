/*
 * Problems that nobody chose: no variant's answer may be called wrong, and none of them is good any
 * more when a value is further off than rounding can take it, or half of it is missing.
 * random_waveform [COUNT]; REPRISE_SEED draws others.
 */
#include "waveform/problem.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "machine/device.h"
#include "solving.h"
#include "tap.h"

static uint64_t seed = 1;
static int answers, uncertain; /* uncertain: rounding may have left no digit of it */
static double worst;

/* Of what is drawn for a job, each has an index of its own. */
static uint64_t place(int job, int what)
{
    return (uint64_t)job * 100 + (uint64_t)what;
}

static double draw(int job, int what)
{
    return uniform(seed, place(job, what));
}

static int pick(int job, int what, int least, int most)
{
    return least + (int)((most - least + 1) * draw(job, what));
}

/* 10^least .. 10^most */
static double power(int job, int what, double least, double most)
{
    return pow(10, least + (most - least) * draw(job, what));
}

/* Settings as text, which outlives them. */
struct drawn {
    struct setting all[20];
    char text[20][64];
    int count;
};

__attribute__((format(printf, 3, 4))) static void set(struct drawn *to, const char *name,
                                                      const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(to->text[to->count], sizeof to->text[0], format, list);
    va_end(list);
    to->all[to->count] = (struct setting){name, to->text[to->count]};
    to->count++;
    assert(to->count < (int)(sizeof to->all / sizeof *to->all));
}

/* Files of a user's problem. */
struct files {
    char folder[32], matrix[48], g[48], y0[48];
};

/* Of d x d numbers with a part that is 0, some that fall with their distance from the diagonal,
 * some with a large diagonal, none so large that everything would be rounding after a time of T. */
static void write_matrix(const struct files *f, int job, int d)
{
    const uint64_t own = random_bits(seed, place(job, 90));
    const double size = power(job, 20, -1, 0.7) / sqrt(d), full = draw(job, 21),
                 shift = 4 * draw(job, 22);
    FILE *const file = fopen(f->matrix, "w");
    assert(file != NULL);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            const uint64_t k = (uint64_t)i * (uint64_t)d + (uint64_t)j;
            const bool there = i == j || uniform(own, 2 * k) < full;
            const double m = there ? size * (2 * uniform(own, 2 * k + 1) - 1) : 0;
            fprintf(file, "%.17g\n", i == j ? m - shift : m);
        }
    fclose(file);
}

static void write_numbers(const char *path, int job, int what, int count)
{
    const uint64_t own = random_bits(seed, place(job, what));
    const double size = power(job, what, -3, 3);
    FILE *const file = fopen(path, "w");
    assert(file != NULL);
    for (int k = 0; k < count; k++)
        fprintf(file, "%.17g\n", size * (2 * uniform(own, (uint64_t)k) - 1));
    fclose(file);
}

static void draw_problem(int job, int code, const struct files *f, struct drawn *to)
{
    static const char *const methods[] = {"implicit-euler", "explicit-euler", "trapezoidal",
                                          "bdf2",           "adams-moulton2", "adams-bashforth2"};
    static const char *const starts[] = {"ones", "ones", "random", "random",
                                         "e_d",  "e_1",  "e_mid",  "sin"};
    const int m = pick(job, 0, 1, 13), points = pick(job, 1, 3, draw(job, 2) < 0.2 ? 120 : 50);
    const int d = code == HEAT2D ? m * m : pick(job, 0, 1, code == USER ? 24 : 150);
    set(to, "d", "%d", d);
    set(to, "N", "%d", points);
    set(to, "T", "%.6g", power(job, 3, -1, code == HEAT2D ? 0.3 : 0.6));
    set(to, "tol", "%.3g", power(job, 4, -12, -1));
    set(to, "nmax", "%d", pick(job, 5, 1, 150));
    set(to, "method", "%s", methods[pick(job, 6, 0, 5)]);
    set(to, "expect", "any");
    set(to, "block", "%d", pick(job, 7, 1, 64));
    if (code != USER) {
        set(to, "y0", "%s", starts[pick(job, 8, 0, 7)]);
        set(to, "seed", "%d", pick(job, 9, 1, 1000));
        set(to, "storage", "%s", draw(job, 10) < 0.5 ? "dense" : "sparse");
        set(to, "skew", "%.3g", draw(job, 11) < 0.3 ? 0 : 2 * draw(job, 12) - 1);
        return;
    }
    write_matrix(f, job, d);
    write_numbers(f->y0, job, 13, d);
    write_numbers(f->g, job, 14, d * points);
    set(to, "<matrix", "%s", f->matrix);
    const bool ones = draw(job, 15) < 0.3;
    set(to, ones ? "y0" : "<y0", "%s", ones ? "ones" : f->y0);
    if (draw(job, 16) < 0.5)
        set(to, "<g", "%s", f->g);
}

/* Whether a value that is 10 bounds off is refused, and an answer of which half is missing, if
 * there is anything. */
static bool refuses_others(const struct solve *s, int job, const struct judgement *judgement)
{
    const struct waveform *const p = s->in.data;
    const size_t steps = (size_t)waveform_methods[p->method].steps;
    const size_t i = (size_t)pick(job, 30, 0, (int)p->d - 1);
    const size_t n = (size_t)pick(job, 31, (int)steps, (int)p->points - 1);
    struct reference r = {.err = NAN};
    const bool made = reference_make(p, (enum relaxation)s->variant->code,
                                     s->variant->precision == SINGLE, &r) == OK;
    assert(made);
    for (double v = 0; v < metric_of(judgement, "iterations"); v++)
        reference_sweep(&r);
    const size_t at = i * p->points + n;
    const double y = value(&s->out, at);
    set_value(&s->out, at, y + 10 * r.bound[n * p->d + i]);
    bool good = !is_good(s);
    set_value(&s->out, at, y);
    bool missed = false; /* what is taken away */
    for (size_t k = job % 2; k < p->d * p->points; k += 2) {
        const size_t from = k % p->points * p->d + k / p->points;
        missed = missed || fabs(r.now[from]) > 2 * r.bound[from];
        set_value(&s->out, k, 0);
    }
    good = good && !(missed && is_good(s));
    reference_free(&r);
    return good;
}

static void try_variant(const struct variant *v, int job, int code, const struct drawn *settings)
{
    struct solve s;
    struct judgement judgement = {.error = NAN};
    enum status status = prepare_problem(&s, v, &waveform_problems[code], settings->all, NULL);
    const uint64_t vary = job % 2 == 0 ? 0 : random_bits(seed, (uint64_t)job);
    if (status == OK)
        status = go(&s, vary);
    if (status == OK)
        status = judged(&s, &judgement);
    if (status == OK)
        status = accept_answer(&s.in, v, &s.out, &judgement);
    /* A two-step method has no second value where its own iteration does not find one. */
    const bool no_start = status == ERR_DIVERGED && strstr(reason(), "does not find y") != NULL;
    const bool none = status == ERR_DIVERGED && strstr(reason(), "no digit") != NULL;
    const bool finite =
        status == OK && (v->code == DIRECT || metric_of(&judgement, "outcome") != NONFINITE);
    char text[512];
    size_t length = 0;
    for (int k = 0; k < settings->count && length < sizeof text; k++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %s=%s",
                                   settings->all[k].name, settings->all[k].value);
    if (!check(status == OK || none || no_start, "%s %s %s%s seed=%llu/%d", v->id, precision_of(v),
               waveform_problems[code].id, text, (unsigned long long)seed, job))
        fprintf(stderr, "# %s\n", reason());
    if (finite && v->code != DIRECT && !uses_device(v) && !refuses_others(&s, job, &judgement))
        check(false, "%s %s: a wrong one is refused, seed=%llu/%d", v->id, precision_of(v),
              (unsigned long long)seed, job);
    answers++;
    uncertain += none;
    worst = finite && judgement.error > worst ? judgement.error : worst;
    release(&s);
}

/* The emulated device is slow: it has small problems, and a few of them, unless these are
 * sparse. */
static bool is_too_much(const struct variant *v, const struct drawn *settings, int job)
{
    const double d = atof(settings->all[0].value), points = atof(settings->all[1].value);
    const bool sparse = strstr(v->id, "blocked") != NULL;
    return uses_device(v) && !sparse && (job % 5 != 0 || d * d * points > 2e4);
}

int main(int argc, char **argv)
{
    struct device_facts device;
    struct files files = {.folder = "/tmp/waveform-XXXXXX"};
    const int count = argc > 1 ? atoi(argv[1]) : 20;
    const char *const other = getenv("REPRISE_SEED");
    have_device = device_open(&device) == OK;
    seed = other != NULL ? strtoull(other, NULL, 10) : seed;
    const bool made = mkdtemp(files.folder) != NULL;
    assert(made);
    snprintf(files.matrix, sizeof files.matrix, "%s/a", files.folder);
    snprintf(files.g, sizeof files.g, "%s/g", files.folder);
    snprintf(files.y0, sizeof files.y0, "%s/y0", files.folder);
    for (int job = 0; job < count; job++) {
        const int code = pick(job, 50, HEAT1D, USER);
        struct drawn settings = {.count = 0};
        draw_problem(job, code, &files, &settings);
        for (const struct variant *v = waveform_variants; v->id != NULL; v++)
            if (!is_too_much(v, &settings, job) &&
                takes(v, &waveform_problems[code], settings.all, NULL))
                try_variant(v, job, code, &settings);
    }
    check(answers > 0 && uncertain <= answers / 4,
          "%d answers, %d of which rounding may have left no digit; errors of up to %.3g of what "
          "it can do",
          answers, uncertain, worst);
    (void)unlink(files.matrix);
    (void)unlink(files.g);
    (void)unlink(files.y0);
    (void)rmdir(files.folder);
    return done();
}
