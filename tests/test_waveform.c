/*
 * The family waveform: the counts and digits of the analysis at every published size that fits,
 * every variant against the reference on matrices that are not symmetric, at the edges of blocks
 * and of the range of numbers, what does not converge, and what the judge must refuse.
 */
#include "waveform/problem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/solution.h"
#include "machine/device.h"
#include "solving.h"
#include "tap.h"

static bool is_emulated(const struct variant *v)
{
    return uses_device(v) && strcmp(device_kind(), "emulated") == 0;
}

static bool is_for_gpus(void)
{
    return strcmp(device_kind(), "cuda") == 0;
}

/* In a build for GPUs their variants are what is new: those of the CPU, which wake threads for many
 * small loops, are tested by builds that emulate the device, and by their counts. */
static bool is_tested(const struct variant *v)
{
    return v->code != DIRECT && runs_here(v) && (uses_device(v) || !is_for_gpus());
}

/* One that has sparse matrices alone, says so. */
static const char *storage_of(const struct variant *v)
{
    const struct setting dense[] = {{"d", "4"}, {"storage", "dense"}, {NULL, NULL}};
    return takes(v, &waveform_problems[HEAT1D], dense, NULL) ? "dense" : "sparse";
}

static bool is_picard(const struct variant *v)
{
    return strstr(v->id, "picard") != NULL;
}

static const struct variant *variant_of(const char *id, enum precision precision)
{
    return variant_in(waveform_variants, id, precision);
}

static const struct problem *problem_of(const char *id)
{
    const struct problem *p = waveform_problems;
    while (strcmp(p->id, id) != 0)
        p++;
    return p;
}

static enum status create(struct instance *in, const char *problem, const struct setting *settings)
{
    return create_problem(in, problem_of(problem), settings, NULL);
}

static enum status solved(struct solve *s, const struct variant *v, const char *problem,
                          const struct setting *settings)
{
    const enum status status = prepare_problem(s, v, problem_of(problem), settings, NULL);
    return status == OK ? go(s, 0) : status;
}

/* With the variant's tolerance as well, as the harness does. */
static enum status accepted(const struct solve *s, struct judgement *out)
{
    const enum status status = judged(s, out);
    return status == OK ? accept_answer(&s->in, s->variant, &s->out, out) : status;
}

static bool same_digits(double got, double printed, int digits)
{
    const double unit = pow(10, floor(log10(fabs(printed))) + 1 - digits);
    return fabs(got - printed) <= 0.5 * unit * (1 + 1e-6);
}

/* --- the counts, and the corrections at which they stop --- */

/* What the sizes of the paper take on one core, or on a CPU that plays the device. */
static bool is_too_much(const struct variant *v, bool dense, long d)
{
    if (is_emulated(v) || is_sanitized() || (is_for_gpus() && !uses_device(v)))
        return d > (dense ? 256 : 4096);
    if (uses_device(v))
        return d > (dense ? 1024 : 32768);
    return d > (dense ? (v->place == HOST ? 512 : 1024) : 16384);
}

static void test_count(const struct variant *v, const char *problem, const char *storage,
                       const char *d, int iterations, double err)
{
    const struct setting settings[] = {{"d", d}, {"storage", storage}, {NULL, NULL}};
    struct solve s;
    struct judgement j = {.count = 0};
    if (v->code == DIRECT || is_too_much(v, strcmp(storage, "dense") == 0, atol(d)) ||
        !takes(v, problem_of(problem), settings, NULL))
        return;
    enum status status = solved(&s, v, problem, settings);
    if (status == OK)
        status = accepted(&s, &j);
    const double got = metric_of(&j, "err");
    const bool digits = v->precision != DOUBLE || same_digits(got, err, 8);
    check(status == OK && metric_of(&j, "iterations") == iterations && digits,
          "%s %s %s %s d=%s: %d iterations, the last one moves %.8g", v->id, precision_of(v),
          problem, storage, d, iterations, got);
    release(&s);
}

static void test_counts(void)
{
    static const struct {
        const char *problem, *storage, *sizes[8];
        int picard, jacobi;
        double picard_err, jacobi_err;
    } rows[] = {
        {"heat1d", "dense", {"256", "512", "1024"}, 18, 10, 9.0697826e-6, 7.4707823e-6},
        {"heat1d", "sparse", {"4096", "32768"}, 18, 10, 9.0697826e-6, 7.4707823e-6},
        {"heat2d", "dense", {"256", "1024"}, 27, 9, 4.5782395e-4, 5.3814438e-4},
        {"heat2d", "sparse", {"256", "1024", "16384"}, 27, 9, 4.5782395e-4, 5.3814438e-4},
        {"control", "dense", {"256", "1024"}, 0, 6, 0, 4.3524396e-6},
        {"control", "sparse", {"256", "4096", "16384"}, 0, 6, 0, 4.3524396e-6},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++)
        for (int k = 0; rows[c].sizes[k] != NULL; k++)
            for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
                const bool picard = is_picard(v);
                if (picard && rows[c].picard == 0)
                    continue;
                test_count(v, rows[c].problem, rows[c].storage, rows[c].sizes[k],
                           picard ? rows[c].picard : rows[c].jacobi,
                           picard ? rows[c].picard_err : rows[c].jacobi_err);
            }
}

/* --- every variant on what is not symmetric, at the edges --- */

/* Whether all variants are whose id has `word` in it. */
static bool all_good(const char *word, const char *problem, const struct setting *settings,
                     uint64_t seed)
{
    bool all = true;
    for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
        struct solve s;
        struct judgement j;
        if (!is_tested(v) || strstr(v->id, word) == NULL ||
            !takes(v, problem_of(problem), settings, NULL))
            continue;
        enum status status = prepare_problem(&s, v, problem_of(problem), settings, NULL);
        if (status == OK)
            status = go(&s, seed);
        if (status == OK)
            status = accepted(&s, &j);
        if (status != OK) {
            fprintf(stderr, "# %s %s %s", v->id, precision_of(v), problem);
            for (int i = 0; settings[i].name != NULL; i++)
                fprintf(stderr, " %s=%s", settings[i].name, settings[i].value);
            fprintf(stderr, ": %s\n", reason());
        }
        all = all && status == OK;
        release(&s);
    }
    return all;
}

static const char *const methods[] = {"implicit-euler", "explicit-euler", "trapezoidal",
                                      "bdf2",           "adams-moulton2", "adams-bashforth2"};

/* A solve on a GPU begins with calls that take milliseconds, and hundreds of them add nothing to
 * what an emulated device shows of the edges: every fifth case of the grid is enough there, and
 * where sanitizers make all slow. */
static bool is_left_out(void)
{
    static int turn;
    return (is_for_gpus() || is_sanitized()) && turn++ % 5 != 0;
}

static void test_edges(void)
{
    static const char *const sizes[] = {"1", "2", "3", "31", "32", "33", "1025"};
    static const char *const squares[] = {"1", "4", "9", "25", "36", "49", "1089"};
    static const char *const points[] = {"3", "4", "50"};
    static const char *const problems[] = {"heat1d", "heat2d", "control"};
    for (int c = 0; c < (int)(sizeof sizes / sizeof *sizes); c++)
        for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++) {
            bool all = true;
            for (int p = 0; p < 3; p++)
                for (int sparse = 0; sparse < 2; sparse++) {
                    const struct setting settings[] = {
                        {"d", p == 1 ? squares[c] : sizes[c]},
                        {"N", m < 3 && c % 2 == 0 ? "2" : points[(c + m + p) % 3]},
                        {"T", "0.5"},
                        {"method", methods[m]},
                        {"storage", sparse ? "sparse" : "dense"},
                        {"skew", "0.4"},
                        {"y0", "random"},
                        {"expect", "any"},
                        {"nmax", "12"},
                        {"block", c % 2 == 0 ? "32" : "7"},
                        {NULL, NULL}};
                    if (c == 6 && (m + p + sparse) % 4 != 0) /* large */
                        continue;
                    if (!is_left_out())
                        all = all_good("wr", problems[p], settings, (uint64_t)(c % 3)) && all;
                }
            check(all, "d=%s %s: all variants agree with the reference, dense and sparse", sizes[c],
                  methods[m]);
        }
}

/* gpu-fused: windows of time, blocks of rows of each height, rows that several blocks share, and
 * components enough for large blocks and several strips of a sum. */
static void test_shapes(void)
{
    static const char *const problems[] = {"heat1d", "heat2d", "control"};
    static const char *const points[] = {"3", "51", "57", "64", "65", "66", "130"};
    static const char *const sizes[] = {"33", "65", "130"}, *const squares[] = {"36", "64", "121"};
    for (int n = 0; n < (int)(sizeof points / sizeof *points); n++) {
        bool all = true;
        for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++)
            for (int sparse = 0; sparse < 2; sparse++) {
                const int p = (n + m) % 3, d = (n + m / 2) % (n == 1 || n == 2 ? 3 : 2);
                const struct setting settings[] = {{"d", p == 1 ? squares[d] : sizes[d]},
                                                   {"N", points[n]},
                                                   {"T", "0.5"},
                                                   {"method", methods[m]},
                                                   {"storage", sparse ? "sparse" : "dense"},
                                                   {"skew", "-0.3"},
                                                   {"y0", "random"},
                                                   {"expect", "any"},
                                                   {"nmax", "9"},
                                                   {NULL, NULL}};
                all = all_good("fused", problems[p], settings, (uint64_t)m) && all;
            }
        check(all, "gpu-fused N=%s: agrees with the reference for all methods", points[n]);
    }
    for (int p = 0; p < 3; p++) {
        const struct setting settings[] = {{"d", p == 1 ? "16641" : "16500"},
                                           {"N", "4"},
                                           {"T", "0.5"},
                                           {"storage", "sparse"},
                                           {"y0", "random"},
                                           {"expect", "any"},
                                           {"nmax", "2"},
                                           {NULL, NULL}};
        check(all_good("fused", problems[p], settings, 0), "gpu-fused %s sparse d=%s N=4",
              problems[p], settings[0].value);
    }
}

