# Table 7 of the paper as curves: the time to T of each variant, Willmore flow in double precision.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "time"
variants = "cpu1 cpuN gpu gpu-coop"
heading = "Table 7: time to T = 0.1, Willmore flow, double (published: Core 2 Quad, GTX 280)"
quantity = "seconds"
across = "N, cells per side"
load "figures/over-n.gp"
