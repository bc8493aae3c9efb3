/*
 * What rounding can explain. An answer x is put into the recurrence: its residual
 * r_k = x_k - f_k - a_1 x_{k-1} - ... - a_m x_{k-m} may at every k be as large as the variant's own
 * operations there can have made it, and no larger. How errors travel on from there is the data's
 * affair; so neither length nor growth enters, and a single value that is off is seen.
 */
#include "rounding.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/solution.h"
#include "../common/widest.h"
#include "input.h"
#include "limit.h"
#include "machine/device.h"
#include "residual.h"

enum {
    CHUNK = 2048,
    LARGEST_CHUNK = LIMIT_LARGEST_TILE + LIMIT_LARGEST_CHAIN,
    SEAM = 2 * MAX_ORDER, /* unknowns that a carry of SEQ-omp takes part in */
    STRIP = 256           /* of which all stays in the nearest cache */
};

/* From some k on, which is place MAX_ORDER, to a little beyond a chunk. */
typedef double series[MAX_ORDER + LARGEST_CHUNK + MAX_ORDER];

struct part {
    size_t first;    /* the k of place MAX_ORDER, counted from 0 */
    ptrdiff_t early; /* how many places before it have values */
    ptrdiff_t count;
    series x, f, q; /* the answer, the input, the summands */
    series r;       /* the residual */
    series allowed; /* what explains it */
};

struct way { /* how the variant came to its answer */
    struct memory memory;
    const struct recurrence *p;
    const struct solution *got;
    double unit;      /* of rounding */
    double least;     /* the smallest number with all digits: below, roundings are absolute */
    double roundings; /* that a term goes through until it is part of an x_k */
    size_t span, end; /* unknowns made at once from those before; from `end` on one by one */
    size_t numbers;   /* the answer's first unknown that is not finite; n if all are */
    size_t chunk;     /* unknowns judged at once */
    double *y;        /* the impulse response; of columns how large it may be, behind MAX_ORDER 0 */
    double lost;      /* how much of it rounding takes away */
    /* Of SEQ-omp: [chunk] the error of a carry by an f so long before; and [chunks] how far each
     * block's last values are from what is carried on; or null */
    double *weight, (*off)[MAX_ORDER];
    double *own; /* of SEQ-omp: [chunks] what explains a block's residuals, all of them together */
    const struct echoes *echoes;
    /* Of limit: how its states come to be; [tiles] the largest |x| so far; or null. Its summands
     * are of doubles, whatever the unit: they count for `share` of what others would. */
    struct tiling tiling;
    struct trust trust;
    double *most, share;
    /* Of a scan: see summands_of_scan(). [chunks] largest[] before each chunk. */
    double growth, scale, *largest;
    enum precision factors; /* in which the variant has the coefficients, and the response */
    long double response;   /* of columns: the largest value of y; else 0 */
    /* q_k: how large the numbers are that the variant adds up to x_k, where these are other ones
     * than the plain loop's */
    void (*summands)(const struct way *w, struct part *part);
};

/* --- the algorithms ---
 * The plain loop: a product a_j x_{k-j} has a rounded coefficient, is rounded, and is added up to m
 * times: m + 2 roundings, each at most the unit times the term. One more makes up for what is of
 * second order, and for what the residual itself loses. */

static void no_summands(const struct way *w, struct part *part)
{
    (void)w;
    memset(part->q, 0, (size_t)(MAX_ORDER + part->count) * sizeof *part->q);
}

/* Columns: x_k = z_k + alpha_0 y_i + ... + alpha_{m-1} y_{i-m+1}, i being the row. The residuals of
 * z and y are those of plain loops: m + 2 roundings of |a_j| |z_{k-j}| and of |a_j| |alpha| |y|.
 * The sum makes an error e_k of m + 1 roundings of |z_k| + |alpha| |y|, of which the residual has
 * e_k - a_1 e_{k-1} - ...; and |z_k| is at most |x_k| + |alpha| |y|. What alpha loses are terms of
 * the recurrence again. So with q_k = |x_k| + 2 |alpha| |y| it is m + 2 roundings of q_k and of 2
 * |a_j| q_{k-j}. */
static void summands_of_columns(const struct way *w, struct part *part)
{
    const struct recurrence *p = w->p;
    const ptrdiff_t m = p->m;
    const double *const x = part->x + MAX_ORDER;
    double *const q = part->q + MAX_ORDER;
    ptrdiff_t to;
    memset(part->q, 0, (size_t)(MAX_ORDER + part->count) * sizeof *part->q);
    for (ptrdiff_t k = -part->early; k < part->count; k = to) {
        const size_t place = part->first + (size_t)k, row = place % w->span, begin = place - row;
        to = k + (ptrdiff_t)(w->span - row);
        to = to < part->count ? to : part->count;
        if (begin == 0 || begin >= w->end)
            continue;
        for (ptrdiff_t i = k; i < to; i++)
            q[i] = fabs(x[i]) + 2 * w->least;
        for (ptrdiff_t l = 0; l < m; l++) {
            double alpha = 0;
            for (ptrdiff_t j = l + 1; j <= m; j++)
                alpha += p->a[j - 1] * value_at(w->got, begin - (size_t)(j - l));
            alpha = 2 * fabs(alpha);
            const double *const y = w->y + ((ptrdiff_t)row + MAX_ORDER - l);
            for (ptrdiff_t i = k; i < to; i++)
                q[i] += alpha * (y[i - k] + (double)m * w->least);
        }
    }
}

