/*
 * solve: one problem by one variant at a user's own parameters; metrics as CSV on standard output,
 * unless the answer goes there.
 */
#include "run/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/core.h"
#include "base/intern.h"
#include "base/statistics.h"
#include "machine/device.h"
#include "machine/ranks.h"
#include "run/answer.h"
#include "run/energy.h"
#include "run/plot.h"
#include "run/rows.h"
#include "run/status.h"
#include "run/together.h"
#include "run/worker.h"

enum { SAMPLES = 7 };

struct solving {
    const struct solve_options *options;
    const struct family *family;
    const struct problem *problem;
    const struct variant *variant;
    struct facts facts;
    struct instance in;
    struct solution out;
    void *state;
    struct plot plot; /* of the answer, which timing overwrites */
    struct text rows;
    const char *said; /* on a good answer, by the judge */
};

static void row(struct solving *s, const char *metric, const char *statistic, double value,
                const char *unit, const char *note)
{
    const struct key key =
        key_make("solve", s->problem->id, s->variant->id, precision_name(s->variant->precision),
                 internf("%.15g", s->in.at.value[0]));
    const struct measurement row = {
        key, hardware_name(&s->facts, s->variant->place), metric, statistic, "", value, unit, note};
    measurement_print(&row, &s->rows);
}

static enum status find_problem_by_path(struct solving *s)
{
    struct names names = {0};
    const char *const wanted = intern(s->options->what);
    for (int i = 0; families[i] != NULL; i++)
        for (const struct problem *p = families[i]->problems; p->id != NULL; p++) {
            const char *const path = internf("%s/%s", families[i]->id, p->id);
            names_add(&names, path);
            if (path == wanted) {
                s->family = families[i];
                s->problem = p;
            }
        }
    const char *const meant = names_nearest(&names, wanted);
    return s->problem != NULL
               ? OK
               : because(ERR_ARGS, "there is no problem '%s'; did you mean '%s'?", wanted, meant);
}

static enum status choose_variant(struct solving *s)
{
    const char *const id = s->options->variant;
    struct names names = {0};
    if (id == NULL)
        return because(
            ERR_ARGS,
            "name a variant, as in --variant %s; `reprise list variants '%s/*'` shows all",
            s->family->variants->id, s->family->id);
    const char *has = NULL;
    for (const struct variant *v = s->family->variants; v->id != NULL; v++) {
        const char *const precision = precision_name(v->precision);
        names_add(&names, v->id);
        if (strcmp(v->id, id) == 0)
            has = has == NULL ? precision : internf("%s and %s", has, precision);
    }
    const char *const meant = names_nearest(&names, id);
    if (has == NULL)
        return because(ERR_ARGS, "there is no variant '%s'; did you mean '%s'?", id, meant);
    s->variant = find_variant(s->family, id, s->options->precision);
    if (s->variant == NULL)
        return because(ERR_ARGS, "%s is not in %s precision; it is in %s", id,
                       s->options->precision, has);
    return OK;
}

/* NAME=VALUE in two. */
static enum status name_and_value(const char *option, const char *what, const char *text,
                                  const char **name, const char **value)
{
    const char *const equals = strchr(text, '=');
    if (equals == NULL)
        return because(ERR_ARGS, "--%s %s: write NAME=%s", option, text, what);
    *name = internf("%.*s", (int)(equals - text), text);
    *value = equals + 1;
    return OK;
}

static enum status set_parameters(struct solving *s)
{
    struct params *at = &s->in.at;
    const char *name = NULL, *value = NULL;
    enum status status = OK;
    params_init(at, s->problem);
    for (int i = 0; i < s->options->setting_count && status == OK; i++) {
        status = name_and_value("set", "VALUE", s->options->settings[i], &name, &value);
        if (status == OK)
            status = params_set(at, name, value);
    }
    for (int i = 0; i < s->options->input_count && status == OK; i++) {
        status = name_and_value("input", "FILE", s->options->inputs[i], &name, &value);
        if (status == OK)
            status = params_input(at, name, value);
    }
    return status;
}

static enum status measure_energy(struct solving *s, double seconds)
{
    struct energy energy = {.joules = NAN};
    const bool one_card = uses_device(s->variant) && ranks_count() == 1;
    const enum status status =
        one_card ? energy_of_run(&s->in, s->variant, s->state, s->options->seed, seconds, &energy)
                 : OK;
    if (energy.joules > 0)
        row(s, "energy", "value", energy.joules, "J", energy_note(&energy));
    else if (status == OK)
        fprintf(stderr, "reprise: no energy: %s\n",
                one_card ? "the card does not count it, or too coarsely for this run"
                         : "it is told of what runs on one GPU");
    return status;
}

