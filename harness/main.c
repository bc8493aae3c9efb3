/*
 * The command line: one verb, options, globs. Standard output is for results, standard error for
 * progress and messages. Exit status: 0 good, 1 failed or wrong, 2 usage, 3 slower, 4 a cell
 * DIFFERS, 130 interrupted.
 */
#include <argp.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core.h"
#include "base/document.h"
#include "base/intern.h"
#include "compare/compare.h"
#include "compare/history.h"
#include "compare/side.h"
#include "complete.h"
#include "machine/device.h"
#include "machine/facts.h"
#include "machine/ranks.h"
#include "report/report.h"
#include "report/site.h"
#include "run/cost.h"
#include "run/keep.h"
#include "run/plan.h"
#include "run/process.h"
#include "run/run.h"
#include "run/solve.h"
#include "run/status.h"
#include "run/worker.h"
#include "verdict/verdict.h"

enum {
    KEY_OUT = 256,
    KEY_SIZE,
    KEY_ROUNDS,
    KEY_SAMPLES,
    KEY_QUICK,
    KEY_BUDGET,
    KEY_PRECISE,
    KEY_RESUME,
    KEY_RETRY,
    KEY_TIMEOUT,
    KEY_LAUNCHER,
    KEY_SEED,
    KEY_DEVICE,
    KEY_ORDER,
    KEY_THREAD_ORDER,
    KEY_VARIANT,
    KEY_PRECISION,
    KEY_SET,
    KEY_INPUT,
    KEY_TIME,
    KEY_DUMP,
    KEY_PLOT,
    KEY_FORMAT,
    KEY_GATE,
    KEY_NOISE,
    KEY_CONFIRM,
    KEY_SELF,
    KEY_AGAINST,
    KEY_LOCK_CLOCKS,
    KEY_ENERGY,
    KEY_PROFILE,
    KEYS
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "Selection (list jobs, plan, run, verdict, compare, history, generations):", 1},
    {"exclude", 'x', "GLOB", 0, "leave out jobs that match; repeatable", 1},
    {0, 0, 0, 0, "Sizes (list jobs, plan, run):", 2},
    {"axis", 'a', "n=LIST", 0, "sizes instead of the preset's: n=2^20,2^24 or n=500:4000:500", 2},
    {"size", KEY_SIZE, "SIZE", 0,
     "preset: smoke, quick, paper (default: paper where a GPU is, else quick)", 2},
    {0, 0, 0, 0, "run:", 3},
    {"out", KEY_OUT, "DIR", 0, "folder (default: results/MACHINE/DATE-COMMIT; of site: site)", 3},
    {"rounds", KEY_ROUNDS, "N", 0,
     "rounds of a timed job, each in another worker, at most (default 7); plan takes it too", 3},
    {"samples", KEY_SAMPLES, "N", 0, "samples per round (default 7); plan takes it too", 3},
    {"quick", KEY_QUICK, 0, 0,
     "one round of one sample, and no --rounds or --samples; verified and marked quick", 3},
    {"budget", KEY_BUDGET, "TIME", 0,
     "what does not fit is left out, as 90s, 20m or 2h; compare takes it too, with --confirm", 3},
    {"precise", KEY_PRECISE, "PERCENT", 0,
     "a job has no further round from three on where half its 95 % interval is below that, or "
     "would not be after the last one either, and one round if a solve takes half a second "
     "(default 2; 0: all rounds); plan takes it too",
     3},
    {"resume", KEY_RESUME, 0, 0,
     "go on with a run that was stopped, with the jobs it was begun with where none is named", 3},
    {"retry", KEY_RETRY, "WORDS", 0, "with --resume: again what is failed,timeout,wrong,...", 3},
    {"timeout", KEY_TIMEOUT, "SECONDS", 0, "least deadline of a job (default 60)", 3},
    {"launcher", KEY_LAUNCHER, "WORDS", 0,
     "what starts the processes of a job of several ranks (default 'mpirun -n {ranks}'; under "
     "Slurm 'srun -n {ranks} --gpus-per-task=1 --kill-on-bad-exit=1 --input=0'); solve takes it "
     "too",
     3},
    {"self", KEY_SELF, 0, 0, "everything twice, to measure the noise from run to run", 3},
    {"against", KEY_AGAINST, "PROGRAM", 0,
     "its rounds take turns with ours, and go into FOLDER/base; compare takes it too, with "
     "--budget",
     3},
    {"lock-clocks", KEY_LOCK_CLOCKS, 0, 0,
     "lock the GPU's clocks as long as the run lasts, which takes an administrator's rights", 3},
    {"order", KEY_ORDER, "ORDER", 0, "random (default) or plan", 3},
    {0, 0, 0, 0, "solve FAMILY/PROBLEM:", 4},
    {"variant", KEY_VARIANT, "V", 0, "how to solve it", 4},
    {"precision", KEY_PRECISION, "P", 0, "single, double, mixed, where the label leaves it open",
     4},
    {"set", KEY_SET, "NAME=VALUE", 0, "a parameter; repeatable", 4},
    {"input", KEY_INPUT, "NAME=FILE", 0,
     "data of your own, which `list problems` names; repeatable. The file has one value a line, or "
     "a "
     "row of them, or is what --dump wrote, or a .npy of float32 or float64",
     4},
    {"time", KEY_TIME, 0, 0, "time it too", 4},
    {"profile", KEY_PROFILE, 0, 0,
     "for nsys, ncu or perf: a run to warm up, then the one that is judged, in a range of the "
     "variant's name and ranges of its parts",
     4},
    {"dump", KEY_DUMP, "FILE", 0,
     "write the solution as CSV, 17 digits; to - : on standard output, and the metrics then on "
     "standard error",
     4},
    {"plot", KEY_PLOT, "FILE", 0,
     "draw the solution by gnuplot, into a file whose name ends in .svg, .png or .pdf", 4},
    {0, 0, 0, 0, "run and solve:", 5},
    {"seed", KEY_SEED, "N", 0, "of orders and varied data (default 1)", 5},
    {"energy", KEY_ENERGY, 0, 0,
     "measure also how many joules a run on one GPU draws, which takes some seconds a job "
     "(solve: with --time)",
     5},
    {"thread-order", KEY_THREAD_ORDER, "ORDER", 0,
     "of the emulated device's threads: ascending (default) or descending", 5},
    {"device", KEY_DEVICE, "N", 0,
     "the only card to use, of those that CUDA can, from 0 on (default: the first, and of several "
     "ranks each its own); plan and env take it too",
     5},
    {0, 0, 0, 0, "What is printed:", 6},
    {"format", KEY_FORMAT, "FORMAT", 0,
     "text, or json (list, plan, verdict, compare, history, generations, env); markdown (verdict, "
     "compare, history, generations); csv (history, generations); junit or github (verdict, "
     "compare); of report summary, text or latex, which writes tables/EXHIBIT.tex",
     6},
    {0, 0, 0, 0, "compare BASE NEW:", 7},
    {"gate", KEY_GATE, "WORDS", 0,
     "what gives a bad exit status: wrong,missing,differs,slower (default: all but missing)", 7},
    {"noise", KEY_NOISE, "PERCENT", 0,
     "standard deviation of times from one run to the next (default: as repeated runs have it); "
     "history takes it too",
     7},
    {"confirm", KEY_CONFIRM, 0, 0,
     "run what is slower again, with the program that NEW is of; with --budget first more rounds "
     "of "
     "what is unclear, with --against BASE's program by turns",
     7},
    {0},
};

