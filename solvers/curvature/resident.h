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

#if defined(REPRISE_EMULATED) || !REAL_IS_DOUBLE
static __device__ __forceinline__ real over_root(real x)
{
#if REAL_IS_DOUBLE
    return rsqrt(x);
#else
    return rsqrtf(x);
#endif
}

static __device__ __forceinline__ real over(real x)
{
    return R(1) / x;
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
    real square1, square2; /* h1^2, h2^2 */
    real over1, over2;     /* 1/h1, 1/h2 */
    real skew1, skew2;     /* h1/(4 h2), h2/(4 h1) */
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
        const real q2 = (k < 2 ? g.square1 : g.square2) + (a * a + b * b);
        f->over[k] = over_root(q2);
        root[k] = q2 * f->over[k];
        slope[k] = a * f->over[k];
    }
    *mean = R(0.25) * (g.over1 * (root[0] + root[1]) + g.over2 * (root[2] + root[3]));
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
        const real part = R(0.125) * (k < 2 ? g.square1 : g.square2);
        const real d =
            f.across[k] * h.across[k] + f.along[k] * h.along[k] + part * (sums[k] * sums[k]);
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

/* --- tiles --- */

/* A tile of T1 x T2 nodes whose halo lasts for K right-hand sides. */
template <int FLOW, int K_, int T1_, int T2_> struct tiling {
    static constexpr bool FOURTH = FLOW == WILLMORE;
    enum { K = K_, T1 = T1_, T2 = T2_, REACH = FOURTH ? 2 : 1 };
    enum { HALO = K * REACH, ROWS = T1 + 2 * HALO, COLS = T2 + 2 * HALO, NODES = ROWS * COLS };
    enum { THREADS = (NODES + 31) / 32 * 32, WARPS = THREADS / 32, TERMS = RATIONAL(FLOW) };
    static_assert(THREADS <= 1024, "a thread for each node");
    static constexpr size_t ARRAYS = 2 * NODES * sizeof(real); /* the argument, and w or the next */
};

/* A thread's node. */
template <class X> struct node {
    const struct plane &g;
    int x, depth;      /* its place in the arrays; how many nodes are around it */
    unsigned i, j;     /* in the grid */
    bool edge, own;    /* of the boundary; of the tile */
    bool told, asks;   /* another tile's halo; of the halo */
    bool keeps;        /* it is this block that keeps its value */
    int side1, side2;  /* where the boundary is, -1 or 1, whose nodes copy this one; else 0 */
    bool both1, both2; /* on both sides */
    size_t at;
    real *now, *other; /* arrays: the argument, and w of Willmore flow, else what is next */
    real p[X::TERMS];
    real still; /* u on the boundary, where nothing is forced */

    __device__ __forceinline__ node(const struct plane &g_, const real *u, real *arrays,
                                    unsigned tile)
        : g(g_), x((int)threadIdx.x), now(arrays), other(arrays + X::NODES)
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
        i = (unsigned)r;
        j = (unsigned)c;
        edge = there && !inner;
        depth = !inner ? -1 : deep1 < deep2 ? deep1 : deep2;
        own = depth >= X::HALO;
        told = own && depth < 2 * X::HALO && gridDim.x > 1;
        asks = inner && !own;
        const int in1 = row + (r < 1) - (r >= n1), in2 = col + (c < 1) - (c >= n2);
        keeps = there && in1 >= X::HALO && in1 < X::ROWS - X::HALO && in2 >= X::HALO &&
                in2 < X::COLS - X::HALO;
        const bool copied = g.copies && inner;
        const bool low1 = copied && r == 1 && row > 0, low2 = copied && c == 1 && col > 0;
        const bool up1 = copied && r == n1 - 1 && row < X::ROWS - 1;
        const bool up2 = copied && c == n2 - 1 && col < X::COLS - 1;
        side1 = up1 ? 1 : low1 ? -1 : 0;
        side2 = up2 ? 1 : low2 ? -1 : 0;
        both1 = low1 && up1;
        both2 = low2 && up2;
        at = there ? (size_t)r * g.pitch + (size_t)c : 0;
        UNROLLED (int k = 0; k < X::TERMS; k++)
            p[k] = there ? g.rational[(size_t)k * g.nodes + at] : 0;
        still = edge ? u[at] : 0;
        if (x < X::NODES)
            now[x] = other[x] = 0;
    }

    /* Into an array, and to the boundary that copies it. */
    __device__ __forceinline__ void put(real *to, real v) const
    {
        to[x] = v;
        if (side1 == 0 && side2 == 0)
            return;
        for (int a = both1 ? -1 : 0; a <= (side1 != 0 ? 1 : 0); a++)
            for (int b = both2 ? -1 : 0; b <= (side2 != 0 ? 1 : 0); b++)
                to[x + a * (both1 ? 1 : side1) * X::COLS + b * (both2 ? 1 : side2)] = v;
    }

    /* v is its argument, and on the boundary what the moment says. Mean-curvature flow takes two
     * arrays in turn. */
    __device__ __forceinline__ void show(real v, real c)
    {
        if (!X::FOURTH) {
            real *const last = now;
            now = other;
            other = last;
        }
        if (depth >= 0)
            put(now, v);
        else if (edge && !g.copies)
            now[x] = g.forced ? c * p[0] : still;
    }

    __device__ __forceinline__ real forcing(const struct moment &m) const
    {
        return g.forced ? forcing_now<X::FOURTH>(p, m) : 0;
    }

    /* The right-hand side of what is shown, `since` of them after an exchange; by all threads. */
    __device__ __forceinline__ void find_side(int since, real force, real *f)
    {
        struct half_points h;
        real mean = 0, slope = 0;
        __syncthreads();
        if (depth >= X::REACH * since + 1) {
            h = half_points_of<X::COLS>(g, now + x);
            slope = mean_and_slope(g, &h, &mean);
            if (!X::FOURTH)
                *f = mean * slope + force;
            else
                put(other, mean * slope);
        }
        if (!X::FOURTH)
            return;
        __syncthreads();
        if (depth >= X::REACH * since + 2)
            *f = force - mean * divergence<X::COLS>(g, h, other + x);
    }

    /* u as a field of the answer; by all threads. */
    __device__ __forceinline__ void keep(real u, double t, real *field)
    {
        show(u, moment_at(g.amplitude, t).c);
        __syncthreads();
        if (keeps)
            field[at] = now[x];
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

static __device__ __forceinline__ real largest_of_warp(real most)
{
    UNROLLED (int by = 16; by > 0; by /= 2) {
        const real another = __shfl_xor_sync((unsigned)ALL_LANES, most, by);
        most = another > most ? another : most;
    }
    return most;
}

/* The largest of all threads' sizes in all blocks is found in two parts, so that there is something
 * to do while the letters are under way; votes[2][blocks]. First each warp's; then a barrier; then
 * warp 0 tells the block's. */
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
    if (threadIdx.x >= 32)
        return 0;
    const real most = largest_of_warp(threadIdx.x < X::WARPS ? largest[threadIdx.x] : 0);
    if (threadIdx.x == 0 && gridDim.x > 1)
        letter_put(votes + number % 2 * gridDim.x + blockIdx.x, most, number);
    return most;
}

/* In warp 0, of which `most` is the block's own. */
static __device__ __forceinline__ real count_votes(const letter<real> *votes, unsigned number,
                                                   real most)
{
    if (threadIdx.x >= 32 || gridDim.x == 1)
        return most;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += 32) {
        const real one = await_letter(votes + number % 2 * gridDim.x + b, number);
        most = one > most ? one : most;
    }
    return largest_of_warp(most);
}

} // namespace OURS
