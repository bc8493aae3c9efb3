/*
 * Measured beside published: a cell for every number, its verdict, and the outcome of the claims.
 */
#pragma once
#include "base/document.h"
#include "run/catalogue.h"
#include "run/folder.h"
#include "run/plan.h"

enum verdict {
    VERDICT_SAME,
    VERDICT_CLOSE,
    VERDICT_EXPLAINED,
    VERDICT_DIFFERS,
    VERDICT_COMPARED,    /* a time, or what else is the machine's: never a pass or fail */
    VERDICT_NOT_PRINTED, /* ours alone */
    VERDICT_NOT_MEASURED
};
extern const char *const verdict_names[];

struct printed { /* what a paper has; digits "" and value NaN where it has nothing */
    const char *digits, *hardware;
    double value; /* in SI units */
};

struct cell {
    const struct paper *paper;
    const struct exhibit *exhibit;
    struct key key; /* of this exhibit, also where it shows another's */
    const char *metric;
    struct printed printed, second;            /* the second from another machine of the paper */
    double reproduced, ci_lo, ci_hi, fraction; /* in SI units; NaN: not there */
    enum verdict verdict;
    enum state state; /* of its job; of a speed-up, of the one that has no time */
    bool voided;      /* what is printed contradicts the paper itself: `id` says how */
    bool left_out;    /* not measured, because no plan has its job: it takes too long */
    const char *id;   /* of the erratum; "": none */
    const char *note;
};

enum hold { HOLDS, PARTLY, TIED, REVERSED, CLAIM_NOT_PRINTED, CLAIM_NOT_MEASURED };
extern const char *const hold_names[];
enum where { IN_PRINT, HERE };

struct outcome { /* of a claim, [in print, here] */
    const struct claim *claim;
    const struct paper *paper;
    int cells[2], holds[2];
    double largest[2]; /* quantity in them; NaN: none */
    enum hold hold[2];
};

struct verdicts {
    struct folder folder;
    struct cell *cells;
    size_t count, capacity;
    struct outcome *claims;
    size_t claim_count;
    const char *last_line;
    int of[VERDICT_NOT_MEASURED + 1]; /* printed cells per verdict */
    int printed;                      /* cells that the paper prints, of the run's exhibits */
    int left_out;                     /* of those that were not measured */
    int failed;                       /* jobs that failed, are wrong or crashed */
};

/* On a run's folder, of the cells that a selection leaves; null: of all. */
enum status verdicts_load(const char *folder, const struct selection *selection,
                          struct verdicts *out);
void verdicts_free(struct verdicts *all);
/* The verb verdict; and what it and report exit with: 4: a cell that must agree DIFFERS; 1: a job
 * failed or is wrong. */
int verdict_folder(const char *folder, const struct selection *selection, const char *format);
/* A cell as a program for tests sees it. */
struct check cell_check(const struct cell *cell);
int verdicts_exit(const struct verdicts *all);

/* --- cells.c --- */

/* The cells of an exhibit, printed and measured, each with its verdict. */
void exhibit_cells(struct verdicts *all, const struct paper *paper, const struct exhibit *e,
                   const struct measurement *published, size_t count);
/* That of the key, but for its exhibit, which is `e`. Null: not there. precision null: any. */
const struct cell *find_cell(const struct verdicts *all, const struct exhibit *e,
                             const struct key *key, const char *metric);
/* The job that gave a cell its number: that of a view is another exhibit's. */
struct key cell_job(const struct cell *cell);
bool exhibit_in_run(const struct folder *folder, const struct exhibit *exhibit);
/* The verdict on a number that must agree; sets id and note. */
enum verdict verdict_on(const struct paper *paper, const struct key *key, const char *printed,
                        double reproduced, const char **id, const char **note);
double unit_scale(const char *unit); /* of a printed unit that is not SI: what one of it is; or 1 */
/* Half a unit of the last printed digit; "1.732620e-04" -> 0.5e-10. */
double printed_resolution(const char *printed);
/* "mean", "min" or "max" of the values, count >= 1. */
double summarise(const char *statistic, const double *values, int count);

/* --- claims.c --- */

/* The outcome of every claim that speaks of cells of the run. */
enum status claims_decide(struct verdicts *all);
/* The cell is one of the outcome's cells[HERE]. */
bool judged_here(const struct verdicts *all, const struct outcome *outcome,
                 const struct cell *cell);
/* Errata that speak of the cells of the run: true for those that were applied. */
bool erratum_applied(const struct verdicts *all, const struct paper *paper,
                     const struct erratum *erratum);
