/*
 * T. Oberhuber, A. Suzuki, V. Zabka, "The CUDA Implementation of the Method of Lines for the
 * Curvature Dependent Flows", Kybernetika 47 (2011): Tables 2-8, Figures 1 and 2, the claims and
 * the errata. Errors and times are of the same runs: the tables are views of them, one for each
 * norm and one for each order. The errors are printed for all programs at once; they stand with
 * gpu, or, in Table 4, with gpu-coop, whose bits are the same and which alone ends its last row
 * soon.
 */
#include "reprise.h"

#define TOO_LONG                                                                                   \
    "left out: takes too long on this variant; the time of its steps is in cf2011-steps"
#define DOUBLE_PRINTED "left out: the paper has Willmore flow in double precision alone"

/* Those of Merson's method, as the paper has it; with another integrator there are cf-limit-*. */
#define ALL "cpu1", "cpuN", "gpu", "gpu-coop"

/* A part of a table: the view of another exhibit's runs. */
#define VIEW(table_, part_, title_, metric_, case_, ...)                                           \
    {                                                                                              \
        "cf2011-table" table_ part_, "Table " table_, title_, "curvature", metric_,                \
            .view_of = "cf2011-" case_, __VA_ARGS__                                                \
    }

/* The errors of a table in three norms, and their orders. */
#define NORM(table_, printed_, case_, norm_, name_, figure_, ...)                                  \
    VIEW(table_, "-" norm_, "Error in " name_ ", " printed_, "error_" norm_, case_,                \
         .falls_with_h = true, .figure = figure_, __VA_ARGS__),                                    \
        VIEW(table_, "-eoc-" norm_, "Experimental order of convergence in " name_ ", " printed_,   \
             "order_error_" norm_, case_, __VA_ARGS__)
#define ERRORS(table_, printed_, case_, precision_, ...)                                           \
    NORM(table_, printed_, case_, "l1", "L1", NULL, .precision = precision_,                       \
         .variants = {__VA_ARGS__}),                                                               \
        NORM(table_, printed_, case_, "l2", "L2", "error in L2", .precision = precision_,          \
             .variants = {__VA_ARGS__}),                                                           \
        NORM(table_, printed_, case_, "linf", "Linf", NULL, .precision = precision_,               \
             .variants = {__VA_ARGS__})

#define SPEEDUPS(table_, part_, printed_, case_, ...)                                              \
    VIEW(table_, part_ "-speedup", "Speed-up, " printed_, "speedup", case_,                        \
         .variants = {"cpuN/cpu1", "gpu/cpu1", "gpu/cpuN", "gpu-coop/cpuN"}, __VA_ARGS__)

/* Times, Gflop/s and speed-ups of a table. */
#define TIMES(table_, printed_, case_, ...)                                                        \
    VIEW(table_, "", "Time to T, " printed_, "time", case_, .variants = {ALL},                     \
         .figure = "time, s", __VA_ARGS__),                                                        \
        VIEW(table_, "-gflops",                                                                    \
             "Gflop/s, " printed_ "; ours by the paper's 85 and 303 a node, without forcing",      \
             "performance", case_, .variants = {ALL}, __VA_ARGS__),                                \
        SPEEDUPS(table_, "", printed_, case_, __VA_ARGS__)

/* What the limits of both integrators take, and what they reach. */
#define LIMITS "cpu1", "cpuN", "gpu-coop", "@limit", "@peer"
#define LIMIT_VIEW(flow_, part_, title_, metric_, ...)                                             \
    {                                                                                              \
        "cf-limit-" flow_ part_, "not in the paper", title_, "curvature", metric_,                 \
            .variants = {LIMITS}, .view_of = "cf-limit-" flow_, __VA_ARGS__                        \
    }
#define LIMIT_VIEWS(flow_, name_)                                                                  \
    LIMIT_VIEW(                                                                                    \
        flow_, "-step",                                                                            \
        "Time of a step of a Runge-Kutta pair, or of a stage of Runge-Kutta-Chebyshev, " name_,    \
        "time_per_step", .figure = "time, s"),                                                     \
        LIMIT_VIEW(flow_, "-error", "Error in L2, " name_, "error_l2", .falls_with_h = true,       \
                   .figure = "error in L2"),                                                       \
        LIMIT_VIEW(flow_, "-evaluations", "Right-hand sides and steps up to T, " name_,            \
                   "evaluations", .also = {"steps_accepted", "steps_rejected"},                    \
                   .figure = "evaluations")

