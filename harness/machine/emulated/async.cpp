/*
 * Copies in bulk and messages on the emulated device. A copy is made as late as the rules allow: a
 * load when its arrival is waited for, with NaN in its place until then; a store when the thread
 * waits for its being read, and its bytes come to device memory when it waits for that, or ends. So
 * whoever is too early finds or leaves the wrong values in every order of threads. What nobody
 * waits for, and waits in vain, end the launch.
 */
#include "machine/emulated/async.h"

#include <math.h>
#include <sched.h>
#include <time.h>

#include <vector>

#include "machine/emulated/scheduler.h"

namespace emulated
{

struct load {
    void *to;
    const void *from;
    unsigned bytes;
};

struct phases { /* of an arrival: what the current one still lacks */
    const uint64_t *word;
    int count, missing, line; /* arrivals; where it was made, or loaded to last */
    long bytes;
    unsigned phase;
    std::vector<load> loads;
};

struct store {
    void *to;
    const void *from;
    unsigned bytes;
    int line;
};

struct in_device_memory_soon {
    void *to;
    std::vector<unsigned char> bytes;
};

struct copier { /* a thread, as far as copies go */
    std::vector<store> stores;
    std::vector<in_device_memory_soon> read;
    bool waited;    /* since it last stored */
    unsigned looks; /* in vain, since `event` */
    uint64_t event;
    double looked, patient; /* when last; s */
};

struct place { /* in shared memory, where copies come from or go to */
    const void *at;
    unsigned fences; /* of the block, when one last did */
};

/* Of the block that this OS thread runs; never freed, as the worker is not. */
struct copies {
    std::vector<phases> arrivals;
    std::vector<place> places;
    unsigned fences, looks;
    copier threads[MOST_THREADS];
};
static thread_local struct copies *here;

/* Counts whatever may end somebody's wait. */
static std::atomic<uint64_t> events;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double patience(void)
{
    const char *const wish = getenv("REPRISE_EMULATED_PATIENCE");
    return wish != nullptr ? atof(wish) : 60;
}

/* Lets others take their turns. True: nothing has happened for too long. Between two looks only a
 * part of that counts: the process may have been stopped, and others as well. */
static bool lost_patience(struct copier *c)
{
    enum { OFTEN = 32, SELDOM = 1024, PARTS = 8 };
    const uint64_t event = events;
    if (c->looks++ == 0 || c->event != event) {
        c->event = event;
        c->looked = seconds_now();
        c->patient = 0;
    } else if (c->looks % SELDOM == 0) {
        const double now = seconds_now();
        c->patient += fmin(now - c->looked, patience() / PARTS);
        c->looked = now;
        if (c->patient >= patience())
            return true;
    }
    if (here->looks++ % OFTEN == 0)
        sched_yield();
    give_way();
    return false;
}

void message_sent(void)
{
    events++;
}

void look_in_vain(int line)
{
    const int thread = waiting_thread("a look at a message", line);
    if (lost_patience(&here->threads[thread]))
        stop_block("thread %d waits for a message in line %d, and nothing has happened for %g s",
                   thread, line, patience());
}

/* How many fences there had been when something was last copied to the place or from it; and from
 * now on `now`. */
static unsigned fences_at(const void *shared, unsigned now)
{
    for (struct place &p : here->places)
        if (p.at == shared) {
            const unsigned before = p.fences;
            p.fences = now;
            return before;
        }
    here->places.push_back({shared, now});
    return 0;
}

/* --- arrivals and loads --- */

static const uint64_t MADE = UINT64_C(0xa1150000) << 32; /* and its number */

static struct phases *find_arrival(const uint64_t *word, int line)
{
    const uint64_t i = *word - MADE;
    if (i >= here->arrivals.size() || here->arrivals[i].word != word)
        stop_block("an arrival is used in line %d that arrival_make() has not made", line);
    return &here->arrivals[i];
}

void make_arrival(uint64_t *word, int count, int line)
{
    waiting_thread("arrival_make", line);
    if (count < 1)
        stop_block("an arrival in line %d is made for %d; at least one has to arrive", line, count);
    *word = MADE + here->arrivals.size();
    here->arrivals.push_back({word, count, count, line, 0, 0, {}});
}

static void end_phase(struct phases *p)
{
    if (p->missing > 0 || p->bytes != 0)
        return;
    p->missing = p->count;
    p->phase++;
    events++;
}

void arrive(const uint64_t *word, unsigned bytes, int line)
{
    waiting_thread("an arrival", line);
    struct phases *const p = find_arrival(word, line);
    if (p->missing == 0)
        stop_block("the arrival in line %d is one more than the phase has, and %ld bytes of it are "
                   "still to come; wait for it first",
                   line, p->bytes);
    p->missing--;
    p->bytes += bytes;
    end_phase(p);
}

static void check_sizes(const char *what, const void *a, const void *b, unsigned bytes, int line)
{
    if ((((uintptr_t)a | (uintptr_t)b | bytes) & 15) != 0)
        stop_block("%s in line %d of %u bytes from %p to %p: all three have to be multiples of 16",
                   what, line, bytes, b, a);
}

void begin_load(void *shared, const void *global, unsigned bytes, const uint64_t *word, int line)
{
    waiting_thread("bulk_load", line);
    check_sizes("bulk_load", shared, global, bytes, line);
    struct phases *const p = find_arrival(word, line);
    memset(shared, 0xff, bytes);
    p->loads.push_back({shared, global, bytes});
    p->line = line;
}

/* Now is the last moment. */
static void make_loads(struct phases *p)
{
    for (const struct load &l : p->loads) {
        memcpy(l.to, l.from, l.bytes);
        fences_at(l.to, here->fences);
        p->bytes -= l.bytes;
    }
    p->loads.clear();
    end_phase(p);
}

void await_arrival(const uint64_t *word, int parity, int line)
{
    const int thread = waiting_thread("arrival_wait", line);
    struct phases *p = find_arrival(word, line);
    thread_waited(thread);
    while ((int)(p->phase & 1) == parity) {
        make_loads(p);
        if ((int)(p->phase & 1) != parity)
            break;
        if (lost_patience(&here->threads[thread]))
            stop_block("thread %d waits in line %d for %d arrivals and %ld bytes, and nothing has "
                       "happened for %g s",
                       thread, line, p->missing, p->bytes, patience());
        p = find_arrival(word, line); /* others may have made more of them */
    }
    here->threads[thread].looks = 0;
}

/* --- stores --- */

void fence(void)
{
    here->fences++;
}

void begin_store(void *global, const void *shared, unsigned bytes, int line)
{
    struct copier *const c = &here->threads[waiting_thread("bulk_store", line)];
    check_sizes("bulk_store", global, shared, bytes, line);
    if (fences_at(shared, here->fences) == here->fences && c->waited)
        stop_block("bulk_store in line %d may not see what was written to shared memory: no thread "
                   "has called bulk_fence() since the copy before there",
                   line);
    c->waited = false;
    c->stores.push_back({global, shared, bytes, line});
}

static void write_back(struct copier *c)
{
    for (const struct in_device_memory_soon &r : c->read)
        memcpy(r.to, r.bytes.data(), r.bytes.size());
    c->read.clear();
}

void end_stores(unsigned left, bool written, int line)
{
    const int thread = waiting_thread("bulk_stored", line);
    struct copier *const c = &here->threads[thread];
    thread_waited(thread);
    const size_t all = c->stores.size(), count = all > left ? all - left : 0;
    for (size_t i = 0; i < count; i++) {
        const struct store &s = c->stores[i];
        const unsigned char *const from = (const unsigned char *)s.from;
        c->read.push_back({s.to, std::vector<unsigned char>(from, from + s.bytes)});
    }
    c->stores.erase(c->stores.begin(), c->stores.begin() + (ptrdiff_t)count);
    if (written)
        write_back(c);
    events++;
}

/* --- what the scheduler tells --- */

void thread_waited(int thread)
{
    here->threads[thread].waited = true;
}

void thread_ends(int thread)
{
    struct copier *const c = &here->threads[thread];
    if (!c->stores.empty())
        stop_block("thread %d ends while its bulk_store of line %d may still be read from shared "
                   "memory; bulk_stored<0>() waits for that",
                   thread, c->stores[0].line);
    events++;
}

void block_begins(int threads)
{
    if (here == nullptr)
        here = new struct copies();
    here->arrivals.clear();
    here->places.clear();
    here->fences = 0;
    for (int i = 0; i < threads; i++) {
        struct copier *const c = &here->threads[i];
        c->stores.clear();
        c->read.clear();
        c->looks = 0;
        c->waited = true;
    }
    events++;
}

void block_ends(int threads)
{
    for (int i = 0; i < threads; i++)
        write_back(&here->threads[i]);
    for (const struct phases &p : here->arrivals)
        if (!p.loads.empty())
            blame_block("it ends while its bulk_load of line %d may still write to shared memory; "
                        "arrival_wait() waits for that",
                        p.line);
}

} // namespace emulated
