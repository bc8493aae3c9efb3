/*
 * limit: the recurrence in one pass at the speed of a copy, f read once and x written once. Blocks
 * that are all there take the tiles g, g + G, g + 2 G, ... (G blocks; G tiles are a wave). All
 * arithmetic is products of 8 x 8 matrices in doubles, with chains as rows and time as columns: the
 * registers of a result are the next product's operand as they stand, since the order of its inner
 * index is free. Each warp has one duty:
 *   loader   brings tiles by bulk copies into a ring;
 *   ends     the state behind every chain as if zeros stood before it;
 *   sum      the same of the tile, which it publishes;
 *   carry    the state before the tile, of the state before the wave and what the tiles of the wave
 *            before this one have published. One block more, without tiles, makes the state behind
 *            the wave so. With m > 8 and on one card three warps more hear a third of the messages
 *            each, and two carries go on by turns;
 *   entries  the state before every chain;
 *   solve    x from it, 8 unknowns at a time, straight to device memory. It has taken f into
 *            registers before, while the messages were under way.
 * No tile waits for the one before it, but for messages that come early; and as all tiles of a wave
 * go on from one and the same state, what rounding does to it is no jump between them.
 *
 * A place of the ring goes back to the loader as soon as f has been read twice, for the ends and
 * into registers, which hold one tile more. The states of a tile are needed from its ends to its
 * entries; they have a ring of their own, as short as the messages allow (struct room has who waits
 * for whom).
 *
 * Of 2^28 doubles on an H200, where a copy takes 1.07 ms: m = 1, 2, 4, 8 1.06 to 1.08, m = 16
 * 1.31; singles 0.56, m = 16 0.78 to 0.80. On an H100, where a copy takes 1.47 ms: m = 4 1.472,
 * singles 0.758. While x was made in its place of the ring and stored by bulk copies, and the
 * states came and went with it, in the same calls 1.125, 1.499, 0.637; 1.618, 0.813. Lost, on the
 * H200: f that stays in the ring until x is made, m = 4 1.132, singles 0.592; m = 16 in tiles of 7
 * steps 1.48 to 1.56, or, of singles, 15 0.945; messages of less than a sector, m = 1 1.095,
 * singles 0.587. Of m = 16: entries that go through the groups once more, as sum does, 1.43, 0.96;
 * entries and sum in the same quarter of a multiprocessor 1.43, 0.96; two warps for entries and one
 * carry 1.39, 0.915; three carries without a team 1.41, 0.967; f that becomes doubles sooner or
 * later than two steps before its turn, 0.92 to 0.99. There a clock in each warp says that solve is
 * busy four fifths of its time and ends seven tenths, and that all wait for messages of the
 * slowest; yet it took as long or longer with products of f made before the state is known (1.38,
 * 0.88), with two sets of solves that take tiles by turns (f in registers 1.59, 0.927, in the
 * ring 1.60, 0.94), and with matrices asked for a product before their turn, of scans (1.30,
 * 0.892), of leaps, too (1.37, 0.90), of ends (1.33, 0.885), of all (1.37, 0.875). On the H100: the
 * next tile asked for into the L2 cache 1.976, 0.983, which was of use while the ring was stored
 * from.
 *
 * Then registers were what lacked: ends and solve of m = 16 would have had up to 212 and 167, not
 * 128, while others had them to spare (OF_ENDS and what follows). In one call, double and
 * singles: 1.37, 0.92 without them, 1.32, 0.83 with them, and 0.82 where ends keep the matrices of
 * 8 steps, not of 7; more do not fit. Lost beside 1.32, 0.83: 8 registers more or fewer for ends or
 * solve 1.34 to 1.36, 0.86 to 0.90; tiles of 9 steps 1.32 to 1.38, of singles 19 0.86, 21 0.85, 23
 * 0.87; a stage more 1.36, 0.84; two steps in one product of 16 x 16, of ends 1.44, 1.06, of
 * solve 1.32, 0.83; the next step's product of f before this one's of the state 1.32, 0.85; x made
 * where f lay 0.86. Who waits asks again only for what lacks, or all who wait would take from the
 * L2 cache what the data need: 1.30 for 1.34 with 9 steps and no registers from others. With m <= 8
 * that takes longer, and a pause between looks is of no use.
 *
 * Lost before all that: waiting for each message in turn (6.3 us a wave), looking at one before
 * asking for the next (1.9 ms), a message of zeros that all blocks share, hints for the L2 cache,
 * tiles below 36 KB for m <= 8 (1.2 to 1.4 ms), the state before the wave as the first message of a
 * window, with all of a carry behind it (m = 16, 1.71 for 1.48). limit.c has the tables, and the
 * shapes.
 *
 * A NaN or an infinity in f would spoil unknowns before it, of its 8, by 0 x NaN. It is seen as f
 * is read, and the chains are then made from f in device memory, with zeros in its place. Where
 * powers grow (limit.c) one thread goes through all unknowns, as exact as the plain loop.
 *
 * limit-ranks deals the tiles to several cards in turn, G to each, so that all of them together go
 * through f in one pass: of a wave each card has a part, and the parts stand one after the other.
 * One block of a card more has no tiles: it sums up those of a wave as soon as their messages are
 * there, and tells all cards. From these sums each block makes the state before its part by itself,
 * by its carry or, with 9 or 13 steps, by the warp of its loader (lead()); all make the same bits,
 * which are those of one card with as many tiles in a wave.
 * While the sum of another card is under way the tiles wait in the ring. With x made in that ring,
 * on two H200, m = 4, 2^28 doubles: 0.594 ms, of one 1.117; 2^30 2.32 of 4.43: from wave to wave
 * some 0.2 us were lost. With x straight to memory, but f in the ring until then, and with a warp
 * that only heard: 0.590 of 1.098, 2^29 1.189, 2^30 2.32 of 4.31, and on four H200 1.18. With a
 * loader that hears and f in registers 0.595 of 1.086, 1.164, 2.27 of 4.36 (others, in the same
 * call: the warp 0.599, 1.177, 2.29; tiles of 11 steps and twice the stages 0.618, 1.23, 2.40), and
 * where it no longer loads 0.559 of 1.078, 1.107, 2.17 of 4.21 (in one call 0.566, 1.107, 2.18, and
 * where it does 0.580, 1.137, 2.25). Slabs, whose f is read twice, took 0.838. Lost: each carry
 * hears by itself (0.615), looks from the tile's begin on (0.596), carries that look late, too
 * (0.601), two carries (0.629), nothing asked for ahead (0.607), 7 steps in 7 stages (0.602); 2^30,
 * of 2.19: sums of parts as a tree 2.23, those of older parts heard before the ends 2.18 to 2.22.
 * On one card this kernel takes as long as limit, so that two lose by the way of a sum from card to
 * card, for which a ring of 4 tiles and one in registers are too short; but two sets of solves that
 * take f into registers by turns, and so hold two, have too few of them: in one call 0.596, 2.31
 * for 0.570, 2.23. m = 16, 2^28: 0.872 while all warps had the same registers, 0.846.
 *
 * That a block without tiles tells them is what two cards gained most by: block 0, which did it
 * beside its tile, took 3.3 us for what it had only to read, as long as a wave, so that one of the
 * cards told all waves some 10 us late. Two H200, medians of three calls, m = 4, 2^28 0.565 and
 * then 0.554, 2^30 2.21 and 2.154, or, asking again only for what lacks, 0.551 and 2.140 of 4.25 on
 * one; m = 16, 2^28 0.847, 0.745, singles 0.529, 0.488. More warps of that block are no help: with
 * 2, 4 and 8, by turns, m = 4 0.565, 0.576, 0.665; with m = 16 2, 3 and 4 are alike. Nor is a
 * pause between its looks (0.554, 2.150), nor were two looks under way at once while block 0 told
 * (0.573). On one card it finds the states as if they were carries: singles, m = 16 0.78 to 0.80,
 * and 0.83 to 0.84 in the same call where block 0 told them beside its tile, m = 12 0.79 for 0.82,
 * m = 16 of 2^24 70.7 us for 74.1; doubles, m = 4 of 2^28 and of 2^20, too, the same. With code of
 * its own for that block, and so registers spilled, singles of m = 16 took 0.86.
 *
 * The way of a sum is felt at once: block 0 telling each 0.5 us later takes 9 % more on one card, 2
 * us 27 %. Yet less to wait for takes longer, too, it seems as blocks that run ahead take memory's
 * time from those behind, for whom all wait: with nothing to hear from other cards at all 2^30
 * took 2.29, for 2.20; carries that sum up the next wave while the loader's warp waits for the
 * state and ends the carry 2.24 for 2.21, and 2.27 with the messages of the wave behind asked for
 * meanwhile, singles 1.22 for 1.16. On one card the same 1.08 and 1.11 for 1.07, singles 0.65 and
 * 0.64 for 0.565, m = 16 1.38 for 1.32, singles 0.97 for 0.82; the state of the wave before from
 * shared memory, not by its message, m = 4 the same, m = 16 1.34 for 1.32, singles 0.87 for 0.82.
 */
