/*
 * Measured beside published: a cell for every number, its verdict, and the outcome of the claims.
 */
#pragma once
#include "base/record.h"
#include "machine/facts.h"
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

struct cell {
    const struct exhibit *exhibit;
    const struct paper *paper;
    char of[48], variant[48], precision[16], n[24], metric[32];
    char printed[32], hardware[64]; /* as the paper has it; "" where it has nothing */
    struct {                        /* the same from another machine of the paper */
        char printed[32], hardware[64];
        double published;
    } second;
    double published, reproduced, ci_lo, ci_hi, fraction; /* in SI units */
    enum verdict verdict;
    bool left_out;  /* not measured, because no plan has its job: it takes too long */
    const char *id; /* of the erratum */
    char note[320];
};

struct outcome { /* of a claim */
    const struct claim *claim;
    const struct paper *paper;
    int cells[2], holds[2]; /* [in print, here] */
    double largest[2];      /* quantity; NaN: none */
    char verdict[2][16];    /* HOLDS, PARTLY, TIED, REVERSED, NOT PRINTED, NOT MEASURED */
};

struct comparison {
    struct csv *measured;
    struct cell *cells;
    size_t count, capacity;
    struct outcome *claims;
    size_t claim_count;
    struct facts facts;
    char last_line[512];
    int of[VERDICT_NOT_MEASURED + 1]; /* printed cells per verdict */
    int printed;                      /* cells that the paper prints, of the run's exhibits */
    int left_out;                     /* of those that were not measured */
    int failed;                       /* jobs that failed, are wrong or crashed */
};
enum status compare_load(const char *folder, const struct selection *selection,
                         struct comparison *out);
void compare_free(struct comparison *comparison);
/* Null: not there. precision null: any. */
const struct cell *find_cell(const struct comparison *all, const struct exhibit *exhibit,
                             const char *of, const char *variant, const char *precision,
                             const char *n, const char *metric);
/* A number of measured.csv; NaN: not there. n as text, as in the records. */
double measured_value(const struct comparison *all, const char *exhibit, const char *of,
                      const char *variant, const char *precision, const char *n, const char *metric,
                      const char *statistic);
/* The status row's note of a job, or null. */
const char *measured_status(const struct comparison *all, const char *exhibit, const char *of,
                            const char *variant, const char *precision, const char *n);
/* "mean", "min" or "max" of the values, count >= 1. */
double summarise(const char *statistic, const double *values, int count);
bool exhibit_in_run(const struct comparison *all, const struct exhibit *exhibit);
/* Errata that speak of the cells of the run: true for those that were applied. */
bool erratum_applied(const struct comparison *all, const struct paper *paper,
                     const struct erratum *erratum);
/* The verdict on a must-agree number; sets id and note. For tests as well. */
enum verdict judge_cell(const struct paper *paper, const char *path, const char *printed,
                        double reproduced, const char **id, char *note, size_t size);
double unit_scale(const char *unit); /* of a printed unit that is not SI: what one of it is; or 1 */
/* Half a unit of the last printed digit; "1.732620e-04" -> 0.5e-10. */
double printed_resolution(const char *printed);
