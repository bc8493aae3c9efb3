/*
 * The program's own words for the shells: verbs and options as the command line has them, exhibits,
 * problems and variants as the registry has them, runs as they lie under results/.
 */
#include "complete.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "compare/side.h"
#include "run/catalogue.h"

struct line {
    const struct grammar *grammar;
    const struct verb *verb;
    const struct argp_option *option; /* whose value is begun; or null */
    const char *begun;                /* of the last word, without "--option=" */
    const char *before;               /* "--option=", or "" */
    const char *first;                /* word behind the verb, or "" */
    int place;                        /* of the last word among those behind the verb */
};

static void offer(const struct line *line, const char *word, const char *meaning)
{
    printf("%s%s\t%s\n", line->before, word, meaning);
}

/* Each of a list, as "text,json". */
static void offer_list(const struct line *line, const char *list, char separator)
{
    const char between[] = {separator, '\0'};
    for (const char *word = list; *word != '\0';) {
        const int length = (int)strcspn(word, between);
        offer(line, internf("%.*s", length, word), "");
        word += length + (word[length] != '\0');
    }
}

/* --- what the registry has --- */

static void offer_exhibits(const struct line *line)
{
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL; e++)
            offer(line, e->id, e->title);
}

static void offer_families(const struct line *line)
{
    for (int i = 0; families[i] != NULL; i++)
        offer(line, families[i]->id, families[i]->title);
}

static void offer_problems(const struct line *line)
{
    for (int i = 0; families[i] != NULL; i++)
        for (const struct problem *p = families[i]->problems; p->id != NULL; p++)
            offer(line, internf("%s/%s", families[i]->id, p->id), p->title);
}

static void offer_paths_of_variants(const struct line *line)
{
    for (int i = 0; families[i] != NULL; i++)
        for (const struct variant *v = families[i]->variants; v->id != NULL; v++)
            if (v == find_variant(families[i], v->id, NULL))
                offer(line, internf("%s/%s", families[i]->id, v->id), v->title);
}

/* Of the problem that is to be solved, FAMILY/PROBLEM; null where none of that name is told yet. */
static const struct family *family_told(const struct line *line)
{
    return find_family(internf("%.*s", (int)strcspn(line->first, "/"), line->first));
}

static const struct problem *problem_told(const struct line *line)
{
    const struct family *const family = family_told(line);
    const char *const slash = strchr(line->first, '/');
    return family != NULL && slash != NULL ? find_problem(family, slash + 1) : NULL;
}

static void offer_variants(const struct line *line)
{
    const struct family *const told = family_told(line);
    for (int i = 0; families[i] != NULL; i++)
        for (const struct variant *v = families[i]->variants; v->id != NULL; v++)
            if ((told == NULL || told == families[i]) &&
                v == find_variant(families[i], v->id, NULL))
                offer(line, v->id, v->title);
}

/* NAME=, or, of one that has a choice, each NAME=VALUE. */
static void offer_parameters(const struct line *line)
{
    const struct problem *const problem = problem_told(line);
    if (problem == NULL)
        return;
    for (const struct parameter *p = problem->parameters; p->name != NULL; p++) {
        const char *const name = internf("%s=", p->name);
        struct line value = *line;
        value.before = internf("%s%s", line->before, name);
        if (p->kind == CHOICE && strncmp(line->begun, name, strlen(name)) == 0)
            offer_list(&value, p->words, '|');
        else
            offer(line, name, p->meaning);
    }
}

static void offer_files(const struct line *line)
{
    (void)line;
    puts("\tfiles");
}

static void offer_inputs(const struct line *line)
{
    const struct problem *const problem = problem_told(line);
    const struct input *const inputs = problem != NULL ? problem->inputs : NULL;
    for (int i = 0; inputs != NULL && inputs[i].name != NULL; i++)
        offer(line, internf("%s=", inputs[i].name), inputs[i].meaning);
    offer_files(line);
}

/* --- runs --- */

static void offer_runs(const struct line *line)
{
    static const char facts[] = "/run.csv";
    glob_t found;
    if (glob("results/*/*/run.csv", 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            const char *const path = found.gl_pathv[i];
            offer(line, internf("%.*s", (int)(strlen(path) - strlen(facts)), path), "a run");
        }
        globfree(&found);
    }
    puts("\tfolders");
}

static void offer_machines(const struct line *line)
{
    struct printed_machine *machines;
    size_t count;
    if (machines_load(&machines, &count) != OK)
        return;
    for (size_t i = 0; i < count; i++)
        offer(line, machines[i].name, machines[i].year);
    free(machines);
}

static void offer_bases(const struct line *line)
{
    struct line published = *line;
    published.before = internf("%spublished:", line->before);
    offer(line, "newest:", "the newest reference in a folder");
    offer_machines(&published);
    offer_runs(line);
}

/* --- the command line --- */

static void offer_formats(const struct line *line)
{
    if (line->verb != NULL && line->verb->formats != NULL)
        offer_list(line, line->verb->formats, ',');
}

/* What a glob of `list` is of. */
static void offer_globs(const struct line *line)
{
    static const struct {
        const char *what;
        void (*offer)(const struct line *line);
    } lists[] = {{"families", offer_families},
                 {"problems", offer_problems},
                 {"variants", offer_paths_of_variants},
                 {"machines", offer_machines},
                 {"claims", NULL},
                 {"errata", NULL}};
    void (*offer_them)(const struct line *) = offer_exhibits;
    const bool of_list = line->verb != NULL && strcmp(line->verb->name, "list") == 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (of_list && strcmp(line->first, lists[i].what) == 0)
            offer_them = lists[i].offer;
    if (offer_them != NULL)
        offer_them(line);
}

