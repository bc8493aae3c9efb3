# What an exhibit has to draw: the rows of a table with a value, each of a curve in a panel.
# What has no value is neither drawn nor in the legend. The caller may set
#   curves: the words of all curves, in their order; titles: an array, one for each panel
#   sharing: how many panels in a row have one range; table, metrics, columns: what is read
# and, as text that is worked out for a row of the exhibit,
#   its_curve, which otherwise is the variant and, if it has several in a panel, the precision
#   its_x; its_panel, 0 if in none; its_kind, from 1, of the ways in which it is drawn
# Sets sizes, in their order; least_x, largest_x; arrays lowest and highest; and layers of a plot.

if (!exists("curves")) { curves = variants }
if (!exists("titles")) { array titles[1] }
if (!exists("sharing")) { sharing = 1 }
if (!exists("table")) { table = "compared.csv" }
if (!exists("metrics")) { metrics = metric }
if (!exists("columns")) { columns = "reproduced ci_lo ci_hi" }
if (!exists("its_x")) { its_x = 'column("n")' }
if (!exists("its_panel")) { its_panel = 'has(variants, stringcolumn("variant"))' }
if (!exists("its_kind")) { its_kind = '1' }

set datafile separator comma
set datafile columnheaders
set datafile missing NaN # what another row holds does not break a line

number(case) = real(case[strstrt(case, "=") + 1:])
smaller(a, b) = b < a ? b : a # a if b is NaN
larger(a, b) = b > a ? b : a
has(list, w) = strstrt(" " . list . " ", " " . w . " ") > 0
add(list, w) = has(list, w) ? list : list . " " . w
insert(list, n) = words(list) == 0 || real(word(list, 1)) > real(n) ? n . " " . list \
    : word(list, 1) eq n ? list : word(list, 1) . " " . insert(list[strstrt(list, " ") + 1:], n)

# Its rows alone, once: every curve reads them all. A word behind them takes the blank that ends a line.
mine(m) = has(exhibits, stringcolumn("exhibit")) && has(m, stringcolumn("metric"))
fields_read = "exhibit case variant precision n metric " \
    . (table eq "compared.csv" ? "published reproduced ci_lo ci_hi" : "statistic value")
read_one = '""'
names_read = ""
do for [name in fields_read] {
    read_one = read_one . ' . stringcolumn("' . name . '") . ","'
    names_read = names_read . name . ","
}
set print $rows
print names_read . "end"
unset print
set table $rows append
plot table using (@read_one) with table if (mine(metrics))
unset table
read_from = table
table = "$rows"
# A value that a logarithmic axis can show; that of an empty field is undefined: nothing is drawn.
positive(name) = mine(metrics) && column(name) > 0 ? column(name) / scale : NaN
# The precisions of a variant are curves of their own, unless each has its panel: no curve joins, or
# takes the mean of, what is not of one kind. Then each curve gets a look of its own.
if (!exists("its_curve")) {
    its_curve = 'stringcolumn("variant")'
    if (strstrt(its_panel, '"precision"') == 0) {
        pairs = ""
        do for [name in columns] {
            stats table using (positive(name) > 0 && @its_panel > 0 ? strlen(pairs = add(pairs, \
                stringcolumn("variant") . ":" . stringcolumn("precision"))) : 0) nooutput
        }
        split = ""
        do for [v in curves] {
            its_own = ""
            do for [p in "double single mixed"] {
                its_own = its_own . (has(pairs, v . ":" . p) ? " " . v . ":" . p : "")
            }
            split = split . " " . (words(its_own) > 1 ? its_own : v)
        }
        curves = split
        curve_of(v, p) = has(curves, v . ":" . p) ? v . ":" . p : v
        its_curve = 'curve_of(stringcolumn("variant"), stringcolumn("precision"))'
    }
    looks_taken = ""
    shifts = ""
    look(c, k) = sprintf("%d:%d", own_colour(first(variant_of(c))), \
        shifted_mark(own_mark(second(c)), k))
    do for [c in curves] {
        k = 0
        while (k < 5 && has(looks_taken, look(c, k))) { k = k + 1 }
        looks_taken = looks_taken . " " . look(c, k)
        shifts = shifts . " " . k
    }
}
# Those of curve c in panel i, of kind k or, if that is 0, of any. First whether the row is of this
# exhibit: another one's case need not have a number.
y(k, c, name) = positive(name) > 0 && @its_panel == i && @its_curve eq c \
    && (k == 0 || @its_kind == k) ? positive(name) : NaN
