/*
 * The device's ceilings: scaled copy, write, multiply-add, launch. 16-byte accesses, several of
 * them in flight per thread, because 4-byte ones do not saturate a current memory.
 */
#include "machine/far.h"

#include "ceilings.h"
#include "machine/precision.h"
#include "machine/ranks.h"

#include "../common/kernels.h"

enum { BLOCK = 256, WIDTH = 16 / sizeof(real), UNROLL = 4, TILE = BLOCK * UNROLL };

struct alignas(16) vector {
    real lane[WIDTH];
};

struct ceiling {
    struct memory memory;
    const struct instance *in;
    size_t n, vectors; /* values, and the whole vectors that they fill */
    real *a, *x;       /* device [vectors][WIDTH]; a only of what reads it */
    real *sample;      /* device [1 + SAMPLE] */
};

static unsigned tiles(const struct ceiling *s)
{
    return (unsigned)((s->vectors + TILE - 1) / TILE);
}

static __global__ void write(vector *x, real q, size_t vectors)
{
    const size_t first = (size_t)blockIdx.x * TILE + threadIdx.x;
    for (int k = 0; k < UNROLL; k++) {
        const size_t i = first + k * BLOCK;
        vector v;
        for (int lane = 0; lane < WIDTH; lane++)
            v.lane[lane] = q * R(CEILING_A(i * WIDTH + lane));
        if (i < vectors)
            x[i] = v;
    }
}

template <size_t most, bool reads> static enum status plan(const struct instance *in, void **state)
{
    struct ceiling *s = (struct ceiling *)owner_new(sizeof *s);
    if (s == NULL)
        return ERR_MEMORY;
    s->in = in;
    s->n = ceilings_n(&in->at, most);
    s->vectors = (s->n + WIDTH - 1) / WIDTH;
    take_device(&s->memory, &s->x, s->vectors * WIDTH);
    take_device(&s->memory, &s->sample, 1 + SAMPLE);
    if (reads)
        take_device(&s->memory, &s->a, s->vectors * WIDTH);
    if (reads && s->memory.status == OK) {
        LAUNCH_NB(write, tiles(s), BLOCK)((vector *)s->a, R(1), s->vectors);
        s->memory.status = device_launched("write");
    }
    return planned(s, s->memory.status, state);
}

/* x stands for one of `whole` values, of which it has the first n. */
static __global__ void gather(real *sample, const real *x, size_t n, size_t whole, size_t count,
                              unsigned draw)
{
    const size_t k = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (k == 0)
        sample[0] = R(draw);
    if (k < count)
        sample[1 + k] = x[ceiling_place(whole, count, draw, k) % n];
}

static enum status bring(const struct ceiling *s, unsigned draw, struct solution *out)
{
    const size_t whole = ceilings_n(&s->in->at, 0), count = out->count - 1;
    LAUNCH_NB(gather, (unsigned)((count - 1) / BLOCK + 1), BLOCK)
    (s->sample, s->x, s->n, whole, count, draw);
    const enum status status = device_launched("gather");
    return status == OK ? device_get(out->values, s->sample, out->count * sizeof *s->sample)
                        : status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    (void)laps;
    return bring((const struct ceiling *)state, ceilings_draw(), out);
}

static __global__ void copy(vector *x, const vector *a, real q, size_t vectors)
{
    const size_t first = (size_t)blockIdx.x * TILE + threadIdx.x;
    vector v[UNROLL];
    for (int k = 0; k < UNROLL; k++)
        if (first + k * BLOCK < vectors)
            v[k] = a[first + k * BLOCK];
    for (int k = 0; k < UNROLL; k++)
        for (int lane = 0; lane < WIDTH; lane++)
            v[k].lane[lane] *= q;
    for (int k = 0; k < UNROLL; k++)
        if (first + k * BLOCK < vectors)
            x[first + k * BLOCK] = v[k];
}

static enum status run_copy(void *state, struct laps *laps)
{
    const struct ceiling *s = (const struct ceiling *)state;
    LAUNCH_NB(copy, tiles(s), BLOCK)
    ((vector *)s->x, (const vector *)s->a, R(ceilings_q(s->in)), s->vectors);
    (void)laps;
    return device_launched("copy");
}

