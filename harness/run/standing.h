/*
 * What a run's folder is, by its files, its lock and the fact `state` of run.csv: "running after 2
 * of 7 rounds", "interrupted after ..", "finished after ..".
 */
#pragma once
#include "machine/facts.h"

enum folder_state {
    FOLDER_EMPTY,
    FOLDER_RUNNING,     /* another process writes to it */
    FOLDER_INTERRUPTED, /* --resume goes on with it */
    FOLDER_FINISHED,
    FOLDER_KEPT /* its samples are compressed: no run writes to it, or into it */
};

struct standing {
    enum folder_state state;
    int done, asked;  /* rounds that all jobs have, and those that were asked for, or the budget */
    const char *said; /* "interrupted after 4 of 7 rounds"; null: it has all that it should */
};

/* Sets the fact: FOLDER_RUNNING, FOLDER_INTERRUPTED or FOLDER_FINISHED. */
void standing_note(struct facts *facts, enum folder_state state, int done, int asked);
/* The run came to its end, finished or not, and left whole files. */
bool run_ended(const struct facts *facts);
/* FOLDER_EMPTY, FOLDER_KEPT, or FOLDER_INTERRUPTED: it has samples, whatever the facts say. */
enum folder_state state_of_files(const char *folder);
/* Of whoever writes to it; closing *fd gives it back. */
enum status folder_lock(const char *folder, int *fd);
bool folder_locked(const char *folder);
/* False: the run is from before there was the fact, and its rows have to say how many rounds are
 * done; finish by standing_conclude(). */
bool standing_read(const struct facts *facts, struct standing *out);
void standing_conclude(const char *folder, const struct facts *facts, struct standing *out);
/* The line that stands before all that is said of a run which is not whole; "": it is. */
const char *standing_line(const char *folder, const struct standing *standing);
void standing_print(const char *folder, const struct standing *standing, FILE *to);
