/*
 * The noise from run to run of each job of a comparison, from whatever ran more than once: what
 * `run --self` repeated, earlier references of the machine, and the two runs themselves.
 */
#pragma once
#include "base/document.h"
#include "compare/side.h"

/* What a job's time depends on, as far as its noise goes. */
enum bound { BY_DEVICE, BY_LAUNCHES, BY_MEMORY, BY_CORES, BOUNDS };

struct noises {
    struct noise *of_job; /* in the order of NEW's records; null: nothing was asked */
    struct noise_of_bound {
        struct noise noise;
        size_t jobs, repeated, differences; /* `repeated`: of how many jobs the differences are */
        size_t at_hand;                     /* differences of the two runs themselves */
    } of[BOUNDS];
};

/* `earlier`: folders of earlier references, the newest first. */
enum status noises_load(const struct side *base, const struct side *now, const char *const *earlier,
                        int earlier_count, struct noises *out);
void noises_free(struct noises *noises);
/* A line for each kind of job that there is; null: none. */
void noises_put(const struct noises *noises, struct document *d);
