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

enum { KEPT = 16, KEYS = 4 };

struct kept {     /* zeros: nothing */
    size_t limit; /* of bytes; the last one is kept at any rate */
    int count;
    struct entry {
        double key[KEYS]; /* all that it was derived from: amplitude, precision, ... */
        size_t bytes;
        void *what;
        void (*release)(void *what);
    } entries[KEPT]; /* the last one that was asked for is the first */
};

/* What has this key; or null. */
void *kept_find(struct kept *kept, const double *key);
/* Before so many bytes are taken that will be kept: others go for them. */
void kept_room(struct kept *kept, size_t bytes);
/* After that: `what` is kept's from now on. */
void kept_put(struct kept *kept, const double *key, void *what, size_t bytes,
              void (*release)(void *what));
void kept_free(struct kept *kept);

#ifdef __cplusplus
}
#endif
