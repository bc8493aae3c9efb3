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
 */
#pragma once
#include "tile.h"

#include <cuda_pipeline.h>

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
    static constexpr int COME = up(LIKELY, F::THREADS); /* of them to a thread */
    static_assert(PACKS * SEATS * EACH <= 65536, "");

    /* Where the e-th value of a patch is: row r, colour c, point m in turn. */
    static __host__ __device__ int place_of(int seat, int e)
    {
        return (e / EACH * SEATS + seat) * EACH + e % EACH;
    }
};

enum { TAKES = 1 << 14 /* beside a seat: something comes into the patch */ };

/* Of one tile, written by the host: what is sent and what comes, in this order. */
template <class F> struct alignas(sizeof(pack)) lists {
    struct places out[hall<F>::BUNDLES]; /* from where in the area, */
    struct places in[hall<F>::BUNDLES];  /* to where, */
    unsigned from[hall<F>::BUNDLES];     /* and which one of all tiles' */
};
template <class F> struct bill {
    struct lists<F> lists;
    lot own;
    int sent, got;          /* bundles */
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

/* The thread's patch to its seat or from there. */
template <bool out, class F, int MODEL>
static __device__ __forceinline__ void take_seat(tile<F, MODEL> &t, holding<F> *s, int seat)
{
    constexpr int C = F::C, H = F::H;
    UNROLLED (int p = 0; p < hall<F>::PACKS; p++) {
        pack x;
        if (!out)
            x = s->area[p][seat];
        UNROLLED (int k = 0; k < EACH; k++) {
            const int e = p * EACH + k, r = e / C, c = e % C / H, m = e % H;
            if (out)
                x.v[k] = t.u[c][r][m];
            else
                t.u[c][r][m] = x.v[k];
        }
        if (out)
            s->area[p][seat] = x;
    }
}

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

/* How to wait for what is not there: look for all of it, again and again; or for one part of one
 * of it, and then for all, which leaves the way free for what others send. */
enum { FOR_ALL, FOR_ONE };

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

template <class F, int WAIT>
static __device__ __forceinline__ void get(holding<F> &s, const parcel *from, size_t apart,
                                           unsigned number, int count)
{
    constexpr unsigned NONE = ~0u;
    constexpr int STATE = F::R * F::C * (int)sizeof(real) / 4;
    constexpr int MOST = (65536 / F::THREADS / 8 * 8 - STATE - 26) / (4 * PARTS + 2);
    constexpr int FEW = MOST < 2 ? 2 : MOST, COME = hall<F>::COME;
    constexpr int BATCH = COME < FEW ? COME : FEW;
    for (int base = (int)threadIdx.x; base < count; base += BATCH * F::THREADS) {
        unsigned at[BATCH], missing = 0, looks = 0;
        bundle v[BATCH];
        if constexpr (WAIT == FOR_ONE) { /* what is not there is the last one once more */
            UNROLLED (int k = 0; k < BATCH; k++)
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
        } else {
            UNROLLED (int k = 0; k < BATCH; k++)
                at[k] = base + k * F::THREADS < count ? s.lists.from[base + k * F::THREADS] : NONE;
            for (; missing != NONE; lose_patience(&looks)) {
                UNROLLED (int k = 0; k < BATCH; k++)
                    if (at[k] != NONE)
                        v[k] = bundle_look(from + at[k], apart, number);
                missing = NONE;
                UNROLLED (int k = 0; k < BATCH; k++)
                    if (at[k] != NONE) {
                        if (bundle_there(v[k], number)) {
                            unpack(s, base + k * F::THREADS, v[k]);
                            at[k] = NONE;
                        } else
                            missing = at[k];
                    }
            }
        }
    }
}

template <class F, int MODEL, int WAIT>
static __global__ void __launch_bounds__(F::THREADS, 1) hold(const __grid_constant__ job a)
{
    constexpr int LEVELS = F::LEVELS;
    DYNAMIC_SHARED(holding<F>, s);
    tile<F, MODEL> t(&s->common);
    const bill<F> *const mine = (const bill<F> *)a.bills + blockIdx.x;
    const lot own = lot_of<F>(a, (int)blockIdx.x); /* sooner than it could be read */
    const int sent = mine->sent, got = mine->got, seat = mine->seat[threadIdx.x];
    {
        real raw[F::R][F::C];
        for (int k = (int)threadIdx.x; k < (int)(sizeof(lists<F>) / sizeof(pack)); k += F::THREADS)
            __pipeline_memcpy_async((pack *)&s->lists + k, (const pack *)&mine->lists + k,
                                    sizeof(pack));
        __pipeline_commit();
        load_rows<F>(a, raw, own.at);
        t.place(a, own.at);
        t.read_levels(a, 0, min(a.end, LEVELS));
        turn_in(t, &s->turn, raw);
        __pipeline_wait_prior(0);
    }
    const bool framed = !F::RIM && t.is_framed();
    __syncthreads();
    t.begin(a, framed);
    __syncthreads();
    unsigned number = a.number;
    const size_t apart = (size_t)a.tiles * hall<F>::BUNDLES;
    for (int base = 0;; base += LEVELS) {
        t.relax_all(a, framed, base == 0 ? a.begin : 0, min(a.end - base, LEVELS));
        if (base + LEVELS >= a.end)
            break;
        number++;
        parcel *const parcels = a.parcels + (number & 1) * PARTS * apart;
        if (seat >= 0)
            take_seat<true>(t, s, seat % TAKES);
        t.read_levels(a, base + LEVELS, min(a.end - base - LEVELS, LEVELS));
        __syncthreads();
        send<F>(*s, parcels + (size_t)blockIdx.x * hall<F>::BUNDLES, apart, number, sent);
        get<F, WAIT>(*s, parcels, apart, number, got);
        __syncthreads();
        if (seat >= TAKES)
            take_seat<false>(t, s, seat % TAKES);
        t.template put_edges<1>();
        __syncthreads();
    }
    store_rows(a, t, &s->turn, own);
}

} // namespace OURS
