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

# A hundred thousand facets are fifty megabytes of SVG.
as_dots = terminal ne "pngcairo"
load "figures/relief.gp"
set multiplot title heading noenhanced
set xrange [-half_width:half_width]
set yrange [-half_width:half_width]
set zrange [-1:1]
set cbrange [-1:1]
set xyplane at -1
set xtics 2 offset 0, -0.4
set ytics 2 offset 0, -0.2
set ztics 1
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
load "figures/dots.gp"
if (drawn == 0) {
    printerr exhibit . ": there is no file in fields/"
    exit status 1
}
