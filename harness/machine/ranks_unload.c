/*
 * From the devices of all ranks to the host of the first one, which need not hold a part besides
 * the whole.
 */
#include "machine/device.h"
#include "machine/ranks.h"

enum { PIECE = 1 << 24, MOST_RANKS = 64 };

/* Every piece is sent, whatever became of those before: who receives it waits. */
static enum status unload(const char *own, size_t bytes, int from, void *piece, char *to)
{
    enum status status = OK;
    for (size_t done = 0, next; done < bytes; done += next) {
        next = bytes - done < PIECE ? bytes - done : PIECE;
        const struct rank_message m = ranks_own() > 0
                                          ? (struct rank_message){0, own + done, NULL, next}
                                          : (struct rank_message){from, NULL, piece, next};
        const enum status exchanged = ranks_exchange(&m, 1);
        status = status == OK ? exchanged : status;
        if (status == OK && ranks_own() == 0)
            status = device_get(to + done, piece, next);
    }
    return status == OK ? device_sync() : status;
}

enum status ranks_unload(const void *own, size_t bytes, void *all)
{
    static void *piece; /* until all leave */
    size_t of[MOST_RANKS], before = bytes;
    enum status status = OK;
    if (ranks_own() == 0 && ranks_count() > 1 && piece == NULL)
        status = device_alloc(&piece, PIECE);
    status = ranks_agree(status);
    if (status != OK)
        return status;
    ranks_show(&bytes, sizeof bytes, of);
    if (ranks_own() > 0)
        return unload(own, bytes, 0, NULL, NULL);
    status = bytes > 0 ? device_get(all, own, bytes) : OK;
    for (int from = 1; from < ranks_count(); from++) {
        const enum status part = unload(NULL, of[from], from, piece, (char *)all + before);
        status = status == OK ? part : status;
        before += of[from];
    }
    return status;
}
