/*
 * The four problems: coefficients and input from the parameters, the shape of the columns, and the
 * judge. Where everything is an integer an answer is checked exactly. Every other one, and what
 * does not pass, is told its distance from the solution by its residual, in parallel too, or, where
 * that is too large, by the plain long double solution.
 */
#include "recurrence.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/solution.h"
#include "../common/widest.h"
#include "input.h"
#include "machine/ranks.h"
#include "residual.h"

enum { CHUNK = 512, FIRST_SEED = 1 };

#define SIZE    "n", INTEGER, 1 << 20, 1, 0x1p33, NULL, "number of unknowns"
#define ORDER   "m", INTEGER, 4, 1, MAX_ORDER, NULL, "order: how many unknowns each one depends on"
#define COLUMNS "r", INTEGER, 0, 0, 0x1p33, NULL, "columns of the array; 0: from s or the ratio"
#define ROWS    "s", INTEGER, 0, 0, 0x1p33, NULL, "rows of the array; 0: from r or the ratio"
#define RATIO   "ratio", REAL, 0, 0, 0x1p33, NULL, "s/r; 0: the variant's own, 1 or, of BLAS, 4"
#define GAP     "gap", INTEGER, 1, 0, 0x1p20, NULL, "cache lines between the columns of BLAS"
#define BLOCK   "block", INTEGER, 256, 1, 256, NULL, "threads per block"
#define INPUT(initial)                                                                             \
    "f", TEXT, 0, 0, 0, initial,                                                                   \
        "input: impulse, one, index, ternary, reciprocal, random, ternary(SEED) or random(SEED)"

static const struct parameter alternating_parameters[] = {
    {SIZE}, {ORDER}, {COLUMNS}, {ROWS}, {RATIO}, {GAP}, {BLOCK}, RANKS_PARAMETER, {.name = NULL},
};
static const struct parameter damped_parameters[] = {
    {SIZE},  {ORDER}, {INPUT("random")}, {COLUMNS},       {ROWS},
    {RATIO}, {GAP},   {BLOCK},           RANKS_PARAMETER, {.name = NULL},
};
static const struct parameter prefix_parameters[] = {
    {SIZE}, {INPUT("random")}, {COLUMNS},       {ROWS},         {RATIO},
    {GAP},  {BLOCK},           RANKS_PARAMETER, {.name = NULL},
};
static const struct parameter user_parameters[] = {
    {SIZE},
    {"m", INTEGER, 0, 0, MAX_ORDER, NULL, "order; 0: as many as a has"},
    {"a", TEXT, 0, 0, 0, "1", "coefficients a_1,a_2,..., as in 3,-3,1"},
    {INPUT("one")},
    {COLUMNS},
    {ROWS},
    {RATIO},
    {GAP},
    {BLOCK},
    RANKS_PARAMETER,
    {.name = NULL},
};

static const struct input inputs[] = {
    {"f", "k", "input f_1 .. f_n: n values"},
    {.name = NULL},
};

enum status recurrence_coefficients(const struct params *at, int *m, double *a)
{
    const int code = at->problem->code;
    if (code == USER) {
        const long wanted = get_long(at, "m");
        const enum status status = parse_list("a", get_text(at, "a"), MAX_ORDER, a, m);
        if (status == OK && wanted != 0 && wanted != *m)
            return because(
                ERR_ARGS,
                "a=%s has %d numbers and m = %ld; make m equal to their number, or leave it out",
                get_text(at, "a"), *m, wanted);
        return status;
    }
    *m = code == PREFIX ? 1 : (int)get_long(at, "m");
    for (int j = 0; j < *m; j++) {
        if (code == PREFIX)
            a[j] = 1;
        else if (code == DAMPED)
            a[j] = (j % 2 == 0 ? 0.5 : -0.5) / *m;
        else
            a[j] = -1;
    }
    return OK;
}

/* Largest q with ratio q^2 <= n, or 1. */
static size_t columns_for(size_t n, double ratio)
{
    const double q = floor(sqrt((double)n / ratio));
    return q < 1 ? 1 : q < (double)n ? (size_t)q : n;
}

