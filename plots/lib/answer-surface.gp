# An answer as a surface: a panel for each time, and one bar of colours for all.
load "figures/answer-page.gp"
width = per_row == 3 ? 1200 : per_row == 2 ? 1000 : 800
height = int(head + lines * (per_row == 1 ? 520 : per_row == 2 ? 420 : 360) + foot)
# So few facets are drawn as such wherever they are.
as_dots = terminal ne "pngcairo" && |titles| * columns * rows > 4000
eval page_of(terminal)
load "figures/relief.gp"
eval shades
set multiplot
set xrange [x_first:x_last]
set yrange [y_first:y_last]
set zrange [low:high]
set xyplane at low
step_x = (x_last - x_first) / 4
step_y = (y_last - y_first) / 4
set xtics step_x offset 0, -0.4
set ytics step_y offset 0, -0.2
set xlabel x_name noenhanced
set ylabel y_name noenhanced
set view 52, 32, 0.98, 1.15
words_around = say . '; set label quantity at screen 0.934, screen 0.73 center noenhanced front'
inner = 1 - 1.0 * (head + foot) / height
do for [p=1:|titles|] {
    unset label
    if (p == 1) {
        if (!as_dots) { eval words_around }
        set colorbox user origin 0.925, 0.3 size 0.018, 0.4
    } else { unset colorbox }
    set size 0.9 / per_row, inner / lines
    set origin 0.03 + 0.9 * ((p - 1) % per_row) / per_row, \
        1.0 * foot / height + inner * (lines - 1 - (p - 1) / per_row) / lines
    set title titles[p] noenhanced offset 0, -0.6
    splot "answer.data" index p-1 using 1:2:3 with pm3d
}
unset multiplot
unset label
eval words_around
load "figures/dots.gp"