struct arguments {
    char *const *argv;
    const char *verb, *words[64];
    int word_count;
    const char *text[KEYS]; /* of each option that was given, by its key; "" where it takes none */
    struct run_options run;
    struct solve_options solve;
    struct compare_options compare;
    const char *format;
};

/* What an option's text must be: a whole number in a range, or one of some words. */
static const struct rule {
    int key;
    double least, most;
    const char *words[4];
} rules[] = {{KEY_ROUNDS, 1, 60, {0}},
             {KEY_SAMPLES, 1, 1000, {0}},
             {KEY_TIMEOUT, 1, 86400, {0}},
             {KEY_SEED, 0, 0x1p53, {0}},
             {KEY_DEVICE, 0, 9999, {0}},
             {KEY_SIZE, 0, 0, {"smoke", "quick", "paper"}},
             {KEY_ORDER, 0, 0, {"random", "plan"}},
             {KEY_THREAD_ORDER, 0, 0, {"ascending", "descending"}},
             {KEY_PRECISION, 0, 0, {"single", "double", "mixed"}}};

static const char *const gate_words[] = {"wrong", "missing", "differs", "slower", NULL};

/* That an option takes, ends by null; null: something else. */
static const char *const *words_of(int key)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].key == key && rules[i].words[0] != NULL)
            return rules[i].words;
    return key == KEY_GATE ? gate_words : key == KEY_RETRY ? retry_words() : NULL;
}

static const char *option_name(int key)
{
    for (size_t i = 0; i + 1 < sizeof options / sizeof *options; i++)
        if (options[i].key == key && options[i].name != NULL)
            return options[i].name;
    return NULL;
}

static void check_rule(struct argp_state *state, const struct rule *rule, const char *text)
{
    const char *const name = option_name(rule->key);
    const double value = number_of(text);
    const bool whole = value == floor(value) && value >= rule->least && value <= rule->most;
    if (rule->words[0] == NULL && !whole)
        argp_error(state, "--%s=%s must be a whole number from %.0f to %.0f", name, text,
                   rule->least, rule->most);
    if (rule->words[0] != NULL && strcmp(nearest(text, rule->words), text) != 0)
        argp_error(state, "--%s=%s is not known; the nearest is '%s'", name, text,
                   nearest(text, rule->words));
}

static double duration_argument(struct argp_state *state, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    const double unit = strcmp(end, "h") == 0                     ? 3600
                        : strcmp(end, "m") == 0                   ? 60
                        : strcmp(end, "s") == 0 || end[0] == '\0' ? 1
                                                                  : 0;
    const bool good = end != text && value > 0 && unit > 0 && isfinite(value);
    if (!good)
        argp_error(state, "--budget=%s is not a duration; write 90s, 20m or 2h", text);
    return value * unit;
}

