/*
 * Limits: the best of a whole run's ceilings. One process alone may have been disturbed all the
 * time, and a limit that is too slow would call good times impossible.
 */
#include "run/limits.h"

#include <math.h>
#include <stdio.h>

#include "base/intern.h"
#include "run/catalogue.h"

const struct limits no_limits = {{NAN, NAN}, {{NAN, NAN}, {NAN, NAN}}, NAN, NAN, NAN};

void limits_learn(struct limits *limits, const struct job *ceiling, double seconds)
{
    const struct work *const work = &ceiling->work;
    const int device = uses_device(ceiling->variant);
    double *const bytes = &limits->bytes_per_s[device];
    double *const flops = &limits->flops_per_s[device][ceiling->variant->precision == DOUBLE];
    if (work->flops > 0)
        *flops = fmax(*flops, work->flops / seconds);
    else if (work->bytes > 0)
        *bytes = fmax(*bytes, work->bytes / seconds);
    else if (work->launches > 0)
        limits->launch_s = fmin(limits->launch_s, seconds / work->launches);
    else if (work->sent > 0)
        limits->sent_per_s = fmax(limits->sent_per_s, work->sent / seconds);
    else if (work->words > 0)
        limits->word_s = fmin(limits->word_s, seconds / work->words);
}

#define EACH(of)                                                                                   \
    of bytes_per_s[0], of bytes_per_s[1], of flops_per_s[0][0], of flops_per_s[0][1],              \
        of flops_per_s[1][0], of flops_per_s[1][1], of launch_s, of sent_per_s, of word_s

const char *limits_print(const struct limits *limits)
{
    return internf("%a,%a,%a,%a,%a,%a,%a,%a,%a", EACH(limits->));
}

void limits_parse(const char *word, struct limits *limits)
{
    struct limits got;
    if (sscanf(word, "%la,%la,%la,%la,%la,%la,%la,%la,%la", EACH(&got.)) == 9)
        *limits = got;
}

struct work work_of_steps(const struct work *work, double steps)
{
    struct work taken = *work;
    double *const counts[] = {&taken.flops, &taken.tensor, &taken.bytes, &taken.launches,
                              &taken.sent,  &taken.words,  &taken.steps};
    if (work->steps > 0 && steps > 0)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            *counts[i] = *counts[i] * steps / work->steps; /* whole numbers stay whole */
    return taken;
}

void limit_parts(const struct limits *limits, const struct variant *variant,
                 const struct work *work, double seconds[CEILINGS])
{
    const int device = uses_device(variant);
    seconds[OF_MEMORY] = work->bytes / limits->bytes_per_s[device];
    seconds[OF_ARITHMETIC] = (work->flops - work->tensor / 2) /
                             limits->flops_per_s[device][variant->precision == DOUBLE];
    seconds[OF_LAUNCHES] = device ? work->launches * limits->launch_s : 0;
}

double limit_seconds(const struct limits *limits, const struct variant *variant,
                     const struct work *work)
{
    double seconds[CEILINGS];
    limit_parts(limits, variant, work, seconds);
    /* fmax passes over a NaN: not measured */
    const double here =
        fmax(fmax(seconds[OF_MEMORY], seconds[OF_ARITHMETIC]), seconds[OF_LAUNCHES]);
    return fmax(here, fmax(work->sent / limits->sent_per_s, work->words * limits->word_s));
}

struct work work_of_task(const struct job *job)
{
    const struct family *const family = job->family;
    const double ranks = ranks_of(job->variant, &job->at);
    return (struct work){.bytes = family->traffic != NULL
                                      ? family->traffic(job->variant->precision, &job->at) / ranks
                                      : 0,
                         .flops =
                             family->operations != NULL ? family->operations(&job->at) / ranks : 0};
}
