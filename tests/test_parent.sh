#!/usr/bin/env bash
# The program that the user starts: it loads nothing that computes, and says what is missing; its
# standard streams are there; whatever it waits for, a signal ends it, and its workers.
# test_parent.sh REPRISE REPRISE-TRIAL, from anywhere.
set -u
if test -z "${hears_hangup:-}"; then # under nohup, too
    export hears_hangup=yes
    exec env --default-signal=HUP bash "$0" "$@"
fi
reprise=$(realpath "$1") trial=$(realpath "$2") results=$(realpath "$(dirname "$0")/../results")
. "$(dirname "$0")/tap.sh"

# --- two files ---

point 'no library that computes is loaded' sh -c "ldd '$reprise' >libraries && ! grep -iE 'blas|lapack|sundials|cuda|cublas|cusparse|gfortran' libraries"
point 'nor called for' sh -c "! nm -D '$reprise' | grep -E ' U (cblas_|openblas_|ERK|N_V|SUN|cu[a-z]*[A-Z]|[a-z]+_\$)'"

# beside WORKER: the program with another one beside it, that is this script
beside()
{
    rm -rf other && mkdir other && cp "$reprise" other/reprise || return 1
    if test $# -eq 1; then
        printf '#!/bin/sh\n%s\n' "$1" >other/reprise-worker && chmod +x other/reprise-worker
    fi
}
says()
{
    local expected=$1 words=$2
    shift 2
    gives "$expected" "$@" && test "$(wc -l <err)" -eq 1 && grep -qF -e "$words" err
}
mkdir pair
cp "$trial" "$trial-worker" pair
point 'both can be moved' gives 0 "pair/${trial##*/}" run trial-good --size smoke --quick --out moved
beside
point 'one alone lists' gives 0 other/reprise list
point 'and plans' gives 0 other/reprise plan bvp2010-table1 --size smoke
point 'and says what it lacks' grep -qF "cannot open $PWD/other/reprise-worker, a part of this program: No such file" err
for verb in env 'run bvp2010-table1 --out never' 'solve bvp/p1 --variant A1D'; do
    # shellcheck disable=SC2086 # words
    point "one alone: $verb" says 1 "$PWD/other/reprise-worker, a part of this program" other/reprise $verb
done
beside 'printf "key,value\ncommit,0123456789\n\n"'
beside 'printf "commit,0123456789\n\n"'
point 'one of another commit' says 2 'the program that computes is of commit 0123456789 and this one' other/reprise env
beside 'echo "no room for libheavy.so" >&2; exit 127'
point 'one that cannot load its libraries' says 1 \
    'a worker could not tell what this machine is: no room for libheavy.so' other/reprise env
point 'and plans' gives 0 other/reprise plan bvp2010-table1 --size smoke
beside 'kill -SEGV $$'
point 'one that crashes' says 1 'a worker could not tell what this machine is: crashed: SIGSEGV' other/reprise env
beside ': >other/begun; exec sleep 1000'

# The sanitizers take terabytes of addresses.
for kib in 20000 40000 60000 100000; do
    (ulimit -v $kib && exec "$reprise" list) >/dev/null 2>&1 || continue
    # shellcheck disable=SC2016 # by the inner shell
    limited=(timeout 90 bash -c 'ulimit -v $0 && exec "$@"' $kib "$reprise")
    point "$kib KiB of addresses: plan" gives 0 "${limited[@]}" plan bvp2010-table1 --size smoke
    point "$kib KiB of addresses: a worker starts, or it is said what is missing" sh -c '"$@" >out 2>err ||
        { test "$(wc -l <err)" -eq 1 && grep "ulimit -v.* leaves each process .* a worker needs more" err; }' \
        sh "${limited[@]}" env
    point "$kib KiB of addresses: solve ends" sh -c '"$@"; test $? -ne 124' sh \
        "${limited[@]}" solve bvp/p1 --variant A1D --set n=0
done

# Refused before the data are there: to allocate them would fail in other words.
echo 1 >one.txt
if test "$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -lt 180 &&
    (ulimit -v 8000000 && exec "$reprise" list) >/dev/null 2>&1; then
    # shellcheck disable=SC2016
    point 'what needs more memory than there is' gives 1 timeout 90 bash -c 'ulimit -v 8000000 && exec "$@"' - \
        "$reprise" solve recurrence/user --variant SEQ --precision double --set n=2^33 --input f=one.txt
    point 'says what it needs' grep -qE 'needs [0-9.]+ GiB of memory and [0-9.]+ GiB are free; choose' err
fi

# The other file is replaced as a run goes on.
mkdir swapped && cp "$trial" "$trial-worker" swapped
"swapped/${trial##*/}" run trial-hundred --rounds 4 --samples 2 --size smoke --out built >out 2>err &
pid=$!
begun built '^trial.*,status,'
cp /bin/false swapped/new && mv swapped/new "swapped/${trial##*/}-worker"
status=0
wait $pid || status=$?
point 'a build in the middle of a run changes nothing' test $status -eq 0

# --- standard streams ---

for closed in '>&-' '2>&-' '<&-' '>&- 2>&-' '<&- >&- 2>&-'; do
    rm -rf closed
    point "a run $closed" bash -c "'$trial' run trial-good --size smoke --quick --out closed $closed"
    point 'prints nothing into its files' gives 0 "$trial" verdict closed
    point 'nor beside its rows' test -z "$(grep -hvE '^(trial-good|ceilings|exhibit),' closed/samples.csv)"
    point "report $closed" bash -c "'$trial' report closed $closed"
