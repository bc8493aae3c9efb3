#!/usr/bin/env bash
# Variants that cheat, each at small, middling and large size, timed and untimed, in runs of seven
# rounds and of three: none may ever pass. cheats.sh REPRISE-TRIAL [COUNT]: so many runs of each.
set -u
trial=$(realpath "$1") count=${2:-1}
. "$(dirname "$0")/tap.sh"

# What became of a job, as its status row says: a word.
words()
{
    sed -n "s/^$1,sums,$2,.*,$3,status,value,,,\"\{0,1\}\([a-z]*\).*/\1/p" runs.*/measured.csv | sort
}

# caught EXHIBIT VARIANT N: in every run
caught()
{
    local good
    words "$1" "$2" "$3" >all
    good=$(grep -cE '^(wrong|impossible)$' all)
    uniq -c all
    test "$good" -eq $((2 * count)) -a "$(wc -l <all)" -eq $((2 * count))
}

passed()
{
    words "$1" good "$2" >all
    uniq -c all
    test "$(grep -c '^ok$' all)" -eq $((2 * count)) -a "$(wc -l <all)" -eq $((2 * count))
}

# Every sample solves, and its least time is that of a solve.
solved()
{
    "$trial" run trial-keeping --rounds 3 --size smoke --out keeping >out 2>err &&
        awk -F, '$1 == "trial-keeping" && $9 == "time" { print; n++; bad += !($10 >= 0.15) } END { exit !(n >= 3 && !bad) }' keeping/samples.csv
}

point 'no sample has the data of the run before it' solved
for ((i = 1; i <= count; i++)); do
    "$trial" run trial-clever trial-untimed --size smoke --out runs.$i >out 2>err
    "$trial" run trial-clever trial-untimed --rounds 3 --samples 3 --size smoke --out runs.$i.3 >out 2>err
done
for n in 1000 100000 4000000; do
    for cheat in patient patient-copy counting last-of-seven half first-data-only; do
        point "$cheat, $n: $((2 * count)) of $((2 * count))" caught trial-clever $cheat $n
        point "$cheat, $n, untimed" caught trial-untimed $cheat $n
    done
    for cheat in nothing stale cached; do
        point "$cheat, $n, untimed" caught trial-untimed $cheat $n
    done
    point "good, $n" passed trial-clever $n
    point "good, $n, untimed" passed trial-untimed $n
done
finish
