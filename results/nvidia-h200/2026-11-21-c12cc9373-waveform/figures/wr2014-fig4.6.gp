# Figure 4.6 of the paper: spectral radii on (4.5) over h, Picard's as lines and Jacobi's as dots, a
# colour for each d. Those of Picard that lie above the page are named.
call "figures/style.gp" ARG1 ARG2 ARG3

set datafile separator comma
set datafile columnheaders
set datafile missing NaN # what another row holds does not break a line

table = "compared.csv"
step(case) = real(case[strstrt(case, "=") + 1:])
here(v) = stringcolumn("exhibit") eq exhibit && stringcolumn("metric") eq "spectral_radius" \
    && stringcolumn("variant") eq v && column("reproduced") > 0
y(v, d) = here(v) && column("n") == d ? column("reproduced") : NaN
x(v, d) = y(v, d) > 0 ? step(stringcolumn("case")) : NaN

# The sizes, in their order.
sizes = ""
following = 0
while (following < 1e300) {
    before = following
    following = 1e300
    stats table using (here("wr-jacobi-cpu") && column("n") > before && column("n") < following \
        ? following = column("n") : 0) nooutput
    if (following < 1e300) { sizes = sizes . sprintf(" %.15g", following) }
}
if (words(sizes) == 0) {
    printerr exhibit . ": compared.csv has no value of spectral_radius"
    exit status 1
}
steps = words(sizes) > 1 ? words(sizes) - 1 : 1
colour_of(k) = ordered_colours[1 + int((k - 1) * 5.0 / steps + 0.5)]

beyond = ""
do for [d in sizes] {
    least = 1e300
    stats table using (y("wr-picard-cpu", real(d)) < least \
        ? least = column("reproduced") : 0) nooutput
    if (least > 1e5 && least < 1e300) { beyond = beyond . (beyond eq "" ? "" : ", ") . d }
}

set logscale xy 10
set format xy "10^{%T}"
set xrange [7e-4 : 150]
set yrange [1e-4 : 1e5]
set title "Figure 4.6: spectral radii on (4.5), Picard (lines) and Jacobi (dots)" noenhanced
set xlabel "h"
set ylabel "spectral radius"
set output outfile
plot 1 with lines linecolor rgb "#808080" linewidth 1 notitle, \
    for [k=1:words(sizes)] table \
        using (x("wr-picard-cpu", real(word(sizes, k)))):(y("wr-picard-cpu", real(word(sizes, k)))) \
        smooth unique with lines linecolor rgb colour_of(k) linewidth 1.3 notitle, \
    for [k=1:words(sizes)] table \
        using (x("wr-jacobi-cpu", real(word(sizes, k)))):(y("wr-jacobi-cpu", real(word(sizes, k)))) \
        with points linecolor rgb colour_of(k) pointtype ordered_marks[1 + (k - 1) % 6] \
        pointsize 1.2 * full_size notitle, \
    for [k=1:words(sizes)] keyentry with linespoints linecolor rgb colour_of(k) linewidth 1.3 \
        pointtype ordered_marks[1 + (k - 1) % 6] pointsize 1.2 * full_size \
        title "d = " . word(sizes, k), \
    keyentry with lines linecolor rgb "#707070" linewidth 1.3 title "h A (Picard)", \
    keyentry with lines linecolor rgb "#ffffff" \
        title (beyond eq "" ? "" : "  above for d = " . beyond), \
    keyentry with points linecolor rgb "#707070" pointtype 7 pointsize 1.2 * full_size \
        title "(I/h - D)^-1 R (Jacobi)"
