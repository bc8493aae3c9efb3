/*
 * A2-limit: both sums in one launch. Each warp of blocks that are there together owns a run of the
 * unknowns. First it adds up its s, the sum of d, and w, the sum of y if y were 0 before the run;
 * the order does not matter. One message {s, w} of each block tells all of them where their runs
 * begin: y before it, x = u behind it. Then it goes through its run from the end to the begin: y up
 * and u down through each lane's part of a row, by scans over the lanes.
 *
 * The unknowns stand at the end of the padded range, in front of `tail` places that round them to
 * 16 bytes: the zeros before them add nothing, and what those behind would add to u is taken off.
 * `small` keeps all of f in shared memory, swizzled, and moves 16 bytes an unknown in double; so
 * does `quick`, in registers, of which a lane has few. There an analytic f is made (struct parts).
 * `large` reads a stored f twice, the first time past shared memory, the second time in bulk
 * through a ring of rows for each warp, of which the last stay from the first time; an analytic f
 * is a polynomial in each lane's part, added up by moments (struct polynomial), and 8 bytes remain.
 *
 * On several ranks the blocks of all of them are counted through and tell each other in the same
 * launch, by letters (machine/far.h); where cards do not reach each other's memory, as on several
 * hosts, in a launch before, and the letters are gathered. That took on two H200, stored double,
 * 2^26 0.230 ms, 2^28 0.8155; by letters 0.215, 0.8005. Of these the other card's letters take 1
 * to 2 us and 3 to 4 (medians of three; 0.2135, 0.799 where each hears of its own card alone).
 * Lost: rows asked into the L2 cache while the blocks meet, the next two 0.216, those behind four
 * 0.220; warps that hear with five, two or one letter a lane are alike, 0.214 to 0.215.
 *
 * In single and mixed, real is what a lane sums, wide what goes over lanes, rows and blocks. d is f
 * times a power of two, which is exact, and sums take the rest of h^2 with them.
 *
 * On an H200 (copy: 4.24 TB/s), 2^28 unknowns, ms: stored double 1.563 with 24 warps x 15 x 2 rows
 * (1.568 with 24 x 13 x 2, 1.567 with 20 x 15 x 2, 1.570 with 16 x 15 x 3). Single 0.793 with 12 x
 * 31 x 4 (0.801 with 16 x 31 x 3, 0.805 with 20 x 31 x 2). Analytic double 0.522 with 12 x 31 x 2
 * by moments (0.526 with 8 x 31 x 3, 0.531 with 16 x 23 x 2, 0.543 with 14 x 29 x 2), 0.584 where
 * the polynomial was evaluated twice; single 0.275 with 12 x 47 x 3 (0.278 with 12 x 31 x 4, 0.287
 * with 16 x 31 x 3). A ring that does not lie in its line of 128 bytes as u does: 0.83 and 1.64,
 * single 0.44 and 0.84. In a graph, us: 2^22 24.8 with 12 x 21 x 3, and 25.6 when rows were masked
 * that have no edge; 2^24 102 with it and with 16 x 15 x 3. Analytic 2^22 13.3 with 20 x 15 x 2
 * (17.0 with 12 x 31 x 2), 2^24 40.3 with 16 x 15 x 3 and 41.4. 2^20: 7.1 as small with 16 warps x
 * 16 (8.8 with 32 x 16); 2^18 3.9, 2^16 3.4. Starting early, before the launch before has ended,
 * gained up to 0.5 in a prototype and lost as much elsewhere. In one call, 2^22, 2^20, 2^18 and
 * singles of 2^20: 24.8, 7.41, 3.28, 5.13 while one warp heard, which then reckoned what each sum
 * adds, and the launch's number took a division; 24.4, 6.73, 3.34, 4.52 without these; 24.3, 6.64,
 * 3.33, 4.41 where three warps hear, of two messages a lane; 24.2, 6.96, 3.68, 4.75 where five hear
 * of one; 24.4, 7.08, 3.75, 4.85 with two looks under way, 150 cycles apart, and 350 no better. On
 * an H100 as quick 2^16 2.7, 2^18 3.5; by solve --time, where few follow each other, 2^16 5.95 past
 * shared memory, 6.46 through it, 6.78 as small, 2^18 6.37 through it, 8.29 past it, 7.94 as small.
 * As large few unknowns of an analytic f took, on an H200 in a graph, p1 and p2: 2^10 8.0 and 5.5,
 * 2^16 10.1 and 6.0, 2^18 9.1 and 10.7, 2^20 10.3 and 11.8.
 */
#include "bvp.h"

#include <cuda_pipeline.h>
#include <limits.h>
#include <stdlib.h>

#include "../common/kernels.h"
#include "machine/far.h"
#include "machine/precision.h"
#include "machine/ranks.h"
#include "rhs.h"

#define EVERY 0xffffffffu
#define OURS  P(limit_of_bvp)

