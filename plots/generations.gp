# The machines of the papers and a run of today: speed, the run being 1, and the share of the copy
# bandwidth, over the years. A line a variant and machine. From the CSV of `generations`:
#   gnuplot -c plots/generations.gp generations.csv generations.svg
set datafile separator ','
set datafile columnheaders
lines = (int(system(sprintf("wc -l <'%s'", ARG1))) - 1) / 2
word_of(line, column) = system(sprintf("sed -n '%dp' '%s' | cut -d, -f%d", 2 * line, ARG1, column))
height = 420.0 + 16 * lines
set terminal svg size 1000,height dynamic background '#ffffff' font 'sans-serif,12'
set output ARG2
set multiplot
set grid linecolor '#dddddd'
set logscale y
set xrange [2006:2028]
set xtics 4
set tmargin at screen 1 - 40 / height
set bmargin at screen 1 - 370 / height
set lmargin at screen 0.08
set rmargin at screen 0.48
set title 'speed, the run being 1'
unset key
plot for [i = 1:lines] ARG1 using 3:5 every ::(2 * i - 2)::(2 * i - 1) with linespoints \
    linecolor i pointtype 7
set lmargin at screen 0.57
set rmargin at screen 0.97
set title 'of the copy bandwidth'
set key at screen 0.08, screen 1 - 400 / height left top Left reverse vertical maxrows lines \
    noenhanced
plot for [i = 1:lines] ARG1 using 3:6 every ::(2 * i - 2)::(2 * i - 1) with linespoints \
    linecolor i pointtype 7 title word_of(i, 1) . ', ' . word_of(i, 2)
unset multiplot
