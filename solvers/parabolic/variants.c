/*
 * The variants of the family: the paper's loop on the CPU and its three ways on a GPU, and the
 * limits of both. All do the same operations on every point in an order that changes no bit, so
 * none may differ from the reference. Each row says what its algorithm has to move.
 */
#include <math.h>

#include "machine/device.h"
#include "parabolic.h"

#include "../common/pi.h"
#include "../common/solution.h" /* exactly */

static struct parabolic given(const struct params *at)
{
    struct parabolic p = {.n = 1, .model = 1, .steps = 1, .rows = 1};
    (void)parabolic_setup(at, &p); /* create() refuses what does not fit */
    return p;
}

/* `words` are what has to be moved to update a point once, beyond any cache. Operations: products
 * with tables once a row, the source linear along a row. */
static struct work work_of(const struct parabolic *p, double words, double size)
{
    static const double flops[5] = {0, 6, 9, 14, 12};
    const double n = (double)p->n, updates = n * n * (double)p->steps;
    return (struct work){
        .flops = flops[p->model] * updates, .bytes = words * size * updates, .useful = updates};
}

/* Fields held besides the one that is computed, and fields of the answer. */
static double more_fields(const struct parabolic *p)
{
    return (p->scheme == JACOBI ? 1 : 0) + (p->snapshot > 0 ? 1 : 0);
}

static double answer(const struct parabolic *p)
{
    return (p->snapshot > 0 ? 2 : 1) * (double)p->n * (double)p->n;
}

/* Values of a field whose rows begin at multiples of 32. */
static double field(const struct parabolic *p, bool separated)
{
    const double columns = (double)p->n + 2, arrays = separated ? 2 : 1;
    return arrays * columns * 32 * ceil(ceil(columns / arrays) / 32);
}

/* Both sweeps read and write all lines of the array; jacobi reads one and writes the other. */
static struct work cpu_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double line = (double)p.n + 2, size = (double)value_size(variant->precision);
    struct work work = work_of(&p, p.scheme == JACOBI ? 2 : 4, size);
    work.host_bytes = size * ((1 + more_fields(&p)) * line * line + 6 * line + answer(&p));
    return work;
}

/* Twelve steps at most in a pass that reads and writes everything once. Half as much, at most, is
 * copied from band to band. */
static struct work cpu_omp_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double size = (double)value_size(variant->precision);
    struct work work = work_of(&p, 2.0 / 12, size);
    work.host_bytes = size * ((1.5 + more_fields(&p)) * field(&p, true) + answer(&p));
    return work;
}

static struct work device_work(const struct parabolic *p, double words, bool separated, double size)
{
    struct work work = work_of(p, words, size);
    work.launches = 3 * (double)p->steps;
    work.host_bytes = size * (field(p, separated) + answer(p));
    work.device_bytes =
        size * ((1 + more_fields(p)) * field(p, separated) + 6 * ((double)p->n + 2));
    return work;
}

/* As on the CPU: of every line that a phase touches, half is the other colour. */
static struct work gpu_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    return device_work(&p, 4, false, (double)value_size(variant->precision));
}

/* The own colour read and written, the other one read; at least, since the rows and columns that
 * sets and blocks of GPU-RBS share may come from a cache. */
static struct work separated_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    return device_work(&p, 3, true, (double)value_size(variant->precision));
}

/* Four steps at most in a pass that reads one field and writes another. */
static struct work gpu_tb_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double size = (double)value_size(variant->precision);
    struct work work = device_work(&p, 2.0 / 4, true, size);
    work.launches = ceil((double)p.steps / 4);
    work.device_bytes += size * (p.scheme == JACOBI ? 0 : field(&p, true));
    return work;
}

/* A step reads one field and writes another. */
static struct work gpu_sweep_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double size = (double)value_size(variant->precision);
    struct work work = device_work(&p, 2, false, size);
    work.launches = (double)parabolic_records(&p);
    work.device_bytes += size * (p.scheme == JACOBI ? 0 : field(&p, false));
    return work;
}

