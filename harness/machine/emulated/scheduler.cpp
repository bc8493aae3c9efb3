/*
 * Threads of a block as fibers: one runs until it waits, then the next one that can. Here are the
 * barriers of a block and of a grid, warp operations and shared arrays, and the words for threads
 * that wait for ever.
 */
#include "machine/emulated/scheduler.h"

#include <setjmp.h>
#include <stdarg.h>

#include <vector>

#include "machine/emulated/context.h"

namespace emulated
{

bool descending_threads;
std::atomic<bool> failed;
char failure[512];

enum { MOST_WARPS = MOST_THREADS / 32 };

static const char *const operation_names[] = {
    "nothing",       "the barrier",    "grid_sync",        "__syncwarp",
    "__shfl_sync",   "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",
    "__ballot_sync", "__any_sync",     "__all_sync"};

struct fiber {
    struct context context;
    int waits_at, line; /* an operation; the line of its call */
    int source;         /* lane to read from; -1: a vote */
    uint64_t in, out;
};

struct meeting { /* the lanes of a mask, at one warp operation */
    unsigned mask, arrived;
    int kind;
};

struct shared_block {
    const void *key;
    void *memory;
};

struct worker {
    struct job *job;
    uint3 block;
    int count, live, current; /* threads of the block; those that have not ended; who runs */
    int arrived, predicates;  /* at the barrier of the whole block */
    int last_predicates;
    bool abandoned;
    unsigned finished[MOST_WARPS]; /* lanes that have ended or never were */
    struct meeting meetings[MOST_WARPS][32];
    int meeting_count[MOST_WARPS];
    int queue[MOST_THREADS]; /* threads that can run, in a ring */
    unsigned head, tail;
    int stacks;
    struct fiber fibers[MOST_THREADS];
    struct context main;
    std::vector<shared_block> shared;
    jmp_buf escape; /* out of a block that runs as a loop */
};

static thread_local struct worker *self;

void fail(const char *sentence)
{
    static std::mutex lock;
    const std::lock_guard<std::mutex> held(lock);
    if (!failed)
        snprintf(failure, sizeof failure, "%s", sentence);
    failed = true;
}

/* Fails in the words of the kernel, and wakes the blocks that wait for one that will not come. */
static void note_list(struct worker *w, const char *format, va_list list)
{
    char sentence[sizeof failure];
    const char *kernel = w->job->launch->kernel;
    const int inner = kernel[0] == '(' ? 1 : 0, length = (int)strlen(kernel) - 2 * inner;
    const int used = snprintf(sentence, sizeof sentence,
                              "kernel %.*s, block (%u,%u,%u): ", length < 200 ? length : 200,
                              kernel + inner, w->block.x, w->block.y, w->block.z);
    vsnprintf(sentence + used, sizeof sentence - (size_t)used, format, list);
    fail(sentence);
    const std::lock_guard<std::mutex> held(w->job->lock);
    w->job->released.notify_all();
}

__attribute__((format(printf, 2, 3))) static void note(struct worker *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    note_list(w, format, list);
    va_end(list);
}

void blame_block(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    note_list(self, format, list);
    va_end(list);
}

/* Leaves the block where it stands; nothing on the fibers' stacks is unwound. */
[[noreturn]] static void abandon(struct worker *w)
{
    if (w->job->launch->run_block != nullptr)
        longjmp(w->escape, 1);
    w->abandoned = true;
    switch_context(&w->fibers[w->current].context, &w->main, true);
    abort();
}

void stop_block(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    note_list(self, format, list);
    va_end(list);
    abandon(self);
}

static void push_back(struct worker *w, int i)
{
    w->queue[w->tail++ % MOST_THREADS] = i;
}

static void push_front(struct worker *w, int i)
{
    w->queue[--w->head % MOST_THREADS] = i;
}

/* The thread, or lane, of `count` whose turn is the i-th. */
static int in_order(int i, int count)
{
    return descending_threads ? count - 1 - i : i;
}

/* Who waits where, in words: "32 threads wait at the barrier in line 41 while 224 wait in ..." */
[[noreturn]] static void report_waiting(struct worker *w, const char *ending)
{
    static const char *const verbs[2][2] = {{"threads wait", "thread waits"}, {"wait", "waits"}};
    struct {
        int kind, line, threads;
    } groups[6] = {};
    int count = 0, used = 0, g;
    char text[400];
    for (int i = 0; i < w->count; i++) {
        const struct fiber *f = &w->fibers[i];
        for (g = 0; g < count; g++)
            if (groups[g].kind == f->waits_at && groups[g].line == f->line)
                break;
        if (f->waits_at == NOTHING || g == 6)
            continue;
        if (g == count)
            groups[count++] = {f->waits_at, f->line, 0};
        groups[g].threads++;
    }
    for (g = 0; g < count; g++) {
        const bool known = g > 0 && groups[g].kind == groups[0].kind;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%d %s%s%s in line %d",
                         g > 0 ? " while " : "", groups[g].threads,
                         verbs[g > 0][groups[g].threads == 1], known ? "" : " at ",
                         known ? "" : operation_names[groups[g].kind], groups[g].line);
    }
    note(w, "%s%s", text, ending);
    abandon(w);
}

