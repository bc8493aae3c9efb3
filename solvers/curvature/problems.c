/*
 * Four problems: both flows with a known solution and its forcing, and both from the initial data
 * of the paper's figures. What the parameters imply, and the exact solution's factors.
 */
#include "curvature.h"

#include <math.h>

#include "machine/ranks.h"

#include "../common/memory.h"
#include "../common/pi.h"
#include "../common/shelf.h"
#include "../common/solution.h"

/* In a problem's code beside its flow: from the data of a figure, without forcing. */
enum { PICTURED = 2 };

#define SIZE  "N", INTEGER, 64, 2, 16384, NULL, "cells along x, and along y"
#define SIZE2 "N2", INTEGER, 0, 0, 16384, NULL, "cells along y, if not N; 0: N"
#define END   "T", REAL, 0.1, 1e-12, 1e6, NULL, "final time"
#define EPS                                                                                        \
    "eps", REAL, 1e-6, 1e-15, 1, NULL,                                                             \
        "largest error of a step; omp-rkc and gpu-rkc take 100 eps for Willmore flow, "            \
        "and in double (32 h)^3 of it where h < 1/32"
#define TAU0 "tau0", REAL, 0, 0, 1e6, NULL, "first step; 0: from one kept field to the next"
#define CONTROL                                                                                    \
    "control", CHOICE, 0, 0, 1, "adaptive|fixed", "fixed: every step is tau0, none is rejected"
#define ATTEMPTS "attempts", INTEGER, 0, 0, 1e9, NULL, "steps after which a run ends; 0: at T"
#define BOUNDARY(initial)                                                                          \
    "boundary", CHOICE, initial, 0, 1, "dirichlet|neumann",                                        \
        "values of the exact solution (or of t = 0), w = 0; or those of the neighbour"
#define REFERENCE                                                                                  \
    "reference", CHOICE, 0, 0, 2, "auto|whole|first",                                              \
        "how much of an answer is computed again; auto: all if that takes a second or so"
#define SNAPSHOTS "snapshots", INTEGER, 20, 1, MOST_TIMES, NULL, "M: T/M apart"
#define ROW16                                                                                      \
    "row16", CHOICE, 0, 0, 1, "cells|nodes", "nodes: N = 16 means 16 nodes a side, 15 cells"
#define TIMES(initial) "times", TEXT, 0, 0, 0, initial, "kept fields; the last one is the end"
#define FIRST(initial) "tau0", REAL, initial, SHORTEST, 1e6, NULL, "first step"

/* Of steps: both parts of its length, and its error, are numbers of single precision with all
 * digits, whatever precision a variant has. */
#define SHORTEST 1e-30

enum { MOST_PICTURES = 8 };
enum { MOST_KEPT = 1 }; /* references that the judge keeps, in double */

static const struct parameter known_parameters[] = {
    {SIZE},
    {SIZE2},
    {END},
    {SNAPSHOTS},
    {EPS},
    {TAU0},
    {CONTROL},
    {ATTEMPTS},
    {"n", INTEGER, 1, 1, 8, NULL, "of the solution"},
    {"r", REAL, 1, 1e-3, 1e3, NULL, "of the solution"},
    {"sigma", REAL, 1, 0, 1e3, NULL, "of the solution"},
    {BOUNDARY(DIRICHLET)},
    {ROW16},
    {REFERENCE},
    RANKS_PARAMETER,
    {.name = NULL},
};
static const struct parameter mcf_figure_parameters[] = {
    {SIZE},         {SIZE2},    {TIMES("0.025,0.1,0.5")}, {EPS},       {FIRST(1e-4)},
    {CONTROL},      {ATTEMPTS}, {BOUNDARY(NEUMANN)},      {REFERENCE}, RANKS_PARAMETER,
    {.name = NULL},
};
static const struct parameter willmore_figure_parameters[] = {
    {SIZE},         {SIZE2},    {TIMES("0.01,0.025,0.1")}, {EPS},       {FIRST(1e-8)},
    {CONTROL},      {ATTEMPTS}, {BOUNDARY(NEUMANN)},       {REFERENCE}, RANKS_PARAMETER,
    {.name = NULL},
};

static const struct input inputs[] = {
    {"phi0", "i,j",
     "surface at t = 0, (N+1) x (N2+1) with the boundary: a row for each i along x; of a dump the "
     "last time"},
    {.name = NULL},
};

/* --- what the parameters imply --- */

