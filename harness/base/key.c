/*
 * Keys of jobs and cells: made, parsed, printed, compared.
 */
#include "base/key.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"

struct key key_make(const char *exhibit, const char *of, const char *variant, const char *precision,
                    const char *n)
{
    return (struct key){intern(exhibit), intern(of), intern(variant), intern(precision), intern(n)};
}

/* The variant is what two parts before it and two behind it leave: it may hold a slash. */
bool key_parse(const char *path, struct key *out)
{
    const char *const of = strchr(path, '/');
    const char *const variant = of != NULL ? strchr(of + 1, '/') : NULL;
    const char *const n = strrchr(path, '/');
    const char *precision = n;
    while (variant != NULL && precision > variant && precision[-1] != '/')
        precision--;
    if (variant == NULL || precision - 1 <= variant + 1 || of == path || variant == of + 1 ||
        n == precision || n[1] == '\0')
        return false;
    *out = (struct key){internf("%.*s", (int)(of - path), path),
                        internf("%.*s", (int)(variant - of - 1), of + 1),
                        internf("%.*s", (int)(precision - variant - 2), variant + 1),
                        internf("%.*s", (int)(n - precision), precision), intern(n + 1)};
    return true;
}

const char *key_path(const struct key *key)
{
    return internf("%s/%s/%s/%s/%s", key->exhibit, key->of, key->variant, key->precision, key->n);
}

bool key_same_method(const struct key *a, const struct key *b)
{
    return a->exhibit == b->exhibit && a->variant == b->variant && a->precision == b->precision;
}

bool key_same(const struct key *a, const struct key *b)
{
    return key_same_method(a, b) && a->of == b->of && a->n == b->n;
}

size_t key_hash(const struct key *key)
{
    const char *const parts[] = {key->exhibit, key->of, key->variant, key->precision, key->n};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hash = (hash ^ (uintptr_t)parts[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 16);
}
