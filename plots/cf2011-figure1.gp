# Figure 1 of the paper: the evolution by mean-curvature flow, single and double beside each other.
call "figures/style.gp" ARG1 ARG2 ARG3 1000 1250
kept = "cf2011-figure1.mcf-figure.cpuN.single cf2011-figure1.mcf-figure.cpuN.double"
array columns[2] = [", single", ", double"]
array times[4] = ["t = 0", "t = 0.025", "t = 0.1", "t = 0.5"]
per_row = 2
heading = "Figure 1: mean-curvature flow of sin(3π√(x²+y²))"
load "figures/surface.gp"
