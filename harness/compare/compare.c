/*
 * Two runs side by side. On one machine: did it get slower? A verdict for each job, by the rule of
 * statistics.c, that a program can act on. Between machines, of which one may be a published one:
 * ratios, what of them the machines' ceilings explain (why.h), and how near each side came to its
 * limits, never a verdict.
 */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/core.h"
#include "base/document.h"
#include "base/intern.h"
#include "compare/repeats.h"
#include "compare/side.h"
#include "compare/why.h"
#include "machine/timing.h"
#include "run/checksums.h"
#include "run/process.h"
#include "run/run.h"
#include "verdict/verdict.h"

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
    struct why why;                  /* all NaN: no ratio, or one machine */
    struct against against[2];       /* base, now; NaN: not known */
    double joules[2];                /* of a run; NaN: not measured */
    enum finding finding;
    /* Of UNCLEAR, how many more of NEW would tell; of SLOWER, how many it has to be run again in;
     * 0: no number of them, or it has been. */
    int rounds;
    bool turns;                    /* their rounds took turns */
    const struct record *looks[2]; /* base, now: of `more`, where they take turns; or null */
    const char *note;
};

/* The verdict is of these. */
static bool by_looks(const struct pair *p)
{
    return p->looks[1] != NULL && p->now == p->looks[1];
}

static bool has_ratio(const struct pair *p)
{
    return p->base != NULL && p->now != NULL && !isnan(p->ratio.value);
}

static struct couple couple_of(const struct pair *p)
{
    return (struct couple){p->base->key, {p->base, p->now}};
}

/* --- one job on both sides --- */