/* "1.5", or "1.5%". */
static double percent_argument(struct argp_state *state, int key, const char *text)
{
    const size_t length = strlen(text), sign = length > 0 && text[length - 1] == '%';
    const double value = number_of(internf("%.*s", (int)(length - sign), text));
    if (!(value >= 0 && value <= 100))
        argp_error(state, "--%s=%s must be a number of percent from 0 to 100", option_name(key),
                   text);
    return value / 100;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;
    struct selection *selection = &a->run.selection;
    if (key == ARGP_KEY_NO_ARGS)
        argp_usage(state);
    if (key == ARGP_KEY_ARG && a->verb == NULL)
        a->verb = text;
    else if (key == ARGP_KEY_ARG && a->word_count == MOST_GLOBS)
        argp_error(state, "more than %d words", MOST_GLOBS);
    else if (key == ARGP_KEY_ARG)
        a->words[a->word_count++] = text;
    if (key == ARGP_KEY_ARG)
        return 0;
    if (key < 0 || key >= KEYS)
        return ARGP_ERR_UNKNOWN;
    a->text[key] = text != NULL ? text : "";
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].key == key && text != NULL)
            check_rule(state, &rules[i], text);
    if (key == 'x' && selection->excluded_count == MOST_GLOBS)
        argp_error(state, "more than %d -x", MOST_GLOBS);
    else if (key == 'x')
        selection->excluded[selection->excluded_count++] = text;
    if (key == 'a' && strncmp(text, "n=", 2) != 0)
        argp_error(state, "-a %s: write -a n=2^20,2^24", text);
    else if (key == 'a')
        selection->axis_override = text + 2;
    if (key == KEY_SET && a->solve.setting_count == MAX_PARAMETERS)
        argp_error(state, "more than %d --set", MAX_PARAMETERS);
    else if (key == KEY_SET)
        a->solve.settings[a->solve.setting_count++] = text;
    if (key == KEY_INPUT && a->solve.input_count == MAX_INPUTS)
        argp_error(state, "more than %d --input", MAX_INPUTS);
    else if (key == KEY_INPUT)
        a->solve.inputs[a->solve.input_count++] = text;
    if (key == KEY_BUDGET)
        a->run.budget = duration_argument(state, text);
    if (key == KEY_NOISE)
        a->compare.noise = percent_argument(state, key, text);
    if (key == KEY_PRECISE)
        a->run.precise = percent_argument(state, key, text);
    return 0;
}

static const char *text_or(const struct arguments *a, int key, const char *instead)
{
    return a->text[key] != NULL ? a->text[key] : instead;
}

static double number_or(const struct arguments *a, int key, double instead)
{
    return a->text[key] != NULL ? number_of(a->text[key]) : instead;
}

/* What was given, and what holds otherwise. */
static void set_options(struct arguments *a)
{
    struct run_options *const run = &a->run;
    struct solve_options *const solve = &a->solve;
    run->selection.size = a->text[KEY_SIZE];
    run->out = a->text[KEY_OUT];
    run->rounds = (int)number_or(a, KEY_ROUNDS, 7);
    run->samples = (int)number_or(a, KEY_SAMPLES, 7);
    run->quick = a->text[KEY_QUICK] != NULL;
    if (a->text[KEY_PRECISE] == NULL) /* two runs that take turns are compared round by round */
        run->precise = a->text[KEY_AGAINST] != NULL ? 0 : 0.02;
    run->resume = a->text[KEY_RESUME] != NULL;
    run->retry = a->text[KEY_RETRY];
    run->timeout = number_or(a, KEY_TIMEOUT, 60);
    run->launcher = a->text[KEY_LAUNCHER];
    run->order = text_or(a, KEY_ORDER, "random");
    run->against = a->text[KEY_AGAINST];
    run->self = a->text[KEY_SELF] != NULL;
    run->energy = solve->energy = a->text[KEY_ENERGY] != NULL;
    run->lock_clocks = a->text[KEY_LOCK_CLOCKS] != NULL;
    run->seed = solve->seed = (uint64_t)number_or(a, KEY_SEED, 1);
    run->thread_order = solve->thread_order = text_or(a, KEY_THREAD_ORDER, "ascending");
    solve->variant = a->text[KEY_VARIANT];
    solve->precision = a->text[KEY_PRECISION];
    solve->profile = a->text[KEY_PROFILE] != NULL;
    solve->time = a->text[KEY_TIME] != NULL;
    solve->launcher = a->text[KEY_LAUNCHER];
    solve->dump = a->text[KEY_DUMP];
    solve->plot = a->text[KEY_PLOT];
    a->compare.gate = text_or(a, KEY_GATE, "wrong,differs,slower");
    a->compare.confirm = a->text[KEY_CONFIRM] != NULL;
    a->compare.budget = run->budget;
    a->compare.against = run->against;
}

/* --- verbs --- */

static enum status globs_from_words(const struct arguments *a, int first, struct selection *s)
{
    enum status status = OK;
    for (int i = first; i < a->word_count && status == OK; i++)
        status = selection_add(s, a->words[i]);
    return status;
}

/* What `list` prints, and which of its globs matched something. */
struct listing {
    const struct arguments *a;
    struct document d;
    struct names ids; /* all there are, shown or not */
    bool matched[MOST_GLOBS];
};

static bool shown(struct listing *l, const char *id)
{
    bool any = l->a->word_count < 2;
    names_add(&l->ids, id);
    for (int i = 1; i < l->a->word_count; i++)
        if (glob_matches(l->a->words[i], id))
            any = l->matched[i] = true;
    return any;
}

static int list_exhibits(struct listing *l)
{
    static const struct field columns[] = {
        {"exhibit", "%-28s"}, {"where", " %-12s"}, {"title", " %s"}, {NULL, NULL}};
    struct table t;
    table_begin(&t, &l->d, "rows", LINES, columns);
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL; e++)
            if (shown(l, e->id)) {
                table_word(&t, e->id);
                table_word(&t, e->where);
                table_word(&t, e->title);
            }
    table_end(&t);
    return 0;
}

static int list_families(struct listing *l)
{
    static const struct field columns[] = {{"family", "%-12s"}, {"title", " %s"}, {NULL, NULL}};
    struct table t;
    table_begin(&t, &l->d, "rows", LINES, columns);
    for (int i = 0; families[i] != NULL; i++)
        if (shown(l, families[i]->id)) {
            table_word(&t, families[i]->id);
            table_word(&t, families[i]->title);
        }
    table_end(&t);
    return 0;
}

