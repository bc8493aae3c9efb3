/*
 * Two runs side by side. On one machine: did it get slower? A verdict for each job, by the rule of
 * statistics.c, that a program can act on. Between machines, of which one may be a published one:
 * ratios, and the share of each card's copy bandwidth, never a verdict.
 */
#include "harness.h"

#include <assert.h>
#include <fnmatch.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_ROUNDS = 64 };

struct record { /* what a run has of a job */
    const char *exhibit, *of, *variant, *precision, *n;
    char path[256];
    const char *status; /* note of its status row */
    struct estimate time;
    double batch, bytes, useful;
    double rate; /* printed instead of a time: `useful` over it */
    size_t rounds;
    double medians[MOST_ROUNDS]; /* s, of the rounds */
    double cycles[MOST_ROUNDS];  /* the same times the clock; NaN: not read */
    double batches[MOST_ROUNDS]; /* solves in a sample */
};

struct machine { /* on which a paper measured; a row of machines.csv */
    char name[32], hardware[128], year[8], source[320];
    double bandwidth; /* bytes per second, of the data sheet; NaN: not known */
};

struct side {
    const char *folder; /* or published:MACHINE */
    struct machine machine;
    struct facts facts;
    struct csv *measured, *samples; /* samples null: not kept */
    struct record *records;
    size_t count;
};

enum finding {
    F_SAME,
    F_FASTER,
    F_SLOWER,
    F_CONFIRMED,
    F_ENVIRONMENT,
    F_CLOCK,
    F_UNCLEAR,
    F_WRONG,
    F_MISSING,
    F_ADDED,
    F_NONE,     /* a side has no time to compare, and the note says why */
    F_COMPARED, /* a ratio without a verdict */
    FINDINGS
};
static const char *const finding_names[FINDINGS] = {
    "SAME",    "FASTER", "SLOWER",  "CONFIRMED", "ENVIRONMENT",  "CLOCK",
    "UNCLEAR", "WRONG",  "MISSING", "added",     "not compared", "compared"};

struct pair {
    const struct record *base, *now; /* null: the run has no such job */
    struct ratio ratio;              /* of the times, now over base */
    double shares[2];                /* of the copy bandwidth: base, now; NaN: not known */
    enum finding finding;
    char note[256];
};

/* --- reading a run --- */

static bool good_status(const char *status)
{
    return strcmp(status, "ok") == 0 || strcmp(status, "quick") == 0;
}

static void row_path(const struct csv_row *row, char *out, size_t size)
{
    char *const *f = row->field;
    snprintf(out, size, "%s/%s/%s/%s/%s", f[C_EXHIBIT], f[C_CASE], f[C_VARIANT], f[C_PRECISION],
             f[C_N]);
}

static struct record *find_record(const struct side *side, const char *path)
{
    for (size_t i = 0; i < side->count; i++)
        if (strcmp(side->records[i].path, path) == 0)
            return &side->records[i];
    return NULL;
}

static double number_of(const char *text)
{
    double value;
    return parse_number(text, &value) ? value : (double)NAN;
}

static const struct record no_record = {
    .time = {NAN, NAN, NAN}, .batch = NAN, .bytes = NAN, .useful = NAN, .rate = NAN};

static void name_record(struct record *record, const struct csv_row *row)
{
    char *const *f = row->field;
    record->exhibit = f[C_EXHIBIT];
    record->of = f[C_CASE];
    record->variant = f[C_VARIANT];
    record->precision = f[C_PRECISION];
    record->n = f[C_N];
    row_path(row, record->path, sizeof record->path);
}

/* Rows of a job stand together and end by its status. */
static enum status read_measured(struct side *side)
{
    struct record record = no_record;
    const struct {
        const char *metric, *statistic;
        double *value;
    } wanted[] = {
        {"time", "value", &record.time.value}, {"time", "ci_lo", &record.time.ci_lo},
        {"time", "ci_hi", &record.time.ci_hi}, {"time", "batch", &record.batch},
        {"bytes", "model", &record.bytes},     {"useful", "model", &record.useful},
    };
    side->records = calloc(csv_rows(side->measured) + 1, sizeof *side->records);
    if (side->records == NULL)
        return because(ERR_MEMORY, "there is no memory for the jobs of %s", side->folder);
    for (size_t i = 0; i < csv_rows(side->measured); i++) {
        const struct csv_row *row = csv_row(side->measured, i);
        char *const *f = row->field;
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            if (strcmp(f[6], wanted[k].metric) == 0 && strcmp(f[7], wanted[k].statistic) == 0)
                *wanted[k].value = number_of(f[8]);
        if (strcmp(f[6], "status") != 0)
            continue;
        name_record(&record, row);
        record.status = f[10];
        side->records[side->count++] = record;
        record = no_record;
    }
    return OK;
}

