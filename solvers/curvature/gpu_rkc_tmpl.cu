/*
 * gpu-rkc: what a GPU can do by Runge-Kutta-Chebyshev, which is another integrator than Merson's:
 * one kernel from beginning to end, all tiles on chip (mean curvature by lanes.h, Willmore flow by
 * resident.h), the steps decided by every block alike. A grid with more nodes than that holds goes
 * by sweeps over memory, and the grid's barrier after each stage.
 *
 * To T = 0.1 with 20 snapshots, in double, ms: on an H100 Willmore 64^2 1.29, 128^2 4.8; mean
 * curvature by lanes 128^2 0.18, 256^2 0.36. On an H200 Willmore 256^2 33.7; mean curvature by
 * sweeps 512^2 3.4, 1024^2 18.6. In single rounding drives the steps where cells are small: 128^2
 * of Willmore takes eight times as many.
 *
 * Lost, on an H100, ms: coefficients that each step computes Willmore 64^2 1.33, 128^2 4.73; tiles
 * of a node a thread, with those, mean curvature 128^2 0.29, 256^2 0.43 (2 24x22) and 0.51 (3
 * 24x22). On an H200, us a right-hand side, by those of an exchange and tile: Willmore 128^2 (2
 * 12x11 1.15) 1 12x11 1.30, 2 14x14 1.32, 3 12x11 1.51, 1 24x22 2.07; mean curvature 128^2 2 14x14
 * 2.40, 1 14x14 2.53, 2 12x11 2.56, 3 24x22 2.91; 256^2 2 24x22 2.25, 1 24x22 2.28, 3 24x22 2.60,
 * sweeps 5.1.
 */
#define OURS P(rkc_of_curvature)
#include "lanes.h"
#include "on_chip.h"
#include "rkc.h"

