/*
 * CSV in and out, text that grows, and files that grow by whole groups of rows.
 */
#pragma once
#include "reprise.h"

enum { CSV_FIELDS = 16 };
struct csv_row {
    int count;
    size_t line; /* of the file, from 1 */
    char *field[CSV_FIELDS];
};
struct csv; /* a file in memory, its fields unquoted in place */
/* Reads a file, compressed by gzip or not, to its end: ERR_IO names the line that is not whole.
 * Also if its header is not this one; null: any. */
enum status csv_load(const char *path, const char *header, struct csv **out);
/* The same of a file whose writer may have been stopped: the last line, and no other, may be cut
 * off, and is left out. */
enum status csv_load_begun(const char *path, const char *header, struct csv **out);
bool csv_cut(const struct csv *csv); /* it was */
const char *csv_name(const struct csv *csv);
enum status csv_parse(const char *text, const char *name, struct csv **out);
void csv_free(struct csv *csv);
size_t csv_rows(const struct csv *csv); /* without the header */
const struct csv_row *csv_row(const struct csv *csv, size_t i);

struct text { /* grows; zero-terminated */
    char *data;
    size_t length, capacity;
};
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Quoted if it must be; a line break becomes a blank. */
void text_field(struct text *text, const char *field, char separator);
void text_number(struct text *text, double value, char separator); /* %.17g; NaN: empty */
/* Bytes of the UTF-8 character that begins there; 0: it is none, or one that XML has not. */
size_t character_length(const char *text);
struct escape { /* a table of them ends by one without text */
    char character;
    const char *text;
};
/* Adds the word with some characters replaced, control characters by `control`, a format that may
 * take their code, and what is not UTF-8 by U+FFFD. */
void text_escaped(struct text *out, const char *word, const struct escape *escapes,
                  const char *control);
void text_free(struct text *text);

/* For reading, if it is a regular file: a pipe would be waited for, and a device may never end. */
enum status file_open(const char *path, int *fd);
/* Adds the whole file, compressed by gzip or not, to the text. */
enum status text_load(const char *path, struct text *out);

/* A file that grows by whole groups: a group is on the disk, or the file is as before. */
struct journal {
    int fd;
    const char *path;
    long long good; /* bytes known to be whole */
};
enum status journal_open(struct journal *journal, const char *path, const char *header);
enum status journal_append(struct journal *journal, const struct text *group);
void journal_close(struct journal *journal);
enum status write_file(const char *path, const char *data, size_t length); /* all or a reason */
void remove_tree(const char *path); /* a folder with all that is in it */
