# One metric over n of an exhibit that nobody printed: a panel for each case and precision, those of
# a case in a column and those of a precision in a row, or side by side if there is one case, and in
# it a curve for each variant.
set datafile separator comma
set datafile columnheaders
precisions = ""
do for [p in "single mixed double"] {
    values = 0
    stats "compared.csv" using (strstrt(exhibits, " " . stringcolumn("exhibit") . " ") > 0 \
        && stringcolumn("metric") eq metric && stringcolumn("precision") eq p \
        && column("reproduced") > 0 ? (values = values + 1) : 0) nooutput
    if (values > 0) { precisions = precisions . " " . p }
}
one = words(cases) == 1
rows = one ? 1 : words(precisions)
in_row = one ? words(precisions) : words(cases)
array titles[rows * in_row]
do for [i=1:rows * in_row] {
    titles[i] = word(cases, one ? 1 : (i - 1) % in_row + 1) . ", " \
        . word(precisions, one ? i : (i - 1) / in_row + 1)
}
sharing = in_row
its_panel = '(place(cases, stringcolumn("case")) \
    + (one ? 1 : in_row) * (place(precisions, stringcolumn("precision")) - 1))'
load "figures/values.gp"

# The page has room for the heading, the curves' names and a line of notes above the panels.
width = larger(200 + 230 * in_row, one ? 800 : 0)
longest = 0
do for [c in in_legend(1)] { longest = larger(longest, strlen(c)) }
in_line = floor(larger(1, (width - 40) / (42 + 8.6 * longest)))
named_lines = ceil(words(in_legend(1)) / (1.0 * in_line))
call "figures/style.gp" exhibit terminal outfile width 560
head = 10 + 18 * caption_lines
above = head + 20 * named_lines + 24
height = 88 + above + 270 * rows
call "figures/style.gp" exhibit terminal outfile width height

if (from_zero) {
    set xrange [0 : largest_x * 1.04]
} else {
    set logscale x 2
    set xrange [least_x / 1.3 : largest_x * 1.3]
    set xtics ()
}
heading = caption
own = 'set format x lower ? "%g" : ""; few = log10(high / low) < 1.5; \
    named = few ? "1 2 5" : "1"; eval decades; \
    plain = few && low >= 0.01 && high < 1e5; \
    set format y to_right ? "" : plain ? "%g" : few ? "%.0t·10^{%T}" : "10^{%T}"; \
    if (!from_zero && lower) { eval powers_of_two }; \
    if (!from_zero && !lower) { do for [k=2:60:2] { set xtics add ("" 2.0**k) } }; \
    if (i == |titles|) { set label named_size at screen 0.5, screen 14.0 / height center noenhanced }'
named_size = across
across = "" # it is said once, for all columns
layers(i) = also(metric eq "speedup", '1 with lines linecolor rgb "#808080" linewidth 1 notitle') \
    . intervals(1, 'linecolor rgb colour(c) linewidth 1.3 pointtype -1') \
    . joined(1, "reproduced", '@marked dashtype dash(c)')
left = 84.0 / width
right = 20.0 / width
apart = (1 - left - right) / in_row
below = 56.0 / height
up = (1 - below - (above + 4.0) / height) / rows
array edges[6] = [left, left + 0.92 * apart, below, below + up - 56.0 / height, apart, up]
legend = "noenhanced"
legend_at = 1 - (head + 10.0 * named_lines) / height
quantity_at = 14.0 / width
notes_at = 1 - (head + 20.0 * named_lines + 10) / height
notes = noted_interval(1, 'linewidth 1.3 pointtype -1')
load "figures/panels.gp"
