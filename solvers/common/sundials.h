/*
 * For the tables of variants: the calls of one that needs ARKODE, of SUNDIALS, or why this build
 * lacks it.
 */
#pragma once

#ifdef HAVE_ARKODE
#define ARKODE_CALLS(object) .calls = &(object)
#else
#define ARKODE_CALLS(object) .unavailable = "this build has no ARKODE of SUNDIALS (option sundials)"
#endif