/* People read each problem's parameters and inputs below it. */
static int list_problems(struct listing *l)
{
    static const struct field of_problem[] = {
        {"problem", "%-20s"}, {"title", " %s"}, {"source", " (%s)"}, {NULL, NULL}};
    static const struct field of_parameter[] = {{"problem", NULL},
                                                {"parameter", "    %-12s"},
                                                {"meaning", " %s"},
                                                {"initial", "  [%s]"},
                                                {NULL, NULL}};
    static const struct field of_input[] = {
        {"problem", NULL}, {"input", "    --input %-6s"}, {"meaning", " %s"}, {NULL, NULL}};
    struct table t, below, files;
    table_begin(&t, &l->d, "rows", LINES, of_problem);
    table_begin(&below, &l->d, "parameters", LINES, of_parameter);
    table_begin(&files, &l->d, "inputs", LINES, of_input);
    for (int i = 0; families[i] != NULL; i++)
        for (const struct problem *p = families[i]->problems; p->id != NULL; p++) {
            const char *const id = internf("%s/%s", families[i]->id, p->id);
            if (!shown(l, id))
                continue;
            table_word(&t, id);
            table_word(&t, p->title);
            table_word(&t, p->source);
            for (const struct parameter *q = p->parameters; q->name != NULL; q++) {
                table_word(&below, id);
                table_word(&below, q->name);
                table_word(&below, q->meaning);
                if (q->kind == CHOICE || q->kind == TEXT)
                    table_word(&below, q->words);
                else
                    table_number(&below, q->initial, 15);
            }
            for (const struct input *q = p->inputs; q != NULL && q->name != NULL; q++) {
                table_word(&files, id);
                table_word(&files, q->name);
                table_word(&files, q->meaning);
            }
        }
    table_end(&t);
    table_end(&below);
    table_end(&files);
    return 0;
}

static int list_variants(struct listing *l)
{
    static const char *const places[] = {"one core", "all cores", "device", "device+host"};
    static const struct field columns[] = {
        {"variant", "%-20s"}, {"precision", " %-7s"},  {"role", " %-10s"}, {"place", " %-12s"},
        {"title", " %s"},     {"unavailable", "; %s"}, {NULL, NULL}};
    struct table t;
    table_begin(&t, &l->d, "rows", LINES, columns);
    for (int i = 0; families[i] != NULL; i++)
        for (const struct variant *v = families[i]->variants; v->id != NULL; v++) {
            const char *const id = internf("%s/%s", families[i]->id, v->id);
            if (!shown(l, id))
                continue;
            table_word(&t, id);
            table_word(&t, precision_name(v->precision));
            table_word(&t, role_name(v->role));
            table_word(&t, places[v->place]);
            table_word(&t, v->title);
            table_word(&t, v->unavailable != NULL ? v->unavailable : "");
        }
    table_end(&t);
    return 0;
}

static int list_claims(struct listing *l)
{
    static const struct field columns[] = {
        {"claim", "%-28s"}, {"where", " %-12s"}, {"text", " %s"}, {NULL, NULL}};
    struct table t;
    table_begin(&t, &l->d, "rows", LINES, columns);
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct claim *c = claims_of(papers[i]); c->id != NULL; c++)
            if (shown(l, c->id)) {
                table_word(&t, c->id);
                table_word(&t, c->where);
                table_word(&t, c->text);
            }
    table_end(&t);
    return 0;
}

static int list_errata(struct listing *l)
{
    static const struct field columns[] = {
        {"erratum", "%-14s"},         {"place", " %-14s"},           {"printed", " printed: %s;"},
        {"correct", " correct: %s;"}, {"evidence", " evidence: %s"}, {NULL, NULL}};
    struct table t;
    table_begin(&t, &l->d, "rows", LINES, columns);
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct erratum *e = errata_of(papers[i]); e->id != NULL; e++) {
            const char *const id = internf("%s/%s", papers[i]->id, e->id);
            if (!shown(l, id))
                continue;
            table_word(&t, id);
            table_word(&t, e->place);
            table_word(&t, e->printed);
            table_word(&t, e->corrected);
            table_word(&t, e->evidence);
        }
    table_end(&t);
    return 0;
}

/* On which the papers measured: BASE of a comparison, as published:NAME. */
static int list_machines(struct listing *l)
{
    static const struct field columns[] = {
        {"machine", "%-12s"}, {"year", " %-6s"}, {"bandwidth", " %6s GB/s"},
        {"single", NULL},     {"double", NULL},  {"source", "  %s"},
        {NULL, NULL}};
    struct printed_machine *machines;
    size_t count;
    const enum status status = machines_load(&machines, &count);
    if (status != OK)
        return failed(status);
    struct table t;
    table_begin(&t, &l->d, "rows", LINES, columns);
    for (size_t i = 0; i < count; i++) {
        const struct printed_machine *m = &machines[i];
        const bool known = m->bandwidth > 0;
        if (!shown(l, m->name))
            continue;
        table_word(&t, m->name);
        /* A blank, where the next column should stay in its place. */
        table_word_shown(&t, m->year[0] != '\0' ? m->year : " ", m->year);
        table_number_shown(&t, known ? internf("%.1f", 1e-9 * m->bandwidth) : "?", m->bandwidth);
        table_number(&t, m->flops[0], 4);
        table_number(&t, m->flops[1], 4);
        table_word(&t, m->source);
    }
    table_end(&t);
    free(machines);
    return 0;
}

/* Sizes as the device in this build suggests, for verbs that start no worker. */
static const char *suggested_size(void)
{
    return device_has_time() ? "paper" : "quick";
}

static int list_jobs(struct listing *l)
{
    static const struct field columns[] = {{"job", "%s"}, {NULL, NULL}};
    struct selection selection = l->a->run.selection;
    struct plan plan;
    enum status status = globs_from_words(l->a, 1, &selection);
    if (selection.size == NULL)
        selection.size = suggested_size();
    if (status == OK)
        status = plan_make(&selection, &plan);
    if (status != OK)
        return failed(status);
    struct table t;
    table_begin(&t, &l->d, "rows", LINES, columns);
    for (size_t i = 0; i < plan.count; i++)
        table_key(&t, &plan.jobs[i].key);
    table_end(&t);
    plan_free(&plan);
    return 0;
}