/* Why the two have no ratio; null: they have one. */
static const char *no_ratio(const struct pair *p)
{
    const struct record *bad = !has_times(p->base->state)  ? p->base
                               : !has_times(p->now->state) ? p->now
                                                           : NULL;
    if (bad != NULL)
        return internf("%s: %s", bad == p->base ? "BASE" : "NEW", bad->note);
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

static struct ratio ratio_of(const struct record *base, const struct record *now_,
                             const struct noise *noise)
{
    return ratio_of_rounds(base->medians, base->rounds, now_->medians, now_->rounds, noise);
}

static struct ratio looked_at(const struct record *base, const struct record *now_)
{
    return ratio_of_looks(base->medians, base->rounds, now_->medians, now_->rounds);
}

struct rule { /* what a verdict depends on beside the job */
    bool same_machine, same_code;
    const char *no_verdict; /* null: the regression rule applies */
    /* The run of the slower ones again, and BASE's rounds that took turns with it; null: none. */
    const struct folder *confirmed, *confirmed_base;
    /* More rounds of what was unclear, and those of BASE that took turns with them; null: none. */
    const struct folder *more, *more_base;
    double given;         /* the noise from run to run; NaN: as these have it */
    struct noises noises; /* of the records of NEW */
    const struct folder *now;
    bool turns; /* the two took turns: there is none, but to the run that confirms */
};

static struct noise noise_of_job(const struct rule *rule, const struct pair *p)
{
    return isnan(rule->given)
               ? rule->noises.of_job[folder_record(rule->now, &p->now->key) - rule->now->records]
               : noise_known(rule->given);
}

/* In `own`; null: none, as the two took turns. */
static const struct noise *noise_between(const struct rule *rule, const struct pair *p,
                                         struct noise *own)
{
    *own = p->turns ? no_noise : noise_of_job(rule, p);
    return p->turns ? NULL : own;
}

static void decide_slower(struct pair *p, const struct rule *rule)
{
    const struct record *again =
        rule->confirmed != NULL ? folder_record(rule->confirmed, &p->now->key) : NULL;
    if (rule->same_code) {
        p->finding = F_ENVIRONMENT;
        p->note = "both programs have the same machine code";
        return;
    }
    struct noise own;
    const struct noise *const noise = noise_between(rule, p, &own);
    const struct noise alone = noise_of_job(rule, p);
    if (clock_was_read(p->base) && clock_was_read(p->now) &&
        ratio_of_rounds(p->base->cycles, p->base->rounds, p->now->cycles, p->now->rounds, noise)
                .change != CHANGE_SLOWER) {
        p->finding = F_CLOCK;
        p->note = "not in clock cycles: the clock was lower";
        return;
    }
    p->finding = F_SLOWER;
    p->rounds = p->now->rounds < MOST_FURTHER ? (int)p->now->rounds : MOST_FURTHER;
    if (again == NULL) {
        p->note = "not confirmed yet: --confirm runs it again";
        return;
    }
    const struct record *const turn =
        rule->confirmed_base != NULL ? folder_record(rule->confirmed_base, &p->now->key) : NULL;
    const struct ratio r = turn != NULL && turn->rounds > 0 ? ratio_of(turn, again, NULL)
                                                            : ratio_of(p->base, again, &alone);
    if (has_times(again->state) && confirms(&r, p->ratio.value)) {
        p->finding = F_CONFIRMED;
    } else if (has_times(again->state) && turn != NULL) {
        const int tell = rounds_to_confirm(turn->medians, turn->rounds, again->medians,
                                           again->rounds, &r, p->ratio.value);
        p->rounds = tell > p->rounds ? tell : p->rounds;
    }
    if (p->finding == F_CONFIRMED || again->rounds >= (size_t)p->rounds)
        p->rounds = 0;
    p->note = internf("%.3f when run again%s", r.value,
                      p->finding == F_CONFIRMED ? "" : ": not confirmed");
}

/* How much more it would take. */
static void decide_unclear(struct pair *p, const struct rule *rule)
{
    const struct record *const b = p->base, *const n = p->now;
    struct noise own;
    const struct noise *const noise = noise_between(rule, p, &own);
    bool both = true;
    int rounds = MOST_ROUNDS_TO_TELL + 1;
    if (by_looks(p))
        rounds = rounds_to_tell_by_looks(b->medians, b->rounds, n->medians, n->rounds, false);
    else /* what took turns goes on so */
        for (int k = p->turns ? 1 : 0; k < 2 && rounds > MOST_ROUNDS_TO_TELL; k++) {
            both = k == 1;
            rounds =
                rounds_to_tell(b->medians, b->rounds, n->medians, n->rounds, noise, both, false);
        }
    p->rounds = both || rounds == 0 ? 0 : rounds - (int)n->rounds;
    p->note = isnan(p->ratio.ci_lo) ? "fewer than 3 rounds"
              : rounds == 0
                  ? internf("no number of rounds would tell: the noise from run to run is %.2g %%",
                            100 * noise_deviation(&own))
              : rounds > MOST_ROUNDS_TO_TELL
                  ? internf("not even %d rounds of each would tell", MOST_ROUNDS_TO_TELL)
                  : internf("%d rounds of %s would tell", rounds, both ? "each" : "NEW");
}

static void decide_change(struct pair *p, const struct rule *rule)
{
    static const enum finding plain[] = {[CHANGE_SAME] = F_SAME,
                                         [CHANGE_FASTER] = F_FASTER,
                                         [CHANGE_SLOWER] = F_SLOWER,
                                         [CHANGE_UNCLEAR] = F_UNCLEAR};
    p->finding = plain[p->ratio.change];
    if (p->finding == F_SLOWER)
        decide_slower(p, rule);
    if (p->finding == F_UNCLEAR)
        decide_unclear(p, rule);
}

static void decide_pair(struct pair *p, const struct rule *rule)
{
    const char *why = p->base != NULL && p->now != NULL ? no_ratio(p) : NULL;
    p->ratio = (struct ratio){CHANGE_UNCLEAR, NAN, NAN, NAN, NAN, NAN, NAN};
    p->rounds = 0;
    p->note = "";
    if (p->now == NULL) {
        p->finding = F_MISSING;
    } else if (p->base == NULL) {
        p->finding = F_ADDED;
    } else if (!good(p->now->state) && good(p->base->state)) {
        p->finding = p->now->state == JOB_SKIPPED ? F_MISSING : F_WRONG;
        p->note = why;
    } else if (why != NULL) {
        p->finding = F_NONE;
        p->note = why;
    } else if (rule->no_verdict == NULL && p->base->rounds > 0 && p->now->rounds > 0) {
        struct noise own;
        p->ratio = by_looks(p) ? looked_at(p->base, p->now)
                               : ratio_of(p->base, p->now, noise_between(rule, p, &own));
        decide_change(p, rule);
    } else {
        const struct estimate *b = &p->base->time, *n = &p->now->time;
        const double half = hypot(log(b->ci_hi / b->ci_lo) / 2, log(n->ci_hi / n->ci_lo) / 2);
        p->ratio.value = n->value / b->value;
        p->ratio.ci_lo = p->ratio.value * exp(-half);
        p->ratio.ci_hi = p->ratio.value * exp(half);
        p->finding = F_COMPARED;
        if (rule->no_verdict == NULL)
            p->note = "no verdict: a side kept no samples";
    }
}

/* --- both runs --- */

struct sides {
    struct side base, now, again, again_base, more, more_base;
    double *joined;           /* rounds of NEW and of `more` */
    const char *again_folder; /* where the slower jobs of `now` are, or will be, run again */
    const char *more_folder;  /* where the unclear ones have more rounds */
    const char *unconfirmed;  /* why --confirm ran nothing, or failed; or null */
    bool confirm_failed;
    struct rule rule;
    struct pair *pairs;
    size_t count;
    int of[FINDINGS], differs, silent, elsewhere;
};

/* Judged, not timed, and good on both sides: nothing to say. */
static bool is_silent(const struct pair *p)
{
    const struct record *b = p->base, *n = p->now;
    const bool timed = (b != NULL && b->time.value > 0) || (n != NULL && n->time.value > 0);
    return b != NULL && n != NULL && good(b->state) && good(n->state) && !timed;
}

static bool has_exhibit(const struct folder *folder, const char *exhibit)
{
    bool has = false;
    for (size_t i = 0; i < folder->record_count && !has; i++)
        has = folder->records[i].key.exhibit == exhibit;
    return has;
}

/* The job's rounds that took turns, if there are enough of them. */
static const struct record *turn_of(const struct side *side, const struct record *job)
{
    const struct record *const r =
        job != NULL && side->folder.name != NULL ? timed_record(&side->folder, &job->key) : NULL;
    return r != NULL && r->rounds >= 3 ? r : NULL;
}

/* A job's records on both sides; null: that run has no such job. */
static void add_pair(struct sides *all, const char *exhibit, const struct record *base,
                     const struct record *now_)
{
    const struct record *const turn = turn_of(&all->more, now_);
    const struct record *const turn_base = turn_of(&all->more_base, base);
    const bool turns = turn != NULL && turn_base != NULL;
    struct pair pair = {.base = turns ? turn_base : base,
                        .now = turns ? turn : now_,
                        .turns = turns || all->rule.turns,
                        .looks = {turns ? turn_base : NULL, turns ? turn : NULL},
                        .why = {NAN, {NAN, NAN, NAN}, NAN},
                        .against = {{NAN, NAN, NAN}, {NAN, NAN, NAN}},
                        .joules = {NAN, NAN},
                        .note = ""};
    if (is_silent(&pair)) {
        all->silent++;
        return;
    }
    if (!has_exhibit(&all->base.folder, exhibit) || !has_exhibit(&all->now.folder, exhibit)) {
        all->elsewhere++; /* it was not asked of the other run */
        return;
    }
    decide_pair(&pair, &all->rule);
    if (turns && pair.finding == F_UNCLEAR) { /* too few of them say less than what was there */
        struct pair first = pair;
        first.base = base;
        first.now = now_;
        first.turns = all->rule.turns;
        decide_pair(&first, &all->rule);
        pair = first.finding == F_UNCLEAR ? pair : first;
    }
    if (has_ratio(&pair)) {
        const struct couple couple = couple_of(&pair);
        const struct side *const sides[] = {&all->base, &all->now};
        if (!all->rule.same_machine)
            pair.why = why_faster(sides, &couple);
        for (int k = 0; k < 2; k++)
            pair.against[k] = held_against(sides, &couple, k);
        for (int k = 0; k < 2; k++)
            pair.joules[k] =
                folder_value(&sides[k]->folder, &couple.records[k]->key, "energy", "value");
    }
    all->of[pair.finding]++;
    all->pairs[all->count++] = pair;
}

/* Ceilings are no jobs of anybody's: what they give is in the shares. */
static bool is_asked_for(const struct selection *selection, const struct record *r)
{
    return !is_ceiling_key(&r->key) && path_selected(selection, key_path(&r->key));
}

static const char *pair_path(const struct pair *p)
{
    return key_path(p->base != NULL ? &p->base->key : &p->now->key);
}

static int by_path(const void *a, const void *b) /* sizes as numbers */
{
    return strverscmp(pair_path(a), pair_path(b));
}

static enum status make_pairs(struct sides *all, const struct selection *selection)
{
    const struct folder *const base = &all->base.folder, *const now_ = &all->now.folder;
    free(all->pairs);
    all->pairs = calloc(base->record_count + now_->record_count + 1, sizeof *all->pairs);
    if (all->pairs == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu jobs", base->record_count);
    all->count = 0;
    all->silent = all->elsewhere = 0;
    memset(all->of, 0, sizeof all->of);
    for (size_t i = 0; i < base->record_count; i++) {
        const struct record *r = &base->records[i];
        if (is_asked_for(selection, r))
            add_pair(all, r->key.exhibit, r, folder_record(now_, &r->key));
    }
    for (size_t i = 0; i < now_->record_count; i++) {
        const struct record *r = &now_->records[i];
        if (is_asked_for(selection, r) && folder_record(base, &r->key) == NULL)
            add_pair(all, r->key.exhibit, NULL, r);
    }
    if (all->count == 0 && all->silent == 0 && selection_is_empty(selection))
        return because(ERR_ARGS, "%s and %s have no job in common", base->name, now_->name);
    if (all->count == 0 && all->silent == 0)
        return because(ERR_ARGS,
                       "%s and %s have no job of what was asked for; `reprise list jobs` shows "
                       "what a selection can name",
                       base->name, now_->name);
    qsort(all->pairs, all->count, sizeof *all->pairs, by_path);
    return OK;
}

/* The folder of newest:DIR; null: BASE is a run or a machine. */
static const char *newest_dir(const char *base)
{
    static const char newest[] = "newest:";
    const size_t length = strlen(newest);
    return strncmp(base, newest, length) == 0 ? base + length : NULL;
}

static bool both_have(const struct sides *all, const char *key)
{
    return same_fact(&all->base.folder.facts, &all->now.folder.facts, key);
}

/* The noise that was asked for; else none between runs that took turns; else what repeated runs
 * say, among them the references beside BASE, or all of newest:DIR. */
static enum status find_noise(struct sides *all, const struct compare_options *options)
{
    const char *earlier[MOST_REFERENCES], *const beside = internf("%s/..", all->base.folder.name);
    const char *const dir = newest_dir(options->base) != NULL ? newest_dir(options->base) : beside;
    if (all->rule.no_verdict != NULL || !isnan(all->rule.given))
        return OK;
    const int count = references_in(dir, &all->now.folder, false, earlier);
    return noises_load(&all->base, &all->now, earlier, count, &all->rule.noises);
}

/* All of it but the noise. */
static void make_rule(struct sides *all, double given)
{
    struct rule *rule = &all->rule;
    rule->given = given;
    rule->turns =
        isnan(given) && both_have(all, "turns") && !fact_is(&all->now.folder.facts, "turns", "");
    rule->now = &all->now.folder;
    rule->same_machine = both_have(all, "fingerprint");
    rule->same_code = both_have(all, "code") && !fact_is(&all->now.folder.facts, "code", "");
    const char *const base = no_reference(&all->base.folder, rule->now);
    rule->no_verdict = !rule->same_machine ? "unlike machines"
                       : base != NULL      ? internf("BASE is no reference: %s", base)
                                           : NULL;
}

/* --- printing --- */

/* Numbers that only unlike machines show people. */
#define WHY_COLUMNS(shown)                                                                         \
    {"by_memory", shown("by memory")}, {"by_arithmetic", shown("by arithmetic")},                  \
        {"by_launches", shown("by launches")}, {"rest", shown("rest")}, {"base_of_copy", NULL},    \
        {"new_of_copy", NULL}, {"base_of_limit", shown("BASE of limit")},                          \
        {"new_of_limit", shown("NEW of limit")}, {"base_of_task", shown("BASE of task")},          \
    {                                                                                              \
        "new_of_task", shown("NEW of task")                                                        \
    }
#define SHOWN(words)  words
#define HIDDEN(words) NULL

/* On unlike machines people read how many times as fast NEW is, programs NEW over BASE as ever. */
static void begin_table(struct table *t, struct document *d, bool same_machine)
{
    static const struct field columns[2][24] = {{{"job", "job"},
                                                 {"base", "BASE, s"},
                                                 {"new", "NEW, s"},
                                                 {"ratio", "times as fast"},
                                                 {"interval", "95 % interval"},
                                                 WHY_COLUMNS(SHOWN),
                                                 {"base_joules", NULL},
                                                 {"new_joules", NULL},
                                                 {"base_rounds", NULL},
                                                 {"new_rounds", NULL},
                                                 {"verdict", NULL},
                                                 {"errata", NULL},
                                                 {"note", "note"},
                                                 {NULL, NULL}},
                                                {{"job", "job"},
                                                 {"base", "BASE, s"},
                                                 {"new", "NEW, s"},
                                                 {"ratio", "NEW/BASE"},
                                                 {"interval", "99 % interval"},
                                                 WHY_COLUMNS(HIDDEN),
                                                 {"base_joules", NULL},
                                                 {"new_joules", NULL},
                                                 {"base_rounds", NULL},
                                                 {"new_rounds", NULL},
                                                 {"verdict", "verdict"},
                                                 {"errata", NULL},
                                                 {"note", "note"},
                                                 {NULL, NULL}}};
    table_begin(t, d, "rows", ALIGNED_WITH_NOTES, columns[same_machine]);
}

static void put_why(struct table *t, const struct why *why, const struct against against[2])
{
    for (int c = 0; c < CEILINGS; c++)
        table_number(t, why->by[c], 4);
    table_number(t, why->rest, 4);
    for (int k = 0; k < 2; k++)
        table_number(t, against[k].copy, 3);
    for (int k = 0; k < 2; k++)
        table_number(t, against[k].limit, 3);
    for (int k = 0; k < 2; k++)
        table_number(t, against[k].task, 3);
}

/* "6 J and 3 J a run: 2 times as frugal"; or "". */
static const char *joules_shown(const double joules[2])
{
    return joules[0] > 0 && joules[1] > 0 ? internf("%.3g J and %.3g J a run: %.3g times as frugal",
                                                    joules[0], joules[1], joules[0] / joules[1])
                                          : "";
}

/* "MISSING: why", "erratum C23", what a run draws, those that there are. */
static const char *note_shown(const struct pair *p, bool same_machine, const char *errata)
{
    const bool none = !same_machine && p->finding != F_COMPARED;
    const char *const note = internf("%s%s%s", none ? finding_names[p->finding] : "",
                                     none && p->note[0] != '\0' ? ": " : "", p->note);
    const char *const parts[] = {note, errata_shown(errata), joules_shown(p->joules)};
    const char *out = "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        out = internf("%s%s%s", out, out[0] != '\0' && parts[i][0] != '\0' ? "; " : "", parts[i]);
    return out;
}

static void put_pair(struct table *t, const struct pair *p, bool same_machine)
{
    const struct ratio *r = &p->ratio;
    const struct record *const sides[] = {p->base, p->now};
    /* The time of a side that failed is not shown: it is the time of nothing. */
    const bool shown = has_ratio(p);
    const char *const errata = shown ? p->base->errata : "";
    table_key(t, p->base != NULL ? &p->base->key : &p->now->key);
    table_number(t, shown ? p->base->time.value : (double)NAN, 4);
    table_number(t, shown ? p->now->time.value : (double)NAN, 4);
    table_number_shown(t, shown_number(same_machine ? r->value : 1 / r->value, 4), r->value);
    table_interval_shown(t,
                         same_machine ? shown_interval(r->ci_lo, r->ci_hi)
                                      : shown_interval(1 / r->ci_hi, 1 / r->ci_lo),
                         r->ci_lo, r->ci_hi);
    put_why(t, &p->why, p->against);
    for (int k = 0; k < 2; k++)
        table_number(t, p->joules[k], 3);
    for (int k = 0; k < 2; k++)
        table_number(
            t, sides[k] != NULL && sides[k]->rounds > 0 ? (double)sides[k]->rounds : (double)NAN,
            3);
    table_word(t, finding_names[p->finding]);
    table_word(t, errata);
    table_word_shown(t, note_shown(p, same_machine, errata), p->note);
}

/* --- means --- */

static const struct field mean_columns[] = {{"jobs", "%s"},
                                            {"of", ", %s"},
                                            {"base_variants", " (%s"},
                                            {"new_variants", " and %s)"},
                                            {"ratio", ": %s"},
                                            {"by_memory", " = memory %s"},
                                            {"by_arithmetic", " x arithmetic %s"},
                                            {"by_launches", " x launches %s"},
                                            {"rest", " x rest %s"},
                                            {"share", NULL},
                                            {"base_of_limit", "; of the limit %s"},
                                            {"new_of_limit", " and %s"},
                                            {"base_of_task", "; of the task %s"},
                                            {"new_of_task", " and %s"},
                                            {"errata", "; %s"},
                                            {NULL, NULL}};

/* A number that one of the machines does not know has no words around it. */
static void put_known(struct table *t, bool shown, double value, int digits)
{
    table_number_shown(t, shown && !isnan(value) ? shown_number(value, digits) : "", value);
}

static void put_mean(struct table *t, const struct mean *m, bool same, bool fastest)
{
    const struct why *const why = &m->why;
    table_number_shown(t, m->jobs > 1 ? internf("geometric mean of %d jobs", m->jobs) : "one job",
                       m->jobs);
    table_word(t, internf("%s/*/%s/%s", m->key.exhibit, m->key.variant, m->key.precision));
    for (int k = 0; k < 2; k++)
        table_word_shown(t, fastest ? m->variants[k] : "", m->variants[k]);
    table_number_shown(t,
                       same ? internf("NEW/BASE %.4g", 1 / why->faster)
                            : internf("%.4g times as fast", why->faster),
                       1 / why->faster);
    for (int c = 0; c < CEILINGS; c++)
        put_known(t, !same, same ? (double)NAN : why->by[c], 4);
    put_known(t, !same, same ? (double)NAN : why->rest, 4);
    table_number_shown(t, "", m->against[1].copy / m->against[0].copy);
    for (int k = 0; k < 2; k++)
        put_known(t, !same && !isnan(m->against[1 - k].limit), m->against[k].limit, 3);
    for (int k = 0; k < 2; k++)
        put_known(t, !same && !isnan(m->against[1 - k].task), m->against[k].task, 3);
    table_word_shown(t, errata_shown(m->errata), m->errata);
}

static void put_couples(const struct sides *all, const struct couple *couples, size_t count,
                        const char *name, struct document *d)
{
    const struct side *const sides[] = {&all->base, &all->now};
    const bool fastest = strcmp(name, "fastest") == 0;
    struct mean *means = NULL;
    struct table t;
    size_t mean_count = 0;
    if (means_of(sides, couples, count, &means, &mean_count) != OK)
        mean_count = 0;
    table_begin(&t, d, name, LINES, mean_columns);
    for (size_t i = 0; i < mean_count; i++)
        if (fastest || means[i].jobs > 1)
            put_mean(&t, &means[i], all->rule.same_machine, fastest);
    table_end(&t);
    free(means);
}

/* A mean for each variant of an exhibit, over its jobs that have a ratio; and, on unlike machines,
 * for the fastest variants of either side. */
static void put_means(const struct sides *all, const struct selection *selection,
                      struct document *d)
{
    const struct side *const sides[] = {&all->base, &all->now};
    struct couple *const pairs = calloc(all->count + 1, sizeof *pairs), *fastest = NULL;
    size_t count = 0, fastest_count = 0;
    for (size_t i = 0; i < all->count && pairs != NULL; i++)
        if (has_ratio(&all->pairs[i]))
            pairs[count++] = couple_of(&all->pairs[i]);
    put_couples(all, pairs, count, "means", d);
    if (!all->rule.same_machine && fastest_of(sides, selection, &fastest, &fastest_count) == OK)
        put_couples(all, fastest, fastest_count, "fastest", d);
    free(pairs);
    free(fastest);
}

static void put_side(struct table *t, const char *name, const struct side *side)
{
    const struct facts *const facts = &side->folder.facts;
    const char *const gpu = facts_get(facts, "gpu_name"), *const cpu =
                                                              facts_get(facts, "cpu_model");
    const struct printed_machine *const m = &side->machine;
    const struct standing *const s = &side->folder.standing;
    const bool printed = is_published(side), known = printed && m->bandwidth > 0;
    const char *const why = printed ? NULL : no_reference(&side->folder, &side->folder);
    table_word(t, name);
    table_word(t, side->folder.name);
    table_word(t, printed ? m->year : "");
    table_number_shown(
        t,
        known     ? internf("%.4g GB/s by its data sheet, for a copy at best", 1e-9 * m->bandwidth)
        : printed ? "bandwidth not known"
                  : "",
        known ? m->bandwidth : (double)NAN);
    table_word(t, printed ? m->source : "");
    table_word(t, gpu);
    table_word_shown(t, printed ? "" : internf("%s%s", gpu[0] != '\0' ? ", " : ": ", cpu), cpu);
    table_word(t, facts_get(facts, "commit"));
    table_word(t, facts_get(facts, "start"));
    table_number_shown(t,
                       printed              ? ""
                       : s->done < s->asked ? internf("%d of %d", s->done, s->asked)
                                            : internf("%d", s->done),
                       printed ? (double)NAN : s->done);
    table_word(t, why != NULL ? why : "");
}

static void put_sides(const struct sides *all, struct document *d)
{
    static const struct field columns[] = {{"side", "%s"},
                                           {"folder", " %s"},
                                           {"year", ", of %s"},
                                           {"bandwidth", ": %s"},
                                           {"source", " (%s)"},
                                           {"gpu", ": %s"},
                                           {"cpu", "%s"},
                                           {"commit", ", commit %s"},
                                           {"start", ", %s"},
                                           {"rounds", ", %s rounds"},
                                           {"no_reference", "; no reference: %s"},
                                           {NULL, NULL}};
    struct table t;
    table_begin(&t, d, "sides", LINES, columns);
    put_side(&t, "BASE", &all->base);
    put_side(&t, "NEW", &all->now);
    table_end(&t);
}

/* What else differs between the runs and may explain a difference. */
static void put_unlike_facts(const struct sides *all, struct document *d)
{
    static const char *const keys[] = {"cc",
                                       "cc_flags",
                                       "cc_flags_fused",
                                       "nvcc",
                                       "nvcc_flags",
                                       "nvcc_flags_fused",
                                       "gpu_archs",
                                       "build_type",
                                       "kernel",
                                       "cuda_runtime",
                                       "gpu_persistence",
                                       LOCKED_CLOCK,
                                       "env_CUDA_VISIBLE_DEVICES",
                                       "env_OMP_NUM_THREADS",
                                       "samples",
                                       "threads_bound",
                                       "env_GLIBC_TUNABLES",
                                       "env_OMP_PLACES",
                                       "env_OMP_PROC_BIND",
                                       "cpu_turbo"};
    static const struct field columns[] = {
        {"fact", "differs: %s"}, {"base", ", BASE '%s'"}, {"new", ", NEW '%s'"}, {NULL, NULL}};
    struct table t;
    table_begin(&t, d, "unlike", LINES, columns);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !is_published(&all->base); i++)
        if (!both_have(all, keys[i])) {
            table_word(&t, keys[i]);
            table_word(&t, facts_get(&all->base.folder.facts, keys[i]));
            table_word(&t, facts_get(&all->now.folder.facts, keys[i]));
        }
    table_end(&t);
}

static void put_rule(const struct sides *all, struct document *d)
{
    const struct rule *rule = &all->rule;
    const char *const no_verdict = rule->no_verdict != NULL ? rule->no_verdict : "";
    document_flag(d, "same_machine", rule->same_machine);
    document_flag(d, "same_code", rule->same_code);
    document_word(d, "no_verdict", no_verdict);
    document_flag(d, "turns", rule->turns);
    document_number(d, "noise", rule->same_machine ? rule->given : (double)NAN);
    if (rule->same_machine)
        document_say(d, "one machine%s%s%s%s", no_verdict[0] != '\0' ? "; no verdict: " : "",
                     no_verdict,
                     rule->turns ? "; no noise from run to run: their rounds took turns"
                     : isnan(rule->given)
                         ? ""
                         : internf("; noise from run to run %.2g %% (as given)", 100 * rule->given),
                     rule->same_code ? "; both programs have the same machine code" : "");
    else
        document_say(d, "unlike machines: ratios, and no verdict on them");
    noises_put(rule->turns ? NULL : &rule->noises, d);
}

static const char *sum_of(const struct sides *all)
{
    struct text sum = {0};
    for (int o = 0; o < FINDINGS; o++)
        if (all->of[o] > 0)
            text_add(&sum, "%s%d %s", sum.length > 0 ? ", " : "", all->of[o], finding_names[o]);
    if (all->silent > 0)
        text_add(&sum, "%s%d judged and not timed", sum.length > 0 ? ", " : "", all->silent);
    if (all->elsewhere > 0)
        text_add(&sum, ", %d in exhibits that one run alone has", all->elsewhere);
    text_add(&sum, "; %d numbers of NEW differ from the paper", all->differs);
    const char *const out = intern(sum.data);
    text_free(&sum);
    return out;
}

static void put_comparison(const struct sides *all, const struct selection *selection,
                           struct document *d)
{
    const struct rule *rule = &all->rule;
    struct table table;
    put_sides(all, d);
    put_unlike_facts(all, d);
    put_rule(all, d);
    document_say(d, "%s", "");
    begin_table(&table, d, rule->same_machine);
    for (size_t i = 0; i < all->count; i++) {
        const struct pair *p = &all->pairs[i];
        if (rule->same_machine || (p->base != NULL && p->now != NULL))
            put_pair(&table, p, rule->same_machine);
    }
    table_end(&table);
    put_means(all, selection, d);
    if (all->unconfirmed != NULL)
        document_say(d, "--confirm: %s", all->unconfirmed);
    document_number(d, "differs", all->differs);
    document_sum(d, sum_of(all));
}

/* --- the verb --- */

/* What gives a bad exit status, if it is asked for. */
static const struct gate {
    const char *word;
    enum finding finding; /* FINDINGS: numbers that differ from the paper */
    int exit_status;
} gates[] = {{"wrong", F_WRONG, 1},
             {"missing", F_MISSING, 1},
             {"differs", FINDINGS, 4},
             {"slower", F_CONFIRMED, 3}};

static int gated(const struct sides *all, const char *gate)
{
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
        const enum finding finding = gates[i].finding;
        if ((finding == FINDINGS ? all->differs : all->of[finding]) > 0 &&
            word_in(gate, gates[i].word, ','))
            return gates[i].exit_status;
    }
    return 0;
}

