# An answer as curves over one axis: few values as points too.
load "figures/answer-page.gp"
height = head + 490 + foot
eval page_of(terminal)
set output outfile
set tmargin at screen 1 - (head + 8.0) / height
set bmargin at screen (foot + 64.0) / height
set lmargin at screen 100.0 / width
set label quantity at screen 14.0 / width, graph 0.5 center rotate noenhanced
set label x_name at graph 0.5, screen (foot + 10.0) / height center noenhanced
eval say
beyond = 0.04 * (high - low)
set yrange [low - beyond : high + beyond]
if (x_last > x_first) { set xrange [x_first:x_last] } else { set xrange [x_first - 1 : x_first + 1] }
look = columns > 60 ? "lines" : "linespoints pointtype 7 pointsize full_size"
colour_of(c) = rows == 1 ? 0x0072B2 : ordered_colours[1 + int((c - 1) * 5.0 / (rows - 1) + 0.5)]
if (rows == 1) { set key off }
eval 'plot for [c=1:rows] "answer.data" index c-1 using 1:2 with ' . look . ' linewidth 1.3 \
    linecolor rgb colour_of(c) title sprintf("%s = %d", y_name, c)'
set output