/* Of the others than jobs. */
static enum status takes_no_selection(const struct arguments *a, const char *what)
{
    static const int keys[] = {'x', 'a', KEY_SIZE};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (a->text[keys[i]] != NULL)
            return because(ERR_ARGS,
                           "list %s takes no --%s; it chooses jobs, as in `reprise list jobs`",
                           what, option_name(keys[i]));
    return OK;
}

static enum status all_matched(struct listing *l, const char *what)
{
    for (int i = 1; i < l->a->word_count; i++)
        if (!l->matched[i])
            return because(ERR_ARGS,
                           "'%s' matches none of the %s; the nearest name is '%s', and `reprise "
                           "list %s` shows all",
                           l->a->words[i], what, names_nearest(&l->ids, l->a->words[i]), what);
    return OK;
}

static int verb_list(struct arguments *a)
{
    static const struct {
        const char *name;
        int (*list)(struct listing *);
    } lists[] = {{"exhibits", list_exhibits}, {"families", list_families},
                 {"problems", list_problems}, {"variants", list_variants},
                 {"claims", list_claims},     {"errata", list_errata},
                 {"machines", list_machines}, {"jobs", list_jobs}};
    const char *what = a->word_count > 0 ? a->words[0] : "exhibits";
    const char *names[9] = {NULL};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        names[i] = lists[i].name;
        if (strcmp(what, lists[i].name) != 0)
            continue;
        struct listing l = {.a = a};
        const bool of_jobs = lists[i].list == list_jobs; /* which looks at its globs itself */
        if (!of_jobs && takes_no_selection(a, what) != OK)
            return failed(ERR_ARGS);
        document_begin(&l.d, a->verb, a->format);
        document_word(&l.d, "what", what);
        int exit_status = lists[i].list(&l);
        if (exit_status == 0 && !of_jobs && all_matched(&l, what) != OK)
            exit_status = failed(ERR_ARGS);
        free(l.ids.list);
        if (exit_status == 0)
            return document_end(&l.d, 0);
        document_drop(&l.d);
        return exit_status;
    }
    because(ERR_ARGS, "cannot list '%s'; did you mean '%s'?", what, nearest(what, names));
    return failed(ERR_ARGS);
}

/* Why a job would be skipped here; "": it would not. */
static const char *why_skipped(const struct job *job, bool named, const struct facts *facts,
                               bool gpu)
{
    const char *const why = not_in_this_build(job->variant);
    const char *const lacking = ranks_lacking(job, named, NULL, facts);
    return why != NULL                         ? why
           : lacking != NULL                   ? lacking
           : uses_device(job->variant) && !gpu ? facts_get(facts, "gpu_why_not")
           : job_fits(job, fact_number(facts, "gpu_memory_bytes"), 0) != OK ? reason()
                                                                            : "";
}

static int verb_plan(struct arguments *a)
{
    static const struct field columns[] = {{"job", "%-64s"},
                                           {"memory", " %s"},
                                           {"moves", " %s"},
                                           {"estimate", " %s"},
                                           {"skipped", "  skipped: %s"},
                                           {NULL, NULL}};
    struct plan plan;
    struct facts facts;
    enum status status = globs_from_words(a, 0, &a->run.selection);
    if (status != OK)
        return failed(status);
    if (run_facts(NULL, &facts) != OK) {
        facts_add(&facts, "gpu_why_not", "%s", reason());
        fprintf(stderr, "reprise: nothing here would run: %s\n", reason());
    }
    const bool gpu = facts_get(&facts, "gpu_name")[0] != '\0';
    if (a->run.selection.size == NULL)
        a->run.selection.size = gpu && device_has_time() ? "paper" : "quick";
    status = plan_make(&a->run.selection, &plan);
    if (status != OK)
        return failed(status);
    struct costs costs = {0};
    costs_of_earlier_runs(&costs, &facts);
    double bytes = 0, seconds = 0;
    size_t skipped = 0;
    struct document d;
    struct table t;
    document_begin(&d, a->verb, a->format);
    document_say(&d, "%-64s %10s %10s %9s", "job", "memory", "moves", "estimate");
    table_begin(&t, &d, "rows", LINES, columns);
    for (size_t i = 0; i < plan.count; i++) {
        const struct job *job = &plan.jobs[i];
        const double held = job->work.host_bytes + job->work.device_bytes;
        const char *const why = why_skipped(job, a->run.selection.glob_count > 0, &facts, gpu);
        const double once = cost_of(&costs, job, a->run.samples);
        const bool again = plan_same(&plan, i) != NULL;
        const int rounds = rounds_expected(&costs, job, a->run.rounds, a->run.precise, once);
        const double estimate = why[0] != '\0' || again ? 0 : cost_of_rounds(once, true, rounds);
        table_key(&t, &job->key);
        table_number_shown(&t, internf("%6.2f GiB", held / 0x1p30), held);
        table_number_shown(&t, internf("%6.2f GiB", job->work.bytes / 0x1p30), job->work.bytes);
        table_number_shown(&t, again ? " as above" : internf("%7.1f s", estimate), estimate);
        table_word(&t, why);
        bytes = fmax(bytes, held);
        seconds += estimate;
        skipped += why[0] != '\0';
    }
    table_end(&t);
    document_number(&d, "memory", bytes);
    document_number(&d, "estimate", seconds);
    document_sum(&d, internf("%zu jobs, %zu to be skipped, at most %.2f GiB at once, about %.0f s "
                             "(%s)",
                             plan.count, skipped, bytes / 0x1p30, seconds,
                             costs.count > 0 ? "as earlier runs here took"
                                             : "reckoned; the run corrects it as it goes"));
    costs_free(&costs);
    plan_free(&plan);
    return document_end(&d, 0);
}

