/*
 * CSV there and back, files cut off in the middle, and writing that fails: what was on the disk
 * stays as it was; texts in which some characters are replaced, and JSON of them.
 */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core.h"
#include "base/document.h"
#include "base/record.h"
#include "tap.h"

static char folder[] = "/tmp/reprise-test-XXXXXX";

static char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return;
    fputs(text, file);
    fclose(file);
}

static bool holds(const char *path, const char *text)
{
    char got[4096] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    const size_t length = fread(got, 1, sizeof got - 1, file);
    fclose(file);
    return length == strlen(text) && memcmp(got, text, length) == 0;
}

/* A line break comes back as a blank. */
static const char *in_one_line(const char *field)
{
    static char line[64];
    snprintf(line, sizeof line, "%s", field);
    for (char *c = line; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    return line;
}

static void test_round_trip(void)
{
    static const char *const fields[] = {
        "plain",    "",           "with, comma",       "with \"quotes\"",
        "\"",       "two\nlines", "cr\rlf\r\n",        "ends with \"",
        "\"\"\"",   " blanks ",   "\xc3\xa9t\xc3\xa9", ",",
        "'single'", "=1+2"};
    const size_t count = sizeof fields / sizeof *fields;
    for (size_t i = 0; i < count; i++) {
        struct text text = {0};
        struct csv *csv = NULL;
        text_add(&text, "a,b,c\n");
        text_field(&text, fields[i], ',');
        text_field(&text, fields[(i + 1) % count], ',');
        text_field(&text, fields[(i + 2) % count], '\n');
        const enum status status = csv_parse(text.data, "trip", &csv);
        bool same = status == OK && csv_rows(csv) == 1;
        for (size_t k = 0; same && k < 3; k++)
            same = strcmp(csv_row(csv, 0)->field[k], in_one_line(fields[(i + k) % count])) == 0;
        check(same, "fields %zu to %zu come back", i, i + 2);
        csv_free(csv);
        text_free(&text);
    }
}

static void test_numbers(void)
{
    static const double values[] = {0,
                                    -0.0,
                                    1.0 / 3,
                                    1e-308,
                                    5e-324,
                                    1.7976931348623157e308,
                                    0.1,
                                    1e15,
                                    -2.5,
                                    0x1p53,
                                    123456789.123456789};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct text text = {0};
        double back = NAN;
        text_number(&text, values[i], '\0');
        check(parse_number(text.data, &back) && back == values[i] &&
                  signbit(back) == signbit(values[i]),
              "number %a comes back in every bit", values[i]);
        text_free(&text);
    }
    struct text text = {0};
    text_number(&text, NAN, ',');
    check(strcmp(text.data, ",") == 0, "a number that is not there is an empty field");
    text_free(&text);
}

