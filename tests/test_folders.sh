#!/usr/bin/env bash
# What a run's folder is, empty, running, interrupted, finished or kept, and that every verb says so;
# that what was measured is shown however a run ended; that nothing is written to a kept one; and
# bytes that are others. test_folders.sh REPRISE REPRISE-TRIAL, from anywhere. COUNT and REPRISE_SEED
# choose how many bytes, and which.
set -u
reprise=$(realpath "$1") trial=$(realpath "$2") tests=$(realpath "$(dirname "$0")")
plots=$tests/../plots results=$tests/../results count=${COUNT:-40}
. "$tests/tap.sh"
RANDOM=${REPRISE_SEED:-2010} # the moments of the kills

# begins STATUS LINE COMMAND...: that status, and a first line on standard output that begins so
begins()
{
    local expected=$1 line=$2
    shift 2
    gives "$expected" "$@" && head -n 1 out | grep -q "^$line"
}

# warns STATUS WORDS COMMAND...: its standard error has them
warns()
{
    local expected=$1 words=$2
    shift 2
    gives "$expected" "$@" && grep -qF -e "$words" err
}

# fresh NAME: a copy of the finished run under that name
fresh()
{
    rm -rf "$1" && cp -r run "$1"
}

# print_of FOLDER: every name in it with its content
print_of()
{
    (cd "$1" && find . -printf '%y %P\n' | sort && find . -type f -exec cksum {} + | sort)
}

# untouched FOLDER COMMAND...: it succeeds, and the folder has the same names and bytes as before
untouched()
{
    local folder=$1
    shift
    print_of "$folder" >before.txt
    "$@" && print_of "$folder" | diff before.txt -
}

# jobs_of FOLDER: those of the exhibits of which samples.csv has a whole round
jobs_of()
{
    grep '^trial.*,status,' "$1/samples.csv" | cut -d, -f1-4,6 | sort -u | wc -l
}

# rounds_are FOLDER NUMBER: those which all jobs have that have any, or one fewer: the last was not noted yet
rounds_are()
{
    local least
    least=$(grep '^trial.*,status,' "$1/samples.csv" | cut -d, -f1-4,6 | sort | uniq -c |
        sort -n | awk 'NR == 1 { print $1 }')
    test "$least" -eq "$2" -o "$((least - 1))" -eq "$2"
}

# kill_all PID: a run and its worker
kill_all()
{
    local children
    read -ra children <"/proc/$1/task/$1/children"
    kill -9 "$1" "${children[@]}" 2>/dev/null
    wait "$1" 2>/dev/null
}

# --- finished ---

protocol=(trial-good --size smoke --rounds 3 --samples 2)
point 'a run' gives 0 "$trial" run "${protocol[@]}" --out run
point 'is finished, of all its rounds' test "$(grep '^state,' run/run.csv)" = \
    'state,finished after 3 of 3 rounds'
point 'which goes without saying' begins 0 trial-good "$trial" verdict run
point 'and is counted' begins 0 'BASE run: .* 3 rounds' "$trial" compare run run
cp -r run once && rm once/measured.csv
point 'measured.csv is missing' untouched once cmp <("$trial" verdict run) <("$trial" verdict once)
point 'and compared' untouched once gives 0 "$trial" compare run once
point 'which has all the jobs' test "$(grep -c '^trial-good/' out)" -eq 4
edited once
point 'report makes it again' gives 0 "$trial" report once
point 'the same bytes' cmp run/measured.csv once/measured.csv

# --- running ---

