/*
 * What a worker keeps from job to job: data that several variants solve, with what their judge made
 * of it, room for an answer, and what was said of answers whose bits come again.
 */
#pragma once
#include "run/plan.h"

enum { MOST_KNOWN = 48 };

struct stock {
    struct instance in; /* at.problem null: none */
    void *values;       /* [room] bytes */
    size_t room;
    bool locked;        /* its pages: copies from a device run at the bus's speed */
    struct remembered { /* an answer that judge() took, by its bits and its data */
        uint64_t bits, seed;
        enum precision precision;
        struct judgement said;
    } * known; /* [MOST_KNOWN], the oldest goes first; or null */
    size_t known_count;
    uint64_t secret; /* of this data: which samples are judged first */
};

/* Gives back data of other parameters. */
void stock_clear(struct stock *stock, const struct params *at);
/* Gives back data of any, and what their judge kept. False: there are none. */
bool stock_drop(struct stock *stock);
/* Data of these parameters: those that are there, if they are, with the published ones in place. */
enum status stock_instance(struct stock *stock, const struct params *at);
/* Room for so many bytes, touched by all cores; null: there is no memory. What comes from a device
 * comes into locked pages, if these can be had. */
void *stock_values(struct stock *stock, size_t bytes, bool from_device);
/* What judge() says, or said of the same bits on the same data; what it refuses is not kept. */
enum status stock_judge(struct stock *stock, const struct solution *got, struct judgement *out);
/* The numbers from 0 on, of which `count` there are, in an order that is drawn once for all
 * variants of the data: those that stand first are judged first. */
void stock_order(const struct stock *stock, int round, int count, int *order);
/* Position matters to it, and every bit of every value. */
uint64_t fingerprint(const struct solution *out);
void stock_free(struct stock *stock);
