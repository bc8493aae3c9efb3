# Table 4 of the paper as curves: the error in L2, Willmore flow in double precision.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "error_l2"
variants = "gpu-coop"
heading = "Table 4: error in L2, Willmore flow, double"
quantity = "error"
across = "N, cells per side"
load "figures/over-n.gp"
