#!/usr/bin/env bash
# The two recipes of CONTRIBUTING, followed step by step in a copy of the tree: a variant, which then
# appears by itself wherever its role is asked for, and a family with a paper that has one exhibit and
# no claims, errata, closeness or corrections. Files are counted: new ones, and those edited.
# The copy is built without a device and with warnings as errors, so that build is tested too.
set -u
here=$(realpath "$(dirname "$0")")
. "$here/tap.sh"

cp -r "$here"/../{harness,solvers,cases,plots,meson.build,meson_options.txt} . || exit 1
mkdir tests packaging
: >tests/meson.build
: >packaging/meson.build
tree='harness solvers cases plots meson.build'

remember()
{
    # shellcheck disable=SC2086
    rm -rf before && mkdir before && cp -r $tree before
}

# changed NEW EDITED: so many files are new since, and so many others than they were
changed()
{
    local new=0 edited=0 file
    for file in $(find $tree -type f); do
        if ! test -f "before/$file"; then
            new=$((new + 1))
        elif ! cmp -s "$file" "before/$file"; then
            edited=$((edited + 1))
        fi
    done
    echo "$new new, $edited edited"
    test $new -eq "$1" && test $edited -eq "$2"
}

# --- a variant ---

remember
# 1: a file in the family's folder
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

# 2: a row in the family's table, before the one that ends it, and above the table its calls
sed -i '/^const struct variant bvp_variants/i extern const struct calls bvp_recipe;
    /^const struct variant bvp_variants/,/{\.id = NULL}/ {
        /{\.id = NULL}/i \
    {.id = "RECIPE", .title = "two sums, in double", .source = "ours", .role = PEER, \
     .precision = DOUBLE, .place = HOST, .tolerance = a1_tolerance, .work = a1_work, \
     .calls = &bvp_recipe},
    }' solvers/bvp/variants.c
# 3: a word for the build
sed -i "s|'bvp/problems.c'|&, 'bvp/recipe.c'|" solvers/meson.build
point 'a variant is one new file and two edited ones' changed 1 2

# --- a family with a paper ---

remember
mkdir solvers/squares
# 1: the printed numbers
cat >cases/published/squares2026.csv <<'CSV'
exhibit,case,variant,precision,hardware,n,metric,statistic,value,unit,note
squares2026-table1,first,LOOP,double,A Machine,10,largest,value,81,1,
squares2026-table1,first,LOOP,double,A Machine,20,largest,value,361,1,
squares2026-table1,first,LOOP,double,A Machine,10,time,value,0.25,s,
squares2026-table1,first,LOOP,double,A Machine,20,time,value,0.5,s,
CSV
# 2: the paper, which has an exhibit and nothing else
cat >cases/squares2026.c <<'C'
/*
 * A paper for a test: one table, of times with the largest square beside them.
 */
#include "reprise.h"

static const struct exhibit exhibits[] = {
    {"squares2026-table1", "Table 1", "Time of the squares; it's short", "squares", "time",
     .cases = {{.id = "first"}}, .variants = {"LOOP", "@limit", "@peer"},
     .axis = {.smoke = "10,20", .quick = "10,20", .paper = "10,20"}, .figure = "time, s"},
    {.id = NULL},
};

const struct paper squares2026_paper = {.id = "squares2026",
                                        .citation = "Nobody, Squares, 2026.",
                                        .exhibits = exhibits,
                                        .published = "squares2026.csv"};