/* Medians of the rounds; the rows of a round end by its status. */
static enum status read_samples(struct side *side)
{
    const size_t rows = csv_rows(side->samples);
    double *times = calloc(rows + 1, sizeof *times), clock = NAN, batch = NAN;
    size_t count = 0;
    if (times == NULL)
        return because(ERR_MEMORY, "there is no memory for the samples of %s", side->folder);
    for (size_t i = 0; i < rows; i++) {
        const struct csv_row *row = csv_row(side->samples, i);
        const char *metric = row->field[C_METRIC];
        if (strcmp(metric, "time") == 0)
            times[count++] = number_of(row->field[C_VALUE]);
        if (strcmp(metric, "clock") == 0)
            clock = number_of(row->field[C_VALUE]);
        if (strcmp(metric, "batch") == 0)
            batch = number_of(row->field[C_VALUE]);
        if (strcmp(metric, "status") != 0)
            continue;
        char path[256];
        row_path(row, path, sizeof path);
        struct record *record = find_record(side, path);
        if (record != NULL && count > 0 && good_status(row->field[C_NOTE]) &&
            record->rounds < MOST_ROUNDS) {
            const double median = quantile(times, count, 0.5);
            record->medians[record->rounds] = median;
            record->cycles[record->rounds] = median * clock;
            record->batches[record->rounds++] = batch;
        }
        count = 0;
        clock = batch = NAN;
    }
    for (size_t i = 0; i < side->count; i++) {
        struct record *r = &side->records[i];
        if (r->rounds > 0) /* each round chose its own */
            r->batch = quantile(r->batches, r->rounds, 0.5);
    }
    free(times);
    return OK;
}

static void side_free(struct side *side)
{
    csv_free(side->measured);
    csv_free(side->samples);
    free(side->records);
    *side = (struct side){0};
}

/* A run's folder. Of a kept one the samples are compressed. */
static enum status side_load(const char *folder, struct side *out)
{
    char path[1024];
    struct stat info;
    *out = (struct side){.folder = folder, .machine.bandwidth = NAN};
    enum status status = facts_load(folder, &out->facts);
    snprintf(path, sizeof path, "%s/measured.csv", folder);
    if (status == OK)
        status = csv_load(path, measured_header, &out->measured);
    if (status == OK)
        status = read_measured(out);
    snprintf(path, sizeof path, "%s/samples.csv", folder);
    if (stat(path, &info) != 0)
        snprintf(path, sizeof path, "%s/samples.csv.gz", folder);
    if (status == OK && stat(path, &info) == 0) {
        status = csv_load(path, samples_header, &out->samples);
        if (status == OK)
            status = read_samples(out);
    }
    if (status != OK)
        side_free(out);
    return status;
}

/* --- a published machine as a run --- */

static const char published_word[] = "published:";

static bool is_published(const struct side *side)
{
    return side->machine.name[0] != '\0';
}

static enum status find_machine(const char *name, struct machine *out)
{
    struct csv *csv;
    const char *names[32] = {NULL};
    const char *text = embedded_text("machines.csv");
    enum status status = csv_parse(text != NULL ? text : machines_header, "machines.csv", &csv);
    if (status != OK)
        return status;
    status = ERR_ARGS;
    for (size_t i = 0; i < csv_rows(csv) && i < 31; i++) {
        char *const *f = csv_row(csv, i)->field;
        names[i] = f[0];
        if (strcasecmp(f[0], name) != 0)
            continue;
        snprintf(out->name, sizeof out->name, "%s", f[0]);
        snprintf(out->hardware, sizeof out->hardware, "%s", f[1]);
        snprintf(out->year, sizeof out->year, "%s", f[2]);
        out->bandwidth = number_of(f[3]);
        snprintf(out->source, sizeof out->source, "%s", f[5]);
        status = OK;
    }
    if (status != OK)
        status = because(ERR_ARGS,
                         "no paper measured on '%s'; did you mean %s%s? `reprise list "
                         "machines` has them all",
                         name, published_word, nearest(name, names));
    csv_free(csv);
    return status;
}

