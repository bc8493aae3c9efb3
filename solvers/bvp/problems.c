/*
 * The two problems of the paper: parameters, the user's right-hand side from a file, the error
 * (14), the residual of the system (4), and the exact solution of the discrete system.
 */
#include "bvp.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "../common/memory.h"
#include "../common/pi.h"
#include "../common/solution.h"
#include "rhs.h"

enum { CHUNK = 65536, SOLVED_EXACTLY = 4096 };

#define PI_LONG 3.14159265358979323846264338327950288L

static const struct parameter parameters[] = {
    {"n", INTEGER, 1 << 20, 2, 0x1p33, NULL, "number of unknowns, h = 1/n"},
    {"r", INTEGER, 0, 0, 0x1p33, NULL, "columns of the array of A2; 0: chosen from s or sqrt(n)"},
    {"s", INTEGER, 0, 0, 0x1p33, NULL, "rows of the array of A2; 0: chosen from r or sqrt(n)"},
    {"arithmetic", CHOICE, 0, 0, 1, "ieee|historical",
     "historical: single and mixed kernels multiply and add as the GPU of 2010 did"},
    {"reference", CHOICE, 0, 0, 1, "exact|paper",
     "paper: single and mixed answers of p1 against cos(pi x/2) with pi rounded to float"},
    {"block", INTEGER, 0, 0, 1024, NULL, "threads per block; 0: chosen from r"},
    {.name = NULL},
};

static const char *const inputs[] = {"f", NULL};

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
    if (in->at.input_path != NULL)
        shape.code = RHS_INPUT;
    in->count = shape.n;
    const size_t given = shape.code == RHS_INPUT ? shape.n : 0;
    status = instance_make(in, &shape, sizeof shape, given * sizeof *shape.f);
    if (status == OK && given > 0) {
        struct bvp *const b = in->data;
        b->f = (double *)(b + 1);
        status = read_values(in->at.input_path, given, b->f);
    }
    if (status != OK)
        instance_free(in);
    return status;
}

/* Another amplitude of f, a power of two: other answers at the same cost, and rounded alike, since
 * in single precision at the published sizes it is a matter of luck whether a digit is left. */
static void vary(struct instance *in, uint64_t seed)
{
    struct bvp *b = in->data;
    b->amplitude = seed == 0 ? 1 : ldexp(2, (int)(7 * uniform(seed, 0)));
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
        return (long double)b->f[i];
    }
}

/* The plainest code of the family: (7) and (8). Do not tune it. */
void bvp_discrete_solution(const struct instance *in, long double *u)
{
    const struct bvp *b = in->data;
    const long double h = 1 / (long double)b->n;
    for (size_t i = 0; i < b->n; i++)
        u[i] = (long double)b->amplitude * h * h * rhs_long(b, i);
    u[0] /= 2;
    for (size_t i = 1; i < b->n; i++)
        u[i] += u[i - 1];
    for (size_t i = b->n - 1; i-- > 0;)
        u[i] += u[i + 1];
}

/* u(x), x = i/n, of the continuous problem; `float_pi`: as the paper compared its single results.
 */
static double exact(const struct bvp *b, size_t i, bool float_pi)
{
    const double x = (double)i / (double)b->n;
    const double pi = float_pi ? (double)(float)PI : PI;
    const double u =
        b->code == RHS_P1 ? cos(pi / 2 * x) : 100 * exp(-100 * x * x) - 100 * exp(-100.0);
    return b->amplitude * u;
}

