# Table I of the paper as curves: the error of each variant for problem P1.
call "figures/style.gp" ARG1 ARG2 ARG3
metric = "rel_error_l2"
variants = "A1S A1D A2S A2D A2SD"
heading = "Table I, problem P1: relative error in the 2-norm"
quantity = "relative error"
load "figures/over-n.gp"
