# One metric in four panels, two rows of two, and a colour for each curve: over n a curve for each
# case, or over the cases a curve for each n. A case's place is the number in its id, as in m=4.
# Metric, axes and heading are set as style.gp says. The caller sets:
#   each: what a curve is for, "n" or the letter of the cases
#   shown, precisions: one word for each panel, a variant and a precision, in reading order
#   titles: an array of the panels' titles
# and may set:
#   dotted: for each panel a variant drawn as thin lines, or -; dotted_title: its name in the legend
#   printed: for each panel a number in print, drawn as a line, or -; printed_title: its label
#   unity: 1 draws a line there
# Reads compared.csv in the current folder; what has no value is neither drawn nor in the legend.

if (!exists("dotted")) { dotted = "- - - -" }
if (!exists("printed")) { printed = "- - - -" }
if (!exists("unity")) { unity = 0 }

set datafile separator comma
set datafile columnheaders
set datafile missing NaN # what another row holds does not break a line

table = "compared.csv"
over_n = each ne "n"
number(case) = real(case[strstrt(case, "=") + 1:])
place(by_n) = by_n ? column("n") : number(stringcolumn("case"))
here(name) = stringcolumn("exhibit") eq exhibit && stringcolumn("metric") eq name
# A value that a logarithmic axis can show; that of an empty field is undefined, so nothing is drawn.
of(v, p, name) = here(metric) && stringcolumn("variant") eq v && stringcolumn("precision") eq p \
    && column(name) > 0 ? column(name) / scale : NaN
# First whether the row is of this exhibit: another one's case need not have a number.
y(c, v, p, name) = of(v, p, name) > 0 && place(!over_n) == c ? of(v, p, name) : NaN
x(c, v, p) = y(c, v, p, "reproduced") > 0 ? place(over_n) : NaN

smaller(a, b) = b < a ? b : a # a if b is NaN
larger(a, b) = b > a ? b : a
word_of(c) = sprintf(" %.15g ", c)
add(list, c) = strstrt(list, word_of(c)) ? list : list . word_of(c)

# All curves in their order, measured or not: an order has the same colour in every figure.
curves = ""
following = 0
while (following < 1e300) {
    before = following
    following = 1e300
    stats table using (here(metric) && place(!over_n) > before \
        ? following = smaller(following, place(!over_n)) : 0) nooutput
    if (following < 1e300) { curves = curves . word_of(following) }
}

# What there is to draw in each panel, curves, intervals and dotted ones, and the ranges.
array having[4]
array with_interval[4]
array with_dotted[4]
array lowest[2] = [1e300, 1e300] # of each row of panels
array highest[2] = [0, 0]
least_x = 1e300
largest_x = 0
do for [i=1:4] {
    p = word(precisions, i)
    row = (i + 1) / 2
    low = lowest[row]
    high = highest[row]
    do for [what in "reproduced ci_lo dotted"] {
        v = word(what eq "dotted" ? dotted : shown, i)
        name = what eq "dotted" ? "reproduced" : what
        list = ""
        stats table using (of(v, p, name) > 0 \
            ? strlen(list = add(list, place(!over_n))) \
                + (low = smaller(low, of(v, p, name))) \
                + (high = larger(high, of(v, p, name))) \
                + (least_x = smaller(least_x, place(over_n))) \
                + (largest_x = larger(largest_x, place(over_n))) \
                + (high = larger(high, of(v, p, "ci_hi"))) : 0) nooutput
        if (what eq "reproduced") { having[i] = list }
        if (what eq "ci_lo") { with_interval[i] = list }
        if (what eq "dotted") { with_dotted[i] = list }
    }
    lowest[row] = low
    highest[row] = high
}
having_any = having[1] . having[2] . having[3] . having[4]
interval_any = with_interval[1] . with_interval[2] . with_interval[3] . with_interval[4]
dotted_any = with_dotted[1] . with_dotted[2] . with_dotted[3] . with_dotted[4]
if (words(having_any . dotted_any) == 0) {
    printerr exhibit . ": compared.csv has no value of " . metric
    exit status 1
}
in_legend = ""
do for [c in curves] {
    if (strstrt(having_any . dotted_any, word_of(real(c)))) { in_legend = in_legend . " " . c }
}

# A few curves are spread over the whole palette.
rank(c) = sum [k=1:words(curves)] (word(curves, k) eq c ? k - 1 : 0)
steps = larger(1, words(curves) - 1)
colour_of(c) = ordered_colours[1 + int(rank(c) * 5.0 / steps + 0.5)]
mark_of(c) = ordered_marks[1 + rank(c) % 6]
power_of_two(n) = int(floor(log(n) / log(2) + 0.5))
name_of(c) = each . " = " . (!over_n && 2.0**power_of_two(real(c)) == real(c) \
    ? sprintf("2^{%d}", power_of_two(real(c))) : c)

