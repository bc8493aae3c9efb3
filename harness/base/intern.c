/*
 * Interned texts: a table with open addressing, which doubles when it is two thirds full.
 */
#include "base/intern.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char **texts; /* [capacity], null where free */
    size_t count, capacity;
} all;

/* Without memory for a name nothing can go on. */
static void *or_abort(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "reprise: out of memory for a line of text\n");
        abort();
    }
    return memory;
}

static char **place_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    size_t i = hash & (all.capacity - 1);
    while (all.texts[i] != NULL && strcmp(all.texts[i], text) != 0)
        i = (i + 1) & (all.capacity - 1);
    return &all.texts[i];
}

static void grow(void)
{
    char **const before = all.texts;
    const size_t count = all.capacity;
    all.capacity = count == 0 ? 4096 : 2 * count;
    all.texts = or_abort(calloc(all.capacity, sizeof *all.texts));
    for (size_t i = 0; i < count; i++)
        if (before[i] != NULL)
            *place_of(before[i]) = before[i];
    free(before);
}

const char *intern(const char *text)
{
    if (3 * all.count >= 2 * all.capacity)
        grow();
    char **const place = place_of(text);
    if (*place == NULL) {
        *place = or_abort(strdup(text));
        all.count++;
    }
    return *place;
}

const char *internf(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    const int length = vasprintf(&text, format, list);
    va_end(list);
    const char *const out = intern(or_abort(length < 0 ? NULL : text));
    free(text);
    return out;
}
