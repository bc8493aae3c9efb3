/*
 * One answer: run, brought, held against its bytes, judged, dumped.
 */
#include "run/answer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intern.h"
#include "machine/device.h"
#include "machine/threads.h"
#include "run/metrics.h"
#include "run/plan.h"
#include "run/together.h"

/* --- what nobody can know before --- */

size_t drawn(size_t below)
{
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits)
        bits = random_bits((uint64_t)(1e9 * now()), below);
    return (size_t)(bits % below);
}

void set_data(struct instance *in, uint64_t seed)
{
    if (in->at.problem->vary != NULL)
        in->at.problem->vary(in, seed);
    in->seed = seed;
}

/* Where data are loaded, all runs are of the same. */
static enum status run_all(struct instance *in, const struct variant *variant, void *state,
                           uint64_t seed, int runs, struct laps *laps)
{
    enum status status = OK;
    for (int i = 0; i < runs && status == OK; i++) {
        if (i > 0 && variant->calls->load == NULL) /* cheap, and so within the time of a batch */
            set_data(in, random_bits(seed, (uint64_t)i) | 1);
        status = variant->calls->run(state, laps);
    }
    return status;
}

static enum status record_all(struct instance *in, const struct variant *variant, void *state,
                              uint64_t seed, int runs)
{
    enum status status = device_record();
    if (status != OK)
        return status;
    status = run_all(in, variant, state, seed, runs, NULL);
    const enum status kept = device_recorded();
    return status == OK ? kept : status;
}

enum status prepare_here(struct instance *in, const struct variant *variant, void *state,
                         uint64_t seed, int runs, double *load)
{
    set_data(in, seed);
    const double begin = now();
    enum status status = variant->calls->load == NULL ? OK : variant->calls->load(state);
    *load = variant->calls->load == NULL ? (double)NAN : now() - begin;
    if (status == OK && variant->graph)
        status = record_all(in, variant, state, seed, runs);
    return together_awake(variant, status);
}

enum status run_here(struct instance *in, const struct variant *variant, void *state, uint64_t seed,
                     int runs, struct laps *laps, double *seconds)
{
    double load;
    enum status status = prepare_here(in, variant, state, seed, runs, &load);
    if (status != OK)
        return status;
    laps_begin(laps, uses_device(variant) && device_has_time());
    laps->load = load;
    status = variant->graph ? device_replay()
                            : run_all(in, variant, state, seed, runs, runs == 1 ? laps : NULL);
    if (status == OK)
        status = laps_end(laps, seconds);
    *seconds = together_most(variant, status == OK ? *seconds / runs : (double)NAN);
    return together(variant, status);
}

enum status run_timed(struct instance *in, const struct variant *variant, void *state,
                      uint64_t seed, int batch, struct laps *laps, double *seconds)
{
    const int runs = batch == 1 ? 1 : batch + (int)drawn((size_t)batch);
    together_run(variant, seed, runs);
    return run_here(in, variant, state, seed, runs, laps, seconds);
}

/* --- fetch() --- */

enum status fetch_here(struct instance *in, const struct variant *variant, void *state,
                       uint64_t other, struct solution *out, struct laps *laps)
{
    const uint64_t seed = in->seed;
    double seconds;
    set_data(in, other);
    enum status status = together(variant, OK); /* that the others come late is not fetching */
    laps_begin(laps, false);
    if (status == OK)
        status = variant->calls->fetch(state, out, laps);
    if (status == OK)
        status = laps_end(laps, &seconds);
    set_data(in, seed);
    return together(variant, status);
}

enum status fetch_answer(struct instance *in, const struct variant *variant, void *state,
                         struct solution *out, struct laps *laps)
{
    const uint64_t other = in->seed != 0 ? 0 : drawn(SIZE_MAX) | 1;
    /* NaN: what is not written cannot look right. */
    set_bytes(out->values, 0xff, out->count * value_size(out->precision));
    together_fetch(variant, other);
    return fetch_here(in, variant, state, other, out, laps);
}

