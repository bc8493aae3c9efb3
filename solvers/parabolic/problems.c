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
#include "../common/shelf.h"
#include "../common/solution.h"
#include "../common/widest.h"
#include "machine/ranks.h"

enum { WHOLE = 1, PATCHES = 16, PATCH = 48 }; /* PATCH: points per side */
enum { MOST_KEPT = 4 };                       /* references, in double */

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
        "what an answer is held against; auto: the whole of u0, and of grids up to 2^28 updates"
#define FLOW                                                                                       \
    "a", REAL, 1, 1e-3, 1e3, NULL, "of the coefficients and the solution; the paper has no value"
#define START                                                                                      \
    "ic", CHOICE, 0, 0, 1, "exact|printed", "printed: sin(pi x) sin(pi y), not the solution's"
#define FORCE "force", INTEGER, 0, 0, 1, NULL, "1: also beyond the limit of stability"

static const struct parameter parameters[] = {
    {SIZE}, {LAMBDA},   {DT},        {END},   {STEPS},         {SCHEME},
    {ROWS}, {SNAPSHOT}, {REFERENCE}, {FORCE}, RANKS_PARAMETER, {.name = NULL},
};
static const struct parameter model3_parameters[] = {
    {SIZE}, {LAMBDA},   {DT},        {END},   {STEPS},         {SCHEME},       {FLOW},
    {ROWS}, {SNAPSHOT}, {REFERENCE}, {FORCE}, RANKS_PARAMETER, {.name = NULL},
};
static const struct parameter model4_parameters[] = {
    {SIZE}, {LAMBDA},   {DT},        {END},   {STEPS},         {SCHEME},       {START},
    {ROWS}, {SNAPSHOT}, {REFERENCE}, {FORCE}, RANKS_PARAMETER, {.name = NULL},
};

