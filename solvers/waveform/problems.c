/*
 * The four problems: matrix, start and method from the parameters. What a relaxation makes of them
 * is in scheme.c, how an answer is judged in judge.c.
 */
#include "problem.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "../common/pi.h"
#include "../common/shelf.h"
#include "../common/solution.h"
#include "machine/ranks.h"

#define SIZE     "d", INTEGER, 1024, 1, 1 << 28, NULL, "components"
#define POINTS   "N", INTEGER, 50, 2, 1 << 20, NULL, "points in time, h = T/(N-1)"
#define END(t)   "T", REAL, t, 1e-12, 1e12, NULL, "final time"
#define TOL(tol) "tol", REAL, tol, 0, 1e300, NULL, "a correction below it ends the iteration"
#define NMAX     "nmax", INTEGER, 1000, 1, 1e6, NULL, "iterations, at most"
#define START                                                                                      \
    "y0", TEXT, 0, 0, 0, "e_d",                                                                    \
        "start, where it is no --input: e_d, e_1, e_mid, ones, sin or random"
#define SEED "seed", INTEGER, 1, 0, 0x1p53, NULL, "of y0=random"
#define METHOD                                                                                     \
    "method", CHOICE, 0, 0, 5,                                                                     \
        "implicit-euler|explicit-euler|trapezoidal|bdf2|adams-moulton2|adams-bashforth2",          \
        "linear multistep method"
#define STORAGE "storage", CHOICE, 0, 0, 1, "dense|sparse", "of A; sparse: what differs in it alone"
#define SKEW                                                                                       \
    "skew", REAL, 0, -1, 1, NULL,                                                                  \
        "couplings to earlier components times 1+skew, to later ones times 1-skew"
#define BLOCK "block", INTEGER, 32, 1, 1024, NULL, "threads of a block"
#define EXPECT                                                                                     \
    "expect", CHOICE, 0, 0, 1, "converged|any", "any: to end otherwise is an answer as well"
#define RECORD                                                                                     \
    "record", CHOICE, 0, 0, 1, "each|last", "of the corrections err_1, err_2 .. each, or the last"
#define RADIUS "radius", INTEGER, 0, 0, 1, NULL, "1: the judge also computes the spectral radius"

static const struct parameter heat1d_parameters[] = {
    {SIZE},    {POINTS}, {END(1)}, {TOL(1e-5)}, {NMAX},   {START},         {SEED},         {METHOD},
    {STORAGE}, {SKEW},   {BLOCK},  {EXPECT},    {RECORD}, RANKS_PARAMETER, {.name = NULL},
};
static const struct parameter heat2d_parameters[] = {
    {SIZE},    {POINTS}, {END(1)}, {TOL(1e-3)}, {NMAX},   {START},         {SEED},         {METHOD},
    {STORAGE}, {SKEW},   {BLOCK},  {EXPECT},    {RECORD}, RANKS_PARAMETER, {.name = NULL},
};
static const struct parameter control_parameters[] = {
    {SIZE},    {POINTS}, {END(5)}, {TOL(1e-5)}, {NMAX},   {START},  {SEED},          {METHOD},
    {STORAGE}, {SKEW},   {BLOCK},  {EXPECT},    {RECORD}, {RADIUS}, RANKS_PARAMETER, {.name = NULL},
};
static const struct parameter user_parameters[] = {
    {SIZE},   {POINTS}, {END(1)}, {TOL(1e-5)}, {NMAX},          {START},        {SEED},
    {METHOD}, {BLOCK},  {EXPECT}, {RECORD},    RANKS_PARAMETER, {.name = NULL},
};

#define Y0_INPUT "y0", "i", "start: d values"
static const struct input inputs[] = {{Y0_INPUT}, {.name = NULL}};
static const struct input user_inputs[] = {
    {"matrix", "i,j", "A, d x d: a row for each component"},
    {"g", "i,n", "g, d x N: a row of N points in time for each component; none: 0"},
    {Y0_INPUT},
    {.name = NULL},
};

