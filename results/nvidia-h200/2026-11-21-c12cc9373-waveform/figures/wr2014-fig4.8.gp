# Figure 4.8 of the paper: the times of Jacobi by all variants; Picard does not converge there.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "time"
variants = "wr-jacobi-cpu wr-jacobi-gpu wr-jacobi-gpu-fused wr-jacobi-omp wr-jacobi-blas"
heading = "Figure 4.8: time, control problem, full matrix"
quantity = "time, s (bars: 95 % interval)"
across = "d, components"
load "figures/over-n.gp"