/* A fetch is a copy, perhaps into another order. It does some of the run's work if it takes longer
 * than two plain loops that bring as many values into another order, and beyond them longer than
 * half of the run. What is shorter than the third number of seconds says nothing, for a fetch
 * begins with cold caches, and a copy that is repeated does not. */
static const double copies = 2, unnoticed = 0.5, too_short = 0.5e-6;

/* What messages between processes take beside their bytes, seconds: a fetch has several, and waits
 * for each as the other's core has time; the least of many single ones, which is what is measured,
 * does not have that. */
static const double messages = 10e-6;

/* What takes longer than one such loop is looked into at least so often, and so many seconds; from
 * several ranks or by several cores longer, which on a busy machine wait for each other. */
enum { FEWEST_LOOKS = 5, FEWEST_TRIES = 5 };
static const double look = 0.1, look_at_many = 1;

static bool does_work(double fetched, double copy, double run)
{
    return fetched - copy - too_short > unnoticed * run;
}

/* Where a plain copy comes from: memory of the host, and for kernels also a piece of the device's,
 * by which the whole is reckoned. */
struct source {
    size_t bytes, piece, size;   /* of the answer, of the device's piece, of a value */
    void *host, *taken, *device; /* the last two, or null, are to be given back */
    size_t count, all;           /* values at `host`: those that are looked at, and how many are */
};

enum { LARGE = 1 << 27, ENOUGH = 1 << 28, PIECE = 1 << 24 }; /* bytes */
enum { ROW = 1 << 10, GLANCE = 1 << 19 };                    /* values */

/* An answer beyond all caches is its own source: its second half, or as much of it as tells enough,
 * goes into the first. False: there is no memory for one. */
static bool open_source(const struct variant *variant, const struct solution *out,
                        struct source *from)
{
    const size_t size = value_size(out->precision), bytes = out->count * size;
    const bool large = bytes > LARGE;
    const size_t half = out->count / 2, enough = ENOUGH / size;
    *from = (struct source){.bytes = bytes,
                            .piece = bytes < PIECE ? bytes : PIECE,
                            .size = size,
                            .taken = large ? NULL : malloc(bytes),
                            .all = !large          ? out->count
                                   : half < enough ? half
                                                   : enough};
    from->count = from->all < GLANCE ? from->all : GLANCE;
    from->host = large ? (char *)out->values + half * size : from->taken;
    return from->host != NULL &&
           (!uses_device(variant) || device_alloc(&from->device, from->piece) == OK);
}

static void close_source(struct source *from)
{
    free(from->taken);
    if (from->device != NULL)
        device_free(from->device);
}

/* As the threads of a parallel variant leave an answer, each with a part in its own cache. */
static void write_source(const struct variant *variant, const struct source *from)
{
    enum { LINE = 64 };
    const size_t bytes = from->taken != NULL ? from->count * from->size : 0;
    char *const host = from->host;
#pragma omp parallel for schedule(static) if (variant->place == HOST_PARALLEL && bytes > 1 << 16)
    for (size_t i = 0; i < bytes; i += LINE)
        memset(host + i, 0, bytes - i < LINE ? bytes - i : LINE);
}

/* As a checkerboard is kept and wanted: a row's values of one colour, and then of the other. */
#define INTO_ANOTHER_ORDER(real)                                                                   \
    for (size_t row = 0, k = 0; row < from->count; row += ROW)                                     \
        for (size_t colour = 0; colour < 2; colour++)                                              \
            for (size_t i = row + colour; i < row + ROW && i < from->count; i += 2)                \
    ((real *)out->values)[i] = ((const real *)from->host)[k++]

/* A plain loop also in a build that looks for mistakes in each of its accesses. */
__attribute__((no_sanitize("address", "undefined"))) static double host_seconds(
    const struct source *from, struct solution *out)
{
    const double begin = now();
    if (out->precision == DOUBLE)
        INTO_ANOTHER_ORDER(double);
    else
        INTO_ANOTHER_ORDER(float);
    return (now() - begin) * ((double)out->count / (double)from->count);
}

