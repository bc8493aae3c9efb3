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
#include <stdint.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/order.h"
#include "../common/widest.h"
#include "stopping.h"

/* Sweeps of a pass; components of a window's own, at most; and those along a row that it has beside
 * them, no fewer than sweeps, so that its own fill vectors. All levels stay in the second cache.
 * Lost, on two cores in double, 10 sweeps over a line of 2^20, ms (111): in the first cache 16
 * vectors 201, 24 222, 32 144 to 188; 48 127, 64 130 to 156, 128 114. A plane of 512 x 512, 9 (50):
 * windows of 56 x 112 76, 28 x 112 76, 56 x 240 70; 8 sweeps of 240 columns 54. */
enum {
    VECTOR = 64 / sizeof(real),
    LINE_SWEEPS = 10,
    LINE_WINDOW = 96 * VECTOR,
    LINE_SIDE = 16,
    PLANE_SWEEPS = 4,
    PLANE_COLUMNS = 1024,
    PLANE_WINDOW = 2048 * VECTOR,
    PLANE_SIDE = 8,
    PLACES = 4 /* of a component and level: y, that before, F and that before; or y alone */
};

/* The matrix's entries, alike for each component; 0 where there is none. */
struct stencil {
    real centre, band[MAX_BANDS];
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
    struct stencil stencil;
    size_t height, width; /* of the plane */
    size_t rows, columns; /* of a window */
    size_t above, beside; /* of its own, what it has around it */
    bool simple;          /* one step, and F at the new point alone */
    int most, threads;
    size_t places, level; /* of an array in a window, with a border of zeros; of all of a level */
    real *y[2];           /* [N][d]; iterates, by turns */
    int from;             /* the newest one; -1: y^0 */
    real *levels;         /* [threads][most+1][level], on cache lines */
    double *errors;       /* [threads][most], then [most] */
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
    w.rows = smaller(o->rows, o->height - w.row);
    w.columns = smaller(o->columns, o->width - w.column);
    w.top = w.row - smaller(w.row, o->above);
    w.left = w.column - smaller(w.column, o->beside);
    w.height = smaller(w.row + w.rows + o->above, o->height) - w.top;
    w.width = smaller(w.column + w.columns + o->beside, o->width) - w.left;
    return w;
}

static size_t in_vectors(size_t count)
{
    return (count + VECTOR - 1) / VECTOR * VECTOR;
}

/* From row to row, each of which begins with a cache line, behind zeros. */
static size_t pitch_of(const struct window *w)
{
    return in_vectors(w->width + 1) + VECTOR;
}

/* Where a row begins. A line has none above it. */
static size_t place_of(const struct blocked *o, const struct window *w, size_t row)
{
    return (row + (o->height > 1)) * pitch_of(w) + VECTOR;
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
    real *const here = levels + (size_t)k * o->level + place_of(o, w, row);
    const real *const before = here - o->level;
    const size_t pitch = o->height > 1 ? pitch_of(w) : 0, places = o->simple ? 0 : o->places;
    return (struct line){before,        before - pitch,    before + pitch,   here,
                         here + places, here + 2 * places, here + 3 * places};
}

INLINE real product(const struct stencil *m, const struct line *l, size_t i, bool plane)
{
    const real *const own = l->own + i;
    if (!plane)
        return m->centre * own[0] + m->band[0] * own[-1] + m->band[1] * own[1];
    return m->centre * own[0] + m->band[0] * l->above[i] + m->band[1] * own[-1] +
           m->band[2] * own[1] + m->band[3] * l->below[i];
}

/* The next point of some of a row; returns the largest correction there, beside which no NaN is
 * seen. F is used once. */
