/*
 * What a kernel file includes instead of writing <<<>>> and __shared__, so that the same source
 * runs on a GPU and on the emulated device (emulated/cuda_runtime.h, found first on its include
 * path):
 *
 *   LAUNCH(kernel, grid, block, dynamic_shared_bytes)(arguments);      any kernel
 *   LAUNCH_NB(kernel, grid, block)(arguments);   a kernel with no barrier and no warp operation
 *   LAUNCH_COOP(kernel, grid, block, dynamic_shared_bytes)(arguments); may call grid_sync()
 *   LAUNCH_TOGETHER(kernel, grid, block, dynamic_shared_bytes)(arguments);   no more blocks than
 *                   BLOCKS_TOGETHER, which may wait for each other's messages (async.h)
 *   LAUNCH_EARLY, LAUNCH_NB_EARLY   as those: blocks may start while the last ones of the kernel
 *                   before still run, and begin with await_previous()
 *   SHARED(type, name, [2][256]);   DYNAMIC_SHARED(type, name);
 *   CALLED          before a function of a kernel that is not to be inlined
 *   UNROLLED (int k = 0; k < K; k++)   a for whose arrays are to be registers: k is a constant
 *   ROLLED (int k = 0; k < count; k++) a for that stays a loop
 *
 *   ALLOW_SHARED(kernel, dynamic_shared_bytes)   before more than 48 KiB are asked for
 *   BLOCKS_AT_ONCE(kernel, threads, dynamic_shared_bytes)   of a block; 0: none fits this device
 *   BLOCKS_TOGETHER(kernel, threads, dynamic_shared_bytes)  what the launches of blocks that
 *                                              wait for each other may have; 0: nothing
 *   MULTIPROCESSORS   that the device has; emulated: as many as blocks at once
 *   OCCUPANCY(kernel, threads, dynamic_shared_bytes)   threads that a multiprocessor holds over
 *                                                      those that it has room for; emulated: NaN
 *   CODE_OF(kernel)   the error of looking for its code for this device; 0: it is there
 *
 * After each launch: device_launched("kernel"). All launches go to one stream, the default one
 * unless they are recorded (device_record).
 */
#pragma once
#include <cuda_runtime.h>

#ifndef REPRISE_EMULATED
#include <cooperative_groups.h>

#define UNROLLED(...) _Pragma("unroll") for (__VA_ARGS__)
#define ROLLED(...)   _Pragma("unroll 1") for (__VA_ARGS__)
#define CALLED        __noinline__

extern "C" cudaStream_t launch_stream;
#define LAUNCH(kernel, grid, block, shared) kernel<<<(grid), (block), (shared), launch_stream>>>
#define LAUNCH_NB(kernel, grid, block)      kernel<<<(grid), (block), 0, launch_stream>>>
/* They are all on the device at once, since so many fit and the kernels before have ended; being
 * launched as cooperative would cost some microseconds more. */
#define LAUNCH_TOGETHER LAUNCH

static inline cudaError_t find_code(const void *kernel, cudaFuncAttributes *of)
{
    const cudaError_t error = cudaFuncGetAttributes(of, kernel);
    (void)cudaGetLastError(); /* forgets it: the next launch is not to blame */
    return error;
}

static inline int code_of(const void *kernel)
{
    cudaFuncAttributes of;
    return find_code(kernel, &of);
}
#define CODE_OF(kernel) code_of((const void *)(kernel))

/* Whether the program's code for this device can wait for the kernel before (programmatic dependent
 * launch): code for capability 9.0 and later can. */
static inline bool knows_await(const void *kernel)
{
    cudaFuncAttributes of;
    return find_code(kernel, &of) == cudaSuccess && of.ptxVersion >= 90;
}

template <class... Parameters> struct launch_with {
    void (*kernel)(Parameters...);
    cudaLaunchAttributeID how;
    dim3 grid, block;
    size_t shared;
    void operator()(Parameters... arguments) const
    {
        static const bool awaits = knows_await((const void *)kernel); /* the same for all kernels */
        const bool together = how == cudaLaunchAttributeCooperative;
        cudaLaunchAttribute attribute = {};
        attribute.id = how;
        if (together)
            attribute.val.cooperative = 1;
        else
            attribute.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = grid;
        config.blockDim = block;
        config.dynamicSmemBytes = shared;
        config.stream = launch_stream;
        config.attrs = &attribute;
        config.numAttrs = together || awaits ? 1 : 0;
        /* A refusal stays in cudaGetLastError, where device_launched() looks. */
        (void)cudaLaunchKernelEx(&config, kernel, arguments...);
    }
};
template <class... Parameters>
launch_with<Parameters...> with(cudaLaunchAttributeID how, void (*kernel)(Parameters...), dim3 grid,
                                dim3 block, size_t shared)
{
    return {kernel, how, grid, block, shared};
}
#define LAUNCH_COOP(kernel, grid, block, shared)                                                   \
    with(cudaLaunchAttributeCooperative, kernel, (grid), (block), (shared))
#define LAUNCH_EARLY(kernel, grid, block, shared)                                                  \
    with(cudaLaunchAttributeProgrammaticStreamSerialization, kernel, (grid), (block), (shared))
#define LAUNCH_NB_EARLY(kernel, grid, block) LAUNCH_EARLY(kernel, grid, block, 0)

static inline int device_attribute(cudaDeviceAttr attribute)
{
    int device = 0, value = 0;
    return cudaGetDevice(&device) == cudaSuccess &&
                   cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess
               ? value
               : 0;
}

/* Where a device has less, none of the kernel's blocks fits; and the next launch is not to blame.
 */
#define ALLOW_SHARED(kernel, shared)                                                               \
    ((void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,               \
                                (int)(shared)),                                                    \
     (void)cudaGetLastError())

/* Blocks that one multiprocessor holds; 0 where the device does not say. */
template <class... Parameters>
int blocks_of_one(void (*kernel)(Parameters...), int threads, size_t shared)
{
    int blocks = 0;
    const bool known = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                                     shared) == cudaSuccess;
    (void)cudaGetLastError();
    return known ? blocks : 0;
}
#define MULTIPROCESSORS ((unsigned)device_attribute(cudaDevAttrMultiProcessorCount))
#define BLOCKS_AT_ONCE(kernel, threads, shared)                                                    \
    (MULTIPROCESSORS * (unsigned)blocks_of_one(kernel, (threads), (shared)))
#define BLOCKS_TOGETHER(kernel, threads, shared)                                                   \
    (device_attribute(cudaDevAttrCooperativeLaunch) ? BLOCKS_AT_ONCE(kernel, threads, shared) : 0u)
#define OCCUPANCY(kernel, threads, shared)                                                         \
    ((double)(blocks_of_one(kernel, (threads), (shared)) * (threads)) /                            \
     device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor))

#define SHARED(type, name, shape) __shared__ type name shape
#define DYNAMIC_SHARED(type, name)                                                                 \
    extern __shared__ __align__(128) unsigned char reprise_shared_bytes[];                         \
    type *const name = (type *)reprise_shared_bytes

static __device__ inline void grid_sync(void)
{
    cooperative_groups::this_grid().sync();
}

/* Lets the blocks of the next kernel start where there is room, and waits for the end of all
 * kernels before. Every thread calls it ahead of its first return and its first look at device
 * memory. */
static __device__ __forceinline__ void await_previous(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
#endif
