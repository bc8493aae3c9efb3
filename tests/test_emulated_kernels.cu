/*
 * Kernels that use each part of the emulated device, right ones first, then ones with a planted
 * bug. Formulas are such that a fused multiply-add gives the same bits as two operations.
 */
#include "test_emulated.h"

#include "machine/async.h"
#include "machine/launch.h"

/* The tests pass one function for both precisions. */
#define BOTH(launch_float, launch_double)                                                          \
    do {                                                                                           \
        if (wide)                                                                                  \
            launch_double;                                                                         \
        else                                                                                       \
            launch_float;                                                                          \
    } while (0)

static int blocks_for(long n, int block)
{
    return (int)((n + block - 1) / block);
}

template <class T> static __global__ void average(T *out, const T *x, const T *y, long n)
{
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (x[i] + y[i]) / (T)3;
}

void launch_average(bool wide, void *out, const void *x, const void *y, long n)
{
    BOTH(LAUNCH_NB((average<float>), blocks_for(n, 128), 128)((float *)out, (const float *)x,
                                                              (const float *)y, n),
         LAUNCH_NB((average<double>), blocks_for(n, 128), 128)((double *)out, (const double *)x,
                                                               (const double *)y, n));
}

template <class T> static __global__ void columns(T *u, int columns, int rows)
{
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i >= columns)
        return;
    for (long k = 1; k < rows; k++)
        u[k * columns + i] = (u[(k - 1) * columns + i] + u[k * columns + i]) / (T)3;
}

void launch_columns(bool wide, void *u, int n, int rows)
{
    BOTH(LAUNCH_NB((columns<float>), blocks_for(n, 32), 32)((float *)u, n, rows),
         LAUNCH_NB((columns<double>), blocks_for(n, 32), 32)((double *)u, n, rows));
}

/* Several steps on a tile of the block's own, ends held; two rows, used by turns. */
template <class T, int N> static __global__ void stencil(T *out, const T *in, int steps)
{
    SHARED(T, tile, [2][N]);
    const int i = (int)threadIdx.x;
    const long first = blockIdx.x * (long)N;
    tile[0][i] = in[first + i];
    __syncthreads();
    for (int step = 0; step < steps; step++) {
        const T *const old = tile[step % 2];
        T value = old[i];
        if (i > 0 && i < N - 1)
            value = (T)0.25 * old[i - 1] + (T)0.5 * old[i] + (T)0.25 * old[i + 1];
        tile[(step + 1) % 2][i] = value;
        __syncthreads();
    }
    out[first + i] = tile[steps % 2][i];
}

void launch_stencil(bool wide, void *out, const void *in, int steps, int blocks)
{
    BOTH(LAUNCH((stencil<float, STENCIL_BLOCK>), blocks, STENCIL_BLOCK,
                0)((float *)out, (const float *)in, steps),
         LAUNCH((stencil<double, STENCIL_BLOCK>), blocks, STENCIL_BLOCK,
                0)((double *)out, (const double *)in, steps));
}

template <class T> static __device__ T warp_sum(T sum)
{
    for (unsigned by = 16; by > 0; by /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, by);
    return sum;
}

/* Grid-stride sums, by shuffles within a warp and through shared memory between warps. */
template <class T> static __global__ void block_sums(T *sums, const T *x, long n)
{
    SHARED(T, of_warp, [32]);
    const unsigned in_warp = threadIdx.x % 32, warp = threadIdx.x / 32;
    T sum = 0;
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (long)blockDim.x)
        sum += x[i];
    sum = warp_sum(sum);
    if (in_warp == 0)
        of_warp[warp] = sum;
    __syncthreads();
    if (warp > 0)
        return;
    sum = warp_sum(in_warp < blockDim.x / 32 ? of_warp[in_warp] : (T)0);
    if (in_warp == 0)
        sums[blockIdx.x] = sum;
}

