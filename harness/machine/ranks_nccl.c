/*
 * Between GPUs: by NCCL, on the stream of launches, so that no host waits in between. It is looked
 * for at run time, so that the program starts without it; what is declared here is from its API
 * reference. NVLink's multicast stays off, since some hosts have it half: they hang.
 */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "machine/device.h"
#include "machine/ranks.h"

extern cudaStream_t launch_stream; /* launch.h */

enum { NCCL_BYTES = 0, NCCL_DOUBLE = 8, NCCL_MAX = 2 };
enum { MOST_RANKS = 64 };

struct nccl_id {
    char bytes[128];
};

static struct {
    int (*make_id)(struct nccl_id *id);
    int (*join)(void **all, int count, struct nccl_id id, int own);
    const char *(*words)(int error);
    int (*gather)(const void *own, void *all, size_t count, int type, void *among,
                  cudaStream_t stream);
    int (*reduce)(const void *own, void *all, size_t count, int type, int operation, void *among,
                  cudaStream_t stream);
    int (*send)(const void *from, size_t count, int type, int to, void *among, cudaStream_t stream);
    int (*receive)(void *to, size_t count, int type, int from, void *among, cudaStream_t stream);
    int (*begin)(void);
    int (*end)(void);
} nccl;
static void *everyone; /* a communicator of all ranks */

static bool find(void *library, void *call, const char *name)
{
    void *const found = dlsym(library, name);
    memcpy(call, &found, sizeof found);
    return found != NULL;
}

static enum status open_nccl(void)
{
    void *const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return because(SKIPPED,
                       "NCCL cannot be loaded (%s); install libnccl2, or add its folder "
                       "to LD_LIBRARY_PATH",
                       dlerror());
    const bool found =
        find(library, &nccl.make_id, "ncclGetUniqueId") &&
        find(library, &nccl.join, "ncclCommInitRank") &&
        find(library, &nccl.words, "ncclGetErrorString") &&
        find(library, &nccl.gather, "ncclAllGather") &&
        find(library, &nccl.reduce, "ncclAllReduce") && find(library, &nccl.send, "ncclSend") &&
        find(library, &nccl.receive, "ncclRecv") && find(library, &nccl.begin, "ncclGroupStart") &&
        find(library, &nccl.end, "ncclGroupEnd");
    return found ? OK : because(SKIPPED, "this NCCL is too old: 2.7 has what is needed");
}

static enum status of_nccl(int error)
{
    return error == 0 ? OK : because(ERR_DEVICE, "NCCL failed: %s", nccl.words(error));
}

/* A card for each: NCCL would only say that something is invalid. */
static enum status each_has_one(void)
{
    struct cudaDeviceProp own = {0};
    cudaUUID_t all[MOST_RANKS];
    int card = 0;
    (void)cudaGetDevice(&card);
    if (ranks_count() > MOST_RANKS)
        return because(SKIPPED, "at most %d ranks have cards", (int)MOST_RANKS);
    if (cudaGetDeviceProperties(&own, card) != cudaSuccess)
        own.uuid.bytes[0] = (char)ranks_own(); /* then NCCL has to say it */
    ranks_show(&own.uuid, sizeof own.uuid, all);
    for (int k = 1; k < ranks_count(); k++)
        for (int other = 0; other < k; other++)
            if (memcmp(&all[k], &all[other], sizeof all[k]) == 0)
                return because(SKIPPED,
                               "%d cards are needed, and ranks %d and %d have the same one",
                               ranks_count(), other, k);
    return OK;
}

enum status ranks_connect(void)
{
    struct nccl_id id = {{0}};
    if (ranks_count() == 1 || everyone != NULL)
        return OK;
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    enum status status = each_has_one();
    if (status == OK)
        status = open_nccl();
    if (status == OK && ranks_own() == 0)
        status = of_nccl(nccl.make_id(&id));
    status = ranks_agree(status);
    if (status != OK)
        return status;
    ranks_tell(&id, sizeof id);
    return ranks_agree(of_nccl(nccl.join(&everyone, ranks_count(), id, ranks_own())));
}

/* Each way between two cards is of several links, which sleep one by one: so many bytes that all of
 * them have some. */
enum status ranks_wake(void)
{
    enum { EACH = 1 << 20 };
    static char *room;
    enum status status = OK;
    if (ranks_count() == 1)
        return OK;
    if (room == NULL)
        status = ranks_agree(device_alloc((void **)&room, (1 + (size_t)ranks_count()) * EACH));
    if (status != OK) { /* all ask again, or a rank would wait for the others */
        device_free(room);
        room = NULL;
        return status;
    }
    status = ranks_gather(room, room + EACH, EACH);
    return status == OK ? device_sync() : status;
}

