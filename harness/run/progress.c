/*
 * How far the jobs of a run are, round after round: live ones and those that are read again.
 */
#include "run/progress.h"

#include <math.h>
#include <stdlib.h>

#include "base/intern.h"

static const double slow_job = 40; /* seconds a round, judging included */

bool is_ceiling(const struct run *run, const struct progress *p)
{
    return p >= run->ceilings && p < run->ceilings + run->ceiling_count;
}

bool has_round(const struct progress *p, int round)
{
    bool has = false;
    for (int i = 0; i < p->rounds_done && !has; i++)
        has = p->rounds[i] == round;
    return has;
}

int rounds_due(int asked, double seconds)
{
    return seconds > slow_job && asked > 3 ? 3 : asked; /* its noise is small beside its time */
}

int rounds_achieved(const struct run *run)
{
    int least = run->options->rounds;
    for (size_t i = 0; i < run->count; i++) {
        const struct progress *const p = &run->jobs[i];
        if (!p->ended && p->rounds_done < least)
            least = p->rounds_done;
    }
    return least;
}

/* A ceiling's round: its least time is what counts. */
static void take_ceiling(struct run *run, struct progress *p, const struct sample *rows,
                         size_t count)
{
    const char *const time = intern("time");
    p->last = NAN;
    for (size_t i = 0; i < count; i++)
        if (rows[i].metric == time)
            p->last = fmin(p->last, rows[i].value); /* which passes over the NaN */
    p->least = p->rounds_done > 0 ? fmin(p->least, p->last) : p->last;
    if (p->last > 0)
        limits_learn(&run->limits, &p->job, p->last);
    if (rows[0].round > run->worker_number)
        run->worker_number = rows[0].round;
}

enum status take_round(struct run *run, struct progress *p, const struct sample *rows, size_t count)
{
    const char *const busy = intern("busy");
    int *const rounds = realloc(p->rounds, (size_t)(p->rounds_done + 1) * sizeof *rounds);
    if (rounds == NULL)
        return because(ERR_MEMORY, "there is no memory for the rounds of %s", p->job.path);
    rounds[p->rounds_done] = rows[0].round;
    p->rounds = rounds;
    p->note = rows[count - 1].note;
    p->state = state_of(p->note);
    p->seconds = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].metric == busy)
            p->seconds = rows[i].value;
    if (is_ceiling(run, p))
        take_ceiling(run, p, rows, count);
    p->rounds_done++;
    p->rounds_wanted = rounds_due(p->rounds_wanted, p->seconds);
    /* Another round of an emulated job would only repeat the same bits. */
    p->ended = !is_ceiling(run, p) &&
               (!good(p->state) || p->state == JOB_EMULATED || p->rounds_done >= p->rounds_wanted);
    return OK;
}
