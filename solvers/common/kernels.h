/*
 * What the kernel files of all families share: memory of the device that a plan takes. A failure is
 * the owner's status, after which nothing more is done.
 */
#pragma once
#include "memory.h"

#include "machine/device.h"

/* *to is device memory of `count` values. */
template <class T>
static inline void take_device(struct memory *owner, T **to, size_t count,
                               enum status (*alloc)(void **, size_t) = device_alloc,
                               void (*release)(void *) = device_free)
{
    void *memory = NULL;
    if (owner->status == OK)
        owner->status = alloc(&memory, count * sizeof **to);
    if (owner->status == OK)
        *to = (T *)own(owner, memory, release);
}

/* Page-locked memory of the host. */
template <class T> static inline void take_locked(struct memory *owner, T **to, size_t count)
{
    take_device(owner, to, count, device_host_alloc, device_host_free);
}

/* And holds what `from` does. */
template <class T>
static inline void take_copy(struct memory *owner, T **to, const T *from, size_t count)
{
    take_device(owner, to, count);
    if (owner->status == OK)
        owner->status = device_put(*to, from, count * sizeof *from);
}
