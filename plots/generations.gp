# The machines of the papers and a run of today: speed, the run being 1, and the share of the copy
# bandwidth, over the years. A row of panels for each paper, in it a line for each variant and
# machine whose year is known. From the CSV of `generations`:
#   gnuplot -c plots/generations.gp generations.csv generations.svg
set datafile separator ','
set datafile columnheaders
word_of(line, column) = system(sprintf("sed -n '%dp' '%s' | cut -d, -f%d", 2 * line, ARG1, column))
paper_of(line) = word_of(line, 1)[1 : strstrt(word_of(line, 1), "-") - 1]
lines = (int(system(sprintf("wc -l <'%s'", ARG1))) - 1) / 2
papers = ""
do for [i = 1:lines] {
    if (word_of(i, 3) ne "" && !strstrt(papers . " ", " " . paper_of(i) . " ")) {
        papers = papers . " " . paper_of(i)
    }
}
array members[words(papers)]
array heights[words(papers)]
total = 30
do for [p = 1:words(papers)] {
    list = ""
    do for [i = 1:lines] {
        if (paper_of(i) eq word(papers, p) && word_of(i, 3) ne "") { list = list . " " . i }
    }
    members[p] = list
    heights[p] = 18 * words(list) + 60 > 280 ? 18 * words(list) + 60 : 280
    total = total + heights[p]
}

# Okabe and Ito's palette, which the colour-blind can tell apart; then the same with open marks.
array colours[8] = [0x000000, 0xE69F00, 0x56B4E9, 0x009E73, 0xD55E00, 0x0072B2, 0xCC79A7, 0x888888]
colour(k) = colours[(k - 1) % 8 + 1]
mark(k) = (k - 1) / 8 % 2 == 0 ? 7 : 6

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
top = 30
do for [p = 1:words(papers)] {
    list = members[p]
    set tmargin at screen 1 - (top + 24.0) / total
    set bmargin at screen 1 - (top + heights[p] - 56.0) / total
    set lmargin at screen 0.07
    set rmargin at screen 0.33
    set title word(papers, p) . ': speed, the run being 1' noenhanced
    set yrange [*:1.5]
    unset key
    plot for [k = 1:words(list)] ARG1 \
        using 3:5 every ::(2 * word(list, k) - 2)::(2 * word(list, k) - 1) with linespoints \
        linecolor rgb colour(k) pointtype mark(k)
    set lmargin at screen 0.39
    set rmargin at screen 0.65
    set title word(papers, p) . ': share of the copy bandwidth' noenhanced
    set yrange [*:1]
    set key at screen 0.67, screen 1 - (top + 24.0) / total left top Left reverse vertical \
        maxrows words(list) samplen 1.5 noenhanced
    plot for [k = 1:words(list)] ARG1 \
        using 3:6 every ::(2 * word(list, k) - 2)::(2 * word(list, k) - 1) with linespoints \
        linecolor rgb colour(k) pointtype mark(k) \
        title word_of(word(list, k), 1) . ', ' . word_of(word(list, k), 2)
    top = top + heights[p]
}
unset multiplot
