/*
 * GPU-limit: as fast as the bits of the reference allow (gpu_limit.h).
 */
#include "gpu_limit.h"

using namespace OURS;

extern const struct calls P(parabolic_gpu_limit);
const struct calls P(parabolic_gpu_limit) = {plan, load, run, gpu_fetch, give_back};
