/*
 * solve: one problem by one variant at a user's own parameters; metrics as CSV on standard output.
 */
#include "run/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/statistics.h"
#include "machine/device.h"
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
    struct text rows;
    char said[32]; /* of a good answer, by the judge */
};

static void row(struct solving *s, const char *metric, const char *statistic, double value,
                const char *unit, const char *note)
{
    char hardware[256];
    hardware_name(&s->facts, s->variant->place, hardware, sizeof hardware);
    text_add(&s->rows, "solve,%s,%s,%s,", s->problem->id, s->variant->id,
             precision_name(s->variant->precision));
    text_field(&s->rows, hardware, ',');
    text_add(&s->rows, "%.15g,%s,%s,", s->in.at.value[0], metric, statistic);
    text_number(&s->rows, value, ',');
    text_add(&s->rows, "%s,", unit);
    text_field(&s->rows, note, '\n');
}

static enum status find_problem_by_path(struct solving *s)
{
    const char *names[128];
    static char paths[128][64];
    int count = 0;
    for (int i = 0; families[i] != NULL; i++)
        for (const struct problem *p = families[i]->problems; p->id && count < 127; p++) {
            snprintf(paths[count], sizeof paths[count], "%s/%s", families[i]->id, p->id);
            if (strcmp(paths[count], s->options->what) == 0) {
                s->family = families[i];
                s->problem = p;
                return OK;
            }
            names[count] = paths[count];
            count++;
        }
    names[count] = NULL;
    return because(ERR_ARGS, "there is no problem '%s'; did you mean '%s'?", s->options->what,
                   nearest(s->options->what, names));
}

static enum status choose_variant(struct solving *s)
{
    const char *id = s->options->variant, *names[64];
    int count = 0;
    for (const struct variant *v = s->family->variants; v->id != NULL && count < 63; v++)
        names[count++] = v->id;
    names[count] = NULL;
    if (id == NULL)
        return because(ERR_ARGS,
                       "name a variant, as in --variant %s; `reprise list variants "
                       "'%s/*'` shows all",
                       names[0], s->family->id);
    if (find_variant(s->family, id, NULL) == NULL)
        return because(ERR_ARGS, "there is no variant '%s'; did you mean '%s'?", id,
                       nearest(id, names));
    s->variant = find_variant(s->family, id, s->options->precision);
    if (s->variant == NULL)
        return because(ERR_ARGS, "%s is not in %s precision; its label fixes %s", id,
                       s->options->precision,
                       precision_name(find_variant(s->family, id, NULL)->precision));
    return OK;
}

static enum status set_parameters(struct solving *s)
{
    struct params *at = &s->in.at;
    static char copies[MAX_PARAMETERS + 1][1024];
    params_init(at, s->problem);
    for (int i = 0; i < s->options->setting_count; i++) {
        snprintf(copies[i], sizeof copies[i], "%s", s->options->settings[i]);
        char *equals = strchr(copies[i], '=');
        if (equals == NULL)
            return because(ERR_ARGS, "--set %s: write NAME=VALUE", copies[i]);
        *equals = '\0';
        const enum status status = params_set(at, copies[i], equals + 1);
        if (status != OK)
            return status;
    }
    if (s->options->input == NULL)
        return OK;
    char *name = copies[MAX_PARAMETERS];
    snprintf(name, sizeof copies[0], "%s", s->options->input);
    char *equals = strchr(name, '=');
    if (equals == NULL)
        return because(ERR_ARGS, "--input %s: write NAME=FILE", name);
    *equals = '\0';
    const char *const *inputs = s->problem->inputs;
    bool known = false;
    for (int i = 0; inputs != NULL && inputs[i] != NULL; i++)
        known = known || strcmp(inputs[i], name) == 0;
    if (!known)
        return because(ERR_ARGS, "%s takes no input '%s'", s->options->what, name);
    at->input_name = name;
    at->input_path = equals + 1;
    return OK;
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
    for (int i = 0; i < SAMPLES; i++) {
        const uint64_t seed = random_bits(s->options->seed, (uint64_t)i) | 1;
        const enum status status =
            run_timed(&s->in, s->variant, s->state, seed, 1, &laps, &seconds[i]);
        if (status != OK)
            return status;
    }
    struct judgement last; /* what was timed is judged too */
    const enum status status = fetch_and_judge(&s->in, s->variant, s->state, &s->out, &last, &laps);
    if (status != OK)
        return status;
    const char *note = "one process; for an interval use `reprise run`";
    const double median = quantile(seconds, SAMPLES, 0.5);
    row(s, "time", "value", median, "s", note);
    if (last.steps > 0)
        row(s, "time_per_step", "value", median / last.steps, "s", "");
    row(s, "time", "min", seconds[0], "s", "");
    row(s, "time", "max", seconds[SAMPLES - 1], "s", "");
    row(s, "time", "samples", SAMPLES, "1", "");
    return OK;
}