/* What the papers print of the machine: the side's `measured` are their rows. */
static enum status collect_printed(struct side *side)
{
    struct text rows = {0};
    enum status status = OK;
    text_add(&rows, "%s", measured_header);
    for (int i = 0; papers[i] != NULL && status == OK; i++) {
        struct csv *csv;
        const char *text = embedded_text(papers[i]->published);
        if (text == NULL)
            continue;
        status = csv_parse(text, papers[i]->published, &csv);
        for (size_t k = 0; status == OK && k < csv_rows(csv); k++) {
            const struct csv_row *row = csv_row(csv, k);
            if (fnmatch(side->machine.hardware, row->field[C_HARDWARE], 0) != 0)
                continue;
            for (int c = 0; c < row->count; c++)
                text_field(&rows, row->field[c], c + 1 < row->count ? ',' : '\n');
        }
        if (status == OK)
            csv_free(csv);
    }
    if (status == OK)
        status = csv_parse(rows.data, side->folder, &side->measured);
    text_free(&rows);
    return status;
}

/* A job for each time, or rate in its place, that is printed. */
static enum status read_printed(struct side *side)
{
    side->records = calloc(csv_rows(side->measured) + 1, sizeof *side->records);
    if (side->records == NULL)
        return because(ERR_MEMORY, "there is no memory for the numbers of %s", side->folder);
    for (size_t i = 0; i < csv_rows(side->measured); i++) {
        const struct csv_row *row = csv_row(side->measured, i);
        const char *metric = row->field[6], *statistic = row->field[7];
        const struct exhibit *exhibit = find_exhibit(row->field[C_EXHIBIT], NULL);
        const struct family *family = exhibit != NULL ? find_family(exhibit->family) : NULL;
        const double value = number_of(row->field[8]) * unit_scale(row->field[9]);
        const bool time = strcmp(metric, "time") == 0;
        const bool rate =
            family != NULL && family->rate != NULL && strcmp(metric, family->rate) == 0;
        if (!(value > 0) || strcmp(statistic, "value") != 0 || !(time || rate))
            continue;
        struct record record = no_record;
        name_record(&record, row);
        record.status = "ok";
        *(time ? &record.time.value : &record.rate) = value;
        side->records[side->count++] = record;
    }
    if (side->count == 0)
        return because(ERR_ARGS, "the papers print no times of %s, only speed-ups or claims",
                       side->machine.name);
    return OK;
}

static enum status base_load(const char *name, struct side *out)
{
    if (strncmp(name, published_word, strlen(published_word)) != 0)
        return side_load(name, out);
    *out = (struct side){.folder = name};
    enum status status = find_machine(name + strlen(published_word), &out->machine);
    if (status == OK)
        status = collect_printed(out);
    if (status == OK)
        status = read_printed(out);
    if (status != OK)
        side_free(out);
    return status;
}

/* The task and the algorithm are the same, so what our work() counts holds for the printed number:
 * the bytes of a job, and the time that a printed rate stands for. */
static void complete_printed(struct side *printed, const struct side *run)
{
    for (size_t i = 0; i < printed->count; i++) {
        struct record *r = &printed->records[i];
        const struct record *ours = find_record(run, r->path);
        if (ours == NULL)
            continue;
        r->bytes = ours->bytes;
        if (r->rate > 0)
            r->time.value = ours->useful / r->rate;
    }
}

const char *no_reference(const struct facts *facts)
{
    const char *rounds = facts_get(facts, "rounds");
    return strcmp(facts_get(facts, "dirty"), "0") != 0      ? "its sources differ from its commit"
           : strcmp(facts_get(facts, "size"), "paper") != 0 ? "its sizes are not the papers'"
           : strtol(rounds, NULL, 10) < 3                   ? "it has fewer than 3 rounds"
           : strcmp(facts_get(facts, "build_type"), "debug") == 0
               ? "its program was built without optimisation"
           : facts_get(facts, "end")[0] == '\0' ? "it was not finished"
                                                : NULL;
}

/* --- one job on both sides --- */

/* Bytes per second: of a published machine the data sheet's, else what the run's own ceilings give
 * for a copy where the job works. NaN: not known. */
