/*
 * NVML, which comes with the driver: what it says of a card that CUDA does not, and what it does to
 * the card's clocks. It is looked for when it is asked for, so that a program starts without it.
 * What it does not say stays unknown.
 */
#pragma once
#include "machine/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The card of that PCI bus, "0000:01:00.0", is the one that later calls mean. */
bool nvml_open(const char *bus);
/* Fills the driver, power limit, MIG, persistence and by how much others use the card. */
void nvml_describe(struct device_facts *facts);
bool nvml_look(struct device_state *state);
double nvml_energy(void); /* J since the driver was loaded; NaN: unknown, as before Volta */
void nvml_bind(void);     /* this process's threads to cores near the card */

/* Locks the clocks of the multiprocessors of a card, also of several, one after the other; at how
 * many MHz, in words of `mhz`. ERR_ARGS, with what to do, if that is not allowed here. */
enum status nvml_lock(const char *bus, char mhz[CLOCK_WORDS]);
enum status nvml_unlock(void); /* all of them */

#ifdef __cplusplus
}
#endif
