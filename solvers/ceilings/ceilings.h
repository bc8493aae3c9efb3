/*
 * Ceilings: what this machine moves, computes and launches at best. Every one of them writes
 * x_i = q a_i with the same a. An answer is a sample of x, drawn after the run, behind the number
 * by which it was drawn: of 4096 values some are wrong if one in a hundred of all is.
 */
#pragma once
#include "base/random.h"
#include "reprise.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FMA_CHAINS = 8, FMA_STEPS = 512, HOST_FMA_STEPS = 256, LAUNCHES = 200 };

/* a begins again after so many values, and what computes and does not move needs few: their x
 * stands for a longer one. Enough to keep the largest devices busy for a millisecond. */
enum { PERIOD = 1 << 22, MOST_OF_FMA = 4 * PERIOD, MOST_OF_HOST_FMA = PERIOD };

/* 24 bits that look random: exact in float and double, never zeros, cheap beside a store. */
#define CEILING_A(i) ((((unsigned)(i) % PERIOD * 2654435761u) >> 8) | 1u)

/* Of several cards: how often what one has goes to the next one, and words that go round. */
enum { SENDINGS = 8, WORDS = 200 };

enum { SAMPLE = 1 << 12, DRAWS = 1 << 24 };

/* Where value k of a sample is from, one of each of `count` equal parts of n values; with draw 0
 * the first of the part. */
HOST_DEVICE size_t ceiling_place(size_t n, size_t count, uint64_t draw, size_t k)
{
    const size_t first = n * k / count, width = n * (k + 1) / count - first;
    return first + (draw > 0 ? bits_at(draw, k) % width : 0);
}

unsigned ceilings_draw(void); /* below DRAWS, and so exact in float; never 0 */
double ceilings_q(const struct instance *in);
/* Values that a variant with room for `most` has; 0: for all. */
size_t ceilings_n(const struct params *at, size_t most);

extern const struct calls ceilings_copy_s, ceilings_copy_d, ceilings_write_s, ceilings_write_d,
    ceilings_fma_s, ceilings_fma_d, ceilings_launch_d, ceilings_link_copy_d,
    ceilings_link_exchange_d, ceilings_host_update, ceilings_host_fma;

#ifdef __cplusplus
}
#endif
