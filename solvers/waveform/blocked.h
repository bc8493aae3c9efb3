/*
 * The kernels of gpu-blocked, which carry several sweeps together through time: carry_line where
 * components lie in a line, and what it shares with carry_swift (swift.h) and carry_plane
 * (plane.h), the order that a pass finds on the device and the decision, at its end, on what the
 * next one has to do.
 *
 * Level k of a pass is its k-th iterate at one point in time, level 0 the one that it begins with.
 * The next point of level k needs the values of level k-1 there and those of level k before it:
 * registers hold both, so that of a whole pass one waveform is read and one is written. Components
 * are in windows; what is within as many components of a window's border as there are levels goes
 * wrong there, and is another window's.
 *
 * `slab`: the line of one rank of several, whose own components have a halo on either side, by
 * which the windows there reach into the neighbours' components. Behind a pass ranks tell each
 * other the halos of its waveform and its corrections, by settle(), and all decide alike.
 */
#pragma once
#include <string.h>

#include "machine/far.h"
#include "machine/launch.h"
#include "machine/precision.h"
#include "stopping.h"

#define EVERY 0xffffffffu

/* The precisions' types have the same names and other sizes; so their members must not be one. */
#define BLOCKED P(blocked_waveform)
namespace BLOCKED
{

#if REAL_IS_DOUBLE
typedef unsigned long long bits;
#else
typedef unsigned bits;
#endif

enum { MOST_SWEEPS = 16 }; /* of a pass */

/* What the matrix and the scheme are, alike for each component. Folded, which takes fewer
 * operations, F has the scheme in it: of Jacobi `band` has w and b; of Picard, whose own value has
 * the factor 1 then, `band` is in units of that, and w stands for all of the factor. */
struct rule {
    real q1, q2, w, b[3];
    real centre, band[MAX_BANDS];
    real own, beside[2]; /* of carry_swift, the factors of a value and of its neighbours */
};

/* What a pass leaves to the next one. */
struct state {
    struct progress progress; /* err: page-locked memory of the host */
    double last;              /* the newest correction */
    int sweeps;               /* of the next pass; 0: there is nothing left */
    int from;                 /* it begins with iterate y[from], or with y^0 if that is -1 */
    int outcome;              /* of a pass that is made again; else 0 */
};

/* On the device: that, and of the pass under way the largest corrections, and of those before the
 * last point, where carry_swift has not looked at all of a number, the high words. */
struct course {
    struct state state;
    alignas(double) bits most[MOST_SWEEPS];
    unsigned high[MOST_SWEEPS];
};

/* Outcomes: a value may be so large that the plain algorithm overflows where folded numbers do
 * not; a correction may not be as large as the plain algorithm's. */
enum { WILD = -1, UNSURE = -2 };

struct carry {
    long d, pitch, points, side; /* side: components in a row of the plane */
    int most, begin;             /* sweeps that a pass can carry; of the first one */
    struct rule rule;
    real *y[2];            /* device [N][pitch]; the first points, never iterated, are there */
    struct course *course; /* device */
    struct wanted wanted;
    double tame; /* corrections beyond it are not to be trusted; or 0: all are */
    /* Nor are those below so many of the largest correction, or value of the start. */
    double near, start;
    bool grows; /* in carry_swift: those above that are known to be largest at the last point */
};

/* Of one rank of several, in a line: what is here is its own from `first` to `end`, and a halo
 * beside where another rank's is next. */
struct slab : carry {
    long first, end, halo;
};

/* Of a pass, for all threads of a block alike. */
struct order {
    int sweeps, from;
};

static __device__ __forceinline__ struct order order_of(const struct carry &c)
{
    const struct state *const now = &c.course->state;
    return {__shfl_sync(EVERY, now->sweeps, 0), __shfl_sync(EVERY, now->from, 0)};
}

/* Where a pass reads and writes: row n of the input is at in[n*stride]. */
struct rows {
    const real *in;
    long stride;
    real *out;
};

/* y^0 is y of the last of the first points, at all of those that follow; but with two-step methods
 * it is that of the first point. */
static __device__ __forceinline__ struct rows rows_of(const struct carry &c, int from)
{
    if (from < 0)
        return {c.y[0], 0, c.y[0]};
    return {c.y[from], c.pitch, c.y[1 - from]};
}

static __device__ __forceinline__ bits size_of_value(real x)
{
    bits b;
    memcpy(&b, &x, sizeof b);
    return b << 1 >> 1; /* no sign: as whole numbers they ascend, NaN last */
}

static __device__ __forceinline__ unsigned high_word(real x)
{
    bits b;
    memcpy(&b, &x, sizeof b);
    return (unsigned)(b >> (8 * sizeof b - 32));
}

static __device__ __forceinline__ bits larger_of(bits a, bits b)
{
    return b > a ? b : a;
}

/* --- the end of a pass --- */

static __device__ __forceinline__ bool is_wild(const struct carry &c, double error)
{
    return c.tame > 0 && !(error <= c.tame);
}

/* Before the correction is taken. */
static __device__ __forceinline__ bool is_unsure(const struct carry &c,
                                                 const struct progress &progress, double error,
                                                 unsigned high)
{
    return error < c.near * (progress.most > c.start ? progress.most : c.start) ||
           (high > 0 && high_word((real)error) <= high);
}

/* Where a pass writes that began with y[from]. */
static __device__ __forceinline__ int place_behind(int from)
{
    return from < 0 ? 0 : 1 - from;
}

/* When all blocks have ended: the corrections of the pass, one after the other, and what is to be
 * done next. A pass that went too far is made again with fewer sweeps, from what it began with. */
static __device__ __forceinline__ struct state decide(const struct carry &c, struct state at,
                                                      const double *errors, const unsigned *high)
{
    const int sweeps = at.sweeps;
    int count = 0, next = 0;
    if (at.outcome == 0) {
        bool wild = false, unsure = false;
        while (count < sweeps && !(wild = is_wild(c, errors[count])) &&
               !(unsure = is_unsure(c, at.progress, errors[count], high[count])) &&
               progress_judge(&at.progress, c.wanted, errors[count]))
            count++;
        at.outcome = wild ? WILD : unsure ? UNSURE : at.progress.outcome;
        if (at.outcome > 0 && count + 1 < sweeps)
            next = count + 1; /* again */
        else if (at.outcome == 0)
            next = sweeps_ahead(&at.progress, c.wanted, sweeps > 1 ? errors[sweeps - 2] : at.last,
                                errors[sweeps - 1], c.most);
    }
    at.last = errors[sweeps - 1];
    at.sweeps = next;
    at.from = at.outcome == 0 ? place_behind(at.from) : at.from;
    return at;
}

/* By all threads of all blocks, which have the corrections of their warps, level by level. Nobody
 * waits for what becomes of it: a block makes room for the next one. */
template <int WARPS, int K>
static __device__ __forceinline__ void note(struct course *at, const bits (*of_warp)[K])
{
    const int thread = (int)threadIdx.x;
    __syncthreads();
    if (thread < K) {
        bits most = 0;
        for (int warp = 0; warp < WARPS; warp++)
            most = larger_of(most, of_warp[warp][thread]);
        if (most > *(const volatile bits *)&at->most[thread])
            atomicMax(&at->most[thread], most);
    }
}

static __device__ __forceinline__ double value_of(bits most)
{
    real error;
    memcpy(&error, &most, sizeof error);
    return (double)error;
}

/* What a pass tells the host, words of page-locked memory (hear.h): its corrections, and what came
 * of it. */
enum {
    TELLS_ITERATIONS = 2 * MOST_SWEEPS,
    TELLS_OUTCOME, /* 0: there is another pass */
    TELLS_LAST,
    TOLD
};

/* By a warp, of which a lane has a level's largest correction, and high words. `before`: what the
 * pass had to do. */
static __device__ __forceinline__ void decide_and_tell(const struct carry &c,
                                                       const struct state &before, bits most,
                                                       unsigned highest, letter<unsigned> *words,
                                                       unsigned number)
{
    SHARED(double, errors, [MOST_SWEEPS]);
    SHARED(unsigned, high, [MOST_SWEEPS]);
    const int lane = (int)threadIdx.x, skipped = c.most - before.sweeps;
    if (lane < MOST_SWEEPS) {
        errors[lane] = value_of(most);
        high[lane] = highest;
        /* The pass's own come first. */
        unsigned part[2];
        memcpy(part, &errors[lane], sizeof part);
        for (int k = 0; k < 2; k++)
            letter_tell(words + 2 * ((lane + MOST_SWEEPS - skipped) % MOST_SWEEPS) + k, part[k],
                        number);
    }
    __syncwarp();
    if (lane > 0)
        return;
    const struct state now = decide(c, before, errors + skipped, high + skipped);
    letter_tell(words + TELLS_ITERATIONS, (unsigned)now.progress.iterations, number);
    letter_tell(words + TELLS_OUTCOME, now.sweeps == 0 ? (unsigned)now.outcome : 0u, number);
    letter_tell(words + TELLS_LAST, (unsigned)place_behind(before.from), number);
    c.course->state = now;
}

/* By a warp, behind a pass; of several ranks settle() does that. `first`: what was before is
 * `begin`, which is here sooner than what the device has. */
static __global__ void conclude(const struct carry c, const struct state begin, bool first,
                                letter<unsigned> *words, unsigned number)
{
    const int lane = (int)threadIdx.x;
    struct course *const at = c.course;
    await_previous();
    const bits most = at->most[lane % MOST_SWEEPS];
    const unsigned highest = at->high[lane % MOST_SWEEPS];
    const struct state before = first ? begin : at->state;
    __syncwarp();
    if (lane < MOST_SWEEPS) {
        at->most[lane] = 0;
        at->high[lane] = 0;
    }
    decide_and_tell(c, before, most, highest, words, number);
}

/* --- a component at a point --- */

/* A level's y now and a point before, and F at those two. */
struct past {
    real y, y2, f1, f2;
};

/* What a kernel is made for. Folded there are two relaxations; else Jacobi's centre is 0. */
template <int steps_, int lags_, bool folded_, bool picard_> struct method {
    static constexpr int steps = steps_, lags = lags_;
    static constexpr bool folded = folded_, picard = picard_;
    static_assert(!folded || (steps == 1 && lags == 0), "F is used once");

    /* F, of its own value and those of its neighbours, in the order of the bands, `band`. */
    template <int bands>
    static __device__ __forceinline__ real product(const struct rule &by, const real *band,
                                                   real own, const real (&beside)[bands])
    {
        real f = folded ? (picard ? own : band[0] * beside[0]) : by.centre * own;
        UNROLLED (int b = folded && !picard ? 1 : 0; b < bands; b++)
            f = fma(band[b], beside[b], f);
        return f;
    }

    /* y at the next point. */
    static __device__ __forceinline__ real next(const struct rule &by, real f,
                                                const struct past &past)
    {
        if (folded)
            return picard ? fma(by.w, f, past.y) : fma(by.q1, past.y, f);
        real sum = by.b[0] * f;
        if (lags > 0)
            sum = fma(by.b[1], past.f1, sum);
        if (lags > 1)
            sum = fma(by.b[2], past.f2, sum);
        real y = by.w * sum;
        if (steps == 2)
            y = fma(by.q2, past.y2, y);
        return fma(by.q1, past.y, y);
    }

    static __device__ __forceinline__ void go_on(struct past &past, real f, real y)
    {
        past.f2 = past.f1;
        past.f1 = f;
        past.y2 = past.y;
        past.y = y;
    }
};

static __device__ __forceinline__ real largest_of(real most, real now, real old)
{
    const real off = fabs(now - old);
    return off > most ? off : most; /* a NaN stays to the last point, where it is seen */
}

/* What is not finite stays so: the last value tells. */
static __device__ __forceinline__ bits with_last(real most, real y)
{
    return size_of_value(y - y == 0 ? most : y - y);
}

static __device__ __forceinline__ unsigned highest_of_warp(unsigned most)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(EVERY, most);
#else
    for (int by = 16; by > 0; by /= 2) {
        const unsigned other = __shfl_xor_sync(EVERY, most, by);
        most = other > most ? other : most;
    }
    return most;
#endif
}