/* False, and the reason says it: a word of the list, comma between, is none of these. */
static bool known_words(const char *option, const char *list, const char *const *words)
{
    char *const copy = strdup(list), *rest = NULL;
    bool known = true;
    for (char *w = strtok_r(copy, ",", &rest); w != NULL && known; w = strtok_r(NULL, ",", &rest)) {
        known = strcmp(nearest(w, words), w) == 0;
        if (!known)
            because(ERR_ARGS, "--%s=%s: there is no '%s'; did you mean '%s'?", option, list, w,
                    nearest(w, words));
    }
    free(copy);
    return known;
}

/* Of the run as it stands: read once for all exhibits that end together. Null: it cannot be read.
 */
static const struct verdicts *verdicts_so_far(const char *folder)
{
    static struct verdicts all;
    static off_t known = -1;
    struct stat info;
    if (stat(internf("%s/samples.csv", folder), &info) != 0)
        return NULL;
    if (info.st_size == known && strcmp(all.folder.name, folder) == 0)
        return &all;
    verdicts_free(&all);
    known = verdicts_load(folder, NULL, &all) == OK ? info.st_size : -1;
    return known >= 0 ? &all : NULL;
}

/* "; of 25 printed cells 20 SAME, 5 CLOSE". */
static const char *verdict_on_exhibit(const char *folder, const char *exhibit)
{
    const struct verdicts *const all = verdicts_so_far(folder);
    int of[VERDICT_DIFFERS + 1] = {0}, printed = 0;
    for (size_t i = 0; all != NULL && i < all->count; i++) {
        const struct cell *const cell = &all->cells[i];
        if (strcmp(cell->exhibit->id, exhibit) != 0 || isnan(cell->printed.value))
            continue;
        printed++;
        if (cell->verdict <= VERDICT_DIFFERS)
            of[cell->verdict]++;
    }
    const char *said = "";
    for (int v = VERDICT_SAME; v <= VERDICT_DIFFERS; v++)
        if (of[v] > 0)
            said = internf("%s%s %d %s", said, said[0] != '\0' ? "," : "", of[v], verdict_names[v]);
    return said[0] != '\0' ? internf("; of %d printed cells%s", printed, said) : "";
}

static int verb_run(struct arguments *a)
{
    if (globs_from_words(a, 0, &a->run.selection) != OK)
        return failed(ERR_ARGS);
    a->run.verdict = verdict_on_exhibit;
    if (a->run.quick && (a->text[KEY_ROUNDS] != NULL || a->text[KEY_SAMPLES] != NULL)) {
        return failed(because(ERR_ARGS, "--quick is one round of one sample; leave it out, or "
                                        "--rounds and --samples"));
    }
    if (a->run.quick)
        a->run.rounds = a->run.samples = 1;
    if (a->run.retry != NULL && !known_words("retry", a->run.retry, retry_words()))
        return failed(ERR_ARGS);
    if (a->run.retry != NULL && !a->run.resume) {
        return failed(because(ERR_ARGS, "--retry goes with --resume"));
    }
    if (a->run.self && a->run.against != NULL) {
        because(ERR_ARGS, "--self and --against are two things; run one after the other");
        return failed(ERR_ARGS);
    }
    const char *folder;
    int exit_status = run_plan(&a->run, &folder);
    if (a->run.self && exit_status == 0 && measure_noise(folder) != OK)
        exit_status = failed(ERR_IO);
    if (folder != NULL)
        printf("%s\n", folder);
    return exit_status;
}

static int verb_compare(struct arguments *a)
{
    if (a->word_count < 2) {
        return failed(because(ERR_ARGS, "compare takes the folders of two runs, BASE and NEW"));
    }
    if (!known_words("gate", a->compare.gate, gate_words))
        return failed(ERR_ARGS);
    if ((a->compare.budget > 0 && !a->compare.confirm) ||
        (a->compare.against != NULL && !(a->compare.budget > 0))) {
        return failed(because(ERR_ARGS, "compare takes --against with --budget, and --budget with "
                                        "--confirm: they are for more rounds of what is unclear"));
    }
    if (globs_from_words(a, 2, &a->run.selection) != OK)
        return failed(ERR_ARGS);
    a->compare.format = a->format;
    a->compare.base = a->words[0];
    a->compare.now = a->words[1];
    a->compare.selection = a->run.selection;
    return compare_runs(&a->compare);
}

/* Words that name folders are runs, the others globs. */
static int of_runs(struct arguments *a, int (*verb)(const struct history_options *options))
{
    struct history_options history = {.format = a->format, .noise = a->compare.noise};
    struct selection *selection = &a->run.selection;
    struct stat info;
    for (int i = 0; i < a->word_count; i++)
        if (stat(a->words[i], &info) == 0 && S_ISDIR(info.st_mode))
            history.folders[history.folder_count++] = a->words[i];
        else if (selection_add(selection, a->words[i]) != OK)
            return failed(ERR_ARGS);
        else if (a->words[i] == selection->globs[selection->glob_count - 1])
            history.told[selection->glob_count - 1] = true;
    if (history.folder_count == 0) {
        return failed(because(ERR_ARGS, "%s takes folders of runs, as results/MACHINE/*", a->verb));
    }
    history.selection = *selection;
    return verb(&history);
}

static int verb_history(struct arguments *a)
{
    return of_runs(a, history_of);
}

