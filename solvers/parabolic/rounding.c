/*
 * How far rounding can put a variant off that does the operations of the scheme in another order,
 * or fused. Two bounds on the difference of two ways of computing u are followed from step to step,
 * beside bounds on u itself, and the lesser one counts.
 */
#include <math.h>

#include "parabolic.h"

#include "../common/pi.h"
#include "../common/solution.h"

/* --- by sizes --- */

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
 * alpha: the neighbours' parts of model 3 cancel, since k3 <= ke / 4. By diagonals (tile.h) a value
 * passes six: a sum, that of its factor, a product and three sums; two more are in what k3 has in a
 * factor, and its sines are not quite those of the axes, for which the two that ke has left are
 * enough. Where alpha is negative, beyond lambda = 1/4, sizes tell nothing of what cancels, and the
 * bound grows. */
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

/* --- by mean squares --- */

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

/* --- what is allowed --- */

/* The answer is `error` off already, relative to the largest value that is right; so that is no
 * more than its own largest one over 1 - error, whatever the answer. */
double parabolic_rounding(const struct variant *variant, const struct instance *in,
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