static double copy_bandwidth(const struct side *side, const struct record *job)
{
    static const struct {
        const char *ceiling;
        bool device;
    } copies[] = {{"copy", true}, {"host-copy", false}, {"host-update", false}};
    const struct exhibit *exhibit = find_exhibit(job->exhibit, NULL);
    const struct variant *variant =
        exhibit != NULL ? find_variant(find_family(exhibit->family), job->variant, job->precision)
                        : NULL;
    double best = side->machine.bandwidth; /* of a run: NaN */
    for (size_t i = 0; i < side->count && variant != NULL; i++) {
        const struct record *r = &side->records[i];
        for (size_t k = 0; k < sizeof copies / sizeof *copies; k++)
            if (strcmp(r->exhibit, "ceilings") == 0 && strcmp(r->variant, copies[k].ceiling) == 0 &&
                copies[k].device == uses_device(variant))
                best = fmax(best, r->bytes / r->time.value);
    }
    return best;
}

/* Why the two have no ratio; null: they have one. */
static const char *no_ratio(const struct pair *p)
{
    static char why[320];
    const struct record *bad = !good_status(p->base->status)  ? p->base
                               : !good_status(p->now->status) ? p->now
                                                              : NULL;
    if (bad != NULL) {
        snprintf(why, sizeof why, "%s: %.200s", bad == p->base ? "BASE" : "NEW", bad->status);
        return why;
    }
    return !(p->base->time.value > 0)  ? "BASE has no time"
           : !(p->now->time.value > 0) ? "NEW has no time"
           : p->base->batch > 0 && (p->base->batch > 1) != (p->now->batch > 1)
               ? "timed in batches on one side alone"
               : NULL;
}

static bool clock_was_read(const struct record *record)
{
    bool all = record->rounds > 0;
    for (size_t r = 0; r < record->rounds; r++)
        all = all && record->cycles[r] > 0;
    return all;
}

static struct ratio ratio_of(const struct record *base, const struct record *now_, double session)
{
    return ratio_of_rounds(base->medians, base->rounds, now_->medians, now_->rounds, session);
}

struct rule { /* what a verdict depends on beside the job */
    bool same_machine, same_code;
    const char *no_verdict;       /* null: the regression rule applies */
    const struct side *confirmed; /* the run of the slower ones again; null: none */
    double session;               /* noise */
};

static void judge_slower(struct pair *p, const struct rule *rule)
{
    const struct record *again =
        rule->confirmed != NULL ? find_record(rule->confirmed, p->now->path) : NULL;
    if (rule->same_code) {
        p->finding = F_ENVIRONMENT;
        snprintf(p->note, sizeof p->note, "both programs have the same machine code");
        return;
    }
    if (clock_was_read(p->base) && clock_was_read(p->now) &&
        ratio_of_rounds(p->base->cycles, p->base->rounds, p->now->cycles, p->now->rounds,
                        rule->session)
                .change != CHANGE_SLOWER) {
        p->finding = F_CLOCK;
        snprintf(p->note, sizeof p->note, "not in clock cycles: the clock was lower");
        return;
    }
    p->finding = F_SLOWER;
    if (again == NULL) {
        snprintf(p->note, sizeof p->note, "not confirmed yet: --confirm runs it again");
        return;
    }
    const struct ratio r = ratio_of(p->base, again, rule->session);
    if (good_status(again->status) && r.change == CHANGE_SLOWER)
        p->finding = F_CONFIRMED;
    snprintf(p->note, sizeof p->note, "%.3f when run again%s", r.value,
             p->finding == F_CONFIRMED ? "" : ": not confirmed");
}

static void judge_change(struct pair *p, const struct rule *rule)
{
    static const enum finding plain[] = {[CHANGE_SAME] = F_SAME,
                                         [CHANGE_FASTER] = F_FASTER,
                                         [CHANGE_SLOWER] = F_SLOWER,
                                         [CHANGE_UNCLEAR] = F_UNCLEAR};
    p->finding = plain[p->ratio.change];
    if (p->finding == F_SLOWER)
        judge_slower(p, rule);
    if (p->finding == F_UNCLEAR)
        snprintf(p->note, sizeof p->note, "%s",
                 isnan(p->ratio.ci_lo)                       ? "fewer than 3 rounds"
                 : p->ratio.of_rounds > p->ratio.of_sessions ? "more rounds would tell"
                                                             : "within the noise from run to run");
}