/* SEQ-omp and limit, a vector of unknowns at a time: x_{k+i} is added up from y_{i-l} f_{k+l} and
 * the echoes of the x_{k-1-j}. */
static WIDEST void summands_of_vectors(const struct way *w, struct part *part)
{
    enum { WIDEST_SPAN = VECTOR_BYTES / sizeof(float) };
    const ptrdiff_t m = w->p->m, span = (ptrdiff_t)w->span;
    const double *const x = part->x + MAX_ORDER, *const f = part->f + MAX_ORDER;
    double own[2 * WIDEST_SPAN] = {0}, past[MAX_ORDER][WIDEST_SPAN];
    memset(part->q, 0, MAX_ORDER * sizeof *part->q);
    for (int i = 0; i < WIDEST_SPAN; i++) {
        own[WIDEST_SPAN + i] = fabs(w->y[i]) + w->least;
        for (ptrdiff_t j = 0; j < m; j++)
            past[j][i] = fabs(w->echoes->of[j].high[i]) + w->least;
    }
    for (ptrdiff_t k = 0; k < part->count; k += span) {
        double sum[WIDEST_SPAN] = {0};
        for (ptrdiff_t l = 0; l < span; l++)
            for (int i = 0; i < WIDEST_SPAN; i++)
                sum[i] += own[WIDEST_SPAN + i - l] * fabs(f[k + l]);
        for (ptrdiff_t j = 0; j < m; j++)
            for (int i = 0; i < WIDEST_SPAN; i++)
                sum[i] += past[j][i] * fabs(x[k - 1 - j]);
        for (ptrdiff_t i = 0; i < span; i++)
            part->q[MAX_ORDER + k + i] = w->share * sum[i] + w->least;
    }
}

/* A scan of compositions (C^l, v), v being the last m values that l unknowns make of nothing. A
 * thread adds its unknowns up one by one, as the plain loop does; where it begins, it has the
 * values before from another tree of compositions than the thread before. Both trees begin at
 * values that were made once, and are of at most `nodes` compositions since. With K the largest
 * norm of C^l over growth^l, and Z_k the largest |x_i| so far times growth^(k-i), which is at least
 * 1, any v between i and k is x_k - C^(k-i) x_i, so at most (1 + K) Z_k. A composition makes an
 * error of m + 1 roundings of K (1 + K) Z and, by its matrix, of m roundings of K^2, which C^l
 * before and behind multiplies by K^2 Z at most: (5 m + 4) K^4 Z units together. All of them are in
 * the values before, and times the sum of |a_j| in the residual. */
static void summands_of_scan(const struct way *w, struct part *part)
{
    const double *const x = part->x + MAX_ORDER;
    size_t k = part->first / w->chunk * w->chunk;
    double z = w->largest[part->first / w->chunk];
    for (; k < part->first; k++)
        z = fmax(fabs(value_at(w->got, k)), w->growth * z);
    memset(part->q, 0, MAX_ORDER * sizeof *part->q);
    for (ptrdiff_t i = 0; i < part->count; i++) {
        z = fmax(fabs(x[i]), w->growth * z);
        part->q[MAX_ORDER + i] = w->scale * (z + w->least);
    }
}

/* --- the residuals --- */

/* One that recurrence_residuals() could not give, near the end of the range. */
static double residual_at(const struct recurrence *p, const double *x, double f)
{
    long double rest = (long double)*x - (long double)f;
    for (ptrdiff_t j = 1; j <= p->m; j++)
        rest -= (long double)p->a[j - 1] * (long double)x[-j];
    return (double)rest;
}

/* Numbers below the smallest one with all digits are off by as much as that one: each summand, and
 * each x before that is rounded from a state of more digits. */
static WIDEST void allow(const struct way *w, struct part *part)
{
    const double *const x = part->x + MAX_ORDER, *const q = part->q + MAX_ORDER;
    const double *const f = part->f + MAX_ORDER;
    double *const allowed = part->allowed + MAX_ORDER;
    for (ptrdiff_t k = 0; k < part->count; k += STRIP) {
        const ptrdiff_t to = k + STRIP < part->count ? k + STRIP : part->count;
        for (ptrdiff_t i = k; i < to; i++)
            allowed[i] = fabs(f[i]) + (double)(w->p->m + 1) * w->least + q[i];
        for (ptrdiff_t j = 1; j <= w->p->m; j++) {
            const double a = fmax(fabs(w->p->a[j - 1]), w->least); /* it is rounded, too */
            for (ptrdiff_t i = k; i < to; i++)
                allowed[i] += a * (fabs(x[i - j]) + w->least + 2 * q[i - j]);
        }
        for (ptrdiff_t i = k; i < to; i++)
            allowed[i] *= w->roundings * w->unit;
    }
}

