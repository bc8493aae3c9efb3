/*
 * The grid in bands of rows, one for each thread, for what goes through it on a CPU: a right-hand
 * side is one pass, in which a thread forms the argument, the half points, w and the right-hand
 * side row by row in buffers of a few rows, which stay in its first caches; every half point is
 * computed once, and every loop along a row is one of vectors. Rows of the neighbours that a band
 * needs are computed twice, so bands need not wait.
 */
#pragma once
#include "../common/memory.h"
#include "scheme.h"

/* Before a function whose loops are to be vectors: a copy for each kind of CPU. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif
#define INLINE static inline __attribute__((always_inline))

enum { RING = 4 };

/* Half points of a row of faces: between rows i and i+1 at j, or in row i between j and j+1. */
struct faces {
    real *across, *along, *q2, *q, *flux; /* [pitch] */
};

/* A thread's own: rows of which it needs the last few, row i at i % RING. */
struct buffers {
    real *argument[RING], *w[RING];
    struct faces east[RING], north[RING];
    struct faces east_flux[2], north_flux; /* of Willmore flow; only their `flux` */
    real *spare;                           /* a row for who computes with the right-hand side */
};

struct band {
    size_t first, last; /* rows first .. last-1, interior ones */
    size_t ready;       /* rows of the argument before this one are there */
    real *memory;       /* of the buffers */
    struct buffers b;
    real error;
};

struct bands {
    const struct curvature *in;
    struct mesh mesh;
    size_t nodes, pitch, row; /* row: pitch, rounded up to whole cache lines */
    int count;
    struct band *each; /* [count] */
};

/* Bands for as many threads as are worth it; what they take is the owner's, whose status says if it
 * went well. */
void P(bands_make)(struct memory *owner, const struct curvature *p, struct bands *out);

/* The right-hand side at a moment: `argument` puts interior row i of its argument into `row`, from
 * 1 to N2-1. */
struct pass {
    const struct bands *bands;
    struct moment m;
    const real *x;     /* of the tables, [N1+1][DERIVATIVES] */
    const real *y;     /* [DERIVATIVES][N2+1] */
    const real *still; /* a field whose boundary is that of all times, where nothing is forced */
    void (*argument)(const struct pass *pass, size_t i, real *row);
};

/* Of a row, its values on the boundary from those inside. */
void P(band_close)(const struct pass *pass, size_t i, real *row);
/* Row i of the right-hand side without forcing, to[N2+1]: of a band one after the other, from its
 * first on. */
void P(band_side)(const struct pass *pass, struct band *band, size_t i, real *to);
/* Adds the forcing of a row, of which `rational` are the first coefficients (curvature_rationals).
 */
void P(band_force)(const struct pass *pass, const real *rational, real *to);
