/*
 * Verdicts at their boundaries, claims, and the last line, on the trial's paper and run folders
 * written here; then the report of such a folder.
 */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/core.h"
#include "base/embedded.h"
#include "base/grid.h"
#include "base/intern.h"
#include "report/report.h"
#include "tap.h"
#include "verdict/verdict.h"

static char folder[] = "/tmp/reprise-test-XXXXXX";

static const struct paper *trial_paper(void)
{
    const struct paper *paper = NULL;
    (void)find_exhibit("trial-good", &paper);
    return paper;
}

static void test_verdict_on(void)
{
    static const struct {
        int n;
        const char *printed;
        double reproduced;
        enum verdict verdict;
        const char *id;
    } cases[] = {
        {10, "1.00e-01", 0.1, VERDICT_SAME, ""},
        {10, "1.00e-01", 0.1005, VERDICT_SAME, ""}, /* half a unit, as decimal text has it */
        {10, "1.00e-01", 0.0995, VERDICT_SAME, ""},
        {10, "1.00e-01", 0.100501, VERDICT_DIFFERS, ""},
        {10, "1.00e-01", 0.099499, VERDICT_DIFFERS, ""},
        {10, "1.00e-01", NAN, VERDICT_DIFFERS, ""},
        {10, "1.00e-01", INFINITY, VERDICT_DIFFERS, ""},
        {10, "1.00e-01", -0.1, VERDICT_DIFFERS, ""},
        {10, "0.1", 0.149, VERDICT_SAME, ""},
        {10, "0", 0, VERDICT_SAME, ""},
        {10, "0.00", 0.006, VERDICT_DIFFERS, ""},
        {10, "", 0.1, VERDICT_NOT_PRINTED, ""},
        {10, "N/A", 0.1, VERDICT_NOT_PRINTED, ""},
        {20, "5.05e-02", 0.0505, VERDICT_SAME, ""},
        {20, "5.05e-02", 0.0505 * 1.0199, VERDICT_CLOSE, ""},
        {20, "5.05e-02", 0.0505 * 0.9801, VERDICT_CLOSE, ""},
        {20, "5.05e-02", 0.0505 * 1.0201, VERDICT_DIFFERS, ""},
        {20, "5.05e-02", 0.0505 * 0.9799, VERDICT_DIFFERS, ""},
        {20, "5.05e-02", NAN, VERDICT_DIFFERS, ""},
        {30, "9.00e-02", 0.09, VERDICT_SAME, ""},
        {30, "9.00e-02", 0.0915, VERDICT_CLOSE, ""},
        {30, "9.00e-02", 0.03, VERDICT_EXPLAINED, "T1"},
        {30, "9.00e-02", 0.04, VERDICT_EXPLAINED, "T1"},
        {30, "9.00e-02", 0.0299999, VERDICT_DIFFERS, ""},
        {30, "9.00e-02", 0.0400001, VERDICT_DIFFERS, ""},
        {30, "9.00e-02", NAN, VERDICT_DIFFERS, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct key key =
            key_make("trial-digits", "sums", "good", "double", internf("%d", cases[i].n));
        const char *id = "?", *note = "?";
        const enum verdict verdict =
            verdict_on(trial_paper(), &key, cases[i].printed, cases[i].reproduced, &id, &note);
        check(verdict == cases[i].verdict && strcmp(id, cases[i].id) == 0,
              "n=%d printed '%s' here %.9g: %s %s", cases[i].n, cases[i].printed,
              cases[i].reproduced, verdict_names[cases[i].verdict], cases[i].id);
        check((note[0] == '\0') == (verdict == VERDICT_SAME || verdict == VERDICT_NOT_PRINTED),
              "n=%d printed '%s' here %.9g: a note where a number is off", cases[i].n,
              cases[i].printed, cases[i].reproduced);
    }
}

static const struct cell *cell_of(const struct verdicts *all, const struct exhibit *e,
                                  const char *of, const char *variant, const char *precision,
                                  const char *n, const char *metric)
{
    struct key key = key_make(e->id, of, variant, precision != NULL ? precision : "", n);
    key.precision = precision != NULL ? key.precision : NULL;
    return find_cell(all, e, &key, metric);
}

/* --- the verbs, without what they print --- */

static int nowhere(void)
{
    fflush(stdout);
    const int out = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    close(null);
    return out;
}

static void back_to(int out)
{
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
}

static int report(const char *path)
{
    const int out = nowhere(), status = report_folder(path, "latex");
    back_to(out);
    return status;
}

static int verdict(const char *path, const struct selection *selection)
{
    const int out = nowhere(), status = verdict_folder(path, selection, "text");
    back_to(out);
    return status;
}

/* --- folders of runs --- */

static char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "wb");
    if (file == NULL)
        return;
    fputs(text, file);
    fclose(file);
}

