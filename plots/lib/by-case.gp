# One metric over n of an exhibit that nobody printed: a panel for each case and precision, those of
# a case in a column and those of a precision in a row, or side by side if there is one case, and in
# it a curve for each variant; of many variants there are rows for each kind.
load "figures/kinds.gp"
precisions = ""
do for [p in "single mixed double"] {
    values = 0
    stats "compared.csv" using (strstrt(exhibits, " " . stringcolumn("exhibit") . " ") > 0 \
        && stringcolumn("metric") eq metric && stringcolumn("precision") eq p \
        && column("reproduced") > 0 ? (values = values + 1) : 0) nooutput
    if (values > 0) { precisions = precisions . " " . p }
}
one = words(cases) == 1
each_row = many ? kinds : 1
rows = each_row * (one ? 1 : words(precisions))
in_row = one ? words(precisions) : words(cases)
sharing = in_row * each_row
array titles[rows * in_row]
do for [i=1:rows * in_row] {
    row = (i - 1) / in_row
    titles[i] = word(cases, one ? 1 : (i - 1) % in_row + 1) . ", " \
        . word(precisions, one ? (i - 1) % in_row + 1 : row / each_row + 1) \
        . (many ? ", " . kind_name[row % each_row + 1] : "")
}
its_row = '((one ? 0 : each_row * (place(precisions, stringcolumn("precision")) - 1)) \
    + (many ? kind_at(stringcolumn("variant")) : 1))'
its_column = '(one ? place(precisions, stringcolumn("precision")) : place(cases, stringcolumn("case")))'
its_panel = '(has(variants, stringcolumn("variant")) ? ' . its_column . ' + in_row * (' . its_row . ' - 1) : 0)'
load "figures/grid.gp"
