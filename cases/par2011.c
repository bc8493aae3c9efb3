/*
 * D. L. Foster, "GPU Acceleration of Solving Parabolic Partial Differential Equations Using
 * Difference Equations", PDPTA 2011: Tables 1-3, the claims of Section 5, the errata; and what the
 * paper lacks: errors, orders of convergence, and the equation that its update, read literally,
 * solves.
 */
#include "reprise.h"

#define MODEL(m_)                                                                                  \
    {                                                                                              \
        .id = "model" m_                                                                           \
    }
#define SCHEME(m_, scheme_)                                                                        \
    {                                                                                              \
        .id = "model" m_ "-" scheme_, .problem = "model" m_, .fixed = { {"scheme", scheme_} }      \
    }
#define SCHEMES(m_)                                                                                \
    SCHEME(m_, "ei-rb"), SCHEME(m_, "hopscotch"), SCHEME(m_, "literal"), SCHEME(m_, "jacobi"),     \
        SCHEME(m_, "leapfrog-hopscotch")
#define LAMBDA(lambda_)                                                                            \
    {                                                                                              \
        .id = "lambda=" lambda_, .problem = "model1", .fixed = { {"lambda", lambda_} }             \
    }
#define ROWS(rows_)                                                                                \
    {                                                                                              \
        .id = "rows=" rows_, .problem = "model2", .fixed = { {"rows", rows_} }                     \
    }

static const struct exhibit exhibits[] = {
    {"par2011-throughput", "Section 5",
     "Throughput of all variants, models and sizes; the tables show parts of it", "parabolic",
     "throughput", .cases = {MODEL("1"), MODEL("2"), MODEL("3"), MODEL("4")},
     .variants = {"CPU", "GPU", "GPU-RB", "GPU-RBS", "@limit"},
     .axis = {.smoke = "16,33", .quick = "500", .paper = "500:4000:500"},
     .fixed = {{"steps", "100"}}},
    {"par2011-table1", "Table 1", "Throughput on Model 2 in single precision", "parabolic",
     "throughput", .cases = {MODEL("2")}, .variants = {"CPU", "GPU", "GPU-RB", "GPU-RBS", "@limit"},
     .view_of = "par2011-throughput", .precision = "single", .figure = "throughput"},
    {"par2011-table2", "Table 2",
     "Mean, least and largest speed-up for 1500 to 4000 points per side, single precision",
     "parabolic", "speedup",
     .variants = {"GPU/CPU", "GPU-RB/CPU", "GPU-RBS/CPU", "GPU-RB/CPU-omp", "GPU-TB/CPU-omp"},
     .view_of = "par2011-throughput", .precision = "single", .over = "1500:4000:500",
     .figure = "speed-up"},
    {"par2011-table3", "Table 3",
     "Mean, least and largest speed-up for 1500 to 4000 points per side, double precision",
     "parabolic", "speedup",
     .variants = {"GPU/CPU", "GPU-RB/CPU", "GPU-RBS/CPU", "GPU-RB/CPU-omp", "GPU-TB/CPU-omp"},
     .view_of = "par2011-throughput", .precision = "double", .over = "1500:4000:500",
     .figure = "speed-up"},
    {.id = "par2011-large",
     .where = "not in the paper",
     .title = "Throughput where no cache of today holds the grid",
     .family = "parabolic",
     .cases = {MODEL("2"), MODEL("3")}, /* constant coefficients, and variable ones */
     .variants = {"GPU", "GPU-RB", "GPU-RBS", "@limit"},
     .metric = "throughput",
     .axis = {.smoke = "64", .quick = "1000", .paper = "8000,16000"},
     .fixed = {{"steps", "10"}}},
    {"par2011-rows", "Section 5", "Throughput over the rows of a set, Model 2", "parabolic",
     "throughput", .cases = {ROWS("16"), ROWS("32"), ROWS("64")},
     .variants = {"GPU", "GPU-RB", "GPU-RBS"},
     .axis = {.smoke = "33", .quick = "200", .paper = "500,1000,2000,4000"},
     .fixed = {{"steps", "100"}}},
    {"par2011-rows-few", "not in the paper",
     "Throughput with fewer rows in a set than the paper tried, Model 2", "parabolic", "throughput",
     .cases = {ROWS("4"), ROWS("8")}, .variants = {"GPU", "GPU-RB", "GPU-RBS"},
     .axis = {.smoke = "33", .quick = "200", .paper = "500,1000,2000,4000"},
     .fixed = {{"steps", "100"}}},
    {"par-convergence", "not in the paper", "Error and order of the schemes, lambda = 0.2, T = 0.1",
     "parabolic", "error_linf", .falls_with_h = true,
     .cases = {SCHEMES("1"), SCHEMES("2"), SCHEMES("3"), SCHEMES("4")},
     .variants = {"CPU", "GPU", "GPU-RB", "GPU-RBS", "GPU-TB"},
     .axis = {.smoke = "3,7", .quick = "15,31", .paper = "31,63,127"},
     .fixed = {{"lambda", "0.2"}, {"T", "0.1"}}, .precision = "double"},
    {"par-literal", "Section 2",
     "Diffusivity of the update read literally: 1/(1 - 2 lambda), and not 1", "parabolic",
     "diffusivity",
     .cases = {LAMBDA("0.01"), LAMBDA("0.05"), LAMBDA("0.1"), LAMBDA("0.2"), LAMBDA("0.25"),
               LAMBDA("0.3"), LAMBDA("0.4")},
     .variants = {"CPU", "GPU", "GPU-RB", "GPU-RBS", "GPU-TB"},
     .axis = {.smoke = "15", .quick = "31", .paper = "31,127"},
     .fixed = {{"scheme", "literal"}, {"steps", "2000"}, {"snapshot", "0.5"}},
     .precision = "double"},
    {.id = NULL},
};

