/*
 * What a run's folder is. A run says so in run.csv; that it was killed, it could not write down.
 */
#include "run/standing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/intern.h"
#include "run/checksums.h"

static const char *const words[] = {[FOLDER_RUNNING] = "running",
                                    [FOLDER_INTERRUPTED] = "interrupted",
                                    [FOLDER_FINISHED] = "finished"};

void standing_note(struct facts *facts, enum folder_state state, int done, int asked)
{
    facts_add(facts, "state", "%s after %d of %d rounds", words[state], done, asked);
}

bool standing_read(const struct facts *facts, struct standing *out)
{
    const char *const fact = facts_get(facts, "state");
    const size_t length = strcspn(fact, " ");
    *out = (struct standing){.asked = (int)strtol(facts_get(facts, "rounds"), NULL, 10)};
    out->done = out->asked;
    out->state = fact_is(facts, "end", "") ? FOLDER_RUNNING : FOLDER_INTERRUPTED;
    for (int s = FOLDER_RUNNING; s <= FOLDER_FINISHED; s++)
        if (strlen(words[s]) == length && strncmp(fact, words[s], length) == 0) {
            out->state = (enum folder_state)s;
            return sscanf(fact + length, " after %d of %d", &out->done, &out->asked) == 2;
        }
    return false;
}

bool run_ended(const struct facts *facts)
{
    struct standing noted;
    (void)standing_read(facts, &noted);
    return noted.state != FOLDER_RUNNING;
}

/* A file that the disk left empty is none. */
static bool has_content(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && info.st_size > 0;
}

enum folder_state state_of_files(const char *folder)
{
    const char *const samples = internf("%s/samples.csv", folder);
    const bool measured = has_content(internf("%s/measured.csv", folder));
    return strcmp(samples_path(folder), samples) != 0 ? FOLDER_KEPT
           : has_content(samples)                     ? FOLDER_INTERRUPTED
           : measured ? FOLDER_KEPT /* somebody took its samples away */
                      : FOLDER_EMPTY;
}

/* A verb that looks whether somebody has the lock has it for a moment. */
enum status folder_lock(const char *folder, int *fd)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    *fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0)
        return because(ERR_IO, "cannot open the folder %s: %s; mend that, or choose another --out",
                       folder, strerror(errno));
    int error = EWOULDBLOCK;
    for (int tries = 0; error == EWOULDBLOCK && tries < 50; tries++) {
        if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
            return OK;
        error = errno == EINTR ? EWOULDBLOCK : errno;
        nanosleep(&moment, NULL);
    }
    close(*fd);
    *fd = -1;
    return error == EWOULDBLOCK
               ? because(ERR_IO, "another run is writing to %s; wait for it, or choose --out",
                         folder)
               : because(ERR_IO,
                         "cannot lock the folder %s: %s; choose another --out, on a disk "
                         "that has locks",
                         folder, strerror(error));
}

bool folder_locked(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    return locked;
}

void standing_conclude(const char *folder, const struct facts *facts, struct standing *out)
{
    const bool whole =
        run_ended(facts) && (out->state == FOLDER_FINISHED || out->done >= out->asked);
    const char *const of = internf("after %d of %d rounds", out->done, out->asked);
    out->state = folder_locked(folder)                   ? FOLDER_RUNNING
                 : state_of_files(folder) == FOLDER_KEPT ? FOLDER_KEPT
                 : whole                                 ? FOLDER_FINISHED
                                                         : FOLDER_INTERRUPTED;
    out->said = out->state == FOLDER_RUNNING ? internf("still running, %s", of)
                : whole                      ? NULL
                                             : internf("interrupted %s", of);
}

const char *standing_line(const char *folder, const struct standing *standing)
{
    return standing->said == NULL
               ? ""
               : internf("%s: %s%s", folder, standing->said,
                         standing->state == FOLDER_INTERRUPTED ? "; `run --resume` goes on" : "");
}

void standing_print(const char *folder, const struct standing *standing, FILE *to)
{
    if (standing->said != NULL)
        fprintf(to, "%s\n", standing_line(folder, standing));
}
