# Surfaces over the square at the times of a dumped field, from one or more runs side by side.
# The caller sets:
#   kept: patterns of files in fields/, without their size, separated by blanks: one for each column;
#     a * in it stands for anything
#   columns: an array of the columns' titles; times: an array of what to call the times
#   per_row: how many panels a row has; heading
# Reads the file with the largest N, of those that the head names as `fields`, words FILE:N without
# the end .N.csv; half_width is that of the square.

half_width = 2.0
set datafile separator comma

stem_of(field) = field[1:strstrt(field, ":") - 1]
size_of(field) = int(field[strstrt(field, ":") + 1:])
star(p) = strstrt(p, "*")
fits(name, p) = star(p) == 0 ? name eq p : strlen(name) >= strlen(p) - 1 \
    && name[1:star(p) - 1] eq p[1:star(p) - 1] \
    && name[strlen(name) - strlen(p) + star(p) + 1:] eq p[star(p) + 1:]

# A hundred thousand facets are fifty megabytes of SVG, so that it gets them as a picture of dots,
# which `report` removes.
as_dots = GPVAL_TERM eq "svg"
dots = outfile . ".dots.png"
if (as_dots) {
    eval page_of("pngcairo")
}
set output as_dots ? dots : outfile
set multiplot title heading noenhanced
set xrange [-half_width:half_width]
set yrange [-half_width:half_width]
set zrange [-1:1]
set cbrange [-1:1]
set palette defined (-1 "#2b5c8a", -0.4 "#8fb8de", 0 "#f2efe6", 0.4 "#e9a66b", 1 "#a63603")
# No lines between the facets: on a fine grid they make patterns of their own.
set pm3d depthorder lighting primary 0.45 specular 0.15
set view 52, 32, 0.98, 0.95
set xyplane at -1
unset key
unset grid
set border 31 linecolor "#909090" linewidth 0.6
set lmargin 0
set rmargin 0
set tmargin 0
set bmargin 0
set xtics 2 offset 0, -0.4
set ytics 2 offset 0, -0.2
set ztics 1
set xlabel "x" offset 0, -0.4
set ylabel "y" offset 0.4, -0.2
set zlabel "φ" offset 2, 0

panels = words(kept) * |times|
rows = (panels + per_row - 1) / per_row
drawn = 0
do for [p=1:panels] {
    column_of = (p - 1) % words(kept) + 1
    t = (p - 1) / words(kept) # index of the time
    cells = 0
    do for [field in fields] {
        if (fits(stem_of(field), word(kept, column_of)) && size_of(field) >= cells) {
            cells = size_of(field)
            file = "fields/" . stem_of(field) . "." . cells . ".csv"
        }
    }
    if (cells > 0) {
        place(k) = -half_width + 2 * half_width * k / cells
        row = (p - 1) / per_row
        # One bar of colours for all, on the right.
        if (drawn == 0) { set colorbox user origin 0.925, 0.3 size 0.018, 0.4 } else { unset colorbox }
        set size 0.9 / per_row, 0.95 / rows
        set origin 0.02 + 0.9 * ((p - 1) % per_row) / per_row, 0.95 * (rows - 1 - row) / rows
        set title times[t + 1] . columns[column_of] . sprintf(", %d × %d cells", cells, cells) \
            offset 0, -0.6
        splot file skip 1 index t using (place($2)):(place($3)):4 with pm3d
        drawn = drawn + 1
    }
}
unset multiplot
if (as_dots) {
    eval page_of("svg")
    unset colorbox
    unset xlabel
    unset ylabel
    set output outfile
    unset border
    unset tics
    unset title
    set size 1, 1
    set origin 0, 0
    set xrange [0:width]
    set yrange [0:height]
    plot dots binary filetype=png with rgbimage
    set output
}
if (drawn == 0) {
    printerr exhibit . ": there is no file in fields/"
    exit status 1
}
