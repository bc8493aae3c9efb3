/*
 * A scheme in the stored precision, and the value that follows from it.
 */
#pragma once
#include "waveform.h"

#include "machine/precision.h"

struct P(rounded) {
    int steps, bands;
    real b[3], all;
    real *q1, *q2, *w, *centre; /* [d]; q1 owns all arrays */
    real *band[MAX_BANDS];      /* [d] */
};

#ifdef __cplusplus
extern "C" {
#endif
enum status P(rounded_make)(const struct waveform *p, enum relaxation relaxation,
                            struct P(rounded) * out);
void P(rounded_free)(struct P(rounded) * r); /* accepts half-built */
#ifdef __cplusplus
}
#endif
