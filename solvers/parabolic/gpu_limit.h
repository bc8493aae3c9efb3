/*
 * GPU-limit, not in the paper: a tile of the grid for each block, kept in registers over as many
 * half steps as its halo lasts. `hold`: the tiles are the whole grid, and stay on the chip for all
 * of a run; blocks exchange halos by parcels. The boundary is in the tiles, or, of a RIM, around
 * them, which needs an even N. `pass`: blocks go over all tiles of a larger grid, and each point is
 * read and written once for several steps; the next tile comes in while one is updated. `flow`: all
 * passes in one launch, so that rounds of blocks need not end with a pass.
 *
 * `slab`: a pass over the rows of one rank of several. The tiles at its cuts come first, and what
 * they leave along a cut is stored into the neighbour's memory too, as its halo of the next pass,
 * in two places by turns. Before its own tiles there a neighbour waits for word of that, which was
 * sent long ago: neither host nor launch comes between.
 *
 * A thread has a patch of C columns and R rows. A half step needs one value a row from the lane
 * beside, and from the warps above and below the outermost rows, which are in shared memory: one
 * barrier. Half steps are called levels; the even ones are red, the odd ones black, and one that
 * does not fit (a run may begin with black, or end with red) is left out. Each level spoils one
 * more column and row around the tile, so that a halo of LEVELS lasts so many.
 *
 * What comes of a halo is what LEVELS levels need: at corners a diamond, and of the outermost
 * points the black ones. No point is sent twice: those that the same tiles need go together, three
 * in a bundle. Which ones, and where they are to go, is in a bill that the host wrote. Two places
 * for parcels, in turn, suffice: a block writes parcel e+2 when it has e+1 of all its neighbours,
 * who wrote that when they had read e.
 *
 * The tile begins at an even column and row, and R is even: so a local row and column say the
 * colour, r + q even is red. Row r of a patch has the points of colour c in the columns 2 m + ((r +
 * c) & 1), m < C / 2.
 *
 * FUSED: what includes this is compiled with multiply-adds, and sums of neighbours serve two
 * points, which is not the order of updated() (stencil.h). Otherwise the bits are the reference's.
 *
 * Figures are 10^9 points a second, Model 2, 100 steps, FUSED. On an H100, three rounds (in
 * brackets what was before, by another run: halos of whole strips by letters, and flow as passes):
 * double N = 500 237 (243), 1000 563 (503), 1500 790 (655), 2000 653 (636), 4000 680 (690); single
 * 320 (330), 769 (771), 1141 (982), 2000 1608 (1244), 4000 1806 (1738).
 *
 * On an H200, before `hold` (in brackets GPU-TB): double N = 500 248 (42), 1000 530 (130), 1500
 * 681, 1750 375 by passes, 2000 643 (322), 3000 704, 4000 705 (496), 8000 757, 16000 798 by passes
 * (612); single 321, 774, 1000, 2000 1287, 3000 1570, 4000 1787, 6000 1909, 8000 1890, 16000 2093.
 * Model 3 has 0.6 to 0.7 of it in double and 0.5 to 0.7 in single, Model 4 0.7 to 0.9; the
 * reference's bits have 0.76 to 0.97 in double and 0.67 to 0.97 in single.
 *
 * Lost, on the H100: (C, LX, R, groups, K) at double 500 FOR_ALL 236, 2 32 4 14 3 211; at 1000 RIMS
 * 4 32 8 11 4 541, Models 1, 3 and 4 549, 402, 467, and with FOR_ONE 543, 522, 353, 465; the same,
 * FOR_ONE, the boundary in the tile 555; RIMS 4 32 6 15 4 477; at 1500 RIMS 4 32 14 12 3 745, with
 * FOR_ALL 742; flow at 4000 2 32 16 16 6 636, 2 32 16 8 6 670. Single: FOR_ONE at 500 303, at 1000
 * 714, Models 1, 3 and 4 674, 455, 592, where letters had 786, 545, 573; 4 32 6 15 4 725.
 *
 * Lost, on the H200, by letters: at double 500 2 32 4 17 5 215, 2 32 2 30 4 183, 4 16 2 30 4 202, 4
 * 16 4 16 4 194, 2 32 6 11 4 175, 2 32 8 8 4 164, 2 32 4 14 2 167; at 1000 4 32 8 11 3 462, 4 32 4
 * 22 4 503, 4 32 10 10 5 430; at 1500 4 32 14 12 2 596, 4 32 12 14 3 588, 4 32 8 21 3 521, 4 32 16
 * 11 3 506. Single: at 500 4 16 4 16 4 234, 4 16 4 18 5 243, 2 32 2 30 4 245; at 1000 4 32 8 11 4
 * 637; at 1500 4 32 14 12 3 971, 4 32 8 21 3 963; at 2000 8 32 14 12 with K = 4 1180, 6 1168, 3
 * 1087, 8 32 12 14 4 975. The boundary in the tile: single 2000 1189. Around it where it is in now:
 * double 500 207, single 500 293, 1000 651, 1500 777 in patches of 8 columns.
 *
 * Passes at double 4000 with K = 4 648, 5 650, 8 636, with patches 4 columns wide, 12 rows 578, 8
 * rows and K = 8 631; at single 4000 with K = 10 1503, 6 1265, with 8 columns 1223 at most. Passes
 * where they flow now: double 2000 509, 3000 602, 4000 669, launched early 673; single 3000 1122,
 * 4000 1559, 6000 1826. Flow where passes are: 16000 772, single 2037. Flow of other shapes: double
 * at 2000 2 32 16 16 6 624, with K = 4 384, 2 32 16 8 4 522, 4 32 8 16 6 522, with K = 4 202, 4 32
 * 8 8 4 421; at 4000 4 32 8 16 6 653; single at 4000 4 32 16 8 8 1668, 4 32 16 16 6 1614, 8 32 8 16
 * 8 1349. With 2.7 tiles a block or fewer flow waits: double 1750 218, 1500 7 to 12; single 2500
 * 457.
 */
#include "kernels.h"

#include <cuda_pipeline.h>

