/*
 * A kernel that nothing launches, by which cuda.c asks whether the program has code for the device.
 */
#include "machine/device.h"
#include "machine/launch.h"

static __global__ void probe(void)
{
}

int device_code(void)
{
    return CODE_OF(probe);
}
