/*
 * The host's side of a solver that marches by itself, gpu-resident and gpu-rkc. A run is a launch,
 * or some, where one would take seconds. The host has to hear how far a launch came before it can
 * go on with another one; where a run is known to be one launch it hears later, when the answer is
 * asked for, and the time of the run is the kernel's.
 */
#pragma once
#include "march.h"

namespace OURS
{

/* C: what the kernels are told, struct march or struct course. Overloads for it:
 *   begin_run(in, number, &course)  course.last is where a run begins
 *   share_of_launch(last)           how much was done, of the most that a launch does
 *   tally_run(last, &tally) */
template <class C> struct on_chip {
    struct memory memory;
    const struct curvature *in;
    C course;
    const way_of<on_chip<C>> *way;
    unsigned blocks;
    const double *taken; /* device, [MOST_LISTED]: the first attempts */
    real *initial;       /* host, [nodes] */
    struct tally tally;
    const char *name;
    unsigned number; /* of the last exchange */
    bool brief;      /* a run is one launch: the last one was, and of half its length at most */
    bool unheard;    /* what the last launch told */
};

template <class C> static inline enum status hear_launch(on_chip<C> *r)
{
    C *const m = &r->course;
    r->unheard = false;
    return march_went(hear(m->heard, &m->last), r->in, m->last);
}

/* A run is over, after so many launches. */
template <class C> static inline void conclude(on_chip<C> *r, int launches)
{
    r->number = r->course.last.number;
    r->brief = launches == 1 && share_of_launch(r->course.last) <= 0.5;
    tally_run(r->course.last, &r->tally);
}

/* Of a run that was taken to be one launch. */
template <class C> static inline enum status settle(on_chip<C> *r)
{
    if (!r->unheard)
        return OK;
    const enum status status = hear_launch(r);
    const bool over = r->course.last.ended;
    if (status == OK && !over)
        return because(ERR_DEVICE,
                       "a run took several launches, and the one before it half of one");
    if (status == OK)
        conclude(r, 1);
    return status;
}

template <class C> static enum status plan_on_chip(const struct instance *in, void **state)
{
    on_chip<C> *const r = (on_chip<C> *)owner_new(sizeof *r);
    if (r == NULL)
        return ERR_MEMORY;
    r->in = (const struct curvature *)in->data;
    return planned(r, prepare(r), state);
}

template <class C> static enum status load_on_chip(void *state)
{
    on_chip<C> *const r = (on_chip<C> *)state;
    enum status status = settle(r);
    P(curvature_initial)(r->in, r->initial);
    if (status == OK)
        status = device_put(r->course.u, r->initial, r->course.g.nodes * sizeof *r->initial);
    return status == OK ? device_sync() : status;
}

template <class C> static enum status run_on_chip(void *state, struct laps *laps)
{
    on_chip<C> *const r = (on_chip<C> *)state;
    C *const m = &r->course;
    enum status status = settle(r);
    int launches = 0;
    begin_run(r->in, r->way->rows == 0 ? 0 : r->number, m);
    while (status == OK && !m->last.ended) {
        m->heard.launch++;
        r->way->launch(r);
        status = device_launched(r->name);
        lap(laps, "loop"); /* the mark is behind it, and made while it runs */
        launches++;
        r->unheard = status == OK;
        if (status == OK && r->brief)
            return OK;
        if (status == OK)
            status = hear_launch(r);
    }
    if (status == OK)
        conclude(r, launches);
    return status;
}

template <class C>
static enum status fetch_on_chip(void *state, struct solution *out, struct laps *laps)
{
    on_chip<C> *const r = (on_chip<C> *)state;
    const C *const m = &r->course;
    real *const to = (real *)out->values;
    const size_t count = curvature_fields(r->in) * m->g.nodes;
    enum status status = settle(r);
    if (status == OK)
        status = device_get(r->tally.taken, r->taken, MOST_LISTED * sizeof *r->taken);
    if (status == OK)
        status = device_get(to, m->kept, count * sizeof *to);
    steps_out(r->in, &r->tally, to + count);
    lap(laps, "back");
    return status;
}

} // namespace OURS
