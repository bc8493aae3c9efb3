/*
 * Contexts: a stack, and where to go on with it. All that depends on the processor or on a
 * sanitizer is behind these calls.
 */
#pragma once
#include <stddef.h>

#if !defined(__x86_64__) || defined(REPRISE_UCONTEXT)
#define WITH_UCONTEXT 1
#include <ucontext.h>
#endif

namespace emulated
{

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

/* Maps a stack for the context, for ever; a page without access lies below it. False: no memory. */
bool map_stack(struct context *c);
/* Gives the context the stack of the OS thread that calls. */
void use_own_stack(struct context *c);
/* Makes the context start `entry`, whose first call is arrived_in(). The tops of the stacks are set
 * apart by `colour`, else all of them would fall into the same few lines of the cache. */
void prepare_context(struct context *c, void (*entry)(void), unsigned colour);
void arrived_in(struct context *here);
/* Comes back when somebody switches to `from`; for_good: nobody will. */
void switch_context(struct context *from, struct context *to, bool for_good);

} // namespace emulated
