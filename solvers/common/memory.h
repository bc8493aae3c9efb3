/*
 * Memory that is given back by one call. What begins with a struct memory, a variant's state as a
 * rule, owns all that was added to it; a failure stays its status, so a plan asks once, when it has
 * taken everything. An instance's data, if they are one block, are made and freed here too.
 */
#pragma once
#include "reprise.h"

#ifdef __cplusplus
extern "C" {
#endif

struct memory {
    enum status status; /* of all that was taken */
    struct held *held;
};

/* `size` bytes of zeros that begin with a struct memory, on a cache line; null with the reason. */
void *owner_new(size_t size);
/* Now the owner's too, which is how it is returned; a null stands for no memory. */
void *own(struct memory *owner, void *memory, void (*release)(void *memory));
void *take(struct memory *owner, size_t bytes); /* as malloc() gives it */
/* NaN in every place, so that the pages are there, near this core, before a run is timed. */
void *take_filled(struct memory *owner, size_t bytes);
/* The same by all cores: what another than the variant's own core writes, as a copy does. */
void *take_touched(struct memory *owner, size_t bytes);
void let_go(struct memory *owner); /* gives all back but the owner */
void give_back(void *owner);       /* the owner too; accepts null */
/* The end of plan(): hands a good state over, and gives back another one. Returns the status. */
enum status planned(void *made, enum status status, void **state);

/* in->data is a copy of `size` bytes and `more` behind them. */
enum status instance_make(struct instance *in, const void *data, size_t size, size_t more);
void instance_free(struct instance *in);

#ifdef __cplusplus
}
#endif
