/*
 * What theory says of an answer, reported beside the judgement: how far it is from the limit of the
 * iteration and from exp(tA) y0, and the spectral radii that decide in the long run.
 */
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/pi.h"
#include "../common/shelf.h"
#include "../common/solution.h"

/* Values of an answer up to which its limit is computed, and products up to which exp(tA) is. */
enum { LIMIT_VALUES = 1 << 19, EXACT_PRODUCTS = 30000000 };

/* --- distances from what is kept of the data: of an answer's values, in its order --- */

/* False: it cannot be found. */
typedef bool find_values(const struct waveform *p, double *y);

/* From point `first` on. Where it cannot be found, a NaN stands for it, so that it is not looked
 * for again. */
static double off_from(const struct waveform *p, const struct solution *got, double what,
                       find_values *find, size_t first)
{
    const size_t values = p->d * p->points, bytes = values * sizeof(double);
    const double key[KEYS] = {what, p->amplitude};
    double *y = shelf_find(p->shelf, key), off = 0;
    if (y == NULL) {
        shelf_room(p->shelf, bytes);
        y = malloc(bytes + 1);
        if (y == NULL)
            return NAN;
        if (!find(p, y))
            y[0] = NAN;
        shelf_put(p->shelf, key, y, bytes, free);
    }
    if (isnan(y[0]))
        return NAN;
    for (size_t i = 0; i < values; i += p->points)
        for (size_t n = first; n < p->points; n++)
            off = larger(off, fabs(value_at(got, i + n) - y[i + n]));
    return off;
}

static bool find_limit(const struct waveform *p, double *y)
{
    struct stepper stepper = {.p = p};
    bool found = stepper_make(p, &stepper) == OK;
    memset(y, 0, p->d * p->points * sizeof *y);
    while (found && stepper.n + 1 < p->points) {
        found = stepper_next(&stepper) == OK;
        for (size_t i = 0; i < p->d; i++)
            y[i * p->points + stepper.n] = stepper.y[i];
    }
    let_go(&stepper.memory);
    return found;
}

double theory_off_limit(const struct waveform *p, const struct solution *got)
{
    const size_t first = (size_t)waveform_methods[p->method].steps; /* the start is no iterate */
    return p->d * p->points <= LIMIT_VALUES ? off_from(p, got, LIMIT_OF_ITERATES, find_limit, first)
                                            : (double)NAN;
}

/* --- exp(tA) y0, by its power series on parts of a step --- */

static double norm_of(const struct waveform *p)
{
    double norm = 0;
    for (size_t i = 0; i < p->d; i++) {
        double row = fabs(p->diagonal[i]) + p->all * (double)p->d;
        for (int b = 0; b < p->bands; b++)
            row += fabs(p->band[b][i]);
        for (size_t j = 0; j < p->d && p->full != NULL; j++)
            row += j != i ? fabs(p->full[i * p->d + j]) : 0;
        norm = larger(norm, row);
    }
    return norm;
}

/* Over a time t with |tA| at most 1. */
static void exponential(const struct waveform *p, const struct scheme *of, double t, double *y,
                        double *term, double *f)
{
    double largest = 1, size = 1;
    memcpy(term, y, p->d * sizeof *y);
    for (int k = 1; k < 40 && size > 1e-18 * largest; k++) {
        const double sum = reference_sum(p, term);
        for (size_t i = 0; i < p->d; i++)
            f[i] = t / k * reference_product(p, PICARD, of, term, sum, i, 0);
        size = largest = 0;
        for (size_t i = 0; i < p->d; i++) {
            term[i] = f[i];
            y[i] += f[i];
            size = larger(size, fabs(f[i]));
            largest = larger(largest, fabs(y[i]));
        }
    }
}

/* Parts of a step, so many that |tA| is at most 1. */
static double parts_of(const struct waveform *p)
{
    return ceil(p->h * norm_of(p));
}

static bool find_exact(const struct waveform *p, double *out)
{
    struct memory local = {OK, NULL};
    struct scheme of;
    const double parts = parts_of(p);
    (void)waveform_scheme(p, PICARD, &local, &of);
    double *const y = take(&local, 3 * p->d * sizeof *y);
    const bool found = local.status == OK;
    for (size_t i = 0; i < p->d && found; i++)
        y[i] = waveform_first(p, i, 0);
    for (size_t n = 0; n < p->points && found; n++) {
        for (double part = 0; part < parts && n > 0; part++)
            exponential(p, &of, p->h / parts, y, y + p->d, y + 2 * p->d);
        for (size_t i = 0; i < p->d; i++)
            out[i * p->points + n] = y[i];
    }
    let_go(&local);
    return found;
}

