/*
 * The family of ceilings: its one problem, x_i = q a_i, and the table of its variants. The harness
 * divides a row's work by its time and calls that the ceiling of the place and precision.
 */
#include "ceilings.h"

#include <math.h>
#include <stdlib.h>

#include "machine/device.h"

static const struct parameter parameters[] = {
    {"n", INTEGER, 1 << 20, 1, 0x1p31, NULL, "values"},
    {.name = NULL},
};

static enum status create(struct instance *in)
{
    double *q = malloc(sizeof *q);
    if (q == NULL)
        return because(ERR_MEMORY, "no memory for the ceilings");
    *q = 1;
    in->data = q;
    in->count = (size_t)get_long(&in->at, "n");
    return OK;
}

static void vary(struct instance *in, uint64_t seed)
{
    *(double *)in->data = 1 + (double)(seed % 1021) / 1024; /* exact in float */
}

double ceilings_q(const struct instance *in)
{
    return *(const double *)in->data;
}

static enum status judge(const struct instance *in, const struct solution *got,
                         struct judgement *out)
{
    const double q = ceilings_q(in);
    long wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (size_t i = 0; i < got->count; i++) {
        const bool good = got->precision == DOUBLE
                              ? ((const double *)got->values)[i] == q * CEILING_A(i)
                              : ((const float *)got->values)[i] == (float)q * (float)CEILING_A(i);
        wrong += !good;
    }
    out->error = (double)wrong;
    add_metric(out, "wrong_values", (double)wrong);
    return OK;
}

static void destroy(struct instance *in)
{
    free(in->data);
    in->data = NULL;
}

static const struct problem problems[] = {
    {.id = "machine",
     .title = "x_i = q a_i",
     .source = "ours",
     .parameters = parameters,
     .create = create,
     .vary = vary,
     .judge = judge,
     .destroy = destroy},
    {.id = NULL},
};

static void device_destroy(void *state)
{
    struct ceilings_state *s = state;
    if (s == NULL)
        return;
    device_free(s->a);
    device_free(s->x);
    free(s);
}

static enum status device_plan(const struct instance *in, void **state, size_t size)
{
    struct ceilings_state *s = calloc(1, sizeof *s);
    const size_t n = (in->count + 3) / 4 * 4; /* whole vectors of 16 bytes */
    double *a = malloc(n * sizeof *a);
    enum status status = because(ERR_MEMORY, "no memory for %zu values", n);
    if (s == NULL || a == NULL)
        goto cleanup;
    s->in = in;
    s->n = (long)in->count;
    status = device_alloc(&s->a, n * size);
    if (status == OK)
        status = device_alloc(&s->x, n * size);
    for (size_t i = 0; i < n; i++)
        if (size == sizeof(double))
            a[i] = CEILING_A(i);
        else
            ((float *)a)[i] = (float)CEILING_A(i);
    if (status == OK)
        status = device_put(s->a, a, n * size);
    if (status == OK) {
        *state = s;
        s = NULL;
    }
cleanup:
    free(a);
    device_destroy(s);
    return status;
}

static enum status device_plan_s(const struct instance *in, void **state)
{
    return device_plan(in, state, sizeof(float));
}

static enum status device_plan_d(const struct instance *in, void **state)
{
    return device_plan(in, state, sizeof(double));
}

static enum status device_fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct ceilings_state *s = state;
    (void)laps;
    return device_get(out->values, s->x,
                      out->count * (out->precision == DOUBLE ? sizeof(double) : sizeof(float)));
}

static enum status launch_fetch(void *state, struct solution *out, struct laps *laps)
{
    out->count = 1; /* all that the almost empty kernel writes */
    return device_fetch(state, out, laps);
}

static void host_destroy(void *state)
{
    struct ceilings_state *s = state;
    if (s == NULL)
        return;
    free(s->a);
    free(s->x);
    free(s);
}

