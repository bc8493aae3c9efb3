/*
 * What a run draws, in joules, by the card's own counter. That makes a step every 20 to 100 ms, so
 * that a run is repeated for a second and more, back to back, and the same without the run, so that
 * what is around it, to load its data above all, is taken off. What is left is what the whole card
 * draws in the span of a run, also what it would draw idle.
 */
#pragma once
#include "reprise.h"

struct energy {
    double joules; /* of one run; NaN: the card counts none, or too coarsely for this run */
    double within; /* the largest error that the counter's steps can make, as a share of them */
    long runs;     /* that it is the mean of */
};

/* Of a variant on one card, a run of which takes so many seconds, on data that change from time to
 * time. No answer is judged. */
enum status energy_of_run(struct instance *in, const struct variant *variant, void *state,
                          uint64_t seed, double seconds, struct energy *out);

/* "mean of 80 runs; right within 3 %". */
const char *energy_note(const struct energy *energy);

/* In the parent: whether workers that are started from now on measure it. */
void energy_ask(bool wanted);
bool energy_asked(void); /* in a worker */
