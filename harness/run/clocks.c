/*
 * Locked clocks: what asks for them, and the process that holds them.
 */
#include "run/clocks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/intern.h"
#include "machine/device.h"
#include "run/process.h"

static const char why_not[] = "gpu_clock_why_not";

/* --- the run --- */

enum status clocks_lock(struct worker *holder, int cards, struct facts *facts)
{
    const double patience = 60; /* seconds: a driver that has to be loaded takes a while */
    struct text rows = {0}, all = {0};
    struct csv *csv = NULL;
    struct facts told = {0};
    signal(SIGPIPE, SIG_IGN); /* it may end before it is asked */
    enum status status = worker_start(holder, &(struct start){.argument = LOCK_CLOCKS}, "");
    if (status != OK)
        return status;
    const enum answer answer = worker_ask(holder, internf("%d\n", cards), &rows, patience);
    text_add(&all, "%s%s", facts_header, answer == ANSWERED ? rows.data : "");
    status = csv_parse(all.data, "the answer of the process that locks clocks", &csv);
    if (status == OK)
        status = facts_read(csv, "what it tells", &told);
    csv_free(csv);
    text_free(&all);
    text_free(&rows);
    const char *const mhz = facts_get(&told, LOCKED_CLOCK);
    if (status == OK && mhz[0] != '\0') {
        facts_add(facts, LOCKED_CLOCK, "%s", mhz);
        return OK;
    }
    clocks_unlock(holder);
    return because(ERR_ARGS, "%s",
                   facts_get(&told, why_not)[0] != '\0'
                       ? facts_get(&told, why_not)
                       : "the process that was to lock the clocks did not answer; leave out "
                         "--lock-clocks");
}

void clocks_unlock(struct worker *holder)
{
    if (holder->pid != 0 && !worker_leave(holder))
        fprintf(stderr, "reprise: the process that held the clocks did not end well; if they are "
                        "still locked, `nvidia-smi -rgc` unlocks them\n");
}

/* --- the process --- */

static bool tell(int fd, const struct facts *facts)
{
    struct text rows = {0};
    facts_print(facts, &rows);
    text_add(&rows, "\n");
    const bool told = write(fd, rows.data, rows.length) == (ssize_t)rows.length;
    text_free(&rows);
    return told;
}

int clocks_hold(int answer_fd)
{
    char line[32] = "", mhz[CLOCK_WORDS] = "";
    struct facts facts = {0};
    prctl(PR_SET_PDEATHSIG, 0); /* other than a worker it has to do something then */
    signal(SIGPIPE, SIG_IGN);
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    enum status status = device_lock_clocks((int)strtol(line, NULL, 10), mhz);
    if (status == OK)
        facts_add(&facts, LOCKED_CLOCK, "%s", mhz);
    else
        facts_add(&facts, why_not, "%s", reason());
    if (tell(answer_fd, &facts) && status == OK)
        while (fgets(line, sizeof line, stdin) != NULL)
            continue;
    status = device_unlock_clocks(); /* of several cards some may be locked */
    if (status != OK)
        fprintf(stderr, "reprise: %s\n", reason());
    return status == OK ? 0 : 1;
}
