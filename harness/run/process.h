/*
 * A worker as its parent sees it: a process that takes a line and answers with rows.
 */
#pragma once
#include "base/record.h"
#include "machine/facts.h"
#include "run/plan.h"

#include <signal.h>
#include <sys/types.h>

struct worker { /* pid 0: none */
    pid_t pid;
    int to, from;
    int ranks;      /* that it consists of */
    bool on_device; /* it was asked for a job there */
    bool joining;   /* its ranks have not said yet that all are there */
};

struct start {            /* of a worker; what is null is left out */
    const char *program;  /* whose it is; null: this program's own */
    const char *argument; /* the order of threads, or "--facts", or LOCK_CLOCKS */
    const char *limits;   /* of the run so far */
    int ranks;            /* 0: one, without a launcher */
    const char *launcher; /* what starts several, as "srun -n {ranks}"; null: mpirun */
    const char *commit;   /* that the program is of, which several ranks look at once more */
    int card;             /* of those that it could use the only one, from 1 on; 0: all */
};

enum answer { ANSWERED, DIED, TIMED_OUT, INTERRUPTED };

/* Signals so far; SIGTERM counts twice. With one, what goes on is ended; with two, it is dropped,
 * and the program is gone within a second. */
extern volatile sig_atomic_t interrupts;
void catch_signals(void); /* SIGINT, SIGHUP, SIGTERM; until then these end the program */

/* Goes on as the program that has the libraries to compute with, which lies beside this one.
 * Returns OK in that one, or why it could not. */
enum status become_worker_program(char *const argv[]);
/* The same as several ranks, by a launcher, mpirun where it is null: `LAUNCHER PROGRAM together
 * RANKS` and the words of this one. Returns why it could not. */
#define AS_RANKS "together"
enum status become_ranks(char *const argv[], int ranks, const char *launcher);
/* Why the job's ranks cannot be started here by a launcher, or, where that is null, by mpirun on
 * this machine; with what to do. Null: they can. Without several cards there is nothing to
 * compare, on one rank or on emulated devices, and it is worth its time only if it was `named`. */
const char *ranks_lacking(const struct job *job, bool named, const char *launcher,
                          const struct facts *facts);
/* `[LAUNCHER] PROGRAM worker ARGUMENT LIMITS [RANKS COMMIT]`, its standard error appended to the
 * log; to our own if that is "". */
enum status worker_start(struct worker *worker, const struct start *how, const char *log);
/* Waits until all ranks that a launcher starts are there. */
enum { LONGEST_JOIN = 60 }; /* s */
enum answer worker_join(struct worker *worker, double deadline);
/* Sends a line and reads rows until the empty line that ends a group, for `deadline` seconds. */
enum answer worker_ask(struct worker *worker, const char *line, struct text *rows, double deadline);
/* Lets it leave, or ends it now; waits for it. */
void worker_stop(struct worker *worker, bool at_once);
/* Lets it leave, which is never forced upon it; false: it did not within some seconds, or not well.
 */
bool worker_leave(struct worker *worker);
/* What became of a worker that does not answer any more, as the note of a status row. */
const char *worker_death(struct worker *worker);
/* Asks a worker, device included, of this program where null. */
enum status run_facts(const char *program, struct facts *facts);
/* Workers that are started from then on, of whatever program, see that card alone of those that
 * they could use before. The program that computes leaves it at what the one before it chose. */
enum status choose_card(int number);
