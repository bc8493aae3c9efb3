/*
 * For the tables of variants: the calls of one that is made of a library of the CUDA Toolkit, or
 * why this build lacks it.
 */
#pragma once

#ifdef REPRISE_DEVICE_CUDA
#define TOOLKIT_CALLS(object) .calls = &(object)
#else
#define TOOLKIT_CALLS(object)                                                                      \
    .unavailable = "the libraries of the CUDA Toolkit run on a GPU alone, and this build is for "  \
                   "none (option device)"
#endif