size_t curvature_nodes(const struct curvature *p)
{
    return (p->n1 + 1) * (p->n2 + 1);
}

size_t curvature_fields(const struct curvature *p)
{
    return 1 + (p->attempts > 0 ? 1 : (size_t)p->count);
}

/* A second or so: 2^23 right-hand sides of single nodes, of which that of Willmore flow is as much
 * as three. */
double curvature_affordable(const struct curvature *p)
{
    return 0x1p23 / (STAGES * (double)curvature_nodes(p) * (p->flow == WILLMORE ? 3 : 1));
}

/* As many as the judge computes again, or as are enough for the first field. */
size_t curvature_listed(const struct curvature *p)
{
    const double wanted =
        p->attempts > 0 ? (double)p->attempts : fmax(curvature_affordable(p), LEAST_LISTED);
    return (size_t)fmin(wanted, MOST_LISTED);
}

size_t curvature_count(const struct curvature *p)
{
    return curvature_fields(p) * curvature_nodes(p) + 2 * curvature_listed(p) + 6;
}

double curvature_rate(const struct curvature *p)
{
    const double second = 4 / (p->h1 * p->h1) + 4 / (p->h2 * p->h2);
    return p->flow == WILLMORE ? second * second : second;
}

static enum status set_times(const struct params *at, struct curvature *p)
{
    if (p->forced) {
        const double end = get(at, "T");
        p->count = (int)get_long(at, "snapshots");
        for (int k = 0; k < p->count; k++)
            p->times[k] = end * (k + 1) / p->count;
    } else {
        const enum status status =
            parse_list("times", get_text(at, "times"), MOST_PICTURES, p->times, &p->count);
        if (status != OK)
            return status;
    }
    for (int k = 0; k < p->count; k++) {
        const double before = k > 0 ? p->times[k - 1] : 0;
        const bool good = p->times[k] - before >= SHORTEST && p->times[k] <= 1e6;
        if (!good)
            return because(ERR_ARGS,
                           "times=%s must grow from above 0 to at most 1e6, by %g or more",
                           p->forced ? "T/M, 2T/M, ..." : get_text(at, "times"), SHORTEST);
    }
    p->tau0 = get(at, "tau0") > 0 ? get(at, "tau0") : p->times[0];
    return p->tau0 >= SHORTEST
               ? OK
               : because(ERR_ARGS,
                         "tau0=%g is shorter than %g, the shortest step whose length and error "
                         "single precision has in full",
                         p->tau0, SHORTEST);
}

enum status curvature_setup(const struct params *at, struct curvature *out)
{
    const int code = at->problem->code;
    const bool forced = code < PICTURED;
    const double width = forced ? 8 : 4;
    struct curvature p = {.n1 = (size_t)get_long(at, "N"),
                          .n2 = (size_t)get_long(at, "N2"),
                          .a = -width / 2,
                          .flow = (enum flow)(code % PICTURED),
                          .boundary = (enum boundary)get_long(at, "boundary"),
                          .forced = forced,
                          .eps = get(at, "eps"),
                          .fixed = get_long(at, "control") == 1,
                          .attempts = get_long(at, "attempts"),
                          .amplitude = 1};
    if (forced && get_long(at, "row16") == 1 && p.n1 == 16)
        p.n1 = 15;
    p.n2 = p.n2 > 0 ? p.n2 : p.n1;
    if (p.n2 < 2)
        return because(ERR_ARGS, "N2=%zu leaves no node inside; choose 2 or more", p.n2);
    p.h1 = width / (double)p.n1;
    p.h2 = width / (double)p.n2;
    if (forced) {
        p.power = (int)get_long(at, "n");
        p.r = get(at, "r");
        p.sigma = get(at, "sigma");
    }
    const enum status status = set_times(at, &p);
    if (status == OK)
        *out = p;
    return status;
}

/* What an instance owns; the first part is what all know. */
struct owned {
    struct curvature curvature;
    struct shelf shelf;
};

static enum status read_surface(const struct instance *in, struct curvature *p, double *phi0)
{
    const enum status status = read_input(&in->at, "phi0", p->n1 + 1, p->n2 + 1, phi0);
    for (size_t at = 0; at < curvature_nodes(p) && status == OK; at++)
        p->phi0_most = fmax(p->phi0_most, fabs(phi0[at]));
    p->phi0 = phi0;
    return status;
}

