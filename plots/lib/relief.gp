# How surfaces look. With as_dots, which the caller sets, what is drawn up to dots.gp is a picture of
# dots, and that stands in the figure: facets by the thousand are too much for a page. Who started
# gnuplot removes the file.
dots = outfile . ".dots.png"
if (as_dots) {
    eval page_of("pngcairo")
}
set output as_dots ? dots : outfile
# By its sign a value is blue or red.
set palette defined (-1 "#2b5c8a", -0.4 "#8fb8de", 0 "#f2efe6", 0.4 "#e9a66b", 1 "#a63603")
# No lines between the facets: on a fine grid they make patterns of their own.
set pm3d depthorder lighting primary 0.45 specular 0.15
set view 52, 32, 0.98, 0.95
unset key
unset grid
set border 31 linecolor "#909090" linewidth 0.6
set lmargin 0
set rmargin 0
set tmargin 0
set bmargin 0
set xlabel "x" offset 0, -0.4
set ylabel "y" offset 0.4, -0.2
