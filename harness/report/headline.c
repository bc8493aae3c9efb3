/*
 * Sentences about a paper, made of a run's cells and claims.
 */
#include "report/headline.h"

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/intern.h"
#include "compare/side.h"
#include "compare/why.h"

/* --- names --- */

/* "D. Conte", "P. Stpiczynski and J. Potiopa": an initial comes first. */
static bool is_author(const char *part)
{
    return isupper((unsigned char)part[0]) && part[1] == '.';
}

/* A citation is authors, title, where it appeared, with commas between. */
const char *paper_title(const struct paper *paper)
{
    const char *title = paper->citation, *comma;
    while (is_author(title) && (comma = strstr(title, ", ")) != NULL)
        title = comma + 2;
    comma = strchr(title, ',');
    const char *const end = comma != NULL ? comma : title + strlen(title);
    const size_t length = (size_t)(end - title) - (end > title && end[-1] == '.');
    return internf("%.*s", (int)length, title);
}

const char *machine_title(const struct facts *facts)
{
    const char *const gpu = facts_get(facts, "gpu_name");
    if (gpu[0] == '\0')
        return facts_get(facts, "cpu_model");
    const bool emulated = strncmp(gpu, "emulated ", strlen("emulated ")) == 0;
    const double cards = fact_number(facts, "gpu_cards");
    return emulated    ? internf("an emulated GPU %s", gpu + strlen("emulated "))
           : cards > 1 ? internf("a machine of %.0f %s", cards, gpu)
                       : gpu;
}

bool run_has(const struct verdicts *all, const struct paper *paper)
{
    bool any = false;
    if (claims_of(paper)->id == NULL && paper->published == NULL)
        return false;
    for (const struct exhibit *e = paper->exhibits; e->id != NULL && !any; e++)
        any = exhibit_in_run(&all->folder, e);
    return any;
}

const char *run_title(const struct verdicts *all)
{
    const char *ids = "", *last = NULL;
    const struct paper *only = NULL;
    int count = 0;
    for (int i = 0; papers[i] != NULL; i++) {
        if (!run_has(all, papers[i]))
            continue;
        if (last != NULL)
            ids = internf("%s%s%s", ids, ids[0] != '\0' ? ", " : "", last);
        last = papers[i]->id;
        only = papers[i];
        count++;
    }
    const char *const machine = machine_title(&all->folder.facts);
    return count == 0   ? internf("Measured on %s", machine)
           : count == 1 ? internf("%s, run again on %s", paper_title(only), machine)
                        : internf("%s and %s, run again on %s", ids, last, machine);
}

/* --- numbers that must agree --- */

enum { MOST_IDS = 8 };
struct group { /* the cells of a table of the paper */
    const char *where, *noun;
    int total, same, close, explained, differ, missing;
    int fewest_digits, most_digits; /* of those that are the same */
    double farthest;                /* of those that are close, relative */
    const char *ids[MOST_IDS];
    int id_count;
};

struct groups {
    struct group *list;
    int count;
};

static const char *noun_of(const struct cell *c)
{
    return metric_kind(c->exhibit, c->metric) == METRIC_ORDER ? "orders"
           : strstr(c->metric, "error") != NULL               ? "errors"
           : strcmp(c->metric, "iterations") == 0             ? "iteration counts"
                                                              : "numbers";
}

static const char *noun_of_both(const char *a, const char *b)
{
    static const char both[] = "errors and orders";
    const bool known = strstr(both, a) != NULL && strstr(both, b) != NULL;
    return strcmp(a, b) == 0 ? a : known ? both : "numbers";
}

/* Significant ones, as they are printed. */
static int digits_of(const char *printed)
{
    int digits = 0;
    bool begun = false;
    for (const char *c = printed; *c != '\0' && *c != 'e' && *c != 'E'; c++) {
        begun = begun || (*c >= '1' && *c <= '9');
        digits += begun && isdigit((unsigned char)*c);
    }
    return digits;
}