/* By halves: the lower ones of those with the largest higher one. */
static __device__ __forceinline__ bits largest_of_warp(bits most)
{
    enum { HALF = 32 };
    if constexpr (sizeof most > sizeof(unsigned)) {
        const unsigned high = (unsigned)((unsigned long long)most >> HALF);
        const unsigned highest = highest_of_warp(high);
        const unsigned low = highest_of_warp(high == highest ? (unsigned)most : 0u);
        return (bits)((unsigned long long)highest << HALF | low);
    } else {
        return highest_of_warp((unsigned)most);
    }
}

/* --- in a line: a warp has a window --- */

/* K levels, P components of a lane. `first`: the pass begins with y^0, of which F is the same at
 * all points. `inner`: there are as many components as in a window, and the outermost windows are
 * moved inwards; else what is beyond the components is kept 0, and of several ranks all but the
 * last one have a multiple of P. */
template <class method_, int K_, int P_, int WARPS_, int TOGETHER_, bool first_, bool inner_>
struct line {
    using method = method_;
    static constexpr int K = K_, P = P_, WARPS = WARPS_, threads = 32 * WARPS;
    static constexpr int window = 32 * P, halo = (K + P - 1) / P * P, own = window - 2 * halo;
    static constexpr bool first = first_, inner = inner_;
    /* So many warps of a multiprocessor leave each thread the registers that it needs. */
    static constexpr int together = REAL_IS_DOUBLE ? TOGETHER_ : 16, blocks = together / WARPS;
    static_assert(own > 0 && K <= MOST_SWEEPS, "a window has components of its own");
    static_assert(!first || method::folded, "else F is not the same at all points");
};

