/*
 * NVML's header does not come with every toolkit: the few functions and numbers used here are from
 * the NVML API reference.
 */
#include "machine/nvml.h"

#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/intern.h"

enum { NVML_NOT_SUPPORTED = 3, NVML_NO_PERMISSION = 4 };
enum { NVML_SM_CLOCK = 1 };
enum { NVML_GPU_SENSOR = 0 };
enum {
    NVML_POWER_CAP = 0x4,
    NVML_HARDWARE_SLOWDOWN = 0x8,
    NVML_SOFTWARE_HEAT = 0x20,
    NVML_HARDWARE_HEAT = 0x40,
    NVML_POWER_BRAKE = 0x80
};
static const unsigned nvml_base_clock = 0xffffff01; /* NVML_CLOCK_LIMIT_ID_TDP */

struct nvml_temperature { /* nvmlTemperature_v1_t */
    unsigned version;
    int sensor, celsius;
};

static struct { /* null: this driver's library has none */
    int (*init)(void);
    int (*find)(const char *bus, void **device);
    const char *(*error)(int code);
    int (*driver)(char *text, unsigned room);
    int (*power_limit)(void *device, unsigned *milliwatts);
    int (*mig)(void *device, unsigned *current, unsigned *pending);
    int (*persistence)(void *device, int *mode);
    int (*busy)(void *device, unsigned *percent); /* [2]: kernels, memory */
    int (*bind)(void *device);
    int (*clock)(void *device, int which, unsigned *mhz);
    int (*reasons)(void *device, unsigned long long *bits);
    int (*temperature)(void *device, struct nvml_temperature *out);
    int (*temperature_before)(void *device, int sensor, unsigned *celsius);
    int (*power)(void *device, unsigned *milliwatts);
    int (*energy)(void *device, unsigned long long *millijoules);
    int (*processes)(void *device, unsigned *count, void *list);
    int (*usual_clock)(void *device, int which, unsigned *mhz);
    int (*lock)(void *device, unsigned least, unsigned most);
    int (*unlock)(void *device);
} nvml;

/* What was renamed has its name of before behind it. */
#define FUNCTION(member, ...)                                                                      \
    {                                                                                              \
        &nvml.member,                                                                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
static const struct {
    void *at; /* a pointer to a function, of which ISO C makes no other pointer: bytes */
    const char *names[2];
} functions[] = {
    FUNCTION(init, "nvmlInit_v2"),
    FUNCTION(find, "nvmlDeviceGetHandleByPciBusId_v2"),
    FUNCTION(error, "nvmlErrorString"),
    FUNCTION(driver, "nvmlSystemGetDriverVersion"),
    FUNCTION(power_limit, "nvmlDeviceGetPowerManagementLimit"),
    FUNCTION(mig, "nvmlDeviceGetMigMode"),
    FUNCTION(persistence, "nvmlDeviceGetPersistenceMode"),
    FUNCTION(busy, "nvmlDeviceGetUtilizationRates"),
    FUNCTION(bind, "nvmlDeviceSetCpuAffinity"),
    FUNCTION(clock, "nvmlDeviceGetClockInfo"),
    FUNCTION(reasons, "nvmlDeviceGetCurrentClocksEventReasons",
             "nvmlDeviceGetCurrentClocksThrottleReasons"),
    FUNCTION(temperature, "nvmlDeviceGetTemperatureV"),
    FUNCTION(temperature_before, "nvmlDeviceGetTemperature"),
    FUNCTION(power, "nvmlDeviceGetPowerUsage"),
    FUNCTION(energy, "nvmlDeviceGetTotalEnergyConsumption"),
    FUNCTION(processes, "nvmlDeviceGetComputeRunningProcesses_v3",
             "nvmlDeviceGetComputeRunningProcesses_v2"),
    FUNCTION(usual_clock, "nvmlDeviceGetDefaultApplicationsClock"),
    FUNCTION(lock, "nvmlDeviceSetGpuLockedClocks"),
    FUNCTION(unlock, "nvmlDeviceResetGpuLockedClocks"),
};

static void *card; /* null: none is open */

/* The library, once; false: there is none. */
static bool load(void)
{
    static void *library;
    if (library != NULL || (library = dlopen("libnvidia-ml.so.1", RTLD_NOW)) == NULL)
        return library != NULL && nvml.find != NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = NULL;
        for (int k = 0; k < 2 && functions[i].names[k] != NULL && found == NULL; k++)
            found = dlsym(library, functions[i].names[k]);
        memcpy(functions[i].at, &found, sizeof found);
    }
    if (nvml.init == NULL || nvml.init() != 0)
        nvml.find = NULL;
    return nvml.find != NULL;
}

bool nvml_open(const char *bus)
{
    if (!load() || nvml.find(bus, &card) != 0)
        card = NULL;
    return card != NULL;
}

void nvml_bind(void)
{
    if (card != NULL && nvml.bind != NULL)
        (void)nvml.bind(card);
}

