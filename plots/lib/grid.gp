# One metric over n in rows of panels that share a y axis, published beside reproduced, a curve for
# each variant. The caller sets rows, in_row, titles and its_panel as values.gp says, and may set
# sharing, for rows that share it, too, and panel_width and panel_height in pixels.
if (!exists("sharing")) { sharing = in_row }
columns = "published reproduced ci_lo ci_hi"
load "figures/values.gp"
load "figures/nested.gp"

if (!exists("panel_width")) { panel_width = 230; panel_height = 270 }
width = larger(104 + panel_width * in_row, 800)
call "figures/style.gp" exhibit terminal outfile width 560
load "figures/nested.gp" # style.gp has set what is wide and large

if (equal_steps) {
    steps = 0.06 * (largest_x - least_x)
    set xrange [least_x - steps : largest_x + steps]
} else {
    set logscale x 2
    set xrange [least_x / 1.3 : largest_x * 1.3]
    set xtics ()
}
heading = caption
named_size = across
across = "" # it is said once, for all columns
own = 'set format x lower ? "%g" : ""; few = log10(high / low) < 1.5; \
    named = few ? "1 2 5" : "1"; eval decades; \
    plain = few && low >= 0.01 && high < 1e5; \
    set format y to_right ? "" : plain ? "%g" : few ? "%.0t·10^{%T}" : "10^{%T}"; \
    if (!equal_steps && lower) { eval powers_of_two }; \
    if (!equal_steps && !lower) { set xtics (); do for [k=0:60] { set xtics add ("" 2.0**k) } }; \
    if (i == 1) { set label named_size at screen 0.5, screen 14.0 / height center noenhanced }'
layers(i) = also(metric eq "speedup", '1 with lines linecolor rgb "#808080" linewidth 1 notitle') \
    . intervals(1, 'linecolor rgb colour(c) linewidth 1.3 pointtype -1') \
    . joined(1, "reproduced", '@marked dashtype dash(c)') \
    . joined(1, "published", 'linecolor rgb colour(c) dashtype 2 linewidth 1 \
        pointtype open_mark(c) pointsize open_size')
between = 18
legend = "noenhanced"
notes = also(any(1, "published"), 'keyentry with linespoints @grey dashtype 2 linewidth 1 \
        pointtype 6 pointsize 1.6 * mark_scale title "published"') \
    . also(any(1, "published") && any(1, "reproduced"), 'keyentry with linespoints @grey \
        linewidth 1.3 pointtype 7 pointsize full_size title "reproduced"') \
    . noted_interval(1, 'linewidth 1.3 pointtype -1')
load "figures/panels.gp"
