/*
 * Waiting for a card: until it is cool, and others are done.
 */
#include "run/calm.h"

#include <stddef.h>
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

/* The card's own counters are renewed several times a second. */
double calm_wait(const char **why)
{
    const double begin = now();
    const char *const first = disturbance();
    const char *still = first;
    while (still != NULL && now() - begin < LONGEST_WAIT) {
        usleep(200000);
        still = disturbance();
    }
    *why = still == NULL ? first : internf("%s, still after %d s", still, LONGEST_WAIT);
    return first != NULL ? now() - begin : 0;
}
