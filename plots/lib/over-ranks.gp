# Scaling over the number of ranks, which stands in a case's id as in model2-ranks=4: a panel for each
# variant, precision and what else the case says, and in it a curve for each size. Grey: as many times
# as fast as there are ranks or, of an efficiency, 1.
exhibits = " " . exhibit . " " # the same ratios against other cases are other figures
set datafile separator comma
set datafile columnheaders
ranks_of(c) = real(c[strstrt(c, "ranks=") + 6:])
kind_of(c) = strstrt(c, "ranks=") > 1 ? c[1:strstrt(c, "ranks=") - 2] : "all"
is_here(m) = strstrt(exhibits, " " . stringcolumn("exhibit") . " ") > 0 \
    && stringcolumn("metric") eq m && column("reproduced") > 0
panel_word(k, v, p) = k . ":" . v . ":" . p
panels = ""
stats "compared.csv" using (is_here(metric) ? (w = panel_word(kind_of(stringcolumn("case")), \
    first(stringcolumn("variant")), stringcolumn("precision")), \
    panels = strstrt(" " . panels . " ", " " . w . " ") > 0 ? panels : panels . " " . w, 0) : 0) nooutput
if (words(panels) == 0) { panels = "all:nothing:double" }
kind(w) = w[1:strstrt(w, ":") - 1]
behind(w) = w[strstrt(w, ":") + 1:]
array titles[words(panels)]
do for [i=1:words(panels)] {
    w = word(panels, i)
    titles[i] = (kind(w) eq "all" ? "" : kind(w) . ", ") . kind(behind(w)) . ", " . behind(behind(w))
}
its_panel = 'place(panels, panel_word(kind_of(stringcolumn("case")), \
    first(stringcolumn("variant")), stringcolumn("precision")))'
its_curve = 'stringcolumn("n")'
its_x = 'ranks_of(stringcolumn("case"))'
sharing = words(panels)
load "figures/values.gp"

curves = sizes
rank(c) = place(curves, c) - 1
colour(c) = ordered_colours[1 + int(rank(c) * 5.0 / larger(1, words(curves) - 1) + 0.5)]
full_mark(c) = ordered_marks[1 + rank(c) % 6]
size_of(c) = 1.2 * full_size
name_of(c) = is_odd(c) || exponent(c) == floor(exponent(c)) \
    ? sprintf("%s = 2^{%d}", size, int(exponent(c))) : size . " = " . c

across = "ranks, each with a card"
weak = quantity eq "efficiency"
set logscale x 2
set xrange [least_x / 1.2 : larger(2, largest_x) * 1.2]
set xtics (1, 2, 4, 8, 16, 32, 64)
set format y "%g"
lowest[1] = weak ? smaller(lowest[1], 0.9) : smaller(lowest[1], 1)
highest[1] = weak ? larger(highest[1], 1) : larger(highest[1], largest_x)
own = 'unset ytics; set ytics nomirror out textcolor "#202020"; set ytics (); \
    if (weak) { do for [k=1:15] { set ytics add (0.1 * k) } } \
    else { do for [k=-3:6] { set ytics add (2.0**k) } }'
layers(i) = sprintf(', %s with lines linecolor rgb "#909090" linewidth 1 notitle', weak ? "1" : "x") \
    . intervals(1, 'linecolor rgb colour(c) linewidth 1.3 pointtype -1') \
    . joined(1, "reproduced", '@marked')
legend = "enhanced"
notes = ', keyentry with lines linecolor rgb "#909090" linewidth 1 title "ideal"' \
    . noted_interval(1, 'linewidth 1.3 pointtype 7 pointsize 1.2 * full_size')
rows = words(panels) > 2 ? 2 : 1
load "figures/panels.gp"
