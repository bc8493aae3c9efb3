/*
 * hold, of GPU-limit: the tiles are the whole grid, and stay on the chip for all of a run; blocks
 * exchange halos by parcels. The boundary is in the tiles, or, of a RIM, around them, which needs
 * an even N.
 *
 * What comes of a halo is what LEVELS levels need: at corners a diamond, and of the outermost
 * points the black ones. No point is sent twice: those that the same tiles need go together, three
 * in a bundle. Which ones, and where they are to go, is in a bill that the host wrote. Two places
 * for parcels, in turn, suffice: a block writes parcel e+2 when it has e+1 of all its neighbours,
 * who wrote that when they had read e.
 *
 * Between levels nobody should wait for memory. The levels of an exchange come during the one
 * before, and the lists of what goes where during the first one. Where a block waits FOR_ALL, red
 * points, which the last level leaves as they are, are on their way while it is computed. Levels
 * are compiled for tiles with the boundary in no column, in an even, and in an odd one, and warps
 * sit out levels that nobody needs of their rows. A branch that is the same for all of a block
 * chooses the code, and in that all warps come to the same barriers.
 *
 * On an H100, us of 100 steps, Model 2, FUSED, least: single 1000 without any of this 128.8; with
 * levels ahead 104.8; levels by kind of tile too 103.4; edges in pairs and warps that sit out
 * 100.2; red points early 94.4. Double 1000 170.9, with the first two 137.3, with the first four
 * 136.8, with all 130.0; single 500 77.5, 66.1 with the first, 67.0 with all; double 500
 * 100.5, 86.9, 83.1. FOR_ONE at 1500: single 202.3 and 174.5, double 290.3 and 253.6. That was
 * measured with barriers at more places; now they take 96.1, 132.4, 68.2, 84.7, 167.3 and 260.5, in
 * the middle. One step alone took longer, 15.8 instead of 13.6; 8 17.5 instead of 23.7. Lost: at
 * single 1000 patches of 8 columns, 16 lanes 94.8; at double 1000 4 32 6 15 4 136.8; to wait 200,
 * 400 or 600 cycles before a block looks for the first time, 93.2, 95.9 and 101.1. At single 1000 4
 * 32 6 15 4 has 93.5, which is as much.
 */
#pragma once
#include "tile.h"

#include <string.h>

