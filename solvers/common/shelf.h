/*
 * What a judge derives from an instance's data alone is kept for the next answers to the same data:
 * of some seeds and precisions, within a limit of memory. What was not asked for longest goes
 * first.
 */
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SHELF = 64, KEYS = 4 };

struct shelf {    /* zeros: nothing */
    size_t limit; /* of bytes; the last one is kept at any rate */
    int count;
    struct entry {
        double key[KEYS]; /* all that it was derived from: amplitude, precision, ... */
        size_t bytes;
        void *what;
        void (*release)(void *what);
    } entries[SHELF]; /* the last one that was asked for is the first */
};

/* What has this key; or null. */
void *shelf_find(struct shelf *shelf, const double *key);
/* Before so many bytes are taken that will be kept: others go for them. */
void shelf_room(struct shelf *shelf, size_t bytes);
/* The same; one of those that go, if it has as many bytes and is released so, is the caller's: its
 * memory is there already. */
void *shelf_recycle(struct shelf *shelf, size_t bytes, void (*release)(void *what));
size_t shelf_bytes(const struct shelf *shelf); /* of all that is kept */
/* After that: `what` is the shelf's from now on. */
void shelf_put(struct shelf *shelf, const double *key, void *what, size_t bytes,
               void (*release)(void *what));
void shelf_free(struct shelf *shelf);

#ifdef __cplusplus
}
#endif
