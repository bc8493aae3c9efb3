/*
 * D. Conte, R. D'Ambrosio, B. Paternoster, "GPU-acceleration of waveform relaxation methods for
 * large differential systems", 2014: Tables 4.1-4.4, Figures 4.1-4.8, what is said of convergence
 * and of speed-ups, the errata; and what the paper lacks: the error of each iterate, and where the
 * iterations stop to converge.
 */
#include "reprise.h"

#define SPEEDUPS                                                                                   \
    {                                                                                              \
        "wr-picard-gpu/wr-picard-cpu", "wr-jacobi-gpu/wr-jacobi-cpu",                              \
            "wr-picard-gpu/wr-picard-omp", "wr-jacobi-gpu/wr-jacobi-omp",                          \
            "wr-picard-gpu/wr-picard-blas", "wr-jacobi-gpu/wr-jacobi-blas",                        \
            "wr-picard-gpu-fused/wr-picard-omp", "wr-jacobi-gpu-fused/wr-jacobi-omp",              \
            "wr-picard-gpu-fused/wr-picard-blas", "wr-jacobi-gpu-fused/wr-jacobi-blas"             \
    }
/* What multiplies by a full matrix. */
#define BY_FULL(relaxation)                                                                        \
    "wr-" relaxation "-cpu", "wr-" relaxation "-gpu", "wr-" relaxation "-gpu-fused",               \
        "wr-" relaxation "-gpu-dense", "wr-" relaxation "-omp", "wr-" relaxation "-blas",          \
        "wr-" relaxation "-cublas"
#define BASELINE_TOO_LONG "left out: takes too long; the paper's tables have such baselines"
/* What takes a few diagonals. */
#define BY_FEW(relaxation)                                                                         \
    "wr-" relaxation "-cpu", "wr-" relaxation "-gpu", "wr-" relaxation "-gpu-[!d]*",               \
        "wr-" relaxation "-omp*", "wr-" relaxation "-blas"
#define BY_FEW_BOTH                                                                                \
    {                                                                                              \
        BY_FEW("picard"), BY_FEW("jacobi")                                                         \
    }
#define BY_FULL_BOTH                                                                               \
    {                                                                                              \
        BY_FULL("picard"), BY_FULL("jacobi")                                                       \
    }
#define ON_CPU_AND_GPU                                                                             \
    {                                                                                              \
        "wr-picard-cpu", "wr-picard-gpu", "wr-jacobi-cpu", "wr-jacobi-gpu"                         \
    }

#define STORED(problem_, name_, storage_)                                                          \
    {                                                                                              \
        .id = problem_ "-" name_, .problem = problem_, .fixed = { {"storage", storage_} }          \
    }
#define HEAT1D_DENSE       STORED("heat1d", "dense", "dense")
#define HEAT1D_TRIDIAGONAL STORED("heat1d", "tridiagonal", "sparse")
#define HEAT2D_DENSE       STORED("heat2d", "dense", "dense")
#define CONTROL_DENSE      STORED("control", "dense", "dense")
#define CONTROL_STRUCTURED STORED("control", "structured", "sparse")

/* Two points in time make h = T. */
#define STEP(h_, value_)                                                                           \
    {                                                                                              \
        .id = "h=" h_, .problem = "control", .fixed = { {"T", value_} }                            \
    }
#define UNTIL(t_)                                                                                  \
    {                                                                                              \
        .id = "T=" t_, .problem = "heat1d", .fixed = { {"T", t_} }                                 \
    }
#define ITERATION(v_)                                                                              \
    {                                                                                              \
        .id = "v=" v_, .problem = "heat1d", .fixed = { {"nmax", v_} }                              \
    }