enum status recurrence_shape(const struct params *at, double ratio, size_t *r, size_t *s)
{
    const size_t n = (size_t)get_long(at, "n");
    const double wanted = get(at, "ratio");
    size_t columns = (size_t)get_long(at, "r"), rows = (size_t)get_long(at, "s");
    double a[MAX_ORDER];
    int m;
    const enum status status = recurrence_coefficients(at, &m, a);
    if (status != OK)
        return status;
    if (columns == 0 && rows == 0) {
        const size_t most = n / (size_t)m; /* with m rows each */
        columns = columns_for(n, wanted > 0 ? wanted : ratio);
        if (columns > most)
            columns = most > 0 ? most : 1;
    } else if (columns == 0) {
        columns = n / rows;
    }
    if (rows == 0)
        rows = n / columns;
    const bool good =
        columns >= 1 && rows >= 1 && columns <= n / rows && (rows >= (size_t)m || columns == 1);
    if (!good)
        return because(ERR_ARGS,
                       "r = %zu columns of s = %zu rows (0: not even one) do not fit n = %zu and m "
                       "= %d; choose r >= 1 and s >= m with r s <= n, or r = 1",
                       columns, rows, n, m);
    *r = columns;
    *s = rows;
    return OK;
}

size_t recurrence_pitch(const struct params *at, size_t size, size_t s)
{
    enum { LINE = 64 }; /* bytes */
    return s + (size_t)get_long(at, "gap") * (LINE / size);
}

/* "random", "random(7)". */
static enum status parse_input(const char *text, int *code, uint64_t *seed)
{
    static const struct {
        const char *word;
        int code;
        bool drawn;
    } kinds[] = {
        {"impulse", F_IMPULSE, false}, {"one", F_ONE, false},
        {"index", F_INDEX, false},     {"ternary", F_TERNARY, true},
        {"random", F_RANDOM, true},    {"reciprocal", F_RECIPROCAL, false},
    };
    const size_t length = strcspn(text, "(");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strlen(kinds[i].word) != length || strncmp(kinds[i].word, text, length) != 0)
            continue;
        *code = kinds[i].code;
        *seed = FIRST_SEED;
        if (text[length] == '\0')
            return OK;
        char *end;
        errno = 0;
        *seed = strtoull(text + length + 1, &end, 10);
        const bool number = isdigit((unsigned char)text[length + 1]) && errno == 0;
        if (kinds[i].drawn && number && strcmp(end, ")") == 0)
            return OK;
    }
    return because(ERR_ARGS,
                   "f=%s is not one of impulse, one, index, ternary, reciprocal, random, "
                   "ternary(SEED), random(SEED)",
                   text);
}

/* The input of seed 0. */
static enum status published_input(const struct params *at, int *code, uint64_t *seed)
{
    if (at->problem->code == ALTERNATING)
        return parse_input("ternary", code, seed);
    const enum status status = parse_input(get_text(at, "f"), code, seed);
    if (get_input(at, "f") != NULL)
        *code = F_INPUT;
    return status;
}

static enum status create(struct instance *in)
{
    struct recurrence given = {.n = (size_t)get_long(&in->at, "n"), .amplitude = 1};
    size_t r, s;
    enum status status = recurrence_coefficients(&in->at, &given.m, given.a);
    if (status == OK)
        status = recurrence_shape(&in->at, 1, &r, &s); /* refused for every variant or for none */
    if (status == OK)
        status = published_input(&in->at, &given.code, &given.seed);
    if (status != OK)
        return status;
    const size_t values = given.code == F_INPUT ? given.n : 0;
    in->count = given.n;
    status = instance_make(in, &given, sizeof given, values * sizeof *given.f);
    if (status == OK && values > 0) {
        struct recurrence *const p = in->data;
        p->f = (double *)(p + 1);
        status = read_input(&in->at, "f", values, 1, p->f);
        p->tiny = true;
        for (size_t i = 0; i < values && status == OK; i++)
            p->tiny = p->tiny && fabs(p->f[i]) < 0x1p-100;
    }
    if (status != OK)
        instance_free(in);
    return status;
}

