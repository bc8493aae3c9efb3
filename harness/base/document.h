/*
 * What a verb has to say: lines and tables, for people as text, Markdown or CSV, and the same rows
 * for programs as JSON (results/reprise.schema.json); and checks, for those who want to know what
 * passed: JUnit's XML, GitHub's workflow commands.
 */
#pragma once
#include "base/grid.h"
#include "base/key.h"

enum grade {
    PASSED,
    UNDECIDED, /* nothing can be said */
    DOUBTFUL,  /* no failure, and somebody should look */
    FAILED
};

struct check { /* texts are interned */
    enum grade grade;
    const char *name, *verdict, *note;
    double seconds; /* NaN: none */
};

struct document {
    const char *verb, *format;
    const char *sum; /* the line that sums up; null: there is none */
    struct text shown, json;
    struct check *checks;
    size_t check_count;
};

/* `format`: text, markdown, csv, json, junit, github. */
void document_begin(struct document *d, const char *verb, const char *format);
/* A line for people: in Markdown of a list, but for an empty one; none in CSV. */
void document_say(struct document *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same of the line that sums up. */
void document_sum(struct document *d, const char *line);
/* Facts, which JSON alone has. What is empty or no finite number is null there. */
void document_word(struct document *d, const char *name, const char *word);
void document_number(struct document *d, const char *name, double value);
void document_flag(struct document *d, const char *name, bool flag);
/* A row that passed or did not: for JUnit and GitHub alone. */
void document_check(struct document *d, struct check check);
/* Prints it, and frees it. Returns the exit status, which is 1 if it was 0 and what GitHub shows
 * could not be written. */
int document_end(struct document *d, int exit_status);
void document_drop(struct document *d); /* prints nothing, and frees it */

/* --- tables, which are written word by word, row after row --- */

struct field {        /* tables of columns end by one without name */
    const char *name; /* of the field in JSON */
    /* The heading; where rows are lines what stands around the word, as ": printed %s", which is
     * left out with an empty word. Null: only JSON has it. */
    const char *shown;
};

enum table_kind {
    ALIGNED,
    ALIGNED_WITH_NOTES, /* the last column is text */
    LINES               /* not in CSV */
};

struct table {
    struct document *document;
    const char *name;
    enum table_kind kind;
    const struct field *columns;
    int column, rows, words; /* so far */
    struct grid grid;
    struct text line, json;
};

void table_begin(struct table *t, struct document *d, const char *name, enum table_kind kind,
                 const struct field *columns);
void table_word(struct table *t, const char *word);
void table_number(struct table *t, double value, int digits); /* NaN: - */
void table_interval(struct table *t, double lo, double hi);   /* JSON: [lo, hi] */
/* What people read is a word of its own. */
void table_word_shown(struct table *t, const char *shown, const char *word);
void table_number_shown(struct table *t, const char *shown, double value);
void table_interval_shown(struct table *t, const char *shown, double lo, double hi);
/* The path; in JSON its parts are fields too: exhibit, case, variant, precision, n. */
void table_key(struct table *t, const struct key *key);
void table_end(struct table *t); /* into the document */

const char *shown_number(double value, int digits); /* NaN: - */
const char *shown_interval(double lo, double hi);
