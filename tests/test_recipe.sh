#!/bin/sh
# The recipe of CONTRIBUTING for a new variant, followed in a copy of the tree: a file, a table row
# with its calls declared, a word for the build; then it must solve.
# The copy is built without a device and with warnings as errors, so that build is tested too.
set -u
cd "$(dirname "$0")/.." || exit 1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
points=0 failures=0

# point NAME COMMAND...: its output is shown if it fails
point()
{
    name=$1
    shift
    points=$((points + 1))
    if "$@" >"$tree/out" 2>&1; then
        echo "ok $points - $name"
    else
        echo "not ok $points - $name"
        { echo "not ok $points - $name" && cat "$tree/out"; } >&2
        failures=$((failures + 1))
    fi
}

cp -r harness solvers cases plots meson.build meson_options.txt "$tree" || exit 1
mkdir "$tree/tests"
: >"$tree/tests/meson.build"
cd "$tree" || exit 1

cat >solvers/bvp/recipe.c <<'C'
/*
 * Two sums, backwards and forwards, in the order of the formula; a variant for a test.
 */
#include "bvp.h"

#include <stdlib.h>
#include <string.h>

#include "rhs.h"

struct recipe {
    const struct bvp *in;
    double *u; /* [n] */
};

static enum status plan(const struct instance *in, void **state)
{
    const struct bvp *b = in->data;
    struct recipe *s = calloc(1, sizeof *s);
    double *u = malloc(b->n * sizeof *u);
    if (s == NULL || u == NULL) {
        free(u);
        free(s);
        return because(ERR_MEMORY, "there is no memory for %zu values", b->n);
    }
    s->in = b;
    s->u = u;
    *state = s;
    return OK;
}

static enum status run(void *state, struct laps *laps)
{
    const struct recipe *s = state;
    const struct bvp *b = s->in;
    const double h = 1.0 / (double)b->n;
    for (size_t i = 0; i < b->n; i++) {
        const double f = b->f != NULL ? b->f[i] : rhs_double(b->code, h * (double)i);
        s->u[i] = (i == 0 ? 0.5 : 1.0) * b->amplitude * h * h * f;
    }
    for (size_t i = 1; i < b->n; i++)
        s->u[i] += s->u[i - 1];
    for (size_t i = b->n - 1; i-- > 0;)
        s->u[i] += s->u[i + 1];
    lap(laps, "solve");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct recipe *s = state;
    memcpy(out->values, s->u, s->in->n * sizeof *s->u);
    lap(laps, "back");
    return OK;
}

static void destroy(void *state)
{
    struct recipe *s = state;
    if (s != NULL)
        free(s->u);
    free(s);
}

const struct calls bvp_recipe = {.plan = plan, .run = run, .fetch = fetch, .destroy = destroy};
C

# The row goes before the one that ends the table, the calls before those of A1.
awk '/^const struct variant bvp_variants/ { inside = 1 }
    inside && /\{\.id = NULL\}/ {
        print "    {.id = \"RECIPE\","
        print "     .title = \"two sums, in double\","
        print "     .source = \"ours\","
        print "     .role = PEER,"
        print "     .precision = DOUBLE,"
        print "     .place = HOST,"
        print "     .tolerance = a1_tolerance,"
        print "     .work = a1_work,"
        print "     .calls = &bvp_recipe},"
        inside = 0
    }
    { print }' solvers/bvp/variants.c >row.c && mv row.c solvers/bvp/variants.c
sed 's/^extern const struct calls /&bvp_recipe, /' solvers/bvp/bvp.h >bvp.h &&
    mv bvp.h solvers/bvp/bvp.h
sed "s|'bvp/problems.c'|&, 'bvp/recipe.c'|" solvers/meson.build >word && mv word solvers/meson.build

point 'configured' meson setup build -Doptimization=0 -Ddevice=none -Dpeers=disabled -Dwerror=true
point 'built without a warning' ninja -C build reprise
point 'listed' sh -c './build/reprise list variants "bvp/RECIPE" | grep RECIPE'
point 'solve bvp/p1 --variant RECIPE --set n=1000' \
    ./build/reprise solve bvp/p1 --variant RECIPE --set n=1000
point 'solve bvp/p2 --variant RECIPE --set n=1000' \
    ./build/reprise solve bvp/p2 --variant RECIPE --set n=1000
point 'a device variant is skipped there' \
    sh -c './build/reprise solve bvp/p1 --variant A2D --set n=1000 | grep "status,value,,,\"*skipped"'
point 'a run without device and OpenBLAS' \
    ./build/reprise run bvp2010-table3 --size smoke --quick --out bare
point 'skips what it has not' \
    sh -c 'test "$(grep -c "status,value,,,\"*skipped" bare/measured.csv)" -eq 6'
echo "1..$points"
test "$failures" -eq 0