C
# 4: its words
sed -i "s/^papers = \[/&'squares2026', /" meson.build
sed -i 's/^extern const struct paper /&squares2026_paper, /
    s/^const struct paper \*const papers\[\] = {/&\&squares2026_paper, /
    s/^extern const struct family /&squares_family, /
    /^const struct family \*const families\[\]/,/;/ s/&ceilings_family,/& \&squares_family,/' \
    harness/registry.c
# 5: its family
cat >solvers/squares/problems.c <<'C'
/*
 * The squares of 0, 1, ..., in sum: a task for a test. Its size has a name of its own.
 */
#include <math.h>
#include <stdlib.h>

#include "squares.h"

static const struct parameter parameters[] = {
    {"cells", INTEGER, 10, 1, 1e6, NULL, "how many"},
    {.name = NULL},
};

static enum status create(struct instance *in)
{
    struct squares *s = malloc(sizeof *s);
    if (s == NULL)
        return because(ERR_MEMORY, "there is no memory for the squares");
    *s = (struct squares){get_long(&in->at, "cells"), 1};
    in->data = s;
    in->count = (size_t)s->cells;
    return OK;
}

static void vary(struct instance *in, uint64_t seed)
{
    struct squares *s = in->data;
    s->scale = seed == 0 ? 1 : 1 + uniform(seed, 0);
}

static enum status judge(const struct instance *in, const struct solution *got,
                         struct judgement *out)
{
    const struct squares *s = in->data;
    const double *values = got->values;
    for (long i = 0; i < s->cells; i++) {
        const double exact = s->scale * (double)i * (double)i;
        const double error = fabs(values[i] - exact) / fmax(1, exact);
        out->error = out->error >= error ? out->error : error;
    }
    add_metric(out, "largest", values[s->cells - 1]);
    return OK;
}

static void destroy(struct instance *in)
{
    free(in->data);
}

const struct problem squares_problems[] = {
    {.id = "first",
     .title = "squares from 0 on",
     .source = "Section 1",
     .parameters = parameters,
     .create = create,
     .vary = vary,
     .judge = judge,
     .destroy = destroy},
    {.id = NULL},
};
C
cat >solvers/squares/squares.h <<'C'
/*
 * What the problem and the variant of the family tell each other.
 */
#pragma once
#include "reprise.h"

struct squares {
    long cells;
    double scale;
};

extern const struct problem squares_problems[];
C
cat >solvers/squares/loop.c <<'C'
/*
 * Each square from the one before it, by the odd numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "squares.h"

struct loop {
    const struct squares *in;
    double *values; /* [cells] */
};

static enum status plan(const struct instance *in, void **state)
{
    const struct squares *squares = in->data;
    struct loop *s = malloc(sizeof *s);
    double *values = malloc(in->count * sizeof *values);
    if (s == NULL || values == NULL) {
        free(values);
        free(s);
        return because(ERR_MEMORY, "there is no memory for the squares");
    }
    *s = (struct loop){squares, values};
    *state = s;
    return OK;
}

static enum status run(void *state, struct laps *laps)
{
    const struct loop *s = state;
    double sum = 0;
    for (long i = 0; i < s->in->cells; i++) {
        s->values[i] = s->in->scale * sum;
        sum += (double)(2 * i + 1);
    }
    lap(laps, "loop");
    return OK;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct loop *s = state;
    memcpy(out->values, s->values, out->count * sizeof *s->values);
    lap(laps, "back");
    return OK;
}

static void destroy(void *state)
{
    struct loop *s = state;
    if (s != NULL)
        free(s->values);
    free(s);
}

const struct calls squares_loop = {.plan = plan, .run = run, .fetch = fetch, .destroy = destroy};
C
cat >solvers/squares/variants.c <<'C'
/*
 * The one variant of the family.
 */
#include "squares.h"

static double tolerance(const struct variant *v, const struct instance *in,
                        const struct solution *got, struct judgement *out)
{
    (void)v, (void)in, (void)got, (void)out;
    return 0x1p-50; /* a product on each side */
}

static struct work work(const struct variant *v, const struct params *at)
{
    const double n = get(at, "cells"), size = (double)value_size(v->precision);
    return (struct work){.flops = 2 * n, .bytes = size * n, .host_bytes = size * n};
}

