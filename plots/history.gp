# How many times as fast as at first, over the runs; a curve a job. From the CSV of `history`:
#   gnuplot -c plots/history.gp history.csv history.svg
# The file's name is never a command: gnuplot would take '<ls' or '-' for one.
table = ARG1[1:1] eq '/' ? ARG1 : './' . ARG1
set datafile separator ','
set terminal svg size 900,500 dynamic background '#ffffff' font 'sans-serif,12'
set output ARG2
stats table skip 1 nooutput
last = STATS_columns
array first[last]
do for [i = 3:last] {
    stats table using i skip 1 every ::0::0 nooutput
    first[i] = STATS_max
}
set ylabel 'first time / time'
set key outside below
set grid
set xtics rotate by -45
set yrange [0:*]
set datafile columnheaders
plot for [i = 3:last] table using 0:(first[i] / column(i)):xtic(2) \
    with linespoints title columnheader(i) noenhanced
