/*
 * The verb site: a static site over runs. The front page has the papers by machines; a paper's page
 * what it claims and prints, and what every machine made of it; a run's page its environment and
 * ceilings, with a page for each exhibit, to whose rows numbers and claims lead; one more sets
 * machines side by side.
 */
#include "report/site.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "compare/history.h"
#include "compare/side.h"
#include "report/headline.h"
#include "report/publish.h"
#include "report/sections.h"
#include "report/tables.h"

struct site_run {
    const char *path;    /* of its pages in the site: MACHINE/RUN */
    const char *link;    /* the same in a link */
    const char *machine; /* as people call it */
    struct verdicts all;
};

struct site {
    const char *folder; /* where it is written */
    struct site_run *runs;
    int count;
    struct names left_out; /* runs that cannot be read, and why */
};

static const char front[] = "index.html|All papers and runs";

/* --- the runs --- */

static const char *base_name(const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    size_t begin = length;
    while (begin > 0 && folder[begin - 1] != '/')
        begin--;
    return internf("%.*s", (int)(length - begin), folder + begin);
}

/* A folder may have any name. */
static const char *link_to(const char *path)
{
    struct text out = {0};
    for (const char *c = path; *c != '\0'; c++)
        text_add(&out, isalnum((unsigned char)*c) || strchr("-._~/", *c) != NULL ? "%c" : "%%%02X",
                 (unsigned char)*c);
    const char *const link = intern(out.data);
    text_free(&out);
    return link;
}

static bool path_taken(const struct site *site, const char *path)
{
    bool taken = false;
    for (int i = 0; i < site->count; i++)
        taken = taken || site->runs[i].path == path;
    return taken;
}

static enum status add_run(struct site *site, const char *folder)
{
    struct site_run run;
    const enum status status = verdicts_load(folder, NULL, &run.all);
    if (status != OK)
        return status;
    /* "." and the like have no name of their own */
    char *const whole = realpath(folder, NULL);
    const char *const name = base_name(whole != NULL ? whole : folder);
    const char *slug = machine_slug(&run.all.folder.facts);
    slug = slug[0] != '\0' ? slug : "machine";
    run.path = internf("%s/%s", slug, name);
    for (int k = 2; path_taken(site, run.path); k++)
        run.path = internf("%s/%s-%d", slug, name, k);
    run.link = link_to(run.path);
    run.machine = machine_title(&run.all.folder.facts);
    free(whole);
    struct site_run *const runs =
        realloc(site->runs, ((size_t)site->count + 1) * sizeof *site->runs);
    if (runs == NULL)
        abort(); /* a few kilobytes */
    site->runs = runs;
    site->runs[site->count++] = run;
    return OK;
}

static bool is_run(const char *folder)
{
    return access(internf("%s/run.csv", folder), F_OK) == 0;
}

/* The runs below a folder, but for parts of a run. One that cannot be read is left out, and said.
 */
static int add_runs_below(struct site *site, const char *folder)
{
    glob_t found = {0};
    int count = 0;
    (void)glob(internf("%s/*/run.csv", folder), 0, NULL, &found);
    (void)glob(internf("%s/*/*/run.csv", folder), GLOB_APPEND, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *const path = found.gl_pathv[i];
        const char *const run = internf("%.*s", (int)(strlen(path) - strlen("/run.csv")), path);
        if (is_run(internf("%.*s", (int)(strrchr(run, '/') - run), run)))
            continue;
        count++;
        if (add_run(site, run) != OK)
            names_add(&site->left_out, intern(reason()));
    }
    globfree(&found);
    return count;
}

static enum status find_runs(struct site *site, const char *const *words, int count)
{
    enum status status = OK;
    struct stat info;
    for (int i = 0; i < count && status == OK; i++)
        if (stat(words[i], &info) != 0 || !S_ISDIR(info.st_mode))
            status = because(ERR_ARGS, "%s is no folder", words[i]);
        else if (is_run(words[i]))
            status = add_run(site, words[i]);
        else if (add_runs_below(site, words[i]) == 0)
            status =
                because(ERR_ARGS, "%s has no runs: a run's folder has a file run.csv", words[i]);
    for (size_t i = 0; i < site->left_out.count; i++)
        fprintf(stderr, "left out: %s\n", site->left_out.list[i]);
    if (status == OK && site->count == 0)
        status = because(ERR_IO, "none of these runs can be read");
    return status;
}

/* By machine, the newest first. */
static int by_machine(const void *a, const void *b)
{
    const struct site_run *const x = a, *const y = b;
    const int by_name = strcmp(x->machine, y->machine);
    return by_name != 0 ? by_name
                        : strcmp(facts_get(&y->all.folder.facts, "start"),
                                 facts_get(&x->all.folder.facts, "start"));
}

