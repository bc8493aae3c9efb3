/*
 * What a run knows while it goes on: its jobs, how far each is, and its folder.
 */
#pragma once
#include "machine/facts.h"
#include "run/cost.h"
#include "run/limits.h"
#include "run/rows.h"
#include "run/run.h"
#include "run/standing.h"
#include "run/status.h"

struct progress { /* of one job over its rounds */
    struct job job;
    struct progress *same; /* another exhibit's, whose rounds are this one's too; or null */
    int *rounds;           /* [rounds_done]: the number of each */
    double *times;         /* [rounds_done]: the median of each, in seconds; NaN: it has none */
    int rounds_wanted, rounds_done;
    double seconds;     /* the last round took this long in the worker */
    double expected;    /* the next one will, as the begin of a leg had it */
    double last, least; /* of a ceiling: the least time of the last round, and of all */
    double asked;       /* of a ceiling: when it was measured last, by now() */
    bool error_printed; /* a paper prints an error of this job, which must agree */
    bool ended;         /* no further round */
    bool told;          /* of an exhibit's first job: that all of them have ended */
    enum state state;   /* of its last round */
    const char *note;   /* the same in words */
};

struct run {
    const struct run_options *options;
    const char *program; /* of the workers; null: this one */
    const char *turns;   /* what both runs that take turns call it; or null */
    struct run *other;   /* whose rounds follow ours, and go before them the next time; or null */
    struct progress *jobs, *ceilings;
    size_t count, ceiling_count;
    struct facts facts;
    struct limits limits; /* the best of all ceilings so far */
    struct journal samples;
    const char *folder;
    int lock;
    double waited;     /* seconds for the GPU, of which the first ones were told */
    int worker_number; /* the ceilings' round: they are measured once in every worker */
    int card;          /* of the worker's, if it is one rank: struct start */
    double begin, busy;
    double running; /* of the busy seconds, those of solvers */
    double around;  /* of the busy seconds, those of workers beside their jobs */
    struct costs costs;
};

/* The ceilings go on with every worker. */
bool is_ceiling(const struct run *run, const struct progress *p);
bool has_round(const struct progress *p, int round); /* it was taken */
/* The status of a job for which there was no time: it is no round of it, and a resumed run has it
 * again. */
bool is_out_of_time(const char *note);
const char *out_of_time(double budget);
/* Half of the 95 % interval of its times, as a share of them; NaN before the third round. */
double half_width(const struct progress *p);
void progress_free(struct progress *p);
/* How many rounds all jobs have, of those that were asked for; but for jobs that the budget left
 * out, unless nothing else is good. */
int rounds_achieved(const struct run *run);
/* A round of a job is over: takes its rows, the status last, and decides whether it was the last.
 */
enum status take_round(struct run *run, struct progress *p, const struct sample *rows,
                       size_t count);
/* resume.c. Makes the run's folder, or goes on in it with --resume: what it holds of our jobs is
 * taken, a half-written tail and what is to be retried are left out, and kept in
 * samples.csv.before. What is damaged or kept is refused as it stands. */
enum status open_folder(struct run *run);
/* The jobs that a run with --resume is of where the command line names none; and notes, for the
 * next one, what chose them. */
void recall_selection(struct run *run, struct selection *s);
/* Writes run.csv, with what the folder is and how many rounds all jobs have. */
enum status note_state(struct run *run, enum folder_state state);
