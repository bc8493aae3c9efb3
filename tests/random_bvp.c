/*
 * The family bvp on right-hand sides that nobody chose: of many sizes, with heavy tails, with signs
 * that change from value to value, almost all zero, growing and falling, near the ends of the
 * range; and on shapes that nobody chose. No variant may be called wrong; what has no digit left is
 * said to have none; an answer to other data, or with one value off, is seen.
 *   random_bvp [SETS [MOST_UNKNOWNS]], and the environment variable REPRISE_SEED
 */
#include "bvp/bvp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "machine/device.h"
#include "solving.h"
#include "tap.h"

enum { INPUT = 2, ROOM = 32 };

struct draw {
    uint64_t seed, index;
};

static double next(struct draw *draw)
{
    return uniform_at(draw->seed, draw->index++);
}

/* From 1 to `most`, small ones as often as large ones. */
static long up_to(struct draw *draw, double most)
{
    return (long)fmin(most, exp(next(draw) * log(most + 1)));
}

static double normal(struct draw *draw)
{
    const double radius = sqrt(-2 * log(1 - next(draw)));
    return radius * cos(2 * M_PI * next(draw));
}

static const char *const kinds[] = {"normal",           "of heavy tails", "of many sizes",
                                    "of changing sign", "sparse",         "falling",
                                    "growing",          "tiny",           "huge"};
enum { NORMAL, HEAVY, SIZES, SIGNS, SPARSE, FALLING, GROWING, TINY, HUGE_ONES, KINDS };

/* f_i, i / n = x; `part`, from 0 to 1, is that of all of it. */
static double draw_f(struct draw *draw, int kind, long i, double x, double part)
{
    const double u = next(draw);
    switch (kind) {
    case NORMAL:
        return normal(draw);
    case HEAVY:
        return tan(3.14159 * (u - 0.5));
    case SIZES:
        return (u < 0.5 ? -1 : 1) * exp(3 * normal(draw));
    case SIGNS:
        return (i % 2 == 0 ? 1 : -1) * (1 + pow(10, -12 * part) * (u - 0.5));
    case SPARSE:
        return u < 0.999 ? 0 : normal(draw);
    case FALLING:
        return exp(-30 * x) * (u - 0.25);
    case GROWING:
        return exp(30 * x) * (u - 0.25);
    case TINY:
        return pow(10, -10 - 30 * part) * (u - 0.25);
    default:
        return pow(10, 10 + 30 * part) * (u - 0.25);
    }
}

static bool write_f(struct draw *draw, int kind, long n, const char *path)
{
    FILE *file = fopen(path, "w");
    const double part = next(draw);
    if (file == NULL)
        return false;
    for (long i = 0; i < n; i++)
        fprintf(file, "%.17g\n", draw_f(draw, kind, i, (double)i / (double)n, part));
    return fclose(file) == 0;
}

/* n, and the array of A2 by its columns, by its rows, by both, or as it is chosen. */
static void draw_shape(struct draw *draw, long n, char (*text)[ROOM], struct setting *settings)
{
    const double by = next(draw);
    const long half = n / 2;
    long s = up_to(draw, (double)half) + 1;
    const long fit = n / s;
    long r = up_to(draw, (double)fit);
    if (by < 0.25)
        s = r = 0;
    else if (by < 0.5)
        s = 0;
    else if (by < 0.75)
        r = 0;
    if (s == 0 && r > half)
        r = half;
    const long block = next(draw) < 0.5 ? 0 : 32 * (1 + (long)(next(draw) * 8));
    const long values[] = {n, r, s, block};
    static const char *const names[] = {"n", "r", "s", "block"};
    for (int k = 0; k < 4; k++) {
        snprintf(text[k], ROOM, "%ld", values[k]);
        settings[k] = (struct setting){names[k], text[k]};
    }
    settings[4] = (struct setting){NULL, NULL};
}

/* By a hundredth of the solution for |f|, which is more than rounding does where it is good. */
static bool sees_one_value(const struct solve *s, const struct judgement *judgement,
                           struct draw *draw)
{
    const size_t place = (size_t)(next(draw) * (double)s->in.count);
    const double good = value(&s->out, place);
    set_value(&s->out, place, good + 0.01 * judgement->beside[SIZE]);
    const bool seen = value(&s->out, place) == good || !is_good(s);
    set_value(&s->out, place, good);
    return seen;
}

struct tally {
    int good, lost, bad;
};

static void try_variant(const struct variant *v, const struct setting *settings, const char *path,
                        const char *name, struct draw *draw, struct tally *tally)
{
    struct judgement judgement;
    struct solve s;
    enum status status =
        prepare_problem(&s, v, &bvp_problems[INPUT], settings, path) == OK ? go(&s, 0) : ERR_ARGS;
    if (status == OK)
        status = concluded(&s, &judgement);
    tally->good += status == OK;
    tally->lost += status == ERR_DIVERGED;
    tally->bad += status != OK && status != ERR_DIVERGED;
    if (status != OK && status != ERR_DIVERGED)
        check(false, "%s %s of %s: %s", v->id, precision_of(v), name, reason());
    if (status == OK && judgement.beside[SIZE] > 0) {
        const bool seen = sees_one_value(&s, &judgement, draw);
        s.in.at.problem->vary(&s.in, 1);
        if (!seen || is_good(&s))
            check(false, "%s %s of %s: a bad answer passes: %s", v->id, precision_of(v), name,
                  seen ? "of other data" : "one value off");
    }
    release(&s);
}

int main(int argc, char **argv)
{
    const char *const given = getenv("REPRISE_SEED");
    const int sets = argc > 1 ? atoi(argv[1]) : is_sanitized() ? 2 * KINDS : 5 * KINDS;
    const double most = argc > 2 ? atof(argv[2]) : 60000;
    struct draw draw = {given != NULL ? strtoull(given, NULL, 10) : 1, 0};
    struct tally tallies[64] = {{0}};
    struct device_facts facts;
    char path[64];
    have_device = device_open(&facts) == OK;
    snprintf(path, sizeof path, "random_bvp_%ld.txt", (long)getpid());
    for (int set = 0; set < sets; set++) {
        const int kind = set % KINDS;
        const long n = 2 + up_to(&draw, most);
        char text[4][ROOM], name[256];
        struct setting settings[5];
        draw_shape(&draw, n, text, settings);
        snprintf(name, sizeof name, "set %d of seed %llu, %s, n=%s r=%s s=%s block=%s", set,
                 (unsigned long long)draw.seed, kinds[kind], text[0], text[1], text[2], text[3]);
        if (!write_f(&draw, kind, n, path)) {
            check(false, "a file to write");
            break;
        }
        int i = 0;
        for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1), i++)
            if (takes(v, &bvp_problems[INPUT], settings, path))
                try_variant(v, settings, path, name, &draw, &tallies[i]);
    }
    unlink(path);
    int i = 0;
    for (const struct variant *v = tested(bvp_variants); v->id != NULL; v = tested(v + 1), i++)
        if (runs_here(v))
            check(tallies[i].bad == 0,
                  "%s %s, %d sets of seed %llu: %d good, %d without a digit, %d wrong", v->id,
                  precision_of(v), sets, (unsigned long long)draw.seed, tallies[i].good,
                  tallies[i].lost, tallies[i].bad);
        else
            skip(v->id, v->unavailable != NULL ? v->unavailable : "no device");
    return done();
}
