#!/bin/sh
# Each header compiles by itself: as C17 if C files include it, as C++17 if kernels or C++ do.
# test_headers.sh C-COMPILER C++-COMPILER, from anywhere.
set -u
c=$1 cxx=$2
cd "$(dirname "$0")/.." || exit 1
points=0 failures=0

# one LANGUAGE HEADER COMMAND...
one()
{
    language=$1 header=$2
    shift 2
    points=$((points + 1))
    if printf '#include "%s"\n' "$header" |
        "$@" -fsyntax-only -Wall -Wextra -Wshadow -Werror -D_GNU_SOURCE -DRECIPE_D -I. -Iharness \
            -Isolvers -Itests -; then
        echo "ok $points - $header as $language"
    else
        echo "not ok $points - $header as $language"
        echo "not ok $points - $header as $language" >&2
        failures=$((failures + 1))
    fi
}

for header in harness/*.h harness/*/*.h harness/machine/emulated/*.h solvers/*/*.h tests/*.h; do
    case $header in
    harness/machine/async.h | harness/machine/far.h | harness/machine/launch.h | harness/machine/letter.h | harness/machine/emulated/* | \
        solvers/*/kernels.h | solvers/common/cub.h | solvers/common/hear.h | solvers/parabolic/bills.h | \
        solvers/parabolic/gpu_limit.h | solvers/parabolic/hold.h | solvers/parabolic/pass.h | solvers/parabolic/tile.h | \
        solvers/waveform/blocked.h | solvers/waveform/dense.h | solvers/waveform/plane.h | solvers/waveform/swift.h | solvers/waveform/turn.h | \
        solvers/curvature/lanes.h | solvers/curvature/march.h | solvers/curvature/on_chip.h | solvers/curvature/resident.h | solvers/curvature/stay.h | \
        solvers/curvature/stream.h | solvers/curvature/sweep.h | solvers/curvature/told.h) ;; # kernels alone
    *) one C17 "$header" $c -x c -std=c17 -Wstrict-prototypes ;;
    esac
    case $header in
    harness/reprise.h | harness/machine/async.h | harness/machine/device.h | harness/machine/far.h | \
        harness/machine/launch.h | harness/machine/letter.h | \
        harness/machine/precision.h | harness/machine/emulated/* | harness/base/random.h | \
        solvers/* | tests/test_emulated.h)
        # nvcc reads cuda_runtime.h before anything else; so does this
        one C++17 "$header" $cxx -x c++ -std=c++17 -Iharness/machine/emulated -include cuda_runtime.h
        ;;
    esac
done
echo "1..$points"
test "$points" -gt 0 && test "$failures" -eq 0
