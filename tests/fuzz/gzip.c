/*
 * Compressed files: any bytes are read or refused; and the bytes themselves, compressed, cut or
 * with a byte changed, are read as they were or refused, never as fewer.
 */
#include "fuzz.h"

#include <zlib.h>

#include "base/record.h"

static bool is_gzip(const uint8_t *data, size_t size)
{
    return size > 1 && data[0] == 0x1f && data[1] == 0x8b;
}

/* Read as `expected`, if it is read at all. */
static bool read_as(const uint8_t *file, size_t size, const uint8_t *expected, size_t length)
{
    struct text text = {0};
    const bool good = text_load(file_of(file, size), &text) == OK;
    if (good)
        PROMISE(text.length == length && (length == 0 || memcmp(text.data, expected, length) == 0));
    text_free(&text);
    return good;
}

static uint8_t *packed(const uint8_t *data, size_t size, size_t *length)
{
    z_stream stream = {.next_in = (Bytef *)data, .avail_in = (uInt)size};
    PROMISE(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    const size_t room = deflateBound(&stream, size);
    uint8_t *const out = malloc(room);
    PROMISE(out != NULL);
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    PROMISE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    *length = room - stream.avail_out;
    deflateEnd(&stream);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = {0};
    if (!is_gzip(data, size))
        PROMISE(read_as(data, size, data, size));
    else
        (void)text_load(file_of(data, size), &text);
    text_free(&text);
    if (size < 3) /* two bytes choose a place, one what is done there */
        return 0;
    size_t length;
    uint8_t *const file = packed(data + 3, size - 3, &length);
    const size_t place = (data[0] + 256 * (size_t)data[1]) % length;
    PROMISE(read_as(file, length, data + 3, size - 3));
    if (data[2] == 0) {
        PROMISE(!is_gzip(file, place) || !read_as(file, place, data + 3, size - 3));
    } else {
        file[place] ^= data[2];
        if (is_gzip(file, length))
            (void)read_as(file, length, data + 3, size - 3);
    }
    free(file);
    return 0;
}
