/*
 * A worker as its parent sees it: a process that takes a line and answers with rows.
 */
#pragma once
#include "base/record.h"
#include "machine/facts.h"

#include <signal.h>
#include <sys/types.h>

struct worker { /* pid 0: none */
    pid_t pid;
    int to, from;
};

enum answer { ANSWERED, DIED, TIMED_OUT, INTERRUPTED };

/* Signals so far; SIGTERM counts twice. With one, what goes on is ended; with two, it is dropped,
 * and the program is gone within a second. */
extern volatile sig_atomic_t interrupts;
void catch_signals(void); /* SIGINT, SIGHUP, SIGTERM; until then these end the program */

/* Goes on as the program that has the libraries to compute with, which lies beside this one.
 * Returns OK in that one, or why it could not. */
enum status become_worker_program(char *const argv[]);
/* `PROGRAM worker ARGUMENT LIMITS`, this program's own workers where null, its standard error
 * appended to the log; without limits where they are null. */
enum status worker_start(struct worker *worker, const char *program, const char *argument,
                         const char *limits, const char *log);
/* Sends a line and reads rows until the empty line that ends a group, for `deadline` seconds. */
enum answer worker_ask(struct worker *worker, const char *line, struct text *rows, double deadline);
/* Lets it leave, or ends it now; waits for it. */
void worker_stop(struct worker *worker, bool at_once);
/* What became of a worker that does not answer any more, as the note of a status row. */
const char *worker_death(struct worker *worker);
/* Asks a worker, device included, of this program where null. */
enum status run_facts(const char *program, struct facts *facts);