static enum status time_it(struct solving *s)
{
    double seconds[SAMPLES];
    struct laps laps;
    const bool device = uses_device(s->variant);
    if (device && !device_has_time()) {
        fprintf(stderr, "reprise: no time: the device is emulated, and its times mean nothing\n");
        return OK;
    }
    struct judgement last; /* what was timed is judged too, one of them */
    const size_t chosen = drawn(SAMPLES);
    enum status status = OK;
    for (size_t i = 0; i < SAMPLES && status == OK; i++) {
        const uint64_t seed = random_bits(s->options->seed, i) | 1;
        struct laps run;
        status = run_timed(&s->in, s->variant, s->state, seed, 1, &run, &seconds[i]);
        if (status == OK && i == chosen)
            status = fetch_and_judge(&s->in, s->variant, s->state, &s->out, &last, &laps);
    }
    const char *note = "one process; for an interval use `reprise run`";
    const double median = quantile(seconds, SAMPLES, 0.5);
    if (status == OK)
        status = hold_fetch(&s->in, s->variant, s->state, &s->out, seconds[0], laps_seconds(&laps));
    if (status != OK)
        return status;
    row(s, "time", "value", median, "s", note);
    if (last.steps > 0)
        row(s, "time_per_step", "value", median / last.steps, "s", "");
    row(s, "time", "min", seconds[0], "s", "");
    row(s, "time", "max", seconds[SAMPLES - 1], "s", "");
    row(s, "time", "samples", SAMPLES, "1", "");
    return s->options->energy ? measure_energy(s, median) : OK;
}

/* Whatever came out, wrong or diverged: who looks for the fault needs it. */
static enum status dump(struct solving *s, enum status status)
{
    const char *const sentence = intern(reason());
    const enum status dumped = dump_to(s->options->dump, &s->in, &s->out);
    return dumped != OK ? dumped : status == OK ? OK : because(status, "%s", sentence);
}

/* The run that is judged; for a profiler after one on other data, and in ranges. */
static enum status run_it(struct solving *s, struct laps *laps)
{
    const uint64_t other = random_bits(s->options->seed, 0) | 1;
    double seconds;
    enum status status = OK;
    if (s->options->profile) {
        if (!device_has_profiler())
            fprintf(stderr,
                    "reprise: no ranges for a GPU's profiler: the device of this build is '%s'; "
                    "one of the host, as perf, sees the run\n",
                    device_kind());
        status = run_timed(&s->in, s->variant, s->state, other, 1, laps, &seconds);
        if (status == OK || status == ERR_DIVERGED)
            laps_profile(s->variant->id, laps);
    }
    if (status == OK || status == ERR_DIVERGED)
        status = run_timed(&s->in, s->variant, s->state, 0, 1, laps, &seconds);
    laps_profile(NULL, NULL);
    return status;
}

/* Runs, judges, dumps and keeps what is to be drawn; where run() says that the numbers left their
 * range, what it left. */
static enum status answer(struct solving *s, struct judgement *judgement)
{
    struct laps laps;
    enum status status = run_it(s, &laps);
    if (status != OK && status != ERR_DIVERGED)
        return status;
    const char *const sentence = intern(reason());
    const enum status fetched = fetch_answer(&s->in, s->variant, s->state, &s->out, &laps);
    if (fetched != OK)
        return fetched;
    if (status == OK)
        status = judge_answer(&s->in, s->variant, &s->out, judgement);
    else
        (void)because(status, "%s", sentence);
    if (s->options->plot != NULL)
        plot_take(&s->in, &s->out, &s->plot);
    return s->options->dump != NULL ? dump(s, status) : status;
}

/* "u_t = ...; GPU-RB, double, N = 15"; of a user's data what is the user's. */
static const char *caption(const struct solving *s)
{
    const struct params *const at = &s->in.at;
    const char *own = "";
    for (const struct input *q = s->problem->inputs; q != NULL && q->name != NULL; q++)
        if (get_input(at, q->name) != NULL)
            own = internf("%s%s%s", own, own[0] != '\0' ? ", " : "", q->name);
    return internf("%s%s; %s, %s, %s = %.15g", own[0] != '\0' ? own : s->problem->title,
                   own[0] != '\0' ? " of a file" : "", s->variant->id,
                   precision_name(s->variant->precision), s->problem->parameters->name,
                   at->value[0]);
}

/* Last, since only now it is known whether the answer is good; and what cannot be drawn takes
 * nothing from what was said of it. */
static enum status draw(struct solving *s, enum status status)
{
    const char *const doubt =
        status == OK ? ""
                     : internf("Not to be trusted, %s", state_note(state_after(status), reason()));
    return plot_draw(&s->plot, s->options->plot, internf("%s/%s", s->family->id, s->problem->id),
                     caption(s), doubt);
}

