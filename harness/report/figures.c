/*
 * Figures: the script of an exhibit's figure, which gnuplot draws in the folder of the run. Its
 * head says what the exhibit and its family say: metric, axes, variants and their roles. The
 * rest is that of plots/EXHIBIT.gp, or loads from plots/lib/ what suits the exhibit.
 */
#include "report/figures.h"

#include <dirent.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core.h"
#include "base/embedded.h"
#include "base/gnuplot.h"
#include "base/intern.h"
#include "compare/side.h"
#include "compare/why.h"
#include "report/tables.h"

/* known and roles: all variants of the family, once each, and beside them what they are. */
static void add_family(struct text *t, const struct family *family)
{
    struct text roles = {0};
    text_add(t, "known = '");
    for (const struct variant *v = family->variants; v->id != NULL; v++)
        if (find_variant(family, v->id, NULL) == v) {
            text_add(t, " %s", v->id);
            text_add(&roles, " %s", role_name(v->role));
        }
    text_add(t, "'\nroles = '%s'\n", roles.data);
    text_free(&roles);
}

static bool same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Shows other numbers of the same jobs: what is printed beside them belongs into the figure. */
static bool belongs(const struct exhibit *e, const struct exhibit *other)
{
    return other == e ||
           (e->view_of != NULL && same(e->view_of, other->view_of) &&
            same(e->precision, other->precision) && exhibit_cases(e) == exhibit_cases(other));
}

/* machines: "GTX260, Core2Duo", on which the figure's printed values were measured. */
static enum status add_machines(struct text *t, const struct verdicts *all, const struct exhibit *e)
{
    const char *between = "";
    struct printed_machine *machines;
    size_t count;
    const enum status status = machines_load(&machines, &count);
    if (status != OK)
        return status;
    text_add(t, "machines = '");
    for (size_t i = 0; i < count; i++) {
        bool any = false;
        for (size_t k = 0; k < all->count; k++) {
            const struct cell *c = &all->cells[k];
            any = any || (belongs(e, c->exhibit) && same(e->metric, c->metric) &&
                          fnmatch(machines[i].hardware, c->printed.hardware, 0) == 0);
        }
        if (any) {
            text_add(t, "%s%s", between, machines[i].name);
            between = ", ";
        }
    }
    text_add(t, "'\n");
    free(machines);
    return OK;
}

/* The N of STEM.N.csv; 0: the file has another name. */
static long field_size(const char *file, const char *stem)
{
    const size_t length = strlen(stem);
    if (strncmp(file, stem, length) != 0 || file[length] != '.')
        return 0;
    const char *const n = file + length + 1;
    const size_t digits = strspn(n, "0123456789");
    return digits < 12 && strcmp(n + digits, ".csv") == 0 ? strtol(n, NULL, 10) : 0;
}

/* STEM.N.csv with the largest N, as STEM:N. The name is put together again, and must then be a
 * file's: no word of the folder's goes into a script. */
static void add_largest_field(struct text *t, const char *folder, const char *stem)
{
    DIR *const files = opendir(internf("%s/fields", folder));
    struct dirent *file;
    struct stat info;
    long largest = 0;
    while (files != NULL && (file = readdir(files)) != NULL) {
        const long n = field_size(file->d_name, stem);
        if (n > largest && lstat(internf("%s/fields/%s.%ld.csv", folder, stem, n), &info) == 0 &&
            S_ISREG(info.st_mode))
            largest = n;
    }
    if (files != NULL)
        closedir(files);
    if (largest > 0)
        text_add(t, " %s:%ld", stem, largest);
}

/* The answers of the exhibit that the folder has. */
static const char *fields_of(const char *folder, const struct exhibit *e)
{
    const struct family *const family = find_family(e->family);
    struct text t = {0};
    text_add(&t, "%s", "");
    for (const struct exhibit_case *c = exhibit_cases(e); c->id != NULL; c++)
        for (const struct variant *v = family->variants; v->id != NULL; v++)
            add_largest_field(
                &t, folder,
                internf("%s.%s.%s.%s", e->id, c->id, v->id, precision_name(v->precision)));
    const char *const fields = intern(t.data);
    text_free(&t);
    return fields;
}

