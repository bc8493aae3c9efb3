# What all figures share: terminal, fonts, colours and marks.
# Called as `gnuplot -c figures/EXHIBIT.gp EXHIBIT TERMINAL OUTFILE` in the folder of a run; a script
# that needs more room than usual adds width and height in pixels.
# The head of the script, which `report` writes, has said what the exhibit and its family say:
#   known, roles: the family's variants and what each is; variants, cases: the exhibit's
#   metric; scale, by which its values are divided; quantity, unit: the y axis; size, meaning: the x
#   exhibits: whose values belong here; machines: where those in print were measured
#   fields: answers in the folder, FILE:N; where, title; equal_steps: 1 if the sizes have such
#   falls: 1 if the metric is an error that falls with h; projected: VARIANT,N,SECONDS of what was
#   too long to be measured

exhibit = ARG1
terminal = ARG2
long_names = 0
do for [v in variants] { long_names = long_names || strlen(v) > 20 }
width = ARGC > 3 ? int(ARG4) : long_names ? 960 : 800
height = ARGC > 4 ? int(ARG5) : 560
# The page, to be evaluated again when its size has changed.
page_of(t) = t eq "pdfcairo" ? sprintf('set terminal pdfcairo size %.4fin,%.4fin linewidth 1.4 \
        font "Sans,11" background "#ffffff"', width / 96.0, height / 96.0) \
    : sprintf(t eq "svg" ? 'set terminal svg size %d,%d linewidth 1.2 dashlength 1.5 \
        font "Helvetica,Arial,sans-serif,14" background "#ffffff"' \
    : 'set terminal pngcairo size %d,%d linewidth 1.4 font "Sans,11" background "#ffffff"', \
    width, height)
eval page_of(terminal)
mark_scale = terminal eq "svg" ? 0.7 : 1 # the two draw marks of one size differently
outfile = ARG3
set encoding utf8

# A variant looks the same in all figures of its family: its role has colours and marks, of which the
# variants take one after the other in the order of the family's table, and the next mark when all
# colours are taken. Colours by Okabe and Ito, and
# four by Tol, which the colour-blind can tell apart; of the marks the open one, the full is the next.
array published_colours[5] = [0x000000, 0xE69F00, 0x56B4E9, 0x0072B2, 0xD55E00]
array published_marks[4] = [6, 4, 8, 10]
array limit_colours[5] = [0x009E73, 0x332288, 0x882255, 0x999933, 0x661100]
array limit_marks[4] = [12, 8, 10, 4]
array other_colours[2] = [0xCC79A7, 0x888888]
array other_marks[3] = [14, 4, 10]
place(list, w) = sum [k=1:words(list)] (word(list, k) eq w ? k : 0)
role(v) = word(roles, place(known, v))
earlier(v) = sum [k=1:place(known, v)-1] (word(roles, k) eq role(v))
own_colour(v) = role(v) eq "published" ? published_colours[1 + earlier(v) % 5] \
    : role(v) eq "limit" ? limit_colours[1 + earlier(v) % 5] : other_colours[1 + earlier(v) % 2]
own_mark(v) = role(v) eq "published" ? published_marks[1 + earlier(v) % 4] \
    : role(v) eq "limit" ? limit_marks[1 + earlier(v) / 5 % 4] : other_marks[1 + earlier(v) / 2 % 3]

# A curve is of a variant, or of one in one of its precisions, as in A2-limit:single. A ratio A/B has
# the colour of A, the mark of B, and dots and dashes if B is not the paper's. Curves that would look
# alike take other shades, marks and dashes: shifts, which values.gp sets, has how often. Dashes of
# type 2 are those of what was published.
if (!exists("shifts")) { shifts = "" }
shift(c) = sum [k=1:words(shifts)] (word(curves, k) eq c ? int(word(shifts, k)) : 0)
variant_of(c) = c[1:strstrt(c . ":", ":") - 1]
first(v) = v[1:strstrt(v . "/", "/") - 1]
second(v) = variant_of(v)[strstrt(v, "/") + 1:]
array dashes[4] = [1, 4, 3, 5]
dashed(v) = strstrt(v, "/") == 0 || role(second(v)) eq "published" ? 0 \
    : role(second(v)) eq "limit" ? 1 : 2
