/*
 * What names a job, and a cell of a paper: exhibit/case/variant/precision/n. The parts are
 * interned, so that keys are compared by their pointers.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct key {
    const char *exhibit, *of; /* `of`: the case */
    const char *variant;      /* "A2D", or, of a speed-up, "A2D/A1D" */
    const char *precision;
    const char *n; /* a size; or "mean 500-4000", of several */
};

struct key key_make(const char *exhibit, const char *of, const char *variant, const char *precision,
                    const char *n);
/* The reverse of key_path(). False: the path has fewer than five parts, or an empty one. */
bool key_parse(const char *path, struct key *out);
/* Interned: "bvp2010-table1/p1/A2D/double/1048576". */
const char *key_path(const struct key *key);
bool key_same(const struct key *a, const struct key *b);
size_t key_hash(const struct key *key);
/* The same job without its size: what a geometric mean is taken over. */
bool key_same_method(const struct key *a, const struct key *b);
