/*
 * The emulated device: CUDA kernels on the CPU, for tests and for machines without a GPU.
 * A block's threads are fibers, or turns of a plain loop; blocks are taken in ascending order by
 * OS threads. What CUDA leaves undefined and a test should notice ends the launch with a sentence.
 * One launch at a time: launching from several host threads at once is not supported.
 */
#include "machine/device.h"

#include <cuda_runtime.h>

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if !defined(__x86_64__) || defined(REPRISE_UCONTEXT)
#define WITH_UCONTEXT 1
#include <ucontext.h>
#endif

using emulated::launch;

enum {
    MOST_THREADS = 1024,
    MOST_WARPS = MOST_THREADS / 32,
    MOST_SHARED = 227 * 1024,
    MOST_COOPERATIVE = 64, /* blocks, each on an OS thread of its own */
    STACK = 64 * 1024,
    GUARD = 4096
};

static const char *const operation_names[] = {
    "nothing",       "the barrier",    "grid_sync",        "__syncwarp",
    "__shfl_sync",   "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",
    "__ballot_sync", "__any_sync",     "__all_sync"};

/* What went wrong first; as in CUDA, nothing runs any more afterwards. A refused launch is
 * forgotten once it is reported. */
static std::mutex failure_lock;
static std::atomic<bool> failed;
static char failure[512], refusal[512];
static bool descending;

/* Contexts: a stack and where to go on with it. */

struct context {
#ifdef WITH_UCONTEXT
    ucontext_t state;
#else
    void *top;
#endif
    const void *bottom; /* of the stack, lowest address */
    size_t size;
    void *fake; /* the sanitizer's */
};

#ifndef WITH_UCONTEXT
extern "C" void reprise_switch(void **from, void *to);
__asm__(".text\n"
        ".globl reprise_switch\n"
        ".hidden reprise_switch\n"
        ".type reprise_switch, @function\n"
        "reprise_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n"
        "    pushq %r13\n    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n"
        "    popq %r12\n    popq %rbx\n    popq %rbp\n"
        "    ret\n"
        ".size reprise_switch, . - reprise_switch\n");
#endif

static void arrived_here(struct context *here)
{
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(here->fake, nullptr, nullptr);
#endif
    (void)here;
}

/* for_good: nobody comes back to `from`. */
static void switch_context(struct context *from, struct context *to, bool for_good)
{
#ifdef WITH_ASAN
    __sanitizer_start_switch_fiber(for_good ? nullptr : &from->fake, to->bottom, to->size);
#endif
    (void)for_good;
#ifdef WITH_UCONTEXT
    swapcontext(&from->state, &to->state);
#else
    reprise_switch(&from->top, to->top);
#endif
    arrived_here(from);
}

/* Makes `c` start `entry` on its stack. The tops of the stacks are set apart by `colour`, else all
 * of them would fall into the same few lines of the cache. */
static void prepare_context(struct context *c, void (*entry)(void), unsigned colour)
{
    const size_t size = c->size - colour % 32 * 128;
#ifdef WITH_ASAN
    ASAN_UNPOISON_MEMORY_REGION(c->bottom, c->size); /* of frames that were left for good */
#endif
    c->fake = nullptr;
#ifdef WITH_UCONTEXT
    getcontext(&c->state);
    c->state.uc_stack.ss_sp = const_cast<void *>(c->bottom);
    c->state.uc_stack.ss_size = size;
    c->state.uc_link = nullptr;
    makecontext(&c->state, entry, 0);
#else
    void **top = (void **)((char *)const_cast<void *>(c->bottom) + size);
    *--top = nullptr; /* where entry would return to, which it never does */
    *--top = (void *)entry;
    for (int i = 0; i < 6; i++)
        *--top = nullptr;
    c->top = top;
#endif
}

/* A job is one launch; a worker is an OS thread with all that a block needs. */

struct job {
    const launch *of;
    uint64_t blocks;
    std::atomic<uint64_t> next;
    /* grid_sync: blocks that wait, and blocks that have ended */
    std::mutex lock;
    std::condition_variable released;
    uint64_t waiting, ended, generation;
};

struct fiber {
    struct context context;
    int waits_at, line; /* an operation; the line of its call */
    int source;         /* lane to read from; -1: a vote */
    uint64_t in, out;
};