static void judge_pair(struct pair *p, const struct rule *rule)
{
    const char *why = p->base != NULL && p->now != NULL ? no_ratio(p) : NULL;
    p->ratio = (struct ratio){CHANGE_UNCLEAR, NAN, NAN, NAN, NAN, NAN};
    if (p->now == NULL) {
        p->finding = F_MISSING;
    } else if (p->base == NULL) {
        p->finding = F_ADDED;
    } else if (!good_status(p->now->status) && good_status(p->base->status)) {
        p->finding = F_WRONG;
        snprintf(p->note, sizeof p->note, "%s", why);
    } else if (why != NULL) {
        p->finding = F_NONE;
        snprintf(p->note, sizeof p->note, "%s", why);
    } else if (rule->no_verdict == NULL && p->base->rounds > 0 && p->now->rounds > 0) {
        p->ratio = ratio_of(p->base, p->now, rule->session);
        judge_change(p, rule);
    } else {
        const struct estimate *b = &p->base->time, *n = &p->now->time;
        const double half = hypot(log(b->ci_hi / b->ci_lo) / 2, log(n->ci_hi / n->ci_lo) / 2);
        p->ratio.value = n->value / b->value;
        p->ratio.ci_lo = p->ratio.value * exp(-half);
        p->ratio.ci_hi = p->ratio.value * exp(half);
        p->finding = F_COMPARED;
        if (rule->no_verdict == NULL)
            snprintf(p->note, sizeof p->note, "no verdict: a side kept no samples");
    }
}

/* --- both runs --- */

struct sides {
    struct side base, now, again;
    char again_folder[1024]; /* where the slower jobs of `now` are, or will be, run again */
    struct rule rule;
    struct pair *pairs;
    size_t count;
    int of[FINDINGS], differs, elsewhere;
};

/* Judged, not timed, and good on both sides: nothing to say. */
static bool is_silent(const struct pair *p)
{
    const struct record *b = p->base, *n = p->now;
    const bool timed = (b != NULL && b->time.value > 0) || (n != NULL && n->time.value > 0);
    const bool good = b != NULL && n != NULL && word_in("ok quick emulated", b->status, ' ') &&
                      word_in("ok quick emulated", n->status, ' ');
    return good && !timed;
}

static bool has_exhibit(const struct side *side, const char *exhibit)
{
    bool has = false;
    for (size_t i = 0; i < side->count && !has; i++)
        has = strcmp(side->records[i].exhibit, exhibit) == 0;
    return has;
}

static void add_pair(struct sides *all, const struct selection *selection,
                     const struct record *base, const struct record *now_)
{
    const struct record *any = base != NULL ? base : now_;
    struct pair pair = {.base = base, .now = now_, .shares = {NAN, NAN}};
    assert(any != NULL);
    if (strcmp(any->exhibit, "ceilings") == 0 || !path_selected(selection, any->path) ||
        is_silent(&pair))
        return;
    if (!has_exhibit(&all->base, any->exhibit) || !has_exhibit(&all->now, any->exhibit)) {
        all->elsewhere++; /* it was not asked of the other run */
        return;
    }
    judge_pair(&pair, &all->rule);
    if (!isnan(pair.ratio.value) && base != NULL && now_ != NULL) {
        const struct record *const records[] = {base, now_};
        const struct side *const sides[] = {&all->base, &all->now};
        for (int k = 0; k < 2; k++)
            pair.shares[k] =
                records[k]->bytes / records[k]->time.value / copy_bandwidth(sides[k], records[k]);
    }
    all->of[pair.finding]++;
    all->pairs[all->count++] = pair;
}

static const char *pair_path(const struct pair *p)
{
    return p->base != NULL ? p->base->path : p->now->path;
}

static int by_path(const void *a, const void *b) /* sizes as numbers */
{
    return strverscmp(pair_path(a), pair_path(b));
}

