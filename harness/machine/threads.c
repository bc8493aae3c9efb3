/*
 * Bound threads, by OpenMP's own environment: it begins to count when the program is loaded.
 */
#include "machine/threads.h"

#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "machine/facts.h"

/* Cores of this process; threads of one core count once. 0: unknown. */
static int cores(void)
{
    const char *seen[CPU_SETSIZE]; /* the threads of each core; interned */
    cpu_set_t allowed;
    int count = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed))
            continue;
        const char *const core = proc_value(
            internf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu), NULL);
        bool known = false;
        if (core[0] == '\0')
            return 0;
        for (int k = 0; k < count; k++)
            known = known || seen[k] == core;
        if (!known)
            seen[count++] = core;
    }
    return count;
}

void threads_bind(void)
{
    static const char *const of_user[] = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY",
                                          "KMP_AFFINITY"};
    for (size_t i = 0; i < sizeof of_user / sizeof *of_user; i++)
        if (getenv(of_user[i]) != NULL)
            return;
    const int count = cores();
    if (count == 0)
        return;
    setenv("OMP_PROC_BIND", "close", 1);
    setenv("OMP_PLACES", "cores", 1);
    setenv("OMP_NUM_THREADS", internf("%d", count), 0);
}

/* All processors of all places. */
static void places(cpu_set_t *all)
{
    CPU_ZERO(all);
    for (int place = 0; place < omp_get_num_places(); place++) {
        const int count = omp_get_place_num_procs(place);
        int *const processors = calloc((size_t)count + 1, sizeof *processors);
        if (processors != NULL)
            omp_get_place_proc_ids(place, processors);
        for (int k = 0; k < count && processors != NULL; k++)
            if (processors[k] < CPU_SETSIZE)
                CPU_SET(processors[k], all);
        free(processors);
    }
}

/* The memory nodes of processors, " of node 0 1"; "" where the system does not say. */
static const char *nodes_of(const cpu_set_t *all)
{
    enum { MOST_NODES = 64 };
    const char *out = "";
    for (int node = 0; node < MOST_NODES; node++)
        for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, all) &&
                access(internf("/sys/devices/system/cpu/cpu%d/node%d", cpu, node), F_OK) == 0) {
                out = internf("%s %d", out[0] != '\0' ? out : " of node", node);
                break;
            }
    return out;
}

static bool is_bound(void)
{
    return omp_get_proc_bind() != omp_proc_bind_false && omp_get_num_places() > 0;
}

const char *threads_bound(void)
{
    const char *const how = getenv("OMP_PROC_BIND"), *const where = getenv("OMP_PLACES");
    cpu_set_t all;
    if (!is_bound())
        return "no";
    places(&all);
    return internf("%d threads on %d places%s, OMP_PLACES=%s %s", omp_get_max_threads(),
                   omp_get_num_places(), nodes_of(&all), where != NULL ? where : "",
                   how != NULL ? how : "");
}

void threads_release(void)
{
    cpu_set_t all;
    places(&all);
    if (is_bound())
        (void)sched_setaffinity(0, sizeof all, &all);
}

void set_bytes(void *to, int byte, size_t count)
{
    const size_t piece = 1 << 20;
    char *const bytes = to;
#pragma omp parallel for schedule(static) if (count > 4 * piece)
    for (size_t i = 0; i < count; i += piece)
        memset(bytes + i, byte, count - i < piece ? count - i : piece);
}

void copy_bytes(void *to, const void *from, size_t count)
{
    const size_t piece = 1 << 20;
#pragma omp parallel for schedule(static) if (count > FEW_BYTES)
    for (size_t i = 0; i < count; i += piece)
        memcpy((char *)to + i, (const char *)from + i, count - i < piece ? count - i : piece);
}