static void run_csv(const char *schema, const char *exhibits, const char *more)
{
    char text[1024];
    snprintf(text, sizeof text,
             "key,value\nschema,%s\nprogram,reprise test\ncommit,0123\ndirty,0\ndevice,emulated\n"
             "cpu_model,a CPU\nstart,2000-01-01T00:00:00Z\nend,2000-01-01T00:00:01Z\n"
             "size,paper\nexhibits,%s\n%s",
             schema, exhibits, more);
    put("run.csv", text);
}

struct job_rows { /* of measured.csv */
    const char *exhibit, *variant;
    int n;
    const char *metric;
    double value, lo, hi; /* NaN: no row */
    const char *status;   /* as a CSV field */
};

static void measured_csv(const struct job_rows *jobs, size_t count)
{
    struct text text = {0};
    text_add(&text, "%s", measured_header);
    for (size_t i = 0; i < count; i++) {
        const struct job_rows *j = &jobs[i];
        const double values[] = {j->value, j->lo, j->hi};
        static const char *const statistics[] = {"value", "ci_lo", "ci_hi"};
        char key[128];
        snprintf(key, sizeof key, "%s,sums,%s,double,\"a CPU, old\",%d", j->exhibit, j->variant,
                 j->n);
        for (int k = 0; k < 3; k++)
            if (!isnan(values[k]))
                text_add(&text, "%s,%s,%s,%.17g,s,\n", key, j->metric, statistics[k], values[k]);
        text_add(&text, "%s,status,value,,,%s\n", key, j->status);
    }
    put("measured.csv", text.data);
    text_free(&text);
}

static void test_verdicts(void)
{
    const struct job_rows jobs[] = {
        {"trial-digits", "good", 10, "h", 0.1, NAN, NAN, "ok"},
        {"trial-digits", "good", 20, "h", 0.05, NAN, NAN, "ok"},
        {"trial-digits", "good", 30, "h", 1 / 30.0, NAN, NAN, "ok"},
        {"trial-digits", "good", 40, "h", 1 / 40.0, NAN, NAN, "ok"},
        {"trial-digits", "good", 50, "h", 1 / 50.0, NAN, NAN, "ok"},
    };
    struct verdicts all;
    run_csv("1", "trial-digits", "");
    measured_csv(jobs, 5);
    if (!check(verdicts_load(folder, NULL, &all) == OK, "a run of trial-digits is read"))
        return;
    check(all.of[VERDICT_SAME] == 1 && all.of[VERDICT_CLOSE] == 1 &&
              all.of[VERDICT_EXPLAINED] == 1 && all.of[VERDICT_DIFFERS] == 1 &&
              all.of[VERDICT_NOT_PRINTED] == 1 && all.of[VERDICT_NOT_MEASURED] == 0 &&
              all.printed == 4 && all.failed == 0,
          "one cell of each verdict");
    check(strncmp(all.last_line, "REPRODUCED WITH 1 DIFFERENCE (", 30) == 0, "one difference");
    for (const struct erratum *e = trial_paper()->errata; e->id != NULL; e++)
        check(erratum_applied(&all, trial_paper(), e) ==
                  (strcmp(e->id, "T1") == 0 || strcmp(e->id, "T4") == 0),
              "erratum %s is %s", e->id,
              strcmp(e->id, "T1") == 0 || strcmp(e->id, "T4") == 0 ? "applied" : "not applied");
    check(all.claim_count == 0, "no claim speaks of trial-digits");
    check(verdict(folder, NULL) == 4, "verdict says 4 where a cell differs");
    verdicts_free(&all);

    measured_csv(jobs, 2); /* and n = 30, 40 are missing */
    if (check(verdicts_load(folder, NULL, &all) == OK, "a part of a run is read")) {
        const struct cell *cell =
            cell_of(&all, find_exhibit("trial-digits", NULL), "sums", "good", "double", "40", "h");
        check(cell != NULL && cell->verdict == VERDICT_NOT_MEASURED &&
                  strncmp(cell->note, "not in this run", 15) == 0 && isnan(cell->reproduced),
              "a cell without a job was not measured");
        check(all.of[VERDICT_NOT_MEASURED] == 2 && strncmp(all.last_line, "INCOMPLETE (", 12) == 0,
              "a part is INCOMPLETE");
        check(verdict(folder, NULL) == 0, "verdict says 0 where no cell differs");
        verdicts_free(&all);
    }
}

