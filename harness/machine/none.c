/*
 * No device in this build: opening it says so, and jobs that need one are skipped with the
 * sentence. Calls that only kernels make are not here, for no kernel is in the build.
 */
#include "machine/device.h"
#include "machine/ranks.h"

#include <math.h>

static enum status none(void)
{
    return because(
        SKIPPED, "this build has no device; configure it with -Ddevice=cuda or -Ddevice=emulated");
}

const char *device_kind(void)
{
    return "none";
}

bool device_has_time(void)
{
    return false;
}

enum status device_open(struct device_facts *facts)
{
    (void)facts;
    return none();
}

bool device_lock(void *memory, size_t bytes)
{
    (void)memory, (void)bytes;
    return false;
}

void device_unlock(void *memory)
{
    (void)memory;
}

enum status device_sync(void)
{
    return none();
}

enum status ranks_connect(void)
{
    return none();
}

enum status ranks_wake(void)
{
    return none();
}

enum status ranks_unload(const struct rank_part *part, void *all)
{
    (void)part, (void)all;
    return none();
}

enum status device_record(void)
{
    return none();
}

enum status device_recorded(void)
{
    return none();
}

enum status device_replay(void)
{
    return none();
}

enum status device_mark(int slot)
{
    (void)slot;
    return none();
}

double device_between(int from, int to)
{
    (void)from, (void)to;
    return NAN;
}

bool device_look(struct device_state *state)
{
    (void)state;
    return false;
}

double device_energy(void)
{
    return NAN;
}

enum status device_lock_clocks(int cards, char mhz[CLOCK_WORDS])
{
    (void)cards, (void)mhz;
    return because(ERR_ARGS, "there is no card whose clocks could be locked; leave out "
                             "--lock-clocks");
}

enum status device_unlock_clocks(void)
{
    return OK;
}

bool device_has_profiler(void)
{
    return false;
}

void device_profile(bool on)
{
    (void)on;
}

void device_range(const char *name)
{
    (void)name;
}

enum status device_thread_order(const char *order)
{
    (void)order;
    return OK;
}

enum status device_alloc(void **memory, size_t bytes)
{
    (void)memory, (void)bytes;
    return none();
}

void device_free(void *memory)
{
    (void)memory;
}

enum status device_get(void *host, const void *device, size_t bytes)
{
    (void)host, (void)device, (void)bytes;
    return none();
}
