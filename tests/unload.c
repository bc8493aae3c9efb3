/*
 * ranks_unload() by itself: parts of all forms, of more than a piece, go to their places and
 * nowhere else. mpirun -n 3 build/tests/unload 3
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/device.h"
#include "machine/ranks.h"
#include "tap.h"

/* Rows of a part go side by side, or to every so many rows of all ranks; of fields each rank has a
 * part of its own size. */
enum form { PIECES, STACKED, DEALT, FIELDS };

static const struct {
    const char *what;
    enum form form;
    size_t bytes;          /* of the whole; of FIELDS, of a field */
    size_t row, gap, skip; /* bytes; what is behind a row; before the first one */
    size_t count;          /* of fields */
} cases[] = {
    {"pieces", PIECES, 40000001, 0, 0, 0, 0},
    {"pieces that begin anywhere", PIECES, 40000001, 0, 0, 5, 0},
    {"one byte", PIECES, 1, 0, 0, 0, 0},
    {"nothing", PIECES, 0, 0, 0, 0, 0},
    {"rows without what is between them", STACKED, 40000000, 8004, 124, 4, 0},
    {"long ones", STACKED, 40000000, 1300004, 124, 4, 0},
    {"rows that are short beside what is between them", STACKED, 1000000, 8, 248, 8, 0},
    {"rows in turn", DEALT, 50000003, 4099, 0, 0, 0},
    {"long ones", DEALT, 50000003, 1200007, 0, 0, 0},
    {"fewer than ranks", DEALT, 4100, 4099, 0, 0, 0},
    {"a few fields", FIELDS, 8011, 0, 0, 0, 5},
    {"many fields", FIELDS, 8011, 0, 0, 0, 6000},
    {"large fields", FIELDS, 5000003, 0, 0, 0, 13},
};
enum { CASES = sizeof cases / sizeof *cases, BEYOND = 64 };

static size_t share(size_t of, int rank)
{
    return of * (size_t)rank / (size_t)ranks_count();
}

static struct rank_part part_of(int k, int rank)
{
    const size_t whole = cases[k].bytes, row = cases[k].row, all = (size_t)ranks_count();
    const size_t own = (size_t)rank, rows = row > 0 ? (whole + row - 1) / row : 0;
    const size_t begin = share(whole, rank), end = share(whole, rank + 1);
    struct rank_part p = {NULL, end - begin, begin, 0, 0, 0};
    if (cases[k].form == STACKED) {
        p.at = share(rows, rank) * row;
        p.bytes = (rank + 1 < ranks_count() ? share(rows, rank + 1) * row : whole) - p.at;
        p.row = p.there = row;
        p.here = row + cases[k].gap;
    } else if (cases[k].form == DEALT) {
        const size_t here = (rows + all - 1 - own) / all;
        const bool last = here > 0 && (here - 1) * all + own == rows - 1;
        p.bytes = here * row - (last ? rows * row - whole : 0);
        p.at = own * row;
        p.row = p.here = row;
        p.there = all * row;
    } else if (cases[k].form == FIELDS) {
        p.row = p.here = p.bytes;
        p.bytes *= cases[k].count;
        p.there = whole;
    }
    return p;
}

static unsigned char value_at(size_t place)
{
    return (unsigned char)((uint64_t)place * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

/* A part as it is in memory, and NaN's bytes around; device memory is to have as much. */
static unsigned char *fill(const struct rank_part *p, size_t skip, size_t *span)
{
    const size_t row = p->row > 0 ? p->row : p->bytes, gap = p->row > 0 ? p->here - p->row : 0;
    *span = skip + p->bytes + (row > 0 ? p->bytes / row * gap : 0) + BEYOND;
    unsigned char *const bytes = malloc(*span);
    if (bytes == NULL)
        return NULL;
    memset(bytes, 0xff, *span);
    for (size_t i = 0; i < p->bytes; i++)
        bytes[skip + i + i / row * gap] =
            value_at(p->at + (p->row > 0 ? i / row * p->there + i % row : i));
    return bytes;
}

static enum status unload(int k, unsigned char *all)
{
    struct rank_part p = part_of(k, ranks_own());
    size_t span = 0;
    unsigned char *const host = fill(&p, cases[k].skip, &span);
    void *device = NULL;
    enum status status = host != NULL ? device_alloc(&device, span) : ERR_MEMORY;
    if (status == OK)
        status = device_put(device, host, span);
    status = ranks_agree(status);
    if (status == OK) {
        p.own = (char *)device + cases[k].skip;
        status = ranks_agree(ranks_unload(&p, all));
    }
    device_free(device);
    free(host);
    return status;
}

static void try_case(int k)
{
    const size_t whole = cases[k].bytes * (cases[k].form == FIELDS ? cases[k].count : 1);
    unsigned char *const all = ranks_own() == 0 ? malloc(whole + BEYOND) : NULL;
    size_t bad = 0;
    if (all != NULL)
        memset(all, 0xff, whole + BEYOND);
    const enum status status = unload(k, all);
    for (size_t i = 0; i < whole + BEYOND && all != NULL; i++)
        bad += all[i] != (i < whole ? value_at(i) : 0xff);
    check(status == OK && bad == 0 && (ranks_own() > 0 || all != NULL),
          "%s, %zu bytes of %d ranks: %zu wrong", cases[k].what, whole, ranks_count(), bad);
    free(all);
}

int main(int argc, char **argv)
{
    struct device_facts facts;
    if (ranks_join(argc > 1 ? atoi(argv[1]) : 1) != OK) {
        fprintf(stderr, "unload: %s\n", reason());
        return 2;
    }
    if (ranks_own() > 0 && freopen("/dev/null", "w", stdout) == NULL)
        return 2;
    if (ranks_agree(device_open(&facts)) == OK && ranks_connect() == OK)
        for (int k = 0; k < CASES; k++)
            try_case(k);
    else
        skip("parts of all forms", reason());
    const int status = done();
    ranks_leave();
    return status != 0 || tap_failures > 0;
}
