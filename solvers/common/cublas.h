/*
 * cuBLAS's product of matrices in the file's precision. What is declared here is from its API
 * reference.
 */
#pragma once
#include "library.h"
#include "memory.h"

#include "machine/precision.h"

#if REAL_IS_DOUBLE
#define CUBLAS_GEMM "cublasDgemm_v2"
#else
#define CUBLAS_GEMM "cublasSgemm_v2"
#endif

enum { CUBLAS_AS_IT_LIES, CUBLAS_TRANSPOSED };

/* Matrices are column after column. Unless told otherwise cuBLAS sums single in single. */
static struct {
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    const char *(*words)(int status);
    int (*gemm)(void *handle, int op_a, int op_b, int m, int n, int k, const real *alpha,
                const real *a, int lda, const real *b, int ldb, const real *beta, real *c, int ldc);
} cublas;

static inline enum status open_cublas(void)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                        "libcublas.so", NULL};
    static void *library;
    const enum status status = open_library("cuBLAS", names, &library);
    if (status != OK)
        return status;
    const bool found = find_call(library, &cublas.create, "cublasCreate_v2") &&
                       find_call(library, &cublas.destroy, "cublasDestroy_v2") &&
                       find_call(library, &cublas.words, "cublasGetStatusString") &&
                       find_call(library, &cublas.gemm, CUBLAS_GEMM);
    return found ? OK : because(SKIPPED, "this cuBLAS has no " CUBLAS_GEMM);
}

static inline enum status of_cublas(int error)
{
    return error == 0 ? OK : because(ERR_DEVICE, "cuBLAS failed: %s", cublas.words(error));
}

static inline void release_cublas(void *handle)
{
    (void)cublas.destroy(handle);
}

/* The owner's, whose status says whether it is there. */
static inline void take_cublas(struct memory *owner, void **handle)
{
    if (owner->status == OK)
        owner->status = of_cublas(cublas.create(handle));
    if (owner->status == OK)
        (void)own(owner, *handle, release_cublas);
}