enum { TRAPEZOIDAL = 2 }; /* in waveform_methods */
/* What the judge keeps where that is not much: answers in double, and bytes. */
enum { MOST_KEPT = 8, MUCH_KEPT = 1 << 28 };

/* --- the matrix --- */

static void add_band(struct waveform *p, ptrdiff_t offset, double beyond_all)
{
    const int b = p->bands++;
    const ptrdiff_t d = (ptrdiff_t)p->d;
    p->offset[b] = offset;
    p->band[b] = p->diagonal + (size_t)p->bands * p->d;
    for (ptrdiff_t i = 0; i < d; i++)
        p->band[b][i] = i + offset >= 0 && i + offset < d ? beyond_all : 0;
}

static enum status set_heat1d(const struct params *at, struct waveform *p)
{
    const double skew = get(at, "skew");
    add_band(p, -1, 1 + skew);
    add_band(p, 1, 1 - skew);
    for (size_t i = 0; i < p->d; i++)
        p->diagonal[i] = -2;
    return OK;
}

static enum status set_heat2d(const struct params *at, struct waveform *p)
{
    const double skew = get(at, "skew");
    const size_t m = (size_t)lround(sqrt((double)p->d));
    if (m * m != p->d)
        return because(ERR_ARGS, "d = %zu is not a square, as %zu is; choose d = m^2", p->d, m * m);
    add_band(p, -(ptrdiff_t)m, 1 + skew);
    add_band(p, -1, 1 + skew);
    add_band(p, 1, 1 - skew);
    add_band(p, (ptrdiff_t)m, 1 - skew);
    for (size_t i = 0; i < p->d; i++) {
        p->diagonal[i] = -4;
        if (i % m == 0) /* nothing across the ends of a row */
            p->band[1][i] = 0;
        if (i % m == m - 1)
            p->band[2][i] = 0;
    }
    return OK;
}

static enum status set_control(const struct params *at, struct waveform *p)
{
    const double skew = get(at, "skew");
    p->all = 0.01;
    add_band(p, -1, 0.1 * (1 + skew) - p->all);
    add_band(p, 1, 0.1 * (1 - skew) - p->all);
    for (size_t i = 0; i < p->d; i++)
        p->diagonal[i] = -pow(1.5, (double)(p->d - 1 - i)); /* -inf where it must be */
    return OK;
}

static enum status set_user(const struct params *at, struct waveform *p)
{
    const bool g = get_input(at, "g") != NULL;
    if (get_input(at, "matrix") == NULL)
        return because(ERR_ARGS, "name the file with the matrix, as in --input matrix=a.txt");
    if (p->d > 65536)
        return because(ERR_ARGS, "d = %zu is too much for a matrix from a file; 65536 is the most",
                       p->d);
    p->full = take(&p->memory, p->d * p->d * sizeof *p->full);
    if (g)
        p->g = take(&p->memory, p->d * p->points * sizeof *p->g);
    if (p->memory.status != OK)
        return p->memory.status;
    enum status status = read_input(at, "matrix", p->d, p->d, p->full);
    if (status == OK && g)
        status = read_input(at, "g", p->d, p->points, p->g);
    for (size_t i = 0; i < p->d && status == OK; i++)
        p->diagonal[i] = p->full[i * p->d + i];
    return status;
}

/* --- the start --- */

static double e_1(const struct waveform *p, size_t i)
{
    (void)p;
    return i == 0;
}

static double e_mid(const struct waveform *p, size_t i)
{
    return i == p->d / 2;
}

static double e_d(const struct waveform *p, size_t i)
{
    return i == p->d - 1;
}

static double one(const struct waveform *p, size_t i)
{
    (void)p;
    (void)i;
    return 1;
}

static double sine(const struct waveform *p, size_t i)
{
    const bool plane = p->bands == 4;
    const size_t m = plane ? (size_t)p->offset[3] : p->d; /* a side of the grid */
    const size_t row = i / m, column = i % m;
    const double step = PI / (double)(m + 1), x = sin((double)(column + 1) * step);
    return plane ? x * sin((double)(row + 1) * step) : x;
}

