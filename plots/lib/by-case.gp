# One metric over n of an exhibit that nobody printed: a panel for each case and precision, those of
# a case in a column and those of a precision in a row, and in it a curve for each variant.
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
rows = words(precisions)
in_row = words(cases)
width = 200 + 230 * in_row
height = 180 + 270 * rows
call "figures/style.gp" exhibit terminal outfile width height

array titles[rows * in_row]
do for [i=1:rows * in_row] {
    titles[i] = word(cases, (i - 1) % in_row + 1) . ", " . word(precisions, (i - 1) / in_row + 1)
}
sharing = in_row
its_panel = '(place(cases, stringcolumn("case")) \
    + in_row * (place(precisions, stringcolumn("precision")) - 1))'
load "figures/values.gp"

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
    set format y to_right ? "" : few ? "%g" : "10^{%T}"; \
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
up = (1 - below - 92.0 / height) / rows
array edges[6] = [left, left + 0.92 * apart, below, below + up - 56.0 / height, apart, up]
legend = "noenhanced"
legend_at = 1 - 52.0 / height
quantity_at = 14.0 / width
notes_at = 1 - 72.0 / height
notes = noted_interval(1, 'linewidth 1.3 pointtype -1')
load "figures/panels.gp"