/* What GPU-limit keeps on a card of 256 multiprocessors with 64 Ki registers each, and the steps of
 * a pass over what is larger. With 132 of them 2092 and 1506 points a side stay; to take the
 * smaller number would call right times impossible on a larger card. */
static const struct {
    size_t stays;
    double steps;
} limits[] = {[SINGLE] = {2852, 8}, [DOUBLE] = {2100, 6}};

/* A grid that stays is read and written once, another once a pass. A run may take more launches
 * than this: where coefficients change, or passes do not flow. */
static struct work gpu_limit_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double size = (double)value_size(variant->precision), steps = (double)p.steps;
    const bool stays = p.n <= limits[variant->precision].stays;
    const double passes = stays ? 1 : ceil(steps / limits[variant->precision].steps);
    struct work work = device_work(&p, 2 * passes / steps, false, size);
    work.launches = 1;
    work.device_bytes += size * field(&p, false);
    return work;
}

/* One rank is GPU-limit. Of several each has a part by passes: its rows and, at most, a halo of 16
 * on either side, and two places for what comes from either side. The halo of the next pass is sent
 * in each. */
static struct work gpu_limit_ranks_work(const struct variant *variant, const struct params *at)
{
    const struct parabolic p = given(at);
    const double size = (double)value_size(variant->precision), steps = (double)p.steps;
    const double launches = ceil(steps / limits[variant->precision].steps);
    const double ranks = get(at, "ranks"), line = (double)p.n + 2;
    const double share = fmin(1, 1 / ranks + 34 / line), halos = 4 * 16 / line;
    struct work work = ranks > 1 ? device_work(&p, 2 * launches / steps, false, size)
                                 : gpu_limit_work(variant, at);
    if (ranks == 1)
        return work;
    work.flops /= ranks;
    work.bytes /= ranks;
    work.launches = launches;
    work.sent = fmin(ranks - 1, 2) * launches * 2 * limits[variant->precision].steps * line * size;
    work.words = launches - 1;
    work.device_bytes =
        size * (((2 + more_fields(&p)) * share + halos) * field(&p, false) + 6 * line);
    return work;
}

/* Of the task, with sums of neighbours that serve two points, and products of a row that serve all
 * of it: no way is known here that takes fewer. */
static double operations(const struct params *at)
{
    static const double flops[5] = {0, 5, 6, 13, 9};
    const struct parabolic p = given(at);
    return flops[p.model] * (double)p.n * (double)p.n * (double)p.steps;
}

static struct work gpu_limit_fma_work(const struct variant *variant, const struct params *at)
{
    struct work work = gpu_limit_work(variant, at);
    work.flops = operations(at);
    return work;
}

/* --- how far rounding can put GPU-limit-fma off --- */

/* Sizes are relative to a weight, of which there are several:
 *   q^(i+j) cos(b (x - 1/2)) cos(b (y - 1/2)),  0 <= b <= pi, times what makes it 1 at most.
 * The two neighbours of a point along an axis have 2 cos(bh) of its weight together, where their
 * coefficients are equal, and so they are for models 2 and 4 if q is the root of their ratio. So
 * what is no more than a weight decays as a mode that is one, for b = pi the slowest. What is not
 * so small near the boundary, as data and their roundings there, is large beside such a weight: b
 * is 0 for them. No weight is wrong, and the least bound counts. */
struct weight {
    bool tilted;           /* q is not 1 */
    bool mean;             /* of mean squares: those of neighbours and of the boundary add up */
    double cosine;         /* cos(bh) */
    double turn;           /* what the flow of model 3 adds, beside k3 */
    double inside, border; /* the smallest one of a point, and of one on the boundary */
};
enum { WEIGHTS = 8 };

static bool has_tilt(const struct parabolic *p)
{
    return p->model == 2 || p->model == 4;
}

/* The smallest q^(i+j), beside the largest one. */
static double least_tilt(const struct parabolic *p)
{
    const double flow = fabs(parabolic_equations[p->model].convection) / (double)(p->n + 1) / 2;
    return has_tilt(p) ? pow((1 - flow) / (1 + flow), (double)p->n) : 1;
}

