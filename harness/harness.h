/*
 * What the files of the harness tell each other. Solvers and cases do not include it.
 */
#pragma once
#include "reprise.h"

#include <stdlib.h>

/* --- core.c --- */

const char *precision_name(enum precision precision); /* "single", "double", "mixed" */
bool parse_number(const char *text, double *out);     /* 1000, 2^20, 1e-5; finite */
bool word_in(const char *list, const char *word, char separator);
const char *nearest(const char *word, const char *const *names); /* names ends by null */

/* --- statistics.c --- */

/* Quantile q of n values, linear between order statistics (R's type 7). Sorts x. NaN if n = 0. */
double quantile(double *x, size_t n, double q);
double student_t975(size_t degrees); /* t(0.975, degrees); NaN for 0 degrees */
double student_t995(size_t degrees);

struct estimate {
    double value, ci_lo, ci_hi; /* ci: NaN when there are fewer than 3 rounds */
};
/* Log-mean of positive round medians and its 95 % interval, t over rounds. */
struct estimate estimate_rounds(const double *medians, size_t rounds);

enum change { CHANGE_SAME, CHANGE_SLOWER, CHANGE_FASTER, CHANGE_UNCLEAR };
struct ratio { /* of two times of the same job, and what it says */
    enum change change;
    double value, ci_lo, ci_hi;    /* 99 % interval; NaN when a side has fewer than 3 rounds */
    double of_rounds, of_sessions; /* halves of the interval of its logarithm, by their cause */
    double error;                  /* standard error of its logarithm, of the rounds alone */
};
/* Positive round medians of two runs on one machine. `session`: standard deviation of the logarithm
 * of a time from one run to another of the same program, which rounds within a run cannot see; 0
 * where the two ran interleaved. SLOWER and FASTER: by more than 1 %, beyond the interval; SAME:
 * within 5 %, interval included. */
struct ratio ratio_of_rounds(const double *before, size_t before_rounds, const double *after,
                             size_t after_rounds, double session);
/* What ratio_of_rounds takes as `session`, from jobs that one program ran twice: what is left of
 * their ratios' deviation from 1 when that of the rounds is taken off. NaN if there are none. */
double noise_of(const struct ratio *ratios, size_t count);

/* --- timing.c --- */

double now(void); /* seconds, monotonic */

struct laps {
    bool device; /* marks are device events; else host clock */
    int count;   /* marks after the first */
    const char *part[MAX_LAPS];
    double at[MAX_LAPS]; /* host clock only */
    double load;         /* seconds that load() took before, on the host's clock; NaN: none */
};
void laps_begin(struct laps *laps, bool device);
/* Ends the region and waits for the device; seconds in all, or NaN where times mean nothing. */
enum status laps_end(struct laps *laps, double *seconds);
/* Seconds that the marks of one part add up to. */
double laps_part(const struct laps *laps, const char *part);

/* --- record.c: CSV --- */

enum { CSV_FIELDS = 16 };
struct csv_row {
    int count;
    char *field[CSV_FIELDS];
};
struct csv; /* a file in memory, its fields unquoted in place */
/* Compressed by gzip or not. ERR_IO if the file has another header than this; null: any. */
enum status csv_load(const char *path, const char *header, struct csv **out);
enum status csv_parse(const char *text, const char *name, struct csv **out);
void csv_free(struct csv *csv);
size_t csv_rows(const struct csv *csv); /* without the header */
const struct csv_row *csv_row(const struct csv *csv, size_t i);
/* Column of a name in the header; -1: not there. */
int csv_column(const struct csv *csv, const char *name);

struct text { /* grows; zero-terminated */
    char *data;
    size_t length, capacity;
};
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_field(struct text *text, const char *field, char separator); /* quoted if it must be */
void text_number(struct text *text, double value, char separator);     /* %.17g; NaN: empty */
void text_free(struct text *text);