static enum grade grade_of(enum finding finding, const char *gate)
{
    static const enum grade grades[FINDINGS] = {
        [F_SLOWER] = DOUBTFUL,  [F_CONFIRMED] = DOUBTFUL, [F_WRONG] = DOUBTFUL,
        [F_MISSING] = DOUBTFUL, [F_UNCLEAR] = UNDECIDED,  [F_NONE] = UNDECIDED};
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++)
        if (gates[i].finding == finding && word_in(gate, gates[i].word, ','))
            return FAILED;
    return grades[finding];
}

static void put_checks(const struct sides *all, const char *gate, struct document *d)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct pair *p = &all->pairs[i];
        const char *const ratio = isnan(p->ratio.value)
                                      ? ""
                                      : internf("NEW/BASE %.4g [%s]%s", p->ratio.value,
                                                shown_interval(p->ratio.ci_lo, p->ratio.ci_hi),
                                                p->note[0] != '\0' ? "; " : "");
        const bool timed = p->now != NULL && has_times(p->now->state);
        document_check(d, (struct check){.grade = grade_of(p->finding, gate),
                                         .name = pair_path(p),
                                         .verdict = finding_names[p->finding],
                                         .note = internf("%s%s", ratio, p->note),
                                         .seconds = timed ? p->now->time.value : (double)NAN});
    }
}