struct alignas(2 * sizeof(real)) pair {
    real x, y;
};

/* A lane's part of a window: components i .. i+P-1. */
template <class L> struct lane_of_line {
    long d, i;
    bool mine, even; /* to be stored; two of them on a boundary of two */

    __device__ __forceinline__ lane_of_line(const struct carry &c, long window, int lane) : d(c.d)
    {
        const int at = lane * L::P;
        long start = window * L::own - L::halo;
        if (L::inner)
            start = max(0l, min(start, d - L::window));
        i = start + at;
        mine = (at >= L::halo || (L::inner && start == 0)) &&
               (at + L::P <= L::window - L::halo || (L::inner && start == d - L::window));
        even = L::inner && L::P % 2 == 0 && start % 2 == 0;
    }
    /* Where another rank's components are next, windows have a halo of those. */
    __device__ __forceinline__ lane_of_line(const struct slab &c, long window, int lane) : d(c.d)
    {
        const int at = lane * L::P;
        const bool begins = c.first == 0, ends = c.end == d;
        long start = c.first + window * L::own - L::halo;
        if (L::inner)
            start = max(begins ? 0 : c.first - L::halo,
                        min(start, (ends ? d : c.end + L::halo) - L::window));
        i = start + at;
        mine = (at >= L::halo || (L::inner && begins && start == 0)) &&
               (at + L::P <= L::window - L::halo || (L::inner && ends && start == d - L::window)) &&
               (ends || i + L::P <= c.end);
        even = L::inner && L::P % 2 == 0 && start % 2 == 0;
    }
    __device__ __forceinline__ bool is_inside(int j) const
    {
        return L::inner || (i + j >= 0 && i + j < d);
    }
    __device__ __forceinline__ void load(const real *row, real (&v)[L::P]) const
    {
        if (even) {
            UNROLLED (int j = 0; j < L::P / 2; j++) {
                const struct pair two = *(const struct pair *)(row + i + 2 * j);
                v[2 * j] = two.x;
                v[2 * j + 1] = two.y;
            }
            return;
        }
        UNROLLED (int j = 0; j < L::P; j++)
            v[j] = is_inside(j) ? row[i + j] : R(0);
    }
    __device__ __forceinline__ void store(real *row, const struct past (&v)[L::P]) const
    {
        if (!mine)
            return;
        if (even) {
            UNROLLED (int j = 0; j < L::P / 2; j++)
                *(struct pair *)(row + i + 2 * j) = {v[2 * j].y, v[2 * j + 1].y};
            return;
        }
        UNROLLED (int j = 0; j < L::P; j++)
            if (is_inside(j))
                row[i + j] = v[j].y;
    }
};

