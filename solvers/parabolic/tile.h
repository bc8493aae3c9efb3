/*
 * A tile of GPU-limit in the registers of a block, and its levels: what all of its kernels do.
 *
 * A thread has a patch of C columns and R rows. A half step needs one value a row from the lane
 * beside, and from the warps above and below the outermost rows, which are in shared memory: one
 * barrier. Half steps are called levels; the even ones are red, the odd ones black, and one that
 * does not fit (a run may begin with black, or end with red) is left out. Each level spoils one
 * more column and row around the tile, so that a halo of LEVELS lasts so many.
 *
 * The tile begins at an even column and row, and R is even: so a local row and column say the
 * colour, r + q even is red. Row r of a patch has the points of colour c in the columns 2 m + ((r +
 * c) & 1), m < C / 2.
 *
 * FUSED: what includes this is compiled with multiply-adds, and sums of neighbours serve two
 * points, which is not the order of updated() (stencil.h). Otherwise the bits are the reference's.
 */
#pragma once
#include "kernels.h"

#include "machine/far.h"

#include <cuda_pipeline.h>
#include <type_traits>

#ifndef FUSED
#define FUSED 0
#endif
#if FUSED
#define OURS P(fused_limit_of_parabolic)
#else
#define OURS P(limit_of_parabolic)
#endif

