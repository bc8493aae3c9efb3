/*
 * A real GPU, through CUDA's runtime API; plain C, nvcc is not needed for this file.
 */
#include "machine/device.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#if __has_include(<nvtx3/nvToolsExt.h>) && __has_include(<cuda_profiler_api.h>)
/* Headers alone, of packages of their own; what they call is there only under a profiler. */
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>
#define HAVE_PROFILER
#endif

#include "build_facts.h"
#include "machine/nvml.h"
#include "machine/ranks.h"
#include "machine/threads.h"

static enum status failure(cudaError_t error, const char *call)
{
    return error == cudaSuccess
               ? OK
               : because(error == cudaErrorMemoryAllocation ? ERR_MEMORY : ERR_DEVICE, "%s: %s",
                         call, cudaGetErrorString(error));
}

#define CUDA_TRY(call)                                                                             \
    do {                                                                                           \
        const enum status status_ = failure((call), #call);                                        \
        if (status_ != OK)                                                                         \
            return status_;                                                                        \
    } while (0)

static cudaEvent_t marks[MAX_LAPS];

const char *device_kind(void)
{
    return "cuda";
}

bool device_has_time(void)
{
    return true;
}

/* Of several ranks on this machine each sees all cards, or its own alone, as a batch system has it;
 * that two have the same one, ranks_connect() finds. */
static int own_card(void)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count == 1 ? 0 : ranks_local();
}

static int attribute(enum cudaDeviceAttr which)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, own_card()) == cudaSuccess ? value : 0;
}

/* A program for other devices would fail at its first kernel. */
static enum status has_code(void)
{
    const cudaError_t error = (cudaError_t)device_code();
    const int major = attribute(cudaDevAttrComputeCapabilityMajor);
    const int minor = attribute(cudaDevAttrComputeCapabilityMinor);
    return error == cudaSuccess
               ? OK
               : because(SKIPPED,
                         "this build has kernels for architecture " REPRISE_GPU_ARCHS
                         " and the GPU here is %d%d (%s); `meson configure build -Dgpu_arch=%d%d`, "
                         "and build again",
                         major, minor, cudaGetErrorString(error), major, minor);
}

static enum status open_once(void)
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
        return because(SKIPPED,
                       "no GPU that CUDA can use (%s); a build with -Ddevice=emulated checks the "
                       "same kernels without one",
                       error != cudaSuccess ? cudaGetErrorString(error) : "none is visible");
    if (own_card() >= count)
        return because(SKIPPED, "%d cards are needed, and %d can be used here", ranks_local() + 1,
                       count);
    CUDA_TRY(cudaSetDevice(own_card()));
    CUDA_TRY(cudaFree(NULL)); /* makes the context now, outside of every time */
    for (int i = 0; i < MAX_LAPS; i++)
        CUDA_TRY(cudaEventCreate(&marks[i]));
    return has_code();
}

bool device_look(struct device_state *state)
{
    return nvml_look(state);
}

enum status device_lock_clocks(int cards, char mhz[CLOCK_WORDS])
{
    int count = 0;
    enum status status = OK;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
        return because(ERR_ARGS, "there is no card whose clocks could be locked; leave out "
                                 "--lock-clocks");
    if (count < cards)
        return because(ERR_ARGS,
                       "the clocks of %d cards are to be locked, and there are %d; leave "
                       "out --lock-clocks",
                       cards, count);
    for (int i = 0; i < cards && status == OK; i++) {
        char bus[32] = "";
        status = cudaDeviceGetPCIBusId(bus, sizeof bus, i) == cudaSuccess
                     ? nvml_lock(bus, mhz)
                     : because(ERR_ARGS,
                               "CUDA does not say where card %d is, whose clocks were to "
                               "be locked; leave out --lock-clocks",
                               i);
    }
    return status;
}

enum status device_unlock_clocks(void)
{
    return nvml_unlock();
}