: >hold
"$trial" run trial-sleepy --order plan --out alive >alive.out 2>&1 &
pid=$!
begun alive
while read -r verb line; do
    # shellcheck disable=SC2086 # words
    point "a run that goes on: $verb" begins 0 "$line" "$trial" ${verb//+/ }
done <<'END'
verdict+alive alive: still running, after 0 of 7 rounds$
compare+alive+alive BASE alive: .* 0 of 7 rounds; no reference: it is still running, after 0 of 7
report+alive alive: still running, after 0 of 7 rounds$
END
point 'its page says so' grep -q '^The run is still running, after 0 of 7 rounds\.$' alive/report.md
point 'and has no measured.csv yet' test ! -e alive/measured.csv
point 'it is in no history' refuses 2 'it is still running' sh -c \
    '"$@" 2>&1 >out | head -n 1 >&2; exit 2' sh "$trial" history alive
point 'nor kept' refuses 2 'alive is still running' "$trial" keep alive
kill -INT $pid
rm hold
wait $pid

# --- interrupted ---

point 'a run that was interrupted says so' grep -q '^state,interrupted after 0 of 7 rounds$' alive/run.csv
# shellcheck disable=SC2016 # as it is printed
point 'and its verdict' begins 0 'alive: interrupted after 0 of 7 rounds; `run --resume`' "$trial" verdict alive
point 'it is not kept' refuses 2 'alive is interrupted after 0 of 7 rounds; finish it' "$trial" keep alive
point 'a budget' in_part budget "$trial" run trial-good --rounds 60 --precise 0 --size smoke
point 'that has bought a round of each job is spent' \
    grep -q '^state,finished after [1-5]\{0,1\}[0-9] of 60 rounds$' budget/run.csv
point 'well' gives 0 "$trial" verdict budget
point 'and its run is whole' sh -c '! grep -q "interrupted after" out'
point 'nothing keeps it from going on' gives 0 "$trial" run trial-good --rounds 60 --precise 0 --size smoke \
    --out budget --resume
point 'to all of its rounds' grep -q '^state,finished after 60 of 60 rounds$' budget/run.csv
point 'a budget that has no round of some' gives 1 "$trial" run trial-good --size smoke \
    --budget 0.001s --out poor
point 'interrupts' begins 0 'poor: interrupted after 0 of 7 rounds' "$trial" verdict poor
gives 0 "$trial" run trial-good/sums/good --rounds 2 --precise 0 --size smoke --out part
gives 0 "$trial" run trial-good --rounds 2 --precise 0 --size smoke --out part --resume --budget 0.001s
point 'one that has rounds of some is spent well, too' \
    grep -q '^state,finished after 2 of 2 rounds$' part/run.csv
point 'what did not fit has a row' grep -q ',skipped: the budget of 0.001 s$' part/samples.csv
point 'and the run is fit to be kept' gives 0 "$trial" keep part

# Killed with its worker, at any moment: all that has a status is shown, and nobody writes but report.
killed=0 shown=0 silent=0 quiet=0
hundred=(trial-hundred --rounds 40 --precise 0 --samples 2 --size smoke)
for _ in 1 2 3 4 5 6; do
    rm -rf dead
    "$trial" run "${hundred[@]}" --out dead >out 2>err &
    pid=$!
    begun dead '^trial.*,status,'
    sleep "0.$((RANDOM % 9))$((RANDOM % 9))"
    kill_all $pid
    grep -q '^state,running after' dead/run.csv && killed=$((killed + 1))
    jobs=$(jobs_of dead)
    untouched dead "$trial" compare dead dead >out 2>err
    test "$(grep -c '^trial-hundred.* [0-9.e-]* .*compared' out)" -eq "$jobs" && shown=$((shown + 1))
    print_of dead | cmp -s before.txt - && quiet=$((quiet + 1))
    "$trial" verdict dead >out 2>err
    head -n 1 out | grep -q '^dead: interrupted after [0-9]* of 40 rounds; ' || silent=$((silent + 1))
done
point "killed: $killed of 6" test $killed -eq 6
point "all that was measured is shown: $shown of 6" test $shown -eq 6
point 'each time the verdict says so first' test $silent -eq 0
point "nothing is written: $quiet of 6" test $quiet -eq 6
"$trial" run trial-good --rounds 60 --precise 0 --size smoke --out ninth >out 2>err &
pid=$!
begun ninth '^trial-good.*,[12]000,9,'
kill_all $pid
point 'killed in round 9 or so' begins 0 'ninth: interrupted after' "$trial" verdict ninth
point 'as many as all jobs have' rounds_are ninth "$(sed -n '1s/.* after \([0-9]*\) of .*/\1/p' out)"
printf 'exhibit,case,variant,precision,hardware,n,metric,statistic,value,unit,note\n' >dead/measured.csv
# Of the hundred some numbers differ from what is printed.
point 'an old measured.csv' gives 4 "$trial" compare dead dead
point 'is passed over' test "$(grep -c '^trial-hundred.*compared' out)" -eq "$(jobs_of dead)"
point 'its report' begins 4 'dead: interrupted after' "$trial" report dead
point 'has them in tables' grep -q '[0-9]e-\|[0-9]\.[0-9]' dead/tables/trial-hundred.txt
point 'and in measured.csv' test "$(grep -c '^trial.*,status,' dead/measured.csv)" -eq "$(jobs_of dead)"
point 'resume' gives 0 "$trial" run "${hundred[@]}" --out dead --resume
point 'and it is whole' begins 4 'BASE dead: .* 40 rounds' "$trial" compare dead dead

# What somebody sends: a round that no run comes to.
fresh far && killed far
sed -i 's/^\(trial-good.*,[12]000,\)3,/\12147483647,/' far/samples.csv
point 'a round far off' gives 0 timeout 20 "$trial" compare far far

# A verb that looks at a folder does not keep a run from beginning there.
flock -s budget sleep 0.2 &
sleep 0.05
point 'a run begins where somebody looks' gives 0 "$trial" run trial-good --rounds 60 --size smoke \
    --out budget --resume
wait $!

# --- empty ---

mkdir none
point 'no run' refuses 1 'none/run.csv' "$trial" verdict none
fresh begun && killed begun
head -n 1 run/samples.csv >begun/samples.csv
for verb in verdict report 'compare run' history generations; do
    # shellcheck disable=SC2086
    point "nothing measured: $verb" refuses 1 'begun/samples.csv has a header and nothing else: nothing was' \
        "$trial" $verb begun
done
point 'a run of it' gives 0 "$trial" run "${protocol[@]}" --out begun --resume

# --- before there was the fact ---

fresh old && edited old && sed -i '/^state,/d' old/run.csv
point 'a run without the fact' begins 0 trial-good "$trial" verdict old
grep -vE '^trial.*,[12]000,3,[0-9]+,' run/samples.csv >old/samples.csv
point 'that lacks a round' begins 0 'old: interrupted after 2 of 3 rounds' "$trial" verdict old
sed -i '/^end,/d' old/run.csv
point 'or was killed' begins 0 'old: interrupted after 2 of 3 rounds' "$trial" verdict old

# --- kept ---

fresh packed
point 'keep' gives 0 "$trial" keep packed
point 'packs the samples' cmp <(gunzip -c packed/samples.csv.gz) run/samples.csv
point 'and removes them' test ! -e packed/samples.csv
point 'changes nothing else' diff -r -x 'samples.csv*' run packed
point 'keep again' untouched packed gives 0 "$trial" keep packed
point 'is read' untouched packed cmp <("$trial" verdict run) <("$trial" verdict packed)
cp -r packed lacking && rm lacking/measured.csv
point 'report makes its measured.csv again' gives 0 "$trial" report lacking
point 'with the same bytes' cmp run/measured.csv lacking/measured.csv
rm lacking/measured.csv && sed -i 's/^measured.csv,.*/measured.csv,12345678/' lacking/checksums.csv
point 'another one is said' warns 0 'lacking: The run'"'"'s own measured.csv is missing' "$trial" report lacking
point 'on the page too' grep -q 'own measured.csv is missing, and what this program' lacking/report.md
point 'and not left there' test ! -e lacking/measured.csv
point 'it is read as before' cmp <("$trial" verdict run) <("$trial" verdict lacking)
rm -rf packed/log
fresh bare && rm bare/samples.csv && edited bare && rm -rf bare/log
cp -r packed both && cp run/samples.csv both
cp -r packed damaged && printf x >>damaged/samples.csv.gz
for folder in packed bare both damaged; do
    for more in '' --resume '--resume --retry failed'; do
        # shellcheck disable=SC2086
        point "$folder: run $more" untouched $folder refuses 2 "$folder is kept, and nothing is written" \
            "$trial" run "${protocol[@]}" --out $folder $more
    done
done
fresh plain && edited plain && rm plain/measured.csv
point 'keep of a run without checksums' gives 0 "$trial" keep plain
point 'has some' cmp run/checksums.csv plain/checksums.csv
point 'and what was missing' cmp run/measured.csv plain/measured.csv
for kept in "$results"/*/*; do
    test -f "$kept/samples.csv.gz" || continue # the user's own runs, perhaps not finished
    name=${kept##*/}
    point "$name has checksums" test -f "$kept/checksums.csv"
    cp -r "$kept" "./$name"
    point "$name: keep" untouched "./$name" gives 0 "$reprise" keep "./$name"
    point "$name: verdict" sh -c '! "$@" | grep interrupted' sh "$reprise" verdict "./$name"
    point "$name: run" untouched "./$name" refuses 2 'is kept, and nothing is written' "$reprise" run \
        'bvp2010-table1/*/A1*' --size smoke --out "$name"