static void test_reading(void)
{
    static const struct {
        const char *text;
        int rows; /* -1: is refused */
        const char *says, *name;
    } cases[] = {
        {"a,b\n1,2\n3,4\n", 2, NULL, "two rows"},
        {"a,b\r\n1,2\r\n3,4\r\n", 2, NULL, "line ends of CR LF"},
        {"a,b\n", 0, NULL, "a header alone"},
        {"a,b\n1,2\n3,", 1, NULL, "a last row cut in a field"},
        {"a,b\n1,2\n3,4", 1, NULL, "a last row without its line end"},
        {"a,b\n1,2\n3", 1, NULL, "a last row cut in its first field"},
        {"a,b\n1,2\n\"3,4", 1, NULL, "a last row cut within quotes"},
        {"a,b\n1,2\n\"3\"", 1, NULL, "a last row cut behind a quote"},
        {"a,b\n1,2\n\"3\"\"", 1, NULL, "a last row cut behind two quotes"},
        {"a,b\n1,2\n\"", 1, NULL, "a last row of one quote"},
        {"a,b\n1,2,3\n", -1, "line 2: 3 fields", "a row too wide"},
        {"a,b\n1,2\n3\n", -1, "line 3: 1 fields", "a row too narrow"},
        {"a,b\n1,2\n\n", -1, "line 3", "an empty line"},
        {"a,b\n1\n2,3\n", -1, "line 2", "a narrow row before a good one"},
        {"a,b\n1,\"2\n3,4\n", -1, "line 2: a quote is not closed", "a quote that is not closed"},
        {"a,b\n1,\"2\n3,4\n5,\"6\"\n", -1, "line 2", "a quote that another line would close"},
        {"a,b\n1,2\n\"3,4\n", -1, "line 3", "a last line that ends and is not whole"},
        {"a,b\n1,2\"\n", -1, "line 2: a quote", "a quote in the middle of a field"},
        {"a,b\n1,\"2\"3\n", -1, "line 2: a quote", "letters behind a quote"},
        {"a,b\n1,2\r3,4\n", -1, "line 2", "a carriage return alone"},
        {"a,b\n1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17\n", -1, "line 2", "17 fields"},
        {"", -1, "header", "an empty file"},
        {"a,b", -1, "header", "half a header"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct csv *csv = NULL;
        put(path_of("in.csv"), cases[i].text);
        enum status status = csv_load_begun(path_of("in.csv"), NULL, &csv);
        if (cases[i].rows >= 0) {
            const size_t length = strlen(cases[i].text);
            const bool cut = cases[i].text[length - 1] != '\n';
            check(status == OK && csv_rows(csv) == (size_t)cases[i].rows && csv_cut(csv) == cut,
                  "%s: %d rows", cases[i].name, cases[i].rows);
            csv_free(csv);
            csv = NULL;
            status = csv_load(path_of("in.csv"), NULL, &csv);
            check(cut ? status == ERR_IO && strstr(reason(), "it is cut off") != NULL
                      : status == OK && csv_rows(csv) == (size_t)cases[i].rows,
                  "%s: a finished file is %s", cases[i].name, cut ? "refused" : "read");
        } else
            check(status == ERR_IO && csv == NULL && strstr(reason(), cases[i].says) != NULL &&
                      strstr(reason(), "in.csv") != NULL,
                  "%s is refused with '%s'", cases[i].name, cases[i].says);
        csv_free(csv);
    }
    struct csv *csv = NULL;
    static const char zero[] = "a,b\n1,2\n3,\0\n5,6\n";
    FILE *const file = fopen(path_of("in.csv"), "wb");
    if (file != NULL) {
        fwrite(zero, 1, sizeof zero - 1, file);
        fclose(file);
    }
    check(csv_load_begun(path_of("in.csv"), NULL, &csv) == ERR_IO &&
              strstr(reason(), "in.csv, line 3: it holds a zero byte") != NULL,
          "a zero byte ends no file");
    unlink(path_of("in.csv"));
    check(mkfifo(path_of("in.csv"), 0600) == 0 &&
              csv_load(path_of("in.csv"), NULL, &csv) == ERR_IO &&
              strstr(reason(), "no regular file") != NULL,
          "a pipe is refused, and nothing waits for it");
    check(csv_load(path_of("none.csv"), NULL, &csv) == ERR_IO &&
              strstr(reason(), "none.csv") != NULL,
          "a file that is not there");
    check(csv_load(folder, NULL, &csv) == ERR_IO, "a folder is not a file");
    check(csv_parse("a,\"b,\",c\n1,2,3\n", "x", &csv) == OK && csv_rows(csv) == 1 &&
              strcmp(csv_row(csv, 0)->field[2], "3") == 0,
          "a quoted name in the header is one");
    csv_free(csv);
}

/* Appends under a limit of the file's size, so that a part of the group is written and then fails
 * as it does on a full disk. */
static void test_journal(void)
{
    struct journal journal = {0};
    struct text first = {0}, large = {0};
    char *const path = strdup(path_of("journal.csv"));
    text_add(&first, "1,2\n");
    for (int i = 0; i < 1000; i++)
        text_add(&large, "%d,%d\n", i, i);
    check(journal_open(&journal, path, "a,b\n") == OK && holds(path, "a,b\n"),
          "a new journal has its header");
    check(journal_append(&journal, &first) == OK && holds(path, "a,b\n1,2\n"), "a group is added");
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 100;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    const enum status status = journal_append(&journal, &large);
    setrlimit(RLIMIT_FSIZE, &before);
    check(status == ERR_IO && strstr(reason(), "journal.csv") != NULL,
          "a group that does not fit fails and names the file");
    check(holds(path, "a,b\n1,2\n"), "the journal is as before");
    check(journal_append(&journal, &first) == OK && holds(path, "a,b\n1,2\n1,2\n"),
          "the next group follows without a gap");
    journal_close(&journal);
    check(journal_open(&journal, path, "a,b\n") == OK && journal_append(&journal, &first) == OK &&
              holds(path, "a,b\n1,2\n1,2\n1,2\n"),
          "a journal opened again goes on without a second header");
    journal_close(&journal);
    check(journal_open(&journal, "/dev/full", "a,b\n") == ERR_IO, "a journal on a full device");
    journal_close(&journal);
    put(path_of("victim"), "mine");
    if (symlink("victim", path_of("link")) == 0)
        check(journal_open(&journal, path_of("link"), "a,b\n") == ERR_IO &&
                  holds(path_of("victim"), "mine"),
              "a journal does not follow a link");
    journal_close(&journal);
    check(journal_open(&journal, path_of("no/journal"), "a,b\n") == ERR_IO,
          "a journal in a folder that is not there");
    journal_close(&journal);
    text_free(&first);
    text_free(&large);
    free(path);
}

static void test_write_file(void)
{
    char *const path = strdup(path_of("whole.txt"));
    char large[3000];
    struct stat info;
    memset(large, 'z', sizeof large);
    check(write_file(path, "old", 3) == OK && holds(path, "old"), "a file is written");
    check(write_file(path, "newer", 5) == OK && holds(path, "newer"), "a file is replaced");
    check(write_file(path, "", 0) == OK && holds(path, ""), "an empty file is written");
    check(write_file(path, "old", 3) == OK, "a file is written again");
    char *const link = strdup(path_of("link"));
    char *const temporary = strdup(path_of("link.new"));
    check(symlink("victim", temporary) == 0 && write_file(link, "new", 3) == OK &&
              lstat(link, &info) == 0 && S_ISREG(info.st_mode) && holds(link, "new") &&
              holds(path_of("victim"), "mine"),
          "links in place of a file are replaced, and what they lead to is not touched");
    free(link);
    free(temporary);
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 100;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    const enum status status = write_file(path, large, sizeof large);
    setrlimit(RLIMIT_FSIZE, &before);
    check(status == ERR_IO && strstr(reason(), "whole.txt") != NULL, "a file that does not fit");
    check(holds(path, "old"), "the old file is as before");
    snprintf(large, sizeof large, "%s.new", path);
    check(stat(large, &info) != 0, "no half file is left");
    check(write_file(path_of("no/file"), "x", 1) == ERR_IO, "a folder that is not there");
    free(path);
}

static void test_text(void)
{
    struct text text = {0};
    for (int i = 0; i < 5000; i++)
        text_add(&text, "%d%s", i % 10, i % 100 == 99 ? "\n" : "");
    check(text.length == 5050 && strlen(text.data) == 5050, "a text grows to 5050 letters");
    text_free(&text);
    check(text.data == NULL && text.length == 0 && text.capacity == 0, "a text is freed");
}

/* The least and the last of each length, and beside each what is none. */
static void test_characters(void)
{
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {
        {"a", 1},
        {"\x7F", 1},
        {"\x80", 0},
        {"\xC1\xBF", 0}, /* 7F, too long */
        {"\xC2\x80", 2},
        {"\xC2", 0}, /* cut off */
        {"\xC2z", 0},
        {"\xDF\xBF", 2},
        {"\xE0\x9F\xBF", 0}, /* 7FF, too long */
        {"\xE0\xA0\x80", 3},
        {"\xE0\xA0", 0},
        {"\xED\x9F\xBF", 3},
        {"\xED\xA0\x80", 0}, /* surrogates */
        {"\xED\xBF\xBF", 0},
        {"\xEE\x80\x80", 3},
        {"\xEF\xBF\xBD", 3},
        {"\xEF\xBF\xBE", 0}, /* not in XML */
        {"\xEF\xBF\xBF", 0},
        {"\xF0\x8F\xBF\xBF", 0}, /* FFFF, too long */
        {"\xF0\x90\x80\x80", 4},
        {"\xF4\x8F\xBF\xBF", 4},
        {"\xF4\x90\x80\x80", 0}, /* beyond the last one */
        {"\xF8\x88\x80\x80\x80", 0},
        {"\xFF", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(character_length(cases[i].text) == cases[i].length,
              "character %zu of the table has %zu bytes", i, cases[i].length);
    struct text out = {0};
    static const struct escape escapes[] = {{'<', "&lt;"}, {0, NULL}};
    text_escaped(&out, "a<\xC3\xA9\x01\xFF\xC3", escapes, "[%u]");
    check(strcmp(out.data, "a&lt;\xC3\xA9[1]\xEF\xBF\xBD\xEF\xBF\xBD") == 0,
          "what means something is replaced, and so is what is no character");
    text_free(&out);
}

static void test_json(void)
{
    static const struct field columns[] = {
        {"job", "%s"}, {"time", " %s s"}, {"note", "; %s"}, {NULL, NULL}};
    struct document d;
    struct table t;
    document_begin(&d, "verb", "text");
    document_number(&d, "infinite", INFINITY);
    document_number(&d, "nan", NAN);
    document_number(&d, "tenth", 0.1);
    document_word(&d, "empty", "");
    document_word(&d, "word", "\"\\\n\x1F\x80");
    table_begin(&t, &d, "rows", LINES, columns);
    table_word(&t, "a");
    table_number(&t, 2.5, 3);
    table_word(&t, "");
    table_word(&t, "b");
    table_number(&t, -INFINITY, 3);
    table_word(&t, "so");
    table_end(&t);
    check(strcmp(d.json.data, "{\"schema\": \"reprise/1\",\n \"verb\": \"verb\","
                              "\n \"infinite\": null,\n \"nan\": null,"
                              "\n \"tenth\": 0.10000000000000001,\n \"empty\": null,"
                              "\n \"word\": \"\\\"\\\\\\n\\u001f\xEF\xBF\xBD\","
                              "\n \"rows\": [\n  {\"job\": \"a\", \"time\": 2.5, \"note\": null},"
                              "\n  {\"job\": \"b\", \"time\": null, \"note\": \"so\"}]") == 0,
          "JSON has no number that is none, and no empty word");
    check(strcmp(d.shown.data, "a 2.5 s\nb -inf s; so\n") == 0,
          "lines leave out what is empty, with what stands around it");
    document_drop(&d);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        perror("mkdtemp");
        return 1;
    }
    test_round_trip();
    test_numbers();
    test_reading();
    test_journal();
    test_write_file();
    test_text();
    test_characters();
    test_json();
    static const char *const names[] = {"in.csv", "journal.csv", "link", "victim", "whole.txt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    rmdir(folder);
    return done();
}
