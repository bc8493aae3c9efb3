/*
 * What happens at one node, one source for C and kernels and for both precisions (of which
 * precision.h says which): the order of its operations is part of it, so that without contraction
 * all variants agree bit for bit.
 */
#pragma once
#include <float.h>

#include "control.h"
#include "curvature.h"
#include "machine/precision.h"

#if REAL_IS_DOUBLE
#define LARGEST R(1.7e308)
#define UNIT    DBL_EPSILON
HOST_DEVICE real root_of(real x)
{
    return sqrt(x);
}
HOST_DEVICE real size_of(real x)
{
    return fabs(x);
}
#else
#define LARGEST R(3.4e38)
#define UNIT    FLT_EPSILON
HOST_DEVICE real root_of(real x)
{
    return sqrtf(x);
}
HOST_DEVICE real size_of(real x)
{
    return fabsf(x);
}
#endif

/* --- Merson's combinations of k_1 .. k_5 --- */

struct combination {
    int count, of[STAGES]; /* which k: those whose weight is not 0 */
    real by[STAGES];       /* tau times the weight */
};

HOST_DEVICE struct combination combination_of(const double *weights, double tau)
{
    struct combination c = {0, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}};
    for (int j = 0; j < STAGES; j++)
        if (weights[j] != 0) {
            c.of[c.count] = j;
            c.by[c.count++] = (real)(tau * weights[j]);
        }
    return c;
}

/* The sum; k[j] is the array of k_{j+1}, of which it needs those that have a weight. `count` is a
 * constant where speed matters. */
HOST_DEVICE real combined(int count, const struct combination *c, real *const *k, size_t at)
{
    real sum = c->by[0] * k[c->of[0]][at];
    for (int m = 1; m < count; m++)
        sum = sum + c->by[m] * k[c->of[m]][at];
    return sum;
}

/* A size of the error; what is not a number counts as too large. */
HOST_DEVICE real error_size(real x)
{
    const real size = size_of(x);
    return size <= LARGEST ? size : (real)INFINITY;
}

/* The interior node, 1 .. cells-1, next to node k. */
HOST_DEVICE size_t inside(size_t k, size_t cells)
{
    return k < 1 ? 1 : k < cells ? k : cells - 1;
}

/* --- differences --- */

struct mesh {
    real m1, m2;             /* 1/h1, 1/h2 */
    real quarter1, quarter2; /* a fourth of them */
};

HOST_DEVICE struct mesh mesh_of(const struct curvature *p)
{
    const struct mesh m = {(real)(1 / p->h1), (real)(1 / p->h2), (real)(0.25 / p->h1),
                           (real)(0.25 / p->h2)};
    return m;
}

/* A node and its neighbours: east is i+1, north j+1. */
struct around {
    real c, e, w, n, s, ne, nw, se, sw;
};

/* Around *v, `stride` values from one i to the next. */
HOST_DEVICE struct around around_node(const real *v, size_t stride)
{
    const real *const up = v + stride, *const down = v - stride;
    const struct around a = {v[0], up[0], down[0], v[1], v[-1], up[1], down[1], up[-1], down[-1]};
    return a;
}

/* At a point half way between two nodes: derivatives across the face and along it, and Q^2. The
 * mean of four nodes along a face cancels but for these. */
struct face {
    real across, along, q2;
};

HOST_DEVICE struct face face_of(real across, real along)
{
    const struct face h = {across, along, R(1) + (across * across + along * along)};
    return h;
}

/* Between (c) and (e): n, s of c and ne, se of e. */
HOST_DEVICE struct face face_east(const struct mesh *m, real c, real e, real n, real s, real ne,
                                  real se)
{
    return face_of((e - c) * m->m1, ((n + ne) - (s + se)) * m->quarter2);
}

/* Between (c) and (n): e, w of c and ne, nw of n. */
HOST_DEVICE struct face face_north(const struct mesh *m, real c, real n, real e, real w, real ne,
                                   real nw)
{
    return face_of((n - c) * m->m2, ((e + ne) - (w + nw)) * m->quarter1);
}

/* Q H from Q and the slope over Q at the four points. */
HOST_DEVICE real curvature_of(const struct mesh *m, real qe, real qw, real qn, real qs, real fe,
                              real fw, real fn, real fs)
{
    const real q = R(0.25) * ((qe + qw) + (qn + qs));
    return q * ((fe - fw) * m->m1 + (fn - fs) * m->m2);
}

struct four { /* half points of a node */
    struct face e, w, n, s;
};

HOST_DEVICE struct four four_of(const struct mesh *m, const struct around *v)
{
    const struct four f = {face_east(m, v->c, v->e, v->n, v->s, v->ne, v->se),
                           face_east(m, v->w, v->c, v->nw, v->sw, v->n, v->s),
                           face_north(m, v->c, v->n, v->e, v->w, v->ne, v->nw),
                           face_north(m, v->s, v->c, v->se, v->sw, v->e, v->w)};
    return f;
}

