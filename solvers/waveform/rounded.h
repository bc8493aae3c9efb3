/*
 * A scheme in the stored precision, and the value that follows from it.
 */
#pragma once
#include "waveform.h"

#include "machine/precision.h"

struct P(rounded) {
    int steps, bands;
    real b[3], all;
    real *q1, *q2, *w, *centre; /* [d]; q1 is where all arrays begin */
    real *band[MAX_BANDS];      /* [d] */
};

#ifdef __cplusplus
extern "C" {
#endif
/* The owner's, whose status says whether it is there. */
void P(rounded_make)(const struct waveform *p, enum relaxation relaxation, struct memory *owner,
                     struct P(rounded) * out);
#ifdef __cplusplus
}
#endif