/* F of a lane's components, without lags in units of the step. */
template <class L>
static __device__ __forceinline__ void right_sides(const struct rule &by, const real (&y)[L::P],
                                                   int lane, real (&f)[L::P])
{
    real before = __shfl_up_sync(EVERY, y[L::P - 1], 1);
    real after = __shfl_down_sync(EVERY, y[0], 1);
    before = lane == 0 ? R(0) : before; /* beyond the components, or in the halo */
    after = lane == 31 ? R(0) : after;
    UNROLLED (int j = 0; j < L::P; j++) {
        const real beside[2] = {j > 0 ? y[j > 0 ? j - 1 : 0] : before,
                                j + 1 < L::P ? y[j + 1 < L::P ? j + 1 : 0] : after};
        f[j] = L::method::product(by, by.band, y[j], beside);
    }
}

template <class L> struct levels_of_line {
    struct past v[L::K + 1][L::P];
    real most[L::K + 1];
    real first[L::P]; /* F of y^0 */

    /* All levels are alike in the first points. */
    __device__ __forceinline__ void begin(const struct carry &c, const lane_of_line<L> &own,
                                          int lane)
    {
        using method = typename L::method;
        real y[L::P], y2[L::P], f1[L::P] = {}, f2[L::P] = {};
        own.load(c.y[0] + (method::steps - 1) * c.pitch, y);
        own.load(c.y[0], y2);
        if (L::first || method::lags > 0)
            right_sides<L>(c.rule, y, lane, f1);
        if (method::lags > 1)
            right_sides<L>(c.rule, y2, lane, f2);
        UNROLLED (int k = 0; k <= L::K; k++) {
            most[k] = 0;
            UNROLLED (int j = 0; j < L::P; j++)
                v[k][j] = {y[j], y2[j], f1[j], f2[j]};
        }
        UNROLLED (int j = 0; j < L::P; j++)
            first[j] = f1[j];
    }

    /* Level k at the next point. */
    __device__ __forceinline__ void advance(const struct carry &c, const lane_of_line<L> &own,
                                            int lane, int k)
    {
        using method = typename L::method;
        real old[L::P], f[L::P];
        UNROLLED (int j = 0; j < L::P; j++)
            old[j] = v[k - 1][j].y;
        if (L::first && k == 1) {
            UNROLLED (int j = 0; j < L::P; j++)
                f[j] = first[j];
        } else {
            right_sides<L>(c.rule, old, lane, f);
        }
        UNROLLED (int j = 0; j < L::P; j++) {
            const real next = method::next(c.rule, f[j], v[k][j]);
            const real now = own.is_inside(j) ? next : R(0);
            most[k] = largest_of(most[k], now, old[j]);
            method::go_on(v[k][j], f[j], now);
        }
    }
};

