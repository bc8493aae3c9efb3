/*
 * Solves a case by each variant with kernels whose id matches a glob, in this process and judged,
 * as a tool such as compute-sanitizer wants it:
 *   compute-sanitizer --tool racecheck build/tests/kernels bvp/p1 'A2-limit*' n=65537
 */
#include <stdio.h>

#include "machine/device.h"
#include "run/catalogue.h"
#include "solving.h"
#include "tap.h"

enum { MOST_SETTINGS = 16 };

static void try_variant(const struct variant *v, const struct problem *problem,
                        const struct setting *settings)
{
    struct solve s;
    enum status status = prepare_problem(&s, v, problem, settings, NULL);
    if (status == SKIPPED) {
        skip(v->id, "it does not take this case");
    } else {
        for (uint64_t seed = 0; seed < 2 && status == OK; seed++)
            status = go(&s, seed);
        check(status == OK && is_good(&s), "%s %s twice", v->id, precision_of(v));
    }
    release(&s);
}

int main(int argc, char **argv)
{
    static char family_id[64];
    struct setting settings[MOST_SETTINGS + 1] = {{NULL, NULL}};
    struct device_facts facts;
    char *const slash = argc > 2 ? strchr(argv[1], '/') : NULL;
    if (slash == NULL || slash - argv[1] >= (ptrdiff_t)sizeof family_id ||
        argc - 3 > MOST_SETTINGS) {
        fprintf(stderr, "Usage: kernels FAMILY/PROBLEM GLOB [NAME=VALUE...]\n");
        return 2;
    }
    memcpy(family_id, argv[1], (size_t)(slash - argv[1]));
    const struct family *const family = find_family(family_id);
    const struct problem *const problem = family != NULL ? find_problem(family, slash + 1) : NULL;
    for (int i = 3; i < argc; i++) {
        char *const equals = strchr(argv[i], '=');
        if (equals != NULL)
            *equals = '\0';
        settings[i - 3] = (struct setting){argv[i], equals != NULL ? equals + 1 : ""};
    }
    if (problem == NULL) {
        fprintf(stderr, "kernels: there is no %s\n", argv[1]);
        return 2;
    }
    have_device = device_open(&facts) == OK;
    for (const struct variant *v = tested(family->variants); v->id != NULL; v = tested(v + 1)) {
        if (!uses_device(v) || !glob_matches(argv[2], v->id))
            continue;
        if (runs_here(v))
            try_variant(v, problem, settings);
        else
            skip(v->id, v->unavailable != NULL ? v->unavailable : "no device");
    }
    return done();
}
