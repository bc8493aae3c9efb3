/*
 * Ceilings: no paper, one exhibit; measured in every worker that measures anything else, so that
 * each time can be set beside the limit of the run. And one of what cards tell each other, in
 * workers of several.
 */
#include "reprise.h"

#define ON(ranks_)                                                                                 \
    {                                                                                              \
        .id = "ranks=" ranks_, .problem = "machine", .fixed = { {"ranks", ranks_} }                \
    }

static const struct exhibit exhibits[] = {
    {"ceilings", "this machine", "What this machine gives at best", "ceilings", "time",
     .cases = {{"machine"}},
     .variants = {"copy", "write", "fma", "launch", "host-update", "host-fma"},
     .axis = {.smoke = "2^16", .quick = "2^22", .paper = "2^26"}},
    {"ceilings-links", "this machine", "What its cards tell each other at best", "ceilings", "time",
     .cases = {ON("2"), ON("4"), ON("8")}, .variants = {"@ranks"},
     .axis = {.smoke = "2^16", .quick = "2^20", .paper = "2^22"}},
    {.id = NULL},
};

const struct paper ceilings_paper = {"ceilings", "Ours: measured in every worker.", exhibits};
