/*
 * The forcing as what it is, at a node, as a function of time: with c = amplitude cos(pi t) and z =
 * c^2, both flows' are c' XY + c P(z) / (1 + sigma z)^k. It takes a dozen operations where P's
 * coefficients are known, which are found here by arithmetic of polynomials in z, in long double.
 */
#include "curvature.h"

enum { TERMS = 6 };

struct polynomial {
    long double of[TERMS]; /* 1, z, z^2, .. */
};

static struct polynomial constant(long double x)
{
    return (struct polynomial){{x}};
}

/* a + b z */
static struct polynomial line(long double a, long double b)
{
    return (struct polynomial){{a, b}};
}

static struct polynomial times(struct polynomial a, struct polynomial b)
{
    struct polynomial c = {{0}};
    for (int i = 0; i < TERMS; i++)
        for (int j = 0; i + j < TERMS; j++)
            c.of[i + j] += a.of[i] * b.of[j];
    return c;
}

/* a + by z^power b */
static struct polynomial plus(struct polynomial a, long double by, int power, struct polynomial b)
{
    for (int i = 0; i + power < TERMS; i++)
        a.of[i + power] += by * b.of[i];
    return a;
}

/* Derivatives of the solution, where c = 1, and what is made of them, as forcing_willmore() has it;
 * each g has a factor c^2, each n a factor c^3. */
struct derivatives {
    long double p, q, xx, xy, yy, xxx, xxy, xyy, yyy, xxxx, xxxy, xxyy, xyyy, yyyy;
    long double g1, g2, g1x, g1y, g2y, n, nx, ny, nxx, nxy, nyy;
};

static struct derivatives derivatives_of(const double *x, const double *y)
{
    struct derivatives d = {0};
    const long double x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4];
    const long double y0 = y[0], y1 = y[1], y2 = y[2], y3 = y[3], y4 = y[4];
    d.p = x1 * y0, d.q = x0 * y1;
    d.xx = x2 * y0, d.xy = x1 * y1, d.yy = x0 * y2;
    d.xxx = x3 * y0, d.xxy = x2 * y1, d.xyy = x1 * y2, d.yyy = x0 * y3;
    d.xxxx = x4 * y0, d.xxxy = x3 * y1, d.xxyy = x2 * y2, d.xyyy = x1 * y3, d.yyyy = x0 * y4;
    d.g1 = d.p * d.xx + d.q * d.xy;
    d.g2 = d.p * d.xy + d.q * d.yy;
    d.g1x = d.xx * d.xx + d.p * d.xxx + d.xy * d.xy + d.q * d.xxy;
    d.g1y = d.xy * d.xx + d.p * d.xxy + d.yy * d.xy + d.q * d.xyy;
    d.g2y = d.xy * d.xy + d.p * d.xyy + d.yy * d.yy + d.q * d.yyy;
    const long double g1xx = 3 * (d.xx * d.xxx + d.xy * d.xxy) + d.p * d.xxxx + d.q * d.xxxy;
    const long double g2yy = 3 * (d.yy * d.yyy + d.xy * d.xyy) + d.q * d.yyyy + d.p * d.xyyy;
    const long double g1yy = 2 * (d.xy * d.xxy + d.yy * d.xyy) + d.xyy * d.xx + d.yyy * d.xy +
                             d.p * d.xxyy + d.q * d.xyyy;
    const long double g2xx = 2 * (d.xx * d.xxy + d.xy * d.xyy) + d.xxx * d.xy + d.xxy * d.yy +
                             d.p * d.xxxy + d.q * d.xxyy;
    d.n = d.p * d.g1 + d.q * d.g2;
    d.nx = d.xx * d.g1 + d.p * d.g1x + d.xy * d.g2 + d.q * d.g1y;
    d.ny = d.xy * d.g1 + d.p * d.g1y + d.yy * d.g2 + d.q * d.g2y;
    d.nxx =
        d.xxx * d.g1 + 2 * d.xx * d.g1x + d.p * g1xx + d.xxy * d.g2 + 2 * d.xy * d.g1y + d.q * g2xx;
    d.nyy =
        d.xyy * d.g1 + 2 * d.xy * d.g1y + d.p * g1yy + d.yyy * d.g2 + 2 * d.yy * d.g2y + d.q * g2yy;
    d.nxy = d.xxy * d.g1 + d.xx * d.g1y + d.xy * d.g1x + d.p * g2xx + d.xyy * d.g2 + d.xy * d.g2y +
            d.yy * d.g1y + d.q * g1yy;
    return d;
}

