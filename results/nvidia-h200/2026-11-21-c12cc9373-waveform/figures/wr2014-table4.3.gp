# Table 4.3 of the paper as curves: the time of each variant by Picard, three diagonals.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "time"
variants = "wr-picard-cpu wr-picard-gpu wr-picard-gpu-fused wr-picard-omp wr-picard-blas"
heading = "Table 4.3: time of Picard, three diagonals (published: X5690, Tesla C2050)"
quantity = "time, s (bars: 95 % interval)"
across = "d, components"
load "figures/over-n.gp"