/* gpu-fused on the cards of capability 7.5, 8.6 and 8.0, which have so many KiB of shared memory
 * for a block, and where nothing fits. */
static void test_little_shared(void)
{
    static const char *const kib[] = {"64", "99", "163", "16"};
    static const struct setting settings[] = {
        {"d", "130"},         {"N", "66"},       {"T", "0.5"},
        {"storage", "dense"}, {"nmax", "9"},     {"y0", "random"},
        {"method", "bdf2"},   {"expect", "any"}, {NULL, NULL}};
    for (int k = 0; k < 3; k++) {
        setenv("REPRISE_EMULATED_SHARED", kib[k], 1);
        check(all_good("fused", "heat1d", settings, 1),
              "gpu-fused dense with %s KiB of shared memory", kib[k]);
    }
    setenv("REPRISE_EMULATED_SHARED", kib[3], 1);
    check(!takes(variant_in(waveform_variants, "wr-jacobi-gpu-fused", DOUBLE), problem_of("heat1d"),
                 settings, NULL),
          "gpu-fused dense with %s KiB is skipped: %s", kib[3], reason());
    unsetenv("REPRISE_EMULATED_SHARED");
}

/* Iterations of the plain algorithm; 0: there is no answer. */
static double plain_count(bool picard, enum precision precision, const char *problem,
                          const struct setting *settings)
{
    struct solve s;
    struct judgement j = {.count = 0};
    const struct variant *const v =
        variant_of(picard ? "wr-picard-cpu" : "wr-jacobi-cpu", precision);
    const bool good = solved(&s, v, problem, settings) == OK && accepted(&s, &j) == OK;
    release(&s);
    return good ? metric_of(&j, "iterations") : 0;
}

/* What carries several sweeps together: the same iterate as the plain algorithm, after as many,
 * unless rounding alone decides. */
static bool blocked_agree(const char *problem, const struct setting *settings)
{
    bool all = true;
    for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
        struct solve s;
        struct judgement j = {.count = 0};
        if (!is_tested(v) || strstr(v->id, "blocked") == NULL ||
            (v->ranks && strcmp(problem, "heat1d") != 0)) /* a line is shared, and no plane */
            continue;
        enum status status = solved(&s, v, problem, settings);
        if (status == OK)
            status = accepted(&s, &j);
        const double plain = plain_count(is_picard(v), v->precision, problem, settings);
        const bool rounding = metric_of(&j, "outcome") == STAGNATED;
        const bool good = status == OK && (metric_of(&j, "iterations") == plain || rounding);
        if (!good)
            fprintf(stderr, "# %s %s %s d=%s N=%s %s=%s: %g iterations for %g, %s\n", v->id,
                    precision_of(v), problem, settings[0].value, settings[1].value,
                    settings[2].name, settings[2].value, metric_of(&j, "iterations"), plain,
                    status == OK ? "good" : reason());
        all = all && good;
        release(&s);
    }
    return all;
}

/* Where components end within a window, at its end and just behind it, with windows of each width:
 * 3 blocks at once make a device on which few components are many, 40 one on which many are few. */
static void test_windows(void)
{
    static const char *const at_once[] = {NULL, "3", "40"};
    static const struct {
        const char *problem, *d[14];
    } rows[] = {
        {"heat1d",
         {"2", "4", "103", "104", "105", "191", "192", "193", "839", "840", "841", "845", "1000",
          "2023"}},
        {"heat2d",
         {"1", "9", "961", "1024", "1089", "1521", "3025", "3136", "4096", "4225", "6561", "7744",
          "7921", "14641"}},
    };
    for (int b = 0; b < 3; b++) {
        if (at_once[b] != NULL)
            setenv("REPRISE_EMULATED_BLOCKS", at_once[b], 1);
        for (int p = b == 2; p < 2; p++) /* a line has had it all */
            for (int c = 0; c < 14; c++) {
                const struct setting settings[] = {{"d", rows[p].d[c]},
                                                   {"N", c % 2 == 0 ? "7" : "2"},
                                                   {"nmax", c % 3 == 0 ? "11" : "6"},
                                                   {"T", "0.5"},
                                                   {"skew", c % 4 == 0 ? "1" : "-0.3"},
                                                   {"y0", "random"},
                                                   {"tol", "1e-9"},
                                                   {"storage", "sparse"},
                                                   {"expect", "any"},
                                                   {NULL, NULL}};
                if (b == 0 || atol(rows[p].d[c]) > 500)
                    check(blocked_agree(rows[p].problem, settings), "blocked %s d=%s, %s blocks",
                          rows[p].problem, rows[p].d[c], at_once[b] != NULL ? at_once[b] : "some");
            }
        unsetenv("REPRISE_EMULATED_BLOCKS");
    }
}

/* Stops at each place of a pass, by nmax and by tol: what went too far is made again. */
static void test_stops(void)
{
    static const char *const counts[] = {"1",  "2",  "3",  "4",  "5", "9",
                                         "10", "11", "14", "20", "21"};
    static const char *const tols[] = {"1", "0.3", "1e-2", "1e-3", "1e-4", "3e-5", "1e-6", "1e-8"};
    static const char *const problems[] = {"heat1d", "heat2d"};
    for (int p = 0; p < 2; p++)
        for (int c = 0; c < 11 + 8; c++) {
            const bool by_count = c < 11;
            const char *const name = by_count ? "nmax" : "tol";
            const struct setting settings[] = {{"d", p == 0 ? "230" : "144"},
                                               {"N", "6"},
                                               {name, by_count ? counts[c] : tols[c - 11]},
                                               {by_count ? "tol" : "nmax", by_count ? "0" : "99"},
                                               {"T", "0.4"},
                                               {"y0", "random"},
                                               {"storage", "sparse"},
                                               {"expect", "any"},
                                               {NULL, NULL}};
            check(blocked_agree(problems[p], settings),
                  "blocked %s %s=%s: as many iterations as plain", problems[p], name,
                  settings[2].value);
        }
}

/* What a run from `scale` times the start says of itself: iterations, outcome and corrections,
 * behind the values. Of the caller's memory, as many numbers as `room`; false: it is not right. */
static bool trail_of(const struct variant *v, const struct setting *settings, double scale,
                     double *trail, size_t room)
{
    struct solve s;
    struct judgement j = {.count = 0};
    enum status status = prepare_problem(&s, v, problem_of("heat1d"), settings, NULL);
    if (status == OK) {
        const struct waveform *const p = s.in.data;
        for (size_t i = 0; i < p->d; i++)
            p->y0[i] *= scale;
        status = go(&s, 0);
    }
    if (status == OK)
        status = accepted(&s, &j);
    if (status == OK) {
        const struct waveform *const p = s.in.data;
        for (size_t k = 0; k < room; k++)
            trail[k] =
                k < 2 + (size_t)p->nmax ? value(&s.out, p->d * p->points + 1 + k) : (double)NAN;
    } else {
        fprintf(stderr, "# %s: %s\n", v->id, reason());
    }
    release(&s);
    return status == OK;
}

/* Where gpu-blocked's quickest kernel is not asked, or begins again with the next one: corrections
 * that grow before they fall, near to rounding of the largest; that come near to rounding of the
 * start; that hardly grow with time. */
static void test_unsure(void)
{
    static const struct {
        const char *what, *T, *tol, *nmax;
        double scale;
    } rows[] = {
        {"T=5, Picard's grow", "5", "1e-5", "300", 1},
        {"T=5, and end earlier", "5", "1e-3", "300", 1},
        {"T=3", "3", "1e-9", "300", 1},
        {"T=6, the last is the largest", "6", "0.1", "300", 1},
        {"T=6.5, hardly", "6.5", "1e-4", "300", 1},
        {"T=50, by rounding alone", "50", "1e-5", "40", 1},
        {"near to rounding", "1", "1e-12", "300", 1},
        {"nearer", "1", "1e-13", "300", 1},
        {"within", "1", "1e-14", "14", 1},
        {"next to the smallest numbers", "4", "1e-319", "90", 1e-307},
        {"zeros", "1", "1e-5", "14", 0},
    };
    enum { ROOM = 302, ROWS_HERE = sizeof rows / sizeof *rows };
    for (int c = 0; c < ROWS_HERE; c++)
        for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
            const struct setting settings[] = {
                {"d", "207"},           {"N", "50"},      {"T", rows[c].T}, {"tol", rows[c].tol},
                {"nmax", rows[c].nmax}, {"y0", "random"}, {"skew", "0.2"},  {"storage", "sparse"},
                {"expect", "any"},      {NULL, NULL}};
            double got[ROOM], plain[ROOM], off = 0, most = 0;
            if (!is_tested(v) || strstr(v->id, "gpu-blocked") == NULL || v->precision != DOUBLE)
                continue;
            const bool there =
                trail_of(v, settings, rows[c].scale, got, ROOM) &&
                trail_of(variant_of(is_picard(v) ? "wr-picard-cpu" : "wr-jacobi-cpu", DOUBLE),
                         settings, rows[c].scale, plain, ROOM);
            for (int k = 2; there && k < 2 + plain[0]; k++) {
                off = larger(off, fabs(got[k] - plain[k]));
                most = larger(most, plain[k]);
            }
            check(there && got[0] == plain[0] && got[1] == plain[1] &&
                      off <= 1e-13 * most + 1000 * 0x1p-1074,
                  "%s, %s: as many iterations as plain, and their corrections", v->id,
                  rows[c].what);
            if (there && (got[0] != plain[0] || got[1] != plain[1]))
                fprintf(stderr, "# %g iterations for %g, outcome %g for %g\n", got[0], plain[0],
                        got[1], plain[1]);
            if (there)
                fprintf(stderr, "# off by %.2g of %.2g\n", off, most);
        }
}