#include "limit.h"

#include <type_traits>

#include "../common/kernels.h"
#include "machine/far.h"

#include "input.h"
#include "machine/precision.h"
#include "machine/ranks.h"

#define ALL  0xffffffffu
#define OURS P(limit_of_recurrence)

/* The precisions' types have the same names and other sizes; so their members must not be one. */
namespace OURS
{

enum {
    CHAINS = LIMIT_CHAINS,
    GROUP = LIMIT_GROUP,
    WINDOW = LIMIT_WINDOW,
    PIECE = 2048,
    MOST_RANKS = 64
};

/* In memory that all ranks reach, one on each. */
struct board {
    int ended[MOST_RANKS]; /* of each rank, the last launch that it has ended */

    /* [parts][8 Q] the state behind each part as if zeros stood before it */
    __host__ __device__ __forceinline__ letter<double> *sums(void)
    {
        return (letter<double> *)(this + 1);
    }
};

struct task {
    const real *f; /* [tiles][TILE], zeros behind n */
    real *x;
    const double *table;
    double2 *mail;       /* [2][waves][1 + G][8 Q] the state before a wave, then its tiles' sums */
    unsigned *state;     /* launches so far; blocks of this one that have ended */
    size_t tiles, words; /* tiles; of half the mail, in double2 */
    int first;           /* places of a state before this one are not used: 8 Q - m */
    long long nothing;   /* 0, but no compiler knows */
    /* Of several ranks: */
    board *here, *const *boards; /* this one's; [ranks] */
    int ranks, own, parts;       /* parts of all */
};

template <int wide, int steps, int places, int stages, int carries, bool ranks, bool front,
          bool team>
struct shape {
    static constexpr bool TEAM = team;   /* for each group of messages a warp of its own hears */
    static constexpr bool RANKS = ranks; /* one of several does it, and the loader hears the others'
                                            sums, or each carry does: */
    static constexpr bool FRONT = ranks && front;
    enum { TELLERS = wide > 1 ? 3 : 1 }; /* warps of one of ranks, as few as the waves allow */
    enum { Q = wide, K = steps };
    enum { F = places, S = stages }; /* of tiles in the ring; of what is known about tiles */
    enum { GROUPS = Q == 1 ? 1 : 3, AT_ONCE = WINDOW / GROUPS /* messages of a row */ };
    enum { HEARERS = team ? GROUPS : 0, HEARD = HEARERS * 2 * Q * 32 /* double2 */ };
    enum { STATE = 8 * Q, CHAIN = 8 * K, TILE = CHAINS * CHAIN };
    enum { ENDS = CHAINS / 16, SOLVES = CHAINS / 16, CARRIES = carries };
    /* The quarter of a multiprocessor that has a warp in four has products of its own: who makes
     * most, entries and then sum, are with those who make fewest. */
    enum { ENTRIES = ENDS + SOLVES, SUM, CARRY, LOADER = CARRY + CARRIES };
    static constexpr bool GIVES = wide > 1;
    enum { HEAR = LOADER + 1, WARPS = GIVES ? ENTRIES + 8 : HEAR /* some without a duty */ };
    enum { THREADS = 32 * WARPS, EACH = 65536 / THREADS / 8 * 8 /* registers of a thread */ };
    /* Who has most to hold gets those that others can spare, four warps by four. */
    enum { OF_ENDS = !GIVES ? EACH : !team ? 120 : REAL_IS_DOUBLE ? 136 : 144 };
    enum { OF_SOLVES = !GIVES ? EACH : REAL_IS_DOUBLE ? 152 : 144 };
    enum { OF_STATES = !GIVES ? EACH : team ? 120 : 136, OF_OTHERS = GIVES ? 104 : EACH };
    static_assert(!GIVES || (ENDS == 4 && SOLVES == 4 && CARRIES == 2 && HEARERS < 4 &&
                             OF_ENDS + OF_SOLVES + OF_STATES + OF_OTHERS <= 4 * EACH),
                  "four warps by four, of what there is");
    enum { KEPT = Q == 1 || K < 8 ? K : 8 }; /* steps of a chain whose matrices stay in registers */
    static constexpr unsigned place = TILE * sizeof(real) + 2 * sizeof(arrival);
    static constexpr unsigned stage =
        (CHAINS + 1) * STATE * sizeof(double) + (FRONT ? 5 : 4) * sizeof(arrival);
    static constexpr unsigned shared =
        F * place + S * stage + HEARD * sizeof(double2) + (team ? 4 : 0) * sizeof(arrival);
    static_assert((int)CARRIES <= (int)S,
                  "or a warp could wait for a phase of a stage that has not begun");
    static_assert(F > 1 && shared <= 227 * 1024, "of what a block may have");
};

/* Tiles of a wave, each one of a block. */
static __device__ __forceinline__ unsigned wave(void)
{
    return gridDim.x - 1;
}

/* The last block has no tiles: it tells the sum of each wave, of several ranks, or else the state
 * behind it, found as if it were a carry. */
static __device__ __forceinline__ bool tells(void)
{
    return blockIdx.x == wave();
}

/* What a block has in shared memory. Tile i has the place i % F of the ring and the stage i % S. Of
 * a place full says that f is there, to those alone who arrive at taken, as it is loaded again
 * behind that: nobody else may wait for it. Of a stage, who writes, and behind whom:
 *   states   ends, behind used of tile i - S, the last that is read of it; then sum, behind each
 *            group's last chain what is behind the group; then enter, behind carried, where sum has
 *            arrived when it had read and written; solve reads them behind entries
 *   carry    the carry, or lead, behind ends of tile i, and so behind used of tile i - S, where
 *            enter has read it; enter reads it behind carried
 * No phase of a stage begins before all have waited for the one before that anybody waits for: used
 * comes behind entries, which come behind carried, ends and, of lead, known; and all who find
 * carries arrive at carried. Whoever goes on to tile i + S has waited for tile i, or for a tile
 * behind it. The team's sums are one tile's: heard and added lead from one to the next.
 */
template <class X> struct room {
    real *tile;              /* [F][TILE] */
    double *states;          /* [S][Q][CHAINS][8] behind, then before */
    double *carry;           /* [S][8 Q] */
    double2 *sums;           /* [GROUPS][2 Q][32] of groups: TEAM */
    arrival *full, *taken;   /* [F] */
    arrival *ends, *carried; /* [S] */
    arrival *entries, *used;
    arrival *heard, *added; /* [2] by turns: TEAM */
    arrival *known;         /* [S] the state before the part: FRONT */
    int mine;               /* tiles of this block */

    __device__ __forceinline__ explicit room(unsigned char *shared, size_t tiles)
        : tile((real *)shared), states((double *)(tile + X::F * X::TILE)),
          carry(states + X::S * CHAINS * X::STATE), sums((double2 *)(carry + X::S * X::STATE)),
          full((arrival *)(sums + X::HEARD)), taken(full + X::F), ends(taken + X::F),
          carried(ends + X::S), entries(carried + X::S), used(entries + X::S), heard(used + X::S),
          added(heard + 2), known(X::TEAM ? added + 2 : heard),
          mine((int)((tiles - blockIdx.x + wave() - 1) / wave()))
    {
    }
};

/* A lane has of 16 rows: g = lane / 4 (v[0], v[1]) and g + 8 (v[2], v[3]), columns 2 (lane % 4) and
 * one more. */
template <int Q> struct rows {
    double v[Q][4];
};

template <int Q> struct matrices {
    double2 of[Q][Q]; /* row lane / 4, the columns as above */
};

static __device__ __forceinline__ int lane_here(void)
{
    return (int)threadIdx.x % 32;
}

static __device__ __forceinline__ const double2 *matrix_at(const double *table, int k)
{
    return (const double2 *)(table + 64 * k) + lane_here();
}

template <int Q>
static __device__ __forceinline__ matrices<Q> get_matrices(const double *table, int k)
{
    matrices<Q> r;
    UNROLLED (int o = 0; o < Q; o++)
        UNROLLED (int i = 0; i < Q; i++)
            r.of[o][i] = *matrix_at(table, k + o * Q + i);
    return r;
}

/* The same, read where it is used. */
template <int Q>
static __device__ __forceinline__ matrices<Q> look_matrices(const double *table, int k)
{
    matrices<Q> r;
    UNROLLED (int o = 0; o < Q; o++)
        UNROLLED (int i = 0; i < Q; i++)
            r.of[o][i] = table_look(matrix_at(table, k + o * Q + i));
    return r;
}

static __device__ __forceinline__ void add_product(double *c, const double *a, double2 b)
{
    matrix_16x8x8(c, a[0], a[2], a[1], a[3], b.x, b.y);
}

/* u += P a, row by row */
template <int Q>
static __device__ __forceinline__ void step(rows<Q> *u, const rows<Q> &a, const matrices<Q> &p)
{
    UNROLLED (int i = 0; i < Q; i++)
        UNROLLED (int o = 0; o < Q; o++)
            add_product(u->v[o], a.v[i], p.of[o][i]);
}

/* The powers of a scan. With two blocks they would take 64 registers: read when they are used. */
template <int Q> struct powers {
    enum { KEPT = Q == 1 ? 4 : 1 };
    matrices<Q> kept[KEPT];
    const double *table;
    int at;

    __device__ __forceinline__ powers(const double *table_, int at_) : table(table_), at(at_)
    {
        UNROLLED (int k = 0; k < KEPT; k++)
            kept[k] = get_matrices<Q>(table, at + k);
    }
    __device__ __forceinline__ matrices<Q> get(int k) const
    {
        return Q == 1 ? kept[k % KEPT] : look_matrices<Q>(table, at + k * Q * Q);
    }
};

/* Row r gets row r - by, and the first ones zeros. */
template <int Q> static __device__ __forceinline__ rows<Q> shifted(const rows<Q> &u, int by)
{
    rows<Q> r;
    const int lane = lane_here(), g = lane / 4, from = (lane - 4 * by) & 31;
    UNROLLED (int q = 0; q < Q; q++)
        UNROLLED (int i = 0; i < 2; i++) {
            if (by == 8) {
                r.v[q][i] = 0;
                r.v[q][2 + i] = u.v[q][i];
            } else {
                const double low = __shfl_sync(ALL, u.v[q][i], from);
                const double high = __shfl_sync(ALL, u.v[q][2 + i], from);
                r.v[q][i] = g < by ? 0 : low;
                r.v[q][2 + i] = g < by ? low : high;
            }
        }
    return r;
}

/* Row r becomes the sum of P^(r-i) row_i, i <= r. */
template <int Q> static __device__ __forceinline__ void scan_rows(rows<Q> *u, const powers<Q> &p)
{
    UNROLLED (int k = 0; k < 4; k++) {
        const matrices<Q> power = p.get(k);
        const rows<Q> low = shifted(*u, 1 << k);
        step(u, low, power);
    }
}

template <class T>
using two_of = typename std::conditional<sizeof(T) == sizeof(double), double2, float2>::type;

template <class V, class T> static __device__ __forceinline__ void get_two(V *v, const T *from)
{
    const two_of<T> w = *(const two_of<T> *)from;
    v[0] = (V)w.x;
    v[1] = (V)w.y;
}

template <class T, class V> static __device__ __forceinline__ void put_two(T *to, const V *v)
{
    *(two_of<T> *)to = two_of<T>{(T)v[0], (T)v[1]};
}

/* Two of a row in each of two blocks of 8, one behind the other. Four lanes write 64 bytes of a row
 * in one go; of singles neighbours exchange two for that. */
template <class T> static __device__ __forceinline__ void put_blocks(T *to, const T *v, const T *w)
{
    if constexpr (sizeof(T) == sizeof(double)) {
        put_two(to, v);
        put_two(to + 8, w);
    } else {
        const bool odd = lane_here() % 2 != 0;
        T other[2];
        UNROLLED (int j = 0; j < 2; j++)
            other[j] = __shfl_xor_sync(ALL, odd ? v[j] : w[j], 1);
        *(float4 *)(to + (odd ? 6 : 0)) =
            odd ? float4{other[0], other[1], w[0], w[1]} : float4{v[0], v[1], other[0], other[1]};
    }
}

/* v, of which the compiler makes no double before it has `first`: it would make all of them at once
 * for lack of other work, and registers are few. A double is one already. */
template <class T> static __device__ __forceinline__ T not_before(T first, T v, long long nothing)
{
    if constexpr (sizeof(T) == sizeof(int)) {
        int bits, of_first;
        memcpy(&bits, &v, sizeof bits);
        memcpy(&of_first, &first, sizeof of_first);
        bits |= of_first & (int)nothing;
        memcpy(&v, &bits, sizeof bits);
    }
    return v;
}

/* Rows from [Q][CHAINS][8] states, or back; rows g and g + 8 are `apart` chains from each other. */
template <int Q> static __device__ __forceinline__ rows<Q> get_states(const double *from, int apart)
{
    rows<Q> u;
    UNROLLED (int q = 0; q < Q; q++) {
        get_two(u.v[q], from + q * CHAINS * 8);
        get_two(u.v[q] + 2, from + (q * CHAINS + apart) * 8);
    }
    return u;
}

/* 0, which is known when all of u is. An arrival may overtake reads of which nothing has used the
 * values yet (f of m = 16 was that of another tile then): so it hangs on what comes of them. */
template <int Q>
static __device__ __forceinline__ int when_there(const rows<Q> &u, long long nothing)
{
    long long all = 0;
    UNROLLED (int q = 0; q < Q; q++)
        UNROLLED (int j = 0; j < 4; j++)
            all |= __double_as_longlong(u.v[q][j]);
    return (int)(all & nothing);
}

template <int Q>
static __device__ __forceinline__ void put_states(double *to, int apart, const rows<Q> &u)
{
    UNROLLED (int q = 0; q < Q; q++) {
        put_two(to + q * CHAINS * 8, u.v[q]);
        put_two(to + (q * CHAINS + apart) * 8, u.v[q] + 2);
    }
}

/* --- the duties --- */

/* Tile i, when its place is free. By one lane. */
template <class X>
static __device__ __forceinline__ void load(const task &a, const room<X> &r, int i)
{
    const unsigned bytes = X::TILE * sizeof(real);
    const size_t t = blockIdx.x + (size_t)i * wave();
    const int p = i % X::F;
    if (i >= X::F)
        arrival_wait(r.taken + p, (i / X::F - 1) & 1);
    arrival_expect(r.full + p, bytes);
    bulk_load(r.tile + p * X::TILE, a.f + t * X::TILE, bytes, r.full + p);
}

template <class X> static __device__ __forceinline__ void load_all(const task &a, const room<X> &r)
{
    for (int i = 0; i < r.mine; i++)
        load<X>(a, r, i);
}

template <class X>
static __device__ __forceinline__ void find_ends(const task &a, const room<X> &r, int warp)
{
    enum { Q = X::Q, K = X::K };
    const int lane = lane_here(), two = 2 * (lane % 4), first = 16 * warp + lane / 4;
    double2 kept[X::KEPT][Q];
    UNROLLED (int k = 0; k < X::KEPT; k++)
        UNROLLED (int q = 0; q < Q; q++)
            kept[k][q] = *matrix_at(a.table, LIMIT_AT_ENDS(Q) + k * Q + q);
    for (int i = 0; i < r.mine; i++) {
        const int s = i % X::S, p = i % X::F;
        const real *const x = r.tile + p * X::TILE + first * X::CHAIN + two;
        rows<Q> z[2] = {};
        arrival_wait(r.full + p, i / X::F & 1);
        UNROLLED (int k = 0; k < K; k++) {
            double v[4];
            get_two(v, x + 8 * k);
            get_two(v + 2, x + 8 * k + 8 * X::CHAIN);
            UNROLLED (int q = 0; q < Q; q++)
                add_product(z[k % 2].v[q], v,
                            k < X::KEPT
                                ? kept[k % X::KEPT][q]
                                : table_look(matrix_at(a.table, LIMIT_AT_ENDS(Q) + k * Q + q)));
        }
        UNROLLED (int q = 0; q < Q; q++)
            UNROLLED (int j = 0; j < 4; j++)
                z[0].v[q][j] += z[1].v[q][j];
        arrival_arrive(r.taken + p + when_there(z[0], a.nothing));
        if (i >= X::S)
            arrival_wait(r.used + s, (i / X::S - 1) & 1);
        put_states(r.states + (s * Q * CHAINS + first) * 8 + two, 8, z[0]);
        arrival_arrive(r.ends + s);
    }
}

/* Says the last row, of a state, to the other blocks: all of it, as less than a sector of memory
 * would be read to be written. */
template <class X>
static __device__ __forceinline__ void publish(const task &a, size_t half, size_t place,
                                               const rows<X::Q> &u)
{
    const int lane = lane_here(), two = 2 * (lane % 4);
    UNROLLED (int q = 0; q < X::Q; q++)
        if (lane / 4 == 7) {
            const size_t to = place * (X::STATE / 2) + (size_t)(4 * q + two / 2);
            message_put(a.mail + half * a.words + to, double2{u.v[q][2], u.v[q][3]});
            message_clear(a.mail + (1 - half) * a.words + to);
        }
}

template <class X>
static __device__ __forceinline__ void sum_up(const task &a, const room<X> &r, size_t half)
{
    enum { Q = X::Q, AT = LIMIT_AT_CHAIN(Q, X::K) };
    const int lane = lane_here();
    const matrices<Q> chain = get_matrices<Q>(a.table, AT);
    const powers<Q> group(a.table, AT + Q * Q);
    for (int i = 0; i < r.mine; i++) {
        const int s = i % X::S;
        double *const states = r.states + (s * Q * CHAINS + lane / 4 * GROUP) * 8 + 2 * (lane % 4);
        arrival_wait(r.ends + s, i / X::S & 1);
        rows<Q> u = get_states<Q>(states, 8 * GROUP);
        UNROLLED (int j = 1; j < GROUP; j++) {
            rows<Q> z = get_states<Q>(states + 8 * j, 8 * GROUP);
            step(&z, u, chain);
            u = z;
        }
        put_states(states + 8 * (GROUP - 1), 8 * GROUP, u); /* of which all have been read */
        arrival_arrive(r.carried + s);
        scan_rows(&u, group);
        publish<X>(a, half, (size_t)i * (wave() + 1) + 1 + blockIdx.x, u);
    }
}

/* The messages newest - from .. newest - from - AT_ONCE + 1 of each row, all under way at once. The
 * compiler would look at each one before it asks for the next; so what a missing word looks like is
 * made to hang on the last of them. */
template <class X>
static __device__ __forceinline__ void receive(const task &a, const double2 *const nearest[2],
                                               const int wanted[2][X::Q], int from,
                                               double2 in[X::AT_ONCE][2][X::Q])
{
    enum { AT_ONCE = X::AT_ONCE };
    bool asked[AT_ONCE][2][X::Q];
    UNROLLED (int b = 0; b < AT_ONCE; b++)
        UNROLLED (int h = 0; h < 2; h++)
            UNROLLED (int q = 0; q < X::Q; q++) {
                in[b][h][q] = double2{};
                asked[b][h][q] = from + b < wanted[h][q];
            }
    for (unsigned looks = 0;; lose_patience(&looks)) {
        UNROLLED (int b = 0; b < AT_ONCE; b++)
            UNROLLED (int h = 0; h < 2; h++)
                UNROLLED (int q = 0; q < X::Q; q++)
                    message_look_again(&in[b][h][q],
                                       nearest[h] - (from + b) * (X::STATE / 2) + 4 * q,
                                       asked[b][h][q]);
        const long long last = __double_as_longlong(in[AT_ONCE - 1][1][X::Q - 1].y);
        const long long missing = ~(last & a.nothing);
        bool there = true;
        UNROLLED (int b = 0; b < AT_ONCE; b++)
            UNROLLED (int h = 0; h < 2; h++)
                UNROLLED (int q = 0; q < X::Q; q++) {
                    const bool lacks = (__double_as_longlong(in[b][h][q].x) == missing) |
                                       (__double_as_longlong(in[b][h][q].y) == missing);
                    there = there & !lacks;
                    if (X::Q > 1 || tells()) /* else it is slower */
                        asked[b][h][q] = lacks;
                }
        if (__all_sync(ALL, there))
            return;
    }
}

/* The state that was published at `place`, in the last row; zeros where it is not wanted. */
template <class X>
static __device__ __forceinline__ rows<X::Q> receive_state(const task &a, size_t half,
                                                           ptrdiff_t place, bool wanted)
{
    const int lane = lane_here(), two = 2 * (lane % 4);
    const double2 *const from = a.mail + half * a.words + place * (X::STATE / 2) + two / 2;
    rows<X::Q> u = {};
    for (unsigned looks = 0;; lose_patience(&looks)) {
        double2 in[X::Q] = {};
        UNROLLED (int q = 0; q < X::Q; q++)
            message_look_again(in + q, from + 4 * q,
                               wanted && lane / 4 == 7 && 8 * q + two + 1 >= a.first);
        const long long last = __double_as_longlong(in[X::Q - 1].y);
        const long long missing = ~(last & a.nothing);
        bool there = true;
        UNROLLED (int q = 0; q < X::Q; q++) {
            there = there & (__double_as_longlong(in[q].x) != missing) &
                    (__double_as_longlong(in[q].y) != missing);
            u.v[q][2] = in[q].x;
            u.v[q][3] = in[q].y;
        }
        if (__all_sync(ALL, there))
            return u;
    }
}

/* --- several ranks --- */

/* Where the rank has its sums that comes so many behind this one, going round. */
static __device__ __forceinline__ letter<double> *listener(const task &a, int behind)
{
    return a.boards[(a.own + 1 + behind) % a.ranks]->sums();
}

/* Says the last row, of the sum of a part, to all ranks at once. `nearest` is there already. */
template <class X>
static __device__ __forceinline__ void tell(const task &a, unsigned launch, int part,
                                            const rows<X::Q> &u, letter<double> *nearest)
{
    const int lane = lane_here(), two = 2 * (lane % 4);
    double word[X::Q][2];
    UNROLLED (int q = 0; q < X::Q; q++)
        UNROLLED (int i = 0; i < 2; i++)
            word[q][i] = __shfl_sync(ALL, u.v[q][2 + i], 28 + lane % 4);
    for (int k = lane / 4; k < a.ranks; k += 8) {
        letter<double> *const to =
            (k < 8 ? nearest : listener(a, k)) + (size_t)part * X::STATE + two;
        UNROLLED (int q = 0; q < X::Q; q++)
            UNROLLED (int i = 0; i < 2; i++)
                letter_send(to + 8 * q + i, word[q][i], launch);
    }
}

/* The sums of the `count` parts before `end`, 16 at most, in the last rows. All looks are under way
 * at once: as in receive(), and in the other rows at what is asked for anyway. */
template <class X>
static __device__ __forceinline__ rows<X::Q> hear(const task &a, unsigned launch, int end,
                                                  int count)
{
    const int lane = lane_here(), two = 2 * (lane % 4);
    const letter<double> *from[2];
    rows<X::Q> u;
    for (int h = 0; h < 2; h++)
        from[h] =
            a.here->sums() + (size_t)(end - min(count, 16 - lane / 4 - 8 * h)) * X::STATE + two;
    for (unsigned looks = 0;; lose_patience(&looks)) {
        letter<double> in[2][X::Q][2];
        UNROLLED (int h = 0; h < 2; h++)
            UNROLLED (int q = 0; q < X::Q; q++)
                UNROLLED (int i = 0; i < 2; i++)
                    in[h][q][i] = letter_arrived(from[h] + 8 * q + i, launch);
        const unsigned long long last = in[1][X::Q - 1][1].half[1];
        const unsigned wanted = launch + (unsigned)(last & (unsigned long long)a.nothing);
        bool there = true;
        UNROLLED (int h = 0; h < 2; h++)
            UNROLLED (int q = 0; q < X::Q; q++)
                UNROLLED (int i = 0; i < 2; i++) {
                    there = there & letter_there(in[h][q][i], wanted);
                    u.v[q][2 * h + i] = letter_word(in[h][q][i]);
                }
        if (__all_sync(ALL, there))
            return u;
    }
}

/* The state before a part, in the last row: zeros before the first one. */
template <class X> struct front {
    rows<X::Q> state;
    int part;

    /* To a later one: part by part, as one card does. */
    __device__ __forceinline__ void go_on(const task &a, unsigned launch, int to)
    {
        enum { Q = X::Q };
        const int lane = lane_here();
        const matrices<Q> over =
            look_matrices<Q>(a.table, LIMIT_AT_WAVE(Q, X::K) + (int)wave() * Q * Q);
        while (part < to) {
            const int count = min(to - part, 16);
            part += count;
            const rows<Q> sums = hear<X>(a, launch, part, count);
            for (int row = 16 - count; row < 16; row = anew(row + 1)) { /* short code */
                rows<Q> u = {};
                const int from = row % 8 * 4 + lane % 4;
                UNROLLED (int q = 0; q < Q; q++)
                    UNROLLED (int i = 0; i < 2; i++) {
                        const double low = __shfl_sync(ALL, sums.v[q][i], from);
                        const double high = __shfl_sync(ALL, sums.v[q][2 + i], from);
                        u.v[q][2 + i] = row < 8 ? low : high;
                    }
                step(&u, state, over);
                UNROLLED (int q = 0; q < Q; q++)
                    UNROLLED (int i = 0; i < 2; i++)
                        state.v[q][2 + i] = u.v[q][2 + i];
            }
        }
    }
};

/* Before the first words of a launch: all have read those of the one before. */
static __device__ __forceinline__ void await_readers(const task &a, unsigned launch)
{
    for (int k = lane_here(); k < a.ranks; k += 32)
        signal_wait(a.here->ended + k, (int)launch - 1);
    __syncwarp();
}

/* By the first warp of a block, when all others have ended. */
static __device__ __forceinline__ void end_launch(const task &a)
{
    const int lane = lane_here();
    const unsigned launch = *a.state;
    __threadfence();
    const bool last = lane == 0 && atomicAdd(a.state + 1, 1u) == gridDim.x - 1;
    if (__shfl_sync(ALL, (int)last, 0) == 0)
        return;
    for (int k = lane; k < a.ranks; k += 32)
        signal_send(a.boards[k]->ended + a.own, (int)launch);
    if (lane == 0) {
        a.state[1] = 0;
        a.state[0]++;
    }
}

/* The state before each part of this rank, as soon as all have told their sums. Block 0
 * needs no more; in the others it is there for the carry. Lanes have a letter each, so that a look
 * is one request of a warp: all blocks look at the same place. It is the loader's warp, so that
 * nobody has fewer registers for a warp more; but only the first tiles are loaded here, since the
 * next ones would wait until it has heard: solve does that when it has left their places. */
template <class X> static __device__ __forceinline__ void lead(const task &a, const room<X> &r)
{
    enum { Q = X::Q, AT_ONCE = 32 / X::STATE };
    const int lane = lane_here(), two = 2 * (lane % 4);
    const matrices<Q> over = get_matrices<Q>(a.table, LIMIT_AT_WAVE(Q, X::K) + (int)wave() * Q * Q);
    const unsigned launch = *a.state;
    rows<Q> state = {};
    int part = 0;
    for (int i = 0; i < r.mine && i < X::F && lane == 0; i++)
        load<X>(a, r, i);
    __syncwarp();
    for (int i = 0; i < r.mine; i++) {
        const int s = i % X::S, to = i * a.ranks + a.own;
        arrival_wait(r.ends + s, i / X::S & 1); /* looks in vain hold up those of others */
        while (part < to) {
            const int count = min(to - part, (int)AT_ONCE);
            const letter<double> *const from =
                a.here->sums() + (size_t)part * X::STATE + min(lane, count * X::STATE - 1);
            double word = 0;
            for (unsigned looks = 0;; lose_patience(&looks)) {
                const letter<double> in = letter_arrived(from, launch);
                word = letter_word(in);
                if (__all_sync(ALL, letter_there(in, launch)))
                    break;
            }
            for (int k = 0; k < count; k = anew(k + 1)) { /* part by part, as one card does */
                rows<Q> u = {};
                UNROLLED (int q = 0; q < Q; q++)
                    UNROLLED (int j = 0; j < 2; j++)
                        u.v[q][2 + j] = __shfl_sync(ALL, word, k * X::STATE + 8 * q + two + j);
                step(&u, state, over);
                state = u;
            }
            part += count;
        }
        UNROLLED (int q = 0; q < Q; q++)
            if (lane / 4 == 7)
                put_two(r.carry + s * X::STATE + 8 * q + two, state.v[q] + 2);
        arrival_arrive((blockIdx.x > 0 ? r.known : r.carried) + s);
    }
}

template <int Q> static __device__ __forceinline__ void add(rows<Q> *to, const rows<Q> &u)
{
    UNROLLED (int q = 0; q < Q; q++)
        UNROLLED (int j = 0; j < 4; j++)
            to->v[q][j] += u.v[q][j];
}

/* A tile's messages, `count` of them; rows are windows, the nearest one last. */
template <class X> struct windows {
    enum { Q = X::Q, AT_ONCE = X::AT_ONCE };
    const double2 *nearest[2];
    int wanted[2][Q];

    /* Behind the message before `end`. */
    __device__ __forceinline__ windows(const task &a, size_t half, ptrdiff_t end, int count)
    {
        const int lane = lane_here(), two = 2 * (lane % 4);
        UNROLLED (int h = 0; h < 2; h++) {
            const int before = WINDOW * (15 - lane / 4 - 8 * h);
            nearest[h] = a.mail + half * a.words + (end - before) * (X::STATE / 2) + two / 2;
            UNROLLED (int q = 0; q < Q; q++)
                wanted[h][q] = 8 * q + two + 1 >= a.first ? count - before : 0;
        }
    }

    /* What a group of each adds to the state behind it, when it is there; the nearest is 0. */
    __device__ __forceinline__ rows<Q> sum(const task &a, int group, const matrices<Q> &one) const
    {
        const int leap = min(AT_ONCE * group, (int)wave()); /* none are further away */
        double2 in[AT_ONCE][2][Q];
        receive<X>(a, nearest, wanted, AT_ONCE * group, in);
        rows<Q> u = {};
        UNROLLED (int b = AT_ONCE - 1; b >= 0; b--) {
            rows<Q> z;
            UNROLLED (int q = 0; q < Q; q++)
                UNROLLED (int h = 0; h < 2; h++) {
                    z.v[q][2 * h] = in[b][h][q].x;
                    z.v[q][2 * h + 1] = in[b][h][q].y;
                }
            if (b < AT_ONCE - 1)
                step(&z, u, one);
            u = z;
        }
        if (group == 0)
            return u;
        rows<Q> z = {};
        step(&z, u, look_matrices<Q>(a.table, LIMIT_AT_WAVE(Q, X::K) + leap * Q * Q));
        return z;
    }

    __device__ __forceinline__ rows<Q> sum_all(const task &a, const matrices<Q> &one) const
    {
        rows<Q> u = sum(a, X::GROUPS - 1, one);
        for (int k = X::GROUPS - 2; k >= 0; k--) {
            rows<Q> z = sum(a, k, one);
            add(&z, u);
            u = z;
        }
        return u;
    }
};

/* Before the messages of tile i are looked for: looks in vain hold up those of others. Who has no
 * tile looks at once. When this returns the carry of the tile that used the stage before has been
 * read. */
template <class X> static __device__ __forceinline__ void await_turn(const room<X> &r, int i)
{
    const int s = i % X::S;
    if (!tells())
        arrival_wait(r.ends + s, i / X::S & 1);
}

/* One of the team, on one card: hears a group of each tile's messages, for who finds its carry. */
template <class X>
static __device__ __forceinline__ void hear_group(const task &a, const room<X> &r, size_t half,
                                                  int group)
{
    enum { Q = X::Q };
    const int own = (int)blockIdx.x;
    const ptrdiff_t messages = (ptrdiff_t)wave() + 1;
    const matrices<Q> one = get_matrices<Q>(a.table, LIMIT_AT_TILE(Q, X::K));
    double2 *const to = r.sums + group * 2 * Q * 32 + lane_here();
    for (int i = 0; i < r.mine; i++) {
        const windows<X> all(a, half, i * messages + own, own);
        await_turn(r, i);
        const rows<Q> u = all.sum(a, group, one);
        if (i > 0)
            arrival_wait(r.added + (i - 1) % 2, (i - 1) / 2 & 1);
        UNROLLED (int q = 0; q < Q; q++)
            UNROLLED (int h = 0; h < 2; h++)
                to[(2 * q + h) * 32] = double2{u.v[q][2 * h], u.v[q][2 * h + 1]};
        arrival_arrive(r.heard + i % 2);
    }
}

/* What that team has heard. */
template <class X>
static __device__ __forceinline__ rows<X::Q> gather(const task &a, const room<X> &r, int i)
{
    enum { Q = X::Q };
    rows<Q> u;
    arrival_wait(r.heard + i % 2, i / 2 & 1);
    UNROLLED (int k = X::GROUPS - 1; k >= 0; k--) {
        const double2 *const from = r.sums + k * 2 * Q * 32 + lane_here();
        rows<Q> z;
        UNROLLED (int q = 0; q < Q; q++)
            UNROLLED (int h = 0; h < 2; h++) {
                z.v[q][2 * h] = from[(2 * q + h) * 32].x;
                z.v[q][2 * h + 1] = from[(2 * q + h) * 32].y;
            }
        if (k < X::GROUPS - 1)
            add(&z, u);
        u = z;
    }
    arrival_arrive(r.added + i % 2 + when_there(u, a.nothing));
    return u;
}

/* By one of some warps of a block of its own: the sums of this rank's waves, but of the very last
 * part, for which nobody asks. A look at the messages of a wave takes about as long as the wave, so
 * the warps take them by turns. */
template <class X>
static __device__ __forceinline__ void tell_waves(const task &a, size_t half, int warp)
{
    enum { Q = X::Q, AT = LIMIT_AT_TILE(Q, X::K) };
    const int tiles = (int)wave();
    const matrices<Q> one = get_matrices<Q>(a.table, AT);
    const powers<Q> window(a.table, AT + Q * Q);
    const unsigned launch = *a.state;
    letter<double> *const nearest = listener(a, lane_here() / 4);
    await_readers(a, launch);
    for (int i = warp; i * a.ranks + a.own + 1 < a.parts; i += X::TELLERS) {
        const windows<X> all(a, half, (ptrdiff_t)i * (tiles + 1) + tiles, tiles);
        rows<Q> u = all.sum_all(a, one);
        scan_rows(&u, window);
        tell<X>(a, launch, i * a.ranks + a.own, u, nearest);
    }
}

/* The messages are summed up before the state is asked for that comes before them all: from wave to
 * wave there is one message and one product to wait for. Of several ranks the state comes of what
 * all have told. */
template <class X>
static __device__ __forceinline__ void find_carry(const task &a, const room<X> &r, size_t half,
                                                  int turn)
{
    enum { Q = X::Q, AT = LIMIT_AT_TILE(Q, X::K) };
    const int lane = lane_here(), two = 2 * (lane % 4), own = (int)blockIdx.x;
    const ptrdiff_t messages = (ptrdiff_t)wave() + 1; /* of a wave */
    const matrices<Q> one = get_matrices<Q>(a.table, AT);
    const powers<Q> window(a.table, AT + Q * Q);
    const unsigned launch = X::RANKS ? *a.state : 0;
    front<X> before_part = {};
    if (X::FRONT && own == 0) /* lead() finds it */
        return;
    for (int i = turn; i < r.mine; i += X::CARRIES) {
        const int s = i % X::S;
        await_turn(r, i);
        rows<Q> u;
        if constexpr (X::TEAM) {
            u = gather(a, r, i);
        } else {
            const windows<X> all(a, half, i * messages + own, own);
            u = all.sum_all(a, one);
        }
        scan_rows(&u, window);
        const int leap = LIMIT_AT_WAVE(Q, X::K) + own * Q * Q;
        if constexpr (X::FRONT) {
            const matrices<Q> all = look_matrices<Q>(a.table, leap);
            rows<Q> state = {};
            arrival_wait(r.known + s, i / X::S & 1);
            UNROLLED (int q = 0; q < Q; q++)
                if (lane / 4 == 7)
                    get_two(state.v[q] + 2, r.carry + s * X::STATE + 8 * q + two);
            step(&u, state, all);
        } else if constexpr (X::RANKS) {
            matrices<Q> all;
            if (Q == 1)
                all = look_matrices<Q>(a.table, leap);
            before_part.go_on(a, launch, i * a.ranks + a.own);
            if (Q > 1) /* now there are registers for them */
                all = look_matrices<Q>(a.table, leap);
            if (own > 0)
                step(&u, before_part.state, all);
            else
                u = before_part.state;
        } else {
            const matrices<Q> all = look_matrices<Q>(a.table, leap);
            step(&u, receive_state<X>(a, half, i * messages, i > 0), all);
            if (tells()) {
                publish<X>(a, half, (size_t)((i + 1) * messages), u);
                continue;
            }
        }
        UNROLLED (int q = 0; q < Q; q++)
            if (lane / 4 == 7)
                put_two(r.carry + s * X::STATE + 8 * q + two, u.v[q] + 2);
        arrival_arrive(r.carried + s);
    }
}

template <class X> static __device__ __forceinline__ void enter(const task &a, const room<X> &r)
{
    enum { Q = X::Q, AT = LIMIT_AT_CHAIN(Q, X::K) };
    const int lane = lane_here(), g = lane / 4, two = 2 * (lane % 4);
    const matrices<Q> chain = get_matrices<Q>(a.table, AT);
    const powers<Q> group(a.table, AT + Q * Q);
    for (int i = 0; i < r.mine; i++) {
        const int s = i % X::S;
        double *const states = r.states + (s * Q * CHAINS + g * GROUP) * 8 + two;
        arrival_wait(r.carried + s, i / X::S & 1);
        rows<Q> u = shifted(get_states<Q>(states + 8 * (GROUP - 1), 8 * GROUP), 1);
        if (g == 0)
            UNROLLED (int q = 0; q < Q; q++)
                get_two(u.v[q], r.carry + s * X::STATE + 8 * q + two);
        scan_rows(&u, group);
        UNROLLED (int j = 0; j < GROUP; j++) {
            rows<Q> z = get_states<Q>(states + 8 * j, 8 * GROUP);
            put_states(states + 8 * j, 8 * GROUP, u);
            if (j < GROUP - 1) {
                step(&z, u, chain);
                u = z;
            }
        }
        arrival_arrive(r.entries + s);
    }
}

/* The next 8 unknowns of 16 chains: v becomes them, and they enter the state. */
template <int Q>
static __device__ __forceinline__ void solve_block(double2 own, const double2 *from_state,
                                                   rows<Q> *state, double *v)
{
    double y[4] = {};
    add_product(y, v, own);
    UNROLLED (int q = 0; q < Q; q++)
        add_product(y, state->v[q], from_state[q]);
    UNROLLED (int j = 0; j < 4; j++) {
        UNROLLED (int q = 0; q < Q - 1; q++)
            state->v[q][j] = state->v[q + 1][j];
        v[j] = state->v[Q - 1][j] = y[j];
    }
}

/* In a row's 8 values, of which each of its 4 lanes has two: the first that is not finite; or 8. */
static __device__ __forceinline__ int first_bad(const double *v)
{
    const unsigned even = __ballot_sync(ALL, !isfinite(v[0])) >> (lane_here() & 28) & 15;
    const unsigned odd = __ballot_sync(ALL, !isfinite(v[1])) >> (lane_here() & 28) & 15;
    int first = 8;
    for (int i = 3; i >= 0; i--) {
        first = (odd >> i & 1) != 0 ? 2 * i + 1 : first;
        first = (even >> i & 1) != 0 ? 2 * i : first;
    }
    return first;
}

/* 16 chains from f in device memory, where something in it is not finite. Behind the first
 * such f nothing is, and before it all are what they would be without it, bit by bit. A function of
 * its own, or it would take registers from what is run. */
template <class X>
static __device__ __attribute__((noinline)) void solve_again(double2 own, const double2 *from_state,
                                                             rows<X::Q> state, const real *f,
                                                             real *x)
{
    bool over[2] = {false, false};
    const int two = 2 * (lane_here() % 4);
    for (int k = 0; k < X::K; k++, f += 8, x += 8) {
        double v[4], given[4];
        int bad[2];
        get_two(given, f);
        get_two(given + 2, f + 8 * X::CHAIN);
        for (int h = 0; h < 2; h++)
            bad[h] = first_bad(given + 2 * h);
        for (int j = 0; j < 4; j++)
            v[j] = isfinite(given[j]) ? given[j] : 0;
        solve_block<X::Q>(own, from_state, &state, v);
        for (int j = 0; j < 4; j++) {
            const int h = j / 2, place = two + j % 2;
            if (over[h] || place > bad[h])
                v[j] = (double)NAN;
            else if (place == bad[h])
                v[j] = given[j];
        }
        for (int h = 0; h < 2; h++)
            over[h] = over[h] || bad[h] < 8;
        put_two(x, v);
        put_two(x + 8 * X::CHAIN, v + 2);
    }
}

template <class X>
static __device__ __forceinline__ void solve(const task &a, const room<X> &r, int warp)
{
    enum { Q = X::Q };
    const int lane = lane_here(), two = 2 * (lane % 4), first = 16 * warp + lane / 4;
    const double2 own = *matrix_at(a.table, 0);
    double2 from_state[Q];
    UNROLLED (int q = 0; q < Q; q++)
        from_state[q] = *matrix_at(a.table, LIMIT_AT_STATE + q);
    for (int i = 0; i < r.mine; i++) {
        const int s = i % X::S, p = i % X::F, place = first * X::CHAIN + two;
        const size_t tile = (blockIdx.x + (size_t)i * wave()) * X::TILE;
        const real *const f = r.tile + p * X::TILE + place;
        real *const x = a.x + tile + place;
        real held[X::K][4]; /* f, then x */
        bool finite = true;
        arrival_wait(r.full + p, i / X::F & 1);
        UNROLLED (int k = 0; k < X::K; k++) {
            get_two(held[k], f + 8 * k);
            get_two(held[k] + 2, f + 8 * k + 8 * X::CHAIN);
            UNROLLED (int j = 0; j < 4; j++)
                finite = finite & isfinite(held[k][j]);
        }
        arrival_arrive(r.taken + p + (finite ? 0 : (int)a.nothing)); /* as when_there() */
        if (X::FRONT && warp == 0 && lane == 0 && i + X::F < r.mine)
            load<X>(a, r, i + X::F); /* see lead() */
        finite = __all_sync(ALL, finite);
        arrival_wait(r.entries + s, i / X::S & 1);
        rows<Q> state = get_states<Q>(r.states + (s * Q * CHAINS + first) * 8 + two, 8);
        arrival_arrive(r.used + s + when_there(state, a.nothing));
        if (finite) {
            UNROLLED (int k = 0; k < X::K; k++) {
                double v[4];
                UNROLLED (int j = 0; j < 4; j++)
                    v[j] = (double)(k < 2 ? held[k][j]
                                          : not_before(held[k - 2][j], held[k][j], a.nothing));
                solve_block<Q>(own, from_state, &state, v);
                UNROLLED (int j = 0; j < 4; j++)
                    held[k][j] = (real)v[j];
                UNROLLED (int h = 0; h < 2; h++) {
                    real *const to = x + 8 * k + h * 8 * X::CHAIN;
                    if (k % 2 == 1)
                        put_blocks(to - 8, held[k - 1] + 2 * h, held[k] + 2 * h);
                    else if (k == X::K - 1)
                        put_two(to, held[k] + 2 * h);
                }
            }
        } else {
            solve_again<X>(own, from_state, state, a.f + tile + place, x);
        }
    }
}

template <class X>
static __global__ void __launch_bounds__(X::THREADS, 1) one_pass(const __grid_constant__ task a)
{
    DYNAMIC_SHARED(unsigned char, shared);
    const room<X> r(shared, a.tiles);
    const int warp = (int)threadIdx.x / 32;
    const size_t half = *a.state & 1; /* of the mail; the other one is cleared meanwhile */
    if (threadIdx.x == 0) {
        for (int p = 0; p < X::F; p++) { /* by lanes, so that racecheck sees who waits for whom */
            arrival_make(r.full + p, 1);
            arrival_make(r.taken + p, 32 * (X::ENDS + X::SOLVES));
        }
        for (int s = 0; s < X::S; s++) {
            arrival_make(r.ends + s, 32 * X::ENDS);
            arrival_make(r.carried + s, 64);
            arrival_make(r.entries + s, 32);
            arrival_make(r.used + s, 32 * X::SOLVES);
            if constexpr (X::FRONT)
                arrival_make(r.known + s, 32);
        }
        for (int k = 0; k < 2 && X::TEAM; k++) {
            arrival_make(r.heard + k, 32 * X::GROUPS);
            arrival_make(r.added + k, 32);
        }
        arrivals_made();
    }
    __syncthreads();
    if (X::RANKS && tells()) {
        if (warp < X::TELLERS)
            tell_waves<X>(a, half, warp);
    } else if (tells() && warp < X::ENTRIES) {
        ; /* no tiles */
    } else if (warp < X::ENDS) {
        registers_between<X::EACH, X::OF_ENDS>();
        find_ends<X>(a, r, warp);
    } else if (warp < X::ENTRIES) {
        registers_between<X::EACH, X::OF_SOLVES>();
        solve<X>(a, r, warp - X::ENDS);
    } else if (warp < X::LOADER) {
        registers_between<X::EACH, X::OF_STATES>();
        if (tells() && warp < X::CARRY)
            ;
        else if (warp == X::ENTRIES)
            enter<X>(a, r);
        else if (warp == X::SUM)
            sum_up<X>(a, r, half);
        else
            find_carry<X>(a, r, half, warp - X::CARRY);
    } else {
        registers_between<X::EACH, X::OF_OTHERS>();
        if (X::TEAM && warp > X::LOADER)
            hear_group<X>(a, r, half, warp - X::HEAR);
        else if (X::FRONT)
            lead<X>(a, r);
        else if (!tells() && warp == X::LOADER && threadIdx.x % 32 == 0)
            load_all<X>(a, r);
    }
    __syncthreads();
    if constexpr (X::RANKS) {
        if (warp == 0)
            end_launch(a);
    } else if (threadIdx.x == 0 && atomicAdd(a.state + 1, 1u) == gridDim.x - 1) {
        a.state[1] = 0;
        a.state[0]++;
    }
}

/* --- one by one --- */

struct coefficients {
    double of[MAX_ORDER];
};

/* Powers that grow would cost digits that the plain loop has. The sum is of doubles, the oldest
 * term first; coefficients behind m are zeros. */
template <int Q>
static __global__ void one_by_one(const real *f, real *x, size_t n,
                                  const __grid_constant__ coefficients a)
{
    enum { M = 8 * Q };
    SHARED(real, piece, [PIECE]);
    const size_t lane = threadIdx.x;
    double before[M] = {}; /* x_k in the place k % M */
    for (size_t first = 0; first < n; first += PIECE) {
        for (size_t k = lane; k < PIECE; k += 32)
            piece[k] = first + k < n ? f[first + k] : 0;
        __syncwarp();
        for (int k = 0; k < PIECE && lane == 0; k += M)
            UNROLLED (int i = 0; i < M; i++) {
                double sum = (double)piece[k + i];
                UNROLLED (int j = M; j >= 1; j--)
                    sum = fma(a.of[j - 1], before[(i - j + M) % M], sum);
                before[i] = sum;
                piece[k + i] = (real)sum;
            }
        __syncwarp();
        for (size_t k = lane; k < PIECE && first + k < n; k += 32)
            x[first + k] = piece[k];
        __syncwarp();
    }
}

/* --- the variant --- */

struct limit {
    struct memory memory;
    const struct recurrence *in;
    struct tiling tiling;
    struct trust trust;
    const struct way *way;
    struct task task;
    real *f;             /* device [task.tiles][TILE] */
    double *given;       /* device [n] the user's input; or null */
    size_t count, waves; /* unknowns of this rank; in so many parts at most */
    size_t part;         /* unknowns of a part, but for the very last */
    int ranks, own;
    unsigned blocks;
};

struct way { /* the kernel of a shape */
    int wide, steps;
    bool ranks;
    unsigned (*blocks)(void); /* that may wait for each other and have tiles; 0: none fits */
    bool (*knows)(void);
    void (*launch)(const struct limit *l);
};

template <class X> static unsigned blocks_of(void)
{
    ALLOW_SHARED(one_pass<X>, X::shared);
    const unsigned all = BLOCKS_TOGETHER(one_pass<X>, X::THREADS, X::shared);
    return all > 0 ? all - 1 : 0;
}

template <class X> static bool knows(void)
{
    return KNOWS_BULK(one_pass<X>);
}

template <class X> static void launch(const struct limit *l)
{
    LAUNCH_TOGETHER(one_pass<X>, l->blocks + 1, X::THREADS, X::shared)(l->task);
}

template <class X> static constexpr struct way way_with(void)
{
    return {X::Q, X::K, X::RANKS, blocks_of<X>, knows<X>, launch<X>};
}

template <int steps, int places, int stages>
using edge = shape<1, steps, places, stages, 1, false, false, false>;
template <int steps, int places, int stages, bool front>
using edge_of_ranks = shape<1, steps, places, stages, 1, true, front, false>;
template <int steps, int places, int stages>
using wide = shape<2, steps, places, stages, 2, false, false, true>;
template <int steps, int places, int stages>
using wide_of_ranks = shape<2, steps, places, stages, 2, true, false, false>;
static const struct way ways[] = {
#if REAL_IS_DOUBLE
    way_with<edge<9, 5, 5>>(),  way_with<edge_of_ranks<9, 5, 5, true>>(),
    way_with<edge<13, 4, 4>>(), way_with<edge_of_ranks<13, 4, 4, true>>(),
    way_with<wide<11, 4, 4>>(), way_with<wide_of_ranks<11, 4, 5>>(),
#else
    way_with<edge<17, 5, 5>>(), way_with<edge_of_ranks<17, 5, 5, false>>(),
    way_with<edge<25, 4, 4>>(), way_with<edge_of_ranks<25, 4, 4, false>>(),
    way_with<wide<17, 5, 5>>(), way_with<wide_of_ranks<17, 5, 5>>(),
#endif
};

static const struct way *way_of(const struct tiling *tiling, bool ranks)
{
    const struct way *way = ways;
    while (way->wide != tiling->wide || way->steps != tiling->steps || way->ranks != ranks)
        way++;
    return way;
}

/* Every so many parts one is this rank's. */
static __global__ void fill(real *f, size_t part, size_t ranks, size_t own, size_t count,
                            size_t padded, int code, uint64_t seed, double amplitude,
                            const double *given)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t k = (i / part * ranks + own) * part + i % part;
    if (i < padded)
        f[i] = i < count ? (real)input_at(code, seed, amplitude, given, k) : 0;
}

