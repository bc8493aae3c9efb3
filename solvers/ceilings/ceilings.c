/*
 * The family of ceilings: its one problem, x_i = q a_i, and the table of its variants. The harness
 * divides a row's work by its time and calls that the ceiling of the place and precision.
 */
#include "ceilings.h"

#include <sys/random.h>

#include "../common/memory.h"
#include "../common/solution.h"
#include "machine/device.h"
#include "machine/ranks.h"

static const struct parameter parameters[] = {
    {"n", INTEGER, 1 << 20, 1, 0x1p31, NULL, "values"},
    RANKS_PARAMETER,
    {.name = NULL},
};

static enum status create(struct instance *in)
{
    const double q = 1;
    in->count = 1 + ceilings_n(&in->at, SAMPLE);
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

size_t ceilings_n(const struct params *at, size_t most)
{
    const size_t n = (size_t)get_long(at, "n");
    return most > 0 && n > most ? most : n;
}

unsigned ceilings_draw(void)
{
    unsigned bits = 0;
    (void)!getrandom(&bits, sizeof bits, 0);
    return 1 + bits % (DRAWS - 1);
}

static enum status judge(const struct instance *in, const struct solution *got,
                         struct judgement *out)
{
    const double q = ceilings_q(in), draw = value_at(got, 0);
    const bool drawn = draw >= 0 && draw < DRAWS;
    const size_t n = ceilings_n(&in->at, 0), count = got->count - 1;
    size_t good = 0;
    for (size_t k = 0; k < count && drawn; k++) {
        const double a = CEILING_A(ceiling_place(n, count, (uint64_t)draw, k));
        good += value_at(got, 1 + k) ==
                (got->precision == DOUBLE ? q * a : (double)((float)q * (float)a));
    }
    out->error = (double)(count - good);
    add_metric(out, "wrong_values", out->error);
    return OK;
}

static const struct problem problems[] = {
    {"machine", "x_i = q a_i", "ours", parameters, .create = create, .vary = vary, .judge = judge,
     .destroy = instance_free},
    {.id = NULL},
};

enum { COPY, WRITE, FMA, LAUNCH, LINK_COPY, LINK_EXCHANGE, HOST_UPDATE, HOST_FMA };

static struct work work(const struct variant *v, const struct params *at)
{
    static const struct {
        double words, flops, launches, sent, told, held; /* of each value; launches, told: in all */
        size_t most;                                     /* values; 0: all */
    } per[] = {[COPY] = {.words = 2, .held = 2},
               [WRITE] = {.words = 1, .held = 1},
               [FMA] = {.flops = 2.0 * FMA_CHAINS * FMA_STEPS, .held = 1, .most = MOST_OF_FMA},
               [LAUNCH] = {.launches = LAUNCHES, .held = 1, .most = 1},
               [LINK_COPY] = {.sent = SENDINGS, .held = 3},
               [LINK_EXCHANGE] = {.told = WORDS, .held = 3, .most = 1},
               [HOST_UPDATE] = {.words = 3, .held = 2},
               [HOST_FMA] = {.flops = 2.0 * HOST_FMA_STEPS, .held = 1, .most = MOST_OF_HOST_FMA}};
    const double n = (double)ceilings_n(at, per[v->code].most);
    const double word = (double)value_size(v->precision), held = per[v->code].held * word * n;
    return (struct work){.bytes = per[v->code].words * word * n,
                         .flops = per[v->code].flops * n,
                         .launches = per[v->code].launches,
                         .sent = per[v->code].sent * word * n,
                         .words = per[v->code].told,
                         .host_bytes = v->place == DEVICE ? 0 : held,
                         .device_bytes = v->place == DEVICE ? held : 0};
}

#define ROW(id_, title_, precision_, place_, code_, calls_, several)                               \
    {                                                                                              \
        .id = id_, .title = title_, .source = "ours", .role = CEILING, .precision = precision_,    \
        .place = place_, .code = code_, .calls = calls_, .ranks = several, .tolerance = exactly,   \
        .work = work                                                                               \
    }

#define ON_DEVICE(id, title, precision, code, object)                                              \
    ROW(id, title, precision, DEVICE, code, DEVICE_CALLS(object), false)
#define ON_CARDS(id, title, code, object)                                                          \
    ROW(id, title, DOUBLE, DEVICE, code, DEVICE_CALLS(object), true)
#define ON_HOST(id, title, code, object)                                                           \
    ROW(id, title, DOUBLE, HOST_PARALLEL, code, &(object), false)

static const struct variant variants[] = {
    ON_DEVICE("copy", "read and write", SINGLE, COPY, ceilings_copy_s),
    ON_DEVICE("copy", "read and write", DOUBLE, COPY, ceilings_copy_d),
    ON_DEVICE("write", "write only", SINGLE, WRITE, ceilings_write_s),
    ON_DEVICE("write", "write only", DOUBLE, WRITE, ceilings_write_d),
    ON_DEVICE("fma", "multiply-add", SINGLE, FMA, ceilings_fma_s),
    ON_DEVICE("fma", "multiply-add", DOUBLE, FMA, ceilings_fma_d),
    ON_DEVICE("launch", "almost empty kernels behind one another", DOUBLE, LAUNCH,
              ceilings_launch_d),
    ON_CARDS("link-copy", "sent to the next card, by all at once", LINK_COPY, ceilings_link_copy_d),
    ON_CARDS("link-exchange", "words from card to card, each awaited", LINK_EXCHANGE,
             ceilings_link_exchange_d),
    ON_HOST("host-update", "x += c a, all cores", HOST_UPDATE, ceilings_host_update),
    ON_HOST("host-fma", "multiply-add, all cores", HOST_FMA, ceilings_host_fma),
    {.id = NULL},
};

const struct family ceilings_family = {"ceilings", "what this machine gives at best", problems,
                                       variants};
