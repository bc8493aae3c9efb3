/*
 * gpu-ranks: Merson's method by several ranks, each of which has a slab of rows and as many rows of
 * its neighbours as all five right-hand sides of an attempt look at. So the stages need nobody
 * else: the outermost ones are found on both sides of a cut, and the halo shrinks by what a
 * right-hand side reaches. Then the new rows go to the neighbours and the largest error to all;
 * each rank decides about the step by itself, all alike, when it begins the next one. Nothing goes
 * to the host but, now and then, how far it is. The bits are those of gpu-resident's sweeps.
 *
 * The host does not know which of two fields is u: both of them go, of which one is there already.
 */
#define OURS P(ranks_of_curvature)
#include "march.h"

#include "machine/ranks.h"

namespace OURS
{

static constexpr long LOOK = 32; /* attempts after which the host looks how far it is */

/* Of one rank, whose fields are some rows. */
struct part : march {
    unsigned first, end; /* interior rows that are its own */
    unsigned low, high;  /* rows of its arrays, without the last one */
    unsigned from, to;   /* rows of its part of the answer, likewise */
    double *largest;     /* device, [1]: of the last attempt, of all ranks */
    bool begins;         /* there was none */
};

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

static __device__ CALLED void keep_part(const struct part m, const real *u, double t, int field)
{
    const unsigned count = (m.to - m.from) * m.g.pitch;
    keep_rows(m.sweep, m.low, m.from, count, u, t, m.kept + (size_t)field * count);
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
    if (s->kept.first)
        keep_part(m, m.fields[now], s->control.t, 0);
    if (s->kept.field > 0)
        keep_part(m, m.fields[now], s->control.t, s->kept.field);
    real most = 0;
    if (!s->kept.ended && s->verdict != STEPS_DIVERGED)
        most = sweep_stages<flow>(m, now, s, room);
    else
        grid_sync(); /* all have read how it began */
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *m.progress = {s->control, now, s->verdict, s->kept.ended};
        *m.largest = (double)most;
    }
}

/* --- on the host --- */

struct ranks {
    struct memory memory;
    const struct curvature *in;
    struct part part;
    int own, count; /* of the ranks */
    unsigned halo, blocks;
    real *rows; /* host: of the field at t = 0, and of a field of the answer */
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

static enum status prepare(struct ranks *r)
{
    const struct curvature *const p = r->in;
    struct part *const m = &r->part;
    set_rows(r);
    const enum status status = set_blocks(r);
    if (status != OK)
        return status;
    const size_t pitch = p->n2 + 1, held = (m->high - m->low) * pitch;
    march_make(&r->memory, p, held, (m->to - m->from) * pitch, m);
    march_by_sweeps(&r->memory, p, held, r->blocks, m);
    take_device(&r->memory, &m->largest, 1);
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
    if (r == NULL)
        return ERR_MEMORY;
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

/* A launch more than attempts: it decides about the last one. */
static enum status run(void *state, struct laps *laps)
{
    struct ranks *const r = (struct ranks *)state;
    const struct curvature *const p = r->in;
    const struct progress *const progress = &r->part.last;
    march_begin(p, 0, &r->part);
    enum status status = device_put(r->part.progress, progress, sizeof *progress);
    r->part.begins = true;
    for (long done = 0; status == OK && !progress->ended; done += LOOK) {
        const long left = p->attempts > 0 ? p->attempts + 1 - done : LOOK;
        status = advance(r, left < LOOK ? left : LOOK);
        if (status == OK)
            status = march_look(p, &r->part);
    }
    tally_end(&r->tally, &progress->control, MERSON, 0);
    lap(laps, "loop");
    return status;
}

/* All ranks bring what they have, also one whose copy failed, for which the others would wait. */
static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    struct ranks *const r = (struct ranks *)state;
    const struct part *const m = &r->part;
    const size_t own = (size_t)(m->to - m->from) * m->g.pitch, bytes = own * sizeof *r->rows;
    real *to = (real *)out->values; /* null but on rank 0 */
    enum status worst = device_get(r->tally.taken, m->taken, MOST_LISTED * sizeof(double));
    for (size_t k = 0; k < curvature_fields(r->in); k++) {
        const enum status status = device_get(r->rows, m->kept + k * own, bytes);
        worst = worst == OK ? status : worst;
        ranks_collect(r->rows, bytes, to);
        to = to == NULL ? NULL : to + m->g.nodes;
    }
    if (to != NULL)
        steps_out(r->in, &r->tally, to);
    lap(laps, "back");
    return worst;
}

} // namespace OURS

extern const struct calls P(curvature_gpu_ranks);
const struct calls P(curvature_gpu_ranks) = {OURS::plan, OURS::load, OURS::run, OURS::fetch,
                                             give_back};
