# Section 4 of the paper: the spectral radius that is printed for Jacobi, which passes 1.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "radius_printed"
variants = "wr-jacobi-cpu"
heading = "Spectral radius of (1/h + 2)^-1 (L + U) on (4.5), h = 5/49: as printed, and not Jacobi's"
quantity = "spectral radius"
across = "d, components"
set arrow from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb "#808080" linewidth 1
load "figures/over-n.gp"
