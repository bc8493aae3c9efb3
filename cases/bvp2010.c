/*
 * P. Stpiczynski and J. Potiopa, "Solving a Kind of BVP for ODEs on heterogeneous CPU +
 * CUDA-enabled GPU Systems", IMCSIT 2010: Tables I-IV, the claims of Section IV, and the errata.
 */
#include "reprise.h"

#define SIZES                                                                                      \
    {                                                                                              \
        .smoke = "2^10,2^12", .quick = "2^20,2^22,2^24", .paper = "2^20,2^22,2^24,2^26,2^28"       \
    }
/* Of times, and of the historical arithmetic, which only an emulated device is slow at. */
#define TIMED                                                                                      \
    {                                                                                              \
        .smoke = "2^10,2^12", .quick = "2^20,2^22", .paper = "2^20,2^22,2^24,2^26,2^28"            \
    }

#define ONE_CORE "left out: one core takes seconds, and 2^26 says as much"
#define PEERS_OF_ONE_CORE                                                                          \
    {                                                                                              \
        {"*/lapack-dptsv/*", 1 << 26, ONE_CORE},                                                   \
        {                                                                                          \
            "*/cumsum/*", 1 << 26, ONE_CORE                                                        \
        }                                                                                          \
    }

static const struct exhibit exhibits[] = {
    {"bvp2010-table1", "Table I", "Relative error of the algorithms for the problem P1", "bvp",
     "rel_error_l2", .cases = {{"p1"}}, .variants = {"A1S", "A1D", "A2S", "A2D", "A2SD"},
     .axis = SIZES, .fixed = {{"reference", "paper"}}, .figure = "relative error in l2"},
    {"bvp2010-table2", "Table II", "Relative error of the algorithms for the problem P2", "bvp",
     "rel_error_l2", .cases = {{"p2"}}, .variants = {"A1S", "A1D", "A2S", "A2D", "A2SD"},
     .axis = SIZES, .fixed = {{"reference", "paper"}}, .figure = "relative error in l2"},
    {"bvp2010-table1-historical", "Table I",
     "The same with the arithmetic of the paper's GPU: products truncated, then added", "bvp",
     "rel_error_l2", .cases = {{"p1"}}, .variants = {"A2S", "A2SD"}, .axis = TIMED,
     .fixed = {{"reference", "paper"}, {"arithmetic", "historical"}},
     .published = "bvp2010-table1"},
    {"bvp2010-table2-historical", "Table II",
     "The same with the arithmetic of the paper's GPU: products truncated, then added", "bvp",
     "rel_error_l2", .cases = {{"p2"}}, .variants = {"A2S", "A2SD"}, .axis = TIMED,
     .fixed = {{"reference", "paper"}, {"arithmetic", "historical"}},
     .published = "bvp2010-table2"},
    {"bvp2010-table3", "Table III",
     "Execution time of the algorithms and speed-up of A2D over A1D for the problem P1", "bvp",
     "time", .cases = {{"p1"}}, .variants = {"A1D", "A2D", "A2SD", "A1D-omp", "A2-limit", "@peer"},
     .axis = TIMED, .fixed = {{"reference", "paper"}}, .up_to = PEERS_OF_ONE_CORE,
     .figure = "time, s"},
    {"bvp2010-table4", "Table IV",
     "Execution time of the algorithms and speed-up of A2D over A1D for the problem P2", "bvp",
     "time", .cases = {{"p2"}}, .variants = {"A1D", "A2D", "A2SD", "A1D-omp", "A2-limit", "@peer"},
     .axis = TIMED, .fixed = {{"reference", "paper"}}, .up_to = PEERS_OF_ONE_CORE,
     .figure = "time, s"},
    {"bvp-limit", "not in the paper",
     "Time of the paper's variants, of the best that this machine can do and of libraries", "bvp",
     "time", .cases = {{"p1"}, {"p2"}, {"stored"}},
     .variants = {"A1D", "A2S", "A2D", "A2SD", "A1D-omp", "A2-limit", "@peer"},
     .axis = {.smoke = "2^10,2^12", .quick = "2^16,2^20", .paper = "2^20,2^22,2^24,2^26,2^28"},
     .fixed = {{"reference", "paper"}}, .up_to = PEERS_OF_ONE_CORE, .figure = "time, s"},
    {"bvp-small", "not in the paper",
     "Time of small problems: one run, and runs that follow each other in a graph", "bvp", "time",
     .cases = {{"p1"}, {"p2"}, {"stored"}},
     .variants = {"A1D", "A1D-omp", "A2-limit", "A2-limit-graph"},
     .axis = {.smoke = "2^10", .quick = "2^10,2^16", .paper = "2^10,2^12,2^14,2^16,2^18,2^20,2^22"},
     .figure = "time, s"},
    {.id = NULL},
};