/* It is accuracy: times and what else is the machine's are compared, and an exhibit that repeats
 * another's numbers under other assumptions does not count them twice. */
static bool must_agree(const struct cell *c, const struct paper *paper)
{
    const enum metric_kind kind = metric_kind(c->exhibit, c->metric);
    const bool timed = kind == METRIC_TIME || kind == METRIC_TIME_PER_STEP || kind == METRIC_RATE ||
                       kind == METRIC_SPEEDUP;
    return c->paper == paper && !isnan(c->printed.value) && c->exhibit->published == NULL &&
           !timed && !c->exhibit->of_machine && !c->left_out;
}

static struct group *group_of(struct groups *all, const struct cell *c)
{
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->list[i].where, c->exhibit->where) == 0)
            return &all->list[i];
    all->list = realloc(all->list, ((size_t)all->count + 1) * sizeof *all->list);
    if (all->list == NULL)
        abort(); /* a few bytes */
    all->list[all->count] =
        (struct group){.where = c->exhibit->where, .noun = noun_of(c), .fewest_digits = 99};
    return &all->list[all->count++];
}

static void note_id(struct group *g, const char *id)
{
    for (int i = 0; i < g->id_count; i++)
        if (g->ids[i] == id)
            return;
    if (g->id_count < MOST_IDS)
        g->ids[g->id_count++] = id;
}

static void count_cell(struct group *g, const struct cell *c)
{
    g->total++;
    g->noun = noun_of_both(g->noun, noun_of(c));
    g->close += c->verdict == VERDICT_CLOSE;
    g->differ += c->verdict == VERDICT_DIFFERS;
    g->missing += c->verdict == VERDICT_NOT_MEASURED;
    if (c->verdict == VERDICT_SAME) {
        const int digits = digits_of(c->printed.digits);
        g->same++;
        g->fewest_digits = digits < g->fewest_digits ? digits : g->fewest_digits;
        g->most_digits = digits > g->most_digits ? digits : g->most_digits;
    }
    if (c->verdict == VERDICT_CLOSE)
        g->farthest = fmax(g->farthest, fabs(c->reproduced / c->printed.value - 1));
    if (c->verdict == VERDICT_EXPLAINED) {
        g->explained++;
        note_id(g, c->id);
    }
}

/* "B22 and B28", "2, 3 and 4". */
static const char *in_a_row(const char *const *words, int count)
{
    const char *said = "";
    for (int i = 0; i < count; i++)
        said = internf("%s%s%s", said, i == 0 ? "" : i + 1 == count ? " and " : ", ", words[i]);
    return said;
}

/* "within 2 %", of the largest distance, rounded up to a digit. */
static const char *percent_word(double relative)
{
    const double percent = 100 * relative, unit = pow(10, floor(log10(percent)));
    return internf("%g %%", ceil(percent / unit - 1e-9) * unit);
}

static const char *digits_word(const struct group *g)
{
    if (strcmp(g->noun, "iteration counts") == 0)
        return "";
    return g->fewest_digits != g->most_digits ? " to every digit printed"
           : g->most_digits == 1              ? " to the digit printed"
                                              : internf(" to all %d digits", g->most_digits);
}

static const char *group_word(const struct group *g)
{
    struct text said = {0};
    if (g->missing == g->total)
        return internf("%d %s, not measured", g->total, g->noun);
    if (g->same == g->total)
        return internf("%s%d %s%s", g->total > 1 ? "all " : "", g->total, g->noun, digits_word(g));
    text_add(&said, "%d of %d %s%s", g->same, g->total, g->noun,
             g->same > 0 ? digits_word(g) : " to the last digit");
    if (g->close > 0)
        text_add(&said, ", %d within %s", g->close, percent_word(g->farthest));
    if (g->explained > 0)
        text_add(&said, ", %d explained by %s %s", g->explained,
                 g->id_count > 1 ? "errata" : "erratum", in_a_row(g->ids, g->id_count));
    if (g->differ > 0)
        text_add(&said, ", %d %s", g->differ, g->differ > 1 ? "differ" : "differs");
    if (g->missing > 0)
        text_add(&said, ", %d not measured", g->missing);
    const char *const word = intern(said.data);
    text_free(&said);
    return word;
}