INLINE real advance_simple(const struct blocked *o, const struct line *at, size_t first, size_t end,
                           bool plane)
{
    const real q1 = o->scheme.q1[0], w = o->scheme.w[0], b0 = o->scheme.b[0];
    const struct stencil m = o->stencil; /* nothing that is stored changes it, nor where rows are */
    const struct line l = *at;
    real up = 0, down = 0;
#pragma omp simd reduction(max : up) reduction(min : down)
    for (size_t i = first; i < end; i++) {
        const real y = q1 * l.y[i] + w * (b0 * product(&m, &l, i, plane)), by = y - l.own[i];
        l.y[i] = y;
        up = by > up ? by : up;
        down = by < down ? by : down;
    }
    return up > -down ? up : -down;
}

INLINE real advance_lagged(const struct blocked *o, const struct line *at, size_t first, size_t end,
                           bool plane)
{
    const struct P(rounded) *const s = &o->scheme;
    const real q1 = s->q1[0], q2 = s->q2[0], w = s->w[0], b0 = s->b[0], b1 = s->b[1], b2 = s->b[2];
    const struct stencil m = o->stencil;
    const struct line l = *at;
    real up = 0, down = 0;
#pragma omp simd reduction(max : up) reduction(min : down)
    for (size_t i = first; i < end; i++) {
        const real f = product(&m, &l, i, plane), before = l.y[i];
        const real sum = b0 * f + b1 * l.f1[i] + b2 * l.f2[i];
        const real y = q1 * before + q2 * l.y2[i] + w * sum, by = y - l.own[i];
        l.y[i] = y;
        l.y2[i] = before;
        l.f2[i] = l.f1[i];
        l.f1[i] = f;
        up = by > up ? by : up;
        down = by < down ? by : down;
    }
    return up > -down ? up : -down;
}

INLINE real advance(const struct blocked *o, const struct line *l, size_t first, size_t end)
{
    if (o->simple)
        return o->height > 1 ? advance_simple(o, l, first, end, true)
                             : advance_simple(o, l, first, end, false);
    return advance_lagged(o, l, first, end, o->height > 1);
}

/* All levels at a point. */
WIDEST static void carry_point(const struct blocked *o, real *levels, const struct window *w,
                               int count, double *errors)
{
    const size_t side = w->column - w->left, end = side + w->columns, own = w->row - w->top;
    for (int k = 1; k <= count; k++) {
        double most = errors[k - 1];
        for (size_t r = 0; r < w->height; r++) {
            const struct line l = line_of(o, levels, w, k, r);
            (void)advance(o, &l, 0, side);
            const double off = (double)advance(o, &l, side, end);
            (void)advance(o, &l, end, w->width);
            most = r >= own && r < own + w->rows && off > most ? off : most;
        }
        errors[k - 1] = most;
    }
}

static bool is_larger(double a, double b)
{
    return isnan(a) || a > b;
}

/* What is not finite stays so from point to point, so that it is enough to look at the last one. */
static void see_range(const struct blocked *o, real *levels, const struct window *w, int count,
                      double *errors)
{
    const size_t side = w->column - w->left;
    for (int k = 1; k <= count; k++) {
        bool finite = isfinite(errors[k - 1]);
        for (size_t r = w->row - w->top; r < w->row - w->top + w->rows; r++)
            for (size_t i = side; i < side + w->columns; i++)
                finite = finite && isfinite(line_of(o, levels, w, k, r).y[i]);
        if (!finite)
            errors[k - 1] = NAN;
    }
}

