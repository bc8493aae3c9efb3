/*
 * What the fuzz targets share. Each is one file with one function, which is given bytes and stops
 * the program where a promise is not kept: libFuzzer calls it, or driver.c.
 */
#pragma once
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Also in a build without assertions. */
#define PROMISE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* The path of a regular file in memory that holds these bytes until the next call. */
static inline const char *file_of(const void *data, size_t size)
{
    static char path[32];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    PROMISE(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    return path;
}

/* The bytes as a string, which ends at the first zero; to be freed. */
static inline char *string_of(const uint8_t *data, size_t size)
{
    char *const text = strndup((const char *)data, size);
    PROMISE(text != NULL);
    return text;
}