/* As many iterates as a pass has, on so many blocks at once. */
static bool pass_of(const struct variant *v, const char *d, const char *tol, const char *blocks,
                    double *values, size_t room)
{
    const struct setting settings[] = {{"d", d},          {"N", "5"},
                                       {"tol", tol},      {"nmax", is_picard(v) ? "9" : "10"},
                                       {"y0", "random"},  {"storage", "sparse"},
                                       {"expect", "any"}, {NULL, NULL}};
    struct solve s;
    if (blocks != NULL)
        setenv("REPRISE_EMULATED_BLOCKS", blocks, 1);
    const bool good = solved(&s, v, "heat1d", settings) == OK;
    for (size_t k = 0; k < room && good; k++)
        values[k] = value(&s.out, k);
    unsetenv("REPRISE_EMULATED_BLOCKS");
    release(&s);
    return good;
}

/* The quickest kernel has other bits than the next one, which is asked where tol is 0: so it was
 * there, and sure. Its own are the same in windows of each shape. */
static void test_bits(void)
{
    static const char *const sizes[] = {"150", "191", "192", "1001", "4099"};
    static const char *const at_once[] = {"1", "3", "20"};
    for (const struct variant *v = waveform_variants; v->id != NULL; v++)
        for (int c = 0; c < 5; c++) {
            const size_t count = 5 * (size_t)atol(sizes[c]);
            if (!is_tested(v) || strstr(v->id, "gpu-blocked") == NULL || v->precision != DOUBLE)
                continue;
            double *const room = malloc(3 * count * sizeof *room);
            assert(room != NULL);
            bool good = pass_of(v, sizes[c], "1e-9", NULL, room, count) &&
                        pass_of(v, sizes[c], "0", NULL, room + count, count);
            check(good && memcmp(room, room + count, count * sizeof *room) != 0,
                  "%s d=%s: the quickest kernel", v->id, sizes[c]);
            for (int b = 0; b < 3 && is_emulated(v); b++)
                good = good && pass_of(v, sizes[c], "1e-9", at_once[b], room + 2 * count, count) &&
                       memcmp(room, room + 2 * count, count * sizeof *room) == 0;
            check(good, "%s d=%s: the same bits in windows of each shape", v->id, sizes[c]);
            free(room);
        }
}

/* Jacobi's quickest kernel looks at the last points alone where tol leaves corrections that are
 * known to grow, and at all of them below that: it finds the same. */
static void test_growing(void)
{
    static const struct {
        const char *d, *N, *T, *skew, *y0, *all; /* all: a tol where it looks at all points */
    } rows[] = {{"207", "50", "1", "0.2", "random", "1e-12"},
                {"150", "9", "0.5", "-1", "ones", "1e-13"},
                {"191", "5", "0.5", "0", "e_mid", "5e-14"},
                {"1001", "6", "3", "0.7", "random", "1e-13"},
                {"4099", "20", "1", "0", "sin", "1e-12"}};
    enum { ROOM = 302, ROWS_HERE = sizeof rows / sizeof *rows };
    for (int c = 0; c < ROWS_HERE; c++)
        for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
            double got[2][ROOM];
            bool good = true;
            if (!is_tested(v) || strstr(v->id, "jacobi-gpu-blocked") == NULL ||
                v->precision != DOUBLE)
                continue;
            for (int k = 0; k < 2; k++) {
                const struct setting settings[] = {
                    {"d", rows[c].d},       {"N", rows[c].N},
                    {"T", rows[c].T},       {"tol", k == 0 ? "1e-8" : rows[c].all},
                    {"nmax", "300"},        {"y0", rows[c].y0},
                    {"skew", rows[c].skew}, {"storage", "sparse"},
                    {"expect", "any"},      {NULL, NULL}};
                good = good && trail_of(v, settings, 1, got[k], ROOM);
            }
            const int count = good ? (int)got[0][0] : 0;
            check(good && count < got[1][0] &&
                      memcmp(got[0] + 2, got[1] + 2, (size_t)count * sizeof **got) == 0,
                  "%s d=%s N=%s T=%s: corrections of the last points and of all", v->id, rows[c].d,
                  rows[c].N, rows[c].T);
        }
}

/* Where they fall below that before they fall below tol, it begins again with the next kernel,
 * whose corrections have other bits. */
static void test_not_growing(void)
{
    enum { ROOM = 12 };
    for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
        double got[2][ROOM];
        char iterations[8] = "10";
        bool good = true;
        if (!is_tested(v) || strstr(v->id, "jacobi-gpu-blocked") == NULL || v->precision != DOUBLE)
            continue;
        for (int k = 0; k < 2; k++) {
            const struct setting settings[] = {
                {"d", "207"},          {"N", "50"},
                {"T", "1e-3"},         {"tol", k == 0 ? "1e-10" : "0"},
                {"nmax", iterations},  {"y0", "random"},
                {"storage", "sparse"}, {"expect", "any"},
                {NULL, NULL}};
            good = good && trail_of(v, settings, 1, got[k], ROOM);
            if (good)
                snprintf(iterations, sizeof iterations, "%.0f", got[k][0]);
        }
        check(good && got[0][0] == got[1][0] &&
                  memcmp(got[0] + 2, got[1] + 2, (size_t)got[0][0] * sizeof **got) == 0,
              "%s: %s iterations, by another kernel where corrections may not grow", v->id,
              iterations);
    }
}

/* A plane's window of a device with little shared memory, and where none fits. */
static void test_little_shared_plane(void)
{
    static const struct setting settings[] = {
        {"d", "2025"},         {"N", "5"},        {"nmax", "7"},
        {"tol", "1e-9"},       {"T", "0.5"},      {"y0", "random"},
        {"storage", "sparse"}, {"expect", "any"}, {NULL, NULL}};
    setenv("REPRISE_EMULATED_SHARED", "64", 1);
    check(blocked_agree("heat2d", settings), "blocked heat2d with 64 KiB of shared memory");
    setenv("REPRISE_EMULATED_SHARED", "16", 1);
    const struct variant *const v = variant_of("wr-jacobi-gpu-blocked", DOUBLE);
    check(!takes(v, problem_of("heat2d"), settings, NULL), "gpu-blocked heat2d with 16 KiB: %s",
          reason());
    unsetenv("REPRISE_EMULATED_SHARED");
}

/* gpu-dense: rows and columns that fill blocks and stages or do not, more stages than the ring has,
 * shares of each number, and as many points as it takes. */
static void test_dense(void)
{
    static const char *const sizes[] = {"1", "15", "16", "17", "127", "128", "129", "257"};
    static const char *const points[] = {"50", "2", "49", "3", "9", "48", "17", "8"};
    static const char *const at_once[] = {"8", "3", "1", "2"};
    for (int b = 0; b < 4; b++) {
        setenv("REPRISE_EMULATED_BLOCKS", at_once[b], 1);
        for (int c = b < 3 ? 0 : 7; c < 8; c++) {
            const int m = (c + b) % 6;
            const struct setting settings[] = {
                {"d", sizes[c]},   {"N", m > 2 && c % 2 == 1 ? "5" : points[c]},
                {"T", "0.5"},      {"method", methods[m]},
                {"skew", "0.6"},   {"y0", "random"},
                {"expect", "any"}, {"nmax", "4"},
                {NULL, NULL}};
            check(all_good("gpu-dense", c % 2 == 0 ? "heat1d" : "control", settings, (uint64_t)c),
                  "gpu-dense d=%s N=%s %s, %s blocks at once", sizes[c], settings[1].value,
                  methods[m], at_once[b]);
        }
    }
    unsetenv("REPRISE_EMULATED_BLOCKS");
}

/* What a rank by itself has to tell others changes no bit. */
static void test_one_rank(void)
{
    static const struct {
        const char *ending, *alone, *storage, *d;
    } rows[] = {{"gpu-blocked-ranks", "gpu-blocked", "sparse", "1"},
                {"gpu-blocked-ranks", "gpu-blocked", "sparse", "131"},
                {"gpu-blocked-ranks", "gpu-blocked", "sparse", "1001"},
                {"gpu-dense-ranks", "gpu-dense", "dense", "1"},
                {"gpu-dense-ranks", "gpu-dense", "dense", "131"}};
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++)
        for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
            const struct setting settings[] = {{"d", rows[c].d},
                                               {"N", "9"},
                                               {"storage", rows[c].storage},
                                               {"y0", "random"},
                                               {"skew", "-0.4"},
                                               {"expect", "any"},
                                               {"nmax", "15"},
                                               {"method", methods[(int)c % 6]},
                                               {NULL, NULL}};
            char id[32];
            struct solve one, other;
            if (!is_tested(v) || strcmp(v->id + strlen("wr-picard-"), rows[c].ending) != 0)
                continue;
            snprintf(id, sizeof id, "%.10s%s", v->id, rows[c].alone);
            const enum status status = solved(&one, v, "heat1d", settings);
            const bool good =
                solved(&other, variant_of(id, v->precision), "heat1d", settings) == OK &&
                status == OK && one.bytes == other.bytes &&
                memcmp(one.out.values, other.out.values,
                       one.out.count * value_size(v->precision)) == 0;
            check(good, "%s %s d=%s: one rank has the bits of %s", v->id, precision_of(v),
                  rows[c].d, id);
            release(&one);
            release(&other);
        }
}

/* Where a start is 1 in a row and small beside it, its correction is the largest by far: every
 * kernel has to have seen that row's, be it the first or the last of a lane, a warp, a share, a
 * block, or of several rows that one block has one after the other, none of which has 0. */
