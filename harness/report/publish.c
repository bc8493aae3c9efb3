/*
 * A folder that is replaced as a whole. What was published has a list of its own names, so that a
 * file of somebody else's is known from one that is out of date.
 */
#include "report/publish.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "base/record.h"

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
    if (status == OK && mkdir(out->part, 0755) != 0)
        status = because(ERR_IO, "cannot make the folder %s: %s", out->part, strerror(errno));
    return status;
}

void publish_drop(const struct publication *p)
{
    remove_tree(p->part);
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
    if (status != OK)
        publish_drop(p);
    return status;
}
