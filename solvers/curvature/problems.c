/*
 * Four problems: both flows with a known solution and its forcing, and both from the initial data
 * of the paper's figures. What the parameters imply, and the judge: an answer is held against the
 * plain solution of the same scheme bit for bit, all of it or its first field, and its errors are
 * measured against the exact solution.
 */
#define RECIPE_D /* the judge computes in double, whatever the answer's precision */
#include "curvature.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scheme.h"

#include "../common/memory.h"
#include "../common/pi.h"
#include "../common/solution.h"

enum { COARSE = 15, MOST_PICTURES = 8 };

/* In a problem's code beside its flow: from the data of a figure, without forcing. */
enum { PICTURED = 2 };

/* Evaluations of one node up to which all of an answer is computed again. */
#define AFFORDABLE 0x1p23

#define SIZE  "N", INTEGER, 64, 2, 16384, NULL, "cells along x, and along y"
#define SIZE2 "N2", INTEGER, 0, 0, 16384, NULL, "cells along y, if not N; 0: N"
#define END   "T", REAL, 0.1, 1e-12, 1e6, NULL, "final time"
#define EPS   "eps", REAL, 1e-6, 1e-15, 1, NULL, "largest error of a step"
#define TAU0  "tau0", REAL, 0, 0, 1e6, NULL, "first step; 0: from one kept field to the next"
#define CONTROL                                                                                    \
    "control", CHOICE, 0, 0, 1, "adaptive|fixed", "fixed: every step is tau0, none is rejected"
#define ATTEMPTS "attempts", INTEGER, 0, 0, 1e9, NULL, "steps after which a run ends; 0: at T"
#define BOUNDARY(initial)                                                                          \
    "boundary", CHOICE, initial, 0, 1, "dirichlet|neumann",                                        \
        "values of the exact solution (or of t = 0), w = 0; or those of the neighbour"
#define REFERENCE                                                                                  \
    "reference", CHOICE, 0, 0, 2, "auto|whole|first",                                              \
        "what an answer is held against bit for bit; auto: all if that takes a second or so"
#define SNAPSHOTS "snapshots", INTEGER, 20, 1, MOST_TIMES, NULL, "M: T/M apart"
#define ROW16                                                                                      \
    "row16", CHOICE, 0, 0, 1, "cells|nodes", "nodes: N = 16 means 16 nodes a side, 15 cells"
#define TIMES(initial) "times", TEXT, 0, 0, 0, initial, "kept fields; the last one is the end"
#define FIRST(initial) "tau0", REAL, initial, 1e-300, 1e6, NULL, "first step"

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
    {.name = NULL},
};
static const struct parameter mcf_figure_parameters[] = {
    {SIZE},    {SIZE2},    {TIMES("0.025,0.1,0.5")}, {EPS},       {FIRST(1e-4)},
    {CONTROL}, {ATTEMPTS}, {BOUNDARY(NEUMANN)},      {REFERENCE}, {.name = NULL},
};
static const struct parameter willmore_figure_parameters[] = {
    {SIZE},    {SIZE2},    {TIMES("0.01,0.025,0.1")}, {EPS},       {FIRST(1e-8)},
    {CONTROL}, {ATTEMPTS}, {BOUNDARY(NEUMANN)},       {REFERENCE}, {.name = NULL},
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
        const bool good = p->times[k] > (k > 0 ? p->times[k - 1] : 0) && p->times[k] <= 1e6;
        if (!good)
            return because(ERR_ARGS, "times=%s must grow from above 0 to at most 1e6",
                           p->forced ? "T/M, 2T/M, ..." : get_text(at, "times"));
    }
    p->tau0 = get(at, "tau0") > 0 ? get(at, "tau0") : p->times[0];
    return OK;
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