/* Types have the same names in all four, and other sizes. */
namespace OURS
{

static constexpr unsigned EVERY = 0xffffffffu;
enum { SOUTH, NORTH, WEST, EAST };

/* What a level leaves to the next ones: the boundary's factor of its colour; and what is new in
 * each, the source of model 4. */
struct level {
    real after;
    real f0, fx, fy, fxy;
};

struct job {
    static constexpr bool SLAB = false;
    int n, pitch;
    int tiles_x, tiles, width, height; /* of a tile, even, without its halo */
    int halo;                          /* in a pass; even, and a multiple of 16 bytes */
    int more;                          /* columns of the westernmost tiles beside their width */
    int begin, end;                    /* levels of this launch; begin is 0 or 1 */
    stencil c[2];                      /* red, black; but for the source */
    real s[2];                         /* of the boundary, before them */
    const struct level *levels;        /* device [end] */
    const real *frame;                 /* device [4][n+2] G in the south, north, west, east */
    const real *sine, *cosine;         /* device [n+2] */
    const real *half_sine;             /* device [2n+3] sin(a k h) / 2, if shapes are TURNING */
    const real *from;                  /* device [rows][pitch] */
    real *to;                          /* the interior of the same */
    parcel *parcels;                   /* device [2][PARTS][tiles][BUNDLES], of `hold`, */
    const void *bills;                 /* and bill<F>[tiles] */
    unsigned number;                   /* of the last one before this launch */
};

/* Where tiles are of some rows of the grid, and not of all. */
struct cut {
    int first, n; /* the row where they begin, even; of the rows that they are, all but 2 */
};

/* Some rows of the grid that lie together. Where the j-th one begins is from + j * pitch, or to +
 * j * pitch, be there all rows from 0 on or not; and of what goes there, the columns. */
struct source {
    const real *from;
    int low, last;
};
struct target {
    real *to;
    int low, last, west, east;
};

/* Across a cut; null where there is no neighbour. */
struct neighbour {
    const int *ready; /* the pass whose rows are all here; */
    int *signal;      /* and where it is told so of this rank's */
};

/* Of one rank of several. All rows of tiles are as high as each other, but for one, which comes
 * last. */
struct slab : job {
    static constexpr bool SLAB = true;
    enum { BELOW, OWN, ABOVE, PLACES };
    struct cut rows;
    int upper;                  /* the row of tiles at the cut above; -1: there is none */
    int hurried;                /* tiles at cuts, the first ones */
    int pass;                   /* its number since the plan was made */
    unsigned *tally;            /* blocks that have sent theirs; it begins as -1 */
    struct source come[PLACES]; /* the neighbours' rows of the pass before, and the own ones; */
    struct target go[PLACES];   /* and where both, and this one, have a tile's for the next */
    struct neighbour beside[2]; /* SOUTH, NORTH */
};

static __host__ __device__ __forceinline__ cut rows_of(const job &a)
{
    return {0, a.n};
}

static __host__ __device__ __forceinline__ cut rows_of(const slab &a)
{
    return a.rows;
}

/* Whose a shape is: of pass and flow, whose tiles come and go; or of `hold`, and then how that
 * waits for what is not there. For all of it: a block looks for all, again and again, and what is
 * red has been sent before the last level. Or for one part of one of it, and then for all, which
 * leaves the way free for what others send. */
enum { PASSES_BY, FOR_ALL, FOR_ONE };
/* RIM: the tile ends at the boundary, and does not have it. */
enum { WIDEST_RIM = 8 /* columns of a patch */ };
template <int C_, int LX_, int R_, int GROUPS_, int K_, int WAIT_ = PASSES_BY, bool RIM_ = false>
struct shape {
    static constexpr int C = C_, LX = LX_, R = R_, GROUPS = GROUPS_, K = K_; /* K: steps */
    static constexpr bool TURNS = false;
    static constexpr bool RIM = RIM_, STAYS = WAIT_ != PASSES_BY, EARLY = WAIT_ == FOR_ALL;
    static constexpr int H = C / 2, THREADS = LX * GROUPS;
    static constexpr int WIDTH = LX * C, HEIGHT = R * GROUPS, LEVELS = 2 * K, HALO = LEVELS;
    static_assert(C % 2 == 0 && R % 2 == 0 && R <= LX && (LX == 16 || LX == 32) &&
                      THREADS % 32 == 0 && (!RIM || WIDEST_RIM % C == 0),
                  "");
};

/* Model 3, FUSED. What its flow adds to a point, k3 (sin ax cos ay (e-w) - cos ax sin ay (n-s)), is
 * k3/2 sin a(x-y) ((e+n) - (w+s)) + k3/2 sin a(x+y) ((e+s) - (w+n)). Its factors are the same along
 * diagonals, and so are few in a patch, and each sum of neighbours serves two points. */
template <class SHAPE> struct turning : SHAPE {
    static constexpr bool TURNS = true;
};
template <class SHAPE, int MODEL>
using suited = std::conditional_t<FUSED && MODEL == 3, turning<SHAPE>, SHAPE>;

/* These factors, by colour and group, those of lane 0 first; a group has them in whole strips of a
 * lane. Where what two groups have overlaps by whole strips, it is there once. */
template <class F> struct diagonals {
    static constexpr int HALF = F::R / 2, UP = (HALF + F::H - 1) / F::H * F::H;
    static constexpr int OWN = F::LX * F::H + UP, APART = HALF % F::H == 0 ? HALF : OWN;
    static constexpr int ALL = F::TURNS ? (F::GROUPS - 1) * APART + OWN : 1;
    /* Of x-y, the last group's first, UP before a lane's own row; and of x+y. */
    alignas(16) real rising[2][ALL];
    alignas(16) real falling[2][ALL];
};

/* Shared memory of a block, whatever its kernel. */
template <class F> struct board {
    /* By colour: the patches' rows 0 and R-1; those of the groups 0 and GROUPS+1 are nobody's.
     */
    alignas(16) real edge[2][2][F::GROUPS + 2][F::H][F::LX];
    real row[2][F::HEIGHT][2];            /* by colour: what updates need of a row */
    real side[2][F::RIM ? F::HEIGHT : 1]; /* by colour: the boundary beside the tile */
    real frame_row[2][F::WIDTH];          /* G in the rows of the boundary, */
    real frame_column[2][F::HEIGHT];      /* and in its columns, as the tile's lines say which */
    struct diagonals<F> turns;
    struct level now[F::STAYS ? 2 : 1]
                    [F::LEVELS]; /* from the last exchange on; and the next ones */
};

/* Of a tile: where it begins, halo included. */
struct origin {
    int x, y;
};

/* Of the k-th tile in a row or column of them, even. */
static __host__ __device__ __forceinline__ int size_of(int most, int k, int n)
{
    return (min(most, n + 2 - k * most) + 1) / 2 * 2;
}

/* Which tile is the k-th; and of a row of tiles where it begins, and how high it is. */
static __device__ __forceinline__ int tile_at(const job &, int k)
{
    return k;
}
static __host__ __device__ __forceinline__ int begin_of(const job &a, int ty)
{
    return ty * a.height;
}
static __host__ __device__ __forceinline__ int height_of(const job &a, int ty)
{
    return size_of(a.height, ty, a.n);
}

static __device__ __forceinline__ int tile_at(const slab &a, int k)
{
    const int tile = a.upper < 0 ? k : k + a.upper * a.tiles_x;
    return tile < a.tiles ? tile : tile - a.tiles;
}
static __host__ __device__ __forceinline__ int begin_of(const slab &a, int ty)
{
    return ty == a.upper ? a.rows.n + 2 - a.height : ty * a.height;
}
static __host__ __device__ __forceinline__ int height_of(const slab &a, int ty)
{
    const int end = ty + 1 == a.upper ? begin_of(a, a.upper) : a.rows.n + 2;
    return (min(a.height, end - begin_of(a, ty)) + 1) / 2 * 2;
}

template <class JOB>
static __host__ __device__ __forceinline__ origin origin_of(const JOB &a, int tile, int halo)
{
    return {tile % a.tiles_x * a.width - halo + a.more,
            rows_of(a).first + begin_of(a, tile / a.tiles_x) - halo};
}

/* Of a tile that stays: where it begins, halo included, and what is its own. In the west and south
 * of the grid a RIM has no halo, and what would be there is its own as well. */
struct lot {
    origin at;
    int w, h;
    bool west, south;
};

template <class F, int MODEL> struct tile {
    static constexpr int C = F::C, LX = F::LX, R = F::R, H = F::H, GROUPS = F::GROUPS;
    static constexpr int WIDTH = F::WIDTH, HEIGHT = F::HEIGHT, HALO = F::HALO;
    static constexpr bool BY_ROW = MODEL > 2 && !F::TURNS; /* rows have something of their own */
    static_assert(F::TURNS == (FUSED && MODEL == 3), "");
    /* Levels are compiled for each kind of tile, but not where registers are few and rows have
     * something to keep. A line's part in a patch stays in registers where there are enough. */
    static constexpr bool LINED = F::EARLY || (F::STAYS && !F::RIM && !BY_ROW);
    static constexpr bool KEPT =
        LINED && (R * C + R + C) * (int)sizeof(real) / 4 <= 65536 / F::THREADS / 3;
    enum { TABLES = !BY_ROW ? 0 : MODEL == 3 ? 2 : 1 };

    real u[2][R][H];
    real column[TABLES + 1][C]; /* of the thread's columns: sine and cosine, or i h */
    real here;                  /* of the row whose entry in the board this lane makes */
    real here_too;
    bool at_side[2]; /* RIM: the boundary is in the west, east of the patch, */
    bool at_end[2];  /* and in the south, north */
    int turn;        /* which of the board's levels are at work */
    board<F> *b;
    int lane, g;
    /* Columns and rows of the boundary that are in the tile; -1: none. Two of a kind only where the
     * tile is as wide or high as the grid. */
    int lines[2][2];
    /* LINED: which of the patch's columns and rows a line is, as bits; whether any is a row of this
     * warp's; and KEPT, G there. */
    int columns, rows, row_in_warp;
    real of_column[KEPT ? R : 1], of_row[KEPT ? C : 1];

    __device__ __forceinline__ tile(board<F> *on)
        : turn(0), b(on), lane((int)threadIdx.x % LX), g((int)threadIdx.x / LX)
    {
    }

    /* --- where the tile lies --- */

    __device__ __forceinline__ bool is_framed() const
    {
        return lines[0][0] >= 0 || lines[1][0] >= 0;
    }

    /* Of columns or rows, when the grid begins at `near` and ends `last` further on. */
    __device__ __forceinline__ void find_lines(int axis, int near, int last)
    {
        const int far = near + last, size = axis == 0 ? WIDTH : HEIGHT;
        const bool begins = near >= 0 && near < size, ends = far >= 0 && far < size;
        lines[axis][0] = begins ? near : ends ? far : -1;
        lines[axis][1] = begins && ends ? far : -1;
    }

    /* G along the columns (axis 0) or rows, which begin at `from` beside and at `first` along them.
     */
    template <int axis, int SIZE>
    __device__ __forceinline__ void place_lines(const job &a, real (*to)[SIZE], int from, int first)
    {
        const int last = a.n + 1;
        for (int k = (int)threadIdx.x; k < 2 * SIZE; k += F::THREADS) {
            const int line = k < SIZE ? lines[axis][0] : lines[axis][1], i = first + k % SIZE;
            const int side = (axis == 0 ? WEST : SOUTH) + (from + line == 0 ? 0 : 1);
            to[k / SIZE][k % SIZE] =
                line >= 0 && i >= 0 && i <= last ? a.frame[side * (a.n + 2) + i] : 0;
        }
    }

    /* LINED: what kind of tile it is. With two lines in a direction -1, which is set_frame()'s;
     * else, as its column says: none, even, odd. */
    __device__ __forceinline__ int kind() const
    {
        const bool second = lines[0][1] >= 0 || lines[1][1] >= 0;
        return second ? -1 : lines[0][0] < 0 ? 0 : 1 + lines[0][0] % 2;
    }

    /* The thread's part of one line in each direction. */
    __device__ __forceinline__ void keep_lines(const job &a, origin at)
    {
        const int last = a.n + 1, x = lines[0][0], y = lines[1][0];
        const bool in_column = x >= 0 && lane == x / C, in_row = y >= 0 && g == y / R;
        columns = in_column ? 1 << x % C : 0;
        rows = in_row ? 1 << y % R : 0;
        row_in_warp = __any_sync(EVERY, in_row) ? 1 : 0;
        UNROLLED (int r = 0; r < (KEPT ? R : 0); r++) {
            const int j = at.y + g * R + r, side = at.x + x == 0 ? WEST : EAST;
            of_column[r] = in_column && j >= 0 && j <= last ? a.frame[side * (a.n + 2) + j] : 0;
        }
        UNROLLED (int q = 0; q < (KEPT ? C : 0); q++) {
            const int i = at.x + lane * C + q, side = at.y + y == 0 ? SOUTH : NORTH;
            of_row[q] = in_row && i >= 0 && i <= last ? a.frame[side * (a.n + 2) + i] : 0;
        }
    }

    /* Barriers before, if the board was in use, and after. */
    __device__ __forceinline__ void place(const job &a, origin at)
    {
        const int last = a.n + 1;
        find_lines(0, -at.x, last);
        find_lines(1, -at.y, last);
        columns = rows = row_in_warp = 0;
        if (F::RIM) {
            place_rim(a, at);
        } else if (is_framed()) {
            if (LINED)
                keep_lines(a, at);
            if (!KEPT || kind() < 0) {
                place_lines<0, HEIGHT>(a, b->frame_column, at.x, at.y);
                place_lines<1, WIDTH>(a, b->frame_row, at.y, at.x);
            }
        }
        if (F::TURNS)
            place_turns(a, at);
        if (BY_ROW)
            UNROLLED (int q = 0; q < C; q++) {
                const int i = min(max(at.x + lane * C + q, 0), last);
                column[0][q] = MODEL == 3 ? a.sine[i] : (real)i * a.c[0].h;
                if (MODEL == 3)
                    column[TABLES > 1 ? 1 : 0][q] = a.cosine[i];
            }
        if (BY_ROW) {
            const int j = min(max(at.y + g * R + lane % R, 0), last);
            here = MODEL == 3 ? a.sine[j] : (real)j * a.c[0].h;
            here_too = MODEL == 3 ? a.cosine[j] : 0;
        }
    }

    /* The factor of a diagonal, a colour's; beyond the grid any will do. */
    __device__ __forceinline__ real turn_of(const job &a, int c, int diagonal)
    {
        const real factor = a.c[c].k3 * a.half_sine[min(abs(diagonal), 2 * (a.n + 1))];
        return diagonal < 0 ? -factor : factor;
    }
    __device__ __forceinline__ void place_turns(const job &a, origin at)
    {
        using D = diagonals<F>;
        for (int k = (int)threadIdx.x; k < 2 * D::ALL; k += F::THREADS) {
            const int c = k / D::ALL, i = k % D::ALL, group = min(i / D::APART, GROUPS - 1);
            const int own = 2 * (i - group * D::APART) + c;
            b->turns.falling[c][i] = turn_of(a, c, at.x + at.y + group * R + own);
            b->turns.rising[c][i] =
                turn_of(a, c, at.x - at.y - (GROUPS - 1 - group) * R + own - 2 * D::UP);
        }
    }

    /* The board's rows for level l of those that are there. */
    template <int c> __device__ __forceinline__ void prepare(int l)
    {
        if (!BY_ROW || lane >= R)
            return;
        real *const row = b->row[c][g * R + lane];
        if (MODEL == 4) {
            const struct level &now = level_at(l);
            row[0] = now.f0 + now.fy * here;
            row[1] = now.fx + now.fxy * here;
        } else {
            row[0] = here;
            row[1] = here_too;
        }
    }

    /* --- the boundary --- */

    /* Points of colour c at the boundary. The branches are the same for a whole warp, and
     * __syncwarp() keeps them branches. Blocks at the boundary set the pace of `hold`. Code for one
     * line in each direction, which is run twice if need be, is as fast as code for two, and stays
     * in the cache of instructions. */
    template <int c> __device__ __forceinline__ void set_frame(real s)
    {
        const int count = lines[0][1] >= 0 || lines[1][1] >= 0 ? 2 : 1;
        for (int k = 0; k < anew(count); k++) {
            const int x = k == 0 ? lines[0][0] : lines[0][1];
            const int y = k == 0 ? lines[1][0] : lines[1][1];
            if (x >= 0)
                set_column<c>(x, b->frame_column[k] + g * R, s);
            const bool own = y >= g * R && y < g * R + R;
            if (y >= 0 && __any_sync(EVERY, own))
                set_row<c>(y % R, own, b->frame_row[k] + lane * C, s);
        }
    }
    template <int c> __device__ __forceinline__ void set_column(int x, const real *frame, real s)
    {
        const bool own = lane == x / C;
        UNROLLED (int q = 0; q < C; q++)
            if (q == anew(x % C)) {
                __syncwarp();
                UNROLLED (int r = (q + c) & 1; r < R; r += 2) {
                    const real fresh = s * frame[r];
                    u[c][r][q / 2] = own ? fresh : u[c][r][q / 2];
                }
            }
    }
    template <int c>
    __device__ __forceinline__ void set_row(int y, bool own, const real *frame, real s)
    {
        UNROLLED (int r = 0; r < R; r++)
            if (r == anew(y)) {
                __syncwarp();
                UNROLLED (int m = 0; m < H; m++) {
                    const real fresh = s * frame[2 * m + ((r + c) & 1)];
                    u[c][r][m] = own ? fresh : u[c][r][m];
                }
            }
    }

    /* The same in a tile of a kind. What is a column's costs a multiplication without a branch; few
     * warps have a row. */
    template <int c, int KIND> __device__ __forceinline__ void set_lines(real s)
    {
        const int column_bits = anew(columns);
        UNROLLED (int r = (c + KIND - 1) & 1; r < (KIND > 0 ? R : 0); r += 2)
            UNROLLED (int m = 0; m < H; m++) {
                const real fresh = s * (KEPT ? of_column[r] : b->frame_column[0][g * R + r]);
                u[c][r][m] = column_bits >> (2 * m + KIND - 1) & 1 ? fresh : u[c][r][m];
            }
        ROLLED (int k = 0; k < anew(row_in_warp); k++) { /* a branch */
            const int row_bits = anew(rows);
            UNROLLED (int r = 0; r < R; r++)
                UNROLLED (int m = 0; m < H; m++) {
                    const int q = 2 * m + ((r + c) & 1);
                    const real fresh = s * (KEPT ? of_row[q] : b->frame_row[0][lane * C + q]);
                    u[c][r][m] = row_bits >> r & 1 ? fresh : u[c][r][m];
                }
        }
    }

    /* RIM: what is beyond the tile has a place in the board, by colour. A row of a colour has one
     * neighbour there, in the west or in the east. */
    __device__ __forceinline__ void place_rim(const job &a, origin at)
    {
        const bool south = at.y == 1, north = at.y + HEIGHT == a.n + 1;
        const bool west = at.x == 1, east = at.x + WIDTH == a.n + 1;
        at_side[0] = west && lane == 0;
        at_side[1] = east && lane == LX - 1;
        at_end[0] = south && g == 0;
        at_end[1] = north && g == GROUPS - 1;
        for (int k = (int)threadIdx.x; k < 2 * HEIGHT; k += F::THREADS) {
            const int c = k / HEIGHT, j = k % HEIGHT, side = (j + c) & 1 ? WEST : EAST;
            b->frame_column[c][j] = (side == WEST ? west : east) && at.y + j <= a.n
                                        ? a.frame[side * (a.n + 2) + at.y + j]
                                        : 0;
        }
        for (int k = (int)threadIdx.x; k < 2 * WIDTH; k += F::THREADS) {
            const int side = k / WIDTH, i = at.x + k % WIDTH;
            b->frame_row[side][k % WIDTH] =
                (side == SOUTH ? south : north) && i <= a.n ? a.frame[side * (a.n + 2) + i] : 0;
        }
    }
    template <int c> __device__ __forceinline__ void set_rim(real s)
    {
        if (lane < R)
            b->side[c][g * R + lane] = s * b->frame_column[c][g * R + lane];
        real line[H];
        if (at_end[0]) {
            UNROLLED (int m = 0; m < H; m++)
                line[m] = s * b->frame_row[0][lane * C + 2 * m + (1 - c)];
            put_edge(b->edge[c][1][0], line);
        }
        if (at_end[1]) {
            UNROLLED (int m = 0; m < H; m++)
                line[m] = s * b->frame_row[1][lane * C + 2 * m + c];
            put_edge(b->edge[c][0][GROUPS + 1], line);
        }
    }

    /* --- a level --- */

    /* A lane's values of a row; in tiles that stay they lie side by side. */
    struct alignas(H * sizeof(real)) strip {
        real v[H];
    };
    static_assert(sizeof(strip) <= 16, "");
    __device__ __forceinline__ void put_edge(real (*to)[LX], const real *row)
    {
        if (F::STAYS) {
            strip x;
            UNROLLED (int m = 0; m < H; m++)
                x.v[m] = row[m];
            ((strip *)to)[lane] = x;
        } else
            UNROLLED (int m = 0; m < H; m++)
                to[m][lane] = row[m];
    }
    __device__ __forceinline__ void get_edge(const real (*from)[LX], real *row)
    {
        if (F::STAYS) {
            const strip x = ((const strip *)from)[lane];
            UNROLLED (int m = 0; m < H; m++)
                row[m] = x.v[m];
        } else
            UNROLLED (int m = 0; m < H; m++)
                row[m] = from[m][lane];
    }
    template <int c> __device__ __forceinline__ void put_edges()
    {
        put_edge(b->edge[c][0][g + 1], u[c][0]);
        put_edge(b->edge[c][1][g + 1], u[c][R - 1]);
    }

    /* Of a group's factors, the k-th after this lane's first one. */
    __device__ __forceinline__ real turn_at(const real *group, int k) const
    {
        return ((const strip *)group)[lane + k / H].v[k % H];
    }

    /* Point m of row r, from its neighbours and, FUSED, from their sums e + n and w + s, and of
     * Model 3 e + s and w + n. */
    template <int c>
    __device__ __forceinline__ void update(const job &a, int r, int m, real e, real w, real n,
                                           real s, real en, real ws, real es, real wn)
    {
        const int q = 2 * m + ((r + c) & 1);
        const stencil &k = a.c[c];
        const real *const row = b->row[c][g * R + r];
        const real first = BY_ROW ? row[0] : 0, second = BY_ROW ? row[1] : 0, old = u[c][r][m];
        real fresh;
        if (!FUSED && MODEL != 4) {
            const struct row of = {first, second, 0, 0};
            const real sine = MODEL == 3 ? column[0][q] : 0;
            const real cosine = MODEL == 3 ? column[TABLES > 1 ? 1 : 0][q] : 0;
            fresh = updated(MODEL, &k, &of, 0, sine, cosine, old, e, w, n, s);
        } else if (!FUSED) { /* as there, but i h comes from a table */
            fresh = k.alpha * old + ((k.kE * e + k.kW * w) + (k.kN * n + k.kS * s)) +
                    (first + second * column[0][q]);
        } else if (MODEL == 1) {
            fresh = k.alpha * old + k.ke * (en + ws);
        } else if (MODEL == 2) {
            fresh = k.alpha * old + (k.kE * en + k.kW * ws);
        } else if (MODEL == 3) {
            using D = diagonals<F>;
            const real *const rising = b->turns.rising[c] + (GROUPS - 1 - g) * D::APART;
            const real *const falling = b->turns.falling[c] + g * D::APART;
            const real rise = turn_at(rising, D::UP + m - (r + c) / 2);
            const real fall = turn_at(falling, m + (r + 1 - c) / 2);
            fresh = fall * (es - wn) + ((k.ke - rise) * ws + ((k.ke + rise) * en + k.alpha * old));
        } else {
            fresh = k.alpha * old + (k.kE * en + (k.kW * ws + (first + second * column[0][q])));
        }
        u[c][r][m] = fresh;
    }

    /* KIND: as kind() says, or -1. */
    template <int c, int KIND = -1>
    __device__ __forceinline__ void relax(const job &a, bool framed, real after)
    {
        constexpr int o = 1 - c;
        if (F::RIM)
            set_rim<c>(after);
        real below[H], last[H], sum[H] = {}, other_sum[H] = {}, corner = 0;
        get_edge(b->edge[o][1][g], below);
        get_edge(b->edge[o][0][g + 2], last);
        UNROLLED (int r = 0; r < R; r++) {
            const int odd = (r + c) & 1; /* own columns are 2 m + odd */
            const real *const row = u[o][r];
            real beyond = odd ? __shfl_down_sync(EVERY, row[0], 1, LX)
                              : __shfl_up_sync(EVERY, row[H - 1], 1, LX);
            if (F::RIM) {
                const real there = b->side[o][g * R + r];
                beyond = at_side[odd] ? there : beyond;
            }
            real fresh[H], other[H];
            UNROLLED (int m = 0; m < H; m++) {
                const real e = odd ? (m + 1 < H ? row[m + 1] : beyond) : row[m];
                const real w = odd ? row[m] : (m > 0 ? row[m - 1] : beyond);
                const real n = r + 1 < R ? u[o][r + 1][m] : last[m];
                const real s = r > 0 ? u[o][r - 1][m] : below[m];
                real ws = 0, es = 0;
                fresh[m] = e + n;
                other[m] = w + n;
                if (FUSED) /* the sum e + n of the neighbour of the same colour in the
                              south-west; and w + n of that in the south-east */
                    ws = r == 0 ? w + s : odd ? sum[m] : m > 0 ? sum[m - 1] : w + corner;
                if (F::TURNS)
                    es = r == 0 || (odd && m + 1 == H) ? e + s : other_sum[odd ? m + 1 : m];
                update<c>(a, r, m, e, w, n, s, fresh[m], ws, es, other[m]);
            }
            corner = row[0];
            UNROLLED (int m = 0; m < H; m++) {
                sum[m] = fresh[m];
                other_sum[m] = other[m];
            }
        }
        if constexpr (KIND >= 0)
            set_lines<c, KIND>(after);
        else if (!F::RIM && framed)
            set_frame<c>(after);
        put_edges<c>();
    }

    /* All levels from now[turn][0] on, of which `first` is the first and `count` the end; a warp
     * takes part in those before `own`. All warps of a block meet at the same barriers, two for
     * each two levels, whether they have something to do or not. A barrier before. */
    template <int KIND = -1>
    __device__ __forceinline__ void relax_all(const job &a, bool framed, int first, int count,
                                              int own)
    {
        const int end = min(count, own);
        if (first == 0)
            prepare<0>(0);
        else
            prepare<1>(1);
        __syncwarp();
        for (int l = 0; l < count; l += 2) {
            if (l >= first && l < end) {
                relax<0, KIND>(a, framed, level_at(l).after);
                if (l + 1 < end)
                    prepare<1>(l + 1);
            }
            __syncthreads();
            if (l + 1 < end) {
                relax<1, KIND>(a, framed, level_at(l + 1).after);
                if (l + 2 < end)
                    prepare<0>(l + 2);
            }
            __syncthreads();
        }
    }

    /* Levels base .. base+count-1 of the launch. A barrier after. */
    __device__ __forceinline__ void read_levels(const job &a, int base, int count)
    {
        for (int k = (int)threadIdx.x; k < count; k += F::THREADS)
            b->now[0][k] = a.levels[base + k];
    }

    /* Begins to bring the next ones, to the other place. */
    __device__ __forceinline__ void fetch_levels(const job &a, int base, int count)
    {
        enum { EACH_HAS = sizeof(struct level) / sizeof(real) };
        static_assert(F::LEVELS * EACH_HAS <= F::THREADS, "");
        const int k = (int)threadIdx.x;
        if (k < count * EACH_HAS)
            __pipeline_memcpy_async((real *)b->now[1 - turn] + k,
                                    (const real *)(a.levels + base) + k, sizeof(real));
        __pipeline_commit();
    }

    __device__ __forceinline__ const struct level &level_at(int l) const
    {
        return b->now[turn][l];
    }

    /* The boundary before the first level. A barrier before, for frames, and after. */
    template <int KIND = -1> __device__ __forceinline__ void begin(const job &a, bool framed)
    {
        if constexpr (KIND >= 0) {
            set_lines<0, KIND>(a.s[0]);
            set_lines<1, KIND>(a.s[1]);
        } else if (F::RIM) {
            set_rim<0>(a.s[0]);
            set_rim<1>(a.s[1]);
        } else if (framed) {
            set_frame<0>(a.s[0]);
            set_frame<1>(a.s[1]);
        }
        put_edges<0>();
        put_edges<1>();
    }
};

struct alignas(16) pack {
    real v[16 / sizeof(real)];
};
enum { EACH = 16 / sizeof(real) };

} // namespace OURS
