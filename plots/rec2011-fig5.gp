# Figure 5 of the paper: performance on the CPU and on both, over n, a curve for each m.
call "figures/style.gp" ARG1 ARG2 ARG3 1000 800
each = "m"
precisions = "single single double double"
shown = "BLAS GPU+CPU BLAS GPU+CPU"
dotted = "SEQ - SEQ -"
dotted_title = "SEQ, the plain loop, of the same m"
array titles[4] = ["BLAS (CPU), single", "GPU+CPU, single", "BLAS (CPU), double", "GPU+CPU, double"]
load "figures/over-cases.gp"
