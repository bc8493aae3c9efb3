/*
 * Ranks by MPI: who they are, and numbers of the hosts.
 */
#include "machine/ranks.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

static struct {
    int count, own, local;
} ranks = {1, 0, 0};

int ranks_count(void)
{
    return ranks.count;
}

int ranks_own(void)
{
    return ranks.own;
}

int ranks_local(void)
{
    return ranks.local;
}

#ifndef HAVE_MPI

const char *ranks_missing(void)
{
    return "this build has no MPI; install it (Debian: libopenmpi-dev), and build again from an "
           "empty folder";
}

enum status ranks_join(int count)
{
    return count == 1 ? OK : because(SKIPPED, "%s", ranks_missing());
}

void ranks_leave(void)
{
}

void ranks_tell(void *bytes, size_t count)
{
    (void)bytes, (void)count;
}

double ranks_most(double own)
{
    return own;
}

enum status ranks_agree(enum status own)
{
    return own;
}

void ranks_collect(const void *own, size_t bytes, void *all)
{
    memcpy(all, own, bytes);
}

void ranks_show(const void *own, size_t bytes, void *all)
{
    memcpy(all, own, bytes);
}

#else

#include <mpi.h>

enum { MOST_AT_ONCE = 1 << 30 }; /* MPI counts as int */

const char *ranks_missing(void)
{
    return NULL;
}

/* Those of one machine share its cores. */
static void find_place(void)
{
    MPI_Comm here;
    int together;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, ranks.own, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &ranks.local);
    MPI_Comm_size(here, &together);
    MPI_Comm_free(&here);
    const int threads = omp_get_num_procs() / together;
    omp_set_num_threads(threads < 1 ? 1 : threads);
}

enum status ranks_join(int count)
{
    if (count == 1)
        return OK;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return because(SKIPPED, "MPI did not start");
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.own);
    find_place();
    return ranks.count == count
               ? OK
               : because(SKIPPED, "the launcher started %d processes where %d are wanted",
                         ranks.count, count);
}

void ranks_leave(void)
{
    if (ranks.count > 1)
        MPI_Finalize();
}

void ranks_tell(void *bytes, size_t count)
{
    char *from = bytes;
    for (size_t done = 0, next; done < count && ranks.count > 1; done += next) {
        next = count - done < MOST_AT_ONCE ? count - done : MOST_AT_ONCE;
        MPI_Bcast(from + done, (int)next, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

/* By hand, because MPI does not say what the larger of NaN and a number is. */
double ranks_most(double own)
{
    double all[2] = {isnan(own) ? 1 : 0, isnan(own) ? 0 : own};
    if (ranks.count > 1)
        MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all[0] > 0 ? (double)NAN : all[1];
}

enum status ranks_agree(enum status own)
{
    struct {
        int status, rank;
    } worst = {own, ranks.own};
    char sentence[512] = "";
    if (ranks.count == 1)
        return own;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (worst.status == OK)
        return OK;
    if (ranks.own == worst.rank)
        snprintf(sentence, sizeof sentence, "%s", reason());
    MPI_Bcast(sentence, sizeof sentence, MPI_CHAR, worst.rank, MPI_COMM_WORLD);
    return worst.rank == 0
               ? because((enum status)worst.status, "%s", sentence)
               : because((enum status)worst.status, "rank %d: %s", worst.rank, sentence);
}

static void bring(void *bytes, size_t count, int from)
{
    char *at = bytes;
    for (size_t done = 0, next; done < count; done += next) {
        next = count - done < MOST_AT_ONCE ? count - done : MOST_AT_ONCE;
        if (from == ranks.own)
            MPI_Send(at + done, (int)next, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(at + done, (int)next, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

void ranks_collect(const void *own, size_t bytes, void *all)
{
    char *to = all;
    unsigned long long of = bytes;
    if (ranks.own > 0) {
        MPI_Send(&of, 1, MPI_UNSIGNED_LONG_LONG, 0, 0, MPI_COMM_WORLD);
        bring((void *)(uintptr_t)own, bytes, ranks.own);
        return;
    }
    memcpy(to, own, bytes);
    for (int from = 1; from < ranks.count; from++) {
        to += of;
        MPI_Recv(&of, 1, MPI_UNSIGNED_LONG_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        bring(to, of, from);
    }
}

void ranks_show(const void *own, size_t bytes, void *all)
{
    if (ranks.count > 1)
        MPI_Allgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
    else
        memcpy(all, own, bytes);
}

#endif
