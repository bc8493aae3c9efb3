/*
 * Where a point lies: in one array of rows, or with red and black points in an array each, which
 * has as many rows and half the columns.
 */
#pragma once
#include "base/random.h" /* HOST_DEVICE */
#include "machine/precision.h"
#include "parabolic.h"

#ifdef __cplusplus
extern "C" {
#endif

struct layout {
    size_t n;       /* N */
    size_t pitch;   /* values from one row to the next, a multiple of 32 */
    bool separated; /* red [N+2][pitch], then black [N+2][pitch], column i at i/2; else
                       [N+2][pitch] */
};

static inline struct layout layout_of(size_t n, bool separated)
{
    const size_t columns = separated ? (n + 3) / 2 : n + 2;
    const struct layout l = {n, (columns + 31) / 32 * 32, separated};
    return l;
}

/* Values of one colour's array, or of the one array. */
HOST_DEVICE size_t layout_array(const struct layout *l)
{
    return (l->n + 2) * l->pitch;
}

/* Values of the field. */
static inline size_t layout_field(const struct layout *l)
{
    return layout_array(l) * (l->separated ? 2 : 1);
}

HOST_DEVICE size_t layout_index(const struct layout *l, size_t i, size_t j)
{
    return l->separated ? ((i + j) % 2) * layout_array(l) + j * l->pitch + i / 2 : j * l->pitch + i;
}

/* Rows of the grid, boundary included: those that a field in memory has, low .. high-1, and of
 * these those that it is asked for, first .. end-1. Of separated colours they are all. */
struct rows {
    size_t low, first, end, high;
};

static inline struct rows all_rows(const struct layout *l)
{
    const struct rows all = {0, 0, l->n + 2, l->n + 2};
    return all;
}

/* Of the rows first .. end-1, the first one of the interior, and the one after the last. */
static inline size_t rows_begin(const struct rows *rows)
{
    return rows->first > 0 ? rows->first : 1;
}

static inline size_t rows_end(const struct rows *rows, size_t n)
{
    return rows->end <= n ? rows->end : n + 1;
}

/* The initial field. What a step sets before it reads it, the boundary, is left as it is, and so
 * is what nobody reads; all cores. */
void P(parabolic_split)(const struct parabolic *p, const struct layout *l, const struct rows *rows,
                        real *field);

/* to[][N] = the interior of the rows first .. end-1 in natural order, all cores. */
void P(parabolic_merge)(const struct layout *l, const struct rows *rows, const real *field,
                        real *to);

#ifdef __cplusplus
}
#endif