/* The whole file, added to the text. */
enum status text_load(const char *path, struct text *out);

/* A file that grows by whole groups: a group is on the disk, or the file is as before. */
struct journal {
    int fd;
    char path[1024];
    long long good; /* bytes known to be whole */
};
enum status journal_open(struct journal *journal, const char *path, const char *header);
enum status journal_append(struct journal *journal, const struct text *group);
void journal_close(struct journal *journal);
enum status write_file(const char *path, const char *data, size_t length); /* all or a reason */

extern const char measured_header[]; /* the eleven columns */
extern const char samples_header[];
extern const char facts_header[];
extern const char machines_header[]; /* of cases/published/machines.csv */

/* Columns of samples.csv; the first six are those of measured.csv too. */
enum {
    C_EXHIBIT,
    C_CASE,
    C_VARIANT,
    C_PRECISION,
    C_HARDWARE,
    C_N,
    C_ROUND,
    C_SAMPLE,
    C_METRIC,
    C_VALUE,
    C_UNIT,
    C_NOTE
};

/* --- summary.c --- */

struct job;
/* Adds a job's group of measured.csv, its status row last, made of its rows of samples.csv. */
enum status measured_group(const struct job *job, const char *rows_text, struct text *out);

/* --- plan.c: look-up by id; null: not there --- */

const struct family *find_family(const char *id);
const struct problem *find_problem(const struct family *family, const char *id);
/* precision NULL: the first with that id. */
const struct variant *find_variant(const struct family *family, const char *id,
                                   const char *precision);
const struct exhibit *find_exhibit(const char *id, const struct paper **paper);
const struct exhibit_case *find_case(const struct exhibit *exhibit, const char *id);
/* Of a family's problems, the one of the case; null: not there. */
const struct problem *case_problem(const struct family *family, const struct exhibit_case *of);

/* --- plan.c: jobs --- */

struct job {
    const struct exhibit *exhibit;
    const struct exhibit_case *of;
    const struct family *family;
    const struct problem *problem;
    const struct variant *variant;
    struct params at;
    long n;
    struct work work;
    char path[192]; /* exhibit/case/variant/precision/n */
};

struct selection {
    const char *globs[64], *excluded[64];
    int glob_count, excluded_count;
    const char *size;          /* smoke, quick, paper */
    const char *axis_override; /* the list of `-a n=LIST`, or null */
};

struct plan {
    struct job *jobs;
    size_t count;
};
/* Jobs in the exhibits' order. A glob that matches nothing: ERR_ARGS naming the nearest. */
enum status plan_make(const struct selection *selection, struct plan *out);
void plan_free(struct plan *plan);
enum status job_from_path(const char *path, struct job *out); /* the reverse of job.path */
bool glob_matches(const char *glob, const char *path);
/* By the globs alone, of anything that has such a path. */
bool path_selected(const struct selection *selection, const char *path);
enum status expand_axis(const char *list, long *values, int most, int *count);
double estimate_seconds(const struct job *job); /* of one solve, before anything is measured */
bool exhibit_is_timed(const struct exhibit *exhibit);
/* What says that a job is not run at this size; null: it is. */
const struct reach *left_out(const struct exhibit *exhibit, const char *of, const char *variant,
                             const char *precision, long n);
bool is_timed(const struct job *job);
bool uses_device(const struct variant *variant);
/* What a run of so many steps took, if the work counts steps. */
struct work work_of_steps(const struct work *work, double steps);
enum status dump_to(const char *path, const struct instance *in, const struct solution *out);
/* SKIPPED, with both numbers, if the memory that is free now does not suffice. */
enum status job_fits(const struct job *job, double device_free);

/* --- worker.c --- */

struct limits { /* ceilings that this process measured; NaN: not yet */
    double bytes_per_s[2], flops_per_s[2][2], launch_s; /* [host, device][single, double] */
};