/* --- what stands for a machine --- */

/* How much of what the paper prints and claims the run has. */
static int measured_of(const struct verdicts *all, const struct paper *paper)
{
    int count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *const c = &all->cells[i];
        count +=
            c->paper == paper && c->verdict != VERDICT_NOT_MEASURED && !isnan(c->printed.value);
    }
    for (size_t i = 0; i < all->claim_count; i++)
        count += all->claims[i].paper == paper && all->claims[i].hold[HERE] != CLAIM_NOT_MEASURED;
    return count;
}

/* A whole run at the paper's sizes comes before any other, then what has more, then the newest. */
static bool is_better(const struct site_run *a, const struct site_run *b, const struct paper *paper)
{
    const struct facts *const fa = &a->all.folder.facts, *const fb = &b->all.folder.facts;
    const bool paper_a = fact_is(fa, "size", "paper"), paper_b = fact_is(fb, "size", "paper");
    const int has_a = measured_of(&a->all, paper), has_b = measured_of(&b->all, paper);
    if (paper_a != paper_b)
        return paper_a;
    if (has_a != has_b)
        return has_a > has_b;
    return strcmp(facts_get(fa, "start"), facts_get(fb, "start")) > 0;
}

/* The runs that stand for their machines on a paper, a machine each, in the machines' order. Those
 * that have none of its numbers are left out, unless there are no others or `all` are asked for. */
static int best_runs(const struct site *site, const struct paper *paper, bool all,
                     const struct site_run **out)
{
    int count = 0;
    bool any = false;
    for (int i = 0; i < site->count; i++)
        any = any || measured_of(&site->runs[i].all, paper) > 0;
    for (int i = 0; i < site->count; i++) {
        const struct site_run *const run = &site->runs[i];
        if (!all && (!run_has(&run->all, paper) || (any && measured_of(&run->all, paper) == 0)))
            continue;
        if (count > 0 && strcmp(out[count - 1]->machine, run->machine) == 0) {
            if (is_better(run, out[count - 1], paper))
                out[count - 1] = run;
        } else {
            out[count++] = run;
        }
    }
    return count;
}

static const struct site_run **room_for_runs(const struct site *site)
{
    const struct site_run **const runs = calloc((size_t)site->count + 1, sizeof(void *));
    if (runs == NULL)
        abort(); /* a few bytes */
    return runs;
}

/* Those on a real GPU come before any other, then the better one. */
static const struct site_run *leading(const struct site_run *const *runs, int count,
                                      const struct paper *paper)
{
    const struct site_run *best = NULL;
    for (int i = 0; i < count; i++) {
        const bool real = ran_on_gpu(&runs[i]->all.folder.facts);
        const bool have = best != NULL && ran_on_gpu(&best->all.folder.facts);
        if (best == NULL || (real != have ? real : is_better(runs[i], best, paper)))
            best = runs[i];
    }
    return best;
}

/* --- a run: its page, and one for each exhibit --- */

static enum status make_folder(const char *path)
{
    return mkdir(path, 0755) == 0 || errno == EEXIST
               ? OK
               : because(ERR_IO, "cannot make the folder %s: %s", path, strerror(errno));
}

/* What figures are drawn of, and what rows speak of. */
static enum status write_rows(const struct verdicts *all, const char *folder)
{
    struct text out = {0};
    text_add(&out, "%s", measured_header);
    for (size_t i = 0; i < all->folder.row_count; i++)
        measurement_print(&all->folder.rows[i], &out);
    const enum status status = write_file(internf("%s/measured.csv", folder), out.data, out.length);
    text_free(&out);
    return status;
}

static void add_exhibits(struct report *report)
{
    static const char *const head[] = {"exhibit", "where", "what"};
    struct grid grid;
    int rows = 0;
    grid_make(&grid, 1, 3);
    grid_row(&grid, 0, head);
    grid.texts = 3;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL; e++) {
            if (!exhibit_in_run(&report->all->folder, e))
                continue;
            grid_grow(&grid, 2 + rows);
            grid_row(&grid, ++rows, (const char *const[]){e->id, e->where, e->title});
            grid_link(&grid, rows, 0, internf("./%s.html", e->id));
        }
    page_section(&report->page, "exhibits", "Tables, figures and rows");
    page_table(&report->page, "", &grid);
    grid_free(&grid);
}

