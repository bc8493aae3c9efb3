/*
 * What stays on chip: a block has a tile of the grid, and each of its threads a node of the tile or
 * of the halo around it, whose values are its registers. Only the argument of a right-hand side,
 * and w of Willmore flow, go through shared memory. From tile to tile a halo comes by letters, of a
 * value and the number of the exchange, which need no fence and no barrier; between two exchanges
 * the halo is recomputed, and shrinks by what a right-hand side reaches. What the blocks have to
 * agree on, the largest error of a step, is a vote, which all of them count.
 *
 * An exchange's letters lie where those of the one before the last did. A block writes them when it
 * has those of the last one from all its neighbours, each of which wrote them after it had read
 * what lay there.
 */
#pragma once
#include "machine/async.h"

#include "kernels.h"

/* A name of the file's own, whose types and those of another precision or file are others. */
#ifndef OURS
#define OURS P(resident_of_curvature)
#endif
namespace OURS
{

enum { ALL_LANES = -1 };

/* --- what is computed at a node --- */

/* In single precision each is an instruction good to 2 units in the last place, or 1, which
 * rounding_chain[] covers (reference.h); 1/x by itself takes eight and a branch, at which the
 * compiler ends what it computes side by side. They take numbers below the normal ones as zero, and
 * get none: over_root() has Q^2 h^2, h^2 or more, which with 16384 cells at most is 6e-8, and
 * over() has 1 + |grad phi|^2. Its result is flushed from 2^126 on; of the forcing that is 4 at
 * most, where slopes are 2^63. NaN and infinity become what they do by the operations of IEEE 754:
 * an infinite Q times its inverse is NaN, and seen. */
#ifdef REPRISE_EMULATED
static __device__ __forceinline__ real over_root(real x)
{
    return R(1) / root_of(x);
}

static __device__ __forceinline__ real over(real x)
{
    return R(1) / x;
}
#elif !REAL_IS_DOUBLE
static __device__ __forceinline__ float over_root(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

static __device__ __forceinline__ float over(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
#else
/* From a seed of 20 bits by a step of third order. */
static __device__ __forceinline__ double over_root(double x)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = fma(-x, y * y, 1.0);
    return fma(fma(e, 0.375, 0.5), y * e, y);
}

static __device__ __forceinline__ double over(double x)
{
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = fma(-x, y, 1.0);
    return fma(fma(e, e, e), y, y);
}
#endif

/* By value to every kernel. Differences are scaled by the mesh width across their face, so that Q^2
 * there is h^2 + across^2 + along^2. */
struct plane {
    unsigned n1, n2, pitch;
    size_t nodes;
    bool copies, forced;
    real square1, square2;   /* h1^2, h2^2 */
    real over1, over2;       /* 1/h1, 1/h2 */
    real quarter1, quarter2; /* a fourth of them */
    real eighth1, eighth2;   /* h1^2/8, h2^2/8 */
    real skew1, skew2;       /* h1/(4 h2), h2/(4 h1) */
    double amplitude;
    const real *rational; /* [RATIONAL][nodes] */
};

static inline struct plane plane_of(const struct curvature *p, const real *rational)
{
    struct plane g = {};
    g.n1 = (unsigned)p->n1;
    g.n2 = (unsigned)p->n2;
    g.pitch = g.n2 + 1;
    g.nodes = curvature_nodes(p);
    g.copies = p->boundary == NEUMANN;
    g.forced = p->forced;
    g.square1 = (real)(p->h1 * p->h1);
    g.square2 = (real)(p->h2 * p->h2);
    g.over1 = (real)(1 / p->h1);
    g.over2 = (real)(1 / p->h2);
    g.quarter1 = (real)(0.25 / p->h1);
    g.quarter2 = (real)(0.25 / p->h2);
    g.eighth1 = (real)(0.125 * p->h1 * p->h1);
    g.eighth2 = (real)(0.125 * p->h2 * p->h2);
    g.skew1 = (real)(0.25 * p->h1 / p->h2);
    g.skew2 = (real)(0.25 * p->h2 / p->h1);
    g.rational = rational;
    return g;
}

/* The four faces of a node, in the order east, west, north, south. */
struct half_points {
    real across[4], along[4], over[4]; /* 1/(h Q) */
};

template <int COLS>
static __device__ __forceinline__ struct half_points half_points_of(const struct plane &g,
                                                                    const real *v)
{
    struct half_points f;
    const real c = v[0], e = v[COLS], w = v[-COLS], n = v[1], s = v[-1];
    const real ne = v[COLS + 1], se = v[COLS - 1], nw = v[1 - COLS], sw = v[-1 - COLS];
    f.across[0] = e - c, f.along[0] = g.skew1 * ((n + ne) - (s + se));
    f.across[1] = c - w, f.along[1] = g.skew1 * ((n + nw) - (s + sw));
    f.across[2] = n - c, f.along[2] = g.skew2 * ((e + ne) - (w + nw));
    f.across[3] = c - s, f.along[3] = g.skew2 * ((e + se) - (w + sw));
    return f;
}

/* Q h from that of the faces, and w over Q / h; f.over is found. */
static __device__ __forceinline__ real mean_and_slope(const struct plane &g, struct half_points *f,
                                                      real *mean)
{
    real root[4], slope[4];
    UNROLLED (int k = 0; k < 4; k++) {
        const real a = f->across[k], b = f->along[k];
        const real q2 = a * a + (b * b + (k < 2 ? g.square1 : g.square2));
        f->over[k] = over_root(q2);
        root[k] = q2 * f->over[k];
        slope[k] = a * f->over[k];
    }
    *mean = g.quarter1 * (root[0] + root[1]) + g.quarter2 * (root[2] + root[3]);
    return g.over1 * (slope[0] - slope[1]) + g.over2 * (slope[2] - slope[3]);
}

/* The divergence of Willmore flow's fluxes. */
template <int COLS>
static __device__ __forceinline__ real divergence(const struct plane &g,
                                                  const struct half_points &f, const real *w)
{
    const struct half_points h = half_points_of<COLS>(g, w);
    const real c = w[0], sums[4] = {w[COLS] + c, w[-COLS] + c, w[1] + c, w[-1] + c};
    real flux[4];
    UNROLLED (int k = 0; k < 4; k++) {
        const real part = k < 2 ? g.eighth1 : g.eighth2;
        const real d =
            f.across[k] * h.across[k] + (f.along[k] * h.along[k] + part * (sums[k] * sums[k]));
        flux[k] = (h.across[k] - f.across[k] * d * (f.over[k] * f.over[k])) * f.over[k];
    }
    return g.over1 * (flux[0] - flux[1]) + g.over2 * (flux[2] - flux[3]);
}

/* As forcing_rational(), without a division. */
template <bool fourth>
static __device__ __forceinline__ real forcing_now(const real *p, const struct moment &m)
{
    const real z = m.c * m.c, o = over(R(1) + p[1] * z), still = m.ct * p[0];
    if constexpr (fourth) {
        const real sum = p[2] + z * (p[3] + z * (p[4] + z * (p[5] + z * p[6])));
        return still + m.c * sum * ((o * o) * (o * o));
    } else {
        return still + m.c * (p[2] + z * p[3]) * o;
    }
}

/* As moment_at(), in few operations that wait for each other: 2 t = half + x, |x| <= 1/2. */
static __device__ __forceinline__ struct moment moment_now(double amplitude, double t)
{
    const double half = rint(2 * t), x = PI * (t - 0.5 * half);
    const double a = x * x, b = a * a, d = b * b;
    const double c12 = a * (1.0 / 24) - 0.5, c34 = a * (1.0 / 40320) - 1.0 / 720,
                 c56 = a * (1.0 / 479001600) - 1.0 / 3628800,
                 c78 = a * (1.0 / 20922789888000) - 1.0 / 87178291200;
    const double s12 = a * (1.0 / 120) - 1.0 / 6, s34 = a * (1.0 / 362880) - 1.0 / 5040,
                 s56 = a * (1.0 / 6227020800) - 1.0 / 39916800,
                 s78 = a * (1.0 / 355687428096000) - 1.0 / 1307674368000;
    const double c = a * (d * (b * c78 + c56) + (b * c34 + c12)) + 1;
    const double s = a * x * (d * (b * s78 + s56) + (b * s34 + s12)) + x;
    const int quarter = (int)half & 3;
    const double cosine = (quarter & 1) != 0 ? s : c, sine = (quarter & 1) != 0 ? c : s;
    const double p = quarter == 1 || quarter == 2 ? -amplitude : amplitude;
    const double q = quarter >= 2 ? PI * amplitude : -PI * amplitude;
    const struct moment m = {(real)(p * cosine), (real)(q * sine)};
    return m;
}

/* z^(-1/n), from a seed of single precision by a step of third order. */
template <int n> static __device__ __forceinline__ double over_nth_root(double z)
{
    z = z < 1e30 ? z : 1e30;
    z = z > 1e-30 ? z : 1e-30;
    const double y = (double)exp2f(-1.0f / n * log2f((float)z)), y2 = y * y;
    const double d = 1 - z * (n == 5 ? y2 * y2 * y : y2 * y);
    return y + y * (d * (1.0 / n + (n + 1.0) / (2 * n * n) * d));
}

/* --- tiles --- */

/* A tile of T1 x T2 nodes whose halo lasts for K right-hand sides. With a clock there is another
 * warp, of no nodes, that has time for what is the same for all of them. EACH block is told each
 * vote, which is quicker where tiles are small; or some copies of the votes are looked at. */
template <int FLOW, int K_, int T1_, int T2_, bool CLOCK_ = false, bool EACH_ = true>
struct tiling {
    static constexpr bool CLOCK = CLOCK_, EACH = EACH_;
    static constexpr bool FOURTH = FLOW == WILLMORE;
    enum { K = K_, T1 = T1_, T2 = T2_, REACH = FOURTH ? 2 : 1 };
    enum { HALO = K * REACH, ROWS = T1 + 2 * HALO, COLS = T2 + 2 * HALO, NODES = ROWS * COLS };
    enum { WARPS = (NODES + 31) / 32, THREADS = 32 * (WARPS + CLOCK), TERMS = RATIONAL(FLOW) };
    static_assert(THREADS <= 1024, "a thread for each node");
    static constexpr size_t ARRAYS = 2 * NODES * sizeof(real); /* the argument, and w or the next */
};

/* What a thread's node is. */
enum {
    EDGE = 1, /* of the boundary, whose values are given */
    LOW1 = 2,
    UP1 = 4,
    LOW2 = 8,
    UP2 = 16, /* next to the boundary there, which copies it */
    COPIED = LOW1 | UP1 | LOW2 | UP2,
    TOLD = 32,
    ASKS = 64,  /* another tile's halo; of the halo */
    KEEPS = 128 /* it is this block that keeps its value */
};

/* A thread's node, in as few registers as can be: what does not fit costs more than all else. */
template <class X> struct node {
    const struct plane &g;
    real *const arrays; /* the argument, and w of Willmore flow, else what is next */
    int x, now;         /* its place in an array; where the argument's array begins */
    int depth;          /* how many nodes are around it, in this block and inside the domain */
    unsigned is, at;
    real p[X::TERMS]; /* on the boundary, where nothing is forced, the first one is u */

    __device__ __forceinline__ node(const struct plane &g_, const real *u, real *arrays_,
                                    unsigned tile)
        : g(g_), arrays(arrays_), x((int)threadIdx.x), now(0), is(0)
    {
        const unsigned across = (g.n2 - 2) / X::T2 + 1;
        const int row = x / X::COLS, col = x % X::COLS;
        const int r = (int)(1 + tile / across * X::T1) - X::HALO + row;
        const int c = (int)(1 + tile % across * X::T2) - X::HALO + col;
        const int n1 = (int)g.n1, n2 = (int)g.n2;
        const bool there = x < X::NODES && r >= 0 && c >= 0 && r <= n1 && c <= n2;
        const bool inner = there && r > 0 && c > 0 && r < n1 && c < n2;
        const int deep1 = row < X::ROWS - 1 - row ? row : X::ROWS - 1 - row;
        const int deep2 = col < X::COLS - 1 - col ? col : X::COLS - 1 - col;
        depth = !inner ? -1 : deep1 < deep2 ? deep1 : deep2;
        const int in1 = row + (r < 1) - (r >= n1), in2 = col + (c < 1) - (c >= n2);
        if (there && in1 >= X::HALO && in1 < X::ROWS - X::HALO && in2 >= X::HALO &&
            in2 < X::COLS - X::HALO)
            is |= KEEPS;
        if (there && !inner && !g.copies)
            is |= EDGE;
        if (own() && depth < 2 * X::HALO && gridDim.x > 1)
            is |= TOLD;
        if (inner && !own())
            is |= ASKS;
        if (g.copies && inner)
            is |= (r == 1 && row > 0 ? LOW1 : 0) | (r == n1 - 1 && row < X::ROWS - 1 ? UP1 : 0) |
                  (c == 1 && col > 0 ? LOW2 : 0) | (c == n2 - 1 && col < X::COLS - 1 ? UP2 : 0);
        at = there ? (unsigned)r * g.pitch + (unsigned)c : 0;
        UNROLLED (int k = 0; k < X::TERMS; k++)
            p[k] = there ? g.rational[(size_t)k * g.nodes + at] : 0;
        if ((is & EDGE) != 0 && !g.forced)
            p[0] = u[at];
        if (x < X::NODES)
            arrays[x] = arrays[x + X::NODES] = 0;
    }

    __device__ __forceinline__ bool own() const /* of the tile */
    {
        return depth >= X::HALO;
    }
    __device__ __forceinline__ bool told() const
    {
        return (is & TOLD) != 0;
    }
    __device__ __forceinline__ bool asks() const
    {
        return (is & ASKS) != 0;
    }

    /* Into an array, and to the boundary that copies it. */
    __device__ __forceinline__ void put(int array, real v) const
    {
        arrays[array + x] = v;
        if ((is & COPIED) == 0)
            return;
        for (int a = is & LOW1 ? -1 : 0; a <= (is & UP1 ? 1 : 0); a++)
            for (int b = is & LOW2 ? -1 : 0; b <= (is & UP2 ? 1 : 0); b++)
                arrays[array + x + a * X::COLS + b] = v;
    }
    /* Of what is shown. */
    __device__ __forceinline__ void mend(real v) const
    {
        put(now, v);
    }

    /* v is its argument, and on the boundary what the moment says. Mean-curvature flow takes two
     * arrays in turn. */
    __device__ __forceinline__ void show(real v, real c)
    {
        if (!X::FOURTH)
            now = X::NODES - now;
        if (depth >= 0)
            put(now, v);
        else if ((is & EDGE) != 0)
            arrays[now + x] = g.forced ? c * p[0] : p[0];
    }

    __device__ __forceinline__ real forcing(const struct moment &m) const
    {
        return g.forced ? forcing_now<X::FOURTH>(p, m) : 0;
    }

    /* The right-hand side of what is shown, `since` of them after an exchange; by all threads.
     * meanwhile(part) is called behind each of its barriers. */
    template <class Meanwhile>
    __device__ __forceinline__ void find_side(int since, real force, real *f, Meanwhile meanwhile)
    {
        /* Set in all threads: else those of every call live for ever, for threads without one. */
        struct half_points h = {};
        real mean = 0, slope = 0;
        __syncthreads();
        meanwhile(0);
        if (depth >= X::REACH * since + 1) {
            h = half_points_of<X::COLS>(g, arrays + now + x);
            slope = mean_and_slope(g, &h, &mean);
            if (!X::FOURTH)
                *f = mean * slope + force;
            else
                put(X::NODES, mean * slope);
        }
        if (!X::FOURTH)
            return;
        __syncthreads();
        meanwhile(1);
        if (depth >= X::REACH * since + 2)
            *f = force - mean * divergence<X::COLS>(g, h, arrays + X::NODES + x);
    }

    __device__ __forceinline__ void find_side(int since, real force, real *f)
    {
        find_side(since, force, f, [](int) {});
    }

    /* u as fields of the answer, of which 0 is none; by all threads. c: of the time that it is. */
    __device__ __forceinline__ void keep(real u, real c, const struct kept &as, real *fields)
    {
        show(u, c);
        __syncthreads();
        if ((is & KEEPS) != 0 && as.first)
            fields[at] = arrays[now + x];
        if ((is & KEEPS) != 0 && as.field > 0)
            fields[(size_t)as.field * g.nodes + at] = arrays[now + x];
        __syncthreads();
    }
};

/* --- what blocks tell each other --- */

static __device__ __forceinline__ real await_letter(const letter<real> *p, unsigned number)
{
    letter<real> v = letter_look(p, number);
    for (unsigned looks = 0; !letter_there(v, number); lose_patience(&looks))
        v = letter_look(p, number);
    return letter_word(v);
}

/* Of what is not negative, whose bits are in the same order. */
static __device__ __forceinline__ real largest_of_warp(real most)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#if REAL_IS_DOUBLE
    const unsigned long long bits = (unsigned long long)__double_as_longlong(most);
    const unsigned high = (unsigned)(bits >> 32);
    const unsigned highest = __reduce_max_sync((unsigned)ALL_LANES, high);
    const unsigned low = high == highest ? (unsigned)bits : 0;
    const unsigned long long low_of_highest = __reduce_max_sync((unsigned)ALL_LANES, low);
    return __longlong_as_double((long long)((unsigned long long)highest << 32 | low_of_highest));
#else
    return __uint_as_float(__reduce_max_sync((unsigned)ALL_LANES, __float_as_uint(most)));
#endif
#else
    UNROLLED (int by = 16; by > 0; by /= 2) {
        const real another = __shfl_xor_sync((unsigned)ALL_LANES, most, by);
        most = another > most ? another : most;
    }
    return most;
#endif
}

/* The largest of all threads' sizes in all blocks is found in parts, so that there is something to
 * do while the letters are under way; votes[2][to][from]: each block is told by itself, so that no
 * place is asked for by all. First each warp's; then a barrier; the rest by a warp of each block,
 * which tells the block's and later counts. */
static __device__ __forceinline__ void warp_votes(real *largest, real size)
{
    const real most = largest_of_warp(size);
    if (threadIdx.x % 32 == 0)
        largest[threadIdx.x / 32] = most;
}

template <class X>
static __device__ __forceinline__ real block_votes(const real *largest, letter<real> *votes,
                                                   unsigned number)
{
    const unsigned lane = threadIdx.x % 32, blocks = gridDim.x;
    const real most = largest_of_warp(lane < X::WARPS ? largest[lane] : 0);
    for (unsigned to = lane; blocks > 1 && to < blocks; to += 32)
        letter_put(votes + (number % 2 * blocks + to) * blocks + blockIdx.x, most, number);
    return most;
}

/* `most` is the block's own. */
static __device__ __forceinline__ real count_votes(const letter<real> *votes, unsigned number,
                                                   real most)
{
    enum { AT_ONCE = 5 }; /* looks of a lane that are under way */
    const unsigned blocks = gridDim.x;
    const letter<real> *const box = votes + (number % 2 * blocks + blockIdx.x) * blocks;
    if (blocks == 1)
        return most;
    for (unsigned first = threadIdx.x % 32; first < blocks; first += 32 * AT_ONCE) {
        letter<real> v[AT_ONCE];
        UNROLLED (int k = 0; k < AT_ONCE; k++)
            v[k] = letter_look(box + (first + 32 * k < blocks ? first + 32 * k : first), number);
        UNROLLED (int k = 0; k < AT_ONCE; k++) {
            if (first + 32 * k >= blocks)
                break;
            const real one = letter_there(v[k], number)
                                 ? letter_word(v[k])
                                 : await_letter(box + first + 32 * k, number);
            most = one > most ? one : most;
        }
    }
    return largest_of_warp(most);
}

} // namespace OURS
