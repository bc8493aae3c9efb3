# Panels in rows, two if `rows` does not say otherwise, and one legend for all beneath the heading,
# at the heights legend_at and notes_at of the page; y axes are named at quantity_at of its width.
# The caller has loaded values.gp, has set the x axis, heading, across and quantity, and
#   edges: an array of where the lower left panel has its left, right, bottom and top, in parts of
#     the page, and how far it is from one panel to the next, across and up
#   own: commands for panel i, which reaches from low to high; layers(i): what is drawn in it
#   legend: options of the key; notes: what the second line of the legend says

if (!exists("rows")) { rows = 2 }
if (!exists("legend_at")) { legend_at = 0.945; notes_at = 0.915; quantity_at = 0.019 }
in_row = |titles| / rows
set output outfile
set multiplot title heading noenhanced
set logscale y 10
set key off
do for [i=1:|titles|] {
    to_right = (i - 1) % in_row
    higher = rows - 1 - (i - 1) / in_row
    lower = higher == 0
    set lmargin at screen edges[1] + to_right * edges[5]
    set rmargin at screen edges[2] + to_right * edges[5]
    set bmargin at screen edges[3] + higher * edges[6]
    set tmargin at screen edges[4] + higher * edges[6]
    # Those that share a range have room on both sides, and those without values any range.
    low = highest[leader(i)] > 0 ? lowest[leader(i)] : 0.1
    high = highest[leader(i)] > 0 ? highest[leader(i)] : 10
    room = larger((high / low)**0.08, (4 * low / high)**0.5)
    low = low / room
    high = high * room
    set yrange [low : high]
    set title titles[i] noenhanced offset 0, -0.4
    # Labels, for the distance of an axis's own title from it differs between the terminals.
    unset label
    if (lower) { set label across at graph 0.5, screen 0.019 center noenhanced }
    if (to_right == 0) { set label quantity at screen quantity_at, graph 0.5 center rotate noenhanced }
    if (words(found[i]) == 0) {
        set label "not measured here" at graph 0.5, 0.5 center textcolor rgb "#707070"
    }
    eval own
    eval "plot NaN notitle" . layers(i)
}

# The legend: the curves, and below them the notes.
reset
unset border
unset tics
set margins at screen 0, at screen 1, at screen 0, at screen 1
set key horizontal Left reverse samplen 2.2 @legend
set key at screen 0.5, screen legend_at center
plot [0:1] [0:1] NaN notitle, \
    for [c in in_legend(1)] keyentry with linespoints @marked title name_of(c)
set key at screen 0.5, screen notes_at center width 0
eval "plot [0:1] [0:1] NaN notitle" . notes
unset multiplot