static void test_corrections(void)
{
    static const size_t edges[] = {0, 7, 8, 31, 32, 63, 64, 127, 128, 129, 255, 256};
    static const char *const at_once[] = {"1", "2", "8"}; /* 2: a row that both have a part of */
    enum { D = 257, FIRST_BLOCK = 128, EDGES = sizeof edges / sizeof *edges };
    for (int b = 0; b < 3; b++) {
        setenv("REPRISE_EMULATED_BLOCKS", at_once[b], 1);
        for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
            const struct setting settings[] = {{"d", "257"},      {"N", "3"},
                                               {"T", "0.1"},      {"nmax", "2"},
                                               {"expect", "any"}, {"storage", storage_of(v)},
                                               {NULL, NULL}};
            const bool dense = strstr(v->id, "gpu-dense") != NULL;
            const bool all = b == 0 && strcmp(v->id, "wr-picard-gpu-dense") == 0;
            struct solve s;
            struct judgement j;
            if (!is_emulated(v) || !is_tested(v) || (b > 0 && !dense) || v->ranks ||
                !takes(v, problem_of("heat1d"), settings, NULL))
                continue;
            enum status status = prepare_problem(&s, v, problem_of("heat1d"), settings, NULL);
            const struct waveform *const p = s.in.data;
            size_t row = 0;
            for (size_t k = 0; k < (size_t)(all ? FIRST_BLOCK : EDGES) && status == OK; k++) {
                row = all ? k : edges[k];
                for (size_t i = 0; i < D; i++)
                    p->y0[i] = i == row ? 1 : i % 2 == 0 ? 0.1 : -0.1;
                status = go(&s, k + 1); /* what the judge keeps is of a seed */
                if (status == OK)
                    status = accepted(&s, &j);
            }
            check(status == OK, "%s %s, %s blocks at once: the correction of %s row counts%s%s",
                  v->id, precision_of(v), at_once[b], all ? "each" : "an edge's",
                  status == OK ? "" : ": ", status == OK ? "" : reason());
            if (status != OK)
                fprintf(stderr, "# row %zu\n", row);
            release(&s);
        }
    }
    unsetenv("REPRISE_EMULATED_BLOCKS");
}

/* A file of `count` numbers, random ones between -1 and 1 but for what `at` says. */
static void write_numbers(const char *path, size_t count, uint64_t seed)
{
    FILE *file = fopen(path, "w");
    assert(file != NULL);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%.17g\n", 2 * uniform(seed, i) - 1);
    fclose(file);
}

static void test_user(void)
{
    char folder[] = "/tmp/waveform-XXXXXX", matrix[64], g[64], y0[64];
    const bool there = mkdtemp(folder) != NULL;
    assert(there);
    snprintf(matrix, sizeof matrix, "%s/a", folder);
    snprintf(g, sizeof g, "%s/g", folder);
    snprintf(y0, sizeof y0, "%s/y0", folder);
    write_numbers(matrix, 11 * 11, 1);
    write_numbers(g, 11 * 20, 2);
    write_numbers(y0, 11, 3);
    for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++) {
        const struct setting settings[] = {
            {"d", "11"}, {"N", "20"}, {"T", "1"},      {"<matrix", matrix},
            {"<g", g},   {"<y0", y0}, {"tol", "1e-5"}, {"method", methods[m]},
            {NULL, NULL}};
        check(all_good("wr", "user", settings, 0) && all_good("wr", "user", settings, 7),
              "user d=11 %s: a full matrix, g and y0 from files", methods[m]);
    }
    write_numbers(g, 11 * 70, 4);
    for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++) {
        const struct setting settings[] = {
            {"d", "11"}, {"N", "70"}, {"T", "1"},      {"<matrix", matrix},
            {"<g", g},   {"<y0", y0}, {"tol", "1e-5"}, {"method", methods[m]},
            {NULL, NULL}};
        check(all_good("fused", "user", settings, 0), "user d=11 N=70 %s: g in two windows",
              methods[m]);
    }
    const struct setting wrong[] = {{"d", "12"}, {"<matrix", matrix}, {NULL, NULL}};
    struct instance in;
    check(create(&in, "user", wrong) == ERR_ARGS || create(&in, "user", wrong) == ERR_IO,
          "user d=12: 121 numbers are refused: %s", reason());
    (void)unlink(matrix);
    (void)unlink(g);
    (void)unlink(y0);
    (void)rmdir(folder);
}

/* The limit of the iteration, and counts of the analysis, from e_d. */
static void test_methods(void)
{
    static const int counts[6][2] = {{18, 10}, {15, 10}, {17, 10}, {17, 10}, {17, 10}, {16, 10}};
    for (int m = 0; m < 6; m++)
        for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
            const struct setting settings[] = {
                {"d", "64"}, {"method", methods[m]}, {"storage", storage_of(v)}, {NULL, NULL}};
            struct solve s;
            struct judgement j = {.count = 0};
            if (v->precision != DOUBLE || !is_tested(v) ||
                !takes(v, problem_of("heat1d"), settings, NULL))
                continue;
            enum status status = solved(&s, v, "heat1d", settings);
            if (status == OK)
                status = accepted(&s, &j);
            check(status == OK && metric_of(&j, "iterations") == counts[m][is_picard(v) ? 0 : 1] &&
                      metric_of(&j, "error_limit") <= 1e-5,
                  "%s d=64 %s: %g iterations, %.2g from the method without relaxation", v->id,
                  methods[m], metric_of(&j, "iterations"), metric_of(&j, "error_limit"));
            release(&s);
        }
}

static void test_oracles(void)
{
    static const struct {
        const char *problem, *variant, *d, *metric;
        double value;
        int digits;
    } rows[] = {
        {"heat1d", "wr-picard-cpu", "256", "error_limit", 1.955340e-6, 7},
        {"heat1d", "wr-jacobi-cpu", "256", "error_limit", 1.254302e-6, 7},
        {"heat1d", "wr-picard-cpu", "256", "error_exact", 6.843539e-3, 7},
        {"heat1d", "wr-jacobi-cpu", "256", "err_1", 8.591784e-1, 7},
        {"heat1d", "wr-picard-cpu", "256", "err_17", 3.2030223e-5, 8},
        {"control", "wr-jacobi-cpu", "24", "error_limit", 3.3448e-7, 5},
        {"control", "wr-jacobi-cpu", "24", "error_exact", 1.7916e-2, 5},
        {"control", "wr-jacobi-cpu", "256", "err_5", 4.790074e-5, 7},
        {"heat2d", "wr-picard-cpu", "256", "err_26", 1.0731029e-3, 8},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        const struct setting settings[] = {{"d", rows[c].d}, {NULL, NULL}};
        struct solve s;
        struct judgement j = {.count = 0};
        enum status status =
            solved(&s, variant_of(rows[c].variant, DOUBLE), rows[c].problem, settings);
        if (status == OK)
            status = accepted(&s, &j);
        const double got = metric_of(&j, rows[c].metric);
        check(status == OK && same_digits(got, rows[c].value, rows[c].digits),
              "%s %s d=%s: %s %.8g is %.8g", rows[c].variant, rows[c].problem, rows[c].d,
              rows[c].metric, got, rows[c].value);
        release(&s);
    }
}

/* --- closed forms: err_v of heat1d from e_d by implicit Euler, for d > v+1 --- */

enum { MOST_ITERATIONS = 64 };

static double picard_closed_form(double h, size_t points, long v)
{
    long double size = 1, binomial = 1, most = 0; /* binomial: C(2v, v+j) */
    for (long k = 1; k <= v; k++) {
        size *= (long double)h * (long double)(points - 2 + (size_t)k) / (long double)k;
        binomial *= (long double)(v + k) / (long double)k;
    }
    for (long j = 0; j <= v; j++) {
        const long double next = binomial * (long double)(v - j) / (long double)(v + j + 1);
        const long double after = next * (long double)(v - j - 1) / (long double)(v + j + 2);
        most = fmaxl(most, fabsl(binomial - after));
        binomial = next;
    }
    return (double)(size * most);
}

static double jacobi_closed_form(double h, size_t points, long v)
{
    double w[MOST_ITERATIONS + 1] = {1}; /* of iterates 0 .. v at one point */
    double q[MOST_ITERATIONS + 3] = {-2, 1}, before[MOST_ITERATIONS + 3], most = 2;
    for (size_t n = 1; n < points; n++)
        for (long k = 1; k <= v; k++)
            w[k] = (w[k] + h * w[k - 1]) / (1 + 2 * h);
    for (long k = 1; k < v; k++) { /* R q, from the last component on */
        memcpy(before, q, sizeof q);
        most = 0;
        for (long i = 0; i <= v; i++) {
            q[i] = (i > 0 ? before[i - 1] : 0) + before[i + 1];
            most = fmax(most, fabs(q[i]));
        }
    }
    return w[v] * most;
}

static double closed_form(double h, size_t points, enum relaxation relaxation, long v)
{
    return relaxation == PICARD ? picard_closed_form(h, points, v)
                                : jacobi_closed_form(h, points, v);
}

/* The reference has them too, up to what both round. */
static bool reference_agrees(const char *points, const char *end, enum relaxation relaxation)
{
    const struct setting settings[] = {
        {"d", "70"}, {"N", points}, {"T", end}, {"storage", "sparse"}, {NULL, NULL}};
    struct instance in;
    struct reference r = {.err = NAN};
    bool good = create(&in, "heat1d", settings) == OK;
    const struct waveform *const p = in.data;
    good = good && reference_make(p, relaxation, false, &r) == OK;
    for (long v = 1; v <= MOST_ITERATIONS && good; v++) {
        const double err = closed_form(p->h, p->points, relaxation, v);
        reference_sweep(&r);
        good = fabs(r.err - err) <= r.err_bound + 1e-13 * err && r.err_bound <= 1e-10 * r.largest;
    }
    reference_free(&r);
    in.at.problem->destroy(&in);
    return good;
}

