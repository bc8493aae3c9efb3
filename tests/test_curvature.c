/*
 * The family curvature: the forcing against differences, the functions of the step control, orders
 * of the method and of the scheme, the digits of the analysis, published variants against the
 * reference bit for bit and limits within what rounding explains, what diverges and what the judge
 * must refuse, and that nothing changes from run to run.
 */
#define RECIPE_D
#include "curvature/curvature.h"

#include <assert.h>
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "curvature/lone_kernel.h"
#include "curvature/reference.h"
#include "curvature/rkc.h"
#include "machine/device.h"
#include "solving.h"
#include "tap.h"

enum { MCF, WILLMORE_FLOW, MCF_FIGURE, WILLMORE_FIGURE };

static const struct variant *variant_of(const char *id, enum precision precision)
{
    return variant_in(curvature_variants, id, precision);
}

static const char *name_of(int problem)
{
    return curvature_problems[problem].id;
}

static enum status create(struct instance *in, int problem, const struct setting *settings)
{
    return create_problem(in, &curvature_problems[problem], settings, NULL);
}

static enum status prepare(struct solve *s, const struct variant *v, int problem,
                           const struct setting *settings)
{
    return prepare_problem(s, v, &curvature_problems[problem], settings, NULL);
}

static enum status solved(struct solve *s, const struct variant *v, int problem,
                          const struct setting *settings)
{
    const enum status status = prepare(s, v, problem, settings);
    return status == OK ? go(s, 0) : status;
}

static bool accepted(const struct solve *s, struct judgement *j)
{
    return judged(s, j) == OK && accept_answer(&s->in, s->variant, &s->out, j) == OK;
}

static bool same_digits(double got, double printed, int digits)
{
    const double unit = pow(10, floor(log10(fabs(printed))) + 1 - digits);
    return fabs(got - printed) <= 0.5 * unit * (1 + 1e-9);
}

/* --- functions of the control --- */

static void test_functions(void)
{
    double root_off = 0, wave_off = 0;
    for (int k = 0; k < 20000; k++) {
        const double x = exp(60 * (uniform(1, (uint64_t)k) - 0.5)),
                     t = 10 * uniform(2, (uint64_t)k);
        const struct wave w = wave_at(t);
        const long double angle = 3.14159265358979323846264338327950288L * (long double)t;
        root_off = fmax(root_off, fabs(fifth_root(x) / pow(x, 0.2) - 1));
        wave_off = fmax(wave_off, fabs(w.cosine - (double)cosl(angle)));
        wave_off = fmax(wave_off, fabs(w.sine - (double)sinl(angle)));
    }
    check(root_off <= 2e-15, "the fifth root is off by %.2g at most", root_off);
    check(wave_off <= 1e-15, "cosine and sine of pi t are off by %.2g at most", wave_off);
    const struct wave quarter = wave_at(0.5);
    check(quarter.cosine == 0 && quarter.sine == 1 && wave_at(0).cosine == 1 &&
              wave_at(1).sine == 0,
          "cosine and sine of pi t are exact where they are whole");
    check(fifth_root(0) > 0 && fifth_root(INFINITY) <= 1e6 * (1 + 1e-12),
          "the fifth root of nothing and of infinity is a factor");
}

/* Steps of given errors: lengths, what is cut short, and what is kept. */
static void test_control(void)
{
    const double times[] = {1, 2, 4, 8};
    struct control c = control_begin(0.7);
    bool good = control_step(&c, times) == 0.7 && !c.lands;
    good = good && control_decide(&c, times, false, 1e-6, 1e-6) == STEP_REJECTED &&
           fabs(c.wish - 0.8 * 0.7) < 1e-15; /* e < eps is what is good */
    good = good && control_step(&c, times) == c.wish &&
           control_decide(&c, times, false, 1e-6, 0.5e-6) == STEP_ACCEPTED && c.accepted == 1;
    const double first = c.t;
    check(good && c.rejected == 1, "a step of error eps is rejected, one below accepted");
    good = control_step(&c, times) == 1 - first && c.lands;
    good = good && control_decide(&c, times, false, 1e-6, 0) == STEP_ACCEPTED && c.t == 1 &&
           c.next == 1 && c.wish == first;
    check(good, "a step that is cut short ends at the time, and the one before it is kept");
    good = control_step(&c, times) == first &&
           control_decide(&c, times, false, 1e-6, 0) == STEP_ACCEPTED && c.wish == first;
    check(good, "no error at all: the step stays");
    (void)control_step(&c, times);
    good = control_decide(&c, times, false, 1e-6, INFINITY) == STEP_REJECTED &&
           fabs(c.wish / (c.step / 10) - 1) < 1e-15;
    check(good, "an error that is not finite divides the step by ten");
    c.wish = 1e-17;
    (void)control_step(&c, times);
    good = control_decide(&c, times, false, 1e-6, NAN) == STEPS_DIVERGED;
    check(good, "a step that no longer moves t, and an error that is no number: diverged");
    good = control_decide(&c, times, true, 1e-6, NAN) == STEPS_DIVERGED &&
           control_decide(&c, times, true, 1e-6, 1) == STEP_ACCEPTED;
    check(good, "fixed steps are all accepted, or the run has diverged");
}

/* A pair on y' = -y + cos t over [0,1] in n steps: the error at the end, and the sum of the
 * estimates. */
static double scalar_error(const struct tableau *pair, int n, double *estimate)
{
    double y = 0.5, t = 0;
    const double tau = 1.0 / n;
    *estimate = 0;
    for (int step = 0; step < n; step++, t += tau) {
        double k[STAGES], sum = 0, off = 0;
        for (int s = 0; s < STAGES; s++) {
            double at = y;
            for (int j = 0; j < s; j++)
                at += tau * pair->weight[s][j] * k[j];
            k[s] = -at + cos(t + pair->node[s] * tau);
        }
        for (int s = 0; s < STAGES; s++) {
            sum += pair->result[s] * k[s];
            off += pair->error[s] * k[s];
        }
        y += tau * sum;
        *estimate += fabs(tau * off);
    }
    return fabs(y - (cos(1.0) + sin(1.0)) / 2);
}

static void test_pair(const char *name, const struct tableau *pair, double of_order)
{
    double e[2], error[2];
    for (int k = 0; k < 2; k++)
        error[k] = scalar_error(pair, 32 << k, &e[k]);
    const double order = log2(error[0] / error[1]), estimated = log2(e[0] / e[1]);
    check(fabs(order - of_order) < 0.15, "%s: order %.2f on a scalar problem", name, order);
    check(estimated > of_order - 1.1, "its estimate falls with order %.2f", estimated);
    bool good = true;
    double result = 0, off = 0;
    for (int s = 0; s < STAGES; s++) {
        double sum = 0;
        for (int j = 0; j < STAGES; j++)
            sum += pair->weight[s][j];
        good = good && fabs(sum - pair->node[s]) < 1e-15;
        result += pair->result[s];
        off += pair->error[s];
    }
    check(good && fabs(result - 1) < 1e-15 && fabs(off) < 1e-15, "the tableau's rows add up");
}

/* --- Runge-Kutta-Chebyshev --- */

/* What a step of length 1 with s stages multiplies a mode of rate z by. */
static double multiplied(int s, double z)
{
    double now = 0, before = 0;
    const double first = -z;
    for (int j = 0; j < s; j++) {
        const struct rkc_stage c = rkc_stage_of(j, s, 1);
        const double side = -z * (1 + now);
        const double next = c.now * now + c.before * before + c.side * side + c.first * first;
        before = now;
        now = next;
    }
    return 1 + now;
}

/* The integral of 2 t over 0 .. 1, of which each stage knows its time. */
static double integrated(int s)
{
    double now = 0, before = 0;
    for (int j = 0; j < s; j++) {
        const struct rkc_stage c = rkc_stage_of(j, s, 1);
        const double next = c.now * now + c.before * before + c.side * (2 * c.node);
        before = now;
        now = next;
    }
    return now;
}

static void test_chebyshev(void)
{
    double order = 0, most = 0, bound = 0, moment = 0;
    for (int s = 2; s <= RKC_MOST; s += s < 20 ? 1 : 37) {
        /* 1 - z + z^2/2 and then another cube */
        const double z = 1e-3, off = multiplied(s, z) - (1 - z + z * z / 2);
        order = fmax(order, fabs(off));
        const double end = (double)(s - 1) * (s - 1) / 1.54; /* that rkc_stages() takes s for */
        for (int k = 0; k <= 400; k++)
            most = fmax(most, fabs(multiplied(s, end * k / 400)));
        bound = fmax(bound, fabs(multiplied(s, 1.1 * end * 1.2)));
        moment = fmax(moment, fabs(integrated(s) - 1));
        const double tau = end / 1000;
        if (rkc_stages(1000, tau * (1 - 1e-12)) != s && s > 2)
            most = INFINITY;
    }
    check(order <= 2e-10 && moment <= 1e-10,
          "Runge-Kutta-Chebyshev is of order two: off %.2g in z, %.2g in t", order, moment);
    check(most <= 1 + 1e-12 && bound > 1,
          "as many stages as a step needs: what it multiplies modes by is %.6f at most", most);
    check(fabs(cube_root(27) - 3) < 1e-14 && fabs(cube_root(1e-9) - 1e-3) < 1e-17 &&
              cube_root(0) > 0 && cube_root(INFINITY) <= 1e10 * (1 + 1e-12),
          "the cube root, of nothing and of infinity too");
}