void launch_block_sums(bool wide, void *sums, const void *x, long n, int blocks)
{
    BOTH(LAUNCH((block_sums<float>), blocks, SUM_BLOCK, 0)((float *)sums, (const float *)x, n),
         LAUNCH((block_sums<double>), blocks, SUM_BLOCK, 0)((double *)sums, (const double *)x, n));
}

static __global__ void shuffles(int *out)
{
    const int threads = (int)blockDim.x, own = (int)threadIdx.x, lanes = threads - own / 32 * 32;
    const unsigned mask = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
    for (int w = 0; w < WIDTHS; w++)
        for (int offset = 0; offset < OFFSETS; offset++) {
            const int width = 32 >> w;
            const int got[SHUFFLE_KINDS] = {__shfl_sync(mask, own, offset, width),
                                            __shfl_up_sync(mask, own, (unsigned)offset, width),
                                            __shfl_down_sync(mask, own, (unsigned)offset, width),
                                            __shfl_xor_sync(mask, own, offset, width)};
            for (int kind = 0; kind < SHUFFLE_KINDS; kind++)
                out[((kind * WIDTHS + w) * OFFSETS + offset) * threads + own] = got[kind];
        }
}

void launch_shuffles(int *out, int threads)
{
    LAUNCH(shuffles, 1, threads, 0)(out);
}

static __global__ void doubled_shuffle(double *out)
{
    const int own = (int)threadIdx.x;
    out[own] = __shfl_sync(0xffffffffu, 1.0 / (own + 1), 31 - own);
}

void launch_doubled_shuffle(double *out)
{
    LAUNCH(doubled_shuffle, 1, 32, 0)(out);
}

/* A third of the threads leaves at once; the others vote and meet at a barrier without them. */
static __global__ void survivors(unsigned *out)
{
    SHARED(unsigned, votes, [2]);
    const unsigned own = threadIdx.x, mask = own < 32 ? 0xb6db6db6u : 0x6db6db6du;
    if ((mask >> own % 32 & 1) == 0)
        return;
    const unsigned vote = __ballot_sync(mask, own % 2 == 0);
    if (own == 1 || own == 32)
        votes[own / 32] = vote;
    __syncthreads();
    out[own] = votes[1 - own / 32];
}

void launch_survivors(unsigned *out)
{
    LAUNCH(survivors, 1, 64, 0)(out);
}

/* Lanes that have ended are not waited for, whether they end before or after the others arrive. */
static __global__ void leavers(unsigned *out)
{
    const unsigned own = threadIdx.x;
    if (own < 5 || own >= 20)
        return;
    out[own] = __ballot_sync(0xffffffffu, 1);
}

void launch_leavers(unsigned *out)
{
    LAUNCH(leavers, 1, 32, 0)(out);
}

/* The two halves of a warp, even and odd, do different things at the same time. */
static __global__ void diverged(int *out)
{
    const int own = (int)threadIdx.x;
    int value = 3 * own;
    if (own % 2 == 0) {
        value = __shfl_xor_sync(0x55555555u, value, 2);
        __syncwarp(0x55555555u);
        value += 1000 * __any_sync(0x55555555u, own % 32 == 4);
    } else {
        value += 1000 * __all_sync(0xaaaaaaaau, own < 32);
        value = __shfl_xor_sync(0xaaaaaaaau, value, 4);
    }
    __syncwarp();
    out[own] = value;
}

void launch_diverged(int *out)
{
    LAUNCH(diverged, 1, 64, 0)(out);
}

static __global__ void barrier_votes(int *out, int limit)
{
    const int own = (int)threadIdx.x;
    out[3 * own] = __syncthreads_count(own < limit);
    out[3 * own + 1] = __syncthreads_or(own < limit) != 0;
    out[3 * own + 2] = __syncthreads_and(own < limit) != 0;
}

void launch_barrier_votes(int *out, int threads, int limit)
{
    LAUNCH(barrier_votes, 1, threads, 0)(out, limit);
}

