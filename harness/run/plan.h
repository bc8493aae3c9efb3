/*
 * From exhibits to jobs: what a selection leaves of them.
 */
#pragma once
#include "base/key.h"
#include "run/catalogue.h"

struct job {
    const struct exhibit *exhibit;
    const struct exhibit_case *of;
    const struct family *family;
    const struct problem *problem;
    const struct variant *variant;
    struct params at;
    long n;
    struct work work;
    struct key key;
    const char *path; /* of the key */
};

enum { MOST_GLOBS = 64 };
struct selection {
    const char *globs[MOST_GLOBS], *excluded[MOST_GLOBS];
    int glob_count, excluded_count;
    const char *size;          /* smoke, quick, paper */
    const char *axis_override; /* the list of `-a n=LIST`, or null */
};
/* Adds what a word of the command line says: a glob, or @FILE, those of a file, one a line, where #
 * begins a comment. */
enum status selection_add(struct selection *selection, const char *word);

struct plan {
    struct job *jobs;
    size_t count;
};
/* Jobs in the exhibits' order. A glob that matches nothing: ERR_ARGS naming the nearest. */
enum status plan_make(const struct selection *selection, struct plan *out);
void plan_free(struct plan *plan);
enum status job_from_path(const char *path, struct job *out); /* the reverse of job.path */
/* By the globs alone, of anything that has such a path. */
bool path_selected(const struct selection *selection, const char *path);
bool selection_is_empty(const struct selection *selection); /* no glob and no -x: all jobs */
/* Sets those of the globs that match it; [MOST_GLOBS]. */
void path_mark(const struct selection *selection, const char *path, bool *matched);
double estimate_seconds(const struct job *job); /* of one solve, before anything is measured */
bool is_timed(const struct job *job);
/* The job whose measurement tells another exhibit's, the plan's i-th, too; null: the i-th is it
 * itself. A timed one does not tell one without times: that is judged on two sets of data at once,
 * which a variant that counts its runs passes less easily than a first round. */
const struct job *plan_same(const struct plan *plan, size_t i);
/* Of which jobs a paper prints what must agree, as an error or an order: [count], true for those.
 */
enum status plan_errors(const struct plan *plan, bool *printed);
int ranks_of(const struct variant *variant, const struct params *at); /* that it takes */
/* Why nothing can be learned from it in this build, as a sentence, or null: no calls, or a ceiling
 * of a device whose times mean nothing. */
const char *not_in_this_build(const struct variant *variant);
/* SKIPPED, with both numbers, if the memory that is free now does not suffice, together with so
 * many bytes that are there for a solution. */
enum status job_fits(const struct job *job, double device_free, double held);
