/*
 * Processes that solve one problem together, each with a device of its own: MPI starts and joins
 * them, and brings numbers from one to the other; NCCL does so between the memories of GPUs. One
 * process by itself is rank 0 of 1 and needs neither. All ranks make the same calls in the same
 * order, and one that dies takes the others with it.
 */
#pragma once
#include "reprise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For tables of parameters: a problem that some variant solves on several ranks. */
#define RANKS_PARAMETER                                                                            \
    {                                                                                              \
        "ranks", INTEGER, 1, 1, 64, NULL, "processes of a -ranks variant, each with a card"        \
    }

/* Why this build cannot have several, with what to do; null: it can. */
const char *ranks_missing(void);
/* Joins the `count` processes that a launcher started, of which this is one. */
enum status ranks_join(int count);
/* The end, of all of them. */
void ranks_leave(void);
int ranks_count(void);
int ranks_own(void);   /* 0 .. count - 1 */
int ranks_local(void); /* among those on this machine */

/* --- between hosts --- */

void ranks_tell(void *bytes, size_t count); /* of rank 0, to all */
double ranks_most(double own);              /* of all; NaN: of one */
/* The same on all: OK if all are, else one rank's status with its sentence. None goes on before all
 * have come. */
enum status ranks_agree(enum status own);
/* The parts of all, one after the other, to rank 0; `all` is null elsewhere. */
void ranks_collect(const void *own, size_t bytes, void *all);
/* The same to all, of parts of one size. */
void ranks_show(const void *own, size_t bytes, void *all);

/* --- between devices, after all launches so far and before the next; not waited for --- */

/* Before the first of them; outside of all times. */
enum status ranks_connect(void);
/* By all, waited for: ways between cards that have had nothing to do for a while are asleep, and
 * the first to come takes so much longer: 0.1 ms on H200s after 50 ms. */
enum status ranks_wake(void);
/* `bytes` of each, in the order of ranks, to all; memory of the device. */
enum status ranks_gather(const void *own, void *all, size_t bytes);
/* To and from other ranks at once; memory of the device. */
struct rank_message {
    int with;
    const void *send; /* null: nothing that way */
    void *receive;
    size_t bytes; /* either way */
};
enum status ranks_exchange(const struct rank_message *messages, int count);
/* Of all ranks, each; memory of the device. */
enum status ranks_maximum(double *values, size_t count);
/* What a rank has of a whole, in memory of its device; wherever in what device_alloc() gave. */
struct rank_part {
    const void *own;
    size_t bytes, at; /* of it, without what is between rows; where in the whole it begins */
    /* If it is in rows: the bytes of one, of which the last may have less, and from one to the
     * next, here and in the whole; else 0. */
    size_t row, here, there;
};
/* The parts of all, be they of one size and form or not, to rank 0's host, piece by piece by way of
 * its device; `all` is the whole, and null elsewhere. Waited for; the status is this rank's own.
 * One that has failed comes too, as the others wait for it. What bringing an answer may take is
 * measured by one such call (run/together.h). */
enum status ranks_unload(const struct rank_part *part, void *all);

/* --- without launches in between: what kernels of all ranks write to and read (machine/far.h) ---
 */

/* So many bytes of each rank's device, filled as device_alloc() does; all[k], k < ranks_count(), is
 * where those of rank k are found from here. They are the same memory each time, and last until all
 * ask again, or leave. Outside of all times. SKIPPED where a card does not reach another one's
 * memory. */
enum status ranks_share(size_t bytes, void **all);

#ifdef __cplusplus
}
#endif