/* How many numbers of a run must agree with the paper and do not, of what was selected: each is a
 * check that failed, if that is asked for. */
static int differing(const struct compare_options *options, struct document *d)
{
    struct verdicts verdicts;
    if (verdicts_load(options->now, &options->selection, &verdicts) != OK)
        return 0; /* nothing there is printed in a paper */
    const int count = verdicts.of[VERDICT_DIFFERS];
    for (size_t i = 0; i < verdicts.count && word_in(options->gate, "differs", ','); i++)
        if (verdicts.cells[i].verdict == VERDICT_DIFFERS)
            document_check(d, cell_check(&verdicts.cells[i]));
    verdicts_free(&verdicts);
    return count;
}

/* The program and the machine of a run are those that one finds here. Of a program that comes with
 * another commit's words, its machine code is what counts. */
static enum status check_here(const char *option, const char *program, const char *of,
                              const struct facts *facts)
{
    static const char *const keys[] = {"fingerprint", "code", "commit", "dirty"};
    const size_t count = program != NULL ? 2 : sizeof keys / sizeof *keys;
    struct facts here;
    if (run_facts(program, &here) != OK)
        return because(ERR_ARGS, "%s: %s is no reprise that tells what it is", option,
                       program != NULL ? program : "this");
    if (!fact_is(facts, LOCKED_CLOCK, "")) /* as it will be locked again */
        facts_add(&here, LOCKED_CLOCK, "%s", facts_get(facts, LOCKED_CLOCK));
    facts_finish(&here);
    for (size_t i = 0; i < count; i++)
        if (!same_fact(&here, facts, keys[i]))
            return because(
                ERR_ARGS,
                "%s needs the program and the machine of %s: %s was '%s' and is '%s' here", option,
                of, keys[i], facts_get(facts, keys[i]), facts_get(&here, keys[i]));
    return OK;
}

