/*
 * lapack-dptsv: the system (4) as any user of LAPACK would solve it, with the factorisation for a
 * symmetric positive definite tridiagonal matrix. It does not know that the matrix is Toeplitz.
 */
#include "bvp.h"

#ifdef HAVE_OPENBLAS

#include <limits.h>

#include "../common/memory.h"
#include "machine/threads.h"
#include "rhs.h"

void dptsv_(const int *n, const int *nrhs, double *d, double *e, double *b, const int *ldb,
            int *info);

struct dptsv {
    struct memory memory;
    const struct bvp *in;
    double *diagonal, *beside, *u; /* [n], [n], [n]; the last entry of `beside` is not used */
};

static enum status plan(const struct instance *in, void **state)
{
    const struct bvp *b = in->data;
    const size_t bytes = b->n * sizeof(double);
    if (b->n > INT_MAX)
        return because(SKIPPED, "LAPACK counts in int, and n = %zu is more than %d", b->n, INT_MAX);
    const enum status held = bvp_hold_f(in);
    if (held != OK)
        return held;
    struct dptsv *p = owner_new(sizeof *p);
    if (p == NULL)
        return ERR_MEMORY;
    p->in = b;
    p->diagonal = take_filled(&p->memory, bytes);
    p->beside = take_filled(&p->memory, bytes);
    p->u = take_filled(&p->memory, bytes);
    return planned(p, p->memory.status, state);
}

static enum status run(void *state, struct laps *laps)
{
    const struct dptsv *p = state;
    const struct bvp *b = p->in;
    const double h = 1.0 / (double)b->n, h2 = b->amplitude * (h * h);
    const int n = (int)b->n, one = 1;
    int info;
    /* All three anew: the call overwrites them. */
    for (size_t i = 0; i < b->n; i++) {
        p->diagonal[i] = 2;
        p->beside[i] = -1;
        p->u[i] = h2 * (b->code == RHS_INPUT ? b->f[i] : rhs_double(b->code, h * (double)i));
    }
    p->diagonal[0] = 1;
    p->u[0] *= 0.5;
    lap(laps, "f");
    dptsv_(&n, &one, p->diagonal, p->beside, p->u, &n, &info);
    lap(laps, "solve");
    return info == 0 ? OK : because(ERR_DIVERGED, "dptsv gave up with info = %d", info);
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct dptsv *p = state;
    copy_bytes(out->values, p->u, p->in->n * sizeof *p->u);
    lap(laps, "back");
    return OK;
}

const struct calls bvp_dptsv = {.plan = plan, .run = run, .fetch = fetch, .destroy = give_back};

#endif
