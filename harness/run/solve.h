/*
 * The verb solve; it returns the exit status.
 */
#pragma once
#include "reprise.h"

struct solve_options {
    const char *what, *variant, *precision, *thread_order, *dump;
    const char *settings[MAX_PARAMETERS];
    const char *inputs[MAX_INPUTS];
    int setting_count, input_count;
    bool time;
    uint64_t seed;
};
int solve_one(const struct solve_options *options);
