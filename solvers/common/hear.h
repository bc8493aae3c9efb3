/*
 * What a kernel tells the host while it runs, by letter_tell(): words of page-locked memory with a
 * number, which nobody tells again before the host has heard them. A copy would begin when the
 * kernel has ended, and the host would know later still.
 */
#pragma once
#include <string.h>

#include "machine/async.h"
#include "machine/device.h"

/* So many words of that number, to `to`. Waits some milliseconds for them, then for the device. */
static inline enum status hear(const letter<unsigned> *from, size_t count, unsigned number,
                               void *to)
{
    enum { LOOKS = 1 << 20, HALF = 32 };
    bool ended = false;
    for (size_t k = count, looks = 0; k > 0;) { /* the last ones come last */
        const unsigned long long told = __atomic_load_n(&from[k - 1].half[0], __ATOMIC_RELAXED);
        const unsigned word = (unsigned)told;
        if ((unsigned)(told >> HALF) == number) {
            memcpy((char *)to + --k * sizeof word, &word, sizeof word);
        } else if (ended) {
            return because(ERR_DEVICE, "a kernel ended and has not told what came of it");
        } else if (++looks == LOOKS) {
            const enum status status = device_sync();
            if (status != OK)
                return status;
            ended = true;
        }
    }
    return OK;
}