/* least and most bound right / left. */
static const struct claim claims[] = {
    {"bvp2010-a1d-better-than-a1s", "Section IV",
     "A1S achieves very poor accuracy, A1D gives much better results", "bvp2010-table[12]",
     "rel_error_l2", "A1D", "A1S", WITHIN, 1e3, 1e300},
    {"bvp2010-a2sd-improves-a2s", "Section IV",
     "double precision in 1B and 2B (A2SD) improves the accuracy of A2S", "bvp2010-table[12]",
     "rel_error_l2", "A2SD", "A2S", BELOW, .erratum = "B18"},
    {"bvp2010-a2d-better-than-a1d", "Section IV", "A2D gives better accuracy than A1D",
     "bvp2010-table[12]", "rel_error_l2", "A2D", "A1D", BELOW},
    {"bvp2010-a2d-faster-than-a1d", "Section IV", "A2D is much faster than A1D",
     "bvp2010-table[34]", "time", "A2D", "A1D", BELOW},
    {"bvp2010-a2sd-faster-than-a1d", "Section IV", "A2SD is much faster than A1D",
     "bvp2010-table[34]", "time", "A2SD", "A1D", BELOW},
    {"bvp2010-speedup-grows", "Section IV", "the speed-up of A2D over A1D grows when n grows",
     "bvp2010-table[34]", "time", "A2D", "A1D", GROWS_WITH_N},
    {"bvp2010-speedup-of-a2sd-grows", "Section IV",
     "the speed-up of A2SD over A1D grows when n grows", "bvp2010-table[34]", "time", "A2SD", "A1D",
     GROWS_WITH_N},
    {"bvp2010-a2sd-2-3-times-a2d", "Section IV", "A2SD is about 2-3 times faster than A2D",
     "bvp2010-table[34]", "time", "A2SD", "A2D", WITHIN, 2, 3, .erratum = "B14"},
    {"bvp2010-a2sd-95-times-a1d", "Section IV", "A2SD is up to 95 times faster than A1D",
     "bvp2010-table[34]", "time", "A2SD", "A1D", REACHES, 95, .erratum = "B15"},
    {.id = NULL},
};

static const struct closeness closeness[] = {
    {"*/A1S/*", 1e-3, "float sums and cosf, expf of another C library"},
    {"*/p1/A1D/*/1048576", 0.02, "rounding on 3 % of the discretisation error"},
    {"*/p1/A1D/*", 0.10, "all rounding error: cos of another C library"},
    {"*/p2/A1D/*", 0.02, "rounding error: exp of another C library"},
    {"*/p1/A2D/*", 0.01, "cos of the paper's GPU and of this machine differ in the last bit"},
    {"*/p2/A2D/*/1048576", 1e-4,
     "exp of the paper's GPU and of this machine differ in the last bit"},
    {"*/p2/A2D/*/4194304", 1e-4,
     "exp of the paper's GPU and of this machine differ in the last bit"},
    {"*/p2/A2D/*/16777216", 1e-4,
     "exp of the paper's GPU and of this machine differ in the last bit"},
    /* Measured at 2^26 in other roundings of exp: 7.1e-15 when its argument is not rounded, 6.2e-15
     * and 1.1e-14 when exp is rounded always up and always down. Two correct libraries differ by up
     * to 2^-52 of u, which is 3.2 % of the printed error. */
    {"*/p2/A2D/*/67108864", 0.04, "exp within a last bit on both sides: 2^-52 of u is 3.2 % of it"},
    {"*/p2/A2D/*", 0.01, "exp of the paper's GPU and of this machine differ in the last bit"},
    {"*-historical/*", 0.02, "2^x of today instead of the unit of the paper's GPU (B29)"},
    {"*/A2S/*", 0.02, "the paper's GPU truncated products before adding (B28)"},
    {"*/A2SD/*", 0.02, "the paper's GPU truncated products before adding (B28)"},
    {.applies_to = NULL},
};