struct meeting { /* of the lanes in a mask, at one warp operation */
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
    int queue[MOST_THREADS]; /* ring of those that can run */
    unsigned head, tail;
    int stacks;
    struct fiber fibers[MOST_THREADS];
    struct context main;
    std::vector<shared_block> shared;
    jmp_buf escape; /* out of a block that runs as a loop */
};

static thread_local struct worker *self;

/* Notes the first failure, and wakes the blocks that wait for one that will not come. */
__attribute__((format(printf, 2, 3))) static void note(struct worker *w, const char *format, ...)
{
    const char *kernel = w->job->of->kernel;
    const int length = (int)strlen(kernel), inner = kernel[0] == '(' ? 1 : 0;
    failure_lock.lock();
    if (!failed) {
        const int used = snprintf(failure, sizeof failure, "kernel %.*s, block (%u,%u,%u): ",
                                  length - 2 * inner < 200 ? length - 2 * inner : 200,
                                  kernel + inner, w->block.x, w->block.y, w->block.z);
        va_list list;
        va_start(list, format);
        vsnprintf(failure + used, sizeof failure - (size_t)used, format, list);
        va_end(list);
        failed = true;
    }
    failure_lock.unlock();
    w->job->lock.lock();
    w->job->released.notify_all();
    w->job->lock.unlock();
}

/* Leaves the block where it stands; nothing on the fibers' stacks is unwound. */
[[noreturn]] static void abandon(struct worker *w)
{
    if (w->job->of->run_block != nullptr)
        longjmp(w->escape, 1);
    w->abandoned = true;
    switch_context(&w->fibers[w->current].context, &w->main, true);
    abort();
}

static void push_back(struct worker *w, int i)
{
    w->queue[w->tail++ % MOST_THREADS] = i;
}

static void push_front(struct worker *w, int i)
{
    w->queue[--w->head % MOST_THREADS] = i;
}

/* The i-th thread, or lane, of `count` in the order that device_thread_order() asked for. */
static int in_order(int i, int count)
{
    return descending ? count - 1 - i : i;
}

/* Who waits where, in words: "32 threads wait at the barrier in line 41 while 224 wait in ..." */
[[noreturn]] static void report_waiting(struct worker *w, const char *ending)
{
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
        if (f->waits_at == emulated::NOTHING || g == 6)
            continue;
        if (g == count)
            groups[count++] = {f->waits_at, f->line, 0};
        groups[g].threads++;
    }
    for (g = 0; g < count; g++) {
        const bool one = groups[g].threads == 1, same = g > 0 && groups[g].kind == groups[0].kind;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%d%s wait%s%s%s in line %d",
                         g == 0 ? "" : " while ", groups[g].threads,
                         g > 0 ? ""
                         : one ? " thread"
                               : " threads",
                         one ? "s" : "", same ? "" : " at ",
                         same ? "" : operation_names[groups[g].kind], groups[g].line);
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

/* Once all threads that have not ended are there. */
static void release_barrier(struct worker *w)
{
    int first = -1;
    for (int i = 0; i < w->count; i++) {
        const struct fiber *f = &w->fibers[i];
        if (f->waits_at == emulated::NOTHING)
            continue;
        if (first < 0)
            first = i;
        if (f->waits_at != w->fibers[first].waits_at || f->line != w->fibers[first].line)
            report_waiting(w, "");
    }
    if (w->fibers[first].waits_at == emulated::GRID_SYNC && !wait_for_grid(w))
        abandon(w);
    for (int i = 0; i < w->count; i++) {
        const int thread = in_order(i, w->count);
        if (w->fibers[thread].waits_at == emulated::NOTHING)
            continue;
        w->fibers[thread].waits_at = emulated::NOTHING;
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
        f->waits_at = emulated::NOTHING;
        push_front(w, 32 * in_warp + lane);
    }
    *m = w->meetings[in_warp][--w->meeting_count[in_warp]];
}

