/*
 * Ceilings: what this machine moves, computes and launches at best. Every one of them writes
 * x_i = q a_i with the same a, so that one judge checks that the work was done.
 */
#pragma once
#include "reprise.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FMA_CHAINS = 8, FMA_STEPS = 512, HOST_FMA_STEPS = 256, LAUNCHES = 200 };

/* 24 bits that look random: exact in float and double, never zeros, cheap beside a store. */
#define CEILING_A(i) ((((unsigned)(i)*2654435761u) >> 8) | 1u)

double ceilings_q(const struct instance *in);

extern const struct calls ceilings_copy_s, ceilings_copy_d, ceilings_write_s, ceilings_write_d,
    ceilings_fma_s, ceilings_fma_d, ceilings_launch_d, ceilings_host_update, ceilings_host_fma;

#ifdef __cplusplus
}
#endif
