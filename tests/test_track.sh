#!/usr/bin/env bash
# What a run is made of to be tracked: globs from a file, and the set that `make track` has.
# test_track.sh REPRISE REPRISE-TRIAL, from anywhere.
set -u
reprise=$(realpath "$1") trial=$(realpath "$2") root=$(realpath "$(dirname "$0")/..")
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
    point 'so do the recipes' sh -c "! grep 'reprise run' '$root/TRACKING.md' | grep -v 'run @'"
fi

finish