namespace OURS
{

/* RIM: of the first and the last tile of a row or column, whose halo ends at the boundary, the
 * interior's points 0 .. n-1; the others share out what these leave, `most` each. */
template <class F, int SIZE> struct along {
    int begin, size; /* of the tile with its halo; of its own, from HALO on */
    __host__ __device__ __forceinline__ along(int k, int tiles, int most, int n)
    {
        constexpr int FULL = SIZE - F::HALO;
        const int left = n - 2 * FULL - (k - 1) * most; /* for a middle tile and those after it */
        begin = k == 0 ? 0 : k == tiles - 1 ? n - SIZE : FULL + (k - 1) * most - F::HALO;
        size = k == 0 ? FULL - F::HALO : k == tiles - 1 ? FULL : min(most, left);
    }
};

template <class F> static __host__ __device__ lot lot_of(const job &a, int k)
{
    const int tx = k % a.tiles_x, ty = k / a.tiles_x;
    if (!F::RIM)
        return {origin_of(a, k, F::HALO), size_of(a.width, tx, a.n), size_of(a.height, ty, a.n),
                false, false};
    const along<F, F::WIDTH> x(tx, a.tiles_x, a.width, a.n);
    const along<F, F::HEIGHT> y(ty, a.tiles / a.tiles_x, a.height, a.n);
    return {{x.begin + 1, y.begin + 1}, x.size, y.size, tx == 0, ty == 0};
}

/* Three values and their number, which is in each 16 bytes. The parts of all tiles' bundles are
 * `apart` from each other, so that lanes' words lie side by side. */
enum { LOAD = 3, PARTS = sizeof(real) / sizeof(float) };

struct bundle {
    parcel part[PARTS];
};

static __device__ __forceinline__ void bundle_put(parcel *to, size_t apart, const real *x,
                                                  unsigned number)
{
    unsigned word[3 * PARTS];
    memcpy(word, x, sizeof word);
    UNROLLED (int k = 0; k < PARTS; k++)
        parcel_put(to + k * apart, {{word[3 * k], word[3 * k + 1], word[3 * k + 2]}, number});
}

static __device__ __forceinline__ bundle bundle_look(const parcel *from, size_t apart,
                                                     unsigned number)
{
    bundle v;
    UNROLLED (int k = 0; k < PARTS; k++)
        v.part[k] = parcel_look(from + k * apart, number);
    return v;
}

static __device__ __forceinline__ bool bundle_there(const bundle &v, unsigned number)
{
    return v.part[0].number == number && v.part[PARTS - 1].number == number;
}

/* Where the values of a bundle are in an area. */
struct alignas(8) places {
    unsigned short at[LOAD];
};

/* A block's area has the patches of the threads that have a point which it sends or gets, each a
 * seat. What comes takes its place there, and so a patch comes back as a whole. */
template <class F> struct hall {
    static constexpr int PACKS = F::R * F::C / EACH;
    static constexpr int DEEP = 2 * F::HALO; /* columns or rows: a halo, and what is sent */
    static constexpr int up(int a, int b)
    {
        return (a + b - 1) / b;
    }
    static constexpr int at_ends(int c, int most)
    {
        return up(DEEP, c) + up(DEEP - 2, c) + 1 < most ? up(DEEP, c) + up(DEEP - 2, c) + 1 : most;
    }
    static constexpr int INNER =
        (F::LX - at_ends(F::C, F::LX)) * (F::GROUPS - at_ends(F::R, F::GROUPS));
    static constexpr int SEATS = F::THREADS - INNER;
    static constexpr int BUNDLES = up(DEEP * (F::WIDTH + F::HEIGHT), LOAD * 32) * 32 + 32;
    /* How many come to a tile that has others around it, about. */
    static constexpr int LIKELY =
        up(DEEP * (F::WIDTH + F::HEIGHT - 2 * DEEP) + DEEP * F::HALO, LOAD) + 8;
    static constexpr int COME = up(LIKELY, F::THREADS);          /* of them to a thread, */
    static constexpr int HALF = up(LIKELY / 2 + 16, F::THREADS); /* of each colour */
    static_assert(PACKS * SEATS * EACH <= 65536, "");
    static_assert(!F::EARLY || F::R * F::H % EACH == 0, "");

    /* What the e-th value of a patch is: row, colour and point in turn; EARLY: colour, row, point,
     * so that the first half of the packs is red. */
    static __host__ __device__ constexpr int row_of(int e)
    {
        return F::EARLY ? e / F::H % F::R : e / F::C;
    }
    static __host__ __device__ constexpr int colour_of(int e)
    {
        return F::EARLY ? e / (F::R * F::H) : e % F::C / F::H;
    }
    static __host__ __device__ constexpr int value_of(int r, int c, int m)
    {
        return F::EARLY ? (c * F::R + r) * F::H + m : r * F::C + c * F::H + m;
    }

    /* Where it is. */
    static __host__ __device__ int place_of(int seat, int e)
    {
        return (e / EACH * SEATS + seat) * EACH + e % EACH;
    }
};

enum { TAKES = 1 << 14 /* beside a seat: something comes into the patch */ };

/* How many bundles are sent and come; EARLY: how many of them, the first ones, are of red points.
 */
struct counts {
    int sent, got, red_sent, red_got;
};

/* Of one tile, written by the host: what is sent and what comes, in this order. */
template <class F> struct alignas(sizeof(pack)) lists {
    struct places out[hall<F>::BUNDLES]; /* from where in the area, */
    struct places in[hall<F>::BUNDLES];  /* to where, */
    unsigned from[hall<F>::BUNDLES];     /* and which one of all tiles' */
};
template <class F> struct bill {
    struct lists<F> lists;
    lot own;
    struct counts bundles;
    short seat[F::THREADS]; /* or -1 */
};

/* A row of patches on its way between registers and memory, whose lanes' words lie side by side. */
template <class F> struct turner {
    static constexpr int PER = EACH < F::C ? EACH : F::C, PACKS = F::C / PER;
    struct alignas(PER * sizeof(real)) piece {
        real v[PER];
    };
    piece row[2][F::GROUPS][PACKS][F::LX + 4];

    static __device__ __forceinline__ int place_of(int column)
    {
        return (column % F::C / PER * (F::LX + 4) + column / F::C) * PER + column % PER;
    }
};

template <class F> struct holding { /* shared memory */
    union {
        pack area[hall<F>::PACKS][hall<F>::SEATS];
        turner<F> turn; /* at begin and end */
    };
    struct lists<F> lists;
    struct counts bundles;
    board<F> common;
};

/* What is loaded is on its way when this ends, as long as nothing looks at it. */
template <class F>
static __device__ __forceinline__ void load_rows(const job &a, real (*raw)[F::C], origin at)
{
    const int lane = (int)threadIdx.x % F::LX, g = (int)threadIdx.x / F::LX, last = a.n + 1;
    const real *from = a.from + (ptrdiff_t)(at.y + g * F::R) * a.pitch + at.x + lane;
    UNROLLED (int r = 0; r < F::R; r++, from += a.pitch)
        UNROLLED (int q = 0; q < F::C; q++) {
            const int i = at.x + q * F::LX + lane, j = at.y + g * F::R + r;
            const bool is = i >= 0 && j >= 0 && i <= last && j <= last;
            raw[r][q] = is ? from[q * F::LX] : 0;
        }
}

template <class F, int MODEL>
static __device__ __forceinline__ void turn_in(tile<F, MODEL> &t, turner<F> *by,
                                               const real (*raw)[F::C])
{
    constexpr int PER = turner<F>::PER;
    UNROLLED (int r = 0; r < F::R; r++) {
        real *const row = (real *)by->row[r & 1][t.g];
        UNROLLED (int q = 0; q < F::C; q++)
            row[by->place_of(q * F::LX + t.lane)] = raw[r][q];
        __syncwarp();
        UNROLLED (int p = 0; p < turner<F>::PACKS; p++) {
            const typename turner<F>::piece x = by->row[r & 1][t.g][p][t.lane];
            UNROLLED (int e = 0; e < PER; e++)
                t.u[(r + e) & 1][r][(p * PER + e) / 2] = x.v[e];
        }
    }
}

template <class F, int MODEL>
static __device__ __forceinline__ void store_rows(const job &a, const tile<F, MODEL> &t,
                                                  turner<F> *by, const lot &own)
{
    constexpr int PER = turner<F>::PER;
    const int low = max(own.at.x + (own.west ? 0 : F::HALO), 1);
    const int high = min(own.at.x + F::HALO + own.w - 1, a.n);
    const int first = max(own.at.y + (own.south ? 0 : F::HALO), 1);
    const int last = min(own.at.y + F::HALO + own.h - 1, a.n);
    UNROLLED (int r = 0; r < F::R; r++) {
        real *const row = (real *)by->row[r & 1][t.g];
        UNROLLED (int p = 0; p < turner<F>::PACKS; p++) {
            typename turner<F>::piece x;
            UNROLLED (int e = 0; e < PER; e++)
                x.v[e] = t.u[(r + e) & 1][r][(p * PER + e) / 2];
            by->row[r & 1][t.g][p][t.lane] = x;
        }
        __syncwarp();
        const int y = own.at.y + t.g * F::R + r;
        real *const to = a.to + (ptrdiff_t)y * a.pitch + own.at.x + t.lane;
        UNROLLED (int q = 0; q < F::C; q++) {
            const int x = own.at.x + q * F::LX + t.lane;
            if (y >= first && y <= last && x >= low && x <= high)
                to[q * F::LX] = row[by->place_of(q * F::LX + t.lane)];
        }
    }
}

/* The thread's patch to its seat or from there, or some packs of it. */
template <bool out, int FIRST, int END, class F, int MODEL>
static __device__ __forceinline__ void take_seat(tile<F, MODEL> &t, holding<F> *s, int seat)
{
    constexpr int H = F::H;
    UNROLLED (int p = FIRST; p < END; p++) {
        pack x;
        if (!out)
            x = s->area[p][seat];
        UNROLLED (int k = 0; k < EACH; k++) {
            const int e = p * EACH + k, m = e % H;
            const int r = hall<F>::row_of(e), c = hall<F>::colour_of(e);
            if (out)
                x.v[k] = t.u[c][r][m];
            else
                t.u[c][r][m] = x.v[k];
        }
        if (out)
            s->area[p][seat] = x;
    }
}

/* FOR_ONE: all of them. */
template <class F>
static __device__ __forceinline__ void send(const holding<F> &s, parcel *to, size_t apart,
                                            unsigned number, int count)
{
    constexpr int GO = (hall<F>::BUNDLES + F::THREADS - 1) / F::THREADS;
    const real *const area = (const real *)s.area;
    UNROLLED (int k = 0; k < GO; k++) {
        const int at = (int)threadIdx.x + k * F::THREADS;
        if (at < count) {
            const places p = s.lists.out[at];
            const real x[LOAD] = {area[p.at[0]], area[p.at[1]], area[p.at[2]]};
            bundle_put(to + at, apart, x, number);
        }
    }
}

/* FOR_ALL: some of them; seldom more than one is a thread's. */
template <class F>
static __device__ __forceinline__ void send_some(const holding<F> &s, parcel *to, size_t apart,
                                                 unsigned number, int first, int end)
{
    const real *const area = (const real *)s.area;
    ROLLED (int at = first + (int)threadIdx.x; at < end; at += F::THREADS) {
        const places p = s.lists.out[at];
        const real x[LOAD] = {area[p.at[0]], area[p.at[1]], area[p.at[2]]};
        bundle_put(to + at, apart, x, number);
    }
}

template <class F>
static __device__ __forceinline__ void unpack(holding<F> &s, int at, const bundle &v)
{
    const places p = s.lists.in[at];
    real x[LOAD];
    unsigned word[LOAD * PARTS];
    UNROLLED (int i = 0; i < LOAD * PARTS; i++)
        word[i] = v.part[i / 3].part[i % 3];
    memcpy(x, word, sizeof x);
    UNROLLED (int i = 0; i < LOAD; i++)
        ((real *)s.area)[p.at[i]] = x[i];
}

/* FOR_ONE. */
template <class F>
static __device__ __forceinline__ void get(holding<F> &s, const parcel *from, size_t apart,
                                           unsigned number, int count)
{
    constexpr unsigned NONE = ~0u;
    constexpr int STATE = F::R * F::C * (int)sizeof(real) / 4;
    constexpr int MOST = (65536 / F::THREADS / 8 * 8 - STATE - 26) / (4 * PARTS + 2);
    constexpr int FEW = MOST < 2 ? 2 : MOST, COME = hall<F>::COME;
    constexpr int BATCH = COME < FEW ? COME : FEW;
    for (int base = (int)threadIdx.x; base < count; base += BATCH * F::THREADS) {
        unsigned at[BATCH], missing, looks = 0;
        bundle v[BATCH];
        UNROLLED (int k = 0; k < BATCH; k++) /* what is not there is the last one once more */
            at[k] = s.lists.from[min(base + k * F::THREADS, count - 1)];
        missing = at[BATCH - 1];
        do {
            for (; parcel_look(from + missing, number).number != number;)
                lose_patience(&looks);
            UNROLLED (int k = 0; k < BATCH; k++)
                v[k] = bundle_look(from + at[k], apart, number);
            missing = NONE;
            UNROLLED (int k = 0; k < BATCH; k++)
                missing = bundle_there(v[k], number) ? missing : at[k];
            lose_patience(&looks);
        } while (missing != NONE);
        UNROLLED (int k = 0; k < BATCH; k++)
            if (base + k * F::THREADS < count)
                unpack(s, base + k * F::THREADS, v[k]);
    }
}

/* FOR_ALL: red ones and black ones. */
template <class F>
static __device__ __forceinline__ void get_both(holding<F> &s, const parcel *from, size_t apart,
                                                unsigned number, int red, int count)
{
    constexpr unsigned NONE = ~0u;
    constexpr int HALF = hall<F>::HALF, BATCH = 2 * HALF, THREADS = F::THREADS;
    for (int base = (int)threadIdx.x; base < max(red, count - red); base += HALF * THREADS) {
        unsigned at[BATCH], missing = 0, looks = 0;
        bundle v[BATCH];
        UNROLLED (int k = 0; k < BATCH; k++) {
            const int i = base + k % HALF * THREADS + (k < HALF ? 0 : red);
            at[k] = i < (k < HALF ? red : count) ? s.lists.from[i] : NONE;
        }
        for (; missing != NONE; lose_patience(&looks)) {
            UNROLLED (int k = 0; k < BATCH; k++)
                if (at[k] != NONE)
                    v[k] = bundle_look(from + at[k], apart, number);
            missing = NONE;
            UNROLLED (int k = 0; k < BATCH; k++)
                if (at[k] != NONE) {
                    if (bundle_there(v[k], number)) {
                        unpack(s, base + k % HALF * THREADS + (k < HALF ? 0 : red), v[k]);
                        at[k] = NONE;
                    } else
                        missing = at[k];
                }
        }
    }
}

/* How many levels of LEVELS somebody needs the rows of a warp: a halo's are spoilt one after the
 * other, and those beyond the grid are nobody's. All, where warps have more rows than a halo. */
template <class F>
static __device__ __forceinline__ int levels_of_warp(const job &a, const lot &own)
{
    constexpr int ROWS = 32 / F::LX * F::R;
    if constexpr (F::RIM || ROWS > F::HALO)
        return F::LEVELS;
    const int low = (int)threadIdx.x / 32 * ROWS, high = low + ROWS - 1;
    const int far = max(max(F::HALO - high, low - (F::HALO + own.h - 1)), 0);
    const bool is = own.at.y + high >= 0 && own.at.y + low <= a.n + 1;
    return __shfl_sync(EVERY, is ? max(F::LEVELS - far, 0) : 0, 0);
}

/* From what is before the first level to the last one, in a tile of a kind. */
template <int KIND, class F, int MODEL>
static __device__ __forceinline__ void go_on(tile<F, MODEL> &t, const job &a, holding<F> *s,
                                             int seat, int levels)
{
    constexpr int LEVELS = F::LEVELS, PACKS = hall<F>::PACKS;
    const bool framed = KIND < 0 && t.is_framed();
    t.template begin<KIND>(a, framed);
    __syncthreads();
    const size_t apart = (size_t)a.tiles * hall<F>::BUNDLES;
    for (int e = 0;; e++) {
        const int left = a.end - (e + 1) * LEVELS, first = e == 0 ? a.begin : 0;
        const int count = left <= 0 ? left + LEVELS : F::EARLY ? LEVELS - 2 : LEVELS;
        if (left > 0)
            t.fetch_levels(a, a.end - left, min(left, LEVELS));
        t.template relax_all<KIND>(a, framed, first, count, levels);
        if (left <= 0)
            break;
        const unsigned number = a.number + (unsigned)e + 1;
        parcel *const parcels = a.parcels + (number & 1) * PARTS * apart;
        parcel *const to = parcels + (size_t)blockIdx.x * hall<F>::BUNDLES;
        if constexpr (F::EARLY) {
            if (levels > LEVELS - 2) {
                t.template prepare<0>(LEVELS - 2);
                __syncwarp();
                t.template relax<0, KIND>(a, framed, t.level_at(LEVELS - 2).after);
                t.template prepare<1>(LEVELS - 1);
            }
            if (seat >= 0)
                take_seat<true, 0, PACKS / 2>(t, s, seat % TAKES);
            __pipeline_wait_prior(0);
            __syncthreads();
            send_some<F>(*s, to, apart, number, 0, s->bundles.red_sent);
            if (levels > LEVELS - 1)
                t.template relax<1, KIND>(a, framed, t.level_at(LEVELS - 1).after);
            if (seat >= 0)
                take_seat<true, PACKS / 2, PACKS>(t, s, seat % TAKES);
            __syncthreads();
            send_some<F>(*s, to, apart, number, s->bundles.red_sent, s->bundles.sent);
            get_both<F>(*s, parcels, apart, number, s->bundles.red_got, s->bundles.got);
        } else {
            if (seat >= 0)
                take_seat<true, 0, PACKS>(t, s, seat % TAKES);
            __pipeline_wait_prior(0);
            __syncthreads();
            send<F>(*s, to, apart, number, s->bundles.sent);
            get<F>(*s, parcels, apart, number, s->bundles.got);
        }
        __syncthreads();
        t.turn = (e + 1) & 1;
        if (seat >= TAKES)
            take_seat<false, 0, PACKS>(t, s, seat % TAKES);
        t.template put_edges<1>();
        __syncthreads();
    }
}

template <class F, int MODEL>
static __global__ void __launch_bounds__(F::THREADS, 1) hold(const __grid_constant__ job a)
{
    DYNAMIC_SHARED(holding<F>, s);
    tile<F, MODEL> t(&s->common);
    const bill<F> *const mine = (const bill<F> *)a.bills + blockIdx.x;
    const lot own = lot_of<F>(a, (int)blockIdx.x); /* sooner than it could be read */
    const int seat = mine->seat[threadIdx.x], levels = levels_of_warp<F>(a, own);
    if (threadIdx.x == 0)
        s->bundles = mine->bundles;
    {
        real raw[F::R][F::C];
        load_rows<F>(a, raw, own.at);
        t.place(a, own.at);
        t.read_levels(a, 0, min(a.end, F::LEVELS));
        for (int k = (int)threadIdx.x; k < (int)(sizeof(lists<F>) / sizeof(pack)); k += F::THREADS)
            __pipeline_memcpy_async((pack *)&s->lists + k, (const pack *)&mine->lists + k,
                                    sizeof(pack));
        __pipeline_commit();
        turn_in(t, &s->turn, raw);
    }
    __syncthreads();
    if constexpr (tile<F, MODEL>::LINED) { /* the same for all of a block, and so are barriers */
        const int kind = __shfl_sync(EVERY, t.kind(), 0);
        if (kind == 0)
            go_on<0>(t, a, s, seat, levels);
        else if (kind == 1)
            go_on<1>(t, a, s, seat, levels);
        else if (kind == 2)
            go_on<2>(t, a, s, seat, levels);
        else
            go_on<-1>(t, a, s, seat, levels);
    } else
        go_on<-1>(t, a, s, seat, levels);
    __pipeline_wait_prior(0);
    store_rows(a, t, &s->turn, lot_of<F>(a, anew((int)blockIdx.x)));
}

} // namespace OURS