static void test_chebyshev_control(void)
{
    const double times[] = {1, 2};
    struct control c = rkc_begin(0.7, 1);
    bool good = control_step(&c, times) == 0.7 &&
                rkc_decide(&c, times, 1, 1e-6, 1e-6) == STEP_REJECTED &&
                fabs(c.wish - 0.8 * 0.7) < 1e-15;
    good = good && control_step(&c, times) == c.wish &&
           rkc_decide(&c, times, 1, 1e-6, 1e-6 / 8) == STEP_ACCEPTED &&
           fabs(c.wish - 1.6 * 0.56) < 1e-14;
    good = good && fabs(control_step(&c, times) - 0.44) < 1e-15 && c.lands &&
           rkc_decide(&c, times, 1, 1e-6, 0.9e-6) == STEP_ACCEPTED && c.next == 1 &&
           fabs(c.wish - 1.6 * 0.56) < 1e-14;
    check(good, "its control: by the cube root, and no step shorter for one that was cut short");
    c = rkc_begin(0.7, 1);
    (void)control_step(&c, times);
    good =
        rkc_decide(&c, times, 1, 1e-6, NAN) == STEP_REJECTED && fabs(c.wish - c.step / 10) < 1e-15;
    c = rkc_begin(1e9, 1e-3);
    const double late[] = {1e12};
    good = good && rkc_stages(1e-3, control_step(&c, late)) == 2;
    for (int n = 0; n < 20 && c.next == 0; n++) {
        (void)control_step(&c, late);
        (void)rkc_decide(&c, late, 1e-3, 1, 0.01);
    }
    good = good && rkc_stages(1e-3, c.step) <= RKC_MOST && rkc_stages(1e-3, c.step) > RKC_MOST - 4;
    check(good, "its first step has two stages, and none is longer than so many bear");
}

/* --- the forcing --- */

/* Both flows' as a rational function of cosine and sine, against the derivatives. */
static void test_rational(void)
{
    static const struct setting shape[] = {
        {"n", "3"}, {"r", "2"}, {"sigma", "0.7"}, {"N", "16"}, {NULL, NULL}};
    for (int problem = MCF; problem <= WILLMORE_FLOW; problem++) {
        struct instance in;
        const bool created = create(&in, problem, shape) == OK;
        double off = 0, most = 0;
        for (size_t n = 0; n < 17 * 17 && created; n++) {
            const struct curvature *const p = in.data;
            double x[DERIVATIVES], y[DERIVATIVES], of[RATIONAL(WILLMORE)];
            const size_t i = n / 17, j = n % 17;
            curvature_factor(p, p->a + (double)i * p->h1, x);
            curvature_factor(p, p->a + (double)j * p->h2, y);
            curvature_rational(p, x, y, of);
            for (int k = 0; k < 20; k++) {
                const struct moment m = moment_at(1.001, 0.1 * k);
                const double right = forcing_of(p->flow, &m, x, y, 1);
                off = fmax(off, fabs(forcing_rational(p->flow, &m, of, 1) - right));
                most = fmax(most, fabs(right));
            }
        }
        check(created && off <= 1e-14 * most,
              "%s: the forcing from a node's coefficients is %.2g "
              "off",
              name_of(problem), off / most);
        in.at.problem->destroy(&in);
    }
}

struct known {
    const struct curvature *p;
    double t;
};

static double phi(const struct known *k, double x, double y, double t)
{
    double fx[DERIVATIVES], fy[DERIVATIVES];
    curvature_factor(k->p, x, fx);
    curvature_factor(k->p, y, fy);
    return k->p->amplitude * cos(3.14159265358979323846 * t) * fx[0] * fy[0];
}

/* Sixth-order differences of a function along x or y. */
typedef double (*function)(const struct known *k, double x, double y);

static double slope(function f, const struct known *k, double x, double y, bool along_y, double h)
{
    static const double weights[] = {45, -9, 1};
    double sum = 0;
    for (int m = 1; m <= 3; m++) {
        const double d = m * h, dx = along_y ? 0 : d, dy = along_y ? d : 0;
        sum += weights[m - 1] * (f(k, x + dx, y + dy) - f(k, x - dx, y - dy));
    }
    return sum / (60 * h);
}

static double phi_now(const struct known *k, double x, double y)
{
    return phi(k, x, y, k->t);
}

enum { ALONG_X, ALONG_Y };

static double norm_of_slope(const struct known *k, double x, double y)
{
    const double p = slope(phi_now, k, x, y, false, 2e-3), q = slope(phi_now, k, x, y, true, 2e-3);
    return sqrt(1 + p * p + q * q);
}

static double unit_x(const struct known *k, double x, double y)
{
    return slope(phi_now, k, x, y, false, 2e-3) / norm_of_slope(k, x, y);
}

static double unit_y(const struct known *k, double x, double y)
{
    return slope(phi_now, k, x, y, true, 2e-3) / norm_of_slope(k, x, y);
}

/* w = Q div(grad phi / Q), by the definition. */
static double w_now(const struct known *k, double x, double y)
{
    return norm_of_slope(k, x, y) *
           (slope(unit_x, k, x, y, false, 6e-3) + slope(unit_y, k, x, y, true, 6e-3));
}

static double flux(const struct known *k, double x, double y, bool along_y)
{
    const double q = norm_of_slope(k, x, y), px = slope(phi_now, k, x, y, false, 2e-3),
                 py = slope(phi_now, k, x, y, true, 2e-3), wx = slope(w_now, k, x, y, false, 2e-2),
                 wy = slope(w_now, k, x, y, true, 2e-2), w = w_now(k, x, y);
    const double own = along_y ? py : px, normal = along_y ? wy : wx;
    return (normal - own * (px * wx + py * wy) / (q * q)) / q - w * w / (2 * q * q * q) * own;
}

static double flux_x(const struct known *k, double x, double y)
{
    return flux(k, x, y, false);
}

static double flux_y(const struct known *k, double x, double y)
{
    return flux(k, x, y, true);
}

static void test_forcing(void)
{
    static const struct setting shapes[][4] = {
        {{NULL, NULL}},
        {{"n", "2"}, {"r", "1.5"}, {"sigma", "0.4"}, {NULL, NULL}},
        {{"n", "3"}, {"r", "2"}, {"sigma", "0.7"}, {NULL, NULL}},
    };
    static const double points[][3] = {
        {0.25, -0.5, 0.05}, {-1, 0.75, 0.05}, {0, 0, 0.02}, {1.3, -1.1, 0.09}, {0.6, 0.4, 0.7}};
    for (size_t c = 0; c < sizeof shapes / sizeof *shapes; c++) {
        struct instance in;
        double off = 0, off_fourth = 0;
        bool good = create(&in, MCF, shapes[c]) == OK;
        for (size_t n = 0; n < sizeof points / sizeof *points && good; n++) {
            const struct curvature *p = in.data;
            const double x = points[n][0], y = points[n][1], t = points[n][2], h = 1e-3;
            const struct known k = {p, t};
            const struct moment m = moment_at(1, t);
            double along_x[DERIVATIVES], along_y[DERIVATIVES];
            curvature_factor(p, x, along_x);
            curvature_factor(p, y, along_y);
            const struct factor fx = factor_at(along_x, 1), fy = factor_at(along_y, 1);
            const double change = (8 * (phi(&k, x, y, t + h) - phi(&k, x, y, t - h)) -
                                   (phi(&k, x, y, t + 2 * h) - phi(&k, x, y, t - 2 * h))) /
                                  (12 * h);
            const double wanted = change - w_now(&k, x, y);
            const double fourth =
                change + norm_of_slope(&k, x, y) * (slope(flux_x, &k, x, y, false, 4e-2) +
                                                    slope(flux_y, &k, x, y, true, 4e-2));
            off = fmax(off, fabs(forcing_mean_curvature(&m, fx, fy) - wanted) / (1 + fabs(wanted)));
            off_fourth =
                fmax(off_fourth, fabs(forcing_willmore(&m, fx, fy) - fourth) / (1 + fabs(fourth)));
        }
        check(good && off <= 1e-7, "shape %zu: the forcing of mcf is off differences by %.2g", c,
              off);
        check(good && off_fourth <= 1e-4,
              "shape %zu: the forcing of willmore is off differences by %.2g", c, off_fourth);
        in.at.problem->destroy(&in);
    }
}

/* Values computed to 40 digits elsewhere. */
static void test_forcing_digits(void)
{
    static const struct {
        double x, y, mcf, willmore;
    } rows[] = {{0.25, -0.5, 1.68222447232262, -7.61713533905554},
                {-1, 0.75, -0.902716556517317, -6.4231892470675}};
    static const struct setting none[] = {{NULL, NULL}};
    struct instance in;
    const bool created = create(&in, MCF, none) == OK;
    for (size_t c = 0; c < sizeof rows / sizeof *rows && created; c++) {
        const struct moment m = moment_at(1, 0.05);
        double x[DERIVATIVES], y[DERIVATIVES];
        curvature_factor(in.data, rows[c].x, x);
        curvature_factor(in.data, rows[c].y, y);
        const double off =
            fabs(forcing_mean_curvature(&m, factor_at(x, 1), factor_at(y, 1)) / rows[c].mcf - 1);
        const double off_fourth =
            fabs(forcing_willmore(&m, factor_at(x, 1), factor_at(y, 1)) / rows[c].willmore - 1);
        check(off <= 1e-13 && off_fourth <= 1e-13, "the forcing at (%g,%g): %.2g and %.2g off",
              rows[c].x, rows[c].y, off, off_fourth);
    }
    in.at.problem->destroy(&in);
}

