# How many times as fast as at first, over the runs; a curve a job. From the CSV of `history`:
#   gnuplot -c plots/history.gp history.csv history.svg
set datafile separator ','
set terminal svg size 900,500 dynamic background '#ffffff' font 'sans-serif,12'
set output ARG2
stats ARG1 skip 1 nooutput
last = STATS_columns
array first[last]
do for [i = 3:last] {
    stats ARG1 using i skip 1 every ::0::0 nooutput
    first[i] = STATS_max
}
set ylabel 'first time / time'
set key outside below
set grid
set xtics rotate by -45
set yrange [0:*]
plot for [i = 3:last] ARG1 using 0:(first[i] / column(i)):xtic(2) skip 1 \
    with linespoints title system(sprintf("head -n 1 '%s' | cut -d, -f%d", ARG1, i)) noenhanced
