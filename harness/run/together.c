/*
 * What is asked of a variant, on all its ranks at once.
 */
#include "run/together.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "machine/device.h"
#include "machine/ranks.h"
#include "machine/threads.h"
#include "run/answer.h"
#include "run/stock.h"

struct order {
    enum { PLAN, RUN, FETCH, BRING, DESTROY, LEAVE } what;
    int runs;
    uint64_t seed;
    size_t bytes; /* that a rank brings */
    char path[512];
};

static bool several(const struct variant *variant)
{
    return variant->ranks && ranks_count() > 1;
}

static void lead(struct order order)
{
    ranks_tell(&order, sizeof order);
}

enum status together(const struct variant *variant, enum status status)
{
    return several(variant) ? ranks_agree(status) : status;
}

enum status together_awake(const struct variant *variant, enum status status)
{
    const enum status all = together(variant, status);
    return all == OK && several(variant) && uses_device(variant) ? together(variant, ranks_wake())
                                                                 : all;
}

double together_most(const struct variant *variant, double seconds)
{
    return several(variant) ? ranks_most(seconds) : seconds;
}

/* The part of this rank. */
static enum status plan_here(const struct instance *in, const struct variant *variant, void **state)
{
    const bool between_devices = several(variant) && uses_device(variant);
    const enum status status = between_devices ? ranks_connect() : OK;
    return together(variant, status == OK ? variant->calls->plan(in, state) : status);
}

enum status together_plan(const char *path, const struct instance *in,
                          const struct variant *variant, void **state)
{
    const int wanted = ranks_of(variant, &in->at);
    if (variant->ranks && wanted != ranks_count())
        return because(SKIPPED, "%d ranks are wanted, and there are %d", wanted, ranks_count());
    if (several(variant)) {
        struct order order = {.what = PLAN};
        if (strlen(path) >= sizeof order.path)
            return because(ERR_ARGS, "a path of more than %zu bytes: %s", sizeof order.path, path);
        memcpy(order.path, path, strlen(path));
        lead(order);
    }
    const enum status ready = together(variant, OK);
    return ready == OK ? plan_here(in, variant, state) : ready;
}

void together_destroy(const struct variant *variant, void *state)
{
    if (several(variant))
        lead((struct order){.what = DESTROY});
    variant->calls->destroy(state);
}

void together_run(const struct variant *variant, uint64_t seed, int runs)
{
    if (several(variant))
        lead((struct order){.what = RUN, .seed = seed, .runs = runs});
}

void together_fetch(const struct variant *variant, uint64_t seed)
{
    if (several(variant))
        lead((struct order){.what = FETCH, .seed = seed});
}

static double bring_from_hosts(size_t bytes, void *all)
{
    void *const own = malloc(bytes + 1);
    const enum status status = ranks_agree(own != NULL ? OK : ERR_MEMORY);
    if (own != NULL)
        set_bytes(own, 0, bytes);
    (void)ranks_agree(OK);
    const double begin = now();
    if (status == OK)
        ranks_collect(own, bytes, all);
    const double seconds = now() - begin;
    free(own);
    return status == OK ? seconds : 0;
}

static double bring_from_devices(size_t bytes, void *all)
{
    void *own = NULL;
    const enum status status = ranks_agree(device_alloc(&own, bytes + 1));
    const struct rank_part part = {own, bytes, (size_t)ranks_own() * bytes, 0, 0, 0};
    const double begin = now();
    if (status == OK)
        (void)ranks_unload(&part, all);
    const double seconds = now() - begin;
    if (own != NULL)
        device_free(own);
    return status == OK ? seconds : 0;
}

/* As fetch() does: by ranks_unload() what is on devices, and else by ranks_collect(). */
static double bring(const struct variant *variant, size_t bytes, void *all)
{
    return uses_device(variant) ? bring_from_devices(bytes, all) : bring_from_hosts(bytes, all);
}

double together_bring(const struct variant *variant, struct solution *out)
{
    enum { PIECE = 1 << 24 };
    const size_t part = out->count * value_size(out->precision) / (size_t)ranks_count();
    const size_t bytes = part < PIECE ? part : PIECE;
    if (!several(variant))
        return 0;
    lead((struct order){.what = BRING, .bytes = bytes});
    const double seconds = bring(variant, bytes, out->values);
    return bytes > 0 ? seconds * ((double)part / (double)bytes) : seconds;
}

/* --- the ranks that follow --- */

struct follower {
    struct job job;
    struct stock stock;
    void *state;
    struct solution out; /* its values are where rank 0 is */
};

static enum status get_ready(struct follower *f, const char *path)
{
    struct device_facts device;
    assert(path[0] != '\0' || f->job.variant != NULL); /* without a path it is the given one */
    enum status status = path[0] != '\0' ? job_from_path(path, &f->job) : OK;
    if (status == OK && uses_device(f->job.variant))
        status = device_open(&device);
    if (status == OK)
        status = stock_instance(&f->stock, &f->job.at);
    f->out = (struct solution){.precision = status == OK ? f->job.variant->precision : DOUBLE,
                               .count = f->stock.in.count};
    return status;
}

static void follow(struct follower *f, const struct order *order)
{
    const struct variant *const variant = f->job.variant;
    struct laps laps;
    double seconds;
    switch (order->what) {
    case PLAN:
        if (ranks_agree(get_ready(f, order->path)) == OK)
            (void)plan_here(&f->stock.in, f->job.variant, &f->state);
        break;
    case RUN:
        (void)run_here(&f->stock.in, variant, f->state, order->seed, order->runs, &laps, &seconds);
        break;
    case FETCH:
        (void)fetch_here(&f->stock.in, variant, f->state, order->seed, &f->out, &laps);
        break;
    case BRING:
        (void)bring(variant, order->bytes, NULL);
        break;
    case DESTROY:
        if (f->state != NULL)
            variant->calls->destroy(f->state);
        f->state = NULL;
        break;
    case LEAVE:
        break;
    }
}

void together_follow(const struct job *given)
{
    struct follower f = {.state = NULL};
    struct order order;
    if (given != NULL)
        f.job = *given;
    do {
        ranks_tell(&order, sizeof order);
        follow(&f, &order);
    } while (order.what != LEAVE);
    stock_free(&f.stock);
    ranks_leave();
}

void together_leave(void)
{
    if (ranks_count() > 1)
        lead((struct order){.what = LEAVE});
    ranks_leave();
}