/* --- digits of the analysis --- */

static void test_digits(void)
{
    static const struct {
        int problem;
        const char *variant;
        enum precision precision;
        const char *n;
        double l1, l2, linf;
        int digits;
    } rows[] = {
        {MCF, "cpu1", DOUBLE, "16", 7.059e-3, 9.040e-3, 4.255e-2, 4},
        {MCF, "cpuN", DOUBLE, "32", 1.524e-3, 1.879e-3, 8.492e-3, 4},
        {MCF, "cpu1", DOUBLE, "64", 3.919e-4, 4.889e-4, 2.389e-3, 4},
        {MCF, "cpuN", SINGLE, "64", 3.919e-4, 4.889e-4, 2.389e-3, 4},
        {MCF, "gpu", DOUBLE, "64", 3.919e-4, 4.889e-4, 2.389e-3, 4},
        {MCF, "gpu-coop", SINGLE, "32", 1.524e-3, 1.879e-3, 8.492e-3, 4},
        {MCF, "cpuN", DOUBLE, "128", 9.825e-5, 1.232e-4, 6.090e-4, 4},
        {WILLMORE_FLOW, "cpu1", DOUBLE, "16", 1.430e-1, 2.529e-1, 1.258, 4},
        {WILLMORE_FLOW, "cpuN", DOUBLE, "32", 8.060e-2, 1.485e-1, 7.047e-1, 4},
        {WILLMORE_FLOW, "gpu", SINGLE, "16", 1.430e-1, 2.529e-1, 1.258, 3},
        {WILLMORE_FLOW, "gpu-coop", DOUBLE, "16", 1.430e-1, 2.529e-1, 1.258, 4},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        const struct setting settings[] = {{"N", rows[c].n}, {"row16", "nodes"}, {NULL, NULL}};
        const struct variant *v = variant_of(rows[c].variant, rows[c].precision);
        struct solve s;
        struct judgement j;
        if (!runs_here(v))
            continue;
        const bool good = solved(&s, v, rows[c].problem, settings) == OK && accepted(&s, &j);
        check(good && same_digits(metric_of(&j, "error_l1"), rows[c].l1, rows[c].digits) &&
                  same_digits(metric_of(&j, "error_l2"), rows[c].l2, rows[c].digits) &&
                  same_digits(metric_of(&j, "error_linf"), rows[c].linf, rows[c].digits),
              "%s %s %s N=%s: errors %.3e %.3e %.3e", v->id, precision_of(v),
              name_of(rows[c].problem), rows[c].n, rows[c].l1, rows[c].l2, rows[c].linf);
        release(&s);
    }
}

/* 217 and 40 elsewhere: rounding decides which of the longest steps is one too long, so other
 * builds make 2 percent more or fewer, and reject 30 percent more or fewer. The first norm, of
 * which these steps are a part, feels it in its fourth digit. */
/* Cells that are no squares: the error is between those of both sizes. */
static void test_rectangles(void)
{
    static const char *const sizes[][2] = {{"32", "64"}, {"64", "32"}};
    for (int k = 0; k < 2; k++) {
        const struct setting settings[] = {{"N", sizes[k][0]}, {"N2", sizes[k][1]}, {NULL, NULL}};
        struct solve s;
        struct judgement j = {.error = NAN};
        const bool good =
            solved(&s, variant_of("cpu1", DOUBLE), MCF, settings) == OK && accepted(&s, &j);
        const double l2 = metric_of(&j, "error_l2");
        check(good && l2 > 4.889e-4 && l2 < 1.9e-3, "mcf %s x %s cells: error in L2 %.3g",
              sizes[k][0], sizes[k][1], l2);
        release(&s);
    }
}

static void test_steps(void)
{
    static const struct setting settings[] = {{"N", "256"}, {NULL, NULL}};
    struct solve s;
    struct judgement j;
    const bool good =
        solved(&s, variant_of("cpuN", DOUBLE), MCF, settings) == OK && accepted(&s, &j);
    const double accepted = good ? metric_of(&j, "steps_accepted") : (double)NAN,
                 rejected = good ? metric_of(&j, "steps_rejected") : (double)NAN;
    check(accepted >= 211 && accepted <= 223 && rejected >= 28 && rejected <= 52,
          "mcf N=256: %g steps accepted and %g rejected", accepted, rejected);
    check(good && same_digits(metric_of(&j, "error_l1"), 2.46e-5, 3) &&
              same_digits(metric_of(&j, "error_l2"), 3.087e-5, 4) &&
              same_digits(metric_of(&j, "error_linf"), 1.532e-4, 4),
          "mcf N=256: errors 2.46e-5, 3.087e-5, 1.532e-4");
    release(&s);
}

/* Another integrator, the same errors in space: the norms of the tables to 2 percent, by so many
 * times fewer right-hand sides than Merson's method takes. */
static void test_fewer_evaluations(void)
{
    static const struct {
        int problem;
        const char *n;
        double l2, linf, most; /* evaluations */
    } rows[] = {{MCF, "16", 9.040e-3, 4.255e-2, 90},
                {MCF, "64", 4.889e-4, 2.389e-3, 95},
                {MCF, "128", 1.232e-4, 6.090e-4, 200},
                {WILLMORE_FLOW, "16", 2.529e-1, 1.258, 250},
                {WILLMORE_FLOW, "32", 1.485e-1, 7.047e-1, 400}};
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++)
        for (const struct variant *v = curvature_variants; v->id != NULL; v++) {
            const struct setting settings[] = {{"N", rows[c].n}, {"row16", "nodes"}, {NULL, NULL}};
            struct solve s;
            struct judgement j = {.count = 0};
            if (strstr(v->id, "rkc") == NULL || !runs_here(v))
                continue;
            const bool good = solved(&s, v, rows[c].problem, settings) == OK && accepted(&s, &j);
            check(good && fabs(metric_of(&j, "error_l2") / rows[c].l2 - 1) < 0.02 &&
                      fabs(metric_of(&j, "error_linf") / rows[c].linf - 1) < 0.02 &&
                      metric_of(&j, "evaluations") <= rows[c].most,
                  "%s %s %s N=%s: error in L2 %.4g by %g evaluations", v->id, precision_of(v),
                  name_of(rows[c].problem), rows[c].n, metric_of(&j, "error_l2"),
                  metric_of(&j, "evaluations"));
            release(&s);
        }
}

/* On the finest mesh of the tables, too, where the error in time would be seen: a quarter of the
 * error at N = 512, 7.7215e-6 and 3.8346e-5. */
static void test_fine_mesh(void)
{
    const struct setting settings[] = {{"N", "1024"}, {"reference", "first"}, {NULL, NULL}};
    struct solve s;
    struct judgement j = {.count = 0};
    const bool good =
        solved(&s, variant_of("omp-rkc", DOUBLE), MCF, settings) == OK && accepted(&s, &j);
    check(good && fabs(metric_of(&j, "error_l2") / 1.9304e-6 - 1) < 0.02 &&
              fabs(metric_of(&j, "error_linf") / 9.587e-6 - 1) < 0.02,
          "omp-rkc double mcf N=1024: error in L2 %.4g by %g evaluations",
          metric_of(&j, "error_l2"), metric_of(&j, "evaluations"));
    release(&s);
}

/* The right-hand side of the exact solution is that of the equation, to second order in h. */
static void test_order(void)
{
    static const char *const sizes[] = {"64", "128", "256"};
    for (int problem = MCF; problem <= WILLMORE_FLOW; problem++) {
        double error[3] = {0};
        for (int k = 0; k < 3; k++) {
            /* One step, so short that it is the derivative. */
            const struct setting settings[] = {{"N", sizes[k]},        {"attempts", "1"},
                                               {"control", "fixed"},   {"tau0", "1e-9"},
                                               {"reference", "first"}, {NULL, NULL}};
            struct solve s;
            const bool good = solved(&s, variant_of("cpuN", DOUBLE), problem, settings) == OK;
            const struct curvature *p = s.in.data;
            for (size_t i = 1; i < p->n1 && good; i++)
                for (size_t j = 1; j < p->n2; j++) {
                    double x[DERIVATIVES], y[DERIVATIVES];
                    curvature_factor(p, p->a + (double)i * p->h1, x);
                    curvature_factor(p, p->a + (double)j * p->h2, y);
                    const double exact = exact_at(moment_at(1, 1e-9).c, x[0], y[0]);
                    const double off = (value(&s.out, i * (p->n2 + 1) + j) - exact) / 1e-9;
                    error[k] += off * off * p->h1 * p->h2;
                }
            error[k] = good ? sqrt(error[k]) : (double)NAN;
            release(&s);
        }
        const double order = log2(error[1] / error[2]);
        check(order > 1.9 && order < 2.1, "%s: the scheme's truncation error has order %.2f",
              name_of(problem), order);
    }
}

/* Of an answer that is not computed again to its end, that is said. */
static void test_said(void)
{
    static const char *const choices[] = {"whole", "first"};
    for (int k = 0; k < 2; k++) {
        const struct setting settings[] = {{"N", "24"}, {"reference", choices[k]}, {NULL, NULL}};
        struct solve s;
        static struct judgement j;
        const bool good = solved(&s, variant_of("cpu1", DOUBLE), MCF, settings) == OK &&
                          judged(&s, &j) == OK && is_good(&s);
        const double all = j.steps, followed = metric_of(&j, "steps_followed");
        check(good && (k == 0 ? followed == all && j.said[0] == '\0'
                              : followed < all && strstr(j.said, "steps followed") != NULL),
              "reference=%s: %g of %g steps followed, and said '%s'", choices[k], followed, all,
              j.said);
        release(&s);
    }
}

