/*
 * The yardstick of the family: one grid function after the other, every node by itself. Slow, and
 * meant to be read; do not tune it.
 */
#include "reference.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "../common/widest.h"
#include "base/random.h"
#include "rkc.h"

/* Some nodes of a row, from j on, of which all that is computed next is rounded up, or all of it
 * down, if the reference rounds otherwise: what comes after them. What is read and written in
 * between stays in between, since the call is of another library, and takes as long as a node. */
static inline size_t round_next(const struct reference *r, size_t i, size_t j, size_t end)
{
    enum { TOGETHER = 32 };
    const size_t next = (j / TOGETHER + 1) * TOGETHER;
    if (r->seed == 0)
        return end;
    (void)fesetround(bits_at(r->seed, i * r->pitch + j) & 1 ? FE_UPWARD : FE_DOWNWARD);
    return next < end ? next : end;
}

static inline void round_to_nearest(const struct reference *r)
{
    if (r->seed != 0)
        (void)fesetround(FE_TONEAREST);
}

/* --- the scheme --- */

/* The field at (i,j), boundary included, from that at interior nodes. */
static real closed(const struct reference *r, const real *interior, real moment, size_t i, size_t j)
{
    const struct curvature *p = r->p;
    const bool inner = i >= 1 && i < p->n1 && j >= 1 && j < p->n2;
    if (inner || p->boundary == NEUMANN)
        return interior[inside(i, p->n1) * r->pitch + inside(j, p->n2)];
    if (p->forced)
        return exact_at(moment, r->x[i * DERIVATIVES], r->y[j]);
    return r->u[i * r->pitch + j];
}

static real w_at(const struct reference *r, size_t i, size_t j)
{
    const struct curvature *p = r->p;
    const size_t from_i = inside(i, p->n1), from_j = inside(j, p->n2);
    if (p->boundary == DIRICHLET && (from_i != i || from_j != j))
        return 0;
    const struct around phi = around_node(r->v + from_i * r->pitch + from_j, r->pitch);
    return mean_curvature(&r->mesh, &phi);
}

/* The same of nodes j .. end-1 of row i, none of them on the boundary. */
WIDEST static void find_w(const struct reference *r, size_t i, size_t j, size_t end)
{
    const struct mesh mesh = r->mesh;
    const size_t pitch = r->pitch;
    const real *const v = r->v + i * pitch;
    real *const w = r->w + i * pitch;
#pragma omp simd
    for (size_t n = j; n < end; n++) {
        const struct around phi = around_node(v + n, pitch);
        w[n] = mean_curvature(&mesh, &phi);
    }
}

static void find_row_of_w(const struct reference *r, size_t i)
{
    const struct curvature *p = r->p;
    const bool inner = i >= 1 && i < p->n1;
    for (size_t j = 0, next; j <= p->n2; j = next) {
        next = round_next(r, i, j, p->n2 + 1);
        if (inner)
            find_w(r, i, j > 1 ? j : 1, next < p->n2 ? next : p->n2);
        for (size_t n = j; n < next; n++)
            if (!inner || n == 0 || n == p->n2)
                r->w[i * r->pitch + n] = w_at(r, i, n);
    }
}

INLINE void add_forcing(const struct reference *r, enum flow flow, const struct moment *m, size_t i,
                        size_t j, size_t end, real *f)
{
    const real *const x = r->x + i * DERIVATIVES, *const y = r->y;
    const size_t pitch = r->pitch;
#pragma omp simd
    for (size_t n = j; n < end; n++)
        f[n] += forcing_of(flow, m, x, y + n, pitch);
}

/* The right-hand side at nodes j .. end-1 of row i. */
WIDEST static void find_right_side(const struct reference *r, const struct moment *m, size_t i,
                                   size_t j, size_t end, real *f)
{
    const struct mesh mesh = r->mesh;
    const size_t pitch = r->pitch, begin = i * pitch;
    const real *const row_v = r->v + begin, *const row_w = r->w + begin;
    const struct moment moment = *m;
    if (r->p->flow == MEAN_CURVATURE) {
        memcpy(f + j, row_w + j, (end - j) * sizeof *f);
        if (r->p->forced)
            add_forcing(r, MEAN_CURVATURE, &moment, i, j, end, f);
        return;
    }
#pragma omp simd
    for (size_t n = j; n < end; n++) {
        const struct around phi = around_node(row_v + n, pitch);
        const struct around w = around_node(row_w + n, pitch);
        f[n] = willmore(&mesh, &phi, &w);
    }
    if (r->p->forced)
        add_forcing(r, WILLMORE, &moment, i, j, end, f);
}

