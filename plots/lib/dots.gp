# Puts onto the page, where there are dots (relief.gp), the picture that they are. Labels that are set
# are drawn on top.
if (as_dots) {
    eval page_of(terminal)
    unset colorbox
    unset xlabel
    unset ylabel
    set output outfile
    unset border
    unset tics
    unset title
    set size 1, 1
    set origin 0, 0
    set xrange [0:width]
    set yrange [0:height]
    plot dots binary filetype=png with rgbimage
    set output
}
