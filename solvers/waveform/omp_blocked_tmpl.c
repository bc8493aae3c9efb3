/*
 * OMP-BLOCKED: what a CPU can do where a component has few neighbours: several sweeps in one pass
 * over the points in time, of a window of components whose iterates stay in a cache, as gpu-blocked
 * has them in registers. Beside a window are as many components as there are sweeps, which go wrong
 * from its border on and are another window's. A pass that went too far is made again with fewer
 * sweeps.
 */
#include "rounded.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/order.h"
#include "../common/widest.h"
#include "stopping.h"

/* Sweeps of a pass, and components of a window's own. In a line all levels stay in the first cache,
 * in a plane in the second. */
enum {
    LINE_SWEEPS = 10,
    LINE_WINDOW = 256,
    PLANE_SWEEPS = 4,
    PLANE_ROWS = 56,
    PLANE_COLUMNS = 120,
    PLACES = 4 /* of a component and level: y, that before, F and that before */
};

struct window { /* a part of the plane, and around it what it reads; a line is a row */
    size_t row, rows, column, columns; /* its own */
    size_t top, height, left, width;   /* with what is around it */
};

struct blocked {
    struct memory memory;
    const struct waveform *in;
    struct P(rounded) scheme;
    struct progress progress;
    real band[MAX_BANDS]; /* alike for each component; 0 where there is none */
    size_t height, width; /* of the plane */
    size_t rows, columns; /* of a window */
    int most, threads;
    size_t places;  /* of a level in a window, with a border of zeros */
    real *y[2];     /* [N][d]; iterates, by turns */
    int from;       /* the newest one; -1: y^0 */
    real *levels;   /* [threads][most+1][PLACES][places] */
    double *errors; /* [threads][most], then [most] */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- a window --- */

static struct window window_of(const struct blocked *o, size_t index)
{
    const size_t across = (o->width - 1) / o->columns + 1;
    struct window w = {.row = index / across * o->rows, .column = index % across * o->columns};
    const size_t halo = (size_t)o->most, above = o->height > 1 ? halo : 0;
    w.rows = smaller(o->rows, o->height - w.row);
    w.columns = smaller(o->columns, o->width - w.column);
    w.top = w.row - smaller(w.row, above);
    w.left = w.column - smaller(w.column, halo);
    w.height = smaller(w.row + w.rows + above, o->height) - w.top;
    w.width = smaller(w.column + w.columns + halo, o->width) - w.left;
    return w;
}

static size_t pitch_of(const struct window *w)
{
    return w->width + 2;
}

/* What one row of a level is made of: of the level before y and its neighbours, of this one what
 * was before. */
struct line {
    const real *own, *above, *below;
    real *y, *y2, *f1, *f2;
};

static struct line line_of(const struct blocked *o, real *levels, const struct window *w, int k,
                           size_t row)
{
    const size_t at = (row + 1) * pitch_of(w) + 1;
    real *const here = levels + (size_t)k * PLACES * o->places + at;
    const real *const before = levels + (size_t)(k - 1) * PLACES * o->places + at;
    return (struct line){before,           before - pitch_of(w), before + pitch_of(w), here,
                         here + o->places, here + 2 * o->places, here + 3 * o->places};
}

INLINE real product(const struct blocked *o, const struct line *l, size_t i, bool plane)
{
    const real centre = o->scheme.centre[0], *const own = l->own + i;
    if (!plane)
        return centre * own[0] + o->band[0] * own[-1] + o->band[1] * own[1];
    return centre * own[0] + o->band[0] * l->above[i] + o->band[1] * own[-1] + o->band[2] * own[1] +
           o->band[3] * l->below[i];
}

/* The next point of a row; F is used once. */
INLINE void advance_simple(const struct blocked *o, const struct line *l, size_t count, bool plane)
{
    const real q1 = o->scheme.q1[0], w = o->scheme.w[0], b0 = o->scheme.b[0];
    real *restrict const y = l->y;
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        y[i] = q1 * y[i] + w * (b0 * product(o, l, i, plane));
}

INLINE void advance_lagged(const struct blocked *o, const struct line *l, size_t count, bool plane)
{
    const struct P(rounded) *const s = &o->scheme;
    for (size_t i = 0; i < count; i++) {
        const real f = product(o, l, i, plane), before = l->y[i];
        const real sum = s->b[0] * f + s->b[1] * l->f1[i] + s->b[2] * l->f2[i];
        l->y[i] = s->q1[0] * before + s->q2[0] * l->y2[i] + s->w[0] * sum;
        l->y2[i] = before;
        l->f2[i] = l->f1[i];
        l->f1[i] = f;
    }
}

WIDEST static void advance(const struct blocked *o, const struct line *l, size_t count)
{
    const bool plane = o->height > 1;
    const bool simple = o->scheme.steps == 1 && o->scheme.b[1] == 0;
    if (simple && plane)
        advance_simple(o, l, count, true);
    else if (simple)
        advance_simple(o, l, count, false);
    else
        advance_lagged(o, l, count, plane);
}

/* NaN and infinity come through. */
WIDEST static double largest_difference(const real *a, const real *b, size_t count)
{
    real most = 0, poison = 0;
#pragma omp simd reduction(max : most) reduction(+ : poison)
    for (size_t k = 0; k < count; k++) {
        const real off = a[k] < b[k] ? b[k] - a[k] : a[k] - b[k];
        most = off > most ? off : most;
        poison += 0 * off;
    }
    return poison == 0 ? (double)most : (double)NAN;
}

static bool is_larger(double a, double b)
{
    return isnan(a) || a > b;
}

/* The first points, which all levels share, F there, and a border of zeros. */
static void begin_levels(const struct blocked *o, real *levels, const struct window *w, int count)
{
    const size_t d = o->in->d, steps = (size_t)o->scheme.steps;
    memset(levels, 0, (size_t)(count + 1) * PLACES * o->places * sizeof *levels);
    for (int k = 0; k <= count; k++)
        for (size_t n = 0; n < steps; n++)
            for (size_t r = 0; r < w->height; r++) {
                real *const to = levels + ((size_t)k * PLACES + (steps - 1 - n)) * o->places;
                memcpy(to + (r + 1) * pitch_of(w) + 1,
                       o->y[0] + n * d + (w->top + r) * o->width + w->left, w->width * sizeof *to);
            }
    for (int k = 1; k <= count; k++)
        for (size_t r = 0; r < w->height; r++) {
            const struct line l = line_of(o, levels, w, k, r);
            const ptrdiff_t down = (ptrdiff_t)o->places; /* to the point before, of level k-1 */
            const struct line l2 = {l.own + down, l.above + down, l.below + down, 0, 0, 0, 0};
            for (size_t i = 0; i < w->width; i++) {
                l.f1[i] = product(o, &l, i, o->height > 1);
                l.f2[i] = steps == 2 ? product(o, &l2, i, o->height > 1) : 0;
            }
        }
}

/* All levels at a point. */
static void carry_point(const struct blocked *o, real *levels, const struct window *w, int count,
                        double *errors)
{
    const size_t side = w->column - w->left;
    for (int k = 1; k <= count; k++) {
        for (size_t r = 0; r < w->height; r++) {
            const struct line l = line_of(o, levels, w, k, r);
            advance(o, &l, w->width);
        }
        for (size_t r = w->row - w->top; r < w->row - w->top + w->rows; r++) {
            const struct line l = line_of(o, levels, w, k, r);
            const double off = largest_difference(l.y + side, l.own + side, w->columns);
            if (is_larger(off, errors[k - 1]))
                errors[k - 1] = off;
        }
    }
}

static void carry_window(const struct blocked *o, const struct window *w, int count, real *levels,
                         double *errors)
{
    const size_t d = o->in->d, steps = (size_t)o->scheme.steps;
    const real *const in = o->y[o->from < 0 ? 0 : o->from];
    real *const out = o->y[o->from < 0 ? 0 : 1 - o->from];
    begin_levels(o, levels, w, count);
    for (size_t n = steps; n < o->in->points; n++) {
        const real *const from = in + (o->from < 0 ? 0 : n * d) + w->top * o->width + w->left;
        for (size_t r = 0; r < w->height; r++)
            memcpy(levels + (r + 1) * pitch_of(w) + 1, from + r * o->width,
                   w->width * sizeof *from);
        carry_point(o, levels, w, count, errors);
        const real *const last = levels + (size_t)count * PLACES * o->places;
        for (size_t r = 0; r < w->rows; r++)
            memcpy(out + n * d + (w->row + r) * o->width + w->column,
                   last + (w->row - w->top + r + 1) * pitch_of(w) + 1 + w->column - w->left,
                   w->columns * sizeof *out);
    }
}

/* --- the calls --- */

static real entry_of(const real *band, size_t d)
{
    for (size_t i = 0; i < d; i++)
        if (band[i] != 0)
            return band[i];
    return 0;
}

static void set_shape(struct blocked *o)
{
    const struct waveform *const p = o->in;
    const bool plane = p->bands > 2;
    o->most = plane ? PLANE_SWEEPS : LINE_SWEEPS;
    o->width = plane ? (size_t)p->offset[3] : p->d;
    o->height = p->d / o->width;
    o->columns = plane ? PLANE_COLUMNS : LINE_WINDOW;
    o->rows = plane ? PLANE_ROWS : 1;
    const size_t around = 2 * (size_t)o->most + 2;
    o->places = (o->columns + around) * (o->rows + (plane ? around : 2));
    o->threads = omp_get_max_threads();
}

static enum status plan(const struct instance *in, enum relaxation relaxation, void **state)
{
    const struct waveform *p = in->data;
    const int code = in->at.problem->code;
    if (p->dense || (code != HEAT1D && code != HEAT2D))
        return because(SKIPPED, "sweeps are carried together where a component has a few "
                                "neighbours, as on heat1d and heat2d with storage=sparse");
    struct blocked *o = owner_new(sizeof *o);
    if (o == NULL)
        return ERR_MEMORY;
    o->in = p;
    set_shape(o);
    const size_t levels = ((size_t)o->most + 1) * PLACES * o->places;
    for (int k = 0; k < 2; k++)
        o->y[k] = take(&o->memory, p->d * p->points * sizeof *o->y[k]);
    o->levels = take_filled(&o->memory, (size_t)o->threads * levels * sizeof *o->levels);
    o->errors = take(&o->memory, ((size_t)o->threads + 1) * (size_t)o->most * sizeof *o->errors);
    P(rounded_make)(p, relaxation, &o->memory, &o->scheme);
    progress_make(p, relaxation, !REAL_IS_DOUBLE, &o->memory, &o->progress);
    for (int b = 0; b < p->bands && o->memory.status == OK; b++)
        o->band[b] = entry_of(o->scheme.band[b], p->d);
    return planned(o, o->memory.status, state);
}

static enum status plan_picard(const struct instance *in, void **state)
{
    return plan(in, PICARD, state);
}

static enum status plan_jacobi(const struct instance *in, void **state)
{
    return plan(in, JACOBI, state);
}

static size_t windows_of(const struct blocked *o)
{
    return ((o->height - 1) / o->rows + 1) * ((o->width - 1) / o->columns + 1);
}

/* The first points, and pages for all others, near the threads that work on them. */
static enum status load(void *state)
{
    struct blocked *o = state;
    const size_t d = o->in->d;
#pragma omp parallel for schedule(static) num_threads(o->threads)
    for (size_t index = 0; index < windows_of(o); index++) {
        const struct window w = window_of(o, index);
        for (size_t r = w.row; r < w.row + w.rows; r++)
            for (size_t n = 0; n < o->in->points; n++)
                for (size_t i = r * o->width + w.column; i < r * o->width + w.column + w.columns;
                     i++)
                    o->y[0][n * d + i] = o->y[1][n * d + i] =
                        n < (size_t)o->scheme.steps ? (real)waveform_first(o->in, i, n) : (real)NAN;
    }
    o->from = -1;
    progress_begin(&o->progress);
    return OK;
}

/* Returns the corrections of so many sweeps. */
static const double *carry(struct blocked *o, int count)
{
    const size_t most = (size_t)o->most;
    double *const all = o->errors + (size_t)o->threads * most;
    memset(o->errors, 0, ((size_t)o->threads + 1) * most * sizeof *o->errors);
#pragma omp parallel num_threads(o->threads)
    {
        const size_t thread = (size_t)omp_get_thread_num();
        real *const levels = o->levels + thread * (most + 1) * PLACES * o->places;
#pragma omp for schedule(static)
        for (size_t index = 0; index < windows_of(o); index++) {
            const struct window w = window_of(o, index);
            carry_window(o, &w, count, levels, o->errors + thread * most);
        }
    }
    for (size_t k = 0; k < (size_t)o->threads * most; k++)
        if (is_larger(o->errors[k], all[k % most]) && !isnan(all[k % most]))
            all[k % most] = o->errors[k];
    return all;
}

static enum status run(void *state, struct laps *laps)
{
    struct blocked *o = state;
    const struct wanted wanted = {o->in->tol, o->in->nmax};
    int next = (int)(wanted.nmax < o->most ? wanted.nmax : o->most);
    double last = 0;
    while (next > 0) {
        const double *const errors = carry(o, next);
        int count = 0;
        while (count < next && progress_goes_on(o->in, &o->progress, errors[count]))
            count++;
        const bool over = count < next;
        if (over && count + 1 < next)
            (void)carry(o, count + 1); /* again, and no further */
        o->from = o->from < 0 ? 0 : 1 - o->from;
        const double before = next > 1 ? errors[next - 2] : last;
        last = errors[next - 1];
        next = over ? 0 : sweeps_ahead(&o->progress, wanted, before, last, o->most);
    }
    lap(laps, "loop");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct blocked *o = state;
    natural_order(out->values, o->y[o->from], sizeof *o->y[0], o->in->d, o->in->points);
    progress_put(o->in, &o->progress, out);
    lap(laps, "back");
    return OK;
}

const struct calls P(waveform_omp_blocked)[] = {
    [PICARD] =
        {.plan = plan_picard, .load = load, .run = run, .fetch = fetch, .destroy = give_back},
    [JACOBI] =
        {.plan = plan_jacobi, .load = load, .run = run, .fetch = fetch, .destroy = give_back},
};