double theory_off_exact(const struct waveform *p, const struct solution *got)
{
    if (p->g != NULL || p->full != NULL)
        return NAN;
    const double products = parts_of(p) * 20 * (double)p->points * (double)p->d;
    return products <= EXACT_PRODUCTS ? off_from(p, got, EXACT_SOLUTION, find_exact, 0)
                                      : (double)NAN;
}

/* --- spectral radii --- */

/* The radius of the matrix whose component i is weight_i (M y)_i, M without negative numbers or
 * symmetric with one eigenvalue that is larger than all others; NaN: not found.
 * y[2][d] is room. */
static double power_iteration(const struct waveform *p, const struct scheme *of,
                              enum relaxation relaxation, const double *weight, double shift,
                              double *y)
{
    enum { MOST = 100000, QUIET = 20 };
    double *const next = y + p->d;
    double radius = NAN;
    int quiet = 0;
    for (size_t i = 0; i < p->d; i++)
        y[i] = 1;
    for (int k = 0; k < MOST && quiet < QUIET; k++) {
        const double sum = reference_sum(p, y), before = radius;
        double largest = 0;
        for (size_t i = 0; i < p->d; i++) {
            next[i] = weight[i] * reference_product(p, relaxation, of, y, sum, i, 0) + shift * y[i];
            largest = larger(largest, fabs(next[i]));
        }
        for (size_t i = 0; i < p->d; i++)
            y[i] = next[i] / largest;
        radius = largest - shift;
        quiet = fabs(radius - before) <= 1e-14 * radius ? quiet + 1 : 0;
    }
    return quiet == QUIET ? radius : (double)NAN;
}

/* The radius of hA, of (I/h - D)^-1 R, or, as printed for the latter, of (1/h + 2)^-1 R. */
static double find_radius(const struct waveform *p, enum relaxation relaxation, bool printed)
{
    struct memory local = {OK, NULL};
    struct scheme of;
    double radius = NAN, shift = 0;
    double *const weight = take(&local, 3 * p->d * sizeof *weight);
    if (weight != NULL && waveform_scheme(p, relaxation, &local, &of) == OK) {
        for (size_t i = 0; i < p->d; i++) {
            weight[i] = relaxation == PICARD ? p->h
                        : printed            ? p->h / (1 + 2 * p->h)
                                             : 1 / (1 / p->h - p->diagonal[i]);
            shift = fmax(shift, relaxation == PICARD ? 0 : 0.1 * weight[i]);
        }
        radius = power_iteration(p, &of, relaxation, weight, shift, weight + p->d);
    }
    let_go(&local);
    return radius;
}

/* It hangs on no seed. */
static double radius_of(const struct waveform *p, enum relaxation relaxation, bool printed)
{
    const double key[KEYS] = {RADIUS_OF_ITERATION, relaxation, printed};
    double *kept = shelf_find(p->shelf, key);
    if (kept == NULL) {
        kept = malloc(sizeof *kept);
        if (kept == NULL)
            return NAN;
        *kept = find_radius(p, relaxation, printed);
        shelf_room(p->shelf, sizeof *kept);
        shelf_put(p->shelf, key, kept, sizeof *kept, free);
    }
    return *kept;
}

/* The same for tridiag(1, -2, 1), and for its like on m x m points. */
static double heat_radius(const struct waveform *p, enum relaxation relaxation)
{
    const double axes = p->bands / 2.0, side = axes > 1 ? sqrt((double)p->d) : (double)p->d;
    const double most = 2 * axes * cos(PI / (side + 1));
    return relaxation == PICARD ? p->h * (2 * axes + most) : most / (1 / p->h + 2 * axes);
}

double theory_add_radii(const struct instance *in, enum relaxation relaxation,
                        struct judgement *out)
{
    const struct waveform *p = in->data;
    const bool control = in->at.problem->code == CONTROL;
    if (p->method != 0 || p->full != NULL || get(&in->at, "skew") != 0 ||
        (control && get(&in->at, "radius") == 0))
        return NAN;
    const double radius = control ? radius_of(p, relaxation, false) : heat_radius(p, relaxation);
    add_metric(out, "spectral_radius", radius);
    if (control && relaxation == JACOBI)
        add_metric(out, "radius_printed", radius_of(p, relaxation, true));
    return radius;
}
