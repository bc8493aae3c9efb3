/*
 * Ceilings: no paper, one exhibit; measured in every worker that measures anything else, so that
 * each time can be set beside the limit of the run.
 */
#include "reprise.h"

static const struct exhibit exhibits[] = {
    {"ceilings", "this machine", "What this machine gives at best", "ceilings", "time",
     .cases = {{"machine"}},
     .variants = {"copy", "write", "fma", "launch", "host-update", "host-fma"},
     .axis = {.smoke = "2^16", .quick = "2^22", .paper = "2^26"}},
    {.id = NULL},
};

const struct paper ceilings_paper = {"ceilings", "Ours: measured in every worker.", exhibits};
