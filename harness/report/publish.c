/*
 * A folder that is replaced as a whole. What was published has a list of its own names, so that a
 * file of somebody else's is known from one that is out of date.
 */
#include "report/publish.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "base/record.h"
#include "run/standing.h"

static const char list_name[] = ".reprise-site";

/* Calls back for every name in a folder until one is refused. */
static enum status each_name(const char *folder,
                             enum status (*visit)(const char *name, void *context), void *context)
{
    DIR *const files = opendir(folder);
    struct dirent *file;
    enum status status = OK;
    if (files == NULL)
        return because(ERR_IO, "cannot read the folder %s: %s", folder, strerror(errno));
    while (status == OK && (file = readdir(files)) != NULL)
        if (strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0)
            status = visit(file->d_name, context);
    closedir(files);
    return status;
}

static enum status count_name(const char *name, void *context)
{
    (void)name;
    ++*(int *)context;
    return OK;
}

/* One that has its list is whole, and may hold what its owner put into the folder: it stays. */
static void remove_part(const char *part)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    struct stat info;
    if (lstat(internf("%s/%s", part, list_name), &info) == 0)
        return;
    /* What was drawing into it may still be ending. */
    for (int tries = 0; tries < 50 && lstat(part, &info) == 0; tries++) {
        if (tries > 0)
            nanosleep(&moment, NULL);
        remove_tree(part);
    }
}

static const char *folder_above(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash == NULL ? "." : slash == path ? "/" : internf("%.*s", (int)(slash - path), path);
}

/* The part of a process that is gone, and of which the guard is, too. */
static enum status remove_stale(const char *name, void *context)
{
    const char *const folder = context, *const slash = strrchr(folder, '/');
    const char *const begin = internf("%s.part-", slash != NULL ? slash + 1 : folder);
    const size_t length = strlen(begin);
    if (strncmp(name, begin, length) != 0 || name[length] == '\0' ||
        name[length + strspn(name + length, "0123456789")] != '\0')
        return OK;
    const char *const part = internf("%s/%s", folder_above(folder), name);
    if (!folder_locked(part))
        remove_part(part);
    return OK;
}

/* A process that no signal to ours ends waits until ours has ended. */
static enum status set_guard(struct publication *p)
{
    int ends[2];
    char nothing;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return because(ERR_IO, "cannot make a pipe: %s", strerror(errno));
    p->alive = ends[1];
    p->guard = fork();
    if (p->guard == 0) {
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        close(ends[1]);
        while (read(ends[0], &nothing, 1) < 0 && errno == EINTR) {
        }
        remove_part(p->part);
        _exit(0);
    }
    close(ends[0]);
    return p->guard > 0 ? OK : because(ERR_IO, "cannot start a process: %s", strerror(errno));
}

static enum status make_part(struct publication *p)
{
    (void)each_name(folder_above(p->folder), remove_stale, (void *)(uintptr_t)p->folder);
    if (mkdir(p->part, 0755) != 0)
        return because(ERR_IO, "cannot make the folder %s: %s", p->part, strerror(errno));
    enum status status = set_guard(p);
    if (status == OK)
        status = folder_lock(p->part, &p->lock);
    if (status != OK)
        publish_drop(p);
    return status;
}

enum status publish_begin(const char *folder, struct publication *out)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    struct stat info;
    int names = 0;
    enum status status = OK;
    out->folder = internf("%.*s", (int)length, folder);
    out->part = internf("%s.part-%ld", out->folder, (long)getpid());
    out->lock = out->alive = -1;
    out->guard = 0;
    if (lstat(out->folder, &info) == 0) {
        if (!S_ISDIR(info.st_mode))
            return because(ERR_ARGS, "%s is no folder; name another one by --out", out->folder);
        status = each_name(out->folder, count_name, &names);
        if (status == OK && names > 0 &&
            access(internf("%s/%s", out->folder, list_name), F_OK) != 0)
            status = because(ERR_ARGS,
                             "%s is not empty, and no site that was written here; name another "
                             "folder by --out",
                             out->folder);
    }
    return status == OK ? make_part(out) : status;
}

/* It finds the part, or nothing where that took the folder's place. */
static void dismiss_guard(const struct publication *p)
{
    close(p->alive);
    if (p->guard > 0)
        (void)waitpid(p->guard, NULL, 0);
    close(p->lock);
}

void publish_drop(const struct publication *p)
{
    (void)unlink(internf("%s/%s", p->part, list_name));
    dismiss_guard(p);
    remove_part(p->part);
}

static enum status list_one(const char *name, void *context)
{
    text_add(context, "%s\n", name);
    return OK;
}

struct others { /* names in the folder that were not published */
    const struct publication *publication;
    const char *known; /* "\nNAME\nNAME\n" */
    struct names names;
};

static enum status note_other(const char *name, void *context)
{
    struct others *const o = context;
    struct stat info;
    if (strcmp(name, list_name) == 0 || strstr(o->known, internf("\n%s\n", name)) != NULL)
        return OK;
    if (lstat(internf("%s/%s", o->publication->part, name), &info) == 0)
        return because(ERR_IO,
                       "%s/%s is not of the site that was here, and of the new one; move "
                       "it away",
                       o->publication->folder, name);
    names_add(&o->names, intern(name));
    return OK;
}

static void move_back(const struct publication *p, const struct names *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        (void)rename(internf("%s/%s", p->part, names->list[i]),
                     internf("%s/%s", p->folder, names->list[i]));
}

/* Into the new folder, with what is not ours; on failure all is where it was. */
static enum status move_others(const struct publication *p, const struct names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *const name = names->list[i];
        if (rename(internf("%s/%s", p->folder, name), internf("%s/%s", p->part, name)) == 0)
            continue;
        const enum status status =
            because(ERR_IO, "cannot move %s/%s: %s", p->folder, name, strerror(errno));
        move_back(p, names, i);
        return status;
    }
    return OK;
}

static enum status replace(const struct publication *p, const struct names *others)
{
    const char *const old = internf("%s.old-%ld", p->folder, (long)getpid());
    enum status status = move_others(p, others);
    if (status != OK)
        return status;
    if (rename(p->folder, old) != 0) {
        status = because(ERR_IO, "cannot replace %s: %s", p->folder, strerror(errno));
        move_back(p, others, others->count);
    } else if (rename(p->part, p->folder) != 0) {
        status = because(ERR_IO, "cannot replace %s: %s", p->folder, strerror(errno));
        (void)rename(old, p->folder);
        move_back(p, others, others->count);
    } else {
        remove_tree(old);
    }
    return status;
}

enum status publish_end(const struct publication *p)
{
    struct text list = {0}, known = {0};
    struct stat info;
    struct others others = {.publication = p};
    enum status status = each_name(p->part, list_one, &list);
    if (status == OK)
        status = write_file(internf("%s/%s", p->part, list_name), list.data, list.length);
    if (status == OK && lstat(p->folder, &info) != 0) {
        if (rename(p->part, p->folder) != 0)
            status = because(ERR_IO, "cannot make the folder %s: %s", p->folder, strerror(errno));
    } else if (status == OK) {
        const char *const path = internf("%s/%s", p->folder, list_name);
        text_add(&known, "\n");
        if (access(path, F_OK) == 0)
            status = text_load(path, &known);
        others.known = known.data;
        if (status == OK)
            status = each_name(p->folder, note_other, &others);
        if (status == OK)
            status = replace(p, &others.names);
    }
    free(others.names.list);
    text_free(&list);
    text_free(&known);
    if (status == OK)
        dismiss_guard(p);
    else
        publish_drop(p);
    return status;
}