struct task { /* one job, one round */
    struct job job;
    char folder[1024]; /* of the run, for the fields of figures */
    uint64_t seed;
    int round, samples; /* samples 0: judged, not timed; 1: quick */
};

struct facts;
/* Solves, judges, times and judges again; adds the sample rows, the status row last. */
enum status task_run(const struct task *task, struct limits *limits, struct facts *facts,
                     struct text *rows);
/* load() and `batch` times run(), every run on data of its own from the seed (0: the published
 * ones): an answer kept from a run before is a wrong one. Seconds of one run, or NaN where times
 * mean nothing. */
enum status run_timed(struct instance *in, const struct variant *variant, void *state,
                      uint64_t seed, int batch, struct laps *laps, double *seconds);
/* WRONG, with the two numbers, if the error is beyond the inherent one and the tolerance. */
enum status fetch_and_judge(struct instance *in, const struct variant *variant, void *state,
                            struct solution *out, struct judgement *judgement, struct laps *laps);
int worker_main(int argc, char **argv);

/* --- facts.c --- */

struct facts { /* key,value in order */
    int count;
    struct {
        char key[40];
        char value[2048];
    } of[96];
};
void facts_add(struct facts *facts, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *facts_get(const struct facts *facts, const char *key); /* "" if not there */
extern const char program_version[], built_commit[]; /* "reprise 0.1.0", "c12cc9373-dirty" */
void facts_collect(struct facts *facts); /* without the device, which only a worker may touch */
void facts_collect_device(struct facts *facts);
void facts_finish(struct facts *facts); /* adds the fingerprint */
enum status facts_load(const char *folder, struct facts *facts);
enum status facts_save(const char *folder, const struct facts *facts);
double available_memory(void); /* bytes */
/* Who does the work of a variant in this place, for the records. */
void hardware_name(const struct facts *facts, enum place place, char *out, size_t size);
/* process.c: asks a worker, device included, of this program where null. */
enum status run_facts(const char *program, struct facts *facts);
void machine_slug(const struct facts *facts, char *out, size_t size);

/* --- judge.c: measured beside published --- */

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
/* The exhibit itself, or the one that a view shows: it has the cases and the sizes. */
const struct exhibit *source_exhibit(const struct exhibit *exhibit);
/* Its own, or, of a view that names none, all that it shows. */
const struct exhibit_case *exhibit_cases(const struct exhibit *exhibit);
/* "mean", "min" or "max" of the values, count >= 1. */
double summarise(const char *statistic, const double *values, int count);
bool exhibit_in_run(const struct comparison *all, const struct exhibit *exhibit);
/* Errata that speak of the cells of the run: true for those that were applied. */
bool erratum_applied(const struct comparison *all, const struct paper *paper,
                     const struct erratum *erratum);
const char *embedded_text(const char *name); /* null: not in the program */
/* The verdict on a must-agree number; sets id and note. For tests as well. */
enum verdict judge_cell(const struct paper *paper, const char *path, const char *printed,
                        double reproduced, const char **id, char *note, size_t size);
double unit_scale(const char *unit); /* of a printed unit that is not SI: what one of it is; or 1 */
/* Half a unit of the last printed digit; "1.732620e-04" -> 0.5e-10. */
double printed_resolution(const char *printed);

/* --- grid.c: a table of words, and the ways to write it --- */

struct grid {
    int rows, columns; /* row 0 is the header */
    int texts;         /* so many columns from the left are text, the others numbers; 1 */
    int heads;         /* so many columns from the left say what a row is; 1 */
    bool notes;        /* the last column is text too */
    bool targets;      /* the link of a row's first word is where other links lead to */
    size_t size;       /* bytes that a word may have, its end included */
    char *words;
    char (*links)[48]; /* id that a word links to on a page; "": none */
};
void grid_make(struct grid *grid, int rows, int columns, size_t size);
void grid_grow(struct grid *grid, int rows); /* to so many */
void grid_free(struct grid *grid);
char *grid_word(const struct grid *grid, int row, int column);
char *grid_link(const struct grid *grid, int row, int column);
void grid_row(struct grid *grid, int row, const char *const *words); /* words[columns] */
/* Every way to write it; `title` may be empty but for LaTeX and HTML. */
void grid_text(const struct grid *grid, const char *title, struct text *out);
void grid_csv(const struct grid *grid, struct text *out);
void grid_markdown(const struct grid *grid, const char *title, struct text *out);
void grid_latex(const struct grid *grid, const char *title, struct text *out);
/* With the title above it where `shown`; else for those alone who hear the page. */
void grid_html(const struct grid *grid, const char *title, bool shown, struct text *out);
void text_html(struct text *out, const char *word); /* what means something in HTML replaced */

/* --- page.c: what a run's folder has to read, as report.md and as index.html --- */

struct page {
    char section[256];                          /* title of the last one */
    struct text markdown, html, contents, rows; /* the latter three are parts of index.html */
};
void page_part(struct page *page, const char *title); /* of several sections, in the contents */
void page_section(struct page *page, const char *id, const char *title);
void page_paragraph(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `title` empty: that of the section, and the Markdown has none. A long one is folded in HTML. */
void page_table(struct page *page, const char *title, const struct grid *grid);
/* In index.html alone, at its end: what the numbers link to. */
void page_rows(struct page *page, const char *title, const struct grid *grid);
/* The folder's figures/ID.svg: linked from the Markdown, inside the HTML. */
enum status page_figure(struct page *page, const char *folder, const char *id, const char *title);
/* report.md, which ends by `verdict`, and index.html, which begins by it. */
enum status page_write(struct page *page, const char *folder, const char *title,
                       const char *verdict);
void page_free(struct page *page);

/* --- side.c --- */

/* Why nothing should be compared with a run in earnest, as the end of a sentence; null: it may. */
const char *no_reference(const struct facts *facts);

/* --- report.c, run.c, compare.c, history.c, solve.c: the verbs; they return the exit status --- */

/* `format`: "latex" for tables/EXHIBIT.tex as well; or null. */
int report_folder(const char *folder, const char *format);
int verdict_folder(const char *folder, const struct selection *selection);

struct run_options {
    struct selection selection;
    const char *out, *thread_order, *order, *retry;
    int rounds, samples;
    double budget, timeout;
    uint64_t seed;
    bool resume, quick;
    const char *against; /* another program, whose rounds take turns with ours; or null */
    bool self;           /* everything once more, into FOLDER/self, to measure the noise */
};
/* folder[size]: where the rows are, "" if there are none. */
int run_plan(struct run_options *options, char *folder, size_t size);

struct compare_options {
    const char *base, *now; /* folders; `base` may be published:MACHINE */
    const char *gate;       /* words of what gives a bad exit status */
    struct selection selection;
    double noise; /* from run to run: standard deviation of the logarithm of a time; NaN: what
                     `run --self` measured, or what is assumed */
    bool markdown;
    bool confirm; /* runs what is slower again, if this is the program and the machine of `now` */
};
/* 0, 1 wrong or missing, 3 confirmed slower, 4 a cell that must agree differs. */
int compare_runs(const struct compare_options *options);
/* Compares a run with its repetition in FOLDER/self, and notes in the run how far the two are apart
 * beyond what their rounds explain. */
enum status measure_noise(const char *folder);

struct history_options {
    const char *folders[64];
    int folder_count;
    struct selection selection;
    const char *format; /* text, markdown, csv */
};
int history_of(const struct history_options *options);
int generations_of(const struct history_options *options); /* the machines of the papers beside */

struct solve_options {
    const char *what, *variant, *precision, *thread_order, *dump, *input;
    const char *settings[MAX_PARAMETERS];
    int setting_count;
    bool time;
    uint64_t seed;
};
int solve_one(const struct solve_options *options);