/* Counts that follow from the closed forms alone; the analysis has them from exact rationals. */
static void test_closed_forms(void)
{
    static const struct {
        const char *points, *end;
        double tol;
        long picard, jacobi;
    } rows[] = {
        {"10", "1", 1e-5, 33, 12},  {"20", "1", 1e-3, 17, 8},   {"50", "0.5", 1e-8, 16, 11},
        {"50", "1", 1e-5, 18, 10},  {"50", "1", 1e-10, 27, 17}, {"50", "2", 1e-5, 34, 15},
        {"100", "1", 1e-5, 17, 10}, {"100", "2", 1e-8, 36, 19}, {"200", "1", 1e-10, 24, 16}};
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        const size_t points = (size_t)atoi(rows[c].points);
        const double h = atof(rows[c].end) / (double)(points - 1);
        long counts[2] = {1, 1};
        for (enum relaxation r = PICARD; r <= JACOBI; r++)
            while (counts[r] < MOST_ITERATIONS &&
                   !(closed_form(h, points, r, counts[r]) < rows[c].tol))
                counts[r]++;
        check(counts[PICARD] == rows[c].picard && counts[JACOBI] == rows[c].jacobi &&
                  reference_agrees(rows[c].points, rows[c].end, PICARD) &&
                  reference_agrees(rows[c].points, rows[c].end, JACOBI),
              "closed forms N=%s T=%s tol=%g: %ld and %ld, and the reference's corrections",
              rows[c].points, rows[c].end, rows[c].tol, counts[PICARD], counts[JACOBI]);
    }
}

static void test_radii(void)
{
    static const struct {
        const char *h, *d, *variant, *metric;
        double value;
        int digits;
    } rows[] = {
        {"0.001", "4", "wr-jacobi-cpu", "spectral_radius", 0.00017351, 5},
        {"1", "16", "wr-jacobi-cpu", "spectral_radius", 0.06615704, 7},
        {"100", "64", "wr-jacobi-cpu", "spectral_radius", 0.10762668, 8},
        {"1", "2", "wr-picard-cpu", "spectral_radius", 1.51926, 6},
        {"1", "8", "wr-picard-cpu", "spectral_radius", 17.0877, 6},
        {"1", "64", "wr-picard-cpu", "spectral_radius", 1.2409e11, 5},
        {"0.10204081632653061", "256", "wr-jacobi-cpu", "radius_printed", 0.2313, 4},
        {"0.10204081632653061", "1164", "wr-jacobi-cpu", "radius_printed", 1.00083, 6},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        const struct setting settings[] = {
            {"d", rows[c].d},  {"T", rows[c].h},      {"N", "2"},  {"nmax", "1"}, {"radius", "1"},
            {"expect", "any"}, {"storage", "sparse"}, {NULL, NULL}};
        struct solve s;
        struct judgement j = {.count = 0};
        enum status status = solved(&s, variant_of(rows[c].variant, DOUBLE), "control", settings);
        if (status == OK)
            status = accepted(&s, &j);
        const double got = metric_of(&j, rows[c].metric);
        check(status == OK && same_digits(got, rows[c].value, rows[c].digits),
              "%s control d=%s h=%s: %s %.8g is %.8g", rows[c].variant, rows[c].d, rows[c].h,
              rows[c].metric, got, rows[c].value);
        release(&s);
    }
}

/* --- what does not converge --- */

static void test_outcomes(void)
{
    static const struct {
        const char *problem, *d, *end, *method, *variant;
        enum precision precision;
        int outcome, iterations; /* 0: as many as it takes */
        const char *says;
    } rows[] = {
        {"heat1d", "64", "2", "implicit-euler", "picard", DOUBLE, CONVERGED, 34, ""},
        {"heat1d", "64", "3", "implicit-euler", "picard", DOUBLE, CONVERGED, 54, ""},
        {"heat1d", "64", "4", "implicit-euler", "picard", DOUBLE, CONVERGED, 80, ""},
        {"heat1d", "64", "5", "implicit-euler", "picard", DOUBLE, CONVERGED, 115, ""},
        {"heat1d", "64", "6", "implicit-euler", "picard", DOUBLE, STAGNATED, 0, "stagnated"},
        {"heat1d", "64", "8", "implicit-euler", "picard", DOUBLE, STAGNATED, 0, "rounding"},
        {"heat1d", "64", "13", "implicit-euler", "picard", DOUBLE, AT_NMAX, 1000, "diverges"},
        {"heat1d", "64", "3", "implicit-euler", "picard", SINGLE, STAGNATED, 0, "stagnated"},
        {"heat1d", "64", "100", "implicit-euler", "picard", SINGLE, NONFINITE, 0, "overflow"},
        {"heat1d", "64", "20", "explicit-euler", "picard", DOUBLE, CONVERGED, 50, ""},
        {"heat1d", "64", "20", "implicit-euler", "jacobi", DOUBLE, CONVERGED, 72, ""},
        {"heat1d", "64", "100", "implicit-euler", "jacobi", DOUBLE, CONVERGED, 298, ""},
        {"control", "2", "5", "implicit-euler", "picard", DOUBLE, CONVERGED, 34, ""},
        {"control", "3", "5", "implicit-euler", "picard", DOUBLE, CONVERGED, 47, ""},
        {"control", "4", "5", "implicit-euler", "picard", DOUBLE, CONVERGED, 85, ""},
        {"control", "5", "5", "implicit-euler", "picard", DOUBLE, STAGNATED, 0, "stagnated"},
        {"control", "6", "5", "implicit-euler", "picard", DOUBLE, STAGNATED, 0, "stagnated"},
        {"control", "256", "5", "implicit-euler", "picard", DOUBLE, NONFINITE, 8, "overflow"},
        {"control", "1751", "5", "implicit-euler", "picard", DOUBLE, NONFINITE, 0, "overflow"},
        {"control", "2048", "5", "implicit-euler", "picard", DOUBLE, NONFINITE, 1, "overflow"},
        {"control", "256", "5", "implicit-euler", "picard", SINGLE, NONFINITE, 1, "overflow"},
        {"control", "219", "5", "implicit-euler", "jacobi", SINGLE, CONVERGED, 6, ""},
        {"control", "220", "5", "implicit-euler", "jacobi", SINGLE, CONVERGED, 6, ""},
        {"control", "1751", "5", "implicit-euler", "jacobi", DOUBLE, CONVERGED, 6, ""},
        {"control", "1752", "5", "implicit-euler", "jacobi", DOUBLE, CONVERGED, 6, ""},
        {"control", "1752", "5", "trapezoidal", "jacobi", DOUBLE, CONVERGED, 0, ""},
    };
    static const char *const endings[] = {"cpu",
                                          "omp",
                                          "blas",
                                          "gpu",
                                          "gpu-fused",
                                          "gpu-blocked",
                                          "gpu-dense",
                                          "omp-blocked",
                                          "gpu-blocked-ranks",
                                          "gpu-dense-ranks"};
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++)
        for (int e = 0; e < (int)(sizeof endings / sizeof *endings); e++)
            for (int sparse = 0; sparse < 2; sparse++) {
                char id[32];
                snprintf(id, sizeof id, "wr-%s-%s", rows[c].variant, endings[e]);
                const struct variant *v = variant_of(id, rows[c].precision);
                const struct setting settings[] = {{"d", rows[c].d},
                                                   {"T", rows[c].end},
                                                   {"method", rows[c].method},
                                                   {"storage", sparse ? "sparse" : "dense"},
                                                   {NULL, NULL}};
                const int d = atoi(rows[c].d);
                struct solve s;
                struct judgement j = {.count = 0};
                const bool slow = e == 0 || e == 3 || is_emulated(v); /* if dense */
                if (v->id == NULL || !is_tested(v) || (!sparse && (d > 300 || slow)) ||
                    !takes(v, problem_of(rows[c].problem), settings, NULL))
                    continue;
                enum status status = solved(&s, v, rows[c].problem, settings);
                if (status == OK)
                    status = accepted(&s, &j);
                const double took = metric_of(&j, "iterations");
                const bool good =
                    rows[c].outcome == CONVERGED
                        ? status == OK && strcmp(j.said, "converged") == 0
                        : status == ERR_DIVERGED && strstr(reason(), rows[c].says) != NULL;
                check(good && metric_of(&j, "outcome") == rows[c].outcome &&
                          (rows[c].iterations == 0 || took == rows[c].iterations),
                      "%s %s %s d=%s T=%s %s %s: %s after %g iterations", id, precision_of(v),
                      rows[c].problem, rows[c].d, rows[c].end, rows[c].method,
                      sparse ? "sparse" : "dense", j.said, took);
                release(&s);
            }
}

/* --- the work --- */

/* It counts iterations, so many as it assumes: each is as much as a single one, and the judge says
 * how many were made, which is not far from it. */
static void test_work(void)
{
    static const char *const problems[] = {"heat1d", "heat2d", "control"};
    for (int p = 0; p < 3; p++)
        for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
            const struct setting single[] = {
                {"d", "64"}, {"nmax", "1"}, {"storage", storage_of(v)}, {NULL, NULL}};
            const struct setting settings[] = {
                {"d", "64"}, {"storage", storage_of(v)}, {NULL, NULL}};
            struct instance in;
            struct solve s;
            struct judgement j = {.steps = NAN};
            if (!is_tested(v) || (p == 2 && is_picard(v)) ||
                !takes(v, problem_of(problems[p]), settings, NULL))
                continue;
            bool good = create(&in, problems[p], single) == OK;
            const struct work one = v->work(v, &in.at);
            good = solved(&s, v, problems[p], settings) == OK && accepted(&s, &j) == OK && good;
            const struct work work = v->work(v, &s.in.at);
            good = good && j.steps == metric_of(&j, "iterations") && one.steps == 1 &&
                   one.flops > 0 && one.bytes > 0 && (one.launches > 0) == uses_device(v) &&
                   work.flops == work.steps * one.flops && work.bytes == work.steps * one.bytes &&
                   work.tensor == work.steps * one.tensor &&
                   work.launches == work.steps * one.launches;
            check(good && work.steps >= j.steps / 2 && work.steps <= 2 * j.steps,
                  "%s %s %s d=64: the work of %g iterations, and %g were made", v->id,
                  precision_of(v), problems[p], work.steps, j.steps);
            in.at.problem->destroy(&in);
            release(&s);
        }
}