/* Whether this device can, and how many of its blocks share the tiles. */
static enum status choose_blocks(struct limit *l)
{
    if (!l->way->knows())
        return because(SKIPPED, NO_BULK);
    const unsigned most = l->way->blocks();
    if (most == 0)
        return because(SKIPPED, "no block of the kernel fits on this device, which has too little "
                                "shared memory");
    l->blocks = (unsigned)l->trust.blocks < most ? (unsigned)l->trust.blocks : most;
    return OK;
}

/* The table, and messages that are not there; device memory comes so. */
static void take_tables(struct limit *l)
{
    const struct tiling *const of = &l->tiling;
    const size_t values = (size_t)LIMIT_MATRICES(of->wide, of->steps, l->trust.blocks) * 64;
    static const unsigned zeros[2] = {0, 0};
    double *const table = (double *)take(&l->memory, values * sizeof *table);
    double *there = NULL;
    if (table == NULL)
        return;
    recurrence_tables(l->in, of, &l->trust, table);
    take_copy(&l->memory, &there, table, values);
    l->task.table = there;
    l->task.words = l->waves * (l->blocks + 1) * (size_t)of->wide * 4;
    take_device(&l->memory, &l->task.mail, 2 * l->task.words);
    take_copy(&l->memory, &l->task.state, zeros, 2);
}

