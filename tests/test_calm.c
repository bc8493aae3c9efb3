/*
 * How long a worker waits for a card that is hot or that others use. The card, the clock and sleep
 * are the test's own, so that no time is taken.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/device.h"
#include "machine/timing.h"
#include "run/calm.h"
#include "tap.h"

static double clock_now, hot_until, others_until;
static int looks;
static bool known;

double now(void)
{
    return clock_now;
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the library's is reserved */
int usleep(useconds_t microseconds)
{
    clock_now += (double)microseconds * 1e-6;
    return 0;
}

bool device_look(struct device_state *state)
{
    looks++;
    *state =
        (struct device_state){.hot = clock_now < hot_until, .others = clock_now < others_until};
    return known;
}

/* A card that is hot and used for so many seconds from now on; what is said of it. */
static double wait_for(double hot, double others, const char **why)
{
    clock_now = 1000;
    hot_until = clock_now + hot;
    others_until = clock_now + others;
    looks = 0;
    return calm_wait(why);
}

/* A wait ends within the second that looks are apart at most. */
static bool waited(double seconds, double of)
{
    return seconds >= of && seconds <= of + 1 && clock_now == 1000 + seconds;
}

int main(void)
{
    const char *why = "";
    (void)unsetenv("REPRISE_PATIENCE");
    known = true;
    check(wait_for(0, 0, &why) == 0 && looks == 1, "a calm card is not waited for");
    check(waited(wait_for(7, 0, &why), 7) && strstr(why, "heat") == why, "a hot card");
    check(waited(wait_for(0, 5, &why), 5) && strcmp(why, "others compute on the GPU") == 0,
          "a card that others use");
    check(waited(wait_for(3, 9, &why), 9), "both");
    check(waited(wait_for(0, 1e9, &why), LONGEST_WAIT) && strstr(why, "still after 60 s") != NULL,
          "no longer than for a minute");
    calm_allow(4.4);
    check(waited(wait_for(0, 1e9, &why), 4) && strstr(why, "still after 4 s") != NULL,
          "no longer than the run allows");
    check(waited(wait_for(0, 2, &why), 2), "and less where that is enough");
    calm_allow(-3);
    check(wait_for(0, 1e9, &why) == 0 && looks == 0, "a run that has waited long enough: no more");
    calm_allow(60);
    known = false;
    check(wait_for(1e9, 1e9, &why) == 0, "a card that tells nothing is not waited for");
    return done();
}