/* projected: what was too long to be measured, as VARIANT,N,SECONDS. */
static void add_projected(struct text *t, const struct verdicts *all, const struct exhibit *e)
{
    text_add(t, "projected = '");
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *const c = &all->cells[i];
        const double seconds = c->exhibit == e ? projected_time(all, c) : (double)NAN;
        if (!isnan(seconds))
            text_add(t, " %s,%s,%.6g", c->key.variant, c->key.n, seconds);
    }
    text_add(t, "'\n");
}

/* What every script begins with. */
static enum status add_head(struct text *t, const struct verdicts *all, const struct exhibit *e,
                            const char *folder)
{
    const struct family *family = find_family(e->family);
    const struct problem *problem = case_problem(family, exhibit_cases(e));
    const bool rate = same(family->rate, e->metric);
    text_add(t,
             "# Written by `report`. Draw it, in the run's folder, by\n"
             "#   gnuplot -c figures/%s.gp %s svg FILE\n",
             e->id, e->id);
    add_family(t, family);
    text_add(t, "metric = '%s'\nscale = %g\nvariants = '", e->metric,
             rate ? family->rate_scale : 1);
    for (const char *const *id = exhibit_variants(e); *id != NULL; id++)
        text_add(t, " %s", *id);
    text_add(t, "'\ncases = '");
    for (const struct exhibit_case *c = exhibit_cases(e); c->id != NULL; c++)
        text_add(t, " %s", c->id);
    text_add(t, "'\nexhibits = ' ");
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *other = papers[i]->exhibits; other->id != NULL; other++)
            if (belongs(e, other))
                text_add(t, "%s ", other->id);
    /* Sizes in equal steps stand so on their axis. */
    text_add(t, "'\nequal_steps = %d\nfalls = %d\n",
             strchr(source_exhibit(e)->axis.paper, ':') != NULL, e->falls_with_h);
    add_projected(t, all, e);
    text_add(t, "fields = '%s'\n", fields_of(folder, e));
    script_words(t, "where", e->where);
    script_words(t, "title", e->title);
    script_words(t, "size", problem->parameters->name);
    script_words(t, "meaning", problem->parameters->meaning);
    script_words(t, "quantity", e->figure != NULL ? e->figure : e->metric);
    script_words(t, "unit", rate ? family->rate_shown : "");
    return add_machines(t, all, e);
}

/* --- gnuplot, as often at once as the machine has threads --- */

enum { MOST_AT_ONCE = 64 };
struct drawers {
    const char *folder;
    struct figures *failed;
    int begun, ended, limit; /* the oldest is waited for first */
    struct drawer {
        pid_t pid;
        const char *id, *file;
    } list[MOST_AT_ONCE];
};

static const char *not_drawn(const struct figures *figures, const char *id)
{
    const char *why = NULL;
    for (size_t i = 0; i < figures->ids.count && why == NULL; i++)
        if (strcmp(figures->ids.list[i], id) == 0)
            why = figures->whys.list[i];
    return why;
}

static void note_not_drawn(struct figures *figures, const char *id, const char *why)
{
    if (not_drawn(figures, id) != NULL)
        return;
    names_add(&figures->ids, intern(id));
    names_add(&figures->whys, intern(why));
}

static const char *drawn_as(const char *file)
{
    return internf("%s.new", file);
}

/* A picture that is not whole is none, and no reason to lose the one that was there. */
static void wait_for_oldest(struct drawers *d)
{
    const struct drawer *const drawer = &d->list[d->ended++ % MOST_AT_ONCE];
    const char *const file = internf("%s/%s", d->folder, drawer->file);
    const char *const fresh = drawn_as(file);
    const int exit_status = gnuplot_end(drawer->pid, d->folder, drawn_as(drawer->file));
    const bool drawn = exit_status == 0 && rename(fresh, file) == 0;
    if (drawn)
        return;
    (void)unlink(fresh);
    note_not_drawn(d->failed, drawer->id,
                   exit_status == GNUPLOT_MISSING
                       ? "gnuplot is not installed; `make setup` installs it"
                   : exit_status != 0 ? internf("gnuplot failed, with exit status %d", exit_status)
                                      : "gnuplot wrote nothing");
}

