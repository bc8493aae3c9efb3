/*
 * How far an answer y is from the solution x, in parallel and without x: the error e = y - x solves
 * the recurrence of which f is the residual of y. The residual is small and known to twice the
 * digits of a double, and so e in double has more digits of x than x in long double would have.
 */
#include "residual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/solution.h"
#include "../common/widest.h"
#include "echoes.h"
#include "input.h"

enum {
    LANES = 16, /* sums that are taken side by side */
    STRIP = 256,
    CHUNK = BLOCK_BYTES / sizeof(double),
    CHUNKS = 256 /* whose residuals are kept at once */
};

/* --- the data --- */

/* An integer below 2^52 as a double, by putting it into the digits of 2^52: that is a vector
 * instruction on every CPU, and a conversion is not. */
INLINE double small_integer(uint64_t bits)
{
    double with;
    bits |= UINT64_C(0x4330000000000000);
    memcpy(&with, &bits, sizeof with);
    return with - 0x1p52;
}

static WIDEST void draw_random(uint64_t seed, double amplitude, size_t first, size_t count,
                               double *f)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = bits_at(seed, first + i) >> 11;
        const double uniform = 0x1p-26 * small_integer(bits >> 27) +
                               0x1p-53 * small_integer(bits & ((UINT64_C(1) << 27) - 1));
        f[i] = amplitude * (2 * uniform - 1);
    }
}

/* The remainder by 3: that of 2^32, 2^16 and 2^8 is 1, so it is the remainder of the sum of the
 * parts, and below 2^11 a product has the quotient. */
static WIDEST void draw_ternary(uint64_t seed, double amplitude, size_t first, size_t count,
                                double *f)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = bits_at(seed, first + i);
        uint64_t sum = (bits >> 32) + (bits & 0xffffffff);
        sum = (sum >> 16) + (sum & 0xffff);
        sum = (sum >> 8) + (sum & 0xff);
        const uint32_t part = (uint32_t)sum;
        f[i] = amplitude * (double)((int)(part - 3 * (part * 683 >> 11)) - 1);
    }
}

void recurrence_input(const struct recurrence *p, size_t first, size_t count, double *f)
{
    if (p->code == F_RANDOM)
        draw_random(p->seed, p->amplitude, first, count, f);
    else if (p->code == F_TERNARY)
        draw_ternary(p->seed, p->amplitude, first, count, f);
    else
        for (size_t i = 0; i < count; i++)
            f[i] = input_at(p->code, p->seed, p->amplitude, p->f, first + i);
}

void recurrence_values(const struct solution *got, size_t first, size_t count, double *x)
{
    const size_t before = first < MAX_ORDER ? first : MAX_ORDER;
    memset(x - MAX_ORDER, 0, (MAX_ORDER - before) * sizeof *x);
    widen(got, first - before, before + count, x - before);
}

/* --- the residual --- */

INLINE void add(double *high, double *low, double b, double lost)
{
    const double sum = *high + b, added = sum - *high;
    *low += (*high - (sum - added)) + (b - added) + lost;
    *high = sum;
}

/* Of as many as stay in the nearest cache. */
INLINE void residuals(size_t count, const struct recurrence *p, const double *x, const double *f,
                      double *restrict r)
{
    double low[STRIP];
    for (size_t i = 0; i < count; i++) {
        low[i] = 0;
        r[i] = x[i];
        add(&r[i], &low[i], -f[i], 0);
    }
    for (int j = 1; j <= p->m; j++) {
        const double a = -p->a[j - 1];
        for (size_t i = 0; i < count; i++) {
            const double before = x[(ptrdiff_t)i - j], product = a * before;
            add(&r[i], &low[i], product, fma(a, before, -product));
        }
    }
    for (size_t i = 0; i < count; i++)
        r[i] += low[i];
}

WIDEST void recurrence_residuals(const struct recurrence *p, const double *x, const double *f,
                                 size_t count, double *r)
{
    for (size_t k = 0; k < count; k += STRIP)
        residuals(count - k < STRIP ? count - k : STRIP, p, x + k, f + k, r + k);
}

/* --- the distance --- */

struct course {
    const struct recurrence *p;
    const struct solution *got;
    struct leap over;                     /* a chunk */
    double high[CHUNK + MAX_ORDER];       /* the response to an impulse, the last one first, then */
    double low[CHUNK + MAX_ORDER];        /* 0; high + low */
    double (*r)[CHUNK];                   /* [CHUNKS] residuals, of this window of the answer */
    double before[CHUNKS + 1][MAX_ORDER]; /* the e before each chunk, the last one first */
    struct distance found[CHUNKS];
};

/* The last values of e in a chunk, going by its residuals alone. The next chunk makes much of what
 * they lose: it is not as if one e had been rounded, which those behind it had seen. */
static WIDEST void add_up(const struct course *of, const double *r, double *last)
{
    for (int j = 0; j < of->p->m; j++) {
        double sums[LANES] = {0}, lost[LANES] = {0}, sum = 0, rest = 0;
        for (int k = 0; k < CHUNK; k += LANES)
            for (int i = 0; i < LANES; i++) {
                const double y = of->high[k + i + j], product = y * r[k + i];
                const double more = of->low[k + i + j] * r[k + i];
                add(&sums[i], &lost[i], product, fma(y, r[k + i], -product) + more);
            }
        for (int i = 0; i < LANES; i++)
            add(&sum, &rest, sums[i], lost[i]);
        last[j] = sum + rest;
    }
}

