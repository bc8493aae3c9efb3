#!/usr/bin/env bash
# What a run is made of to be tracked: globs from a file, and the set that `make track` has; clocks
# that are locked, and unlocked however the run ends; waiting for a card.
# test_track.sh REPRISE REPRISE-TRIAL [LIBNVIDIA-ML], from anywhere.
set -u
if test -z "${hears_hangup:-}"; then # under nohup, too
    export hears_hangup=yes
    exec env --default-signal=HUP bash "$0" "$@"
fi
reprise=$(realpath "$1") trial=$(realpath "$2") root=$(realpath "$(dirname "$0")/..")
test $# -lt 3 || library=$(realpath "$3")
. "$(dirname "$0")/tap.sh"

# --- globs of a file ---

printf '# all of it\n\n  trial-good/*/good/*  # good\r\ntrial-hundred\n' >set.txt
point 'globs of a file' gives 0 "$trial" list jobs @set.txt --size smoke
mv out of-file
point 'are those of the command line' gives 0 "$trial" list jobs 'trial-good/*/good/*' trial-hundred --size smoke
point 'and select the same' cmp of-file out
point 'beside others' gives 0 "$trial" plan @set.txt trial-untimed --size smoke
point 'a run takes them' gives 0 "$trial" run @set.txt --size smoke --quick --out set-run
point 'and a verb that reads it' gives 4 "$trial" compare set-run set-run @set.txt
printf '# nothing\n' >empty
point 'a file without globs' refuses 2 'empty has no glob in it; write one a line' "$trial" plan @empty
point 'no file' refuses 2 'cannot read none: No such file' "$trial" run @none
printf 'trial-god\n' >wrong
point 'a glob that is none' refuses 2 "'trial-god' matches no job" "$trial" list jobs @wrong --size smoke
for ((i = 0; i < 65; i++)); do echo 'trial-good'; done >many
point 'too many' refuses 2 'more than 64 globs' "$trial" list jobs @many --size smoke
point 'one of several words' gives 0 "$reprise" list jobs 'bvp2010-table3/p1/@(A2D|A2SD)/*/2^20' --size paper
point 'is those words' test "$(sort out | tr '\n' ' ')" = \
    'bvp2010-table3/p1/A2D/double/1048576 bvp2010-table3/p1/A2SD/mixed/1048576 '
point 'an alternative is no file' gives 0 "$reprise" list jobs '@(bvp-small|rec-small)/*/*/*/2^10' --size quick
point 'sizes as powers, of a run' gives 0 "$reprise" run 'bvp-small/p1/A1D/*/2^10' --size quick --quick --out power
point 'and of two' gives 0 "$reprise" compare power power 'bvp-small/*/2^10'

# --- the set ---

# has SIZE REGEX...: the set has such jobs at that size
has()
{
    local size=$1 regex
    shift
    "$reprise" list jobs "@$root/cases/track" --size "$size" >names.txt || return 1
    for regex; do
        grep -qE "$regex" names.txt || {
            echo "at $size there is no $regex"
            return 1
        }
    done
}
# Of each family: the limit, what the paper runs on the device, the processor.
families=('A2-limit/single' 'A2-limit/double' '/A2D/' '/A1D-omp/'
    '/limit/single' '/limit/double' '/GPU\+CPU/single' '/GPU\+CPU/double' '/SEQ-omp/double'
    '/GPU-limit-fma/single' '/GPU-limit-fma/double' '/GPU-RB/double' '/CPU-omp/double'
    'dense.*/wr-jacobi-gpu-fused/single' 'dense.*/wr-jacobi-gpu-fused/double' '/wr-jacobi-gpu/double'
    'tridiagonal/wr-jacobi-gpu-blocked' '/wr-jacobi-omp/double'
    '/gpu-resident/single' '/gpu-rkc/double' 'mcf/gpu/double' '/cpuN/double' 'willmore/')
for size in quick paper; do
    point "the set at $size" has $size "${families[@]}"
done
point 'the large sizes are of paper' has paper 'A2D/double/67108864$' 'limit/double/67108864$' \
    'GPU-RB/double/4000$' 'gpu-fused/double/4096$' 'gpu-blocked/double/262144$' 'gpu/double/256$'
point 'make says what it runs' sh -c "make -C '$root' -f Makefile.reproduce help | grep -q '^TRACK=globs .*\[@cases/track\]'"
if test -f "$root/TRACKING.md"; then
    point 'so do the recipes that track' sh -c \
        "! grep 'reprise run' '$root/TRACKING.md' | grep -v -e 'run @' -e '--launcher'"
