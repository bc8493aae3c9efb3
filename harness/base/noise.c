/*
 * Noise from run to run, fitted by expectation and maximisation to repeated runs.
 */
#include "base/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 2, /* levels from one to its double */
    STILL = 6, /* so many levels lower is a job with modes that stays in its mode: an eighth */
    SHAPES = 2 * NOISE_LEVELS, /* normal noise of each level, then modes that far apart */
    ROUNDS_OF_FIT = 100
};
static const double least = 0.0002; /* level 0: no time is known better; the last one is 29 % */

const struct noise no_noise = {1, {0}, {1}};

static double level(int g)
{
    return least * exp2((double)g / STEPS);
}

struct noise noise_known(double deviation)
{
    return (struct noise){1, {deviation}, {1}};
}

/* What is assumed weighs as much as three jobs whose noise is known. Of 20 jobs three have modes,
 * about four times as far apart; the others' levels lie normally about it; a factor of two is a
 * standard deviation. Heavier, and repeated runs count for too little; lighter, and jobs that
 * nobody has seen in their other mode get verdicts: tests/test_noise.c prints both. */
static void assume(double assumed, double *shapes)
{
    static const double jobs = 3, with_modes = 0.15;
    double all[2] = {0, 0};
    for (int s = 0; s < SHAPES; s++) {
        const bool modes = s >= NOISE_LEVELS;
        const double away = log2(level(s % NOISE_LEVELS) / assumed) - (modes ? 2 : 0);
        shapes[s] = modes && s % NOISE_LEVELS < STILL ? 0 : exp(-away * away / 2);
        all[modes] += shapes[s];
    }
    for (int s = 0; s < SHAPES; s++)
        shapes[s] *= jobs * (s >= NOISE_LEVELS ? with_modes / all[1] : (1 - with_modes) / all[0]);
}

/* Of a normal difference whose variance is known; `beyond`: of one at least as large. */
static double likelihood(double change, double variance, bool beyond)
{
    return beyond ? erfc(fabs(change) / sqrt(2 * variance))
                  : exp(-change * change / (2 * variance)) / sqrt(variance);
}

static double shape_likelihood(int s, double change, double error, bool beyond)
{
    const int g = s % NOISE_LEVELS;
    const double far = likelihood(change, 2 * level(g) * level(g) + error * error, beyond);
    if (s < NOISE_LEVELS)
        return far;
    const double still = g < STILL ? 0 : level(g - STILL);
    return (far + likelihood(change, 2 * still * still + error * error, beyond)) / 2;
}

/* Adds the logarithms of what a difference says of each shape; worth: of how many. */
static void weigh(double change, double error, bool beyond, double worth, double *logs)
{
    const double not_nothing = 1e-300;
    for (int s = 0; s < SHAPES; s++)
        logs[s] += worth * log(fmax(shape_likelihood(s, change, error, beyond), not_nothing));
}

struct seen {              /* of a job, in its differences */
    size_t count, largest; /* `largest`: which one of those between unlike programs, plus 1 */
    double second;         /* the next smaller one of those */
};

static void look(struct differences of, struct seen *seen)
{
    for (size_t i = 0; i < of.count; i++) {
        struct seen *const s = &seen[of.list[i].job];
        const double size = fabs(of.list[i].change);
        s->count++;
        if (!of.list[i].unlike)
            continue;
        if (s->largest == 0 || size > fabs(of.list[s->largest - 1].change)) {
            s->second = s->largest == 0 ? 0 : fabs(of.list[s->largest - 1].change);
            s->largest = i + 1;
        } else {
            s->second = fmax(s->second, size);
        }
    }
}

/* logs[jobs][SHAPES]. The largest difference between unlike programs may be what was changed in
 * them: all that it says of the noise is that it is no smaller than the next one. Successive
 * differences share a run: m of them tell as much as 2 m^2 / (3 m - 1) (von Neumann's ratio). */
