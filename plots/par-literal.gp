# The diffusivity that was measured of the update read literally, over lambda; the equation has 1.
# A mark for each N, and on it a small one where a variant of the device has the value as well.
call "figures/style.gp" ARG1 ARG2 ARG3
columns = "reproduced"
its_curve = 'stringcolumn("n")'
its_kind = '(stringcolumn("variant") eq "CPU" ? 1 : 2)'
its_x = 'number(stringcolumn("case"))'
load "figures/values.gp"

# Two sizes nearly agree: the mark of a larger one is smaller, and lies on that of a smaller one.
curves = sizes
array size_colours[3] = [0xE69F00, 0x0072B2, 0x009E73]
array marks[3] = [5, 7, 9]
array widths[3] = [2.1, 1.3, 0.8]
rank(n) = 1 + (place(sizes, n) - 1) % 3
colour(n) = size_colours[rank(n)]
full_mark(n) = marks[rank(n)]
size_of(n) = widths[rank(n)] * mark_scale

set xrange [0 : largest_x * 1.06]
set yrange [0 : highest[1] * 1.06]
set title "Section 2: diffusivity of the update read literally, double precision" noenhanced
set xlabel "λ = Δt / h^2"
set ylabel "measured diffusivity"
set key inside left top
set samples 400

set output outfile
on_gpu = 'linewidth 1.2 pointtype 6 pointsize 0.7 * mark_scale'
eval 'plot 1 with lines linecolor rgb "#909090" linewidth 1.6 notitle, \
        [0:largest_x < 0.48 ? largest_x * 1.06 : 0.49] 1 / (1 - 2 * x) with lines \
            linecolor rgb "#000000" linewidth 0.8 notitle' \
    . points(1, '@marked') \
    . points(2, 'linecolor rgb "#ffffff" pointtype 7 pointsize 0.7 * mark_scale') \
    . points(2, 'linecolor rgb colour(c) @on_gpu') \
    . ', for [c in in_legend(1)] keyentry with points @marked title "N = " . c' \
    . also(any(2, "reproduced"), 'keyentry with points @grey @on_gpu title "GPU variants"') \
    . ', keyentry with lines linecolor rgb "#000000" linewidth 0.8 title "1/(1 − 2λ), which it tends to as h²", \
        keyentry with lines linecolor rgb "#909090" linewidth 1.6 title "1, the equation''s own"'
