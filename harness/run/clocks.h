/*
 * The clocks of the cards, locked as long as a run lasts. A process of its own holds them, which
 * unlocks them at the end of its input: however the run ends, killed too.
 */
#pragma once
#include "reprise.h"

struct facts;
struct worker; /* of process.h */

#define LOCK_CLOCKS "--lock-clocks" /* what that process, a worker, is started with */

/* Of so many cards; adds to the facts at which clock. ERR_ARGS where that cannot be. */
enum status clocks_lock(struct worker *holder, int cards, struct facts *facts);
/* Says what to do if they could not be unlocked. */
void clocks_unlock(struct worker *holder);

/* The process: reads how many cards, locks, answers, waits. Its exit status. */
int clocks_hold(int answer_fd);
