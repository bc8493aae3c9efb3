# A group for each case and in it, for each variant A/B, a mean and a line from the least value to
# the largest: published, hollow, beside reproduced, filled. For rows whose n is "mean ...",
# "min ..." and "max ...". What it shows is set as style.gp says.
columns = "published reproduced"
its_kind = 'place("mean min max", word(stringcolumn("n"), 1))'
its_x = 'place(cases, stringcolumn("case"))'
load "figures/values.gp"

# All values, those of a case together, in it those of a variant, and of a column: mean, min, max.
its_place = 'place(curves, ' . its_curve . ')'
slot(k, name) = 6 * ((@its_x - 1) * words(curves) + @its_place - 1) \
    + (name eq "published" ? 0 : 3) + k
array values[6 * words(cases) * words(curves)]
do for [k=1:|values|] { values[k] = 0 }
do for [name in columns] {
    stats table using (positive(name) > 0 \
        ? values[slot(@its_kind, name)] = positive(name) : 0) nooutput
}
mean(name) = positive(name) > 0 && @its_kind == 1 ? positive(name) : NaN
end(k, name) = !(mean(name) > 0) ? NaN \
    : values[slot(k, name)] > 0 ? values[slot(k, name)] : mean(name)
contradicting = 0
stats table using (end(3, "published") < mean("published") ? contradicting = 1 : 0) nooutput

low = lowest[1]
high = highest[1]
set logscale y 10
set yrange [low / (high / low)**0.06 / 1.05 : high * (high / low)**0.06 * 1.05]
set format y "%.10g"
named = "1 2 5"
eval decades
set xrange [0.5 : words(cases) + 0.5]
set xtics () scale 0
do for [k=1:words(cases)] {
    set xtics add (word(cases, k) k)
    if (k > 1) {
        set arrow from first k - 0.5, graph 0 to first k - 0.5, graph 1 nohead back \
            linecolor "#c8c8c8" linewidth 0.7
    }
}
set grid noxtics
set title caption noenhanced
quantity = quantity . ": mean, and line from least to largest"
set lmargin at screen 84.0 / width
set label quantity at screen 14.0 / width, graph 0.5 center rotate noenhanced

# The published one a little to the left of the reproduced one.
across(name) = @its_x + 0.84 * ((@its_place - 0.5 + (name eq "published" ? -0.22 : 0.22)) \
    / words(curves) - 0.5)
size_of(c) = 1.25 * mark_scale
its_colour = '(colour(' . its_curve . '))'
means(name) = sprintf('table using (across("%s")):(mean("%s"))', name, name)
ranges(name, looks) = means(name) . sprintf(':(end(2, "%s")):(end(3, "%s")):@its_colour \
    with yerrorbars notitle linecolor rgb variable pointtype -1 ', name, name) . looks
marks(name, mark, look) = means(name) . ':(' . mark . '(' . its_curve . ')):@its_colour \
    with points notitle pointtype variable pointsize size_of(1) linecolor rgb ' . look
set output outfile
eval "plot NaN notitle" \
    . also(low < 1, '1 with lines linecolor rgb "#808080" linewidth 1 notitle') \
    . also(any(1, "published"), ranges("published", 'linewidth 1')) \
    . also(any(1, "published"), marks("published", 'full_mark', '"#ffffff"')) \
    . also(any(1, "published"), marks("published", 'open_mark', 'variable linewidth 1')) \
    . also(any(1, "reproduced"), ranges("reproduced", 'linewidth 1.3')) \
    . also(any(1, "reproduced"), marks("reproduced", 'full_mark', 'variable')) \
    . also(contradicting, 'table using (across("published")): \
        (end(3, "published") < mean("published") ? mean("published") : NaN):("*") \
        with labels offset 0, 0.7 center notitle') \
    . ', for [c in in_legend(1)] keyentry with points linecolor rgb colour(c) \
        pointtype full_mark(c) pointsize size_of(c) title name_of(c)' \
    . also(any(1, "published"), 'keyentry with yerrorbars @grey linewidth 1 \
        pointtype 6 pointsize size_of(1) title "published"') \
    . also(any(1, "reproduced"), 'keyentry with yerrorbars @grey linewidth 1.3 \
        pointtype 7 pointsize size_of(1) title "reproduced"') \
    . also(contradicting, 'keyentry with lines linecolor rgb "#ffffff" \
        title "* largest < mean"')
