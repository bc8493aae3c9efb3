/*
 * The family of ceilings: its one problem, x_i = q a_i, and the table of its variants. The harness
 * divides a row's work by its time and calls that the ceiling of the place and precision.
 */
#include "ceilings.h"

#include "../common/memory.h"
#include "../common/solution.h"
#include "machine/device.h"

static const struct parameter parameters[] = {
    {"n", INTEGER, 1 << 20, 1, 0x1p31, NULL, "values"},
    {.name = NULL},
};

static enum status create(struct instance *in)
{
    const double q = 1;
    in->count = (size_t)get_long(&in->at, "n");
    return instance_make(in, &q, sizeof q, 0);
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
        const double a = CEILING_A(i);
        const bool good =
            value_at(got, i) == (got->precision == DOUBLE ? q * a : (double)((float)q * (float)a));
        wrong += !good;
    }
    out->error = (double)wrong;
    add_metric(out, "wrong_values", (double)wrong);
    return OK;
}

static const struct problem problems[] = {
    {"machine", "x_i = q a_i", "ours", parameters, .create = create, .vary = vary, .judge = judge,
     .destroy = instance_free},
    {.id = NULL},
};

enum { COPY, WRITE, FMA, LAUNCH, HOST_UPDATE, HOST_FMA };

static struct work work(const struct variant *v, const struct params *at)
{
    static const struct {
        double words, flops, launches; /* the first two of each value */
    } per[] = {[COPY] = {.words = 2},
               [WRITE] = {.words = 1},
               [FMA] = {.flops = 2.0 * FMA_CHAINS * FMA_STEPS},
               [LAUNCH] = {.launches = LAUNCHES},
               [HOST_UPDATE] = {.words = 3},
               [HOST_FMA] = {.flops = 2.0 * HOST_FMA_STEPS}};
    const double n = get(at, "n");
    return (struct work){.bytes = per[v->code].words * (double)value_size(v->precision) * n,
                         .flops = per[v->code].flops * n,
                         .launches = per[v->code].launches,
                         .host_bytes = 16 * n,
                         .device_bytes = v->place == DEVICE ? 16 * n : 0};
}

#define ROW(id_, title_, precision_, place_, code_, calls_)                                        \
    {                                                                                              \
        .id = id_, .title = title_, .source = "ours", .role = CEILING, .precision = precision_,    \
        .place = place_, .code = code_, .calls = calls_, .tolerance = exactly, .work = work        \
    }

#define ON_DEVICE(id, title, precision, code, object)                                              \
    ROW(id, title, precision, DEVICE, code, DEVICE_CALLS(object))

static const struct variant variants[] = {
    ON_DEVICE("copy", "read and write", SINGLE, COPY, ceilings_copy_s),
    ON_DEVICE("copy", "read and write", DOUBLE, COPY, ceilings_copy_d),
    ON_DEVICE("write", "write only", SINGLE, WRITE, ceilings_write_s),
    ON_DEVICE("write", "write only", DOUBLE, WRITE, ceilings_write_d),
    ON_DEVICE("fma", "multiply-add", SINGLE, FMA, ceilings_fma_s),
    ON_DEVICE("fma", "multiply-add", DOUBLE, FMA, ceilings_fma_d),
    ON_DEVICE("launch", "almost empty kernels behind one another", DOUBLE, LAUNCH,
              ceilings_launch_d),
    ROW("host-update", "x += c a, all cores", DOUBLE, HOST_PARALLEL, HOST_UPDATE,
        &ceilings_host_update),
    ROW("host-fma", "multiply-add, all cores", DOUBLE, HOST_PARALLEL, HOST_FMA, &ceilings_host_fma),
    {.id = NULL},
};

const struct family ceilings_family = {"ceilings", "what this machine gives at best", problems,
                                       variants};
