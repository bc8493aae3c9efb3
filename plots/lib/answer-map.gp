# An answer as a map: a panel for each time, and one bar of colours for all.
load "figures/answer-page.gp"
width = per_row == 1 ? 800 : per_row == 2 ? 900 : 1100
between = 70.0 # of panels, for what is beside an axis
wide = (width - 200.0 - between * (per_row - 1)) / per_row
tall = wide < 460 ? wide : 460.0
shape = (y_last - y_first) / (x_last - x_first)
if (shape > 0.5 && shape < 2) { # both axes in one scale
    wide = wide * shape < tall ? wide : tall / shape
    tall = wide * shape
}
apart = tall + 90
start = 84 + (width - 200 - between * (per_row - 1) - wide * per_row) / 2
height = int(head + lines * apart + foot)
eval page_of(terminal)
set output outfile
set multiplot
unset key
unset grid
eval shades
half_x = 0.5 * (x_last - x_first) / (columns - 1)
half_y = 0.5 * (y_last - y_first) / (rows - 1)
set xrange [x_first - half_x : x_last + half_x]
set yrange [y_first - half_y : y_last + half_y]
do for [p=1:|titles|] {
    left = start + (p - 1) % per_row * (wide + between)
    top = height - head - 24 - (p - 1) / per_row * apart
    set lmargin at screen left / width
    set rmargin at screen (left + wide) / width
    set tmargin at screen top / height
    set bmargin at screen (top - tall) / height
    unset label
    if (p == 1) {
        eval say
        right = start + per_row * (wide + between) - between + 24
        set colorbox user origin screen right / width, screen (top - tall) / height \
            size screen 18.0 / width, screen tall / height
        set label quantity at screen (right + 9) / width, screen (top + 14) / height center noenhanced
    } else { unset colorbox }
    set label y_name at graph 0, graph 0.5 offset -6.5, 0 center rotate noenhanced
    set label x_name at graph 0.5, graph 0 offset 0, -2.6 center noenhanced
    set title titles[p] noenhanced offset 0, -0.5
    plot "answer.data" index p-1 using 1:2:3 with image notitle
}
unset multiplot
set output
