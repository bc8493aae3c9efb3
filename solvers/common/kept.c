/*
 * What judges keep.
 */
#include "kept.h"

#include <string.h>

/* The one at `at` comes first. */
static void bring_forward(struct kept *kept, int at)
{
    const struct entry entry = kept->entries[at];
    memmove(kept->entries + 1, kept->entries, (size_t)at * sizeof entry);
    kept->entries[0] = entry;
}

static void drop_last(struct kept *kept)
{
    const struct entry *const last = &kept->entries[--kept->count];
    last->release(last->what);
}

void *kept_find(struct kept *kept, const double *key)
{
    for (int k = 0; k < kept->count; k++)
        if (memcmp(kept->entries[k].key, key, sizeof kept->entries[k].key) == 0) {
            bring_forward(kept, k);
            return kept->entries[0].what;
        }
    return NULL;
}

void kept_room(struct kept *kept, size_t bytes)
{
    for (int k = 0; k < kept->count; k++)
        bytes += kept->entries[k].bytes;
    while (kept->count > 0 && (kept->count == KEPT || bytes > kept->limit)) {
        bytes -= kept->entries[kept->count - 1].bytes;
        drop_last(kept);
    }
}

void kept_put(struct kept *kept, const double *key, void *what, size_t bytes,
              void (*release)(void *what))
{
    struct entry *const entry = &kept->entries[kept->count];
    *entry = (struct entry){.bytes = bytes, .what = what, .release = release};
    memcpy(entry->key, key, sizeof entry->key);
    bring_forward(kept, kept->count++);
}

void kept_free(struct kept *kept)
{
    while (kept->count > 0)
        drop_last(kept);
}
