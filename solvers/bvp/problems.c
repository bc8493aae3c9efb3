/*
 * The two problems of the paper and one of random data: parameters, the user's right-hand side from
 * a file, the error (14), the residual of the system (4), and the exact solution of the discrete
 * system.
 */
#include "bvp.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/pi.h"
#include "../common/solution.h"
#include "../common/widest.h"
#include "machine/facts.h"
#include "machine/ranks.h"
#include "rhs.h"

enum { CHUNK = 65536, STRIP = 512, LANES = 32, SOLVED_EXACTLY = 4096 };

/* Where the exact solution comes from, x = i/n; the second is what the paper compared its single
 * results of p1 with. All data have it in common, so from the second judgement on it is kept, if
 * there is memory. */
enum wave { EXACT_WAVE, PRINTED_WAVE, WAVES };

#define PI_LONG 3.14159265358979323846264338327950288L

static const struct parameter parameters[] = {
    {"n", INTEGER, 1 << 20, 2, 0x1p36, NULL, "number of unknowns, h = 1/n"},
    {"r", INTEGER, 0, 0, 0x1p36, NULL, "columns of the array of A2; 0: chosen from s or sqrt(n)"},
    {"s", INTEGER, 0, 0, 0x1p36, NULL, "rows of the array of A2; 0: chosen from r or sqrt(n)"},
    {"arithmetic", CHOICE, 0, 0, 1, "ieee|historical",
     "historical: single and mixed kernels multiply and add as the GPU of 2010 did"},
    {"reference", CHOICE, 0, 0, 1, "exact|paper",
     "paper: single and mixed answers of p1 against cos(pi x/2) with pi rounded to float"},
    {"block", INTEGER, 0, 0, 1024, NULL, "threads per block; 0: chosen from r"},
    RANKS_PARAMETER,
    {.name = NULL},
};

static const struct input inputs[] = {
    {"f", "i", "right-hand side at x = 0, 1/n, .. (n-1)/n: n values"},
    {.name = NULL},
};

/* Largest q with q*q <= n. */
static size_t integer_sqrt(size_t n)
{
    size_t q = (size_t)sqrt((double)n);
    while (q * q > n)
        q--;
    while ((q + 1) * (q + 1) <= n)
        q++;
    return q;
}

enum status bvp_shape(const struct params *at, size_t *r, size_t *s)
{
    const size_t n = (size_t)get_long(at, "n");
    size_t columns = (size_t)get_long(at, "r"), rows = (size_t)get_long(at, "s");
    if (columns == 0 && rows == 0)
        rows = n < 4 ? 2 : integer_sqrt(n);
    if (columns == 0)
        columns = n / rows;
    else if (rows == 0)
        rows = n / columns;
    const bool good = columns >= 1 && rows >= 2 && columns <= n / rows;
    if (!good)
        return because(ERR_ARGS,
                       "r = %zu columns of s = %zu rows (0: not even one) do not fit n = %zu; "
                       "choose r >= 1 and s >= 2 with r s <= n",
                       columns, rows, n);
    *r = columns;
    *s = rows;
    return OK;
}

static int choose_block(const struct params *at, size_t r)
{
    const int block = (int)get_long(at, "block");
    if (block > 0)
        return block;
    return r <= 2048 ? 64 : r <= 8192 ? 128 : 256; /* few columns: many blocks, for all cores */
}

/* Of a stored right-hand side. */
INLINE double f_at(const struct bvp *b, size_t i)
{
    return b->f != NULL ? b->f[i] : rhs_stored(i);
}

static long double rhs_long(const struct bvp *b, size_t i)
{
    const long double x = (long double)i / (long double)b->n, q = x * x;
    switch (b->code) {
    case RHS_P1:
        return PI_LONG * PI_LONG / 4 * cosl(PI_LONG / 2 * x);
    case RHS_P2:
        return 20000 * expl(-100 * q) * (1 - 200 * q);
    default:
        return (long double)f_at(b, i);
    }
}

/* The plainest code of the family: (7) and (8). Do not tune it. */
static void discrete_solution(const struct bvp *b, long double *u)
{
    const long double h = 1 / (long double)b->n;
    for (size_t i = 0; i < b->n; i++)
        u[i] = (long double)b->amplitude * h * h * rhs_long(b, i);
    u[0] /= 2;
    for (size_t i = 1; i < b->n; i++)
        u[i] += u[i - 1];
    for (size_t i = b->n - 1; i-- > 0;)
        u[i] += u[i + 1];
}

