/*
 * What stands for BLAS, LAPACK, SUNDIALS, MPI and CUDA in the program that the user starts, which
 * computes nothing and loads none of them: whatever is called there says so and stops. absent.sh
 * finds the names, and in a build without these libraries there are none.
 */
#include <stdlib.h>
#include <unistd.h>

const char no_libraries[] = "no libraries"; /* by which the program knows that it is this one */

__attribute__((unused)) static void absent(void)
{
    static const char sentence[] = "reprise: computed where there are no libraries to compute with;"
                                   " this is a mistake in the program\n";
    (void)!write(STDERR_FILENO, sentence, sizeof sentence - 1);
    abort();
}

/* Kernels sign on with CUDA before main() begins, and off after it. */
__attribute__((unused)) static void *idle(void)
{
    return NULL;
}

#define ABSENT(name) void name(void) __attribute__((alias("absent")));
#define IDLE(name)   void *name(void) __attribute__((alias("idle")));
#include "absent_names.h"
