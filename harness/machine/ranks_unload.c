/*
 * From the devices of all ranks to the host of the first one, piece by piece: neither its device
 * nor its host has room for more than one besides the whole.
 */
#include <stdint.h>
#include <string.h>

#include "machine/device.h"
#include "machine/ranks.h"
#include "machine/threads.h"

enum { PIECE = 1 << 24, LONG = 1 << 20, MOST_RANKS = 64 };
enum { ALIGNED = 16 }; /* what begins elsewhere NCCL sends byte by byte */

static struct {
    void *device, *host; /* [PIECE], of the first rank, until all leave */
} room;

/* Rows side by side are one. */
static struct rank_part joined(struct rank_part p)
{
    if (p.bytes <= p.row || p.row == 0 || (p.here == p.row && p.there == p.row))
        p.row = p.here = p.there = p.bytes;
    return p;
}

/* Each would take a copy that costs more than its bytes: they go by way of `room.host`. */
static bool in_short_rows(const struct rank_part *p)
{
    return p->row < p->bytes && p->row < LONG;
}

/* Bytes before the first row that go with it. */
static size_t lead_of(const struct rank_part *p)
{
    return (uintptr_t)p->own % ALIGNED;
}

/* All that goes. */
static size_t span_of(const struct rank_part *p)
{
    const size_t before = p->bytes > 0 ? (p->bytes - 1) / p->row : 0;
    return p->bytes > 0 ? lead_of(p) + before * (p->here - p->row) + p->bytes : 0;
}

static enum status take_room(bool short_rows)
{
    enum status status = OK;
    if (ranks_count() > 1 && room.device == NULL)
        status = device_alloc(&room.device, PIECE);
    if (status == OK && short_rows && room.host == NULL)
        status = device_host_alloc(&room.host, PIECE);
    return status;
}

struct stretch {
    size_t from, to, bytes; /* from: in the piece; to: in the whole */
};

/* What bytes done .. end-1 of the span have of row r, perhaps nothing. */
static struct stretch stretch_of(const struct rank_part *p, size_t r, size_t done, size_t end)
{
    const size_t row = lead_of(p) + r * p->here;
    const size_t first = row > done ? row : done, last = row + p->row < end ? row + p->row : end;
    return (struct stretch){first - done, p->at + r * p->there + (first - row),
                            first < last ? last - first : 0};
}

static enum status put(const struct rank_part *p, const char *piece, size_t done, size_t end,
                       char *all)
{
    const size_t lead = lead_of(p), first = (done < lead ? 0 : done - lead) / p->here;
    const size_t last = (end - 1 - lead) / p->here;
    enum status status = OK;
    if (!in_short_rows(p)) {
        for (size_t r = first; r <= last && status == OK; r++) {
            const struct stretch s = stretch_of(p, r, done, end);
            status = s.bytes > 0 ? device_get(all + s.to, piece + s.from, s.bytes) : OK;
        }
        return status;
    }
    const char *const host = room.host;
    status = device_get(room.host, piece, end - done);
#pragma omp parallel for schedule(static) if (end - done > FEW_BYTES)
    for (size_t r = first; r <= last; r++) {
        const struct stretch s = stretch_of(p, r, done, end);
        memcpy(all + s.to, host + s.from, s.bytes);
    }
    return status;
}

/* Every piece is sent, whatever became of those before: who receives it waits. */
static enum status unload(const struct rank_part *p, int from, char *all)
{
    const size_t span = span_of(p), most = from > 0 || in_short_rows(p) ? PIECE : span;
    enum status status = OK;
    for (size_t done = 0, end; done < span; done = end) {
        const char *const piece =
            from == ranks_own() ? (const char *)p->own - lead_of(p) + done : room.device;
        end = span - done < most ? span : done + most;
        if (from > 0) {
            const struct rank_message m =
                ranks_own() > 0 ? (struct rank_message){0, piece, NULL, end - done}
                                : (struct rank_message){from, NULL, room.device, end - done};
            const enum status exchanged = ranks_exchange(&m, 1);
            status = status == OK ? exchanged : status;
        }
        if (status == OK && all != NULL)
            status = put(p, piece, done, end, all);
    }
    return status == OK ? device_sync() : status;
}

enum status ranks_unload(const struct rank_part *part, void *all)
{
    const struct rank_part own = joined(*part);
    struct rank_part of[MOST_RANKS];
    bool short_rows = false;
    ranks_show(&own, sizeof own, of);
    for (int k = 0; k < ranks_count(); k++)
        short_rows = short_rows || in_short_rows(&of[k]);
    enum status status = ranks_agree(ranks_own() == 0 ? take_room(short_rows) : OK);
    if (status != OK)
        return status;
    if (ranks_own() > 0)
        return unload(&own, ranks_own(), NULL);
    for (int from = 0; from < ranks_count(); from++) {
        const enum status one = unload(&of[from], from, all);
        status = status == OK ? one : status;
    }
    return status;
}