void bvp_discrete_solution(const struct instance *in, long double *u)
{
    discrete_solution(in->data, u);
}

/* Relative l2 error of the exact solution of the discrete system. */
static enum status inherent_error(const struct bvp *b, double *out)
{
    const double h = 1 / (double)b->n;
    if (b->code == RHS_P1) {
        /* The discrete solution is c cos(pi x/2), c - 1 = t^2/sin(t)^2 - 1 with t = pi h/4. */
        const double t = PI * h / 4, q = t * t, sine = sin(t);
        *out =
            t > 0.01 ? (q - sine * sine) / (sine * sine) : q / 3 + q * q / 15 + q * q * q * 2 / 189;
        return OK;
    }
    if (b->n > SOLVED_EXACTLY) {
        /* h^2 (f(x) - f(1))/12 - h^4 (f''(x) - f''(1))/240 over u, in l2: integrals of Gaussians,
         * with the half terms of the sums at x = 0. 14.43... is 25/sqrt(3). */
        const double i0 = 0.62665706865775012560; /* sqrt(pi/8) */
        *out = 14.433756729740644 * h * h * sqrt((1 + 20 / (3 * i0) * h) / (1 + 5 / i0 * h)) *
               (1 + 25 * h * h);
        return OK;
    }
    long double *u = malloc(b->n * sizeof *u);
    if (u == NULL)
        return because(ERR_MEMORY, "there is no memory for the discrete solution");
    discrete_solution(b, u);
    long double above = 0, below = 0;
    for (size_t i = 0; i < b->n; i++) {
        const long double x = (long double)i / (long double)b->n;
        const long double true_u =
            (long double)b->amplitude * 100 * (expl(-100 * x * x) - expl(-100));
        above += (u[i] - true_u) * (u[i] - true_u);
        below += true_u * true_u;
    }
    *out = (double)sqrtl(above / below);
    free(u);
    return OK;
}

static enum status make_f(struct bvp *b)
{
    b->f = malloc(b->n * sizeof *b->f);
    return b->f != NULL ? OK : because(ERR_MEMORY, "there is no memory for %zu values of f", b->n);
}

/* So that what does not read it from the host's memory need not have room for it. */
enum status bvp_hold_f(const struct instance *in)
{
    struct bvp *const b = in->data;
    if (b->f != NULL || b->code != RHS_INPUT)
        return OK;
    const enum status status = make_f(b);
    const size_t n = status == OK ? b->n : 0;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        b->f[i] = rhs_stored(i);
    return status;
}

static size_t chunk_end(const struct bvp *b, size_t first)
{
    return b->n - first < CHUNK ? b->n : first + CHUNK;
}

/* See bvp.h; the half of f_1 changes less than the rounding up. */
static enum status find_lateness(struct bvp *b)
{
    const size_t chunks = (b->n - 1) / CHUNK + 1;
    double all = 0, above = 0, (*const of)[2] = calloc(chunks, sizeof *of);
    if (of == NULL)
        return because(ERR_MEMORY, "there is no memory for %zu sums", chunks);
#pragma omp parallel for schedule(static)
    for (size_t c = 0; c < chunks; c++) {
        double here = 0, above_here = 0;
        for (size_t i = c * CHUNK; i < chunk_end(b, c * CHUNK); i++) {
            const double size = 0x1p-64 * fabs(f_at(b, i)); /* of which no sum is infinite */
            here += size;
            above_here += (double)(b->n - i) / (double)b->n * size;
        }
        of[c][0] = here;
        of[c][1] = above_here;
    }
    for (size_t c = 0; c < chunks; c++) {
        all += of[c][0];
        above += of[c][1];
    }
    free(of);
    b->late = above > 0 ? 2 * all / above : 1;
    return OK;
}

static void destroy(struct instance *in)
{
    const struct bvp *const b = in->data;
    for (int k = 0; b != NULL && k < WAVES; k++)
        free(b->waves[k]);
    if (b != NULL)
        free(b->f);
    instance_free(in);
}