static enum status write_exhibit(const struct site_run *run, const struct paper *paper,
                                 const struct exhibit *e, const char *folder,
                                 const struct figures *figures)
{
    struct report report = {.folder = folder,
                            .all = &run->all,
                            .page.of_site = true,
                            .exhibit_page = true,
                            .figures = figures};
    const char *const above = internf("index.html|%s, %s", run->machine, base_name(run->path));
    const char *const of_paper = internf("../../%s.html|%s", paper->id, paper_title(paper));
    const bool has_page = run_has(&run->all, paper);
    const char *const trail[] = {internf("../../%s", front), above, has_page ? of_paper : NULL,
                                 NULL};
    enum status status = add_exhibit(&report, e);
    add_rows(&report, e);
    if (status == OK)
        status = page_write_of_site(&report.page, internf("%s/%s.html", folder, e->id), "../../",
                                    trail, internf("%s: %s", e->where, e->id), e->title);
    page_free(&report.page);
    return status;
}

static enum status write_exhibits(const struct site_run *run, const char *folder,
                                  struct figures *figures)
{
    /* Only to draw from: what the run has of fields is large. */
    const char *const fields = internf("%s/fields", folder);
    char *const own = realpath(internf("%s/fields", run->all.folder.name), NULL);
    enum status status = OK;
    if (own != NULL && symlink(own, fields) != 0)
        status = because(ERR_IO, "cannot make the link %s: %s", fields, strerror(errno));
    if (status == OK)
        status = draw_figures(&run->all, folder, true, figures);
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL && status == OK; e++)
            if (exhibit_in_run(&run->all.folder, e))
                status = write_exhibit(run, papers[i], e, folder, figures);
    if (own != NULL)
        (void)unlink(fields);
    free(own);
    return status;
}

static enum status write_run_page(const struct site_run *run, const char *folder,
                                  const struct figures *figures)
{
    struct report report = {
        .folder = folder, .all = &run->all, .page.of_site = true, .figures = figures};
    const struct facts *const facts = &run->all.folder.facts;
    const char *const trail[] = {internf("../../%s", front), NULL};
    if (run->all.folder.standing.said != NULL)
        page_paragraph(&report.page, "The run is %s.", run->all.folder.standing.said);
    page_paragraph(&report.page, "%s, commit %s%s, %s, %s sizes", facts_get(facts, "program"),
                   facts_get(facts, "commit"),
                   fact_is(facts, "dirty", "1") ? " (changed tree)" : "", facts_get(facts, "start"),
                   facts_get(facts, "size"));
    for (int i = 0; papers[i] != NULL; i++)
        if (run_has(&run->all, papers[i]))
            page_link(&report.page, internf("../../%s.html", papers[i]->id), paper_title(papers[i]),
                      internf(". %s", headline(&run->all, papers[i])));
    page_link(&report.page, "compared.csv", "compared.csv",
              ": printed beside measured, all numbers of these pages");
    page_link(&report.page, "measured.csv", "measured.csv", ": all that was measured");
    if (run->all.folder.reworked)
        page_paragraph(&report.page, "%s", said_of_reworked(&run->all.folder));
    add_overview(&report);
    add_exhibits(&report);
    add_ceilings(&report);
    add_joules(&report);
    enum status status = add_roofline(&run->all, folder, &report.page, figures);
    add_claims(&report);
    add_errata(&report);
    add_missing(&report);
    add_run_facts(&report);
    if (status == OK)
        status = page_write_of_site(&report.page, internf("%s/index.html", folder), "../../", trail,
                                    internf("%s, %s", run->machine, base_name(run->path)),
                                    run->all.last_line);
    page_free(&report.page);
    return status;
}

static enum status write_run(const struct site *site, const struct site_run *run)
{
    const char *const folder = internf("%s/%s", site->folder, run->path);
    const struct report compared = {.folder = folder, .all = &run->all};
    struct figures figures = {{0}, {0}};
    enum status status =
        make_folder(internf("%s/%.*s", site->folder, (int)strcspn(run->path, "/"), run->path));
    if (status == OK)
        status = make_folder(folder);
    if (status == OK)
        status = make_folder(internf("%s/figures", folder));
    if (status == OK)
        status = write_rows(&run->all, folder);
    if (status == OK)
        status = write_compared(&compared);
    if (status == OK)
        status = write_exhibits(run, folder, &figures);
    if (status == OK)
        status = write_run_page(run, folder, &figures);
    figures_say(&figures, run->all.folder.name);
    figures_free(&figures);
    return status;
}

/* --- a paper --- */

/* What to look for where the links behind it lead; nothing where none was measured. */
static const char *before_rows(const struct outcome *o)
{
    const char *const right = o->claim->right;
    return o->cells[HERE] == 0
               ? ""
               : internf(" Rows of %s%s%s: ", o->claim->left, right != NULL ? " beside " : "",
                         right != NULL ? right : "");
}

