/*
 * What every figure needs of gnuplot: texts that are data, the scripts that a script loads, a
 * process.
 */
#include "base/gnuplot.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/intern.h"

/* Between single quotes gnuplot reads nothing into a text. */
void script_words(struct text *t, const char *name, const char *words)
{
    text_add(t, "%s = '", name);
    for (const char *c = words; *c != '\0'; c++)
        text_add(t, "%s%c", *c == '\'' ? "'" : "", *c);
    text_add(t, "'\n");
}

enum status write_scripts(const char *folder, const char *name, const char *script)
{
    enum status status = write_file(internf("%s/figures/%s", folder, name), script, strlen(script));
    for (const struct embedded_file *file = embedded_files; file->name != NULL; file++)
        if (status == OK && strstr(script, internf("\"figures/%s\"", file->name)) != NULL)
            status = write_scripts(folder, file->name, file->text);
    return status;
}

pid_t gnuplot_start(const char *folder, const char *name, const char *terminal, const char *file)
{
    const char *const script = internf("figures/%s.gp", name);
    /* gnuplot would write to where a link leads. */
    (void)unlink(internf("%s/%s", folder, file));
    (void)unlink(internf("%s/%s.dots.png", folder, file));
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (chdir(folder) == 0)
            execlp("gnuplot", "gnuplot", "-d", "-c", script, name, terminal, file, (char *)NULL);
        _exit(GNUPLOT_MISSING);
    }
    return pid;
}

int gnuplot_end(pid_t pid, const char *folder, const char *file)
{
    int state = 1;
    const bool ended = pid > 0 && waitpid(pid, &state, 0) == pid && WIFEXITED(state);
    (void)unlink(internf("%s/%s.dots.png", folder, file));
    return ended ? WEXITSTATUS(state) : 1;
}
