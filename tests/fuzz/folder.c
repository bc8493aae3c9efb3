/*
 * A run's folder that somebody sends: run.csv, samples.csv, measured.csv and checksums.csv, with a
 * form feed between them. Every verb that reads runs shows it or refuses it with a sentence.
 */
#include "fuzz.h"

#include <ftw.h>
#include <sys/stat.h>

#include "base/intern.h"
#include "compare/compare.h"
#include "compare/history.h"
#include "report/report.h"
#include "verdict/verdict.h"

static char folder[] = "/dev/shm/reprise-fuzz.XXXXXX";

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info;
    (void)type;
    return at->level > 0 ? remove(path) : 0;
}

static void empty_folder(void)
{
    PROMISE(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
}

static void remove_folder(void)
{
    empty_folder();
    rmdir(folder);
}

/* A part that is not there is a file that is not there. */
static void write_files(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"run.csv", "samples.csv", "measured.csv", "checksums.csv"};
    const uint8_t *const end = data + size;
    for (size_t i = 0; i < sizeof names / sizeof *names && data < end; i++) {
        const uint8_t *const stop = memchr(data, '\f', (size_t)(end - data));
        const size_t length = (size_t)((stop != NULL ? stop : end) - data);
        const char *const path = internf("%s/%s", folder, names[i]);
        const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        PROMISE(fd >= 0 && write(fd, data, length) == (ssize_t)length);
        close(fd);
        data += length + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool made;
    if (!made) {
        PROMISE(mkdtemp(folder) != NULL && setenv("PATH", folder, 1) == 0); /* no gnuplot */
        atexit(remove_folder);
        made = true;
    }
    const struct selection all = {.globs = {"*"}, .glob_count = 1};
    const struct compare_options both = {.base = folder,
                                         .now = folder,
                                         .gate = "wrong,differs,slower",
                                         .noise = 0.007,
                                         .format = "json"};
    const struct history_options alone = {
        .folders = {folder}, .folder_count = 1, .format = "markdown"};
    empty_folder();
    write_files(data, size);
    const int verdict = verdict_folder(folder, &all, "junit");
    PROMISE(verdict >= 0 && verdict <= 4);
    PROMISE(compare_runs(&both) <= 4 && history_of(&alone) <= 4 && generations_of(&alone) <= 4);
    PROMISE(report_folder(folder, "latex") <= 4);
    return 0;
}
