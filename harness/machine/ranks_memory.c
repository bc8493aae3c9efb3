/*
 * Between emulated devices, whose memory is the host's: by MPI.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/device.h"
#include "machine/ranks.h"

#ifdef HAVE_MPI
#include <mpi.h>

static enum status gather(const void *own, void *all, size_t bytes)
{
    MPI_Allgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
    return OK;
}

static enum status exchange(const struct rank_message *messages, int count)
{
    enum { MOST = 16 };
    MPI_Request requests[2 * MOST];
    int open = 0;
    if (count > MOST)
        return because(ERR_ARGS, "%d messages at once, of at most %d", count, MOST);
    for (int i = 0; i < count; i++) {
        const struct rank_message *const m = &messages[i];
        if (m->receive != NULL)
            MPI_Irecv(m->receive, (int)m->bytes, MPI_BYTE, m->with, 0, MPI_COMM_WORLD,
                      &requests[open++]);
        if (m->send != NULL)
            MPI_Isend(m->send, (int)m->bytes, MPI_BYTE, m->with, 0, MPI_COMM_WORLD,
                      &requests[open++]);
    }
    MPI_Waitall(open, requests, MPI_STATUSES_IGNORE);
    return OK;
}

static void maximum(double *values, size_t count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static struct {
    size_t bytes;
    char *own;
    MPI_Comm here;
    MPI_Win window;
} shared;

/* All ask for the same. It is given back when more is wanted: as device memory it would be. */
static enum status make_shared(size_t bytes)
{
    int together;
    if (shared.bytes > 0)
        MPI_Win_free(&shared.window);
    else
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, ranks_own(), MPI_INFO_NULL,
                            &shared.here);
    shared.bytes = 0;
    MPI_Comm_size(shared.here, &together);
    if (together != ranks_count() || getenv("REPRISE_EMULATED_APART") != NULL)
        return because(SKIPPED, "ranks of several hosts share no memory");
    const int error = MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, shared.here,
                                              &shared.own, &shared.window);
    shared.bytes = error == MPI_SUCCESS ? bytes : 0;
    return error == MPI_SUCCESS ? OK : because(ERR_MEMORY, "MPI shares no %zu bytes", bytes);
}

enum { LINE = 256 };

/* MPI's parts begin anywhere, but everywhere alike. */
static void find_shared(void **all)
{
    for (int k = 0; k < ranks_count(); k++) {
        MPI_Aint bytes;
        int unit;
        char *begin;
        MPI_Win_shared_query(shared.window, k, &bytes, &unit, &begin);
        all[k] = begin + (LINE - (uintptr_t)begin % LINE) % LINE;
    }
}

static enum status share(size_t bytes, void **all)
{
    const size_t wanted = bytes + LINE;
    const enum status status = wanted > shared.bytes ? make_shared(wanted) : OK;
    if (status != OK)
        return status;
    find_shared(all);
    memset(all[ranks_own()], 0xff, shared.bytes - LINE);
    return ranks_agree(OK);
}

#else

static enum status share(size_t bytes, void **all)
{
    (void)bytes, (void)all;
    return OK;
}

static enum status gather(const void *own, void *all, size_t bytes)
{
    (void)own, (void)all, (void)bytes;
    return OK;
}

static enum status exchange(const struct rank_message *messages, int count)
{
    (void)messages, (void)count;
    return OK;
}

static void maximum(double *values, size_t count)
{
    (void)values, (void)count;
}

#endif

enum status ranks_connect(void)
{
    return OK;
}

enum status ranks_wake(void)
{
    return OK;
}

enum status ranks_gather(const void *own, void *all, size_t bytes)
{
    const enum status status = device_sync();
    if (status != OK || ranks_count() == 1)
        return status == OK ? device_copy(all, own, bytes) : status;
    return gather(own, all, bytes);
}

enum status ranks_exchange(const struct rank_message *messages, int count)
{
    const enum status status = device_sync();
    return status == OK && ranks_count() > 1 ? exchange(messages, count) : status;
}

enum status ranks_maximum(double *values, size_t count)
{
    const enum status status = device_sync();
    if (status == OK && ranks_count() > 1)
        maximum(values, count);
    return status;
}

enum status ranks_share(size_t bytes, void **all)
{
    static void *alone;
    if (ranks_count() > 1)
        return share(bytes, all);
    device_free(alone);
    const enum status status = device_alloc(&alone, bytes);
    all[0] = alone;
    return status;
}
