/*
 * Table 1 of the paper: the kernels of gpu one by one, each launched many times on the same data;
 * their throughput in bytes, and their occupancy. A family of its own, because its rate is one.
 */
#include "lone_kernel.h"

#include <math.h>
#include <stdlib.h>

#include "machine/device.h"

#include "../common/memory.h"
#include "../common/solution.h"

/* In the order of enum kernel. `words`: that a node has read and written, each once; `flops` of a
 * node, as in variants.c. */
static const struct {
    enum flow flow;
    double words, flops;
} table[KERNELS] = {
    {MEAN_CURVATURE, 5, 6}, {MEAN_CURVATURE, 4, 8},  {MEAN_CURVATURE, 2, 39},
    {WILLMORE, 3, 60},      {MEAN_CURVATURE, 2, 33}, {WILLMORE, 2, 265},
};

static const struct parameter parameters[] = {
    {"N", INTEGER, 512, 2, 16384, NULL, "cells along each side"},
    {.name = NULL},
};

static struct lone_kernel setup(const struct params *at)
{
    struct lone_kernel l = {.kernel = (enum kernel)at->problem->code};
    const size_t n = (size_t)get_long(at, "N");
    l.flow = (struct curvature){.n1 = n,
                                .n2 = n,
                                .a = -4,
                                .h1 = 8 / (double)n,
                                .h2 = 8 / (double)n,
                                .flow = table[l.kernel].flow,
                                .boundary = DIRICHLET,
                                .forced = true,
                                .power = 1,
                                .r = 1,
                                .sigma = 1,
                                .count = 1,
                                .times = {1},
                                .amplitude = 1};
    return l;
}

size_t lone_kernel_count(const struct lone_kernel *l)
{
    return l->kernel == REDUCTION ? 1 : curvature_nodes(&l->flow);
}

static enum status create(struct instance *in)
{
    const struct lone_kernel l = setup(&in->at);
    in->count = lone_kernel_count(&l) + 1;
    return instance_make(in, &l, sizeof l, 0);
}

static void vary(struct instance *in, uint64_t seed)
{
    struct lone_kernel *l = in->data;
    l->flow.amplitude = seed == 0 ? 1 : 1 + uniform(seed, 0);
}

/* Bit for bit; the error is relative to the largest number. */
static enum status judge(const struct instance *in, const struct solution *got,
                         struct judgement *out)
{
    const struct lone_kernel *l = in->data;
    const size_t count = lone_kernel_count(l);
    struct solution right;
    enum status status = reference_for(got, count, &right);
    if (status == OK)
        status = got->precision == DOUBLE ? curvature_kernel_output_d(l, right.values)
                                          : curvature_kernel_output_s(l, right.values);
    for (size_t i = 0; i < count && status == OK; i++)
        if (!isfinite(value_at(got, i)))
            status = because(WRONG, "value %zu is not a finite number", i);
    if (status == OK)
        out->error = relative_error(hold_against(got, 0, &right, 0, count));
    free(right.values);
    add_metric(out, "occupancy", value_at(got, count));
    return status;
}

static void dump(const struct instance *in, const struct solution *got, FILE *file)
{
    const struct lone_kernel *l = in->data;
    const size_t pitch = l->flow.n2 + 1;
    for (size_t i = 0; i < lone_kernel_count(l); i++)
        fprintf(file, "%zu,%zu,%.17g\n", i / pitch, i % pitch, value_at(got, i));
}

static double in_grid(const struct instance *in, const struct solution *got, int panel, size_t row,
                      size_t column)
{
    const struct lone_kernel *l = in->data;
    (void)panel;
    return value_at(got, column * (l->flow.n2 + 1) + row);
}

static void picture(const struct instance *in, struct picture *out)
{
    const struct lone_kernel *l = in->data;
    const bool one = lone_kernel_count(l) == 1;
    const size_t n1 = one ? 0 : l->flow.n1, n2 = one ? 0 : l->flow.n2;
    *out = (struct picture){.as = one ? CURVES : MAP,
                            .x = {"i", 0, (double)n1, n1 + 1},
                            .y = {"j", 0, (double)n2, n2 + 1},
                            .value = "value",
                            .panels = 1,
                            .when = {NAN},
                            .at = in_grid};
}

#define KERNEL(which, id_, title_)                                                                 \
    {                                                                                              \
        .id = id_, .title = title_, .source = "Oberhuber, Suzuki, Zabka 2011, Section 4.3",        \
        .parameters = parameters, .code = which, .dump_header = "i,j,value", .create = create,     \
        .vary = vary, .judge = judge, .dump = dump, .picture = picture, .destroy = instance_free   \
    }

static const struct problem problems[] = {
    KERNEL(COMBINE, "combine", "u and three of k_1 .. k_5 into the new u"),
    KERNEL(REDUCTION, "reduction", "the largest error of a step, from four of k_1 .. k_5"),
    KERNEL(SIDE_MCF, "mcf", "the right-hand side of mean-curvature flow"),
    KERNEL(SIDE_WILLMORE, "willmore", "the right-hand side of Willmore flow, from phi and w"),
    KERNEL(FORCING_MCF, "forcing-mcf", "the forcing of mean-curvature flow, added"),
    KERNEL(FORCING_WILLMORE, "forcing-willmore", "the forcing of Willmore flow, added"),
    {.id = NULL},
};

static struct work work_of(const struct variant *variant, const struct params *at)
{
    const struct lone_kernel l = setup(at);
    const double nodes = (double)curvature_nodes(&l.flow);
    const double size = (double)value_size(variant->precision);
    const double bytes = REPEATS * table[l.kernel].words * size * nodes;
    return (struct work){.flops = REPEATS * table[l.kernel].flops * nodes,
                         .bytes = bytes,
                         .useful = bytes,
                         .launches = REPEATS,
                         .host_bytes = 2 * size * nodes,
                         .device_bytes = size * 10 * nodes};
}

#define ROW(precision_, word, suffix)                                                              \
    {                                                                                              \
        .id = "gpu", .title = "a kernel launched again and again, " word,                          \
        .source = "Oberhuber, Suzuki, Zabka 2011, Section 4.3", .role = PUBLISHED,                 \
        .precision = precision_, .place = DEVICE, .tolerance = exactly, .work = work_of,           \
        .calls = DEVICE_CALLS(curvature_gpu_kernel##suffix)                                        \
    }

static const struct variant variants[] = {
    ROW(SINGLE, "single", _s),
    ROW(DOUBLE, "double", _d),
    {.id = NULL},
};

const struct family curvature_kernels_family = {
    "curvature-kernels",
    "the kernels of curvature flows one by one",
    problems,
    variants,
    "bandwidth",
    "B/s",
    "GB/s",
    1e9,
};
