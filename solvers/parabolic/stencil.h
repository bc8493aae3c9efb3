/*
 * The update of one point, one source for C and kernels and for both precisions (of which
 * precision.h says which): the order of its operations is part of it, so that without contraction
 * all variants agree bit for bit.
 */
#pragma once
#include "base/random.h" /* HOST_DEVICE */
#include "machine/precision.h"
#include "parabolic.h"

#include "../common/memory.h"

#if REAL_IS_DOUBLE
typedef struct stencil_d stencil;
typedef struct step_d step;
#else
typedef struct stencil_s stencil;
typedef struct step_s step;
#endif

/* [n+2] each, along the sides and axes; south is where all begin. */
struct lines {
    real *south, *north, *west, *east; /* G in row 0 and n+1, in column 0 and n+1 */
    real *sine, *cosine;               /* of model 3: sin(a k h), cos(a k h) */
};
enum { LINES = 6 };

#ifdef __cplusplus
extern "C" {
#endif
/* The owner's, whose status says whether they are there. */
void P(parabolic_lines)(const struct parabolic *p, struct memory *owner, struct lines *out);
#ifdef __cplusplus
}
#endif

/* What is the same for all points of row j. */
struct row {
    real sine, cosine; /* model 3: sin(a y_j), cos(a y_j) */
    real b0, b1;       /* model 4: g f = b0 + b1 x */
};

/* y is j h; sine and cosine are those of the lines. */
HOST_DEVICE struct row row_of(int model, const stencil *c, size_t j, const real *sine,
                              const real *cosine)
{
    struct row row = {0, 0, 0, 0};
    if (model == 3) {
        row.sine = sine[j];
        row.cosine = cosine[j];
    }
    if (model == 4) {
        const real y = (real)(int)j * c->h;
        row.b0 = c->f0 + c->fy * y;
        row.b1 = c->fx + c->fxy * y;
    }
    return row;
}

/* The new value at (i,j) from the old one and its neighbours in the east (i+1), west, north (j+1)
 * and south; sine and cosine at i. `model` is a constant where speed matters; indices become
 * numbers by way of int, since 64-bit ones without a sign are slow to convert. */
HOST_DEVICE real updated(int model, const stencil *c, const struct row *row, size_t i, real sine,
                         real cosine, real u, real e, real w, real n, real s)
{
    switch (model) {
    case 1:
        return c->alpha * u + c->ke * ((e + w) + (n + s));
    case 2:
        return c->alpha * u + ((c->kE * e + c->kW * w) + (c->kN * n + c->kS * s));
    case 3:
        return c->alpha * u +
               (c->ke * ((e + w) + (n + s)) +
                c->k3 * (sine * row->cosine * (e - w) - cosine * row->sine * (n - s)));
    default:
        return c->alpha * u + ((c->kE * e + c->kW * w) + (c->kN * n + c->kS * s)) +
               (row->b0 + row->b1 * ((real)(int)i * c->h));
    }
}