/* What every fetch takes, whatever it brings: its clock, and a call that looks for threads; with a
 * sanitizer's checks as long as a short run. */
static double call_seconds(const struct source *from, struct solution *out)
{
    struct laps laps;
    double seconds = INFINITY;
    laps_begin(&laps, false);
    copy_bytes(out->values, from->host, from->size);
    lap(&laps, "back");
    (void)laps_end(&laps, &seconds);
    return seconds;
}

static double device_seconds(const struct source *from, struct solution *out)
{
    const double begin = now();
    if (device_get(out->values, from->device, from->piece) != OK)
        return INFINITY;
    return (now() - begin) * ((double)from->bytes / (double)from->piece);
}

/* What all cores take to begin, which others may keep busy. */
static double cores_seconds(void)
{
    const double begin = now();
    int cores = 0;
#pragma omp parallel reduction(+ : cores)
    cores++;
    return now() - begin - 0 * cores;
}

/* Also those of a variant of one core bring what is large (copy_bytes()). */
static bool cores_bring(const struct variant *variant, const struct source *from)
{
    return variant->place != HOST || from->bytes > FEW_BYTES;
}

/* What bringing the answer takes, also from several ranks, and, by several cores, what they take to
 * begin: the least of some, and of what was seen before. */
struct least {
    double host, call, device, cores, ranks;
};

/* A glance takes milliseconds, and finds too short what a cache holds: it clears, and what it does
 * not clear is looked at as a whole. */
static bool look_at_all(struct source *from, struct least *least)
{
    const bool more = from->count < from->all;
    from->count = from->all;
    if (more)
        least->host = INFINITY;
    return more;
}

/* The seconds of a copy: the least of some tries, for a single one that was disturbed would clear
 * anybody; of more where they do not clear the fetch. How long all cores take to begin is seen once
 * a look, as the fetch is: where others keep them busy, the least of more tries is less; and behind
 * copies, as in a fetch: those who have just worked together begin sooner. */
static double measure_copy(const struct variant *variant, const struct source *from,
                           struct solution *out, double run, double fetched, struct least *least)
{
    const double begin = now();
    double copy = INFINITY;
    for (int k = 0; k < FEWEST_TRIES || (k < 10 && now() - begin < 0.05); k++) {
        write_source(variant, from);
        least->host = fmin(least->host, host_seconds(from, out));
        least->call = fmin(least->call, call_seconds(from, out));
        least->device = fmin(least->device, from->device != NULL ? device_seconds(from, out) : 0);
        if (k == 0)
            least->cores = fmin(least->cores, cores_bring(variant, from) ? cores_seconds() : 0);
        least->ranks = fmin(least->ranks, together_bring(variant, out));
        copy = least->host + least->call + least->device + least->ranks +
               (least->ranks > 0 ? messages : 0);
        if (k + 1 >= FEWEST_TRIES && !does_work(fetched, copy, run))
            break;
    }
    return copy;
}

enum status hold_fetch(struct instance *in, const struct variant *variant, void *state,
                       struct solution *out, double run, double fetched)
{
    struct source from;
    struct laps laps;
    struct least least = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    const bool timed = !uses_device(variant) || device_has_time();
    if (!timed || !does_work(fetched, 0, run)) /* whatever a copy takes */
        return OK;
    const double begin = now();
    enum status status = OK;
    bool suspicious = open_source(variant, out, &from);
    double copy = INFINITY;
    for (int looks = 0; suspicious && status == OK; looks++) {
        double again;
        copy = measure_copy(variant, &from, out, run, fetched, &least);
        suspicious = does_work(fetched, copy, run);
        if (suspicious && look_at_all(&from, &least))
            continue;
        if (!suspicious ||
            (looks >= FEWEST_LOOKS &&
             now() - begin > (least.ranks > 0 || least.cores > 0 ? look_at_many : look)))
            break;
        status = run_timed(in, variant, state, random_bits(in->seed, (uint64_t)looks) | 1, 1, &laps,
                           &again);
        if (status == OK)
            status = fetch_answer(in, variant, state, out, &laps);
        if (status == OK)
            fetched = fmin(fetched, laps_seconds(&laps));
    }
    close_source(&from);
    if (status == OK && suspicious && does_work(fetched, copies * copy + least.cores, run))
        status = because(WRONG,
                         COMPUTED_LATE ": run() took %.3g s, fetch() %.3g s, and "
                                       "to bring %zu bytes takes %.3g s",
                         run, fetched, from.bytes, copy + least.cores);
    return status;
}