#include "machine/far.h"
#include "machine/ranks.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

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
    const real *from;                  /* device [rows][pitch] */
    real *to;                          /* the interior of the same */
    parcel *parcels;                   /* device [2][PARTS][tiles][BUNDLES], of `hold`, */
    const void *bills;                 /* and bill<F>[tiles] */
    unsigned number;                   /* of the last one before this launch */
};

/* Where tiles and arrays are of some rows of the grid, and not of all. */
struct cut {
    int first, n;  /* the row where tiles begin, even; of the rows that they are, all but 2 */
    int low, last; /* rows of the arrays */
};

/* Across a cut. Halos are [halo][pitch]; null where there is no neighbour. */
struct neighbour {
    const real *from; /* its rows of the pass before, */
    const int *ready; /* and the pass whose rows are all there; */
    real *to;         /* where it has this rank's for the next one, */
    int *signal;      /* and is told so */
};

/* Of one rank of several. All rows of tiles are as high as each other, but for one, which comes
 * last. */
struct slab : job {
    static constexpr bool SLAB = true;
    struct cut rows;
    int upper;                  /* the row of tiles at the cut above; -1: there is none */
    int hurried;                /* tiles at cuts, the first ones */
    int pass;                   /* its number since the plan was made */
    unsigned *tally;            /* blocks that have sent theirs; it begins as -1 */
    struct neighbour beside[2]; /* SOUTH, NORTH */
};

static __host__ __device__ __forceinline__ cut rows_of(const job &a)
{
    return {0, a.n, 0, a.n + 1};
}

static __host__ __device__ __forceinline__ cut rows_of(const slab &a)
{
    return a.rows;
}

/* RIM: the tile ends at the boundary, and does not have it. */
enum { WIDEST_RIM = 8 /* columns of a patch */ };
template <int C_, int LX_, int R_, int GROUPS_, int K_, bool RIM_ = false> struct shape {
    static constexpr int C = C_, LX = LX_, R = R_, GROUPS = GROUPS_, K = K_; /* K: steps */
    static constexpr bool RIM = RIM_;
    static constexpr int H = C / 2, THREADS = LX * GROUPS;
    static constexpr int WIDTH = LX * C, HEIGHT = R * GROUPS, LEVELS = 2 * K, HALO = LEVELS;
    static_assert(C % 2 == 0 && R % 2 == 0 && R <= LX && (LX == 16 || LX == 32) &&
                      THREADS % 32 == 0 && (!RIM || WIDEST_RIM % C == 0),
                  "");
};

