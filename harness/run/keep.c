/*
 * A finished run becomes one to keep and to send around: its samples compressed, its checksums,
 * which are of what was compressed, beside them.
 */
#include "run/keep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/core.h"
#include "base/intern.h"
#include "run/checksums.h"
#include "run/folder.h"

/* As gzip does it, without a name and a date: the same bytes each time. */
static enum status pack(const struct text *text, struct text *out)
{
    z_stream stream = {.next_in = (Bytef *)text->data, .avail_in = (uInt)text->length};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return because(ERR_MEMORY, "there is no memory to compress %zu bytes", text->length);
    out->capacity = deflateBound(&stream, text->length);
    out->data = malloc(out->capacity);
    stream.next_out = (Bytef *)out->data;
    stream.avail_out = out->data != NULL ? (uInt)out->capacity : 0;
    const bool packed = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    out->length = stream.total_out;
    deflateEnd(&stream);
    return packed ? OK
                  : because(ERR_MEMORY, "there is no memory to compress %zu bytes", text->length);
}

static enum status pack_samples(const char *folder)
{
    const char *const path = internf("%s/samples.csv", folder);
    struct text text = {0}, packed = {0};
    enum status status = text_load(path, &text);
    if (status == OK)
        status = pack(&text, &packed);
    if (status == OK)
        status = write_file(internf("%s.gz", path), packed.data, packed.length);
    if (status == OK && unlink(path) != 0)
        status = because(ERR_IO, "cannot remove %s: %s", path, strerror(errno));
    text_free(&text);
    text_free(&packed);
    return status;
}

/* It is locked, so that no run goes on with it meanwhile. */
static enum status keep_locked(const char *name, const struct folder *folder)
{
    enum status status = OK;
    if (!checksums_there(name)) {
        status = folder->derived ? measured_write(name, &folder->facts) : OK;
        if (status == OK)
            status = checksums_write(name);
    }
    if (status == OK && folder->standing.state == FOLDER_FINISHED)
        status = pack_samples(name);
    return status;
}

int keep_folder(const char *name)
{
    struct folder folder;
    int lock;
    enum status status = folder_load(name, &folder);
    if (status != OK)
        return failed(status);
    if (folder.standing.said != NULL)
        status = because(ERR_ARGS, "%s is %s; finish it with `run --resume`, or leave it as it is",
                         name, folder.standing.said);
    if (status == OK)
        status = folder_lock(name, &lock);
    if (status == OK) {
        status = keep_locked(name, &folder);
        close(lock);
    }
    folder_free(&folder);
    return status == OK ? 0 : failed(status);
}