/* Bits of enum hold. */
static void add_claims_that(struct page *page, const struct site_run *run,
                            const struct paper *paper, const char *title, unsigned holds)
{
    const char *const folder = internf("./%s/", run->link);
    struct grid said;
    int count = 0;
    grid_make(&said, 0, 2);
    said.texts = 2;
    for (size_t i = 0; i < run->all.claim_count; i++) {
        const struct outcome *const o = &run->all.claims[i];
        if (o->paper != paper || (1u << o->hold[HERE] & holds) == 0)
            continue;
        grid_grow(&said, 1 + count);
        grid_put(&said, count, 0, internf("%s%s", said_of_claim(o), before_rows(o)));
        claim_rows(&run->all, o, folder, &said, count++, 1);
    }
    if (count > 0)
        page_paragraph(page, "%s", title);
    page_list(page, &said);
    grid_free(&said);
}

static void add_machine(struct page *page, const struct site_run *run, const struct paper *paper)
{
    const struct facts *const facts = &run->all.folder.facts;
    const char *const said[] = {said_of_numbers(&run->all, paper), said_of_speed(&run->all, paper),
                                said_of_speedup(&run->all, paper),
                                said_of_claims(&run->all, paper)};
    page_section(page, intern(machine_slug(facts)), internf("On %s", run->machine));
    page_link(page, internf("%s/index.html", run->link), internf("Run %s", base_name(run->path)),
              internf(": commit %s, %s sizes%s%s", facts_get(facts, "commit"),
                      facts_get(facts, "size"), run->all.folder.standing.said != NULL ? ", " : "",
                      run->all.folder.standing.said != NULL ? run->all.folder.standing.said : ""));
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (said[i][0] != '\0')
            page_paragraph(page, "%s", said[i]);
    add_claims_that(page, run, paper, "What holds:", 1u << HOLDS);
    add_claims_that(page, run, paper, "What does not, or not everywhere, and why if that is known:",
                    1u << PARTLY | 1u << TIED | 1u << REVERSED);
    add_claims_that(page, run, paper, "What was not measured:", 1u << CLAIM_NOT_MEASURED);
}

static int by_place(const void *a, const void *b)
{
    const struct exhibit *const x = *(const struct exhibit *const *)a;
    const struct exhibit *const y = *(const struct exhibit *const *)b;
    const int by_name = strverscmp(x->where, y->where);
    return by_name != 0 ? by_name : (x > y) - (x < y);
}

static bool stood_before(const struct paper *paper, const struct exhibit *e)
{
    bool before = false;
    for (const struct exhibit *f = paper->exhibits; f != e; f++)
        before = before || strcmp(f->where, e->where) == 0;
    return before;
}

/* The figures that its best run has. */
static void add_figures(const struct site *site, struct page *page, const struct site_run *run,
                        const struct exhibit *const *exhibits, int count)
{
    for (int i = 0; i < count; i++) {
        const char *const file = internf("figures/%s.svg", exhibits[i]->id);
        if (access(internf("%s/%s/%s", site->folder, run->path, file), F_OK) == 0)
            page_image(page, internf("%s/%s", run->link, file), exhibits[i]->title);
    }
}

static bool is_in_print(const struct shown_run *shown, int count, const struct exhibit *e)
{
    bool any = false;
    for (int k = 0; k < count; k++)
        for (size_t i = 0; i < shown[k].all->count && !any; i++)
            any = shown[k].all->cells[i].exhibit == e &&
                  shown[k].all->cells[i].printed.digits[0] != '\0';
    return any;
}

/* All that the paper shows in one place, as Table 2. */
static void add_place(const struct site *site, struct page *page, const struct paper *paper,
                      const struct exhibit *first, const struct shown_run *shown,
                      const struct site_run *const *runs, int count)
{
    const struct exhibit *exhibits[64];
    struct grid grid;
    int exhibit_count = 0;
    const char *titles = "";
    for (const struct exhibit *e = first; e->id != NULL && exhibit_count < 64; e++) {
        if (strcmp(e->where, first->where) != 0 || e->published != NULL)
            continue;
        exhibits[exhibit_count++] = e;
        if (is_in_print(shown, count, e))
            titles = internf("%s%s%s", titles, titles[0] != '\0' ? "; " : "", e->title);
    }
    if (!printed_table(exhibits, exhibit_count, NULL, shown, count, &grid))
        return;
    page_section(page, first->id, first->where);
    page_paragraph(page, "%s", titles);
    page_table(page, "", &grid);
    grid_free(&grid);
    add_figures(site, page, leading(runs, count, paper), exhibits, exhibit_count);
}

