/*
 * P. Stpiczynski, "Solving Linear Recurrences on Hybrid GPU Accelerated Manycore Systems", FedCSIS
 * 2011: Figures 5 and 6, the claims of Section IV, and the errata. The figures are curves whose
 * numbers are lost, so what can be compared are the claims.
 */
#include "reprise.h"

#define ORDER(m_)                                                                                  \
    {                                                                                              \
        .id = "m=" m_, .problem = "alternating", .fixed = { {"m", m_} }                            \
    }
#define ORDERS                                                                                     \
    {                                                                                              \
        ORDER("1"), ORDER("2"), ORDER("4"), ORDER("6"), ORDER("8"), ORDER("16")                    \
    }

#define POWERS_OF_2                                                                                \
    {                                                                                              \
        ORDER("1"), ORDER("2"), ORDER("4"), ORDER("8"), ORDER("16")                                \
    }

#define SHAPE(ratio_)                                                                              \
    {                                                                                              \
        .id = "ratio=" ratio_, .problem = "alternating", .fixed = { {"ratio", ratio_} }            \
    }

static const struct exhibit exhibits[] = {
    {"rec2011-fig5", "Figure 5",
     "Performance of the BLAS-based CPU implementation and of the hybrid one", "recurrence",
     "performance", .cases = ORDERS,
     .variants = {"SEQ", "BLAS", "GPU+CPU", "BLAS-omp", "SEQ-omp", "limit"},
     .axis = {.smoke = "2^10,2^12", .quick = "2^20", .paper = "2^20,2^22,2^24,2^26,2^28"},
     .figure = "performance"},
    {"rec2011-fig6", "Figure 6",
     "Speed-up of the hybrid implementation over the BLAS-based one, and over what a CPU can do as "
     "well",
     "recurrence", "speedup",
     .variants = {"GPU+CPU/BLAS", "GPU+CPU/SEQ", "GPU+CPU/BLAS-omp", "GPU+CPU/SEQ-omp"},
     .view_of = "rec2011-fig5", .figure = "speed-up"},
    {"rec2011-shape", "Section IV", "Performance over the shape s/r of the array, m = 4",
     "recurrence", "performance",
     .cases = {SHAPE("0.0625"), SHAPE("0.25"), SHAPE("1"), SHAPE("4"), SHAPE("16")},
     .variants = {"BLAS", "GPU+CPU"},
     .axis = {.smoke = "2^10,2^12", .quick = "2^20", .paper = "2^20,2^22,2^24,2^26"},
     .fixed = {{"m", "4"}}, .figure = "performance"},
    {"rec2011-gap", "not in the paper",
     "BLAS with columns a power of two apart, and with a cache line between them", "recurrence",
     "time",
     .cases = {{"m=1-gap=0", "alternating", {{"m", "1"}, {"gap", "0"}}},
               {"m=1-gap=1", "alternating", {{"m", "1"}, {"gap", "1"}}},
               {"m=4-gap=0", "alternating", {{"m", "4"}, {"gap", "0"}}},
               {"m=4-gap=1", "alternating", {{"m", "4"}, {"gap", "1"}}}},
     .variants = {"SEQ", "BLAS"},
     .axis = {.smoke = "2^10,2^12", .quick = "2^20", .paper = "2^20,2^24,2^26"}},
    {"rec2011-damped", "not in the paper",
     "Error where rounding matters: a_j = (-1)^(j+1) 0.5/m, random f", "recurrence",
     "rel_error_linf",
     .cases = {{"m=1", "damped", {{"m", "1"}}},
               {"m=4", "damped", {{"m", "4"}}},
               {"m=16", "damped", {{"m", "16"}}}},
     .variants = {"SEQ", "BLAS", "GPU+CPU", "BLAS-omp", "SEQ-omp", "limit"},
     .axis = {.smoke = "2^10,2^12", .quick = "2^20", .paper = "2^20,2^24"}},
    {"rec-limit", "not in the paper",
     "Time of the paper's variants and of the best that this machine can do", "recurrence", "time",
     .cases = POWERS_OF_2, .variants = {"SEQ", "BLAS-omp", "SEQ-omp", "GPU+CPU", "limit", "@peer"},
     .axis = {.smoke = "2^10,2^12", .quick = "2^20", .paper = "2^20,2^22,2^24,2^26,2^28"},
     .figure = "time, s"},
    {"rec-limit-speedup", "not in the paper",
     "Speed-up on the GPU over the best that the CPU can do", "recurrence", "speedup",
     .variants = {"GPU+CPU/SEQ-omp", "limit/SEQ-omp", "limit/GPU+CPU"}, .view_of = "rec-limit",
     .figure = "speed-up"},
    {"rec-small", "not in the paper",
     "Time of small problems: one run, and runs that follow each other in a graph", "recurrence",
     "time", .cases = POWERS_OF_2, .variants = {"SEQ", "SEQ-omp", "limit", "limit-graph"},
     .axis = {.smoke = "2^10", .quick = "2^10,2^16", .paper = "2^10,2^12,2^14,2^16,2^18,2^20,2^22"},
     .figure = "time, s"},
    {.id = NULL},
};

