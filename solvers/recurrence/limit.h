/*
 * What the variant limit, of one rank or of several, knows of a recurrence beforehand. A tile of
 * unknowns is cut into chains, and a chain into blocks of 8. The state behind an unknown is it and
 * those before it, the oldest first, filled up with zeros in front to 8, or to 16 where m > 8;
 * powers of the companion matrix carry it over chains and tiles. All of it is products of 8 x 8
 * matrices.
 */
#pragma once
#include "echoes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LIMIT_CHAINS = 64, /* of a tile */
    LIMIT_GROUP = 4,   /* chains that are gone through one after the other */
    LIMIT_WINDOW = 9,  /* messages of a row of 16 */
    LIMIT_LARGEST_CHAIN = 25 * 8,
    LIMIT_LARGEST_TILE = LIMIT_CHAINS * LIMIT_LARGEST_CHAIN,
    LIMIT_MOST = 16 * LIMIT_WINDOW - 1 /* blocks of the device, whose states are summed in rows */
};

/* The table, in matrices [8][8]: what 8 values of f add to the unknowns in their place; what a
 * state adds to them; what the f of a chain add to the state behind it; the power that leads over a
 * chain, and over 1, 2, 4 and 8 groups; over a tile, and 1, 2, 4 and 8 windows; and over 0, 1, ...
 * tiles, up to as many as there are blocks. Large matrices [wide][wide] of such ones. */
#define LIMIT_AT_STATE              1
#define LIMIT_AT_ENDS(wide)         (1 + (wide))
#define LIMIT_AT_CHAIN(wide, steps) (LIMIT_AT_ENDS(wide) + (steps) * (wide))
#define LIMIT_AT_TILE(wide, steps)  (LIMIT_AT_CHAIN(wide, steps) + 5 * (wide) * (wide))
#define LIMIT_AT_WAVE(wide, steps)  (LIMIT_AT_TILE(wide, steps) + 5 * (wide) * (wide))
#define LIMIT_MATRICES(wide, steps, blocks)                                                        \
    (LIMIT_AT_WAVE(wide, steps) + ((blocks) + 1) * (wide) * (wide))

struct tiling {
    int wide;     /* a state has so many blocks of 8 */
    int steps;    /* and a chain so many */
    size_t chain; /* unknowns */
    size_t tile;
    int ranks;
    size_t tiles; /* of all ranks; behind the last unknown they are filled up */
};
struct tiling recurrence_tiling(const struct recurrence *p, enum precision precision, int ranks);

struct trust {
    int blocks;  /* of a device that may share the tiles; 0: better one thread, one by one */
    double norm; /* the largest sum of a row of the powers that they meet */
};
struct trust recurrence_trust(const struct recurrence *p, const struct tiling *of);

/* table[LIMIT_MATRICES of trust->blocks][8][8]; powers that lead too far for the trust are left
 * out, and so is the one over 0 tiles, which nobody uses. */
void recurrence_tables(const struct recurrence *p, const struct tiling *of,
                       const struct trust *trust, double *table);

#ifdef __cplusplus
}
#endif
