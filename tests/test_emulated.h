/*
 * Launchers of the kernels in test_emulated_kernels.cu. `wide` chooses double over float; all
 * pointers are device memory. Whether a launch went well, device_launched() and device_sync() say.
 */
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Right kernels. */
void launch_average(bool wide, void *out, const void *x, const void *y, long n);
void launch_columns(bool wide, void *u, int n, int rows); /* u[rows][n] */
void launch_stencil(bool wide, void *out, const void *in, int steps, int blocks);
void launch_block_sums(bool wide, void *sums, const void *x, long n, int blocks);
void launch_shuffles(int *out, int threads); /* [SHUFFLE_KINDS][WIDTHS][OFFSETS][threads] */
void launch_doubled_shuffle(double *out);    /* [32] */
void launch_survivors(unsigned *out);        /* [64] */
void launch_leavers(unsigned *out);          /* [32] */
void launch_diverged(int *out);              /* [64] */
void launch_barrier_votes(int *out, int threads, int limit); /* [threads][3] */
void launch_histogram(int *bins, const int *x, long n);      /* [HISTOGRAM_BINS] */
void launch_atomics(int *integers, unsigned long long *words, float *f, double *d, long n);
void launch_transpose(double *out, const double *in, int n); /* n a multiple of 16 */
void launch_jacobi(double *u, double *scratch, int n, int steps, int blocks);
void launch_positions(int *out); /* [2 * 3 * 2][4 * 3 * 2] */
void launch_rounding(float *out, const float *a, const float *b, const float *c, long n);
unsigned blocks_of_relay(void); /* that may wait for each other */
void launch_rows(double *out, const double *in, int count, int bug); /* [count][ROW_VALUES] */
void launch_relay(double *sums, void *mail, int blocks, int launch, int bug); /* [blocks][2] */
/* c[warps][16][8] = times a[warps][16][8] b[8][8] */
void launch_matrices(double *c, const double *a, const double *b, int warps, int times);
void launch_relay_narrow(float *sums, void *mail, int blocks); /* [blocks][4] */
/* Each block makes its number, `rounds` times, the left one's times 3 and the right one's. */
void launch_ring(unsigned long long *out, void *mail, int blocks, int rounds,
                 int bug); /* [blocks] */
/* Each block has the sum of all blocks' numbers, which are their own plus `rounds`. */
void launch_tallies(unsigned *sums, unsigned *words, unsigned *tally, int blocks, int rounds,
                    int bug); /* [blocks], [2][RELAY_MOST], [1] */

/* Planted bugs. */
void launch_divergent_barrier(void);
void launch_barrier_in_loop(void);
void launch_impatient(void);
void launch_impatient_thread(void);
void launch_shuffle_in_loop(void);
void launch_foreign_mask(void);
void launch_absent_lanes(void);
void launch_lonely_grid_sync(void);
void launch_grid_sync_without_grid(void);
void launch_missing_barrier(int *out);        /* [64], right: out[i] = i - 1, and 0 for the first */
void launch_last_writer(bool loop, int *out); /* [1] */
void launch_unwritten(float *out);            /* [1] */
void launch_shape(int grid, int block, unsigned long shared, bool whole_grid);

enum {
    STENCIL_BLOCK = 64,
    SUM_BLOCK = 160,
    SHUFFLE_KINDS = 4, /* plain, up, down, xor */
    WIDTHS = 5,        /* 32, 16, 8, 4, 2 */
    OFFSETS = 34,
    HISTOGRAM_BINS = 10,
    ROW_VALUES = 64,
    RELAY_MOST = 64, /* blocks */
    ROUNDINGS = 5    /* __fmul_rz, __fadd_rz, a*b rounded + c, a*b + c by __fadd_rn, fmaf */
};

/* Bugs of launch_rows(), launch_relay(), launch_ring() and launch_tallies(). */
enum {
    NO_BUG,
    NO_WAIT,          /* for what was loaded */
    EARLY_LOAD,       /* over what is still to be stored */
    EARLY_WRITE,      /* likewise */
    NO_FENCE,         /* before a store */
    LEFT_STORE,       /* at the end */
    LEFT_LOAD,        /* likewise */
    TOO_FEW_ARRIVALS, /* for the count */
    TOO_MANY_ARRIVALS,
    TOO_FEW_BYTES,
    TOO_MANY_BYTES,
    NO_ARRIVAL, /* was made */
    ODD_BYTES,
    ODD_PLACE,
    WRONG_PARITY,
    NO_MESSAGE, /* of block 1 */
    HALF_A_MESSAGE
};

#ifdef __cplusplus
}
#endif
