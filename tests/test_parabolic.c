/*
 * The family parabolic: every variant against the reference bit for bit, errors and orders of
 * convergence against the digits of the analysis, what is unstable and what the judge must refuse,
 * on the whole grid and on patches, and that nothing changes from run to run.
 */
#include "parabolic/parabolic.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/device.h"
#include "solving.h"
#include "tap.h"

enum { MODELS = 4, SCHEMES = 5, MOST_SETTINGS = 12 };

static const char *const schemes[] = {"ei-rb", "hopscotch", "literal", "jacobi",
                                      "leapfrog-hopscotch"};

static const struct variant *variant_of(const char *id, enum precision precision)
{
    return variant_in(parabolic_variants, id, precision);
}

/* Jacobi needs a second array. */
static bool has_scheme(const struct variant *v, int scheme)
{
    return scheme != JACOBI || strcmp(v->id, "CPU") == 0 || strcmp(v->id, "GPU") == 0 ||
           strcmp(v->id, "GPU-sweep") == 0;
}

/* Multiply-adds: other bits, within a bound. */
static bool is_fused(const struct variant *v)
{
    return strcmp(v->id, "GPU-limit-fma") == 0;
}

static enum status create(struct instance *in, int model, const struct setting *settings)
{
    return create_problem(in, &parabolic_problems[model - 1], settings, NULL);
}

static enum status prepare(struct solve *s, const struct variant *v, int model,
                           const struct setting *settings)
{
    return prepare_problem(s, v, &parabolic_problems[model - 1], settings, NULL);
}

static enum status solved(struct solve *s, const struct variant *v, int model,
                          const struct setting *settings)
{
    const enum status status = prepare(s, v, model, settings);
    return status == OK ? go(s, 0) : status;
}

/* A metric of a good answer; else NaN. */
static double metric(const struct solve *s, const char *name)
{
    struct judgement judgement;
    const bool good = judged(s, &judgement) == OK && judgement.error <= tolerance_of(s);
    return !good                        ? (double)NAN
           : strcmp(name, "steps") == 0 ? judgement.steps
                                        : metric_of(&judgement, name);
}

/* The next number that the precision has. */
static double next(const struct solution *out, double x)
{
    return out->precision == DOUBLE ? nextafter(x, 10) : (double)nextafterf((float)x, 10);
}

static bool same_digits(double got, double printed, int digits)
{
    const double unit = pow(10, floor(log10(fabs(printed))) + 1 - digits);
    return fabs(got - printed) <= 0.5 * unit * (1 + 1e-9);
}

/* --- bit for bit --- */

/* All variants of the precision that run here, by the judge and, but for the fused ones, against
 * what CPU gave. */
static bool all_agree(enum precision precision, int model, int scheme,
                      const struct setting *settings, uint64_t seed)
{
    struct solve plain;
    bool all = prepare(&plain, variant_of("CPU", precision), model, settings) == OK &&
               go(&plain, seed) == OK && is_good(&plain);
    for (const struct variant *v = parabolic_variants; v->id != NULL; v++) {
        struct solve s;
        if (v->precision != precision || !runs_here(v) || !has_scheme(v, scheme))
            continue;
        enum status status = prepare(&s, v, model, settings);
        if (status == OK)
            status = go(&s, seed);
        const bool same =
            s.bytes == plain.bytes && memcmp(s.out.values, plain.out.values, s.bytes) == 0;
        const bool good = (status == OK && is_good(&s) && (same || is_fused(v))) ||
                          (status == SKIPPED && is_fused(v));
        if (!good) {
            fprintf(stderr, "# %s %s", v->id, precision_of(v));
            for (int i = 0; settings[i].name != NULL; i++)
                fprintf(stderr, " %s=%s", settings[i].name, settings[i].value);
            fprintf(stderr, ": %s\n", status == OK ? "other bits" : reason());
        }
        all = all && good;
        release(&s);
    }
    release(&plain);
    return all;
}

static void test_bits(void)
{
    static const char *const sizes[] = {"1",   "2",   "3",   "31",  "32",  "33",  "127",
                                        "128", "129", "254", "255", "256", "257", "300"};
    static const char *const rows[] = {"1", "16", "17"};
    for (int c = 0; c < (int)(sizeof sizes / sizeof *sizes); c++)
        for (int model = 1; model <= MODELS; model++)
            for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
                bool all = true;
                for (int scheme = 0; scheme < SCHEMES; scheme++) {
                    /* One scheme in turn, also where sanitizers make all slow. */
                    const bool one = atoi(sizes[c]) > 200 || is_sanitized();
                    if (one && scheme != (c + model + (int)precision) % SCHEMES)
                        continue;
                    const bool leaps = scheme == LEAPFROG_HOPSCOTCH;
                    const struct setting settings[] = {
                        {"N", sizes[c]},
                        {"rows", rows[(c + model + scheme) % 3]},
                        {"scheme", schemes[scheme]},
                        {"steps", leaps || scheme == LITERAL ? "3" : "4"},
                        {"snapshot", leaps ? "0" : "0.5"},
                        {"lambda", leaps || scheme == HOPSCOTCH ? "0.7" : "0.2"},
                        {model == 3   ? "a"
                         : model == 4 ? "ic"
                                      : "lambda",
                         model == 3          ? "2.5"
                         : model == 4        ? (scheme == EI_RB ? "printed" : "exact")
                         : scheme == LITERAL ? "0.4"
                                             : "0.23"},
                        {NULL, NULL}};
                    all = all_agree(precision, model, scheme, settings, (uint64_t)(c % 3)) && all;
                }
                check(all, "model%d n=%s %s: all variants have the reference's bits", model,
                      sizes[c], precision == DOUBLE ? "double" : "single");
            }
}

/* Several bands, strips and passes of CPU-omp and GPU-TB, with whatever is left of a pass, and its
 * snapshots. At 250 a strip and chunks of GPU-TB see nothing of the boundary; at 448 the last
 * column is the first one of a block of its own. */
static void test_passes(const char *id)
{
    static const char *const steps[] = {"1",  "2",  "7",  "8",  "9",  "15",
                                        "16", "17", "40", "12", "13", "24"};
    for (size_t c = 0; c < sizeof steps / sizeof *steps; c++) {
        const char *const n = c == 0 ? "448" : c % 2 == 0 ? "250" : "149";
        bool all = true;
        for (int scheme = 0; scheme < SCHEMES; scheme++) {
            const bool whole = scheme == LEAPFROG_HOPSCOTCH || c == 0;
            const struct setting settings[] = {{"N", n},
                                               {"steps", steps[c]},
                                               {"scheme", schemes[scheme]},
                                               {"snapshot", whole ? "0" : "0.33"},
                                               {"lambda", "0.2"},
                                               {NULL, NULL}};
            const int model = 1 + (int)c % MODELS;
            struct solve s;
            if (scheme == JACOBI || (!whole && c < 2))
                continue;
            const enum status status =
                solved(&s, variant_of(id, c % 2 == 0 ? DOUBLE : SINGLE), model, settings);
            all = status == OK && is_good(&s) && all;
            release(&s);
        }
        check(all, "%s n=%s steps=%s: the reference's bits", id, n, steps[c]);
    }
}

/* --- GPU-limit's tiles --- */

struct limit_case {
    const char *n, *steps, *snapshot;
};