/* --- bit for bit --- */

/* All variants of the precision that run here, by the judge; the published ones have the bits that
 * cpu1 gave, and kernels the same in either order of their threads. */
static bool all_agree(enum precision precision, int problem, const struct setting *settings,
                      uint64_t seed)
{
    struct solve plain;
    bool all = prepare(&plain, variant_of("cpu1", precision), problem, settings) == OK &&
               go(&plain, seed) == OK && is_good(&plain);
    for (const struct variant *v = curvature_variants; v->id != NULL; v++) {
        static const char *const orders[] = {"ascending", "descending"};
        if (v->precision != precision || !takes(v, &curvature_problems[problem], settings, NULL))
            continue;
        struct solve first = {.memory = NULL};
        for (int order = 0; order < (uses_device(v) ? 2 : 1); order++) {
            struct solve s;
            enum status status = prepare(&s, v, problem, settings);
            if (status == OK && uses_device(v))
                status = device_thread_order(orders[order]);
            if (status == OK)
                status = go(&s, seed);
            const struct solve *const same = v->role == PUBLISHED ? &plain
                                             : order > 0          ? &first
                                                                  : &s;
            const bool bits = status == OK && s.bytes == same->bytes &&
                              memcmp(s.out.values, same->out.values, s.bytes) == 0;
            const bool good = bits && is_good(&s);
            if (!good) {
                fprintf(stderr, "# %s %s %s %s", v->id, precision_of(v), name_of(problem),
                        orders[order]);
                for (int i = 0; settings[i].name != NULL; i++)
                    fprintf(stderr, " %s=%s", settings[i].name, settings[i].value);
                fprintf(stderr, ": %s\n", status == OK && !bits ? "other bits" : reason());
            }
            all = all && good;
            if (order == 0)
                first = s;
            else
                release(&s);
        }
        release(&first);
    }
    (void)device_thread_order("ascending");
    release(&plain);
    return all;
}

/* Sizes around those of blocks, tiles and bands, equal and not, both closures, fixed steps and
 * adaptive ones. */
static void test_bits(void)
{
    static const char *const sizes[][2] = {{"2", "2"},   {"3", "2"},   {"2", "5"},   {"8", "31"},
                                           {"9", "32"},  {"10", "33"}, {"11", "34"}, {"15", "15"},
                                           {"17", "40"}, {"40", "17"}, {"33", "66"}, {"70", "47"}};
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++)
        for (int problem = MCF; problem <= WILLMORE_FIGURE; problem++)
            for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
                const bool turned = (c + (size_t)problem + (size_t)precision) % 2 == 0;
                const bool fixed = c % 3 == 1;
                const struct setting settings[] = {{"N", sizes[c][0]},
                                                   {"N2", sizes[c][1]},
                                                   {"boundary", turned ? "neumann" : "dirichlet"},
                                                   {"control", fixed ? "fixed" : "adaptive"},
                                                   {"tau0", fixed ? "1e-9" : "1e-4"},
                                                   {"attempts", c % 4 == 0 ? "2" : "9"},
                                                   {NULL, NULL}};
                check(all_agree(precision, problem, settings, c % 3),
                      "%s %sx%s %s: all variants agree with the reference", name_of(problem),
                      sizes[c][0], sizes[c][1], precision == DOUBLE ? "double" : "single");
            }
}

/* Tiles on chip: sizes one below, at and above theirs, in one block, in as many as there are tiles,
 * or by sweeps, and with little shared memory. */
static void test_tiles(void)
{
    static const struct {
        const char *n1, *n2, *blocks, *shared;
    } rows[] = {{"12", "11", "1", "227"}, {"15", "15", "1", "64"},  {"16", "15", "3", "227"},
                {"13", "24", "9", "227"}, {"14", "13", "9", "227"}, {"25", "23", "9", "227"},
                {"26", "24", "9", "64"},  {"26", "35", "4", "227"}, {"49", "23", "2", "227"},
                {"3", "46", "7", "227"},  {"50", "4", "7", "227"},  {"30", "29", "1", "227"}};
    /* So long that Runge-Kutta-Chebyshev takes more stages than a halo lasts. */
    static const struct {
        const char *first, *end, *eps;
    } lengths[] = {{"0.01", "0.6", "1e-2"},
                   {"1e-4", "0.01", "1e-6"},
                   {"2e-3", "2e-3,0.05", "1e-6"},
                   {"1e-5", "2e-5,1e-3", "1e-6"}};
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++)
        for (int problem = MCF; problem <= WILLMORE_FIGURE; problem++) {
            const enum precision precision = (c + (size_t)problem) % 3 == 0 ? SINGLE : DOUBLE;
            const bool forced = problem <= WILLMORE_FLOW;
            const struct setting settings[] = {
                {"N", rows[c].n1},
                {"N2", rows[c].n2},
                {"boundary", (c + (size_t)problem / 2) % 2 == 0 ? "neumann" : "dirichlet"},
                {"attempts", c % 4 == 3 && !is_sanitized() ? "0" : "6"},
                {"tau0", lengths[problem].first},
                {"eps", lengths[problem].eps},
                {forced ? "T" : "times", lengths[problem].end},
                {forced ? "snapshots" : NULL, "2"},
                {NULL, NULL}};
            setenv("REPRISE_EMULATED_BLOCKS", rows[c].blocks, 1);
            setenv("REPRISE_EMULATED_SHARED", rows[c].shared, 1);
            check(all_agree(precision, problem, settings, c % 3),
                  "%s %sx%s in %s blocks: all variants agree with the reference", name_of(problem),
                  rows[c].n1, rows[c].n2, rows[c].blocks);
        }
    unsetenv("REPRISE_EMULATED_BLOCKS");
    unsetenv("REPRISE_EMULATED_SHARED");
}

/* A tile of mean-curvature flow that stays in its block, where the boundary is given: sizes at and
 * above those of one, few rows or columns, and runs of more attempts than a launch makes, some of
 * which are rejected. */
static void test_staying(void)
{
    static const struct {
        int problem;
        const char *n1, *n2, *blocks, *first, *end, *eps, *attempts;
    } rows[] = {{MCF, "49", "63", "1", "0.02", "0.3", "1e-4", "0"},
                {MCF, "50", "64", "4", "0.1", "0.2", "1e-5", "0"},
                {MCF, "71", "70", "4", "0.1", "0.5", "1e-4", "23"},
                {MCF, "110", "104", "4", "0.1", "0.2", "1e-4", "23"},
                {MCF, "3", "150", "3", "0.1", "0.1", "1e-5", "0"},
                {MCF_FIGURE, "150", "4", "4", "0.1", "2e-4,5e-3", "1e-6", "0"},
                {MCF_FIGURE, "88", "51", "2", "0.1", "1e-3,0.1", "1e-5", "31"}};
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++)
        for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
            if (is_sanitized() && (int)precision != (int)(c % 2))
                continue;
            const bool forced = rows[c].problem == MCF;
            const struct setting settings[] = {{"N", rows[c].n1},
                                               {"N2", rows[c].n2},
                                               {"boundary", "dirichlet"},
                                               {"attempts", rows[c].attempts},
                                               {"tau0", rows[c].first},
                                               {"eps", rows[c].eps},
                                               {forced ? "T" : "times", rows[c].end},
                                               {forced ? "snapshots" : NULL, "3"},
                                               {NULL, NULL}};
            struct solve s;
            setenv("REPRISE_EMULATED_BLOCKS", rows[c].blocks, 1);
            const bool all = all_agree(precision, rows[c].problem, settings, c);
            const bool ran =
                solved(&s, variant_of("cpuN", precision), rows[c].problem, settings) == OK;
            const double accepted = ran ? value(&s.out, s.in.count - 2) : 0;
            const double rejected = ran ? value(&s.out, s.in.count - 1) : 0;
            check(all && accepted + rejected > 20 && rejected > 0,
                  "%s %sx%s in %s blocks, %s, %g steps, %g rejected: all variants agree with the "
                  "reference",
                  name_of(rows[c].problem), rows[c].n1, rows[c].n2, rows[c].blocks,
                  precision == DOUBLE ? "double" : "single", accepted, rejected);
            release(&s);
        }
    unsetenv("REPRISE_EMULATED_BLOCKS");
}

/* More than one kept field, and the reduction of more than one block of 2048. */
static void test_whole_runs(void)
{
    static const struct {
        int problem;
        struct setting settings[6];
    } rows[] = {
        {MCF, {{"N", "9"}, {"N2", "12"}, {"snapshots", "3"}}},
        {MCF, {{"N", "50"}, {"snapshots", "2"}, {"T", "0.01"}}},
        {MCF, {{"N", "12"}, {"n", "2"}, {"r", "2"}, {"sigma", "0.5"}, {"T", "0.02"}}},
        {WILLMORE_FLOW, {{"N", "7"}, {"N2", "10"}, {"snapshots", "3"}, {"T", "0.02"}}},
        {MCF_FIGURE, {{"N", "11"}, {"times", "0.001,0.02"}}},
        {WILLMORE_FIGURE, {{"N", "7"}, {"times", "0.001,0.002"}}},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++)
        for (enum precision precision = SINGLE; precision <= DOUBLE; precision++)
            check(all_agree(precision, rows[c].problem, rows[c].settings, c),
                  "%s N=%s to the end, %s: all variants agree with the reference",
                  name_of(rows[c].problem), rows[c].settings[0].value,
                  precision == DOUBLE ? "double" : "single");
}