static void draw(uint64_t seed, size_t d, double *y0)
{
    for (size_t i = 0; i < d; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        y0[i] = (double)(seed >> 11) * 0x1p-53;
    }
}

static enum status set_start(const struct params *at, struct waveform *p)
{
    static const struct {
        const char *word;
        double (*of)(const struct waveform *p, size_t i);
    } starts[] = {{"e_d", e_d},  {"e_1", e_1},  {"e_mid", e_mid},
                  {"ones", one}, {"sin", sine}, {"random", NULL}};
    const char *const text = get_text(at, "y0");
    if (get_input(at, "y0") != NULL)
        return read_input(at, "y0", p->d, 1, p->y0);
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        if (strcmp(starts[k].word, text) != 0)
            continue;
        if (starts[k].of == NULL)
            draw((uint64_t)get_long(at, "seed"), p->d, p->y0);
        for (size_t i = 0; i < p->d && starts[k].of != NULL; i++)
            p->y0[i] = starts[k].of(p, i);
        return OK;
    }
    return because(
        ERR_ARGS,
        "y0=%s is not one of e_d, e_1, e_mid, ones, sin, random; a file is --input y0=FILE", text);
}

/* The second value of two-step methods: a step of the trapezoidal rule, which is of their order. */
static enum status set_second(struct waveform *p)
{
    if (waveform_methods[p->method].steps == 1)
        return OK;
    struct waveform one_step = *p;
    struct stepper stepper;
    one_step.method = TRAPEZOIDAL;
    p->y1 = p->y0 + p->d;
    enum status status = stepper_make(&one_step, &stepper);
    if (status == OK)
        status = stepper_next(&stepper);
    if (status == OK)
        memcpy(p->y1, stepper.y, p->d * sizeof *p->y1);
    let_go(&stepper.memory);
    return status;
}

/* --- instances --- */

static enum status make(const struct params *at, struct waveform *p)
{
    static enum status (*const set[])(const struct params *at, struct waveform *p) = {
        [HEAT1D] = set_heat1d, [HEAT2D] = set_heat2d, [CONTROL] = set_control, [USER] = set_user};
    const int code = at->problem->code;
    *p = (struct waveform){.d = (size_t)get_long(at, "d"),
                           .points = (size_t)get_long(at, "N"),
                           .h = get(at, "T") / (get(at, "N") - 1),
                           .tol = get(at, "tol"),
                           .nmax = get_long(at, "nmax"),
                           .method = (int)get_long(at, "method"),
                           .dense = code == USER || get_long(at, "storage") == 0,
                           .block = (int)get_long(at, "block"),
                           .amplitude = 1};
    if (p->points <= (size_t)waveform_methods[p->method].steps)
        return because(ERR_ARGS,
                       "N = %zu points are the start of a two-step method alone; choose 3 or more",
                       p->points);
    p->diagonal = take(&p->memory, (1 + MAX_BANDS) * p->d * sizeof *p->diagonal);
    p->y0 = take(&p->memory, 2 * p->d * sizeof *p->y0);
    if (p->memory.status != OK)
        return p->memory.status;
    enum status status = set[code](at, p);
    if (status == OK)
        status = set_start(at, p);
    return status == OK ? set_second(p) : status;
}

/* What an instance owns; the first part is what all know. */
struct owned {
    struct waveform waveform;
    struct shelf shelf;
};

static void destroy(struct instance *in)
{
    struct owned *const owned = in->data;
    if (owned != NULL)
        shelf_free(&owned->shelf);
    give_back(owned);
    in->data = NULL;
}

static enum status create(struct instance *in)
{
    struct owned *const owned = in->data = owner_new(sizeof *owned);
    if (owned == NULL)
        return ERR_MEMORY;
    in->count = (size_t)get_long(&in->at, "d") * (size_t)get_long(&in->at, "N") + TRAILER +
                (size_t)get_long(&in->at, "nmax");
    const enum status status = make(&in->at, &owned->waveform);
    owned->waveform.shelf = &owned->shelf;
    const size_t most = MOST_KEPT * in->count * sizeof(double);
    owned->shelf.limit = most > MUCH_KEPT ? most : MUCH_KEPT;
    if (status != OK)
        destroy(in);
    return status;
}