/* Shared memory of a block, whatever its kernel. */
template <class F> struct board {
    /* By colour: the patches' rows 0 and R-1; those of the groups 0 and GROUPS+1 are nobody's.
     */
    real edge[2][2][F::GROUPS + 2][F::H][F::LX];
    real row[2][F::HEIGHT][2];            /* by colour: what updates need of a row */
    real side[2][F::RIM ? F::HEIGHT : 1]; /* by colour: the boundary beside the tile */
    real frame_row[2][F::WIDTH];          /* G in the rows of the boundary, */
    real frame_column[2][F::HEIGHT];      /* and in its columns, as the tile's lines say which */
    struct level now[F::LEVELS];          /* from the last exchange on */
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
    static constexpr bool BY_ROW = MODEL > 2; /* rows have something of their own */
    /* The boundary's values of a small patch stay in registers. */
    static constexpr bool KEPT = R * C * (int)sizeof(real) <= 64;
    enum { TABLES = MODEL == 3 ? 2 : MODEL == 4 ? 1 : 0 };

    real u[2][R][H];
    real column[TABLES + 1][C]; /* of the thread's columns: sine and cosine, or i h */
    real here;                  /* of the row whose entry in the board this lane makes */
    real here_too;
    bool at_side[2]; /* RIM: the boundary is in the west, east of the patch, */
    bool at_end[2];  /* and in the south, north */
    board<F> *b;
    int lane, g;
    /* Columns and rows of the boundary that are in the tile; -1: none. Two of a kind only where the
     * tile is as wide or high as the grid. */
    int lines[2][2];
    real kept[KEPT ? R : 1][KEPT ? C : 1]; /* G, */
    unsigned mine;                         /* and where it is, as bits */

    __device__ __forceinline__ tile(board<F> *on)
        : b(on), lane((int)threadIdx.x % LX), g((int)threadIdx.x / LX)
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

    /* The same of the thread's own points. */
    __device__ __forceinline__ void keep_lines(const job &a, origin at)
    {
        const int last = a.n + 1;
        mine = 0;
        UNROLLED (int r = 0; r < (KEPT ? R : 0); r++)
            UNROLLED (int q = 0; q < C; q++) {
                const int i = at.x + lane * C + q, j = at.y + g * R + r;
                const bool beside = i == 0 || i == last, above = j == 0 || j == last;
                const bool is = (beside || above) && i >= 0 && i <= last && j >= 0 && j <= last;
                const int side = beside ? (i == 0 ? WEST : EAST) : j == 0 ? SOUTH : NORTH;
                kept[r][q] = is ? a.frame[side * (a.n + 2) + (beside ? j : i)] : 0;
                mine |= is ? 1u << (r * C + q) : 0;
            }
    }

    /* Barriers before, if the board was in use, and after. */
    __device__ __forceinline__ void place(const job &a, origin at)
    {
        const int last = a.n + 1;
        find_lines(0, -at.x, last);
        find_lines(1, -at.y, last);
        if (F::RIM) {
            place_rim(a, at);
        } else if (KEPT) {
            keep_lines(a, at);
        } else if (is_framed()) {
            place_lines<0, HEIGHT>(a, b->frame_column, at.x, at.y);
            place_lines<1, WIDTH>(a, b->frame_row, at.y, at.x);
        }
        if (MODEL > 2)
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

    /* The board's rows for level l of those that are there. */
    template <int c> __device__ __forceinline__ void prepare(const job &a, int l)
    {
        if (!BY_ROW || lane >= R)
            return;
        real *const row = b->row[c][g * R + lane];
        if (MODEL == 4) {
            const struct level &now = b->now[l];
            row[0] = now.f0 + now.fy * here;
            row[1] = now.fx + now.fxy * here;
        } else {
            row[0] = FUSED ? a.c[c].k3 * here : here;
            row[1] = FUSED ? a.c[c].k3 * here_too : here_too;
        }
    }

    /* --- the boundary --- */

    /* Points of colour c at the boundary. The branches are the same for a whole warp, and
     * __syncwarp() keeps them branches. Blocks at the boundary set the pace of `hold`. Code for one
     * line in each direction, which is run twice if need be, is as fast as code for two, and stays
     * in the cache of instructions. */
    template <int c> __device__ __forceinline__ void set_frame(real s)
    {
        UNROLLED (int r = 0; r < (KEPT ? R : 0); r++)
            UNROLLED (int m = 0; m < H; m++) {
                const int q = 2 * m + ((r + c) & 1);
                const real fresh = s * kept[r][q];
                u[c][r][m] = mine >> (r * C + q) & 1 ? fresh : u[c][r][m];
            }
        const int count = KEPT ? 0 : lines[0][1] >= 0 || lines[1][1] >= 0 ? 2 : 1;
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
        if (at_end[0])
            UNROLLED (int m = 0; m < H; m++)
                b->edge[c][1][0][m][lane] = s * b->frame_row[0][lane * C + 2 * m + (1 - c)];
        if (at_end[1])
            UNROLLED (int m = 0; m < H; m++)
                b->edge[c][0][GROUPS + 1][m][lane] = s * b->frame_row[1][lane * C + 2 * m + c];
    }

    /* --- a level --- */

    template <int c> __device__ __forceinline__ void put_edges()
    {
        UNROLLED (int m = 0; m < H; m++) {
            b->edge[c][0][g + 1][m][lane] = u[c][0][m];
            b->edge[c][1][g + 1][m][lane] = u[c][R - 1][m];
        }
    }

    /* Point m of row r, from its neighbours and, FUSED, from their sums e + n and w + s. */
    template <int c>
    __device__ __forceinline__ void update(const job &a, int r, int m, real e, real w, real n,
                                           real s, real en, real ws)
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
            const real east = column[0][q] * second, north = column[TABLES > 1 ? 1 : 0][q] * first;
            fresh = k.alpha * old + (k.ke * (en + ws) + (east * (e - w) - north * (n - s)));
        } else {
            fresh = k.alpha * old + (k.kE * en + (k.kW * ws + (first + second * column[0][q])));
        }
        u[c][r][m] = fresh;
    }

    template <int c> __device__ __forceinline__ void relax(const job &a, bool framed, real after)
    {
        constexpr int o = 1 - c;
        if (F::RIM)
            set_rim<c>(after);
        real below[H], last[H], sum[H] = {}, corner = 0;
        UNROLLED (int m = 0; m < H; m++) {
            below[m] = b->edge[o][1][g][m][lane];
            last[m] = b->edge[o][0][g + 2][m][lane];
        }
        UNROLLED (int r = 0; r < R; r++) {
            const int odd = (r + c) & 1; /* own columns are 2 m + odd */
            const real *const row = u[o][r];
            real beyond = odd ? __shfl_down_sync(EVERY, row[0], 1, LX)
                              : __shfl_up_sync(EVERY, row[H - 1], 1, LX);
            if (F::RIM) {
                const real there = b->side[o][g * R + r];
                beyond = at_side[odd] ? there : beyond;
            }
            real fresh[H];
            UNROLLED (int m = 0; m < H; m++) {
                const real e = odd ? (m + 1 < H ? row[m + 1] : beyond) : row[m];
                const real w = odd ? row[m] : (m > 0 ? row[m - 1] : beyond);
                const real n = r + 1 < R ? u[o][r + 1][m] : last[m];
                const real s = r > 0 ? u[o][r - 1][m] : below[m];
                real ws = 0;
                fresh[m] = e + n;
                if (FUSED) /* the sum e + n of the neighbour of the same colour in the
                              south-west */
                    ws = r == 0 ? w + s : odd ? sum[m] : m > 0 ? sum[m - 1] : w + corner;
                update<c>(a, r, m, e, w, n, s, fresh[m], ws);
            }
            corner = row[0];
            UNROLLED (int m = 0; m < H; m++)
                sum[m] = fresh[m];
        }
        if (!F::RIM && framed)
            set_frame<c>(after);
        put_edges<c>();
    }

    /* A device counts the warps at a barrier, wherever in the code each is. */
    static __device__ __forceinline__ void meet()
    {
        __syncthreads();
    }

    /* As many barriers as relax_all() has, for a warp whose rows nobody needs: the loop over levels
     * there has no branch for it. */
    __device__ __forceinline__ void sit_out(int first, int count)
    {
        for (int l = first; l < anew(count); l++)
            meet();
    }

    /* All levels from now[0] on, of which `first` is the first and `count` the end. A barrier
     * before. */
    __device__ __forceinline__ void relax_all(const job &a, bool framed, int first, int count)
    {
        if (first == 0)
            prepare<0>(a, 0);
        else
            prepare<1>(a, 1);
        __syncwarp();
        for (int l = 0; l < count; l += 2) {
            if (l >= first) {
                relax<0>(a, framed, b->now[l].after);
                if (l + 1 < count)
                    prepare<1>(a, l + 1);
                meet();
            }
            if (l + 1 < count) {
                relax<1>(a, framed, b->now[l + 1].after);
                if (l + 2 < count)
                    prepare<0>(a, l + 2);
                meet();
            }
        }
    }

    /* Levels base .. base+count-1 of the launch. A barrier after. */
    __device__ __forceinline__ void read_levels(const job &a, int base, int count)
    {
        for (int k = (int)threadIdx.x; k < count; k += F::THREADS)
            b->now[k] = a.levels[base + k];
    }

    /* The boundary before the first level. A barrier before, for frames, and after. */
    __device__ __forceinline__ void begin(const job &a, bool framed)
    {
        if (F::RIM) {
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

/* --- hold --- */

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
        if (is_busy(a, which, t.g * F::R))
            t.relax_all(a, framed, a.begin, a.end);
        else
            t.sit_out(a.begin, a.end);
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
        t.relax_all(a, framed, pass == 0 ? a.begin : 0, end);
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

/* --- on the host --- */

struct limit;

/* A kernel's shape, and how it runs. */
struct way {
    void (*set_tiles)(const struct way *w, struct limit *l);
    enum status (*run)(struct limit *l);
    int steps, width, height; /* of an exchange or a pass; of a tile with its halo */
    unsigned fewest, most;    /* tiles for a block, if there are no fewer blocks for it; 0: any */
    unsigned (*at_once)(void);
    void (*launch)(const struct limit *l, const struct slab *of);
    void (*make_bills)(struct limit *l); /* of `hold`, else null */
};

struct place { /* of a level in the run */
    size_t record;
    int phase;
};

enum { MOST_LEVELS = 2048 /* of a launch of `hold` */ };

/* What a rank has for each of its cuts, in memory that its neighbour writes. Two halos follow, by
 * turns. */
struct mail {
    alignas(128) int ready;
    alignas(128) unsigned tally; /* its own */
};

struct limit {
    struct gpu gpu; /* the first, for gpu_load() and gpu_fetch() */
    const struct way *way;
    int own, ranks; /* 0 of 1, but for GPU-limit-ranks */
    unsigned blocks;
    unsigned *done; /* device [tiles], of `flow`, and how many passes each has done */
    unsigned passes_done;
    struct slab job;
    struct level *levels;       /* page-locked [MOST_LEVELS] */
    struct level *levels_there; /* device, the same */
    struct place from, to;      /* of the levels that are there, and of the first one after them */
    bool stepped;               /* since load: halos are no more those of the field */
    /* What is across the cuts below and above: what comes from there, and goes there; or null. */
    struct {
        struct mail *in, *out;
    } beside[2];
};

template <class F, int MODEL, int WAIT> static unsigned holds_at_once(void)
{
    ALLOW_SHARED((hold<F, MODEL, WAIT>), sizeof(holding<F>));
    return KNOWS_PARCELS
               ? min(BLOCKS_TOGETHER((hold<F, MODEL, WAIT>), F::THREADS, sizeof(holding<F>)),
                     MULTIPROCESSORS)
               : 0;
}

template <class F, int MODEL, int WAIT>
static void launch_hold(const struct limit *l, const struct slab *of)
{
    const job &all = *of;
    LAUNCH_TOGETHER((hold<F, MODEL, WAIT>), l->blocks, F::THREADS, sizeof(holding<F>))(all);
}

/* How far a point of a tile, halo included, is from what is its own; in steps from point to point.
 */
template <class F> static int steps_to(const lot &own, int x, int y)
{
    const int low = own.west ? 0 : F::HALO, first = own.south ? 0 : F::HALO;
    return max(max(low - x, x - (F::HALO + own.w - 1)), 0) +
           max(max(first - y, y - (F::HALO + own.h - 1)), 0);
}

/* What a tile needs of others after LEVELS levels, the first one red: as a level comes one point
 * nearer, no red one from as far away as LEVELS. */
template <class F> static bool is_needed(const lot &own, int x, int y)
{
    const int far = steps_to<F>(own, x, y);
    return x >= 0 && y >= 0 && x < F::WIDTH && y < F::HEIGHT && far > 0 &&
           (far < F::LEVELS || (far == F::LEVELS && (x + y) % 2 != 0));
}

struct point {
    int x, y;
};

/* The e-th value of a thread's patch. */
template <class F> static point point_of(int thread, int e)
{
    const int r = e / F::C, c = e % F::C / F::H, m = e % F::H;
    return {thread % F::LX * F::C + 2 * m + (r + c) % 2, thread / F::LX * F::R + r};
}

/* For each tile, and while one's are written. Of the tiles around, the k-th is k % 3 - 1 further
 * east and k / 3 - 1 further north. */
enum { AROUND = 9, SETS = 1 << AROUND };
template <class F> struct writer {
    struct bill<F> *all;
    const struct job *job;
    int thread[hall<F>::SEATS], seats; /* who sits there */
    int count[SETS], base[SETS];       /* points that a set of tiles needs, and its first bundle */
    int entry[SETS][AROUND];           /* where the bundle at work is among what each gets */

    int tile_beside(int tile, int k) const
    {
        const int tx = tile % job->tiles_x + k % 3 - 1, ty = tile / job->tiles_x + k / 3 - 1;
        const bool is = tx >= 0 && tx < job->tiles_x && ty >= 0 && ty < job->tiles / job->tiles_x;
        return is && k != AROUND / 2 ? ty * job->tiles_x + tx : -1;
    }

    bool is_in_grid(const lot &own, point p) const
    {
        const int i = own.at.x + p.x, j = own.at.y + p.y;
        return i >= 0 && j >= 0 && i <= job->n + 1 && j <= job->n + 1;
    }

    /* Where a tile's point is in another one. */
    static point point_in(const lot &other, const lot &own, point p)
    {
        return {p.x + own.at.x - other.at.x, p.y + own.at.y - other.at.y};
    }

    /* The tiles that need a point of this one. */
    unsigned who_needs(int tile, point p) const
    {
        const lot &own = all[tile].own;
        unsigned set = 0;
        if (!is_in_grid(own, p) || steps_to<F>(own, p.x, p.y) > 0)
            return 0;
        for (int k = 0; k < AROUND; k++) {
            const int to = tile_beside(tile, k);
            const point at = to < 0 ? point{0, 0} : point_in(all[to].own, own, p);
            set |= to >= 0 && is_needed<F>(all[to].own, at.x, at.y) ? 1u << k : 0;
        }
        return set;
    }

    bool give_seats(int tile)
    {
        struct bill<F> *const b = &all[tile];
        seats = 0;
        for (int k = 0; k < F::THREADS; k++) {
            bool gives = false, takes = false;
            for (int e = 0; e < F::R * F::C; e++) {
                const point p = point_of<F>(k, e);
                gives = gives || who_needs(tile, p) != 0;
                takes = takes || (is_in_grid(b->own, p) && is_needed<F>(b->own, p.x, p.y));
            }
            b->seat[k] = (short)(gives || takes ? seats++ + (takes ? TAKES : 0) : -1);
            if (seats > hall<F>::SEATS)
                return false;
        }
        return true;
    }

    /* In the order of places, so that lanes side by side have places side by side. */
    template <class DO> bool for_all(int tile, const DO &what)
    {
        for (int k = 0; k < F::THREADS; k++)
            if (all[tile].seat[k] >= 0)
                thread[all[tile].seat[k] % TAKES] = k;
        seats = 0;
        for (int k = 0; k < F::THREADS; k++)
            seats += all[tile].seat[k] >= 0;
        for (int p = 0; p < hall<F>::PACKS; p++)
            for (int seat = 0; seat < seats; seat++)
                for (int k = 0; k < EACH; k++) {
                    const int e = p * EACH + k;
                    const point at = point_of<F>(thread[seat], e);
                    const unsigned set = who_needs(tile, at);
                    if (set != 0 && !what(set, at, hall<F>::place_of(seat, e)))
                        return false;
                }
        return true;
    }

    /* Where a point of a tile is in its area. */
    int place_in(int tile, point p) const
    {
        const int thread_of = p.y / F::R * F::LX + p.x / F::C, r = p.y % F::R, q = p.x % F::C;
        const int e = r * F::C + (r + q) % 2 * F::H + q / 2;
        return hall<F>::place_of(all[tile].seat[thread_of] % TAKES, e);
    }

    /* The place-th value of the set's bundles; the first one of a bundle stands for all. */
    bool list(int tile, unsigned set, point p, int from)
    {
        const int k = count[set]++, bundle = base[set] + k / LOAD;
        struct bill<F> *const b = &all[tile];
        for (int i = k % LOAD; i < LOAD; i++)
            b->lists.out[bundle].at[i] = (unsigned short)from;
        for (int side = 0; side < AROUND; side++)
            if (set >> side & 1) {
                const int other = tile_beside(tile, side);
                struct bill<F> *const to = &all[other];
                if (k % LOAD == 0)
                    entry[set][side] = to->got++;
                const int at = entry[set][side];
                if (at >= hall<F>::BUNDLES)
                    return false;
                to->lists.from[at] = (unsigned)(tile * hall<F>::BUNDLES + bundle);
                const int place = place_in(other, point_in(to->own, b->own, p));
                for (int i = k % LOAD; i < LOAD; i++)
                    to->lists.in[at].at[i] = (unsigned short)place;
            }
        return true;
    }

    bool write(int tile)
    {
        struct bill<F> *const b = &all[tile];
        memset(count, 0, sizeof count);
        for_all(tile, [this](unsigned set, point, int) { return ++count[set] > 0; });
        for (int set = 0; set < SETS; set++) {
            base[set] = b->sent;
            b->sent += (count[set] + LOAD - 1) / LOAD;
        }
        memset(count, 0, sizeof count);
        return b->sent <= hall<F>::BUNDLES &&
               for_all(tile, [this, tile](unsigned set, point p, int from) {
                   return list(tile, set, p, from);
               });
    }
};

template <class F> static void make_bills(struct limit *l)
{
    const int tiles = l->job.tiles;
    struct writer<F> *const w = (struct writer<F> *)calloc(1, sizeof *w);
    struct bill<F> *const all = (struct bill<F> *)calloc((size_t)tiles, sizeof *all), *there = NULL;
    bool good = w != NULL && all != NULL;
    if (good) {
        w->all = all;
        w->job = &l->job;
        for (int k = 0; k < tiles; k++)
            all[k].own = lot_of<F>(l->job, k);
        for (int k = 0; k < tiles && good; k++)
            good = w->give_seats(k);
        for (int k = 0; k < tiles && good; k++)
            good = w->write(k);
        assert(good);
    }
    if (good)
        take_copy(&l->gpu.memory, &there, all, (size_t)tiles);
    else
        l->gpu.memory.status = ERR_MEMORY;
    l->job.bills = there;
    /* All ones: no parcel is there. */
    take_device(&l->gpu.memory, &l->job.parcels, 2 * PARTS * (size_t)tiles * hall<F>::BUNDLES);
    free(all);
    free(w);
}

template <class F, int MODEL> static unsigned flows_at_once(void)
{
    ALLOW_SHARED((flow<F, MODEL>), sizeof(passing<F>));
    return BLOCKS_TOGETHER((flow<F, MODEL>), F::THREADS, sizeof(passing<F>));
}

static int passes_of(const struct limit *l)
{
    return ((l->job.end + 1) / 2 - 1) / l->way->steps + 1;
}

template <class F, int MODEL> static void launch_flow(const struct limit *l, const struct slab *of)
{
    struct current all;
    (job &)all = *of;
    all.passes = passes_of(l);
    all.steps = (of->end + 1) / 2;
    all.base = l->passes_done;
    all.done = l->done;
    all.u[0] = (real *)of->from;
    all.u[1] = of->to;
    LAUNCH_TOGETHER((flow<F, MODEL>), l->blocks, F::THREADS, sizeof(passing<F>))(all);
}

template <class F, int MODEL, class JOB> static unsigned passes_at_once(void)
{
    ALLOW_SHARED((pass<F, MODEL, JOB>), sizeof(passing<F>));
    return BLOCKS_AT_ONCE((pass<F, MODEL, JOB>), F::THREADS, sizeof(passing<F>));
}

template <class F, int MODEL, class JOB>
static void launch_pass(const struct limit *l, const struct slab *of)
{
    const JOB &job = *of;
    if (JOB::SLAB)
        LAUNCH_EARLY((pass<F, MODEL, JOB>), l->blocks, F::THREADS, sizeof(passing<F>))(job);
    else
        LAUNCH((pass<F, MODEL, JOB>), l->blocks, F::THREADS, sizeof(passing<F>))(job);
}

static void set_even_tiles(const struct way *w, struct limit *l);
static void set_rim_tiles(const struct way *w, struct limit *l);
static void set_flow_tiles(const struct way *w, struct limit *l);
static void set_slab_tiles(const struct way *w, struct limit *l);
static enum status run_hold(struct limit *l);
static enum status run_flow(struct limit *l);
static enum status run_passes(struct limit *l);

#define SIZES(...) __VA_ARGS__::K, __VA_ARGS__::WIDTH, __VA_ARGS__::HEIGHT
#define HOLDING(set, model, wait, ...)                                                             \
    {                                                                                              \
        set, run_hold, SIZES(shape<__VA_ARGS__>), 0, 1,                                            \
            holds_at_once<shape<__VA_ARGS__>, model, wait>,                                        \
            launch_hold<shape<__VA_ARGS__>, model, wait>, make_bills<shape<__VA_ARGS__>>           \
    }
#define HOLD(model, wait, ...) HOLDING(set_even_tiles, model, wait, __VA_ARGS__)
#define RIMS(model, wait, ...) HOLDING(set_rim_tiles, model, wait, __VA_ARGS__, true)
#define FLOW(model, fewest, most, ...)                                                             \
    {                                                                                              \
        set_flow_tiles, run_flow, SIZES(shape<__VA_ARGS__>), fewest, most,                         \
            flows_at_once<shape<__VA_ARGS__>, model>, launch_flow<shape<__VA_ARGS__>, model>, NULL \
    }
#define PASS(model, job, most, ...)                                                                \
    {                                                                                              \
        job::SLAB ? set_slab_tiles : set_even_tiles, run_passes, SIZES(shape<__VA_ARGS__>), 0,     \
            most, passes_at_once<shape<__VA_ARGS__>, model, job>,                                  \
            launch_pass<shape<__VA_ARGS__>, model, job>, NULL                                      \
    }

/* C, LX, R, groups, K; before them the fewest and the most tiles a block, where what counts is how
 * evenly few are shared out, and that flow has older ones to wait for. The first one that has room
 * for the grid, an even one where it is RIMS, or that fits on the device and goes over it. At
 * double 1000 the wait is FOR_ALL, which all models but the second are better for. */
#if REAL_IS_DOUBLE
#define PASSES(model, job)                                                                         \
    PASS(model, job, 0, 2, 32, 16, 16, 6), PASS(model, job, 0, 2, 32, 16, 4, 6)
#define WAYS(model)                                                                                \
    HOLD(model, FOR_ONE, 2, 32, 4, 15, 4), RIMS(model, FOR_ALL, 4, 32, 8, 12, 5),                  \
        RIMS(model, FOR_ALL, 4, 32, 8, 11, 4), HOLD(model, FOR_ALL, 4, 32, 8, 11, 4),              \
        HOLD(model, FOR_ONE, 4, 32, 14, 12, 3), FLOW(model, 4, 40, 2, 32, 16, 16, 5),              \
        FLOW(model, 3, 15, 2, 32, 16, 8, 6), PASS(model, job, 3, 2, 32, 16, 16, 4),                \
        PASSES(model, job)
#else
#define PASSES(model, job)                                                                         \
    PASS(model, job, 0, 4, 32, 16, 16, 8), PASS(model, job, 0, 4, 32, 16, 4, 8)
#define WAYS(model)                                                                                \
    HOLD(model, FOR_ALL, 2, 32, 4, 16, 4), HOLD(model, FOR_ALL, 4, 32, 4, 22, 4),                  \
        HOLD(model, FOR_ONE, 4, 32, 6, 28, 3), RIMS(model, FOR_ONE, 8, 32, 14, 12, 5),             \
        HOLD(model, FOR_ONE, 8, 32, 14, 12, 5), FLOW(model, 3, 20, 4, 32, 16, 16, 8),              \
        PASSES(model, job)
#endif
static const struct way ways[][10] = {{WAYS(1)}, {WAYS(2)}, {WAYS(3)}, {WAYS(4)}};
enum { WAYS = sizeof ways[0] / sizeof *ways[0] };

/* Of n + 2 points along an axis, in tiles of `most` at most: an even number of points. */
static int tile_size(size_t n, int most)
{
    const int points = (int)n + 2, tiles = (points - 1) / most + 1;
    return ((points - 1) / tiles + 2) / 2 * 2;
}

static int tiles_of(size_t n, int size)
{
    return ((int)n + 1) / size + 1;
}

/* The halo of a pass of so many steps. */
static int halo_of(int steps)
{
    return (2 * steps + EACH - 1) / EACH * EACH;
}

/* Of each rank an even number of rows, but perhaps of the last one; none has a pair more than
 * another and one more. */
static size_t first_row(size_t n, int own, int ranks)
{
    return min((n + 3) / 2 * (size_t)own / (size_t)ranks * 2, n + 2);
}

/* Whether every rank of several has what its neighbours' halos need. */
static bool rows_suffice(size_t n, int ranks, int halo)
{
    bool all = true;
    for (int k = 0; k < ranks && ranks > 1; k++)
        all = all && first_row(n, k + 1, ranks) - first_row(n, k, ranks) >= (size_t)halo;
    return all;
}

static void set_rows(struct limit *l)
{
    const size_t n = l->gpu.in->n, halo = (size_t)l->job.halo;
    struct rows *const here = &l->gpu.here;
    here->first = first_row(n, l->own, l->ranks);
    here->end = first_row(n, l->own + 1, l->ranks);
    here->low = here->first < halo ? 0 : here->first - halo;
    here->high = min(here->end + halo, n + 2);
    l->job.rows = {(int)here->first, (int)(here->end - here->first) - 2, (int)here->low,
                   (int)here->high - 1};
}

/* Of a slab's rows of tiles the last one gets what the others, which are as high as can be, leave
 * it; of two both may be at cuts, where a halo's rows are wanted. */
static void set_rows_of_tiles(struct limit *l, int most)
{
    struct slab *const out = &l->job;
    const int rows = tiles_of(out->rows.n, most), cuts = (l->own > 0) + (l->own + 1 < l->ranks);
    out->height = rows > 2 ? most : out->height;
    out->upper = l->own + 1 < l->ranks ? rows - 1 : -1;
    out->hurried = out->tiles_x * min(rows, cuts);
}

/* Of tiles along one axis that end at the boundary: the even size of all but two; 0: it cannot be.
 * No patch has points of both strips of a tile. */
static int rim_size(int n, int most, int halo, int *tiles)
{
    const int left = n - 2 * (most - halo), size = most - 2 * halo;
    const int middle = (left + size - 1) / size;
    const int least = (2 * halo + WIDEST_RIM - 1) / WIDEST_RIM * WIDEST_RIM;
    *tiles = 2 + middle;
    if (n % 2 != 0 || left <= 0)
        return 0;
    const int even = ((left + middle - 1) / middle + 1) / 2 * 2;
    return left - (middle - 1) * even < least ? 0 : even;
}

/* Tiles that end at the boundary. More than any device has blocks: it cannot be. */
static void set_rim_tiles(const struct way *w, struct limit *l)
{
    struct slab *const out = &l->job;
    const int n = (int)l->gpu.in->n;
    int rows = 0;
    out->n = n;
    out->halo = 2 * w->steps;
    set_rows(l);
    out->width = rim_size(n, w->width, out->halo, &out->tiles_x);
    out->height = rim_size(n, w->height, out->halo, &rows);
    out->tiles = out->width == 0 || out->height == 0 ? INT_MAX : out->tiles_x * rows;
}

/* Tiles are alike, so that no block has more to do than the others; those of a pass begin at
 * multiples of 16 bytes. */
static void set_even_tiles(const struct way *w, struct limit *l)
{
    const size_t n = l->gpu.in->n;
    struct slab *const out = &l->job;
    const bool stays = w->make_bills != NULL;
    const int halo = stays ? 2 * w->steps : halo_of(w->steps), unit = stays ? 2 : EACH;
    const int width = (w->width - 2 * halo) / unit * unit;
    out->n = (int)n;
    out->halo = halo;
    out->more = 0; /* which one that was looked at before may have set */
    set_rows(l);
    out->width = (tile_size(n, width) + unit - 1) / unit * unit;
    out->height = tile_size(out->rows.n, w->height - 2 * halo);
    out->tiles_x = tiles_of(n, out->width);
    out->tiles = out->tiles_x * tiles_of(out->rows.n, out->height);
}

/* The westernmost tiles have no halo beyond the boundary, but so many more columns. */
static void set_flow_tiles(const struct way *w, struct limit *l)
{
    struct slab *const out = &l->job;
    set_even_tiles(w, l);
    if (out->n <= 2 * w->width)
        return;
    const size_t n = (size_t)(out->n - out->halo);
    const int width = (w->width - 2 * out->halo) / EACH * EACH;
    const int rows = out->tiles / out->tiles_x;
    out->more = out->halo;
    out->width = (tile_size(n, width) + EACH - 1) / EACH * EACH;
    out->tiles_x = tiles_of(n, out->width);
    out->tiles = out->tiles_x * rows;
}

static void set_slab_tiles(const struct way *w, struct limit *l)
{
    set_even_tiles(w, l);
    set_rows_of_tiles(l, w->height - 2 * l->job.halo);
}

/* Blocks of `flow`: what a tile waits for has to be older than what its block has not yet said. */
static unsigned blocks_of_flow(const struct job *a)
{
    return (unsigned)max(0, (a->tiles - a->tiles_x - 2) / 2);
}

static void choose(const struct way *from, int count, struct limit *l)
{
    for (int k = 0; k < count && l->way == NULL; k++) {
        const struct way *const w = &from[k];
        const unsigned at_once = w->at_once != NULL ? w->at_once() : 0;
        if (at_once == 0)
            continue;
        w->set_tiles(w, l);
        const unsigned tiles = (unsigned)l->job.tiles;
        l->blocks = min(tiles, at_once);
        if (w->run == run_flow)
            l->blocks = min(l->blocks, blocks_of_flow(&l->job));
        if (l->blocks > 0 && tiles >= w->fewest * at_once &&
            (w->most == 0 || tiles <= w->most * at_once))
            l->way = w;
    }
}

static bool same_coefficients(const stencil *a, const stencil *b)
{
    return a->alpha == b->alpha && a->ke == b->ke && a->kE == b->kE && a->kW == b->kW &&
           a->kN == b->kN && a->kS == b->kS && a->k3 == b->k3;
}

/* Levels from `from` on, as long as colours take turns and coefficients stay; up to a snapshot.
 */
static void set_levels(struct limit *l, struct place from)
{
    const struct parabolic *const p = l->gpu.in;
    const size_t records = parabolic_records(p);
    bool known[2] = {false, false};
    step s;
    P(parabolic_step)(p, from.record, &s);
    l->from = l->to = from;
    l->job.begin = l->job.end = s.colour[from.phase];
    l->job.s[RED] = s.s[RED];
    l->job.s[BLACK] = s.s[BLACK];
    while (l->job.end < MOST_LEVELS) {
        const stencil *const c = &s.stencil[l->to.phase];
        const int colour = s.colour[l->to.phase];
        stencil *const have = &l->job.c[colour];
        if (colour != l->job.end % 2 || (known[colour] && !same_coefficients(have, c)))
            break;
        if (!known[colour])
            *have = *c;
        known[colour] = true;
        struct level *const at = &l->levels[l->job.end++];
        *at = {s.s[colour], c->f0, c->fx, c->fy, c->fxy};
        if (++l->to.phase == s.phases) {
            l->to = {l->to.record + 1, 0};
            if (l->to.record == records || l->to.record == p->snapshot)
                break;
            P(parabolic_step)(p, l->to.record, &s);
            at->after = s.s[colour];
        }
    }
    for (int colour = 0; colour < 2; colour++)
        l->job.c[colour].h = (real)(1 / (double)(p->n + 1));
}

static enum status put_levels(struct limit *l, struct place from)
{
    set_levels(l, from);
    return device_put(l->levels_there, l->levels, (size_t)l->job.end * sizeof *l->levels);
}

static void take_all(struct limit *l, const struct parabolic *p)
{
    struct gpu *const g = &l->gpu;
    const size_t values = field_values(g);
    take_locked(&g->memory, &g->host, values);
    for (int k = 0; k < 2; k++)
        take_device(&g->memory, &g->u[k], values);
    if (p->snapshot > 0)
        take_device(&g->memory, &g->kept, values);
    upload_lines(g);
    take_locked(&g->memory, &l->levels, MOST_LEVELS);
    take_device(&g->memory, &l->levels_there, MOST_LEVELS);
    const size_t tiles = (size_t)l->job.tiles;
    if (l->way->make_bills != NULL)
        l->way->make_bills(l);
    if (l->way->run == run_flow) {
        unsigned *const none = (unsigned *)calloc(tiles, sizeof *none);
        if (none != NULL)
            take_copy(&g->memory, &l->done, none, tiles);
        else
            g->memory.status = ERR_MEMORY;
        free(none);
    }
}

static enum status make(const struct parabolic *p, const struct way *from, int count, int own,
                        int ranks, void **state)
{
    if (p->scheme == JACOBI)
        return because(SKIPPED, "jacobi needs a second array; CPU and GPU have one");
    const int halo = halo_of(from->steps); /* of several ranks, that of all ways */
    if (!rows_suffice(p->n, ranks, halo))
        return because(SKIPPED,
                       "%d ranks share %zu rows, and each needs %d, the halo of a pass; choose a "
                       "larger N, or fewer ranks",
                       ranks, p->n + 2, halo);
    struct limit *const l = (struct limit *)owner_new(sizeof *l);
    if (l == NULL)
        return ERR_MEMORY;
    struct gpu *const g = &l->gpu;
    g->in = p;
    g->layout = layout_of(p->n, false);
    l->own = own;
    l->ranks = ranks;
    choose(from, count, l);
    if (l->way == NULL)
        return planned(l,
                       because(SKIPPED, "no block of GPU-limit fits on this device: it has too "
                                        "little shared memory"),
                       state);
    take_all(l, p);
    l->job.pitch = (int)g->layout.pitch;
    l->job.levels = l->levels_there;
    l->job.frame = g->frame;
    l->job.sine = g->sine;
    l->job.cosine = g->cosine;
    return planned(l, g->memory.status, state);
}

static enum status plan(const struct instance *in, void **state)
{
    const struct parabolic *const p = (const struct parabolic *)in->data;
    return make(p, ways[p->model - 1], WAYS, 0, 1, state);
}

/* Where the boundary is and what the source, is data: for all steps, or so many as have room.
 */
static enum status load(void *state)
{
    struct limit *const l = (struct limit *)state;
    const enum status status = put_levels(l, {0, 0});
    l->stepped = false;
    return status == OK ? gpu_load(state) : status;
}

static size_t halo_values(const struct limit *l)
{
    return (size_t)l->job.halo * l->gpu.layout.pitch;
}

static real *halo_in(const struct limit *l, struct mail *m, int pass)
{
    return (real *)(m + 1) + (size_t)(pass % 2) * halo_values(l);
}

/* The first halos since load are those of the field. */
static void set_neighbours(const struct limit *l, struct slab *job)
{
    const struct rows *const here = &l->gpu.here;
    const size_t above = (here->end - here->low) * l->gpu.layout.pitch;
    for (int side = SOUTH; side <= NORTH; side++) {
        struct mail *const in = l->beside[side].in, *const out = l->beside[side].out;
        if (in != NULL)
            job->beside[side] = {l->stepped ? halo_in(l, in, job->pass)
                                            : job->from + (side == SOUTH ? 0 : above),
                                 &in->ready, halo_in(l, out, job->pass + 1), &out->ready};
    }
}

static enum status launch(struct limit *l, const struct slab *of)
{
    struct gpu *const g = &l->gpu;
    struct slab job = *of;
    job.from = g->u[g->now];
    job.to = g->u[1 - g->now];
    job.pass = l->job.pass++;
    set_neighbours(l, &job);
    g->now = 1 - g->now;
    l->stepped = true;
    l->way->launch(l, &job);
    return device_launched("GPU-limit");
}

static enum status run_hold(struct limit *l)
{
    const int levels = 2 * l->way->steps, exchanges = (l->job.end - 1) / levels;
    const enum status status = launch(l, &l->job);
    l->job.number += (unsigned)exchanges;
    return status;
}

static enum status run_flow(struct limit *l)
{
    const int passes = passes_of(l), now = l->gpu.now;
    const enum status status = launch(l, &l->job);
    l->passes_done += (unsigned)passes;
    l->gpu.now = (now + passes) % 2;
    return status;
}

/* As few passes as will do, of as many steps each: the last one is not the slowest. */
static enum status run_passes(struct limit *l)
{
    const int steps = (l->job.end + 1) / 2, passes = (steps - 1) / l->way->steps + 1;
    struct slab job = l->job;
    enum status status = OK;
    for (int k = 0; k < passes && status == OK; k++) {
        const int first = 2 * (steps * k / passes), next = 2 * (steps * (k + 1) / passes);
        job.levels = l->levels_there + first;
        job.begin = k == 0 ? l->job.begin : 0;
        job.end = (next < l->job.end ? next : l->job.end) - first;
        for (int colour = 0; colour < 2 && k > 0; colour++)
            job.s[colour] = l->levels[first - 2 + colour].after;
        status = launch(l, &job);
    }
    return status;
}

static enum status run(void *state, struct laps *laps)
{
    struct limit *const l = (struct limit *)state;
    const struct parabolic *const p = l->gpu.in;
    enum status status = OK;
    for (struct place at = {0, 0}; status == OK && at.record < parabolic_records(p); at = l->to) {
        if (l->from.record != at.record || l->from.phase != at.phase)
            status = put_levels(l, at);
        if (status == OK)
            status = l->way->run(l);
        if (status == OK && l->to.phase == 0)
            status = keep_snapshot(&l->gpu, l->to.record - 1);
    }
    lap(laps, "loop");
    return status;
}

} // namespace OURS