/* Of four cards each does a quarter, and holds no less of what it makes. */
static void test_work_of_ranks(void)
{
    static const char *const ids[] = {"wr-picard-gpu-blocked-ranks", "wr-jacobi-gpu-dense-ranks"};
    for (int k = 0; k < 2; k++) {
        const struct variant *const v = variant_of(ids[k], DOUBLE);
        const struct setting one[] = {
            {"d", "4096"}, {"storage", k == 0 ? "sparse" : "dense"}, {NULL, NULL}};
        const struct setting four[] = {
            {"d", "4096"}, {"storage", k == 0 ? "sparse" : "dense"}, {"ranks", "4"}, {NULL, NULL}};
        struct instance a, b;
        const bool made = create(&a, "heat1d", one) == OK && create(&b, "heat1d", four) == OK;
        const struct work whole = v->work(v, &a.at), part = v->work(v, &b.at);
        check(made && part.flops == whole.flops / 4 && part.tensor == whole.tensor / 4 &&
                  part.bytes >= whole.bytes / 4 && part.bytes < whole.bytes / 3.5 &&
                  part.launches == whole.launches && part.device_bytes > whole.device_bytes / 4 &&
                  part.device_bytes < whole.device_bytes / 3 &&
                  (k > 0 || (whole.sent == 0 && whole.words == 0 && part.sent > 0 &&
                             part.words == part.launches)),
              "%s: the work of one card of four", v->id);
        a.at.problem->destroy(&a);
        b.at.problem->destroy(&b);
    }
}

/* What the task moves: y written, what it begins with read, and a full matrix. */
static void test_traffic(void)
{
    const struct setting sparse[] = {{"d", "64"}, {"storage", "sparse"}, {NULL, NULL}};
    const struct setting dense[] = {{"d", "64"}, {"storage", "dense"}, {NULL, NULL}};
    struct instance in;
    bool good = create(&in, "heat1d", sparse) == OK &&
                waveform_family.traffic(DOUBLE, &in.at) == 8.0 * 64 * 51 &&
                waveform_family.traffic(SINGLE, &in.at) == 4.0 * 64 * 51 &&
                waveform_family.operations(&in.at) == 5.0 * 64 * 49;
    in.at.problem->destroy(&in);
    good = good && create(&in, "control", dense) == OK &&
           waveform_family.traffic(DOUBLE, &in.at) == 8.0 * 64 * (51 + 64) &&
           waveform_family.operations(&in.at) == 2.0 * 64 * 64 * 49;
    in.at.problem->destroy(&in);
    check(good, "d=64: the least traffic and operations of the task, sparse and dense");
}

/* --- the start --- */

static void test_starts(void)
{
    static const struct {
        const char *y0;
        double value[3];
    } rows[] = {
        {"e_d", {0, 0, 1}},
        {"e_1", {1, 0, 0}},
        {"e_mid", {0, 1, 0}},
        {"ones", {1, 1, 1}},
        {"sin", {0.70710678118654752, 1, 0.70710678118654752}},
        {"random", {0.10957860598549463, 0.26538529591773785, 0.8856239926684798}},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        const struct setting settings[] = {
            {"d", "3"}, {"y0", rows[c].y0}, {"seed", "12345"}, {NULL, NULL}};
        struct instance in;
        bool good = create(&in, "heat1d", settings) == OK;
        for (size_t i = 0; i < 3 && good; i++)
            good = fabs(waveform_first(in.data, i, 0) - rows[c].value[i]) < 1e-15;
        check(good, "d=3: y0=%s", rows[c].y0);
        in.at.problem->destroy(&in);
    }
}

static void test_refused(void)
{
    static const struct {
        const char *problem;
        struct setting settings[4];
        const char *says;
    } rows[] = {
        {"heat2d", {{"d", "1000"}}, "d = m^2"},
        {"heat1d", {{"y0", "flat"}}, "y0=flat is not one of"},
        {"heat1d", {{"N", "2"}, {"method", "bdf2"}}, "choose 3"},
        {"user", {{"d", "3"}}, "matrix=a.txt"},
        {"user", {{"d", "3"}, {"<matrix", "/nowhere/a.txt"}}, "cannot read"},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        struct instance in;
        const enum status status = create(&in, rows[c].problem, rows[c].settings);
        check((status == ERR_ARGS || status == ERR_IO) && strstr(reason(), rows[c].says) != NULL,
              "%s %s=%s is refused: %s", rows[c].problem, rows[c].settings[0].name,
              rows[c].settings[0].value, reason());
    }
}

/* Near its limit of convergence a point's iteration takes thousands, and is left to it. */
static void test_slow_inner(void)
{
    static const struct setting settings[] = {
        {"d", "100"}, {"N", "3"}, {"T", "200"}, {"method", "bdf2"}, {NULL, NULL}};
    struct instance in;
    check(create(&in, "heat1d", settings) == OK, "bdf2 with steps of 100: %s", reason());
    in.at.problem->destroy(&in);
}

/* --- what the judge must refuse --- */

static bool refuses(const struct solve *s, size_t at, double x)
{
    const double before = value(&s->out, at);
    struct judgement j;
    set_value(&s->out, at, x);
    const bool refused = accepted(s, &j) == WRONG;
    set_value(&s->out, at, before);
    if (!refused)
        fprintf(stderr, "# accepted: value %zu = %g instead of %g\n", at, x, before);
    return refused;
}

static void test_corrupted(void)
{
    for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
        const struct setting settings[] = {{"d", "40"}, {"y0", "random"}, {NULL, NULL}};
        struct solve s;
        struct reference r = {.err = NAN};
        struct judgement j;
        const struct variant *v = variant_of("wr-jacobi-cpu", precision);
        const size_t trailer = 40 * 50;
        bool good = solved(&s, v, "heat1d", settings) == OK && accepted(&s, &j) == OK;
        const double count = value(&s.out, trailer + 1);
        const size_t last = trailer + 2 + (size_t)count;
        good = good && reference_make(s.in.data, JACOBI, precision == SINGLE, &r) == OK;
        for (double k = 0; k < count && good; k++)
            reference_sweep(&r);
        for (size_t at = 1; at < trailer && good; at += 331) { /* but at the start */
            const double bound = r.bound[at % 50 * 40 + at / 50], y = value(&s.out, at);
            good = refuses(&s, at, y + 10 * bound) && refuses(&s, at, y - 10 * bound) &&
                   refuses(&s, at, NAN) && refuses(&s, at, -INFINITY) &&
                   bound <= (precision == DOUBLE ? 1e-13 : 1e-4);
        }
        good = good &&
               refuses(&s, 50, nextafter(value(&s.out, 50), 2) + (precision == SINGLE ? 1e-7 : 0));
        check(good,
              "%s d=40: a value off by 10 bounds, NaN or infinite is refused, at the start by "
              "a bit",
              precision_of(v));
        check(refuses(&s, trailer, PICARD) && refuses(&s, trailer, 7) &&
                  refuses(&s, trailer + 1, count - 1) && refuses(&s, trailer + 1, count + 1) &&
                  refuses(&s, trailer + 1, NAN) && refuses(&s, trailer + 2, STAGNATED) &&
                  refuses(&s, trailer + 2, NONFINITE) && refuses(&s, trailer + 2, NAN),
              "%s d=40: another relaxation, count or outcome is refused", precision_of(v));
        check(refuses(&s, trailer + 3, 0.5) && refuses(&s, last, 0.5) &&
                  refuses(&s, last, r.err + 10 * r.err_bound) && refuses(&s, last, NAN) &&
                  accepted(&s, &j) == OK,
              "%s d=40: another correction is refused, and what was there is good",
              precision_of(v));
        set_value(&s.out, last, INFINITY);
        check(refuses(&s, trailer + 2, NONFINITE), "%s d=40: infinity that the data do not have",
              precision_of(v));
        reference_free(&r);
        release(&s);
    }
}

/* Answers that are good ones of something else. What tol asks for must be more than rounding. */
static void test_cheats(void)
{
    const size_t d = 49, points = 13;
    for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
        const char *const tol = v->precision == DOUBLE ? "1e-8" : "0.1";
        struct setting settings[] = {
            {"d", "49"},  {"N", "13"},       {"T", "0.8"},     {"y0", "ones"},
            {"tol", tol}, {"expect", "any"}, {"nmax", "1000"}, {"storage", storage_of(v)},
            {NULL, NULL}};
        struct solve s, other;
        struct judgement j;
        if (!is_tested(v))
            continue;
        const bool plane = takes(v, problem_of("heat2d"), settings, NULL);
        const char *const problem = plane ? "heat2d" : "heat1d";
        bool good = solved(&s, v, problem, settings) == OK && accepted(&s, &j) == OK;
        char fewer[16];
        snprintf(fewer, sizeof fewer, "%g", metric_of(&j, "iterations") - 1);
        settings[6].value = fewer;
        good = solved(&other, v, problem, settings) == OK && accepted(&other, &j) == OK && good;
        memcpy(s.out.values, other.out.values, d * points * value_size(v->precision));
        check(good && accepted(&s, &j) == WRONG, "%s %s: the iterate before the last is refused",
              v->id, precision_of(v));
        good = go(&s, 0) == OK && accepted(&s, &j) == OK;
        for (size_t i = 0; i < d; i += 2)
            for (size_t n = 0; n < points; n++)
                set_value(&s.out, i * points + n, 0);
        check(good && accepted(&s, &j) == WRONG, "%s %s: every other component 0 is refused", v->id,
              precision_of(v));
        good = go(&s, 5) == OK && accepted(&s, &j) == OK;
        s.in.at.problem->vary(&s.in, 6);
        check(good && accepted(&s, &j) == WRONG, "%s %s: the answer to other data is refused",
              v->id, precision_of(v));
        release(&s);
        release(&other);
    }
}

