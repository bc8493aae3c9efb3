/*
 * The kernels of gpu by themselves, as Table 1 has them: a family of its own, whose problem is a
 * kernel and whose variant launches it again and again.
 */
#pragma once
#include "curvature.h"

#ifdef __cplusplus
extern "C" {
#endif

enum kernel { COMBINE, REDUCTION, SIDE_MCF, SIDE_WILLMORE, FORCING_MCF, FORCING_WILLMORE, KERNELS };

/* A run is so many launches of one kernel, at this time of a step of this length. */
enum { REPEATS = 100 };
#define KERNEL_TIME 0.05
#define KERNEL_STEP 1e-3

struct lone_kernel {
    struct curvature flow; /* first: gpu.cu's data are made of it */
    enum kernel kernel;
};

/* A solution is the kernel's output, [nodes], or of REDUCTION its one number, and then the kernel's
 * occupancy. Its arrays are u and k_1 .. k_5, of which k_s stands for s times u; SIDE_WILLMORE has
 * k_1 for w. */
size_t lone_kernel_count(const struct lone_kernel *l);
/* u (s = 0) or k_s, [nodes]. */
void curvature_kernel_data_s(const struct lone_kernel *l, int s, float *out);
void curvature_kernel_data_d(const struct lone_kernel *l, int s, double *out);
/* The output by the plainest code, without the occupancy. */
enum status curvature_kernel_output_s(const struct lone_kernel *l, float *out);
enum status curvature_kernel_output_d(const struct lone_kernel *l, double *out);

extern const struct family curvature_kernels_family;
extern const struct calls curvature_gpu_kernel_s, curvature_gpu_kernel_d;

#ifdef __cplusplus
}
#endif