/* A fiber's life: one thread of the kernel, then the next fiber for good. */
static void fiber_main(void)
{
    struct worker *w = self;
    const unsigned i = (unsigned)w->current, nx = w->job->of->block.x, ny = w->job->of->block.y;
    const int in_warp = (int)i / 32;
    arrived_here(&w->fibers[i].context);
    w->job->of->run_thread(*w->job->of, w->block, uint3{i % nx, i / nx % ny, i / nx / ny});

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

/* Stacks are mapped when first needed and kept; a page without access lies below each. */
static bool provide_stacks(struct worker *w, int count)
{
    for (; w->stacks < count; w->stacks++) {
        void *memory = mmap(nullptr, STACK + GUARD, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return false;
        if (mprotect(memory, GUARD, PROT_NONE) != 0) {
            munmap(memory, STACK + GUARD);
            return false;
        }
        w->fibers[w->stacks].context.bottom = (char *)memory + GUARD;
        w->fibers[w->stacks].context.size = STACK;
    }
    return true;
}

static void run_with_fibers(struct worker *w)
{
    w->live = w->count;
    w->arrived = w->predicates = 0;
    w->head = w->tail = 0;
    w->abandoned = false;
    if (!provide_stacks(w, w->count)) {
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
        w->fibers[thread].waits_at = emulated::NOTHING;
        prepare_context(&w->fibers[thread].context, fiber_main, (unsigned)thread);
        push_back(w, thread);
    }
    w->current = w->queue[w->head++];
    switch_context(&w->main, &w->fibers[w->current].context, false);
    if (!w->job->of->cooperative || w->abandoned)
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
#ifdef WITH_ASAN
    pthread_attr_t attributes;
    void *bottom = nullptr;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &bottom, &self->main.size);
    pthread_attr_destroy(&attributes);
    self->main.bottom = bottom;
#endif
    lock.lock();
    all->push_back(self);
    lock.unlock();
    return self;
}

static void take_blocks(struct job *job)
{
    struct worker *const w = get_worker();
    const launch &of = *job->of;
    w->job = job;
    w->count = (int)(of.block.x * of.block.y * of.block.z);
    if (setjmp(w->escape) == 0) {
        while (!failed) {
            const uint64_t i = job->next++;
            if (i >= job->blocks)
                break;
            w->block = {(unsigned)(i % of.grid.x), (unsigned)(i / of.grid.x % of.grid.y),
                        (unsigned)(i / of.grid.x / of.grid.y)};
            if (of.run_block != nullptr)
                of.run_block(of, w->block, descending);
            else
                run_with_fibers(w);
            drop_shared(w);
        }
    }
    drop_shared(w);
}

/* OS threads beside the caller; they live for ever. One that wakes too late has nothing to do, and
 * nobody waits for it. */
static struct team {
    std::mutex lock;
    std::condition_variable work, idle;
    struct job *job;
    int threads, seats, active; /* seats: how many may still join the job */
} *const team = new struct team();

static void *helper(void *)
{
    std::unique_lock<std::mutex> held(team->lock);
    for (;;) {
        team->work.wait(held, [] { return team->job != nullptr && team->seats > 0; });
        struct job *const job = team->job;
        team->seats--;
        team->active++;
        held.unlock();
        take_blocks(job);
        held.lock();
        if (--team->active == 0)
            team->idle.notify_one();
    }
    return nullptr;
}

/* False: not that many to be had. */
static bool provide_helpers(int count)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (; team->threads < count; team->threads++) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, helper, nullptr) != 0)
            break;
    }
    pthread_attr_destroy(&attributes);
    return team->threads >= count;
}

static int os_threads(void)
{
    static int threads;
    const char *const wish = getenv("REPRISE_EMULATED_THREADS");
    if (threads == 0)
        threads = wish != nullptr ? atoi(wish) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return threads < 1 ? 1 : threads > 256 ? 256 : threads;
}

static bool possible(const launch &of)
{
    const dim3 g = of.grid, b = of.block;
    const uint64_t threads = (uint64_t)b.x * b.y * b.z, blocks = (uint64_t)g.x * g.y * g.z;
    const char *wrong = nullptr;
    if (threads == 0 || blocks == 0)
        wrong = "no size may be zero";
    else if (b.x > 1024 || b.y > 1024 || b.z > 64 || threads > MOST_THREADS)
        wrong = "a block has at most 1024 threads, and (1024,1024,64) along each axis";
    else if (g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535)
        wrong = "a grid has at most (2147483647,65535,65535) blocks";
    else if (of.shared > MOST_SHARED)
        wrong = "a block has at most 227 KiB of shared memory";
    else if (of.cooperative && blocks > MOST_COOPERATIVE)
        wrong = "an emulated cooperative grid has at most 64 blocks";
    else if (of.cooperative && !provide_helpers((int)blocks - 1))
        wrong = "each block of a cooperative grid needs a thread that this system did not give";
    if (wrong != nullptr)
        snprintf(refusal, sizeof refusal,
                 "kernel %.200s was not launched with grid (%u,%u,%u), block (%u,%u,%u) and %zu "
                 "bytes of shared memory: %s",
                 of.kernel, g.x, g.y, g.z, b.x, b.y, b.z, of.shared, wrong);
    return wrong == nullptr;
}