static void test_reasons(void)
{
    static const struct job_rows jobs[] = {
        {"trial-digits", "good", 10, "h", NAN, NAN, NAN, "skipped: no device"},
        {"trial-digits", "good", 20, "h", 0.05, NAN, NAN, "\"wrong: error 1, allowed 0\""},
        {"trial-digits", "good", 30, "h", 0.05, NAN, NAN, "crashed: SIGSEGV"},
        {"trial-digits", "good", 40, "h", 0.07, NAN, NAN, "emulated"},
    };
    static const char *const notes[] = {"skipped: no device", "wrong: error 1, allowed 0",
                                        "crashed: SIGSEGV", ""};
    struct verdicts all;
    run_csv("1", "trial-digits", "");
    measured_csv(jobs, 4);
    if (!check(verdicts_load(folder, NULL, &all) == OK, "a run with failures is read"))
        return;
    for (int i = 0; i < 4; i++) {
        char n[16];
        snprintf(n, sizeof n, "%d", jobs[i].n);
        const struct cell *cell =
            cell_of(&all, find_exhibit("trial-digits", NULL), "sums", "good", "double", n, "h");
        const bool measured = i == 3;
        check(cell != NULL && isnan(cell->reproduced) == !measured &&
                  cell->verdict == (measured ? VERDICT_SAME : VERDICT_NOT_MEASURED) &&
                  strcmp(cell->note, notes[i]) == 0,
              "status %s: %s", jobs[i].status, measured ? "SAME" : "not measured, no number shown");
    }
    check(all.failed == 2 && strstr(all.last_line, "INCOMPLETE") != NULL &&
              strstr(all.last_line, "jobs failed") != NULL,
          "wrong and crashed jobs failed, a skipped one did not");
    verdicts_free(&all);
}

static const struct outcome *find_outcome(const struct verdicts *all, const char *id)
{
    for (size_t i = 0; i < all->claim_count; i++)
        if (strcmp(all->claims[i].claim->id, id) == 0)
            return &all->claims[i];
    return NULL;
}

static void test_claims(void)
{
    static const struct {
        const char *name;
        double good[2], slow[2], width;                       /* each time [t/width, t*width] */
        const char *below, *above, *within, *reaches, *grows; /* here */
    } cases[] = {
        {"slow is 3 and 3.5 times slower",
         {1e-6, 2e-6},
         {3e-6, 7e-6},
         1.1,
         "HOLDS",
         "REVERSED",
         "HOLDS",
         "REVERSED",
         "HOLDS"},
        {"slow is 5 and 3 times slower",
         {1e-6, 2e-6},
         {5e-6, 6e-6},
         1.1,
         "HOLDS",
         "REVERSED",
         "PARTLY",
         "HOLDS",
         "REVERSED"},
        {"slow is faster",
         {1e-6, 2e-6},
         {0.5e-6, 1.2e-6},
         1.1,
         "REVERSED",
         "HOLDS",
         "REVERSED",
         "REVERSED",
         "HOLDS"},
        {"the intervals overlap at 2000",
         {1e-6, 2e-6},
         {3e-6, 2.2e-6},
         1.2,
         "TIED",
         "REVERSED",
         "PARTLY",
         "REVERSED",
         "REVERSED"},
        {"the intervals overlap",
         {1e-6, 2e-6},
         {1.1e-6, 2e-6},
         1.2,
         "TIED",
         "TIED",
         "REVERSED",
         "REVERSED",
         "REVERSED"},
        {"no job has a time",
         {(double)NAN, (double)NAN},
         {(double)NAN, (double)NAN},
         1,
         "NOT MEASURED",
         "NOT MEASURED",
         "NOT MEASURED",
         "NOT MEASURED",
         "NOT MEASURED"},
    };
    static const char *const ids[] = {"below", "above", "within", "reaches", "grows"};
    static const char *const in_print[] = {"HOLDS", "REVERSED", "PARTLY", "HOLDS", "HOLDS"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const here[] = {cases[i].below, cases[i].above, cases[i].within,
                                    cases[i].reaches, cases[i].grows};
        struct verdicts all;
        run_csv("1", "trial-good", "");
        struct job_rows jobs[4];
        for (int k = 0; k < 4; k++) {
            const double time = k % 2 == 0 ? cases[i].good[k / 2] : cases[i].slow[k / 2];
            jobs[k] = (struct job_rows){
                "trial-good", k % 2 == 0 ? "good" : "slow", k < 2 ? 1000 : 2000,   "time",
                time,         time / cases[i].width,        time * cases[i].width, "ok"};
        }
        measured_csv(jobs, 4);
        if (!check(verdicts_load(folder, NULL, &all) == OK, "%s: is read", cases[i].name))
            continue;
        for (int k = 0; k < 5; k++) {
            const struct outcome *o = find_outcome(&all, ids[k]);
            if (!check(o != NULL, "%s: claim %s is judged", cases[i].name, ids[k]))
                continue;
            check(strcmp(hold_names[o->hold[IN_PRINT]], in_print[k]) == 0,
                  "%s: claim %s in print %s", cases[i].name, ids[k], in_print[k]);
            check(strcmp(hold_names[o->hold[HERE]], here[k]) == 0, "%s: claim %s here %s",
                  cases[i].name, ids[k], here[k]);
        }
        verdicts_free(&all);
    }
}

