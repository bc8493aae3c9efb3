#!/usr/bin/env bash
# Jobs of several ranks, started by mpirun: right on any number of them; one that dies, hangs or has
# no memory loses its job and nothing else, and no process is left.
# test_ranks.sh REPRISE REPRISE-TRIAL KERNELS UNLOAD, from anywhere.
set -u
reprise=$(realpath "$1") trial=$(realpath "$2") kernels=$(realpath "$3") unload=$(realpath "$4")
. "$(dirname "$0")/tap.sh"
# Open MPI's own, and not what is left of it at the end.
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}

if ! OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    OMPI_MCA_rmaps_base_oversubscribe=1 timeout 60 mpirun -n 2 true 2>err; then
    echo "1..0 # skip no mpirun that starts processes (openmpi-bin): $(head -n 1 err)"
    exit 0
fi

# status RUN JOB: the note of its status row
status()
{
    sed -n "s|^$2,1,0,status,,,||p" "$1/samples.csv"
}
is()
{
    test "$(status "$1" "$2")" = "$3" || {
        echo "$2: '$(status "$1" "$2")'"
        return 1
    }
}
# Processes of this test, of which a run that is over has none: they have its folder in their
# environment.
left()
{
    grep -lsz "^RANKS_TEST=$scratch\$" /proc/[0-9]*/environ 2>/dev/null |
        sed 's|[^0-9]||g' | while read -r pid; do
        test "$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$pid/status" 2>/dev/null)" = Z ||
            tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null
    done | grep -E 'worker|mpirun|orted'
}
export RANKS_TEST=$scratch
none_left()
{
    local i
    for ((i = 0; i < 50; i++)); do
        left >/dev/null || return 0
        sleep 0.1
    done
    left
    return 1
}

"$trial" run trial-ranks --rounds 3 --samples 3 --size smoke --timeout 12 --out faults >out 2>err
point 'bad jobs make a bad run' test $? -eq 1
cpu=$(sed -n 's/^trial-ranks,one,good,double,\(.*\),2,1,0,status.*/\1/p' faults/samples.csv)
for n in 2 1000; do
    for case in one three; do
        point "good, $case, $n" is faults "trial-ranks,$case,rank-good,double,$cpu,$n" ok
    done
    point "one has no memory, $n" is faults "trial-ranks,three,rank-fails,double,$cpu,$n" \
        'failed: rank 2: no memory for this one'
    point "one dies, $n" is faults "trial-ranks,three,rank-dies,double,$cpu,$n" 'crashed: SIGKILL'
    point "one hangs, $n" is faults "trial-ranks,three,rank-hangs,double,$cpu,$n" \
        'timeout: no answer within 12 s'
    for variant in rank-fails rank-dies rank-hangs; do
        point "$variant alone, $n" is faults "trial-ranks,one,$variant,double,$cpu,$n" ok
    done
done
point 'no process is left' none_left
point 'all else was timed' test "$(grep -cE '^trial-ranks,(one,(good|rank-.*)|three,rank-good),.*,time,median' faults/measured.csv)" -eq 12

point 'it goes on, and the bad ones are asked again' gives 1 \
    "$trial" run trial-ranks --rounds 3 --samples 3 --size smoke --timeout 12 --out faults --resume --retry failed
point 'none that was good' sh -c "test \$(grep -c '^trial-ranks,three,rank-good,.*,1,0,status' faults/samples.csv) -eq 2"

point 'a launcher that is not there: skipped' gives 1 "$trial" run 'trial-ranks/three/rank-good/*' \
    --launcher 'no-such-launcher -n {ranks}' --quick --out none
point 'and it is said' grep -qF "skipped: 'no-such-launcher' is not on the path; install MPI" none/samples.csv
env PATH=/nowhere "$trial" plan trial-ranks >planned
point 'plan says so, too' test "$(grep -c "/three/rank-.*skipped: 'mpirun' is not on the path" planned)" -eq 8
point 'one that starts too few: failed' gives 1 "$trial" run 'trial-ranks/three/rank-good/double/2' \
    --launcher 'mpirun -n 2' --quick --out few
