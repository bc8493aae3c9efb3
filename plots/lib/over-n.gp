# One metric over the problem's size n, published beside reproduced, a curve for each variant; n on a
# linear axis if the sizes have equal steps. An error that falls with h has a line of slope 2 beneath
# it, and what was too long to be measured stands where its steps project it. What it shows is set as
# style.gp says.
columns = "published reproduced ci_lo"
load "figures/values.gp"
load "figures/nested.gp"

set print $projected
print "variant,n,seconds"
too_long = ""
do for [p in projected] {
    print p
    too_long = add(too_long, p[1:strstrt(p, ",") - 1])
}
unset print
if (words(projected) > 0) {
    stats $projected using (highest[1] = larger(highest[1], column("seconds")), 0) nooutput
}
guide = 1e300
if (falls) {
    do for [name in "published reproduced"] {
        stats table using (positive(name) > 0 \
            ? guide = smaller(guide, 0.5 * positive(name) * @its_x**2) : 0) nooutput
    }
    lowest[1] = guide / largest_x**2
}

low = 10.0**floor(log10(lowest[1]))
high = 10.0**ceil(log10(highest[1]))
if (high > 1e9 * low) { low = 10.0**(2 * floor(log10(low) / 2)) }
set logscale y 10
set yrange [low : high]
eval decades
if (equal_steps) {
    steps = 0.06 * (largest_x - least_x)
    set xrange [least_x - steps : largest_x + steps]
} else {
    set logscale x 2
    set xrange [least_x / 1.3 : largest_x * 1.3]
    eval powers_of_two
}
set format y "10^{%T}"
set title caption noenhanced
eval name_axes

set output outfile
thin = 'linecolor rgb "#909090" linewidth 0.8'
eval "plot NaN notitle" \
    . also(falls, '[least_x:largest_x] guide / x**2 with lines @thin notitle') \
    . intervals(1, '@marked') \
    . joined(1, "reproduced", '@marked dashtype dash(c)') \
    . joined(1, "published", 'linecolor rgb colour(c) dashtype 2 linewidth 1 \
        pointtype open_mark(c) pointsize open_size') \
    . also(words(projected) > 0, 'for [c in too_long] $projected using \
        (stringcolumn("variant") eq c ? column("n") : NaN):(column("seconds")) with points notitle \
        linecolor rgb colour(c) linewidth 1 pointtype 2 pointsize 1.2 * mark_scale') \
    . ', for [c in in_legend(1)] keyentry with linespoints @marked dashtype dash(c) title name_of(c)' \
    . also(any(1, "published"), 'keyentry with linespoints @grey dashtype 2 linewidth 1 \
        pointtype 6 pointsize 1.6 * mark_scale title "published"') \
    . also(any(1, "published") && any(1, "reproduced"), 'keyentry with linespoints @grey \
        linewidth 1.3 pointtype 7 pointsize full_size title "reproduced"') \
    . also(words(projected) > 0, 'keyentry with points @grey linewidth 1 pointtype 2 \
        pointsize 1.2 * mark_scale title "projected"') \
    . also(falls, 'keyentry with lines @thin title "slope 2"') \
    . noted_interval(1, 'linewidth 1.3 pointtype -1')
