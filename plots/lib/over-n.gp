# One metric over the problem's size n, published beside reproduced, a curve for each variant; n on a
# linear axis from 0 if the sizes have equal steps. What it shows is set as style.gp says.
columns = "published reproduced ci_lo"
load "figures/values.gp"

set logscale y 10
if (from_zero) {
    set xrange [0 : largest_x * 1.04]
} else {
    set logscale x 2
    set xrange [least_x / 1.3 : largest_x * 1.3]
    eval powers_of_two
}
set format y "10^{%T}"
set title caption noenhanced
set xlabel across noenhanced
set ylabel quantity noenhanced

set output outfile
eval "plot NaN notitle" \
    . joined(1, "published", 'linecolor rgb colour(c) dashtype 2 linewidth 1 \
        pointtype open_mark(c) pointsize open_size') \
    . intervals(1, '@marked') \
    . joined(1, "reproduced", '@marked dashtype dash(c)') \
    . ', for [c in in_legend(1)] keyentry with linespoints @marked dashtype dash(c) title c' \
    . also(any(1, "published"), 'keyentry with linespoints @grey dashtype 2 linewidth 1 \
        pointtype 6 pointsize open_size title "published"') \
    . also(any(1, "reproduced"), 'keyentry with linespoints @grey linewidth 1.3 \
        pointtype 7 pointsize full_size title "reproduced"') \
    . noted_interval(1, 'linewidth 1.3 pointtype -1')