static bool near(double got, double expected)
{
    return fabs(got - expected) <= 1e-9 * expected;
}

/* Times in us of good and slow, [case][n = 1000, 2000]; useful operations: n/2. */
static void cases_csv(const double good[3][2], const double slow[3][2], double width)
{
    static const char *const cases[] = {"one", "two", "three"};
    struct text text = {0};
    text_add(&text, "%s", measured_header);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 4; k++) {
            const int n = k < 2 ? 1000 : 2000;
            const double time = 1e-6 * (k % 2 == 0 ? good : slow)[c][k / 2], useful = 0.5 * n;
            char key[128];
            snprintf(key, sizeof key, "trial-cases,%s,%s,double,a CPU,%d", cases[c],
                     k % 2 == 0 ? "good" : "slow", n);
            text_add(&text, "%s,time,value,%.17g,s,\n", key, time);
            text_add(&text, "%s,time,ci_lo,%.17g,s,\n", key, time / width);
            text_add(&text, "%s,time,ci_hi,%.17g,s,\n", key, time * width);
            text_add(&text, "%s,performance,value,%.17g,flop/s,\n", key, useful / time);
            text_add(&text, "%s,performance,ci_lo,%.17g,flop/s,\n", key, useful / time / width);
            text_add(&text, "%s,performance,ci_hi,%.17g,flop/s,\n", key, useful / time * width);
            text_add(&text, "%s,status,value,,,ok\n", key);
        }
    put("measured.csv", text.data);
    text_free(&text);
}

