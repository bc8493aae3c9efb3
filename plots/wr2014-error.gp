# The correction of each iteration, by both relaxations, and beside it what it stands for: how far the
# iterate is from its limit, and from the exact solution.
call "figures/style.gp" ARG1 ARG2 ARG3 960
table = "figures/wr2014-error.csv" # the exhibit's metric is the correction alone
metrics = "err error_limit error_exact"
columns = "value"
its_panel = '(stringcolumn("statistic") eq "value")'
its_kind = 'place(metrics, stringcolumn("metric"))'
its_x = 'number(stringcolumn("case"))'
load "figures/values.gp"

set logscale y 10
set format y "10^{%T}"
set xrange [0.5 : 18.5]
set xtics 2
set title "(4.1)-(4.2), T = 1, N = 50, y0 = e_d: error of each iterate" noenhanced
across = "v, iterations"
quantity = "largest value over all components and times"
eval name_axes
set output outfile
look(k) = sprintf(' linewidth 1.3 dashtype %d pointtype %d pointsize full_size ', k, 9 - 2 * k)
line(k) = joined(k, "value", 'linecolor rgb colour(c)' . look(k))
note(k, words) = also(any(k, "value"), 'keyentry with linespoints @grey' . look(k) \
    . 'title "' . words . '"')
eval 'plot 1e-5 with lines linecolor rgb "#808080" linewidth 1 notitle' \
    . line(1) . line(2) . line(3) \
    . ', for [c in in_legend(1)] keyentry with lines linecolor rgb colour(c) linewidth 1.3 \
        title c eq "wr-picard-cpu" ? "Picard" : "Jacobi"' \
    . note(1, "correction err_v") . note(2, "from its limit, implicit Euler") \
    . note(3, "from exp(tA) y0") \
    . ', keyentry with lines linecolor rgb "#808080" linewidth 1 title "tol"'