static enum status create(struct instance *in)
{
    struct owned given = {.shelf = {.count = 0}};
    enum status status = curvature_setup(&in->at, &given.curvature);
    const bool own = get_input(&in->at, "phi0") != NULL;
    const size_t values = status == OK && own ? curvature_nodes(&given.curvature) : 0;
    if (status == OK)
        status = instance_make(in, &given, sizeof given, values * sizeof(double));
    if (status != OK)
        return status;
    struct owned *const owned = in->data;
    in->count = curvature_count(&owned->curvature);
    owned->curvature.shelf = &owned->shelf;
    owned->shelf.limit = MOST_KEPT * in->count * sizeof(double);
    if (own)
        status = read_surface(in, &owned->curvature, (double *)(owned + 1));
    if (status != OK)
        instance_free(in);
    return status;
}

static void destroy(struct instance *in)
{
    struct owned *const owned = in->data;
    if (owned != NULL)
        shelf_free(&owned->shelf);
    instance_free(in);
}

/* Another amplitude, so little that a run takes nearly as many steps. */
static void vary(struct instance *in, uint64_t seed)
{
    struct curvature *p = in->data;
    p->amplitude = seed == 0 ? 1 : 1 + 1e-3 * (0.5 + uniform(seed, 0) / 2);
}

/* --- the known solution: amplitude cos(pi t) X(x) X(y), X = (x^n - r^n)/r^n exp(-sigma x^2) --- */

