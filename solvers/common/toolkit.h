/*
 * For the tables of variants: the calls of one that is made of a library of the CUDA Toolkit, or
 * why this build lacks it.
 */
#pragma once

#ifdef REPRISE_DEVICE_CUDA
#define TOOLKIT_CALLS(object) .calls = &(object)
#else
#define TOOLKIT_CALLS(object)                                                                      \
    .unavailable = "this build has no library of the CUDA Toolkit (option device)"
#endif
