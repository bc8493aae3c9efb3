# Error over h = 1/(N+1) in four panels, one for each model, and in it a curve for each scheme; a
# small mark on it where a variant of the device has the value as well. A thin line shows the second
# order.
call "figures/style.gp" ARG1 ARG2 ARG3 1000 800

set datafile separator comma
set datafile columnheaders
set datafile missing NaN # what another row holds does not break a line

table = "compared.csv"
schemes = "ei-rb hopscotch jacobi literal leapfrog-hopscotch" # the longest last, for the legend
array titles[4] = ["Model 1: u = exp(−2π²t) sin πx sin πy", "Model 2: u = exp(x + y − t)", \
    "Model 3: u = exp(−3t) sin x sin y", "Model 4: u = (1 + xy) sin t"]
# Some curves nearly agree: the mark of one lies in that of another, which is open.
array looks[5] = [0x0072B2, 0xE69F00, 0x000000, 0xD55E00, 0x009E73]
array shapes[5] = [7, 6, 4, 13, 10]
array sizes[5] = [1.1, 1.7, 2.1, 1.3, 2.1]
rank(s) = sum [k=1:words(schemes)] (word(schemes, k) eq s ? k : 0)
look_of(s) = looks[rank(s)]

here(m) = stringcolumn("exhibit") eq exhibit && stringcolumn("metric") eq "error_linf" \
    && strstrt(stringcolumn("case"), sprintf("model%d-", m)) == 1 \
    && column("reproduced") > 0 # that of an empty field is undefined
scheme(case) = case[strstrt(case, "-") + 1:]
is(s, by_cpu) = scheme(stringcolumn("case")) eq s && (stringcolumn("variant") eq "CPU") == by_cpu
h(n) = 1.0 / (n + 1)
y(m, s, by_cpu) = here(m) && is(s, by_cpu) ? column("reproduced") : NaN
x(m, s, by_cpu) = y(m, s, by_cpu) > 0 ? h(column("n")) : NaN

# What there is to draw in each panel, by the CPU and by the device, the ranges and the sizes.
array with_cpu[4] = ["", "", "", ""]
array with_gpu[4] = ["", "", "", ""]
array lowest[4] = [1e300, 1e300, 1e300, 1e300]
array highest[4] = [0, 0, 0, 0]
array second_order[4] = [1e300, 1e300, 1e300, 1e300] # the least error / h^2
all_sizes = ""
least_h = 1e300
largest_h = 0
smaller(a, b) = b < a ? b : a
larger(a, b) = b > a ? b : a
add(list, item) = strstrt(list . " ", " " . item . " ") ? list : list . " " . item
do for [m=1:4] {
    cpu = ""
    gpu = ""
    low = 1e300
    high = 0
    least = 1e300
    stats table using (here(m) && rank(scheme(stringcolumn("case"))) > 0 \
        ? strlen(stringcolumn("variant") eq "CPU" \
            ? cpu = add(cpu, scheme(stringcolumn("case"))) \
            : (gpu = add(gpu, scheme(stringcolumn("case"))))) \
            + (low = smaller(low, column("reproduced"))) \
            + (high = larger(high, column("reproduced"))) \
            + (least = smaller(least, column("reproduced") / h(column("n"))**2)) \
            + (least_h = smaller(least_h, h(column("n")))) \
            + (largest_h = larger(largest_h, h(column("n")))) \
            + strlen(all_sizes = add(all_sizes, stringcolumn("n"))) : 0) nooutput
    with_cpu[m] = cpu
    with_gpu[m] = gpu
    lowest[m] = low
    highest[m] = high
    second_order[m] = least
}
cpu_any = with_cpu[1] . with_cpu[2] . with_cpu[3] . with_cpu[4] . " "
gpu_any = with_gpu[1] . with_gpu[2] . with_gpu[3] . with_gpu[4] . " "
if (words(all_sizes) == 0) {
    printerr exhibit . ": compared.csv has no value of error_linf"
    exit status 1
}
in_legend = ""
do for [s in schemes] {
    if (strstrt(cpu_any . gpu_any, " " . s . " ")) { in_legend = in_legend . " " . s }
}