/* Random inputs are drawn anew, others become smaller by a power of two: x may be near the end of
 * the range, whatever f is, and what is exact stays so. Tiny ones, which may be near the other end,
 * become larger. */
static void vary(struct instance *in, uint64_t seed)
{
    struct recurrence *p = in->data;
    int code;
    (void)published_input(&in->at, &code, &p->seed); /* was good in create() */
    const bool drawn = code == F_TERNARY || code == F_RANDOM;
    if (drawn && seed != 0)
        p->seed = random_bits(p->seed, seed);
    const int power = drawn || seed == 0 ? 0 : 1 + (int)(seed % 7);
    p->amplitude = ldexp(1, p->tiny ? power : -power);
}

static double input(const struct recurrence *p, size_t i)
{
    return input_at(p->code, p->seed, p->amplitude, p->f, i);
}

void recurrence_fill_part_s(const struct recurrence *p, size_t first, size_t count, float *x)
{
    double f[CHUNK];
    for (size_t from = 0; from < count; from += CHUNK) {
        const size_t some = count - from < CHUNK ? count - from : CHUNK;
        recurrence_input(p, first + from, some, f);
        for (size_t i = 0; i < some; i++)
            x[from + i] = (float)f[i];
    }
}

void recurrence_fill_part_d(const struct recurrence *p, size_t first, size_t count, double *x)
{
    recurrence_input(p, first, count, x);
}

#define FILL(real, recipe)                                                                         \
    void recurrence_fill##recipe(const struct recurrence *p, real *x)                              \
    {                                                                                              \
        const size_t chunks = (p->n - 1) / CHUNK + 1;                                              \
        _Pragma("omp parallel for schedule(static)") for (size_t c = 0; c < chunks; c++)           \
            recurrence_fill_part##recipe(                                                          \
                p, c *CHUNK, p->n - c * CHUNK < CHUNK ? p->n - c * CHUNK : CHUNK, x + c * CHUNK);  \
    }
FILL(float, _s)
FILL(double, _d)
#undef FILL

/* Integers by construction, not by looking at them, times the amplitude. */
static bool is_integer(const struct recurrence *p)
{
    bool good =
        p->code == F_IMPULSE || p->code == F_ONE || p->code == F_INDEX || p->code == F_TERNARY;
    for (int j = 0; j < p->m; j++)
        good = good && p->a[j] == rint(p->a[j]);
    return good;
}

static WIDEST bool are_sums(const struct recurrence *p, const double *x, double *sum,
                            ptrdiff_t count)
{
    double bound[CHUNK];
    int bad = 0;
    for (ptrdiff_t k = 0; k < count; k++)
        bound[k] = fabs(sum[k]);
    for (ptrdiff_t j = 1; j <= p->m; j++) {
        const double a = p->a[j - 1];
        for (ptrdiff_t k = 0; k < count; k++) {
            const double product = a * x[k - j];
            sum[k] += product;
            bound[k] += fabs(product);
        }
    }
    for (ptrdiff_t k = 0; k < count; k++)
        bad |= !(x[k] == sum[k]) | !(bound[k] < 0x1p53 * p->amplitude);
    return bad == 0;
}

/* Whether the chunk satisfies the recurrence, and no sum on the way can have been rounded. */
static bool chunk_is_exact(const struct recurrence *p, const struct solution *got, size_t first)
{
    const size_t count = p->n - first < CHUNK ? p->n - first : CHUNK;
    double values[MAX_ORDER + CHUNK], f[CHUNK];
    recurrence_values(got, first, count, values + MAX_ORDER);
    recurrence_input(p, first, count, f);
    return are_sums(p, values + MAX_ORDER, f, (ptrdiff_t)count);
}

/* If every x_k is an integer plus integers times the ones before, and double held all of it, then x
 * is the solution: the first x_k that were not would have failed. */
static bool is_exact(const struct recurrence *p, const struct solution *got)
{
    const size_t chunks = (p->n - 1) / CHUNK + 1;
    bool good = is_integer(p);
    if (good) {
#pragma omp parallel for schedule(static) reduction(&& : good)
        for (size_t c = 0; c < chunks; c++)
            good = good && chunk_is_exact(p, got, c * CHUNK);
    }
    return good;
}