static enum status make_pairs(struct sides *all, const struct selection *selection)
{
    free(all->pairs);
    all->pairs = calloc(all->base.count + all->now.count + 1, sizeof *all->pairs);
    if (all->pairs == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu jobs", all->base.count);
    all->count = 0;
    all->elsewhere = 0;
    memset(all->of, 0, sizeof all->of);
    for (size_t i = 0; i < all->base.count; i++) {
        const struct record *base = &all->base.records[i];
        add_pair(all, selection, base, find_record(&all->now, base->path));
    }
    for (size_t i = 0; i < all->now.count; i++)
        if (find_record(&all->base, all->now.records[i].path) == NULL)
            add_pair(all, selection, NULL, &all->now.records[i]);
    if (all->count == 0)
        return because(ERR_ARGS,
                       "%s and %s have no job of what was asked for; `reprise list jobs` "
                       "shows what a selection can name",
                       all->base.folder, all->now.folder);
    qsort(all->pairs, all->count, sizeof *all->pairs, by_path);
    return OK;
}

static bool same_fact(const struct sides *all, const char *key)
{
    return strcmp(facts_get(&all->base.facts, key), facts_get(&all->now.facts, key)) == 0;
}

/* The noise that was asked for, or that a run measured against itself, or what is assumed. */
static void make_rule(struct sides *all, double noise)
{
    static char why[320];
    struct rule *rule = &all->rule;
    const char *base = no_reference(&all->base.facts);
    rule->same_machine = same_fact(all, "fingerprint");
    rule->same_code = same_fact(all, "code") && facts_get(&all->now.facts, "code")[0] != '\0';
    rule->session = noise;
    snprintf(why, sizeof why, "BASE is no reference: %s", base != NULL ? base : "");
    rule->no_verdict = !rule->same_machine ? "unlike machines" : base != NULL ? why : NULL;
}

/* --- printing --- */

enum { COLUMNS = 8, WORD = 320 };

struct table {
    bool markdown;
    int columns; /* the last one is a note */
    char word[COLUMNS][WORD];
};

static void put_row(const struct table *t)
{
    static const int widths[COLUMNS] = {-52, 10, 10, 10, 17, 12, 12, 0};
    for (int c = 0; c < t->columns; c++) {
        const bool last = c + 1 == t->columns;
        if (t->markdown)
            printf("| %s%s", t->word[c], last ? " |\n" : " ");
        else
            printf("%*s%s", last ? 0 : widths[c], t->word[c], last ? "\n" : "  ");
    }
}

static void put_number(char *out, double value, int digits)
{
    if (isnan(value))
        snprintf(out, WORD, "-");
    else
        snprintf(out, WORD, "%.*g", digits, value);
}

static void put_interval(char *out, double lo, double hi)
{
    if (isnan(lo) || isnan(hi))
        snprintf(out, WORD, "-");
    else
        snprintf(out, WORD, "%.4g to %.4g", lo, hi);
}

static void put_header(struct table *t, bool same_machine)
{
    static const char *const heads[2][COLUMNS] = {
        {"job", "BASE, s", "NEW, s", "BASE/NEW", "95 % interval", "BASE of copy", "NEW of copy",
         "note"},
        {"job", "BASE, s", "NEW, s", "NEW/BASE", "99 % interval", "verdict", "note"}};
    t->columns = same_machine ? 7 : 8;
    for (int c = 0; c < t->columns; c++)
        snprintf(t->word[c], WORD, "%s", heads[same_machine][c]);
    put_row(t);
    if (t->markdown)
        for (int c = 0; c < t->columns; c++)
            printf("%s%s", c == 0 || c + 1 == t->columns ? "| --- " : "| ---: ",
                   c + 1 == t->columns ? "|\n" : "");
}

static void put_pair(struct table *t, const struct pair *p, bool same_machine)
{
    const struct ratio *r = &p->ratio;
    snprintf(t->word[0], WORD, "%s", pair_path(p));
    /* The time of a side that failed is not shown: it is the time of nothing. */
    const bool shown = !isnan(r->value);
    put_number(t->word[1], shown ? p->base->time.value : (double)NAN, 4);
    put_number(t->word[2], shown ? p->now->time.value : (double)NAN, 4);
    if (same_machine) {
        put_number(t->word[3], r->value, 4);
        put_interval(t->word[4], r->ci_lo, r->ci_hi);
        snprintf(t->word[5], WORD, "%s", finding_names[p->finding]);
        snprintf(t->word[6], WORD, "%s", p->note);
    } else {
        const bool none = p->finding != F_COMPARED;
        put_number(t->word[3], 1 / r->value, 4);
        put_interval(t->word[4], 1 / r->ci_hi, 1 / r->ci_lo);
        put_number(t->word[5], p->shares[0], 3);
        put_number(t->word[6], p->shares[1], 3);
        snprintf(t->word[7], WORD, "%s%s%s", none ? finding_names[p->finding] : "",
                 none && p->note[0] != '\0' ? ": " : "", p->note);
    }
    put_row(t);
}

static bool same_method(const struct pair *a, const struct pair *b)
{
    return strcmp(a->base->exhibit, b->base->exhibit) == 0 &&
           strcmp(a->base->variant, b->base->variant) == 0 &&
           strcmp(a->base->precision, b->base->precision) == 0;
}

/* Of each variant of an exhibit, and of its shares, over the jobs that have a ratio. */
static void put_means(const struct sides *all, bool markdown)
{
    bool *done = calloc(all->count + 1, sizeof *done);
    for (size_t i = 0; i < all->count && done != NULL; i++) {
        const struct pair *p = &all->pairs[i];
        double sum = 0, shares = 0;
        int jobs = 0;
        for (size_t k = i; k < all->count && !isnan(p->ratio.value) && !done[i]; k++) {
            const struct pair *q = &all->pairs[k];
            if (isnan(q->ratio.value) || !same_method(p, q))
                continue;
            sum += log(q->ratio.value);
            shares += log(q->shares[1] / q->shares[0]);
            jobs++;
            done[k] = k > i;
        }
        if (jobs < 2)
            continue;
        const bool same = all->rule.same_machine;
        printf("%sgeometric mean of %d jobs, %s/*/%s/%s: %s %.4g", markdown ? "- " : "", jobs,
               p->base->exhibit, p->base->variant, p->base->precision,
               same ? "NEW/BASE" : "BASE/NEW", exp((same ? sum : -sum) / jobs));
        if (!same && !isnan(shares))
            printf(", of the copy bandwidth %.4g times BASE's share", exp(shares / jobs));
        printf("\n");
    }
    free(done);
}

static void put_side(const char *name, const struct side *side, bool markdown)
{
    if (is_published(side)) {
        const struct machine *m = &side->machine;
        printf("%s%s %s%s%s: ", markdown ? "- " : "", name, side->folder,
               m->year[0] != '\0' ? ", of " : "", m->year);
        if (m->bandwidth > 0)
            printf("%.4g GB/s by its data sheet, for a copy at best (%s)\n", 1e-9 * m->bandwidth,
                   m->source);
        else
            printf("bandwidth not known (%s)\n", m->source);
        return;
    }
    const char *gpu = facts_get(&side->facts, "gpu_name");
    const char *why = no_reference(&side->facts);
    printf("%s%s %s: %s%s%s, commit %s, %s, %s rounds%s%s\n", markdown ? "- " : "", name,
           side->folder, gpu, gpu[0] != '\0' ? ", " : "", facts_get(&side->facts, "cpu_model"),
           facts_get(&side->facts, "commit"), facts_get(&side->facts, "start"),
           facts_get(&side->facts, "rounds"), why != NULL ? "; no reference: " : "",
           why != NULL ? why : "");
}

/* What else differs between the runs and may explain a difference. */
static void put_unlike_facts(const struct sides *all, bool markdown)
{
    static const char *const keys[] = {"cc",
                                       "cc_flags",
                                       "nvcc",
                                       "nvcc_flags",
                                       "gpu_archs",
                                       "build_type",
                                       "kernel",
                                       "cuda_runtime",
                                       "gpu_persistence",
                                       "env_OMP_NUM_THREADS",
                                       "samples",
                                       "env_OMP_PLACES",
                                       "env_OMP_PROC_BIND",
                                       "cpu_turbo"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !is_published(&all->base); i++)
        if (!same_fact(all, keys[i]))
            printf("%sdiffers: %s, BASE '%s', NEW '%s'\n", markdown ? "- " : "", keys[i],
                   facts_get(&all->base.facts, keys[i]), facts_get(&all->now.facts, keys[i]));
}

static void put_comparison(const struct sides *all, bool markdown)
{
    const struct rule *rule = &all->rule;
    struct table table = {.markdown = markdown};
    put_side("BASE", &all->base, markdown);
    put_side("NEW", &all->now, markdown);
    put_unlike_facts(all, markdown);
    if (rule->same_machine)
        printf("%sone machine%s%s; noise from run to run %.2g %%%s\n", markdown ? "- " : "",
               rule->no_verdict != NULL ? "; no verdict: " : "",
               rule->no_verdict != NULL ? rule->no_verdict : "", 100 * rule->session,
               rule->same_code ? "; both programs have the same machine code" : "");
    else
        printf("%sunlike machines: ratios, and no verdict on them\n", markdown ? "- " : "");
    printf("\n");
    put_header(&table, rule->same_machine);
    for (size_t i = 0; i < all->count; i++) {
        const struct pair *p = &all->pairs[i];
        if (rule->same_machine || (p->base != NULL && p->now != NULL))
            put_pair(&table, p, rule->same_machine);
    }
    printf("\n");
    put_means(all, markdown);
    printf("%s", markdown ? "\n" : "");
    for (int o = 0, any = 0; o < FINDINGS; o++)
        if (all->of[o] > 0)
            printf("%s%d %s", any++ > 0 ? ", " : "", all->of[o], finding_names[o]);
    if (all->elsewhere > 0)
        printf(", %d in exhibits that one run alone has", all->elsewhere);
    printf("; %d numbers of NEW differ from the paper\n", all->differs);
}

/* --- the verb --- */

static int gated(const struct sides *all, const char *gate)
{
    const struct {
        const char *word;
        int count, exit_status;
    } gates[] = {{"wrong", all->of[F_WRONG], 1},
                 {"missing", all->of[F_MISSING], 1},
                 {"differs", all->differs, 4},
                 {"slower", all->of[F_CONFIRMED], 3}};
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++)
        if (gates[i].count > 0 && word_in(gate, gates[i].word, ','))
            return gates[i].exit_status;
    return 0;
}

