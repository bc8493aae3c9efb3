# The variants that an exhibit has values of, in four kinds: those that were published, what these
# are compared with, limits, and libraries and others, beside the limits where these are few. Sets
# many, of more than a panel can show; kinds that there are; kind_at(variant), from 1 on; kind_name[].
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
has_kind(k) = together && k == 4 ? 0 : together && k == 3 ? counted[3] + counted[4] > 0 : counted[k] > 0
place_of_kind(k) = sum [j=1:(together && k == 4 ? 3 : k)] has_kind(j)
named_of(k) = k == 1 ? "the paper's own" : k == 2 ? "the paper's own, over other code" \
    : k == 4 ? "libraries and others" : together && counted[4] > 0 ? "limits and others" : "limits"
many = counted[1] + counted[2] + counted[3] + counted[4] > 6
kinds = place_of_kind(4)
kind_at(v) = place_of_kind(kind_of(v))
array kind_name[kinds]
do for [k=1:4] { if (has_kind(k)) { kind_name[place_of_kind(k)] = named_of(k) } }
