# Figure 2 of the paper: the evolution by Willmore flow, double precision.
call "figures/style.gp" ARG1 ARG2 ARG3 1000 800
kept = "cf2011-figure2.willmore-figure.*.double"
array columns[1] = [""]
array times[4] = ["t = 0", "t = 0.01", "t = 0.025", "t = 0.1"]
per_row = 2
heading = "Figure 2: Willmore flow of sin(3π√(x²+y²)), double precision"
load "figures/surface.gp"
