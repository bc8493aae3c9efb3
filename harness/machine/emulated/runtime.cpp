/*
 * Launches: each is refused, or run by a team of OS threads that take its blocks by turns.
 * One launch at a time: launching from several host threads at once is not supported.
 */
#include "machine/emulated/runtime.h"

#include <semaphore.h>
#include <unistd.h>

#include <system_error>
#include <thread>

#include "machine/emulated/scheduler.h"
#include "machine/threads.h"

namespace emulated
{

char refusal[512];

enum { MOST_COOPERATIVE = 64 /* blocks, each on an OS thread of its own */ };

/* OS threads beside the caller; they live for ever. One that wakes too late has nothing to do, and
 * nobody waits for it. They are woken by a semaphore: glibc's condition variables before 2.41 may
 * lose a signal where some that were woken are still on their way (bug 25847), and a launch whose
 * blocks wait for each other would lack one. */
static struct team {
    sem_t work; /* looks whether there is a seat */
    std::mutex lock;
    std::condition_variable idle;
    struct job *job;
    int threads, seats, active; /* seats: how many may still join the job */

    team() : job(nullptr), threads(0), seats(0), active(0)
    {
        sem_init(&work, 0, 0);
    }
} *const team = new struct team();

static void helper(void)
{
    threads_release();
    for (;;) {
        if (sem_wait(&team->work) != 0)
            continue; /* a signal's handler ran */
        std::unique_lock<std::mutex> held(team->lock);
        if (team->job == nullptr || team->seats == 0)
            continue;
        struct job *const job = team->job;
        team->seats--;
        team->active++;
        held.unlock();
        take_blocks(job);
        held.lock();
        if (--team->active == 0)
            team->idle.notify_one();
    }
}

/* Starts helpers until there are `count` of them; false: the system gives fewer. */
static bool provide_helpers(int count)
{
    try {
        for (; team->threads < count; team->threads++)
            std::thread(helper).detach();
    } catch (const std::system_error &) {
        return false;
    }
    return true;
}

int os_threads(void)
{
    static int threads;
    const char *const wish = getenv("REPRISE_EMULATED_THREADS");
    if (threads == 0)
        threads = wish != nullptr ? atoi(wish) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return threads < 1 ? 1 : threads > 256 ? 256 : threads;
}

/* As the newest cards have; a test asks for less. */
static size_t most_shared(void)
{
    const char *const wish = getenv("REPRISE_EMULATED_SHARED");
    return (wish != nullptr ? strtoul(wish, nullptr, 10) : 227) * 1024;
}

/* Any small number will do: they are threads of the system. A test asks for another one. */
unsigned blocks_at_once(size_t shared)
{
    const char *const wish = getenv("REPRISE_EMULATED_BLOCKS");
    const unsigned blocks = wish != nullptr ? (unsigned)strtoul(wish, nullptr, 10) : 4;
    return shared > most_shared() ? 0 : blocks;
}

static bool possible(const launch &asked)
{
    const dim3 g = asked.grid, b = asked.block;
    const uint64_t threads = (uint64_t)b.x * b.y * b.z, blocks = (uint64_t)g.x * g.y * g.z;
    const char *wrong = nullptr;
    const bool cooperative = asked.as.cooperative, together = asked.as.together && !cooperative;
    char limit[80];
    snprintf(limit, sizeof limit, "a block has at most %zu KiB of shared memory",
             most_shared() / 1024);
    if (threads == 0 || blocks == 0)
        wrong = "no size may be zero";
    else if (b.x > 1024 || b.y > 1024 || b.z > 64 || threads > MOST_THREADS)
        wrong = "a block has at most 1024 threads, and (1024,1024,64) along each axis";
    else if (g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535)
        wrong = "a grid has at most (2147483647,65535,65535) blocks";
    else if (asked.shared > most_shared())
        wrong = limit;
    else if (cooperative && blocks > MOST_COOPERATIVE)
        wrong = "an emulated cooperative grid has at most 64 blocks";
    else if (together && blocks > blocks_at_once(asked.shared))
        wrong = "blocks that wait for each other are no more than BLOCKS_TOGETHER says";
    else if (asked.as.together && !provide_helpers((int)blocks - 1))
        wrong = "each block of a cooperative grid needs a thread that this system did not give";
    if (wrong != nullptr)
        snprintf(refusal, sizeof refusal,
                 "kernel %.200s was not launched with grid (%u,%u,%u), block (%u,%u,%u) and %zu "
                 "bytes of shared memory: %s",
                 asked.kernel, g.x, g.y, g.z, b.x, b.y, b.z, asked.shared, wrong);
    return wrong == nullptr;
}

void run(const launch &asked)
{
    if (failed || !possible(asked))
        return;
    struct job job = {};
    job.launch = &asked;
    job.blocks = (uint64_t)asked.grid.x * asked.grid.y * asked.grid.z;
    const uint64_t wanted = asked.as.together ? job.blocks : (uint64_t)os_threads();
    const int seats = (int)(wanted < job.blocks ? wanted : job.blocks) - 1;
    provide_helpers(seats); /* fewer will do */
    team->lock.lock();
    team->job = &job;
    team->seats = seats;
    team->lock.unlock();
    for (int i = 0; i < seats; i++)
        sem_post(&team->work);
    take_blocks(&job);
    std::unique_lock<std::mutex> held(team->lock);
    team->job = nullptr;
    team->idle.wait(held, [] { return team->active == 0; });
}

} // namespace emulated
