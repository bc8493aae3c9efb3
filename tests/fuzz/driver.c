/*
 * Drives a target where there is no libFuzzer, with the options that we give libFuzzer: every file
 * of the folders once, then changes of them, at random from a seed that is printed, for as many
 * runs or seconds as are asked. What stops the program is left in a file.
 * TARGET [-runs=N] [-max_total_time=SECONDS] [-seed=N] [-artifact_prefix=PREFIX] FOLDER...
 */
#include "fuzz.h"

#include <dirent.h>
#include <signal.h>
#include <time.h>

#include "base/random.h"

enum { LONGEST = 1 << 16, PATIENCE = 20 /* s for one input */ };

static struct input {
    const char *name; /* of the file; null: made here */
    size_t size;
    uint8_t data[LONGEST];
} * seeds, now;
static size_t seed_count;
static uint64_t seed = 1, drawn;
static const char *prefix = "";
static char finding[4096]; /* where this input goes if it is one */
static int out, err;       /* what standard output and error were */

static size_t below(size_t n)
{
    return n == 0 ? 0 : (size_t)(bits_at(seed, drawn++) % n);
}

static void say(const char *words)
{
    (void)!write(err, words, strlen(words));
}

/* When the program is about to die of an input. */
static void leave_finding(void)
{
    say("not ok 1 - ");
    say(now.name != NULL ? now.name : finding);
    if (now.name == NULL) {
        const int fd = open(finding, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        const bool kept = fd >= 0 && write(fd, now.data, now.size) == (ssize_t)now.size;
        say(kept ? ": -runs=0 and the folder of that file say why" : ": it could not be written");
    }
    say("\n");
}

static void on_signal(int number)
{
    leave_finding();
    signal(number, SIG_DFL);
    raise(number);
}

/* A sanitizer ends by exit, not by a signal. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

static void read_folder(const char *folder)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; free(entries[i++])) {
        char path[4096];
        if (entries[i]->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        FILE *const file = fopen(path, "rb");
        seeds = realloc(seeds, (seed_count + 1) * sizeof *seeds);
        PROMISE(file != NULL && seeds != NULL);
        struct input *const input = &seeds[seed_count++];
        input->name = strdup(path);
        input->size = fread(input->data, 1, LONGEST, file);
        fclose(file);
    }
    PROMISE(count >= 0);
    free(entries);
}

/* Part of an input in place of part of this one: cut, doubled, or spliced. */
static void exchange(const struct input *other)
{
    const size_t at = below(now.size + 1), gone = below(now.size - at + 1) / (1 + below(8));
    const size_t from = below(other->size + 1);
    size_t come = below(3) == 0 ? 0 : below(other->size - from + 1) / (1 + below(8));
    static uint8_t tail[LONGEST];
    const size_t left = now.size - at - gone;
    come = at + come + left <= LONGEST ? come : LONGEST - at - left;
    memcpy(tail, now.data + at + gone, left);
    memmove(now.data + at, other->data + from, come);
    memcpy(now.data + at + come, tail, left);
    now.size = at + come + left;
}

static void change_bytes(void)
{
    static const char known[] = "\0\"\n\r,/:=-.^0129\f ";
    for (size_t i = 1 + below(3); i > 0 && now.size > 0; i--) {
        uint8_t *const byte = &now.data[below(now.size)];
        *byte = below(2) == 0 ? (uint8_t)known[below(sizeof known)] : (uint8_t)below(256);
    }
}

static void make_input(void)
{
    snprintf(finding, sizeof finding, "%sfinding-%llu-%llu", prefix, (unsigned long long)seed,
             (unsigned long long)drawn);
    now = seeds[below(seed_count)];
    now.name = NULL;
    for (size_t i = 1 + below(4); i > 0; i--)
        if (below(2) == 0)
            change_bytes();
        else
            exchange(below(2) == 0 ? &now : &seeds[below(seed_count)]);
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool takes(const char *word, const char *option, const char **value)
{
    const size_t length = strlen(option);
    *value = word + length;
    return strncmp(word, option, length) == 0;
}

static void arguments(int argc, char **argv, size_t *runs, double *most)
{
    const char *value;
    for (int i = 1; i < argc; i++)
        if (takes(argv[i], "-runs=", &value))
            *runs = strtoul(value, NULL, 10);
        else if (takes(argv[i], "-max_total_time=", &value))
            *most = atof(value);
        else if (takes(argv[i], "-seed=", &value))
            seed = strtoul(value, NULL, 10);
        else if (takes(argv[i], "-artifact_prefix=", &value))
            prefix = value;
        else if (argv[i][0] != '-')
            read_folder(argv[i]);
}

/* The targets print for nobody; their last words on a file of the corpus are worth reading. */
static void watch(void)
{
    static const int deaths[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
    out = dup(STDOUT_FILENO);
    err = dup(STDERR_FILENO);
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++)
        signal(deaths[i], on_signal);
    if (__sanitizer_set_death_callback != NULL)
        __sanitizer_set_death_callback(leave_finding);
    if (__sanitizer_set_report_fd != NULL)
        __sanitizer_set_report_fd((void *)(intptr_t)err);
}

static void try_input(void)
{
    alarm(PATIENCE);
    LLVMFuzzerTestOneInput(now.data, now.size);
}

int main(int argc, char **argv)
{
    size_t runs = SIZE_MAX, tried = 0;
    double most = 1e9;
    arguments(argc, argv, &runs, &most);
    PROMISE(seed_count > 0);
    watch();
    for (size_t i = 0; i < seed_count; i++) {
        now = seeds[i];
        try_input();
    }
    dup2(STDOUT_FILENO, STDERR_FILENO);
    for (const double end = seconds() + most; tried < runs && seconds() < end; tried++) {
        make_input();
        try_input();
    }
    dprintf(out, "ok 1 - %zu files, and %zu inputs from seed %llu\n1..1\n", seed_count, tried,
            (unsigned long long)seed);
    return 0;
}
