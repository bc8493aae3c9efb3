# A group for each case and in it, for each variant A/B, a mean and a line from the least value to
# the largest: published, hollow, beside reproduced, filled. For rows whose n is "mean ...",
# "min ..." and "max ...". What it shows is set as style.gp says.
# Reads compared.csv in the current folder; what has no value is neither drawn nor in the legend.

set datafile separator comma
set datafile columnheaders

table = "compared.csv"
statistics = "mean min max"
place_in(list, item) = sum [i=1:words(list)] (word(list, i) eq item ? i : 0)
statistic(n) = n[1:strstrt(n, " ") - 1]

# All values, published or reproduced: first of which case, then of which variant and statistic.
slot(c, v, s) = c * v * s == 0 ? 0 : ((c - 1) * words(variants) + v - 1) * 3 + s
here(name) = stringcolumn("exhibit") eq exhibit && stringcolumn("metric") eq metric \
    && column(name) > 0 # that of an empty field is undefined
of_row(name) = here(name) ? slot(place_in(cases, stringcolumn("case")), \
    place_in(variants, stringcolumn("variant")), \
    place_in(statistics, statistic(stringcolumn("n")))) : 0
array published[slot(words(cases), words(variants), 3)]
array reproduced[slot(words(cases), words(variants), 3)]
do for [i=1:|published|] {
    published[i] = 0
    reproduced[i] = 0
}
stats table using (of_row("published") > 0 \
    ? published[of_row("published")] = column("published") : 0) nooutput
stats table using (of_row("reproduced") > 0 \
    ? reproduced[of_row("reproduced")] = column("reproduced") : 0) nooutput

# The published one a little to the left of the reproduced one.
x(c, v, side) = c + 0.84 * ((v - 0.5 + side * 0.22) / words(variants) - 0.5)

# What there is to draw: x, mean, least, largest, colour, mark.
low = 1e300
high = 0
contradicting = 0
in_legend = ""
line(c, v, id, side, mean, least, largest, mark) = sprintf("%.17g,%.17g,%.17g,%.17g,%d,%d", \
    x(c, v, side), mean, least > 0 ? least : mean, largest > 0 ? largest : mean, \
    colour(id), mark)
smaller(a, b) = b > 0 && b < a ? b : a
larger(a, b) = b > a ? b : a
set print $hollow
print "x,mean,least,largest,colour,mark"
set print $filled
print "x,mean,least,largest,colour,mark"
do for [c=1:words(cases)] {
    do for [v=1:words(variants)] {
        i = slot(c, v, 1)
        id = word(variants, v)
        if (published[i] > 0) {
            set print $hollow append
            print line(c, v, id, -1, published[i], published[i+1], published[i+2], open_mark(id))
            if (published[i+2] > 0 && published[i+2] < published[i]) {
                contradicting = 1
                set label "*" at x(c, v, -1), published[i] offset 0, 0.7 center
            }
        }
        if (reproduced[i] > 0) {
            set print $filled append
            print line(c, v, id, 1, reproduced[i], reproduced[i+1], reproduced[i+2], full_mark(id))
        }
        if (published[i] > 0 || reproduced[i] > 0) {
            if (!place_in(in_legend, id)) { in_legend = in_legend . " " . id }
            do for [j=i:i+2] {
                low = smaller(smaller(low, published[j]), reproduced[j])
                high = larger(larger(high, published[j]), reproduced[j])
            }
        }
    }
}
unset print
if (words(in_legend) == 0) {
    printerr exhibit . ": compared.csv has no value of " . metric
    exit status 1
}

set logscale y 10
set yrange [low / (high / low)**0.06 / 1.05 : high * (high / low)**0.06 * 1.05]
set ytics ("1" 1)
do for [k=-3:9] {
    do for [j in "1 2 5"] { set ytics add (sprintf("%.10g", j * 10.0**k) j * 10.0**k) }
    do for [j=2:9] { set ytics add ("" j * 10.0**k 1) }
}
set xrange [0.5 : words(cases) + 0.5]
set xtics () scale 0
do for [c=1:words(cases)] {
    set xtics add (word(cases, c) c)
    if (c > 1) {
        set arrow from first c - 0.5, graph 0 to first c - 0.5, graph 1 nohead back \
            linecolor "#c8c8c8" linewidth 0.7
    }
}
set grid noxtics
set title caption noenhanced
set ylabel quantity . ": mean, and line from least to largest" noenhanced

set output outfile
ranges = 'using "x":"mean":"least":"largest":"colour" with yerrorbars \
    linecolor rgb variable pointtype -1'
layer(any, text) = any ? text . ", " : ""
eval "plot " \
    . layer(low < 1, '1 with lines linecolor rgb "#808080" linewidth 1 notitle') \
    . layer(|$hollow| > 1, '$hollow @ranges linewidth 1 notitle, \
        $hollow using "x":"mean":(column("mark") + 1) with points linecolor rgb "#ffffff" \
            pointtype variable pointsize 1.25 * mark_scale notitle, \
        $hollow using "x":"mean":"mark":"colour" with points linecolor rgb variable \
            linewidth 1 pointtype variable pointsize 1.25 * mark_scale notitle') \
    . layer(|$filled| > 1, '$filled @ranges linewidth 1.3 notitle, \
        $filled using "x":"mean":"mark":"colour" with points linecolor rgb variable \
            pointtype variable pointsize 1.25 * mark_scale notitle') \
    . 'for [v in in_legend] keyentry with points \
        linecolor rgb colour(v) pointtype full_mark(v) pointsize 1.25 * mark_scale title v, ' \
    . layer(|$hollow| > 1, 'keyentry with yerrorbars linecolor rgb "#707070" linewidth 1 \
        pointtype 6 pointsize 1.25 * mark_scale title "published"') \
    . layer(|$filled| > 1, 'keyentry with yerrorbars linecolor rgb "#707070" linewidth 1.3 \
        pointtype 7 pointsize 1.25 * mark_scale title "reproduced"') \
    . layer(contradicting, 'keyentry with lines linecolor rgb "#ffffff" \
        title "* largest < mean"') \
    . 'keyentry with points pointtype -1 notitle'