/* The range over the IEEE evaluations of f that a correct program may choose from (float or double,
 * fused or not, in several orders), widened by a factor 1.5. */
static const struct correction corrections[] = {
    {"bvp2010-table1/p1/A2S/single/1048576", "B28", 3.013e-07, 9.572e-07},
    {"bvp2010-table1/p1/A2S/single/4194304", "B28", 4.3e-07, 1.373e-06},
    {"bvp2010-table1/p1/A2S/single/16777216", "B28", 2.245e-06, 5.07e-06},
    {"bvp2010-table1/p1/A2S/single/67108864", "B28", 1.52e-05, 3.435e-05},
    {"bvp2010-table1/p1/A2S/single/268435456", "B28", 8.2e-06, 1.905e-05},
    {"bvp2010-table1/p1/A2SD/mixed/1048576", "B28", 9.267e-08, 3.803e-07},
    {"bvp2010-table1/p1/A2SD/mixed/4194304", "B28", 9.8e-08, 3.329e-07},
    {"bvp2010-table1/p1/A2SD/mixed/16777216", "B28", 2e-07, 5.954e-07},
    {"bvp2010-table1/p1/A2SD/mixed/67108864", "B28", 1.665e-06, 3.915e-06},
    {"bvp2010-table1/p1/A2SD/mixed/268435456", "B28", 2.381e-06, 5.55e-06},
    {"bvp2010-table2/p2/A2S/single/1048576", "B28", 2.7e-06, 7.095e-06},
    {"bvp2010-table2/p2/A2S/single/4194304", "B28", 1.007e-06, 7.23e-06},
    {"bvp2010-table2/p2/A2S/single/16777216", "B28", 1.393e-05, 3.45e-05},
    {"bvp2010-table2/p2/A2S/single/67108864", "B28", 4.313e-05, 9.945e-05},
    {"bvp2010-table2/p2/A2S/single/268435456", "B28", 6.867e-06, 1.785e-05},
    {"bvp2010-table2/p2/A2SD/mixed/1048576", "B22", 7.733e-07, 1.98e-06},
    {"bvp2010-table2/p2/A2SD/mixed/4194304", "B28", 6.173e-06, 1.425e-05},
    {"bvp2010-table2/p2/A2SD/mixed/16777216", "B28", 9.8e-06, 2.25e-05},
    {"bvp2010-table2/p2/A2SD/mixed/67108864", "B28", 2.773e-05, 6.27e-05},
    {"bvp2010-table2/p2/A2SD/mixed/268435456", "B28", 5.273e-06, 1.198e-05},
    /* Truncated multiply-adds with a 2^x of today: about the values of a correctly rounded one. */
    {"bvp2010-table2-historical/p2/A2S/single/1048576", "B29", 2.971e-06, 6.684e-06},
    {"bvp2010-table2-historical/p2/A2S/single/4194304", "B29", 4.404e-06, 9.909e-06},
    {"bvp2010-table2-historical/p2/A2S/single/16777216", "B29", 1.533e-05, 3.449e-05},
    {"bvp2010-table2-historical/p2/A2S/single/67108864", "B29", 4.471e-05, 0.0001006},
    {"bvp2010-table2-historical/p2/A2S/single/268435456", "B29", 7.86e-06, 1.769e-05},
    {"bvp2010-table2-historical/p2/A2SD/mixed/1048576", "B29", 1.507e-07, 3.391e-07},
    {"bvp2010-table2-historical/p2/A2SD/mixed/4194304", "B29", 7.313e-06, 1.645e-05},
    {"bvp2010-table2-historical/p2/A2SD/mixed/16777216", "B29", 1.087e-05, 2.445e-05},
    {"bvp2010-table2-historical/p2/A2SD/mixed/67108864", "B29", 2.882e-05, 6.485e-05},
    {"bvp2010-table2-historical/p2/A2SD/mixed/268435456", "B29", 4.341e-06, 9.768e-06},
    {.applies_to = NULL},
};

