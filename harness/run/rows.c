/*
 * Rows of samples.csv and measured.csv: printed and parsed.
 */
#include "run/rows.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"
#include "run/status.h"

/* The first six columns of both files; then those of each. */
enum { EXHIBIT, CASE, VARIANT, PRECISION, HARDWARE, N, FIRST_OWN };
enum { ROUND = FIRST_OWN, NUMBER, S_METRIC, S_VALUE, S_UNIT, S_NOTE };
enum { M_METRIC = FIRST_OWN, M_STATISTIC, M_VALUE, M_UNIT, M_NOTE };

const char samples_header[] =
    "exhibit,case,variant,precision,hardware,n,round,sample,metric,value,unit,note\n";
const char measured_header[] =
    "exhibit,case,variant,precision,hardware,n,metric,statistic,value,unit,note\n";

static void print_key(const struct key *key, const char *hardware, struct text *out)
{
    const char *const fields[] = {key->exhibit,   key->of,  key->variant,
                                  key->precision, hardware, key->n};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        text_field(out, fields[i], ',');
}

static struct key key_of(const struct csv_row *row)
{
    char *const *f = row->field;
    return key_make(f[EXHIBIT], f[CASE], f[VARIANT], f[PRECISION], f[N]);
}

void sample_print(const struct sample *sample, struct text *out)
{
    print_key(&sample->key, sample->hardware, out);
    text_add(out, "%d,%d,", sample->round, sample->number);
    text_field(out, sample->metric, ',');
    text_number(out, sample->value, ',');
    text_field(out, sample->unit, ',');
    text_field(out, sample->note, '\n');
}

void measurement_print(const struct measurement *row, struct text *out)
{
    print_key(&row->key, row->hardware, out);
    text_field(out, row->metric, ',');
    text_field(out, row->statistic, ',');
    text_number(out, row->value, ',');
    text_field(out, row->unit, ',');
    text_field(out, row->note, '\n');
}

static void *rows_for(const struct csv *csv, size_t size)
{
    void *const rows = calloc(csv_rows(csv) + 1, size);
    if (rows == NULL)
        because(ERR_MEMORY, "there is no memory for %zu rows", csv_rows(csv));
    return rows;
}

struct sample *samples_of(const struct csv *csv)
{
    struct sample *const out = rows_for(csv, sizeof *out);
    for (size_t i = 0; i < csv_rows(csv) && out != NULL; i++) {
        char *const *f = csv_row(csv, i)->field;
        out[i] = (struct sample){
            key_of(csv_row(csv, i)), intern(f[HARDWARE]),   atoi(f[ROUND]),    atoi(f[NUMBER]),
            intern(f[S_METRIC]),     number_of(f[S_VALUE]), intern(f[S_UNIT]), intern(f[S_NOTE])};
    }
    return out;
}

struct measurement *measurements_of(const struct csv *csv)
{
    struct measurement *const out = rows_for(csv, sizeof *out);
    for (size_t i = 0; i < csv_rows(csv) && out != NULL; i++) {
        char *const *f = csv_row(csv, i)->field;
        out[i] = (struct measurement){key_of(csv_row(csv, i)), intern(f[HARDWARE]),
                                      intern(f[M_METRIC]),     intern(f[M_STATISTIC]),
                                      intern(f[M_VALUE]),      number_of(f[M_VALUE]),
                                      intern(f[M_UNIT]),       intern(f[M_NOTE])};
    }
    return out;
}

/* --- what a run's files must be --- */

/* Where a file's columns are, and which of them hold a whole number. */
struct columns {
    int metric, value, note, whole[4], whole_count;
};

static bool is_whole(const char *field, double most)
{
    return field[0] != '\0' && field[strspn(field, "0123456789")] == '\0' &&
           strtod(field, NULL) <= most;
}

/* As text_number() writes them. */
static bool is_value(const char *field)
{
    char *end;
    const bool digits = field[strspn(field, "0123456789+-.e")] == '\0';
    const bool infinite = strcmp(field, "inf") == 0 || strcmp(field, "-inf") == 0;
    const double value = strtod(field, &end);
    return infinite || (digits && *end == '\0' && isfinite(value));
}

/* What a row alone must be; null: it is. */
static const char *row_fault(const struct columns *at, char *const *f)
{
    for (int k = 0; k < at->whole_count; k++)
        if (!is_whole(f[at->whole[k]], at->whole[k] == N ? 0x1p53 : INT_MAX))
            return internf("'%s' is no whole number, or too large a one", f[at->whole[k]]);
    for (int c = EXHIBIT; c <= PRECISION; c++)
        if (f[c][0] == '\0')
            return "a part of the job's name is empty";
    if (f[at->metric][0] == '\0')
        return "the metric has no name";
    if (!is_value(f[at->value]))
        return internf("the value '%s' is no number", f[at->value]);
    if (strcmp(f[at->metric], "status") == 0 && !is_state_note(f[at->note]))
        return internf("'%s' is no status", f[at->note]);
    return NULL;
}

/* Both belong to one job, and to one round of it. */
static bool one_group(const struct columns *at, char *const *a, char *const *b)
{
    bool same = true;
    for (int c = EXHIBIT; c <= PRECISION; c++)
        same = same && strcmp(a[c], b[c]) == 0;
    for (int k = 0; k < at->whole_count && at->whole[k] != NUMBER; k++)
        same = same && strcmp(a[at->whole[k]], b[at->whole[k]]) == 0;
    return same;
}

static enum status check_rows(const struct csv *csv, const struct columns *at, bool begun)
{
    char *const *before = NULL; /* of the same group */
    size_t line = 0;
    for (size_t i = 0; i < csv_rows(csv); i++) {
        char *const *f = csv_row(csv, i)->field;
        line = csv_row(csv, i)->line;
        const char *fault = row_fault(at, f);
        if (fault == NULL && before != NULL && !one_group(at, before, f))
            fault = "another job begins, and the one before it has no status";
        if (fault != NULL)
            return because(ERR_IO, "%s, line %zu: %s", csv_name(csv), line, fault);
        before = strcmp(f[at->metric], "status") == 0 ? NULL : f;
    }
    return begun || before == NULL
               ? OK
               : because(ERR_IO, "%s, line %zu: the file ends, and its last job has no status",
                         csv_name(csv), line);
}

enum status samples_check(const struct csv *csv, bool begun)
{
    static const struct columns at = {S_METRIC, S_VALUE, S_NOTE, {N, ROUND, NUMBER}, 3};
    return check_rows(csv, &at, begun);
}

enum status measurements_check(const struct csv *csv, bool begun)
{
    static const struct columns at = {M_METRIC, M_VALUE, M_NOTE, {N}, 1};
    return check_rows(csv, &at, begun);
}

const char *time_part(const char *metric)
{
    static const char prefix[] = "time_", quotient[] = "time_per_step";
    return strncmp(metric, prefix, sizeof prefix - 1) == 0 && strcmp(metric, quotient) != 0
               ? metric + sizeof prefix - 1
               : NULL;
}
