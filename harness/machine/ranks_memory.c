/*
 * Between emulated devices, whose memory is the host's: by MPI.
 */
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
    if (count > MOST)
        return because(ERR_ARGS, "%d messages at once, of at most %d", count, MOST);
    for (int i = 0; i < count; i++) {
        const struct rank_message *const m = &messages[i];
        MPI_Irecv(m->receive, (int)m->bytes, MPI_BYTE, m->with, 0, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(m->send, (int)m->bytes, MPI_BYTE, m->with, 0, MPI_COMM_WORLD,
                  &requests[count + i]);
    }
    MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
    return OK;
}

static void maximum(double *values, size_t count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

#else

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