done

# --- references ---

# reference NAME SECONDS STATE: a run that may be compared with in earnest, began then and stands so
reference()
{
    fresh "refs/$1" && edited "refs/$1"
    sed -i "s/^dirty,.*/dirty,0/; s/^build_type,.*/build_type,release/
        s/^code,.*/code,another/; s/^start,.*/start,2001-01-01T00:00:0$2Z/
        s/^state,.*/state,$3/" "refs/$1/run.csv"
}
mkdir refs
reference whole 1 'finished after 3 of 3 rounds'
reference stopped 2 'interrupted after 2 of 3 rounds'
reference dead 3 'running after 1 of 3 rounds'
point 'the newest reference' begins 0 'BASE refs/whole: .* 3 rounds$' "$trial" compare newest:refs run
point 'is a whole one' grep -q '^left out: refs/stopped: it is interrupted after 2 of 3 rounds$' err
point 'and no killed one' grep -q '^left out: refs/dead: it is interrupted after 1 of 3 rounds$' err
point 'as BASE by name' begins 0 'BASE refs/stopped: .* 2 of 3 rounds; no reference: it is interrupted' \
    "$trial" compare refs/stopped run
point 'it has no verdict' grep -q 'no verdict: BASE is no reference: it is interrupted after 2 of 3' out
reference packed 4 'finished after 3 of 3 rounds'
"$trial" keep refs/packed
point 'a kept one is one' begins 0 'BASE refs/packed: .* 3 rounds$' "$trial" compare newest:refs run
cp -r refs others
sed -i 's/^size,.*/size,quick/' others/packed/run.csv
sed -i 's/^dirty,.*/dirty,1/' others/whole/run.csv
sed -i 's/^rounds,.*/rounds,2/' others/stopped/run.csv
rm -r others/dead
edited others/packed others/whole others/stopped
point 'where nothing can be one' begins 0 'others holds no other run of this machine that can be' \
    "$trial" compare newest:others run