static const char *const tiled[] = {"GPU-limit", "GPU-limit-fma", "GPU-limit-ranks"};

/* By the first so many variants of a precision; with the k-th model and scheme; ranks by one. */
static int limit_wrong(int variants, enum precision precision, const struct limit_case *of, int k)
{
    int wrong = 0;
    const int turn = (k / MODELS + k) % SCHEMES, scheme = turn == JACOBI ? EI_RB : turn;
    const bool whole = scheme == LEAPFROG_HOPSCOTCH;
    const struct setting settings[] = {{"N", of->n},
                                       {"steps", of->steps},
                                       {"snapshot", whole ? "0" : of->snapshot},
                                       {"scheme", schemes[scheme]},
                                       {"lambda", "0.24"},
                                       {NULL, NULL}};
    for (int v = 0; v < variants; v++) {
        struct solve s;
        const enum status status =
            solved(&s, variant_of(tiled[v], precision), 1 + k % MODELS, settings);
        const bool good = status == OK && is_good(&s);
        if (!good)
            fprintf(stderr, "# %s model%d %s N=%s steps=%s: %s\n", tiled[v], 1 + k % MODELS,
                    schemes[scheme], of->n, of->steps, status == OK ? "wrong" : reason());
        wrong += !good;
        release(&s);
    }
    return wrong;
}

static int limits_wrong(int variants, enum precision precision, const struct limit_case *cases,
                        int count)
{
    int wrong = 0;
    for (int c = 0; c < count; c++)
        if (!is_sanitized() || c % 2 == (int)precision)
            wrong += limit_wrong(variants, precision, &cases[c], c);
    return wrong;
}

/* One below, at and above what one tile or two have room for, in either direction and of every
 * shape; exchanges and passes of all lengths. GPU-limit-ranks passes where others stay, which takes
 * longest with large tiles. */
static void test_limit_shapes(void)
{
    static const struct limit_case cases[] = {
        {"1", "17", "0.5"},  {"2", "9", "0"},     {"5", "8", "0.3"},    {"38", "7", "0"},
        {"39", "6", "0"},    {"41", "13", "0.5"}, {"42", "12", "0"},    {"43", "5", "0"},
        {"46", "4", "0.3"},  {"47", "9", "0"},    {"69", "3", "0"},     {"70", "10", "0"},
        {"71", "8", "0"},    {"79", "7", "0.9"},  {"86", "9", "0"},     {"87", "5", "0"},
        {"93", "11", "0"},   {"94", "8", "0"},    {"95", "9", "0.1"},   {"110", "6", "0"},
        {"111", "7", "0"},   {"113", "14", "0"},  {"114", "2", "0"},    {"115", "1", "0"},
        {"141", "5", "0"},   {"143", "7", "0.4"}, {"149", "8", "0"},    {"155", "4", "0"},
        {"222", "3", "0.5"}, {"223", "8", "0"},   {"238", "5", "0"},    {"239", "9", "0"},
        {"290", "9", "0"},   {"301", "13", "0"},  {"512", "11", "0.3"},
    };
    static const struct {
        const char *blocks, *shared, *order;
        int variants;
    } devices[] = {{"1", "227", "ascending", 2},
                   {"3", "64", "descending", 3},
                   {"4", "227", "descending", 2},
                   {"12", "99", "ascending", 2}};
    const int count = sizeof cases / sizeof *cases;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        setenv("REPRISE_EMULATED_BLOCKS", devices[d].blocks, 1);
        setenv("REPRISE_EMULATED_SHARED", devices[d].shared, 1);
        (void)device_thread_order(devices[d].order);
        for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
            const int wrong = limits_wrong(devices[d].variants, precision, cases, count);
            check(wrong == 0, "GPU-limit %s, %s blocks, %s KiB, %s: %d wrong",
                  precision == DOUBLE ? "double" : "single", devices[d].blocks, devices[d].shared,
                  devices[d].order, wrong);
        }
    }
    unsetenv("REPRISE_EMULATED_BLOCKS");
    unsetenv("REPRISE_EMULATED_SHARED");
    (void)device_thread_order("ascending");
}

/* Tiles of a pass, the last of which are narrower than the halo of those before: 2 of 802 points in
 * double, of tiles of 40 in both directions, 2 of 2210 in single, of 96; and of flow, whose first
 * ones have ten columns more, 2 of 936, of 44. */
