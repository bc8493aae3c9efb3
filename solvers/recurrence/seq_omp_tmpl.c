/*
 * SEQ-omp: the recurrence on all cores, in place, f read once and x written once: the best that a
 * CPU can do. Threads take tiles of the array in turn and solve each in two passes while it is in
 * their cache. Pass 1 gives the last m values of every block of the tile as if zeros stood before
 * it: inner products of f with the impulse response. What the tile before hands on makes them the
 * true ones. Pass 2 makes x from them, a vector of unknowns at a time, and fetches the next tile.
 * Tiles and the order of every sum are fixed: the number of threads changes no bit.
 */
#include "recurrence.h"

#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/widest.h"
#include "echoes.h"
#include "machine/precision.h"
#include "machine/threads.h"

enum {
    WIDTH = VECTOR_BYTES / sizeof(real),
    BLOCK = BLOCK_BYTES / sizeof(real), /* its impulse response stays in the first cache */
    BLOCKS = 4,            /* side by side: one alone would wait for its own last value */
    TILE = BLOCKS * BLOCK, /* this one and the next stay in the second cache */
    ROWS = 4,              /* last values from one reading of f in pass 1 */
    ROUNDINGS = 16         /* of what the past adds, used in turn */
};

typedef real vector __attribute__((vector_size(VECTOR_BYTES)));
typedef real anywhere __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

struct tables {
    vector own[WIDTH]; /* [q][i]: what f_{k+q} adds to x_{k+i} */
    /* [t][j][i]: what x_{k-1-j} adds to x_{k+i}. Each rounding makes up for those before it, so
     * that on the average the poles are the true ones. */
    vector past[ROUNDINGS][MAX_ORDER];
    struct leap across;
    real response[BLOCK + MAX_ORDER]; /* y backwards, then zeros */
    double y[BLOCK];                  /* the impulse response */
};

struct link {
    _Alignas(64) real last[MAX_ORDER]; /* [j]: the last but j before a tile */
    atomic_uint run;                   /* in which they were put there */
};

struct omp {
    struct memory memory;
    struct tables tables;
    const struct recurrence *in;
    size_t tiles; /* the last one filled up; none if n is less than a block */
    unsigned runs;
    real *x;            /* [n, or tiles TILE] f, then x */
    struct link *links; /* [tiles + 1] */
};

static WIDEST void P(round_tables)(const struct echoes *e, int m, struct tables *t)
{
    for (int k = 0; k < BLOCK; k++)
        t->response[k] = (real)t->y[BLOCK - 1 - k];
    for (int q = 0; q < (int)WIDTH; q++)
        for (int i = q; i < (int)WIDTH; i++)
            t->own[q][i] = (real)e->y.high[i - q];
    for (int j = 0; j < m; j++) {
        const double *const high = e->of[j].high, *const low = e->of[j].low;
        double owed[WIDTH] = {0};
        for (int r = 0; r < ROUNDINGS; r++)
            for (int i = 0; i < (int)WIDTH; i++) {
                const double rest = low[i] + owed[i];
                const real rounded = (real)(high[i] + rest);
                owed[i] = (high[i] - (double)rounded) + rest;
                t->past[r][j][i] = rounded;
            }
    }
}

/* Made anew in every run, since the paper's variants compute y there. False: better without. */
static bool make_tables(const struct recurrence *p, struct tables *t)
{
    struct echoes e;
    recurrence_echoes(p, &e);
    const bool tame = recurrence_respond(p, &e, REAL_IS_DOUBLE ? DOUBLE : SINGLE, t->y, &t->across);
    P(round_tables)(&e, p->m, t);
    return tame;
}

/* Inner products of the four blocks of f with `rows` vectors y. Their sums are named one by one,
 * because compilers keep an array of them in memory. */
