/*
 * The four models: parameters and what they imply, exact solutions, and the judge. An answer is
 * held against the discrete solution of the same scheme in the same precision, bit for bit, on the
 * whole grid or on patches of it, and its error is measured against the exact solution.
 */
#include "parabolic.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/pi.h"
#include "../common/solution.h"

enum { WHOLE = 1, PATCHES = 16, PATCH = 48 }; /* PATCH: points per side */

#define MOST_STEPS 1e12

#define SIZE   "N", INTEGER, 500, 1, 32766, NULL, "interior points per side, h = 1/(N+1)"
#define LAMBDA "lambda", REAL, 0.25, 1e-12, 1e6, NULL, "dt/h^2, where dt is not given"
#define DT     "dt", REAL, 0, 0, 1e6, NULL, "length of a step; 0: lambda h^2"
#define END    "T", REAL, 0.1, 1e-12, 1e6, NULL, "final time, where steps are not given"
#define STEPS  "steps", INTEGER, 0, 0, MOST_STEPS, NULL, "steps; 0: T/dt rounded, and dt = T/steps"
#define SCHEME                                                                                     \
    "scheme", CHOICE, 0, 0, 4, "ei-rb|hopscotch|literal|jacobi|leapfrog-hopscotch",                \
        "ei-rb: explicit red, then centre-implicit black; literal: as printed"
#define ROWS "rows", INTEGER, 16, 1, 4096, NULL, "rows of a set, which a block of threads walks"
#define SNAPSHOT                                                                                   \
    "snapshot", REAL, 0, 0, 1, NULL, "part of the steps after which a copy is kept; 0: none"
#define REFERENCE                                                                                  \
    "reference", CHOICE, 0, 0, 2, "auto|whole|patches",                                            \
        "what an answer is held against; auto: the whole grid up to 2^30 updates"
#define FLOW                                                                                       \
    "a", REAL, 1, 1e-3, 1e3, NULL, "of the coefficients and the solution; the paper has no value"
#define START                                                                                      \
    "ic", CHOICE, 0, 0, 1, "exact|printed", "printed: sin(pi x) sin(pi y), not the solution's"
#define FORCE "force", INTEGER, 0, 0, 1, NULL, "1: also beyond the limit of stability"

static const struct parameter parameters[] = {
    {SIZE}, {LAMBDA},   {DT},        {END},   {STEPS},        {SCHEME},
    {ROWS}, {SNAPSHOT}, {REFERENCE}, {FORCE}, {.name = NULL},
};
static const struct parameter model3_parameters[] = {
    {SIZE}, {LAMBDA}, {DT},       {END},       {STEPS}, {SCHEME},
    {FLOW}, {ROWS},   {SNAPSHOT}, {REFERENCE}, {FORCE}, {.name = NULL},
};
static const struct parameter model4_parameters[] = {
    {SIZE},  {LAMBDA}, {DT},       {END},       {STEPS}, {SCHEME},
    {START}, {ROWS},   {SNAPSHOT}, {REFERENCE}, {FORCE}, {.name = NULL},
};

const struct equation parabolic_equations[5] = {{0, 0}, {0, 0}, {-1, -1}, {1, -1}, {1, 1}};

/* --- solutions: a factor of t times a product over the axes --- */

static double along(const struct parabolic *p, double x)
{
    switch (p->model) {
    case 1:
        return x < 1 ? sin(PI * x) : 0; /* the boundary is 0, not nearly 0 */
    case 2:
        return exp(x);
    case 3:
        return sin(p->a * x);
    default:
        return x;
    }
}

static double product(const struct parabolic *p, double along_x, double along_y)
{
    return p->model == 4 ? 1 + along_x * along_y : along_x * along_y;
}

double parabolic_frame_factor(const struct parabolic *p, double t)
{
    switch (p->model) {
    case 1:
        return p->amplitude * exp(-2 * PI * PI * t);
    case 2:
        return p->amplitude * exp(-t);
    case 3:
        return p->amplitude * exp(-(2 * p->a * p->a + 1) * t);
    default:
        return p->amplitude * sin(t);
    }
}

