# One metric over n of more variants than a panel can show: a panel for those that were published, and
# others for what they are compared with and what the paper does not have.
set datafile separator comma
set datafile columnheaders
kind_of(v) = role(first(v)) ne "published" ? (role(first(v)) eq "limit" ? 3 : 4) \
    : role(second(v)) eq "published" ? 1 : 2
array counted[4] = [0, 0, 0, 0]
do for [v in variants] {
    values = 0
    stats "compared.csv" using (strstrt(exhibits, " " . stringcolumn("exhibit") . " ") > 0 \
        && stringcolumn("metric") eq metric && stringcolumn("variant") eq v \
        && (column("reproduced") > 0 || column("published") > 0) ? values = 1 : 0) nooutput
    counted[kind_of(v)] = counted[kind_of(v)] + values
}
together = counted[3] + counted[4] <= 6
shown(k) = together && k == 4 ? 0 : together && k == 3 ? counted[3] + counted[4] > 0 : counted[k] > 0
panel_of(k) = sum [j=1:(together && k == 4 ? 3 : k)] shown(j)
named_of(k) = k == 1 ? "the paper's own" : k == 2 ? "the paper's own, over other code" \
    : k == 4 ? "libraries and others" : together && counted[4] > 0 ? "limits and others" : "limits"
rows = 1
in_row = panel_of(4)
array titles[in_row]
do for [k=1:4] { if (shown(k)) { titles[panel_of(k)] = named_of(k) } }
its_panel = '(has(variants, stringcolumn("variant")) ? panel_of(kind_of(stringcolumn("variant"))) : 0)'
panel_width = in_row > 2 ? 330 : 420
panel_height = 460
load "figures/grid.gp"