/* As it was when this process came. */
static const struct device_facts *facts_of_nvml(void)
{
    static struct device_facts facts;
    static bool tried;
    char bus[32];
    if (!tried && cudaDeviceGetPCIBusId(bus, sizeof bus, own_card()) == cudaSuccess &&
        nvml_open(bus) && ranks_count() > 1) /* of several ranks each is near its card */
        nvml_bind();
    if (!tried)
        nvml_describe(&facts);
    tried = true;
    return &facts;
}

/* A card that is cut into parts (MIG) counts what all of them draw. */
double device_energy(void)
{
    return facts_of_nvml()->mig == 1 ? (double)NAN : nvml_energy();
}

enum status device_open(struct device_facts *facts)
{
    static enum status first = ERR_DEVICE;
    static char sentence[512];
    static bool tried;
    if (!tried) {
        first = open_once();
        if (first != OK)
            snprintf(sentence, sizeof sentence, "%s", reason());
        tried = true;
    }
    if (first != OK)
        return because(first, "%s", sentence);
    struct cudaDeviceProp properties;
    size_t free_bytes = 0, all_bytes = 0;
    CUDA_TRY(cudaGetDeviceProperties(&properties, own_card()));
    CUDA_TRY(cudaMemGetInfo(&free_bytes, &all_bytes));
    *facts = *facts_of_nvml();
    snprintf(facts->kind, sizeof facts->kind, "cuda");
    snprintf(facts->name, sizeof facts->name, "%.120s", properties.name);
    CUDA_TRY(cudaGetDeviceCount(&facts->cards));
    facts->multiprocessors = properties.multiProcessorCount;
    facts->capability_major = properties.major;
    facts->capability_minor = properties.minor;
    facts->bus_bits = properties.memoryBusWidth;
    facts->ecc = properties.ECCEnabled;
    facts->memory_bytes = (double)all_bytes;
    facts->free_bytes = (double)free_bytes;
    facts->l2_bytes = properties.l2CacheSize;
    facts->clock_max_mhz = attribute(cudaDevAttrClockRate) / 1e3;
    facts->memory_clock_mhz = attribute(cudaDevAttrMemoryClockRate) / 1e3;
    CUDA_TRY(cudaRuntimeGetVersion(&facts->runtime_version));
    CUDA_TRY(cudaDriverGetVersion(&facts->driver_version));
    return OK;
}

enum status device_alloc(void **memory, size_t bytes)
{
    void *fresh = NULL;
    if (cudaMalloc(&fresh, bytes) != cudaSuccess) {
        (void)cudaGetLastError(); /* forgets the error: the next launch is not to blame for it */
        return because(ERR_MEMORY, "the GPU has no %.2f GiB free; choose a smaller size",
                       (double)bytes / 0x1p30);
    }
    CUDA_TRY(cudaMemset(fresh, 0xff, bytes));
    *memory = fresh;
    return OK;
}

void device_free(void *memory)
{
    (void)cudaFree(memory);
}

/* The driver clears pages that it locks on one core. Where they are many, which only copies use,
 * they are the system's, touched by all cores before. */
enum { LARGE = 1 << 24, PAGE = 1 << 21 }; /* bytes */

static struct large { /* what device_host_alloc() locked */
    void *memory;
    struct large *next;
} * larges;

bool device_lock(void *memory, size_t bytes)
{
    const bool locked = cudaHostRegister(memory, bytes, cudaHostRegisterDefault) == cudaSuccess;
    if (!locked)
        (void)cudaGetLastError();
    return locked;
}

void device_unlock(void *memory)
{
    (void)cudaHostUnregister(memory);
}

static void *lock_large(size_t bytes)
{
    struct large *const large = malloc(sizeof *large);
    void *const memory = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
    if (large != NULL && memory != NULL) {
        set_bytes(memory, 0xff, bytes);
        if (device_lock(memory, bytes)) {
            *large = (struct large){memory, larges};
            larges = large;
            return memory;
        }
    }
    free(large);
    free(memory);
    return NULL;
}