static enum status create(struct instance *in)
{
    struct curvature p;
    const enum status status = curvature_setup(&in->at, &p);
    if (status != OK)
        return status;
    in->count = curvature_fields(&p) * curvature_nodes(&p) + 2;
    return instance_make(in, &p, sizeof p, 0);
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
    return p->amplitude * sin(3 * PI * sqrt(x * x + y * y));
}

/* --- the fields of an answer --- */

/* One field of an answer; in double. */
struct view {
    const struct curvature *p;
    const struct solution *got;
    size_t first;        /* of its values */
    const double *x, *y; /* tables of the known solution */
};

static double at(const struct view *v, size_t i, size_t j)
{
    return value_at(v->got, v->first + i * (v->p->n2 + 1) + j);
}

/* Sums over a row of nodes. */
struct row {
    double l1, l2, linf; /* of the errors */
    double least, most;  /* of the values */
    double area, energy; /* over the interior */
    bool finite;
};

static void row_of_errors(const struct view *v, double c, size_t i, struct row *out)
{
    *out = (struct row){.finite = true};
    for (size_t j = 0; j <= v->p->n2; j++) {
        const double u = at(v, i, j);
        const double off = fabs(u - exact_at(c, v->x[i * DERIVATIVES], v->y[j]));
        out->finite = out->finite && isfinite(u);
        out->l1 += off;
        out->l2 += off * off;
        out->linf = off > out->linf ? off : out->linf;
    }
}

static void row_of_shape(const struct view *v, const struct mesh *m, size_t i, struct row *out)
{
    const struct curvature *p = v->p;
    *out = (struct row){.least = INFINITY, .most = -INFINITY, .finite = true};
    for (size_t j = 0; j <= p->n2; j++) {
        const double u = at(v, i, j);
        out->finite = out->finite && isfinite(u);
        out->least = u < out->least ? u : out->least;
        out->most = u > out->most ? u : out->most;
        if (i < 1 || i >= p->n1 || j < 1 || j >= p->n2)
            continue;
        const struct around phi = {.c = u,
                                   .e = at(v, i + 1, j),
                                   .w = at(v, i - 1, j),
                                   .n = at(v, i, j + 1),
                                   .s = at(v, i, j - 1),
                                   .ne = at(v, i + 1, j + 1),
                                   .nw = at(v, i - 1, j + 1),
                                   .se = at(v, i + 1, j - 1),
                                   .sw = at(v, i - 1, j - 1)};
        const struct four f = four_of(m, &phi);
        const double q = 0.25 * (sqrt(f.e.q2) + sqrt(f.w.q2) + sqrt(f.n.q2) + sqrt(f.s.q2));
        const double w = mean_curvature(m, &phi);
        out->area += q * p->h1 * p->h2;
        out->energy += w * w / q * p->h1 * p->h2;
    }
}

/* Rows are added in their order, so the number of threads changes no digit. */
static struct row sum_rows(const struct row *rows, size_t count)
{
    struct row all = rows[0];
    for (size_t i = 1; i < count; i++) {
        all.l1 += rows[i].l1;
        all.l2 += rows[i].l2;
        all.linf = rows[i].linf > all.linf ? rows[i].linf : all.linf;
        all.least = rows[i].least < all.least ? rows[i].least : all.least;
        all.most = rows[i].most > all.most ? rows[i].most : all.most;
        all.area += rows[i].area;
        all.energy += rows[i].energy;
        all.finite = all.finite && rows[i].finite;
    }
    return all;
}

/* The field's errors at time t or, where there is no exact solution, its shape. */
static struct row scan(const struct view *v, double t, struct row *rows)
{
    const struct curvature *p = v->p;
    const struct mesh m = mesh_of(p);
    const double c = moment_at(p->amplitude, t).c;
#pragma omp parallel for schedule(static) if (p->n1 > 100)
    for (size_t i = 0; i <= p->n1; i++) {
        if (p->forced)
            row_of_errors(v, c, i, &rows[i]);
        else
            row_of_shape(v, &m, i, &rows[i]);
    }
    return sum_rows(rows, p->n1 + 1);
}