/* --- what the equations conserve --- */

/* Every field of an answer to the data of the figures: symmetric, with Neumann's boundary. */
static void test_symmetry(void)
{
    static const struct setting settings[] = {{"N", "24"}, {NULL, NULL}};
    struct solve s;
    struct judgement j;
    const bool good =
        solved(&s, variant_of("cpuN", DOUBLE), MCF_FIGURE, settings) == OK && judged(&s, &j) == OK;
    const size_t n = 24, pitch = n + 1, end = 3 * pitch * pitch;
    double off = 0, copied = 0, most = 0;
    for (size_t i = 0; i <= n && good; i++)
        for (size_t k = 0; k <= n; k++) {
            const double u = value(&s.out, end + i * pitch + k);
            off = fmax(off, fabs(u - value(&s.out, end + k * pitch + i)));
            off = fmax(off, fabs(u - value(&s.out, end + (n - i) * pitch + k)));
            copied =
                fmax(copied, fabs(u - value(&s.out, end + inside(i, n) * pitch + inside(k, n))));
            most = fmax(most, fabs(u));
        }
    check(good && off <= 1e-12, "mcf-figure N=24: symmetric to %.2g", off);
    check(good && copied == 0, "mcf-figure N=24: each boundary node has its neighbour's value");
    check(good && most < 1 && metric_of(&j, "area_fall") > 1,
          "mcf-figure N=24: the extremes shrink to %.3g, and the area falls", most);
    release(&s);
}

/* A constant is at rest under both flows. */
static void test_rest(void)
{
    static const struct mesh m = {8, 5, 2, 1.25};
    const struct around flat = {3, 3, 3, 3, 3, 3, 3, 3, 3}, none = {0};
    const struct around tilted = {0, 2, -2, 1, -1, 3, -1, 1, -3}; /* 2 i + j */
    check(mean_curvature(&m, &flat) == 0 && willmore(&m, &flat, &none) == 0 &&
              fabs(mean_curvature(&m, &tilted)) < 1e-14 && willmore(&m, &tilted, &none) == 0,
          "a plane is at rest");
}

/* So are zeros of the user's, whatever the control. */
static void test_zeros(void)
{
    static const char *const controls[] = {"fixed", "adaptive"};
    char path[] = "/tmp/curvature-XXXXXX";
    const int made = mkstemp(path);
    FILE *const file = made < 0 ? NULL : fdopen(made, "w");
    assert(file != NULL);
    for (int k = 0; k < 9 * 9; k++)
        fprintf(file, "0\n");
    fclose(file);
    for (int c = 0; c < 4; c++)
        for (const struct variant *v = curvature_variants; v->id != NULL; v++) {
            const int problem = c % 2 == 0 ? MCF_FIGURE : WILLMORE_FIGURE;
            const struct setting settings[] = {{"<phi0", path},
                                               {"N", "8"},
                                               {"times", "0.001"},
                                               {"tau0", "1e-5"},
                                               {"control", controls[c / 2]},
                                               {NULL, NULL}};
            struct solve s;
            struct judgement j;
            if (!takes(v, &curvature_problems[problem], settings, NULL))
                continue;
            const bool good = solved(&s, v, problem, settings) == OK && accepted(&s, &j);
            check(good, "%s of zeros, %s steps, %s %s: at rest", name_of(problem), controls[c / 2],
                  v->id, precision_of(v));
            if (!good)
                fprintf(stderr, "# %s\n", reason());
            release(&s);
        }
    (void)unlink(path);
}

/* --- another rounding --- */

struct other {
    struct reference r; /* first: the calls are made with it */
    uint64_t seed, draws;
    double *fields;
};

/* Up, down, towards zero or to the nearest, as a draw says; always to the nearest for seed 0. */
static void draw_rounding(struct other *o)
{
    static const int ways[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    (void)fesetround(ways[o->seed == 0 ? 0 : random_bits(o->seed, o->draws++) % 4]);
}

static enum status other_stage(void *state, int s, double t, double tau)
{
    draw_rounding(state);
    const enum status status = reference_stage_d(state, s, t, tau);
    (void)fesetround(FE_TONEAREST);
    return status;
}

static enum status other_error(void *state, double tau, double *e)
{
    draw_rounding(state);
    const enum status status = reference_error_d(state, tau, e);
    (void)fesetround(FE_TONEAREST);
    return status;
}

static enum status other_accept(void *state, double tau, double t)
{
    draw_rounding(state);
    const enum status status = reference_accept_d(state, tau, t);
    (void)fesetround(FE_TONEAREST);
    return status;
}

static enum status other_keep(void *state, size_t field)
{
    const struct other *o = state;
    memcpy(o->fields + field * o->r.nodes, o->r.u, o->r.nodes * sizeof *o->fields);
    return OK;
}

/* In place of the variant's, the answer of a run with these data that rounds as the seed says. */
static enum status answer_otherwise(const struct solve *s, const struct curvature *p, uint64_t seed)
{
    static const struct solver_calls calls = {other_stage, other_error, other_accept, other_keep};
    static struct tally tally;
    struct other o = {.seed = seed, .fields = s->out.values};
    enum status status = reference_make_d(p, MERSON, 0, &o.r);
    if (status == OK)
        status = curvature_run(p, MERSON, p->eps, &calls, &o, &tally);
    if (status == OK)
        steps_out(p, &tally, o.fields + curvature_fields(p) * curvature_nodes(p));
    reference_free_d(&o.r);
    return status;
}

static const struct {
    int problem;
    struct setting settings[6];
} rounded[] = {
    {MCF, {{"N", "32"}}},
    {MCF, {{"N", "64"}, {"tau0", "0.1"}}},
    {MCF, {{"N", "64"}, {"reference", "first"}}},
    {MCF, {{"N", "150"}, {"T", "0.02"}, {"snapshots", "2"}}},
    {MCF, {{"N", "33"}, {"N2", "20"}, {"attempts", "10"}, {"tau0", "1e-8"}}},
    {MCF, {{"N", "32"}, {"control", "fixed"}, {"tau0", "0.004"}, {"T", "0.05"}}},
    {WILLMORE_FLOW, {{"N", "24"}, {"T", "0.02"}}}, /* its error is 13 */
    {WILLMORE_FLOW, {{"N", "21"}, {"sigma", "20"}, {"n", "2"}, {"T", "0.05"}, {"snapshots", "2"}}},
    {WILLMORE_FLOW, {{"N", "40"}, {"attempts", "25"}, {"tau0", "1e-8"}}},
    {MCF_FIGURE, {{"N", "24"}}},
    {WILLMORE_FIGURE, {{"N", "12"}, {"times", "0.001,0.01"}}},
};
enum { ROUNDED = sizeof rounded / sizeof *rounded };

/* Limits may round otherwise, and so take other steps; published variants may not. */
static void test_other_rounding(void)
{
    for (size_t c = 0; c < ROUNDED; c++)
        for (uint64_t seed = 11; seed <= (is_sanitized() ? 11 : 13); seed++) {
            struct solve s;
            struct judgement j;
            bool good = prepare(&s, variant_of("cpuN", DOUBLE), rounded[c].problem,
                                rounded[c].settings) == OK &&
                        answer_otherwise(&s, s.in.data, seed) == OK;
            good = good && accepted(&s, &j) && j.error > 0;
            const double lost = good ? metric_of(&j, "amplification") : (double)NAN;
            s.variant = variant_of("cpu1", DOUBLE);
            check(good && lost > 0 && !accepted(&s, &j),
                  "%s N=%s, case %zu: other rounding %llu may cost %.2g units",
                  name_of(rounded[c].problem), rounded[c].settings[0].value, c,
                  (unsigned long long)seed, lost);
            s.variant = variant_of("cpuN", DOUBLE);
            release(&s);
        }
}

/* --- what must be refused --- */

/* Steep data have a mode that nothing but the control holds back. By the answer's steps the
 * reference loses it to rounding on the way, and then knows no longer which steps it asks for. */
static void test_lost_mode(void)
{
    static const struct {
        enum precision precision;
        struct setting settings[10];
    } rows[] = {
        {DOUBLE,
         {{"attempts", "300"},
          {"N", "22"},
          {"sigma", "166.097"},
          {"r", "2.56983"},
          {"n", "1"},
          {"T", "0.0109726"},
          {"snapshots", "16"},
          {"boundary", "neumann"},
          {"eps", "0.000294391"}}},
        {SINGLE,
         {{"attempts", "200"},
          {"N", "22"},
          {"sigma", "363.378"},
          {"r", "1.56283"},
          {"n", "3"},
          {"T", "0.0196678"},
          {"snapshots", "5"},
          {"eps", "0.000202596"}}},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        struct solve s;
        struct judgement j;
        const bool good = solved(&s, variant_of("omp-rkc", rows[c].precision), WILLMORE_FLOW,
                                 rows[c].settings) == OK &&
                          accepted(&s, &j);
        check(good, "case %zu: a mode that the reference has lost makes no answer wrong", c);
        if (!good)
            fprintf(stderr, "# %s\n", reason());
        release(&s);
    }
}

/* Steps beyond stability. Willmore flow leaves the range; mean-curvature flow, slow where it is
 * steep, only grows; and there are those that leave it or not as they are rounded, which the last
 * row has: each field follows from the one before it, and the last one has no digit. */
static void test_divergence(void)
{
    static const struct {
        int problem;
        struct setting settings[9];
        const char *says;
    } rows[] = {
        {WILLMORE_FLOW, {{"N", "33"}, {"control", "fixed"}, {"tau0", "0.02"}}, "range"},
        {WILLMORE_FIGURE, {{"N", "33"}, {"control", "fixed"}, {"tau0", "0.02"}}, "range"},
        {MCF, {{"N", "64"}, {"control", "fixed"}, {"tau0", "0.02"}, {"T", "1"}}, ""},
        {MCF,
         {{"N", "32"}, {"control", "fixed"}, {"tau0", "0.1"}, {"T", "1"}, {"snapshots", "1"}},
         "too long"},
        {MCF,
         {{"N", "32"}, {"control", "fixed"}, {"tau0", "0.1"}, {"T", "20"}, {"attempts", "7"}},
         "too long"},
        {MCF,
         {{"N", "32"},
          {"control", "fixed"},
          {"tau0", "0.1"},
          {"T", "1"},
          {"snapshots", "1"},
          {"reference", "first"}},
         "too long"},
        {MCF_FIGURE, {{"N", "16"}, {"control", "fixed"}, {"tau0", "0.05"}}, "too long"},
        {WILLMORE_FLOW,
         {{"N", "20"},
          {"sigma", "4.21432"},
          {"r", "1.7349"},
          {"n", "4"},
          {"T", "0.0483196"},
          {"snapshots", "20"},
          {"control", "fixed"},
          {"tau0", "0.000888737"}},
         ""},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++)
        for (const struct variant *v = curvature_variants; v->id != NULL; v++) {
            struct solve s;
            struct judgement j = {.count = 0};
            if (!takes(v, &curvature_problems[rows[c].problem], rows[c].settings, NULL))
                continue;
            enum status status = solved(&s, v, rows[c].problem, rows[c].settings);
            const bool answered = status == OK;
            if (answered)
                status = judged(&s, &j);
            const bool exact = answered && rows[c].problem == MCF && c != 4;
            check(status == ERR_DIVERGED &&
                      (strstr(reason(), rows[c].says) != NULL || v->precision == SINGLE) &&
                      (!exact || metric_of(&j, "error_linf") > 1),
                  "%s %s %s, case %zu, with steps far too long: diverged", v->id, precision_of(v),
                  name_of(rows[c].problem), c);
            if (status != ERR_DIVERGED)
                fprintf(stderr, "# %s\n", status == OK ? "accepted" : reason());
            release(&s);
        }
}

/* True if the judge refuses the answer with value `at` set to x, and says so. */
static bool refuses(const struct solve *s, size_t at, double x, const char *says)
{
    const double before = value(&s->out, at);
    set_value(&s->out, at, x);
    struct judgement j;
    const bool good = !accepted(s, &j) && (says == NULL || strstr(reason(), says) != NULL);
    if (!good)
        fprintf(stderr, "# value %zu from %.17g to %.17g: %s\n", at, before, x, reason());
    set_value(&s->out, at, before);
    return good;
}

static void test_corrupted(void)
{
    for (int problem = MCF; problem <= WILLMORE_FIGURE; problem++)
        for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
            const bool forced = problem <= WILLMORE_FLOW;
            const struct setting settings[] = {
                {"N", "12"}, {forced ? "T" : "times", forced ? "0.02" : "1e-3"}, {NULL, NULL}};
            struct solve s;
            const struct variant *v = variant_of("cpu1", precision);
            bool good = solved(&s, v, problem, settings) == OK && is_good(&s);
            const size_t nodes = 13 * 13, points[] = {0, nodes / 2, nodes, 2 * nodes - 1};
            for (size_t c = 0; c < sizeof points / sizeof *points && good; c++) {
                const double u = value(&s.out, points[c]);
                const double next =
                    precision == DOUBLE ? nextafter(u, 10) : (double)nextafterf((float)u, 10);
                good = refuses(&s, points[c], next, NULL) &&
                       refuses(&s, points[c], NAN, "not finite") &&
                       refuses(&s, points[c], INFINITY, "not finite");
            }
            for (size_t back = 1; back <= 2 && good; back++) {
                const size_t at = s.in.count - back;
                good = refuses(&s, at, 1 + value(&s.out, at), "counts") &&
                       refuses(&s, at, value(&s.out, at) + 0.5, "counts") &&
                       refuses(&s, at, NAN, "counts");
            }
            check(good && is_good(&s),
                  "%s %s: one value off by the last bit, or not finite, is refused",
                  name_of(problem), precision_of(v));
            release(&s);
        }
}

