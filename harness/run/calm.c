/*
 * Waiting for a card: until it is cool, and others are done.
 */
#include "run/calm.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/intern.h"
#include "machine/device.h"
#include "machine/timing.h"

static const char *disturbance(void)
{
    struct device_state card;
    return !device_look(&card) ? NULL
           : card.hot          ? "heat holds the clock of the GPU down"
           : card.others       ? "others compute on the GPU"
                               : NULL;
}

static const char patience[] = "REPRISE_PATIENCE"; /* a worker's environment */

void calm_allow(double seconds)
{
    (void)setenv(patience, internf("%.0f", fmax(seconds, 0)), 1);
}

/* The card's own counters are renewed several times a second. */
double calm_wait(const char **why)
{
    const char *const allowed = getenv(patience);
    const double begin = now(), most = allowed != NULL ? atof(allowed) : LONGEST_WAIT;
    const char *const first = most > 0 ? disturbance() : NULL;
    const char *still = first;
    while (still != NULL && now() - begin < most) {
        usleep(200000);
        still = disturbance();
    }
    *why = still == NULL ? first : internf("%s, still after %.0f s", still, most);
    return first != NULL ? now() - begin : 0;
}
