/*
 * What solvers and the harness share: the sentence of a failure, parameters by name, numbers as
 * people type them, random numbers.
 */
#include "base/core.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

static _Thread_local char sentence[1024] = "no reason was given";

enum status(because)(enum status status, const char *format, ...)
{
    va_list list;
    char fresh[sizeof sentence]; /* the sentence before may be one of the arguments */
    va_start(list, format);
    const int length = vsnprintf(fresh, sizeof fresh, format, list);
    va_end(list);
    if (length >= (int)sizeof fresh) /* it says that it goes on */
        strcpy(fresh + sizeof fresh - sizeof "...", "...");
    memcpy(sentence, fresh, sizeof sentence);
    /* The sentence goes into one line of text and one CSV field. */
    for (char *c = sentence; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r' || *c == '\t')
            *c = ' ';
    return status;
}

const char *reason(void)
{
    return sentence;
}

int failed(enum status status)
{
    fprintf(stderr, "reprise: %s\n", reason());
    return status == ERR_ARGS ? 2 : 1;
}

const char *precision_name(enum precision precision)
{
    static const char *const names[] = {"single", "double", "mixed"};
    return names[precision];
}

bool parse_number(const char *text, double *out)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end != text && *end == '^') {
        char *power = end + 1;
        const double exponent = strtod(power, &end);
        if (end == power)
            return false;
        value = pow(value, exponent);
    }
    const bool good = end != text && *end == '\0' && isfinite(value);
    if (good)
        *out = value;
    return good;
}

double number_of(const char *text)
{
    double value;
    return parse_number(text, &value) ? value : (double)NAN;
}

static int find_parameter(const struct params *at, const char *name)
{
    const struct parameter *table = at->problem->parameters;
    for (int i = 0; table[i].name != NULL; i++)
        if (strcmp(table[i].name, name) == 0)
            return i;
    return -1;
}

double get(const struct params *at, const char *name)
{
    const int i = find_parameter(at, name);
    assert(i >= 0);
    return at->value[i];
}

long get_long(const struct params *at, const char *name)
{
    return (long)get(at, name);
}

const char *get_text(const struct params *at, const char *name)
{
    const int i = find_parameter(at, name);
    assert(i >= 0 && at->problem->parameters[i].kind == TEXT);
    return at->text[i];
}

bool params_same(const struct params *a, const struct params *b)
{
    bool same = a->problem == b->problem;
    for (int i = 0; same && a->problem->parameters[i].name != NULL; i++)
        same = a->problem->parameters[i].kind == TEXT ? strcmp(a->text[i], b->text[i]) == 0
                                                      : a->value[i] == b->value[i];
    for (int i = 0; same && i < MAX_INPUTS; i++)
        same = a->files[i] == b->files[i];
    return same;
}

void params_init(struct params *at, const struct problem *problem)
{
    const struct parameter *table = problem->parameters;
    *at = (struct params){.problem = problem};
    for (int i = 0; table[i].name != NULL; i++) {
        assert(i < MAX_PARAMETERS);
        at->value[i] = table[i].initial;
        at->text[i] = table[i].kind == TEXT ? table[i].words : NULL;
    }
}

/* Index of `word` in "one|two|three", or -1. */
static int choice(const char *choices, const char *word)
{
    const size_t length = strlen(word);
    int index = 0;
    for (const char *c = choices; c != NULL; index++) {
        const char *bar = strchr(c, '|');
        const size_t here = bar == NULL ? strlen(c) : (size_t)(bar - c);
        if (here == length && strncmp(c, word, length) == 0)
            return index;
        c = bar == NULL ? NULL : bar + 1;
    }
    return -1;
}

enum status params_set(struct params *at, const char *name, const char *value)
{
    const struct parameter *table = at->problem->parameters;
    const int i = find_parameter(at, name);
    if (i < 0) {
        const char *names[MAX_PARAMETERS + 1] = {NULL};
        for (int k = 0; table[k].name != NULL; k++)
            names[k] = table[k].name;
        return because(ERR_ARGS, "there is no parameter '%s'; did you mean '%s'?", name,
                       nearest(name, names));
    }
    const struct parameter *p = &table[i];
    if (p->kind == CHOICE) {
        const int index = choice(p->words, value);
        if (index < 0)
            return because(ERR_ARGS, "%s=%s is not one of %s", name, value, p->words);
        at->value[i] = index;
        return OK;
    }
    if (p->kind == TEXT) { /* the problem says what a text means, and whether it is good */
        at->text[i] = value;
        return OK;
    }
    double number;
    if (!parse_number(value, &number))
        return because(ERR_ARGS, "%s=%s is not a number; write it as 1000, 2^20 or 1e-5", name,
                       value);
    if (p->kind == INTEGER && number != floor(number))
        return because(ERR_ARGS, "%s=%s must be a whole number", name, value);
    if (!(number >= p->least && number <= p->most))
        return because(ERR_ARGS, "%s=%s is out of range; it must be from %.15g to %.15g", name,
                       value, p->least, p->most);
    at->value[i] = number;
    return OK;
}

enum status parse_list(const char *name, const char *text, int most, double *values, int *count)
{
    *count = 0;
    for (const char *item = text; item != NULL; item = strchr(item, ',')) {
        item += *count > 0; /* past the comma */
        if (*count == most)
            return because(ERR_ARGS, "%s=%s has more than %d numbers", name, text, most);
        char *const number = strndup(item, strcspn(item, ","));
        enum status status = OK;
        if (number == NULL || !parse_number(number, &values[*count]))
            status = because(ERR_ARGS, "%s=%s: '%s' is not a number; write a list as 3,-3,1", name,
                             text, number != NULL ? number : item);
        free(number);
        if (status != OK)
            return status;
        (*count)++;
    }
    return OK;
}

bool word_in(const char *list, const char *word, char separator)
{
    const size_t length = strlen(word);
    for (const char *c = list; c != NULL; c = strchr(c, separator)) {
        c += *c == separator;
        if (strncmp(c, word, length) == 0 && (c[length] == separator || c[length] == '\0'))
            return true;
    }
    return false;
}

/* Letters that must be inserted, removed or changed to get from a to b; words here are short. */
static size_t edits(const char *a, const char *b)
{
    size_t row[64];
    const size_t n = strlen(b) < 63 ? strlen(b) : 63;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            const size_t change = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            const size_t shorter = row[j] < diagonal ? row[j] : diagonal;
            row[j + 1] = shorter + 1 < change ? shorter + 1 : change;
        }
    }
    return row[n];
}

const char *nearest(const char *word, const char *const *names)
{
    const char *best = "";
    size_t least = SIZE_MAX;
    for (size_t i = 0; names[i] != NULL; i++) {
        const size_t distance = edits(word, names[i]);
        if (distance < least) {
            least = distance;
            best = names[i];
        }
    }
    return best;
}

void names_add(struct names *names, const char *name)
{
    names->list = realloc(names->list, (names->count + 2) * sizeof *names->list);
    if (names->list == NULL)
        abort(); /* a few kilobytes */
    names->list[names->count++] = name;
    names->list[names->count] = NULL;
}

const char *names_nearest(struct names *names, const char *word)
{
    const char *const best = names->count > 0 ? nearest(word, names->list) : "";
    free(names->list);
    *names = (struct names){0};
    return best;
}

uint64_t random_bits(uint64_t seed, uint64_t index)
{
    return bits_at(seed, index);
}

double uniform(uint64_t seed, uint64_t index)
{
    return uniform_at(seed, index);
}