/* By the word that stands for it in the help, dots and brackets left out. */
static void offer_kind(const struct line *line, const char *kind)
{
    static const struct {
        const char *kind;
        void (*offer)(const struct line *line);
    } kinds[] = {{"GLOB", offer_globs},       {"FAMILY/PROBLEM", offer_problems},
                 {"V", offer_variants},       {"NAME=VALUE", offer_parameters},
                 {"NAME=FILE", offer_inputs}, {"FORMAT", offer_formats},
                 {"DIR", offer_runs},         {"BASE", offer_bases},
                 {"NEW", offer_runs},         {"FILE", offer_files},
                 {"PROGRAM", offer_files}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            kinds[i].offer(line);
    if (strchr(kind, '|') != NULL)
        offer_list(line, kind, '|');
}

/* Of WORDS, comma between, the last one: those before it stay. */
static void offer_value(const struct line *line)
{
    const char *const *words = line->grammar->words_of(line->option->key);
    const char *const comma = strrchr(line->begun, ',');
    struct line last = *line;
    if (words == NULL)
        offer_kind(line, line->option->arg);
    else if (strcmp(line->option->arg, "WORDS") == 0 && comma != NULL)
        last.before = internf("%s%.*s", line->before, (int)(comma + 1 - line->begun), line->begun);
    for (; words != NULL && *words != NULL; words++)
        offer(&last, *words, "");
}

static bool takes(const struct verb *verb, int key)
{
    bool found = verb == NULL;
    for (int i = 0; verb != NULL && verb->keys[i] != 0; i++)
        found = found || verb->keys[i] == key;
    return found;
}

static void offer_options(const struct line *line)
{
    for (const struct argp_option *o = line->grammar->options; o->name != NULL || o->doc != NULL;
         o++)
        if (o->name != NULL && takes(line->verb, o->key))
            offer(line, internf("--%s%s", o->name, o->arg != NULL ? "=" : ""), o->doc);
    offer(line, "--help", "");
    if (line->verb == NULL)
        offer(line, "--version", "");
}

/* The word of the help at the last word's place, and, if any number may stand there, what may come
 * behind those. */
static void offer_words(const struct line *line)
{
    const char *word = line->verb->words;
    bool any = false;
    for (int place = 0; *word != '\0' && strncmp(word, "--", 2) != 0; place++) {
        const int length = (int)strcspn(word, " "), bracket = word[0] == '[';
        const char *const kind =
            internf("%.*s", (int)strcspn(word + bracket, " .]"), word + bracket);
        const bool many = strncmp(word + bracket + strlen(kind), "...", 3) == 0;
        any = any || (many && place <= line->place);
        if (any || place == line->place)
            offer_kind(line, kind);
        word += length + (word[length] != '\0');
    }
}

/* "--name", "--name=VALUE", "-x"; null: none of ours. */
static const struct argp_option *option_told(const struct grammar *grammar, const char *word)
{
    const bool is_long = strncmp(word, "--", 2) == 0;
    const char *const name = internf("%.*s", (int)strcspn(word, "="), word);
    for (const struct argp_option *o = grammar->options; o->name != NULL || o->doc != NULL; o++) {
        const bool is_it = is_long ? o->name != NULL && strcmp(o->name, name + 2) == 0
                                   : word[0] == '-' && word[1] == o->key && o->key != 0;
        if (is_it)
            return o;
    }
    return NULL;
}

/* A word before the last one. */
static void take_word(struct line *line, const char *word)
{
    const struct argp_option *const option = option_told(line->grammar, word);
    if (line->option != NULL) { /* the value of the option before it */
        line->option = NULL;
    } else if (word[0] == '-' && word[1] != '\0') {
        const bool has_value = word[1] == '-' ? strchr(word, '=') != NULL : word[2] != '\0';
        line->option = option != NULL && option->arg != NULL && !has_value ? option : NULL;
    } else if (line->verb != NULL) {
        line->first = line->place++ == 0 ? word : line->first;
    } else {
        for (const struct verb *v = line->grammar->verbs; v->name != NULL; v++)
            if (strcmp(v->name, word) == 0)
                line->verb = v;
    }
}

int complete(const struct grammar *grammar, int count, char *const *words)
{
    const char *const last = count > 0 ? words[count - 1] : "";
    const char *const equals = strchr(last, '=');
    struct line line = {.grammar = grammar, .begun = last, .before = "", .first = ""};
    for (int i = 0; i + 1 < count; i++)
        take_word(&line, words[i]);
    if (line.option == NULL && strncmp(last, "--", 2) == 0 && equals != NULL) {
        line.option = option_told(grammar, last);
        line.before = internf("%.*s", (int)(equals + 1 - last), last);
        line.begun = equals + 1;
    }
    if (line.option != NULL && line.option->arg != NULL) {
        offer_value(&line);
    } else if (last[0] == '-') {
        offer_options(&line);
    } else if (line.verb != NULL) {
        offer_words(&line);
    } else {
        for (const struct verb *v = grammar->verbs; v->name != NULL; v++)
            offer(&line, v->name, v->words);
    }
    return 0;
}
