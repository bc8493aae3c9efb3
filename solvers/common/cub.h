/*
 * What the variants that are made of CUB share: its scratch memory, and its errors.
 */
#pragma once
#include "kernels.h"

struct scratch {
    void *memory; /* device */
    size_t bytes;
};

/* Error: cudaError_t, which the emulated device does not have. */
template <class Error> static inline enum status of_cub(Error error)
{
    return (int)error == 0
               ? OK
               : because(ERR_DEVICE, "CUB's scan failed: %s", cudaGetErrorString(error));
}

/* What `scan(memory, bytes)` asks for where its memory is null; of several, the most. */
template <class Scan>
static inline void ask_scratch(struct memory *owner, struct scratch *scratch, const Scan &scan)
{
    size_t bytes = 0;
    if (owner->status == OK)
        owner->status = of_cub(scan(NULL, bytes));
    if (bytes > scratch->bytes)
        scratch->bytes = bytes;
}

static inline void take_scratch(struct memory *owner, struct scratch *scratch)
{
    char *memory = NULL;
    take_device(owner, &memory, scratch->bytes);
    scratch->memory = memory;
}

template <class Scan> static inline enum status scan_with(struct scratch scratch, const Scan &scan)
{
    return of_cub(scan(scratch.memory, scratch.bytes));
}