fi

# --- the first run of a machine ---

# A run that may be compared with in earnest, whatever the sources are.
as_reference()
{
    edited "$1"
    sed -i 's/^dirty,.*/dirty,0/; s/^build_type,.*/build_type,release/' "$1/run.csv"
}
mkdir first
"$trial" run trial-good --size smoke --rounds 3 --samples 3 --out first/whole >/dev/null 2>&1
as_reference first/whole
point 'no folder to search' refuses 2 'newest: names no folder' "$trial" compare newest: first/whole
point 'a file' refuses 2 'newest:out: out is no folder' "$trial" compare newest:out first/whole
point 'one that is not there has no runs yet' gives 0 "$trial" compare newest:nowhere first/whole
point 'and that is said' grep -q '^there is no folder nowhere, and so no other run of this machine' out
point 'the first run is good' gives 0 "$trial" compare newest:first first/whole
point 'and says that it is a reference' grep -q 'first/whole, which is one for later ones$' out
mkdir second && cp -r first/whole second/few
sed -i '/^trial-good,sums,slow,.*,2000,3,/d' second/few/samples.csv && rm second/few/measured.csv
point 'one that a budget ended' gives 0 "$trial" compare newest:second second/few
point 'is one as far as it goes' grep -q ', which is one for later ones, but for 1 jobs of fewer than 3 rounds$' out
sed -i 's/^rounds,3/rounds,2/' second/few/run.csv
point 'one of two rounds' gives 0 "$trial" compare newest:second second/few
point 'is none, and says why' grep -q ', which is none for later ones: it has fewer than 3 rounds$' out
sed -i 's/^rounds,2/rounds,3/; s/^dirty,0/dirty,1/' second/few/run.csv
point 'one of changed sources' gives 0 "$trial" compare newest:second second/few
point 'is none either' grep -q ', which is none for later ones: its sources differ from its commit$' out

# It would be the newest one, and hide an older one that has all.
mkdir third && "$trial" run trial-good --size smoke --rounds 3 --samples 3 --budget 0.001s \
    --out third/poor >/dev/null 2>&1
"$trial" run trial-good/sums/good --size smoke --rounds 3 --samples 3 --precise 0 --out third/part >/dev/null 2>&1
"$trial" run trial-good --size smoke --rounds 3 --samples 3 --precise 0 --budget 0.001s --resume --out third/part \
    >/dev/null 2>&1
as_reference third/part
point 'one of which a budget left out jobs' gives 0 "$trial" compare newest:third third/part
point 'is none, and says why' grep -q ', which is none for later ones: a budget left out [0-9]* of its [0-9]* jobs$' out

# --- what bounds a job, of runs that a card might have made ---

# card_run DIR RATIO: five rounds of jobs of half a millisecond, of which launches take much, or the
# host does; the second and third one's rounds deviate by 4 %
card_run()
{
    mkdir "$1" && printf '%s\n' key,value schema,1 commit,1 dirty,0 build_type,release device,cuda \
        gpu_name,Card size,paper rounds,5 samples,1 fingerprint,f1 \
        'exhibits,par2011-throughput rec2011-fig5' end,now >"$1/run.csv"
    awk -v ratio="$2" 'BEGIN {
        print "exhibit,case,variant,precision,hardware,n,round,sample,metric,value,unit,note"
        n = split("ceilings,machine,launch,double,Card,67108864 par2011-throughput,model2,GPU,double,Card,500 " \
                  "rec2011-fig5,m=4,GPU+CPU,double,Card,1048576 par2011-throughput,model2,GPU,single,Card,500 " \
                  "rec2011-fig5,m=4,GPU+CPU,single,Card,1048576", jobs, " ")
        for (j = 1; j <= n; j++)
            for (r = 1; r <= 5; r++) {
                off = (r % 2 ? 1 : -1) * (j == 2 || j == 3 ? 0.04 : 0.002) + r * 1e-4
                seconds = (j == 1 ? 6e-4 : 5e-4 * ratio) * (1 + off)
                print jobs[j] "," r ",0,time," seconds ",s,"
                print jobs[j] "," r ",0,batch,1,1,"
                print jobs[j] "," r ",0,status,,,ok"
            }
    }' >"$1/samples.csv"
}
card_run steady 1
card_run steadier 1.004
point 'two runs of a card' gives 0 "$reprise" compare steady steadier
point 'jobs that launches or the host make unsteady are one kind' \
    grep -q 'of 2 jobs bound by launches from the host: 1.8 %' out
