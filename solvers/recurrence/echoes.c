/*
 * The tables of SEQ-omp in double-double arithmetic, in loops that become vectors. Compiled without
 * contraction: what a product and a sum lose is computed as well, and the compiler must not improve
 * on that.
 */
#include "echoes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "../common/widest.h"

/* Adds a b, where each is high + low. */
INLINE void add_product(double *high, double *low, double a, double a_low, double b, double b_low)
{
    const double product = a * b, lost = fma(a, b, -product);
    const double sum = *high + product, added = sum - *high;
    *low += (*high - (sum - added)) + (product - added) + (lost + (a * b_low + a_low * b));
    *high = sum;
}

INLINE void settle(double *high, double *low)
{
    const double sum = *high + *low;
    *low -= sum - *high;
    *high = sum;
}

/* to[i] = x_{k+first+i}, i < count, of the m values before x_k, the last one first. */
static WIDEST void go_on(int m, const struct twofold *echoes, const struct twofold *before,
                         int first, int count, struct twofold *restrict to)
{
    memset(to->high, 0, (size_t)count * sizeof *to->high);
    memset(to->low, 0, (size_t)count * sizeof *to->low);
    for (int j = m - 1; j >= 0; j--) {
        const double *const high = echoes[j].high + first, *const low = echoes[j].low + first;
        const double x = before->high[j], x_low = before->low[j];
        for (int i = 0; i < count; i++)
            add_product(&to->high[i], &to->low[i], high[i], low[i], x, x_low);
    }
    for (int i = 0; i < count; i++)
        settle(&to->high[i], &to->low[i]);
}

/* to[i] = a y[i] + next[i-1], 1 <= i: x_{k-1-j} is f of its own a_{j+1}, and then the next older.
 */
static WIDEST void echo(double a, const struct twofold *y, const struct twofold *next,
                        struct twofold *restrict to)
{
    for (int i = 1; i < STRIDE; i++) {
        double high = next->high[i - 1], low = next->low[i - 1];
        add_product(&high, &low, y->high[i], y->low[i], a, 0);
        settle(&high, &low);
        to->high[i] = high;
        to->low[i] = low;
    }
}

/* The m values before from[end], the last one first; 0 before the first. */
static void turn(const struct twofold *from, int end, int m, struct twofold *before)
{
    assert(m <= 2 * MAX_ORDER);
    for (int j = 0; j < m; j++) {
        before->high[j] = j < end ? from->high[end - 1 - j] : 0;
        before->low[j] = j < end ? from->low[end - 1 - j] : 0;
    }
}

/* By the recurrence itself: to take longer and longer leaps would multiply what each of them loses.
 */
WIDEST void recurrence_echoes(const struct recurrence *p, struct echoes *out)
{
    const int m = p->m;
    for (int k = 0; k < STRIDE; k++) {
        double high = k == 0, low = 0;
        for (int j = k < m ? k : m; j >= 1; j--)
            add_product(&high, &low, out->y.high[k - j], out->y.low[k - j], p->a[j - 1], 0);
        settle(&high, &low);
        out->y.high[k] = high;
        out->y.low[k] = low;
    }
    memset(&out->of[m], 0, sizeof *out->of);
    for (int j = m - 1; j >= 0; j--) {
        out->of[j].high[0] = p->a[j];
        out->of[j].low[0] = 0;
        echo(p->a[j], &out->y, &out->of[j + 1], &out->of[j]);
    }
}

/* The next STRIDE values, each of them rounded once more, which is not handed on. */
static WIDEST void stride(int m, const struct twofold *echoes, const double *before, double nothing,
                          double *y)
{
    enum { AT_ONCE = 32 };
    for (int k = 0; k < STRIDE; k += AT_ONCE) {
        double sum[AT_ONCE] = {0};
        for (int j = m - 1; j >= 0; j--)
            for (int i = 0; i < AT_ONCE; i++)
                sum[i] += echoes[j].high[k + i] * before[j];
        for (int i = 0; i < AT_ONCE; i++)
            y[k + i] = fabs(sum[i]) < nothing ? 0 : sum[i];
    }
}

