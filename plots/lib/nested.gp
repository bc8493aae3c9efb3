# Curves of a panel that coincide, as those of four variants with one error: one that lies under
# others is wider than they, so that all are seen. For what has sizes as its x; values.gp is loaded.
array at[|titles| * words(curves) * words(sizes)]
do for [k=1:|at|] { at[k] = 0 }
nth(i, c, k) = ((i - 1) * words(curves) + c - 1) * words(sizes) + k
stats table using (positive("reproduced") > 0 && @its_panel > 0 && has(curves, @its_curve) \
    ? at[nth(@its_panel, place(curves, @its_curve), place(sizes, stringcolumn("n")))] = \
        positive("reproduced") : 0) nooutput
both(i, a, b, k) = at[nth(i, a, k)] > 0 && at[nth(i, b, k)] > 0
# Within the width of a line, of a range that is as high as a panel.
near(i) = larger(0.04, 0.0075 * log(highest[leader(i)] / lowest[leader(i)]))
equal(i, a, b, k) = both(i, a, b, k) && abs(log(at[nth(i, a, k)] / at[nth(i, b, k)])) < near(i)
coincide(i, a, b) = (sum [k=1:words(sizes)] equal(i, a, b, k)) >= 2 \
    && (sum [k=1:words(sizes)] (both(i, a, b, k) && !equal(i, a, b, k))) == 0
array under[|titles| * words(curves)]
most_under = 0
do for [p=1:|titles|] {
    do for [a=1:words(curves)] {
        depth = 0
        do for [b=a + 1:words(curves)] { depth = depth + coincide(p, a, b) }
        under[(p - 1) * words(curves) + a] = depth
        most_under = larger(most_under, depth)
    }
}
deep(c) = i > |titles| || !has(curves, c) ? 0 : under[(i - 1) * words(curves) + place(curves, c)]
wider = smaller(0.4, 1.6 / larger(most_under, 1))
width_of(c) = 1.3 + smaller(1.9, 8.0 / larger(most_under, 1)) * deep(c)
size_of(c) = full_size * (1 + wider * deep(c))
open_size = open_size + wider * full_size * most_under