static enum status host_plan(const struct instance *in, void **state)
{
    struct ceilings_state *s = calloc(1, sizeof *s);
    double *a = malloc(in->count * sizeof *a), *x = malloc(in->count * sizeof *x);
    if (s == NULL || a == NULL || x == NULL) {
        free(a);
        free(x);
        free(s);
        return because(ERR_MEMORY, "no memory for %zu values", in->count);
    }
    /* Touched by the threads that will use it. */
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < in->count; i++) {
        a[i] = CEILING_A(i);
        x[i] = 0;
    }
    *s = (struct ceilings_state){.in = in, .n = (long)in->count, .a = a, .x = x};
    *state = s;
    return OK;
}

static enum status host_fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct ceilings_state *s = state;
    const double *x = s->x;
    for (size_t i = 0; i < out->count; i++)
        ((double *)out->values)[i] = x[i];
    (void)laps;
    return OK;
}

static double exact(const struct params *at)
{
    (void)at;
    return 0;
}

static struct work work_of(const struct params *at, double bytes, double flops, bool host)
{
    const double n = get(at, "n");
    return (struct work){.bytes = bytes * n,
                         .flops = flops * n,
                         .host_bytes = 16 * n,
                         .device_bytes = host ? 0 : 16 * n};
}

static struct work copy_work_s(const struct params *at)
{
    return work_of(at, 8, 0, false);
}

static struct work copy_work_d(const struct params *at)
{
    return work_of(at, 16, 0, false);
}

static struct work write_work_s(const struct params *at)
{
    return work_of(at, 4, 0, false);
}

static struct work write_work_d(const struct params *at)
{
    return work_of(at, 8, 0, false);
}

static struct work fma_work(const struct params *at)
{
    return work_of(at, 0, 2.0 * FMA_CHAINS * FMA_STEPS, false);
}

static struct work launch_work(const struct params *at)
{
    struct work work = work_of(at, 0, 0, false);
    work.launches = LAUNCHES;
    return work;
}

static struct work host_update_work(const struct params *at)
{
    return work_of(at, 24, 0, true);
}

static struct work host_fma_work(const struct params *at)
{
    return work_of(at, 0, 2.0 * HOST_FMA_STEPS, true);
}

#define ON_DEVICE(id_, title_, recipe_, precision_, work_, fetch_)                                 \
    {                                                                                              \
        .id = #id_, .title = title_, .source = "ours", .role = CEILING, .precision = precision_,   \
        .place = DEVICE, .tolerance = exact, .work = work_, .plan = device_plan_##recipe_,         \
        .run = DEVICE_CALL(id_##_run_##recipe_), .fetch = fetch_, .destroy = device_destroy        \
    }

#define ON_HOST(id_, title_, work_, run_)                                                          \
    {                                                                                              \
        .id = id_, .title = title_, .source = "ours", .role = CEILING, .precision = DOUBLE,        \
        .place = HOST_PARALLEL, .tolerance = exact, .work = work_, .plan = host_plan, .run = run_, \
        .fetch = host_fetch, .destroy = host_destroy                                               \
    }

static const struct variant variants[] = {
    ON_DEVICE(copy, "read and write", s, SINGLE, copy_work_s, device_fetch),
    ON_DEVICE(copy, "read and write", d, DOUBLE, copy_work_d, device_fetch),
    ON_DEVICE(write, "write only", s, SINGLE, write_work_s, device_fetch),
    ON_DEVICE(write, "write only", d, DOUBLE, write_work_d, device_fetch),
    ON_DEVICE(fma, "multiply-add", s, SINGLE, fma_work, device_fetch),
    ON_DEVICE(fma, "multiply-add", d, DOUBLE, fma_work, device_fetch),
    ON_DEVICE(launch, "almost empty kernels behind one another", d, DOUBLE, launch_work,
              launch_fetch),
    ON_HOST("host-update", "x += c a, all cores", host_update_work, host_update_run),
    ON_HOST("host-fma", "multiply-add, all cores", host_fma_work, host_fma_run),
    {.id = NULL},
};

const struct family ceilings_family = {.id = "ceilings",
                                       .title = "what this machine gives at best",
                                       .problems = problems,
                                       .variants = variants};