/* Numbers of a run that must agree with the paper and do not, of what was selected. */
static int differing(const char *folder, const struct selection *selection)
{
    struct comparison judged;
    if (compare_load(folder, selection, &judged) != OK)
        return 0; /* nothing there is printed in a paper */
    const int count = judged.of[VERDICT_DIFFERS];
    compare_free(&judged);
    return count;
}

/* Runs the slower jobs again, in fresh workers, into NEW's folder. */
static enum status run_again(const struct sides *all)
{
    static const char *const keys[] = {"fingerprint", "code", "commit", "dirty"};
    struct run_options again = {
        .out = all->again_folder,
        .rounds = atoi(facts_get(&all->now.facts, "rounds")),
        .samples = atoi(facts_get(&all->now.facts, "samples")),
        .seed = strtoull(facts_get(&all->now.facts, "seed"), NULL, 10),
        .order = facts_get(&all->now.facts, "order"),
        .thread_order = facts_get(&all->now.facts, "thread_order"),
        .timeout = 60,
        .resume = true,
        .unnamed = true,
        .selection = {.size = facts_get(&all->now.facts, "size")},
    };
    struct selection *selection = &again.selection;
    struct text sizes = {0};
    for (size_t i = 0; i < all->count && selection->glob_count < 64; i++) {
        if (all->pairs[i].finding != F_SLOWER)
            continue;
        const struct record *now_ = all->pairs[i].now;
        selection->globs[selection->glob_count++] = now_->path;
        text_add(&sizes, "%s%s", sizes.length > 0 ? "," : "", now_->n);
    }
    if (selection->glob_count == 0)
        return OK;
    struct facts here;
    selection->axis_override = sizes.data;
    enum status status = run_facts(&here);
    facts_finish(&here);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && status == OK; i++)
        if (strcmp(facts_get(&here, keys[i]), facts_get(&all->now.facts, keys[i])) != 0)
            status =
                because(ERR_ARGS,
                        "--confirm needs the program and the machine of NEW: %s was '%s' and "
                        "is '%s' here",
                        keys[i], facts_get(&all->now.facts, keys[i]), facts_get(&here, keys[i]));
    if (status == OK)
        (void)run_plan(&again); /* what fails there is not confirmed */
    text_free(&sizes);
    return status;
}