static enum status solve(struct solving *s)
{
    struct device_facts device = {.free_bytes = 0};
    struct judgement judgement = {.error = NAN};
    const struct variant *v = s->variant;
    const bool on_device = uses_device(v);
    enum status status = OK;
    if (v->unavailable != NULL)
        return because(SKIPPED, "%s", v->unavailable);
    if (on_device)
        status = device_open(&device);
    if (status == OK && on_device)
        status = device_thread_order(s->options->thread_order);
    if (status != OK)
        return status;
    const struct params *const at = &s->in.at;
    const struct job job = {
        .variant = v, .at = *at, .n = (long)at->value[0], .work = v->work(v, at)};
    if (job_fits(&job, device.free_bytes, 0) != OK)
        return because(ERR_MEMORY, "%s; choose a smaller size", reason());
    status = s->problem->create(&s->in);
    if (status != OK)
        return status;
    s->out = (struct solution){.precision = v->precision, .count = s->in.count};
    s->out.values = malloc(s->in.count * value_size(v->precision));
    if (s->out.values == NULL)
        return because(ERR_MEMORY, "no memory for %zu values", s->in.count);
    status = together_plan("", &s->in, v, &s->state);
    if (status == OK)
        status = answer(s, &judgement);
    s->said = intern(judgement.said);
    for (int i = 0; i < judgement.count; i++)
        row(s, judgement.metrics[i].name, "value", judgement.metrics[i].value, "1", "");
    if (status == OK && s->options->time)
        status = time_it(s);
    return status;
}

static const char *name_in_folder(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static const char *folder_of(const char *path)
{
    const char *const name = name_in_folder(path);
    return name != path ? internf("%.*s", (int)(name - path), path) : ".";
}

/* By whatever path and link; of files that are not there yet, one name in one folder. */
static bool is_one_file(const char *a, const char *b)
{
    struct stat x, y;
    bool told = stat(a, &x) == 0 && stat(b, &y) == 0;
    if (!told && strcmp(name_in_folder(a), name_in_folder(b)) == 0)
        told = stat(folder_of(a), &x) == 0 && stat(folder_of(b), &y) == 0;
    return told && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* What is written takes the place of what is there, which must not be the user's data. */
static enum status files_apart(const struct solve_options *options)
{
    const bool piped = options->dump != NULL && strcmp(options->dump, "-") == 0;
    const struct {
        const char *option, *file;
    } written[] = {{"dump", piped ? NULL : options->dump}, {"plot", options->plot}};
    for (int w = 0; w < 2; w++)
        for (int i = 0; i < options->input_count && written[w].file != NULL; i++) {
            const char *const equals = strchr(options->inputs[i], '=');
            if (equals != NULL && is_one_file(equals + 1, written[w].file))
                return because(ERR_ARGS,
                               "--%s %s would overwrite the file of --input %s; choose "
                               "another name",
                               written[w].option, written[w].file, options->inputs[i]);
        }
    if (written[0].file != NULL && written[1].file != NULL &&
        is_one_file(written[0].file, written[1].file))
        return because(ERR_ARGS, "--dump %s and --plot %s are one file; choose two names",
                       written[0].file, written[1].file);
    return OK;
}

static enum status understand(struct solving *s)
{
    const char *const files[] = {s->options->dump, s->options->plot};
    enum status status = s->options->plot != NULL ? plot_check(s->options->plot) : OK;
    if (status == OK)
        status = files_apart(s->options);
    for (int i = 0; i < 2 && status == OK && ranks_own() == 0; i++)
        status = files[i] != NULL ? dump_forget(files[i]) : OK;
    if (status == OK)
        status = find_problem_by_path(s);
    if (status == OK && s->problem->dump == NULL && (files[0] != NULL || files[1] != NULL))
        status = because(ERR_ARGS, "the answer of %s is no numbers to write or to draw",
                         s->options->what);
    if (status == OK)
        status = choose_variant(s);
    return status == OK ? set_parameters(s) : status;
}

enum status solve_ranks(const struct solve_options *options, int *ranks)
{
    struct solving s = {.options = options};
    const enum status status = understand(&s);
    if (status == OK)
        *ranks = ranks_of(s.variant, &s.in.at);
    return status;
}

/* What the first rank, which has been given the same words, is told to ask of the others. */
static int follow(const struct solving *s)
{
    const struct job job = {.variant = s->variant, .at = s->in.at};
    const enum status status = device_thread_order(s->options->thread_order);
    together_follow(&job);
    return status == OK ? 0 : 1;
}

int solve_one(const struct solve_options *options)
{
    struct solving s = {.options = options, .said = ""};
    enum status drawn = OK;
    const bool piped = options->dump != NULL && strcmp(options->dump, "-") == 0;
    enum status status = understand(&s);
    if (status == OK && ranks_own() > 0)
        return follow(&s);
    if (status == OK) {
        facts_collect(&s.facts);
        facts_collect_device(&s.facts);
        text_add(&s.rows, "%s", measured_header);
        status = solve(&s);
        row(&s, "status", "value", NAN, "",
            state_note(state_after(status), status == OK ? s.said : reason()));
        if (status != ERR_ARGS)
            fputs(s.rows.data, piped ? stderr : stdout);
        const char *const sentence = intern(reason());
        drawn = s.plot.data.data != NULL ? draw(&s, status) : OK;
        if (drawn != OK && status != OK)
            (void)failed(drawn);
        if (status != OK)
            (void)because(status, "%s", sentence);
        plot_free(&s.plot);
        if (s.variant->calls != NULL)
            together_destroy(s.variant, s.state);
        s.problem->destroy(&s.in);
        free(s.out.values);
        text_free(&s.rows);
    }
    together_leave();
    status = status != OK ? status : drawn;
    return status == OK ? 0 : failed(status);
}
