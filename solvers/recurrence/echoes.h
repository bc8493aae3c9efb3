/*
 * What SEQ-omp and limit know of a recurrence beforehand, in twice the digits of a double. Rounded
 * tables are those of other poles: with them an error grows from block to block, as long as the
 * poles let x live.
 */
#pragma once
#include "recurrence.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BLOCK_BYTES = 32768, /* of x, of which SEQ-omp makes the last values first */
    VECTOR_BYTES = 64,   /* of x, made at once from those before */
    STRIDE = 128         /* of the impulse response; at least 2 MAX_ORDER */
};

/* Below the first, the impulse response counts as 0, or products would be denormal; above the
 * second, rounding what lies before a block would cost half of the digits. */
#define SMALLEST(precision) ((precision) == DOUBLE ? 1e-290 : 1e-30)
#define LARGEST(precision)  ((precision) == DOUBLE ? 0x1p26 : 0x1p12)

struct twofold { /* [STRIDE] high + low */
    double high[STRIDE], low[STRIDE];
};

struct echoes {
    struct twofold y;                 /* the impulse response */
    struct twofold of[MAX_ORDER + 1]; /* [j][i]: what x_{k-1-j} adds to x_{k+i}; of[m] is 0 */
};

struct leap { /* [j][i]: what the last but j before a block adds to its last but i; high + low */
    double high[MAX_ORDER][MAX_ORDER], low[MAX_ORDER][MAX_ORDER];
};

void recurrence_echoes(const struct recurrence *p, struct echoes *out);
/* The impulse response over a block, and the leap over it; false if one of them grows too large. */
bool recurrence_respond(const struct recurrence *p, const struct echoes *e,
                        enum precision precision, double *y, struct leap *over);
/* last[i] += what the m values before a block, the last one first, add to its last but i, rounded
 * once. */
void recurrence_leap(const struct leap *over, int m, const double *before, double *last);
/* One leap after the other, in one. */
void recurrence_join(const struct leap *first, const struct leap *then, int m, struct leap *out);

#ifdef __cplusplus
}
#endif