point 'those that are steady all the same are another' grep -q 'of 2 jobs bound by the device: 0.4' out
point 'of a fifth of the noise' test "$(grep -c '/single/.* run to run is 1.4 %' out)" = 2

# --- clocks, of the card that a library of ours has ---

point 'no card: the clocks cannot be locked' refuses 2 'there is no card whose clocks could be locked' \
    "$trial" run trial-good --size smoke --quick --lock-clocks --out no-card
point 'and nothing was measured' test ! -e no-card
point 'it is an option of run' refuses 2 "'plan' does not take --lock-clocks" "$trial" plan trial-good --lock-clocks
point 'make soak compiles what it disturbs' sh -c "make -n -C '$root' -f Makefile.reproduce soak |
    grep -qE '^meson compile .* reprise-trial\$'"
point 'make track can ask for it' sh -c "make -n -C '$root' -f Makefile.reproduce track LOCK=1 | grep -qe ' --lock-clocks'"

if test $# -lt 3; then
    finish
    exit
fi
mkdir lib && cp "$library" lib/libnvidia-ml.so.1
export FAKE_NVML=$PWD/nvml REPRISE_EMULATED_CARD=0000:01:00.0 LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# card [NAME VALUE]...: how it answers from now on
card()
{
    : >nvml
    while test $# -gt 0; do
        echo "$1 $2" >>nvml
        shift 2
    done
    rm -f nvml.log nvml.looks
}
# done_to_it WORDS: what was done to the clocks, in one line
done_to_it()
{
    local i
    for ((i = 0; i < 100; i++)); do
        test "$(tr '\n' ' ' <nvml.log 2>/dev/null)" = "$1 " && return 0
        sleep 0.1
    done
    echo "not '$1' but '$(cat nvml.log)'"
    return 1
}
fact()
{
    sed -n "s/^$2,//p" "$1/run.csv"
}
locked=("$trial" run trial-good --size smoke --rounds 3 --samples 3 --lock-clocks)

card
point 'clocks are locked' gives 0 "${locked[@]}" --out locked
point 'and unlocked at the end' done_to_it 'locked 1755 1755 unlocked'
point 'run.csv says at what' test "$(fact locked gpu_clock_locked_mhz)" = 1755
card
point 'without the option' gives 0 "$trial" run trial-good --size smoke --rounds 3 --samples 3 --out free
point 'they are left alone' test ! -e nvml.log
point 'and are no fact' test -z "$(fact free gpu_clock_locked_mhz)"
point 'locked or not are two machines' test "$(fact locked fingerprint)" != "$(fact free fingerprint)"
point 'of which compare says ratios' gives 0 "$trial" compare free locked
point 'and why' grep -q "^differs: gpu_clock_locked_mhz, NEW '1755'" out
card
"${locked[@]}" --out again >/dev/null 2>&1
point 'two with locked clocks are one' test "$(fact locked fingerprint)" = "$(fact again fingerprint)"
card
point 'everything twice' gives 0 "${locked[@]}" --self --out self
point 'is locked once' done_to_it 'locked 1755 1755 unlocked'
point 'and both say so' test "$(fact self gpu_clock_locked_mhz) $(fact self/self gpu_clock_locked_mhz)" = '1755 1755'
card
point 'taking turns' gives 0 "${locked[@]}" --against "$trial" --out turns
point 'is locked once, too' done_to_it 'locked 1755 1755 unlocked'
point 'and both sides say so' test "$(fact turns gpu_clock_locked_mhz) $(fact turns/base gpu_clock_locked_mhz)" = '1755 1755'
planted=(run trial-planted --size smoke --precise 0 --lock-clocks)
"$trial" "${planted[@]}" --out before >/dev/null 2>&1
TRIAL_TIMES=3 "$trial" "${planted[@]}" --out after >/dev/null 2>&1
# another program, of committed sources
as_reference before && sed -i 's/^code,.*/code,0/' before/run.csv
card
point 'what is slower is confirmed' gives 3 env TRIAL_TIMES=3 "$trial" compare before after --confirm
point 'with locked clocks' done_to_it 'locked 1755 1755 unlocked'
card lock_status 4
rm -r after/confirmation
point 'if they can be locked' gives 1 env TRIAL_TIMES=3 "$trial" compare before after --confirm
point 'and else it is said' grep -q 'only an administrator may lock' err
card usual_status 26
point 'a driver without such clocks' gives 0 "${locked[@]}" --out base-clock
point 'locks at the base clock' done_to_it 'locked 0xffffff01 0xffffff01 unlocked'
point 'and says so' test "$(fact base-clock gpu_clock_locked_mhz)" = base

