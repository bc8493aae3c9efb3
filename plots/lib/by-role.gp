# One metric over n of more variants than a panel can show: a panel for those that were published, and
# others for what they are compared with and what the paper does not have.
load "figures/kinds.gp"
rows = 1
in_row = kinds
array titles[in_row]
do for [k=1:kinds] { titles[k] = kind_name[k] }
its_panel = '(has(variants, stringcolumn("variant")) ? kind_at(stringcolumn("variant")) : 0)'
panel_width = in_row > 2 ? 330 : 420
panel_height = 460
load "figures/grid.gp"