static __global__ void histogram(int *bins, const int *x, long n)
{
    SHARED(int, own, [HISTOGRAM_BINS]);
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (threadIdx.x < HISTOGRAM_BINS)
        own[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&own[x[i]], 1);
    __syncthreads();
    if (threadIdx.x < HISTOGRAM_BINS)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

void launch_histogram(int *bins, const int *x, long n)
{
    LAUNCH(histogram, blocks_for(n, 96), 96, 0)(bins, x, n);
}

static __global__ void atomics(int *integers, unsigned long long *words, float *f, double *d,
                               long n)
{
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicAdd(&integers[0], (int)i);
    atomicMax(&integers[1], (int)(i * 7919 % n));
    atomicMin(&integers[2], (int)(i * 7919 % n) - 5);
    if (atomicCAS(&integers[3], 0, 1) == 0)
        atomicExch(&integers[4], 77);
    atomicAdd(&words[0], 1ull << 33);
    atomicMax(&words[1], (unsigned long long)i << 32);
    atomicMin(&words[2], (unsigned long long)i);
    unsigned long long old = words[3], seen; /* an addition as people write it */
    do {
        seen = old;
        old = atomicCAS(&words[3], seen, seen + 3);
    } while (old != seen);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
}

void launch_atomics(int *integers, unsigned long long *words, float *f, double *d, long n)
{
    LAUNCH(atomics, blocks_for(n, 64), 64, 0)(integers, words, f, d, n);
}

static __global__ void transpose(double *out, const double *in, int n)
{
    DYNAMIC_SHARED(double, tile); /* [16][17] */
    const unsigned x = threadIdx.x, y = threadIdx.y;
    tile[y * 17 + x] = in[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x];
    __syncthreads();
    out[(blockIdx.x * 16 + y) * n + blockIdx.y * 16 + x] = tile[x * 17 + y];
}

void launch_transpose(double *out, const double *in, int n)
{
    LAUNCH(transpose, dim3((unsigned)n / 16, (unsigned)n / 16), dim3(16, 16),
           16 * 17 * sizeof(double))
    (out, in, n);
}

static __global__ void jacobi(double *u, double *scratch, int n, int steps)
{
    for (int step = 0; step < steps; step++) {
        const double *const from = step % 2 == 0 ? u : scratch;
        double *const to = step % 2 == 0 ? scratch : u;
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)n;
             i += gridDim.x * blockDim.x)
            to[i] = i == 0 || i == (unsigned)n - 1 ? from[i] : 0.5 * (from[i - 1] + from[i + 1]);
        grid_sync();
    }
}

void launch_jacobi(double *u, double *scratch, int n, int steps, int blocks)
{
    LAUNCH_COOP(jacobi, blocks, 32, 0)(u, scratch, n, steps);
}

static __global__ void positions(int *out)
{
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] =
        (int)(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x +
              10000 * blockIdx.y + 100000 * blockIdx.z);
}

void launch_positions(int *out)
{
    LAUNCH_NB(positions, dim3(2, 3, 2), dim3(4, 3, 2))(out);
}

static __global__ void rounding(float *out, const float *a, const float *b, const float *c, long n)
{
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = __fmul_rz(a[i], b[i]);
    out[n + i] = __fadd_rz(a[i], b[i]);
    out[2 * n + i] = __fmul_rn(a[i], b[i]) + c[i];
    out[3 * n + i] = __fadd_rn(a[i] * b[i], c[i]);
    out[4 * n + i] = __fmaf_rn(a[i], b[i], c[i]);
}

void launch_rounding(float *out, const float *a, const float *b, const float *c, long n)
{
    LAUNCH_NB(rounding, blocks_for(n, 256), 256)(out, a, b, c, n);
}

/* A warp doubles rows that come and go in bulk, by turns in two places; it counts the odd rows'
 * arrivals, so that both ways to arrive are used. */