#define MCF_SINGLE "mean-curvature flow, single precision"
#define MCF_DOUBLE "mean-curvature flow, double precision"
#define WILLMORE   "Willmore flow, double precision"

static const struct exhibit exhibits[] = {
    {"cf2011-mcf", "Tables 2, 3, 5, 6",
     "Mean-curvature flow to T = 0.1; the tables show parts of it", "curvature", "time",
     .cases = {{"mcf"}}, .variants = {ALL},
     .axis = {.smoke = "16,32", .quick = "16,32,64", .paper = "16,32,64,128,256,512,1024"},
     .fixed = {{"row16", "nodes"}},
     .up_to = {{"mcf/cpu1/*", 256, TOO_LONG}, {"mcf/cpuN/*", 512, TOO_LONG}}},
    {"cf2011-willmore", "Table 7", "Willmore flow to T = 0.1", "curvature", "time",
     .cases = {{"willmore"}}, .variants = {ALL},
     .axis = {.smoke = "16", .quick = "16,32", .paper = "16,32,64,128,256"},
     .fixed = {{"row16", "nodes"}}, .precision = "double",
     .up_to = {{"willmore/cpu1/*", 32, TOO_LONG},
               {"willmore/cpuN/*", 64, TOO_LONG},
               {"willmore/*", 128, TOO_LONG}}},
    {"cf2011-willmore-errors", "Table 4",
     "Error in Linf, Willmore flow, which the paper finds unreasonable in single precision",
     "curvature", "error_linf", .cases = {{"willmore"}}, .variants = {"gpu-resident"},
     .falls_with_h = true, .axis = {.smoke = "16", .quick = "16,32", .paper = "16,32,64,128,256"},
     .fixed = {{"row16", "nodes"}}, .up_to = {{"willmore/*/single", 64, DOUBLE_PRINTED}}},
    ERRORS("2", MCF_SINGLE, "mcf", "single", "gpu", "gpu-coop", "cpu1", "cpuN"),
    ERRORS("3", MCF_DOUBLE, "mcf", "double", "gpu", "gpu-coop", "cpu1", "cpuN"),
    ERRORS("4", WILLMORE, "willmore-errors", "double", "gpu-resident"),
    TIMES("5", MCF_SINGLE, "mcf", .precision = "single"),
    TIMES("6", MCF_DOUBLE, "mcf", .precision = "double"),
    TIMES("7", WILLMORE, "willmore", .precision = "double"),
    {"cf2011-figure1", "Figure 1",
     "Evolution of sin(3 pi r) by mean-curvature flow at t = 0, 0.025, 0.1, 0.5", "curvature",
     "time", .cases = {{"mcf-figure"}}, .variants = {ALL},
     .axis = {.smoke = "16", .quick = "48", .paper = "48,128"}, .fields = "mcf-figure/cpuN/*"},
    {"cf2011-figure1-single", "Figure 1",
     "Largest distance between the surfaces of single and double precision at t = 0.5", "curvature",
     "off_double", .variants = {ALL}, .view_of = "cf2011-figure1", .precision = "single"},
    {"cf2011-figure1-area", "Figure 1",
     "Least ratio of the surface's areas from one drawn time to the next; above 1 it falls",
     "curvature", "area_fall", .variants = {ALL}, .view_of = "cf2011-figure1"},
    {"cf2011-figure2", "Figure 2",
     "Evolution of sin(3 pi r) by Willmore flow at t = 0, 0.01, 0.025, 0.1, to the size that takes "
     "no minutes",
     "curvature", "time", .cases = {{"willmore-figure"}}, .variants = {ALL},
     .axis = {.smoke = "8", .quick = "16", .paper = "16,64,128"}, .precision = "double",
     .up_to = {{"*/cpu*/*", 16, TOO_LONG}, {"*", 64, TOO_LONG}}, .fields = "*/@(cpuN|gpu-coop)/*"},
    {"cf2011-table8", "Table 8", "Time of the evolution in Figure 1", "curvature", "time",
     .variants = {ALL}, .view_of = "cf2011-figure1"},
    {"cf2011-table8-willmore", "Table 8", "Time of the evolution in Figure 2", "curvature", "time",
     .variants = {ALL}, .view_of = "cf2011-figure2"},
    SPEEDUPS("8", "", "evolution in Figure 1", "figure1", .precision = NULL),
    SPEEDUPS("8", "-willmore", "evolution in Figure 2", "figure2", .precision = NULL),
    {"cf2011-kernels", "Table 1",
     "Throughput of gpu's kernels, each by itself; the table shows a part of it",
     "curvature-kernels", "bandwidth",
     .cases =
         {{"combine"}, {"reduction"}, {"mcf"}, {"willmore"}, {"forcing-mcf"}, {"forcing-willmore"}},
     .variants = {"gpu"}, .axis = {.smoke = "16", .quick = "64", .paper = "512,4096"}},
    {"cf2011-table1", "Table 1", "Throughput of gpu's kernels, single precision",
     "curvature-kernels", "bandwidth", .variants = {"gpu"}, .view_of = "cf2011-kernels",
     .precision = "single"},
    {"cf2011-table1-occupancy", "Table 1", "Occupancy of gpu's kernels", "curvature-kernels",
     "occupancy", .variants = {"gpu"}, .of_machine = true, .view_of = "cf2011-kernels"},
    {"cf2011-steps", "not in the paper",
     "Time of one attempted step, of ten, where a run to T takes too long as well", "curvature",
     "time_per_step", .cases = {{"mcf"}, {"willmore"}, {"willmore-figure"}}, .variants = {ALL},
     .axis = {.smoke = "16", .quick = "64", .paper = "64,128,256,512,1024"},
     .fixed = {{"attempts", "10"}, {"tau0", "1e-8"}},
     .up_to = {{"willmore*/*/single", 64, DOUBLE_PRINTED},
               {"willmore*", 256, "left out: the paper has no larger mesh"}}},
    {"cf-limit-mcf", "not in the paper",
     "Time of mean-curvature flow to T = 0.1 by the best that this machine can do, Merson's method "
     "and another integrator, and by libraries",
     "curvature", "time", .cases = {{"mcf"}}, .variants = {LIMITS},
     .axis = {.smoke = "16", .quick = "16,32", .paper = "16,32,64,128,256,512,1024"},
     .fixed = {{"row16", "nodes"}}, .figure = "time, s",
     .up_to = {{"mcf/cpu1/*", 128, TOO_LONG},
               {"mcf/cpuN/*", 512, TOO_LONG},
               {"mcf/arkode/*", 256, TOO_LONG}}},
    LIMIT_VIEWS("mcf", "mean-curvature flow"),
    {"cf-limit-willmore", "not in the paper",
     "Time of Willmore flow to T = 0.1 by the best that this machine can do, Merson's method and "
     "another integrator, and by libraries",
     "curvature", "time", .cases = {{"willmore"}}, .variants = {LIMITS},
     .axis = {.smoke = "16", .quick = "12,16", .paper = "16,32,64,128,256"},
     .fixed = {{"row16", "nodes"}}, .figure = "time, s",
     .up_to = {{"willmore/cpu1/*", 32, TOO_LONG},
               {"willmore/cpuN/*", 64, TOO_LONG},
               {"willmore/arkode/*", 32, TOO_LONG},
               {"willmore/*-rkc/single", 128, "left out: rounding is more than the steps bear"},
               {"willmore/*/single", 64, DOUBLE_PRINTED},
               {"willmore/*-rkc/*", 256, "left out: the paper has no larger mesh"},
               {"willmore/*", 128, TOO_LONG}}},
    LIMIT_VIEWS("willmore", "Willmore flow"),
    {.id = NULL},
};

