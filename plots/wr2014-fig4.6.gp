# Figure 4.6 of the paper: spectral radii on (4.5) over h, Picard's as lines and Jacobi's as dots, a
# colour for each d. Those of Picard that lie above the page are named.
call "figures/style.gp" ARG1 ARG2 ARG3
columns = "reproduced"
its_curve = 'stringcolumn("n")'
its_kind = '(stringcolumn("variant") eq "wr-picard-cpu" ? 1 : 2)'
its_x = 'number(stringcolumn("case"))'
load "figures/values.gp"

curves = sizes
rank(d) = place(sizes, d) - 1
colour(d) = ordered_colours[1 + int(rank(d) * 5.0 / larger(1, words(sizes) - 1) + 0.5)]
full_mark(d) = ordered_marks[1 + rank(d) % 6]
size_of(d) = 1.2 * full_size

beyond = ""
do for [d in sizes] {
    least = 1e300
    stats table using (least = smaller(least, y(1, d, "reproduced")), 0) nooutput
    if (least > 1e5 && least < 1e300) { beyond = beyond . (beyond eq "" ? "" : ", ") . d }
}

set logscale xy 10
set format xy "10^{%T}"
set xrange [7e-4 : 150]
set yrange [1e-4 : 1e5]
set title "Figure 4.6: spectral radii on (4.5), Picard (lines) and Jacobi (dots)" noenhanced
across = "h"
quantity = "spectral radius"
eval name_axes
set output outfile
eval 'plot 1 with lines linecolor rgb "#808080" linewidth 1 notitle' \
    . layer(1, "reproduced", "reproduced", ' smooth unique with lines notitle \
        linecolor rgb colour(c) linewidth 1.3') \
    . points(2, '@marked') \
    . ', for [c in in_legend(1)] keyentry with linespoints @marked title "d = " . c, \
        keyentry with lines @grey linewidth 1.3 title "h A (Picard)"' \
    . also(beyond ne "", 'keyentry with lines linecolor rgb "#ffffff" \
        title "  above 10⁵: d = " . beyond') \
    . ', keyentry with points @grey pointtype 7 pointsize 1.2 * full_size \
        title "(I/h − D)⁻¹R (Jacobi)"'