static void test_claims_of_cases(void)
{
    static const char *const ids[] = {"rate",
                                      "rate-grows",
                                      "rate-falls",
                                      "rate-grows-by-case",
                                      "largest-in-two",
                                      "speedup-falls-by-case",
                                      "speedup-from-2000"};
    static const struct {
        const char *name;
        double good[3][2], slow[3][2], width;
        const char *here[7];
    } cases[] = {
        /* Mflop/s of good: 500, 500; 1000, 1000; 2000, 4000. Speed-ups: 4, 3; 3, 2; 2, 0.5. */
        {"faster in every case",
         {{1, 2}, {0.5, 1}, {0.25, 0.25}},
         {{4, 6}, {1.5, 2}, {0.5, 0.125}},
         1.01,
         {"HOLDS", "PARTLY", "REVERSED", "HOLDS", "REVERSED", "HOLDS", "PARTLY"}},
        /* 500, 400; 250, 200; 300, 220. Speed-ups: 1, 1; 2, 2; 3, 3. */
        {"slower in every case",
         {{1, 2.5}, {2, 5}, {1.8, 4.5}},
         {{1, 2.5}, {4, 10}, {5.4, 13.5}},
         1.01,
         {"REVERSED", "REVERSED", "HOLDS", "PARTLY", "REVERSED", "REVERSED", "HOLDS"}},
        /* 500, 500; 1250, 1250; 500, 500. */
        {"largest in the second case",
         {{1, 2}, {0.4, 0.8}, {1, 2}},
         {{1, 2}, {1, 2}, {1, 2}},
         1.01,
         {"HOLDS", "REVERSED", "REVERSED", "PARTLY", "HOLDS", "PARTLY", "HOLDS"}},
        {"within the intervals of one another",
         {{1, 2}, {1, 2}, {0.99, 1.98}},
         {{1, 2}, {1, 2}, {0.99, 1.98}},
         1.1,
         {"REVERSED", "REVERSED", "REVERSED", "PARTLY", "TIED", "REVERSED", "HOLDS"}},
    };
    const struct exhibit *view = find_exhibit("trial-view", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct verdicts all;
        run_csv("1", "trial-cases", "");
        cases_csv(cases[i].good, cases[i].slow, cases[i].width);
        if (!check(verdicts_load(folder, NULL, &all) == OK, "%s: is read", cases[i].name))
            continue;
        for (int k = 0; k < 7; k++) {
            const struct outcome *o = find_outcome(&all, ids[k]);
            check(o != NULL, "%s: claim %s is judged", cases[i].name, ids[k]);
            if (o == NULL)
                continue;
            check(o->hold[IN_PRINT] == CLAIM_NOT_PRINTED, "%s: claim %s has no printed cells",
                  cases[i].name, ids[k]);
            check(strcmp(hold_names[o->hold[HERE]], cases[i].here[k]) == 0,
                  "%s: claim %s here %s, is %s", cases[i].name, ids[k], cases[i].here[k],
                  hold_names[o->hold[HERE]]);
        }
        const struct cell *c = cell_of(&all, view, "one", "good/slow", "double", "1000", "speedup");
        check(c != NULL && near(c->reproduced, cases[i].slow[0][0] / cases[i].good[0][0]) &&
                  c->ci_lo < c->reproduced && c->reproduced < c->ci_hi &&
                  c->verdict == VERDICT_NOT_PRINTED,
              "%s: a view has the speed-up of its times", cases[i].name);
        verdicts_free(&all);
    }
}

static void test_times(void)
{
    /* The interval of 8/2 in Python: exp(log(4) -+ hypot(log(2.1/1.9)/2, log(9/7)/2)). */
    static const struct job_rows jobs[] = {
        {"trial-good", "good", 1000, "time", 2e-6, 1.9e-6, 2.1e-6, "ok"},
        {"trial-good", "slow", 1000, "time", 8e-6, 7e-6, 9e-6, "ok"},
        {"trial-good", "good", 2000, "time", 3e-6, NAN, NAN, "quick"},
        {"trial-good", "slow", 2000, "time", 9e-6, NAN, NAN, "quick"},
    };
    struct verdicts all;
    const struct exhibit *e = find_exhibit("trial-good", NULL);
    run_csv("1", "trial-good", "");
    measured_csv(jobs, 4);
    if (!check(verdicts_load(folder, NULL, &all) == OK, "a run with times is read"))
        return;
    const struct cell *c = cell_of(&all, e, "sums", "good/slow", NULL, "1000", "speedup");
    check(c != NULL && near(c->reproduced, 4) && near(c->ci_lo, 3.493972633303337) &&
              near(c->ci_hi, 4.579314631000123) && c->verdict == VERDICT_COMPARED,
          "a speed-up has the interval of both times");
    c = cell_of(&all, e, "sums", "good/slow", NULL, "2000", "speedup");
    check(c != NULL && near(c->reproduced, 3) && isnan(c->ci_lo) && strcmp(c->id, "T2") == 0,
          "a speed-up without intervals has none, and its erratum voids the printed one");
    c = cell_of(&all, e, "sums", "good", "double", "2000", "time");
    check(c != NULL && c->verdict == VERDICT_COMPARED && strcmp(c->note, "quick") == 0,
          "a quick time says so");
    check(all.of[VERDICT_COMPARED] == 6 && all.of[VERDICT_DIFFERS] == 0 &&
              strncmp(all.last_line, "COMPARED (", 10) == 0,
          "times never differ, so nothing was reproduced: COMPARED");
    check(verdict(folder, NULL) == 0, "verdict says 0");
    verdicts_free(&all);
}

