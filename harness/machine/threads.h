/*
 * Where the threads of a worker run: each bound to a core, so that memory stays near the one that
 * first touched it, and times repeat.
 */
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the environment by which OpenMP binds the threads of the program that is started next, one
 * to each core that this process may use; unless the user has said something about it. */
void threads_bind(void);
/* Interned: how the threads of this process are bound, "no" if they are not. */
const char *threads_bound(void);
/* Lets the calling thread run wherever any may: one that is none of OpenMP's begins where the one
 * that made it is bound. */
void threads_release(void);

/* memset() by all cores, where there is much: a page that is touched for the first time takes
 * microseconds. */
void set_bytes(void *to, int byte, size_t count);
void copy_bytes(void *to, const void *from, size_t count); /* memcpy() likewise */
enum { FEW_BYTES = 4 << 20 };                              /* that one core copies */

#ifdef __cplusplus
}
#endif