static const struct claim claims[] = {
    {"rec2011-seq-660-mflops", "Section IV",
     "the simple sequential algorithm reaches up to 660 Mflops", "rec2011-fig5", "performance",
     "SEQ", .predicate = REACHES, .least = 660e6, .erratum = "R19"},
    {"rec2011-seq-very-poor", "Section IV",
     "its performance is very poor beside the BLAS-based implementation on the CPU", "rec2011-fig5",
     "performance", "SEQ", "BLAS", BELOW, .erratum = "R21"},
    {"rec2011-58-times-single", "Section IV",
     "GPU+CPU is up to 58 times faster than BLAS in single precision, m = 1",
     "rec2011-fig6/m=1/*/single/*", "speedup", "GPU+CPU/BLAS", .predicate = REACHES, .least = 58,
     .erratum = "R22"},
    {"rec2011-47-times-double", "Section IV",
     "GPU+CPU is up to 47 times faster than BLAS in double precision, m = 1",
     "rec2011-fig6/m=1/*/double/*", "speedup", "GPU+CPU/BLAS", .predicate = REACHES, .least = 47,
     .erratum = "R22"},
    {"rec2011-profitable-from-2048-squared", "Section IV", "GPU+CPU is profitable for n >= 4194304",
     "rec2011-fig6", "speedup", "GPU+CPU/BLAS", .predicate = WITHIN, .least = 1, .most = 1e300,
     .from_n = 4194304},
    {"rec2011-speedup-falls-with-m", "Section IV", "the speed-up decreases when m grows",
     "rec2011-fig6", "speedup", "GPU+CPU/BLAS", .predicate = FALLS_WITH_CASE},
    {"rec2011-hybrid-grows-with-n", "Section IV", "the performance of GPU+CPU grows when n grows",
     "rec2011-fig5", "performance", "GPU+CPU", .predicate = GROWS_WITH_N},
    {"rec2011-hybrid-grows-with-m", "Section IV", "the performance of GPU+CPU grows when m grows",
     "rec2011-fig5", "performance", "GPU+CPU", .predicate = GROWS_WITH_CASE},
    {"rec2011-blas-falls-with-n", "Section IV", "the performance of BLAS decreases when n grows",
     "rec2011-fig5", "performance", "BLAS", .predicate = FALLS_WITH_N},
    {"rec2011-hybrid-best-square", "Section IV", "GPU+CPU performs best for r = s", "rec2011-shape",
     "performance", "GPU+CPU", .predicate = LARGEST_IN_CASE, .best = "ratio=1"},
    {"rec2011-blas-best-s-4r", "Section IV", "BLAS performs best for s = 4r", "rec2011-shape",
     "performance", "BLAS", .predicate = LARGEST_IN_CASE, .best = "ratio=4"},
    {.id = NULL},
};

