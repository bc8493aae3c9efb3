/*
 * Figures: the script of an exhibit's figure, which gnuplot draws in the folder of the run. Its
 * head says what the exhibit and its family say: metric, variants, axes, and how each variant
 * looks. The rest is that of plots/EXHIBIT.gp, or loads what suits the exhibit from plots/lib/.
 */
#include "report/figures.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/embedded.h"

/* Between single quotes gnuplot reads nothing into a text. */
static void add_quoted(struct text *t, const char *name, const char *words)
{
    text_add(t, "%s = '", name);
    for (const char *c = words; *c != '\0'; c++)
        text_add(t, "%s%c", *c == '\'' ? "'" : "", *c);
    text_add(t, "'\n");
}

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
static enum status add_machines(struct text *t, const struct comparison *all,
                                const struct exhibit *e)
{
    const char *text = embedded_text("machines.csv"), *between = "";
    struct csv *csv;
    const enum status status =
        csv_parse(text != NULL ? text : machines_header, "machines.csv", &csv);
    if (status != OK)
        return status;
    text_add(t, "machines = '");
    for (size_t i = 0; i < csv_rows(csv); i++) {
        char *const *f = csv_row(csv, i)->field;
        bool any = false;
        for (size_t k = 0; k < all->count; k++)
            any = any ||
                  (belongs(e, all->cells[k].exhibit) && same(e->metric, all->cells[k].metric) &&
                   fnmatch(f[1], all->cells[k].hardware, 0) == 0);
        if (any) {
            text_add(t, "%s%s", between, f[0]);
            between = ", ";
        }
    }
    text_add(t, "'\n");
    csv_free(csv);
    return OK;
}

/* What every script begins with. */
static enum status add_head(struct text *t, const struct comparison *all, const struct exhibit *e)
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
    text_add(t, "'\nfrom_zero = %d\n", strchr(source_exhibit(e)->axis.paper, ':') != NULL);
    add_quoted(t, "where", e->where);
    add_quoted(t, "title", e->title);
    add_quoted(t, "size", problem->parameters->name);
    add_quoted(t, "meaning", problem->parameters->meaning);
    add_quoted(t, "quantity", e->figure != NULL ? e->figure : e->metric);
    add_quoted(t, "unit", rate ? family->rate_shown : "");
    return add_machines(t, all, e);
}

static enum status write_figure(const char *folder, const char *name, const char *text)
{
    struct text path = {0};
    text_add(&path, "%s/figures/%s", folder, name);
    const enum status status = write_file(path.data, text, strlen(text));
    text_free(&path);
    return status;
}

/* The script `name`, and from plots/lib/ what it loads. */
static enum status write_scripts(const char *folder, const char *name, const char *script)
{
    enum status status = write_figure(folder, name, script);
    for (const struct embedded_file *file = embedded_files; file->name != NULL; file++) {
        struct text loaded = {0};
        text_add(&loaded, "\"figures/%s\"", file->name);
        if (status == OK && strstr(script, loaded.data) != NULL)
            status = write_figure(folder, file->name, file->text);
        text_free(&loaded);
    }
    return status;
}

/* gnuplot EXHIBIT TERMINAL OUTFILE, inside the folder; false: not installed, or it failed. */
static bool gnuplot(const char *folder, const char *exhibit, const char *terminal,
                    const char *suffix)
{
    struct text script = {0}, file = {0};
    text_add(&script, "figures/%s.gp", exhibit);
    text_add(&file, "figures/%s.%s", exhibit, suffix);
    const pid_t pid = fork();
    if (pid == 0) {
        if (chdir(folder) == 0)
            execlp("gnuplot", "gnuplot", "-d", "-c", script.data, exhibit, terminal, file.data,
                   (char *)NULL);
        _exit(127);
    }
    int state = 1;
    const bool good =
        pid > 0 && waitpid(pid, &state, 0) == pid && WIFEXITED(state) && WEXITSTATUS(state) == 0;
    text_free(&script);
    text_free(&file);
    return good;
}

enum status add_figure(const char *folder, const struct comparison *all, const struct exhibit *e,
                       struct page *page, bool *missing)
{
    struct text name = {0}, script = {0};
    enum status status = OK;
    bool any = false;
    for (size_t i = 0; i < all->count; i++)
        any = any || (all->cells[i].exhibit == e &&
                      (all->cells[i].reproduced > 0 || all->cells[i].published > 0));
    text_add(&name, "%s.gp", e->id);
    const char *own = embedded_text(name.data);
    if (!any || (own == NULL && e->figure == NULL))
        goto cleanup;
    status = add_head(&script, all, e);
    if (own != NULL)
        text_add(&script, "\n%s", own);
    else
        text_add(&script, "call \"figures/style.gp\" ARG1 ARG2 ARG3\nload \"figures/%s.gp\"\n",
                 e->over != NULL ? "mean-and-range" : "over-n");
    if (status == OK)
        status = write_scripts(folder, name.data, script.data);
    if (status != OK)
        goto cleanup;
    if (gnuplot(folder, e->id, "svg", "svg") && gnuplot(folder, e->id, "pngcairo", "png")) {
        status = page_figure(page, folder, e->id, e->title);
        goto cleanup;
    }
    page_paragraph(page, "The figure was not drawn: gnuplot is missing or failed.");
    *missing = true;
cleanup:
    text_free(&name);
    text_free(&script);
    return status;
}
