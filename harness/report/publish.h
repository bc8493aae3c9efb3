/*
 * A folder that is replaced as a whole: what is new is made beside it, and takes its place when all
 * of it is there.
 */
#pragma once
#include <sys/types.h>

#include "reprise.h"

struct publication {
    const char *folder; /* that is replaced */
    const char *part;   /* where it is made; in the same folder as that */
    int lock;           /* of the part, by which others know that somebody makes it */
    int alive;          /* closed when this process ends, however it does */
    pid_t guard;        /* who then removes the part */
};
/* Removes what processes left that are gone. Refuses a folder that is not empty and was not
 * published before. */
enum status publish_begin(const char *folder, struct publication *out);
/* What somebody else put into the folder since stays there. */
enum status publish_end(const struct publication *p);
void publish_drop(const struct publication *p); /* the folder stays as it was */
