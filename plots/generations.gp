# The machines of the papers and a run of today: how many times as fast the run is, and the share of
# the limit that each came to, over the years. A row of panels for each paper, in it a line for each
# variant and machine whose year is known, and for the fastest variants of either: a colour and a shape
# for each, and of several runs dashes and fill for each. From the CSV of `generations`:
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
# Its paper is said above: what is short fits.
short(v) = v[strstrt(v, "-") + 1:]
without_star(v) = strstrt(v, "/*/") ? v[1:strstrt(v, "/*/")] . v[strstrt(v, "/*/") + 3:] : v
array titles[lines]
do for [i = 1:lines] {
    titles[i] = without_star(short(variants[i])) . ', ' . machines[i]
    # Two runs on machines of one name are two all the same.
    again = 1
    do for [j = 1:i - 1] {
        again = again + (variants[i] eq variants[j] && machines[i] eq machines[j] \
            && (runs[i] eq runs[j] || strstrt(runs[j], runs[i] . ' (') == 1))
    }
    if (again > 1) { runs[i] = runs[i] . sprintf(' (%d)', again) }
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
# In the legend of a paper, the lines that are the first of their title, and those of their run. A
# run has one look in all papers.
array named[words(papers)]
array named_runs[words(papers)]
all_runs = ""
array title_place[lines]
array run_place[lines]
longest = 0
larger(a, b) = b > a ? b : a
total = 30
do for [p = 1:words(papers)] {
    list = ""
    do for [i = 1:lines] {
        if (paper_of(i) eq word(papers, p) && years[i] ne "") { list = list . " " . i }
    }
    members[p] = list
    named[p] = ""
    named_runs[p] = ""
    do for [line in list] {
        i = int(line)
        title_place[i] = 0
        run_place[i] = 0
        do for [k = 1:words(named[p])] {
            if (titles[int(word(named[p], k))] eq titles[i]) { title_place[i] = k }
        }
        do for [k = 1:words(all_runs)] {
            if (runs[int(word(all_runs, k))] eq runs[i]) { run_place[i] = k }
        }
        if (title_place[i] == 0) {
            named[p] = named[p] . " " . i
            title_place[i] = words(named[p])
        }
        if (run_place[i] == 0) {
            all_runs = all_runs . " " . i
            run_place[i] = words(all_runs)
        }
        is_named = 0
        do for [j in named_runs[p]] { is_named = is_named || run_place[int(j)] == run_place[i] }
        if (!is_named) { named_runs[p] = named_runs[p] . " " . i }
        longest = larger(longest, larger(strlen(titles[i]), strlen("to " . runs[i])))
    }
    entries = words(named[p]) + words(named_runs[p])
    heights[p] = larger(20 * entries + 110, 300)
    total = total + heights[p]
}

# Okabe and Ito's palette, which the colour-blind can tell apart; then the same with other marks.
array colours[8] = [0x000000, 0xE69F00, 0x56B4E9, 0x009E73, 0xD55E00, 0x0072B2, 0xCC79A7, 0x888888]
colour(k) = colours[(k - 1) % 8 + 1]
array marks[5] = [6, 4, 8, 10, 12]
# Full marks and open ones in turn, and dashes of five kinds, so that ten runs differ.
mark(k, run) = marks[(k - 1) / 8 % 5 + 1] + run % 2
dash(run) = (run - 1) % 5 + 1
# All meet in the machine, where the later and smaller marks lie on the earlier.
size(k) = 1.3 - 0.1 * ((k - 1) % 8)

width = larger(960, int(705 + 7.2 * longest))
set terminal svg size width,total dynamic background '#ffffff' font 'sans-serif,12'
set output ARG2
set multiplot
# A line is of two rows. Its title's place gives it colour and shape, its run's the rest.
its_rows = 'every ::(2 * int(i) - 2)::(2 * int(i) - 1)'
its_look = 'linecolor rgb colour(title_place[int(i)]) dashtype dash(run_place[int(i)]) \
    pointtype mark(title_place[int(i)], run_place[int(i)]) pointsize size(title_place[int(i)])'
set border 3 linecolor "#404040"
set tics nomirror out
set grid linecolor '#dddddd'
set logscale y
set format y '%g'
set xrange [2006:2028]
set xtics 4
set xlabel 'year of the machine, of the run' offset 0, 0.3
top = 30
do for [p = 1:words(papers)] {
    list = members[p]
    set tmargin at screen 1 - (top + 24.0) / total
    set bmargin at screen 1 - (top + heights[p] - 74.0) / total
    set lmargin at screen 84.0 / width
    set rmargin at screen 314.0 / width
    set title word(papers, p) . ': times as fast' noenhanced
    set yrange [0.7:*]
    set label 1 'times as fast as there' at screen 14.0 / width, graph 0.5 center rotate
    unset key
    plot for [i in list] table @its_rows using 3:5 with linespoints @its_look
    set lmargin at screen 406.0 / width
    set rmargin at screen 636.0 / width
    set title word(papers, p) . ': share of the limit of its own work' noenhanced
    set label 1 'share of the limit' at screen 336.0 / width, graph 0.5 center rotate
    known = 0
    do for [i in list] { known = known + shares[int(i)] }
    if (known > 0) { set yrange [*:1<*] } else { set yrange [0.1:1] }
    set key at screen 650.0 / width, screen 1 - (top + 24.0) / total left top Left reverse vertical \
        maxcols 1 samplen 2.5 noenhanced
    legend = 'for [i in named[p]] keyentry with points linecolor rgb colour(title_place[int(i)]) \
        pointtype mark(title_place[int(i)], 1) title titles[int(i)]'
    if (words(named_runs[p]) > 1) {
        legend = legend . ', for [i in named_runs[p]] keyentry with linespoints \
            linecolor rgb "#707070" dashtype dash(run_place[int(i)]) \
            pointtype mark(1, run_place[int(i)]) title "to " . runs[int(i)]'
    }
    eval 'plot for [i in list] table @its_rows using 3:10 with linespoints @its_look notitle, ' . legend
    top = top + heights[p]
}
unset multiplot