static void weigh_repeated(struct differences of, const struct seen *seen, double *logs)
{
    for (size_t i = 0; i < of.count; i++) {
        const struct difference *const d = &of.list[i];
        const struct seen *const s = &seen[d->job];
        const double m = (double)s->count;
        const bool beyond = s->largest == i + 1;
        weigh(beyond ? s->second : d->change, d->error, beyond, 2 * m / (3 * m - 1),
              logs + d->job * SHAPES);
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* logs[jobs][SHAPES]. Of jobs that were never repeated: what is known of the others is known
 * better, and a change that many of them have would be taken for modes. The closer half is the half
 * of all these whose changes lie closest together. */
static bool weigh_at_hand(struct differences of, const struct seen *seen, double *logs)
{
    enum { ENOUGH = 10 }; /* of fewer jobs, which ones are close is a matter of chance */
    size_t count = 0;
    double middle = 0, reach = INFINITY, *const changes = calloc(of.count + 1, sizeof *changes);
    if (changes == NULL)
        return false;
    for (size_t i = 0; i < of.count; i++)
        if (seen[of.list[i].job].count == 0)
            changes[count++] = of.list[i].change;
    const size_t half = count / 2;
    qsort(changes, count, sizeof *changes, ascending);
    for (size_t i = 0; i + half < count; i++)
        if (changes[i + half] - changes[i] < 2 * reach) {
            reach = (changes[i + half] - changes[i]) / 2;
            middle = changes[i] + reach;
        }
    for (size_t i = 0; i < of.count && count >= ENOUGH; i++) {
        const struct difference *const d = &of.list[i];
        const double away = fabs(d->change - middle);
        if (seen[d->job].count == 0)
            weigh(fmin(away, reach), d->error, away > reach, 1, logs + d->job * SHAPES);
    }
    free(changes);
    return true;
}

/* From logarithms to likelihoods, the most likely shape having 1. */
static void level_out(double *logs)
{
    double most = -INFINITY;
    for (int s = 0; s < SHAPES; s++)
        most = fmax(most, logs[s]);
    for (int s = 0; s < SHAPES; s++)
        logs[s] = exp(logs[s] - most);
}

/* How likely each shape is where the kind's shares are these. */
static void posterior(const double *shares, const double *likelihoods, double *out)
{
    double sum = 0;
    for (int s = 0; s < SHAPES; s++)
        sum += out[s] = shares[s] * likelihoods[s];
    for (int s = 0; s < SHAPES; s++)
        out[s] /= sum;
}

/* What the next difference is drawn from. */
static struct noise noise_of_shapes(const double *shapes)
{
    struct noise out = {.count = NOISE_LEVELS};
    double sum = 0;
    for (int s = 0; s < SHAPES; s++)
        sum += shapes[s];
    for (int g = 0; g < NOISE_LEVELS; g++) {
        const double modes = shapes[NOISE_LEVELS + g] / sum / 2;
        out.deviation[g] = level(g);
        out.share[g] += shapes[g] / sum + modes;
        if (g >= STILL)
            out.share[g - STILL] += modes;
    }
    return out;
}

/* shares[SHAPES], from the prior's, which weighs as much as its sum. */
static void maximise(const double *prior, const double *likelihoods, size_t jobs, double *shares)
{
    double next[SHAPES], of_one[SHAPES];
    memcpy(shares, prior, sizeof next);
    for (int i = 0; i < ROUNDS_OF_FIT; i++) {
        memcpy(next, prior, sizeof next);
        for (size_t j = 0; j < jobs; j++) {
            posterior(shares, likelihoods + j * SHAPES, of_one);
            for (int s = 0; s < SHAPES; s++)
                next[s] += of_one[s];
        }
        memcpy(shares, next, sizeof next);
    }
}

bool noise_fit(struct differences repeated, struct differences at_hand, size_t jobs, double assumed,
               struct noise *of_job, struct noise *of_kind)
{
    double prior[SHAPES], shares[SHAPES], of_one[SHAPES];
    double *const own = calloc(jobs * SHAPES + 1, sizeof *own);
    double *const all = calloc(jobs * SHAPES + 1, sizeof *all);
    struct seen *const seen = calloc(jobs + 1, sizeof *seen);
    bool good = own != NULL && all != NULL && seen != NULL;
    assume(assumed, prior);
    if (good) {
        look(repeated, seen);
        good = weigh_at_hand(at_hand, seen, all);
    }
    if (good) {
        weigh_repeated(repeated, seen, own);
        for (size_t i = 0; i < jobs * SHAPES; i++)
            all[i] += own[i];
        for (size_t j = 0; j < jobs; j++) {
            level_out(own + j * SHAPES);
            level_out(all + j * SHAPES);
        }
        maximise(prior, all, jobs, shares);
        *of_kind = noise_of_shapes(shares);
    }
    for (size_t j = 0; j < jobs && good; j++) {
        posterior(shares, own + j * SHAPES, of_one);
        of_job[j] = noise_of_shapes(of_one);
    }
    free(own);
    free(all);
    free(seen);
    return good;
}

double noise_quantile(const struct noise *noise, double share)
{
    int g = 0;
    for (double below = noise->share[0]; below < share && g + 1 < noise->count;)
        below += noise->share[++g];
    return noise->deviation[g];
}

double noise_half(const struct noise *noise, double error)
{
    const double rare = 0.01;
    double low = 0, high = 0;
    for (int g = 0; g < noise->count; g++)
        high = fmax(high, 3 * hypot(error, sqrt(2) * noise->deviation[g]));
    for (int i = 0; i < 60 && high > 0; i++) { /* until no bit of it moves, and no longer */
        const double half = (low + high) / 2;
        double beyond = 0;
        for (int g = 0; g < noise->count; g++) {
            const double d = noise->deviation[g];
            const double deviation = sqrt(2 * d * d + error * error);
            beyond += deviation > 0 ? noise->share[g] * erfc(half / deviation / sqrt(2)) : 0;
        }
        *(beyond > rare ? &low : &high) = half;
    }
    return isnan(error) ? error : high;
}

double noise_deviation(const struct noise *noise)
{
    return noise_half(noise, 0) / noise_half(&(struct noise){1, {1}, {1}}, 0);
}