static void wait_for_all(struct drawers *d)
{
    while (d->ended < d->begun)
        wait_for_oldest(d);
}

/* Starts gnuplot EXHIBIT TERMINAL OUTFILE, inside the folder. */
static void draw(struct drawers *d, const char *exhibit, const char *terminal, const char *suffix)
{
    const char *const file = internf("figures/%s.%s", exhibit, suffix);
    while (d->begun - d->ended >= d->limit)
        wait_for_oldest(d);
    const pid_t pid = gnuplot_start(d->folder, exhibit, terminal, drawn_as(file));
    d->list[d->begun++ % MOST_AT_ONCE] = (struct drawer){pid, exhibit, file};
}

static bool is_drawn(const char *folder, const char *id, const char *suffix)
{
    struct stat info;
    return lstat(internf("%s/figures/%s.%s", folder, id, suffix), &info) == 0 &&
           S_ISREG(info.st_mode);
}

/* A panel with more curves than this is not read. */
enum { MOST_TOGETHER = 6 };

/* What draws an exhibit that has no script of its own. */
static const char *usual_plot(const struct verdicts *all, const struct exhibit *e)
{
    const struct exhibit_case *const first = exhibit_cases(e);
    const char *precision = NULL;
    bool printed = false, several = first->id != NULL && first[1].id != NULL;
    struct text curves = {0};
    int count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *const c = &all->cells[i];
        if (c->exhibit != e)
            continue;
        printed = printed || c->printed.value > 0;
        several =
            several || (precision != NULL && c->reproduced > 0 && c->key.precision != precision);
        precision = c->reproduced > 0 ? c->key.precision : precision;
        const char *const curve = internf(" %s ", c->key.variant);
        if ((c->reproduced > 0 || c->printed.value > 0) &&
            (curves.data == NULL || strstr(curves.data, curve) == NULL)) {
            text_add(&curves, "%s", curve);
            count++;
        }
    }
    text_free(&curves);
    return e->over != NULL         ? "mean-and-range"
           : e->against != NULL    ? "over-ranks"
           : several && !printed   ? "by-case"
           : count > MOST_TOGETHER ? "by-role"
                                   : "over-n";
}

static bool has_numbers(const struct verdicts *all, const struct exhibit *e)
{
    bool any = false;
    for (size_t i = 0; i < all->count && !any; i++)
        any = all->cells[i].exhibit == e &&
              (all->cells[i].reproduced > 0 || all->cells[i].printed.value > 0);
    return any;
}

static bool has_figure(const struct verdicts *all, const struct exhibit *e)
{
    return has_numbers(all, e) &&
           (embedded_text(internf("%s.gp", e->id)) != NULL || e->figure != NULL);
}

/* The exhibit's rows of measured.csv, which need not be in the folder. */
static enum status write_measured_rows(const struct folder *run, const struct exhibit *e,
                                       const char *folder)
{
    struct text out = {0};
    text_add(&out, "%s", measured_header);
    for (size_t i = 0; i < run->row_count; i++)
        if (strcmp(run->rows[i].key.exhibit, e->id) == 0)
            measurement_print(&run->rows[i], &out);
    const enum status status =
        write_file(internf("%s/figures/%s.csv", folder, e->id), out.data, out.length);
    text_free(&out);
    return status;
}

static enum status write_script(const struct verdicts *all, const struct exhibit *e,
                                const char *folder)
{
    const char *const name = internf("%s.gp", e->id);
    const char *const own = embedded_text(name);
    struct text script = {0};
    enum status status = add_head(&script, all, e, folder);
    if (own != NULL)
        text_add(&script, "\n%s", own);
    else
        text_add(&script, "call \"figures/style.gp\" ARG1 ARG2 ARG3\nload \"figures/%s.gp\"\n",
                 usual_plot(all, e));
    if (status == OK)
        status = write_scripts(folder, name, script.data);
    if (status == OK && strstr(script.data, internf("\"figures/%s.csv\"", e->id)) != NULL)
        status = write_measured_rows(&all->folder, e, folder);
    text_free(&script);
    return status;
}

