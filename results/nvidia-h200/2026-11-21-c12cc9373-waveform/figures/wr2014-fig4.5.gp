# Figure 4.5 of the paper: the speed-up of the GPU over one core, and over all of them.
call "figures/style.gp" ARG1 ARG2 ARG3 960
metric = "speedup"
variants = "wr-picard-gpu/wr-picard-cpu wr-jacobi-gpu/wr-jacobi-cpu wr-picard-gpu/wr-picard-omp wr-jacobi-gpu/wr-jacobi-omp wr-picard-gpu/wr-picard-blas wr-jacobi-gpu/wr-jacobi-blas wr-picard-gpu-fused/wr-picard-omp wr-jacobi-gpu-fused/wr-jacobi-omp wr-picard-gpu-fused/wr-picard-blas wr-jacobi-gpu-fused/wr-jacobi-blas"
heading = "Figure 4.5: speed-up, heat equation in two dimensions, full matrix"
quantity = "speed-up (bars: 95 % interval)"
across = "d, components"
load "figures/over-n.gp"