/* The plainest code of the family: the recurrence in long double. It keeps what it needs of x, and
 * the error as it goes, until the data leave the range of all precisions. Do not tune it. */
static enum status compare(const struct recurrence *p, const struct solution *got, double *error)
{
    long double before[MAX_ORDER] = {0}; /* before[j-1] is x_{k-j} */
    long double most = 0, off = 0, met = 0;
    bool broken = false; /* the answer has come to something that is not finite, where the data
                            reach `met` */
    for (size_t k = 1; k <= p->n && most <= (long double)DBL_MAX; k++) {
        const double f = input(p, k - 1), answer = value_at(got, k - 1);
        long double x = (long double)f;
        for (int j = p->m; j >= 1; j--)
            x += (long double)p->a[j - 1] * before[j - 1];
        if (!broken && !isfinite(answer)) {
            broken = true;
            met = fabsl((long double)f);
            for (int j = p->m; j >= 1; j--)
                met += fabsl((long double)p->a[j - 1] * before[j - 1]);
        }
        for (int j = p->m; j >= 2; j--)
            before[j - 1] = before[j - 2];
        before[0] = x;
        off = larger_long(off, fabsl((long double)answer - x));
        most = larger_long(most, fabsl(x));
    }
    enum status status = within_range(most, got->precision);
    if (status == OK && met > most)
        status = values_within_range("what is added up to an unknown", met, got->precision);
    *error = broken ? (double)INFINITY : (double)fminl(most > 0 ? off / most : off, DBL_MAX);
    return status;
}

static enum status find_error(const struct recurrence *p, const struct solution *got, double *error)
{
    struct distance from;
    if (!recurrence_distance(p, got, &from))
        return compare(p, got, error);
    *error = from.most > 0 ? from.off / from.most : 0;
    return within_range((long double)from.most, got->precision);
}

static enum status judge(const struct instance *in, const struct solution *got,
                         struct judgement *out)
{
    const struct recurrence *p = in->data;
    double error = 0;
    assert(got->count == p->n);
    enum status status = OK;
    if (!is_exact(p, got))
        status = find_error(p, got, &error);
    if (status != OK)
        return status;
    out->error = error;
    out->inherent = 0;
    if (isfinite(error))
        add_metric(out, "rel_error_linf", error);
    return OK;
}

static void dump(const struct instance *in, const struct solution *got, FILE *file)
{
    for (size_t i = 0; i < in->count; i++)
        fprintf(file, "%zu,%.17g\n", i + 1, value_at(got, i));
}

static void picture(const struct instance *in, struct picture *out)
{
    *out = (struct picture){.as = CURVES,
                            .x = {"k", 1, (double)in->count, in->count},
                            .y = {.count = 1},
                            .value = "x",
                            .panels = 1,
                            .when = {NAN},
                            .at = value_of_row};
}

#define COMMON                                                                                     \
    .dump_header = "k,x", .create = create, .vary = vary, .judge = judge, .dump = dump,            \
    .picture = picture, .destroy = instance_free

const struct problem recurrence_problems[] = {
    {.id = "alternating",
     .title = "a_j = -1, f_k random of -1, 0, 1: every number on the way is a small integer",
     .source = "ours; the paper gives neither a nor f",
     .code = ALTERNATING,
     .parameters = alternating_parameters,
     COMMON},
    {.id = "damped",
     .title = "a_j = (-1)^(j+1) 0.5/m, f_k random in [-1, 1)",
     .source = "ours; the paper gives neither a nor f",
     .code = DAMPED,
     .parameters = damped_parameters,
     .inputs = inputs,
     COMMON},
    {.id = "prefix",
     .title = "m = 1, a_1 = 1: prefix sums of f",
     .source = "ours",
     .code = PREFIX,
     .parameters = prefix_parameters,
     .inputs = inputs,
     COMMON},
    {.id = "user",
     .title = "coefficients and input as given",
     .source = "Stpiczynski 2011, (1)",
     .code = USER,
     .parameters = user_parameters,
     .inputs = inputs,
     COMMON},
    {.id = NULL},
};