card lock_status 4
point 'no right to' refuses 2 'only an administrator may lock the clocks of the card: run as root, or have them locked by `nvidia-smi -lgc 1755`' \
    "${locked[@]}" --out refused
point 'and nothing was measured then' test ! -e refused
card lock_status 3
point 'not supported' refuses 2 'cannot be locked (it does not support that); leave out --lock-clocks' "${locked[@]}" --out refused
card lock_status 15
point 'another error' refuses 2 'cannot be locked (GPU is lost)' "${locked[@]}" --out refused
card init 9
point 'no driver' refuses 2 'no libnvidia-ml.so.1' "${locked[@]}" --out refused
card unlock_status 15
point 'they could not be unlocked' gives 0 "${locked[@]}" --out stuck
point 'which is said, and what to do' grep -q 'still locked (GPU is lost); `sudo nvidia-smi -rgc` unlocks them' err

# --- however it ends ---

sleepy=(trial-sleepy --lock-clocks --order plan)
# ended SIGNAL...: a run with locked clocks gets them, the clocks are unlocked
ended()
{
    local pid status=0 signal
    card
    rm -rf ended
    : >hold
    "$trial" run "${sleepy[@]}" --out ended >out 2>err &
    pid=$!
    begun ended || return 1
    for signal; do
        kill "-$signal" $pid
        sleep 0.05
    done
    rm hold
    wait $pid 2>/dev/null || status=$?
    test $status -ne 0 && done_to_it 'locked 1755 1755 unlocked'
}
point 'Ctrl-C' ended INT
point 'Ctrl-C twice' ended INT INT
point 'SIGTERM' ended TERM
point 'a closed terminal' ended HUP
point 'SIGKILL' ended KILL
# The whole group, as a terminal does it.
card
: >hold
setsid "$trial" run "${sleepy[@]}" --out group >out 2>err &
pid=$!
begun group
kill -INT -- -$pid
rm hold
wait $pid
point 'Ctrl-C to the group' done_to_it 'locked 1755 1755 unlocked'
point 'it goes on as it was begun' refuses 2 "measured with gpu_clock_locked_mhz = '1755' and this would be ''" \
    "$trial" run trial-sleepy --out group --resume
point 'it goes on with locked clocks' gives 0 "$trial" run "${sleepy[@]}" --out group --resume
point 'which are unlocked again' done_to_it 'locked 1755 1755 unlocked locked 1755 1755 unlocked'
card
gives 1 "$trial" run trial-faults -x '*/hang/*' --size smoke --quick --lock-clocks --out crash
point 'workers that die' done_to_it 'locked 1755 1755 unlocked'

# --- a card that is hot, or not ours alone ---

on_device=("$reprise" run 'bvp-small/p1/A2-limit/*/2^10' --size quick)
waits()
{
    sed -n 's/.*,waited,\([0-9.]*\),s,//p' "$1/samples.csv" | sort | uniq -c | tr -s ' \n' ' '
}
# settles NAME VALUE...: so it answers a second after the first look at it
settles()
{
    local i
    for ((i = 0; i < 600; i++)); do
        test ! -e nvml.looks || break
        sleep 0.1
    done
    sleep 1
    while test $# -gt 0; do
        echo "$1 $2"
        shift 2
    done >>nvml
}
card
point 'a card that is cool and ours' gives 0 "${on_device[@]}" --out cool
point 'is not waited for' test -z "$(waits cool)"
card reasons 0x20
settles reasons 1 &
point 'a hot one' gives 0 "${on_device[@]}" --out hot
wait
point 'is waited for once, which is recorded' test "$(waits hot)" = ' 1 heat holds the clock of the GPU down '
point 'and said' grep -qE '^waited [0-9]+ s for the GPU: heat holds the clock of the GPU down' err
point 'and is no number of the job' sh -c '! grep waited hot/measured.csv'
point 'nor anything to compare' gives 0 "$reprise" compare cool hot
card processes 2 busy 60
settles busy 3 &
point 'one that others use' gives 0 "${on_device[@]}" --out shared
wait
point 'is waited for, too' test "$(waits shared)" = ' 1 others compute on the GPU '
card processes 1 busy 60
point 'what is left of a worker' gives 0 "${on_device[@]}" --out left-over
point 'is no other' test -z "$(waits left-over)"
card reasons 4
point 'power alone' gives 0 "${on_device[@]}" --out power-cap
point 'is not waited for' test -z "$(waits power-cap)"

finish