struct further { /* rounds */
    const char *out;
    int least;
    int (*wanted)(const struct pair *p, bool turns, int look); /* of a job */
    int look;
    const char *against; /* in turns with it; or null */
    double *left;        /* seconds of a budget, from which it takes; or null */
};

/* Of the jobs that are wanted, as NEW was run, in fresh workers. No job: nothing. */
static enum status run_jobs(struct sides *all, const struct further *more, int *exit_status)
{
    const struct facts *const facts = &all->now.folder.facts;
    const char *folder;
    struct run_options again = {
        .out = more->out,
        .samples = (int)fact_number(facts, "samples"),
        .seed = strtoull(facts_get(facts, "seed"), NULL, 10),
        .order = facts_get(facts, "order"),
        .thread_order = facts_get(facts, "thread_order"),
        .timeout = 60,
        .resume = true,
        .lock_clocks = !fact_is(facts, LOCKED_CLOCK, ""),
        .rounds = more->least,
        .budget = more->left != NULL ? *more->left : 0,
        .against = more->against,
        .selection = {.size = facts_get(facts, "size")},
    };
    struct selection *selection = &again.selection;
    struct text sizes = {0};
    int rounds[MOST_GLOBS];
    again.rounds_each = rounds;
    for (size_t i = 0; i < all->count && selection->glob_count < MOST_GLOBS; i++) {
        const int count = more->wanted(&all->pairs[i], more->against != NULL, more->look);
        if (count == 0)
            continue;
        const struct key *const key = &all->pairs[i].now->key;
        rounds[selection->glob_count] = count > more->least ? count : more->least;
        again.rounds = count > again.rounds ? count : again.rounds;
        selection->globs[selection->glob_count++] = key_path(key);
        text_add(&sizes, "%s%s", sizes.length > 0 ? "," : "", key->n);
    }
    selection->axis_override = sizes.data;
    *exit_status = -1;
    enum status status = OK;
    const double begin = now();
    if (selection->glob_count > 0 && all->now.folder.standing.state == FOLDER_KEPT)
        status =
            because(ERR_ARGS,
                    "--confirm: %s is kept, and nothing is written to it; leave out --confirm, "
                    "or unpack the samples of a copy",
                    all->now.folder.name);
    if (selection->glob_count > 0 && status == OK)
        status = check_here("--confirm", NULL, "NEW", facts);
    if (selection->glob_count > 0 && status == OK && more->against != NULL)
        status = check_here("--against", more->against, "BASE", &all->base.folder.facts);
    if (selection->glob_count > 0 && status == OK)
        *exit_status = run_plan(&again, &folder);
    if (more->left != NULL)
        *more->left -= now() - begin;
    text_free(&sizes);
    return status;
}

