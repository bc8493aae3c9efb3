/*
 * A CRC-32 of each file that a run measured, beside them. It finds damage; whoever changes a file
 * on purpose can change it too.
 */
#include "run/checksums.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/intern.h"

static const char header[] = "file,crc32\n";
static const char *const summed[] = {"run.csv", "samples.csv", "measured.csv"};
enum { SUMMED = sizeof summed / sizeof *summed, DERIVED = 2 };

static const char *own_path(const char *folder)
{
    return internf("%s/checksums.csv", folder);
}

const char *samples_path(const char *folder)
{
    struct stat info;
    const char *const plain = internf("%s/samples.csv", folder);
    const char *const packed = internf("%s.gz", plain);
    return stat(packed, &info) == 0 ? packed : plain;
}

static const char *sum_as_word(const struct text *text)
{
    return internf("%08lx", (unsigned long)crc32_z(0, (const Bytef *)text->data, text->length));
}

/* Of the content of summed[i], as a word. */
static enum status sum_of(const char *folder, int i, const char **out)
{
    struct text text = {0};
    const char *const path = strcmp(summed[i], "samples.csv") == 0
                                 ? samples_path(folder)
                                 : internf("%s/%s", folder, summed[i]);
    const enum status status = text_load(path, &text);
    if (status == OK)
        *out = sum_as_word(&text);
    text_free(&text);
    return status;
}

enum status checksums_write(const char *folder)
{
    struct text out = {0};
    enum status status = OK;
    text_add(&out, "%s", header);
    for (int i = 0; i < SUMMED && status == OK; i++) {
        const char *sum;
        status = sum_of(folder, i, &sum);
        if (status == OK)
            text_add(&out, "%s,%s\n", summed[i], sum);
    }
    if (status == OK)
        status = write_file(own_path(folder), out.data, out.length);
    text_free(&out);
    return status;
}

bool checksums_there(const char *folder)
{
    struct stat info;
    return lstat(own_path(folder), &info) == 0 || errno != ENOENT;
}

/* What checksums.csv has of a file; null: nothing. */
static const char *known_sum(const struct csv *csv, const char *file)
{
    const char *known = NULL;
    for (size_t i = 0; i < csv_rows(csv); i++)
        if (strcmp(csv_row(csv, i)->field[0], file) == 0)
            known = csv_row(csv, i)->field[1];
    return known;
}

bool checksums_of_measured(const char *folder, const struct text *measured)
{
    struct csv *csv = NULL;
    const bool any = checksums_there(folder) && csv_load(own_path(folder), header, &csv) == OK;
    const char *const known = any ? known_sum(csv, summed[DERIVED]) : NULL;
    const bool same = known == NULL || strcmp(sum_as_word(measured), known) == 0;
    csv_free(csv);
    return same;
}

enum status checksums_check(const char *folder)
{
    struct stat info;
    struct csv *csv = NULL;
    const char *const path = own_path(folder);
    if (!checksums_there(folder))
        return OK;
    enum status status = csv_load(path, header, &csv);
    for (int i = 0; i < SUMMED && status == OK; i++) {
        const char *sum, *const known = known_sum(csv, summed[i]);
        if (i == DERIVED && stat(internf("%s/%s", folder, summed[i]), &info) != 0)
            continue; /* it is made of the samples again */
        status = sum_of(folder, i, &sum);
        if (status == OK && known == NULL)
            status = because(ERR_IO, "%s does not have the checksum of %s", path, summed[i]);
        if (status == OK && strcmp(sum, known) != 0)
            status =
                because(ERR_IO,
                        "%s/%s is not what the run wrote: its checksum is %s and checksums.csv "
                        "has %s; copy the folder again",
                        folder, summed[i], sum, known);
    }
    csv_free(csv);
    return status;
}

enum status checksums_remove(const char *folder)
{
    const char *const path = own_path(folder);
    if (unlink(path) == 0 || errno == ENOENT)
        return OK;
    return because(ERR_IO, "cannot remove %s: %s", path, strerror(errno));
}