/* So little smaller that no published count changes: the correction that must not pass is 1.073e-3
 * where tol is 1e-3, of heat2d by Picard. */
static void vary(struct instance *in, uint64_t seed)
{
    struct waveform *p = in->data;
    p->amplitude = seed == 0 ? 1 : 0.94 + 0.06 * uniform(seed, 0);
}

static void dump(const struct instance *in, const struct solution *got, FILE *file)
{
    const struct waveform *p = in->data;
    for (size_t i = 0; i < p->d; i++)
        for (size_t n = 0; n < p->points; n++)
            fprintf(file, "%zu,%zu,%.17g\n", i + 1, n, value_at(got, i * p->points + n));
}

/* All components over time; or, where they are many, which lines would not show, a map of them. */
static double over_time(const struct instance *in, const struct solution *got, int panel,
                        size_t row, size_t column)
{
    const struct waveform *p = in->data;
    (void)panel;
    return value_at(got, row * p->points + column);
}

static void picture(const struct instance *in, struct picture *out)
{
    const struct waveform *p = in->data;
    *out = (struct picture){.as = p->d <= MAX_CURVES ? CURVES : MAP,
                            .x = {"t", 0, p->h * (double)(p->points - 1), p->points},
                            .y = {"i", 1, (double)p->d, p->d},
                            .value = "y",
                            .panels = 1,
                            .when = {NAN},
                            .at = over_time};
}

/* The plane at the first and the last time. */
static double in_plane(const struct instance *in, const struct solution *got, int panel, size_t row,
                       size_t column)
{
    const struct waveform *p = in->data;
    const size_t m = (size_t)lround(sqrt((double)p->d));
    return value_at(got, (row * m + column) * p->points + (panel == 0 ? 0 : p->points - 1));
}

static void picture_of_plane(const struct instance *in, struct picture *out)
{
    const struct waveform *p = in->data;
    const size_t m = (size_t)lround(sqrt((double)p->d));
    picture(in, out);
    if (p->d <= MAX_CURVES)
        return;
    *out = (struct picture){.as = MAP,
                            .x = {"i", 1, (double)m, m},
                            .y = {"j", 1, (double)m, m},
                            .value = "y",
                            .panels = 2,
                            .when = {0, out->x.last},
                            .at = in_plane};
}

#define CALLS                                                                                      \
    .dump_header = "i,n,y", .create = create, .vary = vary, .judge = waveform_judge, .dump = dump, \
    .destroy = destroy

const struct problem waveform_problems[] = {
    {.id = "heat1d",
     .title = "A = tridiag(1, -2, 1), without the factor (d+1)^2 of the heat equation on [0,1]",
     .source = "Conte, D'Ambrosio, Paternoster 2014, (4.1)-(4.2)",
     .parameters = heat1d_parameters,
     .inputs = inputs,
     .code = HEAT1D,
     .picture = picture,
     CALLS},
    {.id = "heat2d",
     .title = "A of the five-point stencil on m x m points, d = m^2, without its factor",
     .source = "Conte, D'Ambrosio, Paternoster 2014, (4.4)",
     .parameters = heat2d_parameters,
     .inputs = inputs,
     .code = HEAT2D,
     .picture = picture_of_plane,
     CALLS},
    {.id = "control",
     .title = "A_ii = -1.5^(d-i), 0.1 beside it, 0.01 everywhere else",
     .source = "Conte, D'Ambrosio, Paternoster 2014, (4.5)",
     .parameters = control_parameters,
     .inputs = inputs,
     .code = CONTROL,
     .picture = picture,
     CALLS},
    {.id = "user",
     .title = "A, g and y0 as given",
     .source = "Conte, D'Ambrosio, Paternoster 2014, Section 2",
     .parameters = user_parameters,
     .inputs = user_inputs,
     .code = USER,
     .picture = picture,
     CALLS},
    {.id = NULL},
};
