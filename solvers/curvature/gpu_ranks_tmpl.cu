/*
 * gpu-ranks: Merson's method by several ranks, each of which has a slab of rows and as many rows of
 * its neighbours as all five right-hand sides of an attempt look at. So the stages need nobody
 * else: the outermost ones are found on both sides of a cut, and the halo shrinks by what a
 * right-hand side reaches. Then the new rows go to the neighbours and the largest error to all;
 * each rank decides about the step by itself, all alike.
 *
 * Mean-curvature flow goes by streams of tiles, as gpu-resident's, in one kernel for many steps:
 * tiles at a cut come first, and their rows are stored where the neighbour looks for its halo.
 * There are two places for each, of the two fields: who stores in one has had an error of its
 * neighbour since that looked there. Willmore flow, and what has no such memory or no room for
 * tiles, goes by sweeps, a launch for an attempt, with NCCL behind it. Nothing goes to the host
 * but, now and then, how far it is. The bits are those of gpu-resident's streams and sweeps.
 *
 * Of sweeps the host does not know which of two fields is u: both go, of which one is there.
 */
#define OURS P(ranks_of_curvature)
#include "stream.h"

#include "machine/far.h"
#include "machine/ranks.h"

namespace OURS
{

static constexpr long LOOK = 32; /* attempts after which the host looks how far it is */

/* --- the rows of a rank --- */

/* Of one rank, whose fields are some rows. */
struct part : march {
    unsigned first, end;       /* interior rows that are its own */
    unsigned low, high;        /* rows of its arrays, without the last one */
    unsigned from, to;         /* rows of its part of the answer, likewise */
    double *largest;           /* device, [1]: of the last attempt, of all ranks */
    bool begins;               /* there was none */
    struct progress *progress; /* device, [1] */
};

static __device__ __forceinline__ void leave(const struct part &m, const struct progress &p)
{
    *m.progress = p;
}

static __device__ CALLED void keep_part(const struct sweep m, unsigned low, unsigned from,
                                        unsigned count, const real *u, double t, real *field)
{
    keep_rows(m, low, from, count, u, t, field);
}

/* Of a step that is over; the state is in field `now`. */
static __device__ __forceinline__ void keep_parts(const struct part &m, const struct step &s,
                                                  unsigned now)
{
    const unsigned count = (m.to - m.from) * m.g.pitch;
    if (s.kept.first)
        keep_part(m.sweep, m.low, m.from, count, m.fields[now], s.control.t, m.kept);
    if (s.kept.field > 0)
        keep_part(m.sweep, m.low, m.from, count, m.fields[now], s.control.t,
                  m.kept + (size_t)s.kept.field * count);
}

/* --- sweeps --- */

/* As all_rows. */
struct some_rows {
    unsigned first, low, last, seen, count;
    __device__ __forceinline__ unsigned end() const
    {
        return last + 1;
    }
    __device__ __forceinline__ unsigned high() const
    {
        return seen;
    }
    __device__ __forceinline__ unsigned tiles() const
    {
        return count;
    }
};

static __device__ __forceinline__ some_rows rows_of(const struct part &m, unsigned more,
                                                    unsigned reach)
{
    const unsigned halo = more * reach, n1 = m.g.n1;
    const unsigned first = m.first > halo ? m.first - halo : 1;
    const unsigned last = (m.end + halo < n1 ? m.end + halo : n1) - 1;
    const unsigned seen = last + reach < n1 ? last + reach : n1;
    return {first, m.low, last, seen, ((last - first) / ROWS + 1) * m.sweep.across};
}

/* Blocks of a multiprocessor, as of gpu-resident: the compiler would take more registers. */
template <int flow> constexpr int together = (flow == WILLMORE && REAL_IS_DOUBLE) ? 2 : 4;

/* What becomes of the last attempt, and the next one. */
template <int flow>
static __global__ void __launch_bounds__(SWEEP, together<flow>) attempt(struct part m)
{
    SHARED(struct step, step, [1]);
    SHARED(struct tile, room, [1]);
    struct step *const s = step;
    if (m.progress->ended || m.progress->verdict == STEPS_DIVERGED)
        return;
    if (threadIdx.x == 0) {
        s->control = m.progress->control;
        s->verdict = STEP_ACCEPTED; /* a first right-hand side is to be found */
        s->kept = {false, false, 0};
        if (m.begins)
            (void)control_step(&s->control, m.times);
        else
            end_step(m, m.times, s, *m.largest);
    }
    __syncthreads();
    unsigned now = m.progress->number;
    now = !m.begins && s->verdict == STEP_ACCEPTED ? 1 - now : now;
    keep_parts(m, *s, now);
    real most = 0;
    if (!s->kept.ended && s->verdict != STEPS_DIVERGED)
        most = sweep_stages<flow>(m, now, s, room);
    else
        grid_sync(); /* all have read how it began */
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        leave(m, {s->control, now, s->verdict, s->kept.ended});
        *m.largest = (double)most;
    }
}

