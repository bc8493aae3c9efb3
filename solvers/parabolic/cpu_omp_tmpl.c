/*
 * CPU-omp: what a CPU can do. Red and black points in arrays of their own, so that a row is one
 * vector loop, and several steps in one pass over memory: every thread has a band of rows and moves
 * a front through it, on which each phase stands one row behind the one before. Rows of the
 * neighbours that a pass needs, two a step, are copied before it and computed twice.
 * The order in which points see each other is that of the plain loop, so the bits are the same.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "../common/memory.h"
#include "layout.h"
#include "stencil.h"

/* Steps of a pass: so many that a front of rows stays in the second cache, for n up to some
 * thousands, and that the rows computed twice are few. Points of a band: so many that they take
 * longer than threads take to meet.
 *
 * Measured on one core of an EPYC with 1 MiB of second cache, Model 2, Gpoint/s in double and
 * single: n = 2000 with 8 steps 2.59 and 5.60, 12 steps 2.78 and 5.73, 16 steps 2.64 and 5.25; n =
 * 4000 2.51 and 4.76, 2.59 and 5.04, 2.55 and 4.71. What is in no cache costs no more than a tenth
 * by then. Parts of rows, so that a front stays in the first cache, lost: n = 1000 in parts of 64
 * pairs of points 1.21 and 1.89, of 256 1.79 and 3.41, whole 2.86 and 4.67. */
enum { LINE = 64, MOST_STEPS = 12, ROWS_PER_STEP = 8, LEAST_POINTS = 8192 };

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif

/* Rows first .. last-1 are the thread's own. It works on from .. to-1: the neighbours' rows and the
 * boundary are copies. */
struct band {
    size_t first, last, from, to;
    real **row[2]; /* [to-from] where the rows of a colour lie; row[0] owns both */
    real *copies;  /* [rows not its own][2][pitch] */
};

struct omp {
    struct memory memory;
    const struct parabolic *in;
    struct layout layout;
    real *field, *kept; /* kept: at the snapshot; or null */
    struct lines lines;
    real *by_parity[3][2]; /* [pitch] sine, cosine, i h in columns 2k + parity */
    int steps;             /* of a pass */
    int count;             /* bands */
    struct band *bands;
};

static bool is_own(const struct band *b, size_t j)
{
    return j >= b->first && j < b->last;
}

static real *own_row(const struct omp *o, int colour, size_t j)
{
    return o->field + (size_t)colour * layout_array(&o->layout) + j * o->layout.pitch;
}

/* Memory of the band, touched by the thread that will write there. */
static void set_band(const struct omp *o, struct band *b)
{
    const size_t rows = b->to - b->from, copies = rows - (b->last - b->first);
    const size_t pitch = o->layout.pitch;
    b->row[0] = malloc(2 * rows * sizeof *b->row[0]);
    b->copies = aligned_alloc(LINE, 2 * copies * pitch * sizeof *b->copies);
    if (b->row[0] == NULL || b->copies == NULL)
        return;
    memset(b->copies, 0xff, 2 * copies * pitch * sizeof *b->copies);
    b->row[1] = b->row[0] + rows;
    real *copy = b->copies;
    for (int colour = 0; colour < 2; colour++)
        for (size_t j = b->from; j < b->to; j++) {
            const bool own = is_own(b, j);
            b->row[colour][j - b->from] = own ? own_row(o, colour, j) : copy;
            copy += own ? 0 : pitch;
            if (!own)
                continue;
            memset(own_row(o, colour, j), 0xff, pitch * sizeof *copy);
            if (o->kept != NULL)
                memset(o->kept + (own_row(o, colour, j) - o->field), 0xff, pitch * sizeof *copy);
        }
}

static void set_bands(struct omp *o)
{
    const size_t n = o->in->n, most = (size_t)omp_get_max_threads();
    const size_t fit = n * n / LEAST_POINTS + 1, count = fit < most ? fit : most;
    const size_t steps = n / count / ROWS_PER_STEP;
    o->steps = steps < 1 ? 1 : steps > MOST_STEPS ? MOST_STEPS : (int)steps;
    o->bands = own(&o->memory, calloc(count, sizeof *o->bands), free);
    if (o->memory.status != OK)
        return;
    o->count = (int)count;
#pragma omp parallel for schedule(static, 1) num_threads(o->count)
    for (int k = 0; k < o->count; k++) {
        struct band *const b = &o->bands[k];
        const size_t more = 2 * (size_t)o->steps;
        b->first = 1 + n * (size_t)k / count;
        b->last = 1 + n * ((size_t)k + 1) / count;
        b->from = b->first > more ? b->first - more : 0;
        b->to = b->last + more < n + 2 ? b->last + more : n + 2;
        set_band(o, b);
    }
    for (int k = 0; k < o->count; k++) {
        own(&o->memory, o->bands[k].row[0], free);
        own(&o->memory, o->bands[k].copies, free);
    }
}

