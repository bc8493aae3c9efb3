# Figure 4.7 of the paper: the speed-up of the GPU over one core, and over all of them.
call "figures/style.gp" ARG1 ARG2 ARG3 960
metric = "speedup"
variants = "wr-jacobi-gpu/wr-jacobi-cpu wr-jacobi-gpu/wr-jacobi-omp wr-jacobi-gpu/wr-jacobi-blas wr-jacobi-gpu-fused/wr-jacobi-omp wr-jacobi-gpu-fused/wr-jacobi-blas"
heading = "Figure 4.7: speed-up, control problem, full matrix"
quantity = "speed-up (bars: 95 % interval)"
across = "d, components"
load "figures/over-n.gp"
