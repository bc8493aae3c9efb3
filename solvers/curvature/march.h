/*
 * Merson's method by kernels that decide about its steps themselves: what a launch is told, the
 * decision, and the stages by sweeps over memory (sweep.h). For gpu-resident and gpu-ranks.
 */
#pragma once
#include "sweep.h"
#include "told.h"

namespace OURS
{

enum { MOMENTS = 3 }; /* after a third, a half and all of a step */

/* What the host and a launch tell each other. */
struct progress {
    struct control control;
    unsigned number; /* of the last exchange; of sweeps, which field is u */
    int verdict;
    bool ended;
};

struct march {
    struct plane g;
    double eps, over_eps; /* 1/eps */
    bool fixed;
    int count;
    long attempts;
    const double *times;  /* device, [count] */
    real *u;              /* at the beginning, and where a launch ends */
    real *kept;           /* [fields][nodes] */
    double *taken;        /* device, [MOST_LISTED]: the first attempts */
    letter<real> *mail;   /* [2][nodes]: of an exchange, the argument */
    letter<real> *votes;  /* [2][copies][blocks] */
    struct progress last; /* what the one before a launch told */
    told<struct progress> heard;
    struct sweep sweep; /* where it goes by sweeps, and its values, [nodes] */
    real *fields[2], *k[STAGES - 1];
};

/* What is the same for all nodes in a step; in shared memory. */
struct step {
    struct control control;
    struct kept kept;
    int verdict;
    struct moment begin, moments[MOMENTS];
    real length, third, sixth, eighth, part;
    real largest[32];
};

/* How a launch ends, by one thread of it. */
static __device__ __forceinline__ void leave(const struct march &m, const struct progress &p)
{
    tell(m.heard, p);
}

/* By a warp: what a step takes, as soon as its length is known. */
static __device__ __forceinline__ void find_moments(const struct march &m, struct step *s)
{
    const unsigned lane = threadIdx.x % 32;
    __syncwarp();
    const double tau = s->control.step;
    const double by = lane == 0 ? 1.0 / 3 : lane == 1 ? 0.5 : lane == 2 ? 1 : 0;
    const struct moment now = moment_now(m.g.amplitude, s->control.t + by * tau);
    if (lane < MOMENTS)
        s->moments[lane] = now;
    if (lane == MOMENTS) {
        s->begin = now;
        s->length = (real)tau;
        s->third = (real)(tau * (1.0 / 3));
        s->sixth = (real)(tau * (1.0 / 6));
        s->eighth = (real)(tau * 0.125);
        s->part = (real)(tau * (1.0 / 30));
    }
}

/* By one thread of each block. */
static __device__ __forceinline__ void end_step(const struct march &m, const double *times,
                                                struct step *s, double error)
{
    struct control c = s->control; /* the operations of copies need not wait for each other */
    const double root = error > 0 ? over_nth_root<5>(error * m.over_eps) : 1;
    s->verdict = control_decide_by(&c, times, m.fixed, m.eps, error, root);
    const bool accepted = s->verdict == STEP_ACCEPTED;
    const long n = c.accepted + c.rejected - 1;
    if (blockIdx.x == 0 && n < MOST_LISTED)
        m.taken[n] = accepted ? c.step : -c.step;
    s->kept = control_kept(&c, accepted, m.count, m.attempts, false);
    if (!s->kept.ended)
        (void)control_step(&c, times);
    s->control = c;
}

/* --- stages by sweeps over memory --- */

/* The rows of a stage after which `more` others follow, each of which looks so far. */
static __device__ __forceinline__ all_rows rows_of(const struct march &m, unsigned more,
                                                   unsigned reach)
{
    (void)more, (void)reach;
    return {m.sweep};
}

/* Which k the argument of a stage is made of, and with what. */
template <int stage>
static __device__ __forceinline__ real sum_of(const struct march &m, const struct step &s,
                                              size_t at)
{
    if (stage == 1)
        return 0;
    if (stage == 2)
        return s.third * m.k[0][at];
    if (stage == 3)
        return s.sixth * (m.k[0][at] + m.k[1][at]);
    if (stage == 4)
        return s.eighth * (m.k[0][at] + R(3) * m.k[2][at]);
    return s.length * (R(0.5) * m.k[0][at] + (R(2) * m.k[3][at] - R(1.5) * m.k[2][at]));
}

template <int flow, int stage, class March>
static __device__ __forceinline__ void sweep_stage(const March &m, const real *u,
                                                   const struct step &s, struct tile *t)
{
    const struct moment now = stage == 1 ? s.begin : s.moments[stage == 4 ? 1 : 0];
    (void)sweep_over<flow>(
        m.sweep, rows_of(m, STAGES - stage, reach<flow>), now,
        [&](size_t at) { return u[at] + sum_of<stage>(m, s, at); },
        [&](size_t at, real f) {
            m.k[stage - 1][at] = f;
            return R(0);
        },
        t);
    grid_sync();
}

/* The last stage, with the new u and the error. */
template <int flow, class March>
static __device__ __forceinline__ real sweep_last(const March &m, const real *u, real *next,
                                                  const struct step &s, struct tile *t)
{
    const real sixth = s.sixth, part = s.part;
    return sweep_over<flow>(
        m.sweep, rows_of(m, 0, reach<flow>), s.moments[2],
        [&](size_t at) { return u[at] + sum_of<5>(m, s, at); },
        [&](size_t at, real f) {
            const real k1 = m.k[0][at], k3 = m.k[2][at], k4 = m.k[3][at];
            next[at] = u[at] + sixth * ((k1 + f) + R(4) * k4);
            return error_size(part * ((R(2) * k1 - R(9) * k3) + (R(8) * k4 - f)));
        },
        t);
}

/* An attempt from field `now` to the other one, of which the largest error comes back. After one
 * that was rejected the first right-hand side is there. */
template <int flow, class March>
static __device__ __forceinline__ real sweep_stages(const March &m, unsigned now, struct step *s,
                                                    struct tile *t)
{
    const real *const u = m.fields[now];
    if (threadIdx.x < 32)
        find_moments(m, s);
    __syncthreads();
    if (s->verdict == STEP_ACCEPTED)
        sweep_stage<flow, 1>(m, u, *s, t);
    sweep_stage<flow, 2>(m, u, *s, t);
    sweep_stage<flow, 3>(m, u, *s, t);
    sweep_stage<flow, 4>(m, u, *s, t);
    return largest_of_grid(m.sweep, sweep_last<flow>(m, u, m.fields[1 - now], *s, t));
}

/* --- on the host --- */

/* All but the ways of tiles and sweeps; of `nodes` values, of which the answer has `kept`. */
static inline void march_make(struct memory *owner, const struct curvature *p, size_t nodes,
                              size_t kept, struct march *m)
{
    double *times = NULL;
    m->g = plane_of(p, NULL);
    m->eps = p->eps;
    m->over_eps = 1 / p->eps;
    m->fixed = p->fixed;
    m->count = p->count;
    m->attempts = p->attempts;
    take_copy(owner, &times, p->times, (size_t)p->count);
    m->times = times;
    take_device(owner, &m->u, nodes);
    take_device(owner, &m->kept, curvature_fields(p) * kept);
    take_device(owner, &m->taken, MOST_LISTED);
}

static inline void march_by_fields(struct memory *owner, const struct curvature *p, size_t nodes,
                                   unsigned blocks, struct march *m)
{
    sweep_make(owner, p, blocks, &m->sweep);
    take_device(owner, &m->fields[1], nodes);
    m->sweep.u = m->fields[0] = m->u;
}

static inline void march_by_sweeps(struct memory *owner, const struct curvature *p, size_t nodes,
                                   unsigned blocks, struct march *m)
{
    march_by_fields(owner, p, nodes, blocks, m);
    for (int k = 0; k < STAGES - 1; k++)
        take_device(owner, &m->k[k], nodes);
}

/* How a run begins; `number` as in struct progress. */
static inline void begin_run(const struct curvature *p, unsigned number, struct march *m)
{
    m->last = {control_begin(p->tau0), number, STEP_REJECTED, false};
    m->g.amplitude = m->sweep.g.amplitude = p->amplitude;
}

/* How a launch went of which `last` tells, if that is known: OK. */
template <class T>
static inline enum status march_went(enum status status, const struct curvature *p, const T &last)
{
    return status == OK && last.verdict == STEPS_DIVERGED ? curvature_diverged(p, last.control.t)
                                                          : status;
}

} // namespace OURS
