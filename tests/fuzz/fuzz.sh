#!/usr/bin/env bash
# Runs each target for so many seconds, two at a time, under AddressSanitizer and UBSan, in a build
# of its own: driven by libFuzzer where clang has it, else by driver.c.
# fuzz.sh [SECONDS [TARGET...]], from anywhere; prints the inputs tried, and exits by 1 if one stops a
# target. It is kept in build-fuzz/findings and, once it is mended, in corpus/TARGET.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
build=$PWD/build-fuzz
export here build seconds=${1:-20} seed=${REPRISE_SEED:-$((RANDOM * 32768 + RANDOM))}
export OMP_WAIT_POLICY=passive UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
shift $(($# > 0))
test $# -gt 0 || set -- arguments csv folder gzip key values
exec </dev/null

# quietly COMMAND...: its output only if it fails
quietly()
{
    local output
    output=$("$@" 2>&1) || {
        printf '%s\n' "$output" | tail -n 40
        exit 1
    }
}

# With OpenMP and its run-time libraries, which are packages of their own.
has_libfuzzer()
{
    echo 'int LLVMFuzzerTestOneInput(const char *data, long size) { return !data && size; }' |
        clang -x c -fopenmp -fsanitize=fuzzer,address,undefined -o /dev/null -
}

if ! test -f "$build/build.ninja"; then
    test -n "${CC:-}" || ! has_libfuzzer 2>/dev/null || export CC=clang
    quietly meson setup "$build" -Dfuzz=auto -Ddevice=none -Dpeers=disabled \
        -Db_sanitize=address,undefined -Db_lundef=false --buildtype=debugoptimized
fi
quietly meson compile -C "$build" fuzz
mkdir -p "$build/findings"
if "$build/tests/fuzz/fuzz_key" -help=1 2>&1 | grep -q 'libFuzzer'; then
    driver=libFuzzer
else
    driver='tests/fuzz/driver.c, for there is no clang with libFuzzer'
fi
echo "$# targets, $seconds s each, seed $seed, by $driver"

# one TARGET: in pieces, since what is interned stays until a program ends. It would also have each
# input searched for leaks; the tests with driver.c find them at their end.
one()
{
    local target=$1 left=$seconds inputs=0 status=0 piece count
    mkdir -p "$build/corpus/$target"
    while test "$left" -gt 0 && test $status -eq 0; do
        piece=$((left < 60 ? left : 60)) left=$((left - 60))
        "$build/tests/fuzz/fuzz_$target" -max_total_time=$piece -seed="$seed" -timeout=20 \
            -detect_leaks=0 -rss_limit_mb=4096 -max_len=16384 -print_final_stats=1 \
            -close_fd_mask=3 -artifact_prefix="$build/findings/$target-" \
            "$build/corpus/$target" "$here/corpus/$target" \
            >"$build/findings/$target.log" 2>&1 || status=1
        count=$(sed -n 's/^stat::number_of_executed_units: //p;s/^ok .* and \([0-9]*\) inputs.*/\1/p' \
            "$build/findings/$target.log")
        inputs=$((inputs + ${count:-0})) seed=$((seed + 1))
    done
    echo "$target: $inputs inputs$(test $status -eq 0 || echo ", and one that stops it")"
    test $status -eq 0 || grep -aE 'not so|ERROR|runtime error|SUMMARY|^not ok|Test unit written' \
        "$build/findings/$target.log" || tail -n 3 "$build/findings/$target.log" # it just ended
    return $status
}
export -f one
printf '%s\n' "$@" | xargs -P 2 -I TARGET bash -c 'one TARGET' || exit 1