static __global__ void rows(double *out, const double *in, int count, int bug)
{
    SHARED(double2, ring, [2][ROW_VALUES / 2]);
    SHARED(arrival, full, [2]);
    const int lane = (int)threadIdx.x, bytes = ROW_VALUES * (int)sizeof(double);
    if (lane == 0 && bug != NO_ARRIVAL) {
        arrival_make(&full[0], bug == TOO_FEW_ARRIVALS ? 3 : 2);
        arrival_make(&full[1], 1);
        arrivals_made();
    }
    __syncwarp();
    auto load = [&](int row) {
        arrival *const b = &full[row % 2];
        const int wrong = bug == TOO_FEW_BYTES ? 16 : bug == TOO_MANY_BYTES ? -16 : 0;
        arrival_expect(b, (unsigned)(bytes - wrong));
        if (row % 2 == 0 || (bug == TOO_MANY_ARRIVALS && row == 1))
            arrival_arrive(b);
        bulk_load((char *)ring[row % 2] + (bug == ODD_PLACE ? 8 : 0), in + row * ROW_VALUES,
                  (unsigned)(bytes - (bug == ODD_BYTES ? 8 : 0)), b);
    };
    for (int row = 0; row < count; row++) {
        double2 *const own = &ring[row % 2][lane];
        if (lane == 0) {
            if (bug != EARLY_LOAD)
                bulk_stored<0>();
            load(row);
        }
        __syncwarp();
        if (bug != NO_WAIT)
            arrival_wait(&full[row % 2], (row / 2 + (bug == WRONG_PARITY)) % 2);
        *own = double2{2 * own->x, 2 * own->y};
        if (bug != NO_FENCE)
            bulk_fence();
        __syncwarp();
        if (lane == 0)
            bulk_store(out + row * ROW_VALUES, ring[row % 2], (unsigned)bytes);
        if (bug == EARLY_WRITE)
            own->x = -1;
    }
    if (lane == 0 && bug != LEFT_STORE)
        bulk_stored<0>();
    if (lane == 0 && bug == LEFT_LOAD)
        load(0);
}

void launch_rows(double *out, const double *in, int count, int bug)
{
    LAUNCH(rows, 1, ROW_VALUES / 2, 0)(out, in, count, bug);
}

/* Every block hears of all, and adds up; the mail of one launch is cleared by the next. */
template <class T> static __global__ void relay(T *sums, T *mail, int launch, int bug)
{
    T *const now = mail + launch % 2 * RELAY_MOST, *const next =
                                                       mail + (1 - launch % 2) * RELAY_MOST;
    const int lane = (int)threadIdx.x, blocks = (int)gridDim.x, own = (int)blockIdx.x;
    T v;
    v.x = (decltype(v.x))(100 * launch + own);
    v.y = own == 2 ? (decltype(v.y))NAN : (decltype(v.y))1;
    memset(&v.y, own == 2 ? 0xff : 0, own == 2 ? sizeof v.y : 0); /* that would be no message */
    if constexpr (sizeof v.x == 4)
        v.z = v.w = v.x;
    if (lane == 0 && bug == HALF_A_MESSAGE && own == 1)
        memset(&v.x, 0xff, sizeof v.x), memcpy(now + own, &v, sizeof v);
    else if (lane == 0 && !(bug == NO_MESSAGE && own == 1))
        message_put(now + own, v);
    if (lane == 0)
        message_clear(next + own);
    T sum = {};
    for (int i = lane; i < blocks; i += 32) {
        T in = message_look(now + i);
        for (unsigned looks = 0; !message_there(in); lose_patience(&looks))
            in = message_look(now + i);
        sum.x += in.x;
        sum.y += i == 2 ? in.y != in.y : in.y;
    }
    for (int by = 16; by > 0; by /= 2) {
        sum.x += __shfl_xor_sync(0xffffffffu, sum.x, by);
        sum.y += __shfl_xor_sync(0xffffffffu, sum.y, by);
    }
    if (lane == 0)
        sums[own] = sum;
}