/* w = Q H of a node. */
HOST_DEVICE real mean_curvature(const struct mesh *m, const struct around *v)
{
    const struct four f = four_of(m, v);
    const real qe = root_of(f.e.q2), qw = root_of(f.w.q2), qn = root_of(f.n.q2),
               qs = root_of(f.s.q2);
    return curvature_of(m, qe, qw, qn, qs, f.e.across / qe, f.w.across / qw, f.n.across / qn,
                        f.s.across / qs);
}

/* The flux of Willmore flow through a face: E grad w - w^2/(2 Q^3) grad phi, across it; w_across
 * and w_along as those of phi, `mean` of w at both nodes. */
HOST_DEVICE real willmore_flux(const struct face *h, real q, real w_across, real w_along, real mean)
{
    const real drift = (h->across * w_across + h->along * w_along) + R(0.5) * (mean * mean);
    return (w_across - h->across * drift / h->q2) / q;
}

HOST_DEVICE real willmore_of(const struct mesh *m, real qe, real qw, real qn, real qs, real je,
                             real jw, real jn, real js)
{
    return -curvature_of(m, qe, qw, qn, qs, je, jw, jn, js);
}

/* The right-hand side of Willmore flow, without forcing, from phi and w around a node. */
HOST_DEVICE real willmore(const struct mesh *m, const struct around *v, const struct around *w)
{
    const struct four f = four_of(m, v), g = four_of(m, w);
    const real qe = root_of(f.e.q2), qw = root_of(f.w.q2), qn = root_of(f.n.q2),
               qs = root_of(f.s.q2);
    const real je = willmore_flux(&f.e, qe, g.e.across, g.e.along, R(0.5) * (w->c + w->e));
    const real jw = willmore_flux(&f.w, qw, g.w.across, g.w.along, R(0.5) * (w->w + w->c));
    const real jn = willmore_flux(&f.n, qn, g.n.across, g.n.along, R(0.5) * (w->c + w->n));
    const real js = willmore_flux(&f.s, qs, g.s.across, g.s.along, R(0.5) * (w->s + w->c));
    return willmore_of(m, qe, qw, qn, qs, je, jw, jn, js);
}

/* --- the known solution phi = c X(x) Y(y) and its forcing --- */

/* The functions of time: c = amplitude cos(pi t), and its derivative. */
struct moment {
    real c, ct;
};

HOST_DEVICE struct moment moment_at(double amplitude, double t)
{
    const struct wave w = wave_at(t);
    const struct moment m = {(real)(amplitude * w.cosine), (real)(-PI * amplitude * w.sine)};
    return m;
}

HOST_DEVICE real exact_at(real c, real x, real y)
{
    return (c * x) * y;
}

/* A factor of the known solution at a node, and its derivatives; scalars, so that loops over nodes
 * become vectors. */
struct factor {
    real v, d1, d2, d3, d4;
};

/* Of a table, `stride` from one derivative to the next. */
HOST_DEVICE struct factor factor_at(const real *from, size_t stride)
{
    const struct factor f = {from[0], from[stride], from[2 * stride], from[3 * stride],
                             from[4 * stride]};
    return f;
}

/* phi_t - Q H. */
HOST_DEVICE real forcing_mean_curvature(const struct moment *t, struct factor x, struct factor y)
{
    const real p = (t->c * x.d1) * y.v, q = (t->c * x.v) * y.d1;
    const real xx = (t->c * x.d2) * y.v, xy = (t->c * x.d1) * y.d1, yy = (t->c * x.v) * y.d2;
    const real g1 = p * xx + q * xy, g2 = p * xy + q * yy;
    const real w = (xx + yy) - (p * g1 + q * g2) / (R(1) + (p * p + q * q));
    return (t->ct * x.v) * y.v - w;
}

/* phi_t + Q div(...): w and its derivatives by the rule for products from N = p g1 + q g2,
 * S = Q^2, m = N/S, w = L - m. Here p_xy is the derivative of p = phi_x in x and y, and so on. */
HOST_DEVICE __attribute__((always_inline)) real forcing_willmore(const struct moment *t,
                                                                 struct factor x, struct factor y)
{
    const real c0 = t->c * x.v, c1 = t->c * x.d1, c2 = t->c * x.d2, c3 = t->c * x.d3,
               c4 = t->c * x.d4;
    const real p = c1 * y.v, q = c0 * y.d1;
    const real xx = c2 * y.v, xy = c1 * y.d1, yy = c0 * y.d2;
    const real xxx = c3 * y.v, xxy = c2 * y.d1, xyy = c1 * y.d2, yyy = c0 * y.d3;
    const real xxxx = c4 * y.v, xxxy = c3 * y.d1, xxyy = c2 * y.d2, xyyy = c1 * y.d3,
               yyyy = c0 * y.d4;

