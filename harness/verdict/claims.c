/*
 * The claims of a paper, in print and here: each holds, or not, in the cells that it speaks of.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "verdict/verdict.h"

const char *const hold_names[] = {"HOLDS",    "PARTLY",      "TIED",
                                  "REVERSED", "NOT PRINTED", "NOT MEASURED"};

enum { MOST_SIZES = 64 };

struct quantity { /* what a claim speaks of, in one cell, with its interval */
    double value, least, most;
};

static struct quantity cell_quantity(const struct cell *cell, const char *hardware,
                                     enum where where)
{
    const bool second = hardware != NULL && strcmp(cell->second.hardware, hardware) == 0;
    const double value = where == HERE ? cell->reproduced
                         : second      ? cell->second.value
                                       : cell->printed.value;
    const bool interval = where == HERE && !isnan(cell->ci_lo);
    return (struct quantity){value, interval ? cell->ci_lo : value, interval ? cell->ci_hi : value};
}

/* Sizes that the paper has not say nothing about its claims. */
static bool size_of_paper(const struct exhibit *e, const char *n)
{
    long sizes[MOST_SIZES];
    int count = 0;
    bool any = false;
    if (e->over != NULL)
        return true;
    if (expand_axis(source_exhibit(e)->axis.paper, sizes, MOST_SIZES, &count) != OK)
        return false;
    for (int i = 0; i < count; i++)
        any = any || sizes[i] == strtol(n, NULL, 10);
    return any;
}

/* False: the claim does not speak of this cell, or it has no value. */
static bool claim_quantity(const struct verdicts *all, const struct claim *claim,
                           const struct cell *left, enum where where, struct quantity *out)
{
    if (strcmp(left->key.variant, claim->left) != 0 || strcmp(left->metric, claim->metric) != 0 ||
        left->exhibit->published != NULL || strtod(left->key.n, NULL) < claim->from_n ||
        !glob_matches(claim->cells, key_path(&left->key)) ||
        !size_of_paper(left->exhibit, left->key.n))
        return false;
    const struct quantity l = cell_quantity(left, claim->hardware, where);
    *out = l;
    if (claim->right != NULL) {
        struct key key = left->key;
        key.variant = intern(claim->right);
        const struct cell *right = find_cell(all, left->exhibit, &key, claim->metric);
        key.precision = NULL;
        if (right == NULL)
            right = find_cell(all, left->exhibit, &key, claim->metric);
        if (right == NULL)
            return false;
        const struct quantity r = cell_quantity(right, claim->hardware, where);
        *out = (struct quantity){r.value / l.value, r.least / l.most, r.most / l.least};
    }
    return l.value > 0 && out->value > 0;
}

static int case_number(const struct cell *cell)
{
    const struct exhibit_case *cases = exhibit_cases(cell->exhibit);
    int i = 0;
    while (cases[i].id != NULL && strcmp(cases[i].id, cell->key.of) != 0)
        i++;
    return i;
}

/* The quantity one step before along n or along the cases. */
static bool previous_quantity(const struct verdicts *all, const struct claim *claim,
                              const struct cell *cell, enum where where, bool along_n,
                              struct quantity *out)
{
    double nearest_step = -INFINITY;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        struct quantity q;
        if (c->exhibit != cell->exhibit || c->key.precision != cell->key.precision ||
            !(along_n ? c->key.of == cell->key.of : c->key.n == cell->key.n) ||
            !claim_quantity(all, claim, c, where, &q))
            continue;
        const double step = along_n ? strtod(c->key.n, NULL) - strtod(cell->key.n, NULL)
                                    : case_number(c) - case_number(cell);
        if (step < 0 && step > nearest_step) {
            nearest_step = step;
            *out = q;
        }
    }
    return nearest_step < 0 && !isinf(nearest_step);
}

/* Asked of the cell in the case that should be the largest: +1, 0 within the intervals, -1. */
static int largest_in_case(const struct verdicts *all, const struct claim *claim,
                           const struct cell *cell, enum where where, const struct quantity *mine)
{
    int holds = 1;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *c = &all->cells[i];
        struct quantity q;
        if (c == cell || c->exhibit != cell->exhibit || c->key.n != cell->key.n ||
            c->key.precision != cell->key.precision || !claim_quantity(all, claim, c, where, &q) ||
            mine->value >= q.value)
            continue;
        const int here = mine->most >= q.least ? 0 : -1;
        holds = here < holds ? here : holds;
    }
    return holds;
}