/* What leaves the range on its way is not wrong, nor is nothing at all. */
static void test_range(void)
{
    static const struct {
        const char *y0;
        enum precision precision;
        enum status status;
        const char *says, *beside; /* of every other component */
    } rows[] = {
        {"0", SINGLE, OK, "", "0"},
        {"0", DOUBLE, OK, "", "0"},
        {"1e-42", SINGLE, ERR_DIVERGED, "underflow", "0"},
        {"1e-42", DOUBLE, OK, "", "0"},
        {"1e-300", DOUBLE, OK, "", "0"},
        {"1e-310", DOUBLE, ERR_DIVERGED, "underflow", "0"},
        {"3e38", SINGLE, ERR_DIVERGED, "overflow", "0"},
        {"3e38", DOUBLE, OK, "", "0"},
        {"1e308", SINGLE, ERR_DIVERGED, "overflow", "0"},
        {"1e308", DOUBLE, ERR_DIVERGED, "overflow", "0"},
        /* infinite from the start, so that no correction is */
        {"1e308", SINGLE, ERR_DIVERGED, "overflow", "1e308"},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        char path[] = "/tmp/waveform-XXXXXX", tol[32];
        const int made = mkstemp(path);
        FILE *const file = made < 0 ? NULL : fdopen(made, "w");
        assert(file != NULL);
        for (int i = 0; i < 7; i++)
            fprintf(file, "%s\n", i % 2 == 0 ? rows[c].y0 : rows[c].beside);
        fclose(file);
        snprintf(tol, sizeof tol, "%g", atof(rows[c].y0) < 1 ? 1e-5 * atof(rows[c].y0) : 1e300);
        for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
            const struct setting settings[] = {
                {"d", "7"}, {"<y0", path}, {"tol", tol}, {"storage", storage_of(v)}, {NULL, NULL}};
            struct solve s;
            struct judgement j;
            if (!is_tested(v) || v->precision != rows[c].precision)
                continue;
            enum status status = solved(&s, v, "heat1d", settings);
            if (status == OK)
                status = accepted(&s, &j);
            check(status == rows[c].status &&
                      (status == OK || strstr(reason(), rows[c].says) != NULL),
                  "%s %s y0=%s: %s", v->id, precision_of(v), rows[c].y0,
                  status == OK ? "good" : reason());
            release(&s);
        }
        (void)unlink(path);
    }
}

/* Of a user's own matrix: where bounds leave the range before values do, nothing is wrong either;
 * and an infinite solution of the equations of a step is none. */
static void test_overflow(void)
{
    static const char *const four = "-1,3,-1,3\n3,3,-2,0\n2,1,3,0\n1,0,-1,2\n";
    static const struct {
        const char *matrix, *variant;
        struct setting settings[6];
        const char *says;
    } rows[] = {
        {four,
         "wr-picard-cpu",
         {{"d", "4"}, {"N", "3"}, {"T", "50"}, {"y0", "ones"}},
         "overflow: the solution reaches inf"},
        {four,
         "wr-picard-omp",
         {{"d", "4"}, {"N", "3"}, {"T", "50"}, {"y0", "ones"}},
         "overflow: the solution reaches inf"},
        {"-1,3\n3,-1\n",
         "wr-jacobi-cpu",
         {{"d", "2"}, {"N", "3"}, {"T", "10"}, {"method", "adams-bashforth2"}, {"y0", "e_1"}},
         "Jacobi's iteration does not find y at point 1"},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        char path[] = "/tmp/waveform-XXXXXX";
        const int made = mkstemp(path);
        FILE *const file = made < 0 ? NULL : fdopen(made, "w");
        assert(file != NULL);
        fprintf(file, "%s", rows[c].matrix);
        fclose(file);
        struct setting settings[8] = {{"<matrix", path}};
        memcpy(settings + 1, rows[c].settings, sizeof rows[c].settings);
        struct solve s;
        struct judgement j;
        enum status status = solved(&s, variant_of(rows[c].variant, DOUBLE), "user", settings);
        if (status == OK)
            status = accepted(&s, &j);
        check(status == ERR_DIVERGED && strstr(reason(), rows[c].says) != NULL, "%s user d=%s: %s",
              rows[c].variant, settings[1].value, status == OK ? "accepted" : reason());
        release(&s);
        (void)unlink(path);
    }
}

/* What is said where an iteration does not end in time, or in rounding alone. */
static void test_words(void)
{
    static const struct {
        const char *variant;
        enum precision precision;
        struct setting settings[3];
        const char *says, *not ;
    } rows[] = {
        {"wr-picard-cpu", DOUBLE, {{"nmax", "2"}}, "it falls in the end", "diverges"},
        {"wr-picard-cpu", DOUBLE, {{"nmax", "2"}, {"T", "13"}}, "diverges", "larger nmax"},
        {"wr-picard-cpu", DOUBLE, {{"nmax", "2"}, {"method", "bdf2"}}, "larger nmax", "diverges"},
        {"wr-jacobi-cpu", DOUBLE, {{"nmax", "2"}, {"method", "bdf2"}}, "larger nmax", "Jacobi"},
        {"wr-jacobi-cpu", DOUBLE, {{"tol", "1e-30"}}, "tol above", "Jacobi"},
        {"wr-picard-cpu", DOUBLE, {{"tol", "0"}}, "Jacobi", "double precision"},
        {"wr-picard-cpu", SINGLE, {{"tol", "1"}, {"T", "4"}}, "no digit is certain", "wrong"},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        struct setting settings[4] = {{"d", "64"}};
        memcpy(settings + 1, rows[c].settings, sizeof rows[c].settings);
        struct solve s;
        struct judgement j;
        const struct variant *v = variant_of(rows[c].variant, rows[c].precision);
        enum status status = solved(&s, v, "heat1d", settings);
        if (status == OK)
            status = accepted(&s, &j);
        const bool says = strstr(reason(), rows[c].says) != NULL;
        check(status == ERR_DIVERGED && says && strstr(reason(), rows[c].not ) == NULL,
              "%s %s %s=%s: %s", v->id, precision_of(v), settings[1].name, settings[1].value,
              reason());
        release(&s);
    }
}

/* A correction of 0 is the end, whatever tol is. */
static void test_end(void)
{
    for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
        const struct setting settings[] = {{"d", "25"},
                                           {"y0", "ones"},
                                           {"tol", "0"},
                                           {"method", "explicit-euler"},
                                           {"storage", storage_of(v)},
                                           {NULL, NULL}};
        struct solve s;
        struct judgement j;
        if (!is_tested(v) || !takes(v, problem_of("heat1d"), settings, NULL))
            continue;
        const bool good = solved(&s, v, "heat1d", settings) == OK && accepted(&s, &j) == OK;
        check(good && metric_of(&j, "err") == 0 && metric_of(&j, "outcome") == CONVERGED,
              "%s %s tol=0: %s after %g iterations", v->id, precision_of(v), j.said,
              metric_of(&j, "iterations"));
        release(&s);
    }
}

/* --- the bound, held against operations that err by as much as `unit` each --- */

struct rough {
    double unit;
    uint64_t seed, count; /* seed 0: all errors upwards, 1: all downwards */
};

static double off(struct rough *by, double x)
{
    const bool up = by->seed < 2 ? by->seed == 0 : random_bits(by->seed, by->count++) % 2 == 0;
    return x * (up ? 1 + by->unit : 1 - by->unit);
}

/* The next iterate of d components, y[n*d+i], where a sum is off in all its operations; in those of
 * an explicit method by the same each time, since what it finds again it finds in the same bits. */
static void rough_sweep(const struct waveform *p, const struct scheme *s, const double *old,
                        double *y, double *f, struct rough *by)
{
    const size_t d = p->d, steps = (size_t)s->steps;
    by->count = s->b[0] == 0 ? 0 : by->count;
    for (size_t n = 0; n < p->points; n++)
        for (size_t i = 0; i < d; i++) {
            double sum = off(by, s->centre[i] * old[n * d + i]);
            for (int b = 0; b < p->bands; b++) {
                const ptrdiff_t j = (ptrdiff_t)i + p->offset[b];
                if (j >= 0 && j < (ptrdiff_t)d)
                    sum = off(by, sum + off(by, s->band[b][i] * old[n * d + (size_t)j]));
            }
            f[n * d + i] = sum;
            if (n < steps)
                continue;
            sum = s->b[0] == 0 ? 0 : off(by, s->b[0] * sum);
            for (size_t lag = 1; lag <= steps; lag++) {
                const double more = s->b[lag] == 0 ? 0 : off(by, s->b[lag] * f[(n - lag) * d + i]);
                sum = sum == 0 || more == 0 ? sum + more : off(by, sum + more);
            }
            sum = off(by, off(by, s->w[i] * sum) + off(by, s->q1[i] * y[(n - 1) * d + i]));
            y[n * d + i] = steps == 1 ? sum : off(by, sum + off(by, s->q2[i] * y[(n - 2) * d + i]));
        }
}

/* The largest distance after each of a few sweeps, of what the bound says. */
static double rough_distance(const struct waveform *p, enum relaxation relaxation, uint64_t pattern)
{
    enum { SWEEPS = 8 };
    const size_t d = p->d, values = d * p->points;
    struct rough by = {1e-7, pattern, 0};
    struct reference r = {.err = NAN};
    double most = NAN;
    double *const y = malloc(3 * values * sizeof *y);
    assert(y != NULL);
    if (reference_make(p, relaxation, false, &r) == OK) {
        r.product *= by.unit / r.unit;
        r.unit = by.unit;
        most = 0;
        for (size_t k = 0; k < values; k++)
            y[k] = y[values + k] = r.now[k];
        for (int v = 0; v < SWEEPS; v++) {
            double *const now = y + (size_t)(v + 1) % 2 * values;
            rough_sweep(p, &r.scheme, y + (size_t)v % 2 * values, now, y + 2 * values, &by);
            reference_sweep(&r);
            for (size_t k = 0; k < values; k++)
                if (fabs(now[k] - r.now[k]) > 1e-3 * r.bound[k]) /* not at the start */
                    most = fmax(most, fabs(now[k] - r.now[k]) / r.bound[k]);
        }
    }
    reference_free(&r);
    free(y);
    return most;
}

