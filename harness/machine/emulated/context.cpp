/*
 * Contexts on x86-64 by a few lines of assembler, elsewhere by ucontext, which is slower; the
 * address sanitizer is told of every switch.
 */
#include "machine/emulated/context.h"

#include <pthread.h>
#include <sys/mman.h>

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

namespace emulated
{

enum { STACK = 64 * 1024, GUARD = 4096 };

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

bool map_stack(struct context *c)
{
    void *memory = mmap(nullptr, STACK + GUARD, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    if (mprotect(memory, GUARD, PROT_NONE) != 0) {
        munmap(memory, STACK + GUARD);
        return false;
    }
    c->bottom = (char *)memory + GUARD;
    c->size = STACK;
    return true;
}

void use_own_stack(struct context *c)
{
#ifdef WITH_ASAN /* nobody else asks where it lies */
    pthread_attr_t attributes;
    void *bottom = nullptr;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &bottom, &c->size);
    pthread_attr_destroy(&attributes);
    c->bottom = bottom;
#endif
    (void)c;
}

void prepare_context(struct context *c, void (*entry)(void), unsigned colour)
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

void arrived_in(struct context *here)
{
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(here->fake, nullptr, nullptr);
#endif
    (void)here;
}

void switch_context(struct context *from, struct context *to, bool for_good)
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
    arrived_in(from);
}

} // namespace emulated
