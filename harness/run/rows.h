/*
 * The rows of a run's two files, as structs that are printed and parsed here alone: samples.csv has
 * what every round of a job gave, measured.csv what all its rounds say together. Texts are
 * interned.
 */
#pragma once
#include "base/key.h"
#include "base/record.h"

struct sample {
    struct key key;
    const char *hardware;
    int round, number; /* from 1; from 0 */
    const char *metric;
    double value; /* NaN: none */
    const char *unit, *note;
};

struct measurement { /* a row of measured.csv, and of what a paper prints */
    struct key key;
    const char *hardware, *metric, *statistic;
    const char *digits; /* the value as it is written there */
    double value;       /* NaN: none */
    const char *unit, *note;
};

extern const char samples_header[], measured_header[];

void sample_print(const struct sample *sample, struct text *out);
void measurement_print(const struct measurement *row, struct text *out); /* not its digits */
/* [csv_rows(csv)], to be freed; null: no memory, which the reason says. The file must have the
 * header. */
struct sample *samples_of(const struct csv *csv);
struct measurement *measurements_of(const struct csv *csv);
/* Refuses, by file and line, what no run writes: a field that is no number where one must be, a
 * status that is none, rows of a job that do not stand together or do not end by a status. `begun`:
 * the last ones may lack it, because the run was stopped. */
enum status samples_check(const struct csv *csv, bool begun);
enum status measurements_check(const struct csv *csv, bool begun);
/* The X of "time_X", a part of a time; null: the metric is none. */
const char *time_part(const char *metric);