static const struct exhibit exhibits[] = {
    {"wr2014-dense", "Section 4",
     "Times of all variants on (4.1)-(4.2), full matrix; tables and figures show parts", "waveform",
     "time", .cases = {HEAT1D_DENSE}, .variants = BY_FULL_BOTH,
     .axis = {.smoke = "31,33", .quick = "256,512", .paper = "256,512,1024,2048,4096,8192,16384"},
     .precision = "double"},
    {"wr2014-table4.1", "Table 4.1",
     "Picard on (4.1)-(4.2), T = 1, tol = 1e-5, N = 50: 18 iterations for each d", "waveform",
     "time", .variants = {BY_FULL("picard")}, .view_of = "wr2014-dense", .figure = "time, s"},
    {"wr2014-table4.2", "Table 4.2",
     "Jacobi on (4.1)-(4.2), T = 1, tol = 1e-5, N = 50: 10 iterations for each d", "waveform",
     "time", .variants = {BY_FULL("jacobi")}, .view_of = "wr2014-dense", .figure = "time, s"},
    {"wr2014-fig4.1", "Figure 4.1",
     "Speed-up on (4.1)-(4.2), full matrix, and over what a CPU can do as well", "waveform",
     "speedup", .variants = SPEEDUPS, .view_of = "wr2014-dense", .figure = "speed-up"},
    {"wr2014-fig4.2", "Figure 4.2", "Times on (4.1)-(4.2), full matrix", "waveform", "time",
     .variants = BY_FULL_BOTH, .view_of = "wr2014-dense", .figure = "time, s"},
    {"wr2014-tridiagonal", "Section 4",
     "Times of all variants on (4.1)-(4.2), three diagonals; tables and figures show parts",
     "waveform", "time", .cases = {HEAT1D_TRIDIAGONAL}, .variants = BY_FEW_BOTH,
     .axis = {.smoke = "1000", .quick = "32768", .paper = "2^15,2^16,2^17,2^18,2^19,2^20"},
     .precision = "double"},
    {"wr2014-table4.3", "Table 4.3",
     "Picard on (4.1)-(4.2) in tridiagonal form: 18 iterations for each d", "waveform", "time",
     .variants = {BY_FEW("picard")}, .view_of = "wr2014-tridiagonal", .figure = "time, s"},
    {"wr2014-table4.4", "Table 4.4",
     "Jacobi on (4.1)-(4.2) in tridiagonal form: 10 iterations for each d", "waveform", "time",
     .variants = {BY_FEW("jacobi")}, .view_of = "wr2014-tridiagonal", .figure = "time, s"},
    {"wr2014-fig4.3", "Figure 4.3",
     "Speed-up on (4.1)-(4.2) in tridiagonal form, and over what a CPU can do as well", "waveform",
     "speedup", .variants = SPEEDUPS, .view_of = "wr2014-tridiagonal", .figure = "speed-up"},
    {"wr2014-fig4.4", "Figure 4.4", "Times on (4.1)-(4.2) in tridiagonal form", "waveform", "time",
     .variants = BY_FEW_BOTH, .view_of = "wr2014-tridiagonal", .figure = "time, s"},
    {"wr2014-heat2d", "Figure 4.5", "Times on (4.4), full matrix, T = 1, tol = 1e-3, N = 50",
     "waveform", "time", .cases = {HEAT2D_DENSE}, .variants = BY_FULL_BOTH,
     .axis = {.smoke = "36", .quick = "256", .paper = "256,1024,4096"}, .precision = "double"},
    {"wr2014-fig4.5", "Figure 4.5",
     "Speed-up on the heat equation in two dimensions, and over what a CPU can do as well",
     "waveform", "speedup", .variants = SPEEDUPS, .view_of = "wr2014-heat2d", .figure = "speed-up"},
    {"wr2014-control", "Section 4",
     "Times of Jacobi on (4.5), full matrix, T = 5, tol = 1e-5, N = 50: 6 iterations", "waveform",
     "time", .cases = {CONTROL_DENSE}, .variants = {BY_FULL("jacobi")},
     .axis = {.smoke = "31", .quick = "256", .paper = "256,512,1024,2048,4096,8192"},
     .precision = "double"},
    {"wr2014-fig4.6", "Figure 4.6",
     "Spectral radii on (4.5): h A for Picard, (I/h - D)^-1 R for Jacobi", "waveform",
     "spectral_radius",
     .cases = {STEP("0.001", "0.001"), STEP("0.01", "0.01"), STEP("0.05", "0.05"),
               STEP("0.102", "0.10204081632653061"), STEP("0.2", "0.2"), STEP("0.5", "0.5"),
               STEP("1", "1"), STEP("2", "2"), STEP("5", "5"), STEP("10", "10"),
               STEP("100", "100")},
     .variants = {"wr-picard-cpu", "wr-jacobi-cpu"},
     .axis = {.smoke = "4", .quick = "4,16,64", .paper = "2,4,8,16,64,1024"},
     .fixed =
         {{"radius", "1"}, {"N", "2"}, {"nmax", "1"}, {"expect", "any"}, {"storage", "sparse"}},
     .precision = "double"},
    {"wr2014-fig4.6-printed", "Section 4",
     "Spectral radius of (1/h + 2)^-1 (L + U), as printed for Jacobi, on (4.5)", "waveform",
     "radius_printed", .cases = {STEP("0.102", "0.10204081632653061")},
     .variants = {"wr-jacobi-cpu"},
     .axis = {.smoke = "64",
              .quick = "256,1024,1163,1164,2048",
              .paper = "256,1024,1163,1164,2048"},
     .fixed =
         {{"radius", "1"}, {"N", "2"}, {"nmax", "1"}, {"expect", "any"}, {"storage", "sparse"}},
     .precision = "double", .figure = "spectral radius"},
    {"wr2014-fig4.7", "Figure 4.7",
     "Speed-up on (4.5), full matrix, and over what a CPU can do as well", "waveform", "speedup",
     .variants = {"wr-jacobi-gpu/wr-jacobi-cpu", "wr-jacobi-gpu/wr-jacobi-omp",
                  "wr-jacobi-gpu/wr-jacobi-blas", "wr-jacobi-gpu-fused/wr-jacobi-omp",
                  "wr-jacobi-gpu-fused/wr-jacobi-blas"},
     .view_of = "wr2014-control", .figure = "speed-up"},
    {"wr2014-fig4.8", "Figure 4.8", "Times on (4.5), full matrix", "waveform", "time",
     .variants = {BY_FULL("jacobi")}, .view_of = "wr2014-control", .figure = "time, s"},
    {"wr2014-single", "not in the paper", "Times in single precision, full and sparse", "waveform",
     "time", .cases = {HEAT1D_DENSE, HEAT1D_TRIDIAGONAL, CONTROL_STRUCTURED},
     .variants = {"wr-jacobi-*"}, .axis = {.smoke = "33", .quick = "256", .paper = "1024,4096"},
     .precision = "single"},
    {"wr2014-iterations", "Tables 4.1-4.4, Figures 4.5, 4.7", "Iterations, sparse storage",
     "waveform", "iterations",
     .cases = {STORED("heat1d", "tridiagonal", "sparse"), STORED("heat2d", "five-point", "sparse"),
               CONTROL_STRUCTURED},
     .variants = BY_FEW_BOTH,
     .axis = {.smoke = "64", .quick = "256,1024", .paper = "256,1024,4096,16384"},
     .fixed = {{"expect", "any"}, {"record", "last"}}},
    {"wr2014-convergence", "Remark 4.1",
     "How iterations on (4.1)-(4.2) end, N = 50: 1 converged, 2 not in 1000 iterations, 3 "
     "stagnated by rounding, 4 beyond the range",
     "waveform", "outcome",
     .cases = {UNTIL("1"), UNTIL("2"), UNTIL("3"), UNTIL("4"), UNTIL("5"), UNTIL("6"), UNTIL("7"),
               UNTIL("8"), UNTIL("10"), UNTIL("12"), UNTIL("13"), UNTIL("20"), UNTIL("100")},
     .variants = ON_CPU_AND_GPU, .axis = {.smoke = "8", .quick = "64", .paper = "64"},
     .fixed = {{"expect", "any"}, {"storage", "sparse"}, {"record", "last"}}},
    {"wr2014-control-convergence", "Section 4",
     "How iterations on (4.5) end, T = 5, N = 50: 1 converged, 2 not in 1000 iterations, 3 "
     "stagnated by rounding, 4 beyond the range",
     "waveform", "outcome", .cases = {CONTROL_STRUCTURED}, .variants = ON_CPU_AND_GPU,
     .axis = {.smoke = "2,8", .quick = "2:5:1,256", .paper = "2:8:1,256,2048"},
     .fixed = {{"expect", "any"}, {"record", "last"}}},
    {"wr2014-error", "not in the paper",
     "Correction err_v of each iteration, (4.1)-(4.2), T = 1, N = 50", "waveform", "err",
     .cases = {ITERATION("1"), ITERATION("2"), ITERATION("3"), ITERATION("4"), ITERATION("5"),
               ITERATION("6"), ITERATION("7"), ITERATION("8"), ITERATION("9"), ITERATION("10"),
               ITERATION("11"), ITERATION("12"), ITERATION("13"), ITERATION("14"), ITERATION("15"),
               ITERATION("16"), ITERATION("17"), ITERATION("18")},
     .variants = {"wr-picard-cpu", "wr-jacobi-cpu"},
     .axis = {.smoke = "32", .quick = "256", .paper = "256"},
     .fixed = {{"expect", "any"}, {"tol", "0"}, {"storage", "sparse"}, {"record", "last"}},
     .precision = "double"},
    {"wr-limit-tridiagonal", "not in the paper",
     "Time of (4.1)-(4.2) in tridiagonal form: the paper's iteration, the best that this machine "
     "can "
     "do, and direct stepping",
     "waveform", "time", .cases = {HEAT1D_TRIDIAGONAL},
     .variants = {BY_FEW("picard"), BY_FEW("jacobi"), "wr-direct-*"},
     .axis = {.smoke = "200,1000", .quick = "4096", .paper = "2^15,2^17,2^20"},
     .fixed = {{"y0", "random"}}, .up_to = {{"*-@(cpu|gpu)/*", 1 << 17, BASELINE_TOO_LONG}},
     .figure = "time, s"},
    {"wr-limit-heat2d", "not in the paper",
     "Time of (4.4), five diagonals: the paper's iteration and the best that this machine can do",
     "waveform", "time", .cases = {STORED("heat2d", "five-point", "sparse")},
     .variants = BY_FEW_BOTH,
     .axis = {.smoke = "36,1024", .quick = "1024", .paper = "2^14,2^16,2^18"},
     .fixed = {{"y0", "random"}}, .up_to = {{"*-@(cpu|gpu)/*", 1 << 16, BASELINE_TOO_LONG}},
     .figure = "time, s"},
    {"wr-limit-dense", "not in the paper",
     "Time of an iteration with a full matrix: the best that this machine can do, and libraries",
     "waveform", "time_per_step", .cases = {HEAT1D_DENSE},
     .variants = {"wr-jacobi-gpu-fused", "wr-jacobi-gpu-dense", "wr-jacobi-cublas", "wr-jacobi-omp",
                  "wr-jacobi-blas"},
     .axis = {.smoke = "33,64", .quick = "256", .paper = "1024,2048,4096,8192,16384"},
     .fixed = {{"y0", "random"}}, .figure = "time of an iteration, s"},
    {.id = NULL},
};

