/*
 * What a user of CUB would call: its scan, which takes any associative operator. The recurrence is
 * one over the maps s -> C s + f_k e_1 of the last m values, whose compositions are pairs of a
 * matrix and a vector: cub-sum with no matrix at all, cub-affine with a number, cub-matrix with 2x2
 * and 4x4. f is in place before the time begins, as in the other variants, and x goes elsewhere.
 */
#include "recurrence.h"

#include "machine/launch.h"

#ifndef REPRISE_EMULATED

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "../common/cub.h"
#include "input.h"
#include "machine/precision.h"

enum { BLOCK = 256, MOST = 4 }; /* threads; the largest m of a matrix */

struct scan {
    struct memory memory;
    const struct recurrence *in;
    real *f, *x;   /* device [n] */
    double *input; /* device [n] the user's input; or null */
    struct scratch scratch;
};

namespace
{ /* of each precision its own */

/* After a stretch of unknowns the last M values are `power` times those before it, and `last`. */
template <int M> struct stretch {
    real power[M][M], last[M];
};

template <int M> struct of_one {
    real a[M];
    __host__ __device__ stretch<M> operator()(real f) const
    {
        stretch<M> one = {};
        for (int j = 0; j < M; j++)
            one.power[0][j] = a[j];
        for (int i = 1; i < M; i++)
            one.power[i][i - 1] = 1;
        one.last[0] = f;
        return one;
    }
};

template <int M> struct newest {
    __host__ __device__ real operator()(const stretch<M> &of) const
    {
        return of.last[0];
    }
};

template <int M> struct one_after_the_other {
    __host__ __device__ stretch<M> operator()(const stretch<M> &first,
                                              const stretch<M> &second) const
    {
        stretch<M> both = {};
        for (int i = 0; i < M; i++) {
            both.last[i] = second.last[i];
            for (int j = 0; j < M; j++) {
                both.last[i] += second.power[i][j] * first.last[j];
                for (int k = 0; k < M; k++)
                    both.power[i][j] += second.power[i][k] * first.power[k][j];
            }
        }
        return both;
    }
};

} // namespace

/* Of order M, or less with zeros behind. */
template <int M> static auto composed(const struct scan *s)
{
    of_one<M> map = {};
    for (int j = 0; j < s->in->m && j < M; j++)
        map.a[j] = (real)s->in->a[j];
    const auto from = thrust::make_transform_iterator((const real *)s->f, map);
    const auto to = thrust::make_transform_output_iterator(s->x, newest<M>());
    return [from, to, n = (int64_t)s->in->n](void *memory, size_t &bytes) {
        return cub::DeviceScan::InclusiveScan(memory, bytes, from, to, one_after_the_other<M>(), n);
    };
}

static auto summed(const struct scan *s)
{
    return [f = (const real *)s->f, x = s->x, n = (int64_t)s->in->n](void *memory, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(memory, bytes, f, x, n);
    };
}

static __global__ void fill(real *f, size_t n, int code, uint64_t seed, double amplitude,
                            const double *input)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f[i] = (real)input_at(code, seed, amplitude, input, i);
}

/* Its scratch is still to be asked for. */
static enum status make(const struct recurrence *p, struct scan **made)
{
    struct scan *s = (struct scan *)owner_new(sizeof *s);
    if (s == NULL)
        return ERR_MEMORY;
    s->in = p;
    take_device(&s->memory, &s->f, p->n);
    take_device(&s->memory, &s->x, p->n);
    if (p->f != NULL)
        take_copy(&s->memory, &s->input, p->f, p->n);
    *made = s;
    return OK;
}

static enum status load(void *state)
{
    const struct scan *const s = (const struct scan *)state;
    const struct recurrence *p = s->in;
    LAUNCH_NB(fill, dim3((unsigned)((p->n - 1) / BLOCK + 1)), BLOCK)
    (s->f, p->n, p->code, p->seed, p->amplitude, s->input);
    const enum status status = device_launched("fill");
    return status == OK ? device_sync() : status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct scan *const s = (const struct scan *)state;
    const enum status status = device_get(out->values, s->x, s->in->n * sizeof *s->x);
    lap(laps, "back");
    return status;
}

/* --- cub-sum --- */

static enum status plan_sum(const struct instance *in, void **state)
{
    const struct recurrence *p = (const struct recurrence *)in->data;
    struct scan *s = NULL;
    if (p->m != 1 || p->a[0] != 1)
        return because(SKIPPED, "a running sum solves m = 1 with a = 1 alone");
    const enum status status = make(p, &s);
    if (status != OK)
        return status;
    ask_scratch(&s->memory, &s->scratch, summed(s));
    take_scratch(&s->memory, &s->scratch);
    return planned(s, s->memory.status, state);
}

static enum status run_sum(void *state, struct laps *laps)
{
    const struct scan *const s = (const struct scan *)state;
    const enum status status = scan_with(s->scratch, summed(s));
    lap(laps, "solve");
    return status;
}

const struct calls P(recurrence_cub_sum) = {plan_sum, load, run_sum, fetch, give_back};

/* --- cub-affine and cub-matrix --- */

template <int M> static enum status plan_composed(const struct recurrence *p, void **state)
{
    struct scan *s = NULL;
    const enum status status = make(p, &s);
    if (status != OK)
        return status;
    ask_scratch(&s->memory, &s->scratch, composed<M>(s));
    take_scratch(&s->memory, &s->scratch);
    return planned(s, s->memory.status, state);
}

static enum status plan_affine(const struct instance *in, void **state)
{
    const struct recurrence *p = (const struct recurrence *)in->data;
    if (p->m != 1)
        return because(SKIPPED, "the affine operator has one value before: it solves m = 1 alone");
    return plan_composed<1>(p, state);
}

static enum status run_affine(void *state, struct laps *laps)
{
    const struct scan *const s = (const struct scan *)state;
    const enum status status = scan_with(s->scratch, composed<1>(s));
    lap(laps, "solve");
    return status;
}

const struct calls P(recurrence_cub_affine) = {plan_affine, load, run_affine, fetch, give_back};

static enum status plan_matrix(const struct instance *in, void **state)
{
    const struct recurrence *p = (const struct recurrence *)in->data;
    if (p->m == 1)
        return because(SKIPPED, "for m = 1 the matrix is a number: see cub-affine");
    if (p->m > MOST)
        return because(
            SKIPPED,
            "an operand of the scan would be %zu bytes for each unknown, m = %d, and fit "
            "no thread's registers: it solves m up to %d",
            (size_t)(p->m * (p->m + 1)) * sizeof(real), p->m, MOST);
    return p->m == 2 ? plan_composed<2>(p, state) : plan_composed<MOST>(p, state);
}

static enum status run_matrix(void *state, struct laps *laps)
{
    const struct scan *const s = (const struct scan *)state;
    const enum status status = s->in->m == 2 ? scan_with(s->scratch, composed<2>(s))
                                             : scan_with(s->scratch, composed<MOST>(s));
    lap(laps, "solve");
    return status;
}

const struct calls P(recurrence_cub_matrix) = {plan_matrix, load, run_matrix, fetch, give_back};

#endif
