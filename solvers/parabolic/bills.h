/*
 * What `hold` has from the host: for each tile which of its points go to which others, and where
 * they are to go there. No point is sent twice: those that the same tiles need go together.
 */
#pragma once
#include "hold.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

namespace OURS
{

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
    const int r = hall<F>::row_of(e), c = hall<F>::colour_of(e), m = e % F::H;
    return {thread % F::LX * F::C + 2 * m + (r + c) % 2, thread / F::LX * F::R + r};
}

/* For each tile, and while one's are written. Of the tiles around, the k-th is k % 3 - 1 further
 * east and k / 3 - 1 further north. */
enum { AROUND = 9, SETS = 1 << AROUND };
static constexpr int ANY = -1; /* colour */
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

    /* What others need, of a colour or of ANY, in the order of places, so that lanes side by side
     * have places side by side. */
    template <class DO> bool for_all(int tile, int colour, const DO &what)
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
                    if (colour != ANY && (at.x + at.y) % 2 != colour)
                        continue;
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
        const int e = hall<F>::value_of(r, (r + q) % 2, q / 2);
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
                    entry[set][side] = to->bundles.got++;
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

    bool write(int tile, int colour)
    {
        struct bill<F> *const b = &all[tile];
        memset(count, 0, sizeof count);
        for_all(tile, colour, [this](unsigned set, point, int) { return ++count[set] > 0; });
        for (int set = 0; set < SETS; set++) {
            base[set] = b->bundles.sent;
            b->bundles.sent += (count[set] + LOAD - 1) / LOAD;
        }
        memset(count, 0, sizeof count);
        return b->bundles.sent <= hall<F>::BUNDLES &&
               for_all(tile, colour, [this, tile](unsigned set, point p, int from) {
                   return list(tile, set, p, from);
               });
    }
};

template <class F> static void make_bills(struct job *job, struct memory *memory)
{
    const int tiles = job->tiles;
    struct writer<F> *const w = (struct writer<F> *)calloc(1, sizeof *w);
    struct bill<F> *const all = (struct bill<F> *)calloc((size_t)tiles, sizeof *all), *there = NULL;
    bool good = w != NULL && all != NULL;
    if (good) {
        w->all = all;
        w->job = job;
        for (int k = 0; k < tiles; k++)
            all[k].own = lot_of<F>(*job, k);
        for (int k = 0; k < tiles && good; k++)
            good = w->give_seats(k);
        for (int k = 0; k < tiles && good; k++)
            good = w->write(k, F::EARLY ? (int)RED : ANY);
        for (int k = 0; k < tiles; k++) {
            all[k].bundles.red_sent = all[k].bundles.sent;
            all[k].bundles.red_got = all[k].bundles.got;
        }
        for (int k = 0; k < tiles && good && F::EARLY; k++)
            good = w->write(k, BLACK);
        assert(good);
    }
    if (good)
        take_copy(memory, &there, all, (size_t)tiles);
    else
        memory->status = ERR_MEMORY;
    job->bills = there;
    /* All ones: no parcel is there. */
    take_device(memory, &job->parcels, 2 * PARTS * (size_t)tiles * hall<F>::BUNDLES);
    free(all);
    free(w);
}

} // namespace OURS
