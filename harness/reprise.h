/*
 * The types that everything shares: families, problems, variants, exhibits, papers.
 * A solver fills the first half (problems and variants), a case file the second half
 * (exhibits, claims, errata); the harness reads both and knows the contents of neither.
 * Plain structs and prototypes only: nvcc reads this file as C++.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MAX_PARAMETERS = 16, /* of one problem */
    MAX_INPUTS = 4,      /* files of one problem */
    MAX_NAMES = 16,      /* in one list of a descriptor */
    MAX_CASES = 24,      /* of one exhibit */
    MAX_LAPS = 32,       /* marks in one run */
    MAX_CURVES = 6,      /* of a figure of an answer */
    MAX_PANELS = 6
};

/* SKIPPED: cannot run here, and says why; WRONG: ran, and the answer is not good; IMPOSSIBLE: it is
 * good, and came sooner than the machine allows. */
enum status {
    OK,
    SKIPPED,
    WRONG,
    IMPOSSIBLE,
    ERR_ARGS,
    ERR_MEMORY,
    ERR_DEVICE,
    ERR_DIVERGED,
    ERR_IO
};
enum precision { SINGLE, DOUBLE, MIXED }; /* MIXED: stored single, summed double */
enum place { HOST, HOST_PARALLEL, DEVICE, HYBRID };
enum role { PUBLISHED, LIMIT, PEER, CEILING }; /* CEILING: measures the machine, not a method */

/* Every failure carries one sentence that says what to do; the harness prints it. Returns `status`,
 * so that a function ends with `return because(ERR_ARGS, "...", ...)`. The sentence is per thread.
 */