size=$(sed -n 's/^size,//p' run/run.csv)
point 'it is said why: sizes' grep -q "^left out: others/packed: its sizes are quick, and not $size$" err
point 'sources' grep -q '^left out: others/whole: its sources differ from its commit$' err
point 'rounds' grep -q '^left out: others/stopped: it has fewer than 3 rounds$' err
point 'history' gives 0 "$trial" history refs/whole refs/stopped refs/packed
point 'names what it leaves out' grep -q '^left out: refs/stopped: it is interrupted after 2 of 3' err
point 'generations' gives 0 "$trial" generations refs/stopped
point 'says it, too' grep -q '^refs/stopped: interrupted after 2 of 3 rounds' err

# --- what is written there ---

mkdir -p steps/fields
field=steps/fields/trial-steps.sums.good.double.200.csv
echo mine >victim.txt
ln -s ../../victim.txt $field
ln -s ../../victim.txt "${field/200/400}.new"
point 'fields where links are' gives 0 "$trial" run trial-steps --quick --out steps
point 'are written' test -f $field -a ! -L $field -a "$(head -c 2 $field)" = 'i,'
point 'and through none of them' test "$(cat victim.txt)" = mine
if command -v gnuplot >gnuplot-path; then
    "$trial" generations steps --format csv | awk -F, -v OFS=, 'NR > 1 { $10 = "-" } 1' >unknown.csv
    point 'generations of which no share is known' gives 0 gnuplot -c "$plots/generations.gp" \
        unknown.csv unknown.svg
    point 'are drawn' grep -q 'good/double, Machine' unknown.svg
fi

# --- one byte ---

point 'another byte in a finished run' "$tests/damage.sh" "$trial" run "$count"
point 'in a kept one' "$tests/damage.sh" "$trial" packed "$count"

finish
