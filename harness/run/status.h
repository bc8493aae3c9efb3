/*
 * How a job, or a round of it, ended. The word stands first in the note of its status row, a
 * sentence may follow: "ok", "skipped: this build has no OpenBLAS".
 */
#pragma once
#include "reprise.h"

enum state {
    JOB_NONE, /* not run, or not finished */
    JOB_OK,
    JOB_QUICK,    /* one sample a round: right, and its times are no measurement */
    JOB_EMULATED, /* right, and without a time: the device is emulated */
    JOB_SKIPPED,
    JOB_WRONG,
    JOB_IMPOSSIBLE, /* its time is shorter than the machine allows */
    JOB_DIVERGED,
    JOB_FAILED,
    JOB_TIMEOUT,
    JOB_CRASHED
};

bool good(enum state state);       /* it ran, and its answer is right */
bool has_times(enum state state);  /* good, and its times mean something */
bool went_wrong(enum state state); /* it ran, or tried to, and is not good: a skipped job did not */
enum state state_of(const char *note);      /* by its first word; an unknown one: JOB_FAILED */
enum state state_after(enum status status); /* of a job whose last step returned this */
const char *state_note(enum state state, const char *sentence); /* interned; "" says no more */
/* The words of all states that a job can be retried from, ends by null. */
/* The note of a status row begins by one of our words. */
bool is_state_note(const char *note);
const char *const *retry_words(void);
