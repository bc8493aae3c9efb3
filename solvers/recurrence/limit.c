/*
 * The tables of the variant limit. Powers are made in twice the digits of a double: each squaring
 * doubles what the one before has lost, and a wave of tiles is a million unknowns.
 */
#include "limit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { EDGE = 8 };

/* Rounding a state costs the square of the norm in digits, and how a state was added up is what a
 * judge can bound by the third power only: 2^8 leaves it half of the digits of a double. */
static const double most_norm = 0x1p8;

/* What is smaller than this stays so: the powers of a product are at most the products. */
static const double faded = 0x1p-500;

/* Shapes that were measured, of K blocks in a chain, on an H200, n = 2^28, in ms. Double, m = 4: 13
 * 1.092, 9 1.272 (2^26 288 and 332 us, 2^24 85 and 95). Double, m = 16, with so many places and
 * stages: 9, 5, 4 1.412; 9, 4, 6 1.496; 9, 4, 5 1.462; 11, 4, 4 1.417; 7 1.555. Single, m = 4: 25
 * 0.573, 21 0.629; m = 16: 17, 5, 5 0.946, as 5, 4; 4, 6 0.967; 4, 8 0.963; 13, 6, 6 1.030; 25, 3,
 * 5 1.110; with f in the ring until x is made 17, 5, 5 0.988, 21, 4, 4 0.979. Since registers go to
 * who lacks them (limit_tmpl.cu): double, m = 16, 9, 5, 4 1.32 to 1.38, 11, 4, 4 1.32. While x was
 * made where f lay (n = 2^20 in us, of launches in a graph): double, m = 8: 9 blocks 1.12 to 1.19
 * (9.0), 13 1.084 to 1.093, or 1.103 if no tile is asked for ahead, and 1.27 with three stages in
 * the place of four; 5 1.38 (10.4), 7 1.21, 17 1.19; 128 chains of 5 1.16 (9.6); at n = 2^24 13
 * took 76.0 us and 9 79.8. Double, m = 16: 7 1.479, 9 1.518 (13.6), 11 1.73, 13 1.66; 9 with two
 * carry warps 1.82, four 1.54. Single, m = 4: 17 0.65 (7.5; 13.6 at 2^22), 21 0.62, 25 0.598
 * (8.4; 14.7), 29 0.646; m = 16: 17 0.814, with three carry warps 0.844, 13 0.912, 21 0.95. An odd
 * number, or the rows of a warp would meet in the same banks. */
static int steps_of(int m, size_t n, enum precision precision)
{
    const bool edge = m <= EDGE;
    if (precision != DOUBLE)
        return edge && n > (size_t)1 << 24 ? 25 : 17;
    return !edge ? 11 : n > (size_t)1 << 20 ? 13 : 9;
}

struct tiling recurrence_tiling(const struct recurrence *p, enum precision precision, int ranks)
{
    const size_t of_each = (p->n - 1) / (size_t)ranks + 1;
    struct tiling of = {.wide = p->m > EDGE ? 2 : 1, .ranks = ranks};
    of.steps = steps_of(p->m, of_each, precision);
    of.chain = (size_t)of.steps * EDGE;
    of.tile = of.chain * LIMIT_CHAINS;
    of.tiles = (p->n - 1) / of.tile + 1;
    return of;
}

static void step_of(const struct recurrence *p, struct leap *one)
{
    memset(one, 0, sizeof *one);
    for (int j = 0; j < p->m; j++) {
        one->high[j][0] = p->a[j];
        if (j + 1 < p->m)
            one->high[j][j + 1] = 1;
    }
}

/* `times` leaps in one, at least one. */
static struct leap leaps(const struct leap *one, int m, size_t times)
{
    struct leap all = *one, power = *one, next;
    assert(times > 0);
    for (times--; times > 0; times /= 2) {
        if (times % 2 == 1) {
            recurrence_join(&all, &power, m, &next);
            all = next;
        }
        if (times > 1) {
            recurrence_join(&power, &power, m, &next);
            power = next;
        }
    }
    return all;
}

static double norm_of(const struct leap *over, int m)
{
    double most = 0;
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++)
            sum += fabs(over->high[j][i]);
        most = sum <= most ? most : sum; /* a NaN too */
    }
    return most;
}

/* How many leaps, `most` at most, stay within the norm; the largest norm of them and *norm. */
static int tame(const struct leap *one, int m, int most, double *norm)
{
    struct leap power = *one, next;
    for (int k = 1; k <= most; k++) {
        const double size = norm_of(&power, m);
        if (!(size <= most_norm))
            return k - 1;
        *norm = fmax(*norm, size);
        if (size < faded)
            break;
        recurrence_join(&power, one, m, &next);
        power = next;
    }
    return most;
}