/* A speed-up is the time of the CPU over that of the GPU; `limit` within 1. */
#define LIMIT(id_, table_, word_, times_, least_, most_, from_)                                    \
    {                                                                                              \
        .id = "wr2014-" id_ "-limit", .where = "Section 4",                                        \
        .text = "the speed-up of " word_ " stabilizes around " times_, .cells = "wr2014-" table_,  \
        .metric = "time", .left = "wr-" word_ "-gpu", .right = "wr-" word_ "-cpu",                 \
        .predicate = WITHIN, .least = least_, .most = most_, .from_n = from_, .erratum = "W35"     \
    }
/* s = 1/(1 - p + p/k) for k = 24.817 and what rounds to the printed p. */
#define FRACTION(id_, table_, word_, p_, least_, most_, from_)                                     \
    {                                                                                              \
        .id = "wr2014-" id_ "-fraction", .where = "(4.6)",                                         \
        .text = "a parallel fraction p = " p_ " of " word_ ", and by Amdahl's law its speed-up",   \
        .cells = "wr2014-" table_, .metric = "time", .left = "wr-" word_ "-gpu",                   \
        .right = "wr-" word_ "-cpu", .predicate = WITHIN, .least = least_, .most = most_,          \
        .from_n = from_, .erratum = "W17"                                                          \
    }
