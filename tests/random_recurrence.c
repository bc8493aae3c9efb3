/*
 * The family recurrence on poles that nobody chose: in the unit disc, on its edge, in clusters and
 * near 1, some of them multiple. No variant may be called wrong; what no longer has a digit is said
 * to have none; and one value that is off by a few times what rounding explains is seen.
 *   random_recurrence [SETS [UNKNOWNS]], and the environment variable REPRISE_SEED
 */
#include "recurrence/recurrence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "machine/device.h"
#include "recurrence.h"
#include "solving.h"
#include "tap.h"

enum { MOST_POLES = MAX_ORDER };

struct draw {
    uint64_t seed, index;
};

static double next(struct draw *draw)
{
    return uniform(draw->seed, draw->index++);
}

/* polynomial *= z^2 + b z + c, or z + b where c is 0 */
static void multiply(long double *polynomial, int *degree, long double b, long double c, int by)
{
    long double product[MOST_POLES + 1] = {0};
    const long double factor[] = {1, b, c};
    for (int i = 0; i <= *degree; i++)
        for (int j = 0; j <= by; j++)
            product[i + j] += polynomial[i] * factor[j];
    *degree += by;
    memcpy(polynomial, product, sizeof product);
}

static const char *const kinds[] = {"in the disc", "on the circle", "in a cluster", "near 1",
                                    "multiple"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The coefficients of a recurrence of order m, as the parameter a takes them. */
static void draw_poles(struct draw *draw, int kind, int m, char *text, size_t room)
{
    const long double pi = 3.14159265358979323846L, turn = pi * (long double)next(draw);
    const long double size = next(draw) < 0.5 ? 1 : 0.99L;
    long double polynomial[MOST_POLES + 1] = {1};
    int degree = 0;
    while (degree < m) {
        const double u = next(draw), v = next(draw), w = next(draw);
        long double radius = sqrtl((long double)u), angle = pi * (long double)v;
        if (kind == 1)
            radius = 1;
        if (kind == 2) {
            radius = 0.9L + 0.1L * (long double)u;
            angle = turn + 0.05L * (long double)v;
        }
        if (kind == 3) {
            radius = 1 - powl(10, -1 - 5 * (long double)u);
            angle = 3 * powl(10, -3 * (long double)v);
        }
        if (kind == 4) {
            radius = size;
            angle = turn;
        }
        if (degree + 2 <= m && w < 0.7)
            multiply(polynomial, &degree, -2 * radius * cosl(angle), radius * radius, 2);
        else
            multiply(polynomial, &degree, w < 0.85 ? -radius : radius, 0, 1);
    }
    size_t used = 0;
    for (int j = 1; j <= m; j++)
        used += (size_t)snprintf(text + used, room - used, "%s%.17g", j == 1 ? "" : ",",
                                 (double)-polynomial[j]);
}

/* Not where a block of SEQ-omp begins: there a carry may come in, too. */
static bool sees_one_value(const struct solve *s, struct draw *draw)
{
    const size_t blocks = s->in.count / 1024;
    const size_t place = (size_t)(next(draw) * (double)blocks) * 1024 + 500;
    const double good = value(&s->out, place);
    set_value(&s->out, place, good + a_few_roundings(s));
    const bool seen = !is_good(s);
    set_value(&s->out, place, good);
    return seen;
}

struct tally {
    int good, lost, bad;
    double worst; /* amplification of a good one */
};

static void try_variant(const struct variant *v, const struct setting *settings, const char *name,
                        struct draw *draw, struct tally *tally)
{
    struct judgement judgement;
    struct solve s;
    enum status status = prepare_problem(&s, v, &recurrence_problems[USER], settings, NULL) == OK
                             ? go(&s, 0)
                             : ERR_ARGS;
    if (status == OK)
        status = concluded(&s, &judgement);
    tally->good += status == OK;
    tally->lost += status == ERR_DIVERGED;
    tally->bad += status != OK && status != ERR_DIVERGED;
    if (status != OK && status != ERR_DIVERGED)
        check(false, "%s %s of %s: %s", v->id, precision_of(v), name, reason());
    if (status == OK) {
        const bool seen = sees_one_value(&s, draw);
        const double amplification = metric_of(&judgement, "amplification");
        tally->worst = fmax(tally->worst, amplification);
        s.in.at.problem->vary(&s.in, 1);
        if (!seen || is_good(&s))
            check(false, "%s %s of %s: a bad answer passes: %s", v->id, precision_of(v), name,
                  seen ? "of other data" : "one value off");
    }
    release(&s);
}

int main(int argc, char **argv)
{
    static const char *const inputs[] = {"impulse", "random", "one", "ternary", "reciprocal"};
    const char *const given = getenv("REPRISE_SEED"), *const n = argc > 2 ? argv[2] : "60000";
    const int sets = argc > 1 ? atoi(argv[1]) : is_sanitized() ? 16 : 32;
    struct draw draw = {given != NULL ? strtoull(given, NULL, 10) : 1, 0};
    struct tally tallies[64] = {{0}};
    struct device_facts facts;
    have_device = device_open(&facts) == OK;
    for (int set = 0; set < sets; set++) {
        const int m = 1 + 7 * set % MOST_POLES, kind = set % KINDS;
        const char *const f = inputs[(size_t)(next(&draw) * 5)];
        char a[MOST_POLES * 32], name[MOST_POLES * 32 + 128];
        draw_poles(&draw, kind, m, a, sizeof a);
        const struct setting settings[] = {{"n", n}, {"a", a}, {"f", f}, {NULL, NULL}};
        snprintf(name, sizeof name, "set %d of seed %llu, %s: n=%s f=%s a=%s", set,
                 (unsigned long long)draw.seed, kinds[kind], n, f, a);
        int i = 0;
        for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
             v = tested(v + 1), i++)
            if (takes(v, &recurrence_problems[USER], settings, NULL))
                try_variant(v, settings, name, &draw, &tallies[i]);
    }
    int i = 0;
    for (const struct variant *v = tested(recurrence_variants); v->id != NULL;
         v = tested(v + 1), i++)
        if (runs_here(v))
            check(tallies[i].bad == 0,
                  "%s %s, %d sets of seed %llu: %d good (amplified by %.2g at most), %d without a "
                  "digit, %d wrong",
                  v->id, precision_of(v), sets, (unsigned long long)draw.seed, tallies[i].good,
                  tallies[i].worst, tallies[i].lost, tallies[i].bad);
        else
            skip(v->id, v->unavailable != NULL ? v->unavailable : "no device");
    return done();
}