void emulated::run(const launch &of)
{
    if (failed || !possible(of))
        return;
    struct job job = {};
    job.of = &of;
    job.blocks = (uint64_t)of.grid.x * of.grid.y * of.grid.z;
    const uint64_t wanted = of.cooperative ? job.blocks : (uint64_t)os_threads();
    const int seats = (int)(wanted < job.blocks ? wanted : job.blocks) - 1;
    provide_helpers(seats); /* fewer will do */
    team->lock.lock();
    team->job = &job;
    team->seats = seats;
    team->lock.unlock();
    for (int i = 0; i < seats; i++)
        team->work.notify_one();
    take_blocks(&job);
    std::unique_lock<std::mutex> held(team->lock);
    team->job = nullptr;
    team->idle.wait(held, [] { return team->active == 0; });
}

static void need_fibers(struct worker *w, int kind, int line)
{
    if (w->job->of->run_block == nullptr)
        return;
    note(w, "%s in line %d, but LAUNCH_NB promises that no thread waits; use LAUNCH",
         operation_names[kind], line);
    abandon(w);
}

void emulated::not_awaited(void)
{
    note(self, "it starts early, and no thread calls await_previous()");
    abandon(self);
}

int emulated::barrier(operation kind, bool predicate, int line)
{
    struct worker *const w = self;
    need_fibers(w, kind, line);
    if (kind == GRID_SYNC && !w->job->of->cooperative) {
        note(w, "grid_sync in line %d needs LAUNCH_COOP", line);
        abandon(w);
    }
    struct fiber *const f = &w->fibers[w->current];
    f->waits_at = kind;
    f->line = line;
    w->predicates += predicate;
    if (++w->arrived == w->live)
        release_barrier(w);
    run_next(w, false);
    return w->last_predicates;
}

