/*
 * Figures by gnuplot: the scripts go into the folder with what they load, and are run there, so
 * that the folder alone is enough to draw them again.
 */
#include "report/figures.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/intern.h"

/* gnuplot EXHIBIT TERMINAL OUTFILE, inside the folder; false: not installed, or it failed. */
static bool gnuplot(const char *folder, const char *exhibit, const char *terminal,
                    const char *suffix)
{
    const char *const script = internf("figures/%s.gp", exhibit);
    const char *const file = internf("figures/%s.%s", exhibit, suffix);
    const pid_t pid = fork();
    if (pid == 0) {
        if (chdir(folder) == 0)
            execlp("gnuplot", "gnuplot", "-d", "-c", script, exhibit, terminal, file, (char *)NULL);
        _exit(127);
    }
    int state = 1;
    return pid > 0 && waitpid(pid, &state, 0) == pid && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

static enum status copy_script(const char *folder, const struct embedded_file *file)
{
    return write_file(internf("%s/figures/%s", folder, file->name), file->text, strlen(file->text));
}

static bool has_numbers(const struct verdicts *all, const struct exhibit *e)
{
    bool any = false;
    for (size_t i = 0; i < all->count && !any; i++)
        any = all->cells[i].exhibit == e &&
              (all->cells[i].reproduced > 0 || all->cells[i].printed.value > 0);
    return any;
}

enum status add_figure(const struct verdicts *all, const struct exhibit *e, struct page *page,
                       bool *failed)
{
    const char *const folder = all->folder.name, *const name = internf("%s.gp", e->id);
    const char *const script = embedded_text(name);
    enum status status = OK; /* with what it loads */
    if (script == NULL || !has_numbers(all, e))
        return OK;
    for (const struct embedded_file *file = embedded_files; file->name != NULL; file++)
        if (status == OK && (strcmp(file->name, name) == 0 || strstr(script, file->name) != NULL))
            status = copy_script(folder, file);
    if (status != OK)
        return status;
    if (gnuplot(folder, e->id, "svg", "svg") && gnuplot(folder, e->id, "pngcairo", "png"))
        return page_figure(page, folder, e->id, e->title);
    page_paragraph(page, "The figure was not drawn: gnuplot is missing or failed.");
    *failed = true;
    return OK;
}