void curvature_factor(const struct curvature *p, double x, double *out)
{
    static const int binomial[DERIVATIVES][DERIVATIVES] = {
        {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
    const long double s = (long double)p->sigma, z = (long double)x;
    const long double bell = expl(-s * z * z), scale = powl((long double)p->r, -p->power);
    const long double gauss[DERIVATIVES] = {
        1, -2 * s * z, 4 * s * s * z * z - 2 * s, -8 * s * s * s * z * z * z + 12 * s * s * z,
        16 * s * s * s * s * z * z * z * z - 48 * s * s * s * z * z + 12 * s * s};
    long double monomial[DERIVATIVES]; /* derivatives of x^n / r^n - 1 */
    long double falling = scale;
    for (int k = 0; k < DERIVATIVES; k++) {
        monomial[k] = k > p->power ? 0 : falling * powl(z, p->power - k);
        falling *= p->power - k;
    }
    monomial[0] -= 1;
    for (int k = 0; k < DERIVATIVES; k++) {
        long double sum = 0;
        for (int m = 0; m <= k; m++)
            sum += (long double)binomial[k][m] * monomial[m] * gauss[k - m];
        out[k] = (double)(sum * bell);
    }
}

double curvature_start(const struct curvature *p, size_t i, size_t j)
{
    const double x = p->a + (double)i * p->h1, y = p->a + (double)j * p->h2;
    if (p->phi0 != NULL)
        return p->amplitude * p->phi0[i * (p->n2 + 1) + j];
    return p->amplitude * sin(3 * PI * sqrt(x * x + y * y));
}

/* The end; of a picture all times, each after an empty line, and lines of equal i too: gnuplot
 * draws it as it is. */
static void dump(const struct instance *in, const struct solution *got, FILE *file)
{
    const struct curvature *p = in->data;
    size_t at = (curvature_fields(p) - 1) * curvature_nodes(p);
    for (size_t i = 0; i <= p->n1; i++)
        for (size_t j = 0; j <= p->n2; j++)
            fprintf(file, "%zu,%zu,%.17g\n", i, j, value_at(got, at++));
}

/* That of a field. Limited attempts end where the list says, or NaN: it is not long enough. */
static double time_of(const struct curvature *p, const struct solution *got, size_t field)
{
    const size_t first = curvature_fields(p) * curvature_nodes(p), listed = curvature_listed(p);
    const double all = value_at(got, got->count - 2) + value_at(got, got->count - 1);
    double t = 0;
    if (field == 0)
        return 0;
    if (p->attempts == 0)
        return p->times[field - 1];
    for (size_t n = 0; n < listed; n++) /* a rejected one is negative */
        t += fmax(value_at(got, first + 2 * n) + value_at(got, first + 2 * n + 1), 0);
    return all <= (double)listed ? t : (double)NAN;
}

static void dump_pictures(const struct instance *in, const struct solution *got, FILE *file)
{
    const struct curvature *p = in->data;
    for (size_t f = 0; f < curvature_fields(p); f++) {
        const double t = time_of(p, got, f);
        size_t at = f * curvature_nodes(p);
        for (size_t i = 0; i <= p->n1; i++) {
            for (size_t j = 0; j <= p->n2; j++, at++)
                fprintf(file, "%.17g,%zu,%zu,%.17g\n", t, i, j,
                        f > 0 ? value_at(got, at) : curvature_start(p, i, j));
            fprintf(file, "\n");
        }
        fprintf(file, "\n");
    }
}

static double at_end(const struct instance *in, const struct solution *got, int panel, size_t row,
                     size_t column)
{
    const struct curvature *p = in->data;
    (void)panel;
    return value_at(got,
                    (curvature_fields(p) - 1) * curvature_nodes(p) + column * (p->n2 + 1) + row);
}

static void picture(const struct instance *in, struct picture *out)
{
    const struct curvature *p = in->data;
    *out = (struct picture){.as = SURFACE,
                            .x = {"x", p->a, p->a + p->h1 * (double)p->n1, p->n1 + 1},
                            .y = {"y", p->a, p->a + p->h2 * (double)p->n2, p->n2 + 1},
                            .value = "φ",
                            .panels = 1,
                            .when = {p->attempts > 0 ? (double)NAN : p->times[p->count - 1]},
                            .at = at_end};
}

/* The first field, which is the start, the last one, and of many some between. */
static int panels_of(const struct curvature *p)
{
    const size_t fields = curvature_fields(p);
    return fields < MAX_PANELS ? (int)fields : MAX_PANELS;
}

static size_t shown_field(const struct curvature *p, int panel)
{
    return (size_t)panel * (curvature_fields(p) - 1) / (size_t)(panels_of(p) - 1);
}

static double in_pictures(const struct instance *in, const struct solution *got, int panel,
                          size_t row, size_t column)
{
    const struct curvature *p = in->data;
    const size_t f = shown_field(p, panel);
    return f == 0 ? curvature_start(p, column, row)
                  : value_at(got, f * curvature_nodes(p) + column * (p->n2 + 1) + row);
}

static void several_pictures(const struct instance *in, struct picture *out)
{
    const struct curvature *p = in->data;
    picture(in, out);
    out->at = in_pictures;
    out->panels = panels_of(p);
    for (int panel = 0; panel < out->panels; panel++) {
        const size_t f = shown_field(p, panel);
        out->when[panel] = f == 0 ? 0 : p->attempts > 0 ? (double)NAN : p->times[f - 1];
    }
}

#define CALLS .create = create, .vary = vary, .judge = curvature_judge, .destroy = destroy

const struct problem curvature_problems[] = {
    {.id = "mcf",
     .title = "mean-curvature flow forced to phi = cos(pi t) (x^n - r^n) (y^n - r^n) / r^2n "
              "exp(-sigma (x^2 + y^2)) on (-4,4)^2",
     .source = "Oberhuber, Suzuki, Zabka 2011, (6)-(9), (30)",
     .parameters = known_parameters,
     .code = MEAN_CURVATURE,
     .dump_header = "i,j,phi",
     .dump = dump,
     .picture = picture,
     CALLS},
    {.id = "willmore",
     .title = "Willmore flow forced to the same solution",
     .source = "Oberhuber, Suzuki, Zabka 2011, (10)-(14), (30)",
     .parameters = known_parameters,
     .code = WILLMORE,
     .dump_header = "i,j,phi",
     .dump = dump,
     .picture = picture,
     CALLS},
    {.id = "mcf-figure",
     .title = "mean-curvature flow from phi = sin(3 pi r), or phi0, on (-2,2)^2, no forcing",
     .source = "Oberhuber, Suzuki, Zabka 2011, (35), Figure 1",
     .parameters = mcf_figure_parameters,
     .inputs = inputs,
     .code = PICTURED + MEAN_CURVATURE,
     .dump_header = "t,i,j,phi",
     .dump = dump_pictures,
     .picture = several_pictures,
     CALLS},
    {.id = "willmore-figure",
     .title = "Willmore flow from phi = sin(3 pi r), or phi0, on (-2,2)^2, no forcing",
     .source = "Oberhuber, Suzuki, Zabka 2011, (35), Figure 2",
     .parameters = willmore_figure_parameters,
     .inputs = inputs,
     .code = PICTURED + WILLMORE,
     .dump_header = "t,i,j,phi",
     .dump = dump_pictures,
     .picture = several_pictures,
     CALLS},
    {.id = NULL},
};
