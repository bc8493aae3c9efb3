# What all figures share: terminal, fonts, colours and marks.
# Called as `gnuplot -c figures/EXHIBIT.gp EXHIBIT TERMINAL OUTFILE` in the folder of a run; a script
# that needs more room than usual adds width and height in pixels.
# The head of the script, which `report` writes, has said what the exhibit and its family say:
#   known, roles: the family's variants and what each is; variants, cases: the exhibit's
#   metric; scale, by which its values are divided; quantity, unit: the y axis; size, meaning: the x
#   exhibits: whose values belong here; machines: where those in print were measured
#   fields: answers in the folder, FILE:N; where, title; from_zero: 1 if the sizes have equal steps

exhibit = ARG1
terminal = ARG2
long_names = 0
do for [v in variants] { long_names = long_names || strlen(v) > 20 }
width = ARGC > 3 ? int(ARG4) : long_names ? 960 : 800
height = ARGC > 4 ? int(ARG5) : 560
if (terminal eq "svg") {
    set terminal svg size width,height font "Helvetica,Arial,sans-serif,14" background "#ffffff" \
        linewidth 1.2 dashlength 1.5
    mark_scale = 0.7 # the two terminals draw marks of one size differently
} else {
    set terminal pngcairo size width,height font "Sans,11" background "#ffffff" linewidth 1.4
    mark_scale = 1
}
outfile = ARG3
set encoding utf8

# A variant looks the same in all figures of its family: its role has colours and marks, of which the
# variants take one after the other in the order of the family's table, and the next mark when all
# colours are taken. Colours by Okabe and Ito, and
# four by Tol, which the colour-blind can tell apart; of the marks the open one, the full is the next.
array published_colours[5] = [0x000000, 0xE69F00, 0x56B4E9, 0x0072B2, 0xD55E00]
array published_marks[4] = [6, 4, 8, 10]
array limit_colours[5] = [0x009E73, 0x332288, 0x882255, 0x999933, 0x661100]
array limit_marks[2] = [12, 8]
array other_colours[2] = [0xCC79A7, 0x888888]
array other_marks[3] = [14, 4, 10]
place(list, w) = sum [k=1:words(list)] (word(list, k) eq w ? k : 0)
role(v) = word(roles, place(known, v))
earlier(v) = sum [k=1:place(known, v)-1] (word(roles, k) eq role(v))
own_colour(v) = role(v) eq "published" ? published_colours[1 + earlier(v) % 5] \
    : role(v) eq "limit" ? limit_colours[1 + earlier(v) % 5] : other_colours[1 + earlier(v) % 2]
own_mark(v) = role(v) eq "published" ? published_marks[1 + earlier(v) % 4] \
    : role(v) eq "limit" ? limit_marks[1 + earlier(v) / 5 % 2] : other_marks[1 + earlier(v) / 2 % 3]

# A ratio A/B has the colour of A, the mark of B, and dots and dashes if B is not the paper's.
first(v) = v[1:strstrt(v . "/", "/") - 1]
second(v) = v[strstrt(v, "/") + 1:]
colour(v) = own_colour(first(v))
open_mark(v) = own_mark(second(v))
full_mark(v) = open_mark(v) + 1
dash(v) = first(v) eq v || role(second(v)) eq "published" ? 1 : role(second(v)) eq "limit" ? 4 : 3

heading = where . ": " . title
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
name_of(c) = c
marked = 'linecolor rgb colour(c) linewidth 1.3 pointtype full_mark(c) pointsize size_of(c)'
grey = 'linecolor rgb "#707070"'

# Tics, to be evaluated: those named of the y axis are `named` times powers of ten; of the x axis,
# every second power of two, because an increment would count from the range's end and not from 1.
named = "1"
decades = 'set ytics (1); do for [k=-12:12] { \
    do for [j in named] { set ytics add (j * 10.0**k) }; \
    do for [j=2:9] { set ytics add ("" j * 10.0**k 1) } }'
powers_of_two = 'set xtics ("1" 1); \
    do for [k=2:60:2] { set xtics add (sprintf("2^{%d}", k) 2.0**k) }'

set border 3 linecolor "#404040"
set tics nomirror out textcolor "#202020"
set grid xtics ytics linetype 1 linecolor "#e4e4e4" linewidth 0.7
set key outside right top vertical Left reverse samplen 2.2 spacing 1.25 noenhanced
set bars 0.6
# The svg terminal draws a white disc over the middle of every interval: make it too small to see.
# 0 would mean the usual size, and some viewers refuse what rounds to 0.00.
set pointintervalbox 0.01
