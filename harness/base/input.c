/*
 * Data of the user's: which problem takes what, and the one reader of files, text or NumPy's .npy.
 */
#include "base/input.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "base/record.h"

#define BLANKS " \t\r\n"

/* --- which --- */

static int find_input(const struct params *at, const char *name)
{
    const struct input *const table = at->problem->inputs;
    for (int i = 0; table != NULL && table[i].name != NULL; i++)
        if (strcmp(table[i].name, name) == 0)
            return i;
    return -1;
}

const char *get_input(const struct params *at, const char *name)
{
    const int i = find_input(at, name);
    return i < 0 ? NULL : at->files[i];
}

enum status params_input(struct params *at, const char *name, const char *path)
{
    const struct input *const table = at->problem->inputs;
    const char *takes = NULL;
    const int i = find_input(at, name);
    for (int k = 0; table != NULL && table[k].name != NULL; k++)
        takes = takes == NULL ? table[k].name : internf("%s, %s", takes, table[k].name);
    if (i < 0)
        return because(ERR_ARGS, "there is no input '%s' here; the problem %s takes %s", name,
                       at->problem->id, takes != NULL ? takes : "none");
    if (at->files[i] != NULL)
        return because(ERR_ARGS, "the input %s is given twice, as %s and as %s", name, at->files[i],
                       path);
    assert(i < MAX_INPUTS);
    at->files[i] = path;
    return OK;
}

/* --- what all files have in common --- */

enum { MOST_FIELDS = 4, MOST_INDICES = 2 };

/* Of a dump's columns; one of another number is that index, the slowest is 0. */
enum { TIME = -1, VALUE = -2 };

struct reading {
    const struct input *input;
    const char *path;
    size_t rows, columns, count; /* count: values so far */
    double *values;
    /* Of text. */
    size_t line, fields; /* fields: numbers on a line, or 0: not known yet */
    bool dump;           /* begins by a line of names */
    int column[MOST_FIELDS];
    double first[MOST_INDICES], time;
};

static const char *size_words(size_t rows, size_t columns)
{
    return columns == 1 ? internf("%zu", rows) : internf("%zu x %zu", rows, columns);
}

static const char *needs(const struct reading *r)
{
    return internf("%s needs %s", r->input->name, size_words(r->rows, r->columns));
}

static enum status check_count(const struct reading *r)
{
    return r->count == r->rows * r->columns
               ? OK
               : because(ERR_ARGS,
                         "%s has %zu values, and %s; write as many, or choose a smaller size",
                         r->path, r->count, needs(r));
}

static enum status take_value(struct reading *r, double value)
{
    const size_t most = r->rows * r->columns;
    if (r->count == most)
        return because(ERR_ARGS,
                       "%s has more than %zu values, and %s; write as many, or choose a larger "
                       "size",
                       r->path, most, needs(r));
    r->values[r->count++] = value;
    return OK;
}

/* --- text: a value a line, or a row of them, or a dump --- */

static enum status misses(const struct reading *r, const char *what)
{
    const char *const rows = r->columns > 1 ? internf(", or rows of %zu", r->columns) : "";
    return because(ERR_ARGS, "%s, line %zu, %s; write one value per line%s", r->path, r->line, what,
                   rows);
}

/* A dump's values stand in the order in which they are solved, whatever its first index. */
static enum status check_index(struct reading *r, int which, double value)
{
    const size_t steps = which == 0 ? r->count / r->columns : r->count % r->columns;
    if (r->count == 0)
        r->first[which] = value;
    return value == r->first[which] + (double)steps
               ? OK
               : because(ERR_ARGS, "%s, line %zu, has an index of %g where %g is next; %s", r->path,
                         r->line, value, r->first[which] + (double)steps, needs(r));
}

/* Of a dump of several times the last one counts. */
static enum status take_number(struct reading *r, size_t field, double value)
{
    enum status status = OK;
    if (!r->dump)
        return take_value(r, value);
    if (field >= r->fields)
        return OK; /* the line is refused at its end */
    if (r->column[field] == TIME) {
        if (r->count > 0 && value != r->time) {
            status = check_count(r);
            r->count = 0;
        }
        r->time = value;
        return status;
    }
    if (r->column[field] == VALUE)
        return take_value(r, value);
    return r->count < r->rows * r->columns ? check_index(r, r->column[field], value) : OK;
}

static enum status take_line(struct reading *r, const char *text)
{
    size_t fields = 0;
    enum status status = OK;
    for (const char *at = text; status == OK;) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || (*end != '\0' && strchr("," BLANKS, *end) == NULL))
            return misses(r, "is not a number");
        if (!isfinite(value))
            return because(ERR_ARGS, "%s, line %zu, is not a finite number", r->path, r->line);
        status = take_number(r, fields++, value);
        end += strspn(end, BLANKS);
        if (*end == '\0')
            break;
        at = end + (*end == ',');
    }
    if (status != OK)
        return status;
    if (r->fields == 0)
        r->fields = fields;
    const bool good = fields == r->fields && (r->dump || fields == 1 || fields == r->columns);
    return good ? OK : misses(r, internf("has %zu numbers", fields));
}

