# Table 1 of the paper as curves: the throughput of each variant for Model 2.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "throughput"
unit = 1e6
variants = "CPU GPU GPU-RB GPU-RBS CPU-omp GPU-TB"
heading = "Table 1, Model 2: throughput in single precision (published: i7 920, Tesla C1060)"
quantity = "Mpoints/s"
across = "N, interior points per side"
from_zero = 1
load "figures/over-n.gp"
