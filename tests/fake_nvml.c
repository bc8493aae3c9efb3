/*
 * A libnvidia-ml.so.1 of no card, for tests: FAKE_NVML names a file that says how it answers, NAME
 * VALUE a line; what is done to the clocks is appended to FAKE_NVML.log, and each look at the card
 * to FAKE_NVML.looks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In 0 .. 2^64 - 1; `instead`, if the file does not say. */
static unsigned long long said(const char *name, unsigned long long instead)
{
    char line[128], word[64];
    unsigned long long value, out = instead;
    const char *const path = getenv("FAKE_NVML");
    FILE *const file = path != NULL ? fopen(path, "r") : NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%63s %lli", word, (long long *)&value) == 2 && strcmp(word, name) == 0)
            out = value;
    if (file != NULL)
        fclose(file);
    return out;
}

static void note(const char *where, const char *what)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%s", getenv("FAKE_NVML"), where);
    FILE *const file = fopen(path, "a");
    if (file != NULL) {
        fprintf(file, "%s\n", what);
        fclose(file);
    }
}

int nvmlInit_v2(void);
int nvmlInit_v2(void)
{
    return (int)said("init", 0);
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device)
{
    static int card;
    *device = &card;
    return strcmp(bus, "0000:01:00.0") == 0 ? 0 : 6;
}

const char *nvmlErrorString(int code);
const char *nvmlErrorString(int code)
{
    return code == 15 ? "GPU is lost" : "Unknown Error";
}

int nvmlSystemGetDriverVersion(char *text, unsigned room);
int nvmlSystemGetDriverVersion(char *text, unsigned room)
{
    snprintf(text, room, "580.1");
    return 0;
}

int nvmlDeviceGetPowerManagementLimit(void *device, unsigned *milliwatts);
int nvmlDeviceGetPowerManagementLimit(void *device, unsigned *milliwatts)
{
    (void)device;
    *milliwatts = 700000;
    return 0;
}

int nvmlDeviceGetUtilizationRates(void *device, unsigned *percent);
int nvmlDeviceGetUtilizationRates(void *device, unsigned *percent)
{
    (void)device;
    percent[0] = (unsigned)said("busy", 0);
    percent[1] = 0;
    return 0;
}

int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz);
int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz)
{
    (void)device;
    *mhz = which == 1 ? 1980 : 0;
    return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits)
{
    (void)device;
    *bits = said("reasons", 1);
    note("looks", "");
    return (int)said("reasons_status", 0);
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius);
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius)
{
    (void)device;
    *celsius = sensor == 0 ? 41 : 0;
    return (int)said("temperature_status", 0);
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    (void)device;
    *milliwatts = 123500;
    return (int)said("power_status", 0);
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    (void)device;
    *millijoules = said("energy", 12345678901);
    return (int)said("energy_status", 0);
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *list);
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *list)
{
    (void)device;
    *count = (unsigned)said("processes", 1);
    return *count > 0 && list == NULL ? 7 : 0;
}

int nvmlDeviceGetDefaultApplicationsClock(void *device, int which, unsigned *mhz);
int nvmlDeviceGetDefaultApplicationsClock(void *device, int which, unsigned *mhz)
{
    (void)device;
    *mhz = which == 1 ? 1755 : 0;
    return (int)said("usual_status", 0);
}

int nvmlDeviceSetGpuLockedClocks(void *device, unsigned least, unsigned most);
int nvmlDeviceSetGpuLockedClocks(void *device, unsigned least, unsigned most)
{
    char text[64];
    (void)device;
    if (said("lock_status", 0) != 0)
        return (int)said("lock_status", 0);
    snprintf(text, sizeof text, least >= 0xffffff00 ? "locked %#x %#x" : "locked %u %u", least,
             most);
    note("log", text);
    return 0;
}

int nvmlDeviceResetGpuLockedClocks(void *device);
int nvmlDeviceResetGpuLockedClocks(void *device)
{
    (void)device;
    usleep(50000); /* whoever ends it by force comes before it is done */
    note("log", "unlocked");
    return (int)said("unlock_status", 0);
}
