/*
 * pass and flow, of GPU-limit: blocks go over all tiles of a grid, and each point is read and
 * written once for several steps; the next tile comes in while one is updated.
 *
 * `slab`: a pass over the rows of one rank of several. The tiles at its cuts come first, and what
 * they leave along a cut is stored into the neighbour's memory too, as its halo of the next pass,
 * in two places by turns. Before its own tiles there a neighbour waits for word of that, which was
 * sent long ago: neither host nor launch comes between. Double, Model 2, 60 steps, on H200s, ms:
 * N = 16000 one card 23.84, two 12.15; 32000 94.0, 46.8. Its kernel on one card, of all rows, took
 * 23.7, and 24.0, two 12.33, while all tiles were fetched from up to three places; 24.6, 12.68,
 * while warps whose rows a tile does not need asked so in the loop over levels, too; 24.2, 12.46,
 * by a branch around it. Lost on two: rows of tiles alike 12.74, passes of five steps 13.1; nothing
 * is waited for there.
 */
#pragma once
#include "tile.h"

namespace OURS
{

/* --- pass --- */

/* Of a tile: where it begins, halo included, and what is its own. */
struct alignas(16) spot {
    int x, y, w, h;
};

template <class F> struct passing {           /* shared memory */
    static constexpr int PACKS = F::C / EACH; /* of a patch's row */
    static_assert(F::C % EACH == 0 && F::LX == 32 && F::R < 32, "");
    enum { SPOTS = 4 };
    pack next[F::GROUPS][F::R][PACKS][32];
    struct spot spots[SPOTS]; /* of the tile at hand and the next ones, in turns */
    board<F> common;
};

template <class JOB> static __device__ __forceinline__ spot spot_of(const JOB &a, int k)
{
    const int tile = tile_at(a, k), tx = tile % a.tiles_x, ty = tile / a.tiles_x;
    const origin at = origin_of(a, tile, a.halo);
    return {at.x, at.y, size_of(a.width, tx, a.n), height_of(a, ty)};
}

/* What one thread finds out for all, long before they ask: divisions take long. */
template <class F, class JOB>
static __device__ __forceinline__ void find_spot(const JOB &a, passing<F> *s, int k, int turn)
{
    if (threadIdx.x == 0 && k < a.tiles)
        s->spots[turn % passing<F>::SPOTS] = spot_of(a, k);
}

/* Rows first .. end-1 of a patch, as bits. */
template <class F> static __device__ __forceinline__ unsigned rows_between(int first, int end)
{
    const unsigned below = (1u << min(max(first, 0), F::R)) - 1;
    return ((1u << min(max(end, 0), F::R)) - 1) & ~below;
}

/* Begins to bring what there is of a warp's part of a tile. A row costs a bit, an address and a
 * copy: no warp computes meanwhile. */
template <class F>
static __device__ __forceinline__ void fetch_rows(const source &a, int pitch, passing<F> *s, int x,
                                                  int y)
{
    constexpr int PACKS = passing<F>::PACKS;
    const int lane = (int)threadIdx.x % 32, g = (int)threadIdx.x / 32, row = y + g * F::R;
    const unsigned rows = rows_between<F>(a.low - row, a.last + 1 - row);
    const real *from = a.from + (ptrdiff_t)row * pitch + x + lane * EACH;
    UNROLLED (int r = 0; r < F::R; r++, from += pitch)
        UNROLLED (int p = 0; p < PACKS; p++) {
            const int k = p * 32 + lane, i = x + k * EACH;
            const unsigned here = i >= 0 && i + EACH <= pitch ? rows : 0;
            if (here >> r & 1)
                __pipeline_memcpy_async(&s->next[g][r][k % PACKS][k / PACKS], from + p * 32 * EACH,
                                        sizeof(pack));
        }
}

/* Beyond the grid is nothing. */
template <class F>
static __device__ __forceinline__ void fetch_tile(const job &a, passing<F> *s, const spot &at)
{
    fetch_rows({a.from, 0, a.n + 1}, a.pitch, s, at.x, at.y);
    __pipeline_commit();
}

/* What comes from below, the own rows, and what comes from above, where a tile has any of them.
 * Rows that the tile does not need may be on their way still. */
template <class F>
static __device__ __forceinline__ void fetch_tile(const slab &a, passing<F> *s, const spot &at)
{
    const int past = at.y + at.h + 2 * a.halo, end = a.rows.first + a.rows.n + 2;
    if (at.y >= a.rows.first && past <= end) { /* most; see above */
        const source &own = a.come[slab::OWN];
        fetch_rows({own.from, own.low, past - 1}, a.pitch, s, at.x, at.y);
    } else {
        const int places = past > end ? slab::PLACES : slab::ABOVE;
        ROLLED (int k = at.y < a.rows.first ? slab::BELOW : slab::OWN; k < places; k++) {
            const source &of = a.come[k];
            fetch_rows({of.from, of.low, min(of.last, past - 1)}, a.pitch, s, at.x, at.y);
        }
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

/* A part of the grid. */
struct area {
    int west, east, south, north;
};

static __device__ __forceinline__ area common_of(const area &a, const target &b)
{
    return {max(a.west, b.west), min(a.east, b.east), max(a.south, b.low), min(a.north, b.last)};
}

/* The points of a tile that are in an area. So that an instruction stores whole sectors, two packs
 * of a row go over two lanes. WHOLE: no pack is in it in part. */
template <bool WHOLE, class F, int MODEL>
static __device__ __forceinline__ void put_rows(const target &a, int pitch, const tile<F, MODEL> &t,
                                                origin at, const area &of)
{
    constexpr int PACKS = passing<F>::PACKS;
    const int lane = anew(t.lane), row = at.y + anew(t.g) * F::R;
    const unsigned rows = rows_between<F>(of.south - row, of.north + 1 - row);
    const bool odd = PACKS == 2 && (lane & 1);
    const int first = PACKS == 2 ? (lane & ~1) * 2 + odd : lane * PACKS, apart = PACKS == 2 ? 2 : 1;
    const int x = at.x + first * EACH;
    real *to = a.to + (ptrdiff_t)row * pitch + x;
    UNROLLED (int r = 0; r < F::R; r++, to += pitch) {
        pack v[PACKS];
        UNROLLED (int p = 0; p < PACKS; p++)
            UNROLLED (int e = 0; e < EACH; e++)
                v[p].v[e] = t.u[(r + e) & 1][r][(p * EACH + e) / 2];
        if (PACKS == 2)
            UNROLLED (int e = 0; e < EACH; e++) {
                real &low = v[0].v[e], &high = v[PACKS - 1].v[e];
                const real got = __shfl_xor_sync(EVERY, odd ? low : high, 1);
                low = odd ? got : low;
                high = odd ? high : got;
            }
        UNROLLED (int p = 0; p < PACKS; p++) {
            const int i = x + p * apart * EACH;
            const unsigned all = i >= of.west && i + EACH - 1 <= of.east ? rows : 0;
            if (all >> r & 1)
                *(pack *)(to + p * apart * EACH) = v[p];
            UNROLLED (int e = 0; e < (WHOLE ? 0 : (int)EACH); e++) {
                const unsigned one = i + e >= of.west && i + e <= of.east ? rows & ~all : 0;
                if (one >> r & 1)
                    to[p * apart * EACH + e] = v[p].v[e];
            }
        }
    }
}

template <class F, int MODEL>
static __device__ __forceinline__ void put_tile(const target &a, int pitch, const tile<F, MODEL> &t,
                                                origin at, const area &own)
{
    const area of = common_of(own, a);
    if (((of.west | (of.east + 1)) % EACH) == 0)
        put_rows<true>(a, pitch, t, at, of);
    else
        put_rows<false>(a, pitch, t, at, of);
}

/* Where a tile's points go: to the field; and of one at a cut some to the neighbours as well. */
static __device__ __forceinline__ int first_place(const job &, int)
{
    return slab::OWN;
}
static __device__ __forceinline__ int end_of_places(const job &, int)
{
    return slab::OWN + 1;
}
static __device__ __forceinline__ target target_of(const job &a, int)
{
    return {a.to, 1, a.n, 1, a.n};
}
static __device__ __forceinline__ int first_place(const slab &a, int k)
{
    return k < a.hurried ? slab::BELOW : slab::OWN;
}
static __device__ __forceinline__ int end_of_places(const slab &a, int k)
{
    return k < a.hurried ? slab::PLACES : slab::OWN + 1;
}
static __device__ __forceinline__ const target &target_of(const slab &a, int place)
{
    return a.go[place];
}

/* Before the first tile: all of the kernel before, and what neighbours send, is there. A barrier
 * after. */
static __device__ __forceinline__ void begin_pass(const job &)
{
}
static __device__ __forceinline__ void begin_pass(const slab &a)
{
    await_previous();
    for (int side = SOUTH; side <= NORTH && (int)blockIdx.x < a.hurried; side++)
        if (threadIdx.x == 0 && a.beside[side].ready != nullptr)
            signal_wait(a.beside[side].ready, a.pass - 1);
}

/* A block says that it has sent all that it has at cuts when it has computed the tile after, while
 * that took its way, or at its end; and the last block tells the neighbours. Each has waited for
 * their word of the pass before, and so they have read what was in the place. By a warp, behind a
 * barrier; k: the tile whose points were stored before that, or less than 0. */
static __device__ __forceinline__ void end_tile(const job &, int)
{
}
static __device__ __forceinline__ void end_tile(const slab &a, int k)
{
    if (k < 0 || k >= a.hurried || k + (int)gridDim.x < a.hurried || threadIdx.x > 0)
        return;
    __threadfence();
    const unsigned blocks = min(gridDim.x, (unsigned)a.hurried), before = atomicAdd(a.tally, 1u);
    __threadfence();
    for (int side = SOUTH; side <= NORTH && before + 2 == blocks * ((unsigned)a.pass + 1); side++)
        if (a.beside[side].signal != nullptr)
            signal_send(a.beside[side].signal, a.pass);
}

template <class F, int MODEL, class JOB>
static __global__ void __launch_bounds__(F::THREADS, 1) pass(const __grid_constant__ JOB a)
{
    constexpr int SPOTS = passing<F>::SPOTS;
    DYNAMIC_SHARED(passing<F>, s);
    tile<F, MODEL> t(&s->common);
    const int apart = (int)gridDim.x;
    int k = (int)blockIdx.x, turn = 0;
    find_spot(a, s, k, 0);
    find_spot(a, s, k + apart, 1);
    begin_pass(a);
    __syncthreads();
    fetch_tile(a, s, s->spots[0]);
    t.read_levels(a, 0, a.end);
    for (; k < a.tiles; k += apart, turn = (turn + 1) % SPOTS) {
        t.place(a, {s->spots[turn].x, s->spots[turn].y});
        take_tile(t, s);
        __syncthreads();
        const bool framed = t.is_framed();
        t.begin(a, framed);
        __syncthreads();
        if (k + apart < a.tiles)
            fetch_tile(a, s, s->spots[(turn + 1) % SPOTS]);
        find_spot(a, s, k + 2 * apart, turn + 2);
        t.relax_all(a, framed, a.begin, a.end, a.end);
        if (JOB::SLAB && __shfl_sync(EVERY, (int)threadIdx.x / 32, 0) == 0)
            end_tile(a, k - apart);
        const spot at = s->spots[turn];
        const int x = at.x + a.halo, y = at.y + a.halo;
        ROLLED (int place = first_place(a, k); place < end_of_places(a, k); place++)
            put_tile(target_of(a, place), a.pitch, t, {at.x, at.y},
                     {x, x + at.w - 1, y, y + at.h - 1});
    }
    if (JOB::SLAB)
        __syncthreads();
    end_tile(a, k - apart);
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

template <class F>
static __device__ __forceinline__ void fetch_item(const current &a, passing<F> *s, int k)
{
    const int pass = k / a.tiles;
    const origin at = origin_of(static_cast<const job &>(a), k - pass * a.tiles, a.halo);
    fetch_rows({a.u[pass & 1], 0, a.n + 1}, a.pitch, s, at.x, at.y);
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
        const int tx = anew(which) % a.tiles_x, ty = anew(which) / a.tiles_x;
        const int x = at.x + a.halo, y = at.y + a.halo;
        put_tile({a.u[1 - (pass & 1)], 1, a.n, 1, a.n}, a.pitch, t, at,
                 {x - (tx == 0 ? a.more : 0), x + size_of(a.width, tx, a.n - a.more) - 1, y,
                  y + height_of(static_cast<const job &>(a), ty) - 1});
    }
    __syncthreads();
    if (threadIdx.x == 0 && before >= 0)
        tally_add(a.done + before);
}

} // namespace OURS
