/*
 * The CSV reader: any bytes are a whole table or refused, and what the rows of a run's files say
 * is printed as it was read.
 */
#include "fuzz.h"

#include <math.h>

#include "machine/facts.h"
#include "run/rows.h"

/* What was printed, read again: it must be of the same kind. */
static struct csv *read_back(const struct text *printed, const char *header)
{
    struct csv *csv = NULL;
    PROMISE(csv_load(file_of(printed->data, printed->length), header, &csv) == OK);
    return csv;
}

static void check_samples(const char *path)
{
    struct csv *csv = NULL;
    struct text first = {0}, second = {0};
    if (csv_load(path, samples_header, &csv) != OK || samples_check(csv, true) != OK) {
        csv_free(csv);
        return;
    }
    const size_t count = csv_rows(csv);
    struct sample *samples = samples_of(csv);
    text_add(&first, "%s", samples_header);
    for (size_t i = 0; i < count; i++) {
        const char *const value = csv_row(csv, i)->field[9];
        PROMISE(!isnan(samples[i].value) || value[0] == '\0' || strstr(value, "inf") != NULL);
        PROMISE(samples[i].round >= 0 && samples[i].number >= 0);
        PROMISE((double)samples[i].round == atof(csv_row(csv, i)->field[6]));
        sample_print(&samples[i], &first);
    }
    csv_free(csv);
    free(samples);
    csv = read_back(&first, samples_header);
    PROMISE(csv_rows(csv) == count && samples_check(csv, true) == OK);
    samples = samples_of(csv);
    text_add(&second, "%s", samples_header);
    for (size_t i = 0; i < count; i++)
        sample_print(&samples[i], &second);
    PROMISE(strcmp(first.data, second.data) == 0);
    csv_free(csv);
    free(samples);
    text_free(&first);
    text_free(&second);
}

/* Also of what a paper prints, whose rows are no jobs and whose values need be no numbers. */
static void check_measurements(const char *path)
{
    struct csv *csv = NULL;
    struct text first = {0}, second = {0};
    if (csv_load(path, measured_header, &csv) != OK)
        return;
    const bool of_run = measurements_check(csv, true) == OK;
    const size_t count = csv_rows(csv);
    struct measurement *rows = measurements_of(csv);
    text_add(&first, "%s", measured_header);
    for (size_t i = 0; i < count; i++) {
        const char *const digits = rows[i].digits;
        PROMISE(!of_run || !isnan(rows[i].value) || digits[0] == '\0' || strstr(digits, "inf"));
        measurement_print(&rows[i], &first);
    }
    csv_free(csv);
    free(rows);
    csv = read_back(&first, measured_header);
    PROMISE(csv_rows(csv) == count && (!of_run || measurements_check(csv, true) == OK));
    rows = measurements_of(csv);
    text_add(&second, "%s", measured_header);
    for (size_t i = 0; i < count; i++)
        measurement_print(&rows[i], &second);
    PROMISE(strcmp(first.data, second.data) == 0);
    csv_free(csv);
    free(rows);
    text_free(&first);
    text_free(&second);
}

static void check_facts(const char *path)
{
    static struct facts facts, again;
    struct csv *csv = NULL;
    struct text printed = {0};
    if (csv_load(path, facts_header, &csv) != OK)
        return;
    facts = again = (struct facts){0};
    const bool good = facts_read(csv, path, &facts) == OK;
    csv_free(csv);
    if (!good)
        return;
    text_add(&printed, "%s", facts_header);
    facts_print(&facts, &printed);
    csv = read_back(&printed, facts_header);
    PROMISE(facts_read(csv, path, &again) == OK && again.count == facts.count);
    csv_free(csv);
    text_free(&printed);
}

static size_t lines_in(const uint8_t *data, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += data[i] == '\n';
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 1 && data[0] == 0x1f && data[1] == 0x8b) /* read as gzip, which gzip.c tries */
        return 0;
    struct csv *whole = NULL, *begun = NULL;
    const char *path = file_of(data, size);
    const bool is_whole = csv_load(path, NULL, &whole) == OK;
    const bool is_begun = csv_load_begun(path, NULL, &begun) == OK;
    /* A record is a line, and none is left out but one that is cut off at the end. */
    PROMISE(!is_whole || (is_begun && data[size - 1] == '\n'));
    PROMISE(!is_whole || csv_rows(whole) + 1 == lines_in(data, size));
    PROMISE(!is_begun || csv_rows(begun) + 1 == lines_in(data, size));
    PROMISE(!is_begun || csv_cut(begun) == !is_whole);
    csv_free(whole);
    csv_free(begun);
    if (!is_whole)
        return 0;
    check_samples(path);
    check_measurements(file_of(data, size));
    check_facts(file_of(data, size));
    return 0;
}