namespace OURS
{

/* Right-hand sides, so that a launch ends within seconds; and that tests have runs of some. */
#ifdef REPRISE_EMULATED
enum { MOST_SIDES = 100 };
#else
enum { MOST_SIDES = 1 << 21 };
#endif

/* What the host and a launch tell each other. */
struct standing {
    struct control control;
    double evaluations;
    unsigned number; /* of the last exchange */
    int verdict;
    bool ended;
};

/* What the steps hang on. */
struct rule {
    double rate, eps, over_eps, amplitude; /* over_eps: 1/eps */
    int count;
    long attempts;
    const double *times; /* device, [count] */
    double *taken;       /* device, [MOST_LISTED]: the first attempts */
    /* device: of steps of 2 .. TABLED stages, all of them, for a step of length 1 */
    const struct rkc_stage *tabled;
};

enum { TABLED = 128 };

/* Where those of a step of so many stages begin. */
static __host__ __device__ __forceinline__ int tabled_from(int stages)
{
    return stages * (stages + 1) / 2 - 3;
}

struct course {
    struct plane g;
    struct rule rule;
    real *u;              /* at the beginning, and where a launch ends */
    real *kept;           /* [fields][nodes] */
    letter<real> *mail;   /* [2][2][nodes]: of an exchange, the increment and the one before it */
    letter<real> *votes;  /* [2][blocks][blocks] */
    struct standing last; /* what the one before a launch told */
    told<struct standing> heard;
    struct sweep sweep; /* where it goes by sweeps, and its values, [nodes] */
    real *first[2], *increment[2];
};

/* What a stage takes, and the time of its argument. */
struct stage {
    real now, before, side, first;
    struct moment m;
};

/* What is the same for all nodes in a step; in shared memory. */
struct stretch {
    struct control control;
    struct kept kept;
    double evaluations, launched; /* of all launches; of those before this one */
    int stages, verdict;
};

static __device__ __forceinline__ bool goes_on(const struct stretch &s)
{
    return !s.kept.ended && s.verdict != STEPS_DIVERGED && s.evaluations - s.launched < MOST_SIDES;
}

/* What is done once a step is called, so that it takes no registers of what is done all the time.
 */
static __device__ CALLED void find_stages(double amplitude, const struct rkc_stage *tabled,
                                          const struct stretch *s, struct stage *stages,
                                          int threads)
{
    const double t = s->control.t, tau = s->control.step;
    for (int k = (int)threadIdx.x; k <= s->stages; k += threads) {
        struct rkc_stage c;
        if (s->stages <= TABLED) {
            c = tabled[tabled_from(s->stages) + k];
            c.side *= tau;
            c.first *= tau;
        } else {
            c = rkc_stage_of(k, s->stages, tau);
        }
        stages[k] = {(real)c.now, (real)c.before, (real)c.side, (real)c.first,
                     moment_now(amplitude, t + c.node * tau)};
    }
}

/* By one thread of each block. */
static __device__ __forceinline__ void begin_step(const struct rule &r, struct control *c,
                                                  struct stretch *s)
{
    (void)control_step(c, r.times);
    s->stages = rkc_stages(r.rate, c->step);
    s->control = *c;
}

/* What becomes of a step, and the next one; by one thread of each block. */
static __device__ CALLED void end_step(const struct rule r, struct stretch *s, real error)
{
    struct control c = s->control; /* the operations of copies need not wait for each other */
    const double e = (double)error, root = e > 0 ? over_nth_root<3>(e * r.over_eps) : 1;
    s->evaluations += s->stages;
    s->verdict = rkc_decide_by(&c, r.times, r.rate, r.eps, e, root);
    const bool accepted = s->verdict == STEP_ACCEPTED;
    const long n = c.accepted + c.rejected - 1;
    if (blockIdx.x == 0 && n < MOST_LISTED)
        r.taken[n] = accepted ? c.step : -c.step;
    s->kept = control_kept(&c, accepted, r.count, r.attempts, false);
    if (s->kept.ended)
        s->control = c;
    else
        begin_step(r, &c, s);
}

/* By one thread of each block. */
static __device__ __forceinline__ void resume(const struct rule &r, const struct standing &from,
                                              struct stretch *s)
{
    struct control c = from.control;
    s->evaluations = s->launched = from.evaluations;
    s->verdict = STEP_REJECTED;
    s->kept.ended = false;
    begin_step(r, &c, s);
}

static __device__ __forceinline__ void leave(const struct course &m, const struct stretch &s,
                                             unsigned number)
{
    tell(m.heard, {s.control, s.evaluations, number, s.verdict, s.kept.ended});
}

/* --- all tiles on chip --- */

/* What a node has of a step. */
struct values {
    real u, first, last, now, before;
};

/* Sends its own values to the halos that they are in, and takes those that are in its own. The
 * increment before has been recomputed as far into the halo as it is needed, if that lasts for two.
 */
template <class X>
static __device__ __forceinline__ void send(const struct course &m, const node<X> &n,
                                            const struct values &v, unsigned number)
{
    letter<real> *const box = m.mail + number % 2 * 2 * m.g.nodes + n.at;
    if (!n.told())
        return;
    letter_put(box, v.now, number);
    if (X::K > 2)
        letter_put(box + m.g.nodes, v.before, number);
}

template <class X>
static __device__ __forceinline__ void receive(const struct course &m, const node<X> &n,
                                               struct values *v, unsigned number)
{
    const letter<real> *const box = m.mail + number % 2 * 2 * m.g.nodes + n.at;
    if (!n.asks())
        return;
    v->now = await_letter(box, number);
    if (X::K > 2)
        v->before = await_letter(box + m.g.nodes, number);
    n.mend(v->u + v->now);
}

/* All stages of a step; returns the error's estimate at the node. */
template <class X>
static __device__ __forceinline__ real run_step(const struct course &m, node<X> &n,
                                                struct values *v, const struct stage *stages,
                                                const struct stretch &s, unsigned *number)
{
    const int last = s.stages;
    int since = 1;
    v->before = 0;
    v->now = stages[0].side * v->first;
    for (int k = 1;; k++) {
        const struct stage c = stages[k];
        const bool exchange = since == X::K || k == last;
        *number += exchange;
        if (exchange)
            send(m, n, *v, *number);
        n.show(v->u + v->now, c.m.c);
        const real force = n.forcing(c.m); /* while the letters are under way */
        if (exchange)
            receive(m, n, v, *number);
        since = exchange ? 0 : since;
        n.find_side(since, force, &v->last);
        if (k == last)
            break;
        const real next =
            c.now * v->now + (c.before * v->before + (c.side * v->last + c.first * v->first));
        v->before = v->now;
        v->now = next;
        since++;
    }
    const real part = (real)(0.4 * s.control.step);
    return n.own() ? error_size(part * (v->first + v->last) - R(0.8) * v->now) : 0;
}

template <class X> static __global__ void __launch_bounds__(X::THREADS, 1) march_on(struct course m)
{
    DYNAMIC_SHARED(unsigned char, shared);
    SHARED(struct stretch, step, [1]);
    SHARED(real, largest, [32]);
    struct stage *const stages = (struct stage *)shared;
    struct stretch *const s = step;
    node<X> n(m.g, m.u, (real *)(stages + RKC_MOST + 1), blockIdx.x);
    struct values v = {0, 0, 0, 0, 0};
    unsigned number = m.last.number, votes = number;
    if (n.depth >= 0)
        v.u = m.u[n.at];
    if (threadIdx.x == 0)
        resume(m.rule, m.last, s);
    __syncthreads();
    const struct moment begin = moment_now(m.g.amplitude, m.last.control.t);
    n.show(v.u, begin.c);
    n.find_side(0, n.forcing(begin), &v.first);
    while (goes_on(*s)) {
        find_stages(m.rule.amplitude, m.rule.tabled, s, stages, X::THREADS);
        __syncthreads();
        const real size = run_step(m, n, &v, stages, *s, &number);
        warp_votes(largest, size);
        __syncthreads();
        votes++;
        if (threadIdx.x < 32) {
            const real own = block_votes<X>(largest, m.votes, votes);
            const real most = count_votes(m.votes, votes, own);
            if (threadIdx.x == 0)
                end_step(m.rule, s, most);
        }
        __syncthreads();
        if (s->verdict == STEP_ACCEPTED) {
            v.u += v.now;
            v.first = v.last;
        }
        if (s->kept.first || s->kept.field > 0)
            n.keep(v.u, moment_now(m.rule.amplitude, s->control.t).c, s->kept, m.kept);
    }
    if (n.own())
        m.u[n.at] = v.u;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        leave(m, *s, number > votes ? number : votes);
}

/* --- tiles by lanes --- */

/* The halo's letters, by all but the clock: the increment, and the one before if it is wanted. */
template <class S>
static __device__ __forceinline__ void take_increments(const letter<real> *box, size_t nodes,
                                                       const bunch<S> &n, unsigned number,
                                                       bool both, const real *u, real *now,
                                                       real *before, real rim_u, real *rim_now)
{
    const letter<real> *places[S::R + 1], *others[S::R];
    bool wanted[S::R + 1], also[S::R];
    real values[S::R + 1] = {}, more[S::R] = {};
    UNROLLED (int r = 0; r < S::R; r++) {
        places[r] = box + n.at + r * n.g.pitch;
        others[r] = places[r] + nodes;
        wanted[r] = n.is_a(r, ASKS);
        also[r] = both && wanted[r];
    }
    places[S::R] = box + ((n.rim & ASKS) != 0 ? n.rim_at : 0);
    wanted[S::R] = (n.rim & ASKS) != 0;
    await_letters<S::R + 1>(places, wanted, number, values);
    await_letters<S::R>(others, also, number, more);
    UNROLLED (int r = 0; r < S::R; r++) {
        if (wanted[r]) {
            now[r] = values[r];
            n.put(r, u[r] + now[r]);
        }
        before[r] = also[r] ? more[r] : before[r];
    }
    if (wanted[S::R]) {
        *rim_now = values[S::R];
        n.put_rim(rim_u + *rim_now);
    }
    meet_without_clock<S::WORKERS>();
}

/* As march_on(), by fewer threads than nodes (lanes.h), a halo of five nodes and a clock. All warps
 * pass the same barriers, but that of the halo: coefficients and largest errors are read by the
 * clock behind the next one, and written again behind one more. */
template <class S>
static __global__ void __launch_bounds__(S::THREADS, 1)
    go_by_lanes(struct course m, struct streaming g)
{
    DYNAMIC_SHARED(unsigned char, shared);
    SHARED(struct stretch, step, [1]);
    SHARED(real, largest, [32]);
    SHARED(struct rim<S>, edge, [1]);
    struct stage *const stages = (struct stage *)shared;
    struct stretch *const s = step;
    real *const arrays = (real *)(stages + RKC_MOST + 1) + 2;
    /* the same in a warp, and known to be */
    const int warp = __shfl_sync((unsigned)ALL_LANES, (int)threadIdx.x / 32, 0);
    const bool clock = warp == S::WARPS;
    const struct site site = site_of(m.g, g);
    bunch<S> n(m.g, site, arrays, warp);
    real u[S::R], first[S::R], last[S::R], now[S::R], before[S::R];
    real rim_u = !clock && (n.rim & INNER) != 0 ? m.u[n.rim_at] : 0, rim_now = 0;
    unsigned number = m.last.number, votes = number; /* no step has fewer exchanges than votes */
    UNROLLED (int r = 0; r < S::R; r++) {
        u[r] = !clock && n.is_a(r, INNER) ? m.u[n.at + r * m.g.pitch] : 0;
        first[r] = last[r] = now[r] = before[r] = 0;
    }
    for (int k = (int)threadIdx.x; k < 2 * S::FIELD; k += S::THREADS)
        arrays[k - 2] = 0;
    if (threadIdx.x == 0) {
        edge->count = 0;
        resume(m.rule, m.last, s);
    }
    const struct moment begin = moment_now(m.g.amplitude, m.last.control.t);
    __syncthreads();
    find_rim<S>(m, site, begin.c, edge, arrays + S::FIELD);
    if (!clock) {
        UNROLLED (int r = 0; r < S::R; r++)
            n.put(r, u[r]);
        if ((n.rim & INNER) != 0)
            n.put_rim(rim_u);
    }
    n.turn();
    __syncthreads();
    if (!clock)
        n.find_sides(0, begin, [&](int r, real f) { first[r] = f; });
    while (all_see(goes_on(*s))) {
        const int count = __shfl_sync((unsigned)ALL_LANES, s->stages, 0);
        const real part = (real)(0.4 * s->control.step);
        find_stages(m.rule.amplitude, m.rule.tabled, s, stages, S::THREADS);
        __syncthreads();
        if (clock) {
            put_rim<S>(m.g, *edge, stages[1].m.c, arrays + (S::FIELD - n.now));
        } else {
            UNROLLED (int r = 0; r < S::R; r++) {
                now[r] = stages[0].side * first[r];
                before[r] = 0;
                n.put(r, u[r] + now[r]);
            }
        }
        for (int k = 1, since = 1; k <= count; k++, since++) {
            const bool exchange = since == S::HALO || k == count;
            since = exchange ? 0 : since;
            number += exchange;
            __syncthreads();
            if (!clock && exchange && gridDim.x > 1)
                take_increments<S>(m.mail + number % 2 * 2 * m.g.nodes, m.g.nodes, n, number,
                                   k < count, u, now, before, rim_u, &rim_now);
            if (clock && exchange && gridDim.x > 1)
                pass_meanwhile();
            n.turn();
            if (clock && k < count) {
                put_rim<S>(m.g, *edge, stages[k + 1].m.c, arrays + (S::FIELD - n.now));
            } else if (k < count) {
                const struct stage c = stages[k];
                const bool tells = since + 1 == S::HALO || k + 1 == count;
                letter<real> *const box = m.mail + (number + 1) % 2 * 2 * m.g.nodes;
                n.find_sides(since, c.m, [&](int r, real f) {
                    const real next =
                        c.now * now[r] + (c.before * before[r] + (c.side * f + c.first * first[r]));
                    before[r] = now[r];
                    now[r] = next;
                    n.put(r, u[r] + next);
                    if (tells && n.is_a(r, TOLD)) {
                        letter<real> *const to = box + n.at + r * m.g.pitch;
                        letter_put(to, next, number + 1);
                        if (k + 1 < count)
                            letter_put(to + m.g.nodes, before[r], number + 1);
                    }
                });
            }
        }
        if (!clock) {
            real most = 0;
            n.find_sides(0, stages[count].m, [&](int r, real f) {
                last[r] = f;
                if (n.is_a(r, OWN)) {
                    const real size = error_size(part * (first[r] + f) - R(0.8) * now[r]);
                    most = size > most ? size : most;
                }
            });
            warp_votes(largest, most);
        }
        votes++;
        __syncthreads();
        if (clock) {
            const real own = tell_vote<S>(largest, m.votes, votes);
            const real most = largest_of_votes(m.votes, votes, own);
            if (threadIdx.x % 32 == 0)
                end_step(m.rule, s, most);
        }
        __syncthreads();
        if (all_see(s->verdict == STEP_ACCEPTED)) {
            UNROLLED (int r = 0; r < S::R; r++) {
                u[r] += now[r];
                first[r] = last[r];
            }
            rim_u += rim_now;
        }
        if (clock)
            keep_rim<S>(m, s->kept, *edge, moment_now(m.rule.amplitude, s->control.t).c);
        else
            keep_nodes<S>(m, s->kept, n, u);
    }
    if (!clock)
        UNROLLED (int r = 0; r < S::R; r++)
            if (n.is_a(r, OWN))
                m.u[n.at + r * m.g.pitch] = u[r];
    if (blockIdx.x == 0 && threadIdx.x == 0)
        leave(m, *s, number);
}

/* --- sweeps over memory --- */

/* What a stage has to do, of which 0 is the first right-hand side of a launch. The first increment
 * is so much of that, `by`, and is not stored. */
struct pass {
    struct stage c;
    real by, part;
    int k;
    bool ends; /* the step */
    const real *u, *first, *now;
    real *to; /* the increment before, which becomes the next one; or a right-hand side */
};

static __device__ __forceinline__ struct pass pass_of(const struct course &m,
                                                      const struct stretch &s,
                                                      const struct stage *stages, int k,
                                                      unsigned turn)
{
    struct pass a;
    a.c = stages[k];
    a.by = stages[0].side;
    a.part = (real)(0.4 * s.control.step);
    a.k = k;
    a.ends = k > 0 && k == s.stages;
    a.u = m.u;
    a.first = m.first[turn];
    a.now = m.increment[k % 2];
    a.to = k == 0 ? m.first[turn] : a.ends ? m.first[1 - turn] : m.increment[(k + 1) % 2];
    return a;
}

static __device__ __forceinline__ real increment_at(const struct pass &a, size_t at)
{
    return a.k == 0 ? 0 : a.k == 1 ? a.by * a.first[at] : a.now[at];
}

/* What becomes of a right-hand side; returns the error's estimate at the end of a step. */
static __device__ __forceinline__ real use_side(const struct pass &a, size_t at, real f)
{
    if (a.k == 0 || a.ends) {
        a.to[at] = f;
        return a.k == 0 ? 0 : error_size(a.part * (a.first[at] + f) - R(0.8) * increment_at(a, at));
    }
    const real first = a.first[at];
    const real before = a.k == 1 ? 0 : a.k == 2 ? a.by * first : a.to[at];
    a.to[at] =
        a.c.now * increment_at(a, at) + (a.c.before * before + (a.c.side * f + a.c.first * first));
    return 0;
}

template <int flow>
static __device__ __forceinline__ real run_pass(const struct course &m, const struct pass &a,
                                                struct tile *t)
{
    return sweep_over<flow>(
        m.sweep, all_rows{m.sweep}, a.c.m, [&](size_t at) { return a.u[at] + increment_at(a, at); },
        [&](size_t at, real f) { return use_side(a, at, f); }, t);
}

/* The step's last increment onto u. */
static __device__ __forceinline__ void add_increment(const struct course &m, const real *increment)
{
    const struct nodes &g = m.sweep.nodes;
    for (unsigned at = blockIdx.x * SWEEP + threadIdx.x; at < g.count; at += gridDim.x * SWEEP)
        if (is_inside(g, at / g.pitch, at % g.pitch))
            m.u[at] += increment[at];
}

template <int flow> static __global__ void __launch_bounds__(SWEEP) sweep_on(struct course m)
{
    SHARED(struct stretch, step, [1]);
    SHARED(struct stage, stages, [RKC_MOST + 1]);
    SHARED(struct tile, room, [1]);
    struct stretch *const s = step;
    unsigned turn = 0;
    if (threadIdx.x == 0) {
        resume(m.rule, m.last, s);
        stages[0].m = moment_now(m.g.amplitude, s->control.t);
    }
    __syncthreads();
    (void)run_pass<flow>(m, pass_of(m, *s, stages, 0, 0), room);
    grid_sync();
    while (goes_on(*s)) {
        find_stages(m.rule.amplitude, m.rule.tabled, s, stages, SWEEP);
        __syncthreads();
        for (int k = 1; k < s->stages; k++) {
            (void)run_pass<flow>(m, pass_of(m, *s, stages, k, turn), room);
            grid_sync();
        }
        const struct pass last = pass_of(m, *s, stages, s->stages, turn);
        const real most = largest_of_grid(m.sweep, run_pass<flow>(m, last, room));
        if (threadIdx.x == 0)
            end_step(m.rule, s, most);
        __syncthreads();
        if (s->verdict == STEP_ACCEPTED) {
            add_increment(m, last.now);
            turn = 1 - turn;
            grid_sync();
        }
        if (s->kept.first)
            keep_field(m.sweep, m.u, s->control.t, m.kept);
        if (s->kept.field > 0)
            keep_field(m.sweep, m.u, s->control.t, m.kept + (size_t)s->kept.field * m.g.nodes);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        leave(m, *s, m.last.number);
}

/* --- on the host --- */

static inline void begin_run(const struct curvature *p, unsigned number, struct course *m)
{
    m->last = {rkc_begin(p->tau0, rkc_rate(p)), 1, number, STEP_REJECTED, false};
    m->g.amplitude = m->sweep.g.amplitude = m->rule.amplitude = p->amplitude;
}

static inline double share_of_launch(const struct standing &s)
{
    return s.evaluations / MOST_SIDES;
}

static inline void tally_run(const struct standing &s, struct tally *out)
{
    tally_end(out, &s.control, CHEBYSHEV, s.evaluations);
}

typedef on_chip<course> rkc;

template <class X> static constexpr size_t room(void)
{
    return (RKC_MOST + 1) * sizeof(struct stage) + X::ARRAYS;
}

template <class X> static unsigned tiles_together(const struct curvature *)
{
    ALLOW_SHARED(march_on<X>, room<X>());
    return BLOCKS_TOGETHER(march_on<X>, X::THREADS, room<X>());
}

template <class X> static void launch_tiles(const rkc *r)
{
    LAUNCH_TOGETHER(march_on<X>, r->blocks, X::THREADS, room<X>())(r->course);
}

template <class S> static constexpr size_t lanes_of_rkc(void)
{
    return (RKC_MOST + 1) * sizeof(struct stage) + S::ARRAYS;
}

template <class S> static unsigned lanes_together(const struct curvature *p)
{
    if (p->boundary != NEUMANN) {
        ALLOW_SHARED(go_by_lanes<bounded<S>>, lanes_of_rkc<S>());
        return BLOCKS_TOGETHER(go_by_lanes<bounded<S>>, S::THREADS, lanes_of_rkc<S>());
    }
    if constexpr (S::R <= 2) {
        ALLOW_SHARED(go_by_lanes<copying<S>>, lanes_of_rkc<S>());
        return BLOCKS_TOGETHER(go_by_lanes<copying<S>>, S::THREADS, lanes_of_rkc<S>());
    }
    return 0;
}

template <class S> static void launch_lanes(const rkc *r)
{
    const size_t room = lanes_of_rkc<S>();
    const struct streaming g = streaming_of<S>(r->in, r->in->n1);
    if (r->in->boundary != NEUMANN)
        LAUNCH_TOGETHER(go_by_lanes<bounded<S>>, r->blocks, S::THREADS, room)(r->course, g);
    else if constexpr (S::R <= 2)
        LAUNCH_TOGETHER(go_by_lanes<copying<S>>, r->blocks, S::THREADS, room)(r->course, g);
}

template <int flow> static unsigned sweep_together(const struct curvature *)
{
    return BLOCKS_TOGETHER(sweep_on<flow>, SWEEP, 0);
}

template <int flow> static void launch_sweep(const rkc *r)
{
    LAUNCH_COOP(sweep_on<flow>, r->blocks, SWEEP, 0)(r->course);
}

#define TILES(flow, most, k, t1, t2)                                                               \
    {                                                                                              \
        flow, most, t1, t2, tiles_together<tiling<flow, k, t1, t2>>,                               \
            launch_tiles<tiling<flow, k, t1, t2>>, NULL                                            \
    }
#define SWEEPS(flow)                                                                               \
    {                                                                                              \
        flow, MANY, 0, 0, sweep_together<flow>, launch_sweep<flow>, sweep_tiles                    \
    }
#define LANES(most, width, bands, rows)                                                            \
    {                                                                                              \
        MEAN_CURVATURE, most, 1, 1, lanes_together<lanes<width, bands, rows>>,                     \
            launch_lanes<lanes<width, bands, rows>>, lanes_tiles<lanes<width, bands, rows>>        \
    }
#define ANY ((unsigned)-1)

static const way_of<rkc> ways[] = {
    LANES(132, 16, 16, 1),
    LANES(ANY, 32, 8, 2),
    LANES(ANY, 32, 8, 4),
    TILES(MEAN_CURVATURE, ANY, 2, 24, 22), /* where the boundary is copied */
    TILES(WILLMORE, 1, 1, 14, 14),
    TILES(WILLMORE, ANY, 2, 12, 11),
    TILES(WILLMORE, ANY, 1, 24, 22),
    SWEEPS(MEAN_CURVATURE),
    SWEEPS(WILLMORE),
};

static void tabulate(rkc *r)
{
    const size_t count = (size_t)tabled_from(TABLED + 1);
    struct rkc_stage *const host = (struct rkc_stage *)take(&r->memory, count * sizeof *host);
    struct rkc_stage *on_device = NULL;
    for (int s = 2; host != NULL && s <= TABLED; s++)
        for (int k = 0; k <= s; k++)
            host[tabled_from(s) + k] = rkc_stage_of(k, s, 1);
    take_copy(&r->memory, &on_device, host, count);
    r->course.rule.tabled = on_device;
}

static enum status prepare_sweeps(rkc *r)
{
    struct course *const m = &r->course;
    for (int k = 0; k < 2; k++) {
        take_device(&r->memory, &m->first[k], m->g.nodes);
        take_device(&r->memory, &m->increment[k], m->g.nodes);
    }
    sweep_make(&r->memory, r->in, r->blocks, &m->sweep);
    m->sweep.u = m->u;
    return r->memory.status;
}

static enum status prepare_tiles(rkc *r)
{
    const struct curvature *const p = r->in;
    struct course *const m = &r->course;
    const size_t terms = RATIONAL(p->flow) * m->g.nodes;
    real *const host = (real *)take(&r->memory, terms * sizeof *host), *on_device = NULL;
    if (host != NULL)
        P(curvature_rationals)(p, host);
    take_copy(&r->memory, &on_device, host, terms);
    take_device(&r->memory, &m->mail, 4 * m->g.nodes);
    take_device(&r->memory, &m->votes, (size_t)2 * r->blocks * r->blocks);
    m->g.rational = on_device;
    return r->memory.status;
}

static enum status prepare(rkc *r)
{
    const struct curvature *const p = r->in;
    struct course *const m = &r->course;
    double *times = NULL;
    if (p->fixed)
        return because(SKIPPED, NO_FIXED_STEPS);
    const enum status status = choose(ways, r);
    if (status != OK)
        return status;
    m->g = plane_of(p, NULL);
    m->rule.rate = rkc_rate(p);
    m->rule.eps = rkc_eps(p, REAL_IS_DOUBLE);
    m->rule.over_eps = 1 / m->rule.eps;
    m->rule.count = p->count;
    m->rule.attempts = p->attempts;
    r->initial = (real *)take(&r->memory, m->g.nodes * sizeof *r->initial);
    take_copy(&r->memory, &times, p->times, (size_t)p->count);
    m->rule.times = times;
    take_device(&r->memory, &m->u, m->g.nodes);
    take_device(&r->memory, &m->kept, curvature_fields(p) * m->g.nodes);
    take_device(&r->memory, &m->rule.taken, MOST_LISTED);
    take_told(&r->memory, &m->heard);
    r->name = "gpu-rkc";
    r->taken = m->rule.taken;
    tabulate(r);
    return r->way->rows == 0 ? prepare_sweeps(r) : prepare_tiles(r);
}

} // namespace OURS

extern const struct calls P(curvature_gpu_rkc);
const struct calls P(curvature_gpu_rkc) = {
    OURS::plan_on_chip<OURS::course>, OURS::load_on_chip<OURS::course>,
    OURS::run_on_chip<OURS::course>, OURS::fetch_on_chip<OURS::course>, give_back};