/* As many rounds as it was found by; where the two take turns and may be as far apart then, but not
 * clearly, as many as would tell. */
static int wants_confirmation(const struct pair *p, bool turns, int look)
{
    (void)turns;
    (void)look;
    return p->finding == F_SLOWER ? p->rounds : 0;
}

/* Runs the slower jobs again into NEW's folder; *ran: there are any. */
static enum status run_again(struct sides *all, const char *against, double *left, bool *ran)
{
    const struct further again = {.out = all->again_folder,
                                  .least = (int)fact_number(&all->now.folder.facts, "rounds"),
                                  .wanted = wants_confirmation,
                                  .against = against,
                                  .left = left};
    int exit_status;
    const enum status status = run_jobs(all, &again, &exit_status);
    const char *const why = all->rule.no_verdict;
    const bool before = *ran;
    *ran = status == OK && exit_status >= 0;
    if (status != OK || (before && !*ran))
        return status;
    all->confirm_failed = exit_status > 0;
    all->unconfirmed =
        exit_status > 0 ? internf("the run in %s did not end well", all->again_folder)
        : *ran || all->rule.confirmed != NULL ? NULL
        : !all->rule.same_machine ? "unlike machines have no verdict, so nothing was run again"
        : why != NULL ? internf("there is no verdict, %s, so nothing was run again", why)
                      : "nothing is slower, so nothing was run again";
    return OK;
}