static const struct claim claims[] = {
    {"cf2011-17-times-single", "abstract, Section 5",
     "almost 17 times faster than the CPU's four cores in single precision",
     "cf2011-table5-speedup", "speedup", "gpu/cpuN", .predicate = REACHES, .least = 16.9,
     .erratum = "C30"},
    {"cf2011-7-times-double", "abstract, Section 5",
     "7 times faster than the CPU's four cores in double precision", "cf2011-table6-speedup",
     "speedup", "gpu/cpuN", .predicate = REACHES, .least = 7, .erratum = "C30"},
    {"cf2011-cpu-3-gflops", "Section 5", "the CPU's four cores achieve 3 Gflop/s",
     "cf2011-table[567]-gflops", "performance", "cpuN", .predicate = REACHES, .least = 3e9,
     .erratum = "C23"},
    {"cf2011-gpu-50-gflops-single", "Section 5",
     "the GPU gets almost 50 Gflop/s in single precision", "cf2011-table5-gflops", "performance",
     "gpu", .predicate = REACHES, .least = 48.8e9, .erratum = "C23"},
    {"cf2011-gpu-17-gflops-double", "Section 5", "the GPU gets 17 Gflop/s in double precision",
     "cf2011-table[67]-gflops", "performance", "gpu", .predicate = REACHES, .least = 17e9,
     .erratum = "C23"},
    {"cf2011-order-2", "Section 5",
     "the experimental order of convergence of mean-curvature flow is 2", "cf2011-table[23]-eoc-l2",
     "order_error_l2", "gpu", .predicate = WITHIN, .least = 1.85, .most = 2.15},
    {"cf2011-large-meshes", "Section 5",
     "the power of the GPU is evident especially on large meshes: its speed-up over one core grows "
     "with them",
     "cf2011-table[567]-speedup", "speedup", "gpu/cpu1", .predicate = GROWS_WITH_N},
    {"cf2011-area-falls", "Section 2, (1)",
     "mean-curvature flow makes the surface's area smaller from each drawn time to the next",
     "cf2011-figure1-area", "area_fall", "gpu-coop", .predicate = WITHIN, .least = 1,
     .most = 1e300},
    {.id = NULL},
};

