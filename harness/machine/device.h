/*
 * The C face of the one device in this build: a real GPU (cuda.c), the same kernels on the CPU
 * (emulated/), or none (none.c). Exactly one of them is linked.
 * All calls return OK, or a status whose reason() says what happened.
 */
#pragma once
#include "reprise.h"

#ifdef __cplusplus
extern "C" {
#endif

struct device_facts {
    char kind[16]; /* cuda, emulated, none */
    char name[128];
    int cards; /* that this process could use; 0: as many as it likes */
    int multiprocessors, bus_bits, capability_major, capability_minor, ecc;
    double memory_bytes, free_bytes, l2_bytes, clock_max_mhz, memory_clock_mhz;
    int runtime_version, driver_version;
    char driver[80]; /* "" where unknown, as the next three are -1 */
    double power_limit_w;
    int mig, persistence;
    int busy_percent; /* by others, when this process came */
};

/* For the tables of variants: where the calls of one are that needs kernels; null in a build
 * without a device. */
#ifdef REPRISE_DEVICE_NONE
#define DEVICE_CALLS(object) NULL
#else
#define DEVICE_CALLS(object) (&(object))
#endif

const char *device_kind(void); /* of the build: "cuda", "emulated" or "none" */
bool device_has_time(void);    /* false: times on it mean nothing and are not recorded */

/* Opens the device, of several the one of this rank; SKIPPED, with a sentence, where there is none.
 * Later calls return the first answer. A parent of workers never calls it. */
enum status device_open(struct device_facts *facts);

/* Of a build for CUDA (probe.cu): the cudaError_t of looking for the program's code for the device.
 */
int device_code(void);

/* Memory comes filled with 0xff bytes (NaN), so that an unwritten result cannot look right. */
enum status device_alloc(void **memory, size_t bytes);
void device_free(void *memory);
/* Page-locked memory of the host, for copies at the bus's speed; filled alike. */
enum status device_host_alloc(void **memory, size_t bytes);
void device_host_free(void *memory);
/* Locks pages of malloc()'s, so that copies run at the bus's speed, until they are unlocked, before
 * free(); false: not here. */
bool device_lock(void *memory, size_t bytes);
void device_unlock(void *memory);
enum status device_put(void *device, const void *host, size_t bytes);
enum status device_get(void *host, const void *device, size_t bytes);
enum status device_copy(void *to, const void *from, size_t bytes); /* device to device */

/* Reports a launch that was refused; to be called after every LAUNCH. */
enum status device_launched(const char *kernel);
enum status device_sync(void); /* waits; reports what failed since */

/* Launches between the first two are kept, and made by the third as one (a CUDA graph), which costs
 * the host one launch. Nothing else may be asked of the device in between. A device without times
 * makes them at once, and has nothing left for the third. */
enum status device_record(void);
enum status device_recorded(void); /* also after a launch that was refused */
enum status device_replay(void);

/* Marks in the stream of launches, slots 0 .. MAX_LAPS-1, and seconds between two of them (after
 * device_sync; NaN where times mean nothing). */
enum status device_mark(int slot);
double device_between(int from, int to);

struct device_state { /* of a card now; NaN: unknown */
    double clock_mhz; /* of the multiprocessors */
    double temperature_c, power_w;
    bool throttled; /* power or heat holds the clock down */
    bool hot;       /* heat does */
    bool others;    /* other processes compute on it */
};
bool device_look(struct device_state *state); /* false: unknown */
/* J that the whole card has drawn since the driver was loaded, by a counter that makes steps; NaN:
 * unknown. */
double device_energy(void);

/* Locks the clocks of the first cards, so many, at so many MHz, in words of `mhz`, until they are
 * unlocked, also beyond the end of the process. ERR_ARGS, with a sentence, where that cannot be. No
 * context is made. */
enum { CLOCK_WORDS = 16 };
enum status device_lock_clocks(int cards, char mhz[CLOCK_WORDS]);
enum status device_unlock_clocks(void);

/* For a GPU's profiler, which is told by device_profile() when to look; what is launched or done
 * from device_range() on is in a range of that name, or, if it is null, no longer in the last one.
 * False: this build can tell none. */
bool device_has_profiler(void);
void device_profile(bool on);
void device_range(const char *name);

/* Sets the order of an emulated block's threads, "ascending" or "descending"; a GPU ignores it. */
enum status device_thread_order(const char *order);

#ifdef __cplusplus
}
#endif
