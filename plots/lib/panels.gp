# Panels in rows, two if `rows` does not say otherwise, and one legend for all beneath the heading. The
# page is as high as they need. The caller has loaded values.gp, has set the x axis, heading, across
# and quantity, and
#   own: commands for panel i, which reaches from low to high; layers(i): what is drawn in it
#   legend: options of the key; notes: what the second line of the legend says
# and may set, in pixels
#   panel_height: from one row to the next; between: from one panel to its neighbour on the right
# and row_heads: an array of what stands above each row, in words. A panel without a title is left out.

if (!exists("rows")) { rows = 2 }
if (!exists("panel_height")) { panel_height = 340 }
if (!exists("between")) { between = 72 }
in_row = |titles| / rows
row_head = 0
if (exists("row_heads")) {
    do for [k=1:rows] { row_head = row_heads[k] ne "" ? 24 : row_head }
    panel_height = panel_height + row_head
}

# From above: the heading, the curves' names, a line of notes, the panels.
longest = 0
do for [c in in_legend(1)] { longest = larger(longest, strlen(name_of(c))) }
in_line = floor(larger(1, (width - 40) / (70 + 9.0 * longest)))
named_lines = ceil(words(in_legend(1)) / (1.0 * in_line))
head = 22 + 22 * (1 + sum [k=1:strlen(heading)] (heading[k:k] eq "\n"))
above = head + 21 * named_lines + (notes eq "" ? 0 : 26) + 8
height = int(above + rows * panel_height + 24)
eval page_of(terminal)
left = 84.0 / width
apart = (1 - left + (between - 20.0) / width) / in_row
up = panel_height / (1.0 * height)
set output outfile
set multiplot title heading noenhanced
set logscale y 10
set key off
do for [i=1:|titles|] {
    if (titles[i] eq "" && rows > 1) { continue }
    to_right = (i - 1) % in_row
    higher = rows - 1 - (i - 1) / in_row
    lower = higher == 0 ? 1 : titles[i + in_row] eq ""
    set lmargin at screen left + to_right * apart
    set rmargin at screen left + (to_right + 1) * apart - between / (1.0 * width)
    set bmargin at screen higher * up + 68.0 / height
    set tmargin at screen (higher + 1) * up - (14.0 + row_head) / height
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
    if (row_head > 0 && to_right == 0) {
        set label "{/:Bold " . row_heads[1 + (i - 1) / in_row] . "}" \
            at screen left, screen (higher + 1) * up + 12.0 / height left
    }
    if (higher == 0) { set label across at graph 0.5, screen 16.0 / height center noenhanced }
    if (to_right == 0) { set label quantity at screen 14.0 / width, graph 0.5 center rotate noenhanced }
    if (words(found[i]) == 0) {
        set label "not measured here" at graph 0.5, 0.5 center textcolor rgb "#707070"
    }
    eval own
    eval "plot NaN notitle" . layers(i)
}

# The legend: the curves, as in no panel, and below them the notes.
i = |titles| + 1
reset
unset border
unset tics
set margins at screen 0, at screen 1, at screen 0, at screen 1
set key horizontal maxcols in_line Left reverse samplen 2.8 @legend
set key at screen 0.5, screen 1 - (head + 10.5 * named_lines) / height center
plot [0:1] [0:1] NaN notitle, \
    for [c in in_legend(1)] keyentry with linespoints @marked dashtype dash(c) title name_of(c)
set key at screen 0.5, screen 1 - (head + 21.0 * named_lines + 12) / height center width 0 maxcols auto
eval "plot [0:1] [0:1] NaN notitle" . notes
unset multiplot
