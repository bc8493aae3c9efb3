/*
 * What machine, build and settings a run had: key,value, unknown is empty. Names of hosts and users
 * are left out, because the folders of runs get committed.
 */
#include "machine/facts.h"

#include <assert.h>
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "base/record.h"
#include "build_facts.h"
#include "machine/device.h"
#include "machine/threads.h"

const char facts_header[] = "key,value\n";

static struct fact *find_fact(const struct facts *facts, const char *key)
{
    for (int i = 0; i < facts->count; i++)
        if (strcmp(facts->list[i].key, key) == 0)
            return (struct fact *)&facts->list[i]; /* whoever may change the facts may change it */
    return NULL;
}

void facts_add(struct facts *facts, const char *key, const char *format, ...)
{
    struct fact *fact = find_fact(facts, key);
    char *value = NULL;
    va_list list;
    va_start(list, format);
    const int length = vasprintf(&value, format, list);
    va_end(list);
    assert(length >= 0 && (fact != NULL || facts->count < MOST_FACTS));
    if (fact == NULL)
        fact = &facts->list[facts->count++];
    *fact = (struct fact){intern(key), intern(value)};
    free(value);
}

const char *facts_get(const struct facts *facts, const char *key)
{
    const struct fact *fact = find_fact(facts, key);
    return fact != NULL ? fact->value : "";
}

bool fact_is(const struct facts *facts, const char *key, const char *value)
{
    return strcmp(facts_get(facts, key), value) == 0;
}

bool fact_has(const struct facts *facts, const char *key, const char *word)
{
    return word_in(facts_get(facts, key), word, ' ');
}

bool same_fact(const struct facts *a, const struct facts *b, const char *key)
{
    return fact_is(a, key, facts_get(b, key));
}

double fact_number(const struct facts *facts, const char *key)
{
    return number_of(facts_get(facts, key));
}

bool ran_on_gpu(const struct facts *facts)
{
    return fact_is(facts, "device", "cuda") && facts_get(facts, "gpu_name")[0] != '\0';
}