/* A column's x or a row's y; 1 exactly at the end, which k h need not be. */
static double coordinate(const struct parabolic *p, size_t k)
{
    return (double)k / (double)(p->n + 1);
}

double parabolic_frame(const struct parabolic *p, size_t i, size_t j)
{
    return product(p, p->axis[i], p->axis[j]);
}

double parabolic_initial(const struct parabolic *p, size_t i, size_t j)
{
    if (p->printed_ic)
        return p->amplitude * (sin(PI * coordinate(p, i)) * sin(PI * coordinate(p, j)));
    return parabolic_frame_factor(p, 0) * parabolic_frame(p, i, j);
}

/* --- what the parameters imply --- */

size_t parabolic_records(const struct parabolic *p)
{
    return p->scheme == LEAPFROG_HOPSCOTCH ? p->steps + 1 : p->steps;
}

/* Largest dt/h^2 that does not let anything grow; with d = 4/h^2 - C the two-colour schemes need
 * k d <= 2. Exact for constant A and B; for model 3 it lies below the limits measured at n = 3 to
 * 31 for a from 0.5 to 20. */
static double largest_lambda(const struct parabolic *p)
{
    const double h = 1 / (double)(p->n + 1), a = parabolic_equations[p->model].convection;
    const double ch2 = parabolic_equations[p->model].reaction * h * h;
    const bool varies = p->model == 3;
    switch (p->scheme) {
    case JACOBI:
        return 2 / (4 - ch2 + 4 * (varies ? 1 : sqrt(1 - a * a * h * h / 4)) * cos(PI * h));
    case LITERAL:
        return 2 / (4 - ch2) - (varies ? h / 7 : 0);
    case EI_RB:
        return 2 / (4 - ch2) * (varies ? 1 - h * h / 16 : 1);
    default:
        return INFINITY;
    }
}

/* Largest dt/h, which only the rotating flow of model 3 limits: 1/sqrt(2 (A^2 + B^2)) is safe for
 * hopscotch, and twice that for the scheme whose steps interlock. */
static double largest_nu(const struct parabolic *p)
{
    const double flow = p->a < PI / 2 ? sin(p->a) : 1; /* sqrt(A^2 + B^2) at its largest */
    if (p->model != 3 || (p->scheme != HOPSCOTCH && p->scheme != LEAPFROG_HOPSCOTCH))
        return INFINITY;
    return (p->scheme == HOPSCOTCH ? 1 : 2) / (sqrt(2) * flow);
}

static enum status check_stability(const struct parabolic *p)
{
    static const char *const names[] = {"ei-rb", "hopscotch", "literal", "jacobi",
                                        "leapfrog-hopscotch"};
    const double m = (double)(p->n + 1), lambda = p->dt * m * m, nu = p->dt * m;
    const double rounding = 1 + 1e-12;
    if (!(lambda <= largest_lambda(p) * rounding))
        return because(ERR_ARGS,
                       "dt/h^2 = %.9g is beyond %.9g, up to which %s is stable here; choose a "
                       "smaller lambda or dt, more steps, or force=1",
                       lambda, largest_lambda(p), names[p->scheme]);
    if (!(nu <= largest_nu(p) * rounding))
        return because(ERR_ARGS,
                       "dt/h = %.9g is beyond %.9g, up to which %s is known to be stable for a = "
                       "%g; choose a smaller dt, more steps, or force=1",
                       nu, largest_nu(p), names[p->scheme], p->a);
    return OK;
}

static enum status set_steps(const struct params *at, struct parabolic *p)
{
    const double m = (double)(p->n + 1), end = get(at, "T");
    const bool given = get(at, "steps") > 0;
    p->dt = get(at, "dt") > 0 ? get(at, "dt") : get(at, "lambda") / (m * m);
    const double steps = given ? get(at, "steps") : fmax(1, round(end / p->dt));
    if (!(steps <= MOST_STEPS))
        return because(ERR_ARGS,
                       "T = %g is %.3g steps of dt = %g, and %g are the most; choose a larger "
                       "lambda or dt, or give the steps",
                       end, steps, p->dt, MOST_STEPS);
    p->steps = (size_t)steps;
    if (!given)
        p->dt = end / steps;
    return OK;
}

