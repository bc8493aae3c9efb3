/*
 * What the registry has, by id; null: not there. And what an exhibit says of its jobs.
 */
#pragma once
#include "reprise.h"

const struct family *find_family(const char *id);
const struct problem *find_problem(const struct family *family, const char *id);
/* precision NULL: the first with that id. */
const struct variant *find_variant(const struct family *family, const char *id,
                                   const char *precision);
const struct exhibit *find_exhibit(const char *id, const struct paper **paper);
const struct exhibit_case *find_case(const struct exhibit *exhibit, const char *id);
/* The problem that a case is of; null: the family has it not. */
const struct problem *case_problem(const struct family *family, const struct exhibit_case *of);

/* The exhibit itself, or the one that a view shows: it has the cases and the sizes. */
const struct exhibit *source_exhibit(const struct exhibit *exhibit);
/* Its variants by id, or a view's ratios "A/B", in the columns' order; ends by null. Roles and
 * globs are written out, each in the order of the family's table. */
const char *const *exhibit_variants(const struct exhibit *exhibit);
const char *role_name(enum role role);
/* Its own, or, of a view that names none, all that it shows. */
const struct exhibit_case *exhibit_cases(const struct exhibit *exhibit);
/* What a metric is to an exhibit: it says how the number is found, compared and shown. */
enum metric_kind {
    METRIC_JUDGED, /* what judge() gives */
    METRIC_TIME,
    METRIC_TIME_PER_STEP,
    METRIC_RATE, /* the family's */
    METRIC_SPEEDUP,
    METRIC_ORDER /* "order_X": the order in h of the judge's metric X */
};
enum metric_kind metric_kind(const struct exhibit *exhibit, const char *metric);
/* The X of "order_X". */
const char *metric_of_order(const char *metric);
bool exhibit_is_timed(const struct exhibit *exhibit);
/* "A/B": the variants that a speed-up compares, interned. False: it is no such ratio. */
bool ratio_sides(const char *variant, const char **left, const char **right);
/* In that precision, or in the only one that it has. Null: there is no such variant. */
const struct variant *variant_like(const struct family *family, const char *id,
                                   const char *precision);
/* What says that a job is not run at this size; null: it is. */
const struct reach *left_out(const struct exhibit *exhibit, const char *of, const char *variant,
                             const char *precision, long n);
bool uses_device(const struct variant *variant);
enum status expand_axis(const char *list, long *values, int most, int *count);
bool glob_matches(const char *glob, const char *path);

/* The tables of a paper; one that it does not have is empty. */
const struct claim *claims_of(const struct paper *paper);
const struct erratum *errata_of(const struct paper *paper);
const struct closeness *closeness_of(const struct paper *paper);
const struct correction *corrections_of(const struct paper *paper);
const char *published_of(const struct paper *paper); /* as CSV, in the columns of measured.csv */