/* +1 holds, -1 reversed, 0 tied: the intervals overlap. False: the cell has nothing to compare. */
static bool claim_holds(const struct verdicts *all, const struct claim *claim,
                        const struct cell *cell, enum where where, const struct quantity *q,
                        int *holds)
{
    const enum predicate p = claim->predicate;
    struct quantity before = {NAN, NAN, NAN};
    switch (p) {
    case BELOW:
        *holds = q->least > 1 ? 1 : q->most < 1 ? -1 : 0;
        return true;
    case WITHIN:
        *holds = q->value >= claim->least && q->value <= claim->most ? 1 : -1;
        return true;
    case REACHES:
        *holds = q->value >= claim->least ? 1 : -1;
        return true;
    case GROWS_WITH_N:
    case FALLS_WITH_N:
    case GROWS_WITH_CASE:
    case FALLS_WITH_CASE:
        if (!previous_quantity(all, claim, cell, where, p == GROWS_WITH_N || p == FALLS_WITH_N,
                               &before))
            return false;
        if (p == GROWS_WITH_N || p == GROWS_WITH_CASE)
            *holds = q->value > before.value ? 1 : -1;
        else
            *holds = q->value < before.value ? 1 : -1;
        return true;
    case LARGEST_IN_CASE:
        *holds = largest_in_case(all, claim, cell, where, q);
        return strcmp(cell->key.of, claim->best) == 0;
    }
    return false;
}

/* Whether it holds in a cell. False: it is not judged there. */
static bool judge_cell(const struct verdicts *all, const struct outcome *outcome,
                       const struct cell *cell, enum where where, struct quantity *q, int *holds)
{
    return cell->paper == outcome->paper && claim_quantity(all, outcome->claim, cell, where, q) &&
           claim_holds(all, outcome->claim, cell, where, q, holds);
}

bool judged_here(const struct verdicts *all, const struct outcome *outcome, const struct cell *cell)
{
    struct quantity q;
    int holds;
    return judge_cell(all, outcome, cell, HERE, &q, &holds);
}

static void decide_claim(const struct verdicts *all, struct outcome *outcome, enum where where)
{
    const struct claim *claim = outcome->claim;
    int ties = 0;
    outcome->largest[where] = NAN;
    for (size_t i = 0; i < all->count; i++) {
        struct quantity q;
        int holds;
        if (!judge_cell(all, outcome, &all->cells[i], where, &q, &holds))
            continue;
        outcome->largest[where] = fmax(outcome->largest[where], q.value);
        outcome->cells[where]++;
        outcome->holds[where] += holds > 0;
        ties += holds == 0;
    }
    const int cells = outcome->cells[where], holds = outcome->holds[where];
    const bool reached = claim->predicate == REACHES && holds > 0;
    outcome->hold[where] = cells == 0 ? where == IN_PRINT ? CLAIM_NOT_PRINTED : CLAIM_NOT_MEASURED
                           : reached || holds == cells ? HOLDS
                           : holds + ties == cells     ? TIED
                           : holds == 0                ? REVERSED
                                                       : PARTLY;
}

/* Some cell of the run could bear it out or not. */
static bool speaks_of_run(const struct verdicts *all, const struct paper *paper,
                          const struct claim *claim)
{
    bool any = false;
    for (size_t i = 0; i < all->count && !any; i++) {
        const struct cell *c = &all->cells[i];
        any = c->paper == paper && strcmp(c->key.variant, claim->left) == 0 &&
              glob_matches(claim->cells, key_path(&c->key));
    }
    return any;
}

enum status claims_decide(struct verdicts *all)
{
    size_t count = 0;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct claim *c = claims_of(papers[i]); c->id != NULL; c++)
            count++;
    all->claims = calloc(count + 1, sizeof *all->claims);
    if (all->claims == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu claims", count);
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct claim *c = claims_of(papers[i]); c->id != NULL; c++) {
            if (!speaks_of_run(all, papers[i], c))
                continue;
            struct outcome *outcome = &all->claims[all->claim_count++];
            *outcome = (struct outcome){.claim = c, .paper = papers[i]};
            decide_claim(all, outcome, IN_PRINT);
            decide_claim(all, outcome, HERE);
        }
    return OK;
}

bool erratum_applied(const struct verdicts *all, const struct paper *paper,
                     const struct erratum *erratum)
{
    const bool assumption = erratum->effect == ASSUMPTION && erratum->applies_to != NULL;
    bool any = false;
    for (size_t i = 0; i < all->count && !any; i++) {
        const struct cell *c = &all->cells[i];
        any = c->paper == paper &&
              (strcmp(c->id, erratum->id) == 0 ||
               (assumption && c->verdict != VERDICT_NOT_MEASURED &&
                fnmatch(erratum->applies_to, key_path(&c->key), FNM_EXTMATCH) == 0));
    }
    for (size_t i = 0; i < all->claim_count && !any; i++) {
        const struct outcome *o = &all->claims[i];
        any = o->paper == paper && o->claim->erratum != NULL &&
              strcmp(o->claim->erratum, erratum->id) == 0;
    }
    return any;
}
