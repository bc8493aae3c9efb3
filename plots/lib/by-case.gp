# One metric over n of an exhibit that nobody printed: a panel for each case and precision, those of
# a case in a column and those of a precision in a row, or side by side if there is one case, and in
# it a curve for each variant; of many variants there are rows for each kind. Cases of which nothing
# was measured are left out, and a row of more than five panels is broken.
load "figures/kinds.gp"
is_measured(name, w) = strstrt(exhibits, " " . stringcolumn("exhibit") . " ") > 0 \
    && stringcolumn("metric") eq metric && stringcolumn(name) eq w && column("reproduced") > 0
precisions = ""
do for [p in "single mixed double"] {
    values = 0
    stats "compared.csv" using (is_measured("precision", p) ? (values = values + 1) : 0) nooutput
    if (values > 0) { precisions = precisions . " " . p }
}
measured = ""
do for [c in cases] {
    values = 0
    stats "compared.csv" using (is_measured("case", c) ? (values = values + 1) : 0) nooutput
    if (values > 0) { measured = measured . " " . c }
}
if (words(measured) > 0) { cases = measured }
one = words(cases) == 1
each_row = many ? kinds : 1
in_group = one ? words(precisions) : words(cases)
lines = in_group > 5 ? int(ceil(in_group / 4.0)) : 1
in_row = int(ceil(1.0 * in_group / lines))
rows = lines * each_row * (one ? 1 : words(precisions))
sharing = in_row * lines * each_row
array titles[rows * in_row]
array row_heads[rows]
do for [i=1:rows * in_row] {
    row = (i - 1) / in_row
    group = row / lines
    k = (i - 1) % (in_row * lines) + 1
    its_precision = word(precisions, one ? k : group / each_row + 1)
    titles[i] = k > in_group ? "" : word(cases, one ? 1 : k) \
        . (many && !one ? "" : ", " . its_precision)
    row_heads[row + 1] = !many || row % lines > 0 ? "" \
        : (one ? "" : its_precision . ": ") . kind_name[group % each_row + 1]
}
its_row = '((one ? 0 : each_row * (place(precisions, stringcolumn("precision")) - 1)) \
    + (many ? kind_at(stringcolumn("variant")) : 1))'
its_column = '(one ? place(precisions, stringcolumn("precision")) : place(cases, stringcolumn("case")))'
its_panel = '(has(variants, stringcolumn("variant")) ? ' . its_column \
    . ' + in_row * lines * (' . its_row . ' - 1) : 0)'
panel_width = in_row > 4 ? 215 : 230
panel_height = 270
load "figures/grid.gp"