static enum status load_again(struct sides *all)
{
    struct stat info;
    enum status status = OK;
    side_free(&all->again);
    if (stat(all->again_folder, &info) == 0)
        status = side_load(all->again_folder, &all->again);
    all->rule.confirmed = all->again.count > 0 ? &all->again : NULL;
    return status;
}

static enum status load_sides(const struct compare_options *options, struct sides *all)
{
    snprintf(all->again_folder, sizeof all->again_folder, "%s/confirmation", options->now);
    enum status status = base_load(options->base, &all->base);
    if (status == OK)
        status = side_load(options->now, &all->now);
    if (status != OK)
        return status;
    if (is_published(&all->base))
        complete_printed(&all->base, &all->now);
    make_rule(all, options->noise);
    status = load_again(all);
    if (status == OK)
        status = make_pairs(all, &options->selection);
    if (status != OK || !options->confirm)
        return status;
    status = run_again(all);
    if (status == OK)
        status = load_again(all);
    return status == OK ? make_pairs(all, &options->selection) : status;
}

int compare_runs(const struct compare_options *options)
{
    struct sides all = {0};
    const enum status status = load_sides(options, &all);
    int exit_status = status == ERR_ARGS ? 2 : 1;
    if (status == OK) {
        all.differs = differing(options->now, &options->selection);
        put_comparison(&all, options->markdown);
        exit_status = gated(&all, options->gate);
    } else {
        fprintf(stderr, "reprise: %s\n", reason());
    }
    free(all.pairs);
    side_free(&all.base);
    side_free(&all.now);
    side_free(&all.again);
    return exit_status;
}
