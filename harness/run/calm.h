/*
 * A card that is hot, or on which others compute, gives times that are not its own: a worker waits,
 * for a while, until it is neither.
 */
#pragma once

#define WAITED "waited" /* the metric, whose note says why */

enum { LONGEST_WAIT = 60 }; /* s; of all workers of a run together */
/* In the parent: workers that are started from now on wait no longer. */
void calm_allow(double seconds);
/* Seconds that it waited, and for what; 0: it had not to. Where the card tells nothing it does not
 * wait. */
double calm_wait(const char **why);