/* Which index that is in "j,i"; or -1. */
static int index_named(const char *order, const char *name)
{
    int index = 0;
    for (const char *c = order; c != NULL; c = strchr(c, ','), index++) {
        c += *c == ',';
        const size_t length = strcspn(c, ",");
        if (strlen(name) == length && strncmp(c, name, length) == 0)
            return index;
    }
    return -1;
}

/* "i,j,u", where these are the input's indices: the file is a dump. */
static bool take_names(struct reading *r, const char *text)
{
    char line[64], *rest = line;
    int indices = 0, fields = 0;
    const size_t length = strcspn(text, "\r\n");
    const char *const order = r->input->order;
    if (length >= sizeof line)
        return false;
    memcpy(line, text, length);
    line[length] = '\0';
    while (rest != NULL && fields < MOST_FIELDS) {
        const char *const name = strsep(&rest, ",");
        const int index = index_named(order, name);
        const bool time = strcmp(name, "t") == 0;
        r->column[fields++] = rest == NULL ? VALUE : time ? TIME : index;
        if (rest != NULL && !time && index < 0)
            return false;
        indices += rest != NULL && !time;
    }
    r->fields = (size_t)fields;
    r->dump = rest == NULL && indices == (strchr(order, ',') == NULL ? 1 : 2);
    if (!r->dump)
        r->fields = 0;
    return r->dump;
}

static enum status read_text(FILE *file, struct reading *r)
{
    char *text = NULL;
    size_t room = 0, blank = 0;
    enum status status = OK;
    ssize_t length;
    errno = 0;
    while (status == OK && (length = getline(&text, &room, file)) >= 0) {
        r->line++;
        if (strlen(text) != (size_t)length) {
            status = misses(r, "holds a zero byte");
        } else if (text[strspn(text, BLANKS)] == '\0') {
            blank = blank == 0 && !r->dump ? r->line : blank;
        } else if (blank != 0) {
            r->line = blank;
            status = misses(r, "is empty");
        } else if (r->line > 1 || !take_names(r, text)) {
            status = take_line(r, text);
        }
    }
    if (status == OK && ferror(file) != 0)
        status = because(ERR_IO, "cannot read %s: %s", r->path, strerror(errno));
    free(text);
    return status == OK ? check_count(r) : status;
}

/* --- .npy, versions 1 and 2, of an array of float32 or float64 --- */

static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1, PREFIX = MAGIC + 2, LONGEST_HEADER = 1 << 16, SOME = 4096 };

struct array {
    bool single, fortran;
    int dimensions;
    size_t size[MOST_INDICES];
};

static enum status damaged(const struct reading *r, const char *what)
{
    return because(ERR_ARGS, "%s is no whole .npy file: %s", r->path, what);
}

/* Its header, a Python dictionary as text; to be freed. */
static enum status read_header(FILE *file, const struct reading *r, char **out)
{
    unsigned char first[PREFIX + 4] = {0};
    if (fread(first, 1, PREFIX, file) != PREFIX)
        return damaged(r, "it ends in its header");
    const int version = first[MAGIC];
    if (version != 1 && version != 2)
        return because(ERR_ARGS, "%s is a .npy file of version %d.%d; 1.0 and 2.0 can be read",
                       r->path, version, first[MAGIC + 1]);
    const size_t digits = version == 1 ? 2 : 4;
    size_t length = 0;
    if (fread(first + PREFIX, 1, digits, file) != digits)
        return damaged(r, "it ends in its header");
    for (size_t k = digits; k-- > 0;)
        length = 256 * length + first[PREFIX + k];
    if (length > LONGEST_HEADER)
        return damaged(r, "its header is too long");
    char *const text = calloc(length + 1, 1);
    if (text == NULL)
        return because(ERR_MEMORY, "there is no memory to read %s", r->path);
    *out = text;
    return fread(text, 1, length, file) == length ? OK : damaged(r, "it ends in its header");
}

/* What the dictionary has under a key, without blanks before it; "" where it has no such key. */
static const char *entry(const char *dictionary, const char *key)
{
    const char *at = strstr(dictionary, internf("'%s'", key));
    if (at == NULL)
        return "";
    at += strlen(key) + 2;
    at += strspn(at, BLANKS);
    at += *at == ':';
    return at + strspn(at, BLANKS);
}

