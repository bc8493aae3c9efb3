/*
 * How far the jobs of a run are, round after round: live ones and those that are read again.
 */
#include "run/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/statistics.h"

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

bool is_out_of_time(const char *note)
{
    return state_of(note) == JOB_SKIPPED && strstr(note, ": the budget of ") != NULL;
}

const char *out_of_time(double budget)
{
    return state_note(JOB_SKIPPED, internf("the budget of %g s", budget));
}

double half_width(const struct progress *p)
{
    const struct estimate time = estimate_rounds(p->times, (size_t)p->rounds_done);
    return (time.ci_hi - time.ci_lo) / (2 * time.value);
}

void progress_free(struct progress *p)
{
    free(p->rounds);
    free(p->times);
}

int rounds_achieved(const struct run *run)
{
    int least = run->options->rounds;
    bool any_good = false, any_left_out = false;
    for (size_t i = 0; i < run->count; i++) {
        const struct progress *const p = &run->jobs[i];
        const bool left_out = p->note != NULL && is_out_of_time(p->note);
        any_good = any_good || (p->rounds_done > 0 && good(p->state));
        any_left_out = any_left_out || left_out;
        if (!left_out && !p->ended && p->rounds_done < least)
            least = p->rounds_done;
    }
    return any_left_out && !any_good ? 0 : least;
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
    p->least = p->rounds_done > 1 ? fmin(p->least, p->last) : p->last;
    if (p->last > 0)
        limits_learn(&run->limits, &p->job, p->last);
    if (rows[0].round > run->worker_number)
        run->worker_number = rows[0].round;
}

/* Room for one more round. */
static bool grow(struct progress *p)
{
    const size_t count = (size_t)p->rounds_done + 1;
    int *const rounds = realloc(p->rounds, count * sizeof *rounds);
    if (rounds != NULL)
        p->rounds = rounds;
    double *const times = realloc(p->times, count * sizeof *times);
    if (times != NULL)
        p->times = times;
    return rounds != NULL && times != NULL;
}

/* The rows of a metric, or NaN: their median, into the room. */
static double median_of(const char *metric, const struct sample *rows, size_t count, double *room)
{
    const char *const name = intern(metric);
    size_t have = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].metric == name)
            room[have++] = rows[i].value;
    return have > 0 ? quantile(room, have, 0.5) : (double)NAN;
}

/* Whether its interval is narrow enough; or, if it goes on as it was, will not be after the last
 * round either. */
static bool is_decided(const struct run *run, const struct progress *p)
{
    const double precise = run->options->precise, half = half_width(p);
    const int done = p->rounds_done, all = p->rounds_wanted;
    const double narrower =
        student_t975((size_t)all - 1) / sqrt(all) / (student_t975((size_t)done - 1) / sqrt(done));
    return half <= precise || (precise > 0 && half * narrower > precise);
}

/* Emulated: another round would only repeat the same bits. */
static bool has_ended(const struct run *run, const struct progress *p)
{
    return !good(p->state) || p->state == JOB_EMULATED || p->rounds_done >= p->rounds_wanted ||
           is_decided(run, p);
}

enum status take_round(struct run *run, struct progress *p, const struct sample *rows, size_t count)
{
    double *const room = calloc(count, sizeof *room);
    p->note = rows[count - 1].note;
    p->state = state_of(p->note);
    if (is_out_of_time(p->note)) {
        free(room);
        return OK;
    }
    if (room == NULL || !grow(p)) {
        free(room);
        return because(ERR_MEMORY, "there is no memory for the rounds of %s", p->job.path);
    }
    p->rounds[p->rounds_done] = rows[0].round;
    p->times[p->rounds_done++] = median_of("time", rows, count, room);
    const double busy = median_of("busy", rows, count, room);
    free(room);
    p->seconds = busy > 0 ? busy : 0;
    if (is_ceiling(run, p)) {
        take_ceiling(run, p, rows, count);
        return OK;
    }
    if (busy > 0 && good(p->state))
        costs_learn(&run->costs, &p->job, busy);
    p->rounds_wanted = rounds_worth(p->rounds_wanted, run->options->precise, p->seconds,
                                    p->times[p->rounds_done - 1]);
    p->ended = has_ended(run, p);
    return OK;
}
