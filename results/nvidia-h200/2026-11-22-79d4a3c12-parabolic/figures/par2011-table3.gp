# Table 3 of the paper: the speed-ups for each model in double precision.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "speedup"
cases = "model1 model2 model3 model4"
array names[4] = ["Model 1", "Model 2", "Model 3", "Model 4"]
variants = "GPU/CPU GPU-RB/CPU GPU-RBS/CPU GPU-RB/CPU-omp GPU-TB/CPU-omp"
heading = "Table 3: speed-up in double precision, N = 1500 to 4000"
quantity = "speed-up: mean, and line from least to largest"
printed_title = "published (C1060)"
load "figures/mean-and-range.gp"