/* The tiles are dealt out, as many as there are blocks to each rank in turn. */
static void deal(struct limit *l)
{
    const size_t blocks = l->blocks > 0 ? l->blocks : 1, tiles = l->tiling.tiles;
    const size_t parts = (tiles - 1) / blocks + 1, tile = l->tiling.tile;
    const size_t ranks = (size_t)l->ranks, own = (size_t)l->own;
    const bool last = (parts - 1) % ranks == own;
    l->part = blocks * tile;
    l->waves = (parts - 1) / ranks + 1;
    l->task.parts = (int)parts;
    l->task.tiles =
        (parts + ranks - 1 - own) / ranks * blocks - (last ? parts * blocks - tiles : 0);
    l->count = l->task.tiles * tile - (last ? tiles * tile - l->in->n : 0);
}

/* What goes from rank to rank, of as many blocks on each. */
static enum status join_ranks(struct limit *l)
{
    void *all[MOST_RANKS];
    const enum status status = ranks_agree(
        l->trust.blocks > 0 ? choose_blocks(l)
                            : because(SKIPPED, "with these coefficients what an unknown adds to "
                                               "later ones grows too large; limit takes them, one "
                                               "by one on one card"));
    if (status != OK)
        return status;
    l->blocks = (unsigned)-ranks_most(-(double)l->blocks);
    deal(l);
    const size_t words = (size_t)l->task.parts * 8 * (size_t)l->tiling.wide;
    const enum status shared = ranks_share(sizeof(board) + words * sizeof(letter<double>), all);
    if (shared != OK)
        return shared;
    void **there = NULL;
    take_copy(&l->memory, &there, all, (size_t)l->ranks);
    l->task.boards = (board **)there;
    l->task.here = (board *)all[l->own];
    return l->memory.status;
}

