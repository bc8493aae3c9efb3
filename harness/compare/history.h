/*
 * The verbs history and generations; they return the exit status.
 */
#pragma once
#include "run/plan.h"

struct history_options {
    const char *folders[64];
    int folder_count;
    struct selection selection;
    const char *format; /* text, markdown, csv, json */
    double noise;       /* as compare_options.noise */
};
int history_of(const struct history_options *options);
int generations_of(const struct history_options *options); /* the machines of the papers beside */