enum status device_host_alloc(void **memory, size_t bytes)
{
    void *fresh = bytes < LARGE ? NULL : lock_large(bytes);
    if (fresh == NULL && cudaMallocHost(&fresh, bytes) == cudaSuccess)
        set_bytes(fresh, 0xff, bytes);
    if (fresh == NULL) {
        (void)cudaGetLastError();
        return because(ERR_MEMORY,
                       "there is no page-locked memory of %.2f GiB; choose a smaller size",
                       (double)bytes / 0x1p30);
    }
    *memory = fresh;
    return OK;
}

void device_host_free(void *memory)
{
    for (struct large **at = &larges; *at != NULL; at = &(*at)->next)
        if ((*at)->memory == memory) {
            struct large *const large = *at;
            *at = large->next;
            device_unlock(memory);
            free(memory);
            free(large);
            return;
        }
    (void)cudaFreeHost(memory);
}

enum status device_put(void *device, const void *host, size_t bytes)
{
    CUDA_TRY(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    return OK;
}

enum status device_get(void *host, const void *device, size_t bytes)
{
    CUDA_TRY(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
    return OK;
}

enum status device_copy(void *to, const void *from, size_t bytes)
{
    CUDA_TRY(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice));
    return OK;
}

enum status device_launched(const char *kernel)
{
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess
               ? OK
               : because(ERR_DEVICE, "kernel %s: %s", kernel, cudaGetErrorString(error));
}

enum status device_sync(void)
{
    CUDA_TRY(cudaDeviceSynchronize());
    return OK;
}

cudaStream_t launch_stream; /* launch.h; null: the default stream */
static cudaStream_t recorder;
static cudaGraphExec_t recording;

enum status device_record(void)
{
    if (recorder == NULL)
        CUDA_TRY(cudaStreamCreateWithFlags(&recorder, cudaStreamNonBlocking));
    CUDA_TRY(cudaStreamBeginCapture(recorder, cudaStreamCaptureModeThreadLocal));
    launch_stream = recorder;
    return OK;
}

enum status device_recorded(void)
{
    cudaGraph_t graph = NULL;
    launch_stream = NULL;
    CUDA_TRY(cudaStreamEndCapture(recorder, &graph));
    if (recording != NULL)
        (void)cudaGraphExecDestroy(recording);
    recording = NULL;
    const cudaError_t error = cudaGraphInstantiateWithFlags(&recording, graph, 0);
    (void)cudaGraphDestroy(graph);
    CUDA_TRY(error);
    CUDA_TRY(cudaGraphUpload(recording, 0));
    return device_sync();
}

enum status device_replay(void)
{
    CUDA_TRY(cudaGraphLaunch(recording, 0));
    return OK;
}

enum status device_mark(int slot)
{
    CUDA_TRY(cudaEventRecord(marks[slot], 0));
    return OK;
}

double device_between(int from, int to)
{
    float milliseconds;
    const cudaError_t error = cudaEventElapsedTime(&milliseconds, marks[from], marks[to]);
    return error == cudaSuccess ? 1e-3 * (double)milliseconds : (double)NAN;
}

#ifdef HAVE_PROFILER
bool device_has_profiler(void)
{
    return true;
}

void device_profile(bool on)
{
    if ((on ? cudaProfilerStart() : cudaProfilerStop()) != cudaSuccess)
        (void)cudaGetLastError(); /* forgets the error: the next launch is not to blame for it */
}

void device_range(const char *name)
{
    (void)(name != NULL ? nvtxRangePushA(name) : nvtxRangePop());
}
#else
bool device_has_profiler(void)
{
    return false;
}

void device_profile(bool on)
{
    (void)on;
}

void device_range(const char *name)
{
    (void)name;
}
#endif

enum status device_thread_order(const char *order)
{
    (void)order;
    return OK;
}