#define C1060  "NVIDIA Tesla C1060 (240 cores, 4 GB)"
#define GTX480 "NVIDIA GTX 480 (480 cores, 1.5 GB)"

#define IN_TABLES(statistic_) .cells = "par2011-table[23]/*/" statistic_ "*", .metric = "speedup"

static const struct claim claims[] = {
    {"par2011-197-times-single", "abstract",
     "up to 197 times faster than the CPU in single precision (C1060, GPU-RBS)",
     "par2011-table2/*/max *", "speedup", "GPU-RBS/CPU", .predicate = REACHES, .least = 197,
     .hardware = C1060, .erratum = "F8"},
    {"par2011-257-times-single", "abstract",
     "up to 257 times faster than the CPU in single precision (GTX 480, GPU-RB)",
     "par2011-table2/*/max *", "speedup", "GPU-RB/CPU", .predicate = REACHES, .least = 257,
     .hardware = GTX480, .erratum = "F9"},
    {"par2011-133-times-double", "abstract",
     "up to 133 times faster than the CPU in double precision (C1060, GPU-RBS)",
     "par2011-table3/*/max *", "speedup", "GPU-RBS/CPU", .predicate = REACHES, .least = 133,
     .hardware = C1060, .erratum = "F21"},
    {"par2011-163-times-double", "abstract",
     "up to 163 times faster than the CPU in double precision (GTX 480, GPU-RB)",
     "par2011-table3/*/max *", "speedup", "GPU-RB/CPU", .predicate = REACHES, .least = 163,
     .hardware = GTX480, .erratum = "F21"},
    {.id = "par2011-separating-50-percent-c1060",
     .where = "Section 5",
     .text = "separating the colours gives around 50 % (C1060)",
     IN_TABLES("mean "),
     .left = "GPU/CPU",
     .right = "GPU-RB/CPU",
     .predicate = WITHIN,
     .least = 1.3,
     .most = 1.7,
     .hardware = C1060,
     .erratum = "F20"},
    {.id = "par2011-separating-50-percent-gtx480",
     .where = "Section 5",
     .text = "separating the colours gives around 50 % (GTX 480)",
     IN_TABLES("mean "),
     .left = "GPU/CPU",
     .right = "GPU-RB/CPU",
     .predicate = WITHIN,
     .least = 1.3,
     .most = 1.7,
     .hardware = GTX480,
     .erratum = "F20"},
    {.id = "par2011-shared-memory-helps-uncached",
     .where = "Section 5",
     .text = "shared memory (GPU-RBS over GPU-RB) helps a card without cache (C1060)",
     IN_TABLES("mean "),
     .left = "GPU-RB/CPU",
     .right = "GPU-RBS/CPU",
     .predicate = BELOW,
     .hardware = C1060},
    {.id = "par2011-shared-memory-hurts-cached",
     .where = "Section 5",
     .text = "shared memory does not pay on a card with a cache (GTX 480)",
     IN_TABLES("mean "),
     .left = "GPU-RBS/CPU",
     .right = "GPU-RB/CPU",
     .predicate = BELOW,
     .hardware = GTX480,
     .erratum = "F20"},
    {"par2011-cpu-declines", "Section 5",
     "the throughput of the CPU declines beyond its third-level cache", "par2011-table1",
     "throughput", "CPU", .predicate = FALLS_WITH_N, .erratum = "F10"},
    {"par2011-gpu-rbs-grows", "Section 5",
     "the throughput of GPU-RBS grows with the number of points", "par2011-table1", "throughput",
     "GPU-RBS", .predicate = GROWS_WITH_N, .erratum = "F19"},
    {"par2011-sixteen-rows-best", "Section 5",
     "sets of 16 rows are slightly better than 32 and 64 (GPU-RBS)", "par2011-rows", "throughput",
     "GPU-RBS", .predicate = LARGEST_IN_CASE, .best = "rows=16"},
    {.id = NULL},
};

