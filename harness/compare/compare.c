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
#include "base/intern.h"
#include "base/table.h"
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

static void begin_table(struct table *t, bool same_machine)
{
    static const char *const heads[2][9] = {
        {"job", "BASE, s", "NEW, s", "BASE/NEW", "95 % interval", "BASE of copy", "NEW of copy",
         "note", NULL},
        {"job", "BASE, s", "NEW, s", "NEW/BASE", "99 % interval", "verdict", "note", NULL}};
    table_begin(t, true, heads[same_machine]);
}

static void put_pair(struct table *t, const struct pair *p, bool same_machine)
{
    const struct ratio *r = &p->ratio;
    /* The time of a side that failed is not shown: it is the time of nothing. */
    const bool shown = has_ratio(p);
    table_word(t, pair_path(p));
    table_number(t, shown ? p->base->time.value : (double)NAN, 4);
    table_number(t, shown ? p->now->time.value : (double)NAN, 4);
    if (same_machine) {
        table_number(t, r->value, 4);
        table_interval(t, r->ci_lo, r->ci_hi);
        table_word(t, finding_names[p->finding]);
        table_word(t, p->note);
    } else {
        const bool none = p->finding != F_COMPARED;
        table_number(t, 1 / r->value, 4);
        table_interval(t, 1 / r->ci_hi, 1 / r->ci_lo);
        table_number(t, p->shares[0], 3);
        table_number(t, p->shares[1], 3);
        table_word(t, internf("%s%s%s", none ? finding_names[p->finding] : "",
                              none && p->note[0] != '\0' ? ": " : "", p->note));
    }
}

/* A mean for each variant of an exhibit, over its jobs that have a ratio; and of their shares. */
static void put_means(const struct sides *all, bool markdown)
{
    bool *done = calloc(all->count + 1, sizeof *done);
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
        const bool same = all->rule.same_machine;
        printf("%sgeometric mean of %d jobs, %s/*/%s/%s: %s %.4g", markdown ? "- " : "", jobs,
               p->base->key.exhibit, p->base->key.variant, p->base->key.precision,
               same ? "NEW/BASE" : "BASE/NEW", exp((same ? sum : -sum) / jobs));
        if (!same && !isnan(shares))
            printf(", of the copy bandwidth %.4g times BASE's share", exp(shares / jobs));
        printf("\n");
    }
    free(done);
}

static void put_side(const char *name, const struct side *side, bool markdown)
{
    const struct facts *const facts = &side->folder.facts;
    printf("%s%s %s", markdown ? "- " : "", name, side->folder.name);
    if (is_published(side)) {
        const struct printed_machine *m = &side->machine;
        printf("%s%s: ", m->year[0] != '\0' ? ", of " : "", m->year);
        if (m->bandwidth > 0)
            printf("%.4g GB/s by its data sheet, for a copy at best (%s)\n", 1e-9 * m->bandwidth,
                   m->source);
        else
            printf("bandwidth not known (%s)\n", m->source);
        return;
    }
    const char *gpu = facts_get(facts, "gpu_name");
    const char *why = no_reference(&side->folder);
    const struct standing *const s = &side->folder.standing;
    printf(": %s%s%s, commit %s, %s, %d%s rounds%s%s\n", gpu, gpu[0] != '\0' ? ", " : "",
           facts_get(facts, "cpu_model"), facts_get(facts, "commit"), facts_get(facts, "start"),
           s->done, s->done < s->asked ? internf(" of %d", s->asked) : "",
           why != NULL ? "; no reference: " : "", why != NULL ? why : "");
}

/* What else differs between the runs and may explain a difference. */
static void put_unlike_facts(const struct sides *all, bool markdown)
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
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !is_published(&all->base); i++)
        if (!both_have(all, keys[i]))
            printf("%sdiffers: %s, BASE '%s', NEW '%s'\n", markdown ? "- " : "", keys[i],
                   facts_get(&all->base.folder.facts, keys[i]),
                   facts_get(&all->now.folder.facts, keys[i]));
}

static void put_comparison(const struct sides *all, bool markdown)
{
    const struct rule *rule = &all->rule;
    struct table table;
    put_side("BASE", &all->base, markdown);
    put_side("NEW", &all->now, markdown);
    put_unlike_facts(all, markdown);
    if (rule->same_machine)
        printf("%sone machine%s%s; noise from run to run %.2g %% (%s)%s\n", markdown ? "- " : "",
               rule->no_verdict != NULL ? "; no verdict: " : "",
               rule->no_verdict != NULL ? rule->no_verdict : "", 100 * rule->session,
               rule->session_source,
               rule->same_code ? "; both programs have the same machine code" : "");
    else
        printf("%sunlike machines: ratios, and no verdict on them\n", markdown ? "- " : "");
    printf("\n");
    begin_table(&table, rule->same_machine);
    for (size_t i = 0; i < all->count; i++) {
        const struct pair *p = &all->pairs[i];
        if (rule->same_machine || (p->base != NULL && p->now != NULL))
            put_pair(&table, p, rule->same_machine);
    }
    table_print(&table, markdown ? "markdown" : "text");
    put_means(all, markdown);
    int jobs = 0;
    const double noise = noise_between(all, &jobs);
    if (rule->same_machine && rule->same_code && jobs > 0)
        printf("%snoise from run to run, as these two give it: %.2g %%, of %d jobs\n",
               markdown ? "- " : "", 100 * noise, jobs);
    printf("%s", markdown ? "\n" : "");
    for (int o = 0, any = 0; o < FINDINGS; o++)
        if (all->of[o] > 0)
            printf("%s%d %s", any++ > 0 ? ", " : "", all->of[o], finding_names[o]);
    if (all->silent > 0)
        printf("%s%d judged and not timed", all->count > 0 ? ", " : "", all->silent);
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

/* How many numbers of a run must agree with the paper and do not, of what was selected. */
static int differing(const char *folder, const struct selection *selection)
{
    struct verdicts verdicts;
    if (verdicts_load(folder, selection, &verdicts) != OK)
        return 0; /* nothing there is printed in a paper */
    const int count = verdicts.of[VERDICT_DIFFERS];
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
    if (status == SKIPPED) { /* the first run of a machine has nothing behind it */
        printf("%s\n", reason());
    } else if (status == OK) {
        all.differs = differing(options->now, &options->selection);
        put_comparison(&all, options->markdown);
        if (all.unconfirmed != NULL)
            printf("%s--confirm: %s\n", options->markdown ? "\n" : "", all.unconfirmed);
        exit_status = gated(&all, options->gate);
        if (exit_status == 0 && all.confirm_failed)
            exit_status = 1;
    } else {
        exit_status = failed(status);
    }
    free(all.pairs);
    side_free(&all.base);
    side_free(&all.now);
    side_free(&all.again);
    return exit_status;
}