struct trust recurrence_trust(const struct recurrence *p, const struct tiling *of)
{
    const int m = p->m, chain = (int)of->chain;
    const size_t of_each = (of->tiles - 1) / (size_t)of->ranks + 1;
    const int most = of_each < LIMIT_MOST ? (int)of_each : LIMIT_MOST;
    struct trust trust = {0, 1};
    struct leap over;
    step_of(p, &over);
    if (tame(&over, m, chain, &trust.norm) < chain)
        return trust;
    over = leaps(&over, m, of->chain);
    if (tame(&over, m, LIMIT_CHAINS, &trust.norm) < LIMIT_CHAINS)
        return trust;
    over = leaps(&over, m, LIMIT_CHAINS);
    trust.blocks = of->tiles == 1 ? 1 : tame(&over, m, most, &trust.norm);
    return trust;
}

/* y[k], k < count: the next unknowns without f if of those before only the last but j is not 0, but
 * 1; with j = -1 the response to f = 1, 0, 0 ... */
static void go_on(const struct recurrence *p, int j, int count, long double *y)
{
    for (int k = 0; k < count; k++) {
        y[k] = j < 0 && k == 0;
        for (int l = 1; l <= p->m; l++) {
            const long double before = k >= l ? y[k - l] : k - l == -1 - j;
            y[k] += (long double)p->a[l - 1] * before;
        }
    }
}

/* Which of the last unknowns the place i of a state is: the last but so many. */
static int last_but(const struct tiling *of, int i)
{
    return of->wide * EDGE - 1 - i;
}

static double *matrix(double *table, int k)
{
    return table + k * EDGE * EDGE;
}

static void put_power(const struct tiling *of, const struct leap *power, int m, double *to)
{
    const int size = of->wide * EDGE;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            const int row = last_but(of, i), column = last_but(of, j);
            if (row < m && column < m)
                matrix(to, i / EDGE * of->wide + j / EDGE)[i % EDGE * EDGE + j % EDGE] =
                    power->high[column][row];
        }
}

/* The power of one leap, and of 1, 2, 4 and 8 times so many, as far as they lead no farther than
 * `most`. */
static void put_powers(const struct tiling *of, const struct leap *one, int m, int many, int most,
                       double *to)
{
    const int all = of->wide * of->wide;
    struct leap power;
    if (most >= 1)
        put_power(of, one, m, to);
    for (int k = 0; k < 4 && (many << k) <= most; k++) {
        power = leaps(one, m, (size_t)many << k);
        put_power(of, &power, m, matrix(to, (1 + k) * all));
    }
}

/* [most + 1] the powers of 0, 1, 2, ... `most` leaps behind each other. */
static void put_each_power(const struct tiling *of, const struct leap *one, int m, int most,
                           double *to)
{
    const int all = of->wide * of->wide;
    struct leap power = *one, next, none = {0};
    for (int k = 0; k < m; k++)
        none.high[k][k] = 1;
    put_power(of, &none, m, to);
    for (int k = 1; k <= most; k++) {
        put_power(of, &power, m, matrix(to, k * all));
        recurrence_join(&power, one, m, &next);
        power = next;
    }
}

void recurrence_tables(const struct recurrence *p, const struct tiling *of,
                       const struct trust *trust, double *table)
{
    const int wide = of->wide, chain = (int)of->chain;
    long double y[LIMIT_LARGEST_CHAIN] = {0};
    struct leap over;
    assert(chain <= LIMIT_LARGEST_CHAIN);
    memset(table, 0,
           (size_t)LIMIT_MATRICES(wide, of->steps, trust->blocks) * EDGE * EDGE * sizeof *table);
    go_on(p, -1, chain, y);
    for (int i = 0; i < EDGE; i++)
        for (int k = 0; k <= i; k++)
            table[i * EDGE + k] = (double)y[i - k];
    for (int i = 0; i < wide * EDGE; i++) {
        const int end = chain - 1 - last_but(of, i); /* the unknown, whose f is the last to count */
        double *const to = matrix(table, LIMIT_AT_ENDS(wide) + i / EDGE) + i % EDGE * EDGE;
        for (int k = 0; k <= end && last_but(of, i) < p->m; k++)
            matrix(to, k / EDGE * wide)[k % EDGE] = (double)y[end - k];
    }
    for (int j = 0; j < wide * EDGE; j++) {
        if (last_but(of, j) >= p->m)
            continue;
        go_on(p, last_but(of, j), EDGE, y);
        for (int i = 0; i < EDGE; i++)
            matrix(table, LIMIT_AT_STATE + j / EDGE)[i * EDGE + j % EDGE] = (double)y[i];
    }
    step_of(p, &over);
    over = leaps(&over, p->m, of->chain);
    put_powers(of, &over, p->m, LIMIT_GROUP, LIMIT_CHAINS,
               matrix(table, LIMIT_AT_CHAIN(wide, of->steps)));
    over = leaps(&over, p->m, LIMIT_CHAINS);
    const int tiles = of->tiles > 1 ? trust->blocks : 0;
    put_powers(of, &over, p->m, LIMIT_WINDOW, tiles, matrix(table, LIMIT_AT_TILE(wide, of->steps)));
    put_each_power(of, &over, p->m, tiles, matrix(table, LIMIT_AT_WAVE(wide, of->steps)));
}