/* u and the combination of k, if there is one, of a row: the argument of stage `what`, or the new
 * u. A reference that rounds otherwise has it a unit in the last place more or less, by chance:
 * where symmetric values cancel, all that round alike do, and what contracts does not. */
static void add_row(const struct reference *r, int what, size_t i, const struct combination *a,
                    real *to)
{
    const size_t begin = i * r->pitch;
    for (size_t j = 0; j < r->pitch;) {
        const uint64_t signs = bits_at(r->seed + (uint64_t)what * OTHERWISE, begin + j);
        const real off[] = {r->seed == 0 ? 0 : UNIT, r->seed == 0 ? 0 : -UNIT};
        for (const size_t next = round_next(r, i, j, r->pitch); j < next; j++) {
            const size_t at = begin + j;
            const real x = a == NULL ? r->u[at] : r->u[at] + combined(a->count, a, r->k, at);
            to[at] = x + x * off[signs >> j % 64 & 1];
        }
    }
}

/* The right-hand side at time t of u and the combination of k, if there is one: `what` of a step it
 * is. */
static void find_side(struct reference *r, int what, double t, const struct combination *a, real *k)
{
    const struct curvature *p = r->p;
    (void)round_next(r, 0, (size_t)what, 0);
    const struct moment m = moment_at(p->amplitude, t);
#pragma omp parallel if (r->nodes > LARGE)
    {
#pragma omp for schedule(static) /* k: the argument's interior, until it is known */
        for (size_t i = 0; i <= p->n1; i++)
            add_row(r, what, i, a, k);
        round_to_nearest(r);
#pragma omp for schedule(static)
        for (size_t i = 0; i <= p->n1; i++)
            for (size_t j = 0; j <= p->n2; j++)
                r->v[i * r->pitch + j] = closed(r, k, m.c, i, j);
#pragma omp for schedule(static)
        for (size_t i = 0; i <= p->n1; i++)
            find_row_of_w(r, i);
#pragma omp for schedule(static)
        for (size_t i = 1; i < p->n1; i++)
            for (size_t j = 1, next; j < p->n2; j = next) {
                next = round_next(r, i, j, p->n2);
                find_right_side(r, &m, i, j, next, k + i * r->pitch);
            }
        round_to_nearest(r);
    }
}

/* --- Runge-Kutta-Chebyshev --- */

enum { FIRST, BEFORE, NOW, SIDE }; /* its k: F_0, D_(j-1), D_j and F_j */

/* to, which may be one of the k, is the combination of k. */
static void combine(const struct reference *r, const struct combination *a, real *to)
{
#pragma omp parallel for schedule(static) if (r->nodes > LARGE)
    for (size_t i = 1; i < r->p->n1; i++)
        for (size_t j = 1, next; j < r->p->n2; j = next) {
            next = round_next(r, i, j, r->p->n2);
            for (size_t n = j; n < next; n++)
                to[i * r->pitch + n] = combined(a->count, a, r->k, i * r->pitch + n);
            round_to_nearest(r);
        }
}

static void chebyshev_stages(struct reference *r, double t, double tau)
{
    const int s = rkc_stages(rkc_rate(r->p), tau);
    const struct combination increment = {1, {NOW}, {1}};
    const struct rkc_stage zero = rkc_stage_of(0, s, tau);
    const struct combination first = {1, {FIRST}, {(real)zero.side}};
    find_side(r, 0, t, NULL, r->k[FIRST]);
    memset(r->k[BEFORE], 0, r->nodes * sizeof(real));
    combine(r, &first, r->k[NOW]);
    for (int j = 1; j <= s; j++) {
        const struct rkc_stage c = rkc_stage_of(j, s, tau);
        const struct combination next = {
            4,
            {NOW, BEFORE, SIDE, FIRST},
            {(real)c.now, (real)c.before, (real)c.side, (real)c.first}};
        find_side(r, j, t + c.node * tau, &increment, r->k[SIDE]);
        if (j == s)
            return;
        real *const later = r->k[BEFORE];
        combine(r, &next, later);
        r->k[BEFORE] = r->k[NOW];
        r->k[NOW] = later;
    }
}

/* --- a step by either method --- */

enum status P(reference_stage)(void *state, int s, double t, double tau)
{
    struct reference *r = state;
    if (r->method == CHEBYSHEV) {
        chebyshev_stages(r, t, tau);
        return OK;
    }
    const struct combination a = combination_of(r->pair->weight[s], tau);
    find_side(r, s, t + r->pair->node[s] * tau, s == 0 ? NULL : &a, r->k[s]);
    return OK;
}

