/*
 * GPU-limit: as fast as the bits of the reference allow (gpu_limit.h). And GPU-limit-ranks, the
 * same by several ranks, each of which has a slab of rows: the bits stay the same.
 */
#include "gpu_limit.h"

using namespace OURS;

/* All have the same halo, and as many steps in a pass: ranks agree, also on cards of two kinds. */
static const struct way ways_of_ranks[][2] = {
    {PASSES(1, slab)}, {PASSES(2, slab)}, {PASSES(3, slab)}, {PASSES(4, slab)}};
enum { WAYS_OF_RANKS = sizeof ways_of_ranks[0] / sizeof *ways_of_ranks[0] };

/* Values of a field's interior that this rank has. */
static size_t part_of(const struct limit *l)
{
    const struct gpu *const g = &l->gpu;
    return (rows_end(&g->here, g->layout.n) - rows_begin(&g->here)) * g->layout.n;
}

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
    enum status status =
        ranks_agree(ranks > 1 ? make(p, ways_of_ranks[m], WAYS_OF_RANKS, ranks_own(), ranks, state)
                              : make(p, ways[m], WAYS, 0, 1, state));
    if (status != OK)
        return status;
    struct limit *const l = (struct limit *)*state;
    status = share_halos(l);
    if (status != OK)
        return status;
    struct memory *const memory = &l->gpu.memory;
    l->part = (real *)take_touched(memory, part_of(l) * sizeof *l->part);
    return memory->status;
}

/* All ranks bring what they have, also one whose copy failed, for which the others would wait. */
static enum status fetch_ranks(void *state, struct solution *out, struct laps *laps)
{
    const struct limit *const l = (const struct limit *)state;
    const struct gpu *const g = &l->gpu;
    const real *const fields[] = {g->kept, g->u[g->now]};
    real *all = (real *)out->values; /* null but on rank 0 */
    enum status worst = OK;
    for (int k = g->kept == NULL; k < 2; k++) {
        const enum status status = fetch_one(g, fields[k], l->part, laps);
        worst = worst == OK ? status : worst;
        ranks_collect(l->part, part_of(l) * sizeof *l->part, all);
        all = all == NULL ? NULL : all + g->layout.n * g->layout.n;
    }
    lap(laps, "back");
    return worst;
}

extern const struct calls P(parabolic_gpu_limit), P(parabolic_gpu_limit_ranks);
const struct calls P(parabolic_gpu_limit) = {plan, load, run, gpu_fetch, give_back};
const struct calls P(parabolic_gpu_limit_ranks) = {plan_ranks, load, run, fetch_ranks, give_back};