static struct weight weight_of(const struct parabolic *p, int which)
{
    const double h = 1 / (double)(p->n + 1), far = 0.5 - h; /* a point from the middle */
    const double b = which < WEIGHTS - 1 ? PI * (1 - pow(2, -which)) : PI;
    const bool tilted = b > 0 && has_tilt(p);
    const double least = tilted ? least_tilt(p) : 1;
    return (struct weight){.tilted = tilted,
                           .cosine = cos(b * h),
                           .turn = p->model == 3 ? 2 * tan(b * far) * sin(b * h) : 0,
                           .inside = least * cos(b * far) * cos(b * far),
                           .border = least * cos(b / 2) * cos(b * far)};
}

/* By colour: the largest |u| that there may be, and how far two ways of computing it differ. */
struct bounds {
    double most[2], off[2];
};

/* Of roundings; `tiny` are those of numbers that are too small for full digits. */
struct rounding {
    double unit, tiny;
};

static const struct rounding roundings[] = {
    [SINGLE] = {0x1p-24, 0x1p-149}, [DOUBLE] = {0x1p-53, 0x1p-1074}};

/* The sum of their coefficients, as the weight has them. */
static double neighbours(const struct parabolic *p, const struct stencil_d *c,
                         const struct weight *w)
{
    if (!has_tilt(p))
        return 4 * c->ke;
    return w->tilted ? 2 * (sqrt(c->kE * c->kW) + sqrt(c->kN * c->kS))
                     : c->kE + c->kW + c->kN + c->kS;
}

/* A value passes no more than 8 roundings on its way through a phase: that of model 3 by two
 * products, a difference, a product, and three sums. Both ways have them. What two ways differ by
 * already is passed on by the coefficients, which are rounded themselves; none is negative but
 * alpha: the neighbours' parts of model 3 cancel, since k3 <= ke. Where alpha is, beyond lambda =
 * 1/4, sizes tell nothing of what cancels, and the bound grows. */
static void bound_phase(const struct parabolic *p, const struct step_d *s, int phase,
                        const struct rounding *r, const struct weight *w, struct bounds *b)
{
    static const double frame[5] = {0, 0, 7.39, 1, 2}; /* the largest G: e^2; 1 + xy */
    const struct stencil_d *const c = &s->stencil[phase];
    const int own = s->colour[phase], other = 1 - own;
    const double rounded = 1 + 4 * r->unit;
    const double k = rounded * (neighbours(p, c, w) * w->cosine + c->k3 * w->turn);
    const double alpha = rounded * fabs(c->alpha);
    const double source = (fabs(c->f0) + fabs(c->fx) + fabs(c->fy) + fabs(c->fxy)) / w->inside;
    const double border = fabs(s->s[other]) * frame[p->model] / w->border;
    const double beside = w->mean ? b->most[other] + border : fmax(b->most[other], border);
    const double terms =
        alpha * (b->most[own] + b->off[own]) + source +
        (k + (p->model == 3 ? 4 * c->k3 * w->cosine : 0)) * (beside + b->off[other]);
    b->off[own] = alpha * b->off[own] + k * b->off[other] +
                  2 * (8 * r->unit / (1 - 8 * r->unit)) * terms + 2 * 8 * r->tiny / w->inside;
    b->most[own] = alpha * b->most[own] + k * beside + source;
}

/* That of model 1 is no more than any of its weights. */
static struct bounds first_bounds(const struct parabolic *p, const struct weight *w)
{
    const double own[5] = {0, w->inside, 7.39, 1, p->printed_ic ? 1 : 0};
    const double most = p->amplitude * (p->u0 != NULL ? p->u0_most : own[p->model]) / w->inside;
    return (struct bounds){{most, most}, {0, 0}};
}

static bool is_kept(const struct parabolic *p, size_t record)
{
    return record + 1 == p->snapshot || record + 1 == parabolic_records(p);
}

