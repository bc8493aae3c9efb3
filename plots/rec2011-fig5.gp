# Figure 5 of the paper: performance on the CPU and on both, over n, a curve for each m.
call "figures/style.gp" ARG1 ARG2 ARG3 1000 800
metric = "performance"
unit = 1e9
heading = "Figure 5: performance of the BLAS-based CPU implementation and of the hybrid one"
quantity = "Gflop/s"
across = "n, unknowns"
each = "m"
precisions = "single single double double"
variants = "BLAS GPU+CPU BLAS GPU+CPU"
dotted = "SEQ - SEQ -"
dotted_title = "SEQ, the plain loop, of the same m"
array titles[4] = ["BLAS (CPU), single", "GPU+CPU, single", "BLAS (CPU), double", "GPU+CPU, double"]
load "figures/over-cases.gp"
