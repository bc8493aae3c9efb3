# Table 5 of the paper as curves: the time to T of each variant, mean-curvature flow in single precision.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "time"
variants = "cpu1 cpuN gpu gpu-coop"
heading = "Table 5: time to T = 0.1, mean-curvature flow, single (published: Core 2 Quad, GTX 280)"
quantity = "seconds"
across = "N, cells per side"
load "figures/over-n.gp"
