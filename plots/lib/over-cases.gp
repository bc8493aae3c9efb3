# One metric in four panels, two rows of two, and a colour for each curve: over n a curve for each
# case, or over the cases a curve for each n. A case's place is the number in its id, as in m=4.
# Metric, axes and heading are set as style.gp says. The caller sets:
#   each: what a curve is for, "n" or the letter of the cases
#   shown, precisions: one word for each panel, a variant and a precision, in reading order
#   titles: an array of the panels' titles
# and may set:
#   dotted: for each panel a variant drawn as thin lines, or -; dotted_title: its name in the legend
#   printed: for each panel a number in print, drawn as a line, or -; printed_title: its label
#   unity: 1 draws a line there

if (!exists("dotted")) { dotted = "- - - -" }
if (!exists("printed")) { printed = "- - - -" }
if (!exists("unity")) { unity = 0 }

over_n = each ne "n"
panel_of(v, p) = sum [k=1:4] (word(precisions, k) eq p \
    && (word(shown, k) eq v || word(dotted, k) eq v) ? k : 0)
its_panel = 'panel_of(stringcolumn("variant"), stringcolumn("precision"))'
its_kind = '1 + has(dotted, stringcolumn("variant"))'
its_curve = over_n ? 'stringcolumn("case")' : 'stringcolumn("n")'
its_x = over_n ? 'column("n")' : 'number(stringcolumn("case"))'
sharing = 2
load "figures/values.gp"

# Measured or not, so that an order has the same colour in every figure; a few are spread over the
# whole palette.
curves = over_n ? cases : sizes
rank(c) = place(curves, c) - 1
colour(c) = ordered_colours[1 + int(rank(c) * 5.0 / larger(1, words(curves) - 1) + 0.5)]
full_mark(c) = ordered_marks[1 + rank(c) % 6]
size_of(c) = 1.2 * full_size
power_of_two(n) = int(floor(log(n) / log(2) + 0.5))
name_of(c) = each . " = " . (over_n ? c[strstrt(c, "=") + 1:] \
    : 2.0**power_of_two(c) == c ? sprintf("2^{%d}", power_of_two(c)) : c)

# The lines that are drawn belong into the ranges.
do for [i=1:4] {
    do for [line in word(printed, i) . (unity ? " 1" : "")] {
        if (line ne "-") {
            lowest[leader(i)] = smaller(lowest[leader(i)], real(line))
            highest[leader(i)] = larger(highest[leader(i)], real(line))
        }
    }
}

# Curves that meet at a size have their points and intervals beside each other.
beside(c) = 2.0**(0.06 * (rank(c) - 0.5 * (words(curves) - 1)) * (over_n ? 1 : 0))

set logscale x 2
set xrange [least_x / 1.3 : largest_x * 1.3]
eval powers_of_two
if (!over_n) {
    do for [k=2:60:2] {
        set xtics add (sprintf("%g", 2.0**k) 2.0**k, sprintf("1/%g", 2.0**k) 2.0**-k)
    }
}
set format y "%g"
set style textbox opaque noborder fillcolor rgb "#ffffff" margins 0.3, 0.1
own = 'named = log10(high / low) < 3.2 ? "1 2 5" : "1"; eval decades; \
    limit = word(printed, i) eq "-" ? 0 : real(word(printed, i)); \
    if (limit > 0) { set label "{/*0.85 " . word(printed, i) . ": " . printed_title . "}" \
        at graph 0.015, first limit offset 0, 0.65 left boxed textcolor rgb "#505050" front }'
layers(i) = also(unity, '1 with lines linecolor rgb "#808080" linewidth 1 notitle') \
    . also(limit > 0, 'limit with lines linecolor rgb "#505050" linewidth 1 dashtype 2 notitle') \
    . joined(2, "reproduced", 'linecolor rgb colour(c) dashtype (2, 4) linewidth 1.3 \
        pointtype 7 pointsize 0.4 * full_size') \
    . intervals(1, 'linecolor rgb colour(c) linewidth 1.3 pointtype -1') \
    . joined(1, "reproduced", '@marked')
legend = "enhanced"
notes = also(any(2, "reproduced"), 'keyentry with linespoints @grey dashtype (2, 4) \
        linewidth 1.3 pointtype 7 pointsize 0.4 * full_size title dotted_title') \
    . noted_interval(1, 'linewidth 1.3 pointtype 7 pointsize 1.2 * full_size')
load "figures/panels.gp"
