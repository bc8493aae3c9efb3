# Figure 6 of the paper: the hybrid implementation's speed-up over n, a curve for each m; below it the
# one over the best that a CPU does here.
call "figures/style.gp" ARG1 ARG2 ARG3 1000 800
each = "m"
precisions = "single double single double"
shown = "GPU+CPU/BLAS GPU+CPU/BLAS GPU+CPU/SEQ-omp GPU+CPU/SEQ-omp"
printed = "58 47 - -"
printed_title = "printed maximum, m = 1"
unity = 1
array titles[4] = ["over BLAS, single", "over BLAS, double", \
    "over the best CPU code here (SEQ-omp), single", "over the best CPU code here (SEQ-omp), double"]
load "figures/over-cases.gp"
