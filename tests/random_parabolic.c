/*
 * Parameters that nobody chose: no variant's answer may be called wrong, and what diverges must
 * have been beyond its stability, or below the range; or it rounds in its own way, and beyond
 * lambda = 1/4, or with the coefficients of model 3, its bound has grown too large.
 * random_parabolic [COUNT]; REPRISE_SEED draws others.
 */
#include "parabolic/parabolic.h"

#include <math.h>

#include "machine/device.h"
#include "solving.h"
#include "tap.h"

static uint64_t seed = 1;

static double draw(int job, int what)
{
    return uniform(seed, 100 * (uint64_t)job + (uint64_t)what);
}

/* 10^least .. 10^most */
static const char *power(char *text, size_t size, double least, double most, double x)
{
    snprintf(text, size, "%.6g", pow(10, least + (most - least) * x));
    return text;
}

static void try_one(int job)
{
    static const char *const schemes[] = {"ei-rb", "hopscotch", "literal", "jacobi",
                                          "leapfrog-hopscotch"};
    char n[32], lambda[32], end[32], a[32];
    const int model = 1 + (int)(4 * draw(job, 0));
    snprintf(n, sizeof n, "%d", 1 + (int)(70 * draw(job, 1) * draw(job, 2)));
    const struct setting settings[] = {
        {"N", n},
        {"lambda", power(lambda, sizeof lambda, -2, 1.5, draw(job, 3))},
        {"T", power(end, sizeof end, -3, 0.5, draw(job, 4))},
        {"scheme", schemes[(int)(5 * draw(job, 5))]},
        {"force", draw(job, 6) < 0.2 ? "1" : "0"},
        {model == 3   ? "a"
         : model == 4 ? "ic"
                      : NULL,
         model == 3           ? power(a, sizeof a, -2, 2.5, draw(job, 7))
         : draw(job, 7) < 0.5 ? "exact"
                              : "printed"},
        {NULL, NULL}};
    const bool forced = settings[4].value[0] == '1';
    for (const struct variant *v = parabolic_variants; v->id != NULL; v++) {
        struct solve s;
        if (!runs_here(v))
            continue;
        enum status status = prepare_problem(&s, v, &parabolic_problems[model - 1], settings, NULL);
        const struct parabolic *const p = s.in.data;
        const double most = uses_device(v) ? 2e5 : 2e7; /* updates: the emulated device is slow */
        if (status == OK && (double)p->steps * (double)(p->n * p->n) > most)
            status = because(SKIPPED, "too long");
        if (status == OK)
            status = go(&s, job % 2 == 0 ? 0 : random_bits(seed, (uint64_t)job));
        struct judgement judgement;
        if (status == OK)
            status = judged(&s, &judgement);
        if (status == OK)
            status = accept_judged(&s.in, v, &s.out, OK, &judgement);
        const bool refused =
            status == ERR_ARGS || status == SKIPPED; /* beyond stability; too long */
        const bool blind = strcmp(v->id, "GPU-limit-fma") == 0 &&
                           strstr(reason(), "no digit is certain") != NULL &&
                           (model == 3 || atof(lambda) > 0.25);
        const bool beyond =
            status == ERR_DIVERGED && (strstr(reason(), "underflow") != NULL || forced || blind);
        check(status == OK || refused || beyond,
              "%s %s model%d N=%s lambda=%s T=%s scheme=%s force=%s %s=%s seed=%llu/%d", v->id,
              precision_of(v), model, n, lambda, end, settings[3].value, settings[4].value,
              settings[5].name != NULL ? settings[5].name : "-",
              settings[5].name != NULL ? settings[5].value : "-", (unsigned long long)seed, job);
        if (!(status == OK || refused || beyond))
            fprintf(stderr, "# %s\n", reason());
        release(&s);
    }
}

int main(int argc, char **argv)
{
    struct device_facts device;
    have_device = device_open(&device) == OK;
    const int count = argc > 1 ? atoi(argv[1]) : 40;
    const char *const other = getenv("REPRISE_SEED");
    seed = other != NULL ? strtoull(other, NULL, 10) : seed;
    for (int job = 0; job < count; job++)
        try_one(job);
    return done();
}
