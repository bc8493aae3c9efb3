#!/usr/bin/env bash
# Folders that are damaged, or that somebody sends: read whole or refused, nothing in them runs, and
# nothing outside of them is written. test_safe.sh REPRISE REPRISE-TRIAL, from anywhere.
set -u
reprise=$(realpath "$1") trial=$(realpath "$2") plots=$(realpath "$(dirname "$0")/../plots")
. "$(dirname "$0")/tap.sh"

# fresh NAME: a copy of the run under that name
fresh()
{
    rm -rf "$1" && cp -r run "$1"
}

protocol=(trial-good --size smoke --rounds 3 --samples 2)
point 'a run' gives 0 "$trial" run "${protocol[@]}" --out run
point 'has checksums' test "$(cut -d, -f1 run/checksums.csv | tr '\n' ' ')" = \
    'file run.csv samples.csv measured.csv '
point 'which are those of the files' sh -c 'for file in run samples measured; do
    sum=$(python3 -c "import sys, zlib; print(\"%08x\" % zlib.crc32(sys.stdin.buffer.read()))" <run/$file.csv)
    grep -qx "$file.csv,$sum" run/checksums.csv || exit 1
done'

# --- one byte ---

# damage FILE PLACE BYTE
damage()
{
    printf "\\x$(printf %02x "$3")" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# line_of FILE PLACE
line_of()
{
    echo $(($(head -c "$2" "$1" | tr -cd '\n' | wc -c) + 1))
}

tenth=$(($(wc -c <run/measured.csv) / 10))
for byte in 0 34; do
    fresh one
    damage one/measured.csv $tenth $byte
    damage one/samples.csv $(($(wc -c <run/samples.csv) / 10)) $byte
    for verb in verdict 'compare run' report history generations; do
        # shellcheck disable=SC2086 # two words
        point "byte $byte at a tenth of measured.csv: $verb" refuses 1 \
            'one/samples.csv is not what the run wrote' "$trial" $verb one
    done
    point "byte $byte: run --resume" refuses 1 'one/samples.csv is not what the run wrote' \
        "$trial" run "${protocol[@]}" --out one --resume
    edited one
    for verb in verdict 'compare run' report history generations; do
        # shellcheck disable=SC2086
        point "byte $byte at a tenth of measured.csv, no checksums: $verb" refuses 1 \
            "one/measured.csv, line $(line_of run/measured.csv $tenth): " "$trial" $verb one
    done
    cp one/samples.csv before.csv
    point "byte $byte at a tenth of samples.csv, no checksums: run --resume" refuses 1 \
        "one/samples.csv, line $(line_of run/samples.csv $(($(wc -c <run/samples.csv) / 10))): " \
        "$trial" run "${protocol[@]}" --out one --resume
    point "byte $byte: nothing was written" cmp before.csv one/samples.csv
done

# --- rows that are whole and wrong ---

# edit NAME FILE SED WORDS: verdict, or compare where it is the samples, refuses it with the words
edit()
{
    fresh one
    edited one
    sed -i "$3" "one/$2"
    ! cmp -s "run/$2" "one/$2" && refuses 1 "$4" "$trial" compare one run
}
point 'a field too many' edit x measured.csv '3s/$/,/' 'one/measured.csv, line 3: 12 fields where'
point 'a field too few' edit x samples.csv '4s/,//' 'one/samples.csv, line 4: 11 fields where'
point 'a value that is no number' edit x measured.csv '3s/,value,/,value,x/' \
    'one/measured.csv, line 3: the value '
point 'a size that is no number' edit x measured.csv '/^trial/s/,\([12]\)000,/,\1OOO,/' \
    "OOO' is no whole number"
point 'a size with a quote' edit x measured.csv '/^trial/s/,[12]000,/,"""x",/' ": '"'"x'"'"' is no whole'
point 'a round that is no number' edit x samples.csv '2s/,65536,[0-9]*,/,65536,one,/' \
    "one/samples.csv, line 2: 'one' is no whole number"
point 'an unknown status' edit x measured.csv '/,status,/s/,ok$/,okay/' "'okay' is no status"
point 'a status that is lost' edit x measured.csv '/,status,/s/status/statue/' \
    'another job begins, and the one before it has no status'
point 'a job within another' edit x measured.csv '3s/^ceilings,/cielings,/' 'one/measured.csv, line 3: another'
point 'the last line is cut off' edit x samples.csv '$s/..$/\x00/' 'one/samples.csv, line '
fresh one && edited one && head -n 1 run/measured.csv >one/measured.csv
point 'a header alone is no run' refuses 1 'one/measured.csv has a header and nothing else' \
    "$trial" verdict one

# --- resume ---

fresh one
killed one
head -c -30 run/samples.csv >one/samples.csv
rows=$(head -c -30 run/samples.csv | wc -l)
cp one/samples.csv before.csv
point 'resume of a run that was killed as it wrote' gives 0 "$trial" run "${protocol[@]}" --out one \
    --resume
point 'says what it left out, and where that is' \
    grep -qE '^left out of one/samples.csv: [0-9]+ rows and a line that was cut off; one/samples.csv.before' err
point 'which is what there was' cmp before.csv one/samples.csv.before
point 'and has the checksums of the whole' gives 0 "$trial" verdict one
point 'more rows than before' test "$(wc -l <one/samples.csv)" -gt "$rows"
fresh one
killed one
sed -i '9s/^[^,]*,/"&/' one/samples.csv
cp one/samples.csv before.csv
point 'resume of what is damaged' refuses 1 'one/samples.csv, line 9: a quote is not closed' \
    "$trial" run "${protocol[@]}" --out one --resume
point 'changes nothing' cmp before.csv one/samples.csv
fresh one
point 'resume goes on with more jobs' gives 0 "$trial" run trial-good -a n=300 --size smoke --rounds 3 \
    --samples 2 --out one --resume
point 'and keeps the others' test "$(grep -c ',status,' one/measured.csv)" -gt \
    "$(grep -c ',status,' run/measured.csv)"
point 'and has new checksums' gives 0 "$trial" verdict one
fresh one
point 'a smoke run is not made one of paper sizes' refuses 2 "size = 'smoke' and this would be 'paper'" \
    "$trial" run trial-good --rounds 3 --samples 2 --size paper --out one --resume
point 'and says what it is' grep -qx 'size,smoke' one/run.csv

# --- kept runs ---

fresh one
gzip one/samples.csv
point 'a kept run' gives 0 "$trial" compare one run
point 'is not written to' refuses 2 'one is kept' "$trial" run "${protocol[@]}" --out one
point 'nor resumed' refuses 2 'one is kept' "$trial" run "${protocol[@]}" --out one --resume
cp -r one cut
truncate -s 200 cut/samples.csv.gz
edited cut
point 'a gzip file cut off' refuses 1 'cut/samples.csv.gz is cut off' "$trial" compare cut run
middle=$(($(wc -c <one/samples.csv.gz) / 2))
damage one/samples.csv.gz $middle $(($(od -An -tu1 -j $middle -N 1 one/samples.csv.gz) ^ 7))
edited one
point 'a gzip file with another byte' refuses 1 'one/samples.csv.gz' "$trial" compare one run

# --- names ---

# A run of surfaces with a file whose name is a command to a shell, and one to gnuplot.
if command -v gnuplot >gnuplot-path; then
    mkdir sent
    for kept in "$plots"/../results/nvidia-h100-80gb-hbm3/*; do :; done
    cp -r "$kept/fields" "$kept/run.csv" sent
    gunzip -c "$kept/samples.csv.gz" | sed -n '1p;/^cf2011-figure2,/p' >sent/samples.csv
    field=sent/fields/cf2011-figure2.willmore-figure
    for name in "1999';id>PWNED;'" '999`id>PWNED`' '999$(id>PWNED)' '999";id>PWNED;"'; do
        cp "$field.gpu-coop.double.64.csv" "$field.gpu-coop.double.$name.csv"
    done
    cp "$field.gpu-coop.double.64.csv" "$field.x';id>PWNED;'.double.64.csv"
    mkfifo "$field.gpu-coop.double.128.csv"
    echo mine >victim.txt
    mkdir sent/figures
    ln -s ../../victim.txt sent/figures/cf2011-figure2.svg
    ln -s ../../victim.txt sent/figures/cf2011-figure2.svg.new
    ln -s ../../victim.txt sent/figures/cf2011-figure2.svg.new.dots.png
    ln -s ../victim.txt sent/compared.csv
    ln -s ../victim.txt sent/index.html.new
    point 'report of what somebody sends' gives 0 timeout 60 "$reprise" report sent
    point 'runs nothing of it' test -z "$(find . -name 'PWNED*')"
    point 'draws the largest field that has a name of ours' \
        grep -q "double:64'" sent/figures/cf2011-figure2.gp
    point 'and the figure' grep -q '<svg' sent/figures/cf2011-figure2.svg
    point 'and leaves no picture of dots' test -z "$(ls sent/figures/*.dots.png 2>/dev/null)"
    point 'and writes through no link' grep -qx mine victim.txt
    rm -r sent/tables && ln -s .. sent/tables
    point 'a folder that is a link' refuses 1 'sent/tables is no folder' "$reprise" report sent
    rm sent/tables

    # The scripts that are drawn by hand.
    "$reprise" history "$kept/.." 2>/dev/null
    "$reprise" history "$kept" 'cf2011-figure1/*/cpuN' --format csv >history.csv
    "$reprise" generations "$kept" --format csv >generations.csv
    for script in history generations; do
        for name in "x';id>PWNED;'.csv" '<id>PWNED' '|id>PWNED' '`id>PWNED`.csv' '$(id>PWNED).csv' '-'; do
            cp "$script.csv" "./$name"
            rm -f figure.svg
            point "$script.gp of $name" gives 0 gnuplot -c "$plots/$script.gp" "$name" figure.svg
            point "draws it and runs nothing" sh -c 'test ! -e PWNED && grep -q polyline\\\|path figure.svg'
            rm -f "./$name"
        done
    done
    point 'its jobs have their names' grep -q '>figure1/gpu/' figure.svg
fi
rm -f PWNED
point 'no script calls a shell' test -z "$(grep -rnE 'system *\(|`|^ *!|popen|"<|'"'<" "$plots" |
    grep -vE '^[^:]*:[0-9]+:#' | grep -v "^[^:]*:[0-9]*: *eval")"