/* Onto the page: also one of before, if there is no other. */
static enum status put_figure(const char *folder, const char *id, const char *title,
                              struct page *page, const struct figures *figures)
{
    const char *const why = not_drawn(figures, id);
    const bool there = is_drawn(folder, id, "svg");
    if (why != NULL)
        page_paragraph(page, "The figure was not drawn%s: %s.",
                       there ? " again, and is of an earlier report" : "", why);
    return there ? page_figure(page, folder, id, title) : OK;
}

enum status add_figure(const struct verdicts *all, const struct exhibit *e, const char *folder,
                       struct page *page, const struct figures *figures)
{
    return has_figure(all, e) ? put_figure(folder, e->id, e->title, page, figures) : OK;
}

/* --- the roofline --- */

/* Of a variant in a precision the job with most operations; null: none has a time. */
static const struct record *largest_job(const struct side *run, const struct family *family,
                                        const struct variant *variant)
{
    const struct folder *const folder = &run->folder;
    const struct record *best = NULL;
    double most = 0;
    for (size_t i = 0; i < folder->record_count; i++) {
        const struct record *const r = &folder->records[i];
        const struct exhibit *const e = find_exhibit(r->key.exhibit, NULL);
        if (e == NULL || find_family(e->family) != family || is_ceiling_key(&r->key) ||
            find_variant(family, r->key.variant, r->key.precision) != variant ||
            timed_record(folder, &r->key) != r)
            continue;
        const double flops = folder_value(folder, &r->key, "flops", "model");
        if (flops > most && r->bytes > 0) {
            most = flops;
            best = r;
        }
    }
    return best;
}

/* A line for each point, and in `shown` the variants that have some. */
static int add_points(struct text *points, struct text *shown, const struct side *run,
                      const struct family *family)
{
    int count = 0;
    for (const struct variant *v = family->variants; v->id != NULL; v++) {
        const struct record *const r = v->ranks ? NULL : largest_job(run, family, v);
        if (r == NULL)
            continue;
        const double flops = folder_value(&run->folder, &r->key, "flops", "model");
        text_add(points, "%s %s %s %d %.6g %.6g\n", family->id, v->id, precision_name(v->precision),
                 uses_device(v), flops / r->bytes, flops / r->time.value);
        if (!word_in(shown->data != NULL ? shown->data : "", v->id, ' '))
            text_add(shown, " %s", v->id);
        count++;
    }
    return count;
}

static void add_roof(struct text *t, const struct limits *limits)
{
    static const char *const places[] = {"cpu", "gpu"}, *const precisions[] = {"single", "double"};
    for (int device = 0; device < 2; device++) {
        text_add(t, "%s_bytes = %.6g\n", places[device], fmax(limits->bytes_per_s[device], 0));
        for (int p = 0; p < 2; p++)
            text_add(t, "%s_%s = %.6g\n", places[device], precisions[p],
                     fmax(limits->flops_per_s[device][p], 0));
    }
}

/* How many points there are. */
static int add_roofline_head(struct text *t, const struct side *run)
{
    struct text points = {0}, ids = {0}, lists = {0};
    int panels = 0, count = 0;
    for (int i = 0; families[i] != NULL; i++) {
        struct text shown = {0};
        const int more = add_points(&points, &shown, run, families[i]);
        if (more > 0) {
            panels++;
            text_add(&ids, " %s", families[i]->id);
            add_family(&lists, families[i]);
            text_add(&lists, "knowns[%d] = known\nrole_lists[%d] = roles\nshown[%d] = '%s'\n",
                     panels, panels, panels, shown.data);
        }
        count += more;
        text_free(&shown);
    }
    if (count > 0) {
        text_add(t,
                 "# Written by `report`. Draw it, in the run's folder, by\n"
                 "#   gnuplot -c figures/roofline.gp roofline svg FILE\n"
                 "families = '%s'\narray knowns[%d]\narray role_lists[%d]\narray shown[%d]\n%s",
                 ids.data, panels, panels, panels, lists.data);
        text_add(t, "$points << END\n%sEND\n", points.data);
        add_roof(t, &run->limits);
        text_add(t, "variants = ''\nwhere = 'Roofline'\nmachines = ''\nsize = 'operations'\n"
                    "meaning = 'a byte of the least traffic'\nquantity = 'operations a second'\n"
                    "unit = ''\n");
    }
    text_free(&points);
    text_free(&ids);
    text_free(&lists);
    return count;
}