static enum status set_snapshot(const struct params *at, struct parabolic *p)
{
    const double part = get(at, "snapshot"), after = round(part * (double)p->steps);
    p->snapshot = (size_t)after;
    if (!(part > 0))
        return OK;
    if (p->scheme == LEAPFROG_HOPSCOTCH)
        return because(ERR_ARGS, "leapfrog-hopscotch has red and black at the same time only at "
                                 "the end; leave snapshot out, or choose another scheme");
    if (!(after >= 1 && after < (double)p->steps))
        return because(ERR_ARGS,
                       "snapshot=%g is after step %g of %zu; it must come after step 1 at the "
                       "earliest and before the last one",
                       part, after, p->steps);
    return OK;
}

enum status parabolic_setup(const struct params *at, struct parabolic *out)
{
    const int model = at->problem->code;
    struct parabolic p = {.n = (size_t)get_long(at, "N"),
                          .model = model,
                          .scheme = (int)get_long(at, "scheme"),
                          .a = model == 3 ? get(at, "a") : 0,
                          .printed_ic = model == 4 && get_long(at, "ic") == 1,
                          .rows = (size_t)get_long(at, "rows"),
                          .amplitude = 1};
    enum status status = set_steps(at, &p);
    if (status == OK)
        status = set_snapshot(at, &p);
    if (status == OK && get_long(at, "force") == 0)
        status = check_stability(&p);
    if (status == OK)
        *out = p;
    return status;
}

static enum status create(struct instance *in)
{
    struct parabolic given;
    enum status status = parabolic_setup(&in->at, &given);
    if (status != OK)
        return status;
    const size_t points = given.n + 2;
    status = instance_make(in, &given, sizeof given, points * sizeof *given.axis);
    if (status != OK)
        return status;
    struct parabolic *const p = in->data;
    double *const axis = (double *)(p + 1);
    for (size_t k = 0; k < points; k++)
        axis[k] = along(p, coordinate(p, k));
    p->axis = axis;
    in->count = p->n * p->n * (p->snapshot > 0 ? 2 : 1);
    return OK;
}

/* Another amplitude, in [1,2): everything is linear. */
static void vary(struct instance *in, uint64_t seed)
{
    struct parabolic *p = in->data;
    p->amplitude = seed == 0 ? 1 : 1 + uniform(seed, 0);
}

/* --- against the exact solution, everywhere --- */

/* One field of an answer, at time t. */
struct field {
    const struct parabolic *p;
    const struct solution *got;
    size_t first; /* of its values */
    double t, factor;
};

/* What was seen of a field. */
struct scan {
    double error, most;      /* largest |u - exact|, largest |exact| */
    double roughness;        /* largest distance of u - exact from the mean of its four diagonal
                                neighbours, which have its colour, times 4 */
    size_t rough_i, rough_j; /* where that is */
    size_t error_i, error_j;
    size_t broken_i, broken_j; /* the first point that is not finite; 0, 0: there is none */
};

static double off(const struct field *f, size_t i, size_t j)
{
    const size_t n = f->p->n;
    if (i == 0 || i == n + 1 || j == 0 || j == n + 1)
        return 0;
    return value_at(f->got, f->first + (j - 1) * n + i - 1) -
           f->factor * product(f->p, f->p->axis[i], f->p->axis[j]);
}

static struct scan scan_row(const struct field *f, size_t j)
{
    struct scan row = {.rough_i = 1, .rough_j = j, .error_i = 1, .error_j = j};
    for (size_t i = 1; i <= f->p->n; i++) {
        const double here = off(f, i, j);
        const double roughness = fabs(4 * here - (off(f, i - 1, j - 1) + off(f, i + 1, j - 1)) -
                                      (off(f, i - 1, j + 1) + off(f, i + 1, j + 1)));
        if (roughness > row.roughness) {
            row.roughness = roughness;
            row.rough_i = i;
        }
        if (fabs(here) > row.error)
            row.error_i = i;
        row.error = larger(row.error, fabs(here));
        row.most = larger(row.most, fabs(f->factor * product(f->p, f->p->axis[i], f->p->axis[j])));
        if (row.broken_i == 0 && !isfinite(here)) {
            row.broken_i = i;
            row.broken_j = j;
        }
    }
    return row;
}