/* Beyond what rounding explains a limit's answer is refused as well: one value of any field, every
 * other one, attempts that its list has not or has otherwise. */
static void test_corrupted_limit(void)
{
    for (size_t c = 0; c < ROUNDED; c++) {
        struct solve s;
        struct judgement j;
        bool good = prepare(&s, variant_of("cpuN", DOUBLE), rounded[c].problem,
                            rounded[c].settings) == OK &&
                    answer_otherwise(&s, s.in.data, 11) == OK && accepted(&s, &j);
        const struct curvature *const p = s.in.data;
        const size_t nodes = curvature_nodes(p), middle = nodes / 2, fields = curvature_fields(p);
        const bool first =
            strcmp(rounded[c].settings[1].name != NULL ? rounded[c].settings[1].name : "",
                   "reference") == 0;
        const double unit = 2.3e-16, off = 4 * (good ? metric_of(&j, "amplification") : 0) * unit;
        double most = 0;
        bool seen = false; /* a little more than is allowed where the answer is worst */
        for (size_t k = 0; k < nodes * fields && good; k++)
            most = fmax(most, fabs(value(&s.out, k)));
        for (size_t f = 0; f < (first ? 1 : fields) && good; f++) {
            const size_t at = f * nodes + middle;
            const double u = value(&s.out, at);
            good = refuses(&s, at, u + 1e-5 * most, NULL) && refuses(&s, at, NAN, "not finite");
            set_value(&s.out, at, u + off * most);
            seen = seen || !accepted(&s, &j);
            set_value(&s.out, at, u);
        }
        good = good && seen;
        const size_t end = (fields - 1) * nodes;
        good = good && refuses(&s, end + middle, value(&s.out, end + middle) + 0.1 * most, NULL);
        double *const before = malloc(nodes * sizeof *before);
        assert(before != NULL);
        memcpy(before, (double *)s.out.values + end, nodes * sizeof *before);
        for (size_t k = 0; k < nodes; k += 2)
            set_value(&s.out, end + k, 0);
        good = good && !accepted(&s, &j);
        memcpy((double *)s.out.values + end, before, nodes * sizeof *before);
        free(before);
        const size_t list = nodes * fields, last = list + 2 * curvature_listed(p) + 3;
        good = good && accepted(&s, &j) && refuses(&s, list, -value(&s.out, list), NULL) &&
               refuses(&s, list, 1.01 * value(&s.out, list), NULL) &&
               refuses(&s, list + 2, 0.97 * value(&s.out, list + 2), NULL) &&
               refuses(&s, list + 2, 0, "counts") &&
               refuses(&s, last + 1, 1 + value(&s.out, last + 1), NULL) &&
               refuses(&s, last + 2, 1 + value(&s.out, last + 2), NULL);
        check(good, "%s N=%s, case %zu: a limit's answer beyond what rounding explains is refused",
              name_of(rounded[c].problem), rounded[c].settings[0].value, c);
        release(&s);
    }
}

/* And of other integrators: values, attempts, and how many right-hand sides there were. */
static void corrupt_other(const struct variant *v, int problem, const struct setting *settings)
{
    struct solve s;
    struct judgement j = {.count = 0};
    bool good = solved(&s, v, problem, settings) == OK && accepted(&s, &j);
    const struct curvature *const p = s.in.data;
    const size_t nodes = curvature_nodes(p), fields = curvature_fields(p);
    const size_t tail = nodes * fields + 2 * curvature_listed(p);
    const double unit = v->precision == DOUBLE ? 2.3e-16 : 1.2e-7;
    const double lost = good ? 4 * metric_of(&j, "amplification") * unit : (double)NAN;
    double most = 0;
    bool seen = false;
    for (size_t k = 0; k < nodes * fields && good; k++)
        most = fmax(most, fabs(value(&s.out, k)));
    for (size_t f = 0; f < fields && good; f++) {
        const size_t at = f * nodes + nodes / 2;
        const double u = value(&s.out, at);
        good = refuses(&s, at, u + (v->precision == DOUBLE ? 1e-5 : 0.03) * most, NULL) &&
               refuses(&s, at, NAN, "not finite");
        set_value(&s.out, at, u + lost * most);
        seen = seen || !accepted(&s, &j);
        set_value(&s.out, at, u);
    }
    size_t taken = nodes * fields + 2; /* an attempt that was not rejected, which others could be */
    while (taken < tail && !(value(&s.out, taken) > 0))
        taken += 2;
    good = good && seen && refuses(&s, tail, 2 * value(&s.out, tail), "evaluations") &&
           refuses(&s, tail, 0, NULL) && refuses(&s, tail + 2, MERSON, NULL) &&
           refuses(&s, tail + 2, 0.5, NULL) &&
           refuses(&s, nodes * fields, -value(&s.out, nodes * fields), NULL) &&
           refuses(&s, taken, 1.01 * value(&s.out, taken), NULL) &&
           refuses(&s, taken, 0.97 * value(&s.out, taken), NULL);
    check(good && accepted(&s, &j),
          "%s N=%s, %s by %s: an answer beyond what rounding explains is refused", name_of(problem),
          settings[0].value, precision_of(v), v->id);
    release(&s);
}