const char *proc_value(const char *path, const char *key)
{
    const char *out = NULL;
    char *line = NULL;
    size_t room = 0;
    FILE *const file = fopen(path, "r");
    while (file != NULL && out == NULL && getline(&line, &room, file) >= 0) {
        const char *value = line;
        if (key != NULL && strncmp(line, key, strlen(key)) != 0)
            continue;
        if (key != NULL)
            value += strcspn(line, ":") + strspn(line + strcspn(line, ":"), ": \t");
        out = internf("%.*s", (int)strcspn(value, "\n"), value);
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return out != NULL ? out : "";
}

/* FNV-1a. A plain loop also in a build that looks for mistakes in each of its accesses: a program
 * has megabytes. */
__attribute__((no_sanitize("address", "undefined"))) static uint64_t hash(uint64_t so_far,
                                                                          const void *bytes,
                                                                          size_t length)
{
    const unsigned char *c = bytes;
    for (size_t i = 0; i < length; i++)
        so_far = (so_far ^ c[i]) * UINT64_C(0x100000001b3);
    return so_far;
}

static const uint64_t no_bytes = UINT64_C(0xcbf29ce484222325);

/* The hash of this program's instructions, the processor's and the device's, and of nothing else:
 * after a change of a comment, a text or the commit it is the same. 0: the program could not be
 * read. */
static uint64_t code_hash(void)
{
    struct stat info;
    uint64_t out = 0;
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0)
        return 0;
    const char *elf = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (elf == MAP_FAILED)
        return 0;
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
    if (memcmp(elf, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64) {
        const Elf64_Shdr *sections = (const Elf64_Shdr *)(elf + header->e_shoff);
        const char *names = elf + sections[header->e_shstrndx].sh_offset;
        out = no_bytes;
        for (int i = 0; i < header->e_shnum; i++)
            if (word_in(".text .nv_fatbin", names + sections[i].sh_name, ' '))
                out = hash(out, elf + sections[i].sh_offset, sections[i].sh_size);
    }
    munmap((void *)elf, (size_t)info.st_size);
    return out;
}

double available_memory(void)
{
    return 1024 * strtod(proc_value("/proc/meminfo", "MemAvailable"), NULL);
}

/* How many other processes want a core: the least of a few looks, since many run for a moment. */
void facts_collect_others(struct facts *facts)
{
    int least = INT_MAX;
    for (int look = 0; look < 5; look++) {
        int running = 1;
        if (look > 0)
            usleep(4000);
        (void)sscanf(proc_value("/proc/loadavg", NULL), "%*s %*s %*s %d/", &running);
        least = running - 1 < least ? running - 1 : least; /* this one runs too */
    }
    facts_add(facts, "running_start", "%d", least > 0 ? least : 0);
}

void warn_of_others(const struct facts *facts, struct names *warnings)
{
    const double running = fact_number(facts, "running_start");
    const double gpu = fact_number(facts, "gpu_busy_start"), left_over = 10; /* by who just ended */
    if (running > 0)
        names_add(warnings,
                  internf("others want %.0f of this machine's %s threads (load %s); times will be "
                          "long and noisy",
                          running, facts_get(facts, "cpu_threads"),
                          facts_get(facts, "load_start")));
    if (gpu > left_over)
        names_add(warnings,
                  internf("others use %.0f %% of the GPU; times will be long and noisy", gpu));
}

const char program_version[] = "reprise " REPRISE_VERSION;

void facts_collect(struct facts *facts)
{
    static const char *const variables[] = {"CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS", "OMP_PLACES",
                                            "OMP_PROC_BIND", "GLIBC_TUNABLES"};
    struct utsname kernel;
    facts_add(facts, "schema", "1");
    facts_add(facts, "program", "%s", program_version);
    /* The commit itself is a name that git knows; a fact of its own says that it was changed. */
    const char *const dirty = strstr(built_commit, "-dirty");
    facts_add(facts, "commit", "%.*s", (int)(dirty != NULL ? dirty - built_commit : 63),
              built_commit);
    facts_add(facts, "dirty", "%d", dirty != NULL);
    facts_add(facts, "code", "%016llx", (unsigned long long)code_hash());
    facts_add(facts, "build_type", "%s", REPRISE_BUILD_TYPE);
    facts_add(facts, "cc", "%s", REPRISE_CC);
    facts_add(facts, "cc_flags", "%s", REPRISE_CC_FLAGS);
    facts_add(facts, "cc_flags_fused", "%s", REPRISE_CC_FLAGS_FUSED);
    facts_add(facts, "nvcc", "%s", REPRISE_NVCC);
    facts_add(facts, "nvcc_flags", "%s", REPRISE_NVCC_FLAGS);
    facts_add(facts, "nvcc_flags_fused", "%s", REPRISE_NVCC_FLAGS_FUSED);
    facts_add(facts, "gpu_archs", "%s", REPRISE_GPU_ARCHS);
    facts_add(facts, "device", "%s", device_kind());
    const char *const model = proc_value("/proc/cpuinfo", "model name");
    facts_add(facts, "cpu_model", "%s", model[0] != '\0' ? model : "unknown CPU");
    facts_add(facts, "cpu_threads", "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    facts_add(facts, "threads_bound", "%s", threads_bound());
    const long l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    facts_add(facts, "cpu_l3_bytes", "%ld", l3 > 0 ? l3 : 32L << 20);
    facts_add(facts, "cpu_governor", "%s",
              proc_value("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", NULL));
    facts_add(facts, "cpu_turbo", "%s", proc_value("/sys/devices/system/cpu/cpufreq/boost", NULL));
    facts_add(facts, "memory_bytes", "%.0f",
              1024 * strtod(proc_value("/proc/meminfo", "MemTotal"), NULL));
    facts_add(facts, "virtual", "%d",
              word_in(proc_value("/proc/cpuinfo", "flags"), "hypervisor", ' '));
    facts_add(facts, "kernel", "%s", uname(&kernel) == 0 ? kernel.release : "");
    const char *const load = proc_value("/proc/loadavg", NULL);
    facts_add(facts, "load_start", "%.*s", (int)strcspn(load, " "), load);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        facts_add(facts, internf("env_%s", variables[i]), "%s", value != NULL ? value : "");
    }
}

void facts_collect_device(struct facts *facts)
{
    struct device_facts device;
    const enum status status = device_open(&device);
    if (status != OK) {
        facts_add(facts, "gpu_name", "%s", "");
        facts_add(facts, "gpu_why_not", "%s", reason());
        return;
    }
    facts_add(facts, "gpu_name", "%s", device.name);
    if (device.cards > 0)
        facts_add(facts, "gpu_cards", "%d", device.cards);
    facts_add(facts, "gpu_capability", "%d.%d", device.capability_major, device.capability_minor);
    facts_add(facts, "gpu_sms", "%d", device.multiprocessors);
    facts_add(facts, "gpu_memory_bytes", "%.0f", device.memory_bytes);
    facts_add(facts, "gpu_l2_bytes", "%.0f", device.l2_bytes);
    facts_add(facts, "gpu_bus_bits", "%d", device.bus_bits);
    facts_add(facts, "gpu_clock_max_mhz", "%.0f", device.clock_max_mhz);
    facts_add(facts, "gpu_memory_clock_mhz", "%.0f", device.memory_clock_mhz);
    facts_add(facts, "gpu_ecc", "%d", device.ecc);
    facts_add(facts, "gpu_driver", "%s", device.driver);
    if (device.power_limit_w > 0)
        facts_add(facts, "gpu_power_limit_w", "%.0f", device.power_limit_w);
    if (device.mig >= 0)
        facts_add(facts, "gpu_mig", "%d", device.mig);
    if (device.busy_percent >= 0)
        facts_add(facts, "gpu_busy_start", "%d", device.busy_percent);
    if (device.persistence >= 0)
        facts_add(facts, "gpu_persistence", "%d", device.persistence);
    facts_add(facts, "cuda_runtime", "%d", device.runtime_version);
    facts_add(facts, "cuda_driver", "%d", device.driver_version);
}

void facts_finish(struct facts *facts)
{
    /* Two runs that agree in these facts can be compared row by row. */
    static const char *const keys[] = {
        "device",    "gpu_name",    "gpu_sms",           "gpu_bus_bits",
        "gpu_ecc",   "gpu_mig",     "gpu_power_limit_w", "gpu_driver",
        "cpu_model", "cpu_threads", "cpu_governor",      LOCKED_CLOCK};
    uint64_t print = no_bytes;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        print = hash(print, facts_get(facts, keys[i]), strlen(facts_get(facts, keys[i])));
    facts_add(facts, "fingerprint", "%016llx", (unsigned long long)print);
}

enum status facts_read(const struct csv *csv, const char *name, struct facts *facts)
{
    if (csv_rows(csv) > MOST_FACTS)
        return because(ERR_IO, "%s has %zu rows and this program knows %d facts at most", name,
                       csv_rows(csv), MOST_FACTS);
    for (size_t i = 0; i < csv_rows(csv); i++)
        facts_add(facts, csv_row(csv, i)->field[0], "%s", csv_row(csv, i)->field[1]);
    return OK;
}

enum status facts_load(const char *folder, struct facts *facts)
{
    const char *const path = internf("%s/run.csv", folder);
    struct csv *csv;
    *facts = (struct facts){0};
    enum status status = csv_load(path, facts_header, &csv);
    if (status != OK)
        return status;
    status = facts_read(csv, path, facts);
    csv_free(csv);
    if (status == OK && !fact_is(facts, "schema", "1"))
        status = because(ERR_ARGS, "%s has schema '%s' and this program reads schema 1", path,
                         facts_get(facts, "schema"));
    return status;
}

void facts_print(const struct facts *facts, struct text *out)
{
    for (int i = 0; i < facts->count; i++) {
        text_field(out, facts->list[i].key, ',');
        text_field(out, facts->list[i].value, '\n');
    }
}

enum status facts_save(const char *folder, const struct facts *facts)
{
    struct text text = {0};
    text_add(&text, "%s", facts_header);
    facts_print(facts, &text);
    const enum status status = write_file(internf("%s/run.csv", folder), text.data, text.length);
    text_free(&text);
    return status;
}

const char *hardware_name(const struct facts *facts, enum place place)
{
    const char *const gpu = facts_get(facts, "gpu_name");
    const char *const cpu =
        internf("%s (%s threads)", facts_get(facts, "cpu_model"), facts_get(facts, "cpu_threads"));
    return place == HOST || place == HOST_PARALLEL ? cpu
           : gpu[0] == '\0'                        ? "no GPU"
           : ran_on_gpu(facts)                     ? internf("%s + %s", gpu, cpu)
                                                   : gpu; /* "emulated on <CPU>" */
}

const char *machine_slug(const struct facts *facts)
{
    const char *const gpu = facts_get(facts, "gpu_name");
    struct text name = {0};
    for (const char *c = gpu[0] != '\0' ? gpu : facts_get(facts, "cpu_model"); *c != '\0'; c++) {
        if (isalnum((unsigned char)*c))
            text_add(&name, "%c", tolower((unsigned char)*c));
        else if (name.length > 0 && name.data[name.length - 1] != '-')
            text_add(&name, "-");
    }
    while (name.length > 0 && name.data[name.length - 1] == '-')
        name.data[--name.length] = '\0';
    const char *const out = intern(name.length > 0 ? name.data : "");
    text_free(&name);
    return out;
}