for verb in verdict report history generations 'compare run'; do
    # shellcheck disable=SC2016
    for name in "q'uote" '$HOME' '`id>PWNED`' 'a"b' 'c;id>PWNED' ' blank' '*'; do
        fresh "./$name"
        # shellcheck disable=SC2086
        point "$verb of '$name'" sh -c '"$@" >out 2>err; test $? -le 2 && test ! -e PWNED' sh \
            "$trial" $verb "./$name"
        rm -rf "./$name"
    done
done
for name in ' blank' "$(printf 'line\nbreak')" "$(printf 'tab\tstop')" '--leading' '-x'; do
    point "run --out=${name@Q}" refuses 2 "a folder's name must not begin" \
        "$trial" run "${protocol[@]}" "--out=$name"
done
for name in "q'uote" '$HOME' 'with blank' '`id>PWNED`' 'a"b,c'; do
    point "run --out='$name'" gives 0 "$trial" run trial-good --size smoke --quick "--out=$name"
    point 'is a run' gives 0 "$trial" verdict "$name"
    point 'and its page' gives 0 "$trial" report "$name"
done

# --- what is asked of the program ---

for list in 9007199254740992:9007199254740992:1 9007199254740991:9007199254740992:1; do
    point "sizes $list end" timeout 60 sh -c '"$@" >out 2>err; test $? -le 2' sh "$trial" list jobs \
        trial-good -a "n=$list" --size smoke
