# Table 4.1 of the paper as curves: the time of each variant by Picard, full matrix.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "time"
variants = "wr-picard-cpu wr-picard-gpu wr-picard-gpu-fused wr-picard-omp wr-picard-blas"
heading = "Table 4.1: time of Picard, full matrix (published: X5690, Tesla C2050)"
quantity = "time, s (bars: 95 % interval)"
across = "d, components"
load "figures/over-n.gp"