/* By the largest sizes of a run, at the times of its answer. */
static double bound_sizes(const struct parabolic *p, const struct rounding *r)
{
    struct weight weights[WEIGHTS];
    struct bounds b[WEIGHTS];
    double off[WEIGHTS] = {0}, least = INFINITY;
    for (int w = 0; w < WEIGHTS; w++) {
        weights[w] = weight_of(p, w);
        b[w] = first_bounds(p, &weights[w]);
    }
    for (size_t record = 0; record < parabolic_records(p); record++) {
        const bool kept = is_kept(p, record);
        struct step_d s;
        parabolic_step_d(p, record, &s);
        for (int w = 0; w < WEIGHTS; w++) {
            for (int phase = 0; phase < s.phases; phase++)
                bound_phase(p, &s, phase, r, &weights[w], &b[w]);
            if (kept)
                off[w] = larger(off[w], b[w].off[RED]);
            if (kept && p->n > 1) /* one point is red */
                off[w] = larger(off[w], b[w].off[BLACK]);
        }
    }
    for (int w = 0; w < WEIGHTS; w++)
        least = off[w] < least ? off[w] : least; /* NaN is not */
    return least;
}

/* In the mean square, with q^(i+j) alone as the weight, points of models 1, 2 and 4 get from their
 * neighbours what a symmetric matrix makes of these, whose singular values are no more than
 * cos(pi h) times the coefficients' sum. For each of them a cycle of phases multiplies red and
 * black by a matrix M of 2 x 2, the same in every cycle. With its eigenvalues l and k, |l| >= |k|,
 *   M^n = s(n) M - l k s(n-1),  |s(n)| <= sum of |l|^(n-1-i) |k|^i <= |l|^(n-1) / (1 - |k/l|),
 * where |k| <= sqrt(|det M|). So M^n is no more than growth rate^n for all of them, if no |l|
 * exceeds `rate`. */
struct cycle {
    size_t records;
    double rate, growth;
};

static struct weight mean_weight(const struct parabolic *p)
{
    const double cosine = cos(PI / (double)(p->n + 1)), least = least_tilt(p);
    return (struct weight){.tilted = has_tilt(p),
                           .mean = true,
                           .cosine = cosine,
                           .inside = least,
                           .border = least * cosine}; /* of it, neighbours count in full */
}

/* M, where neighbours are `part` of their sum; or, by sizes, what no number in it exceeds. */
static void cycle_matrix(const struct parabolic *p, const struct weight *w, size_t records,
                         double part, bool sizes, double m[2][2])
{
    const size_t first = p->scheme == LEAPFROG_HOPSCOTCH ? 1 : 0; /* half a step */
    m[RED][RED] = m[BLACK][BLACK] = 1;
    m[RED][BLACK] = m[BLACK][RED] = 0;
    for (size_t record = first; record < first + records; record++) {
        struct step_d s;
        parabolic_step_d(p, record, &s);
        for (int phase = 0; phase < s.phases; phase++) {
            const struct stencil_d *const c = &s.stencil[phase];
            const int own = s.colour[phase];
            const double alpha = sizes ? fabs(c->alpha) : c->alpha, k = part * neighbours(p, c, w);
            for (int from = 0; from < 2; from++)
                m[own][from] = alpha * m[own][from] + k * m[1 - own][from];
        }
    }
}

/* The trace is quadratic, at most, in the square of a singular value, and the determinant the same
 * for all. */
