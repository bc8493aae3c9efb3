# A roofline: operations a byte against the rate, both on logarithmic axes. The roof is what this
# run's ceilings give: the memory's bandwidth, up to the rate of multiply-adds. A panel for each
# family, in it a point for each variant, open in single precision.
# The head has the points, `family variant precision device intensity rate`, in $points; families,
# and for each what style.gp wants to know of its variants; and the ceilings, 0 where not measured.
columns = words(families) > 1 ? 2 : 1
rows = (words(families) + columns - 1) / columns
panel_height = 380.0
page_width = columns == 1 ? 700 : 1060
page_height = int(90 + panel_height * rows)
known = knowns[1]
roles = role_lists[1]
call "figures/style.gp" ARG1 ARG2 ARG3 page_width page_height

is_here(f, v, double) = strcol(1) eq word(families, f) && strcol(2) eq v && \
    (strcol(3) eq "double") == double
rate_of(f, v, double) = is_here(f, v, double) ? $6 : NaN
stats $points using 5 nooutput
least_x = smaller_of(10**floor(log10(STATS_min)), 0.01)
largest_x = 10**ceil(log10(1.01 * STATS_max))
largest_x = largest_x < 100 ? 100 : largest_x # beyond the edge of any roof
stats $points using 6 nooutput
least_y = 10**floor(log10(STATS_min))
largest_y = STATS_max
do for [c in "gpu_single gpu_double cpu_single cpu_double"] {
    largest_y = value(c) > largest_y ? value(c) : largest_y
}
largest_y = 10**ceil(log10(1.01 * largest_y))

# Three points of a roof: where it begins, its edge, where it ends.
roof_x(i, bytes, flops) = i == 0 ? least_x : i == 1 ? flops / bytes : largest_x
roof_y(i, bytes, flops) = bytes > 0 && flops > 0 ? (i == 0 ? bytes * least_x : flops) : NaN
roof = '"+" using (bytes = %s_bytes, flops = %s_%s, roof_x($0, bytes, flops)):\
    (roof_y($0, bytes, flops)) notitle with lines linecolor rgb "%s" linewidth 1.4 dashtype %d, '
roofs = sprintf(roof, "gpu", "gpu", "double", "#404040", 1) \
    . sprintf(roof, "gpu", "gpu", "single", "#404040", 2) \
    . sprintf(roof, "cpu", "cpu", "double", "#a0a0a0", 1) \
    . sprintf(roof, "cpu", "cpu", "single", "#a0a0a0", 2)

set output outfile
set multiplot title heading . "\nroofs: GPU black, CPU grey, dashed in single precision, as marks are open" \
    noenhanced
set logscale xy 10
set format xy "10^{%T}"
set xrange [least_x : largest_x]
set yrange [least_y : largest_y]
set xtics autofreq
set samples 3
mark = 'with points linecolor rgb own_colour(v) pointsize 1.3 * full_size pointtype own_mark(v)'
do for [f=1:words(families)] {
    known = knowns[f]
    roles = role_lists[f]
    column = (f - 1) % columns
    row = (f - 1) / columns
    spacing = words(shown[f]) > 14 ? 0.8 : 1.1
    font = words(shown[f]) > 14 ? ",11" : ",12"
    top = 1 - (80 + panel_height * row) / page_height
    set lmargin at screen (column + 0.15) / columns
    set rmargin at screen (column + 0.66) / columns
    set tmargin at screen top
    set bmargin at screen 1 - (panel_height * (row + 1) - 18) / page_height
    set key at screen (column + 0.675) / columns, screen top left top vertical maxcols 1 Left reverse \
        samplen 1 spacing spacing font font noenhanced
    set title word(families, f) noenhanced offset 0, -0.7
    unset label
    set label "operations a byte of the least traffic" at graph 0.5, graph -0.19 center
    set label quantity at screen 1.0 * column / columns + 14.0 / page_width, graph 0.5 center rotate noenhanced
    eval "plot " . roofs . \
        'for [v in shown[f]] $points using 5:(rate_of(f, v, 0)) notitle @mark, \
        for [v in shown[f]] $points using 5:(rate_of(f, v, 1)) notitle @mark + 1, \
        for [v in shown[f]] keyentry @mark + 1 title v'
}
unset multiplot