/* The current thread cannot go on, so the next one does; back when it is this one's turn again. */
static void run_next(struct worker *w, bool for_good)
{
    if (w->head == w->tail)
        report_waiting(w, ", and none of them can go on");
    const int from = w->current, to = w->queue[w->head++ % MOST_THREADS];
    if (to == from)
        return;
    w->current = to;
    switch_context(&w->fibers[from].context, &w->fibers[to].context, for_good);
}

/* Waits for the other blocks; false: they will not come. */
static bool wait_for_grid(struct worker *w)
{
    struct job *job = w->job;
    std::unique_lock<std::mutex> held(job->lock);
    const uint64_t generation = job->generation;
    if (++job->waiting == job->blocks) {
        job->waiting = 0;
        job->generation++;
        job->released.notify_all();
    } else if (job->waiting + job->ended == job->blocks) {
        held.unlock();
        note(w, "grid_sync waits for blocks that have ended");
    } else {
        job->released.wait(held, [=] { return job->generation != generation || failed; });
    }
    return !failed;
}

/* Lets the threads go on; all that have not ended have arrived. */
static void release_barrier(struct worker *w)
{
    int first = -1;
    for (int i = 0; i < w->count; i++) {
        const struct fiber *f = &w->fibers[i];
        if (f->waits_at == NOTHING)
            continue;
        if (first < 0)
            first = i;
        if (f->waits_at != w->fibers[first].waits_at || f->line != w->fibers[first].line)
            report_waiting(w, "");
    }
    if (w->fibers[first].waits_at == GRID_SYNC && !wait_for_grid(w))
        abandon(w);
    for (int i = 0; i < w->count; i++) {
        const int thread = in_order(i, w->count);
        if (w->fibers[thread].waits_at == NOTHING)
            continue;
        w->fibers[thread].waits_at = NOTHING;
        push_back(w, thread);
    }
    w->last_predicates = w->predicates;
    w->arrived = w->predicates = 0;
}

/* Completes the meeting if nobody is missing. Its lanes run next, while their data are near. */
static void try_meeting(struct worker *w, int in_warp, struct meeting *m)
{
    struct fiber *lanes = &w->fibers[32 * in_warp];
    const unsigned arrived = m->arrived;
    unsigned votes = 0;
    if (arrived != (m->mask & ~w->finished[in_warp]))
        return;
    for (int i = 0; i < 32; i++)
        if ((arrived >> i & 1) != 0)
            votes |= (unsigned)(lanes[i].in & 1) << i;
    for (int i = 31; i >= 0; i--) {
        const int lane = in_order(i, 32);
        struct fiber *f = &lanes[lane];
        if ((arrived >> lane & 1) == 0)
            continue;
        if (f->source < 0)
            f->out = votes;
        else /* a lane that is not there gives NaN and -1 rather than something plausible */
            f->out = (arrived >> f->source & 1) != 0 ? lanes[f->source].in : ~(uint64_t)0;
        f->waits_at = NOTHING;
        push_front(w, 32 * in_warp + lane);
    }
    *m = w->meetings[in_warp][--w->meeting_count[in_warp]];
}

/* A fiber's life: one thread of the kernel, then the next fiber for good. */
static void fiber_main(void)
{
    struct worker *w = self;
    const launch &kernel = *w->job->launch;
    const unsigned i = (unsigned)w->current, nx = kernel.block.x, ny = kernel.block.y;
    const int in_warp = (int)i / 32;
    arrived_in(&w->fibers[i].context);
    kernel.run_thread(kernel, w->block, uint3{i % nx, i / nx % ny, i / nx / ny});

    thread_ends((int)i);
    w->finished[in_warp] |= 1u << i % 32;
    if (--w->live == 0)
        switch_context(&w->fibers[i].context, &w->main, true);
    if (w->arrived == w->live)
        release_barrier(w);
    for (int m = w->meeting_count[in_warp] - 1; m >= 0; m--)
        try_meeting(w, in_warp, &w->meetings[in_warp][m]);
    run_next(w, true);
    abort();
}

static void run_with_fibers(struct worker *w)
{
    w->live = w->count;
    w->arrived = w->predicates = 0;
    w->head = w->tail = 0;
    w->abandoned = false;
    for (; w->stacks < w->count; w->stacks++)
        if (!map_stack(&w->fibers[w->stacks].context)) {
            note(w, "no memory for the stacks of %d threads; ask for fewer or smaller blocks",
                 w->count);
            return;
        }
    for (int i = 0; i < MOST_WARPS; i++) {
        const int lanes = w->count - 32 * i;
        w->meeting_count[i] = 0;
        w->finished[i] = lanes >= 32 ? 0 : lanes <= 0 ? ~0u : ~0u << lanes;
    }
    for (int i = 0; i < w->count; i++) {
        const int thread = in_order(i, w->count);
        w->fibers[thread].waits_at = NOTHING;
        prepare_context(&w->fibers[thread].context, fiber_main, (unsigned)thread);
        push_back(w, thread);
    }
    w->current = w->queue[w->head++];
    block_begins(w->count);
    switch_context(&w->main, &w->fibers[w->current].context, false);
    if (w->abandoned)
        return;
    block_ends(w->count);
    if (!w->job->launch->as.cooperative)
        return;
    w->job->lock.lock();
    w->job->ended++;
    const bool stuck = w->job->waiting > 0 && w->job->waiting + w->job->ended == w->job->blocks;
    w->job->lock.unlock();
    if (stuck)
        note(w, "this block has ended while others wait at grid_sync");
}