x(k, c, name) = y(k, c, name) > 0 ? @its_x * beside(c) : NaN
beside(c) = 1 # curves whose points stand on the same x may be set a little aside

# found[i]: the curves of panel i, and once more with the kinds and the columns that they have.
key(k, name, c) = sprintf("%d:%s:%s", k, name, c)
leader(i) = (i - 1) / sharing * sharing + 1
sizes = ""
least_x = 1e300
largest_x = 0
array found[|titles|]
array lowest[|titles|] # of those that share a range at the first
array highest[|titles|]
do for [i=1:|titles|] {
    found[i] = ""
    lowest[i] = 1e300
    highest[i] = 0
}
is_size(n) = strstrt("123456789", n[1:1]) > 0 # and not "mean 1500-4000"
stats table using (mine(metrics) && is_size(stringcolumn("n")) \
    ? strlen(sizes = insert(sizes, stringcolumn("n"))) : 0) nooutput
do for [name in columns] {
    stats table using (positive(name) > 0 && (i = @its_panel) > 0 ? (c = @its_curve, \
        found[i] = add(add(add(found[i], c), key(0, name, c)), key(@its_kind, name, c)), \
        i = leader(i), lowest[i] = smaller(lowest[i], positive(name)), \
        highest[i] = larger(highest[i], positive(name)), \
        least_x = smaller(least_x, @its_x), largest_x = larger(largest_x, @its_x)) : 0) nooutput
}
exponent(n) = log(real(n)) / log(2)
is_odd(n) = exponent(n) == floor(exponent(n)) && int(exponent(n)) % 2 == 1
odd_powers = sum [k=1:words(sizes)] is_odd(word(sizes, k))
anywhere = ""
do for [i=1:|titles|] { anywhere = anywhere . found[i] }
if (words(anywhere) == 0) {
    printerr exhibit . ": " . read_from . " has no value of " . metric
    exit status 1
}
i = 1 # if there is but one panel, the current one

having(list, start, j) = j > words(curves) ? "" : (has(list, start . word(curves, j)) \
    ? word(curves, j) . " " : "") . having(list, start, j + 1)
in_panel(k, name) = having(found[i], key(k, name, ""), 1)
any(k, name) = words(having(anywhere, key(k, name, ""), 1)) > 0
in_legend(all) = having(anywhere, "", 1)

# Parts of a plot command, to be evaluated. A loop over an empty list would still be entered once,
# so a layer without curves is left out. It has the values of column `name` and the curves that have
# any in column `having`.
also(any, text) = any ? ", " . text : ""
layer(k, name, having, text) = also(words(in_panel(k, having)) > 0, sprintf( \
    'for [c in in_panel(%d, "%s")] table using (x(%d, c, "%s")):(y(%d, c, "%s"))', \
    k, having, k, name, k, name) . text)
points(k, looks) = layer(k, "reproduced", "reproduced", " with points notitle " . looks)
# Joined by x, whatever the order of the rows.
joined(k, name, looks) = layer(k, name, name, " smooth unique with linespoints notitle " . looks)
intervals(k, looks) = layer(k, "reproduced", "ci_lo", sprintf( \
    ':(y(%d, c, "ci_lo")):(y(%d, c, "ci_hi")) with yerrorbars notitle ', k, k) . looks)
noted_interval(k, looks) = also(any(k, "ci_lo"), \
    'keyentry with yerrorbars @grey ' . looks . ' title "95 % interval"')