static const struct input inputs[] = {
    {"u0", "j,i",
     "initial values inside, N x N: a row along x for each j; the boundary stays the model's"},
    {.name = NULL},
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
    const bool inside = i >= 1 && i <= p->n && j >= 1 && j <= p->n;
    if (p->u0 != NULL && inside)
        return p->amplitude * p->u0[(j - 1) * p->n + i - 1];
    if (p->printed_ic)
        return p->amplitude * (sin(PI * coordinate(p, i)) * sin(PI * coordinate(p, j)));
    const double factor = p->model == 4 ? 0 : p->amplitude; /* of the frame, at t = 0 */
    return factor * parabolic_frame(p, i, j);
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

/* What an instance owns; the first part is what all know. */
struct owned {
    struct parabolic parabolic;
    struct shelf shelf; /* references of the whole */
    double axis[];      /* [N+2], then [N*N] of the user's */
};

static enum status read_start(const struct instance *in, struct parabolic *p, double *u0)
{
    const enum status status = read_input(&in->at, "u0", p->n, p->n, u0);
    for (size_t k = 0; k < p->n * p->n && status == OK; k++)
        p->u0_most = fmax(p->u0_most, fabs(u0[k]));
    p->u0 = u0;
    return status;
}

static void destroy(struct instance *in)
{
    const struct parabolic *const p = in->data;
    if (p != NULL)
        shelf_free(p->shelf);
    instance_free(in);
}

static enum status create(struct instance *in)
{
    struct parabolic given;
    enum status status = parabolic_setup(&in->at, &given);
    if (status != OK)
        return status;
    const bool own = get_input(&in->at, "u0") != NULL;
    if (own && get_long(&in->at, "reference") > WHOLE)
        return because(ERR_ARGS, "reference=patches finds single wrong values by the model's own "
                                 "solution, which u0 has not; leave it out, or choose whole");
    const size_t points = given.n + 2, values = points + (own ? given.n * given.n : 0);
    struct owned *const owned = calloc(1, sizeof *owned + values * sizeof *owned->axis);
    if (owned == NULL)
        return because(ERR_MEMORY, "there is no memory for an instance of %zu points", values);
    struct parabolic *const p = in->data = owned;
    double *const axis = owned->axis;
    *p = given;
    for (size_t k = 0; k < points; k++)
        axis[k] = along(p, coordinate(p, k));
    p->axis = axis;
    p->shelf = &owned->shelf;
    in->count = p->n * p->n * (p->snapshot > 0 ? 2 : 1);
    owned->shelf.limit = MOST_KEPT * in->count * sizeof(double);
    if (own)
        status = read_start(in, p, axis + points);
    if (status != OK)
        destroy(in);
    return status;
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

/* What was seen of a field, or of some of its rows. */
struct scan {
    double error, most;      /* largest |u - exact|, largest |exact| */
    double roughness;        /* largest distance of u - exact from the mean of its four diagonal
                                neighbours, which have its colour, times 4 */
    size_t rough_i, rough_j; /* where that is */
    size_t error_i, error_j;
    size_t broken_i, broken_j; /* the first point that is not finite; 0, 0: there is none */
};

/* u - exact along a row, [n+2]; on the boundary it is 0. Returns the largest |exact|. */
WIDEST static double find_off(const struct field *f, size_t j, double *off)
{
    const size_t n = f->p->n, first = f->first + (j - 1) * n;
    const double *const x = f->p->axis, y = f->p->axis[j], factor = f->factor;
    const bool product = f->p->model != 4;
    double most = 0;
    memset(off, 0, (n + 2) * sizeof *off);
    if (j == 0 || j == n + 1)
        return 0;
#define FIND_OFF(real)                                                                             \
    _Pragma("omp simd reduction(max : most)") for (size_t i = 1; i <= n; i++)                      \
    {                                                                                              \
        const double exact = factor * (product ? x[i] * y : 1 + x[i] * y);                         \
        off[i] = (double)((const real *)f->got->values)[first + i - 1] - exact;                    \
        most = fabs(exact) > most ? fabs(exact) : most;                                            \
    }
    if (f->got->precision == DOUBLE)
        FIND_OFF(double)
    else
        FIND_OFF(float)
    return most;
}

/* Row by row from south to north. */
static inline double roughness_at(const double *const *off, size_t i)
{
    return fabs(4 * off[1][i] - (off[0][i - 1] + off[0][i + 1]) - (off[2][i - 1] + off[2][i + 1]));
}

/* The largest values of a row, without NaN; `poison` is NaN after infinity or NaN. */
struct peaks {
    double error, roughness, poison;
};

WIDEST static struct peaks find_peaks(const double *const *off, size_t n)
{
    const double *const middle = off[1];
    double error = 0, roughness = 0, poison = 0;
#pragma omp simd reduction(max : error, roughness) reduction(+ : poison)
    for (size_t i = 1; i <= n; i++) {
        const double here = roughness_at(off, i);
        error = fabs(middle[i]) > error ? fabs(middle[i]) : error;
        roughness = here > roughness ? here : roughness;
        poison += 0 * middle[i];
    }
    return (struct peaks){error, roughness, poison};
}

/* Adds row j to what was seen of those before it. */
static void scan_row(const double *const *off, size_t n, size_t j, struct scan *seen)
{
    const struct peaks peaks = find_peaks(off, n);
    if (peaks.roughness > seen->roughness) {
        seen->roughness = peaks.roughness;
        seen->rough_i = 1;
        seen->rough_j = j;
        while (!(roughness_at(off, seen->rough_i) >= peaks.roughness))
            seen->rough_i++;
    }
    if (peaks.error > seen->error) {
        seen->error_i = 1;
        seen->error_j = j;
        while (!(fabs(off[1][seen->error_i]) >= peaks.error))
            seen->error_i++;
    }
    seen->error = larger(seen->error, peaks.error);
    for (size_t i = 1; i <= n && peaks.poison != 0; i++) {
        seen->error = larger(seen->error, fabs(off[1][i]));
        if (seen->broken_i == 0 && !isfinite(off[1][i])) {
            seen->broken_i = i;
            seen->broken_j = j;
        }
    }
}

/* Rows first+1 .. last of a field; room[3][n+2]. */
static struct scan scan_rows(const struct field *f, size_t first, size_t last, double *room)
{
    const size_t n = f->p->n;
    const double *off[3] = {NULL, NULL, NULL};
    struct scan seen = {.rough_i = 1, .rough_j = first + 1, .error_i = 1, .error_j = first + 1};
    for (size_t j = first; j <= last + 1; j++) {
        double *const next = room + j % 3 * (n + 2);
        seen.most = larger(seen.most, find_off(f, j, next));
        off[0] = off[1];
        off[1] = off[2];
        off[2] = next;
        if (j >= first + 2)
            scan_row(off, n, j - 1, &seen);
    }
    return seen;
}

/* What was seen first counts, as if there were one pass over all rows. */
static void add_scan(struct scan *all, const struct scan *later)
{
    if (later->roughness > all->roughness) {
        all->roughness = later->roughness;
        all->rough_i = later->rough_i;
        all->rough_j = later->rough_j;
    }
    if (later->error > all->error) {
        all->error_i = later->error_i;
        all->error_j = later->error_j;
    }
    all->error = larger(all->error, later->error);
    all->most = larger(all->most, later->most);
    if (all->broken_i == 0) {
        all->broken_i = later->broken_i;
        all->broken_j = later->broken_j;
    }
}

enum { STRIP = 32 }; /* rows that one thread scans */

static enum status scan_field(const struct field *f, struct scan *out)
{
    const size_t n = f->p->n, strips = (n - 1) / STRIP + 1;
    struct scan *const seen = malloc(strips * sizeof *seen);
    bool room = seen != NULL;
#pragma omp parallel if (n > 100) reduction(&& : room)
    {
        double *const off = malloc(3 * (n + 2) * sizeof *off);
        room = room && off != NULL;
#pragma omp for schedule(static)
        for (size_t k = 0; k < strips; k++)
            if (room)
                seen[k] = scan_rows(f, k * STRIP, k < strips - 1 ? (k + 1) * STRIP : n, off);
        free(off);
    }
    if (room)
        *out = seen[0];
    for (size_t k = 1; k < strips && room; k++)
        add_scan(out, &seen[k]);
    free(seen);
    return room ? OK : because(ERR_MEMORY, "there is no memory to judge the solution");
}

/* The largest value that a stable step can give. In the mean square over the grid it gives no more
 * than initial data, boundary and source do, which is as much as the exact solution has, or its
 * start where that is another; a phase that passes the mean square on to one point multiplies it by
 * N+1, and the two colours by 1 + 8 lambda at most, the sum of an explicit phase's coefficients. */
static double largest_stable(const struct parabolic *p)
{
    static const double size_of[5] = {0, 1, 7.39, 1, 2}; /* e^2; of 1 + xy */
    const double m = (double)(p->n + 1), lambda = p->dt * m * m;
    const double start = p->u0 != NULL ? p->u0_most : p->printed_ic ? 1 : 0;
    return m * (1 + 8 * lambda) * p->amplitude * (size_of[p->model] + start);
}

/* --- against the discrete solution, bit for bit --- */

#pragma omp declare reduction(both                                                                 \
                              : struct agreement                                                   \
                              : omp_out = agree_both(omp_out, omp_in))                             \
    initializer(omp_priv = (struct agreement){0, 0})

static enum status find_reference(const struct parabolic *p, const struct patch *patch,
                                  struct solution *out)
{
    return out->precision == DOUBLE ? parabolic_reference_d(p, patch, out->values)
                                    : parabolic_reference_s(p, patch, out->values);
}

static void compare(const struct parabolic *p, const struct solution *got,
                    const struct patch *patch, const struct solution *reference,
                    struct agreement *out)
{
    const size_t n = p->n, fields = got->count / (n * n), w = patch->width, rows = patch->height;
    struct agreement all = {0, 0};
#pragma omp parallel for schedule(static) if (rows * w > 10000) reduction(both : all)
    for (size_t line = 0; line < fields * rows; line++) {
        const size_t field = line / rows, j = patch->j0 - 1 + line % rows;
        const size_t first = (field * n + j) * n + patch->i0 - 1;
        all = agree_both(all, hold_against(got, first, reference, line * w, w));
    }
    *out = all;
}

/* A patch hangs on the answer, and is cheap. */
static enum status compare_patch(const struct parabolic *p, const struct solution *got,
                                 const struct patch *patch, struct agreement *out)
{
    const size_t fields = got->count / (p->n * p->n);
    struct solution reference;
    enum status status = reference_for(got, fields * patch->width * patch->height, &reference);
    if (status == OK)
        status = find_reference(p, patch, &reference);
    if (status == OK)
        compare(p, got, patch, &reference, out);
    free(reference.values);
    return status;
}

/* The whole hangs on the data alone, and on the precision. */
static enum status compare_whole(const struct parabolic *p, const struct solution *got,
                                 struct agreement *out)
{
    const struct patch whole = {1, 1, p->n, p->n};
    const size_t bytes = got->count * value_size(got->precision);
    const double key[KEYS] = {p->amplitude, got->precision == DOUBLE};
    struct solution reference = {got->precision, got->count, shelf_find(p->shelf, key)};
    enum status status = OK;
    if (reference.values == NULL) {
        shelf_room(p->shelf, bytes);
        status = reference_for(got, got->count, &reference);
        if (status == OK)
            status = find_reference(p, &whole, &reference);
        if (status == OK)
            shelf_put(p->shelf, key, reference.values, bytes, free);
        else
            free(reference.values);
    }
    if (status == OK)
        compare(p, got, &whole, &reference, out);
    return status;
}

/* Patches take over where they are cheaper: a light cone spreads by a point in every phase. Where
 * they lie u minus the model's solution says, which says nothing of the user's initial values. */
static bool takes_patches(const struct instance *in)
{
    const struct parabolic *p = in->data;
    const long choice = get_long(&in->at, "reference");
    const double area = (double)p->n * (double)p->n, records = (double)parabolic_records(p);
    const double cone = PATCH + 4 * records;
    return choice == 0
               ? p->u0 == NULL && area * records > 0x1p28 && PATCHES / 3.0 * cone * cone < area
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
static enum status compare_patches(const struct parabolic *p, const struct solution *got,
                                   const struct scan *scans, struct agreement *out)
{
    const int fields = (int)(got->count / (p->n * p->n));
    struct patch patches[PATCHES];
    struct agreement parts[PATCHES];
    enum status statuses[PATCHES];
    size_t around[4][2];
    for (int f = 0; f < fields; f++) {
        const bool broken = scans[f].broken_i > 0;
        around[2 * f][0] = broken ? scans[f].broken_i : scans[f].rough_i;
        around[2 * f][1] = broken ? scans[f].broken_j : scans[f].rough_j;
        around[2 * f + 1][0] = scans[f].error_i;
        around[2 * f + 1][1] = scans[f].error_j;
    }
    choose_patches(p, around, 2 * fields, patches);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < PATCHES; k++)
        statuses[k] = compare_patch(p, got, &patches[k], &parts[k]);
    *out = (struct agreement){0, 0};
    for (int k = 0; k < PATCHES; k++) {
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
    const struct parabolic *const p = fields->p;
    const double most = agreement->most, stable = largest_stable(p); /* of the reference */
    const enum status start =
        values_within_range("u0", (long double)(p->amplitude * p->u0_most), fields->got->precision);
    const bool good = most <= stable, infinite = !isfinite(most);
    if (start != OK)
        return start;
    if (infinite && check_stability(p) == OK)
        return within_range((long double)INFINITY, fields->got->precision);
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
    const double exact = fields->p->u0 == NULL ? scans[count - 1].most : 0;
    const double solution = larger(most, exact);
    return within_range((long double)solution, fields->got->precision);
}

static enum status judge(const struct instance *in, const struct solution *got,
                         struct judgement *out)
{
    const struct parabolic *p = in->data;
    const size_t n = p->n;
    const int count = p->snapshot > 0 ? 2 : 1;
    struct field fields[2];
    struct scan scans[2];
    struct agreement agreement;
    enum status status = OK;
    assert(got->count == (size_t)count * n * n);
    for (int f = 0; f < count && status == OK; f++) {
        const size_t steps = f < count - 1 ? p->snapshot : p->steps;
        const double t = (double)steps * p->dt;
        fields[f] = (struct field){p, got, (size_t)f * n * n, t, parabolic_frame_factor(p, t)};
        status = scan_field(&fields[f], &scans[f]);
    }
    if (status != OK)
        return status;
    const struct scan *const last = &scans[count - 1];
    const bool exact = p->u0 == NULL; /* what the user's values become is not known */
    if (exact)
        add_metric(out, "error_linf", last->error);
    if (exact && last->most >= DBL_MIN) /* below, nothing can be relative to it */
        add_metric(out, "rel_error_linf", last->error / last->most);
    out->h = 1 / (double)(n + 1);
    out->steps = (double)p->steps;
    if (exact && count == 2 && p->model == 1)
        status = add_diffusivity(fields, out);
    if (status == OK)
        status = takes_patches(in) ? compare_patches(p, got, scans, &agreement)
                                   : compare_whole(p, got, &agreement);
    if (status == OK)
        status = conclude(fields, scans, count, &agreement, out);
    return status;
}

static void dump(const struct instance *in, const struct solution *got, FILE *file)
{
    const struct parabolic *p = in->data;
    const size_t n = p->n, first = in->count - n * n; /* the end's values */
    for (size_t k = 0; k < n * n; k++)
        fprintf(file, "%zu,%zu,%.17g\n", k % n + 1, k / n + 1, value_at(got, first + k));
}

static double in_square(const struct instance *in, const struct solution *got, int panel,
                        size_t row, size_t column)
{
    const struct parabolic *p = in->data;
    return value_at(got, ((size_t)panel * p->n + row) * p->n + column);
}

/* Of the snapshot, if there is one, and of the end. */
static void picture(const struct instance *in, struct picture *out)
{
    const struct parabolic *p = in->data;
    const double h = 1 / (double)(p->n + 1), end = (double)p->steps * p->dt;
    *out = (struct picture){.as = p->n > 1 ? MAP : CURVES,
                            .x = {"x", h, 1 - h, p->n},
                            .y = {"y", h, 1 - h, p->n},
                            .value = "u",
                            .panels = 1,
                            .when = {end},
                            .at = in_square};
    if (p->snapshot > 0) {
        out->panels = 2;
        out->when[0] = (double)p->snapshot * p->dt;
        out->when[1] = end;
    }
}

#define CALLS                                                                                      \
    .inputs = inputs, .dump_header = "i,j,u", .create = create, .vary = vary, .judge = judge,      \
    .dump = dump, .picture = picture, .destroy = destroy

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