/* An order in h from the errors of two sizes, and why one is not there. */
static void test_orders(void)
{
    static const struct job_rows jobs[] = {
        {"trial-steps", "good", 100, "wrong_values", 0.08, NAN, NAN, "ok"},
        {"trial-steps", "good", 100, "h", 0.3, NAN, NAN, "ok"},
        {"trial-steps", "good", 200, "wrong_values", 0.02, NAN, NAN, "ok"},
        {"trial-steps", "good", 200, "h", 0.15, NAN, NAN, "ok"},
        {"trial-steps", "good", 400, "wrong_values", 0.02 / 27, NAN, NAN, "ok"},
        {"trial-steps", "good", 400, "h", 0.05, NAN, NAN, "ok"},
        {"trial-steps", "slow", 200, "wrong_values", 0.02, NAN, NAN, "ok"},
        {"trial-steps", "slow", 200, "h", 0.15, NAN, NAN, "ok"},
    };
    static const struct {
        const char *variant, *n;
        double order; /* NaN: none */
        enum verdict verdict;
        const char *note;
    } cells[] = {
        {"good", "200", 2, VERDICT_SAME, ""},
        {"good", "400", 3, VERDICT_NOT_PRINTED, ""},
        {"slow", "200", NAN, VERDICT_NOT_MEASURED, "no smaller size to take the order from"},
        {"slow", "400", NAN, VERDICT_NOT_MEASURED, "left out: too slow"},
    };
    const struct exhibit *view = find_exhibit("trial-order", NULL);
    struct verdicts all;
    run_csv("1", "trial-steps", "");
    measured_csv(jobs, sizeof jobs / sizeof *jobs);
    if (!check(verdicts_load(folder, NULL, &all) == OK, "a run with errors of sizes is read"))
        return;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        const struct cell *c = cell_of(&all, view, "sums", cells[i].variant, "double", cells[i].n,
                                       "order_wrong_values");
        const bool there = c != NULL;
        check(there && (isnan(cells[i].order) ? isnan(c->reproduced)
                                              : near(c->reproduced, cells[i].order)),
              "order of %s at %s is %g", cells[i].variant, cells[i].n, cells[i].order);
        check(there && c->left_out == (strncmp(cells[i].note, "left out", 8) == 0),
              "%s at %s is %s", cells[i].variant, cells[i].n, cells[i].note);
        check(there && c->verdict == cells[i].verdict && strcmp(c->note, cells[i].note) == 0,
              "order of %s at %s: %s", cells[i].variant, cells[i].n,
              verdict_names[cells[i].verdict]);
    }
    check(cell_of(&all, view, "sums", "good", "double", "100", "order_wrong_values") == NULL,
          "the smallest size has no order, and no cell");
    check(all.left_out == 1 && strstr(all.last_line, "; 1 would take too long") != NULL &&
              strncmp(all.last_line, "INCOMPLETE (", 12) == 0,
          "one cell is left out, another one is missing: %s", all.last_line);
    verdicts_free(&all);
}

static void test_selection(void)
{
    static const struct job_rows jobs[] = {
        {"trial-digits", "good", 40, "h", 0.5, NAN, NAN, "ok"},
        {"trial-good", "good", 1000, "time", 2e-6, NAN, NAN, "ok"},
    };
    struct selection selection = {.globs = {"trial-good"}, .glob_count = 1};
    run_csv("1", "trial-good trial-digits", "");
    measured_csv(jobs, 2);
    check(verdict(folder, NULL) == 4, "verdict of all says 4");
    check(verdict(folder, &selection) == 0, "verdict of trial-good alone says 0");
    selection = (struct selection){.excluded = {"trial-digits"}, .excluded_count = 1};
    check(verdict(folder, &selection) == 0, "verdict without trial-digits says 0");
    selection = (struct selection){.globs = {"nothing"}, .glob_count = 1};
    check(verdict(folder, &selection) == 2, "verdict of nothing says 2");
}

static void test_bad_folders(void)
{
    struct verdicts all;
    run_csv("2", "trial-digits", "");
    check(verdicts_load(folder, NULL, &all) == ERR_ARGS && strstr(reason(), "schema '2'") != NULL,
          "a newer schema is refused");
    run_csv("", "trial-digits", "");
    check(verdicts_load(folder, NULL, &all) == ERR_ARGS, "no schema is refused");
    run_csv("1", "trial-digits", "");
    put("measured.csv", "exhibit,case\n1,2,3\n");
    check(verdicts_load(folder, NULL, &all) == ERR_IO, "rows too wide are refused");
    put("measured.csv", "");
    check(verdicts_load(folder, NULL, &all) == ERR_IO, "an empty measured.csv is refused");
    put("measured.csv", "exhibit,case\n1,2\n");
    check(verdicts_load(folder, NULL, &all) == ERR_IO,
          "a measured.csv of other columns is refused");
    unlink(path_of("measured.csv"));
    check(verdicts_load(folder, NULL, &all) == ERR_IO && strstr(reason(), "measured.csv") != NULL &&
              report(folder) == 1,
          "a missing measured.csv is named");
    put("run.csv", "key\nschema\n");
    check(verdicts_load(folder, NULL, &all) == ERR_IO, "a run.csv of one column is refused");
    unlink(path_of("run.csv"));
    check(verdicts_load(folder, NULL, &all) == ERR_IO && report(folder) == 1,
          "a folder without run.csv");
}

