/*
 * Libraries of the CUDA Toolkit that are looked for at run time, so that the program starts without
 * them.
 */
#pragma once
#include <dlfcn.h>
#include <string.h>

#include "reprise.h"

/* *library stays open: CUDA does not like to lose one. The names end by null. */
static inline enum status open_library(const char *what, const char *const *names, void **library)
{
    for (; *names != NULL && *library == NULL; names++)
        *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return *library != NULL
               ? OK
               : because(SKIPPED, "%s cannot be loaded (%s); add its folder to LD_LIBRARY_PATH",
                         what, dlerror());
}

/* *call, a pointer to a function, is the library's. False: it has none of that name. */
static inline bool find_call(void *library, void *call, const char *name)
{
    void *const found = dlsym(library, name);
    memcpy(call, &found, sizeof found);
    return found != NULL;
}