uint64_t emulated::warp(operation kind, unsigned mask, uint64_t value, int source, int line)
{
    struct worker *const w = self;
    need_fibers(w, kind, line);
    struct fiber *const f = &w->fibers[w->current];
    const int in_warp = w->current / 32, lane = w->current % 32;
    if ((mask >> lane & 1) == 0) {
        note(w, "thread %d calls %s in line %d with mask 0x%08x, which leaves out its own lane %d",
             w->current, operation_names[kind], line, mask, lane);
        abandon(w);
    }
    f->waits_at = kind;
    f->line = line;
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

void emulated::give_way(void)
{
    struct worker *const w = self;
    if (failed)
        abandon(w);
    if (w->job->of->run_block != nullptr)
        return;
    push_back(w, w->current);
    run_next(w, false);
}

/* Exact-size heap blocks, so that the address sanitizer sees an overrun. */
void *emulated::shared_array(const void *key, size_t bytes)
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

void *emulated::dynamic_shared(void)
{
    return shared_array(nullptr, self->job->of->shared);
}

/* The host's side. Device memory is heap memory, known by its first address. */

static std::map<const char *, size_t> *const allocations = new std::map<const char *, size_t>;

/* Looks for the line of a file in /proc that has the given form, and reads its value. */
__attribute__((format(scanf, 2, 3))) static void read_proc(const char *path, const char *form, ...)
{
    FILE *const file = fopen(path, "r");
    char line[256];
    bool found = false;
    while (file != nullptr && !found && fgets(line, sizeof line, file) != nullptr) {
        va_list list;
        va_start(list, form);
        found = vsscanf(line, form, list) == 1;
        va_end(list);
    }
    if (file != nullptr)
        fclose(file);
}

static double memory_available(void)
{
    double kilobytes = HUGE_VAL; /* unless the system says: let malloc decide */
    read_proc("/proc/meminfo", "MemAvailable: %lf", &kilobytes);
    return 1024 * kilobytes;
}

static enum status state(void)
{
    return failed ? because(ERR_DEVICE, "%s", failure) : OK;
}

static enum status inside(const char *call, const void *memory, size_t bytes)
{
    const char *const from = (const char *)memory;
    auto after = allocations->upper_bound(from);
    if (failed || bytes == 0)
        return state();
    if (after == allocations->begin() || from >= (--after)->first + after->second)
        return because(ERR_DEVICE, "%s: %p is not in device memory", call, memory);
    const size_t offset = (size_t)(from - after->first);
    if (bytes <= after->second - offset)
        return OK;
    return because(ERR_DEVICE,
                   "%s: %zu bytes from offset %zu do not lie in the %zu bytes allocated", call,
                   bytes, offset, after->second);
}

const char *device_kind(void)
{
    return "emulated";
}

bool device_has_time(void)
{
    return false;
}

enum status device_open(struct device_facts *facts)
{
    char model[100] = "an unknown CPU";
    read_proc("/proc/cpuinfo", "model name : %99[^\n]", model);
    *facts = {};
    snprintf(facts->kind, sizeof facts->kind, "emulated");
    snprintf(facts->name, sizeof facts->name, "emulated on %s", model);
    facts->multiprocessors = os_threads();
    facts->mig = facts->persistence = -1;
    facts->memory_bytes = facts->free_bytes = memory_available();
    return OK;
}

enum status device_alloc(void **memory, size_t bytes)
{
    const double available = memory_available();
    void *got = nullptr;
    if (failed)
        return state();
    if (!((double)bytes <= available) || (bytes > 0 && posix_memalign(&got, 256, bytes) != 0))
        return because(ERR_MEMORY, "%.0f bytes of device memory are wanted and %.0f are available",
                       (double)bytes, available);
    if (bytes > 0) {
        memset(got, 0xff, bytes);
        (*allocations)[(const char *)got] = bytes;
    }
    *memory = got;
    return OK;
}

void device_free(void *memory)
{
    if (memory == nullptr)
        return;
    if (allocations->erase((const char *)memory) == 1) {
        free(memory);
        return;
    }
    failure_lock.lock();
    if (!failed)
        snprintf(failure, sizeof failure, "device_free: %p is not an allocation", memory);
    failed = true;
    failure_lock.unlock();
}

enum status device_host_alloc(void **memory, size_t bytes)
{
    void *const got = malloc(bytes);
    if (got == nullptr)
        return because(ERR_MEMORY, "there is no memory of %.2f GiB; choose a smaller size",
                       (double)bytes / 0x1p30);
    memset(got, 0xff, bytes);
    *memory = got;
    return OK;
}

void device_host_free(void *memory)
{
    free(memory);
}

enum status device_put(void *device, const void *host, size_t bytes)
{
    const enum status status = inside("device_put", device, bytes);
    if (status == OK && bytes > 0)
        memcpy(device, host, bytes);
    return status;
}

enum status device_get(void *host, const void *device, size_t bytes)
{
    const enum status status = inside("device_get", device, bytes);
    if (status == OK && bytes > 0)
        memcpy(host, device, bytes);
    return status;
}

enum status device_copy(void *to, const void *from, size_t bytes)
{
    enum status status = inside("device_copy, target", to, bytes);
    if (status == OK)
        status = inside("device_copy, source", from, bytes);
    if (status == OK && bytes > 0)
        memmove(to, from, bytes);
    return status;
}

enum status device_launched(const char *kernel)
{
    (void)kernel; /* the sentence has the name from the launch */
    if (failed || refusal[0] == '\0')
        return state();
    because(ERR_DEVICE, "%s", refusal);
    refusal[0] = '\0';
    return ERR_DEVICE;
}

enum status device_sync(void)
{
    return state();
}

enum status device_mark(int slot)
{
    if (slot >= 0 && slot < MAX_LAPS)
        return state();
    return because(ERR_ARGS, "mark %d does not exist; there are %d", slot, (int)MAX_LAPS);
}

double device_between(int from, int to)
{
    (void)from;
    (void)to;
    return (double)NAN;
}

bool device_clock(double *mhz, bool *throttled)
{
    (void)mhz;
    (void)throttled;
    return false;
}

enum status device_thread_order(const char *order)
{
    if (strcmp(order, "ascending") != 0 && strcmp(order, "descending") != 0)
        return because(ERR_ARGS, "the order of threads is ascending or descending, not '%s'",
                       order);
    descending = order[0] == 'd';
    return OK;
}
