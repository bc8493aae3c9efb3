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

struct ceilings_state {
    const struct instance *in;
    long n;
    void *a, *x; /* [n] on the device; or on the host for the host's ceilings */
    double q;    /* host-update: of what x holds */
};

/* 24 bits that look random: exact in float and double, never zeros, cheap beside a store. */
#define CEILING_A(i) ((((unsigned)(i)*2654435761u) >> 8) | 1u)

double ceilings_q(const struct instance *in);

enum status copy_run_s(void *state, struct laps *laps);
enum status copy_run_d(void *state, struct laps *laps);
enum status write_run_s(void *state, struct laps *laps);
enum status write_run_d(void *state, struct laps *laps);
enum status fma_run_s(void *state, struct laps *laps);
enum status fma_run_d(void *state, struct laps *laps);
enum status launch_run_d(void *state, struct laps *laps);

enum status host_update_run(void *state, struct laps *laps);
enum status host_fma_run(void *state, struct laps *laps);

#ifdef __cplusplus
}
#endif
