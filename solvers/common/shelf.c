/*
 * What judges keep.
 */
#include "shelf.h"

#include <stdbool.h>
#include <string.h>

/* The one at `at` comes first. */
static void bring_forward(struct shelf *shelf, int at)
{
    const struct entry entry = shelf->entries[at];
    memmove(shelf->entries + 1, shelf->entries, (size_t)at * sizeof entry);
    shelf->entries[0] = entry;
}

static void drop_last(struct shelf *shelf)
{
    const struct entry *const last = &shelf->entries[--shelf->count];
    last->release(last->what);
}

void *shelf_find(struct shelf *shelf, const double *key)
{
    for (int k = 0; k < shelf->count; k++)
        if (memcmp(shelf->entries[k].key, key, sizeof shelf->entries[k].key) == 0) {
            bring_forward(shelf, k);
            return shelf->entries[0].what;
        }
    return NULL;
}

size_t shelf_bytes(const struct shelf *shelf)
{
    size_t bytes = 0;
    for (int k = 0; k < shelf->count; k++)
        bytes += shelf->entries[k].bytes;
    return bytes;
}

void shelf_room(struct shelf *shelf, size_t bytes)
{
    for (bytes += shelf_bytes(shelf);
         shelf->count > 0 && (shelf->count == SHELF || bytes > shelf->limit); drop_last(shelf))
        bytes -= shelf->entries[shelf->count - 1].bytes;
}

void *shelf_recycle(struct shelf *shelf, size_t bytes, void (*release)(void *what))
{
    void *what = NULL;
    if (shelf->count > 0 && (shelf->count == SHELF || shelf_bytes(shelf) + bytes > shelf->limit)) {
        const struct entry *const last = &shelf->entries[shelf->count - 1];
        if (last->release == release && last->bytes == bytes) {
            what = last->what;
            shelf->count--;
        }
    }
    shelf_room(shelf, bytes);
    return what;
}

void shelf_put(struct shelf *shelf, const double *key, void *what, size_t bytes,
               void (*release)(void *what))
{
    struct entry *const entry = &shelf->entries[shelf->count];
    *entry = (struct entry){.bytes = bytes, .what = what, .release = release};
    memcpy(entry->key, key, sizeof entry->key);
    bring_forward(shelf, shelf->count++);
}

void shelf_free(struct shelf *shelf)
{
    while (shelf->count > 0)
        drop_last(shelf);
}