point 'and it is said, too' grep -qsF 'the launcher started 2 processes where 3 are wanted' few/log/*

# --- on the device ---

if ! "$reprise" solve bvp/stored --variant A2-limit-ranks --precision double --set n=100 >out 2>err; then
    point 'without one, it is said' grep -q ',status,.*skipped' out
    finish
    exit
fi
# Two ranks are enough where sanitizers make all slow.
few=${UBSAN_OPTIONS:+2}
# jobs_on LIST: those of as many ranks
jobs_on()
{
    echo "scale-*/*ranks=[${few:-$1}]/*"
}
# right_on LIST ORDER: on as many ranks
right_on()
{
    gives 0 "$reprise" run "$(jobs_on "$1")" --size smoke --thread-order "$2" --out "$2"
}
point "right on ${few:-1, 2, 4 and 8} ranks" right_on 1248 ascending
# corrections: those of tridiagonal waveforms whose bits are not alike on all ranks, in all six runs
corrections()
{
    for folder in ascending descending; do
        grep -E '^scale-waveform,.*,(iterations|err_[0-9]+),' "$folder/samples.csv"
    done | cut -d, -f3-6,9,10 | sort | uniq -c | awk '$1 != 6 { print }
        END { if (NR == 0) print "none" }'
}
if test -z "$few"; then
    point 'right on 2 and 4 ranks, the threads in another order' right_on 24 descending
    point 'as many iterations on any number of ranks, and the same corrections' test -z "$(corrections)"
fi
odd=$(jobs_on 1248)
point 'odd sizes' gives 0 "$reprise" run "${odd/-\*/-bvp}" "${odd/-\*/-recurrence}" -a n=2,3,17,4097,99991 --out odd
point 'odd sizes of waveforms' gives 0 "$reprise" run "${odd/-\*/-waveform}" -a n=99,4097 --out odd.waveform
point 'of full matrices' gives 0 "$reprise" run "${odd/-\*/-waveform-dense}" -a n=129,263 --out odd.dense
point 'too few rows for all' gives 1 "$reprise" run 'scale-parabolic/model2-ranks=8/*/double/*' \
    'scale-curvature/mcf-ranks=8/*/double/*' -a n=33 --out few.rows
point 'too few components for all' gives 1 "$reprise" run 'scale-waveform*/*ranks=8/*' -a n=95 --out few.waveform
for ranks in ${few:-2 4}; do
    blocks=$((ranks == 2 ? 3 : 11))
    point "$blocks blocks at once" env REPRISE_EMULATED_BLOCKS=$blocks REPRISE_EMULATED_SHARED=64 \
        "$reprise" run "$(jobs_on $ranks)" -a n=127,99991 -x 'scale-parabolic/*/99991' \
        -x 'scale-waveform*/99991' -x 'scale-curvature/*/99991' --thread-order descending --out blocks.$blocks
done
point 'too few rows for halos: skipped' \
    grep -q '^scale-parabolic,.*skipped: 8 ranks share 35 rows' few.rows/samples.csv
point 'and components' grep -qF 'skipped: 8 ranks share 95 components' few.waveform/samples.csv
point 'and rows of a matrix' grep -qF 'skipped: 8 ranks share 95 rows' few.waveform/samples.csv
point 'too few rows for halos of curvature: skipped' \
    grep -q '^scale-curvature,.*skipped: 8 ranks share 32 rows' few.rows/samples.csv