#define COUNT(id_, cells_, word_, iterations_)                                                     \
    {                                                                                              \
        .id = "wr2014-" id_ "-count", .where = "captions",                                         \
        .text = "the iterations of " word_ " on " cells_ " are " #iterations_ " for each d",       \
        .cells = "wr2014-iterations/" cells_, .metric = "iterations", .left = "wr-" word_ "-cpu",  \
        .predicate = WITHIN, .least = iterations_, .most = iterations_, .erratum = "W2"            \
    }

static const struct claim claims[] = {
    LIMIT("picard-dense", "table4.1", "picard", "8 (full matrix)", 7, 9, 2048),
    LIMIT("jacobi-dense", "table4.2", "jacobi", "6 (full matrix)", 5, 7, 2048),
    LIMIT("picard-tridiagonal", "table4.3", "picard", "5 (tridiagonal)", 4, 6, 65536),
    LIMIT("jacobi-tridiagonal", "table4.4", "jacobi", "7 (tridiagonal)", 6, 8, 65536),
    LIMIT("jacobi-control", "fig4.8", "jacobi", "7 on (4.5)", 6, 8, 2048),
    FRACTION("picard-dense", "table4.1", "picard", "0.91 (full matrix)", 7.606, 8.206, 16384),
    FRACTION("jacobi-dense", "table4.2", "jacobi", "0.87 (full matrix)", 5.888, 6.240, 16384),
    FRACTION("picard-tridiagonal", "table4.3", "picard", "0.83 (tridiagonal)", 4.802, 5.034,
             1048576),
    FRACTION("jacobi-tridiagonal", "table4.4", "jacobi", "0.89 (tridiagonal)", 6.637, 7.089,
             1048576),
    FRACTION("jacobi-control", "fig4.8", "jacobi", "0.89 on (4.5)", 6.637, 7.089, 8192),
    {"wr2014-ideal-picard", "(4.6)", "the ideal speed-up is k = 24.8, which none exceeds (Picard)",
     "wr2014-table4.[13]", "time", "wr-picard-gpu", "wr-picard-cpu", WITHIN, 1e-300, 24.8,
     .erratum = "W16"},
    {"wr2014-ideal-jacobi", "(4.6)", "the ideal speed-up is k = 24.8, which none exceeds (Jacobi)",
     "wr2014-table4.[24]", "time", "wr-jacobi-gpu", "wr-jacobi-cpu", WITHIN, 1e-300, 24.8,
     .erratum = "W16"},
    {"wr2014-speedup-grows-picard", "Section 4",
     "the speed-up increases when d increases (Picard, full matrix)", "wr2014-table4.1", "time",
     "wr-picard-gpu", "wr-picard-cpu", GROWS_WITH_N, .erratum = "W21"},
    {"wr2014-speedup-grows-jacobi", "Section 4",
     "the speed-up increases when d increases (Jacobi, full matrix)", "wr2014-table4.2", "time",
     "wr-jacobi-gpu", "wr-jacobi-cpu", GROWS_WITH_N, .erratum = "W21"},
    {"wr2014-jacobi-faster", "Section 4", "Jacobi is faster than Picard (full matrix, GPU)",
     "wr2014-fig4.2", "time", "wr-jacobi-gpu", "wr-picard-gpu", BELOW},
    COUNT("picard-heat1d", "heat1d-tridiagonal", "picard", 18),
    COUNT("jacobi-heat1d", "heat1d-tridiagonal", "jacobi", 10),
    COUNT("jacobi-control", "control-structured", "jacobi", 6),
    {"wr2014-picard-below-a-quarter", "Remark 4.1",
     "Picard converges on (4.2) if h < 1/4; here T = 1 to 8, h up to 0.163",
     "wr2014-convergence/T=[1-8]", "outcome", "wr-picard-cpu", .predicate = WITHIN, .least = 1,
     .most = 1, .erratum = "W6"},
    {"wr2014-jacobi-for-any-h", "Remark 4.1",
     "Jacobi converges on (4.2) for any h; here T = 1 to 100, h up to 2.04", "wr2014-convergence",
     "outcome", "wr-jacobi-cpu", .predicate = WITHIN, .least = 1, .most = 1},
    {"wr2014-picard-not-on-control", "Section 4",
     "Picard does not converge on (4.5), here for h = 5/49", "wr2014-control-convergence",
     "outcome", "wr-picard-cpu", .predicate = WITHIN, .least = 2, .most = 4, .erratum = "W5"},
    {"wr2014-jacobi-on-control", "Section 4", "Jacobi converges on (4.5), here for h = 5/49",
     "wr2014-control-convergence", "outcome", "wr-jacobi-cpu", .predicate = WITHIN, .least = 1,
     .most = 1},
    {"wr2014-picard-radius", "Figure 4.6", "rho(h A) > 1 on (4.5) for any h", "wr2014-fig4.6",
     "spectral_radius", "wr-picard-cpu", .predicate = WITHIN, .least = 1, .most = 1e300,
     .erratum = "W5"},
    {"wr2014-jacobi-radius", "Figure 4.6",
     "the spectral radius of Jacobi, of (I/h - D)^-1 (L + U), is below 1 for any h",
     "wr2014-fig4.6", "spectral_radius", "wr-jacobi-cpu", .predicate = WITHIN, .least = 1e-300,
     .most = 1},
    {"wr2014-jacobi-radius-printed", "Section 4",
     "rho((1/h + 2)^-1 (L + U)) < 1 on (4.5), as it is printed; here for h = 5/49",
     "wr2014-fig4.6-printed", "radius_printed", "wr-jacobi-cpu", .predicate = WITHIN,
     .least = 1e-300, .most = 1, .erratum = "W4"},
    {.id = NULL},
};