static struct cycle cycle_of(const struct parabolic *p, const struct weight *w)
{
    const size_t records = p->scheme == HOPSCOTCH ? 2 : 1;
    double m[2][2], trace[3];
    for (int k = 0; k < 3; k++) {
        cycle_matrix(p, w, records, w->cosine * sqrt(k / 2.0), false, m);
        trace[k] = m[RED][RED] + m[BLACK][BLACK];
    }
    const double bend = trace[0] - 2 * trace[1] + trace[2], slope = (trace[2] - trace[0]) / 2;
    const bool turns = fabs(slope) < fabs(bend); /* between the first and the last one */
    const double turn = turns ? trace[1] - slope * slope / (2 * bend) : 0;
    const double most = fmax(fabs(turn), fmax(fabs(trace[0]), fabs(trace[2])));
    cycle_matrix(p, w, records, 0, false, m);
    const double det = m[RED][RED] * m[BLACK][BLACK], root = sqrt(fabs(det));
    const double apart = most * most - 4 * det;
    const double largest = apart > 0 ? (most + sqrt(apart)) / 2 : root;
    const double rate = fmax(largest, (1 + root) / 2); /* not too near to the root */
    cycle_matrix(p, w, records, w->cosine, true, m);
    const double norm = hypot(hypot(m[0][0], m[0][1]), hypot(m[1][0], m[1][1]));
    const double growth = (norm / rate + fabs(det) / (rate * rate)) / (1 - root / rate);
    return (struct cycle){records, rate, fmax(1, growth)};
}

static double both(const double *by_colour)
{
    return hypot(by_colour[RED], by_colour[BLACK]);
}

/* The mean square of a run, which a single one of N^2 points may have alone. A cycle adds what
 * sources and the boundary give, and what it rounds; and a quarter of that for coefficients, which
 * are rounded as well, and not 16 times. What is no cycle goes by sizes. */
static double bound_squares(const struct parabolic *p, const struct rounding *r)
{
    const struct weight w = mean_weight(p);
    const struct cycle cycle = cycle_of(p, &w);
    const struct bounds first = first_bounds(p, &w);
    const bool halves = p->scheme == LEAPFROG_HOPSCOTCH;
    double most = both(first.most), off = 0, largest = 0;
    struct bounds all, given, rounded;
    size_t in = 0; /* records of the cycle */
    for (size_t record = 0; record < parabolic_records(p); record++) {
        const bool half = halves && (record == 0 || record == p->steps);
        struct step_d s;
        if (record == (halves ? 1 : 0)) {
            most *= cycle.growth;
            off *= cycle.growth;
        }
        if (in == 0) {
            all = (struct bounds){{most, most}, {off, off}};
            given = (struct bounds){{0, 0}, {0, 0}};
            rounded = (struct bounds){{most + off, most + off}, {0, 0}};
        }
        parabolic_step_d(p, record, &s);
        for (int phase = 0; phase < s.phases; phase++) {
            bound_phase(p, &s, phase, r, &w, &all);
            bound_phase(p, &s, phase, r, &w, &given);
            bound_phase(p, &s, phase, r, &w, &rounded);
        }
        in++;
        if (half) {
            off = both(all.off);
            most = both(all.most);
            in = 0;
        } else if (in == cycle.records) {
            const double now = both(rounded.off);
            off = cycle.rate * off + cycle.growth * 1.25 * now;
            most = cycle.rate * most + cycle.growth * (both(given.most) + now / 4);
            in = 0;
        }
        if (is_kept(p, record))
            largest = larger(largest, in == 0 ? off : both(all.off));
    }
    return (double)p->n * largest;
}

/* The answer is `error` off already, relative to the largest value that is right; so that is no
 * more than its own largest one over 1 - error, whatever the answer. */
static double fma_tolerance(const struct variant *variant, const struct instance *in,
                            const struct solution *got, struct judgement *out)
{
    const struct parabolic *const p = in->data;
    const struct rounding *const r = &roundings[variant->precision];
    const double sizes = bound_sizes(p, r),
                 squares = p->model != 3 ? bound_squares(p, r) : (double)INFINITY;
    const double off = squares < sizes ? squares : sizes; /* NaN is not */
    double largest = 0;
    for (size_t i = 0; i < got->count; i++)
        largest = larger(largest, fabs(value_at(got, i)));
    const bool close = out->error < 0.5, none = !(largest > 0);
    const double allowed = off * (1 - out->error) / largest;
    const bool digits = allowed < 1;
    if (!close || none)
        return 0;
    if (!digits)
        out->status =
            because(ERR_DIVERGED,
                    "rounding can be as large as %.3g, and u is %.3g: no digit is "
                    "certain; choose a smaller T, a lambda up to 0.25, %sor GPU-limit",
                    off, largest, variant->precision == DOUBLE ? "" : "double precision, ");
    return allowed;
}

