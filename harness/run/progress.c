/*
 * How far the jobs of a run are, round after round: live ones and those that are read again.
 */
#include "run/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"

static const double slow_job = 40; /* seconds a round, judging included */

bool is_ceiling(const struct run *run, const struct progress *p)
{
    return p >= run->ceilings && p < run->ceilings + run->ceiling_count;
}

bool has_round(const struct progress *p, int round)
{
    bool has = false;
    for (size_t i = 0; i < p->count && !has; i++)
        has = p->samples[i].round == round;
    return has;
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
    struct sample *const samples = realloc(p->samples, (p->count + count) * sizeof *p->samples);
    if (samples == NULL)
        return because(ERR_MEMORY, "there is no memory for the rows of %s", p->job.path);
    memcpy(samples + p->count, rows, count * sizeof *rows);
    p->samples = samples;
    p->count += count;
    p->state = state_of(rows[count - 1].note);
    p->seconds = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].metric == busy)
            p->seconds = rows[i].value;
    if (is_ceiling(run, p))
        take_ceiling(run, p, rows, count);
    p->rounds_done++;
    if (p->seconds > slow_job && p->rounds_wanted > 3)
        p->rounds_wanted = 3; /* its noise is small beside its time */
    /* Another round of an emulated job would only repeat the same bits. */
    p->ended = !is_ceiling(run, p) &&
               (!good(p->state) || p->state == JOB_EMULATED || p->rounds_done >= p->rounds_wanted);
    return OK;
}
