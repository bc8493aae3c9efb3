/*
 * Numbers, lists, sizes and settings as people type them: what is taken lies in its range.
 */
#include "fuzz.h"

#include <math.h>

#include "base/core.h"
#include "base/input.h"
#include "run/catalogue.h"

static void check_lists(const char *text)
{
    enum { MOST = 7 };
    double number = NAN, values[MOST];
    long sizes[MOST];
    int count = -1;
    PROMISE(!parse_number(text, &number) || isfinite(number));
    if (parse_list("a", text, MOST, values, &count) == OK) {
        PROMISE(count >= 1 && count <= MOST);
        for (int i = 0; i < count; i++)
            PROMISE(isfinite(values[i]));
    }
    if (expand_axis(text, sizes, MOST, &count) == OK) {
        PROMISE(count >= 1 && count <= MOST);
        for (int i = 0; i < count; i++)
            PROMISE(sizes[i] >= 1 && sizes[i] <= 1L << 53);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < i; k++)
                PROMISE(sizes[i] != sizes[k]);
    }
}

static void check_setting(const struct problem *problem, const char *name, const char *value)
{
    struct params at;
    params_init(&at, problem);
    if (params_set(&at, name, value) != OK)
        return;
    for (int i = 0; problem->parameters[i].name != NULL; i++) {
        const struct parameter *p = &problem->parameters[i];
        const double x = at.value[i];
        if (p->kind == INTEGER || p->kind == REAL)
            PROMISE(x >= p->least && x <= p->most && (p->kind == REAL || x == floor(x)));
        if (p->kind == CHOICE)
            PROMISE(x >= 0 && x <= p->most && x == floor(x));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 6 };
    static const struct input u = {"u", "j,i", "2 x 3"}, f = {"f", "k", "6"};
    static const struct parameter parameters[] = {
        {"n", INTEGER, 1, 1, 0x1p40, NULL, "a size"},
        {"x", REAL, 0.5, -1, 1e9, NULL, "a number"},
        {"kind", CHOICE, 0, 0, 2, "one|two|three", "a word"},
        {"t", TEXT, 0, 0, 0, "text", "anything"},
        {.name = NULL}};
    static const struct problem problem = {.id = "any", .parameters = parameters};
    double values[MOST];
    if (read_file(&f, file_of(data, size), MOST, 1, values) == OK)
        for (int i = 0; i < MOST; i++)
            PROMISE(isfinite(values[i]));
    if (read_file(&u, file_of(data, size), 2, 3, values) == OK)
        for (int i = 0; i < MOST; i++)
            PROMISE(isfinite(values[i]));
    char *const text = string_of(data, size), *rest = text;
    while (rest != NULL) { /* each line a value, or NAME=VALUE */
        char *value = strsep(&rest, "\n");
        check_lists(value);
        const char *const name = strsep(&value, "=");
        if (value == NULL)
            continue;
        check_lists(value);
        check_setting(&problem, name, value);
        check_setting(&families[1]->problems[0], name, value);
    }
    free(text);
    return 0;
}