/* Where rounding or the step control decides about the last printed digit. */
static const struct correction corrections[] = {
    {"cf2011-table2-linf/mcf/gpu/single/512", "C33", 3.84e-5, 3.86e-5},
    {"cf2011-table2-l1/mcf/gpu/single/1024", "C33", 1.55e-6, 1.75e-6},
    {"cf2011-table2-linf/mcf/gpu/single/1024", "C33", 1.0e-5, 1.1e-5},
    {"cf2011-table2-eoc-l1/mcf/gpu/single/1024", "C33", 1.8, 2.0},
    {"cf2011-table2-eoc-l2/mcf/gpu/single/1024", "C33", 1.8, 2.0},
    {"cf2011-table2-eoc-linf/mcf/gpu/single/1024", "C33", 1.75, 1.95},
    {"cf2011-table3-eoc-l1/mcf/gpu/double/1024", "C32", 1.85, 2.0},
    {.applies_to = NULL},
};

static const struct erratum errata[] = {
    {"C1", "(6), (17)", "formula", SEVERITY_A, NOTED, "phi_t = -Q div(grad phi/Q) + F, in our copy",
     "plus: the minus is backward parabolic", "the tables, which only plus reproduces"},
    {"C2", "(4)", "formula", SEVERITY_C, NOTED,
     "V = -Lap H - H^3/2 + 2 H K, without its convention", "phi_t = Q V with H = div(grad phi/Q)",
     "identity with (10), checked symbolically"},
    {"C3", "(53)-(56)", "formula", SEVERITY_A, ASSUMPTION, "E without 1/Q^2 in our copy",
     "E = (I - grad phi grad phi^T / Q^2) / Q; without it the scheme is inconsistent",
     "truncation error of order 2 with it and of order 0 without; 16 divisions a node are counted",
     "cf2011-table@(4-*|7*)/*"},
    {"C4", "(30)", "unstated", SEVERITY_A, ASSUMPTION, "n, r and sigma of the known solution",
     "1, 1, 1", "every error of Tables 2-4 follows; 2 percent off, most do not",
     "cf2011-table[234]-*"},
    {"C5", "Tables 2-7, 16^2", "value", SEVERITY_A, ASSUMPTION, "a mesh of 16 x 16",
     "16 nodes, that is 15 cells, where the other rows count cells; h = 8/15",
     "errors and orders of the row and of the next: 7.06e-3, 9.04e-3, 4.26e-2",
     "cf2011-table[2-7]*/*/*/*/@(16|32)"},
    {"C6", "Tables 2, 3, 16^2", "value", SEVERITY_B, NOTED, "Linf 1.3e-02, in our copy",
     "4.3e-02: the order 2.1 at 32^2 needs it", "4.255e-2 computed"},
    {"C7", "Table 3, 64^2", "value", SEVERITY_C, NOTED, "Linf 9.4e-03, in our copy", "2.4e-03",
     "Table 2; the order 1.8; 2.389e-3 computed"},
    {"C8", "Table 4, 32^2", "value", SEVERITY_C, NOTED, "L2 15601, in our copy", "1.5e-01",
     "1.485e-1 computed, order 0.70"},
    {"C9", "Table 7, 256^2", "value", SEVERITY_A, NOTED,
     "197424, 51953 and 9303 s (our copy: 93031), 6.5 times those of 128^2",
     "64 times is what T = 0.1 needs: either the three are of a tenth of the work, or the GPU took "
     "93031 s and both CPU times have lost a digit; neither is claimed",
     "stability limits tau to O(h^4); both readings fit the printed speed-ups"},
    {"C10", "Table 7, 64^2, 128^2", "value", SEVERITY_C, NOTED,
     "196 and 110.8 Gflop/s, in our copy", "9.6 and 16.8", "the work of the CPU rows"},
    {"C11", "Table 6", "value", SEVERITY_C, NOTED, "speed-ups 23 and 6.57 at 512^2, 7.27 at 1024^2",
     "23.7, 6.77 and 7.42 from the printed times, whose rounding leaves 23.6 to 23.8, 6.74 to 6.80 "
     "and 7.418 to 7.422",
     "3272/138, 934/138, 16420/2213"},
    {"C12", "Table 7", "value", SEVERITY_C, NOTED,
     "speed-ups 5.3 at 32^2, 5.4 at 128^2, 5.5 at 256^2",
     "5.14, 5.52 and 5.58 from the printed times, whose rounding leaves 5.09 to 5.19, 5.514 to "
     "5.518 "
     "and 5.584 to 5.585; 1.7 at 32^2 is within theirs, 1.64 to 1.66",
     "7.4/1.44, 8241/1494, 51953/9303; 2.38/1.44"},
    {"C13", "Sections 4.2, 4.3", "text", SEVERITY_B, NOTED,
     "memcpy(u_ini, u, ...) first, memcpy(u, u_ini, ...) last",
     "the destination comes first; as printed the initial data are lost", "the C library"},
    {"C14", "Sections 4.2, 4.3", "formula", SEVERITY_B, ASSUMPTION,
     "e = Max(e, tau/3*(...)) without absolute value", "with it, as in (28)",
     "mcf 64^2: 20 steps without, 40 with, the same norms", "cf2011-table[2-7]*"},
    {"C15", "Section 4", "formula", SEVERITY_B, NOTED, "N = N1*N2 nodes, i*N2+j",
     "(N1+1)(N2+1) nodes, i*(N2+1)+j; with stride N2 nodes (i,N2) and (i+1,0) are one",
     "(15) and the text"},
    {"C16", "Section 4.3", "text", SEVERITY_C, NOTED,
     "EvaluateRHS without <<<>>>, cudaMemalloc, memfree", "<<<>>>, cudaMalloc, free", "CUDA"},
    {"C17", "Section 4.1, step 4", "method", SEVERITY_B, ASSUMPTION,
     "tau (eps/e)^(1/5) also where e = 0, and nothing for e not finite",
     "e = 0 keeps tau, e not finite divides it by 10", "0.8*0*inf is NaN", "cf2011-table[2-8]*"},
    {"C18", "Section 4.1, step 4", "method", SEVERITY_B, ASSUMPTION,
     "tau is cut to what is left up to T, and so kept",
     "a step that was cut short does not set the next interval's first one",
     "mcf 64^2: 41 attempts", "cf2011-table[2-8]*"},
    {"C19", "Section 4.1, step 5", "method", SEVERITY_C, NOTED, "while (t < T)",
     "t reaches T up to rounding alone: the last step sets it exactly",
     "22 instead of 20 steps at 32^2"},
    {"C20", "Sections 4.1, 4.2", "text", SEVERITY_C, NOTED,
     "k has the factor tau in the algorithm and not in the code", "the same method",
     "the text itself"},
    {"C21", "Section 4.3", "value", SEVERITY_C, NOTED, "36 additions for Q: 85 operations a node",
     "31, and so 80; 85 is kept where the paper's count is meant", "counted"},
    {"C22", "Section 4.3", "text", SEVERITY_C, NOTED, "16 absolute values are counted",
     "a square needs none", "the formulas"},
    {"C23", "Tables 5-7", "unstated", SEVERITY_A, NOTED, "operations of the forcing",
     "about 1.8e3 a node and evaluation, 90 percent of the printed Gflop/s; ours count 85 and 303, "
     "and the forcing, from tables along the axes, takes about 33 and 265",
     "time times Gflop/s over nodes times evaluations", "cf2011-table[567]*"},
    {"C24", "Tables 5, 6, 16^2, 32^2", "method", SEVERITY_C, NOTED, "as much work a node as 64^2",
     "20 steps suffice; about 40 were made", "the printed work over ours"},
    {"C25", "(19), (20), (24), (25)", "method", SEVERITY_B, ASSUMPTION,
     "Neumann's condition by copying the neighbour",
     "kept: of first order, the boundary lies half a cell inside; corners take their diagonal "
     "neighbour's value",
     "the area at the end is that of 127 x 127 cells", "cf2011-table8*"},
    {"C26", "Figure 2, Table 8", "method", SEVERITY_B, NOTED,
     "Willmore flow from a cone with slopes of 3 pi, on 128 x 128",
     "slopes grow like 1/h, the surface stops being a graph; runs agree on the same mesh alone. "
     "Drawn here on 64 x 64; run cf2011-figure2 with -a n=128 for the paper's",
     "reprise solve curvature/willmore-figure --variant cpuN --precision double --set N=128 --set "
     "times=5e-4,9e-4: the discrete Willmore energy grows from 1590 to 1848, in about 102000 "
     "attempts, where smooth data take 9e-4 (8/h^2)^2 / 3.548 = 17000"},
    {"C27", "Table 8", "value", SEVERITY_C, NOTED, "GPU times 1 and 2 s",
     "one digit: the speed-ups 14.3 and 11.6 are known to 50 and 25 percent", "arithmetic"},
    {"C28", "Section 5", "text", SEVERITY_B, NOTED,
     "Willmore flow in single precision does not give reasonable results",
     "not confirmed: its errors agree with those in double to four digits up to 64^2",
     "cf2011-willmore-errors"},
    {"C29", "Table 1", "unstated", SEVERITY_C, ASSUMPTION,
     "occupancy and throughput, without mesh, precision or what a byte is",
     "512 x 512, single precision; the bytes that a kernel has to read and write once. Here also "
     "4096 x 4096, which no cache of today holds",
     "none", "cf2011-@(kernels|table1*)"},
    {"C30", "abstract", "method", SEVERITY_A, NOTED, "compared to Intel Core 2 Quad CPU",
     "to its four cores with OpenMP and without vectors; cpuN has vectors and fused stages",
     "Tables 5, 6, last columns"},
    {"C31", "(31)-(33)", "unstated", SEVERITY_A, ASSUMPTION, "M", "20",
     "every error follows; M = 19 and 21 give 20 and 19 of 21", "cf2011-table[234]-*"},
    {"C32", "Table 3, 1024^2", "value", SEVERITY_C, EXPLAINS, "order 1.9 in L1",
     "1.97 with eps = 1e-6, 1.88 with 2e-6: eps decides; the errors agree", "computed",
     "cf2011-table3-eoc-l1/mcf/gpu/double/1024"},
    {"C33", "Table 2, 512^2, 1024^2", "value", SEVERITY_C, EXPLAINS,
     "3.9e-5, 1.7e-6, 1.1e-5 and their orders",
     "rounding decides: single runs that differ in its order alone give Linf 3.847e-5 and 3.853e-5 "
     "at 512^2, L1 1.62e-6 to 1.72e-6 at 1024^2",
     "computed", "cf2011-table2-*/mcf/gpu/single/@(512|1024)"},
    {"C34", "Sections 4, 5", "unstated", SEVERITY_A, ASSUMPTION, "eps and tau_0",
     "1e-6 and T/M; in the figures 1e-4 and 1e-8 to begin with",
     "eps of 5e-6 and more is excluded by the row 512^2 of Table 3", "cf2011-table[2-8]*"},
    {"C35", "(8), (13)", "unstated", SEVERITY_B, ASSUMPTION, "g",
     "the exact solution at the time of each stage: it is not zero on the boundary",
     "L1 at 1024^2: 1.58e-6, with g = 0 1.71e-6", "cf2011-table[234]-*"},
    {"C36", "Section 4.1", "method", SEVERITY_C, NOTED, "a step control near the stability limit",
     "which steps are rejected depends on the last bit: L1 at 512^2 is known to 0.6 percent",
     "eps from 0.999e-6 to 1.01e-6: 6.18e-6 to 6.22e-6, 870 to 876 accepted, 138 to 161 rejected; "
     "sigma = 1 but for its last bit, 256^2, double: phi differs by 2e-8 to 6e-8 after 20 attempts "
     "with the same counts, by 1e-5 to 4e-5 after 50"},
    {.id = NULL},
};

const struct paper cf2011_paper = {
    "cf2011",
    "T. Oberhuber, A. Suzuki, V. Zabka, The CUDA Implementation of the Method of Lines for the "
    "Curvature Dependent Flows, Kybernetika 47 (2011) 251-272.",
    exhibits,
    claims,
    errata,
    .corrections = corrections,
    .published = "cf2011.csv",
};