/* --- report --- */

static char *contents(const char *name)
{
    struct text text = {0};
    FILE *file = fopen(path_of(name), "rb");
    text_add(&text, "%s", "");
    for (int c; file != NULL && (c = getc(file)) != EOF;)
        text_add(&text, "%c", c);
    if (file != NULL)
        fclose(file);
    return text.data;
}

/* Characters that mean something in a format are words there. */
static void test_grid(void)
{
    static const char *const head[] = {"a<b", "x|y"};
    static const char *const row[] = {"R&D_1 50 % #$", "{\\^~} [1, 2]"};
    struct grid grid;
    struct text out[4] = {0};
    grid_make(&grid, 2, 2);
    grid_row(&grid, 0, head);
    grid_row(&grid, 1, row);
    grid_link(&grid, 1, 1, "there");
    grid_text(&grid, "t", &out[0]);
    grid_markdown(&grid, "", &out[1]);
    grid_latex(&grid, "t", &out[2]);
    grid_html(&grid, "t\"", "t1", true, &out[3]);
    check(strcmp(out[0].data, "t\n\na<b                     x|y\n"
                              "R&D_1 50 % #$  {\\^~} [1, 2]\n\n") == 0,
          "a table as text");
    check(strcmp(out[1].data, "| a\\<b | x\\|y |\n| --- | ---: |\n"
                              "| R&D_1 50 % #$ | {\\^~} [1, 2] |\n\n") == 0,
          "a table as Markdown");
    check(strstr(out[2].data, "\nR\\&D\\_1 50 \\% \\#\\$ & \\{\\textbackslash{}"
                              "\\textasciicircum{}\\textasciitilde{}\\} {[}1, 2]\\\\\n") != NULL,
          "a table in LaTeX");
    check(strstr(out[3].data, "aria-labelledby=\"t1\"") != NULL &&
              strstr(out[3].data, "<caption id=\"t1\">t&quot;</caption>") != NULL &&
              strstr(out[3].data, "<thead><tr><th>a&lt;b</th><th>x|y</th></tr>") != NULL &&
              strstr(out[3].data, "<tr><th>R&amp;D_1 50 % #$</th><td><a href=\"#there\">"
                                  "{\\^~} <span>[1, 2]</span></a></td></tr>") != NULL,
          "a table in HTML");
    for (int f = 0; f < 4; f++)
        text_free(&out[f]);
    grid_free(&grid);
}