/* In the order of their names: Table 1, 2, 10. */
static void add_places(const struct site *site, struct page *page, const struct paper *paper,
                       const struct shown_run *shown, const struct site_run *const *runs, int count)
{
    const struct exhibit *first[128];
    size_t places = 0;
    for (const struct exhibit *e = paper->exhibits; e->id != NULL && places < 128; e++)
        if (e->published == NULL && !stood_before(paper, e))
            first[places++] = e;
    qsort(first, places, sizeof(void *), by_place);
    for (size_t i = 0; i < places; i++)
        add_place(site, page, paper, first[i], shown, runs, count);
}

static void add_paper_errata(struct page *page, const struct paper *paper)
{
    static const char *const head[] = {"id", "place", "printed", "correct", "how we know"};
    struct grid grid;
    int rows = 0;
    grid_make(&grid, 1, 5);
    grid_row(&grid, 0, head);
    grid.texts = 5;
    for (const struct erratum *e = errata_of(paper); e->id != NULL; e++) {
        grid_grow(&grid, 2 + rows);
        grid_row(&grid, ++rows,
                 (const char *const[]){e->id, e->place, e->printed, e->corrected, e->evidence});
    }
    if (rows > 0) {
        page_section(page, "errata", "Errata, and what the paper leaves open");
        page_table(page, "", &grid);
    }
    grid_free(&grid);
}

static enum status write_paper(const struct site *site, const struct paper *paper)
{
    const struct site_run **const runs = room_for_runs(site);
    const int count = best_runs(site, paper, false, runs);
    struct shown_run *const shown = calloc((size_t)count + 1, sizeof *shown);
    const char *const trail[] = {front, NULL};
    struct page page = {.of_site = true};
    enum status status = OK;
    if (shown == NULL)
        abort(); /* a few bytes */
    for (int i = 0; i < count; i++)
        shown[i] =
            (struct shown_run){runs[i]->machine, internf("./%s/", runs[i]->link), &runs[i]->all};
    page_paragraph(&page, "%s", paper->citation);
    for (int i = 0; i < count; i++)
        add_machine(&page, runs[i], paper);
    add_places(site, &page, paper, shown, runs, count);
    add_paper_errata(&page, paper);
    if (count > 0)
        status = page_write_of_site(&page, internf("%s/%s.html", site->folder, paper->id), "",
                                    trail, paper_title(paper), "");
    page_free(&page);
    free(shown);
    free(runs);
    return status;
}

/* --- machines side by side --- */

static const char *ratio_shown(double ratio)
{
    return ratio > 0 && isfinite(ratio) ? internf(ratio < 1000 ? "%.3g" : "%.0f", ratio) : "-";
}

/* The columns that say why, and how near either side came to what its machine allows. */
enum { WHY_WORDS = 10 };
#define WHY_HEAD                                                                                   \
    "times as fast here", "by memory", "by arithmetic", "by launches", "rest", "of limit there",   \
        "of limit here", "of task there", "of task here", "note"

static void why_words(const struct mean *m, const char *words[WHY_WORDS])
{
    const double numbers[WHY_WORDS - 1] = {
        m->why.faster,          m->why.by[OF_MEMORY], m->why.by[OF_ARITHMETIC],
        m->why.by[OF_LAUNCHES], m->why.rest,          m->against[0].limit,
        m->against[1].limit,    m->against[0].task,   m->against[1].task};
    for (int i = 0; i < WHY_WORDS - 1; i++)
        words[i] = ratio_shown(numbers[i]);
    const bool fastest = strncmp(m->key.variant, "fastest-", strlen("fastest-")) == 0;
    const char *const errata = errata_shown(m->errata);
    words[WHY_WORDS - 1] = !fastest
                               ? errata
                               : internf("%s there, %s here%s%s", m->variants[0], m->variants[1],
                                         errata[0] != '\0' ? "; " : "", errata);
}

static const char *method_word(const struct mean *m)
{
    return internf("%s %s %s", m->key.exhibit, m->key.variant, m->key.precision);
}

/* The fastest variant may have solved the task in another exhibit. */
static void link_method(struct grid *grid, int row, const struct site_run *run,
                        const struct mean *m)
{
    if (exhibit_in_run(&run->all.folder, find_exhibit(m->key.exhibit, NULL)))
        grid_link(grid, row, 0, internf("./%s/%s.html", run->link, m->key.exhibit));
}

static bool is_of(const struct mean *m, const struct paper *paper)
{
    const struct paper *of = NULL;
    return find_exhibit(m->key.exhibit, &of) != NULL && of == paper;
}

