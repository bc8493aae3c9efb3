# One metric over n of an exhibit that nobody printed: a panel for each case and precision, those of
# a case in a column and those of a precision in a row, or side by side if there is one case, and in
# it a curve for each variant.
set datafile separator comma
set datafile columnheaders
precisions = ""
do for [p in "single mixed double"] {
    values = 0
    stats "compared.csv" using (strstrt(exhibits, " " . stringcolumn("exhibit") . " ") > 0 \
        && stringcolumn("metric") eq metric && stringcolumn("precision") eq p \
        && column("reproduced") > 0 ? (values = values + 1) : 0) nooutput
    if (values > 0) { precisions = precisions . " " . p }
}
one = words(cases) == 1
rows = one ? 1 : words(precisions)
in_row = one ? words(precisions) : words(cases)
array titles[rows * in_row]
do for [i=1:rows * in_row] {
    titles[i] = word(cases, one ? 1 : (i - 1) % in_row + 1) . ", " \
        . word(precisions, one ? i : (i - 1) / in_row + 1)
}
its_panel = '(place(cases, stringcolumn("case")) \
    + (one ? 1 : in_row) * (place(precisions, stringcolumn("precision")) - 1))'
load "figures/grid.gp"
