# Section IV of the paper: performance over the shape of the array, s rows and r columns, a curve for
# each n. The paper's best are s/r = 4 for BLAS and 1 for GPU+CPU.
call "figures/style.gp" ARG1 ARG2 ARG3 1000 800
metric = "performance"
unit = 1e9
heading = "Section IV: performance over the shape of the array, m = 4"
quantity = "Gflop/s"
across = "s/r, rows to columns"
each = "n"
precisions = "single single double double"
variants = "BLAS GPU+CPU BLAS GPU+CPU"
array titles[4] = ["BLAS (CPU), single", "GPU+CPU, single", "BLAS (CPU), double", "GPU+CPU, double"]
load "figures/over-cases.gp"