void nvml_describe(struct device_facts *facts)
{
    unsigned current = 0, pending = 0, milliwatts = 0, busy[2];
    int persistent = 0;
    facts->driver[0] = '\0';
    facts->power_limit_w = facts->mig = facts->persistence = facts->busy_percent = -1;
    if (card == NULL)
        return;
    if (nvml.driver == NULL || nvml.driver(facts->driver, sizeof facts->driver) != 0)
        facts->driver[0] = '\0';
    if (nvml.power_limit != NULL && nvml.power_limit(card, &milliwatts) == 0)
        facts->power_limit_w = milliwatts / 1e3;
    if (nvml.mig != NULL && nvml.mig(card, &current, &pending) == 0)
        facts->mig = (int)current;
    if (nvml.persistence != NULL && nvml.persistence(card, &persistent) == 0)
        facts->persistence = persistent;
    if (nvml.busy != NULL && nvml.busy(card, busy) == 0)
        facts->busy_percent = (int)busy[0];
}

static double temperature(void)
{
    struct nvml_temperature now = {(unsigned)sizeof now | 1U << 24, NVML_GPU_SENSOR, 0};
    unsigned celsius;
    if (nvml.temperature != NULL && nvml.temperature(card, &now) == 0)
        return now.celsius;
    return nvml.temperature_before != NULL &&
                   nvml.temperature_before(card, NVML_GPU_SENSOR, &celsius) == 0
               ? celsius
               : (double)NAN;
}

/* Processes with a context on the card; of those one is this one. To ask for none of them gives
 * their number, and an error if there are any. */
static bool others_compute(void)
{
    const unsigned left_over = 10; /* percent, by who just ended */
    unsigned count = 0, busy[2];
    if (nvml.processes == NULL || nvml.busy == NULL)
        return false;
    (void)nvml.processes(card, &count, NULL);
    return count > 1 && nvml.busy(card, busy) == 0 && busy[0] > left_over;
}

bool nvml_look(struct device_state *state)
{
    /* "Idle" and clocks that somebody set are left out: those are no hand on the brake. */
    const unsigned long long heat = NVML_SOFTWARE_HEAT | NVML_HARDWARE_HEAT;
    const unsigned long long brakes =
        heat | NVML_POWER_CAP | NVML_HARDWARE_SLOWDOWN | NVML_POWER_BRAKE;
    unsigned mhz, milliwatts;
    unsigned long long reasons;
    const bool good = card != NULL && nvml.clock != NULL && nvml.reasons != NULL &&
                      nvml.clock(card, NVML_SM_CLOCK, &mhz) == 0 &&
                      nvml.reasons(card, &reasons) == 0;
    if (!good)
        return false;
    *state = (struct device_state){.clock_mhz = mhz,
                                   .temperature_c = temperature(),
                                   .power_w = NAN,
                                   .throttled = (reasons & brakes) != 0,
                                   .hot = (reasons & heat) != 0,
                                   .others = others_compute()};
    if (nvml.power != NULL && nvml.power(card, &milliwatts) == 0)
        state->power_w = milliwatts / 1e3;
    return true;
}

double nvml_energy(void)
{
    unsigned long long millijoules;
    const bool good = card != NULL && nvml.energy != NULL && nvml.energy(card, &millijoules) == 0;
    return good ? (double)millijoules / 1e3 : (double)NAN;
}

/* --- clocks --- */

enum { MOST_LOCKED = 64 };
static void *locked[MOST_LOCKED];
static int locked_count;

static enum status not_locked(int code, const char *mhz)
{
    if (code == NVML_NO_PERMISSION)
        return because(ERR_ARGS,
                       "only an administrator may lock the clocks of the card: run as root, or "
                       "have them locked by `nvidia-smi -lgc %s` and leave out --lock-clocks",
                       mhz);
    return because(ERR_ARGS,
                   "the clocks of this card cannot be locked (%s); leave out --lock-clocks",
                   code == NVML_NOT_SUPPORTED ? "it does not support that"
                   : nvml.error != NULL       ? nvml.error(code)
                                              : "NVML refused");
}

/* At what NVML calls the default of applications. A driver that has no such clock any more locks at
 * the base clock, whose number it does not tell. */
enum status nvml_lock(const char *bus, char mhz[CLOCK_WORDS])
{
    void *device = NULL;
    unsigned usual = 0;
    if (!load())
        return because(ERR_ARGS, "no libnvidia-ml.so.1, a part of NVIDIA's driver, can be used "
                                 "here, which locks the clocks; leave out --lock-clocks");
    if (nvml.find(bus, &device) != 0 || nvml.lock == NULL || nvml.unlock == NULL ||
        locked_count == MOST_LOCKED)
        return not_locked(NVML_NOT_SUPPORTED, "");
    const bool known = nvml.usual_clock != NULL &&
                       nvml.usual_clock(device, NVML_SM_CLOCK, &usual) == 0 && usual > 0;
    const unsigned at = known ? usual : nvml_base_clock;
    const int code = nvml.lock(device, at, at);
    if (code != 0)
        return not_locked(code, known ? internf("%u", usual) : "MHZ");
    locked[locked_count++] = device;
    snprintf(mhz, CLOCK_WORDS, "%s", known ? internf("%u", usual) : "base");
    return OK;
}

enum status nvml_unlock(void)
{
    int code = 0;
    while (locked_count > 0) {
        const int one = nvml.unlock(locked[--locked_count]);
        code = one != 0 ? one : code;
    }
    return code == 0 ? OK
                     : because(ERR_DEVICE,
                               "the clocks of the card are still locked (%s); "
                               "`sudo nvidia-smi -rgc` unlocks them",
                               nvml.error != NULL ? nvml.error(code) : "NVML refused");
}