static enum status add_generations(struct page *page, const struct site_run *run,
                                   const struct paper *paper)
{
    enum { FIRST = 4 };
    static const char *const head[FIRST + WHY_WORDS] = {
        "variant of an exhibit", "machine of the paper", "year", "jobs", WHY_HEAD};
    const struct side side = side_of(&run->all.folder);
    struct generation *list = NULL;
    struct grid grid;
    size_t count = 0;
    int rows = 0;
    const enum status status = generations_beside(&side, NULL, &list, &count);
    grid_make(&grid, 1, FIRST + WHY_WORDS);
    grid_row(&grid, 0, head);
    grid.texts = 3;
    grid.notes = true;
    for (size_t i = 0; i < count; i++) {
        const struct generation *const g = &list[i];
        const char *words[FIRST + WHY_WORDS] = {method_word(&g->mean), g->machine, g->year,
                                                internf("%d", g->mean.jobs)};
        if (!is_of(&g->mean, paper))
            continue;
        why_words(&g->mean, words + FIRST);
        grid_grow(&grid, 2 + rows);
        grid_row(&grid, ++rows, words);
        link_method(&grid, rows, run, &g->mean);
    }
    if (rows > 0)
        page_table(page, internf("%s: the paper's machines and %s", paper->id, run->machine),
                   &grid);
    grid_free(&grid);
    free(list);
    return status;
}

/* The jobs of a paper of which both have a time; to be freed. */
static struct couple *couples_of(const struct site_run *a, const struct site_run *b,
                                 const struct paper *paper, size_t *count)
{
    const struct folder *const run = &a->all.folder;
    struct couple *const list = calloc(run->record_count + 1, sizeof *list);
    if (list == NULL)
        abort(); /* as page_table() does */
    *count = 0;
    for (size_t i = 0; i < run->record_count; i++) {
        const struct record *const x = &run->records[i];
        const struct paper *of = NULL;
        const struct record *const y = timed_record(&b->all.folder, &x->key);
        if (y != NULL && timed_record(run, &x->key) == x && !is_ceiling_key(&x->key) &&
            find_exhibit(x->key.exhibit, &of) != NULL && of == paper)
            list[(*count)++] = (struct couple){x->key, {x, y}};
    }
    return list;
}

static enum status add_means(struct page *page, const struct side *const sides[2],
                             const struct site_run *b, const struct paper *paper,
                             const struct couple *couples, size_t couple_count, const char *title)
{
    enum { FIRST = 2 };
    static const char *const head[FIRST + WHY_WORDS] = {"variant of an exhibit", "jobs", WHY_HEAD};
    struct mean *means = NULL;
    struct grid grid;
    size_t count = 0;
    int rows = 0;
    const enum status status = means_of(sides, couples, couple_count, &means, &count);
    grid_make(&grid, 1, FIRST + WHY_WORDS);
    grid_row(&grid, 0, head);
    grid.notes = true;
    for (size_t i = 0; i < count && status == OK; i++) {
        const char *words[FIRST + WHY_WORDS] = {method_word(&means[i]),
                                                internf("%d", means[i].jobs)};
        if (!is_of(&means[i], paper))
            continue;
        why_words(&means[i], words + FIRST);
        grid_grow(&grid, 2 + rows);
        grid_row(&grid, ++rows, words);
        link_method(&grid, rows, b, &means[i]);
    }
    if (rows > 0)
        page_table(page, title, &grid);
    grid_free(&grid);
    free(means);
    return status;
}

static enum status add_pair(struct page *page, const struct site_run *a, const struct site_run *b,
                            const struct paper *paper)
{
    const struct side there = side_of(&a->all.folder), here = side_of(&b->all.folder);
    const struct side *const sides[] = {&there, &here};
    struct couple *fastest = NULL;
    size_t count = 0, fastest_count = 0;
    struct couple *const couples = couples_of(a, b, paper, &count);
    enum status status = fastest_of(sides, NULL, &fastest, &fastest_count);
    if (status == OK)
        status = add_means(page, sides, b, paper, couples, count,
                           internf("%s: %s, and here %s", paper->id, a->machine, b->machine));
    if (status == OK && fastest_count > 0)
        status = add_means(page, sides, b, paper, fastest, fastest_count,
                           internf("%s: the fastest variants of %s, and here of %s", paper->id,
                                   a->machine, b->machine));
    free(couples);
    free(fastest);
    return status;
}