/* With S = 1 + sigma z: w = c W / S, its first derivatives c W_ / S^2, its second ones c W__ / S^3,
 * each of which is that of the Laplacian less that of m = c^3 n / S. */
static struct polynomial willmore_of_time(const struct derivatives *d, struct polynomial s)
{
    const struct polynomial ss = times(s, s), sss = times(ss, s);
    const struct polynomial mx = plus(times(constant(d->nx), s), -2 * d->n * d->g1, 1, constant(1)),
                            my = plus(times(constant(d->ny), s), -2 * d->n * d->g2, 1, constant(1));
    const struct polynomial mxx = plus(plus(times(constant(d->nxx), ss), -4 * d->g1, 1, mx),
                                       -2 * d->n * d->g1x, 1, s),
                            myy = plus(plus(times(constant(d->nyy), ss), -4 * d->g2, 1, my),
                                       -2 * d->n * d->g2y, 1, s),
                            mxy = plus(plus(plus(times(constant(d->nxy), ss), -2 * d->g2, 1, mx),
                                            -2 * d->g1, 1, my),
                                       -2 * d->n * d->g1y, 1, s);
    const struct polynomial w = plus(times(constant(d->xx + d->yy), s), -d->n, 1, constant(1)),
                            wx = plus(times(constant(d->xxx + d->xyy), ss), -1, 1, mx),
                            wy = plus(times(constant(d->xxy + d->yyy), ss), -1, 1, my),
                            wxx = plus(times(constant(d->xxxx + d->xxyy), sss), -1, 1, mxx),
                            wxy = plus(times(constant(d->xxxy + d->xyyy), sss), -1, 1, mxy),
                            wyy = plus(times(constant(d->xxyy + d->yyyy), sss), -1, 1, myy);
    const struct polynomial a = line(1, d->q * d->q), b = line(1, d->p * d->p),
                            pq = constant(d->p * d->q), ww = times(w, w);
    const struct polynomial slope = plus(times(constant(d->p), wx), d->q, 0, wy);
    struct polynomial first = plus(times(a, wxx), 1, 0, times(b, wyy));
    first = plus(first, -2, 1, times(pq, wxy));
    first = plus(first, -2, 1, times(w, slope));
    first = plus(first, -0.5L, 1, times(w, ww));
    const struct polynomial along = plus(times(constant(d->g1), a), -d->g2, 1, pq),
                            across = plus(times(constant(d->g2), b), -d->g1, 1, pq);
    struct polynomial second = plus(constant(0), 2, 1, times(along, wx));
    second = plus(second, 2, 1, times(across, wy));
    second = plus(second, -d->n, 2, ww);
    return plus(first, -1, 0, second);
}

void curvature_rational(const struct curvature *p, const double *x, const double *y, double *out)
{
    const struct derivatives d = derivatives_of(x, y);
    const long double sigma = d.p * d.p + d.q * d.q;
    const struct polynomial s = line(1, sigma);
    const struct polynomial of_time =
        p->flow == WILLMORE ? willmore_of_time(&d, s)
                            : plus(times(constant(-d.xx - d.yy), s), d.n, 1, constant(1));
    out[0] = (double)((long double)x[0] * (long double)y[0]);
    out[1] = (double)sigma;
    for (int k = 2; k < RATIONAL(p->flow); k++)
        out[k] = (double)of_time.of[k - 2];
}
