/*
 * What rounding can explain in each of the algorithms: the variants' tolerances.
 */
#pragma once
#include "recurrence.h"

#ifdef __cplusplus
extern "C" {
#endif

double recurrence_plain_tolerance(const struct variant *v, const struct instance *in,
                                  const struct solution *got, struct judgement *out);
double recurrence_blas_tolerance(const struct variant *v, const struct instance *in,
                                 const struct solution *got, struct judgement *out);
double recurrence_hybrid_tolerance(const struct variant *v, const struct instance *in,
                                   const struct solution *got, struct judgement *out);
double recurrence_seq_omp_tolerance(const struct variant *v, const struct instance *in,
                                    const struct solution *got, struct judgement *out);
double recurrence_limit_tolerance(const struct variant *v, const struct instance *in,
                                  const struct solution *got, struct judgement *out);
double recurrence_sum_tolerance(const struct variant *v, const struct instance *in,
                                const struct solution *got, struct judgement *out);
double recurrence_scan_tolerance(const struct variant *v, const struct instance *in,
                                 const struct solution *got, struct judgement *out);

#ifdef __cplusplus
}
#endif