extern const struct calls squares_loop;
static const struct variant variants[] = {
    {.id = "LOOP",
     .title = "the loop",
     .source = "Section 1",
     .role = PUBLISHED,
     .precision = DOUBLE,
     .place = HOST,
     .tolerance = tolerance,
     .work = work,
     .calls = &squares_loop},
    {.id = NULL},
};

const struct family squares_family = {
    .id = "squares", .title = "squares", .problems = squares_problems, .variants = variants};
C
sed -i "s|'bvp/problems.c'|'squares/problems.c', 'squares/variants.c', 'squares/loop.c',\n  &|" \
    solvers/meson.build
point 'a family with a paper is six new files and three edited ones' changed 6 3

# --- both in one build ---

point 'configured' meson setup build -Doptimization=0 -Ddevice=none -Dpeers=disabled -Dwerror=true
point 'built without a warning' ninja -C build reprise
reprise=$PWD/build/reprise

point 'the variant is listed' sh -c "'$reprise' list variants bvp/RECIPE | grep RECIPE"
point 'its role makes it a job' sh -c \
    "'$reprise' list jobs bvp2010-table3 --size smoke | grep bvp2010-table3/p1/RECIPE/double/1024"
for problem in p1 p2; do
    point "solve bvp/$problem --variant RECIPE" \
        gives 0 "$reprise" solve bvp/$problem --variant RECIPE --set n=1000
done
point 'a device variant is skipped there' sh -c \
    "'$reprise' solve bvp/p1 --variant A2D --set n=1000 | grep 'status,value,,,\"*skipped'"
point 'a run without device and OpenBLAS' gives 0 "$reprise" run bvp2010-table3 --size smoke --quick \
    --out bare
point 'skips what it has not' \
    test "$(grep -c 'status,value,,,"*skipped' bare/measured.csv)" -eq 20
gives 0 "$reprise" report bare
point 'the variant is in the table' grep -q 'RECIPE' bare/tables/bvp2010-table3.txt
point 'and in the figure' grep -q "^variants = '.* lapack-dptsv cumsum cub-sums cusparse-gtsv2 RECIPE'" \
    bare/figures/bvp2010-table3.gp
point 'with its role' grep -q "^roles = '.* peer peer'" bare/figures/bvp2010-table3.gp
point 'a figure that names its variants is as before' sh -c \
    "'$reprise' list jobs bvp2010-table1 --size smoke >jobs && ! grep RECIPE jobs"

point 'the paper is listed' sh -c "'$reprise' list exhibits 'squares*' | grep 'Table 1'"
for tables in claims errata; do
    point "list $tables" gives 0 "$reprise" list $tables
    point 'without any of its own' sh -c "grep -q bvp2010 out && ! grep squares out"
done
point 'plan' gives 0 "$reprise" plan squares2026-table1 --size smoke
point 'run' gives 0 "$reprise" run squares2026-table1 --size smoke --quick --out squares
point 'verdict' gives 0 "$reprise" verdict squares
point 'what is printed is the same' grep -q 'LOOP/double/20 largest: printed 361, here 361: SAME' out
point 'report' gives 0 "$reprise" report squares
point 'its table' grep -q '0\.25' squares/tables/squares2026-table1.txt
if command -v gnuplot >out; then
    point 'its figure' grep -q 'cells, how many' squares/figures/squares2026-table1.svg
    point 'the other figure' grep -q RECIPE bare/figures/bvp2010-table3.svg
fi
point 'compare' gives 0 "$reprise" compare squares squares
# The same paper, if it printed nothing.
sed -i '/\.published =/d; s/\.exhibits = exhibits,/.exhibits = exhibits};/' cases/squares2026.c
rm cases/published/squares2026.csv
point 'configured without printed values' meson setup --reconfigure build
point 'built' ninja -C build reprise
for verb in verdict report; do
    point "$verb" gives 0 "$reprise" $verb squares
done
point 'compare' gives 0 "$reprise" compare squares squares
point 'no cell is printed' grep -q 'prints no numbers' squares/report.md

finish