/* Of NEW alone, or of both, which then have no noise from run to run; 0: nothing is in doubt, or no
 * number that a run can have would tell. In turns also of what is the same within 5 %, but apart by
 * more than counts. */
static int wants_more(const struct pair *p, bool turns, int look)
{
    enum { LEAST = 3 };
    if (p->finding != F_UNCLEAR && !(turns && p->finding == F_SAME))
        return 0;
    if (!turns)
        return p->rounds > MOST_FURTHER             ? 0
               : p->rounds > 0 && p->rounds < LEAST ? LEAST
                                                    : p->rounds;
    const bool looked = p->looks[1] != NULL;
    const struct record *const b = looked ? p->looks[0] : p->base, *const n = looked ? p->looks[1]
                                                                                     : p->now;
    const struct ratio ratio = looked ? looked_at(b, n) : p->ratio;
    return rounds_of_look(b->medians, b->rounds, n->medians, n->rounds, &ratio, looked, look);
}

static bool has_samples(const char *folder)
{
    struct stat info;
    return stat(samples_path(folder), &info) == 0 && info.st_size > (off_t)strlen(samples_header);
}

/* The rounds of `more` behind those of NEW. */
static enum status join_rounds(struct sides *all)
{
    struct folder *const now_ = &all->now.folder;
    size_t count = 0;
    for (size_t i = 0; i < now_->record_count; i++)
        count += now_->records[i].rounds;
    for (size_t i = 0; i < all->more.folder.record_count; i++)
        count += all->more.folder.records[i].rounds;
    double *next = all->joined = calloc(3 * count + 1, sizeof *next);
    if (next == NULL)
        return because(ERR_MEMORY, "there is no memory for the rounds of %s", all->more_folder);
    for (size_t i = 0; i < now_->record_count; i++) {
        struct record *const r = &now_->records[i];
        const struct record *const more = timed_record(&all->more.folder, &r->key);
        double **const lists[] = {&r->medians, &r->cycles, &r->batches};
        double *const mores[] = {more != NULL ? more->medians : NULL,
                                 more != NULL ? more->cycles : NULL,
                                 more != NULL ? more->batches : NULL};
        if (more == NULL || is_ceiling_key(&r->key))
            continue;
        for (int k = 0; k < 3; k++) {
            memcpy(next, *lists[k], r->rounds * sizeof *next);
            memcpy(next + r->rounds, mores[k], more->rounds * sizeof *next);
            *lists[k] = next;
            next += r->rounds + more->rounds;
        }
        r->rounds += more->rounds;
        r->time = estimate_rounds(r->medians, r->rounds);
    }
    return OK;
}

static enum status load_more(struct sides *all)
{
    const char *const base = internf("%s/base", all->more_folder);
    side_free(&all->more);
    side_free(&all->more_base);
    if (!has_samples(all->more_folder))
        return OK;
    enum status status = side_load(all->more_folder, &all->more);
    if (status != OK)
        return status;
    return has_samples(base) ? side_load(base, &all->more_base) : join_rounds(all);
}

/* Once, as what is there already stays as it is, of NEW alone; in turns as long as there are looks
 * left, and seconds, and something is in doubt. */
static enum status run_more(struct sides *all, const struct compare_options *options)
{
    double left = options->budget;
    if (!(left > 0) || has_samples(all->more_folder))
        return OK;
    const int looks = options->against != NULL ? LOOKS : 1;
    enum status status = OK;
    int exit_status = 0;
    for (int look = 0; look < looks && status == OK && exit_status == 0 && left > 0; look++) {
        const struct further more = {.out = all->more_folder,
                                     .wanted = wants_more,
                                     .look = look,
                                     .against = options->against,
                                     .left = &left};
        status = run_jobs(all, &more, &exit_status);
        if (status == OK && exit_status > 0)
            fprintf(stderr, "the run in %s did not end well\n", all->more_folder);
        if (status == OK && exit_status >= 0)
            status = load_more(all);
        if (status == OK)
            status = make_pairs(all, &options->selection);
    }
    return status;
}