static struct scan scan_field(const struct field *f, struct scan *rows)
{
    const size_t n = f->p->n;
#pragma omp parallel for schedule(static) if (n > 100)
    for (size_t j = 1; j <= n; j++)
        rows[j - 1] = scan_row(f, j);
    struct scan all = rows[0];
    for (size_t j = 1; j < n; j++) {
        const struct scan *row = &rows[j];
        if (row->roughness > all.roughness) {
            all.roughness = row->roughness;
            all.rough_i = row->rough_i;
            all.rough_j = row->rough_j;
        }
        if (row->error > all.error) {
            all.error_i = row->error_i;
            all.error_j = row->error_j;
        }
        all.error = larger(all.error, row->error);
        all.most = larger(all.most, row->most);
        if (all.broken_i == 0) {
            all.broken_i = row->broken_i;
            all.broken_j = row->broken_j;
        }
    }
    return all;
}

/* The largest value that a stable step can give. In the mean square over the grid it gives no more
 * than initial data, boundary and source do, which is as much as the exact solution has, or its
 * start where that is another; a phase that passes the mean square on to one point multiplies it by
 * N+1, and the two colours by 1 + 8 lambda at most, the sum of an explicit phase's coefficients. */
static double largest_stable(const struct parabolic *p)
{
    static const double size_of[5] = {0, 1, 7.39, 1, 2}; /* e^2; of 1 + xy */
    const double m = (double)(p->n + 1), lambda = p->dt * m * m;
    return m * (1 + 8 * lambda) * p->amplitude * (size_of[p->model] + (p->printed_ic ? 1 : 0));
}

/* --- against the discrete solution, bit for bit --- */

#pragma omp declare reduction(both                                                                 \
                              : struct agreement                                                   \
                              : omp_out = agree_both(omp_out, omp_in))                             \
    initializer(omp_priv = (struct agreement){0, 0})

static enum status compare(const struct parabolic *p, const struct solution *got,
                           const struct patch *patch, struct agreement *out)
{
    const size_t n = p->n, fields = got->count / (n * n), w = patch->width, rows = patch->height;
    struct agreement all = {0, 0};
    struct solution reference;
    assert(fields * rows * w > 0);
    enum status status = reference_for(got, fields * rows * w, &reference);
    if (status == OK)
        status = got->precision == DOUBLE ? parabolic_reference_d(p, patch, reference.values)
                                          : parabolic_reference_s(p, patch, reference.values);
    if (status == OK) {
#pragma omp parallel for schedule(static) if (rows * w > 10000) reduction(both : all)
        for (size_t line = 0; line < fields * rows; line++) {
            const size_t field = line / rows, j = patch->j0 - 1 + line % rows;
            const size_t first = (field * n + j) * n + patch->i0 - 1;
            all = agree_both(all, hold_against(got, first, &reference, line * w, w));
        }
    }
    free(reference.values);
    *out = all;
    return status;
}

/* Patches take over where they are cheaper: a light cone spreads by a point in every phase. */
static bool takes_patches(const struct instance *in)
{
    const struct parabolic *p = in->data;
    const long choice = get_long(&in->at, "reference");
    const double area = (double)p->n * (double)p->n, records = (double)parabolic_records(p);
    const double cone = PATCH + 4 * records;
    return choice == 0 ? area * records > 0x1p28 && PATCHES / 3.0 * cone * cone < area
                       : choice != WHOLE;
}

/* Corners, edges, inside, elsewhere in every run since the amplitude is another; the last ones
 * around the points given. */
static void choose_patches(const struct parabolic *p, size_t (*around)[2], int special,
                           struct patch *patches)
{
    const size_t side = p->n < PATCH ? p->n : PATCH, room = p->n - side;
    uint64_t seed;
    memcpy(&seed, &p->amplitude, sizeof seed);
    for (int k = 0; k < PATCHES; k++) {
        size_t at[2];
        for (int axis = 0; axis < 2; axis++)
            at[axis] =
                (size_t)(uniform(seed, 2 * (uint64_t)k + (uint64_t)axis) * (double)(room + 1));
        if (k < 4) {
            at[0] = k % 2 == 0 ? 0 : room;
            at[1] = k / 2 == 0 ? 0 : room;
        } else if (k < 8) {
            at[k / 2 % 2] = k % 2 == 0 ? 0 : room;
        } else if (k >= PATCHES - special) {
            for (int axis = 0; axis < 2; axis++) {
                const size_t i = around[PATCHES - 1 - k][axis] - 1;
                const size_t from = i < side / 2 ? 0 : i - side / 2;
                at[axis] = from < room ? from : room;
            }
        }
        patches[k] = (struct patch){1 + at[0], 1 + at[1], side, side};
    }
}