/* The first points, which all levels share, F there, and a border of zeros. */
static void begin_levels(const struct blocked *o, real *levels, const struct window *w, int count)
{
    const size_t d = o->in->d, steps = (size_t)o->scheme.steps;
    memset(levels, 0, (size_t)(count + 1) * o->level * sizeof *levels);
    for (int k = 0; k <= count; k++)
        for (size_t n = 0; n < steps; n++)
            for (size_t r = 0; r < w->height; r++) {
                real *const to = levels + (size_t)k * o->level + (steps - 1 - n) * o->places;
                memcpy(to + place_of(o, w, r), o->y[0] + n * d + (w->top + r) * o->width + w->left,
                       w->width * sizeof *to);
            }
    for (int k = 1; k <= count && !o->simple; k++)
        for (size_t r = 0; r < w->height; r++) {
            const struct line l = line_of(o, levels, w, k, r);
            const ptrdiff_t down = (ptrdiff_t)o->places; /* to the point before, of level k-1 */
            const struct line l2 = {l.own + down, l.above + down, l.below + down, 0, 0, 0, 0};
            for (size_t i = 0; i < w->width; i++) {
                l.f1[i] = product(&o->stencil, &l, i, o->height > 1);
                l.f2[i] = steps == 2 ? product(&o->stencil, &l2, i, o->height > 1) : 0;
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
            memcpy(levels + place_of(o, w, r), from + r * o->width, w->width * sizeof *from);
        carry_point(o, levels, w, count, errors);
        const real *const last = levels + (size_t)count * o->level + w->column - w->left;
        for (size_t r = 0; r < w->rows; r++)
            memcpy(out + n * d + (w->row + r) * o->width + w->column,
                   last + place_of(o, w, w->row - w->top + r), w->columns * sizeof *out);
    }
    if (o->in->points > steps)
        see_range(o, levels, w, count, errors);
}

/* --- the calls --- */

static real entry_of(const real *band, size_t d)
{
    for (size_t i = 0; i < d; i++)
        if (band[i] != 0)
            return band[i];
    return 0;
}

/* So many or fewer, for all threads alike. */
static size_t share_of(size_t count, size_t most, int threads)
{
    const size_t parts = (size_t)threads * ((count - 1) / ((size_t)threads * most) + 1);
    return (count - 1) / parts + 1;
}

static void set_shape(struct blocked *o)
{
    const struct waveform *const p = o->in;
    const bool plane = p->bands > 2;
    o->most = plane ? PLANE_SWEEPS : LINE_SWEEPS;
    o->width = plane ? (size_t)p->offset[3] : p->d;
    o->height = p->d / o->width;
    o->threads = omp_get_max_threads();
    o->columns = in_vectors(plane ? share_of(o->width, PLANE_COLUMNS, 1)
                                  : share_of(o->width, LINE_WINDOW, o->threads));
    o->rows = plane ? share_of(o->height, PLANE_WINDOW / o->columns, o->threads) : 1;
    o->above = plane ? PLANE_SWEEPS : 0;
    o->beside = plane ? PLANE_SIDE : LINE_SIDE;
}

static void take_levels(struct blocked *o)
{
    const struct window largest = {.width = o->columns + 2 * o->beside};
    const size_t rows = o->rows + 2 * o->above + (o->height > 1 ? 2 : 0);
    o->simple = o->scheme.steps == 1 && o->scheme.b[1] == 0;
    o->places = rows * pitch_of(&largest);
    o->level = (o->simple ? 1 : PLACES) * o->places;
    const size_t count = (size_t)o->threads * ((size_t)o->most + 1) * o->level + VECTOR;
    o->levels = take_filled(&o->memory, count * sizeof *o->levels);
    while ((uintptr_t)o->levels % 64 != 0)
        o->levels++;
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
    for (int k = 0; k < 2; k++)
        o->y[k] = take(&o->memory, p->d * p->points * sizeof *o->y[k]);
    o->errors = take(&o->memory, ((size_t)o->threads + 1) * (size_t)o->most * sizeof *o->errors);
    P(rounded_make)(p, relaxation, &o->memory, &o->scheme);
    take_levels(o);
    progress_make(p, relaxation, !REAL_IS_DOUBLE, &o->memory, &o->progress);
    if (o->memory.status == OK)
        o->stencil.centre = o->scheme.centre[0];
    for (int b = 0; b < p->bands && o->memory.status == OK; b++)
        o->stencil.band[b] = entry_of(o->scheme.band[b], p->d);
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
        real *const levels = o->levels + thread * (most + 1) * o->level;
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
