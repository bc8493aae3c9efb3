/*
 * gpu-resident: what a GPU can do by Merson's method: one kernel from beginning to end. All tiles
 * are on chip where there is room (lanes.h and stay.h; in Willmore flow resident.h), with one
 * exchange of halos for one to five right-hand sides and one vote of all blocks a step. While the
 * votes are under way the next step's first right-hand side is found, as if the step were good, and
 * beside it the clock, a warp of each block, counts them and decides, all alike: nothing goes to
 * the host but, at the end, how far it is (told.h). What is larger goes by streams of tiles
 * (stream.h), or, in Willmore flow, by sweeps (sweep.h).
 *
 * On an H100, us a step of mean curvature, in double: 128^2 3.8, 256^2 5.2 by lanes, 512^2 11.9,
 * 1024^2 37.9 and 2048^2 142 by streams; in single 2.8, 3.7, 6.8, 16.7 on chip and 91.9 by streams,
 * which took 79.6 when the compiler kept 84 bytes less of a thread in memory.
 * On an H200 in double: 16^2 2.7, 32^2 3.5, 64^2 3.2, and 2.0, 2.8, 2.8 in longer runs, of which
 * start and end are 10 us; Willmore 16^2 5.0, 64^2 6.5, both by tiles of 2 12x11, and a tenth less
 * by 2 8x8 (64^2), 128^2 6.9; by sweeps 512^2 36.5, 1024^2 104, 4096^2 1703.
 *
 * Before, on an H100, with the operations of IEEE 754 for 1/x in single and a comparison for each
 * store: double 128^2 3.8, 256^2 5.5, 512^2 12.5, 1024^2 37.9, 2048^2 146; single 3.6, 5.2, 9.3,
 * 29.5, 118. Lost against what is: double with stores at once 512^2 12.2, 1024^2 39.2; single lanes
 * 32 16 2 256^2 3.8; stores when all rows are found 512^2 7.1, 1024^2 22.4, 2048^2 88.4; 512^2 2 8
 * 6 7.2; 1024^2 by streams 3 5 11 21.8, 3 7 15 19.3, 3 8 13 19.0, on chip 3 7 15 16.9, 3 5 21 16.9.
 * Willmore in double 64^2, ms of a run that takes 50.5: 2 12x11 56.1, 2 8x8 in copies 50.5, 3 8x7
 * 50.2, in copies 53.0. Left out, for its forcing is found otherwise: that of each node, from
 * registers, single 512^2 6.5.
 *
 * Lost, on an H100: progress copied by the host when the kernel has ended 16^2 3.5, 64^2 3.8, 128^2
 * 4.4. Tiles by lanes whose clock has the next step ready before the votes are counted, where its
 * length does not hang on them, and all warps at one place of the program: 16^2 2.8, but 64^2 3.8,
 * 128^2 4.6, 256^2 7.1 (5.6). Streams of 512^2 16.2; with another clock 1024^2 59.1, 2048^2 287; of
 * 3 5 11 without one 1024^2 45.3. Willmore with each block told each vote 128^2 9.8; in copies 64^2
 * 6.9, as many copies as blocks 6.9, and one lane that decides 6.8; in copies, but counted behind
 * the right-hand side's last barrier, 128^2 7.4, 64^2 6.9, and of 1 12x11 7.9 and 7.6, 16^2 of 1
 * 14x14 7.0.
 *
 * Lost, on an H200, right-hand sides of an exchange and tile of a node a thread: mean curvature
 * 16^2 1 14x14 4.3; 64^2 5 12x11 4.9, 3 12x11 4.9, 5 14x14 5.3; 128^2 5 14x14 6.4, 3 24x22 6.7, 3
 * 14x14 6.9, 5 12x11 8.0; 256^2 3 24x22 8.4 to 9.5, 2 24x22 9.7, 1 24x22 10.4; Willmore 64^2 3
 * 12x11 7.1, 1 12x11 7.2, 2 14x14 7.8; 128^2 2 14x14 9.9, 1 14x14 9.9, 3 12x11 10.3. A clock that
 * decides while the others still await letters, with such tiles: 128^2 7.4, Willmore 64^2 6.8.
 * Streams: 512^2 3 5 7 16.5, 2 8 8 18.7, 4 4 11 24.0; 1024^2 3 5 11 45.7, 2 8 11 47.2, 2 7 7 55.5.
 */