static void find_residuals(const struct way *w, size_t first, size_t count, struct part *part)
{
    const double *const x = part->x + MAX_ORDER;
    double *const f = part->f + MAX_ORDER, *const r = part->r + MAX_ORDER;
    part->first = first;
    part->early = first < MAX_ORDER ? (ptrdiff_t)first : MAX_ORDER;
    part->count = (ptrdiff_t)count;
    recurrence_values(w->got, first, count, part->x + MAX_ORDER);
    recurrence_input(w->p, first, count, f);
    memset(f + count, 0, MAX_ORDER * sizeof *f);
    w->summands(w, part);
    recurrence_residuals(w->p, x, f, count, r);
    for (size_t k = 0; k < count; k++)
        if (!isfinite(r[k]))
            r[k] = residual_at(w->p, x + k, f[k]);
    allow(w, part);
}

struct found {
    double worst;   /* the largest residual, in parts of what explains it */
    double x, q;    /* the largest ones */
    double carried; /* what a carry explains in parts of `own`, of its block or before: at most */
};

static struct found larger_of(struct found a, struct found b)
{
    return (struct found){larger(a.worst, b.worst), larger(a.x, b.x), larger(a.q, b.q),
                          larger(a.carried, b.carried)};
}

/* From the place `from` of a part on. */
static WIDEST struct found worst_of(const struct part *part, ptrdiff_t from)
{
    int64_t worst = 0, x = 0, q = 0;
    for (ptrdiff_t k = MAX_ORDER + from; k < MAX_ORDER + part->count; k++) {
        const double r = part->r[k];
        worst = higher(worst, rank_of(r / (r == 0 ? 1 : part->allowed[k])));
        x = higher(x, rank_of(part->x[k]));
        q = higher(q, rank_of(part->q[k]));
    }
    return (struct found){of_rank(worst), of_rank(x), of_rank(q), 0};
}

/* SEQ-omp goes on behind a block from a carry, and not from the last values of the block. How far
 * off[j] these are from it: both come from the carry before, the last values by the block's
 * residuals, the carry by rounding once and by weight[] of every f. The residuals are known, but
 * for the first m, which saw the carry before; judge_seams() adds what these can be. */
static void find_off(const struct way *w, const struct part *part, double *off)
{
    const ptrdiff_t m = w->p->m, known = part->first > 0 ? m : 0;
    const double *const x = part->x + MAX_ORDER, *const f = part->f + MAX_ORDER;
    const double *const r = part->r + MAX_ORDER, *const allowed = part->allowed + MAX_ORDER;
    const double blur = (double)LDBL_EPSILON / w->unit; /* of a residual, at most */
    for (ptrdiff_t j = 0; j < m; j++) {
        const ptrdiff_t last = part->count - 1 - j;
        double grown = 0, unknown = 2 * w->unit * fabs(x[last]) + w->least;
#pragma omp simd reduction(+ : grown, unknown)
        for (ptrdiff_t k = known; k <= last; k++) {
            grown += w->y[last - k] * r[k];
            unknown += fabs(w->y[last - k]) * allowed[k] * blur;
        }
#pragma omp simd reduction(+ : unknown)
        for (ptrdiff_t k = 0; k <= last; k++)
            unknown += w->weight[last - k] * fabs(f[k]);
        off[j] = fabs(grown) + unknown;
    }
}

/* What a block whose carry is off[] from the last values before it is allowed beyond the others: in
 * its first vectors, which are added up from the carry, and in the first m residuals, which see the
 * last values instead. `first_ones` are what the carry's own residuals there may be. */
static void allow_carry(const struct way *w, const double *off, double *allowed, ptrdiff_t count,
                        double *first_ones)
{
    const ptrdiff_t m = w->p->m, span = (ptrdiff_t)w->span;
    double more[MAX_ORDER + SEAM] = {0}, *const q = more + MAX_ORDER;
    for (ptrdiff_t k = 0; k < MAX_ORDER; k++)
        for (ptrdiff_t j = k / span * span; j < m; j++)
            q[k] += fabs(w->echoes->of[j].high[k % span]) * off[j - k / span * span];
    for (ptrdiff_t k = 0; k < count && k < SEAM; k++) {
        double sum = q[k];
        for (ptrdiff_t j = 1; j <= m; j++)
            sum += 2 * fabs(w->p->a[j - 1]) * q[k - j];
        allowed[k] += w->roundings * w->unit * sum;
    }
    for (ptrdiff_t i = 0; i < m && i < count; i++) {
        first_ones[i] = allowed[i];
        for (ptrdiff_t j = i + 1; j <= m; j++)
            allowed[i] += fabs(w->p->a[j - 1]) * off[j - i - 1];
    }
}