/* What 16 patches leave unseen: nothing that a variant does wrong everywhere, at an edge, in a
 * colour, a row parity or a time step, for a patch has all of these. A fault at single points or at
 * seams far from all patches makes u - exact rough where a discretisation error is smooth, and one
 * of a whole region makes it large; so two patches of every field lie around its roughest point and
 * its largest error, or around the first value that is not finite. */
static enum status hold_against_reference(const struct instance *in, const struct solution *got,
                                          const struct scan *scans, struct agreement *out)
{
    const struct parabolic *p = in->data;
    const int fields = (int)(got->count / (p->n * p->n));
    const int count = takes_patches(in) ? PATCHES : 1;
    struct patch patches[PATCHES] = {{1, 1, p->n, p->n}};
    struct agreement parts[PATCHES];
    enum status statuses[PATCHES];
    if (count > 1) {
        size_t around[4][2];
        for (int f = 0; f < fields; f++) {
            const bool broken = scans[f].broken_i > 0;
            around[2 * f][0] = broken ? scans[f].broken_i : scans[f].rough_i;
            around[2 * f][1] = broken ? scans[f].broken_j : scans[f].rough_j;
            around[2 * f + 1][0] = scans[f].error_i;
            around[2 * f + 1][1] = scans[f].error_j;
        }
        choose_patches(p, around, 2 * fields, patches);
    }
    /* A single patch, which is the whole, is computed by all cores: outside of this region, since
     * within even an inactive one each loop would start threads of its own. */
    if (count == 1)
        statuses[0] = compare(p, got, &patches[0], &parts[0]);
    else
#pragma omp parallel for schedule(dynamic)
        for (int k = 0; k < count; k++)
            statuses[k] = compare(p, got, &patches[k], &parts[k]);
    *out = (struct agreement){0, 0};
    for (int k = 0; k < count; k++) {
        if (statuses[k] != OK) /* its sentence may be another thread's */
            return because(statuses[k], "there is no memory to judge the answer");
        *out = agree_both(*out, parts[k]);
    }
    return OK;
}

/* --- the judgement --- */

/* The sum of a field times sin(pi x) sin(pi y); rows are fixed and added in their order, so the
 * number of threads changes no digit. */
static enum status project(const struct field *f, double *out)
{
    const size_t n = f->p->n;
    long double sum = 0, *rows = malloc(n * sizeof *rows);
    if (rows == NULL)
        return because(ERR_MEMORY, "there is no memory to judge the solution");
#pragma omp parallel for schedule(static) if (n > 100)
    for (size_t j = 1; j <= n; j++) {
        long double row = 0;
        for (size_t i = 1; i <= n; i++)
            row += (long double)(f->p->axis[i] * value_at(f->got, f->first + (j - 1) * n + i - 1));
        rows[j - 1] = row * (long double)f->p->axis[j];
    }
    for (size_t j = 0; j < n; j++)
        sum += rows[j];
    free(rows);
    *out = (double)sum;
    return OK;
}

/* The factor by which time passes too fast or too slowly, from how the slowest mode decays. */
static enum status add_diffusivity(const struct field *fields, struct judgement *out)
{
    double p1 = 0, p2 = 0;
    enum status status = project(&fields[0], &p1);
    if (status == OK)
        status = project(&fields[1], &p2);
    if (status == OK)
        add_metric(out, "diffusivity", -log(p2 / p1) / (2 * PI * PI * (fields[1].t - fields[0].t)));
    return status;
}