/* --- against the plain solution, bit for bit --- */

static double steps_of(const struct solution *got)
{
    return value_at(got, got->count - 2) + value_at(got, got->count - 1);
}

/* Right-hand sides of single nodes; that of Willmore flow is as much as three. */
static double evaluations(const struct curvature *p, double steps)
{
    return STAGES * steps * (double)curvature_nodes(p) * (p->flow == WILLMORE ? 3 : 1);
}

static enum status hold_against_reference(const struct instance *in, const struct solution *got,
                                          struct agreement *out)
{
    const struct curvature *p = in->data;
    const long choice = get_long(&in->at, "reference");
    const bool all = p->attempts > 0 || evaluations(p, steps_of(got)) <= AFFORDABLE;
    const bool first_only = choice == 0 ? !all : choice == 2;
    struct solution reference;
    enum status status = reference_for(got, got->count, &reference);
    if (status == OK)
        status = got->precision == DOUBLE ? curvature_reference_d(p, first_only, reference.values)
                                          : curvature_reference_s(p, first_only, reference.values);
    if (status == OK)
        *out = hold_against(got, 0, &reference, 0, first_only ? curvature_nodes(p) : got->count);
    free(reference.values);
    return status;
}

/* --- against the exact solution --- */

static bool has_exact(const struct curvature *p)
{
    return p->forced && p->attempts == 0 && p->boundary == DIRICHLET;
}

struct norms {
    double l1, l2, linf;
};

/* Over the kept fields, formulas (31) to (33); the field at t = 0 has no error. `shapes`[fields],
 * or null. ERR_MEMORY, or WRONG where a value is not finite. */
static enum status measure(const struct curvature *p, const struct solution *got,
                           struct norms *norms, struct row *shapes)
{
    const size_t nodes = curvature_nodes(p), tables = DERIVATIVES * (p->n1 + p->n2 + 2);
    double *const x = calloc(tables, sizeof *x), *const y = x + DERIVATIVES * (p->n1 + 1);
    struct row *const rows = calloc(p->n1 + 1, sizeof *rows);
    enum status status = OK;
    if (x == NULL || rows == NULL) {
        status = because(ERR_MEMORY, "there is no memory to judge the solution");
        goto cleanup;
    }
    curvature_tables_d(p, x, y);
    double l1 = 0, l2 = 0, linf = 0;
    const size_t fields = curvature_fields(p);
    for (size_t f = 0; f < fields && status == OK; f++) {
        const struct view v = {p, got, f * nodes, x, y};
        const struct row sum = scan(&v, f > 0 ? p->times[f - 1] : 0, rows);
        if (!sum.finite)
            status = because(WRONG, "field %zu of %zu has values that are not finite numbers", f,
                             fields - 1);
        if (shapes != NULL)
            shapes[f] = sum;
        if (f == 0)
            continue;
        l1 += sum.l1;
        l2 += sum.l2;
        linf = fmax(linf, sum.linf);
    }
    const double cell = p->times[0] * p->h1 * p->h2; /* all times are equally far apart */
    *norms = (struct norms){cell * l1, sqrt(cell * l2), linf};
cleanup:
    free(x);
    free(rows);
    return status;
}

/* What scheme, step control and rounding can make of the error, generously: four times what the
 * plain solution on a coarse grid has, which falls with h^2; infinite where that is no guide. */