static size_t up_to(const struct way *w, size_t first, size_t count)
{
    return w->numbers - first < count ? w->numbers - first : count;
}

static WIDEST double sum_of(const double *values, ptrdiff_t count)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (ptrdiff_t k = 0; k < count; k++)
        sum += values[k];
    return sum;
}

/* The beginnings of the blocks, one after the other. */
static struct found judge_seams(const struct way *w)
{
    const ptrdiff_t m = w->p->m, last = (ptrdiff_t)w->chunk - 1;
    double first_ones[MAX_ORDER] = {0}, own = w->least / w->unit; /* of what has digits */
    struct found all = {0, 0, 0, 0};
    struct part part;
    for (size_t c = 1; c * w->chunk < w->numbers; c++) {
        double *const off = w->off[c];
        find_residuals(w, c * w->chunk, up_to(w, c * w->chunk, SEAM), &part);
        const double before = sum_of(part.allowed + MAX_ORDER, part.count);
        allow_carry(w, w->off[c - 1], part.allowed + MAX_ORDER, part.count, first_ones);
        all = larger_of(all, worst_of(&part, 0));
        own = larger(own, larger(w->own[c - 1], w->own[c]));
        all.carried =
            larger(all.carried, (sum_of(part.allowed + MAX_ORDER, part.count) - before) / own);
        for (ptrdiff_t j = 0; j < m; j++)
            for (ptrdiff_t k = 0; k < m; k++)
                off[j] += fabs(w->y[last - j - k]) * first_ones[k];
    }
    return all;
}

/* --- limit ---
 * Within a chain it is SEQ-omp. A chain goes on from a state that is off[] from the last values
 * before it: these are what the chain made of the state before, by its residuals; the next state is
 * that one's, and of the chain's f the sum, rounded (find_drift), put together from others.
 *
 * Each step of this, u = z + P u', is m products with rounded factors and the sum, m + 2 roundings
 * of |P| |u'| + |u|. A u is the state behind some unknowns as if zeros stood before them, which is
 * the difference of a state and a power times another: at most 1 + N times the largest x so far,
 * with N the largest norm of the powers. What a step loses is carried on by a power, too. A state
 * within a group is one step from that before; the first one of a group lies at most as many steps
 * away as there are chains, and 4; the first one of a tile that many in the sum of the tile, and as
 * many as there are messages and rows: a row of three groups takes one step more than it has
 * messages, two in each group, and two to lead and to add the second and the third one. Two states
 * meet, so all of it counts twice.
 *
 * Of several ranks each one goes from part to part as one card does from wave to wave, by the sums
 * of all: it is the same. */
static double jump_of(const struct way *w, ptrdiff_t c)
{
    enum { OF_TILE = LIMIT_CHAINS + 4, ROWS = 16, OF_WAVE = ROWS * (LIMIT_WINDOW + 1) + ROWS };
    const double N = w->trust.norm, one = (w->p->m + 2) * 0x1p-53 * (1 + N) * (1 + N);
    const double steps = c == 0 ? OF_TILE + OF_WAVE : c % LIMIT_GROUP == 0 ? OF_TILE : 0;
    return one * (1 + 2 * N * steps);
}

/* As find_off(), for a chain of the part; first_ones[] is what its first residuals, which saw the
 * state before, may be of themselves. */
static void find_drift(const struct way *w, const struct part *part, ptrdiff_t from,
                       const double *first_ones, double *off)
{
    const ptrdiff_t m = w->p->m, chain = (ptrdiff_t)w->tiling.chain, place = MAX_ORDER + from;
    const ptrdiff_t known = part->first + (size_t)from > 0 ? m : 0;
    const double *const f = part->f + place, *const r = part->r + place;
    const double *const allowed = part->allowed + place;
    const double blur = (double)LDBL_EPSILON / w->unit, sum = (double)(chain + 4) * 0x1p-53;
    for (ptrdiff_t j = 0; j < m; j++) {
        const double *const y = w->y + (chain - 1 - j);
        double grown = 0, unknown = w->least;
#pragma omp simd reduction(+ : grown, unknown)
        for (ptrdiff_t k = known; k < chain - j; k++) {
            grown += y[-k] * r[k];
            unknown += fabs(y[-k]) * allowed[k] * blur;
        }
#pragma omp simd reduction(+ : unknown)
        for (ptrdiff_t k = 0; k < chain - j; k++)
            unknown += fabs(y[-k]) * fabs(f[k]) * sum;
        for (ptrdiff_t k = 0; k < known; k++)
            unknown += fabs(y[-k]) * first_ones[k];
        off[j] = fabs(grown) + unknown;
    }
}

