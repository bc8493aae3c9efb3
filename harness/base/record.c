/*
 * CSV in and out (RFC 4180), text that grows, and files that grow by whole groups of rows, so that
 * a full disk or a killed program costs the group being written and nothing before it.
 */
#include "base/record.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/intern.h"

static void reserve(struct text *text, size_t more)
{
    if (text->length + more + 1 <= text->capacity)
        return;
    text->capacity = 2 * text->capacity + more + 256;
    text->data = realloc(text->data, text->capacity);
    if (text->data == NULL) {
        /* A few kilobytes of rows; a machine that has not got them cannot go on. */
        fprintf(stderr, "reprise: out of memory for a line of text\n");
        abort();
    }
}

void text_add(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    reserve(text, (size_t)length);
    va_start(list, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, list);
    va_end(list);
    text->length += (size_t)length;
}

void text_field(struct text *text, const char *field, char separator)
{
    const size_t length = strlen(field);
    reserve(text, 2 * length + 3);
    char *out = text->data + text->length;
    const bool quote = strpbrk(field, ",\"") != NULL;
    if (quote)
        *out++ = '"';
    for (const char *c = field; *c != '\0'; c++) {
        if (*c == '"')
            *out++ = '"';
        *out++ = *c == '\n' || *c == '\r' ? ' ' : *c; /* a record is a line */
    }
    if (quote)
        *out++ = '"';
    *out++ = separator;
    *out = '\0';
    text->length = (size_t)(out - text->data);
}

void text_number(struct text *text, double value, char separator)
{
    if (isnan(value)) /* an empty field is no value: never 0, -1 or a word in a number's column */
        text_add(text, "%c", separator);
    else
        text_add(text, "%.17g%c", value, separator);
}

size_t character_length(const char *text)
{
    /* Lead bytes, and the least that as many bytes may stand for: a longer form is none. */
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0x80, 0, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    const unsigned char *const bytes = (const unsigned char *)text;
    for (size_t more = 0; more < sizeof forms / sizeof *forms; more++) {
        if ((bytes[0] & forms[more].mask) != forms[more].lead)
            continue;
        uint32_t code = bytes[0] & (unsigned char)~forms[more].mask;
        for (size_t i = 1; i <= more; i++) {
            if ((bytes[i] & 0xC0) != 0x80)
                return 0;
            code = code << 6 | (bytes[i] & 0x3F);
        }
        const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        return code >= forms[more].least && code <= 0x10FFFF && !surrogate && code != 0xFFFE &&
                       code != 0xFFFF
                   ? more + 1
                   : 0;
    }
    return 0;
}

void text_escaped(struct text *out, const char *word, const struct escape *escapes,
                  const char *control)
{
    for (const char *c = word; *c != '\0';) {
        const size_t length = character_length(c);
        const struct escape *e = escapes;
        while (e->text != NULL && e->character != *c)
            e++;
        if (e->text != NULL)
            text_add(out, "%s", e->text);
        else if (length == 0)
            text_add(out, "\xEF\xBF\xBD");
        else if ((unsigned char)*c < ' ')
            text_add(out, control, (unsigned)*c);
        else
            text_add(out, "%.*s", (int)length, c);
        c += length > 0 ? length : 1;
    }
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

struct csv {
    char *text;
    const char *name;
    struct csv_row header, *rows;
    bool cut;
    size_t count, capacity;
};

void csv_free(struct csv *csv)
{
    if (csv == NULL)
        return;
    free(csv->text);
    free(csv->rows);
    free(csv);
}

/* The fields of a line, which ends by a zero, unquoted in place. Null, or what is wrong with it. */
static const char *parse_line(char *in, struct csv_row *row)
{
    row->count = 0;
    while (true) {
        char *const field = in, *out = in;
        if (*in == '"') {
            for (in++; !(in[0] == '"' && in[1] != '"'); *out++ = *in++) {
                in += in[0] == '"'; /* two of them are one */
                if (*in == '\0')
                    return "a quote is not closed";
            }
            in++;
        } else {
            in += strcspn(in, ",\"\r");
            out = in;
        }
        const char end = *in++;
        *out = '\0';
        if (end != ',' && end != '\0')
            return "a quote or a line end stands within a field";
        if (row->count == CSV_FIELDS)
            return "there are too many fields";
        row->field[row->count++] = field;
        if (end == '\0')
            return NULL;
    }
}

/* The next line, which it makes a string; null: the text ends, or there is but the begin of one. */
static char *next_line(char **text, const char *end, size_t *length)
{
    char *const line = *text;
    char *const stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL)
        return NULL;
    *text = stop + 1;
    *length = (size_t)(stop - line);
    *length -= *length > 0 && stop[-1] == '\r';
    line[*length] = '\0';
    return line;
}