static enum status make(const struct instance *in, int ranks, int own, void **state)
{
    struct limit *const l = (struct limit *)owner_new(sizeof *l);
    if (l == NULL)
        return ERR_MEMORY;
    const struct recurrence *const p = (const struct recurrence *)in->data;
    l->in = p;
    l->tiling = recurrence_tiling(p, REAL_IS_DOUBLE ? DOUBLE : SINGLE, ranks);
    l->trust = recurrence_trust(p, &l->tiling);
    l->way = way_of(&l->tiling, ranks > 1);
    l->task.first = 8 * l->tiling.wide - p->m;
    l->ranks = l->task.ranks = ranks;
    l->own = l->task.own = own;
    if (ranks > 1)
        l->memory.status = join_ranks(l);
    else if (l->trust.blocks > 0)
        l->memory.status = choose_blocks(l);
    if (l->memory.status == OK) {
        deal(l);
        const size_t room = (l->task.tiles > 0 ? l->task.tiles : 1) * l->tiling.tile;
        if (l->trust.blocks > 0)
            take_tables(l);
        take_device(&l->memory, &l->f, room);
        take_device(&l->memory, &l->task.x, room);
        l->task.f = l->f;
        if (p->f != NULL)
            take_copy(&l->memory, &l->given, p->f, p->n);
    }
    return planned(l, l->memory.status, state);
}