static void set_parities(struct omp *o)
{
    const real h = (real)(1 / (double)(o->in->n + 1));
    for (size_t i = 0; i < o->in->n + 2; i++) {
        o->by_parity[0][i % 2][i / 2] = o->lines.sine[i];
        o->by_parity[1][i % 2][i / 2] = o->lines.cosine[i];
        o->by_parity[2][i % 2][i / 2] = (real)i * h;
    }
}

static enum status plan(const struct instance *in, void **state)
{
    const struct parabolic *p = in->data;
    if (p->scheme == JACOBI)
        return because(SKIPPED, "jacobi needs a second array; CPU and GPU have one");
    struct omp *o = owner_new(sizeof *o);
    if (o == NULL)
        return ERR_MEMORY;
    o->in = p;
    o->layout = layout_of(p->n, true);
    const size_t size = layout_field(&o->layout), pitch = o->layout.pitch;
    o->field = own(&o->memory, aligned_alloc(LINE, size * sizeof *o->field), free);
    o->kept = p->snapshot > 0 ? take(&o->memory, size * sizeof *o->kept) : NULL;
    real *const tables = own(&o->memory, calloc(6 * pitch, sizeof *tables), free);
    P(parabolic_lines)(p, &o->memory, &o->lines);
    set_bands(o);
    if (o->memory.status == OK) {
        for (int k = 0; k < 6; k++)
            o->by_parity[k / 2][k % 2] = tables + (size_t)k * pitch;
        set_parities(o);
    }
    return planned(o, o->memory.status, state);
}

static enum status load(void *state)
{
    const struct omp *o = state;
    const struct rows all = all_rows(&o->layout);
    P(parabolic_split)(o->in, &o->layout, &all, o->field);
    return OK;
}

/* One row of one colour: columns 2k + parity for k from `begin` to `end`-1, between the rows of the
 * other colour. */
struct line {
    const stencil *c;
    struct row row;
    size_t begin, end;
    real *u;
    const real *west, *east, *north, *south; /* of u[k] at k */
    const real *sine, *cosine, *x;           /* at k */
};

/* Model 4 is model 2 and its source; the source takes i h from the table, since few CPUs turn
 * vectors of 64-bit integers into numbers. */
static inline __attribute__((always_inline)) void update_line(int model, const struct line *l)
{
    const stencil c = *l->c;
    const struct row row = l->row;
    const size_t end = l->end;
    real *restrict u = l->u;
    const real *restrict e = l->east, *restrict w = l->west;
    const real *restrict n = l->north, *restrict s = l->south;
    const real *restrict sine = l->sine, *restrict cosine = l->cosine, *restrict x = l->x;
#pragma omp simd
    for (size_t k = l->begin; k < end; k++) {
        const real new = updated(model == 4 ? 2 : model, &c, &row, 0, sine[k], cosine[k], u[k],
                                 e[k], w[k], n[k], s[k]);
        u[k] = model == 4 ? new + (row.b0 + row.b1 * x[k]) : new;
    }
}

static WIDEST void update_line_1(const struct line *l)
{
    update_line(1, l);
}

static WIDEST void update_line_2(const struct line *l)
{
    update_line(2, l);
}

static WIDEST void update_line_3(const struct line *l)
{
    update_line(3, l);
}

static WIDEST void update_line_4(const struct line *l)
{
    update_line(4, l);
}

static void (*const update_lines[])(const struct line *l) = {NULL, update_line_1, update_line_2,
                                                             update_line_3, update_line_4};

/* The row and, before it, the boundary points that it reads: phases of several steps are under way
 * at the same time, and each has its own boundary. */