# bits RANKS CASE VARIANT SETTING...: those of its answers, which are right
bits()
{
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        OMP_NUM_THREADS=1 timeout 600 mpirun -n "$1" "$kernels" "${@:2}" ranks="$1" >points 2>err &&
        grep -q '^ok 2 .*twice' points && ! grep '^not ok' points && sed -n 's/^# bits //p' points
}
unloads()
{
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        OMP_NUM_THREADS=2 timeout 600 mpirun -n "$1" "$unload" "$1" >points 2>err &&
        grep -q '^ok 13 ' points && ! grep '^not ok' points
}
# same_bits ROOM CASE SETTING...: gpu-ranks has the bits of gpu-resident, which goes by streams or by
# sweeps as well, or has one tile that stays, for which it has to lack blocks; KiB of shared memory are
# too few for streams; `on` some numbers of ranks, since what differs from point to point is not
# their number
same_bits()
{
    local ranks one
    one=$(REPRISE_EMULATED_BLOCKS=1 REPRISE_EMULATED_SHARED=$1 bits 1 "$2" gpu-resident "${@:3}") || return 1
    for ranks in ${few:-${on:-1 2 3 4 8}}; do
        test "$(REPRISE_EMULATED_SHARED=$1 bits $ranks "$2" gpu-ranks "${@:3}")" = "$one" || {
            echo "$ranks ranks: other bits, or none"
            return 1
        }
    done
}
# same_line SETTING...: the line in slabs has those of the line on one card, of both relaxations in
# both precisions
same_line()
{
    local ranks one
    one=$(bits 1 waveform/heat1d 'wr-*-gpu-blocked' "$@" y0=random storage=sparse) || return 1
    for ranks in ${few:-1 2 3 8}; do
        test "$(bits $ranks waveform/heat1d 'wr-*-gpu-blocked-ranks' "$@" y0=random \
            storage=sparse)" = "$one" || {
            echo "$ranks ranks: other bits, or none"
            return 1
        }
    done
}
# parts_alike SETTING...: limit-ranks has the bits of limit, in many parts; one block of each has no
# tiles
parts_alike()
{
    local ranks one
    local -x REPRISE_EMULATED_BLOCKS=$((${many:-3} + 1))
    one=$(bits 1 recurrence/user limit "$@") || return 1
    for ranks in ${few:-${on:-2 3 4 8}}; do
        test "$(bits $ranks recurrence/user limit-ranks "$@")" = "$one" || {
            echo "$ranks ranks: other bits, or none"
            return 1
        }
    done
}
# apart RANKS: where ranks share no memory, as on several hosts, A2-limit-ranks has the same bits
apart()
{
    local case together
    for case in p2 stored; do
        together=$(bits "$1" bvp/$case A2-limit-ranks n=99991) || return 1
        test "$(REPRISE_EMULATED_APART=1 bits "$1" bvp/$case A2-limit-ranks n=99991)" = "$together" || {
            echo "$case: other bits, or none"
            return 1
        }
    done
}
# full_rows BLOCKS,RANKS...: full matrices whose rows do not come out even with the blocks there are:
# stretches of several rows, rows of two and three stretches, and shares; one rank has the bits of
# one card
full_rows()
{
    local pair ranks full=(waveform/control storage=dense y0=random T=0.5 nmax=2 expect=any d=${d:-541})
    for pair; do
        ranks=${pair#*,}
        test "$ranks" -eq 1 -o "$ranks" -eq "${few:-$ranks}" || continue
        REPRISE_EMULATED_BLOCKS=${pair%,*} bits "$ranks" "${full[0]}" 'wr-*-gpu-dense-ranks' \
            "${full[@]:1}" >bits.$ranks || {
            echo "blocks, ranks: $pair: not right"
            return 1
        }
        test "$ranks" -gt 1 || REPRISE_EMULATED_BLOCKS=${pair%,*} bits 1 "${full[0]}" \
            'wr-*-gpu-dense' "${full[@]:1}" | cmp - bits.1 || return 1
    done
}
# Slabs of four rows of tiles, of three, two and one, where a card has room for small tiles; passes
# of several lengths, and a second run of other data.
tiles()
{
    local ranks one
    one=$(REPRISE_EMULATED_SHARED=64 bits 1 "parabolic/$1" GPU-limit "${@:2}") || return 1
    for ranks in ${few:-${on:-1 2 3 5 8}}; do
        test "$(REPRISE_EMULATED_SHARED=64 bits $ranks "parabolic/$1" GPU-limit-ranks "${@:2}")" = "$one" || {
            echo "$ranks ranks: other bits, or none"
            return 1
        }
    done
}
if grep -q ',emulated on ' ascending/samples.csv; then
    point 'full matrices, rows in stretches' full_rows 1,1 3,1 1,2 3,2 5,2 7,2 1,3 3,3 5,3 5,5
    # The last block of each rank has so few rows that they go to the other one stage by stage.
    d=1056 point 'full matrices, stages that bring rows' full_rows 4,2 5,2
    for ranks in ${few:-2 3 8}; do
        point "parts of all forms come to their places, $ranks" unloads $ranks
    done
    for ranks in ${few:-1 2 3 8}; do
        point "ceilings of links, $ranks" bits $ranks ceilings/machine 'link-*' n=5001
    done
    solve=("$reprise" solve curvature/mcf --variant gpu-ranks --precision double --set N=45)
    point 'solve, on one' gives 0 "${solve[@]}" --dump one.csv
    point 'on three' gives 0 "${solve[@]}" --set ranks=3 --dump three.csv
    point 'and has said so once' test "$(grep -c ',status,value,,,ok$' out)" -eq 1
    point 'with the same bits' cmp one.csv three.csv
    seq 100 >f.txt
    stored=("$reprise" solve bvp/stored --variant A2-limit-ranks --precision double --set ranks=2)
    point "the user's data, and on standard output" gives 0 \
        "${stored[@]}" --set n=100 --input f=f.txt --dump -
    point 'all of it' test "$(grep -c '^[0-9]*,' out)" -eq 100
    point 'too few of them' gives 2 "${stored[@]}" --set n=101 --input f=f.txt
    point 'of which the first rank speaks' test "$(grep -c 'f.txt has 100 values' err)" -eq 1
    point 'no such launcher' refuses 1 "'nothing' is not on the path" "${stored[@]}" --launcher nothing
    point 'too few processes' gives 1 "${stored[@]}" --launcher 'mpirun -n 3'
    point 'is said, too' test "$(grep -c 'started 3 processes where 2 are wanted' err)" -eq 1
    "$reprise" plan 'scale-beyond/ranks=2/*' -a n=2^36 >planned
    point 'what all ranks need, is said' grep -q 'skipped: needs 1536.0 GiB of memory' planned
fi
# Sanitizers read the same kernels above, and those of parameters that nobody chose in random_ranks.py.
if test -z "$few" && grep -q ',emulated on ' ascending/samples.csv; then
    point 'waveform: bits of one card' same_line d=1001
    point 'waveform: bits of one card, that begin again near to rounding' \
        same_line d=403 tol=1e-13 expect=any
    point 'waveform: bits of one card, two steps' same_line d=330 N=9 method=bdf2
    point 'waveform: bits of one card, corrections that grow' \
        same_line d=500 N=9 T=30 nmax=60 expect=any
    point 'parabolic: bits of one card' tiles model2 N=300 steps=27
    on='2 5' REPRISE_EMULATED_BLOCKS=3 point 'parabolic: bits of one card, three blocks' tiles model4 N=301 steps=19
    point 'bvp: the same bits on several hosts' apart 3
    # Eight ranks have three tiles each, at the least; powers do not decay.
    point 'recurrence: bits of one card' parts_alike a=1.9900083305560516,-1 f=random n=199991
    point 'recurrence: bits of one card, of order 12' \
        parts_alike a=-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1 f=random n=199991
    # On one card a team hears what a carry hears here, in three groups if there are blocks enough.
    on=2 many=12 point 'recurrence: bits of one card, of order 12, many blocks' \
        parts_alike a=-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1 f=random n=139991
    # The first rank waits for no sum, and its launches are ahead.
    point 'recurrence: a part each' \
        test -n "$(bits 2 recurrence/user limit-ranks a=-1,-1 f=random n=36864)"
    point 'recurrence: a tile each' \
        test -n "$(bits 8 recurrence/user limit-ranks a=-1,-1 f=random n=36864)"
    # Runs that end where the host looks, and before and after.
    for room in 48 227; do
        on="1 $((room == 48 ? 3 : 4)) 8" point "curvature: bits of one card, mcf, $room" \
            same_bits $room curvature/mcf N=42 attempts=33
        on=$((room == 48 ? 2 : 3)) point "curvature: bits of one card, mcf, copied boundary, $room" \
            same_bits $room curvature/mcf N=45 N2=31 boundary=neumann T=0.05 snapshots=3
        on=$((room == 48 ? 4 : 2)) point "curvature: bits of one card, mcf, no forcing, $room" \
            same_bits $room curvature/mcf-figure N=41 N2=70 times=0.002,0.003 boundary=dirichlet
    done
    on='2 4' point 'curvature: bits of one card, mcf, tiles on all sides' \
        same_bits 227 curvature/mcf N=150 N2=300 attempts=7
    on=3 point 'curvature: bits of one card, mcf, equal steps' same_bits 227 \
        curvature/mcf N=97 N2=130 boundary=neumann control=fixed tau0=1e-5 T=5e-5 snapshots=4
    # Whose numbers are soon those of the run before.
    point 'curvature: bits of one card, mcf, two steps' same_bits 227 curvature/mcf N=60 attempts=2
    on='1 3 8' point 'curvature: bits of one card, willmore' same_bits 48 curvature/willmore N=83 attempts=32
    on=2 point 'curvature: bits of one card, willmore, copied boundary' \
        same_bits 48 curvature/willmore N=82 boundary=neumann attempts=31
    on=4 point 'curvature: bits of one card, willmore, no forcing' \
        same_bits 48 curvature/willmore-figure N=81 N2=30 attempts=70
    on=2 point 'curvature: bits of one card, willmore, equal steps' \
        same_bits 48 curvature/willmore N=82 N2=27 control=fixed tau0=1e-7 T=3e-6 snapshots=4
fi

# Times by hand: one rank 1.25 s at 1000 and 3.75 at 2000, two ranks 1 and 2.5; of the grids one rank
# 3 at 400, two ranks 4 at 566, which is 400 times the root of two.
times()
{
    local hardware
    hardware=$(sed -n 's/^gpu_name,//p' run.csv | head -n 1)
    echo exhibit,case,variant,precision,hardware,n,metric,statistic,value,unit,note
    while read -r job n seconds; do
        echo "$job,double,$hardware,$n,time,value,$seconds,s,"
        echo "$job,double,$hardware,$n,status,,,,ok"
    done <<'END'
scale-bvp,ranks=1,A2-limit-ranks 1000 1.25
scale-bvp,ranks=1,A2-limit-ranks 2000 3.75
scale-bvp,ranks=2,A2-limit-ranks 1000 1
scale-bvp,ranks=2,A2-limit-ranks 2000 2.5
scale-parabolic,model2-ranks=1,GPU-limit-ranks 400 3
scale-parabolic,model2-ranks=2,GPU-limit-ranks 566 4
END
}
mkdir scaled
cp ascending/run.csv scaled
(cd scaled && times >measured.csv)
env PATH=/nowhere "$reprise" report scaled >out 2>err
scales()
{
    cut -d, -f1-6,8 scaled/compared.csv | grep -qxF "$1" || {
        grep -E 'strong|weak' scaled/compared.csv
        return 1
    }
}
point 'a speed-up over one rank' scales scale-bvp-strong,ranks=2,A2-limit-ranks/A2-limit-ranks,double,2000,speedup,1.5
point 'an efficiency against one that has as much to do' \
    scales scale-bvp-weak,ranks=2,A2-limit-ranks/A2-limit-ranks,double,2000,speedup,0.5
point 'there is none' scales scale-bvp-weak,ranks=2,A2-limit-ranks/A2-limit-ranks,double,1000,speedup,
point 'of grids, nearly as much, in the same model' \
    scales scale-parabolic-weak,model2-ranks=2,GPU-limit-ranks/GPU-limit-ranks,double,566,speedup,0.75

"$reprise" plan --size smoke >planned
point 'nothing to compare where nobody names it' \
    grep -q '^scale-bvp/ranks=1/.*skipped: there are not several cards' planned
point 'no process is left' none_left
finish