/* Two places in turn: who has the next letter of a neighbour knows that this one was read. */
static __global__ void ring(unsigned long long *out, letter<unsigned long long> *mail, int rounds,
                            int bug)
{
    const int blocks = (int)gridDim.x, own = (int)blockIdx.x;
    unsigned long long word = 0x0123456789abcdefull * (own + 1);
    for (int round = 1; round <= rounds; round++) {
        letter<unsigned long long> *const now = mail + round % 2 * RELAY_MOST;
        const letter<unsigned long long> half = letter_of(word, (unsigned)round);
        if (bug == HALF_A_MESSAGE && own == 1)
            now[own].half[0] = half.half[0];
        else if (!(bug == NO_MESSAGE && own == 1))
            letter_put(now + own, word, (unsigned)round);
        unsigned long long got[2];
        for (int side = 0; side < 2; side++) {
            const letter<unsigned long long> *const from =
                now + (own + (side == 0 ? blocks - 1 : 1)) % blocks;
            letter<unsigned long long> v = letter_look(from, (unsigned)round);
            for (unsigned looks = 0; !letter_there(v, (unsigned)round); lose_patience(&looks))
                v = letter_look(from, (unsigned)round);
            got[side] = letter_word(v);
        }
        word = 3 * got[0] + got[1];
    }
    out[own] = word;
}

void launch_ring(unsigned long long *out, void *mail, int blocks, int rounds, int bug)
{
    LAUNCH_TOGETHER(ring, blocks, 1, 0)(out, (letter<unsigned long long> *)mail, rounds, bug);
}

unsigned blocks_of_relay(void)
{
    return BLOCKS_TOGETHER((relay<double2>), 32, 0);
}

void launch_relay(double *sums, void *mail, int blocks, int launch, int bug)
{
    LAUNCH_TOGETHER((relay<double2>), blocks, 32, 0)((double2 *)sums, (double2 *)mail, launch, bug);
}

void launch_relay_narrow(float *sums, void *mail, int blocks)
{
    LAUNCH_TOGETHER((relay<float4>), blocks, 32, 0)((float4 *)sums, (float4 *)mail, 0, NO_BUG);
}