static bool is_nothing(const struct twofold *values, int count, double nothing)
{
    bool all = true;
    for (int i = 0; i < count; i++)
        all = all && fabs(values->high[i]) < nothing;
    return all;
}

/* From the 2m last values, the last one first. */
static void leap_from(const struct recurrence *p, const struct twofold *last, struct leap *over)
{
    struct twofold next = {{0}, {0}}, this;
    for (int j = p->m - 1; j >= 0; j--) {
        /* Backwards in time: what was i - 1 there is i + 1 here. */
        for (int i = 0; i < p->m + j; i++) {
            double high = next.high[i + 1], low = next.low[i + 1];
            add_product(&high, &low, last->high[i], last->low[i], p->a[j], 0);
            settle(&high, &low);
            this.high[i] = high;
            this.low[i] = low;
        }
        memcpy(next.high, this.high, (size_t)(p->m + j) * sizeof *next.high);
        memcpy(next.low, this.low, (size_t)(p->m + j) * sizeof *next.low);
        memcpy(over->high[j], this.high, (size_t)p->m * sizeof *this.high);
        memcpy(over->low[j], this.low, (size_t)p->m * sizeof *this.low);
    }
}

static WIDEST bool is_tame(const double *y, int count, const struct leap *over, int m, double most)
{
    int wild = 0;
    for (int k = 0; k < count; k++)
        wild |= !(fabs(y[k]) <= most);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            wild |= !(fabs(over->high[j][i]) <= most);
    return wild == 0;
}

bool recurrence_respond(const struct recurrence *p, const struct echoes *e,
                        enum precision precision, double *y, struct leap *over)
{
    enum { LANES = 8 }; /* whole vectors are faster than what is left of one */
    const int count = BLOCK_BYTES / (int)value_size(precision);
    const double nothing = SMALLEST(precision);
    struct twofold last, next;
    memcpy(y, e->y.high, sizeof e->y.high);
    turn(&e->y, STRIDE, 2 * p->m, &last);
    for (int k = STRIDE; k < count; k += STRIDE) {
        const int needed = k + STRIDE < count ? p->m : 2 * p->m;
        const int tail = (needed + LANES - 1) / LANES * LANES;
        stride(p->m, e->of, last.high, nothing, y + k);
        go_on(p->m, e->of, &last, STRIDE - tail, tail, &next);
        turn(&next, tail, needed, &last);
        if (is_nothing(&last, needed, nothing))
            last = (struct twofold){{0}, {0}};
    }
    leap_from(p, &last, over);
    return is_tame(y, count, over, p->m, LARGEST(precision));
}

/* For a fixed number of sums, which stay in registers. */
INLINE void leap(int count, const struct leap *over, int m, const double *before, double *last)
{
    double high[MAX_ORDER], low[MAX_ORDER] = {0};
    memcpy(high, last, (size_t)count * sizeof *high);
    for (int j = m - 1; j >= 0; j--)
        for (int i = 0; i < count; i++)
            add_product(&high[i], &low[i], over->high[j][i], over->low[j][i], before[j], 0);
    for (int i = 0; i < count; i++)
        last[i] = high[i] + low[i];
}

WIDEST void recurrence_leap(const struct leap *over, int m, const double *before, double *last)
{
    if (m <= MAX_ORDER / 2)
        leap(MAX_ORDER / 2, over, m, before, last);
    else
        leap(MAX_ORDER, over, m, before, last);
}

WIDEST void recurrence_join(const struct leap *first, const struct leap *then, int m,
                            struct leap *restrict out)
{
    memset(out, 0, sizeof *out);
    for (int j = 0; j < m; j++) {
        double *const high = out->high[j], *const low = out->low[j];
        for (int k = m - 1; k >= 0; k--)
            for (int i = 0; i < m; i++)
                add_product(&high[i], &low[i], then->high[k][i], then->low[k][i], first->high[j][k],
                            first->low[j][k]);
        for (int i = 0; i < m; i++)
            settle(&high[i], &low[i]);
    }
}
