# The machines of the papers and a run of today: how many times as fast the run is, and the share of
# the limit that each came to, over the years. A row of panels for each paper, in it a line for each
# variant and machine whose year is known, and for the fastest variants of either. From the CSV of
# `generations`:
#   gnuplot -c plots/generations.gp generations.csv generations.svg
set datafile separator ','
set datafile columnheaders
# The file's name is never a command: gnuplot would take '<ls' or '-' for one.
table = ARG1[1:1] eq '/' ? ARG1 : './' . ARG1
stats table using 0 nooutput
lines = STATS_records / 2
array variants[lines]
array machines[lines]
array years[lines]
array shares[lines]
do for [i = 1:lines] { shares[i] = 0 }
# The first of each pair of rows is the machine, the second the run.
stats table using (int($0) % 2 == 0 ? (variants[int($0) / 2 + 1] = stringcolumn(1), \
    machines[int($0) / 2 + 1] = stringcolumn(2), years[int($0) / 2 + 1] = stringcolumn(3), 0) : 0) \
    nooutput
array runs[lines]
stats table using (int($0) % 2 == 1 ? (runs[int($0) / 2 + 1] = stringcolumn(2), 0) : 0) nooutput
# Of several runs a line says which one it is to.
array titles[lines]
do for [i = 1:lines] {
    alike = 0
    do for [j = 1:lines] {
        alike = alike + (variants[i] eq variants[j] && machines[i] eq machines[j])
    }
    titles[i] = variants[i] . ', ' . machines[i] . (alike > 1 ? ' to ' . runs[i] : '')
}
# Either of the two may not know its share.
stats table using (i = int($0) / 2 + 1, shares[i] = shares[i] + valid(10), 0) nooutput
paper_of(line) = variants[line][1 : strstrt(variants[line], "-") - 1]
papers = ""
do for [i = 1:lines] {
    if (years[i] ne "" && !strstrt(papers . " ", " " . paper_of(i) . " ")) {
        papers = papers . " " . paper_of(i)
    }
}
if (papers eq "") {
    print "no machine here has a year, so there is nothing to draw over the years"
    exit status 1
}
array members[words(papers)]
array heights[words(papers)]
total = 30
do for [p = 1:words(papers)] {
    list = ""
    do for [i = 1:lines] {
        if (paper_of(i) eq word(papers, p) && years[i] ne "") { list = list . " " . i }
    }
    members[p] = list
    heights[p] = 20 * words(list) + 100 > 280 ? 20 * words(list) + 100 : 280
    total = total + heights[p]
}

# Okabe and Ito's palette, which the colour-blind can tell apart; then the same with open marks.
array colours[8] = [0x000000, 0xE69F00, 0x56B4E9, 0x009E73, 0xD55E00, 0x0072B2, 0xCC79A7, 0x888888]
colour(k) = colours[(k - 1) % 8 + 1]
mark(k) = (k - 1) / 8 % 2 == 0 ? 7 : 6
# All meet in the run, where the later and smaller marks lie on the earlier.
size(k) = 1.3 - 0.1 * ((k - 1) % 8)

set terminal svg size 1280,total dynamic background '#ffffff' font 'sans-serif,12'
set output ARG2
set multiplot
set border 3 linecolor "#404040"
set tics nomirror out
set grid linecolor '#dddddd'
set logscale y
set format y '%g'
set xrange [2006:2028]
set xtics 4
set xlabel 'year of the machine' offset 0, 0.3
top = 30
do for [p = 1:words(papers)] {
    list = members[p]
    set tmargin at screen 1 - (top + 24.0) / total
    set bmargin at screen 1 - (top + heights[p] - 74.0) / total
    set lmargin at screen 0.07
    set rmargin at screen 0.33
    set title word(papers, p) . ': times as fast' noenhanced
    set yrange [0.7:*]
    set ylabel 'times as fast as there'
    unset key
    plot for [k = 1:words(list)] table \
        using 3:5 every ::(2 * word(list, k) - 2)::(2 * word(list, k) - 1) with linespoints \
        linecolor rgb colour(k) pointtype mark(k) pointsize size(k)
    set lmargin at screen 0.39
    set rmargin at screen 0.65
    set title word(papers, p) . ': share of the limit of its own work' noenhanced
    set ylabel 'share of the limit'
    known = 0
    do for [k = 1:words(list)] { known = known + shares[int(word(list, k))] }
    if (known > 0) { set yrange [*:1<*] } else { set yrange [0.1:1] }
    set key at screen 0.67, screen 1 - (top + 24.0) / total left top Left reverse vertical \
        maxrows words(list) samplen 1.5 noenhanced
    plot for [k = 1:words(list)] table \
        using 3:10 every ::(2 * word(list, k) - 2)::(2 * word(list, k) - 1) with linespoints \
        linecolor rgb colour(k) pointtype mark(k) pointsize size(k) \
        title titles[int(word(list, k))]
    top = top + heights[p]
}
unset multiplot
