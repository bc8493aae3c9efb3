/*
 * An answer beside its data: the input and the answer as doubles, the residual in twice their
 * digits, and from it how far the answer is from the solution. All in vectors, in chunks that are
 * the same for any number of threads.
 */
#pragma once
#include "recurrence.h"

#ifdef __cplusplus
extern "C" {
#endif

/* f[i] = f_k for k = first + i + 1, as input_at() has it. */
void recurrence_input(const struct recurrence *p, size_t first, size_t count, double *f);
/* x[i] = the answer's value `first` + i, -MAX_ORDER <= i < count; 0 before its first. */
void recurrence_values(const struct solution *got, size_t first, size_t count, double *x);
/* r[i] = x[i] - f[i] - a_1 x[i-1] - ... - a_m x[i-m], rounded once and by 2^-104 of its summands.
 * Not finite where one of them comes near the end of the range. */
void recurrence_residuals(const struct recurrence *p, const double *x, const double *f,
                          size_t count, double *r);

struct distance {
    double off, most; /* largest |answer - solution|, largest |solution| */
};

/* False where this is too inexact to say: the plain loop has to be asked. */
bool recurrence_distance(const struct recurrence *p, const struct solution *got,
                         struct distance *out);

#ifdef __cplusplus
}
#endif
