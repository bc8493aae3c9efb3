# Throughput over N in eight panels, a row for each precision and a column for each model, and in it
# a curve for each variant: the sizes of the paper's tables, open, and on to larger ones, filled.
call "figures/style.gp" ARG1 ARG2 ARG3 1000 700

set datafile separator comma
set datafile columnheaders
set datafile missing NaN # what another row holds does not break a line

table = "compared.csv"
precisions = "single double"
smaller_sizes = "par2011-throughput"
scale = 1e9

from_either(e) = stringcolumn("exhibit") eq exhibit || stringcolumn("exhibit") eq smaller_sizes
here(e) = e eq "" ? from_either(e) : stringcolumn("exhibit") eq e
of(i, v, e, name) = here(e) && stringcolumn("case") eq sprintf("model%d", (i - 1) % 4 + 1) \
    && stringcolumn("precision") eq word(precisions, (i + 3) / 4) \
    && stringcolumn("variant") eq v && stringcolumn("metric") eq "throughput" \
    && column(name) > 0 ? column(name) / scale : NaN # that of an empty field is undefined
x(i, v, e) = of(i, v, e, "reproduced") > 0 ? column("n") : NaN

# What there is to draw in each panel, and the ranges.
array having[8] = ["", "", "", "", "", "", "", ""]
array with_interval[8] = ["", "", "", "", "", "", "", ""]
low = 1e300
high = 0
least_n = 1e300
largest_n = 0
array count[2] = [0, 0] # of the exhibit, of the smaller sizes
smaller(a, b) = b < a ? b : a # a if b is NaN
larger(a, b) = b > a ? b : a
do for [i=1:8] {
    do for [v in known] {
        any = 0
        interval = 0
        stats table using (of(i, v, "", "reproduced") > 0 \
            ? (any = 1) + (low = smaller(low, of(i, v, "", "reproduced"))) \
                + (high = larger(high, of(i, v, "", "reproduced"))) \
                + (least_n = smaller(least_n, column("n"))) \
                + (largest_n = larger(largest_n, column("n"))) \
                + (interval = of(i, v, "", "ci_lo") > 0 ? 1 : interval) \
                + (stringcolumn("exhibit") eq exhibit \
                    ? count[1] = count[1] + 1 : (count[2] = count[2] + 1)) : 0) nooutput
        if (any) { having[i] = having[i] . " " . v }
        if (interval) { with_interval[i] = with_interval[i] . " " . v }
    }
}
if (count[1] == 0) {
    printerr exhibit . ": compared.csv has no value of throughput"
    exit status 1
}
having_any = ""
interval_any = ""
do for [i=1:8] {
    having_any = having_any . having[i] . " "
    interval_any = interval_any . with_interval[i] . " "
}
in_legend = ""
do for [v in known] {
    if (strstrt(having_any, " " . v . " ")) { in_legend = in_legend . " " . v }
}

# The panels in parts of the page: where the lower left one is, and from one to the next.
left = 0.082
right = 0.298
bottom = 0.095
top = 0.433
step_x = 0.2325
step_y = 0.4

set output outfile
set multiplot \
    title "Throughput of all models, from the sizes of the tables to larger ones" noenhanced
set logscale x 2
set logscale y 10
set xrange [least_n / 1.25 : largest_n * 1.25]
set yrange [low / 1.5 : high * 1.5]
set key off
layer(list, text) = words(list) > 0 ? ", " . text : ""
do for [i=1:8] {
    across_page = (i - 1) % 4
    up_page = i < 5
    set lmargin at screen left + across_page * step_x
    set rmargin at screen right + across_page * step_x
    set bmargin at screen bottom + up_page * step_y
    set tmargin at screen top + up_page * step_y
    set xtics ()
    do for [k=-6:7] {
        named = !up_page && (k % 2 != 0 || largest_n < 10 * least_n)
        set xtics add ((named ? sprintf("%g", 1000 * 2.0**k) : "") 1000 * 2.0**k)
    }
    set ytics ()
    do for [k=-6:6] {
        set ytics add ((across_page == 0 ? sprintf("%g", 10.0**k) : "") 10.0**k)
        do for [j=2:9] { set ytics add ("" j * 10.0**k 1) }
    }
    set title sprintf("Model %d, %s", across_page + 1, word(precisions, 2 - up_page)) \
        noenhanced offset 0, -0.5
    # Labels, for the distance of an axis's own title from it differs between the terminals.
    unset label
    if (i == 5) {
        set label "N, interior points per side" at screen 0.5, screen 0.022 center noenhanced
    }
    if (across_page == 0) {
        set label "Gpoints/s" at screen 0.016, graph 0.5 center rotate noenhanced
    }
    if (words(having[i]) == 0) {
        set label "not measured here" at graph 0.5, 0.5 center textcolor rgb "#707070"
    }
    eval "plot NaN notitle" \
        . layer(having[i], 'for [v in having[i]] \
            table using (x(i, v, "")):(of(i, v, "", "reproduced")) smooth unique \
            with lines linecolor rgb colour(v) linewidth 1.2 notitle') \
        . layer(with_interval[i], 'for [v in with_interval[i]] \
            table using (x(i, v, "")):(of(i, v, "", "reproduced")) \
                :(of(i, v, "", "ci_lo")):(of(i, v, "", "ci_hi")) \
            with yerrorbars linecolor rgb colour(v) linewidth 1 pointtype -1 notitle') \
        . layer(having[i], 'for [v in having[i]] \
            table using (x(i, v, "")):(of(i, v, "", "reproduced")) with points \
            linecolor rgb "#ffffff" pointtype full_mark(v) pointsize full_size notitle, \
            for [v in having[i]] \
            table using (x(i, v, smaller_sizes)):(of(i, v, smaller_sizes, "reproduced")) \
            with points linecolor rgb colour(v) linewidth 1 pointtype open_mark(v) \
            pointsize full_size notitle, \
            for [v in having[i]] \
            table using (x(i, v, exhibit)):(of(i, v, exhibit, "reproduced")) \
            with points linecolor rgb colour(v) pointtype full_mark(v) \
            pointsize 1.2 * full_size notitle')
}

# One legend for all, of two lines beneath the heading.
unset border
unset tics
unset grid
unset title
unset label
unset logscale
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
set key on horizontal Left reverse samplen 2.2 width 2 noenhanced
set key at screen 0.5, 0.945 center
plot [0:1] [0:1] NaN notitle, for [v in in_legend] keyentry with linespoints \
    linecolor rgb colour(v) linewidth 1.2 pointtype full_mark(v) pointsize 1.2 * full_size title v
set key at screen 0.5, 0.91 center
grey = 'linecolor rgb "#707070" pointsize 1.2 * full_size'
eval "plot [0:1] [0:1] NaN notitle" \
    . (count[2] > 0 ? ', keyentry with points pointtype 6 linewidth 1 @grey \
        title "100 steps"' : '') \
    . ', keyentry with points pointtype 7 @grey title "10 steps"' \
    . layer(interval_any, 'keyentry with yerrorbars linecolor rgb "#707070" linewidth 1 \
        pointtype -1 title "95 % interval"')
unset multiplot
