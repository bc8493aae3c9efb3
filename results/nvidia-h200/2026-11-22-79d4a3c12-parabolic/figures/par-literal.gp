# The diffusivity that was measured of the update read literally, over lambda; the equation has 1.
# A mark for each N, and on it a small one where a variant of the device has the value as well.
call "figures/style.gp" ARG1 ARG2 ARG3

set datafile separator comma
set datafile columnheaders

table = "compared.csv"
lambda(case) = real(case[strstrt(case, "=") + 1:])
here(name) = stringcolumn("exhibit") eq exhibit && stringcolumn("metric") eq "diffusivity" \
    && column("reproduced") > 0 # that of an empty field is undefined
is(by_cpu) = (stringcolumn("variant") eq "CPU") == by_cpu
# First whether the row is of this exhibit: another one's case need not have a number.
y(n, by_cpu) = here(1) && is(by_cpu) && column("n") == n ? column("reproduced") : NaN
x(n, by_cpu) = y(n, by_cpu) > 0 ? lambda(stringcolumn("case")) : NaN

# The sizes in their order, who has a value, and the ranges.
sizes = ""
following = 0
while (following < 1e300) {
    before = following
    following = 1e300
    stats table using (here(1) && column("n") > before && column("n") < following \
        ? following = column("n") : 0) nooutput
    if (following < 1e300) { sizes = sizes . sprintf(" %.15g", following) }
}
if (words(sizes) == 0) {
    printerr exhibit . ": compared.csv has no value of diffusivity"
    exit status 1
}
array count[2] = [0, 0]
largest_x = 0
largest_y = 0
stats table using (here(1) ? (count[1 + is(1)] = count[1 + is(1)] + 1) \
    + (largest_x = lambda(stringcolumn("case")) > largest_x \
        ? lambda(stringcolumn("case")) : largest_x) \
    + (largest_y = column("reproduced") > largest_y ? column("reproduced") : largest_y) \
    : 0) nooutput

# Two sizes nearly agree: the mark of a larger one is smaller, and lies on that of a smaller one.
array size_colours[3] = [0xE69F00, 0x0072B2, 0x009E73]
array size_marks[3] = [5, 7, 9]
rank(n) = 1 + (sum [i=1:words(sizes)] (real(word(sizes, i)) < n)) % 3
size_of(n) = (rank(n) == 1 ? 2.1 : rank(n) == 2 ? 1.3 : 0.8) * mark_scale

set xrange [0 : largest_x * 1.06]
set yrange [0 : largest_y * 1.06]
set title "Section 2: diffusivity of the update read literally, double precision" noenhanced
set xlabel "λ = Δt / h^2"
set ylabel "measured diffusivity"
set key inside left top
set samples 400

set output outfile
layer(any, text) = any ? text . ", " : ""
eval "plot " \
    . '1 with lines linecolor rgb "#909090" linewidth 1.6 notitle, \
        [0:largest_x < 0.48 ? largest_x * 1.06 : 0.49] 1 / (1 - 2 * x) with lines \
            linecolor rgb "#000000" linewidth 0.8 notitle, ' \
    . layer(count[2] > 0, 'for [n in sizes] table using (x(real(n), 1)):(y(real(n), 1)) \
        with points linecolor rgb size_colours[rank(n)] pointtype size_marks[rank(n)] \
        pointsize size_of(n) notitle') \
    . layer(count[1] > 0, 'for [n in sizes] table using (x(real(n), 0)):(y(real(n), 0)) \
        with points linecolor rgb "#ffffff" pointtype 7 pointsize 0.7 * mark_scale notitle, \
        for [n in sizes] table using (x(real(n), 0)):(y(real(n), 0)) \
        with points linecolor rgb size_colours[rank(n)] linewidth 1.2 pointtype 6 \
        pointsize 0.7 * mark_scale notitle') \
    . 'for [n in sizes] keyentry with points linecolor rgb size_colours[rank(n)] \
        pointtype size_marks[rank(n)] pointsize size_of(n) title "N = " . n, ' \
    . layer(count[1] > 0, 'keyentry with points linecolor rgb "#707070" linewidth 0.8 \
        pointtype 6 pointsize 0.7 * mark_scale title "GPU variants"') \
    . 'keyentry with lines linecolor rgb "#000000" linewidth 0.8 title "1/(1 − 2λ)", \
        keyentry with lines linecolor rgb "#909090" linewidth 1.6 title "1, the equation''s own"'