/* A window through all of time. `whole`: no level is passed over. */
template <class L, bool whole, class JOB>
static __device__ __forceinline__ void carry_window(const JOB &c, struct order todo, long window,
                                                    bits *most)
{
    using method = typename L::method;
    const int lane = (int)threadIdx.x % 32, skip = whole ? 0 : L::K - todo.sweeps;
    const lane_of_line<L> own(c, window, lane);
    const struct rows rows = rows_of(c, L::first ? -1 : todo.from);
    levels_of_line<L> levels;
    real ahead[L::P];
    levels.begin(c, own, lane);
    if (!L::first)
        own.load(rows.in + method::steps * rows.stride, ahead);
    for (long n = method::steps; n < c.points; n++) {
        if (!L::first) {
            UNROLLED (int j = 0; j < L::P; j++)
                levels.v[0][j].y = ahead[j];
            if (n + 1 < c.points)
                own.load(rows.in + (n + 1) * rows.stride, ahead);
        }
        UNROLLED (int k = 1; k <= L::K; k++) {
            if (!whole && k <= skip) {
                UNROLLED (int j = 0; j < L::P; j++)
                    levels.v[k][j].y = levels.v[k - 1][j].y;
            } else {
                levels.advance(c, own, lane, k);
            }
        }
        own.store(rows.out + n * c.pitch, levels.v[L::K]);
    }
    UNROLLED (int k = 1; k <= L::K; k++) {
        bits here = 0;
        UNROLLED (int j = 0; j < L::P; j++)
            here = larger_of(here, with_last(levels.most[k], levels.v[k][j].y));
        here = largest_of_warp(own.mine && (whole || k > skip) ? here : 0);
        if (lane == 0)
            most[k - 1] = here;
    }
}

/* What the last pass often has, in the windows of L: memory sets its pace, not levels that are
 * passed over. */
enum { FEW_SWEEPS = 3 };
template <class L> struct few_sweeps : L {
    static constexpr int K = FEW_SWEEPS;
    static_assert(K <= L::K, "they are a part");
};

/* A pass of any number of levels. */
template <class L, class JOB>
static __device__ __forceinline__ void carry_some(const JOB &c, struct order todo, long window,
                                                  bits *most)
{
    enum { MORE = L::K - FEW_SWEEPS };
    if (todo.sweeps > FEW_SWEEPS) {
        carry_window<L, false>(c, todo, window, most);
        return;
    }
    if (threadIdx.x % 32 < MORE)
        most[threadIdx.x % 32] = 0;
    carry_window<few_sweeps<L>, false>(c, todo, window, most + MORE);
}