static int verb_generations(struct arguments *a)
{
    return of_runs(a, generations_of);
}

static int verb_solve(struct arguments *a)
{
    if (a->word_count != 1) {
        return failed(
            because(ERR_ARGS,
                    "solve takes one FAMILY/PROBLEM, as in `reprise solve bvp/p1 --variant A2D`"));
    }
    if (a->solve.energy && !a->solve.time)
        return failed(because(ERR_ARGS, "solve takes --energy with --time"));
    if (a->solve.profile && a->solve.time)
        return failed(because(ERR_ARGS, "a profiler changes times: solve takes --profile or "
                                        "--time, not both"));
    a->solve.what = a->words[0];
    int ranks = 1;
    enum status status = solve_ranks(&a->solve, &ranks);
    if (status == OK)
        status = ranks > 1 && ranks_count() == 1 ? become_ranks(a->argv, ranks, a->solve.launcher)
                                                 : become_worker_program(a->argv);
    return status == OK ? solve_one(&a->solve) : failed(status);
}

static int verb_verdict(struct arguments *a)
{
    if (a->word_count < 1) {
        return failed(because(ERR_ARGS, "verdict takes the folder of a run"));
    }
    if (globs_from_words(a, 1, &a->run.selection) != OK)
        return failed(ERR_ARGS);
    return verdict_folder(a->words[0], &a->run.selection, a->format);
}

static int verb_report(struct arguments *a)
{
    if (a->word_count != 1) {
        return failed(because(ERR_ARGS, "report takes the folder of a run"));
    }
    return report_folder(a->words[0], a->format);
}

static int verb_site(struct arguments *a)
{
    if (a->word_count < 1) {
        return failed(
            because(ERR_ARGS, "site takes folders of runs, or one above them, as results"));
    }
    if (text_or(a, KEY_OUT, "site")[0] == '\0')
        return failed(because(ERR_ARGS, "--out needs the name of a folder"));
    return site_of(a->words, a->word_count, text_or(a, KEY_OUT, "site"));
}

static int verb_keep(struct arguments *a)
{
    if (a->word_count != 1) {
        return failed(because(ERR_ARGS, "keep takes the folder of a run"));
    }
    return keep_folder(a->words[0]);
}

static void put_warnings(const struct facts *facts, struct document *d)
{
    static const struct field columns[] = {{"warning", "warning: %s"}, {NULL, NULL}};
    const char *const governor = facts_get(facts, "cpu_governor");
    struct names warnings = {0};
    struct table t;
    warn_of_others(facts, &warnings);
    if (governor[0] != '\0' && strcmp(governor, "performance") != 0)
        names_add(&warnings, internf("the CPU governor is '%s'; 'performance' gives steadier times",
                                     governor));
    if (fact_is(facts, "dirty", "1"))
        names_add(&warnings, "built from a changed tree; such a run is marked dirty");
    if (fact_is(facts, "virtual", "1"))
        names_add(&warnings, "a virtual machine; its neighbours may disturb the times");
    if (!device_has_time())
        names_add(&warnings, internf("no times of device variants: the device of this build is "
                                     "'%s'",
                                     device_kind()));
    table_begin(&t, d, "warnings", LINES, columns);
    for (size_t i = 0; i < warnings.count; i++)
        table_word(&t, warnings.list[i]);
    table_end(&t);
    free(warnings.list);
}

static int verb_env(struct arguments *a)
{
    static const struct field columns[] = {{"fact", "%-26s"}, {"value", " %s"}, {NULL, NULL}};
    struct facts facts;
    if (a->word_count > 0)
        return failed(because(ERR_ARGS, "env takes no word, and was given '%s'", a->words[0]));
    const enum status status = run_facts(NULL, &facts);
    if (status != OK)
        return failed(status);
    facts_finish(&facts);
    struct document d;
    struct table t;
    document_begin(&d, a->verb, a->format);
    table_begin(&t, &d, "rows", LINES, columns);
    for (int i = 0; i < facts.count; i++) {
        table_word(&t, facts.list[i].key);
        table_word(&t, facts.list[i].value);
    }
    table_end(&t);
    put_warnings(&facts, &d);
    return document_end(&d, 0);
}

static const struct verb verbs[] = {
    {"list",
     verb_list,
     {'x', 'a', KEY_SIZE, KEY_FORMAT},
     "text,json",
     "[exhibits|families|problems|variants|jobs|claims|errata|machines] [GLOB...]"},
    {"plan",
     verb_plan,
     {'x', 'a', KEY_SIZE, KEY_ROUNDS, KEY_SAMPLES, KEY_PRECISE, KEY_FORMAT, KEY_DEVICE},
     "text,json",
     "[GLOB...]"},
    {"run",
     verb_run,
     {'x',          'a',         KEY_SIZE,        KEY_OUT,
      KEY_ROUNDS,   KEY_SAMPLES, KEY_QUICK,       KEY_BUDGET,
      KEY_PRECISE,  KEY_RESUME,  KEY_RETRY,       KEY_TIMEOUT,
      KEY_LAUNCHER, KEY_SEED,    KEY_ORDER,       KEY_THREAD_ORDER,
      KEY_SELF,     KEY_AGAINST, KEY_LOCK_CLOCKS, KEY_ENERGY,
      KEY_DEVICE},
     NULL,
     "[GLOB...]"},
    {"solve",
     verb_solve,
     {KEY_VARIANT, KEY_PRECISION, KEY_SET, KEY_INPUT, KEY_TIME, KEY_DUMP, KEY_PLOT, KEY_SEED,
      KEY_THREAD_ORDER, KEY_LAUNCHER, KEY_DEVICE, KEY_ENERGY, KEY_PROFILE},
     NULL,
     "FAMILY/PROBLEM --variant V"},
    {"verdict",
     verb_verdict,
     {'x', KEY_FORMAT},
     "text,markdown,json,junit,github",
     "DIR [GLOB...]"},
    {"report", verb_report, {KEY_FORMAT}, "summary,text,latex", "DIR"},
    {"compare",
     verb_compare,
     {'x', KEY_FORMAT, KEY_GATE, KEY_NOISE, KEY_CONFIRM, KEY_BUDGET, KEY_AGAINST},
     "text,markdown,json,junit,github",
     "BASE NEW [GLOB...]"},
    {"history",
     verb_history,
     {'x', KEY_FORMAT, KEY_NOISE},
     "text,markdown,csv,json",
     "DIR... [GLOB...]"},
    {"generations",
     verb_generations,
     {'x', KEY_FORMAT},
     "text,markdown,csv,json",
     "DIR... [GLOB...]"},
    {"site", verb_site, {KEY_OUT}, NULL, "DIR..."},
    {"keep", verb_keep, {0}, NULL, "DIR"},
    {"env", verb_env, {KEY_FORMAT, KEY_DEVICE}, "text,json", ""},
    {.name = NULL},
};

