/*
 * Parameters that nobody chose: no variant's answer may be called wrong, all variants say the same,
 * and what diverges takes fixed steps, or has none that is short enough. random_curvature [COUNT];
 * REPRISE_SEED draws others.
 */
#include "curvature/curvature.h"

#include <float.h>
#include <math.h>

#include "machine/device.h"
#include "solving.h"
#include "tap.h"

static uint64_t seed = 1;

static double draw(int job, int what)
{
    return uniform(seed, 100 * (uint64_t)job + (uint64_t)what);
}

static int whole(int job, int what, int least, int most)
{
    return least + (int)((most - least + 1) * draw(job, what));
}

/* 10^least .. 10^most */
static const char *power(char *text, size_t size, double least, double most, double x)
{
    snprintf(text, size, "%.6g", pow(10, least + (most - least) * x));
    return text;
}

/* The settings as one text, for the name of the test point. */
static const char *words(const struct setting *settings, char *text, size_t size)
{
    size_t length = 0;
    for (int i = 0; settings[i].name != NULL && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, " %s=%s", settings[i].name,
                                   settings[i].value);
    return text;
}

/* Attempts that a run takes; 0 if it diverges. */
static double attempts_of(const struct problem *problem, const struct setting *settings,
                          enum precision precision)
{
    struct solve s;
    const struct variant *const v = variant_in(curvature_variants, "cpuN", precision);
    enum status status = prepare_problem(&s, v, problem, settings, NULL);
    if (status == OK)
        status = go(&s, 0);
    const double taken =
        status == OK ? value(&s.out, s.in.count - 2) + value(&s.out, s.in.count - 1) : 0;
    release(&s);
    return taken;
}

/* What becomes of a variant's answer. */
struct outcome {
    enum status status; /* SKIPPED: fixed steps are Merson's alone */
    bool answered;
    struct judgement judgement;
};

static struct outcome outcome_of(const struct problem *problem, const struct variant *v,
                                 const struct setting *settings, uint64_t order)
{
    struct solve s;
    struct outcome o = {.status = prepare_problem(&s, v, problem, settings, NULL)};
    if (o.status == OK)
        o.status = go(&s, order);
    o.answered = o.status == OK;
    if (o.status == OK)
        o.status = judged(&s, &o.judgement);
    if (o.status == OK)
        o.status = accept_answer(&s.in, v, &s.out, &o.judgement);
    release(&s);
    return o;
}

static void try_one(int job)
{
    enum { SIZE = 32, REFERENCE = 11 };
    char n[SIZE], n2[SIZE], end[SIZE], sigma[SIZE], r[SIZE], power_of[SIZE], tau0[SIZE], eps[SIZE],
        snapshots[SIZE], text[512];
    const bool fourth = draw(job, 0) < 0.5, fixed = draw(job, 1) < 0.3;
    const bool on_device = job % 10 == 0; /* which is emulated, and slow */
    const int most = on_device ? 24 : 48, cells = whole(job, 2, 16, most),
              other = draw(job, 3) < 0.3 ? whole(job, 4, 16, most) : cells;
    const double second = (cells * cells + other * other) / 16.0,
                 rate = fourth ? second * second : second;
    const double longest = fmin(fourth ? 0.5 : 1, (on_device ? 100 : 2000) * STABLE / rate);
    snprintf(n, SIZE, "%d", cells);
    snprintf(n2, SIZE, "%d", other);
    snprintf(end, SIZE, "%.6g", longest * pow(10, -3 * draw(job, 5) * draw(job, 6)));
    snprintf(power_of, SIZE, "%d", whole(job, 9, 1, 4));
    snprintf(snapshots, SIZE, "%d", whole(job, 10, 1, 20));
    if (fixed) /* within stability */
        snprintf(tau0, SIZE, "%.6g", 0.9 * STABLE / rate * pow(10, -draw(job, 11)));
    else
        power(tau0, SIZE, -9, 0, draw(job, 11));
    const char *const at_most = on_device ? "200" : "3000";
    const char *const reference = draw(job, 14) < 0.3 ? "first" : "auto";
    struct setting settings[] = {{"attempts", at_most},
                                 {"N", n},
                                 {"N2", n2},
                                 {"T", end},
                                 {"sigma", power(sigma, SIZE, log10(0.25), 3, draw(job, 7))},
                                 {"r", power(r, SIZE, -0.2, 0.7, draw(job, 8))},
                                 {"n", power_of},
                                 {"snapshots", snapshots},
                                 {"boundary", draw(job, 12) < 0.7 ? "dirichlet" : "neumann"},
                                 {"eps", power(eps, SIZE, -7, -3, draw(job, 13))},
                                 {"control", fixed ? "fixed" : "adaptive"},
                                 [REFERENCE] = {"reference", reference},
                                 {fixed || draw(job, 15) < 0.5 ? "tau0" : NULL, tau0},
                                 {NULL, NULL}};
    for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
        const struct problem *const problem = &curvature_problems[fourth ? 1 : 0];
        const struct variant *const plain = variant_in(curvature_variants, "cpu1", precision);
        const uint64_t order = job % 2 == 0 ? 0 : random_bits(seed, (uint64_t)job);
        enum status first = OK;
        settings[0].value = at_most; /* where the end is too far away */
        if (attempts_of(problem, settings, precision) < atof(at_most))
            settings[0].value = "0";
        settings[REFERENCE].value = reference;
        for (const struct variant *v = curvature_variants; v->id != NULL; v++) {
            if (v->precision != precision || !runs_here(v) || (uses_device(v) && !on_device))
                continue;
            struct outcome o = outcome_of(problem, v, settings, order);
            if (o.status == SKIPPED)
                continue;
            first = v == plain ? o.status : first;
            /* Fixed steps let rounding grow until some leave the range of the numbers and others
             * do not. That neither has a digit, who follows all steps knows. */
            if (fixed && o.status != first) {
                settings[REFERENCE].value = "whole";
                first = outcome_of(problem, plain, settings, order).status;
                o = outcome_of(problem, v, settings, order);
            }
            const bool diverged = o.status == ERR_DIVERGED && (fixed || !o.answered);
            const bool good = (o.status == OK || diverged) && o.status == first;
            check(good, "%s %s %s%s seed=%llu/%d%s", v->id, precision_of(v), problem->id,
                  words(settings, text, sizeof text), (unsigned long long)seed, job,
                  diverged ? " diverges" : "");
            if (o.status != OK)
                fprintf(stderr, "# %s\n", reason());
            const double rounding = metric_of(&o.judgement, "amplification") *
                                    (precision == DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON);
            if (getenv("MARGIN") && o.answered && o.judgement.error > 0)
                fprintf(stderr, "# margin %s error %.3g of %.3g: %.3g\n", precision_of(v),
                        o.judgement.error, rounding, o.judgement.error / rounding);
        }
    }
}

int main(int argc, char **argv)
{
    struct device_facts device;
    have_device = device_open(&device) == OK;
    const int count = argc > 1 ? atoi(argv[1]) : 4;
    const char *const other = getenv("REPRISE_SEED");
    seed = other != NULL ? strtoull(other, NULL, 10) : seed;
    for (int job = 0; job < count; job++)
        try_one(job);
    return done();
}
