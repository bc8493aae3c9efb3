# The time of each job over the runs, a panel a job: 95 % intervals, the commits below, and marks in
# the colour of the verdict beside the run before. From the CSV of `history`:
#   gnuplot -c plots/history.gp history.csv history.svg
# The file's name is never a command: gnuplot would take '<ls' or '-' for one.
table = ARG1[1:1] eq '/' ? ARG1 : './' . ARG1
set datafile separator ','
stats table skip 1 nooutput
jobs = (STATS_columns - 2) / 4 # of each: time, verdict, ci_lo, ci_hi
if (jobs > 60) {
    print sprintf("%d jobs are too many for one figure: give history a glob that leaves 60", jobs)
    exit status 1
}
set datafile columnheaders
stats table using 0 nooutput
runs = STATS_records
array commits[runs]
array days[runs]
stats table using (commits[int($0) + 1] = stringcolumn(2), \
    days[int($0) + 1] = stringcolumn(1)[1:10], 0) nooutput

# Okabe and Ito's colours, which the colour-blind can tell apart; what is not worse has round marks.
verdicts = "first SAME FASTER SLOWER UNCLEAR other"
array colours[6] = [0x000000, 0x888888, 0x009E73, 0xD55E00, 0x888888, 0xCC79A7]
array marks[6] = [7, 7, 9, 11, 6, 4]
place(v) = sum [k = 2:5] (word(verdicts, k) eq v ? k : 0)
kind(v) = v eq "" ? 1 : place(v) > 0 ? place(v) : 6

panel = 150
below = 150
width = 220 + 34 * runs > 760 ? 220 + 34 * runs : 760
total = 40 + panel * jobs + below
set terminal svg size width,total dynamic background '#ffffff' font 'sans-serif,12'
set output ARG2
set multiplot
set border 3 linecolor "#404040"
set tics nomirror out
set grid linecolor '#dddddd'
set format y '%.3s %cs' # so that tics within a per cent differ
set ytics font ',10'
set lmargin at screen 130.0 / width
set rmargin at screen 1 - 40.0 / width
set xrange [-0.5:runs - 0.5]
do for [j = 1:jobs] {
    c = 4 * j - 1
    set tmargin at screen 1 - (70.0 + panel * (j - 1)) / total
    set bmargin at screen 1 - (40.0 + panel * j - 16) / total
    set xtics 1 rotate by 45 right format ''
    if (j == jobs) {
        set xtics ()
        do for [i = 1:runs] { set xtics add (commits[i] . ', ' . days[i] i - 1) }
    }
    # The job stands above its panel, as the title of a curve.
    set key at graph 0, screen 1 - (52.0 + panel * (j - 1)) / total left center Left noreverse \
        samplen -1 noenhanced
    unset label
    set label 'time of a solve' at screen 18.0 / width, graph 0.5 center rotate
    plot table using 0:(column(c)) with lines linecolor rgb "#bbbbbb" notitle, \
        '' using 0:(column(c)):(valid(c + 2) ? column(c + 2) : column(c)): \
            (valid(c + 3) ? column(c + 3) : column(c)) with yerrorbars pointtype 0 \
            linecolor rgb "#404040" notitle, \
        for [k = 1:6] '' using 0:(kind(stringcolumn(c + 1)) == k ? column(c) : NaN) with points \
            pointtype marks[k] pointsize 0.8 linecolor rgb colours[k] notitle, \
        '' using 0:(NaN) with lines linecolor rgb "#ffffff" title columnheader(c)
}
unset label
# The marks, once, on a panel without anything.
set tmargin at screen 1
set bmargin at screen 1 - 30.0 / total
unset border
unset tics
unset grid
set yrange [0:1]
set key at screen 0.5, screen 1 - 20.0 / total center center horizontal Left reverse samplen 1
plot for [k = 1:6] NaN with points pointtype marks[k] linecolor rgb colours[k] \
    title word(verdicts, k)
unset multiplot
