# Error over h = 1/(N+1) in four panels, one for each model, and in it a curve for each scheme; a
# small mark on it where a variant of the device has the value as well. A thin line shows the second
# order.
call "figures/style.gp" ARG1 ARG2 ARG3 1000 800
curves = "ei-rb hopscotch jacobi literal leapfrog-hopscotch" # the longest last, for the legend
array titles[4] = ["Model 1: u = exp(−2π²t) sin πx sin πy", "Model 2: u = exp(x + y − t)", \
    "Model 3: u = exp(−3t) sin x sin y", "Model 4: u = (1 + xy) sin t"]
scheme(case) = case[strstrt(case, "-") + 1:]
its_panel = 'int(stringcolumn("case")[6:6])' # the digit of "model1-"
its_curve = 'scheme(stringcolumn("case"))'
its_kind = '(stringcolumn("variant") eq "CPU" ? 1 : 2)'
its_x = '(1.0 / (column("n") + 1))'
columns = "reproduced"
load "figures/values.gp"

# Some curves nearly agree: the mark of one lies in that of another, which is open.
array looks[5] = [0x0072B2, 0xE69F00, 0x000000, 0xD55E00, 0x009E73]
array marks[5] = [7, 6, 4, 13, 10]
array widths[5] = [1.1, 1.7, 2.1, 1.3, 2.1]
colour(s) = looks[place(curves, s)]
full_mark(s) = marks[place(curves, s)]
size_of(s) = widths[place(curves, s)] * mark_scale

# The thin line lies below all errors.
array guide[4] = [1e300, 1e300, 1e300, 1e300]
stats table using (positive("reproduced") > 0 ? guide[@its_panel] = \
    smaller(guide[@its_panel], 0.4 * positive("reproduced") / @its_x**2) : 0) nooutput
do for [i=1:4] { lowest[i] = smaller(lowest[i], guide[i] * least_x**2) }

heading = "Error of the schemes, λ = 0.2, t = 0.1, double precision"
across = "h = 1/(N + 1)"
quantity = "largest error"
set logscale x 10
set xrange [least_x / 1.4 : largest_x * 1.4]
set xtics ()
do for [n in sizes] { set xtics add (sprintf("1/%d", n + 1) 1.0 / (n + 1)) }
set format y "10^{%T}"
own = 'eval decades; \
    if (words(found[i]) > 0) { set label "{/*0.85 h^2}" at largest_x, guide[i] * largest_x**2 \
        offset 0.5, -0.6 left textcolor rgb "#707070" }'
on_gpu = 'linewidth 1.2 pointtype 6 pointsize 0.7 * mark_scale'
layers(i) = also(words(found[i]) > 0, '[least_x:largest_x] guide[i] * x**2 with lines \
        linecolor rgb "#909090" linewidth 0.8 notitle') \
    . joined(1, "reproduced", '@marked') \
    . points(2, 'linecolor rgb "#ffffff" pointtype 7 pointsize 0.7 * mark_scale') \
    . points(2, 'linecolor rgb colour(c) @on_gpu')
legend = "noenhanced"
notes = also(any(2, "reproduced"), 'keyentry with points @grey @on_gpu \
        title "the same on a GPU"') \
    . ', keyentry with lines linecolor rgb "#909090" linewidth 0.8 title "slope 2"'
load "figures/panels.gp"
