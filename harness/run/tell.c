/*
 * What a person sees while a run goes on.
 */
#include "run/tell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/statistics.h"
#include "machine/timing.h"

/* Columns of the terminal; 0: it is none. */
static size_t columns(void)
{
    struct winsize size = {.ws_col = 0};
    if (!isatty(STDERR_FILENO))
        return 0;
    (void)ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
    return size.ws_col > 20 ? size.ws_col : 80;
}

static size_t jobs_done(const struct run *run)
{
    size_t done = 0;
    for (size_t i = 0; i < run->count; i++)
        done += run->jobs[i].ended;
    return done;
}

/* "95 s", "3.4 min", "21 min", "3.2 h". */
static const char *duration(double seconds)
{
    return seconds < 100    ? internf("%.0f s", seconds)
           : seconds < 1200 ? internf("%.1f min", seconds / 60)
           : seconds < 6000 ? internf("%.0f min", seconds / 60)
                            : internf("%.1f h", seconds / 3600);
}

static const char *how_far(const struct run *run)
{
    return internf("%zu of %zu jobs done, %s gone, ~%s left", jobs_done(run), run->count,
                   duration(now() - run->begin), duration(seconds_left(run)));
}

/* Once a second: to reckon what is left goes over all jobs, and many take milliseconds. */
void tell_job(const struct run *run, const struct progress *p, int round)
{
    static double told = -INFINITY;
    const size_t width = columns();
    if (width == 0 || now() - told < 1)
        return;
    told = now();
    fprintf(stderr, "\r%.*s\033[K", (int)width - 1,
            internf("%s  round %d  %s", how_far(run), round, p->job.path));
}

/* What is written next begins a line of its own. */
static void clear_line(void)
{
    if (columns() > 0)
        fputs("\r\033[K", stderr);
}

static const struct exhibit *exhibit_of(const struct run *run, const struct leg *leg, size_t place)
{
    return run->jobs[leg->jobs[place].job].job.exhibit;
}

void tell_leg(const struct run *run, const struct leg *leg, int round, size_t jobs, double seconds)
{
    const struct exhibit *const first = exhibit_of(run, leg, 0);
    bool others = false;
    for (size_t i = 0; i < leg->count; i++)
        others = others || exhibit_of(run, leg, i) != first;
    clear_line();
    if (columns() == 0)
        fprintf(stderr, "round %d  %s%s: %zu jobs in %.1f s; %s\n", round, first->id,
                others ? " and others" : "", jobs, seconds, how_far(run));
}

/* "; times to 1.2 %, the least certain to 8 %", of the jobs that have some; or "". */
static const char *intervals(const struct run *run, size_t first, size_t end)
{
    double *const halves = calloc(end - first + 1, sizeof *halves);
    size_t count = 0;
    for (size_t i = first; i < end && halves != NULL; i++) {
        const double half = half_width(&run->jobs[i]);
        if (half >= 0)
            halves[count++] = half;
    }
    const double middle = count > 0 ? quantile(halves, count, 0.5) : 0;
    const char *const said = count > 0 ? internf("; times to %.2g %%, the least certain to %.2g %%",
                                                 100 * middle, 100 * quantile(halves, count, 1))
                                       : "";
    free(halves);
    return said;
}

/* The jobs [first, end) are an exhibit's. False: it is not done. */
static bool tell_exhibit(const struct run *run, size_t first, size_t end)
{
    const char *const id = run->jobs[first].job.exhibit->id;
    size_t right = 0, skipped = 0, done = 0;
    for (size_t i = first; i < end; i++) {
        done += run->jobs[i].ended;
        right += good(run->jobs[i].state);
        skipped += run->jobs[i].state == JOB_SKIPPED;
    }
    if (done < end - first)
        return false;
    const char *const verdict =
        run->options->verdict != NULL ? run->options->verdict(run->folder, id) : "";
    clear_line();
    fprintf(stderr, "%s is done: %zu jobs good, %zu bad, %zu skipped%s%s\n", id, right,
            done - right - skipped, skipped, intervals(run, first, end), verdict);
    return true;
}

void tell_exhibits(struct run *run)
{
    for (size_t first = 0, end; first < run->count; first = end) {
        end = exhibit_end(run, first);
        if (!run->jobs[first].told)
            run->jobs[first].told = tell_exhibit(run, first, end);
    }
}