enum status because(enum status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *reason(void);
#ifdef __clang_analyzer__ /* which cannot see that because() returns its first argument */
#define because(status, ...) (because(status, __VA_ARGS__), (status))
#endif

/* Random data: the same value on every machine, in any order. */
uint64_t random_bits(uint64_t seed, uint64_t index);
double uniform(uint64_t seed, uint64_t index); /* [0, 1) */

/* --- parameters: every size and coefficient that a case or a user may fix, by name --- */

struct problem;

enum kind { INTEGER, REAL, CHOICE, TEXT };

struct parameter { /* tables end by a row without name */
    const char *name;
    enum kind kind;
    double initial, least, most;
    /* CHOICE: "ieee|historical", the value is the index; TEXT: the initial one */
    const char *words;
    const char *meaning;
};

/* Data that a user may bring in a file; tables end by a row without name. */
struct input {
    const char *name;
    const char *order; /* what a dump calls its indices, the slowest first, as "j,i" */
    const char *meaning;
};

struct params {
    const struct problem *problem;    /* whose parameters they are */
    double value[MAX_PARAMETERS];     /* in the order of the table */
    const char *text[MAX_PARAMETERS]; /* of a TEXT; outlives the params */
    const char *files[MAX_INPUTS];    /* of solve --input NAME=FILE, else null; outlive them too */
};

double get(const struct params *at, const char *name); /* asserts that the name exists */
long get_long(const struct params *at, const char *name);
const char *get_text(const struct params *at, const char *name);
void params_init(struct params *at, const struct problem *problem);
bool params_same(const struct params *a, const struct params *b);
/* `value` as a user types it: 1000, 2^20, 1e-5, a choice, a text, which is kept where it lies.
 * ERR_ARGS with the reason. */
enum status params_set(struct params *at, const char *name, const char *value);
/* "3,-3,1" as numbers, `most` at most; `name` is for the sentence. */
enum status parse_list(const char *name, const char *text, int most, double *values, int *count);
/* The file that was given for an input; or null. */
const char *get_input(const struct params *at, const char *name);
enum status params_input(struct params *at, const char *name, const char *path);
/* Of a given input: finite numbers, row after row, into values[rows * columns]. A file has one a
 * line, or a row a line, or is a dump, of which the last time counts, or NumPy's .npy. */
enum status read_input(const struct params *at, const char *name, size_t rows, size_t columns,
                       double *values);

/* --- what a family provides --- */

/* The least a run of the variant, as its algorithm stands, must compute and move, and what it
 * holds. */
struct work {
    double flops, bytes, launches;
    /* Of several cards: bytes that one sends to others, and how often it has to wait for a word of
     * another one's. */
    double sent, words;
    /* Those of the flops that tensor cores do: two in the time of one of the others. */
    double tensor;
    /* What the mathematical task takes, whatever the algorithm, in the family's unit; or 0. */
    double useful;
    /* How many steps all this counts, where judge() says how many it took; or 0. */
    double steps;
    /* Memory held at once: solution and scratch, not the judge's. */
    double host_bytes, device_bytes;
};

/* Bytes of a value of an answer. */
static inline size_t value_size(enum precision precision)
{
    return precision == DOUBLE ? sizeof(double) : sizeof(float);
}

struct instance {
    struct params at; /* at.problem is what it is an instance of */
    size_t count;     /* values in a solution */
    void *data;       /* the problem's own */
    uint64_t seed;    /* that the harness last gave to vary() */
};

struct solution {
    enum precision precision; /* SINGLE and MIXED: values are floats; DOUBLE: doubles */
    size_t count;
    void *values; /* [count], natural order; filled with NaN before every fetch */
};

struct metric_value {
    char name[32];
    double value;
};

struct judgement {
    double error; /* what decides */
    /* The error of the problem's exact discrete solution: not the variant's fault. */
    double inherent;
    /* For a task whose length its data decide, or 0: how many steps it took, by which a time is
     * divided and to which work is scaled that counts steps; and what takes the place of
     * work.useful. */
    double steps, useful;
    double h;           /* mesh width, for the order of an error from size to size; or 0 */
    double beside[5];   /* what tolerance() wants to know beside the error, of the problem's own */
    char said[64];      /* a word or two on a good answer; solve shows it beside "ok" */
    enum status status; /* OK, or why a metric was refused */
    int count;
    struct metric_value metrics[1024];
};
/* A number that the records keep under this name. Names of the harness's own are refused: those of
 * its times, `time` and `time_...`, and `status`, `batch`, `limit`, `fraction`, `task_least`,
 * `of_task`, `clock`, `throttled`, `busy`, `repeatable`, `steps`, `useful`, `h`, `bytes`, `flops`,
 * `launches`, `memory`, `temperature`, `power`, `energy`, `waited`; and `task_limit`, of runs that
 * were before.
 */
void add_metric(struct judgement *out, const char *name, double value);

/* Along an axis of a figure: `count` places in equal steps. */
struct places {
    const char *name;
    double first, last;
    size_t count;
};

enum drawn_as { CURVES, MAP, SURFACE };

/* What a figure of an answer shows: a row of values for each place of y, at the places of x; CURVES
 * are at most MAX_CURVES rows, a MAP or a SURFACE has two rows and columns at least. */
struct picture {
    enum drawn_as as;
    struct places x, y;
    const char *value;       /* what they are called, "u" */
    int panels;              /* from 1 on */
    double when[MAX_PANELS]; /* the time of each, or NaN */
    double (*at)(const struct instance *in, const struct solution *got, int panel, size_t row,
                 size_t column);
};

struct problem {                        /* tables end by a row without id */
    const char *id, *title, *source;    /* source: paper, section, equation */
    const struct parameter *parameters; /* the first one is the size, the `n` of the records */
    const struct input *inputs;         /* what --input accepts; or null */
    int code;                           /* which of the family's it is, for the family alone */
    const char *dump_header;            /* "i,u" */
    enum status (*create)(struct instance *in); /* in->at is set; fills count and data */
    /* Changes the data in a way that changes the answer, from a seed, and keeps size and cost; seed
     * 0 brings the published data back. Variants read the data again at load() or run(). Cheap
     * where a variant has no load(): short runs are timed in batches, and it is called in between.
     */
    void (*vary)(struct instance *in, uint64_t seed);
    enum status (*judge)(const struct instance *in, const struct solution *got,
                         struct judgement *out);
    void (*dump)(const struct instance *in, const struct solution *got, FILE *file);
    void (*picture)(const struct instance *in, struct picture *out); /* null where dump is */
    void (*destroy)(struct instance *in);                            /* accepts half-built */
};

struct laps;                                   /* stopwatch of one run; null: not timed */
void lap(struct laps *laps, const char *part); /* what happened since the last mark was `part` */

/* What a variant does; a file that implements one exports one such object for each precision. */
struct calls {
    enum status (*plan)(const struct instance *in, void **state); /* allocate; not timed */
    /* Input into place, not timed; null: run() starts from scratch. */
    enum status (*load)(void *state);
    enum status (*run)(void *state, struct laps *laps); /* solve; timed */
    /* Copies the answer, in the order of the problem, and is held against the time of a copy; may
     * be called again. It must not read the data, which are others by now. */
    enum status (*fetch)(void *state, struct solution *out, struct laps *laps);
    void (*destroy)(void *state); /* accepts null */
};

struct variant { /* tables end by a row without id; (id, precision) is the key */
    const char *id, *title, *source;
    enum role role;
    enum precision precision;
    enum place place;
    int code;                  /* for the family alone */
    bool ranks;                /* solves on as many ranks as its parameter of that name says */
    bool graph;                /* its runs are launches alone, and those of a batch become one */
    const char *unavailable;   /* why this build does not have it; null: it has */
    const struct calls *calls; /* null where this build does not have it, or has no device */
    /* The largest error beyond the inherent one that rounding can explain in this algorithm on
     * these data, as judge() measures it: derived, never fitted. Called after judge(), whose
     * judgement it may read, and add to: `amplification` is by how much more than the plainest
     * variant an algorithm must lose here. */
    double (*tolerance)(const struct variant *variant, const struct instance *in,
                        const struct solution *got, struct judgement *out);
    struct work (*work)(const struct variant *variant, const struct params *at);
};

struct family {
    const char *id, *title;
    const struct problem *problems;
    const struct variant *variants;
    /* What work.useful over the time is called, its unit, and in what multiple people read it:
     * "performance", "flop/s", "Gflop/s", 1e9; or null */
    const char *rate, *rate_unit, *rate_shown;
    double rate_scale;
    /* The least bytes that the task moves between memory and chip, whatever the algorithm: what a
     * time is held against beside the variant's own limit. Null: nothing is said. */
    double (*traffic)(enum precision precision, const struct params *at);
    /* The same of the operations: the fewest that are known for it here. */
    double (*operations)(const struct params *at);
};

/* --- what a paper provides --- */

struct axis { /* lists as -a takes them: "2^20,2^22" or "500:4000:500" */
    const char *smoke, *quick, *paper;
};

struct setting {
    const char *name, *value;
};

struct reach {        /* of jobs that would take too long: what is left out of the plan */
    const char *jobs; /* glob on case/variant/precision */
    long n;           /* the largest size that is run */
    const char *why;
};

struct exhibit_case {    /* a problem with some parameters fixed */
    const char *id;      /* "p1", "m=4": the `case` of the records */
    const char *problem; /* null: the id */
    struct setting fixed[4];
};

struct exhibit {                    /* tables end by a row without id */
    const char *id, *where, *title; /* "bvp2010-table1", "Table I", the caption */
    const char *family;
    /* "time", "time_per_step" (where judge() gives `steps`) or the family's rate: timed; "speedup":
     * a view; "order_X": the order in h of the judge's metric X, from one size to the next; else a
     * metric that judge() gives */
    const char *metric;
    struct exhibit_case cases[MAX_CASES];
    /* In the columns' order: ids, globs on them, and "@limit" or "@peer" for the family's variants
     * of that role, "@ranks" for those of several ranks, that are not named otherwise; of a view
     * also ratios, "A2D/A1D". */
    const char *variants[MAX_NAMES];
    bool of_machine; /* the metric is the machine's, as times are: compared, never right or wrong */
    bool falls_with_h; /* the metric is an error: its order in h, where judge() gives h, is shown */
    struct axis axis;  /* of the problem's size */
    struct setting fixed[MAX_NAMES];
    const char *published; /* exhibit whose printed values are set beside ours; null: its own */
    const char *precision; /* null: all that the variants have */
    struct reach up_to[MAX_NAMES]; /* the first one that matches counts */
    /* Glob on case/variant/precision: answers whose dump is kept in the run's folder, for a figure,
     * as fields/EXHIBIT.CASE.VARIANT.PRECISION.N.csv; or null. */
    const char *fields;
    /* A view has no jobs: it shows the times of another exhibit, or what its judge() gives, of its
     * own cases if it has some; with `over` the mean, least and largest speed-up over a list of
     * sizes. */
    const char *view_of, *over;
    const char *also[2]; /* metrics of the same jobs that its tables show, too */
    /* Of a view with ratios: the right side is of another case, as "ranks=1" for that of
     * "model2-ranks=4" which is "model2-ranks=1"; with `weak` also of the size at which a card of
     * it has as much to do, and "A/A" is then an efficiency. */
    const char *against;
    bool weak;
    /* What the y axis of its figure says, as "relative error": the report then draws the metric
     * over the size, or mean and range of an `over`. Null, or if plots/ID.gp is there: what that
     * draws. */
    const char *figure;
};

/* Relative tolerance that the numerical analysis allows between correct programs (CLOSE). The first
 * row whose glob matches exhibit/case/variant/precision/n counts. */
struct closeness {
    const char *applies_to;
    double tolerance;
    const char *why;
};

enum severity { SEVERITY_A, SEVERITY_B, SEVERITY_C }; /* changes results; misleads; cosmetic */
enum effect { EXPLAINS, VOIDS, ASSUMPTION, NOTED };

struct erratum {                   /* tables end by a row without id */
    const char *id, *place, *kind; /* kind: value, formula, text, method, unstated */
    enum severity severity;
    enum effect effect;
    const char *printed, *corrected, *evidence;
    const char *applies_to; /* glob on exhibit/case/variant/precision/n, or null */
};

/* What a correct program gives where the printed value cannot be reached: EXPLAINED(erratum). */
struct correction {
    const char *applies_to;
    const char *erratum;
    double least, most;
};

/* What a claim says of a quantity: the value of `left`, or, if it has a `right`, right / left. */
enum predicate {
    BELOW,           /* left < right in every cell */
    WITHIN,          /* least <= quantity <= most in every cell */
    REACHES,         /* the largest quantity >= least */
    GROWS_WITH_N,    /* in every case */
    FALLS_WITH_N,    /* in every case */
    GROWS_WITH_CASE, /* in the cases' order, at every n */
    FALLS_WITH_CASE, /* in the cases' order, at every n */
    LARGEST_IN_CASE  /* at every n, the quantity is largest in the case `best` */
};

struct claim { /* tables end by a row without id */
    const char *id, *where, *text;
    const char *cells; /* glob on exhibit/case/variant/precision/n of the left cells */
    const char *metric, *left, *right;
    enum predicate predicate;
    double least, most, from_n;
    const char *best;
    const char *hardware; /* of several machines in print, the one it speaks of; or null */
    const char *erratum;  /* or null */
};

struct paper { /* what it does not have is null */
    const char *id, *citation;
    const struct exhibit *exhibits;
    const struct claim *claims;
    const struct erratum *errata;
    const struct closeness *closeness;
    const struct correction *corrections;
    const char *published; /* file in cases/published, which the build puts into the program */
};

/* registry.c: the only place that names families and papers; both end by null. */
extern const struct family *const families[];
extern const struct paper *const papers[];

#ifdef __cplusplus
}
#endif
