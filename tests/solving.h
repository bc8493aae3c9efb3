/*
 * What the tests of families share: one solve of a variant, with guards around its answer.
 */
#pragma once
#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "run/metrics.h"
#include "run/worker.h"

/* Sanitizers make all slow, and what they look for is in the first of many like cases. */
__attribute__((unused)) static bool is_sanitized(void)
{
    return getenv("UBSAN_OPTIONS") != NULL;
}

enum { GUARD = 8 };

struct solve {
    const struct variant *variant;
    struct instance in;
    void *state;
    struct solution out;
    unsigned char *memory; /* guards around out.values */
    size_t bytes;
};

static bool have_device; /* main() says so */

static inline bool runs_here(const struct variant *v)
{
    return v->unavailable == NULL && (have_device || !uses_device(v));
}

/* The next row from v on whose calls are not those of another: what is in a graph is left out. */
static inline const struct variant *tested(const struct variant *v)
{
    while (v->graph)
        v++;
    return v;
}

static inline const char *precision_of(const struct variant *v)
{
    return v->precision == DOUBLE ? "double" : "single";
}

static inline const struct variant *variant_in(const struct variant *v, const char *id,
                                               enum precision precision)
{
    while (v->id != NULL && (strcmp(v->id, id) != 0 || v->precision != precision))
        v++;
    return v;
}

static inline void release(struct solve *s)
{
    if (s->variant->calls != NULL)
        s->variant->calls->destroy(s->state);
    s->in.at.problem->destroy(&s->in);
    free(s->memory);
}

/* `input`: a file for the problem's input f; or null. A setting "<NAME" is a file for that one. */
static inline enum status create_problem(struct instance *in, const struct problem *problem,
                                         const struct setting *settings, const char *input)
{
    memset(in, 0, sizeof *in);
    params_init(&in->at, problem);
    enum status status = input == NULL ? OK : params_input(&in->at, "f", input);
    for (int i = 0; settings[i].name != NULL && status == OK; i++) {
        const char *const name = settings[i].name, *const value = settings[i].value;
        status = name[0] == '<' ? params_input(&in->at, name + 1, value)
                                : params_set(&in->at, name, value);
    }
    return status == OK ? problem->create(in) : status;
}

static inline enum status prepare_problem(struct solve *s, const struct variant *v,
                                          const struct problem *problem,
                                          const struct setting *settings, const char *input)
{
    memset(s, 0, sizeof *s);
    s->variant = v;
    const enum status status = create_problem(&s->in, problem, settings, input);
    if (status != OK)
        return status;
    s->bytes = s->in.count * value_size(v->precision);
    s->memory = (unsigned char *)malloc(s->bytes + 2 * GUARD);
    assert(s->memory != NULL);
    s->out.precision = v->precision;
    s->out.count = s->in.count;
    s->out.values = s->memory + GUARD;
    return v->calls->plan(&s->in, &s->state);
}

/* Whether the variant has this case: a peer that does not, says so. */
static inline bool takes(const struct variant *v, const struct problem *problem,
                         const struct setting *settings, const char *input)
{
    struct solve s;
    if (!runs_here(v))
        return false;
    const enum status status = prepare_problem(&s, v, problem, settings, input);
    release(&s);
    return status != SKIPPED;
}

/* Runs and fetches into a buffer of NaN between guards, which must come through. */
static inline enum status go(struct solve *s, uint64_t seed)
{
    memset(s->memory, 0xff, s->bytes + 2 * GUARD);
    memset(s->memory, 0x5a, GUARD);
    memset(s->memory + GUARD + s->bytes, 0x5a, GUARD);
    const struct calls *calls = s->variant->calls;
    s->in.at.problem->vary(&s->in, seed);
    enum status status = calls->load != NULL ? calls->load(s->state) : OK;
    if (status == OK)
        status = calls->run(s->state, NULL);
    if (status == OK)
        status = calls->fetch(s->state, &s->out, NULL);
    for (size_t i = 0; i < GUARD; i++)
        if (s->memory[i] != 0x5a || s->memory[GUARD + s->bytes + i] != 0x5a)
            status = because(WRONG, "wrote outside of its buffer");
    return status;
}

/* The error is NaN where the judge refuses, or nothing was solved. */
static inline enum status judged(const struct solve *s, struct judgement *out)
{
    memset(out, 0, sizeof *out);
    out->error = NAN;
    enum status status =
        s->memory == NULL ? ERR_ARGS : s->in.at.problem->judge(&s->in, &s->out, out);
    add_own_metrics(out);
    if (status == OK)
        status = out->status;
    if (status != OK)
        out->error = NAN;
    return status;
}

/* The same, and what the variant's own bound says. */
static inline enum status concluded(const struct solve *s, struct judgement *out)
{
    enum status status = judged(s, out);
    if (status == OK)
        status = accept_answer(&s->in, s->variant, &s->out, out);
    return status == OK ? out->status : status;
}

static inline bool is_good(const struct solve *s)
{
    struct judgement judgement;
    return concluded(s, &judgement) == OK;
}

/* What the variant is allowed beyond the inherent error. */
static inline double tolerance_of(const struct solve *s)
{
    struct judgement judgement;
    (void)judged(s, &judgement);
    return s->variant->tolerance(s->variant, &s->in, &s->out, &judgement);
}

