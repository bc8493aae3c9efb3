/*
 * Two runs side by side. On one machine: did it get slower? A verdict for each job, by the rule of
 * statistics.c, that a program can act on. Between machines, of which one may be a published one:
 * ratios, and the share of each card's copy bandwidth, never a verdict.
 */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/core.h"
#include "base/document.h"
#include "base/intern.h"
#include "compare/side.h"
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
    double shares[2];                /* of the copy bandwidth: base, now; NaN: not known */
    enum finding finding;
    const char *note;
};

static bool has_ratio(const struct pair *p)
{
    return p->base != NULL && p->now != NULL && !isnan(p->ratio.value);
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

static struct ratio ratio_of(const struct record *base, const struct record *now_, double session)
{
    return ratio_of_rounds(base->medians, base->rounds, now_->medians, now_->rounds, session);
}

struct rule { /* what a verdict depends on beside the job */
    bool same_machine, same_code;
    const char *no_verdict;         /* null: the regression rule applies */
    const struct folder *confirmed; /* the run of the slower ones again; null: none */
    double session;                 /* noise from run to run */
    double session_again;           /* the same, to the run that confirms */
    const char *session_source;
};

static void decide_slower(struct pair *p, const struct rule *rule)
{
    const struct record *again =
        rule->confirmed != NULL ? folder_record(rule->confirmed, &p->now->key) : NULL;
    if (rule->same_code) {
        p->finding = F_ENVIRONMENT;
        p->note = "both programs have the same machine code";
        return;
    }
    if (clock_was_read(p->base) && clock_was_read(p->now) &&
        ratio_of_rounds(p->base->cycles, p->base->rounds, p->now->cycles, p->now->rounds,
                        rule->session)
                .change != CHANGE_SLOWER) {
        p->finding = F_CLOCK;
        p->note = "not in clock cycles: the clock was lower";
        return;
    }
    p->finding = F_SLOWER;
    if (again == NULL) {
        p->note = "not confirmed yet: --confirm runs it again";
        return;
    }
    /* Half as much, in logarithms: what was three times as slow and now is by 5 % was a moment. */
    const struct ratio r = ratio_of(p->base, again, rule->session_again);
    if (has_times(again->state) && r.change == CHANGE_SLOWER && r.value >= sqrt(p->ratio.value))
        p->finding = F_CONFIRMED;
    p->note = internf("%.3f when run again%s", r.value,
                      p->finding == F_CONFIRMED ? "" : ": not confirmed");
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
        p->note = isnan(p->ratio.ci_lo)                       ? "fewer than 3 rounds"
                  : p->ratio.of_rounds > p->ratio.of_sessions ? "more rounds would tell"
                                                              : "within the noise from run to run";
}

static void decide_pair(struct pair *p, const struct rule *rule)
{
    const char *why = p->base != NULL && p->now != NULL ? no_ratio(p) : NULL;
    p->ratio = (struct ratio){CHANGE_UNCLEAR, NAN, NAN, NAN, NAN, NAN, NAN};
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
        p->ratio = ratio_of(p->base, p->now, rule->session);
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
    struct side base, now, again;
    const char *again_folder; /* where the slower jobs of `now` are, or will be, run again */
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

/* A job's records on both sides; null: that run has no such job. */
static void add_pair(struct sides *all, const char *exhibit, const struct record *base,
                     const struct record *now_)
{
    struct pair pair = {.base = base, .now = now_, .shares = {NAN, NAN}, .note = ""};
    if (is_silent(&pair)) {
        all->silent++;
        return;
    }
    if (!has_exhibit(&all->base.folder, exhibit) || !has_exhibit(&all->now.folder, exhibit)) {
        all->elsewhere++; /* it was not asked of the other run */
        return;
    }
    decide_pair(&pair, &all->rule);
    if (has_ratio(&pair)) {
        const struct record *const records[] = {pair.base, pair.now};
        const struct side *const sides[] = {&all->base, &all->now};
        for (int k = 0; k < 2; k++)
            pair.shares[k] = copy_share(sides[k], records[k]);
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
    if (all->count == 0 && all->silent == 0)
        return because(ERR_ARGS,
                       "%s and %s have no job of what was asked for; `reprise list jobs` shows "
                       "what a selection can name",
                       base->name, now_->name);
    qsort(all->pairs, all->count, sizeof *all->pairs, by_path);
    return OK;
}

static bool both_have(const struct sides *all, const char *key)
{
    return same_fact(&all->base.folder.facts, &all->now.folder.facts, key);
}

/* The noise that was asked for; else none between runs that took turns; else what is assumed, or
 * more if a run has measured more, on enough jobs to be believed: a run and its repetition minutes
 * later are closer than two runs on two days. */
static void find_noise(struct sides *all, double noise)
{
    static const double assumed = 0.007;
    enum { ENOUGH = 10 };
    const struct facts *const runs[] = {&all->base.folder.facts, &all->now.folder.facts};
    struct rule *rule = &all->rule;
    rule->session = rule->session_again = noise;
    rule->session_source = "as given";
    if (!isnan(noise))
        return;
    if (both_have(all, "turns") && !fact_is(runs[1], "turns", "")) {
        rule->session = 0;
        rule->session_again = assumed; /* it comes later, alone */
        rule->session_source = "their rounds took turns";
        return;
    }
    rule->session = assumed;
    rule->session_source = "assumed";
    for (int k = 0; k < 2; k++)
        if (fact_number(runs[k], "noise_jobs") >= ENOUGH &&
            fact_number(runs[k], "noise") > rule->session) {
            rule->session = fact_number(runs[k], "noise");
            rule->session_source = k == 0 ? "measured with BASE" : "measured with NEW";
        }
    rule->session_again = rule->session;
}

static void make_rule(struct sides *all, double noise)
{
    struct rule *rule = &all->rule;
    const char *base = no_reference(&all->base.folder);
    rule->same_machine = both_have(all, "fingerprint");
    rule->same_code = both_have(all, "code") && !fact_is(&all->now.folder.facts, "code", "");
    rule->no_verdict = !rule->same_machine ? "unlike machines"
                       : base != NULL      ? internf("BASE is no reference: %s", base)
                                           : NULL;
    find_noise(all, noise);
}

/* The noise that these two runs show, if one program made both. NaN: no job has an interval. */
static double noise_between(const struct sides *all, int *jobs)
{
    struct ratio *ratios = calloc(all->count + 1, sizeof *ratios);
    size_t count = 0;
    for (size_t i = 0; i < all->count && ratios != NULL; i++) {
        const struct pair *p = &all->pairs[i];
        if (!has_ratio(p) || p->base->rounds < 3 || p->now->rounds < 3)
            continue;
        ratios[count++] = ratio_of(p->base, p->now, 0);
    }
    const double noise = noise_of(ratios, count);
    free(ratios);
    *jobs = (int)count;
    return noise;
}

/* --- printing --- */

/* On unlike machines people read how many times as fast NEW is, programs NEW over BASE as ever. */
static void begin_table(struct table *t, struct document *d, bool same_machine)
{
    static const struct field columns[2][10] = {{{"job", "job"},
                                                 {"base", "BASE, s"},
                                                 {"new", "NEW, s"},
                                                 {"ratio", "BASE/NEW"},
                                                 {"interval", "95 % interval"},
                                                 {"base_of_copy", "BASE of copy"},
                                                 {"new_of_copy", "NEW of copy"},
                                                 {"verdict", NULL},
                                                 {"note", "note"},
                                                 {NULL, NULL}},
                                                {{"job", "job"},
                                                 {"base", "BASE, s"},
                                                 {"new", "NEW, s"},
                                                 {"ratio", "NEW/BASE"},
                                                 {"interval", "99 % interval"},
                                                 {"base_of_copy", NULL},
                                                 {"new_of_copy", NULL},
                                                 {"verdict", "verdict"},
                                                 {"note", "note"},
                                                 {NULL, NULL}}};
    table_begin(t, d, "rows", ALIGNED_WITH_NOTES, columns[same_machine]);
}

static void put_pair(struct table *t, const struct pair *p, bool same_machine)
{
    const struct ratio *r = &p->ratio;
    /* The time of a side that failed is not shown: it is the time of nothing. */
    const bool shown = has_ratio(p), none = !same_machine && p->finding != F_COMPARED;
    table_key(t, p->base != NULL ? &p->base->key : &p->now->key);
    table_number(t, shown ? p->base->time.value : (double)NAN, 4);
    table_number(t, shown ? p->now->time.value : (double)NAN, 4);
    table_number_shown(t, shown_number(same_machine ? r->value : 1 / r->value, 4), r->value);
    table_interval_shown(t,
                         same_machine ? shown_interval(r->ci_lo, r->ci_hi)
                                      : shown_interval(1 / r->ci_hi, 1 / r->ci_lo),
                         r->ci_lo, r->ci_hi);
    table_number(t, p->shares[0], 3);
    table_number(t, p->shares[1], 3);
    table_word(t, finding_names[p->finding]);
    table_word_shown(t,
                     internf("%s%s%s", none ? finding_names[p->finding] : "",
                             none && p->note[0] != '\0' ? ": " : "", p->note),
                     p->note);
}

/* A mean for each variant of an exhibit, over its jobs that have a ratio; and of their shares. */
static void put_means(const struct sides *all, struct document *d)
{
    static const struct field columns[] = {{"jobs", "geometric mean of %s jobs"},
                                           {"of", ", %s"},
                                           {"ratio", ": %s"},
                                           {"share", ", of the copy bandwidth %s"},
                                           {NULL, NULL}};
    const bool same = all->rule.same_machine;
    struct table t;
    bool *done = calloc(all->count + 1, sizeof *done);
    table_begin(&t, d, "means", LINES, columns);
    for (size_t i = 0; i < all->count && done != NULL; i++) {
        const struct pair *p = &all->pairs[i];
        double sum = 0, shares = 0;
        int jobs = 0;
        for (size_t k = i; k < all->count && has_ratio(p) && !done[i]; k++) {
            const struct pair *q = &all->pairs[k];
            if (!has_ratio(q) || !key_same_method(&p->base->key, &q->base->key))
                continue;
            sum += log(q->ratio.value);
            shares += log(q->shares[1] / q->shares[0]);
            jobs++;
            done[k] = k > i;
        }
        if (jobs < 2)
            continue;
        const double share = exp(shares / jobs);
        table_number(&t, jobs, 9);
        table_word(&t, internf("%s/*/%s/%s", p->base->key.exhibit, p->base->key.variant,
                               p->base->key.precision));
        table_number_shown(
            &t, internf("%s %.4g", same ? "NEW/BASE" : "BASE/NEW", exp((same ? sum : -sum) / jobs)),
            exp(sum / jobs));
        table_number_shown(
            &t, same || isnan(share) ? "" : internf("%.4g times BASE's share", share), share);
    }
    table_end(&t);
    free(done);
}

static void put_side(struct table *t, const char *name, const struct side *side)
{
    const struct facts *const facts = &side->folder.facts;
    const struct printed_machine *const m = &side->machine;
    const struct standing *const s = &side->folder.standing;
    const bool printed = is_published(side), known = printed && m->bandwidth > 0;
    const char *const why = printed ? NULL : no_reference(&side->folder);
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
    table_word(t, facts_get(facts, "gpu_name"));
    table_word(t, facts_get(facts, "cpu_model"));
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
                                           {"cpu", ", %s"},
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
    document_number(d, "noise", rule->same_machine ? rule->session : (double)NAN);
    if (rule->same_machine)
        document_say(d, "one machine%s%s; noise from run to run %.2g %% (%s)%s",
                     no_verdict[0] != '\0' ? "; no verdict: " : "", no_verdict, 100 * rule->session,
                     rule->session_source,
                     rule->same_code ? "; both programs have the same machine code" : "");
    else
        document_say(d, "unlike machines: ratios, and no verdict on them");
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

static void put_comparison(const struct sides *all, struct document *d)
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
    put_means(all, d);
    int jobs = 0;
    const double noise = noise_between(all, &jobs);
    if (rule->same_machine && rule->same_code && jobs > 0)
        document_say(d, "noise from run to run, as these two give it: %.2g %%, of %d jobs",
                     100 * noise, jobs);
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

/* Runs the slower jobs again, in fresh workers, into NEW's folder. */
static enum status run_again(struct sides *all)
{
    static const char *const keys[] = {"fingerprint", "code", "commit", "dirty"};
    const struct facts *const facts = &all->now.folder.facts;
    struct run_options again = {
        .out = all->again_folder,
        .rounds = (int)fact_number(facts, "rounds"),
        .samples = (int)fact_number(facts, "samples"),
        .seed = strtoull(facts_get(facts, "seed"), NULL, 10),
        .order = facts_get(facts, "order"),
        .thread_order = facts_get(facts, "thread_order"),
        .timeout = 60,
        .resume = true,
        .selection = {.size = facts_get(facts, "size")},
    };
    struct selection *selection = &again.selection;
    struct text sizes = {0};
    const char *folder;
    for (size_t i = 0; i < all->count && selection->glob_count < MOST_GLOBS; i++) {
        if (all->pairs[i].finding != F_SLOWER)
            continue;
        const struct key *const key = &all->pairs[i].now->key;
        selection->globs[selection->glob_count++] = key_path(key);
        text_add(&sizes, "%s%s", sizes.length > 0 ? "," : "", key->n);
    }
    if (selection->glob_count == 0) {
        const char *const why = all->rule.no_verdict;
        all->unconfirmed =
            !all->rule.same_machine ? "unlike machines have no verdict, so nothing was run again"
            : why != NULL ? internf("there is no verdict, %s, so nothing was run again", why)
                          : "nothing is slower, so nothing was run again";
        return OK;
    }
    struct facts here;
    selection->axis_override = sizes.data;
    enum status status = run_facts(NULL, &here);
    facts_finish(&here);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && status == OK; i++)
        if (!same_fact(&here, facts, keys[i]))
            status = because(
                ERR_ARGS,
                "--confirm needs the program and the machine of NEW: %s was '%s' and is '%s' here",
                keys[i], facts_get(facts, keys[i]), facts_get(&here, keys[i]));
    if (status == OK && run_plan(&again, &folder) != 0) {
        all->confirm_failed = true;
        all->unconfirmed = internf("the run in %s did not end well", all->again_folder);
    }
    text_free(&sizes);
    return status;
}

static enum status load_again(struct sides *all)
{
    struct stat info;
    enum status status = OK;
    side_free(&all->again);
    /* One that was stopped before its first job confirms nothing. */
    if (stat(samples_path(all->again_folder), &info) == 0 &&
        info.st_size > (off_t)strlen(samples_header))
        status = side_load(all->again_folder, &all->again);
    all->rule.confirmed = all->again.folder.record_count > 0 ? &all->again.folder : NULL;
    return status;
}

static enum status load_base(const struct compare_options *options, struct sides *all)
{
    static const char newest[] = "newest:";
    const size_t length = strlen(newest);
    const char *folder;
    if (strncmp(options->base, newest, length) != 0)
        return base_load(options->base, &all->base);
    const enum status status = newest_reference(options->base + length, &all->now.folder, &folder);
    return status == OK ? side_load(folder, &all->base) : status;
}

static enum status load_sides(const struct compare_options *options, struct sides *all)
{
    all->again_folder = internf("%s/confirmation", options->now);
    enum status status = side_load(options->now, &all->now);
    if (status == OK)
        status = load_base(options, all);
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

const char *finding_between(const struct side *base, const struct side *now_, const struct key *job)
{
    struct sides all = {.base = *base, .now = *now_}; /* which stay theirs */
    struct pair pair = {.base = folder_record(&base->folder, job),
                        .now = folder_record(&now_->folder, job),
                        .note = ""};
    make_rule(&all, NAN);
    decide_pair(&pair, &all.rule);
    return finding_names[pair.finding];
}

enum status measure_noise(const char *folder)
{
    struct sides all = {0};
    const struct selection everything = {0};
    struct facts *const facts = &all.base.folder.facts;
    int jobs = 0;
    enum status status = side_load(folder, &all.base);
    if (status == OK)
        status = side_load(internf("%s/self", folder), &all.now);
    if (status == OK) {
        make_rule(&all, NAN);
        status = make_pairs(&all, &everything);
    }
    if (status == OK) {
        const double noise = noise_between(&all, &jobs);
        if (jobs > 0)
            facts_add(facts, "noise", "%.6g", noise);
        facts_add(facts, "noise_jobs", "%d", jobs);
        fprintf(stderr, "noise from run to run: %.2g %%, of %d jobs\n", 100 * noise, jobs);
        status = checksums_remove(folder);
        if (status == OK)
            status = facts_save(folder, facts);
        if (status == OK)
            status = checksums_write(folder);
    }
    free(all.pairs);
    side_free(&all.base);
    side_free(&all.now);
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
        put_comparison(&all, &d);
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
    return exit_status;
}
