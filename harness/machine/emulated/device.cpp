/*
 * The emulated device: CUDA kernels on the CPU, for tests and for machines without a GPU. Its
 * memory is heap memory, known by its first address; it has no clock, and marks are not times.
 */
#include "machine/device.h"

#include <math.h>

#include <map>

#include "machine/emulated/runtime.h"
#include "machine/emulated/scheduler.h"
#include "machine/nvml.h"
extern "C" {
#include "machine/facts.h"
}

using emulated::failed;
using emulated::refusal;

static std::map<const char *, size_t> *const allocations = new std::map<const char *, size_t>;

static double memory_available(void)
{
    const double bytes = available_memory();
    return bytes > 0 ? bytes : HUGE_VAL; /* the system does not say: malloc decides */
}

static enum status state(void)
{
    return failed ? because(ERR_DEVICE, "%s", emulated::failure) : OK;
}

static enum status inside(const char *call, const void *memory, size_t bytes)
{
    const char *const from = (const char *)memory;
    auto after = allocations->upper_bound(from);
    if (failed || bytes == 0)
        return state();
    if (after == allocations->begin() || from >= (--after)->first + after->second)
        return because(ERR_DEVICE, "%s: %p is not in device memory", call, memory);
    const size_t offset = (size_t)(from - after->first);
    if (bytes <= after->second - offset)
        return OK;
    return because(ERR_DEVICE,
                   "%s: %zu bytes from offset %zu do not lie in the %zu bytes allocated", call,
                   bytes, offset, after->second);
}

const char *device_kind(void)
{
    return "emulated";
}

bool device_has_time(void)
{
    return false;
}

enum status device_open(struct device_facts *facts)
{
    const char *const model = proc_value("/proc/cpuinfo", "model name");
    *facts = {};
    snprintf(facts->kind, sizeof facts->kind, "emulated");
    snprintf(facts->name, sizeof facts->name, "emulated on %.100s",
             model[0] != '\0' ? model : "an unknown CPU");
    facts->multiprocessors = emulated::os_threads();
    facts->mig = facts->persistence = facts->busy_percent = -1;
    facts->memory_bytes = facts->free_bytes = memory_available();
    return OK;
}

enum status device_alloc(void **memory, size_t bytes)
{
    const double available = memory_available();
    void *got = nullptr;
    if (failed)
        return state();
    if (!((double)bytes <= available) || (bytes > 0 && posix_memalign(&got, 256, bytes) != 0))
        return because(ERR_MEMORY, "%.0f bytes of device memory are wanted and %.0f are available",
                       (double)bytes, available);
    if (bytes > 0) {
        memset(got, 0xff, bytes);
        (*allocations)[(const char *)got] = bytes;
    }
    *memory = got;
    return OK;
}

void device_free(void *memory)
{
    if (memory == nullptr)
        return;
    if (allocations->erase((const char *)memory) == 1) {
        free(memory);
        return;
    }
    char sentence[80];
    snprintf(sentence, sizeof sentence, "device_free: %p is not an allocation", memory);
    emulated::fail(sentence);
}

enum status device_host_alloc(void **memory, size_t bytes)
{
    void *const got = malloc(bytes);
    if (got == nullptr)
        return because(ERR_MEMORY, "there is no memory of %.2f GiB; choose a smaller size",
                       (double)bytes / 0x1p30);
    memset(got, 0xff, bytes);
    *memory = got;
    return OK;
}

void device_host_free(void *memory)
{
    free(memory);
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

enum status device_put(void *device, const void *host, size_t bytes)
{
    const enum status status = inside("device_put", device, bytes);
    if (status == OK && bytes > 0)
        memcpy(device, host, bytes);
    return status;
}

enum status device_get(void *host, const void *device, size_t bytes)
{
    const enum status status = inside("device_get", device, bytes);
    if (status == OK && bytes > 0)
        memcpy(host, device, bytes);
    return status;
}

enum status device_copy(void *to, const void *from, size_t bytes)
{
    enum status status = inside("device_copy, target", to, bytes);
    if (status == OK)
        status = inside("device_copy, source", from, bytes);
    if (status == OK && bytes > 0)
        memmove(to, from, bytes);
    return status;
}

enum status device_launched(const char *kernel)
{
    (void)kernel; /* the sentence has the name from the launch */
    if (failed || refusal[0] == '\0')
        return state();
    because(ERR_DEVICE, "%s", refusal);
    refusal[0] = '\0';
    return ERR_DEVICE;
}

enum status device_sync(void)
{
    return state();
}

enum status device_record(void)
{
    return state();
}

enum status device_recorded(void)
{
    return state();
}

enum status device_replay(void)
{
    return state();
}

enum status device_mark(int slot)
{
    if (slot >= 0 && slot < MAX_LAPS)
        return state();
    return because(ERR_ARGS, "mark %d does not exist; there are %d", slot, (int)MAX_LAPS);
}

double device_between(int from, int to)
{
    (void)from;
    (void)to;
    return (double)NAN;
}

/* A test can give it a card, of which NVML is asked then. */
static const char *card_of_a_test(void)
{
    return getenv("REPRISE_EMULATED_CARD");
}

bool device_look(struct device_state *state)
{
    static const bool open = card_of_a_test() != nullptr && nvml_open(card_of_a_test());
    return open && nvml_look(state);
}

double device_energy(void)
{
    return (double)NAN;
}

enum status device_lock_clocks(int cards, char mhz[CLOCK_WORDS])
{
    enum status status = OK;
    if (card_of_a_test() == nullptr)
        return because(ERR_ARGS, "there is no card whose clocks could be locked; leave out "
                                 "--lock-clocks");
    for (int i = 0; i < cards && status == OK; i++)
        status = nvml_lock(card_of_a_test(), mhz);
    return status;
}

enum status device_unlock_clocks(void)
{
    return nvml_unlock();
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
    if (strcmp(order, "ascending") != 0 && strcmp(order, "descending") != 0)
        return because(ERR_ARGS, "the order of threads is ascending or descending, not '%s'",
                       order);
    emulated::descending_threads = order[0] == 'd';
    return OK;
}
