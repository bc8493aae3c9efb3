/*
 * The scheduler takes blocks of a launch through the kernel: the threads of one are fibers, or
 * turns of a plain loop. What CUDA leaves undefined and a test should notice ends the launch with
 * a sentence.
 */
#pragma once
#include <cuda_runtime.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace emulated
{

enum { MOST_THREADS = 1024 }; /* of a block */

/* A launch while it runs. Blocks are taken in ascending order. */
struct job {
    const emulated::launch *launch;
    uint64_t blocks;
    std::atomic<uint64_t> next;
    /* grid_sync: blocks that wait, and blocks that have ended */
    std::mutex lock;
    std::condition_variable released;
    uint64_t waiting, ended, generation;
};

/* Runs blocks of the job on this OS thread until none is left or something has failed. Blocks of a
 * cooperative grid wait for each other, so each needs an OS thread in here. */
void take_blocks(struct job *job);

/* --- for the copies in bulk and the messages of async.cpp --- */

/* The current thread's number in its block; ends the launch where no thread can wait. */
int waiting_thread(const char *what, int line);
/* Fails in the words of the kernel and the block. The second comes back, and is for the end of a
 * block, when no thread of it runs any more. */
[[noreturn]] __attribute__((format(printf, 1, 2))) void stop_block(const char *format, ...);
__attribute__((format(printf, 1, 2))) void blame_block(const char *format, ...);

/* And what it wants to be told of. */
void thread_waited(int thread); /* it may have been told of what others wrote */
void thread_ends(int thread);
void block_begins(int threads);
void block_ends(int threads); /* and has not failed */

extern bool descending_threads; /* the order in which threads and lanes take their turns */

/* What went wrong first; as in CUDA, nothing runs any more afterwards. */
extern std::atomic<bool> failed;
extern char failure[512];
void fail(const char *sentence);

} // namespace emulated
