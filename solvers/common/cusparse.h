/*
 * cuSPARSE's solver for any tridiagonal matrix, without pivoting, in the file's precision. What is
 * declared here is from its API reference.
 */
#pragma once
#include "library.h"
#include "memory.h"

#include "machine/precision.h"

#if REAL_IS_DOUBLE
#define CUSPARSE(name) "cusparseD" name
#else
#define CUSPARSE(name) "cusparseS" name
#endif

static struct {
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    const char *(*words)(int status);
    int (*size)(void *handle, int m, int n, const real *dl, const real *d, const real *du,
                const real *b, int ldb, size_t *bytes);
    int (*solve)(void *handle, int m, int n, const real *dl, const real *d, const real *du, real *b,
                 int ldb, void *buffer);
} cusparse;

static inline enum status open_cusparse(void)
{
    static const char *const names[] = {"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so",
                                        NULL};
    static void *library;
    const enum status status = open_library("cuSPARSE", names, &library);
    if (status != OK)
        return status;
    const bool found =
        find_call(library, &cusparse.create, "cusparseCreate") &&
        find_call(library, &cusparse.destroy, "cusparseDestroy") &&
        find_call(library, &cusparse.words, "cusparseGetErrorString") &&
        find_call(library, &cusparse.size, CUSPARSE("gtsv2_nopivot_bufferSizeExt")) &&
        find_call(library, &cusparse.solve, CUSPARSE("gtsv2_nopivot"));
    return found ? OK : because(SKIPPED, "this cuSPARSE has no " CUSPARSE("gtsv2_nopivot"));
}

static inline enum status of_cusparse(int error)
{
    return error == 0 ? OK : because(ERR_DEVICE, "cuSPARSE failed: %s", cusparse.words(error));
}

static inline void release_cusparse(void *handle)
{
    (void)cusparse.destroy(handle);
}

/* The owner's, whose status says whether it is there. */
static inline void take_cusparse(struct memory *owner, void **handle)
{
    if (owner->status == OK)
        owner->status = of_cusparse(cusparse.create(handle));
    if (owner->status == OK)
        (void)own(owner, *handle, release_cusparse);
}
