# Section 4 of the paper: the spectral radius that is printed for Jacobi, which passes 1.
call "figures/style.gp" ARG1 ARG2 ARG3
set arrow from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb "#808080" linewidth 1
load "figures/over-n.gp"