static enum status plan(const struct instance *in, void **state)
{
    return make(in, 1, 0, state);
}

static enum status plan_ranks(const struct instance *in, void **state)
{
    return make(in, ranks_count(), ranks_own(), state);
}

static enum status load(void *state)
{
    const struct limit *const l = (const struct limit *)state;
    const struct recurrence *const p = l->in;
    const size_t padded = l->task.tiles * l->tiling.tile;
    LAUNCH_NB(fill, (unsigned)(padded / 256 + 1), 256)
    (l->f, l->part, (size_t)l->ranks, (size_t)l->own, l->count, padded, p->code, p->seed,
     p->amplitude, l->given);
    const enum status status = device_launched("fill");
    return status == OK ? device_sync() : status;
}

static enum status run_one_by_one(const struct limit *l)
{
    struct coefficients a = {};
    for (int j = 0; j < l->in->m; j++)
        a.of[j] = l->in->a[j];
    if (l->tiling.wide == 1)
        LAUNCH(one_by_one<1>, 1, 32, 0)(l->f, l->task.x, l->in->n, a);
    else
        LAUNCH(one_by_one<2>, 1, 32, 0)(l->f, l->task.x, l->in->n, a);
    return device_launched("one_by_one");
}

static enum status run(void *state, struct laps *laps)
{
    const struct limit *const l = (const struct limit *)state;
    enum status status;
    if (l->trust.blocks == 0) {
        status = run_one_by_one(l);
    } else {
        l->way->launch(l);
        status = device_launched("one_pass");
    }
    lap(laps, "solve");
    return status;
}

/* Of all ranks, and of each wave the parts are side by side. */
static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct limit *const l = (const struct limit *)state;
    const size_t size = sizeof *l->task.x, row = l->part * size;
    const struct rank_part part = {l->task.x, l->count * size,       (size_t)l->own * row, row,
                                   row,       (size_t)l->ranks * row};
    const enum status status = ranks_unload(&part, out->values);
    lap(laps, "back");
    return status;
}

} // namespace OURS

using namespace OURS;

extern const struct calls P(recurrence_limit), P(recurrence_limit_ranks);
const struct calls P(recurrence_limit) = {plan, load, run, fetch, give_back};
const struct calls P(recurrence_limit_ranks) = {plan_ranks, load, run, fetch, give_back};
