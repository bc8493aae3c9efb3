# Table 4.4 of the paper as curves: the time of each variant by Jacobi, three diagonals.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "time"
variants = "wr-jacobi-cpu wr-jacobi-gpu wr-jacobi-gpu-fused wr-jacobi-omp wr-jacobi-blas"
heading = "Table 4.4: time of Jacobi, three diagonals (published: X5690, Tesla C2050)"
quantity = "time, s (bars: 95 % interval)"
across = "d, components"
load "figures/over-n.gp"