/* A machine a column, its newest run that has them; rows as many as there are. */
static void add_machine_facts(const struct site *site, struct page *page)
{
    static const char *const names[] = {
        "gpu_name",          "cpu_model",  "cpu_threads", "gpu_memory_bytes",
        "gpu_clock_max_mhz", "gpu_driver", "nvcc",        "commit"};
    enum { NAMES = sizeof names / sizeof *names };
    const struct site_run **const runs = room_for_runs(site);
    struct grid grid;
    int count = 0;
    for (int i = 0; i < site->count; i++)
        if (count == 0 || strcmp(runs[count - 1]->machine, site->runs[i].machine) != 0)
            runs[count++] = &site->runs[i];
    grid_make(&grid, 3 + NAMES, 1 + count);
    grid.texts = 1 + count;
    grid_put(&grid, 0, 0, "what");
    grid_put(&grid, 1 + NAMES, 0, "copy on the GPU, GB/s");
    grid_put(&grid, 2 + NAMES, 0, "x += c a on the CPU, GB/s");
    for (int k = 0; k < NAMES; k++)
        grid_put(&grid, 1 + k, 0, names[k]);
    for (int i = 0; i < count; i++) {
        const struct folder *const folder = &runs[i]->all.folder;
        grid_put(&grid, 0, 1 + i, runs[i]->machine);
        for (int k = 0; k < NAMES; k++) {
            const char *const fact = facts_get(&folder->facts, names[k]);
            grid_put(&grid, 1 + k, 1 + i, fact[0] != '\0' ? fact : "-");
        }
        for (int host = 0; host < 2; host++)
            grid_put(&grid, 1 + NAMES + host, 1 + i,
                     ratio_shown(1e-9 * copy_bandwidth(folder, host == 0)));
    }
    page_section(page, "machines", "The machines");
    page_table(page, "", &grid);
    grid_free(&grid);
    free(runs);
}

static enum status write_machines(const struct site *site)
{
    const struct site_run **const runs = room_for_runs(site);
    const char *const trail[] = {front, NULL};
    struct page page = {.of_site = true};
    enum status status = OK;
    add_machine_facts(site, &page);
    page_section(&page, "today", "Machines of today");
    page_paragraph(
        &page,
        "Geometric means over the jobs of which both machines have a time. How many times as fast "
        "a variant is on the second one is the product of what that machine's memory, arithmetic "
        "and launches are faster by, as far as they are the limit, and the rest: how much nearer "
        "to its limit it came. The limit is that of a variant's own work, the task's the same for "
        "all variants. The fastest are those of each machine, whichever they are.");
    const size_t before = page.markdown.length;
    for (int i = 0; papers[i] != NULL; i++) {
        const int count = best_runs(site, papers[i], true, runs);
        for (int a = 0; a < count; a++)
            for (int b = a + 1; b < count && status == OK; b++)
                status = add_pair(&page, runs[a], runs[b], papers[i]);
    }
    if (page.markdown.length == before)
        page_paragraph(&page, "No two of them have a task in common.");
    page_section(&page, "papers", "The papers' machines");
    page_paragraph(
        &page, "Geometric means over the jobs whose time is printed, by the data sheet of the "
               "paper's machine, which says nothing of launches and flatters ours. The limit is "
               "that of a variant's own work; above 1 the data are in a cache. To compare one "
               "variant with another, take the share of the task's limit. Errata make the printed "
               "task another one than ours, and have a part in the rest.");
    for (int i = 0; papers[i] != NULL && status == OK; i++) {
        const int count = best_runs(site, papers[i], false, runs);
        for (int k = 0; k < count && status == OK; k++)
            status = add_generations(&page, runs[k], papers[i]);
    }
    if (status == OK)
        status = page_write_of_site(&page, internf("%s/machines.html", site->folder), "", trail,
                                    "Machines side by side", "");
    page_free(&page);
    free(runs);
    return status;
}

/* --- the front page --- */

/* The column of a machine, as runs are sorted by machine. */
static int machine_column(const struct site *site, const struct site_run *run)
{
    int column = 0;
    for (int i = 1; i < site->count && &site->runs[i] <= run; i++)
        column += strcmp(site->runs[i].machine, site->runs[i - 1].machine) != 0;
    return column;
}

