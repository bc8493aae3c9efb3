/*
 * From waveforms that lie time after time on the device to the order of an answer.
 */
#pragma once
#include "machine/device.h"
#include "machine/launch.h"
#include "machine/precision.h"

enum {
    TURN = 32,    /* transposed at once */
    TURN_ROWS = 8 /* of these a thread has one in each */
};

/* y[n*pitch+i] to out[i*points+n]; TURN x TURN_ROWS threads of a block for each square. */
static __global__ void turn(size_t d, size_t pitch, size_t points, const real *y, real *out)
{
    SHARED(real, tile, [TURN][TURN + 1]);
    const size_t i0 = (size_t)blockIdx.x * TURN, n0 = (size_t)blockIdx.y * TURN;
    for (unsigned k = threadIdx.y; k < TURN; k += TURN_ROWS)
        if (n0 + k < points && i0 + threadIdx.x < d)
            tile[k][threadIdx.x] = y[(n0 + k) * pitch + i0 + threadIdx.x];
    __syncthreads();
    for (unsigned k = threadIdx.y; k < TURN; k += TURN_ROWS)
        if (i0 + k < d && n0 + threadIdx.x < points)
            out[(i0 + k) * points + n0 + threadIdx.x] = tile[threadIdx.x][k];
}

static inline enum status launch_turn(size_t d, size_t pitch, size_t points, const real *y,
                                      real *out)
{
    const unsigned across = (unsigned)((d - 1) / TURN + 1), along = (unsigned)((points - 1) / TURN);
    LAUNCH(turn, dim3(across, along + 1), dim3(TURN, TURN_ROWS), 0)(d, pitch, points, y, out);
    return device_launched("turn");
}
