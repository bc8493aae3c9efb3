/*
 * GPU-limit: as fast as the bits of the reference allow (gpu_limit.h). And GPU-limit-ranks, the
 * same by several ranks, each of which has a slab of rows: the bits stay the same.
 */
#include "gpu_limit.h"

#include "machine/ranks.h"

using namespace OURS;

/* All have the same halo, and as many steps in a pass: ranks agree, also on cards of two kinds. */
static const struct way ways_of_ranks[][2] = {
    {PASSES(1, slab)}, {PASSES(2, slab)}, {PASSES(3, slab)}, {PASSES(4, slab)}};
enum { WAYS_OF_RANKS = sizeof ways_of_ranks[0] / sizeof *ways_of_ranks[0] };

/* Every rank has the same in its memory: what comes across the cut below, then the same above. */
static enum status share_halos(struct limit *l)
{
    void *all[64];
    const size_t bytes = sizeof(struct mail) + 2 * halo_values(l) * sizeof(real);
    if (l->ranks == 1)
        return OK;
    const enum status status = ranks_share(2 * bytes, all);
    if (status != OK)
        return status;
    l->job.tally = &((struct mail *)all[l->own])->tally;
    for (int side = SOUTH; side <= NORTH; side++) {
        const int with = l->own + (side == SOUTH ? -1 : 1);
        if (with >= 0 && with < l->ranks)
            l->beside[side] = {(struct mail *)((char *)all[l->own] + (size_t)side * bytes),
                               (struct mail *)((char *)all[with] + (size_t)(1 - side) * bytes)};
    }
    return OK;
}

/* One rank is GPU-limit. None asks for shared memory before all can. */
static enum status plan_ranks(const struct instance *in, void **state)
{
    const struct parabolic *const p = (const struct parabolic *)in->data;
    const int m = p->model - 1, ranks = ranks_count();
    const enum status status =
        ranks_agree(ranks > 1 ? make(p, ways_of_ranks[m], WAYS_OF_RANKS, ranks_own(), ranks, state)
                              : make(p, ways[m], WAYS, 0, 1, state));
    if (status != OK)
        return status;
    return share_halos((struct limit *)*state);
}

/* The interior rows of all ranks, of a field that stands behind so many rows of the answer; what
 * begins and ends a row stays here. */
static enum status fetch_rows(const struct gpu *g, const real *field, size_t behind, void *all)
{
    const size_t n = g->layout.n, pitch = g->layout.pitch, row = n * sizeof *field;
    const size_t begin = rows_begin(&g->here), count = rows_end(&g->here, n) - begin;
    const struct rank_part part = {field + (begin - g->here.low) * pitch + 1,
                                   count * row,
                                   (behind + begin - 1) * row,
                                   row,
                                   pitch * sizeof *field,
                                   row};
    return ranks_unload(&part, all);
}

static enum status fetch_ranks(void *state, struct solution *out, struct laps *laps)
{
    const struct gpu *const g = &((const struct limit *)state)->gpu;
    const bool two = g->kept != NULL;
    const enum status first = two ? fetch_rows(g, g->kept, 0, out->values) : OK;
    const enum status last = fetch_rows(g, g->u[g->now], two ? g->layout.n : 0, out->values);
    lap(laps, "back");
    return first == OK ? last : first;
}

extern const struct calls P(parabolic_gpu_limit), P(parabolic_gpu_limit_ranks);
const struct calls P(parabolic_gpu_limit) = {plan, load, run, gpu_fetch, give_back};
const struct calls P(parabolic_gpu_limit_ranks) = {plan_ranks, load, run, fetch_ranks, give_back};