static void add_papers(const struct site *site, struct page *page)
{
    const int machines = 1 + machine_column(site, &site->runs[site->count - 1]);
    const struct site_run **const runs = room_for_runs(site);
    struct grid grid;
    int rows = 0;
    grid_make(&grid, 1, 1 + machines);
    grid.texts = 1 + machines;
    grid_put(&grid, 0, 0, "paper");
    for (int i = 0; i < site->count; i++)
        grid_put(&grid, 0, 1 + machine_column(site, &site->runs[i]), site->runs[i].machine);
    for (int i = 0; papers[i] != NULL; i++) {
        const int count = best_runs(site, papers[i], false, runs);
        if (count == 0)
            continue;
        grid_grow(&grid, 2 + rows++);
        grid_put(&grid, rows, 0, internf("%s: %s", papers[i]->id, paper_title(papers[i])));
        grid_link(&grid, rows, 0, internf("./%s.html", papers[i]->id));
        for (int k = 0; k < machines; k++)
            grid_put(&grid, rows, 1 + k, "not measured");
        for (int k = 0; k < count; k++) {
            const int column = 1 + machine_column(site, runs[k]);
            grid_put(&grid, rows, column, paper_status(&runs[k]->all, papers[i]));
            grid_link(&grid, rows, column, internf("./%s/index.html", runs[k]->link));
        }
    }
    page_section(page, "papers", "Papers by machines");
    if (rows > 0)
        page_table(page, "", &grid);
    else
        page_paragraph(page, "No run has an exhibit of a paper.");
    for (int i = 0; papers[i] != NULL; i++) {
        const struct site_run *const run =
            leading(runs, best_runs(site, papers[i], false, runs), papers[i]);
        const char *const said = run != NULL ? headline(&run->all, papers[i]) : "";
        if (said[0] != '\0')
            page_link(page, internf("%s.html", papers[i]->id), paper_title(papers[i]),
                      internf(", on %s. %s", run->machine, said));
    }
    grid_free(&grid);
    free(runs);
}

static void add_runs(const struct site *site, struct page *page)
{
    static const char *const head[] = {"run", "machine", "began", "commit", "sizes", "verdict"};
    struct grid grid;
    grid_make(&grid, 1 + site->count, 6);
    grid_row(&grid, 0, head);
    grid.texts = 6;
    for (int i = 0; i < site->count; i++) {
        const struct site_run *const run = &site->runs[i];
        const struct facts *const facts = &run->all.folder.facts;
        grid_row(&grid, 1 + i,
                 (const char *const[]){base_name(run->path), run->machine,
                                       facts_get(facts, "start"), facts_get(facts, "commit"),
                                       facts_get(facts, "size"), run->all.last_line});
        grid_link(&grid, 1 + i, 0, internf("./%s/index.html", run->link));
    }
    page_section(page, "runs", "Runs");
    page_table(page, "", &grid);
    grid_free(&grid);
    if (site->left_out.count > 0)
        page_paragraph(page, "Left out, because they cannot be read:");
    grid_make(&grid, (int)site->left_out.count, 1);
    for (size_t i = 0; i < site->left_out.count; i++)
        grid_put(&grid, (int)i, 0, site->left_out.list[i]);
    page_list(page, &grid);
    grid_free(&grid);
}

static enum status write_front(const struct site *site)
{
    const char *const trail[] = {NULL};
    struct page page = {.of_site = true};
    page_paragraph(&page, "What papers printed, beside what the same experiments give on machines "
                          "of today. In a paper's tables every number that was measured leads to "
                          "its row; every claim leads, table by table, to the first of the rows "
                          "that it was judged on.");
    add_papers(site, &page);
    page_link(&page, "machines.html", "Machines side by side",
              ": those of the papers, and those of today");
    add_runs(site, &page);
    const enum status status = page_write_of_site(&page, internf("%s/index.html", site->folder), "",
                                                  trail, "Papers, run again", "");
    page_free(&page);
    return status;
}

/* --- the whole --- */

static enum status write_site(const struct site *site)
{
    enum status status = page_write_shared(site->folder);
    for (int i = 0; i < site->count && status == OK; i++)
        status = write_run(site, &site->runs[i]);
    for (int i = 0; papers[i] != NULL && status == OK; i++)
        status = write_paper(site, papers[i]); /* after the runs, whose figures it shows */
    if (status == OK)
        status = write_machines(site);
    return status == OK ? write_front(site) : status;
}

int site_of(const char *const *words, int count, const char *out)
{
    struct site site = {.runs = NULL};
    struct publication publication;
    enum status status = find_runs(&site, words, count);
    if (status == OK)
        status = publish_begin(out, &publication);
    if (status == OK) {
        site.folder = publication.part;
        qsort(site.runs, (size_t)site.count, sizeof *site.runs, by_machine);
        status = write_site(&site);
        if (status == OK)
            status = publish_end(&publication);
        else
            publish_drop(&publication);
    }
    if (status == OK)
        printf("%s/index.html\n", publication.folder);
    for (int i = 0; i < site.count; i++)
        verdicts_free(&site.runs[i].all);
    free(site.runs);
    free(site.left_out.list);
    return status == OK ? 0 : failed(status);
}