static void test_bound(void)
{
    static const char *const problems[] = {"heat1d", "heat2d"};
    for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++)
        for (enum relaxation relaxation = PICARD; relaxation <= JACOBI; relaxation++) {
            double most = 0;
            for (int c = 0; c < 48; c++) {
                char end[16];
                snprintf(end, sizeof end, "%g", 0.25 * (1 << c / 2 % 6));
                const struct setting settings[] = {{"d", "4"},
                                                   {"N", c < 24 ? "4" : "12"},
                                                   {"T", end},
                                                   {"method", methods[m]},
                                                   {"y0", c % 3 == 0 ? "ones" : "random"},
                                                   {"storage", "sparse"},
                                                   {NULL, NULL}};
                struct instance in;
                const bool made = create(&in, problems[c % 2], settings) == OK;
                assert(made);
                for (uint64_t pattern = 0; pattern < 8; pattern++)
                    most = larger(most, rough_distance(in.data, relaxation, pattern));
                in.at.problem->destroy(&in);
            }
            check(most <= 1 && most >= 0.5, "%s %s: rough operations take it to %.2g of the bound",
                  methods[m], relaxation == PICARD ? "Picard" : "Jacobi", most);
        }
}

/* All sweeps of a few components at a time have the bits of one sweep after the other. */
static bool same_at_a_time(const char *problem, const struct setting *settings,
                           enum relaxation relaxation, bool single)
{
    enum { SWEEPS = 7 };
    struct instance in;
    struct reference one = {.err = NAN}, all = {.now = NULL};
    struct moved moved[SWEEPS];
    bool good = create(&in, problem, settings) == OK;
    const struct waveform *const p = in.data;
    const size_t bytes = p->d * p->points * sizeof(double);
    good = good && reference_make(p, relaxation, single, &one) == OK &&
           reference_run(p, relaxation, single, moved, SWEEPS, &all) == OK;
    for (int v = 0; v < SWEEPS && good; v++) {
        reference_sweep(&one);
        good = one.err == moved[v].err && one.err_bound == moved[v].bound;
    }
    good = good && memcmp(one.now, all.now, bytes) == 0 &&
           memcmp(one.bound, all.bound, bytes) == 0 && one.reach == all.reach &&
           one.size == all.size && one.largest == all.largest;
    reference_free(&one);
    reference_free(&all);
    in.at.problem->destroy(&in);
    return good;
}

static void test_at_a_time(void)
{
    static const struct {
        const char *problem, *d, *points;
    } rows[] = {{"heat1d", "4097", "50"}, {"heat1d", "5001", "40"}, {"heat1d", "9999", "400"},
                {"heat1d", "300", "50"},  {"heat2d", "4356", "5"},  {"heat2d", "4900", "50"},
                {"control", "100", "50"}, {"heat1d", "70000", "3"}};
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        bool good = true;
        if (is_sanitized() && atol(rows[c].d) * atol(rows[c].points) > 1000000) /* slow */
            continue;
        for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++)
            for (int k = 0; k < 4; k++) {
                const struct setting settings[] = {
                    {"d", rows[c].d}, {"N", rows[c].points}, {"method", methods[m]},
                    {"skew", "0.3"},  {"y0", "random"},      {"storage", "sparse"},
                    {NULL, NULL}};
                good = good &&
                       (is_left_out() || same_at_a_time(rows[c].problem, settings,
                                                        k % 2 == 0 ? PICARD : JACOBI, k / 2 == 1));
            }
        check(good, "%s d=%s N=%s: sweeps at a time are those one after the other", rows[c].problem,
              rows[c].d, rows[c].points);
    }
}

/* Another start is another answer, as long and as good; the same again is the same. */
static void test_vary(void)
{
    for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
        const struct setting settings[] = {{"d", "33"}, {"storage", storage_of(v)}, {NULL, NULL}};
        struct solve s;
        struct judgement j;
        if (!is_tested(v))
            continue;
        bool good = solved(&s, v, "heat1d", settings) == OK && accepted(&s, &j) == OK;
        unsigned char *const first = malloc(s.bytes);
        assert(first != NULL);
        memcpy(first, s.out.values, s.bytes);
        const double count = metric_of(&j, "iterations");
        good = good && go(&s, 5) == OK && accepted(&s, &j) == OK &&
               metric_of(&j, "iterations") == count && memcmp(first, s.out.values, s.bytes) != 0;
        good = good && go(&s, 0) == OK && memcmp(first, s.out.values, s.bytes) == 0;
        check(good, "%s %s d=33: fresh data, and the published ones again", v->id, precision_of(v));
        free(first);
        release(&s);
    }
}

/* The same bits in both orders of threads. */
static void test_orders(void)
{
    static const char *const problems[] = {"heat1d", "heat2d", "control"};
    for (int p = 0; p < 3; p++)
        for (int sparse = 0; sparse < 2; sparse++)
            for (const struct variant *v = waveform_variants; v->id != NULL; v++) {
                const struct setting settings[] = {
                    {"d", "49"},       {"skew", "0.3"}, {"y0", "random"},
                    {"expect", "any"}, {"nmax", "9"},   {"storage", sparse ? "sparse" : "dense"},
                    {NULL, NULL}};
                struct solve a, b;
                if (!is_emulated(v) || v->code == DIRECT ||
                    !takes(v, problem_of(problems[p]), settings, NULL))
                    continue;
                const bool turned = device_thread_order("descending") == OK;
                const enum status first = solved(&a, v, problems[p], settings);
                (void)device_thread_order("ascending");
                const enum status second = solved(&b, v, problems[p], settings);
                check(turned && first == OK && second == OK &&
                          memcmp(a.out.values, b.out.values, a.bytes) == 0,
                      "%s %s %s d=49 %s: descending threads give the same bits", v->id,
                      precision_of(v), problems[p], sparse ? "sparse" : "dense");
                release(&a);
                release(&b);
            }
}

/* --- direct stepping: the limit of the iteration, each point from the one before --- */

static void test_direct(void)
{
    static const char *const sizes[] = {"1", "2", "3", "4", "33", "1000"};
    for (const struct variant *v = waveform_variants; v->id != NULL; v++)
        for (int c = 0; c < (int)(sizeof sizes / sizeof *sizes); c++) {
            const struct setting settings[] = {
                {"d", sizes[c]},  {"N", c % 2 == 0 ? "2" : "50"}, {"T", c % 3 == 0 ? "50" : "1"},
                {"y0", "random"}, {"storage", "sparse"},          {NULL, NULL}};
            struct solve s;
            struct judgement j;
            if (v->code != DIRECT || !takes(v, problem_of("heat1d"), settings, NULL))
                continue;
            bool good = solved(&s, v, "heat1d", settings) == OK && accepted(&s, &j) == OK;
            const struct waveform *const p = s.in.data;
            const double most = v->precision == DOUBLE ? 1e-10 : 0.1;
            for (size_t at = 0; at < p->d * p->points && good; at += 1 + p->d * p->points / 7) {
                const double y = value(&s.out, at);
                good = refuses(&s, at, y * (1 + most) + 1e-3 * most) && refuses(&s, at, NAN);
            }
            const size_t trailer = p->d * p->points;
            good = good && refuses(&s, trailer, JACOBI) && refuses(&s, trailer + 1, 2) &&
                   refuses(&s, trailer + 2, STAGNATED) && refuses(&s, trailer + 3, 0);
            check(good && accepted(&s, &j) == OK && go(&s, 3) == OK && accepted(&s, &j) == OK,
                  "%s %s d=%s: is good, and another answer is refused", v->id, precision_of(v),
                  sizes[c]);
            release(&s);
        }
}

/* An iterate that says it were the limit is none. */
static void test_not_direct(void)
{
    const struct setting settings[] = {{"d", "33"}, {"storage", "sparse"}, {NULL, NULL}};
    struct solve s;
    const struct variant *const v = variant_of("wr-jacobi-cpu", DOUBLE);
    const bool good = solved(&s, v, "heat1d", settings) == OK;
    const size_t trailer = (size_t)33 * 50;
    set_value(&s.out, trailer, DIRECT);
    set_value(&s.out, trailer + 1, 1);
    check(good && refuses(&s, trailer + 3, NAN), "an iterate is not taken for direct stepping");
    release(&s);
}

/* --- what the judge keeps, and its threads --- */

static void test_judge(void)
{
    static const struct setting many[] = {{"d", "5000"},
                                          {"storage", "sparse"},
                                          {"N", "70"},
                                          {NULL, NULL}},
                                few[] = {{"d", "150"}, {"method", "bdf2"}, {NULL, NULL}};
    static const struct {
        const char *problem;
        const struct setting *settings;
    } cases[] = {{"heat1d", many}, {"heat1d", few}, {"control", many}, {"control", few}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int precision = SINGLE; precision <= DOUBLE; precision++) {
            const struct variant *const v =
                variant_in(waveform_variants, "wr-jacobi-cpu", (enum precision)precision);
            const struct problem *const problem = problem_of(cases[c].problem);
            const char *const d = cases[c].settings[0].value;
            check(tells_seeds_apart(v, problem, cases[c].settings),
                  "%s d=%s %s: the judge tells data of two seeds apart", cases[c].problem, d,
                  precision_of(v));
            check(judged_alike_by_threads(v, problem, cases[c].settings),
                  "%s d=%s %s: 1, 2 and 3 threads judge alike", cases[c].problem, d,
                  precision_of(v));
        }
}

int main(void)
{
    struct device_facts facts;
    have_device = device_open(&facts) == OK;
    if (!have_device)
        skip("variants with kernels", reason());
    test_counts();
    test_edges();
    test_shapes();
    test_windows();
    test_stops();
    test_unsure();
    test_bits();
    test_growing();
    test_not_growing();
    if (!is_for_gpus()) {
        test_dense();
        test_one_rank();
        test_corrections();
        test_little_shared();
        test_little_shared_plane();
    }
    test_user();
    test_methods();
    test_oracles();
    test_closed_forms();
    test_radii();
    test_outcomes();
    test_work();
    test_work_of_ranks();
    test_traffic();
    test_starts();
    test_refused();
    test_slow_inner();
    test_bound();
    test_at_a_time();
    test_corrupted();
    test_cheats();
    test_range();
    test_overflow();
    test_words();
    test_end();
    test_vary();
    test_orders();
    test_direct();
    test_not_direct();
    test_judge();
    return done();
}
