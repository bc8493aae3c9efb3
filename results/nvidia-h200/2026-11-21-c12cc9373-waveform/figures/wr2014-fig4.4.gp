# Figure 4.4 of the paper: the times of both relaxations and all variants.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "time"
variants = "wr-picard-cpu wr-picard-gpu wr-picard-gpu-fused wr-picard-omp wr-picard-blas wr-jacobi-cpu wr-jacobi-gpu wr-jacobi-gpu-fused wr-jacobi-omp wr-jacobi-blas"
also = "wr2014-table4.3 wr2014-table4.4"
heading = "Figure 4.4: time, three diagonals"
quantity = "time, s (bars: 95 % interval)"
across = "d, components"
load "figures/over-n.gp"