/* "Tables 2, 3 and 4" of those that have the same to say. */
static const char *places_word(const char *const *wheres, int count)
{
    const size_t first = strcspn(wheres[0], " ");
    const char *rest[64];
    bool alike = count > 1 && count <= 64 && wheres[0][first] != '\0';
    for (int i = 0; i < count && alike; i++) {
        alike = strncmp(wheres[i], wheres[0], first + 1) == 0;
        rest[i] = wheres[i] + first + 1;
    }
    return alike ? internf("%.*ss %s", (int)first, wheres[0], in_a_row(rest, count))
                 : in_a_row(wheres, count);
}

/* Tables of which all is the same are one sentence. */
static void merge_same(struct groups *all, struct text *out)
{
    const char *wheres[64];
    struct group sum = {.fewest_digits = 99};
    int count = 0;
    for (int i = 0; i < all->count; i++) {
        const struct group *const g = &all->list[i];
        if (g->same < g->total || count == 64)
            continue;
        sum.noun = count == 0 ? g->noun : noun_of_both(sum.noun, g->noun);
        sum.total = sum.same += g->total;
        sum.fewest_digits =
            g->fewest_digits < sum.fewest_digits ? g->fewest_digits : sum.fewest_digits;
        sum.most_digits = g->most_digits > sum.most_digits ? g->most_digits : sum.most_digits;
        wheres[count++] = g->where;
    }
    if (count > 0)
        text_add(out, "%s: %s.", places_word(wheres, count), group_word(&sum));
}

const char *said_of_numbers(const struct verdicts *all, const struct paper *paper)
{
    struct groups groups = {0};
    struct text out = {0};
    text_add(&out, "%s", "");
    for (size_t i = 0; i < all->count; i++)
        if (must_agree(&all->cells[i], paper))
            count_cell(group_of(&groups, &all->cells[i]), &all->cells[i]);
    merge_same(&groups, &out);
    for (int i = 0; i < groups.count; i++)
        if (groups.list[i].same < groups.list[i].total)
            text_add(&out, "%s%s: %s.", out.length > 0 ? " " : "", groups.list[i].where,
                     group_word(&groups.list[i]));
    const char *const said = intern(out.data);
    free(groups.list);
    text_free(&out);
    return said;
}

/* --- how fast --- */

/* Two digits; three where two would round by more than a percent and a half. */
static const char *times_word(double ratio)
{
    const double unit = pow(10, floor(log10(ratio)) - 1);
    const double two = round(ratio / unit) * unit;
    return internf("%.6g",
                   fabs(two / ratio - 1) <= 0.015 ? two : round(10 * ratio / unit) * unit / 10);
}

struct faster { /* a variant, against a machine of the paper: geometric mean over its jobs */
    const char *variant;
    const struct printed_machine *machine;
    double logs;
    int jobs;
};

struct fasters {
    struct faster *list;
    int count;
};

static const struct printed_machine *machine_named(const struct printed_machine *machines,
                                                   size_t count, const char *hardware)
{
    for (size_t i = 0; i < count; i++)
        if (fnmatch(machines[i].hardware, hardware, 0) == 0)
            return &machines[i];
    return NULL;
}

static void take_faster(struct fasters *all, const char *variant,
                        const struct printed_machine *machine, double ratio)
{
    struct faster *f = NULL;
    for (int i = 0; i < all->count && f == NULL; i++)
        if (all->list[i].variant == variant && all->list[i].machine == machine)
            f = &all->list[i];
    if (f == NULL) {
        all->list = realloc(all->list, ((size_t)all->count + 1) * sizeof *all->list);
        if (all->list == NULL)
            abort(); /* a few bytes */
        f = &all->list[all->count++];
        *f = (struct faster){variant, machine, 0, 0};
    }
    f->logs += log(ratio);
    f->jobs++;
}

