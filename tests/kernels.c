/*
 * Solves a case by each variant with kernels whose id matches a glob, in this process and judged,
 * as a tool such as compute-sanitizer wants it:
 *   compute-sanitizer --tool racecheck build/tests/kernels bvp/p1 'A2-limit*' n=65537
 * or by several ranks, of which the first one has the answer and judges it:
 *   mpirun -n 3 build/tests/kernels curvature/mcf gpu-ranks N=40 ranks=3
 * What bits an answer has is said, so that other programs' can be compared.
 */
#include <stdio.h>
#include <stdlib.h>

#include "machine/device.h"
#include "machine/ranks.h"
#include "run/catalogue.h"
#include "run/stock.h"
#include "solving.h"
#include "tap.h"

enum { MOST_SETTINGS = 16 };

static void say_bits(const struct solve *s, uint64_t seed)
{
    printf("# bits %s %llu %016llx\n", precision_of(s->variant), (unsigned long long)seed,
           (unsigned long long)fingerprint(&s->out));
}

/* Some runs on end, as in a batch: ranks are ahead of others by as much as the variant lets them.
 */
static enum status go_ahead(const struct solve *s)
{
    enum status status = OK;
    const struct calls *const calls = s->variant->calls;
    for (int i = 0; i < 3 && ranks_count() > 1 && status == OK; i++) {
        status = calls->load != NULL ? calls->load(s->state) : OK;
        if (status == OK)
            status = calls->run(s->state, NULL);
    }
    return status;
}

static void try_variant(const struct variant *v, const struct problem *problem,
                        const struct setting *settings)
{
    struct solve s;
    enum status status = ranks_agree(prepare_problem(&s, v, problem, settings, NULL));
    if (status == SKIPPED) {
        skip(v->id, reason());
    } else {
        for (uint64_t seed = 0; seed < 2 && status == OK; seed++) {
            status = ranks_agree(go(&s, seed));
            if (status == OK) {
                say_bits(&s, seed);
                status = ranks_agree(go_ahead(&s));
            }
        }
        check(status == OK && (ranks_own() > 0 || is_good(&s)), "%s %s twice", v->id,
              precision_of(v));
    }
    release(&s);
}

/* Of the ranks the first one alone speaks. */
static enum status join(const struct setting *settings)
{
    int count = 1;
    for (; settings->name != NULL; settings++)
        if (strcmp(settings->name, "ranks") == 0)
            count = atoi(settings->value);
    const enum status status = ranks_join(count);
    if (status == OK && ranks_own() > 0 && freopen("/dev/null", "w", stdout) == NULL)
        return because(ERR_IO, "there is no /dev/null");
    return status;
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
    if (join(settings) != OK) {
        fprintf(stderr, "kernels: %s\n", reason());
        return 2;
    }
    have_device = ranks_agree(device_open(&facts)) == OK && ranks_connect() == OK;
    for (const struct variant *v = tested(family->variants); v->id != NULL; v = tested(v + 1)) {
        if (!uses_device(v) || !glob_matches(argv[2], v->id) || (ranks_count() > 1 && !v->ranks))
            continue;
        if (runs_here(v))
            try_variant(v, problem, settings);
        else
            skip(v->id, v->unavailable != NULL ? v->unavailable : "no device");
    }
    const int status = done();
    ranks_leave();
    return status;
}