#define TABLES "wr2014-@(table4.[1234]|dense|tridiagonal)/*"

static const struct erratum errata[] = {
    {"W1", "(4.1)-(4.2), (4.4)", "formula", SEVERITY_A, ASSUMPTION, "tridiag(1, -2, 1), no factor",
     "as printed; the heat equation on [0,1] has the factor (d+1)^2, which the counts exclude",
     "heat1d until T = (d+1)^2, which is the same, with nmax = 100000: from e_d Jacobi needs 120, "
     "431, "
     "1471, 4751, 14409 iterations for d = 7 .. 127, from sin(pi x) 111, 389, 1281, 3977, 11306; "
     "Picard overflows for all",
     TABLES},
    {"W2", "Section 4", "unstated", SEVERITY_A, ASSUMPTION, "y0 of the heat equation",
     "y0 = e_d, as for (4.5); another is an option",
     "18, 10 and 6 follow at every d for c e_d, 0.312 <= c < 1.103; smooth y0 that vanish at the "
     "ends give counts that fall with d to 1",
     TABLES},
    {"W3", "Fig. 3.1, line 14", "text", SEVERITY_A, NOTED, "until (err>tol and Niter<Nmax)",
     "until (err<tol or Niter>=Nmax)",
     "read literally it stops after 1 iteration: err_1 = 2 > tol"},
    {"W4", "before Fig. 4.6", "formula", SEVERITY_A, NOTED,
     "rho((1/h + 2)^-1 (L + U)) < 1 for (4.5) and any h",
     "the operator of Jacobi is (I/h - D)^-1 (L + U); its spectral radius is below 0.10837",
     "wr2014-fig4.6-printed: the printed one exceeds 1 from d = 1164 on at h = 5/49"},
    {"W5", "before Fig. 4.6", "text", SEVERITY_B, NOTED,
     "Picard is not convergent on (4.5) for any h", "it is for h < 1/rho(A), about 1.5^(1-d)",
     "wr2014-control-convergence: d = 2, 3, 4 converge in 34, 47, 85 iterations at h = 5/49"},
    {"W6", "Remark 4.1", "method", SEVERITY_A, NOTED, "Picard converges if h < 1/4",
     "for all d; exactly h < 1/(2 + 2 cos(pi/(d+1))); and only in the end: before that the "
     "corrections grow, and their rounding stays",
     "wr2014-convergence: with N = 50 double precision does not reach 1e-5 from T = 6 on, single "
     "from T = 2 on"},
    {"W7", "after (2.1)", "formula", SEVERITY_B, NOTED, "Picard: F(t,u,v) = f(t,u)", "f(t,v)",
     "(2.2) has y^(v) on the right"},
    {"W8", "after (2.3)", "formula", SEVERITY_B, NOTED,
     "F_i = f_i(t, u_1 .. u_(i-1), v_i, v_(i+1), v_d)",
     "f_i(t, v_1 .. v_(i-1), u_i, v_(i+1) .. v_d)", "(2.3)"},
    {"W9", "(2.2), (2.3)", "text", SEVERITY_C, NOTED, "y^(v+1)(t) = y_0", "y^(v+1)(t_0) = y_0",
     "(2.1)"},
    {"W10", "(2.9)", "formula", SEVERITY_B, NOTED, "h sum beta_j N y^(v-1)", "N y^(v)", "(2.5)"},
    {"W11", "(2.7)", "text", SEVERITY_C, NOTED, "L, U: lower and upper triangular part",
     "strictly lower and upper", "D would be counted twice"},
    {"W12", "(2.10)", "formula", SEVERITY_C, NOTED, "alpha_k/beta_k not in sigma(-hM)",
     "alpha_k I + h beta_k M invertible, for explicit methods as well", "beta_k = 0"},
    {"W13", "(2.11)", "text", SEVERITY_B, NOTED, "rho < 1 is necessary",
     "for beta_k = 0 every iteration ends after N-1 sweeps with the exact values",
     "explicit Euler, T = 20: err_50 = 0 after 1.4e18 on the way"},
    {"W15", "notation", "text", SEVERITY_C, NOTED, "N, T, n and k have two or three meanings",
     "N points, T the final time, n the index of time, k the steps of a method", "the text itself"},
    {"W16", "(4.6)", "method", SEVERITY_B, NOTED, "ideal speed-up k = m f2/(n f1) = 24.8, n = 6",
     "the CPU time is serial, n = 1 and k = 148.9; cores times clock is no ratio of peaks either, "
     "which is 6.2 in double precision",
     "arithmetic on the printed numbers"},
    {"W17", "(4.6)", "method", SEVERITY_B, NOTED, "p = 0.91, 0.87, 0.83, 0.89",
     "they follow from s = 8, 6, 5, 7 by Amdahl's law and were not measured; 8.23, printed at d = "
     "16384, gives 0.92",
     "(1 - 1/s)/(1 - 1/k) = 0.9117, 0.8683, 0.8336, 0.8931"},
    {"W18", "end of Section 4", "text", SEVERITY_C, NOTED, "Figure 4.5, the limiting value of 7",
     "Figure 4.7", "Figure 4.5 is the heat equation in two dimensions"},
    {"W19", "end of Section 4", "text", SEVERITY_C, NOTED, "Figure 4.5 has the fractions of (4.2)",
     "so (4.4) was stored as a full matrix, and so it is here", "the text itself"},
    {"W20", "Tables 4.1, 4.3", "value", SEVERITY_C, NOTED,
     "speed-ups 8.40 (d = 2048), 8.61 (8192), 4.74 (131072)", "8.41, 8.62, 4.75",
     "the printed times; the other 23 agree"},
    {"W21", "Section 4", "text", SEVERITY_C, NOTED, "the speed-up increases when d increases",
     "not everywhere: 8.40, 7.23, 8.61, 8.23; 5.79, 5.72; 6.28, 6.12", "Tables 4.1, 4.2"},
    {"W22", "Section 4", "text", SEVERITY_C, NOTED,
     "the speed-up does not change with T, tol, N, BLOCK_SIZE",
     "cannot be checked: which were tried is not said", "the text itself"},
    {"W23", "Table 4.4", "text", SEVERITY_C, NOTED, "problem (4.1)", "(4.1)-(4.2)",
     "the other captions"},
    {"W24", "(4.5)", "formula", SEVERITY_A, ASSUMPTION, "0.01 otherwise",
     "as printed, which makes A full; with 0 there the count is 6 as well, and values differ",
     "component d-4 at T = 5: 2.8357e-05, with 0 there 1.2448e-07",
     "wr2014-@(control|fig4.8|iterations)/control*/*"},
    {"W25", "(4.5)", "formula", SEVERITY_A, NOTED, "-(1.5)^(d-i)",
     "leaves double precision from d-i = 1751 on, single from 219 on: 1/(1 + h 1.5^(d-i)) is 0 "
     "then, and no product has the diagonal in it",
     "computed"},
    {"W26", "Fig. 4.6", "unstated", SEVERITY_C, ASSUMPTION, "h and d",
     "h from 0.001 to 100 and d from 2 to 1024", "none", "wr2014-fig4.6/*"},
    {"W27", "Figs. 4.5, 4.7, 4.8", "unstated", SEVERITY_B, ASSUMPTION, "dimensions and numbers",
     "d = m^2 up to 4096 for (4.4), d up to 8192 for (4.5); 27 and 9 iterations on (4.4)", "none",
     "wr2014-@(heat2d|control|fig4.8)/*"},
    {"W28", "Section 3", "unstated", SEVERITY_B, ASSUMPTION, "the precision",
     "double; single stands beside it, with the same counts",
     "computed; the full matrix of d = 16384 fits the card in both", TABLES},
    {"W29", "Section 3", "unstated", SEVERITY_B, ASSUMPTION, "errVec, of what size and memory?",
     "all d N differences, copied to ordinary host memory and compared there by one core",
     "errVec = ynew - yold in the text", "wr2014-@(table4.[1234]|dense|tridiagonal)/*gpu/*"},
    {"W30", "Fig. 3.1", "text", SEVERITY_C, NOTED, "cudaThreadSynchronize",
     "cudaDeviceSynchronize: the former is deprecated", "CUDA's manual"},
    {"W31", "Fig. 3.1, line 2", "text", SEVERITY_C, NOTED, "ceil(float(d)/float(dimBlock.x))",
     "(d + B - 1)/B: single precision is exact up to 2^24 only", "arithmetic"},
    {"W32", "abstract", "text", SEVERITY_C, NOTED, "multi-GPU machine", "one GPU is used",
     "Section 4"},
    {"W33", "(4.6)", "text", SEVERITY_C, NOTED, "Ahmdal law", "Amdahl's law", "the text itself"},
    {"W34", "Section 4", "method", SEVERITY_A, NOTED, "errors are never reported",
     "when it stops the iterate is 2.0e-6 (Picard) and 1.3e-6 (Jacobi) from its limit, and that "
     "6.8e-3 from exp(tA) y0: tol is 700 times below what implicit Euler gives",
     "error_limit and error_exact of wr2014-error"},
    {"W35", "Tables 4.1-4.4", "method", SEVERITY_A, NOTED, "CPUtime: serial",
     "0.34 Gflop/s and 63 to 90 ns a value: a core of the X5690 can do 40 times as much, more than "
     "any speed-up in the paper. A good loop, all cores and BLAS stand beside it",
     "arithmetic on the printed times"},
    {"W36", "Section 4", "method", SEVERITY_C, NOTED, "y0 = e_d, if it was so",
     "19 components (Picard), 11 (Jacobi) ever differ from 0; products with zeros draw less power",
     "computed"},
    {"W37", "Section 4", "unstated", SEVERITY_B, ASSUMPTION, "what is timed",
     "the iterations with their copies and comparisons; load and copy back stand beside it",
     "all times are multiples of 10 ms", TABLES},
    {.id = NULL},
};

const struct paper wr2014_paper = {
    "wr2014",
    "D. Conte, R. D'Ambrosio, B. Paternoster, GPU-acceleration of waveform relaxation methods for "
    "large differential systems, 2014.",
    exhibits,
    claims,
    errata,
    .published = "wr2014.csv",
};