enum status ranks_gather(const void *own, void *all, size_t bytes)
{
    if (ranks_count() > 1)
        return of_nccl(nccl.gather(own, all, bytes, NCCL_BYTES, everyone, launch_stream));
    const cudaError_t error =
        cudaMemcpyAsync(all, own, bytes, cudaMemcpyDeviceToDevice, launch_stream);
    return error == cudaSuccess ? OK : because(ERR_DEVICE, "%s", cudaGetErrorString(error));
}

enum status ranks_exchange(const struct rank_message *messages, int count)
{
    if (ranks_count() == 1)
        return OK;
    int error = nccl.begin();
    for (int i = 0; i < count && error == 0; i++) {
        const struct rank_message *const m = &messages[i];
        if (m->send != NULL)
            error = nccl.send(m->send, m->bytes, NCCL_BYTES, m->with, everyone, launch_stream);
        if (error == 0 && m->receive != NULL)
            error =
                nccl.receive(m->receive, m->bytes, NCCL_BYTES, m->with, everyone, launch_stream);
    }
    const int ended = nccl.end();
    return of_nccl(error != 0 ? error : ended);
}

enum status ranks_maximum(double *values, size_t count)
{
    return ranks_count() == 1 ? OK
                              : of_nccl(nccl.reduce(values, values, count, NCCL_DOUBLE, NCCL_MAX,
                                                    everyone, launch_stream));
}

/* --- memory that all reach --- */

enum { GRAIN = 1 << 21 /* what one allocation has for itself */ };

static struct {
    size_t bytes;
    void *own, *all[MOST_RANKS];
} shared;

/* Nobody looks at it any more; and none is given back that another one has opened. */
static void close_shared(void)
{
    for (int k = 0; k < ranks_count(); k++)
        if (k != ranks_own() && shared.all[k] != NULL)
            (void)cudaIpcCloseMemHandle(shared.all[k]);
    memset(shared.all, 0, sizeof shared.all);
    (void)ranks_agree(OK);
    device_free(shared.own);
    shared.own = NULL;
    shared.bytes = 0;
}

static enum status open_shared(const cudaIpcMemHandle_t *handles)
{
    cudaError_t error = cudaSuccess;
    for (int k = 0; k < ranks_count() && error == cudaSuccess; k++)
        if (k == ranks_own())
            shared.all[k] = shared.own;
        else
            error =
                cudaIpcOpenMemHandle(&shared.all[k], handles[k], cudaIpcMemLazyEnablePeerAccess);
    (void)cudaGetLastError();
    return error == cudaSuccess
               ? OK
               : because(SKIPPED,
                         "this card does not reach the memory of another one (%s); choose cards "
                         "of one host that do, as `nvidia-smi topo -p2p r` says",
                         cudaGetErrorString(error));
}

/* All ask for the same, so all do or none does. */
static enum status make_shared(size_t bytes)
{
    cudaIpcMemHandle_t own, handles[MOST_RANKS];
    close_shared();
    enum status status = device_alloc(&shared.own, bytes);
    if (status == OK && ranks_count() > 1 && cudaIpcGetMemHandle(&own, shared.own) != cudaSuccess) {
        (void)cudaGetLastError();
        status = because(SKIPPED, "the driver does not share a card's memory between processes");
    }
    status = ranks_agree(status);
    if (status != OK)
        return status;
    ranks_show(&own, sizeof own, handles);
    status = ranks_agree(open_shared(handles));
    shared.bytes = status == OK ? bytes : 0;
    return status;
}

enum status ranks_share(size_t bytes, void **all)
{
    enum status status = OK;
    if (ranks_count() > MOST_RANKS)
        return because(SKIPPED, "at most %d ranks share memory", (int)MOST_RANKS);
    if (bytes > shared.bytes)
        status = make_shared((bytes + GRAIN - 1) / GRAIN * GRAIN);
    else if (cudaMemset(shared.own, 0xff, shared.bytes) != cudaSuccess ||
             cudaDeviceSynchronize() != cudaSuccess)
        status = because(ERR_DEVICE, "%s", cudaGetErrorString(cudaGetLastError()));
    memcpy(all, shared.all, (size_t)ranks_count() * sizeof *all);
    return ranks_agree(status); /* none writes before all are filled */
}