static void update_row(const struct omp *o, const struct band *b, const step *s, int phase,
                       size_t j)
{
    const size_t n = o->in->n, last = n + 1;
    const int colour = s->colour[phase], other = 1 - colour;
    const size_t parity = (j + (size_t)colour) % 2, beside = 1 - parity;
    real *const *const rows = b->row[other] + (j - b->from);
    if (beside == 0)
        rows[0][0] = s->s[other] * o->lines.west[j];
    if (last % 2 == beside)
        rows[0][last / 2] = s->s[other] * o->lines.east[j];
    if (j == 1)
        for (size_t i = 1 + (1 + (size_t)other) % 2; i <= n; i += 2)
            rows[-1][i / 2] = s->s[other] * o->lines.south[i];
    if (j == n)
        for (size_t i = 1 + (1 + (size_t)other + last) % 2; i <= n; i += 2)
            rows[1][i / 2] = s->s[other] * o->lines.north[i];
    const struct line line = {
        .c = &s->stencil[phase],
        .row = row_of(o->in->model, &s->stencil[phase], j, o->lines.sine, o->lines.cosine),
        .begin = 1 - parity,
        .end = (n - parity) / 2 + 1,
        .u = b->row[colour][j - b->from],
        .west = rows[0] + parity - 1,
        .east = rows[0] + parity,
        .north = rows[1],
        .south = rows[-1],
        .sine = o->by_parity[0][parity],
        .cosine = o->by_parity[1][parity],
        .x = o->by_parity[2][parity]};
    update_lines[o->in->model](&line);
}

/* What the neighbours have; their threads stand still. */
static void copy_rows(const struct omp *o, const struct band *b)
{
    for (int colour = 0; colour < 2; colour++)
        for (size_t j = b->from; j < b->to; j++)
            if (!is_own(b, j) && j >= 1 && j <= o->in->n)
                memcpy(b->row[colour][j - b->from], own_row(o, colour, j),
                       o->layout.pitch * sizeof *o->field);
}

static void keep_rows(const struct omp *o, const struct band *b)
{
    for (int colour = 0; colour < 2; colour++) {
        const real *const from = own_row(o, colour, b->first);
        memcpy(o->kept + (from - o->field), from,
               (b->last - b->first) * o->layout.pitch * sizeof *from);
    }
}

/* All phases of a pass. Phase q still serves `phases`-1-q others, and so goes that many rows beyond
 * the band. When it comes to row j, the one before is past row j+1, and the one after has not
 * reached row j-1. */
static void sweep(const struct omp *o, const struct band *b, const step *steps, int phases)
{
    const size_t n = o->in->n, count = (size_t)phases;
    const size_t begin = b->first > count ? b->first - count + 1 : 1;
    for (size_t front = begin; front < b->last + count; front++)
        for (size_t q = 0; q < count && q + begin <= front; q++) {
            const size_t j = front - q, more = count - 1 - q;
            if (j + more >= b->first && j < b->last + more && j <= n)
                update_row(o, b, &steps[q / 2], (int)(q % 2), j);
        }
}

/* One thread's part in all of a run. */
static void run_bands(const struct omp *o)
{
    const struct parabolic *p = o->in;
    const size_t records = parabolic_records(p);
    step steps[MOST_STEPS];
    for (size_t record = 0; record < records;) {
        int count = 0, phases = 0;
        while (count < o->steps && record < records && (count == 0 || record != p->snapshot)) {
            P(parabolic_step)(p, record++, &steps[count]);
            phases += steps[count++].phases;
        }
#pragma omp for schedule(static, 1)
        for (int b = 0; b < o->count; b++)
            copy_rows(o, &o->bands[b]);
#pragma omp for schedule(static, 1)
        for (int b = 0; b < o->count; b++) {
            sweep(o, &o->bands[b], steps, phases);
            if (record == p->snapshot)
                keep_rows(o, &o->bands[b]);
        }
    }
}

static enum status run(void *state, struct laps *laps)
{
    const struct omp *o = state;
#pragma omp parallel num_threads(o->count)
    run_bands(o);
    lap(laps, "loop");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct omp *o = state;
    real *const u = out->values;
    const size_t n = o->in->n;
    const struct rows all = all_rows(&o->layout);
    if (o->kept != NULL)
        P(parabolic_merge)(&o->layout, &all, o->kept, u);
    P(parabolic_merge)(&o->layout, &all, o->field, u + (o->kept != NULL ? n * n : 0));
    lap(laps, "back");
    return OK;
}

const struct calls P(parabolic_cpu_omp) = {
    .plan = plan, .load = load, .run = run, .fetch = fetch, .destroy = give_back};