/* --- streams of tiles --- */

enum { MOST_RANKS = 64, LOWER = 0, UPPER = 1 /* neighbours */ };

/* What the others tell a rank, in its memory: by turns the largest error of an attempt, and the
 * number of the last one whose rows are there; behind it lie its halos. */
struct post {
    letter<real> largest[2][MOST_RANKS];
    int rows_are_there[MOST_RANKS];
    int to_a_line[4]; /* of a multiple of 16 bytes, like a letter */
};

struct mates {
    struct post *here, *lower, *upper; /* null: there is no such neighbour */
    struct post *const *posts;         /* device, [count] */
    int own, count;
    unsigned number; /* of the last attempt */
};

/* [STAGES][pitch], of a field. */
static __host__ __device__ inline real *halo_from(struct post *at, unsigned pitch, unsigned field,
                                                  int neighbour)
{
    return (real *)(at + 1) + (size_t)(2 * field + (unsigned)neighbour) * STAGES * pitch;
}

static inline size_t post_bytes(unsigned pitch)
{
    return sizeof(struct post) + (size_t)4 * STAGES * pitch * sizeof(real);
}

/* As all_lines. */
struct slab {
    static constexpr bool AHEAD = false; /* halos come with the decision */
    const struct part &m;
    const struct mates &all;
    unsigned now;
    const real *u;
    real *next;
    int base, first, told_below, told_from; /* rows before and behind which halos are asked */
    __device__ __forceinline__ slab(const struct part &m_, const struct mates &all_,
                                    const struct step &s, unsigned now_)
        : m(m_), all(all_), now(now_), u(m_.fields[now_]), next(m_.fields[1 - now_]),
          base((int)m_.low), first((int)m_.first)
    {
        const bool told = s.control.accepted > 0; /* else they are in the field at t = 0 */
        told_below = told ? first : base;
        told_from = told ? end() : high() + 1;
    }
    __device__ __forceinline__ int end() const
    {
        return (int)m.end;
    }
    __device__ __forceinline__ int high() const
    {
        return (int)m.high - 1;
    }
    /* Both rows of tiles at cuts come first. */
    __device__ __forceinline__ unsigned turn(unsigned t1, unsigned tiles1) const
    {
        return all.upper == NULL ? t1 : t1 == 0 ? tiles1 - 1 : t1 - 1;
    }
    __device__ __forceinline__ size_t place(int i, int j) const
    {
        return (size_t)(i - base) * m.g.pitch + (size_t)j;
    }
    __device__ __forceinline__ real *found_at(int i, int j) const
    {
        return next + place(i, j);
    }
    __device__ __forceinline__ const real *line(int i) const
    {
        const int from = (int)inside((size_t)i, m.g.n1);
        if (from < told_below)
            return halo_from(all.here, m.g.pitch, now, LOWER) + place(from, 0);
        if (from >= told_from)
            return halo_from(all.here, m.g.pitch, now, UPPER) + (size_t)(from - end()) * m.g.pitch;
        return u + place(from, 0);
    }
    /* New rows of columns from .. end-1 to a halo, which begins with row `begin`. */
    template <class S>
    __device__ __forceinline__ void tell(int row, int last_row, int from, int width, int begin,
                                         real *halo) const
    {
        for (int k = (int)threadIdx.x; k < (last_row - row) * width; k += S::ALL) {
            const int i = row + k / width, j = from + k % width;
            halo[(size_t)(i - begin) * m.g.pitch + (size_t)j] = next[place(i, j)];
        }
    }
    template <class S>
    __device__ __forceinline__ void found(const struct streaming &g, unsigned tile) const
    {
        const unsigned t1 = turn(tile / g.tiles2, g.tiles1), t2 = tile % g.tiles2;
        const int i0 = base + (int)(t1 * g.step1) + S::HALO, j0 = (int)(t2 * g.step2) + S::HALO;
        const int row = t1 == 0 ? first : i0, col = t2 == 0 ? 1 : j0;
        const int last_row = t1 == g.tiles1 - 1 ? end() : i0 + (int)g.step1;
        const int width = (t2 == g.tiles2 - 1 ? (int)m.g.n2 : j0 + (int)g.step2) - col;
        const int low = first + STAGES, high = end() - STAGES;
        if (all.lower != NULL && row < low)
            tell<S>(row, last_row < low ? last_row : low, col, width, first,
                    halo_from(all.lower, m.g.pitch, 1 - now, UPPER));
        if (all.upper != NULL && last_row > high)
            tell<S>(row > high ? row : high, last_row, col, width, high,
                    halo_from(all.upper, m.g.pitch, 1 - now, LOWER));
    }
};

