# Table IV of the paper as curves: the time of each variant for problem P2.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "time"
variants = "A1D A1D-omp lapack-dptsv A2D A2SD"
heading = "Table IV, problem P2: time of one solve"
quantity = "time, s (bars: 95 % interval)"
load "figures/over-n.gp"