/* From the last chain of the tile before on, which says how far off this one may begin. */
static struct found judge_tile(const struct way *w, size_t t)
{
    const ptrdiff_t m = w->p->m, chain = (ptrdiff_t)w->tiling.chain;
    const size_t before = t > 0 ? w->tiling.chain : 0, first = t * w->tiling.tile - before;
    double off[MAX_ORDER] = {0}, first_ones[MAX_ORDER] = {0};
    struct part part;
    find_residuals(w, first, up_to(w, first, w->tiling.tile + before), &part);
    for (ptrdiff_t k = 0; k < part.count; k += chain) {
        const ptrdiff_t c = (k - (ptrdiff_t)before) / chain; /* or -1 */
        const double jump = first + (size_t)k > 0 ? jump_of(w, c) * w->most[t] : 0;
        for (ptrdiff_t j = 0; j < m; j++)
            off[j] += jump;
        allow_carry(w, off, part.allowed + MAX_ORDER + k, part.count - k, first_ones);
        if (part.count - k > chain)
            find_drift(w, &part, k, first_ones, off);
    }
    return worst_of(&part, (ptrdiff_t)before);
}

/* [t] the largest |x| of the tiles up to the t-th, as far as they are numbers. */
static void find_most(const struct way *w)
{
    const size_t tile = w->tiling.tile, tiles = w->tiling.tiles;
#pragma omp parallel for schedule(static)
    for (size_t t = 0; t < tiles; t++) {
        const size_t end = w->numbers < (t + 1) * tile ? w->numbers : (t + 1) * tile;
        double most = 0;
        for (size_t k = t * tile; k < end; k++)
            most = fmax(most, fabs(value_at(w->got, k)));
        w->most[t] = most;
    }
    for (size_t t = 1; t < tiles; t++)
        w->most[t] = fmax(w->most[t], w->most[t - 1]);
}

static struct found judge_tiles(const struct way *w)
{
    struct found all = {0, 0, 0, 0};
    const size_t tiles = w->numbers == 0 ? 0 : (w->numbers - 1) / w->tiling.tile + 1;
    find_most(w);
#pragma omp parallel for schedule(dynamic)
    for (size_t t = 0; t < tiles; t++) {
        const struct found found = judge_tile(w, t);
#pragma omp critical
        all = larger_of(all, found);
    }
    return all;
}

static struct found judge_residuals(const struct way *w)
{
    struct found all = {0, 0, 0, 0};
    const size_t chunks = (w->numbers + w->chunk - 1) / w->chunk;
#pragma omp parallel for schedule(dynamic)
    for (size_t c = 0; c < chunks; c++) {
        struct part part;
        find_residuals(w, c * w->chunk, up_to(w, c * w->chunk, w->chunk), &part);
        if (w->off != NULL) {
            find_off(w, &part, w->off[c]);
            w->own[c] = sum_of(part.allowed + MAX_ORDER, part.count);
        }
        const struct found found = worst_of(&part, w->off != NULL && c > 0 ? SEAM : 0);
#pragma omp critical
        all = larger_of(all, found);
    }
    return w->off != NULL ? larger_of(all, judge_seams(w)) : all;
}

/* Whether the numbers that the variant adds up at the first unknown that is not finite come near
 * the end of the range, going by the m values before. */
static bool overflows(const struct way *w)
{
    const struct recurrence *p = w->p;
    const double largest = w->got->precision == DOUBLE ? DBL_MAX : (double)FLT_MAX;
    const size_t before = w->numbers < MAX_ORDER ? w->numbers : MAX_ORDER;
    struct part part;
    double sum = 1, most = 0;
    find_residuals(w, w->numbers - before, before, &part);
    for (int j = 0; j < p->m; j++)
        sum += fabs(p->a[j]);
    for (size_t k = MAX_ORDER; k < MAX_ORDER + before; k++)
        most = fmax(most, fabs(part.x[k]) + 2 * part.q[k]);
    if (w->most != NULL) /* its states are sums of such as lie (1 + N) N beyond them */
        most = fmax(most, w->most[w->numbers / w->tiling.tile]) * pow(1 + w->trust.norm, 2);
    return sum * most + fabs(input_at(p->code, p->seed, p->amplitude, p->f, w->numbers)) >=
           largest / 4;
}

/* --- the tolerances --- */

static struct way way_of(const struct variant *v, const struct instance *in,
                         const struct solution *got)
{
    const bool single = v->precision != DOUBLE;
    const struct recurrence *p = in->data;
    return (struct way){.p = p,
                        .got = got,
                        .numbers = p->n,
                        .unit = single ? 0x1p-24 : 0x1p-53,
                        .least = single ? (double)FLT_MIN : DBL_MIN,
                        .factors = v->precision,
                        .roundings = p->m + 3,
                        .span = 1,
                        .chunk = CHUNK,
                        .share = 1,
                        .summands = no_summands};
}

/* A solution off by as much is good for nothing, and an answer that may be, too. */
static const double too_much = 0.01;