static enum status load_again(struct sides *all)
{
    enum status status = OK;
    const char *const base = internf("%s/base", all->again_folder);
    side_free(&all->again);
    side_free(&all->again_base);
    /* One that was stopped before its first job confirms nothing. */
    if (has_samples(all->again_folder))
        status = side_load(all->again_folder, &all->again);
    if (has_samples(base) && status == OK)
        status = side_load(base, &all->again_base);
    all->rule.confirmed = all->again.folder.record_count > 0 ? &all->again.folder : NULL;
    all->rule.confirmed_base =
        all->again_base.folder.record_count > 0 ? &all->again_base.folder : NULL;
    return status;
}

/* Jobs that no later run can be compared with: a budget ended them, or a solve takes long. */
static const char *but_for_few_rounds(const struct folder *run)
{
    int count = 0;
    for (size_t i = 0; i < run->record_count; i++) {
        const struct record *const r = &run->records[i];
        count += !is_ceiling_key(&r->key) && timed_record(run, &r->key) != NULL && r->rounds < 3;
    }
    return count == 0 ? "" : internf(", but for %d jobs of fewer than 3 rounds", count);
}

/* A folder that is not there has no runs yet, as before the first one that is tracked. */
static enum status load_base(const struct compare_options *options, struct sides *all)
{
    const char *const dir = newest_dir(options->base), *newest[MOST_REFERENCES];
    struct stat info;
    if (dir == NULL)
        return base_load(options->base, &all->base);
    if (dir[0] == '\0')
        return because(ERR_ARGS, "newest: names no folder to search, as newest:results does");
    const bool there = stat(dir, &info) == 0;
    if (there && !S_ISDIR(info.st_mode))
        return because(ERR_ARGS, "newest:%s: %s is no folder", dir, dir);
    if (references_in(dir, &all->now.folder, true, newest) > 0)
        return side_load(newest[0], &all->base);
    const char *const why = no_reference(&all->now.folder, &all->now.folder);
    return because(
        SKIPPED, "%s other run of this machine that can be a reference for %s%s%s",
        there ? internf("%s holds no", dir) : internf("there is no folder %s, and so no", dir),
        all->now.folder.name,
        why != NULL ? ", which is none for later ones: " : ", which is one for later ones",
        why != NULL ? why : but_for_few_rounds(&all->now.folder));
}

static enum status load_sides(const struct compare_options *options, struct sides *all)
{
    if (names_published(options->now) || newest_dir(options->now) != NULL)
        return because(ERR_ARGS, "%.*s: is BASE only; write `reprise compare %s RUN`",
                       (int)strcspn(options->now, ":"), options->now, options->now);
    all->again_folder = internf("%s/confirmation", options->now);
    all->more_folder = internf("%s/more", options->now);
    enum status status = side_load(options->now, &all->now);
    if (status == OK)
        status = load_base(options, all);
    if (status != OK)
        return status;
    if (is_published(&all->base))
        complete_printed(&all->base, &all->now);
    make_rule(all, options->noise);
    status = find_noise(all, options);
    if (status == OK)
        status = load_more(all);
    if (status == OK)
        status = load_again(all);
    if (status == OK)
        status = make_pairs(all, &options->selection);
    if (status != OK || !options->confirm)
        return status;
    status = run_more(all, options);
    bool ran = false;
    /* The first look at what is run again has the time that it takes, the others the budget. */
    double left = options->budget > 0 ? options->budget : (double)INFINITY;
    for (int look = 0; status == OK && (look == 0 || (ran && left > 0)) && look < LOOKS; look++) {
        status = run_again(all, options->against, look > 0 && isfinite(left) ? &left : NULL, &ran);
        if (status == OK)
            status = load_again(all);
        if (status == OK)
            status = make_pairs(all, &options->selection);
    }
    return status;
}

struct sides *sides_between(const struct side *base, const struct side *now_, double noise,
                            const char *const *earlier, int count)
{
    struct sides *const all = calloc(1, sizeof *all);
    if (all == NULL)
        return NULL;
    all->base = *base;
    all->now = *now_;
    make_rule(all, noise);
    if (all->rule.no_verdict == NULL && isnan(noise) &&
        noises_load(base, now_, earlier, count, &all->rule.noises) != OK)
        all->rule.no_verdict = intern(reason());
    return all;
}

const char *finding_between(const struct sides *all, const struct key *job)
{
    struct pair pair = {.base = folder_record(&all->base.folder, job),
                        .now = folder_record(&all->now.folder, job),
                        .note = ""};
    decide_pair(&pair, &all->rule);
    return finding_names[pair.finding];
}

void sides_free(struct sides *all)
{
    if (all != NULL)
        noises_free(&all->rule.noises);
    free(all);
}

enum status measure_noise(const char *folder)
{
    struct side run;
    struct noises noises;
    enum status status = side_load(folder, &run);
    if (status != OK)
        return status;
    status = noises_load(&run, &run, NULL, 0, &noises);
    if (status == OK) {
        struct document d;
        document_begin(&d, "run", "text");
        noises_put(&noises, &d);
        fputs(d.shown.data, stderr); /* standard output has the run's folder */
        document_drop(&d);
        noises_free(&noises);
    }
    side_free(&run);
    return status;
}

int compare_runs(const struct compare_options *options)
{
    struct sides all = {0};
    const enum status status = load_sides(options, &all);
    int exit_status = 0;
    struct document d;
    if (status == SKIPPED) { /* the first run of a machine has nothing behind it */
        document_begin(&d, "compare", options->format);
        document_sum(&d, reason());
        exit_status = document_end(&d, 0);
    } else if (status == OK) {
        document_begin(&d, "compare", options->format);
        all.differs = differing(options, &d);
        put_comparison(&all, &options->selection, &d);
        put_checks(&all, options->gate, &d);
        exit_status = gated(&all, options->gate);
        if (exit_status == 0 && all.confirm_failed)
            exit_status = 1;
        exit_status = document_end(&d, exit_status);
    } else {
        exit_status = failed(status);
    }
    free(all.pairs);
    side_free(&all.base);
    side_free(&all.now);
    side_free(&all.again);
    side_free(&all.again_base);
    side_free(&all.more);
    side_free(&all.more_base);
    free(all.joined);
    noises_free(&all.rule.noises);
    return exit_status;
}