static enum status create(struct instance *in)
{
    struct bvp shape = {.n = (size_t)get_long(&in->at, "n"),
                        .code = in->at.problem->code,
                        .historical = get_long(&in->at, "arithmetic") == 1,
                        .paper = get_long(&in->at, "reference") == 1,
                        .amplitude = 1};
    enum status status = bvp_shape(&in->at, &shape.r, &shape.s);
    if (status != OK)
        return status;
    shape.block = choose_block(&in->at, shape.r);
    if (get_input(&in->at, "f") != NULL)
        shape.code = RHS_INPUT;
    shape.drawn = get_input(&in->at, "f") == NULL && shape.code == RHS_INPUT;
    shape.late = 2; /* of p1 pi/2, of p2 1.1 */
    in->count = shape.n;
    status = instance_make(in, &shape, sizeof shape, 0);
    if (status != OK)
        return status;
    struct bvp *const b = in->data;
    if (b->code != RHS_INPUT)
        status = inherent_error(b, &b->inherent);
    else if (!b->drawn)
        status = make_f(b);
    if (status == OK && b->f != NULL)
        status = read_input(&in->at, "f", b->n, 1, b->f);
    for (size_t i = 0; i < b->n && b->f != NULL && !b->large && status == OK; i++)
        b->large = fabs(b->f[i]) > 1;
    if (status == OK && b->code == RHS_INPUT)
        status = find_lateness(b);
    if (status != OK)
        destroy(in);
    return status;
}

/* Another amplitude of f, a power of two: other answers at the same cost, and rounded alike, since
 * in single precision at the published sizes it is a matter of luck whether a digit is left. A
 * smaller one where the user's f is large: it may be near the end of the range. */
static void vary(struct instance *in, uint64_t seed)
{
    struct bvp *b = in->data;
    const int power = seed == 0 ? 0 : 1 + (int)(7 * uniform(seed, 0));
    b->amplitude = ldexp(1, b->large ? -power : power);
}

/* A chunk of the sums for a stored f, of d and of |d|; `least` is added to each |d|: below it
 * roundings are absolute, as large as for values of that size. */
struct piece {
    long double sum, below, sum_size, below_size; /* of d, and of y if it were 0 before; of sizes */
    long double error, size, own; /* squares: differences, solution for |f|, and for f */
    long double most, most_f;
};

/* What lies before a chunk, and behind. */
struct edge {
    long double y, u, y_size, u_size;
};

static long double h_squared(const struct bvp *b)
{
    const long double h = 1 / (long double)b->n;
    return (long double)b->amplitude * h * h;
}

static struct piece sum_chunk(const struct bvp *b, size_t first, long double least)
{
    const size_t end = chunk_end(b, first);
    const long double h2 = h_squared(b);
    struct piece of = {0};
    for (size_t i = first; i < end; i++) {
        const double f = f_at(b, i);
        const long double d = (i == 0 ? 0.5L : 1) * h2 * (long double)f;
        of.sum += d;
        of.below += of.sum;
        of.sum_size += fabsl(d) + least;
        of.below_size += of.sum_size;
        of.most_f = larger_long(of.most_f, (long double)(b->amplitude * fabs(f)));
    }
    return of;
}

/* (7) and (8) through a chunk from its edges; y[CHUNK] is for the sums on the way. */
static void judge_input_chunk(const struct bvp *b, const struct solution *got, size_t first,
                              long double least, struct edge from, struct piece *of,
                              long double (*y)[2])
{
    const size_t end = chunk_end(b, first);
    const long double h2 = h_squared(b);
    for (size_t i = first; i < end; i++) {
        const long double d = (i == 0 ? 0.5L : 1) * h2 * (long double)f_at(b, i);
        y[i - first][0] = from.y += d;
        y[i - first][1] = from.y_size += fabsl(d) + least;
    }
    for (size_t i = end; i-- > first;) {
        from.u += y[i - first][0];
        from.u_size += y[i - first][1];
        const long double off = from.u - (long double)value_at(got, i);
        of->error += off * off;
        of->size += from.u_size * from.u_size;
        of->own += from.u * from.u;
        of->most = larger_long(of->most, fabsl(from.u));
    }
}