static void test_corrupted_others(void)
{
    static const struct {
        int problem;
        struct setting settings[6];
    } rows[] = {
        {MCF, {{"N", "24"}, {"N2", "33"}}},
        {MCF, {{"N", "40"}, {"boundary", "neumann"}, {"T", "0.03"}, {"snapshots", "2"}}},
        {WILLMORE_FLOW, {{"N", "20"}, {"T", "0.02"}, {"snapshots", "3"}}},
        {MCF_FIGURE, {{"N", "18"}, {"times", "0.001,0.02"}}},
        {WILLMORE_FIGURE, {{"N", "9"}, {"times", "1e-4,1e-3"}}},
    };
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++)
        for (const struct variant *v = curvature_variants; v->id != NULL; v++)
            if ((strcmp(v->id, "omp-rkc") == 0 || strcmp(v->id, "arkode") == 0) && runs_here(v))
                corrupt_other(v, rows[c].problem, rows[c].settings);
}

/* So is one of other data, of another scheme, or of another control. Fixed steps have no eps; and
 * where they begin with 1e-8, rounding decides how they grow. */
static void test_other_runs(void)
{
    static const char *const names[] = {"amplitude",   "h1",  "tau0",
                                        "longer tau0", "eps", "larger eps"};
    for (size_t c = 0; c < ROUNDED; c++) {
        struct solve s;
        struct judgement j;
        bool all =
            prepare(&s, variant_of("cpuN", DOUBLE), rounded[c].problem, rounded[c].settings) == OK;
        const struct curvature *const p = s.in.data;
        unsigned char *const own = malloc(s.bytes);
        assert(own != NULL);
        all = all && answer_otherwise(&s, p, 0) == OK;
        memcpy(own, s.out.values, s.bytes);
        for (int k = 0; k < (p->fixed || p->tau0 < 1e-7 ? 4 : 6) && all; k++) {
            struct curvature other = *p;
            double *const changed[] = {&other.amplitude, &other.h1,  &other.tau0,
                                       &other.tau0,      &other.eps, &other.eps};
            static const double by[] = {1 + 1e-5, 1 + 1e-5, 1 / 1.1, 1.1, 1 / 1.2, 1.2};
            *changed[k] *= by[k];
            if (answer_otherwise(&s, &other, 0) != OK || memcmp(own, s.out.values, s.bytes) == 0)
                continue; /* it diverges, or does not matter */
            all = !accepted(&s, &j);
            if (!all)
                fprintf(stderr, "# accepts another %s\n", names[k]);
        }
        free(own);
        check(all, "%s N=%s, case %zu: other data, another scheme or control are refused",
              name_of(rounded[c].problem), rounded[c].settings[0].value, c);
        release(&s);
    }
}

/* --- from run to run --- */

static bool repeats(struct solve *s, const unsigned char *first, uint64_t seed)
{
    const bool ran = go(s, seed) == OK;
    return ran && memcmp(first, s->out.values, s->bytes) == 0;
}

/* Runs of which nobody asks for the answer, with data of other seeds, as samples are taken. */
static bool runs_unasked(struct solve *s, int runs)
{
    const struct calls *const calls = s->variant->calls;
    bool ran = true;
    for (int k = 1; k <= runs && ran; k++) {
        s->in.at.problem->vary(&s->in, (uint64_t)k);
        ran = (calls->load == NULL || calls->load(s->state) == OK) &&
              calls->run(s->state, NULL) == OK;
    }
    return ran;
}

/* With attempts that the emulated device takes in less than half of a launch, too. */
static void test_repetition(const struct setting *settings)
{
    for (int problem = MCF; problem <= WILLMORE_FIGURE; problem++)
        for (const struct variant *v = curvature_variants; v->id != NULL; v++) {
            struct solve s;
            if (!runs_here(v))
                continue;
            const bool ran = solved(&s, v, problem, settings) == OK;
            unsigned char *first = malloc(s.bytes + 1);
            assert(first != NULL);
            if (check(ran, "%s %s %s runs", v->id, precision_of(v), name_of(problem))) {
                memcpy(first, s.out.values, s.bytes);
                bool good = repeats(&s, first, 0) && !repeats(&s, first, 1) && is_good(&s);
                check(good, "%s %s %s repeats, and changes with the seed", v->id, precision_of(v),
                      name_of(problem));
                good = !repeats(&s, first, 12) && is_good(&s);
                s.in.at.problem->vary(&s.in, 1);
                good = good && !is_good(&s) && runs_unasked(&s, 3);
                check(good && repeats(&s, first, 0),
                      "%s %s %s an answer of another seed is refused; seed 0 comes back", v->id,
                      precision_of(v), name_of(problem));
            }
            free(first);
            release(&s);
        }
}

/* Where a run is one launch by far, the host hears of it when the answer is asked for; and from
 * then on of that run, which is shorter or has other attempts than the one before it. A library
 * tries what our control would not. */
static void test_heard_late(void)
{
    static const struct setting settings[] = {{"N", "17"}, {"attempts", "6"},  {"tau0", "1e-3"},
                                              {"T", "5"},  {"snapshots", "1"}, {NULL, NULL}};
    for (const struct variant *v = curvature_variants; v->id != NULL; v++) {
        struct judgement j;
        struct solve s;
        if (!runs_here(v) || v->role == PEER)
            continue;
        bool good = solved(&s, v, MCF, settings) == OK && go(&s, 2) == OK && judged(&s, &j) == OK &&
                    metric_of(&j, "steps_rejected") <= 0;
        if (good) {
            ((struct curvature *)s.in.data)->tau0 = 5;
            good = go(&s, 3) == OK && is_good(&s) && judged(&s, &j) == OK &&
                   metric_of(&j, "steps_rejected") > 0;
        }
        check(good, "%s %s attempts that are rejected, after a run without", v->id,
              precision_of(v));
        release(&s);
    }
}

/* --- parameters --- */

static void test_bad_parameters(void)
{
    static const struct {
        int problem;
        struct setting settings[3];
        const char *says;
    } cases[] = {
        {MCF, {{"N", "1"}}, "out of range"},
        {MCF, {{"N2", "1"}}, "choose 2 or more"},
        {MCF, {{"T", "0"}}, "out of range"},
        {MCF, {{"snapshots", "0"}}, "out of range"},
        {MCF, {{"eps", "0"}}, "out of range"},
        {MCF, {{"boundary", "open"}}, "dirichlet|neumann"},
        {MCF, {{"tau0", "1e-300"}}, "shorter than 1e-30"},
        {MCF, {{"tau0", "1e-44"}}, "shorter than 1e-30"},
        {MCF, {{"times", "1"}}, "no parameter 'times'"},
        {WILLMORE_FLOW, {{"n", "9"}}, "out of range"},
        {WILLMORE_FLOW, {{"r", "0"}}, "out of range"},
        {MCF_FIGURE, {{"T", "1"}}, "no parameter 'T'"},
        {MCF_FIGURE, {{"times", "0.1,0.1"}}, "must grow"},
        {MCF_FIGURE, {{"times", "0"}}, "must grow"},
        {MCF_FIGURE, {{"times", "1e-300"}}, "by 1e-30 or more"},
        {MCF_FIGURE, {{"tau0", "1e-46"}}, "out of range"},
        {WILLMORE_FIGURE, {{"times", "1,b"}}, "times"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct instance in;
        const enum status status = create(&in, cases[c].problem, cases[c].settings);
        const bool good = status == ERR_ARGS && strstr(reason(), cases[c].says) != NULL;
        check(good, "%s refuses %s=%s with a sentence", name_of(cases[c].problem),
              cases[c].settings[0].name, cases[c].settings[0].value);
        if (!good)
            fprintf(stderr, "# %s\n", status == OK ? "accepted" : reason());
        in.at.problem->destroy(&in);
    }
}

/* The shortest first step can be told from none in either precision, and grows. */
static void test_shortest(void)
{
    static const struct setting settings[] = {
        {"N", "8"}, {"tau0", "1e-30"}, {"times", "0.01"}, {NULL, NULL}};
    for (int problem = MCF_FIGURE; problem <= WILLMORE_FIGURE; problem++)
        for (const struct variant *v = curvature_variants; v->id != NULL; v++) {
            struct solve s;
            struct judgement j;
            if (!takes(v, &curvature_problems[problem], settings, NULL))
                continue;
            const bool good = solved(&s, v, problem, settings) == OK && accepted(&s, &j);
            check(good, "%s %s %s from a step of 1e-30", name_of(problem), v->id, precision_of(v));
            if (!good)
                fprintf(stderr, "# %s\n", reason());
            release(&s);
        }
}

/* What a variant is said to need is no more than what was counted. */
static void test_work(void)
{
    static const char *const sizes[] = {"16", "32", "64"};
    for (int problem = MCF; problem <= WILLMORE_FLOW; problem++)
        for (int k = 0; k < (problem == MCF ? 3 : 2); k++) {
            const struct setting settings[] = {{"N", sizes[k]}, {NULL, NULL}};
            struct solve s;
            bool good = solved(&s, variant_of("cpuN", DOUBLE), problem, settings) == OK;
            const double nodes = good ? (double)curvature_nodes(s.in.data) : 0;
            const double steps =
                good ? value(&s.out, s.in.count - 2) + value(&s.out, s.in.count - 1) : 0;
            for (const struct variant *v = curvature_variants; v->id != NULL && good; v++) {
                const struct work work = v->work(v, &s.in.at);
                const double size = v->precision == DOUBLE ? sizeof(double) : sizeof(float);
                good = work.steps > 0 && work.flops > 0 &&
                       work.flops <= STAGES * steps * nodes * 370 && work.bytes > 0 &&
                       work.bytes <= steps * nodes * 60 * size && work.launches <= 20 * steps &&
                       work.host_bytes >= size * nodes && (work.device_bytes > 0) == uses_device(v);
            }
            check(good, "%s N=%s: the work of all variants", name_of(problem), sizes[k]);
            release(&s);
        }
}

/* Of four cards each does a quarter, and holds no less of the fields, and the halos. */
static void test_work_of_ranks(void)
{
    static const struct setting one[] = {{"N", "1000"}, {"attempts", "60"}, {NULL, NULL}},
                                four[] = {
                                    {"N", "1000"}, {"attempts", "60"}, {"ranks", "4"}, {NULL}};
    for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
        const struct variant *const v = variant_of("gpu-ranks", precision);
        struct instance a, b;
        const bool made = create(&a, MCF, one) == OK && create(&b, MCF, four) == OK;
        const struct work whole = v->work(v, &a.at), part = v->work(v, &b.at);
        check(made && part.flops == whole.flops / 4 && part.bytes == whole.bytes / 4 &&
                  part.steps == whole.steps && part.launches == whole.launches &&
                  part.device_bytes > whole.device_bytes / 4 &&
                  part.device_bytes < whole.device_bytes / 3,
              "gpu-ranks %s: the work of one card of four", precision_of(v));
        a.at.problem->destroy(&a);
        b.at.problem->destroy(&b);
    }
}

