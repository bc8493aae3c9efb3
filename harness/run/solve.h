/*
 * The verb solve; it returns the exit status.
 */
#pragma once
#include "reprise.h"

struct solve_options {
    const char *what, *variant, *precision, *thread_order, *dump, *plot, *launcher;
    const char *settings[MAX_PARAMETERS];
    const char *inputs[MAX_INPUTS];
    int setting_count, input_count;
    bool time, energy, profile;
    uint64_t seed;
};
/* How many ranks it takes. */
enum status solve_ranks(const struct solve_options *options, int *ranks);
/* On each of them. */
int solve_one(const struct solve_options *options);