/* The precisions' types have the same names and other sizes; so their members must not be one. */
namespace OURS
{

enum { WORDS = 16 / sizeof(real), AHEAD = 12, LINE = 128, MOST_RANKS = 64 };
static constexpr int STORED = RHS_INPUT, DIRECT = 0;

struct sums { /* of a piece: d, and y if y were 0 before it */
    wide s, w;
};

enum phase { WHOLE, TELL, HEAR };

struct task {
    const real *f; /* device [n + tail]; zeros in the tail */
    real *u;       /* device [n + tail] */
    long pad;      /* place of the first unknown; a multiple of 16 bytes, as all of the range is */
    int tail;      /* places behind the last one */
    int steps;     /* rows of a warp */
    double h;
    real scale; /* scale * rest = amplitude * h^2, scale is a power of two, 1 <= rest < 2 */
    wide rest;
    double2 *mail;      /* device [2][blocks], of odd and even launches */
    unsigned *launches; /* device [blocks], as each block counts them */
    /* The blocks of all ranks are counted through. */
    long first;              /* the unknown at f and u; 0 */
    int first_block, blocks; /* of this rank; of all */
    int ranks;
    enum phase phase;
    struct sums *parts;           /* device [blocks of this rank][warps], from TELL to HEAR */
    const letter<double> *here;   /* device [2][blocks][2], in turn as of mail */
    letter<double> *const *boxes; /* device [ranks], that of each */
};

/* --- sums over lanes --- */

static __device__ __forceinline__ wide sum_of_warp(wide x)
{
    for (int by = 16; by > 0; by /= 2)
        x += __shfl_xor_sync(EVERY, x, by);
    return x;
}

/* With that of this lane. */
static __device__ __forceinline__ wide sum_up_to(wide x)
{
    const int lane = (int)threadIdx.x % 32;
    UNROLLED (int by = 1; by < 32; by *= 2) {
        const wide other = __shfl_up_sync(EVERY, x, by);
        x += lane >= by ? other : 0;
    }
    return x;
}

static __device__ __forceinline__ wide sum_from(wide x)
{
    const int lane = (int)threadIdx.x % 32;
    UNROLLED (int by = 1; by < 32; by *= 2) {
        const wide other = __shfl_down_sync(EVERY, x, by);
        x += lane + by < 32 ? other : 0;
    }
    return x;
}

static __device__ __forceinline__ wide sum_before(wide x)
{
    const wide before = __shfl_up_sync(EVERY, sum_up_to(x), 1);
    return threadIdx.x % 32 > 0 ? before : 0;
}

static __device__ __forceinline__ wide sum_behind(wide x)
{
    const wide behind = __shfl_down_sync(EVERY, sum_from(x), 1);
    return threadIdx.x % 32 < 31 ? behind : 0;
}

/* --- from sums to places --- */

struct border { /* y before it, x behind it */
    wide y, x;
};

struct meeting { /* shared memory of a block */
    sums part[32];
    border base[32];
    border here[32]; /* of each warp that hears, what the blocks that it hears of add */
};

/* Of `count` pieces of `length` each: what piece l adds to the place of piece i. */
static __device__ __forceinline__ border around(sums of, int l, int i, int count, wide length,
                                                int tail)
{
    const wide behind = length * (wide)(count - 1 - max(l, i)) - (wide)tail;
    return {l < i ? of.s : 0, (l > i ? of.w : 0) + behind * of.s};
}

/* By one warp. What the block told in the launch before is gone then. */
template <bool RANKS>
static __device__ __forceinline__ void tell(const task &a, sums of, unsigned launch)
{
    const int own = a.first_block + (int)blockIdx.x, lane = (int)threadIdx.x % 32;
    if (RANKS)
        for (int k = lane; k < 2 * a.ranks; k += 32)
            letter_send(a.boxes[k / 2] + 2 * (launch % 2 * (size_t)a.blocks + own) + k % 2,
                        (double)(k % 2 == 0 ? of.s : of.w), launch);
    if (lane > 0)
        return;
    if (!RANKS) {
        message_put(a.mail + launch % 2 * a.blocks + own, double2{(double)of.s, (double)of.w});
        message_clear(a.mail + (launch + 1) % 2 * a.blocks + own);
    }
    a.launches[blockIdx.x] = launch + 1;
}

/* What block l has told, if it is there. */
template <bool RANKS>
static __device__ __forceinline__ double2 look_at(const task &a, int l, unsigned launch,
                                                  bool *there)
{
    const size_t at = launch % 2 * (size_t)a.blocks + l;
    if (!RANKS) {
        const double2 told = message_look(a.mail + at);
        *there = *there & message_there(told);
        return told;
    }
    const letter<double> s = letter_arrived(a.here + 2 * at, launch),
                         w = letter_arrived(a.here + 2 * at + 1, launch);
    *there = *there & letter_there(s, launch) & letter_there(w, launch);
    return {letter_word(s), letter_word(w)};
}

/* By one warp: what blocks from `first` of a lane on, and every `step` further on, add to the place
 * of this one. What is made of their sums is known before they come. */
template <bool RANKS, int LOOKS>
static __device__ __forceinline__ border hear(const task &a, int first, int step, wide length,
                                              unsigned launch)
{
    const int own = a.first_block + (int)blockIdx.x, lane = (int)threadIdx.x % 32;
    border here = {0, 0};
    for (; first - lane < a.blocks; first += step) {
        wide behind[LOOKS];
        UNROLLED (int k = 0; k < LOOKS; k++)
            behind[k] = around({1, 0}, first + 32 * k, own, a.blocks, length, a.tail).x;
        double2 in[LOOKS];
        for (unsigned looks = 0;; lose_patience(&looks)) {
            bool there = true;
            UNROLLED (int k = 0; k < LOOKS; k++)
                in[k] = look_at<RANKS>(a, min(first + 32 * k, a.blocks - 1), launch, &there);
            if (__all_sync(EVERY, there))
                break;
        }
        UNROLLED (int k = 0; k < LOOKS; k++) {
            const int l = first + 32 * k;
            const wide y = l < own ? (wide)in[k].x : 0, x = l > own ? (wide)in[k].y : 0;
            here.y += l < a.blocks ? y : 0;
            here.x += l < a.blocks ? x + behind[k] * (wide)in[k].x : 0;
        }
    }
    return {sum_of_warp(here.y), sum_of_warp(here.x)};
}

/* Early, for it takes a while; each block counts its own, so that the number takes no division. */
static __device__ __forceinline__ unsigned launches_so_far(const task &a)
{
    return *(const volatile unsigned *)(a.launches + blockIdx.x);
}

/* Over lanes of which the first so many are not 0, for these. */
template <int COUNT> static __device__ __forceinline__ wide sum_of_first(wide x)
{
    UNROLLED (int by = 16; by > 0; by /= 2)
        if (by < COUNT)
            x += __shfl_xor_sync(EVERY, x, by);
    return x;
}

/* From the sums of the warps, in lane 0, to the place of each one's run of `length`. Of one or two
 * warps each hears for itself; of more, some hear a part each. */
template <int WARPS, bool RANKS = false>
static __device__ __forceinline__ border meet(const task &a, meeting &m, sums mine, wide length,
                                              unsigned launches)
{
    constexpr bool EACH = WARPS <= 2 && !RANKS;
    constexpr int SETS = RANKS ? 12 : 5; /* of 32 messages, heard at once */
    constexpr int HEARERS = EACH ? 1 : WARPS < (SETS + 1) / 2 ? WARPS : (SETS + 1) / 2;
    constexpr int LOOKS = (SETS + HEARERS - 1) / HEARERS;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const unsigned launch = launches - (RANKS && a.phase == HEAR ? 1 : 0);
    const wide whole = WARPS * length, after = length * (wide)(WARPS - 1 - lane);
    if (lane == 0)
        m.part[warp] = mine;
    __syncthreads();
    const sums of = lane < WARPS ? m.part[lane] : sums{0, 0};
    if (warp == 0) {
        constexpr int COUNT = RANKS ? 32 : WARPS; /* to several ranks all lanes tell them */
        const sums all = {sum_of_first<COUNT>(of.s), sum_of_first<COUNT>(of.w + after * of.s)};
        if (!RANKS || a.phase != HEAR)
            tell<RANKS>(a, all, launch);
    }
    border base = {0, 0}, here = {0, 0};
    if (EACH || warp == (WARPS > 1 ? 1 : 0)) { /* while messages are under way */
        const wide before = sum_before(of.s);
        const wide area = lane < WARPS ? of.w + length * before : 0;
        base = {before, sum_behind(area)};
        if (EACH)
            base = {__shfl_sync(EVERY, base.y, warp), __shfl_sync(EVERY, base.x, warp)};
        else
            m.base[lane] = base;
    }
    if ((EACH || warp < HEARERS) && !(RANKS && a.phase == TELL))
        here = hear<RANKS, LOOKS>(a, (EACH ? 0 : warp * 32 * LOOKS) + lane, HEARERS * 32 * LOOKS,
                                  whole, launch);
    if (!EACH) {
        if (warp < HEARERS && lane == 0)
            m.here[warp] = here;
        __syncthreads();
        base = m.base[warp];
        here = m.here[0];
        UNROLLED (int k = 1; k < HEARERS; k++)
            here = {here.y + m.here[k].y, here.x + m.here[k].x};
    }
    return {here.y + base.y, here.x + base.x + here.y * length * (wide)(WARPS - 1 - warp)};
}

/* --- analytic f --- */

/* d about element `middle`, in units of elements, t of them away. */
template <int CODE, int DEGREE> struct polynomial {
    double c[DEGREE + 1];

    __device__ __forceinline__ polynomial(const task &a, double middle)
    {
        if (CODE == RHS_P1) {
            double sine, cosine, factor = (double)a.scale * (PI * PI / 4);
            sincospi(0.5 * a.h * middle, &sine, &cosine);
            UNROLLED (int k = 0; k <= DEGREE; k++) {
                c[k] = factor * (k % 2 == 0 ? cosine : sine) * (k % 4 == 1 || k % 4 == 2 ? -1 : 1);
                factor *= PI / 2 * a.h / (k + 1);
            }
            return;
        }
        /* f is -10000 times the second derivative of exp(-z^2), z = 10 x: Hermite's
         * polynomials. The rounding of z^2 is taken back, or exp would make up to 100 of it. */
        const double z = 10 * a.h * middle, q = z * z, rest = fma(z, z, -q), e = exp(-q);
        double before = 2 * z, now = 4 * q - 2, factor = -10000 * (double)a.scale * (e - e * rest);
        UNROLLED (int k = 0; k <= DEGREE; k++) {
            c[k] = factor * now;
            const double next = 2 * (z * now - (k + 2) * before);
            before = now;
            now = next;
            factor *= -10 * a.h / (k + 1);
        }
    }
};

/* The same to be evaluated, in the arithmetic of a lane. DIRECT: few unknowns, each by itself.
 */
template <int CODE, int DEGREE> struct values {
    real c[DEGREE + 1];

    __device__ __forceinline__ values(const task &a, long middle)
    {
        const polynomial<CODE, DEGREE> p(a, (double)middle);
        UNROLLED (int k = 0; k <= DEGREE; k++)
            c[k] = (real)p.c[k];
    }
    __device__ __forceinline__ real operator()(int t) const
    {
        real value = c[DEGREE];
        UNROLLED (int k = DEGREE - 1; k >= 0; k--)
            value = value * (real)t + c[k];
        return value;
    }
};

template <int CODE> struct values<CODE, DIRECT> {
    double h, scale;
    long middle;

    __device__ __forceinline__ values(const task &a, long middle_)
        : h(a.h), scale((double)a.scale), middle(middle_)
    {
    }
    __device__ __forceinline__ real operator()(int t) const
    {
        return (real)(scale * rhs_double(CODE, h * (double)(middle + t)));
    }
};

/* --- small n --- */

struct alignas(16) pack {
    real v[WORDS];
};

/* A lane's packs lie apart, and so that eight lanes that read or write one find all banks. */
template <int PACKS> static __device__ __forceinline__ int slot(int lane, int j)
{
    return lane * PACKS + (j ^ (PACKS == 8 ? lane & 7 : lane >> 1 & 3));
}

/* A warp's f to its lanes' places; the first value of all counts half. */
template <int PACKS>
static __device__ __forceinline__ void load_part(const task &a, long offset, pack *own)
{
    enum { RUN = 32 * PACKS * WORDS };
    const int lane = (int)threadIdx.x % 32;
    for (int q = lane; q < 32 * PACKS; q += 32) {
        pack *const to = own + slot<PACKS>(q / PACKS, q % PACKS);
        if (offset + q * WORDS >= 0)
            __pipeline_memcpy_async(to, a.f + (offset + q * WORDS), sizeof *to);
        else
            *to = pack{};
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    if (offset <= 0 && -offset < RUN && lane == 0) {
        const int q = (int)-offset / WORDS;
        own[slot<PACKS>(q / PACKS, q % PACKS)].v[0] *= R(0.5);
    }
    __syncwarp();
}

/* A lane's d, from unknown `mine` on, of which the first one of all counts half; what is before it
 * or behind the last one, which `last` has, is 0. */
template <int CODE, int DEGREE, int PACKS> struct parts {
    enum { PART = PACKS * WORDS };
    const values<CODE, DEGREE> d;
    long mine;
    int count;

    __device__ __forceinline__ parts(const task &a, long mine_, bool last)
        : d(a, mine_ + PART / 2), mine(mine_), count(last ? PART - a.tail : (int)PART)
    {
    }
    __device__ __forceinline__ pack operator()(int j) const
    {
        pack v;
        UNROLLED (int c = 0; c < WORDS; c++) {
            const int k = j * WORDS + c;
            const real x = d(k - PART / 2);
            v.v[c] = mine + k < 0 || k >= count ? R(0) : mine + k == 0 ? R(0.5) * x : x;
        }
        return v;
    }
};

/* Whether the thread has the last unknown. */
template <int WARPS> static __device__ __forceinline__ bool is_last(void)
{
    return blockIdx.x == gridDim.x - 1 && threadIdx.x == 32 * WARPS - 1;
}

/* y up, kept; s and w of the lane. */
template <int PACKS> static __device__ sums sum_packs(pack *own, real scale)
{
    const int lane = (int)threadIdx.x % 32;
    real s = 0, w = 0;
    UNROLLED (int j = 0; j < PACKS; j++) {
        pack v = own[slot<PACKS>(lane, j)];
        UNROLLED (int c = 0; c < WORDS; c++) {
            s += scale * v.v[c];
            w += s;
            v.v[c] = s;
        }
        own[slot<PACKS>(lane, j)] = v;
    }
    return {(wide)s, (wide)w};
}

/* u down through a lane's part: small sums go on a large value. */
struct descent {
    real top, rest, y, sum;

    __device__ __forceinline__ descent(border p, wide rest_)
        : top((real)p.x), rest((real)rest_), y((real)p.y), sum((real)(p.x - (wide)top))
    {
    }
    __device__ __forceinline__ real operator()(real sum_of_d)
    {
        sum += rest * sum_of_d + y;
        return top + sum;
    }
};

template <int CODE, int DEGREE, int WARPS, int PACKS>
static __global__ void __launch_bounds__(32 * WARPS, 1) small(const task a)
{
    enum { RUN = 32 * PACKS * WORDS };
    DYNAMIC_SHARED(pack, shared);
    SHARED(meeting, m, );
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    pack *const own = shared + warp * 32 * PACKS;
    const long offset =
        ((long)blockIdx.x * WARPS + warp) * RUN - a.pad; /* of the run, in f and u */
    const unsigned launches = launches_so_far(a);
    if constexpr (CODE == STORED) {
        load_part<PACKS>(a, offset, own);
    } else {
        const parts<CODE, DEGREE, PACKS> made(a, offset + lane * PACKS * WORDS, is_last<WARPS>());
        UNROLLED (int j = 0; j < PACKS; j++)
            own[slot<PACKS>(lane, j)] = made(j);
    }
    const sums of = sum_packs<PACKS>(own, CODE == STORED ? a.scale : R(1));
    const wide s = a.rest * of.s, length = PACKS * WORDS, before = sum_before(s);
    const wide area = a.rest * of.w + length * before, behind = sum_behind(area);
    const wide all = __shfl_sync(EVERY, before + s, 31);
    const border run =
        meet<WARPS>(a, m, {all, __shfl_sync(EVERY, behind + area, 0)}, 32 * length, launches);
    descent u({run.y + before, run.x + behind + run.y * length * (wide)(31 - lane)}, a.rest);
    UNROLLED (int j = PACKS - 1; j >= 0; j--) {
        pack v = own[slot<PACKS>(lane, j)];
        UNROLLED (int c = WORDS - 1; c >= 0; c--)
            v.v[c] = u(v.v[c]);
        own[slot<PACKS>(lane, j)] = v;
    }
    __syncwarp();
    for (int q = lane; q < 32 * PACKS; q += 32)
        if (offset + q * WORDS >= 0)
            *(pack *)(a.u + (offset + q * WORDS)) = own[slot<PACKS>(q / PACKS, q % PACKS)];
}

/* The same as small, for few unknowns, where a launch is a chain of waits: lanes keep their part in
 * registers. PAST shared memory: lanes load and store what they own. */
template <int CODE, int DEGREE, int WARPS, int PACKS, bool PAST>
static __global__ void __launch_bounds__(32 * WARPS, 1) quick(const task a)
{
    enum { RUN = 32 * PACKS * WORDS };
    DYNAMIC_SHARED(pack, shared);
    SHARED(meeting, m, );
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    pack *const own = shared + warp * 32 * PACKS;
    const long offset =
        ((long)blockIdx.x * WARPS + warp) * RUN - a.pad; /* of the run, in f and u */
    const long mine = offset + lane * PACKS * WORDS;
    pack part[PACKS];
    if constexpr (CODE == STORED) {
        UNROLLED (int j = 0; j < PACKS; j++) {
            const int q = j * 32 + lane;
            pack *const to = own + slot<PACKS>(q / PACKS, q % PACKS);
            if (PAST)
                part[j] =
                    mine + j * WORDS >= 0 ? *(const pack *)(a.f + (mine + j * WORDS)) : pack{};
            else if (offset + q * WORDS >= 0)
                __pipeline_memcpy_async(to, a.f + (offset + q * WORDS), sizeof *to);
            else
                *to = pack{};
        }
    }
    __pipeline_commit();
    const unsigned launches = launches_so_far(a);
    if constexpr (CODE != STORED) {
        const parts<CODE, DEGREE, PACKS> made(a, mine, is_last<WARPS>());
        UNROLLED (int j = 0; j < PACKS; j++)
            part[j] = made(j);
    } else if (!PAST) {
        __pipeline_wait_prior(0);
        __syncwarp();
        UNROLLED (int j = 0; j < PACKS; j++)
            part[j] = own[slot<PACKS>(lane, j)];
    }
    real sum = 0, area_here = 0;
    UNROLLED (int j = 0; j < PACKS; j++) {
        if (CODE == STORED && mine + j * WORDS == 0) /* the first value counts half */
            part[j].v[0] *= R(0.5);
        UNROLLED (int c = 0; c < WORDS; c++) {
            sum += CODE == STORED ? a.scale * part[j].v[c] : part[j].v[c];
            area_here += sum;
            part[j].v[c] = sum;
        }
    }
    const wide s = a.rest * (wide)sum, length = PACKS * WORDS, before = sum_before(s);
    const wide area = a.rest * (wide)area_here + length * before, behind = sum_behind(area);
    const wide all = __shfl_sync(EVERY, before + s, 31);
    const border run =
        meet<WARPS>(a, m, {all, __shfl_sync(EVERY, behind + area, 0)}, 32 * length, launches);
    descent u({run.y + before, run.x + behind + run.y * length * (wide)(31 - lane)}, a.rest);
    UNROLLED (int j = PACKS - 1; j >= 0; j--) {
        UNROLLED (int c = WORDS - 1; c >= 0; c--)
            part[j].v[c] = u(part[j].v[c]);
        if (!PAST)
            own[slot<PACKS>(lane, j)] = part[j];
        else if (mine + j * WORDS >= 0)
            *(pack *)(a.u + (mine + j * WORDS)) = part[j];
    }
    if (PAST)
        return;
    __syncwarp();
    for (int q = lane; q < 32 * PACKS; q += 32)
        if (offset + q * WORDS >= 0)
            *(pack *)(a.u + (offset + q * WORDS)) = own[slot<PACKS>(q / PACKS, q % PACKS)];
}

/* --- large n --- */

/* Sums of t^k and of (elements from t to the end) t^k over a lane's part, t = -COUNT/2 ... */
template <int COUNT, int DEGREE> struct moments {
    double plain[DEGREE + 1], to_end[DEGREE + 1];

    __host__ __device__ constexpr moments() : plain(), to_end()
    {
        for (int j = 0; j < COUNT; j++) {
            const int t = j - COUNT / 2;
            double power = 1;
            for (int k = 0; k <= DEGREE; k++) {
                plain[k] += power;
                to_end[k] += (COUNT - j) * power;
                power *= t;
            }
        }
    }
};

/* The source of d, a warp's number of rows of 32 V, and of those the ring has S. */
template <int CODE_, int DEGREE_, int WARPS_, int V_, int S_, bool RANKS_ = false> struct shape {
    static constexpr bool RANKS = RANKS_; /* one of several does it */
    static constexpr int CODE = CODE_, DEGREE = DEGREE_, WARPS = WARPS_, V = V_, S = S_;
    static constexpr int ROW = 32 * V;
    static constexpr int LEAD = LINE / (int)sizeof(real); /* so far the ring may be moved */
    static constexpr int PART = 4 * V; /* of a lane, when an analytic f is added up */
    static constexpr int BYTES =
        LEAD * (int)sizeof(real) + WARPS * S * (ROW * (int)sizeof(real) + (int)sizeof(arrival));
    static_assert(S > 1, "a row is solved while another one comes");
};

/* A warp's run. Its places count from 0; unknowns are at begin .. end - 1. */
template <class X> struct stretch {
    real *ring;           /* [S][ROW]; row i from the end is i % S of it; in a line as u is */
    arrival *full;        /* [S] */
    long offset;          /* of place 0 among the unknowns */
    long at;              /* the same in f and u */
    int length, rows;     /* all of it, and from the end those that have unknowns */
    int begin, end, half; /* half: the place of the first unknown, which counts half, or -1 */
    int lane;

    __device__ stretch(const task &a, unsigned char *shared)
    {
        const int warp = (int)threadIdx.x / 32;
        const int block = (int)blockIdx.x + (X::RANKS ? a.first_block : 0);
        const int blocks = X::RANKS ? a.blocks : (int)gridDim.x;
        const bool last = warp == X::WARPS - 1 && block == blocks - 1;
        const long first = X::RANKS ? a.first : 0;
        lane = (int)threadIdx.x % 32;
        ring = (real *)shared + (-(a.pad + first) & (X::LEAD - 1)) + warp * X::S * X::ROW;
        full = (arrival *)((real *)shared + X::LEAD + X::WARPS * X::S * X::ROW) + warp * X::S;
        length = a.steps * X::ROW;
        offset = ((long)block * X::WARPS + warp) * length - a.pad;
        at = offset - first;
        begin = offset >= 0 ? 0 : -offset < length ? (int)-offset : length;
        half = offset <= 0 && -offset < length ? begin : -1;
        end = length - (last ? a.tail : 0);
        rows = a.steps - begin / X::ROW;
    }
    __device__ __forceinline__ int base(int i) const
    {
        return length - (i + 1) * X::ROW;
    }
    /* Of row i: what lies before the first unknown is neither read nor written. */
    __device__ __forceinline__ int skipped(int i) const
    {
        return max(begin - base(i), 0);
    }
    /* Whether all places of row i are unknowns that count whole. */
    __device__ __forceinline__ bool whole(int i) const
    {
        return base(i) >= begin && base(i) > half && base(i) + X::ROW <= end;
    }
    __device__ __forceinline__ real masked(real d, int place) const
    {
        return place < begin || place >= end ? R(0) : place == half ? R(0.5) * d : d;
    }
    __device__ void load(const task &a, int i) const
    {
        const int from = skipped(i), row = i % X::S;
        const unsigned bytes = (unsigned)(X::ROW - from) * (unsigned)sizeof(real);
        arrival_expect(full + row, bytes);
        bulk_load(ring + row * X::ROW + from, a.f + (at + base(i) + from), bytes, full + row);
    }
    __device__ void store(const task &a, int i) const
    {
        const int from = skipped(i);
        bulk_store(a.u + (at + base(i) + from), ring + i % X::S * X::ROW + from,
                   (unsigned)(X::ROW - from) * (unsigned)sizeof(real));
    }
};

/* The run's sums, straight from memory, up to the rows that stay in the ring. */
template <class X> static __device__ sums sum_memory(const task &a, const stretch<X> &r)
{
    const int stop = r.rows <= X::S ? 0 : (a.steps - X::S) * X::ROW;
    const real *const f = a.f + r.at;
    int at = r.begin + r.lane * WORDS;
    sums of = {0, 0};
    wide to_end = (wide)(r.length - at);
    auto add = [&](const pack &v) {
        real s = a.scale * v.v[0], w = 0;
        UNROLLED (int c = 1; c < WORDS; c++) {
            s += a.scale * v.v[c];
            w += (real)c * (a.scale * v.v[c]);
        }
        of.s += (wide)s;
        of.w += to_end * (wide)s - (wide)w;
        to_end -= 32 * WORDS;
    };
    for (; at + (AHEAD - 1) * 32 * WORDS < stop; at += AHEAD * 32 * WORDS) {
        pack v[AHEAD];
        UNROLLED (int k = 0; k < AHEAD; k++)
            v[k] = *(const pack *)(f + at + k * 32 * WORDS);
        UNROLLED (int k = 0; k < AHEAD; k++)
            add(v[k]);
    }
    for (; at < stop; at += 32 * WORDS)
        add(*(const pack *)(f + at));
    if (r.half >= 0 && r.half < stop && r.lane == 0) {
        const wide half = (wide)(R(0.5) * a.scale * f[r.half]);
        of.s -= half;
        of.w -= half * (wide)(r.length - r.half);
    }
    return of;
}

template <class X>
static __device__ __forceinline__ void mask_row(const stretch<X> &r, int i, real *d)
{
    if (!r.whole(i))
        UNROLLED (int j = 0; j < X::V; j++)
            d[j] = r.masked(d[j], r.base(i) + r.lane * X::V + j);
}

/* A lane's d of row i, once it is in the ring. */
template <class X>
static __device__ __forceinline__ void read_row(const task &a, const stretch<X> &r, int i, real *d)
{
    const real *const own = r.ring + i % X::S * X::ROW + r.lane * X::V;
    arrival_wait(r.full + i % X::S, i / X::S & 1);
    UNROLLED (int j = 0; j < X::V; j++)
        d[j] = a.scale * own[j];
    mask_row(r, i, d);
}

/* And of those that stay. */
template <class X> static __device__ sums sum_ring(const task &a, const stretch<X> &r)
{
    sums of = {0, 0};
    for (int i = 0; i < X::S && i < r.rows; i++) {
        real d[X::V], s = 0, w = 0;
        read_row(a, r, i, d);
        UNROLLED (int j = 0; j < X::V; j++) {
            s += d[j];
            w += s;
        }
        of.s += (wide)s;
        of.w += (wide)(r.length - r.base(i) - (r.lane + 1) * X::V) * (wide)s + (wide)w;
    }
    return of;
}

/* Of a lane's part from place `mine` on, all of which counts. */
template <class X> static __device__ __forceinline__ sums sum_part(const task &a, long middle)
{
    if constexpr (X::DEGREE == DIRECT) {
        const values<X::CODE, DIRECT> d(a, middle);
        sums of = {0, 0};
        for (int j = 0; j < X::PART; j++) {
            of.s += (wide)d(j - X::PART / 2);
            of.w += of.s;
        }
        return of;
    } else {
        constexpr moments<X::PART, X::DEGREE> m;
        const polynomial<X::CODE, X::DEGREE> d(a, (double)middle);
        double s = 0, w = 0;
        UNROLLED (int k = 0; k <= X::DEGREE; k++) {
            s += d.c[k] * m.plain[k];
            w += d.c[k] * m.to_end[k];
        }
        return {(wide)s, (wide)w};
    }
}

template <class X> static __device__ sums sum_analytic(const task &a, const stretch<X> &r)
{
    sums of = {0, 0};
    for (int base = r.length - 32 * X::PART; base + 32 * X::PART > r.begin; base -= 32 * X::PART) {
        const int mine = base + r.lane * X::PART;
        const long middle = r.offset + mine + X::PART / 2;
        sums part = {0, 0};
        if (base >= r.begin && base > r.half && base + 32 * X::PART <= r.end) {
            part = sum_part<X>(a, middle);
        } else {
            const values<X::CODE, X::DEGREE> d(a, middle);
            for (int j = 0; j < X::PART; j++) {
                part.s += (wide)r.masked(d(j - X::PART / 2), mine + j);
                part.w += part.s;
            }
        }
        of.s += part.s;
        of.w += (wide)(r.length - mine - X::PART) * part.s + part.w;
    }
    return of;
}

/* Likewise, once its place in the ring is free. */
template <class X>
static __device__ __forceinline__ void make_row(const task &a, const stretch<X> &r, int i, real *d)
{
    const values<X::CODE, X::DEGREE> value(a, r.offset + r.base(i) + r.lane * X::V + X::V / 2);
    UNROLLED (int j = 0; j < X::V; j++)
        d[j] = value(j - X::V / 2);
    if (r.lane == 0)
        bulk_stored<X::S - 1>();
    __syncwarp();
    mask_row(r, i, d);
}

/* u of row i, of which `edge` is the place of the end; then that of its begin. */
template <class X>
static __device__ __forceinline__ void solve_row(const task &a, const stretch<X> &r, int i,
                                                 border &edge)
{
    real d[X::V], s = 0, w = 0, *const own = r.ring + i % X::S * X::ROW + r.lane * X::V;
    if constexpr (X::CODE == STORED)
        read_row(a, r, i, d);
    else
        make_row(a, r, i, d);
    UNROLLED (int j = 0; j < X::V; j++) {
        s += d[j];
        w += s;
        d[j] = s;
    }
    const wide sum = a.rest * (wide)s, up_to = sum_up_to(sum);
    edge.y -= __shfl_sync(EVERY, up_to, 31);
    const wide y = edge.y + (up_to - sum), area = a.rest * (wide)w + X::V * y;
    const wide from = sum_from(area);
    descent u({y, edge.x + (from - area)}, a.rest);
    UNROLLED (int j = X::V - 1; j >= 0; j--)
        own[j] = u(d[j]);
    edge.x += __shfl_sync(EVERY, from, 0);
}

template <class X>
static __device__ __forceinline__ void begin_rows(const task &a, const stretch<X> &r)
{
    if (r.lane == 0) {
        for (int k = 0; k < X::S; k++)
            arrival_make(r.full + k, 1);
        arrivals_made();
        for (int i = 0; i < X::S && i < r.rows; i++)
            r.load(a, i);
    }
    __syncwarp();
}

template <class X> static __global__ void __launch_bounds__(32 * X::WARPS, 1) large(const task a)
{
    DYNAMIC_SHARED(unsigned char, shared);
    SHARED(meeting, m, );
    const stretch<X> r(a, shared);
    const unsigned launches = launches_so_far(a);
    sums of = {0, 0};
    if constexpr (X::CODE == STORED)
        begin_rows<X>(a, r);
    if (X::RANKS && a.phase == HEAR) {
        of = a.parts[blockIdx.x * X::WARPS + threadIdx.x / 32];
    } else {
        if constexpr (X::CODE == STORED) {
            of = sum_memory<X>(a, r);
            const sums stay = sum_ring<X>(a, r);
            of = {of.s + stay.s, of.w + stay.w};
        } else {
            of = sum_analytic<X>(a, r);
        }
        of = {sum_of_warp(a.rest * of.s), sum_of_warp(a.rest * of.w)};
        if (X::RANKS && a.phase == TELL && r.lane == 0)
            a.parts[blockIdx.x * X::WARPS + threadIdx.x / 32] = of;
    }
    border edge = meet<X::WARPS, X::RANKS>(a, m, of, (wide)r.length, launches);
    if (X::RANKS && a.phase == TELL)
        return;
    edge.y += of.s;
    for (int i = 0; i < r.rows; i++) {
        solve_row<X>(a, r, i, edge);
        bulk_fence();
        __syncwarp();
        if (r.lane > 0)
            continue;
        r.store(a, i);
        if (X::CODE == STORED && i > 0 && i + X::S - 1 < r.rows) {
            bulk_stored<1>();
            r.load(a, i + X::S - 1);
        }
    }
    if (r.lane == 0)
        bulk_stored<0>();
}

/* --- on the host --- */

struct limit {
    struct memory memory;
    const struct bvp *in;
    struct task task;
    const struct way *way;
    unsigned blocks; /* of this rank */
    size_t count;    /* of its unknowns */
    /* Where ranks do not reach each other, both as task.here. */
    letter<double> *told, *gathered;
    unsigned runs;
};

/* A kernel, and what it is for: f of `code`, up to so many unknowns. */
struct way {
    int code;
    size_t up_to;
    int degree, reach; /* of the polynomial; as far as it goes from its middle */
    int warps, row;    /* a block takes a multiple of warps * row unknowns; */
    bool once;         /* or that many at most */
    bool (*known)(void);
    unsigned (*together)(void);
    void (*launch)(const struct limit *l);
};

template <int CODE, int DEGREE, int WARPS, int PACKS> static unsigned small_together(void)
{
    const size_t bytes = 32 * WARPS * PACKS * sizeof(pack);
    ALLOW_SHARED((small<CODE, DEGREE, WARPS, PACKS>), bytes);
    return BLOCKS_TOGETHER((small<CODE, DEGREE, WARPS, PACKS>), 32 * WARPS, bytes);
}

template <int CODE, int DEGREE, int WARPS, int PACKS>
static void launch_small(const struct limit *l)
{
    LAUNCH_TOGETHER((small<CODE, DEGREE, WARPS, PACKS>), l->blocks, 32 * WARPS,
                    32 * WARPS * PACKS * sizeof(pack))
    (l->task);
}

template <int CODE, int DEGREE, int WARPS, int PACKS, bool PAST>
static unsigned quick_together(void)
{
    const size_t bytes = 32 * WARPS * PACKS * sizeof(pack);
    ALLOW_SHARED((quick<CODE, DEGREE, WARPS, PACKS, PAST>), bytes);
    return BLOCKS_TOGETHER((quick<CODE, DEGREE, WARPS, PACKS, PAST>), 32 * WARPS, bytes);
}

template <int CODE, int DEGREE, int WARPS, int PACKS, bool PAST>
static void launch_quick(const struct limit *l)
{
    LAUNCH_TOGETHER((quick<CODE, DEGREE, WARPS, PACKS, PAST>), l->blocks, 32 * WARPS,
                    32 * WARPS * PACKS * sizeof(pack))
    (l->task);
}

template <class X> static unsigned large_together(void)
{
    ALLOW_SHARED(large<X>, X::BYTES);
    return BLOCKS_TOGETHER(large<X>, 32 * X::WARPS, X::BYTES);
}

template <class X> static bool large_known(void)
{
    return KNOWS_BULK(large<X>);
}

template <class X> static void launch_large(const struct limit *l)
{
    LAUNCH_TOGETHER(large<X>, l->blocks, 32 * X::WARPS, X::BYTES)(l->task);
}

static bool always(void)
{
    return true;
}

#define SMALL(code, degree, warps, packs)                                                          \
    {                                                                                              \
        code, (size_t)-1, degree, (packs)*WORDS / 2, warps, 32 * (packs)*WORDS, true, always,      \
            small_together<code, degree, warps, packs>, launch_small<code, degree, warps, packs>   \
    }
#define QUICK(code, degree, warps, packs, past)                                                    \
    {                                                                                              \
        code, (size_t)-1, degree, (packs)*WORDS / 2, warps, 32 * (packs)*WORDS, true, always,      \
            quick_together<code, degree, warps, packs, past>,                                      \
            launch_quick<code, degree, warps, packs, past>                                         \
    }
/* Of which fewer do, as nothing is read. */
#define ANALYTIC_SMALL(code)                                                                       \
    QUICK(code, 5, 2, 4, true), QUICK(code, DIRECT, 2, 4, true), QUICK(code, 5, 8, 4, false),      \
        SMALL(code, 5, 16, 8), SMALL(code, 5, 32, 12)
#define LARGE_UP_TO(most, code, degree, warps, v, s)                                               \
    {                                                                                              \
        code, most, degree, 2 * (v), warps, 32 * (v), false,                                       \
            large_known<shape<code, degree, warps, v, s>>,                                         \
            large_together<shape<code, degree, warps, v, s>>,                                      \
            launch_large<shape<code, degree, warps, v, s>>                                         \
    }
/* The same on several ranks. */
#define RANKS(code, degree, warps, v, s)                                                           \
    {                                                                                              \
        code, (size_t)-1, degree, 2 * (v), warps, 32 * (v), false,                                 \
            large_known<shape<code, degree, warps, v, s, true>>,                                   \
            large_together<shape<code, degree, warps, v, s, true>>,                                \
            launch_large<shape<code, degree, warps, v, s, true>>                                   \
    }
#define ANALYTIC_RANKS(code, warps, v, s)                                                          \
    RANKS(code, 2, warps, v, s), RANKS(code, 3, warps, v, s), RANKS(code, 5, warps, v, s)
#define LARGE(code, degree, warps, v, s) LARGE_UP_TO((size_t)-1, code, degree, warps, v, s)
#define ANALYTIC_UP_TO(most, code, warps, v, s)                                                    \
    LARGE_UP_TO(most, code, 2, warps, v, s), LARGE_UP_TO(most, code, 3, warps, v, s),              \
        LARGE_UP_TO(most, code, 5, warps, v, s)
#define ANALYTIC(code, warps, v, s) ANALYTIC_UP_TO((size_t)-1, code, warps, v, s)

/* The first that fits is taken; behind it may be one for a device with less shared memory. */
static const struct way ways[] = {
    QUICK(STORED, 0, 2, 4, true),
    QUICK(STORED, 0, 4, 4, false),
    QUICK(STORED, 0, 8, 4, false),
    SMALL(STORED, 0, 16, 4),
    SMALL(STORED, 0, 16, 8),
    SMALL(STORED, 0, 32, 8),
    SMALL(STORED, 0, 32, 12),
    ANALYTIC_SMALL(RHS_P1),
    ANALYTIC_SMALL(RHS_P2),
#if REAL_IS_DOUBLE
    LARGE_UP_TO((size_t)1 << 25, STORED, 0, 12, 21, 3),
    LARGE(STORED, 0, 24, 15, 2),
    LARGE(STORED, 0, 8, 15, 2),
    ANALYTIC_UP_TO((size_t)1 << 23, RHS_P1, 20, 15, 2),
    ANALYTIC(RHS_P1, 12, 31, 2),
    ANALYTIC(RHS_P1, 4, 31, 2),
    ANALYTIC_UP_TO((size_t)1 << 23, RHS_P2, 20, 15, 2),
    ANALYTIC(RHS_P2, 12, 31, 2),
    ANALYTIC(RHS_P2, 4, 31, 2),
#else
    LARGE(STORED, 0, 12, 31, 4),    LARGE(STORED, 0, 8, 31, 2),     ANALYTIC(RHS_P1, 12, 47, 3),
    ANALYTIC(RHS_P1, 8, 31, 2),     ANALYTIC(RHS_P2, 12, 47, 3),    ANALYTIC(RHS_P2, 8, 31, 2),
#endif
    LARGE(RHS_P1, DIRECT, 4, 7, 2),
    LARGE(RHS_P2, DIRECT, 4, 7, 2),
};
enum { WAYS = sizeof ways / sizeof *ways };

static const struct way ways_of_ranks[] = {
#if REAL_IS_DOUBLE
    RANKS(STORED, 0, 24, 15, 2),       RANKS(STORED, 0, 8, 15, 2),
    ANALYTIC_RANKS(RHS_P1, 12, 31, 2), ANALYTIC_RANKS(RHS_P2, 12, 31, 2),
#else
    RANKS(STORED, 0, 12, 31, 4),       RANKS(STORED, 0, 8, 31, 2),
    ANALYTIC_RANKS(RHS_P1, 12, 47, 3), ANALYTIC_RANKS(RHS_P2, 12, 47, 3),
#endif
    RANKS(RHS_P1, DIRECT, 4, 7, 2),    RANKS(RHS_P2, DIRECT, 4, 7, 2),
};
enum { WAYS_OF_RANKS = sizeof ways_of_ranks / sizeof *ways_of_ranks };

/* How far u can be off, relative to U, the solution for |f|, where f is Taylor's polynomial
 * about points at most `reach` away. The remainder at a distance of t is t^(D+1) / (D+1)! of
 * the largest (D+1)st derivative between. p1: that is (pi/2)^(D+1) pi^2/4, in u at most half of
 * it, (1-x^2)/2, and U is cos(pi x/2): the quotient is pi^2/8 at x = 0, and elsewhere less. p2:
 * with z = 10 x, the derivative of exp(-z^2) of order k is at most 1.0865 sqrt(2^k k!)
 * exp(-z^2/2) (Cramer), f has 10^4 times that of order 2, and over x that exp has the integral
 * 0.1254. An f off by r(x) puts u off by no more than 1 - x times the integral of |r|, and U is
 * concave, so no less than (1 - x) U(0) = (1 - x) 1573: the quotient is at most 0.866
 * sqrt(2^(D+3) (D+3)!) (10 reach)^(D+1) / (D+1)!. Within the reach exp(-z^2/2) grows by exp(10
 * * 10 reach) at most; 1 instead of 0.866 has room for 1.15. */
static double taylor_error(int code, int degree, double reach)
{
    const double distance = reach * (code == RHS_P1 ? PI / 2 : 10);
    double power = code == RHS_P1 ? PI * PI / 8 : sqrt(0x1p2 * (degree + 2) * (degree + 3));
    for (int k = 1; k <= degree + 1; k++)
        power *= distance / k * (code == RHS_P1 ? 1 : sqrt(2.0 * k));
    return code == RHS_P1 || exp(10 * distance) <= 1.15 ? power : HUGE_VAL;
}

/* Two roundings of each d, of the 32 that belong to f itself. */
static bool exact_enough(const struct way *w, size_t n)
{
    const double unit = REAL_IS_DOUBLE ? 0x1p-53 : 0x1p-24;
    return w->code == STORED || w->degree == DIRECT ||
           taylor_error(w->code, w->degree, w->reach / (double)n) <= 2 * unit;
}

/* A block on each multiprocessor of each of `ranks` cards: more of them would only have more
 * messages to read. The places of a warp's run count as int, and those of a single one as float. */
static const struct way *choose(const struct way *from, int count, const struct bvp *b,
                                unsigned ranks, unsigned *blocks, int *steps)
{
    const size_t n = (b->n + WORDS - 1) / WORDS * WORDS;
    const double most = sizeof(wide) == sizeof(float) ? 0x1p24 : 0x1p31 - 1;
    for (int k = 0; k < count; k++) {
        const struct way *const w = &from[k];
        const size_t step = (size_t)w->warps * (size_t)w->row;
        if (w->code != b->code || n > w->up_to || !exact_enough(w, b->n) || !w->known())
            continue;
        const size_t together = (size_t)ranks * min(w->together(), MULTIPROCESSORS);
        if (together == 0 || (w->once && n > together * step))
            continue;
        const size_t rows = (n - 1) / (together * step) + 1;
        if ((double)rows * w->row >= most)
            continue;
        const size_t least = (n - 1) / (rows * step) + 1;
        *blocks = (unsigned)((least - 1) / ranks + 1) * ranks; /* as many on each */
        *steps = (int)rows;
        return w;
    }
    return NULL;
}

} // namespace OURS

using namespace OURS;

size_t P(bvp_limit_run)(const struct bvp *b)
{
    unsigned blocks;
    int steps = 0;
    const struct way *const w = choose(ways, WAYS, b, 1, &blocks, &steps);
    return w != NULL ? (size_t)steps * (size_t)w->row : b->n;
}

size_t P(bvp_limit_ranks_run)(const struct bvp *b)
{
    unsigned blocks;
    int steps = 0;
    const struct way *const w =
        choose(ways_of_ranks, WAYS_OF_RANKS, b, (unsigned)ranks_count(), &blocks, &steps);
    return w != NULL ? (size_t)steps * (size_t)w->row : b->n;
}

static __global__ void draw(real *f, size_t first, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f[i] = (real)rhs_stored(first + i);
}

/* Of the unknowns here, and zeros behind the last; the problem's own is drawn here, the user's
 * comes from the host. */
static enum status place_f(struct limit *l, size_t padded)
{
    const struct bvp *b = l->in;
    const size_t first = (size_t)l->task.first, count = l->count;
    struct memory local = {OK, NULL};
    real *f = NULL;
    const real zeros[WORDS] = {0};
    take_device(&l->memory, &f, padded);
    l->task.f = f;
    enum status status = l->memory.status;
    if (status == OK)
        status = device_put(f + padded - WORDS, zeros, sizeof zeros);
    if (status != OK || count == 0)
        return status;
    if (b->drawn) {
        LAUNCH_NB(draw, (unsigned)((count - 1) / 256 + 1), 256)(f, first, count);
        return device_launched("draw");
    }
    real *const host = (real *)take(&local, count * sizeof *host);
    for (size_t i = 0; i < count && host != NULL; i++)
        host[i] = (real)b->f[first + i];
    status = local.status;
    if (status == OK)
        status = device_put(f, host, count * sizeof *host);
    let_go(&local);
    return status;
}

/* The unknowns of this rank, of which there are none if all its places are before the first; the
 * last rank has the places behind as well. How many places there are that are kept. */
static size_t find_part(struct limit *l, size_t padded, unsigned all)
{
    struct task *const t = &l->task;
    const unsigned ranks = all / l->blocks;
    const size_t part = l->blocks * (size_t)t->steps * (size_t)(l->way->warps * l->way->row);
    const size_t own = (size_t)t->first_block / l->blocks, pad = part * ranks - padded;
    const size_t begin = part * own > pad ? part * own - pad : 0;
    const size_t end = part * (own + 1) > pad ? part * (own + 1) - pad : 0;
    t->pad = (long)pad;
    t->first = (long)begin;
    l->count = min(end, l->in->n) - begin;
    return max(end - begin, (size_t)WORDS);
}

/* What goes from rank to rank; all come here, or none. Where they do not reach each other each
 * tells itself alone, and hears what is gathered. */
static void take_boxes(struct limit *l)
{
    struct task *const t = &l->task;
    const size_t letters = 2 * 2 * (size_t)t->blocks;
    void *all[MOST_RANKS], **there = NULL;
    l->memory.status = ranks_agree(l->memory.status);
    if (l->memory.status != OK)
        return;
    const enum status shared = ranks_share(letters * sizeof(letter<double>), all);
    if (shared != OK && shared != SKIPPED)
        l->memory.status = shared;
    if (shared == SKIPPED) {
        take_device(&l->memory, &l->gathered, letters);
        take_device(&l->memory, &l->told, letters);
        take_device(&l->memory, &t->parts, l->blocks * (size_t)l->way->warps);
        for (int k = 0; k < t->ranks; k++)
            all[k] = l->told;
    }
    t->here = shared == OK ? (letter<double> *)all[ranks_own()] : l->gathered;
    take_copy(&l->memory, &there, all, (size_t)t->ranks);
    t->boxes = (letter<double> **)there;
}

static enum status make(const struct instance *in, const struct way *from, int ways_there,
                        unsigned ranks, unsigned own, void **state)
{
    struct limit *l = (struct limit *)owner_new(sizeof *l);
    if (l == NULL)
        return ERR_MEMORY;
    const struct bvp *const b = l->in = (const struct bvp *)in->data;
    struct task *const t = &l->task;
    unsigned all = 0;
    l->way = choose(from, ways_there, b, ranks, &all, &t->steps);
    if (l->way == NULL)
        return planned(
            l,
            !ways[WAYS - 1].known()
                ? because(SKIPPED, NO_BULK)
                : because(SKIPPED, "no block of A2-limit fits on this device with n = %zu", b->n),
            state);
    const size_t padded = (b->n + WORDS - 1) / WORDS * WORDS;
    l->blocks = all / ranks;
    t->h = 1.0 / (double)b->n;
    t->tail = (int)(padded - b->n);
    t->blocks = (int)all;
    t->ranks = (int)ranks;
    t->first_block = (int)(own * l->blocks);
    const size_t here = find_part(l, padded, all);
    take_device(&l->memory, &t->u, here);
    take_device(&l->memory, &t->mail, 2 * (size_t)l->blocks); /* all ones: nothing is there */
    unsigned *const zeros = (unsigned *)calloc(l->blocks, sizeof *zeros);
    if (zeros != NULL)
        take_copy(&l->memory, &t->launches, zeros, l->blocks);
    else
        l->memory.status = ERR_MEMORY;
    free(zeros);
    if (from == ways_of_ranks)
        take_boxes(l);
    if (l->memory.status == OK && b->code == STORED)
        l->memory.status = place_f(l, here);
    return planned(l, l->memory.status, state);
}

static enum status plan(const struct instance *in, void **state)
{
    return make(in, ways, WAYS, 1, 0, state);
}

/* Cards of other sizes would share the unknowns out in another way. */
static enum status plan_ranks(const struct instance *in, void **state)
{
    const double cores = (double)MULTIPROCESSORS;
    if (!(ranks_most(cores) + ranks_most(-cores) == 0))
        return because(SKIPPED, "A2-limit-ranks takes cards that are alike");
    return make(in, ways_of_ranks, WAYS_OF_RANKS, (unsigned)ranks_count(), (unsigned)ranks_own(),
                state);
}

static void set_scale(struct limit *l)
{
    int exponent;
    const double rest = frexp(l->in->amplitude * l->task.h * l->task.h, &exponent);
    l->task.scale = (real)ldexp(1, exponent - 1);
    l->task.rest = (wide)(2 * rest);
}

static enum status run(void *state, struct laps *laps)
{
    struct limit *const l = (struct limit *)state;
    set_scale(l);
    l->way->launch(l);
    lap(laps, "solve");
    return device_launched("A2-limit");
}

static enum status run_ranks(void *state, struct laps *laps)
{
    struct limit *const l = (struct limit *)state;
    const size_t letters = 2 * (size_t)l->blocks;
    const size_t now = l->runs++ % 2 * letters * (size_t)l->task.ranks;
    if (l->gathered == NULL)
        return run(l, laps);
    set_scale(l);
    l->task.phase = TELL;
    l->way->launch(l);
    enum status status = device_launched("A2-limit-ranks, sums");
    lap(laps, "sums");
    if (status == OK)
        status = ranks_gather(l->told + now + 2 * (size_t)l->task.first_block, l->gathered + now,
                              letters * sizeof(letter<double>));
    lap(laps, "exchange");
    if (status != OK)
        return status;
    l->task.phase = HEAR;
    return run(l, laps);
}

/* The unknowns of all ranks. */
static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct limit *const l = (const struct limit *)state;
    const size_t size = sizeof *l->task.u, first = (size_t)l->task.first;
    const struct rank_part part = {l->task.u, l->count * size, first * size, 0, 0, 0};
    const enum status status = ranks_unload(&part, out->values);
    lap(laps, "back");
    return status;
}

extern const struct calls P(bvp_limit), P(bvp_limit_ranks);
const struct calls P(bvp_limit) = {plan, NULL, run, fetch, give_back};
const struct calls P(bvp_limit_ranks) = {plan_ranks, NULL, run_ranks, fetch, give_back};