static enum status add_line(struct csv *csv, char *line, size_t length, struct csv_row *row)
{
    const char *const fault =
        memchr(line, '\0', length) != NULL ? "it holds a zero byte" : parse_line(line, row);
    if (fault != NULL)
        return because(ERR_IO, "%s, line %zu: %s", csv->name, row->line, fault);
    if (row == &csv->header)
        return OK;
    if (row->count != csv->header.count)
        return because(ERR_IO, "%s, line %zu: %d fields where the header has %d", csv->name,
                       row->line, row->count, csv->header.count);
    if (csv->count == csv->capacity) {
        csv->capacity = 2 * csv->capacity + 64;
        csv->rows = realloc(csv->rows, csv->capacity * sizeof *csv->rows);
        if (csv->rows == NULL)
            return because(ERR_MEMORY, "there is no memory to read %s", csv->name);
    }
    csv->rows[csv->count++] = *row;
    return OK;
}

/* Takes the text. A record is a line: none of ours has a line break within quotes, so that a quote
 * too many costs its line and no other. */
static enum status parse_all(struct text *text, const char *name, bool begun, struct csv **out)
{
    struct csv *csv = calloc(1, sizeof *csv);
    if (csv == NULL) {
        text_free(text);
        return because(ERR_MEMORY, "there is no memory to read %s", name);
    }
    *csv = (struct csv){.text = text->data, .name = intern(name), .header.line = 1};
    const char *const end = text->data + text->length;
    char *rest = text->data, *line;
    size_t length, number = 1;
    enum status status = OK;
    while (status == OK && (line = next_line(&rest, end, &length)) != NULL) {
        struct csv_row row = {.line = number};
        status = add_line(csv, line, length, number == 1 ? &csv->header : &row);
        number++;
    }
    if (status == OK && number == 1)
        status = because(ERR_IO, "%s has no complete header line", name);
    csv->cut = rest < end;
    if (status == OK && csv->cut && !begun)
        status = because(ERR_IO, "%s, line %zu: it is cut off", name, number);
    if (status == OK)
        *out = csv;
    else
        csv_free(csv);
    return status;
}

enum status csv_parse(const char *text, const char *name, struct csv **out)
{
    struct text copy = {.data = strdup(text), .length = strlen(text)};
    if (copy.data == NULL)
        return because(ERR_MEMORY, "there is no memory to read %s", name);
    return parse_all(&copy, name, false, out);
}

/* The header must be the expected one: the columns are then known by their numbers. */
static enum status check_header(struct csv *csv, const char *path, const char *header)
{
    const char *c = header;
    bool good = true;
    for (int i = 0; i < csv->header.count && good; i++) {
        const size_t length = strcspn(c, ",\n");
        good =
            strlen(csv->header.field[i]) == length && strncmp(csv->header.field[i], c, length) == 0;
        c += length + (c[length] == ',');
    }
    good = good && *c == '\n';
    return good ? OK
                : because(ERR_IO, "%s does not begin with the header %.*s", path,
                          (int)strcspn(header, "\n"), header);
}