/* --- judge() --- */

enum status accept_answer(const struct instance *in, const struct variant *variant,
                          const struct solution *got, struct judgement *judgement)
{
    const double allowed =
        1.05 * judgement->inherent + variant->tolerance(variant, in, got, judgement);
    const bool good = judgement->error <= allowed;
    if (!good)
        return because(WRONG, "error %.3g, allowed %.3g", judgement->error, allowed);
    return OK;
}

enum status accept_judged(const struct instance *in, const struct variant *variant,
                          const struct solution *got, enum status judged,
                          struct judgement *judgement)
{
    const enum status status = judged == OK ? accept_answer(in, variant, got, judgement) : judged;
    add_own_metrics(judgement);
    return judged == OK && judgement->status != OK ? judgement->status : status;
}

enum status judge_answer(const struct instance *in, const struct variant *variant,
                         const struct solution *got, struct judgement *judgement)
{
    *judgement = (struct judgement){.error = NAN};
    return accept_judged(in, variant, got, in->at.problem->judge(in, got, judgement), judgement);
}

enum status fetch_and_judge(struct instance *in, const struct variant *variant, void *state,
                            struct solution *out, struct judgement *judgement, struct laps *laps)
{
    *judgement = (struct judgement){.error = NAN};
    const enum status status = fetch_answer(in, variant, state, out, laps);
    return status == OK ? judge_answer(in, variant, out, judgement) : status;
}

/* --- dump() --- */

static enum status dump_into(FILE *file, const char *name, const struct instance *in,
                             const struct solution *out)
{
    fprintf(file, "%s\n", in->at.problem->dump_header);
    in->at.problem->dump(in, out, file);
    const bool good = fflush(file) == 0 && ferror(file) == 0;
    return good ? OK : because(ERR_IO, "cannot write %s: %s", name, strerror(errno));
}

static enum status close_dump(FILE *file, const char *path, enum status status)
{
    if (fclose(file) != 0 && status == OK)
        status = because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
    return status;
}

/* `temporary`, which is not there, becomes `path` when it is whole. */
static enum status dump_by(const char *temporary, const char *path, const struct instance *in,
                           const struct solution *out)
{
    const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    FILE *const file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL)
        return because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
    enum status status = close_dump(file, path, dump_into(file, path, in, out));
    if (status == OK && rename(temporary, path) != 0)
        status = because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
    if (status != OK)
        unlink(temporary);
    return status;
}

enum status dump_file(const char *path, const struct instance *in, const struct solution *out)
{
    const char *const temporary = internf("%s.new", path);
    (void)unlink(temporary); /* of a run that was killed; the folder is ours */
    return dump_by(temporary, path, in, out);
}

enum status dump_to(const char *path, const struct instance *in, const struct solution *out)
{
    struct stat info;
    if (strcmp(path, "-") == 0)
        return dump_into(stdout, "standard output", in, out);
    if (lstat(path, &info) != 0 || S_ISREG(info.st_mode))
        return dump_by(internf("%s.%ld.new", path, (long)getpid()), path, in, out);
    FILE *const file = fopen(path, "w"); /* a pipe, say, is written into */
    if (file == NULL)
        return because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
    return close_dump(file, path, dump_into(file, path, in, out));
}

enum status dump_forget(const char *path)
{
    struct stat info;
    const bool old = lstat(path, &info) == 0 && S_ISREG(info.st_mode);
    return !old || unlink(path) == 0
               ? OK
               : because(ERR_IO, "cannot remove the old %s: %s", path, strerror(errno));
}