/* From the sums of the chunks what lies before and behind each. */
static void find_edges(const struct bvp *b, size_t chunks, const struct piece *pieces,
                       struct edge *edges)
{
    struct edge at = {0};
    for (size_t c = 0; c < chunks; c++) {
        edges[c] = at;
        at.y += pieces[c].sum;
        at.y_size += pieces[c].sum_size;
    }
    for (size_t c = chunks; c-- > 0;) {
        const long double count = (long double)(chunk_end(b, c * CHUNK) - c * CHUNK);
        edges[c].u = at.u;
        edges[c].u_size = at.u_size;
        at.u += pieces[c].below + count * edges[c].y;
        at.u_size += pieces[c].below_size + count * edges[c].y_size;
    }
}

/* Chunk by chunk on all cores; false: no memory. The sums do not depend on the number of cores. */
static bool judge_chunks(const struct bvp *b, const struct solution *got, long double least,
                         size_t chunks, struct piece *pieces, struct edge *edges)
{
    bool enough = true;
#pragma omp parallel for schedule(static)
    for (size_t c = 0; c < chunks; c++)
        pieces[c] = sum_chunk(b, c * CHUNK, least);
    find_edges(b, chunks, pieces, edges);
#pragma omp parallel reduction(&& : enough)
    {
        long double(*y)[2] = malloc(CHUNK * sizeof *y);
        enough = y != NULL;
#pragma omp for schedule(static)
        for (size_t c = 0; c < chunks; c++)
            if (y != NULL)
                judge_input_chunk(b, got, c * CHUNK, least, edges[c], &pieces[c], y);
        free(y);
    }
    return enough;
}

/* How far an answer to a stored f is off: its distance to the long double solution, in l2, relative
 * to the solution for |f|, which bounds what the sums can cancel; and how much they do, by which it
 * is more relative to the solution itself. */
static enum status input_error(const struct instance *in, const struct solution *got,
                               struct judgement *out)
{
    const struct bvp *b = in->data;
    const long double least =
        got->precision == DOUBLE ? (long double)DBL_MIN : (long double)FLT_MIN;
    const size_t chunks = (b->n - 1) / CHUNK + 1;
    struct piece *pieces = malloc(chunks * sizeof *pieces), all = {0};
    struct edge *edges = malloc(chunks * sizeof *edges);
    const bool enough =
        pieces != NULL && edges != NULL && judge_chunks(b, got, least, chunks, pieces, edges);
    for (size_t c = 0; c < chunks && enough; c++) {
        all.error += pieces[c].error;
        all.size += pieces[c].size;
        all.own += pieces[c].own;
        all.most = larger_long(all.most, pieces[c].most);
        all.most_f = larger_long(all.most_f, pieces[c].most_f);
    }
    free(pieces);
    free(edges);
    if (!enough)
        return because(ERR_MEMORY, "there is no memory for the discrete solution");
    const long double h = 1 / (long double)b->n;
    out->error = (double)sqrtl(all.error / all.size);
    if (all.own > 0) { /* else f is 0 */
        out->beside[CANCELLED] = (double)sqrtl(all.size / all.own);
        add_metric(out, "rel_error_l2", (double)sqrtl(all.error / all.own));
    }
    enum status status = values_within_range("f", all.most_f, got->precision);
    if (status == OK)
        status = values_within_range("h^2 f", all.most_f * h * h, got->precision);
    return status == OK ? within_range(all.most, got->precision) : status;
}

/* --- the judge --- */

struct sums {                                      /* of one chunk */
    double error, error_exact, below, below_exact; /* squares: differences, exact values */
    double beside[SIZE + 1];
};

/* A part of the answer beside the data. */
struct strip {
    size_t first, count;
    double values[STRIP + 2];                      /* u_i is at i + 1 */
    double f[STRIP], exact[STRIP], printed[STRIP]; /* `printed` with the paper's pi */
};

static void place_values(const struct bvp *b, const struct solution *got, struct strip *strip)
{
    const size_t before = strip->first > 0, behind = strip->first + strip->count < b->n;
    widen(got, strip->first - before, before + strip->count + behind, strip->values + 1 - before);
    if (before == 0)
        strip->values[0] = strip->values[1]; /* u'(0) = 0 */
    if (behind == 0)
        strip->values[strip->count + 1] = 0;
}

INLINE double wave(const struct bvp *b, enum wave which, size_t i)
{
    const double x = (double)i / (double)b->n;
    return which == PRINTED_WAVE ? cos((double)(float)PI / 2 * x)
           : b->code == RHS_P1   ? cos(PI / 2 * x)
                                 : exp(-100 * (x * x));
}