void P(reference_stages)(struct reference *r, double t, double tau)
{
    for (int s = 0; s < (r->method == CHEBYSHEV ? 1 : r->pair->stages); s++)
        (void)P(reference_stage)(r, s, t, tau);
}

struct combination P(reference_error_of)(const struct reference *r, double tau)
{
    const real part = (real)(0.4 * tau);
    const struct combination chebyshev = {3, {NOW, FIRST, SIDE}, {R(-0.8), part, part}};
    return r->method == CHEBYSHEV ? chebyshev : combination_of(r->pair->error, tau);
}

enum status P(reference_error)(void *state, double tau, double *e)
{
    const struct reference *r = state;
    const struct combination a = P(reference_error_of)(r, tau);
    double most = 0;
#pragma omp parallel for schedule(static) if (r->nodes > LARGE) reduction(max : most)
    for (size_t i = 1; i < r->p->n1; i++)
        for (size_t j = 1; j < r->p->n2; j++)
            most = fmax(most, (double)error_size(combined(a.count, &a, r->k, i * r->pitch + j)));
    *e = most;
    return OK;
}

enum status P(reference_accept)(void *state, double tau, double t)
{
    struct reference *r = state;
    const struct curvature *p = r->p;
    const struct combination increment = {1, {NOW}, {1}};
    const struct combination a =
        r->method == CHEBYSHEV ? increment : combination_of(r->pair->result, tau);
    const real moment = moment_at(p->amplitude, t).c;
#pragma omp parallel if (r->nodes > LARGE)
    {
#pragma omp for schedule(static)
        for (size_t i = 0; i <= p->n1; i++)
            add_row(r, STAGES, i, &a, r->v);
        round_to_nearest(r);
#pragma omp for schedule(static)
        for (size_t i = 0; i <= p->n1; i++)
            for (size_t j = 0; j <= p->n2; j++)
                r->u[i * r->pitch + j] = closed(r, r->v, moment, i, j);
    }
    return OK;
}

/* --- from beginning to end --- */

enum status P(reference_make)(const struct curvature *p, enum method method, uint64_t seed,
                              struct reference *out)
{
    const size_t nodes = curvature_nodes(p), tables = DERIVATIVES * (p->n1 + p->n2 + 2);
    struct reference r = {.p = p,
                          .nodes = nodes,
                          .pitch = p->n2 + 1,
                          .mesh = mesh_of(p),
                          .seed = seed,
                          .method = method,
                          .pair = method == BOGACKI_SHAMPINE ? &bogacki_shampine : &merson};
    r.u = calloc((3 + STAGES) * nodes + tables, sizeof *r.u);
    if (r.u == NULL)
        return because(ERR_MEMORY, "there is no memory for a reference of %zu nodes", nodes);
    r.v = r.u + nodes;
    r.w = r.u + 2 * nodes;
    for (size_t s = 0; s < STAGES; s++)
        r.k[s] = r.u + (3 + s) * nodes;
    r.x = r.u + (3 + STAGES) * nodes;
    r.y = r.x + DERIVATIVES * (p->n1 + 1);
    P(curvature_initial)(p, r.u);
    P(curvature_tables)(p, r.x, r.y);
    *out = r;
    return OK;
}

void P(reference_free)(struct reference *r)
{
    free(r->u);
}

struct keeping {
    struct reference r; /* first: the calls are made with it */
    real *out;
};

static enum status keep(void *state, size_t field)
{
    const struct keeping *k = state;
    memcpy(k->out + field * k->r.nodes, k->r.u, k->r.nodes * sizeof *k->out);
    return OK;
}

enum status P(curvature_reference)(const struct curvature *p, enum method method, uint64_t seed,
                                   real *out)
{
    static const struct solver_calls calls = {P(reference_stage), P(reference_error),
                                              P(reference_accept), keep};
    struct keeping k = {.out = out};
    struct tally tally;
    enum status status = P(reference_make)(p, method, seed, &k.r);
    if (status == OK)
        status = curvature_run(p, method, method == MERSON ? p->eps : rkc_eps(p, REAL_IS_DOUBLE),
                               &calls, &k, &tally);
    P(reference_free)(&k.r);
    return status;
}

enum status P(curvature_estimate)(const struct curvature *p, enum method method, const real *u,
                                  double t, double tau, double *e)
{
    struct reference r = {.u = NULL};
    enum status status = P(reference_make)(p, method, 0, &r);
    if (status == OK)
        memcpy(r.u, u, r.nodes * sizeof *u);
    if (status == OK)
        P(reference_stages)(&r, t, tau);
    if (status == OK)
        status = P(reference_error)(&r, tau, e);
    P(reference_free)(&r);
    return status;
}