enum status file_open(const char *path, int *fd)
{
    struct stat info;
    *fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (*fd < 0)
        return because(ERR_IO, "cannot read %s: %s", path, strerror(errno));
    if (fstat(*fd, &info) == 0 && S_ISREG(info.st_mode))
        return OK;
    close(*fd);
    return because(ERR_IO, "cannot read %s: it is no regular file", path);
}

enum status text_load(const char *path, struct text *out)
{
    int fd;
    enum status status = file_open(path, &fd);
    if (status != OK)
        return status;
    gzFile file = gzdopen(fd, "rb");
    if (file == NULL) {
        close(fd);
        return because(ERR_MEMORY, "there is no memory to read %s", path);
    }
    int got;
    do {
        reserve(out, 1 << 16);
        got = gzread(file, out->data + out->length, 1 << 16);
        out->length += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    out->data[out->length] = '\0';
    int error;
    const char *why = gzerror(file, &error);
    if (got < 0)
        status =
            because(ERR_IO, "cannot read %s: %s", path, error == Z_ERRNO ? strerror(errno) : why);
    if (gzclose_r(file) == Z_BUF_ERROR && status == OK)
        status = because(ERR_IO, "%s is cut off; unpack or copy it again", path);
    return status;
}

static enum status load(const char *path, const char *header, bool begun, struct csv **out)
{
    struct text text = {0};
    enum status status = text_load(path, &text);
    if (status != OK) {
        text_free(&text);
        return status;
    }
    struct csv *csv = NULL;
    status = parse_all(&text, path, begun, &csv);
    if (status == OK && header != NULL)
        status = check_header(csv, path, header);
    if (status == OK)
        *out = csv;
    else
        csv_free(csv);
    return status;
}

enum status csv_load(const char *path, const char *header, struct csv **out)
{
    return load(path, header, false, out);
}

enum status csv_load_begun(const char *path, const char *header, struct csv **out)
{
    return load(path, header, true, out);
}

bool csv_cut(const struct csv *csv)
{
    return csv->cut;
}

const char *csv_name(const struct csv *csv)
{
    return csv->name;
}

size_t csv_rows(const struct csv *csv)
{
    return csv->count;
}

const struct csv_row *csv_row(const struct csv *csv, size_t i)
{
    assert(i < csv->count);
    return &csv->rows[i];
}

static enum status write_all(int fd, const char *path, const char *data, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(fd, data, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
        data += written;
        length -= (size_t)written;
    }
    return OK;
}

enum status journal_open(struct journal *journal, const char *path, const char *header)
{
    journal->path = intern(path);
    journal->fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    if (journal->fd < 0)
        return because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
    journal->good = lseek(journal->fd, 0, SEEK_END);
    if (journal->good > 0)
        return OK;
    struct text text = {.data = (char *)header, .length = strlen(header)};
    return journal_append(journal, &text);
}

enum status journal_append(struct journal *journal, const struct text *group)
{
    enum status status = write_all(journal->fd, journal->path, group->data, group->length);
    if (status == OK && fsync(journal->fd) != 0)
        status = because(ERR_IO, "cannot write %s: %s", journal->path, strerror(errno));
    if (status == OK) {
        journal->good += (long long)group->length;
        return OK;
    }
    if (ftruncate(journal->fd, (off_t)journal->good) == 0)
        (void)lseek(journal->fd, (off_t)journal->good, SEEK_SET);
    return status;
}

void journal_close(struct journal *journal)
{
    if (journal->fd > 0)
        close(journal->fd);
    journal->fd = -1;
}

enum status write_file(const char *path, const char *data, size_t length)
{
    const char *const temporary = internf("%s.new", path);
    /* Neither name is followed where it is a link: rename() replaces the link itself. */
    (void)unlink(temporary);
    const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0)
        return because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
    enum status status = write_all(fd, path, data, length);
    if (status == OK && fsync(fd) != 0)
        status = because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
    close(fd);
    if (status == OK && rename(temporary, path) != 0)
        status = because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
    if (status != OK)
        unlink(temporary);
    return status;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    (void)remove(path);
    return 0; /* what cannot be removed stays */
}

void remove_tree(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