static const struct erratum errata[] = {
    {"R1", "before (3)", "text", SEVERITY_C, NOTED, "the vectors x_j and z_j are given by",
     "x_j and f_j", "the text itself"},
    {"R2", "(5)-(12), Algorithm 1", "formula", SEVERITY_A, NOTED, "not legible in our copy",
     "x_j = z_j + (y_1 .. y_m) C x_{j-1}^tail with z_j = L^-1 f_j, y_k = L^-1 e_k; Algorithm 1 is "
     "Algorithm 2 with p = 1",
     "derivation; bit equality with (1) for m = 1 .. 16"},
    {"R3", "Fig. 3", "formula", SEVERITY_A, NOTED,
     "step3 loads x[(s-m+k)*r+idx], its own tail, as weights",
     "C x^tail of column idx-1: the column before, multiplied by C",
     "the printed kernel emulated: wrong; derivation"},
    {"R4", "Fig. 3", "text", SEVERITY_A, NOTED, "y = y+m-1 inside if(idx==0)",
     "before the if: all threads skip the m-1 zeros", "the printed kernel emulated"},
    {"R5", "Fig. 3", "text", SEVERITY_A, NOTED, "x[i*r+idx] += t inside the loop over k",
     "after it", "the printed kernel emulated: partial sums are added m times"},
    {"R6", "Fig. 3", "method", SEVERITY_C, NOTED, "column 0 gets zero weights",
     "it returns at once; no barrier follows", "the text itself"},
    {"R7", "Fig. 2", "text", SEVERITY_A, NOTED,
     "the loop over rows m..s-1 lies inside the one over rows 1..m-1", "after it",
     "the printed kernel emulated: m = 1 computes nothing, m >= 3 processes the rows m-1 times"},
    {"R8", "Fig. 2", "text", SEVERITY_C, NOTED, "stores to x and xc inside the loop over j",
     "after it: the same result without m-fold traffic", "the text itself"},
    {"R9", "Fig. 4, Step 2", "formula", SEVERITY_A, NOTED, "x_h[(s-m+k)*r+j-1]",
     "row s-m+i+k: row i of the upper triangular Toeplitz matrix C",
     "derivation; the printed code emulated"},
    {"R10", "Fig. 4, Step 2", "formula", SEVERITY_A, NOTED, "adds C x_{j-1}^tail to the tail",
     "adds Y_tail C x_{j-1}^tail; the two agree only where Y_tail is the identity, as for m = 1, "
     "a = 1",
     "derivation; for s = m = 2, a = (1,-1) Y_tail = [[1,0],[1,1]], since `solve recurrence/user "
     "--variant SEQ --set a=1,-1 --set f=impulse --set n=2 --dump FILE` gives y_1 = (1,1)"},
    {"R11", "Fig. 4", "text", SEVERITY_A, NOTED, "a_h[m-k] beside a_d[j-1]",
     "a_h[m-1-k]: both count from 0", "the text itself"},
    {"R12", "Fig. 4", "text", SEVERITY_A, NOTED, "the copy back has s*sizeof(*t_h) bytes",
     "r*m*sizeof(*t_h): m rows of r values", "the text itself"},
    {"R13", "Fig. 4", "text", SEVERITY_B, NOTED, "t_h is copied, x_h is used",
     "one name, rows counted from s-m", "the text itself"},
    {"R14", "Fig. 4", "text", SEVERITY_C, NOTED, "the brace of the loop over j is missing",
     "it closes before the copy; recl(m, s, a_h, y_h+m-1) solves L y_1 = e_1", "the text itself"},
    {"R15", "Algorithm 2, line 27", "formula", SEVERITY_B, NOTED, "A without columns",
     "A_{*,t1-1:t2-1}, the weights from the block before", "derivation"},
    {"R16", "Algorithm 2, Require", "formula", SEVERITY_B, NOTED, "s > 1 and r s = n",
     "s >= m, and r s <= n as in Section II", "derivation"},
    {"R17", "Algorithm 2, line 13", "formula", SEVERITY_C, NOTED, "y_2 .. y_m are never computed",
     "they are y_1 moved down by 1 .. m-1 places", "derivation"},
    {"R18", "Section III", "text", SEVERITY_C, NOTED, "global memory, large but low latency",
     "high latency", "the text itself"},
    {"R19", "Section IV", "unstated", SEVERITY_A, ASSUMPTION, "Gflops: of which operations?",
     "2 m n, those of (1); what divide and conquer executes, 4mn - m(r+1) - 2m^2, stands beside it",
     "the paper counts (1) so; the other count would favour the larger work", "rec2011-fig5/*"},
    {"R20", "Section IV", "unstated", SEVERITY_A, ASSUMPTION, "a_j and f are never given",
     "a_j = -1, f in {-1,0,1}: nothing grows or decays, every intermediate is a small integer, so "
     "all variants must agree bit for bit",
     "the roots are the (m+1)-th roots of unity but 1", "rec2011-@(fig5|shape)/*"},
    {"R21", "Section IV", "method", SEVERITY_A, NOTED,
     "the plain loop, up to 660 Mflops, is dismissed as very poor",
     "at m = 1 the BLAS code that the speed-ups refer to cannot have exceeded 190 (double) and 310 "
     "(single) Mflops: the C2050's 144 GB/s over 4 words per element bound GPU+CPU to 9.0 and 18 "
     "Gflops, and it was 47 and 58 times faster. The speed-up over the plain loop stands beside "
     "the one over BLAS",
     "arithmetic on the printed numbers"},
    {"R22", "Section IV", "unstated", SEVERITY_B, NOTED, "58 and 47 times: at which n?",
     "the largest over all n", "presumably 2^28"},
    {"R23", "Figs. 2, 3", "method", SEVERITY_C, NOTED,
     "xc[16][MAXBSIZE] of double with 256 threads takes 32 KiB whatever m is",
     "on the C2050 one block per multiprocessor; kept as published", "the text itself"},
    {"R24", "Figs. 2, 3", "text", SEVERITY_C, NOTED, "only the double kernels are printed",
     "one source for both", "the text itself"},
    {"R25", "Section II", "method", SEVERITY_A, NOTED, "stability is not discussed",
     "divide and conquer amplifies rounding by the largest entry of y_1, about s^(q-1) for a "
     "q-fold root on the unit circle; the metric `amplification` measures it, and an answer that "
     "it "
     "may have left no digit of is not called right",
     "`solve recurrence/user --precision double --set a=3,-3,1 --set f=one --set n=1000000 --set "
     "r=1000 --set s=1000`: the solution is 1.667e17 and (1) gives 1.095e17, rel_error_linf 0.34 "
     "(SEQ); divide and conquer 1.3e8 (GPU+CPU, amplification 4.0e6), or 23 where a BLAS fuses "
     "products and sums; single roots on the circle, `--set a=1.9900083305560516,-1 --set "
     "f=impulse --set n=131072`: SEQ 2.4e-13, GPU+CPU 1.3e-12, amplification 40"},
    {"R26", "Section IV", "unstated", SEVERITY_B, ASSUMPTION,
     "n from 1024^2 to 16384^2: which between?", "every fourth multiple", "none",
     "rec2011-fig[56]/*"},
    {"R27", "Section IV", "method", SEVERITY_B, NOTED,
     "n = k^2 with k a power of two, r = s = k on the CPU",
     "the rows that step 1 combines then lie a power of two apart and fall into few sets of the "
     "caches: the baseline is slowest at just the sizes that are shown. Here a cache line lies "
     "between the columns, unless gap=0 is given",
     "rec2011-gap has both, side by side; without a gap on the host of an H200 from 5.1 ns an "
     "element at 2^20 to 34 at 2^28, m = 1, double, the plain loop being at 1.8 to 1.9 throughout",
     "rec2011-fig[56]/*/BLAS*"},
    {.id = NULL},
};

const struct paper rec2011_paper = {
    "rec2011",
    "P. Stpiczynski, Solving Linear Recurrences on Hybrid GPU Accelerated Manycore Systems, "
    "FedCSIS 2011.",
    exhibits,
    claims,
    errata,
    .published = "rec2011.csv",
};