static double explained(const struct curvature *p, const struct solution *got)
{
    struct curvature coarse = *p;
    if (!has_exact(p) || p->fixed || p->n1 <= COARSE || p->n2 <= COARSE)
        return INFINITY;
    coarse.n1 = coarse.n2 = COARSE;
    coarse.h1 = p->h1 * (double)p->n1 / COARSE;
    coarse.h2 = p->h2 * (double)p->n2 / COARSE;
    const size_t count = curvature_fields(&coarse) * curvature_nodes(&coarse) + 2;
    const struct solution plain = {DOUBLE, count, malloc(count * sizeof(double))};
    struct norms norms = {0, 0, 0};
    enum status status = plain.values == NULL ? ERR_MEMORY : OK;
    if (status == OK)
        status = curvature_reference_d(&coarse, false, plain.values);
    if (status == OK)
        status = measure(&coarse, &plain, &norms, NULL);
    free(plain.values);
    const double h = fmax(p->h1, p->h2) / coarse.h1;
    const double unit = got->precision == DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    return status == OK ? 4 * norms.linf * h * h + 2 * p->eps + 8 * sqrt(steps_of(got)) * unit
                        : (double)INFINITY;
}

/* --- the judgement --- */

/* What the paper counts: operations of a node in a right-hand side, without forcing. */
static double printed_flops(const struct curvature *p)
{
    const double interior = (double)(p->n1 - 1) * (double)(p->n2 - 1);
    return STAGES * interior * (p->flow == WILLMORE ? 85 + 218 : 85);
}

/* The shapes at the printed times; `area_fall`, above 1 if the area falls from each to the next;
 * for the published data in single precision also how far the end lies from that of double
 * precision, where that does not take long. */
static enum status add_shapes(const struct instance *in, const struct solution *got,
                              const struct row *shapes, struct judgement *out)
{
    const struct curvature *p = in->data;
    const size_t nodes = curvature_nodes(p), end = (curvature_fields(p) - 1) * nodes;
    const struct row *const last = &shapes[p->count];
    const struct view v = {p, got, end, NULL, NULL};
    double fall = INFINITY;
    for (int k = 1; k <= p->count; k++) {
        char name[32];
        fall = fmin(fall, shapes[k - 1].area / shapes[k].area);
        snprintf(name, sizeof name, "area_%d", k);
        add_metric(out, name, shapes[k].area);
        snprintf(name, sizeof name, "energy_%d", k);
        add_metric(out, name, shapes[k].energy);
    }
    add_metric(out, "least", last->least);
    add_metric(out, "most", last->most);
    add_metric(out, "centre", at(&v, p->n1 / 2, p->n2 / 2));
    add_metric(out, "area_fall", fall);
    if (got->precision == DOUBLE || p->amplitude != 1 ||
        evaluations(p, steps_of(got)) > 16 * AFFORDABLE)
        return OK;
    const struct solution exact = {DOUBLE, got->count, malloc(got->count * sizeof(double))};
    if (exact.values == NULL)
        return because(ERR_MEMORY, "there is no memory for a reference in double precision");
    const enum status status = curvature_reference_d(p, false, exact.values);
    if (status == OK)
        add_metric(out, "off_double", hold_against(got, nodes, &exact, nodes, end).off);
    free(exact.values);
    return status;
}

static enum status conclude(const struct instance *in, const struct solution *got,
                            const struct norms *norms, struct judgement *out)
{
    const struct curvature *p = in->data;
    struct agreement agreement = {NAN, NAN};
    const enum status status = hold_against_reference(in, got, &agreement);
    if (status != OK)
        return status;
    const double most = explained(p, got);
    const bool good = !has_exact(p) || norms->linf <= most;
    if (!good)
        return because(WRONG,
                       "the answer is %.3g off the exact solution, and scheme, step control and "
                       "rounding explain %.3g",
                       norms->linf, most);
    out->error = relative_error(agreement);
    out->inherent = 0;
    return OK;
}