# The panels in parts of the page: where the lower left one is, and from one to the next.
left = 0.085
right = 0.492
bottom = 0.088
top = 0.428
step_x = 0.492
step_y = 0.437

set output outfile
set multiplot title "Error of the schemes, λ = 0.2, t = 0.1, double precision" noenhanced
set logscale xy 10
set xrange [least_h / 1.4 : largest_h * 1.4]
set xtics ()
do for [n in all_sizes] { set xtics add (sprintf("1/%d", int(n) + 1) h(int(n))) }
set key off
set grid xtics ytics

layer(list, text) = words(list) > 0 ? ", " . text : ""
do for [m=1:4] {
    across_page = (m + 1) % 2
    up_page = m < 3
    set lmargin at screen left + across_page * step_x
    set rmargin at screen right + across_page * step_x
    set bmargin at screen bottom + up_page * step_y
    set tmargin at screen top + up_page * step_y

    any = words(with_cpu[m] . with_gpu[m]) > 0
    guide = second_order[m] * 0.4
    low = any ? smaller(lowest[m], guide * least_h**2) : 1e-6
    high = any ? highest[m] : 1
    set yrange [low / 2 : high * 3]
    set format y "10^{%T}"
    set ytics 10 ** ceil(log10(high / low) / 8)
    set title titles[m] noenhanced offset 0, -0.4
    # Labels, for the distance of an axis's own title from it differs between the terminals.
    unset label
    if (!up_page) { set label "h = 1/(N + 1)" at graph 0.5, screen 0.019 center noenhanced }
    if (across_page == 0) {
        set label "largest error" at screen 0.019, graph 0.5 center rotate noenhanced
    }
    if (any) {
        set label "{/*0.85 h^2}" at largest_h, guide * largest_h**2 offset 0.5, -0.6 left \
            textcolor rgb "#707070"
    } else {
        set label "not measured here" at graph 0.5, 0.5 center textcolor rgb "#707070"
    }
    eval "plot NaN notitle" \
        . (any ? ', [least_h:largest_h] guide * x**2 with lines linecolor rgb "#909090" \
            linewidth 0.8 notitle' : '') \
        . layer(with_cpu[m], 'for [s in with_cpu[m]] \
            table using (x(m, s, 1)):(y(m, s, 1)) smooth unique with linespoints \
            linecolor rgb look_of(s) linewidth 1.3 pointtype shapes[rank(s)] \
            pointsize sizes[rank(s)] * mark_scale notitle') \
        . layer(with_gpu[m], 'for [s in with_gpu[m]] \
            table using (x(m, s, 0)):(y(m, s, 0)) with points linecolor rgb "#ffffff" \
            pointtype 7 pointsize 0.7 * mark_scale notitle, for [s in with_gpu[m]] \
            table using (x(m, s, 0)):(y(m, s, 0)) with points linecolor rgb look_of(s) \
            linewidth 1.2 pointtype 6 pointsize 0.7 * mark_scale notitle')
}

# One legend for all, of two lines beneath the heading.
unset border
unset tics
unset grid
unset title
unset label
unset logscale
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
set key on horizontal Left reverse samplen 2.2 width -5 noenhanced
set key at screen 0.5, 0.945 center
plot [0:1] [0:1] NaN notitle, for [s in in_legend] keyentry with linespoints \
    linecolor rgb look_of(s) linewidth 1.3 pointtype shapes[rank(s)] \
    pointsize sizes[rank(s)] * mark_scale title s
set key at screen 0.5, 0.915 center width 0
eval "plot [0:1] [0:1] NaN notitle" \
    . layer(gpu_any, 'keyentry with points linecolor rgb "#707070" linewidth 1.2 pointtype 6 \
        pointsize 0.7 * mark_scale title "the same on a GPU"') \
    . ', keyentry with lines linecolor rgb "#909090" linewidth 0.8 title "slope 2"'
unset multiplot