/* OK if the variant can have what it multiplies by: a coefficient, of which one that is too small
 * is rounded, and the response of a column, which may leave the range where x does not. */
static enum status factors_within_range(const struct way *w)
{
    enum status status = OK;
    for (int j = 0; j < w->p->m && status == OK; j++) {
        char name[16];
        snprintf(name, sizeof name, "a_%d", j + 1);
        status = values_within_range(name, fmaxl(1, fabsl((long double)w->p->a[j])), w->factors);
    }
    return status == OK ? values_within_range("the response of a column to an impulse", w->response,
                                              w->factors)
                        : status;
}

/* Why the first unknown that is not finite is none. */
static enum status not_finite(const struct way *w, bool explained, bool blind)
{
    const size_t k = w->numbers + 1;
    const enum status status = explained ? factors_within_range(w) : OK;
    if (status != OK)
        return status;
    if (explained && (blind || overflows(w)))
        return because(ERR_DIVERGED,
                       "not fit to print: rounding alone takes x_%zu out of the range", k);
    return because(WRONG, "x_%zu is not a finite number, and all of the solution is", k);
}

/* The error is a linear function of the residual: were all of it smaller by a factor, so would the
 * error be. What rounding can explain of this very error is the error itself, then, if it explains
 * every residual, and else as much less as it takes until it does. */
static double explain(const struct way *w, struct judgement *out)
{
    const struct found found = w->most != NULL ? judge_tiles(w) : judge_residuals(w);
    const double amplification = found.q > found.x ? found.q / found.x : 1;
    const double local = larger(w->roundings * w->unit * amplification, w->lost);
    add_metric(out, "amplification", amplification * (1 + found.carried));
    const bool blind = !(local < too_much), explained = blind || found.worst <= 1;
    if (w->numbers < w->p->n) {
        out->status = not_finite(w, explained, blind);
    } else if (blind || (explained && !(out->error < too_much))) {
        out->status = because(ERR_DIVERGED,
                              "not fit to print: rounding alone explains an error of %.2g of the "
                              "solution",
                              fmax(local, out->error));
    }
    return explained || out->status != OK ? out->error : out->error / found.worst;
}

static double explained(struct way *w, struct judgement *out)
{
    double tolerance = (double)NAN;
    if (!isfinite(out->error))
        for (w->numbers = 0; isfinite(value_at(w->got, w->numbers)); w->numbers++)
            ;
    if (w->memory.status == OK)
        tolerance = explain(w, out);
    else
        out->status = w->memory.status;
    let_go(&w->memory);
    return tolerance;
}

/* The integers of `alternating` are never rounded, and no more were those of an exact answer. */
static bool is_settled(const struct instance *in, const struct judgement *out)
{
    return out->error == 0 || (in->at.problem->code == ALTERNATING && isfinite(out->error));
}

double recurrence_plain_tolerance(const struct variant *v, const struct instance *in,
                                  const struct solution *got, struct judgement *out)
{
    struct way w = way_of(v, in, got);
    return is_settled(in, out) ? 0 : explained(&w, out);
}

/* |y_k| as the variant may have it: rounded here in one order of the sums, and by as much as this
 * has gone astray so far it may go astray elsewhere in another order. */
static void respond(struct way *w, bool single, size_t count)
{
    double before[MAX_ORDER] = {0}, astray = 0;
    long double exact[MAX_ORDER] = {0}, most = 0;
    memset(w->y, 0, MAX_ORDER * sizeof *w->y);
    for (size_t k = 0; k < count; k++) {
        double y = k == 0;
        long double t = k == 0;
        for (int j = w->p->m - 1; j >= 0; j--) {
            const double a = w->p->a[j];
            y += (single ? (double)(float)a : a) * before[j];
            t += (long double)a * exact[j];
        }
        memmove(before + 1, before, (MAX_ORDER - 1) * sizeof *before);
        memmove(exact + 1, exact, (MAX_ORDER - 1) * sizeof *exact);
        before[0] = single ? (double)(float)y : y;
        exact[0] = t;
        most = larger_long(most, fabsl(t));
        astray = larger(astray, fabs((double)((long double)before[0] - t)));
        w->y[MAX_ORDER + k] = fabs(before[0]) + astray;
    }
    w->lost = (double)((long double)astray / most);
    w->response = most;
}

static double columns_tolerance(const struct variant *v, const struct instance *in,
                                const struct solution *got, struct judgement *out, double ratio)
{
    struct way w = way_of(v, in, got);
    size_t r = 1, s = 1;
    if (is_settled(in, out))
        return 0;
    (void)recurrence_shape(&in->at, ratio, &r, &s); /* create() refuses what does not fit */
    if (r > 1) {
        w.span = s;
        w.end = r * s;
        w.summands = summands_of_columns;
        w.y = take(&w.memory, (MAX_ORDER + s) * sizeof *w.y);
    }
    if (w.y != NULL)
        respond(&w, v->precision != DOUBLE, s);
    return explained(&w, out);
}

