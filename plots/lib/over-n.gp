# One metric over the problem's size n, published beside reproduced, a curve for each variant; n on a
# linear axis from 0 if the sizes have equal steps. What it shows is set as style.gp says.
# Reads compared.csv in the current folder; what has no value is neither drawn nor in the legend.

set datafile separator comma
set datafile columnheaders
set datafile missing NaN # what another row holds does not break a line

table = "compared.csv"
here(v) = strstrt(exhibits, " " . stringcolumn("exhibit") . " ") > 0 \
    && stringcolumn("metric") eq metric \
    && stringcolumn("variant") eq v
# A value that a logarithmic axis can show; that of an empty field is undefined, so nothing is drawn.
positive(name) = column(name) > 0 ? column(name) : NaN
of(v, name) = here(v) ? positive(name) / scale : NaN
n(v) = here(v) ? positive("n") : NaN

# The variants that have a value in a column.
having = ""
least_n = 2.0**60
largest_n = 1
do for [v in variants] {
    do for [name in "published reproduced ci_lo"] {
        count = 0
        stats table using (of(v, name) > 0 ? count = count + 1 : 0, 0) nooutput
        if (count > 0) {
            having = having . " " . v . "/" . name
            stats table using (of(v, name) > 0 ? column("n") : NaN) nooutput
            least_n = STATS_min < least_n ? STATS_min : least_n
            largest_n = STATS_max > largest_n ? STATS_max : largest_n
        }
    }
}
has(v, name) = sum [i=1:words(having)] (word(having, i) eq v . "/" . name)
with_published = ""
with_reproduced = ""
with_interval = ""
with_either = ""
do for [v in variants] {
    if (has(v, "published")) { with_published = with_published . " " . v }
    if (has(v, "reproduced")) { with_reproduced = with_reproduced . " " . v }
    if (has(v, "ci_lo")) { with_interval = with_interval . " " . v }
    if (has(v, "published") || has(v, "reproduced")) { with_either = with_either . " " . v }
}
if (words(with_either) == 0) {
    printerr exhibit . ": compared.csv has no value of " . metric
    exit status 1
}

set logscale y 10
if (from_zero) {
    set xrange [0 : largest_n * 1.04]
} else {
    set logscale x 2
    set xrange [least_n / 1.3 : largest_n * 1.3]
    # Every second power by name: an increment would count from the range's end, not from 1.
    set xtics ("1" 1)
    do for [k = 2:60:2] { set xtics add (sprintf("2^{%d}", k) 2.0**k) }
}
set format y "10^{%T}"
set title caption noenhanced
set xlabel across noenhanced
set ylabel quantity noenhanced

set output outfile
# A loop over an empty list would still be entered once, so a layer without variants is left out.
# `smooth unique` joins the points by n, whatever the order of the rows.
layer(list, text) = words(list) > 0 ? text . ", " : ""
eval "plot " \
    . layer(with_published, 'for [v in with_published] \
        table using (n(v)):(of(v, "published")) smooth unique \
        with linespoints linecolor rgb colour(v) dashtype 2 linewidth 1 \
        pointtype open_mark(v) pointsize open_size notitle') \
    . layer(with_interval, 'for [v in with_interval] \
        table using (n(v)):(of(v, "reproduced")):(of(v, "ci_lo")):(of(v, "ci_hi")) \
        with yerrorbars linecolor rgb colour(v) linewidth 1.3 \
        pointtype full_mark(v) pointsize full_size notitle') \
    . layer(with_reproduced, 'for [v in with_reproduced] \
        table using (n(v)):(of(v, "reproduced")) smooth unique \
        with linespoints linecolor rgb colour(v) dashtype dash(v) linewidth 1.3 \
        pointtype full_mark(v) pointsize full_size notitle') \
    . 'for [v in with_either] keyentry with linespoints linecolor rgb colour(v) \
        dashtype dash(v) linewidth 1.3 pointtype full_mark(v) pointsize full_size title v, ' \
    . layer(with_published, 'keyentry with linespoints linecolor rgb "#707070" \
        dashtype 2 linewidth 1 pointtype 6 pointsize open_size title "published"') \
    . layer(with_reproduced, 'keyentry with linespoints linecolor rgb "#707070" \
        linewidth 1.3 pointtype 7 pointsize full_size title "reproduced"') \
    . layer(with_interval, 'keyentry with yerrorbars linecolor rgb "#707070" \
        linewidth 1.3 pointtype -1 title "95 % interval"') \
    . 'keyentry with points pointtype -1 notitle'