static const struct erratum errata[] = {
    {"F1", "Sections 2, 4", "unstated", SEVERITY_A, ASSUMPTION, "the time discretisation",
     "explicit red, centre-implicit black (ei-rb): second order and as cheap; read literally, both "
     "colours by forward Euler and the second from new values of the first, the update solves (1 - "
     "2 lambda) u_t = L u + f",
     "measured: diffusivity 2.000201 at lambda = 1/4, N = 127; order 0 in all models",
     "par2011-@(throughput|table[123]|large|rows*)/*"},
    {"F2", "Section 4.1", "unstated", SEVERITY_A, ASSUMPTION, "0 <= t <= 1, in how many steps?",
     "lambda = 1/4 and a fixed number of steps for throughput, T = 0.1 for accuracy: explicit "
     "steps to t = 1 at N = 4000 would have taken 387 days on the printed CPU",
     "arithmetic on the printed throughput", "par2011-@(throughput|table[123]|large|rows*)/*"},
    {"F3", "Model 4", "formula", SEVERITY_A, ASSUMPTION, "u(x,y,0) = sin(pi x) sin(pi y)",
     "u(x,y,0) = 0, as the exact solution (1+xy) sin t has it; ic=printed is an option",
     "the printed data leave a transient of 0.151 at t = 0.1 and 4.6e-9 at t = 1",
     "par@(2011-throughput|2011-large|-convergence)/model4*/*"},
    {"F4", "Model 3", "unstated", SEVERITY_B, ASSUMPTION, "the parameter a", "a = 1",
     "data that do not vanish are printed for x = 1 and y = 1, so a is no multiple of pi",
     "par@(2011-throughput|2011-large|-convergence)/model3*/*"},
    {"F5", "Table 2", "value", SEVERITY_A, VOIDS,
     "Model 3, C1060, GPU-RBS: largest speed-up 91.07, below the mean 103.45",
     "at least 105.99, from the mean and the least value; 91.07 repeats GPU-RB's",
     "the other 47 cells satisfy min <= mean <= max",
     "par2011-table2/model3/GPU-RBS?CPU/single/max 1500-4000"},
    {"F6", "Sections 4.1, 5", "method", SEVERITY_A, NOTED,
     "exact solutions for validation, and no error is reported",
     "errors and orders are in par-convergence; at t = 1 the solution of Model 1 is 2.7e-9, so "
     "that an absolute check passes for anything that decays",
     "par-convergence, par-literal"},
    {"F7", "Table 2", "method", SEVERITY_A, NOTED, "single precision at N >= 1500",
     "a step of order h^2 is lost in the rounding: at N = 4000, lambda = 1/4, Model 2, 99 % of the "
     "change; answers are therefore compared bit for bit with the same scheme, not with u alone",
     "computed against the exact change at the centre"},
    {"F8", "all speed-ups", "unstated", SEVERITY_A, NOTED,
     "the CPU code: threads, flags, vectors, order of loops",
     "30.67 to 65.96 Mpts/s are 40 to 87 cycles a point and 0.49 GB/s, far from memory bound; a "
     "plain loop and one on all cores stand beside each other",
     "Table 1; the CPU and CPU-omp variants"},
    {"F9", "abstract", "method", SEVERITY_A, NOTED, "197 and 257 times are of Model 4",
     "its f needs sin t and cos t, which belong outside the loop over points; evaluated inside "
     "they slow a CPU 4 to 8 times",
     "timing of both forms"},
    {"F10", "abstract, Table 2", "method", SEVERITY_A, NOTED, "the largest speed-ups are at 4000",
     "because the CPU slows down: from 1500 to 4000 by a factor 0.68, while GPU-RBS gains 5.8 %",
     "Table 1"},
    {"F11", "Section 4.3", "unstated", SEVERITY_B, ASSUMPTION, "500 points per side",
     "interior points; the other reading changes the work by 0.8 % at most", "Figure 2",
     "par2011-@(throughput|table[123])/*"},
    {"F12", "Section 2", "unstated", SEVERITY_B, ASSUMPTION,
     "update the boundary conditions: at which time?",
     "points of the colour updated first at the new time, of the other at the old one; all at one "
     "time is wrong by O(dt)",
     "Model 4, N = 63: error 2.1e-10, against 5.4e-05 and 7.0e-05", "par2011-throughput/*"},
    {"F13", "tables", "unstated", SEVERITY_B, ASSUMPTION,
     "are transfers, splitting and merging timed?",
     "the time loop alone; load and copy back stand beside it", "none",
     "par2011-@(throughput|table[123])/*"},
    {"F14", "Table 1", "unstated", SEVERITY_B, ASSUMPTION, "points updated",
     "N^2 for each time step, both colours", "the bandwidth that follows is plausible",
     "par2011-@(throughput|table1)/*"},
    {"F15", "Section 1", "text", SEVERITY_C, NOTED, "C1020 Tesla", "C1060", "Section 4.2"},
    {"F16", "Section 4.2", "text", SEVERITY_C, NOTED, "GeForce 480 GT", "GTX 480", "elsewhere"},
    {"F17", "Section 4.3", "text", SEVERITY_B, NOTED,
     "128 threads are the least that fill all 1024 slots",
     "true of the C1060; the GTX 480 has 1536 slots and was two thirds full", "hardware limits"},
    {"F18", "Section 5", "text", SEVERITY_C, NOTED, "the rapid increase", "decrease",
     "the same paragraph"},
    {"F19", "Section 5", "text", SEVERITY_C, NOTED,
     "from 500 to 1500 the throughput of the GPU versions greatly increased",
     "by 17.5, 9.2 and 36.9 %; GPU falls by 14 % from 2000 to 3000", "Table 1"},
    {"F20", "Section 5", "text", SEVERITY_C, NOTED,
     "separated colours give often around 50 %, GPU-RBS is often about 10 % slower on the GTX 480",
     "15 to 86 %, median 61 %; 1.8 to 24.1 %", "Tables 2, 3"},
    {"F21", "abstract", "value", SEVERITY_C, NOTED, "133 and 163", "133.84 and 163.52, cut off",
     "Table 3"},
    {"F22", "Section 5", "text", SEVERITY_C, NOTED,
     "the C1060 is faster up to 3000 points per side on Model 4",
     "cannot be checked: results by size are not printed", "the text itself"},
    {"F23", "Section 3.2", "text", SEVERITY_C, NOTED, "4N+1 points must be read",
     "on a card without cache; a block of T threads that updates T-1 points reads T neighbouring "
     "entries of every row from entry (T-1) times its number on",
     "the layout, checked for both parities"},
    {"F24", "Section 5", "text", SEVERITY_C, NOTED, "64 blocks at 500 points per side",
     "correct: 2 x 32 blocks of 254 columns and 16 rows", "arithmetic"},
    {"F25", "references", "text", SEVERITY_C, NOTED, "PDPDA'10; 2010 2010", "PDPTA'10; 2010",
     "the text itself"},
    {"F26", "Sections 1, 4.1", "text", SEVERITY_B, NOTED, "the models were taken from [4]",
     "we did not find [4]: agreement with it is not claimed", "none"},
    {.id = NULL},
};

const struct paper par2011_paper = {
    "par2011",
    "D. L. Foster, GPU Acceleration of Solving Parabolic Partial Differential Equations Using "
    "Difference Equations, PDPTA 2011.",
    exhibits,
    claims,
    errata,
    .published = "par2011.csv",
};