static void keep_wave(struct bvp *b, enum wave which)
{
    const double most = 0.25; /* of the memory */
    const size_t bytes = b->n * sizeof(double);
    if (b->judgements < 2 || b->waves[which] != NULL || (double)bytes > most * available_memory())
        return;
    double *const to = malloc(bytes);
    if (to != NULL)
#pragma omp parallel for schedule(static)
        for (size_t i = 0; i < b->n; i++)
            to[i] = wave(b, which, i);
    b->waves[which] = to;
}

static void place_wave(const struct bvp *b, enum wave which, size_t first, size_t count, double *to)
{
    if (b->waves[which] != NULL)
        memcpy(to, b->waves[which] + first, count * sizeof *to);
    else
        for (size_t i = 0; i < count; i++)
            to[i] = wave(b, which, first + i);
}

/* f(x) and u(x), x = i/n, of the continuous problem: both come from one cosine, or exponential
 * function. `float_pi`: u also as the paper compared its single results. */
static WIDEST void place_data(const struct bvp *b, bool float_pi, struct strip *strip)
{
    const double n = (double)b->n, base = (double)strip->first, amplitude = b->amplitude;
    const int count = (int)strip->count;
    if (b->code == RHS_INPUT) {
        for (int i = 0; i < count; i++)
            strip->f[i] = amplitude * f_at(b, strip->first + (size_t)i);
        return;
    }
    double u[STRIP];
    place_wave(b, EXACT_WAVE, strip->first, strip->count, u);
    if (b->code == RHS_P1)
        for (int i = 0; i < count; i++) {
            strip->exact[i] = amplitude * u[i];
            strip->f[i] = amplitude * (PI * PI / 4 * u[i]);
        }
    else
        for (int i = 0; i < count; i++) {
            const double x = (base + (double)i) / n;
            strip->exact[i] = amplitude * (100 * u[i] - 100 * exp(-100.0));
            strip->f[i] = amplitude * (20000 * u[i] * (1 - 200 * (x * x)));
        }
    if (!float_pi)
        return;
    place_wave(b, PRINTED_WAVE, strip->first, strip->count, strip->printed);
    for (int i = 0; i < count; i++)
        strip->printed[i] *= amplitude;
}

/* Lane by lane, so that the sums do not wait for each other. */
static WIDEST void add_squares(const double *u, const double *exact, size_t count, double *error,
                               double *below)
{
    double off[LANES] = {0}, size[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t l = 0; l < LANES; l++) {
            off[l] += (exact[i + l] - u[i + l]) * (exact[i + l] - u[i + l]);
            size[l] += exact[i + l] * exact[i + l];
        }
    for (; i < count; i++) {
        off[0] += (exact[i] - u[i]) * (exact[i] - u[i]);
        size[0] += exact[i] * exact[i];
    }
    for (int l = 0; l < LANES; l++) {
        *error += off[l];
        *below += size[l];
    }
}

static WIDEST void add_beside(const struct strip *strip, double n, double *beside)
{
    const double *const u = strip->values + 1, h = 1 / n;
    int64_t most = 0, most_u = 0, most_d = 0;
    double size[LANES] = {0};
    for (size_t i = 0; i < strip->count; i++) {
        const double au = (u[i] - u[(ptrdiff_t)i - 1]) + (u[i] - u[i + 1]);
        const double d = h * h * strip->f[i];
        most = higher(most, rank_of(d - au));
        most_u = higher(most_u, rank_of(u[i]));
        most_d = higher(most_d, rank_of(d));
    }
    for (size_t i = 0; i < strip->count; i++)
        size[i % LANES] += (n - (double)(strip->first + i)) * fabs(h * h * strip->f[i]);
    beside[RESIDUAL] = larger(beside[RESIDUAL], of_rank(most));
    beside[LARGEST_U] = larger(beside[LARGEST_U], of_rank(most_u));
    beside[LARGEST_D] = larger(beside[LARGEST_D], of_rank(most_d));
    for (int l = 0; l < LANES; l++)
        beside[SIZE] += size[l];
}