static enum status judge(const struct instance *in, const struct solution *got,
                         struct judgement *out)
{
    const struct curvature *p = in->data;
    struct row shapes[1 + MOST_PICTURES];
    struct norms norms;
    assert(got->count == curvature_fields(p) * curvature_nodes(p) + 2);
    const bool pictures = !p->forced && p->attempts == 0;
    enum status status = measure(p, got, &norms, pictures ? shapes : NULL);
    const double accepted = value_at(got, got->count - 2), rejected = value_at(got, got->count - 1);
    if (status == OK && has_exact(p)) {
        add_metric(out, "error_l1", norms.l1);
        add_metric(out, "error_l2", norms.l2);
        add_metric(out, "error_linf", norms.linf);
    }
    if (status == OK) {
        add_metric(out, "steps_accepted", accepted);
        add_metric(out, "steps_rejected", rejected);
        out->h = p->h1;
        out->steps = accepted + rejected;
        out->useful = printed_flops(p) * out->steps;
    }
    if (status == OK && pictures)
        status = add_shapes(in, got, shapes, out);
    if (status == OK)
        status = conclude(in, got, &norms, out);
    return status;
}

/* The end; of a picture all times, each after an empty line, and lines of equal i too: gnuplot
 * draws it as it is. */
static void dump(const struct instance *in, const struct solution *got, FILE *file)
{
    const struct curvature *p = in->data;
    const struct view v = {p, got, (curvature_fields(p) - 1) * curvature_nodes(p), NULL, NULL};
    for (size_t i = 0; i <= p->n1; i++)
        for (size_t j = 0; j <= p->n2; j++)
            fprintf(file, "%zu,%zu,%.17g\n", i, j, at(&v, i, j));
}

static void dump_pictures(const struct instance *in, const struct solution *got, FILE *file)
{
    const struct curvature *p = in->data;
    for (size_t f = 0; f < curvature_fields(p); f++) {
        const struct view v = {p, got, f * curvature_nodes(p), NULL, NULL};
        for (size_t i = 0; i <= p->n1; i++) {
            for (size_t j = 0; j <= p->n2; j++)
                fprintf(file, "%.17g,%zu,%zu,%.17g\n", f > 0 ? p->times[f - 1] : 0.0, i, j,
                        f > 0 ? at(&v, i, j) : curvature_start(p, i, j));
            fprintf(file, "\n");
        }
        fprintf(file, "\n");
    }
}

#define CALLS .create = create, .vary = vary, .judge = judge, .destroy = instance_free

const struct problem curvature_problems[] = {
    {.id = "mcf",
     .title = "mean-curvature flow forced to phi = cos(pi t) (x^n - r^n) (y^n - r^n) / r^2n "
              "exp(-sigma (x^2 + y^2)) on (-4,4)^2",
     .source = "Oberhuber, Suzuki, Zabka 2011, (6)-(9), (30)",
     .parameters = known_parameters,
     .code = MEAN_CURVATURE,
     .dump_header = "i,j,phi",
     .dump = dump,
     CALLS},
    {.id = "willmore",
     .title = "Willmore flow forced to the same solution",
     .source = "Oberhuber, Suzuki, Zabka 2011, (10)-(14), (30)",
     .parameters = known_parameters,
     .code = WILLMORE,
     .dump_header = "i,j,phi",
     .dump = dump,
     CALLS},
    {.id = "mcf-figure",
     .title = "mean-curvature flow from phi = sin(3 pi r) on (-2,2)^2, no forcing",
     .source = "Oberhuber, Suzuki, Zabka 2011, (35), Figure 1",
     .parameters = mcf_figure_parameters,
     .code = PICTURED + MEAN_CURVATURE,
     .dump_header = "t,i,j,phi",
     .dump = dump_pictures,
     CALLS},
    {.id = "willmore-figure",
     .title = "Willmore flow from phi = sin(3 pi r) on (-2,2)^2, no forcing",
     .source = "Oberhuber, Suzuki, Zabka 2011, (35), Figure 2",
     .parameters = willmore_figure_parameters,
     .code = PICTURED + WILLMORE,
     .dump_header = "t,i,j,phi",
     .dump = dump_pictures,
     CALLS},
    {.id = NULL},
};