/* What kind of number says how fast the paper's variants are: times, or else rates. */
static enum metric_kind speed_kind(const struct verdicts *all, const struct paper *paper)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *const c = &all->cells[i];
        if (c->paper == paper && c->verdict == VERDICT_COMPARED &&
            metric_kind(c->exhibit, c->metric) == METRIC_TIME)
            return METRIC_TIME;
    }
    return METRIC_RATE;
}

static bool on_device(const struct cell *c)
{
    const struct variant *const v =
        find_variant(find_family(c->exhibit->family), c->key.variant, c->key.precision);
    return v != NULL && uses_device(v);
}

static double faster_by(const struct cell *c, enum metric_kind kind, const struct printed *printed)
{
    return kind == METRIC_TIME ? printed->value / c->reproduced : c->reproduced / printed->value;
}

static void collect_faster(const struct verdicts *all, const struct paper *paper, bool device,
                           const struct printed_machine *machines, size_t count,
                           struct fasters *out)
{
    const enum metric_kind kind = speed_kind(all, paper);
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *const c = &all->cells[i];
        const struct printed *const printed[] = {&c->printed, &c->second};
        if (c->paper != paper || c->verdict != VERDICT_COMPARED || c->voided ||
            !has_times(c->state) || metric_kind(c->exhibit, c->metric) != kind ||
            c->exhibit->published != NULL || on_device(c) != device)
            continue;
        for (int k = 0; k < 2; k++) {
            const struct printed_machine *const machine =
                machine_named(machines, count, printed[k]->hardware);
            if (machine != NULL && printed[k]->value > 0)
                take_faster(out, c->key.variant, machine, faster_by(c, kind, printed[k]));
        }
    }
}

static int by_ratio(const void *a, const void *b)
{
    const struct faster *const x = a, *const y = b;
    const double dx = x->logs / x->jobs, dy = y->logs / y->jobs;
    return (dx < dy) - (dx > dy);
}

static const char *ratio_of(const struct faster *f)
{
    return times_word(exp(f->logs / f->jobs));
}

/* "A2D is 18 and A2SD 12 times as fast as on the GTX260"; many: the fastest and the slowest. */
static void say_machine(const struct fasters *all, const struct printed_machine *machine,
                        double bandwidth, struct text *out)
{
    const struct faster *of[64];
    int count = 0;
    for (int i = 0; i < all->count && count < 64; i++)
        if (all->list[i].machine == machine)
            of[count++] = &all->list[i];
    if (count == 0)
        return;
    text_add(out, "%s%s is %s", out->length > 0 ? " " : "", of[0]->variant, ratio_of(of[0]));
    if (count == 2)
        text_add(out, " and %s %s", of[1]->variant, ratio_of(of[1]));
    text_add(out, " times as fast as on the %s", machine->name);
    if (count > 2)
        text_add(out, ", %s %s times, and %d other%s between", of[count - 1]->variant,
                 ratio_of(of[count - 1]), count - 2, count > 3 ? "s" : "");
    if (bandwidth / machine->bandwidth > 0)
        text_add(out, "; the memory is %s times as fast",
                 times_word(bandwidth / machine->bandwidth));
    text_add(out, ".");
}

/* What else is in these numbers: what changes results and has times that it applies to. */
static void say_errata(const struct verdicts *all, const struct paper *paper, struct text *out)
{
    for (const struct erratum *e = errata_of(paper); e->id != NULL; e++) {
        bool any = false;
        for (size_t i = 0; i < all->count && !any; i++) {
            const struct cell *const c = &all->cells[i];
            any = c->paper == paper && c->verdict == VERDICT_COMPARED && e->effect == NOTED &&
                  e->severity == SEVERITY_A && e->applies_to != NULL &&
                  fnmatch(e->applies_to, key_path(&c->key), FNM_EXTMATCH) == 0;
        }
        if (any)
            text_add(out, " Erratum %s has a part in it: %s.", e->id, e->printed);
    }
}