/* Relative l2 error of the exact solution of the discrete system. */
static enum status inherent_error(const struct instance *in, double *out)
{
    const struct bvp *b = in->data;
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
    bvp_discrete_solution(in, u);
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

/* How far an answer to the user's f is off: its distance to the plain long double solution, in l2,
 * relative to the solution for |f|, which bounds what the sums can cancel. Below `least` roundings
 * are absolute: they are as large as for values of that size. */
static enum status input_error(const struct instance *in, const struct solution *got, double *out)
{
    const struct bvp *b = in->data;
    const long double h = 1 / (long double)b->n;
    const long double least =
        got->precision == DOUBLE ? (long double)DBL_MIN : (long double)FLT_MIN;
    long double above = 0, below = 0, sum = 0, most = 0, most_f = 0;
    long double *u = malloc(b->n * sizeof *u);
    if (u == NULL)
        return because(ERR_MEMORY, "there is no memory for the discrete solution");
    bvp_discrete_solution(in, u);
    for (size_t i = 0; i < b->n; i++) {
        const long double difference = u[i] - (long double)value_at(got, i);
        above += difference * difference;
        most = larger_long(most, fabsl(u[i]));
    }
    for (size_t i = 0; i < b->n; i++) {
        const long double f = (long double)(b->amplitude * fabs(b->f[i]));
        most_f = larger_long(most_f, f);
        sum += (i == 0 ? 0.5L : 1) * f * h * h + least;
        u[i] = sum;
    }
    sum = 0;
    for (size_t i = b->n; i-- > 0;) {
        sum += u[i];
        below += sum * sum;
    }
    free(u);
    *out = (double)sqrtl(above / below);
    enum status status = values_within_range("f", most_f, got->precision);
    if (status == OK)
        status = values_within_range("h^2 f", most_f * h * h, got->precision);
    return status == OK ? within_range(most, got->precision) : status;
}

static double rhs_value(const struct bvp *b, size_t i)
{
    return b->code == RHS_INPUT ? b->f[i] : rhs_double(b->code, (double)i / (double)b->n);
}

struct sums {                                      /* of one chunk */
    double error, error_exact, below, below_exact; /* squares: differences, exact values */
    double residual;                               /* largest */
};

static struct sums judge_chunk(const struct bvp *b, const struct solution *got, size_t first,
                               bool float_pi)
{
    struct sums of = {0};
    const size_t n = b->n, end = n - first < CHUNK ? n : first + CHUNK;
    const double h = 1 / (double)n;
    for (size_t i = first; i < end; i++) {
        const double u = value_at(got, i);
        const double left = i > 0 ? value_at(got, i - 1) : 0,
                     right = i + 1 < n ? value_at(got, i + 1) : 0;
        const double d = (i == 0 ? 0.5 : 1) * b->amplitude * h * h * rhs_value(b, i);
        const double au = i == 0 ? u - right : (u - left) + (u - right);
        of.residual = larger(of.residual, fabs(d - au));
        if (b->code == RHS_INPUT)
            continue;
        const double true_u = exact(b, i, float_pi);
        of.error += (true_u - u) * (true_u - u);
        of.below += true_u * true_u;
        if (float_pi) {
            const double other = exact(b, i, false);
            of.error_exact += (other - u) * (other - u);
            of.below_exact += other * other;
        }
    }
    return of;
}

/* Chunks are fixed and added in their order, so the number of threads changes no digit. */
static enum status judge(const struct instance *in, const struct solution *got,
                         struct judgement *out)
{
    const struct bvp *b = in->data;
    const bool float_pi = b->paper && b->code == RHS_P1 && got->precision != DOUBLE;
    const size_t chunks = (b->n - 1) / CHUNK + 1;
    double inherent = 0;
    assert(got->count == b->n);
    if (b->code != RHS_INPUT) {
        const enum status status = inherent_error(in, &inherent);
        if (status != OK)
            return status;
    }
    struct sums *parts = malloc(chunks * sizeof *parts);
    if (parts == NULL)
        return because(ERR_MEMORY, "there is no memory to judge the solution");
#pragma omp parallel for schedule(static)
    for (size_t c = 0; c < chunks; c++)
        parts[c] = judge_chunk(b, got, c * CHUNK, float_pi);
    struct sums all = {0};
    for (size_t c = 0; c < chunks; c++) {
        all.error += parts[c].error;
        all.below += parts[c].below;
        all.error_exact += parts[c].error_exact;
        all.below_exact += parts[c].below_exact;
        all.residual = larger(all.residual, parts[c].residual);
    }
    free(parts);
    if (b->code == RHS_INPUT) {
        const enum status status = input_error(in, got, &out->error);
        if (status != OK)
            return status;
    } else {
        out->error = sqrt(all.error) / sqrt(all.below);
        add_metric(out, "rel_error_l2", out->error);
        if (float_pi)
            add_metric(out, "rel_error_l2_exact", sqrt(all.error_exact) / sqrt(all.below_exact));
    }
    out->inherent = inherent;
    add_metric(out, "residual_linf", all.residual);
    return OK;
}

static void dump(const struct instance *in, const struct solution *got, FILE *file)
{
    const struct bvp *b = in->data;
    for (size_t i = 0; i < b->n; i++)
        fprintf(file, "%zu,%.17g\n", i + 1, value_at(got, i));
}

#define COMMON                                                                                     \
    .parameters = parameters, .inputs = inputs, .dump_header = "i,u", .create = create,            \
    .vary = vary, .judge = judge, .dump = dump, .destroy = instance_free

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
    {.id = NULL},
};
