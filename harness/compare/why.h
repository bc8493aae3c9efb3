/*
 * Why a job takes another time on one machine than on another: by how much the memory, the
 * arithmetic and the launches are faster there, and what is left. And geometric means of that over
 * the jobs of a method.
 *
 * The rule. A job's limit is the longest of the times that its bytes, its operations and its
 * launches take at the machine's ceilings (run/limits.h). All ceilings go from those of the first
 * machine to those of the second together, in logarithms and each at its own even pace; at every
 * moment the change of the limit is that of the ceiling that is the limit. So a ceiling that is the
 * limit on both machines has all of the change; where another one takes over, each has its part of
 * the way. No order has to be chosen, the way back has the same parts, and their product is the
 * ratio of the limits. What the ratio of the times is beyond that, is the rest: how much nearer to
 * its limit the job is, and what else its algorithm took if that is another one. Where the two
 * sides' work is not the same the parts are geometric means of those for either.
 */
#pragma once
#include "compare/side.h"
#include "run/plan.h"

struct why {             /* factors, of which 2 is twice as fast on the second machine */
    double faster;       /* the whole: time over time */
    double by[CEILINGS]; /* NaN: a side does not know its ceiling, and the rest has its part too */
    double rest;         /* faster over those */
};

/* What a job's time is held against: the shares of it that these would take. NaN: not known. */
struct against {
    double copy;  /* its least bytes, at the copy bandwidth */
    double limit; /* the limit of its own work */
    double task;  /* that of the least that the couple's task takes, whatever the variant */
};

/* A job on both sides; of the fastest variants it may be two. */
struct couple {
    struct key key; /* what it is called */
    const struct record *records[2];
};

struct mean {       /* over the couples of a method, see key_same_method() */
    struct key key; /* of the first of them */
    int jobs;
    const char *variants[2]; /* that they have, "A|B" */
    const char *errata;      /* that make the sides unlike, "C23 R19"; or "" */
    struct why why;
    struct against against[2];
};

/* The parts of the ratio of two limits, in logarithms: from[] and to[] are the seconds that the
 * parts of a work take at either machine's ceilings. Where one is not above 0 on both sides, it has
 * no part. */
void split_limits(const double from[CEILINGS], const double to[CEILINGS], double logs[CEILINGS]);

struct why why_faster(const struct side *const sides[2], const struct couple *couple);
/* Of the record on the side `k`; the other one may have counted the work of a printed time. The
 * task is that of the couple's key, also where a more precise variant stands in. */
struct against held_against(const struct side *const sides[2], const struct couple *couple, int k);

/* "erratum C23", "errata C23 R19", or "". */
const char *errata_shown(const char *errata);

/* In the order of the first couple of each; to be freed. */
enum status means_of(const struct side *const sides[2], const struct couple *couples, size_t count,
                     struct mean **out, size_t *mean_count);
/* The run's fastest variant of the key's task, whatever the exhibit, among those of at least its
 * precision, on the GPU or on the CPU alone, one card a job. Null: none has a time. */
const struct record *fastest_of_task(const struct folder *run, const struct key *key, bool device);
/* The fastest variants of each task that the first side has a time of, among those of at least the
 * precision, on the GPU and on the CPU alone, one card a job: the variant is then "fastest-gpu" or
 * "fastest-cpu". `selection` may be null; it chooses tasks, and no variants of the second side. To
 * be freed. */
enum status fastest_of(const struct side *const sides[2], const struct selection *selection,
                       struct couple **out, size_t *count);