static void test_report(void)
{
    static const char *const files[] = {"report.md",
                                        "compared.csv",
                                        "tables/trial-good.txt",
                                        "tables/trial-good.md",
                                        "tables/trial-digits.txt",
                                        "tables/trial-digits.md",
                                        "tables/trial-digits.tex",
                                        "index.html"};
    enum { FILES = sizeof files / sizeof *files };
    static const struct job_rows jobs[] = {
        {"trial-digits", "good", 10, "h", 0.1, NAN, NAN, "ok"},
        {"trial-digits", "good", 20, "h", 0.05, NAN, NAN, "ok"},
        {"trial-digits", "good", 30, "h", 0.0333, NAN, NAN, "ok"},
        {"trial-digits", "good", 40, "h", 0.025, NAN, NAN, "ok"},
        {"trial-good", "good", 1000, "time", 2e-6, 1.9e-6, 2.1e-6, "ok"},
        {"trial-good", "slow", 1000, "time", 8e-6, 7e-6, 9e-6, "ok"},
        {"trial-good", "good", 2000, "time", 3e-6, 2e-6, 4e-6, "ok"},
        {"trial-good", "slow", 2000, "time", NAN, NAN, NAN, "\"failed: no, never\""},
    };
    struct verdicts all;
    char *first[FILES];
    run_csv("1", "trial-good trial-digits", "");
    measured_csv(jobs, 8);
    check(report(folder) == 4, "a report is written");
    for (int i = 0; i < FILES; i++) {
        first[i] = contents(files[i]);
        check(first[i][0] != '\0', "%s is written", files[i]);
    }
    if (check(verdicts_load(folder, NULL, &all) == OK, "the same run is compared")) {
        char last[600];
        snprintf(last, sizeof last, "\n%s\n", all.last_line);
        const size_t length = strlen(first[0]), end = strlen(last);
        check(length > end && strcmp(first[0] + length - end, last) == 0,
              "the last line of report.md sums the run up");
        verdicts_free(&all);
    }
    check(strstr(first[0], "failed: no, never") != NULL && strstr(first[0], "T1") != NULL &&
              strstr(first[0], "A. Nobody") != NULL,
          "report.md has the reason, the erratum and the paper");
    check(strstr(first[3], "2e-06 [1.9e-06, 2.1e-06]") != NULL, "a time stands with its interval");
    check(strstr(first[5], "EXPLAINED(T1)") != NULL && strstr(first[5], "DIFFERS") != NULL,
          "a table has the verdicts");
    check(strstr(first[5], "order in h") == NULL, "and no order of what is no error");
    check(strstr(first[6], "DIFFERS") != NULL, "so has the one in LaTeX");
    check(strstr(first[7], "<a href=\"#trial-T1\">T1</a>") != NULL &&
              strstr(first[7], "<tr id=\"trial-T1\">") != NULL,
          "on the page a verdict leads to its erratum");
    struct csv *csv = NULL;
    check(csv_load(path_of("compared.csv"),
                   "exhibit,case,variant,precision,n,metric,published,reproduced,ci_lo,ci_hi,"
                   "verdict,id,note\n",
                   &csv) == OK &&
              csv_rows(csv) == 10,
          "compared.csv has a row for each printed cell");
    csv_free(csv);
    check(report(folder) == 4, "a report is written again");
    for (int i = 0; i < FILES; i++) {
        char *again = contents(files[i]);
        check(strcmp(first[i], again) == 0, "%s has the same bytes", files[i]);
        free(again);
        free(first[i]);
    }
    put("no-folder", "");
    check(report(path_of("no-folder")) == 1, "a report of a file");
}

/* What is printed beside times has a verdict and a table; printed times are in another unit. */
static void test_beside_times(void)
{
    static const struct job_rows jobs[] = {
        {"trial-hundred", "good", 10, "time", 2e-6, 1.9e-6, 2.1e-6, "ok"},
        {"trial-hundred", "good", 10, "h", 18, NAN, NAN, "ok"},
        {"trial-hundred", "good", 20, "time", 3e-6, 2e-6, 4e-6, "ok"},
        {"trial-hundred", "good", 20, "h", 19, NAN, NAN, "ok"},
    };
    struct verdicts all;
    run_csv("1", "trial-hundred", "");
    measured_csv(jobs, 4);
    if (!check(verdicts_load(folder, NULL, &all) == OK, "a run with counts beside times is read"))
        return;
    const struct exhibit *e = find_exhibit("trial-hundred", NULL);
    const struct cell *time = cell_of(&all, e, "sums", "good", "double", "10", "time");
    const struct cell *same = cell_of(&all, e, "sums", "good", "double", "10", "h");
    const struct cell *off = cell_of(&all, e, "sums", "good", "double", "20", "h");
    check(time != NULL && near(time->printed.value, 0.25) && time->verdict == VERDICT_COMPARED,
          "250 ms are compared as 0.25 s");
    check(same != NULL && same->verdict == VERDICT_SAME && off != NULL &&
              off->verdict == VERDICT_DIFFERS,
          "a count beside times is the same, or differs");
    verdicts_free(&all);
    check(report(folder) == 4, "its report is written");
    char *const table = contents("tables/trial-hundred.md");
    check(strstr(table, "| 10 | 0.25 | ") != NULL, "the table has the time in its own unit");
    check(strstr(table, "18, 18: SAME") != NULL && strstr(table, "18, 19: DIFFERS") != NULL,
          "the counts stand below the times");
    free(table);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        perror("mkdtemp");
        return 1;
    }
    test_verdict_on();
    test_verdicts();
    test_reasons();
    test_claims();
    test_claims_of_cases();
    test_times();
    test_orders();
    test_selection();
    test_grid();
    test_report();
    test_beside_times();
    test_bad_folders();
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    const bool removed = system(command) == 0;
    return removed ? done() : 1;
}