#define OURS P(merson_of_curvature)
#include "on_chip.h"
#include "stay.h"

namespace OURS
{

/* The right-hand side of the argument v; `since`: of so many after an exchange. */
template <class X>
static __device__ __forceinline__ void find_k(const struct march &m, node<X> &n, bool exchange,
                                              const struct moment &moment, real v, int *since,
                                              unsigned *number, real *k)
{
    *number += exchange;
    letter<real> *const box = m.mail + *number % 2 * m.g.nodes + n.at;
    if (exchange && n.told())
        letter_put(box, v, *number);
    n.show(v, moment.c);
    const real force = n.forcing(moment); /* while the letters are under way */
    if (exchange && n.asks())
        n.mend(await_letter(box, *number));
    *since = exchange ? 0 : *since + 1;
    n.find_side(*since, force, k);
}

/* What a node has of a step. */
struct values {
    real u, k1, k2, k3, k4, k5;
};

/* Four stages, after which the new u is returned, and the error's estimate. */
template <class X>
static __device__ __forceinline__ real run_step(const struct march &m, node<X> &n, struct values *v,
                                                const struct step &s, unsigned *number, real *error)
{
    const real sixth = s.sixth;
    /* Which arguments have to come from the other tiles, so that a halo lasts. */
    constexpr bool second = X::K == 1, third = true, fourth = X::K == 1, last = X::K <= 2;
    static_assert(X::K <= 3, "a halo for the first two of four stages");
    int since = 0;
    find_k(m, n, second, s.moments[0], v->u + s.third * v->k1, &since, number, &v->k2);
    find_k(m, n, third, s.moments[0], v->u + sixth * (v->k1 + v->k2), &since, number, &v->k3);
    find_k(m, n, fourth, s.moments[1], v->u + s.eighth * (v->k1 + R(3) * v->k3), &since, number,
           &v->k4);
    find_k(m, n, last, s.moments[2],
           v->u + s.length * (R(0.5) * v->k1 + (R(2) * v->k4 - R(1.5) * v->k3)), &since, number,
           &v->k5);
    const real off = s.part * ((R(2) * v->k1 - R(9) * v->k3) + (R(8) * v->k4 - v->k5));
    *error = n.own() ? error_size(off) : 0;
    return v->u + sixth * ((v->k1 + v->k5) + R(4) * v->k4);
}

template <class X>
static __device__ __forceinline__ real give_vote(const real *largest, letter<real> *votes,
                                                 unsigned number)
{
    return X::EACH ? block_votes<X>(largest, votes, number) : tell_vote<X>(largest, votes, number);
}

template <class X>
static __device__ __forceinline__ real hear_votes(letter<real> *votes, unsigned number, real most)
{
    return X::EACH ? count_votes(votes, number, most) : largest_of_votes(votes, number, most);
}

/* The votes, and meanwhile the first right-hand side of the next step. */
template <class X>
static __device__ __forceinline__ void vote(const struct march &m, node<X> &n, bool clock,
                                            struct step *s, const double *times, real next,
                                            real error, unsigned *number, unsigned votes, real *k1,
                                            real *u)
{
    letter<real> *const box = m.mail + ++*number % 2 * m.g.nodes + n.at;
    const struct moment end = s->moments[MOMENTS - 1];
    real most = 0, force = 0;
    if (n.told())
        letter_put(box, next, *number);
    warp_votes(s->largest, error);
    n.show(next, end.c);
    if (gridDim.x > 1)
        __syncthreads();
    if (!clock)
        force = n.forcing(end);
    else if (gridDim.x > 1)
        most = give_vote<X>(s->largest, m.votes, votes);
    if (n.asks()) {
        next = await_letter(box, *number);
        n.mend(next);
    }
    n.find_side(0, force, k1, [&](int part) {
        if (clock && part == 0)
            most = gridDim.x > 1 ? hear_votes<X>(m.votes, votes, most)
                                 : give_vote<X>(s->largest, m.votes, votes);
        if (clock && part == X::FOURTH) {
            if (X::EACH)
                decide(m, times, s, most);
            else
                decide_by_all(m, times, s, (double)most);
        }
    });
    *u = next;
    __syncthreads();
}

template <class X> static __global__ void __launch_bounds__(X::THREADS, 1) resident(struct march m)
{
    DYNAMIC_SHARED(unsigned char, shared);
    SHARED(struct step, step, [1]);
    struct step *const s = step;
    double *const times = (double *)shared; /* [count] */
    node<X> n(m.g, m.u, (real *)(times + m.count), blockIdx.x);
    /* the same in a warp, and known to be */
    const bool clock = __shfl_sync((unsigned)ALL_LANES, (int)threadIdx.x / 32, 0) == X::WARPS;
    struct values v = {0, 0, 0, 0, 0, 0};
    unsigned number = m.last.number, votes = number;
    for (int k = (int)threadIdx.x; k < m.count; k += X::THREADS)
        times[k] = m.times[k];
    if (n.depth >= 0)
        v.u = m.u[n.at];
    const struct moment begin = moment_now(m.g.amplitude, m.last.control.t);
    __syncthreads(); /* all arrays are zeros */
    n.show(v.u, begin.c);
    n.find_side(0, n.forcing(begin), &v.k1, [&](int part) {
        if (clock && part == 0 && threadIdx.x % 32 == 0) {
            struct control c = m.last.control;
            (void)control_step(&c, times);
            s->control = c;
            s->verdict = STEP_REJECTED;
            s->kept.ended = false;
        }
        if (clock && part == 0)
            find_moments(m, s);
    });
    __syncthreads();
    for (int k = 0; k < MOST_PER_LAUNCH && !s->kept.ended && s->verdict != STEPS_DIVERGED; k++) {
        real error, k1 = 0, u;
        const real next = run_step(m, n, &v, *s, &number, &error);
        vote(m, n, clock, s, times, next, error, &number, ++votes, &k1, &u);
        if (s->verdict == STEP_ACCEPTED) {
            v.u = u;
            v.k1 = k1;
        }
        if (s->kept.first || s->kept.field > 0)
            n.keep(v.u, s->begin.c, s->kept, m.kept);
    }
    if (n.own())
        m.u[n.at] = v.u;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        leave(m, {s->control, number > votes ? number : votes, s->verdict, s->kept.ended});
}

/* --- sweeps over memory --- */

/* Of a step that is over, what is to be kept; the state is in field `now`. */
static __device__ __forceinline__ void keep_fields(const struct march &m, const struct step &s,
                                                   unsigned now)
{
    if (s.kept.first)
        keep_field(m.sweep, m.fields[now], s.control.t, m.kept);
    if (s.kept.field > 0)
        keep_field(m.sweep, m.fields[now], s.control.t, m.kept + (size_t)s.kept.field * m.g.nodes);
}

template <int flow> static __global__ void __launch_bounds__(SWEEP) sweep_on(struct march m)
{
    SHARED(struct step, step, [1]);
    SHARED(struct tile, room, [1]);
    struct step *const s = step;
    unsigned now = m.last.number;
    if (threadIdx.x == 0) {
        s->control = m.last.control;
        s->verdict = STEP_ACCEPTED; /* a first right-hand side is to be found */
        s->kept.ended = false;
        (void)control_step(&s->control, m.times);
    }
    __syncthreads();
    for (int k = 0; k < MOST_PER_LAUNCH && !s->kept.ended && s->verdict != STEPS_DIVERGED; k++) {
        const real most = sweep_stages<flow>(m, now, s, room);
        if (threadIdx.x == 0)
            end_step(m, m.times, s, (double)most);
        __syncthreads();
        now = s->verdict == STEP_ACCEPTED ? 1 - now : now;
        keep_fields(m, *s, now);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        leave(m, {s->control, now, s->verdict, s->kept.ended});
}

/* --- tiles by streams --- */

template <class S>
static __global__ void __launch_bounds__(S::ALL, 1) stream_on(struct march m, struct streaming g)
{
    stream_steps<S>(
        m, g,
        [&](const struct step &, unsigned now) {
            return all_lines{m, m.fields[now], m.fields[1 - now]};
        },
        [](int, real most) { return most; },
        [&](const struct step &s, unsigned now) { keep_fields(m, s, now); });
}

/* --- on the host --- */

static inline double share_of_launch(const struct progress &p)
{
    return (double)(p.control.accepted + p.control.rejected) / MOST_PER_LAUNCH;
}

static inline void tally_run(const struct progress &p, struct tally *out)
{
    tally_end(out, &p.control, MERSON, 0);
}

typedef on_chip<march> merson_on_chip;

template <class X> static size_t room(const struct curvature *p)
{
    return (size_t)p->count * sizeof(double) + X::ARRAYS;
}

template <class X> static unsigned tiles_together(const struct curvature *p)
{
    ALLOW_SHARED(resident<X>, room<X>(p));
    return BLOCKS_TOGETHER(resident<X>, X::THREADS, room<X>(p));
}

template <class X> static void launch_tiles(const merson_on_chip *r)
{
    LAUNCH_TOGETHER(resident<X>, r->blocks, X::THREADS, room<X>(r->in))(r->course);
}

template <class S> static unsigned lanes_together(const struct curvature *p)
{
    const size_t room = lanes_room<S>(p);
    if (p->boundary != NEUMANN) {
        ALLOW_SHARED(by_lanes<bounded<S>>, room);
        return BLOCKS_TOGETHER(by_lanes<bounded<S>>, S::THREADS, room);
    }
    if constexpr (S::R <= 2) { /* more rows take more registers than there are */
        ALLOW_SHARED(by_lanes<copying<S>>, room);
        return BLOCKS_TOGETHER(by_lanes<copying<S>>, S::THREADS, room);
    }
    return 0;
}

template <class S> static void launch_lanes(const merson_on_chip *r)
{
    const size_t room = lanes_room<S>(r->in);
    const struct streaming g = streaming_of<S>(r->in, r->in->n1);
    if (r->in->boundary != NEUMANN)
        LAUNCH_TOGETHER(by_lanes<bounded<S>>, r->blocks, S::THREADS, room)(r->course, g);
    else if constexpr (S::R <= 2)
        LAUNCH_TOGETHER(by_lanes<copying<S>>, r->blocks, S::THREADS, room)(r->course, g);
}

template <int flow> static unsigned sweep_together(const struct curvature *)
{
    return BLOCKS_TOGETHER(sweep_on<flow>, SWEEP, 0);
}

template <int flow> static void launch_sweep(const merson_on_chip *r)
{
    LAUNCH_COOP(sweep_on<flow>, r->blocks, SWEEP, 0)(r->course);
}

template <class S> static unsigned stream_tiles(const struct curvature *p)
{
    const struct streaming g = streaming_of<S>(p, p->n1);
    return g.tiles1 * g.tiles2;
}

template <class S> static unsigned stream_together(const struct curvature *)
{
    ALLOW_SHARED(stream_on<S>, sizeof(struct streamed<S>));
    return BLOCKS_TOGETHER(stream_on<S>, S::ALL, sizeof(struct streamed<S>));
}

template <class S> static void launch_streams(const merson_on_chip *r)
{
    LAUNCH_COOP(stream_on<S>, r->blocks, S::ALL, sizeof(struct streamed<S>))
    (r->course, streaming_of<S>(r->in, r->in->n1));
}

template <class S> static unsigned stay_together(const struct curvature *p)
{
    if (p->boundary == NEUMANN)
        return 0;
    ALLOW_SHARED(stay<S>, sizeof(struct stayed<S>));
    return BLOCKS_TOGETHER(stay<S>, S::ALL, sizeof(struct stayed<S>));
}

template <class S> static void launch_stay(const merson_on_chip *r)
{
    LAUNCH_TOGETHER(stay<S>, r->blocks, S::ALL, sizeof(struct stayed<S>))
    (r->course, streaming_of<S>(r->in, r->in->n1));
}

#define STREAMS(most, ...)                                                                         \
    {                                                                                              \
        MEAN_CURVATURE, most, 0, 0, stream_together<shape<__VA_ARGS__>>,                           \
            launch_streams<shape<__VA_ARGS__>>, stream_tiles<shape<__VA_ARGS__>>                   \
    }
#define SWEEPS(flow)                                                                               \
    {                                                                                              \
        flow, MANY, 0, 0, sweep_together<flow>, launch_sweep<flow>, sweep_tiles                    \
    }
#define TILES(flow, most, ...)                                                                     \
    {                                                                                              \
        flow, most, tiling<flow, __VA_ARGS__>::T1, tiling<flow, __VA_ARGS__>::T2,                  \
            tiles_together<tiling<flow, __VA_ARGS__>>, launch_tiles<tiling<flow, __VA_ARGS__>>,    \
            NULL                                                                                   \
    }
#define LANES(most, ...)                                                                           \
    {                                                                                              \
        MEAN_CURVATURE, most, 1, 1, lanes_together<lanes<__VA_ARGS__>>,                            \
            launch_lanes<lanes<__VA_ARGS__>>, lanes_tiles<lanes<__VA_ARGS__>>                      \
    }
#define STAY(...)                                                                                  \
    {                                                                                              \
        MEAN_CURVATURE, ANY, 1, 1, stay_together<shape<__VA_ARGS__>>,                              \
            launch_stay<shape<__VA_ARGS__>>, stream_tiles<shape<__VA_ARGS__>>                      \
    }
#define ANY ((unsigned)-1)

static const way_of<merson_on_chip> ways[] = {
    LANES(132, 16, 16, 1),
    LANES(ANY, 32, 8, 2),
    LANES(ANY, 32, 8, 4),
    TILES(MEAN_CURVATURE, ANY, 3, 24, 22, true, false),
    TILES(WILLMORE, 1, 1, 14, 14, true, false),
    TILES(WILLMORE, 64, 2, 8, 8, true, true), /* up to 64^2; 128^2 has 132 of the next ones */
    TILES(WILLMORE, ANY, 2, 12, 11, true, false),
    TILES(WILLMORE, ANY, 1, 24, 22, true, false),
#if REAL_IS_DOUBLE
    STAY(2, 6, 8),
    STREAMS(ANY, 2, 7, 7), /* where the boundary is copied */
    STREAMS(MANY, 3, 5, 11),
#else
    STAY(2, 6, 8, 2),
    STAY(3, 8, 13), /* 1024^2, where its 132 tiles are there at once */
    STREAMS(ANY, 2, 7, 7),
    STREAMS(MANY, 3, 8, 13),
#endif
    SWEEPS(MEAN_CURVATURE),
    SWEEPS(WILLMORE),
};

static void prepare_tiles(merson_on_chip *r)
{
    struct march *const m = &r->course;
    const size_t terms = RATIONAL(r->in->flow) * m->g.nodes;
    real *const host = (real *)take(&r->memory, terms * sizeof *host), *rational = NULL;
    if (host != NULL)
        P(curvature_rationals)(r->in, host);
    take_copy(&r->memory, &rational, host, terms);
    sweep_make(&r->memory, r->in, r->blocks, &m->sweep); /* the tables of what stays by rows */
    m->sweep.u = m->u;
    take_device(&r->memory, &m->mail, 2 * m->g.nodes);
    const size_t copies = r->blocks > COPIES ? r->blocks : (size_t)COPIES; /* or each is told */
    take_device(&r->memory, &m->votes, 2 * copies * r->blocks);
    m->g.rational = rational;
}

static enum status prepare(merson_on_chip *r)
{
    const struct curvature *const p = r->in;
    struct march *const m = &r->course;
    const enum status status = choose(ways, r);
    if (status != OK)
        return status;
    march_make(&r->memory, p, curvature_nodes(p), curvature_nodes(p), m);
    take_told(&r->memory, &m->heard);
    r->name = "gpu-resident";
    r->taken = m->taken;
    r->initial = (real *)take(&r->memory, m->g.nodes * sizeof *r->initial);
    if (r->way->rows == 0)
        march_by_sweeps(&r->memory, p, m->g.nodes, 2 * r->blocks, m); /* maxima by turns */
    else
        prepare_tiles(r);
    return r->memory.status;
}

} // namespace OURS

extern const struct calls P(curvature_gpu_resident);
const struct calls P(curvature_gpu_resident) = {
    OURS::plan_on_chip<OURS::march>, OURS::load_on_chip<OURS::march>,
    OURS::run_on_chip<OURS::march>, OURS::fetch_on_chip<OURS::march>, give_back};
