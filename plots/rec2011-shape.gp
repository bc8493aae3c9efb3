# Section IV of the paper: performance over the shape of the array, s rows and r columns, a curve for
# each n. The paper's best are s/r = 4 for BLAS and 1 for GPU+CPU.
call "figures/style.gp" ARG1 ARG2 ARG3 1000 800
across = "s/r, rows to columns"
each = "n"
precisions = "single single double double"
shown = "BLAS GPU+CPU BLAS GPU+CPU"
array titles[4] = ["BLAS (CPU), single", "GPU+CPU, single", "BLAS (CPU), double", "GPU+CPU, double"]
load "figures/over-cases.gp"