double recurrence_blas_tolerance(const struct variant *v, const struct instance *in,
                                 const struct solution *got, struct judgement *out)
{
    return columns_tolerance(v, in, got, out, 4);
}

double recurrence_hybrid_tolerance(const struct variant *v, const struct instance *in,
                                   const struct solution *got, struct judgement *out)
{
    return columns_tolerance(v, in, got, out, 1);
}

/* What f adds to a carry is the sum of a whole block, of products with a y that is rounded; and
 * that y was added up in double from the values before its stride. */
static void weigh(const struct way *w, double nothing)
{
    const size_t m = (size_t)w->p->m;
    assert(w->y != NULL && w->weight != NULL);
    for (size_t k = 0; k < w->chunk; k++) {
        const size_t i = k % STRIDE, begin = k - i;
        double summands = 0;
        for (size_t j = 0; j < m && begin > 0; j++)
            summands += fabs(w->echoes->of[j].high[i]) * fabs(w->y[begin - 1 - j]);
        w->weight[k] = (double)(w->chunk + 3) * w->unit * fabs(w->y[k]) +
                       (double)(m + 3) * 0x1p-53 * summands + nothing;
    }
}

double recurrence_seq_omp_tolerance(const struct variant *v, const struct instance *in,
                                    const struct solution *got, struct judgement *out)
{
    struct way w = way_of(v, in, got);
    const size_t size = value_size(v->precision), block = BLOCK_BYTES / size;
    struct echoes e;
    struct leap over;
    if (is_settled(in, out))
        return 0;
    if (w.p->n >= block)
        w.y = take(&w.memory, block * sizeof *w.y);
    if (w.y != NULL) {
        recurrence_echoes(w.p, &e);
        if (recurrence_respond(w.p, &e, v->precision, w.y, &over)) {
            w.weight = take(&w.memory, block * sizeof *w.weight);
            w.off = take(&w.memory, ((w.p->n - 1) / block + 1) * sizeof *w.off);
            w.own = take(&w.memory, ((w.p->n - 1) / block + 1) * sizeof *w.own);
        }
        if (w.weight != NULL && w.off != NULL && w.own != NULL) {
            w.chunk = block;
            w.span = VECTOR_BYTES / size;
            w.roundings = (double)w.span + w.p->m + 4; /* the tables' own are up to 2 units */
            w.summands = summands_of_vectors;
            w.echoes = &e;
            weigh(&w, SMALLEST(v->precision) * LARGEST(v->precision));
        }
    }
    return explained(&w, out);
}

/* The response in doubles; a chain is short, and what it weighs is small. */
static void follow_response(const struct recurrence *p, size_t count, double *y)
{
    for (size_t k = 0; k < count; k++) {
        y[k] = k == 0;
        for (size_t j = 1; j <= (size_t)p->m && j <= k; j++)
            y[k] += p->a[j - 1] * y[k - j];
    }
}

/* Where one thread goes through all, it is the plain loop. A single x is rounded once, as its f is;
 * one more is for what is of second order. */
double recurrence_limit_tolerance(const struct variant *v, const struct instance *in,
                                  const struct solution *got, struct judgement *out)
{
    struct way w = way_of(v, in, got);
    struct echoes e;
    if (is_settled(in, out))
        return 0;
    w.factors = DOUBLE;
    w.tiling = recurrence_tiling(w.p, v->precision, v->ranks ? (int)get_long(&in->at, "ranks") : 1);
    w.trust = recurrence_trust(w.p, &w.tiling);
    if (w.trust.blocks > 0)
        w.y = take(&w.memory, w.tiling.chain * sizeof *w.y);
    if (w.y != NULL)
        w.most = take(&w.memory, w.tiling.tiles * sizeof *w.most);
    if (w.most != NULL) {
        recurrence_echoes(w.p, &e);
        follow_response(w.p, w.tiling.chain, w.y);
        w.span = 8;
        w.roundings = (double)w.span + w.p->m + 4;
        if (v->precision != DOUBLE) {
            w.share = w.roundings * 0x1p-53 / (3 * w.unit);
            w.roundings = 3;
        }
        w.summands = summands_of_vectors;
        w.echoes = &e;
    }
    return explained(&w, out);
}

/* --- CUB's scans --- */

/* Unknowns in a tile of CUB's scan, by their bytes (cub/device/dispatch/tuning/tuning_scan.cuh):
 * 128 threads with 15 words of 4 bytes each, or one operand. Sums are tuned for some cards, and
 * have the largest on one of capability 10.0. */
enum { THREADS = 128, LARGEST_OF_SUMS = 8448 };

static double tile_of(size_t bytes)
{
    return THREADS * fmax(1, floor(60 / (double)bytes));
}

struct scan {
    double tile, largest; /* the smallest and the largest one */
    double units;         /* of K^4 Z that a composition may lose */
};

/* Compositions on two ways from values that both have: through a tile, and over the tiles that look
 * back at the same time, which are no more than the device holds blocks. */
