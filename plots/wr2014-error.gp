# The correction of each iteration, by both relaxations, and beside it what it stands for: how far the
# iterate is from its limit, and from the exact solution.
call "figures/style.gp" ARG1 ARG2 ARG3 960

set datafile separator comma
set datafile columnheaders
set datafile missing NaN # what another row holds does not break a line

table = "measured.csv" # the exhibit's metric is the correction alone
metrics = "err error_limit error_exact"
array names[3] = ["correction err_v", "from its limit, implicit Euler", "from exp(tA) y0"]
iteration(case) = real(case[strstrt(case, "=") + 1:])
y(v, m) = stringcolumn("exhibit") eq exhibit && stringcolumn("metric") eq m \
    && stringcolumn("variant") eq v && stringcolumn("statistic") eq "value" \
    && column("value") > 0 ? column("value") : NaN
x(v, m) = y(v, m) > 0 ? iteration(stringcolumn("case")) : NaN

count = 0
stats table using (y("wr-picard-cpu", "err") > 0 ? count = count + 1 : 0) nooutput
if (count == 0) {
    printerr exhibit . ": measured.csv has no value of err"
    exit status 1
}
set logscale y 10
set format y "10^{%T}"
set xrange [0.5 : 18.5]
set xtics 2
set title "(4.1)-(4.2), T = 1, N = 50, y0 = e_d: error of each iterate" noenhanced
set xlabel "v, iterations"
set ylabel "largest value over all components and times"
set output outfile
plot 1e-5 with lines linecolor rgb "#808080" linewidth 1 notitle, \
    for [k=1:3] for [i=1:2] table \
        using (x(word(variants, i), word(metrics, k))):(y(word(variants, i), word(metrics, k))) \
        smooth unique with linespoints linecolor rgb colour(word(variants, i)) linewidth 1.3 \
        dashtype k pointtype 9 - 2 * k \
        pointsize full_size notitle, \
    keyentry with lines linecolor rgb colour(word(variants, 1)) linewidth 1.3 title "Picard", \
    keyentry with lines linecolor rgb colour(word(variants, 2)) linewidth 1.3 title "Jacobi", \
    for [k=1:3] keyentry with linespoints linecolor rgb "#707070" linewidth 1.3 \
        dashtype k pointtype 9 - 2 * k \
        pointsize full_size title names[k], \
    keyentry with lines linecolor rgb "#808080" linewidth 1 title "tol"
