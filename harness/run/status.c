/*
 * The states of a job: their words, and what each means for an answer and its times.
 */
#include "run/status.h"

#include <string.h>

#include "base/intern.h"

static const struct {
    const char *word;
    bool good, timed, retried;
} states[] = {
    [JOB_NONE] = {"", false, false, false},
    [JOB_OK] = {"ok", true, true, false},
    [JOB_QUICK] = {"quick", true, true, false},
    [JOB_EMULATED] = {"emulated", true, false, false},
    [JOB_SKIPPED] = {"skipped", false, false, true},
    [JOB_WRONG] = {"wrong", false, false, true},
    [JOB_IMPOSSIBLE] = {"impossible", false, false, true},
    [JOB_DIVERGED] = {"diverged", false, false, true},
    [JOB_FAILED] = {"failed", false, false, true},
    [JOB_TIMEOUT] = {"timeout", false, false, true},
    [JOB_CRASHED] = {"crashed", false, false, true},
};
enum { STATES = sizeof states / sizeof *states };

bool good(enum state state)
{
    return states[state].good;
}

bool has_times(enum state state)
{
    return states[state].timed;
}

bool went_wrong(enum state state)
{
    return state != JOB_NONE && state != JOB_SKIPPED && !good(state);
}

/* JOB_NONE: it begins by none of the words. */
static enum state find_state(const char *note)
{
    const size_t length = strcspn(note, ":");
    for (int s = JOB_OK; s < STATES; s++)
        if (strlen(states[s].word) == length && memcmp(states[s].word, note, length) == 0)
            return (enum state)s;
    return JOB_NONE;
}

enum state state_of(const char *note)
{
    const enum state found = find_state(note);
    return found != JOB_NONE ? found : JOB_FAILED;
}

bool is_state_note(const char *note)
{
    return find_state(note) != JOB_NONE;
}

enum state state_after(enum status status)
{
    static const enum state after[] = {[OK] = JOB_OK,
                                       [SKIPPED] = JOB_SKIPPED,
                                       [WRONG] = JOB_WRONG,
                                       [IMPOSSIBLE] = JOB_IMPOSSIBLE,
                                       [ERR_ARGS] = JOB_FAILED,
                                       [ERR_MEMORY] = JOB_FAILED,
                                       [ERR_DEVICE] = JOB_FAILED,
                                       [ERR_IO] = JOB_FAILED,
                                       [ERR_DIVERGED] = JOB_DIVERGED};
    return after[status];
}

const char *state_note(enum state state, const char *sentence)
{
    return internf("%s%s%s", states[state].word, sentence[0] != '\0' ? ": " : "", sentence);
}

const char *const *retry_words(void)
{
    static const char *words[STATES];
    int count = 0;
    for (int s = JOB_OK; s < STATES; s++)
        if (states[s].retried)
            words[count++] = states[s].word;
    words[count] = NULL;
    return words;
}