# Both panels of a row have the same range: what is drawn, its lines, and some room.
do for [row=1:2] {
    low = highest[row] > 0 ? lowest[row] : lowest[3 - row]
    high = highest[row] > 0 ? highest[row] : highest[3 - row]
    do for [i=2*row-1:2*row] {
        if (word(printed, i) ne "-") {
            low = smaller(low, real(word(printed, i)))
            high = larger(high, real(word(printed, i)))
        }
    }
    if (unity) {
        low = smaller(low, 1)
        high = larger(high, 1)
    }
    room = larger((high / low)**0.08, (4 * low / high)**0.5)
    lowest[row] = low / room
    highest[row] = high * room
}

# The panels in parts of the page: where the lower left one is, and from one to the next.
left = 0.092
right = 0.492
bottom = 0.092
top = 0.422
step_x = 0.492
step_y = 0.43

set output outfile
set multiplot title heading noenhanced
set logscale x 2
set logscale y 10
set xrange [least_x / 1.3 : largest_x * 1.3]
set key off

layer(list, text) = words(list) > 0 ? ", " . text : ""
do for [i=1:4] {
    row = (i + 1) / 2
    across_page = (i + 1) % 2
    up_page = 2 - row
    p = word(precisions, i)
    v = word(shown, i)
    w = word(dotted, i)
    set lmargin at screen left + across_page * step_x
    set rmargin at screen right + across_page * step_x
    set bmargin at screen bottom + up_page * step_y
    set tmargin at screen top + up_page * step_y

    set yrange [lowest[row] : highest[row]]
    decades = log10(highest[row] / lowest[row])
    set ytics ("1" 1)
    do for [k=-12:12] {
        do for [j in (decades < 3.2 ? "1 2 5" : "1")] {
            set ytics add (sprintf("%g", j * 10.0**k) j * 10.0**k)
        }
        do for [j=2:9] { set ytics add ("" j * 10.0**k 1) }
    }
    set xtics ("1" 1)
    # Every second power by name: an increment would count from the range's end, not from 1.
    do for [k=2:60:2] {
        set xtics add ((over_n ? sprintf("2^{%d}", k) : sprintf("%g", 2.0**k)) 2.0**k)
        if (!over_n) { set xtics add (sprintf("1/%g", 2.0**k) 2.0**-k) }
    }
    set title titles[i] noenhanced offset 0, -0.4
    # Labels, for the distance of an axis's own title from it differs between the terminals.
    unset label
    if (up_page == 0) { set label across at graph 0.5, screen 0.019 center noenhanced }
    if (across_page == 0) {
        set label quantity at screen 0.019, graph 0.5 center rotate noenhanced
    }
    if (words(having[i] . with_dotted[i]) == 0) {
        set label "not measured here" at graph 0.5, 0.5 center textcolor rgb "#707070"
    }
    limit = word(printed, i) eq "-" ? 0 : real(word(printed, i))
    if (limit > 0) {
        set label "{/*0.85 " . word(printed, i) . ": " . printed_title . "}" \
            at graph 0.015, first limit offset 0, 0.65 left textcolor rgb "#505050" front
    }
    eval "plot NaN notitle" \
        . (unity ? ', 1 with lines linecolor rgb "#808080" linewidth 1 notitle' : '') \
        . (limit > 0 ? ', limit with lines linecolor rgb "#505050" linewidth 1 dashtype 2 notitle' \
            : '') \
        . layer(with_dotted[i], 'for [c in with_dotted[i]] \
            table using (x(real(c), w, p)):(y(real(c), w, p, "reproduced")) smooth unique \
            with linespoints linecolor rgb colour_of(c) dashtype (2, 4) linewidth 1.3 \
            pointtype 7 pointsize 0.4 * full_size notitle') \
        . layer(with_interval[i], 'for [c in with_interval[i]] \
            table using (x(real(c), v, p)):(y(real(c), v, p, "reproduced")) \
                :(y(real(c), v, p, "ci_lo")):(y(real(c), v, p, "ci_hi")) \
            with yerrorbars linecolor rgb colour_of(c) linewidth 1.3 pointtype -1 notitle') \
        . layer(having[i], 'for [c in having[i]] \
            table using (x(real(c), v, p)):(y(real(c), v, p, "reproduced")) smooth unique \
            with linespoints linecolor rgb colour_of(c) linewidth 1.3 \
            pointtype mark_of(c) pointsize 1.2 * full_size notitle')
}

# One legend for all, of two lines beneath the heading.
unset border
unset tics
unset grid
unset title
unset label
unset logscale
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
set key on horizontal Left reverse samplen 2.2 enhanced
set key at screen 0.5, 0.945 center
plot [0:1] [0:1] NaN notitle, for [c in in_legend] keyentry with linespoints \
    linecolor rgb colour_of(c) linewidth 1.3 pointtype mark_of(c) pointsize 1.2 * full_size \
    title name_of(c)
set key at screen 0.5, 0.915 center
eval "plot [0:1] [0:1] NaN notitle" \
    . layer(dotted_any, 'keyentry with linespoints linecolor rgb "#707070" dashtype (2, 4) \
        linewidth 1.3 pointtype 7 pointsize 0.4 * full_size title dotted_title') \
    . layer(interval_any, 'keyentry with yerrorbars linecolor rgb "#707070" linewidth 1.3 \
        pointtype 7 pointsize 1.2 * full_size title "95 % interval"')
unset multiplot