const char *said_of_speed(const struct verdicts *all, const struct paper *paper)
{
    struct printed_machine *machines = NULL;
    size_t count = 0;
    struct text out = {0};
    text_add(&out, "%s", "");
    if (machines_load(&machines, &count) != OK)
        return "";
    for (int device = 1; device >= 0; device--) {
        struct fasters fasters = {0};
        const double bandwidth = memory_bandwidth(&all->folder, device);
        collect_faster(all, paper, device, machines, count, &fasters);
        if (fasters.count > 0)
            qsort(fasters.list, (size_t)fasters.count, sizeof *fasters.list, by_ratio);
        for (size_t i = 0; i < count; i++)
            say_machine(&fasters, &machines[i], bandwidth, &out);
        free(fasters.list);
    }
    if (out.length > 0)
        say_errata(all, paper, &out);
    const char *const said = intern(out.data);
    free(machines);
    text_free(&out);
    return said;
}

/* --- the largest speed-up in print --- */

struct speedup {
    const struct cell *cell;      /* of whose exhibit, case and size it is */
    const char *left, *right, *n; /* variants; the size at which it is looked at today */
    const char *digits;           /* as it is in print */
    const char *hardware;         /* where it is printed of several machines; else "" */
    double printed, here;         /* NaN: not measured */
    bool of_times;                /* two are printed, and it is not */
};

static const struct variant *variant_in(const struct cell *c, const char *id)
{
    return variant_like(find_family(c->exhibit->family), id, c->key.precision);
}

/* The largest of the sizes that a mean is over. */
static const char *size_looked_at(const struct cell *c)
{
    long sizes[64];
    int count = 0;
    if (c->exhibit->over == NULL || expand_axis(c->exhibit->over, sizes, 64, &count) != OK)
        return c->key.n;
    return internf("%ld", sizes[count - 1]);
}

static bool is_mean(const struct cell *c)
{
    return c->exhibit->over != NULL && strncmp(c->key.n, "max ", 4) != 0;
}

/* The larger one in print, and of equal ones the larger one here. */
static bool is_larger(const struct speedup *a, const struct speedup *b)
{
    return b->cell == NULL || a->printed > b->printed ||
           (!(a->printed < b->printed) && a->here > b->here);
}

/* Of what is in print, and of what was measured too. */
struct largest {
    struct speedup printed, measured;
};

static void consider(struct largest *best, struct speedup s)
{
    const struct variant *const a = variant_in(s.cell, s.left), *const b =
                                                                    variant_in(s.cell, s.right);
    s.n = size_looked_at(s.cell);
    if (a == NULL || b == NULL || !uses_device(a) || uses_device(b) || !(s.printed > 0))
        return;
    if (is_larger(&s, &best->printed))
        best->printed = s;
    if (s.here > 0 && is_larger(&s, &best->measured))
        best->measured = s;
}

/* The paper prints the quotient of two times itself, and may have rounded it otherwise. */
static bool is_printed_itself(const struct verdicts *all, const struct speedup *s)
{
    const char *left, *right;
    bool any = false;
    for (size_t i = 0; i < all->count && !any; i++) {
        const struct cell *const d = &all->cells[i];
        any = d->paper == s->cell->paper && d->key.of == s->cell->key.of &&
              d->key.n == s->cell->key.n && d->key.precision == s->cell->key.precision &&
              d->printed.value > 0 && metric_kind(d->exhibit, d->metric) == METRIC_SPEEDUP &&
              ratio_sides(d->key.variant, &left, &right) && strcmp(left, s->left) == 0 &&
              strcmp(right, s->right) == 0;
    }
    return any;
}