static void test_narrow_tiles(void)
{
    static const struct {
        const char *shared;
        enum precision precision;
        struct limit_case narrow;
    } cases[] = {{"227", DOUBLE, {"934", "6", "0"}},
                 {"64", DOUBLE, {"800", "6", "0"}},
                 {"227", SINGLE, {"2208", "3", "0"}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        setenv("REPRISE_EMULATED_SHARED", cases[c].shared, 1);
        check(limit_wrong(2, cases[c].precision, &cases[c].narrow, 0) == 0,
              "GPU-limit N=%s, %s KiB: the boundary in a halo", cases[c].narrow.n, cases[c].shared);
    }
    unsetenv("REPRISE_EMULATED_SHARED");
}

/* Tiles that end at the boundary: as few points as there may be or one pair less, and as many as
 * have room, or one more. And tiles that hold the boundary, where an odd N, or one that is too
 * large for those, has it so: as many as have room, and the last ones narrower than a halo. */
static void test_rims(void)
{
    static const struct {
        const char *blocks;
        enum precision precision;
        struct limit_case grid;
    } cases[] = {{"12", SINGLE, {"514", "11", "0"}},  {"12", SINGLE, {"516", "12", "0"}},
                 {"12", SINGLE, {"528", "6", "0.3"}}, {"12", SINGLE, {"612", "11", "0"}},
                 {"12", SINGLE, {"614", "10", "0"}},  {"15", SINGLE, {"728", "9", "0.5"}},
                 {"15", SINGLE, {"730", "11", "0"}},  {"12", SINGLE, {"527", "9", "0.4"}},
                 {"12", DOUBLE, {"285", "9", "0.3"}}, {"12", DOUBLE, {"286", "10", "0"}},
                 {"12", DOUBLE, {"287", "12", "0"}},  {"12", DOUBLE, {"461", "7", "0"}},
                 {"12", DOUBLE, {"462", "8", "0.5"}}, {"12", DOUBLE, {"464", "6", "0"}},
                 {"12", DOUBLE, {"351", "7", "0"}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        setenv("REPRISE_EMULATED_BLOCKS", cases[c].blocks, 1);
        (void)device_thread_order(c % 2 == 0 ? "ascending" : "descending");
        int wrong = 0;
        for (int k = is_sanitized() ? (int)c % 4 : 0; k < MODELS; k += is_sanitized() ? 4 : 1)
            wrong += limit_wrong(2, cases[c].precision, &cases[c].grid, k);
        check(wrong == 0, "GPU-limit N=%s, %s blocks: %d wrong", cases[c].grid.n, cases[c].blocks,
              wrong);
    }
    unsetenv("REPRISE_EMULATED_BLOCKS");
    (void)device_thread_order("ascending");
}

/* What a patch is given is what the whole has there. */
static void test_patches(void)
{
    enum { N = 61 };
    static const struct patch patches[] = {{1, 1, 5, 7},    {N, N, 1, 1},     {1, 40, 3, 3},
                                           {30, 31, 9, 2},  {N - 4, 1, 5, 5}, {20, N - 2, 4, 3},
                                           {2, 2, N - 2, 1}};
    const struct patch whole = {1, 1, N, N};
    static double all[2 * N * N], part[2 * N * N];
    static float all_s[2 * N * N], part_s[2 * N * N];
    for (int scheme = 0; scheme < SCHEMES; scheme++)
        for (int model = 1; model <= MODELS; model++) {
            const bool leaps = scheme == LEAPFROG_HOPSCOTCH;
            const struct setting settings[] = {{"N", "61"},
                                               {"steps", "5"},
                                               {"scheme", schemes[scheme]},
                                               {"snapshot", leaps ? "0" : "0.4"},
                                               {NULL, NULL}};
            struct instance in;
            bool good = create(&in, model, settings) == OK &&
                        parabolic_reference_d(in.data, &whole, all) == OK &&
                        parabolic_reference_s(in.data, &whole, all_s) == OK;
            for (size_t c = 0; c < sizeof patches / sizeof *patches && good; c++) {
                const struct patch *p = &patches[c];
                good = parabolic_reference_d(in.data, p, part) == OK &&
                       parabolic_reference_s(in.data, p, part_s) == OK;
                for (size_t k = 0; k < in.count / (N * N) * p->width * p->height && good; k++) {
                    const size_t field = k / (p->width * p->height);
                    const size_t j = p->j0 - 1 + k / p->width % p->height;
                    const size_t at = (field * N + j) * N + p->i0 - 1 + k % p->width;
                    good = part[k] == all[at] && part_s[k] == all_s[at];
                }
            }
            check(good, "model%d %s: the reference of a patch is that of the whole", model,
                  schemes[scheme]);
            in.at.problem->destroy(&in);
        }
}

/* --- digits of the analysis --- */

/* What a CPU that plays the device would need long for; and where the bits are known, one variant
 * will do. */
static bool is_too_much(const struct variant *v, int scheme, int n)
{
    const bool emulated = uses_device(v) && strcmp(device_kind(), "emulated") == 0;
    const bool same = v->place == HOST_PARALLEL && scheme != EI_RB;
    return n > (emulated || same ? 31 : 127);
}

static void test_error(const struct variant *v, int model, int scheme, int n, double printed)
{
    char size[16];
    snprintf(size, sizeof size, "%d", n);
    const struct setting settings[] = {
        {"N", size}, {"scheme", schemes[scheme]}, {"lambda", "0.2"}, {"T", "0.1"}, {NULL, NULL}};
    struct solve s;
    if (!runs_here(v) || !has_scheme(v, scheme) || is_too_much(v, scheme, n))
        return;
    const double error =
        solved(&s, v, model, settings) == OK ? metric(&s, "error_linf") : (double)NAN;
    check(same_digits(error, printed, 4), "%s model%d %s h=1/%d: error %.3e is %.3e", v->id, model,
          schemes[scheme], n + 1, error, printed);
    release(&s);
}

static void test_orders(void)
{
    static const struct {
        int model, scheme;
        double error[3]; /* h = 1/32, 1/64, 1/128 */
    } rows[] = {
        {1, JACOBI, {3.086e-04, 7.710e-05}},
        {1, LITERAL, {1.016e-01, 1.016e-01}},
        {1, EI_RB, {2.201e-04, 5.505e-05, 1.376e-05}},
        {1, HOPSCOTCH, {2.017e-04, 5.060e-05}},
        {1, LEAPFROG_HOPSCOTCH, {1.149e-04, 2.865e-05}},
        {2, JACOBI, {4.364e-05, 1.091e-05}},
        {2, LITERAL, {7.341e-02, 7.341e-02}},
        {2, EI_RB, {2.730e-05, 6.822e-06, 1.705e-06}},
        {2, HOPSCOTCH, {4.031e-05, 1.009e-05}},
        {2, LEAPFROG_HOPSCOTCH, {3.052e-05, 7.637e-06}},
        {3, JACOBI, {9.152e-06, 2.289e-06}},
        {3, LITERAL, {1.628e-02, 1.628e-02}},
        {3, EI_RB, {2.106e-06, 5.219e-07}},
        {3, HOPSCOTCH, {6.907e-06, 1.728e-06}},
        {3, LEAPFROG_HOPSCOTCH, {1.671e-07, 4.167e-08}},
        {4, JACOBI, {4.920e-07, 1.231e-07}},
        {4, LITERAL, {3.692e-02, 3.697e-02}},
        {4, EI_RB, {3.406e-09, 2.144e-10}},
        {4, HOPSCOTCH, {3.927e-07, 9.840e-08}},
        {4, LEAPFROG_HOPSCOTCH, {9.821e-08, 2.460e-08}},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++)
        for (int k = 0; k < 3 && rows[c].error[k] > 0; k++)
            for (const struct variant *v = parabolic_variants; v->id != NULL; v++)
                if (v->precision == DOUBLE)
                    test_error(v, rows[c].model, rows[c].scheme, (32 << k) - 1, rows[c].error[k]);
}

/* Other digits of the analysis: a metric of a run in double precision. */
static void test_digits(void)
{
    static const struct {
        int model;
        struct setting settings[6];
        const char *metric;
        double printed;
        int digits;
    } cells[] = {
        {1,
         {{"N", "127"},
          {"scheme", "literal"},
          {"lambda", "0.1"},
          {"steps", "400"},
          {"snapshot", "0.5"}},
         "diffusivity",
         1.249949,
         7},
        {1,
         {{"N", "127"},
          {"scheme", "literal"},
          {"lambda", "0.25"},
          {"steps", "400"},
          {"snapshot", "0.5"}},
         "diffusivity",
         2.000201,
         7},
        {1,
         {{"N", "127"},
          {"scheme", "ei-rb"},
          {"lambda", "0.25"},
          {"steps", "400"},
          {"snapshot", "0.5"}},
         "diffusivity",
         0.999950,
         6},
        {1,
         {{"N", "127"},
          {"scheme", "hopscotch"},
          {"lambda", "0.4"},
          {"steps", "400"},
          {"snapshot", "0.5"}},
         "diffusivity",
         1.000336,
         7},
        {1, {{"N", "31"}, {"scheme", "jacobi"}, {"lambda", "0.25"}, {"T", "1"}}, "steps", 4096, 4},
        {4, {{"N", "63"}, {"ic", "printed"}, {"lambda", "0.25"}}, "error_linf", 0.1506, 4},
        {4, {{"N", "63"}, {"ic", "exact"}, {"lambda", "0.25"}}, "error_linf", 2.7e-10, 2},
        {1, {{"N", "31"}, {"lambda", "0.2"}, {"T", "1"}}, "error_linf", 4.285e-11, 4},
        {2, {{"N", "31"}, {"lambda", "0.2"}, {"T", "1"}}, "error_linf", 1.280e-05, 4},
        {3, {{"N", "31"}, {"lambda", "0.2"}, {"T", "1"}}, "error_linf", 1.654e-07, 4},
        {4, {{"N", "31"}, {"lambda", "0.2"}, {"T", "1"}}, "error_linf", 2.862e-08, 4},
        {3, {{"N", "63"}, {"lambda", "0.2"}, {"a", "3.14159265358979"}}, "error_linf", 5.0e-5, 2},
        {3, {{"N", "63"}, {"lambda", "0.2"}, {"a", "0.5"}}, "error_linf", 1.0e-8, 2},
    };
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
        for (const struct variant *v = parabolic_variants; v->id != NULL; v++) {
            const bool spared = uses_device(v) && strcmp(device_kind(), "emulated") == 0;
            struct solve s;
            if (v->precision != DOUBLE || !runs_here(v) || spared)
                continue;
            const enum status status = solved(&s, v, cells[c].model, cells[c].settings);
            if (status != SKIPPED) {
                const double got = status == OK ? metric(&s, cells[c].metric) : (double)NAN;
                check(same_digits(got, cells[c].printed, cells[c].digits),
                      "%s model%d n=%s %s=%s: %s %.7g is %.7g", v->id, cells[c].model,
                      cells[c].settings[0].value, cells[c].settings[1].name,
                      cells[c].settings[1].value, cells[c].metric, got, cells[c].printed);
            }
            release(&s);
        }
}

/* --- stability --- */

static void test_limits(void)
{
    static const struct {
        int model;
        const char *scheme, *n, *a;
        double limit; /* of dt/h^2, or of dt/h with hopscotch; those of model 3 are safe ones */
    } limits[] = {
        {1, "jacobi", "15", NULL, 0.25243},    {2, "jacobi", "15", NULL, 0.25236},
        {3, "jacobi", "15", "1", 0.25230},     {4, "jacobi", "15", NULL, 0.25261},
        {1, "ei-rb", "15", NULL, 0.5},         {2, "ei-rb", "15", NULL, 0.49951},
        {3, "ei-rb", "15", "1", 0.49939},      {4, "ei-rb", "15", NULL, 0.50049},
        {1, "literal", "15", NULL, 0.5},       {2, "literal", "23", NULL, 0.49978},
        {3, "literal", "15", "3", 0.49058},    {4, "literal", "23", NULL, 0.50022},
        {3, "hopscotch", "15", "3", 0.707107}, {3, "leapfrog-hopscotch", "15", "3", 1.41421},
        {3, "hopscotch", "15", "1", 0.840326}, {1, "jacobi", "1", NULL, 0.5},
    };
    for (size_t c = 0; c < sizeof limits / sizeof *limits; c++) {
        const double m = atof(limits[c].n) + 1;
        const bool by_nu = strstr(limits[c].scheme, "hopscotch") != NULL;
        bool good = true;
        for (int beyond = 0; beyond < 3; beyond++) {
            char dt[32];
            const double off = beyond == 0 ? -1e-5 : 1e-5;
            snprintf(dt, sizeof dt, "%.17g", limits[c].limit * (1 + 2 * off) / (by_nu ? m : m * m));
            const bool is_model3 = limits[c].a != NULL;
            const struct setting settings[] = {{"N", limits[c].n},
                                               {"scheme", limits[c].scheme},
                                               {"dt", dt},
                                               {"steps", "3"},
                                               {"force", beyond == 2 ? "1" : "0"},
                                               {is_model3 ? "a" : NULL, limits[c].a},
                                               {NULL, NULL}};
            struct instance in;
            const enum status status = create(&in, limits[c].model, settings);
            good =
                good && (beyond == 1 ? status == ERR_ARGS && strstr(reason(), "force=1") != NULL &&
                                           strstr(reason(), limits[c].scheme) != NULL
                                     : status == OK);
            in.at.problem->destroy(&in);
        }
        check(good, "model%d %s n=%s is refused from %s = %g on", limits[c].model, limits[c].scheme,
              limits[c].n, by_nu ? "dt/h" : "dt/h^2", limits[c].limit);
    }
}

/* At the limit nothing grows; well beyond it, forced, everything does. */
static void test_growth(void)
{
    static const struct {
        int model;
        struct setting settings[8];
        enum status status;
    } cases[] = {
        {1, {{"N", "15"}, {"scheme", "jacobi"}, {"lambda", "0.2524"}, {"steps", "3000"}}, OK},
        {1, {{"N", "15"}, {"scheme", "literal"}, {"lambda", "0.5"}, {"steps", "3000"}}, OK},
        {2, {{"N", "15"}, {"scheme", "ei-rb"}, {"lambda", "0.4995"}, {"steps", "3000"}}, OK},
        {3,
         {{"N", "15"},
          {"scheme", "literal"},
          {"lambda", "0.4905"},
          {"steps", "3000"},
          {"a", "3.14"}},
         OK},
        {3,
         {{"N", "15"}, {"scheme", "hopscotch"}, {"dt", "0.0441"}, {"steps", "3000"}, {"a", "3.14"}},
         OK},
        {3,
         {{"N", "15"},
          {"scheme", "leapfrog-hopscotch"},
          {"dt", "0.088"},
          {"steps", "3000"},
          {"a", "3.14"}},
         OK},
        {2, {{"N", "15"}, {"scheme", "hopscotch"}, {"lambda", "50"}, {"steps", "3000"}}, OK},
        {1,
         {{"N", "15"}, {"scheme", "jacobi"}, {"lambda", "0.3"}, {"steps", "3000"}, {"force", "1"}},
         ERR_DIVERGED},
        {2,
         {{"N", "15"}, {"scheme", "ei-rb"}, {"lambda", "0.8"}, {"steps", "3000"}, {"force", "1"}},
         ERR_DIVERGED},
        {4,
         {{"N", "15"}, {"scheme", "literal"}, {"lambda", "0.8"}, {"steps", "3000"}, {"force", "1"}},
         ERR_DIVERGED},
        {1, /* and by far not out of range */
         {{"N", "15"}, {"scheme", "jacobi"}, {"lambda", "0.3"}, {"steps", "300"}, {"force", "1"}},
         ERR_DIVERGED},
        {4,
         {{"N", "70"},
          {"scheme", "ei-rb"},
          {"lambda", "0.8"},
          {"steps", "2000"},
          {"force", "1"},
          {"reference", "patches"}},
         ERR_DIVERGED},
        {3,
         {{"N", "3"},
          {"scheme", "hopscotch"},
          {"dt", "2"},
          {"steps", "40000"},
          {"a", "3.14"},
          {"force", "1"}},
         ERR_DIVERGED},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (const struct variant *v = parabolic_variants; v->id != NULL; v++) {
            struct solve s;
            struct judgement judgement;
            if (uses_device(v)) /* it has the same bits */
                continue;
            enum status status = solved(&s, v, cases[c].model, cases[c].settings);
            if (status == OK)
                status = judged(&s, &judgement);
            if (status != SKIPPED)
                check(status == cases[c].status &&
                          (status == OK ? is_good(&s) : strstr(reason(), "unstable") != NULL),
                      "%s %s model%d %s %s=%s steps=%s %s", v->id, precision_of(v), cases[c].model,
                      cases[c].settings[1].value, cases[c].settings[2].name,
                      cases[c].settings[2].value, cases[c].settings[3].value,
                      cases[c].status == OK ? "stays" : "diverges");
            release(&s);
        }
}

/* What a stable scheme takes out of the range, on the way at the latest, overflows. */
static void test_overflow(void)
{
    static const struct {
        enum precision precision;
        const char *value, *scheme;
        enum status status;
    } rows[] = {
        {SINGLE, "3e38", "ei-rb", ERR_DIVERGED},
        {SINGLE, "3e38", "hopscotch", ERR_DIVERGED},
        {SINGLE, "3e37", "ei-rb", OK},
        {DOUBLE, "3e38", "ei-rb", OK},
        {DOUBLE, "1.5e308", "ei-rb", ERR_DIVERGED},
        {DOUBLE, "1.5e307", "ei-rb", OK},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        char path[] = "/tmp/parabolic-XXXXXX";
        const int made = mkstemp(path);
        FILE *const file = made < 0 ? NULL : fdopen(made, "w");
        assert(file != NULL);
        for (int k = 0; k < 9; k++)
            fprintf(file, "%s\n", rows[c].value);
        fclose(file);
        const struct setting settings[] = {
            {"<u0", path}, {"N", "3"}, {"steps", "2"}, {"scheme", rows[c].scheme}, {NULL, NULL}};
        for (const struct variant *v = parabolic_variants; v->id != NULL; v++) {
            struct solve s;
            struct judgement judgement;
            if (!runs_here(v) || v->precision != rows[c].precision)
                continue;
            enum status status = solved(&s, v, 1, settings);
            if (status == OK)
                status = judged(&s, &judgement);
            check(status == rows[c].status &&
                      (status == OK ? is_good(&s) : strstr(reason(), "overflow") != NULL),
                  "%s %s %s u0 = %s: %s", v->id, precision_of(v), rows[c].scheme, rows[c].value,
                  status == OK ? "good" : reason());
            release(&s);
        }
        (void)unlink(path);
    }
}

/* --- what the judge must refuse --- */

/* The value at (i,j) of a field becomes x; the answer must be refused, and be good again after. */
static bool refuses(const struct solve *s, size_t field, size_t i, size_t j, double x,
                    const char *says)
{
    const size_t n = (size_t)get_long(&s->in.at, "N"), at = (field * n + j - 1) * n + i - 1;
    const double before = value(&s->out, at);
    struct judgement judgement;
    set_value(&s->out, at, x);
    const enum status status = judged(s, &judgement);
    const bool good = status == OK
                          ? judgement.error > 0 && says == NULL
                          : status == WRONG && (says == NULL || strstr(reason(), says) != NULL);
    set_value(&s->out, at, before);
    if (!good)
        fprintf(stderr, "# accepted at field %zu, i = %zu, j = %zu: %s\n", field, i, j, reason());
    return good;
}

static void test_corrupted(void)
{
    static const char *const references[] = {"whole", "patches"};
    enum { N = 96 }; /* which the patches at the corners cover */
    static const size_t points[][2] = {{1, 1},  {N, 1},  {1, N},   {N, N},  {48, 48},
                                       {1, 49}, {49, N}, {50, 49}, {N, 60}, {20, 70}};
    for (int r = 0; r < 2; r++)
        for (int model = 1; model <= MODELS; model++)
            for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
                const struct setting settings[] = {{"N", "96"},
                                                   {"steps", "6"},
                                                   {"snapshot", "0.5"},
                                                   {"reference", references[r]},
                                                   {NULL, NULL}};
                struct solve s;
                const struct variant *v = variant_of("CPU", precision);
                bool ulp = solved(&s, v, model, settings) == OK && is_good(&s), broken = ulp;
                for (size_t c = 0; c < sizeof points / sizeof *points && ulp && broken; c++)
                    for (size_t field = 0; field < 2; field++) {
                        const size_t i = points[c][0], j = points[c][1];
                        const double u = value(&s.out, (field * N + j - 1) * N + i - 1);
                        char says[48];
                        snprintf(says, sizeof says, "i = %zu, j = %zu%s is not", i, j,
                                 field == 0 ? " of the snapshot" : "");
                        ulp = ulp && refuses(&s, field, i, j, next(&s.out, u), NULL);
                        broken = broken && refuses(&s, field, i, j, NAN, says) &&
                                 refuses(&s, field, i, j, INFINITY, says);
                    }
                check(ulp, "model%d %s against the %s: one value off by the last bit", model,
                      precision_of(v), references[r]);
                check(broken, "model%d %s against the %s: a value that is not finite", model,
                      precision_of(v), references[r]);
                check(ulp && is_good(&s), "model%d %s against the %s: good as it was", model,
                      precision_of(v), references[r]);
                release(&s);
            }
}

/* A whole row or column off by as much. */
static bool refuses_line(const struct solve *s, size_t n, size_t first, size_t step, double fault)
{
    double *const u = (double *)s->out.values + first;
    double *const before = malloc(n * sizeof *before);
    assert(before != NULL);
    for (size_t k = 0; k < n; k++) {
        before[k] = u[k * step];
        u[k * step] += fault;
    }
    const bool good = !is_good(s);
    for (size_t k = 0; k < n; k++)
        u[k * step] = before[k];
    free(before);
    return good;
}

/* On a grid that the patches leave mostly uncovered: points, rows and columns that are off by more
 * than rounding, and a region that is off by more than the scheme is. A last bit is found
 * where a patch lies; elsewhere it is not, which shows that patches were used. */
static void test_uncovered(void)
{
    enum { N = 600, POINTS = 12 };
    for (int scheme = 0; scheme < SCHEMES; scheme++)
        for (int model = 1; model <= MODELS; model++) {
            const struct setting settings[] = {{"N", "600"},
                                               {"steps", "3"},
                                               {"lambda", "0.2"},
                                               {"scheme", schemes[scheme]},
                                               {"reference", "patches"},
                                               {NULL, NULL}};
            struct solve s;
            struct judgement judgement;
            const struct variant *v = variant_of("CPU", DOUBLE);
            bool good = solved(&s, v, model, settings) == OK && is_good(&s);
            double *const u = s.out.values;
            const double fault = scheme == LITERAL ? 1e-4 : 1e-10; /* its own is rough at edges */
            int unseen = 0;
            for (size_t c = 0; c < POINTS && good; c++) {
                const size_t i = 1 + random_bits(1, c) % N, j = 1 + random_bits(2, c) % N;
                double *const at = &u[(j - 1) * N + i - 1], before = *at;
                good = refuses(&s, 0, i, j, *at + fault, NULL);
                *at = next(&s.out, before);
                unseen += is_good(&s);
                *at = before;
            }
            for (size_t c = 0; c < 4 && good; c++) {
                const size_t line = random_bits(3, c) % N;
                good = c % 2 == 0 ? refuses_line(&s, N, line * N, 1, fault)
                                  : refuses_line(&s, N, line, N, fault);
            }
            check(good && is_good(&s), "model%d %s N=600 against patches: faults anywhere", model,
                  schemes[scheme]);
            check(unseen > 0 && unseen < POINTS,
                  "model%d %s N=600 against patches: %d of %d last bits are not seen", model,
                  schemes[scheme], unseen, (int)POINTS);
            /* The largest error of `literal` is its own, elsewhere. */
            for (size_t k = 0; k < N * N; k++)
                u[k] *= k / N / 60 == 5 && k % N / 60 == 5 ? 1.001 : 1;
            const enum status status = judged(&s, &judgement);
            check(status == OK && (scheme == LITERAL || judgement.error > 0),
                  "model%d %s N=600 against patches: 60^2 points off by a thousandth", model,
                  schemes[scheme]);
            release(&s);
        }
}

/* --- what rounding may do to GPU-limit-fma --- */

/* How far an answer in single precision is from that in double, of the largest value. */
static double off_double(const struct instance *in, const struct solution *single)
{
    const struct parabolic *p = in->data;
    const struct patch whole = {1, 1, p->n, p->n};
    double *const exact = malloc(in->count * sizeof *exact), off = 0, most = 0;
    assert(exact != NULL);
    const bool good = parabolic_reference_d(p, &whole, exact) == OK;
    for (size_t k = 0; k < in->count; k++) {
        off = fmax(off, fabs(value(single, k) - exact[k]));
        most = fmax(most, fabs(exact[k]));
    }
    free(exact);
    return good ? off / most : (double)NAN;
}

/* Of answers that the plain loop gives, as they decay: rounding to single precision, of
 * coefficients too, is no more than what two ways of computing may differ by, and that is little.
 * An answer that is 1.3 times as large is wrong. */
static void test_fused_bound(void)
{
    enum { N = 31 };
    static const char *const ends[] = {"0.1", "1"};
    char path[] = "/tmp/parabolic-XXXXXX";
    write_drawn(path, N * N, 28);
    for (int model = 1; model <= MODELS; model++)
        for (int scheme = 0; scheme < SCHEMES; scheme++)
            for (int c = 0; c < 3; c++) {
                const struct variant *const fused = variant_of("GPU-limit-fma", SINGLE);
                const bool own = c >= 2;
                const struct setting settings[] = {{"N", "31"},
                                                   {"T", ends[c % 2]},
                                                   {"scheme", schemes[scheme]},
                                                   {own ? "<u0" : NULL, path},
                                                   {NULL, NULL}};
                struct solve s;
                struct judgement j;
                if (scheme == JACOBI)
                    continue;
                bool good = solved(&s, variant_of("CPU", SINGLE), model, settings) == OK &&
                            judged(&s, &j) == OK && j.error == 0;
                const double allowed = fused->tolerance(fused, &s.in, &s.out, &j);
                const double off = good ? off_double(&s.in, &s.out) : (double)NAN;
                const bool little = allowed < (own ? 1 : 0.03);
                good = good && j.status == OK && off <= allowed && little;
                for (size_t k = 0; k < s.in.count && good; k++)
                    set_value(&s.out, k, 1.3 * value(&s.out, k));
                good = good && judged(&s, &j) == OK &&
                       accept_answer(&s.in, fused, &s.out, &j) == WRONG;
                check(good, "model%d %s T=%s%s: rounding takes %.2g, and %.2g is allowed", model,
                      schemes[scheme], ends[c % 2], own ? " from random u0" : "", off, allowed);
                release(&s);
            }
    (void)unlink(path);
}

/* Beyond lambda = 1/4, where sizes alone tell nothing; and where mean squares do not either, as
 * with the coefficients of model 3. */
static void test_fused_squares(void)
{
    static const struct {
        int model;
        const char *n, *scheme, *lambda, *end;
        bool good;
    } rows[] = {
        {1, "31", "ei-rb", "0.45", "0.1", true},
        {1, "31", "ei-rb", "0.45", "1", true},
        {2, "31", "ei-rb", "0.45", "1", true},
        {4, "31", "ei-rb", "0.45", "1", true},
        {1, "1", "ei-rb", "0.45", "0.5", true},
        {4, "2", "hopscotch", "1", "1", true},
        {2, "30", "literal", "0.45", "0.1", true},
        {1, "30", "hopscotch", "1", "0.1", true},
        {2, "31", "hopscotch", "0.4", "0.2", true},
        {4, "31", "leapfrog-hopscotch", "3", "0.1", true},
        {1, "31", "hopscotch", "10", "0.1", false},
        {3, "31", "ei-rb", "0.45", "0.1", false},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        const struct variant *const fused = variant_of("GPU-limit-fma", DOUBLE);
        const struct setting settings[] = {{"N", rows[c].n},
                                           {"scheme", rows[c].scheme},
                                           {"lambda", rows[c].lambda},
                                           {"T", rows[c].end},
                                           {NULL, NULL}};
        struct solve s;
        struct judgement j;
        bool good = solved(&s, variant_of("CPU", DOUBLE), rows[c].model, settings) == OK &&
                    judged(&s, &j) == OK;
        const enum status status = accept_judged(&s.in, fused, &s.out, OK, &j);
        const double allowed = fused->tolerance(fused, &s.in, &s.out, &j);
        if (rows[c].good)
            good = good && status == OK && allowed > 1e-16 && allowed < 0.01;
        else
            good =
                good && status == ERR_DIVERGED && strstr(reason(), "no digit is certain") != NULL;
        for (size_t k = 0; k < s.in.count && good; k++)
            set_value(&s.out, k, 1.3 * value(&s.out, k));
        good = good && judged(&s, &j) == OK;
        good = good &&
               accept_judged(&s.in, fused, &s.out, OK, &j) == (rows[c].good ? WRONG : ERR_DIVERGED);
        check(good, "model%d N=%s %s lambda=%s T=%s: %.2g is allowed", rows[c].model, rows[c].n,
              rows[c].scheme, rows[c].lambda, rows[c].end, allowed);
        release(&s);
    }
}

/* --- from run to run --- */

static bool repeats(struct solve *s, const unsigned char *first, uint64_t seed)
{
    const bool ran = go(s, seed) == OK;
    return ran && memcmp(first, s->out.values, s->bytes) == 0;
}

static void test_repetition(void)
{
    for (int model = 1; model <= MODELS; model++)
        for (const struct variant *v = parabolic_variants; v->id != NULL; v++) {
            const int scheme = has_scheme(v, JACOBI) ? model - 1 : model % 3;
            const struct setting settings[] = {{"N", "130"},
                                               {"steps", "5"},
                                               {"snapshot", "0.6"},
                                               {"scheme", schemes[scheme]},
                                               {NULL, NULL}};
            struct solve s;
            if (!runs_here(v))
                continue;
            const bool ran = solved(&s, v, model, settings) == OK;
            unsigned char *first = malloc(s.bytes + 1);
            assert(first != NULL);
            if (check(ran, "%s %s model%d n=130 runs", v->id, precision_of(v), model)) {
                memcpy(first, s.out.values, s.bytes);
                check(repeats(&s, first, 0), "%s %s model%d two runs agree bit for bit", v->id,
                      precision_of(v), model);
                bool good = !repeats(&s, first, 1) && is_good(&s);
                check(good, "%s %s model%d seed 1 changes the answer, which is good", v->id,
                      precision_of(v), model);
                good = !repeats(&s, first, 12) && is_good(&s);
                s.in.at.problem->vary(&s.in, 1);
                good = good && !is_good(&s);
                check(good, "%s %s model%d an answer of seed 12 is not one of seed 1", v->id,
                      precision_of(v), model);
                check(repeats(&s, first, 0), "%s %s model%d seed 0 brings the answer back", v->id,
                      precision_of(v), model);
                if (uses_device(v)) {
                    const bool turned = device_thread_order("descending") == OK;
                    check(turned && repeats(&s, first, 0),
                          "%s %s model%d threads in descending order", v->id, precision_of(v),
                          model);
                    (void)device_thread_order("ascending");
                }
            }
            free(first);
            release(&s);
        }
}

/* --- parameters --- */

static void test_setup(void)
{
    static const struct {
        int model;
        struct setting settings[6];
        double dt, steps, snapshot, records, count;
    } cases[] = {
        {1, {{"N", "31"}}, 0.1 / 410, 410, 0, 410, 961},
        {1, {{"N", "31"}, {"lambda", "0.2"}}, 0.1 / 512, 512, 0, 512, 961},
        {1, {{"N", "31"}, {"steps", "7"}}, 0.25 / 1024, 7, 0, 7, 961},
        {2, {{"N", "31"}, {"dt", "1e-4"}, {"lambda", "7"}}, 1e-4, 1000, 0, 1000, 961},
        {2, {{"N", "31"}, {"dt", "1e-4"}, {"steps", "9"}}, 1e-4, 9, 0, 9, 961},
        {2, {{"N", "3"}, {"T", "1e-5"}}, 1e-5, 1, 0, 1, 9},
        {3, {{"N", "9"}, {"steps", "10"}, {"snapshot", "0.5"}}, 0.0025, 10, 5, 10, 162},
        {3, {{"N", "9"}, {"steps", "10"}, {"snapshot", "0.06"}}, 0.0025, 10, 1, 10, 162},
        {3, {{"N", "9"}, {"steps", "10"}, {"snapshot", "0.94"}}, 0.0025, 10, 9, 10, 162},
        {4, {{"N", "9"}, {"steps", "10"}, {"scheme", "leapfrog-hopscotch"}}, 0.0025, 10, 0, 11, 81},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct instance in;
        const bool created = create(&in, cases[c].model, cases[c].settings) == OK;
        const struct parabolic *p = in.data;
        check(created && fabs(p->dt / cases[c].dt - 1) < 1e-14 &&
                  (double)p->steps == cases[c].steps && (double)p->snapshot == cases[c].snapshot &&
                  (double)parabolic_records(p) == cases[c].records &&
                  (double)in.count == cases[c].count,
              "model%d n=%s %s=%s: %g steps of %g, a snapshot after %g", cases[c].model,
              cases[c].settings[0].value,
              cases[c].settings[1].name == NULL ? "" : cases[c].settings[1].name,
              cases[c].settings[1].name == NULL ? "" : cases[c].settings[1].value, cases[c].steps,
              cases[c].dt, cases[c].snapshot);
        in.at.problem->destroy(&in);
    }
}

static void test_bad_parameters(void)
{
    static const struct {
        int model;
        struct setting settings[5];
        const char *says; /* part of the sentence */
    } cases[] = {
        {1, {{"N", "0"}}, "out of range"},
        {1, {{"N", "32767"}}, "out of range"},
        {1, {{"lambda", "0"}}, "out of range"},
        {1, {{"T", "0"}}, "out of range"},
        {1, {{"rows", "0"}}, "out of range"},
        {1, {{"rows", "4097"}}, "out of range"},
        {1, {{"a", "1"}}, "no parameter 'a'"},
        {2, {{"ic", "exact"}}, "no parameter 'ic'"},
        {3, {{"a", "0"}}, "out of range"},
        {4, {{"ic", "given"}}, "exact|printed"},
        {1, {{"scheme", "cn-rb"}}, "is not one of ei-rb"},
        {1, {{"T", "1e6"}, {"lambda", "1e-12"}}, "are the most"},
        {1, {{"snapshot", "1"}}, "before the last one"},
        {1, {{"snapshot", "0.01"}, {"steps", "10"}}, "must come after step 1"},
        {1, {{"snapshot", "0.5"}, {"steps", "1"}}, "before the last one"},
        {1, {{"snapshot", "0.5"}, {"scheme", "leapfrog-hopscotch"}}, "leave snapshot out"},
        {1, {{"lambda", "0.3"}, {"scheme", "jacobi"}}, "up to which jacobi is stable"},
        {3, {{"dt", "0.1"}, {"scheme", "hopscotch"}}, "known to be stable for a = 1"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct instance in;
        const enum status status = create(&in, cases[c].model, cases[c].settings);
        const bool good = status == ERR_ARGS && strstr(reason(), cases[c].says) != NULL;
        check(good, "model%d refuses %s=%s with a sentence", cases[c].model,
              cases[c].settings[0].name, cases[c].settings[0].value);
        if (!good)
            fprintf(stderr, "# %s\n", status == OK ? "accepted" : reason());
        in.at.problem->destroy(&in);
    }
}

static void test_work(void)
{
    static const struct setting settings[] = {
        {"N", "100"}, {"steps", "10"}, {"snapshot", "0.5"}, {NULL, NULL}};
    static const double flops[] = {6, 9, 14, 12}, fused[] = {5, 6, 13, 9};
    for (int model = 1; model <= MODELS; model++) {
        struct instance in;
        bool good = create(&in, model, settings) == OK;
        for (const struct variant *v = parabolic_variants; v->id != NULL && good; v++) {
            const struct work work = v->work(v, &in.at);
            const double size = v->precision == DOUBLE ? sizeof(double) : sizeof(float);
            const double words = strcmp(v->id, "CPU-omp") == 0         ? 2.0 / 12
                                 : strcmp(v->id, "GPU-RB") == 0        ? 3
                                 : strcmp(v->id, "GPU-RBS") == 0       ? 3
                                 : strcmp(v->id, "GPU-sweep") == 0     ? 2
                                 : strcmp(v->id, "GPU-TB") == 0        ? 0.5
                                 : strncmp(v->id, "GPU-limit", 9) == 0 ? 0.2 /* once */
                                                                       : 4;
            const double operations = is_fused(v) ? fused[model - 1] : flops[model - 1];
            good = work.useful == 1e5 && work.flops == 1e5 * operations &&
                   fabs(work.bytes / (1e5 * words * size) - 1) < 1e-12 &&
                   work.launches == (words == 0.5     ? 3
                                     : words == 0.2   ? 1
                                     : words == 2     ? 10
                                     : uses_device(v) ? 30
                                                      : 0) &&
                   work.host_bytes >= 2 * size * 1e4 &&
                   (work.device_bytes >= 2 * size * 1e4) == uses_device(v);
        }
        check(good, "model%d n=100: the work of all variants", model);
        in.at.problem->destroy(&in);
    }
}

/* Of four cards each does half of what one of two does, and holds its 250 rows of both fields with
 * 16 of a neighbour's on either side. In a pass one of two sends two rows for each of its steps: 10
 * passes of 6 steps, or 8 of 8, and rows of 1002 values.
 */
static void test_work_of_ranks(void)
{
    static const struct setting two[] = {{"N", "1000"}, {"steps", "60"}, {"ranks", "2"}, {NULL}},
                                four[] = {{"N", "1000"}, {"steps", "60"}, {"ranks", "4"}, {NULL}};
    for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
        const struct variant *const v = variant_of("GPU-limit-ranks", precision);
        struct instance a, b;
        const bool made = create(&a, 2, two) == OK && create(&b, 2, four) == OK;
        const struct work whole = v->work(v, &a.at), part = v->work(v, &b.at);
        const double size = (double)value_size(precision);
        check(made && part.flops == whole.flops / 2 && part.bytes == whole.bytes / 2 &&
                  part.useful == whole.useful && part.launches == whole.launches &&
                  part.sent == 2 * whole.sent &&
                  whole.sent == (precision == DOUBLE ? 10 * 12 * 8 : 8 * 16 * 4) * 1002 &&
                  part.words == part.launches - 1 && part.device_bytes >= size * 2 * 282 * 1002 &&
                  part.device_bytes < whole.device_bytes,
              "GPU-limit-ranks %s: the work of one card of four", precision_of(v));
        a.at.problem->destroy(&a);
        b.at.problem->destroy(&b);
    }
}

/* The grid is read and written once, and a snapshot is one more of it. */
static void test_traffic(void)
{
    static const struct {
        const char *snapshot;
        double words;
    } cases[] = {{"0", 2e4}, {"0.5", 3e4}};
    for (int c = 0; c < 2; c++) {
        const struct setting settings[] = {
            {"N", "100"}, {"steps", "10"}, {"snapshot", cases[c].snapshot}, {NULL, NULL}};
        struct instance in;
        const bool made = create(&in, 1, settings) == OK;
        check(made && parabolic_family.traffic(DOUBLE, &in.at) == 8 * cases[c].words &&
                  parabolic_family.traffic(SINGLE, &in.at) == 4 * cases[c].words &&
                  parabolic_family.operations(&in.at) == 5e5,
              "least traffic and operations with snapshot=%s", cases[c].snapshot);
        in.at.problem->destroy(&in);
    }
}

static void test_skips(void)
{
    static const struct setting settings[] = {{"N", "9"}, {"scheme", "jacobi"}, {NULL, NULL}};
    for (const struct variant *v = parabolic_variants; v->id != NULL; v++) {
        struct solve s;
        if (!runs_here(v))
            continue;
        const enum status status = prepare(&s, v, 1, settings);
        check(status == (has_scheme(v, JACOBI) ? OK : SKIPPED), "%s %s %s jacobi", v->id,
              precision_of(v), has_scheme(v, JACOBI) ? "has" : "skips");
        release(&s);
    }
}

static void test_dump(void)
{
    static const struct setting settings[] = {
        {"N", "2"}, {"steps", "2"}, {"snapshot", "0.5"}, {NULL, NULL}};
    struct solve s;
    char *text = NULL, wanted[160] = "";
    size_t size = 0;
    const bool ran = solved(&s, variant_of("CPU", DOUBLE), 2, settings) == OK;
    FILE *file = open_memstream(&text, &size);
    assert(file != NULL);
    if (ran) {
        s.in.at.problem->dump(&s.in, &s.out, file);
        snprintf(wanted, sizeof wanted, "1,1,%.17g\n2,1,%.17g\n1,2,%.17g\n2,2,%.17g\n",
                 value(&s.out, 4), value(&s.out, 5), value(&s.out, 6), value(&s.out, 7));
    }
    fclose(file);
    check(ran && strcmp(text, wanted) == 0 && strcmp(s.in.at.problem->dump_header, "i,j,u") == 0,
          "the dump has the interior at the end");
    free(text);
    release(&s);
}

/* --- what the judge keeps, and its threads --- */

static void test_judge(void)
{
    static const struct setting whole[] = {{"N", "200"},
                                           {"steps", "6"},
                                           {"snapshot", "0.5"},
                                           {"scheme", "hopscotch"},
                                           {NULL, NULL}},
                                patches[] = {{"N", "200"},
                                             {"steps", "6"},
                                             {"reference", "patches"},
                                             {NULL, NULL}};
    static const struct {
        const char *what;
        const struct setting *settings;
    } cases[] = {{"whole", whole}, {"patches", patches}};
    for (int model = 1; model <= MODELS; model++)
        for (size_t c = 0; c < 2; c++)
            for (int precision = SINGLE; precision <= DOUBLE; precision++) {
                const struct variant *const v = variant_of("CPU", (enum precision)precision);
                const struct problem *const problem = &parabolic_problems[model - 1];
                check(tells_seeds_apart(v, problem, cases[c].settings),
                      "model%d %s %s: the judge tells data of two seeds apart", model,
                      cases[c].what, precision_of(v));
                check(judged_alike_by_threads(v, problem, cases[c].settings),
                      "model%d %s %s: 1, 2 and 3 threads judge alike", model, cases[c].what,
                      precision_of(v));
            }
}

/* Initial values from a file, all schemes and variants. */
static void test_own_data(void)
{
    enum { N = 37 };
    char path[] = "/tmp/parabolic-XXXXXX";
    write_drawn(path, N * N, 26);
    for (int model = 1; model <= MODELS; model++)
        for (const struct variant *v = parabolic_variants; v->id != NULL; v++) {
            const char *const scheme = model % 2 == 0 ? "ei-rb" : "hopscotch";
            const struct setting settings[] = {
                {"<u0", path}, {"N", "37"}, {"steps", "9"}, {"scheme", scheme}, {NULL, NULL}};
            const struct problem *const problem = &parabolic_problems[model - 1];
            if (runs_here(v))
                check(judges_own_data(v, problem, settings, N * 11 + 23),
                      "model%d %s %s %s: own u0", model, scheme, v->id, precision_of(v));
        }
    (void)unlink(path);
}

/* On a grid so large that patches would be cheaper, a last bit is found wherever it is: they are
 * for the model's own initial values, and refused with others. */
static void test_large_own_data(void)
{
    enum { N = 1400, POINTS = 6 };
    char path[] = "/tmp/parabolic-XXXXXX";
    write_drawn(path, N * N, 27);
    const struct setting settings[] = {
        {"<u0", path}, {"N", "1400"}, {"steps", "138"}, {"lambda", "0.01"}, {NULL, NULL}};
    const struct setting asked[] = {
        {"<u0", path}, {"N", "1400"}, {"reference", "patches"}, {NULL, NULL}};
    struct solve s;
    struct instance in;
    bool good = solved(&s, variant_of("CPU-omp", SINGLE), 1, settings) == OK && is_good(&s);
    for (size_t c = 0; c < POINTS && good; c++) {
        const size_t i = 1 + random_bits(4, c) % N, j = 1 + random_bits(5, c) % N;
        const double u = value(&s.out, (j - 1) * N + i - 1);
        good = refuses(&s, 0, i, j, next(&s.out, u), NULL);
    }
    check(good, "model1 N=1400: own u0 is held against the whole");
    release(&s);
    check(create(&in, 1, asked) == ERR_ARGS && strstr(reason(), "reference=patches") != NULL,
          "own u0 and reference=patches: %s", reason());
    in.at.problem->destroy(&in);
    (void)unlink(path);
}

int main(void)
{
    struct device_facts facts;
    have_device = device_open(&facts) == OK;
    if (!have_device)
        skip("variants with kernels", reason());
    test_setup();
    test_bad_parameters();
    test_work();
    test_work_of_ranks();
    test_traffic();
    test_skips();
    test_dump();
    test_patches();
    test_bits();
    test_passes("CPU-omp");
    if (runs_here(variant_of("GPU-TB", DOUBLE)))
        test_passes("GPU-TB");
    if (runs_here(variant_of("GPU-limit", DOUBLE))) {
        test_passes("GPU-limit");
        test_limit_shapes();
        test_narrow_tiles();
        test_rims();
    }
    test_orders();
    test_digits();
    test_limits();
    test_growth();
    test_overflow();
    test_corrupted();
    test_uncovered();
    test_fused_bound();
    test_fused_squares();
    test_repetition();
    test_judge();
    test_own_data();
    test_large_own_data();
    return done();
}