    const real g1 = p * xx + q * xy, g2 = p * xy + q * yy;
    const real g1x = (xx * xx + p * xxx) + (xy * xy + q * xxy);
    const real g1y = (xy * xx + p * xxy) + (yy * xy + q * xyy); /* also g2x */
    const real g2y = (xy * xy + p * xyy) + (yy * yy + q * yyy);
    const real g1xx = R(3) * (xx * xxx + xy * xxy) + (p * xxxx + q * xxxy);
    const real g2yy = R(3) * (yy * yyy + xy * xyy) + (q * yyyy + p * xyyy);
    const real g1yy =
        (R(2) * (xy * xxy + yy * xyy) + (xyy * xx + yyy * xy)) + (p * xxyy + q * xyyy);
    const real g2xx = /* also g1xy, as g1yy is g2xy */
        (R(2) * (xx * xxy + xy * xyy) + (xxx * xy + xxy * yy)) + (p * xxxy + q * xxyy);

    const real n = p * g1 + q * g2;
    const real nx = (xx * g1 + p * g1x) + (xy * g2 + q * g1y);
    const real ny = (xy * g1 + p * g1y) + (yy * g2 + q * g2y);
    const real nxx =
        ((xxx * g1 + R(2) * (xx * g1x)) + p * g1xx) + ((xxy * g2 + R(2) * (xy * g1y)) + q * g2xx);
    const real nyy =
        ((xyy * g1 + R(2) * (xy * g1y)) + p * g1yy) + ((yyy * g2 + R(2) * (yy * g2y)) + q * g2yy);
    const real nxy = ((xxy * g1 + xx * g1y) + (xy * g1x + p * g2xx)) +
                     ((xyy * g2 + xy * g2y) + (yy * g1y + q * g1yy));

    const real s = R(1) + (p * p + q * q), over = R(1) / s;
    const real m = n * over;
    const real mx = (nx - R(2) * (m * g1)) * over, my = (ny - R(2) * (m * g2)) * over;
    const real mxx = (nxx - R(2) * (R(2) * (mx * g1) + m * g1x)) * over;
    const real myy = (nyy - R(2) * (R(2) * (my * g2) + m * g2y)) * over;
    const real mxy = (nxy - R(2) * ((mx * g2 + my * g1) + m * g1y)) * over;

    const real w = (xx + yy) - m;
    const real wx = (xxx + xyy) - mx, wy = (xxy + yyy) - my;
    const real wxx = (xxxx + xxyy) - mxx, wxy = (xxxy + xyyy) - mxy, wyy = (xxyy + yyyy) - myy;

    const real a = R(1) + q * q, b = R(1) + p * p, d = p * q;
    const real first = ((a * wxx + b * wyy) - R(2) * (d * wxy)) -
                       (R(2) * (w * (p * wx + q * wy)) + R(0.5) * (w * w * w));
    const real second = R(2) * ((a * g1 - d * g2) * wx + (b * g2 - d * g1) * wy) - (w * w) * n;
    return (t->ct * x.v) * y.v + (first - second * over) * over;
}

/* The same from a node's coefficients (rational.c), `stride` from one to the next. */
HOST_DEVICE real forcing_rational(enum flow flow, const struct moment *t, const real *p,
                                  size_t stride)
{
    const real z = t->c * t->c, over = R(1) / (R(1) + p[stride] * z), still = t->ct * p[0];
    const real *const of = p + 2 * stride;
    if (flow == MEAN_CURVATURE)
        return still + t->c * (of[0] + z * of[stride]) * over;
    const real high = of[2 * stride] + z * (of[3 * stride] + z * of[4 * stride]);
    return still + t->c * (of[0] + z * (of[stride] + z * high)) * ((over * over) * (over * over));
}

/* The forcing where x is the tables' row of x and y their column of y, `stride` from one derivative
 * to the next. */
HOST_DEVICE real forcing_of(enum flow flow, const struct moment *t, const real *x, const real *y,
                            size_t stride)
{
    const struct factor along_x = factor_at(x, 1), along_y = factor_at(y, stride);
    return flow == WILLMORE ? forcing_willmore(t, along_x, along_y)
                            : forcing_mean_curvature(t, along_x, along_y);
}

/* --- what stands behind the fields of an answer --- */

/* A length in two parts, and what they are together. */
static inline void split(double length, real *parts)
{
    parts[0] = (real)length;
    parts[1] = (real)(length - (double)parts[0]);
}

static inline double joined(const real *parts)
{
    return (double)parts[0] + (double)parts[1];
}

static inline void steps_out(const struct curvature *p, const struct tally *t, real *to)
{
    const size_t listed = curvature_listed(p);
    for (size_t n = 0; n < listed; n++)
        split((double)n < t->accepted + t->rejected ? t->taken[n] : 0, to + 2 * n);
    split(t->method != MERSON ? t->evaluations : 0, to + 2 * listed);
    to[2 * listed + 2] = (real)t->method;
    to[2 * listed + 3] = (real)t->stride;
    to[2 * listed + 4] = (real)t->accepted;
    to[2 * listed + 5] = (real)t->rejected;
}