template <class L, class JOB>
static __global__ void __launch_bounds__(L::threads, L::blocks) carry_line(const JOB c)
{
    SHARED(bits, of_warp, [L::WARPS][L::K]);
    const int warp = __shfl_sync(EVERY, (int)threadIdx.x / 32, 0);
    const long window = (long)blockIdx.x * L::WARPS + warp;
    await_previous();
    const struct order todo = L::first ? order{c.begin, -1} : order_of(c);
    if (todo.sweeps == 0)
        return;
    if (L::inner && todo.sweeps == L::K)
        carry_window<L, true>(c, todo, window, of_warp[warp]);
    else
        carry_some<L>(c, todo, window, of_warp[warp]);
    note<L::WARPS, L::K>(c.course, of_warp);
}

/* --- several ranks, behind a pass --- */

enum {
    MOST_RANKS = 64,
    NEWS = 2 * MOST_SWEEPS /* of a rank: its corrections, and high words, which are numbers, too */
};

/* What ranks tell each other, by letters whose number is that of the pass, of this run and all
 * before. A rank's box, on its own device, has two places in turn, of each the news of all
 * ranks, [ranks][NEWS], and the halos before and behind, [2][points][halo]: who has
 * everyone's letters of a pass knows that none of them looks for those of the pass before. */
struct post {
    int own, ranks;
    letter<real> *box[MOST_RANKS];
};

/* Letters of a box. */
static inline size_t letters_of(const struct slab &c, int ranks)
{
    return 2 * ((size_t)ranks * NEWS + 2 * (size_t)(c.halo * c.points));
}

static __device__ __forceinline__ real await_letter(const letter<real> *p, unsigned number)
{
    letter<real> v = letter_arrived(p, number);
    for (unsigned looks = 0; !letter_there(v, number); lose_patience(&looks))
        v = letter_arrived(p, number);
    return letter_word(v);
}

/* Behind a pass, by one block. It waits for those of other cards, which get there without it; all
 * have the same number. */
static __global__ void settle(const struct slab c, const struct post post, letter<unsigned> *words,
                              unsigned number)
{
    SHARED(bits, most, [MOST_SWEEPS]);
    SHARED(unsigned, high, [MOST_SWEEPS]);
    const int thread = (int)threadIdx.x, threads = (int)blockDim.x;
    await_previous();
    struct course *const at = c.course;
    const struct state done = at->state;
    const bool before = c.first > 0, behind = c.end < c.d;
    const int news = post.ranks * NEWS, halo = (int)(c.halo * c.points);
    const long here = (long)(number % 2) * (news + 2l * halo);
    const long halos = here + news;
    const letter<real> *const box = post.box[post.own];
    real *const y = c.y[place_behind(done.from)];
    if (thread < MOST_SWEEPS) {
        most[thread] = 0;
        high[thread] = 0;
    }
    for (int k = thread; k < news; k += threads) {
        const int which = k % NEWS, level = which % MOST_SWEEPS;
        real word = (real)at->high[level];
        if (which == level)
            memcpy(&word, &at->most[level], sizeof word);
        letter_send(post.box[k / NEWS] + here + post.own * NEWS + which, word, number);
    }
    for (int k = thread; k < halo; k += threads) {
        const real *const row = y + k / (int)c.halo * c.pitch + k % (int)c.halo;
        if (before)
            letter_send(post.box[post.own - 1] + halos + halo + k, row[c.first], number);
        if (behind)
            letter_send(post.box[post.own + 1] + halos + k, row[c.end - c.halo], number);
    }
    __syncthreads(); /* all have sent, and know what was there */
    for (int k = thread; k < news; k += threads) {
        const int which = k % NEWS, level = which % MOST_SWEEPS;
        const real word = await_letter(box + here + k, number);
        if (which == level)
            atomicMax(&most[level], size_of_value(word));
        else
            atomicMax(&high[level], (unsigned)word);
    }
    for (int k = thread; k < halo; k += threads) {
        real *const row = y + k / (int)c.halo * c.pitch + k % (int)c.halo;
        if (before)
            row[c.first - c.halo] = await_letter(box + halos + k, number);
        if (behind)
            row[c.end] = await_letter(box + halos + halo + k, number);
    }
    if (thread < MOST_SWEEPS) {
        at->most[thread] = 0;
        at->high[thread] = 0;
    }
    __syncthreads();
    if (thread < 32)
        decide_and_tell(c, done, most[thread % MOST_SWEEPS], high[thread % MOST_SWEEPS], words,
                        number);
}

} // namespace BLOCKED