/* By a warp of each block, behind a barrier of all of them: the largest error of all ranks' attempt
 * of this number, whose rows are here then. A place of an error is written again when its writer
 * has had the reader's next one, which is sent when all of its blocks have read this one. */
static __device__ __forceinline__ real largest_of_ranks(const struct mates &all, unsigned number,
                                                        real most)
{
    const int lane = (int)threadIdx.x % 32;
    for (int k = lane; blockIdx.x == 0 && k < all.count; k += 32)
        if (k != all.own) {
            signal_send(&all.posts[k]->rows_are_there[all.own], (int)number);
            letter_send(&all.posts[k]->largest[number % 2][all.own], most, number);
        }
    for (int k = lane; k < all.count; k += 32)
        if (k != all.own) {
            const struct post *const here = all.here;
            letter<real> one = letter_arrived(&here->largest[number % 2][k], number);
            for (unsigned looks = 0; !letter_there(one, number); lose_patience(&looks))
                one = letter_arrived(&here->largest[number % 2][k], number);
            signal_wait(&here->rows_are_there[k], (int)number);
            most = letter_word(one) > most ? letter_word(one) : most;
        }
    return largest_of_warp(most);
}

template <class S>
static __global__ void __launch_bounds__(S::ALL, 1)
    stream_on(struct part m, struct streaming g, struct mates all)
{
    stream_steps<S>(
        m, g, [&](const struct step &s, unsigned now) { return slab(m, all, s, now); },
        [&](int k, real most) {
            return all.count > 1 ? largest_of_ranks(all, all.number + 1 + (unsigned)k, most) : most;
        },
        [&](const struct step &s, unsigned now) { keep_parts(m, s, now); });
}

/* --- on the host --- */

struct ranks {
    struct memory memory;
    const struct curvature *in;
    struct part part;
    int own, count; /* of the ranks */
    unsigned halo, blocks;
    const way_of<ranks> *way; /* of streams; else null */
    void *posts[MOST_RANKS];  /* of all */
    struct mates all;
    unsigned number; /* attempts of all runs, of streams */
    real *rows;      /* host: of the field at t = 0 */
    struct tally tally;
};

static unsigned first_row(const struct curvature *p, int own, int count)
{
    return 1 + (unsigned)((p->n1 - 1) * (size_t)own / (size_t)count);
}

/* Every one of several has what its neighbours' halos need. */
static bool rows_suffice(const struct curvature *p, int count, unsigned halo)
{
    bool all = true;
    for (int k = 0; k < count && count > 1; k++)
        all = all && first_row(p, k + 1, count) - first_row(p, k, count) >= halo;
    return all;
}

static void set_rows(struct ranks *r)
{
    const unsigned n1 = (unsigned)r->in->n1;
    struct part *const m = &r->part;
    const bool lowest = r->own == 0, highest = r->own == r->count - 1;
    m->first = first_row(r->in, r->own, r->count);
    m->end = first_row(r->in, r->own + 1, r->count);
    m->low = lowest ? 0 : m->first - r->halo;
    m->high = highest ? n1 + 1 : m->end + r->halo;
    m->from = lowest ? 0 : m->first;
    m->to = highest ? n1 + 1 : m->end;
}

/* Of this rank's rows, the number of the last one if they begin with 0. */
static size_t rows_looked_at(const struct curvature *p)
{
    const int own = ranks_own(), count = ranks_count();
    const size_t halos = (size_t)STAGES * ((own > 0) + (own + 1 < count));
    const unsigned rows = first_row(p, own + 1, count) - first_row(p, own, count);
    return rows + halos - 1 + (own == 0) + (own + 1 == count);
}

/* Of the first stage, which has the most. */
static enum status set_blocks(struct ranks *r)
{
    const unsigned most = r->in->flow == WILLMORE
                              ? BLOCKS_TOGETHER(attempt<WILLMORE>, SWEEP, 0)
                              : BLOCKS_TOGETHER(attempt<MEAN_CURVATURE>, SWEEP, 0);
    const unsigned tiles =
        ((r->part.high - r->part.low - 1) / ROWS + 1) * (((unsigned)r->in->n2 - 2) / COLUMNS + 1);
    r->blocks = tiles < most ? tiles : most;
    return most > 0 ? OK
                    : because(SKIPPED,
                              "this device has no launch in which all blocks wait for each other");
}

