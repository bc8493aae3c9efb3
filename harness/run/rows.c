/*
 * Rows of samples.csv and measured.csv: printed and parsed.
 */
#include "run/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"

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

const char *time_part(const char *metric)
{
    static const char prefix[] = "time_", quotient[] = "time_per_step";
    return strncmp(metric, prefix, sizeof prefix - 1) == 0 && strcmp(metric, quotient) != 0
               ? metric + sizeof prefix - 1
               : NULL;
}