/* One of the machines of which the paper prints the cell: as such, or two times at the same size.
 */
static void consider_printed(const struct verdicts *all, const struct cell *c,
                             const struct printed *printed, struct largest *best)
{
    const enum metric_kind kind = metric_kind(c->exhibit, c->metric);
    struct speedup s = {.cell = c,
                        .hardware = c->second.value > 0 ? printed->hardware : "",
                        .digits = printed->digits,
                        .printed = printed->value,
                        .here = c->reproduced};
    if (kind == METRIC_SPEEDUP && !is_mean(c) && ratio_sides(c->key.variant, &s.left, &s.right))
        consider(best, s);
    if (kind != METRIC_TIME)
        return;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *const d = &all->cells[i];
        if (d->exhibit != c->exhibit || d->metric != c->metric || d->key.of != c->key.of ||
            d->key.n != c->key.n || d->voided)
            continue;
        s.left = c->key.variant;
        s.right = d->key.variant;
        s.printed = d->printed.value / printed->value;
        s.digits = internf("%.3g", s.printed);
        s.here = d->reproduced / c->reproduced;
        s.of_times = true;
        if (!is_printed_itself(all, &s))
            consider(best, s);
    }
}

static void consider_cell(const struct verdicts *all, const struct cell *c, struct largest *best)
{
    consider_printed(all, c, &c->printed, best);
    if (c->second.value > 0)
        consider_printed(all, c, &c->second, best);
}

/* A text that says how far a speed-up goes: it does so in the cell that goes farthest here. */
static void consider_claim(const struct verdicts *all, const struct outcome *o,
                           struct largest *best)
{
    const struct claim *const claim = o->claim;
    const char *left, *right;
    if (claim->predicate != REACHES || !ratio_sides(claim->left, &left, &right))
        return;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *const c = &all->cells[i];
        if (c->paper == o->paper && c->key.variant == intern(claim->left) &&
            strcmp(c->metric, claim->metric) == 0 && c->exhibit->over == NULL &&
            c->exhibit->published == NULL && glob_matches(claim->cells, key_path(&c->key)))
            consider(best, (struct speedup){.cell = c,
                                            .left = left,
                                            .right = right,
                                            .digits = internf("%.10g", claim->least),
                                            .hardware = "",
                                            .printed = claim->least,
                                            .here = c->reproduced});
    }
}

static struct largest largest_speedup(const struct verdicts *all, const struct paper *paper)
{
    struct largest best = {.printed.hardware = "", .measured.hardware = ""};
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *const c = &all->cells[i];
        if (c->paper == paper && !c->voided && c->exhibit->published == NULL &&
            c->printed.value > 0)
            consider_cell(all, c, &best);
    }
    for (size_t i = 0; i < all->claim_count && best.printed.cell == NULL; i++)
        if (all->claims[i].paper == paper)
            consider_claim(all, &all->claims[i], &best);
    return best;
}

static const struct record *record_there(const struct verdicts *all, const struct speedup *s,
                                         const char *id)
{
    struct key job = cell_job(s->cell);
    const struct variant *const v = variant_in(s->cell, id);
    job.variant = intern(id);
    job.precision = intern(precision_name(v->precision));
    job.n = intern(s->n);
    const struct record *const r = folder_record(&all->folder, &job);
    return r != NULL && has_times(r->state) && r->time.value > 0 ? r : NULL;
}

/* " on the GTX480", if it is printed of other machines as well. */
static const char *machine_word(const struct speedup *s)
{
    struct printed_machine *machines = NULL;
    size_t count = 0;
    if (s->hardware[0] == '\0' || machines_load(&machines, &count) != OK)
        return "";
    const struct printed_machine *const m = machine_named(machines, count, s->hardware);
    const char *const word = internf(" on the %s", m != NULL ? m->name : s->hardware);
    free(machines);
    return word;
}

/* What it is over the fastest CPU code of today: of the paper's code, and of the fastest there is.
 */