INLINE void multiply(int rows, const real *f, const real *const y[ROWS], int first,
                     real last[BLOCKS][MAX_ORDER])
{
    const real *const y0 = y[0], *const y1 = y[1], *const y2 = y[2], *const y3 = y[3];
    real a0 = 0, a1 = 0, a2 = 0, a3 = 0, b0 = 0, b1 = 0, b2 = 0, b3 = 0;
    real c0 = 0, c1 = 0, c2 = 0, c3 = 0, d0 = 0, d1 = 0, d2 = 0, d3 = 0;
#define ADD(row)                                                                                   \
    a##row += f[k] * y##row[k];                                                                    \
    b##row += f[BLOCK + k] * y##row[k];                                                            \
    c##row += f[2 * BLOCK + k] * y##row[k];                                                        \
    d##row += f[3 * BLOCK + k] * y##row[k]
#pragma omp simd reduction(+ : a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3)
    for (int k = 0; k < BLOCK; k++) {
        ADD(0);
        if (rows > 1) {
            ADD(1);
        }
        if (rows > 2) {
            ADD(2);
            ADD(3);
        }
    }
    const real sums[BLOCKS][ROWS] = {
        {a0, a1, a2, a3}, {b0, b1, b2, b3}, {c0, c1, c2, c3}, {d0, d1, d2, d3}};
    for (int b = 0; b < BLOCKS; b++)
        memcpy(&last[b][first], sums[b], sizeof sums[b]);
}

/* The last values `first`.. of the blocks. A function of its own, so that no compiler sees how the
 * vectors y overlap: clang would carry values from one to the next and lose its own vectors. */
static WIDEST void P(products)(int m, const real *f, const real *const y[ROWS], int first,
                               real last[BLOCKS][MAX_ORDER])
{
    switch (m - first) {
    case 1:
        multiply(1, f, y, first, last);
        break;
    case 2:
        multiply(2, f, y, first, last);
        break;
    default:
        multiply(ROWS, f, y, first, last);
    }
}

static void pass_1(const struct tables *t, int m, const real *f, real last[BLOCKS][MAX_ORDER])
{
    for (int i = 0; i < m; i += ROWS) {
        const real *const y = t->response + i;
        const real *const shifted[ROWS] = {y, y + 1, y + 2, y + 3};
        P(products)(m, f, shifted, i, last);
    }
}

/* The true last values of the blocks, in place, from those before the tile. */
static void carry(const struct tables *t, int m, const real *before, real last[BLOCKS][MAX_ORDER])
{
    double from[MAX_ORDER], to[MAX_ORDER];
    for (int b = 0; b < BLOCKS; b++) {
        for (int i = 0; i < MAX_ORDER; i++) {
            from[i] = (double)before[i];
            to[i] = (double)last[b][i];
        }
        recurrence_leap(&t->across, m, from, to);
        for (int i = 0; i < MAX_ORDER; i++)
            last[b][i] = (real)to[i];
        before = last[b];
    }
}

/* The first unknowns of a block are also put aside, behind the values before it: there the next
 * ones find what they need. Of that the newest enters last. */
INLINE void solve(int m, const struct tables *t, const real *before, real last[BLOCKS][MAX_ORDER],
                  real *x, const real *fetch)
{
    vector own[WIDTH];
    real aside[BLOCKS][2 * MAX_ORDER];
    memcpy(own, t->own, sizeof own);
    for (int b = 0; b < BLOCKS; b++) {
        for (int j = 0; j < m; j++)
            aside[b][MAX_ORDER - 1 - j] = before[j];
        before = last[b];
    }
    for (int k = 0; k < BLOCK; k += WIDTH) {
        const bool begins = k < MAX_ORDER;
        const real *newest[BLOCKS];
        for (int b = 0; b < BLOCKS; b++)
            newest[b] = (begins ? aside[b] + MAX_ORDER : x + b * BLOCK) + k - 1;
        const vector *const past = t->past[k / WIDTH % ROUNDINGS];
        vector sum[BLOCKS];
        for (int b = 0; b < BLOCKS; b++)
            sum[b] = own[0] * x[b * BLOCK + k];
#pragma GCC unroll 16
        for (int q = 1; q < (int)WIDTH; q++)
            for (int b = 0; b < BLOCKS; b++)
                sum[b] += own[q] * x[b * BLOCK + k + q];
#pragma GCC unroll 16
        for (int j = m - 1; j >= 0; j--)
            for (int b = 0; b < BLOCKS; b++)
                sum[b] += past[j] * newest[b][-j];
        for (int b = 0; b < BLOCKS; b++) {
            *(anywhere *)(x + b * BLOCK + k) = sum[b];
            if (begins)
                *(anywhere *)(aside[b] + MAX_ORDER + k) = sum[b];
            __builtin_prefetch(fetch + b * BLOCK + k, 0, 2);
        }
    }
}