/* --- which way --- */

template <class S> static unsigned stream_tiles(const struct curvature *p)
{
    const struct streaming g = streaming_of<S>(p, rows_looked_at(p));
    return g.tiles1 * g.tiles2;
}

template <class S> static unsigned stream_together(const struct curvature *)
{
    ALLOW_SHARED(stream_on<S>, sizeof(struct streamed<S>));
    return BLOCKS_TOGETHER(stream_on<S>, S::ALL, sizeof(struct streamed<S>));
}

template <class S> static void launch_stream(const struct ranks *r)
{
    LAUNCH_COOP(stream_on<S>, r->blocks, S::ALL, sizeof(struct streamed<S>))
    (r->part, streaming_of<S>(r->in, rows_looked_at(r->in)), r->all);
}

#define STREAMS(most, across, down, rows)                                                          \
    {                                                                                              \
        MEAN_CURVATURE, most, 0, 0, stream_together<shape<across, down, rows>>,                    \
            launch_stream<shape<across, down, rows>>, stream_tiles<shape<across, down, rows>>      \
    }
#define ANY ((unsigned)-1)

static const way_of<ranks> streams[] = {
    STREAMS(ANY, 2, 7, 7),
    STREAMS(MANY, 3, 5, 11),
};

static void meet(struct ranks *r)
{
    struct post *const *const posts = (struct post *const *)r->posts;
    struct mates *const all = &r->all;
    void **on_device = NULL;
    take_copy(&r->memory, &on_device, r->posts, (size_t)r->count);
    all->posts = (struct post **)on_device;
    all->here = posts[r->own];
    all->lower = r->own > 0 ? posts[r->own - 1] : NULL;
    all->upper = r->own + 1 < r->count ? posts[r->own + 1] : NULL;
    all->own = r->own;
    all->count = r->count;
}

/* By all ranks, and the same of all: OK, or SKIPPED, and then it goes by sweeps. */
static enum status choose_streams(struct ranks *r)
{
    const bool can = r->in->flow == MEAN_CURVATURE && choose(streams, r) == OK;
    if (!(ranks_most(can ? 0 : 1) == 0))
        return SKIPPED;
    return ranks_share(post_bytes((unsigned)r->in->n2 + 1), r->posts);
}

static enum status prepare(struct ranks *r)
{
    const struct curvature *const p = r->in;
    struct part *const m = &r->part;
    const size_t pitch = p->n2 + 1;
    set_rows(r);
    const size_t held = (m->high - m->low) * pitch;
    const enum status streamed = choose_streams(r);
    if (streamed != OK)
        r->way = NULL;
    const enum status status = streamed == SKIPPED ? set_blocks(r) : streamed;
    if (status != OK)
        return status;
    march_make(&r->memory, p, held, (m->to - m->from) * pitch, m);
    take_device(&r->memory, &m->progress, 1);
    if (r->way != NULL) {
        march_by_fields(&r->memory, p, held, 2 * r->blocks, m); /* maxima by turns */
        meet(r);
    } else {
        march_by_sweeps(&r->memory, p, held, r->blocks, m);
        take_device(&r->memory, &m->largest, 1);
    }
    r->rows = (real *)take_touched(&r->memory, held * sizeof *r->rows);
    return r->memory.status;
}

/* Cards of other sizes might round in another way, and then not agree about a step. */
static enum status plan(const struct instance *in, void **state)
{
    const struct curvature *const p = (const struct curvature *)in->data;
    const unsigned halo = STAGES * (p->flow == WILLMORE ? reach<WILLMORE> : reach<MEAN_CURVATURE>);
    const double cores = (double)MULTIPROCESSORS;
    if (!(ranks_most(cores) + ranks_most(-cores) == 0))
        return because(SKIPPED, "gpu-ranks takes cards that are alike");
    if (!rows_suffice(p, ranks_count(), halo))
        return because(SKIPPED,
                       "%d ranks share %zu rows, and each needs %u, the halo of a step; choose a "
                       "larger N, or fewer ranks",
                       ranks_count(), p->n1 - 1, halo);
    struct ranks *const r = (struct ranks *)owner_new(sizeof *r);
    const enum status status = ranks_agree(r == NULL ? ERR_MEMORY : OK);
    if (r == NULL || status != OK) {
        give_back(r);
        return status;
    }
    r->in = p;
    r->own = ranks_own();
    r->count = ranks_count();
    r->halo = halo;
    return planned(r, prepare(r), state);
}