static enum status run_write(void *state, struct laps *laps)
{
    const struct ceiling *s = (const struct ceiling *)state;
    LAUNCH_NB(write, tiles(s), BLOCK)
    ((vector *)s->x, R(ceilings_q(s->in)), s->vectors);
    (void)laps;
    return device_launched("write");
}

/* Independent chains hide the latency; alpha = 1, beta = 0 and gamma = 0 come at run time, so the
 * result is known and the compiler cannot know it. */
static __global__ void multiply_add(real *x, real q, real alpha, real beta, real gamma, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    real chain[FMA_CHAINS], rest = R(0);
    for (int k = 0; k < FMA_CHAINS; k++)
        chain[k] = q * R(CEILING_A(i) + (unsigned)k);
    for (int step = 0; step < FMA_STEPS; step++)
        for (int k = 0; k < FMA_CHAINS; k++)
            chain[k] = fma(chain[k], alpha, beta);
    for (int k = 1; k < FMA_CHAINS; k++)
        rest += chain[k];
    if (i < n)
        x[i] = chain[0] + gamma * rest;
}

static enum status run_fma(void *state, struct laps *laps)
{
    const struct ceiling *s = (const struct ceiling *)state;
    LAUNCH_NB(multiply_add, (unsigned)((s->n + BLOCK - 1) / BLOCK), BLOCK)
    (s->x, R(ceilings_q(s->in)), R(1), R(0), R(0), s->n);
    (void)laps;
    return device_launched("multiply_add");
}

const struct calls P(ceilings_copy) = {plan<0, true>, NULL, run_copy, fetch, give_back};
const struct calls P(ceilings_write) = {plan<0, false>, NULL, run_write, fetch, give_back};
const struct calls P(ceilings_fma) = {plan<MOST_OF_FMA, false>, NULL, run_fma, fetch, give_back};

#if REAL_IS_DOUBLE
/* --- between cards --- */

/* What the next card has of this one's memory, and what this one is told. */
struct link {
    struct ceiling c;
    double *to;                    /* [n] of the next card */
    double *last;                  /* device, 1: the word that came last */
    const double *received;        /* [n], of the one before */
    int *arrived, *told;           /* device, 1: that all has come here; and there */
    letter<double> *words, *other; /* device [ranks], by turns; those of the next card */
    int runs;
};

enum { MOST_RANKS = 64, LINE = 4 * MOST_RANKS }; /* doubles of the letters, and of the signal */

static enum status connect(struct link *l)
{
    const int count = ranks_count(), next = (ranks_own() + 1) % count;
    void *all[MOST_RANKS];
    const enum status status = ranks_share((l->c.vectors * WIDTH + LINE) * sizeof(double), all);
    if (status != OK)
        return status;
    double *const here = (double *)all[ranks_own()], *const there = (double *)all[next];
    l->words = (letter<double> *)here;
    l->other = (letter<double> *)there;
    l->arrived = (int *)(here + LINE / 2);
    l->told = (int *)(there + LINE / 2);
    l->received = here + LINE;
    l->to = there + LINE;
    return OK;
}

/* What this rank's values are multiplied by: the first rank, which is judged, is to have those of
 * rank `from`, and all others have others. */
static double mark_of(int from)
{
    return ranks_own() == from ? 1 : 2;
}

template <size_t most> static enum status plan_link(const struct instance *in, void **state)
{
    struct link *const l = (struct link *)owner_new(sizeof *l);
    if (l == NULL)
        return ERR_MEMORY;
    l->c.in = in;
    l->c.n = ceilings_n(&in->at, most);
    l->c.vectors = (l->c.n + WIDTH - 1) / WIDTH;
    take_device(&l->c.memory, &l->c.a, l->c.vectors * WIDTH);
    take_device(&l->c.memory, &l->c.sample, 1 + SAMPLE);
    take_device(&l->c.memory, &l->last, 1);
    l->c.memory.status = ranks_agree(l->c.memory.status);
    if (l->c.memory.status == OK)
        l->c.memory.status = connect(l);
    if (l->c.memory.status == OK) {
        LAUNCH_NB(write, tiles(&l->c), BLOCK)
        ((vector *)l->c.a, mark_of(ranks_count() - 1), l->c.vectors);
        l->c.memory.status = device_launched("write");
    }
    return planned(l, l->c.memory.status, state);
}