static void drop_shared(struct worker *w)
{
    for (const struct shared_block &s : w->shared)
        free(s.memory);
    w->shared.clear();
}

static struct worker *get_worker(void)
{
    /* Never freed, so that no worker is lost when its OS thread is killed by exit(). */
    static std::vector<struct worker *> *const all = new std::vector<struct worker *>;
    static std::mutex lock;
    if (self != nullptr)
        return self;
    self = new struct worker();
    use_own_stack(&self->main);
    const std::lock_guard<std::mutex> held(lock);
    all->push_back(self);
    return self;
}

void take_blocks(struct job *job)
{
    struct worker *const w = get_worker();
    const launch &kernel = *job->launch;
    w->job = job;
    w->count = (int)(kernel.block.x * kernel.block.y * kernel.block.z);
    if (setjmp(w->escape) == 0) {
        while (!failed) {
            const uint64_t i = job->next++;
            if (i >= job->blocks)
                break;
            w->block = {(unsigned)(i % kernel.grid.x),
                        (unsigned)(i / kernel.grid.x % kernel.grid.y),
                        (unsigned)(i / kernel.grid.x / kernel.grid.y)};
            if (kernel.run_block != nullptr)
                kernel.run_block(kernel, w->block, descending_threads);
            else
                run_with_fibers(w);
            drop_shared(w);
        }
    }
    drop_shared(w);
}

int waiting_thread(const char *what, int line)
{
    if (self->job->launch->run_block != nullptr)
        stop_block("%s in line %d, but LAUNCH_NB promises that no thread waits; use LAUNCH", what,
                   line);
    return self->current;
}

/* The current thread, which is about to wait. */
static struct fiber *waiting_at(struct worker *w, int kind, int line)
{
    const int thread = waiting_thread(operation_names[kind], line);
    struct fiber *const f = &w->fibers[thread];
    thread_waited(thread);
    f->waits_at = kind;
    f->line = line;
    return f;
}

void not_awaited(void)
{
    note(self, "it starts early, and no thread calls await_previous()");
    abandon(self);
}

int barrier(operation kind, bool predicate, int line)
{
    struct worker *const w = self;
    waiting_at(w, kind, line);
    if (kind == GRID_SYNC && !w->job->launch->as.cooperative) {
        note(w, "grid_sync in line %d needs LAUNCH_COOP", line);
        abandon(w);
    }
    w->predicates += predicate;
    if (++w->arrived == w->live)
        release_barrier(w);
    run_next(w, false);
    return w->last_predicates;
}

uint64_t warp(operation kind, unsigned mask, uint64_t value, int source, int line)
{
    struct worker *const w = self;
    struct fiber *const f = waiting_at(w, kind, line);
    const int in_warp = w->current / 32, lane = w->current % 32;
    if ((mask >> lane & 1) == 0) {
        note(w, "thread %d calls %s in line %d with mask 0x%08x, which leaves out its own lane %d",
             w->current, operation_names[kind], line, mask, lane);
        abandon(w);
    }
    f->in = value;
    f->source = source;
    struct meeting *m = w->meetings[in_warp];
    struct meeting *const end = m + w->meeting_count[in_warp];
    while (m < end && (m->mask != mask || m->kind != kind))
        m++;
    if (m == end) {
        *m = {mask, 0, kind};
        w->meeting_count[in_warp]++;
    }
    m->arrived |= 1u << lane;
    try_meeting(w, in_warp, m);
    run_next(w, false);
    return f->out;
}

void give_way(void)
{
    struct worker *const w = self;
    if (failed)
        abandon(w);
    if (w->job->launch->run_block != nullptr)
        return;
    push_back(w, w->current);
    run_next(w, false);
}

/* Shared arrays are heap blocks of exact size, so that the address sanitizer sees an overrun. */
void *shared_array(const void *key, size_t bytes)
{
    struct worker *const w = self;
    for (const struct shared_block &s : w->shared)
        if (s.key == key)
            return s.memory;
    void *const memory = malloc(bytes);
    if (memory == nullptr) {
        note(w, "no memory for a shared array of %zu bytes", bytes);
        abandon(w);
    }
    memset(memory, 0xff, bytes);
    w->shared.push_back({key, memory});
    return memory;
}

void *dynamic_shared(void)
{
    return shared_array(nullptr, self->job->launch->shared);
}

} // namespace emulated