done
for list in 1000.4 500:1000.5:100 500:1000:1.5 0 1e300 nan; do
    point "sizes $list" refuses 2 'is not a list of sizes' "$trial" list jobs -a "n=$list" --size smoke
done
point 'sizes as powers' gives 0 "$trial" list jobs trial-good -a n=2^10,1e3 --size smoke
point 'are whole numbers' test "$(cut -d/ -f5 out | sort -n | uniq | tr '\n' ' ')" = '1000 1024 '
for verb in 'report run' 'compare run run' 'history run' 'generations run'; do
    for format in '' text,latex latex,text ,text 'text,' markdown,csv; do
        # shellcheck disable=SC2086
        point "$verb --format=$format" refuses 2 "--format=$format: '${verb%% *}' has one of " \
            "$trial" $verb "--format=$format"
    done
done
printf '1\n2\n3\n' >values.txt
printf '1\n2\0\n3\n' >zero.txt
mkfifo pipe
solve=(solve bvp/p1 --variant A1D --set n=3 --input)
nothing_reads()
{
    refuses 1 "cannot read $1: it is no regular file" timeout 60 "$reprise" "${solve[@]}" "f=$1"
}
point 'values of a file' gives 0 "$reprise" "${solve[@]}" f=values.txt
point 'with a zero byte' refuses 2 'zero.txt, line 2, holds a zero byte' "$reprise" "${solve[@]}" f=zero.txt
point 'of a pipe' nothing_reads pipe
point 'of a device' nothing_reads /dev/zero
point 'of a folder' nothing_reads run
point 'nothing ran' test -z "$(find . -name 'PWNED*')"

finish