#define ROW(id_, what, precision_, word, calls_, ...)                                              \
    {                                                                                              \
        .id = id_, .title = what ", " word, .precision = precision_, .calls = calls_, __VA_ARGS__  \
    }
#define PAPER(section) .source = "Foster 2011, " section, .role = PUBLISHED, .tolerance = exactly
#define OURS           .source = "ours", .role = LIMIT
#define ROWS(precision, word, suffix)                                                              \
    ROW("CPU", "the plain loop on one core", precision, word, &parabolic_cpu##suffix,              \
        PAPER("Section 2"), .place = HOST, .work = cpu_work),                                      \
        ROW("CPU-omp", "separated arrays, several steps in a pass, on all cores", precision, word, \
            &parabolic_cpu_omp##suffix, OURS, .place = HOST_PARALLEL, .tolerance = exactly,        \
            .work = cpu_omp_work),                                                                 \
        ROW("GPU", "one array, a kernel for each colour", precision, word,                         \
            DEVICE_CALLS(parabolic_gpu##suffix), PAPER("Section 2"), .place = DEVICE,              \
            .work = gpu_work),                                                                     \
        ROW("GPU-RB", "separated red and black arrays", precision, word,                           \
            DEVICE_CALLS(parabolic_gpu_rb##suffix), PAPER("Section 3.1"), .place = DEVICE,         \
            .work = separated_work),                                                               \
        ROW("GPU-RBS", "separated arrays, 127 points a block, rows in shared memory", precision,   \
            word, DEVICE_CALLS(parabolic_gpu_rbs##suffix), PAPER("Sections 3.2, 3.3"),             \
            .place = DEVICE, .work = separated_work),                                              \
        ROW("GPU-TB", "separated arrays, four steps in a pass", precision, word,                   \
            DEVICE_CALLS(parabolic_gpu_tb##suffix), OURS, .place = DEVICE, .tolerance = exactly,   \
            .work = gpu_tb_work),                                                                  \
        ROW("GPU-limit", "tiles in registers, all steps on the chip or several in a pass",         \
            precision, word, DEVICE_CALLS(parabolic_gpu_limit##suffix), OURS, .place = DEVICE,     \
            .tolerance = exactly, .work = gpu_limit_work),                                         \
        ROW("GPU-limit-ranks", "slabs of rows on several cards, several steps in a pass",          \
            precision, word, DEVICE_CALLS(parabolic_gpu_limit_ranks##suffix), OURS,                \
            .place = DEVICE, .ranks = true, .tolerance = exactly, .work = gpu_limit_ranks_work),   \
        ROW("GPU-limit-fma", "GPU-limit with multiply-adds, in other orders", precision, word,     \
            DEVICE_CALLS(parabolic_gpu_limit_fma##suffix), OURS, .place = DEVICE,                  \
            .tolerance = fma_tolerance, .work = gpu_limit_fma_work),                               \
        ROW("GPU-sweep", "both phases of a step in one sweep, tiles in shared memory", precision,  \
            word, DEVICE_CALLS(parabolic_gpu_sweep##suffix),                                       \
            .source = "as a library for stencils would write it", .role = PEER, .place = DEVICE,   \
            .tolerance = exactly, .work = gpu_sweep_work)

const struct variant parabolic_variants[] = {
    ROWS(SINGLE, "single", _s),
    ROWS(DOUBLE, "double", _d),
    {.id = NULL},
};

/* The grid is read once and written once, whatever the steps; a snapshot is written too. */
static double traffic(enum precision precision, const struct params *at)
{
    const struct parabolic p = given(at);
    return (double)value_size(precision) * ((double)p.n * (double)p.n + answer(&p));
}

const struct family parabolic_family = {
    "parabolic",
    "parabolic equations in two dimensions on a checkerboard",
    parabolic_problems,
    parabolic_variants,
    "throughput",
    "point/s",
    "Mpts/s",
    1e6,
    traffic,
    operations,
};