static const char roofline_title[] = "the largest job of each variant, below what memory and "
                                     "arithmetic of this machine allow";

/* False: there is nothing to draw. */
static bool roofline_script(const struct verdicts *all, struct text *script)
{
    const struct side run = side_of(&all->folder);
    const char *const own = embedded_text("roofline.gp");
    if (own == NULL || add_roofline_head(script, &run) == 0)
        return false;
    script_words(script, "title", roofline_title);
    text_add(script, "\n%s", own);
    return true;
}

enum status add_roofline(const struct verdicts *all, const char *folder, struct page *page,
                         const struct figures *figures)
{
    struct text script = {0};
    const bool any = roofline_script(all, &script);
    text_free(&script);
    if (!any)
        return OK;
    page_section(page, "roofline", "Roofline");
    page_paragraph(
        page, "A point is the job of a variant that takes most operations: how many for each byte "
              "that the variant must move, and how many a second. The roofs are the ceilings of "
              "this run. A point far below its roof is bound by launches, by the latency of the "
              "memory or by barriers; one above it has its data in a cache, or tensor cores. What "
              "stays on the chip moves few bytes, and stands far to the right.");
    return put_figure(folder, "roofline", "Roofline", page, figures);
}

/* --- all of them --- */

static void draw_as(struct drawers *d, const char *id, bool of_site)
{
    draw(d, id, "svg", "svg");
    if (!of_site)
        draw(d, id, "pngcairo", "png");
}

void figures_say(const struct figures *figures, const char *folder)
{
    const struct names *const whys = &figures->whys;
    for (size_t i = 0; i < whys->count; i++) {
        size_t alike = 0, before = 0;
        for (size_t k = 0; k < whys->count; k++) {
            alike += whys->list[k] == whys->list[i];
            before += k < i && whys->list[k] == whys->list[i];
        }
        if (before == 0)
            fprintf(stderr, "reprise: %s: %zu figure%s not drawn: %s\n", folder, alike,
                    alike == 1 ? " was" : "s were", whys->list[i]);
    }
}

void figures_free(struct figures *figures)
{
    free(figures->ids.list);
    free(figures->whys.list);
    *figures = (struct figures){{0}, {0}};
}

/* What is no fault of gnuplot's. */
static const char *nothing_to_draw(const char *folder, const struct exhibit *e)
{
    return e->fields != NULL && fields_of(folder, e)[0] == '\0'
               ? "the answers to draw are not in fields/"
               : NULL;
}

enum status draw_figures(const struct verdicts *all, const char *folder, bool of_site,
                         struct figures *out)
{
    const long threads = sysconf(_SC_NPROCESSORS_ONLN);
    struct drawers drawers = {.folder = folder,
                              .failed = out,
                              .limit = threads < 2              ? 2
                                       : threads > MOST_AT_ONCE ? MOST_AT_ONCE
                                                                : (int)threads};
    struct text roofline = {0};
    enum status status = OK;
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL && status == OK; e++) {
            if (!exhibit_in_run(&all->folder, e) || !has_figure(all, e))
                continue;
            const char *const why = nothing_to_draw(folder, e);
            status = write_script(all, e, folder);
            if (why != NULL)
                note_not_drawn(out, e->id, why);
            else if (status == OK)
                draw_as(&drawers, e->id, of_site);
        }
    if (status == OK && roofline_script(all, &roofline)) {
        status = write_scripts(folder, "roofline.gp", roofline.data);
        if (status == OK)
            draw_as(&drawers, "roofline", of_site);
    }
    text_free(&roofline);
    wait_for_all(&drawers);
    return status;
}
