# Table 3 of the paper as curves: the error in L2, mean-curvature flow in double precision.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "error_l2"
variants = "gpu gpu-coop cpu1 cpuN"
heading = "Table 3: error in L2, mean-curvature flow, double"
quantity = "error"
across = "N, cells per side"
load "figures/over-n.gp"