static enum status conclude(const struct field *fields, const struct scan *scans, int count,
                            const struct agreement *agreement, struct judgement *out)
{
    const double most = agreement->most, stable = largest_stable(fields->p); /* of the reference */
    const bool good = most <= stable;
    if (!good)
        return because(
            ERR_DIVERGED,
            "the scheme is unstable here: u reaches %.3g, and from these data a stable one "
            "at most %.3g; choose a smaller lambda or dt",
            most, stable);
    for (int f = 0; f < count; f++)
        if (scans[f].broken_i > 0)
            return because(WRONG, "u at i = %zu, j = %zu%s is not a finite number, and should be",
                           scans[f].broken_i, scans[f].broken_j,
                           f < count - 1 ? " of the snapshot" : "");
    out->error = relative_error(*agreement);
    out->inherent = 0;
    const double solution = larger(most, scans[count - 1].most);
    return within_range((long double)solution, fields->got->precision);
}

static enum status judge(const struct instance *in, const struct solution *got,
                         struct judgement *out)
{
    const struct parabolic *p = in->data;
    const size_t n = p->n;
    const int count = p->snapshot > 0 ? 2 : 1;
    struct field fields[2];
    struct scan scans[2], *rows = malloc(n * sizeof *rows);
    struct agreement agreement;
    enum status status = OK;
    assert(got->count == (size_t)count * n * n);
    if (rows == NULL) {
        status = because(ERR_MEMORY, "there is no memory to judge the solution");
        goto cleanup;
    }
    for (int f = 0; f < count; f++) {
        const size_t steps = f < count - 1 ? p->snapshot : p->steps;
        const double t = (double)steps * p->dt;
        fields[f] = (struct field){p, got, (size_t)f * n * n, t, parabolic_frame_factor(p, t)};
        scans[f] = scan_field(&fields[f], rows);
    }
    const struct scan *const last = &scans[count - 1];
    add_metric(out, "error_linf", last->error);
    if (last->most >= DBL_MIN) /* below, nothing can be relative to it */
        add_metric(out, "rel_error_linf", last->error / last->most);
    out->h = 1 / (double)(n + 1);
    out->steps = (double)p->steps;
    if (count == 2 && p->model == 1)
        status = add_diffusivity(fields, out);
    if (status == OK)
        status = hold_against_reference(in, got, scans, &agreement);
    if (status == OK)
        status = conclude(fields, scans, count, &agreement, out);
cleanup:
    free(rows);
    return status;
}

static void dump(const struct instance *in, const struct solution *got, FILE *file)
{
    const struct parabolic *p = in->data;
    const size_t n = p->n, first = in->count - n * n; /* the end's values */
    for (size_t k = 0; k < n * n; k++)
        fprintf(file, "%zu,%zu,%.17g\n", k % n + 1, k / n + 1, value_at(got, first + k));
}

#define CALLS                                                                                      \
    .dump_header = "i,j,u", .create = create, .vary = vary, .judge = judge, .dump = dump,          \
    .destroy = instance_free

const struct problem parabolic_problems[] = {
    {.id = "model1",
     .title = "u_t = u_xx + u_yy, u = exp(-2 pi^2 t) sin(pi x) sin(pi y)",
     .source = "Foster 2011, Section 4.1, Model 1",
     .parameters = parameters,
     .code = 1,
     CALLS},
    {.id = "model2",
     .title = "u_t = u_xx + u_yy - u_x - u_y - u, u = exp(-t + x + y)",
     .source = "Foster 2011, Section 4.1, Model 2",
     .parameters = parameters,
     .code = 2,
     CALLS},
    {.id = "model3",
     .title = "u_t = u_xx + u_yy + sin(ax) cos(ay) u_x - cos(ax) sin(ay) u_y - u, u = exp(-(2 a^2 "
              "+ 1) t) sin(ax) sin(ay)",
     .source = "Foster 2011, Section 4.1, Model 3",
     .parameters = model3_parameters,
     .code = 3,
     CALLS},
    {.id = "model4",
     .title =
         "u_t = u_xx + u_yy + u_x + u_y + u + (1+xy) cos t - (1+x)(1+y) sin t, u = (1+xy) sin t",
     .source = "Foster 2011, Section 4.1, Model 4",
     .parameters = model4_parameters,
     .code = 4,
     CALLS},
    {.id = NULL},
};