static enum status solve(struct solving *s)
{
    struct device_facts device = {.free_bytes = 0};
    struct laps laps;
    struct judgement judgement = {.error = NAN};
    double seconds;
    const struct variant *v = s->variant;
    const bool on_device = uses_device(v);
    enum status status = OK;
    if (v->unavailable != NULL)
        return because(SKIPPED, "%s", v->unavailable);
    if (on_device)
        status = device_open(&device);
    if (status == OK && on_device)
        status = device_thread_order(s->options->thread_order);
    if (status == OK)
        status = s->problem->create(&s->in);
    if (status != OK)
        return status;
    const struct job job = {.variant = v, .n = (long)s->in.count, .work = v->work(v, &s->in.at)};
    if (job_fits(&job, on_device ? device.free_bytes : 0) != OK)
        return because(ERR_MEMORY, "%s; choose a smaller size", reason());
    s->out = (struct solution){.precision = v->precision, .count = s->in.count};
    s->out.values = malloc(s->in.count * value_size(v->precision));
    if (s->out.values == NULL)
        return because(ERR_MEMORY, "no memory for %zu values", s->in.count);
    status = v->calls->plan(&s->in, &s->state);
    if (status == OK)
        status = run_timed(&s->in, v, s->state, 0, 1, &laps, &seconds);
    if (status == OK)
        status = fetch_and_judge(&s->in, v, s->state, &s->out, &judgement, &laps);
    snprintf(s->said, sizeof s->said, "%s", judgement.said);
    for (int i = 0; i < judgement.count; i++)
        row(s, judgement.metrics[i].name, "value", judgement.metrics[i].value, "1", "");
    /* A wrong answer is dumped too: who looks for the fault needs it. */
    if ((status == OK || status == WRONG) && s->options->dump != NULL) {
        char sentence[1024];
        snprintf(sentence, sizeof sentence, "%s", reason());
        const enum status dumped = dump_to(s->options->dump, &s->in, &s->out);
        status = dumped != OK ? dumped : status == OK ? OK : because(status, "%s", sentence);
    }
    if (status == OK && s->options->time)
        status = time_it(s);
    return status;
}

int solve_one(const struct solve_options *options)
{
    struct solving s = {.options = options};
    enum status status = find_problem_by_path(&s);
    if (status == OK)
        status = choose_variant(&s);
    if (status == OK)
        status = set_parameters(&s);
    if (status == OK) {
        facts_collect(&s.facts);
        facts_collect_device(&s.facts);
        text_add(&s.rows, "%s", measured_header);
        status = solve(&s);
        char note[1024];
        static const char *const words[] = {"ok",     "skipped", "wrong",    "failed",
                                            "failed", "failed",  "diverged", "failed"};
        const char *more = status == OK ? s.said : reason();
        snprintf(note, sizeof note, "%s%s%s", words[status], more[0] != '\0' ? ": " : "", more);
        row(&s, "status", "value", NAN, "", note);
        if (status != ERR_ARGS)
            fputs(s.rows.data, stdout);
        if (s.variant->calls != NULL)
            s.variant->calls->destroy(s.state);
        s.problem->destroy(&s.in);
        free(s.out.values);
        text_free(&s.rows);
    }
    if (status != OK)
        fprintf(stderr, "reprise: %s\n", reason());
    return status == OK ? 0 : status == ERR_ARGS ? 2 : 1;
}