static void say_fastest(const struct verdicts *all, const struct speedup *s, struct text *out)
{
    const struct record *const ours = record_there(all, s, s->left);
    if (ours == NULL)
        return;
    const struct record *const cpu = fastest_of_task(&all->folder, &ours->key, false);
    const struct record *const gpu = fastest_of_task(&all->folder, &ours->key, true);
    if (cpu == NULL)
        return;
    text_add(out,
             "; %sover the fastest CPU code of today that is no less precise, %s in %s, it is %s",
             s->cell->exhibit->over != NULL ? internf("at n = %s, ", s->n) : "", cpu->key.variant,
             cpu->key.precision, times_word(cpu->time.value / ours->time.value));
    if (gpu != NULL && gpu->time.value < ours->time.value)
        text_add(out, ", and that of the fastest GPU code, %s in %s, is %s", gpu->key.variant,
                 gpu->key.precision, times_word(cpu->time.value / gpu->time.value));
}

const char *said_of_speedup(const struct verdicts *all, const struct paper *paper)
{
    const struct largest best = largest_speedup(all, paper);
    const struct speedup s = best.measured;
    struct text out = {0};
    if (s.cell == NULL)
        return "";
    text_add(&out, "The largest speed-up %s", s.of_times ? "that times in print give" : "in print");
    if (best.printed.printed > s.printed)
        text_add(&out, ", %s%s, was not measured; the largest that was", best.printed.digits,
                 machine_word(&best.printed));
    text_add(&out, ", %s of %s over %s%s, is %s here (%s, %s, %s, %s%s)", s.digits, s.left, s.right,
             machine_word(&s), times_word(s.here), s.cell->exhibit->where, s.cell->key.of,
             precision_name(variant_in(s.cell, s.left)->precision),
             s.cell->exhibit->over != NULL ? "" : "n = ", s.cell->key.n);
    say_fastest(all, &s, &out);
    text_add(&out, ".");
    const char *const said = intern(out.data);
    text_free(&out);
    return said;
}

/* --- claims, and all together --- */

const char *said_of_claims(const struct verdicts *all, const struct paper *paper)
{
    static const struct {
        enum hold hold;
        const char *one, *several;
    } words[] = {{HOLDS, "holds", "hold"},
                 {PARTLY, "holds in part", "hold in part"},
                 {TIED, "is tied", "are tied"},
                 {REVERSED, "does not hold", "do not hold"},
                 {CLAIM_NOT_MEASURED, "was not measured", "were not measured"}};
    int of[CLAIM_NOT_MEASURED + 1] = {0}, count = 0;
    for (size_t i = 0; i < all->claim_count; i++)
        if (all->claims[i].paper == paper) {
            of[all->claims[i].hold[HERE]]++;
            count++;
        }
    if (count == 0)
        return "";
    const char *said = internf("Of %d claim%s", count, count > 1 ? "s" : ""), *between = " ";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (of[words[i].hold] > 0) {
            const int those = of[words[i].hold];
            said = internf("%s%s%d %s", said, between, those,
                           those == 1 ? words[i].one : words[i].several);
            between = ", ";
        }
    return internf("%s.", said);
}

const char *headline(const struct verdicts *all, const struct paper *paper)
{
    const char *const parts[] = {said_of_numbers(all, paper), said_of_speed(all, paper),
                                 said_of_speedup(all, paper), said_of_claims(all, paper)};
    const char *said = "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i][0] != '\0')
            said = internf("%s%s%s", said, said[0] != '\0' ? " " : "", parts[i]);
    return said;
}