/* All has been sent by the launches before; until as much has come. */
static __global__ void meet(int *told, const int *arrived, int run)
{
    signal_send(told, run);
    signal_wait(arrived, run);
}

static enum status run_link_copy(void *state, struct laps *laps)
{
    struct link *const l = (struct link *)state;
    for (int k = 0; k < SENDINGS; k++)
        LAUNCH_NB(copy, tiles(&l->c), BLOCK)
    ((vector *)l->to, (const vector *)l->c.a, ceilings_q(l->c.in), l->c.vectors);
    LAUNCH_TOGETHER(meet, 1, 1, 0)(l->told, l->arrived, l->runs++);
    (void)laps;
    return device_launched("meet");
}

/* A word goes on when the one before it has come, so each is awaited; the last one stays. Who sends
 * one has heard, round by all others, that the next card has read what it sent `places` ago. */
static __global__ void pass_words(letter<double> *to, const letter<double> *from, double *received,
                                  double q, unsigned number, unsigned places)
{
    double word = q * CEILING_A(0);
    for (int k = 0; k < WORDS; k++, number++) {
        letter_send(to + number % places, word, number);
        letter<double> v = letter_arrived(from + number % places, number);
        for (unsigned looks = 0; !letter_there(v, number); lose_patience(&looks))
            v = letter_arrived(from + number % places, number);
        word = letter_word(v);
    }
    *received = word;
}

static enum status run_link_exchange(void *state, struct laps *laps)
{
    struct link *const l = (struct link *)state;
    const int count = ranks_count(), from = (count - WORDS % count) % count;
    LAUNCH_TOGETHER(pass_words, 1, 1, 0)
    (l->other, l->words, l->last, mark_of(from) * ceilings_q(l->c.in), (unsigned)l->runs++ * WORDS,
     (unsigned)count);
    (void)laps;
    return device_launched("pass_words");
}

/* The first rank's alone. */
static enum status fetch_link(struct link *l, double *received, unsigned draw, struct solution *out)
{
    l->c.x = received;
    return ranks_own() == 0 ? bring(&l->c, draw, out) : OK;
}

static enum status fetch_link_copy(void *state, struct solution *out, struct laps *laps)
{
    struct link *const l = (struct link *)state;
    (void)laps;
    return fetch_link(l, (double *)l->received, ceilings_draw(), out);
}

static enum status fetch_link_exchange(void *state, struct solution *out, struct laps *laps)
{
    struct link *const l = (struct link *)state;
    (void)laps;
    out->count = 2;
    return fetch_link(l, l->last, 0, out);
}

const struct calls ceilings_link_copy_d = {plan_link<0>, NULL, run_link_copy, fetch_link_copy,
                                           give_back};
const struct calls ceilings_link_exchange_d = {plan_link<1>, NULL, run_link_exchange,
                                               fetch_link_exchange, give_back};

/* As good as empty: one store shows that it ran. Many behind one another, since their cost is what
 * a loop of launches pays; one alone takes longer, by the way to the device and back. */
static __global__ void almost_empty(double *x, double q)
{
    if (threadIdx.x == 0)
        x[0] = q * CEILING_A(0);
}

static enum status run_launch(void *state, struct laps *laps)
{
    const struct ceiling *s = (const struct ceiling *)state;
    enum status status = OK;
    for (int k = 0; k < LAUNCHES && status == OK; k++) {
        LAUNCH_NB(almost_empty, 1, 32)(s->x, ceilings_q(s->in));
        status = device_launched("almost_empty");
    }
    (void)laps;
    return status;
}

/* The kernel writes the first value of x alone. */
static enum status fetch_launch(void *state, struct solution *out, struct laps *laps)
{
    (void)laps;
    out->count = 2;
    return bring((const struct ceiling *)state, 0, out);
}

const struct calls ceilings_launch_d = {plan<1, false>, NULL, run_launch, fetch_launch, give_back};
#endif