/* "(63, 63)"; false: it is none, or one of too many numbers. */
static bool parse_size(const char *text, struct array *out)
{
    if (*text++ != '(')
        return false;
    while (text += strspn(text, BLANKS), *text != ')') {
        char *end;
        errno = 0;
        const unsigned long long size = strtoull(text, &end, 10);
        if (end == text || errno != 0 || *text == '-' || out->dimensions == MOST_INDICES)
            return false;
        out->size[out->dimensions++] = (size_t)size;
        text = end + strspn(end, BLANKS);
        if (*text != ',' && *text != ')')
            return false;
        text += *text == ',';
    }
    return true;
}

static enum status parse_header(const char *header, const struct reading *r, struct array *out)
{
    const char *const type = entry(header, "descr"), *const order = entry(header, "fortran_order");
    *out = (struct array){.single = strncmp(type, "'<f4'", 5) == 0,
                          .fortran = strncmp(order, "True", 4) == 0};
    if (!out->single && strncmp(type, "'<f8'", 5) != 0)
        return because(ERR_ARGS,
                       "%s has values of the type %.*s; save them as '<f8', float64, or '<f4', "
                       "float32",
                       r->path, (int)strcspn(type, ","), type);
    if (!out->fortran && strncmp(order, "False", 5) != 0)
        return damaged(r, "its header has no order");
    if (!parse_size(entry(header, "shape"), out))
        return because(ERR_ARGS, "%s has the shape %.*s, and %s", r->path,
                       (int)strcspn(entry(header, "shape"), ")") + 1, entry(header, "shape"),
                       needs(r));
    const size_t rows = out->size[0], columns = out->size[1];
    const bool flat = out->dimensions == 1 && rows == r->rows * r->columns;
    const bool good = out->dimensions == 2 && rows == r->rows && columns == r->columns;
    if (!flat && !good)
        return out->dimensions == 2
                   ? because(ERR_ARGS, "%s is %zu x %zu, and %s", r->path, rows, columns, needs(r))
                   : because(ERR_ARGS, "%s has %zu values, and %s", r->path,
                             out->dimensions == 0 ? 1 : rows, needs(r));
    return OK;
}

/* Where the value `k` of the file belongs, row after row. */
static size_t place(const struct reading *r, const struct array *array, size_t k)
{
    const bool turned = array->fortran && array->dimensions == 2;
    return turned ? k % r->rows * r->columns + k / r->rows : k;
}

static double value_at(const unsigned char *bytes, bool single)
{
    float narrow;
    double wide;
    memcpy(&narrow, bytes, sizeof narrow);
    if (single)
        return (double)narrow;
    memcpy(&wide, bytes, sizeof wide);
    return wide;
}

static enum status check_finite(const struct reading *r)
{
    for (size_t k = 0; k < r->rows * r->columns; k++)
        if (!isfinite(r->values[k]))
            return because(ERR_ARGS, "%s, value [%s], is not a finite number", r->path,
                           r->columns == 1 ? internf("%zu", k)
                                           : internf("%zu, %zu", k / r->columns, k % r->columns));
    return OK;
}

static enum status read_array(FILE *file, struct reading *r)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are copied as they lie");
    char *header = NULL;
    struct array array;
    unsigned char some[SOME * sizeof(double)];
    enum status status = read_header(file, r, &header);
    if (status == OK)
        status = parse_header(header, r, &array);
    free(header);
    if (status != OK)
        return status;
    const size_t size = array.single ? sizeof(float) : sizeof(double), all = r->rows * r->columns;
    while (r->count < all) {
        const size_t wanted = all - r->count < SOME ? all - r->count : SOME;
        if (fread(some, size, wanted, file) != wanted)
            return damaged(r, "it ends before its last value");
        for (size_t k = 0; k < wanted; k++)
            r->values[place(r, &array, r->count++)] = value_at(some + k * size, array.single);
    }
    return fgetc(file) == EOF ? check_finite(r) : damaged(r, "it goes on behind its last value");
}

/* --- either --- */

enum status read_file(const struct input *input, const char *path, size_t rows, size_t columns,
                      double *values)
{
    struct reading reading = {
        .input = input, .path = path, .rows = rows, .columns = columns, .values = values};
    char first[MAGIC];
    int fd;
    enum status status = file_open(path, &fd);
    if (status != OK)
        return status;
    FILE *const file = fdopen(fd, "r");
    if (file == NULL) {
        close(fd);
        return because(ERR_MEMORY, "there is no memory to read %s", path);
    }
    const bool array = fread(first, 1, MAGIC, file) == MAGIC && memcmp(first, magic, MAGIC) == 0;
    rewind(file); /* it is a regular file */
    status = array ? read_array(file, &reading) : read_text(file, &reading);
    fclose(file);
    return status;
}

enum status read_input(const struct params *at, const char *name, size_t rows, size_t columns,
                       double *values)
{
    const int i = find_input(at, name);
    assert(i >= 0 && at->files[i] != NULL);
    return read_file(&at->problem->inputs[i], at->files[i], rows, columns, values);
}