static const struct erratum errata[] = {
    {"B1", "(10)", "formula", SEVERITY_A, NOTED, "carry u_{j+1} e",
     "u_{js+1} e, the first entry of block j+1",
     "derivation; Fig. 7 uses u[m+1], row 0 of the next column"},
    {"B2", "(5), (6)", "formula", SEVERITY_B, NOTED, "rows of L shifted",
     "L has 1 on the diagonal and -1 below it, R = L^T", "A = LR multiplied out"},
    {"B3", "Fig. 3", "text", SEVERITY_C, NOTED, "parameters s and bsize without a type",
     "int r, int s, int bsize, float *u_h", "the text itself"},
    {"B4", "Fig. 3", "text", SEVERITY_C, NOTED, "N is used and never declared", "n = r*s",
     "the text itself"},
    {"B5", "Fig. 3", "text", SEVERITY_C, NOTED, "u_d is not declared", "float *u_d",
     "the text itself"},
    {"B6", "Fig. 3", "text", SEVERITY_C, NOTED, "float vf_tmp, double vd_tmp assigned from malloc",
     "pointers float *vs_tmp, double *vd_tmp; vf_tmp and vs_tmp are one array", "the text itself"},
    {"B7", "Fig. 3", "text", SEVERITY_B, NOTED,
     "r/bsize blocks: columns are dropped if bsize does not divide r",
     "a rounded-up grid and the guard m < r; errors checked, memory freed", "the text itself"},
    {"B8", "Fig. 3", "text", SEVERITY_B, NOTED, "int n = r*s and int indices",
     "64-bit indices from n = 2^31 on", "the text itself"},
    {"B9", "Fig. 4", "text", SEVERITY_C, NOTED, "missing ) in the parameter list", "int r)",
     "the text itself"},
    {"B10", "Fig. 4", "method", SEVERITY_B, NOTED, "h*(m*s+k): the index becomes a float",
     "inexact above 2^24; kept, because the printed digits contain it",
     "it shows in the fourth digit: A2SD, P1, 2^26 (`solve bvp/p1 --variant A2SD --set n=2^26 "
     "--set "
     "reference=paper`) gives 2.49811e-06; with f in double, rounded once, it is 2.50947e-06 from "
     "the rounded x and 2.51007e-06 from the exact one"},
    {"B11", "Fig. 4", "text", SEVERITY_C, NOTED, "1.0/(float)(s*r) is a double constant",
     "harmless for n = 2^k, where h is exact", "the text itself"},
    {"B12", "Figs. 3-7", "text", SEVERITY_C, NOTED, "only the code of A2SD is printed",
     "A2S and A2D differ in the types", "the text itself; the digits of all three"},
    {"B13", "Section IV", "unstated", SEVERITY_B, ASSUMPTION,
     "at 2^28 the tables show results of -deviceemu: of which variants?",
     "only A2D; A2S and A2SD ran on the GPU",
     "P1 A2SD at 2^28 has the digits of the GPU's truncated multiply-add",
     "bvp2010-table[12]/*/268435456"},
    {"B14", "Section IV", "text", SEVERITY_B, NOTED, "A2SD is about 2-3 times than A2D",
     "faster; the printed times give 1.45 to 2.78", "Tables III, IV"},
    {"B15", "Section IV", "text", SEVERITY_B, NOTED, "up to 95 times faster than A1D",
     "the printed times give 96.8 (P1) and 82.4 (P2) at 2^28, where A1D took 5.2 times its time at "
     "2^26 for 4 times the work; 71.5 and 55.6 from 2^26",
     "Tables III, IV"},
    {"B16", "Table III", "value", SEVERITY_B, VOIDS, "speed-up 17.35 at 4194304",
     "the printed times give 18.22 to 18.41", "Table III", "bvp2010-table3/p1/A2D?A1D/*/4194304"},
    {"B17", "Tables III, IV", "value", SEVERITY_B, VOIDS,
     "speed-ups 22.32 (P1, 2^24), 25.69 (P1, 2^26), 8.23 (P2, 2^20)",
     "the printed times give 22.17-22.23, 25.72-25.75, 8.26-8.42", "Tables III, IV",
     "bvp2010-table@(3/p1/A2D?A1D/*/@(16777216|67108864)|4/p2/A2D?A1D/*/1048576)"},
    {"B18", "Section IV", "text", SEVERITY_B, NOTED,
     "double precision in 1B and 2B improves the accuracy",
     "not for P2 at 4194304, where A2S is better, in print and here", "Table II"},
    {"B19", "(14)", "unstated", SEVERITY_A, ASSUMPTION, "which exact u?",
     "single variants of P1: cos(PI/2 x) with pi rounded to float",
     "seven digits; the true pi gives 1.732485e-04 for A1S at 2^20 instead of 1.732620e-04",
     "bvp2010-table1*/p1/A[12]S*/*"},
    {"B20", "Section IV", "unstated", SEVERITY_A, ASSUMPTION,
     "r, s, block size, timed region, repetitions and compiler options are not stated",
     "r = s = sqrt(n); the region from `set` to `2c` with the row copies, without the copy of u to "
     "the host",
     "r and s: the digits of A2D; the region: A2SD at 2^28 would exceed PCIe otherwise",
     "bvp2010-table*"},
    {"B21", "Section IV", "method", SEVERITY_B, NOTED, "speed-up of A2D over A1D",
     "it contains cos and exp on both sides, 80-90 % of A1D's time; f and the sums are reported "
     "apart",
     "the parts of the times"},
    {"B22", "Table II", "value", SEVERITY_A, EXPLAINS, "A2SD 1.341402e-07 at 1048576",
     "1.2e-06 with IEEE arithmetic: the GPU's truncated multiply-add cancels rounding by luck",
     "seven ways of evaluating f; emulation of the arithmetic", "bvp2010-table2/p2/A2SD/*/1048576"},
    {"B23", "Section III", "text", SEVERITY_C, NOTED, "216 cores",
     "27 multiprocessors; at r = 1024 38 threads each: the times of small n are latency",
     "the text itself"},
    {"B24", "author line", "text", SEVERITY_C, NOTED, "Stpicynski", "Stpiczynski",
     "the other papers"},
    {"B25", "Section II", "text", SEVERITY_B, NOTED,
     "of the remainder n > rs only the first stage is described",
     "the second stage starts in the remainder; its carry enters 2B and 2C of column r",
     "derivation; compared with the sequential solution"},
    {"B26", "Section II", "text", SEVERITY_C, NOTED, "rs <= n and s > 1", "also r >= 1",
     "the text itself"},
    {"B27", "Section III", "text", SEVERITY_C, NOTED, "A2D at 2^28 needs 2048 MB",
     "that is the array alone; the row buffers come on top", "the text itself"},
    {"B28", "Tables I, II", "unstated", SEVERITY_A, EXPLAINS,
     "A2S and A2SD have the digits of an arithmetic that is not named",
     "the GTX 260 truncates single-precision products before it adds and evaluates expf with its "
     "own 2^x unit; IEEE arithmetic gives other digits of the same size",
     "the historical exhibits: all ten values of P1 in seven digits",
     "bvp2010-table[12]/p[12]/A2S*/*"},
    {"B29", "Table II", "unstated", SEVERITY_A, EXPLAINS,
     "A2S and A2SD of P2 went through the 2^x unit of the GTX 260",
     "that unit cannot be emulated bit by bit; with a correctly rounded 2^x seven of the ten "
     "values agree within 2.2 %, all within a factor 1.7",
     "bvp2010-table2-historical", "bvp2010-table2-historical/*"},
    {.id = NULL},
};

const struct paper bvp2010_paper = {
    "bvp2010",
    "P. Stpiczynski and J. Potiopa, Solving a Kind of BVP for ODEs on heterogeneous CPU + "
    "CUDA-enabled GPU Systems, IMCSIT 2010.",
    exhibits,
    claims,
    errata,
    closeness,
    corrections,
    "bvp2010.csv",
};
