/*
 * GPU-limit-fma: GPU-limit with multiply-adds, and sums of neighbours that serve two points.
 */
#define FUSED 1
#include "gpu_limit.h"

using namespace OURS;

extern const struct calls P(parabolic_gpu_limit_fma);
const struct calls P(parabolic_gpu_limit_fma) = {plan, load, run, gpu_fetch, give_back};
