/*
 * From the order in which kernels with a thread per column keep an s x r array, row by row, to the
 * order of the unknowns, column by column.
 */
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* to[m*s+k] = from[k*r+m], all cores; floats or doubles, by their size. */
void natural_order(void *to, const void *from, size_t size, size_t r, size_t s);
/* The same for a variant of one core: by it alone, unless copy_bytes() would take all. */
void natural_order_by_one(void *to, const void *from, size_t size, size_t r, size_t s);

#ifdef __cplusplus
}
#endif