done

# --- signals ---

# children PID: of it, all the way down
children()
{
    local child
    # shellcheck disable=SC2013 # words
    for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
        echo "$child"
        children "$child"
    done
}

gone()
{
    ! test -e "/proc/$1" || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}

# ends PID SIGNAL...: after these, it and its children are gone within ten seconds
ends()
{
    local pid=$1 family signal begin sent=0
    shift
    family="$pid $(children "$pid")"
    for signal; do
        # The second one may find nobody.
        kill "-$signal" "$pid" || test $sent -gt 0 || return 1
        sent=$((sent + 1))
        sleep 0.05
    done
    begin=$(date +%s%N)
    for member in $family; do
        while ! gone "$member"; do
            test $(($(date +%s%N) - begin)) -lt 10000000000 || {
                echo "$member of $family is there after ten seconds: $(tr '\0' ' ' <"/proc/$member/cmdline")"
                kill -KILL $family
                return 1
            }
            sleep 0.02
        done
    done
}

# until COMMAND...
until_good()
{
    local i
    for ((i = 0; i < 1200; i++)); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.05
    done
    return 1
}

for verb in plan env 'run --out never' 'run trial-good --self --out never'; do
    rm -f other/begun
    # shellcheck disable=SC2086
    other/reprise $verb >out 2>err &
    pid=$!
    point "$verb: asks a worker that hangs" until_good test -e other/begun
    point "$verb: SIGTERM" ends $pid TERM
    wait $pid 2>/dev/null
done

# Anywhere in a run: ceilings, samples, judging, rows.
for ((k = 0; k < 12; k++)); do
    rm -rf anywhere
    "$trial" run trial-good trial-untimed --size smoke --rounds 2 --out anywhere >out 2>err &
    pid=$!
    sleep "$(awk "BEGIN { print 0.08 * $k }")"
    point "a run, SIGTERM after $((80 * k)) ms" ends $pid TERM
    wait $pid 2>/dev/null
done
point 'the run that was ended goes on' gives 0 "$trial" run trial-good --size smoke --rounds 2 --out anywhere --resume

for signals in TERM 'INT INT' 'HUP HUP' 'HUP INT' 'INT TERM'; do
    rm -rf hang err
    "$trial" run trial-faults -x '*/crash/*' --size smoke --quick --order plan --out hang >out 2>err &
    pid=$!
    begun hang '^trial.*,status,' # the next one hangs
    # shellcheck disable=SC2086
    point "a worker that hangs: $signals" ends $pid $signals
    status=0
    wait $pid || status=$?
    point "a worker that hangs, $signals: 130" test $status -eq 130
    point 'and says how it goes on' grep -q 'go on with --resume --out hang' err
    point 'and the hanging job is not recorded' sh -c '! grep -q ,hang, hang/samples.csv'
done

# Standard error is a pipe that nobody reads, and full in the middle of the run.
mkfifo full
sleep 1000 <full &
reader=$!
exec 4>full
"$trial" run trial-sleepy --out blocked >out 2>&4 4>&- &
pid=$!
begun blocked
dd if=/dev/zero of=full bs=4096 count=64 oflag=nonblock 2>/dev/null
sleep 0.5
point 'nobody reads what it says: SIGTERM' ends $pid TERM
wait $pid 2>/dev/null
exec 4>&-
kill $reader

# hung_up NAME COMMAND...: a signal to the whole group, once a job is on the disk
hung_up()
{
    local name=$1
    shift
    : >hold
    setsid "$@" run trial-sleepy --order plan --out "$name" >out 2>err &
    pid=$!
    begun "$name"
    kill -HUP -- -$pid
    rm hold
    status=0
    wait $pid || status=$?
}
hung_up closed-terminal "$trial"
point 'SIGHUP: 130' test $status -eq 130
point 'and says so' grep -q 'interrupted; go on with --resume --out closed-terminal' err
point 'after the job' grep -q 'ends after this job; once more ends at once' err
# A pipe in place of a worker's log.
rm -rf closed-terminal/log && mkdir closed-terminal/log && mkfifo closed-terminal/log/trial-sleepy.1.txt
point 'goes on' gives 0 timeout 60 "$trial" run trial-sleepy --out closed-terminal --resume
point 'and no job was lost' test "$(grep -c ',status,.*,ok$' closed-terminal/measured.csv)" -eq 20
hung_up kept-on nohup "$trial"
point 'nohup: SIGHUP changes nothing' test $status -eq 0

# A gnuplot that hangs.
mkdir path drawn
printf '#!/bin/sh\n: >begun-to-draw\nexec sleep 1000\n' >path/gnuplot && chmod +x path/gnuplot
for kept in "$results"/nvidia-h100-80gb-hbm3/*; do :; done
cp "$kept/run.csv" "$kept/samples.csv.gz" drawn
PATH=$PWD/path:$PATH "$reprise" report drawn >out 2>err &
pid=$!
point 'report draws' until_good test -e drawn/begun-to-draw
point 'report draws: SIGTERM' ends $pid TERM
wait $pid 2>/dev/null

finish