static enum status load(void *state)
{
    const struct ranks *const r = (const struct ranks *)state;
    const struct part *const m = &r->part;
    const size_t held = (size_t)(m->high - m->low) * m->g.pitch;
    P(curvature_initial_rows)(r->in, m->low, m->high, r->rows);
    const enum status status = device_put(m->u, r->rows, held * sizeof *r->rows);
    return status == OK ? device_sync() : status;
}

/* The outermost rows of each rank to its neighbours' halos, of both fields; the largest error. */
static enum status exchange(const struct ranks *r)
{
    const struct part *const m = &r->part;
    const size_t line = m->g.pitch, halo = r->halo * line;
    struct rank_message messages[4];
    int count = 0;
    for (int k = 0; k < 2; k++) {
        real *const first = m->fields[k] + (m->first - m->low) * line;
        real *const end = m->fields[k] + (m->end - m->low) * line;
        if (r->own > 0)
            messages[count++] = {r->own - 1, first, first - halo, halo * sizeof *first};
        if (r->own + 1 < r->count)
            messages[count++] = {r->own + 1, end - halo, end, halo * sizeof *end};
    }
    const enum status status = count > 0 ? ranks_exchange(messages, count) : OK;
    return status == OK ? ranks_maximum(m->largest, 1) : status;
}

/* So many launches. */
static enum status advance(struct ranks *r, long launches)
{
    enum status status = OK;
    for (long n = 0; n < launches && status == OK; n++) {
        if (r->in->flow == WILLMORE)
            LAUNCH_COOP(attempt<WILLMORE>, r->blocks, SWEEP, 0)(r->part);
        else
            LAUNCH_COOP(attempt<MEAN_CURVATURE>, r->blocks, SWEEP, 0)(r->part);
        status = device_launched("gpu-ranks");
        r->part.begins = false;
        if (status == OK)
            status = exchange(r);
    }
    return status;
}

/* How far it is. */
static enum status look(struct ranks *r)
{
    struct part *const m = &r->part;
    return march_went(device_get(&m->last, m->progress, sizeof m->last), r->in, m->last);
}

/* A launch more than attempts: it decides about the last one. */
static enum status run_sweeps(struct ranks *r)
{
    const struct curvature *const p = r->in;
    const struct progress *const progress = &r->part.last;
    enum status status = device_put(r->part.progress, progress, sizeof *progress);
    r->part.begins = true;
    for (long done = 0; status == OK && !progress->ended; done += LOOK) {
        const long left = p->attempts > 0 ? p->attempts + 1 - done : LOOK;
        status = advance(r, left < LOOK ? left : LOOK);
        if (status == OK)
            status = look(r);
    }
    return status;
}

static unsigned attempts_of(const struct progress *progress)
{
    return (unsigned)(progress->control.accepted + progress->control.rejected);
}

static enum status run_streams(struct ranks *r)
{
    const struct progress *const progress = &r->part.last;
    enum status status = OK;
    while (status == OK && !progress->ended) {
        r->all.number = r->number + attempts_of(progress);
        r->way->launch(r);
        status = device_launched("gpu-ranks");
        if (status == OK)
            status = look(r);
    }
    r->number += attempts_of(progress);
    return status;
}

static enum status run(void *state, struct laps *laps)
{
    struct ranks *const r = (struct ranks *)state;
    begin_run(r->in, 0, &r->part);
    const enum status status = r->way != NULL ? run_streams(r) : run_sweeps(r);
    tally_end(&r->tally, &r->part.last.control, MERSON, 0);
    lap(laps, "loop");
    return status;
}

/* Of all fields the rows of all ranks. */
static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    struct ranks *const r = (struct ranks *)state;
    const struct part *const m = &r->part;
    const size_t line = m->g.pitch * sizeof *m->kept, rows = (m->to - m->from) * line;
    const struct rank_part part = {m->kept, curvature_fields(r->in) * rows, m->from * line, rows,
                                   rows,    m->g.nodes * sizeof *m->kept};
    const enum status taken = device_get(r->tally.taken, m->taken, MOST_LISTED * sizeof(double));
    const enum status brought = ranks_unload(&part, out->values);
    if (r->own == 0)
        steps_out(r->in, &r->tally, (real *)out->values + curvature_fields(r->in) * m->g.nodes);
    lap(laps, "back");
    return taken == OK ? brought : taken;
}

} // namespace OURS

extern const struct calls P(curvature_gpu_ranks);
const struct calls P(curvature_gpu_ranks) = {OURS::plan, OURS::load, OURS::run, OURS::fetch,
                                             give_back};
