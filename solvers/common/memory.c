/*
 * Owners of memory, and the data of instances.
 */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "machine/threads.h"

enum { LINE = 64 };

struct held {
    void *memory;
    void (*release)(void *memory);
    struct held *next;
};

void *owner_new(size_t size)
{
    const size_t whole = (size + LINE - 1) / LINE * LINE;
    void *const owner = aligned_alloc(LINE, whole);
    if (owner == NULL)
        (void)because(ERR_MEMORY, "there is no memory for a plan");
    else
        memset(owner, 0, whole);
    return owner;
}

void *own(struct memory *owner, void *memory, void (*release)(void *memory))
{
    struct held *const held = malloc(sizeof *held);
    if (memory != NULL && held != NULL) {
        *held = (struct held){memory, release, owner->held};
        owner->held = held;
        return memory;
    }
    free(held);
    if (memory != NULL)
        release(memory);
    owner->status = because(ERR_MEMORY, "there is no memory for a plan");
    return NULL;
}

void *take(struct memory *owner, size_t bytes)
{
    void *const memory = own(owner, malloc(bytes), free);
    if (memory == NULL)
        owner->status = because(ERR_MEMORY, "there is no memory for %zu bytes", bytes);
    return memory;
}

void *take_filled(struct memory *owner, size_t bytes)
{
    void *const memory = take(owner, bytes);
    return memory != NULL ? memset(memory, 0xff, bytes) : NULL;
}

void *take_touched(struct memory *owner, size_t bytes)
{
    void *const memory = take(owner, bytes);
    if (memory != NULL)
        set_bytes(memory, 0xff, bytes);
    return memory;
}

void let_go(struct memory *owner)
{
    for (struct held *held = owner->held; held != NULL;) {
        struct held *const next = held->next;
        held->release(held->memory);
        free(held);
        held = next;
    }
    owner->held = NULL;
}

void give_back(void *owner)
{
    if (owner != NULL)
        let_go(owner);
    free(owner);
}

enum status planned(void *made, enum status status, void **state)
{
    if (status == OK)
        *state = made;
    else
        give_back(made);
    return status;
}

enum status instance_make(struct instance *in, const void *data, size_t size, size_t more)
{
    in->data = malloc(size + more);
    if (in->data == NULL)
        return because(ERR_MEMORY, "there is no memory for an instance of %zu bytes", size + more);
    memcpy(in->data, data, size);
    return OK;
}

void instance_free(struct instance *in)
{
    free(in->data);
    in->data = NULL;
}
