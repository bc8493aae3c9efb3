/*
 * What a relaxation needs of a problem, and when it stops.
 */
#include "problem.h"

#include <math.h>
#include <string.h>

#include "stopping.h"

/* In the order of the parameter `method`. */
const struct lmm waveform_methods[] = {
    {1, {-1, 1}, {0, 1}},
    {1, {-1, 1}, {1, 0}},
    {1, {-1, 1}, {0.5, 0.5}},
    {2, {1.0 / 3, -4.0 / 3, 1}, {0, 0, 2.0 / 3}},
    {2, {0, -1, 1}, {-1.0 / 12, 8.0 / 12, 5.0 / 12}},
    {2, {0, -1, 1}, {-0.5, 1.5, 0}},
};

/* (-alpha + h beta D) / (alpha_k - h beta_k D), also for D = -inf. */
static double share(double alpha, double beta, double alpha_k, double beta_k, double hd)
{
    if (isinf(hd) && beta_k != 0)
        return -beta / beta_k;
    const double above = beta != 0 ? beta * hd - alpha : -alpha;
    return above / (beta_k != 0 ? alpha_k - beta_k * hd : alpha_k);
}

enum status waveform_scheme(const struct waveform *p, enum relaxation relaxation,
                            struct memory *owner, struct scheme *out)
{
    const struct lmm *m = &waveform_methods[p->method];
    const int k = m->steps;
    double *const values = take(owner, 4 * p->d * sizeof *values);
    *out = (struct scheme){.steps = k, .q1 = values};
    if (values == NULL)
        return owner->status;
    out->q2 = values + p->d;
    out->w = values + 2 * p->d;
    out->centre = values + 3 * p->d;
    memcpy(out->band, p->band, sizeof out->band);
    for (int lag = 0; lag <= k; lag++)
        out->b[lag] = p->h * m->beta[k - lag];
    for (size_t i = 0; i < p->d; i++) {
        const double hd = relaxation == JACOBI ? p->h * p->diagonal[i] : 0;
        const double below = m->beta[k] != 0 ? m->alpha[k] - m->beta[k] * hd : m->alpha[k];
        if (below == 0)
            return owner->status = because(
                       ERR_ARGS,
                       "component %zu has alpha_k - h beta_k a_ii = 0, and no next iterate; "
                       "choose another N or T",
                       i + 1);
        out->q1[i] = share(m->alpha[k - 1], m->beta[k - 1], m->alpha[k], m->beta[k], hd);
        out->q2[i] = k == 2 ? share(m->alpha[0], m->beta[0], m->alpha[k], m->beta[k], hd) : 0;
        out->w[i] = 1 / below;
        out->centre[i] = (relaxation == JACOBI ? 0 : p->diagonal[i]) - p->all;
    }
    return OK;
}

static double entry(const struct waveform *p, enum relaxation relaxation, size_t i, size_t j)
{
    if (i == j)
        return relaxation == JACOBI ? 0 : p->diagonal[i];
    return p->full != NULL ? p->full[i * p->d + j] : p->all;
}

#define MATRIX(type, suffix)                                                                       \
    void waveform_rows##suffix(const struct waveform *p, enum relaxation relaxation, size_t first, \
                               size_t count, type *m)                                              \
    {                                                                                              \
        _Pragma("omp parallel for schedule(static)") for (size_t i = first; i < first + count;     \
                                                          i++)                                     \
        {                                                                                          \
            type *const row = m + (i - first) * p->d;                                              \
            for (size_t j = 0; j < p->d; j++)                                                      \
                row[j] = (type)entry(p, relaxation, i, j);                                         \
            for (int b = 0; b < p->bands; b++)                                                     \
                if (p->band[b][i] != 0)                                                            \
                    row[(ptrdiff_t)i + p->offset[b]] = (type)(p->all + p->band[b][i]);             \
        }                                                                                          \
    }                                                                                              \
    void waveform_matrix##suffix(const struct waveform *p, enum relaxation relaxation, type *m)    \
    {                                                                                              \
        waveform_rows##suffix(p, relaxation, 0, p->d, m);                                          \
    }
MATRIX(float, _s)
MATRIX(double, _d)

double waveform_first(const struct waveform *p, size_t i, size_t n)
{
    return p->amplitude * (n == 1 && p->y1 != NULL ? p->y1[i] : p->y0[i]);
}

double waveform_g(const struct waveform *p, size_t i, size_t n)
{
    return p->g != NULL ? p->amplitude * p->g[i * p->points + n] : 0;
}

/* --- how a run goes on --- */

void progress_make(const struct waveform *p, enum relaxation relaxation, bool single,
                   struct memory *owner, struct progress *out)
{
    *out = (struct progress){.relaxation = relaxation,
                             .unit = single ? 0x1p-24 : 0x1p-53,
                             .err = take(owner, (size_t)p->nmax * sizeof *out->err)};
}

void progress_begin(struct progress *at)
{
    at->iterations = at->idle = 0;
    at->outcome = 0;
    at->most = at->least = 0;
}

bool progress_goes_on(const struct waveform *p, struct progress *at, double err)
{
    return progress_step(at, (struct wanted){p->tol, p->nmax}, err);
}

long progress_sure(const struct waveform *p, const struct progress *at)
{
    const long left = p->nmax - at->iterations, patience = PATIENCE_OF_PROGRESS - at->idle;
    return left < patience ? left : patience;
}

void progress_direct(struct progress *at)
{
    at->err[0] = NAN;
    at->iterations = 1;
    at->outcome = CONVERGED;
}

enum status waveform_plan_direct(const struct instance *in, bool symmetric)
{
    const struct waveform *const p = in->data;
    if (p->dense || in->at.problem->code != HEAT1D || p->method != 0)
        return because(SKIPPED,
                       "direct stepping is by implicit Euler with a tridiagonal matrix, as "
                       "on heat1d with storage=sparse");
    if (symmetric && get(&in->at, "skew") != 0)
        return because(SKIPPED, "the factorisation is of a symmetric matrix; choose skew=0");
    return OK;
}

void progress_put(const struct waveform *p, const struct progress *at, struct solution *out)
{
    const size_t first = p->d * p->points;
    const double trailer[TRAILER] = {at->relaxation, (double)at->iterations, at->outcome};
    for (size_t k = 0; k < TRAILER + (size_t)p->nmax; k++) {
        const size_t v = k - TRAILER;
        const double value = k < TRAILER                  ? trailer[k]
                             : v < (size_t)at->iterations ? at->err[v]
                                                          : (double)NAN;
        if (out->precision == DOUBLE)
            ((double *)out->values)[first + k] = value;
        else
            ((float *)out->values)[first + k] = (float)value;
    }
}