static double nodes_of(const struct scan *scan, double n)
{
    struct device_facts facts = {.multiprocessors = 0};
    (void)device_open(&facts); /* the answer comes from it */
    const double together = facts.multiprocessors * (2048.0 / THREADS);
    return 2 * (fmin(n, scan->largest) + fmin(ceil(n / scan->tile), together));
}

struct powers {
    double growth, largest; /* K: of the norms of C^l over growth^l */
    double norm;            /* of the last one, over growth^l too */
    size_t count;
};

/* Up to `most`, or to the first beyond a million. */
static struct powers take_powers(const struct recurrence *p, size_t most, double growth)
{
    enum { PLACES = 2 * MAX_ORDER };
    double a[MAX_ORDER], y[MAX_ORDER][PLACES] = {{0}}, rows[PLACES];
    struct powers of = {growth, 1, 1, 0};
    for (int j = 0; j < PLACES; j++)
        rows[(PLACES - j) % PLACES] = pow(growth, j);
    for (int j = 0; j < p->m; j++) {
        a[j] = p->a[j] / pow(growth, j + 1);
        y[j][(PLACES - j) % PLACES] = pow(growth, j);
    }
    while (of.count < most && of.norm < 0x1p20) {
        const size_t l = ++of.count;
        rows[l % PLACES] = 0;
        for (int j = 0; j < p->m; j++) {
            double sum = 0;
            for (size_t i = 1; i <= (size_t)p->m; i++)
                sum += a[i - 1] * y[j][(l + PLACES - i) % PLACES];
            y[j][l % PLACES] = sum;
            rows[l % PLACES] += fabs(sum);
        }
        of.norm = 0;
        for (size_t i = 0; i < (size_t)p->m; i++)
            of.norm = fmax(of.norm, rows[(l + PLACES - i) % PLACES]);
        of.largest = fmax(of.largest, of.norm);
    }
    return of;
}

/* Where they grow, by the factor that the second half of the first ones had. */
static struct powers powers_of(const struct recurrence *p, size_t most)
{
    const struct powers first = take_powers(p, most, 1);
    if (first.norm < 0x1p20)
        return first;
    const size_t half = first.count / 2;
    const double more = first.norm / take_powers(p, half, 1).norm;
    return take_powers(p, most, fmax(1, pow(more, 1 / (double)(first.count - half))));
}

/* largest[c]: Z before chunk c. */
static void find_largest(struct way *w)
{
    const size_t chunks = (w->numbers + w->chunk - 1) / w->chunk;
    const double over = pow(w->growth, (double)w->chunk);
#pragma omp parallel for schedule(static)
    for (size_t c = 0; c < chunks; c++) {
        double z = 0;
        for (size_t k = 0; k < up_to(w, c * w->chunk, w->chunk); k++)
            z = fmax(fabs(value_at(w->got, c * w->chunk + k)), w->growth * z);
        w->largest[c + 1] = z;
    }
    w->largest[0] = 0;
    for (size_t c = 0; c < chunks; c++)
        w->largest[c + 1] = fmax(w->largest[c + 1], over * w->largest[c]);
}

static double scan_tolerance(const struct variant *v, const struct instance *in,
                             const struct solution *got, struct judgement *out,
                             const struct scan *scan)
{
    struct way w = way_of(v, in, got);
    const double n = (double)w.p->n, nodes = nodes_of(scan, n);
    double sum = 0;
    if (is_settled(in, out))
        return 0;
    w.largest = take(&w.memory, ((w.p->n - 1) / CHUNK + 2) * sizeof *w.largest);
    for (int j = 0; j < w.p->m; j++)
        sum += fabs(w.p->a[j]);
    const struct powers powers = powers_of(w.p, (size_t)fmin(n, nodes * scan->largest));
    w.growth = powers.growth;
    w.scale = fmax(1, sum) * nodes * scan->units * pow(powers.largest, 4) / w.roundings;
    w.summands = summands_of_scan;
    if (w.largest != NULL)
        find_largest(&w);
    return explained(&w, out);
}

/* Sums, by themselves: a rounding of x_k - x_i, at most 2 Z. */
double recurrence_sum_tolerance(const struct variant *v, const struct instance *in,
                                const struct solution *got, struct judgement *out)
{
    const struct scan scan = {tile_of(value_size(v->precision)), LARGEST_OF_SUMS, 2};
    return scan_tolerance(v, in, got, out, &scan);
}

/* Of order 3 as of order 4. */
double recurrence_scan_tolerance(const struct variant *v, const struct instance *in,
                                 const struct solution *got, struct judgement *out)
{
    const int m = ((const struct recurrence *)in->data)->m, order = m == 3 ? 4 : m;
    const double tile = tile_of(value_size(v->precision) * (size_t)(order * (order + 1)));
    const struct scan scan = {tile, tile, 5 * order + 4};
    return scan_tolerance(v, in, got, out, &scan);
}
