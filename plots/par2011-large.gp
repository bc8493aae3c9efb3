# Throughput over N in eight panels, a row for each model and a column for each precision, and in it
# a curve for each variant: the sizes of the paper's tables, open, and on to larger ones, filled.
call "figures/style.gp" ARG1 ARG2 ARG3 1000
array titles[8] = ["Model 1, single", "Model 1, double", "Model 2, single", "Model 2, double", \
    "Model 3, single", "Model 3, double", "Model 4, single", "Model 4, double"]
rows = 4
sharing = 8
exhibits = exhibit . " par2011-throughput"
scale = 1e9
curves = known
its_panel = '(2 * int(stringcolumn("case")[6:6]) - (stringcolumn("precision") eq "single"))'
its_kind = '(stringcolumn("exhibit") eq exhibit ? 1 : 2)'
load "figures/values.gp"

heading = "Throughput of all models, from the sizes of the tables to larger ones"
across = "" # it is said once, for all columns
quantity = "Gpoints/s"
panel_height = 270
between = 18
size_of(c) = 1.2 * full_size
set logscale x 2
set xrange [least_x / 1.25 : largest_x * 1.25]
set xtics ()
do for [k=-7:7] {
    if (k % 2 != 0 || largest_x < 10 * least_x) {
        set xtics add (1000 * 2.0**k)
    } else {
        set xtics add ("" 1000 * 2.0**k)
    }
}
own = 'eval decades; set format x lower ? "%g" : ""; set format y to_right ? "" : "%g"; \
    if (i == |titles|) { set label "N, interior points per side" \
        at screen 0.5, screen 16.0 / height center noenhanced }'
layers(i) = layer(0, "reproduced", "reproduced", ' smooth unique with lines notitle \
        linecolor rgb colour(c) linewidth 1.2') \
    . intervals(0, 'linecolor rgb colour(c) linewidth 1 pointtype -1') \
    . points(2, 'linecolor rgb "#ffffff" pointtype full_mark(c) pointsize full_size') \
    . points(2, 'linecolor rgb colour(c) linewidth 1 \
        pointtype open_mark(c) pointsize full_size') \
    . points(1, 'linecolor rgb colour(c) pointtype full_mark(c) pointsize size_of(c)')
legend = "noenhanced"
notes = also(any(2, "reproduced"), 'keyentry with points pointtype 6 linewidth 1 @grey \
        pointsize 1.2 * full_size title "100 steps"') \
    . ', keyentry with points pointtype 7 @grey pointsize 1.2 * full_size title "10 steps"' \
    . noted_interval(0, 'linewidth 1 pointtype -1')
load "figures/panels.gp"
