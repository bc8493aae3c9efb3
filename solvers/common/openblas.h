/*
 * For the tables of variants: the calls of one that needs OpenBLAS, or why this build lacks it.
 */
#pragma once

#ifdef HAVE_OPENBLAS
#define OPENBLAS_CALLS(object) .calls = &(object)
#else
#define OPENBLAS_CALLS(object) .unavailable = "this build has no OpenBLAS (option peers)"
#endif