shifted_mark(m, k) = 4 + (m - 4 + 4 * k + 2 * (k / 3)) % 12
part(rgb, bits, k) = ((rgb >> bits) & 255) * (k == 0 ? 1 : 0.55) + (k > 0 && k % 2 == 0 ? 115 : 0)
shade(rgb, k) = (int(part(rgb, 16, k)) << 16) + (int(part(rgb, 8, k)) << 8) + int(part(rgb, 0, k))
colour(c) = shade(own_colour(first(variant_of(c))), shift(c))
open_mark(c) = shifted_mark(own_mark(second(c)), shift(c))
full_mark(c) = open_mark(c) + 1
dash(c) = dashes[1 + (dashed(c) + shift(c)) % 4]

heading = where . ": " . title
k = strstrt(heading, "^-1")
if (k > 0) { heading = heading[1:k - 1] . "⁻¹" . heading[k + 3:] }
smaller_of(a, b) = b < a ? b : a
across = size . ", " . meaning
quantity = quantity . (unit eq "" ? "" : " in " . unit)
unit = "" # it is said now, if this is called again for another size of page

# The heading in lines that fit, about equally long.
fits = strlen(heading) / ceil(strlen(heading) / smaller_of(88.0, width / 9.1)) + 6
caption = ""
caption_lines = machines eq "" ? 1 : 2
line = ""
do for [w in heading] {
    if (strlen(line . w) > fits) {
        caption_lines = caption_lines + 1
        caption = caption . line . "\n"
        line = ""
    }
    line = line . (line eq "" ? "" : " ") . w
}
caption = caption . line . (machines eq "" ? "" : "\npublished: " . machines)

# For curves in an order, as those of growing m: from dark to light, which the colour-blind see too.
array ordered_colours[6] = [0x160B39, 0x57106E, 0x932667, 0xCC4248, 0xF1731D, 0xEDA70C]
array ordered_marks[6] = [7, 5, 9, 11, 13, 15]

# A published value is a wide ring, so that the dot of a reproduced one can lie inside it.
open_size = 1.6 * mark_scale
full_size = 0.8 * mark_scale

# A curve c, to be set otherwise where it is not a variant's; and what the legend says of all.
size_of(c) = full_size
width_of(c) = 1.3
name_of(c) = variant_of(c) . (variant_of(c) eq c ? "" : " " . c[strstrt(c, ":") + 1:])
marked = 'linecolor rgb colour(c) linewidth width_of(c) pointtype full_mark(c) pointsize size_of(c)'
grey = 'linecolor rgb "#707070"'

# Tics, to be evaluated, because an increment would count from the range's end and not from 1. Of the
# y axis, from low to high, `named` times powers of ten and small ones between; but every second power
# and nothing between where they are many. Of the x axis, powers of two, or every second where no
# size lies between or they are many.
named = "1"
decades = 'every = log10(high / low) > 9 ? 2 : 1; set ytics (); \
    do for [k=floor(log10(low)):ceil(log10(high))] { \
        if (k % every == 0) { do for [j in named] { set ytics add (j * 10.0**k) } } \
        else { set ytics add ("" 10.0**k 1) }; \
        if (every == 1) { do for [j=2:9] { set ytics add ("" j * 10.0**k 1) } } }'
powers_of_two = 'every = odd_powers == 0 || largest_x > 2000 * least_x ? 2 : 1; \
    set xtics (); \
    do for [k=0:60:every] { set xtics add (sprintf("2^{%d}", k) 2.0**k) }'

# The names of the axes. How far the y axis's own title is from it differs between the terminals.
name_axes = 'set lmargin at screen 84.0 / width; set xlabel across noenhanced; \
    set label quantity at screen 14.0 / width, graph 0.5 center rotate noenhanced'

set border 3 linecolor "#404040"
set tics nomirror out textcolor "#202020"
set grid xtics ytics linetype 1 linecolor "#e4e4e4" linewidth 0.7
set key outside right top vertical Left reverse samplen 2.2 spacing 1.25 noenhanced
set bars 0.6
# The svg terminal draws a white disc over the middle of every interval: make it too small to see.
# 0 would mean the usual size, and some viewers refuse what rounds to 0.00.
set pointintervalbox 0.01