static WIDEST void P(pass_2)(const struct tables *t, int m, const real *before,
                             real last[BLOCKS][MAX_ORDER], real *x, const real *fetch)
{
#define CASE(m)                                                                                    \
    case m:                                                                                        \
        solve(m, t, before, last, x, fetch);                                                       \
        break
    /* The paper's m exactly, others with the next larger one, whose coefficients are zeros. */
    switch (m) {
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
    case 5:
        CASE(6);
    case 7:
        CASE(8);
    case 9:
    case 10:
    case 11:
        CASE(12);
    default:
        solve(MAX_ORDER, t, before, last, x, fetch);
    }
}

static void wait_for(const struct link *link, unsigned run)
{
    for (int i = 0; atomic_load_explicit(&link->run, memory_order_acquire) != run; i++)
        if (i >= 1000)
            sched_yield(); /* there may be fewer cores than threads */
}

static void solve_tile(const struct omp *o, size_t tile, size_t next, unsigned run)
{
    const int m = o->in->m;
    real last[BLOCKS][MAX_ORDER] = {{0}};
    real *const x = o->x + tile * TILE;
    struct link *const before = &o->links[tile], *const behind = &o->links[tile + 1];
    pass_1(&o->tables, m, x, last);
    if (tile > 0)
        wait_for(before, run);
    carry(&o->tables, m, before->last, last);
    memcpy(behind->last, last[BLOCKS - 1], sizeof behind->last);
    atomic_store_explicit(&behind->run, run, memory_order_release);
    P(pass_2)(&o->tables, m, before->last, last, x, o->x + (next < o->tiles ? next : tile) * TILE);
}

/* Each thread ascends, so the first tile that is not solved waits for nobody. */
static void solve_tiles(struct omp *o)
{
    const unsigned run = ++o->runs;
#pragma omp parallel if (o->tiles > 1)
    {
        const size_t threads = (size_t)omp_get_num_threads();
        for (size_t t = (size_t)omp_get_thread_num(); t < o->tiles; t += threads)
            solve_tile(o, t, t + threads, run);
    }
}

/* For few unknowns, and where y grows; x need not. */
static void solve_plainly(const struct recurrence *p, real *x)
{
    const size_t m = (size_t)p->m;
    for (size_t k = 1; k < p->n; k++) {
        real sum = x[k];
        for (size_t j = k < m ? k : m; j > 0; j--)
            sum += (real)p->a[j - 1] * x[k - j];
        x[k] = sum;
    }
}

static enum status plan(const struct instance *in, void **state)
{
    const struct recurrence *p = in->data;
    const size_t tiles = p->n < BLOCK ? 0 : (p->n - 1) / TILE + 1;
    const size_t values = tiles == 0 ? BLOCK : tiles * TILE;
    struct omp *o = owner_new(sizeof *o);
    if (o == NULL)
        return ERR_MEMORY;
    o->in = p;
    o->x = own(&o->memory, aligned_alloc(64, values * sizeof *o->x), free);
    o->links = own(&o->memory, aligned_alloc(64, (tiles + 1) * sizeof *o->links), free);
    if (o->memory.status == OK) {
        o->tiles = tiles;
        memset(o->links, 0, (tiles + 1) * sizeof *o->links);
    }
    /* Touched by the threads that will solve there. */
#pragma omp parallel for schedule(static, 1)
    for (size_t t = 0; t < o->tiles; t++)
        memset(o->x + t * TILE, 0xff, TILE * sizeof *o->x);
    return planned(o, o->memory.status, state);
}

static enum status load(void *state)
{
    const struct omp *o = state;
    P(recurrence_fill)(o->in, o->x);
    for (size_t k = o->in->n; k < o->tiles * TILE; k++)
        o->x[k] = 1; /* zeros would let x fade into denormal numbers, which are slow */
    return OK;
}

static enum status run(void *state, struct laps *laps)
{
    struct omp *const o = state;
    if (o->tiles > 0 && make_tables(o->in, &o->tables))
        solve_tiles(o);
    else
        solve_plainly(o->in, o->x);
    lap(laps, "solve");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct omp *o = state;
    copy_bytes(out->values, o->x, o->in->n * sizeof *o->x);
    lap(laps, "back");
    return OK;
}

const struct calls P(recurrence_seq_omp) = {
    .plan = plan, .load = load, .run = run, .fetch = fetch, .destroy = give_back};