static void test_dump(void)
{
    static const struct setting settings[] = {
        {"N", "2"}, {"N2", "3"}, {"snapshots", "2"}, {NULL, NULL}};
    struct solve s;
    char *text = NULL, wanted[512] = "";
    size_t size = 0;
    const bool ran = solved(&s, variant_of("cpu1", DOUBLE), MCF, settings) == OK;
    FILE *file = open_memstream(&text, &size);
    assert(file != NULL);
    if (ran)
        s.in.at.problem->dump(&s.in, &s.out, file);
    for (size_t k = 0, length = 0; k < 12 && ran; k++)
        length += (size_t)snprintf(wanted + length, sizeof wanted - length, "%zu,%zu,%.17g\n",
                                   k / 4, k % 4, value(&s.out, 2 * 12 + k));
    fclose(file);
    check(ran && strcmp(text, wanted) == 0 && strcmp(s.in.at.problem->dump_header, "i,j,phi") == 0,
          "the dump has all nodes at the end");
    free(text);
    release(&s);
}

/* Of limited attempts the time that they reached stands beside the end; of more than are listed,
 * none. */
static void test_dumped_time(void)
{
    static const struct {
        const char *attempts, *tau0;
        double time;
    } rows[] = {{"0", "0.001", 0.5}, {"3", "0.001", 0.003}, {"4097", "1e-7", NAN}};
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++)
        for (enum precision precision = SINGLE; precision <= DOUBLE; precision++) {
            const struct setting settings[] = {{"N", "8"},
                                               {"control", "fixed"},
                                               {"tau0", rows[c].tau0},
                                               {"attempts", rows[c].attempts},
                                               {NULL, NULL}};
            struct solve s;
            char *text = NULL;
            size_t size = 0;
            const bool ran = solved(&s, variant_of("cpu1", precision), MCF_FIGURE, settings) == OK;
            FILE *const file = open_memstream(&text, &size);
            assert(file != NULL);
            if (ran)
                s.in.at.problem->dump(&s.in, &s.out, file);
            fclose(file);
            const char *line = strrchr(text, ',');
            while (line != NULL && line > text && line[-1] != '\n')
                line--;
            const double t = line != NULL ? strtod(line, NULL) : -1;
            check(ran && (isnan(rows[c].time) ? isnan(t) : fabs(t - rows[c].time) < 1e-12),
                  "the dump of %s attempts, %s, says t = %g", rows[c].attempts,
                  precision == DOUBLE ? "double" : "single", t);
            free(text);
            release(&s);
        }
}

/* --- the kernels of gpu by themselves --- */

static void test_kernels(void)
{
    static const char *const sizes[] = {"2", "5", "33"};
    for (const struct problem *p = curvature_kernels_family.problems; p->id != NULL; p++)
        for (const struct variant *v = curvature_kernels_family.variants; v->id != NULL; v++) {
            bool good = true;
            for (int k = 0; k < 6 && good && runs_here(v); k++) {
                const struct setting settings[] = {{"N", sizes[k % 3]}, {NULL, NULL}};
                struct solve s;
                (void)device_thread_order(k < 3 ? "ascending" : "descending");
                good = prepare_problem(&s, v, p, settings, NULL) == OK && go(&s, 7) == OK &&
                       is_good(&s);
                const double last = good ? value(&s.out, s.in.count - 2) : 0;
                good = good && refuses(&s, s.in.count - 2, NAN, NULL) &&
                       refuses(&s, s.in.count - 2, last + 1e-3, NULL);
                s.in.at.problem->vary(&s.in, 8);
                good = good && !is_good(&s);
                release(&s);
            }
            if (runs_here(v))
                check(good, "kernel %s %s by itself, both thread orders", p->id, precision_of(v));
        }
    (void)device_thread_order("ascending");
}

/* --- what the judge keeps, and its threads --- */

static void test_judge(void)
{
    static const struct setting small[] = {{"N", "20"}, {"attempts", "12"}, {NULL, NULL}},
                                large[] = {{"N", "105"}, {"attempts", "4"}, {NULL, NULL}};
    static const struct {
        const char *variant;
        const struct setting *settings;
    } cases[] = {{"cpu1", small}, {"cpuN", small}, {"cpu1", large}, {"cpuN", large}};
    for (const struct problem *p = curvature_problems; p->id != NULL; p++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            for (int precision = SINGLE; precision <= DOUBLE; precision++) {
                const struct variant *const v =
                    variant_of(cases[c].variant, (enum precision)precision);
                const char *const n = cases[c].settings[0].value;
                check(tells_seeds_apart(v, p, cases[c].settings),
                      "%s N=%s %s %s: the judge tells data of two seeds apart", p->id, n, v->id,
                      precision_of(v));
                check(judged_alike_by_threads(v, p, cases[c].settings),
                      "%s N=%s %s %s: 1, 2 and 3 threads judge alike", p->id, n, v->id,
                      precision_of(v));
            }
}

/* A surface from a file, all variants with both boundaries. */
static void test_own_data(void)
{
    enum { N = 12, N2 = 9, NODES = (N + 1) * (N2 + 1) };
    char path[] = "/tmp/curvature-XXXXXX";
    write_drawn(path, NODES, 26);
    for (const struct variant *v = curvature_variants; v->id != NULL; v++)
        for (int c = 0; c < 4; c++) {
            const struct problem *const problem = &curvature_problems[2 + c % 2];
            const struct setting settings[] = {{"<phi0", path},
                                               {"N", "12"},
                                               {"N2", "9"},
                                               {"times", c % 2 == 0 ? "0.01,0.02" : "1e-4,2e-4"},
                                               {"boundary", c / 2 == 0 ? "dirichlet" : "neumann"},
                                               {"eps", "1e-4"},
                                               {NULL, NULL}};
            if (runs_here(v))
                check(judges_own_data(v, problem, settings, 2 * NODES + 5 * (N2 + 1) + 4),
                      "%s %s %s %s: own phi0", problem->id, settings[4].value, v->id,
                      precision_of(v));
        }
    (void)unlink(path);
}

int main(void)
{
    struct device_facts facts;
    have_device = device_open(&facts) == OK;
    if (!have_device)
        skip("variants with kernels", reason());
    test_functions();
    test_control();
    test_pair("Merson's method", &merson, 4);
    test_pair("Bogacki and Shampine's pair", &bogacki_shampine, 3);
    test_chebyshev();
    test_chebyshev_control();
    test_rational();
    test_rest();
    test_zeros();
    test_bad_parameters();
    test_shortest();
    test_dump();
    test_dumped_time();
    test_forcing();
    test_forcing_digits();
    test_order();
    test_said();
    test_symmetry();
    test_work();
    test_work_of_ranks();
    test_bits();
    test_tiles();
    test_staying();
    test_whole_runs();
    test_digits();
    test_rectangles();
    test_steps();
    test_fewer_evaluations();
    if (!is_sanitized())
        test_fine_mesh();
    test_lost_mode();
    test_divergence();
    test_corrupted();
    test_other_rounding();
    test_corrupted_limit();
    test_corrupted_others();
    test_other_runs();
    test_repetition((const struct setting[]){{"N", "20"}, {"attempts", "12"}, {NULL, NULL}});
    setenv("REPRISE_EMULATED_BLOCKS", "9", 1); /* tiles on chip, that tell each other */
    test_repetition((const struct setting[]){{"N", "17"}, {"attempts", "6"}, {NULL, NULL}});
    test_heard_late();
    unsetenv("REPRISE_EMULATED_BLOCKS");
    test_kernels();
    test_judge();
    test_own_data();
    return done();
}