static struct sums judge_chunk(const struct bvp *b, const struct solution *got, size_t first,
                               bool float_pi)
{
    struct sums of = {0};
    const size_t end = b->n - first < CHUNK ? b->n : first + CHUNK;
    struct strip strip;
    for (; first < end; first += STRIP) {
        strip.first = first;
        strip.count = end - first < STRIP ? end - first : STRIP;
        place_values(b, got, &strip);
        place_data(b, float_pi, &strip);
        if (first == 0)
            strip.f[0] /= 2;
        add_beside(&strip, (double)b->n, of.beside);
        if (b->code == RHS_INPUT)
            continue;
        if (float_pi)
            add_squares(strip.values + 1, strip.printed, strip.count, &of.error, &of.below);
        add_squares(strip.values + 1, strip.exact, strip.count,
                    float_pi ? &of.error_exact : &of.error, float_pi ? &of.below_exact : &of.below);
    }
    return of;
}

/* Chunks are fixed and added in their order, so the number of threads changes no digit. */
static enum status judge(const struct instance *in, const struct solution *got,
                         struct judgement *out)
{
    struct bvp *const b = in->data;
    const bool float_pi = b->paper && b->code == RHS_P1 && got->precision != DOUBLE;
    const size_t chunks = (b->n - 1) / CHUNK + 1;
    assert(got->count == b->n);
    b->judgements++;
    if (b->code != RHS_INPUT)
        keep_wave(b, EXACT_WAVE);
    if (float_pi)
        keep_wave(b, PRINTED_WAVE);
    struct sums *parts = malloc(chunks * sizeof *parts);
    if (parts == NULL)
        return because(ERR_MEMORY, "there is no memory to judge the solution");
#pragma omp parallel for schedule(static)
    for (size_t c = 0; c < chunks; c++)
        parts[c] = judge_chunk(b, got, c * CHUNK, float_pi);
    struct sums all = {0};
    memset(out->beside, 0, sizeof out->beside);
    for (size_t c = 0; c < chunks; c++) {
        all.error += parts[c].error;
        all.below += parts[c].below;
        all.error_exact += parts[c].error_exact;
        all.below_exact += parts[c].below_exact;
        for (int k = 0; k < SIZE; k++)
            out->beside[k] = larger(out->beside[k], parts[c].beside[k]);
        out->beside[SIZE] += parts[c].beside[SIZE];
    }
    free(parts);
    if (b->code == RHS_INPUT) {
        const enum status status = input_error(in, got, out);
        if (status != OK)
            return status;
    } else {
        out->error = sqrt(all.error) / sqrt(all.below);
        add_metric(out, "rel_error_l2", out->error);
        if (float_pi)
            add_metric(out, "rel_error_l2_exact", sqrt(all.error_exact) / sqrt(all.below_exact));
    }
    out->inherent = b->inherent;
    add_metric(out, "residual_linf", out->beside[RESIDUAL]);
    return OK;
}

static void dump(const struct instance *in, const struct solution *got, FILE *file)
{
    const struct bvp *b = in->data;
    for (size_t i = 0; i < b->n; i++)
        fprintf(file, "%zu,%.17g\n", i + 1, value_at(got, i));
}

static void picture(const struct instance *in, struct picture *out)
{
    const struct bvp *b = in->data;
    *out = (struct picture){.as = CURVES,
                            .x = {"x", 0, (double)(b->n - 1) / (double)b->n, b->n},
                            .y = {.count = 1},
                            .value = "u",
                            .panels = 1,
                            .when = {NAN},
                            .at = value_of_row};
}

#define COMMON                                                                                     \
    .parameters = parameters, .inputs = inputs, .dump_header = "i,u", .create = create,            \
    .vary = vary, .judge = judge, .dump = dump, .picture = picture, .destroy = destroy

const struct problem bvp_problems[] = {
    {.id = "p1",
     .title = "f = (pi^2/4) cos(pi x/2), u = cos(pi x/2)",
     .source = "Stpiczynski, Potiopa 2010, (12)",
     .code = RHS_P1,
     COMMON},
    {.id = "p2",
     .title = "f = 20000 exp(-100 x^2) (1 - 200 x^2), u = 100 exp(-100 x^2) - 100 exp(-100)",
     .source = "Stpiczynski, Potiopa 2010, (13)",
     .code = RHS_P2,
     COMMON},
    {.id = "stored",
     .title = "f in memory: random numbers from -1/4 to 3/4",
     .source = "ours",
     .code = RHS_INPUT,
     COMMON},
    {.id = NULL},
};
