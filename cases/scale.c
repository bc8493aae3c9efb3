/*
 * Several GPUs: no paper; the limit variants on more and more ranks, each with a card. From size to
 * size at a fixed number of ranks it is strong scaling, along the diagonal weak scaling. The
 * recurrence is of order 4: what an unknown of order 2 adds comes again after 3 unknowns, of which
 * some tiles have a whole number, and then a power over too many tiles is right as well.
 */
#include "reprise.h"

#define ON(problem_, ranks_)                                                                       \
    {                                                                                              \
        .id = "ranks=" ranks_, .problem = problem_, .fixed = { {"ranks", ranks_} }                 \
    }
#define ON_RANKS(problem) ON(problem, "1"), ON(problem, "2"), ON(problem, "4"), ON(problem, "8")
#define SIZES                                                                                      \
    {                                                                                              \
        .smoke = "2^10,2^12", .quick = "2^16", .paper = "2^24,2^26,2^28,2^29,2^30,2^31"            \
    }

#define MODEL_ON(m_, ranks_)                                                                       \
    {                                                                                              \
        .id = "model" m_ "-ranks=" ranks_, .problem = "model" m_, .fixed = { {"ranks", ranks_} }   \
    }
#define MODEL_ON_RANKS(m) MODEL_ON(m, "1"), MODEL_ON(m, "2"), MODEL_ON(m, "4"), MODEL_ON(m, "8")

/* Equal steps, which the finest mesh bears as well: so none is rejected, and all are alike. */
#define FLOW_ON(flow, step, ranks_)                                                                \
    {                                                                                              \
        .id = flow "-ranks=" ranks_, .problem = flow, .fixed = {                                   \
            {"ranks", ranks_},                                                                     \
            {"control", "fixed"},                                                                  \
            {"tau0", step}                                                                         \
        }                                                                                          \
    }
#define FLOW_ON_RANKS(flow, step)                                                                  \
    FLOW_ON(flow, step, "1"), FLOW_ON(flow, step, "2"), FLOW_ON(flow, step, "4"),                  \
        FLOW_ON(flow, step, "8")

/* Of an exhibit that has a case for each number of ranks. */
#define SCALING(of, what, family_, ...)                                                            \
    {.id = of "-strong",                                                                           \
     .where = "several GPUs",                                                                      \
     .title = what ": speed-up over one card at the same size",                                    \
     .family = family_,                                                                            \
     .metric = "speedup",                                                                          \
     .variants = {__VA_ARGS__},                                                                    \
     .view_of = of,                                                                                \
     .against = "ranks=1",                                                                         \
     .figure = "speed-up"},                                                                        \
    {                                                                                              \
        .id = of "-weak", .where = "several GPUs",                                                 \
        .title = what ": efficiency against one card that has as much to do", .family = family_,   \
        .metric = "speedup", .variants = {__VA_ARGS__}, .view_of = of, .against = "ranks=1",       \
        .weak = true, .figure = "efficiency"                                                       \
    }

static const struct exhibit exhibits[] = {
    {"scale-bvp", "several GPUs", "Time of both sums on several cards, f in memory", "bvp", "time",
     .cases = {ON_RANKS("stored")}, .variants = {"@ranks"}, .axis = SIZES, .precision = "double",
     .figure = "time, s"},
    /* An H200 holds the first two, an H100 the first one. */
    {"scale-beyond", "several GPUs", "Time of both sums of more than a card holds", "bvp", "time",
     .cases = {ON_RANKS("stored")}, .variants = {"@ranks"},
     .axis = {.smoke = "2^13", .quick = "2^17", .paper = "2^32,2^33,2^34"}, .precision = "double",
     .figure = "time, s"},
    {"scale-recurrence", "several GPUs", "Time of a recurrence of order 4 on several cards",
     "recurrence", "time", .cases = {ON_RANKS("alternating")}, .variants = {"@ranks"},
     .axis = SIZES, .fixed = {{"m", "4"}}, .precision = "double", .figure = "time, s"},
    {.id = "scale-parabolic",
     .where = "several GPUs",
     .title = "Throughput of 60 steps on several cards, constant coefficients and variable ones",
     .family = "parabolic",
     .metric = "throughput",
     .cases = {MODEL_ON_RANKS("2"), MODEL_ON_RANKS("3")},
     .variants = {"@ranks"},
     .axis = {.smoke = "33,64", .quick = "256", .paper = "4000,8000,16000,22626,32000"},
     .fixed = {{"steps", "60"}},
     .figure = "throughput"},
    {.id = "scale-waveform",
     .where = "several GPUs",
     .title = "Time of (4.1)-(4.2) in tridiagonal form on several cards, several sweeps in a pass",
     .family = "waveform",
     .metric = "time",
     .cases = {ON_RANKS("heat1d")},
     .variants = {"wr-picard-gpu-blocked-ranks", "wr-jacobi-gpu-blocked-ranks"},
     .axis = {.smoke = "127,2^12", .quick = "2^15", .paper = "2^18,2^20,2^22,2^23,2^24"},
     .fixed = {{"storage", "sparse"}, {"y0", "random"}},
     .precision = "double",
     .figure = "time, s"},
    {.id = "scale-waveform-dense",
     .where = "several GPUs",
     .title = "Time of an iteration with a full matrix on several cards",
     .family = "waveform",
     .metric = "time_per_step",
     .cases = {ON_RANKS("heat1d")},
     .variants = {"wr-picard-gpu-dense-ranks", "wr-jacobi-gpu-dense-ranks"},
     .axis = {.smoke = "127,256", .quick = "1024", .paper = "4096,8192,16384,23168,32768"},
     .fixed = {{"storage", "dense"}, {"y0", "random"}},
     .precision = "double",
     .figure = "time of an iteration, s"},
    {.id = "scale-curvature",
     .where = "several GPUs",
     .title = "Time of a step, of sixty, on several cards, both flows",
     .family = "curvature",
     .metric = "time_per_step",
     .cases = {FLOW_ON_RANKS("mcf", "1e-6"), FLOW_ON_RANKS("willmore", "5e-13")},
     .variants = {"@ranks"},
     .axis = {.smoke = "33,82", .quick = "128", .paper = "1024,2048,2896,4096"},
     .fixed = {{"attempts", "60"}},
     .figure = "time, s",
     .up_to = {{"willmore*/*/single", 128, "left out: sixty such steps are less than rounding"}}},
    SCALING("scale-bvp", "Both sums", "bvp", "A2-limit-ranks/A2-limit-ranks"),
    SCALING("scale-recurrence", "A recurrence of order 4", "recurrence", "limit-ranks/limit-ranks"),
    SCALING("scale-parabolic", "Sixty steps", "parabolic", "GPU-limit-ranks/GPU-limit-ranks"),
    SCALING("scale-waveform", "(4.1)-(4.2) in tridiagonal form", "waveform",
            "wr-picard-gpu-blocked-ranks/wr-picard-gpu-blocked-ranks",
            "wr-jacobi-gpu-blocked-ranks/wr-jacobi-gpu-blocked-ranks"),
    SCALING("scale-waveform-dense", "A full matrix", "waveform",
            "wr-picard-gpu-dense-ranks/wr-picard-gpu-dense-ranks",
            "wr-jacobi-gpu-dense-ranks/wr-jacobi-gpu-dense-ranks"),
    SCALING("scale-curvature", "Curvature flows", "curvature", "gpu-ranks/gpu-ranks"),
    {.id = NULL},
};

const struct paper scale_paper = {"scale", "Ours: the same problems on several GPUs.", exhibits};