const char *paper_status(const struct verdicts *all, const struct paper *paper)
{
    int of[VERDICT_NOT_MEASURED + 1] = {0}, left_out = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *const c = &all->cells[i];
        const bool counts = c->paper == paper && !isnan(c->printed.value) &&
                            (c->exhibit->published == NULL || c->verdict == VERDICT_DIFFERS);
        of[c->verdict] += counts;
        left_out += counts && c->left_out;
    }
    const int missing = of[VERDICT_NOT_MEASURED] - left_out, compared = of[VERDICT_COMPARED];
    const int checked =
        of[VERDICT_SAME] + of[VERDICT_CLOSE] + of[VERDICT_EXPLAINED] + of[VERDICT_DIFFERS];
    struct text said = {0};
    text_add(&said, "%s", "");
    if (checked + compared > 0)
        text_add(&said, "%s",
                 of[VERDICT_DIFFERS] > 0 ? "DIFFERS: "
                 : missing > 0           ? "in part: "
                 : checked > 0           ? "REPRODUCED: "
                                         : ""); /* nothing could have differed */
    const int counts[] = {of[VERDICT_SAME],    of[VERDICT_CLOSE], of[VERDICT_EXPLAINED],
                          of[VERDICT_DIFFERS], compared,          missing};
    static const char *const words[] = {"same",   "close",          "explained",
                                        "differ", "times compared", "not measured"};
    const char *between = "";
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i] > 0 && checked + compared > 0) {
            text_add(&said, "%s%d %s", between, counts[i], words[i]);
            between = ", ";
        }
    int claims = 0, hold = 0, unheard = 0;
    for (size_t i = 0; i < all->claim_count; i++) {
        claims += all->claims[i].paper == paper;
        hold += all->claims[i].paper == paper && all->claims[i].hold[HERE] == HOLDS;
        unheard += all->claims[i].paper == paper && all->claims[i].hold[HERE] == CLAIM_NOT_MEASURED;
    }
    if (claims > unheard)
        text_add(&said, "%s%d of %d claims hold", said.length > 0 ? "; " : "", hold, claims);
    const char *const word = said.length > 0 ? intern(said.data) : "not measured";
    text_free(&said);
    return word;
}

/* What a claim's largest number is divided by, so that it reads as people read a rate; and unit. */
static double scale_of(const struct outcome *o, const char **unit)
{
    *unit = "";
    for (const struct exhibit *e = o->paper->exhibits; e->id != NULL && o->claim->right == NULL;
         e++)
        if (metric_kind(e, o->claim->metric) == METRIC_RATE) {
            *unit = internf(" %s", find_family(e->family)->rate_shown);
            return find_family(e->family)->rate_scale;
        }
    return 1;
}

static const char *hold_word(const struct outcome *o, enum where where)
{
    static const char *const words[] = {[HOLDS] = "holds",
                                        [PARTLY] = "holds in part",
                                        [TIED] = "is tied",
                                        [REVERSED] = "does not hold",
                                        [CLAIM_NOT_PRINTED] = "has no number",
                                        [CLAIM_NOT_MEASURED] = "was not measured"};
    const char *const word = words[o->hold[where]];
    if (o->cells[where] == 0)
        return word;
    const char *unit;
    const double scale = scale_of(o, &unit);
    const bool as_printed = where == IN_PRINT && o->claim->right == NULL;
    const char *const reached =
        o->claim->predicate == REACHES && !isnan(o->largest[where])
            ? internf(", at most %.*g%s", as_printed ? 10 : 4, o->largest[where] / scale, unit)
            : "";
    return internf("%s (%d of %d%s)", word, o->holds[where], o->cells[where], reached);
}

const char *said_of_claim(const struct outcome *outcome)
{
    const struct erratum *e = errata_of(outcome->paper);
    const char *const id = outcome->claim->erratum;
    while (id != NULL && e->id != NULL && strcmp(e->id, id) != 0)
        e++;
    const char *const why =
        id != NULL && e->id != NULL
            ? internf(" Erratum %s: printed %s; correct %s.", e->id, e->printed, e->corrected)
            : "";
    return internf("%s, \"%s\": here it %s; in print it %s.%s", outcome->claim->where,
                   outcome->claim->text, hold_word(outcome, HERE), hold_word(outcome, IN_PRINT),
                   why);
}