static void begin_chunk(struct course *of, size_t first, size_t count, size_t c)
{
    double values[MAX_ORDER + CHUNK], f[CHUNK];
    recurrence_values(of->got, first, count, values + MAX_ORDER);
    recurrence_input(of->p, first, count, f);
    recurrence_residuals(of->p, values + MAX_ORDER, f, count, of->r[c]);
    if (count == CHUNK)
        add_up(of, of->r[c], of->before[c + 1]);
}

/* e in the place of r, for an order that the compiler knows; beyond m the coefficients are 0. */
INLINE void solve(int order, const double *a, size_t count, double *e)
{
    for (size_t k = 0; k < count; k++) {
        double t = e[k];
        for (int j = order; j >= 1; j--)
            t += a[j - 1] * e[(ptrdiff_t)k - j];
        e[k] = t;
    }
}

static WIDEST struct distance extent(const double *x, const double *e, size_t count)
{
    int64_t off = 0, most = 0;
    for (size_t k = 0; k < count; k++) {
        off = higher(off, rank_of(e[k]));
        most = higher(most, rank_of(x[k] - e[k]));
    }
    return (struct distance){of_rank(off), of_rank(most)};
}

static struct distance finish_chunk(const struct course *of, size_t first, size_t count, size_t c)
{
    const struct recurrence *const p = of->p;
    double values[MAX_ORDER + CHUNK], errors[MAX_ORDER + CHUNK], *const e = errors + MAX_ORDER;
    double a[MAX_ORDER] = {0};
    memcpy(a, p->a, (size_t)p->m * sizeof *a);
    for (int j = 0; j < MAX_ORDER; j++)
        errors[MAX_ORDER - 1 - j] = j < p->m ? of->before[c][j] : 0;
    memcpy(e, of->r[c], count * sizeof *e);
    if (p->m == 1)
        solve(1, a, count, e);
    else if (p->m == 2)
        solve(2, a, count, e);
    else if (p->m <= 4)
        solve(4, a, count, e);
    else if (p->m <= 8)
        solve(8, a, count, e);
    else
        solve(MAX_ORDER, a, count, e);
    recurrence_values(of->got, first, count, values + MAX_ORDER);
    return extent(values + MAX_ORDER, e, count);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* From `first` on, as far as there is room for residuals. Returns how many chunks that are. */
static size_t follow(struct course *of, size_t first)
{
    const size_t left = of->p->n - first, chunks = smaller(CHUNKS, (left - 1) / CHUNK + 1);
#pragma omp parallel for schedule(static)
    for (size_t c = 0; c < chunks; c++)
        begin_chunk(of, first + c * CHUNK, smaller(CHUNK, left - c * CHUNK), c);
    for (size_t c = 0; c < chunks && left - c * CHUNK > CHUNK; c++)
        recurrence_leap(&of->over, of->p->m, of->before[c], of->before[c + 1]);
#pragma omp parallel for schedule(static)
    for (size_t c = 0; c < chunks; c++)
        of->found[c] = finish_chunk(of, first + c * CHUNK, smaller(CHUNK, left - c * CHUNK), c);
    memcpy(of->before[0], of->before[CHUNKS], sizeof *of->before);
    return chunks;
}

/* As long as e is so much smaller than x, a rounding of e in double is no larger than one of x in
 * long double. From chunk to chunk it counts for more, but is one of e, too, and not of what e is
 * added up from. What is smaller than the second number may lose digits of its products. */
static const double small = 0x1p-11, tiny = 0x1p-800;

/* By the recurrence itself: recurrence_respond() rounds what it has from values a STRIDE before. */
static void respond(struct course *of)
{
    long double before[MAX_ORDER] = {0}; /* before[j-1] is y_{k-j} */
    for (int k = 0; k < CHUNK; k++) {
        long double y = k == 0;
        for (int j = of->p->m; j >= 1; j--)
            y += (long double)of->p->a[j - 1] * before[j - 1];
        memmove(before + 1, before, (MAX_ORDER - 1) * sizeof *before);
        before[0] = y;
        const double high = fabsl(y) < (long double)tiny ? 0 : (double)y;
        of->high[CHUNK - 1 - k] = high;
        of->low[CHUNK - 1 - k] = high == 0 ? 0 : (double)(y - (long double)high);
    }
}

/* What a chunk hands on to the next one; false if that grows too large to be rounded. */
static bool prepare(struct course *of)
{
    struct echoes *const echoes = malloc(sizeof *echoes);
    double y[CHUNK];
    bool good = echoes != NULL;
    if (good) {
        recurrence_echoes(of->p, echoes);
        good = recurrence_respond(of->p, echoes, DOUBLE, y, &of->over);
    }
    if (good)
        respond(of);
    free(echoes);
    return good;
}

bool recurrence_distance(const struct recurrence *p, const struct solution *got,
                         struct distance *out)
{
    struct course *const of = calloc(1, sizeof *of);
    struct distance all = {0, 0};
    bool good = of != NULL;
    if (good) {
        of->p = p;
        of->got = got;
        of->r = malloc(smaller(CHUNKS, (p->n - 1) / CHUNK + 1) * sizeof *of->r);
        good = of->r != NULL && (p->n <= CHUNK || prepare(of));
    }
    for (size_t first = 0; good && first < p->n; first += CHUNKS * CHUNK) {
        const size_t chunks = follow(of, first);
        for (size_t c = 0; c < chunks && good; c++) {
            all.off = larger(all.off, of->found[c].off);
            all.most = larger(all.most, of->found[c].most);
            good = all.off <= small * all.most && isfinite(all.most);
        }
    }
    if (of != NULL)
        free(of->r);
    free(of);
    *out = all;
    return good && (all.most >= tiny || all.most == 0);
}
