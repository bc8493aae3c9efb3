/*
 * pass and flow, of GPU-limit: blocks go over all tiles of a grid, and each point is read and
 * written once for several steps; the next tile comes in while one is updated.
 *
 * `slab`: a pass over the rows of one rank of several. The tiles at its cuts come first, and what
 * they leave along a cut is stored into the neighbour's memory too, as its halo of the next pass,
 * in two places by turns. Before its own tiles there a neighbour waits for word of that, which was
 * sent long ago: neither host nor launch comes between.
 */
#pragma once
#include "tile.h"

namespace OURS
{

/* --- pass --- */

template <class F> struct passing {           /* shared memory */
    static constexpr int PACKS = F::C / EACH; /* of a patch's row */
    static_assert(F::C % EACH == 0 && F::LX == 32, "");
    pack next[F::GROUPS][F::R][PACKS][32];
    board<F> common;
};

/* Some rows of a field. */
struct piece {
    const real *from;
    int pitch;
    struct cut rows;
};

static __device__ __forceinline__ cut rows_of(const piece &a)
{
    return a.rows;
}

/* Begins to bring what there is of a warp's part of a tile. */
template <class F, class FROM>
static __device__ __forceinline__ void fetch_rows(const FROM &a, passing<F> *s, origin at)
{
    constexpr int PACKS = passing<F>::PACKS;
    const int lane = (int)threadIdx.x % 32, g = (int)threadIdx.x / 32;
    for (int r = 0; r < F::R; r++)
        UNROLLED (int p = 0; p < PACKS; p++) {
            const int k = p * 32 + lane, i = at.x + k * EACH, j = at.y + g * F::R + r;
            if (i >= 0 && i + EACH <= a.pitch && j >= rows_of(a).low && j <= rows_of(a).last)
                __pipeline_memcpy_async(&s->next[g][r][k % PACKS][k / PACKS],
                                        a.from + (size_t)(j - rows_of(a).low) * a.pitch + i,
                                        sizeof(pack));
        }
}

/* Of the k-th tile; beyond the grid is nothing. */
template <class F>
static __device__ __forceinline__ void fetch_tile(const job &a, passing<F> *s, int k)
{
    fetch_rows(a, s, origin_of(a, k, a.halo));
    __pipeline_commit();
}

/* What comes from below, the own rows, and what comes from above, where a tile and a warp have any
 * of them. Rows that the tile does not need may be on their way still. */
template <class F>
static __device__ __forceinline__ void fetch_tile(const slab &a, passing<F> *s, int k)
{
    const int tile = tile_at(a, k), height = height_of(a, tile / a.tiles_x);
    const origin at = origin_of(a, tile, a.halo);
    const int begin = a.rows.first, end = begin + a.rows.n + 2;
    const int row = at.y + (int)threadIdx.x / 32 * F::R, past = at.y + height + 2 * a.halo;
    const int parts = past > end ? 3 : 2;
    for (int part = at.y < begin ? 0 : 1; part < anew(parts); part++) {
        const int low = part == 0 ? a.rows.low : part == 1 ? begin : end;
        const int last = min(part == 0 ? begin : part == 1 ? end : a.rows.last + 1, past) - 1;
        const real *const from = part == 0   ? a.beside[SOUTH].from
                                 : part == 1 ? a.from + (size_t)(begin - a.rows.low) * a.pitch
                                             : a.beside[NORTH].from;
        if (row <= last && row + F::R > low)
            fetch_rows(piece{from, a.pitch, {0, 0, low, last}}, s, at);
    }
    __pipeline_commit();
}

template <class F, int MODEL>
static __device__ __forceinline__ void take_tile(tile<F, MODEL> &t, const passing<F> *s)
{
    __pipeline_wait_prior(0);
    __syncwarp();
    UNROLLED (int r = 0; r < F::R; r++)
        UNROLLED (int p = 0; p < passing<F>::PACKS; p++) {
            const pack x = s->next[t.g][r][p][t.lane];
            UNROLLED (int e = 0; e < EACH; e++)
                t.u[(r + e) & 1][r][(p * EACH + e) / 2] = x.v[e];
        }
}

/* So that an instruction stores whole sectors, two packs of a row go over two lanes. */
template <class F, int MODEL, class JOB>
static __device__ __forceinline__ void put_tile(const JOB &a, const tile<F, MODEL> &t, origin at,
                                                int left, int w, int h)
{
    constexpr int PACKS = passing<F>::PACKS;
    const int halo = a.halo;
    UNROLLED (int r = 0; r < F::R; r++) {
        const int lane = anew(t.lane), j = anew(t.g) * F::R + r, y = at.y + j;
        const bool row = j >= halo && j < halo + h && y >= 1 && y <= a.n;
        pack x[PACKS];
        UNROLLED (int p = 0; p < PACKS; p++)
            UNROLLED (int e = 0; e < EACH; e++)
                x[p].v[e] = t.u[(r + e) & 1][r][(p * EACH + e) / 2];
        int first = lane * PACKS, stride = 1;
        if (PACKS == 2) {
            const bool odd = lane & 1;
            UNROLLED (int e = 0; e < EACH; e++) {
                real &low = x[0].v[e], &high = x[PACKS - 1].v[e];
                const real got = __shfl_xor_sync(EVERY, odd ? low : high, 1);
                low = odd ? got : low;
                high = odd ? high : got;
            }
            first = (lane & ~1) * 2 + odd;
            stride = 2;
        }
        UNROLLED (int p = 0; p < PACKS; p++) {
            const int q = (first + p * stride) * EACH, i = at.x + q;
            if (!row || q < left || q >= halo + w)
                continue;
            real *const to = a.to + (size_t)(y - rows_of(a).low) * a.pitch + i;
            if (i >= 1 && i + EACH - 1 <= a.n)
                *(pack *)to = x[p];
            else
                UNROLLED (int e = 0; e < EACH; e++)
                    if (i + e >= 1 && i + e <= a.n)
                        to[e] = x[p].v[e];
        }
    }
}

/* Before the first tile: all of the kernel before, and what neighbours send, is there. */
static __device__ __forceinline__ void begin_pass(const job &)
{
}
static __device__ __forceinline__ void begin_pass(const slab &a)
{
    await_previous();
    if ((int)blockIdx.x >= a.hurried)
        return;
    for (int side = SOUTH; side <= NORTH && threadIdx.x == 0; side++)
        if (a.beside[side].ready != nullptr)
            signal_wait(a.beside[side].ready, a.pass - 1);
    __syncthreads();
}

/* What a neighbour needs of a tile's columns. */
static __device__ __forceinline__ void send_strip(const slab &a, int side, int tx)
{
    const int packs = min(a.width, a.pitch - tx * a.width) / EACH;
    const int first = side == SOUTH ? a.rows.first : a.rows.first + a.rows.n + 2 - a.halo;
    const real *const from = a.to + (size_t)(first - a.rows.low) * a.pitch + tx * a.width;
    real *const to = a.beside[side].to + tx * a.width;
    for (int k = (int)threadIdx.x; k < packs * a.halo; k += (int)blockDim.x) {
        const size_t at = (size_t)(k / packs) * a.pitch + k % packs * EACH;
        *(pack *)(to + at) = *(const pack *)(from + at);
    }
}

/* After the k-th tile: when a block has stored all that it has at cuts, it sends them on, and the
 * last block says so. Each has waited for the neighbours' word of the pass before, and so they have
 * read what was in the place. */
static __device__ __forceinline__ void end_tile(const job &, int)
{
}
static __device__ __forceinline__ void end_tile(const slab &a, int k)
{
    if (k >= a.hurried || k + (int)gridDim.x < a.hurried)
        return;
    __syncthreads();
    for (int at = (int)blockIdx.x; at <= k; at += (int)gridDim.x) {
        const int tile = tile_at(a, at), ty = tile / a.tiles_x;
        for (int side = SOUTH; side <= NORTH; side++)
            if (a.beside[side].to != nullptr && ty == (side == SOUTH ? 0 : a.upper))
                send_strip(a, side, tile % a.tiles_x);
    }
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    __threadfence();
    const unsigned blocks = min(gridDim.x, (unsigned)a.hurried), before = atomicAdd(a.tally, 1u);
    __threadfence();
    for (int side = SOUTH; side <= NORTH && before + 2 == blocks * ((unsigned)a.pass + 1); side++)
        if (a.beside[side].to != nullptr)
            signal_send(a.beside[side].signal, a.pass);
}

/* Whether a tile needs the rows of a warp, which begin at this one of the tile's. */
static __device__ __forceinline__ bool is_busy(const job &, int, int)
{
    return true;
}
static __device__ __forceinline__ bool is_busy(const slab &a, int tile, int row)
{
    return __any_sync(EVERY, row < height_of(a, tile / a.tiles_x) + 2 * a.halo);
}

template <class F, int MODEL, class JOB>
static __global__ void __launch_bounds__(F::THREADS, 1) pass(const __grid_constant__ JOB a)
{
    DYNAMIC_SHARED(passing<F>, s);
    tile<F, MODEL> t(&s->common);
    begin_pass(a);
    fetch_tile<F>(a, s, (int)blockIdx.x);
    t.read_levels(a, 0, a.end);
    for (int k = (int)blockIdx.x; k < a.tiles; k += (int)gridDim.x) {
        const int which = tile_at(a, k);
        const origin at = origin_of(a, which, a.halo);
        t.place(a, at);
        take_tile(t, s);
        __syncthreads();
        const bool framed = t.is_framed();
        t.begin(a, framed);
        __syncthreads();
        if (k + (int)gridDim.x < a.tiles)
            fetch_tile<F>(a, s, k + (int)gridDim.x);
        t.relax_all(a, framed, a.begin, a.end, is_busy(a, which, t.g * F::R) ? a.end : 0);
        put_tile(a, t, at, a.halo, size_of(a.width, which % a.tiles_x, a.n),
                 height_of(a, which / a.tiles_x));
        end_tile(a, k);
    }
}

/* --- flow: all passes in one launch --- */

/* Items are the tiles of the first pass, then those of the second, and so on; a block has every
 * gridDim.x-th one. Before a tile is fetched, its neighbours and it are done in the pass before: so
 * they are in place, and have read what this pass writes over. A block says that a tile is done
 * after the next one, when what it stored has arrived, and asks for the one after the next: nobody
 * waits, if blocks are about as fast as each other. What a tile waits for is never one that its own
 * block has yet to say, since there are tiles enough. */
struct current : job {
    int passes, steps; /* of all */
    unsigned base;     /* passes that tiles have done before this launch */
    unsigned *done;    /* device [tiles] */
    real *u[2];
};

struct target {
    int n, pitch, halo;
    real *to;
};
static __device__ __forceinline__ cut rows_of(const target &)
{
    return {0, 0, 0, 0};
}

template <class F>
static __device__ __forceinline__ void fetch_item(const current &a, passing<F> *s, int k)
{
    const int pass = k / a.tiles;
    fetch_rows(piece{a.u[pass & 1], a.pitch, {0, 0, 0, a.n + 1}}, s,
               origin_of(static_cast<const job &>(a), k - pass * a.tiles, a.halo));
    __pipeline_commit();
}

/* By a warp. */
static __device__ __forceinline__ void await_item(const current &a, int k)
{
    const int lane = (int)threadIdx.x % 32, pass = k / a.tiles, tile = k - pass * a.tiles;
    const int x = tile % a.tiles_x + lane % 3 - 1, y = tile / a.tiles_x + lane / 3 - 1;
    const bool asks =
        lane < 9 && pass > 0 && x >= 0 && x < a.tiles_x && y >= 0 && y < a.tiles / a.tiles_x;
    unsigned looks = 0;
    while (!__all_sync(EVERY,
                       !asks || tally_look(a.done + y * a.tiles_x + x, a.base + (unsigned)pass)))
        lose_patience(&looks);
}

template <class F, int MODEL>
static __global__ void __launch_bounds__(F::THREADS, F::THREADS > 256 ? 1 : 2)
    flow(const __grid_constant__ current a)
{
    DYNAMIC_SHARED(passing<F>, s);
    tile<F, MODEL> t(&s->common);
    const int apart = (int)gridDim.x, all = a.passes * a.tiles;
    int before = -1, pass = 0, which = (int)blockIdx.x;
    fetch_item<F>(a, s, which);
    for (int k = which; k < all; k += apart, which += apart) {
        for (; which >= a.tiles; which -= a.tiles)
            pass++;
        /* What a division gives a compiler takes for different in each lane. */
        const int first = __shfl_sync(EVERY, 2 * (a.steps * pass / a.passes), 0);
        const int next = __shfl_sync(EVERY, 2 * (a.steps * (pass + 1) / a.passes), 0);
        const int end = min(next, a.end) - first;
        const origin at = origin_of(static_cast<const job &>(a), which, a.halo);
        t.place(a, at);
        t.read_levels(a, first, end);
        take_tile(t, s);
        __syncthreads();
        const bool framed = t.is_framed();
        if (framed) {
            t.template set_frame<0>(pass == 0 ? a.s[0] : a.levels[first - 2].after);
            t.template set_frame<1>(pass == 0 ? a.s[1] : a.levels[first - 1].after);
        }
        t.template put_edges<0>();
        t.template put_edges<1>();
        __syncthreads();
        if (k + apart < all)
            fetch_item<F>(a, s, k + apart);
        t.relax_all(a, framed, pass == 0 ? a.begin : 0, end, end);
        if (__shfl_sync(EVERY, (int)threadIdx.x / 32, 0) == 0) { /* a branch of a whole warp */
            if (threadIdx.x == 0 && before >= 0)
                tally_add(a.done + before);
            if (k + 2 * apart < all)
                await_item(a, k + 2 * apart);
        }
        before = anew(which);
        put_tile(target{a.n, a.pitch, a.halo, a.u[1 - (pass & 1)]}, t, at,
                 a.halo - (anew(which) % a.tiles_x == 0 ? a.more : 0),
                 size_of(a.width, anew(which) % a.tiles_x, a.n - a.more),
                 height_of(static_cast<const job &>(a), anew(which) / a.tiles_x));
    }
    __syncthreads();
    if (threadIdx.x == 0 && before >= 0)
        tally_add(a.done + before);
}

} // namespace OURS
