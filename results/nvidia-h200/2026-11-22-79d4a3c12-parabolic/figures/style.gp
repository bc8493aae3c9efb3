# What all figures share: terminal, fonts, colours and marks.
# Called as `gnuplot -c figures/EXHIBIT.gp EXHIBIT TERMINAL OUTFILE` in the folder of a run; a script
# that needs more room than usual adds width and height in pixels.
# A colour and a mark belong to a variant, not to its place in a list: A2D looks the same everywhere.

exhibit = ARG1
width = ARGC > 3 ? int(ARG4) : 800
height = ARGC > 4 ? int(ARG5) : 560
if (ARG2 eq "svg") {
    set terminal svg size width,height font "Helvetica,Arial,sans-serif,14" background "#ffffff" \
        linewidth 1.2 dashlength 1.5
    mark_scale = 0.7 # the two terminals draw marks of one size differently
} else {
    set terminal pngcairo size width,height font "Sans,11" background "#ffffff" linewidth 1.4
    mark_scale = 1
}
outfile = ARG3
set encoding utf8

# Okabe and Ito's palette, which the colour-blind can tell apart, and two of Tol's.
known = "A1S A1D A2S A2D A2SD A1D-omp lapack-dptsv CPU CPU-omp GPU GPU-RB GPU-RBS" \
    . " cpu1 cpuN gpu gpu-coop" \
    . " wr-picard-cpu wr-picard-gpu wr-picard-omp wr-picard-blas" \
    . " wr-jacobi-cpu wr-jacobi-gpu wr-jacobi-omp wr-jacobi-blas" \
    . " wr-picard-gpu/wr-picard-cpu wr-picard-gpu/wr-picard-omp wr-picard-gpu/wr-picard-blas" \
    . " wr-jacobi-gpu/wr-jacobi-cpu wr-jacobi-gpu/wr-jacobi-omp wr-jacobi-gpu/wr-jacobi-blas" \
    . " GPU-TB" \
    . " wr-picard-gpu-fused wr-jacobi-gpu-fused" \
    . " wr-picard-gpu-fused/wr-picard-omp wr-jacobi-gpu-fused/wr-jacobi-omp" \
    . " wr-picard-gpu-fused/wr-picard-blas wr-jacobi-gpu-fused/wr-jacobi-blas"
array colours[37] = [0xE69F00, 0x000000, 0x56B4E9, 0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, \
    0x000000, 0x009E73, 0x56B4E9, 0x0072B2, 0xD55E00, \
    0x000000, 0x009E73, 0x56B4E9, 0xD55E00, \
    0x000000, 0x0072B2, 0x009E73, 0xCC79A7, 0x888888, 0xD55E00, 0xE69F00, 0x56B4E9, \
    0x0072B2, 0x009E73, 0xCC79A7, 0xD55E00, 0xE69F00, 0x56B4E9, \
    0xCC79A7, 0x332288, 0x882255, 0x332288, 0x882255, 0x000000, 0x888888]
# The open one; the filled one is the next.
array marks[37] = [8, 6, 10, 4, 12, 14, 8, 6, 14, 10, 4, 12, 6, 14, 10, 12, 6, 4, 12, 14, \
    8, 10, 12, 14, 4, 12, 14, 10, 12, 14, \
    8, 8, 4, 8, 4, 6, 8]

# Place of a variant in `known`; one that is not there gets a place by its name's length.
place(v) = sum [i=1:words(known)] (word(known, i) eq v ? i : 0)
look(v) = place(v) > 0 ? place(v) : 1 + strlen(v) % 7
colour(v) = colours[look(v)]
open_mark(v) = marks[look(v)]
full_mark(v) = marks[look(v)] + 1

# For curves in an order, as those of growing m: from dark to light, which the colour-blind see too.
array ordered_colours[6] = [0x160B39, 0x57106E, 0x932667, 0xCC4248, 0xF1731D, 0xEDA70C]
array ordered_marks[6] = [7, 5, 9, 11, 13, 15]

# A published value is a wide ring, so that the dot of a reproduced one can lie inside it.
open_size = 1.6 * mark_scale
full_size = 0.8 * mark_scale

set border 3 linecolor "#404040"
set tics nomirror out textcolor "#202020"
set grid xtics ytics linetype 1 linecolor "#e4e4e4" linewidth 0.7
set key outside right top vertical Left reverse samplen 2.2 spacing 1.25 noenhanced
set bars 0.6
# The svg terminal draws a white disc over the middle of every interval: make it too small to see.
# 0 would mean the usual size, and some viewers refuse what rounds to 0.00.
set pointintervalbox 0.01