/* Who has waited for a tally sees what was written before it was added to. */
static __global__ void tallies(unsigned *sums, unsigned *words, unsigned *tally, int rounds,
                               int bug)
{
    SHARED(unsigned, sum, [1]);
    const unsigned blocks = gridDim.x, own = blockIdx.x;
    for (unsigned round = 1; round <= (unsigned)rounds; round++) {
        unsigned *const now = words + round % 2 * RELAY_MOST;
        if (threadIdx.x == 32) /* another thread than the one that adds */
            now[own] = own + round;
        __syncthreads();
        if (threadIdx.x == 0) {
            if (!(bug == NO_MESSAGE && own == 1))
                tally_add(tally);
            tally_wait(tally, round * blocks);
            sum[0] = 0;
            for (unsigned b = 0; b < blocks; b++)
                sum[0] += *(const volatile unsigned *)(now + b);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[own] = sum[0];
}

void launch_tallies(unsigned *sums, unsigned *words, unsigned *tally, int blocks, int rounds,
                    int bug)
{
    LAUNCH_TOGETHER(tallies, blocks, 64, 0)(sums, words, tally, rounds, bug);
}

/* Each warp adds A B to its C [16][8] `times` times. */
static __global__ void matrices(double *c, const double *a, const double *b, int times)
{
    const int lane = (int)threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const size_t own = threadIdx.x / 32;
    double v[4] = {a[own * 128 + g * 8 + t], a[own * 128 + (g + 8) * 8 + t],
                   a[own * 128 + g * 8 + t + 4], a[own * 128 + (g + 8) * 8 + t + 4]};
    double sum[4] = {0, 0, 0, 0};
    const double of_b[2] = {b[t * 8 + g], b[(t + 4) * 8 + g]};
    const double twice[8] = {v[0], v[1], v[2], v[3], v[0], v[1], v[2], v[3]};
    const double by[4] = {of_b[0], of_b[1], of_b[0], of_b[1]};
    for (int i = 0; i < times; i += 2)
        if (i + 1 < times)
            matrix_16x8x16(sum, twice, by);
        else
            matrix_16x8x8(sum, v[0], v[1], v[2], v[3], of_b[0], of_b[1]);
    for (int i = 0; i < 4; i++)
        c[own * 128 + (g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = sum[i];
}

void launch_matrices(double *c, const double *a, const double *b, int warps, int times)
{
    LAUNCH(matrices, 1, 32 * warps, 0)(c, a, b, times);
}

/* From here on each kernel has a bug. */

static __global__ void divergent_barrier(int from)
{
    if (blockIdx.x < 3)
        return;
    if ((int)threadIdx.x < from)
        __syncthreads();
    else
        __syncthreads();
}

void launch_divergent_barrier(void)
{
    LAUNCH(divergent_barrier, 4, 256, 0)(32);
}

static __global__ void barrier_in_loop(int)
{
    __syncthreads();
}

void launch_barrier_in_loop(void)
{
    LAUNCH_NB(barrier_in_loop, 4, 32)(0);
}

static __global__ void impatient(int)
{
}

void launch_impatient(void)
{
    LAUNCH_NB_EARLY(impatient, 4, 32)(0);
}

static __global__ void impatient_thread(int patient)
{
    if ((int)threadIdx.x < patient)
        await_previous();
    __syncthreads();
}

void launch_impatient_thread(void)
{
    LAUNCH_EARLY(impatient_thread, 2, 32, 0)(31);
}

static __global__ void shuffle_in_loop(int value)
{
    __shfl_sync(0xffffffffu, value, 0);
}

void launch_shuffle_in_loop(void)
{
    LAUNCH_NB(shuffle_in_loop, 1, 32)(0);
}

static __global__ void foreign_mask(int value)
{
    __shfl_sync(0x0000ffffu, value, 0);
}

void launch_foreign_mask(void)
{
    LAUNCH(foreign_mask, 1, 32, 0)(0);
}

static __global__ void absent_lanes(int value)
{
    if (threadIdx.x < 8)
        __shfl_sync(0xffffffffu, value, 0);
    __syncthreads();
}

void launch_absent_lanes(void)
{
    LAUNCH(absent_lanes, 1, 32, 0)(0);
}

static __global__ void lonely_grid_sync(int)
{
    if (blockIdx.x != 1)
        grid_sync();
}

void launch_lonely_grid_sync(void)
{
    LAUNCH_COOP(lonely_grid_sync, 3, 32, 0)(0);
}

static __global__ void grid_sync_without_grid(int)
{
    grid_sync();
}

void launch_grid_sync_without_grid(void)
{
    LAUNCH(grid_sync_without_grid, 2, 32, 0)(0);
}

static __global__ void last_writer(int *out)
{
    *out = (int)(threadIdx.x + 10 * threadIdx.y);
}

void launch_last_writer(bool loop, int *out)
{
    if (loop)
        LAUNCH_NB(last_writer, 1, dim3(4, 3))(out);
    else
        LAUNCH(last_writer, 1, dim3(4, 3), 0)(out);
}

static __global__ void missing_barrier(int *out)
{
    SHARED(int, tile, [64]);
    const unsigned i = threadIdx.x;
    tile[i] = (int)i;
    out[i] = tile[i > 0 ? i - 1 : 0];
}

void launch_missing_barrier(int *out)
{
    LAUNCH(missing_barrier, 1, 64, 0)(out);
}

static __global__ void unwritten(float *out)
{
    SHARED(float, tile, [32]);
    out[0] = tile[5];
}

void launch_unwritten(float *out)
{
    LAUNCH(unwritten, 1, 1, 0)(out);
}

static __global__ void nothing(int)
{
}

void launch_shape(int grid, int block, unsigned long shared, bool whole_grid)
{
    if (whole_grid)
        LAUNCH_COOP(nothing, grid, block, shared)(0);
    else
        LAUNCH(nothing, grid, block, shared)(0);
}
