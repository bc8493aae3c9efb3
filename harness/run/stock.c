/*
 * What a worker keeps from job to job.
 */
#include "run/stock.h"

#include <stdlib.h>
#include <string.h>

#include "machine/device.h"
#include "machine/threads.h"
#include "run/answer.h"

static void drop_instance(struct stock *stock)
{
    if (stock->in.at.problem != NULL)
        stock->in.at.problem->destroy(&stock->in);
    stock->in = (struct instance){.count = 0};
    stock->known_count = 0;
}

void stock_clear(struct stock *stock, const struct params *at)
{
    if (stock->in.at.problem != NULL && !params_same(&stock->in.at, at))
        drop_instance(stock);
}

bool stock_drop(struct stock *stock)
{
    const bool any = stock->in.at.problem != NULL;
    drop_instance(stock);
    return any;
}

enum status stock_instance(struct stock *stock, const struct params *at)
{
    stock_clear(stock, at);
    if (stock->in.at.problem != NULL) {
        set_data(&stock->in, 0);
        return OK;
    }
    stock->in.at = *at;
    stock->secret = drawn(SIZE_MAX);
    const enum status status = at->problem->create(&stock->in);
    if (status != OK)
        drop_instance(stock);
    return status;
}

static void drop_values(struct stock *stock)
{
    if (stock->locked)
        device_unlock(stock->values);
    free(stock->values);
    stock->locked = false;
    stock->values = NULL;
    stock->room = 0;
}

void *stock_values(struct stock *stock, size_t bytes, bool from_device)
{
    if (bytes > stock->room) {
        drop_values(stock);
        stock->values = malloc(bytes);
        stock->room = stock->values != NULL ? bytes : 0;
        set_bytes(stock->values, 0xff, stock->room);
    }
    if (from_device && !stock->locked && stock->room > 0)
        stock->locked = device_lock(stock->values, stock->room);
    return stock->values;
}

/* Four sums take turns: each alone would wait for its own last product. */
static uint64_t fingerprint_of(const unsigned char *from, size_t bytes)
{
    uint64_t hash[4] = {1, 2, 3, 4}, all = 0;
    for (size_t i = 0; i < bytes; i += sizeof all) {
        const size_t left = bytes - i;
        uint64_t word = 0, *const h = &hash[i / sizeof word % 4];
        memcpy(&word, from + i, left < sizeof word ? left : sizeof word);
        *h = (*h ^ word) * UINT64_C(0x100000001b3);
        *h ^= *h >> 29;
    }
    for (int k = 0; k < 4; k++)
        all = (all ^ hash[k]) * UINT64_C(0x100000001b3);
    return all;
}

/* Pieces of it, and then their fingerprints. */
uint64_t fingerprint(const struct solution *out)
{
    enum { PIECES = 64, SMALL = 1 << 16 };
    const unsigned char *const from = out->values;
    const size_t bytes = out->count * value_size(out->precision);
    const size_t piece = (bytes / PIECES + 7) / 8 * 8;
    uint64_t of[PIECES];
    if (bytes < SMALL)
        return fingerprint_of(from, bytes);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < PIECES; i++) {
        const size_t begin = i * piece, left = begin < bytes ? bytes - begin : 0;
        of[i] = fingerprint_of(from + begin, i + 1 < PIECES && piece < left ? piece : left);
    }
    return fingerprint_of((const unsigned char *)of, sizeof of);
}

static const struct remembered *find_known(const struct stock *stock,
                                           const struct remembered *wanted)
{
    const size_t have = stock->known_count < MOST_KNOWN ? stock->known_count : MOST_KNOWN;
    for (size_t i = 0; i < have; i++) {
        const struct remembered *const k = &stock->known[i];
        if (k->bits == wanted->bits && k->seed == wanted->seed && k->precision == wanted->precision)
            return k;
    }
    return NULL;
}

enum status stock_judge(struct stock *stock, const struct solution *got, struct judgement *out)
{
    const struct remembered wanted = {
        .bits = fingerprint(got), .seed = stock->in.seed, .precision = got->precision};
    const struct remembered *const known = find_known(stock, &wanted);
    if (known != NULL) {
        *out = known->said;
        return OK;
    }
    const enum status status = stock->in.at.problem->judge(&stock->in, got, out);
    if (stock->known == NULL)
        stock->known = calloc(MOST_KNOWN, sizeof *stock->known);
    if (status != OK || out->status != OK || stock->known == NULL)
        return status; /* its sentence is to be said again */
    struct remembered *const to = &stock->known[stock->known_count++ % MOST_KNOWN];
    *to = wanted;
    to->said = *out;
    return OK;
}

void stock_order(const struct stock *stock, int round, int count, int *order)
{
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count; i > 1; i--) {
        const uint64_t bits = random_bits(stock->secret + (uint64_t)round, (uint64_t)i);
        const int k = (int)(bits % (uint64_t)i), swap = order[i - 1];
        order[i - 1] = order[k];
        order[k] = swap;
    }
}

void stock_free(struct stock *stock)
{
    drop_instance(stock);
    drop_values(stock);
    free(stock->known);
    *stock = (struct stock){.room = 0};
}