/* False, and the reason says it: the verb does not print in the format that was asked for. */
static bool choose_format(struct arguments *a, const char *formats)
{
    const char *const first = internf("%.*s", (int)strcspn(formats, ","), formats);
    a->format = text_or(a, KEY_FORMAT, first);
    if (strchr(a->format, ',') == NULL && word_in(formats, a->format, ','))
        return true;
    because(ERR_ARGS, "--format=%s: '%s' has one of %s", a->format, a->verb, formats);
    return false;
}

/* An option was given that the verb does not take: its name; null: none. */
static const char *foreign_option(const struct arguments *a, const int *keys)
{
    for (int key = 1; key < KEYS; key++) {
        bool known = a->text[key] == NULL;
        for (size_t k = 0; keys[k] != 0 && !known; k++)
            known = keys[k] == key;
        if (!known)
            return option_name(key);
    }
    return NULL;
}

/* At once: a library whose threads could not start may wait for their end. */
static int leave(int exit_status)
{
    fflush(NULL);
#ifndef __SANITIZE_ADDRESS__ /* which looks for leaks at the end */
    _exit(exit_status);
#endif
    return exit_status;
}

/* The program's own business, not the user's. */
static int as_worker(int argc, char **argv)
{
    const enum status status = become_worker_program(argv);
    return status == OK ? worker_main(argc, argv) : failed(status);
}

/* One of several processes that a launcher started: the rest of its words are a command. */
static enum status as_rank(int *argc, char ***argv)
{
    enum status status = become_worker_program(*argv);
    if (status == OK)
        status = ranks_agree(ranks_join(atoi((*argv)[2])));
    (*argv)[2] = (*argv)[0];
    *argc -= 2;
    *argv += 2;
    return status;
}

/* One that is closed would be the number of the next file that is opened, and what is printed would
 * land there. */
static void open_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            _exit(1);
}

/* A line for each verb. */
static const char *usages(void)
{
    const char *out = "";
    for (const struct verb *v = verbs; v->name != NULL; v++)
        out = internf("%s%s%s%s%s", out, out[0] != '\0' ? "\n" : "", v->name,
                      v->words[0] != '\0' ? " " : "", v->words);
    return out;
}

int main(int argc, char **argv)
{
    open_streams();
    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return leave(as_worker(argc, argv));
    if (argc > 3 && strcmp(argv[1], AS_RANKS) == 0) {
        const enum status status = as_rank(&argc, &argv);
        if (status != OK) {
            const int code = ranks_own() == 0 ? failed(status) : 1;
            ranks_leave(); /* together: the launcher ends all others when one ends so */
            return leave(code);
        }
    }
    if (argc > 1 && strcmp(argv[1], "complete") == 0)
        return leave(complete(&(struct grammar){verbs, options, words_of}, argc - 2, argv + 2));
    const struct argp argp = {
        options,
        parse,
        usages(),
        "Re-runs the experiments of GPU papers and puts what was published beside what this "
        "machine gives.\vGlobs select jobs by their path exhibit/case/variant/precision/n; @FILE "
        "stands for those of a file, one a line.",
        NULL,
        NULL,
        NULL};
    argp_err_exit_status = 2;
    argp_program_version = internf("%s, commit %s", program_version, built_commit);
    struct arguments a = {.argv = argv, .compare.noise = NAN};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    set_options(&a);
    const char *names[16] = {NULL};
    for (size_t v = 0; verbs[v].name != NULL; v++) {
        names[v] = verbs[v].name;
        if (strcmp(verbs[v].name, a.verb) != 0)
            continue;
        const char *const foreign = foreign_option(&a, verbs[v].keys);
        if (foreign != NULL) {
            return failed(because(ERR_ARGS, "'%s' does not take --%s", a.verb, foreign));
        }
        if (verbs[v].formats != NULL && !choose_format(&a, verbs[v].formats))
            return failed(ERR_ARGS);
        if (a.text[KEY_DEVICE] != NULL) {
            const enum status status = choose_card((int)number_or(&a, KEY_DEVICE, 0));
            if (status != OK)
                return failed(status);
        }
        const int exit_status = verbs[v].run(&a);
        const bool written = fflush(stdout) == 0 && ferror(stdout) == 0;
        if (!written)
            fprintf(stderr, "reprise: cannot write to standard output; is the disk full?\n");
        return leave(written ? exit_status : 1);
    }
    because(ERR_ARGS, "there is no verb '%s'; did you mean '%s'?", a.verb, nearest(a.verb, names));
    return failed(ERR_ARGS);
}