/* Whether an answer is judged with the same bits by 1, 2 and 3 threads. */
static inline bool is_judged_alike(const struct solve *s)
{
    static struct judgement first, other;
    const int before = omp_get_max_threads();
    double tolerance = NAN;
    bool alike = true;
    for (int threads = 1; threads <= 3; threads++) {
        struct judgement *const out = threads == 1 ? &first : &other;
        omp_set_num_threads(threads);
        const enum status status = judged(s, out);
        const double allowed = s->variant->tolerance(s->variant, &s->in, &s->out, out);
        if (threads == 1)
            tolerance = allowed;
        alike = alike && status == OK && memcmp(&tolerance, &allowed, sizeof allowed) == 0 &&
                memcmp(&first, out, sizeof first) == 0;
    }
    omp_set_num_threads(before);
    return alike;
}

static inline double metric_of(const struct judgement *judgement, const char *name)
{
    for (int i = 0; i < judgement->count; i++)
        if (strcmp(judgement->metrics[i].name, name) == 0)
            return judgement->metrics[i].value;
    return NAN;
}

static inline double value(const struct solution *out, size_t i)
{
    return out->precision == DOUBLE ? ((const double *)out->values)[i]
                                    : (double)((const float *)out->values)[i];
}

static inline void set_value(const struct solution *out, size_t i, double x)
{
    if (out->precision == DOUBLE)
        ((double *)out->values)[i] = x;
    else
        ((float *)out->values)[i] = (float)x;
}

/* Whether the answer is `first` again: bit for bit, but for CUB's scans, which add up in the order
 * in which their blocks come. */
static inline bool is_again(const struct solve *s, const unsigned char *first)
{
    const struct solution before = {s->out.precision, s->out.count, (void *)first};
    double off = 0, most = 0;
    if (strncmp(s->variant->id, "cub-", 4) != 0)
        return memcmp(first, s->out.values, s->bytes) == 0;
    for (size_t i = 0; i < s->out.count; i++) {
        off = fmax(off, fabs(value(&s->out, i) - value(&before, i)));
        most = fmax(most, fabs(value(&before, i)));
    }
    return off <= 1e-3 * most;
}

/* What the judge says of a variant's answers to the data of two seeds, each after the other has
 * been judged, so that nothing derived from one may be taken for the other's: all good, an answer
 * to other data not, and the same numbers each time. */
static inline bool tells_seeds_apart(const struct variant *v, const struct problem *problem,
                                     const struct setting *settings)
{
    static const uint64_t seeds[] = {0, 7, 0, 7};
    static struct judgement first[2], again;
    struct solve s;
    bool good = prepare_problem(&s, v, problem, settings, NULL) == OK;
    for (size_t k = 0; k < 4 && good; k++) {
        struct judgement *const now = k < 2 ? &first[k] : &again;
        good = go(&s, seeds[k]) == OK && judged(&s, now) == OK && is_good(&s) &&
               (k < 2 || memcmp(now, &first[k % 2], sizeof *now) == 0);
        s.in.at.problem->vary(&s.in, seeds[(k + 1) % 4]);
        good = good && !is_good(&s);
    }
    release(&s);
    return good;
}

/* One, two and three threads give the same judgement, bit for bit, on instances of their own; with
 * two, other data were judged before. */
static inline bool judged_alike_by_threads(const struct variant *v, const struct problem *problem,
                                           const struct setting *settings)
{
    static struct judgement one, now;
    const int before = omp_get_max_threads();
    bool good = true;
    for (int threads = 1; threads <= 3 && good; threads++) {
        struct solve s;
        omp_set_num_threads(threads);
        good = prepare_problem(&s, v, problem, settings, NULL) == OK &&
               (threads != 2 || (go(&s, 0) == OK && is_good(&s))) && go(&s, 7) == OK &&
               judged(&s, threads == 1 ? &one : &now) == OK &&
               (threads == 1 || memcmp(&one, &now, sizeof one) == 0);
        release(&s);
    }
    omp_set_num_threads(before);
    return good;
}

/* A file of `count` numbers in [-1, 1); path[] is a template of mkstemp(). */
static inline void write_drawn(char *path, size_t count, uint64_t seed)
{
    const int made = mkstemp(path);
    FILE *const file = made < 0 ? NULL : fdopen(made, "w");
    assert(file != NULL);
    for (size_t k = 0; k < count; k++)
        fprintf(file, "%.17g\n", 2 * uniform(seed, k) - 1);
    fclose(file);
}

/* Of data in a file, which settings[0] names: the answers are good, for another seed too; one with
 * a value that is another, or a NaN, is not, and neither is that to the problem's own data. */
static inline bool judges_own_data(const struct variant *v, const struct problem *problem,
                                   const struct setting *settings, size_t at)
{
    struct solve own, other;
    bool good = prepare_problem(&own, v, problem, settings, NULL) == OK && go(&own, 7) == OK &&
                is_good(&own) && go(&own, 0) == OK && is_good(&own);
    good = prepare_problem(&other, v, problem, settings + 1, NULL) == OK && good &&
           go(&other, 0) == OK && is_good(&other);
    if (good) {
        const double right = value(&own.out, at), wrong[] = {right + 1e-3, -right, (double)NAN};
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            set_value(&own.out, at, wrong[k]);
            good = good && !is_good(&own);
        }
        set_value(&own.out, at, right);
        good = good && is_good(&own);
        memcpy(own.out.values, other.out.values, own.bytes);
        good = good && !is_good(&own);
    }
    release(&own);
    release(&other);
    return good;
}
